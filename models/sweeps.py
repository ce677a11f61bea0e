"""Orders in which the tiles of a field are swept, and what the frontier looks like at each of them.

A sweep places the tiles one after the other. The *frontier* before a tile is the set of placed tiles that touch,
in any way that the puzzle cares for, a tile not yet placed. In a linear sweep every tile is placed once. In a ring
sweep the tiles are placed round an obstacle in the middle, and on and on: time t places the tile `t mod n`, turned
to its place. If the field is the same after a part of a turn, that part is the sweep's period.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from models.grid import Cell, Field

__all__ = ["Layer", "Sweep", "linear_sweep", "ring_sweep"]

Near = Callable[[Cell], Sequence[Cell]]


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
        All tiles, in the order in which they are placed.
    period : int
        Number of layers after which everything repeats, turned; all of them in a linear sweep.
    is_ring : bool
        Whether the sweep goes on after the last tile.
    near : callable
        The tiles that touch a tile in any way that the puzzle cares for; symmetric.
    """

    order: tuple[Cell, ...]
    period: int
    is_ring: bool
    near: Near

    @cached_property
    def _time(self) -> dict[Cell, int]:
        return {tile: time for time, tile in enumerate(self.order)}

    def times(self, time: int, others: Sequence[Cell]) -> list[int]:
        """Give the times, nearest to a given one, at which tiles near its tile are placed."""
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
        """Give the slots of those other tiles that are on the frontier before a time of the first period."""
        index = {placed: slot for slot, placed in enumerate(self.layers[time].frontier)}
        return sorted(index[t] for t in self.times(time, others) if t < time)

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


def linear_sweep(field: Field, near: Near) -> Sweep:
    """Sweep row by row or column by column, whichever keeps the frontier narrower."""
    by_rows = Sweep(field.cells, len(field.cells), False, near)
    columns = tuple(sorted(field.cells, key=lambda cell: (cell[1], cell[0])))
    by_columns = Sweep(columns, len(columns), False, near)
    return min(by_rows, by_columns, key=lambda sweep: sweep.width)


def ring_sweep(field: Field, near: Near) -> Sweep | None:
    """Sweep round the middle of a field that is the same after a quarter turn; None if it is not.

    A quarter is the tiles at more than 45 and at most 135 degrees, in order of their angle, the outer first where
    angles are equal: a diagonal separates the field by its own tiles alone, so that at the start of a quarter the
    frontier is as narrow as it can be. The others are its rotations.
    """
    if field.height != field.width or field.height % 2 == 0 or field.square_symmetry("quarter-turn") is None:
        return None
    middle = (field.height - 1) // 2
    if (middle, middle) in field.tiles:
        return None

    def angle(tile: Cell) -> float:
        return round(math.atan2(middle - tile[0], tile[1] - middle), 9)

    quarter = [tile for tile in field.cells if round(math.pi / 4, 9) < angle(tile) <= round(3 * math.pi / 4, 9)]
    quarter.sort(key=lambda tile: (angle(tile), -((tile[0] - middle) ** 2 + (tile[1] - middle) ** 2)))
    order = list(quarter)
    for _ in range(3):
        # Counter-clockwise: up goes to the left.
        order += [(2 * middle - c, r) for r, c in order[-len(quarter) :]]
    if set(order) != field.tiles:  # the field's middle is not the map's, which may have blank margins
        return None
    ring = Sweep(tuple(order), len(quarter), True, near)
    # Tiles that touch across the middle would have two ways round to each other.
    turn = len(order)
    reach = [abs(t - time) for time in range(turn) for t in ring.times(time, near(ring.tile_at(time)))]
    return ring if max(reach, default=0) <= 3 * turn // 8 else None
