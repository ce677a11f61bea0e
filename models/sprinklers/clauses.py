"""The sprinkler puzzle in clauses, for the verifier of certificates."""

from twinproof.models.field.clauses import drawn_cells, keep_symmetry, watered_from
from twinproof.models.field.lex_leader import keep_leaders
from twinproof.models.sprinklers.instance import SprinklerPuzzle
from twinproof.optim.proof.cnf import Board, Formula, Key

__all__ = ["COUNTED", "encode"]

COUNTED = {"fewest-sprinklers": "S"}


def encode(puzzle: SprinklerPuzzle, leaders: bool = False) -> Board:
    """Write the rules of a puzzle.

    Parameters
    ----------
    puzzle : SprinklerPuzzle
    leaders : bool
        Whether to look only for a layout that is the first of those alike up to a symmetry.
    """
    tiles = sorted(puzzle.field.tiles)
    formula = Formula(len(tiles))
    # A sprinkler stands on the tile.
    sprinkler = {tile: number for number, tile in enumerate(tiles, start=1)}

    # 1. Every tile holds a sprinkler or is in the range of one.
    for tile in tiles:
        formula.add(sprinkler[tile], *(sprinkler[other] for other in watered_from(puzzle, tile)))

    # 2. The layout has the symmetry asked for.
    keep_symmetry(formula, puzzle, sprinkler)

    if leaders:
        variables: dict[Key, int] = {("S", tile, 0): variable for tile, variable in sprinkler.items()}
        keep_leaders(formula, variables, drawn_cells(puzzle))
    return Board(formula, {("S", tile): variable for tile, variable in sprinkler.items()})
