"""Stars put into groups of k that lie together: what the regions of a new puzzle are grown round."""

from collections import deque
from collections.abc import Sequence
from random import Random

from twinproof.models.generation.chance import shuffled

Neighbours = Sequence[Sequence[int]]
"""For every cell, numbered from 0 row by row, the cells with which it shares an edge."""

STARTS = 12
"""The number of groups that are tried where the last one would cut off a part that cannot be divided."""


def neighbour_table(size: int) -> Neighbours:
    """List the neighbours of every cell of a square board."""
    table: list[list[int]] = []
    for cell in range(size * size):
        r, c = divmod(cell, size)
        around = ((r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c))
        table.append([y * size + x for y, x in around if 0 <= y < size and 0 <= x < size])
    return table


def group_stars(size: int, stars: Sequence[int], each: int, rng: Random) -> list[list[int]] | None:
    """Divide stars into groups; those of a group can be joined without crossing another group.

    Every star first gets the cells nearest to it, by steps from cell to cell; these areas are connected and cover
    the board. Groups are made of areas that lie side by side, so the area of a group is connected too.

    Parameters
    ----------
    size : int
        The number of rows, and of columns, of the board.
    stars : sequence of int
        Their cells.
    each : int
        Stars in a group; divides their number.
    rng : Random

    Returns
    -------
    list of list of int, or None
        The cells of each group's stars; None if the chosen groups left some over.
    """
    beside = _areas_side_by_side(size, stars, rng)
    free = dict.fromkeys(range(len(stars)))
    groups: list[list[int]] = []
    while free:
        for _ in range(STARTS):
            group = _one_group(size, stars, each, beside, free, rng)
            rest = {star: None for star in free if star not in group}
            if len(group) == each and all(part % each == 0 for part in _parts(beside, rest)):
                break
        else:
            return None
        groups.append([stars[star] for star in group])
        free = rest
    return groups


def _areas_side_by_side(size: int, stars: Sequence[int], rng: Random) -> list[list[int]]:
    """Give every star its area, and tell for each which others have an area beside it."""
    near = neighbour_table(size)
    area = dict(zip(stars, range(len(stars)), strict=True))
    waiting = deque(shuffled(rng, stars))
    while waiting:
        cell = waiting.popleft()
        for other in shuffled(rng, near[cell]):
            if other not in area:
                area[other] = area[cell]
                waiting.append(other)
    beside: list[dict[int, None]] = [{} for _ in stars]
    for cell, others in enumerate(near):
        beside[area[cell]].update((area[other], None) for other in others if area[other] != area[cell])
    return [list(found) for found in beside]


def _one_group(
    size: int, stars: Sequence[int], each: int, beside: Sequence[Sequence[int]], free: dict[int, None], rng: Random
) -> list[int]:
    """Grow one group, from a star with few free neighbours, by stars that are near and have few others."""

    def loneliness(star: int, group: Sequence[int]) -> float:
        return sum(other in free and other not in group for other in beside[star]) + 2 * rng.random()

    def distance(star: int, group: Sequence[int]) -> int:
        r, c = divmod(stars[star], size)
        return min(abs(stars[other] // size - r) + abs(stars[other] % size - c) for other in group)

    group = [min(free, key=lambda star: loneliness(star, []))]
    while len(group) < each:
        candidates = dict.fromkeys(other for star in group for other in beside[star] if other in free)
        for star in group:
            candidates.pop(star, None)
        if not candidates:
            break
        group.append(min(candidates, key=lambda star: loneliness(star, group) + distance(star, group)))
    return group


def _parts(beside: Sequence[Sequence[int]], free: dict[int, None]) -> list[int]:
    """Count the stars in each connected part of those that are free."""
    seen: set[int] = set()
    sizes = []
    for first in free:
        if first in seen:
            continue
        seen.add(first)
        part = [first]
        for star in part:  # grows meanwhile
            for other in beside[star]:
                if other in free and other not in seen:
                    seen.add(other)
                    part.append(other)
        sizes.append(len(part))
    return sizes
