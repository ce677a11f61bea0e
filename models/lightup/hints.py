"""How hard a Light Up puzzle is for a person, and the next step from any position."""

from collections.abc import Mapping

from twinproof.models.deduction.hints import Grade, HumanRule, Rule, Step, step_from, steps_from
from twinproof.models.grid import Cell
from twinproof.models.lightup.hint_rules import (
    corner,
    forced,
    kept_dark,
    light_and_number,
    lit,
    long_what_if,
    met,
    only_place,
    two_walls,
    what_if,
)
from twinproof.models.lightup.instance import LightUpPuzzle
from twinproof.models.lightup.position import LightPosition, start

__all__ = ["RULES", "clash", "grade", "is_solved", "next_step", "steps"]

FINDERS: tuple[Rule[LightPosition], ...] = (
    Rule(HumanRule("lit", "lit cells", 1, "A cell that a bulb lights has no bulb."), lit),
    Rule(
        HumanRule(
            "met", "number met", 1, "A wall with all its bulbs has no other beside it, and a 0 none at all."
        ),
        met,
    ),
    Rule(
        HumanRule(
            "forced",
            "number forced",
            1,
            "A wall with as many places beside it as bulbs it lacks has a bulb on each of them.",
        ),
        forced,
    ),
    Rule(
        HumanRule(
            "only place",
            "only one place for light",
            1,
            "A dark cell that can be lit from one place only is lit from there.",
        ),
        only_place,
    ),
    Rule(
        HumanRule(
            "corner",
            "no room for the number",
            2,
            "A cell has no bulb if one would light so many places beside a wall that too few are left for its "
            "number: none at a corner of a 3, or at that of a 2 or 1 whose other places are gone.",
        ),
        corner,
    ),
    Rule(
        HumanRule(
            "kept dark",
            "a cell kept dark",
            3,
            "A cell has no bulb if one would light all places from which some other cell can be lit, but not that "
            "cell.",
        ),
        kept_dark,
    ),
    Rule(
        HumanRule(
            "light and number",
            "lit from beside a number",
            3,
            "If all places from which some cell can be lit are beside a wall that lacks one bulb, its other "
            "places are empty.",
        ),
        light_and_number,
    ),
    Rule(
        HumanRule(
            "two walls",
            "two numbers together",
            3,
            "A place that has a bulb in all ways to place the bulbs of two walls that share places, or see each "
            "other's, has one; a cell that is lit, or beside them and empty, in all ways has none.",
        ),
        two_walls,
    ),
    Rule(
        HumanRule(
            "what-if",
            "suppose one cell",
            4,
            "A cell has no bulb if with one, and what then follows by rules of grade 1, a number cannot be met or "
            "a cell not be lit; and a bulb if that happens without one.",
        ),
        what_if,
    ),
    Rule(
        HumanRule(
            "long what-if",
            "suppose one cell and follow far",
            5,
            "The same, where what then follows by rules of grades 1 to 3 is followed.",
        ),
        long_what_if,
    ),
)

RULES: tuple[HumanRule, ...] = tuple(rule.human for rule in FINDERS)
"""The rules, in the order in which they are tried."""


def grade(puzzle: LightUpPuzzle) -> Grade:
    """Solve a puzzle as a person would, always by the easiest rule that applies.

    Parameters
    ----------
    puzzle : LightUpPuzzle

    Returns
    -------
    Grade
        If it has a grade, the puzzle has one solution: every step holds in all solutions.
    """
    return steps(puzzle, {})


def steps(puzzle: LightUpPuzzle, known: Mapping[Cell, bool]) -> Grade:
    """Do the same from a position; see `next_step`."""
    return steps_from(FINDERS, start(puzzle, known))


def next_step(puzzle: LightUpPuzzle, known: Mapping[Cell, bool]) -> Step | None:
    """Give the step that is easiest from a position.

    Parameters
    ----------
    puzzle : LightUpPuzzle
    known : mapping
        For every cell of which something is known, whether it has a bulb. What follows is as true as this.

    Returns
    -------
    Step or None
        None if the bulbs are a solution, no rule applies, or the position cannot be right (see `clash`).
    """
    return step_from(FINDERS, start(puzzle, known))


def is_solved(puzzle: LightUpPuzzle, known: Mapping[Cell, bool]) -> bool:
    """Whether the bulbs of a position are a solution."""
    return start(puzzle, known).solved


def clash(puzzle: LightUpPuzzle, known: Mapping[Cell, bool]) -> str | None:
    """Say what a position cannot meet, as far as it is seen at a glance; None if there is nothing."""
    return start(puzzle, known).clash()
