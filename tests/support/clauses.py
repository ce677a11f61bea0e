"""What tests of formulas share."""

from pysat.solvers import Solver

from twinproof.optim.proof.cnf import Formula


def has_model(formula: Formula) -> bool:
    if () in formula.clauses:  # PySAT would pass it over
        return False
    with Solver(name="minisat22", bootstrap_with=[list(clause) for clause in formula.clauses]) as solver:
        return bool(solver.solve())
