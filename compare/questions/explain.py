"""Why a puzzle has no solution: the fewest rules to drop, and rules that cannot hold together."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from twinproof.compare.output.records import best_answer, engines_word, record, record_violations
from twinproof.compare.questions.answer import Answer, Question
from twinproof.compare.questions.crosscheck import TWINS, Crosscheck, crosscheck
from twinproof.models import PUZZLES
from twinproof.models.violation import Violation
from twinproof.optim import InputError, Limits, OnProgress, Status, Stop
from twinproof.optim.process.call import call

MUS_SECONDS = 10.0
"""How long a smallest conflict is looked for, where no limit says otherwise."""


@dataclass(frozen=True)
class Conflict:
    """Rules that cannot hold together.

    Parameters
    ----------
    rules : tuple of Violation
        When any of them is left out, the others can hold.
    smallest : bool
        Whether it is proved that no fewer rules are in conflict.
    """

    rules: tuple[Violation, ...]
    smallest: bool


@dataclass(frozen=True)
class Explained:
    """What is known about a puzzle without a solution.

    Parameters
    ----------
    question : Question
        For the fewest broken rules.
    fewest : Crosscheck
    conflict : Conflict or None
        None if there is none, or it was not found in time.
    at_sight : tuple of Violation
        Rules that cannot be kept, whatever the others say.
    stopped : Stop or None
        What ended the search for a conflict.
    """

    question: Question
    fewest: Crosscheck
    conflict: Conflict | None
    at_sight: tuple[Violation, ...]
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
        if outcome.status is Status.INFEASIBLE or self.conflict is not None or self.at_sight:
            return False
        return False if any(given.outcome.bound for given in self.fewest.answers.values()) else None


def explained(
    name: str,
    puzzle: Any,
    engines: Sequence[str] = TWINS,
    limits: Limits | None = None,
    on_progress: Callable[[str], OnProgress] | None = None,
    isolated: bool = True,
) -> Explained:
    """Ask for the fewest broken rules, and for rules that cannot hold together if some must be broken.

    Parameters
    ----------
    name : str
        The puzzle's name in the catalogue.
    puzzle : Puzzle
    engines, limits, on_progress, isolated
        See `compare.questions.crosscheck.crosscheck`.

    Raises
    ------
    InputError
        If the puzzle has no rules that could be dropped.
    """
    limits = limits or Limits()
    if not PUZZLES.find(name).has_objective("fewest-broken"):
        raise InputError(f"explain: {name} has no rules that could be dropped")
    question = Question(name, puzzle, "fewest-broken")
    fewest = crosscheck(question, engines, limits, on_progress, isolated=isolated)
    answers = list(fewest.answers.values())
    at_sight = tuple(PUZZLES.find(name).at_sight(puzzle))
    interrupted = any(given.outcome.stopped is Stop.INTERRUPT for given in answers)
    if best_answer(answers).outcome.value == 0 or fewest.agree is False or interrupted:
        return Explained(question, fewest, None, at_sight, None)
    seconds = MUS_SECONDS if limits.time is None else limits.time / 2
    conflict: Conflict | None = None
    stopped: Stop | None = None
    # What is seen at once is at hand where the whole is too hard.
    for seen in (at_sight[:1], ()) if at_sight else ((),):
        called = call(find_conflict, name, puzzle, seconds, seen, limits=limits, isolated=isolated)
        stopped = called.stopped
        conflict = (called.results[0] if called.results else None) or conflict
        if stopped is Stop.INTERRUPT or (conflict is not None and conflict.smallest):
            break
    return Explained(question, fewest, conflict, at_sight, stopped)


def find_conflict(
    name: str, puzzle: Any, time_limit: float | None = None, seen: Sequence[Violation] = ()
) -> Conflict | None:
    """Find rules of a puzzle that cannot hold together; None if it has a solution.

    Parameters
    ----------
    name : str
        The puzzle's name in the catalogue.
    puzzle : Puzzle
    time_limit : float, optional
        Seconds after which rules that may not be the fewest are good enough.
    seen : sequence of Violation
        If given, only these rules and those on touching cells are considered.
    """
    rooms = PUZZLES.find(name)
    if rooms.has("explain"):
        # A puzzle's own way doubts more than `fewest-broken` does, such as flags and totals.
        found = rooms.part("explain").conflict(puzzle, time_limit)
        return None if found is None else Conflict(found.rules, found.smallest)
    from twinproof.optim.sat.mus import conflicting_rules  # noqa: PLC0415 - loads a SAT solver

    model, rules = rooms.part("maxsat").build_rules(puzzle)
    considered = [i for i, rule in enumerate(rules) if not seen or rule in seen or rule.rule == "touching"]
    core = conflicting_rules(model, considered, time_limit)
    if core is None:
        return None
    places, smallest = core
    return Conflict(tuple(rules[i] for i in places), smallest and (not seen or len(places) == 1))


def record_explained(known: Explained) -> dict[str, Any]:
    """Put it into one JSON object."""
    name, puzzle, outcome = known.question.puzzle, known.question.instance, known.best.outcome
    broken = [] if outcome.layout is None else PUZZLES.find(name).rules.violations(puzzle, outcome.layout)
    return {
        "puzzle": name,
        "instance": puzzle.name,
        "options": PUZZLES.find(name).describe(puzzle),
        "engine": engines_word(known.fewest.engines),
        "solvable": known.solvable,
        "agree": known.fewest.agree,
        "fewest_broken": outcome.value,
        "bound": outcome.bound,
        "layout": None if outcome.layout is None else list(outcome.layout),
        "broken": record_violations(broken),
        "conflict": None if known.conflict is None else record_violations(known.conflict.rules),
        "smallest": None if known.conflict is None else known.conflict.smallest,
        "at_sight": record_violations(known.at_sight),
        "fewest": record(known.fewest),
    }
