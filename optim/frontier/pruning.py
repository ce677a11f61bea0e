"""Bounds all closed walks of a graph by potentials, and drops the states through which none of a target passes.

The potential of a state at the cut is the most that a walk of many periods to it can gain. Priced by potentials at
both ends, the best walk through a state bounds all closed walks through it.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from twinproof.optim.frontier.passes import NEVER, Indices, Values, backward, forward, is_alive, keep
from twinproof.optim.frontier.system import Gains
from twinproof.optim.process.tasks import end_if_asked

POTENTIAL_PERIODS = 16

Layers = tuple[Indices, ...]


@dataclass(frozen=True)
class Stage:
    """A round of pruning.

    Parameters
    ----------
    alive : array of int
        The numbers of the states at the cut that were there before it.
    potential : array of int32
        The potentials of these states.
    kept : array of bool
        Which of them are left after it.
    """

    alive: npt.NDArray[np.int64]
    potential: Values
    kept: npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Survivors:
    """What is left of a graph for a target.

    Parameters
    ----------
    target : int
        Every closed walk of one turn of at least this value lies in these layers.
    layers : tuple of int32 arrays
        As in `Graph`, with the states renumbered.
    potential : array of int32
        The potentials of the states at the cut.
    cut : array of int
        The numbers that the states at the cut have in the graph.
    stages : tuple of Stage
        How they came to be left.
    """

    target: int
    layers: Layers
    potential: Values
    cut: npt.NDArray[np.int64]
    stages: tuple[Stage, ...]

    @property
    def size(self) -> int:
        """The number of states in all layers; 0 if there is no closed walk of the target's value."""
        sizes = [len(successors) for successors in self.layers]
        return sum(sizes) if all(sizes) else 0


def potentials(layers: Layers, gains: Gains, periods: int) -> tuple[Values, int]:
    """Give potentials at the cut, and the bound on closed walks of one turn that they prove.

    If V(s) is the most that a walk of n periods to s gains, and V'(s) that of a turn more, then no closed walk of
    one turn gains more than the largest V'(s) - V(s). Where nothing is reachable any more, that is `NEVER`.

    A state to which only shorter walks lead lies on no closed walk. Its potential is lower by more than a turn can
    gain than that of every state which can be reached from it, so that pruning drops it.

    Parameters
    ----------
    layers : Layers
        The successors of every layer of a period, the layer at the cut first.
    gains : Gains
        What each label adds to the value, shape (layers, labels).
    periods : int
        The number of periods of one turn.

    Returns
    -------
    tuple of (Values, int)
        A potential for every state at the cut, and the bound.
    """
    size = len(layers[0])
    values, longest = np.zeros(size, dtype=np.int32), np.zeros(size, dtype=np.int32)
    history = [values]
    best, bound = values, -int(NEVER)
    # With one state at the cut there is nothing to even out.
    count = (POTENTIAL_PERIODS if size > 1 else 0) + periods
    for number in range(1, count + 1):
        values = list(ahead(layers, gains, values, 1))[-1]
        longest[is_alive(values)] = number
        history.append(values)
        if len(history) > periods:
            before = history[-1 - periods]
            both = is_alive(before) & is_alive(values)
            proved = int((values - before)[both].max(initial=int(NEVER)))
            if proved <= bound:
                best, bound = before, proved
            history = history[-1 - periods :]
    step = 1 + periods * int(np.abs(gains).max(axis=1).sum())
    alive = longest == count
    return np.where(alive, best, 0).astype(np.int32) + np.int32(step) * longest, bound


def ahead(layers: Layers, gains: Gains, values: Values, periods: int) -> Iterator[Values]:
    """Give the best values of walks to each layer of some periods; first `values`, then one array a layer.

    Parameters
    ----------
    layers : Layers
        The successors of every layer of a period.
    gains : Gains
        What each label adds to the value, shape (layers, labels).
    values : Values
        The values of the first layer's states to begin with, `NEVER` for states to leave out.
    periods : int
        How many periods the walks are long.

    Yields
    ------
    Values
        The best values at the states of one layer after the other.
    """
    yield values
    for _ in range(periods):
        for layer, successors in enumerate(layers):
            end_if_asked()
            size = len(layers[(layer + 1) % len(layers)])
            values = forward(successors, gains[layer], values, size)
            yield values


def behind(layers: Layers, gains: Gains, values: Values, periods: int) -> Iterator[Values]:
    """Give the best values of walks from each layer to the end, the last layer first, before it `values`.

    Parameters
    ----------
    layers : Layers
        The successors of every layer of a period.
    gains : Gains
        What each label adds to the value, shape (layers, labels).
    values : Values
        The values of the states in which walks end, `NEVER` for states to leave out.
    periods : int
        How many periods the walks are long.

    Yields
    ------
    Values
        The best values from the states of one layer on, after that from the layer before it.
    """
    yield values
    for _ in range(periods):
        for layer in reversed(range(len(layers))):
            end_if_asked()
            values = backward(layers[layer], gains[layer], values)
            yield values


def prune(layers: Layers, gains: Gains, potential: Values, periods: int, target: int) -> Survivors:
    """Drop states until only such are left through which closed walks of the target may pass, as far as is known.

    Parameters
    ----------
    layers : tuple of int32 arrays
        As in `Graph`.
    gains : array of int
    potential : array of int32
        As `potentials` gives it.
    periods : int
        In a turn.
    target : int
    """
    cut = np.arange(len(potential))
    stages = []
    while True:
        size = sum(len(successors) for successors in layers)
        kept = _mark(layers, gains, potential, periods, target)
        stages.append(Stage(cut, potential, kept[0]))
        layers = _restrict(layers, kept)
        cut = cut[kept[0]]
        survivors = Survivors(target, layers, potential[kept[0]], cut, tuple(stages))
        if survivors.size in (0, size):
            return survivors
        potential, _ = potentials(layers, gains, periods)


def _mark(
    layers: Layers, gains: Gains, potential: Values, periods: int, target: int
) -> list[npt.NDArray[np.bool_]]:
    """Mark the states through which, in every period of a turn, a closed walk of the target may pass."""
    reached = list(ahead(layers, gains, potential, periods))
    reached.pop()
    kept = [np.ones(len(successors), dtype=np.bool_) for successors in layers]
    worth = behind(layers, gains, -potential, periods)
    next(worth)
    for time, values in zip(reversed(range(periods * len(layers))), worth, strict=True):
        kept[time % len(layers)] &= reached.pop() + values >= target
    return kept


def _restrict(layers: Layers, kept: list[npt.NDArray[np.bool_]]) -> Layers:
    """Keep the marked states of every layer, renumbered."""
    result = []
    for layer, successors in enumerate(layers):
        end_if_asked()
        following = kept[(layer + 1) % len(layers)]
        number = np.where(following, np.cumsum(following) - 1, -1).astype(np.int32)
        result.append(keep(successors, number, np.flatnonzero(kept[layer])))
    return tuple(result)
