"""The best value of an objective where a second quantity, the side, has a given value.

The side enters with a weight: what a walk is worth is weight times side, plus the objective. For every weight the
bound on that worth bounds the objective at the given side; the weight with the best bound is taken (Lagrangian
relaxation). From there downwards each value of the objective is refuted, or closed by a walk that has both.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from optim.frontier.closing import Closed, close
from optim.frontier.graph import Graph
from optim.frontier.passes import NEVER, Values
from optim.frontier.pruning import potentials, prune
from optim.frontier.system import Gains, System

__all__ = ["Side", "Weigh", "descend", "weigher"]

Weigh = Callable[[int], tuple[Values, int]]


@dataclass(frozen=True)
class Side:
    """A second quantity.

    Parameters
    ----------
    gains : array of int, shape (layers, labels)
        What placing a label adds to it; not negative.
    values : tuple of int
        The values that it is to have, one after the other.
    weights : tuple of int
        The weights to be tried.
    is_front : bool
        Whether each value is to be reported as a point of a front.
    best : int, optional
        What the objective cannot exceed whatever the side is; the values end where it is attained.
    """

    gains: Gains
    values: tuple[int, ...]
    weights: tuple[int, ...]
    best: int | None = None
    is_front: bool = False


def weigher(system: System, graph: Graph, side: Side) -> Weigh:
    """Make the function that `descend` asks; it remembers what it has been asked."""

    @cache
    def weigh(weight: int) -> tuple[Values, int]:
        return potentials(graph.successors, _weighted(system, side, weight), system.periods)

    return weigh


def _weighted(system: System, side: Side, weight: int) -> Gains:
    """Give what placing a label is worth."""
    gains: Gains = (weight * side.gains + system.gains).astype(np.int32)
    return gains


def descend(system: System, graph: Graph, side: Side, value: int, weigh: Weigh) -> Iterator[int | Closed]:
    """Bound the objective at a value of the side, and close in on it.

    Parameters
    ----------
    system : System
        Its gains are the objective's; it has a refinement.
    graph : Graph
    side : Side
    value : int
        Of the side.
    weigh : callable
        For a weight, potentials and the bound on what a closed walk is worth.

    Yields
    ------
    int or Closed
        Falling bounds on the objective, and in the end a closed walk that attains the last one; no walk if there
        is none with this value of the side.
    """
    assert system.refinement is not None
    trials = [(*weigh(weight), weight) for weight in side.weights]
    potential, worth, weight = min(trials, key=lambda trial: (trial[1] - trial[2] * value, trial[2]))
    bound = worth - weight * value
    if worth <= NEVER // 2:
        return
    weighted = _weighted(system, side, weight)
    both = replace(system, gains=weighted, refinement=replace(system.refinement, gains=system.gains))
    lowest = int(np.minimum(system.gains.min(axis=1), 0).sum()) * system.periods
    for objective in range(bound, lowest - 1, -1):
        yield objective
        survivors = prune(graph.successors, weighted, potential, system.periods, weight * value + objective)
        if not survivors.size:
            continue
        for closed in close(both, graph.cut, survivors, second=objective):
            if closed is not None:
                yield closed
                return
