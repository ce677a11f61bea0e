"""Puzzles on pages to be printed: black on white, the solutions small on the last pages.

The letters are those that every reader of PDF has, so that the files are small, and no date is in them: the same
puzzles give the same bytes.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_pdf import PdfPages
from matplotlib.collections import LineCollection, PatchCollection
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Rectangle

from twinproof.compare.output.picture import borders
from twinproof.compare.output.records import write_file
from twinproof.compare.questions.generate import Made, generation_of

PER_PAGE = {1: (1, 1), 2: (2, 1), 4: (2, 2), 6: (3, 2)}
"""The numbers of puzzles that a page may have, with the rows and columns that they form."""

PAGE = (8.27, 11.69)  # inches: A4
MARGIN = 0.75
FOOT = 0.45
SPACE = 0.35  # between two puzzles
HEAD = 0.62  # for a puzzle's title
SMALL_HEAD = 0.3  # for a solution's
MOST_CELL = 0.5  # no cell is larger, however few there are
SMALL_SIDE = 16  # solutions with more rows or columns need larger places

GREY, LIGHT = "0.72", "0.85"  # of thin lines, of walls
"""These greys are light enough to save ink."""


@dataclass(frozen=True)
class _Place:
    """A part of a page, in inches from its lower left corner."""

    left: float
    bottom: float
    width: float
    height: float


def write_pages(path: Path, puzzles: Sequence[Made], per_page: int = 1) -> int:
    """Write puzzles, and behind them their solutions, into a PDF file.

    Parameters
    ----------
    path : Path
        Replaced only when all pages are complete.
    puzzles : sequence of Made
        At least one.
    per_page : int
        One of `PER_PAGE`.

    Returns
    -------
    int
        How many pages there are.
    """
    side = max(max(len(made.generated.layout), len(made.generated.layout[0])) for made in puzzles)
    solutions_grid = (4, 3) if side <= SMALL_SIDE else (3, 2) if side <= 2 * SMALL_SIDE else (2, 1)
    parts: list[tuple[tuple[int, int], Callable[[Figure, _Place, int, Made], None]]] = [
        (PER_PAGE[per_page], _draw_puzzle),
        (solutions_grid, _draw_solution),
    ]
    pages = [
        (grid, draw, list(enumerate(puzzles, start=1))[first : first + grid[0] * grid[1]])
        for grid, draw in parts
        for first in range(0, len(puzzles), grid[0] * grid[1])
    ]

    # In memory first: matplotlib fails once more while it closes a file that cannot be written.
    drawn = BytesIO()
    metadata = {"CreationDate": None, "Title": "Puzzles", "Creator": "twinproof"}
    with (
        mpl.rc_context({"font.family": "Helvetica", "pdf.use14corefonts": True}),
        PdfPages(drawn, metadata=metadata) as file,
    ):
        for number, (grid, draw, numbered) in enumerate(pages, start=1):
            figure = Figure(figsize=PAGE)
            heading = "Solutions" if draw is _draw_solution else ""
            _text(figure, PAGE[0] / 2, PAGE[1] - MARGIN + 0.1, heading, 11)
            _text(figure, PAGE[0] / 2, FOOT, f"{number} / {len(pages)}", 9)
            for place, (index, made) in zip(_places(grid), numbered, strict=False):
                draw(figure, place, index, made)
            file.savefig(figure)
    write_file(path, drawn.getvalue())
    return len(pages)


def _places(grid: tuple[int, int]) -> Iterator[_Place]:
    """Part a page, row by row from the top."""
    rows, columns = grid
    width = (PAGE[0] - 2 * MARGIN - (columns - 1) * SPACE) / columns
    height = (PAGE[1] - 2 * MARGIN - (rows - 1) * SPACE) / rows
    for r in range(rows):
        for c in range(columns):
            left = MARGIN + c * (width + SPACE)
            yield _Place(left, PAGE[1] - MARGIN - (r + 1) * height - r * SPACE, width, height)


def _text(figure: Figure, x: float, y: float, text: str, size: float, weight: str = "medium") -> None:
    """Write a line, its middle at a point of the page."""
    if text:
        figure.text(
            x / PAGE[0], y / PAGE[1], text, ha="center", va="baseline", size=size, weight=weight, parse_math=False
        )


def _draw_puzzle(figure: Figure, place: _Place, index: int, made: Made) -> None:
    axes, top, middle = _grid_axes(figure, place, made, HEAD)
    scale = min(1.0, place.width / 3.6)
    _text(
        figure,
        middle,
        top + 0.36 * scale + 0.05,
        f"{index}.  {generation_of(made.puzzle).title(made.generated)}",
        8 + 6 * scale,
        "bold",
    )
    _text(figure, middle, top + 0.12 * scale + 0.04, _subtitle(made), 6.5 + 3 * scale)
    _draw_board(axes, made, solved=False)


def _draw_solution(figure: Figure, place: _Place, index: int, made: Made) -> None:
    axes, top, middle = _grid_axes(figure, place, made, SMALL_HEAD)
    _text(figure, middle, top + 0.07, f"{index}", 9, "bold")
    _draw_board(axes, made, solved=True)


def _subtitle(made: Made) -> str:
    grade = [made.grade] if made.grade else []
    return "   ".join([*grade, f"seed {made.generated.seed}"])


def _grid_axes(figure: Figure, place: _Place, made: Made, head: float) -> tuple[Axes, float, float]:
    """Make axes with a unit a cell in the middle of a place; also give their upper end and their middle."""
    height, width = len(made.generated.layout), len(made.generated.layout[0])
    cell = min(MOST_CELL, place.width / width, (place.height - head) / height)
    left = place.left + (place.width - cell * width) / 2
    bottom = place.bottom + (place.height - head - cell * height) / 2
    box = (left / PAGE[0], bottom / PAGE[1], cell * width / PAGE[0], cell * height / PAGE[1])
    axes = figure.add_axes(box)
    axes.set(xlim=(0, width), ylim=(height, 0))
    axes.axis("off")
    return axes, bottom + cell * height, left + cell * width / 2


def _draw_board(axes: Axes, made: Made, solved: bool) -> None:
    sheet = generation_of(made.puzzle).sheet(made.generated.instance, made.generated.layout, solved)
    height, width = sheet.height, sheet.width
    cell = axes.get_window_extent().width / width  # in points: a figure has 72 dots an inch in PDF
    cell *= 72 / axes.figure.dpi
    thin = [[(0, r), (width, r)] for r in range(1, height)] + [[(c, 0), (c, height)] for c in range(1, width)]
    axes.add_collection(LineCollection(thin, colors=GREY, linewidths=min(0.7, cell / 20)))
    outline = min(1.0, cell / 16)
    for cells, edge, wide in ((sheet.shaded, "none", 0.0), (sheet.walls, "black", outline)):
        squares = [Rectangle((c, r), 1, 1) for r, c in cells]
        axes.add_collection(PatchCollection(squares, facecolor=LIGHT, edgecolor=edge, linewidths=wide))
    for (r, c), text in sheet.texts.items():
        # In the middle: digits are 0.72 of their size high.
        size, weight = 0.6 * cell, "bold" if sheet.bold else "medium"
        axes.text(c + 0.5, r + 0.5 + 0.36 * size / cell, text, ha="center", size=size, weight=weight)
    across, down = [c + 0.5 for _, c in sheet.stars], [r + 0.53 for r, _ in sheet.stars]
    axes.scatter(across, down, s=(0.62 * cell) ** 2, color="black", marker="*", linewidths=0)
    for cells, radius, colour, wide in (
        (sheet.discs, 0.3, "white", min(1.5, cell / 9)),
        (sheet.dots, 0.25, "black", 0.0),
        (sheet.rings, 0.43, "none", outline),
    ):
        circles = [Circle((c + 0.5, r + 0.5), radius) for r, c in cells]
        axes.add_collection(PatchCollection(circles, facecolor=colour, edgecolor="black", linewidths=wide))
    thick = [[(c, r), (c2, r2)] for (r, c), (r2, c2) in borders(sheet.areas or [[0] * width] * height)]
    axes.add_collection(
        LineCollection(thick, colors="black", linewidths=min(2.2, cell / 9), capstyle="projecting", clip_on=False)
    )
