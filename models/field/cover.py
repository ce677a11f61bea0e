"""Watering as a problem of covering: tiles to be watered, sites for sprinklers, ranges and costs."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from twinproof.models.grid import Cell, neighbours4, neighbours8


@dataclass(frozen=True)
class Cover:
    """What is to be watered, from where, and at which cost.

    Parameters
    ----------
    targets : frozenset of Cell
        The tiles that must be watered or hold a sprinkler.
    sites : frozenset of Cell
        Where a sprinkler may stand.
    ranges : tuple of tuple of Cell
        For every kind of sprinkler what it waters, as seen from it, its own tile included; its own image under the
        half-turn.
    costs : tuple of int
        What a sprinkler of each kind costs; above 0.
    """

    targets: frozenset[Cell]
    sites: frozenset[Cell]
    ranges: tuple[tuple[Cell, ...], ...]
    costs: tuple[int, ...]

    @cached_property
    def widest(self) -> tuple[Cell, ...]:
        """All offsets that any kind reaches."""
        return tuple(sorted({offset for offsets in self.ranges for offset in offsets}))

    @property
    def radius(self) -> int:
        """How far, in rows or in columns, a sprinkler waters."""
        return max(row for row, _ in self.widest)

    def reach(self, cell: Cell, kind: int | None = None) -> Iterator[Cell]:
        """Give what a sprinkler would water; that is also from where it would be watered.

        Parameters
        ----------
        cell : Cell
            Where it stands.
        kind : int, optional
            The sprinkler's; without one, what any kind waters.
        """
        r, c = cell
        for dr, dc in self.widest if kind is None else self.ranges[kind]:
            yield r + dr, c + dc

    @property
    def fair_prices(self) -> tuple[Fraction, ...]:
        """What a watered tile costs in the open, by a sprinkler of each kind."""
        return tuple(Fraction(cost, len(offsets)) for cost, offsets in zip(self.costs, self.ranges, strict=True))

    @cached_property
    def nearest(self) -> Mapping[Cell, tuple[int, int]]:
        """The border that is nearest to each site or target, and how many steps it is away.

        A border is a connected part of what is no target, the outside included. Steps lead to neighbours in the
        range of the smallest sprinkler.
        """
        step = neighbours4 if all(len(offsets) <= 5 for offsets in self.ranges) else neighbours8
        cells = self.targets | self.sites
        borders = _borders(self)
        nearest = {cell: (border, 0) for cell, border in borders.items() if cell in cells}
        level, steps = sorted(borders.items()), 0
        while level:
            steps += 1
            following: dict[Cell, int] = {}
            for cell, border in level:
                for other in step(cell):
                    if other in cells and other not in nearest:
                        nearest[other] = border, steps
                        following[other] = border
            level = sorted(following.items())
        return nearest

    def within(self, width: int) -> frozenset[Cell]:
        """Give the sites and targets that are not farther than a width from a border."""
        return frozenset(cell for cell, (_, steps) in self.nearest.items() if steps <= width)


@dataclass(frozen=True)
class CoverPart:
    """A part of a cover, looked at by itself.

    Parameters
    ----------
    cover : Cover
    cells : frozenset of Cell
        Those of its sites and targets that belong to the part.
    """

    cover: Cover
    cells: frozenset[Cell]

    @cached_property
    def excused(self) -> frozenset[Cell]:
        """The targets of the part that a sprinkler on a site beyond it may water."""
        beyond = self.cover.sites - self.cells
        return frozenset(
            t for t in self.cells & self.cover.targets if any(s in beyond for s in self.cover.reach(t))
        )

    @cached_property
    def near(self) -> Mapping[Cell, tuple[Cell, ...]]:
        """The cells of the part that touch each of its cells: from one the other is watered."""
        cover = self.cover
        sites, targets = cover.sites & self.cells, cover.targets & self.cells
        return {
            cell: tuple(
                other
                for other in cover.reach(cell)
                if other != cell and ((cell in sites and other in targets) or (cell in targets and other in sites))
            )
            for cell in self.cells
        }

    def connected(self) -> "list[CoverPart]":
        """Split the part into those that have nothing to do with each other."""
        left, parts = set(self.cells), []
        while left:
            found = [min(left)]
            left.discard(found[0])
            for cell in found:
                fresh = [other for other in self.near[cell] if other in left]
                left.difference_update(fresh)
                found += fresh
            parts.append(CoverPart(self.cover, frozenset(found)))
        return parts


def bands(cover: Cover, width: int) -> list[CoverPart]:
    """Give a band along each border: the cells that are nearest to it, and not farther than a width.

    Parameters
    ----------
    cover : Cover
    width : int
        In steps; see `Cover.nearest`.

    Returns
    -------
    list of CoverPart
        No two have a cell in common.
    """
    shares: dict[int, set[Cell]] = {}
    for cell in cover.within(width):
        shares.setdefault(cover.nearest[cell][0], set()).add(cell)
    return [part for border in sorted(shares) for part in CoverPart(cover, frozenset(shares[border])).connected()]


def _borders(cover: Cover) -> dict[Cell, int]:
    """Map cells that are no targets, if they are sites or have a target beside, to the number of their part."""
    beside = {n for tile in cover.targets for n in neighbours8(tile)} - cover.targets
    beside |= cover.sites - cover.targets
    rows, columns = [r for r, _ in beside], [c for _, c in beside]
    # One cell more all round, so that the outside is connected.
    left = {
        (r, c)
        for r in range(min(rows) - 1, max(rows) + 2)
        for c in range(min(columns) - 1, max(columns) + 2)
        if (r, c) not in cover.targets
    }
    border_of, number = {}, 0
    for start in sorted(left):
        if start not in left:
            continue
        left.discard(start)
        found = [start]
        for cell in found:
            fresh = [other for other in neighbours8(cell) if other in left]
            left.difference_update(fresh)
            found += fresh
        border_of.update({cell: number for cell in found if cell in beside})
        number += 1
    return border_of
