"""Smallest unsatisfiable subsets: the fewest of some statements that cannot hold together.

References
----------
A. Ignatiev, A. Previti, M. Liffiton and J. Marques-Silva, "Smallest MUS extraction with minimal hitting set
dualization", CP 2015.
"""

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pysat.examples.hitman import Hitman

from twinproof.optim.sat.backbone import IncrementalFormula
from twinproof.optim.sat.encodings import Clause

__all__ = ["Core", "smallest_core"]


@dataclass(frozen=True)
class Core:
    """Statements that cannot hold together, though they can when any of them is left out.

    Parameters
    ----------
    statements : tuple of int
        Their literals.
    smallest : bool
        Whether it is proved that no fewer statements do.
    """

    statements: tuple[int, ...]
    smallest: bool


def smallest_core(
    clauses: Iterable[Clause],
    statements: Sequence[int],
    always: Sequence[int] = (),
    time_limit: float | None = None,
) -> Core | None:
    """Find the fewest statements that cannot hold together.

    The statements that a model has to leave out must be met by every set that cannot hold together, so such sets
    are at least as large as the smallest set that meets all that were left out so far. If that one cannot hold
    together, it is the answer; if it can, its models have to leave out others.

    Parameters
    ----------
    clauses : iterable of list of int
        Satisfiable. A statement is a literal that, when true, demands something by these clauses.
    statements : sequence of int
        Their literals.
    always : sequence of int
        Literals that are assumed true and do not count.
    time_limit : float, optional
        Seconds after which a set that may not be the smallest is good enough.

    Returns
    -------
    Core or None
        None if all of them can hold together.
    """
    end = None if time_limit is None else time.monotonic() + time_limit
    with IncrementalFormula(clauses) as formula, Hitman(solver="g4", htype="sorted") as hitting:
        if formula.solve([*always, *statements]) is not None:
            return None
        upper = _irreducible(formula, statements, always)
        chosen: list[int] = []
        # A smallest set that meets all sets found is as small as a core can be.
        while len(chosen) < len(upper):
            if end is not None and time.monotonic() > end:
                return Core(tuple(upper), smallest=False)
            if formula.solve([*always, *chosen]) is None:
                return Core(tuple(lit for lit in statements if lit in set(chosen)), smallest=True)
            for left_out in _left_out(formula, chosen, statements, always):
                hitting.hit(left_out)
            chosen = hitting.get()
        return Core(tuple(upper), smallest=True)


def _left_out(
    formula: IncrementalFormula, chosen: Sequence[int], statements: Sequence[int], always: Sequence[int]
) -> list[list[int]]:
    """List disjoint sets of statements of which each is what a model of those chosen must leave out."""
    found = []
    held = list(chosen)
    while (model := formula.solve([*always, *held])) is not None:
        # Make a model hold all it can beside those held; what then cannot be added is left out.
        holds = dict.fromkeys([*held, *(lit for lit in statements if lit in model)])
        missing = []
        for lit in statements:
            if lit in holds:
                continue
            more = formula.solve([*always, *holds, lit])
            if more is None:
                missing.append(lit)
            else:
                holds |= dict.fromkeys(other for other in statements if other in more)
        found.append(missing)
        held += missing
    return found


def _irreducible(formula: IncrementalFormula, statements: Sequence[int], always: Sequence[int]) -> list[int]:
    """Drop statements from the core just found until none can go: few, though not the fewest perhaps."""
    kept = [lit for lit in statements if lit in set(formula.core())]
    for lit in list(kept):
        if lit in kept and formula.solve([*always, *(other for other in kept if other != lit)]) is None:
            smaller = set(formula.core())
            kept = [other for other in kept if other in smaller]
    return kept
