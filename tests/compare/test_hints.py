"""Rules of a person: sound by brute force, each on a board of its own, grades; the command hint."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
import typer
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
from tests.support.running import Run
from tests.support.shared_data import DATA
from twinproof.compare.benchmark.grades import run as run_benchmark
from twinproof.compare.benchmark.grades import spearman, stated
from twinproof.compare.output.hint_drawing import draw_hint
from twinproof.compare.questions.hint import find_hint
from twinproof.models import PUZZLES
from twinproof.models.deduction.hints import Finding, Rule, Step, hardest, read_position
from twinproof.models.deduction.position import Position, bits
from twinproof.models.deduction.what_if import refuted
from twinproof.models.deduction.words import places
from twinproof.models.grid import Cell
from twinproof.models.lightup import hints as lightup
from twinproof.models.lightup import position as lightup_position
from twinproof.models.lightup.instance import LightUpPuzzle
from twinproof.models.minesweeper import hints as minesweeper
from twinproof.models.minesweeper import position as minesweeper_position
from twinproof.models.minesweeper.instance import MinesweeperPuzzle
from twinproof.models.starbattle import hints as starbattle
from twinproof.models.starbattle import position as starbattle_position
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


# Each rule on a board of its own.

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


# Grades.


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


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ([1, 2, 3, 4, 5], [5, 6, 7, 8, 7], 0.8207826816681233),  # the example of scipy.stats.spearmanr
        (  # IQ and hours of television: the worked example of Wikipedia's article, -29/165
            [106, 100, 86, 101, 99, 103, 97, 113, 112, 110],
            [7, 27, 2, 50, 28, 29, 20, 12, 6, 17],
            -29 / 165,
        ),
        ([1, 2, 3], [6, 5, 4], -1.0),
        ([1, 1, 1], [1, 2, 3], None),
    ],
)
def test_spearman(first: list[float], second: list[float], expected: float | None) -> None:
    found = spearman(first, second)
    assert found == (None if expected is None else pytest.approx(expected))


def test_stated_difficulties() -> None:
    assert stated("ddurler-moyen04_2") == ("ddurler", "medium")
    assert stated("ddurler-expert01_2") == ("ddurler", "expert")
    assert stated("sbn-1-2494") == ("sbn", "easy")
    assert stated("sbn-10-3") == ("sbn", "hard")
    assert stated("janko-1_6x6") is None


def test_public_puzzles_are_graded(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    if not (DATA / "starbattle" / "puzzles.json").is_file():
        pytest.skip("the public cases are not there: set TWINPROOF_DATA to their folder")
    with pytest.raises(typer.Exit) as left:
        run_benchmark(DATA, each=6, most=100, record=tmp_path / "grades.json")
    assert left.value.exit_code == 0, capsys.readouterr().out
    content = json.loads((tmp_path / "grades.json").read_text())
    assert content["wrong"] == []
    for some in content["grades"].values():
        # All unique puzzles on boards of this size are within the rules.
        assert some["finished"] == some["puzzles"] > 0


def test_places_are_named_row_by_row() -> None:
    assert places([(1, 4)]) == "row 2, column 5"
    assert places([(2, 0), (0, 3), (0, 1), (0, 2)]) == "row 1, columns 2, 3 and 4; row 3, column 1"


@given(st.integers(0, 2**70))
def test_bits_are_those_of_the_number(number: int) -> None:
    assert sum(1 << bit for bit in bits(number)) == number


def test_positions_are_read() -> None:
    assert read_position(("..#", "..."), ".", "*x#\n...\n\n", "p") == {(0, 0): True, (0, 1): False}


# The command.

FILES = {
    "six.txt": "AAABBB\nABBBCC\nADDEEC\nFFDDEC\nFEEEEC\nFCCCCC\n",
    "wrong.txt": "x.....\n......\n......\n......\n......\n*....*\n",
    "touching.txt": "*.....\n.*....\n......\n......\n......\n......\n",
    "solved.txt": ".*....\n...*..\n.....*\n..*...\n....*.\n*.....\n",
    "short.txt": "......\n",
    "narrow.txt": ".....\n" * 6,
    "mark.txt": "o.....\n" + "......\n" * 5,
    "four.txt": "stars: 1\n....\n....\n....\n....\n",
    "corners.txt": "*...\n....\n....\n...x\n",
    "pair.txt": "..*.\n..x.\n..x.\n....\n",
    "three.txt": "stars: 1\n...\n...\n...\n",
    "lamps.txt": "##.##\n#..#.\n..1..\n##...\n",
    "lit.txt": "##.##\n#x.#.\n..1..\n##...\n",
    "corner.txt": "...\n.3.\n.#.\n",
    "walled.txt": "*x.\n.3.\n.#.\n",
    "grid.txt": "...\n.4#\n...\n",
    "no_wall.txt": "##.##\n#....\n..1..\n##...\n",
    "beach.txt": "....\n1232\n",
    "mines.txt": "****\n1232\n",
    "flag.txt": "F1.\n...\n",
    "noflag.txt": "x1.\n...\n",
    "torn.txt": "1.3\n...\n",
    "even.txt": "..\n11\n",
}


@pytest.fixture(autouse=True)
def files(tmp_path: Path) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")


def hinted(run: Run, *words: str) -> tuple[int, dict[str, Any]]:
    status, out, err = run("hint", *words, "--json")
    assert err == ""
    content = json.loads(out)
    assert isinstance(content, dict)
    return status, content


def test_hint_says_and_draws_one_step(twinproof: Run) -> None:
    status, out, err = twinproof("hint", "akari", "lamps.txt", "--position", "lit.txt")
    assert (status, err) == (0, "")
    assert out.splitlines() == [
        "light and number (grade 3): the 1 in row 3, column 3 lacks 1 bulb, and row 2, column 2 must be lit from "
        "beside it; so there is no bulb in row 3, column 4; row 4, column 3",
        " #  #  .  #  #",
        " #  x (.) #  .",
        " . (.) 1 [x] .",
        " #  # [x] .  .",
        "[ ] found by this step   ( ) what it rests on   * known   x known to be empty",
    ]


def test_hint_draws_the_regions(twinproof: Run) -> None:
    status, out, _ = twinproof("hint", "queens", "six.txt")
    assert status == 0
    lines = out.splitlines()
    assert lines[1] == "+---+---+---+---+---+---+"
    # Region A, and the cell that touches all of it.
    assert lines[2].startswith("|( ) ( ) ( )|")
    assert lines[4].startswith("|( )|[x]")
    assert "row 2, column 2" in lines[0]


def test_hint_draws_a_puzzle_that_has_no_drawing_of_its_own() -> None:
    akari = PUZZLES.find("akari")
    plain = replace(akari, look=replace(akari.look, lines=None))
    found = find_hint(plain, LightUpPuzzle(("1.", "#.")), {})
    assert draw_hint(found) == [" 1 [*]", " #  ."]


def test_flags_that_are_not_known_stay_on_the_board() -> None:
    mines = PUZZLES.find("minesweeper")
    found = find_hint(mines, MinesweeperPuzzle(("F1.", "...")), {})
    # The flag is trusted, so nothing is said of it.
    assert draw_hint(found, mark_step=False) == [" F  1  x", " x  x  x"]
    assert hardest(found.steps) == 1


def test_hints_one_by_one_lead_the_same_way_as_all(twinproof: Run, tmp_path: Path) -> None:
    _, all_steps = hinted(twinproof, "queens", "six.txt", "--all")
    assert (all_steps["solved"], all_steps["grade"], all_steps["state"]) == (True, 2, "step")
    assert [row.replace("x", ".") for row in all_steps["layout"]] == FILES["solved.txt"].split()
    taken = []
    status, content = hinted(twinproof, "queens", "six.txt")
    while content["state"] == "step":
        assert (status, len(content["steps"])) == (0, 1)
        taken += content["steps"]
        (tmp_path / "next.json").write_text(json.dumps(content))
        status, content = hinted(twinproof, "queens", "six.txt", "--position", "next.json")
    # With --all, what one rule finds is taken at once, so that the steps may differ, and not the rules needed.
    assert max(step["grade"] for step in taken) == 2
    assert taken[0] == all_steps["steps"][0]
    assert {tuple(c) for step in taken for c in step["marked"]} == {
        tuple(c) for step in all_steps["steps"] for c in step["marked"]
    }
    assert (status, content["state"], content["steps"]) == (0, "solved", [])


def test_hint_all_is_numbered(twinproof: Run) -> None:
    status, out, _ = twinproof("hint", "minesweeper", "beach.txt", "--all")
    assert status == 0
    assert out.splitlines() == [
        "1. single clue (grade 1): the 3 in row 2, column 3 lacks 3 mines and has only so many cells left; "
        "so mines are in row 1, columns 2, 3 and 4",
        "2. single clue (grade 1): the 1 in row 2, column 1 has all its mines; so row 1, column 1 is safe",
        " x  *  *  *",
        " 1  2  3  2",
        "solved in 2 steps, the hardest of grade 1",
    ]


def test_hint_knows_that_no_mines_are_no_mines(twinproof: Run, tmp_path: Path) -> None:
    (tmp_path / "hidden.txt").write_text("?..\n", encoding="utf-8")
    status, content = hinted(twinproof, "minesweeper", "hidden.txt", "--mines", "0")
    assert (status, content["solved"], content["layout"]) == (0, True, ["?xx"])


def test_hint_says_that_a_position_is_solved(twinproof: Run) -> None:
    status, out, _ = twinproof("hint", "queens", "six.txt", "--position", "solved.txt")
    assert status == 0
    assert out.splitlines()[-1] == "solved: nothing is left to find"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        # The star in the corner of region C is wrong, the one of region F is right.
        (
            ["queens", "six.txt", "--position", "wrong.txt"],
            "row 6, column 6 is marked '*', and row 6, column 6 is empty",
        ),
        (
            ["queens", "six.txt", "--position", "touching.txt"],
            "the stars in row 1, column 1 and row 2, column 2 touch",
        ),
        # No solution has a queen in a corner.
        (["starbattle", "four.txt", "--position", "corners.txt"], "row 1, column 1 is marked '*'"),
        (["akari", "corner.txt", "--position", "walled.txt"], "row 1, column 2 is marked 'x', and a bulb is in"),
        (
            ["akari", "corner.txt", "--position", "walled.txt"],
            "row 1, column 1 is marked '*', and there is no bulb",
        ),
        (["minesweeper", "flag.txt", "--position", "noflag.txt"], "row 1, column 1 is marked 'x', and"),
        (
            ["minesweeper", "beach.txt", "--position", "mines.txt"],
            "row 1, column 1 is marked '*', and row 1, column 1 is safe",
        ),
    ],
)
def test_hint_says_what_is_wrong_with_a_position(twinproof: Run, words: list[str], said: str) -> None:
    status, out, err = twinproof("hint", *words)
    assert (status, err) == (1, "")
    assert out.startswith("the position is wrong:\n")
    assert said in out
    status, content = hinted(twinproof, *words)
    assert (status, content["state"], content["steps"]) == (1, "wrong", [])
    assert any(said in line for line in content["wrong"])


def test_hint_names_marks_that_only_together_are_wrong(twinproof: Run, tmp_path: Path) -> None:
    # Each of the two placings of four queens has one of these marks.
    (tmp_path / "torn_marks.txt").write_text(".*..\n*...\n....\n....\n")
    status, content = hinted(twinproof, "starbattle", "four.txt", "--position", "torn_marks.txt")
    assert (status, content["state"]) == (1, "wrong")
    assert "the stars in row 1, column 2 and row 2, column 1 touch" in content["wrong"][0]
    (tmp_path / "apart.txt").write_text(".*..\nx..x\n....\n....\n")
    status, content = hinted(twinproof, "starbattle", "four.txt", "--position", "apart.txt")
    assert (status, content["state"]) == (1, "wrong")
    assert content["wrong"] == [
        "no solution has all of these marks: '*' in row 1, column 2; 'x' in row 2, column 4"
    ]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["starbattle", "three.txt"], "the puzzle has no solution"),
        (["akari", "grid.txt"], "the puzzle has no solution"),
        (["minesweeper", "torn.txt"], "these rules cannot hold together:"),
    ],
)
def test_hint_says_that_a_puzzle_has_no_solution(twinproof: Run, words: list[str], said: str) -> None:
    status, out, err = twinproof("hint", *words)
    assert (status, err) == (1, "")
    assert said in out
    status, content = hinted(twinproof, *words, "--all")
    assert (status, content["state"]) == (1, "no solution")


def test_hint_says_that_nothing_more_can_be_concluded(twinproof: Run) -> None:
    # A cell of four queens that no rule of grade 1 to 3 tells of: no queen stands in a corner.
    status, content = hinted(twinproof, "starbattle", "four.txt", "--all")
    assert (status, content["solved"]) == (0, False)
    corners = {(1, 1), (1, 4), (4, 1), (4, 4)}
    empty = {(r, c) for step in content["steps"] for r, c in step["empty"]}
    assert empty == corners | {(2, 2), (2, 3), (3, 2), (3, 3)}
    status, out, _ = twinproof("hint", "minesweeper", "even.txt")
    assert status == 1
    assert "nothing more can be concluded" in out


def test_hint_falls_back_on_the_engine(twinproof: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    # Without suppositions the rules do not finish this one; every other step is the engine's.
    easy = tuple(rule for rule in starbattle.HINTS.rules if rule.human.grade == 1)
    monkeypatch.setattr(starbattle, "HINTS", replace(starbattle.HINTS, rules=easy))
    status, content = hinted(twinproof, "queens", "six.txt", "--all")
    assert (status, content["solved"], content["grade"]) == (0, True, None)
    assert "proof" in {step["rule"] for step in content["steps"]}
    assert [row.replace("x", ".") for row in content["layout"]] == FILES["solved.txt"].split()
    status, out, _ = twinproof("hint", "queens", "six.txt", "--all")
    assert out.splitlines()[0].startswith("1. proof (beyond the rules): ")
    assert out.splitlines()[-1].endswith("beyond the rules")


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["hops", "scarecrow"], "hint: hops is no puzzle"),
        (["sprinklers", "scarecrow"], "hint: sprinklers is no puzzle"),
        (["chess", "six.txt"], "puzzle 'chess': unknown"),
        (["queens", "none.txt"], "none.txt: cannot be read"),
        (["queens", "six.txt", "--position", "none.txt"], "none.txt: cannot be read"),
        (["queens", "-", "--position", "-"], "INSTANCE and --position cannot both be standard input"),
        (["queens", "six.txt", "--position", "short.txt"], "short.txt: 1 rows; the puzzle has 6"),
        (
            ["queens", "six.txt", "--position", "narrow.txt"],
            "narrow.txt: row 1: 5 cells; the puzzle has 6 columns",
        ),
        (
            ["queens", "six.txt", "--position", "mark.txt"],
            "mark.txt: row 1, column 1: 'o'; it must be '*', 'x' or '.'",
        ),
        (
            ["akari", "lamps.txt", "--position", "no_wall.txt"],
            "no_wall.txt: row 2, column 4: '.'; it must be '#' there",
        ),
        (["akari", "lamps.txt", "--stars", "2"], "--stars: not an option of lightup"),
        (["queens", "six.txt", "--record", "six.txt"], "six.txt: the name must end in .json"),
    ],
)
def test_hint_refuses_bad_input_in_one_line(twinproof: Run, words: list[str], line: str) -> None:
    status, out, err = twinproof("hint", *words)
    assert (status, out) == (2, "")
    assert err.startswith(f"twinproof: {line}")
    assert err.count("\n") == 1


def test_hint_writes_a_record(twinproof: Run, tmp_path: Path) -> None:
    status, content = hinted(twinproof, "queens", "six.txt", "--record", "hint.json")
    written = json.loads((tmp_path / "hint.json").read_text())
    assert status == 0
    assert written == content | {"command": "twinproof hint queens six.txt --record hint.json --json"}


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
