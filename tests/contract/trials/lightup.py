"""Light Up."""

import random
from collections.abc import Collection, Set
from functools import lru_cache

from hypothesis import strategies as st

from tests.contract.trial import Example, Place, Trial
from tests.oracle.lightup import DIRECTIONS, Cell, lightings
from twinproof.models import PUZZLES
from twinproof.models.lightup.instance import LightUpPuzzle
from twinproof.models.puzzle import Layout

__all__ = ["LIGHTUP", "puzzles"]

known = lru_cache(maxsize=4)(lightings)


def beside(cell: Cell) -> list[Cell]:
    """The four cells that share an edge with a cell, also outside."""
    return [(cell[0] + a, cell[1] + b) for a, b in DIRECTIONS]


@st.composite
def puzzles(draw: st.DrawFn, max_floor: int = 11) -> LightUpPuzzle:
    """A grid of at most so many floor cells; about half of them have a solution, by numbers counted from one."""
    height, width = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    rows = [draw(st.lists(st.sampled_from("....#01234"), min_size=width, max_size=width)) for _ in range(height)]
    left = max_floor
    for row in rows:
        for c, mark in enumerate(row):
            left -= mark == "."
            if mark == "." and left < 0:
                row[c] = "#"
    if draw(st.booleans()):
        bulbs = draw(st.sampled_from(lightings(["".join(row) for row in rows]))).bulbs
        for r, row in enumerate(rows):
            for c, mark in enumerate(row):
                if mark.isdigit():
                    row[c] = str(sum(cell in bulbs for cell in beside((r, c))))
    return LightUpPuzzle(tuple("".join(row) for row in rows))


@st.composite
def places(draw: st.DrawFn) -> Place:
    """A grid whose numbers a lighting meets, and a part of that lighting."""
    height, width = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    rng = random.Random(draw(st.integers(0, 10**6)))
    floor = 12
    rows = []
    for _ in range(height):
        row = ""
        for _ in range(width):
            is_floor = rng.random() < 0.75 and floor > 0
            floor -= is_floor
            row += "." if is_floor else "#"
        rows.append(row)
    bulbs = rng.choice(lightings(rows)).bulbs
    numbered = rng.choice([0.3, 0.7, 1.0])
    drawn = tuple(
        "".join(
            str(sum(cell in bulbs for cell in beside((r, c)))) if mark == "#" and rng.random() < numbered else mark
            for c, mark in enumerate(row)
        )
        for r, row in enumerate(rows)
    )
    part = rng.choice([0.0, 0.2, 0.5])
    cells = [(r, c) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark == "."]
    told = {cell: cell in bulbs for cell in cells if rng.random() < part}
    possible = [
        lighting.bulbs
        for lighting in lightings(drawn)
        if lighting.broken == 0 and all((cell in lighting.bulbs) is bulb for cell, bulb in told.items())
    ]
    return LightUpPuzzle(drawn), told, possible


def layouts(puzzle: LightUpPuzzle) -> list[Layout]:
    """All layouts that keep the rules."""
    return [draw(puzzle, lighting.bulbs) for lighting in known(puzzle.rows) if lighting.broken == 0]


def draw(puzzle: LightUpPuzzle, bulbs: Collection[Cell]) -> Layout:
    """Draw bulbs."""
    return tuple(
        "".join("*" if (r, c) in bulbs else mark for c, mark in enumerate(row))
        for r, row in enumerate(puzzle.rows)
    )


def breakings(puzzle: LightUpPuzzle) -> list[tuple[Layout, Set[object]]]:
    """All lightings, each with the numbers that it misses."""
    return [(draw(puzzle, lighting.bulbs), lighting.missed) for lighting in known(puzzle.rows)]


LIGHTUP = Trial(
    puzzle=PUZZLES["lightup"],
    instances=lambda objective: puzzles(),
    small=puzzles(max_floor=9),
    layouts=layouts,
    cells=lambda puzzle: puzzle.floor,
    breakings=breakings,
    odd=(
        LightUpPuzzle((".",), apart_from=(".",)),
        LightUpPuzzle((".",), apart_from=("*",)),
        LightUpPuzzle(("#",), apart_from=("#",)),
        LightUpPuzzle(("0",), apart_from=("0",)),
        LightUpPuzzle(("4",), apart_from=("4",)),
        LightUpPuzzle((".0",), apart_from=("*0",)),
        LightUpPuzzle(("....",), apart_from=("****",)),
    ),
    says_all=("puzzlink", "tatham", "json", "text", "grid"),
    told_apart=("puzzlink", "tatham", "json", "text", "grid"),
    blanks_are_cells=("grid",),
    places=places(),
    generated=st.tuples(
        st.sampled_from([(2, 2), (1, 6), (2, 5), (3, 4), (4, 4), (5, 3)]),
        st.fixed_dictionaries({"walls": st.integers(20, 60), "minimal": st.booleans()}),
    ),
    example=Example("...\n.2#\n..1\n", (), ("--size", "4x4", "--walls", "30")),
)
