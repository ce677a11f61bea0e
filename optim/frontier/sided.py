"""The best value of an objective where a second quantity, the side, has a given value.

The side enters with a weight: what a walk is worth is weight times side, plus the objective. For every weight the
bound on that worth bounds the objective at the given side; the weight with the best bound is taken (Lagrangian
relaxation). From there downwards each value of the objective is refuted, or closed by a walk that has both.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache

import numpy as np

from twinproof.optim.frontier.closing import Closed, close
from twinproof.optim.frontier.graph import Graph
from twinproof.optim.frontier.passes import NEVER, Values
from twinproof.optim.frontier.pruning import Survivors, potentials, prune
from twinproof.optim.frontier.system import Gains, System

REMEMBERED = 4
"""The number of targets whose survivors are kept. For most nothing survives, and few are asked for again."""


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


@dataclass(frozen=True)
class Relaxation:
    """What does not depend on the value of the side; both functions remember what they were asked.

    Parameters
    ----------
    weigh : callable
        For a weight, potentials and the bound on what a closed walk is worth.
    prune : callable
        For a weight and a target, the states through which a walk of that worth may pass.
    """

    weigh: Callable[[int], tuple[Values, int]]
    prune: Callable[[int, int], Survivors]


def relax(system: System, graph: Graph, side: Side) -> Relaxation:
    """Make what `descend` asks.

    One more of the side and one less of the objective are worth the same at weight one: the values of a front ask
    for the same targets again and again, and each takes a pass over all states.

    Parameters
    ----------
    system : System
        The puzzle's transition system, whose gains are the objective's.
    graph : Graph
        Its states and their successors.
    side : Side
        The second quantity, and the weights at which it may be traded against the objective.

    Returns
    -------
    Relaxation
        Both functions remember what they gave: the bounds of all weights, the prunings of the last few targets.
    """

    @cache
    def weigh(weight: int) -> tuple[Values, int]:
        return potentials(graph.successors, _weighted(system, side, weight), system.periods)

    @lru_cache(REMEMBERED)
    def prune_for(weight: int, target: int) -> Survivors:
        weighted = _weighted(system, side, weight)
        return prune(graph.successors, weighted, weigh(weight)[0], system.periods, target)

    return Relaxation(weigh, prune_for)


def _weighted(system: System, side: Side, weight: int) -> Gains:
    """Give what placing a label is worth."""
    gains: Gains = (weight * side.gains + system.gains).astype(np.int32)
    return gains


def descend(
    system: System, graph: Graph, side: Side, value: int, relaxation: Relaxation
) -> Iterator[int | Closed]:
    """Bound the objective at a value of the side, and close in on it.

    Parameters
    ----------
    system : System
        Its gains are the objective's; it has a refinement.
    graph : Graph
    side : Side
    value : int
        The value that the side must have.
    relaxation : Relaxation
        As `relax` makes it.

    Yields
    ------
    int or Closed
        Falling bounds on the objective, and in the end a closed walk that attains the last one; no walk if there
        is none with this value of the side.
    """
    assert system.refinement is not None
    trials = [(relaxation.weigh(weight)[1], weight) for weight in side.weights]
    worth, weight = min(trials, key=lambda trial: (trial[0] - trial[1] * value, trial[1]))
    bound = worth - weight * value
    if worth <= NEVER // 2:
        return
    weighted = _weighted(system, side, weight)
    both = replace(system, gains=weighted, refinement=replace(system.refinement, gains=system.gains))
    for objective in range(bound, system.least_gain - 1, -1):
        yield objective
        survivors = relaxation.prune(weight, weight * value + objective)
        if not survivors.size:
            continue
        for closed in close(both, graph.cut, survivors, second=objective):
            if closed is not None:
                yield closed
                return
