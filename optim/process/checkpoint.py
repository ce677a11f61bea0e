"""Keeps an unfinished search in a file, of which nothing is believed when the search goes on.

The file is one line of JSON that says what follows, then the bytes of some arrays, then a BLAKE2b digest of all
before. It is written under a temporary name and renamed, so that there is never half a checkpoint.

The digest finds damage, not forgery: whoever can write the file can write the digest too. So the file holds only
what is cheap to prove anew. That is the graph of states as far as it was built, layer by layer, and of that only
the *links*: for each state and label the number of the next state, -1 where the label may not be placed. States
are numbered in the order in which they are met, from the system's own starts on. Who reads the file therefore
takes each step once more, and looks whether the number that is read is the number of the state that the step gives
(`optim.frontier.graph`). What is saved by that is the search for each state among all states, which takes memory
and time. All else is found anew: potentials, the bound, the targets below it, closed walks and their number.

So what does a file that somebody made up, with a digest that fits, come to?

- A number that is not its state's, or is out of range, is refused before any compiled code takes it for an index.
- Links that are missing are built, as if the search had been stopped earlier. Links that are too many are refused.
- One state may be given two numbers. The layer at the cut is looked through for that, and so are all layers where
  the graph is built further. Elsewhere both numbers have the same links, which changes no walk and counts none
  twice: walks are told apart by their labels.
- Another question's file, or one of another version of the code, can only be called what it is not. Then its links
  do not fit the steps of this question, or they do, and are right.
"""

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO
from uuid import uuid4

from twinproof.optim.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Links = npt.NDArray[np.int32]

BEGIN = b'{"form": "twinproof frontier checkpoint '
FORM = "twinproof frontier checkpoint 2"
DIGEST_BYTES = 32
PIECE = 1 << 24
MAX_HEADER = 1 << 24
DTYPE = "<i4"
MOST = 1 << 31
ANEW = "start anew without --resume"


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
    code : str
        The version of what searches; a checkpoint of another one is refused. Who asks fills it in.
    part : str
        The name of the file, beside it, while it is written.
    """

    path: Path
    resume: bool = False
    question: str = ""
    code: str = ""
    part: str = field(default_factory=lambda: f".twinproof-{uuid4().hex}", compare=False)

    def save(self, layers: "Sequence[Sequence[Links]]") -> None:
        """Write the file.

        Parameters
        ----------
        layers : sequence of sequences of int32 arrays, shape (states, labels)
            The links of each layer, in pieces; all have equally many labels.

        Raises
        ------
        OSError
            If it cannot be written; the file is then as it was before.
        """
        shapes = [[sum(len(piece) for piece in pieces), *_labels(pieces)] for pieces in layers]
        header = {"form": FORM, "code": self.code, "question": self.question, "links": shapes}
        part = self.path.with_name(self.part)
        try:
            digest = hashlib.blake2b(digest_size=DIGEST_BYTES)
            with part.open("xb") as file:
                for written in _parts(header, layers):
                    digest.update(written)
                    file.write(written)
                file.write(digest.digest())
            part.replace(self.path)
        except BaseException:
            self.clear()
            raise

    def clear(self) -> None:
        """Remove what is left of a file that was being written when its process was ended."""
        with suppress(OSError):
            self.path.with_name(self.part).unlink(missing_ok=True)

    def load(self) -> "list[Links]":
        """Read the file: the links of each layer, shape (states, labels), each of which may still be any number.

        Raises
        ------
        InputError
            If it cannot be read, is damaged, or belongs to another question or version.
        """
        try:
            with self.path.open("rb") as file:
                shapes = self._checked_shapes(file)
                return [_read_array(file, shape) for shape in shapes]
        except OSError as error:
            raise InputError(f"{self.path}: cannot be read: {error.strerror}") from error

    def kept_question(self) -> str | None:
        """Give the question that the file belongs to, as far as can be told before it is read."""
        try:
            with self.path.open("rb") as file:
                header = json.loads(file.readline(MAX_HEADER))
            return str(header["question"])
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return None

    def discard(self) -> None:
        """Remove the file, if it is there: the search is over."""
        with suppress(OSError):
            self.path.unlink(missing_ok=True)

    def _checked_shapes(self, file: BinaryIO) -> list[tuple[int, int]]:
        """Read the first line, once the whole file is known to be what was written; gives the arrays' shapes."""
        line = file.readline(MAX_HEADER)
        if not line.startswith(BEGIN):
            raise InputError(f"{self.path}: is no checkpoint")
        try:
            header = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise InputError(f"{self.path}: is damaged: its first line cannot be read; {ANEW}") from error
        shapes, size = header.get("links"), os.fstat(file.fileno()).st_size
        described = isinstance(shapes, list) and all(map(_is_shape, shapes))
        # Before all of a file of any length is read.
        if described and len(line) + 4 * sum(map(prod, shapes)) + DIGEST_BYTES != size:
            raise InputError(f"{self.path}: is damaged: it is not as long as it says; {ANEW}")
        self._check_digest(file, size)
        # A version of the code is only equal to one of the same form.
        if header.get("form") != FORM or header.get("code") != self.code:
            raise InputError(f"{self.path}: was written by another version of twinproof; {ANEW}")
        if header.get("question") != self.question:
            raise InputError(f"{self.path}: belongs to another question: {str(header.get('question'))[:200]}")
        if not described:
            raise InputError(f"{self.path}: is damaged: its first line has no shapes of arrays; {ANEW}")
        file.seek(len(line))
        return [(rows, labels) for rows, labels in shapes]

    def _check_digest(self, file: BinaryIO, size: int) -> None:
        file.seek(0)
        digest = hashlib.blake2b(digest_size=DIGEST_BYTES)
        left = size - DIGEST_BYTES
        while left > 0 and (part := file.read(min(PIECE, left))):
            digest.update(part)
            left -= len(part)
        if left or file.read(DIGEST_BYTES + 1) != digest.digest():
            raise InputError(f"{self.path}: is damaged: its content does not fit its digest; {ANEW}")


def _is_shape(shape: object) -> bool:
    return (
        isinstance(shape, list)
        and len(shape) == 2
        and all(type(size) is int and 0 <= size < MOST for size in shape)
    )


def _labels(pieces: "Sequence[Links]") -> list[int]:
    return [pieces[0].shape[1] if pieces else 0]


# Who only says where a search is kept need not wait until numpy is loaded.


def _parts(header: dict[str, Any], layers: "Sequence[Sequence[Links]]") -> Iterator[Any]:
    import numpy as np  # noqa: PLC0415

    yield json.dumps(header).encode() + b"\n"
    for pieces in layers:
        for piece in pieces:
            if piece.size:
                yield np.ascontiguousarray(piece, dtype=DTYPE).data.cast("B")


def _read_array(file: BinaryIO, shape: tuple[int, int]) -> "Links":
    import numpy as np  # noqa: PLC0415

    count = prod(shape)
    array = np.fromfile(file, dtype=DTYPE, count=count)
    if len(array) != count:  # somebody has cut it since its digest was taken
        raise InputError("a checkpoint was changed while it was read")
    return array.reshape(shape).astype(np.int32, copy=False)
