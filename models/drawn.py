"""Boards as text that a person sees, and the way back: a text that is drawn here can be read here."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from twinproof.models.deduction.hints import EMPTY, MARKED, Step, draw_known, read_position
from twinproof.models.deduction.position import Known
from twinproof.models.grid import Cell
from twinproof.models.text.drawings import BRACKETS, Block, agreed, blocks_of, distinct, lines_of, plain
from twinproof.models.text.sources import LayoutText
from twinproof.optim import InputError

if TYPE_CHECKING:  # which imports this module
    from twinproof.models.puzzle import Layout, Puzzle

ReadT = TypeVar("ReadT")


def blank(puzzle: "Puzzle[Any]", instance: Any) -> "Layout":
    """Give the rows of a board of which nothing is known.

    Parameters
    ----------
    puzzle : Puzzle
    instance : Any
        Its instance.

    Returns
    -------
    tuple of str
        The rows.
    """
    own = None if puzzle.words is None else puzzle.words.board
    return puzzle.draw(instance, {}) if own is None else own(instance)


def draw_layout(puzzle: "Puzzle[Any]", instance: Any, layout: Sequence[str]) -> list[str]:
    """Draw a layout as its puzzle does; the rows themselves, with blanks between cells, where it does not.

    Parameters
    ----------
    puzzle : Puzzle
    instance : Any
        Its instance.
    layout : sequence of str
        The rows.

    Returns
    -------
    list of str
        In which every cell is at its place.
    """
    look = puzzle.look
    return list(look.lines(instance, layout)) if look.lines else [" ".join(row) for row in layout]


def draw_position(puzzle: "Puzzle[Any]", instance: Any, known: Known, step: Step | None = None) -> list[str]:
    """Draw a position: `*` what holds a star, bulb or mine, `x` what is known to have none.

    Parameters
    ----------
    puzzle : Puzzle
    instance : Any
        Its instance.
    known : mapping
        Whether a cell holds one, for every cell of which that is known.
    step : Step, optional
        Its cells are marked: `[ ]` what it finds, `( )` on what it rests.

    Returns
    -------
    list of str
        The board as the puzzle draws it. A drawing without room for the marks beside a cell is spread, so that
        every cell has three characters.
    """
    rows = draw_known(blank(puzzle, instance), {cell: True for cell, holds in known.items() if holds})
    lines = draw_layout(puzzle, instance, rows)
    place = _place_in_position(puzzle)
    if place is not puzzle.look.place:
        columns = [puzzle.look.place((0, c))[1] for c in range(len(rows[0]))]
        lines = ["".join(f" {line[at : at + 1] or ' '} " for at in columns) for line in lines]
    drawn = [list(line) for line in lines]
    for cell, holds in known.items():
        if not holds:
            line, at = place(cell)
            drawn[line][at] = EMPTY
    if step is not None:
        for cells, (left, right) in ((step.seen, "()"), ((*step.marked, *step.empty), "[]")):
            for cell in cells:
                line, at = place(cell)
                drawn[line][at - 1], drawn[line][at + 1] = left, right
    return ["".join(line).rstrip() for line in drawn]


def _place_in_position(puzzle: "Puzzle[Any]") -> Callable[[Cell], Cell]:
    """Say where a position has its cells: as the puzzle has, if there is room beside them."""
    own = puzzle.look.place
    if own((0, 1))[1] - own((0, 0))[1] >= 4:
        return own
    return lambda cell: (own(cell)[0], 3 * cell[1] + 1)


@dataclass(frozen=True)
class _Way:
    """A way to draw a board.

    Parameters
    ----------
    draw : callable
        From rows, a character for every cell, to the drawing.
    place : callable
        The line of the drawing and the position in it where a cell is.
    base : tuple of str
        The rows of a board without a mark.
    marks : str, optional
        Those that are read off a drawing; what else it has in a cell only shows what follows from them. None if a
        drawing is the rows themselves.
    bracketed : bool
        Whether brackets may stand beside a cell.
    """

    draw: Callable[[Sequence[str]], Sequence[str]]
    place: Callable[[Cell], Cell]
    base: "Layout"
    marks: str | None = None
    bracketed: bool = False

    def lines(self, rows: Sequence[str]) -> list[str]:
        """Draw rows, without blanks at the ends of lines."""
        return [line.rstrip() for line in self.draw(rows)]

    def rows(self, lines: Sequence[str]) -> list[str]:
        """Read the rows off a drawing."""
        width = max(map(len, self.base))
        read = []
        for r, row in enumerate(self.base):
            marks = [_at(lines, self.place((r, c))) for c in range(width)]
            if self.marks is not None:
                marks = [found if found in self.marks else row[c : c + 1] for c, found in enumerate(marks)]
            read.append("".join(marks).rstrip())
        return read


def _at(lines: Sequence[str], place: Cell) -> str:
    line, at = place
    return lines[line][at : at + 1] or " "


def _ways(puzzle: "Puzzle[Any]", instance: Any) -> list[_Way]:
    look, layout, position = puzzle.look, puzzle.draw(instance, {}), blank(puzzle, instance)
    ways = [
        _Way(list, lambda cell: cell, layout),
        _Way(
            lambda rows: draw_layout(puzzle, instance, rows),
            look.place,
            layout,
            None if look.lines is None else look.strong,
        ),
    ]
    if puzzle.words is not None:

        def draw(rows: Sequence[str]) -> list[str]:
            marked = {
                (r, c): mark == MARKED for r, row in enumerate(rows) for c, mark in enumerate(row) if mark in marks
            }
            return draw_position(puzzle, instance, marked)

        marks = MARKED + EMPTY
        ways.append(_Way(draw, _place_in_position(puzzle), position, marks, bracketed=True))
    return ways


def read_layout(puzzle: "Puzzle[Any]", instance: Any, given: LayoutText) -> "Layout":
    """Read a layout: its rows, or a text with its drawing; of a position only what it marks.

    Parameters
    ----------
    puzzle : Puzzle
    instance : Any
        Its instance.
    given : LayoutText
        Rows, or what a command prints on a terminal: a drawing, and sentences above and below it.

    Raises
    ------
    InputError
        If it does not fit the board, or holds several drawings that differ.
    """
    unmarked = puzzle.draw(instance, {})

    def read(text: str, name: str) -> "Layout":
        return puzzle.read_layout(instance, text, name)

    def without(rows: Sequence[str]) -> str:
        """Take a cell that is known to have nothing for one that has nothing."""
        if puzzle.words is None:
            return "\n".join(rows)
        known = {(r, c) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark == EMPTY}
        return "\n".join(
            "".join(unmarked[r][c : c + 1] or mark if (r, c) in known else mark for c, mark in enumerate(row))
            for r, row in enumerate(rows)
        )

    return _read(puzzle, instance, given, read, without)


def read_known(puzzle: "Puzzle[Any]", instance: Any, given: LayoutText) -> dict[Cell, bool]:
    """Read what is known of a puzzle that is solved cell by cell; see `read_layout` and `read_position`.

    Parameters
    ----------
    puzzle : Puzzle
        It has words for hints.
    instance : Any
        Its instance.
    given : LayoutText
        Rows, or a text with their drawing.

    Returns
    -------
    dict
        For every cell of which something is known, whether it holds a star, bulb or mine.

    Raises
    ------
    InputError
        If it does not fit the board, or holds several drawings that differ.
    """
    assert puzzle.words is not None
    board, playable = blank(puzzle, instance), puzzle.words.playable

    def read(text: str, name: str) -> dict[Cell, bool]:
        return read_position(board, playable, text, name)

    return _read(puzzle, instance, given, read, "\n".join)


def _read(
    puzzle: "Puzzle[Any]",
    instance: Any,
    given: LayoutText,
    read: Callable[[str, str], ReadT],
    joined: Callable[[Sequence[str]], str],
) -> ReadT:
    """Read rows, or else the drawing that is in a text."""
    text = plain(given.text, given.name)
    try:
        return read(text, given.name)
    except InputError as error:
        as_rows = error
    ways = _ways(puzzle, instance)
    lines = lines_of(text, given.name)
    blocks = blocks_of(lines, _alphabet(puzzle, ways))
    in_blocks = [line for block in blocks for line in block.lines if line]
    only_rows = len(in_blocks) == sum(map(bool, lines)) and (
        puzzle.look.lines is None or not any(" " in line.strip() for line in in_blocks)
    )
    if not blocks:
        raise as_rows if only_rows else InputError(f"{given.name}: it holds no layout of this board")
    found: list[tuple[Block, ReadT]] = []
    for block in distinct(blocks):
        values, wrong = _values(ways, block, read, joined, given.name)
        if not values:
            raise as_rows if only_rows else wrong or InputError(_misfit(ways, block, given.name))
        found += [(block, value) for value in values]
    return agreed(found, given.name)


def _values(
    ways: Sequence[_Way],
    block: Block,
    read: Callable[[str, str], ReadT],
    joined: Callable[[Sequence[str]], str],
    name: str,
) -> tuple[list[ReadT], InputError | None]:
    """Give all that a block can be read as, and what is wrong with its rows if a way to draw it has any."""
    values, wrong = [], None
    for way in ways:
        compared = _compare(way, block)
        if compared is not None and compared[1] == compared[2]:
            try:
                values.append(read(joined(compared[0]), f"{name}, {block}"))
            except InputError as error:
                wrong = error
    return values, wrong


def _alphabet(puzzle: "Puzzle[Any]", ways: Sequence[_Way]) -> set[str]:
    """Give all that a drawing of a board may have in it."""
    look = puzzle.look
    drawn = {character for way in ways for line in way.lines(way.base) for character in line}
    return {*drawn, *look.colours, *look.counted, *look.strong, *MARKED, *EMPTY, *" .|-+[]()"}


def _compare(way: _Way, block: Block) -> tuple[list[str], list[str], list[str]] | None:
    """Read the rows off a block; give them, its lines and the rows' own. None if it has too many lines or few."""
    expected = way.lines(way.base)
    above = next((i for i, line in enumerate(expected) if line), 0)
    lines = [""] * above + list(block.lines)
    lines += [""] * (len(expected) - len(lines))
    if len(lines) != len(expected):
        return None
    if way.bracketed:
        lines = [line.translate(BRACKETS).rstrip() for line in lines]
    rows = way.rows(lines)
    return rows, lines, way.lines(rows)


def _misfit(ways: Sequence[_Way], block: Block, name: str) -> str:
    """Say where a block is no drawing of the board, compared with the drawing that is most like it."""
    compared = []
    for way in ways:
        if (read := _compare(way, block)) is not None:
            pairs = list(zip(*read[1:], strict=True))
            wrong = [i for i, (line, expected) in enumerate(pairs) if line != expected] or [0]
            above = next((i for i, line in enumerate(read[1]) if line), 0)
            compared.append((len(wrong), block.first + wrong[0] - above, pairs[wrong[0]]))
    if not compared:
        wanted = " or ".join(map(str, sorted({len(way.lines(way.base)) for way in ways})))
        return f"{name}: {block}: no drawing of the board, whose number of lines is {wanted}"
    _, number, (line, expected) = min(compared)
    return f"{name}: line {number}: {line[:80]!r}; a drawing of the board has {expected[:80]!r} there"
