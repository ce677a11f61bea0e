"""What `explain` says is what was proved: the fewest rules to drop, a smallest conflict, rules seen at once."""

import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from tests.contract.trials import TRIALS
from tests.oracle.conflicts import fewest_in_conflict
from tests.support.examples import examples
from twinproof.compare.questions.explain import explained
from twinproof.models.violation import Violation

EXPLAINED = [name for name, trial in TRIALS.items() if trial.puzzle.has_objective("fewest-broken")]


def is_broken(rule: Violation, found: list[Violation]) -> bool:
    """Whether a rule is among those that a layout breaks; how far the layout misses it stands behind the rule."""
    return any(
        one.rule == rule.rule
        and (
            set(rule.cells) <= set(one.cells) if rule.cells else rule.message == one.message.partition(", not ")[0]
        )
        for one in found
    )


@pytest.mark.parametrize("name", EXPLAINED)
@examples(60)
@given(data=st.data())
def test_fewest_to_drop_and_a_smallest_conflict_equal_brute_force(name: str, data: st.DataObject) -> None:
    trial = TRIALS[name]
    puzzle, instance = trial.puzzle, data.draw(trial.small)
    note("\n".join(puzzle.rows(instance)))
    assert trial.breakings is not None
    broken = [rules for _, rules in trial.breakings(instance)]
    known = explained(name, instance, isolated=False)
    fewest = min(map(len, broken))
    assert {(one.outcome.value, one.outcome.bound) for one in known.fewest.answers.values()} == {(fewest, fewest)}
    if fewest == 0:
        assert (known.solvable, known.mus, known.at_sight) == (True, None, ())
        return
    assert (known.solvable, known.fewest.agree) == (False, True)
    assert known.mus is not None
    assert known.mus.is_smus
    assert len(known.mus.rules) == fewest_in_conflict(broken)
    # Whatever is in conflict is something that can be dropped, and whoever drops little breaks one of these.
    may_be_dropped = puzzle.objective("fewest-broken").may_break
    assert {rule.rule for rule in known.mus.rules} <= may_be_dropped
    for drawing in trial.drawings(instance, 0):
        found = puzzle.rules.violations(instance, drawing)
        if {one.rule for one in found} <= may_be_dropped:
            assert any(is_broken(rule, found) for rule in known.mus.rules)
        # In every drawing there is, so nothing else that is dropped would help.
        for seen in known.at_sight:
            assert is_broken(seen.rule, found) or any(seen.names(one) for one in found)
