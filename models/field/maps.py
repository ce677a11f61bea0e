"""Fields: the tiles of a grid on which sprinklers and crops may stand, and the facts of their graph."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import isqrt
from typing import TYPE_CHECKING

from twinproof.models.grid import (
    MAX_CHARACTERS,
    MAX_TILES,
    SQUARE_SYMMETRIES,
    Cell,
    Permutation,
    neighbours4,
    show,
)
from twinproof.models.text.forms import LINE_END
from twinproof.models.text.grids import closed_up
from twinproof.models.text.numbers import is_whole
from twinproof.models.words import count_of
from twinproof.optim import InputError
from twinproof.optim.arguments import check_types

if TYPE_CHECKING:
    import networkx as nx

TILE, OBSTACLE, OUTSIDE = ".", "X", " "


@dataclass(frozen=True)
class Field:
    """Tiles and obstacles of a grid; every other cell, also beyond the map, is outside.

    Parameters
    ----------
    name : str
        How the field is called in results.
    height, width : int
        Size of the map in cells.
    tiles : frozenset of Cell
        Where a sprinkler or a crop may stand.
    obstacles : frozenset of Cell
        Neither tile nor walkable nor outside, such as the scarecrow.

    Raises
    ------
    InputError
        If there is no tile, there are too many, or a cell is beyond the map or both tile and obstacle.
    """

    name: str
    height: int
    width: int
    tiles: frozenset[Cell]
    obstacles: frozenset[Cell]

    def __post_init__(self) -> None:
        check_types(self)
        if not self.tiles:
            raise InputError(f"{self.name}: the map has no tile")
        if len(self.tiles) > MAX_TILES:
            raise InputError(f"{self.name}: {len(self.tiles)} tiles; at most {MAX_TILES} are allowed")
        if both := self.tiles & self.obstacles:
            raise InputError(f"{self.name}: {show(min(both))} is both tile and obstacle")
        for cell in self.tiles | self.obstacles:
            if not (0 <= cell[0] < self.height and 0 <= cell[1] < self.width):
                raise InputError(f"{self.name}: {show(cell)} is beyond the map of {self.height}x{self.width}")

    @property
    def is_named(self) -> bool:
        """Whether this is, cell by cell, the field that its name means everywhere."""
        try:
            named = named_field(self.name)
        except InputError:
            return False
        return (named.tiles, named.obstacles) == (self.tiles, self.obstacles)

    def is_outside(self, cell: Cell) -> bool:
        """Whether a cell is neither tile nor obstacle."""
        return cell not in self.tiles and cell not in self.obstacles

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """All tiles, row by row."""
        return tuple(sorted(self.tiles))

    @cached_property
    def graph(self) -> "nx.Graph[Cell]":
        """The tiles, joined where they share an edge."""
        import networkx as nx  # noqa: PLC0415 - takes long to load, and most commands do not need it

        graph: nx.Graph[Cell] = nx.Graph()
        graph.add_nodes_from(self.cells)
        graph.add_edges_from(
            (cell, other) for cell in self.cells for other in neighbours4(cell) if other in self.tiles
        )
        return graph

    @cached_property
    def edge_tiles(self) -> frozenset[Cell]:
        """The tiles that share an edge with the outside."""
        return frozenset(c for c in self.cells if any(self.is_outside(n) for n in neighbours4(c)))

    def walking_distances(self, starts: Iterable[Cell]) -> dict[Cell, int]:
        """Count the steps from the nearest start to each tile that can be reached on an empty field.

        Parameters
        ----------
        starts : iterable of Cell
            Tiles at distance 0.
        """
        chosen = sorted(starts)
        if not chosen:
            return {}
        import networkx as nx  # noqa: PLC0415 - takes long to load, and most commands do not need it

        lengths = nx.multi_source_dijkstra_path_length(self.graph, set(chosen))
        return {cell: int(length) for cell, length in lengths.items()}

    def square_symmetry(self, name: str) -> Permutation | None:
        """Give a symmetry of the square as a permutation of the tiles; None if it is not one of the field.

        It acts on the smallest rectangle round tiles and obstacles, and must map both onto themselves.

        Parameters
        ----------
        name : str
            A key of `SQUARE_SYMMETRIES`.
        """
        used = self.tiles | self.obstacles
        top, left = min(r for r, _ in used), min(c for _, c in used)
        height, width = max(r for r, _ in used) - top + 1, max(c for _, c in used) - left + 1
        image = {}
        for r, c in used:
            image_r, image_c = SQUARE_SYMMETRIES[name](r - top, c - left, height, width)
            image[r, c] = (image_r + top, image_c + left)
        if {image[tile] for tile in self.tiles} != self.tiles:
            return None
        if {image[obstacle] for obstacle in self.obstacles} != self.obstacles:
            return None
        return {tile: image[tile] for tile in self.cells}

    @cached_property
    def automorphisms(self) -> tuple[Permutation, ...]:
        """The symmetries of the square that map the field onto itself, without the identity."""
        images = (self.square_symmetry(name) for name in SQUARE_SYMMETRIES)
        return tuple(image for image in images if image is not None)

    def rows(self, marks: Mapping[Cell, str]) -> tuple[str, ...]:
        """Draw the map with the given mark on each tile; obstacles are X, the outside is blank.

        The rows are not padded: nothing stands behind the last cell that is not outside.
        """
        return tuple(
            "".join(self._mark((r, c), marks) for c in range(self.width)).rstrip() for r in range(self.height)
        )

    def _mark(self, cell: Cell, marks: Mapping[Cell, str]) -> str:
        if cell in self.tiles:
            return marks[cell]
        return OBSTACLE if cell in self.obstacles else OUTSIDE


def disc(name: str, squared_radius: int) -> Field:
    """Build the field of all tiles with 0 < x^2 + y^2 <= squared_radius round an obstacle in the middle.

    Parameters
    ----------
    name : str
        The name of the field, which messages begin with.
    squared_radius : int
        In squared tiles.

    Returns
    -------
    Field
        Its middle is the obstacle.

    Raises
    ------
    InputError
        If the radius is less than 1, or there are more than `MAX_TILES` tiles.
    """
    if squared_radius < 1:
        raise InputError(f"{name}: the squared radius must be at least 1")
    radius = isqrt(squared_radius)
    if 2 * squared_radius > MAX_TILES:  # the disc holds a square of side radius * sqrt(2)
        raise InputError(f"{name}: more than {MAX_TILES} tiles; at most {MAX_TILES} are allowed")
    tiles = frozenset(
        (y + radius, x + radius)
        for y in range(-radius, radius + 1)
        for x in range(-radius, radius + 1)
        if 0 < x * x + y * y <= squared_radius
    )
    return Field(name, 2 * radius + 1, 2 * radius + 1, tiles, frozenset({(radius, radius)}))


def rectangle(name: str, height: int, width: int) -> Field:
    """Build a rectangle of tiles without an obstacle.

    Parameters
    ----------
    name : str
        The name of the field, which messages begin with.
    height, width : int
        In tiles.

    Returns
    -------
    Field
        All its cells are tiles.

    Raises
    ------
    InputError
        If a side is less than 1, or there are more than `MAX_TILES` tiles.
    """
    if height < 1 or width < 1:
        raise InputError(f"{name}: height and width must be at least 1")
    if height * width > MAX_TILES:
        raise InputError(f"{name}: {height * width} tiles; at most {MAX_TILES} are allowed")
    tiles = frozenset((r, c) for r in range(height) for c in range(width))
    return Field(name, height, width, tiles, frozenset())


FIELDS = {
    "scarecrow": "248 tiles, 0 < x^2 + y^2 < 81: the range of a scarecrow",
    "deluxe": "888 tiles, 0 < x^2 + y^2 < 289: the range of a deluxe scarecrow",
    "disc:K": "the tiles with 0 < x^2 + y^2 <= K round an obstacle",
    "grid:MxN": "a rectangle of M rows and N columns",
}
"""The fields that have a name, and what they are."""


DISCS = {"scarecrow": 80, "deluxe": 288}
"""The squared radius of each disc that has a name of its own."""


def is_field_name(name: str) -> bool:
    """Whether a text names a field, even one that there cannot be, such as `disc:0`."""
    kind, colon, _ = name.partition(":")
    return name in DISCS or (bool(colon) and kind in ("disc", "grid"))


def named_field(name: str) -> Field:
    """Build a field from its name.

    Parameters
    ----------
    name : str
        `scarecrow`, `deluxe`, `disc:K` or `grid:MxN`.

    Raises
    ------
    InputError
        If there is no field of this name.
    """
    if not isinstance(name, str) or not is_field_name(name):
        raise InputError(f"field {name!r}: no field has this name ({', '.join(FIELDS)})")
    if name in DISCS:
        return disc(name, DISCS[name])
    kind, _, numbers = name.partition(":")
    if kind == "disc":
        return disc(name, _whole(name, numbers))
    rows, by, columns = numbers.lower().partition("x")
    if not by:
        raise InputError(f"{name}: a grid is written grid:MxN, such as grid:9x11")
    return rectangle(name, _whole(name, rows), _whole(name, columns))


def _whole(name: str, digits: str) -> int:
    if not is_whole(digits):
        raise InputError(f"{name}: {digits!r} is no whole number, as in disc:9 or grid:9x11")
    return int(digits)


def parse_map(text: str, name: str) -> Field:
    """Read a field from a text map.

    Parameters
    ----------
    text : str
        Rows of `.` (tile), `X` (obstacle) and blanks (outside); rows may end early.
    name : str
        How the field is called in results and messages.

    Raises
    ------
    InputError
        If there is another character, no tile, or too many.
    """
    if len(text) > MAX_CHARACTERS:
        raise InputError(f"{name}: more than {MAX_CHARACTERS} characters")
    tiles, obstacles = set(), set()
    rows = LINE_END.split(text)
    for r, row in enumerate(rows):
        for c, mark in enumerate(row):
            if mark == TILE:
                tiles.add((r, c))
            elif mark == OBSTACLE:
                obstacles.add((r, c))
            elif mark != OUTSIDE:
                raise InputError(
                    f"{name}: {show((r, c))}: {mark!r} is not in the legend "
                    f"('{TILE}' tile, '{OBSTACLE}' obstacle, blank outside)"
                )
    height = max((r for r, _ in tiles | obstacles), default=-1) + 1
    width = max((c for _, c in tiles | obstacles), default=-1) + 1
    return Field(name, height, width, frozenset(tiles), frozenset(obstacles))


def parse_layout(text: str, field: Field, legend: Mapping[str, str], name: str) -> dict[Cell, str]:
    """Read the marks of a layout drawn over a field.

    Parameters
    ----------
    text : str
        As `Field.rows` draws it, perhaps with cells apart and blanks round it.
    field : Field
    legend : mapping
        The marks that a tile may have, with their meanings.
    name : str
        How the layout is called in messages.

    Returns
    -------
    dict
        The mark of every tile.

    Raises
    ------
    InputError
        If the layout has another size or shape than the field, or a mark that the legend does not know.
    """
    if len(text) > MAX_CHARACTERS:
        raise InputError(f"{name}: more than {MAX_CHARACTERS} characters")
    rows = [row.rstrip(OUTSIDE) for row in LINE_END.split(text)]
    while rows and not rows[-1]:
        rows.pop()
    if (len(rows), max(map(len, rows), default=0)) != (field.height, field.width):
        rows = _closed_up(text, name, field) or rows
    drawn = {(r, c): mark for r, row in enumerate(rows) for c, mark in enumerate(row) if mark != OUTSIDE}
    known = ", ".join(f"'{mark}' {meaning}" for mark, meaning in {**legend, OBSTACLE: "obstacle"}.items())
    for cell, mark in sorted(drawn.items()):
        if mark != OBSTACLE and mark not in legend:
            raise InputError(f"{name}: {show(cell)}: {mark!r} is not in the legend ({known}, blank outside)")
    height, width = len(rows), max((len(row) for row in rows), default=0)
    if (height, width) != (field.height, field.width):
        raise InputError(
            f"{name}: the layout has {count_of(height, 'row')} and {count_of(width, 'column')}, "
            f"{field.name} has {field.height} and {field.width}"
        )
    for cell in sorted(field.tiles | field.obstacles | set(drawn)):
        expected = "a tile" if cell in field.tiles else "an obstacle" if cell in field.obstacles else "outside"
        mark = drawn.get(cell, OUTSIDE)
        found = "an obstacle" if mark == OBSTACLE else "outside" if mark == OUTSIDE else "a tile"
        if found != expected:
            raise InputError(f"{name}: {show(cell)}: the layout has {found} ({mark!r}), the field {expected}")
    return {cell: drawn[cell] for cell in field.cells}


def _closed_up(text: str, name: str, field: Field) -> list[str] | None:
    """Give the rows of a drawing without what sets cells apart, if they are of the field's size then."""
    used = field.tiles | field.obstacles
    top, left = min(r for r, _ in used), min(c for _, c in used)
    rows = [row.rstrip(OUTSIDE) for row in closed_up(text, name)]
    # The rim of the field that is outside is not drawn, or cannot be told from blanks round it.
    drawn = [""] * top + [OUTSIDE * left + row if row else "" for row in rows]
    fits = (len(drawn), max(map(len, drawn))) == (field.height, field.width) if rows else False
    return drawn if fits else None
