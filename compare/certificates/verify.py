"""Checks a clause certificate: a claim about a puzzle, its layouts, and a refutation of what would make it false.

The formula is written here again, from the puzzle and by the verifier's own clauses (`models.<puzzle>.clauses`);
nothing of it is taken from the certificate, whose proof must refute it (`optim.proof.lrat`). The layouts are
checked twice, by the puzzle's rules and by the same clauses. No solver is imported, and nothing that the engines'
models are made of.
"""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias

from twinproof.compare.certificates.claims import CLAIMS, Claim, Layout, board_of, bound, counted_mark, refuted
from twinproof.compare.certificates.instance import cells_of, check_rows, get, only, read_instance, write_instance
from twinproof.models.grid import MAX_TILES, Cell, show
from twinproof.models.hops import instance as hops
from twinproof.models.hops import rules as hops_rules
from twinproof.models.lightup import instance as lightup
from twinproof.models.lightup import rules as lightup_rules
from twinproof.models.minesweeper import instance as minesweeper
from twinproof.models.minesweeper import rules as minesweeper_rules
from twinproof.models.sprinklers import instance as sprinklers
from twinproof.models.sprinklers import rules as sprinklers_rules
from twinproof.models.starbattle import instance as starbattle
from twinproof.models.starbattle import rules as starbattle_rules
from twinproof.optim import InputError
from twinproof.optim.proof.cnf import Formula
from twinproof.optim.proof.files import ProofFile
from twinproof.optim.proof.lrat import ProofError, check_lrat

__all__ = [
    "ENCODINGS",
    "FORM",
    "PROOF_ENDING",
    "Certificate",
    "Verdict",
    "check_proof_name",
    "in_words",
    "read_certificate",
    "read_json",
    "text_digest",
    "verify_clauses",
]

FORM = "twinproof clause certificate 1"
PROOF_ENDING = ".lrat.xz"

ENCODINGS = {"plain 1": False, "leaders 1": True}
"""The names of the encodings, and whether they look only for layouts that are the first of those alike."""

ROOMS: dict[str, tuple[Any, Any]] = {
    "sprinklers": (sprinklers, sprinklers_rules),
    "hops": (hops, hops_rules),
    "starbattle": (starbattle, starbattle_rules),
    "lightup": (lightup, lightup_rules),
    "minesweeper": (minesweeper, minesweeper_rules),
}

Content: TypeAlias = Mapping[str, Any]
OnProgress: TypeAlias = Callable[[str], None]


@dataclass(frozen=True)
class Certificate:
    """A certificate of which everything is of the right kind; what it claims is still to be checked.

    Parameters
    ----------
    name : str
        The puzzle's name.
    puzzle : Puzzle
    claim : Claim
    leaders : bool
        Whether the refutation looks only for layouts that are the first of those alike up to a symmetry.
    formula, proof : mapping
        Sizes and digests, as the certificate says them.
    instance_digest : str
    proof_path : Path
    """

    name: str
    puzzle: Any
    claim: Claim
    leaders: bool
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


PLAIN: dict[str, Any] = {
    "kind": "basic",
    "nozzle": False,
    "symmetry": None,
    "harvest": 4,
    "entrances": [],
    "dry_paths": False,
    "hops": None,
    "stars": 1,
    "mines": None,
    "trust_flags": True,
}
"""What the words of a claim leave unsaid; all else about an instance that is not drawn is part of the sentence."""

LONGEST_NAME = 200


class _RefusedError(Exception):
    """The claim does not follow from the certificate."""


def read_json(text: str, name: str) -> dict[str, Any]:
    """Read a JSON object in which no key stands twice.

    Raises
    ------
    InputError
        If it is none.
    """
    try:
        content = json.loads(text, object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{name}: no JSON: {str(error) or 'nested too deeply'}") from None
    if not isinstance(content, dict):
        raise InputError(f"{name}: must be a JSON object")
    return content


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Refuse a key that stands twice: readers differ in which of the two they believe."""
    content = dict(pairs)
    if len(content) < len(pairs):
        raise ValueError("a key stands twice")
    return content


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


def read_certificate(content: Content, folder: Path) -> Certificate:
    """Read a certificate.

    Parameters
    ----------
    content : mapping
        As `read_json` gives it.
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
    if name not in ROOMS:
        raise InputError(f"{place}: puzzle: must be one of {', '.join(ROOMS)}")
    encoding = get(content, "encoding", str, place)
    if encoding not in ENCODINGS:
        raise InputError(f"{place}: encoding: must be one of {', '.join(ENCODINGS)}")
    formula = get(content, "formula", dict, place)
    only(formula, dict.fromkeys(("variables", "clauses", "digest")), "formula")
    proof = get(content, "proof", dict, place)
    only(proof, dict.fromkeys(("file", "steps", "digest")), "proof")
    for part, where, keys in ((formula, "formula", ("variables", "clauses")), (proof, "proof", ("steps",))):
        get(part, "digest", str, where)
        for key in keys:
            get(part, key, int, where)
    puzzle = read_instance(name, get(content, "instance", dict, place))
    layouts = _read_layouts(name, puzzle, get(content, "layouts", list, place))
    return Certificate(
        name,
        puzzle,
        _read_claim(name, get(content, "claim", dict, place), layouts),
        ENCODINGS[encoding],
        formula,
        proof,
        get(content, "instance_digest", str, place),
        folder / check_proof_name(get(proof, "file", str, "proof")),
    )


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


def _read_layouts(name: str, puzzle: Any, drawn: Sequence[Any]) -> tuple[Layout, ...]:
    module, _ = ROOMS[name]
    layouts = []
    for number, rows in enumerate(drawn, start=1):
        place = f"layouts: layout {number}"
        layout = module.read_layout(puzzle, "\n".join(check_rows(rows, place)), place)
        if list(layout) != rows:
            raise InputError(f"{place}: there is a plainer way to write it, and only that one is allowed")
        layouts.append(layout)
    return tuple(layouts)


def _read_claim(name: str, content: Content, layouts: tuple[Layout, ...]) -> Claim:
    kind = get(content, "kind", str, "claim")
    if kind not in CLAIMS:
        raise InputError(f"claim: kind: must be one of {', '.join(CLAIMS)}")
    numbers: dict[str, int | None] = {}
    objective = None
    if kind == "optimum" or (kind == "infeasible" and len(content) > 1):
        objective = get(content, "objective", str, "claim")
        counted_mark(name, objective)
        given = ("value",) if kind == "optimum" else ("at_least",) if "at_least" in content else ("at_most",)
        for key in given:
            numbers[key] = get(content, key, int, "claim")
            if not 0 <= content[key] <= MAX_TILES:
                raise InputError(f"claim: {key}: must be from 0 to {MAX_TILES}")
        only(content, dict.fromkeys(("kind", "objective", *given)), "claim")
    elif kind == "forced":
        only(content, dict.fromkeys(("kind", "without", "with")), "claim")
    else:
        only(content, {"kind": None}, "claim")
    if {"optimum": 1, "unique": 1, "infeasible": 0}.get(kind, max(len(layouts), 1)) != len(layouts):
        raise InputError(f"layouts: {len(layouts)} of them, for a claim {kind}")
    without = cells_of(content, "without", "claim") if kind == "forced" else []
    with_mark = cells_of(content, "with", "claim") if kind == "forced" else []
    return Claim(kind, objective, **numbers, layouts=layouts, without=tuple(without), with_mark=tuple(with_mark))


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
    words = in_words(certificate.name, certificate.puzzle, certificate.claim)
    try:
        _check_layouts(certificate)
        tell("writing the formula")
        formula = refuted(certificate.name, certificate.puzzle, certificate.claim, certificate.leaders)
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
    if certificate.instance_digest != text_digest(write_instance(certificate.puzzle)):
        raise _RefusedError("instance_digest: is not the one of the instance")
    for key, number in (("variables", formula.variables), ("clauses", len(formula.clauses))):
        if certificate.formula[key] != number:
            raise _RefusedError(f"formula: {key}: there are {number}")
    if certificate.formula["digest"] != formula.digest():
        raise _RefusedError("formula: digest: is not the one of the formula that the claim and the instance give")


def _check_layouts(certificate: Certificate) -> None:
    """Check every layout by the rules and by the clauses, and that they show what the claim says."""
    name, puzzle, claim = certificate.name, certificate.puzzle, certificate.claim
    _, rules = ROOMS[name]
    if not claim.layouts:
        return
    board = board_of(name, puzzle)
    if claim.kind == "optimum":
        assert claim.objective is not None
        value = rules.value(puzzle, claim.objective, claim.layouts[0])
        if value != claim.value:
            raise _RefusedError(f"claim: value: {claim.value}, the layout has {value}")
        most = claim.objective.startswith("most")
        mark = counted_mark(name, claim.objective)
        bound(board, mark, *((claim.value, None) if most else (None, claim.value)))
    for number, layout in enumerate(claim.layouts, start=1):
        if broken := rules.violations(puzzle, layout):
            raise _RefusedError(f"layouts: layout {number}: {broken[0]}")
        if (clause := board.formula.broken(board.formula.extend(board.chosen(layout)))) is not None:
            raise _RefusedError(f"layouts: layout {number}: breaks the clause {clause}")
    if claim.kind == "forced":
        _check_open(claim, [cell for _, cell in board.marks])


def _check_open(claim: Claim, cells: Sequence[Cell]) -> None:
    """Check that every cell is called forced, or shown to be open."""
    for r, c in sorted(set(cells).difference(claim.without, claim.with_mark)):
        if len({layout[r][c] for layout in claim.layouts}) < 2:
            raise _RefusedError(f"layouts: {show((r, c))}: not called forced, and alike in all layouts")


def text_digest(instance: Content) -> str:
    """Give the BLAKE2b digest, of 32 bytes, of an instance as JSON with sorted keys and without blanks."""
    plain = json.dumps(instance, sort_keys=True, separators=(",", ":"))
    return hashlib.blake2b(plain.encode("ascii"), digest_size=32).hexdigest()


def in_words(name: str, puzzle: Any, claim: Claim) -> str:
    """Say a claim in words."""
    # The name comes from a file that may be anybody's.
    about = f"{name} {''.join(mark if mark.isprintable() else '?' for mark in puzzle.name[:80])}"
    said = {key: value for key, value in write_instance(puzzle).items() if value != PLAIN.get(key, value)}
    if said:
        about += f" ({', '.join(f'{key} {json.dumps(value)}' for key, value in said.items())})"
    if claim.kind == "optimum":
        return f"{about}: {claim.objective}: {claim.value}, and no layout is better"
    if claim.kind == "unique":
        return f"{about}: the layout is the only one"
    if claim.kind == "forced":
        forced = len(claim.without) + len(claim.with_mark)
        return (
            f"{about}: {forced} cells are forced, {len(claim.without)} without and {len(claim.with_mark)} with a "
            "mark; no other cell is"
        )
    if claim.objective is None:
        return f"{about}: there is no layout"
    number = f"at least {claim.at_least}" if claim.at_least is not None else f"at most {claim.at_most}"
    return f"{about}: no layout has a value of {number} ({claim.objective})"
