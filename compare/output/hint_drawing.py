"""A position drawn as its puzzle is, with the cells of a step marked."""

from twinproof.compare.questions.hint import Hinted, blank
from twinproof.models.deduction.hints import EMPTY, draw_known


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
        The board as the puzzle draws it. A drawing without room for the marks beside a cell is spread, so that
        every cell has three characters.
    """
    look, known = hinted.puzzle.look, hinted.after
    rows = draw_known(
        blank(hinted.puzzle, hinted.instance), {cell: True for cell, holds in known.items() if holds}
    )
    lines = [" ".join(row) for row in rows] if look.lines is None else look.lines(hinted.instance, rows)
    columns = [look.place((0, c))[1] for c in range(len(rows[0]))]
    if look.place((0, 1))[1] - look.place((0, 0))[1] < 4:
        lines = ["".join(f" {line[at : at + 1] or ' '} " for at in columns) for line in lines]
        columns = [3 * c + 1 for c in range(len(columns))]
    drawn = [list(line) for line in lines]
    for cell, holds in known.items():
        if not holds:
            drawn[look.place(cell)[0]][columns[cell[1]]] = EMPTY
    if mark_step and hinted.steps:
        step = hinted.steps[-1]
        for cells, (left, right) in ((step.seen, "()"), ((*step.marked, *step.empty), "[]")):
            for cell in cells:
                line, at = drawn[look.place(cell)[0]], columns[cell[1]]
                line[at - 1], line[at + 1] = left, right
    return ["".join(line).rstrip() for line in drawn]
