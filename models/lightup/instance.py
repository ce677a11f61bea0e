"""Light Up, also called Akari or Bijutsukan: a grid of floor cells and walls, some walls with a number.

Rules
-----
1. Bulbs stand on floor cells; a wall never holds one.
2. A bulb lights its own cell and, along its row and its column, every floor cell up to the next wall or the edge
   of the grid. Every floor cell is lit.
3. No bulb lights another.
4. A wall with a number has exactly that many bulbs on the cells that share an edge with it.

The objectives are `solution` (any), `fewest-bulbs`, `most-bulbs`, `farthest` (the most cells that differ from
a given layout) and `fewest-broken` (the fewest numbers that are not met, while rules 1 to 3 hold).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from twinproof.models.grid import MAX_TILES, Cell, neighbours4, show
from twinproof.models.text.grids import rectangle
from twinproof.models.violation import Violation
from twinproof.models.words import count_of
from twinproof.optim import InputError, Sense
from twinproof.optim.arguments import check_types

OBJECTIVES: dict[str, Sense | None] = {
    "solution": None,
    "fewest-bulbs": Sense.MINIMIZE,
    "most-bulbs": Sense.MAXIMIZE,
    "farthest": Sense.MAXIMIZE,
    "fewest-broken": Sense.MINIMIZE,
}

RELAXED = {"fewest-broken": frozenset({"clue"})}
"""The rules that a layout may break, by objective."""

BULB, FLOOR, WALL, CLUES = "*", ".", "#", "01234"
LEGEND = {
    BULB: "bulb",
    FLOOR: "floor",
    WALL: "wall",
    **{clue: f"wall with {count_of(int(clue), 'bulb')} beside it" for clue in CLUES},
}

NO_SYMMETRY = "none"
WALL_SYMMETRIES = (NO_SYMMETRY, "hsym", "vsym", "both", "half-turn", "quarter-turn")
"""The symmetries that walls may be asked to have."""

Run = tuple[Cell, ...]
"""Floor cells that follow one another in a row or column, from wall to wall: one bulb lights them all."""


@dataclass(frozen=True)
class LightUpPuzzle:
    """An instance of Light Up.

    Parameters
    ----------
    rows : tuple of str
        The grid: `.` floor, `#` wall, `0` to `4` a wall with a number.
    name : str
        How it is called in messages.
    apart_from : tuple of str, optional
        The layout from which the objective `farthest` counts: the grid with `*` where a bulb stands. It need not
        be a solution.

    Raises
    ------
    InputError
        If the grid is empty, too large, ragged or has another mark, or `apart_from` does not fit it.
    """

    rows: tuple[str, ...]
    name: str = field(default="light up", compare=False)
    apart_from: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        check_types(self)
        if not self.rows or not self.rows[0]:
            raise InputError(f"{self.name}: no cell in it")
        if self.height * self.width > MAX_TILES:
            raise InputError(f"{self.name}: {self.height}x{self.width} cells; at most {MAX_TILES} are allowed")
        known = {FLOOR, WALL, *CLUES}
        for r, row in enumerate(self.rows):
            if len(row) != self.width:
                raise InputError(
                    f"{self.name}: row {r + 1} has {count_of(len(row), 'cell')}, row 1 has {self.width}"
                )
            if set(row) <= known:
                continue
            c, mark = next((c, mark) for c, mark in enumerate(row) if mark not in known)
            if mark in "56789":
                raise InputError(f"{self.name}: {show((r, c))}: clue {mark}: a wall has at most 4 bulbs beside it")
            raise InputError(
                f"{self.name}: {show((r, c))}: {mark!r} is no floor ('{FLOOR}'), wall ('{WALL}') or clue (0 to 4)"
            )
        if self.apart_from is not None:
            name = f"{self.name}, the layout to differ from"
            _check_layout(self, self.apart_from, name)
            for r, c in (*self.walls, *self.clues):
                if self.apart_from[r][c] == BULB:
                    raise InputError(f"{name}: {show((r, c))}: a wall never holds a bulb")

    @property
    def height(self) -> int:
        """Number of rows."""
        return len(self.rows)

    @property
    def width(self) -> int:
        """Number of columns."""
        return len(self.rows[0])

    @cached_property
    def floor(self) -> tuple[Cell, ...]:
        """All floor cells, row by row."""
        return tuple((r, c) for r, row in enumerate(self.rows) for c, mark in enumerate(row) if mark == FLOOR)

    @cached_property
    def walls(self) -> tuple[Cell, ...]:
        """The walls without a number, row by row."""
        return tuple((r, c) for r, row in enumerate(self.rows) for c, mark in enumerate(row) if mark == WALL)

    @cached_property
    def clues(self) -> dict[Cell, int]:
        """The walls with a number, row by row."""
        return {
            (r, c): int(mark) for r, row in enumerate(self.rows) for c, mark in enumerate(row) if mark in CLUES
        }

    @cached_property
    def beside(self) -> dict[Cell, tuple[Cell, ...]]:
        """For every wall with a number the floor cells that share an edge with it."""
        floor = set(self.floor)
        return {clue: tuple(cell for cell in neighbours4(clue) if cell in floor) for clue in self.clues}

    @cached_property
    def row_runs(self) -> tuple[Run, ...]:
        """The runs along rows; every floor cell is in exactly one of them."""
        return tuple(
            tuple((r, c) for c in range(start, end))
            for r, row in enumerate(self.rows)
            for start, end in _spans(row)
        )

    @cached_property
    def column_runs(self) -> tuple[Run, ...]:
        """The runs along columns; every floor cell is in exactly one of them."""
        columns = zip(*self.rows, strict=True)
        return tuple(
            tuple((r, c) for r in range(start, end))
            for c, column in enumerate(columns)
            for start, end in _spans(column)
        )

    def sense(self, objective: str) -> Sense | None:
        """Give the sense of an objective.

        Raises
        ------
        InputError
            If there is no such objective, or it needs a layout to differ from and there is none.
        """
        if objective not in OBJECTIVES:
            raise InputError(f"objective {objective!r}: unknown; known are {', '.join(OBJECTIVES)}")
        if objective == "farthest" and self.apart_from is None:
            raise InputError(f"farthest: {self.name} has no layout to differ from")
        return OBJECTIVES[objective]

    def layout(self, bulbs: set[Cell]) -> tuple[str, ...]:
        """Draw bulbs into the grid: its rows, with `*` where a bulb stands."""
        return tuple(
            "".join(BULB if (r, c) in bulbs else mark for c, mark in enumerate(row))
            for r, row in enumerate(self.rows)
        )


def clue_rule(puzzle: LightUpPuzzle, wall: Cell) -> Violation:
    """Name the rule of a numbered wall, for those who list the rules of a puzzle.

    Parameters
    ----------
    puzzle : LightUpPuzzle
        The instance.
    wall : Cell
        A wall with a number.

    Returns
    -------
    Violation
        Its message says what is demanded.
    """
    return Violation("clue", (wall,), f"there must be {count_of(puzzle.clues[wall], 'bulb')} beside the wall")


def _spans(line: Sequence[str]) -> list[tuple[int, int]]:
    """Give start and end of every stretch of floor in a line."""
    spans = []
    start = 0
    for position, mark in enumerate([*line, WALL]):
        if mark != FLOOR:
            if position > start:
                spans.append((start, position))
            start = position + 1
    return spans


def read_layout(puzzle: LightUpPuzzle, text: str, name: str) -> tuple[str, ...]:
    """Read a layout, the grid with `*` where a bulb stands, into its rows.

    A bulb may be drawn on a wall too: that layout can be read, and breaks a rule.

    Parameters
    ----------
    puzzle : LightUpPuzzle
        The instance that it is a layout of.
    text : str
        The drawing, a line for each row.
    name : str
        What to call the text in messages.

    Returns
    -------
    tuple of str
        The rows.

    Raises
    ------
    InputError
        If it does not fit the grid or has an unknown mark.
    """
    layout = tuple(rectangle(text, name))
    _check_layout(puzzle, layout, name)
    return layout


def _check_layout(puzzle: LightUpPuzzle, layout: Sequence[str], name: str) -> None:
    """Refuse a layout that has another size than the grid, or differs from it in more than bulbs."""
    if len(layout) != puzzle.height:
        raise InputError(
            f"{name}: the layout has {count_of(len(layout), 'row')}, {puzzle.name} has {puzzle.height}"
        )
    for r, (row, expected) in enumerate(zip(layout, puzzle.rows, strict=True)):
        if len(row) != puzzle.width:
            raise InputError(
                f"{name}: row {r + 1} of the layout has {count_of(len(row), 'cell')}, "
                f"{puzzle.name} has {count_of(puzzle.width, 'column')}"
            )
        for c, mark in enumerate(row):
            if mark not in LEGEND:
                known = f"'{BULB}' bulb, '{FLOOR}' floor, '{WALL}' wall, 0 to 4 wall with a number"
                raise InputError(f"{name}: {show((r, c))}: {mark!r} is not in the legend ({known})")
            if mark not in (BULB, expected[c]):
                raise InputError(
                    f"{name}: {show((r, c))}: the layout has {mark!r}, {puzzle.name} has {expected[c]!r}"
                )
