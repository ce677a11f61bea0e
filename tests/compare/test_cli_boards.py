"""What is asked of boards alone: deduce, play, convert, explain."""

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from decimal import Decimal, localcontext
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.boards import FILES
from tests.support.examples import examples
from tests.support.running import Run, loaded
from tests.support.shared_data import DATA, load
from twinproof.compare.output.convert import convert
from twinproof.models import PUZZLES
from twinproof.optim import InputError, Stop
from twinproof.optim.process.call import Called


@pytest.fixture(autouse=True)
def files(tmp_path: Path) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "binary.txt").write_bytes(b".\xff.")
    (tmp_path / "folder").mkdir()


def test_explain_gives_fewest_rules_and_a_conflict(twinproof: Run) -> None:
    status, content = loaded(twinproof, "explain", "minesweeper", "torn.txt")
    assert (status, content["fewest_broken"], content["smallest"], content["agree"]) == (1, 1, True, True)
    assert [rule["cells"] for rule in content["conflict"]] == [[[1, 1]], [[1, 3]]]
    status, content = loaded(twinproof, "explain", "akari", "dark.txt")
    assert (status, content["fewest_broken"]) == (1, 1)
    assert [rule["cells"] for rule in content["conflict"]] == [[[1, 2]]]
    assert [(rule["rule"], rule["cells"]) for rule in content["at_sight"]] == [("unlit", [[1, 1]])]


def test_explain_conflict_of_star_battle_is_minimal(twinproof: Run) -> None:
    status, content = loaded(twinproof, "explain", "queens", "three.txt")
    assert (status, content["fewest_broken"], len(content["broken"])) == (1, 1, 1)
    # Without rules on touching any placing would do, and without rules on lines no star at all.
    rules = {rule["rule"] for rule in content["conflict"]}
    assert "touching" in rules
    assert rules & {"row", "column"}


def test_explain_flags_and_total_that_no_clue_can_mend(twinproof: Run, tmp_path: Path) -> None:
    (tmp_path / "total.txt").write_text("mines: 3\n11\n..\n", encoding="utf-8")
    assert twinproof("explain", "minesweeper", "total.txt")[0] == 2  # three mines do not fit into two cells
    (tmp_path / "total.txt").write_text("mines: 2\n11\n..\n", encoding="utf-8")
    status, content = loaded(twinproof, "explain", "minesweeper", "total.txt")
    assert (status, content["solvable"]) == (1, False)
    assert "total" in {rule["rule"] for rule in content["conflict"]}
    # Either 1 has the mine of the other: one mine, and not two.
    assert (content["fewest_broken"], [rule["rule"] for rule in content["broken"]]) == (1, ["total"])
    # One of two flags beside a 1 is wrong, and without it the other is right; or the 1 is wrong.
    status, content = loaded(twinproof, "explain", "minesweeper", "flags.txt")
    assert (status, content["fewest_broken"], content["agree"]) == (1, 1, True)
    assert content["may_be_dropped"] == ["clue", "flag", "total"]


def test_explain_says_what_is_in_the_way_and_what_cannot_be_kept_at_all(twinproof: Run, tmp_path: Path) -> None:
    # Without the 0 both ends of the row can have a bulb, so that it is not true that nothing could light them.
    (tmp_path / "row.txt").write_text(".0.#4\n", encoding="utf-8")
    status, out, _ = twinproof("explain", "akari", "row.txt")
    assert status == 1
    zero = "clue: row 1, column 2: there must be 0 bulbs beside the wall"
    dark = "every floor cell must be lit; a bulb that could light it would be beside a 0"
    said = out[out.index("cannot be kept") : out.index("cannot hold together")].splitlines()
    assert said == [
        "cannot be kept, even if all other rules are dropped:",
        "  clue: row 1, column 5: there must be 4 bulbs beside the wall; it has no floor cell beside it",
        "cannot be kept, unless a rule in the way is dropped:",
        f"  unlit: row 1, column 1: {dark}",
        f"    in the way: {zero}",
        f"  unlit: row 1, column 3: {dark}",
        f"    in the way: {zero}",
    ]
    assert "rules that may be dropped: clue; all others are kept\n" in out
    assert "fewest rules to drop: 2, proved\n" in out


def test_explain_a_puzzle_with_a_solution_is_exit_0(twinproof: Run) -> None:
    status, content = loaded(twinproof, "explain", "akari", "corner.txt")
    assert (status, content["solvable"], content["conflict"]) == (0, True, None)


def test_explain_a_cell(twinproof: Run, tmp_path: Path) -> None:
    # The 2 has two cells, both mines; then the 1 is full.
    (tmp_path / "row.txt").write_text(".1.2.\n", encoding="utf-8")
    status, content = loaded(twinproof, "explain", "minesweeper", "row.txt", "--cell", "1,1")
    assert (status, content["mine"], content["smallest"]) == (0, False, True)
    assert [rule["cells"] for rule in content["reasons"]] == [[[1, 2]], [[1, 4]]]
    assert "row 1, column 3: a mine" in twinproof("explain", "minesweeper", "row.txt", "--cell", "1,3")[1]


def test_deduce_draws_what_is_proved(twinproof: Run, tmp_path: Path) -> None:
    (tmp_path / "row.txt").write_text(".1.2.\n", encoding="utf-8")
    status, out, _ = twinproof("deduce", "minesweeper", "row.txt")
    assert (status, out.splitlines()[0]) == (0, "s 1 * 2 *")
    status, content = loaded(twinproof, "deduce", "minesweeper", "row.txt", "--count")
    assert (content["safe"], content["mines"], content["open"]) == ([[1, 1]], [[1, 3], [1, 5]], [])
    assert (content["agree"], content["layouts"]) == (True, 1)


def test_deduce_gives_exact_probabilities(twinproof: Run) -> None:
    status, content = loaded(twinproof, "deduce", "minesweeper", "beach.txt", "--probabilities")
    assert (status, content["layouts"]) == (0, 2)
    assert content["probabilities"] == [
        {"cell": [2, 1], "probability": "1/2", "probability_float": 0.5},
        {"cell": [2, 2], "probability": "1/2", "probability_float": 0.5},
    ]
    assert "row 2, column 1: 1/2" in twinproof("deduce", "minesweeper", "beach.txt", "--probabilities")[1]


def test_deduce_a_contradiction_is_exit_1_and_named(twinproof: Run) -> None:
    status, content = loaded(twinproof, "deduce", "minesweeper", "torn.txt")
    assert (status, content["solvable"], content["agree"]) == (1, False, True)
    assert [rule["cells"] for rule in content["conflict"]] == [[[1, 1]], [[1, 3]]]
    # Two trusted flags beside a 1; without trust one of them is wrong, or neither is right.
    status, content = loaded(twinproof, "deduce", "minesweeper", "flags.txt", "--no-trust-flags")
    assert (status, content["solvable"], content["options"]["trust_flags"]) == (0, True, False)


def test_play_reveals_and_proves(twinproof: Run) -> None:
    status, content = loaded(twinproof, "play", "minesweeper", "mines.txt", "--start", "3,3")
    assert (status, content["safe_revealed"], content["mines_proved"], content["undetermined"]) == (0, 8, 1, 0)
    assert content["picture"] == ["X10", "110", "000"]
    status, out, _ = twinproof("play", "minesweeper", "mines.txt", "--start", "2,2")
    assert (status, out.splitlines()[1:4]) == (0, ["???", "?1?", "???"])
    # A total of one mine says nothing about where it is either.
    assert (
        loaded(twinproof, "play", "minesweeper", "mines.txt", "--start", "2,2", "--mines-known")[1]["undetermined"]
        == 8
    )


def test_play_the_exercise(twinproof: Run) -> None:
    expected = load("taocp/ex114_part_b.json")["cases"]
    status, content = loaded(twinproof, "play", "minesweeper", str(DATA / "taocp" / "cheshire.txt"), "--cases")
    assert (status, sorted(content["cases"])) == (0, ["i", "ii", "iii", "iv", "v"])
    for case, known in expected.items():
        played = content["cases"][case]
        for key in ("start", "safe_revealed", "mines_proved", "undetermined", "picture"):
            assert played[key] == known[key]


@pytest.mark.parametrize(
    ("name", "source", "forms"),
    [
        ("starbattle", "two.txt", ["puzzlink", "letters", "text", "json", "alberi"]),
        ("starbattle", "alberi.txt", ["letters", "text", "json", "alberi"]),
        ("lightup", "source.txt", ["grid", "tatham", "puzzlink", "text", "json"]),
        ("minesweeper", "beach.txt", ["text", "puzzlink", "json"]),
        ("minesweeper", "told.txt", ["mine", "text", "json"]),
        ("minesweeper", "mines.txt", ["mbf", "tatham", "json", "text"]),
    ],
)
def test_convert_from_form_to_form_and_back(
    twinproof: Run, tmp_path: Path, name: str, source: str, forms: list[str]
) -> None:
    assert twinproof("convert", name, source, "--to", forms[0], "--output", "first")[0] == 0
    first = (tmp_path / "first").read_bytes()
    before = first
    for form, following in zip(forms, [*forms[1:], forms[0]], strict=True):
        before = convert(PUZZLES[name], before, "file", following, {"format": form})
    assert before == first


def test_convert_is_told_what_a_file_does_not_say(twinproof: Run) -> None:
    status, out, _ = twinproof("convert", "minesweeper", "beach.txt", "--to", "mine", "--mines", "2")
    assert (status, out.splitlines()[0].rpartition("x")[2]) == (0, "2")


def test_convert_binary_to_standard_output() -> None:
    process = subprocess.run(
        [sys.executable, "-m", "twinproof", "convert", "minesweeper", "-", "--to", "mbf"],
        input=b"*.\n..\n",
        capture_output=True,
        check=False,
    )
    assert (process.returncode, process.stdout, process.stderr) == (0, bytes([2, 2, 0, 1, 0, 0]), b"")


@examples(150)
@given(
    st.sampled_from(["starbattle", "lightup", "minesweeper"]),
    st.one_of(
        st.binary(max_size=40),
        st.text("ab.*#01F?x- \n", max_size=30).map(str.encode),
        st.lists(st.text(".*", min_size=3, max_size=3), min_size=1, max_size=4).map("\n".join).map(str.encode),
        st.lists(st.text("AB.#1F", min_size=2, max_size=2), min_size=2, max_size=2).map("\n".join).map(str.encode),
    ),
    st.sampled_from(["puzzlink", "json", "text", "alberi", "letters", "tatham", "grid", "mine", "mbf"]),
)
def test_convert_gives_the_same_puzzle_or_the_format_error(name: str, data: bytes, to: str) -> None:
    # That nothing is lost is checked by `convert` itself, which else raises another error.
    with suppress(InputError):
        assert convert(PUZZLES[name], data, "file", to)


def test_an_interrupt_before_any_answer_is_exit_3(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    words = ["play", "minesweeper", str(tmp_path / "pipe"), "--cases", "--json"]
    process = subprocess.Popen(
        [sys.executable, "-m", "twinproof", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    with (tmp_path / "pipe").open("wb"):  # opened as soon as the command reads it
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (3, "")
    assert "Traceback" not in err


def test_a_form_that_looks_like_another_is_said(twinproof: Run, tmp_path: Path) -> None:
    # In `alberi` a point is a cell that is forced empty; without a blank it looks like `letters`, where it is not.
    (tmp_path / "al.txt").write_text(".ABB\nAABB\nCCBB\nDDDD\n")
    status, out, err = twinproof("convert", "queens", "al.txt", "--from", "alberi", "--to", "alberi")
    assert (status, out) == (0, ".ABB\nAABB\nCCBB\nDDDD\n")
    assert "--format alberi" in err


def test_cells_of_boards_that_force_nothing(twinproof: Run, tmp_path: Path) -> None:
    (tmp_path / "against.txt").write_text("0F\n..\n")
    (tmp_path / "open.txt").write_text("1.\n..\n")
    status, out, _ = twinproof("explain", "minesweeper", "against.txt", "--cell", "2,2", "--json")
    assert status == 1
    assert json.loads(out)["conflict"]
    status, out, _ = twinproof("explain", "minesweeper", "open.txt", "--cell", "2,2", "--json")
    assert (status, json.loads(out)["mine"]) == (1, None)


def test_counts_of_any_size_are_written_out(twinproof: Run, tmp_path: Path) -> None:
    (tmp_path / "wide.txt").write_text((("." * 150) + "\n") * 100)
    status, out, _ = twinproof("deduce", "minesweeper", "wide.txt", "--count", "--json")
    # Python alone refuses to read so long a number.
    content = json.loads(out, parse_int=Decimal)
    with localcontext(prec=5000):
        assert (status, content["layouts"]) == (0, Decimal(2) ** 15000)
        assert Decimal(content["layouts_text"]) == Decimal(2) ** 15000


def test_a_stopped_deduction_is_an_object_all_the_same(twinproof: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("twinproof.models.minesweeper.questions.call", lambda *_, **__: Called((), Stop.TIME))
    status, out, err = twinproof("deduce", "minesweeper", "beach.txt", "--json")
    content = json.loads(out)
    assert (status, content["status"], content["stopped"]) == (3, "unknown", "time limit")
    assert err == "twinproof: stopped: time limit\n"
