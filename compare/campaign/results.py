"""Results on file: JSON Lines, one result a line, only ever appended to.

A line is written at once and ends with a digest of itself. A run that is killed can leave one line cut off; it is
passed over, and its case is run again. Any other line that is not as it was written is refused.
"""

import fcntl
import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from twinproof.compare.campaign.case import Result
from twinproof.optim import InputError, OutputError, Status
from twinproof.optim.engine import ALIASES

BEGIN = b'{"key":'
"""The bytes that every line begins with."""


NEEDED: dict[str, Any] = {
    "asked": str,
    "title": str,
    "engine": str,
    "status": str,
    "seconds": (int, float),
    "value": (int, type(None)),
    "bound": (int, type(None)),
    "layout": (list, type(None)),
    "error": (dict, type(None)),
    "versions": dict,
    "machine": dict,
}


class Results:
    """A file of results that is open for more; see `open_results`."""

    def __init__(self, file: IO[bytes], found: list[Result], ends_whole: bool) -> None:
        self._file = file
        self._ends_whole = ends_whole
        self.found = found

    def append(self, result: Result) -> None:
        """Write a result to its end, and to the disk.

        Raises
        ------
        OutputError
            If it cannot be written.
        """
        line = json.dumps({**result, "digest": _digest(result)}) + "\n"
        # A line that a killed run left cut off is closed first, so that it spoils no other.
        try:
            self._file.write(("" if self._ends_whole else "\n").encode() + line.encode())
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            raise OutputError(
                f"{self._file.name}: cannot be written: {error.strerror}; the results before this one are kept"
            ) from error
        self._ends_whole = True
        self.found.append(result)


@contextmanager
def open_results(path: Path) -> Iterator[Results]:
    """Open a file of results, or begin one; no other run may write to it meanwhile.

    Raises
    ------
    InputError
        If it cannot be written, another run has it open, or it holds something else.
    """
    if path.exists() and not path.is_file():
        raise InputError(f"{path}: is there already and is no file")
    try:
        file = path.open("a+b")
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from error
    try:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise InputError(f"{path}: another run is writing to it") from error
        file.seek(0)
        data = file.read()
        yield Results(file, _parse(data, path), not data or data.endswith(b"\n"))
    finally:
        with suppress(OSError):  # what could not be written is told already, and cannot be written now either
            file.close()


def read_results(path: Path) -> list[Result]:
    """Read a file of results.

    Raises
    ------
    InputError
        If it cannot be read or holds something else.
    """
    try:
        return _parse(path.read_bytes(), path)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error


def _parse(data: bytes, path: Path) -> list[Result]:
    found: list[Result] = []
    final: dict[str, int] = {}
    for number, line in enumerate(data.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            result: dict[str, Any] = json.loads(line)
        except (ValueError, RecursionError) as error:
            if line[: len(BEGIN)] == BEGIN[: len(line)]:  # cut off by a kill
                continue
            raise InputError(f"{path}: line {number}: no result of a case") from error
        if not isinstance(result, dict) or not isinstance(result.get("key"), str):
            raise InputError(f"{path}: line {number}: no result of a case")
        if result.pop("digest", None) != _digest(result):
            raise InputError(f"{path}: line {number}: was changed since it was written: its digest does not fit")
        _check(result, f"{path}: line {number}")
        result["engine"] = ALIASES.get(result["engine"], result["engine"])
        if result["key"] in final:
            raise InputError(f"{path}: line {number}: the same case as line {final[result['key']]}")
        if not failed(result):
            final[result["key"]] = number
        found.append(result)
    return found


def failed(result: Result) -> bool:
    """Whether an engine failed, which it may not do another time; such a case is run again."""
    return result["error"] is not None and result["error"]["kind"] == "failed"


def _check(result: Result, place: str) -> None:
    """Refuse a result that lacks what others read from it.

    Raises
    ------
    InputError
        If it does.
    """
    for name, kinds in NEEDED.items():
        if name not in result or not isinstance(result[name], kinds):
            raise InputError(f"{place}: {name}: missing, or of a wrong kind")
    if result["status"] not in tuple(Status):
        raise InputError(f"{place}: status: {result['status']!r} is none")
    layout, error = result["layout"], result["error"]
    if layout is not None and not all(isinstance(row, str) for row in layout):
        raise InputError(f"{place}: layout: must be a list of rows")
    if error is not None and not all(isinstance(error.get(part), str) for part in ("kind", "message")):
        raise InputError(f"{place}: error: must have a kind and a message")


def _digest(result: Result) -> str:
    plain = json.dumps(result, sort_keys=True, separators=(",", ":"))
    return hashlib.blake2b(plain.encode(), digest_size=16).hexdigest()
