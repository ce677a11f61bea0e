"""Minesweeper as partial MaxSAT: every clue by the sets of cells that would be too many mines or too few."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations, pairwise

from pysat.formula import IDPool

from twinproof.models.grid import Cell
from twinproof.models.minesweeper.instance import MINE, OBJECTIVES, MinesweeperPuzzle
from twinproof.models.violation import Violation
from twinproof.models.words import count_of
from twinproof.optim import InputError
from twinproof.optim.maxsat import MaxsatModel, MaxsatSettings
from twinproof.optim.sat.encodings import Clause
from twinproof.optim.sat.totalizer import totalizer

DEFAULT = MaxsatSettings()


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
    if objective == "fewest-broken":
        return build_rules(puzzle)[0]
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

    for clue, k in puzzle.clues.items():
        hard += exactly([M[cell] for cell in puzzle.around[clue]], k)

    hard += [[M[cell]] for cell in puzzle.trusted]

    if puzzle.mines is not None:
        # Clues that share no cell settle how many mines their cells hold: only the others need counting.
        settled = _apart(puzzle)
        done = {cell for clue in settled for cell in puzzle.around[clue]}.union(alike)
        others = [lit for cell, lit in M.items() if cell not in done]
        chain = [M[cell] for cell in alike]
        hard += exactly_in_all(others, chain, puzzle.mines - sum(settled.values()), pool)

    counted = _counted(puzzle, objective, M, pool, hard)
    sorts_alike = puzzle.mines is not None and len(alike) > 1
    return _model(puzzle, hard, max(pool.top, len(M)), counted, objective, sorts_alike)


def _model(
    puzzle: MinesweeperPuzzle,
    hard: list[Clause],
    top: int,
    counted: Iterable[int],
    objective: str,
    sorts_alike: bool,
) -> MaxsatModel[tuple[str, ...]]:
    M = mine_literals(puzzle)  # noqa: N806

    def read(values: Sequence[int]) -> tuple[str, ...]:
        return puzzle.rows({cell for cell, lit in M.items() if values[lit]})

    # Cores with the total have many clues in them: to make them smaller costs more than it saves.
    settings = MaxsatSettings(adapt=False, exhaust=False, minz=False) if objective == "fewest-broken" else DEFAULT
    alike = "layouts that differ only in the order of cells of which no clue tells" if sorts_alike else ""
    return MaxsatModel(hard, top, tuple(counted), OBJECTIVES[objective], read, M, settings, leaves_out=alike)


def build_rules(puzzle: MinesweeperPuzzle) -> tuple[MaxsatModel[tuple[str, ...]], tuple[Violation, ...]]:
    """Build the formula of `fewest-broken` and name the rule behind each of its counted literals.

    Returns
    -------
    MaxsatModel
        Of layouts that differ only in the order of the cells in `puzzle.beyond` it leaves one, as `build_maxsat`.
    tuple of Violation
        The i-th is the rule that is broken if the i-th counted literal is true.
    """
    M = mine_literals(puzzle)  # noqa: N806
    pool = IDPool(start_from=len(M) + 1)
    hard: list[Clause] = []
    # kept[rule]: the rule holds, exactly then.
    kept: dict[Violation, int] = {}

    for clue, k in puzzle.clues.items():
        cells = [M[cell] for cell in puzzle.around[clue]]
        h = kept[Violation("clue", (clue,), f"there must be {count_of(k, 'mine')} round it")] = pool.id()
        hard += [[-h, *clause] for clause in exactly(cells, k)]
        # Whichever k cells are the mines, and the others none: then the clue holds.
        for chosen in map(set, combinations(cells, k)):
            hard.append([h, *(-lit if lit in chosen else lit for lit in cells)])
    for cell in puzzle.trusted:
        kept[Violation("flag", (cell,), "a trusted flag must stand on a mine")] = M[cell]
    if puzzle.mines is not None:
        k, alike = puzzle.mines, set(puzzle.beyond)
        total = unary(
            [lit for cell, lit in M.items() if cell not in alike], [M[c] for c in puzzle.beyond], k, pool
        )
        h, fewer, more = pool.id(), pool.id(), pool.id()
        kept[Violation("total", (), f"there must be {count_of(k, 'mine')} in all")] = h
        for holds, demands in (
            (h, total.at_most(k) + total.at_least(k)),
            (fewer, total.at_most(k - 1)),
            (more, total.at_least(k + 1)),
        ):
            hard += [[-holds, *clause] for clause in demands]
        hard += [*total.clauses, [h, fewer, more]]
    counted = [-lit for lit in kept.values()]
    sorts_alike = puzzle.mines is not None and len(puzzle.beyond) > 1
    return _model(puzzle, hard, max(pool.top, len(M)), counted, "fewest-broken", sorts_alike), tuple(kept)


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
    number = unary(literals, chain, k, pool)
    return number.clauses + number.at_most(k) + number.at_least(k)


@dataclass(frozen=True)
class Unary:
    """The number of true ones among some literals and a chain, written in unary.

    Parameters
    ----------
    clauses : list of list of int
        They say nothing of the number itself.
    reaches : list of int
        The j-th, from 0, is true exactly if more than j of the literals are.
    chain : sequence of int
        Its true ones come first.
    literals : int
        How many there are.
    """

    clauses: list[Clause]
    reaches: list[int]
    chain: Sequence[int]
    literals: int

    def at_most(self, k: int) -> list[Clause]:
        """Demand it: with j of the literals or more, at most k - j of the chain are true."""
        return [
            ([-self.reaches[j - 1]] if j else []) + ([-self.chain[k - j]] if j <= k else [])
            for j in range(min(self.literals, k + 1) + 1)
            if k - j < len(self.chain)
        ]

    def at_least(self, k: int) -> list[Clause]:
        """Demand it: with fewer than j + 1 of the literals, at least k - j of the chain are true."""
        return [
            ([self.reaches[j]] if j < self.literals else [])
            + ([self.chain[k - j - 1]] if k - j <= len(self.chain) else [])
            for j in range(min(self.literals, k - 1) + 1 if k else 0)
        ]


def unary(literals: Sequence[int], chain: Sequence[int], k: int, pool: IDPool) -> Unary:
    """Count true literals, so far that k, more and fewer can be told apart.

    Parameters
    ----------
    literals, chain, k, pool
        As in `exactly_in_all`.

    Returns
    -------
    Unary
        Of the numbers that can be demanded of it, k + 1 is the greatest.
    """
    clauses = [[before, -after] for before, after in pairwise(chain)]
    counter, reaches = totalizer(literals, k + 1, pool)
    return Unary(clauses + counter, reaches, chain, len(literals))


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
    pool: IDPool,
    hard: list[Clause],
) -> list[int]:
    """List literals of which as many are true as the value says."""
    if objective == "solution":
        return []
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
