"""Where cases run: a pool of processes on this machine. `compare.campaign.cluster` is the same on many.

Each process of the pool has a pipe of its own for the cases and one for the results, and shares no lock and no
queue with anybody: whatever is killed, and whenever, nobody waits for what it held.
"""

import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice

from twinproof.compare.campaign.case import Case, Result, run_case
from twinproof.optim import EngineError
from twinproof.optim.process.child import die_with
from twinproof.optim.process.children import PATHS, POLL_SECONDS
from twinproof.optim.process.interrupt import Held, without_interrupts

BOOTSTRAP = f"{PATHS}from twinproof.compare.campaign.pool import work; work()"

Told = Result | str | None
"""What comes from a process: a result; the traceback of a failure that is no engine's; None when it has died."""


def run_in_pool(cases: Sequence[Case], jobs: int) -> Iterator[Result]:
    """Run cases side by side, each engine in processes of its own, and give the results as they come.

    Parameters
    ----------
    cases : sequence of Case
    jobs : int
        How many at once.

    Raises
    ------
    EngineError
        If a process of the pool fails or dies, which no engine can cause: they run in children of it.
    KeyboardInterrupt
        After Ctrl-C, also if it came while a result was taken in.
    """
    told: queue.Queue[tuple[_Worker, Told]] = queue.Queue()
    workers: list[_Worker] = []
    rest = iter(cases)
    with Held() as held:
        try:
            # Never more processes than cases, and never more cases than can run: whoever stops here loses nothing.
            for case in islice(rest, jobs):
                workers.append(_Worker(told))
                workers[-1].give(case)
            busy = len(workers)
            while busy:
                if held.pressed():
                    raise KeyboardInterrupt
                with suppress(queue.Empty):
                    worker, said = told.get(timeout=POLL_SECONDS)
                    busy -= 1
                    if isinstance(said, dict) and (another := next(rest, None)) is not None:
                        worker.give(another)
                        busy += 1
                    yield _result(said)
        finally:
            for worker in workers:
                worker.process.kill()
            for worker in workers:
                worker.end()


def _result(said: Told) -> Result:
    if said is None:
        raise EngineError("a process of the pool died")
    if isinstance(said, str):
        error = EngineError(f"a process of the pool failed: {said.strip().splitlines()[-1]}")
        error.add_note(said)
        raise error
    return said


class _Worker:
    def __init__(self, told: "queue.Queue[tuple[_Worker, Told]]") -> None:
        with without_interrupts():
            self.process = subprocess.Popen(
                [sys.executable, "-P", "-c", BOOTSTRAP], stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
        self._give(sys.path, os.getpid())
        self._listener = threading.Thread(target=self._listen, args=(told,), daemon=True)
        self._listener.start()

    def give(self, case: Case) -> None:
        """Hand over a case; its result comes into the queue."""
        self._give(case)

    def end(self) -> None:
        """Wait for the end of the process and of its pipes."""
        self.process.wait()
        self._listener.join()
        assert self.process.stdin is not None
        with suppress(BrokenPipeError):
            self.process.stdin.close()

    def _give(self, *things: object) -> None:
        assert self.process.stdin is not None
        with suppress(BrokenPipeError):  # the end of a process is seen at its other pipe
            for thing in things:
                self.process.stdin.write(pickle.dumps(thing))
            self.process.stdin.flush()

    def _listen(self, told: "queue.Queue[tuple[_Worker, Told]]") -> None:
        assert self.process.stdout is not None
        with self.process.stdout as stream:
            while True:
                try:
                    said = pickle.load(stream)
                except Exception:  # the end, or a result cut off by it, which can fail in any way
                    told.put((self, None))
                    return
                told.put((self, said))


def work() -> None:
    """Run the cases that come in on standard input, and write what comes of them to standard output."""
    # Ctrl-C is the parent's affair.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    die_with(pickle.load(sys.stdin.buffer))
    # Whatever a library prints must not get between the results.
    stream = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    while True:
        try:
            case = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        said: Told
        try:
            said = dict(run_case(case))
        except Exception:
            import traceback  # noqa: PLC0415 - only for failures

            said = traceback.format_exc()
        pickle.dump(said, stream)
        stream.flush()
