"""Fractional packings, by linear programming."""

from collections.abc import Iterable, Sequence

from ortools.linear_solver import pywraplp

from twinproof.optim.errors import EngineError


def fractional_packing(size: int, rows: Iterable[tuple[Sequence[int], int]]) -> list[float]:
    """Give numbers of 0 or more, as large as possible together, of which no row holds more than its room.

    Parameters
    ----------
    size : int
        How many numbers.
    rows : iterable of (sequence of int, int)
        The places of numbers, and the most that these may be together. Every number must be in a row.

    Returns
    -------
    list of float
        Exact up to the solver's tolerance: who needs more rounds them down.

    Raises
    ------
    EngineError
        If the solver finds no optimum.
    """
    solver = pywraplp.Solver.CreateSolver("GLOP")
    numbers = [solver.NumVar(0, solver.infinity(), "") for _ in range(size)]
    for places, room in rows:
        solver.Add(solver.Sum([numbers[place] for place in places]) <= room)
    solver.Maximize(solver.Sum(numbers))
    if solver.Solve() != pywraplp.Solver.OPTIMAL:
        raise EngineError("the linear program of a fractional packing was not solved")
    return [number.solution_value() for number in numbers]
