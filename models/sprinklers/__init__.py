"""Sprinklers: water every tile of a field with the fewest sprinklers."""

from collections.abc import Mapping
from typing import Any

from twinproof.models.field.json_form import field_from_json, field_rows, field_to_json
from twinproof.models.field.maps import FIELDS
from twinproof.models.field.sources import MAP, read_field
from twinproof.models.field.symmetries import SYMMETRIES
from twinproof.models.grid import Cell
from twinproof.models.options import FORMAT, Option
from twinproof.models.puzzle import Layout, Look, Objective, Puzzle, Rules
from twinproof.models.sprinklers.instance import KINDS, SPRINKLER, SprinklerKind, SprinklerPuzzle, read_layout
from twinproof.models.sprinklers.rules import value, violations
from twinproof.models.text.json_values import get, optional
from twinproof.models.text.sources import Source
from twinproof.optim import Sense

__all__ = ["FIELD_OPTIONS", "LOOK", "PUZZLE", "kind_from_json", "read_kind"]

FIELD_OPTIONS = (
    FORMAT,
    Option("kind", str, f"The sprinkler: {', '.join(KINDS)}; basic by default.", usual="basic"),
    Option("nozzle", bool, "Sprinklers have a pressure nozzle."),
    Option("symmetry", str, f"The layout has this symmetry: {', '.join(SYMMETRIES)}."),
)
"""The options of every puzzle with sprinklers on a field."""

LOOK = Look(
    {"S": "sprinkler", "H": "hop", ".": "crop", "X": "obstacle"},
    # The source article's light blue, green and pink, and gold for hops.
    {"S": "#7fd3f7", "H": "#c9a227", ".": "#6fbf5f", "X": "#f4a3c4"},
)


def read_kind(options: Mapping[str, Any]) -> SprinklerKind:
    """Give the kind of sprinkler that options say."""
    return SprinklerKind(options.get("kind", "basic"), options.get("nozzle", False))


def kind_from_json(content: Mapping[str, Any]) -> SprinklerKind:
    """Read the kind of sprinkler from the plain values of an instance."""
    return SprinklerKind(get(content, "kind", str, "instance"), get(content, "nozzle", bool, "instance"))


def _build(source: Source, options: Mapping[str, Any]) -> SprinklerPuzzle:
    return SprinklerPuzzle(read_field(source, options.get("format")), read_kind(options), options.get("symmetry"))


def _to_json(instance: SprinklerPuzzle) -> dict[str, Any]:
    return {
        **field_to_json(instance.field),
        "kind": instance.kind.name,
        "nozzle": instance.kind.nozzle,
        "symmetry": instance.symmetry,
    }


def _from_json(content: Mapping[str, Any]) -> SprinklerPuzzle:
    return SprinklerPuzzle(field_from_json(content), kind_from_json(content), optional(content, "symmetry", str))


def _describe(instance: SprinklerPuzzle) -> dict[str, object]:
    options: dict[str, object] = {"kind": instance.kind.name, "nozzle": instance.kind.nozzle}
    if instance.symmetry is not None:
        options["symmetry"] = instance.symmetry
    return options


def _draw(instance: SprinklerPuzzle, marks: Mapping[Cell, str]) -> Layout:
    return instance.field.rows({tile: marks.get(tile, ".") for tile in instance.field.tiles})


def _wider(instance: SprinklerPuzzle, objective: str) -> tuple[SprinklerPuzzle, tuple[str, ...]]:
    """Give up the symmetry: without it there are more layouts, and the fewest sprinklers are no more."""
    if instance.symmetry is None:
        return instance, ()
    return SprinklerPuzzle(instance.field, instance.kind), ("the symmetry",)


PUZZLE = Puzzle(
    "sprinklers",
    "water every tile with the fewest sprinklers",
    __name__,
    (Objective("fewest-sprinklers", Sense.MINIMIZE, counts=SPRINKLER),),
    FIELD_OPTIONS,
    _build,
    _to_json,
    _from_json,
    _describe,
    lambda instance: field_rows(instance.field),
    read_layout,
    _draw,
    Rules(violations, value),
    LOOK,
    engines=("cpsat", "maxsat", "frontier", "band", "linear-search"),
    claims=("optimum", "infeasible"),
    default="scarecrow",
    named=FIELDS,
    rows_form=MAP,
    is_named=lambda instance: instance.field.is_named,
    wider=_wider,
)
