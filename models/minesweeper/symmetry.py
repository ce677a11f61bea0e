"""Fields of mines that are the same but for a symmetry of the square."""

from twinproof.models.generation.images import images
from twinproof.models.minesweeper.instance import MineField

__all__ = ["canonical"]

START = "s"


def canonical(field: MineField) -> tuple[str, ...]:
    """Give what a field and its turned and mirrored images have in common with no other: the least of them.

    Where to start belongs to the field.
    """
    rows = list(field.rows)
    if field.start is not None:
        r, c = field.start
        rows[r] = rows[r][:c] + START + rows[r][c + 1 :]
    return min(images(rows))
