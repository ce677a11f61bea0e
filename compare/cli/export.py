"""The command export: a model for other solvers."""

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import typer

from twinproof.compare.cli.command import SOLVED, print_result
from twinproof.compare.cli.options import ObjectiveName, OptionalInstance, PuzzleName, instance_options
from twinproof.compare.output.export import write_export
from twinproof.compare.output.records import check_writable, write_file
from twinproof.compare.questions.answer import Question
from twinproof.models import PUZZLES
from twinproof.optim import EngineError, InputError, Stop
from twinproof.optim.export import FORMS
from twinproof.optim.process.call import call


@instance_options()
def export(
    puzzle: PuzzleName,
    instance: OptionalInstance = None,
    to: Annotated[str, typer.Option(metavar="FORM", help=f"One of {', '.join(FORMS)}.")] = "wcnf",
    objective: ObjectiveName = None,
    at_least: Annotated[
        int | None, typer.Option(help="Ask only whether a value of at least K is possible.")
    ] = None,
    at_most: Annotated[int | None, typer.Option(help="Ask only whether a value of at most K is possible.")] = None,
    output: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write into this file instead of to standard output.")
    ] = None,
    *,
    options: Mapping[str, Any],
) -> None:
    """Write a model for other solvers: WCNF (2022 or legacy), OPB, CNF, or CP-SAT's text."""
    if to not in FORMS:
        raise InputError(f"--to {to}: unknown; known are {', '.join(FORMS)}")
    if output is not None:
        check_writable(output, (output.suffix,))
    asked = PUZZLES.find(puzzle)
    chosen = asked.objective(objective).name
    question = Question(asked.name, asked.read(instance, options), chosen, at_least, at_most)
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
