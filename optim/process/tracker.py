"""Folds the events of search tasks into one outcome."""

import time
from typing import Any

from twinproof.optim.outcome import OnProgress, Outcome, Progress, Sense, Status, Stop
from twinproof.optim.process.tasks import Bounded, Built, Event, Finished, Found, Noted, Started


class Tracker:
    """Keeps the best value and bound of all tasks of a solve.

    Parameters
    ----------
    on_progress : callable, optional
        Called at every improvement.
    """

    def __init__(self, on_progress: OnProgress | None = None) -> None:
        self._start = time.monotonic()
        self._on_progress = on_progress
        self._sense: Sense | None = None
        self._value: int | None = None
        self._bound: int | None = None
        self._layout: Any = None
        self._infeasible = False
        self._trace: list[Progress] = []
        self._startup: float | None = None
        self._peak: int | None = None

    def report(self, event: Event) -> None:
        """Take in one event; those that improve nothing leave no trace."""
        match event:
            case Started() if self._startup is None:
                self._startup = time.monotonic() - self._start
            case Built(sense):
                self._sense = sense
            case Found(value, layout):
                self._take_layout(value, layout)
            case Bounded(bound):
                self._take_bound(bound)
            case Noted(text):
                self._tell(text)
            case Finished("infeasible"):
                self._infeasible = True
            case Finished("optimal") if self._value is not None:
                self._take_bound(self._value)
            case _:
                pass

    def _take_layout(self, value: int | None, layout: Any) -> None:
        if self._layout is None or (
            self._sense is not None
            and value is not None
            and self._value is not None
            and self._sense.better(value, self._value)
        ):
            self._value, self._layout = value, layout
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

    def _tell(self, text: str) -> None:
        if self._on_progress is not None:
            seconds = round(time.monotonic() - self._start, 3)
            self._on_progress(Progress(seconds, self._value, self._bound, text))

    def take_memory(self, held: int) -> None:
        """Take in how many bytes all tasks hold together at this moment."""
        self._peak = max(held, self._peak or 0)

    def settled(self) -> bool:
        """Whether nothing is left to search for."""
        if self._infeasible:
            return True
        if self._sense is None:
            return self._layout is not None
        return self._layout is not None and self._value == self._bound

    def outcome(self, stopped: Stop | None) -> Outcome[Any]:
        """Give the outcome of everything reported so far."""
        if self._infeasible:
            status = Status.INFEASIBLE
        elif self._layout is None:
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
            layout=self._layout,
            seconds=round(time.monotonic() - self._start, 3),
            startup=round(self._startup or 0.0, 3),
            peak_mb=None if self._peak is None else round(self._peak / 1e6),
            trace=tuple(self._trace),
            stopped=stopped,
        )
