"""Star Battle, also called Alberi or Queens: k stars in every row, column and region, no two touching."""

from collections.abc import Mapping
from typing import Any

from twinproof.models.grid import Cell
from twinproof.models.options import APART_FROM, FORMAT, Option
from twinproof.models.puzzle import Generation, Layout, Look, Objective, Puzzle, Rules, Words
from twinproof.models.starbattle.drawing import area, draw, sheet, title
from twinproof.models.starbattle.formats import FORMATS, forms
from twinproof.models.starbattle.instance import LABELS, RELAXED, StarBattlePuzzle, number_regions, read_layout
from twinproof.models.starbattle.rules import too_tight, value, violations
from twinproof.models.text.forms import read_puzzle
from twinproof.models.text.json_values import get, rows_of
from twinproof.models.text.sources import Source, read_text, show_name
from twinproof.optim import InputError, OptionError, Sense

__all__ = ["PUZZLE"]

NO_REGION, HOLE = ".", "#"


def _build(source: Source, options: Mapping[str, Any]) -> StarBattlePuzzle:
    stars = options.get("stars")
    instance = read_puzzle(forms(stars), read_text(source), show_name(source), options.get("format"))
    if stars not in (None, instance.stars):
        raise InputError(f"{instance.name}: stars {instance.stars}, and {stars} are asked for")
    return instance


def _to_json(instance: StarBattlePuzzle) -> dict[str, Any]:
    return {"name": instance.name, "stars": instance.stars, "board": _board(instance)}


def _board(instance: StarBattlePuzzle) -> list[str]:
    """Draw regions with a character for each; with numbers, and blanks between them, if there are too many."""
    count = len(instance.region_cells)
    characters = count <= len(LABELS)
    labels = LABELS if characters else [str(number) for number in range(1, count + 1)]
    return [
        ("" if characters else " ").join(
            (HOLE if (r, c) in instance.holes else NO_REGION) if region is None else labels[region]
            for c, region in enumerate(row)
        )
        for r, row in enumerate(instance.regions)
    ]


def _from_json(content: Mapping[str, Any]) -> StarBattlePuzzle:
    drawn = [row.split() if " " in row else list(row) for row in rows_of(content, "board", "instance")]
    marks = [[None if mark in (NO_REGION, HOLE) else mark for mark in row] for row in drawn]
    regions, labels = number_regions(marks)
    holes = frozenset((r, c) for r, row in enumerate(drawn) for c, mark in enumerate(row) if mark == HOLE)
    name = get(content, "name", str, "instance")
    return StarBattlePuzzle(get(content, "stars", int, "instance"), regions, holes, labels=labels, name=name)


def _describe(instance: StarBattlePuzzle) -> dict[str, object]:
    apart_from = {} if instance.apart_from is None else {"apart_from": list(instance.apart_from)}
    return {"stars": instance.stars, **apart_from}


def _draw(instance: StarBattlePuzzle, marks: Mapping[Cell, str]) -> Layout:
    return instance.rows([[(r, c) in marks for c in range(instance.width)] for r in range(instance.height)])


def _arguments(height: int, width: int, options: Mapping[str, Any]) -> dict[str, Any]:
    """Give the generator's arguments; the board is a square."""
    variety = options.get("variety")
    if variety is not None and not 0 <= variety <= 1:
        raise OptionError("variety", f" {variety}: must be from 0 to 1")
    said = {} if variety is None else {"variety": variety}
    return {"size": height, "stars": options.get("stars", 1), **said}


def _never(arguments: Mapping[str, Any], grade: int) -> str | None:
    """Say why no new puzzle has a grade.

    Rows, columns and regions of a new board have more cells than stars, so rules of grade 1 say nothing of it.
    """
    if arguments["size"] > 1 and grade == 1:
        return "in every row, column and region of a new board stars have a choice, and no rule of grade 1 applies"
    return "a board of one cell has grade 1" if arguments["size"] == 1 and grade > 1 else None


PUZZLE = Puzzle(
    "starbattle",
    "k stars in every row, column and region, no two touching",
    __name__,
    (
        Objective("solution", None),
        Objective("farthest", Sense.MAXIMIZE, relative=True),
        Objective("fewest-broken", Sense.MINIMIZE, may_break=RELAXED["fewest-broken"]),
    ),
    (
        FORMAT,
        APART_FROM,
        Option("stars", int, "Stars in every row, where the file does not say it; 1 by default."),
    ),
    _build,
    _to_json,
    _from_json,
    _describe,
    lambda instance: FORMATS["json"].write(instance).splitlines(),
    read_layout,
    _draw,
    Rules(violations, value),
    Look(
        {"*": "star", "#": "forced empty"},
        {"*": "#f6c945", ".": "#f4f1e6", "#": "#b0aca0"},
        draw,
        strong="*",
        written="*",
        area=area,
        place=lambda cell: (2 * cell[0] + 1, 4 * cell[1] + 2),
    ),
    FORMATS,
    aliases=("alberi", "queens"),
    claims=("unique", "infeasible", "forced"),
    at_sight=too_tight,
    words=Words("a star is in {}", "{} is empty", "stars are in {}", "there is no star in {}"),
    generation=Generation(
        (
            Option("stars", int, "Star Battle: stars in every row; 1 by default."),
            Option("variety", float, "Star Battle: how much the regions' sizes differ, 0 to 1."),
        ),
        _arguments,
        FORMATS,
        "text",
        sheet,
        title,
        number=lambda instance: int(instance.stars),
        square=True,
        never=_never,
    ),
)
