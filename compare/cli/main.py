"""The command `twinproof`. Results go to standard output, everything else to standard error."""

import json
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from twinproof.compare.catalogue import ALIASES, PUZZLES, entry, read_instance
from twinproof.compare.cli.certify import commands as certify_commands
from twinproof.compare.cli.command import (
    BAD_INPUT,
    INTERNAL,
    NEGATIVE,
    SEVERAL,
    SOLVED,
    UNFINISHED,
    ApartFrom,
    AsJson,
    DryPaths,
    Entrance,
    Form,
    Harvest,
    Hops,
    Instance,
    Kind,
    Mines,
    NoTrustFlags,
    Nozzle,
    OptionalInstance,
    PuzzleName,
    RecordFile,
    Stars,
    Symmetry,
    check_record,
    choose_engines,
    exit_status,
    finish_undisturbed,
    print_result,
    remember_words,
    write_record,
)
from twinproof.compare.cli.compare import commands as compare_commands
from twinproof.compare.cli.convert import convert
from twinproof.compare.cli.export import commands as export_commands
from twinproof.compare.cli.frontier import commands as frontier_commands
from twinproof.compare.cli.generate import generate
from twinproof.compare.cli.hint import commands as hint_commands
from twinproof.compare.cli.puzzles import commands as puzzle_commands
from twinproof.compare.instances import given, read_drawn, show_name
from twinproof.compare.output.records import (
    PICTURE_ENDINGS,
    best_answer,
    check_writable,
    printable,
    record,
    record_violations,
    save_details,
    save_for_report,
)
from twinproof.compare.output.terminal import draw_board, following, summary
from twinproof.compare.questions.answer import Answer, JudgementError, Kept, Question
from twinproof.compare.questions.crosscheck import Crosscheck, crosscheck
from twinproof.compare.questions.warm_start import Help, frontier_cut, frontier_hint
from twinproof.models.field.maps import FIELDS
from twinproof.models.field.symmetries import SYMMETRIES
from twinproof.models.minesweeper.formats import FIELDS as MINES
from twinproof.models.sprinklers.instance import KINDS
from twinproof.models.violation import Violation
from twinproof.optim import EngineError, InputError, Limits, OnProgress, Status
from twinproof.optim.engine import ENGINES, THIRD, available

__all__ = ["app", "main", "print_result"]

CHECKPOINT_ENDING = ".checkpoint"
INTERRUPTED = 130
"""What Typer makes of Ctrl-C."""

app = typer.Typer(
    help="Proven optima of grid puzzles, each puzzle modelled twice: CP-SAT and RC2 MaxSAT.",
    epilog="Exit status: 0 solved or valid; 1 impossible, invalid, or engines disagree; 2 bad input; "
    "3 stopped by a limit or Ctrl-C before a proof; 4 an engine failed.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

CheckpointFile = Annotated[
    Path | None,
    typer.Option(help="Keep an unfinished frontier search in FILE.checkpoint; Ctrl-C keeps it in any case."),
]
Resume = Annotated[
    Path | None, typer.Option(metavar="FILE.checkpoint", help="Go on from a frontier search that was kept.")
]


@app.command()
def solve(
    puzzle: PuzzleName,
    instance: OptionalInstance = None,
    engine: Annotated[
        str, typer.Option(help=f"cpsat, maxsat, both of them, frontier, or all three; or {', '.join(THIRD)}.")
    ] = "cpsat",
    objective: Annotated[
        str | None, typer.Option(help="One of the puzzle's, as `twinproof list` names them; the first by default.")
    ] = None,
    kind: Kind = None,
    nozzle: Nozzle = False,
    symmetry: Symmetry = None,
    harvest: Harvest = None,
    entrance: Entrance = None,
    dry_paths: DryPaths = False,
    hops: Hops = None,
    stars: Stars = None,
    mines: Mines = None,
    no_trust_flags: NoTrustFlags = False,
    form: Form = None,
    apart_from: ApartFrom = None,
    at_least: Annotated[
        int | None, typer.Option(help="Ask only whether a value of at least K is possible.")
    ] = None,
    at_most: Annotated[int | None, typer.Option(help="Ask only whether a value of at most K is possible.")] = None,
    time_limit: Annotated[float | None, typer.Option(help="Seconds for each engine.")] = None,
    memory_limit: Annotated[int | None, typer.Option(help="Megabytes for each engine.")] = None,
    workers: Annotated[int | None, typer.Option(help="Search workers; the model's own choice by default.")] = None,
    subsolvers: Annotated[
        str | None, typer.Option(help="CP-SAT subsolvers, comma-separated; `default` for its portfolio.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Of the engines' random choices.")] = 0,
    as_json: AsJson = False,
    picture: Annotated[Path | None, typer.Option(help="Draw the layout into FILE.png or FILE.svg.")] = None,
    record_file: RecordFile = None,
    checkpoint: CheckpointFile = None,
    resume: Resume = None,
    hint: Annotated[
        str | None, typer.Option(metavar="frontier", help="Start CP-SAT from the frontier engine's layout.")
    ] = None,
    cut: Annotated[
        str | None,
        typer.Option(metavar="frontier", help="Give CP-SAT the frontier engine's bound on a wider puzzle."),
    ] = None,
) -> None:
    """Find the best layout and prove that no other is better."""
    rooms = entry(puzzle)
    engines = choose_engines(engine)
    if subsolvers is not None and engine not in ("cpsat", *SEVERAL):
        raise InputError("--subsolvers: an option of cpsat only")
    chosen_subsolvers = None if subsolvers is None else subsolvers.split(",")
    if chosen_subsolvers is not None and chosen_subsolvers != ["default"]:
        from twinproof.optim.cpsat import check_subsolvers  # noqa: PLC0415 - loads CP-SAT, which only this option needs here

        check_subsolvers(chosen_subsolvers)
    limits = Limits(time_limit, memory_limit, workers, seed)
    kept = _kept(checkpoint, resume, engine, limits)
    if picture is not None:
        check_writable(picture, PICTURE_ENDINGS)
    check_record(record_file)
    chosen = objective if objective is not None else next(iter(rooms.objectives))
    options = given(
        kind=kind,
        nozzle=nozzle,
        symmetry=symmetry,
        harvest=harvest,
        entrance=entrance,
        dry_paths=dry_paths,
        hops=hops,
        stars=stars,
        mines=mines,
        no_trust_flags=no_trust_flags,
        format=form,
        apart_from=apart_from,
    )
    question = Question(rooms.name, read_instance(rooms, instance, options), chosen, at_least, at_most)
    with following(Console(stderr=True)) as follow:
        told = _help(question, (hint, cut), engines, limits, follow("frontier"))
        check = crosscheck(
            question, engines, limits, follow, chosen_subsolvers, kept=kept, hint=told.hint, cut=told.cut
        )
    finish_undisturbed()
    content = record(check) | ({"told": told.source} if told.source else {})
    best = best_answer(list(check.answers.values()))
    # The answer comes first: a file that cannot be written must not cost it.
    print_result(json.dumps(content) if as_json else _shown(check, best))
    write_record(record_file, content)
    if picture is not None and best.outcome.layout is not None:
        title = f"{rooms.name} {best.question.puzzle.name}, {summary(best)}"
        # Imported here because matplotlib takes longer to load than most questions to answer.
        from twinproof.compare.output.picture import write_picture  # noqa: PLC0415

        write_picture(picture, best.outcome.layout, rooms.name, title, best.question.puzzle)
    _say_where(kept)
    raise typer.Exit(exit_status(check))


def _help(
    question: Question,
    asked: tuple[str | None, str | None],
    engines: Sequence[str],
    limits: Limits,
    on_progress: OnProgress,
) -> Help:
    """Ask the frontier engine for what CP-SAT is to be told beforehand."""
    told = []
    for option, name, ask in zip(("--hint", "--cut"), asked, (frontier_hint, frontier_cut), strict=True):
        if name is None:
            continue
        if name != "frontier":
            raise InputError(f"{option} {name}: only the frontier engine gives one")
        if "cpsat" not in engines:
            raise InputError(f"{option}: an option of cpsat only")
        told.append(ask(question, limits, on_progress))
    for one in told:
        print(f"twinproof: {one.source}", file=sys.stderr)
    return Help(
        next((one.hint for one in told if one.hint is not None), None),
        next((one.cut for one in told if one.cut is not None), None),
        "; ".join(one.source for one in told),
    )


def _kept(checkpoint: Path | None, resume: Path | None, engine: str, limits: Limits) -> Kept | None:
    """Choose where an unfinished search of the frontier engine is kept."""
    if engine not in ("frontier", "all"):
        if checkpoint is not None or resume is not None:
            raise InputError("--checkpoint and --resume: options of the frontier engine only")
        return None
    if checkpoint is not None and resume is not None:
        raise InputError("--checkpoint and --resume: only one of them; --resume keeps the search in the same file")
    if resume is not None:
        if not resume.is_file():
            what = "is no file" if resume.exists() else "there is no such file"
            raise InputError(f"{resume}: {what}")
        return Kept(resume, resume=True)
    if checkpoint is not None:
        check_writable(checkpoint, (CHECKPOINT_ENDING,))
        return Kept(checkpoint)
    # Who sets a limit expects the search to end there, and no files of gigabytes that nobody asked for.
    if limits.time is not None or limits.memory is not None or not os.access(".", os.W_OK):
        return None
    return Kept(Path(f"twinproof-{os.getpid()}{CHECKPOINT_ENDING}"))


def _let_pass(best: Answer) -> list[Violation]:
    """List the rules that a layout breaks where the objective lets it."""
    rooms, layout = entry(best.question.name), best.outcome.layout
    if layout is None or best.question.objective not in rooms.relaxed:
        return []
    return rooms.violations(best.question.puzzle, layout)


def _say_where(kept: Kept | None) -> None:
    if kept is not None and kept.path.is_file():
        print(f"twinproof: kept; go on with the same command and --resume {kept.path}", file=sys.stderr)


def _shown(check: Crosscheck, best: Answer) -> str:
    """Draw and say what was found."""
    console = Console(highlight=False)
    with console.capture() as capture:
        if best.outcome.layout is not None:
            draw_board(best.question.name, best.question.puzzle, best.outcome.layout, console)
            for violation in _let_pass(best):
                console.print(escape(str(violation)), soft_wrap=True)
        for given in check.answers.values():
            console.print(escape(summary(given)), soft_wrap=True)
        if len(check.engines) > 1:
            verdict = {True: "the engines agree", False: "THE ENGINES DISAGREE", None: "not both settled"}
            console.print(verdict[check.agree])
        if best.first is not None and best.outcome.status is Status.UNKNOWN and not best.first.settled:
            console.print("the most hops were not settled; fix their number with --hops", soft_wrap=True)
    return capture.get()


@app.command()
def check(
    puzzle: PuzzleName,
    instance: Instance,
    layout: Annotated[str, typer.Argument(metavar="LAYOUT", help="A text file, or - for standard input.")],
    kind: Kind = None,
    nozzle: Nozzle = False,
    symmetry: Symmetry = None,
    harvest: Harvest = None,
    entrance: Entrance = None,
    dry_paths: DryPaths = False,
    hops: Hops = None,
    stars: Stars = None,
    mines: Mines = None,
    no_trust_flags: NoTrustFlags = False,
    form: Form = None,
    as_json: AsJson = False,
) -> None:
    """Check a layout by the rules.

    Every broken rule is named with its tiles. Marks: sprinkler S, hop H, walkable or crop `.`, obstacle X; star,
    bulb or mine `*`.
    """
    rooms = entry(puzzle)
    if instance == layout == "-":
        raise InputError("INSTANCE and LAYOUT cannot both be standard input")
    options = given(
        kind=kind,
        nozzle=nozzle,
        symmetry=symmetry,
        harvest=harvest,
        entrance=entrance,
        dry_paths=dry_paths,
        hops=hops,
        stars=stars,
        mines=mines,
        no_trust_flags=no_trust_flags,
        format=form,
    )
    built = read_instance(rooms, instance, options)
    rows = rooms.read_layout(built, read_drawn(layout), show_name(layout))
    broken = rooms.violations(built, rows)
    if as_json:
        valued = [name for name, sense in rooms.objectives.items() if sense is not None and name != "farthest"]
        content = {
            "puzzle": rooms.name,
            "instance": built.name,
            "layout": list(rows),
            "valid": not broken,
            "values": {objective: rooms.value(built, objective, rows) for objective in valued},
            "violations": record_violations(broken),
        }
        print_result(json.dumps(content))
    else:
        console = Console(highlight=False)
        with console.capture() as capture:
            draw_board(rooms.name, built, rows, console)
            for violation in broken:
                console.print(escape(str(violation)), soft_wrap=True)
            console.print("invalid" if broken else "valid")
        print_result(capture.get())
    raise typer.Exit(NEGATIVE if broken else SOLVED)


@app.command("list")
def list_() -> None:
    """List puzzles, objectives, fields, sprinklers and symmetries."""
    lines = ["puzzles and objectives"]
    for name, rooms in PUZZLES.items():
        lines.append(f"  {name:<12}{rooms.title}")
        lines += [
            f"  {'':<12}{objective}" + (f" ({sense})" if sense else "")
            for objective, sense in rooms.objectives.items()
        ]
    lines += [f"  {alias:<12}another name for {name}" for alias, name in ALIASES.items()]
    lines.append("fields")
    lines += [f"  {name:<12}{what}" for name, what in FIELDS.items()]
    lines += [
        f"  {'FILE or -':<12}a text map: '.' tile, 'X' obstacle, blank outside",
        "forms of the other puzzles",
        *(f"  {name:<12}{', '.join(rooms.formats)}" for name, rooms in PUZZLES.items() if rooms.formats),
        f"  {'':<12}mines of a field: {', '.join(MINES.names)}",
        f"sprinklers  {', '.join(KINDS)}; each with or without --nozzle",
        f"symmetries  {', '.join(SYMMETRIES)}",
        f"engines     {', '.join((*ENGINES, *SEVERAL))}",
        *(f"  {name:<12}a third opinion{_where(name)}" for name in THIRD),
    ]
    print_result("\n".join(lines))


def _where(engine: str) -> str:
    """Say where a third opinion is to be had, if it is not there."""
    return "" if engine in available() else f", with {THIRD[engine]}: pip install 'twinproof[third]'"


app.add_typer(export_commands)
app.add_typer(frontier_commands)
app.add_typer(certify_commands)
app.add_typer(puzzle_commands)
app.add_typer(compare_commands)
app.add_typer(hint_commands)
app.command()(convert)
app.command()(generate)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command and leave with its exit status; every failure is one line on standard error."""
    _open_standard_streams()
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    signal.signal(signal.SIGTERM, _stop)
    try:
        words = list(sys.argv[1:] if arguments is None else arguments)
        remember_words(words)
        status = app(args=words or ["--help"], standalone_mode=False) or SOLVED
    except InputError as error:
        status = _complain(str(error), BAD_INPUT)
    except JudgementError as error:
        status = _complain(f"internal error: {error}; please report it with {save_for_report(error)}", INTERNAL)
    except EngineError as error:
        saved = save_details(error)
        status = _complain(f"an engine failed: {error}" + (f"; details in {saved}" if saved else ""), INTERNAL)
    except (typer.Abort, KeyboardInterrupt):
        status = _complain("interrupted", UNFINISHED)
    except MemoryError:
        status = _complain("out of memory", UNFINISHED)
    except typer.TyperException as error:  # an unknown option, a missing argument, a word for a number
        status = _complain(getattr(error, "format_message", error.__str__)(), BAD_INPUT)
    except OSError as error:
        status = _complain(f"{error.filename or 'output'}: {error.strerror}", BAD_INPUT)
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    sys.exit(_complain("interrupted", UNFINISHED) if status == INTERRUPTED else status)


def _open_standard_streams() -> None:
    """Give the streams that the caller has closed an end, so that no file opened later takes their place."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free number: this one
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(number, "r" if number == 0 else "w", closefd=False))


def _complain(message: str, status: int) -> int:
    """Say what is wrong in one line, whatever a file's name may hold."""
    print(f"twinproof: {printable(message)}", file=sys.stderr)
    return status


def _stop(signum: int, frame: object) -> None:
    """Treat a request to end like Ctrl-C, so that the best outcome so far is still given."""
    raise KeyboardInterrupt


if __name__ == "__main__":
    main()
