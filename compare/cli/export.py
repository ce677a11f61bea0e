"""The command that writes a model for other solvers: export."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from twinproof.compare.catalogue import entry, read_instance
from twinproof.compare.cli.command import (
    SOLVED,
    ApartFrom,
    DryPaths,
    Entrance,
    Form,
    Harvest,
    Hops,
    Kind,
    Mines,
    NoTrustFlags,
    Nozzle,
    OptionalInstance,
    PuzzleName,
    Stars,
    Symmetry,
    print_result,
)
from twinproof.compare.instances import given
from twinproof.compare.output.export import FORMS, write_export
from twinproof.compare.output.records import check_writable, write_file
from twinproof.compare.questions.answer import Question
from twinproof.optim import EngineError, InputError, Stop
from twinproof.optim.process.call import call

__all__ = ["commands"]

commands = typer.Typer()


@commands.command()
def export(
    puzzle: PuzzleName,
    instance: OptionalInstance = None,
    to: Annotated[str, typer.Option(metavar="FORM", help=f"One of {', '.join(FORMS)}.")] = "wcnf",
    objective: Annotated[
        str | None, typer.Option(help="One of the puzzle's, as `twinproof list` names them; the first by default.")
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
    apart_from: ApartFrom = None,
    at_least: Annotated[int | None, typer.Option(help="Whether a value of at least K is possible.")] = None,
    at_most: Annotated[int | None, typer.Option(help="Whether a value of at most K is possible.")] = None,
    output: Annotated[Path | None, typer.Option(metavar="FILE", help="Standard output by default.")] = None,
) -> None:
    """Write a model for other solvers: WCNF (2022 or legacy), OPB, CNF, or CP-SAT's text."""
    if to not in FORMS:
        raise InputError(f"--to {to}: unknown; known are {', '.join(FORMS)}")
    if output is not None:
        check_writable(output, (output.suffix,))
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
        apart_from=apart_from,
    )
    chosen = objective if objective is not None else next(iter(rooms.objectives))
    question = Question(rooms.name, read_instance(rooms, instance, options), chosen, at_least, at_most)
    if output is not None:
        write_file(output, lambda temporary: _write(question, to, temporary))
        raise typer.Exit(SOLVED)
    with TemporaryDirectory(prefix="twinproof-") as folder:
        path = Path(folder) / to
        _write(question, to, path)
        # Read as a whole: what cannot be written to its end is not begun.
        print_result(path.read_text(encoding="utf-8"))


def _write(question: Question, to: str, path: Path) -> None:
    """Write the file in a child process, so that Ctrl-C ends it whatever it is doing."""
    called = call(write_export, question, to, path)
    if called.stopped is Stop.INTERRUPT:
        raise KeyboardInterrupt
    if called.stopped is not None:
        raise EngineError(f"the model could not be written: {called.stopped}")
