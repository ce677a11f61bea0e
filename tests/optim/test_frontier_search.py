"""The frontier engine as a search: stopped and resumed, its checkpoints, what it tells CP-SAT."""

import json
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.support.examples import examples
from tests.support.running import Run
from tests.support.strategies import hops_puzzles
from twinproof.compare.questions.answer import Answer, Question, answer, identity
from twinproof.models.field.maps import parse_map
from twinproof.models.field.sources import read_field
from twinproof.models.hops import cpsat as hops_cpsat
from twinproof.models.hops import frontier as hops_frontier
from twinproof.models.hops.instance import HopsPuzzle
from twinproof.models.hops.relax import relaxed
from twinproof.models.sprinklers.instance import SprinklerPuzzle
from twinproof.optim import InputError, Outcome, Sense, Status, Stop
from twinproof.optim.engine import solve
from twinproof.optim.frontier import search as frontier_search
from twinproof.optim.frontier_outcome import FrontierOutcome, FrontierTracker
from twinproof.optim.process.checkpoint import Checkpoint, Saved
from twinproof.optim.request import EngineOptions, Request, Threshold

relaxed_settings = examples(15)


def search_until(looks: int | None, build: Any, counting: bool, checkpoint: Checkpoint) -> FrontierOutcome[Any]:
    """Search, and stop when the engine has looked so many times whether it should."""
    tracker = FrontierTracker()
    seen = iter(range(10**9))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(frontier_search, "stop_requested", lambda: looks is not None and next(seen) >= looks)
        frontier_search.search(
            tracker.report, Request(build, options=EngineOptions(counting=counting, checkpoint=checkpoint))
        )
    return tracker.outcome(None)


@relaxed_settings
@given(looks=st.lists(st.integers(0, 60), min_size=1, max_size=3), counting=st.booleans())
@pytest.mark.parametrize("name", ["disc:9", "disc:20"])
def test_a_search_stopped_anywhere_and_resumed_ends_as_if_it_had_not_been(
    tmp_path_factory: pytest.TempPathFactory, name: str, looks: list[int], counting: bool
) -> None:
    build = partial(hops_frontier.build_frontier, HopsPuzzle(read_field(name)))
    path = tmp_path_factory.mktemp("search") / "search.checkpoint"
    expected = search_until(None, build, counting, Checkpoint(path, question="question"))
    assert not path.exists()
    for number in looks:
        search_until(number, build, counting, Checkpoint(path, path.exists(), "question"))
    outcome = search_until(None, build, counting, Checkpoint(path, path.exists(), "question"))
    assert (outcome.status, outcome.value, outcome.layouts) == (
        Status.OPTIMAL,
        expected.value,
        expected.layouts,
    )
    assert not path.exists()


def stopped(tmp_path: Path, looks: int = 5) -> Path:
    """Leave the checkpoint of a search for the most hops on a small disc."""
    path = tmp_path / "kept.checkpoint"
    puzzle = HopsPuzzle(read_field("disc:9"))
    question = identity(Question("hops", puzzle, "most-hops"), False)
    search_until(looks, partial(hops_frontier.build_frontier, puzzle), False, Checkpoint(path, question=question))
    assert path.exists()
    return path


@relaxed_settings
@given(data=st.data())
def test_a_checkpoint_with_any_byte_changed_or_missing_is_refused(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path = stopped(tmp_path_factory.mktemp("search"))
    content = bytearray(path.read_bytes())
    place = data.draw(st.integers(0, len(content) - 1))
    if data.draw(st.booleans()):
        content[place] ^= data.draw(st.integers(1, 255))
    else:
        del content[place:]
    path.write_bytes(content)
    question = identity(Question("hops", HopsPuzzle(read_field("disc:9")), "most-hops"), False)
    with pytest.raises(InputError, match=r"is damaged|is no checkpoint"):
        Checkpoint(path, True, question).load()


def test_the_command_resumes_a_kept_search_and_removes_its_file(twinproof: Run, tmp_path: Path) -> None:
    path = stopped(tmp_path)
    status, out, err = twinproof(
        "solve", "hops", "disc:9", "--engine", "frontier", "--resume", str(path), "--json"
    )
    assert (status, json.loads(out)["value"], err) == (0, 14, "")
    assert not path.exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["disc:16", "--engine", "frontier", "--resume", "kept.checkpoint"], "belongs to another question"),
        (["disc:9", "--engine", "frontier", "--harvest", "8", "--resume", "kept.checkpoint"], "another question"),
        (["disc:9", "--engine", "frontier", "--resume", "missing.checkpoint"], "there is no such file"),
        (["disc:9", "--engine", "cpsat", "--resume", "kept.checkpoint"], "options of the frontier engine only"),
        (["disc:9", "--engine", "frontier", "--checkpoint", "kept.txt"], "must end in .checkpoint"),
        (["disc:9", "--engine", "frontier", "--checkpoint", "no/kept.checkpoint"], "does not exist"),
        (["disc:9", "--warm-start", "maxsat"], "only the engines frontier and band give one"),
        (["disc:9", "--engine", "maxsat", "--warm-start", "frontier"], "an option of cpsat only"),
        (["disc:9", "--engine", "frontier", "--cut", "band"], "an option of cpsat and maxsat only"),
        (["disc:9", "--cut", "band"], "hops has no model for it"),
        (["disc:9", "--cut", "frontier"], "there is nothing to give up"),
        (["grid:20x20", "--hint", "frontier"], "too wide"),
    ],
)
def test_what_cannot_be_kept_resumed_or_told_is_refused_in_one_line(
    twinproof: Run, tmp_path: Path, words: list[str], message: str
) -> None:
    path = stopped(tmp_path)
    before = path.read_bytes()
    status, out, err = twinproof("solve", "hops", *words)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert message in err
    assert path.read_bytes() == before


def test_a_checkpoint_keeps_arrays_of_every_shape(tmp_path: Path) -> None:
    arrays: dict[str, npt.NDArray[Any]] = {
        "none": np.empty((0, 3), np.int32),
        "one": np.array([2**63], np.uint64),
        "two": np.eye(3, dtype=np.int8),
    }
    checkpoint = Checkpoint(tmp_path / "a.checkpoint", True, "question")
    checkpoint.save(Saved({"layer": 3, "labels": [1, 2]}, arrays))
    loaded = checkpoint.load()
    assert loaded.facts == {"layer": 3, "labels": [1, 2]}
    for name, array in arrays.items():
        assert loaded.arrays[name].dtype == array.dtype
        assert (loaded.arrays[name] == array).all()
        assert loaded.arrays[name].shape == array.shape


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


@pytest.mark.parametrize("looks", [0, 3, 40, 10**6])
def test_a_question_of_two_searches_is_resumed_in_either(tmp_path: Path, looks: int) -> None:
    # 8 sprinklers with 14 hops: CP-SAT and RC2 say so too. Each search looks about 30 times.
    question = Question("hops", HopsPuzzle(read_field("disc:9")), "fewest-sprinklers")
    path = tmp_path / "kept.checkpoint"
    with pytest.MonkeyPatch.context() as patch:
        seen = iter(range(10**9))
        patch.setattr(frontier_search, "stop_requested", lambda: next(seen) >= looks)
        unfinished = answer(
            question, "frontier", isolated=False, options=EngineOptions(checkpoint=Checkpoint(path))
        )
    assert path.exists() == (unfinished.outcome.value is None)
    resumed = answer(
        question, "frontier", isolated=False, options=EngineOptions(checkpoint=Checkpoint(path, path.exists()))
    )
    assert (resumed.outcome.status, resumed.outcome.value) == (Status.OPTIMAL, 8)
    assert not path.exists()


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


def test_a_checkpoint_of_any_size_can_be_read_back(tmp_path: Path) -> None:
    arrays = {f"layer {number}": np.zeros(1, np.int8) for number in range(30_000)}
    checkpoint = Checkpoint(tmp_path / "a.checkpoint", True, "question")
    checkpoint.save(Saved({}, arrays))
    assert len(checkpoint.load().arrays) == 30_000


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
    assert "14, and no layout has 15" in out
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
