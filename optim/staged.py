"""Searches that a model conducts by itself, stage by stage, with bounds and layouts that get better."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

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
    """
    model = request.build()
    report(Built(model.sense))
    bounds: set[int] = set()
    values: set[int | None] = set()
    for found in model.stages():
        report(found)
        if isinstance(found, Bounded):
            bounds.add(found.bound)
        elif isinstance(found, Found):
            values.add(found.value)
        # No value is beyond a bound, so the only one that can be both is the optimum.
        if bounds & values:
            report(Finished("optimal"))
            return
    report(Finished(None))
