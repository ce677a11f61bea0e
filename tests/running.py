"""How tests run the command."""

from collections.abc import Callable

__all__ = ["Run"]

Run = Callable[..., tuple[int, str, str]]
"""Takes the words of a command; gives exit status, standard output and standard error."""
