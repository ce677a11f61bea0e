"""What the puzzles on a field have in common, told again from the map: neighbours, water, symmetry."""

from collections.abc import Mapping, Set
from typing import TypeAlias

from twinproof.models.field.lex_leader import move
from twinproof.models.grid import Cell
from twinproof.models.hops.instance import HopsPuzzle
from twinproof.models.sprinklers.instance import SprinklerPuzzle
from twinproof.optim.proof.cnf import Formula

FieldPuzzle: TypeAlias = SprinklerPuzzle | HopsPuzzle

EDGES = ((-1, 0), (0, -1), (0, 1), (1, 0))
AROUND = (*EDGES, (-1, -1), (-1, 1), (1, -1), (1, 1))

RADIUS = {"basic": 0, "quality": 1, "iridium": 2}
SYMMETRY_MOVES: dict[str | None, tuple[str, ...]] = {
    None: (),
    "hsym": ("left-right",),
    "vsym": ("up-down",),
    "both": ("left-right", "up-down"),
    "half-turn": ("half-turn",),
    "quarter-turn": ("quarter-turn",),
    "diagonal": ("diagonal",),
    "antidiagonal": ("antidiagonal",),
}


def drawn_cells(instance: FieldPuzzle) -> Set[Cell]:
    """Give all that is drawn on the map: tiles and obstacles."""
    return instance.field.tiles | instance.field.obstacles


def near(cell: Cell, offsets: tuple[Cell, ...]) -> list[Cell]:
    """Give the cells at some offsets from a cell.

    Parameters
    ----------
    cell : Cell
        Where to count from.
    offsets : tuple of Cell
        Rows and columns to add.

    Returns
    -------
    list of Cell
        These may lie beyond the field.
    """
    return [(cell[0] + dr, cell[1] + dc) for dr, dc in offsets]


def watered_from(instance: FieldPuzzle, tile: Cell) -> list[Cell]:
    """Give the other tiles from which a sprinkler waters a tile.

    A range is the four edges for radius 0 and a square of side 2k + 1 for radius k; a nozzle adds 1 to the radius.

    Parameters
    ----------
    instance : FieldPuzzle
        The field and the kind of sprinkler.
    tile : Cell
        The tile to be watered.

    Returns
    -------
    list of Cell
        Tiles of the field.
    """
    radius = RADIUS[instance.kind.name] + (1 if instance.kind.nozzle else 0)
    span = range(-radius, radius + 1)
    offsets = EDGES if radius == 0 else tuple((dr, dc) for dr in span for dc in span if (dr, dc) != (0, 0))
    return [other for other in near(tile, offsets) if other in instance.field.tiles]


def keep_symmetry(formula: Formula, instance: FieldPuzzle, *marks: Mapping[Cell, int]) -> None:
    """Demand that a mark stands on a tile just when it stands on the tile's image under the symmetry.

    Parameters
    ----------
    formula : Formula
        Takes the clauses.
    instance : FieldPuzzle
        The field and the name of its symmetry, a key of `SYMMETRY_MOVES`.
    *marks : mapping
        For each kind of mark the variable of every tile.
    """
    for name in SYMMETRY_MOVES[instance.symmetry]:
        moved = move(name, drawn_cells(instance))
        for variables in marks:
            for tile, variable in variables.items():
                other = variables[moved[tile]]
                if other != variable:
                    formula.add(-variable, other)
                    formula.add(variable, -other)
