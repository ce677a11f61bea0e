"""Proofs in files: read a line at a time, unpacked on the way, never held whole."""

import hashlib
import lzma
from collections.abc import Iterator
from pathlib import Path

from twinproof.optim.proof.lrat import ProofError

BLOCK = 1 << 18
LONGEST_LINE = 1 << 22
"""A line may have this number of bytes; a step with half a million hints has fewer."""

MOST_UNPACKED = 30
UNPACKED_BESIDES = 1 << 20
"""A file may unpack to this many times its size, and a megabyte besides: solvers' proofs to some 7 times."""

MEMORY = 200_000_000
"""Unpacking may take this number of bytes; xz needs 65 million for what it packs most tightly."""


class ProofFile:
    """The lines of a proof in a file, packed by xz if its name ends in `.xz`.

    Parameters
    ----------
    path : Path

    Raises
    ------
    ProofError
        While it is iterated over: if the file cannot be read or unpacked, is cut off, or unpacks to more than any
        solver's proof of its size.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._hash = hashlib.blake2b(digest_size=32)
        self.bytes = 0
        """Of the file, as far as it was read."""

    @property
    def digest(self) -> str:
        """The BLAKE2b digest, of 32 bytes, of the file, as far as it was read."""
        return self._hash.hexdigest()

    def __iter__(self) -> Iterator[bytes]:
        rest = b""
        for block in self._unpacked() if self._path.suffix == ".xz" else self._blocks():
            lines = (rest + block).split(b"\n")
            rest = lines.pop()
            if len(rest) > LONGEST_LINE:
                raise ProofError(f"{self._path.name}: a line of more than {LONGEST_LINE:,} bytes")
            yield from lines
        if rest:
            yield rest

    def _blocks(self) -> Iterator[bytes]:
        try:
            with self._path.open("rb") as file:
                while block := file.read(BLOCK):
                    self._hash.update(block)
                    self.bytes += len(block)
                    yield block
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            raise ProofError(f"{self._path.name}: cannot be read: {reason}") from error

    def _unpacked(self) -> Iterator[bytes]:
        # The file may be a small one that unpacks to a great many bytes; so it is unpacked a block at a time.
        unpacker = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=MEMORY)
        unpacked = 0
        try:
            for block in self._blocks():
                if unpacker.eof:
                    raise ProofError(f"{self._path.name}: something stands behind the packed proof")
                packed = block
                while True:
                    part = unpacker.decompress(packed, BLOCK)
                    unpacked += len(part)
                    if unpacked > MOST_UNPACKED * self.bytes + UNPACKED_BESIDES:
                        raise ProofError(f"{self._path.name}: unpacks to more than a proof of its size may")
                    yield part
                    packed = b""
                    if unpacker.needs_input or unpacker.eof:
                        break
        except lzma.LZMAError as error:
            raise ProofError(f"{self._path.name}: cannot be unpacked: {error}") from error
        if not unpacker.eof:
            raise ProofError(f"{self._path.name}: is cut off")
        if unpacker.unused_data:
            raise ProofError(f"{self._path.name}: something stands behind the packed proof")
