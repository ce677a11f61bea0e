"""Counting in clauses: exact, and its auxiliary variables are read rightly."""

from itertools import product

import pytest

from tests.support.clauses import has_model
from twinproof.optim.proof import cardinality as counting
from twinproof.optim.proof.cnf import Formula, holds


@pytest.mark.parametrize("count", range(7))
def test_counting_is_exact_and_its_readings_make_it_true(count: int) -> None:
    for signs, number in product((1, -1), range(-1, count + 2)):
        literals = [signs * v for v in range(1, count + 1)]
        for demand in (counting.at_most, counting.at_least, counting.exactly):
            for few_sets in (0, counting.FEW_SETS):
                formula = Formula(count)
                with pytest.MonkeyPatch.context() as patch:
                    patch.setattr(counting, "FEW_SETS", few_sets)
                    demand(formula, literals, number)
                for chosen in product((False, True), repeat=count):
                    truth = formula.extend([v for v in range(1, count + 1) if chosen[v - 1]])
                    true = sum(holds(truth, literal) for literal in literals)
                    expected = {"at_most": true <= number, "at_least": true >= number, "exactly": true == number}
                    assert (formula.broken(truth) is None) == expected[demand.__name__]
                    units = [[v if chosen[v - 1] else -v] for v in range(1, count + 1)]
                    if chosen in ((True,) * count, (False,) * count) or few_sets == 0:
                        for unit in units:
                            formula.clauses.append(tuple(unit))
                        assert has_model(formula) == expected[demand.__name__]
                        del formula.clauses[len(formula.clauses) - count :]
