"""The solutions that some walls allow, with every number of a wall switched on or off, in one SAT solver.

For generating only: this third, plainest formula proves nothing to anyone. It has a variable a floor cell and no
others but the switches, one clause a cell (some bulb lights it) and one for every two cells of a run (not both).
"""

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations
from random import Random

from pysat.solvers import Solver

from twinproof.models.generation.chance import shuffled
from twinproof.models.grid import Cell, neighbours4
from twinproof.models.lightup.instance import LightUpPuzzle


def numbers(puzzle: LightUpPuzzle, bulbs: Collection[Cell]) -> dict[Cell, int]:
    """Count the bulbs beside every wall that has floor beside it.

    Parameters
    ----------
    puzzle : LightUpPuzzle
        The walls and the floor; its clues do not matter.
    bulbs : collection of Cell
        Where bulbs stand.

    Returns
    -------
    dict of Cell to int
        The number of bulbs beside each such wall.
    """
    floor = set(puzzle.floor)
    beside = {wall: [cell for cell in neighbours4(wall) if cell in floor] for wall in puzzle.walls}
    return {wall: sum(cell in bulbs for cell in cells) for wall, cells in beside.items() if cells}


class Solutions:
    """All solutions but one that meet the numbers which are switched on.

    Parameters
    ----------
    puzzle : LightUpPuzzle
        Its walls have no number.
    bulbs : collection of Cell
        The one solution, which gives the walls their numbers.
    """

    def __init__(self, puzzle: LightUpPuzzle, bulbs: Collection[Cell]) -> None:
        self._cells = puzzle.floor
        bulb = {cell: i for i, cell in enumerate(puzzle.floor, start=1)}
        # This solver lets its phases be set, and is always the same: it draws no random numbers.
        self._solver = Solver(name="minisat22")
        lights: dict[Cell, list[int]] = {cell: [] for cell in puzzle.floor}
        for run in (*puzzle.row_runs, *puzzle.column_runs):
            literals = [bulb[cell] for cell in run]
            for first, second in combinations(literals, 2):
                self._solver.add_clause([-first, -second])
            for cell in run:
                lights[cell] += literals
        for literals in lights.values():
            self._solver.add_clause(literals)
        # No solution has all bulbs of another and more, so another one lacks a bulb.
        self._solver.add_clause([-bulb[cell] for cell in puzzle.floor if cell in bulbs])
        self._switch: dict[Cell, int] = {}
        for wall, number in numbers(puzzle, bulbs).items():
            switch = self._switch[wall] = len(bulb) + len(self._switch) + 1
            beside = [bulb[cell] for cell in neighbours4(wall) if cell in bulb]
            for clause in _exactly(beside, number):
                self._solver.add_clause([-switch, *clause])
        # Another solution shall show as many places as possible where the numbers say too little.
        self._solver.set_phases([-bulb[cell] if cell in bulbs else bulb[cell] for cell in puzzle.floor])

    def __enter__(self) -> "Solutions":
        return self

    def __exit__(self, *exception: object) -> None:
        self._solver.delete()

    def other(self) -> frozenset[Cell] | None:
        """Give the bulbs of another solution with all numbers; None if there is none."""
        if not self._solver.solve(assumptions=list(self._switch.values())):
            return None
        model: Sequence[int] = self._solver.get_model()
        return frozenset(cell for cell, literal in zip(self._cells, model, strict=False) if literal > 0)

    def needed(self, rng: Random, minimal: bool) -> list[Cell]:
        """Choose walls whose numbers leave no other solution.

        Parameters
        ----------
        rng : Random
        minimal : bool
            Whether none of them may be left out.

        Returns
        -------
        list of Cell
            In the order of the walls. All numbers together must leave no other solution.
        """
        order = shuffled(rng, self._switch.values())
        undecided = self._core(order, order)
        assert undecided is not None, "all numbers together leave no other solution"
        kept: list[int] = []
        while minimal and undecided:
            switch = undecided.pop()
            core = self._core([*kept, *undecided], undecided)
            if core is None:
                kept.append(switch)
            else:
                undecided = core
        chosen = {*kept, *undecided}
        return [wall for wall, switch in self._switch.items() if switch in chosen]

    def _core(self, switched_on: Sequence[int], among: Sequence[int]) -> list[int] | None:
        """Keep those of some switches that rule out every other solution; None if there is another one."""
        if self._solver.solve(assumptions=list(switched_on)):
            return None
        core = set(self._solver.get_core() or ())
        return [switch for switch in among if switch in core]


def _exactly(literals: Sequence[int], number: int) -> Iterator[list[int]]:
    """Demand that exactly this number is true: not one more, and not one fewer."""
    for some in combinations(literals, number + 1):
        yield [-literal for literal in some]
    for some in combinations(literals, len(literals) - number + 1):
        yield list(some)
