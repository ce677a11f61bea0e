"""The CP-SAT engine: solves an OR-Tools model and reports what it finds.

References
----------
L. Perron and F. Didier, "CP-SAT", OR-Tools 9.15. https://developers.google.com/optimization/cp/cp_solver/
"""

import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from ortools.sat.python import cp_model

from twinproof.optim.errors import EngineError, InputError
from twinproof.optim.outcome import Sense
from twinproof.optim.process.tasks import Bounded, Built, Finished, Found, Report

__all__ = ["CpsatModel", "CpsatSettings", "add_lex_leader", "check_subsolvers", "search"]

LayoutT = TypeVar("LayoutT")


@dataclass(frozen=True)
class CpsatSettings:
    """What a model asks of the solver.

    Parameters
    ----------
    workers : int
        Search workers, unless the limits say otherwise.
    subsolvers : tuple of str
        Names of CP-SAT's full subsolvers to run; empty for its own portfolio. Workers left over are given to
        its heuristics for finding solutions.
    linearization : int
        CP-SAT's `linearization_level`: 0 none, 1 Boolean structure, 2 everything.
    """

    workers: int = 2
    subsolvers: tuple[str, ...] = ()
    linearization: int = 1


@dataclass(frozen=True)
class CpsatModel(Generic[LayoutT]):
    """A CP-SAT model together with what is needed to read its answer.

    Parameters
    ----------
    model : cp_model.CpModel
        With its objective already set, where there is one.
    sense : Sense or None
        None for a yes/no question: the first solution is the answer, whatever objective guides the search.
    read : callable
        Turns the values of all variables, by index, into a layout.
    settings : CpsatSettings
    write : callable, optional
        Turns a layout into values of variables, to start the search from.
    """

    model: cp_model.CpModel
    sense: Sense | None
    read: Callable[[Sequence[int]], LayoutT]
    settings: CpsatSettings = field(default_factory=CpsatSettings)
    write: "Callable[[LayoutT], Iterable[tuple[cp_model.IntVar, int]]] | None" = None


def check_subsolvers(names: Sequence[str]) -> None:
    """Refuse names that CP-SAT does not know as subsolvers; only CP-SAT itself can tell.

    Raises
    ------
    InputError
        If one is unknown.
    """
    for name in names:
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.catch_sigint_signal = False
        solver.parameters.subsolvers.append(name)
        if solver.solve(cp_model.CpModel()) == cp_model.MODEL_INVALID:
            raise InputError(f"subsolver {name!r}: unknown to CP-SAT")


def search(
    report: Report,
    build: Callable[[], CpsatModel[LayoutT]],
    workers: int | None = None,
    seed: int = 0,
    subsolvers: Sequence[str] | None = None,
    hint: LayoutT | None = None,
    cut: int | None = None,
) -> None:
    """Build a model and solve it; see `optim.engine.solve`.

    Raises
    ------
    EngineError
        If CP-SAT refuses the model or fails.
    """
    model = build()
    report(Built(model.sense))
    if hint is not None and model.write is not None:
        for variable, value in model.write(hint):
            model.model.add_hint(variable, value)
    if cut is not None and model.sense is not None:
        _add_cut(model.model, model.sense, cut)
        report(Bounded(cut))
    solver = cp_model.CpSolver()
    parameters = solver.parameters
    parameters.num_workers = workers or model.settings.workers
    parameters.linearization_level = model.settings.linearization
    parameters.random_seed = seed
    chosen = model.settings.subsolvers if subsolvers is None else tuple(subsolvers)
    if chosen != ("default",):
        parameters.subsolvers.extend(chosen)
    # CP-SAT's own handler would leave the process without Python's: the next Ctrl-C would kill it.
    parameters.catch_sigint_signal = False
    if model.sense is None:
        # Where the model has an objective all the same, it is there to guide the search.
        parameters.stop_after_first_solution = True
    else:
        # The bound is a floating-point number; objectives here are whole, so the next whole number holds too.
        tighten = math.ceil if model.sense is Sense.MINIMIZE else math.floor
        slack = -1e-6 if model.sense is Sense.MINIMIZE else 1e-6

        def on_bound(bound: float) -> None:
            if math.isfinite(bound):
                # Objectives are counts: CP-SAT's first bounds can be below 0, which says nothing.
                report(Bounded(max(0, tighten(bound + slack))))

        solver.best_bound_callback = on_bound
    status = solver.solve(model.model, _SolutionCallback(report, model))
    if status == cp_model.OPTIMAL:
        # Never on the status alone: it has been wrong after a stop (google/or-tools#4430).
        if model.sense is not None and round(solver.objective_value) != round(solver.best_objective_bound):
            raise EngineError(
                f"CP-SAT calls {solver.objective_value} optimal at bound {solver.best_objective_bound}"
            )
        report(Finished("optimal"))
    elif status == cp_model.INFEASIBLE:
        report(Finished("infeasible"))
    elif status == cp_model.MODEL_INVALID:
        raise EngineError(f"CP-SAT refuses the model: {model.model.validate() or solver.solution_info()}")
    else:
        report(Finished(None))


def _add_cut(model: cp_model.CpModel, sense: Sense, bound: int) -> None:
    """Demand that the objective is not better than a bound that is known from elsewhere."""
    objective = model.proto.objective
    # CP-SAT keeps what is to be maximised as something to be minimised, with all signs turned.
    sign = -1 if sense is Sense.MAXIMIZE else 1
    terms = zip(objective.vars, objective.coeffs, strict=True)
    value = sum(sign * coefficient * model.get_int_var_from_proto_index(index) for index, coefficient in terms)
    value += sign * round(objective.offset)
    model.add(value <= bound if sense is Sense.MAXIMIZE else value >= bound)


class _SolutionCallback(cp_model.CpSolverSolutionCallback):
    def __init__(self, report: Report, model: CpsatModel[Any]) -> None:
        super().__init__()
        self._report = report
        self._model = model

    def on_solution_callback(self) -> None:
        """Report the solution that CP-SAT has just found."""
        value = None if self._model.sense is None else round(self.objective_value)
        self._report(Found(value, self._model.read(self.response_proto.solution)))


VariableT = TypeVar("VariableT", bound=Hashable)


def add_lex_leader(
    model: cp_model.CpModel,
    order: Sequence[VariableT],
    image: Mapping[VariableT, VariableT],
    is_true: Mapping[VariableT, cp_model.IntVar],
) -> None:
    """Demand that a layout is lexicographically not above its image under a symmetry.

    With the variables read in the given order, false before true: (x_1, x_2, ...) <= (g(x_1), g(x_2), ...).
    At least one layout of every orbit satisfies this for all symmetries of a group at once, if all are given
    the same order.

    Parameters
    ----------
    model : cp_model.CpModel
    order : sequence
        The keys that are compared, most significant first.
    image : mapping
        The symmetry: a permutation of the keys.
    is_true : mapping
        The Boolean variable of each key.

    References
    ----------
    J. Crawford, M. Ginsberg, E. Luks and A. Roy, "Symmetry-breaking predicates for search problems", KR 1996.
    """
    still_equal: cp_model.IntVar | None = None
    compared: set[tuple[VariableT, VariableT]] = set()
    for key in order:
        other = image[key]
        # A fixed key compares equal; a pair already compared the other way round is known to be equal.
        if key == other or (other, key) in compared:
            continue
        compared.add((key, other))
        mine, theirs = is_true[key], is_true[other]
        given = [] if still_equal is None else [still_equal]
        model.add_implication(mine, theirs).only_enforce_if(given)
        next_equal = model.new_bool_var("")
        model.add_bool_or(next_equal, ~mine).only_enforce_if(given)
        model.add_bool_or(next_equal, theirs).only_enforce_if(given)
        still_equal = next_equal
