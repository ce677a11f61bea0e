"""Tents and Trees as plain text."""

from collections.abc import Sequence

from tents.instance import TentsPuzzle

__all__ = ["draw"]


def draw(instance: TentsPuzzle, layout: Sequence[str] | None = None) -> list[str]:
    """Draw the grid with its numbers.

    Parameters
    ----------
    instance : TentsPuzzle
    layout : sequence of str, optional
        The rows of the grid, with `*` where a tent stands; without it there are no tents.

    Returns
    -------
    list of str
        One line a row, its cells and its number apart by blanks; below them the numbers of the columns, their
        digits one below the other.
    """
    numbers = [
        "" if number is None else str(number) for number in (*instance.row_numbers, *instance.column_numbers)
    ]
    beside, below = numbers[: instance.height], numbers[instance.height :]
    deep = max(len(number) for number in below)
    digits = zip(*(number.rjust(deep) for number in below), strict=True)
    rows = instance.grid if layout is None else layout
    lines = [" ".join((*row, number)) for row, number in zip(rows, beside, strict=True)]
    return [line.rstrip() for line in (*lines, *map(" ".join, digits))]
