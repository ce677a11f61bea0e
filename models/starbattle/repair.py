"""Lets the regions of a draft grow while the puzzle stays unique, and repairs what stands in the way.

References
----------
The search is one over unfinished colourings, as in I. Bloechliger and N. Zufferey, "A graph coloring heuristic
using partial solutions and a reactive tabu scheme", Computers & Operations Research 35, 2008: a cell is coloured by
force, the cells that then conflict lose their colour, and may not get it back for a while.
"""

from collections.abc import Sequence
from random import Random

from models.chance import below
from models.starbattle.alternatives import Alternatives
from models.starbattle.draft import Draft

__all__ = ["Repair"]

PATIENCE = 60
"""Repairs without a new best after which larger parts are begun anew."""

SHAKES = 12
"""How often that is done before the draft is given up."""

SETTLING = 40
"""Alternatives that one repair may meet; regions that are begun anew meet more."""


class Repair:
    """Fills a draft.

    Parameters
    ----------
    draft : Draft
        Its regions hold their stars and nothing else.
    alternatives : Alternatives
        For the same stars.
    appetites : sequence of float
        How large each region wants to be, compared to the others; above 0.
    rng : Random

    Attributes
    ----------
    moves : int
        Cells that were put into a region by force.
    shakes : int
        How often larger parts were begun anew.
    """

    def __init__(self, draft: Draft, alternatives: Alternatives, appetites: Sequence[float], rng: Random) -> None:
        self.draft = draft
        self.alternatives = alternatives
        self.appetites = appetites
        self.moves = 0
        self.shakes = 0
        self._rng = rng
        self._refused: set[tuple[int, int]] = set()  # cells that some region cannot have until one is taken out
        self._tabu_until: dict[tuple[int, int], int] = {}  # moves before which a region may not have a cell back

    def run(self) -> bool:
        """Fill the draft, so that its puzzle is unique and no region is forced by itself.

        Returns
        -------
        bool
            Whether that was achieved; otherwise another draft is better tried.
        """
        draft = self.draft
        regions = range(len(draft.groups))
        if not all(draft.join(region, self._rng) for region in regions) or not self._settle(SETTLING * draft.size):
            return False
        self.grow()
        best, since = len(draft.free), 0
        while True:
            forced = [region for region in regions if not draft.has_choice(region)]
            free = draft.free
            if not free and not forced:
                return True
            if len(free) < best:
                best, since = len(free), 0
            if not free or since >= PATIENCE:
                if self.shakes == SHAKES:
                    return False
                self._shake(forced)
                best, since = len(draft.free), 0
            else:
                self._force_a_cell()
                since += 1
            self.grow()

    def grow(self) -> None:
        """Give free cells to regions, one by one, where no alternative comes up, until none is left that can be."""
        draft, rng = self.draft, self._rng
        waiting = dict.fromkeys(range(len(draft.groups)))
        has_choice = {region: draft.has_choice(region) for region in waiting}
        while waiting:
            # Regions that are forced by themselves go first; then who has least, measured by its appetite.
            region = min(waiting, key=lambda r: (has_choice[r], len(draft.cells[r]) / self.appetites[r]))
            cells = [cell for cell in draft.border(region) if self._may_have(region, cell)]
            if not cells:
                del waiting[region]
                continue
            cell = max(cells, key=lambda cell: draft.roundness(cell, region) + 3 * rng.random())
            draft.give(cell, region)
            if self.alternatives.find(draft.owner, cell) is not None:
                draft.take(cell)
                self._refused.add((cell, region))
            elif not has_choice[region]:
                has_choice[region] = draft.has_choice(region)

    def _may_have(self, region: int, cell: int) -> bool:
        return (cell, region) not in self._refused and self._tabu_until.get((cell, region), 0) <= self.moves

    def _force_a_cell(self) -> None:
        """Put a free cell into the region where it admits fewest known alternatives; take out what admits them."""
        draft, rng = self.draft, self._rng
        self.moves += 1
        best: tuple[float, int, int] | None = None
        for cell in draft.free:
            for region in draft.regions_beside(cell):
                if self._tabu_until.get((cell, region), 0) > self.moves:
                    continue
                draft.give(cell, region)
                admitted = sum(1 for _ in self.alternatives.known(draft.owner, cell)) + rng.random()
                draft.take(cell)
                if best is None or admitted < best[0]:
                    best = admitted, cell, region
        if best is None:
            return
        _, cell, region = best
        before = list(draft.owner)
        draft.give(cell, region)
        if not self._settle(SETTLING, keep=cell):
            draft.restore(before)
            self._tabu_until[cell, region] = self._tenure()
        self._refused.clear()

    def _settle(self, budget: int, keep: int | None = None) -> bool:
        """Take cells out of regions until no alternative is left; whether that was achieved.

        A region that falls apart is joined again by other cells, which may admit further alternatives.

        Parameters
        ----------
        budget : int
            How many alternatives may be met.
        keep : int, optional
            A cell that must stay where it is.
        """
        draft = self.draft
        for _ in range(budget):
            alternative = self.alternatives.find(draft.owner)
            if alternative is None:
                return True
            known = list(self.alternatives.known(draft.owner))
            ranked = []
            for cell in alternative:
                if cell in draft.wanted or cell == keep:
                    continue
                lost = draft.cut_off(cell)
                if lost is not None and keep in lost:
                    continue
                price = 4 if lost is None else len(lost)
                ranked.append((price / sum(cell in stars for stars in known) + self._rng.random(), cell))
            if not any(self._take_out(cell, keep) for _, cell in sorted(ranked)):
                return False
        return False

    def _take_out(self, cell: int, keep: int | None) -> bool:
        """Take a cell out of its region and join the region again; whether that is possible."""
        draft = self.draft
        region = draft.owner[cell]
        before = list(draft.owner)
        draft.take(cell)
        if not draft.join(region, self._rng, avoid=(cell,)) or (keep is not None and draft.owner[keep] < 0):
            draft.restore(before)
            return False
        for other, owner in enumerate(before):
            if owner == region and draft.owner[other] != region:
                self._tabu_until[other, region] = self._tenure()
        return True

    def _tenure(self) -> int:
        return self.moves + 5 + below(self._rng, 10) + len(self.draft.free) // 2

    def _shake(self, forced: Sequence[int]) -> None:
        """Begin regions anew: one that is forced or beside a free cell, and those beside it."""
        draft, rng = self.draft, self._rng
        self.shakes += 1
        before = list(draft.owner)
        free = draft.free
        sought = list(forced) or [region for cell in free for region in draft.regions_beside(cell)]
        centre = sought[below(rng, len(sought))]
        beside = dict.fromkeys([centre])
        for cell in draft.cells[centre]:
            beside.update(dict.fromkeys(draft.regions_beside(cell)))
        for region in beside:
            for cell in [cell for cell in draft.cells[region] if cell not in draft.wanted]:
                draft.take(cell)
        joined = all(draft.join(region, rng) for region in beside)
        if not joined or not self._settle(SETTLING * len(beside)):
            draft.restore(before)
        self._refused.clear()
        self._tabu_until.clear()
