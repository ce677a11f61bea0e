"""What the commands share: their exit statuses, and how they write."""

import signal
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

import typer
from rich.console import Console

from twinproof.compare.cli.options import SEVERAL
from twinproof.compare.output.records import check_writable, json_line, write_json
from twinproof.compare.output.terminal import draw_lines, print_line
from twinproof.compare.output.words import command_line, printable
from twinproof.compare.questions.crosscheck import TWINS, Crosscheck
from twinproof.models.questions import Said
from twinproof.models.text.json_values import written_twice
from twinproof.optim import InputError, Status
from twinproof.optim.engine import ALIASES as OLD_NAMES
from twinproof.optim.engine import TABLE

SOLVED, NEGATIVE, BAD_INPUT, UNFINISHED, INTERNAL = 0, 1, 2, 3, 4
TWIN_WORDS = (*TWINS, "both")


def choose_engines(engine: str, known: Sequence[str] = (*TABLE, *SEVERAL)) -> tuple[str, ...]:
    """Give the engines that are meant by a word.

    Parameters
    ----------
    engine : str
        An engine's name, or a word for several such as `both`.
    known : sequence of str
        The words that the command takes.

    Returns
    -------
    tuple of str
        Names of engines.

    Raises
    ------
    InputError
        If it means none.
    """
    engine = OLD_NAMES.get(engine, engine)
    if engine not in known:
        raise InputError(f"engine {engine!r}: unknown; known are {', '.join(known)}")
    return SEVERAL.get(engine, (engine,))


def check_record(record_file: Path | None) -> None:
    """Refuse a record that could not be written in the end; see `compare.output.records.check_writable`."""
    if record_file is not None:
        check_writable(record_file, (".json",))


def write_record(record_file: Path | None, content: Mapping[str, Any]) -> None:
    """Write what was found, with the command, if a record is wanted.

    Parameters
    ----------
    record_file : Path or None
        None if no record is wanted.
    content : mapping
        What was found; it gets the key `command` besides.
    """
    if record_file is not None:
        write_json(record_file, {**written_twice(content), "command": command_line()})


def print_result(text: str) -> None:
    """Write to standard output, at once."""
    sys.stdout.write(text if text.endswith("\n") else text + "\n")
    sys.stdout.flush()


def give_said(said: Said, as_json: bool, record_file: Path | None) -> NoReturn:
    """Show the answer to a puzzle's own question, write its record, and leave.

    Parameters
    ----------
    said : Said
        The answer; its verdict decides the exit status.
    as_json : bool
        Whether to print its record instead of its drawing and lines.
    record_file : Path or None
        None if no record is wanted; an answer that was stopped has none.
    """
    finish_undisturbed()
    if as_json:
        print_result(json_line(said.record))
    elif said.drawing or said.lines:
        console = Console(highlight=False)
        with console.capture() as capture:
            draw_lines(said.drawing, console, said.strong)
            for line in said.lines:
                print_line(console, line)
        print_result(capture.get())
    if "stopped" in said.record:
        tell(f"stopped: {said.record['stopped']}")
    else:
        write_record(record_file, said.record)
    raise typer.Exit(UNFINISHED if said.verdict is None else SOLVED if said.verdict else NEGATIVE)


def tell(text: str) -> None:
    """Say something in one line on standard error."""
    print(f"twinproof: {printable(text)}", file=sys.stderr)


def finish_undisturbed() -> None:
    """Ignore Ctrl-C from here on: the search is over, and its answer is worth more than a faster exit."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)


def exit_status(check: Crosscheck) -> int:
    """Give the exit status of a question put to engines."""
    outcomes = [given.outcome for given in check.answers.values()]
    if check.agree is False:
        return NEGATIVE
    if not all(outcome.settled for outcome in outcomes) or check.agree is None:
        return UNFINISHED
    return NEGATIVE if outcomes[0].status is Status.INFEASIBLE else SOLVED
