"""Plain JSON values, each of a certain kind, as certificates and other files hold them."""

import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

from twinproof.optim import InputError

Content = Mapping[str, Any]

MOST_LINES = 100_000

MOST_IN_A_FLOAT = 2**53
"""Browsers and most tools hold numbers as floats, which round whole numbers beyond this one."""

KINDS = {str: "text", int: "a whole number", bool: "true or false", list: "a list", dict: "an object"}


def json_object(text: str, name: str) -> dict[str, Any]:
    """Read a JSON object.

    Parameters
    ----------
    text : str
    name : str
        What to call the text in messages.

    Raises
    ------
    InputError
        If it is no JSON, or no object, or a key stands twice in an object: readers differ in which they believe.
    """
    try:
        content = json.loads(text, object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        place = f"line {error.lineno}: " if isinstance(error, json.JSONDecodeError) else ""
        reason = _reason(error)
        raise InputError(f"{name}: {place}no JSON: {reason}") from error
    if not isinstance(content, dict):
        raise InputError(f"{name}: must be a JSON object, in braces")
    return content


def _reason(error: ValueError | RecursionError) -> str:
    """Say what is wrong with a text that is no JSON that can be read."""
    if isinstance(error, json.JSONDecodeError):
        return error.msg
    if isinstance(error, RecursionError):
        return "nested too deeply"
    return "a number has too many digits" if "digits" in str(error) else str(error)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content = dict(pairs)
    if len(content) < len(pairs):
        raise ValueError("a key stands twice")
    return content


def get(content: Content, key: str, kind: type, place: str) -> Any:
    """Give a value that must be there and of a kind.

    Parameters
    ----------
    content : mapping
        The object.
    key : str
        The key of the value.
    kind : type
        A key of `KINDS`.
    place : str
        Where the object is, for messages.

    Returns
    -------
    Any
        The value.

    Raises
    ------
    InputError
        If it is not.
    """
    if key not in content:
        raise InputError(f"{place}: {key}: is missing")
    value = content[key]
    # In Python True is a number too.
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise InputError(f"{place}: {key}: must be {KINDS[kind]}")
    return value


def optional(content: Content, key: str, kind: type) -> Any:
    """Give a value that may be null; see `get`.

    Parameters
    ----------
    content : mapping
        The part `instance` of a file.
    key : str
        The key, which must be there.
    kind : type
        A key of `KINDS`.

    Returns
    -------
    Any
        The value, or None.

    Raises
    ------
    InputError
        If the key is missing, or the value neither null nor of the kind.
    """
    if key in content and content[key] is None:
        return None
    return get(content, key, kind, "instance")


def only(content: Content, known: Mapping[str, Any], place: str) -> None:
    """Refuse a key that is not known: it could claim something that nobody checks.

    Parameters
    ----------
    content : mapping
        The object.
    known : mapping
        Its keys are those that may be there.
    place : str
        Where the object is, for messages.

    Raises
    ------
    InputError
        If there is one.
    """
    for key in content:
        if key not in known:
            raise InputError(f"{place}: {key[:40]!r}: no such key")


def rows_of(content: Content, key: str, place: str) -> list[str]:
    """Give a list of rows.

    Parameters
    ----------
    content : mapping
        The object.
    key : str
        The key of the list.
    place : str
        Where the object is, for messages.

    Returns
    -------
    list of str
        The rows.

    Raises
    ------
    InputError
        If it is none.
    """
    return check_rows(get(content, key, list, place), f"{place}: {key}")


def check_rows(rows: Any, place: str) -> list[str]:
    """Give rows if they are.

    Parameters
    ----------
    rows : Any
        What may be a list of rows.
    place : str
        Where it is, for messages.

    Returns
    -------
    list of str
        The same list.

    Raises
    ------
    InputError
        If they are none.
    """
    if not isinstance(rows, list) or len(rows) > MOST_LINES:
        raise InputError(f"{place}: must be a list of at most {MOST_LINES} rows")
    for number, row in enumerate(rows, start=1):
        if not isinstance(row, str) or "\n" in row or "\r" in row:
            raise InputError(f"{place}: row {number}: must be one line of text")
    return rows


def cells_of(content: Content, key: str, place: str) -> list[tuple[int, int]]:
    """Give a list of cells, counted from 0, from pairs counted from 1.

    Parameters
    ----------
    content : mapping
        The object.
    key : str
        The key of the list.
    place : str
        Where the object is, for messages.

    Returns
    -------
    list of tuple of (int, int)
        Row and column of each.

    Raises
    ------
    InputError
        If it is none.
    """
    cells = []
    for number, pair in enumerate(get(content, key, list, place), start=1):
        if (
            not isinstance(pair, list)
            or len(pair) != 2
            or not all(isinstance(one, int) and not isinstance(one, bool) for one in pair)
        ):
            raise InputError(f"{place}: {key}: entry {number}: must be [ROW, COLUMN]")
        cells.append((pair[0] - 1, pair[1] - 1))
    return cells


def written_twice(content: Content) -> dict[str, Any]:
    """Put beside every number that some readers of JSON cannot hold the form that they can, or all of its digits.

    Parameters
    ----------
    content : mapping
        Plain values, and fractions.

    Returns
    -------
    dict
        The same, where a fraction is a text such as `1/3`, and a number under a second key that ends in `_float`.
        A whole number beyond `MOST_IN_A_FLOAT` stays a number, and is a text under a second key that ends in
        `_text`; so is a list or a table of whole numbers with such a one in it. What is written twice already
        stays as it is.
    """
    found: dict[str, Any] = {}
    for key, value in content.items():
        found[key] = _in_plain_values(value)
        if isinstance(value, Fraction):
            found[f"{key}_float"] = float(value)
        elif any(abs(number) > MOST_IN_A_FLOAT for number in _numbers(value)):
            found[f"{key}_text"] = _as_text(value)
    return found


def _in_plain_values(value: Any) -> Any:
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, Mapping):
        return dict(value) if _numbers(value) else written_twice(value)
    if isinstance(value, list | tuple):
        return [_in_plain_values(one) for one in value]
    return value


def _numbers(value: Any) -> list[int]:
    """Give the whole numbers of a value that is one, or a list or table of nothing else."""
    if isinstance(value, Mapping | list | tuple):
        numbers = list(value.values() if isinstance(value, Mapping) else value)
        return numbers if all(type(one) is int for one in numbers) else []
    return [value] if type(value) is int else []


def _as_text(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: str(one) for key, one in value.items()}
    return str(value) if isinstance(value, int) else [str(one) for one in value]


@contextmanager
def digits_of_any_number() -> Iterator[None]:
    """Let numbers of any length be written: a number of layouts is exact, however many digits it has."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(before)
