"""The commands that ask what only one puzzle knows; the puzzle says their names, options and help."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any

import typer
from rich.console import Console

from twinproof.compare.cli.command import check_record, give_said
from twinproof.compare.cli.options import AsJson, MemoryLimit, RecordFile, TimeLimit, add_options
from twinproof.compare.output.terminal import following
from twinproof.models import PUZZLES
from twinproof.models.puzzle import Puzzle
from twinproof.models.questions import PuzzleQuestion
from twinproof.optim import InputError, Limits


def question_command(puzzle: Puzzle[Any], question: PuzzleQuestion) -> Callable[..., None]:
    """Make the command that asks a puzzle's own question.

    Parameters
    ----------
    puzzle : Puzzle
    question : PuzzleQuestion
        One of the puzzle's.
    """
    of_instance = [option for option in puzzle.options if option.name in question.instance_options]

    @add_options(of_instance)
    @add_options(question.options, heading=None, into="asked")
    def ask(
        words: Annotated[
            list[str],
            typer.Argument(
                metavar="[PUZZLE] INSTANCE", help=f"{puzzle.name}, which can be left out, and an instance."
            ),
        ],
        time_limit: TimeLimit = None,
        memory_limit: MemoryLimit = None,
        as_json: AsJson = False,
        record_file: RecordFile = None,
        *,
        asked: Mapping[str, Any],
        options: Mapping[str, Any],
    ) -> None:
        source = _instance(puzzle, question, words)
        check_record(record_file)
        instance = (puzzle.read if question.read is None else question.read)(source, options)
        with following(Console(stderr=True)) as follow:
            said = getattr(puzzle.part("questions", question.name), question.name)(
                instance, asked, Limits(time_limit, memory_limit), follow(question.name)
            )
        give_said(said, as_json, record_file)

    ask.__doc__ = question.help
    return ask


def _instance(puzzle: Puzzle[Any], question: PuzzleQuestion, words: list[str]) -> str:
    """Give the instance that is meant by one word or two, the first of which may be the puzzle."""
    names = (puzzle.name, *puzzle.aliases)
    if len(words) == 2 and words[0] in names:
        return words[1]
    if len(words) == 1 and words[0] not in names:
        return words[0]
    if len(words) == 1 and puzzle.default is not None:
        return puzzle.default
    if len(words) == 1:
        raise InputError(f"{puzzle.name}: INSTANCE is missing: a file, or - for standard input")
    if words[0] in PUZZLES or words[0] in PUZZLES.aliases:
        raise InputError(f"{question.name}: only for {puzzle.name}, not {PUZZLES.find(words[0]).name}")
    raise InputError(f"{question.name}: {words[0]!r} is not {puzzle.name}")
