"""Star Battle."""

import random
from collections.abc import Collection, Set
from dataclasses import replace
from functools import cache, lru_cache

from hypothesis import strategies as st

from tests.contract.trial import Example, Known, Place, Trial
from tests.oracle import starbattle as brute
from twinproof.models import PUZZLES
from twinproof.models.grid import Cell
from twinproof.models.puzzle import Layout
from twinproof.models.starbattle.instance import StarBattlePuzzle, number_regions

__all__ = ["STARBATTLE", "board_of", "from_board", "places"]

LABELS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

solutions = lru_cache(maxsize=4)(brute.solutions)


def from_board(rows: Collection[str], stars: int = 1) -> StarBattlePuzzle:
    """A board drawn with a letter for every region, `.` for none and `#` for a hole."""
    marks = [[None if mark in ".#" else mark for mark in row] for row in rows]
    holes = frozenset((r, c) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark == "#")
    return StarBattlePuzzle(stars, number_regions(marks)[0], holes)


def board_of(puzzle: StarBattlePuzzle) -> tuple[str, ...]:
    """Draw a board of up to 26 regions so."""
    return tuple(
        "".join(
            "#" if (r, c) in puzzle.holes else "." if region is None else LABELS[region]
            for c, region in enumerate(row)
        )
        for r, row in enumerate(puzzle.regions)
    )


@st.composite
def small_boards(draw: st.DrawFn) -> StarBattlePuzzle:
    """Boards with at most 13 free cells, mostly without a solution."""
    size, stars = draw(st.sampled_from([(1, 1), (3, 1), (4, 1), (5, 1), (7, 2)]))
    cells = [(r, c) for r in range(size) for c in range(size)]
    free = draw(st.lists(st.sampled_from(cells), min_size=size, max_size=13, unique=True))
    # Every region has a cell, or there are no regions.
    marks = dict.fromkeys(free, ".")
    if draw(st.booleans()):
        names = list(LABELS[:size])
        others = st.lists(st.sampled_from([*names, "."]), min_size=len(free) - size, max_size=len(free) - size)
        marks = dict(zip(free, [*names, *draw(others)], strict=True))
    return from_board(["".join(marks.get((r, c), "#") for c in range(size)) for r in range(size)], stars)


@st.composite
def planted_boards(draw: st.DrawFn) -> StarBattlePuzzle:
    """Boards with one or two solutions planted, free cells beside them, and scattered regions or none."""
    size, stars = draw(st.sampled_from([(5, 1), (7, 1), (9, 2), (10, 2), (13, 3), (16, 3), (17, 4)]))
    pattern = brute.cyclic_solution(size, stars)
    known = [[(r, (c + shift) % size) for r, c in pattern] for shift in range(size)]
    known += [[(size - 1 - r, c) for r, c in solution] for solution in known]
    first = known[draw(st.integers(0, len(known) - 1))]
    planted = [first]
    others = [solution for solution in known if not set(first) & set(solution)]
    if others and size <= 10:
        planted.append(others[draw(st.integers(0, len(others) - 1))])
    marks: dict[Cell, str] = {}
    for solution in planted:
        order = draw(st.permutations(range(len(solution))))
        marks |= {solution[i]: LABELS[place // stars] for place, i in enumerate(order)}
    cells = [(r, c) for r in range(size) for c in range(size)]
    for cell in draw(st.lists(st.sampled_from(cells), max_size=size)):
        marks.setdefault(cell, draw(st.sampled_from([*LABELS[:size], "."])))
    if draw(st.booleans()):
        marks = dict.fromkeys(marks, ".")
    return from_board(["".join(marks.get((r, c), "#") for c in range(size)) for r in range(size)], stars)


@st.composite
def any_boards(draw: st.DrawFn) -> StarBattlePuzzle:
    """Any puzzle: regions in pieces, cells without one, holes; up to 70 regions."""
    size = draw(st.sampled_from([1, 3, 4, 5, 7, 9, 63, 70]))
    stars = draw(st.integers(1, ((size + 1) // 2) ** 2 // size))
    source = draw(st.randoms(use_true_random=False))
    marks = [
        [source.choice(["#", ".", *map(str, range(size)), *map(str, range(size))]) for _ in range(size)]
        for _ in range(size)
    ]
    for region in range(size):
        marks[region][source.randrange(size)] = str(region)
    if draw(st.booleans()):
        marks = [["#" if mark == "#" else "." for mark in row] for row in marks]
    holes = frozenset((r, c) for r, row in enumerate(marks) for c, mark in enumerate(row) if mark == "#")
    regions, _ = number_regions([[None if mark in ("#", ".") else mark for mark in row] for row in marks])
    return StarBattlePuzzle(stars, regions, holes)


# All solutions of a board are those of the same board without regions in which every region has its stars.


@cache
def without_regions(size: int, stars: int) -> list[frozenset[Cell]]:
    """All layouts on a board without regions; with two stars a row, those with two given stars in the first."""
    first = "." * size if stars == 1 else "".join("." if c in (1, 4) else "#" for c in range(size))
    return brute.solutions([first, *["." * size] * (size - 1)], stars)


@st.composite
def places(draw: st.DrawFn, small: bool = False) -> Place:
    """A board with a solution, and a part of that solution."""
    size, stars = draw(st.sampled_from([(4, 1), (5, 1), (6, 1), (6, 1), *([] if small else [(9, 2), (9, 2)])]))
    known_layouts = without_regions(size, stars)
    solution = draw(st.sampled_from(known_layouts))
    rng = random.Random(draw(st.integers(0, 10**6)))
    seeds = sorted(solution)
    rng.shuffle(seeds)
    region_of = {cell: LABELS[i // stars] for i, cell in enumerate(seeds)}
    ragged, left_out = rng.choice([0.0, 1.5, 20.0]), rng.choice([0.0, 0.0, 0.15])

    def mark(cell: Cell) -> str:
        if cell in region_of:
            return region_of[cell]
        if rng.random() < left_out:
            return rng.choice(".#")
        far = {star: abs(star[0] - cell[0]) + abs(star[1] - cell[1]) + ragged * rng.random() for star in seeds}
        return region_of[min(seeds, key=far.__getitem__)]

    rows = ["".join(mark((r, c)) for c in range(size)) for r in range(size)]
    if rng.random() < 0.1:
        rows = ["." * size] * size
    part = rng.choice([0.0, 0.2, 0.5, 0.8])
    told: Known = {(r, c): (r, c) in solution for r in range(size) for c in range(size) if rng.random() < part}
    if stars == 2:  # only these layouts are at hand
        told |= {(0, c): (0, c) in solution for c in range(size)}
    cells = {label: {(r, c) for r in range(size) for c in range(size) if rows[r][c] == label} for label in LABELS}
    holes = {(r, c) for r in range(size) for c in range(size) if rows[r][c] == "#"}
    possible = [
        layout
        for layout in known_layouts
        if not layout & holes
        and all(len(layout & some) == stars for some in cells.values() if some)
        and all((cell in layout) is star for cell, star in told.items())
    ]
    return from_board(rows, stars), told, possible


def layouts(puzzle: StarBattlePuzzle) -> list[Layout]:
    """All layouts that keep the rules."""
    board = board_of(puzzle)
    return [
        tuple(
            "".join("*" if (r, c) in stars else mark for c, mark in enumerate(row)) for r, row in enumerate(blank)
        )
        for stars in solutions(board, puzzle.stars)
        for blank in [["".join("#" if mark == "#" else "." for mark in row) for row in board]]
    ]


@lru_cache(maxsize=4)
def breakings(puzzle: StarBattlePuzzle) -> list[tuple[Layout, Set[object]]]:
    """All sets of free cells, each with the numbers of the rules that it breaks."""
    board = board_of(puzzle)
    cells, size = brute.free_cells(board), len(board)
    blank = ["#" if mark == "#" else "." for row in board for mark in row]
    found: list[tuple[Layout, Set[object]]] = []
    for chosen, broken in enumerate(brute.broken_by_set(board, puzzle.stars).T):
        drawn = list(blank)
        for i, (r, c) in enumerate(cells):
            if chosen >> i & 1:
                drawn[r * size + c] = "*"
        rows = tuple("".join(drawn[r * size : (r + 1) * size]) for r in range(size))
        found.append((rows, frozenset(broken.nonzero()[0].tolist())))
    return found


STARBATTLE = Trial(
    puzzle=PUZZLES["starbattle"],
    instances=lambda objective: small_boards() if objective.may_break else planted_boards() | small_boards(),
    small=small_boards(),
    layouts=layouts,
    cells=lambda puzzle: brute.free_cells(board_of(puzzle)),
    breakings=breakings,
    odd=tuple(
        replace(from_board(board), apart_from=apart_from)
        for board, apart_from in (
            (["."], ("*",)),
            (["A"], ("*",)),
            # The only two layouts of four queens; one of them, and none, keeps the regions.
            (["AAAA", "BBBB", "CCCC", "DDDD"], (".*..", "...*", "*...", "..*.")),
            (["AABB", "CABB", "CCDD", "CCDD"], (".*..", "...*", "*...", "..*.")),
            # Regions A and B are one cell each, and these touch.
            (["ABCC", "CCCC", "CDDD", "DDDD"], (".*..", "...*", "*...", "..*.")),
        )
    ),
    any_instances=any_boards(),
    says_all=("text", "json"),
    told_apart=("text", "json"),
    blanks_are_cells=("alberi",),
    places=places(),
    generated=st.tuples(
        st.sampled_from([(4, 4), (5, 5), (6, 6), (7, 7), (8, 8)]),
        st.fixed_dictionaries({"stars": st.just(1), "variety": st.sampled_from([0.0, 0.5, 1.0])}),
    )
    | st.just(((8, 8), {"stars": 2})),
    example=Example("stars: 1\nsize: 4x4\naa#b\nacbb\nccdd\nccd#\n", (), ("--size", "6")),
)
