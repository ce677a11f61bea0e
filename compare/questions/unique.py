"""Is a puzzle's solution the only one? Asked by looking for the solution that is farthest from it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from twinproof.compare.output.records import best_answer, engines_word, record
from twinproof.compare.questions.answer import Answer, Question
from twinproof.compare.questions.crosscheck import TWINS, Crosscheck, crosscheck
from twinproof.models import PUZZLES
from twinproof.optim import InputError, Limits, OnProgress, Status, Stop


@dataclass(frozen=True)
class Uniqueness:
    """What is known about the solutions of a puzzle.

    Parameters
    ----------
    puzzle : str
        The puzzle's name.
    instance : Any
        Its instance.
    found : Crosscheck
        The answers to the question for a solution.
    farthest : Crosscheck or None
        The answers to the question for the solution farthest from it; None where there was none at all.
    """

    puzzle: str
    instance: Any
    found: Crosscheck
    farthest: Crosscheck | None

    @property
    def first(self) -> Answer:
        """The solution, or that there is none."""
        return best_answer(list(self.found.answers.values()))

    @property
    def other(self) -> Answer | None:
        """The farthest other solution."""
        return None if self.farthest is None else best_answer(list(self.farthest.answers.values()))

    @property
    def agree(self) -> bool | None:
        """Whether the engines agree, in both questions."""
        parts = [check.agree for check in (self.found, self.farthest) if check is not None]
        return False if False in parts else None if None in parts else True

    @property
    def unique(self) -> bool | None:
        """Whether there is one solution and no other; None if that is not settled, or the engines disagree."""
        if self.agree is False:
            return None
        if self.first.outcome.status is Status.INFEASIBLE:
            return False
        if self.other is None:
            return None
        outcome = self.other.outcome
        if outcome.value:
            return False
        return True if self.agree and outcome.status is Status.OPTIMAL else None


def uniqueness(
    puzzle: str,
    instance: Any,
    engines: Sequence[str] = TWINS,
    limits: Limits | None = None,
    on_progress: Callable[[str], OnProgress] | None = None,
    isolated: bool = True,
) -> Uniqueness:
    """Solve a puzzle and look for the farthest other solution, each with every engine.

    Parameters
    ----------
    puzzle : str
        The puzzle's name.
    instance : Any
        Its instance.
    engines, limits, on_progress, isolated
        See `compare.questions.crosscheck.crosscheck`.

    Raises
    ------
    InputError
        If it is a puzzle whose layouts are not solutions, but better or worse.
    """
    if not PUZZLES.find(puzzle).has_objective("farthest"):
        raise InputError(f"unique: {puzzle} has no objective farthest")
    arguments = (engines, limits, on_progress)
    found = crosscheck(Question(puzzle, instance, "solution"), *arguments, isolated=isolated)
    answers = list(found.answers.values())
    first = best_answer(answers).outcome
    interrupted = any(given.outcome.stopped is Stop.INTERRUPT for given in answers)
    if first.layout is None or found.agree is False or interrupted:
        return Uniqueness(puzzle, instance, found, None)
    asked = Question(puzzle, PUZZLES.find(puzzle).apart_from(instance, first.layout), "farthest")
    try:
        farthest = crosscheck(asked, *arguments, isolated=isolated)
    except KeyboardInterrupt:
        return Uniqueness(puzzle, instance, found, None)
    return Uniqueness(puzzle, instance, found, farthest)


def record_uniqueness(known: Uniqueness) -> dict[str, Any]:
    """Put it into one JSON object; `distance` is how many cells of the two layouts differ."""
    first, other = known.first.outcome, known.other
    value = None if other is None else other.outcome.value
    checks = [check for check in (known.found, known.farthest) if check is not None]
    answers = [given for check in checks for given in check.answers.values()]
    return {
        "puzzle": known.puzzle,
        "instance": known.instance.name,
        "options": PUZZLES.find(known.puzzle).describe(known.instance),
        "engine": engines_word(known.found.engines),
        "solvable": None if not first.settled else first.layout is not None,
        "unique": known.unique,
        "agree": known.agree,
        "layout": None if first.layout is None else list(first.layout),
        "distance": value,
        "bound": None if other is None else other.outcome.bound,
        "other": list(other.outcome.layout) if other is not None and value and other.outcome.layout else None,
        "seconds": round(sum(given.outcome.seconds for given in answers), 3),
        "solution": record(known.found),
        "farthest": None if known.farthest is None else record(known.farthest),
    }
