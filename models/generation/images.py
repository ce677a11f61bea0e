"""The eight images of a board under the symmetries of the square."""

from collections.abc import Sequence

__all__ = ["images"]


def images(rows: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Give a board turned by 0, 1, 2 and 3 quarters, each also mirrored.

    Parameters
    ----------
    rows : sequence of str
        All of one length; the images of a board that is no square have two shapes.
    """
    found = []
    turned = tuple(rows)
    for _ in range(4):
        found += [turned, tuple(row[::-1] for row in turned)]
        turned = tuple("".join(column) for column in zip(*turned[::-1], strict=True))
    return tuple(found)
