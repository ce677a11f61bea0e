"""The same puzzle in another form, with nothing lost."""

from collections.abc import Collection, Mapping
from typing import Any

from twinproof.models.puzzle import Puzzle
from twinproof.models.text.forms import read_puzzle
from twinproof.models.text.sources import Inline, decode
from twinproof.optim import EngineError, InputError, OptionError


def convert(
    puzzle: Puzzle[Any], data: bytes, source: str, to: str, options: Mapping[str, Any] | None = None
) -> bytes:
    """Write an instance of a puzzle in another form.

    Parameters
    ----------
    puzzle : Puzzle
    data : bytes
        The content of a file.
    source : str
        What the file is called in messages.
    to : str
        The form that is wanted.
    options : mapping, optional
        The puzzle's own, as far as they are given. `format` is the form of the data; by default the one that it
        looks like.

    Raises
    ------
    InputError
        If there is no such form, the data is no such puzzle, or the form cannot say all of it.
    EngineError
        If the form does not give the same puzzle again.
    """
    options = options or {}
    other, form = puzzle.other_forms, options.get("format")
    if other is not None and other.chosen(data, to, form):
        for name in options.keys() - {"format"}:
            raise OptionError(name, f": says nothing of {other.title}")
        _check_known(to, other.names)
        instance = other.read(data, source, form)
        written = other.write(instance, to)
        again = other.read(written, source, to)
    else:
        _check_known(to, puzzle.formats)
        instance = puzzle.read(Inline(source, decode(data, source)), options)
        text = puzzle.formats[to].write_file(instance)
        again = puzzle.formats[to].read(text, source)
        written = text.encode()
    if again != instance:
        raise EngineError(f"the form {to} does not give the same puzzle again")
    return written


def is_recognised(puzzle: Puzzle[Any], data: bytes, form: str) -> bool:
    """Whether data in a form is read the same when the form is not named.

    Parameters
    ----------
    puzzle : Puzzle
        The puzzle.
    data : bytes
        What was written.
    form : str
        The form that it was written in.

    Returns
    -------
    bool
        False too if it cannot be read at all.
    """
    other = puzzle.other_forms
    if other is not None and other.chosen(data, form, None):
        return True
    text = data.decode()
    try:
        return bool(read_puzzle(puzzle.formats, text, form) == puzzle.formats[form].read(text, form))
    except InputError:
        return False


def _check_known(to: str, names: Collection[str]) -> None:
    if to not in names:
        raise InputError(f"form {to!r}: unknown; known are {', '.join(names)}")
