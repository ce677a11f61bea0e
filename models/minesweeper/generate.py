"""Fields of mines that can be opened without a guess.

Mines are placed at random and the field is played. Where play gets stuck, mines are moved: from the cells beside
an open number to others, or the other way round, so that the number tells more. The field is played again from the
start, and the move is kept unless more cells stay undetermined than before.

References
----------
S. Tatham's Portable Puzzle Collection, `mines.c`, repairs fields by the same idea.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from twinproof.models.generation.chance import below, shuffled
from twinproof.models.generation.generated import Generated, NotFoundError, check_size, noting
from twinproof.models.generation.images import images
from twinproof.models.grid import Cell, neighbours8, show
from twinproof.models.minesweeper.instance import CLUES, MINE, SAFE, MineField
from twinproof.models.minesweeper.play import UNDETERMINED, Play, play
from twinproof.models.words import count_of
from twinproof.optim import EngineError, InputError

ATTEMPTS = 200
"""The number of fields that are begun. Far fewer suffice wherever one was ever found, up to 35 % mines on 16x30
cells."""

PATIENCE = 60
"""A field is given up after this number of moves that left no fewer undetermined cells."""


def generate(
    height: int,
    width: int,
    mines: int,
    start: Cell,
    total_known: bool = True,
    seed: int = 0,
    accept: Callable[[MineField], bool] | None = None,
    on_note: Callable[[str], None] | None = None,
) -> Generated:
    """Make a field that can be opened without a guess, as `models.minesweeper.play` decides.

    Parameters
    ----------
    height, width : int
    mines : int
    start : Cell
        Told to be safe. It has no mine round it either, if there is room enough.
    total_known : bool
        Whether the player knows the number of mines.
    seed : int
        The same seed gives the same field.
    accept : callable, optional
        Whether a field will do; others are passed over.
    on_note : callable, optional
        Takes a line on what is going on, now and then.

    Returns
    -------
    Generated
        Its instance is a `MineField` with the start, its layout the field's rows.

    Raises
    ------
    InputError
        If no field can be like that: no cell, too many, too many mines, or a start beyond the field.
    NotFoundError
        If none was found in `ATTEMPTS` attempts.
    """
    _check(height, width, mines, start)
    rng = Random(seed)
    ground = _Ground.of(height, width, mines, start)
    total = "known" if total_known else "unknown"
    for attempt in range(1, ATTEMPTS + 1):
        note = noting(on_note, f"attempt {attempt}, ")
        found = _opened(_place(ground, mines, rng), ground, total_known, rng, note)
        if found is None:
            continue
        field, played = found
        if accept is None or accept(field):
            return Generated(field, field.rows, seed, attempt, {"rounds": played.rounds, "total": total})
    raise NotFoundError(
        f"minesweeper: {height}x{width} cells, mines {mines}, their number {total}: no field that can be opened "
        f"without a guess found in {count_of(ATTEMPTS, 'attempt')}"
    )


def prove(generated: Generated, arguments: Mapping[str, Any]) -> str:
    """Play a new field, to prove that it needs no guess.

    Parameters
    ----------
    generated : Generated
    arguments : mapping
        Those of `generate`.

    Returns
    -------
    str
        What is proved, in words.

    Raises
    ------
    EngineError
        If a guess is needed.
    """
    field: MineField = generated.instance
    if field.start is None or play(field, [field.start], arguments["total_known"]).undetermined:
        raise EngineError(f"generate: seed {generated.seed}: the field cannot be opened without a guess")
    return "opened from the start without a guess"


def canonical(field: MineField) -> tuple[tuple[str, ...], ...]:
    """Give what a field, its start included, and its turned and mirrored images have in common with no other."""
    rows = [list(row) for row in field.rows]
    if field.start is not None:
        rows[field.start[0]][field.start[1]] = "s"
    return min(images(rows))


@dataclass(frozen=True)
class _Ground:
    """Where mines may be: all cells but the start and, if there is room, those round it."""

    height: int
    width: int
    start: Cell
    places: tuple[Cell, ...]
    spare: tuple[Cell, ...]

    @classmethod
    def of(cls, height: int, width: int, mines: int, start: Cell) -> "_Ground":
        cells = [(r, c) for r in range(height) for c in range(width) if (r, c) != start]
        near = neighbours8(start)
        places = tuple(cell for cell in cells if cell not in near)
        if mines <= len(places):
            return cls(height, width, start, places, ())
        return cls(height, width, start, places, tuple(cell for cell in cells if cell in near))

    def field(self, mines: Iterable[Cell]) -> MineField:
        """Draw mines."""
        rows = [[SAFE] * self.width for _ in range(self.height)]
        for r, c in mines:
            rows[r][c] = MINE
        return MineField(tuple("".join(row) for row in rows), self.start)


def _check(height: int, width: int, mines: int, start: Cell) -> None:
    check_size("minesweeper", height, width)
    if not (0 <= start[0] < height and 0 <= start[1] < width):
        raise InputError(
            f"minesweeper: start {show(start)}: "
            f"no cell of {count_of(height, 'row')} and {count_of(width, 'column')}"
        )
    if not 0 <= mines < height * width:
        raise InputError(
            f"minesweeper: {count_of(mines, 'mine')}: must be from 0 to {height * width - 1}, "
            "as the start holds none"
        )


def _place(ground: _Ground, mines: int, rng: Random) -> set[Cell]:
    """Choose cells for the mines, those round the start last."""
    return set([*shuffled(rng, ground.places), *shuffled(rng, ground.spare)][:mines])


def _opened(
    mines: set[Cell], ground: _Ground, total_known: bool, rng: Random, note: Callable[[str], None]
) -> tuple[MineField, Play] | None:
    """Move mines until play opens all; None if that leads nowhere."""
    played = play(ground.field(mines), [ground.start], total_known)
    since = 0
    while played.undetermined and since < PATIENCE:
        note(f"{count_of(played.undetermined, 'cell')} undetermined")
        since += 1
        moved = _moved(mines, played, ground, rng)
        if moved is None:
            continue
        again = play(ground.field(moved), [ground.start], total_known)
        since = 0 if again.undetermined < played.undetermined else since
        if again.undetermined <= played.undetermined:
            mines, played = moved, again
    return None if played.undetermined else (ground.field(mines), played)


def _moved(mines: set[Cell], played: Play, ground: _Ground, rng: Random) -> set[Cell] | None:
    """Move some mines where play got stuck; None if there is no mine to move, or no place for it."""
    allowed = set(ground.places).union(ground.spare)
    stuck = [cell for cell in _cells(played, UNDETERMINED) if cell in allowed]
    numbers = [
        cell for cell in _cells(played, CLUES) if any(_at(played, n) == UNDETERMINED for n in neighbours8(cell))
    ]
    if numbers and below(rng, 2):
        number = numbers[below(rng, len(numbers))]
        clued = [cell for cell in neighbours8(number) if _at(played, cell) == UNDETERMINED and cell in allowed]
    else:
        near = [
            n for cell in stuck for n in (cell, *neighbours8(cell)) if n in allowed and _at(played, n) not in CLUES
        ]
        clued = [near[below(rng, len(near))]] if near else []
    return _exchanged(mines, clued, stuck, played, ground, rng)


def _exchanged(
    mines: set[Cell], clued: Sequence[Cell], stuck: Sequence[Cell], played: Play, ground: _Ground, rng: Random
) -> set[Cell] | None:
    """Make some cells all mines or all safe, and as many others the opposite."""
    mined = [cell for cell in clued if cell in mines]
    clear = [cell for cell in clued if cell not in mines]
    fill = bool(clear) and (not mined or below(rng, 2) == 0)
    changed = clear if fill else mined
    # The others are best taken from where nothing is seen yet, then from what is stuck, then from anywhere.
    seen = [cell for cell in stuck if any(_at(played, n) in CLUES for n in neighbours8(cell))]
    unseen = [cell for cell in stuck if cell not in set(seen)]
    groups = [unseen, seen, ground.places] if below(rng, 4) else [ground.places]
    others = dict.fromkeys(cell for group in groups for cell in shuffled(rng, group))
    fitting = [cell for cell in others if (cell in mines) is fill and cell not in clued]
    if not changed or len(fitting) < len(changed):
        return None
    exchanged = fitting[: len(changed)]
    return mines.difference(exchanged).union(changed) if fill else mines.difference(changed).union(exchanged)


def _cells(played: Play, marks: str) -> list[Cell]:
    return [(r, c) for r, row in enumerate(played.picture) for c, mark in enumerate(row) if mark in marks]


def _at(played: Play, cell: Cell) -> str:
    """Give the mark of a cell; a blank beyond the board."""
    r, c = cell
    inside = 0 <= r < len(played.picture) and 0 <= c < len(played.picture[0])
    return played.picture[r][c] if inside else OUTSIDE


OUTSIDE = " "
