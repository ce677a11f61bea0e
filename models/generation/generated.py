"""What the generators of puzzles share."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from twinproof.models.grid import MAX_TILES
from twinproof.optim import InputError, TwinproofError


class NotFoundError(TwinproofError, RuntimeError):
    """A generator has tried as often as it may and has found no such puzzle; there may be one all the same."""


@dataclass(frozen=True)
class Generated:
    """A puzzle made at random, with its one solution.

    Parameters
    ----------
    instance : object
        The new puzzle. For Minesweeper it is a field of mines, and no board in play.
    layout : tuple of str
        The solution's rows, as the puzzle's `rules` read them; for a field of mines the field itself.
    seed : int
        The same seed and the same wishes give the same puzzle.
    attempts : int
        How many puzzles were begun, this one included.
    facts : mapping
        What else may be said of it, by name, in plain values.
    """

    instance: Any
    layout: tuple[str, ...]
    seed: int
    attempts: int
    facts: Mapping[str, float | int | str] = field(default_factory=dict)


def titled(name: str, instance: Any, number: int | None = None, what: str = "") -> str:
    """Write a title such as `Star Battle 10 x 10, 2 stars`.

    Parameters
    ----------
    name : str
    instance : object
        It has a height and a width.
    number : int, optional
        How many of something there are; without it, that is left out.
    what : str
        What one of them is called.
    """
    counted = "" if number is None else f", {number} {what}{'' if number == 1 else 's'}"
    return f"{name} {instance.height} x {instance.width}{counted}"


def check_size(name: str, height: int, width: int) -> None:
    """Refuse a size that no board has.

    Parameters
    ----------
    name : str
        The puzzle's.
    height, width : int

    Raises
    ------
    InputError
        If there is no cell, or there are more than `MAX_TILES`.
    """
    if height < 1 or width < 1:
        raise InputError(f"{name}: size {height}x{width}: there must be a row and a column")
    if height * width > MAX_TILES:
        raise InputError(f"{name}: size {height}x{width}: at most {MAX_TILES} cells are allowed")


def noting(on_note: Callable[[str], None] | None, heading: str) -> Callable[[str], None]:
    """Give a function that passes on lines of text, each behind a heading; without `on_note` it tells nobody.

    Parameters
    ----------
    on_note : callable, optional
    heading : str
    """
    return (lambda text: None) if on_note is None else (lambda text: on_note(heading + text))
