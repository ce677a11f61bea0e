"""Text forms of Star Battle: text with a header, letters, the Alberi letters, addresses, JSON.

Marks, except in the form `alberi`: a character for every region, `.` for a cell without one, `#` for a hole, a
cell that is forced empty.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from twinproof.models.grid import MAX_CHARACTERS, Cell, show
from twinproof.models.starbattle.addresses import read, refuse_apart_from, whole, write
from twinproof.models.starbattle.drawn import looks_drawn, read_drawing, write_drawing
from twinproof.models.starbattle.instance import LABELS, StarBattlePuzzle, number_regions
from twinproof.models.text.addresses import is_address
from twinproof.models.text.forms import Format
from twinproof.models.text.grids import plain_lines, words
from twinproof.models.text.json_values import json_object
from twinproof.models.words import count_of
from twinproof.optim import InputError

NO_REGION, HOLE = ".", "#"
ALBERI_NO_REGION, ALBERI_HOLE = " ", "."

_HEADER = re.compile(r"(stars|size):\s*(\S+)\s*", re.ASCII | re.IGNORECASE)
_REMARK = re.compile(r"# .*", re.ASCII)
_REMARK_STARS = re.compile(
    r"# .*?(?:\bstars?\s{0,9}[:=]\s{0,9}([0-9]{1,9})\b|\b([0-9]{1,9})\s{0,9}(?:★|stars?\b(?!\s{0,9}battle)))",
    re.ASCII | re.IGNORECASE,
)
_SIZE = re.compile(r"([0-9]{1,9})x([0-9]{1,9})", re.ASCII)


def read_text(text: str, name: str) -> StarBattlePuzzle:
    """Read the lines `stars: K` and `size: ROWSxCOLUMNS`, the second optional, and a grid below them.

    Cells are single characters or, set apart, words of letters and digits.

    Parameters
    ----------
    text : str
        The lines.
    name : str
        What to call the text in messages.

    Returns
    -------
    StarBattlePuzzle
        Words stand for regions.

    Raises
    ------
    InputError
        If a line is missing, wrong or there twice, or the grid is not of the size that is said.
    """
    lines = _lines(text, name)
    header: dict[str, str] = {}
    start = 0
    while start < len(lines) and (not lines[start].strip() or _HEADER.fullmatch(lines[start])):
        if found := _HEADER.fullmatch(lines[start]):
            if (key := found[1].lower()) in header:
                raise InputError(f"{name}: line {start + 1}: a second {key!r}")
            header[key] = found[2]
        start += 1
    if "stars" not in header:
        raise InputError(f"{name}: no line 'stars: K' above the grid")
    stars = whole(header["stars"], f"{name}: stars")
    grid = words("\n".join(lines[start:]), name, start + 1)
    if "size" in header:
        size = _SIZE.fullmatch(header["size"])
        if size is None:
            raise InputError(f"{name}: size {header['size'][:40]!r} is not of the form 10x10, rows by columns")
        if (int(size[1]), int(size[2])) != (len(grid), len(grid[0])):
            raise InputError(
                f"{name}: size {header['size']}, "
                f"and the grid has {count_of(len(grid), 'row')} and {count_of(len(grid[0]), 'column')}"
            )
    return _from_marks(stars, grid, name)


def write_text(puzzle: StarBattlePuzzle) -> str:
    """Write the form that `read_text` reads: words only where there are too many regions for characters."""
    refuse_apart_from(puzzle, "text")
    spaced = len(puzzle.region_labels) > len(LABELS)
    labels = puzzle.region_labels if spaced else _letters(puzzle, "text")
    rows = [(" " if spaced else "").join(row) for row in _marks(puzzle, labels, NO_REGION, HOLE)]
    return "\n".join([f"stars: {puzzle.stars}", f"size: {puzzle.height}x{puzzle.width}", *rows]) + "\n"


def read_letters(text: str, name: str, stars: int | None = None) -> StarBattlePuzzle:
    """Read a grid of letters, a row a line; or of words of letters and digits that are set apart.

    Lines above it that begin with `# ` are remarks.

    Parameters
    ----------
    text : str
    name : str
    stars : int, optional
        The number of stars in every row; by default what a remark says, as `# stars: K` or `# K stars`, or else 1.
    """
    stars, start, lines = _after_remarks(text, name, stars)
    grid = words("\n".join(lines[start:]), name, start + 1)
    return _from_marks(stars, grid, name)


def doubt_letters(text: str, name: str) -> None:
    """Refuse a grid without a region in a text with blanks, which may be its cells.

    If there are regions, blanks that are taken for layout leave as many rows as regions, or no puzzle.

    Parameters
    ----------
    text : str
    name : str
        What to call the text in messages.

    Raises
    ------
    InputError
        If it is such a text.
    """
    rows = (row for row in plain_lines(text) if not _REMARK.fullmatch(row))
    if any(" " in row for row in rows) and not read_letters(text, name).region_cells:
        raise InputError(
            f"{name}: no region, and blanks: --format letters skips them, --format alberi takes them for cells"
        )


def write_letters(puzzle: StarBattlePuzzle) -> str:
    """Write letters, under a remark on the number of stars where it is not 1."""
    refuse_apart_from(puzzle, "letters")
    return _stars_remark(puzzle) + "".join(
        "".join(row) + "\n" for row in _marks(puzzle, _letters(puzzle, "letters"), NO_REGION, HOLE)
    )


def read_alberi(text: str, name: str, stars: int | None = None) -> StarBattlePuzzle:
    """Read letters as the Alberi solver marks them: a blank for a cell without a region, `.` for a hole.

    Blanks count, so all rows must have their full length. Remarks and `stars` are as for `read_letters`.

    Parameters
    ----------
    text : str
        The letters, a line for each row.
    name : str
        What to call the text in messages.
    stars : int, optional
        The number of stars in every row; by default what a remark says, or else 1.

    Returns
    -------
    StarBattlePuzzle
        A letter stands for a region.

    Raises
    ------
    InputError
        If rows have different lengths, or a mark is unknown.
    """
    stars, start, lines = _after_remarks(text, name, stars)
    rows = lines[start:]
    while rows and not rows[-1]:
        rows.pop()
    meaning = {ALBERI_NO_REGION: NO_REGION, ALBERI_HOLE: HOLE}
    for r, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise InputError(
                f"{name}: row {r + 1}: {count_of(len(row), 'character')}, row 1 has {len(rows[0])}; blanks count"
            )
        for c, mark in enumerate(row):
            if mark not in LABELS and mark not in meaning:
                raise InputError(f"{name}: {show((r, c))}: {mark!r} is no letter, digit, '.' or blank")
    return _from_marks(stars, [[meaning.get(mark, mark) for mark in row] for row in rows], name)


def write_alberi(puzzle: StarBattlePuzzle) -> str:
    """Write the form that `read_alberi` reads."""
    refuse_apart_from(puzzle, "alberi")
    grid = _marks(puzzle, _letters(puzzle, "alberi"), ALBERI_NO_REGION, ALBERI_HOLE)
    return _stars_remark(puzzle) + "".join("".join(row) + "\n" for row in grid)


def read_json(text: str, name: str) -> StarBattlePuzzle:
    """Read an object with `stars`, `regions` and, if it has one, `apart_from`; other keys are passed over.

    `regions` is a list of rows, each a string of marks or a list of marks; numbers may stand for regions, and null
    for a cell without one. `apart_from` is a list of strings, as layouts are drawn.

    Parameters
    ----------
    text : str
        The object.
    name : str
        What to call the text in messages.

    Returns
    -------
    StarBattlePuzzle
        Marks stand for regions.

    Raises
    ------
    InputError
        If the text is too long or no object, or a key is missing or wrong.
    """
    if len(text) > MAX_CHARACTERS:
        raise InputError(f"{name}: more than {MAX_CHARACTERS} characters")
    content = json_object(text, name)
    stars, rows = content.get("stars"), content.get("regions")
    if not isinstance(stars, int) or isinstance(stars, bool):
        raise InputError(f"{name}: 'stars' must be a whole number")
    if not isinstance(rows, list) or not all(isinstance(row, str | list) for row in rows):
        raise InputError(f"{name}: 'regions' must be a list of rows, each a string or a list")
    grid = [[_json_mark(mark, (r, c), name) for c, mark in enumerate(row)] for r, row in enumerate(rows)]
    puzzle = _from_marks(stars, grid, name)
    apart_from = content.get("apart_from")
    if apart_from is None:
        return puzzle
    if not isinstance(apart_from, list) or not all(isinstance(row, str) for row in apart_from):
        raise InputError(f"{name}: 'apart_from' must be a list of strings")
    return replace(puzzle, apart_from=tuple(apart_from))


def _json_mark(mark: object, cell: Cell, name: str) -> str:
    if mark is None:
        return NO_REGION
    if isinstance(mark, int) and not isinstance(mark, bool) and 0 <= mark < 10**9:
        return str(mark)
    if isinstance(mark, str):
        return mark
    raise InputError(f"{name}: {show(cell)}: a region must be a letter, a word or a number")


def write_json(puzzle: StarBattlePuzzle) -> str:
    """Write the object that `read_json` reads."""
    grid = _marks(puzzle, puzzle.region_labels, NO_REGION, HOLE)
    single = all(len(mark) == 1 for row in grid for mark in row)
    content: dict[str, object] = {
        "stars": puzzle.stars,
        "regions": ["".join(row) for row in grid] if single else grid,
    }
    if puzzle.apart_from is not None:
        content["apart_from"] = list(puzzle.apart_from)
    return json.dumps(content, indent=1) + "\n"


def _lines(text: str, name: str) -> list[str]:
    if len(text) > MAX_CHARACTERS:
        raise InputError(f"{name}: more than {MAX_CHARACTERS} characters")
    return plain_lines(text)


def _after_remarks(text: str, name: str, stars: int | None) -> tuple[int, int, list[str]]:
    """Give the number of stars, the number of lines above the grid, and all lines."""
    lines = _lines(text, name)
    start = 0
    stated = None
    while start < len(lines) and (not lines[start] or _REMARK.fullmatch(lines[start])):
        if found := _REMARK_STARS.match(lines[start]):
            said = int(found[1] or found[2])
            if (other := stars if stated is None else stated) not in (None, said):
                raise InputError(f"{name}: line {start + 1}: stars {said}, and {other} are asked for")
            stated = said
        start += 1
    return (stars if stars is not None else stated if stated is not None else 1), start, lines


def _stars_remark(puzzle: StarBattlePuzzle) -> str:
    return "" if puzzle.stars == 1 else f"# stars: {puzzle.stars}\n"


def _from_marks(stars: int, grid: Sequence[Sequence[str]], name: str) -> StarBattlePuzzle:
    """Build the puzzle of a grid of marks."""
    holes = set()
    marks: list[list[str | None]] = []
    for r, row in enumerate(grid):
        marks.append([])
        for c, mark in enumerate(row):
            if mark == HOLE:
                holes.add((r, c))
            elif mark != NO_REGION and not (mark.isascii() and mark.isalnum()):
                raise InputError(
                    f"{name}: {show((r, c))}: {mark[:40]!r} is no region (letters or digits), "
                    f"'{NO_REGION}' (no region) or '{HOLE}' (forced empty)"
                )
            marks[-1].append(None if mark in (NO_REGION, HOLE) else mark)
    regions, labels = number_regions(marks)
    return StarBattlePuzzle(stars, regions, frozenset(holes), labels=labels, name=name)


def _marks(puzzle: StarBattlePuzzle, labels: Sequence[str], no_region: str, hole: str) -> list[list[str]]:
    return [
        [
            hole if (r, c) in puzzle.holes else no_region if region is None else labels[region]
            for c, region in enumerate(row)
        ]
        for r, row in enumerate(puzzle.regions)
    ]


def _letters(puzzle: StarBattlePuzzle, form: str) -> Sequence[str]:
    """Give a letter or digit for every region."""
    if all(len(label) == 1 for label in puzzle.region_labels):
        return puzzle.region_labels
    if len(puzzle.region_labels) > len(LABELS):
        raise InputError(
            f"{puzzle.name}: {form}: {len(puzzle.region_labels)} regions, and {len(LABELS)} letters and digits"
        )
    return LABELS


def _looks_like_alberi(text: str) -> bool:
    """Whether blanks must be cells: a row has some before its last letter, and with them the grid is a square.

    Were they layout, the grid would be none: it would have as many rows, and fewer columns.
    """
    rows = [row for row in plain_lines(text) if row and not _REMARK.fullmatch(row)]
    return any(" " in row.rstrip() for row in rows) and all(len(row) == len(rows) for row in rows)


def forms(stars: int | None = None) -> dict[str, Format[StarBattlePuzzle]]:
    """Give the text forms by name, the most particular first.

    Parameters
    ----------
    stars : int, optional
        What the forms that do not tell the number of stars are to take for it.
    """
    letters, alberi = partial(read_letters, stars=stars), partial(read_alberi, stars=stars)
    return {
        "puzzlink": Format(
            "address, as of puzz.link", is_address, partial(read, stars=stars), write, addresses=True
        ),
        "json": Format("JSON", lambda text: text.lstrip().startswith("{"), read_json, write_json),
        "drawing": Format(
            "what commands print, with borders", looks_drawn, partial(read_drawing, stars=stars), write_drawing
        ),
        "text": Format(
            "grid below lines with stars and size",
            lambda text: text.lstrip()[:6].lower().startswith(("stars:", "size:")),
            read_text,
            write_text,
        ),
        "alberi": Format(
            "letters, '.' forced empty, blank without region", _looks_like_alberi, alberi, write_alberi
        ),
        "letters": Format(
            "letters, '#' forced empty, '.' without region",
            lambda text: bool(text.strip()),
            letters,
            write_letters,
            doubt_letters,
        ),
    }


FORMATS = forms()
