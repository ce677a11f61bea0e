"""The sprinkler puzzle as a transition system over the frontier of a sweep.

A frontier tile is, in two bits, 0 a sprinkler, 1 a dry crop, 2 a watered crop. A dry crop may not leave. A state
says nothing but the labels of its tiles and what they have of water, so every closed walk is a layout, and walks
and layouts are one to one.
"""

from collections.abc import Sequence
from functools import partial

import numpy as np
import numpy.typing as npt
from numba import prange

from twinproof.models.field.sweeps import Sweep, choose
from twinproof.models.grid import Cell
from twinproof.models.sprinklers.instance import CROP, OBJECTIVES, SPRINKLER, SprinklerPuzzle
from twinproof.optim.frontier.compiled import compiled, compiled_parallel
from twinproof.optim.frontier.search import FrontierModel
from twinproof.optim.frontier.system import NONE, States, System, every_state

BITS = 2
MAX_WIDTH = 31
"""The number of tiles that a packed state has room for, the new one included."""

MAX_STATES = 5e8
STATES_A_TILE = 2.5
"""By this measured factor one more tile on the frontier multiplies the states."""

S_LABEL, CROP_LABEL = 0, 1
S, DRY, WATERED = np.uint64(0), np.uint64(1), np.uint64(2)


def build_frontier(
    puzzle: SprinklerPuzzle,
    objective: str = "fewest-sprinklers",
    sweep: Sweep | None = None,
) -> FrontierModel[tuple[str, ...]]:
    """Build the transition system.

    Parameters
    ----------
    puzzle : SprinklerPuzzle
    objective : {"fewest-sprinklers"}
    sweep : Sweep, optional
        The order of the tiles; by default that of `choose_sweep`.

    Raises
    ------
    InputError
        If the frontier would be too wide.
    """
    sweep = sweep or choose_sweep(puzzle)
    tables = _tables(puzzle, sweep)

    def expand(states: States, layer: int) -> States:
        result: States = _expand(states, layer, *tables)
        return result

    gains = np.zeros((sweep.period, 2), dtype=np.int32)
    gains[:, S_LABEL] = [-sweep.multiplicity(time) for time in range(sweep.period)]
    system = System(
        expand=expand,
        layers=sweep.period,
        periods=sweep.periods,
        gains=gains,
        # A layout's own state at the cut has the same sprinklers as one of these, and what a state says of water
        # is true once all its tiles have been placed anew.
        starts=every_state((int(S), int(WATERED)), sweep.cut, BITS),
        is_ring=sweep.is_ring,
    )

    def read(labels: Sequence[int]) -> tuple[str, ...]:
        return puzzle.field.rows(sweep.marks(labels, (SPRINKLER, CROP)))

    return FrontierModel(system, OBJECTIVES[objective], read)


def near(puzzle: SprinklerPuzzle, tile: Cell) -> tuple[Cell, ...]:
    """Give the tiles that a tile touches: by water.

    Parameters
    ----------
    puzzle : SprinklerPuzzle
        The instance.
    tile : Cell
        A tile of its field.

    Returns
    -------
    tuple of Cell
        Without the tile itself.
    """
    return puzzle.waterers[tile]


def estimate(sweep: Sweep) -> float:
    """Estimate the number of states of a sweep."""
    return sweep.states(STATES_A_TILE)


def choose_sweep(puzzle: SprinklerPuzzle) -> Sweep:
    """Choose the sweep with the fewest states.

    Raises
    ------
    InputError
        If every sweep is too wide.
    """
    return choose(
        puzzle.field,
        partial(near, puzzle),
        puzzle.generators,
        puzzle.symmetry,
        lambda sweep: sweep.width <= MAX_WIDTH,
        estimate,
        MAX_STATES,
    )


def _tables(puzzle: SprinklerPuzzle, sweep: Sweep) -> tuple[npt.NDArray[np.int64], ...]:
    """Tell the step of every layer: size of the frontier, who leaves, the slots in whose range the tile is."""
    facts = np.zeros((len(sweep.layers), 2), dtype=np.int64)
    water = np.full((len(sweep.layers), 49), -1, dtype=np.int64)
    for time, layer in enumerate(sweep.layers):
        facts[time] = (len(layer.frontier), sum(1 << slot for slot in layer.leaving))
        slots = sweep.slots(time, puzzle.waterers[layer.tile])
        water[time, : len(slots)] = slots
    return facts, water


@compiled_parallel
def _expand(states, layer, facts, water):  # type: ignore[no-untyped-def]
    result = np.empty((len(states), 2), dtype=np.uint64)
    for i in prange(len(states)):
        for label in range(2):
            result[i, label] = step(states[i], label, facts[layer], water[layer])
    return result


@compiled
def step(state, label, facts, water):  # type: ignore[no-untyped-def]
    """Place a sprinkler or a crop on the layer's tile.

    Parameters
    ----------
    state : uint64
        The codes of the frontier, two bits a tile.
    label : int
        `S_LABEL` or `CROP_LABEL`.
    facts : ndarray of int
        The number of tiles on the frontier, and the bits of those that leave it.
    water : ndarray of int
        The slots of the tiles that water this one; -1 ends the list.

    Returns
    -------
    uint64
        The next state, or `NONE` where a crop would stay dry.
    """
    size, leaving = facts[0], facts[1]
    mine = S if label == S_LABEL else DRY
    for slot in water:
        if slot < 0:
            break
        shift = np.uint64(BITS * slot)
        code = (state >> shift) & np.uint64(3)
        if label == S_LABEL and code == DRY:
            state += np.uint64(1) << shift  # dry becomes watered
        elif label == CROP_LABEL and code == S:
            mine = WATERED
    state |= mine << np.uint64(BITS * size)
    packed = np.uint64(0)
    place = 0
    for slot in range(size + 1):
        code = (state >> np.uint64(BITS * slot)) & np.uint64(3)
        if (leaving >> slot) & 1:
            if code == DRY:
                return NONE
        else:
            packed |= code << np.uint64(BITS * place)
            place += 1
    return packed
