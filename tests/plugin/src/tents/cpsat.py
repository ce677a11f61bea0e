"""Tents and Trees as a CP-SAT model: a Boolean for every cell, and one for every tree and cell beside it."""

from collections.abc import Sequence

from ortools.sat.python import cp_model

from tents.instance import TENT, TentsPuzzle
from twinproof.optim import InputError, Sense
from twinproof.optim.cpsat import CpsatModel, CpsatSettings

__all__ = ["build_cpsat"]


def build_cpsat(instance: TentsPuzzle, objective: str = "solution") -> CpsatModel[tuple[str, ...]]:
    """Build the model.

    Parameters
    ----------
    instance : TentsPuzzle
    objective : {"solution", "farthest", "fewest-broken"}

    Returns
    -------
    CpsatModel
        Its layouts are the rows of the grid, with `*` where a tent stands.

    Raises
    ------
    InputError
        If the objective is `farthest` and the instance has no layout to differ from.
    """
    model = cp_model.CpModel()
    # has_tent[cell]: a tent stands on the open cell (rule 1).
    has_tent = {cell: model.new_bool_var("") for cell in instance.open_cells}
    # are_pair[tree, cell]: the cell has a tent, and it belongs to the tree.
    are_pair = {
        (tree, cell): model.new_bool_var("") for tree, cells in instance.cells_beside.items() for cell in cells
    }

    # Rule 2: a block of 2x2 cells has one tent at most.
    for r in range(instance.height):
        for c in range(instance.width):
            block = [(r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)]
            model.add_at_most_one(has_tent[cell] for cell in block if cell in has_tent)

    # Rule 3: a tree is in exactly one pair, or broken; a cell is in exactly one, or has no tent.
    is_broken: list[cp_model.LiteralT] = []
    for tree, cells in instance.cells_beside.items():
        pairs: list[cp_model.LiteralT] = [are_pair[tree, cell] for cell in cells]
        if objective == "fewest-broken":
            pairs.append(model.new_bool_var(""))
            is_broken.append(pairs[-1])
        model.add_exactly_one(pairs)
    for cell, trees in instance.trees_beside.items():
        model.add_exactly_one(~has_tent[cell], *(are_pair[tree, cell] for tree in trees))

    # Rule 4: a line has as many tents as its number says.
    for number, cells in instance.numbered_lines.values():
        tents = cp_model.LinearExpr.sum([has_tent[cell] for cell in cells])
        if objective != "fewest-broken":
            model.add_linear_constraint(tents, number, number)
            continue
        # broken: the line has another number of tents; exactly then, so that the value is the layout's own.
        broken = model.new_bool_var("")
        domain = cp_model.Domain(number, number)
        model.add_linear_expression_in_domain(tents, domain).only_enforce_if(~broken)
        model.add_linear_expression_in_domain(tents, domain.complement()).only_enforce_if(broken)
        is_broken.append(broken)

    counted = _differences(instance, has_tent) if objective == "farthest" else is_broken
    sense = {"solution": None, "farthest": Sense.MAXIMIZE, "fewest-broken": Sense.MINIMIZE}[objective]

    def read(values: Sequence[int]) -> tuple[str, ...]:
        return instance.layout({cell for cell, variable in has_tent.items() if values[variable.index]})

    return CpsatModel(model, cp_model.LinearExpr.sum(counted), sense, read, has_tent, CpsatSettings(workers=1))


def _differences(
    instance: TentsPuzzle, has_tent: dict[tuple[int, int], cp_model.IntVar]
) -> list[cp_model.LiteralT]:
    """Give for every open cell the literal that it differs from the given layout."""
    if instance.apart_from is None:
        raise InputError(f"farthest: {instance.name} has no layout to differ from")
    other = instance.apart_from
    return [~tent if other[r][c] == TENT else tent for (r, c), tent in has_tent.items()]
