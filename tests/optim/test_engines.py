"""The engines on small models with known answers: statuses, limits, interrupts and failures told apart."""

import os
import signal
import time
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from functools import partial

import pytest
from ortools.sat.python import cp_model

from twinproof.optim import EngineError, InputError, Limits, Outcome, Progress, Sense, Status, Stop
from twinproof.optim.cpsat import CpsatModel, CpsatSettings
from twinproof.optim.engine import solve
from twinproof.optim.maxsat import MaxsatModel, MaxsatSettings
from twinproof.optim.process.children import run_in_children
from twinproof.optim.process.tasks import Finished, Found, Report, Task


def pigeons(holes: int, sense: Sense | None) -> MaxsatModel[int]:
    """One pigeon more than holes: a hard contradiction, and hard to refute."""

    def var(pigeon: int, hole: int) -> int:
        return pigeon * holes + hole + 1

    clauses: list[list[int]] = []
    for p in range(holes + 1):
        clauses.append([var(p, h) for h in range(holes)])
        for h in range(holes):
            clauses += [[-var(p, h), -var(q, h)] for q in range(p)]
    return MaxsatModel(clauses, (holes + 1) * holes, (1,), sense, lambda values: 0)


def crowded_pigeons(holes: int) -> MaxsatModel[int]:
    """As many pigeons as possible, one to a hole; their number is easy to reach and hard to prove."""
    clauses: list[list[int]] = []
    first = (holes + 1) * holes + 1
    for p in range(holes + 1):
        for h in range(holes):
            clauses += [[-(p * holes + h + 1), -(q * holes + h + 1)] for q in range(p)]
        clauses.append([-(first + p), *(p * holes + h + 1 for h in range(holes))])
    seated = tuple(range(first, first + holes + 1))
    return MaxsatModel(clauses, seated[-1], seated, Sense.MAXIMIZE, lambda values: sum(values[first:]))


def pigeons_and_pairs() -> MaxsatModel[int]:
    """13 holes hold 13 pigeons, which takes hours to prove; of five pairs one each is lost, proved at once."""
    model = crowded_pigeons(13)
    model.clauses.extend([-first, -first - 1] for first in range(1001, 1011, 2))
    return replace(model, top=1010, counted=(*model.counted, *range(1001, 1011)))


def sleepy() -> MaxsatModel[int]:
    time.sleep(600)
    raise AssertionError("nobody waits for this")


def nothing() -> MaxsatModel[tuple[int, ...]]:
    return MaxsatModel([], 0, (), Sense.MINIMIZE, tuple)


def knapsack(sense: Sense | None = Sense.MAXIMIZE, most: int = 3) -> CpsatModel[tuple[int, ...]]:
    model = cp_model.CpModel()
    taken = [model.new_bool_var(f"taken {i}") for i in range(5)]
    model.add(sum(taken) <= most)
    model.add(sum(taken) >= 1)
    return CpsatModel(model, sum(taken), sense, tuple, settings=CpsatSettings(workers=1))


@pytest.mark.parametrize("isolated", [False, True])
def test_cpsat_gives_each_status(isolated: bool) -> None:
    best = solve("cpsat", partial(knapsack), isolated=isolated)
    assert (best.status, best.value, best.bound) == (Status.OPTIMAL, 3, 3)
    assert best.layout is not None
    assert sum(best.layout) == 3
    assert solve("cpsat", partial(knapsack, Sense.MINIMIZE), isolated=False).value == 1
    assert solve("cpsat", partial(knapsack, most=0), isolated=isolated).status is Status.INFEASIBLE
    asked = solve("cpsat", partial(knapsack, None), isolated=isolated)
    assert (asked.status, asked.value, asked.settled) == (Status.FEASIBLE, None, True)


@pytest.mark.parametrize("isolated", [False, True])
def test_maxsat_gives_each_status(isolated: bool) -> None:
    best = solve("maxsat", partial(crowded_pigeons, 4), isolated=isolated)
    assert (best.status, best.value, best.bound, best.layout) == (Status.OPTIMAL, 4, 4, 4)
    assert solve("maxsat", partial(pigeons, 4, None), isolated=isolated).status is Status.INFEASIBLE
    assert solve("maxsat", partial(pigeons, 4, Sense.MINIMIZE), isolated=False).status is Status.INFEASIBLE
    assert solve("maxsat", nothing, isolated=False).value == 0


@pytest.mark.parametrize("adapt", [False, True])
@pytest.mark.parametrize("exhaust", [False, True])
@pytest.mark.parametrize("minz", [False, True])
def test_maxsat_leaves_the_formula_as_it_was(adapt: bool, exhaust: bool, minz: bool) -> None:
    # RC2 is given the clauses themselves, and lists of its own; with these pigeons it does all that it can do.
    model = replace(crowded_pigeons(4), settings=MaxsatSettings(adapt, exhaust, minz))
    for first, second in ((101, 102), (103, 103), (104, -104)):  # at most one of them; the same; contrary ones
        model.clauses.append([-first, -second] if first != second else [first, 1])
        model = replace(model, top=104, counted=(*model.counted, first, second))
    before = deepcopy(model.clauses)
    # 4 pigeons, one of 101 and 102, both times 103, and one of 104 and its negation.
    assert solve("maxsat", lambda: replace(model, read=len), isolated=False).value == 4 + 1 + 2 + 1
    assert model.clauses == before


def test_maxsat_stopped_midway_has_a_value_and_a_bound() -> None:
    seen: list[Progress] = []

    def stop_when_both_are_known(progress: Progress) -> None:
        seen.append(progress)
        if progress.value is not None and progress.bound is not None:
            raise KeyboardInterrupt

    outcome = solve("maxsat", pigeons_and_pairs, None, stop_when_both_are_known)
    assert (outcome.status, outcome.stopped) == (Status.FEASIBLE, Stop.INTERRUPT)
    assert outcome.value is not None
    assert outcome.bound is not None
    assert outcome.value <= 13 + 5 <= outcome.bound
    assert seen == list(outcome.trace)


def test_trace_never_gets_worse() -> None:
    outcome = solve("maxsat", partial(crowded_pigeons, 6))
    values = [point.value for point in outcome.trace if point.value is not None]
    bounds = [point.bound for point in outcome.trace if point.bound is not None]
    seconds = [point.seconds for point in outcome.trace]
    assert values == sorted(values)
    assert bounds == sorted(bounds, reverse=True)
    assert seconds == sorted(seconds)
    assert outcome.trace[-1].value == outcome.trace[-1].bound == 6


def test_time_running_out_is_not_infeasible() -> None:
    outcome = solve("maxsat", partial(pigeons, 13, Sense.MINIMIZE), Limits(time=2))
    assert (outcome.status, outcome.stopped) == (Status.UNKNOWN, Stop.TIME)


def hungry(report: Report) -> None:
    report(Found(7, (1,)))
    held = []
    while True:
        held.append(bytearray(20_000_000))
        time.sleep(0.01)


def stubborn(report: Report) -> None:
    report(Found(7, (1,)))
    time.sleep(600)


def failing(report: Report) -> None:
    raise ZeroDivisionError("planted")


def dying(report: Report) -> None:
    os._exit(3)


def chatty(report: Report) -> None:
    print("a library prints")  # noqa: T201
    os.write(1, b"and so does C\n")
    report(Finished("optimal"))


def run(function: object, limits: Limits) -> tuple[Stop | None, list[object]]:
    assert callable(function)
    events: list[object] = []
    stop = run_in_children([Task("test", function, ())], limits, events.append, lambda: False)
    return stop, events


def test_memory_limit_is_kept_and_what_was_found_remains() -> None:
    stop, events = run(hungry, Limits(memory=300, time=60))
    assert stop is Stop.MEMORY
    assert events == [Found(7, (1,))]


def holding(report: Report) -> None:
    held = bytearray(b"x") * 200_000_000
    time.sleep(0.5)
    del held
    time.sleep(0.3)


def test_the_most_memory_that_a_task_held_is_told() -> None:
    peaks: list[int] = []
    assert run_in_children([Task("test", holding, ())], Limits(), print, lambda: False, peaks.append) is None
    # Besides what it holds there is the interpreter with this module, which loads solvers.
    assert 200_000_000 <= max(peaks) < 400_000_000


def bad_alloc(report: Report) -> None:
    os.write(2, b"terminate called after throwing an instance of 'std::bad_alloc'\n")
    os.abort()


def out_of_memory(report: Report) -> None:
    raise MemoryError


@pytest.mark.parametrize("function", [bad_alloc, out_of_memory])
def test_a_child_that_gets_no_memory_is_a_memory_stop(function: Callable[[Report], None]) -> None:
    assert run(function, Limits()) == (Stop.MEMORY, [])


def test_limits_hold_while_a_model_is_built() -> None:
    outcome = solve("maxsat", sleepy, Limits(time=1))
    assert (outcome.status, outcome.stopped) == (Status.UNKNOWN, Stop.TIME)


def test_interrupt_gives_what_was_found() -> None:
    events: list[object] = []

    def report_and_press_ctrl_c(event: object) -> None:
        events.append(event)
        signal.raise_signal(signal.SIGINT)

    stop = run_in_children([Task("test", stubborn, ())], Limits(), report_and_press_ctrl_c, lambda: False)
    assert stop is Stop.INTERRUPT
    assert events == [Found(7, (1,))]


@pytest.mark.parametrize(
    "solve",
    [
        lambda: solve("cpsat", partial(knapsack), isolated=False),
        lambda: solve("maxsat", partial(crowded_pigeons, 3), isolated=False),
    ],
)
def test_an_engine_in_this_process_leaves_ctrl_c_as_it_was(solve: Callable[[], object]) -> None:
    solve()
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


def test_a_failure_in_a_child_is_an_engine_error_with_its_cause() -> None:
    with pytest.raises(EngineError, match="ZeroDivisionError: planted"):
        run(failing, Limits())
    with pytest.raises(EngineError, match="exit code 3"):
        run(dying, Limits())


def test_what_a_library_prints_does_not_disturb_the_events() -> None:
    assert run(chatty, Limits()) == (None, [Finished("optimal"), Finished(None)])


@pytest.mark.parametrize("bad", [{"time": 0}, {"time": -1.5}, {"memory": -1}, {"workers": 0}, {"seed": -1}])
def test_limits_that_make_no_sense_are_refused(bad: dict[str, int]) -> None:
    with pytest.raises(InputError):
        Limits(**bad)
    with pytest.raises(InputError):
        Limits(time=float("nan"))


@pytest.mark.parametrize(
    ("status", "value", "bound", "layout"),
    [
        (Status.OPTIMAL, 3, 4, "x"),
        (Status.OPTIMAL, 3, 3, None),
        (Status.INFEASIBLE, None, None, "x"),
        (Status.FEASIBLE, 5, 4, "x"),
        (Status.UNKNOWN, 3, None, "x"),
    ],
)
def test_outcomes_that_contradict_themselves_cannot_be_made(
    status: Status, value: int | None, bound: int | None, layout: str | None
) -> None:
    with pytest.raises(EngineError):
        Outcome(Sense.MAXIMIZE, status, value, bound, layout, 0.0)
