"""Boards as text, one mark a cell, and fields of mines on paper."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from twinproof.models.generation.generated import Generated, titled
from twinproof.models.grid import Cell, neighbours8
from twinproof.models.minesweeper.instance import FLAG, MINE, OUTSIDE, MineField, MinesweeperPuzzle
from twinproof.models.sheet import Sheet

if TYPE_CHECKING:  # drawing loads no solver
    from twinproof.models.minesweeper.deduce import Deduction

PROVED_SAFE = "s"
DEDUCTION_LEGEND = {MINE: "mine", PROVED_SAFE: "safe", ".": "undetermined", FLAG: "flag, trusted or undetermined"}


def draw(puzzle: MinesweeperPuzzle, layout: Sequence[str] | None = None) -> list[str]:
    """Draw a layout over a board, or the board alone.

    Parameters
    ----------
    puzzle : MinesweeperPuzzle
    layout : sequence of str, optional
        Its rows.

    Returns
    -------
    list of str
        Numbers, `*` a mine, `.` none (hidden, if there is no layout), `?` open without a number; cells that are
        no part of the board are blank.
    """
    return [_spaced(row) for row in (puzzle.board if layout is None else layout)]


def draw_deduction(puzzle: MinesweeperPuzzle, deduction: "Deduction") -> list[str]:
    """Draw what a board proves: `*` a mine, `s` safe; what is open stays as it is, `.` or `F`.

    Parameters
    ----------
    puzzle : MinesweeperPuzzle
        The board in play.
    deduction : Deduction
        The cells that are proved to be mines or safe.

    Returns
    -------
    list of str
        The rows, with a blank between two cells.
    """
    drawn = [list(row) for row in puzzle.board]
    for r, c in deduction.mines:
        drawn[r][c] = MINE
    for r, c in deduction.safe:
        drawn[r][c] = PROVED_SAFE
    return [_spaced("".join(row)) for row in drawn]


def _spaced(row: str) -> str:
    return " ".join(row.replace(OUTSIDE, " ")).rstrip()


def sheet(field: MineField, layout: Sequence[str], solved: bool) -> Sheet:
    """Draw a field of mines on paper.

    Parameters
    ----------
    field : MineField
    layout : sequence of str
        The field's rows, which say no more than the field.
    solved : bool
        Whether to draw every mine and number; else what the start opens, on grey ground.
    """
    opened = sorted(_first_opened(field))
    numbers = {cell: _number(field, cell) for cell in (field.cells if solved else opened)}
    texts = {
        cell: str(number)
        for cell, number in numbers.items()
        if cell not in field.mines and (number or cell == field.start)
    }
    mines = sorted(field.mines) if solved else ()
    start = () if field.start is None else (field.start,)
    return Sheet(field.height, field.width, shaded=() if solved else opened, texts=texts, dots=mines, rings=start)


def title(generated: Generated) -> str:
    """Say what a new field is; how many mines it has, if the player is told."""
    known = generated.facts["total"] == "known"
    return titled("Minesweeper", generated.instance, len(generated.instance.mines) if known else None, "mine")


def _first_opened(field: MineField) -> set[Cell]:
    """Give what the start opens: round a 0 all is opened."""
    cells, opened = set(field.cells), set[Cell]()
    todo = [] if field.start is None else [field.start]
    while todo:
        cell = todo.pop()
        if cell not in opened:
            opened.add(cell)
            todo += [near for near in neighbours8(cell) if near in cells and not _number(field, cell)]
    return opened


def _number(field: MineField, cell: Cell) -> int:
    return sum(near in field.mines for near in neighbours8(cell))
