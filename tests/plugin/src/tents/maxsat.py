"""Tents and Trees as partial MaxSAT: clauses between touching cells and between pairs, unary counters of lines."""

from collections.abc import Sequence
from itertools import combinations

from pysat.formula import IDPool

from tents.instance import TENT, TentsPuzzle
from twinproof.models.grid import Cell, neighbours8
from twinproof.models.violation import Violation
from twinproof.optim import InputError, Sense
from twinproof.optim.maxsat import MaxsatModel
from twinproof.optim.sat.encodings import Clause
from twinproof.optim.sat.totalizer import totalizer

__all__ = ["build_maxsat", "build_rules"]


def build_maxsat(instance: TentsPuzzle, objective: str = "solution") -> MaxsatModel[tuple[str, ...]]:
    """Build the formula.

    Parameters
    ----------
    instance : TentsPuzzle
    objective : {"solution", "farthest", "fewest-broken"}

    Returns
    -------
    MaxsatModel
        Its layouts are the rows of the grid, with `*` where a tent stands.

    Raises
    ------
    InputError
        If the objective is `farthest` and the instance has no layout to differ from.
    """
    if objective == "fewest-broken":
        return build_rules(instance)[0]
    formula = _Formula(instance)
    formula.clauses += [[kept] for kept in formula.kept.values()]
    if objective == "farthest":
        return formula.model(Sense.MAXIMIZE, _differences(instance, formula.tent))
    return formula.model(None, [])


def build_rules(instance: TentsPuzzle) -> tuple[MaxsatModel[tuple[str, ...]], tuple[Violation, ...]]:
    """Build the formula of `fewest-broken`, and name the rule behind each of its counted literals.

    Returns
    -------
    model : MaxsatModel
        Its clauses can always hold: without any tent.
    rules : tuple of Violation
        The i-th is broken if the i-th counted literal is true.
    """
    formula = _Formula(instance)
    return formula.model(Sense.MINIMIZE, [-kept for kept in formula.kept.values()]), tuple(formula.kept)


class _Formula:
    """The clauses that all objectives share.

    Variables `tent[cell]`: a tent stands on the open cell (rule 1); `pair[tree, cell]`: it belongs to the tree.
    Besides, `kept` holds a literal for every tree and every number: true exactly if the tree has a tent, and if
    the number is met. Whether these must hold is left to the objective.
    """

    def __init__(self, instance: TentsPuzzle) -> None:
        self.instance = instance
        self.pool = IDPool()
        self.tent = {cell: self.pool.id() for cell in instance.open_cells}
        self.clauses: list[Clause] = self._no_two_touch()
        self.kept = self._add_pairs()
        self.kept |= {rule: self._add_number(*line) for rule, line in instance.numbered_lines.items()}

    def model(self, sense: Sense | None, counted: Sequence[int]) -> MaxsatModel[tuple[str, ...]]:
        """Give the finished model; its value is how many of some literals are true."""
        instance, tent = self.instance, self.tent

        def read(values: Sequence[int]) -> tuple[str, ...]:
            return instance.layout({cell for cell, variable in tent.items() if values[variable]})

        return MaxsatModel(self.clauses, self.pool.top, tuple(counted), sense, read, tent)

    def _no_two_touch(self) -> list[Clause]:
        """Rule 2."""
        return [
            [-variable, -self.tent[other]]
            for cell, variable in self.tent.items()
            for other in neighbours8(cell)
            if cell < other and other in self.tent
        ]

    def _add_pairs(self) -> dict[Violation, int]:
        """Rule 3, all but that every tree has a tent: give the literal for it."""
        pair = {
            (tree, cell): self.pool.id() for tree, cells in self.instance.cells_beside.items() for cell in cells
        }
        for cell, variable in self.tent.items():
            pairs = [pair[tree, cell] for tree in self.instance.trees_beside[cell]]
            self.clauses.append([-variable, *pairs])
            self.clauses += [[-literal, variable] for literal in pairs]
            self.clauses += [[-one, -another] for one, another in combinations(pairs, 2)]
        kept = {}
        for tree, cells in self.instance.cells_beside.items():
            pairs = [pair[tree, cell] for cell in cells]
            has_tent = kept[Violation("tree", (tree,), "the tree must have a tent of its own")] = self.pool.id()
            self.clauses += [[-has_tent, *pairs], *([has_tent, -one] for one in pairs)]
            self.clauses += [[-one, -another] for one, another in combinations(pairs, 2)]
        return kept

    def _add_number(self, number: int, cells: Sequence[Cell]) -> int:
        """Rule 4: give a literal that is true exactly if so many of the cells have a tent."""
        met: int = self.pool.id()
        if number > len(cells):
            self.clauses.append([-met])
            return met
        counter, more_than = totalizer([self.tent[cell] for cell in cells], number + 1, self.pool)
        enough = more_than[number - 1 : number] if number > 0 else []
        not_too_many = [-literal for literal in more_than[number : number + 1]]
        demands = [*enough, *not_too_many]
        self.clauses += [
            *counter,
            *([-met, demand] for demand in demands),
            [met, *(-demand for demand in demands)],
        ]
        return met


def _differences(instance: TentsPuzzle, tent: dict[Cell, int]) -> list[int]:
    """Give for every open cell the literal that it differs from the given layout."""
    if instance.apart_from is None:
        raise InputError(f"farthest: {instance.name} has no layout to differ from")
    other = instance.apart_from
    return [-variable if other[r][c] == TENT else variable for (r, c), variable in tent.items()]
