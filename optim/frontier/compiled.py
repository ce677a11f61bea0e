"""Compiles loops over arrays by numba, and keeps what it compiled for the next process."""

from collections.abc import Callable
from functools import wraps
from types import FunctionType
from typing import Any

from numba import njit

MANY = 1 << 17
"""From this number of rows on several cores are faster; waking them takes milliseconds on a busy machine."""


def compiled(function: Callable[..., Any]) -> Any:
    """Compile a function of numbers and arrays."""
    return _compile(function)


def compiled_parallel(function: Callable[..., Any]) -> Any:
    """Compile a function with a `prange` loop over the rows of its first argument.

    The loop runs on all cores if there are many rows.
    """
    assert isinstance(function, FunctionType)
    # numba keeps what it compiled under the function's name, so the other version needs one of its own.
    other = FunctionType(function.__code__, function.__globals__, f"{function.__name__}_parallel")
    other.__qualname__ = other.__name__
    one_core, all_cores = _compile(function), _compile(other, parallel=True)

    @wraps(function)
    def run(rows: Any, *arguments: Any) -> Any:
        return (one_core if len(rows) < MANY else all_cores)(rows, *arguments)

    return run


def _compile(function: Callable[..., Any], **options: Any) -> Any:
    try:
        return njit(cache=True, **options)(function)
    except RuntimeError:  # there is no folder that numba may write to
        return njit(**options)(function)
