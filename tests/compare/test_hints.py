"""The command hint, and the benchmark of grades."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import typer

from tests.support.running import Run
from tests.support.shared_data import DATA
from twinproof.compare.benchmark.grades import run as run_benchmark
from twinproof.compare.benchmark.grades import spearman, stated
from twinproof.compare.output.hint_drawing import draw_hint
from twinproof.compare.questions.hint import find_hint
from twinproof.models import PUZZLES
from twinproof.models.deduction.hints import hardest
from twinproof.models.lightup.instance import LightUpPuzzle
from twinproof.models.minesweeper.instance import MinesweeperPuzzle
from twinproof.models.starbattle import hints as starbattle
from twinproof.optim import Stop
from twinproof.optim.process.call import Called


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ([1, 2, 3, 4, 5], [5, 6, 7, 8, 7], 0.8207826816681233),  # the example of scipy.stats.spearmanr
        (  # IQ and hours of television: the worked example of Wikipedia's article, -29/165
            [106, 100, 86, 101, 99, 103, 97, 113, 112, 110],
            [7, 27, 2, 50, 28, 29, 20, 12, 6, 17],
            -29 / 165,
        ),
        ([1, 2, 3], [6, 5, 4], -1.0),
        ([1, 1, 1], [1, 2, 3], None),
    ],
)
def test_spearman(first: list[float], second: list[float], expected: float | None) -> None:
    found = spearman(first, second)
    assert found == (None if expected is None else pytest.approx(expected))


def test_stated_difficulties() -> None:
    assert stated("ddurler-moyen04_2") == ("ddurler", "medium")
    assert stated("ddurler-expert01_2") == ("ddurler", "expert")
    assert stated("sbn-1-2494") == ("sbn", "easy")
    assert stated("sbn-10-3") == ("sbn", "hard")
    assert stated("janko-1_6x6") is None


def test_public_puzzles_are_graded(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    if not (DATA / "starbattle" / "puzzles.json").is_file():
        pytest.skip("the public cases are not there: set TWINPROOF_DATA to their folder")
    with pytest.raises(typer.Exit) as left:
        run_benchmark(DATA, each=6, most=100, record=tmp_path / "grades.json")
    assert left.value.exit_code == 0, capsys.readouterr().out
    content = json.loads((tmp_path / "grades.json").read_text())
    assert content["wrong"] == []
    for some in content["grades"].values():
        # All unique puzzles on boards of this size are within the rules.
        assert some["finished"] == some["puzzles"] > 0


# The command.

FILES = {
    "six.txt": "AAABBB\nABBBCC\nADDEEC\nFFDDEC\nFEEEEC\nFCCCCC\n",
    "wrong.txt": "x.....\n......\n......\n......\n......\n*....*\n",
    "touching.txt": "*.....\n.*....\n......\n......\n......\n......\n",
    "solved.txt": ".*....\n...*..\n.....*\n..*...\n....*.\n*.....\n",
    "short.txt": "......\n",
    "narrow.txt": ".....\n" * 6,
    "mark.txt": "o.....\n" + "......\n" * 5,
    "four.txt": "stars: 1\n....\n....\n....\n....\n",
    "corners.txt": "*...\n....\n....\n...x\n",
    "pair.txt": "..*.\n..x.\n..x.\n....\n",
    "three.txt": "stars: 1\n...\n...\n...\n",
    "lamps.txt": "##.##\n#..#.\n..1..\n##...\n",
    "lit.txt": "##.##\n#x.#.\n..1..\n##...\n",
    "corner.txt": "...\n.3.\n.#.\n",
    "walled.txt": "*x.\n.3.\n.#.\n",
    "grid.txt": "...\n.4#\n...\n",
    "no_wall.txt": "##.##\n#....\n..1..\n##...\n",
    "beach.txt": "....\n1232\n",
    "mines.txt": "****\n1232\n",
    "flag.txt": "F1.\n...\n",
    "noflag.txt": "x1.\n...\n",
    "torn.txt": "1.3\n...\n",
    "even.txt": "..\n11\n",
}


@pytest.fixture(autouse=True)
def files(tmp_path: Path) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")


def hinted(run: Run, *words: str) -> tuple[int, dict[str, Any]]:
    status, out, err = run("hint", *words, "--json")
    assert err == ""
    content = json.loads(out)
    assert isinstance(content, dict)
    return status, content


def test_hint_says_and_draws_one_step(twinproof: Run) -> None:
    status, out, err = twinproof("hint", "akari", "lamps.txt", "--position", "lit.txt")
    assert (status, err) == (0, "")
    assert out.splitlines() == [
        "light and number (grade 3): the 1 in row 3, column 3 lacks 1 bulb, and row 2, column 2 must be lit from "
        "beside it; so there is no bulb in row 3, column 4; row 4, column 3",
        " #  #  .  #  #",
        " #  x (.) #  .",
        " . (.) 1 [x] .",
        " #  # [x] .  .",
        "[ ] found by this step   ( ) what it rests on   * a bulb is in the cell   x there is no bulb in the cell",
    ]


def test_hint_draws_the_regions(twinproof: Run) -> None:
    status, out, _ = twinproof("hint", "queens", "six.txt")
    assert status == 0
    lines = out.splitlines()
    assert lines[1] == "+---+---+---+---+---+---+"
    # Region A, and the cell that touches all of it.
    assert lines[2].startswith("|( ) ( ) ( )|")
    assert lines[4].startswith("|( )|[x]")
    assert "row 2, column 2" in lines[0]


def test_hint_draws_a_puzzle_that_has_no_drawing_of_its_own() -> None:
    akari = PUZZLES.find("akari")
    plain = replace(akari, look=replace(akari.look, lines=None))
    found = find_hint(plain, LightUpPuzzle(("1.", "#.")), {})
    assert draw_hint(found) == [" 1 [*]", " #  ."]


def test_flags_that_are_not_known_stay_on_the_board() -> None:
    mines = PUZZLES.find("minesweeper")
    found = find_hint(mines, MinesweeperPuzzle(("F1.", "...")), {})
    # The flag is trusted, so nothing is said of it.
    assert draw_hint(found, mark_step=False) == [" F  1  x", " x  x  x"]
    assert hardest(found.steps) == 1


def test_hints_one_by_one_lead_the_same_way_as_all(twinproof: Run, tmp_path: Path) -> None:
    _, all_steps = hinted(twinproof, "queens", "six.txt", "--all")
    assert (all_steps["solved"], all_steps["grade"], all_steps["state"]) == (True, 2, "step")
    assert [row.replace("x", ".") for row in all_steps["layout"]] == FILES["solved.txt"].split()
    taken = []
    status, content = hinted(twinproof, "queens", "six.txt")
    while content["state"] == "step":
        assert (status, len(content["steps"])) == (0, 1)
        taken += content["steps"]
        (tmp_path / "next.json").write_text(json.dumps(content))
        status, content = hinted(twinproof, "queens", "six.txt", "--position", "next.json")
    # With --all, what one rule finds is taken at once, so that the steps may differ, and not the rules needed.
    assert max(step["grade"] for step in taken) == 2
    assert taken[0] == all_steps["steps"][0]
    assert {tuple(c) for step in taken for c in step["marked"]} == {
        tuple(c) for step in all_steps["steps"] for c in step["marked"]
    }
    assert (status, content["state"], content["steps"]) == (0, "solved", [])


def test_hint_all_is_numbered(twinproof: Run) -> None:
    status, out, _ = twinproof("hint", "minesweeper", "beach.txt", "--all")
    assert status == 0
    assert out.splitlines() == [
        "1. single clue (grade 1): the 3 in row 2, column 3 lacks 3 mines and has only 3 cells left; "
        "so mines are in row 1, columns 2, 3 and 4",
        "2. single clue (grade 1): the 1 in row 2, column 1 has all its mines; so row 1, column 1 is safe",
        " x  *  *  *",
        " 1  2  3  2",
        "solved in 2 steps, the hardest of grade 1",
    ]


@pytest.mark.parametrize("found", [0, 2])
def test_hint_all_shows_what_was_found_when_it_is_stopped(
    twinproof: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, found: int
) -> None:
    _, whole = hinted(twinproof, "queens", "six.txt", "--all")

    def stopped(function: Callable[..., Any], *arguments: Any, on_part: Callable[[Any], None], **_: Any) -> Any:
        for step in function(*arguments).steps[:found]:
            on_part(step)
        return Called((), Stop.INTERRUPT)

    monkeypatch.setattr("twinproof.compare.questions.hint.call", stopped)
    words = ("hint", "queens", "six.txt", "--all")
    status, out, err = twinproof(*words, "--record", "hint.json")
    if found:
        said = [f"{number}. {step['words']}" for number, step in enumerate(whole["steps"][:found], start=1)]
        assert out.splitlines()[:found] == said
        assert out.splitlines()[-1] == "2 steps, and the way goes on"
    else:
        assert out == ""
    assert (status, err) == (3, "twinproof: stopped: interrupt" + ("; found: 2 steps\n" if found else "\n"))
    assert not (tmp_path / "hint.json").exists()
    status, out, _ = twinproof(*words, "--json")
    content = json.loads(out)
    assert (status, content["stopped"], content["solved"]) == (3, "interrupt", False)
    assert content["state"] == ("step" if found else "unknown")
    assert content["steps"] == whole["steps"][:found]


def test_hint_knows_that_no_mines_are_no_mines(twinproof: Run, tmp_path: Path) -> None:
    (tmp_path / "hidden.txt").write_text("?..\n", encoding="utf-8")
    status, content = hinted(twinproof, "minesweeper", "hidden.txt", "--mines", "0")
    assert (status, content["solved"], content["layout"]) == (0, True, ["?xx"])


def test_hint_says_that_a_position_is_solved(twinproof: Run) -> None:
    status, out, _ = twinproof("hint", "queens", "six.txt", "--position", "solved.txt")
    assert status == 0
    assert out.splitlines()[-1] == "solved: nothing is left to find"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        # The star in the corner of region C is wrong, the one of region F is right.
        (
            ["queens", "six.txt", "--position", "wrong.txt"],
            "row 6, column 6 is marked '*', but in every solution row 6, column 6 is empty",
        ),
        (
            ["queens", "six.txt", "--position", "touching.txt"],
            "the stars in row 1, column 1 and row 2, column 2 touch",
        ),
        # No solution has a queen in a corner.
        (["starbattle", "four.txt", "--position", "corners.txt"], "row 1, column 1 is marked '*'"),
        (
            ["akari", "corner.txt", "--position", "walled.txt"],
            "row 1, column 2 is marked 'x', but in every solution a bulb is in",
        ),
        (
            ["akari", "corner.txt", "--position", "walled.txt"],
            "row 1, column 1 is marked '*', but in every solution there is no bulb",
        ),
        (["minesweeper", "flag.txt", "--position", "noflag.txt"], "row 1, column 1 is marked 'x', but"),
        (
            ["minesweeper", "beach.txt", "--position", "mines.txt"],
            "row 1, column 1 is marked '*', but in every solution row 1, column 1 is safe",
        ),
    ],
)
def test_hint_says_what_is_wrong_with_a_position(twinproof: Run, words: list[str], said: str) -> None:
    status, out, err = twinproof("hint", *words)
    assert (status, err) == (1, "")
    assert out.startswith("the position is wrong:\n")
    assert said in out
    status, content = hinted(twinproof, *words)
    assert (status, content["state"], content["steps"]) == (1, "wrong", [])
    assert any(said in line for line in content["wrong"])


def test_hint_names_marks_that_only_together_are_wrong(twinproof: Run, tmp_path: Path) -> None:
    # Each of the two placings of four queens has one of these marks.
    (tmp_path / "torn_marks.txt").write_text(".*..\n*...\n....\n....\n")
    status, content = hinted(twinproof, "starbattle", "four.txt", "--position", "torn_marks.txt")
    assert (status, content["state"]) == (1, "wrong")
    assert "the stars in row 1, column 2 and row 2, column 1 touch" in content["wrong"][0]
    (tmp_path / "apart.txt").write_text(".*..\nx..x\n....\n....\n")
    status, content = hinted(twinproof, "starbattle", "four.txt", "--position", "apart.txt")
    assert (status, content["state"]) == (1, "wrong")
    assert content["wrong"] == [
        "no solution has all of these marks: '*' in row 1, column 2; 'x' in row 2, column 4"
    ]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["starbattle", "three.txt"], "the puzzle has no solution"),
        (["akari", "grid.txt"], "the puzzle has no solution"),
        (["minesweeper", "torn.txt"], "these rules cannot hold together:"),
    ],
)
def test_hint_says_that_a_puzzle_has_no_solution(twinproof: Run, words: list[str], said: str) -> None:
    status, out, err = twinproof("hint", *words)
    assert (status, err) == (1, "")
    assert said in out
    status, content = hinted(twinproof, *words, "--all")
    assert (status, content["state"]) == (1, "no solution")


def test_hint_says_that_nothing_more_can_be_concluded(twinproof: Run) -> None:
    # A cell of four queens that no rule of grade 1 to 3 tells of: no queen stands in a corner.
    status, content = hinted(twinproof, "starbattle", "four.txt", "--all")
    assert (status, content["solved"]) == (0, False)
    corners = {(1, 1), (1, 4), (4, 1), (4, 4)}
    empty = {(r, c) for step in content["steps"] for r, c in step["empty"]}
    assert empty == corners | {(2, 2), (2, 3), (3, 2), (3, 3)}
    status, out, _ = twinproof("hint", "minesweeper", "even.txt")
    assert status == 1
    assert "nothing more can be concluded" in out


def test_hint_falls_back_on_the_engine(twinproof: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    # Without suppositions the rules do not finish this one; every other step is the engine's.
    easy = tuple(rule for rule in starbattle.HINTS.rules if rule.human.grade == 1)
    monkeypatch.setattr(starbattle, "HINTS", replace(starbattle.HINTS, rules=easy))
    status, content = hinted(twinproof, "queens", "six.txt", "--all")
    assert (status, content["solved"], content["grade"]) == (0, True, None)
    assert "proof" in {step["rule"] for step in content["steps"]}
    assert [row.replace("x", ".") for row in content["layout"]] == FILES["solved.txt"].split()
    status, out, _ = twinproof("hint", "queens", "six.txt", "--all")
    assert out.splitlines()[0].startswith("1. proof (beyond the rules): ")
    assert out.splitlines()[-1].endswith("beyond the rules")


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["hops", "scarecrow"], "hint: there are no hints for hops"),
        (["sprinklers", "scarecrow"], "hint: there are no hints for sprinklers"),
        (["chess", "six.txt"], "puzzle 'chess': unknown"),
        (["queens", "none.txt"], "none.txt: cannot be read"),
        (["queens", "six.txt", "--position", "none.txt"], "none.txt: cannot be read"),
        (["queens", "-", "--position", "-"], "INSTANCE and --position cannot both be standard input"),
        (["queens", "six.txt", "--position", "short.txt"], "short.txt: 1 row; the puzzle has 6"),
        (
            ["queens", "six.txt", "--position", "narrow.txt"],
            "narrow.txt: row 1: 5 cells; the puzzle has 6 columns",
        ),
        (
            ["queens", "six.txt", "--position", "mark.txt"],
            "mark.txt: row 1, column 1: 'o'; it must be '*', 'x' or '.'",
        ),
        (
            ["akari", "lamps.txt", "--position", "no_wall.txt"],
            "no_wall.txt: row 2, column 4: '.'; it must be '#' there",
        ),
        (["akari", "lamps.txt", "--stars", "2"], "--stars: not an option of lightup"),
        (["queens", "six.txt", "--record", "six.txt"], "six.txt: the name must end in .json"),
    ],
)
def test_hint_refuses_bad_input_in_one_line(twinproof: Run, words: list[str], line: str) -> None:
    status, out, err = twinproof("hint", *words)
    assert (status, out) == (2, "")
    assert err.startswith(f"twinproof: {line}")
    assert err.count("\n") == 1


def test_hint_writes_a_record(twinproof: Run, tmp_path: Path) -> None:
    status, content = hinted(twinproof, "queens", "six.txt", "--record", "hint.json")
    written = json.loads((tmp_path / "hint.json").read_text())
    assert status == 0
    assert written == content | {"command": "twinproof hint queens six.txt --record hint.json --json"}
