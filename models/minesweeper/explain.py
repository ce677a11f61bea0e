"""Why: the fewest clues that prove a cell safe or mined, and the fewest that contradict each other."""

from dataclasses import dataclass
from functools import lru_cache

from twinproof.models.grid import Cell, show
from twinproof.models.minesweeper.instance import MinesweeperPuzzle
from twinproof.models.minesweeper.maxsat import build_rules, mine_literals
from twinproof.models.violation import RulesMus, Violation
from twinproof.optim import InputError
from twinproof.optim.sat.backbone import IncrementalFormula
from twinproof.optim.sat.encodings import Clause
from twinproof.optim.sat.mus import mus_of_rules, smallest_mus


@dataclass(frozen=True)
class Explanation:
    """Why a cell is what it is.

    Parameters
    ----------
    cell : Cell
    mine : bool
        Whether there is a mine.
    reasons : tuple of Violation
        The rules (clues, trusted flags, the number of mines) that force it. Were the cell otherwise, one of them
        would be broken; and none of them can be left out.
    is_smus : bool
        Whether it is proved that no fewer rules force it.
    """

    cell: Cell
    mine: bool
    reasons: tuple[Violation, ...]
    is_smus: bool


def explain(puzzle: MinesweeperPuzzle, cell: Cell, time_limit: float | None = None) -> Explanation:
    """Find the fewest rules of a board that force a cell.

    Parameters
    ----------
    puzzle : MinesweeperPuzzle
    cell : Cell
        Hidden or flagged.
    time_limit : float, optional
        Seconds after which rules that may not be the fewest are good enough.

    Raises
    ------
    InputError
        If it is no such cell, it is not forced, or the board contradicts itself.
    """
    if cell not in puzzle.unknown:
        raise InputError(f"{puzzle.name}: {show(cell)}: no hidden cell of the board")
    clauses, rules = _guarded(puzzle)
    mined, free = _opposites(puzzle, cell)
    with IncrementalFormula(clauses) as formula:
        can_be_mined = formula.solve([*rules, mined]) is not None
        can_be_free = formula.solve([*rules, free]) is not None
    if not can_be_mined and not can_be_free:
        raise InputError(f"{puzzle.name}: the board contradicts itself, so nothing follows from it")
    if can_be_mined and can_be_free:
        raise InputError(f"{puzzle.name}: {show(cell)}: open, some layouts have a mine there and some none")
    found = force(puzzle, cell, can_be_mined, time_limit)
    assert found is not None
    return found


def force(
    puzzle: MinesweeperPuzzle,
    cell: Cell,
    mine: bool,
    time_limit: float | None = None,
    fewer_than: int | None = None,
) -> Explanation | None:
    """Find the fewest rules of a board that force a cell to be as it is said; None if they do not.

    Parameters
    ----------
    puzzle : MinesweeperPuzzle
        Its rules do not contradict each other.
    cell : Cell
        Hidden or flagged.
    mine : bool
        Whether it is said to hold a mine.
    time_limit : float, optional
        See `explain`.
    fewer_than : int, optional
        Where as many rules are needed at least, any that force it will do.
    """
    clauses, rules = _guarded(puzzle)
    mined, free = _opposites(puzzle, cell)
    core = smallest_mus(clauses, list(rules), [free if mine else mined], time_limit, fewer_than)
    if core is None:
        return None
    return Explanation(cell, mine, tuple(rules[rule] for rule in core.statements), core.is_smus)


def _opposites(puzzle: MinesweeperPuzzle, cell: Cell) -> tuple[int, int]:
    """Give the literals that say that a cell can hold a mine, and that it can hold none."""
    literals = mine_literals(puzzle)
    if cell in puzzle.beyond:
        # These can change places, and the formula keeps them sorted: the first is the likeliest to hold a mine.
        return literals[puzzle.beyond[0]], -literals[puzzle.beyond[-1]]
    return literals[cell], -literals[cell]


@lru_cache(maxsize=2)
def _guarded(puzzle: MinesweeperPuzzle) -> tuple[list[Clause], dict[int, Violation]]:
    """Give the rules in clauses, each under the literal that must be true for it to be in force."""
    model, rules = build_rules(puzzle)
    return model.clauses, {-broken: rule for broken, rule in zip(model.counted, rules, strict=True)}


def find_mus(puzzle: MinesweeperPuzzle, time_limit: float | None = None) -> RulesMus | None:
    """Find the fewest rules of a board (clues, trusted flags, the number of mines) that cannot hold together.

    Parameters
    ----------
    puzzle : MinesweeperPuzzle
    time_limit : float, optional
        Seconds after which rules that may not be the fewest are good enough.

    Returns
    -------
    RulesMus or None
        None if the board has a layout.
    """
    model, rules = build_rules(puzzle)
    core = mus_of_rules(model, time_limit=time_limit)
    return None if core is None else RulesMus(tuple(rules[place] for place in core[0]), core[1])
