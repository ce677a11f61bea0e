"""The moves of the square, and lex-leader symmetry breaking: clauses that keep one of the layouts that are alike.

A permutation of the variables that maps the clauses onto themselves maps layouts to layouts. Of all layouts that
such permutations lead to from a given one, compare the truth of the variables in some fixed order, false before
true: the first of them comes no later than its own image under any of the permutations. It is enough to look for
such a layout, and that is what the clauses of `add_lex_leaders` say.

References
----------
J. Crawford, M. Ginsberg, E. Luks and A. Roy, "Symmetry-breaking predicates for search problems", KR 1996.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

from twinproof.models.grid import Cell
from twinproof.optim.proof.cnf import Formula, Key, Truth

MOVES: dict[str, Callable[[int, int, int, int], Cell]] = {
    "left-right": lambda r, c, height, width: (r, width - 1 - c),
    "up-down": lambda r, c, height, width: (height - 1 - r, c),
    "half-turn": lambda r, c, height, width: (height - 1 - r, width - 1 - c),
    "quarter-turn": lambda r, c, height, width: (c, height - 1 - r),
    "three-quarter-turn": lambda r, c, height, width: (width - 1 - c, r),
    "diagonal": lambda r, c, height, width: (c, r),
    "antidiagonal": lambda r, c, height, width: (width - 1 - c, height - 1 - r),
}
"""Where a cell goes, on a rectangle of some height and width."""


def move(name: str, cells: Iterable[Cell]) -> dict[Cell, Cell]:
    """Move cells on the smallest rectangle round them all; they may come to lie where none of them was.

    Parameters
    ----------
    name : str
        A key of `MOVES`.
    cells : iterable of Cell
        At least one.

    Returns
    -------
    dict of Cell to Cell
        Where each of them goes.
    """
    drawn = list(cells)
    top, left = min(r for r, _ in drawn), min(c for _, c in drawn)
    height, width = max(r for r, _ in drawn) - top + 1, max(c for _, c in drawn) - left + 1
    moved = {}
    for r, c in drawn:
        new_r, new_c = MOVES[name](r - top, c - left, height, width)
        moved[r, c] = (new_r + top, new_c + left)
    return moved


def add_lex_leaders(formula: Formula, variables: Mapping[Key, int], drawn: Iterable[Cell]) -> None:
    """Demand that a layout comes no later than its image under any move that maps the formula onto itself.

    Parameters
    ----------
    formula : Formula
        The rules. Whatever is added to it later must not change under a permutation of the cells, such as a bound
        on all marks of a kind together.
    variables : mapping
        Every variable of the formula, by what it is about; a move changes the cell and nothing else.
    drawn : iterable of Cell
        The cells on which the moves act.
    """
    cells = list(drawn)
    # The order is free. From the middle outwards makes short proofs: what a move maps to each other is close
    # there.
    middle_r = min(r for r, _ in cells) + max(r for r, _ in cells)
    middle_c = min(c for _, c in cells) + max(c for _, c in cells)
    layout = [variable for variable in variables.values() if variable <= formula.layout_variables]
    about = {variable: cell for (_, cell, _), variable in variables.items()}

    def outwards(variable: int) -> tuple[int, int]:
        r, c = about[variable]
        return (2 * r - middle_r) ** 2 + (2 * c - middle_c) ** 2, variable

    layout.sort(key=outwards)
    clauses = set(map(frozenset, formula.clauses))
    images = [
        image
        for name in MOVES
        if (image := _permutation(variables, move(name, cells))) is not None
        if {frozenset(_moved(image, literal) for literal in clause) for clause in clauses} == clauses
    ]
    for image in images:
        _add_lex_leader(formula, layout, image)


def _permutation(variables: Mapping[Key, int], moved: Mapping[Cell, Cell]) -> dict[int, int] | None:
    """Give the permutation of variables that a move of cells makes; None if it makes none."""
    image = {}
    for (mark, cell, number), variable in variables.items():
        target = variables.get((mark, moved[cell], number))
        if target is None:
            return None
        image[variable] = target
    return image


def _moved(image: Mapping[int, int], literal: int) -> int:
    return image[literal] if literal > 0 else -image[-literal]


def _add_lex_leader(formula: Formula, order: Sequence[int], image: Mapping[int, int]) -> None:
    """Demand that the variables in this order come no later than their images.

    The new variables say: equal so far. While all is equal, a variable that is true has a true image; and after a
    variable that is true, or has a false image, all is still equal.
    """
    equal: int | None = None
    same = _Classes()
    for variable in order:
        other = image[variable]
        if same.find(variable) == same.find(other):
            continue  # if all is equal so far, these two are
        so_far = () if equal is None else (-equal,)
        formula.add(*so_far, -variable, other)
        now = _define_equal(formula, equal, variable, other)
        formula.add(*so_far, -variable, now)
        formula.add(*so_far, other, now)
        equal = now
        same.join(variable, other)


def _define_equal(formula: Formula, before: int | None, one: int, other: int) -> int:
    def reading(truth: Truth) -> bool:
        return (before is None or truth[before]) and truth[one] == truth[other]

    return formula.define(reading)


class _Classes:
    """Which variables are known to be equal."""

    def __init__(self) -> None:
        self._parent: dict[int, int] = {}

    def find(self, variable: int) -> int:
        while (parent := self._parent.get(variable, variable)) != variable:
            variable = parent
        return variable

    def join(self, one: int, other: int) -> None:
        self._parent[self.find(one)] = self.find(other)
