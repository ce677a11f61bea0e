"""The command solve: the best layout, and the proof that no other is better."""

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape

from twinproof.compare.cli.command import (
    INTERNAL,
    check_record,
    choose_engines,
    exit_status,
    finish_undisturbed,
    print_result,
    tell,
    write_record,
)
from twinproof.compare.cli.options import (
    OUTPUT,
    SEVERAL,
    AsJson,
    MemoryLimit,
    ObjectiveName,
    OptionalInstance,
    PuzzleName,
    RecordFile,
    TimeLimit,
    instance_options,
    of_engine,
)
from twinproof.compare.output.records import PICTURE_ENDINGS, best_answer, check_writable, json_line, record
from twinproof.compare.output.terminal import AGREEMENT, draw_board, following, summary
from twinproof.compare.questions.answer import Answer, Question
from twinproof.compare.questions.crosscheck import Crosscheck, crosscheck
from twinproof.compare.questions.warm_start import Prepared, bound_from, warm_start_from
from twinproof.models import PUZZLES
from twinproof.models.violation import Violation
from twinproof.optim import InputError, Limits, OnProgress, Status
from twinproof.optim.engine import BAND, BASELINE, EXTERNAL, TABLE, Feature
from twinproof.optim.frontier_outcome import FrontierOutcome
from twinproof.optim.process.checkpoint import Checkpoint
from twinproof.optim.process.tasks import Kept
from twinproof.optim.request import EngineOptions

CHECKPOINT_ENDING = ".checkpoint"

SUPPORTED = (Feature.WARM_START, Feature.BOUND)
"""What an engine must support to be told what `--warm-start` and `--cut` find out."""


@instance_options()
def solve(
    puzzle: PuzzleName,
    instance: OptionalInstance = None,
    engine: Annotated[
        str, of_engine(f"cpsat, maxsat, both, frontier, all; or {', '.join((BAND, BASELINE, *EXTERNAL))}.")
    ] = "cpsat",
    objective: ObjectiveName = None,
    at_least: Annotated[
        int | None, typer.Option(help="Ask only whether a value of at least K is possible.")
    ] = None,
    at_most: Annotated[int | None, typer.Option(help="Ask only whether a value of at most K is possible.")] = None,
    time_limit: TimeLimit = None,
    memory_limit: MemoryLimit = None,
    workers: Annotated[int | None, of_engine("Search workers; the model's own choice by default.")] = None,
    subsolvers: Annotated[
        str | None, of_engine("CP-SAT subsolvers, comma-separated; `default` for its portfolio.")
    ] = None,
    seed: Annotated[int, of_engine("The seed of the engines' random choices.")] = 0,
    warm_start: Annotated[
        str | None,
        of_engine("Start CP-SAT from a layout of this engine.", "frontier|band", ("--warm-start", "--hint")),
    ] = None,
    cut: Annotated[
        str | None,
        of_engine(
            "Give CP-SAT and MaxSAT a bound: the frontier engine's on a wider puzzle, or that of bands.",
            "frontier|band",
        ),
    ] = None,
    checkpoint: Annotated[
        Path | None,
        of_engine("Keep an unfinished frontier search in FILE.checkpoint; Ctrl-C keeps it in any case."),
    ] = None,
    resume: Annotated[
        Path | None, of_engine("Go on from a frontier search that was kept.", "FILE.checkpoint")
    ] = None,
    as_json: AsJson = False,
    picture: Annotated[
        Path | None, typer.Option(help="Draw the layout into FILE.png or FILE.svg.", rich_help_panel=OUTPUT)
    ] = None,
    record_file: RecordFile = None,
    *,
    options: Mapping[str, Any],
) -> None:
    """Find the best layout and prove that no other is better.

    Examples: twinproof solve sprinklers scarecrow --engine both; twinproof solve hops disc:9 --at-least 15

    Exit status: 0 solved; 1 impossible, or the engines disagree; 3 stopped before a proof; 4 stopped, and it could
    not be kept.
    """
    asked = PUZZLES.find(puzzle)
    engines = choose_engines(engine)
    chosen_subsolvers = _subsolvers(subsolvers, engine)
    limits = Limits(time_limit, memory_limit, workers, seed)
    saved = _checkpoint(checkpoint, resume, engine, limits)
    if picture is not None:
        check_writable(picture, PICTURE_ENDINGS)
    check_record(record_file)
    chosen = asked.objective(objective).name
    question = Question(asked.name, asked.read(instance, options), chosen, at_least, at_most)
    with following(Console(stderr=True)) as follow:
        prepared = _warm_start(question, (warm_start, cut), engines, limits, follow)
        wanted = EngineOptions(chosen_subsolvers, prepared.warm_start, prepared.bound, checkpoint=saved)
        check = crosscheck(question, engines, limits, follow, wanted)
    finish_undisturbed()
    content = record(check) | ({"told": prepared.source} if prepared.source else {})
    best = best_answer(list(check.answers.values()))
    # The answer comes first: a file that cannot be written must not cost it.
    print_result(json_line(content) if as_json else _shown(check, best))
    write_record(record_file, content)
    if picture is not None and best.outcome.layout is not None:
        title = f"{asked.name} {best.question.instance.name}, {summary(best)}"
        # Imported here because matplotlib takes longer to load than most questions to answer.
        from twinproof.compare.output.picture import write_picture  # noqa: PLC0415

        write_picture(picture, best.outcome.layout, asked.name, title, best.question.instance)
    lost = saved is not None and not _say_where(saved, check)
    raise typer.Exit(INTERNAL if lost else exit_status(check))


def _subsolvers(names: str | None, engine: str) -> tuple[str, ...] | None:
    if names is None:
        return None
    if engine not in ("cpsat", *SEVERAL):
        raise InputError("--subsolvers: an option of cpsat only")
    chosen = tuple(names.split(","))
    if chosen != ("default",):
        from twinproof.optim.cpsat import check_subsolvers  # noqa: PLC0415 - loads CP-SAT

        check_subsolvers(chosen)
    return chosen


def _warm_start(
    question: Question,
    asked: tuple[str | None, str | None],
    engines: Sequence[str],
    limits: Limits,
    follow: Callable[[str], OnProgress],
) -> Prepared:
    """Ask other engines for a warm start and a bound."""
    prepared = []
    ways = (warm_start_from, bound_from)
    for option, name, ask, feature in zip(("--warm-start", "--cut"), asked, ways, SUPPORTED, strict=True):
        if name is None:
            continue
        if name not in ("frontier", BAND):
            raise InputError(f"{option} {name}: only the engines frontier and {BAND} give one")
        if not any(feature in TABLE[engine].supports for engine in engines):
            able = " and ".join(row.name for row in TABLE.values() if feature in row.supports)
            raise InputError(f"{option}: an option of {able} only")
        prepared.append(ask(question, name, limits, follow(name)))
    for one in prepared:
        tell(one.source)
    return Prepared(
        next((one.warm_start for one in prepared if one.warm_start is not None), None),
        next((one.bound for one in prepared if one.bound is not None), None),
        "; ".join(one.source for one in prepared),
    )


def _checkpoint(checkpoint: Path | None, resume: Path | None, engine: str, limits: Limits) -> Checkpoint | None:
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
        return Checkpoint(resume, resume=True)
    if checkpoint is not None:
        check_writable(checkpoint, (CHECKPOINT_ENDING,))
        return Checkpoint(checkpoint)
    # Who sets a limit expects the search to end there, and no files of gigabytes that nobody asked for.
    if limits.time is not None or limits.memory is not None or not os.access(".", os.W_OK):
        return None
    return Checkpoint(Path(f"twinproof-{os.getpid()}{CHECKPOINT_ENDING}"))


def _let_pass(best: Answer) -> list[Violation]:
    """List the rules that a layout breaks where the objective lets it."""
    layout = best.outcome.layout
    if layout is None or not best.question.asked.may_break:
        return []
    return PUZZLES.find(best.question.puzzle).rules.violations(best.question.instance, layout)


def _say_where(checkpoint: Checkpoint, check: Crosscheck) -> bool:
    """Say where an unfinished search is kept, or why it is not; False if it should be."""
    for given in check.answers.values():
        for outcome in (given.outcome, given.first):
            if not isinstance(outcome, FrontierOutcome) or outcome.settled:
                continue
            # A search that has not said anything has not touched the file that it was to go on from.
            kept = outcome.kept or (Kept() if checkpoint.resume else None)
            if kept is None:
                tell("not kept: the search had only begun")
            elif kept.problem is not None:
                left = "; the search is there as it was before" if checkpoint.path.is_file() else ""
                tell(f"{checkpoint.path}: could not be kept: {kept.problem}{left}")
                return False
            else:
                tell(f"kept; go on with the same command and --resume {checkpoint.path}")
    return True


def _shown(check: Crosscheck, best: Answer) -> str:
    """Draw and say what was found."""
    console = Console(highlight=False)
    with console.capture() as capture:
        if best.outcome.layout is not None:
            draw_board(best.question.puzzle, best.question.instance, best.outcome.layout, console)
            for violation in _let_pass(best):
                console.print(escape(str(violation)), soft_wrap=True)
        for given in check.answers.values():
            console.print(escape(summary(given)), soft_wrap=True)
        if len(check.engines) > 1:
            console.print(AGREEMENT[check.agree])
        if best.first is not None and best.outcome.status is Status.UNKNOWN and not best.first.settled:
            first = best.question.asked.after
            console.print(f"{first}: not settled; fix its value, and ask again", soft_wrap=True)
    return capture.get()
