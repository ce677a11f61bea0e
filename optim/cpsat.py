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
from twinproof.optim.request import Request, Threshold

LayoutT = TypeVar("LayoutT")


@dataclass(frozen=True)
class CpsatSettings:
    """What a model asks of the solver.

    Parameters
    ----------
    workers : int
        Search workers, unless the limits say otherwise.
    subsolvers : tuple of str
        Names of CP-SAT's full subsolvers to run where there is an objective; empty for its own portfolio, which is
        also what a model without an objective gets. Workers left over are given to its heuristics for finding
        solutions.
    linearization : int
        CP-SAT's `linearization_level`: 0 none, 1 Boolean structure, 2 everything.
    guided : bool
        Whether a yes/no question keeps the objective too, to guide the search. Subsolvers that refute by raising
        a bound prove nothing without one.
    """

    workers: int = 2
    subsolvers: tuple[str, ...] = ()
    linearization: int = 1
    guided: bool = False


@dataclass(frozen=True)
class CpsatModel(Generic[LayoutT]):
    """A CP-SAT model of the rules, what is counted and how an answer is read; `post` adds a question.

    Parameters
    ----------
    model : cp_model.CpModel
        Without an objective.
    counted : linear expression
        The value of a layout; of no matter where the sense is None.
    sense : Sense or None
        Which way the value is better; None where nothing is counted and any layout is an answer.
    read : callable
        Turns the values of all variables, by index, into a layout.
    cells : mapping
        For each cell the variable that is true exactly if the cell holds what the puzzle places.
    settings : CpsatSettings
    write : callable, optional
        Turns a layout into values of variables, for a warm start.
    leaves_out : str
        Which layouts the model may leave out where another is as good, in words; empty if it leaves out none.
    """

    model: cp_model.CpModel
    counted: cp_model.LinearExprT
    sense: Sense | None
    read: Callable[[Sequence[int]], LayoutT]
    cells: Mapping[Any, cp_model.IntVar] = field(default_factory=dict)
    settings: CpsatSettings = field(default_factory=CpsatSettings)
    write: "Callable[[LayoutT], Iterable[tuple[cp_model.IntVar, int]]] | None" = None
    leaves_out: str = field(default="", kw_only=True)


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


BEYOND = 2**60
"""CP-SAT's numbers end at 2^63. All thresholds above this one mean the same."""


def post(model: CpsatModel[Any], threshold: Threshold | None) -> Sense | None:
    """Add a question to a model, once: what to optimise, or a threshold to keep.

    Parameters
    ----------
    model : CpsatModel
        Its `model` is changed.
    threshold : Threshold, optional

    Returns
    -------
    Sense or None
        None for a yes/no question: any solution is a yes, whatever objective guides the search.

    Raises
    ------
    InputError
        If there is a threshold and nothing that is counted.
    """
    if model.sense is None:
        if threshold is not None:
            raise InputError("nothing is counted here that could be at least or at most a number")
        return None
    if threshold is not None and threshold.at_least is not None:
        model.model.add(model.counted >= min(threshold.at_least, BEYOND))
    if threshold is not None and threshold.at_most is not None:
        model.model.add(model.counted <= min(threshold.at_most, BEYOND))
    if threshold is None or model.settings.guided:
        optimise = model.model.minimize if model.sense is Sense.MINIMIZE else model.model.maximize
        optimise(model.counted)
    return model.sense if threshold is None else None


def search(report: Report, request: Request[CpsatModel[LayoutT]]) -> None:
    """Build a model and solve it; see `optim.engine.solve`.

    Parameters
    ----------
    report : Report
        Takes the sense, the layouts and bounds on the way, and the end.
    request : Request
        How to build the model, the threshold, limits and options.

    Raises
    ------
    EngineError
        If CP-SAT refuses the model or fails.
    """
    model = request.build()
    sense = post(model, request.threshold)
    report(Built(sense))
    options, limits = request.options, request.limits
    if options.warm_start is not None and model.write is not None:
        for variable, value in model.write(options.warm_start):
            model.model.add_hint(variable, value)
    if options.bound is not None and sense is not None:
        # Demand that the objective is not better than what is known from elsewhere.
        is_maximum = sense is Sense.MAXIMIZE
        model.model.add(model.counted <= options.bound if is_maximum else model.counted >= options.bound)
        report(Bounded(options.bound))
    solver = cp_model.CpSolver()
    parameters = solver.parameters
    parameters.num_workers = limits.workers or model.settings.workers
    parameters.linearization_level = model.settings.linearization
    parameters.random_seed = limits.seed
    chosen = options.subsolvers
    if chosen is None:
        chosen = () if sense is None and not model.settings.guided else model.settings.subsolvers
    if chosen != ("default",):
        parameters.subsolvers.extend(chosen)
    # CP-SAT's own handler would leave the process without Python's: the next Ctrl-C would kill it.
    parameters.catch_sigint_signal = False
    if sense is None:
        # Where the model has an objective all the same, it is there to guide the search.
        parameters.stop_after_first_solution = True
    else:
        # The bound is a floating-point number; objectives here are whole, so the next whole number holds too.
        tighten = math.ceil if sense is Sense.MINIMIZE else math.floor
        slack = -1e-6 if sense is Sense.MINIMIZE else 1e-6

        def on_bound(bound: float) -> None:
            if math.isfinite(bound):
                # Objectives are counts: CP-SAT's first bounds can be below 0, which says nothing.
                report(Bounded(max(0, tighten(bound + slack))))

        solver.best_bound_callback = on_bound
    status = solver.solve(model.model, _SolutionCallback(report, sense, model.read))
    if status == cp_model.OPTIMAL:
        # Never on the status alone: it has been wrong after a stop (google/or-tools#4430).
        if sense is not None and round(solver.objective_value) != round(solver.best_objective_bound):
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


class _SolutionCallback(cp_model.CpSolverSolutionCallback):
    def __init__(self, report: Report, sense: Sense | None, read: Callable[[Sequence[int]], Any]) -> None:
        super().__init__()
        self._report = report
        self._sense = sense
        self._read = read

    def on_solution_callback(self) -> None:
        """Report the solution that CP-SAT has just found."""
        value = None if self._sense is None else round(self.objective_value)
        self._report(Found(value, self._read(self.response_proto.solution)))


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
