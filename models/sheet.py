"""A board on paper, as items in its cells: a puzzle says what is there, and what draws it knows no puzzle."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from twinproof.models.grid import Cell


@dataclass(frozen=True)
class Sheet:
    """What is in the cells of a board.

    Parameters
    ----------
    height, width : int
    areas : sequence of sequence, optional
        For every cell the area that it belongs to: thick lines part the areas. By default the board is one area.
    shaded : sequence of Cell
        The cells with a grey ground.
    walls : sequence of Cell
        The cells with a grey ground and an outline.
    texts : mapping
        From cells to a digit or two.
    bold : bool
        Whether the texts are bold.
    stars, discs, dots : sequence of Cell
        Where a star, a white disc with an outline, or a smaller black one is.
    rings : sequence of Cell
        The cells with a circle round what else is in them.
    """

    height: int
    width: int
    areas: Sequence[Sequence[object]] | None = None
    shaded: Sequence[Cell] = ()
    walls: Sequence[Cell] = ()
    texts: Mapping[Cell, str] = field(default_factory=dict)
    bold: bool = False
    stars: Sequence[Cell] = ()
    discs: Sequence[Cell] = ()
    dots: Sequence[Cell] = ()
    rings: Sequence[Cell] = ()
