"""Every engine equals brute force: for every puzzle, objective and bound."""

from collections.abc import Collection
from functools import partial
from typing import Any

import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from tests.contract.trial import apart, first_of
from tests.contract.trials import TRIALS
from tests.support.examples import examples
from twinproof.compare.questions.answer import Question, answer
from twinproof.models import PUZZLES
from twinproof.models.puzzle import Objective, Puzzle
from twinproof.optim import InputError, Outcome, Sense, Status
from twinproof.optim.engine import TABLE, Feature, solve
from twinproof.optim.request import EngineOptions, Threshold

OBJECTIVES = [(name, objective.name) for name, trial in TRIALS.items() for objective in trial.puzzle.objectives]


def test_every_puzzle_is_on_trial() -> None:
    assert set(TRIALS) == set(PUZZLES)


def engines_of(puzzle: Puzzle[object]) -> list[str]:
    """Give the engines that are installed and have a model of a puzzle."""
    models = {TABLE[name].model for name in puzzle.engines}
    return [name for name, row in TABLE.items() if row.installed and row.model in models]


def ask(engine: str, question: Question) -> Outcome[tuple[str, ...]]:
    """Ask in this process; the layout is judged by the rules."""
    return answer(question, engine, isolated=False).outcome


@pytest.mark.parametrize(("name", "objective"), OBJECTIVES)
@examples(60)
@given(data=st.data())
def test_every_engine_equals_brute_force(name: str, objective: str, data: st.DataObject) -> None:
    trial = TRIALS[name]
    goal = trial.puzzle.objective(objective)
    instance = data.draw(trial.instances(goal))
    if goal.relative:
        instance = data.draw(apart(trial, instance))
    note("\n".join(trial.puzzle.rows(instance)))
    values = trial.values_of(instance, goal)
    check(name, objective, instance, data.draw(st.integers(0, max(values, default=0))))


@pytest.mark.parametrize(("name", "objective"), OBJECTIVES)
def test_every_engine_equals_brute_force_on_odd_instances(name: str, objective: str) -> None:
    puzzle = TRIALS[name].puzzle
    for instance in TRIALS[name].odd:
        # A fixed number of hops goes with one objective only.
        if puzzle.fixed is None or puzzle.fixed(instance) is None or puzzle.objective(objective).after is not None:
            check(name, objective, instance, 1)


def check(name: str, objective: str, instance: Any, bound: int) -> None:
    trial = TRIALS[name]
    goal = trial.puzzle.objective(objective)
    values = trial.values_of(instance, goal)
    for engine in engines_of(trial.puzzle):
        if trial.refuses(engine, instance):
            continue
        question = Question(name, instance, objective)
        outcome = ask(engine, question)
        if not values:
            assert outcome.status is Status.INFEASIBLE, engine
        elif goal.sense is None:
            assert (outcome.status, outcome.value) == (Status.FEASIBLE, None), engine
            assert outcome.layout in trial.layouts(instance), engine
        else:
            best = first_of(goal, values)
            if not TABLE[engine].settles:
                check_partial(goal.sense, outcome, best)
                continue
            assert (outcome.status, outcome.value, outcome.bound) == (Status.OPTIMAL, best, best), engine
            if Feature.THRESHOLD in TABLE[engine].supports and can_be_bounded(trial.puzzle, goal, instance):
                check_bounds(engine, question, values, bound)


def check_partial(sense: Sense, outcome: Outcome[Any], best: int) -> None:
    """Check an outcome that need not be settled: its bound is none that is too strong."""
    assert outcome.bound is not None
    assert not sense.better(best, outcome.bound)
    assert outcome.value is None or not sense.better(outcome.value, best)


def can_be_bounded(puzzle: Puzzle[object], goal: Objective, instance: object) -> bool:
    """Whether there are not two questions in one."""
    return goal.after is None or puzzle.fixed is None or puzzle.fixed(instance) is not None


def check_bounds(engine: str, question: Question, values: Collection[int], bound: int) -> None:
    """Check yes/no questions round the lowest value and the highest, and at another bound."""
    low, high = min(values), max(values)
    # Solvers of others share the model of maxsat, and the way in which it is bounded.
    numbers = {low - 1, low, bound, high, high + 1, 10**30} if TABLE[engine].package is None else {low - 1, high}
    for number in numbers - {-1}:
        for at_least, at_most in ((number, None), (None, number)):
            asked = Question(question.puzzle, question.instance, question.objective, at_least, at_most)
            expected = Status.FEASIBLE if any(map(asked.allows, values)) else Status.INFEASIBLE
            assert ask(engine, asked).status is expected, (engine, at_least, at_most)
    # Both at once: no command asks that, but generators do.
    puzzle, model = PUZZLES[question.puzzle], TABLE[engine].model
    build = partial(puzzle.build_model, model, question.instance, question.objective)
    found = solve(engine, build, threshold=Threshold(bound, bound + 1), isolated=False)
    between = any(bound <= value <= bound + 1 for value in values)
    assert found.status is (Status.FEASIBLE if between else Status.INFEASIBLE), (engine, bound)


@pytest.mark.parametrize(("name", "objective"), OBJECTIVES)
def test_what_an_engine_cannot_do_is_refused_before_anything_starts(
    name: str, objective: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[str] = []

    def start(engine: str, *_: object) -> Outcome[tuple[str, ...]]:
        started.append(engine)
        return Outcome(None, Status.UNKNOWN, None, None, None, 0.0)

    monkeypatch.setattr("twinproof.compare.questions.answer.solve", start)
    trial = TRIALS[name]
    goal = trial.puzzle.objective(objective)
    instance = trial.odd[0]
    if goal.relative and instance.apart_from is None:
        instance = trial.puzzle.apart_from(instance, trial.puzzle.draw(instance, {}))
    for engine in engines_of(trial.puzzle):
        able = TABLE[engine].supports
        for options, possible in (
            (EngineOptions(counting=True), Feature.COUNTING in able and goal.after is None),
            (EngineOptions(evidence=True), Feature.EVIDENCE in able and goal.after is None),
            (EngineOptions(warm_start=trial.puzzle.draw(instance, {})), Feature.WARM_START in able),
            (EngineOptions(warm_start=("no", "layout", "of", "it")), False),
        ):
            started.clear()
            if possible:
                answer(Question(name, instance, objective), engine, options=options)
                assert started
            else:
                with pytest.raises(InputError):
                    answer(Question(name, instance, objective), engine, options=options)
                assert not started
