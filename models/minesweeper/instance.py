"""Minesweeper: a board of revealed counts and hidden cells, and the full field of mines behind such a board.

Rules
-----
1. A number is the count of mines on the up to eight cells round it (rule `clue`).
2. A trusted flag stands on a mine (rule `flag`).
3. If the number of mines is known, the layout has exactly as many (rule `total`).

A board in play is a `MinesweeperPuzzle`; its layouts say where the mines are. What lies under it, every mine
known, is a `MineField`; see `models.minesweeper.play`.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from twinproof.models.grid import MAX_TILES, Cell, neighbours8, show
from twinproof.models.text.grids import rectangle
from twinproof.models.words import count_of
from twinproof.optim import InputError, Sense
from twinproof.optim.arguments import check_types

OBJECTIVES: dict[str, Sense | None] = {
    "solution": None,
    "fewest-mines": Sense.MINIMIZE,
    "most-mines": Sense.MAXIMIZE,
    "farthest": Sense.MAXIMIZE,
    "fewest-broken": Sense.MINIMIZE,
}

RELAXED = {"fewest-broken": frozenset({"clue", "flag", "total"})}
"""The rules that a layout may break, by objective."""

CLUES = "012345678"
HIDDEN, FLAG, OPEN, OUTSIDE = ".", "F", "?", "#"
BOARD_LEGEND = {
    HIDDEN: "hidden",
    FLAG: "flag",
    OPEN: "open, without a number",
    OUTSIDE: "no part of the board",
}

MINE, SAFE = "*", "."
LEGEND = {MINE: "mine", SAFE: "no mine"}


@dataclass(frozen=True)
class MinesweeperPuzzle:
    """A board in play.

    Parameters
    ----------
    board : tuple of str
        Its rows: a digit 0 to 8 is a clue, `.` a hidden cell, `F` a flag, `?` a cell that is open (so no mine)
        without a number, `#` a cell that is no part of the board.
    mines : int, optional
        How many mines there are in all, flags included; None if that is not known.
    trust_flags : bool
        Whether every flag stands on a mine. If not, a flagged cell is as good as any hidden one.
    apart_from : tuple of str, optional
        A layout; the objective `farthest` counts the cells that differ from it.
    name : str
        How the board is called in messages.

    Raises
    ------
    InputError
        If the rows are no such grid, the mines are more than the cells for them or fewer than trusted flags, or
        `apart_from` is no layout of the board.
    """

    board: tuple[str, ...]
    mines: int | None = None
    trust_flags: bool = True
    apart_from: tuple[str, ...] | None = None
    name: str = field(default="minesweeper", compare=False)

    def __post_init__(self) -> None:
        check_types(self)
        _check_grid(self.board, {**dict.fromkeys(CLUES, "clue"), **BOARD_LEGEND}, self.name)
        places = len(self.unknown)
        if self.mines is not None:
            if self.mines < 0:
                raise InputError(f"{self.name}: {self.mines} mines: must not be negative")
            if self.mines > places:
                raise InputError(
                    f"{self.name}: {count_of(self.mines, 'mine')}, "
                    f"and only {count_of(places, 'cell')} that can hold one"
                )
            if self.mines < len(self.trusted):
                raise InputError(
                    f"{self.name}: {count_of(self.mines, 'mine')}, "
                    f"and {count_of(len(self.trusted), 'flag')}, each trusted to be on a mine"
                )
        if self.apart_from is not None:
            _check_layout(self, self.apart_from, f"{self.name}: apart from")

    @property
    def height(self) -> int:
        """Number of rows."""
        return len(self.board)

    @property
    def width(self) -> int:
        """Number of columns."""
        return len(self.board[0])

    @cached_property
    def clues(self) -> dict[Cell, int]:
        """The numbers, row by row."""
        return {(r, c): int(m) for r, row in enumerate(self.board) for c, m in enumerate(row) if m in CLUES}

    @cached_property
    def unknown(self) -> tuple[Cell, ...]:
        """The cells that can hold a mine, row by row: the hidden ones, and those with a flag."""
        return tuple((r, c) for r, row in enumerate(self.board) for c, m in enumerate(row) if m in (HIDDEN, FLAG))

    @cached_property
    def flags(self) -> tuple[Cell, ...]:
        """The cells with a flag, row by row."""
        return tuple(cell for cell in self.unknown if self.board[cell[0]][cell[1]] == FLAG)

    @property
    def trusted(self) -> tuple[Cell, ...]:
        """The flags that stand on a mine for certain."""
        return self.flags if self.trust_flags else ()

    @cached_property
    def around(self) -> dict[Cell, tuple[Cell, ...]]:
        """For every clue the cells round it that can hold a mine."""
        places = set(self.unknown)
        return {clue: tuple(cell for cell in neighbours8(clue) if cell in places) for clue in self.clues}

    @cached_property
    def beyond(self) -> tuple[Cell, ...]:
        """The cells, flags that are trusted aside, that no clue tells of: all of them are alike."""
        clued = {cell for cells in self.around.values() for cell in cells}.union(self.trusted)
        return tuple(cell for cell in self.unknown if cell not in clued)

    def rows(self, mines: Collection[Cell]) -> tuple[str, ...]:
        """Draw the layout with the given mines: `*` a mine, `.` none, and what is open as on the board."""
        drawn = [list(row) for row in self.board]
        for r, c in self.unknown:
            drawn[r][c] = MINE if (r, c) in mines else SAFE
        return tuple("".join(row) for row in drawn)


@dataclass(frozen=True)
class MineField:
    """Where all mines are: what lies under a board.

    Parameters
    ----------
    rows : tuple of str
        `*` a mine, `.` none, `#` a cell that is no part of the board.
    start : Cell, optional
        The cell to open first, if the source names one; it holds no mine.
    name : str
        How the field is called in messages.

    Raises
    ------
    InputError
        If the rows are no such grid, or the start is no cell without a mine.
    """

    rows: tuple[str, ...]
    start: Cell | None = None
    name: str = field(default="minefield", compare=False)

    def __post_init__(self) -> None:
        check_types(self)
        _check_grid(self.rows, {**LEGEND, OUTSIDE: BOARD_LEGEND[OUTSIDE]}, self.name)
        if self.start is not None:
            self.check_safe(self.start)

    @property
    def height(self) -> int:
        """Number of rows."""
        return len(self.rows)

    @property
    def width(self) -> int:
        """Number of columns."""
        return len(self.rows[0])

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """The cells of the board, row by row."""
        return tuple((r, c) for r, row in enumerate(self.rows) for c, m in enumerate(row) if m != OUTSIDE)

    @cached_property
    def mines(self) -> frozenset[Cell]:
        """The cells that hold a mine."""
        return frozenset((r, c) for r, c in self.cells if self.rows[r][c] == MINE)

    def check_safe(self, cell: Cell) -> None:
        """Refuse a cell that cannot be opened.

        Raises
        ------
        InputError
            If it holds a mine, or is no cell of the board.
        """
        r, c = cell
        if not (0 <= r < self.height and 0 <= c < self.width) or self.rows[r][c] == OUTSIDE:
            raise InputError(f"{self.name}: start {show(cell)}: no cell of the board")
        if cell in self.mines:
            raise InputError(f"{self.name}: start {show(cell)}: there is a mine")


def read_layout(puzzle: MinesweeperPuzzle, text: str, name: str) -> tuple[str, ...]:
    """Read a layout, drawn with `*` for a mine and `.` for none, and all else as on the board.

    A flag that is trusted may stay on the board: it is a mine. Of one that may be wrong the layout must tell.

    Parameters
    ----------
    puzzle : MinesweeperPuzzle
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
    trusted = set(puzzle.trusted)
    rows = tuple(
        "".join(MINE if mark == FLAG and (r, c) in trusted else mark for c, mark in enumerate(row))
        for r, row in enumerate(rectangle(text, name))
    )
    _check_layout(puzzle, rows, name)
    return rows


def _check_grid(rows: Sequence[str], legend: dict[str, str], name: str) -> None:
    if not rows or not rows[0]:
        raise InputError(f"{name}: the grid is empty")
    if len(rows) * len(rows[0]) > MAX_TILES:
        raise InputError(f"{name}: {len(rows)}x{len(rows[0])} cells; at most {MAX_TILES} are allowed")
    for r, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise InputError(
                f"{name}: row {r + 1}: {count_of(len(row), 'cell')}, the first row has {len(rows[0])}"
            )
        for c, mark in enumerate(row):
            if mark == "9":
                raise InputError(f"{name}: {show((r, c))}: a clue is at most 8, this is 9")
            if mark not in legend:
                known = ", ".join(f"'{m}' {meaning}" for m, meaning in legend.items() if meaning != "clue")
                digits = "0 to 8 a clue, " if "0" in legend else ""
                raise InputError(f"{name}: {show((r, c))}: {mark!r} is not in the legend ({digits}{known})")
    if all(mark == OUTSIDE for row in rows for mark in row):
        raise InputError(f"{name}: no cell of the grid is part of the board")


def _check_layout(puzzle: MinesweeperPuzzle, rows: Sequence[str], name: str) -> None:
    if len(rows) != puzzle.height:
        raise InputError(f"{name}: the layout has {count_of(len(rows), 'row')}, the board {puzzle.height}")
    places = set(puzzle.unknown)
    for r, row in enumerate(rows):
        if len(row) != puzzle.width:
            raise InputError(
                f"{name}: row {r + 1}: the layout has {count_of(len(row), 'column')}, the board {puzzle.width}"
            )
        for c, mark in enumerate(row):
            if (r, c) in places:
                if mark not in LEGEND:
                    raise InputError(f"{name}: {show((r, c))}: {mark!r} is neither '*' (mine) nor '.' (no mine)")
            elif mark != puzzle.board[r][c]:
                raise InputError(f"{name}: {show((r, c))}: {mark!r}, where the board has {puzzle.board[r][c]!r}")
