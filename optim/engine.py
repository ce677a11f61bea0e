"""One door to the engines: a way to build a model in, an outcome out."""

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, TypeVar

from twinproof.optim.errors import InputError
from twinproof.optim.limits import Limits
from twinproof.optim.outcome import OnProgress, Outcome
from twinproof.optim.process.checkpoint import Checkpoint
from twinproof.optim.process.children import run_in_children
from twinproof.optim.process.tasks import Report, Started, Task, run_here
from twinproof.optim.process.tracker import Tracker

if TYPE_CHECKING:
    from twinproof.optim.cpsat import CpsatModel
    from twinproof.optim.frontier.search import FrontierModel
    from twinproof.optim.linear_search import KsweepModel
    from twinproof.optim.maxsat import MaxsatModel

__all__ = ["BASELINE", "ENGINES", "KNOWN", "THIRD", "available", "model_of", "solve"]

LayoutT = TypeVar("LayoutT")

if TYPE_CHECKING:
    AnyModel = CpsatModel[LayoutT] | MaxsatModel[LayoutT] | FrontierModel[LayoutT] | KsweepModel[LayoutT]

ENGINES = ("cpsat", "maxsat", "frontier")

BASELINE = "ksweep"
"""The way of the source article, which others are compared with; it has models of its own."""

THIRD = {"uwrmaxsat": "hermax", "cashwmaxsat": "hermax", "evalmaxsat": "hermax", "clingo": "clingo"}
"""Third opinions on the models of maxsat, each with the package that it needs."""

KNOWN = (*ENGINES, BASELINE, *THIRD)

GRACE = 600.0
"""Seconds that the frontier engine has to write its checkpoint: gigabytes, on a slow disk."""


def available() -> tuple[str, ...]:
    """Give the third opinions whose packages are installed."""
    return tuple(engine for engine, package in THIRD.items() if find_spec(package) is not None)


def model_of(engine: str) -> str:
    """Give the engine whose models an engine solves: itself, or maxsat for a third opinion."""
    return "maxsat" if engine in THIRD else engine


def solve(
    engine: str,
    build: "Callable[[], AnyModel[LayoutT]]",
    limits: Limits | None = None,
    on_progress: OnProgress | None = None,
    subsolvers: Sequence[str] | None = None,
    isolated: bool = True,
    counting: bool = False,
    checkpoint: Checkpoint | None = None,
    hint: LayoutT | None = None,
    cut: int | None = None,
    evidence: bool = False,
) -> Outcome[LayoutT]:
    """Build a model, solve it and read its layouts.

    Parameters
    ----------
    engine : str
        One of `KNOWN`.
    build : callable
        Gives the model of `model_of(engine)`. It is called in the process that searches, so that the limits hold
        for building too; it must be picklable, such as a `functools.partial` of a function in a module with a
        name to import.
    limits : Limits, optional
        By default none. With one worker, maxsat runs RC2 alone, and an unfinished run has a bound but no value.
    on_progress : callable, optional
        Called in this process at every improvement of value or bound.
    subsolvers : sequence of str, optional
        CP-SAT's subsolvers instead of the model's own choice; `("default",)` means CP-SAT's portfolio.
    isolated : bool
        Whether to search in child processes. Only then are time and memory limits kept and does Ctrl-C give
        the best outcome so far; without, small models are solved faster.
    counting : bool
        Whether to count the optimal layouts too; frontier only.
    checkpoint : Checkpoint, optional
        Where an unfinished search is kept, and whether to go on from there; frontier only.
    hint : layout, optional
        Where to start the search; CP-SAT only.
    cut : int, optional
        A bound that is known from elsewhere, taken on trust and first in the trace; CP-SAT only.
    evidence : bool
        Whether to give what a verifier needs to repeat the proof; frontier only.

    Returns
    -------
    Outcome

    Raises
    ------
    InputError
        If the engine is unknown or its package is missing, or it cannot take on this model.
    EngineError
        If it fails.
    """
    limits = limits or Limits()
    if engine != "frontier" and (counting or evidence or checkpoint is not None):
        raise InputError(f"{engine}: only the frontier engine counts layouts, resumes a search and gives evidence")
    if engine != "cpsat" and (hint is not None or cut is not None):
        raise InputError(f"{engine}: only CP-SAT takes a hint or a cut")
    tasks: list[Task]
    if engine == "cpsat":
        tasks = [Task("cpsat", _cpsat, (build, limits.workers, limits.seed, subsolvers, hint, cut))]
    elif engine == "maxsat":
        tasks = [Task("RC2", _rc2, (build, limits.seed))]
        if isolated and (limits.workers is None or limits.workers > 1):
            tasks.append(Task("incumbent search", _incumbents, (build, limits.seed)))
    elif engine == "frontier":
        tasks = [
            Task("frontier", _frontier, (build, counting, checkpoint, evidence), GRACE if checkpoint else 0.0)
        ]
    elif engine == BASELINE:
        tasks = [Task(engine, _ksweep, (build, limits.seed))]
    else:
        tasks = [_third(engine, build, limits)]
    tracker = Tracker(on_progress)
    stopped = None
    if isolated:
        stopped = run_in_children(tasks, limits, tracker.report, tracker.settled)
    else:
        run_here(tasks[0], tracker.report)
    return tracker.outcome(stopped)


def _third(engine: str, build: Callable[[], Any], limits: Limits) -> Task:
    if engine not in THIRD:
        raise InputError(f"engine {engine!r}: unknown; known are {', '.join(KNOWN)}")
    if engine not in available():
        raise InputError(f"engine {engine}: needs the package {THIRD[engine]}: pip install 'twinproof[third]'")
    if engine == "clingo":
        return Task(engine, _clingo, (build, limits.workers, limits.seed))
    return Task(engine, _hermax, (build, engine))


# The solvers take long to load, and only the process that searches needs them.


def _cpsat(report: Report, *arguments: Any) -> None:
    from twinproof.optim.cpsat import search  # noqa: PLC0415

    report(Started())
    search(report, *arguments)


def _rc2(report: Report, *arguments: Any) -> None:
    from twinproof.optim.maxsat import search  # noqa: PLC0415

    report(Started())
    search(report, *arguments)


def _incumbents(report: Report, *arguments: Any) -> None:
    from twinproof.optim.maxsat import search_incumbents  # noqa: PLC0415

    # It is RC2 whose start counts: the proof is RC2's.
    search_incumbents(report, *arguments)


def _frontier(report: Report, *arguments: Any) -> None:
    from twinproof.optim.frontier.search import search  # noqa: PLC0415

    report(Started())
    search(report, *arguments)


def _ksweep(report: Report, *arguments: Any) -> None:
    from twinproof.optim.linear_search import search  # noqa: PLC0415

    report(Started())
    search(report, *arguments)


def _hermax(report: Report, *arguments: Any) -> None:
    from twinproof.optim.external.hermax import search  # noqa: PLC0415

    report(Started())
    search(report, *arguments)


def _clingo(report: Report, *arguments: Any) -> None:
    from twinproof.optim.external.clingo import search  # noqa: PLC0415

    report(Started())
    search(report, *arguments)
