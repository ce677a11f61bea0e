"""Questions as text that other solvers read: WCNF in both its forms, CNF, OPB, and CP-SAT's own.

Every writer gives lines without their ends, so that nothing has to hold a whole file, and none changes what it
writes: what `optim.maxsat.post` and `optim.cpsat.post` make of a model and a question.
How the answer of another solver becomes the value of a layout stands in comment lines at the top of each.

References
----------
MaxSAT Evaluation, "Rules", 2022: WCNF without a `p` line, hard clauses marked `h`; before that `p wcnf`.
O. Roussel and V. Manquinho, "Input/Output Format and Solver Requirements for the Competitions of Pseudo-Boolean
Solvers", 2012: OPB.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from twinproof.optim.errors import InputError
from twinproof.optim.outcome import Sense

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel

    from twinproof.optim.maxsat import MaxsatFormula

FORMS = {"wcnf": "maxsat", "wcnf-legacy": "maxsat", "opb": "maxsat", "cnf": "maxsat", "cpsat": "cpsat"}
"""The forms, each with the kind of model that is written in it."""

Clause = Sequence[int]


def wcnf_lines(formula: "MaxsatFormula[Any]", comments: Iterable[str] = ()) -> Iterator[str]:
    """Write a formula in the form of the MaxSAT Evaluations since 2022.

    Parameters
    ----------
    formula : MaxsatFormula
    comments : iterable of str
        Lines for the top.
    """
    yield from _commented("c", [*comments, *_cost_and_value(formula)])
    for clause in _hard(formula):
        yield f"h {_literals(clause)}"
    for clause, weight in zip(formula.wcnf.soft, formula.wcnf.wght, strict=True):
        yield f"{weight} {_literals(clause)}"


def wcnf_legacy_lines(formula: "MaxsatFormula[Any]", comments: Iterable[str] = ()) -> Iterator[str]:
    """Write a formula in the form before 2022, where hard clauses have a weight above all soft ones together.

    Parameters
    ----------
    formula : MaxsatFormula
    comments : iterable of str
        Lines for the top.
    """
    hard = _hard(formula)
    top = sum(formula.wcnf.wght) + 1
    yield from _commented("c", [*comments, *_cost_and_value(formula)])
    yield f"p wcnf {_variables(formula)} {len(hard) + len(formula.wcnf.soft)} {top}"
    for clause in hard:
        yield f"{top} {_literals(clause)}"
    for clause, weight in zip(formula.wcnf.soft, formula.wcnf.wght, strict=True):
        yield f"{weight} {_literals(clause)}"


def cnf_lines(formula: "MaxsatFormula[Any]", comments: Iterable[str] = ()) -> Iterator[str]:
    """Write a yes/no question in the form of DIMACS.

    Parameters
    ----------
    formula : MaxsatFormula
    comments : iterable of str
        Lines for the top.

    Raises
    ------
    InputError
        If there is something to optimise, which this form cannot say.
    """
    if formula.sense is not None:
        raise InputError("cnf: has no words for an objective; ask for at least or at most a number, or use wcnf")
    hard = _hard(formula)
    yield from _commented("c", [*comments, *_cost_and_value(formula)])
    yield f"p cnf {_variables(formula)} {len(hard)}"
    for clause in hard:
        yield _literals(clause)


def opb_lines(formula: "MaxsatFormula[Any]", comments: Iterable[str] = ()) -> Iterator[str]:
    """Write a formula as linear inequalities over 0 and 1, for pseudo-Boolean solvers.

    No negated literal is written, because the linear form has none: a clause of p plain and n negated variables
    is (sum of the plain) - (sum of the negated) >= 1 - n, and the objective loses a constant.

    Parameters
    ----------
    formula : MaxsatFormula
    comments : iterable of str
        Lines for the top.
    """
    # A clause with a variable and its negation holds always; a literal that stands twice counts once.
    constraints = [c for c in map(frozenset, _hard(formula)) if not any(-literal in c for literal in c)]
    yield f"* #variable= {_variables(formula)} #constraint= {len(constraints)}"
    # A soft clause costs 1 - x if it is the variable x, and x if it is its negation.
    weights: Counter[int] = Counter()
    constant = 0
    for (literal,), weight in zip(formula.wcnf.soft, formula.wcnf.wght, strict=True):
        weights[abs(literal)] += -weight if literal > 0 else weight
        constant += weight if literal > 0 else 0
    terms = [(weight, variable) for variable, weight in sorted(weights.items()) if weight]
    yield from _commented("*", [*comments, *_objective_and_value(formula, constant)])
    if formula.sense is not None:
        yield f"min: {_sum(terms or [(0, 1)])} ;"
    for constraint in constraints:
        ordered = sorted(constraint, key=abs)
        least = 1 - sum(literal < 0 for literal in ordered)
        yield f"{_sum([(1 if literal > 0 else -1, abs(literal)) for literal in ordered])} >= {least} ;"


def cpsat_lines(model: "CpModel", sense: Sense | None, comments: Iterable[str] = ()) -> Iterator[str]:
    """Write a CP-SAT model in the text form of its protocol buffer, `operations_research.sat.CpModelProto`.

    Parameters
    ----------
    model : CpModel
    sense : Sense or None
        Of its objective; None for a yes/no question.
    comments : iterable of str
        Lines for the top.
    """
    if sense is not None:
        meaning = f"value ({sense}) = scaling_factor (1 if none) * (offset + the minimized sum)"
    elif model.has_objective():
        meaning = "yes/no question: any solution is a yes; the objective only guides the search"
    else:
        meaning = "yes/no question: any solution is a yes"
    yield from _commented("#", [*comments, meaning])
    yield from str(model.proto).splitlines()


def _hard(formula: "MaxsatFormula[Any]") -> list[Clause]:
    """Give the hard clauses; an empty one, for which few readers have a form, as a variable and its negation."""
    hard: list[Clause] = []
    for clause in formula.wcnf.hard:
        hard += [clause] if clause else [[1], [-1]]
    return hard


def _variables(formula: "MaxsatFormula[Any]") -> int:
    """Give the number of variables; at least 1, which `_hard` and `opb_lines` may need."""
    return max(int(formula.wcnf.nv), 1)


def _cost_and_value(formula: "MaxsatFormula[Any]") -> list[str]:
    if formula.sense is None:
        return ["yes/no question: satisfiable means yes"]
    value = "cost" if formula.sense is Sense.MINIMIZE else f"{sum(formula.wcnf.wght)} - cost"
    return [f"value ({formula.sense}) = {value}; cost = weight of the false soft clauses (minimize)"]


def _objective_and_value(formula: "MaxsatFormula[Any]", constant: int) -> list[str]:
    """Say how the value comes from an objective that is the cost less a constant."""
    if formula.sense is None:
        return ["yes/no question: satisfiable means yes"]
    if formula.sense is Sense.MINIMIZE:
        value = f"{constant} + objective" if constant else "objective"
    else:
        value = f"{sum(formula.wcnf.wght) - constant} - objective"
    return [f"value ({formula.sense}) = {value}; objective = what is minimized below"]


def _literals(clause: Clause) -> str:
    return " ".join(map(str, [*clause, 0]))


def _sum(terms: Sequence[tuple[int, int]]) -> str:
    return " ".join(f"{weight:+d} x{variable}" for weight, variable in terms)


def _commented(mark: str, lines: Iterable[str]) -> Iterator[str]:
    """Make comment lines of plain ASCII: a file's name may hold anything, a line's end included."""
    for line in lines:
        plain = "".join(c if c.isascii() and c.isprintable() else ascii(c)[1:-1] for c in line)
        yield f"{mark} {plain}"
