"""The options of an instance, each in one place for the command line, suites, records and the library."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, get_type_hints

from twinproof.optim import OptionError

KINDS = {str: "a text", int: "a whole number", float: "a number", bool: "true or false"}


@dataclass(frozen=True)
class Option:
    """One choice about an instance, the same on the command line, in suites, in records and in the library.

    Parameters
    ----------
    name : str
        As Python spells it; the command line writes `--like-this`.
    type : type
        str, int, float or bool.
    help : str
        One sentence.
    repeatable : bool
        Whether several values may be given, as a list.
    metavar : str, optional
        What stands for the value in help texts.
    usual : object
        The value where none is given, if it is not nothing.
    """

    name: str
    type: type
    help: str
    repeatable: bool = False
    metavar: str | None = None
    usual: object = None

    @property
    def flag(self) -> str:
        """How the command line spells it."""
        return "--" + self.name.replace("_", "-")

    def check(self, value: object) -> None:
        """Refuse a value of another type.

        Raises
        ------
        InputError
            If it is of another type.
        """
        values = value if self.repeatable else [value]
        if not isinstance(values, list | tuple):
            raise OptionError(self.name, f": {value!r} is not a list of values")
        for one in values:
            # To Python a truth value is a number.
            if not isinstance(one, self.type) or (isinstance(one, bool) and self.type is not bool):
                raise OptionError(self.name, f": {one!r} is not {KINDS[self.type]}")


def is_given(value: object) -> bool:
    """Whether a value says anything: None, a flag that is not set and an empty list do not, but 0 does."""
    return value is not None and value is not False and value != []


def returned_type(function: Callable[..., Any]) -> type:
    """Give the class that a function says it returns; `object` where it says none."""
    found = get_type_hints(function).get("return")
    return found if isinstance(found, type) else object


FORMAT = Option("format", str, "The text form of the file; by default it is recognised.", metavar="FORM")
APART_FROM = Option(
    "apart_from", str, "The layout from which `farthest` counts, a text file or -.", metavar="LAYOUT"
)
"""Puzzles with several text forms have the first of these options, those whose solutions differ the second."""


TAKEN = frozenset(
    (
        *("puzzle", "instance", "layout", "file", "form", "from", "to", "help", "version"),
        *("objective", "at_least", "at_most", "claim", "by", "no_symmetry_breaking", "cell", "position", "whole"),
        *(
            "engine",
            "engines",
            "question",
            "symmetry_breaking",
            "every_layout",
            "time_limit",
            "memory_limit",
            "workers",
            "subsolvers",
            "seed",
            "hint",
            "warm_start",
            "cut",
        ),
        *("as_json", "json", "picture", "record_file", "record", "output", "checkpoint", "resume"),
    )
)
"""Names that the commands have given to options of their own."""
