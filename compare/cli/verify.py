"""The command verify: a certificate, checked by code that shares nothing with what made it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from twinproof.compare.certificates.verify import FORM, read_certificate, verify_clauses
from twinproof.compare.certificates.words import is_drawing
from twinproof.compare.cli.command import NEGATIVE, SOLVED, print_result
from twinproof.compare.cli.options import AsJson
from twinproof.compare.output.records import json_line
from twinproof.compare.output.terminal import following
from twinproof.compare.output.words import printable
from twinproof.models import PUZZLES
from twinproof.models.text.json_values import get, json_object
from twinproof.models.text.sources import read_text, show_name
from twinproof.optim import InputError, Progress

FRONTIER_FORM = "twinproof frontier certificate 1"


def verify(
    certificate: Annotated[str, typer.Argument(metavar="FILE", help="A certificate, or - for standard input.")],
    external_checkers: Annotated[
        bool,
        typer.Option(
            "--external-checkers",
            help="Have the proof checked by programs that others wrote too, as far as they are installed.",
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Check a certificate by a verifier that shares no code with what made it, and say in words what it proves.

    A clause certificate has its proof in a file beside it.
    """
    content = json_object(read_text(certificate), show_name(certificate))
    if content.get("form") == FORM:
        if certificate == "-":
            raise InputError("standard input: a clause certificate has its proof beside it; name its file")
        _verify_clauses(content, Path(certificate).parent, external_checkers, as_json)
    elif content.get("form") != FRONTIER_FORM:
        raise InputError(f"{show_name(certificate)}: form: must be {FORM!r} or {FRONTIER_FORM!r}")
    elif external_checkers:
        raise InputError("--external-checkers: of clause certificates only")
    else:
        _verify_frontier(content, as_json)


def _verify_clauses(content: dict[str, Any], folder: Path, external_checkers: bool, as_json: bool) -> None:
    read = read_certificate(content, folder)
    with following(Console(stderr=True)) as follow:
        tell = follow("verifier")
        verdict = verify_clauses(read, lambda text: tell(Progress(0.0, None, None, text)))
        checks = []
        if external_checkers and verdict.valid:
            # Imported here because most need none.
            from twinproof.compare.certificates.checkers import check_externally  # noqa: PLC0415

            checks = check_externally(read)
    said: dict[str, Any] = {}
    if external_checkers:
        said["external_checkers"] = {one.checker: {"accepts": one.accepts, "reason": one.reason} for one in checks}
    agreed = all(check.accepts is not False for check in checks)
    said["proves"] = {**content["claim"], "layouts": content["layouts"]}
    _print_verdict(verdict, content, said, list(map(str, checks)), as_json)
    raise typer.Exit(SOLVED if verdict.valid and agreed else NEGATIVE)


def _verify_frontier(content: dict[str, Any], as_json: bool) -> None:
    name = get(content, "puzzle", str, "certificate")
    if name not in PUZZLES or not PUZZLES.find(name).has("frontier_verify"):
        raise InputError(f"certificate: puzzle: {name[:80]!r} has no frontier certificates")
    # Only now loaded because only this form needs the verifier's compiled loops.
    verifier = PUZZLES.find(name).part("frontier_verify")
    with following(Console(stderr=True)) as follow:
        tell = follow("verifier")
        verdict = verifier.verify_frontier(content, lambda text: tell(Progress(0.0, None, None, text)))
    _print_verdict(verdict, content, {"proves": dict(verdict.proves)}, [], as_json)
    raise typer.Exit(SOLVED if verdict.valid else NEGATIVE)


def _print_verdict(
    verdict: Any, content: Mapping[str, Any], said: Mapping[str, Any], last: Sequence[str], as_json: bool
) -> None:
    """Print a verdict of either verifier, with the whole claim: as a JSON object, or as text."""
    if as_json:
        asked = {"claim": verdict.claim, "puzzle": content["puzzle"], "instance": content["instance"]}
        found = {"valid": verdict.valid, "reasons": list(verdict.reasons), "facts": dict(verdict.facts)}
        print_result(json_line({**asked, **said, **found}))
    else:
        drawings = [] if verdict.named else filter(is_drawing, content["instance"].values())
        drawn = [printable(row) for rows in drawings for row in rows]
        facts = [f"{name}: {number:,}" for name, number in verdict.facts.items()]
        in_a_word = "valid" if verdict.valid else "NOT VALID"
        reasons = map(printable, verdict.reasons)
        print_result("\n".join([*drawn, verdict.claim, *facts, *reasons, in_a_word, *last]))
