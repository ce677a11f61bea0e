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
    sums = [
        (cp_model.LinearExpr.sum([is_mine[cell] for cell in puzzle.around[clue]]), number)
        for clue, number in puzzle.clues.items()
    ]
    # Rule 3: the number of mines, if it is known.
    if puzzle.mines is not None:
        sums.append((mines, puzzle.mines))
    # Rule 2: a trusted flag stands on a mine.
    flagged = [is_mine[cell] for cell in puzzle.trusted]

    wrong: list[cp_model.LiteralT] = []
    if objective == "fewest-broken":
        wrong = [*(~mine for mine in flagged), *(_add_wrong(model, *equation) for equation in sums)]
    else:
        for number_of_mines, number in sums:
            model.add(number_of_mines == number)
        model.add_bool_and(flagged)

    def read(values: Sequence[int]) -> tuple[str, ...]:
        return puzzle.rows({cell for cell, variable in is_mine.items() if values[variable.index]})

    # Most boards are settled in presolve; a second worker takes longer to start than they take. Few rules have to
    # be broken, so assuming that none is, and learning from the conflict, settles that question soonest.
    counted = _counted(puzzle, objective, is_mine, wrong)
    settings = CpsatSettings(workers=1, subsolvers=("core",) if objective == "fewest-broken" else ())
    return CpsatModel(model, counted, OBJECTIVES[objective], read, is_mine, settings)


def _add_wrong(model: cp_model.CpModel, mines: cp_model.LinearExprT, number: int) -> cp_model.IntVar:
    """Give the variable that mines are another number, exactly then: the value is to be the layout's own."""
    is_wrong = model.new_bool_var("")
    other = cp_model.Domain(number, number).complement()
    model.add(mines == number).only_enforce_if(~is_wrong)
    model.add_linear_expression_in_domain(mines, other).only_enforce_if(is_wrong)
    return is_wrong


def _counted(
    puzzle: MinesweeperPuzzle,
    objective: str,
    is_mine: dict[tuple[int, int], cp_model.IntVar],
    wrong: list[cp_model.LiteralT],
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
