"""A position drawn as its puzzle is, with the cells of a step marked."""

from collections.abc import Sequence

from twinproof.compare.catalogue import entry
from twinproof.compare.questions.hint import Hinted, blank
from twinproof.models.deduction.hints import EMPTY, draw_known
from twinproof.models.grid import Cell

__all__ = ["draw_hint"]


def draw_hint(hinted: Hinted, mark_step: bool = True) -> list[str]:
    """Draw the position after the steps: `*` what holds a star, bulb or mine, `x` what is known to have none.

    Parameters
    ----------
    hinted : Hinted
    mark_step : bool
        Whether the cells of the last step are marked: `[ ]` what it finds, `( )` on what it rests.

    Returns
    -------
    list of str
        The board as the puzzle draws it, with three characters for every cell.
    """
    name, puzzle, known = hinted.name, hinted.puzzle, hinted.after
    marked = {cell: True for cell, holds in known.items() if holds}
    draw = entry(name).look.lines
    assert draw is not None
    lines = draw(puzzle, draw_known(blank(name, puzzle), marked))
    drawn = [list(line) for line in (lines if name == "starbattle" else _widened(lines, puzzle.width))]
    for cell, holds in known.items():
        if not holds:
            row, column = _place(name, cell)
            drawn[row][column] = EMPTY
    if mark_step and hinted.steps:
        step = hinted.steps[-1]
        for cells, (left, right) in ((step.seen, "()"), ((*step.marked, *step.empty), "[]")):
            for cell in cells:
                row, column = _place(name, cell)
                drawn[row][column - 1], drawn[row][column + 1] = left, right
    return ["".join(line).rstrip() for line in drawn]


def _place(name: str, cell: Cell) -> Cell:
    """Give where a cell's mark is drawn: line and position."""
    r, c = cell
    return (2 * r + 1, 4 * c + 2) if name == "starbattle" else (r, 3 * c + 1)


def _widened(lines: Sequence[str], width: int) -> list[str]:
    """Give every cell three characters, of lines that give it one and a blank."""
    return ["".join(f" {mark} " for mark in line.ljust(2 * width)[: 2 * width : 2]) for line in lines]
