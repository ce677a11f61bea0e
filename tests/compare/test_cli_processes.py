"""The command as a process: terminals, pipes, stops, its children."""

import json
import os
import pty
import re
import signal
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.support.running import Run, loaded


def test_solve_on_a_terminal_shows_colour_and_a_live_line() -> None:
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "twinproof", "solve", "sprinklers", "disc:9"],
        stdout=follower,
        stderr=follower,
        env={**os.environ, "TERM": "xterm-256color", "COLUMNS": "100"},
    )
    os.close(follower)
    seen = b""
    while True:
        try:
            data = os.read(leader, 4096)
        except OSError:
            break
        if not data:
            break
        seen += data
    os.close(leader)
    assert process.wait() == 0
    assert b"cpsat: value" in seen
    assert b"gap" in seen
    assert b"\x1b[" in seen
    assert b"proved optimal" in seen


@pytest.mark.parametrize(
    ("engine", "stop"),
    [
        # CP-SAT is the first of both, and it is that which is stopped.
        ("both", signal.SIGTERM),
        ("maxsat", signal.SIGINT),
        pytest.param("both", signal.SIGINT, marks=pytest.mark.slow),
        pytest.param("maxsat", signal.SIGTERM, marks=pytest.mark.slow),
        pytest.param("cpsat", signal.SIGINT, marks=pytest.mark.slow),
        pytest.param("cpsat", signal.SIGTERM, marks=pytest.mark.slow),
    ],
)
def test_a_stopped_solve_gives_the_best_so_far(stop: signal.Signals, engine: str) -> None:
    words = ["solve", "hops", "scarecrow", "--engine", engine, "--json"]
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "twinproof", *words], stdout=subprocess.PIPE, stderr=follower, text=True
    )
    os.close(follower)
    shown = b""
    while not re.search(rb"value \d+, bound \d+", shown):  # the live line
        shown += os.read(leader, 4096)
    process.send_signal(stop)
    try:
        out, _ = process.communicate(timeout=60)
    finally:
        process.kill()
        os.close(leader)
    content = json.loads(out)
    assert process.returncode == 3
    assert (content["status"], content["stopped"]) == ("feasible", "interrupt")
    # 109 is the maximum; what is found cannot be above it, and what is proved not below.
    assert 0 <= content["value"] <= 109 <= content["bound"] <= 248


def test_the_installed_command_finds_our_models_and_not_those_of_a_script_beside_it() -> None:
    command = Path(sysconfig.get_path("scripts")) / "twinproof"
    if not command.exists():
        pytest.skip("the command is not installed")
    shown = subprocess.run([command, "list"], capture_output=True, text=True, check=False)
    assert (shown.returncode, shown.stderr) == (0, "")


def piped(*words: str, **options: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "twinproof", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


def test_rows_are_not_folded_however_wide(tmp_path: Path) -> None:
    drawn = piped("solve", "sprinklers", "grid:2x100").stdout.splitlines()[:2]
    assert [len(row) for row in drawn] == [100, 100]
    (tmp_path / "layout.txt").write_text("\n".join(drawn), encoding="utf-8")
    checked = piped("check", "sprinklers", "grid:2x100", str(tmp_path / "layout.txt"))
    assert checked.returncode == 0
    assert checked.stdout.splitlines()[:2] == drawn


@pytest.mark.parametrize(
    "words", [("list",), ("solve", "sprinklers", "grid:3x3"), ("solve", "hops", "--json", "disc:1")]
)
def test_a_reader_that_goes_away_does_not_change_the_exit_status(words: tuple[str, ...]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    process = subprocess.run(
        [sys.executable, "-m", "twinproof", *words], stdout=writer, stderr=subprocess.PIPE, text=True, check=False
    )
    os.close(writer)
    assert (process.returncode, process.stderr) == (0, "")


@pytest.mark.parametrize(
    ("closed", "engine"),
    [("0<&-", "maxsat"), ("1>&-", "maxsat"), ("2>&-", "maxsat"), ("0<&- 1>&- 2>&-", "both")],
)
def test_closed_standard_streams(tmp_path: Path, closed: str, engine: str) -> None:
    record = tmp_path / "r.json"
    words = f'solve sprinklers grid:3x3 --engine {engine} --record "{record}"'
    command = f'"{sys.executable}" -m twinproof {words} {closed}'
    assert subprocess.run(command, shell=True, check=False, capture_output=True).returncode == 0
    assert json.loads(record.read_text(encoding="utf-8"))["value"] == 3


def test_files_of_the_current_folder_do_not_stand_in_for_modules(in_children: Run, tmp_path: Path) -> None:
    for name in ("pickle", "struct", "numpy"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit(1)", encoding="utf-8")
    assert loaded(in_children, "solve", "sprinklers", "grid:3x3", "--engine", "both")[1]["agree"] is True


def test_children_die_with_their_parent() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "twinproof", "solve", "hops", "scarecrow", "--engine", "maxsat"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    children: list[psutil.Process] = []
    while len(children) < 2 or not all("import" in " ".join(child.cmdline()) for child in children):
        children = psutil.Process(process.pid).children()
    for child in children:  # past their first steps, in which they ask to die with the parent
        while child.memory_info().rss < 50_000_000:
            pass
    process.kill()
    process.wait()
    gone, alive = psutil.wait_procs(children, timeout=60)
    assert (len(gone), alive) == (2, [])
