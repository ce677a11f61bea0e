"""The sprinkler puzzle: a field, a kind of sprinkler, and perhaps a symmetry that the layout must have.

Rules
-----
1. Every tile holds a sprinkler or is in the range of one.
2. The layout has the symmetry asked for.

The value of a layout is its number of sprinklers; the objective is `fewest-sprinklers`.
"""

from dataclasses import dataclass
from functools import cached_property

from twinproof.models.field.cover import Cover
from twinproof.models.field.maps import Field, parse_layout
from twinproof.models.field.symmetries import preserving, symmetry_group
from twinproof.models.grid import Cell, Permutation
from twinproof.optim import InputError, Sense
from twinproof.optim.arguments import check_types

OBJECTIVES = {"fewest-sprinklers": Sense.MINIMIZE}

SPRINKLER, CROP = "S", "."
LEGEND = {SPRINKLER: "sprinkler", CROP: "crop"}

KINDS = {"basic": 0, "quality": 1, "iridium": 2}
"""The sprinklers of the game and their radius: 0 waters the four edge neighbours, k a square of side 2k + 1."""


@dataclass(frozen=True)
class SprinklerKind:
    """A kind of sprinkler.

    Parameters
    ----------
    name : str
        A key of `KINDS`.
    nozzle : bool
        Whether it carries a pressure nozzle, which adds one to the radius.

    Raises
    ------
    InputError
        If the name is unknown.
    """

    name: str = "basic"
    nozzle: bool = False

    def __post_init__(self) -> None:
        check_types(self)
        if self.name not in KINDS:
            raise InputError(f"sprinkler kind {self.name!r}: unknown; known are {', '.join(KINDS)}")

    @cached_property
    def offsets(self) -> tuple[Cell, ...]:
        """Where a sprinkler waters, as seen from it; its own tile, which needs no water, is left out."""
        radius = KINDS[self.name] + self.nozzle
        if radius == 0:
            return (-1, 0), (0, -1), (0, 1), (1, 0)
        span = range(-radius, radius + 1)
        return tuple((dr, dc) for dr in span for dc in span if dr or dc)


BASIC = SprinklerKind()


@dataclass(frozen=True)
class SprinklerPuzzle:
    """An instance of the sprinkler puzzle.

    Parameters
    ----------
    field : Field
    kind : SprinklerKind
    symmetry : str, optional
        A key of `models.field.symmetries.SYMMETRIES`.

    Raises
    ------
    InputError
        If the field does not have the symmetry.
    """

    field: Field
    kind: SprinklerKind = BASIC
    symmetry: str | None = None

    def __post_init__(self) -> None:
        check_types(self)
        symmetry_group(self.field, self.symmetry)

    @property
    def name(self) -> str:
        """What the field is called."""
        return self.field.name

    @cached_property
    def generators(self) -> tuple[Permutation, ...]:
        """Permutations of the tiles under which the layout must not change."""
        return symmetry_group(self.field, self.symmetry)

    @cached_property
    def symmetries(self) -> tuple[Permutation, ...]:
        """Permutations of the tiles, without the identity, that map valid layouts to valid layouts."""
        return preserving(self.field.automorphisms, self.generators)

    @cached_property
    def cover(self) -> Cover:
        """The field as a problem of covering; the symmetry is left out."""
        return Cover(self.field.tiles, self.field.tiles, (((0, 0), *self.kind.offsets),), (1,))

    @cached_property
    def waterers(self) -> dict[Cell, tuple[Cell, ...]]:
        """For every tile the other tiles from which a sprinkler waters it."""
        return waterers(self.field, self.kind)


def waterers(field: Field, kind: SprinklerKind) -> dict[Cell, tuple[Cell, ...]]:
    """Map every tile of a field to the other tiles from which a sprinkler of a kind waters it.

    Parameters
    ----------
    field : Field
        The tiles.
    kind : SprinklerKind
        Its range.

    Returns
    -------
    dict of Cell to tuple of Cell
        Without the tile itself.
    """
    # A range is its own image under the half turn, so those who reach a tile are those whom it would reach.
    return {
        (r, c): tuple((r + dr, c + dc) for dr, dc in kind.offsets if (r + dr, c + dc) in field.tiles)
        for r, c in field.cells
    }


def read_layout(puzzle: SprinklerPuzzle, text: str, name: str) -> tuple[str, ...]:
    """Read a layout, drawn with S for a sprinkler and `.` for a crop, into its rows.

    Parameters
    ----------
    puzzle : SprinklerPuzzle
        The instance that it is a layout of.
    text : str
        The drawing, a line for each row.
    name : str
        What to call the text in messages.

    Returns
    -------
    tuple of str
        The rows.

    Raises
    ------
    InputError
        If it does not fit the field or has an unknown mark.
    """
    return puzzle.field.rows(parse_layout(text, puzzle.field, LEGEND, name))
