"""Encodings against their definitions, over all assignments of small cases."""

from itertools import permutations, product

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ortools.sat.python import cp_model
from pysat.formula import IDPool
from pysat.solvers import Solver

from tests.support.examples import examples
from twinproof.optim.cpsat import add_lex_leader
from twinproof.optim.sat.encodings import acyclic, at_least, at_most, elimination_order, lex_leader

Arc = tuple[int, int]


def satisfiable(clauses: list[list[int]], fixed: list[int]) -> bool:
    with Solver("cadical195", bootstrap_with=clauses) as solver:
        return bool(solver.solve(assumptions=fixed))


@examples(60)
@given(
    arcs=st.sets(st.tuples(st.integers(0, 4), st.integers(0, 4)).filter(lambda a: a[0] != a[1]), max_size=9),
    order=st.permutations(range(5)),
)
def test_acyclic_allows_exactly_the_choices_without_a_cycle(arcs: set[Arc], order: list[int]) -> None:
    pool = IDPool()
    literal = {arc: pool.id(arc) for arc in sorted(arcs)}
    clauses = acyclic(literal, order, pool)
    for chosen in product([False, True], repeat=len(arcs)):
        picked = [arc for arc, taken in zip(literal, chosen, strict=True) if taken]
        expected = nx.is_directed_acyclic_graph(nx.DiGraph(picked))
        fixed = [lit if taken else -lit for lit, taken in zip(literal.values(), chosen, strict=True)]
        assert satisfiable(clauses, fixed) == expected


def test_acyclic_is_compact_on_a_grid() -> None:
    # Step-by-step reachability takes about 5 n^2 clauses here: 5 * 248^2 is over 300,000 for the disc.
    grid = nx.grid_2d_graph(16, 16)
    pool = IDPool()
    arcs = {arc: pool.id(arc) for u, v in grid.edges for arc in ((u, v), (v, u))}
    clauses = acyclic(arcs, elimination_order(grid), pool)
    assert len(clauses) < 60_000


def test_elimination_order_of_a_tree_adds_no_edge() -> None:
    tree = nx.balanced_tree(3, 3)
    pool = IDPool()
    arcs = {arc: pool.id(arc) for u, v in tree.edges for arc in ((u, v), (v, u))}
    acyclic(arcs, elimination_order(tree), pool)
    assert pool.top == len(arcs)


GROUPS = {
    "mirror": [(2, 1, 0)],
    "rotations": [(1, 2, 0), (2, 0, 1)],
    "all of three": [p for p in permutations(range(3)) if p != (0, 1, 2)],
    "four-cycle": [(1, 2, 3, 0), (2, 3, 0, 1), (3, 0, 1, 2)],
}


@pytest.mark.parametrize("group", GROUPS.values(), ids=GROUPS)
@pytest.mark.parametrize("engine", ["maxsat", "cpsat"])
def test_lex_leader_keeps_exactly_the_first_of_every_orbit(group: list[tuple[int, ...]], engine: str) -> None:
    size = len(group[0])
    keys = list(range(size))
    for values in product([0, 1], repeat=size):
        images = [tuple(values[image[key]] for key in keys) for image in group]
        expected = all(values <= image for image in images)
        if engine == "maxsat":
            pool = IDPool()
            literal = {key: pool.id(key) for key in keys}
            clauses = [c for g in group for c in lex_leader(keys, dict(enumerate(g)), literal, pool)]
            fixed = [literal[key] if values[key] else -literal[key] for key in keys]
            assert satisfiable(clauses, fixed) == expected
        else:
            model = cp_model.CpModel()
            is_true = {key: model.new_bool_var(str(key)) for key in keys}
            for g in group:
                add_lex_leader(model, keys, dict(enumerate(g)), is_true)
            for key in keys:
                model.add(is_true[key] == values[key])
            solver = cp_model.CpSolver()
            solver.parameters.num_workers = 1
            solver.parameters.catch_sigint_signal = False
            assert (solver.solve(model) == cp_model.OPTIMAL) == expected


@pytest.mark.parametrize("size", range(5))
def test_counts_allow_exactly_what_they_say(size: int) -> None:
    for bound, values in product(range(-1, size + 2), product([0, 1], repeat=size)):
        for encode, holds in ((at_most, sum(values) <= bound), (at_least, sum(values) >= bound)):
            pool = IDPool()
            literals = [pool.id(i) for i in range(size)]
            clauses = encode(literals, bound, pool)
            fixed = [lit if value else -lit for lit, value in zip(literals, values, strict=True)]
            assert satisfiable(clauses, fixed) == holds
