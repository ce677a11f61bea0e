"""A position drawn as its puzzle is, with the cells of a step marked."""

from twinproof.compare.questions.hint import Hinted
from twinproof.models.drawn import draw_position


def draw_hint(hinted: Hinted, mark_step: bool = True) -> list[str]:
    """Draw the position after the steps; see `models.drawn.draw_position`.

    Parameters
    ----------
    hinted : Hinted
    mark_step : bool
        Whether the cells of the last step are marked.

    Returns
    -------
    list of str
        The lines.
    """
    step = hinted.steps[-1] if mark_step and hinted.steps else None
    return draw_position(hinted.puzzle, hinted.instance, hinted.after, step)
