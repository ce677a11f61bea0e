"""Turns words of the command line into instances: names, files, options."""

import sys
from collections.abc import Sequence
from pathlib import Path

from compare.catalogue import Puzzle, entry
from models.grid import FIELDS, MAX_CHARACTERS, Cell, Field, named_field, parse_map
from models.hops.puzzle import HopsPuzzle
from models.sprinklers.puzzle import SprinklerKind, SprinklerPuzzle
from optim import InputError

__all__ = ["build_puzzle", "describe", "read_field", "read_text"]


def read_text(path: str) -> str:
    """Read a text file, or standard input if the path is `-`.

    Raises
    ------
    InputError
        If it cannot be read, is no UTF-8 text, or is longer than any map.
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
        raise InputError(f"{path}: too long for a map")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: byte {error.start + 1} is no UTF-8 text") from error


def read_field(instance: str) -> Field:
    """Build a field from its name, a file with a map, or `-` for standard input.

    Raises
    ------
    InputError
        If there is neither such a name nor such a file, or its content is no field.
    """
    field = named_field(instance)
    if field is not None:
        return field
    if instance != "-" and not Path(instance).exists():
        names = ", ".join(FIELDS)
        raise InputError(f"field {instance!r}: no field has this name ({names}) and there is no such file")
    name = "standard input" if instance == "-" else instance
    return parse_map(read_text(instance), name)


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
) -> Puzzle:
    """Build an instance from options.

    Raises
    ------
    InputError
        If an option is wrong, or is not one of this puzzle's.
    """
    entry(name)
    sprinkler = SprinklerKind(kind, nozzle)
    if name == "hops":
        return HopsPuzzle(
            field,
            sprinkler,
            4 if harvest is None else harvest,
            frozenset(_parse_cell(text) for text in entrances),
            dry_paths,
            symmetry,
            hops,
        )
    for option, given in (
        ("--harvest", harvest is not None),
        ("--entrance", bool(entrances)),
        ("--dry-paths", dry_paths),
        ("--hops", hops is not None),
    ):
        if given:
            raise InputError(f"{option}: not an option of {name}")
    return SprinklerPuzzle(field, sprinkler, symmetry)


def _parse_cell(text: str) -> Cell:
    parts = text.split(",")
    if len(parts) != 2 or not all(part.isascii() and part.isdigit() and len(part) < 7 for part in parts):
        raise InputError(f"entrance {text!r}: must be ROW,COLUMN, counted from 1")
    row, column = int(parts[0]), int(parts[1])
    return row - 1, column - 1


def describe(puzzle: Puzzle) -> dict[str, object]:
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
