"""The text form of Tents and Trees: every row with its number, and below them the numbers of the columns.

    .T. 1
    ... -
    1 0 -

`-` stands for a number that is not given. The cells of a row may be apart too.
"""

from collections.abc import Sequence

from tents.instance import TentsPuzzle
from twinproof.models.grid import MAX_CHARACTERS, MAX_TILES
from twinproof.models.text.forms import LINE_END, Format
from twinproof.optim import InputError

__all__ = ["FORMATS", "rows"]

NOT_GIVEN = "-"


def rows(instance: TentsPuzzle) -> list[str]:
    """Give the lines of the text form."""
    lines = [f"{row} {_word(number)}" for row, number in zip(instance.grid, instance.row_numbers, strict=True)]
    return [*lines, " ".join(map(_word, instance.column_numbers))]


def _word(number: int | None) -> str:
    return NOT_GIVEN if number is None else str(number)


def _read(text: str, name: str) -> TentsPuzzle:
    if len(text) > MAX_CHARACTERS:
        raise InputError(f"{name}: more than {MAX_CHARACTERS} characters")
    lines = {number: line.split() for number, line in enumerate(LINE_END.split(text), start=1) if line.strip()}
    if len(lines) < 2:
        raise InputError(f"{name}: must be rows with their numbers, and below them the numbers of the columns")
    last, columns = lines.popitem()
    for number, line in lines.items():
        if len(line) < 2:
            raise InputError(f"{name}: line {number}: must be a row, a blank and the row's number or '-'")
    return TentsPuzzle(
        tuple("".join(line[:-1]) for line in lines.values()),
        tuple(_number(line[-1], f"{name}: line {number}") for number, line in lines.items()),
        _numbers(columns, f"{name}: line {last}"),
        name,
    )


def _numbers(words: Sequence[str], place: str) -> tuple[int | None, ...]:
    return tuple(_number(word, place) for word in words)


def _number(word: str, place: str) -> int | None:
    if word == NOT_GIVEN:
        return None
    if not (word.isascii() and word.isdigit()) or len(word) > len(str(MAX_TILES)):
        raise InputError(f"{place}: {word[:20]!r}: must be a number of tents, or '-'")
    return int(word)


def _write(instance: TentsPuzzle) -> str:
    if instance.apart_from is not None:
        raise InputError(f"{instance.name}: the text form cannot say the layout to differ from")
    return "\n".join(rows(instance)) + "\n"


FORMATS = {
    "text": Format("rows with their numbers, then the numbers of the columns", lambda text: True, _read, _write)
}
"""The forms by name, the most particular first; each is asked whether it recognises a text."""
