"""Questions that only one puzzle knows, and their answers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from twinproof.models.options import Option
from twinproof.models.text.sources import Source


@dataclass(frozen=True)
class Said:
    """The answer to a question that only one puzzle knows, ready to be shown.

    Parameters
    ----------
    record : dict
        One JSON object.
    lines : tuple of str
        For a person, below the drawing.
    verdict : bool or None
        True if the question is answered, False if the answer is a no, None if the search was stopped before.
    drawing : tuple of str
        Lines in which the marks `strong` are highlighted.
    strong : str
    """

    record: dict[str, Any]
    lines: tuple[str, ...]
    verdict: bool | None = True
    drawing: tuple[str, ...] = ()
    strong: str = ""


@dataclass(frozen=True)
class PuzzleQuestion:
    """A question that only this puzzle knows, such as what a board in play proves.

    The part `questions` of the puzzle has a function of this name. It takes an instance, the question's options by
    name, limits and a function for progress, and gives what is `Said`.

    Parameters
    ----------
    name : str
        The command's name.
    help : str
        What it gives, in a sentence, and below it what else is to be known.
    options : tuple of Option
        The question's own options.
    instance_options : tuple of str
        Those of the puzzle's options that go with it.
    read : callable, optional
        From a source and the options to what is asked about, where that is no instance of the puzzle.
    """

    name: str
    help: str
    options: tuple[Option, ...] = ()
    instance_options: tuple[str, ...] = ()
    read: Callable[[Source, Mapping[str, Any]], Any] | None = None
