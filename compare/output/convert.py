"""The same puzzle in another form, with nothing lost."""

from collections.abc import Collection

from twinproof.compare.catalogue import entry
from twinproof.compare.instances import decode
from twinproof.models.minesweeper import formats as minesweeper
from twinproof.models.starbattle import formats as starbattle
from twinproof.models.text.forms import read_puzzle
from twinproof.optim import EngineError, InputError

__all__ = ["convert", "is_recognised"]


def convert(
    name: str, data: bytes, source: str, to: str, form: str | None = None, stars: int | None = None
) -> bytes:
    """Write a puzzle in another form.

    Parameters
    ----------
    name : str
        The puzzle's name in the catalogue.
    data : bytes
        The content of a file.
    source : str
        What the file is called in messages.
    to : str
        The form that is wanted.
    form : str, optional
        The form of the data; by default what it looks like.
    stars : int, optional
        Star Battle: how many a row, where the data does not say it.

    Raises
    ------
    InputError
        If there is no such form, the data is no puzzle, or the form cannot say all of it.
    """
    formats = entry(name).formats
    if stars is not None and name != "starbattle":
        raise InputError(f"--stars: not an option of {name}")
    if name == "minesweeper" and _is_field(data, to, form):
        return _convert_field(data, source, to, form)
    _known(to, formats)
    if name == "starbattle":
        formats = starbattle.forms(stars)
    puzzle = read_puzzle(formats, decode(data, source), source, form)
    if stars is not None and stars != puzzle.stars:
        raise InputError(f"{source}: stars {puzzle.stars}, and {stars} are asked for")
    text = _line(formats[to].write(puzzle))
    _check_nothing_lost(entry(name).formats[to].read(text, source), puzzle, to)
    return text.encode()


def is_recognised(name: str, data: bytes, form: str) -> bool:
    """Whether data in a form is read the same when the form is not named."""
    formats = entry(name).formats
    if form not in formats or (name == "minesweeper" and _is_field(data, form, None)):
        return True
    text = data.decode()
    try:
        return bool(read_puzzle(formats, text, form) == formats[form].read(text, form))
    except InputError:
        return False


def _is_field(data: bytes, to: str, form: str | None) -> bool:
    """Whether the forms that are named are a field's, or else the data looks like one."""
    if form is None and to in minesweeper.FORMATS and to not in minesweeper.FIELD_FORMATS:
        if minesweeper.looks_like_field(data):
            raise InputError(f"form {to!r}: says a board in play, and this is a field with all its mines")
        return False
    for named in (to, form):
        if named == "mbf" or (named in minesweeper.FIELD_FORMATS and named not in minesweeper.FORMATS):
            return True
        if named in minesweeper.FORMATS and named not in minesweeper.FIELD_FORMATS:
            return False
    return minesweeper.looks_like_field(data)


def _convert_field(data: bytes, source: str, to: str, form: str | None) -> bytes:
    """Convert what lies under a board of Minesweeper."""
    field = minesweeper.read_bytes(data, source, form)
    if to == "mbf":
        written = minesweeper.write_mbf(field)
    else:
        _known(to, (*minesweeper.FIELD_FORMATS, "mbf"))
        written = _line(minesweeper.FIELD_FORMATS[to].write(field)).encode()
    _check_nothing_lost(minesweeper.read_bytes(written, source, to), field, to)
    return written


def _known(to: str, formats: Collection[str]) -> None:
    if to not in formats:
        raise InputError(f"form {to!r}: unknown; known are {', '.join(formats)}")


def _line(text: str) -> str:
    return text if text.endswith("\n") else text + "\n"


def _check_nothing_lost(again: object, puzzle: object, to: str) -> None:
    if again != puzzle:
        raise EngineError(f"the form {to} does not give the same puzzle again")
