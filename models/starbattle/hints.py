"""How hard a Star Battle puzzle is for a person, and the next step from any position."""

from collections.abc import Mapping

from twinproof.models.deduction.hints import Grade, HumanRule, Rule, Step, step_from, steps_from
from twinproof.models.grid import Cell
from twinproof.models.starbattle.hint_rules import (
    beside_a_star,
    crowding,
    full,
    groups,
    last_places,
    long_what_if,
    needed,
    overlap,
    pointing,
    strips,
    what_if,
)
from twinproof.models.starbattle.instance import StarBattlePuzzle
from twinproof.models.starbattle.position import StarPosition, start

__all__ = ["RULES", "clash", "grade", "is_solved", "next_step", "steps"]

FINDERS: tuple[Rule[StarPosition], ...] = (
    Rule(
        HumanRule("beside a star", "cells beside a star", 1, "Cells that touch a star are empty."), beside_a_star
    ),
    Rule(
        HumanRule("full", "all stars found", 1, "A row, column or region with all its stars has no other."),
        full,
    ),
    Rule(
        HumanRule(
            "last places",
            "only so many places left",
            1,
            "A row, column or region with as many places as stars it lacks has a star on each of them.",
        ),
        last_places,
    ),
    Rule(
        HumanRule(
            "pointing",
            "one within another",
            2,
            "If all places of a row, column or region are in another that lacks as many stars, the other's "
            "remaining places are empty.",
        ),
        pointing,
    ),
    Rule(
        HumanRule(
            "crowding",
            "no room beside it",
            2,
            "A cell is empty where a star would touch so many places of a row, column or region that the stars it "
            "lacks no longer fit.",
        ),
        crowding,
    ),
    Rule(
        HumanRule(
            "needed",
            "no room without it",
            2,
            "A place holds a star if without it the stars that a row, column or region lacks do not fit.",
        ),
        needed,
    ),
    Rule(
        HumanRule(
            "overlap",
            "what two share",
            3,
            "The stars of a row, column or region that do not fit outside another one are in both: if they are "
            "all that the other lacks, it has no star elsewhere; and what both share must have room for them.",
        ),
        overlap,
    ),
    Rule(
        HumanRule(
            "strips",
            "neighbouring lines against regions",
            3,
            "Neighbouring lines without the regions that lie in them, or the regions that touch them without the "
            "lines, hold the difference of their stars. If it is none, these places are empty; else they must "
            "have room for so many, as two lines must for their own.",
        ),
        strips,
    ),
    Rule(
        HumanRule(
            "groups",
            "a few regions against lines",
            3,
            "Two or three regions without the lines that lie in them, or the lines that touch them without the "
            "regions, hold the difference of their stars: the same as strips, where lines need not be neighbours.",
        ),
        groups,
    ),
    Rule(
        HumanRule(
            "what-if",
            "suppose one cell",
            4,
            "A cell has no star if with one, and what then follows by rules of grade 1, stars touch or a row, "
            "column or region has no room; and a star if that happens without one.",
        ),
        what_if,
    ),
    Rule(
        HumanRule(
            "long what-if",
            "suppose one cell and follow far",
            5,
            "The same, where what then follows by rules of grades 1 to 3 is followed (on large boards, 1 and 2).",
        ),
        long_what_if,
    ),
)

RULES: tuple[HumanRule, ...] = tuple(rule.human for rule in FINDERS)
"""The rules, in the order in which they are tried."""


def grade(puzzle: StarBattlePuzzle) -> Grade:
    """Solve a puzzle as a person would, always by the easiest rule that applies.

    Parameters
    ----------
    puzzle : StarBattlePuzzle

    Returns
    -------
    Grade
        If it has a grade, the puzzle has one solution: every step holds in all solutions.
    """
    return steps(puzzle, {})


def steps(puzzle: StarBattlePuzzle, known: Mapping[Cell, bool]) -> Grade:
    """Do the same from a position; see `next_step`."""
    return steps_from(FINDERS, start(puzzle, known))


def next_step(puzzle: StarBattlePuzzle, known: Mapping[Cell, bool]) -> Step | None:
    """Give the step that is easiest from a position.

    Parameters
    ----------
    puzzle : StarBattlePuzzle
    known : mapping
        For every cell of which something is known, whether it has a star. What follows is as true as this.

    Returns
    -------
    Step or None
        None if the stars are a solution, no rule applies, or the position cannot be right (see `clash`).
    """
    return step_from(FINDERS, start(puzzle, known))


def is_solved(puzzle: StarBattlePuzzle, known: Mapping[Cell, bool]) -> bool:
    """Whether the stars of a position are a solution."""
    return start(puzzle, known).solved


def clash(puzzle: StarBattlePuzzle, known: Mapping[Cell, bool]) -> str | None:
    """Say what a position cannot meet, as far as it is seen at a glance; None if there is nothing."""
    return start(puzzle, known).clash()
