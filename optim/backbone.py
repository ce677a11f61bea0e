"""What every solution has in common: the literals of a formula, or the values of a CP-SAT model, that are forced.

References
----------
M. Janota, I. Lynce and J. Marques-Silva, "Algorithms for computing backbones of propositional formulae",
AI Communications 28, 2015.
"""

from collections.abc import Iterable, Sequence
from types import TracebackType

from ortools.sat.python import cp_model
from pysat.solvers import Solver

from optim.encodings import Clause
from optim.errors import EngineError

__all__ = ["IncrementalFormula", "cpsat_backbone"]


class IncrementalFormula:
    """A formula that grows, in one SAT solver, which keeps what it has learnt from question to question.

    Parameters
    ----------
    clauses : iterable of list of int
        To begin with.
    """

    def __init__(self, clauses: Iterable[Clause] = ()) -> None:
        # Of PySAT's solvers this one took the least time here: many easy calls, each under one assumption.
        self._solver = Solver(name="minisat22", bootstrap_with=clauses)

    def __enter__(self) -> "IncrementalFormula":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Free the solver."""
        self._solver.delete()

    def add(self, clauses: Iterable[Clause]) -> None:
        """Demand more."""
        for clause in clauses:
            self._solver.add_clause(clause)

    def solve(self, assumptions: Sequence[int] = ()) -> frozenset[int] | None:
        """Give the literals of a model under assumptions; None if there is none."""
        if not self._solver.solve(assumptions=list(assumptions)):
            return None
        return frozenset(self._solver.get_model())

    def core(self) -> list[int]:
        """Give assumptions of the last question, answered None, that cannot hold together."""
        return list(self._solver.get_core() or [])

    def forced(self, variables: Iterable[int], assumptions: Sequence[int] = ()) -> frozenset[int] | None:
        """Find the literals that every model has.

        A literal of the first model is put to the test by assuming its opposite. If there is a model all the
        same, that model often acquits other literals too.

        Parameters
        ----------
        variables : iterable of int
            Whose literals are looked at.
        assumptions : sequence of int
            What every model considered must satisfy.

        Returns
        -------
        frozenset of int or None
            None if there is no model.
        """
        wanted = list(variables)
        # A variable that no clause mentions may be missing in a model: then it is free.
        model = self.solve(assumptions)
        if model is None:
            return None
        suspects = [lit for v in wanted for lit in (v, -v) if lit in model]
        # Where the solver has a choice, it shall show that a suspect can be otherwise.
        self._solver.set_phases([-lit for lit in suspects])
        forced = set()
        remaining = dict.fromkeys(suspects)
        while remaining:
            literal, _ = remaining.popitem()
            other = self.solve([*assumptions, -literal])
            if other is None:
                forced.add(literal)
            else:
                for acquitted in [lit for lit in remaining if -lit in other]:
                    del remaining[acquitted]
        return frozenset(forced)


def cpsat_backbone(model: cp_model.CpModel, variables: Sequence[cp_model.IntVar]) -> dict[int, int] | None:
    """Find the Boolean variables that have the same value in every solution.

    Solution after solution differs from the first in as many variables, not seen to vary so far, as the solver
    finds at once; when none can differ, the rest are forced. The solver proves each such step anew, so this is
    slower than `IncrementalFormula.forced`, and shares nothing with it.

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
