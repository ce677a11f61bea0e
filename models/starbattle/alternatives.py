"""The other solutions of a Star Battle puzzle whose regions are still being shaped.

One SAT solver is kept for all shapes. Rows, columns and touching stars are clauses for good. That a cell may
belong to a region is a variable, so the regions of the moment are assumptions, and what the solver has learnt
stays true whatever they become. The stars of a region are counted one cell after the other, so a further cell only
adds clauses behind.
"""

from collections.abc import Iterator, Sequence
from types import TracebackType

from twinproof.models.starbattle.maxsat import build_maxsat
from twinproof.models.starbattle.stars import empty_board
from twinproof.optim.sat.backbone import IncrementalFormula
from twinproof.optim.sat.encodings import Clause

FREE = -1
"""The region of a cell that has none yet. Such a cell holds no star, because all stars lie in regions."""


class Alternatives:
    """Looks for solutions other than the wanted one, and remembers those it has found.

    Parameters
    ----------
    size : int
        The number of rows, and of columns, of the board.
    groups : sequence of sequence of int
        For every region the cells of the stars that it is to hold, all equally many.
    """

    def __init__(self, size: int, groups: Sequence[Sequence[int]]) -> None:
        self.questions = 0
        self.found: list[tuple[int, ...]] = []
        self._size = size
        self._stars = len(groups[0])
        rules = build_maxsat(empty_board(size, self._stars))
        self._formula = IncrementalFormula(rules.clauses)
        self._top = rules.top
        # star[cell]: there is a star; cells are numbered row by row.
        self._star = [rules.cells[divmod(cell, size)] for cell in range(size * size)]
        self._formula.add([[-self._star[cell] for group in groups for cell in group]])
        # is_member[cell, region]: the cell belongs to the region; wanted stars always belong to their own.
        self._is_member: dict[tuple[int, int], int] = {}
        # reached[region][j - 1]: at least j stars of the region are on the cells added to it so far.
        self._reached: list[list[int]] = [[] for _ in groups]
        self._with_star: dict[int, list[tuple[int, ...]]] = {}
        for region, group in enumerate(groups):
            for cell in group:
                self._count(region, self._star[cell])
        self._wanted = {cell for group in groups for cell in group}

    def __enter__(self) -> "Alternatives":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._formula.close()

    def known(self, owner: Sequence[int], cell: int | None = None) -> Iterator[tuple[int, ...]]:
        """Give the remembered alternatives that are solutions for these regions, with a star on a cell.

        Parameters
        ----------
        owner : sequence of int
            The region of every cell, row by row.
        cell : int, optional
            Without it any alternative will do.

        Yields
        ------
        tuple of int
            The cells of an alternative's stars.
        """
        for stars in self.found if cell is None else self._with_star.get(cell, []):
            if self._is_solution(owner, stars):
                yield stars

    def find(self, owner: Sequence[int], cell: int | None = None) -> tuple[int, ...] | None:
        """Find an alternative, remembered or new.

        Parameters
        ----------
        owner : sequence of int
            The region of every cell, or `FREE`.
        cell : int, optional
            If given, only alternatives with a star on it count.

        Returns
        -------
        tuple of int or None
            The cells of its stars, ascending; None if there is none.
        """
        remembered = next(self.known(owner, cell), None)
        if remembered is not None:
            return remembered
        assumptions = self._assumptions(owner)
        self.questions += 1
        model = self._formula.solve(assumptions if cell is None else [self._star[cell], *assumptions])
        if model is None:
            return None
        stars = tuple(i for i in range(self._size**2) if self._star[i] in model)
        self.found.append(stars)
        for star in stars:
            self._with_star.setdefault(star, []).append(stars)
        return stars

    def _is_solution(self, owner: Sequence[int], stars: Sequence[int]) -> bool:
        counts = [0] * self._size
        for star in stars:
            region = owner[star]
            if region == FREE or counts[region] == self._stars:
                return False
            counts[region] += 1
        return True

    def _assumptions(self, owner: Sequence[int]) -> list[int]:
        for cell, region in enumerate(owner):
            if region != FREE and cell not in self._wanted and (cell, region) not in self._is_member:
                self._add_member(cell, region)
        k = self._stars
        enough = [reached[k - 1] for reached in self._reached]
        too_many = [-reached[k] for reached in self._reached if len(reached) > k]
        members = [var if owner[cell] == region else -var for (cell, region), var in self._is_member.items()]
        outside = [-self._star[cell] for cell, region in enumerate(owner) if region == FREE]
        return [*enough, *too_many, *outside, *members]

    def _add_member(self, cell: int, region: int) -> None:
        is_member, counts = self._new(), self._new()
        self._is_member[cell, region] = is_member
        star = self._star[cell]
        self._formula.add([[-counts, is_member], [-counts, star], [counts, -is_member, -star]])
        self._count(region, counts)

    def _count(self, region: int, literal: int) -> None:
        """Count a further literal, as far as k + 1.

        References
        ----------
        C. Sinz, "Towards an optimal CNF encoding of Boolean cardinality constraints", CP 2005; in both directions.
        """
        before = self._reached[region]
        after: list[int] = []
        clauses: list[Clause] = []
        for j in range(min(len(before), self._stars) + 1):
            reached = self._new()
            already = [before[j]] if j < len(before) else []
            almost = [before[j - 1]] if j > 0 else []
            clauses += [[-var, reached] for var in already]
            clauses.append([*(-var for var in almost), -literal, reached])
            clauses.append([-reached, literal, *already])
            clauses += [[-reached, *already, var] for var in almost]
            after.append(reached)
        self._formula.add(clauses)
        self._reached[region] = after

    def _new(self) -> int:
        self._top += 1
        return self._top
