"""Layouts as pictures, for a screen or for print; no display is needed."""

import warnings
from collections.abc import Sequence
from pathlib import Path

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle

from compare.catalogue import entry
from compare.display import colours
from compare.records import write_file

__all__ = ["write_picture"]


def write_picture(path: Path, layout: Sequence[str], name: str, title: str) -> None:
    """Draw a layout into a file.

    Parameters
    ----------
    path : Path
        Ends in one of `compare.records.PICTURE_ENDINGS`; replaced only when the picture is complete.
    layout : sequence of str
        Its rows.
    name : str
        The puzzle's name in the catalogue.
    title : str
        Written above the picture.
    """
    meanings = {**entry(name).marks, "X": "obstacle"}
    height, width = len(layout), max(len(row) for row in layout)
    scale = min(0.35, 40 / max(height, width))  # inches a tile; the picture is at most about 40 inches wide
    figure = Figure(figsize=(width * scale, height * scale))
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0, 0, 1, 1))
    for r, row in enumerate(layout):
        for c, mark in enumerate(row):
            if mark != " ":
                square = Rectangle((c, r), 1, 1, facecolor=colours[mark][1], edgecolor="white", linewidth=0.8)
                axes.add_patch(square)
    axes.set(xlim=(0, width), ylim=(height, 0), aspect="equal")
    axes.axis("off")
    axes.set_title(title.encode("utf-8", "replace").decode(), fontsize=10, parse_math=False)
    counts = {mark: sum(row.count(mark) for row in layout) for mark in meanings}
    handles = [
        Patch(facecolor=colours[mark][1], label=f"{meaning} ({counts[mark]})")
        for mark, meaning in meanings.items()
        if counts[mark]
    ]
    axes.legend(handles=handles, loc="upper center", bbox_to_anchor=(0.5, 0.0), ncols=2, frameon=False, fontsize=8)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a letter of the title that the font lacks is drawn as a box
        write_file(path, lambda temporary: figure.savefig(temporary, dpi=150, bbox_inches="tight", pad_inches=0.2))
