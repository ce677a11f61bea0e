"""Addresses of boards in play, and game IDs of fields of mines.

References
----------
Addresses: the project pzprv3, `Encode.js` (Number16). Game IDs: Simon Tatham's Portable Puzzle Collection, mines.c
and misc.c.
"""

import re
from collections.abc import Sequence
from hashlib import sha1

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
from twinproof.models.text.addresses import PENPA, PZPR, TATHAM, Reader, closed, game_id, is_address, read_address
from twinproof.models.text.numbers import is_whole
from twinproof.models.text.penpa import read_board
from twinproof.models.words import count_of
from twinproof.optim import InputError

_GAME_ID = re.compile(r"(\d+)x(\d+)(?:n(\d+))?a?:(.*)", re.ASCII)
_BODY = re.compile(r"(?:(\d+),(\d+),)?([mu]?)([0-9a-fA-F]*)", re.ASCII)
_NUMBER16 = re.compile(r"[0-9a-f]|-[0-9a-f]{2}|\+[0-9a-f]{3}|[g-z]|\.", re.ASCII)


def whole(digits: str, name: str, what: str, least: int = 0) -> int:
    """Read a number that sizes something.

    Parameters
    ----------
    digits : str
    name, what : str
        What to call the text, and the number, in messages.
    least : int

    Raises
    ------
    InputError
        If it is no whole number, of more than 9 digits, or too small.
    """
    if not is_whole(digits) or int(digits) < least:
        raise InputError(f"{name}: {what} {digits[:20]!r}: must be a whole number from {least}")
    return int(digits)


def size(width: str, height: str, name: str) -> tuple[int, int]:
    """Read a width and a height.

    Parameters
    ----------
    width, height : str
    name : str
        What to call the text in messages.

    Raises
    ------
    InputError
        If one is no whole number or is 0, or there are too many cells.
    """
    columns, rows = whole(width, name, "width", 1), whole(height, name, "height", 1)
    if columns * rows > MAX_TILES:
        raise InputError(f"{name}: {rows}x{columns} cells; at most {MAX_TILES} are allowed")
    return columns, rows


def refuse(puzzle: MinesweeperPuzzle, form: str, marks: str, total: bool) -> None:
    """Refuse what a form cannot say: marks of the board, a known number of mines or the lack of one, and more.

    Parameters
    ----------
    puzzle : MinesweeperPuzzle
    form : str
        Its name.
    marks : str
        Those that it cannot say.
    total : bool
        Whether it says the number of mines.

    Raises
    ------
    InputError
        If there is something that it cannot say.
    """
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


def _read_pzpr(parts: Sequence[str], name: str) -> MinesweeperPuzzle:
    """Read the parts COLUMNS, ROWS and CELLS: clues, `.` for an open cell, `g` to `z` for 1 to 20 hidden ones."""
    if len(parts) != 3:
        raise InputError(f"{name}: an address of mines has the form mines/COLUMNS/ROWS/CELLS")
    width, height = size(parts[0], parts[1], name)
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
        raise InputError(f"{name}: {count_of(len(marks), 'cell')}, {height}x{width} has {width * height}")
    drawn = "".join(marks)
    return MinesweeperPuzzle(tuple(drawn[r * width : (r + 1) * width] for r in range(height)), name=name)


def _read_penpa(parts: Sequence[str], name: str) -> MinesweeperPuzzle:
    """Read a board whose numbers are clues; `?` is an open cell without one, and the other cells are hidden."""
    board = read_board(parts[0], name, ("mines",), ("number",))
    for cell, text in board.numbers.items():
        if text not in (*CLUES, OPEN):
            raise InputError(f"{name}: {show(cell)}: {text[:20]!r}: a clue is a number, 0 to 8")
    rows = ("".join(board.numbers.get((r, c), HIDDEN) for c in range(board.width)) for r in range(board.height))
    return MinesweeperPuzzle(tuple(rows), name=name)


def _refuse_field(parts: Sequence[str], name: str) -> MinesweeperPuzzle:
    raise InputError(
        f"{name}: a game ID of Mines is a field with all its mines, and no board in play; `play` reads it"
    )


_READERS = {
    PZPR: Reader(("mines",), _read_pzpr),
    TATHAM: Reader(("mines",), _refuse_field),
    PENPA: Reader(("minesweeper",), _read_penpa),
}


def read(text: str, name: str) -> MinesweeperPuzzle:
    """Read the address of a board in play; see `twinproof.models.text.addresses`.

    Parameters
    ----------
    text : str
        The address.
    name : str
        What to call it in messages.

    Raises
    ------
    InputError
        If it is no address of Minesweeper, or of a field with all its mines.
    """
    return read_address(text, name, _READERS)


def write(puzzle: MinesweeperPuzzle) -> str:
    """Write the address of a board in pzpr.

    Raises
    ------
    InputError
        If an address cannot say all of it.
    """
    refuse(puzzle, "puzzlink", FLAG + OUTSIDE, total=False)

    def gap(run: re.Match[str]) -> str:
        length = len(run[0])
        return "z" * (length // 20) + (chr(ord("g") + length % 20 - 1) if length % 20 else "")

    cells = re.sub(r"\.+", gap, "".join(puzzle.board))
    return closed(f"https://puzz.link/p?mines/{puzzle.width}/{puzzle.height}/{cells.replace(OPEN, '.')}")


def read_game_id(text: str, name: str) -> MineField:
    """Read a game ID, or the address of a page that shows it.

    Parameters
    ----------
    text : str
        The game ID says all mines, masked or not, and perhaps where the game starts.
    name : str
        What to call it in messages.

    Raises
    ------
    InputError
        If it is none, or of a game whose mines are not made yet.
    """
    if is_address(text):
        return read_address(
            text, name, {TATHAM: Reader(("mines",), lambda parts, name: read_game_id(parts[0], name))}
        )
    found = _GAME_ID.fullmatch(game_id(text, name)) if len(text) <= MAX_CHARACTERS else None
    if found is None:
        raise InputError(f"{name}: no game ID of Mines: WIDTHxHEIGHT:X,Y,m and hexadecimal digits")
    width, height = size(found[1], found[2], name)
    if found[4].startswith("r"):
        raise InputError(f"{name}: a game whose mines are only made at its first click")
    body = _BODY.fullmatch(found[4])
    if body is None:
        raise InputError(f"{name}: {found[4][:30]!r}: must be X,Y,m (or u) and hexadecimal digits")
    cells = width * height
    if len(body[4]) != (cells + 3) // 4:
        raise InputError(
            f"{name}: {count_of(len(body[4]), 'hexadecimal digit')}; "
            f"{width}x{height} cells need {(cells + 3) // 4}"
        )
    bits = bytearray.fromhex(body[4] + "0" * (len(body[4]) % 2))
    if body[3] == "m":
        _mask(bits, cells, decode=True)
    drawn = "".join(MINE if bits[i // 8] & 0x80 >> i % 8 else SAFE for i in range(cells))
    start: Cell | None = None
    if body[1] is not None:
        start = whole(body[2], name, "y"), whole(body[1], name, "x")
    field = MineField(tuple(drawn[r * width : (r + 1) * width] for r in range(height)), start, name)
    if found[3] is not None and whole(found[3], name, "mines") != len(field.mines):
        raise InputError(f"{name}: n{found[3]}: the field has {count_of(len(field.mines), 'mine')}")
    return field


def write_game_id(field: MineField) -> str:
    """Write the game ID that `read_game_id` reads, masked.

    Raises
    ------
    InputError
        If cells are outside.
    """
    refuse_outside(field, "tatham")
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


def refuse_outside(field: MineField, form: str) -> None:
    """Refuse to leave out which cells are outside.

    Parameters
    ----------
    field : MineField
    form : str
        The name of the form that cannot say it.

    Raises
    ------
    InputError
        If there are some.
    """
    for r, row in enumerate(field.rows):
        if OUTSIDE in row:
            cell = (r, row.index(OUTSIDE))
            raise InputError(f"{field.name}: {show(cell)}: the form {form} cannot say {OUTSIDE!r}")
