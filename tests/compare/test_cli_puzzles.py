"""The commands for Star Battle, Light Up and Minesweeper: what they print, their exit statuses, bad input."""

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.models.test_lightup import CORNER_SOLUTION
from tests.support.boards import FILES
from tests.support.running import Run, loaded
from tests.support.shared_data import DATA, load
from twinproof import Crosscheck, Question
from twinproof.compare.benchmark.public import load_public
from twinproof.compare.benchmark.puzzles import run as run_benchmark
from twinproof.compare.benchmark.puzzles import time_puzzle
from twinproof.compare.questions.answer import Answer, JudgementError
from twinproof.compare.questions.crosscheck import agree, crosscheck
from twinproof.compare.questions.unique import uniqueness
from twinproof.models import PUZZLES
from twinproof.models.lightup.instance import LightUpPuzzle
from twinproof.models.minesweeper.instance import MinesweeperPuzzle
from twinproof.models.violation import Violation
from twinproof.optim import InputError, Outcome, Status
from twinproof.optim.process.call import call


@pytest.fixture(autouse=True)
def files(tmp_path: Path) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "binary.txt").write_bytes(b".\xff.")
    (tmp_path / "folder").mkdir()


@pytest.mark.parametrize("engine", ["cpsat", "maxsat", "both"])
@pytest.mark.parametrize(
    ("words", "layout"),
    [
        (["alberi", "alberi.txt"], FILES["stars.txt"].split()),
        (["starbattle", "alberi-plain.txt", "--stars", "2"], FILES["stars.txt"].split()),
        (["akari", "corner.txt"], list(CORNER_SOLUTION)),
        (["lightup", "source.txt"], [".*.0..*", "..*.1*.", "*2.*...", "3*....#", "*....2*", "..#..*.", "..*2*.."]),
    ],
)
def test_solve_finds_the_one_solution(twinproof: Run, words: list[str], layout: list[str], engine: str) -> None:
    status, content = loaded(twinproof, "solve", *words, "--engine", engine)
    assert (status, content["status"], content["value"], content["bound"]) == (0, "feasible", None, None)
    assert content["layout"] == layout
    assert (content["objective"], content["violations"]) == ("solution", [])
    assert content.get("agree") is (True if engine == "both" else None)


@pytest.mark.parametrize(
    ("words", "value"),
    [
        (["queens", "two.txt", "--objective", "fewest-broken"], 0),
        (["queens", "three.txt", "--objective", "fewest-broken"], 1),
        (["akari", "corner.txt", "--objective", "fewest-bulbs"], 3),
        (["akari", "corner.txt", "--objective", "most-bulbs"], 3),
        (["akari", "corner.txt", "--objective", "farthest", "--apart-from", "bulbs.txt"], 0),
        (["akari", "dark.txt", "--objective", "fewest-broken"], 1),
        (["alberi", "alberi.txt", "--objective", "farthest", "--apart-from", "stars.txt"], 0),
        (["minesweeper", "beach.txt", "--objective", "most-mines"], 1),
        (["minesweeper", "torn.txt", "--objective", "fewest-broken"], 1),
        (["minesweeper", "flags.txt", "--no-trust-flags", "--objective", "fewest-mines"], 1),
    ],
)
def test_solve_optimises_by_both_engines(twinproof: Run, words: list[str], value: int) -> None:
    status, content = loaded(twinproof, "solve", *words, "--engine", "both")
    assert (status, content["status"], content["value"], content["agree"]) == (0, "optimal", value, True)
    # What a layout breaks is counted, and told, only where it may break something.
    assert len(content["violations"]) == (value if "fewest-broken" in words else 0)


@pytest.mark.parametrize("puzzle", ["three.txt", "dark.txt", "torn.txt", "flags.txt"])
def test_solve_without_solution_is_exit_1(twinproof: Run, puzzle: str) -> None:
    name = {"three.txt": "starbattle", "dark.txt": "lightup"}.get(puzzle, "minesweeper")
    status, content = loaded(twinproof, "solve", name, puzzle, "--engine", "both")
    assert (status, content["status"], content["layout"], content["agree"]) == (1, "infeasible", None, True)


def test_yes_or_no_questions_of_an_objective_with_a_sense(twinproof: Run) -> None:
    words = ("solve", "akari", "corner.txt", "--objective", "most-bulbs", "--engine", "both", "--at-least")
    assert loaded(twinproof, *words, "3")[0] == 0
    assert loaded(twinproof, *words, "4")[0] == 1


def test_boards_are_drawn_and_pictures_written(twinproof: Run, tmp_path: Path) -> None:
    out = twinproof("solve", "akari", "corner.txt", "--picture", "p.svg", "--record", "r.json")[1]
    assert out.splitlines()[:4] == ["+ - *", "* 2 #", "+ * 1", "* bulb: 3"]
    assert "solution: found" in out
    assert "<svg" in (tmp_path / "p.svg").read_text(encoding="utf-8")
    assert json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))["command"].startswith("twinproof ")
    out = twinproof("solve", "alberi", "alberi.txt", "--picture", "p.png")[1]
    # As the source draws it, with borders between regions: aaBbBccccccc.
    assert out.splitlines()[1] == "|       | *       * |                           |"
    assert (tmp_path / "p.png").read_bytes()[1:4] == b"PNG"
    assert twinproof("solve", "minesweeper", "beach.txt", "--picture", "m.png")[1].startswith("1 1\n")


def test_check_names_broken_rules(twinproof: Run, tmp_path: Path) -> None:
    assert twinproof("check", "alberi", "alberi.txt", "stars.txt")[0] == 0
    (tmp_path / "wrong.txt").write_text("*..\n.2#\n.*1\n", encoding="utf-8")
    status, content = loaded(twinproof, "check", "akari", "corner.txt", "wrong.txt")
    assert (status, content["valid"], content["values"]["fewest-broken"]) == (1, False, 1)
    # The bulbs light each other's row and column, but not row 1, column 3 ... and the 2 has one bulb beside it.
    assert {violation["rule"] for violation in content["violations"]} == {"clue"}
    assert content["violations"][0]["cells"] == [[2, 2]]


@pytest.mark.parametrize(
    ("words", "status", "unique", "distance"),
    [
        (["akari", "corner.txt"], 0, True, 0),
        (["alberi", "alberi.txt"], 0, True, 0),
        # Two queens' placings on 4x4 share no cell: 8 cells differ.
        (["queens", "two.txt"], 1, False, 8),
        (["minesweeper", "beach.txt"], 1, False, 2),
        (["minesweeper", "beach.txt", "--mines", "1"], 1, False, 2),
        (["minesweeper", "torn.txt"], 1, False, None),
    ],
)
@pytest.mark.parametrize("engine", ["cpsat", "both"])
def test_unique(
    twinproof: Run, words: list[str], status: int, unique: bool, distance: int | None, engine: str
) -> None:
    found, content = loaded(twinproof, "unique", *words, "--engine", engine)
    assert (found, content["unique"], content["distance"]) == (status, unique, distance)
    assert content["agree"] is True
    assert (content["other"] is None) is (not distance)
    assert (content["layout"] is None) is (distance is None)


def test_unique_says_it_in_words(twinproof: Run) -> None:
    assert "unique: no other solution, proved" in twinproof("unique", "akari", "corner.txt")[1]
    assert "not unique: another solution differs in 8 cells" in twinproof("unique", "queens", "two.txt")[1]
    assert "no solution, proved" in twinproof("unique", "minesweeper", "torn.txt")[1]


BAD = [
    # A word of the option, the file, or the form is wrong.
    (["solve", "tents"], "puzzle 'tents': unknown"),
    (["solve", "lightup"], "lightup: INSTANCE is missing"),
    (["solve", "lightup", "none.txt"], "none.txt: cannot be read: No such file"),
    (["solve", "lightup", "folder"], "folder: cannot be read: Is a directory"),
    (["solve", "lightup", "corner.txt", "--format", "penpa"], "form 'penpa': unknown; known are puzzlink"),
    (["solve", "lightup", "corner.txt", "--format", "text"], "corner.txt: must begin with a line of the numbers"),
    (["solve", "lightup", "corner.txt", "--engine", "frontier"], "engine 'frontier': lightup has no model"),
    (["solve", "lightup", "corner.txt", "--engine", "all"], "engine 'frontier': lightup has no model"),
    (["solve", "lightup", "corner.txt", "--kind", "basic"], "--kind: not an option of lightup"),
    (["solve", "lightup", "corner.txt", "--stars", "1"], "--stars: not an option of lightup"),
    (["solve", "starbattle", "two.txt", "--mines", "0"], "--mines: not an option of starbattle"),
    (["solve", "hops", "disc:9", "--stars", "1"], "--stars: not an option of hops"),
    (["solve", "lightup", "corner.txt", "--at-least", "1"], "solution: has no value"),
    (["solve", "lightup", "corner.txt", "--objective", "farthest"], "farthest: needs --apart-from"),
    (["solve", "lightup", "corner.txt", "--objective", "most-hops"], "objective 'most-hops': lightup has no such"),
    (["solve", "lightup", "-", "--apart-from", "-"], "INSTANCE and --apart-from cannot both be standard input"),
    (["solve", "lightup", "corner.txt", "--apart-from", "odd.txt"], "odd.txt: the layout has 2 rows"),
    (["count", "lightup", "corner.txt"], "count: lightup has no model for the frontier engine"),
    (["unique", "hops", "disc:9"], "unique: hops has no objective farthest"),
    (["unique", "lightup", "corner.txt", "--engine", "frontier"], "engine 'frontier': unknown; known are cpsat"),
    (["explain", "hops", "disc:9"], "explain: hops has no rules that could be dropped"),
    (["explain", "lightup", "corner.txt", "--cell", "1,1"], "--cell: not an option of lightup"),
    (["explain", "minesweeper", "beach.txt", "--cell", "1,1"], "beach.txt: row 1, column 1: no hidden cell"),
    (["explain", "minesweeper", "beach.txt", "--cell", "x"], "cell 'x': must be ROW,COLUMN"),
    (["deduce", "lightup", "corner.txt"], "deduce: only for minesweeper, not lightup"),
    (["play", "minesweeper", "mines.txt"], "mines.txt: --start is missing"),
    (["play", "minesweeper", "mines.txt", "--start", "1,1"], "mines.txt: start row 1, column 1: there is a mine"),
    (["play", "minesweeper", "mines.txt", "--start", "9,9"], "mines.txt: start row 9, column 9: no cell"),
    (["play", "minesweeper", "mines.txt", "--start", "3,3", "--cases"], "--cases and --start: only one"),
    (["play", "minesweeper", "mines.txt", "--cases"], "mines.txt: start row 1, column 1: there is a mine"),
    (["convert", "hops", "disc:9", "--to", "text"], "convert: hops has one form only"),
    (["convert", "lightup", "corner.txt", "--to", "mbf"], "form 'mbf': unknown; known are puzzlink"),
    (["convert", "lightup", "corner.txt", "--to", "grid", "--stars", "1"], "--stars: not an option of lightup"),
    (["convert", "lightup", "corner.txt", "--star", "1"], "No such option: --star (Possible options: --to)"),
    (["convert", "queens", "two.txt", "--star", "1"], "No such option: --star (Possible options: --stars, --to)"),
    (["convert", "minesweeper", "beach.txt", "--to", "mine"], "beach.txt: the form mine cannot say that"),
    (
        ["convert", "minesweeper", "told.txt", "--to", "puzzlink"],
        "told.txt: the form puzzlink cannot say the number",
    ),
    (
        ["convert", "minesweeper", "mines.txt", "--to", "mbf", "--mines", "1"],
        "--mines: says nothing of mines of a",
    ),
    (["convert", "minesweeper", "mines.txt", "--to", "mine"], "form 'mine': says a board in play"),
    (["convert", "starbattle", "three.txt", "--to", "puzzlink"], "three.txt: puzzlink: row 1, column 1 is in no"),
    # The puzzle itself is wrong.
    (["solve", "lightup", "empty.txt"], "empty.txt: no cell in it"),
    (["solve", "starbattle", "empty.txt"], "empty.txt: in none of the forms"),
    (["solve", "minesweeper", "empty.txt"], "empty.txt: no grid in it"),
    (["solve", "lightup", "ragged.txt"], "ragged.txt: row 2 has 1 cell, row 1 has 2"),
    (["solve", "starbattle", "ragged.txt"], "ragged.txt: line 2: 1 character, the first row has 2"),
    (["solve", "minesweeper", "ragged.txt"], "ragged.txt: line 2: 1 character, the first row has 2"),
    (["solve", "lightup", "odd.txt"], "odd.txt: row 2, column 2: '!' is no floor"),
    (["solve", "starbattle", "odd.txt"], "odd.txt: row 2, column 2: '!' is no region"),
    (["solve", "minesweeper", "odd.txt"], "odd.txt: row 2, column 2: '!' is not in the legend"),
    (["solve", "lightup", "five.txt"], "five.txt: row 1, column 1: clue 5: a wall has at most 4"),
    (["solve", "minesweeper", "nine.txt"], "nine.txt: row 1, column 1: a clue is at most 8, this is 9"),
    (["solve", "starbattle", "nostars.txt"], "nostars.txt: stars 0: at least 1 in every row"),
    (["solve", "starbattle", "alberi-plain.txt", "--stars", "0"], "alberi-plain.txt: stars 0: at least 1"),
    (["solve", "starbattle", "crowd.txt"], "crowd.txt: stars 2: more than fit in the rows"),
    (["solve", "starbattle", "regions.txt"], "regions.txt: 3 regions and 4 rows"),
    (["solve", "starbattle", "two.txt", "--stars", "2"], "two.txt: stars 1, and 2 are asked for"),
    (["solve", "starbattle", "short.txt"], "short.txt: an address of the puzzle 'lightup', not starbattle"),
    (["solve", "lightup", "two.txt"], "two.txt: an address of the puzzle 'starbattle', not akari"),
    (["solve", "minesweeper", "sudoku.txt"], "sudoku.txt: an address of the puzzle 'sudoku', not mines"),
    (["solve", "lightup", "short.txt"], "short.txt: says 5 cells, 3x3 has 9"),
    (["solve", "starbattle", "cut.txt"], "cut.txt: "),
    (["solve", "lightup", "id.txt"], "id.txt: says 5 cells, 3x3 has 9"),
    (["solve", "minesweeper", "few.txt"], "few.txt: 1 mine, and 2 flags"),
    (["solve", "minesweeper", "told.txt", "--mines", "2"], "told.txt: 1 mine, and 2 are asked for"),
    (["solve", "minesweeper", "beach.txt", "--mines", "-1"], "beach.txt: -1 mines: must not be negative"),
    (["solve", "lightup", "list.json"], "list.json: "),
    (["solve", "lightup", "binary.txt"], "binary.txt: byte 2 is no UTF-8 text"),
    (["solve", "starbattle", "binary.txt"], "binary.txt: byte 2 is no UTF-8 text"),
    (["deduce", "minesweeper", "binary.txt"], "binary.txt: byte 2 is no UTF-8 text"),
    (["play", "minesweeper", "binary.txt", "--cases"], "binary.txt: byte 2: neither text nor an .mbf file"),
    (["convert", "lightup", "binary.txt", "--to", "text"], "binary.txt: byte 2 is no UTF-8 text"),
    (["check", "lightup", "corner.txt", "mines.txt"], "mines.txt: row 2, column 2: the layout has '.'"),
]


@pytest.mark.parametrize(("words", "message"), BAD)
def test_bad_input_is_one_line_and_exit_2(twinproof: Run, tmp_path: Path, words: list[str], message: str) -> None:
    before = sorted(tmp_path.iterdir())
    status, out, err = twinproof(*words)
    assert (status, out) == (2, "")
    assert err.startswith(f"twinproof: {message}")
    assert err.count("\n") == 1
    assert sorted(tmp_path.iterdir()) == before


def test_judge_takes_the_broken_rules_for_the_value_of_fewest_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    torn = MinesweeperPuzzle(("1.3", "..."))
    check = crosscheck(Question("minesweeper", torn, "fewest-broken"), isolated=False)
    assert {given.outcome.value for given in check.answers.values()} == {1}
    # No rule is let pass for another objective, and none but the relaxed ones for this.
    honest = PUZZLES["minesweeper"]
    always = Violation("never", ((0, 1),), "never right")
    rules = replace(honest.rules, violations=lambda instance, layout: [always])
    monkeypatch.setitem(PUZZLES.loaded, "minesweeper", replace(honest, rules=rules))
    with pytest.raises(JudgementError, match="never: row 1, column 2"):
        crosscheck(Question("minesweeper", torn, "fewest-broken"), isolated=False)


def outcome(status: Status) -> Outcome[tuple[str, ...]]:
    return Outcome(None, status, None, None, ("*",) if status is Status.FEASIBLE else None, 0.0)


@pytest.mark.parametrize(
    ("statuses", "expected"),
    [
        (("feasible", "feasible"), True),
        (("infeasible", "infeasible"), True),
        (("feasible", "infeasible"), False),
        (("feasible", "unknown"), None),
        (("unknown", "infeasible"), None),
    ],
)
def test_agreement_about_solutions(statuses: tuple[str, str], expected: bool | None) -> None:
    assert agree([outcome(Status(status)) for status in statuses]) is expected


def test_engines_that_disagree_about_uniqueness_settle_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def torn(question: Question, engines: Any, *rest: object, isolated: bool) -> Crosscheck:
        said = {"cpsat": Status.FEASIBLE, "maxsat": Status.INFEASIBLE}
        answers = {engine: Answer(question, engine, outcome(status)) for engine, status in said.items()}
        return Crosscheck(tuple(engines), answers, False)

    monkeypatch.setattr(sys.modules["twinproof.compare.questions.unique"], "crosscheck", torn)
    known = uniqueness("lightup", LightUpPuzzle((".",)))
    assert (known.agree, known.unique, known.farthest) == (False, None, None)


def _refused() -> None:
    raise InputError("not so")


def test_a_call_in_a_child_process_gives_its_result_and_its_refusal() -> None:
    assert call(divmod, 7, 3).results == ((2, 1),)
    with pytest.raises(InputError, match="not so"):
        call(_refused)


@pytest.mark.parametrize("name", ["starbattle", "lightup", "minesweeper"])
def test_public_puzzles_by_both_engines(name: str) -> None:
    files = {"starbattle": "starbattle/puzzles.json", "lightup": "akari/puzzles.json"}
    load(files.get(name, "minesweeper/janko_unique.json"))
    for public in load_public(DATA, name, 5):
        assert set(time_puzzle(public)) == {"cpsat", "cpsat, unique", "maxsat", "maxsat, unique"}


def test_benchmark_says_where_the_public_puzzles_should_be(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"puzzles.json is not there: set --data"):
        run_benchmark(tmp_path)
    with pytest.raises(InputError, match=r"puzzle 'chess': must be one of starbattle"):
        run_benchmark(tmp_path, puzzle=["chess"])


def test_a_record_of_solve_is_a_layout(twinproof: Run) -> None:
    assert twinproof("solve", "akari", "corner.txt", "--record", "r.json")[0] == 0
    assert twinproof("check", "akari", "corner.txt", "r.json")[0] == 0
    status, content = loaded(
        twinproof, "solve", "akari", "corner.txt", "--objective", "farthest", "--apart-from", "r.json"
    )
    assert (status, content["value"]) == (0, 0)


@pytest.mark.parametrize(
    ("words", "text"),
    [(["minesweeper"], "mines: 1\nmines: 0\n.\n"), (["akari"], " \n \n\n")],
)
def test_headers_that_stand_twice_and_boards_of_blanks_are_refused(
    twinproof: Run, tmp_path: Path, words: list[str], text: str
) -> None:
    (tmp_path / "bad.txt").write_text(text)
    status, out, err = twinproof("solve", *words, "bad.txt")
    assert (status, out, err.count("\n")) == (2, "", 1)
