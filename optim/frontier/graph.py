"""Builds the layered graph of all states that a frontier can be in.

A layer's states are numbered as they are met. Once the successors are known as numbers the states themselves are
needed no more, except at the cut, and every later pass is plain array work.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from twinproof.optim.frontier.compiled import compiled
from twinproof.optim.frontier.passes import Indices
from twinproof.optim.frontier.system import NONE, States, System

BLOCK = 1 << 18
"""The number of states that are expanded at once."""


@dataclass(frozen=True)
class Graph:
    """All states of one period, by number.

    Parameters
    ----------
    successors : tuple of int32 arrays, shape (states, labels)
        For every layer the number of the next state, or -1. Those of the last layer are numbers in the first.
    cut : array of uint64
        The states before the first layer.
    """

    successors: tuple[Indices, ...]
    cut: States

    @property
    def size(self) -> int:
        """The number of states in all layers."""
        return sum(len(successors) for successors in self.successors)


class Numbering:
    """Numbers the states of a layer in the order in which they are met."""

    def __init__(self, states: States | None = None) -> None:
        self._keys: States = np.full(16, NONE, dtype=np.uint64)
        self._numbers: npt.NDArray[np.int32] = np.empty(16, dtype=np.int32)
        self.count = 0
        if states is not None:
            self.number(states)

    def number(self, states: States) -> tuple[Indices, States]:
        """Give the numbers of states, -1 for `NONE`, and those states that are new, by number."""
        self._make_room(self.count + states.size)
        numbers, fresh = _number(self._keys, self._numbers, self.count, states.ravel())
        self.count += len(fresh)
        return numbers.reshape(states.shape), fresh

    def states(self) -> States:
        """List all states in the order of their numbers."""
        used = self._keys != NONE
        result = np.empty(self.count, dtype=np.uint64)
        result[self._numbers[used]] = self._keys[used]
        return result

    def _make_room(self, count: int) -> None:
        """Keep the table at least a quarter empty."""
        if 4 * count > 3 * len(self._keys):
            size = max(2 * count, 3 * len(self._keys) // 2)
            self._keys, self._numbers = _rehash(self._keys, self._numbers, size)


@compiled
def _place(keys, state):  # type: ignore[no-untyped-def]
    """Find a state's place in the table, or the free place where it belongs: linear probing."""
    # Fibonacci hashing; the high bits of the product, scaled to the table's size, which is no power of two.
    mixed = (state ^ (state >> np.uint64(32))) * np.uint64(11400714819323198485)
    place = np.int64(((mixed >> np.uint64(32)) * np.uint64(len(keys))) >> np.uint64(32))
    while keys[place] != NONE and keys[place] != state:
        place += 1
        if place == len(keys):
            place = np.int64(0)
    return place


@compiled
def _number(keys, numbers, count, states):  # type: ignore[no-untyped-def]
    result = np.full(len(states), -1, dtype=np.int32)
    fresh = np.empty(len(states), dtype=np.uint64)
    found = 0
    for i in range(len(states)):
        if states[i] == NONE:
            continue
        place = _place(keys, states[i])
        if keys[place] == NONE:
            keys[place] = states[i]
            numbers[place] = count + found
            fresh[found] = states[i]
            found += 1
        result[i] = numbers[place]
    return result, fresh[:found].copy()


@compiled
def _rehash(keys, numbers, size):  # type: ignore[no-untyped-def]
    new_keys = np.full(size, NONE, dtype=np.uint64)
    new_numbers = np.empty(size, dtype=np.int32)
    for i in range(len(keys)):
        if keys[i] != NONE:
            place = _place(new_keys, keys[i])
            new_keys[place] = keys[i]
            new_numbers[place] = numbers[i]
    return new_keys, new_numbers


class Growing:
    """A graph that is being built.

    It grows from the starts, layer by layer. In a ring, what comes out of the last layer and is new at the cut
    goes round again, until nothing is new; every state is expanded once.

    Parameters
    ----------
    system : System
    """

    def __init__(self, system: System) -> None:
        self.system = system
        self.layer = 0
        self.first = 0  # the states of this layer from this number on are to be expanded
        self.tables = [Numbering() for _ in range(system.layers)]
        self.tables[0].number(np.unique(system.starts))
        self.links: list[list[Indices]] = [[] for _ in range(system.layers)]
        self._states = self.tables[0].states()

    @property
    def pending(self) -> int:
        """The number of states that the next call of `grow` expands; 0 if the graph is complete."""
        return len(self._states)

    @property
    def size(self) -> int:
        """The number of states expanded so far."""
        return sum(len(links) for layer in self.links for links in layer)

    def resume(self, tables: list[States], links: list[Indices], layer: int, first: int) -> None:
        """Go on from what an earlier process had built.

        Parameters
        ----------
        tables : list of States
            The states of each layer.
        links : list of Indices
            The successors of each layer's states, shape (states, labels); an empty array where none were built.
        layer : int
            The layer in work.
        first : int
            How many states of that layer have their successors.
        """
        self.tables = [Numbering(states) for states in tables]
        self.links = [[one] if len(one) else [] for one in links]
        self.layer, self.first = layer, first
        self._states = tables[layer][first:]

    def grow(self) -> None:
        """Expand what is new in one layer."""
        system, layer = self.system, self.layer
        following = self.tables[(layer + 1) % system.layers]
        first, fresh = following.count, [np.empty(0, dtype=np.uint64)]
        for block in _blocks(self._states):
            links, new = following.number(system.expand(block, layer))
            self.links[layer].append(links)
            fresh.append(new)
        if not system.is_ring and layer > 0:
            self.tables[layer] = Numbering()  # no walk comes back to this layer
        self._states, self.first = np.concatenate(fresh), first
        self.layer = (layer + 1) % system.layers

    def graph(self) -> Graph:
        """Give the complete graph; nothing of it is left here.

        Its cut is closed: whatever leaves the last layer is a state of the first.
        """
        cut = self.tables[0].states()
        self.tables = []
        labels = self.system.gains.shape[1]
        successors = []
        for layer in range(len(self.links)):
            parts, self.links[layer] = self.links[layer], []
            successors.append(np.concatenate([np.empty((0, labels), dtype=np.int32), *parts]))
        # Sorted, so that states at the cut that are much alike stand together.
        order = np.argsort(cut)
        rank = np.empty(len(cut), dtype=np.int32)
        rank[order] = np.arange(len(cut), dtype=np.int32)
        successors[0] = successors[0][order]
        successors[-1] = np.where(successors[-1] >= 0, rank[successors[-1]], np.int32(-1))
        return Graph(tuple(successors), cut[order])


def _blocks(states: States) -> Iterator[States]:
    for begin in range(0, len(states), BLOCK):
        yield states[begin : begin + BLOCK]
