"""The backbone of a CP-SAT model: the Boolean variables that have one value in all solutions."""

from collections.abc import Sequence

from ortools.sat.python import cp_model

from twinproof.optim.errors import EngineError


def cpsat_backbone(model: cp_model.CpModel, variables: Sequence[cp_model.IntVar]) -> dict[int, int] | None:
    """Find the Boolean variables that have the same value in every solution.

    Solution after solution differs from the first in as many variables, not seen to vary so far, as the solver
    finds at once; when none can differ, the rest are forced. The solver proves each such step anew, so this is
    slower than `optim.sat.backbone`, and shares nothing with it.

    Parameters
    ----------
    model : cp_model.CpModel
        Without an objective; left as it is.
    variables : sequence of IntVar
        Boolean variables of the model.

    Returns
    -------
    dict or None
        The value of each forced variable, by its place in `variables`; None if there is no solution.

    Raises
    ------
    EngineError
        If CP-SAT refuses the model or gives up.
    """
    solver = _solver()
    if not _solve(solver, model):
        return None
    suspects = {i: int(solver.boolean_value(variable)) for i, variable in enumerate(variables)}
    while suspects:
        asked = model.clone()
        copies = {i: asked.get_bool_var_from_proto_index(variables[i].index) for i in suspects}
        differs = [~copies[i] if value else copies[i] for i, value in suspects.items()]
        asked.add_bool_or(differs)
        asked.maximize(cp_model.LinearExpr.sum(differs))
        solver = _solver()
        # Many at once are welcome; the very most are not needed.
        solver.parameters.relative_gap_limit = 0.5
        if not _solve(solver, asked):
            return suspects
        suspects = {i: v for i, v in suspects.items() if int(solver.boolean_value(copies[i])) == v}
    return suspects


def _solver() -> cp_model.CpSolver:
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.catch_sigint_signal = False
    return solver


def _solve(solver: cp_model.CpSolver, model: cp_model.CpModel) -> bool:
    status = solver.solve(model)
    if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return True
    if status == cp_model.INFEASIBLE:
        return False
    raise EngineError(f"CP-SAT ended with {solver.status_name(status)}: {model.validate()}")
