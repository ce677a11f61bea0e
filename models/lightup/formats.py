"""The text forms of a Light Up puzzle.

References
----------
`tatham`: S. Tatham's Portable Puzzle Collection, `lightup.c`. `puzzlink`: the project pzprjs, `Encode.js`
(decode4Cell, encode4Cell). `text`: the data set of the project puzzlekit. `grid`: the tutorial "Modelling and
solving the Light Up decision puzzle" writes blanks for floor and W for a wall, in lists.
"""

import json
import re
from itertools import groupby

from twinproof.models.grid import MAX_CHARACTERS, MAX_TILES, show
from twinproof.models.lightup.instance import FLOOR, WALL, LightUpPuzzle
from twinproof.models.text.forms import LINE_END, MAX_ADDRESS, Format, split_address
from twinproof.models.text.json_values import json_object
from twinproof.models.words import count_of
from twinproof.optim import InputError

KINDS = ("akari", "bijutsukan", "lightup")
LONGEST_RUN = 20  # of floor cells that one letter of an address says
JSON_KEYS = ("kind", "name", "source", "grid", "apart_from")

_GAME_ID = re.compile(r"([0-9]+)x([0-9]+)(?:b[0-9]*)?(?:s[0-9]*)?r?(?:d[0-9]*)?:(.*)", re.ASCII | re.DOTALL)
_HEADER = re.compile(
    r"\s*([0-9]+)[ \t]+([0-9]+)[ \t]*(?:\r\n|\n|\r)[ \t]*[-x0-9](?:[ \t]|$)", re.ASCII | re.MULTILINE
)
_LIST_START = re.compile(r"\[\s*['\"]")
_LIST = re.compile(r"\[([^\[\]]*)\]")
_LIST_CELL = re.compile(r"""\s*(?:'([^'])'|"([^"])")\s*(?:,|$)""")
_AROUND_LISTS = re.compile(r"(?:\w+\s*=)?[\[\](),\s]*", re.ASCII)


def _size(height: str, width: str, name: str) -> tuple[int, int]:
    """Read a height and a width; the numbers may be of any length."""
    digits = [number.lstrip("0") or "0" for number in (height, width)]
    if any(not (number.isascii() and number.isdigit()) for number in digits):
        raise InputError(f"{name}: size {height[:20]!r} by {width[:20]!r}: must be two whole numbers")
    if any(len(number) > len(str(MAX_TILES)) for number in digits) or int(digits[0]) * int(digits[1]) > MAX_TILES:
        raise InputError(f"{name}: size {height[:20]} by {width[:20]}: at most {MAX_TILES} cells are allowed")
    if "0" in digits:
        raise InputError(f"{name}: size {height[:20]} by {width[:20]}: there must be a row and a column")
    return int(digits[0]), int(digits[1])


def _fold(marks: str, height: int, width: int, name: str) -> LightUpPuzzle:
    """Cut the marks of all cells into rows."""
    if len(marks) != height * width:
        raise InputError(
            f"{name}: says {count_of(len(marks), 'cell')}, "
            f"{count_of(height, 'row')} of {width} have {height * width}"
        )
    return LightUpPuzzle(tuple(marks[start : start + width] for start in range(0, len(marks), width)), name)


def _refuse_apart(puzzle: LightUpPuzzle, form: str) -> None:
    if puzzle.apart_from is not None:
        raise InputError(f"{puzzle.name}: a {form} cannot say the layout to differ from; json can")


def _limit(text: str, most: int, name: str) -> None:
    if len(text) > most:
        raise InputError(f"{name}: more than {most} characters")


def _limit_cells(cells: str, height: int, width: int, name: str) -> None:
    """Refuse more characters than there are cells: each says at least one."""
    if len(cells) > height * width:
        raise InputError(
            f"{name}: "
            f"{count_of(len(cells), 'character')} for {count_of(height, 'row')} of {count_of(width, 'cell')}"
        )


def _read_tatham(text: str, name: str) -> LightUpPuzzle:
    """Read `WIDTHxHEIGHT:cells`: 0 to 4, B for a wall, a to z for 1 to 26 floor cells."""
    _limit(text, MAX_CHARACTERS, name)
    found = _GAME_ID.fullmatch(text.strip())
    if found is None:
        raise InputError(f"{name}: no game ID of the form WIDTHxHEIGHT:CELLS")
    width_text, height_text, cells = found.groups()
    height, width = _size(height_text, width_text, name)
    _limit_cells(cells, height, width, name)
    marks = []
    for position, mark in enumerate(cells, start=1):
        if mark in "01234":
            marks.append(mark)
        elif mark == "B":
            marks.append(WALL)
        elif "a" <= mark <= "z":
            marks.append(FLOOR * (ord(mark) - ord("a") + 1))
        else:
            raise InputError(f"{name}: cells, character {position}: {mark!r} is none of a to z, B, 0 to 4")
    return _fold("".join(marks), height, width, name)


def _write_tatham(puzzle: LightUpPuzzle) -> str:
    _refuse_apart(puzzle, "game ID")
    parts = []
    for mark, group in groupby("".join(puzzle.rows)):
        count = len(list(group))
        if mark == FLOOR:
            parts.append("z" * (count // 26) + (chr(ord("a") + count % 26 - 1) if count % 26 else ""))
        else:
            parts.append(("B" if mark == WALL else mark) * count)
    return f"{puzzle.width}x{puzzle.height}:{''.join(parts)}\n"


def _read_puzzlink(text: str, name: str) -> LightUpPuzzle:
    """Read an address `.../p?lightup/COLUMNS/ROWS/cells`.

    A character of the cells is `.` for a wall, 0 to 4 for one with a number, 5 to 9 and a to e for such a wall
    with one or two floor cells behind it, g to z for 1 to 20 floor cells. Floor behind the last wall may exceed
    the grid.
    """
    parts = split_address(text, KINDS, name)
    if parts and not parts[-1]:
        parts.pop()
    if len(parts) != 3:
        raise InputError(f"{name}: an address must go on with COLUMNS/ROWS/CELLS behind the kind of puzzle")
    height, width = _size(parts[1], parts[0], name)
    _limit_cells(parts[2], height, width, name)
    marks: list[str] = []
    spare = 0  # floor cells that the last character has put behind a wall
    for position, mark in enumerate(parts[2], start=1):
        spare = 0
        if mark == ".":
            marks.append(WALL)
        elif "0" <= mark <= "9" or "a" <= mark <= "e":
            spare, clue = divmod(int(mark, 16), 5)
            marks.append(str(clue) + FLOOR * spare)
        elif "g" <= mark <= "z":
            marks.append(FLOOR * (ord(mark) - ord("g") + 1))
        else:
            raise InputError(
                f"{name}: cells, character {position}: {mark!r} is none of a to e, g to z, 0 to 9, '.'"
            )
    cells = "".join(marks)
    excess = len(cells) - height * width
    if 0 < excess <= spare:
        cells = cells[:-excess]
    return _fold(cells, height, width, name)


def _write_puzzlink(puzzle: LightUpPuzzle) -> str:
    _refuse_apart(puzzle, "puzz.link address")
    cells = "".join(puzzle.rows)
    parts = []
    position = 0
    while position < len(cells):
        mark = cells[position]
        if mark == FLOOR:
            rest = cells[position : position + LONGEST_RUN]
            count = len(rest) - len(rest.lstrip(FLOOR))
            parts.append(chr(ord("g") + count - 1))
            position += count
        elif mark == WALL:
            parts.append(".")
            position += 1
        else:
            # Beyond the grid there is floor: that is how the last wall's character is chosen there, too.
            behind = cells[position + 1 : position + 3].ljust(2, FLOOR)
            count = len(behind) - len(behind.lstrip(FLOOR))
            parts.append("0123456789abcde"[int(mark) + 5 * count])
            position += 1 + count
    address = f"https://puzz.link/p?lightup/{puzzle.width}/{puzzle.height}/{''.join(parts)}\n"
    if len(address) > MAX_ADDRESS:
        raise InputError(f"{puzzle.name}: too large for an address of at most {MAX_ADDRESS} characters")
    return address


def _read_json(text: str, name: str) -> LightUpPuzzle:
    """Read an object with `grid`, a list of rows, and perhaps `apart_from`, `name`, `kind` and `source`."""
    _limit(text, MAX_CHARACTERS, name)
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
    _limit(text, MAX_CHARACTERS, name)
    lines = [line.split() for line in LINE_END.split(text)]
    while lines and not lines[-1]:
        lines.pop()
    first = next((number for number, line in enumerate(lines) if line), None)
    if first is None or len(lines[first]) != 2:
        raise InputError(f"{name}: must begin with a line of the numbers of rows and columns")
    height, width = _size(lines[first][0], lines[first][1], name)
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
    _refuse_apart(puzzle, "text")
    rows = [" ".join(_TOKEN_OF_MARK[mark] for mark in row) for row in puzzle.rows]
    return "\n".join([f"{puzzle.height} {puzzle.width}", *rows]) + "\n"


def _read_grid(text: str, name: str) -> LightUpPuzzle:
    """Read one character a cell: `.` or a blank for floor, `#` or `W` for a wall, 0 to 4.

    The rows are lines, or lists of quoted characters as the tutorial writes them. In lines, blanks at the end
    count as well: they are floor.
    """
    _limit(text, MAX_CHARACTERS, name)
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
    _refuse_apart(puzzle, "grid")
    return "\n".join(puzzle.rows) + "\n"


FORMATS: dict[str, Format[LightUpPuzzle]] = {
    "puzzlink": Format(
        "puzz.link address", lambda text: text.lstrip()[:4].lower() == "http", _read_puzzlink, _write_puzzlink
    ),
    "tatham": Format(
        "Simon Tatham's game ID",
        lambda text: re.match(r"\s*[0-9]+x[0-9]+(?:[a-z][a-z0-9]*)?:", text, re.ASCII) is not None,
        _read_tatham,
        _write_tatham,
    ),
    "json": Format("JSON object with the grid", lambda text: text.lstrip()[:1] == "{", _read_json, _write_json),
    "text": Format(
        "numbers of rows and columns, then cells apart by blanks",
        lambda text: _HEADER.match(text) is not None,
        _read_text,
        _write_text,
    ),
    "grid": Format("one character a cell", lambda text: True, _read_grid, _write_grid),
}
