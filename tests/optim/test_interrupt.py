"""Presses of Ctrl-C: counted, passed on, once each, and never lost."""

import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from twinproof.optim import Limits, Stop
from twinproof.optim.process import interrupt
from twinproof.optim.process.children import run_in_children
from twinproof.optim.process.interrupt import Held, Interrupts
from twinproof.optim.process.tasks import Noted, Report, Task, look_for_stops, stop_requested


def press() -> None:
    signal.raise_signal(signal.SIGINT)


@pytest.fixture
def interrupts() -> Iterator[Interrupts]:
    taken = Interrupts()
    taken.begin()
    yield taken
    taken.end()


def test_a_press_in_a_held_block_comes_when_the_block_ends() -> None:
    reached = []

    def hold() -> None:
        with Held():
            press()
            reached.append("the end")

    with pytest.raises(KeyboardInterrupt):
        hold()
    assert reached == ["the end"]


def test_whoever_asks_for_a_press_has_it() -> None:
    with Held() as held:
        assert not held.pressed()
        press()
        assert held.pressed()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_held_blocks_may_be_nested() -> None:
    with Held() as outer:
        with Held() as inner:
            press()
        assert (inner.presses, outer.presses) == (1, 1)
        assert outer.pressed()


def test_presses_in_quick_succession_are_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interrupt, "SAME_PRESS", 3600.0)
    with Held() as held:
        press()
        press()
        assert (held.pressed(), held.presses) == (True, 1)
    monkeypatch.setattr(interrupt, "SAME_PRESS", 0.0)
    with Held() as held:
        press()
        press()
        assert (held.pressed(), held.presses) == (True, 2)


def test_a_command_is_interrupted_once_a_press(monkeypatch: pytest.MonkeyPatch, interrupts: Interrupts) -> None:
    monkeypatch.setattr(interrupt, "SAME_PRESS", 3600.0)
    with pytest.raises(KeyboardInterrupt):
        press()
    press()
    monkeypatch.setattr(interrupt, "SAME_PRESS", 0.0)
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGTERM)
    interrupts.quiet = True
    press()


def test_a_press_that_falls_into_a_destructor_is_not_lost(interrupts: Interrupts) -> None:
    class Unlucky:
        def __del__(self) -> None:
            press()

    with pytest.raises(KeyboardInterrupt):
        del_one(Unlucky())


def del_one(one: object) -> None:
    del one
    while True:
        time.sleep(0.01)


def test_what_the_starter_wants_ignored_stays_ignored() -> None:
    # As a shell starts what is to run in the background.
    script = """if True:
        import os, signal
        from twinproof.optim.process.interrupt import Interrupts
        Interrupts().begin()
        os.kill(os.getpid(), signal.SIGINT)
        print("still here")
    """
    command = ["sh", "-c", 'trap \'\' INT; exec "$0" -c "$1"', sys.executable, script]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "still here\n"


# --- Children ---------------------------------------------------------------------------------------------------


def ignoring_requests(report: Report) -> None:
    """Say that it looks at requests to stop, and when one comes, say so and go on."""
    look_for_stops()
    report(Noted("running"))
    while not stop_requested():
        time.sleep(0.01)
    report(Noted("asked to stop"))
    time.sleep(3600)


def test_a_second_press_ends_the_time_of_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interrupt, "SAME_PRESS", 0.0)
    seen = []

    def press_each_time(event: object) -> None:
        seen.append(event)
        press()

    task = Task("test", ignoring_requests, (), grace=3600.0)
    assert run_in_children([task], Limits(), press_each_time, lambda: False) is Stop.INTERRUPT
    assert seen == [Noted("running"), Noted("asked to stop")]


GROUP = """
import os, signal, subprocess
from twinproof.optim import Limits
from twinproof.optim.process.children import run_in_children
from twinproof.optim.process.tasks import Task
signal.signal(signal.SIGINT, signal.default_int_handler)
begin = subprocess.Popen.__init__
def begin_and_press(*arguments, **named):
    begin(*arguments, **named)
    os.killpg(0, signal.SIGINT)
subprocess.Popen.__init__ = begin_and_press
print(run_in_children([Task("test", print, ())], Limits(), print, lambda: False))
"""


def test_ctrl_c_of_a_terminal_reaches_no_child_that_is_still_starting() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", GROUP], capture_output=True, text=True, check=True, start_new_session=True
    )
    # On a busy machine the child may be through before its parent sees the press.
    assert (ended.stdout.splitlines()[-1], ended.stderr) == ("interrupt", "")
