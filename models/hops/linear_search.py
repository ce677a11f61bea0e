"""The hops puzzle as the source article writes it: who is reached on foot is built up step by step.

reach[p, d] says that tile p is a crop which is reached in at most d steps. The last step is the number of tiles,
which no walk exceeds; so there are about n^2 of these variables for n tiles.
"""

from collections.abc import Sequence

from twinproof.models.grid import Cell
from twinproof.models.hops.instance import HOP, OBJECTIVES, WALKABLE, HopsPuzzle
from twinproof.models.sprinklers.instance import SPRINKLER
from twinproof.optim import InputError
from twinproof.optim.linear_search import count_clauses
from twinproof.optim.sat.model import ClauseModel

Clauses = list[list[int]]
Variables = dict[Cell, int]


def build_linear_search(puzzle: HopsPuzzle, objective: str = "most-hops") -> ClauseModel[tuple[str, ...]]:
    """Build the clauses.

    Parameters
    ----------
    puzzle : HopsPuzzle
    objective : {"most-hops", "fewest-sprinklers"}

    Returns
    -------
    ClauseModel
        Its layouts are the rows of the field, marked S, H and `.`.

    Raises
    ------
    InputError
        If the fewest sprinklers are asked for and the number of hops is not fixed.
    """
    if objective == "fewest-sprinklers" and puzzle.hops is None:
        raise InputError("fewest-sprinklers: the number of hops must be fixed")
    tiles = puzzle.field.cells
    # x[p]: tile p holds a sprinkler. h[p]: it holds a hop. If neither, it is a crop.
    x = {tile: number for number, tile in enumerate(tiles, start=1)}
    h = {tile: number + len(tiles) for tile, number in x.items()}
    top = 2 * len(tiles)

    # Type rule.
    clauses = [[-x[tile], -h[tile]] for tile in tiles]

    # Water rule. With dry paths it is for hops alone.
    for tile in tiles:
        water = [x[tile], *(x[other] for other in puzzle.waterers[tile])]
        clauses.append([-h[tile], *water] if puzzle.dry_paths else water)

    walking, reached, top = _reachability(puzzle, x, h, top)
    clauses += walking

    # Hop rule: a hop that the outside does not serve is served from a crop that is reached.
    for tile in tiles:
        if tile not in puzzle.served_by_outside:
            near = [reached[other] for other in puzzle.servers[tile] if other in reached]
            clauses.append([-h[tile], *near])

    # Symmetry: every two tiles that are mirror images match.
    for image in puzzle.generators:
        for mark in (x, h):
            for tile in tiles:
                clauses += [[-mark[tile], mark[image[tile]]], [mark[tile], -mark[image[tile]]]]

    counter, top = count_clauses(list(h.values()), puzzle.hops, puzzle.hops, top)
    clauses += counter
    counted = h if objective == "most-hops" else x

    def read(values: Sequence[int]) -> tuple[str, ...]:
        return puzzle.field.rows(
            {tile: SPRINKLER if values[x[tile]] else HOP if values[h[tile]] else WALKABLE for tile in tiles}
        )

    return ClauseModel(clauses, top, tuple(counted.values()), OBJECTIVES[objective], read, counted)


def _reachability(puzzle: HopsPuzzle, x: Variables, h: Variables, top: int) -> tuple[Clauses, Variables, int]:
    """Write the reachability rule.

    Returns
    -------
    clauses : list of list of int
    reached : dict
        For a tile to which a way leads on the empty field, its variable of the last step.
    top : int
        The highest variable now.
    """
    # No tile is reached in fewer steps than on the empty field, so it has no variable for these.
    nearest = puzzle.field.walking_distances(puzzle.starts)
    last = len(puzzle.field.cells)
    clauses: Clauses = []
    before: Variables = {}
    for step in range(last + 1):
        reach: Variables = {}
        for tile in puzzle.field.cells:
            if tile not in nearest or nearest[tile] > step:
                continue
            top += 1
            reach[tile] = top
            clauses += [[-top, -x[tile]], [-top, -h[tile]]]
            if step > 0:
                nearby = (tile, *puzzle.field.graph[tile])
                clauses.append([-top, *(before[other] for other in nearby if other in before)])
        before = reach
    return clauses, before, top
