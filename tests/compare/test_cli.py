"""The command: what it prints and where, its exit statuses, and how it takes bad input."""

import json
import subprocess
import sys
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from tests.support.running import Run, loaded
from tests.support.shared_data import load
from twinproof import Crosscheck, Question
from twinproof.compare.output.terminal import draw_board
from twinproof.compare.questions.crosscheck import crosscheck
from twinproof.models import PUZZLES
from twinproof.models.text.sources import Inline
from twinproof.models.violation import Violation
from twinproof.optim import Limits
from twinproof.optim.request import EngineOptions

KEYS = ("puzzle instance objective engine status value bound layout seconds trace violations").split()  # noqa: SIM905
PLUS = "X.X\n...\nX.X\n"


def solve(run: Run, *words: str) -> tuple[int, dict[str, Any]]:
    return loaded(run, "solve", *words)


@pytest.mark.parametrize("engine", ["cpsat", "maxsat"])
def test_solve_prints_one_json_object_with_the_promised_keys(in_children: Run, engine: str) -> None:
    status, content = solve(in_children, "sprinklers", "grid:4x4", "--engine", engine)
    assert status == 0
    assert set(KEYS) <= set(content)
    # The domination number of the 4x4 grid is 4 (OEIS A350823).
    assert (content["status"], content["value"], content["bound"]) == ("optimal", 4, 4)
    assert content["engine"] == engine
    assert content["violations"] == []
    assert "".join(content["layout"]).count("S") == 4
    assert [4, 4] in [point[1:] for point in content["trace"]]


def test_solve_both_has_each_engine_and_their_agreement(in_children: Run) -> None:
    # 14 hops on the disc of radius 3: the exact frontier method, of which no engine here is a part.
    status, content = solve(in_children, "hops", "disc:9", "--engine", "both")
    assert (status, content["agree"], content["engine"]) == (0, True, "both")
    assert {name: own["value"] for name, own in content["engines"].items()} == {"cpsat": 14, "maxsat": 14}
    assert all(set(KEYS) <= set(own) for own in content["engines"].values())


def test_hops_fewest_sprinklers_finds_the_most_hops_first(twinproof: Run) -> None:
    status, content = solve(twinproof, "hops", "disc:9", "--objective", "fewest-sprinklers", "--engine", "both")
    assert (status, content["agree"], content["options"]["hops"]) == (0, True, 14)
    assert "".join(content["layout"]).count("H") == 14
    fixed = solve(twinproof, "hops", "disc:9", "--objective", "fewest-sprinklers", "--hops", "14")[1]
    assert fixed["value"] == content["value"]


def test_solve_all_compares_three_engines(twinproof: Run) -> None:
    # The fewest sprinklers on the disc of radius 4: an exact profile dynamic program, by others.
    status, content = solve(twinproof, "sprinklers", "disc:16", "--engine", "all")
    assert (status, content["agree"], content["engine"]) == (0, True, "all")
    assert {name: own["value"] for name, own in content["engines"].items()} == {
        "cpsat": 11,
        "maxsat": 11,
        "frontier": 11,
    }


@pytest.mark.parametrize("engine", ["cpsat", "maxsat", "both"])
def test_yes_or_no_questions(twinproof: Run, engine: str) -> None:
    status, content = solve(twinproof, "sprinklers", "grid:4x4", "--at-most", "4", "--engine", engine)
    assert (status, content["status"], content["value"], content["bound"]) == (0, "feasible", 4, None)
    status, content = solve(twinproof, "sprinklers", "grid:4x4", "--at-most", "3", "--engine", engine)
    assert (status, content["status"], content["value"], content["layout"]) == (1, "infeasible", None, None)
    assert solve(twinproof, "hops", "disc:9", "--at-least", "14", "--engine", engine)[0] == 0
    assert solve(twinproof, "hops", "disc:9", "--at-least", "15", "--engine", engine)[0] == 1


def test_infeasible_number_of_hops(twinproof: Run) -> None:
    words = ("hops", "grid:1x1", "--objective", "fewest-sprinklers", "--hops", "1", "--engine", "both")
    status, content = solve(twinproof, *words)
    assert (status, content["status"], content["agree"]) == (1, "infeasible", True)


def test_map_from_a_file_and_from_standard_input(
    twinproof: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "plus.txt").write_text("\ufeff" + PLUS.replace("\n", "\r\n"), encoding="utf-8")
    status, content = solve(twinproof, "sprinklers", "plus.txt")
    assert (status, content["value"], content["layout"]) == (0, 1, ["X.X", ".S.", "X.X"])
    piped = subprocess.run(
        [sys.executable, "-m", "twinproof", "solve", "sprinklers", "-", "--json"],
        input=PLUS,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (piped.returncode, json.loads(piped.stdout)["value"], piped.stderr) == (0, 1, "")


def test_solve_stays_silent_in_a_pipe_and_draws_letters(in_children: Run) -> None:
    status, out, err = in_children("solve", "sprinklers", "grid:1x3", "--engine", "both")
    assert (status, err) == (0, "")
    assert out.splitlines()[:2] == [".S.", "S sprinkler: 1   . crop: 2"]
    assert "the engines agree" in out
    assert "\x1b" not in out


def test_picture_and_record_are_written(twinproof: Run, tmp_path: Path) -> None:
    words = ("solve", "hops", "disc:4", "--picture", "p.svg", "--record", "r.json")
    assert twinproof(*words)[0] == 0
    assert twinproof("solve", "sprinklers", "disc:4", "--picture", "p.png")[0] == 0
    assert (tmp_path / "p.png").read_bytes().startswith(b"\x89PNG")
    assert "<svg" in (tmp_path / "p.svg").read_text(encoding="utf-8")
    content = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    assert set(KEYS) | {"command"} <= set(content)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["p.png", "p.svg", "r.json"]


def test_check_accepts_the_published_greenhouse_layout(twinproof: Run, tmp_path: Path) -> None:
    puzzle = load("stardew/facts.json")["greenhouse_walking_puzzle"]
    rows = [row.replace("P", "H") for row in puzzle["layout_57_rows_entrance_bottom_centre"]]
    (tmp_path / "layout.txt").write_text("\n".join(rows), encoding="utf-8")
    words = ("check", "hops", "grid:9x11", "layout.txt", "--kind", "iridium", "--entrance", "9,6")
    status, out, _ = twinproof(*words, "--dry-paths", "--json")
    content = json.loads(out)
    assert (status, content["valid"], content["values"]["most-hops"]) == (0, True, puzzle["published_optimum"])
    # The published rules ask for water under plants only: by the article's rule the entrance is too dry.
    status, out, _ = twinproof(*words, "--json")
    assert (status, json.loads(out)["violations"][0]["rule"]) == (1, "unwatered")


def test_check_names_broken_rules_with_their_tiles(twinproof: Run, tmp_path: Path) -> None:
    (tmp_path / "layout.txt").write_text("HHH\nHHH\n.S.\n", encoding="utf-8")
    status, out, _ = twinproof("check", "hops", "grid:3x3", "layout.txt")
    assert status == 1
    assert "unwatered" in out
    assert "unserved" in out
    assert "row 2, column 2" in out
    assert out.splitlines()[-1] == "invalid"
    (tmp_path / "layout.txt").write_text("SSS\n...\n.S.\n", encoding="utf-8")
    assert twinproof("check", "sprinklers", "grid:3x3", "layout.txt")[0] == 0


def test_list_names_everything(twinproof: Run) -> None:
    status, out, _ = twinproof("list")
    assert status == 0
    for word in (
        "sprinklers",
        "hops",
        "most-hops",
        "fewest-sprinklers",
        "scarecrow",
        "deluxe",
        "disc:K",
        "grid:MxN",
    ):
        assert word in out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["solve", "tents"], "puzzle 'tents': unknown; known are sprinklers, hops"),
        (["solve", "hops", "meadow"], "field 'meadow': no field has this name"),
        (["solve", "hops", "disc:9", "--kind", "gold"], "sprinkler kind 'gold': unknown"),
        (["solve", "hops", "disc:9", "--objective", "least"], "objective 'least': hops has no such objective"),
        (["solve", "hops", "disc:9", "--engine", "glpk"], "engine 'glpk': unknown"),
        (["solve", "sprinklers", "empty.txt"], "empty.txt: the map has no tile"),
        (["solve", "sprinklers", "odd.txt"], "odd.txt: row 2, column 2: 'o' is not in the legend"),
        (["solve", "sprinklers", "binary.txt"], "binary.txt: byte 2 is no UTF-8 text"),
        (["solve", "sprinklers", "folder"], "folder: cannot be read: Is a directory"),
        (["solve", "sprinklers", "bad\0name"], "field 'bad\\x00name'"),
        (["solve", "sprinklers", "grid:2x3", "--symmetry", "diagonal"], "symmetry diagonal: grid:2x3 is not"),
        (["solve", "sprinklers", "grid:317x317"], "grid:317x317: 100489 tiles"),
        (["solve", "sprinklers", "huge.txt"], "huge.txt: 100200 tiles; at most 100000"),
        (["solve", "hops", "disc:9", "--time-limit", "-1"], "time limit -1.0: must be above 0"),
        (["solve", "hops", "disc:9", "--memory-limit", "0"], "memory limit 0: must be above 0"),
        (["solve", "hops", "disc:9", "--workers", "-2"], "workers limit -2: must be above 0"),
        (["solve", "hops", "disc:9", "--workers", "99999999999"], "workers limit 99999999999: must be at most"),
        (["solve", "sprinklers", "grid:3\n"], "grid:3\\n: a grid is written"),
        (["solve", "sprinklers", "..\n.o"], "field '..\\n.o': no field has this name"),
        (["solve", "sprinklers", "feed.txt"], "feed.txt: row 1, column 2: '\\x0c' is not in the legend"),
        (["solve", "sprinklers", "disc:9", "--record", "/proc/x.json"], "/proc/x.json: cannot be written"),
        (["solve", "sprinklers", "disc:9", "--record", "folder.json"], "folder.json: is there already"),
        (
            ["solve", "hops", "disc:9", "--engine", "frontier", "--at-least", "3"],
            "frontier: does not support",
        ),
        (["solve", "hops", "deluxe", "--engine", "frontier"], "frontier: deluxe is too wide: "),
        (["solve", "hops", "disc:9", "--seed", "x"], "Invalid value for '--seed'"),
        (["solve", "hops", "disc:9", "--at-least", "-1"], "at least -1: must not be negative"),
        (["solve", "hops", "disc:9", "--at-least", "1", "--at-most", "2"], "at least and at most: only one"),
        (["solve", "hops", "disc:9", "--hops", "-3"], "hops -3: must not be negative"),
        (["solve", "hops", "disc:9", "--hops", "3"], "hops 3: a fixed number goes with the objective"),
        (["solve", "hops", "disc:9", "--harvest", "5"], "harvest 5: must be 4 or 8 neighbours"),
        (["solve", "hops", "disc:9", "--entrance", "4,3"], "entrance at row 4, column 3: not a tile of disc:9"),
        (["solve", "hops", "disc:9", "--entrance", "north"], "entrance 'north': must be ROW,COLUMN"),
        (["solve", "hops", "disc:9", "--entrance", "0,1"], "entrance at row 0, column 1: not a tile"),
        (["solve", "sprinklers", "disc:9", "--harvest", "8"], "--harvest: not an option of sprinklers"),
        (["solve", "sprinklers", "disc:9", "--dry-paths"], "--dry-paths: not an option of sprinklers"),
        (["solve", "sprinklers", "disc:9", "--picture", "p.gif"], "p.gif: the name must end in .png or .svg"),
        (["solve", "sprinklers", "disc:9", "--picture", "no/p.png"], "no/p.png: the folder no does not exist"),
        (["solve", "sprinklers", "disc:9", "--subsolvers", "cores"], "subsolver 'cores': unknown"),
        (["solve", "--speed"], "No such option: --speed"),
        (["solve"], "Missing argument 'PUZZLE'"),
        (["check", "hops", "disc:9", "odd.txt"], "odd.txt: row 2, column 2: 'o' is not in the legend"),
        (["check", "hops", "disc:4", "plus.txt"], "plus.txt: the layout has 3 rows and 3 columns, disc:4 has 5"),
        (["check", "hops", "disc:4", "none.txt"], "none.txt: cannot be read: No such file"),
        (["check", "hops", "-", "-"], "INSTANCE and LAYOUT cannot both be standard input"),
    ],
)
def test_bad_input_is_one_line_and_nothing_is_written(
    twinproof: Run, tmp_path: Path, words: list[str], message: str
) -> None:
    (tmp_path / "empty.txt").write_text(" \n\n", encoding="utf-8")
    (tmp_path / "odd.txt").write_text("..\n.o\n", encoding="utf-8")
    (tmp_path / "plus.txt").write_text("...\n...\n...\n", encoding="utf-8")
    (tmp_path / "huge.txt").write_text(("." * 501 + "\n") * 200, encoding="utf-8")
    (tmp_path / "binary.txt").write_bytes(b".\xff.")
    (tmp_path / "feed.txt").write_text(".\f.", encoding="utf-8")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder.json").mkdir()
    before = sorted(tmp_path.iterdir())
    status, out, err = twinproof(*words)
    assert (status, out) == (2, "")
    assert err.startswith(f"twinproof: {message}")
    assert err.count("\n") == 1
    assert sorted(tmp_path.iterdir()) == before


def test_a_limit_before_a_proof_is_exit_3(in_children: Run) -> None:
    status, content = solve(in_children, "hops", "scarecrow", "--time-limit", "0.2")
    assert (status, content["status"], content["stopped"]) == (3, "unknown", "time limit")
    assert content["layout"] is None


def test_a_layout_that_breaks_a_rule_is_never_shown(
    twinproof: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A planted bug: the judge's rules find fault with every layout.
    always = Violation("planted", ((0, 0),), "no layout pleases")
    honest = PUZZLES["hops"]
    rules = replace(honest.rules, violations=lambda instance, layout: [always])
    monkeypatch.setitem(PUZZLES.loaded, "hops", replace(honest, rules=rules))
    status, out, err = twinproof("solve", "hops", "grid:2x2", "--json")
    assert (status, out) == (4, "")
    assert err.startswith(
        "twinproof: internal error: cpsat breaks a rule: planted: row 1, column 1: no layout pleases"
    )
    (saved,) = tmp_path.glob("twinproof-error-*.json")
    assert json.loads(saved.read_text(encoding="utf-8"))["map"] == ["..", ".."]


@pytest.mark.parametrize("number", [2**31, 2**63 - 1, 10**24])
@pytest.mark.parametrize("engine", ["cpsat", "maxsat"])
def test_numbers_beyond_any_field_are_just_large(twinproof: Run, engine: str, number: int) -> None:
    for puzzle in ("sprinklers", "hops"):
        assert solve(twinproof, puzzle, "grid:2x2", "--at-most", str(number), "--engine", engine)[0] == 0
        assert solve(twinproof, puzzle, "grid:2x2", "--at-least", str(number), "--engine", engine)[0] == 1
    words = ("hops", "grid:2x2", "--objective", "fewest-sprinklers", "--hops", str(number), "--engine", engine)
    assert solve(twinproof, *words)[1]["status"] == "infeasible"


def test_an_engine_that_fails_is_one_line_with_the_details_in_a_file(in_children: Run, tmp_path: Path) -> None:
    # A planted failure: this process's sys.path goes to the child, with a module that cannot be imported.
    (tmp_path / "ortools.py").write_text("raise ZeroDivisionError('planted')", encoding="utf-8")
    sys.path.insert(0, str(tmp_path))
    try:
        status, out, err = in_children("solve", "sprinklers", "grid:2x2")
    finally:
        sys.path.remove(str(tmp_path))
    (saved,) = tmp_path.glob("twinproof-error-*.txt")
    expected = f"twinproof: an engine failed: cpsat: ZeroDivisionError: planted; details in {saved}\n"
    assert (status, out, err) == (4, "", expected)
    assert "Traceback" in saved.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["$x^$.txt", "\udcff.txt", "日本😀.txt", "a" * 245 + ".txt", "new\nline.txt"])
def test_pictures_and_records_of_fields_with_odd_names(twinproof: Run, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(PLUS, encoding="utf-8")
    record = "r" * 240 + ".json"
    status, _, err = twinproof("solve", "sprinklers", name, "--picture", "p.png", "--record", record)
    assert (status, err) == (0, "")
    assert (tmp_path / "p.png").exists()
    assert json.loads((tmp_path / record).read_text(encoding="utf-8"))["value"] == 1


def test_a_link_stays_a_link(twinproof: Run, tmp_path: Path) -> None:
    (tmp_path / "link.json").symlink_to("real.json")
    assert twinproof("solve", "sprinklers", "grid:1x1", "--record", "link.json")[0] == 0
    assert (tmp_path / "link.json").is_symlink()
    assert (tmp_path / "real.json").exists()


def test_no_colour_draws_letters_on_a_terminal() -> None:
    file, field = StringIO(), PUZZLES["hops"].read(Inline("map", "..\n.X\n"))
    draw_board("hops", field, ("S.", "HX"), Console(file=file, force_terminal=True, no_color=True))
    assert file.getvalue().splitlines()[:2] == ["S.", "HX"]


@pytest.mark.parametrize(
    ("options", "value"),
    [
        # A sprinkler at the middle of the 3x3 grid waters all of it if its range is a square.
        (["--kind", "basic"], 3),
        (["--kind", "basic", "--nozzle"], 1),
        (["--kind", "quality"], 1),
        # Of the layouts of the 3x3 grid with 3 sprinklers, a row or column in the middle, none has this symmetry.
        (["--symmetry", "quarter-turn"], 4),
    ],
)
def test_sprinkler_options_reach_both_engines(twinproof: Run, options: list[str], value: int) -> None:
    content = solve(twinproof, "sprinklers", "grid:3x3", "--engine", "both", *options)[1]
    assert (content["value"], content["agree"]) == (value, True)


@pytest.mark.parametrize(
    ("options", "value"),
    [
        # Walking from the left end of a row of five, by hand: a walkable first tile needs its sprinkler on the
        # second, and nobody gets beyond it. If the way may be dry, the second or the third can be a hop.
        (["--entrance", "1,1"], 0),
        (["--entrance", "1,1", "--dry-paths"], 1),
        # The outside serves every tile of one row, so all but the sprinklers are hops.
        ([], 3),
    ],
)
def test_hops_options_reach_both_engines(twinproof: Run, options: list[str], value: int) -> None:
    content = solve(twinproof, "hops", "grid:1x5", "--engine", "both", *options)[1]
    assert (content["value"], content["agree"]) == (value, True)


def test_harvest_over_corners_reaches_both_engines(twinproof: Run, tmp_path: Path) -> None:
    # A tile that touches the outside by a corner only; the sprinkler beside it cannot be anywhere else.
    (tmp_path / "corner.txt").write_text("XXXX\nX..X\nXXX \n", encoding="utf-8")
    assert solve(twinproof, "hops", "corner.txt", "--engine", "both")[1]["value"] == 0
    assert solve(twinproof, "hops", "corner.txt", "--engine", "both", "--harvest", "8")[1]["value"] == 1


def test_engine_options_reach_the_engine(twinproof: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[object, ...]] = []

    def spy(
        question: Question, engines: object, limits: Limits, follow: object, options: EngineOptions
    ) -> Crosscheck:
        asked.append((engines, limits, options.subsolvers))
        return crosscheck(question, isolated=False)

    monkeypatch.setattr("twinproof.compare.cli.solve.crosscheck", spy)
    words = [
        "solve",
        "sprinklers",
        "grid:1x1",
        "--time-limit",
        "5",
        "--memory-limit",
        "900",
        "--workers",
        "3",
        "--seed",
        "7",
    ]
    twinproof(*words, "--subsolvers", "core,max_lp")
    assert asked == [(("cpsat",), Limits(5, 900, 3, 7), ("core", "max_lp"))]


def test_disagreement_is_exit_1(twinproof: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def quarrel(question: Question, *rest: object, **named: object) -> Crosscheck:
        check = crosscheck(question, isolated=False)
        return Crosscheck(check.engines, check.answers, False)

    monkeypatch.setattr("twinproof.compare.cli.solve.crosscheck", quarrel)
    status, out, _ = twinproof("solve", "sprinklers", "grid:1x1", "--engine", "both")
    assert status == 1
    assert "DISAGREE" in out
