"""The hops puzzle as a transition system over the frontier of a sweep.

A frontier tile is, in five bits,

    0            S, a sprinkler
    1 + w + 2 s  H, a hop; w: watered yet, s: served yet
    5 + w        C, a crop on which nobody walks
    7 + w + 2 c  W, a walkway in component c

Component 0 has a start; the others are numbered by first appearance, two walkways having the same number if a way
over placed tiles joins them. A tile may leave the frontier only if it is watered and, as a hop, served, and, as
a walkway, in component 0 or in one that still has a tile on the frontier.
"""

from collections.abc import Sequence
from functools import partial

import numpy as np
import numpy.typing as npt
from numba import njit

from models.grid import Cell
from models.hops.puzzle import HOP, OBJECTIVES, SPRINKLER, WALKABLE, HopsPuzzle
from models.hops.rules import violations
from models.sweeps import Sweep, linear_sweep, ring_sweep
from optim import InputError, Sense
from optim.frontier.layers import NONE, System, every_state
from optim.frontier.search import FrontierModel

__all__ = ["build_frontier", "choose_sweep", "near"]

BITS = 5
MAX_WIDTH = 12  # slots of five bits, the new tile included; eleven remain, and so at most eleven components
LINE_WIDTH = 8

S, DRY_H, DRY_C, DRY_W = 0, 1, 5, 7
FRESH = 12
"""The number of a component until it is renumbered; above all others."""

S_LABEL, H_LABEL, W_LABEL, C_LABEL = 0, 1, 2, 3
CODES = (S, DRY_H, DRY_W, DRY_C)


def build_frontier(
    puzzle: HopsPuzzle,
    objective: str = "most-hops",
    at_least: int | None = None,
    at_most: int | None = None,
    sweep: Sweep | None = None,
) -> FrontierModel[tuple[str, ...]]:
    """Build the transition system.

    Parameters
    ----------
    puzzle : HopsPuzzle
        Without a symmetry asked for and without a fixed number of hops.
    objective : {"most-hops"}

    sweep : Sweep, optional
        The order of the tiles; by default that of `choose_sweep`.

    Raises
    ------
    InputError
        If the question is none that this engine answers, or the frontier would be too wide.
    """
    if objective != "most-hops" or at_least is not None or at_most is not None or puzzle.symmetry is not None:
        raise InputError("frontier: answers only the question for the most hops, without a symmetry")
    sweep = sweep or choose_sweep(puzzle)
    # Every true state at the cut is dominated by the one with its labels in which nothing is left to be done:
    # S; H watered and served; W watered, in component 0.
    starts = every_state((S, DRY_H + 3, DRY_W + 1), len(sweep.layers[0].frontier), BITS)
    system = System(
        step=step,
        tables=_tables(puzzle, sweep),
        layers=sweep.period,
        periods=len(sweep.order) // sweep.period,
        gains=np.array([0, 1, 0], dtype=np.int32),
        starts=starts,
        is_ring=sweep.is_ring,
    )

    def read(labels: Sequence[int]) -> tuple[str, ...] | None:
        marks = {sweep.tile_at(t): (SPRINKLER, HOP, WALKABLE)[label] for t, label in enumerate(labels)}
        layout = puzzle.field.rows(marks)
        return None if violations(puzzle, layout) else layout

    return FrontierModel(system, Sense(OBJECTIVES[objective]), read)


def near(puzzle: HopsPuzzle, tile: Cell) -> list[Cell]:
    """Give the tiles that a tile touches: on foot, by harvest, by water."""
    return sorted({*puzzle.field.graph[tile], *puzzle.servers[tile], *puzzle.waterers[tile]})


def choose_sweep(puzzle: HopsPuzzle) -> Sweep:
    """Sweep a small field line by line, and a larger one round its middle if it can be."""
    field = puzzle.field

    line = linear_sweep(field, partial(near, puzzle))
    if line.width <= LINE_WIDTH:
        return line
    ring = None if puzzle.entrances else ring_sweep(field, partial(near, puzzle))
    if ring is not None and ring.width <= MAX_WIDTH - 3:
        return ring
    widths = f"{line.width} tiles in lines" + (f", {ring.width} round the middle" if ring else "")
    raise InputError(
        f"frontier: {field.name} is too wide: {widths}; a state may hold {LINE_WIDTH} in lines, "
        f"{MAX_WIDTH - 3} round the middle, and every tile more means about six times as many states"
    )


def _tables(puzzle: HopsPuzzle, sweep: Sweep) -> tuple[npt.NDArray[np.int64], ...]:
    """Tell the step of every layer: numbers, and the slots of the tile's edge, harvest and water neighbours."""
    count = len(sweep.layers)
    facts = np.zeros((count, 5), dtype=np.int64)
    edge = np.full((count, 5), -1, dtype=np.int64)
    serve = np.full((count, 9), -1, dtype=np.int64)
    water = np.full((count, 49), -1, dtype=np.int64)
    for time, layer in enumerate(sweep.layers):
        tile = layer.tile
        leaving = sum(1 << slot for slot in layer.leaving)
        starts, served = tile in puzzle.starts, tile in puzzle.served_by_outside
        facts[time] = (len(layer.frontier), leaving, starts, served, puzzle.dry_paths)
        for table, others in (
            (edge, tuple(puzzle.field.graph[tile])),
            (serve, puzzle.servers[tile]),
            (water, puzzle.waterers[tile]),
        ):
            slots = sweep.slots(time, others)
            table[time, : len(slots)] = slots
    return facts, edge, serve, water


@njit
def _code(state, slot):  # type: ignore[no-untyped-def]
    """Give the code of a frontier tile."""
    return np.int64((state >> np.uint64(BITS * slot)) & np.uint64(31))


@njit
def _put(state, slot, code):  # type: ignore[no-untyped-def]
    """Give the state with another code for a frontier tile."""
    shift = np.uint64(BITS * slot)
    return (state & ~(np.uint64(31) << shift)) | (np.uint64(code) << shift)


@njit
def _watered(code):  # type: ignore[no-untyped-def]
    """Give a code with the tile watered."""
    if code in (DRY_H, DRY_H + 2, DRY_C) or (code >= DRY_W and (code - DRY_W) % 2 == 0):
        return code + 1
    return code


@njit
def _join(state, size, beside, is_start):  # type: ignore[no-untyped-def]
    """Join the walkways beside a new one; gives the state and the new tile's component.

    The component of the lowest number takes in all others; a start is in component 0.
    """
    joined = 0
    lowest = 0 if is_start else FRESH
    for slot in beside:
        if slot >= 0 and _code(state, slot) >= DRY_W:
            component = (_code(state, slot) - DRY_W) // 2
            joined |= 1 << component
            lowest = min(lowest, component)
    for slot in range(size):
        code = _code(state, slot)
        if code >= DRY_W and (joined >> ((code - DRY_W) // 2)) & 1:
            state = _put(state, slot, DRY_W + 2 * lowest + (code - DRY_W) % 2)
    return state, lowest


@njit
def _place(state, label, layer, tables):  # type: ignore[no-untyped-def]
    """Add the layer's tile behind the frontier's last slot, and tell its neighbours."""
    facts, edge, serve, water = tables
    size, is_start, by_outside, dry_paths = facts[layer, 0], facts[layer, 2], facts[layer, 3], facts[layer, 4]
    code = CODES[label]
    if dry_paths and label in (W_LABEL, C_LABEL):
        code = _watered(code)
    for i in range(water.shape[1]):
        slot = water[layer, i]
        if slot < 0:
            break
        if label == S_LABEL:
            state = _put(state, slot, _watered(_code(state, slot)))
        elif _code(state, slot) == S:
            code = _watered(code)
    served = by_outside != 0
    for i in range(serve.shape[1]):
        slot = serve[layer, i]
        if slot < 0:
            break
        other = _code(state, slot)
        if label == W_LABEL and other in (DRY_H, DRY_H + 1):
            state = _put(state, slot, other + 2)
        served |= other >= DRY_W
    if label == H_LABEL and served:
        code += 2
    if label == W_LABEL:
        state, component = _join(state, size, edge[layer], is_start)
        code += 2 * component
    # A fresh component does not fit into five bits until it has its final number.
    return state, code


@njit
def step(state, label, layer, tables):  # type: ignore[no-untyped-def]
    """Place a label on the layer's tile; gives the next state, or `NONE` where a rule would be broken for good."""
    size, leaving = tables[0][layer, 0], tables[0][layer, 1]
    state, mine = _place(state, label, layer, tables)
    staying = 0  # the components that still have a tile on the frontier
    for slot in range(size + 1):
        code = mine if slot == size else _code(state, slot)
        if (leaving >> slot) & 1 == 0 and code >= DRY_W:
            staying |= 1 << ((code - DRY_W) // 2)
    names = np.uint64(0)  # four bits for the new number of every component
    count = 0
    packed = np.uint64(0)
    place = 0
    for slot in range(size + 1):
        code = mine if slot == size else _code(state, slot)
        component = (code - DRY_W) // 2 if code >= DRY_W else 0
        if (leaving >> slot) & 1:
            # Who leaves must have all that it needs.
            needs = _watered(code) != code or code == DRY_H + 1
            if needs or (component != 0 and (staying >> component) & 1 == 0):
                return NONE
            continue
        if component != 0:
            shift = np.uint64(4 * component)
            name = int((names >> shift) & np.uint64(15))
            if name == 0:
                count += 1
                name = count
                names |= np.uint64(name) << shift
            code = DRY_W + 2 * name + (code - DRY_W) % 2
        packed |= np.uint64(code) << np.uint64(BITS * place)
        place += 1
    return packed
