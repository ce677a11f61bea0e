"""The sprinkler puzzle as the source article writes it: a clause a tile, and no symmetry broken."""

from collections.abc import Sequence

from twinproof.models.sprinklers.instance import CROP, OBJECTIVES, SPRINKLER, SprinklerPuzzle
from twinproof.optim.sat.model import ClauseModel


def build_linear_search(
    puzzle: SprinklerPuzzle, objective: str = "fewest-sprinklers"
) -> ClauseModel[tuple[str, ...]]:
    """Build the clauses.

    Parameters
    ----------
    puzzle : SprinklerPuzzle
    objective : {"fewest-sprinklers"}

    Returns
    -------
    ClauseModel
        Its layouts are the rows of the field, marked S and `.`.
    """
    tiles = puzzle.field.cells
    # x[p]: tile p holds a sprinkler.
    x = {tile: number for number, tile in enumerate(tiles, start=1)}

    # Water rule.
    clauses = [[x[tile], *(x[other] for other in puzzle.waterers[tile])] for tile in tiles]

    # Symmetry: every two tiles that are mirror images match.
    for image in puzzle.generators:
        for tile in tiles:
            clauses += [[-x[tile], x[image[tile]]], [x[tile], -x[image[tile]]]]

    def read(values: Sequence[int]) -> tuple[str, ...]:
        return puzzle.field.rows({tile: SPRINKLER if values[x[tile]] else CROP for tile in tiles})

    return ClauseModel(clauses, len(x), tuple(x.values()), OBJECTIVES[objective], read, x)
