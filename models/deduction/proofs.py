"""What an engine proves of a puzzle in play, by the clauses that say its rules."""

from collections.abc import Collection, Mapping, Sequence

from twinproof.models.deduction.position import Known
from twinproof.models.grid import Cell
from twinproof.optim.sat.backbone import IncrementalFormula
from twinproof.optim.sat.encodings import Clause
from twinproof.optim.sat.mus import smallest_mus

MUS_SECONDS = 10.0
"""The seconds for which the fewest cells, or rules, that contradict each other are looked for."""


class ClauseProver:
    """The `Prover` of a puzzle whose clauses leave every solution.

    Parameters
    ----------
    clauses : sequence of list of int
    cells : mapping
        For each cell the variable that is true exactly if the cell holds a star, bulb or mine.
    """

    def __init__(self, clauses: Sequence[Clause], cells: Mapping[Cell, int]) -> None:
        self._clauses, self._cells = clauses, cells

    def solution(self, known: Known) -> Collection[Cell] | None:
        """Give the cells that hold one in some solution with all that is known; None if there is no solution."""
        with IncrementalFormula(self._clauses) as formula:
            model = formula.solve(list(self._literals(known)))
        return None if model is None else [cell for cell, v in self._cells.items() if v in model]

    def forced(self, known: Known) -> dict[Cell, bool] | None:
        """Give every cell that is the same in all solutions with what is known; None if there is no solution."""
        with IncrementalFormula(self._clauses) as formula:
            found = formula.forced(self._cells.values(), list(self._literals(known)))
        if found is None:
            return None
        return {cell: v in found for cell, v in self._cells.items() if v in found or -v in found}

    def contradicting(self, known: Known) -> Sequence[Cell]:
        """Give the fewest cells that no solution has as they are known."""
        literals = self._literals(known)
        mus = smallest_mus(self._clauses, list(literals), time_limit=MUS_SECONDS)
        return () if mus is None else [literals[literal] for literal in mus.statements]

    def why_none(self) -> Sequence[str]:
        """Say nothing but that it is proved."""
        return ()

    def _literals(self, known: Known) -> dict[int, Cell]:
        cells = self._cells
        return {cells[cell] if holds else -cells[cell]: cell for cell, holds in known.items() if cell in cells}
