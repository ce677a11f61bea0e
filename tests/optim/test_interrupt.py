"""Presses of Ctrl-C: counted, passed on, once each, and never lost."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from twinproof.optim import InputError, Limits, Stop
from twinproof.optim.process import children, interrupt
from twinproof.optim.process.children import run_in_children
from twinproof.optim.process.interrupt import Held, Interrupts
from twinproof.optim.process.tasks import Event, Kept, Noted, Report, Task, look_for_stops, stop_requested


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


def test_a_press_that_was_lost_is_not_pressed_again_after_the_end(
    monkeypatch: pytest.MonkeyPatch, interrupts: Interrupts
) -> None:
    later: list[Callable[[], None]] = []
    monkeypatch.setattr(threading.Timer, "start", lambda timer: later.append(timer.function))

    class Unlucky:
        def __del__(self) -> None:
            press()

    one = Unlucky()
    del one
    interrupts.quiet = True  # it was interrupted elsewhere, and ends
    interrupts.end()
    for fire in later:
        fire()
    assert len(later) == 1


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
    assert seen == [Noted("running"), Noted("asked to stop"), Kept("it was not written in time")]


def keeping(report: Report, what: str) -> None:
    """Wait for a request to stop; then fail to keep anything, in one way or another."""
    look_for_stops()
    report(Noted("running"))
    while not stop_requested():
        time.sleep(0.01)
    if what == "written":
        report(Kept())
    elif what == "refused":
        raise InputError("no such file")
    elif what == "failed":
        raise OSError("the disk is gone")
    elif what == "died":
        os._exit(9)
    time.sleep(3600)


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("written", Kept()),
        ("failed", Kept("OSError: the disk is gone")),
        ("died", Kept("its process ended with exit code 9")),
    ],
)
def test_what_hinders_a_task_from_keeping_what_it_has_is_told(what: str, said: Kept) -> None:
    seen: list[Event] = []

    def press_once(event: Event) -> None:
        seen.append(event)
        if event == Noted("running"):
            press()

    task = Task("test", keeping, (what,), grace=3600.0)
    assert run_in_children([task], Limits(), press_once, lambda: False) is Stop.INTERRUPT
    assert seen == [Noted("running"), said]


def test_an_input_that_is_refused_while_the_task_is_stopped_is_refused() -> None:
    task = Task("test", keeping, ("refused",), grace=3600.0)
    with pytest.raises(InputError, match="no such file"):
        run_in_children([task], Limits(), lambda event: press(), lambda: False)


def test_a_time_limit_holds_for_what_is_written_at_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    # The task has an hour of grace, and takes more; the limit leaves it nothing.
    monkeypatch.setattr(children, "LATE", 0.0)
    seen: list[Event] = []
    task = Task("test", keeping, ("nothing",), grace=3600.0)
    assert run_in_children([task], Limits(time=0.1), seen.append, lambda: False) is Stop.TIME
    assert seen[-1] == Kept("it was not written in time")


def test_a_task_that_keeps_much_is_stopped_earlier(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    keeps, forgets, free = children.Clock(60.0, True), children.Clock(60.0, False), children.Clock(None, True)
    size = int(20 * children.BYTES_A_SECOND)
    for seconds, stopped in ((39, (False, False)), (41, (True, False)), (60, (True, True))):
        now[0] = 100.0 + seconds
        assert (keeps.exceeded(size), forgets.exceeded(size)) == stopped
        assert not free.exceeded(size)
        assert not keeps.exceeded(0) or seconds == 60
    now[0] = 129.0
    assert not keeps.exceeded(10**15)  # half of the time is for the search at least
    assert keeps.last_moment(600.0) == 160.0 + children.LATE
    assert free.last_moment(600.0) == 729.0


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
