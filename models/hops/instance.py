"""The hops puzzle: sprinklers, hops that block the way, and the crops between them that can be walked on.

Rules
-----
1. Every tile holds a sprinkler or is in the range of one. (With `dry_paths` only hops need water.)
2. Every hop is served: one of its harvest neighbours is a walkable tile that is reached, or the outside.
3. A walkable tile is a tile without sprinkler and hop. It is reached if walking over edges from walkable tile to
   walkable tile leads to it from the outside; or, where there are entrances, from a walkable entrance.
4. Where there are entrances, the outside is a wall: it serves no hop.
5. The number of hops is the one asked for, if one is.
6. The layout has the symmetry asked for, if one is.

The objectives are `most-hops`, and `fewest-sprinklers` at a given number of hops.
"""

from dataclasses import dataclass, replace
from functools import cached_property

from twinproof.models.field.maps import Field, parse_layout
from twinproof.models.field.symmetries import preserving, symmetry_group
from twinproof.models.grid import Cell, Permutation, neighbours4, neighbours8, show
from twinproof.models.sprinklers.instance import BASIC, SPRINKLER, SprinklerKind, waterers
from twinproof.optim import InputError, Sense
from twinproof.optim.arguments import check_types

OBJECTIVES = {"most-hops": Sense.MAXIMIZE, "fewest-sprinklers": Sense.MINIMIZE}

HOP, WALKABLE = "H", "."
LEGEND = {SPRINKLER: "sprinkler", HOP: "hop", WALKABLE: "walkable crop"}


@dataclass(frozen=True)
class HopsPuzzle:
    """An instance of the hops puzzle.

    Parameters
    ----------
    field : Field
    kind : SprinklerKind
    harvest : {4, 8}
        Whether a hop is served over its 4 edges or over edges and corners; walking is always over edges.
    entrances : frozenset of Cell
        Edge tiles on which walking starts; if empty, the whole outside is walkable.
    dry_paths : bool
        Whether a walkable tile may be bare ground, which needs no water.
    symmetry : str, optional
        A key of `models.field.symmetries.SYMMETRIES`.
    hops : int, optional
        The number of hops, where it is fixed.

    Raises
    ------
    InputError
        If the field does not have the symmetry, an entrance is no edge tile, or a number is out of range.
    """

    field: Field
    kind: SprinklerKind = BASIC
    harvest: int = 4
    entrances: frozenset[Cell] = frozenset()
    dry_paths: bool = False
    symmetry: str | None = None
    hops: int | None = None

    def __post_init__(self) -> None:
        check_types(self)
        if self.harvest not in (4, 8):
            raise InputError(f"harvest {self.harvest}: must be 4 or 8 neighbours")
        for entrance in sorted(self.entrances):
            if entrance not in self.field.edge_tiles:
                raise InputError(f"entrance at {show(entrance)}: not a tile of {self.field.name} at its edge")
        if self.hops is not None and self.hops < 0:
            raise InputError(f"hops {self.hops}: must not be negative")
        symmetry_group(self.field, self.symmetry)

    @property
    def name(self) -> str:
        """What the field is called."""
        return self.field.name

    def with_hops(self, hops: int) -> "HopsPuzzle":
        """Give the same puzzle with the number of hops fixed."""
        return replace(self, hops=hops)

    @cached_property
    def starts(self) -> frozenset[Cell]:
        """The tiles that are reached as soon as they are walkable."""
        return self.entrances or self.field.edge_tiles

    @cached_property
    def served_by_outside(self) -> frozenset[Cell]:
        """The tiles on which a hop is served from the outside."""
        if self.entrances:
            return frozenset()
        near = self._harvest_neighbours
        return frozenset(t for t in self.field.cells if any(self.field.is_outside(n) for n in near(t)))

    @cached_property
    def servers(self) -> dict[Cell, tuple[Cell, ...]]:
        """For every tile the tiles from which a hop on it can be picked."""
        near = self._harvest_neighbours
        return {t: tuple(n for n in near(t) if n in self.field.tiles) for t in self.field.cells}

    def _harvest_neighbours(self, cell: Cell) -> tuple[Cell, ...]:
        return neighbours4(cell) if self.harvest == 4 else neighbours8(cell)

    @cached_property
    def waterers(self) -> dict[Cell, tuple[Cell, ...]]:
        """For every tile the other tiles from which a sprinkler waters it."""
        return waterers(self.field, self.kind)

    @cached_property
    def generators(self) -> tuple[Permutation, ...]:
        """Permutations of the tiles under which the layout must not change."""
        return symmetry_group(self.field, self.symmetry)

    @cached_property
    def symmetries(self) -> tuple[Permutation, ...]:
        """Permutations of the tiles, without the identity, that map valid layouts to valid layouts."""
        keep_starts = (
            image for image in self.field.automorphisms if {image[t] for t in self.starts} == self.starts
        )
        return preserving(keep_starts, self.generators)

    @cached_property
    def starts_are_symmetric(self) -> bool:
        """Whether the symmetry asked for keeps the starts, so that it keeps what is reached."""
        return all({image[t] for t in self.starts} == self.starts for image in self.generators)


def read_layout(puzzle: HopsPuzzle, text: str, name: str) -> tuple[str, ...]:
    """Read a layout, drawn with S for a sprinkler, H for a hop and `.` for a walkable crop, into its rows.

    Parameters
    ----------
    puzzle : HopsPuzzle
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
