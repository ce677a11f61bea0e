"""Compiles loops over arrays by numba, and keeps what it compiled for the next process.

What is kept only saves seconds. So a folder that cannot be written, or a file in it that cannot be read, ends no
search: it is compiled once more.
"""

from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from types import FunctionType
from typing import Any

from numba import njit
from numba.core.caching import FunctionCache

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


class _Cache(FunctionCache):
    """Numba's own cache of a function, without its errors."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Give what was compiled for a signature; None where there is nothing that can be read."""
        try:
            return super().load_overload(sig, target_context)  # type: ignore[no-untyped-call]
        except Exception:  # a file that is not as it was written can raise anything
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep what was compiled, where that is possible."""
        try:
            super().save_overload(sig, data)  # type: ignore[no-untyped-call]
        except Exception:  # a full disk; or the index, which is read first
            self.disable()  # type: ignore[no-untyped-call]


def _compile(function: Callable[..., Any], **options: Any) -> Any:
    dispatcher = njit(**options)(function)
    with suppress(RuntimeError, OSError):  # if there is no folder that numba may write to
        dispatcher._cache = _Cache(function)  # type: ignore[no-untyped-call]
    return dispatcher
