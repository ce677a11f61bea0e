"""Search tasks: functions that report while they run, here or in a child process."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from twinproof.optim.outcome import Sense


@dataclass(frozen=True)
class Started:
    """The process runs and the solver is loaded; what follows is the engine's own work."""


@dataclass(frozen=True)
class Built:
    """The model is built; the sense of its objective, None for a yes/no question."""

    sense: Sense | None


@dataclass(frozen=True)
class Found:
    """A layout, and its value as the engine counts it; None without an objective."""

    value: int | None
    layout: Any


@dataclass(frozen=True)
class Bounded:
    """A proven bound on the objective."""

    bound: int


@dataclass(frozen=True)
class Counted:
    """The number of best layouts."""

    number: int


@dataclass(frozen=True)
class FrontPoint:
    """The best value of the objective where a second quantity has a given value."""

    side: int
    value: int
    layout: Any


@dataclass(frozen=True)
class FrontEnd:
    """All points that were asked for have been given."""


@dataclass(frozen=True)
class Proved:
    """What an independent verifier needs to repeat the proof; its form is the engine's own."""

    evidence: Any


@dataclass(frozen=True)
class Kept:
    """The unfinished search is in its checkpoint.

    Parameters
    ----------
    problem : str or None
        Why it could not be written, if so.
    """

    problem: str | None = None


@dataclass(frozen=True)
class Noted:
    """What the task is doing, in words for a person."""

    text: str


@dataclass(frozen=True)
class HandedOver:
    """A part of what a called function finds, as soon as it has it."""

    value: Any


@dataclass(frozen=True)
class Finished:
    """A task's last event.

    Parameters
    ----------
    proof : {"optimal", "infeasible"} or None
        What the task has proved; None if it merely has nothing more to try.
    """

    proof: str | None


@dataclass(frozen=True)
class Failed:
    """An exception escaped from the task."""

    error: str


@dataclass(frozen=True)
class Unwritten:
    """A file could not be written, as the disk is full; the system's number and words for it, and a place."""

    number: int
    reason: str
    place: str | None


@dataclass(frozen=True)
class Refused:
    """The model cannot be built from the caller's input; the message says why."""

    message: str


Event = (
    Started
    | Built
    | Found
    | Bounded
    | Counted
    | FrontPoint
    | FrontEnd
    | Proved
    | Kept
    | Noted
    | HandedOver
    | Finished
    | Failed
    | Refused
    | Unwritten
)
Report = Callable[[Event], None]


@dataclass(frozen=True)
class Task:
    """A search: `function(report, *arguments)`; picklable, so that a child process can run it.

    Parameters
    ----------
    name : str
    function : callable
    arguments : tuple
    grace : float
        Seconds that the task has to keep what it has when it is stopped, if it asks `end_if_asked`. A time limit
        leaves it less, see `children.LATE`.
    """

    name: str
    function: Callable[..., None]
    arguments: tuple[Any, ...]
    grace: float = 0.0


class StopRequestedError(Exception):
    """The task is to keep what it has, and end."""


_stop = threading.Event()
_looks = threading.Event()


def look_for_stops() -> None:
    """Say that the task that runs in this process calls `end_if_asked` from now on."""
    _looks.set()


def request_stop() -> bool:
    """Ask the task that runs in this process to stop soon; whether it will."""
    _stop.set()
    return _looks.is_set()


def stop_requested() -> bool:
    """Tell whether the task that runs in this process is to end."""
    return _stop.is_set()


def end_if_asked() -> None:
    """Leave a task that is to end.

    Raises
    ------
    StopRequestedError
        If it is; whoever said that the task looks for stops catches it.
    """
    if stop_requested():
        raise StopRequestedError


def run_here(task: Task, report: Report) -> None:
    """Run a task in this process to its end; no limit is watched.

    Parameters
    ----------
    task : Task
        Its function and arguments.
    report : Report
        Takes what the function reports.
    """
    task.function(report, *task.arguments)
