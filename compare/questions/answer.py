"""One question put to one engine, and the answer judged by the rules before anybody sees it."""

import hashlib
import json
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from twinproof.models import PUZZLES
from twinproof.models.puzzle import Layout, Objective
from twinproof.optim import EngineError, InputError, Limits, OnProgress, OptionError, Outcome, Status
from twinproof.optim.arguments import check_types
from twinproof.optim.engine import Engine, find, solve
from twinproof.optim.process.checkpoint import Checkpoint
from twinproof.optim.request import EngineOptions, Threshold


class JudgementError(EngineError):
    """An engine's layout breaks a rule, or its value is not the layout's."""

    def __init__(self, message: str, question: "Question", engine: str, layout: Layout) -> None:
        super().__init__(message)
        self.question = question
        self.engine = engine
        self.layout = layout


@dataclass(frozen=True)
class Question:
    """What is asked about a puzzle.

    Parameters
    ----------
    puzzle : str
        The puzzle's name.
    instance : object
        An instance of it.
    objective : str
        One of the puzzle's objectives.
    at_least, at_most : int, optional
        If one is given, the question is whether a layout has such a value; nothing is optimised.

    Raises
    ------
    InputError
        If puzzle or objective are unknown, the instance is none of the puzzle's, or both bounds are given, or one
        is negative.
    """

    puzzle: str
    instance: Any
    objective: str
    at_least: int | None = None
    at_most: int | None = None

    def __post_init__(self) -> None:
        check_types(self)
        puzzle, objective = PUZZLES.find(self.puzzle), self.asked
        puzzle.check_type(self.instance)
        if objective.sense is None and self.yes_or_no:
            raise InputError(f"{self.objective}: has no value that could be at least or at most a number")
        if objective.relative and self.instance.apart_from is None:
            raise OptionError("apart_from", ", the layout from which to count", f"{self.objective}: needs ")
        if self.at_least is not None and self.at_most is not None:
            raise InputError("at least and at most: only one of them can be asked")
        for asked, bound in (("at least", self.at_least), ("at most", self.at_most)):
            if bound is not None and bound < 0:
                raise InputError(f"{asked} {bound}: must not be negative")
        puzzle.check(self.instance, objective, self.yes_or_no)

    @property
    def asked(self) -> Objective:
        """The objective."""
        return PUZZLES.find(self.puzzle).objective(self.objective)

    @property
    def yes_or_no(self) -> bool:
        """Whether nothing is optimised."""
        return self.at_least is not None or self.at_most is not None

    @property
    def threshold(self) -> Threshold | None:
        """The value that is asked for; None where the best is."""
        return Threshold.of(self.at_least, self.at_most)

    def allows(self, value: int) -> bool:
        """Whether a layout of this value is one that was asked for."""
        return (self.at_least is None or value >= self.at_least) and (
            self.at_most is None or value <= self.at_most
        )


@dataclass(frozen=True)
class Answer:
    """An engine's judged answer.

    Parameters
    ----------
    question : Question
        As it was solved: with the first objective's value fixed, if that had to be found first.
    engine : str
    outcome : Outcome
        Its value is the layout's, counted by the rules; for a yes/no question too.
    first : Outcome, optional
        The outcome for the objective that comes first, where there is one.
    """

    question: Question
    engine: str
    outcome: Outcome[Layout]
    first: Outcome[Layout] | None = None


def answer(
    question: Question,
    engine: str,
    limits: Limits | None = None,
    on_progress: OnProgress | None = None,
    options: EngineOptions | None = None,
    isolated: bool = True,
    every_layout: bool = False,
) -> Answer:
    """Put a question to an engine.

    An objective that comes after another one is two questions: first the other's optimum, then this objective
    among the layouts that reach it. If the first is not settled, the second has no answer.

    Parameters
    ----------
    question : Question
    engine : str
        A key of `optim.engine.TABLE`.
    limits, on_progress, isolated
        See `optim.engine.solve`.
    options : EngineOptions, optional
        What only some engines support. A question that takes two searches keeps, in the checkpoint's file, the one
        that was stopped.
    every_layout : bool
        See `Puzzle.build_model`.

    Raises
    ------
    InputError
        If the engine is unknown or does not support an option, or not for this question, the layout to start from
        does not fit the instance, or what is kept is another question's or version's.
    JudgementError
        If the engine's layout is not what it says.
    """
    limits, options = limits or Limits(), options or EngineOptions()
    puzzle, row = PUZZLES.find(question.puzzle), find(engine)
    if row.model not in {find(name).model for name in puzzle.engines}:
        has = ", ".join(name for name in puzzle.engines if puzzle.has(find(name).model)) or "none at all"
        raise InputError(f"engine {engine!r}: {puzzle.name} has no model for it; it has {has}")
    _check_options(question, row, options)

    def run(asked: Question, allowed: Limits, checkpoint: Checkpoint | None) -> Outcome[Layout]:
        build = partial(puzzle.build_model, row.model, asked.instance, asked.objective, every_layout)
        kept = replace(options, checkpoint=checkpoint)
        return _judge(
            asked, row.name, solve(row.name, build, allowed, on_progress, asked.threshold, kept, isolated)
        )

    checkpoint = options.checkpoint
    if checkpoint is not None:
        checkpoint = replace(
            checkpoint, question=identity(question, options.counting), code=_code(puzzle.name, row.name)
        )
    instance, after = question.instance, question.asked.after
    if after is not None and puzzle.fixed is not None and puzzle.fixed(instance) is None:
        assert puzzle.fix is not None
        most = replace(question, objective=after)
        # The file says which of the two searches it holds; the first is only repeated if it is the second.
        before = (
            None
            if checkpoint is None
            else replace(checkpoint, question=f"first {identity(most, options.counting)}")
        )
        if checkpoint is not None and before is not None and checkpoint.resume:
            if checkpoint.kept_question() == before.question:
                checkpoint = replace(checkpoint, resume=False)
            else:
                before = None
        first = run(most, limits, before)
        if first.value is None or first.status is not Status.OPTIMAL:
            unknown = Outcome[Layout](None, Status.UNKNOWN, None, None, None, first.seconds, (), first.stopped)
            return Answer(question, row.name, unknown, first)
        question = replace(question, instance=puzzle.fix(instance, first.value))
        if limits.time is not None:
            limits = replace(limits, time=max(limits.time - first.seconds, 0.001))
        second = run(question, limits, checkpoint)
        total = replace(
            second,
            seconds=round(first.seconds + second.seconds, 3),
            startup=round(first.startup + second.startup, 3),
            peak_mb=max((peak for peak in (first.peak_mb, second.peak_mb) if peak is not None), default=None),
        )
        return Answer(question, row.name, total, first)
    return Answer(question, row.name, run(question, limits, checkpoint))


def _check_options(question: Question, engine: Engine, options: EngineOptions) -> None:
    """Refuse what an engine could only refuse in the midst of its search, perhaps after hours."""
    engine.check(question.threshold, options)
    after = question.asked.after
    if after is not None and (options.counting or options.evidence):
        raise InputError(
            f"{question.objective}: comes after {after}, and its layouts are neither counted nor certified"
        )
    if options.warm_start is not None:
        start = "\n".join(options.warm_start)
        PUZZLES.find(question.puzzle).read_layout(question.instance, start, "the layout to start from")


def identity(question: Question, counting: bool) -> str:
    """Say in a line what is asked, so that a kept search is never taken for another one.

    Parameters
    ----------
    question : Question
        The question.
    counting : bool
        Whether layouts are counted too.

    Returns
    -------
    str
        It ends in a digest of the instance's rows.
    """
    instance, puzzle = question.instance, PUZZLES.find(question.puzzle)
    options = json.dumps(puzzle.describe(instance) | ({"counting": True} if counting else {}))
    drawn = hashlib.blake2b("\n".join(puzzle.rows(instance)).encode(), digest_size=8).hexdigest()
    return f"{question.puzzle} {instance.name}, {question.objective}, {options}, map {drawn}"


def _code(puzzle: str, engine: str) -> str:
    """Name the version of all code that an answer depends on."""
    from twinproof.compare.campaign.machine import code_digest, versions  # noqa: PLC0415 - reads all that code

    return f"{versions()['twinproof']}, {code_digest(puzzle, engine)}"


def _judge(question: Question, engine: str, outcome: Outcome[Layout]) -> Outcome[Layout]:
    """Check a layout by the rules and its value by counting."""
    if outcome.layout is None:
        return outcome
    try:
        value = judged_value(question, outcome.layout)
    except EngineError as error:
        raise JudgementError(f"{engine} {error}", question, engine, outcome.layout) from error
    if outcome.value is not None and outcome.value != value:
        message = f"{engine} says {outcome.value}, its layout has {value}"
        raise JudgementError(message, question, engine, outcome.layout)
    return outcome if value is None else replace(outcome, value=value)


def judged_value(question: Question, layout: Layout) -> int | None:
    """Check a layout by the rules and count its value; None where nothing is optimised or asked.

    Parameters
    ----------
    question : Question
        The question.
    layout : tuple of str
        The rows that an engine gave.

    Returns
    -------
    int or None
        The value by the rules, whatever the engine said.

    Raises
    ------
    EngineError
        If it breaks a rule that the objective does not let it break, or its value is none that was asked for.
    """
    puzzle = PUZZLES.find(question.puzzle)
    allowed = question.asked.may_break
    found = puzzle.rules.violations(question.instance, layout)
    broken = [violation for violation in found if violation.rule not in allowed]
    if broken:
        raise EngineError(f"breaks a rule: {broken[0]}")
    value = len(found) if allowed else puzzle.rules.value(question.instance, question.objective, layout)
    if value is not None and not question.allows(value):
        raise EngineError(f"gives {value}, which was not asked")
    return value
