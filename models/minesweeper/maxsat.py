"""Minesweeper as partial MaxSAT: every clue by the sets of cells that would be too many mines or too few."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations, pairwise

from pysat.formula import IDPool

from twinproof.models.grid import Cell
from twinproof.models.minesweeper.instance import MINE, OBJECTIVES, MinesweeperPuzzle
from twinproof.models.violation import Violation
from twinproof.optim import InputError
from twinproof.optim.maxsat import MaxsatModel
from twinproof.optim.sat.encodings import Clause
from twinproof.optim.sat.totalizer import totalizer


def build_maxsat(puzzle: MinesweeperPuzzle, objective: str = "solution") -> MaxsatModel[tuple[str, ...]]:
    """Build the formula.

    If the number of mines is known, then of layouts that differ only in the order of the cells in
    `puzzle.beyond` one is left, with the mines first in that order (for `farthest` in another, which leaves the
    layout that is farthest; the model's `complete` leaves all).

    Parameters
    ----------
    puzzle : MinesweeperPuzzle
    objective : {"solution", "fewest-mines", "most-mines", "farthest", "fewest-broken"}

    Returns
    -------
    MaxsatModel
        Its layouts are rows, as `MinesweeperPuzzle.rows` draws them.

    Raises
    ------
    InputError
        If the objective is `farthest` and the puzzle has no layout to be apart from.
    """
    if objective != "farthest":
        return _build(puzzle, objective, puzzle.beyond)
    if puzzle.apart_from is None:
        raise InputError(f"{puzzle.name}: farthest: needs a layout to be apart from")
    # The distance is greatest if mines move to where there was none.
    there = puzzle.apart_from
    order = sorted(puzzle.beyond, key=lambda cell: there[cell[0]][cell[1]] == MINE)
    return replace(_build(puzzle, objective, order), complete=partial(_build, puzzle, objective, ()))


def _build(puzzle: MinesweeperPuzzle, objective: str, alike: Sequence[Cell]) -> MaxsatModel[tuple[str, ...]]:
    """Build the formula; of cells that are alike, those come first that shall hold a mine first."""
    # M[cell]: the cell holds a mine.
    M = mine_literals(puzzle)  # noqa: N806 - the letter of the mines
    pool = IDPool(start_from=len(M) + 1)
    hard: list[Clause] = []
    # H[clue]: the clue holds; made only where clues may be wrong.
    H: dict[Cell, int] = {}  # noqa: N806

    for clue, k in puzzle.clues.items():
        cells = [M[cell] for cell in puzzle.around[clue]]
        if objective != "fewest-broken":
            hard += exactly(cells, k)
            continue
        h = H[clue] = pool.id()
        hard += [[-h, *clause] for clause in exactly(cells, k)]
        # Whichever k cells are the mines, and the others none: then the clue holds.
        for chosen in map(set, combinations(cells, k)):
            hard.append([h, *(-lit if lit in chosen else lit for lit in cells)])

    hard += [[M[cell]] for cell in puzzle.trusted]

    if puzzle.mines is not None:
        # Clues that share no cell settle how many mines their cells hold: only the others need counting.
        settled = {} if objective == "fewest-broken" else _apart(puzzle)
        done = {cell for clue in settled for cell in puzzle.around[clue]}.union(alike)
        others = [lit for cell, lit in M.items() if cell not in done]
        chain = [M[cell] for cell in alike]
        hard += exactly_in_all(others, chain, puzzle.mines - sum(settled.values()), pool)

    counted = _counted(puzzle, objective, M, H, pool, hard)

    def read(values: Sequence[int]) -> tuple[str, ...]:
        return puzzle.rows({cell for cell, lit in M.items() if values[lit]})

    return MaxsatModel(hard, max(pool.top, len(M)), tuple(counted), OBJECTIVES[objective], read, M)


def build_rules(puzzle: MinesweeperPuzzle) -> tuple[MaxsatModel[tuple[str, ...]], tuple[Violation, ...]]:
    """Build the formula of `fewest-broken` and name the rule behind each of its counted literals.

    Returns
    -------
    MaxsatModel
    tuple of Violation
        The i-th is what it means that the i-th counted literal is true.
    """
    rules = tuple(
        Violation("clue", (clue,), f"there must be {k} mines round it") for clue, k in puzzle.clues.items()
    )
    return build_maxsat(puzzle, "fewest-broken"), rules


def mine_literals(puzzle: MinesweeperPuzzle) -> dict[Cell, int]:
    """Give the variable in the formula of each cell that can hold a mine."""
    return {cell: i for i, cell in enumerate(puzzle.unknown, start=1)}


def exactly(literals: Sequence[int], k: int) -> list[Clause]:
    """Demand that exactly k of a few literals are true: none of the sets that are too many, or too few.

    No variable is added, and unit propagation finds every value that the count alone forces. For the eight cells
    round a clue there are at most 112 clauses.

    Parameters
    ----------
    literals : sequence of int
        Those that are counted.
    k : int
        How many of them are true.

    Returns
    -------
    list of list of int
        Clauses; a single empty one if there cannot be k of them.
    """
    n = len(literals)
    if not 0 <= k <= n:
        return [[]]
    too_many: Iterable[tuple[int, ...]] = combinations([-lit for lit in literals], k + 1)
    too_few: Iterable[tuple[int, ...]] = combinations(literals, n - k + 1)
    return [*map(list, too_many), *map(list, too_few)]


def exactly_in_all(literals: Sequence[int], chain: Sequence[int], k: int, pool: IDPool) -> list[Clause]:
    """Demand that exactly k of many literals are true: a totalizer counts some, a chain counts itself.

    Parameters
    ----------
    literals : sequence of int
        Any; their number is counted in unary by auxiliary variables.
    chain : sequence of int
        Literals that can change places: they are sorted, the true ones first, and so are a unary number already.
        Of the solutions that differ in the order of the chain only one is left.
    k : int
        Below 0 or above the number of literals there is no way.
    pool : IDPool
        Source of new variables.
    """
    size = len(literals) + len(chain)
    if not 0 <= k <= size:
        return [[]]
    if 2 * k > size:
        # The fewer are counted, the shorter.
        literals, chain, k = [-lit for lit in literals], [-lit for lit in reversed(chain)], size - k
    clauses = [[before, -after] for before, after in pairwise(chain)]
    counter, reaches = totalizer(literals, k + 1, pool)
    clauses += counter
    # With j of the literals or more, at most k - j of the chain are true ...
    for j in range(min(len(literals), k + 1) + 1):
        if k - j < len(chain):
            clauses.append(([-reaches[j - 1]] if j else []) + ([-chain[k - j]] if j <= k else []))
    # ... and with fewer than j + 1 of them, at least k - j.
    for j in range(min(len(literals), k - 1) + 1 if k else 0):
        more = [reaches[j]] if j < len(literals) else []
        clauses.append(more + ([chain[k - j - 1]] if k - j <= len(chain) else []))
    return clauses


def _apart(puzzle: MinesweeperPuzzle) -> dict[Cell, int]:
    """Choose clues no two of which tell of the same cell, greedily those that tell of the most."""
    chosen: dict[Cell, int] = {}
    taken: set[Cell] = set()
    for clue in sorted(puzzle.clues, key=lambda clue: -len(puzzle.around[clue])):
        if taken.isdisjoint(puzzle.around[clue]):
            chosen[clue] = puzzle.clues[clue]
            taken.update(puzzle.around[clue])
    return chosen


def _counted(
    puzzle: MinesweeperPuzzle,
    objective: str,
    M: dict[Cell, int],  # noqa: N803
    H: dict[Cell, int],  # noqa: N803
    pool: IDPool,
    hard: list[Clause],
) -> list[int]:
    """List literals of which as many are true as the value says."""
    if objective == "solution":
        return []
    if objective == "fewest-broken":
        return [-lit for lit in H.values()]
    if objective == "farthest":
        return _unlike(puzzle, M, pool, hard)
    if puzzle.mines is not None:
        # The value is settled, and RC2 need not count to it: so many literals with a known truth.
        settled = pool.id()
        hard.append([settled])
        return [settled] * puzzle.mines
    return list(M.values())


def _unlike(puzzle: MinesweeperPuzzle, M: dict[Cell, int], pool: IDPool, hard: list[Clause]) -> list[int]:  # noqa: N803
    """List literals of which as many are true as cells differ from the layout to be apart from.

    If the number of mines is known, mines lost and mines won depend on each other: with a mines there and
    m here, lost - won = a - m. So the distance is twice the smaller of both and |a - m|, and the cells on one
    side are enough. RC2 would otherwise have to find out, core by core, how many mines can be won.
    """
    there = puzzle.apart_from or ()
    lost = [-lit for (r, c), lit in M.items() if there[r][c] == MINE]
    won = [lit for (r, c), lit in M.items() if there[r][c] != MINE]
    if puzzle.mines is None:
        return lost + won
    settled = pool.id()
    hard.append([settled])
    difference = len(lost) - puzzle.mines
    return 2 * (won if difference > 0 else lost) + [settled] * abs(difference)
