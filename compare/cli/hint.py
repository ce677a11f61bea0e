"""The command hint: the next step to the solution of a puzzle, in words."""

import json
import sys
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from twinproof.compare.catalogue import ALIASES, entry, read_instance
from twinproof.compare.cli.command import (
    NEGATIVE,
    SOLVED,
    UNFINISHED,
    AsJson,
    BoardFile,
    Form,
    Mines,
    NoTrustFlags,
    RecordFile,
    Stars,
    TimeLimit,
    check_record,
    finish_undisturbed,
    print_result,
    write_record,
)
from twinproof.compare.instances import given, read_drawn, show_name
from twinproof.compare.output.hint_drawing import draw_hint
from twinproof.compare.output.terminal import draw_lines
from twinproof.compare.questions.hint import (
    Hinted,
    State,
    check_hinted,
    find_hint,
    read_known,
    record_hint,
    sentence,
)
from twinproof.optim import InputError, Limits
from twinproof.optim.process.call import call

__all__ = ["commands"]

commands = typer.Typer()


@commands.command()
def hint(
    puzzle: Annotated[
        str, typer.Argument(metavar="PUZZLE", help=f"starbattle, lightup, minesweeper; or {', '.join(ALIASES)}.")
    ],
    instance: BoardFile,
    position: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="What is known: the board with * for a star, bulb or mine, x for a cell known to have none, "
            ". for an unknown one; or the JSON object of a hint.",
        ),
    ] = None,
    whole: Annotated[bool, typer.Option("--all", help="All steps, to the solution.")] = False,
    stars: Stars = None,
    mines: Mines = None,
    no_trust_flags: NoTrustFlags = False,
    form: Form = None,
    time_limit: TimeLimit = None,
    as_json: AsJson = False,
    record_file: RecordFile = None,
) -> None:
    """Give the next step of a Star Battle, Light Up or Minesweeper puzzle in words, by the easiest rule there is.

    Exit status: 0 a step, or the puzzle is solved; 1 the position is wrong, or nothing more can be concluded.
    """
    rooms = entry(puzzle)
    check_hinted(rooms.name)
    check_record(record_file)
    options = given(stars=stars, mines=mines, no_trust_flags=no_trust_flags, format=form)
    if position == instance == "-":
        raise InputError("INSTANCE and --position cannot both be standard input")
    asked = read_instance(rooms, instance, options)
    text = "" if position is None else read_drawn(position)
    known = {} if position is None else read_known(rooms.name, asked, text, show_name(position))
    called = call(find_hint, rooms.name, asked, known, whole, limits=Limits(time_limit))
    if not called.results:
        print(f"twinproof: stopped: {called.stopped}", file=sys.stderr)
        if as_json:
            content = {"puzzle": rooms.name, "instance": asked.name, "state": "unknown"}
            print_result(json.dumps(content | {"stopped": str(called.stopped)}))
        raise typer.Exit(UNFINISHED)
    finish_undisturbed()
    (found,) = called.results
    content = record_hint(found)
    print_result(json.dumps(content) if as_json else _shown(found, whole))
    write_record(record_file, content)
    raise typer.Exit(SOLVED if found.state in (State.STEP, State.SOLVED) else NEGATIVE)


def _shown(found: Hinted, whole: bool) -> str:
    console = Console(highlight=False)
    with console.capture() as capture:
        for number, step in enumerate(found.steps, start=1):
            said = sentence(found.name, step)
            _print(console, f"{number}. {said}" if whole else said)
        if found.state in (State.STEP, State.SOLVED):
            draw_lines(draw_hint(found, mark_step=not whole), console, "*")
        _print(console, _verdict(found, whole))
        for said in found.wrong:
            _print(console, f"  {said}")
    return capture.get()


def _verdict(found: Hinted, whole: bool) -> str:
    if found.state is State.WRONG:
        return "the position is wrong:"
    if found.state is State.NO_SOLUTION:
        return "the puzzle has no solution" + (":" if found.wrong else ", proved by the engine")
    if found.state is State.OPEN:
        return "nothing more can be concluded: there are several solutions, and no unknown cell is the same in all"
    if not found.steps:
        return "solved: nothing is left to find"
    if not whole:
        return "[ ] found by this step   ( ) what it rests on   * known   x known to be empty"
    if not found.solved:
        return f"{_count(found)}; nothing more can be concluded: there are several solutions"
    hardest = "beyond the rules" if found.grade is None else f"the hardest of grade {found.grade}"
    return f"solved in {_count(found)}, {hardest}"


def _count(found: Hinted) -> str:
    return "1 step" if len(found.steps) == 1 else f"{len(found.steps)} steps"


def _print(console: Console, line: str) -> None:
    console.print(Text(line), soft_wrap=True)
