"""The verdict on the results of a suite: who agrees, who contradicts whom, and which layouts break a rule."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from twinproof.compare.campaign.case import Asked, Result
from twinproof.compare.output.records import first_key
from twinproof.compare.questions.answer import Question, judged_value
from twinproof.compare.questions.crosscheck import agree
from twinproof.models import PUZZLES
from twinproof.models.puzzle import Layout
from twinproof.optim import EngineError, InputError, Outcome, Sense, Status


@dataclass(frozen=True)
class QuestionVerdict:
    """What the results say about one question.

    Parameters
    ----------
    asked : Asked
    results : mapping
        By engine; those that have run.
    agree : bool or None
        False if something is wrong; True if all engines have settled the question alike; None if one has not.
    wrong : tuple of str
        What is wrong, in words: answers that contradict each other or what is known, layouts that break a rule.
    failed : tuple of str
        Engines that failed or refused, with their reasons.
    """

    asked: Asked
    results: Mapping[str, Result]
    agree: bool | None
    wrong: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()

    @property
    def value(self) -> int | None:
        """The best value found."""
        sense = PUZZLES.find(self.asked.question.puzzle).objective(self.asked.question.objective).sense
        values = [result["value"] for result in self.results.values() if result.get("value") is not None]
        return None if not values else max(values) if sense is Sense.MAXIMIZE else min(values)

    @property
    def settled(self) -> bool:
        """Whether an engine has settled the question."""
        return any(settles(self.asked, result) for result in self.results.values())


def judge(asked: Asked, results: Sequence[Result]) -> QuestionVerdict:
    """Compare what engines say about a question, with each other, with the rules and with what is known.

    Nothing that a result says about itself is believed: its layout is checked and counted once more.

    Parameters
    ----------
    asked : Asked
    results : sequence of Result
        The results of this question.
    """
    by_engine = {result["engine"]: result for result in results}
    wrong: list[str] = []
    failed: list[str] = []
    outcomes: dict[str, Outcome[Layout]] = {}
    firsts: dict[str, Outcome[Layout]] = {}
    for engine, result in by_engine.items():
        error = result["error"]
        if error is not None:
            (wrong if error["kind"] == "wrong layout" else failed).append(f"{engine}: {error['message']}")
            continue
        try:
            outcomes[engine], first = rebuilt(asked, result)
        except (EngineError, InputError) as problem:
            wrong.append(f"{engine}: {problem}")
            continue
        if first is not None:
            firsts[engine] = first
    wrong += _contradictions(asked, outcomes)
    wrong += [f"{first_key(asked.question).replace('_', ' ')}: {text}" for text in _pairs(firsts)]
    complete = not failed and len(by_engine) == len(asked.engines)
    agreed = False if wrong else agree(list(outcomes.values())) if complete else None
    return QuestionVerdict(asked, by_engine, agreed, tuple(wrong), tuple(failed))


def rebuilt(asked: Asked, result: Result) -> tuple[Outcome[Layout], Outcome[Layout] | None]:
    """Rebuild from a result what an engine said, to the question and to the one that comes first, if there is one.

    Parameters
    ----------
    asked : Asked
        The question.
    result : Result
        Without an error.

    Raises
    ------
    EngineError, InputError
        If its parts do not fit each other, or its layout is not what it says.
    """
    first = result.get(first_key(asked.question))
    return _outcome(asked, result), None if first is None else _first(asked.question, first)


def _outcome(asked: Asked, result: Result) -> Outcome[Layout]:
    """Rebuild an outcome from a result; its parts must fit each other and the layout."""
    question = asked.question
    puzzle = PUZZLES.find(question.puzzle)
    layout = result["layout"]
    outcome: Outcome[Layout] = Outcome(
        None if question.yes_or_no else puzzle.objective(question.objective).sense,
        Status(result["status"]),
        result["value"],
        result["bound"],
        None if layout is None else tuple(layout),
        result["seconds"],
    )
    if outcome.layout is None:
        return outcome
    rows = puzzle.read_layout(question.instance, "\n".join(outcome.layout), "its layout")
    value = judged_value(question, rows)
    if value != outcome.value:
        raise EngineError(f"says {outcome.value}, its layout has {value}")
    first = result.get(first_key(question))
    if first is not None and question.asked.after is not None:
        value = puzzle.rules.value(question.instance, question.asked.after, rows)
        if value != first["value"]:
            raise EngineError(f"its layout has {value} for {question.asked.after}, not {first['value']}")
    return outcome


def _first(question: Question, said: Result) -> Outcome[Layout]:
    layout = said["layout"]
    return Outcome(
        PUZZLES.find(question.puzzle).objective(question.asked.after).sense,
        Status(said["status"]),
        said["value"],
        said["bound"],
        None if layout is None else tuple(layout),
        said["seconds"],
    )


def _contradictions(asked: Asked, outcomes: Mapping[str, Outcome[Layout]]) -> list[str]:
    found = _pairs(outcomes)
    known = asked.known
    if known is not None:
        source = f" ({known.source})" if known.source else ""
        expected = _known_outcome(asked)
        for engine, outcome in outcomes.items():
            if agree([outcome, expected]) is False:
                what = "no layout" if not known.solvable else "a layout" if known.value is None else known.value
                found.append(f"{engine} says {_says(outcome)}, known is {what}{source}")
    return found


def _known_outcome(asked: Asked) -> Outcome[Layout]:
    known, question = asked.known, asked.question
    assert known is not None
    sense = None if question.yes_or_no else PUZZLES.find(question.puzzle).objective(question.objective).sense
    if not known.solvable:
        return Outcome(sense, Status.INFEASIBLE, None, None, None, 0.0)
    # The layout is not known, only that there is one.
    some: Layout = ("known",)
    if known.value is None:
        return Outcome(sense, Status.FEASIBLE, None, None, some, 0.0)
    return Outcome(sense, Status.OPTIMAL, known.value, known.value, some, 0.0)


def _pairs(outcomes: Mapping[str, Outcome[Layout]]) -> list[str]:
    engines = list(outcomes)
    return [
        f"{first} says {_says(outcomes[first])}, {second} says {_says(outcomes[second])}"
        for i, first in enumerate(engines)
        for second in engines[i + 1 :]
        if agree([outcomes[first], outcomes[second]]) is False
    ]


def _says(outcome: Outcome[Layout]) -> str:
    if outcome.status is Status.OPTIMAL:
        return f"{outcome.value} is the best"
    if outcome.status is Status.INFEASIBLE:
        return "there is no layout"
    parts = [] if outcome.layout is None else ["there is a layout"]
    parts += [] if outcome.value is None else [f"of value {outcome.value}"]
    parts += [] if outcome.bound is None else [f"none is better than {outcome.bound}"]
    return ", ".join(parts) or "nothing"


def settles(asked: Asked, result: Result) -> bool:
    """Whether a result leaves nothing to find out.

    Parameters
    ----------
    asked : Asked
        The question.
    result : Result
        What one engine said to it.

    Returns
    -------
    bool
        An optimum, the proof that there is none, or any layout where no value is asked.
    """
    if result["error"] is not None:
        return False
    if result["status"] in (Status.OPTIMAL, Status.INFEASIBLE):
        return True
    question = asked.question
    without_value = question.yes_or_no or PUZZLES.find(question.puzzle).objective(question.objective).sense is None
    return without_value and result["status"] == Status.FEASIBLE
