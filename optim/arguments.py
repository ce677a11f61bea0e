"""Refuses what is put into a dataclass and is not of the type that its fields name."""

from dataclasses import fields
from functools import cache
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from twinproof.optim.errors import InputError

LONGEST = 60
"""How many characters of a wrong value are shown."""


def check_types(built: Any) -> None:
    """Compare the fields of a dataclass with their types; for `__post_init__`.

    It looks at a value and, in a tuple of any length, at its members, but no deeper: whoever builds a dataclass by
    mistake from a text, a list or a number should be told at once, and a search that builds many should not wait.

    Parameters
    ----------
    built : dataclass
        Its types must be known where its class stands, not only to type checkers.

    Raises
    ------
    InputError
        If a value is of another type.
    """
    for name, kind in _kinds(type(built)):  # type: ignore[arg-type]  # a class is hashable
        value = getattr(built, name)
        if not _fits(value, kind):
            shown = repr(value)
            shown = shown if len(shown) <= LONGEST else f"{shown[:LONGEST]}..."
            raise InputError(f"{type(built).__name__}: {name}: must be {_words(kind)}, not {shown}")


@cache
def _kinds(of: Any) -> tuple[tuple[str, Any], ...]:
    hints = get_type_hints(of)
    return tuple((field.name, hints[field.name]) for field in fields(of))


def _fits(value: object, kind: Any) -> bool:
    origin = get_origin(kind)
    if origin in (Union, UnionType):
        return any(_fits(value, one) for one in get_args(kind))
    if kind in (int, float):  # to Python a truth value is a number
        return isinstance(value, int | kind) and not isinstance(value, bool)
    if origin is tuple and get_args(kind)[1:] == (Ellipsis,):
        member = _class(get_args(kind)[0])
        return isinstance(value, tuple) and all(isinstance(one, member) for one in value)
    return isinstance(value, _class(kind))


def _class(kind: Any) -> type:
    """Give the class that a type without its parameters is."""
    found = get_origin(kind) or kind
    return found if isinstance(found, type) and found is not Any else object


def _words(kind: Any) -> str:
    if get_origin(kind) in (Union, UnionType):
        return " or ".join(_words(one) for one in get_args(kind))
    return "None" if kind is type(None) else str(kind) if get_origin(kind) else kind.__name__
