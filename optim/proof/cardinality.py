"""At most k, at least k, exactly k of some literals, as clauses.

References
----------
O. Bailleux and Y. Boufkhad, "Efficient CNF encoding of Boolean cardinality constraints", CP 2003.
"""

from collections.abc import Sequence
from itertools import combinations
from math import comb

from twinproof.optim.proof.cnf import Formula, Truth, holds

FEW_SETS = 70
"""At most this number of sets is written out: as many as a number among the eight neighbours of a cell needs."""


def at_most(formula: Formula, literals: Sequence[int], most: int) -> None:
    """Demand that at most `most` of the literals are true.

    Either of every `most + 1` literals one is false, where those are few; or a totalizer counts: a tree with the
    literals as its leaves, where variable j of a node says that at least j of the leaves below it are true. If i
    leaves of one child are true and j of the other, then i + j of the node's are. That is all that the clauses
    say.

    Parameters
    ----------
    formula : Formula
        Takes the clauses, and the variables of the totalizer.
    literals : sequence of int
        Those that are counted.
    most : int
        If it is negative, the formula gets an empty clause.
    """
    if most < 0:
        formula.add()
        return
    if len(literals) <= most:
        return
    if comb(len(literals), most + 1) <= FEW_SETS:
        for chosen in combinations(literals, most + 1):
            formula.add(*(-literal for literal in chosen))
        return
    formula.add(-_totalizer(formula, literals, most + 1)[most])


def at_least(formula: Formula, literals: Sequence[int], least: int) -> None:
    """Demand that at least `least` of the literals are true, that is, that at most the others are false.

    Parameters
    ----------
    formula : Formula
        Takes the clauses.
    literals : sequence of int
        Those that are counted.
    least : int
        If there are fewer literals, the formula gets an empty clause.
    """
    at_most(formula, [-literal for literal in literals], len(literals) - least)


def exactly(formula: Formula, literals: Sequence[int], number: int) -> None:
    """Demand that exactly `number` of the literals are true.

    Parameters
    ----------
    formula : Formula
        Takes the clauses.
    literals : sequence of int
        Those that are counted.
    number : int
        How many of them are true.
    """
    at_most(formula, literals, number)
    at_least(formula, literals, number)


def _totalizer(formula: Formula, leaves: Sequence[int], highest: int) -> list[int]:
    """Give a node's variables: entry j - 1 says that at least j of its leaves are true, for j up to `highest`."""
    if len(leaves) == 1:
        return list(leaves)
    middle = len(leaves) // 2
    left = _totalizer(formula, leaves[:middle], highest)
    right = _totalizer(formula, leaves[middle:], highest)
    counts = [_define_count(formula, leaves, j) for j in range(1, min(len(leaves), highest) + 1)]
    # Entry 0 says nothing: at least 0 are true.
    for i, from_left in enumerate([0, *left]):
        for j, from_right in enumerate([0, *right]):
            if i + j > 0:
                children = [child for child in (from_left, from_right) if child]
                formula.add(*(-child for child in children), counts[min(i + j, highest) - 1])
    return counts


def _define_count(formula: Formula, leaves: Sequence[int], number: int) -> int:
    def reading(truth: Truth) -> bool:
        return sum(holds(truth, leaf) for leaf in leaves) >= number

    return formula.define(reading)
