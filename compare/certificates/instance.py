"""Instances in certificates: plain JSON values that say all of a puzzle, and one way only to write each."""

from collections.abc import Callable, Mapping
from typing import Any

from twinproof.models.field.maps import Field, named_field, parse_map
from twinproof.models.hops.instance import HopsPuzzle
from twinproof.models.lightup.instance import LightUpPuzzle
from twinproof.models.minesweeper.instance import MinesweeperPuzzle
from twinproof.models.sprinklers.instance import SprinklerKind, SprinklerPuzzle
from twinproof.models.starbattle.instance import LABELS, StarBattlePuzzle, number_regions
from twinproof.optim import InputError

__all__ = ["cells_of", "check_rows", "get", "only", "read_instance", "rows_of", "write_instance"]

Content = Mapping[str, Any]

NO_REGION, HOLE = ".", "#"
MOST_LINES = 100_000


def write_instance(puzzle: Any) -> dict[str, Any]:
    """Put a puzzle into plain values."""
    if isinstance(puzzle, SprinklerPuzzle | HopsPuzzle):
        field = puzzle.field
        content: dict[str, Any] = {
            "name": field.name,
            "map": list(field.rows(dict.fromkeys(field.tiles, "."))),
            "kind": puzzle.kind.name,
            "nozzle": puzzle.kind.nozzle,
            "symmetry": puzzle.symmetry,
        }
        if isinstance(puzzle, HopsPuzzle):
            content |= {
                "harvest": puzzle.harvest,
                "entrances": [[r + 1, c + 1] for r, c in sorted(puzzle.entrances)],
                "dry_paths": puzzle.dry_paths,
                "hops": puzzle.hops,
            }
        return content
    if isinstance(puzzle, StarBattlePuzzle):
        return {"name": puzzle.name, "stars": puzzle.stars, "board": _board(puzzle)}
    if isinstance(puzzle, LightUpPuzzle):
        return {"name": puzzle.name, "grid": list(puzzle.rows)}
    assert isinstance(puzzle, MinesweeperPuzzle)
    return {
        "name": puzzle.name,
        "board": list(puzzle.board),
        "mines": puzzle.mines,
        "trust_flags": puzzle.trust_flags,
    }


def _board(puzzle: StarBattlePuzzle) -> list[str]:
    """Draw regions with a character for each; with numbers, and blanks between them, if there are too many."""
    count = len(puzzle.region_cells)
    characters = count <= len(LABELS)
    labels = LABELS if characters else [str(number) for number in range(1, count + 1)]
    return [
        ("" if characters else " ").join(
            (HOLE if (r, c) in puzzle.holes else NO_REGION) if region is None else labels[region]
            for c, region in enumerate(row)
        )
        for r, row in enumerate(puzzle.regions)
    ]


def read_instance(name: str, content: Content) -> Any:
    """Read a puzzle from plain values, as `write_instance` gives them.

    Parameters
    ----------
    name : str
        The puzzle's name, of a known one.
    content : mapping

    Raises
    ------
    InputError
        If something is missing, unknown or of a wrong kind, or it is no such puzzle.
    """
    puzzle = READERS[name](content)
    only(content, write_instance(puzzle), "instance")
    if write_instance(puzzle) != dict(content):
        raise InputError("instance: there is a plainer way to write it, and only that one is allowed")
    return puzzle


def _read_field(content: Content) -> Field:
    name = get(content, "name", str, "instance")
    field = parse_map("\n".join(rows_of(content, "map", "instance")), name)
    # A claim names the field: it must be the one that this name means everywhere else.
    named = named_field(name)
    if named is not None and (named.tiles, named.obstacles) != (field.tiles, field.obstacles):
        raise InputError(f"instance: name: the map is not the field {name}")
    return field


def _read_sprinklers(content: Content) -> SprinklerPuzzle:
    field = _read_field(content)
    return SprinklerPuzzle(field, _kind(content), _optional(content, "symmetry", str))


def _read_hops(content: Content) -> HopsPuzzle:
    field = _read_field(content)
    return HopsPuzzle(
        field,
        _kind(content),
        get(content, "harvest", int, "instance"),
        frozenset(cells_of(content, "entrances", "instance")),
        get(content, "dry_paths", bool, "instance"),
        _optional(content, "symmetry", str),
        _optional(content, "hops", int),
    )


def _kind(content: Content) -> SprinklerKind:
    return SprinklerKind(get(content, "kind", str, "instance"), get(content, "nozzle", bool, "instance"))


def _read_starbattle(content: Content) -> StarBattlePuzzle:
    drawn = [row.split() if " " in row else list(row) for row in rows_of(content, "board", "instance")]
    marks = [[None if mark in (NO_REGION, HOLE) else mark for mark in row] for row in drawn]
    regions, labels = number_regions(marks)
    holes = frozenset((r, c) for r, row in enumerate(drawn) for c, mark in enumerate(row) if mark == HOLE)
    name = get(content, "name", str, "instance")
    return StarBattlePuzzle(get(content, "stars", int, "instance"), regions, holes, labels=labels, name=name)


def _read_lightup(content: Content) -> LightUpPuzzle:
    return LightUpPuzzle(tuple(rows_of(content, "grid", "instance")), get(content, "name", str, "instance"))


def _read_minesweeper(content: Content) -> MinesweeperPuzzle:
    return MinesweeperPuzzle(
        tuple(rows_of(content, "board", "instance")),
        _optional(content, "mines", int),
        get(content, "trust_flags", bool, "instance"),
        name=get(content, "name", str, "instance"),
    )


READERS: dict[str, Callable[[Content], Any]] = {
    "sprinklers": _read_sprinklers,
    "hops": _read_hops,
    "starbattle": _read_starbattle,
    "lightup": _read_lightup,
    "minesweeper": _read_minesweeper,
}


# --- Plain values of a certain kind ---------------------------------------------------------------------------

KINDS = {str: "text", int: "a whole number", bool: "true or false", list: "a list", dict: "an object"}


def get(content: Content, key: str, kind: type, place: str) -> Any:
    """Give a value that must be there and of a kind.

    Raises
    ------
    InputError
        If it is not.
    """
    if key not in content:
        raise InputError(f"{place}: {key}: is missing")
    value = content[key]
    # In Python True is a number too.
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise InputError(f"{place}: {key}: must be {KINDS[kind]}")
    return value


def _optional(content: Content, key: str, kind: type) -> Any:
    if key in content and content[key] is None:
        return None
    return get(content, key, kind, "instance")


def only(content: Content, known: Mapping[str, Any], place: str) -> None:
    """Refuse a key that is not known: it could claim something that nobody checks.

    Raises
    ------
    InputError
        If there is one.
    """
    for key in content:
        if key not in known:
            raise InputError(f"{place}: {key[:40]!r}: no such key")


def rows_of(content: Content, key: str, place: str) -> list[str]:
    """Give a list of rows.

    Raises
    ------
    InputError
        If it is none.
    """
    return check_rows(get(content, key, list, place), f"{place}: {key}")


def check_rows(rows: Any, place: str) -> list[str]:
    """Give rows if they are.

    Raises
    ------
    InputError
        If they are none.
    """
    if not isinstance(rows, list) or len(rows) > MOST_LINES:
        raise InputError(f"{place}: must be a list of at most {MOST_LINES} rows")
    for number, row in enumerate(rows, start=1):
        if not isinstance(row, str) or "\n" in row or "\r" in row:
            raise InputError(f"{place}: row {number}: must be one line of text")
    return rows


def cells_of(content: Content, key: str, place: str) -> list[tuple[int, int]]:
    """Give a list of cells, counted from 0, from pairs counted from 1.

    Raises
    ------
    InputError
        If it is none.
    """
    cells = []
    for number, pair in enumerate(get(content, key, list, place), start=1):
        if (
            not isinstance(pair, list)
            or len(pair) != 2
            or not all(isinstance(one, int) and not isinstance(one, bool) for one in pair)
        ):
            raise InputError(f"{place}: {key}: entry {number}: must be [ROW, COLUMN]")
        cells.append((pair[0] - 1, pair[1] - 1))
    return cells
