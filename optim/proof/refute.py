"""Refutes a formula by a SAT solver, and writes the refutation as an LRAT proof without needless steps.

CaDiCaL writes its proof in FRAT: LRAT's lines with ids of its own, and the clauses of the formula named by what
is in them. It has steps that lead nowhere; going backwards from the empty clause, the steps that it needs are
marked, and these alone are written, with a clause deleted behind the last step that needs it. Both files stay on
the disk; in memory there are a few bytes a step.

References
----------
S. Baek, M. Carneiro and M. Heule, "A flexible proof format for SAT solver-elaborator communication", TACAS 2021.
"""

import hashlib
import lzma
import os
import tempfile
from array import array
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import pysolvers
from pysat.solvers import Solver

from twinproof.optim import EngineError

BLOCK = 1 << 20
PRESET = 6


@dataclass(frozen=True)
class Refutation:
    """A proof that was written.

    Parameters
    ----------
    steps : int
        Clauses that it adds, the empty one included.
    digest : str
        The BLAKE2b digest, of 32 bytes, of the packed file.
    """

    steps: int
    digest: str


def refute(clauses: Sequence[Sequence[int]], path: Path, seed: int = 0) -> Refutation | list[int]:
    """Refute a formula, and write the proof into a file, packed by xz.

    Parameters
    ----------
    clauses : sequence of sequence of int
        No variable stands twice in a clause.
    path : Path
        What is there is written over.
    seed : int

    Returns
    -------
    Refutation, or list of int
        The literals of a model if the formula has one; then nothing is written.

    Raises
    ------
    EngineError
        If the solver's proof is not of the form that it should be.
    OSError
        If there is no space left for the solver's proof, or for this one.
    """
    empty = next((number for number, clause in enumerate(clauses, start=1) if not clause), None)
    if empty is not None:  # the solver is not needed, and would write nothing
        return _write(path, iter([b"%d 0 %d 0\n" % (len(clauses) + 1, empty)]))
    with _frat_wanted(seed):
        solver = Solver(name="cadical195", with_proof=True)
    with solver:
        for clause in clauses:
            solver.add_clause(list(clause))
        if solver.solve():
            return list(solver.get_model() or [])
        # The solver's own temporary file; PySAT would only give it as one list in memory.
        pysolvers.flushpr(solver.solver.prfp)
        try:
            return _write(path, _lrat_lines(solver.solver.prfile, clauses))
        except (EngineError, LookupError, ValueError):
            _check_space(solver.solver.prfile)
            raise


def _check_space(frat: BinaryIO) -> None:
    """See whether a proof is cut off because the disk is full: the solver does not say so."""
    try:
        frat.seek(0, os.SEEK_END)
        frat.write(bytes(BLOCK))
        frat.flush()
    except OSError as error:
        raise OSError(error.errno, error.strerror, tempfile.gettempdir()) from error


@contextmanager
def _frat_wanted(seed: int) -> Iterator[None]:
    """Have the solvers made meanwhile write FRAT as text: CaDiCaL reads its options from the environment."""
    wanted = {"CADICAL_FRAT": "1", "CADICAL_BINARY": "0", "CADICAL_SEED": str(seed)}
    before = {name: os.environ.get(name) for name in wanted}
    os.environ.update(wanted)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _write(path: Path, lines: Iterator[bytes]) -> Refutation:
    """Pack lines into a file."""
    hashed = hashlib.blake2b(digest_size=32)
    packer = lzma.LZMACompressor(lzma.FORMAT_XZ, lzma.CHECK_CRC32, preset=PRESET)
    steps = 0
    with path.open("wb") as file:

        def put(packed: bytes) -> None:
            hashed.update(packed)
            file.write(packed)

        for line in lines:
            steps += b"d" not in line
            put(packer.compress(line))
        put(packer.flush())
    return Refutation(steps, hashed.hexdigest())


def _lrat_lines(frat: BinaryIO, clauses: Sequence[Sequence[int]]) -> Iterator[bytes]:
    """Give the lines of the LRAT proof that a FRAT proof comes down to."""
    final, highest = _find_empty(frat)
    last_use = _last_uses(frat, final, highest)
    number_of = {frozenset(clause): number for number, clause in enumerate(clauses, start=1)}
    ids = array("q", bytes(8 * (highest + 1)))
    new = len(clauses)
    frat.seek(0)
    for line in frat:
        kind = line[:1]
        if kind == b"o":
            words = line.split()
            if last_use[int(words[1])]:
                literals = frozenset(map(int, words[2:-1]))
                if literals not in number_of:
                    raise EngineError(f"CaDiCaL's proof takes a clause for the formula's that is not: {line!r}")
                ids[int(words[1])] = number_of[literals]
        elif kind == b"a":
            old = int(line[2 : line.index(b" ", 2)])
            if not last_use[old] and old != final:
                continue
            new += 1
            ids[old] = new
            added, hints = _halves(line)
            yield b"%d %s0 %s 0\n" % (new, added, b" ".join([b"%d" % ids[hint] for hint in hints]))
            if old == final:
                return
            # A clause of the formula is never deleted: that would make the proof longer, and spare little.
            spent = sorted({ids[hint] for hint in hints if last_use[hint] == old and ids[hint] > len(clauses)})
            if spent:
                yield b"%d d %s 0\n" % (new, b" ".join([b"%d" % one for one in spent]))


def _halves(line: bytes) -> tuple[bytes, list[int]]:
    """Give the literals of an added clause, each with a blank behind it, and its hints."""
    clause, between, hints = line.partition(b" l ")
    words = clause.split()
    if not between or words[-1] != b"0":
        raise EngineError(f"CaDiCaL's proof has a step without hints: {line[:200]!r}")
    return b"".join(word + b" " for word in words[2:-1]), list(map(int, hints.split()[:-1]))


def _find_empty(frat: BinaryIO) -> tuple[int, int]:
    """Give the id of the empty clause, and the highest id."""
    highest = 0
    frat.seek(0)
    for line in frat:
        if line[:1] in (b"o", b"a"):
            words = line.split(None, 3)
            highest = max(highest, int(words[1]))
            if line[:1] == b"a" and words[2] == b"0":
                return int(words[1]), highest
    raise EngineError("CaDiCaL's proof does not derive the empty clause")


def _last_uses(frat: BinaryIO, final: int, highest: int) -> "array[int]":
    """For every id the step of the last use that leads to the empty clause; 0 if there is none."""
    last_use = array("q", bytes(8 * (highest + 1)))
    reached = False
    for line in _backwards(frat):
        if line[:1] != b"a":
            continue
        old = int(line[2 : line.index(b" ", 2)])
        reached = reached or old == final
        if old == final or (reached and last_use[old]):
            for hint in _halves(line)[1]:
                if not last_use[hint]:
                    last_use[hint] = old
    return last_use


def _backwards(file: BinaryIO) -> Iterator[bytes]:
    """Give the lines of a file, the last one first."""
    end = file.seek(0, os.SEEK_END)
    rest = b""
    while end > 0:
        start = max(end - BLOCK, 0)
        file.seek(start)
        lines = (file.read(end - start) + rest).split(b"\n")
        rest = lines[0]
        yield from reversed(lines[1:])
        end = start
    yield rest
