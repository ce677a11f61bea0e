"""Addresses of Star Battles.

References
----------
The project pzprjs, `src/variety-common/Encode.js` (decodeBorder) and `src/variety/starbattle.js`. On boards of
penpa-edit borders are black lines, as its own import of an address has it.
"""

from collections.abc import Sequence
from functools import partial
from itertools import pairwise

from twinproof.models.grid import Cell, show
from twinproof.models.starbattle.instance import MAX_SIDE, StarBattlePuzzle, number_regions
from twinproof.models.text.addresses import PENPA, PZPR, Reader, closed, read_address
from twinproof.models.text.numbers import is_whole
from twinproof.models.text.penpa import read_board
from twinproof.models.words import count_of
from twinproof.optim import InputError

KINDS = ("starbattle",)
BASE32 = "0123456789abcdefghijklmnopqrstuv"


def whole(digits: str, what: str) -> int:
    """Read a whole number of at most 9 digits.

    Parameters
    ----------
    digits : str
    what : str
        What it is, for messages.

    Raises
    ------
    InputError
        If it is none.
    """
    if not is_whole(digits):
        raise InputError(f"{what}: {digits[:40]!r} is no whole number of at most 9 digits")
    return int(digits)


def refuse_apart_from(puzzle: StarBattlePuzzle, form: str) -> None:
    """Refuse to leave out the layout to differ from.

    Parameters
    ----------
    puzzle : StarBattlePuzzle
    form : str
        What the form that cannot say it is called.

    Raises
    ------
    InputError
        If there is one.
    """
    if puzzle.apart_from is not None:
        raise InputError(f"{puzzle.name}: {form}: cannot say from which layout to be apart; json can")


def _read_pzpr(parts: Sequence[str], name: str) -> StarBattlePuzzle:
    """Read the parts COLUMNS, ROWS, STARS and BORDERS.

    The borders are first those between columns, then those between rows, row by row, five to a base-32 digit with
    the first in its highest bit; each kind begins a new digit. Regions are the areas that they enclose.
    """
    if [*parts[:2], *parts[3:]] == ["1", "1"]:
        parts = [*parts, ""]  # one cell has no borders
    if len(parts) != 4:
        raise InputError(
            f"{name}: {count_of(len(parts), 'part')} behind the kind of puzzle; there must be 4, "
            "COLUMNS/ROWS/STARS/BORDERS"
        )
    width, height = whole(parts[0], f"{name}: columns"), whole(parts[1], f"{name}: rows")
    stars = whole(parts[2], f"{name}: stars")
    if not (1 <= width <= MAX_SIDE and 1 <= height <= MAX_SIDE):
        raise InputError(f"{name}: {height} rows and {width} columns; 1 to {MAX_SIDE} are allowed")
    between_columns, between_rows = (width - 1) * height, width * (height - 1)
    digits = [BASE32.find(digit) for digit in parts[3]]
    if -1 in digits:
        place = digits.index(-1)
        raise InputError(f"{name}: borders: {parts[3][place]!r}, at place {place + 1}, is no digit 0-9 or a-v")
    split = -(-between_columns // 5)
    expected = split + -(-between_rows // 5)
    if len(digits) != expected:
        raise InputError(
            f"{name}: borders: {count_of(len(digits), 'digit')}; {height}x{width} cells need {expected}"
        )
    upright, level = _bits(digits[:split]), _bits(digits[split:])
    return _enclosed(height, width, stars, upright, level, name)


def _read_penpa(parts: Sequence[str], name: str, stars: int | None) -> StarBattlePuzzle:
    """Read a board with lines between regions, and perhaps the number of stars beside it."""
    board = read_board(parts[0], name, ("starbattle",), ("lineE",))
    beside = {text for text in board.beside if text.isascii() and text.isdigit()}
    if stars is None:
        if len(beside) != 1:
            raise InputError(f"{name}: a board of penpa-edit that does not say how many stars; --stars can say it")
        stars = whole(beside.pop(), f"{name}: stars")
    upright = [
        int(((r, c), (r, c + 1)) in board.borders) for r in range(board.height) for c in range(board.width - 1)
    ]
    level = [
        int(((r, c), (r + 1, c)) in board.borders) for r in range(board.height - 1) for c in range(board.width)
    ]
    return _enclosed(board.height, board.width, stars, upright, level, name)


def read(text: str, name: str, stars: int | None = None) -> StarBattlePuzzle:
    """Read an address; see `twinproof.models.text.addresses`.

    Parameters
    ----------
    text : str
        The address.
    name : str
        What to call it in messages.
    stars : int, optional
        The number of stars in every row, where the address does not say it.

    Returns
    -------
    StarBattlePuzzle
        Every cell has a region.

    Raises
    ------
    InputError
        If it is no address of a Star Battle, or borders are too few or too many.
    """
    readers = {
        PZPR: Reader(KINDS, _read_pzpr),
        PENPA: Reader(KINDS, partial(_read_penpa, stars=stars)),
    }
    return read_address(text, name, readers)


def _enclosed(
    height: int, width: int, stars: int, upright: list[int], level: list[int], name: str
) -> StarBattlePuzzle:
    """Build the puzzle whose regions are the areas that borders enclose; see `_fill`."""
    marks: list[list[str | None]] = [[None] * width for _ in range(height)]
    regions = 0
    for r in range(height):
        for c in range(width):
            if marks[r][c] is None:
                regions += 1
                _fill(marks, (r, c), str(regions), upright, level)
    numbered, _ = number_regions(marks)
    return StarBattlePuzzle(stars, numbered, name=name)


def _fill(marks: list[list[str | None]], start: Cell, mark: str, upright: list[int], level: list[int]) -> None:
    """Mark the area of a cell; upright borders stand right of a cell, level ones lie below it."""
    height, width = len(marks), len(marks[0])
    waiting = [start]
    while waiting:
        r, c = waiting.pop()
        if marks[r][c] is not None:
            continue
        marks[r][c] = mark
        if c + 1 < width and not upright[r * (width - 1) + c]:
            waiting.append((r, c + 1))
        if c > 0 and not upright[r * (width - 1) + c - 1]:
            waiting.append((r, c - 1))
        if r + 1 < height and not level[r * width + c]:
            waiting.append((r + 1, c))
        if r > 0 and not level[(r - 1) * width + c]:
            waiting.append((r - 1, c))


def write(puzzle: StarBattlePuzzle) -> str:
    """Write the address of a puzzle in pzpr.

    Raises
    ------
    InputError
        If a cell is in no region, or a region lies in several pieces: borders cannot say that.
    """
    refuse_apart_from(puzzle, "puzzlink")
    regions, height, width = puzzle.regions, puzzle.height, puzzle.width
    for r, row in enumerate(regions):
        if None in row:
            raise InputError(f"{puzzle.name}: puzzlink: {show((r, row.index(None)))} is in no region")
    upright = [int(row[c] != row[c + 1]) for row in regions for c in range(width - 1)]
    level = [int(a != b) for above, below in pairwise(regions) for a, b in zip(above, below, strict=True)]
    address = f"https://puzz.link/p?starbattle/{width}/{height}/{puzzle.stars}/{_digits(upright)}{_digits(level)}"
    marks: list[list[str | None]] = [[None] * width for _ in range(height)]
    for region, cells in enumerate(puzzle.region_cells):
        _fill(marks, cells[0], str(region), upright, level)
        for r, c in cells:
            if marks[r][c] is None:
                label = puzzle.region_labels[region]
                raise InputError(
                    f"{puzzle.name}: puzzlink: region {label}: {show((r, c))} is not joined to the rest"
                )
    return closed(address) + "\n"


def _bits(digits: Sequence[int]) -> list[int]:
    return [digit >> place & 1 for digit in digits for place in (4, 3, 2, 1, 0)]


def _digits(bits: Sequence[int]) -> str:
    padded = [*bits, 0, 0, 0, 0]
    fives = (padded[i : i + 5] for i in range(0, len(bits), 5))
    return "".join(BASE32[int("".join(map(str, five)), 2)] for five in fives)
