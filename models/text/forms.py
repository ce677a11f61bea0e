"""Text forms of a puzzle: recognising, reading and writing them, and what those of several puzzles share."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from twinproof.models.text.addresses import title
from twinproof.optim import InputError

PuzzleT = TypeVar("PuzzleT")

LINE_END = re.compile("\r\n|\n|\r")
"""These line ends are fewer than those of `str.splitlines`, which also breaks at form feeds and other odd
characters."""


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
    doubt : callable, optional
        From a text that this form recognises, and the text's name: raises `InputError` if it may mean something
        else too. It is not asked where the form is named; so its message says which names decide.
    addresses : bool
        Whether it is a form of addresses or of game IDs; these are in no other form.
    """

    title: str
    recognises: Callable[[str], bool]
    read: Callable[[str, str], PuzzleT]
    write: Callable[[PuzzleT], str]
    doubt: Callable[[str, str], None] | None = None
    addresses: bool = False

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
        If there is no such form, or the text is no puzzle, or may be two unless its form is named.
    """
    if form is not None:
        if form not in formats:
            raise InputError(f"form {form!r}: unknown; known are {', '.join(formats)}")
        return formats[form].read(text, name)
    what = title(text)
    for candidate in formats.values():
        if (what is None or candidate.addresses) and candidate.recognises(text):
            if candidate.doubt is not None:
                candidate.doubt(text, name)
            return candidate.read(text, name)
    if what is not None:
        raise InputError(f"{name}: {what} cannot say this puzzle; its forms are {', '.join(formats)}")
    raise InputError(f"{name}: in none of the forms {', '.join(formats)}")
