"""Tents and Trees, the puzzle of another distribution; see tests/plugin."""

from collections.abc import Set
from functools import lru_cache

import tents
from hypothesis import strategies as st
from tents.instance import TentsPuzzle

from tests.contract.trial import Example, Trial
from tests.oracle.tents import Camp, camps
from twinproof.models.puzzle import Layout

__all__ = ["TENTS", "known", "puzzles"]

listed = lru_cache(maxsize=4)(camps)


@st.composite
def puzzles(draw: st.DrawFn, most_open: int = 10) -> TentsPuzzle:
    """A small grid; of those that have a camp, half are given one's numbers."""
    height, width = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    grid = [draw(st.lists(st.sampled_from("...T"), min_size=width, max_size=width)) for _ in range(height)]
    left = most_open
    for row in grid:
        for c, mark in enumerate(row):
            left -= mark == "."
            row[c] = mark if left >= 0 else "T"
    rows = tuple(map("".join, grid))
    numbers = [draw(st.none() | st.integers(0, length)) for length in [width] * height + [height] * width]
    every = [camp for camp in camps(rows, [None] * height, [None] * width) if camp.broken == 0]
    if len(every) > 0 and draw(st.booleans()):
        chosen = draw(st.sampled_from(every)).tents
        counts = [sum(r == i for r, _ in chosen) for i in range(height)]
        counts += [sum(c == i for _, c in chosen) for i in range(width)]
        numbers = [count if number is not None else None for count, number in zip(counts, numbers, strict=True)]
    return TentsPuzzle(rows, tuple(numbers[:height]), tuple(numbers[height:]))


def known(puzzle: TentsPuzzle) -> list[Camp]:
    """All sets of tents that keep every rule, except perhaps that of the numbers and that trees have tents."""
    return listed(puzzle.grid, puzzle.row_numbers, puzzle.column_numbers)


def draw(puzzle: TentsPuzzle, camp: Camp) -> Layout:
    """Draw tents."""
    return tuple(
        "".join("*" if (r, c) in camp.tents else mark for c, mark in enumerate(row))
        for r, row in enumerate(puzzle.grid)
    )


def layouts(puzzle: TentsPuzzle) -> list[Layout]:
    """All layouts that keep the rules."""
    return [draw(puzzle, camp) for camp in known(puzzle) if camp.broken == 0]


def breakings(puzzle: TentsPuzzle) -> list[tuple[Layout, Set[object]]]:
    """All camps, each with the rules that it breaks."""
    return [(draw(puzzle, camp), camp.rules) for camp in known(puzzle)]


TENTS = Trial(
    puzzle=tents.PUZZLE,
    instances=lambda objective: puzzles(),
    small=puzzles(most_open=9),
    layouts=layouts,
    cells=lambda puzzle: puzzle.open_cells,
    breakings=breakings,
    odd=(
        TentsPuzzle((".",), (None,), (None,), apart_from=("*",)),
        TentsPuzzle((".",), (1,), (None,), apart_from=(".",)),
        TentsPuzzle(("T",), (0,), (0,), apart_from=("T",)),
        TentsPuzzle(("T",), (None,), (1,), apart_from=("T",)),
        TentsPuzzle(("T.T.T",), (2,), (None,) * 5, apart_from=("T*T.T",)),
    ),
    says_all=("text",),
    told_apart=("text",),
    example=Example(".... 1\nT.T. 0\n...T 1\n.... 1\n1 0 1 1\n"),
)
