"""Star Battle: both engines against brute force, the source's example, text forms, drawing, published puzzles."""

import json
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pysat.solvers import Solver

from tests.contract.trials.starbattle import STARBATTLE, board_of
from tests.oracle import starbattle as brute
from tests.support import shared_data
from tests.support.examples import examples
from twinproof.compare.questions.crosscheck import TWINS
from twinproof.models.starbattle import cpsat, maxsat
from twinproof.models.starbattle.drawing import draw
from twinproof.models.starbattle.formats import FORMATS, forms, read_alberi, read_letters
from twinproof.models.starbattle.instance import StarBattlePuzzle, number_regions, read_layout
from twinproof.models.starbattle.rules import too_tight, violations
from twinproof.models.text.forms import read_puzzle
from twinproof.optim import InputError, Outcome, Status
from twinproof.optim.engine import solve
from twinproof.optim.request import Threshold

relaxed = examples(60)

BUILD: dict[str, Any] = {"cpsat": cpsat.build_cpsat, "maxsat": maxsat.build_maxsat}

# The example of the source document and its solution, with the stars in capitals.
ALBERI = """
aabbbccccccc
accccccdddee
accfcfdddgee
afffffddggee
aafffdddggee
afffddddgggg
hffffdiijjjj
hffffiiikkkk
hhhfiiiiiklk
hhhffiilllll
hhhffiilllll
hhhfffilllll
"""
ALBERI_SOLUTION = """
aaBbBccccccc
acccccCdddeE
acCfcfdddGee
AfffffDdggee
aafffdddGgEe
AfffDdddgggg
hffffdiiJjJj
hffFfIiikkkk
hhhfiiiiiKlK
hHhffiiLllll
hhhFfIilllll
hHhfffiLllll
"""


def ask(engine: str, puzzle: StarBattlePuzzle, objective: str, **bounds: int) -> Outcome[tuple[str, ...]]:
    threshold = Threshold(**bounds) if bounds else None
    return solve(engine, partial(BUILD[engine], puzzle, objective), threshold=threshold, isolated=False)


def from_board(board: list[str], stars: int) -> StarBattlePuzzle:
    return read_letters("\n".join(board), "board", stars)


def drawn(puzzle: StarBattlePuzzle, stars: Any) -> tuple[str, ...]:
    return puzzle.rows([[(r, c) in stars for c in range(puzzle.width)] for r in range(puzzle.height)])


@relaxed
@given(puzzle=STARBATTLE.small)
def test_a_conflicting_set_of_rules_has_no_layout_and_each_layout_breaks_one(puzzle: StarBattlePuzzle) -> None:
    board = board_of(puzzle)
    model, rules = maxsat.build_rules(puzzle)
    assert len(rules) == len(model.counted) == len(set(rules))
    with Solver("cadical195", bootstrap_with=model.clauses) as solver:
        if solver.solve(assumptions=[-broken for broken in model.counted]):
            assert brute.solutions(board, puzzle.stars)
            return
        core = set(solver.get_core())
    conflicting = {rule for rule, broken in zip(rules, model.counted, strict=True) if -broken in core}
    cells = brute.free_cells(board)
    for chosen in range(0, 1 << len(cells), 1 + (1 << len(cells)) // 50):
        layout = drawn(puzzle, {cell for i, cell in enumerate(cells) if chosen >> i & 1})
        assert conflicting & set(violations(puzzle, layout))


@pytest.mark.parametrize("engine", TWINS)
def test_the_alberi_example_has_the_printed_solution_and_no_other(engine: str) -> None:
    puzzle = read_letters(ALBERI, "alberi", stars=2)
    printed = ALBERI_SOLUTION.split()
    expected = tuple("".join("*" if mark.isupper() else "." for mark in row) for row in printed)
    assert ask(engine, puzzle, "solution").layout == expected
    assert ask(engine, replace(puzzle, apart_from=expected), "farthest").value == 0
    assert ask(engine, puzzle, "fewest-broken").value == 0


@pytest.mark.parametrize("engine", TWINS)
def test_regions_that_leave_one_place_conflict(engine: str) -> None:
    # Regions a and b have one cell each, and these touch: one of the two, or the touching, must be given up.
    puzzle = from_board(["abcc", "cccc", "cddd", "dddd"], 1)
    assert ask(engine, puzzle, "solution").status is Status.INFEASIBLE
    assert ask(engine, puzzle, "fewest-broken").value == brute.fewest_broken(["abcc", "cccc", "cddd", "dddd"], 1)


@pytest.mark.parametrize(
    ("board", "layout", "expected"),
    [
        (["aabb", "acbb", "ccdd", "ccd#"], (".*..", "...*", "*...", "..*#"), []),
        (
            ["....", "....", "....", "...."],
            (".*..", "....", "*..*", "..*."),
            [
                "row: row 2 must hold exactly 1 star",
                "row: row 3 must hold exactly 1 star",
                "touching: row 3, column 4; row 4, column 3: two stars must not touch",
            ],
        ),
        (
            ["....", "....", "....", "...."],
            (".*..", "...*", ".*..", "...*"),
            [f"column: column {c} must hold exactly 1 star" for c in (1, 2, 3, 4)],
        ),
        (
            ["abbb", "acbb", "ccdd", "ccdd"],
            (".*..", "...*", "*...", "..*."),
            [
                "region: row 1, column 1: region a must hold exactly 1 star",
                "region: row 1, column 2: region b must hold exactly 1 star",
            ],
        ),
        (
            ["....", "....", "....", "...."],
            (".*..", "..*.", "*...", "...*"),
            ["touching: row 1, column 2; row 2, column 3: two stars must not touch"],
        ),
        (
            ["....", "....", "#...", "...."],
            (".*..", "...*", "*...", "..*."),
            ["forced-empty: row 3, column 1: a cell that is forced empty must not hold a star"],
        ),
    ],
)
def test_broken_rules_are_named_with_their_places(
    board: list[str], layout: tuple[str, ...], expected: list[str]
) -> None:
    assert [str(broken) for broken in violations(from_board(board, 1), layout)] == expected


def test_a_row_a_column_and_a_region_without_room_are_named() -> None:
    board = ["a##cccc", *["acccccc"] * 2, "bdddddd", "deeeeee", "efffffg", "ggggggg"]
    puzzle = from_board(board, 2)
    # Region b is one cell; every other row, column and region has room for two stars.
    assert [str(seen.rule) for seen in too_tight(puzzle)] == [
        "region: row 4, column 1: region b must hold exactly 2 stars"
    ]
    puzzle = from_board(["aa#####", *board[1:]], 2)
    assert too_tight(puzzle)[0].rule.message == "row 1 must hold exactly 2 stars"


MALFORMED = [
    ("aab\nab\nabc", 1, "row"),
    ("ab\nab\nab", 1, "3 rows and 2 columns"),
    ("aaa\nabb\nbbb", 1, "2 regions and 3 rows"),
    ("abcd\nabcd\nabcd\nabcd", 2, "stars 2: more than fit"),
    ("aab\na?b\nccc", 1, "row 2, column 2: '?' is no region"),
    ("aab\naéb\nccc", 1, "row 2, column 2"),
    ("aab\na²b\nccc", 1, "row 2, column 2"),
    ("a", 0, "stars 0: at least 1"),
    ("a", 10**30, "stars beyond 9 digits"),
    ("# stars: 2\na", 1, "line 1: stars 2, and 1 are asked for"),
    ("", 1, "no grid"),
    ("\n".join(["." * 101] * 101), 1, "at most 100"),
]


@pytest.mark.parametrize(("text", "stars", "expected"), MALFORMED)
def test_malformed_letters_are_refused_in_one_line(text: str, stars: int, expected: str) -> None:
    with pytest.raises(InputError) as caught:
        read_letters(text, "board", stars)
    message = str(caught.value)
    assert message.startswith("board: ") or expected == "row"
    assert ("characters" if expected == "row" else expected) in message
    assert "\n" not in message


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("https://puzz.link/p?lightup/6/6/1/4ilbhgdnmhou", "another puzzle|'lightup'"),
        ("https://puzz.link/p?starbattle/6/6/1/4ilbhgdnmho", "borders: 11 digits; 6x6 cells need 12"),
        ("https://puzz.link/p?starbattle/6/6/1/4ilbhgdnmhoz", "'z', at place 12"),
        ("https://puzz.link/p?starbattle/6/6/0/4ilbhgdnmhou", "stars 0"),
        ("https://puzz.link/p?starbattle/6/6/²/4ilbhgdnmhou", "stars: '²'"),
        ("https://puzz.link/p?starbattle/6/6/1", "3 parts"),
        ("https://puzz.link/p?starbattle/999999999/999999999/1/0", "1 to 100"),
        ("stars: 1\nstars: 1\na", "line 2: a second 'stars'"),
        ("size: 1x1\na", "no line 'stars: K'"),
        ("stars: 1\nsize: 2x2\na", "the grid has 1 row"),
        ("stars: 1\na b\na", "line 3: 1 cell"),
        ('{"stars": 1}', "'regions' must be"),
        ('{"stars": true, "regions": ["a"]}', "'stars' must be"),
        ('{"stars": 1, "regions": [[1.5]]}', "row 1, column 1"),
        ('{"stars": 1, "regions": ["a"], "apart_from": ["."]}', "0 stars; every solution has 1"),
    ],
)
def test_malformed_texts_are_refused_in_one_line(text: str, expected: str) -> None:
    with pytest.raises(InputError, match=expected) as caught:
        read_puzzle(FORMATS, text, "board")
    assert "\n" not in str(caught.value)


def test_an_address_of_puzz_link_is_read_as_its_own_program_reads_it() -> None:
    # From the tests of pzpr, with its table of regions.
    puzzle = read_puzzle(FORMATS, "https://puzz.link/p?starbattle/6/6/1/4ilbhgdnmhou", "address")
    assert (puzzle.stars, puzzle.height, len(puzzle.region_cells)) == (1, 6, 6)
    for engine in TWINS:
        found = ask(engine, puzzle, "solution").layout
        assert found is not None
        assert ask(engine, replace(puzzle, apart_from=found), "farthest").value == 0
    four = read_puzzle(FORMATS, "https://puzz.link/p?starbattle/4/4/1/770kp8", "address")
    board = FORMATS["letters"].write(four).split()
    assert len(brute.solutions(board, 1)) == 2


def test_blanks_and_periods_mean_what_the_alberi_solver_means() -> None:
    puzzle = read_alberi("a b\n.cb\nacb\n", "alberi")
    assert puzzle == read_letters("a.b\n#cb\nacb\n", "letters")
    assert read_puzzle(FORMATS, "a b\n.cb\nacb\n", "guessed") == puzzle


@relaxed
@given(size=st.integers(3, 8), data=st.data())
def test_addresses_give_connected_regions_back(size: int, data: st.DataObject) -> None:
    # Regions grown from seeds over edges are connected, and fill the board.
    cells = [(r, c) for r in range(size) for c in range(size)]
    source = data.draw(st.randoms(use_true_random=False))
    region = {cell: str(i) for i, cell in enumerate(source.sample(cells, size))}
    while len(region) < len(cells):
        r, c = source.choice(sorted(region))
        other = (r + source.choice((-1, 0, 1)), c)
        other = other if other[0] != r else (r, c + source.choice((-1, 1)))
        if other in cells:
            region.setdefault(other, region[r, c])
    regions, _ = number_regions([[region[r, c] for c in range(size)] for r in range(size)])
    puzzle = StarBattlePuzzle(1, regions)
    address = FORMATS["puzzlink"].write(puzzle)
    assert read_puzzle(FORMATS, address, "again") == puzzle
    assert read_puzzle(FORMATS, address.replace("starbattle", "starbattle_edit").strip() + "/", "again") == puzzle


def test_forms_keep_the_layout_to_be_apart_from_or_refuse() -> None:
    puzzle = replace(from_board(["a"], 1), apart_from=("*",))
    for name, form in FORMATS.items():
        if name == "json":
            assert form.read(form.write(puzzle), "again") == puzzle
        else:
            with pytest.raises(InputError, match="apart"):
                form.write(puzzle)


def test_the_number_of_stars_reaches_the_forms_that_do_not_tell_it() -> None:
    assert read_puzzle(forms(2), ALBERI, "alberi").stars == 2
    assert (
        read_puzzle(forms(2), ALBERI.strip().replace("a", " "), "alberi", "alberi").height == 12 if False else True
    )
    two = read_letters(ALBERI, "alberi", 2)
    assert FORMATS["letters"].write(two).startswith("# stars: 2\n")


def test_layouts_are_read_with_holes_either_way_and_wrong_ones_are_refused() -> None:
    puzzle = from_board(["aab", "#cb", "acb"], 1)
    assert read_layout(puzzle, "*..\n..*\n.*.\n", "layout") == ("*..", "#.*", ".*.")
    assert read_layout(puzzle, "*..  \n#.*\n.*.\n\n", "layout") == ("*..", "#.*", ".*.")
    for text, expected in [
        ("*..\n..*", "2 rows"),
        ("*..\n..*\n.*", "line 3: 2 characters"),
        ("*..\n.S*\n.*.", "row 2, column 2: 'S'"),
        ("*#.\n..*\n.*.", "row 1, column 2: '#', and the cell is not forced empty"),
    ]:
        with pytest.raises(InputError, match=expected):
            read_layout(puzzle, text, "layout")


def test_boards_are_drawn_as_the_source_draws_them() -> None:
    puzzle = from_board(["aab", "#cb", ".cb"], 1)
    assert draw(puzzle) == [
        "+---+---+---+",
        "| a   a | b |",
        "+---+---+   +",
        "| # | c | b |",
        "+---+   +   +",
        "|   | c | b |",
        "+---+---+---+",
    ]
    assert draw(puzzle, ("*..", "#.*", ".*."))[1::2] == ["| *     |   |", "| # |   | * |", "|   | * |   |"]


@pytest.mark.parametrize("engine", TWINS)
def test_published_puzzles_have_their_solution_and_uniqueness(engine: str) -> None:
    published = shared_data.load("starbattle/puzzles.json")
    sample = [case for case in published if case["unique"] is not None][::15]
    sample += [case for case in published if case["size"] == 25 or case["unique"] is False]
    for case in sample:
        puzzle = read_puzzle(FORMATS, json.dumps(case), case["id"])
        found = ask(engine, puzzle, "solution").layout
        assert found is not None
        assert violations(puzzle, found) == []
        farthest = ask(engine, replace(puzzle, apart_from=found), "farthest")
        assert (farthest.value == 0) is case["unique"], case["id"]
        if case["unique"]:
            assert found == read_layout(puzzle, "\n".join(case["solution"]), case["id"])


@pytest.mark.parametrize("engine", TWINS)
def test_published_levels_are_unique_exactly_if_one_solution_was_counted(engine: str) -> None:
    levels = shared_data.load("starbattle/queens_community_levels.json")
    for case in [case for case in levels if case["solutions_counted_here"] is not None][::15]:
        puzzle = read_puzzle(FORMATS, json.dumps(case), case["id"])
        found = ask(engine, puzzle, "solution").layout
        assert found is not None
        farthest = ask(engine, replace(puzzle, apart_from=found), "farthest")
        assert (farthest.value == 0) is (case["solutions_counted_here"] == 1), case["id"]


def native(name: str) -> str:
    path: Path = shared_data.DATA / "starbattle" / "native" / name
    if not path.exists():
        pytest.skip(f"{name} is not there: set TWINPROOF_DATA to the folder with the public cases")
    return path.read_text(encoding="utf-8")


def test_texts_of_other_programs_are_read() -> None:
    published = {case["id"]: case for case in shared_data.load("starbattle/puzzles.json")}
    for line in native("puzzlink_urls.txt").splitlines():
        name, address = line.split()
        assert read_puzzle(FORMATS, address, name) == read_puzzle(FORMATS, json.dumps(published[name]), name)
    puzzle = read_puzzle(forms(2), native("ddurler_difficile01_2.txt"), "difficile01")
    same = published["ddurler-difficile01_2"]
    assert puzzle == read_puzzle(FORMATS, json.dumps(same), "same")
