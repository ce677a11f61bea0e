"""Why a Light Up puzzle has no solution, where that can be seen without a search."""

from twinproof.models.grid import Cell
from twinproof.models.lightup.instance import LightUpPuzzle, clue_rule
from twinproof.models.violation import Unkeepable, Violation
from twinproof.models.words import count_of


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


def reasons(puzzle: LightUpPuzzle) -> tuple[Unkeepable, ...]:
    """List what no solution can get right; where nothing is listed there may be no solution all the same."""
    found = [
        Unkeepable(
            clue_rule(puzzle, wall), f"it has {count_of(len(puzzle.beside[wall]), 'floor cell', 'no')} beside it"
        )
        for wall in impossible_clues(puzzle)
    ]
    zeros: dict[Cell, Cell] = {}
    for wall, clue in puzzle.clues.items():
        if clue == 0:
            zeros |= {cell: wall for cell in puzzle.beside[wall] if cell not in zeros}
    for cell in dark_cells(puzzle):
        places = {place for run in (*puzzle.row_runs, *puzzle.column_runs) if cell in run for place in run}
        barring = tuple(clue_rule(puzzle, wall) for wall in sorted({zeros[place] for place in places}))
        reason = "a bulb that could light it would be beside a 0"
        found.append(Unkeepable(Violation("unlit", (cell,), "every floor cell must be lit"), reason, barring))
    return tuple(found)
