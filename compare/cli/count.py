"""The command count: how many optimal layouts there are."""

from collections.abc import Mapping
from typing import Annotated, Any

import typer
from rich.console import Console

from twinproof.compare.cli.command import (
    SOLVED,
    UNFINISHED,
    check_record,
    finish_undisturbed,
    print_result,
    write_record,
)
from twinproof.compare.cli.options import (
    AsJson,
    MemoryLimit,
    OptionalInstance,
    PuzzleName,
    RecordFile,
    TimeLimit,
    instance_options,
)
from twinproof.compare.output.records import json_line
from twinproof.compare.output.terminal import following
from twinproof.compare.questions.answer import Question
from twinproof.compare.questions.count import count_layouts, record_count
from twinproof.models import PUZZLES
from twinproof.models.text.json_values import digits_of_any_number
from twinproof.optim import InputError, Limits


@instance_options("apart_from")
def count(
    puzzle: PuzzleName,
    instance: OptionalInstance = None,
    time_limit: TimeLimit = None,
    memory_limit: MemoryLimit = None,
    every_layout: Annotated[
        bool,
        typer.Option(
            "--every-layout", help="Count every layout that `check` accepts, also where some count as one."
        ),
    ] = False,
    as_json: AsJson = False,
    record_file: RecordFile = None,
    *,
    options: Mapping[str, Any],
) -> None:
    """Count the optimal layouts exactly, in all and up to the instance's symmetries (frontier engine).

    Where layouts that differ only in what makes no difference count as one, the answer says which; with
    --every-layout none do. The time limit is that of all runs together.
    """
    limits = Limits(time_limit, memory_limit)
    check_record(record_file)
    asked = PUZZLES.find(puzzle)
    if "frontier" not in asked.engines:
        raise InputError(f"count: {asked.name} has no model for the frontier engine, which counts")
    question = Question(asked.name, asked.read(instance, options), asked.objective().name)
    with following(Console(stderr=True)) as follow:
        counted = count_layouts(question, limits, follow("frontier"), every_layout=every_layout)
    finish_undisturbed()
    content = record_count(counted)
    with digits_of_any_number():
        print_result(json_line(content) if as_json else "\n".join(counted.lines()))
    write_record(record_file, content)
    raise typer.Exit(SOLVED if counted.complete else UNFINISHED)
