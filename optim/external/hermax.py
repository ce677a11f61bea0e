"""External engines for MaxSAT formulas: UWrMaxSAT, CASHWMaxSAT and EvalMaxSAT, by way of the package hermax.

None of them reports anything before its end, so an unfinished run knows nothing; none takes a seed. A model is
checked and its cost is recounted; that no model costs less is the solver's word, for other engines to contradict.

References
----------
J. M. Salvia Hornos, C. Fernandez Camon and C. Mateu Pinol, "Hermax: A Unified MaxSAT Library", SAT 2026.
M. Piotrow, "UWrMaxSat: Efficient Solver for MaxSAT and Pseudo-Boolean Problems", ICTAI 2020.
S. Pan, Y. Wang and S. Cai, "An Efficient Core-Guided Solver for Weighted Partial MaxSAT", IJCAI 2025: CASHWMaxSAT.
F. Avellaneda, "EvalMaxSAT", MaxSAT Evaluation 2023.
"""

from collections import Counter
from collections.abc import Callable
from typing import Any, TypeVar

from hermax.incremental import UWrMaxSAT
from hermax.non_incremental import CASHWMaxSAT, EvalMaxSAT
from pysat.formula import WCNF
from pysat.solvers import Cadical195

from twinproof.optim.errors import EngineError
from twinproof.optim.maxsat import MaxsatModel, check_assignment, cost_of, post, value_of
from twinproof.optim.process.tasks import Built, Finished, Found, Report
from twinproof.optim.request import Request

LayoutT = TypeVar("LayoutT")

SOLVERS: dict[str, Callable[[], Any]] = {
    "uwrmaxsat": UWrMaxSAT,
    "cashwmaxsat": CASHWMaxSAT,
    "evalmaxsat": EvalMaxSAT,
}

# Statuses of IPAMIR, the interface of incremental MaxSAT solvers.
UNSATISFIABLE, OPTIMUM = 20, 30


def search(report: Report, request: Request[MaxsatModel[LayoutT]], engine: str) -> None:
    """Build a formula and let one of the solvers settle it; see `optim.engine.solve`.

    Parameters
    ----------
    report : Report
        Takes the sense, the layout and the end; these solvers report nothing on the way.
    request : Request
        How to build the formula, and the threshold.
    engine : str
        A key of `SOLVERS`.

    Raises
    ------
    EngineError
        If the solver ends with anything but an optimum or a contradiction; if its model breaks a hard clause or
        does not cost what it says; or if it finds a contradiction where a SAT solver finds a model.
    """
    formula = post(request.build(), request.threshold)
    report(Built(formula.sense))
    wcnf = formula.wcnf
    if any(not clause for clause in wcnf.hard):  # the interface has no word for an empty clause
        report(Finished("infeasible"))
        return
    solver = SOLVERS[engine]()
    try:
        for clause in wcnf.hard:
            solver.add_clause([int(literal) for literal in clause])
        weights, certain = _weights(wcnf)
        for literal, weight in weights.items():
            solver.set_soft(literal, weight)
        solver.solve()
        status = int(solver.get_status())
        if status == UNSATISFIABLE:
            _check_contradiction(engine, wcnf)
            report(Finished("infeasible"))
            return
        if status != OPTIMUM:
            raise EngineError(f"{engine} ended with status {status}, neither an optimum nor a contradiction")
        assignment = check_assignment(wcnf, solver.get_model())
        cost, said = cost_of(wcnf, assignment), int(solver.get_cost()) + certain
        if cost != said:
            raise EngineError(f"{engine} says cost {said}, its model costs {cost}")
    finally:
        solver.close()
    if formula.sense is None:
        report(Found(None, formula.read(assignment)))
        return
    report(Found(value_of(wcnf, formula.sense, cost), formula.read(assignment)))
    report(Finished("optimal"))


def _weights(wcnf: WCNF) -> tuple[dict[int, int], int]:
    """Give each soft literal its weight, once, and the cost that every assignment has.

    A second weight of a literal would replace the first. Of a literal and its negation one is always false.
    """
    counts = Counter(literal for (literal,) in wcnf.soft)
    weights = {literal: count - counts[-literal] for literal, count in counts.items()}
    certain = sum(min(count, counts[-literal]) for literal, count in counts.items() if literal > 0)
    return {literal: weight for literal, weight in weights.items() if weight > 0}, certain


def _check_contradiction(engine: str, wcnf: WCNF) -> None:
    """Ask a SAT solver too: nothing else tells a proof of a contradiction from a search that failed."""
    with Cadical195(bootstrap_with=wcnf.hard) as solver:
        if solver.solve():
            raise EngineError(f"{engine} says that there is no model, and there is one")
