"""New Star Battle puzzles: one solution, by trying everything and by both engines; shapes; the same for a seed."""

import os
import re
import subprocess
import sys
from itertools import combinations, pairwise, permutations, product
from pathlib import Path
from random import Random

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.oracle.starbattle import solutions
from tests.support.examples import examples
from twinproof.compare.benchmark.generate import read_sizes
from twinproof.compare.questions.unique import uniqueness
from twinproof.models.generation.chance import below, shuffled
from twinproof.models.generation.generated import Generated
from twinproof.models.grid import Cell
from twinproof.models.starbattle.alternatives import FREE, Alternatives
from twinproof.models.starbattle.draft import Draft
from twinproof.models.starbattle.generate import canonical, generate, random_appetites
from twinproof.models.starbattle.groups import group_stars, neighbour_table
from twinproof.models.starbattle.instance import StarBattlePuzzle, number_regions
from twinproof.models.starbattle.repair import Repair
from twinproof.models.starbattle.shapes import count_choices, is_worm, measures
from twinproof.models.starbattle.stars import check_size, random_stars
from twinproof.optim import InputError
from twinproof.optim.sat.backbone import IncrementalFormula

relaxed = examples(40)

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def letters(puzzle: StarBattlePuzzle) -> list[str]:
    return ["".join("." if region is None else LETTERS[region] for region in row) for row in puzzle.regions]


def stars_in(layout: tuple[str, ...]) -> frozenset[Cell]:
    return frozenset((r, c) for r, row in enumerate(layout) for c, mark in enumerate(row) if mark == "*")


def board(*rows: str) -> StarBattlePuzzle:
    marks = [[None if mark == "." else mark for mark in row] for row in rows]
    return StarBattlePuzzle(1, number_regions(marks)[0])


def is_connected(cells: tuple[Cell, ...]) -> bool:
    graph = nx.grid_2d_graph(30, 30).subgraph(cells)
    return nx.is_connected(graph)


def check_shapes(made: Generated, size: int, stars: int) -> None:
    """Every cell in a region, of one piece, with its stars, not forced by itself."""
    puzzle = made.instance
    assert (puzzle.height, puzzle.width, puzzle.stars, len(puzzle.region_cells)) == (size, size, stars, size)
    assert sum(len(cells) for cells in puzzle.region_cells) == size * size
    for cells in puzzle.region_cells:
        assert is_connected(cells)
        assert len(stars_in(made.layout) & set(cells)) == stars
        apart = [
            chosen
            for chosen in combinations(cells, stars)
            if all(abs(r - y) > 1 or abs(c - x) > 1 for (r, c), (y, x) in combinations(chosen, 2))
        ]
        assert len(apart) > 1 or size == 1


@examples(15)
@given(
    size_and_stars=st.sampled_from([(4, 1), (5, 1), (6, 1), (7, 1), (8, 1), (8, 2)]),
    seed=st.integers(0, 10**9),
    variety=st.sampled_from([0.0, 0.5, 1.0]),
)
def test_regions_are_of_one_piece_and_none_is_forced_by_itself(
    size_and_stars: tuple[int, int], seed: int, variety: float
) -> None:
    check_shapes(generate(*size_and_stars, seed, variety), *size_and_stars)


@pytest.mark.parametrize(("size", "stars", "seed"), [(10, 2, 3), (12, 2, 7), (12, 3, 3), (14, 3, 0), (17, 4, 0)])
def test_a_generated_puzzle_is_unique_by_both_engines(size: int, stars: int, seed: int) -> None:
    made = generate(size, stars, seed)
    check_shapes(made, size, stars)
    known = uniqueness("starbattle", made.instance, isolated=False)
    assert known.unique
    assert known.first.outcome.layout is not None
    assert stars_in(tuple(known.first.outcome.layout)) == stars_in(made.layout)


def test_a_board_of_one_cell_is_the_one_puzzle_whose_region_is_forced_by_itself() -> None:
    made = generate(1, 1)
    assert (made.instance.regions, made.layout) == (((0,),), ("*",))


@pytest.mark.parametrize("stars", [1, 2])
def test_sizes_without_a_layout_are_refused_and_no_others(stars: int) -> None:
    # Known: boards of four times as many rows as stars have a layout (8x8 for two), smaller ones have none; that
    # is seen here by placing the stars of every row in all ways, with the columns' counts as states.
    for size in range(1, 4 * stars + 2):
        if has_layout(size, stars):
            assert len(random_stars(size, stars, Random(0))) == size * stars
        else:
            with pytest.raises(
                InputError, match=f"no layout of {stars} stars? in every row and column of {size}x"
            ):
                generate(size, stars)


def has_layout(size: int, stars: int) -> bool:
    rows = [chosen for chosen in combinations(range(size), stars) if all(b - a > 1 for a, b in pairwise(chosen))]
    states: set[tuple[tuple[int, ...], tuple[int, ...]]] = {((0,) * size, ())}
    for _ in range(size):
        states = {
            (counts, row)
            for before, above in states
            for row in rows
            if all(abs(a - b) > 1 for a in above for b in row)
            for counts in [tuple(count + (c in row) for c, count in enumerate(before))]
            if max(counts) <= stars
        }
    return bool(states)


@pytest.mark.parametrize(
    ("size", "stars", "variety", "words"),
    [
        (0, 1, 0.5, "must be at least 1"),
        (5, 0, 0.5, "must be at least 1"),
        (101, 2, 0.5, "at most 100 rows"),
        (5, 1, 1.5, "variety 1.5: must be from 0 to 1"),
        (5, 1, -0.1, "variety -0.1"),
        (5, 1, float("nan"), "variety nan"),
        (100, 10**9, 0.5, "no layout"),
    ],
)
def test_numbers_out_of_range_are_refused(size: int, stars: int, variety: float, words: str) -> None:
    with pytest.raises(InputError, match=words):
        generate(size, stars, variety=variety)


def test_the_same_seed_gives_the_same_puzzle_and_others_give_others() -> None:
    made = [generate(8, 1, seed) for seed in (0, 1, 2, 0)]
    assert made[0] == made[3]
    assert len({canonical(one.instance) for one in made}) == 3


def test_the_same_seed_gives_the_same_puzzle_whatever_the_order_of_hashes() -> None:
    code = (
        "from twinproof.models.starbattle.generate import generate\n"
        "for size, stars, seed in ((6, 1, 3), (9, 1, 4), (10, 2, 1)): print(generate(size, stars, seed))\n"
    )
    printed = set()
    for hash_seed in ("1", "4711"):
        environment = {
            **os.environ,
            "PYTHONHASHSEED": hash_seed,
            "PYTHONPATH": str(Path(__file__).parents[2] / "src"),
        }
        done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, check=True)
        printed.add(done.stdout)
    assert len(printed) == 1


def test_a_puzzle_that_is_not_accepted_is_followed_by_another() -> None:
    offered: list[StarBattlePuzzle] = []

    def third(puzzle: StarBattlePuzzle) -> bool:
        offered.append(puzzle)
        return len(offered) == 3

    made = generate(6, 1, 0, accept=third)
    assert made.instance == offered[2]
    assert made.attempts >= 3
    assert generate(6, 1, 0).instance == offered[0]
    assert len({canonical(puzzle) for puzzle in offered}) == 3


def test_notes_say_what_is_left() -> None:
    notes: list[str] = []
    generate(9, 1, 0, on_note=notes.append)
    assert notes[0] == "attempt 1: stars"
    assert all(re.search(r"cells? without a region", note) or note.endswith(": stars") for note in notes)


def test_more_variety_spreads_the_sizes() -> None:
    spread = {v: sum(float(generate(7, 1, seed, v).facts["spread"]) for seed in range(8)) for v in (0.0, 1.0)}
    assert spread[0.0] < spread[1.0]
    assert set(random_appetites(50, 0.0, 9, Random(0))) == {1}
    assert 0 < min(random_appetites(50, 1.0, 9, Random(0))) < min(random_appetites(50, 1.0, 1, Random(0))) < 0.3


def test_random_stars_can_be_any_layout() -> None:
    # All layouts of five stars on 5x5 that do not touch: 14 permutations.
    every = {
        tuple(5 * r + c for r, c in enumerate(columns))
        for columns in permutations(range(5))
        if all(abs(a - b) > 1 for a, b in pairwise(columns))
    }
    assert len(every) == 14
    assert {random_stars(5, 1, Random(seed)) for seed in range(300)} == every


@examples(20)
@given(size_and_stars=st.sampled_from([(5, 1), (8, 2), (13, 3), (17, 4)]), seed=st.integers(0, 10**6))
def test_groups_of_stars_can_be_joined_at_once_without_crossing(
    size_and_stars: tuple[int, int], seed: int
) -> None:
    size, each = size_and_stars
    rng = Random(seed)
    layout = random_stars(size, each, rng)
    groups = group_stars(size, layout, each, rng)
    if groups is None:
        return
    assert sorted(star for group in groups for star in group) == list(layout)
    assert {len(group) for group in groups} == {each}


@st.composite
def unfinished(draw: st.DrawFn) -> tuple[list[list[int]], list[int]]:
    """Groups of the stars of a small layout, and a random region, or none, for every other cell."""
    size, each = draw(st.sampled_from([(4, 1), (5, 1), (6, 1), (8, 2)]))
    rng = Random(draw(st.integers(0, 10**6)))
    layout = shuffled(rng, random_stars(size, each, rng))
    groups = [layout[i : i + each] for i in range(0, len(layout), each)]
    few = draw(st.integers(1, size))
    owner = [below(rng, size) if below(rng, size) < few else FREE for _ in range(size * size)]
    for region, group in enumerate(groups):
        for cell in group:
            owner[cell] = region
    return groups, owner


@relaxed
@given(drafts=st.lists(unfinished(), min_size=1, max_size=1), data=st.data())
def test_alternatives_are_all_other_solutions_also_after_cells_have_moved(
    drafts: list[tuple[list[list[int]], list[int]]], data: st.DataObject
) -> None:
    groups, owner = drafts[0]
    size, each = len(groups), len(groups[0])
    wanted = {cell for group in groups for cell in group}
    with Alternatives(size, groups) as alternatives:
        for _ in range(4):
            rows = [
                "".join("#" if o == FREE else LETTERS[o] for o in owner[r * size :][:size]) for r in range(size)
            ]
            every = {frozenset(r * size + c for r, c in stars) for stars in solutions(rows, each)}
            assert wanted in every
            found = alternatives.find(owner)
            assert (found is None) == (len(every) == 1)
            assert found is None or (set(found) in every and set(found) != wanted)
            cell = data.draw(st.integers(0, size * size - 1))
            found = alternatives.find(owner, cell)
            with_cell = [stars for stars in every if cell in stars and stars != wanted]
            assert (found is None) == (not with_cell)
            assert found is None or set(found) in with_cell
            assert {frozenset(stars) for stars in alternatives.known(owner)} <= every - {frozenset(wanted)}
            for other in data.draw(st.lists(st.integers(0, size * size - 1), max_size=6)):
                if other not in wanted:
                    owner[other] = data.draw(st.integers(FREE, size - 1))


@pytest.mark.parametrize("seed", range(3))
def test_repair_keeps_an_unfinished_puzzle_unique_and_of_one_piece(seed: int) -> None:
    rng = Random(seed)
    size, each = 7, 1
    groups = None
    while groups is None:
        groups = group_stars(size, random_stars(size, each, rng), each, rng)
    draft = Draft(size, groups)
    seen = []

    def check(free: int) -> None:
        seen.append(free)
        rows = [
            "".join("#" if o == FREE else LETTERS[o] for o in draft.owner[r * size :][:size]) for r in range(size)
        ]
        assert len(solutions(rows, each)) == 1
        for region in range(size):
            cells = [divmod(cell, size) for cell, owner in enumerate(draft.owner) if owner == region]
            assert is_connected(tuple(cells))
            assert set(draft.cells[region]) == {r * size + c for r, c in cells}
        assert free == draft.owner.count(FREE)

    with Alternatives(size, groups) as alternatives:
        done = Repair(draft, alternatives, [1.0] * size, rng, check).run(shakes=1)
    if done:
        check(0)
    assert seen


def test_shapes_are_measured_as_counted_by_hand() -> None:
    puzzle = board("AABBB", "AABCC", "DDBCC", "DEECC", "DDDDD")
    # A: 2x2. B: 3 + 1 + 1 cells, no block. C: six cells in two blocks. D: eight round E's two, no block.
    assert measures(puzzle) == {
        "smallest": 2,
        "largest": 8,
        "spread": 0.4,
        "worms": 2,
        "narrow": 0.6,
        "fewest choices": 2,
        "forced regions": 0,
    }


@pytest.mark.parametrize(
    ("cells", "worm"),
    [
        ([(0, 0), (0, 1), (0, 2)], False),
        ([(0, 0), (0, 1), (0, 2), (0, 3)], True),
        ([(0, 0), (0, 1), (0, 2), (1, 1)], True),
        ([(0, 0), (0, 1), (1, 0), (1, 1)], False),
    ],
)
def test_a_worm_is_one_cell_wide_throughout(cells: list[Cell], worm: bool) -> None:
    assert is_worm(cells) is worm


@pytest.mark.parametrize(("stars", "ways"), [(1, 5), (2, 6), (3, 1), (4, 0)])
def test_choices_of_a_row_are_counted(stars: int, ways: int) -> None:
    # Of n cells in a row k that do not touch can be chosen in C(n - k + 1, k) ways.
    assert count_choices([(0, c) for c in range(5)], stars) == ways
    assert count_choices([(0, c) for c in range(5)], stars, most=1) == min(ways, 1)


def turned(rows: list[str]) -> list[str]:
    return ["".join(row[c] for row in reversed(rows)) for c in range(len(rows))]


@relaxed
@given(
    size=st.integers(3, 5),
    seed=st.integers(0, 10**6),
    turns=st.integers(0, 3),
    mirrored=st.booleans(),
    names=st.permutations(LETTERS),
)
def test_canonical_form_does_not_see_symmetries_and_names(
    size: int, seed: int, turns: int, mirrored: bool, names: list[str]
) -> None:
    rng = Random(seed)
    marks = [*LETTERS[:size], *(LETTERS[below(rng, size)] for _ in range(size * size - size))]
    cells = shuffled(rng, marks)
    rows = ["".join(cells[r * size : (r + 1) * size]) for r in range(size)]
    image = [row[::-1] for row in rows] if mirrored else rows
    for _ in range(turns):
        image = turned(image)
    image = ["".join(names[LETTERS.index(mark)] for mark in row) for row in image]
    assert canonical(board(*image)) == canonical(board(*rows))


def test_canonical_form_tells_all_else_apart() -> None:
    # Every way to divide 3x3 cells into three regions, S(9, 3) = 3025, as sets of sets of points of the plane; two
    # are alike if a turn (i times) or a mirror image (the conjugate) of one is the other.
    divisions: dict[frozenset[frozenset[complex]], StarBattlePuzzle] = {}
    for marks in product("ABC", repeat=9):
        if len(set(marks)) == 3:
            points = {
                mark: frozenset(complex(i % 3 - 1, i // 3 - 1) for i in range(9) if marks[i] == mark)
                for mark in "ABC"
            }
            division = frozenset(points.values())
            if division not in divisions:
                divisions[division] = board(*("".join(marks[i : i + 3]) for i in (0, 3, 6)))
    assert len(divisions) == 3025
    orbits = {
        frozenset(
            frozenset(frozenset(turn * (z.conjugate() if mirrored else z) for z in region) for region in division)
            for turn in (1, 1j, -1, -1j)
            for mirrored in (False, True)
        )
        for division in divisions
    }
    assert len({canonical(puzzle) for puzzle in divisions.values()}) == len(orbits)


def test_canonical_form_sees_holes_and_stars() -> None:
    rows: list[list[int | None]] = [[None] * 8 for _ in range(8)]
    open_board = StarBattlePuzzle(1, tuple(map(tuple, rows)))
    corner, other_corner, edge = (
        StarBattlePuzzle(1, open_board.regions, holes=frozenset({hole})) for hole in ((0, 7), (7, 0), (0, 3))
    )
    assert canonical(corner) == canonical(other_corner)
    two_stars = StarBattlePuzzle(2, open_board.regions)
    assert len({canonical(one) for one in (open_board, corner, edge, two_stars)}) == 4


def test_neighbours_of_a_corner_an_edge_and_the_middle() -> None:
    near = neighbour_table(3)
    assert [sorted(near[cell]) for cell in (0, 1, 4)] == [[1, 3], [0, 2, 4], [1, 3, 5, 7]]


def test_sizes_of_the_benchmark_are_read() -> None:
    assert read_sizes("5:1, 12:2,") == [(5, 1), (12, 2)]
    for wrong in ("5", "5:x", "5:1:2", "-5:1", "²:1", "7:2", "0:1"):
        with pytest.raises(InputError):
            read_sizes(wrong)


def test_sizes_are_checked_by_the_bound_alone() -> None:
    check_size(100, 25)
    with pytest.raises(InputError, match="no layout of 25 stars in every row and column of 99x99 cells exists"):
        check_size(99, 25)


def test_a_solver_tries_preferred_literals_first() -> None:
    with IncrementalFormula([[1, 2], [3, 4]]) as formula:
        for preferred in ([1, -2, 3, -4], [-1, 2, 3, 4], [1, 2, -3, 4]):
            formula.prefer(preferred)
            assert formula.solve() == frozenset(preferred)
