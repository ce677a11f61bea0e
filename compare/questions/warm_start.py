"""What one engine can do for another: a layout for a warm start, and a bound."""

from dataclasses import dataclass, replace

from twinproof.compare.questions.answer import Answer, Question, answer
from twinproof.models import PUZZLES
from twinproof.models.puzzle import Layout
from twinproof.optim import InputError, Limits, OnProgress, Stop
from twinproof.optim.engine import BAND


@dataclass(frozen=True)
class Prepared:
    """What an engine is given beforehand.

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


def warm_start_from(
    question: Question, engine: str, limits: Limits | None = None, on_progress: OnProgress | None = None
) -> Prepared:
    """Let an engine find a layout, within limits of its own.

    Its bound is not passed on, so that a proof is the other engine's own.

    Parameters
    ----------
    question : Question
        The question that the other engine is to answer.
    engine : {"frontier", "band"}
    limits : Limits, optional
        Those of this engine.
    on_progress : callable, optional
        Takes what this engine reports.

    Returns
    -------
    Prepared
        A layout, if one was found.

    Raises
    ------
    InputError
        If the engine does not answer the question.
    """
    given = _ask(question, engine, limits, on_progress)
    value = given.outcome.value
    found = "found no layout" if value is None else f"found a layout of {value}"
    return Prepared(given.outcome.layout, None, f"the {engine} engine {found}")


def bound_from(
    question: Question, engine: str, limits: Limits | None = None, on_progress: OnProgress | None = None
) -> Prepared:
    """Let the frontier engine bound a wider puzzle, or the band engine the puzzle itself.

    Parameters
    ----------
    question : Question
        The question that other engines are to answer.
    engine : {"frontier", "band"}
    limits : Limits, optional
        Those of this engine.
    on_progress : callable, optional
        Takes what this engine reports.

    Returns
    -------
    Prepared
        The bound, which holds for the question too.

    Raises
    ------
    InputError
        If the engine does not answer the question, or it is the frontier engine and nothing can be given up, so
        that the bound would be the answer itself, or the wider puzzle is too wide for it.
    """
    if engine == BAND:
        bound = _ask(question, engine, limits, on_progress).outcome.bound
        return Prepared(None, bound, f"bands along the borders give the bound {bound}")
    widen = PUZZLES.find(question.puzzle).wider
    wider, given_up = (question.instance, ()) if widen is None else widen(question.instance, question.objective)
    if not given_up:
        raise InputError(
            "--cut: there is nothing to give up, so the bound would be the answer; use --engine frontier"
        )
    bound = _ask(replace(question, instance=wider), engine, limits, on_progress).outcome.bound
    return Prepared(None, bound, f"the frontier engine's bound {bound} without {' and '.join(given_up)}")


def _ask(question: Question, engine: str, limits: Limits | None, on_progress: OnProgress | None) -> Answer:
    """Ask an engine; Ctrl-C here means that the others are not wanted either."""
    given = answer(question, engine, limits, on_progress)
    if given.outcome.stopped is Stop.INTERRUPT:
        raise KeyboardInterrupt
    return given
