"""Failed-literal probing by hand: try a cell one way, and see whether the rules then lead to the impossible."""

from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

from twinproof.models.deduction.hints import Finding, Rule
from twinproof.models.deduction.position import Position, bits
from twinproof.models.words import places

PositionT = TypeVar("PositionT", bound=Position[Any])


def refuted(position: PositionT, first: int, more: Sequence[Rule[PositionT]], noun: str) -> Iterator[Finding]:
    """Yield the cells of which one state is impossible, so that they have the other.

    Parameters
    ----------
    position : Position
    first : int
        The number of the cell with which to begin.
    more : sequence of Rule
        The rules that are followed beside those of grade 1.
    noun : str
        What a cell can hold.
    """
    before = (1 << first) - 1
    solution = position.solution
    for bit in (*bits(position.open & ~before), *bits(position.open & before)):
        cell = 1 << bit
        # What some solution has leads to nothing impossible, however far it is followed.
        for holds in (True, False) if solution is None else (not solution & cell,):
            supposed = position.learn(cell if holds else 0, 0 if holds else cell)
            after, clash = follow(supposed, position.open, more)
            if clash is None:
                continue
            new = after.marked & ~supposed.marked
            then = f", then a {noun} in {places(position.cells(new))}" if new else ""
            reason = f"suppose {'a' if holds else 'no'} {noun} in {places(position.cells(cell))}{then}: {clash}"
            yield Finding(0 if holds else cell, cell if holds else 0, new, reason)
            break


def follow(position: PositionT, before: int, more: Sequence[Rule[PositionT]]) -> tuple[PositionT, str | None]:
    """Follow the rules of grade 1, and more rules, until nothing is new or something is impossible.

    Parameters
    ----------
    position : Position
    before : int
        The cells of which nothing was known before the supposition, when those rules had been followed.
    more : sequence of Rule

    Returns
    -------
    Position
        The position then reached.
    str or None
        What is impossible in it.
    """
    while True:
        position = position.at_a_glance(before & ~position.open)
        clash = position.clash(before & ~position.open)
        if clash is not None:
            return position, clash
        for each in more:
            marked = empty = 0
            for finding in each.find(position, 0):
                marked |= finding.marked
                empty |= finding.empty
            if marked or empty:
                position = position.learn(marked, empty)
                break
        else:
            return position, None
