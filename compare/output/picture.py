"""Layouts as pictures, for a screen or for print; no display is needed."""

import warnings
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle

from twinproof.compare.output.records import write_file
from twinproof.models import PUZZLES
from twinproof.models.grid import Cell


def write_picture(path: Path, layout: Sequence[str], name: str, title: str, instance: Any) -> None:
    """Draw a layout into a file.

    Parameters
    ----------
    path : Path
        Ends in one of `compare.output.records.PICTURE_ENDINGS`; replaced only when the picture is complete.
    layout : sequence of str
        Its rows.
    name : str
        The puzzle's name in the catalogue.
    title : str
        Written above the picture.
    instance : object
        Whose layout it is.
    """
    look = PUZZLES.find(name).look
    height, width = len(layout), max(len(row) for row in layout)
    scale = min(0.35, 40 / max(height, width))  # inches a tile; the picture is at most about 40 inches wide
    figure = Figure(figsize=(width * scale, height * scale))
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0, 0, 1, 1))
    for r, row in enumerate(layout):
        for c, mark in enumerate(row):
            if mark != " ":
                square = Rectangle(
                    (c, r), 1, 1, facecolor=look.colours.get(mark, "white"), edgecolor="white", lw=0.8
                )
                axes.add_patch(square)
            if mark in look.written:
                axes.text(c + 0.5, r + 0.55, mark, ha="center", va="center", fontsize=28 * scale)
    if look.area is not None:
        areas = [[look.area(instance, r, c) for c in range(width)] for r in range(height)]
        for (r, c), (r2, c2) in borders(areas):
            axes.plot((c, c2), (r, r2), color="black", linewidth=1.6, solid_capstyle="projecting")
    axes.set(xlim=(0, width), ylim=(height, 0), aspect="equal")
    axes.axis("off")
    axes.set_title(title.encode("utf-8", "replace").decode(), fontsize=10, parse_math=False)
    counts = {mark: sum(row.count(mark) for row in layout) for mark in look.counted}
    handles = [
        Patch(facecolor=look.colours.get(mark, "white"), label=f"{meaning} ({counts[mark]})")
        for mark, meaning in look.counted.items()
        if counts[mark]
    ]
    axes.legend(handles=handles, loc="upper center", bbox_to_anchor=(0.5, 0.0), ncols=2, frameon=False, fontsize=8)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a letter of the title that the font lacks is drawn as a box
        drawn = BytesIO()
        figure.savefig(drawn, format=path.suffix[1:], dpi=150, bbox_inches="tight", pad_inches=0.2)
    write_file(path, drawn.getvalue())


def borders(areas: Sequence[Sequence[object]]) -> Iterator[tuple[Cell, Cell]]:
    """Give the ends, row and column of grid lines, of every side that parts two areas or lies at the rim."""
    height, width = len(areas), len(areas[0])
    for r in range(height):
        for c in range(width):
            if r == 0 or areas[r - 1][c] != areas[r][c]:
                yield (r, c), (r, c + 1)
            if c == 0 or areas[r][c - 1] != areas[r][c]:
                yield (r, c), (r + 1, c)
    yield (height, 0), (height, width)
    yield (0, width), (height, width)
