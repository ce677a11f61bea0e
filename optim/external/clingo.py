"""An external engine for MaxSAT formulas: the answer set solver clingo, given the formula as a ground program.

Every variable may be chosen; a hard clause forbids that all its literals are false; false soft clauses are
minimised, by unsatisfiable cores (OLL), so that bounds are known on the way.

References
----------
M. Gebser, R. Kaminski, B. Kaufmann and T. Schaub, "Multi-shot ASP solving with clingo", TPLP 19, 2019.
B. Andres, B. Kaufmann, O. Matheis and T. Schaub, "Unsatisfiability-based optimization in clasp", ICLP 2012.
"""

from collections.abc import Sequence
from typing import TypeVar

from clingo import Control, Model
from pysat.formula import WCNF

from twinproof.optim.errors import EngineError
from twinproof.optim.maxsat import MaxsatModel, check_assignment, cost_of, post, value_of
from twinproof.optim.process.tasks import Bounded, Built, Finished, Found, Report
from twinproof.optim.request import Request

LayoutT = TypeVar("LayoutT")

STRATEGY = "usc,oll"


def search(report: Report, request: Request[MaxsatModel[LayoutT]]) -> None:
    """Build a formula and let clingo settle it; see `optim.engine.solve`.

    Parameters
    ----------
    report : Report
        Takes the sense, the layouts on the way, bounds and the end.
    request : Request
        How to build the formula, the threshold and the limits; of these the seed and the workers are clingo's.

    Raises
    ------
    EngineError
        If a model breaks a hard clause or does not cost what clingo says, or clingo ends without an answer.
    """
    formula = post(request.build(), request.threshold)
    report(Built(formula.sense))
    wcnf, sense = formula.wcnf, formula.sense
    control = Control(
        [
            f"--opt-strategy={STRATEGY}",
            f"--seed={request.limits.seed}",
            f"--parallel-mode={request.limits.workers or 1}",
            "--warn=none",
        ]
    )
    _add(control, wcnf)
    costs: list[int] = []

    def on_model(found: Model) -> None:
        literals = [v if found.is_true(v) else -v for v in range(1, wcnf.nv + 1)]
        assignment = check_assignment(wcnf, literals)
        cost = cost_of(wcnf, assignment)
        if sense is None:
            report(Found(None, formula.read(assignment)))
        else:
            said = sum(found.cost)  # one priority; none of them without soft clauses
            if cost != said:
                raise EngineError(f"clingo says cost {said}, its model costs {cost}")
            report(Found(value_of(wcnf, sense, cost), formula.read(assignment)))
        costs.append(cost)

    def on_unsat(lower: Sequence[int]) -> None:
        if sense is not None and lower:
            report(Bounded(value_of(wcnf, sense, sum(lower))))

    result = control.solve(on_model=on_model, on_unsat=on_unsat)
    if result.unsatisfiable and not costs:
        report(Finished("infeasible"))
    # Without soft clauses there is nothing to improve, and clingo ends at the first model.
    elif result.satisfiable and costs and (result.exhausted or not wcnf.soft):
        report(Finished(None if sense is None else "optimal"))
    else:
        raise EngineError(f"clingo ended without an answer: {result}")


def _add(control: Control, wcnf: WCNF) -> None:
    """Write the formula as a ground program in which variable v is atom v."""
    with control.backend() as backend:
        atoms = [backend.add_atom() for _ in range(wcnf.nv)]
        if atoms != list(range(1, wcnf.nv + 1)):
            raise EngineError("clingo does not number atoms from 1")
        backend.add_rule(atoms, choice=True)
        for clause in wcnf.hard:
            backend.add_rule([], [-literal for literal in clause])
        if wcnf.soft:
            backend.add_minimize(0, [(-literal, 1) for (literal,) in wcnf.soft])
