"""Playing without a guess: all that can be revealed of a field of mines from some cells known to be safe.

References
----------
D. E. Knuth, The Art of Computer Programming, volume 4B, section 7.2.2.2, exercise 114.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from pysat.formula import IDPool

from twinproof.models.grid import Cell, neighbours8
from twinproof.models.minesweeper.instance import OUTSIDE, MineField
from twinproof.models.minesweeper.maxsat import exactly, exactly_in_all
from twinproof.optim import InputError
from twinproof.optim.sat.backbone import IncrementalFormula

PROVED, UNDETERMINED = "X", "?"


@dataclass(frozen=True)
class Play:
    """How far a game goes without a guess.

    Parameters
    ----------
    start : tuple of Cell
    safe_revealed : int
        Cells opened, each of them proved safe first, or a start.
    mines_proved : int
    undetermined : int
        All other cells of the board.
    rounds : int
        How often everything proved safe was opened at once, the starts first.
    picture : tuple of str
        Its rows: a number is open, `X` a proved mine, `?` undetermined, `#` no part of the board.
    """

    start: tuple[Cell, ...]
    safe_revealed: int
    mines_proved: int
    undetermined: int
    rounds: int
    picture: tuple[str, ...]

    def record(self) -> dict[str, Any]:
        """Give it in plain lists and numbers, for JSON; cells count from 1."""
        return {
            "start": [[r + 1, c + 1] for r, c in self.start],
            "safe_revealed": self.safe_revealed,
            "mines_proved": self.mines_proved,
            "undetermined": self.undetermined,
            "rounds": self.rounds,
            "picture": list(self.picture),
        }


def corner_cases(field: MineField) -> dict[str, tuple[Cell, ...]]:
    """Name the five cases of the exercise: which corners are known to be safe."""
    bottom, right = field.height - 1, field.width - 1
    corners: tuple[Cell, ...] = ((0, 0), (0, right), (bottom, 0), (bottom, right))
    return {
        "i": (corners[0],),
        "ii": (corners[1],),
        "iii": (corners[2],),
        "iv": (corners[3],),
        "v": corners,
    }


def play(field: MineField, starts: Sequence[Cell], total_known: bool = False) -> Play:
    """Reveal all that can be revealed without a guess.

    Every cell that is safe in all layouts that fit what is seen so far is opened, and its number is seen; until
    there is none.

    Parameters
    ----------
    field : MineField
        The mines; the player learns of them only by numbers.
    starts : sequence of Cell
        Cells that are known to be safe.
    total_known : bool
        Whether the player knows the number of mines.

    Raises
    ------
    InputError
        If there is no start, or a start is a mine or no cell of the board.
    """
    if not starts:
        raise InputError(f"{field.name}: no cell to start from")
    for cell in starts:
        field.check_safe(cell)
    with _Game(field) as game:
        game.open(starts)
        rounds = 1
        while True:
            safe, mines = game.proved()
            if not safe and not mines and total_known:
                safe, mines = game.proved_with_total()
            if not safe and not mines:
                break
            game.mark(mines)
            game.open(safe)
            rounds += bool(safe)
        return Play(
            start=tuple(starts),
            safe_revealed=len(game.numbers),
            mines_proved=len(game.mines),
            undetermined=len(game.hidden),
            rounds=rounds,
            picture=game.picture(),
        )


class _Game:
    """What the player has seen of a field, and a formula that holds it all."""

    def __init__(self, field: MineField) -> None:
        self._field = field
        self.numbers: dict[Cell, int] = {}
        self.mines: set[Cell] = set()
        self.hidden = dict.fromkeys(field.cells)
        self._literal = {cell: i for i, cell in enumerate(field.cells, start=1)}
        self._cell = {lit: cell for cell, lit in self._literal.items()}
        self._pool = IDPool(start_from=len(self._literal) + 1)
        self._formula = IncrementalFormula()

    def __enter__(self) -> "_Game":
        return self

    def __exit__(self, *exception: object) -> None:
        self._formula.close()

    def open(self, cells: Iterable[Cell]) -> None:
        """Open cells, and all round a cell with the number 0, as none of those can hold a mine."""
        opened = []
        todo = list(cells)
        while todo:
            cell = todo.pop()
            if cell not in self.hidden:
                continue
            del self.hidden[cell]
            beside = [other for other in neighbours8(cell) if other in self._literal]
            self.numbers[cell] = sum(other in self._field.mines for other in beside)
            opened.append((cell, beside))
            if self.numbers[cell] == 0:
                todo += beside
        # What is proved needs no literal, so the clauses are written when all is opened.
        for cell, beside in opened:
            unknown = [self._literal[other] for other in beside if other in self.hidden]
            proved = sum(other in self.mines for other in beside)
            self._formula.add([[-self._literal[cell]], *exactly(unknown, self.numbers[cell] - proved)])

    def mark(self, cells: Iterable[Cell]) -> None:
        """Note proved mines."""
        for cell in cells:
            del self.hidden[cell]
            self.mines.add(cell)
            self._formula.add([[self._literal[cell]]])

    def proved(self) -> tuple[list[Cell], list[Cell]]:
        """List the hidden cells that the numbers prove safe, and those that they prove mines."""
        return self._sorted(self._formula.forced([self._literal[cell] for cell in self._clued()]))

    def proved_with_total(self) -> tuple[list[Cell], list[Cell]]:
        """List the same where the number of mines is known too."""
        clued = dict.fromkeys(self._clued())
        beyond = [cell for cell in self.hidden if cell not in clued]
        chain = [self._literal[cell] for cell in beyond]
        others = [self._literal[cell] for cell in clued]
        left = len(self._field.mines) - len(self.mines)
        # The literal that switches this on is never true again: next time other cells are hidden.
        guard = self._pool.id()
        self._formula.add([-guard, *clause] for clause in exactly_in_all(others, chain, left, self._pool))
        safe, mines = self._sorted(self._formula.forced(others + chain, [guard]))
        self._formula.add([[-guard]])
        # The cells that no number tells of can change places, and the formula keeps their mines in front.
        alike = set(beyond)
        all_safe, all_mined = bool(beyond) and beyond[0] in safe, bool(beyond) and beyond[-1] in mines
        safe = [cell for cell in safe if cell not in alike] + (beyond if all_safe else [])
        mines = [cell for cell in mines if cell not in alike] + (beyond if all_mined else [])
        return safe, mines

    def picture(self) -> tuple[str, ...]:
        """Draw what is known."""
        drawn = [list(row) for row in self._field.rows]
        for r, row in enumerate(drawn):
            for c, mark in enumerate(row):
                if mark != OUTSIDE:
                    row[c] = PROVED if (r, c) in self.mines else str(self.numbers.get((r, c), UNDETERMINED))
        return tuple("".join(row) for row in drawn)

    def _clued(self) -> list[Cell]:
        """List the hidden cells beside a number."""
        return [cell for cell in self.hidden if any(other in self.numbers for other in neighbours8(cell))]

    def _sorted(self, forced: frozenset[int] | None) -> tuple[list[Cell], list[Cell]]:
        assert forced is not None, "the field itself is a model"
        safe = [self._cell[-lit] for lit in sorted(forced, key=abs) if lit < 0]
        return safe, [self._cell[lit] for lit in sorted(forced) if lit > 0]
