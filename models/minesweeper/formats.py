"""The forms in which boards in play and fields of mines are written.

========== =============== ==========================================================
form       holds           what it is
========== =============== ==========================================================
json       board or field  everything that the instance says
mine       board           `WxHxM`, then rows of digits, `H` hidden, `F` flag
puzzlink   board           puzz.link address of the kind `mines`
text       board or field  rows of marks; a board may have lines above and below
covered    board           rows of marks as most programs write them; it must be named
tatham     field           game ID of Mines in Simon Tatham's collection
mbf        field           bytes: width, height, number of mines (two), then x, y of each
========== =============== ==========================================================

References
----------
JSMinesweeper's Board.js.
"""

import json
import re
from contextlib import suppress
from typing import Any

from twinproof.models.grid import Cell, show
from twinproof.models.minesweeper.addresses import (
    read,
    read_game_id,
    refuse,
    refuse_outside,
    size,
    whole,
    write,
    write_game_id,
)
from twinproof.models.minesweeper.board_texts import (
    doubt_text,
    read_covered,
    read_solved,
    read_text,
    write_covered,
    write_solved,
    write_text,
)
from twinproof.models.minesweeper.instance import (
    CLUES,
    FLAG,
    HIDDEN,
    MINE,
    OPEN,
    OUTSIDE,
    SAFE,
    MineField,
    MinesweeperPuzzle,
)
from twinproof.models.text.addresses import TATHAM, is_address, is_game_id, parse_address, title
from twinproof.models.text.forms import Format, OtherForms, read_puzzle
from twinproof.models.text.grids import rectangle
from twinproof.models.text.json_values import json_object
from twinproof.models.words import count_of
from twinproof.optim import InputError

_MINE_HEADER = re.compile(r"(\d+)x(\d+)x(\d+)", re.ASCII)


# Boards in play.


def _read_json(text: str, name: str) -> MinesweeperPuzzle:
    content = _object(text, name, {"board", "mines", "trust_flags", "apart_from"}, "board")
    mines, trust = content.get("mines"), content.get("trust_flags", True)
    if not (mines is None or type(mines) is int):
        raise InputError(f"{name}: mines: must be a whole number, or null if it is not known")
    if not isinstance(trust, bool):
        raise InputError(f"{name}: trust_flags: must be true or false")
    apart_from = None if content.get("apart_from") is None else _rows(content["apart_from"], name, "apart_from")
    return MinesweeperPuzzle(_rows(content["board"], name, "board"), mines, trust, apart_from, name)


def _write_json(puzzle: MinesweeperPuzzle) -> str:
    content: dict[str, Any] = {
        "board": list(puzzle.board),
        "mines": puzzle.mines,
        "trust_flags": puzzle.trust_flags,
    }
    if puzzle.apart_from is not None:
        content["apart_from"] = list(puzzle.apart_from)
    return json.dumps(content, indent=1) + "\n"


def _object(text: str, name: str, keys: set[str], needed: str) -> dict[str, Any]:
    content = json_object(text, name)
    if needed not in content:
        raise InputError(f"{name}: no {needed!r} in the JSON object")
    for key in content:
        if key not in keys | {"name", "source"}:
            raise InputError(f"{name}: {key[:40]!r} is no key; known are {', '.join(sorted(keys))}, name, source")
    return content


def _rows(content: Any, name: str, key: str) -> tuple[str, ...]:
    if not isinstance(content, list) or not all(isinstance(row, str) for row in content):
        raise InputError(f"{name}: {key}: must be a list of strings, one a row")
    return tuple(content)


def _read_mine(text: str, name: str) -> MinesweeperPuzzle:
    first, *lines = text.strip().splitlines() or [""]
    header = _MINE_HEADER.fullmatch(first.strip())
    if header is None:
        raise InputError(f"{name}: line 1: must be WIDTHxHEIGHTxMINES, as in 30x16x99")
    width, height = size(header[1], header[2], name)
    mines = whole(header[3], name, "mines")
    if len(lines) != height:
        raise InputError(f"{name}: {count_of(len(lines), 'row')} below the first line, which says {height}")
    board = []
    for r, line in enumerate(lines):
        row = "".join(line.split())
        if len(row) != width:
            raise InputError(f"{name}: row {r + 1}: {count_of(len(row), 'cell')}, the first line says {width}")
        for c, mark in enumerate(row):
            # The program writes `?` for a mine that has gone off, and reads it as hidden.
            if mark not in CLUES + "HF?":
                raise InputError(f"{name}: {show((r, c))}: {mark!r} is none of 0 to 8, H (hidden), F (flag)")
        board.append(row.replace("H", HIDDEN).replace("?", HIDDEN))
    return MinesweeperPuzzle(tuple(board), mines, name=name)


def _write_mine(puzzle: MinesweeperPuzzle) -> str:
    refuse(puzzle, "mine", OPEN + OUTSIDE, total=True)
    rows = [row.replace(HIDDEN, "H") for row in puzzle.board]
    return "\n".join([f"{puzzle.width}x{puzzle.height}x{puzzle.mines}", *rows]) + "\n"


FORMATS: dict[str, Format[MinesweeperPuzzle]] = {
    "json": Format("JSON", lambda text: text.lstrip().startswith("{"), _read_json, _write_json),
    "puzzlink": Format(
        "address, as of puzz.link", lambda text: title(text) is not None, read, write, addresses=True
    ),
    "mine": Format(
        ".mine file of JSMinesweeper",
        lambda text: _MINE_HEADER.match(text.lstrip()) is not None,
        _read_mine,
        _write_mine,
    ),
    "covered": Format(
        "rows of marks, '?', '#', 'x', '-' or '_' hidden", lambda text: False, read_covered, write_covered
    ),
    "solved": Format("what commands print, mines are hidden again", lambda text: False, read_solved, write_solved),
    "text": Format("rows of marks", lambda text: True, read_text, write_text, doubt_text),
}
"""The forms of a board in play."""


# Fields of mines.


def _read_field_json(text: str, name: str) -> MineField:
    content = _object(text, name, {"field", "start"}, "field")
    start = content.get("start")
    if start is not None:
        if not (isinstance(start, list) and len(start) == 2 and all(type(n) is int for n in start)):
            raise InputError(f"{name}: start: must be [row, column], counted from 1")
        start = (start[0] - 1, start[1] - 1)
    return MineField(_rows(content["field"], name, "field"), start, name)


def _write_field_json(field: MineField) -> str:
    content: dict[str, Any] = {"field": list(field.rows)}
    if field.start is not None:
        content["start"] = [field.start[0] + 1, field.start[1] + 1]
    return json.dumps(content, indent=1) + "\n"


def _read_field_text(text: str, name: str) -> MineField:
    return MineField(tuple(rectangle(text, name)), name=name)


def _write_field_text(field: MineField) -> str:
    if field.start is not None:
        raise InputError(f"{field.name}: the form text cannot say where to start")
    return "\n".join(field.rows) + "\n"


FIELD_FORMATS: dict[str, Format[MineField]] = {
    "json": Format("JSON", lambda text: text.lstrip().startswith("{"), _read_field_json, _write_field_json),
    "tatham": Format(
        "game ID of Mines in Simon Tatham's collection",
        lambda text: title(text) is not None,
        read_game_id,
        write_game_id,
        addresses=True,
    ),
    "text": Format("rows of marks", lambda text: True, _read_field_text, _write_field_text),
}
"""The text forms of a field of mines; `read_bytes` knows the form `mbf` too."""


def read_bytes(data: bytes, name: str, form: str | None = None) -> MineField:
    """Read a field of mines from a file's bytes: in the form that is named, or else in the one that fits.

    Parameters
    ----------
    data : bytes
    name : str
        What to call the file in messages.
    form : str, optional
        `mbf` or a key of `FIELD_FORMATS`.

    Raises
    ------
    InputError
        If there is no such form, or the bytes are no field.
    """
    if form is not None and form != "mbf" and form not in FIELD_FORMATS:
        raise InputError(f"form {form!r}: unknown; known are mbf, {', '.join(FIELD_FORMATS)}")
    if form == "mbf" or (form is None and _looks_like_mbf(data)):
        return read_mbf(data, name)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{name}: byte {error.start + 1}: neither text nor an .mbf file") from error
    return read_puzzle(FIELD_FORMATS, text, name, form)


def _looks_like_mbf(data: bytes) -> bool:
    # It has no signature, but two of its bytes say how long it is, and coordinates are hardly ever plain text.
    fits = len(data) >= 4 and len(data) == 4 + 2 * int.from_bytes(data[2:4], "big")
    return fits and not all(32 <= byte < 127 or byte in b"\t\n\r" for byte in data)


def read_mbf(data: bytes, name: str) -> MineField:
    """Read the bytes of an .mbf file.

    Parameters
    ----------
    data : bytes
        Width, height, two bytes for the number of mines, and column and row of every mine.
    name : str
        What to call the file in messages.

    Returns
    -------
    MineField
        The field of all mines.

    Raises
    ------
    InputError
        If they are too few or too many, or a mine is beyond the field or named twice.
    """
    if len(data) < 4:
        raise InputError(
            f"{name}: {count_of(len(data), 'byte')}; an .mbf file begins with width, height and two for the mines"
        )
    width, height, mines = data[0], data[1], int.from_bytes(data[2:4], "big")
    if not width or not height:
        raise InputError(f"{name}: {height}x{width} cells: the grid is empty")
    if len(data) != 4 + 2 * mines:
        raise InputError(
            f"{name}: {count_of(len(data), 'byte')}; with {count_of(mines, 'mine')} there must be {4 + 2 * mines}"
        )
    found: set[Cell] = set()
    for i in range(4, len(data), 2):
        cell = (data[i + 1], data[i])
        if cell[0] >= height or cell[1] >= width:
            raise InputError(f"{name}: mine {i // 2 - 1}: {show(cell)} is beyond the field of {height}x{width}")
        if cell in found:
            raise InputError(f"{name}: mine {i // 2 - 1}: {show(cell)} is named twice")
        found.add(cell)
    rows = ("".join(MINE if (r, c) in found else SAFE for c in range(width)) for r in range(height))
    return MineField(tuple(rows), name=name)


def write_mbf(field: MineField) -> bytes:
    """Write the bytes of an .mbf file.

    Raises
    ------
    InputError
        If the form cannot say it: more than 255 rows or columns, cells outside, a start.
    """
    refuse_outside(field, "mbf")
    if field.start is not None:
        raise InputError(f"{field.name}: the form mbf cannot say where to start")
    if max(field.width, field.height) > 255:
        raise InputError(f"{field.name}: {field.height}x{field.width} cells: the form mbf ends at 255x255")
    places = [number for r, c in sorted(field.mines) for number in (c, r)]
    return bytes([field.width, field.height, *divmod(len(field.mines), 256), *places])


def _looks_like_field(data: bytes) -> bool:
    """Whether a file holds a field of mines rather than a board in play, in whatever form."""
    if _looks_like_mbf(data):
        return True
    text = data.decode("utf-8-sig", errors="replace").strip()
    if text.startswith("{"):
        return re.search(r'"field"\s*:', text) is not None
    if is_address(text):
        with suppress(InputError):  # of what cannot be read, the form of boards says the reason
            return parse_address(text, "").site == TATHAM
        return False
    if is_game_id(text):
        return True
    return MINE in text and not any(mark in text for mark in CLUES + FLAG + OPEN + ":")


def _is_field(data: bytes, to: str, form: str | None) -> bool:
    """Whether the forms that are named are a field's, or else the data looks like one."""
    if form is None and to in FORMATS and to not in FIELD_FORMATS:
        if _looks_like_field(data):
            raise InputError(f"form {to!r}: says a board in play, and this is a field with all its mines")
        return False
    for named in (to, form):
        if (named in FIELDS.names) is not (named in FORMATS):
            return named in FIELDS.names
    return _looks_like_field(data)


def _write_field(field: MineField, to: str) -> bytes:
    return write_mbf(field) if to == "mbf" else FIELD_FORMATS[to].write_file(field).encode()


FIELDS = OtherForms("mines of a field", (*FIELD_FORMATS, "mbf"), _is_field, read_bytes, _write_field)
