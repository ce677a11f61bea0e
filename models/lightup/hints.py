"""The rules by which a person solves Light Up; each says what it concludes in a position.

A *place* is a cell of which it is not known yet whether it has a bulb; a *wall* here is one with a number.

References
----------
The techniques are known to solvers under various names; see P. Hearn's pages on `pzl`, "Akari algorithms".
"""

from collections.abc import Iterator
from itertools import combinations

from twinproof.models.deduction.hints import Finding, HintRules, rule
from twinproof.models.deduction.position import Unit, bits
from twinproof.models.deduction.what_if import refuted
from twinproof.models.grid import show
from twinproof.models.lightup.position import LightPosition, start
from twinproof.models.words import count_of


@rule("lit", "lit cells", 1, "A cell that a bulb lights has no bulb.")
def lit(position: LightPosition, first: int) -> Iterator[Finding]:
    """Clear the cells that a bulb lights."""
    for bit in bits(position.marked):
        empty = position.board.light[1 << bit] & position.open
        if empty:
            yield Finding(0, empty, 1 << bit, f"the bulb in {_place(position, 1 << bit)} shines there")


@rule("met", "number met", 1, "A wall with all its bulbs has no other beside it, and a 0 none at all.")
def met(position: LightPosition, first: int) -> Iterator[Finding]:
    """Clear the places beside a wall that has all its bulbs, as a 0 has."""
    for wall in position.board.walls:
        rest = position.open & wall.mask
        if rest and position.missing(wall) == 0:
            said = f"{wall.name} has all its bulbs" if wall.count else f"{wall.name} has no bulb beside it"
            yield Finding(0, rest, position.marked & wall.mask, said)


@rule(
    "forced",
    "number forced",
    1,
    "A wall with as many places beside it as bulbs it lacks has a bulb on each of them.",
)
def forced(position: LightPosition, first: int) -> Iterator[Finding]:
    """Put bulbs beside a wall that has only as many places left as it lacks bulbs."""
    for wall in position.board.walls:
        rest = position.open & wall.mask
        missing = position.missing(wall)
        if rest and rest.bit_count() == missing:
            reason = (
                f"{wall.name} lacks {count_of(missing, 'bulb')} and has only {count_of(missing, 'place')} left"
            )
            yield Finding(rest, 0, rest, reason)


@rule(
    "only place",
    "only one place for light",
    1,
    "A dark cell that can be lit from one place only is lit from there.",
)
def only_place(position: LightPosition, first: int) -> Iterator[Finding]:
    """Put a bulb on the only place from which a dark cell can be lit."""
    for bit in bits(position.dark):
        able = position.open & position.board.light[1 << bit]
        if able.bit_count() == 1:
            cell = _place(position, 1 << bit)
            if able == 1 << bit:
                yield Finding(able, 0, able, f"{cell} is dark, and no other place could light it")
            else:
                reason = f"{cell} is dark, and only {_place(position, able)} could light it"
                yield Finding(able, 0, 1 << bit, reason)


@rule(
    "corner",
    "no room for the number",
    2,
    "A cell has no bulb if one would light so many places beside a wall that too few are left for its number: "
    "none at a corner of a 3, or at that of a 2 or 1 whose other places are gone.",
)
def corner(position: LightPosition, first: int) -> Iterator[Finding]:
    """Clear a cell where a bulb would light so many places beside a wall that too few are left for its number."""
    board = position.board
    for wall in board.walls:
        rest, missing = position.open & wall.mask, position.missing(wall)
        if missing <= 0 or rest.bit_count() < missing:
            continue
        # A bulb lights two of the places at most.
        if rest.bit_count() - missing >= 2:
            continue
        for bit in bits(position.open & ~rest & board.lit_by(rest)):
            left = (rest & ~board.light[1 << bit]).bit_count()
            if left < missing:
                reason = (
                    f"{wall.name} lacks {count_of(missing, 'bulb')}; with one in {_place(position, 1 << bit)} "
                    f"it has room for {left or 'none'}"
                )
                yield Finding(0, 1 << bit, rest, reason)


@rule(
    "kept dark",
    "a cell kept dark",
    3,
    "A cell has no bulb if one would light all places from which some other cell can be lit, but not that cell.",
)
def kept_dark(position: LightPosition, first: int) -> Iterator[Finding]:
    """Clear a cell where a bulb would light all places from which another can be lit, but not that other."""
    board = position.board
    for bit in bits(position.dark):
        able = position.open & board.light[1 << bit]
        if not able:
            continue
        found = position.open & ~able
        for other in bits(able):
            found &= board.light[1 << other]
            if not found:
                break
        for one in bits(found):
            reason = (
                f"{_place(position, 1 << bit)} must be lit from one of "
                f"{count_of(able.bit_count(), 'place')}, and a bulb in "
                f"{_place(position, 1 << one)} would light all of them"
            )
            yield Finding(0, 1 << one, able, reason)


@rule(
    "light and number",
    "lit from beside a number",
    3,
    "If all places from which some cell can be lit are beside a wall that lacks one bulb, its other places are "
    "empty.",
)
def light_and_number(position: LightPosition, first: int) -> Iterator[Finding]:
    """Clear the other places beside a wall that lacks one bulb and has all that can light some cell beside it."""
    board = position.board
    lacking = [(wall, position.open & wall.mask) for wall in board.walls if position.missing(wall) == 1]
    for bit in bits(position.dark):
        able = position.open & board.light[1 << bit]
        if not 1 < able.bit_count() <= 4:
            continue
        for wall, rest in lacking:
            if not able & ~rest and rest & ~able:
                reason = f"{wall.name} lacks 1 bulb, and {_place(position, 1 << bit)} must be lit from beside it"
                yield Finding(0, rest & ~able, able, reason)


@rule(
    "two walls",
    "two numbers together",
    3,
    "A place that has a bulb in all ways to place the bulbs of two walls that share places, or see each other's, "
    "has one; a cell that is lit, or beside them and empty, in all ways has none.",
)
def two_walls(position: LightPosition, first: int) -> Iterator[Finding]:
    """Find what all ways to place the bulbs of two walls have in common, where the ways depend on each other."""
    board = position.board
    lacking = [wall for wall in board.walls if position.missing(wall) > 0]
    reach = {wall: board.lit_by(position.open & wall.mask) for wall in lacking}
    for one, other in combinations(lacking, 2):
        if not reach[one] & other.mask & position.open:
            continue
        always, never = _common(position, one, other)
        if always or never:
            rest = position.open & (one.mask | other.mask)
            reason = f"so it is in all ways to place the bulbs that {one.name} and {other.name} lack"
            yield Finding(always, never, rest, reason)


def _common(position: LightPosition, one: Unit, other: Unit) -> tuple[int, int]:
    """Give the places with a bulb, and those without, in all ways to place the bulbs of two walls."""
    board = position.board
    always, never, ways = position.open, position.open, 0
    for first in _placings(position, one):
        lit_by_first = board.lit_by(first)
        for second in _placings(position, other):
            both = first | second
            # Bulbs beside both walls count for both, and none may light another.
            if second & ~first & lit_by_first or (both & one.mask) != first or (both & other.mask) != second:
                continue
            ways += 1
            always &= both
            never &= ~both & (lit_by_first | board.lit_by(second) | one.mask | other.mask)
            if not always and not never:
                return 0, 0
    return (always, never) if ways else (0, 0)


def _placings(position: LightPosition, wall: Unit) -> Iterator[int]:
    """Give the ways to place the bulbs that a wall lacks."""
    rest = [1 << bit for bit in bits(position.open & wall.mask)]
    for chosen in combinations(rest, position.missing(wall)):
        yield sum(chosen)


@rule(
    "what-if",
    "suppose one cell",
    4,
    "A cell has no bulb if with one, and what then follows by rules of grade 1, a number cannot be met or a cell "
    "not be lit; and a bulb if that happens without one.",
)
def what_if(position: LightPosition, first: int) -> Iterator[Finding]:
    """Suppose a bulb, or none, and follow what is seen at a glance to what cannot be met."""
    return refuted(position, first, (), "bulb")


@rule(
    "long what-if",
    "suppose one cell and follow far",
    5,
    "The same, where what then follows by rules of grades 1 to 3 is followed.",
)
def long_what_if(position: LightPosition, first: int) -> Iterator[Finding]:
    """Suppose the same, and follow the rules of grades 2 and 3 too."""
    return refuted(position, first, (corner, kept_dark, light_and_number, two_walls), "bulb")


def _place(position: LightPosition, cell: int) -> str:
    return show(position.cells(cell)[0])


HINTS = HintRules(
    (lit, met, forced, only_place, corner, kept_dark, light_and_number, two_walls, what_if, long_what_if), start
)

grade = HINTS.grade
