"""Lex-leader symmetry breaking: of the layouts that are alike, one at least remains."""

from itertools import product

from hypothesis import given, note
from hypothesis import strategies as st

from tests.support.clauses import has_model
from tests.support.examples import examples
from twinproof.models.field.lex_leader import MOVES, add_lex_leaders, move
from twinproof.optim.proof.cnf import Formula, Key


@st.composite
def symmetric_formulas(draw: st.DrawFn) -> tuple[Formula, dict[Key, int], list[tuple[int, int]]]:
    """Clauses over the cells of a rectangle, closed under some moves, or under none."""
    height, width = draw(st.sampled_from([(1, 4), (2, 2), (2, 3), (3, 3), (3, 4)]))
    cells = [(r, c) for r in range(height) for c in range(width)]
    at = {cell: number for number, cell in enumerate(cells, start=1)}
    formula = Formula(len(cells))
    signs = st.sampled_from([1, -1])
    clauses = {
        frozenset(
            draw(signs) * at[cell]
            for cell in draw(st.lists(st.sampled_from(cells), min_size=1, max_size=3, unique=True))
        )
        for _ in range(draw(st.integers(1, 8)))
    }
    names = [name for name in MOVES if set(move(name, cells).values()) == set(cells)]
    for name in draw(st.lists(st.sampled_from(names), max_size=3)):
        image = {at[cell]: at[target] for cell, target in move(name, cells).items()}
        for _ in range(4):
            clauses |= {frozenset(image[abs(x)] * (1 if x > 0 else -1) for x in clause) for clause in clauses}
    for clause in sorted(map(sorted, clauses)):
        formula.add(*clause)
    return formula, {("S", cell, 0): variable for cell, variable in at.items()}, cells


@examples(100)
@given(drawn=symmetric_formulas())
def test_a_formula_with_a_model_keeps_one_among_the_leaders(
    drawn: tuple[Formula, dict[Key, int], list[tuple[int, int]]],
) -> None:
    formula, variables, cells = drawn
    before = has_model(formula)
    clauses = len(formula.clauses)
    add_lex_leaders(formula, variables, cells)
    note(f"{len(formula.clauses) - clauses} clauses more")
    assert has_model(formula) == before


def test_leaders_are_fewer_and_the_moves_are_those_of_the_field() -> None:
    # On the empty 2x2 board the 16 sets of cells are 6 up to symmetry.
    formula = Formula(4)
    cells = [(0, 0), (0, 1), (1, 0), (1, 1)]
    add_lex_leaders(formula, {("S", cell, 0): number for number, cell in enumerate(cells, start=1)}, cells)
    good = [
        chosen
        for chosen in product((False, True), repeat=4)
        if formula.broken(formula.extend([v for v in range(1, 5) if chosen[v - 1]])) is None
    ]
    assert len(good) == 6
    # Of a board that no move but one maps onto itself, the others say nothing.
    formula = Formula(4)
    formula.add(1)
    add_lex_leaders(formula, {("S", cell, 0): number for number, cell in enumerate(cells, start=1)}, cells)
    assert has_model(formula)
    assert formula.variables == 4 + 1  # the diagonal, which swaps two cells
