"""Finds the best layout of a transition system, proves that none is better, and counts those that are as good.

Every layout is a closed walk of one turn. Potentials bound all closed walks; from that bound downwards, the states
through which none of the target's value can pass are dropped, and what is left is followed round. The first target
for which a closed walk is a layout is the optimum.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import numpy as np

from twinproof.optim.errors import InputError
from twinproof.optim.frontier.closing import Closed, close
from twinproof.optim.frontier.graph import Graph, Growing
from twinproof.optim.frontier.passes import NEVER, Values
from twinproof.optim.frontier.pruning import Stage, Survivors, potentials, prune
from twinproof.optim.frontier.sided import Side, descend, relax
from twinproof.optim.frontier.system import States, System
from twinproof.optim.outcome import Sense
from twinproof.optim.process.checkpoint import Checkpoint, Saved
from twinproof.optim.process.tasks import (
    Bounded,
    Built,
    Counted,
    Finished,
    Found,
    FrontEnd,
    FrontPoint,
    Noted,
    Proved,
    Report,
    look_for_stops,
    stop_requested,
)
from twinproof.optim.request import Request

LayoutT = TypeVar("LayoutT")


@dataclass(frozen=True)
class FrontierModel(Generic[LayoutT]):
    """A transition system together with what is needed to read its walks.

    Parameters
    ----------
    system : System
    sense : Sense
        Of the objective; with `MINIMIZE` it is minus what the system gains.
    read : callable
        Turns the labels of one turn into a layout: labels of the refinement, if there is one.
    side : Side, optional
        A second quantity that must have a given value.
    """

    system: System
    sense: Sense
    read: Callable[[Sequence[int]], LayoutT]
    side: Side | None = None

    def value(self, gain: int) -> int:
        """Give the objective's value for what a walk gains."""
        return gain if self.sense is Sense.MAXIMIZE else -gain


@dataclass(frozen=True)
class Evidence:
    """What it takes to repeat the proof that no closed walk is worth one more than the best.

    Parameters
    ----------
    cut : array of uint64
        All states at the cut.
    stages : tuple of Stage
        The rounds of pruning, with the potentials of each.
    """

    cut: States
    stages: tuple[Stage, ...]


class _StopRequestedError(Exception):
    """The search was asked to stop, and its checkpoint is written."""


@dataclass
class _Found:
    """What has been found at the present target.

    Parameters
    ----------
    groups : int
        Groups of starts that are done.
    best : Closed or None
        The best of all of them, with the number of walks of all that are as good.
    """

    groups: int = 0
    best: Closed | None = None

    def take(self, closed: Closed | None) -> None:
        self.groups += 1
        if closed is None:
            return
        if self.best is None or closed.second > self.best.second:
            self.best = closed
        elif closed.second == self.best.second:
            self.best = Closed(closed.second, self.best.walks + closed.walks, self.best.labels)


@dataclass
class _Search:
    report: Report
    model: FrontierModel[Any]
    counting: bool
    evidence: bool
    checkpoint: Checkpoint | None
    target: int | None = None
    found: _Found = field(default_factory=_Found)

    def run(self) -> None:
        system, model = self.model.system, self.model
        graph = self._graph()
        self.report(Noted(f"{graph.size:,} states, {len(graph.cut):,} of them at the cut"))
        if model.side is not None:
            self._fix(graph, model.side)
            return
        potential, bound = potentials(graph.successors, system.gains, system.periods)
        if bound <= NEVER // 2:
            self.report(Finished("infeasible"))
            return
        self._bound(bound)
        lowest = int(np.minimum(system.gains.min(axis=1), 0).sum()) * system.periods
        if self.target is None:
            self.target = bound
        while self.target >= lowest:
            self._watch_graph(graph)
            survivors = prune(graph.successors, system.gains, potential, system.periods, self.target)
            self.report(Noted(f"target {self.target}: {survivors.size:,} states left"))
            if survivors.size and self._close(graph, survivors, potential):
                return
            self._bound(self.target - 1)
            self.target -= 1
            self.found = _Found()
        self.report(Finished("infeasible"))

    def _fix(self, graph: Graph, side: Side) -> None:
        """Find the best layout for each value that the side is to have."""
        relaxation = relax(self.model.system, graph, side)
        # The values of a front are known to be possible.
        most = max(side.values)
        if not side.is_front:
            most = potentials(graph.successors, side.gains, self.model.system.periods)[1]
        for value in side.values:
            found = None
            for tried in descend(self.model.system, graph, side, value, relaxation) if value <= most else ():
                self._watch_graph(graph)
                if isinstance(tried, Closed):
                    found = tried
                    break
                self.report(Noted(f"side {value}: at most {tried}"))
                if not side.is_front:
                    self._bound(tried)
            if side.is_front:
                if found is not None:
                    point = self.model.value(found.second), self.model.read(found.labels)
                    self.report(FrontPoint(value, *point))
                    if found.second == side.best:
                        break
            elif found is not None:
                self.report(Found(self.model.value(found.second), self.model.read(found.labels)))
                self.report(Finished("optimal"))
            else:
                self.report(Finished("infeasible"))
        if side.is_front:
            self.report(FrontEnd())

    def _bound(self, gain: int) -> None:
        self.report(Bounded(self.model.value(gain)))

    def _close(self, graph: Graph, survivors: Survivors, potential: Values) -> bool:
        """Follow the closed walks of the target; whether there is a layout among them."""
        model = self.model

        def on_group(done: int, starts: int) -> None:
            self.report(Noted(f"target {survivors.target}: closing, {done:,} of {starts:,} starts done"))
            self._watch_graph(graph)

        if self.counting or self.found.best is None:
            for closed in close(model.system, graph.cut, survivors, self.found.groups, on_group):
                self.found.take(closed)
                if closed is not None and not self.counting:
                    break
        best = self.found.best
        if best is None:
            return False
        value = model.value(survivors.target)
        if self.counting:
            self.report(Counted(best.walks))
        if self.evidence:
            system, better = model.system, survivors.target + 1
            refuted = prune(graph.successors, system.gains, potential, system.periods, better)
            self.report(Proved(Evidence(graph.cut, refuted.stages)))
        # Last, because with it the question is settled and nobody listens any more.
        self.report(Found(value, model.read(best.labels)))
        self.report(Finished("optimal"))
        return True

    def _graph(self) -> Graph:
        saved = None
        if self.checkpoint is not None and self.checkpoint.resume:
            saved = self.checkpoint.load()
        if saved is not None and saved.facts["phase"] == "graph":
            return self._resumed_graph(saved)

        growing = Growing(self.model.system)
        layers = self.model.system.layers
        if saved is not None:
            growing.resume(
                [saved.arrays[f"states {layer}"] for layer in range(layers)],
                [saved.arrays[f"links {layer}"] for layer in range(layers)],
                saved.facts["layer"],
                saved.facts["first"],
            )
        while True:
            self.report(
                Noted(
                    f"layer {growing.layer + 1} of {layers}: "
                    f"{growing.pending:,} new states, {growing.size:,} expanded"
                )
            )
            if stop_requested():
                self._save_growing(growing)
            if not growing.pending:
                return growing.graph()
            growing.grow()

    def _resumed_graph(self, saved: Saved) -> Graph:
        facts = saved.facts
        self.target = facts["target"]
        best = None if facts["labels"] is None else Closed(facts["second"], facts["walks"], tuple(facts["labels"]))
        self.found = _Found(facts["groups"], best)
        layers = range(self.model.system.layers)
        return Graph(tuple(saved.arrays[f"links {layer}"] for layer in layers), saved.arrays["cut"])

    def _save_growing(self, growing: Growing) -> None:
        if self.checkpoint is not None:
            arrays = {f"states {layer}": table.states() for layer, table in enumerate(growing.tables)}
            empty = np.empty((0, self.model.system.gains.shape[1]), dtype=np.int32)
            for layer, links in enumerate(growing.links):
                arrays[f"links {layer}"] = np.concatenate([empty, *links])
            facts = {"phase": "growing", "layer": growing.layer, "first": growing.first}
            self.checkpoint.save(Saved(facts, arrays))
        raise _StopRequestedError

    def _watch_graph(self, graph: Graph) -> None:
        """Keep the search and leave it, if it is asked to stop."""
        if not stop_requested():
            return
        if self.checkpoint is not None:
            best = self.found.best
            facts = {
                "phase": "graph",
                "target": self.target,
                "groups": self.found.groups,
                "second": None if best is None else best.second,
                "walks": None if best is None else best.walks,
                "labels": None if best is None else list(best.labels),
            }
            arrays = {f"links {layer}": links for layer, links in enumerate(graph.successors)}
            self.checkpoint.save(Saved(facts, {**arrays, "cut": graph.cut}))
        raise _StopRequestedError


def search(report: Report, request: Request[FrontierModel[Any]]) -> None:
    """Build a system, and report its best layout with a proof; see `optim.engine.solve`.

    Parameters
    ----------
    report : callable
    request : Request
        Without a threshold. Of its options, counting, checkpoint and evidence are heeded.

    Raises
    ------
    InputError
        If the checkpoint is damaged or belongs to another question, or layouts with a given side should be counted
        or certified.
    EngineError
        If a best walk cannot be read.
    """
    model, options = request.build(), request.options
    report(Built(model.sense))
    if options.checkpoint is not None:
        look_for_stops()
    if model.side is not None and (options.counting or options.evidence):
        raise InputError("layouts with a given side are neither counted nor certified")
    try:
        _Search(report, model, options.counting, options.evidence, options.checkpoint).run()
    except _StopRequestedError:
        return
    if options.checkpoint is not None:
        options.checkpoint.discard()
