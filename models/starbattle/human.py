"""The rules by which a person solves Star Battle; each says what it concludes in a position.

A *unit* is a row, a column or a region. A *place* is a cell of which nothing is known yet.

References
----------
The techniques are known to solvers under various names; see K. Gong, "A Star Battle Guide", and J. Bumgardner,
"Advanced Strategies for Two Not Touch Puzzles".
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

from models.deduction import Finding, bits, places
from models.starbattle.position import StarPosition, Unit, count_stars
from models.suppose import refuted

__all__ = [
    "beside_a_star",
    "counting",
    "crowding",
    "full",
    "last_places",
    "long_what_if",
    "needed",
    "overlap",
    "pointing",
    "what_if",
]

MOST_TOGETHER = 3
"""How many lines that are no neighbours, or regions, are looked at together."""


def beside_a_star(position: StarPosition, first: int = 0) -> Iterator[Finding]:
    """Cells that touch a star are empty."""
    for bit in bits(position.stars):
        empty = position.board.around[1 << bit] & position.open
        if empty:
            yield Finding(0, empty, 1 << bit, f"a star is in {places(position.cells(1 << bit))}")


def full(position: StarPosition, first: int = 0) -> Iterator[Finding]:
    """A unit that has all its stars has no other."""
    for unit in position.board.units:
        rest = position.open & unit.mask
        if rest and position.missing(unit) == 0:
            stars = position.board.stars
            said = "its star" if stars == 1 else f"its {stars} stars"
            yield Finding(0, rest, position.stars & unit.mask, f"{unit.name} has {said}")


def last_places(position: StarPosition, first: int = 0) -> Iterator[Finding]:
    """A unit with as many places as stars it lacks has a star on each of them."""
    for unit in position.board.units:
        rest = position.open & unit.mask
        missing = position.missing(unit)
        if rest and rest.bit_count() == missing:
            reason = f"{unit.name} lacks {count_stars(missing)} and has room only in {places(position.cells(rest))}"
            yield Finding(rest, 0, rest, reason)


def pointing(position: StarPosition, first: int = 0) -> Iterator[Finding]:
    """If all places of one unit are in another that lacks as many stars, the other's remaining places are empty."""
    units = [unit for unit in position.board.units if position.open & unit.mask]
    for unit in units:
        rest = position.open & unit.mask
        for other in units:
            empty = position.open & other.mask & ~rest
            if empty and not rest & ~other.mask and position.missing(unit) == position.missing(other):
                reason = (
                    f"all places of {unit.name} are in {other.name}, and both lack "
                    f"{count_stars(position.missing(unit))}"
                )
                yield Finding(0, empty, rest, reason)


def crowding(position: StarPosition, first: int = 0) -> Iterator[Finding]:
    """A cell is empty where a star would touch so many places of a unit that its missing stars no longer fit."""
    for unit in position.board.units:
        yield from _crowded(position, _whole(position, unit))


def needed(position: StarPosition, first: int = 0) -> Iterator[Finding]:
    """A place holds a star if without it the unit's missing stars do not fit."""
    for unit in position.board.units:
        yield from _needed(position, _whole(position, unit))


def overlap(position: StarPosition, first: int = 0) -> Iterator[Finding]:
    """The stars of a unit that do not fit outside another one are in both.

    If they are all that the other lacks, it has no star outside the first; if fewer, the cells that both share
    must have room for them.
    """
    board = position.board
    lacking = [(unit, position.missing(unit), position.open & unit.mask) for unit in board.units]
    lacking = [(unit, missing, rest) for unit, missing, rest in lacking if missing > 0]
    for unit, missing, rest in lacking:
        for other, theirs, there in lacking:
            shared = rest & there
            # Where none or all of it is shared, other rules say more.
            if not shared or shared in (rest, there) or board.has_room(rest ^ shared, missing):
                continue
            least = missing - board.most(rest ^ shared)
            if least == theirs:
                reason = (
                    f"{unit.name} lacks {count_stars(missing)} and outside {other.name} has room for "
                    f"{missing - least or 'none'}, so all that {other.name} lacks must be in both"
                )
                yield Finding(0, there ^ shared, rest, reason)
            area = Area(shared, least, "what {} shares with {}", ((unit,), (other,)))
            yield from _crowded(position, area)
            yield from _needed(position, area)


def counting(position: StarPosition, first: int = 0) -> Iterator[Finding]:
    """Lines with all regions that lie in them, or touch them, fix the number of stars in what is left over.

    If n regions lie within n lines, the lines have no star outside them; if they lack fewer stars than the lines,
    the rest of the lines holds the difference. The same with lines and regions exchanged.
    """
    met: set[tuple[int, int]] = set()
    for area in count_areas(position):
        if (area.mask, area.least) in met:
            continue
        met.add((area.mask, area.least))
        if area.least == 0:
            yield Finding(0, area.mask, area.mask, f"{area.name}: no star is left for it")
        else:
            yield from _crowded(position, area)
            yield from _needed(position, area)


def what_if(position: StarPosition, first: int = 0) -> Iterator[Finding]:
    """A cell has no star if with one, and what follows at a glance, something cannot be met; one if without."""
    return refuted(position, first, (), "star")


def long_what_if(position: StarPosition, first: int = 0) -> Iterator[Finding]:
    """The same, following the rules of grade 2 too."""
    return refuted(position, first, (pointing, crowding, needed), "star")


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


def _whole(position: StarPosition, unit: Unit) -> Area:
    return Area(position.open & unit.mask, position.missing(unit), "{}", ((unit,),))


def _crowded(position: StarPosition, area: Area) -> Iterator[Finding]:
    board = position.board
    for bit in bits(board.crowding(area.mask, area.least) & position.open):
        star = 1 << bit
        where = places(position.cells(star))
        left = board.most(area.mask & ~board.around[star]) or "none"
        if area.mask & star:
            short = f"with one in {where} there is room for {left} of the other {area.least - 1}"
        else:
            short = f"with a star in {where} there is room for {left}"
        yield Finding(0, star, area.mask, f"{area.name} still {_must_hold(area)}, and {short}")


def _needed(position: StarPosition, area: Area) -> Iterator[Finding]:
    for bit in bits(position.board.needed(area.mask, area.least)):
        star = 1 << bit
        without = f"without {places(position.cells(star))} there is room for {area.least - 1 or 'none'}"
        yield Finding(star, 0, area.mask, f"{area.name} still {_must_hold(area)}, and {without}")


def _must_hold(area: Area) -> str:
    return f"must hold {count_stars(area.least)}"


_Part: TypeAlias = tuple[Unit, int, int]
"""A unit, its places, and how many stars it lacks."""


def count_areas(position: StarPosition) -> Iterator[Area]:
    """Give the areas whose number of stars follows from lines and regions, as `counting` says."""
    board = position.board
    regions = _lacking(position, board.regions)
    for lines in (_lacking(position, board.rows), _lacking(position, board.columns)):
        # Neighbouring lines, and the regions in them and at them.
        for length in range(1, len(lines)):
            for begin in range(len(lines) - length + 1):
                yield from _differences(lines[begin : begin + length], regions)
        # A few regions, and the lines in them and at them.
        for count in range(2, MOST_TOGETHER + 1):
            for some in combinations(regions, count):
                yield from _differences(some, lines)


def _lacking(position: StarPosition, units: Sequence[Unit]) -> list[_Part]:
    parts = [(unit, position.open & unit.mask, position.missing(unit)) for unit in units]
    return [part for part in parts if part[2] > 0]


def _differences(some: Sequence[_Part], others: Sequence[_Part]) -> Iterator[Area]:
    """Take from some units those others that lie in them, and from the others that touch them those units."""
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
    if inside and left and left_count >= 0:
        yield Area(left, left_count, "{} outside {}", (taken, inside))
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
