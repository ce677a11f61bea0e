"""What is known of a Light Up puzzle at some time. Cells are the bits of a number, row by row."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from twinproof.models.deduction.hints import bits
from twinproof.models.grid import Cell, show
from twinproof.models.lightup.instance import LightUpPuzzle

__all__ = ["Board", "LightPosition", "Wall", "count_bulbs", "start"]


@dataclass(frozen=True)
class Wall:
    """A wall with a number.

    Parameters
    ----------
    name : str
    clue : int
    beside : int
        The floor cells beside it.
    """

    name: str
    clue: int
    beside: int


class Board:
    """The cells of a puzzle as bits.

    Parameters
    ----------
    puzzle : LightUpPuzzle
    """

    def __init__(self, puzzle: LightUpPuzzle) -> None:
        self.width = puzzle.width
        self.floor = self.mask(puzzle.floor)
        self.walls = tuple(
            Wall(f"the {clue} in {show(cell)}", clue, self.mask(puzzle.beside[cell]))
            for cell, clue in puzzle.clues.items()
        )
        # For every floor cell, as a mask, the cells that a bulb there lights, its own among them.
        self.light = dict.fromkeys((1 << bit for bit in bits(self.floor)), 0)
        for run in (*puzzle.row_runs, *puzzle.column_runs):
            lit = self.mask(run)
            for bit in bits(lit):
                self.light[1 << bit] |= lit

        self._walls_at: dict[int, list[Wall]] = {}
        for wall in self.walls:
            for bit in bits(wall.beside):
                self._walls_at.setdefault(bit, []).append(wall)

    def walls_at(self, mask: int) -> list[Wall]:
        """Give the walls beside some cells."""
        found = {wall: None for bit in bits(mask) for wall in self._walls_at.get(bit, ())}
        return list(found)

    def mask(self, cells: Iterable[Cell]) -> int:
        """Give the bits of cells."""
        return sum(1 << (r * self.width + c) for r, c in cells)

    def cells(self, mask: int) -> tuple[Cell, ...]:
        """Give the cells of bits, row by row."""
        return tuple(divmod(bit, self.width) for bit in bits(mask))

    def lit_by(self, bulbs: int) -> int:
        """Give the cells that bulbs light, their own among them."""
        lit = 0
        for bit in bits(bulbs):
            lit |= self.light[1 << bit]
        return lit


@dataclass(frozen=True)
class LightPosition:
    """What is known at some time.

    Parameters
    ----------
    board : Board
    bulbs : int
        The cells with a bulb.
    open : int
        The cells of which nothing is known, lit or not; all others have no bulb.
    lit : int
        The cells that the bulbs light.
    """

    board: Board
    bulbs: int
    open: int
    lit: int

    @property
    def dark(self) -> int:
        """The cells that no bulb lights yet."""
        return self.board.floor & ~self.lit

    @property
    def marked(self) -> int:
        """The bulbs."""
        return self.bulbs

    @property
    def solved(self) -> bool:
        """Whether the bulbs are a solution."""
        if self.dark or any(self.missing(wall) for wall in self.board.walls):
            return False
        return self.in_sight(self.bulbs) is None

    def missing(self, wall: Wall) -> int:
        """Count the bulbs that a wall still lacks."""
        return wall.clue - (self.bulbs & wall.beside).bit_count()

    def in_sight(self, bulbs: int) -> tuple[int, int] | None:
        """Give one of some bulbs and another bulb that light each other, if there are any."""
        for bit in bits(bulbs):
            others = self.bulbs & self.board.light[1 << bit] & ~(1 << bit)
            if others:
                return bit, (others & -others).bit_length() - 1
        return None

    def learn(self, marked: int, empty: int) -> "LightPosition":
        """Give the position with more bulbs and more cells without."""
        lit = self.lit | self.board.lit_by(marked)
        return replace(self, bulbs=self.bulbs | marked, open=self.open & ~(marked | empty), lit=lit)

    def cells(self, mask: int) -> tuple[Cell, ...]:
        """Give the cells of bits, row by row."""
        return self.board.cells(mask)

    def clash(self, changed: int | None = None) -> str | None:
        """Say what can no longer be met: bulbs in sight, a number with too many or too few, a cell left dark.

        Parameters
        ----------
        changed : int, optional
            The cells that are known since there was no clash; by default everything is looked at.
        """
        board = self.board
        seeing = self.in_sight(self.bulbs if changed is None else self.bulbs & changed)
        if seeing is not None:
            one, other = (show(self.cells(1 << bit)[0]) for bit in seeing)
            return f"the bulbs in {one} and {other} light each other"
        for wall in board.walls if changed is None else board.walls_at(changed):
            missing, room = self.missing(wall), (self.open & wall.beside).bit_count()
            if missing < 0:
                return f"{wall.name} has {count_bulbs(wall.clue - missing)} beside it"
            if missing > room:
                return f"{wall.name} lacks {count_bulbs(missing)} and has room for {room or 'none'}"
        for bit in bits(self.dark & ~self.open & (board.floor if changed is None else board.lit_by(changed))):
            if not self.open & board.light[1 << bit]:
                return f"no bulb can light {show(self.cells(1 << bit)[0])}"
        return None

    def at_a_glance(self, changed: int | None = None) -> "LightPosition":
        """Give the position when all rules of grade 1 have been followed; the same as one by one, but fast.

        Parameters
        ----------
        changed : int, optional
            The cells that are known since these rules were followed; by default everything is looked at.
        """
        board, bulbs, free, lit = self.board, self.bulbs, self.open, self.lit
        pending = board.floor if changed is None else changed
        while True:
            pending |= free & lit
            free &= ~lit
            if not pending:
                return replace(self, bulbs=bulbs, open=free, lit=lit)
            now, pending, new = pending, 0, 0
            whole = now == board.floor
            for wall in board.walls if whole else board.walls_at(now):
                rest = free & wall.beside
                missing = wall.clue - (bulbs & wall.beside).bit_count()
                if rest and missing <= 0:
                    free ^= rest
                    pending |= rest
                elif missing == rest.bit_count():
                    new |= rest
            for bit in bits((board.floor if whole else board.lit_by(now)) & ~lit):
                able = free & board.light[1 << bit]
                if able & (able - 1) == 0:
                    new |= able
            new &= free
            bulbs, free, lit, pending = bulbs | new, free ^ new, lit | board.lit_by(new), pending | new


def start(puzzle: LightUpPuzzle, known: Mapping[Cell, bool]) -> LightPosition:
    """Give the position in which something is known; whatever is said of a wall is ignored."""
    board = Board(puzzle)
    floor = set(puzzle.floor)
    bulbs = board.mask(cell for cell, bulb in known.items() if bulb and cell in floor)
    empty = board.mask(cell for cell, bulb in known.items() if not bulb and cell in floor)
    return LightPosition(board, bulbs, board.floor & ~(bulbs | empty), board.lit_by(bulbs))


def count_bulbs(count: int) -> str:
    """Say how many bulbs."""
    return "1 bulb" if count == 1 else f"{count} bulbs"
