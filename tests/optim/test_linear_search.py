"""The baseline engine: how it asks, what it tells on the way, and where it may be used."""

from functools import partial

import pytest
from pysat.solvers import Cadical195

from tests.compare.test_judge import disagreements, disc_cases, grid_cases
from tests.optim.test_engines import crowded_pigeons
from twinproof.compare.cli.main import main
from twinproof.compare.questions.answer import Question, answer
from twinproof.compare.questions.crosscheck import crosscheck
from twinproof.models.field.sources import read_field
from twinproof.models.hops.instance import HopsPuzzle
from twinproof.models.hops.linear_search import build_linear_search as build_hops
from twinproof.models.sprinklers.instance import SprinklerPuzzle
from twinproof.models.sprinklers.linear_search import build_linear_search as build_sprinklers
from twinproof.optim import EngineError, InputError, Limits, Progress, Sense, Status, Stop
from twinproof.optim.engine import solve
from twinproof.optim.linear_search import count_clauses, search
from twinproof.optim.process.tasks import Bounded, Built, Event, Finished, Found
from twinproof.optim.request import Request
from twinproof.optim.sat.model import ClauseModel


def some(clauses: list[list[int]], sense: Sense | None, variables: int = 4) -> ClauseModel[tuple[int, ...]]:
    return ClauseModel(clauses, variables, tuple(range(1, variables + 1)), sense, lambda values: tuple(values[1:]))


def events_of(model: ClauseModel[tuple[int, ...]]) -> list[Event]:
    events: list[Event] = []
    search(events.append, Request(lambda: model))
    return events


@pytest.mark.parametrize(("sense", "best", "trivial"), [(Sense.MINIMIZE, 2, 0), (Sense.MAXIMIZE, 3, 4)])
def test_values_improve_until_the_first_no(sense: Sense, best: int, trivial: int) -> None:
    # Of 1 and 2, and of 3 and 4, at least one; not all four.
    events = events_of(some([[1, 2], [3, 4], [-1, -2, -3, -4]], sense))
    values = [event.value for event in events if isinstance(event, Found) and event.value is not None]
    assert events[:2] == [Built(sense), Bounded(trivial)]
    assert values == sorted(set(values), reverse=sense is Sense.MINIMIZE)
    assert values[-1] == best
    assert events[-1] == Finished("optimal")
    assert all(sum(event.layout) == event.value for event in events if isinstance(event, Found))


def test_every_k_is_a_new_question(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    class Counted(Cadical195):  # type: ignore[misc]
        def __init__(self, **words: object) -> None:
            made.append(words)
            super().__init__(**words)

    monkeypatch.setattr("twinproof.optim.linear_search.Cadical195", Counted)
    events = events_of(some([[1, 2], [3, 4]], Sense.MINIMIZE))
    assert len(made) == sum(isinstance(event, Found) for event in events) + 1


@pytest.mark.parametrize("clauses", [[[1], [-1]], [[]]])
@pytest.mark.parametrize("sense", [None, Sense.MINIMIZE])
def test_a_contradiction_is_infeasible(clauses: list[list[int]], sense: Sense | None) -> None:
    assert events_of(some(clauses, sense)) == [Built(sense), Finished("infeasible")]


def test_nothing_to_count_is_0() -> None:
    for sense in Sense:
        outcome = solve("linear-search", lambda s=sense: some([], s, 0), isolated=False)  # type: ignore[misc]
        assert (outcome.status, outcome.value) == (Status.OPTIMAL, 0)


@pytest.mark.parametrize("variables", range(5))
def test_counts_are_counts(variables: int) -> None:
    literals = [(-1) ** v * v for v in range(1, variables + 1)]
    for least in (None, *range(-1, variables + 2)):
        for most in (None, *range(-1, variables + 2)):
            clauses, top = count_clauses(literals, least, most, variables)
            assert top >= max([variables, *(abs(v) for clause in clauses for v in clause)])
            for chosen in range(1 << variables):
                true = [lit if chosen >> i & 1 else -lit for i, lit in enumerate(literals)]
                fits = (least is None or least <= chosen.bit_count()) and (
                    most is None or chosen.bit_count() <= most
                )
                with Cadical195(bootstrap_with=[c for c in clauses if c]) as solver:
                    assert (solver.solve(assumptions=true) and [] not in clauses) == fits


def test_a_wrong_model_is_an_engine_error(monkeypatch: pytest.MonkeyPatch) -> None:
    class Lying(Cadical195):  # type: ignore[misc]
        def get_model(self) -> list[int]:
            return [-1, -2, -3, -4]

    monkeypatch.setattr("twinproof.optim.linear_search.Cadical195", Lying)
    with pytest.raises(EngineError, match="breaks the clause"):
        events_of(some([[1, 2], [3, 4]], Sense.MINIMIZE))


def pigeons(holes: int) -> ClauseModel[int]:
    return crowded_pigeons(holes)


def test_stopped_midway_it_has_a_value_and_a_bound() -> None:
    # 13 pigeons sit in 13 holes; that the 14th has none takes hours.
    assert solve("linear-search", partial(pigeons, 4), isolated=False).value == 4

    def stop(progress: Progress) -> None:
        if progress.value is not None and progress.value >= 1:
            raise KeyboardInterrupt

    outcome = solve("linear-search", partial(pigeons, 13), on_progress=stop)
    assert (outcome.status, outcome.stopped, outcome.bound) == (Status.FEASIBLE, Stop.INTERRUPT, 14)
    assert outcome.value is not None
    assert outcome.value <= 13


def test_time_running_out_is_not_infeasible() -> None:
    outcome = solve("linear-search", partial(pigeons, 13), Limits(time=2))
    assert (outcome.status, outcome.stopped) in {(Status.UNKNOWN, Stop.TIME), (Status.FEASIBLE, Stop.TIME)}


def test_domination_numbers_of_small_grids_and_discs() -> None:
    assert disagreements(grid_cases(24) + disc_cases(30), "linear-search") == {}


def test_hops_on_the_disc_of_radius_3() -> None:
    # 14: the exact frontier method.
    question = Question("hops", HopsPuzzle(read_field("disc:9")), "most-hops")
    checked = crosscheck(question, ("maxsat", "linear-search"), isolated=False)
    assert {name: given.outcome.value for name, given in checked.answers.items()} == {
        "maxsat": 14,
        "linear-search": 14,
    }
    assert checked.agree is True


def test_the_most_hops_come_first_as_for_any_engine() -> None:
    question = Question("hops", HopsPuzzle(read_field("grid:3x3")), "fewest-sprinklers")
    by_sweep, by_maxsat = (answer(question, engine, isolated=False) for engine in ("linear-search", "maxsat"))
    assert by_sweep.question == by_maxsat.question
    assert by_sweep.outcome.value == by_maxsat.outcome.value


def test_reached_tiles_have_a_variable_for_every_step_that_may_do() -> None:
    # On the 3x3 grid only the middle is a step away from the outside: it has 9 variables, the others 10.
    model = build_hops(HopsPuzzle(read_field("grid:3x3")))
    assert model.top == 2 * 9 + 8 * 10 + 9


def test_the_article_field_has_its_248_variables_and_clauses() -> None:
    model = build_sprinklers(SprinklerPuzzle(read_field("scarecrow")))
    assert (model.top, len(model.clauses), len(model.counted)) == (248, 248, 248)


def test_other_puzzles_have_no_baseline(capfd: pytest.CaptureFixture[str]) -> None:
    from tests.support.small_questions import QUESTIONS  # noqa: PLC0415 - answers its questions by brute force

    with pytest.raises(InputError, match="has no model for it"):
        answer(QUESTIONS["stars"][0], "linear-search")
    with pytest.raises(SystemExit) as left:
        main(("solve", "sprinklers", "grid:2x2", "--engine", "gurobi"))
    assert left.value.code == 2
    assert "engine 'gurobi': unknown" in capfd.readouterr().err
