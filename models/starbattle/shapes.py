"""How the regions of a Star Battle puzzle look: what people like or dislike about their shapes, in numbers."""

from collections.abc import Collection
from statistics import fmean, pstdev

from twinproof.models.grid import Cell
from twinproof.models.starbattle.instance import StarBattlePuzzle

MANY = 1000
"""The choices of a region are counted up to this number."""

WORM = 4
"""A region without a 2x2 block is a worm if it has at least this number of cells; three cannot be wider."""


def measures(puzzle: StarBattlePuzzle) -> dict[str, float | int]:
    """Measure the regions of a puzzle in which every cell has one.

    Returns
    -------
    dict
        `smallest` and `largest` region, in cells; `spread`, the standard deviation of the sizes divided by their
        mean; `worms`, how many regions are one cell wide throughout (`is_worm`); `narrow`, the share of all cells
        that are in no 2x2 block of their region, from 0 to 1; `fewest choices`, the least number of ways in which
        a region's stars can stand in it by that region's rule and without touching, counted as far as `MANY`;
        `forced regions`, how many have only one way.
    """
    regions = puzzle.region_cells
    sizes = [len(cells) for cells in regions]
    choices = [count_choices(cells, puzzle.stars) for cells in regions]
    narrow = sum(len(cells) - len(_wide(cells)) for cells in regions)
    return {
        "smallest": min(sizes),
        "largest": max(sizes),
        "spread": round(pstdev(sizes) / fmean(sizes), 4),
        "worms": sum(is_worm(cells) for cells in regions),
        "narrow": round(narrow / sum(sizes), 4),
        "fewest choices": min(choices),
        "forced regions": sum(ways == 1 for ways in choices),
    }


def is_worm(cells: Collection[Cell]) -> bool:
    """Whether a region of at least four cells is one cell wide throughout: it has no 2x2 block."""
    return len(cells) >= WORM and not _wide(cells)


def _wide(cells: Collection[Cell]) -> set[Cell]:
    """Give the cells that are in a 2x2 block of the region."""
    inside = set(cells)
    wide: set[Cell] = set()
    for r, c in cells:
        block = {(r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)}
        if block <= inside:
            wide |= block
    return wide


def count_choices(cells: Collection[Cell], stars: int, most: int = MANY) -> int:
    """Count the ways to put stars on cells without two that touch, up to `most` ways.

    Parameters
    ----------
    cells : collection of Cell
        Where stars may be.
    stars : int
        How many there are to be.
    most : int
        Where the counting ends.

    Returns
    -------
    int
        `most` stands for at least as many.
    """
    ordered = sorted(cells)
    # A 2x2 block holds one star at most: so many fit on the cells from each one on.
    blocks: set[Cell] = set()
    room = [0]
    for r, c in reversed(ordered):
        blocks.add((r // 2, c // 2))
        room.append(len(blocks))
    room.reverse()
    found = 0

    def extend(start: int, chosen: tuple[Cell, ...]) -> None:
        nonlocal found
        if len(chosen) == stars:
            found += 1
            return
        for i in range(start, len(ordered) - (stars - len(chosen)) + 1):
            if found >= most or room[i] < stars - len(chosen):
                return
            r, c = ordered[i]
            if all(abs(r - y) > 1 or abs(c - x) > 1 for y, x in chosen):
                extend(i + 1, (*chosen, (r, c)))

    extend(0, ())
    return found
