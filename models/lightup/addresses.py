"""Addresses of Light Up puzzles, and game IDs.

References
----------
Game IDs: S. Tatham's Portable Puzzle Collection, `lightup.c`. Addresses: the project pzprjs, `Encode.js`
(decode4Cell, encode4Cell) and `lightup.js` (decodeKanpen). On boards of penpa-edit walls are coloured, as its own
import of an address and the solver noqx have it.
"""

import re
from collections.abc import Sequence
from itertools import groupby

from twinproof.models.grid import MAX_CHARACTERS, MAX_TILES, show
from twinproof.models.lightup.instance import FLOOR, WALL, LightUpPuzzle
from twinproof.models.text.addresses import (
    KANPEN,
    MAX_ADDRESS,
    PENPA,
    PZPR,
    TATHAM,
    Reader,
    closed,
    game_id,
    is_address,
    read_address,
)
from twinproof.models.text.penpa import read_board
from twinproof.models.words import count_of
from twinproof.optim import InputError

KINDS = ("akari", "bijutsukan", "lightup")
LONGEST_RUN = 20  # of floor cells that one letter of an address says
CLUES = tuple("01234")
BLACK_OR_GREY = (1, 3, 4, 8)

_GAME_ID = re.compile(r"([0-9]+)x([0-9]+)(?:b[0-9]*)?(?:s[0-9]*)?r?(?:d[0-9]*)?:(.*)", re.ASCII | re.DOTALL)
_MARK_OF_KANPEN = {".": FLOOR, "5": WALL, **{clue: clue for clue in CLUES}}


def size(height: str, width: str, name: str) -> tuple[int, int]:
    """Read a height and a width; the numbers may be of any length.

    Parameters
    ----------
    height, width : str
    name : str
        What to call the puzzle in messages.

    Raises
    ------
    InputError
        If one is no whole number or is 0, or there are more than `MAX_TILES` cells.
    """
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
        raise InputError(f"{name}: says {count_of(len(marks), 'cell')}, {height}x{width} has {height * width}")
    return LightUpPuzzle(tuple(marks[start : start + width] for start in range(0, len(marks), width)), name)


def refuse_apart(puzzle: LightUpPuzzle, form: str) -> None:
    """Refuse to leave out the layout to differ from.

    Parameters
    ----------
    puzzle : LightUpPuzzle
    form : str
        What the form that cannot say it is called.

    Raises
    ------
    InputError
        If there is one.
    """
    if puzzle.apart_from is not None:
        raise InputError(f"{puzzle.name}: a {form} cannot say the layout to differ from; json can")


def limit(text: str, most: int, name: str) -> None:
    """Refuse a text of too many characters.

    Parameters
    ----------
    text : str
    most : int
    name : str
        What to call the text in messages.

    Raises
    ------
    InputError
        If there are more than `most`.
    """
    if len(text) > most:
        raise InputError(f"{name}: more than {most} characters")


def _limit_cells(cells: str, height: int, width: int, name: str) -> None:
    """Refuse more characters than there are cells: each says at least one."""
    if len(cells) > height * width:
        raise InputError(f"{name}: {count_of(len(cells), 'character')} for {height}x{width} cells")


def read_game_id(text: str, name: str) -> LightUpPuzzle:
    """Read `WIDTHxHEIGHT:cells`: 0 to 4, B for a wall, a to z for 1 to 26 floor cells.

    Parameters
    ----------
    text : str
        The game ID; or the address of a page that shows it.
    name : str
        What to call it in messages.

    Raises
    ------
    InputError
        If it is no game ID of Light Up.
    """
    if is_address(text):
        return read(text, name)
    limit(text, MAX_CHARACTERS, name)
    found = _GAME_ID.fullmatch(game_id(text, name))
    if found is None:
        raise InputError(f"{name}: no game ID of the form WIDTHxHEIGHT:CELLS")
    width_text, height_text, cells = found.groups()
    height, width = size(height_text, width_text, name)
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


def write_game_id(puzzle: LightUpPuzzle) -> str:
    """Write the game ID that `read_game_id` reads.

    Raises
    ------
    InputError
        If there is a layout to differ from.
    """
    refuse_apart(puzzle, "game ID")
    parts = []
    for mark, group in groupby("".join(puzzle.rows)):
        count = len(list(group))
        if mark == FLOOR:
            parts.append("z" * (count // 26) + (chr(ord("a") + count % 26 - 1) if count % 26 else ""))
        else:
            parts.append(("B" if mark == WALL else mark) * count)
    return f"{puzzle.width}x{puzzle.height}:{''.join(parts)}\n"


def _read_pzpr(parts: Sequence[str], name: str) -> LightUpPuzzle:
    """Read the parts COLUMNS, ROWS and cells.

    A character of the cells is `.` for a wall, 0 to 4 for one with a number, 5 to 9 and a to e for such a wall
    with one or two floor cells behind it, g to z for 1 to 20 floor cells. Floor behind the last wall may exceed
    the grid.
    """
    if len(parts) != 3:
        raise InputError(f"{name}: an address must go on with COLUMNS/ROWS/CELLS behind the kind of puzzle")
    height, width = size(parts[1], parts[0], name)
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


def _read_kanpen(parts: Sequence[str], name: str) -> LightUpPuzzle:
    """Read the parts ROWS and COLUMNS, and a part a row: `.` for floor, 0 to 4, 5 for a wall, `_` behind each."""
    if len(parts) < 3:
        raise InputError(f"{name}: an address must go on with ROWS/COLUMNS/CELLS behind 'problem='")
    height, width = size(parts[0], parts[1], name)
    marks = [mark for part in parts[2:] for mark in part.replace(" ", "_").split("_") if mark]
    for position, mark in enumerate(marks):
        if mark not in _MARK_OF_KANPEN:
            raise InputError(f"{name}: {show(divmod(position, width))}: {mark[:20]!r} is none of 0 to 5, '.'")
    return _fold("".join(_MARK_OF_KANPEN[mark] for mark in marks), height, width, name)


def _read_penpa(parts: Sequence[str], name: str) -> LightUpPuzzle:
    """Read a board whose coloured cells are walls; a clue is a number on a wall."""
    board = read_board(parts[0], name, ("akari", "lightup"), ("surface", "number"))
    colours = set(board.colours.values())
    if len(colours) > 1 or not colours <= set(BLACK_OR_GREY):
        raise InputError(
            f"{name}: several colours of cells, or neither black nor grey: which are walls is not clear"
        )
    for cell, text in board.numbers.items():
        if cell not in board.colours or text not in CLUES:
            raise InputError(f"{name}: {show(cell)}: {text[:20]!r}: a clue is a number, 0 to 4, on a black cell")
    marks = {**dict.fromkeys(board.colours, WALL), **board.numbers}
    return LightUpPuzzle(
        tuple("".join(marks.get((r, c), FLOOR) for c in range(board.width)) for r in range(board.height)), name
    )


_READERS = {
    PZPR: Reader(KINDS, _read_pzpr),
    KANPEN: Reader(KINDS, _read_kanpen),
    TATHAM: Reader(("lightup",), lambda parts, name: read_game_id(parts[0], name)),
    PENPA: Reader(("akari", "lightup"), _read_penpa),
}


def read(text: str, name: str) -> LightUpPuzzle:
    """Read an address; see `twinproof.models.text.addresses`.

    Parameters
    ----------
    text : str
        The address.
    name : str
        What to call it in messages.

    Raises
    ------
    InputError
        If it is no address of a Light Up puzzle.
    """
    return read_address(text, name, _READERS)


def write(puzzle: LightUpPuzzle) -> str:
    """Write the address of a puzzle in pzpr.

    Raises
    ------
    InputError
        If there is a layout to differ from, or the address would be too long.
    """
    refuse_apart(puzzle, "puzz.link address")
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
    address = closed(f"https://puzz.link/p?lightup/{puzzle.width}/{puzzle.height}/{''.join(parts)}") + "\n"
    if len(address) > MAX_ADDRESS:
        raise InputError(f"{puzzle.name}: too large for an address of at most {MAX_ADDRESS} characters")
    return address
