"""Folds the events of search tasks into one outcome."""

import time
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from optim.outcome import OnProgress, Outcome, Progress, Sense, Status, Stop
from optim.tasks import Bounded, Event, Finished, Found

__all__ = ["Tracker"]

LayoutT = TypeVar("LayoutT")


class Tracker(Generic[LayoutT]):
    """Keeps the best value and bound of all tasks of a solve.

    Parameters
    ----------
    sense : Sense or None
        Of the objective; None for a yes/no question.
    read : callable
        Turns the values of all variables into a layout.
    on_progress : callable, optional
        Called at every improvement.
    """

    def __init__(
        self,
        sense: Sense | None,
        read: Callable[[Sequence[int]], LayoutT],
        on_progress: OnProgress | None = None,
    ) -> None:
        self._start = time.monotonic()
        self._sense = sense
        self._read = read
        self._on_progress = on_progress
        self._value: int | None = None
        self._bound: int | None = None
        self._assignment: tuple[int, ...] | None = None
        self._infeasible = False
        self._trace: list[Progress] = []

    def report(self, event: Event) -> None:
        """Take in one event; those that improve nothing leave no trace."""
        match event:
            case Found(value, assignment):
                self._take_solution(value, assignment)
            case Bounded(bound):
                self._take_bound(bound)
            case Finished("infeasible"):
                self._infeasible = True
            case Finished("optimal") if self._value is not None:
                self._take_bound(self._value)
            case _:
                pass

    def _take_solution(self, value: int | None, assignment: tuple[int, ...]) -> None:
        first = self._assignment is None
        if first or (
            self._sense is not None
            and value is not None
            and self._value is not None
            and self._sense.better(value, self._value)
        ):
            self._value, self._assignment = value, assignment
            self._note()

    def _take_bound(self, bound: int) -> None:
        assert self._sense is not None
        if self._bound is None or self._sense.better(self._bound, bound):
            self._bound = bound
            self._note()

    def _note(self) -> None:
        point = Progress(round(time.monotonic() - self._start, 3), self._value, self._bound)
        self._trace.append(point)
        if self._on_progress is not None:
            self._on_progress(point)

    def settled(self) -> bool:
        """Whether nothing is left to search for."""
        if self._infeasible:
            return True
        if self._sense is None:
            return self._assignment is not None
        return self._assignment is not None and self._value == self._bound

    def outcome(self, stopped: Stop | None) -> Outcome[LayoutT]:
        """Give the outcome of everything reported so far."""
        if self._infeasible:
            status = Status.INFEASIBLE
        elif self._assignment is None:
            status = Status.UNKNOWN
        elif self._sense is not None and self._value == self._bound:
            status = Status.OPTIMAL
        else:
            status = Status.FEASIBLE
        return Outcome(
            sense=self._sense,
            status=status,
            value=self._value,
            bound=None if status is Status.INFEASIBLE else self._bound,
            layout=None if self._assignment is None else self._read(self._assignment),
            seconds=round(time.monotonic() - self._start, 3),
            trace=tuple(self._trace),
            stopped=stopped,
        )
