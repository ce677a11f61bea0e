"""Pictures of a comparison: questions settled within seconds, engine against engine, value and bound over time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

COLOURS = {"cpsat": "#3b6fb6", "maxsat": "#e07b39", "frontier": "#3f9a5f"}
GREY = "#8a8a8a"
"""Every other engine is drawn in this colour."""

MARKERS = "os^DPXv"
"""The puzzles' marks, in the order in which they come."""

WIDTH, HEIGHT = 7.0, 4.4
LEAST = 0.005
"""Fewer seconds than these are drawn as these, because a clock says little below them."""


@dataclass(frozen=True)
class ScatterPoint:
    """One question in a scatter plot.

    Parameters
    ----------
    puzzle : str
    x, y : float
        Seconds of the two engines.
    x_open, y_open : bool
        Whether that engine was stopped by its limit.
    """

    puzzle: str
    x: float
    y: float
    x_open: bool = False
    y_open: bool = False


@dataclass(frozen=True)
class Curve:
    """What an engine knew over time.

    Parameters
    ----------
    engine : str
    points : sequence of (float, int or None, int or None)
        Seconds, value, bound.
    end : float
        Seconds when the engine ended.
    """

    engine: str
    points: Sequence[tuple[float, int | None, int | None]]
    end: float


def draw_cactus(path: Path, seconds: Mapping[str, Sequence[float]]) -> None:
    """Draw, for every engine, how many questions it settled within how many seconds each.

    Parameters
    ----------
    path : Path
    seconds : mapping
        By engine, of the questions that it settled.
    """
    figure, axes = _figure()
    for engine, took in seconds.items():
        ranked = sorted(max(LEAST, one) for one in took)
        count = range(1, len(ranked) + 1)
        axes.step(ranked, count, where="post", label=engine, color=COLOURS.get(engine, GREY), linewidth=1.8)
    axes.set_xscale("log")
    axes.set_xlabel("seconds for one question")
    axes.set_ylabel("questions settled")
    _save(figure, axes, path)


def draw_scatter(path: Path, points: Sequence[ScatterPoint], names: tuple[str, str]) -> None:
    """Draw the seconds of two engines against each other, on logarithmic axes; hollow where one was stopped.

    Parameters
    ----------
    path : Path
    points : sequence of ScatterPoint
    names : tuple of str
        What to call the two engines.
    """
    figure, axes = _figure(square=True)
    seconds = [max(LEAST, one) for point in points for one in (point.x, point.y)]
    low, high = min(seconds, default=LEAST) / 1.5, max(seconds, default=1.0) * 1.5
    axes.plot([low, high], [low, high], color="#999999", linewidth=0.8)
    for factor in (10, 0.1):
        axes.plot([low, high], [low * factor, high * factor], color="#dddddd", linewidth=0.8, zorder=0)
    for puzzle, marker in zip(dict.fromkeys(p.puzzle for p in points), cycle(MARKERS), strict=False):
        for hollow in (False, True):
            some = [p for p in points if p.puzzle == puzzle and (p.x_open or p.y_open) == hollow]
            if not some:
                continue
            axes.scatter(
                [max(LEAST, p.x) for p in some],
                [max(LEAST, p.y) for p in some],
                marker=marker,
                s=38,
                facecolors="none" if hollow else None,
                edgecolors="#333333" if hollow else "white",
                linewidths=0.8,
                label=None if hollow else puzzle,
            )
    if any(p.x_open or p.y_open for p in points):
        axes.scatter([], [], s=38, facecolors="none", edgecolors="#333333", linewidths=0.8, label="one stopped")
    axes.set(xscale="log", yscale="log", xlim=(low, high), ylim=(low, high))
    axes.set_box_aspect(1)
    axes.set_xlabel(f"{names[0]}, seconds")
    axes.set_ylabel(f"{names[1]}, seconds")
    _save(figure, axes, path)


def draw_curves(path: Path, title: str, curves: Sequence[Curve]) -> None:
    """Draw value (solid) and bound (dashed) of engines over time.

    Parameters
    ----------
    path : Path
    title : str
    curves : sequence of Curve
    """
    figure, axes = _figure()
    for curve in curves:
        for which, style in ((1, "-"), (2, "--")):
            # Each point has its seconds, a value (1) and a bound (2).
            known = [(point[0], number) for point in curve.points if (number := point[which]) is not None]
            if not known:
                continue
            times = [max(LEAST, seconds) for seconds, _ in known] + [max(LEAST, curve.end)]
            numbers = [number for _, number in known] + [known[-1][1]]
            label = f"{curve.engine}, {'value' if which == 1 else 'bound'}"
            colour = COLOURS.get(curve.engine, GREY)
            axes.step(times, numbers, style, where="post", color=colour, label=label, linewidth=1.6)
    axes.set_xscale("log")
    axes.set_xlabel("seconds")
    axes.set_title(title, fontsize="medium")
    _save(figure, axes, path)


def _figure(square: bool = False) -> tuple[Figure, Axes]:
    figure = Figure(figsize=(HEIGHT + 2.2, HEIGHT + 1) if square else (WIDTH, HEIGHT), layout="constrained")
    axes = figure.subplots()
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(color="#eeeeee", linewidth=0.6)
    axes.set_axisbelow(True)
    return figure, axes


def _save(figure: Figure, axes: Axes, path: Path) -> None:
    if axes.get_legend_handles_labels()[1]:
        # Beside the picture, where it hides no point.
        figure.legend(frameon=False, fontsize="small", loc="outside right upper")
    # The same figures give the same file: no date, no random names in it.
    with mpl.rc_context({"svg.hashsalt": "twinproof"}):
        figure.savefig(
            path,
            dpi=110,
            bbox_inches="tight",
            metadata={"Software": None} if path.suffix == ".png" else {"Date": None},
        )
