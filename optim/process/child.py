"""The body of a child process: reads its task from standard input and writes pickled events to standard output.

It is the first thing that a child imports, so it imports little itself.
"""

import ctypes
import os
import pickle
import signal
import sys
import threading

from twinproof.optim.errors import FULL, InputError
from twinproof.optim.process.tasks import Event, Failed, Finished, Refused, Unwritten, request_stop, run_here
from twinproof.optim.process.without_pandas import load_ortools_without_pandas

OUT_OF_MEMORY = 77
"""The exit status of a child that got no memory."""

PR_SET_PDEATHSIG = 1


def run_child() -> None:
    """Run the task that comes in on standard input."""
    # A terminal sends Ctrl-C to the whole group; the parent alone decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _stop)
    die_with(pickle.load(sys.stdin.buffer))
    # Whatever a library prints must not get between the events.
    stream = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    lock = threading.Lock()  # an engine may report from several of its threads

    def report(event: Event) -> None:
        with lock:
            pickle.dump(event, stream)
            stream.flush()

    load_ortools_without_pandas()
    try:
        run_here(pickle.load(sys.stdin.buffer), report)
        report(Finished(None))
    except BrokenPipeError:
        os._exit(1)  # the parent has gone; there is nobody to tell
    except InputError as error:
        report(Refused(str(error)))
    except OSError as error:
        if error.errno in FULL:
            report(Unwritten(error.errno, str(error.strerror), error.filename))
        else:
            report(_failed())
    except MemoryError:
        os._exit(OUT_OF_MEMORY)
    except BaseException:
        report(_failed())


def _failed() -> Failed:
    """Tell of the exception that is being handled."""
    import traceback  # noqa: PLC0415 - only for failures

    return Failed(traceback.format_exc())


def _stop(number: int, frame: object) -> None:
    """Stop the task; one that has nothing to keep yet ends at once."""
    if not request_stop():
        os._exit(0)


def die_with(parent: int) -> None:
    """Ask Linux to kill this process when its parent dies, even by SIGKILL; elsewhere do nothing.

    Parameters
    ----------
    parent : int
        The parent's process number; if it is gone already, this process ends at once.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)
