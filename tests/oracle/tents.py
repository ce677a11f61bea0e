"""Tents and Trees on small grids by trying every set of tents. Knows the rules from their description only."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

Cell = tuple[int, int]


@dataclass(frozen=True)
class Camp:
    """Tents that do not touch and can be given to the trees one to one, and how many numbers they do not meet."""

    tents: frozenset[Cell]
    broken: int


def camps(
    grid: Sequence[str], row_numbers: Sequence[int | None], column_numbers: Sequence[int | None]
) -> list[Camp]:
    """All sets of tents that keep every rule, except perhaps that of the numbers."""
    trees = [(r, c) for r, row in enumerate(grid) for c, mark in enumerate(row) if mark == "T"]
    free = [(r, c) for r, row in enumerate(grid) for c, mark in enumerate(row) if mark == "."]
    found = []
    for tents in combinations(free, len(trees)):
        if any(max(abs(r - y), abs(c - x)) == 1 for (r, c), (y, x) in combinations(tents, 2)):
            continue
        if not any(all(map(shares_edge, trees, order)) for order in permutations(tents)):
            continue
        broken = sum(
            number is not None and sum(r == i for r, _ in tents) != number for i, number in enumerate(row_numbers)
        ) + sum(
            number is not None and sum(c == i for _, c in tents) != number
            for i, number in enumerate(column_numbers)
        )
        found.append(Camp(frozenset(tents), broken))
    return found


def shares_edge(one: Cell, other: Cell) -> bool:
    return abs(one[0] - other[0]) + abs(one[1] - other[1]) == 1
