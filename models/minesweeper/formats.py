"""The forms in which boards in play and fields of mines are written.

========== =============== ==========================================================
form       holds           what it is
========== =============== ==========================================================
json       board or field  everything that the instance says
mine       board           `WxHxM`, then rows of digits, `H` hidden, `F` flag
puzzlink   board           puzz.link address of the kind `mines`
text       board or field  rows of marks; a board may have header lines
tatham     field           game ID of Mines in Simon Tatham's collection
mbf        field           bytes: width, height, number of mines (two), then x, y of each
========== =============== ==========================================================

References
----------
Simon Tatham's Portable Puzzle Collection, mines.c and misc.c; pzprv3's Number16; JSMinesweeper's Board.js.
"""

import json
import re
from hashlib import sha1
from typing import Any

from twinproof.models.grid import MAX_CHARACTERS, MAX_TILES, Cell, show
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
from twinproof.models.text.forms import Format, OtherForms, read_puzzle, rectangle, split_address
from twinproof.models.text.json_values import json_object
from twinproof.models.words import count_of
from twinproof.optim import InputError

_MINE_HEADER = re.compile(r"(\d+)x(\d+)x(\d+)", re.ASCII)
_TATHAM = re.compile(r"(\d+)x(\d+)(?:n(\d+))?a?:(.*)", re.ASCII)
_TATHAM_BODY = re.compile(r"(?:(\d+),(\d+),)?([mu]?)([0-9a-fA-F]*)", re.ASCII)
_NUMBER16 = re.compile(r"[0-9a-f]|-[0-9a-f]{2}|\+[0-9a-f]{3}|[g-z]|\.", re.ASCII)


def _whole(digits: str, name: str, what: str, least: int = 0) -> int:
    """Read a number that sizes something."""
    if not (digits.isascii() and digits.isdigit()) or len(digits) > 9 or int(digits) < least:
        raise InputError(f"{name}: {what} {digits[:20]!r}: must be a whole number from {least}")
    return int(digits)


def _size(width: str, height: str, name: str) -> tuple[int, int]:
    columns, rows = _whole(width, name, "width", 1), _whole(height, name, "height", 1)
    if columns * rows > MAX_TILES:
        raise InputError(f"{name}: {rows}x{columns} cells; at most {MAX_TILES} are allowed")
    return columns, rows


def _refuse(puzzle: MinesweeperPuzzle, form: str, marks: str, total: bool) -> None:
    """Refuse what a form cannot say: marks of the board, a known number of mines or the lack of one, and more."""
    for r, row in enumerate(puzzle.board):
        for c, mark in enumerate(row):
            if mark in marks:
                raise InputError(f"{puzzle.name}: {show((r, c))}: the form {form} cannot say {mark!r}")
    if total is not (puzzle.mines is not None):
        said = "the number of mines" if puzzle.mines is not None else "that the number of mines is not known"
        raise InputError(f"{puzzle.name}: the form {form} cannot say {said}")
    if not puzzle.trust_flags:
        raise InputError(f"{puzzle.name}: the form {form} cannot say that flags are not trusted")
    if puzzle.apart_from is not None:
        raise InputError(f"{puzzle.name}: the form {form} cannot say which layout to be apart from")


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
    width, height = _size(header[1], header[2], name)
    mines = _whole(header[3], name, "mines")
    if len(lines) != height:
        raise InputError(f"{name}: {count_of(len(lines), 'row')} below the first line, which says {height}")
    board = []
    for r, line in enumerate(lines):
        row = line.strip()
        if len(row) != width:
            raise InputError(f"{name}: row {r + 1}: {count_of(len(row), 'cell')}, the first line says {width}")
        for c, mark in enumerate(row):
            # The program writes `?` for a mine that has gone off, and reads it as hidden.
            if mark not in CLUES + "HF?":
                raise InputError(f"{name}: {show((r, c))}: {mark!r} is none of 0 to 8, H (hidden), F (flag)")
        board.append(row.replace("H", HIDDEN).replace("?", HIDDEN))
    return MinesweeperPuzzle(tuple(board), mines, name=name)


def _write_mine(puzzle: MinesweeperPuzzle) -> str:
    _refuse(puzzle, "mine", OPEN + OUTSIDE, total=True)
    rows = [row.replace(HIDDEN, "H") for row in puzzle.board]
    return "\n".join([f"{puzzle.width}x{puzzle.height}x{puzzle.mines}", *rows]) + "\n"


def _read_puzzlink(text: str, name: str) -> MinesweeperPuzzle:
    parts = split_address(text, {"mines"}, name)
    while parts and not parts[-1]:
        parts.pop()
    if len(parts) != 3:
        raise InputError(f"{name}: an address of mines has the form mines/COLUMNS/ROWS/CELLS")
    width, height = _size(parts[0], parts[1], name)
    marks: list[str] = []
    at, body = 0, parts[2]
    while at < len(body):
        found = _NUMBER16.match(body, at)
        if found is None:
            raise InputError(
                f"{name}: character {at + 1} of the cells: {body[at : at + 3]!r} is no clue and no gap"
            )
        code, at = found[0], found.end()
        if code == ".":
            marks.append(OPEN)
        elif "g" <= code <= "z":
            marks += HIDDEN * (ord(code) - ord("g") + 1)
        else:
            number = int(code.lstrip("-+"), 16)
            if number > 8:
                raise InputError(
                    f"{name}: {show(divmod(len(marks), width))}: a clue is at most 8, this is {number}"
                )
            marks.append(str(number))
    if len(marks) != width * height:
        raise InputError(
            f"{name}: {count_of(len(marks), 'cell')}, {count_of(height, 'row')} of {width} have {width * height}"
        )
    drawn = "".join(marks)
    return MinesweeperPuzzle(tuple(drawn[r * width : (r + 1) * width] for r in range(height)), name=name)


def _write_puzzlink(puzzle: MinesweeperPuzzle) -> str:
    _refuse(puzzle, "puzzlink", FLAG + OUTSIDE, total=False)

    def gap(run: re.Match[str]) -> str:
        length = len(run[0])
        return "z" * (length // 20) + (chr(ord("g") + length % 20 - 1) if length % 20 else "")

    cells = re.sub(r"\.+", gap, "".join(puzzle.board))
    return f"https://puzz.link/p?mines/{puzzle.width}/{puzzle.height}/{cells.replace(OPEN, '.')}"


def _read_text(text: str, name: str) -> MinesweeperPuzzle:
    lines = [line.strip() for line in text.splitlines()]
    mines, trust = None, True
    # The header ends with the first line that has no colon.
    header = next((i for i, line in enumerate(lines) if line and ":" not in line), len(lines))
    seen: set[str] = set()
    for i, line in enumerate(lines[:header], start=1):
        key, _, said = (part.strip() for part in line.partition(":"))
        if key in seen:
            raise InputError(f"{name}: line {i}: a second header {key}")
        seen.add(key or f"blank {i}")
        if key == "mines":
            mines = _whole(said, name, f"line {i}: mines")
        elif key == "flags" and said in ("trusted", "not trusted"):
            trust = said == "trusted"
        elif line:
            raise InputError(f"{name}: line {i}: a header says mines: NUMBER, or flags: trusted or not trusted")
    # Blank lines in its place, so that messages count lines as the file's reader does.
    rows = rectangle("\n".join([""] * header + lines[header:]), name)
    return MinesweeperPuzzle(tuple(rows), mines, trust, name=name)


def _write_text(puzzle: MinesweeperPuzzle) -> str:
    if puzzle.apart_from is not None:
        raise InputError(f"{puzzle.name}: the form text cannot say which layout to be apart from")
    header = [] if puzzle.mines is None else [f"mines: {puzzle.mines}"]
    header += [] if puzzle.trust_flags else ["flags: not trusted"]
    return "\n".join([*header, *puzzle.board]) + "\n"


FORMATS: dict[str, Format[MinesweeperPuzzle]] = {
    "json": Format("JSON", lambda text: text.lstrip().startswith("{"), _read_json, _write_json),
    "puzzlink": Format("puzz.link address", lambda text: "://" in text[:20], _read_puzzlink, _write_puzzlink),
    "mine": Format(
        ".mine file of JSMinesweeper",
        lambda text: _MINE_HEADER.match(text.lstrip()) is not None,
        _read_mine,
        _write_mine,
    ),
    "text": Format("rows of marks", lambda text: True, _read_text, _write_text),
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


def _read_tatham(text: str, name: str) -> MineField:
    found = _TATHAM.fullmatch(text.strip()) if len(text) <= MAX_CHARACTERS else None
    if found is None:
        raise InputError(f"{name}: no game ID of Mines: WIDTHxHEIGHT:X,Y,m and hexadecimal digits")
    width, height = _size(found[1], found[2], name)
    if found[4].startswith("r"):
        raise InputError(f"{name}: a game whose mines are only made at its first click")
    body = _TATHAM_BODY.fullmatch(found[4])
    if body is None:
        raise InputError(f"{name}: {found[4][:30]!r}: must be X,Y,m (or u) and hexadecimal digits")
    cells = width * height
    if len(body[4]) != (cells + 3) // 4:
        raise InputError(
            f"{name}: {count_of(len(body[4]), 'hexadecimal digit')}; "
            f"{height}x{width} cells need {(cells + 3) // 4}"
        )
    bits = bytearray.fromhex(body[4] + "0" * (len(body[4]) % 2))
    if body[3] == "m":
        _mask(bits, cells, decode=True)
    drawn = "".join(MINE if bits[i // 8] & 0x80 >> i % 8 else SAFE for i in range(cells))
    start: Cell | None = None
    if body[1] is not None:
        start = _whole(body[2], name, "y"), _whole(body[1], name, "x")
    field = MineField(tuple(drawn[r * width : (r + 1) * width] for r in range(height)), start, name)
    if found[3] is not None and _whole(found[3], name, "mines") != len(field.mines):
        raise InputError(f"{name}: n{found[3]}: the field has {count_of(len(field.mines), 'mine')}")
    return field


def _write_tatham(field: MineField) -> str:
    _refuse_outside(field, "tatham")
    cells = field.width * field.height
    bits = bytearray((cells + 7) // 8)
    for r, c in field.mines:
        i = r * field.width + c
        bits[i // 8] |= 0x80 >> i % 8
    _mask(bits, cells, decode=False)
    start = "" if field.start is None else f"{field.start[1]},{field.start[0]},"
    return f"{field.width}x{field.height}:{start}m{bits.hex()[: (cells + 3) // 4]}"


def _mask(data: bytearray, bits: int, decode: bool) -> None:
    """Mask each half of a bit string by SHA-1 hashes of the other, or take the mask off, in place.

    The first half, rounded down to bytes, is XORed with the hashes of the second half followed by a decimal
    counter; then the second half with those of the first. Bits of the last byte that are no part of the string
    are cleared after each step. To take the mask off, the steps are exchanged.
    """
    half = len(data) // 2
    first, second = slice(0, half), slice(half, len(data))
    steps = [(first, second), (second, first)]
    for target, seed in reversed(steps) if decode else steps:
        key = bytes(data[seed])
        length = len(data[target])
        stream = b"".join(
            sha1(key + str(i).encode(), usedforsecurity=False).digest() for i in range((length + 19) // 20)
        )
        data[target] = bytes(a ^ b for a, b in zip(data[target], stream, strict=False))
        if bits % 8:
            data[-1] &= 0xFF00 >> bits % 8 & 0xFF


def _read_field_text(text: str, name: str) -> MineField:
    return MineField(tuple(rectangle("\n".join(line.strip() for line in text.splitlines()), name)), name=name)


def _write_field_text(field: MineField) -> str:
    if field.start is not None:
        raise InputError(f"{field.name}: the form text cannot say where to start")
    return "\n".join(field.rows) + "\n"


def _refuse_outside(field: MineField, form: str) -> None:
    for r, row in enumerate(field.rows):
        if OUTSIDE in row:
            cell = (r, row.index(OUTSIDE))
            raise InputError(f"{field.name}: {show(cell)}: the form {form} cannot say {OUTSIDE!r}")


FIELD_FORMATS: dict[str, Format[MineField]] = {
    "json": Format("JSON", lambda text: text.lstrip().startswith("{"), _read_field_json, _write_field_json),
    "tatham": Format(
        "game ID of Mines in Simon Tatham's collection",
        lambda text: _TATHAM.match(text.lstrip()) is not None,
        _read_tatham,
        _write_tatham,
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
    _refuse_outside(field, "mbf")
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
    if _TATHAM.fullmatch(text) is not None:
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
