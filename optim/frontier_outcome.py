"""What the frontier engine can say beyond an outcome: layouts counted, a Pareto front, evidence of its proof."""

from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from twinproof.optim.outcome import OnProgress, Outcome, Stop
from twinproof.optim.process.tasks import Counted, Event, FrontEnd, FrontPoint, Kept, Proved
from twinproof.optim.process.tracker import Tracker

LayoutT = TypeVar("LayoutT")


@dataclass(frozen=True)
class FrontierOutcome(Outcome[LayoutT], Generic[LayoutT]):
    """The answer of the frontier engine to one question.

    Parameters
    ----------
    layouts : int or None
        The number of layouts of the optimal value, where it was asked for and found.
    front : tuple of (int, int, LayoutT)
        Values of a second quantity, each with the best value of the objective and a layout, where they were asked
        for.
    front_ended : bool
        Whether the front is complete.
    evidence : object
        What an independent verifier needs to repeat the proof, where it was asked for; else None.
    kept : Kept or None
        Whether a search that was stopped is in its checkpoint; None if it had nothing to keep yet.
    """

    layouts: int | None = None
    front: tuple[tuple[int, int, LayoutT], ...] = ()
    front_ended: bool = False
    evidence: Any = field(default=None, compare=False, repr=False)
    kept: Kept | None = None


def frontier_outcome(outcome: Outcome[LayoutT]) -> FrontierOutcome[LayoutT]:
    """Give an outcome of the frontier engine as what it is."""
    assert isinstance(outcome, FrontierOutcome), "only the frontier engine counts, proves and follows a front"
    return outcome


class FrontierTracker(Tracker):
    """Keeps what only the frontier engine reports, besides value and bound."""

    def __init__(self, on_progress: OnProgress | None = None) -> None:
        super().__init__(on_progress)
        self._layouts: int | None = None
        self._front: list[tuple[int, int, Any]] = []
        self._front_ended = False
        self._evidence: Any = None
        self._kept: Kept | None = None

    def report(self, event: Event) -> None:
        """Take in one event."""
        match event:
            case Counted(number):
                self._layouts = number
            case FrontPoint(side, value, layout):
                self._front.append((side, value, layout))
            case FrontEnd():
                self._front_ended = True
            case Proved(evidence):
                self._evidence = evidence
            case Kept():
                self._kept = event
            case _:
                super().report(event)

    def outcome(self, stopped: Stop | None) -> FrontierOutcome[Any]:
        """Give the outcome of everything reported so far."""
        return FrontierOutcome(
            **vars(super().outcome(stopped)),
            layouts=self._layouts,
            front=tuple(self._front),
            front_ended=self._front_ended,
            evidence=self._evidence,
            kept=self._kept,
        )
