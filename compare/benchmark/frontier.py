"""Times the frontier engine and takes its peak memory, case by case, each in a process of its own.

    python -m twinproof.compare.benchmark.frontier --runs 3 --record reports/benchmark-frontier.json

Seconds are of one machine and one moment; what may be compared are the ratios within a run.
"""

import json
import os
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from twinproof.compare.benchmark.sweep import main
from twinproof.compare.campaign.machine import machine, versions
from twinproof.compare.output.records import check_writable, write_json
from twinproof.optim import EngineError

__all__ = ["CASES", "Measured", "measure"]

CASES = (
    ("sprinklers scarecrow", 59),
    ("sprinklers disc:144", None),
    ("hops disc:36", 54),
    ("hops scarecrow", 109),
)
"""The questions, and what is known of their answers from elsewhere."""


@dataclass(frozen=True)
class Measured:
    """One run of one case.

    Parameters
    ----------
    value : int
    seconds : float
        Of the whole command, start and compiled code's loading included.
    peak_mb : int
        The most memory that one of its processes held.
    """

    value: int
    seconds: float
    peak_mb: int


def measure(case: str) -> Measured:
    """Run a case by the command in a process of its own.

    Raises
    ------
    EngineError
        If it is not solved.
    """
    words = [sys.executable, "-P", "-m", "twinproof", "solve", *case.split(), "--engine", "frontier", "--json"]
    process = subprocess.Popen(words, stdout=subprocess.PIPE)
    assert process.stdout is not None
    out = process.stdout.read()
    # Its own way of waiting, because only this one tells the memory of the process and of its children.
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise EngineError(f"{case}: exit status {process.returncode}")
    content = json.loads(out)
    # Kilobytes on Linux, bytes on macOS.
    unit = 1 if sys.platform == "darwin" else 1024
    return Measured(content["value"], content["seconds"], round(usage.ru_maxrss * unit / 1e6))


def run(
    runs: Annotated[int, typer.Option(min=1, help="How often everything is timed.")] = 3,
    record: Annotated[Path | None, typer.Option(help="Write all figures into FILE.json.")] = None,
) -> None:
    """Time the frontier engine, one case after the other, several times."""
    if record is not None:
        check_writable(record, (".json",))
    console = Console(stderr=True)
    timed: dict[str, list[Measured]] = {case: [] for case, _ in CASES}
    for number in range(runs):
        for case, known in CASES:
            measured = measure(case)
            if known is not None and measured.value != known:
                raise EngineError(f"{case}: {measured.value}, known is {known}")
            timed[case].append(measured)
            console.print(f"run {number + 1} of {runs}: {case}: {measured.seconds:.1f} s, {measured.peak_mb:,} MB")
        if record is not None:  # after every run, so that a stopped benchmark keeps its finished runs
            write_json(record, _content(timed))
    table = Table("case", "value", "median seconds", "peak MB")
    for case, rows in timed.items():
        seconds = median(row.seconds for row in rows)
        table.add_row(case, str(rows[0].value), f"{seconds:.1f}", f"{max(row.peak_mb for row in rows):,}")
    Console().print(table)


def _content(timed: dict[str, list[Measured]]) -> dict[str, object]:
    return {
        "command": shlex.join(["python", "-m", "twinproof.compare.benchmark.frontier", *sys.argv[1:]]),
        "cases": {
            case: {
                "values": [row.value for row in rows],
                "seconds": [row.seconds for row in rows],
                "peak_mb": [row.peak_mb for row in rows],
            }
            for case, rows in timed.items()
        },
        "machine": machine(),
        "versions": versions(),
    }


if __name__ == "__main__":
    main(run)
