"""A Star Battle puzzle in the making: the regions so far, each of one piece round its own stars.

A cell may still be without a region, and then holds no star; every region holds k stars, which are all there are.
So a further cell in a region can only admit solutions that have a star on it, and a cell taken out only takes
solutions away. A cell with which a region admits another solution keeps doing so as long as no cell is taken out.
"""

from collections import deque
from collections.abc import Collection, Sequence
from random import Random

from twinproof.models.generation.chance import shuffled
from twinproof.models.starbattle.alternatives import FREE
from twinproof.models.starbattle.groups import neighbour_table
from twinproof.models.starbattle.instance import StarBattlePuzzle, number_regions
from twinproof.models.starbattle.shapes import count_choices


class Draft:
    """Regions that grow and shrink round fixed stars.

    Parameters
    ----------
    size : int
        The number of rows, and of columns, of the board.
    groups : sequence of sequence of int
        For every region the cells of its stars, numbered from 0, row by row.

    Attributes
    ----------
    owner : list of int
        The region of every cell, or `FREE`.
    cells : list of dict
        For every region its cells, in the order in which they came, as the keys of a dict.
    wanted : set of int
        The cells of all stars; they never change hands.
    near : sequence of sequence of int
        See `groups.neighbour_table`.
    """

    def __init__(self, size: int, groups: Sequence[Sequence[int]]) -> None:
        self.size = size
        self.near = neighbour_table(size)
        self.groups = groups
        self.owner = [FREE] * size**2
        self.cells: list[dict[int, None]] = [{} for _ in groups]
        self.wanted = {cell for group in groups for cell in group}
        for region, group in enumerate(groups):
            for cell in group:
                self.give(cell, region)

    def give(self, cell: int, region: int) -> None:
        """Give a free cell to a region.

        Parameters
        ----------
        cell : int
            The number of a cell without a region.
        region : int
            The number of the region that gets it.
        """
        self.owner[cell] = region
        self.cells[region][cell] = None

    def take(self, cell: int) -> None:
        """Take a cell out of its region; it is free then."""
        del self.cells[self.owner[cell]][cell]
        self.owner[cell] = FREE

    def restore(self, owner: Sequence[int]) -> None:
        """Go back to earlier regions."""
        for cell, region in enumerate(self.owner):
            if region not in (FREE, owner[cell]):
                self.take(cell)
        for cell, region in enumerate(owner):
            if region != self.owner[cell]:
                self.give(cell, region)

    @property
    def free(self) -> list[int]:
        """The cells without a region."""
        return [cell for cell, region in enumerate(self.owner) if region == FREE]

    def border(self, region: int) -> list[int]:
        """List the free cells beside a region."""
        return list(
            dict.fromkeys(o for cell in self.cells[region] for o in self.near[cell] if self.owner[o] == FREE)
        )

    def regions_beside(self, cell: int) -> list[int]:
        """List the regions beside a cell."""
        return list(dict.fromkeys(self.owner[o] for o in self.near[cell] if self.owner[o] != FREE))

    def has_choice(self, region: int) -> bool:
        """Whether the stars of a region are not forced by the region alone."""
        cells = [divmod(cell, self.size) for cell in self.cells[region]]
        return count_choices(cells, len(self.groups[region]), 2) > 1

    def roundness(self, cell: int, region: int) -> int:
        """Count the cells of a region in the eight round a cell; those that share an edge count double.

        Parameters
        ----------
        cell : int
            The number of a cell.
        region : int
            The number of a region.

        Returns
        -------
        int
            The greater, the rounder the region becomes if it gets the cell; 12 at most.
        """
        r, c = divmod(cell, self.size)
        rows = range(max(r - 1, 0), min(r + 2, self.size))
        columns = range(max(c - 1, 0), min(c + 2, self.size))
        owner = self.owner
        corners = sum(owner[y * self.size + x] == region for y in rows for x in columns)
        return corners + sum(owner[o] == region for o in self.near[cell])

    def cut_off(self, cell: int) -> list[int] | None:
        """List a cell and what is joined to its region by it alone; None if there are stars among them."""
        region = self.owner[cell]
        kept = self._piece(self.groups[region][0], without=cell)
        lost = [other for other in self.cells[region] if other not in kept]
        return None if any(other in self.wanted for other in lost) else lost

    def join(self, region: int, rng: Random, avoid: Collection[int] = ()) -> bool:
        """Join the pieces of a region that hold stars, along shortest paths of free cells; drop the other pieces.

        Parameters
        ----------
        region : int
        rng : Random
            Chooses among shortest paths.
        avoid : collection of int
            Cells that must not be used.

        Returns
        -------
        bool
            Whether there are such paths; if not, the region is left in pieces.
        """
        group = self.groups[region]
        while True:
            piece = self._piece(group[0])
            others = [star for star in group if star not in piece]
            if not others:
                break
            goals = set().union(*(self._piece(star) for star in others))
            path = self._path(list(piece), goals, rng, avoid)
            if path is None:
                return False
            for cell in path:
                self.give(cell, region)
        for cell in [cell for cell in self.cells[region] if cell not in piece]:
            self.take(cell)
        return True

    def _piece(self, start: int, without: int | None = None) -> dict[int, None]:
        """Give the cells of a region that are joined to one of them."""
        region = self.owner[start]
        seen = {start: None}
        waiting = [start]
        while waiting:
            for other in self.near[waiting.pop()]:
                if other not in seen and other != without and self.owner[other] == region:
                    seen[other] = None
                    waiting.append(other)
        return seen

    def _path(
        self, starts: Sequence[int], goals: Collection[int], rng: Random, avoid: Collection[int]
    ) -> list[int] | None:
        """Find a shortest path of free cells from any start to beside any goal."""
        came_from = dict.fromkeys(starts, FREE)
        waiting = deque(shuffled(rng, starts))
        while waiting:
            cell = waiting.popleft()
            for other in shuffled(rng, self.near[cell]):
                if other in goals:
                    path = []
                    while came_from[cell] != FREE:
                        path.append(cell)
                        cell = came_from[cell]
                    return path
                if other not in came_from and self.owner[other] == FREE and other not in avoid:
                    came_from[other] = cell
                    waiting.append(other)
        return None

    def puzzle(self) -> StarBattlePuzzle:
        """Give the puzzle, once no cell is free."""
        n = self.size
        marks = [[str(region) for region in self.owner[r * n : (r + 1) * n]] for r in range(n)]
        return StarBattlePuzzle(len(self.groups[0]), number_regions(marks)[0], name="generated star battle")

    def layout(self) -> tuple[str, ...]:
        """Draw the wanted stars, row by row."""
        n = self.size
        return tuple("".join("*" if r * n + c in self.wanted else "." for c in range(n)) for r in range(n))
