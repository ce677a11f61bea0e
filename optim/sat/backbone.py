"""A formula in one incremental SAT solver, and its backbone: the literals that every model has.

References
----------
M. Janota, I. Lynce and J. Marques-Silva, "Algorithms for computing backbones of propositional formulae",
AI Communications 28, 2015.
"""

from collections.abc import Iterable, Sequence
from types import TracebackType

from pysat.solvers import Solver

from twinproof.optim.sat.encodings import Clause


class IncrementalFormula:
    """A formula that grows, in one SAT solver, which keeps what it has learnt from question to question.

    Parameters
    ----------
    clauses : iterable of list of int
        To begin with.
    """

    def __init__(self, clauses: Iterable[Clause] = ()) -> None:
        # PySAT's solvers take about the same time over many easy calls; this one lets its phases be set.
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

    def prefer(self, literals: Iterable[int]) -> None:
        """Let the search try these literals first wherever it has a choice."""
        self._solver.set_phases(list(literals))

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
