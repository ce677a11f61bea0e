"""Runs search tasks in child processes, watches their limits and collects what they report.

CaDiCaL holds the interpreter lock and cannot be interrupted, and CP-SAT's own memory limit is soft. A task in
a child process can be stopped at any moment from outside; what it has reported until then is kept.

A child is a fresh interpreter that imports the task's module and nothing else: `twinproof.optim.process.child`. It
reads its task from standard input and writes pickled events to its standard output, where a thread of the parent
reads them.
"""

import os
import pickle
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import IO

from twinproof.optim.errors import EngineError, InputError
from twinproof.optim.limits import Limits
from twinproof.optim.outcome import Stop
from twinproof.optim.process.child import OUT_OF_MEMORY
from twinproof.optim.process.interrupt import Held, without_interrupts
from twinproof.optim.process.tasks import Event, Failed, Kept, Refused, Report, Task, Unwritten

POLL_SECONDS = 0.1
"""The seconds between two looks at time and memory, and so the time by which a limit may be overrun."""

RESERVED = 0.04
"""The share of the machine's memory that is left alone even where no memory limit is set."""

LATE = 1.0
"""The seconds after a time limit in which a task may still write what it keeps."""

BYTES_A_SECOND = 5e8
"""A task that keeps what it has is stopped so much earlier than its time limit as writing its memory may take."""

PATHS = "import pickle, sys; sys.path[:] = pickle.load(sys.stdin.buffer); "
"""How a process begins that is to find the modules that this one finds; they are the first that it is sent."""

BOOTSTRAP = f"{PATHS}from twinproof.optim.process.child import run_child; run_child()"


@dataclass
class _Child:
    task: Task
    process: "subprocess.Popen[bytes]"
    messages: IO[bytes]


@dataclass(frozen=True)
class _Ended:
    """The end of a child's stream; it comes after all its events."""


def run_in_children(
    tasks: Sequence[Task],
    limits: Limits,
    report: Report,
    settled: Callable[[], bool],
    on_memory: Callable[[int], None] = lambda size: None,
) -> Stop | None:
    """Run tasks side by side, each in a child process, until all end, one settles the question, or a limit.

    Parameters
    ----------
    tasks : sequence of Task
    limits : Limits
        Of all tasks together; the clock starts with this call.
    report : callable
        Receives every event of every task, in this thread.
    settled : callable
        Asked after every event; when true, the remaining tasks are ended.
    on_memory : callable, optional
        Told, ten times a second and once more when the question is settled, how many bytes of resident memory all
        tasks hold together.

    Returns
    -------
    Stop or None
        The limit that ended the run. Ctrl-C counts as one and raises nothing.

    Raises
    ------
    InputError
        If a task refuses its input.
    EngineError
        If a task failed, or its process died by itself; with the details as a note.
    OSError
        If a task could not write its file, as the disk is full.
    """
    clock = Clock(limits.time, any(task.grace for task in tasks))
    events: queue.Queue[tuple[_Child, Event | _Ended]] = queue.Queue()
    running: list[_Child] = []
    with Held() as held:
        try:
            for task in tasks:
                running.append(_start(task, events))
            next_look = time.monotonic() + POLL_SECONDS
            while running:
                with suppress(queue.Empty):
                    child, event = events.get(timeout=POLL_SECONDS)
                    if not isinstance(event, _Ended):
                        _pass_on(child, event, report)
                        if settled():
                            on_memory(_resident(running))
                            return None
                    elif not held.pressed():  # else the child may have died of the same press
                        running.remove(child)
                        if (stop := _explain_end(child, limits)) is not None:
                            if child.task.grace:
                                report(Kept("there was no memory left"))
                            return stop
                if held.pressed():
                    return Stop.INTERRUPT
                if time.monotonic() >= next_look:
                    next_look = time.monotonic() + POLL_SECONDS
                    size = _resident(running)
                    on_memory(size)
                    if (stop := _exceeded(size, clock, limits.memory)) is not None:
                        return stop
        except KeyboardInterrupt:  # from `report` itself
            return Stop.INTERRUPT
        finally:
            _end(running, events, report, held, clock)
    return None


class Clock:
    """Says when tasks are stopped by their time limit, and until when they may keep what they have.

    Parameters
    ----------
    limit : float or None
        Seconds from now.
    keeps : bool
        Whether a task keeps something, which takes time.
    """

    def __init__(self, limit: float | None, keeps: bool) -> None:
        self._begin = time.monotonic()
        self._limit = limit
        self._keeps = keeps

    def exceeded(self, size: int) -> bool:
        """Whether tasks that hold a number of bytes are to be stopped now."""
        if self._limit is None:
            return False
        early = min(size / BYTES_A_SECOND, self._limit / 2) if self._keeps else 0.0
        return time.monotonic() >= self._begin + self._limit - early

    def last_moment(self, grace: float) -> float:
        """Until when a task of this grace may go on, once it is stopped."""
        now = time.monotonic()
        return now + grace if self._limit is None else min(now + grace, self._begin + self._limit + LATE)


def _pass_on(child: _Child, event: Event, report: Report) -> None:
    if isinstance(event, Failed):
        raise _failure(child, event.error.strip().splitlines()[-1], event.error)
    if isinstance(event, Refused):
        raise InputError(event.message)
    if isinstance(event, Unwritten):
        raise OSError(event.number, event.reason, event.place)
    report(event)


def _exceeded(size: int, clock: Clock, memory: int | None) -> Stop | None:
    """Say which limit is exceeded, if one is, by tasks that hold a number of bytes."""
    if clock.exceeded(size):
        return Stop.TIME
    if memory is not None and size > memory * 10**6:
        return Stop.MEMORY
    import psutil  # noqa: PLC0415 - takes a while to load, in which the children start already

    machine = psutil.virtual_memory()
    if machine.available < RESERVED * machine.total:
        return Stop.MEMORY
    return None


def _start(task: Task, events: "queue.Queue[tuple[_Child, Event | _Ended]]") -> _Child:
    messages = tempfile.TemporaryFile()  # noqa: SIM115 - closed when the child has ended
    with without_interrupts():
        process = subprocess.Popen(
            # -P: nothing in the user's current folder may stand in for a module.
            [sys.executable, "-P", "-c", BOOTSTRAP],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=messages,
        )
    child = _Child(task, process, messages)
    threading.Thread(target=_converse, args=(child, events), daemon=True).start()
    return child


def _converse(child: _Child, events: "queue.Queue[tuple[_Child, Event | _Ended]]") -> None:
    """Hand a child its task, and move its events into the queue, to the end of its stream."""
    assert child.process.stdin is not None
    assert child.process.stdout is not None
    with suppress(BrokenPipeError), child.process.stdin as pipe:  # its end is seen below
        for part in (sys.path, os.getpid(), child.task):
            pickle.dump(part, pipe)
    with child.process.stdout as stream:
        while True:
            try:
                event = pickle.load(stream)
            except (EOFError, pickle.UnpicklingError):  # the end, or an event cut off by the child's death
                events.put((child, _Ended()))
                return
            events.put((child, event))


def _end(
    children: Sequence[_Child],
    events: "queue.Queue[tuple[_Child, Event | _Ended]]",
    report: Report,
    held: Held,
    clock: Clock,
) -> None:
    """End children, those that keep what they have after a time of grace, which another Ctrl-C ends."""
    try:
        _wait_for([child for child in children if child.task.grace], events, report, held, clock)
    finally:
        for child in children:
            child.process.kill()
        for child in children:
            child.process.wait()
            child.messages.close()


def _wait_for(
    waiting: list[_Child],
    events: "queue.Queue[tuple[_Child, Event | _Ended]]",
    report: Report,
    held: Held,
    clock: Clock,
) -> None:
    """Give children the time to keep what they have; whatever hinders them is reported.

    Raises
    ------
    InputError
        If one of them had just come to refuse its input.
    """
    for child in waiting:
        child.process.terminate()
    before = held.presses
    last_moment = clock.last_moment(max((child.task.grace for child in waiting), default=0.0))
    while waiting and time.monotonic() < last_moment and held.presses == before:
        with suppress(queue.Empty):
            child, event = events.get(timeout=POLL_SECONDS)
            if child not in waiting:
                continue
            match event:
                case _Ended():
                    waiting.remove(child)
                    if (code := child.process.wait()) != 0:
                        report(Kept(f"its process ended with exit code {code}"))
                case Kept():
                    waiting.remove(child)
                    report(event)
                case Failed(error):
                    report(Kept(error.strip().splitlines()[-1]))
                case Unwritten(_, reason, _):
                    report(Kept(reason))
                case Refused(message):
                    raise InputError(message)
                case _:
                    report(event)
    for _ in waiting:
        report(Kept("it was not written in time"))
    if held.presses > before:
        held.pressed()  # it has done what it can do


def _explain_end(child: _Child, limits: Limits) -> Stop | None:
    """Tell a child that ended well from one that ran out of memory and from one that failed."""
    code = child.process.wait()
    child.messages.seek(0)
    messages = child.messages.read().decode(errors="replace").strip()
    child.messages.close()
    if code == 0:
        return None
    # An allocation fails as MemoryError or as bad_alloc in C++; the system's own guard kills.
    if code == OUT_OF_MEMORY or "bad_alloc" in messages or (code == -signal.SIGKILL and limits.memory is not None):
        return Stop.MEMORY
    raise _failure(child, f"its process ended with exit code {code}", messages)


def _failure(child: _Child, reason: str, details: str) -> EngineError:
    error = EngineError(f"{child.task.name}: {reason}")
    error.add_note(details)
    return error


def _resident(children: Sequence[_Child]) -> int:
    """Bytes of memory that the children hold."""
    import psutil  # noqa: PLC0415 - see above

    total = 0
    for child in children:
        try:
            total += psutil.Process(child.process.pid).memory_info().rss
        except psutil.NoSuchProcess:
            continue
    return total
