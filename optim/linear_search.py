"""The baseline engine: linear SAT-UNSAT search, which the source article calls a K sweep.

"Is there a layout of value at most K?" (at least K, where the value is maximised) is asked again and again, each
time of a new solver, with K counted by a totalizer. The first question has no K; after a layout the next one is
for a layout better by one; the first no proves the last layout optimal. Nothing is kept between questions.

It is here to measure what optimising directly gains. Its bound is trivial until the end.
"""

from collections.abc import Sequence
from typing import TypeVar

from pysat.card import CardEnc, EncType
from pysat.solvers import Cadical195

from twinproof.optim.errors import EngineError, InputError
from twinproof.optim.outcome import Sense
from twinproof.optim.process.tasks import Bounded, Built, Finished, Found, Noted, Report
from twinproof.optim.request import Request
from twinproof.optim.sat.cadical import cadical_seed
from twinproof.optim.sat.encodings import Clause
from twinproof.optim.sat.model import ClauseModel

LayoutT = TypeVar("LayoutT")


def count_clauses(
    literals: Sequence[int], at_least: int | None, at_most: int | None, top: int
) -> tuple[list[Clause], int]:
    """Bound how many literals are true, by totalizers.

    Parameters
    ----------
    literals : sequence of int
    at_least, at_most : int or None
    top : int
        The highest variable so far.

    Returns
    -------
    clauses : list of list of int
    top : int
        The highest variable now.

    References
    ----------
    O. Bailleux and Y. Boufkhad, "Efficient CNF encoding of Boolean cardinality constraints", CP 2003.
    """
    clauses: list[Clause] = []
    if at_least is not None and at_least > 0:
        if at_least > len(literals):
            return [[]], top
        counter = CardEnc.atleast(list(literals), at_least, top_id=top, encoding=EncType.totalizer)
        clauses += counter.clauses
        top = max(top, counter.nv)
    if at_most is not None and at_most < len(literals):
        if at_most < 0:
            return [[]], top
        counter = CardEnc.atmost(list(literals), at_most, top_id=top, encoding=EncType.totalizer)
        clauses += counter.clauses
        top = max(top, counter.nv)
    return clauses, top


def search(report: Report, request: Request[ClauseModel[LayoutT]]) -> None:
    """Build a model and ask K after K; see `optim.engine.solve`.

    Parameters
    ----------
    report : Report
        Takes the sense, every layout that is better than those before, and the end.
    request : Request
        How to build the clauses, the threshold, and the limits, of which only the seed is used here.

    Raises
    ------
    InputError
        If there is a threshold and nothing that is counted.
    EngineError
        If the SAT solver's model breaks a clause.
    """
    model, threshold, seed = request.build(), request.threshold, request.limits.seed
    sense = model.sense if threshold is None else None
    report(Built(sense))
    counter: list[Clause] = []
    if threshold is not None:
        if model.sense is None:
            raise InputError("nothing is counted here that could be at least or at most a number")
        counter, _ = count_clauses(model.counted, threshold.at_least, threshold.at_most, model.top)
    found = _ask(model, counter, seed)
    if found is None:
        report(Finished("infeasible"))
        return
    if sense is None:
        report(Found(None, model.read(found)))
        return
    # All that is known of the bound before the end: a count lies between nothing and everything.
    report(Bounded(0 if sense is Sense.MINIMIZE else len(model.counted)))
    while found is not None:
        value = sum(found[abs(literal)] == (literal > 0) for literal in model.counted)
        report(Found(value, model.read(found)))
        if sense is Sense.MINIMIZE:
            report(Noted(f"asking for at most {value - 1}"))
            counter, _ = count_clauses(model.counted, None, value - 1, model.top)
        else:
            report(Noted(f"asking for at least {value + 1}"))
            counter, _ = count_clauses(model.counted, value + 1, None, model.top)
        found = _ask(model, counter, seed)
    report(Finished("optimal"))


def _ask(model: ClauseModel[LayoutT], counter: list[Clause], seed: int) -> tuple[int, ...] | None:
    """Ask a new solver for an assignment; None if there is none."""
    if [] in counter or [] in model.clauses:
        return None
    with cadical_seed(seed), Cadical195(bootstrap_with=model.clauses) as solver:
        solver.append_formula(counter)
        if not solver.solve():
            return None
        values = [0] * (model.top + 1)
        for literal in solver.get_model() or []:
            if 0 < literal <= model.top:
                values[literal] = 1
    for clause in model.clauses:
        if not any(values[abs(literal)] == (literal > 0) for literal in clause):
            raise EngineError(f"the SAT solver's model breaks the clause {clause}")
    return tuple(values)
