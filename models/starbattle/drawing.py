"""Boards of Star Battle as text, with the borders of the regions, and on paper."""

from collections.abc import Sequence
from itertools import pairwise

from twinproof.models.generation.generated import Generated, titled
from twinproof.models.sheet import Sheet
from twinproof.models.starbattle.instance import HOLE, STAR, StarBattlePuzzle


def draw(puzzle: StarBattlePuzzle, layout: Sequence[str] | None = None) -> list[str]:
    """Draw a board: `---` and `|` between cells of different regions, and round the board.

    Parameters
    ----------
    puzzle : StarBattlePuzzle
    layout : sequence of str, optional
        Its stars are drawn; without it, the name of every cell's region.

    Returns
    -------
    list of str
        Two lines for every row of the board and one more; four characters for every column and one more. Holes
        are `#`, with a border to all that is none; cells without a region are blank, and one area.
    """
    grid = _areas(puzzle)
    edge = "+" + "---+" * puzzle.width
    lines = [edge]
    for r, row in enumerate(grid):
        marks = [_mark(puzzle, layout, r, c) for c in range(puzzle.width)]
        bars = ["|" if left != right else " " for left, right in pairwise(row)] + ["|"]
        lines.append("|" + "".join(f" {mark} {bar}" for mark, bar in zip(marks, bars, strict=True)))
        if r + 1 < puzzle.height:
            sides = ["---" if above != below else "   " for above, below in zip(row, grid[r + 1], strict=True)]
            lines.append("+" + "".join(side + "+" for side in sides))
    return [*lines, edge]


def sheet(puzzle: StarBattlePuzzle, layout: Sequence[str], solved: bool) -> Sheet:
    """Draw a board on paper, with the stars of a layout if it is `solved`.

    Parameters
    ----------
    puzzle : StarBattlePuzzle
        The instance.
    layout : sequence of str
        Its rows.
    solved : bool
        Whether the stars are drawn.

    Returns
    -------
    Sheet
        With thick borders between regions, and holes shaded.
    """
    stars = [(r, c) for r, row in enumerate(layout) for c, mark in enumerate(row) if solved and mark == STAR]
    areas = _areas(puzzle)
    return Sheet(puzzle.height, puzzle.width, areas, shaded=sorted(puzzle.holes), stars=stars)


def title(generated: Generated) -> str:
    """Say what a new puzzle is."""
    return titled("Star Battle", generated.instance, generated.instance.stars, "star")


def area(puzzle: StarBattlePuzzle, r: int, c: int) -> int | str | None:
    """Give the region of a cell; holes are one area, and so are cells without a region.

    Parameters
    ----------
    puzzle : StarBattlePuzzle
        The instance.
    r, c : int
        Row and column, counted from 0.

    Returns
    -------
    int or str or None
        The number of the region, the mark of a hole, or None without a region.
    """
    return HOLE if (r, c) in puzzle.holes else puzzle.regions[r][c]


def _areas(puzzle: StarBattlePuzzle) -> list[list[int | str | None]]:
    return [[area(puzzle, r, c) for c in range(puzzle.width)] for r in range(puzzle.height)]


def _mark(puzzle: StarBattlePuzzle, layout: Sequence[str] | None, r: int, c: int) -> str:
    """Give the one character in a cell."""
    if layout is not None and layout[r][c] == STAR:
        return STAR
    if (r, c) in puzzle.holes:
        return HOLE
    region = puzzle.regions[r][c]
    if layout is not None or region is None:
        return " "
    # A label of several characters does not fit; its region is seen by the borders.
    label = puzzle.region_labels[region]
    return label if len(label) == 1 else " "
