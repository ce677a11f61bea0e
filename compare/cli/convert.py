"""The command convert: the same puzzle in another text form."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from twinproof.compare.cli.command import print_result, tell
from twinproof.compare.cli.options import WHAT_FILE, PuzzleName, instance_options
from twinproof.compare.output.convert import convert as convert_bytes
from twinproof.compare.output.convert import is_recognised
from twinproof.compare.output.records import check_writable, write_file
from twinproof.models import PUZZLES
from twinproof.models.options import APART_FROM, FORMAT
from twinproof.models.text.sources import read_bytes, show_name, written_out
from twinproof.optim import InputError

ELSEWHERE = (FORMAT.name, APART_FROM.name)
"""The command has an option of its own, `--from`, for the first; the second says nothing about a puzzle."""


@instance_options(*ELSEWHERE, of=lambda puzzle: bool(puzzle.formats))
def convert(
    puzzle: PuzzleName,
    file: Annotated[str, typer.Argument(metavar="INSTANCE", help=f"{WHAT_FILE}.")],
    to: Annotated[str, typer.Option(metavar="FORM", help="One of the puzzle's forms; see `twinproof list`.")],
    form: Annotated[
        str | None,
        typer.Option("--from", metavar="FORM", help="The form of the file; by default it is recognised."),
    ] = None,
    output: Annotated[Path | None, typer.Option(help="Write into FILE instead of to standard output.")] = None,
    *,
    options: Mapping[str, Any],
) -> None:
    """Write a puzzle in another form, with nothing lost."""
    asked = PUZZLES.find(puzzle)
    if not asked.formats:
        raise InputError(f"convert: {asked.name} has one form only")
    if output is not None:
        check_writable(output, (output.suffix,))
    given = {**options} if form is None else {**options, FORMAT.name: form}
    source = written_out(file)
    written = convert_bytes(asked, read_bytes(source), show_name(source), to, given)
    if not is_recognised(asked, written, to):
        tell(f"this looks like another form too; read it with --format {to}")
    if output is not None:
        write_file(output, written)
    elif to in asked.formats:
        print_result(written.decode())
    else:  # it may be no text
        sys.stdout.buffer.write(written)
        sys.stdout.buffer.flush()
