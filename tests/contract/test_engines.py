"""Every engine equals brute force: for every puzzle, objective and bound."""

from collections.abc import Collection

import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from tests.contract.trial import apart, first_of
from tests.contract.trials import TRIALS
from tests.support.examples import examples
from twinproof.compare.questions.answer import Question, answer
from twinproof.compare.questions.crosscheck import TWINS
from twinproof.models import PUZZLES
from twinproof.models.puzzle import Objective, Puzzle
from twinproof.optim import Outcome, Status
from twinproof.optim.engine import TABLE, Feature

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
    bound = data.draw(st.integers(0, max(values, default=0)))
    for engine in engines_of(trial.puzzle):
        if trial.refuses(engine, instance):
            continue
        note(engine)
        question = Question(name, instance, objective)
        outcome = ask(engine, question)
        if not values:
            assert outcome.status is Status.INFEASIBLE
        elif goal.sense is None:
            assert (outcome.status, outcome.value) == (Status.FEASIBLE, None)
            assert outcome.layout in trial.layouts(instance)
        else:
            best = first_of(goal, values)
            assert (outcome.status, outcome.value, outcome.bound) == (Status.OPTIMAL, best, best)
            if Feature.THRESHOLD in TABLE[engine].supports and can_be_bounded(trial.puzzle, goal, instance):
                check_bounds(engine, question, values, bound)


def can_be_bounded(puzzle: Puzzle[object], goal: Objective, instance: object) -> bool:
    """Whether there are not two questions in one."""
    return goal.after is None or puzzle.fixed is None or puzzle.fixed(instance) is not None


def check_bounds(engine: str, question: Question, values: Collection[int], bound: int) -> None:
    """Check yes/no questions round the lowest value and the highest, and at another bound."""
    low, high = min(values), max(values)
    more = [low - 1, bound, high + 1, 10**30] if engine in TWINS else [low - 1]
    for number in {low, high, *more} - {-1}:
        for at_least, at_most in ((number, None), (None, number)):
            asked = Question(question.puzzle, question.instance, question.objective, at_least, at_most)
            outcome = ask(engine, asked)
            assert outcome.status is (Status.FEASIBLE if any(map(asked.allows, values)) else Status.INFEASIBLE), (
                at_least,
                at_most,
            )
