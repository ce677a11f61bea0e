"""A checker of LRAT proofs: refutations of a formula in which every step names the clauses that it follows from.

A line `ID LITERALS 0 HINTS 0` adds a clause, a line `ID d IDS 0` deletes clauses. The clauses of the formula
have the ids 1, 2, ...; every added clause has a higher id than all before it.

*RUP.* Let all literals of the new clause be false. Take the clauses that the hints name, one after the other: a
clause all of whose literals are false is a contradiction, so the new clause follows; if all but one are false,
that one must be true, and its negation is false from here on. A clause with two literals that are not false
proves nothing, and the step is refused.

*RAT.* A clause may also be added that does not follow, if it takes no model away for good: whatever makes the
other clauses true can be made to make the new one true as well, by turning its first literal, the pivot, to
true. For that the new clause, together with any clause that holds the pivot's negation, must give a clause that
follows. A hint `-ID` names such a clause, and the hints behind it show that it follows; every clause with the
negated pivot must be named.

The formula is refuted when the empty clause is added. Deleting clauses can never make that wrong.

The proof is read line by line, and only the clauses that have not been deleted are held. Nothing but this file and
Python is needed; in particular no solver.

*Work.* A proof may come from somebody who wants the checker to run for ever. So every line must do something: add
a clause, or delete at least one; there may be no more steps than are announced; and the checker looks at no more
literals than `WORK_PER_LITERAL` for every literal of the formula and `WORK_PER_BYTE` for every byte of the proof.
A solver's proof needs less than one a byte.

References
----------
L. Cruz-Filipe, M. Heule, W. Hunt, M. Kaufmann and P. Schneider-Kamp, "Efficient certified RAT verification",
CADE 2017.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import filterfalse
from typing import TypeAlias

DIGITS = b"0123456789"
MOST_DIGITS = 18
SHAPE = "must be ID LITERALS 0 HINTS 0, or ID d IDS 0"
TOO_MUCH = "more work than a proof of this size may need"
WORK_PER_LITERAL = 100
WORK_PER_BYTE = 10
"""How many literals may be looked at, for every literal of the formula and for every byte of the proof."""

TELL_EVERY = 20_000
"""The number of lines between two calls of `on_progress`."""

Clauses: TypeAlias = dict[bytes, tuple[int, ...]]
"""The clauses that have not been deleted, by their ids."""


class ProofError(Exception):
    """A proof is refused; the message names the line."""


@dataclass(frozen=True)
class CheckedProof:
    """Sizes of a proof that was accepted.

    Parameters
    ----------
    steps : int
        Clauses that were added, the empty one included.
    deleted : int
        Clauses that were deleted.
    work : int
        Literals that were looked at.
    """

    steps: int
    deleted: int
    work: int


def check_lrat(
    clauses: Iterable[Sequence[int]],
    lines: Iterable[bytes],
    on_progress: Callable[[int], None] | None = None,
    most_steps: int | None = None,
) -> CheckedProof:
    """Check that a proof refutes a formula.

    Parameters
    ----------
    clauses : iterable of sequence of int
        The formula; literals as in DIMACS.
    lines : iterable of bytes
        The proof, a line at a time.
    on_progress : callable, optional
        Called with the number of lines that are checked, every now and then.
    most_steps : int, optional
        The number of steps that the proof is said to have; at the next one it is refused.

    Raises
    ------
    ProofError
        If a line is malformed, a step does not follow, the empty clause is not derived, or not at the very end, or
        there are more steps or more work than a proof of this size may have.
    """
    # Ids stay what they are in the file, bytes: most of them are hints, and need not be made into numbers.
    live: Clauses = {b"%d" % i: tuple(clause) for i, clause in enumerate(clauses, start=1)}
    last = len(live)
    steps = deleted = 0
    allowed = left = WORK_PER_LITERAL * (last + sum(map(len, live.values())))
    refuted = False
    for number, line in enumerate(lines, start=1):
        if on_progress is not None and number % TELL_EVERY == 0:
            on_progress(number)
        allowed += WORK_PER_BYTE * (len(line) + 1)
        left += WORK_PER_BYTE * (len(line) + 1)
        try:
            if refuted:
                raise ProofError("stands behind the empty clause")
            if line.translate(None, DIGITS + b"- \n"):
                deleted += _delete(live, line)
                continue
            name, clause, hints = _step(line)
            if (new := int(name)) <= last:
                raise ProofError("its id is not above all before it")
            if steps == most_steps:
                raise ProofError(f"there are more than the {steps} steps that are announced")
            left = _check_step(live, clause, hints, left)
        except ProofError as error:
            raise ProofError(f"line {number}: {error}") from None
        last = new
        steps += 1
        live[name] = clause
        refuted = not clause
    if not refuted:
        raise ProofError("the empty clause is not derived")
    return CheckedProof(steps, deleted, allowed - left)


def _step(line: bytes) -> tuple[bytes, tuple[int, ...], list[bytes]]:
    """Read a line that adds a clause: its id, its literals and its hints."""
    head, between, tail = line.partition(b" 0 ")
    hints = tail.split()
    words = head.split()
    if not between or not words or not hints or hints.pop() != b"0":
        raise ProofError(SHAPE)
    name = words.pop(0)
    if not name.isdigit() or len(name) > MOST_DIGITS or name[:1] == b"0":
        raise ProofError("its id is no number from 1 on")
    try:
        clause = tuple(map(int, words))
    except ValueError:
        raise ProofError("a literal is no whole number") from None
    if 0 in clause or any(len(word) > MOST_DIGITS for word in words):
        raise ProofError(f"a literal is 0 or beyond {MOST_DIGITS} digits")
    return name, clause, hints


def _check_step(live: Clauses, clause: tuple[int, ...], hints: Sequence[bytes], left: int) -> int:
    """Check that a clause is RUP or RAT by its hints; gives what work is left. Most of the time is spent here."""
    false = set(clause)
    is_false, make_false, get = false.__contains__, false.add, live.get
    for position, hint in enumerate(hints):
        literals = get(hint)
        if literals is None:
            return _check_rat(live, clause, false, hints[position:], left)
        left -= len(literals)
        if left < 0:
            raise ProofError(TOO_MUCH)
        rest = filterfalse(is_false, literals)
        unit = next(rest, None)
        if unit is None:
            if position + 1 < len(hints):
                raise ProofError("hints stand behind the one that is a contradiction")
            return left
        if next(rest, None) is not None:
            raise ProofError(f"hint {hint.decode()} leaves more than one literal")
        make_false(-unit)
    return _check_rat(live, clause, false, [], left)


def _delete(live: Clauses, line: bytes) -> int:
    """Delete clauses; gives how many."""
    words = line.split()
    if len(words) < 3 or words[1] != b"d" or words[-1] != b"0" or not words[0].isdigit():
        raise ProofError(SHAPE)
    if len(words) == 3:
        raise ProofError("deletes nothing")
    for name in words[2:-1]:
        if live.pop(name, None) is None:
            raise ProofError(f"deletes {_shown(name)}, and there is no such clause")
    return len(words) - 3


def _check_rat(
    live: Clauses,
    clause: tuple[int, ...],
    false: set[int],
    hints: Sequence[bytes],
    left: int,
) -> int:
    """Check that a clause is RAT on its first literal; gives what work is left.

    Parameters
    ----------
    live, clause
        As in `check_lrat`.
    false : set of int
        The clause's own literals, and what has become false by the hints before.
    hints : sequence of bytes
        The rest of them: groups, each with a negative id in front.
    left : int
        The number of literals that may still be looked at.
    """
    if hints and not hints[0].startswith(b"-"):
        raise ProofError(f"hint {_shown(hints[0])} names no clause")
    if not clause:
        raise ProofError("the hints do not lead to a contradiction")
    groups: dict[bytes, list[bytes]] = {}
    group: list[bytes] = []
    for hint in hints:
        if not hint.startswith(b"-"):
            group.append(hint)
        elif hint[1:] in groups:
            raise ProofError(f"hint {_shown(hint)} stands twice")
        else:
            group = groups[hint[1:]] = []
    negated = -clause[0]
    for name, literals in live.items():
        left -= len(literals) + 1
        if left < 0:
            raise ProofError(TOO_MUCH)
        if negated in literals:
            if name not in groups:
                raise ProofError(
                    f"the hints lead to no contradiction, and clause {name.decode()}, which holds "
                    "the negated pivot, is not among them"
                )
            left = _check_resolvent(live, literals, negated, set(false), groups.pop(name), left - len(false))
    if groups:
        raise ProofError(f"hint -{_shown(next(iter(groups)))} names no clause with the negated pivot")
    return left


def _check_resolvent(
    live: Clauses,
    other: Sequence[int],
    negated: int,
    false: set[int],
    hints: Sequence[bytes],
    left: int,
) -> int:
    """Check that a clause follows that two clauses give together; gives what work is left."""
    for literal in other:
        if literal != negated:
            if -literal in false:
                return left  # it holds a literal and its negation, or one that is true by the hints before
            false.add(literal)
    for position, hint in enumerate(hints, start=1):
        literals = live.get(hint)
        if literals is None:
            raise ProofError(f"hint {_shown(hint)} names no clause")
        left -= len(literals)
        if left < 0:
            raise ProofError(TOO_MUCH)
        rest = list(filterfalse(false.__contains__, literals))
        if not rest:
            if position < len(hints):
                raise ProofError("hints stand behind the one that is a contradiction")
            return left
        if len(rest) > 1:
            raise ProofError(f"hint {_shown(hint)} leaves more than one literal")
        false.add(-rest[0])
    raise ProofError("the hints behind a negative one do not lead to a contradiction")


def _shown(word: bytes) -> str:
    return word[:20].decode("ascii", "replace")
