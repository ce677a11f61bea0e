"""The MaxSAT engine: PySAT's RC2 for the proof, a second worker for layouts on the way.

RC2 is core-guided: it raises a lower bound on the cost until a model meets it, and has no model before that.
So a second process looks for models of falling cost, and an unfinished run still has a value and a bound.

References
----------
A. Ignatiev, A. Morgado and J. Marques-Silva, "RC2: an efficient MaxSAT solver", JSAT 11, 2019.
"""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from pysat.card import CardEnc, EncType, ITotalizer
from pysat.examples.rc2 import RC2
from pysat.formula import WCNF
from pysat.solvers import Cadical195

from twinproof.optim.errors import EngineError, InputError
from twinproof.optim.outcome import Sense
from twinproof.optim.process.tasks import Bounded, Built, Finished, Found, Report
from twinproof.optim.request import Request, Threshold
from twinproof.optim.sat.cadical import cadical_seed
from twinproof.optim.sat.encodings import Clause
from twinproof.optim.sat.model import ClauseModel

LayoutT = TypeVar("LayoutT")


@dataclass(frozen=True)
class MaxsatSettings:
    """RC2's heuristics, as its constructor names them."""

    adapt: bool = True
    exhaust: bool = True
    minz: bool = True


@dataclass(frozen=True)
class MaxsatModel(ClauseModel[LayoutT], Generic[LayoutT]):
    """The clauses of a puzzle, what is counted, and how RC2 is to search; `post` adds a question.

    Parameters
    ----------
    settings : MaxsatSettings
    complete : callable, optional
        A model may keep only the best of the layouts that are alike up to a symmetry. Then this builds one that
        keeps the others too, for questions that ask for worse layouts.
    """

    settings: MaxsatSettings = field(default_factory=MaxsatSettings)
    complete: "Callable[[], MaxsatModel[LayoutT]] | None" = None


@dataclass(frozen=True)
class MaxsatFormula(Generic[LayoutT]):
    """A question as partial MaxSAT.

    Parameters
    ----------
    wcnf : WCNF
        Soft clauses are unit clauses of weight 1: what is counted. None of them for a yes/no question.
    sense : Sense or None
        `MINIMIZE` if the value is the number of false soft clauses, `MAXIMIZE` if it is the number of true
        ones, None for a yes/no question.
    read : callable
        See `ClauseModel`.
    settings : MaxsatSettings
    """

    wcnf: WCNF
    sense: Sense | None
    read: Callable[[Sequence[int]], LayoutT]
    settings: MaxsatSettings


def post(
    model: MaxsatModel[LayoutT], threshold: Threshold | None, bound: int | None = None
) -> MaxsatFormula[LayoutT]:
    """Make a formula of a model and a question: soft clauses for what is optimised, or a threshold in clauses.

    Parameters
    ----------
    model : MaxsatModel
        Left as it is.
    threshold : Threshold, optional
    bound : int, optional
        What no value is better than, as is known from elsewhere; it becomes hard clauses.

    Returns
    -------
    MaxsatFormula

    Raises
    ------
    InputError
        If there is a threshold and nothing that is counted.
    """
    wcnf = WCNF()
    if threshold is None:
        # All at once: `append` would copy and inspect every clause. No clause need mention the last variables.
        wcnf.hard, wcnf.nv = model.clauses, model.top
        for literal in model.counted if model.sense is not None else ():
            wcnf.append([literal if model.sense is Sense.MAXIMIZE else -literal], weight=1)
        if bound is not None and model.sense is not None:
            known = Threshold(at_most=bound) if model.sense is Sense.MAXIMIZE else Threshold(at_least=bound)
            added, wcnf.nv = _bounds(model.counted, known, model.top)
            wcnf.hard = model.clauses + added
        return MaxsatFormula(wcnf, model.sense, model.read, model.settings)
    if model.sense is None:
        raise InputError("nothing is counted here that could be at least or at most a number")
    if model.complete is not None and threshold.asks_for_worse(model.sense):
        model = model.complete()
    bounds, wcnf.nv = _bounds(model.counted, threshold, model.top)
    wcnf.hard = model.clauses + bounds
    return MaxsatFormula(wcnf, None, model.read, model.settings)


def _bounds(counted: Sequence[int], threshold: Threshold, top: int) -> tuple[list[Clause], int]:
    """Give clauses for a threshold, and the highest variable then."""
    # Where every literal stands twice, the value is even, and half of them need counting.
    times = Counter(counted)
    step = math.gcd(*times.values()) or 1
    literals = [literal for literal, number in times.items() for _ in range(number // step)]
    clauses: list[Clause] = []
    if threshold.at_least is not None:
        # At least k are true: at most the rest are false.
        least = -(-threshold.at_least // step)
        added, top = _at_most([-literal for literal in literals], len(literals) - least, top)
        clauses += added
    if threshold.at_most is not None:
        added, top = _at_most(literals, threshold.at_most // step, top)
        clauses += added
    return clauses, top


FEW = 500
"""So many literals are counted by a totalizer, more of them by a cardinality network."""


def _at_most(literals: list[int], bound: int, top: int) -> tuple[list[Clause], int]:
    """Allow at most `bound` of the literals to be true.

    Two encodings, as neither does for all. A totalizer settles questions of 100 to 300 tiles up to five times as
    fast as a cardinality network; but it grows with the square of the literals, of which boards have thousands.

    References
    ----------
    O. Bailleux and Y. Boufkhad, "Efficient CNF encoding of Boolean cardinality constraints", CP 2003: totalizer.
    R. Asin, R. Nieuwenhuis, A. Oliveras and E. Rodriguez-Carbonell, "Cardinality networks", Constraints 16, 2011.
    """
    if bound < 0:
        return [[]], top
    if bound >= len(literals):
        return [], top
    encoding = EncType.totalizer if len(literals) <= FEW else EncType.cardnetwrk
    counter = CardEnc.atmost(literals, bound, top_id=top, encoding=encoding)
    return [list(clause) for clause in counter.clauses], max(top, counter.nv)


def search(report: Report, request: Request[MaxsatModel[LayoutT]]) -> None:
    """Build a formula and settle it: by RC2, or by one SAT call for a yes/no question.

    RC2's lower bound is reported whenever it rises. See `optim.engine.solve`.

    Parameters
    ----------
    report : Report
        Takes the sense, the bounds, the best layout and the end.
    request : Request
        How to build the formula, the threshold, and the limits, of which only the seed is used here.

    Raises
    ------
    EngineError
        If RC2 gives no model where there is one, or a model that does not cost what it says.
    """
    formula = post(request.build(), request.threshold, request.options.bound)
    report(Built(formula.sense))
    if request.options.bound is not None and formula.sense is not None:
        report(Bounded(request.options.bound))
    if formula.sense is None:
        _decide(report, formula, request.limits.seed)
    else:
        _optimize(report, formula, formula.sense, request.limits.seed)


def _optimize(report: Report, formula: MaxsatFormula[LayoutT], sense: Sense, seed: int) -> None:
    wcnf = formula.wcnf

    def on_cost(cost: int) -> None:
        report(Bounded(value_of(wcnf, sense, cost)))

    with cadical_seed(seed):
        rc2 = _ReportingRC2(on_cost, _private(wcnf), formula.settings)
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
    report(Found(value_of(wcnf, sense, cost), formula.read(assignment)))
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


def search_incumbents(report: Report, request: Request[MaxsatModel[LayoutT]]) -> None:
    """Build a formula and find models of ever lower cost; that none is lower is left for RC2 to prove.

    Parameters
    ----------
    report : Report
        Takes every layout that is better than those before.
    request : Request
        How to build the formula, the threshold, and the limits, of which only the seed is used here.
    """
    formula = post(request.build(), request.threshold, request.options.bound)
    report(Built(formula.sense))
    if formula.sense is None:
        return
    wcnf = formula.wcnf
    with cadical_seed(request.limits.seed), Cadical195(bootstrap_with=wcnf.hard) as solver:
        false_soft = [-clause[0] for clause in wcnf.soft]
        totalizer: ITotalizer | None = None
        try:
            while solver.solve():
                assignment = check_assignment(wcnf, solver.get_model() or [])
                cost = cost_of(wcnf, assignment)
                report(Found(value_of(wcnf, formula.sense, cost), formula.read(assignment)))
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


def _decide(report: Report, formula: MaxsatFormula[LayoutT], seed: int) -> None:
    with cadical_seed(seed), Cadical195(bootstrap_with=formula.wcnf.hard) as solver:
        if solver.solve():
            assignment = check_assignment(formula.wcnf, solver.get_model() or [])
            report(Found(None, formula.read(assignment)))
        else:
            report(Finished("infeasible"))


def _private(wcnf: WCNF) -> WCNF:
    """Give RC2 lists of its own, of the same clauses.

    RC2 appends selectors to soft clauses of two literals and more, of which a `MaxsatFormula` has none, and with
    its preprocessing, which is off here, clauses to the list of hard ones. It changes no hard clause, so copying
    them, as `WCNF.copy` does, would only cost time: a third of that of a small board.
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
    """Count the false soft clauses; all weights are 1.

    Parameters
    ----------
    wcnf : WCNF
        A formula whose soft clauses are single literals.
    assignment : sequence of int
        A truth value for each variable, by its number.

    Returns
    -------
    int
        Between 0 and the number of soft clauses.
    """
    return sum(assignment[abs(literal)] != (literal > 0) for (literal,) in wcnf.soft)


def value_of(wcnf: WCNF, sense: Sense, cost: int) -> int:
    """Turn a number of false soft clauses into an objective value.

    Parameters
    ----------
    wcnf : WCNF
        The formula, whose soft clauses stand for the marks that are counted, or for their absence.
    sense : Sense
        If it is minimised, every false soft clause is one mark; if it is maximised, every true one is.
    cost : int
        The number of false soft clauses.

    Returns
    -------
    int
        The number of marks.
    """
    return cost if sense is Sense.MINIMIZE else len(wcnf.soft) - cost
