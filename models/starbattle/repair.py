"""Lets the regions of a draft grow while the puzzle stays unique, and repairs what stands in the way.

The search is one over unfinished puzzles, of which each is unique: some cells are taken out near one that no
region can have, that one is given to a region by force, which may cost further cells, and the regions grow again
in another order. What has not become worse is kept.

References
----------
P. Shaw, "Using constraint programming and local search methods to solve vehicle routing problems", CP 1998 (large
neighbourhood search); I. Bloechliger and N. Zufferey, "A graph coloring heuristic using partial solutions and a
reactive tabu scheme", Computers & Operations Research 35, 2008 (search over unfinished colourings, by the cells
without a colour).
"""

from collections.abc import Callable, Sequence
from random import Random

from twinproof.models.generation.chance import below
from twinproof.models.starbattle.alternatives import FREE, Alternatives
from twinproof.models.starbattle.draft import Draft

FORCE = 0.7
"""The probability that a free cell is put into a region by force before the regions grow again."""

PATIENCE = 60
"""Whole regions are begun anew after this number of repairs without gain."""

SETTLING = 15
"""The number of alternatives that a repair may meet, for each of the regions that are begun anew."""


def _unheard(free: int) -> None:
    """Tell nobody."""


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
    on_free : callable, optional
        Is told how many cells have no region, whenever these are fewer, or begun anew.

    Attributes
    ----------
    moves : int
        Repairs so far.
    shakes : int
        How often whole regions were begun anew.
    """

    def __init__(
        self,
        draft: Draft,
        alternatives: Alternatives,
        appetites: Sequence[float],
        rng: Random,
        on_free: Callable[[int], None] = _unheard,
    ) -> None:
        self.draft = draft
        self.alternatives = alternatives
        self.moves = 0
        self.shakes = 0
        self._appetites = appetites
        self._rng = rng
        self._on_free = on_free

    def run(self, shakes: int) -> bool:
        """Fill the draft, so that its puzzle is unique and no region is forced by itself.

        A board of one cell has no region but a forced one, and may have it.

        Parameters
        ----------
        shakes : int
            How often whole regions may be begun anew before the draft is given up.

        Returns
        -------
        bool
            Whether that was achieved; otherwise another draft is better tried.
        """
        draft = self.draft
        regions = range(draft.size)
        if not all(draft.join(region, self._rng) for region in regions) or not self._settle(SETTLING * draft.size):
            return False
        self._grow()
        cost, since = self._cost(), 0
        while cost:
            if since == 0:
                self._on_free(len(draft.free))
            before = list(draft.owner)
            if since < PATIENCE:
                self._loosen(4 + since // 10)
            elif self.shakes < shakes:
                self._shake()
            else:
                return False
            self._grow()
            now = self._cost()
            if now < cost or since == PATIENCE:
                cost, since = now, 0
            else:
                since += 1
                if now > cost:
                    draft.restore(before)
        return True

    def _forced(self) -> list[int]:
        """List the regions that are forced by themselves."""
        draft = self.draft
        return [region for region in range(draft.size) if draft.size > 1 and not draft.has_choice(region)]

    def _cost(self) -> int:
        """Say how far the draft is from being finished: free cells, and three for a forced region."""
        return len(self.draft.free) + 3 * len(self._forced())

    def _grow(self) -> None:
        """Give free cells to regions, one by one, as long as there are some with which no alternative comes up."""
        draft, rng = self.draft, self._rng
        waiting = dict.fromkeys(range(draft.size))
        forced = set(self._forced())
        # With more cells in the regions there are not fewer alternatives, so a refusal holds.
        refused: set[tuple[int, int]] = set()
        while waiting:
            # Regions that are forced by themselves go first; then who has least, measured by its appetite.
            region = min(waiting, key=lambda r: (r not in forced, len(draft.cells[r]) / self._appetites[r]))
            cells = [cell for cell in draft.border(region) if (cell, region) not in refused]
            if not cells:
                del waiting[region]
                continue
            cell = max(cells, key=lambda cell: draft.roundness(cell, region) + 3 * rng.random())
            draft.give(cell, region)
            if self.alternatives.find(draft.owner, cell) is not None:
                draft.take(cell)
                refused.add((cell, region))
            elif region in forced and draft.has_choice(region):
                forced.remove(region)

    def _loosen(self, most: int) -> None:
        """Take out at most `most` cells near one that is free, and mostly put that one into a region by force."""
        draft, rng = self.draft, self._rng
        self.moves += 1
        near = draft.free or [cell for region in self._forced() for cell in draft.cells[region]]
        centre = near[below(rng, len(near))]
        beside = draft.regions_beside(centre)
        if draft.owner[centre] == FREE and beside and rng.random() < FORCE:
            before = list(draft.owner)
            draft.give(centre, beside[below(rng, len(beside))])
            if not self._settle(SETTLING, keep=centre):
                draft.restore(before)
        r, c = divmod(centre, draft.size)
        distance = {
            cell: abs(cell // draft.size - r) + abs(cell % draft.size - c) + 3 * rng.random()
            for cell in range(draft.size**2)
            if cell != centre and cell not in draft.wanted
        }
        for cell in sorted(distance, key=distance.__getitem__)[: 1 + below(rng, most)]:
            if draft.owner[cell] != FREE:
                for other in draft.cut_off(cell) or ():
                    draft.take(other)

    def _shake(self) -> None:
        """Begin regions anew: one that is forced or beside a free cell, and those beside it."""
        draft, rng = self.draft, self._rng
        self.shakes += 1
        before = list(draft.owner)
        sought = self._forced() or [region for cell in draft.free for region in draft.regions_beside(cell)]
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
        if draft.join(region, self._rng, avoid=(cell,)) and (keep is None or draft.owner[keep] != FREE):
            return True
        draft.restore(before)
        return False
