"""Where texts come from: files, standard input, or a text that is at hand."""

import os
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from twinproof.models.grid import MAX_CHARACTERS, Cell
from twinproof.models.text.addresses import is_address, title
from twinproof.models.text.json_values import json_object
from twinproof.models.text.numbers import is_whole
from twinproof.optim import InputError

MAX_BYTES = 4 * MAX_CHARACTERS

_FENCED = re.compile(r"(?:```|~~~)\w{0,99}[ \t]{0,99}(?:\r\n|\n|\r)(.*)(?:```|~~~)", re.ASCII | re.DOTALL)


@dataclass(frozen=True)
class Inline:
    """A text that is at hand, and what it is called in messages."""

    name: str
    text: str


Source: TypeAlias = str | Inline
"""Where an instance comes from: a name, a file's path, `-` for standard input, its address or its text."""


def written_out(source: Source) -> Source:
    """Give the text of an address or a game ID that stands where a file's path can stand; a file goes before.

    It is called `address` or `game ID` however it is spelled, so that what is kept of a puzzle does not depend on
    its spelling.

    Raises
    ------
    InputError
        If there is neither a file of that name nor an address or a game ID.
    """
    if isinstance(source, Inline) or source == "-" or os.path.lexists(source):
        return source
    what = title(source)
    if what is None:
        raise InputError(
            f"{_beginning(source)}: cannot be read: No such file or directory, and no address or game ID either"
        )
    return Inline(what.split(maxsplit=1)[1], source)


def _beginning(text: str) -> str:
    """Give a text as it is, or the beginning of one that is too long or odd for a message."""
    return text if len(text) <= 200 and text.isprintable() else f"{text[:60]!r}..."


def show_name(source: Source) -> str:
    """Say what a file, `-` or a text is called in messages."""
    if isinstance(source, Inline):
        return source.name
    return "standard input" if source == "-" else source


def read_bytes(path: Source) -> bytes:
    """Read a file, or standard input if the path is `-`, or give the bytes of a text that is at hand.

    Raises
    ------
    InputError
        If it cannot be read, or is longer than any instance.
    """
    if isinstance(path, Inline):
        return path.text.encode(errors="surrogatepass")
    try:
        if path == "-":
            data = sys.stdin.buffer.read(MAX_BYTES + 1)
        else:
            with Path(path).open("rb") as file:
                data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise InputError(f"{path}: cannot be read: {reason}") from error
    if len(data) > MAX_BYTES:
        raise InputError(f"{path}: too long: more than 16 million bytes")
    return data


def decode(data: bytes, name: str) -> str:
    """Take bytes for UTF-8 text.

    Parameters
    ----------
    data : bytes
        With or without a byte order mark.
    name : str
        What to call them in messages.

    Returns
    -------
    str
        The text.

    Raises
    ------
    InputError
        If they are none.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{name}: byte {error.start + 1} is no UTF-8 text") from error


def read_text(source: Source) -> str:
    """Read a text file, or standard input if the path is `-`, or give a text that is at hand.

    A byte order mark, and the lines that fence code in Markdown, are no part of the text.

    Raises
    ------
    InputError
        If it cannot be read, is no UTF-8 text, or is longer than any instance.
    """
    text = source.text if isinstance(source, Inline) else decode(read_bytes(source), source)
    return without_fence(text.removeprefix("\ufeff"))


def without_fence(text: str) -> str:
    """Give what stands between the lines that fence code in Markdown, or all of a text that has none."""
    found = _FENCED.fullmatch(text.strip())
    return text if found is None else found[1]


@dataclass(frozen=True)
class LayoutText:
    """The text of a layout, and what it was the answer to if a record says so.

    Parameters
    ----------
    name : str
        What the text is called in messages.
    text : str
        Rows, or a drawing with what stands round it.
    puzzle : str, optional
        The name of the puzzle that a record is of.
    options : mapping
        The options of the instance, as the record says them.
    """

    name: str
    text: str
    puzzle: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)


def read_layout_text(source: Source) -> LayoutText:
    """Read the text of a layout, or a record of `solve`, whose `layout` has the rows.

    Raises
    ------
    InputError
        If it cannot be read, or is an object without a layout.
    """
    if isinstance(source, str) and source != "-" and not os.path.lexists(source) and is_address(source):
        raise InputError(f"{_beginning(source)}: an address says a puzzle, and no layout; a file is needed, or -")
    text, name = read_text(source), show_name(source)
    if not text.lstrip().startswith("{"):
        return LayoutText(name, text)
    content = json_object(text, name)
    rows = content.get("layout")
    if not isinstance(rows, list) or not all(isinstance(row, str) for row in rows):
        raise InputError(f"{name}: has no layout in it, a list of rows")
    puzzle, options = content.get("puzzle"), content.get("options", {})
    if not isinstance(options, dict) or not isinstance(puzzle, str | None):
        raise InputError(f"{name}: puzzle must be a name, and options an object")
    return LayoutText(name, "\n".join(rows) + "\n", puzzle, options)


def parse_cell(text: str, what: str) -> Cell:
    """Read `ROW,COLUMN`, counted from 1, into a cell, counted from 0.

    Parameters
    ----------
    text : str
        The pair.
    what : str
        What it is, for messages.

    Returns
    -------
    Cell
        Row and column, counted from 0.

    Raises
    ------
    InputError
        If it is no such pair.
    """
    parts = text.split(",")
    if len(parts) != 2 or not all(is_whole(part, 6) for part in parts):
        raise InputError(f"{what} {text!r}: must be ROW,COLUMN, counted from 1")
    row, column = int(parts[0]), int(parts[1])
    return row - 1, column - 1
