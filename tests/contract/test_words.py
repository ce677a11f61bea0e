"""What a person reads is English: a noun goes with its number. Commands are checked wherever a test runs one."""

import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from tests.contract.trials import TRIALS
from tests.support.english import disagreements
from tests.support.examples import examples
from twinproof.compare.questions.explain import find_mus
from twinproof.compare.questions.hint import find_hint


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("there must be 1 bulbs beside the wall", ["1 bulbs"]),
        ("which has 1 floor cells beside it; 1 cell", ["1 floor cells"]),
        ("row 1 has 2 cell, row 1 lacks 1 star", ["2 cell"]),
        ("1,001 layouts, 11 cells, 1 has none, at 3,1 bulbs", []),
        ("row 2, column 1; 4x1 cells; 2 rows of 1", []),
    ],
)
def test_disagreements_are_found_and_nothing_else_is(text: str, found: list[str]) -> None:
    assert disagreements(text) == found


@pytest.mark.parametrize("name", TRIALS)
@examples(60)
@given(data=st.data())
def test_every_message_about_rules_and_hints_is_english(name: str, data: st.DataObject) -> None:
    trial = TRIALS[name]
    puzzle, instance = trial.puzzle, data.draw(trial.small)
    note("\n".join(puzzle.rows(instance)))
    rules_of = puzzle.rules.violations
    drawings = list(trial.drawings(instance, 0))
    said = {str(one) for drawing in drawings[:: 1 + len(drawings) // 50] for one in rules_of(instance, drawing)}
    said |= {f"{seen.rule}; {seen.reason}; {seen.others}" for seen in puzzle.at_sight(instance)}
    if puzzle.has_objective("fewest-broken"):
        _, rules = puzzle.part("maxsat").build_rules(instance)
        said |= set(map(str, rules))
        mus = find_mus(name, instance)
        said |= set(map(str, mus.rules)) if mus is not None else set()
    if puzzle.words is not None:
        known = {cell: data.draw(st.booleans()) for cell in trial.cells(instance) if data.draw(st.booleans())}
        found = find_hint(puzzle, instance, known)
        said |= {*found.sentences, *found.wrong}
    assert [one for one in sorted(said) if disagreements(one)] == []
