"""Turns words of the command line into instances: names, files, options."""

import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from twinproof.models.field.maps import FIELDS, Field, named_field, parse_map
from twinproof.models.grid import MAX_CHARACTERS, Cell
from twinproof.models.hops.instance import HopsPuzzle
from twinproof.models.lightup import formats as lightup_formats
from twinproof.models.lightup.instance import LightUpPuzzle
from twinproof.models.minesweeper import formats as minesweeper_formats
from twinproof.models.minesweeper.instance import MinesweeperPuzzle
from twinproof.models.sprinklers.instance import SprinklerKind, SprinklerPuzzle
from twinproof.models.starbattle import formats as starbattle_formats
from twinproof.models.starbattle.instance import StarBattlePuzzle
from twinproof.models.text.forms import Format, read_puzzle
from twinproof.models.text.json_values import json_object
from twinproof.optim import InputError

__all__ = [
    "FieldPuzzle",
    "Inline",
    "Options",
    "Puzzle",
    "Source",
    "build_puzzle",
    "decode",
    "describe_board",
    "describe_field",
    "given",
    "parse_cell",
    "read_bytes",
    "read_field",
    "read_field_puzzle",
    "read_lightup",
    "read_minesweeper",
    "read_starbattle",
    "read_text",
    "show_name",
]

FieldPuzzle: TypeAlias = SprinklerPuzzle | HopsPuzzle
Puzzle: TypeAlias = FieldPuzzle | StarBattlePuzzle | LightUpPuzzle | MinesweeperPuzzle

BoardT = TypeVar("BoardT", StarBattlePuzzle, LightUpPuzzle, MinesweeperPuzzle)

Options: TypeAlias = Mapping[str, Any]
"""The options of the command line that say something about an instance, as far as they are given."""


@dataclass(frozen=True)
class Inline:
    """The text of an instance that stands in another file, and what it is called in messages."""

    name: str
    text: str


Source: TypeAlias = str | Inline
"""Where an instance comes from: a name, a file's path, `-` for standard input, or its text."""


def given(**options: Any) -> Options:
    """Keep the options that are given, under their names on the command line."""
    return {
        "--" + name.replace("_", "-"): value
        for name, value in options.items()
        if value is not None and value is not False and value != []
    }


def show_name(source: Source) -> str:
    """Say what a file, `-` or a text is called in messages."""
    if isinstance(source, Inline):
        return source.name
    return "standard input" if source == "-" else source


def read_bytes(path: str) -> bytes:
    """Read a file, or standard input if the path is `-`.

    Raises
    ------
    InputError
        If it cannot be read, or is longer than any map.
    """
    try:
        if path == "-":
            data = sys.stdin.buffer.read(4 * MAX_CHARACTERS + 1)
        else:
            with Path(path).open("rb") as file:
                data = file.read(4 * MAX_CHARACTERS + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise InputError(f"{path}: cannot be read: {reason}") from error
    if len(data) > 4 * MAX_CHARACTERS:
        raise InputError(f"{path}: too long: more than 16 million bytes")
    return data


def read_text(source: Source) -> str:
    """Read a text file, or standard input if the path is `-`, or give a text that is there already.

    Raises
    ------
    InputError
        If it cannot be read, is no UTF-8 text, or is longer than any map.
    """
    return source.text if isinstance(source, Inline) else decode(read_bytes(source), source)


def read_drawn(source: Source) -> str:
    """Read a layout's text: rows, or a record of `solve`, whose `layout` they are.

    Raises
    ------
    InputError
        If it cannot be read, or is an object without a layout.
    """
    text = read_text(source)
    if not text.lstrip().startswith("{"):
        return text
    rows = json_object(text, show_name(source)).get("layout")
    if not isinstance(rows, list) or not all(isinstance(row, str) for row in rows):
        raise InputError(f"{show_name(source)}: has no layout in it, a list of rows")
    return "\n".join(rows) + "\n"


def decode(data: bytes, name: str) -> str:
    """Take bytes for UTF-8 text.

    Raises
    ------
    InputError
        If they are none.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{name}: byte {error.start + 1} is no UTF-8 text") from error


def read_field(instance: Source) -> Field:
    """Build a field from its name, a file with a map, `-` for standard input, or the text of a map.

    Raises
    ------
    InputError
        If there is neither such a name nor such a file, or its content is no field.
    """
    if isinstance(instance, Inline):
        return parse_map(instance.text, instance.name)
    field = named_field(instance)
    if field is not None:
        return field
    if instance != "-" and not Path(instance).exists():
        names = ", ".join(FIELDS)
        raise InputError(f"field {instance!r}: no field has this name ({names}) and there is no such file")
    return parse_map(read_text(instance), show_name(instance))


def read_field_puzzle(name: str, instance: Source, options: Options) -> FieldPuzzle:
    """Build a puzzle on a field; see `read_field` and `build_puzzle`."""
    words = {option.removeprefix("--").replace("-", "_"): value for option, value in options.items()}
    entrances = words.pop("entrance", ())
    return build_puzzle(name, read_field(instance), **words, entrances=entrances)


def build_puzzle(
    name: str,
    field: Field,
    kind: str = "basic",
    nozzle: bool = False,
    symmetry: str | None = None,
    harvest: int | None = None,
    entrances: Sequence[str] = (),
    dry_paths: bool = False,
    hops: int | None = None,
) -> FieldPuzzle:
    """Build an instance on a field from options.

    Raises
    ------
    InputError
        If an option is wrong, or is not one of this puzzle's, or the puzzle has no field.
    """
    if name not in ("sprinklers", "hops"):
        raise InputError(f"puzzle {name!r}: must be sprinklers or hops here")
    sprinkler = SprinklerKind(kind, nozzle)
    if name == "hops":
        return HopsPuzzle(
            field,
            sprinkler,
            4 if harvest is None else harvest,
            frozenset(parse_cell(text, "entrance") for text in entrances),
            dry_paths,
            symmetry,
            hops,
        )
    for option, told in (
        ("--harvest", harvest is not None),
        ("--entrance", bool(entrances)),
        ("--dry-paths", dry_paths),
        ("--hops", hops is not None),
    ):
        if told:
            raise InputError(f"{option}: not an option of {name}")
    return SprinklerPuzzle(field, sprinkler, symmetry)


def parse_cell(text: str, what: str) -> Cell:
    """Read `ROW,COLUMN`, counted from 1, into a cell, counted from 0.

    Raises
    ------
    InputError
        If it is no such pair.
    """
    parts = text.split(",")
    if len(parts) != 2 or not all(part.isascii() and part.isdigit() and len(part) < 7 for part in parts):
        raise InputError(f"{what} {text!r}: must be ROW,COLUMN, counted from 1")
    row, column = int(parts[0]), int(parts[1])
    return row - 1, column - 1


def read_starbattle(instance: Source, options: Options) -> StarBattlePuzzle:
    """Build a Star Battle puzzle from a file; `--stars` says what the forms in letters do not.

    Raises
    ------
    InputError
        If the file is no such puzzle, or says another number of stars.
    """
    stars = options.get("--stars")
    puzzle = _read(starbattle_formats.forms(stars), instance, options)
    if stars not in (None, puzzle.stars):
        raise InputError(f"{puzzle.name}: stars {puzzle.stars}, and {stars} are asked for")
    return puzzle


def read_lightup(instance: Source, options: Options) -> LightUpPuzzle:
    """Build a Light Up puzzle from a file."""
    return _read(lightup_formats.FORMATS, instance, options)


def read_minesweeper(instance: Source, options: Options) -> MinesweeperPuzzle:
    """Build a board of Minesweeper from a file; `--mines` says how many there are where the file does not.

    Raises
    ------
    InputError
        If the file is no board, or says another number of mines.
    """
    puzzle = _read(minesweeper_formats.FORMATS, instance, options)
    mines = options.get("--mines")
    if mines is not None:
        if puzzle.mines not in (None, mines):
            raise InputError(f"{puzzle.name}: {puzzle.mines} mines, and {mines} are asked for")
        puzzle = replace(puzzle, mines=mines)
    if "--no-trust-flags" in options:
        puzzle = replace(puzzle, trust_flags=False)
    return puzzle


def _read(formats: Mapping[str, Format[BoardT]], instance: Source, options: Options) -> BoardT:
    return read_puzzle(formats, read_text(instance), show_name(instance), options.get("--format"))


def describe_field(puzzle: FieldPuzzle) -> dict[str, object]:
    """List a puzzle's options by name; what is not asked for is left out."""
    options: dict[str, object] = {"kind": puzzle.kind.name, "nozzle": puzzle.kind.nozzle}
    if puzzle.symmetry is not None:
        options["symmetry"] = puzzle.symmetry
    if isinstance(puzzle, HopsPuzzle):
        options["harvest"] = puzzle.harvest
        if puzzle.entrances:
            options["entrances"] = [[row + 1, column + 1] for row, column in sorted(puzzle.entrances)]
        if puzzle.dry_paths:
            options["dry_paths"] = True
        if puzzle.hops is not None:
            options["hops"] = puzzle.hops
    return options


def describe_board(names: Collection[str], puzzle: Puzzle) -> dict[str, object]:
    """List some attributes of a puzzle, and its layout to be apart from; those that are None are left out."""
    found = {name: getattr(puzzle, name) for name in (*names, "apart_from")}
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in found.items()
        if value is not None
    }
