"""Claims about an instance, and for each the formula that has a model if the claim is false.

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

The rules in clauses are a puzzle's own: the function `encode` of its part `clauses`. A part that also has
`encode_lex_leaders` can break symmetries: its clauses allow, of the layouts that are alike up to a symmetry, the
lexicographically first one at least, and perhaps not the others.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from twinproof.models.grid import Cell
from twinproof.models.puzzle import Layout, Objective, Puzzle
from twinproof.optim import InputError, Sense
from twinproof.optim.proof.cardinality import at_least, at_most
from twinproof.optim.proof.cnf import Encoding, Formula

CLAIMS = ("optimum", "unique", "infeasible", "forced")

BY_LEX_LEADERS = "encode_lex_leaders"
"""The name of the function for lex-leader symmetry breaking in a puzzle's part `clauses`."""


@dataclass(frozen=True)
class Claim:
    """What is claimed about an instance.

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


def check_claim(puzzle: Puzzle[Any], instance: Any, kind: str, objective: str | None) -> None:
    """Refuse a claim that would not mean for a puzzle what its words say.

    Parameters
    ----------
    puzzle : Puzzle
        The puzzle.
    instance : Any
        Its instance.
    kind : str
        One of `puzzle.claims`.
    objective : str or None
        The objective that the claim is about, if it is about one.

    Raises
    ------
    InputError
        If it is such a claim.
    """
    if kind not in puzzle.claims:
        raise InputError(f"claim {kind}: not of {puzzle.name}; what can be claimed is {', '.join(puzzle.claims)}")
    if objective is None:
        return
    after = puzzle.objective(objective).after
    if after is not None and (puzzle.fixed is None or puzzle.fixed(instance) is None):
        raise InputError(f"{objective}: can be certified only of an instance that fixes the value of {after}")


def countable(puzzle: Puzzle[Any], name: str) -> Objective:
    """Give the objective of a name, whose value is a number of marks.

    Parameters
    ----------
    puzzle : Puzzle
        The puzzle.
    name : str
        The name of an objective.

    Returns
    -------
    Objective
        One that is optimised and whose `counts` is the mark.

    Raises
    ------
    InputError
        If there is none, or a certificate cannot speak of it.
    """
    known = {
        one.name: one
        for one in puzzle.objectives
        if one.counts is not None and one.sense is not None and not one.may_break and not one.relative
    }
    if name not in known:
        can_be = ", ".join(known) or "none"
        raise InputError(
            f"objective {name!r}: cannot be certified for {puzzle.name}; those that can be: {can_be}; "
            f"its claims: {', '.join(puzzle.claims)}"
        )
    return known[name]


def can_break_symmetries(puzzle: Puzzle[Any]) -> bool:
    """Whether the puzzle's rules can be written in clauses with lex-leader symmetry breaking."""
    return hasattr(puzzle.part("clauses"), BY_LEX_LEADERS)


def encode(puzzle: Puzzle[Any], instance: Any, lex_leaders: bool = False) -> Encoding:
    """Write the rules in clauses.

    Parameters
    ----------
    puzzle : Puzzle
    instance : instance
    lex_leaders : bool
        Whether to allow only some of the layouts that are alike up to a symmetry, the lexicographically first one
        among them.

    Raises
    ------
    InputError
        If the puzzle has no clauses, or symmetry breaking is asked for and it has none.
    """
    if lex_leaders and not can_break_symmetries(puzzle):
        raise InputError(f"encoding: {puzzle.name} has none with lex-leader symmetry breaking")
    write = BY_LEX_LEADERS if lex_leaders else "encode"
    encoding: Encoding = getattr(puzzle.part("clauses", write), write)(instance)
    return encoding


def optimum_bounds(objective: Objective, value: int, better_by: int = 0) -> tuple[int | None, int | None]:
    """Give the bound that is as good as a value, or better by `better_by`: the least, or else the most, value.

    Parameters
    ----------
    objective : Objective
        Its sense says which way is better.
    value : int
        The value.
    better_by : int
        How much better; 0 for as good.

    Returns
    -------
    tuple of (int or None, int or None)
        The least and the most.
    """
    if objective.sense is Sense.MAXIMIZE:
        return value + better_by, None
    return None, value - better_by


def bound(encoding: Encoding, objective: Objective, least: int | None, most: int | None) -> None:
    """Demand a value of at least or at most a number; see `countable`.

    Parameters
    ----------
    encoding : Encoding
        Takes the clauses.
    objective : Objective
        What is counted.
    least, most : int or None
        The bounds; None for no bound.
    """
    mark = objective.counts
    assert mark is not None
    # Nearby cells are counted together first, which makes proofs shorter by far.
    order = _halved([cell for which, cell in encoding.marks if which == mark])
    variables = [encoding.marks[mark, cell] for cell in order]
    if least is not None:
        at_least(encoding.formula, variables, least)
    if most is not None:
        at_most(encoding.formula, variables, most)


def _halved(cells: Sequence[Cell]) -> list[Cell]:
    """Order cells by cutting their rectangle in halves again and again, across its longer side."""
    if len(cells) < 2:
        return list(cells)
    height = max(r for r, _ in cells) - min(r for r, _ in cells)
    width = max(c for _, c in cells) - min(c for _, c in cells)
    along = sorted(cells) if height >= width else sorted(cells, key=lambda cell: (cell[1], cell[0]))
    middle = len(cells) // 2
    return _halved(along[:middle]) + _halved(along[middle:])


def refuted(puzzle: Puzzle[Any], instance: Any, claim: Claim, lex_leaders: bool = False) -> Formula:
    """Give the formula that has a model if a claim is false.

    Parameters
    ----------
    puzzle, instance, lex_leaders
        See `encode`.
    claim : Claim
        Of a known kind; a layout in it fits the instance.

    Raises
    ------
    InputError
        If this puzzle has no such claim, or the formula becomes too large.
    """
    check_claim(puzzle, instance, claim.kind, claim.objective)
    if lex_leaders and claim.kind not in ("optimum", "infeasible"):
        raise InputError(f"encoding: a claim {claim.kind} cannot be proved with symmetry breaking")
    encoding = encode(puzzle, instance, lex_leaders)
    if claim.kind == "optimum":
        assert claim.objective is not None
        assert claim.value is not None
        objective = countable(puzzle, claim.objective)
        bound(encoding, objective, *optimum_bounds(objective, claim.value, better_by=1))
    elif claim.kind == "infeasible":
        if claim.objective is not None:
            bound(encoding, countable(puzzle, claim.objective), claim.at_least, claim.at_most)
    elif claim.kind == "unique":
        _demand_another(encoding, claim)
    else:
        _demand_otherwise(encoding, claim)
    return encoding.formula


def _demand_another(encoding: Encoding, claim: Claim) -> None:
    """Demand a layout other than the unique one."""
    (layout,) = claim.layouts
    true = set(encoding.chosen(layout))
    encoding.formula.add(*(-variable if variable in true else variable for variable in encoding.marks.values()))


def _demand_otherwise(encoding: Encoding, claim: Claim) -> None:
    """Demand a layout that is otherwise on a forced cell."""
    here = {cell: variable for (_, cell), variable in encoding.marks.items()}
    if len(here) < len(encoding.marks):
        raise InputError("claim forced: not where there are several marks for a cell")
    forced = [*claim.without, *claim.with_mark]
    if len(set(forced)) < len(forced) or not set(forced) <= set(here):
        raise InputError("claim: a forced cell stands twice, or is none of those that are asked about")
    encoding.formula.add(*(here[cell] for cell in claim.without), *(-here[cell] for cell in claim.with_mark))
