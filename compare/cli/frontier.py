"""The commands of the frontier engine: count and front."""

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from twinproof.compare.catalogue import entry, read_instance
from twinproof.compare.cli.command import (
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
    finish_undisturbed,
    print_result,
    write_record,
)
from twinproof.compare.instances import build_puzzle, describe_field, given, read_field
from twinproof.compare.output.terminal import following
from twinproof.compare.questions.answer import Question
from twinproof.compare.questions.count import count_layouts, record_count
from twinproof.optim import InputError, Limits

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
    from twinproof.compare.questions.front import front  # noqa: PLC0415

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
