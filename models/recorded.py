"""Records as part of a question: the options that a layout was found with belong to it."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from twinproof.models.options import APART_FROM, FORMAT, is_given
from twinproof.models.text.sources import LayoutText
from twinproof.optim import InputError

if TYPE_CHECKING:  # which imports this module
    from twinproof.models.puzzle import Puzzle

NOT_RECORDED = (FORMAT.name, APART_FROM.name)
"""How a file was read is no part of a record; what a layout differs from is none of the layout's rules."""


def with_recorded(puzzle: "Puzzle[Any]", layout: LayoutText | None, options: Mapping[str, Any]) -> dict[str, Any]:
    """Add the options that a layout's record says to those that are given.

    Parameters
    ----------
    puzzle : Puzzle
    layout : LayoutText or None
        If it is no record, nothing is added.
    options : mapping
        What is given, by name.

    Returns
    -------
    dict
        The options of the instance.

    Raises
    ------
    InputError
        If the record is of another puzzle, is damaged, or says another value than is given.
    """
    if layout is not None and layout.puzzle is not None and layout.puzzle not in (puzzle.name, *puzzle.aliases):
        raise InputError(f"{layout.name}: is a record of {layout.puzzle}, not of {puzzle.name}")
    if layout is None or not layout.options:
        return dict(options)
    try:
        said = puzzle.spelled(layout.options)
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"{layout.name}: its options are none that {puzzle.name} has") from error
    for option in puzzle.options:
        if option.name in NOT_RECORDED:
            said.pop(option.name, None)
        elif option.name in options:
            recorded = said.get(option.name, option.usual)
            given = options[option.name]
            if _compared(recorded) != _compared(given):
                in_words = [_said(option.flag, value) for value in (recorded, given)]
                raise InputError(f"{layout.name}: the record is of {in_words[0]}, and {in_words[1]} is given")
    return {**said, **options}


def _compared(value: object) -> object:
    if isinstance(value, list | tuple):
        return sorted(map(str, value)) or None
    return value if is_given(value) else None


def _said(flag: str, value: object) -> str:
    """Say an option as the command line does."""
    if value is None or value is False:
        return f"no {flag}"
    if value is True:
        return flag
    return f"{flag} {' '.join(map(str, value)) if isinstance(value, list | tuple) else value}"
