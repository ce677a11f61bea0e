"""What rules of a person conclude holds in all solutions, and what is generated has one."""

from collections.abc import Sequence, Set
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from tests.contract.trial import Known, Trial
from tests.contract.trials import TRIALS
from tests.support.examples import examples
from twinproof.compare.questions.generate import Made, make, wish_for
from twinproof.models.deduction.hints import BEYOND, Grade, HintRules
from twinproof.models.grid import Cell
from twinproof.models.puzzle import Generation, Puzzle

HINTED = {name: trial for name, trial in TRIALS.items() if trial.places is not None}
GENERATED = {name: trial for name, trial in TRIALS.items() if trial.generated is not None}


def check_facts(facts: Known, possible: Sequence[Set[Cell]], said: object) -> None:
    assert facts, said
    for cell, holds in facts.items():
        assert all((cell in layout) is holds for layout in possible), (cell, said)


def test_every_puzzle_with_hints_or_a_generator_is_on_trial() -> None:
    assert set(HINTED) == {name for name, trial in TRIALS.items() if trial.puzzle.has("hints")}
    graded = {name for name, trial in TRIALS.items() if trial.puzzle.generation and trial.puzzle.generation.grades}
    assert set(GENERATED) == graded


@pytest.mark.parametrize("name", HINTED)
@examples(60)
@given(data=st.data())
def test_conclusions_hold_in_all_solutions(name: str, data: st.DataObject) -> None:
    trial = TRIALS[name]
    assert trial.places is not None
    instance, known, possible = data.draw(trial.places)
    note("\n".join(trial.puzzle.rows(instance)))
    assert possible
    hints: HintRules[Any, Any] = trial.puzzle.part("hints").HINTS
    position = hints.start(instance, known)
    assert position.clash() is None
    for rule in hints.rules:
        for finding in rule.find(position, 0):
            assert not (finding.marked | finding.empty) & ~position.open  # it says something new
            marked, empty = position.cells(finding.marked), position.cells(finding.empty)
            check_facts(dict.fromkeys(marked, True) | dict.fromkeys(empty, False), possible, (rule.human, finding))
    check_way(trial, instance, hints.steps(position), known, possible)
    # What is done at once for suppositions is what the rules of grade 1 do one by one.
    easy = [rule for rule in hints.rules if rule.human.grade == 1]
    after, expected = position.at_a_glance(), position
    if after != position:
        while (found := next((one for rule in easy for one in rule.find(expected, 0)), None)) is not None:
            expected = expected.learn(found.marked, found.empty)
        assert after == expected


def check_way(trial: Trial, instance: object, way: Grade, known: Known, possible: Sequence[Set[Cell]]) -> None:
    """Every step holds in all solutions, and a way that is finished leads to the only one."""
    position = dict(known)
    for step in way.steps:
        check_facts(step.facts, possible, step)
        position |= step.facts
    assert way.contradiction is None
    if way.grade is not None:
        marked = {cell for cell in trial.cells(instance) if position.get(cell)}
        assert [set(layout) for layout in possible] == [marked]
        assert way.grade == max((step.rule.grade or 9 for step in way.steps), default=1)
    else:
        assert way.word == BEYOND or way.steps


@pytest.mark.parametrize("name", GENERATED)
@examples(30)
@given(data=st.data(), seed=st.integers(0, 10**9))
def test_a_generated_puzzle_has_its_layout_as_only_solution(name: str, data: st.DataObject, seed: int) -> None:
    trial = TRIALS[name]
    puzzle = trial.puzzle
    assert puzzle.generation is not None
    assert trial.generated is not None
    (height, width), options = data.draw(trial.generated)
    arguments = puzzle.generation.arguments(height, width, options)
    made = puzzle.part("generate").generate(**arguments, seed=seed)
    note("\n".join(puzzle.rows(made.instance)))
    assert (made.instance.height, made.instance.width) == (height, width)
    assert puzzle.rules.violations(made.instance, made.layout) == []
    assert list(trial.layouts(made.instance)) == [made.layout]
    grade = puzzle.part("hints").grade(made.instance).grade
    assert grade is None or puzzle.generation.never(arguments, grade) is None


@pytest.mark.parametrize("name", GENERATED)
@examples(20)
@given(data=st.data(), attempts=st.integers(1, 3))
def test_a_grade_that_does_not_come_ends_after_the_attempts(name: str, data: st.DataObject, attempts: int) -> None:
    puzzle = TRIALS[name].puzzle
    generated = TRIALS[name].generated
    assert generated is not None
    (height, width), options = data.draw(generated)
    made: list[Made] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(puzzle.part("hints"), "grade", lambda instance: Grade(2, ()))
        patch.setattr("twinproof.compare.questions.generate.generation_of", can_have_any_grade)
        wish = wish_for(puzzle, height, width, options, (4, 5), attempts)
        ended = make(wish, 0, 1, made.append, lambda note: None, isolated=False)
        assert made == []
        assert ended is not None
        assert ended.others == {"grade 2": attempts}
        boards = "1 board" if attempts == 1 else f"{attempts} boards"
        assert str(ended).endswith(f"; {boards} made instead: {attempts} of grade 2")
        # The grade that comes is taken at once.
        assert make(replace(wish, difficulty=(2, 2)), 0, 1, made.append, lambda note: None, isolated=False) is None
        assert len(made) == 1


def can_have_any_grade(puzzle: Puzzle[Any]) -> Generation:
    """A puzzle's generation that refuses no grade: the test stands in for its grades."""
    assert puzzle.generation is not None
    return replace(puzzle.generation, never=lambda arguments, grade: None)
