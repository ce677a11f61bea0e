"""Hops: grow the most hops that can still be picked on foot."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from twinproof.models.field.json_form import field_from_json, field_rows, field_to_json
from twinproof.models.field.maps import FIELDS
from twinproof.models.field.sources import MAP, read_field
from twinproof.models.grid import Cell
from twinproof.models.hops.instance import HOP, HopsPuzzle, read_layout
from twinproof.models.hops.relax import relaxed
from twinproof.models.hops.rules import value, violations
from twinproof.models.options import Option
from twinproof.models.puzzle import Layout, Objective, Puzzle, Rules
from twinproof.models.questions import PuzzleQuestion
from twinproof.models.sprinklers import FIELD_OPTIONS, LOOK, kind_from_json, read_kind
from twinproof.models.sprinklers.instance import SPRINKLER
from twinproof.models.text.json_values import cells_of, get, optional
from twinproof.models.text.sources import Source, parse_cell
from twinproof.optim import InputError, Sense

__all__ = ["PUZZLE"]

MOST, FEWEST = "most-hops", "fewest-sprinklers"


def _build(source: Source, options: Mapping[str, Any]) -> HopsPuzzle:
    return HopsPuzzle(
        read_field(source, options.get("format")),
        read_kind(options),
        options.get("harvest", 4),
        frozenset(parse_cell(text, "entrance") for text in options.get("entrance", ())),
        options.get("dry_paths", False),
        options.get("symmetry"),
        options.get("hops"),
    )


def _to_json(instance: HopsPuzzle) -> dict[str, Any]:
    return {
        **field_to_json(instance.field),
        "kind": instance.kind.name,
        "nozzle": instance.kind.nozzle,
        "symmetry": instance.symmetry,
        "harvest": instance.harvest,
        "entrances": [[r + 1, c + 1] for r, c in sorted(instance.entrances)],
        "dry_paths": instance.dry_paths,
        "hops": instance.hops,
    }


def _from_json(content: Mapping[str, Any]) -> HopsPuzzle:
    return HopsPuzzle(
        field_from_json(content),
        kind_from_json(content),
        get(content, "harvest", int, "instance"),
        frozenset(cells_of(content, "entrances", "instance")),
        get(content, "dry_paths", bool, "instance"),
        optional(content, "symmetry", str),
        optional(content, "hops", int),
    )


def _describe(instance: HopsPuzzle) -> dict[str, object]:
    """List the options; what is not asked for is left out, but for kind, nozzle and harvest."""
    said = _to_json(instance)
    always = ("kind", "nozzle", "harvest")
    names = ("kind", "nozzle", "symmetry", "harvest", "entrances", "dry_paths", "hops")
    # Not `in`: to Python 0 hops are False.
    nothing = [name for name in names if said[name] is None or said[name] is False or said[name] == []]
    return {name: said[name] for name in names if name in always or name not in nothing}


def _spell(said: dict[str, Any]) -> None:
    said["entrance"] = [f"{r},{c}" for r, c in said.pop("entrances", ())]


def _draw(instance: HopsPuzzle, marks: Mapping[Cell, str]) -> Layout:
    return instance.field.rows({tile: marks.get(tile, ".") for tile in instance.field.tiles})


def _check(instance: HopsPuzzle, objective: Objective, bounded: bool) -> None:
    if instance.hops is not None and objective.name == MOST:
        raise InputError(f"hops {instance.hops}: a fixed number goes with the objective {FEWEST} only")
    if instance.hops is None and objective.name != MOST and bounded:
        raise InputError(f"{objective.name}: at least or at most needs the number of hops")


def _wider(instance: HopsPuzzle, objective: str) -> tuple[HopsPuzzle, tuple[str, ...]]:
    if objective != MOST:
        raise InputError("a wider puzzle bounds the most hops, not the fewest sprinklers")
    return relaxed(instance)


PUZZLE = Puzzle(
    "hops",
    "grow the most hops that can still be picked on foot",
    __name__,
    (
        Objective(MOST, Sense.MAXIMIZE, counts=HOP),
        Objective(FEWEST, Sense.MINIMIZE, counts=SPRINKLER, after=MOST),
    ),
    (
        *FIELD_OPTIONS,
        Option("harvest", int, "Hops are picked over 4 edges (default) or from 8 neighbours.", usual=4),
        Option(
            "entrance",
            str,
            "Walking starts on this edge tile, counted from 1, and the outside is a wall. Repeatable.",
            repeatable=True,
            metavar="ROW,COLUMN",
        ),
        Option("dry_paths", bool, "Walkable tiles need no water."),
        Option("hops", int, "The number of hops is fixed, for fewest-sprinklers."),
    ),
    _build,
    _to_json,
    _from_json,
    _describe,
    lambda instance: field_rows(instance.field),
    read_layout,
    _draw,
    Rules(violations, value),
    replace(LOOK, counted={**LOOK.counted, ".": "walkable crop"}),
    engines=("cpsat", "maxsat", "frontier", "linear-search"),
    claims=("optimum", "infeasible"),
    counts_once="layouts with the same hops and the same tiles reached on foot",
    default="scarecrow",
    named=FIELDS,
    rows_form=MAP,
    check=_check,
    fixed=lambda instance: instance.hops,
    fix=HopsPuzzle.with_hops,
    is_named=lambda instance: instance.field.is_named,
    wider=_wider,
    spell=_spell,
    questions=(
        PuzzleQuestion(
            "front",
            "Give for every number of hops the fewest sprinklers with which it is possible (frontier engine).",
            instance_options=("format", "kind", "nozzle", "symmetry", "harvest", "entrance", "dry_paths"),
        ),
    ),
)
