"""What a Minesweeper board proves, asked of both models, and how many layouts it has."""

import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from twinproof.compare.catalogue import entry
from twinproof.compare.output.records import record_violations
from twinproof.compare.questions.explain import Conflict, find_conflict
from twinproof.models.grid import Cell
from twinproof.models.minesweeper.count import Count, count
from twinproof.models.minesweeper.deduce import Deduction, deduce, deduce_cpsat
from twinproof.models.minesweeper.drawing import draw_deduction
from twinproof.models.minesweeper.instance import MinesweeperPuzzle

__all__ = ["Deduced", "deduced", "record_deduced"]


@dataclass(frozen=True)
class Deduced:
    """What both models say of a board.

    Parameters
    ----------
    puzzle : MinesweeperPuzzle
    deductions : dict
        By engine; None where no layout fits the board.
    seconds : dict
        By engine.
    count : Count or None
        Where it was asked for.
    conflict : Conflict or None
        The rules that cannot hold together, if no layout fits.
    """

    puzzle: MinesweeperPuzzle
    deductions: dict[str, Deduction | None]
    seconds: dict[str, float]
    count: Count | None
    conflict: Conflict | None

    @property
    def agree(self) -> bool:
        """Whether both engines say the same."""
        return self.deductions["cpsat"] == self.deductions["maxsat"]

    @property
    def deduction(self) -> Deduction | None:
        """What they say."""
        return self.deductions["maxsat"]


def deduced(puzzle: MinesweeperPuzzle, counting: bool = False, time_limit: float | None = None) -> Deduced:
    """Find what a board proves, by both models.

    Parameters
    ----------
    puzzle : MinesweeperPuzzle
    counting : bool
        Whether to count the layouts and give probabilities too.
    time_limit : float, optional
        Seconds after which a conflict that may not be the smallest is good enough.
    """
    deductions: dict[str, Deduction | None] = {}
    seconds: dict[str, float] = {}
    for engine, backbone in (("cpsat", deduce_cpsat), ("maxsat", deduce)):
        start = time.monotonic()
        deductions[engine] = backbone(puzzle)
        seconds[engine] = round(time.monotonic() - start, 3)
    agreed = deductions["cpsat"] == deductions["maxsat"]
    counted = count(puzzle) if counting and agreed and deductions["maxsat"] is not None else None
    conflict = find_conflict("minesweeper", puzzle, time_limit) if deductions["maxsat"] is None else None
    return Deduced(puzzle, deductions, seconds, counted, conflict)


def record_deduced(known: Deduced) -> dict[str, Any]:
    """Put it into one JSON object; cells count from 1, probabilities are fractions."""
    puzzle, found = known.puzzle, known.deduction
    content: dict[str, Any] = {
        "puzzle": "minesweeper",
        "instance": puzzle.name,
        "options": entry("minesweeper").describe(puzzle),
        "engine": "both",
        "agree": known.agree,
        "solvable": found is not None,
    }
    if found is not None:
        content |= {
            "safe": _places(found.safe),
            "mines": _places(found.mines),
            "open": _places(found.open),
            "wrong_flags": _places(found.wrong_flags(puzzle)),
            "picture": draw_deduction(puzzle, found),
        }
    if known.conflict is not None:
        content["conflict"] = record_violations(known.conflict.rules)
        content["smallest"] = known.conflict.smallest
    if known.count is not None:
        content["layouts"] = known.count.layouts
        content["by_mines"] = {str(mines): number for mines, number in known.count.by_mines.items()}
        content["probabilities"] = [
            {"cell": [r + 1, c + 1], "probability": str(probability)}
            for (r, c), probability in known.count.probability.items()
        ]
    return content | {"seconds": known.seconds}


def _places(cells: Iterable[Cell]) -> list[list[int]]:
    return [[r + 1, c + 1] for r, c in sorted(cells)]
