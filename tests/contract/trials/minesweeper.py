"""Minesweeper."""

import random
from collections.abc import Set

from hypothesis import strategies as st

from tests.contract.trial import Example, Place, Trial
from tests.oracle import minesweeper as brute
from tests.oracle.minesweeper import Cell
from twinproof.models import PUZZLES
from twinproof.models.minesweeper.instance import MineField, MinesweeperPuzzle
from twinproof.models.puzzle import Layout

__all__ = ["MINESWEEPER", "layouts", "mine_fields", "puzzles"]


@st.composite
def puzzles(draw: st.DrawFn, max_unknown: int = 9) -> MinesweeperPuzzle:
    """A small board over true mines, whose clues, flags and total may be spoilt."""
    height, width = draw(st.integers(1, 4)), draw(st.integers(1, 5))
    cells = [(r, c) for r in range(height) for c in range(width)]
    marks = {cell: draw(st.sampled_from("......11F?#")) for cell in cells}
    mines = {cell for cell in cells if marks[cell] in ".F" and draw(st.booleans())}
    spoilt = draw(st.sampled_from([0.0, 0.0, 0.3]))
    unknown = 0
    for cell in cells:
        if marks[cell] in ".F":
            unknown += 1
            if unknown > max_unknown:
                marks[cell] = "#"
                mines.discard(cell)
    for cell in cells:
        if marks[cell] == "1":
            number = len(brute.beside(cell) & mines)
            if draw(st.floats(0, 1)) < spoilt:
                number = draw(st.integers(0, 8))
            marks[cell] = str(number)
        if marks[cell] == "F" and cell not in mines and draw(st.floats(0, 1)) >= spoilt:
            marks[cell] = "."
    if all(mark == "#" for mark in marks.values()):
        marks[0, 0] = "."
    board = tuple("".join(marks[r, c] for c in range(width)) for r in range(height))
    trust = draw(st.booleans())
    flags = sum(mark == "F" for mark in marks.values()) if trust else 0
    places_left = sum(mark in ".F" for mark in marks.values())
    total = draw(st.sampled_from(["none", "none", "true", "any"]))
    number = len(mines) if total == "true" and flags <= len(mines) else draw(st.integers(flags, places_left))
    return MinesweeperPuzzle(board, None if total == "none" else number, trust)


@st.composite
def mine_fields(draw: st.DrawFn) -> tuple[MineField, list[Cell]]:
    """A small field of mines, and one or two cells in which play starts."""
    height, width = draw(st.integers(1, 3)), draw(st.integers(1, 4))
    rows = tuple(
        "".join(draw(st.sampled_from("*....#" if r else "*...")) for _ in range(width)) for r in range(height)
    )
    safe = [(r, c) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark == "."]
    if not safe:
        rows, safe = (*rows, "." * width), [(height, 0)]
    return MineField(rows), draw(st.lists(st.sampled_from(safe), min_size=1, max_size=2, unique=True))


@st.composite
def places(draw: st.DrawFn) -> Place:
    """A board under which mines lie, and a part of them."""
    height, width = draw(st.sampled_from([(1, 5), (2, 4), (3, 3), (3, 4)]))
    rng = random.Random(draw(st.integers(0, 10**6)))
    mines = {(r, c) for r in range(height) for c in range(width) if rng.random() < 0.35}
    board = tuple(
        "".join(
            "." if (r, c) in mines or rng.random() < 0.5 else str(len(brute.beside((r, c)) & mines))
            for c in range(width)
        )
        for r in range(height)
    )
    puzzle = MinesweeperPuzzle(board, len(mines) if rng.random() < 0.5 else None)
    told = {cell: cell in mines for cell in puzzle.unknown if rng.random() < 0.2}
    fits = map(brute.mines_of, layouts(puzzle))
    return puzzle, told, [found for found in fits if all((cell in found) is mine for cell, mine in told.items())]


def layouts(puzzle: MinesweeperPuzzle) -> list[Layout]:
    """All layouts that keep the rules."""
    return brute.layouts(puzzle.board, puzzle.mines, puzzle.trust_flags)


def breakings(puzzle: MinesweeperPuzzle) -> list[tuple[Layout, Set[object]]]:
    """All layouts, each with the rules that it breaks."""
    question = puzzle.board, puzzle.mines, puzzle.trust_flags
    return [(layout, brute.broken(*question, layout)) for layout in brute.every_layout(puzzle.board)]


MINESWEEPER = Trial(
    puzzle=PUZZLES["minesweeper"],
    instances=lambda objective: puzzles(),
    small=puzzles(max_unknown=8),
    layouts=layouts,
    cells=lambda puzzle: puzzle.unknown,
    breakings=breakings,
    odd=(
        MinesweeperPuzzle((".",), apart_from=("*",)),
        MinesweeperPuzzle((".",), 1, apart_from=(".",)),
        MinesweeperPuzzle(("?",), apart_from=("?",)),
        MinesweeperPuzzle(("1",), apart_from=("1",)),
        MinesweeperPuzzle(("3F", ".F"), apart_from=("3*", "**")),
    ),
    says_all=("json", "text"),
    told_apart=("json", "mine", "puzzlink"),
    places=places(),
    example=Example("....\n1232\n", ("--mines", "3"), ("--size", "4x4", "--mines", "3", "--start", "1,1")),
)
