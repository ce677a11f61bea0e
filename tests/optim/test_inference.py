"""The engines behind deductions: backbones, smallest cores, counts; on random systems against brute force."""

from itertools import combinations, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ortools.sat.python import cp_model
from pysat.formula import IDPool

from tests.support.examples import examples
from twinproof.optim import EngineError
from twinproof.optim import count as counting
from twinproof.optim.count import count_parts
from twinproof.optim.cpsat_backbone import cpsat_backbone
from twinproof.optim.sat.backbone import IncrementalFormula
from twinproof.optim.sat.mus import Mus, smallest_mus
from twinproof.optim.sat.totalizer import totalizer

relaxed = examples(60)

literals = st.integers(1, 6).flatmap(lambda v: st.sampled_from([v, -v]))
formulas = st.lists(st.lists(literals, min_size=1, max_size=3), max_size=14)


def models(clauses: list[list[int]], variables: int) -> list[set[int]]:
    found = []
    for signs in product((1, -1), repeat=variables):
        model = {sign * v for v, sign in enumerate(signs, start=1)}
        if all(model & set(clause) for clause in clauses):
            found.append(model)
    return found


@relaxed
@given(clauses=formulas, more=formulas, assumptions=st.lists(literals, max_size=2))
def test_forced_literals_are_those_of_all_models(
    clauses: list[list[int]], more: list[list[int]], assumptions: list[int]
) -> None:
    with IncrementalFormula(clauses) as formula:
        for wanted, given_now in ((clauses, []), (clauses, assumptions), (clauses + more[:2], [])):
            if wanted is not clauses:
                formula.add(more[:2])
            everything = models([*wanted, *([lit] for lit in given_now)], 6)
            found = formula.forced(range(1, 7), given_now)
            assert found == (set.intersection(*everything) if everything else None)


@relaxed
@given(clauses=formulas)
def test_cpsat_backbone_is_that_of_all_models(clauses: list[list[int]]) -> None:
    model = cp_model.CpModel()
    variables = [model.new_bool_var("") for _ in range(6)]
    for clause in clauses:
        model.add_bool_or(variables[lit - 1] if lit > 0 else ~variables[-lit - 1] for lit in clause)
    everything = models(clauses, 6)
    found = cpsat_backbone(model, variables)
    if not everything:
        assert found is None
        return
    assert found == {abs(lit) - 1: int(lit > 0) for lit in set.intersection(*everything)}


def test_cpsat_backbone_refuses_an_invalid_model() -> None:
    model = cp_model.CpModel()
    model.add(model.new_int_var(0, 2**62, "") * 2**62 <= 1)
    with pytest.raises(EngineError):
        cpsat_backbone(model, [])


@relaxed
@given(demands=st.lists(st.lists(st.lists(literals, min_size=1, max_size=2), min_size=1, max_size=2), max_size=7))
def test_smallest_mus_is_smallest(demands: list[list[list[int]]]) -> None:
    statements = [10 + i for i in range(len(demands))]
    guarded = [[-lit, *clause] for lit, demand in zip(statements, demands, strict=True) for clause in demand]

    def holds(chosen: tuple[int, ...]) -> bool:
        return bool(models([clause for lit in chosen for clause in demands[lit - 10]], 6))

    found = smallest_mus(guarded, statements)
    sizes = [n for n in range(len(statements) + 1) if not all(map(holds, combinations(statements, n)))]
    if not sizes:
        assert found is None
        return
    assert found is not None
    assert found.is_smus
    assert not holds(found.statements)
    assert len(found.statements) == min(sizes)
    hasty = smallest_mus(guarded, statements, time_limit=0)
    assert hasty is not None
    assert not holds(hasty.statements)
    assert all(holds(fewer) for fewer in combinations(hasty.statements, len(hasty.statements) - 1))


def test_smallest_mus_of_what_always_contradicts_is_empty() -> None:
    assert smallest_mus([[1], [-10, 2]], [10], always=[-1]) == Mus((), is_smus=True)


@relaxed
@given(count=st.integers(0, 7), top=st.integers(1, 8))
def test_totalizer_counts_both_ways(count: int, top: int) -> None:
    inputs = list(range(1, count + 1))
    clauses, outputs = totalizer(inputs, top, IDPool(start_from=count + 1))
    assert len(outputs) == min(count, top)
    with IncrementalFormula(clauses) as formula:
        for signs in product((1, -1), repeat=count):
            number = signs.count(1)
            forced = formula.forced(outputs, [sign * lit for sign, lit in zip(signs, inputs, strict=True)])
            assert forced == frozenset(lit if number > j else -lit for j, lit in enumerate(outputs))


@st.composite
def systems(draw: st.DrawFn) -> list[tuple[frozenset[int], int]]:
    sets = draw(st.lists(st.frozensets(st.integers(0, 9), max_size=6), max_size=7))
    solution = draw(st.frozensets(st.integers(0, 9)))
    system = []
    for variables in sets:
        spoilt = draw(st.integers(0, 9)) == 0
        system.append((variables, draw(st.integers(-1, 7)) if spoilt else len(variables & solution)))
    return system


@relaxed
@given(system=systems())
def test_count_parts_equals_brute_force(system: list[tuple[frozenset[int], int]]) -> None:
    parts = count_parts(system)
    variables = sorted(set().union(*(v for v, _ in system)))
    assert sorted(v for part in parts for v in part.variables) == variables
    solutions = [
        chosen
        for bits in product((False, True), repeat=len(variables))
        for chosen in [{v for v, bit in zip(variables, bits, strict=True) if bit}]
        if all(len(v & chosen) == k for v, k in system)
    ]
    total = 1
    for part in parts:
        total *= sum(part.solutions)
    assert total == len(solutions)
    if not solutions:
        return
    for part in parts:
        own: dict[frozenset[int], int] = {}
        for chosen in solutions:
            own[frozenset(chosen.intersection(part.variables))] = 1
        sizes = [len(chosen) for chosen in own]
        assert part.solutions == tuple(sizes.count(m) for m in range(len(part.variables) + 1))
        for v in part.variables:
            expected = [sum(len(chosen) == m for chosen in own if v in chosen) for m in range(len(part.solutions))]
            assert part.true_in[v] == tuple(expected)


def test_count_of_a_long_chain_is_a_power() -> None:
    # Pairs "exactly one of two", 300 of them, apart from each other: 2 ** 300 layouts, each with 300 true.
    parts = count_parts((frozenset({2 * i, 2 * i + 1}), 1) for i in range(300))
    assert [part.solutions for part in parts] == [(0, 2, 0)] * 300


def test_count_gives_up_where_it_would_need_too_many_states(monkeypatch: Any) -> None:
    monkeypatch.setattr(counting, "MAX_STATES", 50)
    # Rows and columns of a square, half of each: all rows are open at once.
    side = range(6)
    lines = [frozenset((r, c) for c in side) for r in side] + [frozenset((r, c) for r in side) for c in side]
    with pytest.raises(EngineError, match="too wide"):
        count_parts((line, 3) for line in lines)


def test_count_of_square_0_1_matrices_is_the_published_number() -> None:
    # 6 x 6 matrices of zeros and ones with three ones in each row and column: OEIS A001501(6).
    side = range(6)
    lines = [frozenset((r, c) for c in side) for r in side] + [frozenset((r, c) for r in side) for c in side]
    (part,) = count_parts((line, 3) for line in lines)
    assert part.solutions[18] == sum(part.solutions) == 297200
