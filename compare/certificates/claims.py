"""Claims about a puzzle, and for each the formula that has a model if the claim is false.

A claim follows if its layouts are what it says, and this formula has no model.

optimum
    The layout keeps the rules and has the value; a better layout would be a model.
infeasible
    A layout that keeps the rules, and has a value of at least or at most a number if that is part of the claim,
    would be a model.
unique
    The layout keeps the rules; another one that does would be a model.
forced
    On certain cells there is no mark, on certain others there is one, in every layout; on every other cell there
    is one in some of the layouts given, and none in another. A layout that is otherwise on a forced cell would
    be a model.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from twinproof.models.grid import Cell
from twinproof.models.hops import clauses as hops
from twinproof.models.lightup import clauses as lightup
from twinproof.models.minesweeper import clauses as minesweeper
from twinproof.models.sprinklers import clauses as sprinklers
from twinproof.models.starbattle import clauses as starbattle
from twinproof.optim import InputError
from twinproof.optim.proof.cardinality import at_least, at_most
from twinproof.optim.proof.cnf import Board, Formula

__all__ = ["CLAIMS", "Claim", "Layout", "board_of", "bound", "check_claim", "counted_mark", "refuted"]

Layout = tuple[str, ...]

CLAIMS = ("optimum", "unique", "infeasible", "forced")

ENCODERS = {
    "sprinklers": sprinklers,
    "hops": hops,
    "starbattle": starbattle,
    "lightup": lightup,
    "minesweeper": minesweeper,
}
WITH_LEADERS = FIELDS = ("sprinklers", "hops")


@dataclass(frozen=True)
class Claim:
    """What is claimed about a puzzle.

    Parameters
    ----------
    kind : {"optimum", "unique", "infeasible", "forced"}
    objective : str, optional
        What is optimal, or bounded; none if the claim has no number in it.
    value : int, optional
        The optimum.
    at_least, at_most : int, optional
        Of an infeasible claim: no layout has such a value.
    layouts : tuple of layout
        One that is optimal or unique; those that show which cells are open; none for an infeasible claim.
    without, with_mark : tuple of Cell
        Of a forced claim: the cells that never have a mark, and those that always do.
    """

    kind: str
    objective: str | None = None
    value: int | None = None
    at_least: int | None = None
    at_most: int | None = None
    layouts: tuple[Layout, ...] = ()
    without: tuple[Cell, ...] = ()
    with_mark: tuple[Cell, ...] = ()


def check_claim(name: str, puzzle: Any, kind: str, objective: str | None) -> None:
    """Refuse a claim that would not mean for a puzzle what its words say.

    Raises
    ------
    InputError
        If it is such a claim.
    """
    if kind in ("unique", "forced") and name in FIELDS:
        raise InputError(f"claim {kind}: not of {name}, whose layouts are better or worse")
    if name == "hops" and objective == "fewest-sprinklers" and puzzle.hops is None:
        raise InputError(f"{objective}: can be certified for a fixed number of hops only, --hops")


def counted_mark(name: str, objective: str) -> str:
    """Give the mark whose number is an objective's value.

    Raises
    ------
    InputError
        If the objective counts no mark.
    """
    counted: Mapping[str, str] = ENCODERS[name].COUNTED
    mark = counted.get(objective)
    if mark is None:
        known = ", ".join(counted) or "none"
        raise InputError(f"objective {objective!r}: cannot be certified for {name}; those that can be: {known}")
    return mark


def board_of(name: str, puzzle: Any, leaders: bool = False) -> Board:
    """Write the rules of a puzzle in clauses.

    Parameters
    ----------
    name : str
        The puzzle's name.
    puzzle : Puzzle
    leaders : bool
        Whether to look only for a layout that is the first of those alike up to a symmetry.

    Raises
    ------
    InputError
        If leaders are asked for and this puzzle has none.
    """
    if not leaders:
        return _encode(name)(puzzle)
    if name not in WITH_LEADERS:
        raise InputError(f"encoding: {name} has none with leaders")
    return _encode(name)(puzzle, leaders=True)


def _encode(name: str) -> Callable[..., Board]:
    encode: Callable[..., Board] = ENCODERS[name].encode
    return encode


def bound(board: Board, mark: str, least: int | None, most: int | None) -> None:
    """Demand at least or at most so many of a mark."""
    # Nearby cells are counted together first, which makes proofs shorter by far.
    order = _halved([cell for which, cell in board.marks if which == mark])
    variables = [board.marks[mark, cell] for cell in order]
    if least is not None:
        at_least(board.formula, variables, least)
    if most is not None:
        at_most(board.formula, variables, most)


def _halved(cells: Sequence[Cell]) -> list[Cell]:
    """Order cells by cutting their rectangle in halves again and again, across its longer side."""
    if len(cells) < 2:
        return list(cells)
    height = max(r for r, _ in cells) - min(r for r, _ in cells)
    width = max(c for _, c in cells) - min(c for _, c in cells)
    along = sorted(cells) if height >= width else sorted(cells, key=lambda cell: (cell[1], cell[0]))
    middle = len(cells) // 2
    return _halved(along[:middle]) + _halved(along[middle:])


def refuted(name: str, puzzle: Any, claim: Claim, leaders: bool = False) -> Formula:
    """Give the formula that has a model if a claim is false.

    Parameters
    ----------
    name, puzzle, leaders
        See `board_of`.
    claim : Claim
        Of a known kind; a layout in it fits the puzzle.

    Raises
    ------
    InputError
        If this puzzle has no such claim, or the formula becomes too large.
    """
    check_claim(name, puzzle, claim.kind, claim.objective)
    if leaders and claim.kind not in ("optimum", "infeasible"):
        raise InputError(f"encoding: a claim {claim.kind} cannot be proved for leaders only")
    board = board_of(name, puzzle, leaders)
    if claim.kind == "optimum":
        assert claim.objective is not None
        assert claim.value is not None
        mark = counted_mark(name, claim.objective)
        if claim.objective.startswith("most"):
            bound(board, mark, claim.value + 1, None)
        else:
            bound(board, mark, None, claim.value - 1)
    elif claim.kind == "infeasible":
        if claim.objective is not None:
            bound(board, counted_mark(name, claim.objective), claim.at_least, claim.at_most)
    elif claim.kind == "unique":
        (layout,) = claim.layouts
        true = set(board.chosen(layout))
        board.formula.add(*(-variable if variable in true else variable for variable in board.marks.values()))
    else:
        here = {cell: variable for (_, cell), variable in board.marks.items()}
        forced = [*claim.without, *claim.with_mark]
        if len(set(forced)) < len(forced) or not set(forced) <= set(here):
            raise InputError("claim: a forced cell stands twice, or is none of those that are asked about")
        board.formula.add(*(here[cell] for cell in claim.without), *(-here[cell] for cell in claim.with_mark))
    return board.formula
