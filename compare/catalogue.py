"""What there is: every puzzle with its objectives, its two models, its rules and its reader."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from models.hops import cpsat as hops_cpsat
from models.hops import maxsat as hops_maxsat
from models.hops import puzzle as hops
from models.hops import rules as hops_rules
from models.sprinklers import cpsat as sprinklers_cpsat
from models.sprinklers import maxsat as sprinklers_maxsat
from models.sprinklers import puzzle as sprinklers
from models.sprinklers import rules as sprinklers_rules
from models.violation import Violation
from optim import InputError, Sense
from optim.cpsat import CpsatModel
from optim.maxsat import MaxsatModel

__all__ = ["ENGINES", "PUZZLES", "Entry", "Layout", "Puzzle", "entry"]

Layout = tuple[str, ...]
Puzzle = sprinklers.SprinklerPuzzle | hops.HopsPuzzle

ENGINES = ("cpsat", "maxsat")


@dataclass(frozen=True)
class Entry:
    """The rooms of one puzzle.

    Parameters
    ----------
    title : str
        What is asked, in a few words.
    objectives : mapping
        Their senses by name; the first is the default.
    marks : mapping
        The marks of a layout, with their meanings.
    build_cpsat, build_maxsat : callable
        From puzzle, objective, at_least and at_most to a model.
    violations : callable
        The broken rules of a layout.
    value : callable
        The value of a layout, counted by the rules.
    read_layout : callable
        From puzzle, text and the text's name to a layout.
    """

    title: str
    objectives: Mapping[str, Sense]
    marks: Mapping[str, str]
    build_cpsat: Callable[..., CpsatModel[Layout]]
    build_maxsat: Callable[..., MaxsatModel[Layout]]
    violations: Callable[[Any, Sequence[str]], list[Violation]]
    value: Callable[[str, Sequence[str]], int]
    read_layout: Callable[[Any, str, str], Layout]


PUZZLES: dict[str, Entry] = {
    "sprinklers": Entry(
        "water every tile with the fewest sprinklers",
        sprinklers.OBJECTIVES,
        sprinklers.LEGEND,
        sprinklers_cpsat.build_cpsat,
        sprinklers_maxsat.build_maxsat,
        sprinklers_rules.violations,
        sprinklers_rules.value,
        sprinklers.read_layout,
    ),
    "hops": Entry(
        "grow the most hops that can still be picked on foot",
        hops.OBJECTIVES,
        hops.LEGEND,
        hops_cpsat.build_cpsat,
        hops_maxsat.build_maxsat,
        hops_rules.violations,
        hops_rules.value,
        hops.read_layout,
    ),
}


def entry(name: str) -> Entry:
    """Give a puzzle's entry.

    Raises
    ------
    InputError
        If there is no such puzzle.
    """
    if name not in PUZZLES:
        raise InputError(f"puzzle {name!r}: unknown; known are {', '.join(PUZZLES)}")
    return PUZZLES[name]
