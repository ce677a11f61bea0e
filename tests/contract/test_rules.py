"""The rules, which judge all engines, and the clauses, which certificates stand on, equal brute force."""

import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from tests.contract.trial import Trial, apart, count
from tests.contract.trials import TRIALS
from tests.support.clauses import has_model
from tests.support.examples import examples
from twinproof.compare.certificates.claims import Claim, can_break_symmetries, countable, encode, refuted
from twinproof.models.puzzle import Objective
from twinproof.optim import InputError

EVERY = pytest.mark.parametrize("name", TRIALS)
CERTIFIED = pytest.mark.parametrize("name", [name for name in TRIALS if TRIALS[name].puzzle.has("clauses")])


@EVERY
@examples(40)
@given(data=st.data())
def test_rules_equal_brute_force_layout_by_layout(name: str, data: st.DataObject) -> None:
    trial = TRIALS[name]
    puzzle, instance = trial.puzzle, data.draw(trial.small)
    if any(objective.relative for objective in puzzle.objectives) and data.draw(st.booleans()):
        instance = data.draw(apart(trial, instance))
    note("\n".join(puzzle.rows(instance)))
    fits = set(trial.layouts(instance))
    number_broken = (
        {} if trial.breakings is None else {one: len(rules) for one, rules in trial.breakings(instance)}
    )
    for drawing in trial.drawings(instance, data.draw(st.integers(0, 99))):
        found = puzzle.rules.violations(instance, drawing)
        assert (not found) == (drawing in fits)
        for objective in puzzle.objectives:
            if objective.relative and instance.apart_from is None:
                continue
            value = puzzle.rules.value(instance, objective.name, drawing)
            if objective.may_break:
                broken = number_broken.get(drawing)
                assert ({one.rule for one in found} <= objective.may_break) == (broken is not None)
                assert broken is None or len(found) == value == broken
            elif objective.sense is None:
                assert value is None
            else:
                assert value == count(objective, instance, drawing)
        assert puzzle.read_layout(instance, "\n".join(drawing), "layout") == drawing


@CERTIFIED
@examples(30)
@given(data=st.data())
def test_clauses_equal_brute_force_layout_by_layout(name: str, data: st.DataObject) -> None:
    trial = TRIALS[name]
    instance = data.draw(trial.small)
    note("\n".join(trial.puzzle.rows(instance)))
    fits = set(trial.layouts(instance))
    encoding = encode(trial.puzzle, instance)
    for drawing in trial.drawings(instance, data.draw(st.integers(0, 99))):
        # The auxiliary variables are as they are read.
        truth = encoding.formula.extend(encoding.chosen(drawing))
        assert (encoding.formula.broken(truth) is None) == (drawing in fits)


@CERTIFIED
@examples(30)
@given(data=st.data())
def test_a_claim_can_be_refuted_just_when_it_is_false(name: str, data: st.DataObject) -> None:
    trial = TRIALS[name]
    puzzle, instance = trial.puzzle, data.draw(trial.small)
    note("\n".join(puzzle.rows(instance)))
    fits = trial.layouts(instance)

    def is_false(claim: Claim, lex_leaders: bool = False) -> bool:
        return has_model(refuted(puzzle, instance, claim, lex_leaders))

    for lex_leaders in (False, True) if can_break_symmetries(puzzle) else (False,):
        assert is_false(Claim("infeasible"), lex_leaders) == bool(fits)
        for objective in countable_here(trial, instance):
            values = {count(objective, instance, layout) for layout in fits}
            for number in range(len(trial.cells(instance)) + 2):
                better = any(objective.sense is not None and objective.sense.better(v, number) for v in values)
                assert is_false(Claim("optimum", objective.name, number), lex_leaders) == better
            number = data.draw(st.integers(0, len(trial.cells(instance)) + 1))
            least = Claim("infeasible", objective.name, at_least=number)
            assert is_false(least, lex_leaders) == any(value >= number for value in values)
            most = Claim("infeasible", objective.name, at_most=number)
            assert is_false(most, lex_leaders) == any(value <= number for value in values)
    if "unique" in puzzle.claims:
        for layout in sorted(fits)[:3]:
            assert is_false(Claim("unique", layouts=(layout,))) == (len(fits) > 1)
    if "forced" in puzzle.claims:
        for r, c in trial.cells(instance):
            marks = {layout[r][c] for layout in fits}
            assert is_false(Claim("forced", without=((r, c),))) == (trial.marks[0] in marks)
            assert is_false(Claim("forced", with_mark=((r, c),))) == (trial.marks[-1] in marks)
        empty = Claim("forced", without=tuple(trial.cells(instance)))
        assert is_false(empty) == any(trial.marks[0] in "".join(layout) for layout in fits)


def countable_here(trial: Trial, instance: object) -> list[Objective]:
    """Give the objectives of which a certificate of this instance can speak."""
    found = []
    for objective in trial.puzzle.objectives:
        try:
            countable(trial.puzzle, objective.name)
            trial.puzzle.check(instance, objective, True)
        except InputError:
            continue
        found.append(objective)
    return found
