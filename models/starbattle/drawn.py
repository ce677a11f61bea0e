"""Boards read off their drawings: the form `drawing`."""

import re
from collections.abc import Sequence
from dataclasses import replace
from textwrap import dedent

from twinproof.models.grid import Cell, neighbours4
from twinproof.models.starbattle.addresses import refuse_apart_from, whole
from twinproof.models.starbattle.drawing import draw
from twinproof.models.starbattle.instance import HOLE, STAR, StarBattlePuzzle, number_regions
from twinproof.models.text.drawings import BRACKETS, plain, read_drawn
from twinproof.models.words import count_of
from twinproof.optim import InputError

MARKS = "+-|*#x .[]()"

_EDGE = re.compile(r"^[ \t]*\+(?:---\+)+[ \t]*$", re.MULTILINE)
_STARS = re.compile(r"^[ \t]*(?:# )?stars:[ \t]*(\S+)[ \t]*$", re.MULTILINE | re.IGNORECASE)


def looks_drawn(text: str) -> bool:
    """Whether there is the border of a board."""
    return _EDGE.search(plain(text, "the text").replace("\r", "\n")) is not None


def read_drawing(text: str, name: str, stars: int | None = None) -> StarBattlePuzzle:
    """Read the board of a drawing, whatever stars it has.

    Parameters
    ----------
    text : str
        What a command prints: a layout or what a hint knows.
    name : str
        What to call the text in messages.
    stars : int, optional
        The number of stars in every row; by default what a line `stars: K` says, or the rows, columns and areas of
        a drawing if all have as many.

    Raises
    ------
    InputError
        If there is no drawing in it, or there are several boards; or it does not say the number of stars, or
        which cells are a region.
    """
    said = {whole(found[1], f"{name}: stars") for found in _STARS.finditer(text.replace("\r", "\n"))}
    known = said if stars is None else {*said, stars}

    def board(lines: list[str], where: str) -> StarBattlePuzzle:
        found, marked = _board(lines, where)
        groups = [*_lines_of(found.height), *found.region_cells]
        counts = {len(marked.intersection(group)) for group in groups}
        known.update(counts - {0} if len(counts) == 1 else ())
        return found

    found = read_drawn(text, name, MARKS, board)
    if len(known) > 1:
        raise InputError(f"{name}: stars {' and '.join(map(str, sorted(known)))}: which number is right?")
    if not known:
        raise InputError(
            f"{name}: the drawing does not say the number of stars; --stars or a line 'stars: K' does"
        )
    return replace(found, stars=known.pop())


def _lines_of(size: int) -> list[list[Cell]]:
    rows = [[(r, c) for c in range(size)] for r in range(size)]
    return [*rows, *map(list, zip(*rows, strict=True))]


def _board(block: Sequence[str], name: str) -> tuple[StarBattlePuzzle, set[Cell]]:
    """Give the board, as if it had one star in every row, and the cells with a star."""
    lines = dedent("\n".join(line.translate(BRACKETS).rstrip() for line in block if line)).split("\n")
    height, width = len(lines) // 2, len(lines[0]) // 4
    misfit = InputError(f"{name}: no board with '---' and '|' between regions, and round it")
    if len(lines) != 2 * height + 1 or any(len(line) != 4 * width + 1 for line in lines):
        raise misfit
    mark = {(r, c): lines[2 * r + 1][4 * c + 2] for r in range(height) for c in range(width)}
    holes = frozenset(cell for cell in mark if mark[cell] == HOLE)
    layout = ["".join(mark[r, c] if mark[r, c] == STAR else "." for c in range(width)) for r in range(height)]
    area = _areas(lines, set(mark) - holes)
    count = len(set(area.values()))
    divided = any(
        area.get(other, number) != number for cell, number in area.items() for other in neighbours4(cell)
    )
    if (not divided and count == height) or count > height:
        raise InputError(
            f"{name}: {count_of(count, 'area')} and {count_of(height, 'row')}: the drawing does not say which are "
            "regions, or one region, or none; a form with letters does"
        )
    rows = [[area.get((r, c)) if count == height else None for c in range(width)] for r in range(height)]
    found = StarBattlePuzzle(1, number_regions(rows)[0], holes, name=name)
    if draw(found, layout) != [line.replace("x", " ") for line in lines]:
        raise misfit
    return found, {cell for cell in mark if mark[cell] == STAR}


def _areas(lines: Sequence[str], cells: set[Cell]) -> dict[Cell, str]:
    """Tell for every cell in which area between borders it is."""
    area: dict[Cell, str] = {}
    for start in sorted(cells):
        todo = [] if start in area else [start]
        number = str(len(set(area.values())))
        while todo:
            r, c = todo.pop()
            area[r, c] = number
            open_sides = {
                (r - 1, c): lines[2 * r][4 * c + 2] == " ",
                (r + 1, c): lines[2 * r + 2][4 * c + 2] == " ",
                (r, c - 1): lines[2 * r + 1][4 * c] == " ",
                (r, c + 1): lines[2 * r + 1][4 * c + 4] == " ",
            }
            todo += [
                near for near, is_open in open_sides.items() if is_open and near in cells and near not in area
            ]
    return area


def write_drawing(puzzle: StarBattlePuzzle) -> str:
    """Write a line with the number of stars, and the board below it.

    Raises
    ------
    InputError
        If the drawing does not say which areas are regions, or there is a layout to be apart from.
    """
    refuse_apart_from(puzzle, "drawing")
    lines = [f"stars: {puzzle.stars}", *draw(puzzle, ["." * puzzle.width] * puzzle.height)]
    text = "\n".join(lines) + "\n"
    if read_drawing(text, puzzle.name) != puzzle:
        raise InputError(f"{puzzle.name}: drawing: a region in pieces, or cells without one, cannot be told")
    return text
