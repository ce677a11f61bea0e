"""Why a puzzle has no solution: the fewest rules to drop, and rules that cannot hold together."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from twinproof.compare.output.records import best_answer, engines_word, record, record_violations
from twinproof.compare.questions.answer import Answer, Question
from twinproof.compare.questions.crosscheck import TWINS, Crosscheck, crosscheck
from twinproof.models import PUZZLES
from twinproof.models.violation import RulesMus, Unkeepable
from twinproof.optim import InputError, Limits, OnProgress, Status, Stop
from twinproof.optim.process.call import call

MUS_SECONDS = 10.0
"""The seconds for which a smallest MUS is looked for, where no limit says otherwise."""


@dataclass(frozen=True)
class Explained:
    """What is known about a puzzle without a solution.

    Parameters
    ----------
    question : Question
        For the fewest broken rules.
    fewest : Crosscheck
    mus : RulesMus or None
        None if there is none, or it was not found in time.
    at_sight : tuple of Unkeepable
        Rules that no solution can keep.
    stopped : Stop or None
        What ended the search for a MUS.
    """

    question: Question
    fewest: Crosscheck
    mus: RulesMus | None
    at_sight: tuple[Unkeepable, ...]
    stopped: Stop | None

    @property
    def best(self) -> Answer:
        """The layout that breaks the fewest rules."""
        return best_answer(list(self.fewest.answers.values()))

    @property
    def solvable(self) -> bool | None:
        """Whether there is a solution; None if that is not settled, or the engines disagree."""
        outcome = self.best.outcome
        if self.fewest.agree is False:
            return None
        if outcome.value == 0:
            return True
        if outcome.status is Status.INFEASIBLE or self.mus is not None or self.at_sight:
            return False
        return False if any(given.outcome.bound for given in self.fewest.answers.values()) else None


def explained(
    puzzle: str,
    instance: Any,
    engines: Sequence[str] = TWINS,
    limits: Limits | None = None,
    on_progress: Callable[[str], OnProgress] | None = None,
    isolated: bool = True,
) -> Explained:
    """Ask for the fewest broken rules, and for rules that cannot hold together if some must be broken.

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
        If the puzzle has no rules that could be dropped.
    """
    limits = limits or Limits()
    if not PUZZLES.find(puzzle).has_objective("fewest-broken"):
        raise InputError(f"explain: {puzzle} has no rules that could be dropped")
    question = Question(puzzle, instance, "fewest-broken")
    fewest = crosscheck(question, engines, limits, on_progress, isolated=isolated)
    answers = list(fewest.answers.values())
    at_sight = tuple(PUZZLES.find(puzzle).at_sight(instance))
    interrupted = any(given.outcome.stopped is Stop.INTERRUPT for given in answers)
    if best_answer(answers).outcome.value == 0 or fewest.agree is False or interrupted:
        return Explained(question, fewest, None, at_sight, None)
    seconds = MUS_SECONDS if limits.time is None else limits.time / 2
    mus: RulesMus | None = None
    stopped: Stop | None = None
    # What is seen at once is at hand where the whole is too hard.
    for seen in (*at_sight[:1], None):
        called = call(find_mus, puzzle, instance, seconds, seen, limits=limits, isolated=isolated)
        stopped = called.stopped
        mus = (called.results[0] if called.results else None) or mus
        if stopped is Stop.INTERRUPT or (mus is not None and mus.is_smus):
            break
    return Explained(question, fewest, mus, at_sight, stopped)


def find_mus(
    puzzle: str, instance: Any, time_limit: float | None = None, seen: Unkeepable | None = None
) -> RulesMus | None:
    """Find rules of a puzzle that cannot hold together; None if it has a solution.

    Parameters
    ----------
    puzzle : str
        The puzzle's name.
    instance : Any
        Its instance.
    time_limit : float, optional
        Seconds after which rules that may not be the fewest are good enough.
    seen : Unkeepable, optional
        If given, only this rule and those in its way are considered.
    """
    from twinproof.optim.sat.mus import mus_of_rules  # noqa: PLC0415 - loads a SAT solver

    model, rules = PUZZLES.find(puzzle).part("maxsat", "build_rules").build_rules(instance)
    considered = [i for i, rule in enumerate(rules) if seen is None or seen.names(rule)]
    core = mus_of_rules(model, considered, time_limit)
    if core is None:
        return None
    places, is_smus = core
    return RulesMus(tuple(rules[i] for i in places), is_smus and (seen is None or len(places) == 1))


def record_explained(known: Explained) -> dict[str, Any]:
    """Put it into one JSON object."""
    puzzle, instance, outcome = PUZZLES.find(known.question.puzzle), known.question.instance, known.best.outcome
    broken = [] if outcome.layout is None else puzzle.rules.violations(instance, outcome.layout)
    return {
        "puzzle": puzzle.name,
        "instance": instance.name,
        "options": puzzle.describe(instance),
        "engine": engines_word(known.fewest.engines),
        "solvable": known.solvable,
        "agree": known.fewest.agree,
        "may_be_dropped": sorted(known.question.asked.may_break),
        "fewest_broken": outcome.value,
        "bound": outcome.bound,
        "layout": None if outcome.layout is None else list(outcome.layout),
        "broken": record_violations(broken),
        "conflict": None if known.mus is None else record_violations(known.mus.rules),
        "smallest": None if known.mus is None else known.mus.is_smus,
        "at_sight": [seen.to_json() for seen in known.at_sight],
        "fewest": record(known.fewest),
    }
