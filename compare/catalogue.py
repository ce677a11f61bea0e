"""What there is: every puzzle with its objectives, its rules and its reader, and where its models are."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from models.hops import puzzle as hops
from models.hops import rules as hops_rules
from models.sprinklers import puzzle as sprinklers
from models.sprinklers import rules as sprinklers_rules
from models.violation import Violation
from optim import InputError, Sense

__all__ = ["PUZZLES", "Entry", "Layout", "Puzzle", "build_model", "entry"]

Layout = tuple[str, ...]
Puzzle = sprinklers.SprinklerPuzzle | hops.HopsPuzzle


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
    violations: Callable[[Any, Sequence[str]], list[Violation]]
    value: Callable[[Any, str, Sequence[str]], int]
    read_layout: Callable[[Any, str, str], Layout]


PUZZLES: dict[str, Entry] = {
    "sprinklers": Entry(
        "water every tile with the fewest sprinklers",
        sprinklers.OBJECTIVES,
        sprinklers.LEGEND,
        sprinklers_rules.violations,
        sprinklers_rules.value,
        sprinklers.read_layout,
    ),
    "hops": Entry(
        "grow the most hops that can still be picked on foot",
        hops.OBJECTIVES,
        hops.LEGEND,
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


def build_model(
    name: str, engine: str, puzzle: Puzzle, objective: str, at_least: int | None, at_most: int | None
) -> Any:
    """Build a puzzle's model for an engine, by the function `build_ENGINE` in `models/PUZZLE/ENGINE.py`.

    The module is imported here, so that only the process that builds a model loads its solver.
    """
    module = import_module(f"models.{name}.{engine}")
    return getattr(module, f"build_{engine}")(puzzle, objective, at_least, at_most)
