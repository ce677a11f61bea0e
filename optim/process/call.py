"""One function call in a child process, so that a limit or Ctrl-C ends it whatever it is doing."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from twinproof.optim.limits import Limits
from twinproof.optim.outcome import Stop
from twinproof.optim.process.children import run_in_children
from twinproof.optim.process.tasks import Event, Finished, Found, HandedOver, Report, Task

ResultT = TypeVar("ResultT")


@dataclass(frozen=True)
class Called(Generic[ResultT]):
    """What came of a call.

    Parameters
    ----------
    results : tuple
        What the function returned; empty if it was stopped.
    stopped : Stop or None
        What ended it.
    """

    results: tuple[ResultT, ...]
    stopped: Stop | None = None


def call(
    function: Callable[..., ResultT],
    *arguments: Any,
    limits: Limits | None = None,
    isolated: bool = True,
    on_part: Callable[[Any], None] | None = None,
) -> Called[ResultT]:
    """Call a function in a child process.

    Parameters
    ----------
    function : callable
        Of a module with a name to import; it, its arguments and its result must be picklable.
    arguments
    limits : Limits, optional
    isolated : bool
        If false it is called in this process, and no limit is watched.
    on_part : callable, optional
        Takes what the function hands over before its end. The function then has a last argument, a callable that
        takes anything picklable.

    Raises
    ------
    InputError
        If the function raises it.
    EngineError
        If the function raises anything else, or its process dies.
    """
    if not isolated:
        return Called((function(*arguments, *(() if on_part is None else (on_part,))),))
    found: list[ResultT] = []

    def report(event: Event) -> None:
        if isinstance(event, Found):
            found.append(event.layout)
        elif isinstance(event, HandedOver) and on_part is not None:
            on_part(event.value)

    task = Task(function.__name__, _run, (function, arguments, on_part is not None))
    stopped = run_in_children([task], limits or Limits(), report, lambda: bool(found))
    return Called(tuple(found), None if found else stopped)


def _run(report: Report, function: Callable[..., Any], arguments: tuple[Any, ...], in_parts: bool) -> None:
    hand_over = (lambda part: report(HandedOver(part)),) if in_parts else ()
    report(Found(None, function(*arguments, *hand_over)))
    report(Finished(None))
