"""The page on new puzzles, `reports/generate.md`: how long they take, and what the grades are worth."""

from collections.abc import Mapping
from statistics import median
from typing import Any

__all__ = ["generate_page"]

Record = Mapping[str, Any]


def generate_page(made: Record, grades: Record) -> list[str]:
    """Write the page, line by line.

    Parameters
    ----------
    made : mapping
        As `python -m twinproof.compare.benchmark.generate` records it.
    grades : mapping
        As `python -m twinproof.compare.benchmark.grades` records it.
    """
    return [
        "## Star Battle in seconds",
        "",
        "Every puzzle has one solution, proved by both engines (their seconds are not counted here).",
        "",
        *_sizes(made),
        "",
        "The article's genetic algorithm, in brief and on this project's solver, in the same run:",
        "",
        *_genetic(made),
        "",
        f"Repeat it: `{made['command']}`",
        "",
        "## Grades",
        "",
        "The hardest rule that a puzzle needs, if always the easiest one that applies is taken, is its grade. "
        "Of the public puzzles with one solution:",
        "",
        *_by_grade(grades),
        "",
        "Where the makers say how hard their puzzles are, the grades against their words (rank correlation):",
        "",
        *_stated(grades),
        "",
        f"Repeat it: `{grades['command']}`, with the folder of public puzzles",
    ]


def _sizes(made: Record) -> list[str]:
    lines = [
        "| board | stars | puzzles | median s | longest s | most attempts |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    by_size: dict[tuple[int, int], list[Record]] = {}
    for row in made["generated"]:
        by_size.setdefault((row["size"], row["stars"]), []).append(row)
    for (size, stars), rows in by_size.items():
        seconds = [row["seconds"] for row in rows]
        attempts = max(row["attempts"] for row in rows)
        lines.append(
            f"| {size}x{size} | {stars} | {len(rows)} | {median(seconds):.2f} | {max(seconds):.2f} | {attempts} |"
        )
    return lines


def _genetic(made: Record) -> list[str]:
    lines = [
        "| board | stars | runs | finished in time | cells left, median |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    by_size: dict[tuple[int, int], list[Record]] = {}
    for row in made["genetic"]:
        by_size.setdefault((row["size"], row["stars"]), []).append(row)
    for (size, stars), rows in by_size.items():
        left = [row["left"] for row in rows]
        lines.append(f"| {size}x{size} | {stars} | {len(rows)} | {left.count(0)} | {median(left):g} |")
    return lines


def _by_grade(grades: Record) -> list[str]:
    words = [*(f"grade {number}" for number in range(1, 6)), "beyond the rules"]
    lines = [
        f"| puzzle | puzzles | {' | '.join(words)} | median s |",
        f"| --- | ---: |{' ---: |' * len(words)} ---: |",
    ]
    for puzzle, row in grades["grades"].items():
        counts = " | ".join(str(row["by_grade"].get(word, 0)) for word in words)
        lines.append(f"| {puzzle} | {row['puzzles']} | {counts} | {row['median_seconds']:.3f} |")
    return lines


def _stated(grades: Record) -> list[str]:
    lines = [
        "| maker | said | puzzles by grade | correlation | of conflicts of a SAT solver |",
        "| --- | --- | --- | ---: | ---: |",
    ]
    for maker, row in grades["stated"].items():
        for said, by_grade in row["grades"].items():
            told = ", ".join(f"{number} {word}" for word, number in by_grade.items())
            lines.append(f"| {maker} | {said} | {told} | {row['correlation']:.2f} | {row['conflicts']:.2f} |")
    return lines
