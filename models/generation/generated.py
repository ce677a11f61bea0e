"""What every generator of puzzles gives."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from twinproof.optim import TwinproofError

__all__ = ["Generated", "NotFoundError"]


class NotFoundError(TwinproofError, RuntimeError):
    """A generator has tried as often as it may and has found no such puzzle; there may be one all the same."""


@dataclass(frozen=True)
class Generated:
    """A puzzle made at random, with its one solution.

    Parameters
    ----------
    puzzle : Puzzle or MineField
    layout : tuple of str
        The solution's rows, as the puzzle's `rules` read them; for a field of mines the field itself.
    seed : int
        The same seed and the same wishes give the same puzzle.
    attempts : int
        How many puzzles were begun, this one included.
    facts : mapping
        What else may be said of it, by name, in plain values.
    """

    puzzle: Any
    layout: tuple[str, ...]
    seed: int
    attempts: int
    facts: Mapping[str, float | int | str] = field(default_factory=dict)
