"""Ctrl-C at any moment: one line or the best so far, exit status 3, and nothing after it.

The moments are places in the program, not points of time: the n-th module that is imported, the n-th call.
"""

import os
import pty
import re
import subprocess
import sys
from pathlib import Path
from threading import Thread

import pytest

SOLVE = ("solve", "hops", "grid:3x3", "--engine", "both")
SAID = "twinproof: interrupted"

PRESS = """
import os, signal, sys, threading
signal.signal(signal.SIGINT, signal.default_int_handler)
places, again, words = eval(sys.argv[1]), eval(sys.argv[2]), sys.argv[3:]
sys.argv[1:] = words
passed = 0
def press():
    os.kill(os.getpid(), signal.SIGINT)
def here():
    global passed
    passed += 1
    if passed in places:
        if again:  # a second press, wherever that finds the program
            second = threading.Timer(0.03, press)
            second.daemon = True
            second.start()
        press()
"""

AT_IMPORTS = """
class Finder:
    def find_spec(name, path=None, target=None):
        here()
from twinproof.__main__ import main
sys.meta_path.insert(0, Finder)
try:
    main()
finally:
    print(passed, file=sys.stderr)
"""

AT_CALLS = """
from twinproof.__main__ import main
from twinproof.compare.output import terminal
def profile(frame, event, argument):
    if passed or frame.f_code is terminal.following.__wrapped__.__code__:  # from the live line on
        here()
sys.setprofile(profile)
try:
    main()
finally:
    sys.setprofile(None)
"""

AT_THE_LIVE_LINE = """
from rich.live import Live
def pressing(method):
    def pressed(*arguments, **named):
        here()
        method(*arguments, **named)
        here()
    return pressed
Live.start, Live.stop = pressing(Live.start), pressing(Live.stop)
from twinproof.__main__ import main
main()
"""


def pressed(where: str, places: set[int], again: bool = False) -> list[str | Path]:
    """Give a command that gets Ctrl-C at some places, and perhaps once more soon after each."""
    return [sys.executable, "-c", PRESS + where, repr(places), repr(again), *SOLVE]


def on_a_terminal(command: list[str | Path]) -> tuple[int, str, str]:
    """Run with standard error on a terminal; gives exit status, standard output and what the terminal got."""
    leader, follower = pty.openpty()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=follower, text=True)
    os.close(follower)
    parts: list[bytes] = []

    def read() -> None:
        try:
            while part := os.read(leader, 65536):
                parts.append(part)
        except OSError:  # Linux says so when the last writer is gone
            pass

    reader = Thread(target=read)
    reader.start()
    try:
        out, _ = process.communicate(timeout=120)
    finally:
        process.kill()
    reader.join()
    os.close(leader)
    return process.returncode, out, b"".join(parts).decode()


def check_end(status: int, out: str, shown: str) -> None:
    """Check that it ended as a stopped command should: with the best so far or one line, and the screen tidy."""
    assert status == 3
    assert "Traceback" not in shown
    assert "ignored" not in shown
    assert shown.rfind("\x1b[?25h") >= shown.rfind("\x1b[?25l"), "the cursor is hidden"
    lines = [line for line in re.sub(r"\x1b\[[0-9?]*[a-zA-Z]|\r", "\n", shown).splitlines() if line]
    if out:
        assert "most-hops: " in out
        assert SAID not in shown
        assert shown.endswith("\x1b[2K") or not lines  # the live line has been taken away
    else:
        assert shown.count(SAID) == 1
        assert lines[-1] == SAID


@pytest.fixture(scope="module")
def imports() -> int:
    """How many modules a command looks for, from the first line of `main` to its end."""
    ended = subprocess.run(pressed(AT_IMPORTS, set()), capture_output=True, text=True, check=True)
    return int(ended.stderr)


@pytest.mark.parametrize("again", [False, True], ids=["once", "twice"])
@pytest.mark.parametrize("part", [0.0, 0.05, 0.3, 0.6, 0.9])
def test_ctrl_c_while_modules_are_imported(imports: int, part: float, again: bool) -> None:
    place = 1 + int(part * (imports - 1))
    ended = subprocess.run(pressed(AT_IMPORTS, {place}, again), capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout) == (3, "")
    # Where the process has time left to say it, the number of imports follows.
    assert re.fullmatch(f"{SAID}\n(\\d+\n)?", ended.stderr)


@pytest.mark.parametrize("places", [{1}, {2}, {3}, {4}, {1, 2}, {3, 4}], ids=str)
def test_ctrl_c_at_both_ends_of_the_live_line(places: set[int]) -> None:
    check_end(*on_a_terminal(pressed(AT_THE_LIVE_LINE, places)))


@pytest.mark.parametrize(
    ("place", "again"),
    [(1, True), (10, False), (30, True), (100, False), (300, True), (600, False), (1000, True), (3000, False)],
)
def test_ctrl_c_while_engines_search(place: int, again: bool) -> None:
    check_end(*on_a_terminal(pressed(AT_CALLS, {place}, again)))


@pytest.mark.slow
@pytest.mark.parametrize("place", [*range(1, 1000, 7), *range(1000, 20000, 397)])
def test_ctrl_c_at_any_call(place: int) -> None:
    status, out, shown = on_a_terminal(pressed(AT_CALLS, {place}, again=True))
    if status == 0:  # the search was over before
        assert "the engines agree" in out
        assert SAID not in shown
    else:
        check_end(status, out, shown)


def test_a_press_while_a_text_was_executed_changes_no_exit_status(tmp_path: Path) -> None:
    # Python remembers such a press, though it is caught, and with -m it would die of SIGINT at the end.
    (tmp_path / "pressed.py").write_text(
        """if True:
        import sys
        import twinproof.compare.cli.main as command
        from twinproof.__main__ import main

        def interrupted():
            try:
                exec("raise KeyboardInterrupt")
            except KeyboardInterrupt:
                sys.exit(3)

        command.main = interrupted
        main()
        """
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    ended = subprocess.run([sys.executable, "-m", "pressed"], env=environment, capture_output=True, check=False)
    assert (ended.returncode, ended.stderr) == (3, b"")
