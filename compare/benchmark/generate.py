"""Times the generator of Star Battle puzzles.

    python -m twinproof.compare.benchmark.generate --sizes 12:2,14:3 --seeds 10 --record generate.json

Seconds are processor seconds of this process, so a busy machine changes them little; both engines then prove every
puzzle unique, in seconds of their own.
"""

import time
from pathlib import Path
from statistics import median
from typing import Annotated, Any

import typer

from twinproof.compare.benchmark.command import circumstances, run_benchmark
from twinproof.compare.cli.command import print_result
from twinproof.compare.output.records import check_writable, write_json
from twinproof.compare.questions.unique import uniqueness
from twinproof.models.starbattle.generate import generate
from twinproof.models.starbattle.stars import check_size
from twinproof.optim import EngineError, InputError

SIZES = "5:1,6:1,7:1,8:1,9:1,10:2,12:2,14:3,17:4,21:5,25:6"


def read_sizes(text: str) -> list[tuple[int, int]]:
    """Read sizes written ROWS:STARS, with commas between them.

    Raises
    ------
    InputError
        If one is no such pair, or no board of that size holds that number of stars.
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

    Parameters
    ----------
    size, stars, seed, variety
        See `models.starbattle.generate.generate`.

    Returns
    -------
    dict
        The arguments, `attempts`, `facts` of the generator, `seconds` of generating and `proof seconds`.

    Raises
    ------
    EngineError
        If the puzzle is not unique.
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
    seeds: Annotated[int, typer.Option(min=1, help="Puzzles of each size, from the seeds 0, 1, ...")] = 10,
    variety: Annotated[float, typer.Option(min=0, max=1, help="How varied the sizes of the regions are.")] = 0.5,
    record: Annotated[Path | None, typer.Option(help="Write all figures into FILE.json.")] = None,
) -> None:
    """Time the generator of Star Battle puzzles."""
    chosen = read_sizes(sizes)
    if record is not None:
        check_writable(record, (".json",))
    rows: list[dict[str, Any]] = []
    for size, stars in chosen:
        for seed in range(seeds):
            rows.append(time_generator(size, stars, seed, variety))
            if record is not None:  # after every puzzle, so that a benchmark that is stopped keeps them
                write_json(record, circumstances("generate") | {"generated": rows})
            print_result(_line(rows[-1]))
    print_result("\n".join(_table(rows)))


def _line(row: dict[str, Any]) -> str:
    facts = row["facts"]
    return (
        f"{row['size']}:{row['stars']}, seed {row['seed']}: {row['seconds']:.2f} s, attempts {row['attempts']}, "
        f"repairs {facts['moves']}, solutions met {facts['alternatives']}, proof {row['proof seconds']:.2f} s"
    )


def _table(rows: list[dict[str, Any]]) -> list[str]:
    """Put medians and the longest into lines."""
    head = (
        f"{'size':<9}{'puzzles':>8}{'median s':>10}{'longest s':>11}{'attempts':>10}{'repairs':>9}{'proof s':>9}"
    )
    lines = [head]
    for size, stars in dict.fromkeys((row["size"], row["stars"]) for row in rows):
        same = [row for row in rows if (row["size"], row["stars"]) == (size, stars)]
        seconds = [row["seconds"] for row in same]
        lines.append(
            f"{f'{size}:{stars}':<9}{len(same):>8}{median(seconds):>10.2f}{max(seconds):>11.2f}"
            f"{median(row['attempts'] for row in same):>10g}{median(row['facts']['moves'] for row in same):>9g}"
            f"{median(row['proof seconds'] for row in same):>9.2f}"
        )
    return lines


if __name__ == "__main__":
    run_benchmark(run)
