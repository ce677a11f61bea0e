"""Searches that a model conducts by itself, stage by stage, with bounds and layouts that get better."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from twinproof.optim.errors import EngineError
from twinproof.optim.outcome import Sense
from twinproof.optim.process.tasks import Bounded, Built, Finished, Found, Noted, Report
from twinproof.optim.request import Request

LayoutT = TypeVar("LayoutT")


@dataclass(frozen=True)
class StagedModel(Generic[LayoutT]):
    """A search in stages.

    Parameters
    ----------
    sense : Sense
    stages : callable
        Gives what is found, one after the other; it ends where there is nothing more to try.
    """

    sense: Sense
    stages: Callable[[], Iterator[Bounded | Found | Noted]]


def search(report: Report, request: Request[StagedModel[Any]]) -> None:
    """Build a model and go through its stages, until bound and value meet; see `optim.engine.solve`.

    Parameters
    ----------
    report : Report
        Takes the sense, the bounds and layouts, and the end.
    request : Request
        How to build the model; without a threshold.

    Raises
    ------
    EngineError
        If a layout is better than a bound.
    """
    model = request.build()
    report(Built(model.sense))
    better = model.sense.better
    bound: int | None = None
    value: int | None = None
    for found in model.stages():
        report(found)
        if isinstance(found, Bounded) and (bound is None or better(bound, found.bound)):
            bound = found.bound
        elif (
            isinstance(found, Found) and found.value is not None and (value is None or better(found.value, value))
        ):
            value = found.value
        if bound is None or value is None:
            continue
        if better(value, bound):
            raise EngineError(f"a layout of {value} is better than the bound {bound}")
        if value == bound:
            report(Finished("optimal"))
            return
    report(Finished(None))
