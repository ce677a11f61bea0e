"""The text forms of a Light Up puzzle.

References
----------
`text`: the data set of the project puzzlekit. `grid`: the tutorial "Modelling and
solving the Light Up decision puzzle" writes blanks for floor and W for a wall, in lists.
"""

import json
import re

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
from twinproof.models.lightup.instance import FLOOR, WALL, LightUpPuzzle
from twinproof.models.text.addresses import is_address, is_game_id
from twinproof.models.text.forms import LINE_END, Format
from twinproof.models.text.json_values import json_object
from twinproof.optim import InputError

JSON_KEYS = ("kind", "name", "source", "grid", "apart_from")

_HEADER = re.compile(
    r"\s*([0-9]+)[ \t]+([0-9]+)[ \t]*(?:\r\n|\n|\r)[ \t]*[-x0-9](?:[ \t]|$)", re.ASCII | re.MULTILINE
)
_LIST_START = re.compile(r"\[\s*['\"]")
_LIST = re.compile(r"\[([^\[\]]*)\]")
_LIST_CELL = re.compile(r"""\s*(?:'([^'])'|"([^"])")\s*(?:,|$)""")
_AROUND_LISTS = re.compile(r"(?:\w+\s*=)?[\[\](),\s]*", re.ASCII)


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
        raise InputError(f"{name}: {len(body)} rows behind the first line, which says {height}")
    rows = []
    for r, tokens in enumerate(body):
        if len(tokens) != width:
            raise InputError(f"{name}: row {r + 1} has {len(tokens)} cells, the first line says {width}")
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
    """Read one character a cell: `.` or a blank for floor, `#` or `W` for a wall, 0 to 4.

    The rows are lines, or lists of quoted characters as the tutorial writes them. In lines, blanks at the end
    count as well: they are floor.
    """
    limit(text, MAX_CHARACTERS, name)
    if _looks_like_lists(text):
        rows = _listed_rows(text, name)
    else:
        rows = LINE_END.split(text)
        while rows and not rows[-1]:
            rows.pop()
        first = next((number for number, row in enumerate(rows) if row), 0)
        rows = rows[first:]
        if rows and not any(row.strip() for row in rows):
            raise InputError(f"{name}: no grid in it, only blanks")
    return LightUpPuzzle(tuple(row.replace(" ", FLOOR).replace("W", WALL) for row in rows), name)


def _looks_like_lists(text: str) -> bool:
    return _LIST_START.search(text) is not None


def _listed_rows(text: str, name: str) -> list[str]:
    """Give the rows of lists of quoted characters, perhaps in a list of their own with a name before it."""
    if not _AROUND_LISTS.fullmatch(_LIST.sub("", text).strip()):
        raise InputError(f"{name}: must be lists of quoted characters, one a row, and nothing else")
    rows = []
    for row, inside in enumerate(_LIST.findall(text), start=1):
        cells: list[str] = []
        position, end = 0, len(inside.rstrip())
        while position < end:
            found = _LIST_CELL.match(inside, position)
            if found is None:
                raise InputError(f"{name}: row {row}, column {len(cells) + 1}: must be one character in quotes")
            cells.append(found[1] or found[2])
            position = found.end()
        rows.append("".join(cells))
    return rows


def _write_grid(puzzle: LightUpPuzzle) -> str:
    refuse_apart(puzzle, "grid")
    return "\n".join(puzzle.rows) + "\n"


FORMATS: dict[str, Format[LightUpPuzzle]] = {
    "puzzlink": Format("address, as of puzz.link", is_address, read, write, addresses=True),
    "tatham": Format("Simon Tatham's game ID", is_game_id, read_game_id, write_game_id, addresses=True),
    "json": Format("JSON object with the grid", lambda text: text.lstrip()[:1] == "{", _read_json, _write_json),
    "text": Format(
        "numbers of rows and columns, then cells apart by blanks",
        lambda text: _HEADER.match(text) is not None,
        _read_text,
        _write_text,
    ),
    "grid": Format("one character a cell", lambda text: True, _read_grid, _write_grid),
}
