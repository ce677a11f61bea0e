"""The command hint: the next step to the solution of a puzzle, in words."""

from collections.abc import Mapping
from typing import Annotated, Any

import typer
from rich.console import Console

from twinproof.compare.cli.command import (
    NEGATIVE,
    SOLVED,
    UNFINISHED,
    check_record,
    finish_undisturbed,
    print_result,
    tell,
    write_record,
)
from twinproof.compare.cli.options import AsJson, Instance, PuzzleName, RecordFile, TimeLimit, instance_options
from twinproof.compare.output.hint_drawing import draw_hint
from twinproof.compare.output.records import json_line
from twinproof.compare.output.terminal import draw_lines, following, print_line
from twinproof.compare.questions.hint import (
    Hinted,
    State,
    ask_hint,
    record_hint,
    sentence,
    words_of,
)
from twinproof.models import PUZZLES
from twinproof.models.deduction.hints import MARKED, draw_known
from twinproof.models.drawn import blank, read_known
from twinproof.models.text.sources import read_layout_text
from twinproof.models.words import count_of
from twinproof.optim import InputError, Limits, Progress


@instance_options("apart_from", of=lambda puzzle: puzzle.words is not None)
def hint(
    puzzle: PuzzleName,
    instance: Instance,
    position: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="What is known: the board with * for a star, bulb or mine, x for a cell known to have none, "
            ". for an unknown one; what a command printed; or a record.",
        ),
    ] = None,
    whole: Annotated[bool, typer.Option("--all", help="All steps, to the solution.")] = False,
    time_limit: TimeLimit = None,
    as_json: AsJson = False,
    record_file: RecordFile = None,
    *,
    options: Mapping[str, Any],
) -> None:
    """Give the next step to the solution of a puzzle in words, by the easiest rule there is.

    Exit status: 0 a step, or the puzzle is solved; 1 the position is wrong, or nothing more can be concluded; 3 a
    limit or Ctrl-C came before, and with --all the steps found by then are shown.
    """
    asked = PUZZLES.find(puzzle)
    words_of(asked)
    check_record(record_file)
    if position == instance == "-":
        raise InputError("INSTANCE and --position cannot both be standard input")
    given = None if position is None else read_layout_text(position)
    built = asked.read(instance, options, given)
    known = {} if given is None else read_known(asked, built, given)
    with following(Console(stderr=True)) as follow:
        on_progress = follow("hint")
        found = ask_hint(
            asked,
            built,
            known,
            whole,
            Limits(time_limit),
            lambda note: on_progress(Progress(0.0, None, None, note)),
        )
    finish_undisturbed()
    content = record_hint(found)
    if as_json or found.state is not State.UNKNOWN:
        print_result(json_line(content) if as_json else _shown(found, whole))
    if found.stopped is not None:
        tell(f"stopped: {found.stopped}" + (f"; found: {_count(found)}" if found.steps else ""))
        raise typer.Exit(UNFINISHED)
    write_record(record_file, content)
    raise typer.Exit(SOLVED if found.state in (State.STEP, State.SOLVED) else NEGATIVE)


def _shown(found: Hinted, whole: bool) -> str:
    console = Console(highlight=False)
    in_brackets = True
    with console.capture() as capture:
        for number, step in enumerate(found.steps, start=1):
            said = sentence(found.puzzle, step)
            print_line(console, f"{number}. {said}" if whole else said)
        if found.state in (State.STEP, State.SOLVED):
            rows = draw_known(blank(found.puzzle, found.instance), found.after)
            in_brackets = draw_lines(draw_hint(found, mark_step=not whole), console, MARKED, rows)
        print_line(console, _verdict(found, whole, in_brackets))
        for said in found.wrong:
            print_line(console, f"  {said}")
    return capture.get()


def _verdict(found: Hinted, whole: bool, in_brackets: bool) -> str:
    if found.state is State.WRONG:
        return "the position is wrong:"
    if found.state is State.NO_SOLUTION:
        return "the puzzle has no solution" + (":" if found.wrong else ", proved by the engine")
    if found.state is State.OPEN:
        return "nothing more can be concluded: there are several solutions, and no unknown cell is the same in all"
    if not found.steps:
        return "solved: nothing is left to find"
    if not whole:
        step = "[ ] found by this step   ( ) what it rests on   " if in_brackets else ""
        words = words_of(found.puzzle)
        return f"{step}* {words.marked.format('the cell')}   x {words.empty.format('the cell')}"
    if found.stopped is not None:
        return f"{_count(found)}, and the way goes on"
    if not found.solved:
        return f"{_count(found)}; nothing more can be concluded: there are several solutions"
    hardest = "beyond the rules" if found.grade is None else f"the hardest of grade {found.grade}"
    return f"solved in {_count(found)}, {hardest}"


def _count(found: Hinted) -> str:
    return count_of(len(found.steps), "step")
