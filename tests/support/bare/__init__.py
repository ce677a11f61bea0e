"""The smallest puzzle: marks anywhere, and nothing that a puzzle may leave out, neither a model nor clauses."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from twinproof.models.grid import Cell
from twinproof.models.puzzle import Layout, Look, Objective, Puzzle, Rules
from twinproof.models.text.sources import Source, read_text, show_name
from twinproof.optim import Sense

__all__ = ["PUZZLE"]


@dataclass(frozen=True)
class BarePuzzle:
    grid: tuple[str, ...]
    name: str = "bare"


def _build(source: Source, options: Mapping[str, Any]) -> BarePuzzle:
    return BarePuzzle(tuple(read_text(source).split()), show_name(source))


def _draw(instance: BarePuzzle, marks: Mapping[Cell, str]) -> Layout:
    return tuple("".join(marks.get((r, c), ".") for c in range(len(row))) for r, row in enumerate(instance.grid))


PUZZLE = Puzzle(
    name="bare",
    title="mark what you like",
    package=__name__,
    objectives=(Objective("most-marks", Sense.MAXIMIZE, counts="*"),),
    options=(),
    build=_build,
    to_json=lambda instance: {"name": instance.name, "grid": list(instance.grid)},
    from_json=lambda content: BarePuzzle(tuple(content["grid"]), content["name"]),
    describe=lambda instance: {},
    rows=lambda instance: instance.grid,
    read_layout=lambda instance, text, name: tuple(text.split()),
    draw=_draw,
    rules=Rules(lambda instance, layout: [], lambda instance, objective, layout: "".join(layout).count("*")),
    look=Look({"*": "mark"}, {"*": "#ffffff"}),
)
