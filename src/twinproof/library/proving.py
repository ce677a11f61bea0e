"""Certificates: a claim proved for others to check, and the check."""

from pathlib import Path
from typing import Any

from twinproof.compare.certificates.certify import (
    Certified,
    Wanted,
    certify_clauses,
    certify_frontier,
    check_wanted,
    choose_way,
    default_claim,
)
from twinproof.compare.certificates.verify import (
    FORM,
    PROOF_ENDING,
    Verdict,
    check_proof_name,
    read_certificate,
    verify_clauses,
)
from twinproof.compare.output.records import check_writable
from twinproof.library.reading import path_of, puzzle_and_instance
from twinproof.models import PUZZLES
from twinproof.models.text.json_values import get, json_object
from twinproof.models.text.sources import read_text
from twinproof.optim import InputError, Limits

FRONTIER_FORM = "twinproof frontier certificate 1"


def certify(
    puzzle: str,
    instance: object,
    output: str | Path,
    *,
    claim: str | None = None,
    objective: str | None = None,
    at_least: int | None = None,
    at_most: int | None = None,
    by: str | None = None,
    symmetry_breaking: bool = True,
    time_limit: float | None = None,
    memory_limit: int | None = None,
    **options: Any,
) -> Certified:
    """Prove a claim about a puzzle, and write a certificate that `verify` can check.

    Parameters
    ----------
    puzzle, instance, objective, **options
        See `twinproof.solve`.
    output : str or Path
        The certificate, FILE.json; the proof of a clause certificate becomes FILE.lrat.xz beside it.
    claim : {"optimum", "unique", "infeasible", "forced"}, optional
        By default the first that the puzzle allows; `infeasible` if a number is given or there is no layout.
    at_least, at_most : int, optional
        Claim that no layout has such a value.
    by : {"clauses", "frontier"}, optional
        A refutation of clauses, or the states of the frontier engine, the default where a puzzle has them.
    symmetry_breaking : bool
        Whether to refute only the lexicographically first of the layouts that are alike up to a symmetry.
    time_limit, memory_limit
        Of all the work together; see `twinproof.solve`.

    Returns
    -------
    Certified
        `written` says whether there is a certificate now, `message` the claim, or why there is none.

    Raises
    ------
    InputError
        If an argument is wrong, the claim cannot be certified, or the file's folder is missing or not writable.
    OutputError
        If the file cannot be written in the end, as the disk is full; what was there before is kept.
    EngineError
        If an engine fails, or its answer is refuted.

    Examples
    --------
    >>> import twinproof
    >>> twinproof.certify("sprinklers", "grid:4x4", "grid.json").written
    True
    >>> twinproof.verify("grid.json").valid
    True
    """
    found, built = puzzle_and_instance(puzzle, instance, options)
    claimed = claim or default_claim(found, at_least is not None or at_most is not None)
    wanted = Wanted(found, built, claimed, claim is None, objective, at_least, at_most, symmetry_breaking)
    check_wanted(wanted)
    path = path_of(output, "output")
    check_writable(path, (".json",))
    by_frontier = choose_way(wanted, by) == "frontier"
    if not by_frontier:
        proof = path.with_name(check_proof_name(path.stem + PROOF_ENDING))
        check_writable(proof, (proof.suffix,))
    prove = certify_frontier if by_frontier else certify_clauses
    return prove(wanted, path, f"twinproof.certify, {found.name} {built.name}", Limits(time_limit, memory_limit))


def verify(certificate: str | Path) -> Verdict:
    """Check a certificate by code that shares nothing with what made it, and loads no solver.

    Parameters
    ----------
    certificate : str or Path
        The file. A clause certificate has its proof in a file beside it.

    Returns
    -------
    Verdict
        `valid`; if it is not, `reasons`; the `claim` in words, and in `facts` how much was checked.

    Raises
    ------
    InputError
        If there is no such file, or it is no certificate.
    """
    path = path_of(certificate, "certificate")
    content = json_object(read_text(str(path)), str(path))
    if content.get("form") == FORM:
        return verify_clauses(read_certificate(content, path.parent))
    if content.get("form") != FRONTIER_FORM:
        raise InputError(f"{path}: form: must be {FORM!r} or {FRONTIER_FORM!r}")
    name = get(content, "puzzle", str, "certificate")
    if name not in PUZZLES or not PUZZLES[name].has("frontier_verify"):
        raise InputError(f"certificate: puzzle: {name[:80]!r} has no frontier certificates")
    found = PUZZLES[name].part("frontier_verify").verify_frontier(content, lambda text: None)
    return Verdict(found.valid, found.reasons, found.facts, found.claim, found.named)
