"""The command explain: why a puzzle has no solution, or why a cell is as it is."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

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
    give_said,
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
from twinproof.compare.output.terminal import AGREEMENT, draw_board, following, print_line, print_rules
from twinproof.compare.questions.explain import Explained, explained, record_explained
from twinproof.models import PUZZLES
from twinproof.models.puzzle import Puzzle
from twinproof.models.text.sources import parse_cell
from twinproof.models.violation import Unkeepable
from twinproof.optim import InputError, Limits, Status


@instance_options("apart_from")
def explain(
    puzzle: PuzzleName,
    instance: OptionalInstance = None,
    engine: TwinEngine = "both",
    cell: Annotated[
        str | None, typer.Option(metavar="ROW,COLUMN", help="Explain this cell, where the puzzle can.")
    ] = None,
    time_limit: TimeLimit = None,
    as_json: AsJson = False,
    record_file: RecordFile = None,
    *,
    options: Mapping[str, Any],
) -> None:
    """Say why a puzzle has no solution: the fewest rules to drop, and rules that cannot hold together.

    Exit status: 0 there is a solution, or the cell is explained; 1 there is no solution, or the cell is
    undetermined.
    """
    engines = choose_engines(engine, TWIN_WORDS)
    asked = PUZZLES.find(puzzle)
    check_record(record_file)
    built = asked.read(instance, options)
    if cell is not None:
        if not asked.explains_cells:
            raise InputError(f"--cell: not an option of {asked.name}")
        _explain_cell(asked, built, cell, Limits(time_limit), as_json, record_file)
    with following(Console(stderr=True)) as follow:
        known = explained(asked.name, built, engines, Limits(time_limit), follow)
    finish_undisturbed()
    content = record_explained(known)
    print_result(json_line(content) if as_json else _shown(known))
    write_record(record_file, content)
    if known.solvable is None:
        raise typer.Exit(NEGATIVE if known.fewest.agree is False else UNFINISHED)
    complete = known.solvable or (known.fewest.agree and known.mus is not None)
    raise typer.Exit(SOLVED if known.solvable else NEGATIVE if complete else UNFINISHED)


def _shown(known: Explained) -> str:
    puzzle, instance, outcome = known.question.puzzle, known.question.instance, known.best.outcome
    console = Console(highlight=False)
    with console.capture() as capture:
        if known.solvable:
            print_line(console, "there is a solution: no rule need be dropped")
        if known.solvable is None:
            print_line(console, "not settled")
        else:
            may_be_dropped = ", ".join(sorted(known.question.asked.may_break))
            print_line(console, f"rules that may be dropped: {may_be_dropped}; all others are kept")
        if outcome.status is Status.INFEASIBLE:
            print_line(console, "no layout keeps all others, proved")
        if not known.solvable and outcome.layout is not None:
            draw_board(puzzle, instance, outcome.layout, console)
            proved = "proved" if outcome.value == outcome.bound else f"at least {outcome.bound}, not settled"
            print_line(console, f"fewest rules to drop: {outcome.value}, {proved}")
            print_rules(console, PUZZLES.find(puzzle).rules.violations(instance, outcome.layout))
        if not known.solvable:
            _print_at_sight(console, known.at_sight)
        if known.mus is not None:
            print_line(console, _mus_title(known.mus.is_smus))
            print_rules(console, known.mus.rules)
        elif known.solvable is False:
            print_line(console, "rules that cannot hold together: not found in time")
        if len(known.fewest.engines) > 1:
            print_line(console, AGREEMENT[known.fewest.agree])
    return capture.get()


def _print_at_sight(console: Console, rules: Sequence[Unkeepable]) -> None:
    """Say of each rule whether it cannot be kept at all, or which others are in its way."""
    alone = [seen for seen in rules if not seen.others]
    if alone:
        print_line(console, "cannot be kept, even if all other rules are dropped:")
    for seen in alone:
        print_line(console, f"  {seen.rule}; {seen.reason}")
    hindered = [seen for seen in rules if seen.others]
    if hindered:
        print_line(console, "cannot be kept, unless a rule in the way is dropped:")
    for seen in hindered:
        print_line(console, f"  {seen.rule}; {seen.reason}")
        for other in seen.others:
            print_line(console, f"    in the way: {other}")


def _mus_title(is_smus: bool) -> str:
    few = "no fewer rules are in conflict" if is_smus else "they could if any of them were dropped"
    return f"cannot hold together, given the rules that are kept; {few}:"


def _explain_cell(
    puzzle: Puzzle[Any], instance: Any, cell: str, limits: Limits, as_json: bool, record_file: Path | None
) -> None:
    """Explain a cell and leave; an instance that contradicts itself is left to be explained as a whole."""
    said = puzzle.part("questions", "explain_cell").explain_cell(instance, parse_cell(cell, "cell"), limits)
    if said is not None:
        give_said(said, as_json, record_file)
