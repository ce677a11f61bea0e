"""A record is a layout with the question that it answers."""

import json
from pathlib import Path
from typing import Any

import pytest

import twinproof
from tests.support.running import Run, loaded
from twinproof.models import PUZZLES
from twinproof.models.drawn import read_layout
from twinproof.models.text.sources import Inline, LayoutText, read_layout_text
from twinproof.optim import InputError

RECORDS = Path(__file__).parents[2] / "reports" / "records"


def with_layout(path: Path) -> bool:
    return "layout" in json.loads(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "path", [one for one in sorted(RECORDS.glob("*.json")) if with_layout(one)], ids=lambda p: p.stem
)
def test_published_records_are_read_with_their_options(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(RECORDS.parents[1])  # fields that have no name are files beside the records
    content = json.loads(path.read_text(encoding="utf-8"))
    puzzle, given = PUZZLES.find(content["puzzle"]), read_layout_text(str(path))
    instance = puzzle.read(content["instance"], {}, given)
    assert puzzle.describe(instance) == content["options"]
    assert puzzle.rules.violations(instance, read_layout(puzzle, instance, given)) == []


def record(options: dict[str, Any], puzzle: str = "hops") -> LayoutText:
    content = {"puzzle": puzzle, "instance": "grid:2x2", "options": options, "layout": ["H.", ".S"]}
    return read_layout_text(Inline("r.json", json.dumps(content)))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"harvest": 4}, "r.json: the record is of --harvest 8, and --harvest 4 is given"),
        ({"nozzle": True}, "r.json: the record is of no --nozzle, and --nozzle is given"),
        ({"symmetry": "hsym"}, "r.json: the record is of no --symmetry, and --symmetry hsym is given"),
        ({"entrance": ["1,1"]}, "r.json: the record is of --entrance 1,2 2,1, and --entrance 1,1 is given"),
        ({"kind": "iridium"}, "r.json: the record is of --kind basic, and --kind iridium is given"),
    ],
)
def test_options_beside_a_record_must_be_its_own(given: dict[str, Any], message: str) -> None:
    said = {"kind": "basic", "nozzle": False, "harvest": 8, "entrances": [[1, 2], [2, 1]], "dry_paths": True}
    with pytest.raises(InputError) as refused:
        PUZZLES["hops"].read("grid:2x2", given, record(said))
    assert str(refused.value) == message


def test_options_that_a_record_says_too_may_be_given() -> None:
    said = {"kind": "basic", "nozzle": False, "harvest": 8, "entrances": [[1, 2], [2, 1]], "dry_paths": True}
    same = {"harvest": 8, "entrance": ["2,1", "1,2"], "dry_paths": True, "nozzle": False, "kind": "basic"}
    hops = PUZZLES["hops"]
    assert hops.read("grid:2x2", same, record(said)) == hops.read("grid:2x2", {}, record(said))
    # An old record does not say what had no other value then.
    assert hops.read("grid:2x2", {"harvest": 4}, record({"kind": "quality"})).harvest == 4


@pytest.mark.parametrize(
    "content",
    [
        '{"layout": ["S."], "options": []}',
        '{"layout": ["S."], "puzzle": 1}',
        '{"layout": "S."}',
        '{"layout": ["S."], "options": {"entrances": 5}, "puzzle": "hops"}',
        '{"layout": ["S."], "options": {"entrances": [[1]]}, "puzzle": "hops"}',
        '{"layout": ["S."], "options": {"harvest": "8"}, "puzzle": "hops"}',
        '{"layout": ["S."], "options": {"harvest": 8}, "puzzle": "sprinklers"}',
    ],
)
def test_a_damaged_record_is_refused(content: str) -> None:
    with pytest.raises(InputError) as refused:
        PUZZLES["hops"].read("grid:1x2", {}, read_layout_text(Inline("r.json", content)))
    assert "\n" not in str(refused.value)


def test_the_library_takes_a_record_with_its_options(tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    content = {"puzzle": "hops", "instance": "grid:2x2", "options": {"dry_paths": True}, "layout": ["..", ".."]}
    path.write_text(json.dumps(content), encoding="utf-8")
    assert not twinproof.check("hops", "grid:2x2", ["..", ".."]).valid  # nothing is watered
    assert twinproof.check("hops", "grid:2x2", path).valid  # and need not be
    with pytest.raises(InputError, match="the record is of --harvest 4, and --harvest 8 is given"):
        twinproof.check("hops", "grid:2x2", path, harvest=8)
    with pytest.raises(InputError, match="--harvest 8 is given"):
        twinproof.check("hops", twinproof.read("hops", "grid:2x2", harvest=8), path)


def test_a_layout_to_differ_from_brings_its_options_too(twinproof: Run, tmp_path: Path) -> None:
    (tmp_path / "board.txt").write_text(".1.\n", encoding="utf-8")
    assert twinproof("solve", "minesweeper", "board.txt", "--mines", "1", "--record", "r.json")[0] == 0
    asked = ["minesweeper", "board.txt", "--apart-from", "r.json", "--objective", "farthest"]
    status, content = loaded(twinproof, "solve", *asked)
    assert (status, content["value"], content["options"]["mines"]) == (0, 2, 1)
    status, out, err = twinproof("solve", *asked, "--mines", "2")
    assert (status, out) == (2, "")
    assert err == "twinproof: r.json: the record is of --mines 1, and --mines 2 is given\n"


def test_a_trusted_flag_in_a_hint_is_a_mine(twinproof: Run, tmp_path: Path) -> None:
    (tmp_path / "board.txt").write_text("F1.\n...\n", encoding="utf-8")
    status, out, _ = twinproof("hint", "minesweeper", "board.txt", "--all")
    (tmp_path / "hinted.txt").write_text(out, encoding="utf-8")
    assert (status, out.splitlines()[1]) == (0, " F  1  x")
    status, content = loaded(twinproof, "check", "minesweeper", "board.txt", "hinted.txt")
    assert (status, content["layout"]) == (0, ["*1.", "..."])
    # Of a flag that may be wrong the hint does not say whether it is.
    status, out, err = twinproof("check", "minesweeper", "board.txt", "hinted.txt", "--no-trust-flags")
    assert (status, out) == (2, "")
    assert "'F' is neither '*' (mine) nor '.' (no mine)" in err
