"""Light Up puzzles that are the same but for a symmetry of the square."""

from twinproof.models.generation.images import images
from twinproof.models.lightup.instance import LightUpPuzzle

__all__ = ["canonical"]


def canonical(puzzle: LightUpPuzzle) -> tuple[str, ...]:
    """Give what a puzzle and its turned and mirrored images have in common with no other: the least of them."""
    return min(images(puzzle.rows))
