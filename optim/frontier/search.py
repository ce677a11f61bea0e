"""Finds the best layout of a transition system and proves that none is better.

A linear sweep is a longest path. For a ring, every layout is a closed walk on the cover, round and round:
potentials bound all closed walks, states through which no closed walk of the target's value can pass are dropped,
and what is left is closed state by state. On the cover a way that runs all round the ring may claim a start that
it never had, so a closed walk gives a layout only if the reader accepts it; the bound holds in any case.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from optim.errors import EngineError
from optim.frontier.layers import Graph, System, build_graph
from optim.frontier.passes import NEVER, backward, best_walk, forward, keep
from optim.outcome import Sense
from optim.tasks import Bounded, Built, Finished, Found, Report

__all__ = ["FrontierModel", "search"]

LayoutT = TypeVar("LayoutT")
Values = npt.NDArray[np.int32]
Indices = npt.NDArray[np.int32]

POTENTIAL_PERIODS = 16


@dataclass(frozen=True)
class FrontierModel(Generic[LayoutT]):
    """A transition system together with what is needed to read its walks.

    Parameters
    ----------
    system : System
        Larger values are better.
    sense : Sense
        Of the objective; with `MINIMIZE` the objective is minus the system's value.
    read : callable
        Turns the labels of one turn into a layout; None if they are none.
    """

    system: System
    sense: Sense
    read: Callable[[Sequence[int]], LayoutT | None]

    def value(self, gain: int) -> int:
        """Give the objective's value of a walk."""
        return gain if self.sense is Sense.MAXIMIZE else -gain


def search(report: Report, build: Callable[[], FrontierModel[Any]]) -> None:
    """Build a system, and report its best layout with a proof; see `optim.solve.solve`."""
    model = build()
    report(Built(model.sense))
    graph = build_graph(model.system)
    if model.system.is_ring:
        _search_ring(report, model, graph)
    else:
        _search_line(report, model, graph)


def _search_line(report: Report, model: FrontierModel[Any], graph: Graph) -> None:
    walk = best_walk(graph.successors, model.system.gains, 0, 0)
    if walk is None:
        report(Finished("infeasible"))
        return
    gain, labels = walk
    layout = model.read(labels)
    if layout is None:
        raise EngineError("the best walk of a linear sweep is no layout")
    report(Bounded(model.value(gain)))
    report(Found(model.value(gain), layout))
    report(Finished("optimal"))


def _search_ring(report: Report, model: FrontierModel[Any], graph: Graph) -> None:
    gains, periods = model.system.gains, model.system.periods
    potential, bound = _potentials(graph.successors, gains, len(graph.cut), periods)
    report(Bounded(model.value(bound)))
    lowest = int(min(0, gains.min())) * periods * model.system.layers
    false_claim = False
    for target in range(bound, lowest - 1, -1):
        # Where a walk of this value turned out to be no layout, lower targets can give one but no better bound.
        for gain, labels in _closed_walks(graph.successors, gains, potential, periods, target):
            layout = model.read(labels)
            if layout is not None:
                report(Found(model.value(gain), layout))
                report(Finished(None if false_claim else "optimal"))
                return
            false_claim = True
        if not false_claim:
            report(Bounded(model.value(target - 1)))
    report(Finished(None if false_claim else "infeasible"))


def _potentials(layers: list[Indices], gains: Values, size: int, periods: int) -> tuple[Values, int]:
    """Give potentials at the cut, and the bound on closed walks that they prove."""
    history = [np.zeros(size, dtype=np.int32)]
    bounds = []
    for _ in range(POTENTIAL_PERIODS + periods):
        history.append(_through(layers, gains, history[-1], size))
        if len(history) > periods:
            before, after = history[-1 - periods], history[-1]
            alive = (before > NEVER // 2) & (after > NEVER // 2)
            bounds.append(int((after - before)[alive].max(initial=int(NEVER))))
            history = history[-1 - periods :]
    return history[-1], min(bounds)


def _sizes(layers: list[Indices], size: int) -> Iterable[int]:
    return [*(len(successors) for successors in layers[1:]), size]


def _through(layers: list[Indices], gains: Values, values: Values, size: int) -> Values:
    """Carry best values through one period."""
    for successors, following in zip(layers, _sizes(layers, size), strict=True):
        values = forward(successors, gains, values, following)
    return values


def _prune(
    layers: list[Indices], gains: Values, potential: Values, periods: int, target: int
) -> list[npt.NDArray[np.bool_]]:
    """Mark the states through which, in every period of a turn, a closed walk of the target may pass."""
    size = len(potential)
    ahead: list[list[Values]] = []
    values = potential
    for _ in range(periods):
        row = []
        for successors, following in zip(layers, _sizes(layers, size), strict=True):
            row.append(values)
            values = forward(successors, gains, values, following)
        ahead.append(row)
    kept = [np.ones(len(successors), dtype=np.bool_) for successors in layers]
    behind = np.where(potential > NEVER // 2, -potential, NEVER).astype(np.int32)
    for period in reversed(range(periods)):
        for layer in reversed(range(len(layers))):
            behind = backward(layers[layer], gains, behind)
            kept[layer] &= ahead[period][layer] + behind >= target
    return kept


def _restrict(layers: list[Indices], kept: list[npt.NDArray[np.bool_]]) -> list[Indices]:
    """Keep the marked states of every layer, renumbered."""
    result = []
    for layer, successors in enumerate(layers):
        following = kept[(layer + 1) % len(layers)]
        number = np.where(following, np.cumsum(following) - 1, -1).astype(np.int32)
        result.append(keep(successors, number, np.flatnonzero(kept[layer])))
    return result


def _closed_walks(
    layers: list[Indices], gains: Values, potential: Values, periods: int, target: int
) -> Iterator[tuple[int, list[int]]]:
    """Give the best closed walk of one turn from each state of the cut, of those that reach the target.

    If there is none, it is proved that no closed walk reaches it.
    """
    while True:
        before = sum(len(successors) for successors in layers)
        layers = _restrict(layers, _prune(layers, gains, potential, periods, target))
        if not all(len(successors) for successors in layers):
            return
        if sum(len(successors) for successors in layers) == before:
            break
        potential, bound = _potentials(layers, gains, len(layers[0]), periods)
        if bound < target:
            return
    turn = layers * periods
    for state in range(len(layers[0])):
        walk = best_walk(turn, gains, state, state)
        if walk is not None and walk[0] >= target:
            yield walk
