"""Boards as rows of marks: with our marks, the form `text`, and with those of other programs, the form `covered`.

========= ================================== =====================================================================
mark      `text`                             `covered`
========= ================================== =====================================================================
0 to 8    clue                               the same
`F` `!`   `F` flag                           flag
`?` `#`   `?` open without a number, `#` no  hidden, as is `x`
          part of the board
`-` `_`   none                               hidden where nothing above is, else 0
`.`       hidden                             hidden where nothing above is, else 0
`/` blank none                               0: open, no mine round it
========= ================================== =====================================================================

In both, lines above or below the rows may say the number of all mines, flags included, and whether flags are
trusted.
"""

import re

from twinproof.models.grid import Cell, neighbours8, show
from twinproof.models.minesweeper.addresses import whole
from twinproof.models.minesweeper.instance import CLUES, FLAG, HIDDEN, MINE, OPEN, OUTSIDE, MinesweeperPuzzle
from twinproof.models.text.drawings import read_drawn, spread_cells
from twinproof.models.text.forms import LINE_END
from twinproof.models.text.grids import Gaps, closed_up, gaps, rectangle
from twinproof.optim import InputError

_HEAD = re.compile(r"[:=]|mine|bomb|flag", re.IGNORECASE)
_TOTAL = re.compile(r"(?:mines|bombs|n)\b\s*[:=]?\s*(.*)|(\S+)\s+(?:mines|bombs)", re.IGNORECASE)
_FLAGS = re.compile(r"flags\s*:\s*(not )?trusted", re.IGNORECASE)

COVERED = ("?#x", "-_", HIDDEN)
"""Marks for what is hidden in other programs: if one of the first is there, the others mean 0."""

FLAGS, ZEROS = FLAG + "!", "/ "


def _split_heads(text: str, name: str) -> tuple[str, int, int | None, bool]:
    """Give the rows, the number of their first line, the number of mines, and whether flags are trusted."""
    lines = LINE_END.split(text)
    first, end = 0, len(lines)
    while first < end and (not lines[first].strip() or _is_head(lines[first])):
        first += 1
    while end > first and (not lines[end - 1].strip() or _is_head(lines[end - 1])):
        end -= 1
    mines: int | None = None
    trust: bool | None = None
    for number, line in [*enumerate(lines[:first], start=1), *enumerate(lines[end:], start=end + 1)]:
        said, place = line.strip(), f"line {number}"
        if found := _FLAGS.fullmatch(said):
            if trust is not None:
                raise InputError(f"{name}: {place}: flags are spoken of twice")
            trust = found[1] is None
        elif found := _TOTAL.fullmatch(said):
            if mines is not None:
                raise InputError(f"{name}: {place}: {said[:40]!r}: the number of mines is said twice")
            mines = whole(found[1] if found[1] is not None else found[2], name, f"{place}: mines")
        elif said:
            raise InputError(
                f"{name}: {place}: {said[:40]!r}: beside the rows there may be `mines: NUMBER` and "
                "`flags: trusted` or `flags: not trusted`"
            )
    # Blank lines at the rim are left to the rows: to some forms they are cells.
    while first > 0 and not _is_head(lines[first - 1]):
        first -= 1
    while end < len(lines) and not _is_head(lines[end]):
        end += 1
    return "\n".join(lines[first:end]), first + 1, mines, trust is not False


def _is_head(line: str) -> bool:
    return _HEAD.search(line) is not None and "[" not in line and "]" not in line


def _head(puzzle: MinesweeperPuzzle, form: str) -> list[str]:
    """Write what stands above the rows."""
    if puzzle.apart_from is not None:
        raise InputError(f"{puzzle.name}: the form {form} cannot say which layout to be apart from")
    head = [] if puzzle.mines is None else [f"mines: {puzzle.mines}"]
    return head if puzzle.trust_flags else [*head, "flags: not trusted"]


def read_text(text: str, name: str) -> MinesweeperPuzzle:
    """Read the marks that an instance has.

    Parameters
    ----------
    text : str
    name : str
        What to call the text in messages.

    Raises
    ------
    InputError
        If the text is no such board.
    """
    body, first, mines, trust = _split_heads(text, name)
    return MinesweeperPuzzle(tuple(rectangle(body, name, first)), mines, trust, name=name)


def write_text(puzzle: MinesweeperPuzzle) -> str:
    """Write the marks that an instance has.

    Raises
    ------
    InputError
        If there is a layout to be apart from.
    """
    return "\n".join([*_head(puzzle, "text"), *puzzle.board]) + "\n"


def doubt_text(text: str, name: str) -> None:
    """Refuse a board in which `?` or `#` may well mean hidden, as it does in most programs.

    Parameters
    ----------
    text : str
    name : str
        What to call the text in messages.

    Raises
    ------
    InputError
        If our marks leave nothing hidden, or what is hidden by them could as well be open with no mine round it,
        as it is beside nothing but clues.
    """
    try:
        puzzle = read_text(text, name)
    except InputError as error:
        if MINE in text:
            raise InputError(
                f"{name}: '{MINE}' is a mine, as solved boards and hints have it: they do not say where "
                f"a flag was, nor whether the number of mines is known; give the board itself, or read it with "
                f"--format solved, which takes '{MINE}' for hidden, and no number of mines"
            ) from error
        if not any(mark in text for mark in "?#x-_/"):
            raise
        raise InputError(f"{error}; --format covered reads what most programs write") from error
    marks = {(r, c): mark for r, row in enumerate(puzzle.board) for c, mark in enumerate(row)}
    odd = sorted(set(marks.values()) & {OPEN, OUTSIDE})
    hidden = [cell for cell, mark in marks.items() if mark == HIDDEN]
    if odd and not any(
        marks.get(other, "0") not in CLUES + HIDDEN for cell in hidden for other in neighbours8(cell)
    ):
        what = " and ".join(
            f"{mark!r} ({'open' if mark == OPEN else 'no part of the board'} here)" for mark in odd
        )
        there = f"no {HIDDEN!r} (hidden) is beside one" if hidden else f"there is no {HIDDEN!r} (hidden)"
        raise InputError(
            f"{name}: {what}, and {there}: --format covered takes them for hidden, "
            "--format text for what they are here"
        )


def read_covered(text: str, name: str) -> MinesweeperPuzzle:
    """Read the marks of other programs.

    Parameters
    ----------
    text : str
    name : str
        What to call the text in messages.

    Raises
    ------
    InputError
        If a mark is unknown, or it is not certain what is hidden.
    """
    body, first, mines, trust = _split_heads(text, name)
    covered = _covered(body, name)
    zeros = "0" + ZEROS.strip() + "".join(marks for marks in COVERED if covered not in marks)
    found = gaps(body, zeros)
    if found is Gaps.LAYOUT:
        blank = None if any(mark in body for mark in zeros) else "0"
        boards = [_uncover(rectangle(body, name, first, blank), covered, name)]
    else:
        boards = _possible(body, covered, name)
        if len(boards) > 1:
            raise InputError(
                f"{name}: blanks in every row that may be open cells, or only set the cells apart; "
                "write 0 for the cells"
            )
    return MinesweeperPuzzle(boards[0], mines, trust, name=name)


def _possible(body: str, covered: str, name: str) -> list[tuple[str, ...]]:
    """Give the boards that a text with blanks for 0 may be: with cells apart or not, and a blank rim or none."""
    lines = [line for line in LINE_END.split(body) if line]
    drawings = [_padded(lines)]
    if gaps(body) is Gaps.EITHER:
        if not any(line[1::2].strip() for line in lines):
            drawings.append([line[::2] for line in drawings[0]])
        drawings.append(_padded(closed_up(body, name)))
    boards: list[tuple[str, ...]] = []
    wrong = InputError(f"{name}: no grid in it")
    for rows in drawings:
        try:
            board = _uncover(rows, covered, name)
        except InputError as error:
            wrong = error
        else:
            boards += [board] * (board not in boards)
    if not boards:
        raise wrong
    return boards


def _padded(rows: list[str]) -> list[str]:
    width = max(map(len, rows), default=0)
    return [row.ljust(width) for row in rows]


def _covered(body: str, name: str) -> str:
    """Give the mark for what is hidden."""
    for marks in COVERED:
        found = [mark for mark in marks if mark in body]
        if len(found) > 1:
            raise InputError(f"{name}: {' and '.join(map(repr, found))}: which one is hidden? Write one mark")
        if found:
            return found[0]
    raise InputError(f"{name}: nothing is hidden: none of {', '.join(map(repr, ''.join(COVERED)))} is there")


def _uncover(rows: list[str], covered: str, name: str) -> tuple[str, ...]:
    """Put our marks for those of other programs."""
    marks: dict[Cell, str] = {(r, c): mark for r, row in enumerate(rows) for c, mark in enumerate(row)}
    every = "".join(COVERED)
    zeros = (ZEROS + every).replace(covered, "")
    for cell, mark in marks.items():
        if mark not in CLUES + FLAGS + ZEROS + every:
            known = ", ".join(repr(mark) for mark in every)
            raise InputError(
                f"{name}: {show(cell)}: {mark!r} is none of {known} (hidden), 0 to 8, 'F' or '!' (flag), "
                "'/' and blank (open, no mine round it)"
            )
        if mark in zeros and any(marks.get(other, "0") in covered + FLAGS for other in neighbours8(cell)):
            raise InputError(
                f"{name}: {show(cell)}: {mark!r} beside a hidden cell: is it hidden too? Write one mark for all "
                "that is hidden, and 0 where no mine is round an open cell"
            )
    ours = {covered: HIDDEN, **dict.fromkeys(FLAGS, FLAG), **dict.fromkeys(zeros, "0")}
    return tuple("".join(ours.get(mark, mark) for mark in row) for row in rows)


def write_covered(puzzle: MinesweeperPuzzle) -> str:
    """Write `?` for what is hidden.

    Raises
    ------
    InputError
        If a cell is open without a number, or no part of the board, or none is hidden, or there is a layout to be
        apart from.
    """
    head = _head(puzzle, "covered")
    if not any(HIDDEN in row for row in puzzle.board):
        raise InputError(f"{puzzle.name}: the form covered cannot say that no cell is hidden")
    for r, row in enumerate(puzzle.board):
        for c, mark in enumerate(row):
            if mark in OPEN + OUTSIDE:
                raise InputError(f"{puzzle.name}: {show((r, c))}: the form covered cannot say {mark!r}")
    return "\n".join([*head, *(row.replace(HIDDEN, "?") for row in puzzle.board)]) + "\n"


_TO_HIDDEN = str.maketrans({MINE: HIDDEN, "x": HIDDEN})


def read_solved(text: str, name: str) -> MinesweeperPuzzle:
    """Read what commands print of a solved board or a position; what is known of cells is hidden again.

    Parameters
    ----------
    text : str
        Drawings that are of one board, and sentences round them.
    name : str
        What to call the text in messages.

    Returns
    -------
    MinesweeperPuzzle
        Without a number of mines: the text does not say whether it is known.

    Raises
    ------
    InputError
        If there is no such drawing, or there are some of different boards.
    """

    def board(lines: list[str], where: str) -> tuple[str, ...]:
        return tuple(row.translate(_TO_HIDDEN) for row in spread_cells(lines, where))

    marks = CLUES + FLAG + HIDDEN + OPEN + OUTSIDE + MINE + "x []()"
    return MinesweeperPuzzle(read_drawn(text, name, marks, board), name=name)


def write_solved(puzzle: MinesweeperPuzzle) -> str:
    """Write rows apart, as boards are drawn.

    Raises
    ------
    InputError
        If there is anything to say but the rows.
    """
    if _head(puzzle, "solved"):
        raise InputError(f"{puzzle.name}: the form solved cannot say the number of mines, or what flags are worth")
    return "\n".join(" ".join(row) for row in puzzle.board) + "\n"
