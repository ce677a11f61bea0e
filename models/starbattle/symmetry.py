"""Star Battle puzzles that are the same but for a symmetry of the square or the names of their regions."""

from twinproof.models.grid import SQUARE_SYMMETRIES
from twinproof.models.starbattle.instance import StarBattlePuzzle

__all__ = ["CanonicalForm", "canonical"]

CanonicalForm = tuple[int, tuple[tuple[int, ...], ...]]

NO_REGION, FORCED_EMPTY = -1, -2


def canonical(puzzle: StarBattlePuzzle) -> CanonicalForm:
    """Give what a puzzle has in common with its mirror images, its turned ones and those with other labels.

    Two puzzles have the same canonical form exactly if one of the eight symmetries of the square maps the regions,
    the holes and the cells without a region of one onto those of the other, and they have equally many stars.

    Returns
    -------
    stars : int
    rows : tuple of tuple of int
        Of the eight images the least, row by row; regions are numbered from 0 in the order in which they are first
        met, a cell without a region is -1, a hole -2.
    """
    n = puzzle.height
    marks = {
        (r, c): FORCED_EMPTY if (r, c) in puzzle.holes else NO_REGION if region is None else region
        for r, row in enumerate(puzzle.regions)
        for c, region in enumerate(row)
    }
    images = [marks]
    for image in SQUARE_SYMMETRIES.values():
        images.append({image(r, c, n, n): mark for (r, c), mark in marks.items()})
    return puzzle.stars, min(
        _numbered(tuple(tuple(moved[r, c] for c in range(n)) for r in range(n))) for moved in images
    )


def _numbered(rows: tuple[tuple[int, ...], ...]) -> tuple[tuple[int, ...], ...]:
    """Give the regions new numbers, in the order in which they are met."""
    numbers: dict[int, int] = {}
    return tuple(
        tuple(mark if mark < 0 else numbers.setdefault(mark, len(numbers)) for mark in row) for row in rows
    )
