"""The command compare: a suite of questions, put to every engine, and the verdict."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import psutil
import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from twinproof.compare.campaign.case import Result
from twinproof.compare.campaign.judge import QuestionVerdict
from twinproof.compare.campaign.reproduce import save_disagreement
from twinproof.compare.campaign.results import open_results
from twinproof.compare.campaign.run import Runner, check_found, judge_suite, missing, run_suite
from twinproof.compare.campaign.suite import BUILT_IN, read_suite
from twinproof.compare.cli.command import (
    INTERNAL,
    NEGATIVE,
    SOLVED,
    UNFINISHED,
    finish_undisturbed,
    print_result,
    tell,
)
from twinproof.compare.cli.options import AsJson
from twinproof.compare.output.records import json_line
from twinproof.compare.output.words import command_line
from twinproof.models.words import count_of
from twinproof.optim import InputError, OutputError, TwinproofError

ENDING = ".jsonl"
WORKERS = 2
"""The number of processes that an engine usually keeps busy."""


def compare(
    suite: Annotated[
        str, typer.Argument(metavar="SUITE", help=f"{', '.join(BUILT_IN)}, or a TOML file.")
    ] = BUILT_IN[0],
    results_file: Annotated[
        Path | None,
        typer.Option(
            "--results",
            help="Where results are kept, FILE.jsonl; by default compare-SUITE.jsonl. Adds what it lacks.",
        ),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(min=1, help="How many cases at once; by default one for every two cores."),
    ] = None,
    scheduler: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Run the cases on the Dask cluster with this scheduler."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Put every question of a suite to every engine and compare the answers.

    Every layout is checked by the rules, every answer against the others and against what is known. What does not
    fit is saved as a small suite of its own that shows it again, and the exit status is 1.
    """
    chosen = read_suite(suite)
    if jobs is not None and scheduler is not None:
        raise InputError(
            "--jobs and --scheduler: only one of them; a cluster runs as many cases as it has threads"
        )
    runner = _runner(jobs, scheduler)
    path = results_file or Path(f"compare-{chosen.name}{ENDING}")
    if path.suffix != ENDING:
        raise InputError(f"{path}: the name must end in {ENDING}")
    console = Console(stderr=True, highlight=False)
    interrupted = False
    with open_results(path) as results:
        try:
            check_found(chosen, results.found)
        except InputError as error:
            raise InputError(f"{path}: {error}") from error
        todo = missing(chosen, results.found)
        cases = sum(len(asked.engines) for asked in chosen.asked)
        tell(f"{chosen.title}: {count_of(cases, 'case')}, {cases - len(todo)} of them in {path}")
        if chosen.left_out:
            tell(f"left out, not installed: {', '.join(chosen.left_out)}; pip install 'twinproof[third]'")
        done = 0

        def on_result(result: Result) -> None:
            nonlocal done
            done += 1
            console.print(
                f"[{done}/{len(todo)}] {result['title']}, {_brief(result)}", markup=False, soft_wrap=True
            )

        problem: TwinproofError | None = None
        try:
            run_suite(chosen, results, runner, on_result)
        except KeyboardInterrupt:
            interrupted = True
        except TwinproofError as error:  # a pool that broke, a full disk: what is on file is judged all the same
            problem = error
        finish_undisturbed()
        verdicts = judge_suite(chosen, results.found)
    if as_json:
        print_result(json_line(_content(chosen.name, verdicts, path)))
    else:
        print_result(_shown(verdicts))
    _tell_problems(verdicts, path.parent)
    if problem is not None:
        raise problem
    if interrupted:
        tell(f"interrupted; the same command goes on with what {path} does not have")
    raise typer.Exit(_status(verdicts, interrupted))


def _tell_problems(verdicts: Sequence[QuestionVerdict], folder: Path) -> None:
    """Say what is wrong, and save every disagreement."""
    for verdict in verdicts:
        for text in (*verdict.wrong, *verdict.failed):
            tell(f"{verdict.asked.title}: {text}")
        if verdict.wrong:
            try:
                tell(f"saved as {save_disagreement(verdict, folder)}")
            except OutputError as error:
                tell(str(error))


def _runner(jobs: int | None, scheduler: str | None) -> Runner:
    if scheduler is not None:
        from twinproof.compare.campaign.cluster import run_on_cluster  # noqa: PLC0415 - an optional package, slow to load

        return lambda cases: run_on_cluster(cases, scheduler)
    from twinproof.compare.campaign.pool import run_in_pool  # noqa: PLC0415 - beside its like

    at_once = jobs or max(1, (psutil.cpu_count() or 1) // WORKERS)
    return lambda cases: run_in_pool(cases, at_once)


def _status(verdicts: Sequence[QuestionVerdict], interrupted: bool) -> int:
    if any(verdict.wrong for verdict in verdicts):
        return NEGATIVE
    if any(verdict.failed for verdict in verdicts):
        return INTERNAL
    if interrupted or not all(verdict.settled for verdict in verdicts):
        return UNFINISHED
    return SOLVED


def _brief(result: Result) -> str:
    """Say in a few words what an engine found."""
    if result["error"] is not None:
        found = str(result["error"]["kind"])
    elif result["status"] in ("optimal", "infeasible"):
        found = result["status"] + (f" {result['value']}" if result["value"] is not None else "")
    else:
        bracket = "" if result["bound"] is None else f"..{result['bound']}"
        found = f"{result['status']} {'' if result['value'] is None else result['value']}{bracket}".strip()
    stopped = f", {result['stopped']}" if result.get("stopped") else ""
    memory = f", {result['peak_mb']:,} MB" if result.get("peak_mb") is not None else ""
    return f"{result['engine']}: {found}, {result['seconds']:.1f} s{memory}{stopped}"


def _shown(verdicts: Sequence[QuestionVerdict]) -> str:
    """Put a line for every question, and the sum, into a table."""
    engines = list(dict.fromkeys(engine for verdict in verdicts for engine in verdict.asked.engines))
    table = Table("question", "value", *engines, "verdict", box=None, pad_edge=False)
    for verdict in verdicts:
        cells = [_cell(verdict, engine) for engine in engines]
        table.add_row(escape(verdict.asked.title), _value(verdict), *cells, _word(verdict))
    console = Console(highlight=False, width=200)
    with console.capture() as capture:
        console.print(table)
        counts: dict[str, int] = {}
        for verdict in verdicts:
            counts[_word(verdict)] = counts.get(_word(verdict), 0) + 1
        console.print(", ".join(f"{word}: {number}" for word, number in counts.items()))
    return "\n".join(line.rstrip() for line in capture.get().splitlines())


def _value(verdict: QuestionVerdict) -> str:
    if not verdict.results:
        return "-"
    if verdict.value is None:
        statuses = {result["status"] for result in verdict.results.values()}
        return "impossible" if "infeasible" in statuses else "found" if "feasible" in statuses else "-"
    return str(verdict.value)


def _cell(verdict: QuestionVerdict, engine: str) -> str:
    if engine not in verdict.asked.engines:
        return ""
    result = verdict.results.get(engine)
    if result is None:
        return "-"
    if result["error"] is not None:
        return str(result["error"]["kind"])
    seconds = f"{result['seconds']:.1f} s"
    return seconds if result.get("stopped") is None else f"> {seconds}"


def _word(verdict: QuestionVerdict) -> str:
    if verdict.wrong:
        return "DISAGREE"
    if verdict.failed:
        return "failed"
    if verdict.agree:
        return "agree" if len(verdict.results) > 1 else "settled"
    if len(verdict.results) < len(verdict.asked.engines):
        return "not run"
    return "consistent" if verdict.settled else "open"


def _content(name: str, verdicts: Sequence[QuestionVerdict], path: Path) -> dict[str, Any]:
    return {
        "suite": name,
        "command": command_line(),
        "results": str(path),
        "complete": all(len(verdict.results) == len(verdict.asked.engines) for verdict in verdicts),
        "questions": [
            {
                "question": verdict.asked.title,
                "value": verdict.value,
                "verdict": _word(verdict),
                "wrong": list(verdict.wrong),
                "failed": list(verdict.failed),
                "engines": {
                    engine: {
                        key: result.get(key)
                        for key in ("status", "value", "bound", "seconds", "peak_mb", "stopped")
                    }
                    for engine, result in verdict.results.items()
                },
            }
            for verdict in verdicts
        ],
    }
