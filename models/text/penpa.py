"""Boards that penpa-edit has compressed into an address.

penpa-edit is a drawing board: its addresses hold colours, numbers and lines, but not which puzzle they mean. So a
board is only read if nothing is drawn on it that the puzzle has no meaning for.

References
----------
The project penpa-edit (opt-pan, swaroopg92), class_p.js, which writes the text, and general.js, which reads it.
"""

import base64
import re
import zlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from twinproof.models.grid import MAX_TILES, Cell, show
from twinproof.models.text.json_values import json_object
from twinproof.models.text.numbers import is_whole
from twinproof.optim import InputError

MAX_PLAIN = 2_000_000
FRAME = 2
"""penpa-edit numbers the cells of the board row by row, with so many more around it."""

_ABBREVIATIONS = {
    **{"zS": '"surface"', "zN": '"number"', "zY": '"symbol"', "zL": '"line"', "zE": '"lineE"', "zW": '"wall"'},
    **{"zC": '"cage"', "zF": '"freeline"', "z2": '"freelineE"', "zT": '"thermo"', "z3": '"arrows"'},
    **{
        "zD": '"direction"',
        "z0": '"squareframe"',
        "z5": '"polygon"',
        "z4": '"deletelineE"',
        "z6": '"killercages"',
    },
    **{"z7": '"nobulbthermo"', "z1": '"numberS"', "zR": '"command_redo"', "zU": '"command_undo"'},
    **{"z8": '"command_replay"', "z_": '"__a"', "zO": "null"},
}
_ABBREVIATED = re.compile("|".join(_ABBREVIATIONS))
_TAGS = re.compile(r'\["[^"]*"(?:,"[^"]*")*\]')
BORDERS = (2, 21)
"""The styles of black lines, thin and thick; others are dots, dashes and colours."""
PLAIN = ("1", "5", "6", "10")
"""Numbers of normal, small, medium and large size."""
_HISTORY = ("command_redo", "command_undo", "command_replay")
_MARGINS = ("symbol", "number")
"""What may be drawn in the margins, whatever the puzzle."""


@dataclass(frozen=True)
class DrawnBoard:
    """What is drawn on a board of square cells.

    Parameters
    ----------
    height, width : int
    colours : mapping
        The number of the colour of each cell that has one.
    numbers : mapping
        The text in each cell that has one that is not blank.
    borders : frozenset
        The pairs of neighbouring cells with a line between them.
    beside : tuple of str
        The texts in the margins.
    """

    height: int
    width: int
    colours: Mapping[Cell, int]
    numbers: Mapping[Cell, str]
    borders: frozenset[tuple[Cell, Cell]]
    beside: tuple[str, ...]


def read_board(text: str, name: str, kinds: Collection[str], drawn: Collection[str]) -> DrawnBoard:
    """Read a board.

    Parameters
    ----------
    text : str
        Base64 of what is deflated, as it stands in the address.
    name : str
        What to call it in messages.
    kinds : collection of str
        What the puzzle is called in the tags that an address may have.
    drawn : collection of str
        What may be drawn on the board: some of `surface`, `number`, `lineE`.

    Raises
    ------
    InputError
        If it is damaged or too large, no rectangle of squares, or tagged as another puzzle, or something else is
        drawn.
    """
    lines = _inflated(text, name).split("\n")
    grid = _grid(lines, name)
    _check_tags(lines, name, kinds)
    content = json_object(_ABBREVIATED.sub(lambda found: _ABBREVIATIONS[found[0]], lines[3]), name)
    layers: dict[str, dict[Cell, Any]] = {}
    for layer, places in content.items():
        if layer in _HISTORY or layer == "lineE" or not places:
            continue
        if not isinstance(places, dict):
            raise InputError(f"{name}: on the board of penpa-edit there is {layer!r}, which means nothing here")
        layers[layer] = {grid.cell(place, name): value for place, value in places.items()}
        for cell in layers[layer]:
            if layer not in (drawn if grid.has(cell) else _MARGINS):
                where = show(cell) if grid.has(cell) else "the margin"
                raise InputError(f"{name}: {where}: {layer!r} of penpa-edit, which means nothing here")
    if any(type(colour) is not int for colour in layers.get("surface", {}).values()):
        raise InputError(f"{name}: cells of several colours in a board of penpa-edit")
    numbers = {cell: _text(value, f"{name}: {show(cell)}") for cell, value in layers.get("number", {}).items()}
    lines_drawn = content.get("lineE") or {}
    if lines_drawn and "lineE" not in drawn:
        raise InputError(f"{name}: lines on the edges of cells, which mean nothing here")
    return DrawnBoard(
        grid.height,
        grid.width,
        layers.get("surface", {}),
        {cell: text for cell, text in numbers.items() if text and grid.has(cell)},
        grid.borders(lines_drawn, name),
        tuple(text for cell, text in numbers.items() if text and not grid.has(cell)),
    )


@dataclass(frozen=True)
class _Grid:
    """The rectangle of cells that belongs to the puzzle, and how penpa-edit numbers places: see `FRAME`."""

    height: int
    width: int
    top: int
    left: int
    down: int
    across: int

    def has(self, cell: Cell) -> bool:
        return 0 <= cell[0] < self.height and 0 <= cell[1] < self.width

    def cell(self, place: str, name: str) -> Cell:
        if not (is_whole(place, 8) and int(place) < self.down * self.across):
            raise InputError(f"{name}: {place[:40]!r} is no cell of the board of penpa-edit")
        row, column = divmod(int(place), self.across)
        return row - FRAME - self.top, column - FRAME - self.left

    def borders(self, lines: object, name: str) -> frozenset[tuple[Cell, Cell]]:
        """Give the pairs of cells with a line between them; corners of cells are numbered behind the cells."""
        if not isinstance(lines, dict):
            raise InputError(f"{name}: no lines of penpa-edit")
        pairs = set()
        for ends, style in lines.items():
            words = ends.split(",")
            if len(words) != 2 or style not in BORDERS:
                raise InputError(
                    f"{name}: a line of penpa-edit of the style {str(style)[:20]}, or to mark an edge"
                )
            if not all(is_whole(word, 8) for word in words):
                raise InputError(f"{name}: {ends[:40]!r} is no line of penpa-edit")
            (r, c), (to_r, to_c) = (self.cell(str(int(word) - self.down * self.across), name) for word in words)
            # A corner is at the lower right of the cell that has its number.
            if (to_r, to_c) == (r + 1, c):
                pairs.add(((r + 1, c), (r + 1, c + 1)))
            elif (to_r, to_c) == (r, c + 1):
                pairs.add(((r, c + 1), (r + 1, c + 1)))
            else:
                raise InputError(f"{name}: {ends[:40]!r}: a line that is no edge of a cell")
        return frozenset(pair for pair in pairs if all(self.has(cell) for cell in pair))


def _inflated(text: str, name: str) -> str:
    """Take base64 and compression off; the signs that fill up base64 may be missing, or a slash be behind them."""
    signs = (text[:-1] if text.endswith("=/") else text).rstrip("=")
    signs = signs.removesuffix("/") if len(signs) % 4 == 1 else signs
    inflating = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        plain = inflating.decompress(
            base64.b64decode(signs + "=" * (-len(signs) % 4), validate=True), MAX_PLAIN
        ).decode(errors="replace")
    except (ValueError, zlib.error) as error:  # those of base64 are among the first
        raise InputError(f"{name}: a damaged board of penpa-edit: {error}") from error
    if inflating.unconsumed_tail:
        raise InputError(f"{name}: a board of penpa-edit of more than {MAX_PLAIN} characters")
    if not inflating.eof:
        raise InputError(f"{name}: a board of penpa-edit that is cut off")
    return plain


def _grid(lines: Sequence[str], name: str) -> _Grid:
    """Read kind of grid, size and margins, and refuse a board from which cells are cut out."""
    header = lines[0].split(",")
    if header[0] not in ("square", "sudoku", "kakuro"):
        raise InputError(f"{name}: a board of penpa-edit whose cells are no squares, but {header[0][:40]!r}")
    try:
        columns, rows = int(header[1]), int(header[2])
        top, bottom, left, right = _whole_numbers(lines[1])
        # An address to edit has the solver's own drawing before the list of cells; one to solve an empty line.
        steps = _whole_numbers(lines[5 if lines[4].startswith("{") or not lines[4] else 4])
    except (ValueError, IndexError) as error:
        raise InputError(f"{name}: no board of penpa-edit, or one of its first version") from error
    height, width = rows - top - bottom, columns - left - right
    if min(top, bottom, left, right, height - 1, width - 1) < 0 or rows * columns > MAX_TILES:
        raise InputError(
            f"{name}: {height} rows, {width} columns: there must be one, and at most {MAX_TILES} cells"
        )
    grid = _Grid(height, width, top, left, rows + 2 * FRAME, columns + 2 * FRAME)
    cells = [divmod(place, grid.across) for place in accumulate(steps)]
    first = (FRAME + top, FRAME + left)
    if sorted(cells) != [(first[0] + r, first[1] + c) for r in range(height) for c in range(width)]:
        raise InputError(f"{name}: a board of penpa-edit that is no full rectangle")
    return grid


def _whole_numbers(line: str) -> list[int]:
    """Read a list of numbers; an empty line, as addresses to solve have one, is an empty list."""
    found = re.fullmatch(r"\[([-0-9, ]{0,100000})\]|", line, re.ASCII)
    if found is None:
        raise ValueError(line)
    return [int(number) for number in (found[1] or "").split(",") if number]


def _check_tags(lines: Sequence[str], name: str, kinds: Collection[str]) -> None:
    """Refuse a board that is tagged, but as no puzzle of this kind."""
    tags = next((tags for line in lines[12:] if (tags := _TAGS.fullmatch(line))), None)
    said = [] if tags is None else re.findall(r'"([^"]*)"', tags[0])
    plain = [re.sub("[^a-z]", "", tag.lower()) for tag in said]
    if said and not any(kind in tag for kind in kinds for tag in plain):
        raise InputError(
            f"{name}: a board of penpa-edit of the puzzle {said[0][:40]!r}, not {' or '.join(sorted(kinds))}"
        )


def _text(value: object, place: str) -> str:
    """Give what a number says: `[text, style, kind]`; only some kinds write it into the cell as it is."""
    if not (isinstance(value, list) and len(value) == 3 and isinstance(value[0], str | int) and value[2] in PLAIN):
        raise InputError(f"{place}: a note of penpa-edit that is no plain number")
    return str(value[0]).strip()
