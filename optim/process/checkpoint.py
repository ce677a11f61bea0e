"""Keeps an unfinished search in a file: named arrays and numbers, sealed by a digest.

The file is one line of JSON that says what follows, then the arrays' bytes, then a BLAKE2b digest of all before.
It is written under a temporary name and renamed, so that there is never half a checkpoint.
"""

import hashlib
import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from twinproof.optim.errors import InputError

if TYPE_CHECKING:
    import numpy.typing as npt

FORM = "twinproof frontier checkpoint 1"
DIGEST_BYTES = 32
PIECE = 1 << 24
MAX_HEADER = 1 << 28


@dataclass(frozen=True)
class Saved:
    """What a checkpoint holds.

    Parameters
    ----------
    facts : mapping
        Numbers and words, as JSON.
    arrays : mapping
        By name.
    """

    facts: Mapping[str, Any]
    arrays: "Mapping[str, npt.NDArray[Any]]"


@dataclass(frozen=True)
class Checkpoint:
    """Where a search is kept.

    Parameters
    ----------
    path : Path
        Written when a search is stopped, removed when it comes to its end.
    resume : bool
        Whether to go on from the file.
    question : str
        What is asked; a checkpoint of another question is refused. Who asks a question fills it in.
    """

    path: Path
    resume: bool = False
    question: str = ""

    def save(self, saved: Saved) -> None:
        """Write the file."""
        described = {name: [str(array.dtype), list(array.shape)] for name, array in saved.arrays.items()}
        header = {"form": FORM, "question": self.question, "facts": dict(saved.facts), "arrays": described}
        descriptor, name = tempfile.mkstemp(prefix=".twinproof-", dir=self.path.parent)
        try:
            digest = hashlib.blake2b(digest_size=DIGEST_BYTES)
            with os.fdopen(descriptor, "wb") as file:
                for part in _parts(header, saved.arrays):
                    digest.update(part)
                    file.write(part)
                file.write(digest.digest())
            Path(name).replace(self.path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise

    def load(self) -> Saved:
        """Read the file.

        Raises
        ------
        InputError
            If it cannot be read, is damaged, or belongs to another question.
        """
        try:
            with self.path.open("rb") as file:
                header = self._checked_header(file)
                arrays = {name: _read_array(file, *described) for name, described in header["arrays"].items()}
        except OSError as error:
            raise InputError(f"{self.path}: cannot be read: {error.strerror}") from error
        return Saved(header["facts"], arrays)

    def kept_question(self) -> str | None:
        """Give the question that the file belongs to, as far as can be told before it is read."""
        try:
            with self.path.open("rb") as file:
                header = json.loads(file.readline(MAX_HEADER))
            return str(header["question"])
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def discard(self) -> None:
        """Remove the file, if it is there: the search is over."""
        with suppress(OSError):
            self.path.unlink(missing_ok=True)

    def _checked_header(self, file: BinaryIO) -> dict[str, Any]:
        """Read the first line, once the whole file is known to be what was written."""
        line = file.readline(MAX_HEADER)
        if not line.startswith(b'{"form": "twinproof frontier checkpoint'):
            raise InputError(f"{self.path}: is no checkpoint")
        file.seek(0)
        digest = hashlib.blake2b(digest_size=DIGEST_BYTES)
        left = self.path.stat().st_size - DIGEST_BYTES
        while left > 0 and (part := file.read(min(PIECE, left))):
            digest.update(part)
            left -= len(part)
        if left or file.read() != digest.digest():
            raise InputError(f"{self.path}: is damaged: its content does not fit its digest")
        header: dict[str, Any] = json.loads(line)
        if header["form"] != FORM:
            raise InputError(f"{self.path}: was written by another version of twinproof")
        if header["question"] != self.question:
            raise InputError(f"{self.path}: belongs to another question: {header['question']}")
        file.seek(len(line))
        return header


# Who only says where a search is kept need not wait until numpy is loaded.


def _parts(header: Mapping[str, Any], arrays: "Mapping[str, npt.NDArray[Any]]") -> Iterator[Any]:
    import numpy as np  # noqa: PLC0415

    yield json.dumps(header).encode() + b"\n"
    for array in arrays.values():
        if array.size:
            yield np.ascontiguousarray(array).data.cast("B")


def _read_array(file: BinaryIO, dtype: str, shape: list[int]) -> "npt.NDArray[Any]":
    import numpy as np  # noqa: PLC0415

    count = int(np.prod(shape))
    return np.fromfile(file, dtype=dtype, count=count).reshape(shape)
