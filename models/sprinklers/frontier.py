"""The sprinkler puzzle as a transition system over the frontier of a sweep.

A frontier tile is, in two bits, 0 a sprinkler, 1 a dry crop, 2 a watered crop. A dry crop may not leave.
"""

from collections.abc import Sequence
from functools import partial

import numpy as np
import numpy.typing as npt
from numba import njit

from models.grid import Cell
from models.sprinklers.puzzle import CROP, OBJECTIVES, SPRINKLER, SprinklerPuzzle
from models.sweeps import Sweep, linear_sweep, ring_sweep
from optim import InputError
from optim.frontier.layers import NONE, System, every_state
from optim.frontier.search import FrontierModel

__all__ = ["build_frontier", "choose_sweep", "near"]

BITS = 2
MAX_WIDTH = 15
"""Tiles that a frontier may have, the new one included: 3^14 states a layer at most."""


def build_frontier(
    puzzle: SprinklerPuzzle,
    objective: str = "fewest-sprinklers",
    at_least: int | None = None,
    at_most: int | None = None,
    sweep: Sweep | None = None,
) -> FrontierModel[tuple[str, ...]]:
    """Build the transition system.

    Parameters
    ----------
    puzzle : SprinklerPuzzle
        Without a symmetry asked for.
    objective : {"fewest-sprinklers"}

    sweep : Sweep, optional
        The order of the tiles; by default that of `choose_sweep`.

    Raises
    ------
    InputError
        If the question is none that this engine answers, or the frontier would be too wide.
    """
    if at_least is not None or at_most is not None or puzzle.symmetry is not None:
        raise InputError("frontier: answers only the question for the fewest sprinklers, without a symmetry")
    sweep = sweep or choose_sweep(puzzle)
    # Every true state at the cut is dominated by the one with its sprinklers in which every crop is watered.
    starts = every_state((0, 2), len(sweep.layers[0].frontier), BITS)
    system = System(
        step=step,
        tables=_tables(puzzle, sweep),
        layers=sweep.period,
        periods=len(sweep.order) // sweep.period,
        gains=np.array([-1, 0], dtype=np.int32),
        starts=starts,
        is_ring=sweep.is_ring,
    )

    def read(labels: Sequence[int]) -> tuple[str, ...]:
        return puzzle.field.rows({sweep.tile_at(t): (SPRINKLER, CROP)[label] for t, label in enumerate(labels)})

    return FrontierModel(system, OBJECTIVES[objective], read)


def near(puzzle: SprinklerPuzzle, tile: Cell) -> tuple[Cell, ...]:
    """Give the tiles that a tile touches: by water."""
    return puzzle.waterers[tile]


def choose_sweep(puzzle: SprinklerPuzzle) -> Sweep:
    """Sweep in lines or round the middle, whichever keeps the frontier narrower."""
    line = linear_sweep(puzzle.field, partial(near, puzzle))
    ring = ring_sweep(puzzle.field, partial(near, puzzle))
    sweep = line if ring is None or line.width <= ring.width + 1 else ring
    if sweep.width > MAX_WIDTH:
        raise InputError(
            f"frontier: {puzzle.field.name} is too wide: {sweep.width} tiles at once, {MAX_WIDTH} are allowed; "
            f"up to 3^{sweep.width - 1} states"
        )
    return sweep


def _tables(puzzle: SprinklerPuzzle, sweep: Sweep) -> tuple[npt.NDArray[np.int64], ...]:
    """Tell the step of every layer: size of the frontier, who leaves, the slots in whose range the tile is."""
    facts = np.zeros((len(sweep.layers), 2), dtype=np.int64)
    water = np.full((len(sweep.layers), 49), -1, dtype=np.int64)
    for time, layer in enumerate(sweep.layers):
        facts[time] = (len(layer.frontier), sum(1 << slot for slot in layer.leaving))
        slots = sweep.slots(time, puzzle.waterers[layer.tile])
        water[time, : len(slots)] = slots
    return facts, water


@njit
def step(state, label, layer, tables):  # type: ignore[no-untyped-def]
    """Place a sprinkler (0) or a crop (1); gives the next state, or `NONE` where a crop would stay dry."""
    facts, water = tables
    size, leaving = facts[layer, 0], facts[layer, 1]
    mine = np.uint64(label)  # a crop is dry until a sprinkler is found below
    for i in range(water.shape[1]):
        slot = water[layer, i]
        if slot < 0:
            break
        shift = np.uint64(BITS * slot)
        code = (state >> shift) & np.uint64(3)
        if label == 0 and code == np.uint64(1):
            state ^= np.uint64(3) << shift  # dry becomes watered: 1 to 2
        elif label == 1 and code == np.uint64(0):
            mine = np.uint64(2)
    state |= mine << np.uint64(BITS * size)
    packed = np.uint64(0)
    place = 0
    for slot in range(size + 1):
        code = (state >> np.uint64(BITS * slot)) & np.uint64(3)
        if (leaving >> slot) & 1:
            if code == np.uint64(1):
                return NONE
        else:
            packed |= code << np.uint64(BITS * place)
            place += 1
    return packed
