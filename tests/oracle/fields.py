"""Optima of small fields by trying everything. Knows the rules from the source document, and no other module.

Sets of tiles are bit masks. For hops, every set of walkable tiles is tried with every set of sprinklers among
the remaining tiles: 3^n layouts for n tiles.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Cell = tuple[int, int]
Masks = npt.NDArray[np.int64]

EDGES = [(-1, 0), (1, 0), (0, -1), (0, 1)]
AROUND = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if (a, b) != (0, 0)]


class SmallField:
    """A drawn map: `.` tile, `X` obstacle, blank outside."""

    def __init__(self, rows: Sequence[str]) -> None:
        drawn = {(r, c): mark for r, row in enumerate(rows) for c, mark in enumerate(row) if mark != " "}
        self.tiles = sorted(cell for cell, mark in drawn.items() if mark == ".")
        self.drawn = drawn
        self.bit = {tile: 1 << i for i, tile in enumerate(self.tiles)}
        self.all = (1 << len(self.tiles)) - 1
        self.subsets: Masks = np.arange(self.all + 1, dtype=np.int64)

    def members(self, mask: int) -> list[Cell]:
        return [tile for tile in self.tiles if self.bit[tile] & mask]

    def mask(self, cells: Iterable[Cell]) -> int:
        return sum(self.bit[cell] for cell in set(cells) if cell in self.bit)

    def near(self, tile: Cell, offsets: Iterable[Cell]) -> list[Cell]:
        return [(tile[0] + dr, tile[1] + dc) for dr, dc in offsets]

    def beside_outside(self, offsets: Iterable[Cell]) -> int:
        return self.mask(t for t in self.tiles if any(n not in self.drawn for n in self.near(t, offsets)))

    def spread(self, offsets: Iterable[Cell]) -> Masks:
        """For every set of tiles the tiles that lie at one of the offsets from a member."""
        table = np.zeros(self.all + 1, dtype=np.int64)
        for tile in self.tiles:
            chosen = (self.subsets & self.bit[tile]) != 0
            table[chosen] |= self.mask(self.near(tile, offsets))
        return table

    def watered(self, kind: str, nozzle: bool) -> Masks:
        radius = ["basic", "quality", "iridium"].index(kind) + nozzle
        square = [(a, b) for a in range(-radius, radius + 1) for b in range(-radius, radius + 1)]
        return self.subsets | self.spread(EDGES if radius == 0 else square)

    def unchanged(self, symmetry: str | None) -> npt.NDArray[np.bool_]:
        """Say for every set of tiles whether the symmetry maps it onto itself."""
        moves: list[Callable[[int, int, int, int], Cell]] = {
            None: [],
            "hsym": [lambda r, c, h, w: (r, w - c)],
            "vsym": [lambda r, c, h, w: (h - r, c)],
            "both": [lambda r, c, h, w: (r, w - c), lambda r, c, h, w: (h - r, c)],
            "half-turn": [lambda r, c, h, w: (h - r, w - c)],
            "quarter-turn": [lambda r, c, h, w: (c, h - r)],
            "diagonal": [lambda r, c, h, w: (c, r)],
            "antidiagonal": [lambda r, c, h, w: (w - c, h - r)],
        }[symmetry]
        rows, columns = [r for r, _ in self.drawn], [c for _, c in self.drawn]
        top, left, h, w = min(rows), min(columns), max(rows) - min(rows), max(columns) - min(columns)
        same = np.ones(self.all + 1, dtype=bool)
        for move in moves:
            image = np.zeros(self.all + 1, dtype=np.int64)
            for r, c in self.tiles:
                moved_r, moved_c = move(r - top, c - left, h, w)
                image[(self.subsets & self.bit[r, c]) != 0] |= self.bit[moved_r + top, moved_c + left]
            same &= image == self.subsets
        return same

    def reached(self, starts: int) -> Masks:
        """For every set of walkable tiles those that are reached on foot from the starts."""
        beside = self.spread(EDGES)
        reached = self.subsets & starts
        while True:
            farther = reached | (beside[reached] & self.subsets)
            if (farther == reached).all():
                return reached
            reached = farther


def sprinkler_layouts(rows: Sequence[str], kind: str, nozzle: bool, symmetry: str | None) -> Masks:
    """All layouts, as sets of sprinklers."""
    field = SmallField(rows)
    good: Masks = field.subsets[(field.watered(kind, nozzle) == field.all) & field.unchanged(symmetry)]
    return good


def fewest_sprinklers(*question: Any) -> int | None:
    """The fewest sprinklers, or None if there is no layout; see `sprinkler_layouts`."""
    sizes = np.bitwise_count(sprinkler_layouts(*question))
    return int(sizes.min()) if sizes.size else None


def hops_layouts(
    rows: Sequence[str],
    kind: str,
    nozzle: bool,
    symmetry: str | None,
    harvest: int,
    entrances: Iterable[Cell],
    dry_paths: bool,
) -> Iterator[tuple[Masks, Masks, int]]:
    """Of all layouts with the same walkable tiles the hops, the sprinklers, and those tiles that are reached."""
    field = SmallField(rows)
    watered, unchanged = field.watered(kind, nozzle), field.unchanged(symmetry)
    sides = EDGES if harvest == 4 else AROUND
    entrance_mask = field.mask(entrances)
    reached = field.reached(entrance_mask or field.beside_outside(EDGES))
    served = field.spread(sides)[reached] | (0 if entrance_mask else field.beside_outside(sides))
    for walkable in field.subsets:
        rest = field.all & ~int(walkable)
        sprinklers = field.subsets[(field.subsets & ~rest) == 0]
        hops = rest & ~sprinklers
        thirsty = hops if dry_paths else field.all
        good = (thirsty & ~watered[sprinklers]) == 0
        good &= (hops & ~served[walkable]) == 0
        good &= unchanged[sprinklers] & unchanged[hops]
        yield hops[good], sprinklers[good], int(reached[walkable])


def hops_numbers(*question: Any) -> Iterator[tuple[int, int]]:
    """Of every layout the numbers of its hops and its sprinklers."""
    for hops, sprinklers, _ in hops_layouts(*question):
        yield from zip(np.bitwise_count(hops).tolist(), np.bitwise_count(sprinklers).tolist(), strict=True)


def hops_front(*question: Any) -> dict[int, int]:
    """For every number of hops that is possible the fewest sprinklers with it; see `hops_layouts`."""
    front: dict[int, int] = {}
    for count, cost in hops_numbers(*question):
        front[count] = min(cost, front.get(count, cost))
    return front


def count_fewest_sprinklers(*question: Any) -> int:
    """How many layouts have the fewest sprinklers."""
    sizes = np.bitwise_count(sprinkler_layouts(*question))
    return int((sizes == sizes.min()).sum())


def count_most_hops(*question: Any) -> tuple[int, int, int]:
    """Give the most hops, in how many ways these and the reached tiles can lie, and the number of layouts."""
    most = max(count for count, _ in hops_numbers(*question))
    best = [
        (h, reached)
        for hops, _, reached in hops_layouts(*question)
        for h in hops.tolist()
        if h.bit_count() == most
    ]
    return most, len(set(best)), len(best)
