"""The text forms of a Light Up puzzle.

References
----------
`text`: the data set of the project puzzlekit. `grid`: the tutorial "Modelling and solving the Light Up decision
puzzle" writes blanks for floor and W for a wall, in lists. `spaced`: what people paste.
"""

import json
import re
from collections.abc import Sequence

from twinproof.models.grid import MAX_CHARACTERS, show
from twinproof.models.lightup.addresses import (
    KINDS,
    limit,
    read,
    read_game_id,
    refuse_apart,
    size,
    write,
    write_game_id,
)
from twinproof.models.lightup.drawing import draw, looks_drawn, read_drawing
from twinproof.models.lightup.instance import FLOOR, WALL, LightUpPuzzle
from twinproof.models.text.addresses import is_address, is_game_id
from twinproof.models.text.forms import LINE_END, Format
from twinproof.models.text.grids import Gaps, gaps, looks_like_lists, rectangle
from twinproof.models.text.json_values import json_object
from twinproof.models.words import count_of
from twinproof.optim import InputError

WALLS = WALL + "WXx"
"""Marks for a wall in the forms `grid` and `spaced`."""

JSON_KEYS = ("kind", "name", "source", "grid", "apart_from")

_HEADER = re.compile(
    r"\s*([0-9]+)[ \t]+([0-9]+)[ \t]*(?:\r\n|\n|\r)[ \t]*[-x0-9](?:[ \t]|$)", re.ASCII | re.MULTILINE
)


def _read_json(text: str, name: str) -> LightUpPuzzle:
    """Read an object with `grid`, a list of rows, and perhaps `apart_from`, `name`, `kind` and `source`."""
    limit(text, MAX_CHARACTERS, name)
    content = json_object(text, name)
    for key in content:
        if key not in JSON_KEYS:
            raise InputError(f"{name}: {key[:40]!r}: no such key; known are {', '.join(JSON_KEYS)}")
    if content.get("kind", "lightup") not in KINDS:
        raise InputError(f"{name}: kind: must be one of {', '.join(KINDS)}")
    own_name = content.get("name", name)
    if not isinstance(own_name, str) or not (own_name == name or own_name.isprintable()):
        raise InputError(f"{name}: name: must be a text of one line")
    if "grid" not in content:
        raise InputError(f"{name}: grid: must be there")
    grid = _json_rows(content["grid"], "grid", name)
    apart_from = content.get("apart_from")
    if apart_from is not None:
        apart_from = _json_rows(apart_from, "apart_from", name)
    return LightUpPuzzle(grid, own_name, apart_from)


def _json_rows(rows: object, key: str, name: str) -> tuple[str, ...]:
    if not isinstance(rows, list) or not all(isinstance(row, str) for row in rows):
        raise InputError(f"{name}: {key}: must be a list of texts, one a row")
    return tuple(rows)


def _write_json(puzzle: LightUpPuzzle) -> str:
    content: dict[str, object] = {"kind": "lightup", "grid": list(puzzle.rows)}
    if puzzle.name.isprintable():
        content["name"] = puzzle.name
    if puzzle.apart_from is not None:
        content["apart_from"] = list(puzzle.apart_from)
    return json.dumps(content, indent=1) + "\n"


def _read_text(text: str, name: str) -> LightUpPuzzle:
    """Read a line with the numbers of rows and columns, then the rows: `-` floor, `x` wall, 0 to 4, all apart."""
    limit(text, MAX_CHARACTERS, name)
    lines = [line.split() for line in LINE_END.split(text)]
    while lines and not lines[-1]:
        lines.pop()
    first = next((number for number, line in enumerate(lines) if line), None)
    if first is None or len(lines[first]) != 2:
        raise InputError(f"{name}: must begin with a line of the numbers of rows and columns")
    height, width = size(lines[first][0], lines[first][1], name)
    body = lines[first + 1 :]
    if len(body) != height:
        raise InputError(f"{name}: {count_of(len(body), 'row')} behind the first line, which says {height}")
    rows = []
    for r, tokens in enumerate(body):
        if len(tokens) != width:
            raise InputError(
                f"{name}: row {r + 1} has {count_of(len(tokens), 'cell')}, the first line says {width}"
            )
        for c, token in enumerate(tokens):
            if token not in _MARK_OF_TOKEN:
                shown = f"{name}: {show((r, c))}: {token[:20]!r}"
                if token in ("5", "6", "7", "8", "9"):
                    raise InputError(f"{shown}: clue over 4: a wall has at most 4 bulbs beside it")
                raise InputError(f"{shown} is no floor ('-'), wall ('x') or clue (0 to 4)")
        rows.append("".join(_MARK_OF_TOKEN[token] for token in tokens))
    return LightUpPuzzle(tuple(rows), name)


_MARK_OF_TOKEN = {"-": FLOOR, "x": WALL, **{clue: clue for clue in "01234"}}
_TOKEN_OF_MARK = {mark: token for token, mark in _MARK_OF_TOKEN.items()}


def _write_text(puzzle: LightUpPuzzle) -> str:
    refuse_apart(puzzle, "text")
    rows = [" ".join(_TOKEN_OF_MARK[mark] for mark in row) for row in puzzle.rows]
    return "\n".join([f"{puzzle.height} {puzzle.width}", *rows]) + "\n"


def _read_grid(text: str, name: str) -> LightUpPuzzle:
    """Read one character a cell: `.` or a blank for floor, one of `WALLS` for a wall, 0 to 4.

    The rows are lines, in which every blank is floor, or lists as the tutorial writes them.
    """
    limit(text, MAX_CHARACTERS, name)
    if looks_like_lists(text):
        return _read_spaced(text, name)
    rows = LINE_END.split(text)
    while rows and not rows[-1]:
        rows.pop()
    first = next((number for number, row in enumerate(rows) if row), 0)
    rows = rows[first:]
    if rows and not any(row.strip() for row in rows):
        raise InputError(f"{name}: no grid in it, only blanks")
    return _from_marks(rows, name)


def _read_spaced(text: str, name: str) -> LightUpPuzzle:
    """Read cells as in a grid, but apart; in lines, a blank is never floor."""
    # Nothing between two commas is floor, unless floor has a mark of its own.
    rows = rectangle(text, name, blank=None if FLOOR in text else FLOOR)
    return _from_marks(rows, name)


def _from_marks(rows: Sequence[str], name: str) -> LightUpPuzzle:
    walls = sorted({mark for row in rows for mark in row if mark in WALLS})
    if len(walls) > 1:
        raise InputError(f"{name}: {' and '.join(map(repr, walls))}: which one is a wall? Write one mark")
    if len(rows) > 1 and rows[0].lower() == f"{len(rows) - 1}x{len(rows[0])}":
        raise InputError(
            f"{name}: {rows[0]!r} above {count_of(len(rows) - 1, 'row')}: cells, or the size of them?"
        )
    ours = str.maketrans({" ": FLOOR, **dict.fromkeys(walls, WALL)})
    return LightUpPuzzle(tuple(row.translate(ours) for row in rows), name)


def _doubt_grid(text: str, name: str) -> None:
    """Refuse blanks that may be floor or layout."""
    if gaps(text, FLOOR) is Gaps.EITHER:
        raise InputError(
            f"{name}: blanks in every row that may be floor, or only set the cells apart: --format grid takes all "
            f"blanks for floor, --format spaced takes none ('{FLOOR}' is floor)"
        )


def _write_grid(puzzle: LightUpPuzzle) -> str:
    refuse_apart(puzzle, "grid")
    return "\n".join(puzzle.rows) + "\n"


def _write_spaced(puzzle: LightUpPuzzle) -> str:
    refuse_apart(puzzle, "spaced")
    text = "\n".join(" ".join(row) for row in puzzle.rows) + "\n"
    _read_spaced(text, puzzle.name)  # refuses what may be read as numbers of rows and columns
    return text


def _write_drawing(puzzle: LightUpPuzzle) -> str:
    refuse_apart(puzzle, "drawing")
    return "\n".join(draw(puzzle)) + "\n"


FORMATS: dict[str, Format[LightUpPuzzle]] = {
    "puzzlink": Format("address, as of puzz.link", is_address, read, write, addresses=True),
    "tatham": Format("Simon Tatham's game ID", is_game_id, read_game_id, write_game_id, addresses=True),
    "json": Format("JSON object with the grid", lambda text: text.lstrip()[:1] == "{", _read_json, _write_json),
    "drawing": Format("what commands print, bulbs are floor", looks_drawn, read_drawing, _write_drawing),
    "text": Format(
        "numbers of rows and columns, then cells apart by blanks",
        lambda text: _HEADER.match(text) is not None,
        _read_text,
        _write_text,
    ),
    "spaced": Format(
        "one character a cell, apart",
        lambda text: gaps(text, FLOOR) is Gaps.LAYOUT,
        _read_spaced,
        _write_spaced,
    ),
    "grid": Format(
        "one character a cell, blanks are floor", lambda text: True, _read_grid, _write_grid, _doubt_grid
    ),
}
