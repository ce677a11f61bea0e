"""Options that commands share, and those that puzzles bring."""

import inspect
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import Annotated, Any

import typer

from twinproof.compare.questions.crosscheck import TWINS
from twinproof.models import PUZZLES
from twinproof.models.options import Option, is_given
from twinproof.models.puzzle import Puzzle
from twinproof.optim.engine import OWN

SEVERAL = {"both": TWINS, "all": OWN}
"""Words that mean several engines."""

INSTANCE, ENGINE, OUTPUT = "The instance", "The engines", "The output"
"""The headings of a command's help."""


def of_engine(help_text: str, metavar: str | None = None, flags: tuple[str, ...] = ()) -> Any:
    """Give an option that is listed with those of the engines.

    Parameters
    ----------
    help_text : str
        What the option does.
    metavar : str, optional
        What stands for its value in help.
    flags : tuple of str
        How it is written: its name, then what it was once called. By default the name of the argument.

    Returns
    -------
    typer.models.OptionInfo
        To be used in an `Annotated`.
    """
    return typer.Option(*flags, help=help_text, metavar=metavar, rich_help_panel=ENGINE)


AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.", rich_help_panel=OUTPUT)]
RecordFile = Annotated[
    Path | None,
    typer.Option(
        "--record", help="Write the JSON object, with the command, into FILE.json.", rich_help_panel=OUTPUT
    ),
]
TimeLimit = Annotated[float | None, typer.Option(help="Seconds for each engine.", rich_help_panel=ENGINE)]
MemoryLimit = Annotated[int | None, typer.Option(help="Megabytes for each engine.", rich_help_panel=ENGINE)]
TwinEngine = Annotated[str, typer.Option(help="cpsat, maxsat or both of them.", rich_help_panel=ENGINE)]
ObjectiveName = Annotated[
    str | None,
    typer.Option(help="One of the puzzle's objectives, which `twinproof list` names; by default the first."),
]
PuzzleName = Annotated[str, typer.Argument(metavar="PUZZLE", help="A puzzle that `twinproof list` names.")]
WHAT_FILE = "A file, - for standard input, or else an address or a game ID itself, in quotes"
WHAT_INSTANCE = f"The name of a field, or {WHAT_FILE[0].lower()}{WHAT_FILE[1:]}."
Instance = Annotated[str, typer.Argument(metavar="INSTANCE", help=WHAT_INSTANCE)]
OptionalInstance = Annotated[str | None, typer.Argument(metavar="INSTANCE", help=WHAT_INSTANCE)]

Command = Callable[..., None]


def instance_options(
    *left_out: str, of: Callable[[Puzzle[Any]], bool] = lambda puzzle: True
) -> Callable[[Command], Command]:
    """Give a command the options of puzzles; see `add_options`.

    Parameters
    ----------
    *left_out : str
        Names of options that the command does not take.
    of : callable
        Whether a puzzle is one of those that the command is for; by default all are.
    """
    options = [
        replace(option, help=f"{option.help} [{_owners(option)}]")
        for puzzle in filter(of, PUZZLES.values())
        for option in puzzle.options
        if option.name not in left_out
    ]
    return add_options(options)


def _owners(option: Option) -> str:
    """Name the puzzles that have an option."""
    return ", ".join(name for name, puzzle in PUZZLES.items() if option in puzzle.options)


def add_options(
    options: Iterable[Option], heading: str | None = INSTANCE, into: str = "options"
) -> Callable[[Command], Command]:
    """Give a command options that puzzles bring.

    The command has a parameter for them; it gets a mapping of the options that are given, by name.

    Parameters
    ----------
    options : iterable of Option
        Those of the same name become one.
    heading : str, optional
        Under which help lists them.
    into : str
        The name of the command's parameter.
    """
    merged: dict[str, Option] = {}
    for option in options:
        known = merged.get(option.name)
        if known is None:
            merged[option.name] = option
        elif option.help not in known.help:
            merged[option.name] = replace(known, help=f"{known.help} {option.help}")

    def decorate(command: Command) -> Command:
        @wraps(command)
        def run(**arguments: Any) -> None:
            given = {name: arguments.pop(name) for name in merged}
            command(**arguments, **{into: {name: value for name, value in given.items() if is_given(value)}})

        signature = inspect.signature(command)
        own = [parameter for name, parameter in signature.parameters.items() if name != into]
        added = [_parameter(option, heading) for option in merged.values()]
        run.__signature__ = signature.replace(parameters=[*own, *added])  # type: ignore[attr-defined]
        run.__annotations__ = {parameter.name: parameter.annotation for parameter in (*own, *added)}
        return run

    return decorate


def _parameter(option: Option, heading: str | None) -> inspect.Parameter:
    kind: Any = option.type
    if option.repeatable:
        kind = list[kind]
    if kind is not bool:
        kind = kind | None
    described = typer.Option(option.flag, help=option.help, metavar=option.metavar, rich_help_panel=heading)
    return inspect.Parameter(
        option.name,
        inspect.Parameter.KEYWORD_ONLY,
        default=False if option.type is bool else None,
        annotation=Annotated[kind, described],
    )
