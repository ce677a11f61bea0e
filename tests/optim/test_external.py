"""External engines: they answer as brute force does, and what they say is never believed on a status alone."""

import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module
from types import ModuleType
from typing import Any

import pytest

from tests.compare.test_judge import disagreements, disc_cases, grid_cases
from tests.optim.test_engines import crowded_pigeons, pigeons, pigeons_and_pairs
from twinproof.compare.cli.main import main
from twinproof.optim import EngineError, InputError, Limits, Progress, Sense, Status, Stop
from twinproof.optim.engine import EXTERNAL, OWN, TABLE, available, solve
from twinproof.optim.maxsat import MaxsatModel, post
from twinproof.optim.process.tasks import Event, Finished, Found
from twinproof.optim.request import Request

MISSING = {
    name: pytest.mark.skip(reason=f"{TABLE[name].package} is not installed: pip install 'twinproof[third]'")
    for name in EXTERNAL
    if name not in available()
}
EVERY = pytest.mark.parametrize(
    "engine", [pytest.param(name, marks=MISSING[name]) if name in MISSING else name for name in EXTERNAL]
)


# One skip, not one for every question, where an engine is missing.
@EVERY
def test_domination_numbers_of_small_grids_and_discs(engine: str) -> None:
    assert disagreements(grid_cases(12) + disc_cases(12), engine) == {}


def odd(
    hard: list[list[int]], soft: list[int], sense: Sense | None = Sense.MAXIMIZE
) -> MaxsatModel[tuple[int, ...]]:
    counted = [-literal for literal in soft] if sense is Sense.MINIMIZE else soft
    top = max((abs(literal) for clause in [*hard, soft] for literal in clause), default=0)
    return MaxsatModel(hard, top, tuple(counted), sense, tuple)


# By hand, as many soft literals as can hold.
@EVERY
@pytest.mark.parametrize(
    ("model", "best"),
    [
        (odd([], []), 0),
        (odd([], [1, -1, -1, 2]), 3),
        (odd([[1, -1], [2, 2, -3], [3, 3]], [-2, -2, 3, -1]), 2),
        (odd([[-1], [5]], [1, 1, 1]), 0),
    ],
)
def test_odd_formulas_keep_their_optimum(engine: str, model: MaxsatModel[tuple[int, ...]], best: int) -> None:
    outcome = solve(engine, lambda: model, isolated=False)
    assert (outcome.status, outcome.value) == (Status.OPTIMAL, best)


@EVERY
@pytest.mark.parametrize("sense", [None, Sense.MINIMIZE])
@pytest.mark.parametrize("hard", [[[]], [[1], []], [[1], [-1]]])
def test_a_contradiction_is_infeasible(engine: str, hard: list[list[int]], sense: Sense | None) -> None:
    soft = [] if sense is None else [2]
    assert solve(engine, lambda: odd(hard, soft, sense), isolated=False).status is Status.INFEASIBLE
    assert solve(engine, partial(pigeons, 4, sense), isolated=False).status is Status.INFEASIBLE


@EVERY
def test_time_running_out_is_not_infeasible(engine: str) -> None:
    outcome = solve(engine, partial(pigeons, 13, Sense.MINIMIZE), Limits(time=1))
    assert (outcome.status, outcome.stopped) == (Status.UNKNOWN, Stop.TIME)


@EVERY
def test_the_formula_is_left_as_it_was(engine: str) -> None:
    model = crowded_pigeons(4)
    before = list(map(list, model.clauses))
    assert solve(engine, lambda: model, isolated=False).value == 4
    assert model.clauses == before


def test_clingo_stopped_midway_has_a_bound() -> None:
    pytest.importorskip("clingo", reason="clingo is not installed: pip install 'twinproof[third]'")

    def stop(progress: Progress) -> None:
        if progress.bound is not None:
            raise KeyboardInterrupt

    outcome = solve("clingo", pigeons_and_pairs, on_progress=stop)
    assert outcome.stopped is Stop.INTERRUPT
    assert outcome.status in (Status.UNKNOWN, Status.FEASIBLE)
    assert outcome.bound is not None
    assert outcome.bound >= 13 + 5


def test_without_its_package_an_external_engine_is_refused_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("twinproof.optim.engine.find_spec", lambda package: None)
    assert available() == ()
    for name in EXTERNAL:
        with pytest.raises(SystemExit) as left:
            main(("solve", "sprinklers", "grid:2x2", "--engine", name))
        captured = capfd.readouterr()
        assert (left.value.code, captured.out) == (2, "")
        assert captured.err == (
            f"twinproof: engine {name}: needs the package {TABLE[name].package}: pip install 'twinproof[third]'\n"
        )
    with pytest.raises(SystemExit):
        main(("list",))
    assert "clingo" in capfd.readouterr().out


def test_external_engines_are_no_part_of_all() -> None:
    assert not set(OWN) & set(EXTERNAL)
    with pytest.raises(InputError, match="known are"):
        solve("nonsense", partial(crowded_pigeons, 2))


def test_an_external_engine_on_the_command_line(capfd: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("clingo", reason="clingo is not installed: pip install 'twinproof[third]'")
    with pytest.raises(SystemExit) as left:
        main(("solve", "sprinklers", "grid:4x4", "--engine", "clingo"))
    captured = capfd.readouterr()
    assert (left.value.code, captured.err) == (0, "")
    assert "clingo: fewest-sprinklers: 4, proved optimal" in captured.out


# Forged answers. The package hermax is replaced, so that these run where it is not installed.

Search = Callable[..., None]


class Forged:
    """A solver that says what it was told to say."""

    status = 30
    cost = 0
    model: tuple[int, ...] = ()

    def add_clause(self, clause: list[int]) -> None: ...

    def set_soft(self, literal: int, weight: int) -> None: ...

    def solve(self) -> bool:
        return self.status in (10, 30)

    def get_status(self) -> int:
        return self.status

    def get_cost(self) -> int:
        return self.cost

    def get_model(self) -> list[int]:
        return list(self.model)

    def close(self) -> None: ...


@pytest.fixture
def forged(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[Event]]:
    """Let a solver say something of: 1 or 2, at best neither."""
    for name in ("hermax", "hermax.incremental", "hermax.non_incremental"):
        module: Any = ModuleType(name)
        module.UWrMaxSAT = module.CASHWMaxSAT = module.EvalMaxSAT = Forged
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.delitem(sys.modules, "twinproof.optim.external.hermax", raising=False)
    engine = import_module("twinproof.optim.external.hermax")
    monkeypatch.delitem(sys.modules, "twinproof.optim.external.hermax")

    def run(status: int, cost: int = 0, model: tuple[int, ...] = ()) -> list[Event]:
        monkeypatch.setattr(Forged, "status", status)
        monkeypatch.setattr(Forged, "cost", cost)
        monkeypatch.setattr(Forged, "model", model)
        events: list[Event] = []
        engine.search(events.append, Request(lambda: odd([[1, 2]], [-1, -2], Sense.MINIMIZE)), "uwrmaxsat")
        return events

    return run


def test_an_honest_answer_is_taken(forged: Callable[..., list[Event]]) -> None:
    assert forged(30, 1, (1, -2))[1:] == [Found(1, (0, 1, 0)), Finished("optimal")]


@pytest.mark.parametrize(
    ("said", "complaint"),
    [
        ((30, 0, (-1, -2)), "breaks the clause"),
        ((30, 0, (1, -2)), "says cost 0, its model costs 1"),
        ((30, 1, (1, 2)), "says cost 1, its model costs 2"),
        ((20,), "there is no model, and there is one"),
        ((10, 1, (1, -2)), "status 10"),
        ((0,), "status 0"),
        ((40,), "status 40"),
    ],
)
def test_a_forged_answer_is_an_engine_error(
    forged: Callable[..., list[Event]], said: tuple[Any, ...], complaint: str
) -> None:
    with pytest.raises(EngineError, match=complaint):
        forged(*said)


def test_clingo_is_not_believed_on_its_word(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("clingo", reason="clingo is not installed: pip install 'twinproof[third]'")
    model = odd([[1, 2]], [-1, -2], Sense.MINIMIZE)
    with monkeypatch.context() as patched:
        patched.setattr("twinproof.optim.external.clingo.cost_of", lambda wcnf, assignment: 0)
        with pytest.raises(EngineError, match="says cost 1, its model costs 0"):
            solve("clingo", lambda: model, isolated=False)
    # A program that lacks the hard clause.
    patched_add = post(odd([], [-1, -2], Sense.MINIMIZE), None).wcnf
    engine = import_module("twinproof.optim.external.clingo")
    add = engine._add
    monkeypatch.setattr(engine, "_add", lambda control, wcnf: add(control, patched_add))
    with pytest.raises(EngineError, match="breaks the clause"):
        solve("clingo", lambda: model, isolated=False)
