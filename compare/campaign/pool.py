"""Where cases run: a pool of processes on this machine. `compare.campaign.cluster` is the same on many."""

import multiprocessing
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool

from twinproof.compare.campaign.case import Case, Result, run_case
from twinproof.optim import EngineError
from twinproof.optim.process.child import die_with
from twinproof.optim.process.interrupt import without_interrupts


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
        If a process of the pool dies, which no engine can cause: they run in children of it.
    """
    context = multiprocessing.get_context("spawn")
    others = set(multiprocessing.active_children())
    with ProcessPoolExecutor(jobs, context, _begin) as executor:
        waiting: set[Future[Result]] = set()
        rest = iter(cases)
        try:
            while True:
                # Never more than can run: whoever stops here waits for nothing.
                for case in rest:
                    with without_interrupts():  # it may start a process
                        waiting.add(executor.submit(run_case, case))
                    if len(waiting) >= jobs:
                        break
                if not waiting:
                    return
                done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                for future in done:
                    yield future.result()
        except BrokenProcessPool as error:
            raise EngineError("a process of the pool died") from error
        finally:
            for process in set(multiprocessing.active_children()) - others:
                process.terminate()


def _begin() -> None:
    """Leave Ctrl-C to the parent, end at once when it says so, and do not outlive it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    parent = multiprocessing.parent_process()
    if parent is not None and parent.pid is not None:
        die_with(parent.pid)
