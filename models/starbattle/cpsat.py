"""Star Battle as a CP-SAT model: linear sums over lines and regions, at most one star in every 2x2 block.

With several stars a line the board is crowded, and that is seen best in strips. Two neighbouring rows hold 2k
stars; cut into 2x2 blocks, which hold one star at most, all but a few of these blocks must hold one. The strips
follow from the other rules; they are there to propagate.
"""

from collections.abc import Iterator, Sequence

from ortools.sat.python import cp_model

from twinproof.models.grid import Cell
from twinproof.models.starbattle.instance import OBJECTIVES, STAR, StarBattlePuzzle
from twinproof.optim import InputError
from twinproof.optim.cpsat import CpsatModel, CpsatSettings

Stars = dict[Cell, cp_model.IntVar]

CROWDED = 3
"""The number of stars a line from which strips save more time than they cost."""


def build_cpsat(puzzle: StarBattlePuzzle, objective: str = "solution") -> CpsatModel[tuple[str, ...]]:
    """Build the model.

    Parameters
    ----------
    puzzle : StarBattlePuzzle
    objective : {"solution", "farthest", "fewest-broken"}

    Returns
    -------
    CpsatModel
        Its layouts are the rows of the board.

    Raises
    ------
    InputError
        If the objective needs a layout to be apart from and the puzzle has none.
    """
    model = cp_model.CpModel()
    # has_star[cell]: a star stands on the cell; a hole (rule 5) has no variable.
    has_star = {cell: model.new_bool_var("") for cell in puzzle.cells}

    counted: cp_model.LinearExprT = 0
    if objective == "fewest-broken":
        counted = _count_broken(model, puzzle, has_star)
    else:
        _add_rules(model, puzzle, has_star)
        if objective == "farthest":
            # All solutions have the same number of stars: for every star that goes another comes.
            counted = 2 * sum(1 - has_star[cell] for cell in _given_stars(puzzle))

    def read(values: Sequence[int]) -> tuple[str, ...]:
        stars = {cell for cell in puzzle.cells if values[has_star[cell].index]}
        return puzzle.rows([[(r, c) in stars for c in range(puzzle.width)] for r in range(puzzle.height)])

    # The sums are short and the puzzles are decided by propagation: a linear relaxation only costs time. Few rules
    # have to be broken, so assuming that none is, and learning from the conflict, settles that question soonest.
    subsolvers = ("core",) if objective == "fewest-broken" else ()
    settings = CpsatSettings(workers=1, subsolvers=subsolvers, linearization=0)
    return CpsatModel(model, counted, OBJECTIVES[objective], read, has_star, settings)


def _given_stars(puzzle: StarBattlePuzzle) -> list[Cell]:
    if puzzle.apart_from is None:
        raise InputError(f"{puzzle.name}: farthest: needs a solution from which to measure")
    return [(r, c) for r, c in puzzle.cells if puzzle.apart_from[r][c] == STAR]


def _lines(puzzle: StarBattlePuzzle, has_star: Stars) -> Iterator[list[cp_model.IntVar]]:
    """Give the cells of every row, then of every column, then of every region."""
    for r in range(puzzle.height):
        yield [has_star[r, c] for c in range(puzzle.width) if (r, c) in has_star]
    for c in range(puzzle.width):
        yield [has_star[r, c] for r in range(puzzle.height) if (r, c) in has_star]
    for cells in puzzle.region_cells:
        yield [has_star[cell] for cell in cells]


def _add_rules(model: cp_model.CpModel, puzzle: StarBattlePuzzle, has_star: Stars) -> None:
    """Add the rules 1 to 4."""
    k = puzzle.stars
    for line in _lines(puzzle, has_star):
        if k == 1:
            model.add_exactly_one(line)
        else:
            model.add(sum(line) == k)
    crowded = k >= CROWDED
    # is_empty[r, c]: no star in the 2x2 block below and right of the cell.
    is_empty: Stars = {}
    for r in range(puzzle.height):
        for c in range(puzzle.width):
            block = [
                has_star[cell] for cell in ((r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)) if cell in has_star
            ]
            if crowded and block:
                is_empty[r, c] = model.new_bool_var("")
                model.add_exactly_one([is_empty[r, c], *block])
            elif len(block) > 1:
                model.add_at_most_one(block)
    if crowded:
        for i in range(puzzle.height - 1):
            across = [is_empty[i, c] for c in range(0, puzzle.width, 2) if (i, c) in is_empty]
            down = [is_empty[r, i] for r in range(0, puzzle.height, 2) if (r, i) in is_empty]
            model.add(sum(across) == len(across) - 2 * k)
            model.add(sum(down) == len(down) - 2 * k)


def _count_broken(model: cp_model.CpModel, puzzle: StarBattlePuzzle, has_star: Stars) -> cp_model.LinearExprT:
    """Add a Boolean for every rule that says whether it is broken, and give their sum."""
    broken = []
    k = puzzle.stars
    for line in _lines(puzzle, has_star):
        is_broken = model.new_bool_var("")
        right = cp_model.Domain.from_values([k])
        wrong = cp_model.Domain.from_values([count for count in range(len(line) + 1) if count != k])
        model.add_linear_expression_in_domain(sum(line), right).only_enforce_if(~is_broken)
        model.add_linear_expression_in_domain(sum(line), wrong).only_enforce_if(is_broken)
        broken.append(is_broken)
    for (r, c), star in has_star.items():
        for other in ((r, c + 1), (r + 1, c - 1), (r + 1, c), (r + 1, c + 1)):
            if other in has_star:
                touch = model.new_bool_var("")
                model.add_bool_or(touch, ~star, ~has_star[other])
                model.add_implication(touch, star)
                model.add_implication(touch, has_star[other])
                broken.append(touch)
    return sum(broken)
