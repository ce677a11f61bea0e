"""The commands for puzzles with clues: unique, explain, and for Minesweeper deduce and play."""

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from twinproof.compare.catalogue import entry, read_instance
from twinproof.compare.cli.command import (
    NEGATIVE,
    SOLVED,
    UNFINISHED,
    AsJson,
    BoardFile,
    Form,
    Mines,
    NoTrustFlags,
    PuzzleName,
    RecordFile,
    Stars,
    TimeLimit,
    TwinEngine,
    check_record,
    choose_engines,
    finish_undisturbed,
    print_result,
    write_record,
)
from twinproof.compare.instances import given, parse_cell, read_bytes, show_name
from twinproof.compare.output.records import record_violations
from twinproof.compare.output.terminal import draw_board, draw_lines, following
from twinproof.compare.questions.crosscheck import TWINS
from twinproof.compare.questions.explain import SMALLEST_SECONDS, Explained, explained, record_explained
from twinproof.compare.questions.unique import Uniqueness, record_uniqueness, uniqueness
from twinproof.models.grid import show
from twinproof.models.violation import Violation
from twinproof.optim import InputError, Limits
from twinproof.optim.process.call import Called, call

__all__ = ["commands"]

TWIN_WORDS = (*TWINS, "both")

commands = typer.Typer()

BoardPuzzle = Annotated[str, typer.Argument(metavar="minesweeper", help="The only puzzle that has this.")]


@commands.command()
def unique(
    puzzle: PuzzleName,
    instance: BoardFile,
    engine: TwinEngine = "cpsat",
    stars: Stars = None,
    mines: Mines = None,
    no_trust_flags: NoTrustFlags = False,
    form: Form = None,
    time_limit: TimeLimit = None,
    as_json: AsJson = False,
    record_file: RecordFile = None,
) -> None:
    """Solve a puzzle, and look for the other solution that is farthest away.

    Exit status: 0 there is one solution; 1 there are more, or none.
    """
    engines = _twins(engine)
    rooms = entry(puzzle)
    check_record(record_file)
    options = given(stars=stars, mines=mines, no_trust_flags=no_trust_flags, format=form)
    asked = read_instance(rooms, instance, options)
    with following(Console(stderr=True)) as follow:
        known = uniqueness(rooms.name, asked, engines, Limits(time_limit), follow)
    finish_undisturbed()
    content = record_uniqueness(known)
    print_result(json.dumps(content) if as_json else _shown_uniqueness(known))
    write_record(record_file, content)
    raise typer.Exit(
        NEGATIVE
        if known.unique is False or known.agree is False
        else UNFINISHED
        if known.unique is None
        else SOLVED
    )


def _shown_uniqueness(known: Uniqueness) -> str:
    first, other = known.first.outcome, None if known.other is None else known.other.outcome
    console = Console(highlight=False)
    with console.capture() as capture:
        if first.layout is not None:
            draw_board(known.name, known.puzzle, first.layout, console)
        if other is not None and other.value and other.layout is not None:
            print_line(console, "another solution:")
            draw_board(known.name, known.puzzle, other.layout, console)
        print_line(console, _verdict(known))
        if len(known.found.engines) > 1:
            verdict = {True: "the engines agree", False: "THE ENGINES DISAGREE", None: "not both settled"}
            print_line(console, verdict[known.agree])
    return capture.get()


def _verdict(known: Uniqueness) -> str:
    if known.unique:
        return "unique: no other solution, proved"
    if known.unique is None:
        return "not settled"
    if known.other is None:
        return "no solution, proved"
    outcome = known.other.outcome
    bound = "no solution differs in more" if outcome.value == outcome.bound else f"at most {outcome.bound}"
    return f"not unique: another solution differs in {outcome.value} cells ({bound})"


@commands.command()
def explain(
    puzzle: PuzzleName,
    instance: BoardFile,
    engine: TwinEngine = "both",
    cell: Annotated[
        str | None, typer.Option(metavar="ROW,COLUMN", help="Minesweeper: why this cell is safe or a mine.")
    ] = None,
    stars: Stars = None,
    mines: Mines = None,
    no_trust_flags: NoTrustFlags = False,
    form: Form = None,
    time_limit: TimeLimit = None,
    as_json: AsJson = False,
    record_file: RecordFile = None,
) -> None:
    """Say why a puzzle has no solution: the fewest rules to drop, and rules that cannot hold together.

    Exit status: 0 there is a solution, or the cell is explained; 1 there is no solution, or the cell is open.
    """
    engines = _twins(engine)
    rooms = entry(puzzle)
    check_record(record_file)
    options = given(stars=stars, mines=mines, no_trust_flags=no_trust_flags, format=form)
    asked = read_instance(rooms, instance, options)
    if cell is not None:
        if rooms.name != "minesweeper":
            raise InputError(f"--cell: not an option of {rooms.name}")
        _explain_cell(asked, cell, time_limit, as_json, record_file)
    with following(Console(stderr=True)) as follow:
        known = explained(rooms.name, asked, engines, Limits(time_limit), follow)
    finish_undisturbed()
    content = record_explained(known)
    print_result(json.dumps(content) if as_json else _shown_explained(known))
    write_record(record_file, content)
    if known.solvable is None:
        raise typer.Exit(NEGATIVE if known.fewest.agree is False else UNFINISHED)
    complete = known.solvable or (known.fewest.agree and known.conflict is not None)
    raise typer.Exit(SOLVED if known.solvable else NEGATIVE if complete else UNFINISHED)


def _shown_explained(known: Explained) -> str:
    name, puzzle, outcome = known.question.name, known.question.puzzle, known.best.outcome
    console = Console(highlight=False)
    with console.capture() as capture:
        if known.solvable:
            print_line(console, "there is a solution: no rule need be dropped")
        if known.solvable is None:
            print_line(console, "not settled")
        if not known.solvable and outcome.layout is not None:
            draw_board(name, puzzle, outcome.layout, console)
            proved = "proved" if outcome.value == outcome.bound else f"at least {outcome.bound}, not settled"
            print_line(console, f"fewest rules to drop: {outcome.value}, {proved}")
            _print_rules(console, tuple(entry(name).violations(puzzle, outcome.layout)))
        if known.at_sight and not known.solvable:
            print_line(console, "cannot be kept, whatever else holds:")
            _print_rules(console, known.at_sight)
        if known.conflict is not None:
            print_line(console, _conflict_title(known.conflict.smallest))
            _print_rules(console, known.conflict.rules)
        elif known.solvable is False:
            print_line(console, "rules that cannot hold together: not found in time")
        if len(known.fewest.engines) > 1:
            verdict = {True: "the engines agree", False: "THE ENGINES DISAGREE", None: "not both settled"}
            print_line(console, verdict[known.fewest.agree])
    return capture.get()


def _conflict_title(smallest: bool) -> str:
    return "cannot hold together, " + (
        "and no fewer rules are in conflict:" if smallest else "and could if any of them were left out:"
    )


def _explain_cell(
    puzzle: Any, cell: str, time_limit: float | None, as_json: bool, record_file: Path | None
) -> None:
    """Explain a cell and leave; a board that contradicts itself is left to be explained as a whole."""
    # These load solvers, which only a few of the commands need.
    from twinproof.models.minesweeper.deduce import deduce as deduce_board  # noqa: PLC0415
    from twinproof.models.minesweeper.explain import explain as explain_cell  # noqa: PLC0415

    place = parse_cell(cell, "cell")
    (deduction,) = _call(deduce_board, puzzle, time_limit=time_limit, as_json=as_json).results
    if deduction is None:
        return
    if place in deduction.open:
        content = {"puzzle": "minesweeper", "instance": puzzle.name, "cell": [place[0] + 1, place[1] + 1]}
        said = f"{show(place)}: open, some layouts have a mine there and some none"
        print_result(json.dumps(content | {"mine": None, "reasons": []}) if as_json else said)
        raise typer.Exit(NEGATIVE)
    seconds = SMALLEST_SECONDS if time_limit is None else time_limit / 2
    called = _call(explain_cell, puzzle, place, seconds, time_limit=time_limit, as_json=as_json)
    finish_undisturbed()
    (found,) = called.results
    if as_json:
        content = {
            "puzzle": "minesweeper",
            "instance": puzzle.name,
            "options": entry("minesweeper").describe(puzzle),
            "cell": [place[0] + 1, place[1] + 1],
            "mine": found.mine,
            "reasons": record_violations(found.reasons),
            "smallest": found.smallest,
        }
        print_result(json.dumps(content))
        write_record(record_file, content)
    else:
        console = Console(highlight=False)
        with console.capture() as capture:
            few = "no fewer rules force it" if found.smallest else "none of them can be left out"
            print_line(console, f"{show(place)}: {'a mine' if found.mine else 'safe'}; {few}:")
            _print_rules(console, found.reasons)
        print_result(capture.get())
    raise typer.Exit(SOLVED)


@commands.command()
def deduce(
    puzzle: BoardPuzzle,
    board: BoardFile,
    mines: Mines = None,
    no_trust_flags: NoTrustFlags = False,
    form: Form = None,
    count: Annotated[bool, typer.Option("--count", help="Count the layouts, exactly.")] = False,
    probabilities: Annotated[
        bool, typer.Option("--probabilities", help="Of a mine on each cell, exactly; counts too.")
    ] = False,
    time_limit: TimeLimit = None,
    as_json: AsJson = False,
    record_file: RecordFile = None,
) -> None:
    """Say of every hidden cell of a Minesweeper board whether it is safe, a mine or open, by both models.

    Exit status: 0 said; 1 the board contradicts itself, or the models disagree.
    """
    rooms = _minesweeper(puzzle, "deduce")
    check_record(record_file)
    options = given(mines=mines, no_trust_flags=no_trust_flags, format=form)
    asked = read_instance(rooms, board, options)
    from twinproof.compare.questions.deduction import deduced, record_deduced  # noqa: PLC0415

    sys.set_int_max_str_digits(0)  # a number of layouts is exact, however many digits it has
    seconds = SMALLEST_SECONDS if time_limit is None else time_limit / 2
    counting = count or probabilities
    (known,) = _call(deduced, asked, counting, seconds, time_limit=time_limit, as_json=as_json).results
    finish_undisturbed()
    content = record_deduced(known)
    print_result(json.dumps(content) if as_json else _shown_deduced(known, probabilities))
    write_record(record_file, content)
    raise typer.Exit(SOLVED if known.agree and known.deduction is not None else NEGATIVE)


def _shown_deduced(known: Any, probabilities: bool) -> str:
    from twinproof.models.minesweeper.drawing import DEDUCTION_LEGEND, draw_deduction  # noqa: PLC0415

    found = known.deduction
    console = Console(highlight=False)
    with console.capture() as capture:
        if found is not None:
            draw_lines(draw_deduction(known.puzzle, found), console, "*s")
            print_line(console, "   ".join(f"{mark} {meaning}" for mark, meaning in DEDUCTION_LEGEND.items()))
            print_line(console, f"safe: {len(found.safe)}   mines: {len(found.mines)}   open: {len(found.open)}")
            for place in found.wrong_flags(known.puzzle):
                print_line(console, f"wrong flag: {show(place)}")
        if known.conflict is not None:
            print_line(console, "the board contradicts itself; these " + _conflict_title(known.conflict.smallest))
            _print_rules(console, known.conflict.rules)
        if known.count is not None:
            print_line(console, f"layouts: {known.count.layouts:,}")
        if known.count is not None and probabilities:
            for place, probability in known.count.probability.items():
                print_line(console, f"{show(place)}: {probability} ({float(probability):.4f})")
        print_line(console, "the engines agree" if known.agree else "THE ENGINES DISAGREE")
    return capture.get()


@commands.command()
def play(
    puzzle: BoardPuzzle,
    file: BoardFile,
    start: Annotated[
        list[str] | None,
        typer.Option(metavar="ROW,COLUMN", help="A cell (from 1) told to be safe. Repeatable."),
    ] = None,
    cases: Annotated[
        bool, typer.Option("--cases", help="Five games: from each corner, (i) to (iv), and from all four, (v).")
    ] = False,
    mines_known: Annotated[bool, typer.Option("--mines-known", help="The number of mines is known too.")] = False,
    form: Annotated[
        str | None, typer.Option("--format", metavar="FORM", help="text, json, tatham or mbf.")
    ] = None,
    time_limit: TimeLimit = None,
    as_json: AsJson = False,
    record_file: RecordFile = None,
) -> None:
    """Reveal all of a field of mines that can be revealed without a guess (TAOCP 7.2.2.2, exercise 114).

    FILE holds the true mines: rows of `*` and `.`, or another form of a field. A game ID may name where to start.
    """
    _minesweeper(puzzle, "play")
    check_record(record_file)
    # These load solvers, which only a few of the commands need.
    from twinproof.models.minesweeper.formats import read_bytes as read_mines  # noqa: PLC0415
    from twinproof.models.minesweeper.play import corner_cases  # noqa: PLC0415
    from twinproof.models.minesweeper.play import play as play_game  # noqa: PLC0415

    if cases and start:
        raise InputError("--cases and --start: only one of them can be asked")
    mines = read_mines(read_bytes(file), show_name(file), form)
    starts = [parse_cell(text, "start") for text in start or ()]
    if not starts and mines.start is not None:
        starts = [mines.start]
    if not starts and not cases:
        raise InputError(f"{mines.name}: --start is missing: a cell to start from")
    asked = corner_cases(mines) if cases else {"": tuple(starts)}
    games: dict[str, dict[str, Any]] = {}
    for case, cells in asked.items():
        (played,) = _call(play_game, mines, cells, mines_known, time_limit=time_limit, as_json=as_json).results
        games[case] = played.record()
    finish_undisturbed()
    head = {"puzzle": "minesweeper", "instance": mines.name, "mines_known": mines_known}
    content = head | ({"cases": games} if cases else games[""])
    lines = [line for case, game in games.items() for line in _shown_game(case, game)]
    print_result(json.dumps(content) if as_json else "\n".join(lines))
    write_record(record_file, content)


def _shown_game(case: str, game: dict[str, Any]) -> list[str]:
    """Say in lines how far a game went."""
    starts = "; ".join(show((r - 1, c - 1)) for r, c in game["start"])
    return [
        (f"({case}) " if case else "") + f"from {starts}",
        *game["picture"],
        f"safe, revealed: {game['safe_revealed']}   X mines proved: {game['mines_proved']}   "
        f"? undetermined: {game['undetermined']}   rounds: {game['rounds']}",
    ]


def _twins(engine: str) -> tuple[str, ...]:
    return choose_engines(engine, TWIN_WORDS)


def _minesweeper(puzzle: str, command: str) -> Any:
    rooms = entry(puzzle)
    if rooms.name != "minesweeper":
        raise InputError(f"{command}: only for minesweeper, not {rooms.name}")
    return rooms


def _call(function: Any, puzzle: Any, *arguments: Any, time_limit: float | None, as_json: bool) -> "Called[Any]":
    """Call what may take long, where it can be stopped.

    Raises
    ------
    Exit
        If it was stopped: nothing is known then.
    """
    called = call(function, puzzle, *arguments, limits=Limits(time_limit))
    if not called.results:
        print(f"twinproof: stopped: {called.stopped}", file=sys.stderr)
        if as_json:
            content = {"puzzle": "minesweeper", "instance": puzzle.name, "status": "unknown"}
            print_result(json.dumps(content | {"stopped": str(called.stopped)}))
        raise typer.Exit(UNFINISHED)
    return called


def _print_rules(console: Console, rules: tuple[Violation, ...]) -> None:
    for rule in rules:
        print_line(console, f"  {rule}")


def print_line(console: Console, line: str) -> None:
    """Print a line as it is, however long."""
    console.print(Text(line), soft_wrap=True)
