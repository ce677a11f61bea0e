"""Follows closed walks through what pruning has left, from each state at the cut round to itself.

All starts of a group are followed side by side. A *row* stands for all walks from one start that have come to one
state with one value (and, with a refinement, to one finer state); it knows how many walks it stands for, and the
most that they gain in the refinement.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from twinproof.optim.frontier.compiled import compiled
from twinproof.optim.frontier.passes import Values
from twinproof.optim.frontier.pruning import Survivors
from twinproof.optim.frontier.system import NONE, Refinement, States, System
from twinproof.optim.frontier.unrolled import Unrolled, groups
from twinproof.optim.process.tasks import end_if_asked

LIMB = np.int64(2**62)
"""A number of walks is kept as two digits to this base."""


@dataclass(frozen=True)
class Closed:
    """The closed walks from some starts.

    Parameters
    ----------
    second : int
        The most that a closed walk of the target's value gains in the refinement; 0 without one.
    walks : int
        How many closed walks there are that gain as much.
    labels : tuple of int
        The labels of one of them, finer ones with a refinement.
    """

    second: int
    walks: int
    labels: tuple[int, ...]


@dataclass(frozen=True)
class _Rows:
    start: npt.NDArray[np.int32]
    node: npt.NDArray[np.int32]
    finer: States
    gain: Values
    second: Values
    low: npt.NDArray[np.int64]
    high: npt.NDArray[np.int64]
    parent: npt.NDArray[np.int32]
    label: npt.NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.node)


def close(
    system: System,
    cut: States,
    survivors: Survivors,
    on_group: Callable[[int, int], None] | None = None,
    second: int | None = None,
) -> Iterator[Closed | None]:
    """Find the closed walks of one turn that are worth just the target, a few starts at a time.

    Parameters
    ----------
    system : System
    cut : array of uint64
        The states at the graph's cut.
    survivors : Survivors
    on_group : callable, optional
        Told before each group how many starts are done and how many there are.
    second : int, optional
        What the walks must gain in the refinement; by default as much as possible.

    Yields
    ------
    Closed or None
        For every group of starts the closed walks that gain most in the refinement; None if it has none.
    """
    states = cut[survivors.cut]
    for unrolled, done in groups(system, survivors):
        if on_group is not None:
            on_group(done, len(states))
        yield _close_group(system, unrolled, states, survivors.target, second)


def _starts(
    refinement: Refinement | None, states: States, alive: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.int32], States]:
    """List what to start from: positions among the states that are alive, and finer states."""
    if refinement is None:
        return np.arange(len(alive), dtype=np.int32), np.zeros(len(alive), dtype=np.uint64)
    opened = [refinement.opened(int(state)) for state in states[alive]]
    nodes = np.repeat(np.arange(len(alive), dtype=np.int32), [len(finer) for finer in opened])
    return nodes, np.array([state for finer in opened for state in finer], dtype=np.uint64)


def _close_group(
    system: System, unrolled: Unrolled, states: States, target: int, wanted: int | None
) -> Closed | None:
    refinement = system.refinement
    node, finer = _starts(refinement, states, unrolled.first)
    count = len(node)
    rows = _Rows(
        start=np.arange(count, dtype=np.int32),
        node=node,
        finer=finer,
        gain=np.zeros(count, dtype=np.int32),
        second=np.zeros(count, dtype=np.int32),
        low=np.ones(count, dtype=np.int64),
        high=np.zeros(count, dtype=np.int64),
        parent=np.full(count, -1, dtype=np.int32),
        label=np.full(count, -1, dtype=np.int8),
    )
    # A walk must end where it began, so its value and its end's price add up to the target or more.
    needed = target - unrolled.potential[unrolled.first][node]
    labels = system.gains.shape[1]
    coarse = np.arange(labels) if refinement is None else np.array(refinement.coarse)
    history = []
    for time in range(unrolled.times):
        end_if_asked()
        layer = time % system.layers
        if refinement is None:
            stepped = np.zeros((len(rows), labels), dtype=np.uint64)
            second = np.zeros(labels, dtype=np.int32)
        else:
            stepped = refinement.expand(rows.finer, layer)
            second = refinement.gains[layer]
        history.append((rows.parent, rows.label))
        rows = _Rows(
            *_advance(
                unrolled.layer(time),
                (rows.start, rows.node, rows.gain, rows.second, rows.low, rows.high),
                stepped,
                (coarse, system.gains[layer], second),
                unrolled.worth(time + 1),
                needed,
                wanted is not None,
            )
        )
        if not len(rows):
            return None
    history.append((rows.parent, rows.label))
    closed = (unrolled.last[rows.node] == unrolled.first[node[rows.start]]) & (rows.gain == target)
    if refinement is not None:
        closed &= refinement.closes(rows.finer, finer[rows.start])
    if wanted is not None:
        closed &= rows.second == wanted
    if not closed.any():
        return None
    second_best = int(rows.second[closed].max())
    best = np.flatnonzero(closed & (rows.second == second_best))
    walks = sum(int(rows.high[i]) * int(LIMB) + int(rows.low[i]) for i in best)
    return Closed(second_best, walks, _trace(history, int(best[0])))


def _trace(history: list[tuple[npt.NDArray[np.int32], npt.NDArray[np.int8]]], row: int) -> tuple[int, ...]:
    """Follow a row back to its start; gives the labels, first to last."""
    labels = []
    for parents, placed in reversed(history[1:]):
        labels.append(int(placed[row]))
        row = int(parents[row])
    return tuple(reversed(labels))


@compiled
def _mixed(memory, to, start, value):  # type: ignore[no-untyped-def]
    """Hash a row: multiplications by odd numbers, as in splitmix64."""
    mixed = (memory ^ (memory >> np.uint64(31))) * np.uint64(11400714819323198485)
    mixed = (mixed ^ np.uint64(to) ^ (np.uint64(start) << np.uint64(32))) * np.uint64(13787848793156543929)
    mixed = (mixed ^ (mixed >> np.uint64(29)) ^ np.uint64(value)) * np.uint64(11400714819323198485)
    return np.int64(mixed >> np.uint64(32))


@compiled
def _advance(successors, rows, finer, steps, worth, needed, exact):  # type: ignore[no-untyped-def]
    """Place every label behind every row; rows that come to the same are merged.

    What they gain in the refinement is part of that only where it must be exact; else the best is kept.
    """
    start, node, gain, second, low, high = rows
    coarse, gains, second_gains = steps
    most = len(node) * len(coarse)
    size = 16
    while size < 2 * most:
        size *= 2
    table = np.full(size, -1, dtype=np.int32)
    to_start, to_node = np.empty(most, np.int32), np.empty(most, np.int32)
    to_finer = np.empty(most, np.uint64)
    to_gain, to_second = np.empty(most, np.int32), np.empty(most, np.int32)
    to_low, to_high = np.empty(most, np.int64), np.empty(most, np.int64)
    parent, placed = np.empty(most, np.int32), np.empty(most, np.int8)
    count = 0
    for i in range(len(node)):
        for label in range(len(coarse)):
            to = successors[node[i], coarse[label]]
            memory = finer[i, label]
            if to < 0 or memory == NONE:
                continue
            value = gain[i] + gains[coarse[label]]
            if value + worth[to] < needed[start[i]]:
                continue
            worth_second = second[i] + second_gains[label]
            mark = np.int64(value) + (np.int64(worth_second) << 32 if exact else 0)
            place = _mixed(memory, to, start[i], mark) & (size - 1)
            while True:
                other = table[place]
                if other < 0 or (
                    to_node[other] == to
                    and to_start[other] == start[i]
                    and to_gain[other] == value
                    and to_finer[other] == memory
                    and (not exact or to_second[other] == worth_second)
                ):
                    break
                place = (place + 1) & (size - 1)
            if other < 0:
                other = count
                count += 1
                table[place] = other
                to_start[other], to_node[other], to_finer[other], to_gain[other] = start[i], to, memory, value
                to_second[other] = worth_second - 1  # below, so that what follows takes it in
            if worth_second > to_second[other]:
                to_second[other], to_low[other], to_high[other] = worth_second, low[i], high[i]
                parent[other], placed[other] = i, label
            elif worth_second == to_second[other]:
                total = to_low[other] + low[i]
                carry = total // LIMB
                to_low[other] = total - carry * LIMB
                to_high[other] += high[i] + carry
    return (
        to_start[:count].copy(),
        to_node[:count].copy(),
        to_finer[:count].copy(),
        to_gain[:count].copy(),
        to_second[:count].copy(),
        to_low[:count].copy(),
        to_high[:count].copy(),
        parent[:count].copy(),
        placed[:count].copy(),
    )
