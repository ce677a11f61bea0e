"""The rules of Star Battle, checked the plainest way. Shares nothing with the models."""

from collections.abc import Iterable, Sequence

from twinproof.models.grid import Cell
from twinproof.models.starbattle.instance import (
    StarBattlePuzzle,
    column_rule,
    region_rule,
    row_rule,
    touching_rule,
)
from twinproof.models.violation import Unkeepable, Violation
from twinproof.models.words import count_of


def violations(puzzle: StarBattlePuzzle, layout: Sequence[str]) -> list[Violation]:
    """List every broken rule; an empty list means that the layout is a solution.

    Parameters
    ----------
    puzzle : StarBattlePuzzle
    layout : sequence of str
        Its rows, with `*` for a star.
    """
    stars = stars_of(layout)
    found = []
    for r in range(puzzle.height):
        if sum(star[0] == r for star in stars) != puzzle.stars:
            found.append(row_rule(puzzle, r))
    for c in range(puzzle.width):
        if sum(star[1] == c for star in stars) != puzzle.stars:
            found.append(column_rule(puzzle, c))
    for region, cells in enumerate(puzzle.region_cells):
        if sum(star in cells for star in stars) != puzzle.stars:
            found.append(region_rule(puzzle, region))
    for i, first in enumerate(stars):
        for second in stars[i + 1 :]:
            if abs(first[0] - second[0]) <= 1 and abs(first[1] - second[1]) <= 1:
                found.append(touching_rule(first, second))
    on_holes = tuple(star for star in stars if star in puzzle.holes)
    if on_holes:
        found.append(Violation("forced-empty", on_holes, "a cell that is forced empty must not hold a star"))
    return found


def value(puzzle: StarBattlePuzzle, objective: str, layout: Sequence[str]) -> int | None:
    """Give the value of a layout: cells that differ, or broken rules; None for `solution`, which has no value.

    Parameters
    ----------
    puzzle : StarBattlePuzzle
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
    if objective == "fewest-broken":
        return len(violations(puzzle, layout))
    if objective == "farthest":
        assert puzzle.apart_from is not None
        return len(set(stars_of(layout)) ^ set(stars_of(puzzle.apart_from)))
    assert objective == "solution"
    return None


def stars_of(layout: Sequence[str]) -> list[Cell]:
    """List the cells with a star, row by row."""
    return [(r, c) for r, row in enumerate(layout) for c, mark in enumerate(row) if mark == "*"]


def too_tight(puzzle: StarBattlePuzzle) -> list[Unkeepable]:
    """List the rows, columns and regions that have too few cells, or too little room for stars that do not touch.

    A puzzle with such a rule has no solution; one without may still have none.
    """
    lines = [(row_rule(puzzle, r), [cell for cell in puzzle.cells if cell[0] == r]) for r in range(puzzle.height)]
    lines += [
        (column_rule(puzzle, c), [cell for cell in puzzle.cells if cell[1] == c]) for c in range(puzzle.width)
    ]
    lines += [(region_rule(puzzle, i), list(cells)) for i, cells in enumerate(puzzle.region_cells)]
    found = []
    for rule, cells in lines:
        if len(cells) < puzzle.stars:
            found.append(
                Unkeepable(rule, f"{'only ' if cells else ''}{count_of(len(cells), 'cell', 'no')} can hold a star")
            )
        elif (most := most_stars(cells)) < puzzle.stars:
            room = f"there is room for only {count_of(most, 'star')} without touching"
            found.append(Unkeepable(rule, room, (Violation("touching", (), "no two stars touch"),)))
    return found


def most_stars(cells: Iterable[Cell]) -> int:
    """Bound the stars that cells can hold without touching, by the 2x2 blocks that cover them: one star each."""
    chosen = list(cells)
    tilings = [(dr, dc) for dr in (0, 1) for dc in (0, 1)]
    return min(len({((r + dr) // 2, (c + dc) // 2) for r, c in chosen}) for dr, dc in tilings)
