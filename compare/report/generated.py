"""The page on new puzzles, `reports/generate.md`: how long they take, and what the grades are worth."""

from math import ceil
from statistics import median

from twinproof.compare.report.page import Record, begin, table

MODULES = "python -m twinproof.compare.benchmark"
GRADES = (*(f"grade {number}" for number in range(1, 6)), "beyond the rules")


def generate_page(made: Record, genetic: Record, grades: Record) -> list[str]:
    """Write the page, line by line.

    Parameters
    ----------
    made : mapping
        As `python -m twinproof.compare.benchmark.generate` records it.
    genetic : mapping
        What the article's genetic algorithm gave; `genetic` holds its runs.
    grades : mapping
        As `python -m twinproof.compare.benchmark.grades` records it.
    """
    longest = max(row["seconds"] for row in made["generated"])
    largest = max(row["size"] for row in made["generated"])
    correlations = " and ".join(_shown(row["correlation"]) for row in grades["stated"].values())
    return [
        *begin(
            "New puzzles",
            f"None of {len(made['generated'])} Star Battle puzzles of up to {largest}x{largest} cells, each with "
            f"one solution, took more than {ceil(longest)} seconds to make; grades by human rules agree in part "
            f"with what makers say of their puzzles, with rank correlations of {correlations}.",
        ),
        "## Star Battle in seconds",
        "",
        "Every puzzle has one solution, proved by both engines (their seconds are not counted here).",
        "",
        *_sizes(made),
        "",
        f"Repeat it: `{MODULES}.generate`",
        "",
        "The article's genetic algorithm, which crosses and mutates 40 unfinished puzzles and keeps those that "
        "have one solution and the fewest cells without a region, was run beside the generator on the same "
        "solver, 20 seconds for each board, and is no longer part of the code:",
        "",
        *_genetic(genetic),
        "",
        "## Grades",
        "",
        *grade_lines(grades),
        "",
        f"Repeat it: `{MODULES}.grades`, with the folder of public puzzles",
    ]


def _sizes(made: Record) -> list[str]:
    rows = []
    for (size, stars), some in _by_size(made["generated"]).items():
        seconds = [row["seconds"] for row in some]
        attempts = max(row["attempts"] for row in some)
        rows.append(
            (f"{size}x{size}", stars, len(some), f"{median(seconds):.2f}", f"{max(seconds):.2f}", attempts)
        )
    return table(("board", "stars", "puzzles", "median s", "longest s", "most attempts"), rows)


def _genetic(genetic: Record) -> list[str]:
    rows = []
    for (size, stars), some in _by_size(genetic["genetic"]).items():
        left = [row["left"] for row in some]
        finished = sum(row["left"] == 0 and row["regions in one piece"] for row in some)
        rows.append((f"{size}x{size}", stars, len(some), finished, f"{median(left):g}"))
    return table(("board", "stars", "runs", "finished in time", "cells left, median"), rows)


def _by_size(rows: list[Record]) -> dict[tuple[int, int], list[Record]]:
    sizes: dict[tuple[int, int], list[Record]] = {}
    for row in rows:
        sizes.setdefault((row["size"], row["stars"]), []).append(row)
    return sizes


def grade_lines(grades: Record) -> list[str]:
    """Tell how many puzzles have which grade, and how the grades compare with what the makers say.

    Parameters
    ----------
    grades : mapping
        As `python -m twinproof.compare.benchmark.grades` records it.
    """
    counts = [
        (puzzle, row["puzzles"], *_numbers(row["by_grade"]), f"{row['median_seconds']:.3f}")
        for puzzle, row in grades["grades"].items()
    ]
    said = [
        (maker, word, *_numbers(by_grade))
        for maker, row in grades["stated"].items()
        for word, by_grade in row["grades"].items()
    ]
    correlations = [
        (maker, row["puzzles"], _shown(row["correlation"]), _within_sizes(row), _shown(row["conflicts"]))
        for maker, row in grades["stated"].items()
    ]
    return [
        "The hardest rule that a puzzle needs, if always the easiest one that applies is taken, is its grade. "
        "Of the public puzzles with one solution:",
        "",
        *table(("puzzle", "puzzles", *GRADES, "median s"), counts),
        "",
        "Where the makers say how hard their puzzles are:",
        "",
        *table(("maker", "said", *GRADES), said, words=2),
        "",
        "Rank correlations with what the makers say: of the grade, over all boards and on boards of one size, "
        "and, for comparison, of the conflicts that a SAT solver meets. Where they are lower on boards of one "
        "size, the size of the board accounts for part of what all boards show.",
        "",
        *table(("maker", "puzzles", "grade", "grade, boards of one size", "SAT conflicts"), correlations),
    ]


def _numbers(by_grade: Record) -> list[int]:
    return [by_grade.get(word, 0) for word in GRADES]


def _within_sizes(row: Record) -> str:
    correlations = {cells: _shown(of_size["correlation"]) for cells, of_size in row["by_cells"].items()}
    return ", ".join(f"{shown} ({cells} cells)" for cells, shown in correlations.items()) or "-"


def _shown(correlation: float | None) -> str:
    return "-" if correlation is None else f"{correlation:.2f}"
