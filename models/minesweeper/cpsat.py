"""Minesweeper as a CP-SAT model: a Boolean a cell, a linear equation a clue."""

from collections.abc import Sequence

from ortools.sat.python import cp_model

from twinproof.models.minesweeper.instance import MINE, OBJECTIVES, MinesweeperPuzzle
from twinproof.optim import InputError
from twinproof.optim.cpsat import CpsatModel, CpsatSettings


def build_cpsat(puzzle: MinesweeperPuzzle, objective: str = "solution") -> CpsatModel[tuple[str, ...]]:
    """Build the model.

    Parameters
    ----------
    puzzle : MinesweeperPuzzle
    objective : {"solution", "fewest-mines", "most-mines", "farthest", "fewest-broken"}

    Returns
    -------
    CpsatModel
        Its layouts are rows, as `MinesweeperPuzzle.rows` draws them.

    Raises
    ------
    InputError
        If the objective is `farthest` and the puzzle has no layout to be apart from.
    """
    model = cp_model.CpModel()
    # is_mine[cell]: the cell holds a mine.
    is_mine = {cell: model.new_bool_var("") for cell in puzzle.unknown}
    mines = cp_model.LinearExpr.sum(list(is_mine.values()))

    # Rule 1: a number is the count of mines round it.
    wrong = []
    for clue, number in puzzle.clues.items():
        beside = cp_model.LinearExpr.sum([is_mine[cell] for cell in puzzle.around[clue]])
        if objective != "fewest-broken":
            model.add(beside == number)
            continue
        # is_wrong: the count is another number; exactly then, so that the value is the layout's own.
        is_wrong = model.new_bool_var("")
        other = cp_model.Domain(number, number).complement()
        model.add(beside == number).only_enforce_if(~is_wrong)
        model.add_linear_expression_in_domain(beside, other).only_enforce_if(is_wrong)
        wrong.append(is_wrong)

    # Rule 2: a trusted flag stands on a mine.
    for cell in puzzle.trusted:
        model.add(is_mine[cell] == 1)

    # Rule 3: the number of mines, if it is known.
    if puzzle.mines is not None:
        model.add(mines == puzzle.mines)

    def read(values: Sequence[int]) -> tuple[str, ...]:
        return puzzle.rows({cell for cell, variable in is_mine.items() if values[variable.index]})

    # Most boards are settled in presolve; a second worker takes longer to start than they take.
    counted = _counted(puzzle, objective, is_mine, wrong)
    return CpsatModel(model, counted, OBJECTIVES[objective], read, is_mine, CpsatSettings(workers=1))


def _counted(
    puzzle: MinesweeperPuzzle,
    objective: str,
    is_mine: dict[tuple[int, int], cp_model.IntVar],
    wrong: list[cp_model.IntVar],
) -> cp_model.LinearExprT:
    """Give what the objective counts, as a sum of Booleans."""
    if objective == "fewest-broken":
        return cp_model.LinearExpr.sum(wrong)
    if objective == "farthest":
        if puzzle.apart_from is None:
            raise InputError(f"{puzzle.name}: farthest: needs a layout to be apart from")
        other = puzzle.apart_from
        return cp_model.LinearExpr.sum(
            [~mine if other[r][c] == MINE else mine for (r, c), mine in is_mine.items()]
        )
    return cp_model.LinearExpr.sum(list(is_mine.values()))
