"""The command unique: whether a solution is the only one."""

from collections.abc import Mapping
from typing import Any

import typer
from rich.console import Console

from twinproof.compare.cli.command import (
    NEGATIVE,
    SOLVED,
    TWIN_WORDS,
    UNFINISHED,
    check_record,
    choose_engines,
    finish_undisturbed,
    print_result,
    write_record,
)
from twinproof.compare.cli.options import (
    AsJson,
    OptionalInstance,
    PuzzleName,
    RecordFile,
    TimeLimit,
    TwinEngine,
    instance_options,
)
from twinproof.compare.output.records import json_line
from twinproof.compare.output.terminal import AGREEMENT, draw_board, following, print_line
from twinproof.compare.questions.unique import Uniqueness, record_uniqueness, uniqueness
from twinproof.models import PUZZLES
from twinproof.models.words import count_of
from twinproof.optim import Limits


@instance_options("apart_from")
def unique(
    puzzle: PuzzleName,
    instance: OptionalInstance = None,
    engine: TwinEngine = "cpsat",
    time_limit: TimeLimit = None,
    as_json: AsJson = False,
    record_file: RecordFile = None,
    *,
    options: Mapping[str, Any],
) -> None:
    """Solve a puzzle, and look for the other solution that is farthest away.

    Exit status: 0 there is one solution; 1 there are more, or none.
    """
    engines = choose_engines(engine, TWIN_WORDS)
    asked = PUZZLES.find(puzzle)
    check_record(record_file)
    built = asked.read(instance, options)
    with following(Console(stderr=True)) as follow:
        known = uniqueness(asked.name, built, engines, Limits(time_limit), follow)
    finish_undisturbed()
    content = record_uniqueness(known)
    print_result(json_line(content) if as_json else _shown(known))
    write_record(record_file, content)
    if known.unique is False or known.agree is False:
        raise typer.Exit(NEGATIVE)
    raise typer.Exit(UNFINISHED if known.unique is None else SOLVED)


def _shown(known: Uniqueness) -> str:
    first, other = known.first.outcome, None if known.other is None else known.other.outcome
    console = Console(highlight=False)
    with console.capture() as capture:
        if first.layout is not None:
            draw_board(known.puzzle, known.instance, first.layout, console)
        if other is not None and other.value and other.layout is not None:
            print_line(console, "another solution:")
            draw_board(known.puzzle, known.instance, other.layout, console)
        print_line(console, _verdict(known))
        if len(known.found.engines) > 1:
            print_line(console, AGREEMENT[known.agree])
    return capture.get()


def _verdict(known: Uniqueness) -> str:
    if known.unique:
        return "unique: no other solution, proved"
    if known.unique is None:
        return "not settled"
    if known.other is None:
        return "no solution, proved"
    outcome = known.other.outcome
    assert outcome.value is not None
    bound = "no solution differs in more" if outcome.value == outcome.bound else f"at most {outcome.bound}"
    return f"not unique: another solution differs in {count_of(outcome.value, 'cell')} ({bound})"
