"""The command check: whether a layout is valid."""

from collections.abc import Mapping
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape

from twinproof.compare.cli.command import NEGATIVE, SOLVED, print_result
from twinproof.compare.cli.options import AsJson, Instance, PuzzleName, instance_options
from twinproof.compare.output.records import json_line, record_violations
from twinproof.compare.output.terminal import draw_board
from twinproof.models import PUZZLES
from twinproof.models.drawn import read_layout
from twinproof.models.text.sources import read_layout_text
from twinproof.optim import InputError


@instance_options("apart_from")
def check(
    puzzle: PuzzleName,
    instance: Instance,
    layout: Annotated[
        str,
        typer.Argument(
            metavar="LAYOUT", help="A text file, what a command printed, a record, or - for standard input."
        ),
    ],
    as_json: AsJson = False,
    *,
    options: Mapping[str, Any],
) -> None:
    """Check a layout by the rules, and name every broken rule with its cells.

    Example: twinproof check sprinklers grid:3x3 layout.txt

    Exit status: 0 valid; 1 invalid.
    """
    asked = PUZZLES.find(puzzle)
    if instance == layout == "-":
        raise InputError("INSTANCE and LAYOUT cannot both be standard input")
    given = read_layout_text(layout)
    built = asked.read(instance, options, given)
    rows = read_layout(asked, built, given)
    broken = asked.rules.violations(built, rows)
    if as_json:
        valued = [one.name for one in asked.objectives if one.sense is not None and not one.relative]
        content = {
            "puzzle": asked.name,
            "instance": built.name,
            "options": asked.describe(built),
            "layout": list(rows),
            "valid": not broken,
            "values": {objective: asked.rules.value(built, objective, rows) for objective in valued},
            "violations": record_violations(broken),
        }
        print_result(json_line(content))
    else:
        console = Console(highlight=False)
        with console.capture() as capture:
            draw_board(asked.name, built, rows, console)
            for violation in broken:
                console.print(escape(str(violation)), soft_wrap=True)
            console.print("invalid" if broken else "valid")
        print_result(capture.get())
    raise typer.Exit(NEGATIVE if broken else SOLVED)
