"""The LRAT checker: what it accepts, what it refuses, and that no proof of a satisfiable formula passes."""

import hashlib
import itertools
import lzma
import random
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pysat.solvers import Solver

from tests.support.examples import examples
from twinproof.optim.proof.files import ProofFile
from twinproof.optim.proof.lrat import CheckedProof, ProofError, check_lrat
from twinproof.optim.proof.refute import Refutation, refute

relaxed = examples(60)

Clauses = list[tuple[int, ...]]

# All four clauses over two variables.
SQUARE: Clauses = [(1, 2), (-1, 2), (1, -2), (-1, -2)]
SQUARE_PROOF = [b"5 2 0 1 2 0", b"6 0 5 3 4 0"]


def pigeons(holes: int) -> Clauses:
    """One pigeon too many for the holes: unsatisfiable (Haken 1985)."""
    at = {(p, h): p * holes + h + 1 for p in range(holes + 1) for h in range(holes)}
    clauses: Clauses = [tuple(at[p, h] for h in range(holes)) for p in range(holes + 1)]
    for h in range(holes):
        clauses += [(-at[p, h], -at[q, h]) for p, q in itertools.combinations(range(holes + 1), 2)]
    return clauses


def is_satisfiable(clauses: Sequence[Sequence[int]]) -> bool:
    """By trying every assignment."""
    variables = max((abs(literal) for clause in clauses for literal in clause), default=0)
    return any(
        all(any((literal > 0) == truth[abs(literal) - 1] for literal in clause) for clause in clauses)
        for truth in itertools.product((False, True), repeat=variables)
    )


def is_accepted(clauses: Sequence[Sequence[int]], lines: Sequence[bytes]) -> bool:
    try:
        check_lrat(clauses, lines)
    except ProofError:
        return False
    return True


def proof_of(clauses: Clauses, folder: Path) -> list[bytes]:
    path = folder / "proof.lrat.xz"
    assert isinstance(refute(clauses, path), Refutation)
    return list(ProofFile(path))


def test_a_refutation_is_accepted() -> None:
    assert check_lrat(SQUARE, SQUARE_PROOF) == CheckedProof(steps=2, deleted=0, work=9)
    deleting = [SQUARE_PROOF[0], b"5 d 1 2 0", SQUARE_PROOF[1]]
    assert check_lrat(SQUARE, deleting) == CheckedProof(steps=2, deleted=2, work=9)


def test_a_formula_with_the_empty_clause_is_refuted_by_naming_it() -> None:
    assert is_accepted([(1,), ()], [b"3 0 2 0"])
    assert not is_accepted([(1,), ()], [b"3 0 1 0"])
    assert not is_accepted([(1,), ()], [])


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ([], "the empty clause is not derived"),
        ([b"5 2 0 1 2 0"], "the empty clause is not derived"),
        ([b""], "line 1: must be"),
        ([b"0"], "line 1: must be"),
        ([b" 0 1 0"], "line 1: must be"),
        ([b"5 2 0 1 2"], "line 1: must be"),
        ([b"5 2 1 2 0"], "line 1: must be"),
        ([b"5 2 0 1 2 0", b"6 0 5 3 4 0 7 0 1 0"], "line 2: "),
        ([b"-5 2 0 1 2 0"], "line 1: its id is no number"),
        ([b"05 2 0 1 2 0"], "line 1: its id is no number"),
        ([b"5" * 30 + b" 2 0 1 2 0"], "line 1: its id is no number"),
        ([b"4 2 0 1 2 0"], "line 1: its id is not above"),
        ([b"5 2 0 1 2 0", b"5 0 5 3 4 0"], "line 2: its id is not above"),
        ([b"9 2 0 1 2 0", b"6 0 9 3 4 0"], "line 2: its id is not above"),
        ([b"5 2- 0 1 2 0"], "line 1: a literal is no whole number"),
        ([b"5 --2 0 1 2 0"], "line 1: a literal is no whole number"),
        ([b"5 -0 0 1 2 0"], "line 1: a literal is 0"),
        ([b"5 " + b"2" * 5000 + b" 0 1 2 0"], "line 1: a literal is"),
        ([b"5 " + b"2" * 30 + b" 0 1 2 0"], "line 1: a literal is"),
        ([b"5 2 0 1 02 0"], "line 1: hint 02 names no clause"),
        ([b"5 2 0 1 0 2 0"], "line 1: hint 0 names no clause"),
        ([b"5 2 0 1 7 0"], "line 1: hint 7 names no clause"),
        ([b"5 2 0 5 0"], "line 1: hint 5 names no clause"),
        ([b"5 0 1 0"], "line 1: hint 1 leaves more than one literal"),
        ([b"5 2 0 1 2 3 0"], "line 1: hints stand behind"),
        ([b"5 2 0 1 0", b"6 0 5 3 4 0"], "line 1: the hints lead to no contradiction, and clause 3"),
        ([b"5 0 0"], "line 1: the hints do not lead to a contradiction"),
        ([*SQUARE_PROOF, b"7 1 0 1 0"], "line 3: stands behind the empty clause"),
        ([*SQUARE_PROOF, b"6 d 1 0"], "line 3: stands behind the empty clause"),
        ([b"5 d 7 0"], "line 1: deletes 7"),
        ([b"5 d 1 1 0"], "line 1: deletes 1"),
        ([b"5 d 1 0", b"5 2 0 1 2 0"], "line 2: hint 1 names no clause"),
        ([b"5 d 1"], "line 1: must be"),
        ([b"d 1 0"], "line 1: must be"),
        ([b"x d 1 0"], "line 1: must be"),
        ([b"5 d -1 0"], "line 1: deletes -1"),
        ([b"5 2 0 1 2 0\r"], "line 1: must be"),
        ([b"5 2\t0 1 2 0"], "line 1: must be"),
        ([b"c remark"], "line 1: must be"),
        ([b"\xff\x00"], "line 1: must be"),
        ([b"5 2 0 1 2 0", b"x"], "line 2: must be"),
    ],
)
def test_a_bad_line_is_refused_with_its_number(lines: list[bytes], says: str) -> None:
    with pytest.raises(ProofError) as refused:
        check_lrat(SQUARE, lines)
    assert says in str(refused.value)


# x = 3 is new: 3 <-> 1 and 2 (extended resolution). RAT steps on 3 and -3, then the refutation without them.
def test_rat_steps_define_a_new_variable() -> None:
    lines = [b"5 -3 1 0 0", b"6 -3 2 0 0", b"7 3 -1 -2 0 -5 -6 0"]
    assert is_accepted(SQUARE, [*lines, b"8 2 0 1 2 0", b"9 0 8 3 4 0"])
    # The last needs both clauses with -3 named.
    for part in ([b"7 3 -1 -2 0 -5 0"], [b"7 3 -1 -2 0 -6 0"], [b"7 3 -1 -2 0 0"]):
        with pytest.raises(ProofError, match=r"line 3: .* holds the negated pivot"):
            check_lrat(SQUARE, [*lines[:2], *part])
    with pytest.raises(ProofError, match="line 3: hint -1 names no clause with the negated pivot"):
        check_lrat(SQUARE, [*lines[:2], b"7 3 -1 -2 0 -5 -6 -1 0"])
    with pytest.raises(ProofError, match="line 3: hint -5 stands twice"):
        check_lrat(SQUARE, [*lines[:2], b"7 3 -1 -2 0 -5 -6 -5 0"])
    with pytest.raises(ProofError, match="line 3: hint 99 names no clause"):
        check_lrat(SQUARE, [*lines[:2], b"7 3 -1 -2 0 99 -5 -6 0"])


def test_a_rat_step_needs_its_hints_behind_the_negative_one() -> None:
    # (1) is RAT on 1 if the resolvents with (-1 2) and (-1 3) follow: 2 does by (2 4), (2 -4); 3 by (3).
    formula: Clauses = [(-1, 2), (-1, 3), (2, 4), (2, -4), (3,), (-2, -3)]
    assert is_accepted(formula, [b"7 1 0 -1 3 4 -2 5 0", b"8 0 7 1 2 6 0"])
    for hints in (b"-1 3 -2 5", b"-1 -2 5", b"-1 4 3 5 -2 5", b"-1 3 4 -2", b"-1 3 4", b"-2 5", b"-1 9 -2 5"):
        assert not is_accepted(formula, [b"7 1 0 " + hints + b" 0", b"8 0 7 1 2 6 0"])


def test_a_rat_step_that_takes_the_models_away_is_refused() -> None:
    # (1 2) and (-1): the only models have 2 true. (-2) does not follow and is not RAT either.
    for hints in (b"", b"1 ", b"-1 ", b"-1 2 ", b"-1 2 1 ", b"-1 1 ", b"2 -1 "):
        assert not is_accepted([(1, 2), (-1,)], [b"3 -2 0 " + hints + b"0", b"4 0 2 3 1 0"])


@pytest.mark.parametrize("holes", [1, 2, 3, 4, 5])
def test_cadical_refutes_the_pigeons(tmp_path: Path, holes: int) -> None:
    lines = proof_of(pigeons(holes), tmp_path)
    assert check_lrat(pigeons(holes), lines).steps == sum(b"d" not in line for line in lines)


@st.composite
def formulas(draw: st.DrawFn) -> Clauses:
    variables = draw(st.integers(1, 5))
    literals = st.integers(1, variables).flatmap(lambda v: st.sampled_from([v, -v]))
    clauses = st.lists(literals, max_size=4, unique_by=abs).map(tuple)
    return draw(st.lists(clauses.filter(bool), max_size=25)) + ([()] if draw(st.integers(0, 30)) == 0 else [])


@relaxed
@given(formula=formulas())
def test_a_formula_is_refuted_just_when_it_is_unsatisfiable(
    formula: Clauses, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("proofs") / "a.lrat.xz"
    came = refute(formula, path)
    if isinstance(came, list):
        true = set(came)
        assert all(any(literal in true for literal in clause) for clause in formula)
        assert not path.exists()
        return
    assert not is_satisfiable(formula)
    proof = ProofFile(path)
    assert check_lrat(formula, proof).steps == came.steps
    assert came.digest == proof.digest == hashlib.blake2b(path.read_bytes(), digest_size=32).hexdigest()
    assert proof.bytes == path.stat().st_size


def test_the_same_clause_may_stand_twice_and_in_another_order(tmp_path: Path) -> None:
    doubled: list[Clauses] = [
        [(1, 2), (2, 1), (1,), (1,), (-1,)],
        [(2, 1), (1, 2), (-2, 1), (2, -1), (-1, -2), (-2, -1)],
    ]
    for formula in doubled:
        assert is_accepted(formula, proof_of(formula, tmp_path))


def random_clauses(dice: random.Random, variables: int, count: int) -> Clauses:
    chosen = [dice.sample(range(1, variables + 1), dice.randint(1, min(3, variables))) for _ in range(count)]
    return [tuple(dice.choice((v, -v)) for v in clause) for clause in chosen]


def random_line(clauses: Clauses, new: int, dice: random.Random) -> bytes:
    """A line that looks like one of a proof; hints for RAT steps name all clauses with the negated pivot."""
    ids = list(range(1, new))
    if dice.random() < 0.1:
        return b"%d d %d 0" % (new, dice.choice(ids))
    literals = (
        []
        if dice.random() < 0.1
        else [dice.choice((v, -v)) for v in dice.choices(range(1, 7), k=dice.randint(1, 3))]
    )
    hints = dice.sample(ids, dice.randint(0, min(4, len(ids))))
    if literals and dice.random() < 0.5:
        hints = hints[: dice.randint(0, 1)]
        for number, clause in enumerate(clauses, start=1):
            if -literals[0] in clause and dice.random() < 0.97:
                hints += [-number, *dice.sample(ids, dice.randint(0, 2))]
    return " ".join(map(str, [new, *literals, 0, *hints, 0])).encode()


@pytest.mark.parametrize("seed", range(4))
def test_no_proof_of_a_satisfiable_formula_is_accepted(seed: int) -> None:
    # Proofs are grown: of many random lines those are kept that pass, RAT steps and deletions among them.
    dice = random.Random(seed)
    kept = rat = 0
    for _ in range(30):
        formula = random_clauses(dice, 4, dice.randint(3, 10))
        if not is_satisfiable(formula):
            continue
        lines: list[bytes] = []
        clauses = list(formula)
        for _ in range(150):
            line = random_line(clauses, len(clauses) + 1, dice)
            with pytest.raises(ProofError) as refused:
                check_lrat(formula, [*lines, line])
            if str(refused.value) == "the empty clause is not derived":
                lines.append(line)
                clauses.append(() if b"d" in line else tuple(map(int, line.partition(b" 0 ")[0].split()[1:])))
                kept += 1
                rat += b"-" in line.partition(b" 0 ")[2]
    assert kept > 200
    assert rat > 20


def mutated(lines: Sequence[bytes], dice: random.Random) -> list[bytes]:
    """A proof with something dropped, changed, swapped, doubled or deleted."""
    changed = list(lines)
    for _ in range(dice.randint(1, 3)):
        at = dice.randrange(len(changed))
        words = changed[at].split()
        word = dice.randrange(len(words)) if words else 0
        act = dice.randrange(8)
        if act == 0:
            del changed[at]
        elif act == 1:
            other = dice.randrange(len(changed))
            changed[at], changed[other] = changed[other], changed[at]
        elif act == 2:
            changed.insert(dice.randrange(len(changed) + 1), changed[at])
        elif act == 3:
            changed.insert(at, b"1 d %d 0" % dice.randint(1, 30))
        elif words and act == 4:
            del words[word]
            changed[at] = b" ".join(words)
        elif words and act == 5:
            words[word] = words[word][1:] if words[word].startswith(b"-") else b"-" + words[word]
            changed[at] = b" ".join(words)
        elif words and act == 6:
            words[word] = b"%d" % dice.randint(0, 30)
            changed[at] = b" ".join(words)
        elif words:
            other = dice.randrange(len(words))
            words[word], words[other] = words[other], words[word]
            changed[at] = b" ".join(words)
        if not changed:
            return changed
    return changed


def satisfiable_ones(clauses: Clauses, dice: random.Random) -> Iterator[Clauses]:
    """Formulas with a clause dropped, weakened or changed, as long as they have a model."""
    for _ in range(300):
        changed = list(clauses)
        at = dice.randrange(len(changed))
        act = dice.randrange(3)
        if act == 0:
            changed[at] = (*changed[at], 40)
        elif act == 1:
            changed[at] = tuple(-literal for literal in changed[at])
        else:
            changed[at] = changed[dice.randrange(len(changed))]
        with Solver(name="minisat22", bootstrap_with=changed) as solver:
            if solver.solve():
                yield changed


@pytest.mark.parametrize("seed", range(5))
def test_a_proof_and_its_mutants_never_refute_a_satisfiable_formula(tmp_path: Path, seed: int) -> None:
    dice = random.Random(seed)
    clauses = pigeons(3)
    dice.shuffle(clauses)
    lines = proof_of(clauses, tmp_path)
    tried = 0
    for satisfiable in satisfiable_ones(clauses, dice):
        assert not is_accepted(satisfiable, lines)
        for _ in range(10):
            assert not is_accepted(satisfiable, mutated(lines, dice))
            tried += 1
    assert tried > 500


def test_no_mutant_refutes_the_square_without_a_clause() -> None:
    # A mutant may be a proof too; but not where a clause is weaker, as all four are needed.
    dice = random.Random(7)
    refused = 0
    for _ in range(3000):
        lines = mutated([b"5 2 0 1 2 0", b"5 d 1 0", b"6 0 5 3 4 0"], dice)
        for dropped in range(4):
            weaker = [(*clause, 9) if number == dropped else clause for number, clause in enumerate(SQUARE)]
            assert not is_accepted(weaker, lines)
        refused += not is_accepted(SQUARE, lines)
    assert refused > 1500


# --- Files -----------------------------------------------------------------------------------------------------


def test_a_packed_proof_is_read_line_by_line(tmp_path: Path) -> None:
    path = tmp_path / "a.lrat.xz"
    path.write_bytes(lzma.compress(b"\n".join(SQUARE_PROOF)))
    proof = ProofFile(path)
    assert check_lrat(SQUARE, proof).steps == 2
    plain = tmp_path / "a.lrat"
    plain.write_bytes(b"\n".join(SQUARE_PROOF) + b"\n")
    assert list(ProofFile(plain)) == SQUARE_PROOF


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda packed: packed[:-1], "is cut off"),
        (lambda packed: packed[: len(packed) // 2], "is cut off"),
        (lambda packed: b"", "is cut off"),
        (lambda packed: packed + b"\0", "something stands behind"),
        (lambda packed: packed + packed, "something stands behind"),
        (lambda packed: b"7" + packed[1:], "cannot be unpacked"),
        (lambda packed: packed[:30] + b"\xff" + packed[31:], "cannot be unpacked"),
    ],
)
def test_a_damaged_file_is_refused(tmp_path: Path, change: type[bytes], says: str) -> None:
    path = tmp_path / "a.lrat.xz"
    path.write_bytes(change(lzma.compress(b"\n".join(SQUARE_PROOF))))
    with pytest.raises(ProofError, match=says):
        check_lrat(SQUARE, ProofFile(path))


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ProofError, match="cannot be read"):
        check_lrat(SQUARE, ProofFile(tmp_path / "a.lrat.xz"))


def test_an_endless_line_is_refused_before_it_fills_the_memory(tmp_path: Path) -> None:
    path = tmp_path / "a.lrat"
    path.write_bytes(b"5 2 0 " + b"1 " * 2_500_000)
    with pytest.raises(ProofError, match="a line of more than"):
        check_lrat(SQUARE, ProofFile(path))


def test_the_checker_stands_alone() -> None:
    # It imports nothing but Python's own modules.
    script = """
import sys
from importlib.util import module_from_spec, spec_from_file_location
spec = spec_from_file_location("lrat", sys.argv[1])
module = module_from_spec(spec)
sys.modules["lrat"] = module
before = set(sys.modules)
spec.loader.exec_module(module)
print([name for name in set(sys.modules) - before if name.split(".")[0] not in sys.stdlib_module_names])
"""
    path = Path(__file__).parents[2] / "optim" / "proof" / "lrat.py"
    ran = subprocess.run(
        [sys.executable, "-I", "-c", script, str(path)], capture_output=True, text=True, check=True
    )
    assert ran.stdout.strip() == "[]"
