"""The commands of certificates: certify and verify."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from twinproof.compare.certificates.verify import (
    FORM,
    PROOF_ENDING,
    check_proof_name,
    read_certificate,
    verify_clauses,
)
from twinproof.compare.cli.command import (
    NEGATIVE,
    SOLVED,
    UNFINISHED,
    AsJson,
    DryPaths,
    Entrance,
    Form,
    Harvest,
    Hops,
    Instance,
    Kind,
    Mines,
    NoTrustFlags,
    Nozzle,
    PuzzleName,
    Stars,
    Symmetry,
    command_line,
    finish_undisturbed,
    print_result,
)
from twinproof.compare.output.records import check_writable
from twinproof.compare.output.terminal import following
from twinproof.models import PUZZLES
from twinproof.models.text.json_values import get, json_object
from twinproof.models.text.sources import read_text, show_name
from twinproof.optim import InputError, Limits, Progress

__all__ = ["commands"]

commands = typer.Typer()

CERTIFICATES = Path("reports/certificates")
FRONTIER_FORM = "twinproof frontier certificate 1"


@commands.command()
def certify(
    puzzle: PuzzleName,
    instance: Instance,
    claim: Annotated[
        str | None,
        typer.Option(
            help="optimum, unique, infeasible or forced; by default the puzzle's first, or infeasible if a number "
            "is given or there is no layout."
        ),
    ] = None,
    objective: Annotated[
        str | None, typer.Option(help="What is optimal, or bounded; the puzzle's first by default.")
    ] = None,
    at_least: Annotated[int | None, typer.Option(help="Prove that no layout has a value of at least K.")] = None,
    at_most: Annotated[int | None, typer.Option(help="Prove that no layout has a value of at most K.")] = None,
    by: Annotated[
        str | None,
        typer.Option(
            help="clauses: a refutation. frontier: the states of the frontier engine, the default where a puzzle "
            "can be certified so."
        ),
    ] = None,
    kind: Kind = None,
    nozzle: Nozzle = False,
    symmetry: Symmetry = None,
    harvest: Harvest = None,
    entrance: Entrance = None,
    dry_paths: DryPaths = False,
    hops: Hops = None,
    stars: Stars = None,
    mines: Mines = None,
    no_trust_flags: NoTrustFlags = False,
    form: Form = None,
    no_symmetry_breaking: Annotated[
        bool,
        typer.Option(
            "--no-symmetry-breaking",
            help="Refute all layouts, not only the lexicographically first of those alike up to a symmetry.",
        ),
    ] = False,
    time_limit: Annotated[float | None, typer.Option(help="Seconds.")] = None,
    memory_limit: Annotated[int | None, typer.Option(help="Megabytes.")] = None,
    output: Annotated[
        Path | None,
        typer.Option(help="The certificate, FILE.json; by default PUZZLE-INSTANCE.json in reports/certificates/."),
    ] = None,
) -> None:
    """Prove a claim about a puzzle, and write a certificate that `verify` can check.

    Exit status: 0 written; 1 the claim is false; 3 stopped by a limit or Ctrl-C.
    """
    # Imported here because `verify` needs nothing of it.
    from twinproof.compare.certificates.certify import (  # noqa: PLC0415
        Wanted,
        certify_clauses,
        certify_frontier,
        check_wanted,
        choose_way,
        default_claim,
    )

    options = {
        "kind": kind,
        "nozzle": nozzle,
        "symmetry": symmetry,
        "harvest": harvest,
        "entrance": entrance,
        "dry_paths": dry_paths,
        "hops": hops,
        "stars": stars,
        "mines": mines,
        "no_trust_flags": no_trust_flags,
        "format": form,
    }
    found = PUZZLES.find(puzzle)
    built = found.read(instance, {name: value for name, value in options.items() if _is_given(value)})
    claimed = claim or default_claim(found, at_least is not None or at_most is not None)
    wanted = Wanted(found, built, claimed, claim is None, objective, at_least, at_most, not no_symmetry_breaking)
    check_wanted(wanted)
    by_frontier = choose_way(wanted, by) == "frontier"
    output = _choose_output(output, found.name, instance)
    if not by_frontier:
        proof = output.with_name(check_proof_name(output.stem + PROOF_ENDING))
        check_writable(proof, (proof.suffix,))
    with following(Console(stderr=True)) as follow:
        make, label = (certify_frontier, "frontier") if by_frontier else (certify_clauses, "certify")
        came = make(wanted, output, command_line(), Limits(time_limit, memory_limit), follow(label))
    finish_undisturbed()
    if came.stopped is not None:
        print_result(f"not proved; {came.stopped}")
        raise typer.Exit(UNFINISHED)
    print_result(f"{came.message}: {output}" if came.written else came.message)
    raise typer.Exit(SOLVED if came.written else NEGATIVE)


def _is_given(value: object) -> bool:
    return not (value is None or value is False or value == [])


def _choose_output(output: Path | None, name: str, instance: str) -> Path:
    """Give the file that is meant."""
    if output is None:
        CERTIFICATES.mkdir(parents=True, exist_ok=True)
        stem = "standard-input" if instance == "-" else Path(instance).stem.replace(":", "-")
        output = CERTIFICATES / f"{name}-{stem}.json"
    check_writable(output, (".json",))
    return output


@commands.command()
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
    """Check a certificate by a verifier that shares no code with what made it.

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
    said: dict[str, Any] = {"claim": verdict.claim}
    if external_checkers:
        said["external_checkers"] = {one.checker: {"accepts": one.accepts, "reason": one.reason} for one in checks}
    agreed = all(check.accepts is not False for check in checks)
    _print_verdict(verdict, said, [verdict.claim], list(map(str, checks)), as_json)
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
    _print_verdict(verdict, {}, [], [], as_json)
    raise typer.Exit(SOLVED if verdict.valid else NEGATIVE)


def _print_verdict(
    verdict: Any, said: Mapping[str, Any], first: Sequence[str], last: Sequence[str], as_json: bool
) -> None:
    """Print a verdict of either verifier: as a JSON object with more to say, or as text between lines of text."""
    if as_json:
        found = {"valid": verdict.valid, "reasons": list(verdict.reasons), "facts": dict(verdict.facts)}
        print_result(json.dumps({**said, **found}))
    else:
        facts = [f"{name}: {number:,}" for name, number in verdict.facts.items()]
        in_a_word = "valid" if verdict.valid else "NOT VALID"
        print_result("\n".join([*first, *facts, *verdict.reasons, in_a_word, *last]))
