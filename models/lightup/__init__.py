"""Light Up, also called Akari: bulbs that light every floor cell and never each other."""

from collections.abc import Mapping
from typing import Any

from twinproof.models.grid import Cell
from twinproof.models.lightup.at_sight import reasons
from twinproof.models.lightup.drawing import draw, sheet, title
from twinproof.models.lightup.formats import FORMATS
from twinproof.models.lightup.instance import (
    NO_SYMMETRY,
    RELAXED,
    WALL_SYMMETRIES,
    LightUpPuzzle,
    read_layout,
)
from twinproof.models.lightup.rules import value, violations
from twinproof.models.options import APART_FROM, FORMAT, Option
from twinproof.models.puzzle import Generation, Layout, Look, Objective, Puzzle, Rules, Words
from twinproof.models.text.forms import read_puzzle
from twinproof.models.text.json_values import get, rows_of
from twinproof.models.text.sources import Source, read_text, show_name
from twinproof.optim import Sense

__all__ = ["PUZZLE"]


def _build(source: Source, options: Mapping[str, Any]) -> LightUpPuzzle:
    return read_puzzle(FORMATS, read_text(source), show_name(source), options.get("format"))


def _to_json(instance: LightUpPuzzle) -> dict[str, Any]:
    return {"name": instance.name, "grid": list(instance.rows)}


def _from_json(content: Mapping[str, Any]) -> LightUpPuzzle:
    return LightUpPuzzle(tuple(rows_of(content, "grid", "instance")), get(content, "name", str, "instance"))


def _describe(instance: LightUpPuzzle) -> dict[str, object]:
    return {} if instance.apart_from is None else {"apart_from": list(instance.apart_from)}


def _draw(instance: LightUpPuzzle, marks: Mapping[Cell, str]) -> Layout:
    return instance.layout(set(marks))


def _arguments(height: int, width: int, options: Mapping[str, Any]) -> dict[str, Any]:
    return {"height": height, "width": width, **options}


PUZZLE = Puzzle(
    "lightup",
    "bulbs that light every floor cell and never each other",
    __name__,
    (
        Objective("solution", None),
        Objective("fewest-bulbs", Sense.MINIMIZE, counts="*"),
        Objective("most-bulbs", Sense.MAXIMIZE, counts="*"),
        Objective("farthest", Sense.MAXIMIZE, relative=True),
        Objective("fewest-broken", Sense.MINIMIZE, may_break=RELAXED["fewest-broken"]),
    ),
    (FORMAT, APART_FROM),
    _build,
    _to_json,
    _from_json,
    _describe,
    lambda instance: FORMATS["json"].write(instance).splitlines(),
    read_layout,
    _draw,
    Rules(violations, value),
    Look(
        {"*": "bulb"},
        {"*": "#f6c945", ".": "#fdf3c8", **dict.fromkeys("#01234", "#8d8d8d")},
        draw,
        strong="*",
        written="*01234",
    ),
    FORMATS,
    aliases=("akari",),
    at_sight=reasons,
    words=Words("a bulb is in {}", "there is no bulb in {}", "bulbs are in {}", "there is no bulb in {}"),
    generation=Generation(
        (
            Option(
                "walls", int, "Light Up: the percentage of cells that are walls; 22 by default.", metavar="PERCENT"
            ),
            Option(
                "symmetry",
                str,
                f"Light Up: the symmetry of the walls: {', '.join(WALL_SYMMETRIES)}; by default {NO_SYMMETRY}.",
            ),
            Option("minimal", bool, "Light Up: show only numbers that cannot be dropped."),
        ),
        _arguments,
        FORMATS,
        "grid",
        sheet,
        title,
    ),
)
