"""Minesweeper: mines that fit the numbers of a board in play, and what such a board proves."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from twinproof.models.grid import Cell
from twinproof.models.minesweeper.drawing import draw, sheet, title
from twinproof.models.minesweeper.formats import FIELD_FORMATS, FIELDS, FORMATS
from twinproof.models.minesweeper.formats import read_bytes as read_field
from twinproof.models.minesweeper.instance import RELAXED, MineField, MinesweeperPuzzle, read_layout
from twinproof.models.minesweeper.rules import value, violations
from twinproof.models.options import APART_FROM, FORMAT, Option
from twinproof.models.puzzle import Generation, Layout, Look, Objective, Puzzle, Rules, Words
from twinproof.models.questions import PuzzleQuestion
from twinproof.models.text.forms import read_puzzle
from twinproof.models.text.json_values import get, optional, rows_of
from twinproof.models.text.sources import Source, parse_cell, read_bytes, read_text, show_name, written_out
from twinproof.models.words import count_of
from twinproof.optim import InputError, OptionError, Sense

__all__ = ["PUZZLE"]


def _build(source: Source, options: Mapping[str, Any]) -> MinesweeperPuzzle:
    instance = read_puzzle(FORMATS, read_text(source), show_name(source), options.get("format"))
    mines = options.get("mines")
    if mines is not None:
        if instance.mines not in (None, mines):
            raise InputError(f"{instance.name}: {count_of(instance.mines, 'mine')}, and {mines} are asked for")
        instance = replace(instance, mines=mines)
    return replace(instance, trust_flags=False) if options.get("no_trust_flags") else instance


def _to_json(instance: MinesweeperPuzzle) -> dict[str, Any]:
    return {
        "name": instance.name,
        "board": list(instance.board),
        "mines": instance.mines,
        "trust_flags": instance.trust_flags,
    }


def _from_json(content: Mapping[str, Any]) -> MinesweeperPuzzle:
    return MinesweeperPuzzle(
        tuple(rows_of(content, "board", "instance")),
        optional(content, "mines", int),
        get(content, "trust_flags", bool, "instance"),
        name=get(content, "name", str, "instance"),
    )


def _describe(instance: MinesweeperPuzzle) -> dict[str, object]:
    mines = {} if instance.mines is None else {"mines": instance.mines}
    apart_from = {} if instance.apart_from is None else {"apart_from": list(instance.apart_from)}
    return {**mines, "trust_flags": instance.trust_flags, **apart_from}


def _spell(said: dict[str, Any]) -> None:
    said["no_trust_flags"] = not said.pop("trust_flags")


def _draw(instance: MinesweeperPuzzle, marks: Mapping[Cell, str]) -> Layout:
    return instance.rows(marks)


def _arguments(height: int, width: int, options: Mapping[str, Any]) -> dict[str, Any]:
    for name in ("mines", "start"):
        if name not in options:
            raise OptionError(name, " is missing")
    return {
        "height": height,
        "width": width,
        "mines": options["mines"],
        "start": parse_cell(options["start"], "start"),
        "total_known": not options.get("no_total", False),
    }


def read_mines(source: Source, options: Mapping[str, Any]) -> MineField:
    """Read the true mines, which a file may hold as bytes.

    Parameters
    ----------
    source : Source
        A text, the name of a file, an address or a game ID.
    options : mapping
        `format` may name the form of the file.

    Returns
    -------
    MineField
        All of its mines are known.
    """
    source = written_out(source)
    return read_field(read_bytes(source), show_name(source), options.get("format"))


BOARD_OPTIONS = ("mines", "no_trust_flags", "format")

PUZZLE = Puzzle(
    "minesweeper",
    "mines that fit the numbers of a board in play",
    __name__,
    (
        Objective("solution", None),
        Objective("fewest-mines", Sense.MINIMIZE, counts="*"),
        Objective("most-mines", Sense.MAXIMIZE, counts="*"),
        Objective("farthest", Sense.MAXIMIZE, relative=True),
        Objective("fewest-broken", Sense.MINIMIZE, may_break=RELAXED["fewest-broken"]),
    ),
    (
        FORMAT,
        APART_FROM,
        Option("mines", int, "The number of all mines, where the file does not say it."),
        Option("no_trust_flags", bool, "A flag may be wrong."),
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
        {"*": "mine", "?": "open, without a number"},
        {"*": "#e07a6a", ".": "#c9d6e2", **dict.fromkeys("?012345678", "#f3f3f3")},
        draw,
        strong="*",
        written="*?12345678",
    ),
    FORMATS,
    other_forms=FIELDS,
    claims=("forced", "unique", "infeasible", "optimum"),
    explains_cells=True,
    spell=_spell,
    words=Words(
        "{} is a mine", "{} is safe", "mines are in {}", "safe are {}", ".F", lambda instance: instance.board
    ),
    generation=Generation(
        (
            Option("mines", int, "Minesweeper: the number of mines."),
            Option("start", str, "Minesweeper: where play starts, counted from 1.", metavar="ROW,COLUMN"),
            Option("no_total", bool, "Minesweeper: no guess is needed even if the number of mines is unknown."),
        ),
        _arguments,
        {form: FIELD_FORMATS[form] for form in ("json", "tatham")},  # `text` cannot say where to start
        "json",
        sheet,
        title,
        number=lambda field: len(field.mines),
        tells_solution=True,
        grades=False,
    ),
    questions=(
        PuzzleQuestion(
            "deduce",
            "Say of every hidden cell of a board whether it is safe, a mine or undetermined, by both models.\n\n"
            "Exit status: 0 said; 1 the board contradicts itself, or the models disagree.",
            (
                Option("count", bool, "Count the layouts, exactly."),
                Option("probabilities", bool, "Give the probability of a mine on each cell, exactly; counts too."),
            ),
            BOARD_OPTIONS,
        ),
        PuzzleQuestion(
            "play",
            "Reveal what can be revealed of a field of mines without a guess (TAOCP 7.2.2.2, exercise 114).\n\n"
            "INSTANCE holds the true mines: rows of `*` and `.`, or another form of a field. A game ID may name "
            "where to start.",
            (
                Option(
                    "start",
                    str,
                    "A cell that is known to be safe. Repeatable.",
                    repeatable=True,
                    metavar="ROW,COLUMN",
                ),
                Option("cases", bool, "Play five games: from each corner, (i) to (iv), and from all four, (v)."),
                Option("mines_known", bool, "The player knows the number of mines too."),
            ),
            ("format",),
            read_mines,
        ),
    ),
)
