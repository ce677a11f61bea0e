"""The rules of the hops puzzle, checked the plainest way. Shares nothing with the models."""

from collections.abc import Sequence

from twinproof.models.grid import Cell
from twinproof.models.hops.instance import HopsPuzzle
from twinproof.models.sprinklers.rules import watered_by
from twinproof.models.violation import Violation
from twinproof.models.words import count_of

EDGES = ((-1, 0), (1, 0), (0, -1), (0, 1))
CORNERS = ((-1, -1), (-1, 1), (1, -1), (1, 1))


def violations(puzzle: HopsPuzzle, layout: Sequence[str]) -> list[Violation]:
    """List every broken rule with its tiles; an empty list means that the layout is valid.

    Parameters
    ----------
    puzzle : HopsPuzzle
    layout : sequence of str
        Its rows, as `Field.rows` draws them.
    """
    marks = {(r, c): mark for r, row in enumerate(layout) for c, mark in enumerate(row)}
    tiles = puzzle.field.cells
    hops = [tile for tile in tiles if marks[tile] == "H"]
    found = []

    watered = {tile for tile in tiles if marks[tile] == "S"}
    for sprinkler in tuple(watered):
        watered |= watered_by(sprinkler, puzzle.kind.name, puzzle.kind.nozzle)
    dry = tuple(tile for tile in (hops if puzzle.dry_paths else tiles) if tile not in watered)
    if dry:
        who = "every hop must" if puzzle.dry_paths else "every tile must hold a sprinkler or"
        found.append(Violation("unwatered", dry, f"{who} be in the range of a sprinkler"))

    reached = walk(puzzle, marks)
    sides = EDGES if puzzle.harvest == 4 else EDGES + CORNERS
    unserved = []
    for r, c in hops:
        around = [(r + dr, c + dc) for dr, dc in sides]
        by_outside = not puzzle.entrances and any(marks.get(cell, " ") == " " for cell in around)
        if not by_outside and not any(cell in reached for cell in around):
            unserved.append((r, c))
    if unserved:
        message = "every hop must have a walkable tile that is reached" + (
            "" if puzzle.entrances else " or the outside"
        )
        found.append(Violation("unserved", tuple(unserved), f"{message} among its {puzzle.harvest} neighbours"))

    if puzzle.hops is not None and len(hops) != puzzle.hops:
        found.append(Violation("hop count", (), f"there must be {count_of(puzzle.hops, 'hop')}, not {len(hops)}"))

    uneven = {tile for image in puzzle.generators for tile in tiles if marks[tile] != marks[image[tile]]}
    if uneven:
        message = f"the layout must have the symmetry {puzzle.symmetry}"
        found.append(Violation("asymmetric", tuple(sorted(uneven)), message))
    return found


def walk(puzzle: HopsPuzzle, marks: dict[Cell, str]) -> set[Cell]:
    """Give the walkable tiles that are reached, one step after the other.

    Parameters
    ----------
    puzzle : HopsPuzzle
        The field and its entrances; without any a walk starts where a walkable tile has the outside beside it.
    marks : dict of Cell to str
        The mark of every tile.

    Returns
    -------
    set of Cell
        Walkable tiles only.
    """

    def is_start(r: int, c: int) -> bool:
        if puzzle.entrances:
            return (r, c) in puzzle.entrances
        return any(marks.get((r + dr, c + dc), " ") == " " for dr, dc in EDGES)

    to_visit = [tile for tile in puzzle.field.cells if marks[tile] == "." and is_start(*tile)]
    reached = set(to_visit)
    while to_visit:
        r, c = to_visit.pop()
        for dr, dc in EDGES:
            step = (r + dr, c + dc)
            if marks.get(step) == "." and step not in reached:
                reached.add(step)
                to_visit.append(step)
    return reached


def value(puzzle: HopsPuzzle, objective: str, layout: Sequence[str]) -> int:
    """Give the value of a layout: its number of hops, or of sprinklers.

    Parameters
    ----------
    puzzle : HopsPuzzle
        The instance, which does not matter here.
    objective : str
        `most-hops` or `fewest-sprinklers`.
    layout : sequence of str
        Its rows.

    Returns
    -------
    int
        The number of marks of the objective's kind.
    """
    mark = {"most-hops": "H", "fewest-sprinklers": "S"}[objective]
    return sum(row.count(mark) for row in layout)
