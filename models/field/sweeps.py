"""Orders in which the tiles of a field are swept, and what the frontier looks like at each of them.

A sweep places the tiles one after the other. The *frontier* before a tile is the set of placed tiles that touch,
in any way that the puzzle cares for, a tile not yet placed. In a line sweep every tile is placed once. In a ring
sweep the tiles are placed round an obstacle, and on and on: time t places the tile `t mod n`, turned to its place.
If the field is the same after a part of a turn, that part is the sweep's period.

A layout that must not change under a symmetry is settled by one tile of each orbit. A line sweep then places just
those, as if orbits were tiles: two of them touch if tiles of them do. A ring sweep under a rotation stays as it
is, and only the walk comes back to its beginning sooner.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from twinproof.models.field.maps import Field
from twinproof.models.field.symmetries import SYMMETRIES, orbits
from twinproof.models.grid import Cell, Permutation, neighbours4
from twinproof.models.words import count_of
from twinproof.optim import InputError

Near = Callable[[Cell], Sequence[Cell]]
Orbits = Mapping[Cell, tuple[Cell, ...]]

RAYS = tuple(math.radians(45 * k) for k in range(8))
"""The angles at which a sweep by angle may begin."""

MAX_RING_TILES = 5000
"""A larger ring is far too wide for any engine; its sweeps are not even looked at."""


@dataclass(frozen=True)
class Layer:
    """What happens when one tile is placed.

    Parameters
    ----------
    tile : Cell
        The tile, as it lies in the first turn.
    frontier : tuple of int
        Times at which the frontier's tiles were placed, oldest first; a tile's slot is its index here.
    leaving : tuple of int
        Slots, the new tile's (the last) included, that are no longer on the frontier afterwards.
    """

    tile: Cell
    frontier: tuple[int, ...]
    leaving: tuple[int, ...]


@dataclass(frozen=True)
class Sweep:
    """An order of tiles.

    Parameters
    ----------
    order : tuple of Cell
        The tiles in the order in which they are placed; in a line sweep one of each orbit.
    period : int
        Number of layers after which everything repeats, turned; all of them in a line sweep.
    periods : int
        Number of periods after which the walk of a layout is back at its beginning.
    is_ring : bool
        Whether the sweep goes on after the last tile.
    near : callable
        The tiles that touch a tile in any way that the puzzle cares for; symmetric.
    orbits : mapping
        For every tile the tiles that are alike, itself included.
    """

    order: tuple[Cell, ...]
    period: int
    periods: int
    is_ring: bool
    near: Near = field(repr=False)
    orbits: Orbits = field(repr=False)

    @cached_property
    def _time(self) -> dict[Cell, int]:
        if self.is_ring:
            return {tile: time for time, tile in enumerate(self.order)}
        return {alike: time for time, tile in enumerate(self.order) for alike in self.orbits[tile]}

    def times(self, time: int, others: Sequence[Cell]) -> list[int]:
        """Give the times, nearest to a given one, at which other tiles (or such as are alike) are placed.

        Parameters
        ----------
        time : int
            The time to be near to; it matters in a ring only, where every tile is placed once a turn.
        others : sequence of Cell
            Tiles of the field.

        Returns
        -------
        list of int
            One time for each of the others.
        """
        if not self.is_ring:
            return [self._time[other] for other in others]
        turn = len(self.order)
        start = time - time % turn
        return [
            min((self._time[other] + start + k * turn for k in (-1, 0, 1)), key=lambda t: abs(t - time))
            for other in others
        ]

    def tile_at(self, time: int) -> Cell:
        """Give the tile that is placed at a time."""
        return self.order[time % len(self.order)]

    def slots(self, time: int, others: Sequence[Cell]) -> list[int]:
        """Give the slots of those other tiles that are on the frontier before a time of the first period.

        Parameters
        ----------
        time : int
            At least 0 and less than `period`.
        others : sequence of Cell
            Tiles of the field.

        Returns
        -------
        list of int
            In ascending order; slot 0 is the first of the layer's frontier.
        """
        index = {placed: slot for slot, placed in enumerate(self.layers[time].frontier)}
        return sorted({index[t] for t in self.times(time, others) if t < time})

    def multiplicity(self, time: int) -> int:
        """Give the number of tiles that one label at a time stands for, in all turns of the walk together."""
        if not self.is_ring:
            return len(self.orbits[self.order[time]])
        return len(self.order) // (self.period * self.periods)

    def marks(self, labels: Sequence[int], marks: Sequence[str]) -> dict[Cell, str]:
        """Give every tile the mark of the label that was placed for it in one turn of the walk.

        Parameters
        ----------
        labels : sequence of int
            One for each time of the turn.
        marks : sequence of str
            What each label draws.

        Returns
        -------
        dict of Cell to str
            For every tile placed, and those alike, its mark.
        """
        placed = {}
        for time, label in enumerate(labels):
            for tile in self.orbits[self.tile_at(time)]:
                placed[tile] = marks[label]
        return placed

    @cached_property
    def layers(self) -> tuple[Layer, ...]:
        """The layers of one period, from time 0; in a ring, times before 0 are those of the turn before."""
        first = -len(self.order) if self.is_ring else 0
        last_use = {t: max([t, *self.times(t, self.near(self.tile_at(t)))]) for t in range(first, self.period)}
        layers = []
        frontier = [t for t in range(first, 0) if last_use[t] >= 0]
        for time in range(self.period):
            placed = [*frontier, time]
            leaving = tuple(slot for slot, t in enumerate(placed) if last_use[t] <= time)
            layers.append(Layer(self.order[time], tuple(frontier), leaving))
            frontier = [t for t in placed if last_use[t] > time]
        return tuple(layers)

    @cached_property
    def width(self) -> int:
        """The most tiles on a frontier, the tile being placed included."""
        return max(len(layer.frontier) + 1 for layer in self.layers)

    @property
    def cut(self) -> int:
        """The number of tiles on the frontier before the first layer."""
        return len(self.layers[0].frontier)

    def states(self, base: float) -> float:
        """Estimate the number of states, if each tile of a frontier multiplies them by a base."""
        return sum(base ** len(layer.frontier) for layer in self.layers)


def line_sweeps(field: Field, near: Near, orbits: Orbits) -> Iterator[Sweep]:
    """Sweep row by row, column by column and by angle, each orbit being placed with the first of its tiles.

    Parameters
    ----------
    field : Field
        The tiles to be swept.
    near : callable
        The tiles that touch a tile in any way that the puzzle cares for; symmetric.
    orbits : mapping
        For every tile the tiles that are alike, itself included.

    Yields
    ------
    Sweep
        By angle only on fields of at most `MAX_RING_TILES` tiles, once for every ray of `RAYS`.
    """
    middle = (field.height - 1) / 2, (field.width - 1) / 2
    keys: list[Callable[[Cell], tuple[float, ...]]] = [lambda cell: cell, lambda cell: (cell[1], cell[0])]
    if len(field.tiles) <= MAX_RING_TILES:
        keys += [_by_angle(middle, ray) for ray in RAYS]
    for key in keys:
        # Rows before and behind the middle are as good: an orbit is placed with its first tile.
        order = sorted((min(alike, key=key) for alike in set(orbits.values())), key=key)
        yield Sweep(tuple(order), len(order), 1, False, near, orbits)


def _by_angle(middle: tuple[float, float], ray: float) -> Callable[[Cell], tuple[float, ...]]:
    """Order cells counter-clockwise from a ray, the outer first where angles are equal."""

    def key(cell: Cell) -> tuple[float, ...]:
        up, right = middle[0] - cell[0], cell[1] - middle[1]
        turned = round((math.atan2(up, right) - ray) % (2 * math.pi), 9)
        return turned % round(2 * math.pi, 9), -(up * up + right * right)

    return key


def orbits_of(field: Field, generators: Sequence[Permutation]) -> dict[Cell, tuple[Cell, ...]]:
    """Give for every tile those that are alike under the group that the generators span.

    Parameters
    ----------
    field : Field
        The tiles.
    generators : sequence of mapping
        Permutations of the tiles.

    Returns
    -------
    dict of Cell to tuple of Cell
        The orbit of every tile, itself included.
    """
    leader = orbits(field.cells, generators)
    members: dict[Cell, list[Cell]] = {}
    for cell in field.cells:
        members.setdefault(leader[cell], []).append(cell)
    return {cell: tuple(members[leader[cell]]) for cell in field.cells}


def ring_sweeps(
    field: Field, near: Near, orbits: Orbits, rotations: int, alike_when_turned: bool
) -> Iterator[Sweep]:
    """Sweep round each obstacle of a field; only under rotations round it, if the layout must be symmetric.

    Parameters
    ----------
    field : Field
    near : callable
    orbits : mapping
        Of the layout's symmetry.
    rotations : int
        The order of the layout's symmetry: 4 for a quarter-turn, 2 for a half-turn, 1 for none.
    alike_when_turned : bool
        Whether the rules are the same for the turned field, where its tiles are.

    Yields
    ------
    Sweep
        Begun at several rays. A diagonal separates the tiles of a field by its own tiles alone, so that the
        frontier there is as narrow as it can be.
    """
    if len(field.tiles) > MAX_RING_TILES:
        return
    for middle, most in _middles(field):
        fold = most if alike_when_turned else 1
        if fold % rotations:
            continue
        for ray in RAYS:
            order = _ring_order(field, middle, fold, ray)
            if order is None:
                continue
            sweep = Sweep(tuple(order), len(order) // fold, fold // rotations, True, near, orbits)
            if goes_round(sweep):
                yield sweep


def _middles(field: Field) -> list[tuple[tuple[float, float], int]]:
    """List the points to go round, each with the number of turned copies of a part that make up the field."""
    used = field.tiles | field.obstacles
    rows, columns = [r for r, _ in used], [c for _, c in used]
    middle = (min(rows) + max(rows)) / 2, (min(columns) + max(columns)) / 2
    if middle not in field.tiles:
        if field.square_symmetry("quarter-turn") is not None:
            return [(middle, 4)]
        if field.square_symmetry("half-turn") is not None:
            return [(middle, 2)]
    import networkx as nx  # noqa: PLC0415 - takes long to load, and few fields need it here

    holes: nx.Graph[Cell] = nx.Graph()
    holes.add_nodes_from(field.obstacles)
    holes.add_edges_from((cell, n) for cell in field.obstacles for n in neighbours4(cell) if n in field.obstacles)
    parts = sorted((sorted(part) for part in nx.connected_components(holes)), key=lambda part: (-len(part), part))
    points = [
        (sum(r for r, _ in part) / len(part), sum(c for _, c in part) / len(part)) for part in parts[:MAX_HOLES]
    ]
    return [(point, 1) for point in points if point not in field.tiles]


MAX_HOLES = 8
"""The number of obstacles, the largest first, that are tried as the middle of a ring."""


def _ring_order(field: Field, middle: tuple[float, float], fold: int, ray: float) -> list[Cell] | None:
    """Order the tiles by angle from a ray, as turned copies of a part; None if it is not made of such copies."""
    key = _by_angle(middle, ray)
    part = round(2 * math.pi / fold, 9)
    # The part ends with the tiles on its last ray, so the first ray's own tiles come last of all.
    turn = round(2 * math.pi, 9)
    tiles = sorted((key(tile)[0] or turn, key(tile)[1], tile) for tile in field.cells)
    order = [tile for angle, _, tile in tiles if angle <= part]
    copy = list(order)
    for _ in range(fold - 1):
        copy = [_turned(cell, middle, fold) for cell in copy]
        order += copy
    return order if len(order) == len(field.tiles) and set(order) == field.tiles else None


def _turned(cell: Cell, middle: tuple[float, float], fold: int) -> Cell:
    """Turn a cell counter-clockwise by a quarter or a half: up goes to the left."""
    up, right = middle[0] - cell[0], cell[1] - middle[1]
    up, right = (right, -up) if fold == 4 else (-up, -right)
    return round(middle[0] - up), round(middle[1] + right)


def goes_round(sweep: Sweep) -> bool:
    """Whether it is clear, for all tiles that touch, which way round they do, and nothing outlasts a turn.

    Parameters
    ----------
    sweep : Sweep
        In a ring.
    """
    turn = len(sweep.order)
    for time in range(turn):
        # Tiles that touch across the middle would have two ways round to each other.
        if any(abs(t - time) > 3 * turn // 8 for t in sweep.times(time, sweep.near(sweep.tile_at(time)))):
            return False
    # What a state at the cut says of a tile must be settled within the turn that comes back to the state.
    return min(sweep.layers[0].frontier, default=0) >= -sweep.period * sweep.periods


ROTATIONS = {None: 1, "half-turn": 2, "quarter-turn": 4}
"""The symmetries of a layout under which a ring is still swept all round, each with its order."""


def choose(
    field: Field,
    near: Near,
    generators: Sequence[Permutation],
    symmetry: str | None,
    lacks_room: Callable[[Sweep], str],
    states: Callable[[Sweep], float],
    most: float,
    alike_when_turned: bool = True,
) -> Sweep:
    """Choose the sweep with the fewest states, in lines or round an obstacle.

    Parameters
    ----------
    field : Field
    near : callable
    generators : sequence of Permutation
        Of the layout's symmetry.
    symmetry : str or None
        Its name.
    lacks_room : callable
        Why a sweep's states do not fit into a packed state, in words; empty if they do.
    states : callable
        Estimates a sweep's states.
    most : float
        The number of states that may be listed.
    alike_when_turned : bool
        Whether the rules are the same for the turned field.

    Raises
    ------
    InputError
        If no sweep's states fit, with what the narrowest lacks; or if even the fewest states are too many, with
        their estimate.
    """
    assert symmetry is None or symmetry in SYMMETRIES
    alike = orbits_of(field, generators)
    sweeps = list(line_sweeps(field, near, alike))
    if symmetry in ROTATIONS:
        sweeps += ring_sweeps(field, near, alike, ROTATIONS[symmetry], alike_when_turned)
    best = min((sweep for sweep in sweeps if not lacks_room(sweep)), key=states, default=None)
    if best is None:
        narrowest = min(sweeps, key=lambda sweep: (sweep.width, states(sweep)))
        raise InputError(f"frontier: {field.name} is too wide: {lacks_room(narrowest)}")
    if states(best) > most:
        raise InputError(
            f"frontier: {field.name} is too wide: swept in the best order, its frontier has "
            f"{count_of(best.width, 'tile')}, which means about {_rounded(states(best))} states; at most "
            f"{_rounded(most)} can be listed"
        )
    return best


def _rounded(number: float) -> str:
    """Write a large number for people, to two digits."""
    return f"{float(f'{number:.1e}'):,.0f}" if number < 1e15 else f"{number:.0e}"
