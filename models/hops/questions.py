"""What only hops are asked: for every number of hops the fewest sprinklers that allow it."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from twinproof.models.hops.instance import HopsPuzzle
from twinproof.models.hops.rules import value, violations
from twinproof.models.puzzle import Layout
from twinproof.models.questions import Said
from twinproof.models.sprinklers.instance import SprinklerPuzzle
from twinproof.optim import EngineError, InputError, Limits, OnProgress, Status
from twinproof.optim.engine import solve
from twinproof.optim.frontier_outcome import FrontierOutcome, frontier_outcome


@dataclass(frozen=True)
class HopsPoint:
    """A number of hops, the fewest sprinklers with it, and a layout."""

    hops: int
    sprinklers: int
    layout: Layout


@dataclass(frozen=True)
class ParetoFront:
    """The Pareto front of hops against sprinklers, from the most hops to the fewest sprinklers.

    Parameters
    ----------
    points : tuple of HopsPoint
        From the last one's number of hops downwards, as few sprinklers are needed as without any hop.
    complete : bool
        Whether the front goes to its end.
    seconds : float
    """

    points: tuple[HopsPoint, ...]
    complete: bool
    seconds: float


def find_front(
    instance: HopsPuzzle,
    limits: Limits | None = None,
    on_progress: OnProgress | None = None,
    isolated: bool = True,
) -> ParetoFront:
    """Find the Pareto front by the frontier engine.

    Parameters
    ----------
    instance : HopsPuzzle
    limits : Limits, optional
        Of each of three runs: the most hops, the fewest sprinklers without hops, the points between.
    on_progress, isolated
        See `optim.engine.solve`.

    Raises
    ------
    InputError
        If the number of hops is fixed, or the field is too wide for the engine.
    EngineError
        If a layout is not what the engine says.
    """
    from twinproof.models.hops.frontier import ALL_LABELS, build_frontier, choose_sweep  # noqa: PLC0415 - compiles
    from twinproof.models.sprinklers.frontier import build_frontier as build_alone  # noqa: PLC0415

    if instance.hops is not None:
        raise InputError("front: not with a fixed number of hops")
    choose_sweep(instance, len(ALL_LABELS))  # what the last run needs is refused before the first

    def ask(build: Any) -> FrontierOutcome[Layout]:
        return frontier_outcome(solve("frontier", build, limits, on_progress, isolated=isolated))

    most = ask(partial(build_frontier, instance, "most-hops"))
    if most.status is not Status.OPTIMAL or most.value is None:
        return ParetoFront((), False, most.seconds)
    fewest = None
    if not instance.dry_paths:
        alone = SprinklerPuzzle(instance.field, instance.kind, instance.symmetry)
        fewest = ask(partial(build_alone, alone, "fewest-sprinklers")).value
    numbers = tuple(range(most.value, -1, -1))
    outcome = ask(partial(build_frontier, instance, "fewest-sprinklers", front=numbers, fewest=fewest))
    points = tuple(HopsPoint(*point) for point in outcome.front)
    for point in points:
        fixed = instance.with_hops(point.hops)
        broken = violations(fixed, point.layout)
        if broken or value(fixed, "fewest-sprinklers", point.layout) != point.sprinklers:
            raise EngineError(f"the front's layout of {point.hops} hops is not what the engine says")
    return ParetoFront(points, outcome.front_ended, most.seconds + outcome.seconds)


def front(
    instance: HopsPuzzle, options: Mapping[str, Any], limits: Limits, on_progress: OnProgress | None = None
) -> Said:
    """Give for every number of hops the fewest sprinklers.

    Parameters
    ----------
    instance : HopsPuzzle
        Without a fixed number of hops.
    options : mapping
        None are known.
    limits : Limits
        The limits of time and memory, and the number of workers.
    on_progress : callable, optional
        Takes what the engine reports.

    Returns
    -------
    Said
        A table; its record has the layout of each point too.
    """
    from twinproof.models.hops import PUZZLE  # noqa: PLC0415 - which names this module

    found = find_front(instance, limits, on_progress)
    content = {
        "puzzle": PUZZLE.name,
        "instance": instance.name,
        "options": PUZZLE.describe(instance),
        "complete": found.complete,
        "front": [
            {"hops": point.hops, "sprinklers": point.sprinklers, "layout": list(point.layout)}
            for point in found.points
        ],
        "seconds": round(found.seconds, 3),
    }
    lines = ["hops  sprinklers", *(f"{point.hops:>4}  {point.sprinklers:>10}" for point in found.points)]
    lines.append("fewer hops need no fewer sprinklers" if found.complete else "not to the end")
    return Said(content, tuple(lines), True if found.complete else None)
