"""Covers as transition systems over the frontier of a sweep.

A cell of the frontier is, in a few bits, a sprinkler of one of the kinds, dry, or watered; a cell that needs no
water counts as watered. A dry cell may not leave the frontier. A state says nothing but this, so every closed walk
is a layout, and walks and layouts are one to one.

A last label stands for a target that the sites at hand need not water, at a price. Only those targets may have it
that are excused.
"""

import numpy as np
from numba import prange

from twinproof.models.field.cover import CoverPart
from twinproof.models.field.prices import Prices
from twinproof.models.field.sweeps import Sweep
from twinproof.optim.frontier.compiled import compiled, compiled_parallel
from twinproof.optim.frontier.system import NONE, States, System, every_state

STATE_BITS = 63
"""What a packed state has room for, so that none is `NONE`."""

NO_TARGET, MUST, EXCUSED = 0, 1, 2


def bits_of(kinds: int) -> int:
    """Give the number of bits of a cell, for a number of kinds of sprinklers."""
    return (kinds + 1).bit_length()


def lacks_room(sweep: Sweep, kinds: int) -> str:
    """Say why the states of a sweep do not fit into a packed state; empty if they do.

    Parameters
    ----------
    sweep : Sweep
    kinds : int
        The number of kinds of sprinklers.
    """
    bits = sweep.width * bits_of(kinds)
    if bits <= STATE_BITS:
        return ""
    widest = f"the narrowest frontier has {sweep.width} tiles"
    return f"{widest}, and they take {bits} bits; a packed state has {STATE_BITS}"


def cover_system(part: CoverPart, sweep: Sweep, prices: Prices | None = None) -> System:
    """Build the transition system of a part.

    The labels are the kinds in their order, "no sprinkler", and with prices "may stay dry".

    Parameters
    ----------
    part : CoverPart
    sweep : Sweep
        Of its cells.
    prices : Prices, optional
        With them a walk gains what its sprinklers water beyond the cost, in the unit of the prices: the price of
        each target once, but of targets beyond the part as often as they are watered. Targets that are excused may
        stay dry. Without prices, a walk gains minus what its sprinklers cost.
    """
    cover, kinds = part.cover, len(part.cover.ranges)
    unit = 1 if prices is None else prices.unit
    price = {} if prices is None else prices.of
    targets = cover.targets & part.cells
    beyond = cover.targets - part.cells
    layers = len(sweep.layers)
    facts = np.zeros((layers, 4), dtype=np.int64)
    touching = np.full((layers, sweep.width, 2), -1, dtype=np.int64)
    gains = np.zeros((layers, kinds + (1 if prices is None else 2)), dtype=np.int32)
    for time, layer in enumerate(sweep.layers):
        tile = layer.tile
        need = (
            NO_TARGET if tile not in targets else EXCUSED if prices is not None and tile in part.excused else MUST
        )
        leaving = sum(1 << slot for slot in layer.leaving)
        facts[time] = len(layer.frontier), leaving, tile in cover.sites, need
        kinds_at: dict[int, int] = {}
        for kind, cost in enumerate(cover.costs):
            reached = list(cover.reach(tile, kind))
            gains[time, kind] = sum(price.get(t, 0) for t in reached if t in beyond) - unit * cost
            for slot in sweep.slots(time, [t for t in reached if t in part.near[tile]]):
                kinds_at[slot] = kinds_at.get(slot, 0) | 1 << kind
        for place, found in enumerate(sorted(kinds_at.items())):
            touching[time, place] = found
        if prices is not None:
            gains[time, -1] = -price.get(tile, 0)
        gains[time] *= sweep.multiplicity(time)

    def expand(states: States, layer: int) -> States:
        result: States = _expand(states, layer, kinds, gains.shape[1], facts, touching)
        return result

    # A layout's own state at the cut has the same sprinklers as one of these, and what a state says of water is
    # true once all its tiles have been placed anew.
    starts = every_state((*range(kinds), kinds + 1), sweep.cut, bits_of(kinds))
    return System(expand, sweep.period, sweep.periods, gains, starts, sweep.is_ring)


@compiled_parallel
def _expand(states, layer, kinds, labels, facts, touching):  # type: ignore[no-untyped-def]
    result = np.empty((len(states), labels), dtype=np.uint64)
    for i in prange(len(states)):
        for label in range(labels):
            result[i, label] = step(states[i], label, kinds, facts[layer], touching[layer])
    return result


@compiled
def step(state, label, kinds, facts, touching):  # type: ignore[no-untyped-def]
    """Place a label on the layer's cell.

    Parameters
    ----------
    state : uint64
        The codes of the frontier: kinds of sprinklers, then dry, then watered.
    label : int
        A kind, or `kinds` for no sprinkler, or one more for a target that may stay dry.
    kinds : int
    facts : ndarray of int
        The number of cells on the frontier, the bits of those that leave it, whether the cell is a site, and
        whether it is `NO_TARGET`, `MUST` be watered or is `EXCUSED`.
    touching : ndarray of int, shape (n, 2)
        The slots that touch the cell, each with the bits of the kinds whose range is wide enough; -1 ends it.

    Returns
    -------
    uint64
        The next state, or `NONE` where the label may not be placed.
    """
    size, leaving, is_site, need = facts[0], facts[1], facts[2], facts[3]
    if (label < kinds and not is_site) or (label > kinds and need != EXCUSED):
        return NONE
    bits = 1
    while (kinds + 1) >> bits:
        bits += 1
    full = np.uint64((1 << bits) - 1)
    dry, watered = np.uint64(kinds), np.uint64(kinds + 1)
    mine = np.uint64(label)
    if label == kinds and need == NO_TARGET:
        mine = watered
    for place in range(touching.shape[0]):
        slot, wide = touching[place, 0], touching[place, 1]
        if slot < 0:
            break
        shift = np.uint64(bits * slot)
        code = (state >> shift) & full
        if label < kinds:
            if code == dry and (wide >> label) & 1:
                state += np.uint64(1) << shift  # dry becomes watered
        elif mine == dry and code < dry and (wide >> np.int64(code)) & 1:
            mine = watered
    state |= mine << np.uint64(bits * size)
    packed = np.uint64(0)
    place = 0
    for slot in range(size + 1):
        code = (state >> np.uint64(bits * slot)) & full
        if (leaving >> slot) & 1:
            if code == dry:
                return NONE
        else:
            packed |= code << np.uint64(bits * place)
            place += 1
    return packed
