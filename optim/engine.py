"""The table of engines, and one door to them all: a way to build a model in, an outcome out."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from importlib import import_module
from importlib.util import find_spec
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from twinproof.optim.errors import InputError
from twinproof.optim.frontier_outcome import FrontierTracker
from twinproof.optim.limits import Limits
from twinproof.optim.outcome import OnProgress, Outcome
from twinproof.optim.process.children import run_in_children
from twinproof.optim.process.tasks import Report, Started, Task, run_here
from twinproof.optim.process.tracker import Tracker
from twinproof.optim.request import EngineOptions, Request, Threshold

if TYPE_CHECKING:
    from twinproof.optim.cpsat import CpsatModel
    from twinproof.optim.frontier.search import FrontierModel
    from twinproof.optim.maxsat import MaxsatModel
    from twinproof.optim.sat.model import ClauseModel
    from twinproof.optim.staged import StagedModel

LayoutT = TypeVar("LayoutT")

if TYPE_CHECKING:
    AnyModel = (
        CpsatModel[LayoutT]
        | MaxsatModel[LayoutT]
        | FrontierModel[LayoutT]
        | StagedModel[LayoutT]
        | ClauseModel[LayoutT]
    )


class Feature(StrEnum):
    """What an engine can support; all but the first two are the names of `EngineOptions`."""

    THRESHOLD = "threshold"
    WORKERS = "workers"
    SUBSOLVERS = "subsolvers"
    WARM_START = "warm_start"
    BOUND = "bound"
    COUNTING = "counting"
    CHECKPOINT = "checkpoint"
    EVIDENCE = "evidence"


@dataclass(frozen=True)
class Engine:
    """A row of the table.

    Parameters
    ----------
    name : str
    model : str
        The models that it solves: a puzzle has them in the part of this name, built by `build_MODEL`.
    search : str
        MODULE:FUNCTION of its search, `function(report, request, *arguments)`. It is loaded in the process that
        searches, because solvers take long to load.
    supports : frozenset of Feature
    package : str, optional
        What must be installed, where it does not come with this project.
    arguments : tuple
        What its search is given besides report and request; so that rows can share a search.
    companion : str, optional
        A second search, for layouts, that runs beside the first where there is a process and a worker for it.
    tracker : type of Tracker
        Makes an outcome of what the search reports.
    settles : bool
        Whether it settles every question if it has time and memory enough.
    """

    name: str
    model: str
    search: str
    supports: frozenset[Feature] = frozenset()
    package: str | None = None
    arguments: tuple[Any, ...] = ()
    companion: str | None = None
    tracker: type[Tracker] = Tracker
    settles: bool = True

    @property
    def installed(self) -> bool:
        """Whether the package that it needs is there."""
        return self.package is None or find_spec(self.package) is not None

    def check(self, threshold: Threshold | None, options: EngineOptions) -> None:
        """Refuse what the engine cannot do.

        Parameters
        ----------
        threshold : Threshold or None
            What is asked instead of an optimum, if anything.
        options : EngineOptions
            Those that are given must be supported.

        Raises
        ------
        InputError
            If its package is missing, or it does not support what is asked.
        """
        if not self.installed:
            raise InputError(
                f"engine {self.name}: needs the package {self.package}: pip install 'twinproof[third]'"
            )
        asked = ([] if threshold is None else [Feature.THRESHOLD]) + [Feature(name) for name in options.given()]
        for feature in asked:
            if feature not in self.supports:
                able = ", ".join(row.name for row in TABLE.values() if feature in row.supports)
                words = "at least or at most" if feature is Feature.THRESHOLD else feature.replace("_", " ")
                raise InputError(f"{self.name}: does not support {words}; supported by {able}")

    def tasks(self, request: Request[Any], isolated: bool) -> list[Task]:
        """Give the searches to run, the engine's own first.

        Parameters
        ----------
        request : Request
            What every search is asked.
        isolated : bool
            Whether searches run in child processes; only then can a companion run beside the engine.

        Returns
        -------
        list of Task
            One, or two with the companion, which shares the work unless one worker is asked for.
        """
        grace = GRACE if request.options.checkpoint is not None else 0.0
        tasks = [Task(self.name, _search, (self.search, request, self.arguments), grace)]
        if self.companion is not None and isolated and request.limits.workers != 1:
            tasks.append(Task(f"{self.name}: companion", _companion, (self.companion, request, self.arguments)))
        return tasks


_THRESHOLD = frozenset({Feature.THRESHOLD})
_PARALLEL = _THRESHOLD | {Feature.WORKERS}
_CPSAT = _PARALLEL | {Feature.SUBSOLVERS, Feature.WARM_START, Feature.BOUND}
_MAXSAT = _PARALLEL | {Feature.BOUND}
_FRONTIER = frozenset({Feature.COUNTING, Feature.CHECKPOINT, Feature.EVIDENCE})
_INCUMBENTS = "twinproof.optim.maxsat:search_incumbents"
_HERMAX = "twinproof.optim.external.hermax:search"

_ROWS = (
    Engine("cpsat", "cpsat", "twinproof.optim.cpsat:search", _CPSAT),
    Engine("maxsat", "maxsat", "twinproof.optim.maxsat:search", _MAXSAT, companion=_INCUMBENTS),
    Engine("frontier", "frontier", "twinproof.optim.frontier.search:search", _FRONTIER, tracker=FrontierTracker),
    Engine("band", "band", "twinproof.optim.staged:search", settles=False),
    # Linear SAT-UNSAT search, the source article's K sweep.
    Engine("linear-search", "linear_search", "twinproof.optim.linear_search:search", _THRESHOLD),
    Engine("uwrmaxsat", "maxsat", _HERMAX, _THRESHOLD, "hermax", ("uwrmaxsat",)),
    Engine("cashwmaxsat", "maxsat", _HERMAX, _THRESHOLD, "hermax", ("cashwmaxsat",)),
    Engine("evalmaxsat", "maxsat", _HERMAX, _THRESHOLD, "hermax", ("evalmaxsat",)),
    Engine("clingo", "maxsat", "twinproof.optim.external.clingo:search", _PARALLEL, "clingo"),
)

TABLE: Mapping[str, Engine] = MappingProxyType({row.name: row for row in _ROWS})
"""All engines by name. Any other solver, such as an executable that reads WCNF, is one more row."""

OWN = ("cpsat", "maxsat", "frontier")
"""The engines that this project is about."""

BASELINE = "linear-search"
"""The method of the source article, with which the others are compared; it has models of its own."""

BAND = "band"
"""The engine for wide fields: a bound and layouts, which need not meet."""

EXTERNAL = tuple(name for name in TABLE if name not in (*OWN, BAND, BASELINE))
"""The solvers that others wrote; they solve the models of maxsat."""

ALIASES: Mapping[str, str] = MappingProxyType({"ksweep": BASELINE})
"""The names that engines once had; suites, results and command lines may still use them."""

GRACE = 600.0
"""The seconds that a search has to write its checkpoint, which can take gigabytes on a slow disk.

A time limit leaves it less: see `process.children.LATE`.
"""


def find(name: str) -> Engine:
    """Give an engine by its name, or a name that it once had.

    Raises
    ------
    InputError
        If there is none.
    """
    row = TABLE.get(ALIASES.get(name, name))
    if row is None:
        raise InputError(f"engine {name!r}: unknown; known are {', '.join(TABLE)}")
    return row


def available() -> tuple[str, ...]:
    """Give the external engines whose packages are installed."""
    return tuple(name for name in EXTERNAL if TABLE[name].installed)


def solve(
    engine: str,
    build: "Callable[[], AnyModel[LayoutT]]",
    limits: Limits | None = None,
    on_progress: OnProgress | None = None,
    threshold: Threshold | None = None,
    options: EngineOptions | None = None,
    isolated: bool = True,
) -> Outcome[LayoutT]:
    """Build a model, solve it and read its layouts.

    Parameters
    ----------
    engine : str
        A key of `TABLE`.
    build : callable
        Gives the model, of the kind that the engine's row says. It is called in the process that searches, so that
        the limits hold for building too; it must be picklable, such as a `functools.partial` of a function in
        a module with a name to import.
    limits : Limits, optional
        By default none. With one worker, maxsat runs RC2 alone, and an unfinished run has a bound but no value.
    on_progress : callable, optional
        Called in this process at every improvement of value or bound.
    threshold : Threshold, optional
        Asks only whether a layout has such a value, and optimises nothing.
    options : EngineOptions, optional
        What only some engines support.
    isolated : bool
        Whether to search in child processes. Only then are time and memory limits kept and does Ctrl-C give
        the best outcome so far; without, small models are solved faster.

    Returns
    -------
    Outcome
        What the engine says; the frontier engine gives a `FrontierOutcome`.

    Raises
    ------
    InputError
        If the engine is unknown or its package is missing, or it does not support what is asked.
    EngineError
        If it fails.
    """
    row, options = find(engine), options or EngineOptions()
    row.check(threshold, options)
    request = Request(build, threshold, limits or Limits(), options)
    tasks = row.tasks(request, isolated)
    tracker = row.tracker(on_progress)
    stopped = None
    try:
        if isolated:
            stopped = run_in_children(tasks, request.limits, tracker.report, tracker.settled, tracker.take_memory)
        else:
            run_here(tasks[0], tracker.report)
    finally:
        if options.checkpoint is not None:
            options.checkpoint.clear()
    return tracker.outcome(stopped)


def _search(report: Report, place: str, request: Request[Any], arguments: tuple[Any, ...]) -> None:
    search = _load(place)
    report(Started())
    search(report, request, *arguments)


def _companion(report: Report, place: str, request: Request[Any], arguments: tuple[Any, ...]) -> None:
    # It is the engine's own search whose start counts: the proof is that one's.
    _load(place)(report, request, *arguments)


def _load(place: str) -> Callable[..., None]:
    module, name = place.split(":")
    search: Callable[..., None] = getattr(import_module(module), name)
    return search
