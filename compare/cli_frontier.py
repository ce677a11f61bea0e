"""The commands of the frontier engine: count, front, certify and verify."""

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from compare.answer import Question
from compare.catalogue import entry, read_instance
from compare.command import (
    NEGATIVE,
    SOLVED,
    UNFINISHED,
    AsJson,
    DryPaths,
    Entrance,
    Harvest,
    Instance,
    Kind,
    Nozzle,
    OptionalInstance,
    PuzzleName,
    RecordFile,
    Symmetry,
    check_record,
    command_line,
    finish_undisturbed,
    print_result,
    write_record,
)
from compare.count import count_layouts, record_count
from compare.display import following
from compare.instances import build_puzzle, describe_field, given, read_field, read_text
from compare.records import check_writable, write_json
from optim import InputError, Limits, Progress

__all__ = ["commands"]

commands = typer.Typer()

CERTIFICATES = Path("reports/certificates")


@commands.command()
def count(
    puzzle: PuzzleName,
    instance: OptionalInstance = None,
    kind: Kind = None,
    nozzle: Nozzle = False,
    symmetry: Symmetry = None,
    harvest: Harvest = None,
    entrance: Entrance = None,
    dry_paths: DryPaths = False,
    time_limit: Annotated[float | None, typer.Option(help="Seconds in all.")] = None,
    memory_limit: Annotated[int | None, typer.Option(help="Megabytes.")] = None,
    as_json: AsJson = False,
    record_file: RecordFile = None,
) -> None:
    """Count the optimal layouts exactly, in all and up to the field's symmetries (frontier engine).

    In layouts for the most hops, walkable tiles that nobody reaches are not counted as layouts of their own:
    every one of them could as well be a sprinkler.
    """
    limits = Limits(time_limit, memory_limit)
    check_record(record_file)
    rooms = entry(puzzle)
    if "frontier" not in rooms.engines:
        raise InputError(f"count: {rooms.name} has no model for the frontier engine, which counts")
    options = given(
        kind=kind, nozzle=nozzle, symmetry=symmetry, harvest=harvest, entrance=entrance, dry_paths=dry_paths
    )
    question = Question(rooms.name, read_instance(rooms, instance, options), next(iter(rooms.objectives)))
    with following(Console(stderr=True)) as follow:
        counted = count_layouts(question, limits, follow("frontier"))
    finish_undisturbed()
    content = record_count(counted)
    print_result(json.dumps(content) if as_json else "\n".join(counted.lines()))
    write_record(record_file, content)
    raise typer.Exit(SOLVED if counted.complete else UNFINISHED)


@commands.command()
def certify(
    puzzle: PuzzleName,
    instance: Instance,
    kind: Kind = None,
    nozzle: Nozzle = False,
    harvest: Harvest = None,
    entrance: Entrance = None,
    dry_paths: DryPaths = False,
    time_limit: Annotated[float | None, typer.Option(help="Seconds.")] = None,
    memory_limit: Annotated[int | None, typer.Option(help="Megabytes.")] = None,
    output: Annotated[
        Path | None,
        typer.Option(help="The certificate, FILE.json; by default PUZZLE-INSTANCE.json in reports/certificates/."),
    ] = None,
) -> None:
    """Prove the most hops by the frontier engine, and write a certificate that `verify` can check."""
    # Imported here, as below, because it loads the frontier engine's compiler, which takes seconds.
    from compare.certify import certify_hops, check_certifiable  # noqa: PLC0415

    built = build_puzzle(
        puzzle, read_field(instance), kind or "basic", nozzle, None, harvest, entrance or (), dry_paths
    )
    question = Question(puzzle, built, "most-hops" if puzzle == "hops" else "fewest-sprinklers")
    check_certifiable(question)
    if output is None:
        CERTIFICATES.mkdir(parents=True, exist_ok=True)
        output = CERTIFICATES / f"{puzzle}-{Path(instance).stem.replace(':', '-')}.json"
    check_writable(output, (".json",))
    command = command_line()
    with following(Console(stderr=True)) as follow:
        content, outcome = certify_hops(question, command, Limits(time_limit, memory_limit), follow("frontier"))
    if content is None:
        print_result(f"not proved; {outcome.stopped or 'no layout'}")
        raise typer.Exit(UNFINISHED)
    write_json(output, content)
    print_result(f"{puzzle} {instance}: {outcome.value}, and no layout has {content['target']}: {output}")


@commands.command("front")
def front_(
    instance: Instance,
    kind: Kind = None,
    nozzle: Nozzle = False,
    symmetry: Symmetry = None,
    harvest: Harvest = None,
    entrance: Entrance = None,
    dry_paths: DryPaths = False,
    time_limit: Annotated[float | None, typer.Option(help="Seconds for each run.")] = None,
    memory_limit: Annotated[int | None, typer.Option(help="Megabytes.")] = None,
    as_json: AsJson = False,
    record_file: RecordFile = None,
) -> None:
    """For every number of hops, the fewest sprinklers with which it is possible (frontier engine)."""
    from compare.front import front  # noqa: PLC0415

    check_record(record_file)
    built = build_puzzle(
        "hops", read_field(instance), kind or "basic", nozzle, symmetry, harvest, entrance or (), dry_paths
    )
    question = Question("hops", built, "most-hops")
    with following(Console(stderr=True)) as follow:
        found = front(question, Limits(time_limit, memory_limit), follow("frontier"))
    content = {
        "puzzle": "hops",
        "instance": built.field.name,
        "options": describe_field(built),
        "complete": found.complete,
        "front": [
            {"hops": point.hops, "sprinklers": point.sprinklers, "layout": list(point.layout)}
            for point in found.points
        ],
        "seconds": round(found.seconds, 3),
    }
    lines = ["hops  sprinklers", *(f"{point.hops:>4}  {point.sprinklers:>10}" for point in found.points)]
    lines.append("fewer hops need no fewer sprinklers" if found.complete else "not to the end")
    print_result(json.dumps(content) if as_json else "\n".join(lines))
    write_record(record_file, content)
    raise typer.Exit(SOLVED if found.complete else UNFINISHED)


@commands.command()
def verify(
    certificate: Annotated[str, typer.Argument(metavar="FILE", help="A certificate, or - for standard input.")],
    as_json: AsJson = False,
) -> None:
    """Check a certificate by a verifier that shares no code with the engine that made it."""
    # Imported here because only this command needs the verifier's compiled loops.
    from compare.verify_frontier import read_certificate, verify_frontier  # noqa: PLC0415

    content = read_certificate(read_text(certificate), certificate)
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
