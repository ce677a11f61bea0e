"""Ctrl-C, acted on where nothing can be left half done.

Python raises KeyboardInterrupt between any two instructions of the main thread: also between the start of a
process and the note that it has started, and in the clean-up after the last Ctrl-C. A command therefore raises it
once a press (`Interrupts`), and what must not be torn in two counts the presses and acts on them later (`Held`). A
request to end, SIGTERM, is treated like Ctrl-C where a command runs.
"""

import signal
import sys
import threading
import time
from _thread import interrupt_main
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, ClassVar

SIGNALS = (signal.SIGINT, signal.SIGTERM)

SAME_PRESS = 0.5
"""Two presses of Ctrl-C within these seconds count as one: a key may bounce, or somebody may make sure."""

NEVER = float("-inf")


class _Clock:
    """When the last press came; signals belong to the process, and so does this."""

    last = NEVER


class Interrupts:
    """Raises KeyboardInterrupt for both signals, once a press, while a command runs.

    A signal that whoever started the process wants ignored stays ignored.

    Attributes
    ----------
    quiet : bool
        Set it where nothing may be interrupted any more. An assignment does it, since a call could be interrupted.
    left : list of callable
        What undoes something that must not outlive the command, such as a line on the screen. Whoever did it takes
        it out again; a press may come between the two.
    """

    left: ClassVar[list[Callable[[], None]]] = []

    def __init__(self) -> None:
        self.quiet = False
        self._before = {number: signal.getsignal(number) for number in SIGNALS}
        self._hook = sys.unraisablehook

    def begin(self) -> None:
        """Take the signals."""
        _Clock.last = NEVER
        sys.unraisablehook = self._raise_again
        for number, handler in self._before.items():
            if handler is not signal.SIG_IGN:
                signal.signal(number, self._raise)

    def undo(self) -> None:
        """Undo what is left over, the last first."""
        for undo in reversed(self.left.copy()):
            undo()

    def end(self) -> None:
        """Give the signals back to whoever had them."""
        for number, handler in self._before.items():
            signal.signal(number, handler)
        sys.unraisablehook = self._hook

    def _raise(self, number: int, frame: FrameType | None) -> None:
        before, _Clock.last = _Clock.last, time.monotonic()
        if not self.quiet and _Clock.last - before >= SAME_PRESS:
            raise KeyboardInterrupt

    def _raise_again(self, lost: "sys.UnraisableHookArgs") -> None:
        """Press again after a press that fell into a destructor or a callback: Python throws their errors away."""
        if not issubclass(lost.exc_type, KeyboardInterrupt):
            self._hook(lost)
            return
        _Clock.last = NEVER
        # A little later, when the destructor is over.
        threading.Timer(0.01, self._press).start()

    def _press(self) -> None:
        """Press, unless the command has come to its end meanwhile and nobody would catch it."""
        if not self.quiet:
            interrupt_main()


class Held:
    """Counts presses instead of raising KeyboardInterrupt, while its block runs.

    A press that nobody has asked for with `pressed` when the block ends is passed on to whom it was kept from.
    Outside the main thread, where Python handles no signals, and for signals that no function of Python handles,
    nothing changes.

    Attributes
    ----------
    presses : int
        The number of times that it came.
    """

    def __init__(self) -> None:
        self.presses = 0
        self._unseen: int | None = None
        self._last = NEVER
        self._before: dict[int, Any] = {}

    def pressed(self) -> bool:
        """Whether there was a press; to act on it is now up to the caller."""
        self._unseen = None
        return self.presses > 0

    def __enter__(self) -> "Held":
        if threading.current_thread() is threading.main_thread():
            try:
                for number in SIGNALS:
                    handler = signal.getsignal(number)
                    if callable(handler):
                        self._before[number] = handler
                        signal.signal(number, self._note)
            except KeyboardInterrupt:  # the second signal, before it was taken
                self._give_back()
                raise
        return self

    def __exit__(self, *error: object) -> None:
        self._give_back()
        if self._unseen is not None:
            _Clock.last = NEVER
            signal.raise_signal(self._unseen)

    def _note(self, number: int, frame: FrameType | None) -> None:
        before, self._last = self._last, time.monotonic()
        _Clock.last = self._last
        if self._last - before >= SAME_PRESS:
            self.presses += 1
            self._unseen = number

    def _give_back(self) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)


@contextmanager
def without_interrupts() -> Iterator[None]:
    """Start processes in this block: Ctrl-C reaches them only after they have said what it means to them.

    A terminal sends it to a whole group of processes, and one that is still starting would die of it with a page
    of errors. What is pressed meanwhile reaches this process when the block ends.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
