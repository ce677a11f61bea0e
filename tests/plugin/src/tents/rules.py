"""The rules of Tents and Trees, checked the plainest way. Shares nothing with the models."""

from collections.abc import Sequence

from tents.instance import TentsPuzzle
from twinproof.models.grid import Cell
from twinproof.models.violation import Violation
from twinproof.models.words import count_of

__all__ = ["value", "violations"]

EDGES = ((-1, 0), (1, 0), (0, -1), (0, 1))


def violations(instance: TentsPuzzle, layout: Sequence[str]) -> list[Violation]:
    """List every broken rule with its cells; an empty list means that the layout is valid.

    Parameters
    ----------
    instance : TentsPuzzle
    layout : sequence of str
        The rows of the grid, with `*` where a tent stands.

    Returns
    -------
    list of Violation
        At most one `tent on tree`, with all its cells; one `touching` for every two tents that touch; one `tree`
        for every tree that is left without a tent when trees and tents are paired, one `tent` for every tent
        without a tree, each with the group in which it is; one `row` or `column` for every number not met.
    """
    grid = {(r, c): mark for r, row in enumerate(instance.grid) for c, mark in enumerate(row)}
    tents = [(r, c) for r, row in enumerate(layout) for c, mark in enumerate(row) if mark == "*"]
    found = []

    on_tree = tuple(tent for tent in tents if grid[tent] == "T")
    if on_tree:
        found.append(Violation("tent on tree", on_tree, "a tent must not stand on a tree"))

    for i, first in enumerate(tents):
        for second in tents[i + 1 :]:
            if abs(first[0] - second[0]) <= 1 and abs(first[1] - second[1]) <= 1:
                found.append(Violation("touching", (first, second), "two tents must not touch"))

    trees = {cell for cell, mark in grid.items() if mark == "T"}
    for group in _groups(trees, set(tents) - trees):
        some_trees, some_tents = sum(cell in trees for cell in group), sum(cell not in trees for cell in group)
        said = f"{count_of(some_trees, 'tree')} and {count_of(some_tents, 'tent')}"
        without_tent = Violation("tree", group, f"every tree must have a tent of its own, and here are {said}")
        without_tree = Violation("tent", group, f"every tent must have a tree of its own, and here are {said}")
        found += [without_tent] * (some_trees - some_tents) + [without_tree] * (some_tents - some_trees)

    found += _numbers_not_met("row", instance.row_numbers, [row.count("*") for row in layout])
    columns = zip(*layout, strict=True)
    found += _numbers_not_met("column", instance.column_numbers, [column.count("*") for column in columns])
    return found


def _groups(trees: set[Cell], tents: set[Cell]) -> list[tuple[Cell, ...]]:
    """Join every tree to the tents beside it, and give the groups that hang together.

    In a group all trees or all tents can be paired, whichever are fewer, if no tents touch. Then a tree has at
    most two tents beside it, on opposite sides: it joins two tents like an edge of a graph, or is a loop at one.
    In a connected graph every end can be given an edge of its own if there are as many edges as ends; otherwise,
    in a graph without a cycle, every end but one. (Tents that touch break a rule anyway.)
    """
    left = trees | tents
    groups = []
    for start in sorted(trees | tents):
        if start not in left:
            continue
        left.remove(start)
        group = [start]
        for r, c in group:  # grows while it is walked along
            for dr, dc in EDGES:
                other = r + dr, c + dc
                if other in left and (other in trees) != ((r, c) in trees):
                    left.remove(other)
                    group.append(other)
        groups.append(tuple(sorted(group)))
    return groups


def _numbers_not_met(line: str, numbers: Sequence[int | None], counts: Sequence[int]) -> list[Violation]:
    return [
        Violation(line, (), f"{line} {i} must have {count_of(number, 'tent')}, not {count}")
        for i, (number, count) in enumerate(zip(numbers, counts, strict=True), start=1)
        if number is not None and count != number
    ]


def value(instance: TentsPuzzle, objective: str, layout: Sequence[str]) -> int | None:
    """Give the value of a layout: its open cells that differ, or its broken rules; None for `solution`.

    Parameters
    ----------
    instance : TentsPuzzle
        The instance.
    objective : str
        One of the puzzle's objectives.
    layout : sequence of str
        Its rows.

    Returns
    -------
    int or None
        The number that the objective counts.
    """
    if objective == "farthest":
        assert instance.apart_from is not None
        return sum(
            mark == "." and mine != theirs
            for rows in zip(instance.grid, layout, instance.apart_from, strict=True)
            for mark, mine, theirs in zip(*rows, strict=True)
        )
    if objective == "fewest-broken":
        return sum(broken.rule in ("row", "column", "tree") for broken in violations(instance, layout))
    assert objective == "solution"
    return None
