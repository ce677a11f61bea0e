"""The eight images of a board under the symmetries of the square."""

from collections.abc import Sequence
from typing import TypeVar

MarkT = TypeVar("MarkT")


def images(rows: Sequence[Sequence[MarkT]]) -> list[tuple[tuple[MarkT, ...], ...]]:
    """Give a board turned by 0, 1, 2 and 3 quarters, each also mirrored.

    Parameters
    ----------
    rows : sequence of sequence
        A mark for every cell. All are of one length; the images of a board that is no square have two shapes.
    """
    found = []
    turned = tuple(map(tuple, rows))
    for _ in range(4):
        found += [turned, tuple(row[::-1] for row in turned)]
        turned = tuple(zip(*turned[::-1], strict=True))
    return found
