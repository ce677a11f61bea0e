"""Light Up as partial MaxSAT: along every run a ladder of "a bulb stands here or before", by clauses.

A ladder allows one bulb, and its last rung says whether the run is lit. A bulb is on exactly one run along a row
and one along a column, and a run has at most one. So the number of bulbs is the number of lit runs along either:
soft clauses count those.
"""

from collections.abc import Sequence
from itertools import combinations, product

from pysat.formula import IDPool

from twinproof.models.grid import Cell
from twinproof.models.lightup.instance import BULB, LightUpPuzzle, Run, clue_rule
from twinproof.models.violation import Violation
from twinproof.optim.maxsat import MaxsatModel, MaxsatSettings
from twinproof.optim.sat.encodings import Clause


def build_maxsat(puzzle: LightUpPuzzle, objective: str = "solution") -> MaxsatModel[tuple[str, ...]]:
    """Build the formula.

    Parameters
    ----------
    puzzle : LightUpPuzzle
    objective : {"solution", "fewest-bulbs", "most-bulbs", "farthest", "fewest-broken"}

    Returns
    -------
    MaxsatModel
        Its layouts are the rows of the grid, with `*` where a bulb stands.

    Raises
    ------
    InputError
        If the objective is unknown or lacks a layout to differ from.
    """
    sense = puzzle.sense(objective)
    pool = IDPool()
    # bulb[cell]: a bulb stands on the floor cell.
    bulb = {cell: pool.id() for cell in puzzle.floor}
    clauses: list[Clause] = []
    lit_rows = _append_ladders(clauses, puzzle.row_runs, bulb, pool)
    lit_columns = _append_ladders(clauses, puzzle.column_runs, bulb, pool)
    _append_light(clauses, lit_rows, lit_columns)
    # What is counted is counted along the shorter side of the grid: the cores that RC2 finds there are smaller.
    shorter = lit_columns if puzzle.height < puzzle.width else lit_rows

    counted: list[int] = []  # as many of these literals are true as the value says
    if objective == "fewest-broken":
        met = _append_breakable_clues(clauses, puzzle, bulb, pool)
        counted = [-literal for literal in met.values()]
    else:
        _append_clues(clauses, puzzle, bulb)
    if objective in ("fewest-bulbs", "most-bulbs"):
        counted = list(shorter.values())
    if objective == "farthest":
        counted = _append_differences(clauses, puzzle, bulb, shorter, pool)

    def read(values: Sequence[int]) -> tuple[str, ...]:
        return puzzle.layout({cell for cell, variable in bulb.items() if values[variable]})

    # `adapt` propagates every soft clause on its own, which takes most of a minute on 100x100 cells; making cores
    # smaller costs more than it saves, as the ladders keep them small.
    settings = MaxsatSettings(adapt=False, exhaust=False, minz=False)
    return MaxsatModel(clauses, pool.top, tuple(counted), sense, read, bulb, settings)


def build_rules(puzzle: LightUpPuzzle) -> tuple[MaxsatModel[tuple[str, ...]], tuple[Violation, ...]]:
    """Build the formula of `fewest-broken`, with the rule that each of its counted literals stands for.

    Returns
    -------
    model : MaxsatModel
    rules : tuple of Violation
        The i-th names the number that is not met if the i-th counted literal is true.
    """
    return build_maxsat(puzzle, "fewest-broken"), tuple(clue_rule(puzzle, wall) for wall in puzzle.clues)


def _append_ladders(
    clauses: list[Clause], runs: Sequence[Run], bulb: dict[Cell, int], pool: IDPool
) -> dict[Run, int]:
    """Rule 3: at most one bulb on a run. Give for every run the literal that there is one.

    References
    ----------
    I. P. Gent and P. Nightingale, "A new encoding of all different into SAT", 2004: the ladder.
    """
    lit = {}
    for run in runs:
        before = bulb[run[0]]
        for cell in run[1:]:
            here = bulb[cell]
            rung = pool.id()
            # rung is (before or here), and not both are true.
            clauses += [[-before, rung], [-here, rung], [before, here, -rung], [-before, -here]]
            before = rung
        lit[run] = before
    return lit


def _append_light(clauses: list[Clause], lit_rows: dict[Run, int], lit_columns: dict[Run, int]) -> None:
    """Rule 2: the row or the column of a floor cell is lit."""
    lit_row = {cell: lit for run, lit in lit_rows.items() for cell in run}
    for run, lit in lit_columns.items():
        clauses += [[lit_row[cell], lit] for cell in run]


def _append_clues(clauses: list[Clause], puzzle: LightUpPuzzle, bulb: dict[Cell, int]) -> None:
    """Rule 4: of any clue + 1 cells beside a wall one has no bulb, of any (cells - clue) + 1 one has a bulb."""
    for wall, clue in puzzle.clues.items():
        beside = [bulb[cell] for cell in puzzle.beside[wall]]
        if clue > len(beside):
            clauses.append([])
            continue
        clauses.extend([-literal for literal in some] for some in combinations(beside, clue + 1))
        clauses.extend(list(some) for some in combinations(beside, len(beside) - clue + 1))


def _append_breakable_clues(
    clauses: list[Clause], puzzle: LightUpPuzzle, bulb: dict[Cell, int], pool: IDPool
) -> dict[Cell, int]:
    """Give for every wall with a number a literal that is true exactly if the number is met: one clause a case."""
    met = {}
    for wall, clue in puzzle.clues.items():
        met[wall] = pool.id()
        beside = [bulb[cell] for cell in puzzle.beside[wall]]
        for case in product((False, True), repeat=len(beside)):
            other_case = [-literal if stands else literal for literal, stands in zip(beside, case, strict=True)]
            clauses.append([*other_case, met[wall] if sum(case) == clue else -met[wall]])
    return met


def _append_differences(
    clauses: list[Clause], puzzle: LightUpPuzzle, bulb: dict[Cell, int], lit_runs: dict[Run, int], pool: IDPool
) -> list[int]:
    """Give literals of which as many are true as cells differ from the given layout.

    Counted run by run, as a run has at most one bulb: where the other layout has none, one cell differs if the run
    is lit; where it has one, a cell differs if that bulb is gone, and another if a bulb stands elsewhere.
    """
    other = puzzle.apart_from or ()
    differs = []
    for run, lit in lit_runs.items():
        theirs = [cell for cell in run if other[cell[0]][cell[1]] == BULB]
        if not theirs:
            differs.append(lit)
        elif len(theirs) == 1:
            kept, elsewhere = bulb[theirs[0]], pool.id()
            clauses.extend([[-elsewhere, lit], [-elsewhere, -kept], [elsewhere, -lit, kept]])
            differs += [-kept, elsewhere]
        else:  # no solution, and so no rule says anything about its runs
            differs += [-bulb[cell] if cell in theirs else bulb[cell] for cell in run]
    return differs
