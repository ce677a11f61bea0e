"""Text forms of a puzzle: recognising, reading and writing them, and what those of several puzzles share."""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from twinproof.models.words import count_of
from twinproof.optim import InputError

PuzzleT = TypeVar("PuzzleT")

LINE_END = re.compile("\r\n|\n|\r")
"""These line ends are fewer than those of `str.splitlines`, which also breaks at form feeds and other odd
characters."""

MAX_ADDRESS = 100_000
_ADDRESS = re.compile(r"https?://[^/?#\s]+/[^?#\s]*\?([^\s]*)", re.ASCII)


@dataclass(frozen=True)
class Format(Generic[PuzzleT]):
    """One text form of a puzzle.

    Parameters
    ----------
    title : str
        What it is, in a few words.
    recognises : callable
        Whether a text looks like it; a text may well be malformed all the same.
    read : callable
        From a text and the text's name to a puzzle; raises `InputError`, and nothing else, if it is none.
    write : callable
        From a puzzle to its text; raises `InputError` if this form cannot say all of it.
    """

    title: str
    recognises: Callable[[str], bool]
    read: Callable[[str, str], PuzzleT]
    write: Callable[[PuzzleT], str]

    def write_file(self, puzzle: PuzzleT) -> str:
        """Write a puzzle as the text of a file, whose last line has an end."""
        text = self.write(puzzle)
        return text if text.endswith("\n") else text + "\n"


@dataclass(frozen=True)
class OtherForms:
    """The forms of something else that files of a puzzle may hold, which is no instance; they can be converted.

    Parameters
    ----------
    title : str
        What these forms say, such as `mines of a field`.
    names : tuple of str
        Those of the forms.
    chosen : callable
        From a file's bytes, the form that is wanted and the one that is named, if any, to whether these forms are
        meant; raises `InputError` if the two cannot both be.
    read : callable
        From a file's bytes, its name and the form that is named, if any, to what it holds; raises `InputError`.
    write : callable
        From that and the form that is wanted to a file's bytes; raises `InputError`.
    """

    title: str
    names: tuple[str, ...]
    chosen: Callable[[bytes, str, str | None], bool]
    read: Callable[[bytes, str, str | None], Any]
    write: Callable[[Any, str], bytes]


def read_puzzle(formats: Mapping[str, Format[PuzzleT]], text: str, name: str, form: str | None = None) -> PuzzleT:
    """Read a puzzle in the form that is named, or else in the first that recognises the text.

    Parameters
    ----------
    formats : mapping
        The puzzle's forms by name, the most particular first.
    text : str
    name : str
        What to call the text in messages.
    form : str, optional

    Raises
    ------
    InputError
        If there is no such form, or the text is no puzzle.
    """
    if form is not None:
        if form not in formats:
            raise InputError(f"form {form!r}: unknown; known are {', '.join(formats)}")
        return formats[form].read(text, name)
    for candidate in formats.values():
        if candidate.recognises(text):
            return candidate.read(text, name)
    raise InputError(f"{name}: in none of the forms {', '.join(formats)}")


def split_address(text: str, kinds: Collection[str], name: str) -> list[str]:
    """Give the parts of a puzz.link address behind the kind of puzzle.

    Parameters
    ----------
    text : str
        Such as `https://puzz.link/p?lightup/7/7/...`; other hosts use the same form.
    kinds : collection of str
        What the puzzle is called there.
    name : str

    Raises
    ------
    InputError
        If it is no address, or another puzzle's.
    """
    found = _ADDRESS.fullmatch(text.strip()) if len(text) <= MAX_ADDRESS else None
    if found is None:
        raise InputError(f"{name}: no address of the form https://puzz.link/p?KIND/COLUMNS/ROWS/...")
    kind, *parts = found[1].split("/")
    if kind not in kinds:
        raise InputError(f"{name}: an address of the puzzle {kind[:40]!r}, not {' or '.join(sorted(kinds))}")
    return parts


def rectangle(text: str, name: str) -> list[str]:
    """Give the rows of a grid of characters, without blank lines before and after it.

    Parameters
    ----------
    text : str
        The lines; blanks at their ends do not count.
    name : str
        What to call the text in messages.

    Returns
    -------
    list of str
        All of the same length.

    Raises
    ------
    InputError
        If it is empty, or a row is longer or shorter than the first.
    """
    lines = [line.rstrip() for line in text.splitlines()]
    first = next((number for number, line in enumerate(lines, start=1) if line), None)
    if first is None:
        raise InputError(f"{name}: no grid in it")
    while not lines[-1]:
        lines.pop()
    rows = lines[first - 1 :]
    for number, row in enumerate(rows, start=first):
        if len(row) != len(rows[0]):
            raise InputError(
                f"{name}: line {number}: {count_of(len(row), 'character')}, the first row has {len(rows[0])}; "
                "all rows of a grid are equally long"
            )
    return rows
