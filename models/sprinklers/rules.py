"""The rules of the sprinkler puzzle, checked the plainest way. Shares nothing with the models.

The ranges are stated here again, from the game's own rule, so that a wrong table in the instance is caught.
"""

from collections.abc import Sequence

from twinproof.models.grid import Cell
from twinproof.models.sprinklers.instance import SprinklerPuzzle
from twinproof.models.violation import Violation


def violations(puzzle: SprinklerPuzzle, layout: Sequence[str]) -> list[Violation]:
    """List every broken rule with its tiles; an empty list means that the layout is valid.

    Parameters
    ----------
    puzzle : SprinklerPuzzle
    layout : sequence of str
        Its rows, as `Field.rows` draws them.
    """
    marks = {(r, c): mark for r, row in enumerate(layout) for c, mark in enumerate(row)}
    sprinklers = [tile for tile in puzzle.field.cells if marks[tile] == "S"]
    watered = set(sprinklers)
    for sprinkler in sprinklers:
        watered |= watered_by(sprinkler, puzzle.kind.name, puzzle.kind.nozzle)
    found = []
    dry = tuple(tile for tile in puzzle.field.cells if tile not in watered)
    if dry:
        found.append(Violation("unwatered", dry, "every tile must hold a sprinkler or be in the range of one"))
    uneven = {
        tile for image in puzzle.generators for tile in puzzle.field.cells if marks[tile] != marks[image[tile]]
    }
    if uneven:
        message = f"the layout must have the symmetry {puzzle.symmetry}"
        found.append(Violation("asymmetric", tuple(sorted(uneven)), message))
    return found


def watered_by(sprinkler: Cell, kind: str, nozzle: bool) -> set[Cell]:
    """Give the cells that a sprinkler waters.

    Parameters
    ----------
    sprinkler : Cell
    kind : {"basic", "quality", "iridium"}
    nozzle : bool

    References
    ----------
    The game's rule: four edge neighbours for radius 0, a square of side 2k + 1 for radius k; basic is radius 0,
    quality 1, iridium 2, and a nozzle adds 1.
    """
    radius = {"basic": 0, "quality": 1, "iridium": 2}[kind] + (1 if nozzle else 0)
    r, c = sprinkler
    if radius == 0:
        return {(r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)}
    rows, columns = range(r - radius, r + radius + 1), range(c - radius, c + radius + 1)
    return {(row, column) for row in rows for column in columns}


def value(puzzle: SprinklerPuzzle, objective: str, layout: Sequence[str]) -> int:
    """Give the value of a layout: its number of sprinklers.

    Parameters
    ----------
    puzzle : SprinklerPuzzle
        The instance, which does not matter here.
    objective : str
        Only `fewest-sprinklers` is known.
    layout : sequence of str
        Its rows.

    Returns
    -------
    int
        The number of sprinklers.
    """
    assert objective == "fewest-sprinklers"
    return sum(row.count("S") for row in layout)
