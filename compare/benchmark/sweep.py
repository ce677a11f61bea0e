"""Times both engines against the source article's way, in one run, and gives the ratios.

The article asks a SAT solver for a layout with at most K sprinklers, K counted by a totalizer, and lowers K until
the answer is no. The two last questions settle the optimum; only they are timed here, so the sweep is flattered.

    python -m twinproof.compare.benchmark.sweep --field scarecrow --runs 3 --record reports/benchmark.json

Seconds are of one machine and one moment; the ratios within a run are what may be compared.
"""

import shlex
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from twinproof.compare.campaign.machine import machine, versions
from twinproof.compare.instances import build_puzzle, read_field
from twinproof.compare.output.records import check_writable, write_json
from twinproof.compare.questions.answer import Question, answer
from twinproof.models.sprinklers.instance import SprinklerPuzzle
from twinproof.models.sprinklers.linear_search import build_linear_search
from twinproof.optim import EngineError, InputError, Limits, Status
from twinproof.optim.engine import BASELINE, solve
from twinproof.optim.request import Threshold

__all__ = ["main", "sweep_seconds"]


def sweep_seconds(puzzle: SprinklerPuzzle, optimum: int, limits: Limits) -> tuple[float, float]:
    """Time the article's two last questions: at most the optimum, and at most one less.

    Raises
    ------
    EngineError
        If the answers are not yes and no.
    """
    build = partial(build_linear_search, puzzle)
    possible = solve(BASELINE, build, limits, threshold=Threshold(at_most=optimum))
    impossible = solve(BASELINE, build, limits, threshold=Threshold(at_most=optimum - 1))
    if (possible.status, impossible.status) != (Status.FEASIBLE, Status.INFEASIBLE):
        raise EngineError(f"the sweep says {possible.status} and {impossible.status} round {optimum}")
    return possible.seconds, impossible.seconds


def run(
    field: Annotated[str, typer.Option(help="As for `twinproof solve`.")] = "scarecrow",
    kind: Annotated[str, typer.Option(help="Sprinkler.")] = "basic",
    runs: Annotated[int, typer.Option(min=1, help="How often everything is timed.")] = 3,
    record: Annotated[Path | None, typer.Option(help="Write all figures into FILE.json.")] = None,
) -> None:
    """Time cpsat, maxsat and the article's sweep on one sprinkler field, one after the other, several times."""
    if record is not None:
        check_writable(record, (".json",))
    puzzle = build_puzzle("sprinklers", read_field(field), kind)
    assert isinstance(puzzle, SprinklerPuzzle)
    question = Question("sprinklers", puzzle, "fewest-sprinklers")
    console = Console(stderr=True)
    timed: list[dict[str, float]] = []
    optima: set[int | None] = set()
    for seed in range(runs):
        row: dict[str, float] = {}
        for engine in ("cpsat", "maxsat"):
            outcome = answer(question, engine, Limits(seed=seed)).outcome
            optima.add(outcome.value)
            row[engine] = outcome.seconds
        optimum = outcome.value
        if optimum is None or len(optima) != 1:
            raise EngineError(f"the engines do not agree: {optima}")
        row["sweep yes"], row["sweep no"] = sweep_seconds(puzzle, optimum, Limits(seed=seed))
        row["sweep"] = row["sweep yes"] + row["sweep no"]
        timed.append(row)
        console.print(f"run {seed + 1} of {runs}: " + ", ".join(f"{k} {v:.1f} s" for k, v in row.items()))
        if record is not None:  # after every run, so that a stopped benchmark keeps its finished runs
            write_json(record, _content(field, kind, timed))
    table = Table("way", "median seconds", "median ratio to the sweep", "ratios")
    for way in ("sweep", "maxsat", "cpsat"):
        ratios = [row[way] / row["sweep"] for row in timed]
        listed = " ".join(f"{ratio:.2f}" for ratio in ratios)
        table.add_row(way, f"{median(row[way] for row in timed):.1f}", f"{median(ratios):.2f}", listed)
    Console().print(f"sprinklers {field}, {kind}: optimum {optima.pop()}", table)


def _content(field: str, kind: str, timed: list[dict[str, float]]) -> dict[str, object]:
    """Put the figures, and what they depend on, into a record."""
    return {
        "command": shlex.join(["python", "-m", "twinproof.compare.benchmark.sweep", *sys.argv[1:]]),
        "field": field,
        "kind": kind,
        "seconds": timed,
        "machine": machine(),
        "versions": versions(),
    }


def main(benchmark: Callable[..., None] = run) -> None:
    """Run a benchmark as a command; bad input is one line and exit status 2."""
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    app.command()(benchmark)
    try:
        sys.exit(app(standalone_mode=False))
    except InputError as error:
        print(f"benchmark: {error}", file=sys.stderr)
        sys.exit(2)
    except typer.TyperException as error:
        print(f"benchmark: {getattr(error, 'format_message', error.__str__)()}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    # Child processes look functions up by their module's name, which "__main__" is not to them.
    from twinproof.compare.benchmark.sweep import main as imported_main

    imported_main()
