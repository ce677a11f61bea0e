"""Times both engines on public Star Battle, Light Up and Minesweeper puzzles, and checks their answers.

    TWINPROOF_DATA=folder python -m twinproof.compare.benchmark.puzzles --each 40 --record puzzles.json

Every puzzle is solved, and the other solution farthest from that one is looked for, which proves uniqueness; the
second seconds are of both questions together. Building the model is part of all seconds, and so is the check by
the rules; all happens in this process, after one puzzle of each kind that is not counted. If the package puzzlekit
is there, it solves the same puzzles in the same run. Seconds are of one machine and one moment; the ratios within
a run are what may be compared; `ratio` is that of the medians to puzzlekit's.
"""

import importlib
import json
import os
import shlex
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from typing import Annotated, Any

import typer

from twinproof.compare.benchmark.sweep import main
from twinproof.compare.campaign.machine import machine, versions
from twinproof.compare.cli.command import NEGATIVE, print_result
from twinproof.compare.instances import Puzzle
from twinproof.compare.output.records import check_writable, write_json
from twinproof.compare.questions.answer import Question, answer
from twinproof.compare.questions.crosscheck import TWINS
from twinproof.models.lightup.instance import LightUpPuzzle
from twinproof.models.minesweeper.instance import MinesweeperPuzzle
from twinproof.models.starbattle.instance import StarBattlePuzzle, number_regions
from twinproof.optim import EngineError, InputError, Status

__all__ = ["Case", "load_cases", "time_case"]

DATA = Path(os.environ.get("TWINPROOF_DATA", Path(__file__).parents[2] / "shared" / "data"))


@dataclass(frozen=True)
class Case:
    """A public puzzle, and what is known of it.

    Parameters
    ----------
    name : str
        The puzzle's name in the catalogue.
    puzzle : Puzzle
    solution : tuple of str or None
        A published one, where there is one; `*` is what is looked for.
    unique : bool or None
        Whether it is the only one; None if that is not stated.
    peer : dict or None
        The arguments of puzzlekit's solver; None if it cannot say this puzzle.
    """

    name: str
    puzzle: Puzzle
    solution: tuple[str, ...] | None
    unique: bool | None
    peer: dict[str, Any] | None


def _starbattle(entry: dict[str, Any]) -> Case:
    rows = [[None if mark in "#." else mark for mark in row] for row in entry["regions"]]
    holes = {(r, c) for r, row in enumerate(entry["regions"]) for c, mark in enumerate(row) if mark == "#"}
    regions, labels = number_regions(rows)
    puzzle = StarBattlePuzzle(entry["stars"], regions, frozenset(holes), labels=labels, name=entry["id"])
    peer = {
        "num_rows": puzzle.height,
        "num_cols": puzzle.width,
        "num_stars": puzzle.stars,
        "region_grid": [list(row) for row in entry["regions"]],
    }
    solution = tuple(entry["solution"]) if "solution" in entry else None
    return Case("starbattle", puzzle, solution, entry["unique"], None if holes else peer)


def _lightup(entry: dict[str, Any]) -> Case:
    puzzle = LightUpPuzzle(tuple(entry["grid"]), name=entry["id"])
    grid = [["-" if mark == "." else "x" if mark == "#" else mark for mark in row] for row in puzzle.rows]
    peer = {"num_rows": puzzle.height, "num_cols": puzzle.width, "grid": grid}
    return Case("lightup", puzzle, tuple(entry["solution"]), entry["unique"], peer)


def _minesweeper(entry: dict[str, Any]) -> Case:
    puzzle = MinesweeperPuzzle(tuple(entry["grid"]), entry["mines"], name=entry["id"])
    grid = [["-" if mark == "." else mark for mark in row] for row in puzzle.board]
    peer = {"num_rows": puzzle.height, "num_cols": puzzle.width, "grid": grid, "num_mines": entry["mines"]}
    layouts = entry["consistent_configurations_with_mine_total"]
    unique = None if layouts is None else layouts == 1
    return Case("minesweeper", puzzle, tuple(entry["solution"]), unique, peer)


KINDS: dict[str, tuple[str, Callable[[dict[str, Any]], Case], str]] = {
    "starbattle": ("starbattle/puzzles.json", _starbattle, "StarbattleSolver"),
    "lightup": ("akari/puzzles.json", _lightup, "AkariSolver"),
    "minesweeper": ("minesweeper/janko_unique.json", _minesweeper, "MinesweeperSolver"),
}
"""For every puzzle the file with its cases, their reader, and puzzlekit's name for its solver."""


def load_cases(name: str, each: int | None = None, data: Path = DATA) -> list[Case]:
    """Read the public puzzles of one kind, or a number of them, evenly spread."""
    file, read, _ = KINDS[name]
    entries = json.loads((data / file).read_text(encoding="utf-8"))
    step = 1 if each is None else max(1, len(entries) // each)
    return [read(entry) for entry in entries[::step][:each]]


def time_case(case: Case) -> dict[str, float]:
    """Solve a puzzle and prove it unique, or not, by both engines; gives seconds.

    Raises
    ------
    EngineError
        If an answer is not the published one.
    """
    seconds: dict[str, float] = {}
    for engine in TWINS:
        start = time.perf_counter()
        found = answer(Question(case.name, case.puzzle, "solution"), engine, isolated=False).outcome
        seconds[engine] = time.perf_counter() - start
        if found.layout is None:
            raise EngineError(f"{case.puzzle.name}: {engine} finds no solution")
        board: Any = case.puzzle
        apart = replace(board, apart_from=found.layout)
        farthest = answer(Question(case.name, apart, "farthest"), engine, isolated=False).outcome
        seconds[f"{engine}, unique"] = time.perf_counter() - start
        unique = farthest.status is Status.OPTIMAL and farthest.value == 0
        if case.unique is not None and unique is not case.unique:
            raise EngineError(f"{case.puzzle.name}: unique is {unique} by {engine}")
        if case.unique and case.solution is not None and not same(found.layout, case.solution):
            raise EngineError(f"{case.puzzle.name}: not the published solution by {engine}")
    return seconds


def same(layout: Sequence[str], other: Sequence[str]) -> bool:
    """Whether two layouts have their stars, bulbs or mines in the same cells."""
    return [[mark == "*" for mark in row] for row in layout] == [[mark == "*" for mark in row] for row in other]


def time_peer(solver: Any, case: Case) -> float | None:
    """Time puzzlekit on the same puzzle; None if it cannot say it or gives no solution."""
    if case.peer is None:
        return None
    start = time.perf_counter()
    result = solver(**case.peer).solve()
    seconds = time.perf_counter() - start
    return seconds if result.is_solved else None


def peer_solver(name: str) -> Any:
    """Give puzzlekit's solver for a puzzle; None if the package is not there."""
    try:
        module = importlib.import_module("puzzlekit")
    except ImportError:
        return None
    return module.get_solver_class({"lightup": "akari"}.get(name, name))


def run(
    puzzle: Annotated[list[str] | None, typer.Option(help=f"Of {', '.join(KINDS)}; all by default.")] = None,
    each: Annotated[
        int | None, typer.Option(min=1, help="So many of each, evenly spread; all by default.")
    ] = None,
    record: Annotated[Path | None, typer.Option(help="Write all figures into FILE.json.")] = None,
) -> None:
    """Time cpsat, maxsat and, if it is there, puzzlekit on the same puzzles."""
    if record is not None:
        check_writable(record, (".json",))
    chosen = puzzle or list(KINDS)
    for name in chosen:
        if name not in KINDS:
            raise InputError(f"puzzle {name!r}: must be one of {', '.join(KINDS)}")
        if not (DATA / KINDS[name][0]).is_file():
            raise InputError(
                f"{DATA / KINDS[name][0]} is not there: set TWINPROOF_DATA to the folder of public cases"
            )
    rows: list[dict[str, Any]] = []
    wrong: list[str] = []
    for name in chosen:
        solver = peer_solver(name)
        cases = load_cases(name, each)
        for number, case in enumerate([cases[0], *cases]):
            try:
                seconds = time_case(case)
            except EngineError as error:
                wrong.append(str(error))
                print_result(f"WRONG: {error}")
                continue
            peer = None if solver is None else time_peer(solver, case)
            if peer is not None:
                seconds["puzzlekit"] = peer
            if number:  # the first loads what the others need
                rows.append({"puzzle": name, "instance": case.puzzle.name, "seconds": seconds})
                listed = ", ".join(f"{way} {took:.4f}" for way, took in seconds.items())
                print_result(f"{name} {case.puzzle.name}: {listed}")
    print_result("\n".join(_table(rows)))
    if record is not None:
        command = shlex.join(["python", "-m", "twinproof.compare.benchmark.puzzles", *sys.argv[1:]])
        facts = {"machine": machine(), "versions": versions()}
        write_json(record, {"command": command, "wrong": wrong, "puzzles": rows} | facts)
    raise typer.Exit(NEGATIVE if wrong else 0)


def _table(rows: Sequence[dict[str, Any]]) -> list[str]:
    """Put medians, their ratio to puzzlekit's on the same puzzles, and the longest into lines."""
    lines = [f"{'puzzle':<13}{'way':<16}{'puzzles':>8}{'median s':>10}{'longest s':>11}{'ratio':>7}"]
    for name in dict.fromkeys(row["puzzle"] for row in rows):
        timed = [row["seconds"] for row in rows if row["puzzle"] == name]
        for way in dict.fromkeys(way for seconds in timed for way in seconds):
            with_peer = [seconds for seconds in timed if "puzzlekit" in seconds]
            ratio = "-"
            if with_peer:
                peer = median(seconds["puzzlekit"] for seconds in with_peer)
                ratio = f"{median(seconds[way] for seconds in with_peer) / peer:.2f}"
            took = [seconds[way] for seconds in timed if way in seconds]
            lines.append(f"{name:<13}{way:<16}{len(took):>8}{median(took):>10.4f}{max(took):>11.3f}{ratio:>7}")
    return lines


if __name__ == "__main__":
    main(run)
