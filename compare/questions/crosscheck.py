"""The same question put to several engines, and their answers compared."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from twinproof.compare.questions.answer import Answer, Question, answer
from twinproof.models.puzzle import Layout
from twinproof.optim import Limits, OnProgress, Outcome, Status, Stop
from twinproof.optim.engine import find
from twinproof.optim.request import EngineOptions

TWINS = ("cpsat", "maxsat")
"""The two engines of which every puzzle has a model."""


@dataclass(frozen=True)
class Crosscheck:
    """The answers of several engines to one question.

    Parameters
    ----------
    engines : tuple of str
        All that were to be asked.
    answers : mapping
        By engine, in the order in which they ran.
    agree : bool or None
        See `agree`.
    """

    engines: tuple[str, ...]
    answers: Mapping[str, Answer]
    agree: bool | None


def crosscheck(
    question: Question,
    engines: Sequence[str] = TWINS,
    limits: Limits | None = None,
    on_progress: Callable[[str], OnProgress] | None = None,
    options: EngineOptions | None = None,
    isolated: bool = True,
) -> Crosscheck:
    """Put a question to engines, one after the other, and compare what they say.

    Parameters
    ----------
    question : Question
    engines : sequence of str
    limits : Limits, optional
        What each engine may spend.
    on_progress : callable, optional
        Gives, for an engine's name, the function to call at each of its improvements.
    options : EngineOptions, optional
        Each engine is given those that it supports.
    isolated
        See `answer`.

    Returns
    -------
    Crosscheck
        After Ctrl-C it lacks the engines that had not started.

    Raises
    ------
    KeyboardInterrupt
        If Ctrl-C came before there was any answer.
    """
    answers: dict[str, Answer] = {}
    rows = [find(engine) for engine in engines]
    engines = tuple(row.name for row in rows)
    try:
        for row in rows:
            follow = None if on_progress is None else on_progress(row.name)
            supported = None if options is None else options.only(row.supports)
            answers[row.name] = answer(question, row.name, limits, follow, supported, isolated)
            if answers[row.name].outcome.stopped is Stop.INTERRUPT:
                break
    except KeyboardInterrupt:
        if not answers:
            raise
    compared = agree([given.outcome for given in answers.values()])
    # Where another objective had to be reached first, the engines must have found the same.
    if len({given.question for given in answers.values() if given.question != question}) > 1:
        compared = False
    elif len(answers) < len(engines) and compared is True:
        compared = None
    return Crosscheck(engines, answers, compared)


def agree(outcomes: Sequence[Outcome[Layout]]) -> bool | None:
    """Compare outcomes of one question.

    Returns
    -------
    bool or None
        False if two of them cannot both be right: different settled answers, a value better than another's
        bound, or a layout where another says that there is none. Otherwise True if all are settled, and None
        if one is not.
    """
    for first in outcomes:
        for second in outcomes:
            if _contradicts(first, second):
                return False
    return True if all(outcome.settled for outcome in outcomes) else None


def _contradicts(first: Outcome[Layout], second: Outcome[Layout]) -> bool:
    if first.status is Status.INFEASIBLE:
        return second.layout is not None
    if first.sense is None or second.sense is None:
        return False
    if first.value is None or second.bound is None:
        return False
    return first.sense.better(first.value, second.bound)
