"""The Star Battle puzzle, also called Alberi or Queens: a board cut into regions.

Rules
-----
1. Every row holds exactly k stars.
2. Every column holds exactly k stars.
3. Every region holds exactly k stars.
4. No two stars touch, not even by a corner.
5. A cell that is forced empty, a hole, holds no star.

A hole belongs to no region, and other cells may belong to none; a region may lie in several pieces.

The objectives are `solution`; `farthest`, a solution that differs in as many cells as possible from a given
solution (in none, if that one is unique); and `fewest-broken`, a layout that breaks as few as possible of
the rules 1 to 4, every row, column, region and pair of touching stars being a rule of its own.
"""

import string
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from twinproof.models.grid import Cell, show
from twinproof.models.text.grids import rectangle
from twinproof.models.violation import Violation
from twinproof.models.words import count_of
from twinproof.optim import InputError, Sense
from twinproof.optim.arguments import check_types

OBJECTIVES: dict[str, Sense | None] = {
    "solution": None,
    "farthest": Sense.MAXIMIZE,
    "fewest-broken": Sense.MINIMIZE,
}

RELAXED: dict[str, frozenset[str]] = {"fewest-broken": frozenset({"row", "column", "region", "touching"})}
"""The rules that a layout may break, by objective."""

STAR, EMPTY, HOLE = "*", ".", "#"
LEGEND = {STAR: "star", EMPTY: "empty", HOLE: "forced empty"}

MAX_SIDE = 100

LABELS = string.ascii_uppercase + string.ascii_lowercase + string.digits


@dataclass(frozen=True)
class StarBattlePuzzle:
    """An instance of the Star Battle puzzle.

    Parameters
    ----------
    stars : int
        How many there are in every row, column and region: k.
    regions : tuple of tuple of (int or None)
        For every row the region of each cell, numbered from 0 in the order in which they are first met, row by
        row (see `number_regions`); None for a cell without a region.
    holes : frozenset of Cell
        The cells that are forced empty; they have no region.
    apart_from : tuple of str, optional
        The solution from which `farthest` measures, as `read_layout` gives it.
    labels : tuple of str
        What the regions are called, in the order of their numbers; by default letters, or numbers from 1 if there
        are too many.
    name : str
        What the puzzle is called in messages.

    Raises
    ------
    InputError
        If the board is not rectangular or too large, or its numbers contradict each other: k below 1, more rows
        than columns or fewer, another number of regions than of rows (no region at all is allowed), or more stars
        than fit on a board of that size. A row, a column or a region with too few cells is no such case: that
        puzzle is well-formed and has no solution. Also if `apart_from` does not fit the board, or has not as many
        stars as every solution has.
    """

    stars: int
    regions: tuple[tuple[int | None, ...], ...]
    holes: frozenset[Cell] = frozenset()
    apart_from: tuple[str, ...] | None = None
    labels: tuple[str, ...] = field(default=(), compare=False)
    name: str = field(default="star battle", compare=False)

    def __post_init__(self) -> None:
        check_types(self)
        if self.stars < 1:
            raise InputError(
                f"{self.name}: stars {_brief(self.stars)}: at least 1 in every row, column and region"
            )
        self._check_board()
        self._check_regions()
        self._check_counts()
        if self.apart_from is not None:
            self._check_apart_from(self.apart_from)

    def _check_board(self) -> None:
        height, width = self.height, self.width
        if height == 0 or width == 0:
            raise InputError(f"{self.name}: the board has no cell")
        if height > MAX_SIDE or width > MAX_SIDE:
            raise InputError(
                f"{self.name}: {count_of(height, 'row')} and {count_of(width, 'column')}; "
                f"at most {MAX_SIDE} are allowed"
            )
        for r, row in enumerate(self.regions):
            if len(row) != width:
                raise InputError(f"{self.name}: row {r + 1} has {count_of(len(row), 'cell')}, row 1 has {width}")

    def _check_regions(self) -> None:
        for hole in sorted(self.holes):
            if not (0 <= hole[0] < self.height and 0 <= hole[1] < self.width):
                raise InputError(f"{self.name}: {show(hole)} is forced empty, and beyond the board")
            if self.regions[hole[0]][hole[1]] is not None:
                raise InputError(f"{self.name}: {show(hole)} is forced empty, and in a region")
        met = 0
        for r, row in enumerate(self.regions):
            for c, region in enumerate(row):
                if region is not None and not 0 <= region <= met:
                    raise InputError(f"{self.name}: {show((r, c))}: region {region}, the next new one is {met}")
                met += region == met
        for label in self.labels:
            if not (label.isascii() and label.isalnum()):
                raise InputError(f"{self.name}: label {label[:40]!r}: must be letters and digits")
        if self.labels and (len(self.labels) != met or len(set(self.labels)) != met):
            raise InputError(
                f"{self.name}: "
                f"{count_of(len(self.labels), 'label')} for {count_of(met, 'region')}; each needs its own"
            )

    def _check_counts(self) -> None:
        k, height, width, regions = self.stars, self.height, self.width, len(self.region_cells)
        if height != width:
            raise InputError(
                f"{self.name}: {count_of(height, 'row')} and {count_of(width, 'column')}; "
                "with as many stars in every row as in every "
                "column, a board must have as many rows as columns"
            )
        if regions not in (0, height):
            raise InputError(
                f"{self.name}: {count_of(regions, 'region')} and {count_of(height, 'row')}; "
                "with as many stars in every region as in every row, there must "
                "be as many regions as rows"
            )
        if k * height > (most := most_on_board(height, width)):
            raise InputError(
                f"{self.name}: stars {_brief(k)}: more than fit in the rows; on {height}x{width} cells at most "
                f"{count_of(most, 'star')} can be apart from each other, {most // height} a row"
            )

    def _check_apart_from(self, layout: tuple[str, ...]) -> None:
        name = f"{self.name}: the layout to be apart from"
        _check_layout(self, layout, name)
        if on_holes := [(r, c) for r, c in self.holes if layout[r][c] == STAR]:
            raise InputError(f"{name}: {show(min(on_holes))}: a star on a cell that is forced empty")
        count, expected = sum(row.count(STAR) for row in layout), self.stars * self.height
        if count != expected:
            raise InputError(f"{name}: {count_of(count, 'star')}; every solution has {expected}")

    @property
    def height(self) -> int:
        """The number of rows."""
        return len(self.regions)

    @property
    def width(self) -> int:
        """The number of columns, as many as there are rows."""
        return len(self.regions[0]) if self.regions else 0

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """The cells that may hold a star, row by row."""
        board = ((r, c) for r in range(self.height) for c in range(self.width))
        return tuple(cell for cell in board if cell not in self.holes)

    @cached_property
    def region_cells(self) -> tuple[tuple[Cell, ...], ...]:
        """For every region its cells, row by row."""
        found: dict[int, list[Cell]] = {}
        for r, row in enumerate(self.regions):
            for c, region in enumerate(row):
                if region is not None:
                    found.setdefault(region, []).append((r, c))
        return tuple(tuple(cells) for cells in found.values())

    @cached_property
    def region_labels(self) -> tuple[str, ...]:
        """What every region is called."""
        if self.labels:
            return self.labels
        count = len(self.region_cells)
        return tuple(LABELS[:count]) if count <= len(LABELS) else tuple(str(i + 1) for i in range(count))

    def rows(self, has_star: Sequence[Sequence[bool]]) -> tuple[str, ...]:
        """Draw a layout from what every cell of the board says: whether it has a star."""
        return tuple(
            "".join(
                STAR if star else HOLE if (r, c) in self.holes else EMPTY for c, star in enumerate(has_star[r])
            )
            for r in range(self.height)
        )


def _brief(number: int) -> str:
    """Write a number; one beyond all sense is not written out."""
    return str(number) if abs(number) < 10**9 else "beyond 9 digits"


def most_on_board(height: int, width: int) -> int:
    """Count the stars that fit on an empty board: each 2x2 block, also a cut one at the rim, holds one at most.

    Parameters
    ----------
    height, width : int
        In cells.

    Returns
    -------
    int
        The number of blocks.
    """
    return -(-height // 2) * -(-width // 2)


def number_regions(
    marks: Sequence[Sequence[str | None]],
) -> tuple[tuple[tuple[int | None, ...], ...], tuple[str, ...]]:
    """Give regions their numbers, in the order in which their marks are first met, row by row.

    Parameters
    ----------
    marks : sequence of sequence of (str or None)
        Cells of one mark are one region; None for a cell without a region.

    Returns
    -------
    regions : tuple of tuple of (int or None)
    labels : tuple of str
        The mark of each region.
    """
    numbers: dict[str, int] = {}
    regions = tuple(
        tuple(None if mark is None else numbers.setdefault(mark, len(numbers)) for mark in row) for row in marks
    )
    return regions, tuple(numbers)


# The rules that `fewest-broken` may break, in words and with their places: names only, for those who list broken
# rules and for those who list the rules of a formula.


def row_rule(puzzle: StarBattlePuzzle, row: int) -> Violation:
    """Name the rule of a row, counted from 0.

    Parameters
    ----------
    puzzle : StarBattlePuzzle
        The instance.
    row : int
        Its number.

    Returns
    -------
    Violation
        It is what a layout violates that has other than its number of stars there.
    """
    return Violation("row", (), f"row {row + 1} must hold exactly {count_of(puzzle.stars, 'star')}")


def column_rule(puzzle: StarBattlePuzzle, column: int) -> Violation:
    """Name the rule of a column, counted from 0.

    Parameters
    ----------
    puzzle : StarBattlePuzzle
        The instance.
    column : int
        Its number.

    Returns
    -------
    Violation
        It is what a layout violates that has other than its number of stars there.
    """
    return Violation("column", (), f"column {column + 1} must hold exactly {count_of(puzzle.stars, 'star')}")


def region_rule(puzzle: StarBattlePuzzle, region: int) -> Violation:
    """Name the rule of a region; it is found by its first cell.

    Parameters
    ----------
    puzzle : StarBattlePuzzle
        The instance.
    region : int
        Its number, counted from 0.

    Returns
    -------
    Violation
        It is what a layout violates that has other than its number of stars there.
    """
    message = f"region {puzzle.region_labels[region]} must hold exactly {count_of(puzzle.stars, 'star')}"
    return Violation("region", puzzle.region_cells[region][:1], message)


def touching_rule(first: Cell, second: Cell) -> Violation:
    """Name the rule of two touching cells.

    Parameters
    ----------
    first, second : Cell
        The two cells, in either order.

    Returns
    -------
    Violation
        It is what a layout violates that has a star on both.
    """
    return Violation("touching", tuple(sorted((first, second))), "two stars must not touch")


def read_layout(puzzle: StarBattlePuzzle, text: str, name: str) -> tuple[str, ...]:
    """Read a layout, drawn with `*` for a star and `.` for an empty cell, into its rows.

    A cell that is forced empty may be drawn as `#` or `.`, and is `#` in the rows; a star on it is left to the
    rules.

    Parameters
    ----------
    puzzle : StarBattlePuzzle
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
        If it does not fit the board or has an unknown mark.
    """
    layout = tuple(
        "".join(HOLE if mark == EMPTY and (r, c) in puzzle.holes else mark for c, mark in enumerate(row))
        for r, row in enumerate(rectangle(text, name))
    )
    _check_layout(puzzle, layout, name)
    return layout


def _check_layout(puzzle: StarBattlePuzzle, layout: Sequence[str], name: str) -> None:
    """Refuse a layout that does not fit the board."""
    if len(layout) != puzzle.height:
        raise InputError(f"{name}: {count_of(len(layout), 'row')}; the puzzle has {puzzle.height}")
    for r, row in enumerate(layout):
        if len(row) != puzzle.width:
            raise InputError(
                f"{name}: row {r + 1}: {count_of(len(row), 'cell')}; "
                f"the puzzle has {count_of(puzzle.width, 'column')}"
            )
        for c, mark in enumerate(row):
            if mark not in LEGEND:
                known = ", ".join(f"'{known}' {meaning}" for known, meaning in LEGEND.items())
                raise InputError(f"{name}: {show((r, c))}: {mark!r} is not in the legend ({known})")
            if mark == (EMPTY if (r, c) in puzzle.holes else HOLE):
                expected = "forced empty" if (r, c) in puzzle.holes else "not forced empty"
                raise InputError(f"{name}: {show((r, c))}: {mark!r}, and the cell is {expected}")
