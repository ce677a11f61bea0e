"""Grids of characters as people write and paste them: what is a cell, and what only sets cells apart.

Cells may stand side by side; apart, by blanks, tabs, commas, semicolons or bars; or in lists as programs print
them. Blanks before, behind and between cells are no cells. Where a form has a blank for a mark, it asks `gaps`
what the blanks of a text are.
"""

import re
from collections.abc import Sequence
from enum import Enum
from itertools import product
from math import gcd

from twinproof.models.grid import MAX_CHARACTERS
from twinproof.models.text.forms import LINE_END
from twinproof.models.words import count_of
from twinproof.optim import InputError

DELIMITERS = "\t,;|"

LEAST_LABELS = 4
"""Fewer numbers in order, along the rim of a grid, are as likely clues as the numbers of its rows or columns."""

_BEFORE_LISTS = re.compile(r"(?:\w{1,99} ?= ?)?(?:(?:\w{1,99}\.)?array)?(?=[(\s]{0,99}\[)", re.ASCII)
_ROW_LIST = re.compile(r"\[([^\[\]]*)\]")
_TYPE_OF_LISTS = re.compile(r"dtype ?= ?[\w'\"<>|]{1,99}", re.ASCII)
_AROUND_LISTS = re.compile(r"[\[\](),;\s]*")
_ITEM = re.compile(r"""\s*(?:'([^'\n]*)'|"([^"\n]*)"|([^\s,'"]+))\s*(?:,|(?<=\s)|$)""")


class Gaps(Enum):
    """What the blanks of a text are, where a blank may be a mark too."""

    MARKS = "there are none, or they are marks"
    LAYOUT = "they set cells apart, or surround the grid"
    EITHER = "both can be meant"


def gaps(text: str, same: str = "", endless: bool = False) -> Gaps:
    """Say what the blanks of a text are, in a form where a blank is a mark.

    Nobody writes one thing in two ways: where another mark says what a blank would say, the blanks are layout.

    Parameters
    ----------
    text : str
    same : str
        Other marks for what a blank says.
    endless : bool
        Whether beyond its rim the grid goes on as a blank says, so that blanks round it change nothing.

    Returns
    -------
    Gaps
        `EITHER` if the text has none of these marks, and between rows or columns with marks as many are blank
        everywhere, one at least, or, unless `endless`, the first or last one is blank.
    """
    lines = _grid_lines(text)
    if looks_like_lists(text) or _delimiter(lines):
        return Gaps.LAYOUT
    every = plain_lines(text)
    if not any(" " in line or "\t" in line for line in every) and not _double_spaced(lines):
        return Gaps.MARKS
    if any(mark in line for mark in same for line in lines):
        return Gaps.LAYOUT
    width = max(map(len, lines), default=0)
    padded = [line.ljust(width) for line in lines]
    if not endless:
        above, behind = _blank_lines(every)
        rows_round = any(every[:above]) or any(every[len(every) - behind :])
        if rows_round or any(all(row[end] == " " for row in padded) for end in (0, -1)):
            return Gaps.EITHER
    return Gaps.EITHER if _step(padded) > 1 or _double_spaced(padded) else Gaps.MARKS


def closed_up(text: str, name: str) -> list[str]:
    """Give the rows of a grid of which cells may be blank, without what sets them apart and the blanks round it.

    Of lines with blanks, the columns or every second row between cells are left out if all of these are blank;
    rows may end early.

    Parameters
    ----------
    text : str
    name : str
        What to call the text in messages.

    Raises
    ------
    InputError
        As `rectangle`, of lists and delimiters.
    """
    lines = _grid_lines(text)
    if looks_like_lists(text) or _delimiter(lines):
        return rectangle(text, name, blank=" ")
    indent = min((len(line) - len(line.lstrip(" ")) for line in lines if line.strip()), default=0)
    rows = [line[indent:].rstrip() for line in lines][:: 2 if _double_spaced(lines) else 1]
    return [row[:: _step(rows)] for row in rows]


def plain_lines(text: str) -> list[str]:
    """Give the lines of a text, with plain blanks; pages of the web have another blank too."""
    return LINE_END.split(text.replace("\u00a0", " "))


def _grid_lines(text: str) -> list[str]:
    """Give the lines from the first to the last that is not blank."""
    lines = plain_lines(text)
    above, behind = _blank_lines(lines)
    return lines[above : len(lines) - behind]


def _round(text: str) -> list[str]:
    """Give the blank lines before and behind the grid."""
    lines = LINE_END.split(text)
    above, behind = _blank_lines(lines)
    return lines[:above] + lines[len(lines) - behind :]


def _blank_lines(lines: Sequence[str]) -> tuple[int, int]:
    """Count the blank lines before and behind the grid; all are before it if there is none."""
    above = next((number for number, line in enumerate(lines) if line.strip()), len(lines))
    behind = next((number for number, line in enumerate(reversed(lines)) if line.strip()), 0)
    return above, behind


def _step(rows: Sequence[str]) -> int:
    """Give 2 if all cells stand in every second column, 3 in every third and so on, or 1 if they are together."""
    columns = {column for row in rows for column, mark in enumerate(row) if mark != " "}
    # Of cells in a single column this is 0.
    return max(1, gcd(*(column - min(columns) for column in columns)))


def _double_spaced(lines: Sequence[str]) -> bool:
    return len(lines) > 2 and not any(line.strip() for line in lines[1::2])


def _delimiter(lines: Sequence[str]) -> str | None:
    """Give the character between cells: one that is in every line."""
    inside = [line.strip() for line in lines]
    return next((mark for mark in DELIMITERS if lines and all(mark in line for line in inside)), None)


def looks_like_lists(text: str) -> bool:
    """Whether rows are lists in brackets, as programs print them."""
    return _BEFORE_LISTS.match(text.lstrip()) is not None


def words(text: str, name: str, first: int = 1, blank: str | None = None) -> list[list[str]]:
    """Give the cells of a grid: words that are set apart, or else single characters.

    Parameters
    ----------
    text : str
    name : str
        What to call the text in messages.
    first : int
        The number of its first line, for messages.
    blank : str, optional
        The mark of a cell for which nothing stands between tabs, commas or quotes; by default that is refused.

    Returns
    -------
    list of list of str
        Rows of the same length.

    Raises
    ------
    InputError
        If there is no grid, a row is longer or shorter than the first, or a cell is or may be left out.
    """
    if len(text) > MAX_CHARACTERS:
        raise InputError(f"{name}: more than {MAX_CHARACTERS} characters")
    lines = _grid_lines(text)
    listed = looks_like_lists(text)
    delimiter = None if listed else _delimiter(lines)
    if listed:
        grid, kind, first = _listed(text, name), "row", 1
    else:
        kind, first = "line", first + _blank_lines(LINE_END.split(text))[0]
        grid = _between(lines, delimiter, name, blank) if delimiter else _apart(lines, name)
    if not grid or not grid[0]:
        raise InputError(f"{name}: no grid in it")
    apart = listed or delimiter is not None or any(len(row.split()) > 1 for row in lines)
    for number, row in enumerate(grid, start=first):
        if len(row) != len(grid[0]):
            raise InputError(
                f"{name}: {kind} {number}: {_counted(row, apart)}, the first row has {len(grid[0])}; "
                "all rows of a grid are equally long"
            )
    if delimiter == "\t" and any("\t" in line for line in _round(text)):
        raise InputError(f"{name}: nothing but tabs in a line above or below: write its cells, or leave it out")
    if listed or delimiter is not None:
        if blank is not None and len(grid[0]) > 1 and not any(cell.strip() for row in grid for cell in row[1::2]):
            raise InputError(f"{name}: every second cell of every row is blank: leave it out, or write {blank!r}")
        grid = [[_filled(cell, blank, (r, c), name) for c, cell in enumerate(row)] for r, row in enumerate(grid)]
    return grid


def _counted(row: Sequence[str], apart: bool) -> str:
    return count_of(len(row), "cell") + " set apart" if apart else count_of(len(row), "character")


def _filled(cell: str, blank: str | None, place: tuple[int, int], name: str) -> str:
    if cell.strip():
        return cell
    if blank is None:
        raise InputError(f"{name}: row {place[0] + 1}, column {place[1] + 1}: nothing is written for this cell")
    return blank


def _apart(lines: Sequence[str], name: str) -> list[list[str]]:
    """Give the cells of lines, set apart by blanks if any are."""
    cells = [re.findall(r"[^ \t]+", line) for line in lines]
    apart = any(len(row) > 1 for row in cells)
    ragged = {line[: len(line) - len(line.lstrip())] for line in lines if line.strip()}
    # Words that are longer than others may well begin further to the left.
    if len(ragged) > 1 and not (apart and any(len(cell) > 1 for row in cells for cell in row)):
        raise InputError(f"{name}: not all rows begin in one column, as if cells are left out")
    return cells if apart else [list(row[0]) if row else [] for row in cells]


def _between(lines: Sequence[str], delimiter: str, name: str, blank: str | None) -> list[list[str]]:
    """Give what stands between delimiters."""
    bare = [line.strip(" ") for line in lines]
    if delimiter == "|" and all(row[0] == row[-1] == "|" and len(row) > 1 for row in bare):
        bare = [row[1:-1] for row in bare]  # bars round every row are its frame
    grid = [[cell.strip(" ") for cell in row.split(delimiter)] for row in bare]
    for end, where in ((0, "before the first"), (-1, "behind the last")):
        if all(row and not row[end] for row in grid):
            if blank is not None:
                raise InputError(
                    f"{name}: {delimiter!r} {where} cell of every row: is there an empty column? "
                    f"Write {blank!r} for the cells of it, or nothing"
                )
            for row in grid:
                del row[end]
    return grid


def _listed(text: str, name: str) -> list[list[str]]:
    """Give the items of lists, a list for each row; the texts of a single list may be rows themselves."""
    around = _TYPE_OF_LISTS.sub("", _BEFORE_LISTS.sub("", _ROW_LIST.sub("!", text.strip()), count=1)).split("!")
    separate = all(re.search(r"[,;\n\r]", part) for part in around[1:-1])
    if len(around) < 2 or not separate or not all(map(_AROUND_LISTS.fullmatch, around)):
        raise InputError(f"{name}: must be lists of cells, one a row, and nothing else")
    rows = []
    for number, inside in enumerate(_ROW_LIST.findall(text), start=1):
        items: list[re.Match[str]] = []
        at, end = 0, len(inside.rstrip())
        while at < end:
            found = _ITEM.match(inside, at, end)
            if found is None:
                raise InputError(
                    f"{name}: row {number}, column {len(items) + 1}: must be one character, with quotes or without"
                )
            items.append(found)
            at = found.end()
        rows.append(items)
    cells = [[item[1] or item[2] or item[3] or "" for item in row] for row in rows]
    if len(rows) > 1 or "[" in around[0]:
        return cells
    # Nothing says whether the one list is a row or holds rows, but that texts of more than one character are rows.
    if any(item[3] for item in rows[0]) or (len(cells[0]) > 1 and all(len(item) == 1 for item in cells[0])):
        raise InputError(f"{name}: one list: write a row as [[...]], a column as [[...], [...]]")
    if any(re.search(r"[\s,;|]", item) for item in cells[0]):
        raise InputError(f"{name}: one list, of rows with blanks or delimiters: write the rows as lines")
    return [list(item) for item in cells[0]]


def _refuse_headings(grid: Sequence[Sequence[str]], name: str) -> None:
    """Refuse numbers at the rim of cells set apart, which may count rows or columns, or say the grid's size."""
    head, below = grid[0], len(grid) - 1
    if below and len(head) in (2, 3) and sorted(head[:2]) == sorted((str(below), str(len(head)))):
        raise InputError(
            f"{name}: {' '.join(head)!r} above {count_of(below, 'row')} of {len(head)}: cells, or the size of the "
            "grid? Write cells side by side, or leave out the size"
        )
    for line, counted in ((head, "columns"), ([row[0] for row in grid], "rows")):
        for begin, start in product((0, 1), (0, 1)):  # before the numbers there may be a corner
            numbers = line[begin:]
            if len(numbers) >= LEAST_LABELS and [*numbers] == [str(start + i) for i in range(len(numbers))]:
                raise InputError(
                    f"{name}: {' '.join(line)!r} at the rim: cells, or the numbers of the {counted}? "
                    "Write cells side by side, or leave out the numbers"
                )


def rectangle(text: str, name: str, first: int = 1, blank: str | None = None) -> list[str]:
    """Give the rows of a grid of single characters, in which blanks are layout.

    Parameters
    ----------
    text : str
        The rows, perhaps with blank lines before and after them.
    name : str
        What to call the text in messages.
    first : int
        The number of its first line, for messages.
    blank : str, optional
        The mark of a cell for which nothing stands between tabs, commas or quotes; by default that is refused.

    Returns
    -------
    list of str
        All of the same length, a character for each cell.

    Raises
    ------
    InputError
        If there is no grid, a row is longer or shorter than the first, a cell is no single character or left out,
        or what stands at the rim may be cells or something else.
    """
    grid = words(text, name, first, blank)
    for r, row in enumerate(grid, start=1):
        for c, cell in enumerate(row, start=1):
            if len(cell) != 1:
                raise InputError(f"{name}: row {r}, column {c}: {cell[:20]!r} is not one character")
    lines = _grid_lines(text)
    if not looks_like_lists(text):
        if any(len(line.strip()) > len(grid[0]) for line in lines):
            _refuse_headings(grid, name)
        if _delimiter(lines) is not None:
            return ["".join(row) for row in grid]
        for r, line in enumerate(map(str.strip, lines), start=1):
            # Wider gaps may be cells for which nothing is written.
            if len(line) not in (len(grid[0]), 2 * len(grid[0]) - 1):
                raise InputError(f"{name}: row {r}: more than one blank between cells, as if one is left out")
    return ["".join(row) for row in grid]
