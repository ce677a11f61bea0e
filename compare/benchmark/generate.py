"""Times the generator of Star Battle puzzles, beside the genetic algorithm of the Alberi article.

    python -m twinproof.compare.benchmark.generate --sizes 12:2,14:3 --seeds 10 --record benchmark.json

Seconds are processor seconds of this process, so a busy machine changes them little; both engines then prove every
puzzle unique, in seconds of their own. The genetic algorithm starts from what the generator starts from, groups of
stars joined by thin paths, and asks the same solver whether a puzzle is unique; it has a time limit, and what is
reported is how many cells it has left without a region by then.
"""

import shlex
import sys
import time
from pathlib import Path
from random import Random
from statistics import median
from typing import Annotated, Any

import typer

from twinproof.compare.benchmark.genetic import Evolved, evolve
from twinproof.compare.benchmark.sweep import main
from twinproof.compare.campaign.machine import machine, versions
from twinproof.compare.cli.command import print_result
from twinproof.compare.output.records import check_writable, write_json
from twinproof.compare.questions.unique import uniqueness
from twinproof.models.starbattle.generate import generate
from twinproof.models.starbattle.stars import check_size
from twinproof.optim import EngineError, InputError

__all__ = ["read_sizes", "time_generator"]

SIZES = "5:1,6:1,7:1,8:1,9:1,10:2,12:2,14:3,17:4,21:5,25:6"


def read_sizes(text: str) -> list[tuple[int, int]]:
    """Read sizes written N:K, with commas between them.

    Raises
    ------
    InputError
        If one is no such pair, or has no layout of stars.
    """
    sizes = []
    for pair in filter(None, text.split(",")):
        size, colon, stars = pair.strip().partition(":")
        if not (colon and all(part.isascii() and part.isdigit() and len(part) < 4 for part in (size, stars))):
            raise InputError(f"size {pair.strip()!r}: must be rows:stars, such as 12:2")
        check_size(int(size), int(stars))
        sizes.append((int(size), int(stars)))
    return sizes


def time_generator(size: int, stars: int, seed: int, variety: float) -> dict[str, Any]:
    """Generate a puzzle and let both engines prove it unique.

    Raises
    ------
    EngineError
        If it is not.
    """
    start = time.process_time()
    made = generate(size, stars, seed, variety)
    seconds = time.process_time() - start
    start = time.process_time()
    if not uniqueness("starbattle", made.instance, isolated=False).unique:
        raise EngineError(f"{size}:{stars}, seed {seed}: the engines do not prove it unique")
    proof = time.process_time() - start
    row = {"size": size, "stars": stars, "seed": seed, "attempts": made.attempts, "facts": dict(made.facts)}
    return row | {"seconds": round(seconds, 3), "proof seconds": round(proof, 3)}


def run(
    sizes: Annotated[str, typer.Option(help="ROWS:STARS, with commas between them.")] = SIZES,
    seeds: Annotated[int, typer.Option(min=1, help="Puzzles of each size: the seeds 0, 1, ...")] = 10,
    variety: Annotated[float, typer.Option(min=0, max=1, help="How varied the sizes of the regions are.")] = 0.5,
    genetic: Annotated[str, typer.Option(help="Sizes for the genetic algorithm, written like --sizes.")] = "",
    genetic_seconds: Annotated[float, typer.Option(min=0, help="Its time limit for each, in seconds.")] = 60,
    record: Annotated[Path | None, typer.Option(help="Write all figures into FILE.json.")] = None,
) -> None:
    """Time the generator of Star Battle puzzles and the article's genetic algorithm."""
    chosen, evolving = read_sizes(sizes), read_sizes(genetic)
    if record is not None:
        check_writable(record, (".json",))
    rows: list[dict[str, Any]] = []
    evolved: list[dict[str, Any]] = []

    def keep() -> None:  # after every row, so that a stopped benchmark keeps its finished ones
        if record is not None:
            command = shlex.join(["python", "-m", "twinproof.compare.benchmark.generate", *sys.argv[1:]])
            content = {"command": command, "generated": rows, "genetic": evolved}
            write_json(record, content | {"machine": machine(), "versions": versions()})

    for size, stars in chosen:
        for seed in range(seeds):
            rows.append(time_generator(size, stars, seed, variety))
            keep()
            print_result(_line(rows[-1]))
    for size, stars in evolving:
        for seed in range(seeds):
            row = _evolved_row(size, stars, seed, evolve(size, stars, Random(seed), genetic_seconds))
            evolved.append(row)
            keep()
            print_result(
                f"{size}:{stars} genetic, seed {seed}: {row['left']} of {row['begun with']} cells left after "
                f"{row['seconds']} s, {row['tested']} puzzles tested"
            )
    print_result("\n".join(_table(rows, evolved)))


def _evolved_row(size: int, stars: int, seed: int, result: Evolved) -> dict[str, Any]:
    row = {"size": size, "stars": stars, "seed": seed, "left": result.left, "regions in one piece": result.whole}
    work = {"seconds": round(result.seconds, 3), "tested": result.tested, "cycles": result.cycles}
    return row | {"begun with": result.begun_with} | work


def _line(row: dict[str, Any]) -> str:
    facts = row["facts"]
    return (
        f"{row['size']}:{row['stars']}, seed {row['seed']}: {row['seconds']:.2f} s, attempts {row['attempts']}, "
        f"repairs {facts['moves']}, solutions met {facts['alternatives']}, proof {row['proof seconds']:.2f} s"
    )


def _table(rows: list[dict[str, Any]], evolved: list[dict[str, Any]]) -> list[str]:
    """Put medians and the longest into lines."""
    head = f"{'size':<9}{'way':<11}{'puzzles':>8}{'median s':>10}{'longest s':>11}{'attempts':>10}{'repairs':>9}"
    lines = [head + f"{'proof s':>9}"]
    for key in dict.fromkeys((row["size"], row["stars"]) for row in rows):
        same = [row for row in rows if (row["size"], row["stars"]) == key]
        seconds = [row["seconds"] for row in same]
        lines.append(
            f"{f'{key[0]}:{key[1]}':<9}{'repair':<11}{len(same):>8}{median(seconds):>10.2f}{max(seconds):>11.2f}"
            f"{median(row['attempts'] for row in same):>10g}{median(row['facts']['moves'] for row in same):>9g}"
            f"{median(row['proof seconds'] for row in same):>9.2f}"
        )
    for key in dict.fromkeys((row["size"], row["stars"]) for row in evolved):
        same = [row for row in evolved if (row["size"], row["stars"]) == key]
        seconds = [row["seconds"] for row in same]
        finished = sum(row["left"] == 0 and row["regions in one piece"] for row in same)
        lines.append(
            f"{f'{key[0]}:{key[1]}':<9}{'genetic':<11}{len(same):>8}{median(seconds):>10.2f}{max(seconds):>11.2f}"
            f"  {finished} finished; cells left, median: {median(row['left'] for row in same):g}"
        )
    return lines


if __name__ == "__main__":
    main(run)
