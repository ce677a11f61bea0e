"""Search tasks: functions that report while they run, here or in a child process (see `optim.children`)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from optim.outcome import Sense

__all__ = ["Bounded", "Built", "Event", "Failed", "Finished", "Found", "Refused", "Report", "Task", "run_here"]


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
class Refused:
    """The model cannot be built from the caller's input; the message says why."""

    message: str


Event = Built | Found | Bounded | Finished | Failed | Refused
Report = Callable[[Event], None]


@dataclass(frozen=True)
class Task:
    """A search: `function(report, *arguments)`; picklable, so that a child process can run it."""

    name: str
    function: Callable[..., None]
    arguments: tuple[Any, ...]


def run_here(task: Task, report: Report) -> None:
    """Run a task in this process to its end; no limit is watched."""
    task.function(report, *task.arguments)
