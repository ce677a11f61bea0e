"""Grades the public Star Battle and Light Up puzzles, and holds the grades against what their sources say.

    TWINPROOF_DATA=folder python -m twinproof.compare.benchmark.grades --record reports/grades.json

Of the public puzzles only two collections of Star Battle say how hard they are: the test grids of
ddurler/star_battle in their names (facile, moyen, difficile, expert), and StarBattleLab by the numbers of its
files, whose meaning is in that program's table `PUZZLE_DEFINITIONS` (0 and 1 easy; 2, 3, 5 and 7 medium; 4, 6, 8
and above hard). The correlation is Spearman's, of ranks; a puzzle beyond the rules ranks above grade 5. For all
puzzles the grades are also held against the number of cells and the conflicts that a SAT solver meets, which is no
difficulty that anyone stated. Every step is compared with the published solution.
"""

import shlex
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import mean, median
from typing import Annotated, Any

import typer
from pysat.solvers import Solver

from twinproof.compare.benchmark.puzzles import DATA, KINDS, Case, load_cases
from twinproof.compare.benchmark.sweep import main
from twinproof.compare.campaign.machine import machine, versions
from twinproof.compare.cli.command import NEGATIVE, print_result
from twinproof.compare.output.records import check_writable, write_json
from twinproof.models.deduction.hints import BEYOND, Grade, HintRules
from twinproof.models.lightup import hints as lightup
from twinproof.models.lightup import maxsat as lightup_maxsat
from twinproof.models.starbattle import hints as starbattle
from twinproof.models.starbattle import maxsat as starbattle_maxsat
from twinproof.optim import InputError

__all__ = ["Graded", "run", "spearman", "stated"]

GRADED: dict[str, tuple[Any, Any]] = {
    "starbattle": (starbattle.grade, starbattle_maxsat.build_maxsat),
    "lightup": (lightup.grade, lightup_maxsat.build_maxsat),
}
"""The function that grades a puzzle, and the one that builds its formula."""

WORDS = ("easy", "medium", "hard", "expert")
FRENCH = {"facile": "easy", "moyen": "medium", "difficile": "hard", "expert": "expert"}
BY_FILE = ("easy", "easy", "medium", "medium", "hard", "medium", "hard", "medium", "hard", "hard", "hard", "hard")
"""What the file of a number says in StarBattleLab's collection."""


@dataclass(frozen=True)
class Graded:
    """A public puzzle with its grade.

    Parameters
    ----------
    case : Case
    grade : Grade
    seconds : float
        To grade it.
    conflicts : int
        That a SAT solver met when it looked for a solution.
    """

    case: Case
    grade: Grade
    seconds: float
    conflicts: int

    @property
    def rank(self) -> int:
        """The grade; 6 for a puzzle beyond the rules."""
        return 6 if self.grade.grade is None else self.grade.grade

    @property
    def cells(self) -> int:
        """How many cells the board has."""
        return int(self.case.puzzle.height * self.case.puzzle.width)  # type: ignore[union-attr]


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


def grade_case(case: Case) -> tuple[Graded, list[str]]:
    """Grade a puzzle, and list what is wrong: steps that the published solution contradicts."""
    grade, build = GRADED[case.name]
    start = time.process_time()
    found: Grade = grade(case.puzzle)
    seconds = round(time.process_time() - start, 3)
    wrong = []
    if case.solution is not None and case.unique:
        for step in found.steps:
            if any((case.solution[r][c] == "*") is not holds for (r, c), holds in step.facts.items()):
                wrong.append(f"{case.puzzle.name}: {step.rule.name}: {step.reason}")
    if case.unique is False and found.grade is not None:
        wrong.append(f"{case.puzzle.name}: has several solutions, and is graded {found.grade}")
    with Solver(name="minisat22", bootstrap_with=build(case.puzzle).clauses) as solver:
        solver.solve()
        conflicts = int(solver.accum_stats()["conflicts"])
    return Graded(case, found, seconds, conflicts), wrong


def run(
    each: Annotated[
        int | None, typer.Option(min=1, help="So many of each, evenly spread; all by default.")
    ] = None,
    most: Annotated[int | None, typer.Option(min=1, help="Only boards of at most so many cells.")] = None,
    record: Annotated[Path | None, typer.Option(help="Write all figures into FILE.json.")] = None,
) -> None:
    """Grade the public puzzles, and hold the grades against the difficulties that their sources state."""
    if record is not None:
        check_writable(record, (".json",))
    for name in GRADED:
        if not (DATA / KINDS[name][0]).is_file():
            raise InputError(
                f"{DATA / KINDS[name][0]} is not there: set TWINPROOF_DATA to the folder of public cases"
            )
    graded: list[Graded] = []
    wrong: list[str] = []
    for name in GRADED:
        for case in load_cases(name, each):
            if most is not None and case.puzzle.height * case.puzzle.width > most:  # type: ignore[union-attr]
                continue
            one, errors = grade_case(case)
            graded.append(one)
            wrong += errors
            print_result(f"{name} {case.puzzle.name}: {one.grade.word} ({one.seconds:.2f} s)")
    for error in wrong:
        print_result(f"WRONG: {error}")
    found = figures(graded)
    print_result("\n".join(_lines(found)))
    if record is not None:
        command = shlex.join(["python", "-m", "twinproof.compare.benchmark.grades", *sys.argv[1:]])
        facts = {"machine": machine(), "versions": versions(), "rules": rules(), "wrong": wrong}
        write_json(record, {"command": command, **facts, **found, "puzzles": [_record(one) for one in graded]})
    raise typer.Exit(NEGATIVE if wrong else 0)


def rules() -> dict[str, list[dict[str, Any]]]:
    """List the rules of every puzzle that is graded: name, grade, title and sentence."""
    known: dict[str, HintRules[Any, Any]] = {"starbattle": starbattle.HINTS, "lightup": lightup.HINTS}
    return {name: [asdict(rule.human) for rule in some.rules] for name, some in known.items()}


def _record(one: Graded) -> dict[str, Any]:
    said = stated(one.case.puzzle.name)
    return {
        "puzzle": one.case.name,
        "instance": one.case.puzzle.name,
        "cells": one.cells,
        "grade": one.grade.grade,
        "stated": None if said is None else said[1],
        "uses": one.grade.uses,
        "conflicts": one.conflicts,
        "seconds": one.seconds,
    }


def figures(graded: Sequence[Graded]) -> dict[str, Any]:
    """Count the grades, and correlate them with what is stated and what is not.

    Returns
    -------
    dict
        `grades`: by puzzle, how many have each grade, and seconds; `stated`: by collection, the grades of each
        difficulty and the correlation, over all and within boards of one size; `unstated`: by puzzle, the
        correlations with cells and conflicts.
    """
    content: dict[str, Any] = {"grades": {}, "stated": {}, "unstated": {}}
    for name in GRADED:
        some = [one for one in graded if one.case.name == name and one.case.unique is not False]
        if not some:
            continue
        seconds = [one.seconds for one in some]
        content["grades"][name] = {
            "puzzles": len(some),
            "finished": sum(one.grade.grade is not None for one in some),
            "by_grade": _by_grade(some),
            "median_seconds": round(median(seconds), 3),
            "longest_seconds": max(seconds),
        }
        ranks = [one.rank for one in some]
        content["unstated"][name] = {
            "puzzles": len(some),
            "cells": spearman(ranks, [one.cells for one in some]),
            "conflicts": spearman(ranks, [one.conflicts for one in some]),
        }
    with_words = [(one, *said) for one in graded if (said := stated(one.case.puzzle.name)) is not None]
    for collection in dict.fromkeys(collection for _, collection, _ in with_words):
        pairs = [(one, word) for one, there, word in with_words if there == collection]
        sizes = sorted({one.cells for one, _ in pairs})
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
                str(size): {"puzzles": len(of_size), "correlation": _correlation(of_size)}
                for size in sizes
                for of_size in [[(one, word) for one, word in pairs if one.cells == size]]
                if len({word for _, word in of_size}) > 1
            },
        }
    return content


def _correlation(pairs: Sequence[tuple[Graded, str]]) -> float | None:
    return spearman([one.rank for one, _ in pairs], [WORDS.index(word) for _, word in pairs])


def _by_grade(graded: Sequence[Graded]) -> dict[str, int]:
    counts = Counter(one.grade.word for one in graded)
    return {word: counts[word] for word in (*(f"grade {i}" for i in range(1, 6)), BEYOND) if counts[word]}


def _lines(found: dict[str, Any]) -> list[str]:
    """Put the figures into lines."""
    heads = [*(f"grade {i}" for i in range(1, 6)), BEYOND]
    lines = [f"{'puzzles':<24}{'all':>5}" + "".join(f"{head:>{len(head) + 2}}" for head in heads)]
    rows = [(name, some["by_grade"]) for name, some in found["grades"].items()]
    rows += [
        (f"{collection}, {word}", counts)
        for collection, some in found["stated"].items()
        for word, counts in some["grades"].items()
    ]
    for title, counts in rows:
        cells = "".join(f"{counts.get(head, 0):>{len(head) + 2}}" for head in heads)
        lines.append(f"{title:<24}{sum(counts.values()):>5}{cells}")
    for name, some in found["grades"].items():
        lines.append(
            f"{name}: {some['finished']} of {some['puzzles']} finished by the rules; "
            f"median {some['median_seconds']:.3f} s, longest {some['longest_seconds']:.2f} s"
        )
    for collection, some in found["stated"].items():
        lines.append(
            f"{collection}: grade with stated difficulty, {some['puzzles']}: {_shown(some['correlation'])}"
        )
        lines += [
            f"  boards of {size} cells, {of_size['puzzles']}: {_shown(of_size['correlation'])}"
            for size, of_size in some["by_cells"].items()
        ]
        lines.append(f"  for comparison, SAT conflicts with stated difficulty: {_shown(some['conflicts'])}")
    for name, some in found["unstated"].items():
        lines.append(
            f"{name}: grade with cells, {some['puzzles']}: {_shown(some['cells'])}; "
            f"with SAT conflicts: {_shown(some['conflicts'])} (no stated difficulty)"
        )
    return lines


def _shown(correlation: float | None) -> str:
    return "-" if correlation is None else f"{correlation:.2f}"


if __name__ == "__main__":
    main(run)
