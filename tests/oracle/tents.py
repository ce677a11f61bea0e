"""Tents and Trees on small grids by trying every set of tents. Knows the rules from their description only."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, product

Cell = tuple[int, int]


@dataclass(frozen=True)
class Camp:
    """Tents that do not touch, each with a tree of its own, and the rules that they break.

    These are trees without a tent, and rows and columns whose numbers they miss. There is a camp for each way to
    give the tents to trees.
    """

    tents: frozenset[Cell]
    rules: frozenset[object]

    @property
    def broken(self) -> int:
        return len(self.rules)


def camps(
    grid: Sequence[str], row_numbers: Sequence[int | None], column_numbers: Sequence[int | None]
) -> list[Camp]:
    """All sets of tents that keep every rule, except perhaps that of the numbers and that trees have tents."""
    trees = [(r, c) for r, row in enumerate(grid) for c, mark in enumerate(row) if mark == "T"]
    free = [(r, c) for r, row in enumerate(grid) for c, mark in enumerate(row) if mark == "."]
    found = []
    for tents in (some for size in range(len(free) + 1) for some in combinations(free, size)):
        if any(max(abs(r - y), abs(c - x)) == 1 for (r, c), (y, x) in combinations(tents, 2)):
            continue
        missed: set[object] = {
            (line, i)
            for axis, (line, numbers) in enumerate((("row", row_numbers), ("column", column_numbers)))
            for i, number in enumerate(numbers)
            if number is not None and sum(tent[axis] == i for tent in tents) != number
        }
        alone = {frozenset(set(trees) - set(order)) for order in product(*(beside(tent, trees) for tent in tents))}
        found += [
            Camp(frozenset(tents), frozenset(missed | left))
            for left in alone
            if len(left) == len(trees) - len(tents)
        ]
    return found


def beside(tent: Cell, trees: Sequence[Cell]) -> list[Cell]:
    return [tree for tree in trees if abs(tree[0] - tent[0]) + abs(tree[1] - tent[1]) == 1]
