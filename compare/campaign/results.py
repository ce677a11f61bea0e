"""Results on file: JSON Lines, one result a line, only ever appended to.

A line is written at once and ends with a digest of itself. A run that is killed can leave one line cut off; it is
passed over, and its case is run again. Any other line that is not as it was written is refused.

The digest finds damage, not forgery. A result is evidence, no proof: that a bound was proved, that there is no
layout, how long it took, in how much memory, and what limit ended it, is believed as it is written. Not believed
is what can be looked at anew: each result has the parts and kinds of values that others read; its status, value,
bound and layout fit each other; it is filed under its own question and engine; its layout keeps the rules and has
its value (`compare.campaign.run.check_found`). Whoever wants proofs asks for certificates.
"""

import fcntl
import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from math import inf
from pathlib import Path
from typing import IO, Any

from twinproof.compare.campaign.case import Result
from twinproof.optim import InputError, OutputError, Status
from twinproof.optim.engine import ALIASES

BEGIN = b'{"key":'
"""The bytes that every line begins with."""


Kinds = tuple[type, ...]

NUMBER: Kinds = (int, float)
MAYBE_INT: Kinds = (int, type(None))

SAID: dict[str, Kinds] = {
    "status": (str,),
    "value": MAYBE_INT,
    "bound": MAYBE_INT,
    "layout": (list, type(None)),
    "seconds": NUMBER,
}
"""What the answer to a question has; so too the answer to the question that comes first."""

NEEDED: dict[str, Kinds] = {
    **SAID,
    "asked": (str,),
    "title": (str,),
    "engine": (str,),
    "error": (dict, type(None)),
    "versions": (dict,),
    "machine": (dict,),
}

OPTIONAL: dict[str, Kinds] = {
    "startup": NUMBER,
    "peak_mb": (*NUMBER, type(None)),
    "stopped": (str, type(None)),
    "trace": (list,),
}

FIRST = "_first"
"""The ending of the key that holds the answer to the question that comes first."""


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
    """Refuse a result that lacks what others read from it, or contradicts itself.

    Raises
    ------
    InputError
        If it does.
    """
    _check_kinds(result, NEEDED, place)
    _check_kinds({name: result[name] for name in OPTIONAL if name in result}, OPTIONAL, place)
    error = result["error"]
    if error is not None and not all(isinstance(error.get(part), str) for part in ("kind", "message")):
        raise InputError(f"{place}: error: must have a kind and a message")
    if not all(map(_is_moment, result.get("trace", ()))):
        raise InputError(f"{place}: trace: must be a list of seconds, value and bound")
    _check_said(result, place, error is not None)
    for name, said in result.items():
        if name.endswith(FIRST):
            if not isinstance(said, dict):
                raise InputError(f"{place}: {name}: of a wrong kind")
            _check_kinds(said, SAID, f"{place}: {name}")
            _check_said(said, f"{place}: {name}", False)


def _check_said(said: Result, place: str, failed: bool) -> None:
    """Refuse an answer whose parts do not fit each other."""
    status, layout = said["status"], said["layout"]
    if status not in tuple(Status):
        raise InputError(f"{place}: status: {status!r} is none")
    if layout is not None and not all(isinstance(row, str) for row in layout):
        raise InputError(f"{place}: layout: must be a list of rows")
    if failed:  # a layout that breaks a rule is part of the failure
        fits = status == Status.UNKNOWN
    else:
        fits = (layout is not None) == (status in (Status.OPTIMAL, Status.FEASIBLE))
        fits &= status != Status.OPTIMAL or (said["value"] is not None and said["value"] == said["bound"])
    if not fits:
        raise InputError(f"{place}: its status does not fit the rest: {status}")


def _check_kinds(values: Result, kinds: dict[str, Kinds], place: str) -> None:
    for name, allowed in kinds.items():
        if name in OPTIONAL and name not in values:
            continue
        if name not in values or not _is_of(values[name], allowed):
            raise InputError(f"{place}: {name}: missing, or of a wrong kind")


def _is_of(value: object, kinds: Kinds) -> bool:
    """Whether a value is of one of these kinds; numbers that measure are neither negative nor endless."""
    if float in kinds and isinstance(value, int | float):
        return not isinstance(value, bool) and 0 <= value < inf
    return isinstance(value, kinds) and not isinstance(value, bool)


def _is_moment(moment: object) -> bool:
    return (
        isinstance(moment, list)
        and len(moment) == 3
        and _is_of(moment[0], NUMBER)
        and all(_is_of(part, MAYBE_INT) for part in moment[1:])
    )


def _digest(result: Result) -> str:
    plain = json.dumps(result, sort_keys=True, separators=(",", ":"))
    return hashlib.blake2b(plain.encode(), digest_size=16).hexdigest()
