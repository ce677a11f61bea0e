"""Tents and Trees for twinproof, and the template of a new puzzle."""

from collections.abc import Mapping
from typing import Any

from tents.drawing import draw
from tents.formats import FORMATS, rows
from tents.instance import TentsPuzzle, read_layout
from tents.rules import value, violations
from twinproof.models.grid import Cell
from twinproof.models.options import APART_FROM, FORMAT
from twinproof.models.puzzle import Layout, Look, Objective, Puzzle, Rules
from twinproof.models.text.forms import read_puzzle
from twinproof.models.text.json_values import get, rows_of
from twinproof.models.text.sources import Source, read_text, show_name
from twinproof.optim import InputError, Sense

__all__ = ["PUZZLE"]


def _build(source: Source, options: Mapping[str, Any]) -> TentsPuzzle:
    return read_puzzle(FORMATS, read_text(source), show_name(source), options.get("format"))


def _to_json(instance: TentsPuzzle) -> dict[str, Any]:
    return {
        "name": instance.name,
        "grid": list(instance.grid),
        "row_numbers": list(instance.row_numbers),
        "column_numbers": list(instance.column_numbers),
    }


def _from_json(content: Mapping[str, Any]) -> TentsPuzzle:
    return TentsPuzzle(
        tuple(rows_of(content, "grid", "instance")),
        _numbers(content, "row_numbers"),
        _numbers(content, "column_numbers"),
        get(content, "name", str, "instance"),
    )


def _numbers(content: Mapping[str, Any], key: str) -> tuple[int | None, ...]:
    numbers = get(content, key, list, "instance")
    if not all(number is None or type(number) is int for number in numbers):
        raise InputError(f"instance: {key}: must be whole numbers, or null where none is given")
    return tuple(numbers)


def _describe(instance: TentsPuzzle) -> dict[str, object]:
    return {} if instance.apart_from is None else {"apart_from": list(instance.apart_from)}


def _draw(instance: TentsPuzzle, marks: Mapping[Cell, str]) -> Layout:
    return instance.layout(marks)


PUZZLE = Puzzle(
    name="tents",
    title="a tent beside every tree, no two tents touching",
    package=__name__,
    objectives=(
        Objective("solution", None),
        Objective("farthest", Sense.MAXIMIZE, relative=True),
        Objective("fewest-broken", Sense.MINIMIZE, may_break=frozenset({"row", "column", "tree"})),
    ),
    options=(FORMAT, APART_FROM),
    build=_build,
    to_json=_to_json,
    from_json=_from_json,
    describe=_describe,
    rows=rows,
    read_layout=read_layout,
    draw=_draw,
    rules=Rules(violations, value),
    look=Look(
        counted={"*": "tent"},
        colours={"*": "#f6c945", "T": "#4f8f4a", ".": "#e4efd8"},
        lines=draw,
        strong="*",
        written="*T",
    ),
    formats=FORMATS,
    aliases=("tents-and-trees",),
    claims=("unique", "infeasible", "forced"),
)
