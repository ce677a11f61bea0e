"""The MaxSAT engine: PySAT's RC2 for the proof, a second worker for layouts on the way.

RC2 is core-guided: it raises a lower bound on the cost until a model meets it, and has no model before that.
So a second process looks for models of falling cost, and an unfinished run still has a value and a bound.

References
----------
A. Ignatiev, A. Morgado and J. Marques-Silva, "RC2: an efficient MaxSAT solver", JSAT 11, 2019.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from pysat.card import ITotalizer
from pysat.examples.rc2 import RC2
from pysat.formula import WCNF
from pysat.solvers import Cadical195

from twinproof.optim.errors import EngineError
from twinproof.optim.outcome import Sense
from twinproof.optim.process.tasks import Bounded, Built, Finished, Found, Report
from twinproof.optim.sat.cadical import cadical_seed

__all__ = [
    "MaxsatModel",
    "MaxsatSettings",
    "check_assignment",
    "cost_of",
    "search",
    "search_incumbents",
    "value_of",
]

LayoutT = TypeVar("LayoutT")


@dataclass(frozen=True)
class MaxsatSettings:
    """RC2's heuristics, as its constructor names them."""

    adapt: bool = True
    exhaust: bool = True
    minz: bool = True


@dataclass(frozen=True)
class MaxsatModel(Generic[LayoutT]):
    """A partial MaxSAT formula together with what is needed to read its answer.

    Parameters
    ----------
    wcnf : WCNF
        Soft clauses are unit clauses of weight 1: what is counted. None of them for a yes/no question.
    sense : Sense or None
        `MINIMIZE` if the value is the number of false soft clauses, `MAXIMIZE` if it is the number of true
        ones, None for a yes/no question.
    read : callable
        Turns the truth values (0 or 1) of variables 0, 1, 2, ... into a layout; variable 0 is unused.
    settings : MaxsatSettings

    Raises
    ------
    EngineError
        If a soft clause is not a unit clause of weight 1, or the sense does not fit.
    """

    wcnf: WCNF
    sense: Sense | None
    read: Callable[[Sequence[int]], LayoutT]
    settings: MaxsatSettings = field(default_factory=MaxsatSettings)

    def __post_init__(self) -> None:
        if any(len(clause) != 1 for clause in self.wcnf.soft) or any(w != 1 for w in self.wcnf.wght):
            raise EngineError("soft clauses must be unit clauses of weight 1")
        if self.sense is None and self.wcnf.soft:
            raise EngineError("a yes/no question has no soft clauses")


def search(report: Report, build: Callable[[], MaxsatModel[LayoutT]], seed: int = 0) -> None:
    """Build a formula and settle it: by RC2, or by one SAT call for a yes/no question.

    RC2's lower bound is reported whenever it rises. See `optim.engine.solve`.

    Raises
    ------
    EngineError
        If RC2 gives no model where there is one, or a model that does not cost what it says.
    """
    model = build()
    report(Built(model.sense))
    if model.sense is None:
        _decide(report, model, seed)
    else:
        _optimize(report, model, model.sense, seed)


def _optimize(report: Report, model: MaxsatModel[LayoutT], sense: Sense, seed: int) -> None:
    wcnf = model.wcnf

    def on_cost(cost: int) -> None:
        report(Bounded(value_of(wcnf, sense, cost)))

    with cadical_seed(seed):
        rc2 = _ReportingRC2(on_cost, _private(wcnf), model.settings)
    with rc2:
        found = rc2.compute()
        if found is None:
            # None also means "interrupted" elsewhere; here nobody interrupts, and the oracle must agree.
            if rc2.oracle.get_status() is not False:
                raise EngineError("RC2 gave no model although its oracle found no contradiction")
            report(Finished("infeasible"))
            return
        assignment = check_assignment(wcnf, found)
        cost = cost_of(wcnf, assignment)
        if cost != rc2.cost:
            raise EngineError(f"RC2 says cost {rc2.cost}, its model costs {cost}")
    report(Found(value_of(wcnf, sense, cost), model.read(assignment)))
    report(Finished("optimal"))


class _ReportingRC2(RC2):  # type: ignore[misc]
    """RC2 that tells of every rise of its lower bound.

    RC2 raises `cost` in several methods (a new core, an exhausted core, an at-most-one group), always after
    the rise is proved; a property sees them all.
    """

    def __init__(self, on_cost: Callable[[int], None], wcnf: WCNF, settings: MaxsatSettings) -> None:
        self._on_cost = on_cost
        self._cost = 0
        super().__init__(
            wcnf, solver="cadical195", adapt=settings.adapt, exhaust=settings.exhaust, minz=settings.minz
        )

    @property
    def cost(self) -> int:
        return self._cost

    @cost.setter
    def cost(self, cost: int) -> None:
        risen = cost > self._cost
        self._cost = cost
        if risen:
            self._on_cost(cost)


def search_incumbents(report: Report, build: Callable[[], MaxsatModel[LayoutT]], seed: int = 0) -> None:
    """Build a formula and find models of ever lower cost; that none is lower is left for RC2 to prove."""
    model = build()
    report(Built(model.sense))
    if model.sense is None:
        return
    wcnf = model.wcnf
    with cadical_seed(seed), Cadical195(bootstrap_with=wcnf.hard) as solver:
        false_soft = [-clause[0] for clause in wcnf.soft]
        totalizer: ITotalizer | None = None
        try:
            while solver.solve():
                assignment = check_assignment(wcnf, solver.get_model() or [])
                cost = cost_of(wcnf, assignment)
                report(Found(value_of(wcnf, model.sense, cost), model.read(assignment)))
                if cost == 0:
                    return
                if totalizer is None:
                    totalizer = ITotalizer(lits=false_soft, ubound=cost - 1, top_id=wcnf.nv)
                    solver.append_formula(totalizer.cnf.clauses)
                solver.add_clause([-totalizer.rhs[cost - 1]])
            if totalizer is None:
                report(Finished("infeasible"))
        finally:
            if totalizer is not None:
                totalizer.delete()


def _decide(report: Report, model: MaxsatModel[LayoutT], seed: int) -> None:
    with cadical_seed(seed), Cadical195(bootstrap_with=model.wcnf.hard) as solver:
        if solver.solve():
            assignment = check_assignment(model.wcnf, solver.get_model() or [])
            report(Found(None, model.read(assignment)))
        else:
            report(Finished("infeasible"))


def _private(wcnf: WCNF) -> WCNF:
    """Give RC2 lists of its own, of the same clauses.

    RC2 appends selectors to soft clauses of two literals and more, of which a `MaxsatModel` has none, and with its
    preprocessing, which is off here, clauses to the list of hard ones. It changes no hard clause, so copying them,
    as `WCNF.copy` does, would only cost time: a third of that of a small board.
    """
    private = WCNF()
    private.nv, private.topw = wcnf.nv, wcnf.topw
    private.hard, private.soft, private.wght = list(wcnf.hard), list(wcnf.soft), list(wcnf.wght)
    return private


def check_assignment(wcnf: WCNF, model: Sequence[int]) -> tuple[int, ...]:
    """Give the truth values of variables 0 to nv, after a look at every hard clause.

    Parameters
    ----------
    wcnf : WCNF
    model : sequence of int
        The literals that are true.

    Raises
    ------
    EngineError
        If a hard clause is false.
    """
    values = [0] * (wcnf.nv + 1)
    for literal in model:
        if 0 < literal <= wcnf.nv:
            values[literal] = 1
    for clause in wcnf.hard:
        if not any(values[abs(literal)] == (literal > 0) for literal in clause):
            raise EngineError(f"the SAT solver's model breaks the clause {clause}")
    return tuple(values)


def cost_of(wcnf: WCNF, assignment: Sequence[int]) -> int:
    """Count the false soft clauses; all weights are 1."""
    return sum(assignment[abs(literal)] != (literal > 0) for (literal,) in wcnf.soft)


def value_of(wcnf: WCNF, sense: Sense, cost: int) -> int:
    """Turn a number of false soft clauses into an objective value."""
    return cost if sense is Sense.MINIMIZE else len(wcnf.soft) - cost
