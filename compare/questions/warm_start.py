"""What the frontier engine can do for CP-SAT: a layout for a warm start, and a bound on a wider puzzle."""

from dataclasses import dataclass, replace

from twinproof.compare.questions.answer import Answer, Question, answer
from twinproof.models import PUZZLES
from twinproof.models.puzzle import Layout
from twinproof.optim import InputError, Limits, OnProgress, Stop


@dataclass(frozen=True)
class Prepared:
    """What CP-SAT is given beforehand.

    Parameters
    ----------
    warm_start : layout, optional
    bound : int, optional
        Proven.
    source : str
        Where it comes from, in words.
    """

    warm_start: Layout | None
    bound: int | None
    source: str


def frontier_warm_start(
    question: Question, limits: Limits | None = None, on_progress: OnProgress | None = None
) -> Prepared:
    """Let the frontier engine find a layout, within limits of its own.

    Its bound is not passed on, so that CP-SAT's proof is its own.

    Parameters
    ----------
    question : Question
        The question that CP-SAT is to answer.
    limits : Limits, optional
        Those of the frontier engine.
    on_progress : callable, optional
        Takes what the frontier engine reports.

    Returns
    -------
    Prepared
        A layout, if one was found.

    Raises
    ------
    InputError
        If the frontier engine does not answer the question.
    """
    given = _ask(question, limits, on_progress)
    value = given.outcome.value
    found = "found no layout" if value is None else f"found a layout of {value}"
    return Prepared(given.outcome.layout, None, f"the frontier engine {found}")


def frontier_bound(
    question: Question, limits: Limits | None = None, on_progress: OnProgress | None = None
) -> Prepared:
    """Let the frontier engine bound a wider puzzle.

    Parameters
    ----------
    question : Question
        The question that CP-SAT is to answer.
    limits : Limits, optional
        Those of the frontier engine.
    on_progress : callable, optional
        Takes what the frontier engine reports.

    Returns
    -------
    Prepared
        The bound, which holds for the question too.

    Raises
    ------
    InputError
        If nothing can be given up, so that the bound would be the answer itself, or the wider puzzle is too wide
        for the engine.
    """
    widen = PUZZLES.find(question.puzzle).wider
    wider, given_up = (question.instance, ()) if widen is None else widen(question.instance, question.objective)
    if not given_up:
        raise InputError(
            "--cut: there is nothing to give up, so the bound would be the answer; use --engine frontier"
        )
    given = _ask(replace(question, instance=wider), limits, on_progress)
    bound = given.outcome.bound
    return Prepared(None, bound, f"the frontier engine's bound {bound} without {' and '.join(given_up)}")


def _ask(question: Question, limits: Limits | None, on_progress: OnProgress | None) -> Answer:
    """Ask the frontier engine; Ctrl-C here means that CP-SAT is not wanted either."""
    given = answer(question, "frontier", limits, on_progress)
    if given.outcome.stopped is Stop.INTERRUPT:
        raise KeyboardInterrupt
    return given
