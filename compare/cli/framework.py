"""How commands are found, how their words are read, and how their help looks.

A command is loaded when it is called: `twinproof --help` needs none of them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from shutil import get_terminal_size
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from twinproof.models import PUZZLES
from twinproof.optim import InputError

HEADINGS = ("Arguments", "Options", "The instance", "The engines", "The output")
"""Help shows the arguments and options of a command under these headings, in this order."""

Function = Callable[..., None]


@dataclass(frozen=True)
class Listed:
    """A command in the list of commands.

    Parameters
    ----------
    help : str
        What it does, in a sentence.
    load : callable
        Gives the function that is the command.
    """

    help: str
    load: Callable[[], Function]


def command(module: str, function: str, help_text: str) -> Listed:
    """List a function of a module as a command.

    Parameters
    ----------
    module : str
        Where the function is; it is imported when the command is called.
    function : str
        Its name.
    help_text : str
        A line for the list of commands.

    Returns
    -------
    Listed
        The command.
    """
    return Listed(help_text, lambda: getattr(import_module(module), function))


class Command(TyperCommand):
    """A command whose help has headings, and which refuses to be told one thing twice."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the words behind the command.

        Parameters
        ----------
        ctx : click.Context
            That of the command.
        args : list of str
            The words.

        Returns
        -------
        list of str
            Those that are left, as click has it.

        Raises
        ------
        InputError
            If an option stands there twice that can be given only once: one of the two would be lost.
        """
        single = {
            flag: parameter
            for parameter in self.params
            if not getattr(parameter, "multiple", False)
            for flag in parameter.opts
            if flag.startswith("-")
        }
        seen = set()
        for word in args[: args.index("--")] if "--" in args else args:
            parameter = single.get(word.partition("=")[0])
            if parameter is None:
                continue
            if parameter.name in seen:
                raise InputError(f"{word.partition('=')[0]}: stands there twice; it can be given only once")
            seen.add(parameter.name)
        words = list(args)  # click takes from the others
        try:
            rest: list[str] = super().parse_args(ctx, args)
        except typer.TyperException as error:
            if guesses := getattr(error, "possibilities", None):
                error.possibilities = [flag for flag in guesses if _goes_with(flag, words)]  # type: ignore[attr-defined]
            raise
        return rest

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write arguments and options, each under its heading.

        Parameters
        ----------
        ctx : click.Context
            That of the command.
        formatter : click.HelpFormatter
            Takes the lines.
        """
        groups: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None:
                plain = "Arguments" if parameter.param_type_name == "argument" else "Options"
                heading = getattr(parameter, "rich_help_panel", None) or plain
                groups.setdefault(heading, []).append(record)
        for heading in sorted(groups, key=lambda one: HEADINGS.index(one) if one in HEADINGS else len(HEADINGS)):
            records = groups[heading]
            with formatter.section(heading):
                formatter.write_dl(records)


def _goes_with(flag: str, words: list[str]) -> bool:
    """Whether an option is the command's own, or one of the puzzle that is named."""
    owners = [one for one in PUZZLES.values() if flag in {option.flag for option in one.options}]
    named = {name for one in owners for name in (one.name, *one.aliases)}
    return not owners or not named.isdisjoint(words)


def lazy_group(commands: Callable[[], Mapping[str, Listed]]) -> type[TyperGroup]:
    """Give the class of a group whose commands are loaded when they are called.

    Parameters
    ----------
    commands : callable
        Gives the commands by name.
    """

    class LazyGroup(TyperGroup):
        def list_commands(self, ctx: Any) -> list[str]:
            return list(commands())

        def get_command(self, ctx: Any, cmd_name: str) -> Any:
            listed = commands().get(cmd_name)
            if listed is None:
                self.commands = dict.fromkeys(commands())  # type: ignore[assignment]  # for a better guess
                return None
            app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
            app.command(cmd_name, cls=Command, context_settings=settings())(listed.load())
            return typer.main.get_command(app)

        def format_commands(self, ctx: Any, formatter: Any) -> None:
            with formatter.section("Commands"):
                formatter.write_dl([(name, listed.help) for name, listed in commands().items()])

    return LazyGroup


def settings() -> dict[str, Any]:
    """Give what all commands have in common: `-h` is help too, and help is as wide as the terminal."""
    return {"help_option_names": ["-h", "--help"], "max_content_width": get_terminal_size((100, 24)).columns}
