"""New puzzles in batches: no two alike, graded, written, drawn, refused; the same for a seed everywhere."""

import hashlib
import json
import math
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.models.test_generate_lightup import solutions_of
from tests.support.running import Run, runner, search_here
from twinproof.compare.output.pages import write_pages
from twinproof.compare.questions.generate import Made, Wish, make, wish_for
from twinproof.models import PUZZLES
from twinproof.models.generation.generated import Generated, NotFoundError
from twinproof.models.generation.images import images
from twinproof.models.lightup.drawing import sheet as lightup_sheet
from twinproof.models.lightup.generate import canonical, generate
from twinproof.models.lightup.instance import LightUpPuzzle
from twinproof.models.minesweeper.drawing import sheet as minesweeper_sheet
from twinproof.models.minesweeper.formats import FIELD_FORMATS
from twinproof.models.minesweeper.generate import canonical as canonical_field
from twinproof.models.minesweeper.generate import generate as generate_field
from twinproof.models.minesweeper.generate import prove
from twinproof.models.minesweeper.instance import MineField
from twinproof.models.sheet import Sheet
from twinproof.models.starbattle.drawing import sheet as starbattle_sheet
from twinproof.models.starbattle.formats import read_letters
from twinproof.models.starbattle.instance import StarBattlePuzzle, number_regions
from twinproof.optim import EngineError, InputError

SIX = "AAABBB\nABBBCC\nADDEEC\nFFDDEC\nFEEEEC\nFCCCCC\n"
SIX_SOLUTION = (".*....", "...*..", ".....*", "..*...", "....*.", "*.....")
"""The puzzle of the README and its one solution, for the stand-in generator."""

# --- The same everywhere ----------------------------------------------------------------------------------------

SCRIPT = """
import sys
from pathlib import Path
from tests.compare.test_generate import print_seeded
print_seeded(Path(sys.argv[1]))
"""


def print_seeded(path: Path) -> None:
    """Make puzzles and their pages; print the former."""
    one = generate(12, 12, 15, "half-turn", minimal=True, seed=4)
    two = generate_field(16, 16, 60, (2, 3), seed=4)
    write_pages(path, [Made(PUZZLES["lightup"], one, "", None), Made(PUZZLES["minesweeper"], two, "", None)], 2)
    sys.stdout.write("\n".join([*one.layout, *two.layout]))


def test_the_same_seed_gives_the_same_puzzles_and_pages_in_every_process(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # This process has a random hash seed, or another fixed one.
    environment = {**os.environ, "PYTHONHASHSEED": "12345", "PYTHONPATH": str(Path(__file__).parents[2] / "src")}
    words = [sys.executable, "-c", SCRIPT, str(tmp_path / "there.pdf")]
    there = subprocess.run(words, env=environment, capture_output=True, check=True, text=True).stdout
    print_seeded(tmp_path / "here.pdf")
    assert capsys.readouterr().out == there
    assert (tmp_path / "here.pdf").read_bytes() == (tmp_path / "there.pdf").read_bytes()
    other = generate(12, 12, 15, "half-turn", minimal=True, seed=5)
    assert "\n".join(other.layout) not in there


# --- Batches ----------------------------------------------------------------------------------------------------


def stand_in() -> Any:
    """A generator of Star Battle that knows one puzzle, mirrored for odd seeds, and two others."""
    puzzle = read_letters(SIX, "six")

    def generate(size: int, stars: int, seed: int = 0, **options: Any) -> Generated:
        if size != 6:
            raise InputError(f"stars {stars}: too many for {size}")
        accept = options.get("accept")
        mirrored = seed % 2 == 1
        regions = puzzle.regions
        layout: tuple[str, ...] = SIX_SOLUTION
        if mirrored:
            names = [[chr(97 + number) for number in row[::-1] if number is not None] for row in regions]
            regions, layout = number_regions(names)[0], tuple(row[::-1] for row in layout)
        made = StarBattlePuzzle(1, regions)
        if accept is not None and not accept(made):
            raise NotFoundError("starbattle: no such puzzle found in 1 attempt")
        return Generated(made, layout, seed, 1, {"mirrored": str(mirrored)})

    def canonical_(made: StarBattlePuzzle) -> object:
        return min(number_regions(rows)[0] for rows in images([list(map(str, row)) for row in made.regions]))

    return module(generate=generate, canonical=canonical_)


def module(**functions: Any) -> Any:
    """A stand-in for the part `generate` of a puzzle."""
    return SimpleNamespace(__spec__=True, **functions)


def graded(found: Callable[[Any], int | None]) -> Any:
    """A stand-in for the part `hints`: its grades."""
    return module(grade=lambda puzzle: SimpleNamespace(grade=found(puzzle), word=f"grade {found(puzzle)}"))


@pytest.fixture
def twinproof(capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run the command in an empty folder, all in this process; gives status, standard output and error."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "twinproof.models.starbattle.generate", stand_in())
    monkeypatch.setitem(sys.modules, "twinproof.models.starbattle.hints", graded(lambda puzzle: 2))
    # The number of clues of Light Up tells.
    by_clues = graded(lambda puzzle: min(5, len(puzzle.clues) // 2) or None)
    monkeypatch.setitem(sys.modules, "twinproof.models.lightup.hints", by_clues)
    search_here(monkeypatch)
    return partial(runner(capfd), "generate")


def test_generate_prints_what_other_commands_read(twinproof: Run, tmp_path: Path) -> None:
    status, out, err = twinproof("akari", "--size", "5x6", "--walls", "30", "--seed", "8")
    made = generate(5, 6, 30, seed=8)
    assert (status, out.split()) == (0, list(made.instance.rows))
    assert re.fullmatch(r"twinproof: lightup-5x6-seed8: one solution, proved by both engines; grade \d\n", err)
    status, out, err = twinproof("queens", "--size", "6")
    assert (status, out) == (0, "stars: 1\nsize: 6x6\n" + SIX)
    assert err == "twinproof: starbattle-6x6-1-seed0: one solution, proved by both engines; grade 2\n"
    status, out, err = twinproof("minesweeper", "--size", "4x5", "--mines", "5", "--start", "1,2", "--no-total")
    assert (status, json.loads(out)["start"]) == (0, [1, 2])
    assert err == "twinproof: minesweeper-4x5-5-seed0: opened from the start without a guess\n"


def test_generate_makes_no_two_alike(twinproof: Run) -> None:
    # A wall in the middle needs no number; one at an end says which of the two cells has the bulb.
    words = ("lightup", "--size", "1x3", "--walls", "33", "--count", "9", "--json", "--minimal")
    status, out, err = twinproof(*words)
    rows = [puzzle["text"].strip() for puzzle in json.loads(out)["puzzles"]]
    assert status == 3
    assert sorted(min(row, row[::-1]) for row in rows) == [".#.", "..0", "..1"]
    assert "only others like them; finished:" in err
    # Odd seeds give the mirror image of the stand-in's puzzle.
    status, out, err = twinproof("starbattle", "--size", "6", "--count", "2", "--json")
    content = json.loads(out)
    assert (status, content["complete"], len(content["puzzles"])) == (3, False, 1)
    assert content["stopped"] == "starbattle: 1 puzzle found, and then only others like them"


def test_generate_tells_all_as_json(twinproof: Run) -> None:
    status, out, _ = twinproof("lightup", "--size", "4x4", "--walls", "30", "--count", "2", "--json")
    content = json.loads(out)
    assert (status, content["complete"], content["stopped"], content["pdf"]) == (0, True, None, None)
    assert content["options"] == {"--size": "4x4", "--walls": 30}
    for puzzle in content["puzzles"]:
        rows = tuple(puzzle["text"].split())
        bulbs = {(r, c) for r, row in enumerate(puzzle["layout"]) for c, mark in enumerate(row) if mark == "*"}
        assert solutions_of(rows) == [frozenset(bulbs)]
        assert puzzle["proof"] == "one solution, proved by both engines"


def test_generate_keeps_to_a_difficulty(twinproof: Run) -> None:
    words = ("lightup", "--size", "5x5", "--walls", "35", "--count", "4", "--json", "--difficulty")
    for difficulty, grades in (("1", {"grade 1"}), ("2-3", {"grade 2", "grade 3"})):
        status, out, _ = twinproof(*words, difficulty, "--minimal")
        assert status == 0
        assert {puzzle["grade"] for puzzle in json.loads(out)["puzzles"]} <= grades
    status, out, err = twinproof("starbattle", "--size", "6", "--difficulty", "3")
    assert (status, out) == (3, "")
    said = "no such puzzle found in 1 attempt; 1 board made instead: 1 of grade 2"
    assert err == f"twinproof: starbattle: {said}; finished: 0 of 1\n"


def test_a_puzzle_with_two_solutions_is_never_shown(twinproof: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = module(generate=lambda **wish: Generated(LightUpPuzzle(("..",)), ("*.",), 0, 1), canonical=canonical)
    monkeypatch.setitem(sys.modules, "twinproof.models.lightup.generate", broken)
    with pytest.raises(EngineError, match="another solution"):
        make(Wish(PUZZLES["lightup"], {}), 0, 1, lambda made: None, lambda text: None, isolated=False)
    status, out, err = twinproof("lightup", "--size", "1x2")
    assert (status, out) == (4, "")
    assert "seed 0: the puzzle has another solution" in err
    field = Generated(MineField((".*", ".."), (0, 0)), (".*", ".."), 0, 1)
    guess = module(generate=lambda **wish: field, canonical=canonical_field, prove=prove)
    monkeypatch.setitem(sys.modules, "twinproof.models.minesweeper.generate", guess)
    wish = Wish(PUZZLES["minesweeper"], {"total_known": True})
    with pytest.raises(EngineError, match="cannot be opened without a guess"):
        make(wish, 0, 1, lambda made: None, lambda text: None, isolated=False)


# --- Files ------------------------------------------------------------------------------------------------------


def test_generate_writes_files_that_the_other_commands_read(twinproof: Run, tmp_path: Path) -> None:
    status, out, err = twinproof("lightup", "--size", "4x5", "--count", "2", "--out", "new")
    assert (status, out) == (0, "")
    assert "; in new/lightup-4x5-seed0.txt\n" in err
    names = sorted(path.name for path in (tmp_path / "new").iterdir())
    assert names == [f"lightup-4x5-seed{seed}{end}.txt" for seed in (0, 1) for end in (".solution", "")]
    lightup = PUZZLES["lightup"]
    for name in names[1::2]:
        puzzle = lightup.read(f"new/{name}")
        layout = Path(f"new/{name.replace('.txt', '.solution.txt')}").read_text()
        assert lightup.rules.violations(puzzle, lightup.read_layout(puzzle, layout, name)) == []
    twinproof("minesweeper", "--size", "4x5", "--mines", "4", "--start", "2,2", "--out", "new")
    text = Path("new/minesweeper-4x5-4-seed0.json").read_text()
    assert FIELD_FORMATS["json"].read(text, "field") == generate_field(4, 5, 4, (1, 1)).instance


def test_generate_overwrites_no_other_puzzle(twinproof: Run, tmp_path: Path) -> None:
    words = ("lightup", "--size", "5x5", "--seed", "3", "--out", "new")
    twinproof(*words)
    before = {path: path.read_bytes() for path in (tmp_path / "new").iterdir()}
    assert twinproof(*words)[0] == 0  # the same again
    assert {path: path.read_bytes() for path in (tmp_path / "new").iterdir()} == before
    _, _, err = twinproof(*words, "--walls", "40")
    assert "in new/lightup-5x5-seed3-2.txt" in err
    after = {path: path.read_bytes() for path in (tmp_path / "new").iterdir()}
    assert len(after) == 4
    assert before.items() <= after.items()
    # A solution without its puzzle is some other puzzle's.
    (tmp_path / "new" / "lightup-5x5-seed4.solution.txt").write_text("mine")
    _, _, err = twinproof("lightup", "--size", "5x5", "--seed", "4", "--out", "new")
    assert "in new/lightup-5x5-seed4-2.txt" in err


@pytest.mark.parametrize("name", ["starbattle", "lightup", "minesweeper"])
def test_generate_writes_every_form(twinproof: Run, name: str) -> None:
    words = {
        "starbattle": ("--size", "6"),
        "lightup": ("--size", "4x4"),
        "minesweeper": ("--size", "4x4", "--mines", "3", "--start", "1,1"),
    }[name]
    found = []
    generation = PUZZLES[name].generation
    assert generation is not None
    for form, how in generation.forms.items():
        status, out, _ = twinproof(name, *words, "--format", form)
        assert status == 0
        found.append(how.read(out, form))
    assert all(puzzle == found[0] for puzzle in found)


def pages_in(path: Path) -> int:
    return len(re.findall(rb"/Type /Page\b", path.read_bytes()))


@pytest.mark.parametrize(
    ("count", "per_page", "solutions"), [(1, None, 1), (5, "2", 1), (5, "4", 1), (13, "6", 2)]
)
def test_generate_draws_pages(
    twinproof: Run, tmp_path: Path, count: int, per_page: str | None, solutions: int
) -> None:
    words = ["lightup", "--size", "4x4", "--walls", "30", "--count", str(count), "--pdf", "book.pdf", "--json"]
    status, out, _ = twinproof(*words, *(["--per-page", per_page] if per_page else []))
    expected = math.ceil(count / int(per_page or 1)) + solutions  # 12 solutions a page
    assert (status, json.loads(out)["pages"]) == (0, expected)
    assert pages_in(tmp_path / "book.pdf") == expected
    assert b"CreationDate" not in (tmp_path / "book.pdf").read_bytes()


def test_pages_of_every_puzzle_and_of_large_boards(tmp_path: Path) -> None:
    star = Made(PUZZLES["starbattle"], stand_in().generate(6, 1), "", "grade 2")
    field = Made(PUZZLES["minesweeper"], generate_field(5, 30, 20, (0, 0), False), "", None)
    large = Made(PUZZLES["lightup"], generate(3, 60, 40), "", "beyond the rules")
    for puzzles, pages in (([star], 2), ([star, field], 3), ([large, star, field, large], 6)):
        path = tmp_path / "book.pdf"
        assert write_pages(path, puzzles) == pages_in(path) == pages
        first = hashlib.sha256(path.read_bytes()).digest()
        write_pages(path, puzzles)
        assert hashlib.sha256(path.read_bytes()).digest() == first


def test_sheets_say_what_is_in_the_cells() -> None:
    field = MineField(("*...", "...*", "...#"), (2, 0))
    opened = [(1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2)]
    texts = {(1, 0): "1", (1, 1): "1", (1, 2): "1", (2, 0): "0", (2, 2): "1"}
    expected = Sheet(3, 4, shaded=opened, texts=texts, rings=[(2, 0)])
    assert compared(minesweeper_sheet(field, field.rows, False)) == compared(expected)
    texts |= {(0, 1): "1", (0, 2): "1", (0, 3): "1"}
    expected = Sheet(3, 4, texts=texts, dots=[(0, 0), (1, 3)], rings=[(2, 0)])
    assert compared(minesweeper_sheet(field, field.rows, True)) == compared(expected)
    board = LightUpPuzzle(("1.", ".#"))
    expected = Sheet(2, 2, walls=[(0, 0), (1, 1)], texts={(0, 0): "1"}, bold=True)
    assert compared(lightup_sheet(board, ("1*", ".#"), False)) == compared(expected)
    assert compared(lightup_sheet(board, ("1*", ".#"), True)) == compared(replace(expected, discs=[(0, 1)]))
    six = read_letters(SIX, "six")
    expected = Sheet(6, 6, six.regions, stars=[(0, 1), (1, 3), (2, 5), (3, 2), (4, 4), (5, 0)])
    assert compared(starbattle_sheet(six, SIX_SOLUTION, True)) == compared(expected)
    assert not starbattle_sheet(six, SIX_SOLUTION, False).stars


def compared(sheet: Sheet) -> dict[str, Any]:
    """Give what a sheet says, whatever the types that hold it."""
    as_lists = {name: list(cells) for name, cells in vars(sheet).items() if isinstance(cells, list | tuple)}
    areas = None if sheet.areas is None else [list(row) for row in sheet.areas]
    return {**vars(sheet), **as_lists, "areas": areas}


# --- Bad input --------------------------------------------------------------------------------------------------

SMALL = ("--size", "4x4")
MINES = ("minesweeper", *SMALL, "--mines", "2", "--start")
PLACED = ("minesweeper", *SMALL, "--start", "1,1", "--mines")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["sudoku"], "puzzle 'sudoku': unknown"),
        (["hops", *SMALL], "generate: makes starbattle, lightup, minesweeper, not hops"),
        (["lightup"], "--size is missing"),
        (["lightup", "--size", "10"], "--size '10': must be ROWSxCOLUMNS"),
        (["lightup", "--size", "axb"], "--size 'axb'"),
        (["lightup", "--size", "0x4"], "size 0x4: there must be a row and a column"),
        (["lightup", "--size", "999x999"], "at most 100000 cells"),
        (["lightup", "--size", "9" * 30 + "x1"], "must be ROWSxCOLUMNS"),
        (["lightup", *SMALL, "--walls", "0"], "open floor has more than one solution"),
        (["lightup", *SMALL, "--walls", "100"], "no floor is left"),
        (["lightup", *SMALL, "--walls", "101"], "must be from 0 to 100"),
        (["lightup", *SMALL, "--symmetry", "diagonal"], "symmetry 'diagonal': walls can have none, hsym"),
        (["lightup", "--size", "4x5", "--symmetry", "quarter-turn"], "4x5 cells are no square"),
        (["lightup", *SMALL, "--stars", "2"], "--stars: not an option of generate lightup"),
        (["lightup", *SMALL, "--mines", "2"], "--mines: not an option of generate lightup"),
        (["lightup", *SMALL, "--no-total"], "--no-total: not an option of generate lightup"),
        (["lightup", *SMALL, "--difficulty", "0"], "--difficulty '0': must be a grade from 1 to 5"),
        (["lightup", *SMALL, "--difficulty", "3-2"], "--difficulty '3-2'"),
        (["lightup", *SMALL, "--difficulty", "hard"], "--difficulty 'hard'"),
        (["lightup", *SMALL, "--seed", "-1"], "--seed -1: must be from 0"),
        (["lightup", *SMALL, "--seed", str(2**31)], f"--seed {2**31}: must be from 0"),
        (["lightup", *SMALL, "--count", "0"], "--count 0: must be from 1"),
        (["lightup", *SMALL, "--count", "10001"], "--count 10001: must be from 1"),
        (["lightup", *SMALL, "--format", "letters"], "form 'letters': not one for new puzzles of lightup"),
        (["lightup", *SMALL, "--per-page", "2"], "--per-page: only with --pdf"),
        (["lightup", *SMALL, "--pdf", "a.pdf", "--per-page", "3"], "--per-page 3: must be one of 1, 2, 4, 6"),
        (["lightup", *SMALL, "--pdf", "a.png"], "a.png: the name must end in .pdf"),
        (["lightup", *SMALL, "--pdf", "no/a.pdf"], "the folder no does not exist"),
        (["lightup", *SMALL, "--out", "no/new"], "no/new: the folder no does not exist"),
        (["lightup", *SMALL, "--time-limit", "0"], "time limit 0.0: must be above 0"),
        (["starbattle", "--size", "4x5"], "--size 4x5: a board has as many rows as columns"),
        (["starbattle", "--size", "x"], "--size 'x': must be a whole number"),
        (["starbattle", "--size", "6", "--variety", "1.5"], "--variety 1.5: must be from 0 to 1"),
        (["starbattle", "--size", "6", "--variety", "nan"], "--variety nan: must be from 0 to 1"),
        (["starbattle", "--size", "6", "--walls", "5"], "--walls: not an option of generate starbattle"),
        (["starbattle", "--size", "5", "--out", "new"], "stars 1: too many for 5"),
        (["minesweeper", *SMALL, "--start", "1,1"], "--mines is missing"),
        (["minesweeper", *SMALL, "--mines", "2"], "--start is missing"),
        ([*MINES, "5,1"], "start row 5, column 1: no cell of 4 rows and 4 columns"),
        ([*MINES, "0,1"], "start row 0, column 1: no cell"),
        ([*MINES, "1"], "start '1': must be ROW,COLUMN"),
        ([*PLACED, "16"], "16 mines: must be from 0 to 15"),
        ([*PLACED, "-1"], "-1 mines: must be from 0 to 15"),
        ([*MINES, "1,1", "--format", "text"], "form 'text': not one for new puzzles of minesweeper"),
        ([*MINES, "1,1", "--difficulty", "2"], "--difficulty: not an option of generate minesweeper"),
        ([*MINES, "1,1", "--symmetry", "none"], "--symmetry: not an option of generate minesweeper"),
    ],
)
def test_generate_refuses_bad_input_in_one_line(
    twinproof: Run, tmp_path: Path, words: list[str], message: str
) -> None:
    status, out, err = twinproof(*words)
    assert (status, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_generate_refuses_a_folder_that_cannot_be_written_before_it_starts(
    twinproof: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules["twinproof.compare.cli.generate"], "make", None)  # to call it would fail
    (tmp_path / "file").write_text("")
    status, _, err = twinproof("lightup", "--size", "4x4", "--out", "file")
    assert (status, err) == (2, "twinproof: file: is there already and is no folder\n")

    def refuse(*arguments: Any, **options: Any) -> Any:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(sys.modules["twinproof.compare.output.records"].tempfile, "mkstemp", refuse)
    status, _, err = twinproof("lightup", "--size", "4x4", "--out", "new")
    assert (status, err) == (2, "twinproof: new/puzzle.txt: cannot be written: Permission denied\n")
    assert not (tmp_path / "new").exists()


# --- Stopped ----------------------------------------------------------------------------------------------------


def test_ctrl_c_keeps_what_is_finished(tmp_path: Path) -> None:
    words = ["lightup", "--size", "6x6", "--count", "10000", "--out", "new", "--json", "--pdf", "book.pdf"]
    process = subprocess.Popen(
        [sys.executable, "-m", "twinproof", "generate", *words],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2] / "src")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    while process.poll() is None and not (tmp_path / "new" / "lightup-6x6-seed2.txt").exists():
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    content = json.loads(out)
    assert (process.returncode, content["complete"], content["stopped"]) == (3, False, "stopped: interrupt")
    assert f"stopped: interrupt; finished: {len(content['puzzles'])} of 10000" in err
    files = {path.name for path in (tmp_path / "new").iterdir()}
    expected = {Path(puzzle["file"]).name for puzzle in content["puzzles"]}
    assert len(expected) >= 3
    assert files == expected | {name.replace(".txt", ".solution.txt") for name in expected}
    assert pages_in(tmp_path / "book.pdf") == content["pages"]


def test_puzzles_of_those_kinds_are_graded_that_have_grades() -> None:
    grades = {name: puzzle.generation.grades for name, puzzle in PUZZLES.items() if puzzle.generation}
    assert {name: callable(getattr(PUZZLES[name].part("hints"), "grade", None)) for name in grades} == grades
    with pytest.raises(InputError, match="difficulty: not an option of generate minesweeper"):
        wish_for(PUZZLES["minesweeper"], 4, 4, {"mines": 1, "start": "1,1"}, (1, 2))
