"""The judge: agreement of outcomes, planted bugs that it must catch, published values."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest
from ortools.sat.python import cp_model

from tests.support.shared_data import load
from twinproof import Answer, Crosscheck, Question
from twinproof.compare.output.records import record, write_file
from twinproof.compare.questions.answer import JudgementError, answer
from twinproof.compare.questions.crosscheck import TWINS, agree, crosscheck
from twinproof.models.field.sources import read_field
from twinproof.models.hops.instance import HopsPuzzle
from twinproof.models.sprinklers import cpsat
from twinproof.models.sprinklers.instance import SprinklerPuzzle
from twinproof.optim import InputError, Outcome, Progress, Sense, Status
from twinproof.optim.cpsat import CpsatModel

Rows = tuple[str, ...]
crosscheck_module = sys.modules["twinproof.compare.questions.crosscheck"]
LAYOUT = ("S",)


def outcome(
    status: Status, value: int | None = None, bound: int | None = None, sense: Sense | None = Sense.MAXIMIZE
) -> Outcome[Rows]:
    layout = LAYOUT if status in (Status.OPTIMAL, Status.FEASIBLE) else None
    return Outcome(sense, status, value, bound, layout, 0.0)


OPTIMAL_5 = outcome(Status.OPTIMAL, 5, 5)
INFEASIBLE = outcome(Status.INFEASIBLE)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (OPTIMAL_5, OPTIMAL_5, True),
        (OPTIMAL_5, outcome(Status.OPTIMAL, 6, 6), False),
        (OPTIMAL_5, INFEASIBLE, False),
        (INFEASIBLE, INFEASIBLE, True),
        (OPTIMAL_5, outcome(Status.FEASIBLE, 4, 7), None),
        (OPTIMAL_5, outcome(Status.FEASIBLE, 6, 7), False),
        (OPTIMAL_5, outcome(Status.FEASIBLE, 3, 4), False),
        (OPTIMAL_5, outcome(Status.UNKNOWN, None, 4), False),
        (OPTIMAL_5, outcome(Status.UNKNOWN), None),
        (INFEASIBLE, outcome(Status.FEASIBLE, 3, 4), False),
        (INFEASIBLE, outcome(Status.UNKNOWN), None),
        (outcome(Status.FEASIBLE, 6, 9), outcome(Status.FEASIBLE, 3, 5), False),
        (outcome(Status.FEASIBLE, sense=None), outcome(Status.FEASIBLE, sense=None), True),
        (outcome(Status.FEASIBLE, sense=None), outcome(Status.INFEASIBLE, sense=None), False),
        (outcome(Status.FEASIBLE, sense=None), outcome(Status.UNKNOWN, sense=None), None),
        (outcome(Status.OPTIMAL, 5, 5, Sense.MINIMIZE), outcome(Status.FEASIBLE, 4, 2, Sense.MINIMIZE), False),
        (outcome(Status.OPTIMAL, 5, 5, Sense.MINIMIZE), outcome(Status.FEASIBLE, 6, 4, Sense.MINIMIZE), None),
    ],
)
def test_agree(first: Outcome[Rows], second: Outcome[Rows], expected: bool | None) -> None:
    assert agree([first, second]) is expected
    assert agree([second, first]) is expected


def given(engine: str, outcome: Outcome[Rows], asked: Question, first: Outcome[Rows] | None = None) -> Answer:
    return Answer(asked, engine, outcome, first)


def combined(first: Outcome[Rows], second: Outcome[Rows]) -> tuple[object, ...]:
    asked = Question("hops", HopsPuzzle(read_field("disc:9")), "most-hops")
    answers = {"cpsat": given("cpsat", first, asked), "maxsat": given("maxsat", second, asked)}
    content = record(Crosscheck(TWINS, answers, agree([first, second])))
    assert content["engines"]["cpsat"]["bound"] == first.bound
    return content["status"], content["value"], content["bound"], content["agree"]


def test_record_of_both_has_the_best_value_and_the_best_bound() -> None:
    weak, strong = outcome(Status.FEASIBLE, 12, 14), outcome(Status.FEASIBLE, 14, 30)
    assert combined(strong, weak) == ("optimal", 14, 14, None)
    assert combined(weak, strong) == ("optimal", 14, 14, None)
    assert combined(outcome(Status.UNKNOWN), outcome(Status.UNKNOWN, None, 20)) == ("unknown", None, 20, None)
    assert combined(outcome(Status.FEASIBLE, 11, 30), weak) == ("feasible", 12, 14, None)
    assert combined(OPTIMAL_5, OPTIMAL_5) == ("optimal", 5, 5, True)


def test_record_of_both_keeps_its_keys_after_a_stop_in_the_first_engine() -> None:
    asked = Question("hops", HopsPuzzle(read_field("disc:9")), "most-hops")
    answers = {"cpsat": given("cpsat", outcome(Status.FEASIBLE, 3, 9), asked)}
    content = record(Crosscheck(TWINS, answers, None))
    assert (content["engine"], list(content["engines"]), content["agree"]) == ("both", ["cpsat"], None)


def test_an_interrupt_in_the_second_engine_keeps_the_first_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(asked: Question, engine: str, *rest: object, **named: object) -> Answer:
        if engine == "maxsat":
            raise KeyboardInterrupt
        return given(engine, OPTIMAL_5, asked)

    monkeypatch.setattr(crosscheck_module, "answer", interrupted)
    checked = crosscheck(question("grid:1x1"))
    assert (list(checked.answers), checked.engines, checked.agree) == (["cpsat"], TWINS, None)


def test_different_numbers_of_most_hops_disagree_even_if_the_rest_is_unfinished(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    puzzle = HopsPuzzle(read_field("disc:9"))
    assert isinstance(puzzle, HopsPuzzle)
    asked = Question("hops", puzzle, "fewest-sprinklers")
    found = {"cpsat": 14, "maxsat": 13}

    def answer_for(_: Question, engine: str, *rest: object, **named: object) -> Answer:
        fixed = Question("hops", puzzle.with_hops(found[engine]), "fewest-sprinklers")
        return given(engine, outcome(Status.UNKNOWN), fixed, OPTIMAL_5)

    monkeypatch.setattr(crosscheck_module, "answer", answer_for)
    assert crosscheck(asked).agree is False
    found["maxsat"] = 14
    assert crosscheck(asked).agree is None


def test_first_of_two_questions_is_kept_when_time_runs_out() -> None:
    asked = Question("hops", HopsPuzzle(read_field("scarecrow")), "fewest-sprinklers")

    def stop_at_the_first_layout(progress: Progress) -> None:
        if progress.value is not None:
            raise KeyboardInterrupt

    given = answer(asked, "maxsat", on_progress=stop_at_the_first_layout)
    assert given.outcome.status is Status.UNKNOWN
    assert given.first is not None
    assert given.first.layout is not None
    content = record(Crosscheck(("maxsat",), {"maxsat": given}, None))
    assert content["most_hops_first"]["layout"] == list(given.first.layout)


def question(field: str) -> Question:
    return Question("sprinklers", SprinklerPuzzle(read_field(field)), "fewest-sprinklers")


def plant(monkeypatch: pytest.MonkeyPatch, model: CpsatModel[Rows]) -> None:
    monkeypatch.setattr(cpsat, "build_cpsat", lambda *arguments: model)


def test_planted_missing_clause_is_caught_by_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = question("grid:3x4")
    honest = cpsat.build_cpsat(asked.instance)
    text = str(honest.model.proto)
    start = text.index("constraints {")
    end = text.index("constraints {", start + 1)
    model = cp_model.CpModel()
    assert model.proto.parse_text_format(text[:start] + text[end:])
    everything = [model.get_bool_var_from_proto_index(i) for i in range(12)]
    plant(monkeypatch, CpsatModel(model, sum(everything), honest.sense, honest.read))
    with pytest.raises(JudgementError, match="unwatered"):
        answer(asked, "cpsat", isolated=False)


def test_planted_extra_sprinkler_is_caught_by_the_other_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = question("grid:3x4")
    bugged = cpsat.build_cpsat(asked.instance)
    everything = [bugged.model.get_bool_var_from_proto_index(i) for i in range(12)]
    bugged.model.add(sum(everything) >= 5)  # the domination number of the 3x4 grid is 4
    plant(monkeypatch, bugged)
    checked = crosscheck(asked, isolated=False)
    assert {name: given.outcome.value for name, given in checked.answers.items()} == {"cpsat": 5, "maxsat": 4}
    assert checked.agree is False


def test_planted_wrong_reading_is_caught_by_counting(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = question("grid:1x2")
    honest = cpsat.build_cpsat(asked.instance)
    plant(monkeypatch, replace(honest, read=lambda values: ("SS",)))
    with pytest.raises(JudgementError, match="says 1, its layout has 2"):
        answer(asked, "cpsat", isolated=False)


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    target = tmp_path / "kept.txt"
    target.write_text("before", encoding="utf-8")

    def fail(path: Path) -> None:
        path.write_text("half", encoding="utf-8")
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        write_file(target, fail)
    assert [p.name for p in tmp_path.iterdir()] == ["kept.txt"]
    assert target.read_text(encoding="utf-8") == "before"


def grid_cases(limit: int) -> list[tuple[str, int]]:
    table = load("optimisation/grid_domination.json")["table"]
    return [
        (f"grid:{m}x{n}", value)
        for m, values in table.items()
        for n, value in enumerate(values, start=1)
        if int(m) * n <= limit
    ]


def disc_cases(limit: int) -> list[tuple[str, int]]:
    table = load("optimisation/disc_domination.json")["table_by_k"]
    return [
        (f"disc:{k}", case["without_centre"]["domination"])
        for k, case in table.items()
        if case["without_centre"]["tiles"] <= limit
    ]


def disagreements(cases: list[tuple[str, int]], engine: str) -> dict[str, int | None]:
    assert cases
    found = {name: answer(question(name), engine, isolated=False).outcome.value for name, _ in cases}
    return {name: found[name] for name, value in cases if found[name] != value}


@pytest.mark.parametrize("engine", TWINS)
def test_domination_numbers_of_small_grids_and_discs(engine: str) -> None:
    assert disagreements(grid_cases(30) + disc_cases(60), engine) == {}


@pytest.mark.slow
@pytest.mark.parametrize("engine", TWINS)
def test_domination_numbers_of_larger_grids_and_discs(engine: str) -> None:
    assert disagreements(grid_cases(120) + disc_cases(130), engine) == {}


@pytest.mark.slow
@pytest.mark.parametrize("symmetry", [None, "hsym"])
def test_scarecrow_needs_59_sprinklers_by_both_engines(symmetry: str | None) -> None:
    # The article's two queries, for the field and for layouts that are the same when mirrored.
    puzzle = SprinklerPuzzle(read_field("scarecrow"), symmetry=symmetry)
    checked = crosscheck(Question("sprinklers", puzzle, "fewest-sprinklers"))
    assert checked.agree is True
    assert {given.outcome.value for given in checked.answers.values()} == {59}


def test_question_that_cannot_be_asked_is_refused() -> None:
    puzzle = HopsPuzzle(read_field("disc:4"))
    with pytest.raises(InputError, match="needs the number of hops"):
        Question("hops", puzzle, "fewest-sprinklers", at_most=3)
