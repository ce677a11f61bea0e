"""Tents and Trees: a tent beside every tree, and no two tents that touch.

Rules
-----
1. Tents stand on open cells, never on a tree.
2. No two tents touch, not even at a corner.
3. Trees and tents belong together in pairs: every tree has one tent, every tent has one tree, and the two share
   an edge.
4. A row or column with a number has exactly that many tents.

The objectives are `solution` (any), `farthest` (the most open cells that differ from a given layout) and
`fewest-broken` (the fewest numbers that are not met and trees that are left without a tent, while all else holds).
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from twinproof.models.grid import MAX_TILES, Cell, neighbours4, show
from twinproof.models.text.grids import rectangle
from twinproof.models.violation import Violation
from twinproof.models.words import count_of
from twinproof.optim import InputError

__all__ = ["OPEN", "TENT", "TREE", "TentsPuzzle", "read_layout"]

TENT, TREE, OPEN = "*", "T", "."


@dataclass(frozen=True)
class TentsPuzzle:
    """An instance of Tents and Trees.

    Parameters
    ----------
    grid : tuple of str
        The rows: `T` a tree, `.` an open cell.
    row_numbers, column_numbers : tuple of int or None
        How many tents each row and each column has; None where no number is given.
    name : str
        How it is called in messages.
    apart_from : tuple of str, optional
        The layout from which the objective `farthest` counts: the grid with `*` where a tent stands. It need not
        be a solution.

    Raises
    ------
    InputError
        If the grid is empty, too large, ragged or has another mark, there are too many numbers or too few, one is
        greater than its line is long, or `apart_from` does not fit the grid.
    """

    grid: tuple[str, ...]
    row_numbers: tuple[int | None, ...]
    column_numbers: tuple[int | None, ...]
    name: str = field(default="tents", compare=False)
    apart_from: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        if not self.grid or not self.grid[0]:
            raise InputError(f"{self.name}: no cell in it")
        if self.height * self.width > MAX_TILES:
            raise InputError(f"{self.name}: {self.height}x{self.width} cells; at most {MAX_TILES} are allowed")
        for r, row in enumerate(self.grid):
            if len(row) != self.width:
                raise InputError(
                    f"{self.name}: row {r + 1} has {count_of(len(row), 'cell')}, row 1 has {self.width}"
                )
            for c, mark in enumerate(row):
                if mark not in (TREE, OPEN):
                    raise InputError(f"{self.name}: {show((r, c))}: {mark!r} is no tree ('T') or open cell ('.')")
        self._check_numbers("row", self.row_numbers, self.height, self.width)
        self._check_numbers("column", self.column_numbers, self.width, self.height)
        if self.apart_from is not None:
            _check_layout(self, self.apart_from, f"{self.name}, the layout to differ from")

    def _check_numbers(self, line: str, numbers: Sequence[int | None], lines: int, length: int) -> None:
        if len(numbers) != lines:
            raise InputError(
                f"{self.name}: {count_of(len(numbers), 'number')} of {line}s, the grid has {count_of(lines, line)}"
            )
        for i, number in enumerate(numbers, start=1):
            if number is not None and not 0 <= number <= length:
                raise InputError(
                    f"{self.name}: {line} {i}: {count_of(number, 'tent')} in {count_of(length, 'cell')}"
                )

    @property
    def height(self) -> int:
        """Number of rows."""
        return len(self.grid)

    @property
    def width(self) -> int:
        """Number of columns."""
        return len(self.grid[0])

    @cached_property
    def open_cells(self) -> tuple[Cell, ...]:
        """The cells without a tree, row by row."""
        return self._cells(OPEN)

    @cached_property
    def trees(self) -> tuple[Cell, ...]:
        """The cells with a tree, row by row."""
        return self._cells(TREE)

    def _cells(self, wanted: str) -> tuple[Cell, ...]:
        return tuple((r, c) for r, row in enumerate(self.grid) for c, mark in enumerate(row) if mark == wanted)

    @cached_property
    def cells_beside(self) -> dict[Cell, tuple[Cell, ...]]:
        """For every tree the open cells that share an edge with it."""
        return _beside(self.trees, self.open_cells)

    @cached_property
    def trees_beside(self) -> dict[Cell, tuple[Cell, ...]]:
        """For every open cell the trees that share an edge with it."""
        return _beside(self.open_cells, self.trees)

    @cached_property
    def numbered_lines(self) -> dict[Violation, tuple[int, tuple[Cell, ...]]]:
        """For every row and column with a number its rule in words: the number, and the open cells of the line."""
        found = {}
        for rule, axis, numbers in (("row", 0, self.row_numbers), ("column", 1, self.column_numbers)):
            for i, number in enumerate(numbers):
                if number is not None:
                    words = Violation(rule, (), f"{rule} {i + 1} must have {count_of(number, 'tent')}")
                    found[words] = number, tuple(cell for cell in self.open_cells if cell[axis] == i)
        return found

    def layout(self, tents: Collection[Cell]) -> tuple[str, ...]:
        """Draw tents into the grid: its rows, with `*` where a tent stands."""
        return tuple(
            "".join(TENT if (r, c) in tents else mark for c, mark in enumerate(row))
            for r, row in enumerate(self.grid)
        )


def _beside(cells: Sequence[Cell], others: Sequence[Cell]) -> dict[Cell, tuple[Cell, ...]]:
    wanted = set(others)
    return {cell: tuple(other for other in neighbours4(cell) if other in wanted) for cell in cells}


def read_layout(instance: TentsPuzzle, text: str, name: str) -> tuple[str, ...]:
    """Read a layout, the grid with `*` where a tent stands, into its rows.

    A tent may be drawn on a tree too: that layout can be read, and breaks a rule.

    Parameters
    ----------
    instance : TentsPuzzle
    text : str
    name : str
        What the text is called in messages.

    Raises
    ------
    InputError
        If it does not fit the grid.
    """
    layout = tuple(rectangle(text, name))
    _check_layout(instance, layout, name)
    return layout


def _check_layout(instance: TentsPuzzle, layout: Sequence[str], name: str) -> None:
    """Refuse a layout that has another size than the grid, or differs from it in more than tents."""
    if [len(row) for row in layout] != [instance.width] * instance.height:
        raise InputError(
            f"{name}: "
            f"the layout must have {count_of(instance.height, 'row')} of {count_of(instance.width, 'cell')}"
        )
    for r, (row, expected) in enumerate(zip(layout, instance.grid, strict=True)):
        for c, mark in enumerate(row):
            if mark not in (TENT, expected[c]):
                raise InputError(f"{name}: {show((r, c))}: {mark!r} is no tent ('*') and not {expected[c]!r}")
