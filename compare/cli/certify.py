"""The commands of certificates: certify and verify."""

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from twinproof.compare.catalogue import Entry, entry, read_instance
from twinproof.compare.certificates.verify import (
    FORM,
    PROOF_ENDING,
    check_proof_name,
    read_certificate,
    read_json,
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
from twinproof.compare.instances import Options, given, read_text, show_name
from twinproof.compare.output.records import check_writable, write_json
from twinproof.compare.output.terminal import following
from twinproof.optim import InputError, Limits, Progress

__all__ = ["commands"]

commands = typer.Typer()

CERTIFICATES = Path("reports/certificates")
FRONTIER_FORM = "twinproof frontier certificate 1"
WAYS = ("clauses", "frontier")


@commands.command()
def certify(
    puzzle: PuzzleName,
    instance: Instance,
    claim: Annotated[
        str | None,
        typer.Option(
            help="optimum, unique, infeasible or forced. By default optimum for sprinklers and hops, forced for "
            "minesweeper, unique (or infeasible, if there is no solution) for the others."
        ),
    ] = None,
    objective: Annotated[
        str | None, typer.Option(help="What is optimal, or bounded; the puzzle's first by default.")
    ] = None,
    at_least: Annotated[int | None, typer.Option(help="Prove that no layout has a value of at least K.")] = None,
    at_most: Annotated[int | None, typer.Option(help="Prove that no layout has a value of at most K.")] = None,
    by: Annotated[
        str | None,
        typer.Option(help="clauses: a refutation. frontier: hops only, and there the default for the most hops."),
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
    no_leaders: Annotated[
        bool,
        typer.Option(
            "--no-leaders", help="Refute all layouts, not only the first of those alike up to a symmetry."
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
    rooms = entry(puzzle)
    options = given(
        kind=kind,
        nozzle=nozzle,
        symmetry=symmetry,
        harvest=harvest,
        entrance=entrance,
        dry_paths=dry_paths,
        hops=hops,
        stars=stars,
        mines=mines,
        no_trust_flags=no_trust_flags,
        format=form,
    )
    limits = Limits(time_limit, memory_limit)
    claimed = (claim, objective, at_least, at_most)
    if _way(by, rooms.name, claimed, no_leaders, options) == "frontier":
        _certify_frontier(rooms, instance, options, limits, output)
    else:
        _certify_clauses(rooms, instance, options, claimed, not no_leaders, limits, output)


Claimed = tuple[str | None, str | None, int | None, int | None]
"""Claim, objective, at least, at most, as they are given."""


def _way(by: str | None, name: str, claimed: Claimed, no_leaders: bool, options: Options) -> str:
    """Choose how a claim is proved."""
    if by is not None and by not in WAYS:
        raise InputError(f"--by {by}: unknown; known are {', '.join(WAYS)}")
    claim, objective, at_least, at_most = claimed
    most_hops = (
        name == "hops"
        and claim in (None, "optimum")
        and objective in (None, "most-hops")
        and at_least is at_most is None
        and not no_leaders
        and not {"--symmetry", "--hops"} & set(options)
    )
    if by == "frontier" and not most_hops:
        raise InputError("--by frontier: for the most hops only, and without a symmetry")
    return by or ("frontier" if most_hops else "clauses")


def _choose_output(output: Path | None, name: str, instance: str) -> Path:
    """Give the file that is meant."""
    if output is None:
        CERTIFICATES.mkdir(parents=True, exist_ok=True)
        stem = "standard-input" if instance == "-" else Path(instance).stem.replace(":", "-")
        output = CERTIFICATES / f"{name}-{stem}.json"
    check_writable(output, (".json",))
    return output


def _certify_frontier(rooms: Entry, instance: str, options: Options, limits: Limits, output: Path | None) -> None:
    # Imported here because it loads the frontier engine's compiler, which takes seconds.
    from twinproof.compare.certificates.certify_frontier import certify_hops, check_certifiable  # noqa: PLC0415
    from twinproof.compare.questions.answer import Question  # noqa: PLC0415

    question = Question(rooms.name, read_instance(rooms, instance, options), "most-hops")
    check_certifiable(question)
    output = _choose_output(output, rooms.name, instance)
    with following(Console(stderr=True)) as follow:
        content, outcome = certify_hops(question, command_line(), limits, follow("frontier"))
    if content is None:
        print_result(f"not proved; {outcome.stopped or 'no layout'}")
        raise typer.Exit(UNFINISHED)
    write_json(output, content)
    print_result(f"{rooms.name} {instance}: {outcome.value}, and no layout has {content['target']}: {output}")


def _certify_clauses(
    rooms: Entry,
    instance: str,
    options: Options,
    claimed: Claimed,
    leaders: bool,
    limits: Limits,
    output: Path | None,
) -> None:
    # Imported here, like the above, because `verify` needs nothing of it.
    from twinproof.compare.certificates.certify import (  # noqa: PLC0415
        Wanted,
        certify_clauses,
        check_wanted,
        default_claim,
    )

    claim, objective, at_least, at_most = claimed
    bounded = at_least is not None or at_most is not None
    wanted = Wanted(
        rooms.name,
        read_instance(rooms, instance, options),
        claim or default_claim(rooms.name, bounded),
        claim is None,
        objective,
        at_least,
        at_most,
        leaders,
    )
    check_wanted(wanted)
    output = _choose_output(output, rooms.name, instance)
    proof = output.with_name(check_proof_name(output.stem + PROOF_ENDING))
    check_writable(proof, (proof.suffix,))
    with following(Console(stderr=True)) as follow:
        came = certify_clauses(wanted, output, command_line(), limits, follow("certify"))
    finish_undisturbed()
    if came.stopped is not None:
        print_result(f"not proved; {came.stopped}")
        raise typer.Exit(UNFINISHED)
    print_result(f"{came.message}: {output}" if came.written else came.message)
    raise typer.Exit(SOLVED if came.written else NEGATIVE)


@commands.command()
def verify(
    certificate: Annotated[str, typer.Argument(metavar="FILE", help="A certificate, or - for standard input.")],
    second_opinion: Annotated[
        bool,
        typer.Option("--second-opinion", help="Ask others' checkers of proofs too, as far as they are installed."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Check a certificate by a verifier that shares no code with what made it.

    A clause certificate has its proof in a file beside it.
    """
    content = read_json(read_text(certificate), show_name(certificate))
    if content.get("form") == FORM:
        if certificate == "-":
            raise InputError("standard input: a clause certificate has its proof beside it; name its file")
        _verify_clauses(content, Path(certificate).parent, second_opinion, as_json)
    elif content.get("form") != FRONTIER_FORM:
        raise InputError(f"{show_name(certificate)}: form: must be {FORM!r} or {FRONTIER_FORM!r}")
    elif second_opinion:
        raise InputError("--second-opinion: of clause certificates only")
    else:
        _verify_frontier(content, as_json)


def _verify_clauses(content: dict[str, object], folder: Path, second_opinion: bool, as_json: bool) -> None:
    read = read_certificate(content, folder)
    with following(Console(stderr=True)) as follow:
        tell = follow("verifier")
        verdict = verify_clauses(read, lambda text: tell(Progress(0.0, None, None, text)))
        opinions = []
        if second_opinion and verdict.valid:
            # Imported here because most need only one opinion.
            from twinproof.compare.certificates.checkers import second_opinions  # noqa: PLC0415

            opinions = second_opinions(read)
    agreed = all(opinion.accepts is not False for opinion in opinions)
    if as_json:
        result = {
            "claim": verdict.claim,
            "valid": verdict.valid,
            "reasons": list(verdict.reasons),
            "facts": dict(verdict.facts),
        }
        if second_opinion:
            result["opinions"] = {
                opinion.checker: {"accepts": opinion.accepts, "reason": opinion.reason} for opinion in opinions
            }
        print_result(json.dumps(result))
    else:
        lines = [verdict.claim, *(f"{name}: {number:,}" for name, number in verdict.facts.items())]
        print_result(
            "\n".join([*lines, *verdict.reasons, "valid" if verdict.valid else "NOT VALID", *map(str, opinions)])
        )
    raise typer.Exit(SOLVED if verdict.valid and agreed else NEGATIVE)


def _verify_frontier(content: dict[str, object], as_json: bool) -> None:
    # Imported here because only this form needs the verifier's compiled loops.
    from twinproof.models.hops.frontier_verify import verify_frontier  # noqa: PLC0415

    with following(Console(stderr=True)) as follow:
        tell = follow("verifier")
        verdict = verify_frontier(content, lambda text: tell(Progress(0.0, None, None, text)))
    if as_json:
        print_result(
            json.dumps({"valid": verdict.valid, "reasons": list(verdict.reasons), "facts": dict(verdict.facts)})
        )
    else:
        lines = [f"{name}: {number:,}" for name, number in verdict.facts.items()]
        print_result("\n".join([*lines, *verdict.reasons, "valid" if verdict.valid else "NOT VALID"]))
    raise typer.Exit(SOLVED if verdict.valid else NEGATIVE)
