"""A command says in one line which part of a puzzle it lacks, before anything is written."""

import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType

import pytest

from tests.support.running import Run
from twinproof.compare.cli.main import COMMANDS, commands
from twinproof.models import PUZZLES
from twinproof.models.catalogue import GROUP
from twinproof.models.puzzle import Puzzle
from twinproof.optim import InputError

BARE = ("bare", "p.txt")

LACKS: dict[tuple[str, ...], str] = {
    ("solve", *BARE): "bare: this needs the part cpsat, and the puzzle has none",
    ("solve", *BARE, "--engine", "both"): "bare: this needs the part cpsat",
    ("solve", *BARE, "--engine", "maxsat", "--record", "r.json"): "bare: this needs the part maxsat",
    ("solve", *BARE, "--engine", "all", "--picture", "p.png"): "bare: this needs the part cpsat",
    ("solve", *BARE, "--engine", "frontier"): "bare has no model for it; it has none at all",
    ("solve", *BARE, "--engine", "linear-search"): "bare has no model for it; it has none at all",
    ("unique", *BARE): "unique: bare has no objective farthest",
    ("explain", *BARE): "explain: bare has no rules that could be dropped",
    ("hint", *BARE): "hint: there are no hints for bare",
    ("generate", "bare", "--size", "4", "--out", "new"): "generate: makes starbattle",
    ("convert", *BARE, "--to", "text", "--output", "c.txt"): "convert: bare has one form only",
    ("count", *BARE): "bare has no model for the frontier engine",
    ("certify", *BARE): "bare: this needs the part clauses, and the puzzle has none",
    ("certify", *BARE, "--claim", "optimum", "--output", "c.json"): "bare: this needs the part clauses",
    ("certify", *BARE, "--claim", "optimum", "--by", "frontier"): "bare has no frontier certificate",
    ("certify", *BARE, "--claim", "unique"): "bare: this needs the part clauses",
    ("certify", *BARE, "--claim", "infeasible"): "bare: this needs the part clauses",
    ("certify", *BARE, "--claim", "infeasible", "--at-least", "5"): "bare: this needs the part clauses",
    ("certify", *BARE, "--claim", "forced"): "bare: this needs the part clauses",
    ("export", *BARE): "bare: this needs the part maxsat",
    ("export", *BARE, "--to", "cpsat", "--output", "m.txt"): "bare: this needs the part cpsat",
    ("verify", "frontier.json"): "puzzle: 'bare' has no frontier certificates",
    ("verify", "clauses.json"): "bare: this needs the part clauses",
    ("front", *BARE): "front: only for hops, not bare",
    ("deduce", *BARE): "deduce: only for minesweeper, not bare",
    ("play", *BARE): "play: only for minesweeper, not bare",
}

CERTIFICATES = {
    "frontier.json": '{"form": "twinproof frontier certificate 1", "puzzle": "bare"}',
    "clauses.json": """{"form": "twinproof clause certificate 1", "puzzle": "bare", "command": "",
        "encoding": "plain 1", "instance": {"name": "p.txt", "grid": [".."]}, "claim": {"kind": "infeasible"},
        "layouts": [], "formula": {"variables": 2, "clauses": 0, "digest": ""}, "instance_digest": "",
        "proof": {"file": "p.lrat.xz", "steps": 1, "digest": ""}}""",
    "p.lrat.xz": "",
}


@pytest.fixture(autouse=True)
def bare_installed(twinproof: Run, tmp_path: Path) -> Iterator[None]:
    (tmp_path / "p.txt").write_text("..\n..\n")
    for name, text in CERTIFICATES.items():
        (tmp_path / name).write_text(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PUZZLES, "_from_outside", {"bare": EntryPoint("bare", "tests.support.bare", GROUP)})
        patch.setattr(PUZZLES, "loaded", dict(PUZZLES.loaded))
        yield


@pytest.mark.parametrize("words", LACKS, ids=" ".join)
def test_what_a_puzzle_lacks_is_said_in_a_line(words: tuple[str, ...], twinproof: Run, tmp_path: Path) -> None:
    before = sorted(tmp_path.rglob("*"))
    status, out, err = twinproof(*words)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert LACKS[words] in err
    assert sorted(tmp_path.rglob("*")) == before


def test_every_command_is_asked() -> None:
    asked = {words[0] for words in LACKS}
    # These need nothing: the rules are always there, and a suite leaves out what a puzzle has no model for.
    assert asked | {"check", "list", "compare"} == commands().keys() | COMMANDS.keys()


def test_what_needs_nothing_works(twinproof: Run) -> None:
    assert twinproof("check", "bare", "p.txt", "p.txt")[0] == 0
    assert "bare" in twinproof("list")[1]


def test_a_part_that_lacks_something_and_a_puzzle_without_a_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle: Puzzle[object] = PUZZLES["bare"]
    empty = ModuleType("tests.support.bare.clauses")
    monkeypatch.setattr(Puzzle, "has", lambda self, name: True)
    monkeypatch.setitem(sys.modules, empty.__name__, empty)
    with pytest.raises(InputError, match="bare: this needs encode in the part clauses, and there is none"):
        puzzle.part("clauses", "encode")
    monkeypatch.undo()
    assert not replace(PUZZLES["lightup"], package="tests.support.running").has("clauses")
