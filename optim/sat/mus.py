"""Why statements cannot hold together: minimal and smallest unsatisfiable subsets (MUS, SMUS).

References
----------
A. Ignatiev, A. Previti, M. Liffiton and J. Marques-Silva, "Smallest MUS extraction with minimal hitting set
dualization", CP 2015.
"""

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from pysat.examples.hitman import Hitman

from twinproof.optim.sat.backbone import IncrementalFormula
from twinproof.optim.sat.encodings import Clause
from twinproof.optim.sat.model import ClauseModel


@dataclass(frozen=True)
class Mus:
    """A minimal unsatisfiable subset: its statements cannot hold together, but all can when any is left out.

    Parameters
    ----------
    statements : tuple of int
        Their literals.
    is_smus : bool
        Whether it is proved that no fewer statements do: it is an SMUS.
    """

    statements: tuple[int, ...]
    is_smus: bool


def smallest_mus(
    clauses: Iterable[Clause],
    statements: Sequence[int],
    always: Sequence[int] = (),
    time_limit: float | None = None,
    fewer_than: int | None = None,
) -> Mus | None:
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
    fewer_than : int, optional
        Once it is proved that no set has fewer statements than this number, any set is good enough.

    Returns
    -------
    Mus or None
        None if all of them can hold together.
    """
    end = None if time_limit is None else time.monotonic() + time_limit
    with IncrementalFormula(clauses) as formula, Hitman(solver="g4", htype="sorted") as hitting:
        if formula.solve([*always, *statements]) is not None:
            return None
        upper = _irreducible(formula, statements, always)
        chosen: list[int] = []
        # A smallest set that meets all sets found is as small as an unsatisfiable one can be.
        while len(chosen) < len(upper):
            enough = fewer_than is not None and len(chosen) >= fewer_than
            if enough or (end is not None and time.monotonic() > end):
                return Mus(tuple(upper), is_smus=False)
            if formula.solve([*always, *chosen]) is None:
                return Mus(tuple(lit for lit in statements if lit in set(chosen)), is_smus=True)
            for left_out in _left_out(formula, chosen, statements, always):
                hitting.hit(left_out)
            chosen = hitting.get()
        return Mus(tuple(upper), is_smus=True)


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


def mus_of_rules(
    model: ClauseModel[Any], considered: Sequence[int] | None = None, time_limit: float | None = None
) -> tuple[tuple[int, ...], bool] | None:
    """Find rules that cannot hold together, though they can when any of them is left out.

    Parameters
    ----------
    model : ClauseModel
        Its clauses can hold together. A counted literal says that a rule is broken; all of them are different.
    considered : sequence of int, optional
        The places of the counted literals that are looked at; by default all.
    time_limit : float, optional
        Seconds after which rules that may not be the fewest are good enough.

    Returns
    -------
    places : tuple of int
        The places of the rules, in the order of the counted literals.
    is_smus : bool
        Whether it is proved that no fewer of them are in conflict.

    None if all of them can hold together.
    """
    places = range(len(model.counted)) if considered is None else considered
    place = {-model.counted[i]: i for i in places}
    found = smallest_mus(model.clauses, list(place), time_limit=time_limit)
    if found is None:
        return None
    return tuple(place[literal] for literal in found.statements), found.is_smus
