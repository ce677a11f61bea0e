"""Builds the layered graph of all states that a frontier can be in.

A layer's states are numbered as they are met. A state packs into 64 bits; once the successors are known as numbers
the states themselves are needed no more, and every later pass is plain array work.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit

__all__ = ["NONE", "Graph", "System", "build_graph", "every_state"]

States = npt.NDArray[np.uint64]
Indices = npt.NDArray[np.int32]

NONE = np.uint64(2**64 - 1)
"""What a step gives where a label may not be placed."""


@dataclass(frozen=True)
class System:
    """A transition system.

    Parameters
    ----------
    step : callable
        Compiled by numba: `step(state, label, layer, tables)` gives the next state, or `NONE`.
    tables : tuple of arrays
        What the step needs to know of each layer.
    layers : int
        Layers in a period.
    periods : int
        Periods in a turn; 1 in a linear sweep.
    gains : array of int, shape (labels,)
        What placing a label adds to the value.
    starts : array of uint64
        States before the first layer. In a ring they must dominate, label for label, every true state.
    is_ring : bool
        Whether a layout is a closed walk of one turn; otherwise it is a walk from a start to state 0.
    """

    step: Callable[..., np.uint64]
    tables: tuple[Any, ...]
    layers: int
    periods: int
    gains: npt.NDArray[np.int32]
    starts: States
    is_ring: bool


@dataclass(frozen=True)
class Graph:
    """All states of one period, by number.

    Parameters
    ----------
    successors : list of int32 arrays, shape (states, labels)
        For every layer the number of the next state, or -1. Those of the last layer are numbers in the first.
    cut : array of uint64
        The states before the first layer.
    """

    successors: list[Indices]
    cut: States

    @property
    def size(self) -> int:
        """The number of states in all layers."""
        return sum(len(successors) for successors in self.successors)


def every_state(codes: Sequence[int], slots: int, bits: int) -> States:
    """List the states of a frontier in which every slot holds one of the codes."""
    states = np.zeros(1, dtype=np.uint64)
    for slot in range(slots):
        placed = np.array(codes, dtype=np.uint64) << np.uint64(bits * slot)
        states = (states[:, None] | placed[None, :]).ravel()
    return states


@njit
def _expand(step, layer, tables, states, labels, slots_log2):  # type: ignore[no-untyped-def]
    """Give every state's successors by number, and the states so numbered."""
    size = np.int64(1) << slots_log2
    mask = np.uint64(size - 1)
    keys = np.full(size, NONE, dtype=np.uint64)
    numbers = np.empty(size, dtype=np.int32)
    successors = np.full((len(states), labels), -1, dtype=np.int32)
    found = np.empty(len(states) * labels, dtype=np.uint64)
    count = 0
    for i in range(len(states)):
        for label in range(labels):
            state = step(states[i], label, layer, tables)
            if state == NONE:
                continue
            # Fibonacci hashing, linear probing; the table is never more than half full.
            place = (state * np.uint64(11400714819323198485)) >> np.uint64(64 - slots_log2)
            while keys[place] != NONE and keys[place] != state:
                place = (place + np.uint64(1)) & mask
            if keys[place] == NONE:
                keys[place] = state
                numbers[place] = count
                found[count] = state
                count += 1
            successors[i, label] = numbers[place]
    return successors, found[:count].copy()


def _next_layer(system: System, layer: int, states: States) -> tuple[Indices, States]:
    labels = len(system.gains)
    slots_log2 = max(4, int(2 * len(states) * labels).bit_length())
    numbered: tuple[Indices, States] = _expand(system.step, layer, system.tables, states, labels, slots_log2)
    return numbered


def build_graph(system: System, on_layer: Callable[[int, int], None] | None = None) -> Graph:
    """Build the graph of all states that can be reached from the starts.

    Parameters
    ----------
    system : System
    on_layer : callable, optional
        Told the layer and its number of states.

    Returns
    -------
    Graph
        In a ring its cut is closed: whatever leaves the last layer is a state of the first.
    """
    cut = np.unique(system.starts)
    fresh = cut
    # A ring's cut is closed first; a line has one start and is built at once.
    while system.is_ring and len(fresh):
        states = fresh
        for layer in range(system.layers):
            if on_layer is not None:
                on_layer(layer, len(states))
            _, states = _next_layer(system, layer, states)
        fresh = np.setdiff1d(states, cut)
        cut = np.union1d(cut, fresh)
    successors = []
    states = cut
    for layer in range(system.layers):
        if on_layer is not None:
            on_layer(layer, len(states))
        links, states = _next_layer(system, layer, states)
        successors.append(links)
    if system.is_ring:
        # Number the last layer's successors as states of the first.
        place = np.searchsorted(cut, states).astype(np.int32)
        last = successors[-1]
        successors[-1] = np.where(last >= 0, place[last], np.int32(-1))
    return Graph(successors, cut)
