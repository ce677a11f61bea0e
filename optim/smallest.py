"""Smallest unsatisfiable subsets: the fewest of some statements that cannot hold together.

References
----------
A. Ignatiev, A. Previti, M. Liffiton and J. Marques-Silva, "Smallest MUS extraction with minimal hitting set
dualization", CP 2015.
"""

from collections.abc import Iterable, Sequence

from pysat.examples.hitman import Hitman

from optim.backbone import IncrementalFormula
from optim.encodings import Clause

__all__ = ["smallest_core"]


def smallest_core(
    clauses: Iterable[Clause], statements: Sequence[int], always: Sequence[int] = ()
) -> list[int] | None:
    """Find the fewest statements that cannot hold together.

    Statements left out in some model must be met by every unsatisfiable set, so those sets are at least as large
    as a smallest set that meets them all. If that one is unsatisfiable, it is the answer; if not, its model
    gives another set to be met. The sets start small: models are made to hold all they can.

    Parameters
    ----------
    clauses : iterable of list of int
        Satisfiable. A statement is a literal that, when true, demands something by these clauses.
    statements : sequence of int
        Their literals.
    always : sequence of int
        Literals that are assumed true and do not count.

    Returns
    -------
    list of int or None
        In the order of `statements`; None if all of them can hold together.
    """
    with IncrementalFormula(clauses) as formula, Hitman(solver="g4", htype="sorted") as hitting:
        if formula.solve([*always, *statements]) is not None:
            return None
        upper = _shrunk(formula, formula.core(), statements, always)
        chosen: list[int] = []
        while True:
            # Met by none of the chosen: the rest is found disjoint for as long as that goes.
            model = formula.solve([*always, *chosen])
            if model is None:
                return [lit for lit in statements if lit in set(chosen)]
            extra = list(chosen)
            while model is not None:
                missing = _missing(formula, model, extra, statements, always)
                if not missing:
                    break
                hitting.hit(missing)
                extra += missing
                model = formula.solve([*always, *extra])
            chosen = hitting.get()
            if len(chosen) >= len(upper):
                return upper


def _missing(
    formula: IncrementalFormula,
    model: frozenset[int],
    chosen: Sequence[int],
    statements: Sequence[int],
    always: Sequence[int],
) -> list[int]:
    """List statements that cannot be added, none of them, to a largest set that holds with those chosen."""
    holds = dict.fromkeys(lit for lit in statements if lit in model)
    holds |= dict.fromkeys(chosen)
    missing = []
    for lit in statements:
        if lit in holds:
            continue
        more = formula.solve([*always, *holds, lit])
        if more is None:
            missing.append(lit)
        else:
            holds |= dict.fromkeys(other for other in statements if other in more)
    return missing


def _shrunk(
    formula: IncrementalFormula, core: Iterable[int], statements: Sequence[int], always: Sequence[int]
) -> list[int]:
    """Drop statements from an unsatisfiable set until none can go: small, though not the smallest perhaps."""
    kept = [lit for lit in statements if lit in set(core)]
    for lit in list(kept):
        if lit not in kept:
            continue
        if formula.solve([*always, *(other for other in kept if other != lit)]) is None:
            smaller = set(formula.core())
            kept = [other for other in kept if other in smaller]
    return kept
