"""Drawings in a text: what a terminal puts round a board is taken off, and what is left is read.

Commands print boards among sentences. A sentence is cut away, and every block of other lines is a drawing.
"""

import re
import unicodedata
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from textwrap import dedent
from typing import TypeVar

from twinproof.models.grid import MAX_CHARACTERS
from twinproof.models.text.forms import LINE_END
from twinproof.models.text.grids import DELIMITERS
from twinproof.optim import InputError

ReadT = TypeVar("ReadT")

CUT = "cut: {} of {} columns are shown; a wider terminal, a pipe or a file shows all"
"""What is said below a drawing that is wider than the terminal."""

_CUT = re.compile("cut: [0-9]+ of [0-9]+ columns")
_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\^_])")
"""The commands that a terminal takes, such as colours (ECMA-48)."""

_WORD = re.compile(r"[^\W\d_]{2}")
_PROSE = re.compile("[a-z]{4}|[a-z]{3}: ")
"""Rows of marks that no puzzle here has may have words too, but hardly such ones."""

BRACKETS = str.maketrans("[]()", "    ")
"""Takes away the marks that hints have beside cells."""


@dataclass(frozen=True)
class Block:
    """Lines of a text that are no sentences: a drawing, if anything."""

    first: int
    lines: tuple[str, ...]

    def __str__(self) -> str:
        last = self.first + len(self.lines) - 1
        return f"line {self.first}" if last == self.first else f"lines {self.first} to {last}"


def plain(text: str, name: str) -> str:
    """Take away what only a terminal shows: colours, and lines of boxes that are not of plain characters.

    Parameters
    ----------
    text : str
    name : str
        What to call the text in messages.

    Raises
    ------
    InputError
        If it is longer than any board.
    """
    if len(text) > MAX_CHARACTERS:
        raise InputError(f"{name}: more than {MAX_CHARACTERS} characters")
    text = _ESCAPES.sub("", text).replace("\xa0", " ")
    return "".join(_box(c) if "\u2500" <= c <= "\u257f" else c for c in text)


def _box(character: str) -> str:
    words = unicodedata.name(character).split()
    sides = {"HORIZONTAL": "-", "VERTICAL": "|"}
    found = [sides[word] for word in words if word in sides]
    return found[0] if len(found) == 1 and "AND" not in words else "+"


def lines_of(text: str, name: str) -> list[str]:
    """Give the lines of a plain text, without blanks at their ends.

    Parameters
    ----------
    text : str
        As `plain` gives it.
    name : str
        What to call the text in messages.

    Raises
    ------
    InputError
        If it says that the drawing in it is cut.
    """
    lines = [line.rstrip() for line in LINE_END.split(text)]
    if any(_CUT.match(line) for line in lines):
        raise InputError(f"{name}: the drawing in it is cut, and does not show all columns")
    return lines


def blocks_of(lines: Sequence[str], alphabet: Collection[str]) -> list[Block]:
    """Cut a text at its sentences: lines with a word, and a character that no drawing has.

    Parameters
    ----------
    lines : sequence of str
        Those of the text.
    alphabet : collection of str
        All characters that a drawing may have.

    Returns
    -------
    list of Block
        What stands between sentences, without blank lines above and below it.
    """
    known, blocks = set(alphabet), list[Block]()
    start: int | None = None
    for number, line in enumerate([*lines, "end of the text"]):
        is_sentence = _WORD.search(line) is not None and not known.issuperset(line)
        if not is_sentence:
            start = number if start is None else start
        elif start is not None:
            inside = [at for at in range(start, number) if lines[at]]
            if inside:
                blocks.append(Block(inside[0] + 1, tuple(lines[inside[0] : inside[-1] + 1])))
            start = None
    return blocks


def distinct(blocks: Sequence[Block]) -> list[Block]:
    """Leave out blocks that stand there twice."""
    return sorted({block.lines: block for block in reversed(blocks)}.values(), key=lambda block: block.first)


def agreed(found: Sequence[tuple[Block, ReadT]], name: str) -> ReadT:
    """Give what all blocks are read as.

    Parameters
    ----------
    found : sequence of pairs
        Blocks, each with what it is read as.
    name : str
        What to call the text in messages.

    Raises
    ------
    InputError
        If they differ.
    """
    first, chosen = found[0]
    for block, value in found:
        if value != chosen:
            places = " and ".join(str(one) for one in dict.fromkeys((first, block)))
            raise InputError(f"{name}: {places} can be read as boards that differ; leave only one")
    return chosen


def read_drawn(text: str, name: str, alphabet: str, read: Callable[[list[str], str], ReadT]) -> ReadT:
    """Read an instance off the drawings in a text.

    Parameters
    ----------
    text : str
        What a command prints: a drawing, and sentences above and below it.
    name : str
        What to call the text in messages.
    alphabet : str
        All that a line of a board may have, and the marks that are taken for a cell elsewhere: a line of them is
        no sentence.
    read : callable
        From the lines of a drawing, and its name, to what it says of the instance, without what solves it; raises
        `InputError` if it is none, or may be of several instances.

    Returns
    -------
    what `read` gives
        The same for every drawing.

    Raises
    ------
    InputError
        If there is no drawing, or there are some that differ, or a line is neither a row nor a sentence.
    """
    lines = lines_of(plain(text, name), name)
    blocks = blocks_of(lines, alphabet + DELIMITERS)
    inside = {number for block in blocks for number in range(block.first, block.first + len(block.lines))}
    for number, line in enumerate(lines, start=1):
        if line and number not in inside and not _PROSE.search(line):
            raise InputError(f"{name}: line {number}: {line[:40]!r} is neither a row of a board nor a sentence")
    if not blocks:
        raise InputError(f"{name}: no drawing of a board in it")
    return agreed([(block, read(list(block.lines), f"{name}, {block}")) for block in distinct(blocks)], name)


def spread_cells(lines: Sequence[str], name: str) -> list[str]:
    """Give the rows of a drawing with a mark in every cell: side by side, apart, or with room for brackets.

    Parameters
    ----------
    lines : sequence of str
        Perhaps with brackets beside cells, blank lines between rows, and blanks before all of them.
    name : str
        What to call it in messages.

    Raises
    ------
    InputError
        If cells do not stand in every column, second or third one, or rows are not equally long.
    """
    rows = dedent("\n".join(line.translate(BRACKETS).rstrip() for line in lines if line)).split("\n")
    for step in (1, 2, 3):
        cells = [row[::step] for row in rows]
        apart = any(" " in row for row in cells) or any(
            row[at::step].strip() for row in rows for at in range(1, step)
        )
        if not apart and len({len(row) for row in cells}) == 1:
            return cells
    raise InputError(f"{name}: its rows are not equally long, or its cells not equally far apart")


def has_sentence(text: str, alphabet: str) -> bool:
    """Whether a line of a text is a sentence, as commands print them round a drawing.

    Parameters
    ----------
    text : str
    alphabet : str
        As for `read_drawn`.
    """
    known = {*alphabet, *DELIMITERS}
    return any(_PROSE.search(line) and not known.issuperset(line) for line in LINE_END.split(text))
