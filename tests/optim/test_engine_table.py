"""The table of engines: old names, what a row refuses, and that one more row is one more engine."""

from collections.abc import Sequence
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from twinproof.optim import InputError, Sense, Status
from twinproof.optim import engine as engines
from twinproof.optim.engine import ALIASES, EXTERNAL, OWN, TABLE, Engine, Feature, find, solve
from twinproof.optim.maxsat import MaxsatModel, post
from twinproof.optim.process.checkpoint import Checkpoint
from twinproof.optim.process.tasks import Built, Finished, Found, Report
from twinproof.optim.request import EngineOptions, Request, Threshold


def model(
    counted: Sequence[int] = (1, 2, 3), sense: Sense | None = Sense.MINIMIZE
) -> MaxsatModel[tuple[int, ...]]:
    """One of three variables is true, or more."""
    return MaxsatModel([[1, 2, 3]], 3, tuple(counted), sense, lambda values: tuple(values[1:4]))


def by_trying(report: Report, request: Request[MaxsatModel[Any]], marker: str) -> None:
    """The search of somebody else's engine: it tries everything."""
    formula = post(request.build(), request.threshold)
    report(Built(formula.sense))
    assert marker == "its own"
    best = None
    for values in product((0, 1), repeat=formula.wcnf.nv):
        holds = [v if value else -v for v, value in enumerate(values, start=1)]
        cost = sum(clause[0] not in holds for clause in formula.wcnf.soft)
        if all(set(clause) & set(holds) for clause in formula.wcnf.hard) and (best is None or cost < best[0]):
            best = cost, (0, *values)
    if best is not None:
        report(Found(best[0], formula.read(best[1])))
    report(Finished("infeasible" if best is None else "optimal"))


@pytest.mark.parametrize("isolated", [False, True])
def test_one_more_row_is_one_more_engine(monkeypatch: pytest.MonkeyPatch, isolated: bool) -> None:
    row = Engine(
        "trying", "maxsat", f"{__name__}:by_trying", frozenset({Feature.THRESHOLD}), arguments=("its own",)
    )
    monkeypatch.setattr(engines, "TABLE", {**TABLE, row.name: row})
    outcome = solve("trying", model, isolated=isolated)
    assert (outcome.status, outcome.value) == (Status.OPTIMAL, 1)
    assert solve("trying", model, threshold=Threshold(at_most=0), isolated=False).status is Status.INFEASIBLE


def test_every_engine_is_found_by_its_name_and_by_the_one_that_it_once_had() -> None:
    assert {name: find(name).name for name in TABLE} == {name: name for name in TABLE}
    # Results of the time before call it so.
    assert find("ksweep").name == "linear-search"
    assert set(ALIASES.values()) <= set(TABLE)
    assert not set(OWN) & set(EXTERNAL)
    with pytest.raises(InputError, match="engine 'gurobi': unknown; known are cpsat, maxsat"):
        find("gurobi")


@pytest.mark.parametrize(
    ("engine", "options", "message"),
    [
        ("cpsat", EngineOptions(counting=True), "cpsat: does not support counting; supported by frontier"),
        ("maxsat", EngineOptions(evidence=True), "does not support evidence; supported by frontier"),
        ("maxsat", EngineOptions(warm_start=("S",)), "does not support warm start; supported by cpsat"),
        ("frontier", EngineOptions(subsolvers=("core",)), "does not support subsolvers; supported by cpsat"),
        ("ksweep", EngineOptions(bound=0), "linear-search: does not support bound; supported by cpsat"),
    ],
)
def test_an_engine_refuses_what_it_does_not_support(engine: str, options: EngineOptions, message: str) -> None:
    with pytest.raises(InputError, match=message):
        solve(engine, model, options=options)


def test_options_are_kept_as_far_as_an_engine_supports_them(tmp_path: Any) -> None:
    options = EngineOptions(("core",), bound=7, checkpoint=Checkpoint(tmp_path / "a.checkpoint"))
    assert options.given() == ("subsolvers", "bound", "checkpoint")
    assert options.only(TABLE["cpsat"].supports) == EngineOptions(("core",), bound=7)
    assert options.only(TABLE["frontier"].supports) == EngineOptions(checkpoint=options.checkpoint)
    assert options.only(()) == EngineOptions()
    assert Threshold.of(None, None) is None
    with pytest.raises(InputError, match="must be given"):
        Threshold()


@settings(max_examples=60, deadline=None)
@given(
    counted=st.lists(st.sampled_from([1, -1, 2, -2, 3, -3]), max_size=8).flatmap(
        lambda some: st.sampled_from([some, some * 2, [lit for lit in some for _ in range(3)]])
    ),
    least=st.none() | st.integers(-1, 25),
    most=st.none() | st.integers(-1, 25),
)
@pytest.mark.parametrize(("engine", "few"), [("maxsat", 500), ("maxsat", 0), ("linear-search", 500)])
def test_thresholds_count_every_literal_as_often_as_it_stands(
    engine: str, few: int, counted: list[int], least: int | None, most: int | None
) -> None:
    values = {
        sum(chosen[abs(lit) - 1] == (lit > 0) for lit in counted)
        for chosen in product((0, 1), repeat=3)
        if any(chosen)
    }
    fits = [v for v in values if (least is None or v >= least) and (most is None or v <= most)]
    threshold = Threshold.of(least, most)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("twinproof.optim.maxsat.FEW", few)
        outcome = solve(engine, lambda: model(counted), threshold=threshold, isolated=False)
    if threshold is None:
        assert outcome.value == min(values)
    else:
        assert outcome.status is (Status.FEASIBLE if fits else Status.INFEASIBLE)


@pytest.mark.parametrize("engine", ["maxsat", "linear-search"])
def test_a_threshold_needs_something_that_is_counted(engine: str) -> None:
    with pytest.raises(InputError, match="nothing is counted"):
        solve(engine, lambda: model((), None), threshold=Threshold(at_least=1), isolated=False)


def test_a_question_for_worse_layouts_is_put_to_the_complete_model() -> None:
    # Of two layouts alike, 1 and 2, the model keeps the one that is worth more.
    everything = MaxsatModel([[1, 2], [-1, -2]], 2, (1,), Sense.MAXIMIZE, tuple)
    best = MaxsatModel([[1], [-2]], 2, (1,), Sense.MAXIMIZE, tuple, complete=lambda: everything)

    def status(threshold: Threshold) -> Status:
        return solve("maxsat", lambda: best, threshold=threshold, isolated=False).status

    assert status(Threshold(at_least=1)) is Status.FEASIBLE
    assert status(Threshold(at_most=0)) is Status.FEASIBLE
    assert status(Threshold(at_least=2)) is Status.INFEASIBLE
