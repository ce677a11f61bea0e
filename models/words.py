"""Words of messages: numbers of things, places."""

from collections.abc import Iterable, Sequence
from itertools import groupby

from twinproof.models.grid import Cell, show


def count_of(count: int, noun: str, none: str = "0") -> str:
    """Say how many: `1 star`, `2 stars`.

    Parameters
    ----------
    count : int
        How many there are.
    noun : str
        What they are, in the singular; the plural has an s.
    none : str
        What is said for 0, such as `no`: `no star`.

    Returns
    -------
    str
        Number and noun.
    """
    if count == 0 and none != "0":
        return f"{none} {noun}"
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def places(cells: Iterable[Cell]) -> str:
    """Name cells, row by row: `row 2, columns 3 and 4; row 5, column 1`."""
    rows = groupby(sorted(cells), key=lambda cell: cell[0])
    return "; ".join(_in_row(row, [c + 1 for _, c in cells_there]) for row, cells_there in rows)


def _in_row(row: int, columns: Sequence[int]) -> str:
    if len(columns) == 1:
        return show((row, columns[0] - 1))
    return f"row {row + 1}, columns {', '.join(map(str, columns[:-1]))} and {columns[-1]}"
