"""Finds the best layout of a transition system, proves that none is better, and counts those that are as good.

Every layout is a closed walk of one turn. Potentials bound all closed walks; from that bound downwards, the states
through which none of the target's value can pass are dropped, and what is left is followed round. The first target
for which a closed walk is a layout is the optimum.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from twinproof.optim.errors import InputError
from twinproof.optim.frontier.closing import Closed, close
from twinproof.optim.frontier.graph import Graph, Growing
from twinproof.optim.frontier.passes import NEVER, Values
from twinproof.optim.frontier.pruning import Stage, Survivors, potentials, prune
from twinproof.optim.frontier.sided import Side, descend, relax
from twinproof.optim.frontier.system import States, System
from twinproof.optim.outcome import Sense
from twinproof.optim.process.checkpoint import ANEW, Checkpoint
from twinproof.optim.process.tasks import (
    Bounded,
    Built,
    Counted,
    Finished,
    Found,
    FrontEnd,
    FrontPoint,
    Kept,
    Noted,
    Proved,
    Report,
    StopRequestedError,
    end_if_asked,
    look_for_stops,
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


@dataclass
class _Search:
    report: Report
    model: FrontierModel[Any]
    counting: bool
    evidence: bool
    checkpoint: Checkpoint | None

    def run(self) -> None:
        """Search to the end, or until asked to stop; then the graph is kept, as far as it is built."""
        growing, graph = self._begin(), None
        try:
            graph = self._grown(growing)
            self.report(Noted(f"{graph.size:,} states, {len(graph.cut):,} of them at the cut"))
            if self.model.side is not None:
                self._fix(graph, self.model.side)
            else:
                self._descend(graph)
        except StopRequestedError:
            self._keep(growing, graph)
        else:
            if self.checkpoint is not None:
                self.checkpoint.discard()

    def _descend(self, graph: Graph) -> None:
        """Refute one target after the other, from the bound downwards, until there is a layout."""
        system = self.model.system
        potential, bound = potentials(graph.successors, system.gains, system.periods)
        if bound <= NEVER // 2:
            self.report(Finished("infeasible"))
            return
        self._bound(bound)
        for target in range(bound, system.least_gain - 1, -1):
            survivors = prune(graph.successors, system.gains, potential, system.periods, target)
            self.report(Noted(f"target {target}: {survivors.size:,} states left"))
            if survivors.size and self._close(graph, survivors, potential):
                return
            self._bound(target - 1)
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

        best = None
        for closed in close(model.system, graph.cut, survivors, on_group):
            best = _better(best, closed)
            if closed is not None and not self.counting:
                break
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

    def _begin(self) -> Growing:
        if self.checkpoint is None or not self.checkpoint.resume:
            return Growing(self.model.system)
        links = self.checkpoint.load()
        with self._refusing():
            return Growing(self.model.system, links)

    def _grown(self, growing: Growing) -> Graph:
        layers = self.model.system.layers
        while True:
            self.report(
                Noted(
                    f"layer {growing.layer + 1} of {layers}: "
                    f"{growing.pending:,} new states, {growing.size:,} expanded"
                )
            )
            end_if_asked()
            with self._refusing():
                if not growing.pending:
                    return growing.graph()
                growing.grow()
            if self.checkpoint is not None:
                look_for_stops()  # from here on there is something to keep

    @contextmanager
    def _refusing(self) -> Iterator[None]:
        """Say which file it is that was not as it should be."""
        try:
            yield
        except InputError as error:
            if self.checkpoint is None or not self.checkpoint.resume:
                raise
            raise InputError(f"{self.checkpoint.path}: {error}; {ANEW}") from error

    def _keep(self, growing: Growing, graph: Graph | None) -> None:
        """Write the checkpoint, unless the one that there is says as much."""
        if self.checkpoint is None:
            return
        if not growing.added:
            self.report(Kept())
            return
        try:
            self.checkpoint.save(growing.links if graph is None else graph.links())
        except OSError as error:
            self.report(Kept(error.strerror or str(error)))
        else:
            self.report(Kept())


def _better(first: Closed | None, second: Closed | None) -> Closed | None:
    """Give the better of the closed walks from different starts, or both together."""
    if first is None or second is None:
        return second or first
    if first.second == second.second:
        return Closed(first.second, first.walks + second.walks, first.labels)
    return max(first, second, key=lambda closed: closed.second)


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
        If the checkpoint is damaged, belongs to another question, or is not what this search would have kept; if
        layouts with a given side should be counted or certified.
    EngineError
        If a best walk cannot be read.
    """
    model, options = request.build(), request.options
    report(Built(model.sense))
    if model.side is not None and (options.counting or options.evidence):
        raise InputError("layouts with a given side are neither counted nor certified")
    _Search(report, model, options.counting, options.evidence, options.checkpoint).run()
