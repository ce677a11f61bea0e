"""The words of the command that is running, and words that any terminal can show."""

import shlex
from collections.abc import Sequence

_words: list[str] = []


def remember_words(words: Sequence[str]) -> None:
    """Keep the words of the command that is running."""
    _words[:] = words


def command_line() -> str:
    """Give the command that is running, as a shell reads it: what repeats a record."""
    return shlex.join(["twinproof", *_words])


def printable(text: str) -> str:
    """Give a text in one line that no terminal takes for a command, whatever a file's name may hold."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
