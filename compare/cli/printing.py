"""Standard output and standard error that never end a command before its files are written.

A reader that has gone away, such as `head -1`, is no failure. If standard output cannot take any more for another
reason, such as a full disk, the command goes on without it, writes its files, and says so in its last line.
"""

import io
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TextIO


class _Patient(io.RawIOBase):
    """A stream that takes everything; what cannot be written is lost, and the first reason kept."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self._number = number
        self._ended = False
        self.failure = ""

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._number

    def isatty(self) -> bool:
        return os.isatty(self._number)

    def write(self, data: Any) -> int:
        if self._ended:
            return len(data)
        try:
            return os.write(self._number, data)
        except OSError as error:
            self._ended = True
            self.failure = "" if isinstance(error, BrokenPipeError) else str(error.strerror)
            return len(data)


@contextmanager
def patient_streams() -> Iterator[Callable[[], str]]:
    """Make the standard streams patient; gives a function that says why standard output is not complete, if so."""
    before = sys.stdout, sys.stderr
    raw = _Patient(1)
    try:
        raw, sys.stdout = _patient(sys.stdout)
        _, sys.stderr = _patient(sys.stderr)

        def failure() -> str:
            sys.stdout.flush()
            return raw.failure and f"standard output: cannot be written: {raw.failure}"

        yield failure
    finally:
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):
                stream.flush()
        sys.stdout, sys.stderr = before


def _patient(stream: TextIO) -> tuple[_Patient, TextIO]:
    """Give a patient stream to where another one leads."""
    stream.flush()
    raw = _Patient(stream.fileno())
    binary = io.BufferedWriter(raw)
    text = io.TextIOWrapper(binary, stream.encoding, stream.errors, line_buffering=raw.isatty())
    return raw, text
