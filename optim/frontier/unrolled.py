"""One turn of a pruned graph, laid out time by time, and narrowed to fewer and fewer starts.

For one start alone the best walk through a state and back to the start is known exactly, not only bounded. So the
starts are halved again and again, and after each halving what no closed walk from them can pass is dropped; the
halves share most of that work.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from twinproof.optim.frontier.compiled import compiled
from twinproof.optim.frontier.passes import NEVER, Indices, Values
from twinproof.optim.frontier.pruning import Survivors
from twinproof.optim.frontier.system import Gains, System
from twinproof.optim.process.tasks import end_if_asked

Numbers = npt.NDArray[np.int64]

FEW = 4
"""A group of at most this number of starts is not halved any more."""


@dataclass(frozen=True)
class Unrolled:
    """The states of one turn that closed walks of the target from some starts may pass.

    Parameters
    ----------
    successors : array of int32, shape (states, labels)
        All states time by time, the last time's included, which have no successors.
    begin : array of int, shape (times + 2,)
        Where the states of each time begin.
    behind : array of int32
        For each state the most that a walk from it to an end gains, the ends priced by potentials.
    first, last : arrays of int
        The numbers, at the cut, of the states at the first and at the last time.
    potential : array of int32
        The potentials of all states at the cut.
    """

    successors: Indices
    begin: Numbers
    behind: Values
    first: Numbers
    last: Numbers
    potential: Values

    @property
    def times(self) -> int:
        """The number of layers in the turn."""
        return len(self.begin) - 2

    def layer(self, time: int) -> Indices:
        """Give the successors of the states of a time, as positions among those of the next."""
        following = self.begin[time + 1]
        rows = self.successors[self.begin[time] : following]
        return np.where(rows >= 0, rows - np.int32(following), np.int32(-1))

    def worth(self, time: int) -> Values:
        """Give `behind` of the states of a time."""
        return self.behind[self.begin[time] : self.begin[time + 1]]


def groups(system: System, survivors: Survivors) -> Iterator[tuple[Unrolled, int]]:
    """Give small groups of starts with what is left for each, and how many starts were done before.

    Parameters
    ----------
    system : System
        The puzzle's transition system.
    survivors : Survivors
        The states, successors and potentials that are left after pruning.

    Yields
    ------
    tuple of (Unrolled, int)
        A turn of the graph with at most `FEW` starts, and the number of starts that were settled before.
    """
    gains = np.tile(system.gains, (system.periods, 1))
    root = _unroll(survivors, system.periods)
    pending = [(root, np.arange(len(survivors.potential)))]
    total = len(survivors.potential)
    while pending:
        unrolled, starts = pending.pop()
        narrowed = _narrow(unrolled, gains, starts, survivors.target)
        if narrowed is None:
            continue
        starts = narrowed.first
        if len(starts) <= FEW:
            yield narrowed, total - sum(len(waiting) for _, waiting in pending) - len(starts)
            continue
        half = len(starts) // 2
        pending += [(narrowed, starts[half:]), (narrowed, starts[:half])]


def _unroll(survivors: Survivors, periods: int) -> Unrolled:
    layers = [*survivors.layers] * periods
    sizes = [len(successors) for successors in layers] + [len(survivors.potential)]
    begin = np.concatenate([[0], np.cumsum(sizes)])
    parts = [
        np.where(successors >= 0, successors + np.int32(following), np.int32(-1))
        for successors, following in zip(layers, begin[1:], strict=False)
    ]
    parts.append(np.full((sizes[-1], layers[0].shape[1]), -1, dtype=np.int32))
    cut = np.arange(len(survivors.potential))
    return Unrolled(np.concatenate(parts), begin, np.empty(0, dtype=np.int32), cut, cut, survivors.potential)


def _narrow(unrolled: Unrolled, gains: Gains, starts: Numbers, target: int) -> Unrolled | None:
    """Drop what no closed walk of the target from the given starts can pass; None if nothing is left."""
    while True:
        end_if_asked()
        chosen = np.zeros(len(unrolled.potential), dtype=np.bool_)
        chosen[starts] = True
        prices = unrolled.potential
        at_first = np.where(chosen[unrolled.first], prices[unrolled.first], NEVER).astype(np.int32)
        at_last = np.where(chosen[unrolled.last], -prices[unrolled.last], NEVER).astype(np.int32)
        successors, begin, behind, kept = _narrowed(
            unrolled.successors, unrolled.begin, gains, at_first, at_last, target
        )
        times = unrolled.times
        first = unrolled.first[kept[: unrolled.begin[1]]]
        last = unrolled.last[kept[unrolled.begin[times] :]]
        unrolled = Unrolled(successors, begin, behind, first, last, prices)
        both = np.intersect1d(first, last)
        if not len(both):
            return None
        if len(both) == len(first) == len(last):
            return unrolled
        starts = both


@compiled
def _narrowed(successors, begin, gains, at_first, at_last, target):  # type: ignore[no-untyped-def]
    """Price the ends, and keep the states through which the target can be reached."""
    ahead = _all_ahead(successors, begin, gains, at_first)
    behind = _all_behind(successors, begin, gains, at_last, ahead)
    kept = ahead + behind >= target
    number = np.where(kept, np.cumsum(kept) - 1, -1)
    new_begin = np.zeros(len(begin), dtype=np.int64)
    for time in range(len(begin) - 1):
        new_begin[time + 1] = new_begin[time] + kept[begin[time] : begin[time + 1]].sum()
    rows = np.flatnonzero(kept)
    new_successors = np.full((len(rows), successors.shape[1]), -1, dtype=np.int32)
    for i in range(len(rows)):
        for label in range(successors.shape[1]):
            to = successors[rows[i], label]
            if to >= 0:
                new_successors[i, label] = number[to]
    return new_successors, new_begin, behind[rows], kept


@compiled
def _all_ahead(successors, begin, gains, at_first):  # type: ignore[no-untyped-def]
    """Give the most that a walk from the first time to each state gains."""
    values = np.full(successors.shape[0], NEVER, dtype=np.int32)
    values[: begin[1]] = at_first
    for time in range(len(begin) - 2):
        for i in range(begin[time], begin[time + 1]):
            if values[i] > NEVER // 2:
                for label in range(successors.shape[1]):
                    to = successors[i, label]
                    if to >= 0:
                        values[to] = max(values[to], values[i] + gains[time, label])
    return values


@compiled
def _all_behind(successors, begin, gains, at_last, ahead):  # type: ignore[no-untyped-def]
    """Give the most that a walk from each state to the last time gains; only of states that are reached."""
    times = len(begin) - 2
    values = np.full(successors.shape[0], NEVER, dtype=np.int32)
    values[begin[times] :] = at_last
    for time in range(times - 1, -1, -1):
        for i in range(begin[time], begin[time + 1]):
            if ahead[i] > NEVER // 2:
                for label in range(successors.shape[1]):
                    to = successors[i, label]
                    if to >= 0:
                        values[i] = max(values[i], values[to] + gains[time, label])
    return values
