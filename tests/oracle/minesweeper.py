"""Minesweeper by trying every layout. Knows the rules of the game, and no module of the project."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import product

Cell = tuple[int, int]
Rows = tuple[str, ...]


def beside(cell: Cell) -> set[Cell]:
    r, c = cell
    return {(r + a, c + b) for a in (-1, 0, 1) for b in (-1, 0, 1)} - {cell}


def mines_of(rows: Sequence[str]) -> set[Cell]:
    return {(r, c) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark == "*"}


def every_layout(board: Rows) -> Iterator[Rows]:
    """All ways to fill the cells marked `.` and `F`."""
    places = [(r, c) for r, row in enumerate(board) for c, mark in enumerate(row) if mark in ".F"]
    for marks in product(".*", repeat=len(places)):
        drawn = [list(row) for row in board]
        for (r, c), mark in zip(places, marks, strict=True):
            drawn[r][c] = mark
        yield tuple("".join(row) for row in drawn)


def wrong_clues(board: Rows, layout: Rows) -> list[Cell]:
    mines = mines_of(layout)
    return [
        (r, c)
        for r, row in enumerate(board)
        for c, mark in enumerate(row)
        if mark.isdigit() and len(beside((r, c)) & mines) != int(mark)
    ]


def wrong_flags(board: Rows, layout: Rows) -> list[Cell]:
    return [
        (r, c) for r, row in enumerate(board) for c, mark in enumerate(row) if mark == "F" and layout[r][c] != "*"
    ]


def broken(board: Rows, mines: int | None, trust_flags: bool, layout: Rows) -> frozenset[object]:
    """The rules that a layout breaks: the cell of a clue or a flag, or "total"."""
    wrong = {*wrong_clues(board, layout), *(wrong_flags(board, layout) if trust_flags else ())}
    return frozenset(wrong) | ({"total"} if mines not in (None, len(mines_of(layout))) else frozenset())


def layouts(board: Rows, mines: int | None, trust_flags: bool) -> list[Rows]:
    """The layouts in which everything holds."""
    return [layout for layout in every_layout(board) if not broken(board, mines, trust_flags, layout)]


def play(field: Rows, starts: Iterable[Cell], total_known: bool) -> tuple[set[Cell], set[Cell]]:
    """The cells opened without a guess, and the mines proved, by looking at all layouts again and again."""
    mines = mines_of(field)
    cells = {(r, c) for r, row in enumerate(field) for c, mark in enumerate(row) if mark != "#"}
    opened = set(starts)
    while True:
        board = tuple(
            "".join(
                mark if mark == "#" else str(len(beside((r, c)) & mines)) if (r, c) in opened else "."
                for c, mark in enumerate(row)
            )
            for r, row in enumerate(field)
        )
        fits = [mines_of(layout) for layout in layouts(board, len(mines) if total_known else None, False)]
        safe = {cell for cell in cells if not any(cell in mined for mined in fits)}
        if safe == opened:
            return opened, {cell for cell in cells if all(cell in mined for mined in fits)}
        opened = safe
