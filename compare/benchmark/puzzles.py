"""Times both engines on public puzzles beside the package puzzlekit, and checks all answers.

    python -m twinproof.compare.benchmark.puzzles --data FOLDER --each 40 --record puzzles.json

Every puzzle is solved, and then the solution farthest from the first is looked for, which decides whether there
is another; the seconds called `unique` are of both questions. They include building the model and checking the
layout, and no start of a process: all runs in this one, after one puzzle of each kind that is not counted. Seconds
are of one machine and one moment; only the ratios to puzzlekit's in the same run may be compared.
"""

import importlib
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Annotated, Any

import typer

from twinproof.compare.benchmark.command import circumstances, run_benchmark
from twinproof.compare.benchmark.public import PUBLIC, Data, Each, PublicPuzzle, check_data, load_public
from twinproof.compare.cli.command import NEGATIVE, print_result
from twinproof.compare.output.records import check_writable, write_json
from twinproof.compare.questions.answer import Question, answer
from twinproof.compare.questions.crosscheck import TWINS
from twinproof.optim import EngineError, Status

PEERS = {"starbattle": "starbattle", "lightup": "akari", "minesweeper": "minesweeper"}
"""The names by which puzzlekit knows each kind."""


def time_puzzle(public: PublicPuzzle) -> dict[str, float]:
    """Solve a puzzle and decide whether it has another solution, by both engines; gives seconds.

    Raises
    ------
    EngineError
        If an answer is not the published one.
    """
    seconds: dict[str, float] = {}
    for engine in TWINS:
        start = time.perf_counter()
        found = answer(Question(public.kind, public.instance, "solution"), engine, isolated=False).outcome
        seconds[engine] = time.perf_counter() - start
        if found.layout is None:
            raise EngineError(f"{public.name}: {engine} finds no solution")
        apart = replace(public.instance, apart_from=found.layout)
        farthest = answer(Question(public.kind, apart, "farthest"), engine, isolated=False).outcome
        seconds[f"{engine}, unique"] = time.perf_counter() - start
        unique = farthest.status is Status.OPTIMAL and farthest.value == 0
        if public.unique is not None and unique is not public.unique:
            raise EngineError(f"{public.name}: unique is {unique} by {engine}")
        if public.solution is not None and _marked(found.layout) != _marked(public.solution):
            raise EngineError(f"{public.name}: not the published solution by {engine}")
    return seconds


def _marked(layout: Sequence[str]) -> list[list[bool]]:
    """Say which cells hold a star, a bulb or a mine."""
    return [[mark == "*" for mark in row] for row in layout]


def _time_peer(public: PublicPuzzle) -> float | None:
    """Time puzzlekit on the same puzzle; None if it is not installed, or cannot express or solve the puzzle."""
    try:
        solver = importlib.import_module("puzzlekit").get_solver_class(PEERS[public.kind])
    except ImportError:
        return None
    arguments = _peer_arguments(public)
    if arguments is None:
        return None
    start = time.perf_counter()
    result = solver(num_rows=public.instance.height, num_cols=public.instance.width, **arguments).solve()
    seconds = time.perf_counter() - start
    return seconds if result.is_solved else None


def _peer_arguments(public: PublicPuzzle) -> dict[str, Any] | None:
    """Give what puzzlekit's solver takes besides the size of the board; None for a Star Battle with holes."""
    entry = public.entry
    if public.kind == "starbattle":
        grid = [list(row) for row in entry["regions"]]
        return None if public.instance.holes else {"num_stars": entry["stars"], "region_grid": grid}
    if public.kind == "lightup":
        return {
            "grid": [
                ["-" if mark == "." else "x" if mark == "#" else mark for mark in row] for row in entry["grid"]
            ]
        }
    grid = [["-" if mark == "." else mark for mark in row] for row in entry["grid"]]
    return {"grid": grid, "num_mines": entry["mines"]}


def run(
    data: Data,
    puzzle: Annotated[
        list[str] | None, typer.Option(help=f"Only this one of {', '.join(PUBLIC)}. Repeatable.")
    ] = None,
    each: Each = None,
    record: Annotated[Path | None, typer.Option(help="Write all figures into FILE.json.")] = None,
) -> None:
    """Time cpsat, maxsat and, if it is installed, puzzlekit on the same puzzles."""
    kinds = puzzle or list(PUBLIC)
    if record is not None:
        check_writable(record, (".json",))
    check_data(data, kinds)
    rows: list[dict[str, Any]] = []
    wrong: list[str] = []
    for kind in kinds:
        chosen = load_public(data, kind, each)
        for number, public in enumerate([chosen[0], *chosen]):
            try:
                seconds = time_puzzle(public)
            except EngineError as error:
                wrong.append(str(error))
                print_result(f"WRONG: {error}")
                continue
            if (peer := _time_peer(public)) is not None:
                seconds["puzzlekit"] = peer
            if number:  # the first loads what the others need
                rows.append({"puzzle": kind, "instance": public.name, "seconds": seconds})
                listed = ", ".join(f"{way} {took:.4f}" for way, took in seconds.items())
                print_result(f"{kind} {public.name}: {listed}")
    print_result("\n".join(_table(rows)))
    if record is not None:
        write_json(record, circumstances("puzzles") | {"wrong": wrong, "puzzles": rows})
    raise typer.Exit(NEGATIVE if wrong else 0)


def _table(rows: Sequence[dict[str, Any]]) -> list[str]:
    """Put medians, their ratio to puzzlekit's on the same puzzles, and the longest into lines."""
    lines = [f"{'puzzle':<13}{'way':<16}{'puzzles':>8}{'median s':>10}{'longest s':>11}{'ratio':>7}"]
    for kind in dict.fromkeys(row["puzzle"] for row in rows):
        timed = [row["seconds"] for row in rows if row["puzzle"] == kind]
        with_peer = [seconds for seconds in timed if "puzzlekit" in seconds]
        for way in dict.fromkeys(way for seconds in timed for way in seconds):
            took = [seconds[way] for seconds in timed if way in seconds]
            ratio = "-"
            if with_peer:
                peer = median(seconds["puzzlekit"] for seconds in with_peer)
                ratio = f"{median(seconds[way] for seconds in with_peer) / peer:.2f}"
            lines.append(f"{kind:<13}{way:<16}{len(took):>8}{median(took):>10.4f}{max(took):>11.3f}{ratio:>7}")
    return lines


if __name__ == "__main__":
    run_benchmark(run)
