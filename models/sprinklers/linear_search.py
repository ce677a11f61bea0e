"""The sprinkler puzzle as the source article writes it: a clause a tile, and no symmetry broken."""

from collections.abc import Sequence

from twinproof.models.sprinklers.instance import CROP, OBJECTIVES, SPRINKLER, SprinklerPuzzle
from twinproof.optim.linear_search import KsweepModel, count_clauses

__all__ = ["build_ksweep"]


def build_ksweep(
    puzzle: SprinklerPuzzle,
    objective: str = "fewest-sprinklers",
    at_least: int | None = None,
    at_most: int | None = None,
) -> KsweepModel[tuple[str, ...]]:
    """Build the clauses.

    Parameters
    ----------
    puzzle : SprinklerPuzzle
    objective : {"fewest-sprinklers"}
    at_least, at_most : int, optional
        If one is given, the model asks whether a layout has such a value, and optimises nothing.

    Returns
    -------
    KsweepModel
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

    counted = tuple(x.values())
    counter, top = count_clauses(counted, at_least, at_most, len(x))

    def read(values: Sequence[int]) -> tuple[str, ...]:
        return puzzle.field.rows({tile: SPRINKLER if values[x[tile]] else CROP for tile in tiles})

    asked = at_least is not None or at_most is not None
    return KsweepModel(clauses + counter, top, counted, None if asked else OBJECTIVES[objective], read)
