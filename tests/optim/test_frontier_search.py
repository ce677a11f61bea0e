"""The frontier engine as a search: stopped and resumed, its checkpoints, what it tells CP-SAT."""

import json
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.support.examples import examples
from tests.support.running import Run
from tests.support.strategies import hops_puzzles
from twinproof.compare.questions.answer import Answer, Question, answer
from twinproof.models.field.maps import parse_map
from twinproof.models.field.sources import read_field
from twinproof.models.hops import cpsat as hops_cpsat
from twinproof.models.hops import frontier as hops_frontier
from twinproof.models.hops.instance import HopsPuzzle
from twinproof.models.hops.relax import relaxed
from twinproof.models.sprinklers.instance import SprinklerPuzzle
from twinproof.optim import InputError, Outcome, Sense, Status, Stop
from twinproof.optim.engine import solve
from twinproof.optim.frontier.system import System
from twinproof.optim.frontier.walks import best_walk
from twinproof.optim.request import EngineOptions, Threshold

relaxed_settings = examples(15)


@relaxed_settings
@given(puzzle=hops_puzzles(max_tiles=10))
def test_a_hint_to_cpsat_is_a_whole_solution(puzzle: HopsPuzzle) -> None:
    # All variables of the model are given and fixed: it must be feasible and worth what the layout is worth.
    assume(puzzle.starts_are_symmetric)
    assume(any(not hops_frontier.lacks_room(sweep) for sweep in [hops_frontier.choose_sweep(puzzle)]))
    layout = answer(Question("hops", puzzle, "most-hops"), "frontier", isolated=False).outcome.layout
    assert layout is not None
    model = hops_cpsat.build_cpsat(puzzle)
    assert model.write is not None
    hinted = list(model.write(layout))
    for variable, value in hinted:
        model.model.add(variable == value)
    assert {variable.index for variable, _ in hinted} == set(range(len(model.model.proto.variables)))
    outcome = solve("cpsat", lambda: model, isolated=False)
    assert outcome.value == sum(row.count("H") for row in layout)


@relaxed_settings
@given(puzzle=hops_puzzles(max_tiles=10), holes=st.integers(0, 3))
def test_a_relaxed_puzzle_has_at_least_as_many_hops(puzzle: HopsPuzzle, holes: int) -> None:
    wider, given_up = relaxed(puzzle)
    assume(given_up)
    assume(len(wider.field.tiles) <= 20)
    mine = solve("cpsat", partial(hops_cpsat.build_cpsat, puzzle), isolated=False).value
    more = solve("cpsat", partial(hops_cpsat.build_cpsat, wider), isolated=False).value
    assert mine is not None
    assert more is not None
    assert mine <= more


def test_a_cut_is_first_in_the_trace_and_said(twinproof: Run, tmp_path: Path) -> None:
    (tmp_path / "map.txt").write_text(" ...\n.....\n..X.X\n.....\n ...\n")
    status, out, err = twinproof("solve", "hops", "map.txt", "--cut", "frontier", "--json")
    content = json.loads(out)
    # The plain disc x^2 + y^2 <= 5 without the second obstacle: every engine says 12.
    assert content["trace"][0][1:] == [None, 12]
    assert "without 1 obstacle" in content["told"]
    assert "without 1 obstacle" in err
    assert (status, content["value"]) == (0, twinproof_value("map.txt"))


def twinproof_value(path: str) -> int | None:
    return answer(
        Question("hops", HopsPuzzle(read_field(path)), "most-hops"), "maxsat", isolated=False
    ).outcome.value


def test_a_wrong_cut_shows_in_the_answer() -> None:
    # A cut is taken on trust, so the comparison with the other engine must catch a wrong one.
    build = partial(hops_cpsat.build_cpsat, HopsPuzzle(read_field("disc:9")))
    outcome = solve("cpsat", build, options=EngineOptions(bound=13), isolated=False)
    assert (outcome.sense, outcome.value) == (Sense.MAXIMIZE, 13)


def test_count_says_how_many_layouts_each_symmetry_leaves(twinproof: Run) -> None:
    # 648 and 86: published with the exact method. The 4x4 grid has two dominating sets of 4 tiles (OEIS A347632).
    status, out, _ = twinproof("count", "hops", "disc:9", "--json")
    content = json.loads(out)
    assert (status, content["value"], content["layouts"], content["up_to_symmetry"]) == (0, 14, 648, 86)
    status, out, _ = twinproof("count", "sprinklers", "grid:4x4", "--json")
    content = json.loads(out)
    assert (status, content["value"], content["layouts"], content["up_to_symmetry"]) == (0, 4, 2, 1)
    assert content["counts_once"] is None


def test_count_says_which_layouts_count_as_one_and_counts_them_apart(twinproof: Run, tmp_path: Path) -> None:
    # A hop would leave no tile for a sprinkler and a reached one, so one of the two or both hold a sprinkler.
    # If only the entrance does, the other is a crop that nobody reaches: with two sprinklers it counts as one.
    (tmp_path / "two.txt").write_text(".\n.\n", encoding="utf-8")
    words = ("count", "hops", "two.txt", "--kind", "quality", "--nozzle", "--harvest", "8", "--entrance", "2,1")
    once, every = twinproof(*words)[1], twinproof(*words, "--every-layout")[1]
    assert "layouts: 2 (layouts with the same hops and the same tiles reached on foot count as one)\n" in once
    assert "layouts: 3\n" in every
    assert json.loads(twinproof(*words, "--json")[1])["counts_once"] is not None
    content = json.loads(twinproof(*words, "--every-layout", "--json")[1])
    assert (content["layouts"], content["counts_once"]) == (3, None)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        # Several holes, no symmetry, two parts: all of them have an answer.
        (["......", ".X..X.", "......"], None),
        (["..X", ".X.", "..."], None),
        (["... ...", ".X. .X.", "... ..."], None),
        (["." * 16] * 16, "too wide"),
    ],
)
def test_odd_fields_are_answered_or_refused(rows: list[str], message: str | None) -> None:
    puzzle = HopsPuzzle(parse_map("\n".join(rows), "odd"))
    question = Question("hops", puzzle, "most-hops")
    if message is not None:
        with pytest.raises(InputError, match=message):
            answer(question, "frontier", isolated=False)
        return
    values = {engine: answer(question, engine, isolated=False).outcome.value for engine in ("frontier", "maxsat")}
    assert values["frontier"] == values["maxsat"] is not None


@pytest.mark.parametrize(
    ("hops", "status"), [(99, Status.INFEASIBLE), (15, Status.INFEASIBLE), (0, Status.OPTIMAL)]
)
def test_numbers_of_hops_beyond_all_possibility_are_answered(hops: int, status: Status) -> None:
    puzzle = HopsPuzzle(read_field("disc:9"), hops=hops)
    question = Question("hops", puzzle, "fewest-sprinklers")
    assert answer(question, "frontier", isolated=False).outcome.status is status


def test_yes_or_no_questions_are_refused() -> None:
    sprinklers = SprinklerPuzzle(read_field("disc:9"))
    build = partial(hops_frontier.build_frontier, HopsPuzzle(sprinklers.field))
    with pytest.raises(InputError, match="frontier: does not support at least or at most"):
        solve("frontier", build, threshold=Threshold(at_least=3))
    with pytest.raises(InputError, match="the number of hops must be fixed"):
        hops_frontier.build_frontier(HopsPuzzle(sprinklers.field), "fewest-sprinklers")
    with pytest.raises(InputError, match="frontier: does not support bound; supported by cpsat"):
        solve("frontier", build, options=EngineOptions(bound=3))


def test_entrances_that_a_symmetry_moves_are_refused() -> None:
    puzzle = HopsPuzzle(read_field("grid:3x3"), entrances=frozenset({(0, 0)}))
    with pytest.raises(InputError, match="entrances must be symmetric"):
        hops_frontier.build_frontier(replace(puzzle, symmetry="hsym"))


def test_ctrl_c_while_a_hint_is_sought_ends_the_command(
    twinproof: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def interrupted(question: Question, engine: str, *_: object, **__: object) -> Answer:
        assert engine == "frontier"
        return Answer(question, engine, Outcome(None, Status.UNKNOWN, None, None, None, 0.1, (), Stop.INTERRUPT))

    monkeypatch.setattr("twinproof.compare.questions.warm_start.answer", interrupted)
    status, out, err = twinproof("solve", "hops", "disc:9", "--warm-start", "frontier")
    assert (status, out, err) == (3, "", "twinproof: interrupted\n")


@pytest.mark.parametrize(("rows", "points"), [(".", [(0, 1)]), (".X.", [(0, 2)]), ("..", [(1, 1)])])
def test_fronts_of_tiny_fields(twinproof: Run, tmp_path: Path, rows: str, points: list[tuple[int, int]]) -> None:
    (tmp_path / "map.txt").write_text(rows)
    status, out, _ = twinproof("front", "map.txt", "--json")
    content = json.loads(out)
    assert (status, content["complete"]) == (0, True)
    assert [(point["hops"], point["sprinklers"]) for point in content["front"]] == points


def test_certify_refuses_before_it_makes_a_folder(twinproof: Run, tmp_path: Path) -> None:
    for words in (
        ["sprinklers", "grid:3x3", "--by", "frontier"],
        ["hops", "grid:20x20"],
        ["hops", "disc:9", "--output", "no/x.json"],
    ):
        status, out, err = twinproof("certify", *words)
        assert (status, out, err.count("\n")) == (2, "", 1)
    assert list(tmp_path.iterdir()) == []


def test_a_certificate_is_written_and_verified_by_the_commands(twinproof: Run, tmp_path: Path) -> None:
    status, out, err = twinproof("certify", "hops", "disc:9")
    assert (status, err) == (0, "")
    assert "most-hops: 14, and no layout is better" in out
    path = tmp_path / "reports" / "certificates" / "hops-disc-9.json"
    status, out, err = twinproof("verify", str(path), "--json")
    assert (status, json.loads(out)["valid"], err) == (0, True, "")
    content = json.loads(path.read_text())
    path.write_text(json.dumps(content | {"value": 13, "target": 14}))
    status, out, err = twinproof("verify", str(path))
    assert (status, err) == (1, "")
    assert out.endswith("NOT VALID\n")
    path.write_text(path.read_text().replace('"value": 13', '"value": 14, "value": 13'))
    status, out, err = twinproof("verify", str(path))
    assert (status, out) == (2, "")
    assert "a key stands twice" in err


def test_a_walk_that_closes_only_after_two_turns_is_none() -> None:
    # Two states that follow each other by turns: the search ends below what any walk of one turn could gain.
    states = np.array([1, 2], dtype=np.uint64)
    gains = np.array([[-3]], dtype=np.int32)
    system = System(lambda at, _: (np.uint64(3) - at)[:, None], 1, 1, gains, states, True)
    assert best_walk(system, 10) is None
    # With two periods a turn it closes, at the cost of both.
    best = best_walk(replace(system, periods=2), 10)
    assert best is not None
    assert best.labels == (0, 0)
