"""What a hint names is enough: its conclusion follows from the rules it speaks of and what is known.

By brute force. Rules that the sentence does not name are taken away: other rows, columns and regions may hold any
number of stars, other walls and clues may have any number, other cells may stay dark. Suppositions are left out:
they name only where they end.
"""

import re
from collections.abc import Iterator
from itertools import product
from typing import Any

from hypothesis import assume, given, note

from tests.contract.trial import Known, Place
from tests.contract.trials import lightup as lightup_trial
from tests.contract.trials import minesweeper as minesweeper_trial
from tests.contract.trials import starbattle as starbattle_trial
from tests.support.examples import examples
from twinproof.models import PUZZLES
from twinproof.models.deduction.hints import SUPPOSING, HintRules, Step
from twinproof.models.grid import Cell

PLACES = re.compile(r"row (\d+), columns? (\d+(?:, \d+)*(?: and \d+)?)")
UNITS = re.compile(r"\b(row|column|region)s? (\w+(?:, \w+)*(?: and \w+)?)\b")


def cells_named(said: str) -> set[Cell]:
    """The cells that a sentence names."""
    return {
        (int(row) - 1, int(column) - 1)
        for row, columns in PLACES.findall(said)
        for column in re.findall(r"\d+", columns)
    }


def units_named(said: str) -> set[tuple[str, str]]:
    """The rows, columns and regions that a sentence names, as `row` and `3`."""
    rest = PLACES.sub("", said)
    return {(kind, label) for kind, labels in UNITS.findall(rest) for label in re.split(r", | and ", labels)}


def steps_of(name: str, instance: Any, known: Known) -> Iterator[tuple[Step, Known]]:
    """The steps of a way, each with what is known before it; suppositions are left out."""
    hints: HintRules[Any, Any] = PUZZLES[name].part("hints").HINTS
    position = dict(known)
    for step in hints.steps(hints.start(instance, known)).steps:
        if step.rule.grade is None or step.rule.grade < SUPPOSING:
            yield step, dict(position)
        position |= step.facts


def check(step: Step, layouts: Iterator[frozenset[Cell]]) -> None:
    """Every layout that keeps the rules that are named has what is concluded."""
    for layout in layouts:
        assert all((cell in layout) is holds for cell, holds in step.facts.items()), (step, sorted(layout))


def fillings(cells: list[Cell], known: Known) -> Iterator[frozenset[Cell]]:
    free = [cell for cell in cells if cell not in known]
    fixed = {cell for cell in cells if known.get(cell)}
    for chosen in product((False, True), repeat=len(free)):
        yield frozenset(fixed.union(cell for cell, holds in zip(free, chosen, strict=True) if holds))


def apart(cells: list[Cell], known: Known) -> Iterator[frozenset[Cell]]:
    """All ways to put stars on cells, none beside another."""

    def extend(at: int, stars: frozenset[Cell]) -> Iterator[frozenset[Cell]]:
        if at == len(cells):
            yield stars
            return
        cell = cells[at]
        if not known.get(cell, False):
            yield from extend(at + 1, stars)
        if known.get(cell, True) and not any(max(abs(cell[0] - r), abs(cell[1] - c)) < 2 for r, c in stars):
            yield from extend(at + 1, stars | {cell})

    return extend(0, frozenset())


@examples(24)
@given(place=starbattle_trial.places(small=True))
def test_starbattle_hints_name_enough(place: Place) -> None:
    puzzle, known, _ = place
    assume(puzzle.height <= 5)
    note("\n".join(PUZZLES["starbattle"].rows(puzzle)))
    cells = sorted(puzzle.cells)
    unit_cells = {("row", str(r + 1)): {cell for cell in cells if cell[0] == r} for r in range(puzzle.height)}
    unit_cells |= {("column", str(c + 1)): {cell for cell in cells if cell[1] == c} for c in range(puzzle.width)}
    regions = zip(puzzle.region_labels, puzzle.region_cells, strict=True)
    unit_cells |= {("region", label): set(some) for label, some in regions}
    for step, before in steps_of("starbattle", puzzle, known):
        named = [unit_cells[unit] for unit in units_named(step.reason) if unit in unit_cells]
        assert named or step.rule.name == "beside a star", step
        layouts = (
            stars for stars in apart(cells, before) if all(len(stars & some) == puzzle.stars for some in named)
        )
        check(step, layouts)


@examples(60)
@given(place=lightup_trial.places())
def test_lightup_hints_name_enough(place: Place) -> None:
    puzzle, known, _ = place
    note("\n".join(puzzle.rows))
    floor = sorted(puzzle.floor)
    runs = [set(run) for run in (*puzzle.row_runs, *puzzle.column_runs)]
    sees = {cell: set().union(*(run for run in runs if cell in run), {cell}) for cell in floor}
    for step, before in steps_of("lightup", puzzle, known):
        named = cells_named(step.reason)
        walls = [wall for wall in puzzle.clues if wall in named]
        lit = [cell for cell in floor if cell in named]
        layouts = (
            bulbs
            for bulbs in fillings(floor, before)
            if all(len(run & bulbs) <= 1 for run in runs)
            and all(len(bulbs.intersection(puzzle.beside[wall])) == puzzle.clues[wall] for wall in walls)
            and all(bulbs & sees[cell] for cell in lit)
        )
        check(step, layouts)


@examples(100)
@given(place=minesweeper_trial.places())
def test_minesweeper_hints_name_enough(place: Place) -> None:
    puzzle, known, _ = place
    note("\n".join(puzzle.board))
    cells = sorted(puzzle.unknown)
    for step, before in steps_of("minesweeper", puzzle, known):
        named = [cell for cell in puzzle.clues if cell in cells_named(step.reason)]
        total = puzzle.mines if " in all" in step.reason else None
        assert named or total is not None, step
        layouts = (
            mines
            for mines in fillings(cells, before)
            if (total is None or len(mines) == total)
            and all(len(mines.intersection(puzzle.around[cell])) == puzzle.clues[cell] for cell in named)
        )
        check(step, layouts)


def test_what_a_sentence_names() -> None:
    said = "rows 3, 4 and 5 outside regions A and B lack 1 star, without row 4, columns 1 and 2"
    assert units_named(said) == {("row", "3"), ("row", "4"), ("row", "5"), ("region", "A"), ("region", "B")}
    assert cells_named(said) == {(3, 0), (3, 1)}
