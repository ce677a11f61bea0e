"""The command `twinproof`. Results go to standard output, everything else to standard error."""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Annotated, Any

import typer

from twinproof.compare.cli.framework import Listed, command, lazy_group, settings
from twinproof.compare.cli.printing import patient_streams
from twinproof.compare.output.words import printable, remember_words
from twinproof.models import PUZZLES
from twinproof.models.puzzle import Puzzle
from twinproof.models.questions import PuzzleQuestion
from twinproof.optim import EngineError, InputError, OptionError, OutputError
from twinproof.optim.errors import FULL
from twinproof.optim.process.interrupt import Interrupts

SOLVED, BAD_INPUT, UNFINISHED, INTERNAL = 0, 2, 3, 4
INTERRUPTED = 130
"""The exit status that Typer gives after Ctrl-C."""

HELP = "Proven optima of grid puzzles, each puzzle modelled twice: CP-SAT and RC2 MaxSAT."
EPILOG = (
    "Exit status: 0 solved or valid; 1 impossible, invalid, or engines disagree; 2 bad input; "
    "3 stopped by a limit or Ctrl-C before a proof; 4 an engine failed, or a file could not be written."
)

CLI = "twinproof.compare.cli"
COMMANDS = {
    "solve": command(f"{CLI}.solve", "solve", "Find the best layout and prove that no other is better."),
    "check": command(f"{CLI}.check", "check", "Check a layout by the rules, and name every broken rule."),
    "unique": command(f"{CLI}.unique", "unique", "Say whether a solution is the only one."),
    "explain": command(f"{CLI}.explain", "explain", "Say why a puzzle has no solution."),
    "hint": command(f"{CLI}.hint", "hint", "Give the next step to the solution, in words."),
    "generate": command(f"{CLI}.generate", "generate", "Make new puzzles with exactly one solution."),
    "convert": command(f"{CLI}.convert", "convert", "Write a puzzle in another text form."),
    "count": command(f"{CLI}.count", "count", "Count the optimal layouts exactly."),
    "certify": command(f"{CLI}.certify", "certify", "Prove a claim, and write a certificate."),
    "verify": command(f"{CLI}.verify", "verify", "Check a certificate."),
    "export": command(f"{CLI}.export", "export", "Write a model for other solvers."),
    "compare": command(f"{CLI}.compare", "compare", "Put a suite of questions to all engines and compare."),
    "list": command(f"{CLI}.list", "list_puzzles", "List puzzles, objectives, instances, forms and engines."),
}


@cache
def commands() -> Mapping[str, Listed]:
    """Give all commands by name: those for every puzzle, and those that single puzzles bring."""
    own = {
        question.name: Listed(_first_line(question.help), _loader(puzzle, question))
        for puzzle in PUZZLES.values()
        for question in puzzle.questions
    }
    return {**own, **COMMANDS}


def _loader(puzzle: Puzzle[Any], question: PuzzleQuestion) -> Callable[[], Callable[..., None]]:
    def load() -> Callable[..., None]:
        from twinproof.compare.cli.question import question_command  # noqa: PLC0415 - like every command

        return question_command(puzzle, question)

    return load


def _first_line(text: str) -> str:
    return text.partition("\n")[0]


def _show_version(wanted: bool) -> None:
    if wanted:
        from twinproof.compare.campaign.machine import versions  # noqa: PLC0415 - looks up packages

        found = dict(versions())
        sys.stdout.write("\n".join(f"{name} {version}" for name, version in found.items()) + "\n")
        raise typer.Exit(SOLVED)


def _command() -> Any:
    """Make the group of all commands."""
    app = typer.Typer(
        cls=lazy_group(commands),
        help=HELP,
        epilog=EPILOG,
        context_settings=settings(),
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )

    @app.callback()
    def root(
        version: Annotated[
            bool,
            typer.Option("--version", callback=_show_version, is_eager=True, help="Show the versions, and end."),
        ] = False,
    ) -> None:
        pass

    root.__doc__ = HELP
    return typer.main.get_command(app)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command and leave with its exit status; every failure is one line on standard error."""
    _open_standard_streams()
    with patient_streams() as failure:
        interrupts = Interrupts()
        try:
            interrupts.begin()
            status, complaint = _run(list(sys.argv[1:] if arguments is None else arguments))
            interrupts.quiet = True
        except KeyboardInterrupt:
            interrupts.quiet = True
            status, complaint = UNFINISHED, "interrupted"
        interrupts.undo()
        if unwritten := failure():
            status, complaint = INTERNAL, "; ".join(filter(None, (complaint, unwritten)))
        if complaint:
            print(f"twinproof: {printable(complaint)}", file=sys.stderr)
        interrupts.end()
    sys.exit(status)


def _run(words: list[str]) -> tuple[int, str]:
    """Run the command; gives its exit status and, in one line, what is wrong."""
    try:
        remember_words(words)
        status = _command()(args=words or ["--help"], standalone_mode=False, prog_name="twinproof") or SOLVED
        return (UNFINISHED, "interrupted") if status == INTERRUPTED else (status, "")
    except InputError as error:
        return BAD_INPUT, error.on_command_line() if isinstance(error, OptionError) else str(error)
    except EngineError as error:
        return INTERNAL, _failure(error)
    except typer.Abort:
        return UNFINISHED, "interrupted"
    except MemoryError:
        return UNFINISHED, "out of memory"
    except typer.TyperException as error:  # an unknown option, a missing argument, a word for a number
        return BAD_INPUT, getattr(error, "format_message", error.__str__)()
    except OutputError as error:
        return INTERNAL, str(error)
    except OSError as error:
        # A name that the system gives may be the caller's; without one, the machine lacks something.
        reason = f"{error.filename or 'a file'}: {error.strerror or error}"
        return (INTERNAL if error.filename is None or error.errno in FULL else BAD_INPUT), reason


def _open_standard_streams() -> None:
    """Give the streams that the caller has closed an end, so that no file opened later takes their place."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free number: this one
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(number, "r" if number == 0 else "w", closefd=False))


def _failure(error: EngineError) -> str:
    """Say what an engine did wrong, and save what is worth to be reported."""
    from twinproof.compare.output.records import save_details, save_for_report  # noqa: PLC0415
    from twinproof.compare.questions.answer import JudgementError  # noqa: PLC0415

    try:
        if isinstance(error, JudgementError):
            return f"internal error: {error}; please report it with {save_for_report(error)}"
        saved = save_details(error)
    except OSError as unwritten:
        return f"an engine failed: {error}; the details could not be saved here: {unwritten.strerror}"
    return f"an engine failed: {error}" + (f"; details in {saved}" if saved else "")


if __name__ == "__main__":
    main()
