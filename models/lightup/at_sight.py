"""Why a Light Up puzzle has no solution, where that can be seen without a search."""

from twinproof.models.grid import Cell
from twinproof.models.lightup.instance import LightUpPuzzle
from twinproof.models.violation import Violation


def dark_cells(puzzle: LightUpPuzzle) -> tuple[Cell, ...]:
    """Give the floor cells that no bulb can light: every place on their row and column is beside a 0.

    Every floor cell is itself a place for a bulb, so that without a 0 beside it no cell is dark.
    """
    barred = {cell for wall, clue in puzzle.clues.items() if clue == 0 for cell in puzzle.beside[wall]}
    barred_rows = {cell for run in puzzle.row_runs if barred.issuperset(run) for cell in run}
    barred_columns = {cell for run in puzzle.column_runs if barred.issuperset(run) for cell in run}
    return tuple(sorted(barred_rows & barred_columns))


def impossible_clues(puzzle: LightUpPuzzle) -> tuple[Cell, ...]:
    """Give the walls whose number is greater than that of the floor cells beside them."""
    return tuple(wall for wall, clue in puzzle.clues.items() if clue > len(puzzle.beside[wall]))


def reasons(puzzle: LightUpPuzzle) -> tuple[Violation, ...]:
    """List what no layout can get right; where nothing is listed there may be no solution all the same."""
    found = []
    for wall in impossible_clues(puzzle):
        cells = len(puzzle.beside[wall])
        message = (
            f"there must be {puzzle.clues[wall]} bulbs beside the wall, which has {cells} floor cells beside it"
        )
        found.append(Violation("clue", (wall,), message))
    for cell in dark_cells(puzzle):
        found.append(Violation("unlit", (cell,), "every place for a bulb that could light it is beside a 0"))
    return tuple(found)
