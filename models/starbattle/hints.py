"""The rules by which a person solves Star Battle; each says what it concludes in a position.

A *unit* is a row, a column or a region. A *place* is a cell of which nothing is known yet.

References
----------
The techniques are known to solvers under various names; see K. Gong, "A Star Battle Guide", and J. Bumgardner,
"Advanced Strategies for Two Not Touch Puzzles".
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import TypeAlias

from twinproof.models.deduction.hints import Finding, HintRules, rule
from twinproof.models.deduction.position import Unit, bits
from twinproof.models.deduction.what_if import refuted
from twinproof.models.starbattle.position import StarPosition, start
from twinproof.models.words import count_of, places

MOST_TOGETHER = 3
"""The number of regions, in or at lines that need not be neighbours, that are looked at together."""

MOST_CELLS = 250
"""Boards with more cells do not have the longest what-ifs followed, which would take minutes."""


@rule("beside a star", "cells beside a star", 1, "Cells that touch a star are empty.")
def beside_a_star(position: StarPosition, first: int) -> Iterator[Finding]:
    """Clear the cells that touch a star."""
    for bit in bits(position.marked):
        empty = position.board.around[1 << bit] & position.open
        if empty:
            yield Finding(0, empty, 1 << bit, f"a star is in {places(position.cells(1 << bit))}")


@rule("full", "all stars found", 1, "A row, column or region with all its stars has no other.")
def full(position: StarPosition, first: int) -> Iterator[Finding]:
    """Clear the places of a unit that has all its stars."""
    for unit in position.board.units:
        rest = position.open & unit.mask
        if rest and position.missing(unit) == 0:
            yield Finding(
                0, rest, position.marked & unit.mask, f"{unit.name} has its {count_of(unit.count, 'star')}"
            )


@rule(
    "last places",
    "only so many places left",
    1,
    "A row, column or region with as many places as stars it lacks has a star on each of them.",
)
def last_places(position: StarPosition, first: int) -> Iterator[Finding]:
    """Put stars on the places of a unit that has only as many places as it lacks stars."""
    for unit in position.board.units:
        rest = position.open & unit.mask
        missing = position.missing(unit)
        if rest and rest.bit_count() == missing:
            room = places(position.cells(rest))
            reason = f"{unit.name} lacks {count_of(missing, 'star')} and has room only in {room}"
            yield Finding(rest, 0, rest, reason)


@rule(
    "pointing",
    "one within another",
    2,
    "If all places of a row, column or region are in another that lacks as many stars, the other's remaining "
    "places are empty.",
)
def pointing(position: StarPosition, first: int) -> Iterator[Finding]:
    """Clear the places of a unit outside another one whose places are all in it and that lacks as many stars."""
    lacking = {part[0].name: part for part in _lacking(position, position.board.units)}
    for unit, rest, missing in lacking.values():
        # Any that has all its places has the first.
        around = position.board.units_of(rest & -rest)
        for other, there, theirs in (lacking[unit.name] for unit in around if unit.name in lacking):
            if not rest & ~there and missing == theirs and rest != there:
                reason = (
                    f"all places of {unit.name} are in {other.name}, and both lack {count_of(missing, 'star')}"
                )
                yield Finding(0, there ^ rest, rest, reason)


@rule(
    "crowding",
    "no room beside it",
    2,
    "A cell is empty where a star would touch so many places of a row, column or region that the stars it lacks "
    "no longer fit.",
)
def crowding(position: StarPosition, first: int) -> Iterator[Finding]:
    """Clear a cell where a star would touch so many places of a unit that its missing stars no longer fit."""
    for unit, rest, missing in _lacking(position, position.board.units):
        yield from _crowded(position, Area(rest, missing, "{}", ((unit,),)))


@rule(
    "needed",
    "no room without it",
    2,
    "A place holds a star if without it the stars that a row, column or region lacks do not fit.",
)
def needed(position: StarPosition, first: int) -> Iterator[Finding]:
    """Put a star on a place without which the missing stars of a unit do not fit."""
    for unit, rest, missing in _lacking(position, position.board.units):
        yield from _needed(position, Area(rest, missing, "{}", ((unit,),)))


@rule(
    "overlap",
    "what two share",
    3,
    "The stars of a row, column or region that do not fit outside another one are in both: if they are all that "
    "the other lacks, it has no star elsewhere; and what both share must have room for them.",
)
def overlap(position: StarPosition, first: int) -> Iterator[Finding]:
    """Look at the cells that two units share: the stars of one that do not fit outside the other are there."""
    board = position.board
    lacking = _lacking(position, board.units)
    for unit, rest, missing in lacking:
        for other, there, theirs in lacking:
            shared = rest & there
            # Where none or all of it is shared, other rules say more.
            if not shared or shared in (rest, there) or board.has_room(rest ^ shared, missing):
                continue
            least = missing - board.most(rest ^ shared)
            if least == theirs:
                reason = (
                    f"{unit.name} lacks {count_of(missing, 'star')} and outside {other.name} has room for "
                    f"{missing - least or 'none'}, so all that {other.name} lacks must be in both"
                )
                yield Finding(0, there ^ shared, rest, reason)
            area = Area(shared, least, "what {} shares with {}", ((unit,), (other,)))
            yield from _crowded(position, area)
            yield from _needed(position, area)


@rule(
    "strips",
    "neighbouring lines against regions",
    3,
    "Neighbouring lines without the regions that lie in them, or the regions that touch them without the lines, "
    "hold the difference of their stars. If it is none, these places are empty; else they must have room for so "
    "many, as two lines must for their own.",
)
def strips(position: StarPosition, first: int) -> Iterator[Finding]:
    """Look at what is left over of neighbouring lines and the regions in them, or at them."""
    board = position.board
    regions = _lacking(position, board.regions)
    longest = (len(board.rows) + 1) // 2  # beyond the middle it is what lies outside that is looked at
    for lines in (_lacking(position, board.rows), _lacking(position, board.columns)):
        for length in range(1, min(longest, len(lines) - 1) + 1):
            for begin in range(len(lines) - length + 1):
                yield from _left_over(position, lines[begin : begin + length], regions)


@rule(
    "groups",
    "a few regions against lines",
    3,
    "Two or three regions without the lines that lie in them, or the lines that touch them without the regions, "
    "hold the difference of their stars: the same as strips, where lines need not be neighbours.",
)
def groups(position: StarPosition, first: int) -> Iterator[Finding]:
    """Look at what is left over of a few regions and the lines in them, or at them, neighbours or not."""
    board = position.board
    regions = _lacking(position, board.regions)
    # If no star can touch places of a region and of another, the region says alone all that it says with them.
    near = {unit.name: board.near(rest) for unit, rest, _ in regions}
    linked = {(one, other) for one, other in permutations(near, 2) if near[one] & near[other]}
    for lines in (_lacking(position, board.rows), _lacking(position, board.columns)):
        for count in range(2, MOST_TOGETHER + 1):
            for some in combinations(regions, count):
                names = [unit.name for unit, _, _ in some]
                together = all(any((one, other) in linked for other in names) for one in names)
                yield from _left_over(position, some, lines, together)


@rule(
    "what-if",
    "suppose one cell",
    4,
    "A cell has no star if with one, and what then follows by rules of grade 1, stars touch or a row, column or "
    "region has no room; and a star if that happens without one.",
)
def what_if(position: StarPosition, first: int) -> Iterator[Finding]:
    """Suppose a star, or none, and follow what is seen at a glance to what cannot be met."""
    return refuted(position, first, (), "star")


@rule(
    "long what-if",
    "suppose one cell and follow far",
    5,
    "The same, where what then follows by rules of grades 1 to 3 is followed (on large boards, 1 and 2).",
)
def long_what_if(position: StarPosition, first: int) -> Iterator[Finding]:
    """Suppose the same, and follow the rules of grade 2 and most of grade 3 too."""
    small = position.board.all.bit_count() <= MOST_CELLS
    more = (pointing, crowding, needed, overlap, strips) if small else (pointing, crowding, needed)
    return refuted(position, first, more, "star")


@dataclass(frozen=True)
class Area:
    """Places that hold a number of stars at least.

    Parameters
    ----------
    mask : int
    least : int
    words : str
        What they are, with `{}` for the names of units.
    units : tuple of sequence of Unit
    """

    mask: int
    least: int
    words: str
    units: tuple[Sequence[Unit], ...]

    @property
    def name(self) -> str:
        """What they are."""
        return self.words.format(*(names(units) for units in self.units))


def _crowded(position: StarPosition, area: Area) -> Iterator[Finding]:
    board = position.board
    found = board.crowding(area.mask, area.least) & position.open
    if not found:
        return
    if found & (found - 1):
        short = "a star in any of these cells would leave too little room"
    else:
        left = board.most(area.mask & ~board.around[found]) + bool(area.mask & found)
        short = f"with one in {places(position.cells(found))} it has room for {left or 'none'}"
    yield Finding(0, found, area.mask, f"{area.name} must hold {count_of(area.least, 'more star')}, and {short}")


def _needed(position: StarPosition, area: Area) -> Iterator[Finding]:
    found = position.board.needed(area.mask, area.least)
    if found:
        short = "has no room for them without " + places(position.cells(found))
        yield Finding(
            found, 0, area.mask, f"{area.name} must hold {count_of(area.least, 'more star')}, and {short}"
        )


_Part: TypeAlias = tuple[Unit, int, int]
"""A unit, its places, and how many stars it lacks."""


def _lacking(position: StarPosition, units: Sequence[Unit]) -> list[_Part]:
    parts = [(unit, position.open & unit.mask, position.missing(unit)) for unit in units]
    return [part for part in parts if part[2] > 0]


def _left_over(
    position: StarPosition, some: Sequence[_Part], others: Sequence[_Part], together: bool = True
) -> Iterator[Finding]:
    """Conclude from units and those others that lie in them, and from the others that touch them and the units."""
    for area in _differences(some, others, together):
        if area.least == 0:
            yield Finding(0, area.mask, area.mask, f"{area.name}: no star is left for it")
        else:
            yield from _crowded(position, area)
            yield from _needed(position, area)


def _differences(some: Sequence[_Part], others: Sequence[_Part], together: bool) -> Iterator[Area]:
    """Take from some units those others that lie in them, and from the others that touch them those units.

    The units alone are looked at only if they may say more together than apart.
    """
    mask = count = 0
    for _, rest, missing in some:
        mask |= rest
        count += missing
    left, around = mask, 0
    left_count, around_count = count, -count
    inside, touched = [], []
    for unit, rest, missing in others:
        if rest & mask:
            around |= rest
            around_count += missing
            touched.append(unit)
            if not rest & ~mask:
                left &= ~rest
                left_count -= missing
                inside.append(unit)
    taken = [unit for unit, _, _ in some]
    if left and left_count >= 0 and (inside or (len(some) > 1 and together)):
        yield Area(left, left_count, "{} outside {}" if inside else "{}", (taken, inside) if inside else (taken,))
    # All places of the units must be in others: a cell may have no region.
    if around & ~mask and not mask & ~around and around_count >= 0:
        yield Area(around & ~mask, around_count, "{} outside {}", (touched, taken))


def names(units: Sequence[Unit]) -> str:
    """Name units of one kind: `rows 3, 4 and 5`."""
    kind = units[0].name.split()[0]
    labels = [unit.name.split()[1] for unit in units]
    if len(labels) == 1:
        return f"{kind} {labels[0]}"
    return f"{kind}s {', '.join(labels[:-1])} and {labels[-1]}"


HINTS = HintRules(
    (beside_a_star, full, last_places, pointing, crowding, needed, overlap, strips, groups, what_if, long_what_if),
    start,
)

grade = HINTS.grade
