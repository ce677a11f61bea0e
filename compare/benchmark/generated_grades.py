"""Counts the grades of generated puzzles: which grades can be had at which size, and how often.

python -m twinproof.compare.benchmark.generated_grades --seeds 200 --record generated-grades.json
"""

import time
from collections import Counter
from pathlib import Path
from typing import Annotated, Any

import typer

from twinproof.compare.benchmark.command import circumstances, run_benchmark
from twinproof.compare.cli.command import print_result
from twinproof.compare.output.records import check_writable, write_json
from twinproof.models import PUZZLES
from twinproof.models.generation.generated import NotFoundError

BOARDS: tuple[tuple[str, int, dict[str, Any]], ...] = (
    *(("starbattle", size, {"stars": 1}) for size in (4, 5, 6, 7, 8, 9, 10)),
    *(("starbattle", size, {"stars": 2}) for size in (8, 9, 10, 12)),
    ("starbattle", 14, {"stars": 3}),
    *(("lightup", size, {}) for size in (3, 5, 7, 10, 14, 20)),
)
"""What is generated: puzzle, rows and columns, options."""


def run(
    seeds: Annotated[int, typer.Option(min=1, help="Puzzles of each size, from the seeds 0, 1, ...")] = 200,
    seconds: Annotated[float, typer.Option(min=0, help="No other puzzle of a size is begun after these.")] = 60,
    record: Annotated[Path | None, typer.Option(help="Write all figures into FILE.json.")] = None,
) -> None:
    """Count the grades of generated puzzles."""
    if record is not None:
        check_writable(record, (".json",))
    rows: list[dict[str, Any]] = []
    for name, size, options in BOARDS:
        rows.append({"puzzle": name, "size": size, **options, **count_grades(name, size, options, seeds, seconds)})
        if record is not None:  # after every size, so that a benchmark that is stopped keeps them
            write_json(record, circumstances("generated_grades") | {"grades": rows})
        print_result(", ".join(f"{key}: {value}" for key, value in rows[-1].items()))


def count_grades(name: str, size: int, options: dict[str, Any], seeds: int, seconds: float) -> dict[str, Any]:
    """Generate puzzles of one size, and count their grades.

    Parameters
    ----------
    name : str
        The puzzle's.
    size : int
        Rows and columns.
    options : dict
        Of the generator.
    seeds : int
        How many puzzles.
    seconds : float
        After these no other is begun.

    Returns
    -------
    dict
        `puzzles`, how many were made; `by_grade`, how many of them have each grade.
    """
    puzzle = PUZZLES.find(name)
    assert puzzle.generation is not None
    arguments = puzzle.generation.arguments(size, size, options)
    counts: Counter[str] = Counter()
    start = time.process_time()
    for seed in range(seeds):
        if time.process_time() - start > seconds:
            break
        try:
            made = puzzle.part("generate").generate(**arguments, seed=seed)
        except NotFoundError:
            counts["none found"] += 1
            continue
        counts[str(puzzle.part("hints").grade(made.instance).word)] += 1
    return {"puzzles": counts.total(), "by_grade": dict(sorted(counts.items()))}


if __name__ == "__main__":
    run_benchmark(run)
