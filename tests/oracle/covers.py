"""Covers of a few cells by brute force, from what they are in words."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product

Cell = tuple[int, int]


def placements(sites: Iterable[Cell], kinds: int) -> Iterator[dict[Cell, int]]:
    """Give every way to place at most one sprinkler, of any kind, on each site."""
    sites = sorted(sites)
    for chosen in product(range(-1, kinds), repeat=len(sites)):
        yield {site: kind for site, kind in zip(sites, chosen, strict=True) if kind >= 0}


def watered(placed: Mapping[Cell, int], ranges: Sequence[Sequence[Cell]]) -> set[Cell]:
    """Give the cells that sprinklers water, those they stand on included."""
    return {(r + dr, c + dc) for (r, c), kind in placed.items() for dr, dc in ranges[kind]}


def least_cost(
    targets: Iterable[Cell], sites: Iterable[Cell], ranges: Sequence[Sequence[Cell]], costs: Sequence[int]
) -> int | None:
    """Give the least cost at which all targets are watered; None if they cannot be."""
    wanted = set(targets)
    found = [
        sum(costs[kind] for kind in placed.values())
        for placed in placements(sites, len(costs))
        if wanted <= watered(placed, ranges)
    ]
    return min(found, default=None)
