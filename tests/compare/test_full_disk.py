"""Where nothing more can be written, a command says in one line which file it is and what is left of it."""

import errno
import io
import os
import sys
import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests.support.running import Run
from twinproof.compare.campaign.results import Results, open_results
from twinproof.compare.cli.main import commands
from twinproof.compare.output import records
from twinproof.compare.output.records import save_details, write_files
from twinproof.optim import EngineError, InputError, OutputError
from twinproof.optim.proof.refute import refute

FULL = Path("/dev/full")

pytestmark = pytest.mark.skipif(not FULL.exists(), reason="no /dev/full, which is never short of a full disk")

BOARD = "AAABBB\nABBBCC\nADDEEC\nFFDDEC\nFEEEEC\nFCCCCC\n"
STARS = ".*....\n....*.\n..*...\n.....*\n*.....\n...*..\n"

WRITES: dict[str, str] = {
    "solve sprinklers grid:3x3 --record x.json": "x.json",
    "solve sprinklers grid:3x3 --picture x.png": "x.png",
    "solve sprinklers grid:3x3 --picture x.svg": "x.svg",
    "unique queens six.txt --record x.json": "x.json",
    "explain queens six.txt --record x.json": "x.json",
    "hint queens six.txt --record x.json": "x.json",
    "count hops disc:2 --record x.json": "x.json",
    "front disc:2 --record x.json": "x.json",
    "deduce minesweeper beach.txt --record x.json": "x.json",
    "play minesweeper mines.txt --start 3,3 --record x.json": "x.json",
    "certify queens six.txt --output x.json": "x.lrat.xz",
    "certify minesweeper beach.txt --output x.json": "x.lrat.xz",
    "certify hops disc:2 --output x.json": "x.json",
    "export sprinklers grid:3x3 --output x.wcnf": "x.wcnf",
    "export sprinklers grid:3x3 --to cpsat --output x.txt": "x.txt",
    "convert queens six.txt --to json --output x.json": "x.json",
    "generate akari --size 3x3 --pdf x.pdf": "x.pdf",
    "generate akari --size 3x3 --out x": "x/lightup-3x3-seed0.solution.txt",
}

PRINTS = (
    "solve sprinklers grid:3x3",
    "solve sprinklers grid:3x3 --json",
    "check queens six.txt stars.txt",
    "unique queens six.txt",
    "explain queens six.txt",
    "hint queens six.txt",
    "count hops disc:2",
    "front disc:2",
    "deduce minesweeper beach.txt",
    "play minesweeper mines.txt --start 3,3",
    "certify queens six.txt --output x.json",
    "verify x.json",
    "export sprinklers grid:3x3",
    "convert queens six.txt --to json",
    "generate akari --size 3x3",
    "list",
    "solve --help",
    "--help",
    "--version",
)


@pytest.fixture(autouse=True)
def inputs(tmp_path: Path, twinproof: Run) -> Iterator[None]:
    (tmp_path / "six.txt").write_text(BOARD)
    (tmp_path / "stars.txt").write_text(STARS)
    (tmp_path / "beach.txt").write_text("....\n1232\n")
    (tmp_path / "mines.txt").write_text("*..\n...\n...\n")
    yield
    assert not list(tmp_path.rglob(records.TEMPORARY + "*"))


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every new file lead to where there is never any space."""
    numbers = count()

    def beside(path: Path) -> Path:
        temporary = path.with_name(f"{records.TEMPORARY}{next(numbers)}{path.suffix}")
        temporary.symlink_to(FULL)
        return temporary

    monkeypatch.setattr(records, "_temporary_beside", beside)


def files(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.mark.parametrize("line", WRITES)
@pytest.mark.usefixtures("full_disk")
def test_a_full_disk_leaves_all_as_it_was(line: str, twinproof: Run, tmp_path: Path) -> None:
    file = tmp_path / WRITES[line]
    if file.parent != tmp_path:
        file.parent.mkdir()
    for before, left in ((None, "nothing is left of it"), ("old", "what was there before is kept")):
        if before is not None:
            if line.startswith("generate") and "--out" in line:
                return  # what is there is never written over
            (tmp_path / "x.json").write_text(before)
            file.write_text(before)
        kept = files(tmp_path)
        status, _, err = twinproof(*line.split())
        assert status == 4
        says = f"twinproof: {WRITES[line]}: cannot be written: No space left on device; {left}"
        assert err.splitlines()[-1] == says
        assert files(tmp_path) == kept


@pytest.mark.usefixtures("full_disk")
def test_what_was_found_is_shown_all_the_same(twinproof: Run) -> None:
    for line in ("solve sprinklers grid:3x3 --record x.json", "generate akari --size 3x3 --pdf x.pdf"):
        _, out, err = twinproof(*line.split())
        assert out
        assert "Traceback" not in err


@pytest.mark.parametrize("line", WRITES)
def test_a_file_that_cannot_be_written_is_refused_before_the_work(
    line: str, twinproof: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = line.rsplit(maxsplit=1)[-1]
    (tmp_path / "folder.txt").mkdir()

    def fail(**arguments: Any) -> Any:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), "x")

    cases = [(f"missing/{name}/" if "--out " in line else f"missing/{name}", "does not exist")]
    if "--out " not in line:
        (tmp_path / "d").mkdir()
        (tmp_path / "d" / name).mkdir()
        cases.append((f"d/{name}", "is there already and is no file"))
    kept = sorted(tmp_path.rglob("*"))
    for where, says in cases:
        status, out, err = twinproof(*line.split()[:-1], where.rstrip("/"))
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert says in err
        assert sorted(tmp_path.rglob("*")) == kept
    monkeypatch.setattr(tempfile, "mkstemp", fail)
    status, out, err = twinproof(*line.split())
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "cannot be written: Permission denied" in err
    assert sorted(tmp_path.rglob("*")) == kept


@pytest.mark.parametrize("line", PRINTS)
def test_standard_output_that_is_full_or_closed(
    line: str, twinproof: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    if line.startswith("verify"):
        twinproof("certify", "queens", "six.txt", "--output", "x.json")
    expected = twinproof(*line.split())[0]
    with monkeypatch.context() as patch, FULL.open("w") as full:
        patch.setattr(sys, "stdout", full)
        status, _, err = twinproof(*line.split())
    assert (status, err.splitlines()[-1]) == (
        4,
        "twinproof: standard output: cannot be written: No space left on device",
    )
    read, write = os.pipe()
    os.close(read)
    with monkeypatch.context() as patch, os.fdopen(write, "w") as closed:
        patch.setattr(sys, "stdout", closed)
        status, _, err = twinproof(*line.split())
    assert (status, err.count("Traceback")) == (expected, 0)
    # A message that nobody can read changes nothing.
    with monkeypatch.context() as patch, FULL.open("w") as full:
        patch.setattr(sys, "stderr", full)
        assert twinproof(*line.split())[0] == expected


def test_every_command_is_tried() -> None:
    tried = {line.split()[0] for line in (*WRITES, *PRINTS)}
    assert tried >= commands().keys() - {"compare"}  # see below


def test_files_are_written_although_standard_output_is_full(
    twinproof: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with FULL.open("w") as full:
        monkeypatch.setattr(sys, "stdout", full)
        assert twinproof("solve", "sprinklers", "grid:3x3", "--record", "r.json", "--picture", "p.svg")[0] == 4
    assert (tmp_path / "r.json").is_file()
    assert (tmp_path / "p.svg").is_file()


def test_a_certificate_is_never_left_with_the_proof_of_another(
    twinproof: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert twinproof("certify", "queens", "six.txt", "--output", "x.json")[0] == 0
    kept = files(tmp_path)

    def no_text(*arguments: Any) -> str:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("twinproof.compare.certificates.certify.json_text", no_text)
    status, out, err = twinproof("certify", "sprinklers", "grid:3x3", "--output", "x.json")
    assert (status, out, err.count("\n")) == (4, "", 1)
    assert files(tmp_path) == kept
    assert twinproof("verify", "x.json")[0] == 0


def test_several_files_are_written_together_or_not_at_all(tmp_path: Path) -> None:
    one, other = tmp_path / "one.txt", tmp_path / "other.txt"
    one.write_text("old")

    def fail(path: Path) -> None:
        path.write_text("half")
        raise OSError(errno.ENOSPC, "no space", "/somewhere")

    with pytest.raises(OutputError) as unwritten:
        write_files({one: "new", other: fail})
    assert str(unwritten.value) == f"{other}: cannot be written: no space (/somewhere); nothing is left of it"
    assert one.read_text() == "old"
    assert not other.exists()
    write_files({one: "new\n", other: b"\x00"})
    assert (one.read_bytes(), other.read_bytes()) == (b"new\n", b"\x00")


def test_results_before_a_full_disk_are_kept(tmp_path: Path) -> None:
    class Full(io.BytesIO):
        name = "r.jsonl"

        def write(self, data: Any) -> int:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with pytest.raises(OutputError, match=r"^r\.jsonl: cannot be written: .*; the results before .* are kept$"):
        Results(Full(), [], True).append({"key": "k"})
    (tmp_path / "d.jsonl").symlink_to(FULL)
    with pytest.raises(InputError, match="is no file"), open_results(tmp_path / "d.jsonl"):
        pass


def test_a_proof_that_is_cut_off_by_a_full_disk_is_no_fault_of_the_solver(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    square = [(1, 2), (-1, 2), (1, -2), (-1, -2)]
    monkeypatch.setattr("twinproof.optim.proof.refute._find_empty", lambda frat: (1, 0))
    with pytest.raises((EngineError, LookupError, ValueError)):
        refute(square, tmp_path / "p.lrat.xz")

    def full(frat: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/tmp")

    monkeypatch.setattr("twinproof.optim.proof.refute._check_space", full)
    with pytest.raises(OSError, match="No space left"):
        refute(square, tmp_path / "p.lrat.xz")


def test_a_failure_is_told_although_its_details_cannot_be_saved(
    twinproof: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    error = EngineError("broken")
    error.add_note("details")

    def fail(*arguments: Any) -> Any:
        raise error

    monkeypatch.setattr("twinproof.compare.cli.solve.crosscheck", fail)
    monkeypatch.setattr(os, "fdopen", lambda number, *more, **other: FULL.open("w"))
    status, _, err = twinproof("solve", "sprinklers", "grid:3x3")
    assert (status, err.count("\n")) == (4, 1)
    assert "an engine failed: broken; the details could not be saved here: No space left on device" in err
    with pytest.raises(OSError, match="No space left"):
        save_details(error)
    assert not list(tmp_path.glob("twinproof-error-*"))
