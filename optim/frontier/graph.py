"""Builds the layered graph of all states that a frontier can be in.

A layer's states are numbered as they are met. Once the successors are known as numbers the states themselves are
needed no more, except at the cut, and every later pass is plain array work.

A graph that an earlier process began to build is built once more, with its numbers at hand: a state need not be
looked for among all others if it is known where it should be. A number that is not its state's is refused.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from twinproof.optim.errors import InputError
from twinproof.optim.frontier.compiled import compiled
from twinproof.optim.frontier.passes import Indices
from twinproof.optim.frontier.system import NONE, States, System
from twinproof.optim.process.tasks import end_if_asked

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
        The states before the first layer, in ascending order.
    met : array of int
        For each of them its number in the order in which they were met.
    """

    successors: tuple[Indices, ...]
    cut: States
    met: npt.NDArray[np.int64]

    @property
    def size(self) -> int:
        """The number of states in all layers."""
        return sum(len(successors) for successors in self.successors)

    def links(self) -> list[list[Indices]]:
        """Give the successors of every layer as they were while the graph grew, to be kept in a checkpoint."""
        layers = list(self.successors)
        layers[-1] = np.where(layers[-1] >= 0, self.met[layers[-1]], -1).astype(np.int32)
        first = np.empty_like(layers[0])
        first[self.met] = layers[0]
        return [[first], *([successors] for successors in layers[1:])]


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


class Recalled:
    """Numbers the states of a layer as somebody says that they were numbered, and looks whether it is so."""

    def __init__(self) -> None:
        self._states: States = np.empty(16, dtype=np.uint64)
        self.count = 0

    def check(self, numbers: Indices, states: States) -> States:
        """Give those states that are new.

        Parameters
        ----------
        numbers : array of int32, shape (n, labels)
            What is said to be the numbers of the states, -1 for `NONE`; a new state has the next number.
        states : array of uint64, of the same shape

        Raises
        ------
        InputError
            If a number is not that of its state.
        """
        if self.count + states.size > len(self._states):
            more = max(states.size, len(self._states) // 2)
            self._states = np.concatenate([self._states, np.empty(more, dtype=np.uint64)])
        before, self.count = self.count, _recall(self._states, self.count, numbers, states)
        if self.count < 0:
            raise InputError("holds a number that is not that of its state")
        return self._states[before : self.count].copy()

    def states(self) -> States:
        """List all states in the order of their numbers."""
        return self._states[: self.count].copy()


@compiled
def _recall(known, count, numbers, states):  # type: ignore[no-untyped-def]
    """Add the new states to those known; gives how many there are now, -1 if a number is wrong."""
    for i in range(states.shape[0]):
        for label in range(states.shape[1]):
            number, state = numbers[i, label], states[i, label]
            if state == NONE:
                if number != -1:
                    return -1
            elif number == count:
                known[count] = state
                count += 1
            elif number < 0 or number > count or known[number] != state:
                return -1
    return count


class Growing:
    """A graph that is being built.

    It grows from the starts, layer by layer. In a ring, what comes out of the last layer and is new at the cut
    goes round again, until nothing is new; every state is expanded once.

    Parameters
    ----------
    system : System
    recalled : sequence of int32 arrays, shape (states, labels)
        What `links` is said to have been when an earlier process was stopped; nothing of it is believed.

    Raises
    ------
    InputError
        If that cannot have been so. Numbers are looked at in `grow`.
    """

    def __init__(self, system: System, recalled: Sequence[Indices] = ()) -> None:
        labels = system.gains.shape[1]
        if recalled and (
            len(recalled) != system.layers or any(len(one) and one.shape[1:] != (labels,) for one in recalled)
        ):
            raise InputError("does not have the layers and labels of this question")
        self.system = system
        self.layer = 0
        self.links: list[list[Indices]] = [[] for _ in range(system.layers)]
        self.added = False
        """Whether there is more than was recalled."""
        self._states = np.unique(system.starts)
        self._recalled: list[Indices] | None = list(recalled)
        self._tables: list[Numbering | Recalled] = [Recalled() for _ in range(system.layers)]
        self._tables[0].check(np.arange(len(self._states), dtype=np.int32)[:, None], self._states[:, None])  # type: ignore[union-attr]
        if not any(map(len, recalled)):
            self._go_on_alone()

    @property
    def pending(self) -> int:
        """The number of states that the next call of `grow` expands; 0 if the graph is complete."""
        return len(self._states)

    @property
    def size(self) -> int:
        """The number of states expanded so far."""
        return sum(len(links) for layer in self.links for links in layer)

    def grow(self) -> None:
        """Expand what is new in one layer.

        Raises
        ------
        InputError
            If what was recalled is not so.
        StopRequestedError
            Between two blocks, if the task is to end; nothing can be done with the graph then but keep its links.
        """
        following = (self.layer + 1) % self.system.layers
        fresh = [np.empty(0, dtype=np.uint64)]
        begin = 0
        while begin < len(self._states):
            end_if_asked()
            block = self._states[begin : begin + BLOCK]
            said = self._say(len(block))
            if said is not None:
                block = block[: len(said)]
            expanded = self.system.expand(block, self.layer)
            table = self._tables[following]
            if isinstance(table, Recalled):
                assert said is not None
                new = table.check(said, expanded)
            else:
                said, new = table.number(expanded)
            self.links[self.layer].append(said)
            fresh.append(new)
            begin += len(block)
        if not self.system.is_ring and self.layer > 0:
            # No walk comes back to this layer.
            self._tables[self.layer] = Numbering() if self._recalled is None else Recalled()
        self._states = np.concatenate(fresh)
        self.layer = following

    def _say(self, most: int) -> Indices | None:
        """Give what is recalled of the next states of the layer; None from where nothing is."""
        if self._recalled is None:
            return None
        said, self._recalled[self.layer] = np.split(self._recalled[self.layer], [most])
        if len(said):
            return said
        self._go_on_alone()
        return None

    def _go_on_alone(self) -> None:
        """Stop to recall: number what follows by looking for it."""
        self._check_that_none_is_left()
        self._recalled, self.added = None, True
        for layer, table in enumerate(self._tables):
            states = table.states()
            self._tables[layer] = alone = Numbering(states)
            if alone.count < len(states):
                raise InputError("holds two numbers of one state")

    def _check_that_none_is_left(self) -> None:
        if self._recalled is not None and any(map(len, self._recalled)):
            raise InputError("holds numbers of states that cannot be reached")

    def graph(self) -> Graph:
        """Give the complete graph; nothing of it is left here.

        Its cut is closed: whatever leaves the last layer is a state of the first.

        Raises
        ------
        InputError
            If more was recalled than there is.
        """
        self._check_that_none_is_left()
        cut = self._tables[0].states()
        self._tables, self._recalled = [], None
        labels = self.system.gains.shape[1]
        successors = []
        for layer in range(len(self.links)):
            parts, self.links[layer] = self.links[layer], []
            successors.append(np.concatenate([np.empty((0, labels), dtype=np.int32), *parts]))
        # Sorted, so that states at the cut that are much alike stand together.
        order = np.argsort(cut)
        if (np.diff(cut[order]) == 0).any():
            raise InputError("holds two numbers of one state")
        rank = np.empty(len(cut), dtype=np.int32)
        rank[order] = np.arange(len(cut), dtype=np.int32)
        successors[0] = successors[0][order]
        successors[-1] = np.where(successors[-1] >= 0, rank[successors[-1]], np.int32(-1))
        return Graph(tuple(successors), cut[order], order)
