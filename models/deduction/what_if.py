"""Suppose that a cell holds a star or a bulb, or none, and see whether the rules then lead to the impossible."""

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, TypeVar

from twinproof.models.deduction.hints import Finding, Position, bits, places

__all__ = ["Supposable", "follow", "refuted"]


class Supposable(Position, Protocol):
    """A position of which more can be supposed; cells are the bits of a number."""

    @property
    def marked(self) -> int:
        """The cells that hold a star or bulb."""

    def at_a_glance(self: "SupposableT", changed: int | None = None) -> "SupposableT":
        """Give the position when the rules of grade 1 have been followed from what has changed."""


SupposableT = TypeVar("SupposableT", bound=Supposable)


def refuted(
    position: SupposableT,
    first: int,
    more: Sequence[Callable[[SupposableT, int], Iterator[Finding]]],
    noun: str,
) -> Iterator[Finding]:
    """Yield the cells of which one state is impossible, so that they have the other.

    Parameters
    ----------
    position : Supposable
    first : int
        The number of the cell with which to begin.
    more : sequence of callable
        The rules that are followed beside those of grade 1.
    noun : str
        What a cell can hold.
    """
    before = (1 << first) - 1
    for bit in (*bits(position.open & ~before), *bits(position.open & before)):
        cell = 1 << bit
        for holds in (True, False):
            supposed = position.learn(cell if holds else 0, 0 if holds else cell)
            after, clash = follow(supposed, position.open, more)
            if clash is None:
                continue
            new = after.marked & ~supposed.marked
            then = f", then a {noun} in {places(position.cells(new))}" if new else ""
            reason = f"suppose {'a' if holds else 'no'} {noun} in {places(position.cells(cell))}{then}: {clash}"
            yield Finding(0 if holds else cell, cell if holds else 0, new, reason)
            break


def follow(
    position: SupposableT,
    before: int,
    more: Sequence[Callable[[SupposableT, int], Iterator[Finding]]],
) -> tuple[SupposableT, str | None]:
    """Follow the rules of grade 1, and more rules, until nothing is new or something is impossible.

    Parameters
    ----------
    position : Supposable
    before : int
        The cells of which nothing was known before the supposition, when those rules had been followed.
    more : sequence of callable

    Returns
    -------
    Supposable
        The position then reached.
    str or None
        What is impossible in it.
    """
    while True:
        position = position.at_a_glance(before & ~position.open)
        clash = position.clash(before & ~position.open)
        if clash is not None:
            return position, clash
        for find in more:
            marked = empty = 0
            for finding in find(position, 0):
                marked |= finding.marked
                empty |= finding.empty
            if marked or empty:
                position = position.learn(marked, empty)
                break
        else:
            return position, None
