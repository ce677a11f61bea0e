"""Light Up as a CP-SAT model: every run of floor cells has exactly one bulb, or is dark."""

from collections.abc import Sequence

from ortools.sat.python import cp_model

from twinproof.models.grid import Cell
from twinproof.models.lightup.instance import BULB, LightUpPuzzle
from twinproof.optim.cpsat import CpsatModel, CpsatSettings

Literals = dict[Cell, cp_model.LiteralT]


def build_cpsat(puzzle: LightUpPuzzle, objective: str = "solution") -> CpsatModel[tuple[str, ...]]:
    """Build the model.

    Parameters
    ----------
    puzzle : LightUpPuzzle
    objective : {"solution", "fewest-bulbs", "most-bulbs", "farthest", "fewest-broken"}

    Returns
    -------
    CpsatModel
        Its layouts are the rows of the grid, with `*` where a bulb stands.

    Raises
    ------
    InputError
        If the objective is unknown or lacks a layout to differ from.
    """
    sense = puzzle.sense(objective)
    model = cp_model.CpModel()
    # has_bulb[cell]: a bulb stands on the floor cell.
    has_bulb = {cell: model.new_bool_var("") for cell in puzzle.floor}

    # Rules 2 and 3: a run has exactly one bulb or is dark, and no cell's row and column are both dark.
    dark_row = _add_runs(model, puzzle.row_runs, has_bulb)
    dark_column = _add_runs(model, puzzle.column_runs, has_bulb)
    for cell in puzzle.floor:
        model.add_at_most_one(dark_row[cell], dark_column[cell])

    # Rule 4: a wall has as many bulbs beside it as its number says.
    broken: list[cp_model.LiteralT] = []
    for wall, clue in puzzle.clues.items():
        beside = [has_bulb[cell] for cell in puzzle.beside[wall]]
        if objective == "fewest-broken":
            broken.append(_add_breakable_clue(model, clue, beside))
        else:
            _add_clue(model, clue, beside)

    counted: list[cp_model.LiteralT] = []
    if objective == "fewest-broken":
        counted = broken
    elif objective == "farthest":
        counted = _differences(puzzle, has_bulb)
    elif sense is not None:
        counted = list(has_bulb.values())
        _add_equal_numbers_of_runs(model, puzzle, dark_row, dark_column)

    def read(values: Sequence[int]) -> tuple[str, ...]:
        return puzzle.layout({cell for cell, variable in has_bulb.items() if values[variable.index]})

    # Boards are small or nearly forced, so a second worker costs more than it finds. Where something is optimised,
    # the core-guided subsolver proves the bound soonest, above all for broken clues.
    settings = CpsatSettings(workers=1, subsolvers=("core",))
    return CpsatModel(model, cp_model.LinearExpr.sum(counted), sense, read, has_bulb, settings)


def _add_runs(
    model: cp_model.CpModel, runs: Sequence[Sequence[Cell]], has_bulb: dict[Cell, cp_model.IntVar]
) -> Literals:
    """Let every run have exactly one bulb or be dark; give for every cell the literal that its run is dark."""
    is_dark: Literals = {}
    for run in runs:
        if len(run) == 1:
            is_dark[run[0]] = ~has_bulb[run[0]]
            continue
        dark = model.new_bool_var("")
        model.add_exactly_one(dark, *(has_bulb[cell] for cell in run))
        is_dark.update(dict.fromkeys(run, dark))
    return is_dark


def _add_clue(model: cp_model.CpModel, clue: int, beside: Sequence[cp_model.IntVar]) -> None:
    if clue > len(beside):
        model.add_bool_or()
    elif clue == 1:
        model.add_exactly_one(beside)
    else:
        model.add_linear_constraint(cp_model.LinearExpr.sum(beside), clue, clue)


def _add_breakable_clue(model: cp_model.CpModel, clue: int, beside: Sequence[cp_model.IntVar]) -> cp_model.IntVar:
    """Give a variable that is true exactly if the number of bulbs beside the wall is another than the clue."""
    is_broken = model.new_bool_var("")
    bulbs = cp_model.LinearExpr.sum(beside)
    others = [count for count in range(len(beside) + 1) if count != clue]
    if clue > len(beside):
        model.add_bool_or(is_broken)
    elif not others:
        model.add_bool_or(~is_broken)
    else:
        model.add_linear_constraint(bulbs, clue, clue).only_enforce_if(~is_broken)
        domain = cp_model.Domain.from_values(others)
        model.add_linear_expression_in_domain(bulbs, domain).only_enforce_if(is_broken)
    return is_broken


def _add_equal_numbers_of_runs(
    model: cp_model.CpModel, puzzle: LightUpPuzzle, dark_row: Literals, dark_column: Literals
) -> None:
    """Say that as many runs along rows are lit as along columns, since each bulb lights one of either.

    The rules imply it, but only by a pigeonhole argument, which takes the search very long on open floor.
    """
    rows = [dark_row[run[0]] for run in puzzle.row_runs]
    columns = [dark_column[run[0]] for run in puzzle.column_runs]
    more = len(columns) - len(rows)
    model.add(cp_model.LinearExpr.sum(columns) - cp_model.LinearExpr.sum(rows) == more)


def _differences(puzzle: LightUpPuzzle, has_bulb: dict[Cell, cp_model.IntVar]) -> list[cp_model.LiteralT]:
    """Give for every floor cell the literal that it differs from the given layout."""
    other = puzzle.apart_from or ()
    return [~bulb if other[r][c] == BULB else bulb for (r, c), bulb in has_bulb.items()]
