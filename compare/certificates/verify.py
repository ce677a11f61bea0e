"""Checks a clause certificate: a claim about a puzzle, its layouts, and a refutation of what would make it false.

The formula is written here again, from the puzzle and by the verifier's own clauses (`models.<puzzle>.clauses`);
nothing of it is taken from the certificate, whose proof must refute it (`optim.proof.lrat`). The layouts are
checked twice, by the puzzle's rules and by the same clauses. No solver is imported, and nothing that the engines'
models are made of.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias

from twinproof.compare.certificates.claims import (
    CLAIMS,
    Claim,
    bound,
    check_claim,
    countable,
    encode,
    optimum_bounds,
    refuted,
)
from twinproof.models import PUZZLES
from twinproof.models.grid import MAX_TILES, Cell, show
from twinproof.models.options import APART_FROM
from twinproof.models.puzzle import Layout, Puzzle
from twinproof.models.text.json_values import cells_of, check_rows, get, only
from twinproof.models.words import count_of
from twinproof.optim import InputError
from twinproof.optim.proof.cnf import Encoding, Formula
from twinproof.optim.proof.files import ProofFile
from twinproof.optim.proof.lrat import ProofError, check_lrat

FORM = "twinproof clause certificate 1"
PROOF_ENDING = ".lrat.xz"

ENCODINGS = {"plain 1": False, "leaders 1": True}
"""The encodings by their names in files, and whether each is one with lex-leader symmetry breaking."""

Content: TypeAlias = Mapping[str, Any]
OnProgress: TypeAlias = Callable[[str], None]


@dataclass(frozen=True)
class Certificate:
    """A certificate of which everything is of the right kind; what it claims is still to be checked.

    Parameters
    ----------
    puzzle : Puzzle
    instance : instance
    claim : Claim
    lex_leaders : bool
        Whether what is refuted has lex-leader symmetry breaking.
    formula, proof : mapping
        Sizes and digests, as the certificate says them.
    instance_digest : str
    proof_path : Path
    """

    puzzle: Puzzle[Any]
    instance: Any
    claim: Claim
    lex_leaders: bool
    formula: Content
    proof: Content
    instance_digest: str
    proof_path: Path


@dataclass(frozen=True)
class Verdict:
    """What became of a certificate.

    Parameters
    ----------
    valid : bool
        Whether the claim is proved.
    reasons : tuple of str
        Why not; empty if it is.
    facts : mapping
        Sizes that were found on the way.
    claim : str
        In words.
    """

    valid: bool
    reasons: tuple[str, ...]
    facts: Mapping[str, int]
    claim: str


LONGEST_NAME = 200


class _RefusedError(Exception):
    """The claim does not follow from the certificate."""


# --- Reading: the kinds of things, not yet what they mean -------------------------------------------------------

TOP = dict.fromkeys(
    (
        "form",
        "command",
        "puzzle",
        "instance",
        "claim",
        "layouts",
        "encoding",
        "instance_digest",
        "formula",
        "proof",
    )
)
FORMULA = {"variables": int, "clauses": int, "digest": str}
PROOF = {"file": str, "steps": int, "digest": str}


def read_certificate(content: Content, folder: Path) -> Certificate:
    """Read a certificate.

    Parameters
    ----------
    content : mapping
        As `models.text.json_values.json_object` gives it.
    folder : Path
        Where the proof is.

    Raises
    ------
    InputError
        If something is missing, unknown or of a wrong kind.
    """
    place = "certificate"
    if get(content, "form", str, place) != FORM:
        raise InputError(f"{place}: form: must be {FORM!r}")
    only(content, TOP, place)
    get(content, "command", str, place)
    name = get(content, "puzzle", str, place)
    if name not in PUZZLES:
        raise InputError(f"{place}: puzzle: must be one of {', '.join(PUZZLES)}")
    puzzle = PUZZLES.find(name)
    encoding = get(content, "encoding", str, place)
    if encoding not in ENCODINGS:
        raise InputError(f"{place}: encoding: must be one of {', '.join(ENCODINGS)}")
    formula, proof = _read_sizes(content, "formula", FORMULA), _read_sizes(content, "proof", PROOF)
    instance = read_instance(puzzle, get(content, "instance", dict, place))
    layouts = _read_layouts(puzzle, instance, get(content, "layouts", list, place))
    return Certificate(
        puzzle,
        instance,
        _read_claim(puzzle, get(content, "claim", dict, place), layouts),
        ENCODINGS[encoding],
        formula,
        proof,
        get(content, "instance_digest", str, place),
        folder / check_proof_name(get(proof, "file", str, "proof")),
    )


def _read_sizes(content: Content, key: str, kinds: Mapping[str, type]) -> Content:
    """Give what a certificate says of its formula or its proof."""
    said: Content = get(content, key, dict, "certificate")
    only(said, kinds, key)
    for name, kind in kinds.items():
        get(said, name, kind, key)
    return said


def read_instance(puzzle: Puzzle[Any], content: Content) -> Any:
    """Read an instance from its plain JSON values.

    Parameters
    ----------
    puzzle : Puzzle
    content : mapping
        As the puzzle's `to_json` gives it.

    Raises
    ------
    InputError
        If something is missing, unknown or of a wrong kind, it is no such instance, or it is not written in the
        one way that `to_json` has.
    """
    instance = puzzle.from_json(content)
    plain = puzzle.to_json(instance)
    only(content, plain, "instance")
    if plain != dict(content):
        raise InputError("instance: there is a plainer way to write it, and only that one is allowed")
    return instance


def check_proof_name(name: str) -> str:
    """Refuse a name that leads out of the certificate's folder, or cannot be shown.

    Raises
    ------
    InputError
        If it is such a name.
    """
    wrong = any(mark in name for mark in "/\\") or not name.isprintable() or len(name) > LONGEST_NAME
    if not name.endswith(PROOF_ENDING) or wrong:
        raise InputError(
            f"proof: file: {name[:80]!r} must be the name of a file beside the certificate, ending in "
            f"{PROOF_ENDING}"
        )
    return name


def _read_layouts(puzzle: Puzzle[Any], instance: Any, drawn: Sequence[Any]) -> tuple[Layout, ...]:
    layouts = []
    for number, rows in enumerate(drawn, start=1):
        place = f"layouts: layout {number}"
        layout = puzzle.read_layout(instance, "\n".join(check_rows(rows, place)), place)
        if list(layout) != rows:
            raise InputError(f"{place}: there is a plainer way to write it, and only that one is allowed")
        layouts.append(layout)
    return tuple(layouts)


def _read_claim(puzzle: Puzzle[Any], content: Content, layouts: tuple[Layout, ...]) -> Claim:
    kind = get(content, "kind", str, "claim")
    if kind not in CLAIMS:
        raise InputError(f"claim: kind: must be one of {', '.join(CLAIMS)}")
    claim = Claim(kind, layouts=layouts)
    if kind == "optimum":
        objective, value = _read_number(puzzle, content, "value")
        claim = replace(claim, objective=objective, value=value)
    elif kind == "infeasible" and len(content) > 1:
        key = "at_least" if "at_least" in content else "at_most"
        objective, number = _read_number(puzzle, content, key)
        at_least, at_most = (number, None) if key == "at_least" else (None, number)
        claim = replace(claim, objective=objective, at_least=at_least, at_most=at_most)
    elif kind == "forced":
        only(content, dict.fromkeys(("kind", "without", "with")), "claim")
        without, with_mark = cells_of(content, "without", "claim"), cells_of(content, "with", "claim")
        claim = replace(claim, without=tuple(without), with_mark=tuple(with_mark))
    else:
        only(content, {"kind": None}, "claim")
    if {"optimum": 1, "unique": 1, "infeasible": 0}.get(kind, max(len(layouts), 1)) != len(layouts):
        raise InputError(f"layouts: {len(layouts)} of them, for a claim {kind}")
    return claim


def _read_number(puzzle: Puzzle[Any], content: Content, key: str) -> tuple[str, int]:
    """Give the objective of a claim, and the number that it claims."""
    objective = countable(puzzle, get(content, "objective", str, "claim"))
    number: int = get(content, key, int, "claim")
    if not 0 <= number <= MAX_TILES:
        raise InputError(f"claim: {key}: must be from 0 to {MAX_TILES}")
    only(content, dict.fromkeys(("kind", "objective", key)), "claim")
    return objective.name, number


# --- Checking ---------------------------------------------------------------------------------------------------


def verify_clauses(certificate: Certificate, on_progress: OnProgress | None = None) -> Verdict:
    """Check that the claim of a certificate follows.

    Parameters
    ----------
    certificate : Certificate
    on_progress : callable, optional
        Called with a line of text every now and then.

    Raises
    ------
    InputError
        If the formula becomes too large to be checked, or there is no file with the proof.
    """
    if not certificate.proof_path.is_file():
        raise InputError(f"{certificate.proof_path}: there is no such file; it holds the certificate's proof")
    tell = on_progress or (lambda text: None)
    facts: dict[str, int] = {}
    puzzle, instance, claim = certificate.puzzle, certificate.instance, certificate.claim
    words = in_words(puzzle, instance, claim)
    try:
        _check_layouts(certificate)
        tell("writing the formula")
        formula = refuted(puzzle, instance, claim, certificate.lex_leaders)
        facts |= {"variables": formula.variables, "clauses": len(formula.clauses)}
        _check_formula(certificate, formula)
        proof = ProofFile(certificate.proof_path)
        checked = check_lrat(formula.clauses, proof, lambda line: tell(f"line {line:,} of the proof"))
        facts["steps"] = checked.steps
        if certificate.proof["digest"] != proof.digest:
            raise _RefusedError("proof: digest: is not the one of the file")
        if certificate.proof["steps"] != checked.steps:
            raise _RefusedError(f"proof: steps: there are {checked.steps}")
    except (_RefusedError, ProofError) as refused:
        place = "proof: " if isinstance(refused, ProofError) else ""
        return Verdict(False, (f"{place}{refused}",), MappingProxyType(facts), words)
    return Verdict(True, (), MappingProxyType(facts), words)


def _check_formula(certificate: Certificate, formula: Formula) -> None:
    """Compare the formula, and the instance, with what the certificate says about them."""
    if certificate.instance_digest != text_digest(certificate.puzzle.to_json(certificate.instance)):
        raise _RefusedError("instance_digest: is not the one of the instance")
    for key, number in (("variables", formula.variables), ("clauses", len(formula.clauses))):
        if certificate.formula[key] != number:
            raise _RefusedError(f"formula: {key}: there are {number}")
    if certificate.formula["digest"] != formula.digest():
        raise _RefusedError("formula: digest: is not the one of the formula that the claim and the instance give")


def _check_layouts(certificate: Certificate) -> None:
    """Check every layout by the rules and by the clauses, and that they show what the claim says."""
    puzzle, instance, claim = certificate.puzzle, certificate.instance, certificate.claim
    check_claim(puzzle, instance, claim.kind, claim.objective)
    if not claim.layouts:
        return
    encoding = encode(puzzle, instance)
    if claim.kind == "optimum":
        _check_value(certificate, encoding)
    for number, layout in enumerate(claim.layouts, start=1):
        if broken := puzzle.rules.violations(instance, layout):
            raise _RefusedError(f"layouts: layout {number}: {broken[0]}")
        if (clause := encoding.formula.broken(encoding.formula.extend(encoding.chosen(layout)))) is not None:
            raise _RefusedError(f"layouts: layout {number}: breaks the clause {clause}")
    if claim.kind == "forced":
        _check_open(claim, [cell for _, cell in encoding.marks])


def _check_value(certificate: Certificate, encoding: Encoding) -> None:
    """Check that the layout has the value that is claimed, by the rules; and have the clauses demand it."""
    puzzle, claim = certificate.puzzle, certificate.claim
    assert claim.objective is not None
    assert claim.value is not None
    value = puzzle.rules.value(certificate.instance, claim.objective, claim.layouts[0])
    if value != claim.value:
        raise _RefusedError(f"claim: value: {claim.value}, the layout has {value}")
    objective = countable(puzzle, claim.objective)
    bound(encoding, objective, *optimum_bounds(objective, claim.value))


def _check_open(claim: Claim, cells: Sequence[Cell]) -> None:
    """Check that every cell is called forced, or shown to be open."""
    for r, c in sorted(set(cells).difference(claim.without, claim.with_mark)):
        if len({layout[r][c] for layout in claim.layouts}) < 2:
            raise _RefusedError(f"layouts: {show((r, c))}: not called forced, and alike in all layouts")


def text_digest(instance: Content) -> str:
    """Give the BLAKE2b digest, of 32 bytes, of an instance as JSON with sorted keys and without blanks."""
    plain = json.dumps(instance, sort_keys=True, separators=(",", ":"))
    return hashlib.blake2b(plain.encode("ascii"), digest_size=32).hexdigest()


def in_words(puzzle: Puzzle[Any], instance: Any, claim: Claim) -> str:
    """Say a claim in words.

    Parameters
    ----------
    puzzle : Puzzle
        The puzzle.
    instance : Any
        Its instance; of its name only printable characters are shown.
    claim : Claim
        The claim.

    Returns
    -------
    str
        One line.
    """
    # The name comes from a file that may be anybody's.
    about = f"{puzzle.name} {''.join(mark if mark.isprintable() else '?' for mark in instance.name[:80])}"
    if said := _options_in_words(puzzle, instance):
        about += f" ({said})"
    if claim.kind == "optimum":
        return f"{about}: {claim.objective}: {claim.value}, and no layout is better"
    if claim.kind == "unique":
        return f"{about}: the layout is the only one"
    if claim.kind == "forced":
        return f"{about}: {_forced_in_words(claim)}"
    if claim.objective is None:
        return f"{about}: there is no layout"
    number = f"at least {claim.at_least}" if claim.at_least is not None else f"at most {claim.at_most}"
    return f"{about}: no layout has a value of {number} ({claim.objective})"


def _forced_in_words(claim: Claim) -> str:
    """Say how many cells are forced, and which marks they have in every layout."""
    cells, layout = (*claim.with_mark, *claim.without), claim.layouts[0]
    # Nothing is checked yet: a cell may be none.
    marks = Counter(layout[r][c] for r, c in cells if r < len(layout) and c < len(layout[r]))
    shown = ", ".join(f"{mark!r} in {number}" for mark, number in marks.items())
    return f"{count_of(len(cells), 'forced cell')}" + (f" ({shown})" if shown else "") + "; all others are open"


def _options_in_words(puzzle: Puzzle[Any], instance: Any) -> str:
    """Say all about an instance that is not drawn, but for what goes without saying."""
    said = puzzle.describe(instance)
    said.pop(APART_FROM.name, None)  # no claim speaks of it
    return ", ".join(
        f"{name} {json.dumps(value)}" for name, value in said.items() if not _is_usual(puzzle, name, value)
    )


def _is_usual(puzzle: Puzzle[Any], name: str, value: object) -> bool:
    if name in puzzle.usual:
        return value == puzzle.usual[name]
    return value is None or value is False or value == []
