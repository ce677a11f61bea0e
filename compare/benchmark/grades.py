"""Grades the public Star Battle and Light Up puzzles, and compares the grades with what their makers say.

    python -m twinproof.compare.benchmark.grades --data FOLDER --record grades.json

Of the public puzzles only two collections of Star Battle say how hard they are: the test grids of
ddurler/star_battle in their names (facile, moyen, difficile, expert), and StarBattleLab by the numbers of its
files, whose meaning is in that program's table `PUZZLE_DEFINITIONS` (0 and 1 easy; 2, 3, 5 and 7 medium; 4, 6, 8
and above hard). The correlation is Spearman's, of ranks; a puzzle beyond the rules ranks above grade 5. Beside it
stands that of the conflicts that a SAT solver meets. Every step is compared with the published solution.
"""

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median
from typing import Annotated, Any

import typer
from pysat.solvers import Solver

from twinproof.compare.benchmark.command import circumstances, run_benchmark
from twinproof.compare.benchmark.public import Data, Each, PublicPuzzle, check_data, load_public
from twinproof.compare.cli.command import NEGATIVE, print_result
from twinproof.compare.output.records import check_writable, write_json
from twinproof.compare.report.generated import grade_lines
from twinproof.models.deduction.hints import BEYOND, Grade
from twinproof.models.lightup import hints as lightup
from twinproof.models.lightup import maxsat as lightup_maxsat
from twinproof.models.starbattle import hints as starbattle
from twinproof.models.starbattle import maxsat as starbattle_maxsat

GRADED: dict[str, tuple[Any, Any]] = {
    "starbattle": (starbattle.grade, starbattle_maxsat.build_maxsat),
    "lightup": (lightup.grade, lightup_maxsat.build_maxsat),
}
"""The function that grades a puzzle, and the one that builds its formula."""

WORDS = ("easy", "medium", "hard", "expert")
FRENCH = {"facile": "easy", "moyen": "medium", "difficile": "hard", "expert": "expert"}
BY_FILE = ("easy", "easy", "medium", "medium", "hard", "medium", "hard", "medium", "hard", "hard", "hard", "hard")
"""The difficulty that StarBattleLab's collection states for each file, by its number."""


@dataclass(frozen=True)
class Graded:
    """A public puzzle with its grade.

    Parameters
    ----------
    public : PublicPuzzle
    grade : Grade
    seconds : float
        To grade it.
    conflicts : int
        How many a SAT solver met when it looked for a solution.
    """

    public: PublicPuzzle
    grade: Grade
    seconds: float
    conflicts: int

    @property
    def rank(self) -> int:
        """The grade; 6 for a puzzle beyond the rules."""
        return 6 if self.grade.grade is None else self.grade.grade


def stated(name: str) -> tuple[str, str] | None:
    """Give the collection of a puzzle and the difficulty that it states, from the puzzle's name.

    Returns
    -------
    tuple of str, or None
        None if it states none.
    """
    collection, _, rest = name.partition("-")
    if collection == "ddurler":
        return collection, FRENCH[rest.rstrip("0123456789_")]
    if collection == "sbn":
        return collection, BY_FILE[int(rest.split("-")[0])]
    return None


def spearman(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Give Spearman's rank correlation of two equally long rows of numbers; ties have their mean rank.

    Parameters
    ----------
    first, second : sequence of float

    Returns
    -------
    float or None
        None if all numbers of a row are equal.

    References
    ----------
    C. Spearman, "The proof and measurement of association between two things", 1904; with ties it is Pearson's
    correlation of the ranks.
    """
    ranks = [_ranks(first), _ranks(second)]
    away = [[rank - mean(row) for rank in row] for row in ranks]
    squares = [sum(d * d for d in row) for row in away]
    if not all(squares):
        return None
    together = sum(a * b for a, b in zip(*away, strict=True))
    return float(together / (squares[0] * squares[1]) ** 0.5)


def _ranks(numbers: Sequence[float]) -> list[float]:
    ordered = sorted(numbers)
    return [ordered.index(x) + (ordered.count(x) + 1) / 2 for x in numbers]


def grade_puzzle(public: PublicPuzzle) -> tuple[Graded, list[str]]:
    """Grade a puzzle, and list what is wrong: steps that the published solution contradicts."""
    grade, build = GRADED[public.kind]
    start = time.process_time()
    found: Grade = grade(public.instance)
    seconds = round(time.process_time() - start, 3)
    wrong = []
    if public.solution is not None:
        for step in found.steps:
            if any((public.solution[r][c] == "*") is not holds for (r, c), holds in step.facts.items()):
                wrong.append(f"{public.name}: {step.rule.name}: {step.reason}")
    if public.unique is False and found.grade is not None:
        wrong.append(f"{public.name}: has several solutions, and is graded {found.grade}")
    with Solver(name="minisat22", bootstrap_with=build(public.instance).clauses) as solver:
        solver.solve()
        conflicts = int(solver.accum_stats()["conflicts"])
    return Graded(public, found, seconds, conflicts), wrong


def run(
    data: Data,
    each: Each = None,
    most: Annotated[int | None, typer.Option(min=1, help="Only boards with at most this many cells.")] = None,
    record: Annotated[Path | None, typer.Option(help="Write all figures into FILE.json.")] = None,
) -> None:
    """Grade the public puzzles, and compare the grades with the difficulties that their makers state."""
    if record is not None:
        check_writable(record, (".json",))
    check_data(data, GRADED)
    graded: list[Graded] = []
    wrong: list[str] = []
    for kind in GRADED:
        for public in load_public(data, kind, each):
            if most is not None and public.cells > most:
                continue
            one, errors = grade_puzzle(public)
            graded.append(one)
            wrong += errors
            print_result(f"{kind} {public.name}: {one.grade.word} ({one.seconds:.2f} s)")
    for error in wrong:
        print_result(f"WRONG: {error}")
    found = figures(graded)
    print_result("\n".join(grade_lines(found)))
    if record is not None:
        rows = [_record(one) for one in graded]
        write_json(record, circumstances("grades") | {"wrong": wrong, **found, "puzzles": rows})
    raise typer.Exit(NEGATIVE if wrong else 0)


def _record(one: Graded) -> dict[str, Any]:
    said = stated(one.public.name)
    return {
        "puzzle": one.public.kind,
        "instance": one.public.name,
        "cells": one.public.cells,
        "grade": one.grade.grade,
        "stated": None if said is None else said[1],
        "uses": one.grade.uses,
        "conflicts": one.conflicts,
        "seconds": one.seconds,
    }


def figures(graded: Sequence[Graded]) -> dict[str, Any]:
    """Count the grades, and correlate them with what is stated.

    Parameters
    ----------
    graded : sequence of Graded

    Returns
    -------
    dict
        `grades`: by puzzle, how many have each grade, and seconds; `stated`: by collection, the grades of each
        difficulty and the correlation, over all and within boards of one size.
    """
    content: dict[str, Any] = {"grades": {}, "stated": {}}
    for kind in GRADED:
        some = [one for one in graded if one.public.kind == kind and one.public.unique is not False]
        if some:
            seconds = [one.seconds for one in some]
            content["grades"][kind] = {
                "puzzles": len(some),
                "finished": sum(one.grade.grade is not None for one in some),
                "by_grade": _by_grade(some),
                "median_seconds": round(median(seconds), 3),
                "longest_seconds": max(seconds),
            }
    with_words = [(one, *said) for one in graded if (said := stated(one.public.name)) is not None]
    for collection in dict.fromkeys(collection for _, collection, _ in with_words):
        pairs = [(one, word) for one, there, word in with_words if there == collection]
        content["stated"][collection] = {
            "puzzles": len(pairs),
            "grades": {
                word: _by_grade([one for one, said in pairs if said == word])
                for word in WORDS
                if any(said == word for _, said in pairs)
            },
            "correlation": _correlation(pairs),
            "conflicts": spearman([WORDS.index(word) for _, word in pairs], [one.conflicts for one, _ in pairs]),
            "by_cells": {
                str(cells): {"puzzles": len(of_size), "correlation": _correlation(of_size)}
                for cells in sorted({one.public.cells for one, _ in pairs})
                for of_size in [[(one, word) for one, word in pairs if one.public.cells == cells]]
                if len({word for _, word in of_size}) > 1
            },
        }
    return content


def _correlation(pairs: Sequence[tuple[Graded, str]]) -> float | None:
    return spearman([one.rank for one, _ in pairs], [WORDS.index(word) for _, word in pairs])


def _by_grade(graded: Sequence[Graded]) -> dict[str, int]:
    counts = Counter(one.grade.word for one in graded)
    return {word: counts[word] for word in (*(f"grade {i}" for i in range(1, 6)), BEYOND) if counts[word]}


if __name__ == "__main__":
    run_benchmark(run)
