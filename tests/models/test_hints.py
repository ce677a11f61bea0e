"""Rules of a person: each on a board of its own, and grades."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

import pytest
from hypothesis import example, given, note
from hypothesis import strategies as st

from tests.contract.trial import Place
from tests.contract.trials import lightup as lightup_trial
from tests.contract.trials import minesweeper as minesweeper_trial
from tests.contract.trials import starbattle as starbattle_trial
from tests.contract.trials.starbattle import board_of, from_board
from tests.models.test_lightup import SOURCE_ROWS
from tests.models.test_starbattle import ALBERI, ALBERI_SOLUTION
from tests.oracle import lightup as brute_lightup
from tests.oracle import starbattle as brute_starbattle
from tests.support.examples import examples
from twinproof.models.deduction.hints import Finding, Rule, Step, read_position
from twinproof.models.deduction.position import Position, bits
from twinproof.models.deduction.what_if import refuted
from twinproof.models.grid import Cell
from twinproof.models.lightup import hints as lightup
from twinproof.models.lightup import position as lightup_position
from twinproof.models.lightup.instance import LightUpPuzzle
from twinproof.models.minesweeper import hints as minesweeper
from twinproof.models.minesweeper import position as minesweeper_position
from twinproof.models.minesweeper.instance import MinesweeperPuzzle
from twinproof.models.starbattle import hints as starbattle
from twinproof.models.starbattle import position as starbattle_position
from twinproof.models.words import places
from twinproof.optim import InputError

Known = dict[Cell, bool]


relaxed = examples(60)


def check_facts(facts: Mapping[Cell, bool], possible: Sequence[Any], said: object) -> None:
    assert facts, said
    for cell, holds in facts.items():
        assert all((cell in layout) is holds for layout in possible), (cell, said)


def mine_step(puzzle: MinesweeperPuzzle, known: Known) -> Step | None:
    return minesweeper.HINTS.next_step(minesweeper_position.start(puzzle, known))


@relaxed
@given(place=minesweeper_trial.places())
def test_minesweeper_steps_prove_all_that_can_be_proved(place: Place) -> None:
    puzzle, known, possible = place
    note("\n".join(puzzle.board))
    position = dict(known)
    while (step := mine_step(puzzle, position)) is not None:
        assert not set(step.facts) & set(position)
        position |= step.facts
    proved = {cell for cell in puzzle.unknown if len({cell in mines for mines in possible}) == 1}
    assert set(position) == proved | set(known)
    assert minesweeper_position.start(puzzle, position).solved is (len(possible) == 1)


@relaxed
@given(st.integers(0, 2**20 - 1))
def test_starbattle_counts_the_stars_that_fit(mask: int) -> None:
    board = starbattle_position.StarBoard(from_board(["." * 5] * 5))
    cells = [(r, c) for r in range(4) for c in range(5) if mask >> (5 * r + c) & 1]

    def apart(some: tuple[Cell, ...]) -> bool:
        return all(max(abs(a - c), abs(b - d)) > 1 for (a, b), (c, d) in combinations(some, 2))

    expected = max(n for n in range(7) if any(map(apart, combinations(cells, n))))  # six fit on four rows of five
    for turned in (cells, [(c, r) for r, c in cells]):
        assert board.most(board.mask(turned)) == expected
        assert board.has_room(board.mask(turned), expected)
        assert not board.has_room(board.mask(turned), expected + 1)


NOTHING: Known = {}


STAR_EXAMPLES: list[tuple[str, list[str], int, Known, set[Cell], set[Cell]]] = [
    ("beside a star", ["...."] * 4, 1, {(0, 1): True}, set(), {(0, 0), (0, 2), (1, 0), (1, 1), (1, 2)}),
    ("full", ["...."] * 4, 1, {(1, 3): True}, set(), {(1, 0), (1, 1), (1, 2)}),
    ("last places", ["AABB", "CCBB", "CCDD", "CDDD"], 1, {(0, 0): False}, {(0, 1)}, set()),
    # A lies in row 1.
    ("pointing", ["AABB", "CCBB", "CCDD", "CDDD"], 1, NOTHING, set(), {(0, 2), (0, 3)}),
    # Both cells of A touch the two below them.
    ("crowding", ["AABB", "CCBB", "CCDD", "CDDD"], 1, NOTHING, set(), {(1, 0), (1, 1)}),
    # Of columns 1, 2 and 4 two must be taken, and 1 and 2 touch.
    ("needed", ["." * 9] * 9, 2, {(0, c): False for c in (2, 4, 5, 6, 7, 8)}, {(0, 3)}, set()),
    # Outside row 1 region A has room for one star, so its other is the last of row 1.
    (
        "overlap",
        ["AAAABBBBC", "AADDBBBCC", "DDDDBBCCC", *["DDDEEECCC"] * 2, "FFFEEEGGG", "FFFHHHGGG", *["FFFHHHIII"] * 2],
        2,
        {(0, 8): True, (0, 7): False},
        set(),
        {(0, 4), (0, 5), (0, 6)},
    ),
    # A and B lie in rows 1 and 2.
    ("strips", ["AABBC", "ABBBC", "DDCCC", "DDEEE", "DDEEE"], 1, NOTHING, set(), {(0, 4), (1, 4)}),
    # A and B lie in rows 1 and 3.
    (
        "groups",
        ["AACBB", "CCCCC", "ADDEB", "DDDEE", "DDDEE"],
        1,
        NOTHING,
        set(),
        {(0, 2), (2, 1), (2, 2), (2, 3)},
    ),
    # With a star in row 5, column 1, the stars of A, B, D and E follow, two of them in column 2.
    ("what-if", ["CBBBB", "CAAAB", "CCADB", "CEDDD", "EEEDD"], 1, {(3, 2): False}, set(), {(4, 0)}),
    (
        "long what-if",
        ["FDDDAA", "FFDAAA", "FBAAAA", "BBBBEE", "BBCCEE", "CBCCCE"],
        1,
        {(2, 1): False, (1, 3): False},
        set(),
        {(4, 0)},
    ),
]


LIGHT_EXAMPLES: list[tuple[str, list[str], Known, set[Cell], set[Cell]]] = [
    ("lit", ["..", "#."], {(0, 0): True}, set(), {(0, 1)}),
    ("met", ["..0..", "....."], NOTHING, set(), {(0, 1), (0, 3), (1, 2)}),
    ("forced", [".2.", "###"], NOTHING, {(0, 0), (0, 2)}, set()),
    ("only place", ["..", "##"], {(0, 0): False}, {(0, 1)}, set()),
    ("corner", ["...", ".3.", ".#."], NOTHING, set(), {(0, 0), (0, 2), (2, 0), (2, 2)}),
    # Row 1, column 1 is lit from beside it or from below it, and row 2, column 2 would light both.
    ("kept dark", ["..", ".."], {(0, 0): False}, set(), {(1, 1)}),
    # Row 2, column 2 must be lit from above or beside the 1.
    ("light and number", ["##.##", "#..#.", "..1..", "##..."], {(1, 1): False}, set(), {(2, 3), (3, 2)}),
    # Of the two places that both share one has a bulb at most, by the 1; so the third of the 2 has one.
    ("two walls", ["#.##.", "#2.#.", "#.1..", "#..#."], NOTHING, {(0, 1)}, {(2, 3), (3, 2)}),
    # A bulb over the 1 leaves to row 1 only columns 2 and 4, which see each other.
    ("what-if", ["....", "....", "#.1."], NOTHING, set(), {(1, 2)}),
    ("long what-if", ["....", "#...", "..1."], NOTHING, set(), {(0, 1)}),
]


MINE_EXAMPLES: list[tuple[str, tuple[str, ...], int | None, Known, set[Cell], set[Cell]]] = [
    ("single clue", ("2.", ".?"), None, NOTHING, {(0, 1), (1, 0)}, set()),
    ("single clue", ("1.", ".."), None, {(0, 1): True}, set(), {(1, 0), (1, 1)}),
    # The cells of the first 1 are also those of the second.
    ("pair of clues", ("...", "11?"), None, NOTHING, set(), {(0, 2)}),
    ("pair of clues", ("....", "?12?"), None, NOTHING, {(0, 3)}, {(0, 0)}),
    ("total", ("...",), 3, NOTHING, {(0, 0), (0, 1), (0, 2)}, set()),
    ("total", (".1.#.",), 1, NOTHING, set(), {(0, 4)}),
    # A mine there is the one of each clue, and the 1 below would have none at all of its own.
    ("proof", ("...", "1.1", ".1."), None, NOTHING, set(), {(0, 1)}),
]


def finding_of(rules: tuple[Rule[Any], ...], name: str, position: Any) -> list[tuple[set[Cell], set[Cell]]]:
    (rule,) = [rule for rule in rules if rule.human.name == name]
    return [(set(position.cells(f.marked)), set(position.cells(f.empty))) for f in rule.find(position, 0)]


@pytest.mark.parametrize(
    ("name", "rows", "stars", "known", "marked", "empty"), STAR_EXAMPLES, ids=[case[0] for case in STAR_EXAMPLES]
)
def test_each_starbattle_rule_concludes_what_it_says(
    name: str, rows: list[str], stars: int, known: Known, marked: set[Cell], empty: set[Cell]
) -> None:
    found = finding_of(starbattle.HINTS.rules, name, starbattle_position.start(from_board(rows, stars), known))
    assert (marked, empty) in found
    if stars == 1:
        possible = [
            layout
            for layout in brute_starbattle.solutions(rows, stars)
            if all((cell in layout) is star for cell, star in known.items())
        ]
        assert possible
        check_facts(dict.fromkeys(marked, True) | dict.fromkeys(empty, False), possible, name)


@pytest.mark.parametrize(
    ("name", "rows", "known", "marked", "empty"), LIGHT_EXAMPLES, ids=[case[0] for case in LIGHT_EXAMPLES]
)
def test_each_lightup_rule_concludes_what_it_says(
    name: str, rows: list[str], known: Known, marked: set[Cell], empty: set[Cell]
) -> None:
    found = finding_of(lightup.HINTS.rules, name, lightup_position.start(LightUpPuzzle(tuple(rows)), known))
    union: tuple[set[Cell], set[Cell]] = (set(), set())
    for some_marked, some_empty in found:
        if some_marked <= marked and some_empty <= empty:
            union[0].update(some_marked)
            union[1].update(some_empty)
    assert union == (marked, empty)
    possible = [
        lighting.bulbs
        for lighting in brute_lightup.lightings(rows)
        if lighting.broken == 0 and all((cell in lighting.bulbs) is bulb for cell, bulb in known.items())
    ]
    assert possible
    check_facts(dict.fromkeys(marked, True) | dict.fromkeys(empty, False), possible, name)


@pytest.mark.parametrize(("name", "board", "mines", "known", "marked", "empty"), MINE_EXAMPLES)
def test_each_minesweeper_rule_concludes_what_it_says(
    name: str, board: tuple[str, ...], mines: int | None, known: Known, marked: set[Cell], empty: set[Cell]
) -> None:
    step = mine_step(MinesweeperPuzzle(board, mines), known)
    assert step is not None
    assert (step.rule.name, set(step.marked), set(step.empty)) == (name, marked, empty)


class SlowPosition(lightup_position.LightPosition):
    """A position that a puzzle describes without the fast way through the rules of grade 1."""

    at_a_glance = Position.at_a_glance


def test_a_what_if_may_follow_the_rules_one_by_one() -> None:
    board = lightup_position.LightBoard(LightUpPuzzle(("....", "....", "#.1.")))
    easy = [rule for rule in lightup.HINTS.rules if rule.human.grade == 1]
    fast, slow = (kind(board, 0, board.all) for kind in (lightup_position.LightPosition, SlowPosition))
    found = {finding[:2] for finding in lightup.what_if.find(fast, 0)}
    assert found
    assert {finding[:2] for finding in refuted(slow, 0, easy, "bulb")} == found


def test_every_rule_has_an_example_a_grade_and_a_sentence() -> None:
    star_rules, light_rules, mine_rules = (
        [rule.human for rule in part.HINTS.rules] for part in (starbattle, lightup, minesweeper)
    )
    assert [case[0] for case in STAR_EXAMPLES] == [rule.name for rule in star_rules]
    assert [case[0] for case in LIGHT_EXAMPLES] == [rule.name for rule in light_rules]
    assert {case[0] for case in MINE_EXAMPLES} == {rule.name for rule in mine_rules}
    for rules in (star_rules, light_rules):
        grades = [rule.grade for rule in rules]
        assert None not in grades
        assert grades == sorted(grades, key=lambda grade: grade or 0)
        assert set(grades) == {1, 2, 3, 4, 5}
    for rule in (*star_rules, *light_rules, *mine_rules):
        assert rule.sentence.endswith(".")


def images(rows: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The eight images of a board."""
    for _ in range(4):
        rows = tuple("".join(column) for column in zip(*rows[::-1], strict=True))  # a quarter turn
        yield rows
        yield rows[::-1]


@examples(8)
@given(place=starbattle_trial.places(small=True))
@example(place=(from_board(ALBERI.split(), 2), {}, []))
def test_starbattle_grade_does_not_depend_on_how_the_board_lies(place: Place) -> None:
    rows, stars = board_of(place[0]), place[0].stars
    note("\n".join(rows))
    assert len({starbattle.grade(from_board(image, stars)).grade for image in images(rows)}) == 1


@examples(25)
@given(place=lightup_trial.places())
@example(place=(LightUpPuzzle(SOURCE_ROWS), {}, []))
def test_lightup_grade_does_not_depend_on_how_the_grid_lies(place: Place) -> None:
    assert len({lightup.grade(LightUpPuzzle(image)).grade for image in images(place[0].rows)}) == 1


def test_examples_of_the_sources_are_solved_as_published() -> None:
    alberi = starbattle.grade(from_board(ALBERI.split(), 2))
    stars = {cell for step in alberi.steps for cell in step.marked}
    assert stars == {
        (r, c) for r, row in enumerate(ALBERI_SOLUTION.split()) for c, mark in enumerate(row) if mark.isupper()
    }
    solution = (".*.0..*", "..*.1*.", "*2.*...", "3*....#", "*....2*", "..#..*.", "..*2*..")
    bulbs = {cell for step in lightup.grade(LightUpPuzzle(SOURCE_ROWS)).steps for cell in step.marked}
    assert bulbs == {(r, c) for r, row in enumerate(solution) for c, mark in enumerate(row) if mark == "*"}


def test_easy_puzzles_have_easy_grades() -> None:
    # One region after the other has only one cell left.
    assert lightup.grade(LightUpPuzzle((".",))).grade == 1
    assert lightup.grade(LightUpPuzzle(("#",))).grade == 1
    assert lightup.grade(LightUpPuzzle((".3.", "#.#"))).grade == 1
    assert starbattle.grade(from_board(["A"])).grade == 1
    # Four queens without regions, two solutions: by no rule.
    two = starbattle.grade(from_board(["...."] * 4))
    assert (two.grade, two.word, two.contradiction) == (None, "beyond the rules", None)


def test_a_puzzle_without_solution_ends_in_a_contradiction() -> None:
    dark = lightup.grade(LightUpPuzzle((".0",)))
    assert dark.grade is None
    assert dark.contradiction == "no bulb can light row 1, column 1"
    three = starbattle.grade(from_board(["..."] * 3))
    assert three.grade is None
    assert three.contradiction is not None


def test_next_step_gives_none_where_there_is_none() -> None:
    star, light = starbattle_position.start, lightup_position.start
    touching = star(from_board(["AAB", "CAB", "CCB"]), {(0, 0): True, (1, 1): True})
    assert starbattle.HINTS.next_step(touching) is None
    assert touching.clash() is not None
    solution = star(from_board(["...."] * 4), dict.fromkeys([(0, 1), (1, 3), (2, 0), (3, 2)], True))
    assert starbattle.HINTS.next_step(solution) is None
    assert solution.solved
    row = LightUpPuzzle(("..",))  # two solutions
    for known in ({}, {(0, 0): True}, {(0, 0): True, (0, 1): True}):
        assert lightup.HINTS.next_step(light(row, known)) is None
    assert mine_step(MinesweeperPuzzle(("1..", "...")), {(0, 1): True, (1, 0): True}) is None


def test_places_are_named_row_by_row() -> None:
    assert places([(1, 4)]) == "row 2, column 5"
    assert places([(2, 0), (0, 3), (0, 1), (0, 2)]) == "row 1, columns 2, 3 and 4; row 3, column 1"


@given(st.integers(0, 2**70))
def test_bits_are_those_of_the_number(number: int) -> None:
    assert sum(1 << bit for bit in bits(number)) == number


def test_positions_are_read() -> None:
    assert read_position(("..#", "..."), ".", "*x#\n...\n\n", "p") == {(0, 0): True, (0, 1): False}


@relaxed
@given(text=st.text("*x.#o\n 1", max_size=30))
def test_positions_are_read_or_refused(text: str) -> None:
    try:
        known = read_position(("..#", "1.."), ".", text, "text")
    except InputError as error:
        known, said = {}, str(error)
    else:
        said = "text: "
    assert said.startswith("text: ")
    assert set(known) <= {(0, 0), (0, 1), (1, 1), (1, 2)}


def test_steps_tell_their_facts() -> None:
    step = Step(starbattle.HINTS.rules[0].human, ((0, 1),), ((2, 3), (4, 5)), (), "")
    assert step.facts == {(0, 1): True, (2, 3): False, (4, 5): False}
    assert Finding(1, 2, 4, "x").seen == 4
