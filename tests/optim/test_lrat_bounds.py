"""No proof keeps the checker busy for longer than its size allows, whatever stands in it."""

import lzma
import random
from collections.abc import Iterable, Iterator
from itertools import chain, repeat
from pathlib import Path

import pytest

from tests.optim.test_lrat import SQUARE, SQUARE_PROOF, pigeons, proof_of
from twinproof.optim.proof.files import BLOCK, MOST_UNPACKED, UNPACKED_BESIDES, ProofFile
from twinproof.optim.proof.lrat import WORK_PER_BYTE, WORK_PER_LITERAL, ProofError, check_lrat

HUGE = 10**9
"""So many lines would take the rest of the day."""


class Counted:
    """Lines that are counted as they are read."""

    def __init__(self, lines: Iterable[bytes]) -> None:
        self._lines = lines
        self.read = 0

    def __iter__(self) -> Iterator[bytes]:
        for line in self._lines:
            self.read += 1
            yield line


@pytest.mark.parametrize(
    ("lines", "says", "most"),
    [
        (repeat(b"5 d 0", HUGE), "line 1: deletes nothing", 1),
        (repeat(b"", HUGE), "line 1: must be", 1),
        (repeat(b"5 d 1 0", HUGE), "line 2: deletes 1", 2),
        # Every one of these follows, and leads nowhere.
        ((b"%d 1 2 0 1 0" % (i + 5) for i in range(HUGE)), "line 3: there are more than the 2 steps", 3),
        (chain(SQUARE_PROOF, repeat(b"7 0 5 3 4 0", HUGE)), "line 3: stands behind the empty clause", 3),
    ],
)
def test_lines_that_lead_nowhere_end_the_check(lines: Iterable[bytes], says: str, most: int) -> None:
    counted = Counted(lines)
    with pytest.raises(ProofError) as refused:
        check_lrat(SQUARE, counted, most_steps=2)
    assert says in str(refused.value)
    assert counted.read <= most


def test_a_long_clause_cannot_be_named_again_and_again() -> None:
    # All its literals but one are false, so that naming it once more is allowed, and changes nothing.
    wide = tuple(range(1, 1001))
    negated = b" ".join(b"%d" % literal for literal in wide[1:])
    with pytest.raises(ProofError, match="the empty clause is not derived"):
        check_lrat([wide], [b"2 " + negated + b" 0 " + b"1 " * 30 + b"0"])
    with pytest.raises(ProofError, match=r"line 1: more work than a proof of this size"):
        check_lrat([wide], [b"2 " + negated + b" 0 " + b"1 " * 100_000 + b"0"])


def test_rat_steps_cannot_look_through_a_large_formula_again_and_again() -> None:
    # Variables that are new: nothing has to be shown, but that no clause holds their negation.
    formula = [(v, v + 1, v + 2) for v in range(1, 3001)]
    counted = Counted(b"%d %d 0 0" % (3000 + i, 10_000 + i) for i in range(1, HUGE))
    with pytest.raises(ProofError, match=r"more work than a proof of this size"):
        check_lrat(formula, counted)
    # Every step looks at 4 for every clause, its three literals and the clause itself.
    assert counted.read * 3000 * 4 < 2 * WORK_PER_LITERAL * 3000 * 4


def test_the_work_of_real_proofs_is_far_from_its_bound(tmp_path: Path) -> None:
    for holes in (3, 4, 5):
        clauses = pigeons(holes)
        lines = proof_of(clauses, tmp_path)
        checked = check_lrat(clauses, lines, most_steps=sum(b"d" not in line for line in lines))
        size = sum(len(line) + 1 for line in lines)
        assert checked.work < 2 * size
        assert 5 * checked.work < WORK_PER_BYTE * size


# --- Files that unpack to more than they look like ---------------------------------------------------------------


@pytest.mark.parametrize("line", [b"5 d 0\n", b"\n", b"5 1 2 0 1 0\n", b"1 " * 100, b"\x00" * 1000])
def test_a_file_that_unpacks_to_a_great_deal_is_refused_early(tmp_path: Path, line: bytes) -> None:
    path = tmp_path / "bomb.lrat.xz"
    packed = lzma.compress(line * (30_000_000 // len(line)), preset=1)
    path.write_bytes(packed)
    assert len(packed) < 100_000
    read: list[bytes] = []
    with pytest.raises(ProofError, match=r"bomb\.lrat\.xz: (unpacks to more|a line of more)"):
        read.extend(ProofFile(path))
    assert sum(map(len, read)) <= MOST_UNPACKED * len(packed) + UNPACKED_BESIDES + BLOCK
    with pytest.raises(ProofError):
        check_lrat(SQUARE, ProofFile(path), most_steps=2)


@pytest.mark.parametrize("seed", range(3))
def test_spoilt_bytes_are_refused_or_prove_nothing_false(tmp_path: Path, seed: int) -> None:
    dice = random.Random(seed)
    clauses = pigeons(3)
    with_model = [*clauses[1:], (*clauses[0], 40)]
    proof_of(clauses, tmp_path)
    packed = (tmp_path / "proof.lrat.xz").read_bytes()
    plain = lzma.decompress(packed)
    path = tmp_path / "spoilt.lrat.xz"
    for turn in range(200):
        spoilt = bytearray(plain if turn % 2 else packed)
        for _ in range(dice.randint(1, 4)):
            at = dice.randrange(len(spoilt))
            act = dice.randrange(4)
            if act == 0:
                spoilt[at] = dice.randrange(256)
            elif act == 1:
                spoilt[at] = dice.choice(b"0123456789 -d\n")
            elif act == 2:
                del spoilt[at : at + dice.randint(1, 40)]
            else:
                spoilt[at:at] = spoilt[dice.randrange(len(spoilt)) :][: dice.randint(1, 40)]
            if not spoilt:
                break
        path.write_bytes(lzma.compress(bytes(spoilt), preset=0) if turn % 2 else bytes(spoilt))
        size = len(plain) + MOST_UNPACKED * len(spoilt) + UNPACKED_BESIDES
        counted = Counted(ProofFile(path))
        with pytest.raises(ProofError):
            check_lrat(with_model, counted)
        assert counted.read <= size
