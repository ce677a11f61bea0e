"""The front of hops against sprinklers: for every number of hops the fewest sprinklers that allow it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from twinproof.compare.catalogue import Layout, entry
from twinproof.compare.questions.answer import JudgementError, Question, answer
from twinproof.models.hops.frontier import build_frontier
from twinproof.models.hops.instance import HopsPuzzle
from twinproof.models.sprinklers.instance import SprinklerPuzzle
from twinproof.optim import InputError, Limits, OnProgress, Status
from twinproof.optim.engine import solve

__all__ = ["Front", "Point", "front"]


@dataclass(frozen=True)
class Point:
    """A number of hops, the fewest sprinklers with it, and a layout."""

    hops: int
    sprinklers: int
    layout: Layout


@dataclass(frozen=True)
class Front:
    """The front, from the most hops to the fewest sprinklers.

    Parameters
    ----------
    points : tuple of Point
        From the last one's number of hops downwards, as few sprinklers are needed as without any hop.
    complete : bool
        Whether the front goes to its end.
    seconds : float
    """

    points: tuple[Point, ...]
    complete: bool
    seconds: float


def front(
    question: Question, limits: Limits | None = None, on_progress: OnProgress | None = None, isolated: bool = True
) -> Front:
    """Find the front of a hops puzzle by the frontier engine.

    Parameters
    ----------
    question : Question
        For the most hops.
    limits : Limits, optional
        Of each of three runs: the most hops, the fewest sprinklers without hops, the points between.
    on_progress, isolated
        See `optim.engine.solve`.

    Raises
    ------
    InputError
        If it is no hops puzzle, or too wide for the engine.
    JudgementError
        If a layout is not what the engine says.
    """
    puzzle = question.puzzle
    if not isinstance(puzzle, HopsPuzzle) or puzzle.hops is not None:
        raise InputError("front: of a hops puzzle without a fixed number of hops")
    most = answer(question, "frontier", limits, on_progress, isolated=isolated).outcome
    if most.status is not Status.OPTIMAL or most.value is None:
        return Front((), False, most.seconds)
    fewest = None
    if not puzzle.dry_paths:
        alone = SprinklerPuzzle(puzzle.field, puzzle.kind, puzzle.symmetry)
        asked = Question("sprinklers", alone, "fewest-sprinklers")
        fewest = answer(asked, "frontier", limits, on_progress, isolated=isolated).outcome.value
    numbers = tuple(range(most.value, -1, -1))
    build = partial(build_frontier, puzzle, "fewest-sprinklers", front=numbers, fewest=fewest)
    outcome = solve("frontier", build, limits, on_progress, isolated=isolated)
    points = tuple(Point(*point) for point in outcome.front)
    _judge(question, puzzle, points)
    return Front(points, outcome.front_ended, most.seconds + outcome.seconds)


def _judge(question: Question, puzzle: HopsPuzzle, points: Sequence[Point]) -> None:
    rooms = entry(question.name)
    for point in points:
        puzzle = puzzle.with_hops(point.hops)
        broken = rooms.violations(puzzle, point.layout)
        if broken or rooms.value(puzzle, "fewest-sprinklers", point.layout) != point.sprinklers:
            asked = replace(question, puzzle=puzzle, objective="fewest-sprinklers")
            raise JudgementError("a point of the front is not what it says", asked, "frontier", point.layout)
