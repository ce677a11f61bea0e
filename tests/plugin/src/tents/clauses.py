"""Tents and Trees in clauses, for the verifier of certificates.

Every variable must be a function of the layout (see `twinproof.optim.proof.cnf`). The tents are the layout; which
tent belongs to which tree is not, as there may be several ways to pair them. So one way is computed, always the
same for the same tents: "this tent and this tree are a pair in that one".
"""

from collections.abc import Collection
from functools import lru_cache

from tents.instance import TentsPuzzle
from twinproof.models.grid import Cell
from twinproof.optim.proof.cardinality import exactly
from twinproof.optim.proof.cnf import Encoding, Formula, Truth

__all__ = ["encode"]

EDGES = ((-1, 0), (0, -1), (0, 1), (1, 0))


def encode(instance: TentsPuzzle) -> Encoding:
    """Write the rules of an instance."""
    marks = {(r, c): mark for r, row in enumerate(instance.grid) for c, mark in enumerate(row)}
    # 1. Tents stand on open cells.
    places = [cell for cell, mark in marks.items() if mark == "."]
    formula = Formula(len(places))
    tent = {cell: number for number, cell in enumerate(places, start=1)}

    # 2. No two tents touch: each cell is compared with the one to its right and the three below.
    for r, c in places:
        for other in ((r, c + 1), (r + 1, c - 1), (r + 1, c), (r + 1, c + 1)):
            if other in tent:
                formula.add(-tent[r, c], -tent[other])

    # 3. Trees and tents are paired: a tree is in exactly one pair, a cell in exactly one if it has a tent.
    trees = [cell for cell, mark in marks.items() if mark == "T"]
    beside = {tree: [cell for cell in _around(tree) if cell in tent] for tree in trees}

    @lru_cache(maxsize=1)
    def tree_of(tents: frozenset[Cell]) -> dict[Cell, Cell]:
        return _pairs(beside, tents)

    def define(tree: Cell, cell: Cell) -> int:
        return formula.define(lambda truth: tree_of(_true(tent, truth)).get(cell) == tree)

    paired = {(tree, cell): define(tree, cell) for tree in trees for cell in beside[tree]}
    for tree in trees:
        exactly(formula, [paired[tree, cell] for cell in beside[tree]], 1)
    for cell in places:
        pairs = [paired[tree, cell] for tree in _around(cell) if tree in beside]
        formula.add(-tent[cell], *pairs)
        for i, pair in enumerate(pairs):
            formula.add(-pair, tent[cell])
            for another in pairs[i + 1 :]:
                formula.add(-pair, -another)

    # 4. A row or column with a number has exactly that many tents.
    for axis, numbers in ((0, instance.row_numbers), (1, instance.column_numbers)):
        for line, number in enumerate(numbers):
            if number is not None:
                exactly(formula, [variable for cell, variable in tent.items() if cell[axis] == line], number)
    return Encoding(formula, {("*", cell): variable for cell, variable in tent.items()})


def _around(cell: Cell) -> list[Cell]:
    return [(cell[0] + dr, cell[1] + dc) for dr, dc in EDGES]


def _true(tent: dict[Cell, int], truth: Truth) -> frozenset[Cell]:
    return frozenset(cell for cell, variable in tent.items() if truth[variable])


def _pairs(beside: dict[Cell, list[Cell]], tents: Collection[Cell]) -> dict[Cell, Cell]:
    """Pair as many trees and tents as possible, and give the tree of every tent that is in a pair.

    One tree after the other looks for a tent, along a path on which the trees before it change to another tent.

    References
    ----------
    C. Berge, "Two theorems in graph theory", Proceedings of the National Academy of Sciences 43, 1957.
    """
    tree_of: dict[Cell, Cell] = {}
    tent_of: dict[Cell, Cell] = {}
    for start in beside:
        asked_by: dict[Cell, Cell] = {}
        path = [start]
        for tree in path:  # grows while it is walked along
            for tent in beside[tree]:
                if tent in tents and tent not in asked_by:
                    asked_by[tent] = tree
                    path += [tree_of[tent]] if tent in tree_of else []
        free: Cell | None = next((tent for tent in asked_by if tent not in tree_of), None)
        while free is not None:
            tree = tree_of[free] = asked_by[free]
            tent_of[tree], free = free, tent_of.get(tree)
    return tree_of
