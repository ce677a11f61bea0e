"""What an engine says: a status, a value, a bound, a layout, and how it got there."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

from twinproof.optim.errors import EngineError

LayoutT = TypeVar("LayoutT")


class Status(StrEnum):
    """How much of the question is settled; "time ran out" is never "infeasible".

    For a question without an objective, `FEASIBLE` is a full answer: a layout exists.
    """

    OPTIMAL = "optimal"
    FEASIBLE = "feasible"
    INFEASIBLE = "infeasible"
    UNKNOWN = "unknown"


class Sense(StrEnum):
    """Which way the objective is better."""

    MINIMIZE = "minimize"
    MAXIMIZE = "maximize"

    def better(self, first: int, second: int) -> bool:
        """Whether value `first` is strictly better than value `second`.

        Parameters
        ----------
        first : int
            The value that would be better.
        second : int
            The value that it is compared with.

        Returns
        -------
        bool
            False if they are equal.
        """
        return first < second if self is Sense.MINIMIZE else first > second


class Stop(StrEnum):
    """Why an engine ended before its question was settled."""

    TIME = "time limit"
    MEMORY = "memory limit"
    INTERRUPT = "interrupt"


@dataclass(frozen=True)
class Progress:
    """One moment of a solve: seconds since its start, best value and proven bound so far.

    The note says in words what the engine is doing, where it says so; it is never part of a trace.
    """

    seconds: float
    value: int | None
    bound: int | None
    note: str | None = None


OnProgress = Callable[[Progress], None]


@dataclass(frozen=True)
class Outcome(Generic[LayoutT]):
    """The answer of one engine to one question.

    Parameters
    ----------
    sense : Sense or None
        Of the objective; None for a yes/no question.
    status : Status
    value : int or None
        Objective value of `layout`.
    bound : int or None
        Proven: no layout has a better value than this.
    layout : LayoutT or None
        The best layout found.
    seconds : float
        Wall-clock time from the call to the answer.
    startup : float
        How much of it went by before the engine began to build its model: starting a process, loading the solver.
    peak_mb : int or None
        The most resident memory, in megabytes, that all its processes were seen to hold together, looked at ten
        times a second; None if it searched in the caller's process.
    trace : tuple of Progress
        Every improvement of value or bound, in order of time.
    stopped : Stop or None
        The limit that ended the search, if one did.

    Raises
    ------
    EngineError
        If the parts contradict each other, such as an optimal value that is not the bound.
    """

    sense: Sense | None
    status: Status
    value: int | None
    bound: int | None
    layout: LayoutT | None
    seconds: float
    trace: tuple[Progress, ...] = ()
    stopped: Stop | None = None
    startup: float = 0.0
    peak_mb: int | None = None

    def __post_init__(self) -> None:
        has_layout = self.status in (Status.OPTIMAL, Status.FEASIBLE)
        if (self.layout is not None) != has_layout:
            raise EngineError(f"status {self.status} contradicts the layout: {self.layout is not None}")
        if self.status is Status.OPTIMAL and (self.value is None or self.value != self.bound):
            raise EngineError(f"called optimal at value {self.value} with bound {self.bound}")
        if (
            self.sense is not None
            and self.value is not None
            and self.bound is not None
            and self.sense.better(self.value, self.bound)
        ):
            raise EngineError(f"value {self.value} is better than the proven bound {self.bound}")

    @property
    def settled(self) -> bool:
        """Whether nothing is left to find out: optimal, infeasible, or a yes/no question answered."""
        return self.status in (Status.OPTIMAL, Status.INFEASIBLE) or (
            self.sense is None and self.status is Status.FEASIBLE
        )
