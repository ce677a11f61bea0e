"""The commands certify and verify."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.oracle import fields as brute
from tests.support.certificates import MADE, make
from tests.support.running import Run
from tests.support.strategies import drawn_rows
from twinproof.models import PUZZLES
from twinproof.models.field.maps import named_field
from twinproof.models.text.sources import Inline
from twinproof.optim import InputError


def test_the_commands_make_and_verify(twinproof: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    status, out, err = twinproof("certify", "sprinklers", "grid:4x4")
    assert (status, err) == (0, "")
    assert out == (
        'sprinklers grid:4x4 (kind "basic", no nozzle, symmetry not given): fewest-sprinklers: 4, '
        "and no layout is better: "
        "reports/certificates/sprinklers-grid-4x4.json\n"
    )
    path = tmp_path / "reports" / "certificates" / "sprinklers-grid-4x4.json"
    assert sorted(file.name for file in path.parent.iterdir()) == [path.name, "sprinklers-grid-4x4.lrat.xz"]
    assert json.loads(path.read_text())["command"] == "twinproof certify sprinklers grid:4x4"
    status, out, err = twinproof("verify", str(path))
    assert (status, err) == (0, "")
    assert out.endswith("valid\n")
    monkeypatch.setenv("PATH", "")
    monkeypatch.setitem(sys.modules, "dratify", None)
    status, out, err = twinproof("verify", str(path), "--external-checkers")
    assert status == 0
    assert out.endswith(
        "valid\ndratify: skipped: the package dratify is not installed\nacl2: skipped: there is no program acl2\n"
    )
    status, out, err = twinproof("verify", str(path), "--json", "--external-checkers")
    content = json.loads(out)
    assert (status, content["valid"]) == (0, True)
    assert set(content["external_checkers"]) == {"dratify", "acl2"}
    # Cut off, and gone.
    proof = path.with_name("sprinklers-grid-4x4.lrat.xz")
    proof.write_bytes(proof.read_bytes()[:-10])
    status, out, _ = twinproof("verify", str(path))
    assert status == 1
    assert "is cut off\nNOT VALID\n" in out
    proof.unlink()
    status, out, err = twinproof("verify", str(path))
    assert (status, out, err.count("\n")) == (2, "", 1)


def test_the_commands_say_why_there_is_no_certificate(in_children: Run, tmp_path: Path) -> None:
    (tmp_path / "two.txt").write_text("..\n..\n")  # bulbs on either diagonal
    status, out, _ = in_children("certify", "lightup", "two.txt", "--output", "a.json")
    assert (status, out.splitlines()[-1]) == (1, "not unique")
    status, out, _ = in_children(
        "certify", "sprinklers", "grid:16x16", "--time-limit", "0.3", "--output", "a.json"
    )
    assert (status, out) == (3, "not proved; time limit\n")
    assert [path.name for path in tmp_path.iterdir()] == ["two.txt"]


@pytest.mark.parametrize(
    "words",
    [
        ["sprinklers", "grid:4x4", "--claim", "unique"],
        ["sprinklers", "grid:4x4", "--claim", "best"],
        ["sprinklers", "grid:4x4", "--by", "frontier"],
        ["sprinklers", "grid:4x4", "--by", "magic"],
        ["sprinklers", "grid:4x4", "--objective", "most-hops"],
        ["sprinklers", "grid:4x4", "--at-most", "3", "--claim", "optimum"],
        ["sprinklers", "grid:4x4", "--at-most", "3", "--at-least", "3"],
        ["sprinklers", "grid:4x4", "--harvest", "4"],
        ["sprinklers", "grid:4x4", "--output", "no/x.json"],
        ["sprinklers", "grid:4x4", "--output", "x.txt"],
        ["hops", "disc:9", "--by", "frontier", "--symmetry", "hsym"],
        ["hops", "disc:9", "--objective", "fewest-sprinklers"],
        ["minesweeper", "nowhere.txt"],
    ],
)
def test_certify_refuses_what_it_cannot_do(twinproof: Run, tmp_path: Path, words: list[str]) -> None:
    status, out, err = twinproof("certify", *words)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{}", "form: must be"),
        ('{"form": "twinproof clause certificate 2"}', "form: must be"),
        ("[]", "must be a JSON object"),
        ("", "no JSON"),
        ("[" * 100_000, "no JSON"),
        ('{"form": 1, "form": 1}', "a key stands twice"),
        ('{"form": "twinproof clause certificate 1"}', "certificate: command: is missing"),
        ('{"form": "twinproof clause certificate 1", "command": ' + "1" * 5000 + "}", "no JSON"),
        ('{"form": "twinproof frontier certificate 1"}', "is missing"),
    ],
)
def test_verify_refuses_what_is_no_certificate(twinproof: Run, tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "a.json").write_text(text)
    status, out, err = twinproof("verify", "a.json")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert says in err


def test_a_key_that_stands_twice_is_refused_in_every_file() -> None:
    with pytest.raises(InputError, match="a key stands twice"):
        PUZZLES["lightup"].read(Inline("bulbs", '{"grid": ["."], "grid": [".."]}'))


def test_no_solver_is_loaded_by_the_verifier(tmp_path: Path) -> None:
    cases = ("sprinklers", "hops", "starbattle", "lightup", "minesweeper")
    for case in cases:
        (tmp_path / case).mkdir()
        make(MADE[case][0], tmp_path / case)
    script = """
import re, sys
from twinproof.compare.cli.main import main
solvers = re.compile(r"pysat|pysolvers|ortools|numba|twinproof\\.optim\\.(cpsat\\w*|maxsat|sat|frontier)(\\.|$)|"
    r"twinproof\\.models\\.\\w+\\.(cpsat|maxsat|linear_search|frontier)")
for path in sys.argv[1:]:
    try:
        main(["verify", path])
    except SystemExit as left:
        print("left", left.code, sorted(name for name in sys.modules if solvers.match(name)))
"""
    words = [sys.executable, "-c", script, *(str(tmp_path / case / "made.json") for case in cases)]
    ran = subprocess.run(words, capture_output=True, text=True, check=True)
    assert [line for line in ran.stdout.splitlines() if line.startswith("left")] == ["left 0 []"] * len(cases)


@pytest.mark.parametrize("name", ["disc:1", "disc:2", "grid:1x1", "grid:1x3"])
def test_the_smallest_fields_are_certified_by_states(twinproof: Run, name: str) -> None:
    rows = drawn_rows(named_field(name))
    most = max(brute.hops_front(rows, "basic", False, None, 4, frozenset(), False))
    status, out, _ = twinproof("certify", "hops", name, "--by", "frontier", "--output", "c.json")
    assert (status, out.split(": ")[2]) == (0, f"{most}, and no layout is better")
    assert twinproof("verify", "c.json")[0] == 0
