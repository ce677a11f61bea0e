"""Light Up: both engines against brute force, the rules, the forms, the drawing, and public puzzles."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from hypothesis import example, given
from pysat.examples.musx import MUSX

from tests.contract.trials.lightup import beside, puzzles
from tests.oracle.lightup import Cell, lightings, seen_from
from tests.support import shared_data
from tests.support.examples import examples
from twinproof.models.grid import MAX_TILES
from twinproof.models.lightup import rules
from twinproof.models.lightup.at_sight import dark_cells, impossible_clues, reasons
from twinproof.models.lightup.cpsat import build_cpsat
from twinproof.models.lightup.drawing import draw
from twinproof.models.lightup.formats import FORMATS
from twinproof.models.lightup.instance import LightUpPuzzle, read_layout
from twinproof.models.lightup.maxsat import build_maxsat, build_rules
from twinproof.models.text.forms import read_puzzle
from twinproof.optim import InputError, Outcome, Status
from twinproof.optim.engine import solve
from twinproof.optim.maxsat import post
from twinproof.optim.request import Threshold

Rows = tuple[str, ...]
ENGINES = ("cpsat", "maxsat")
relaxed = examples(40)

# The tutorial's own puzzle, as it writes it.
SOURCE = """cells = [
    [' ',' ',' ','0',' ',' ',' '],
    [' ',' ',' ',' ','1',' ',' '],
    [' ','2',' ',' ',' ',' ',' '],
    ['3',' ',' ',' ',' ',' ','W'],
    [' ',' ',' ',' ',' ','2',' '],
    [' ',' ','W',' ',' ',' ',' '],
    [' ',' ',' ','2',' ',' ',' '],
]
"""
SOURCE_ROWS = ("...0...", "....1..", ".2.....", "3.....#", ".....2.", "..#....", "...2...")

# `3x3:d2Bb1`: one solution, with bulbs in row 1, column 3; row 2, column 1; row 3, column 2.
CORNER = LightUpPuzzle(("...", ".2#", "..1"))
CORNER_SOLUTION = ("..*", "*2#", ".*1")


def ask(
    engine: str,
    puzzle: LightUpPuzzle,
    objective: str = "solution",
    at_least: int | None = None,
    at_most: int | None = None,
) -> Outcome[Rows]:
    build: Callable[..., Any] = {"cpsat": build_cpsat, "maxsat": build_maxsat}[engine]
    return solve(
        engine, partial(build, puzzle, objective), None, None, Threshold.of(at_least, at_most), isolated=False
    )


@pytest.mark.parametrize(
    ("layout", "rule", "cells"),
    [
        (("..*", "*2*", ".*1"), "bulb on wall", ((1, 2),)),
        (("...", "*2#", ".*1"), "unlit", ((0, 1), (0, 2))),
        (("*.*", ".2#", ".*1"), "bulbs in sight", ((0, 0), (0, 2))),
        ((".*.", "*2#", "..1"), "clue", ((2, 2),)),
    ],
)
def test_lightup_rules_name_the_broken_rule_and_its_cells(
    layout: Rows, rule: str, cells: tuple[Cell, ...]
) -> None:
    found = rules.violations(CORNER, layout)
    assert [violation.cells for violation in found if violation.rule == rule] == [cells]
    assert rules.violations(CORNER, CORNER_SOLUTION) == []


def test_lightup_every_pair_of_bulbs_in_sight_is_a_violation_of_its_own() -> None:
    # Light passes over bulbs: three in a row are three pairs.
    found = rules.violations(LightUpPuzzle(("...",)), ("***",))
    assert [violation.cells for violation in found] == [((0, 0), (0, 1)), ((0, 0), (0, 2)), ((0, 1), (0, 2))]


@pytest.mark.parametrize("engine", ENGINES)
def test_lightup_corner_puzzle_has_the_one_solution_known_by_hand(engine: str) -> None:
    assert ask(engine, CORNER).layout == CORNER_SOLUTION
    apart = replace(CORNER, apart_from=CORNER_SOLUTION)
    assert ask(engine, apart, "farthest").value == 0
    assert ask(engine, apart, "farthest", at_least=1).status is Status.INFEASIBLE


@pytest.mark.parametrize("engine", ENGINES)
def test_lightup_source_example_has_one_solution(engine: str) -> None:
    puzzle = read_puzzle(FORMATS, SOURCE, "source")
    assert puzzle.rows == SOURCE_ROWS
    # Found by listing all 20032 lightings of the grid without its numbers: one meets all, 43 miss one.
    solution = (".*.0..*", "..*.1*.", "*2.*...", "3*....#", "*....2*", "..#..*.", "..*2*..")
    assert ask(engine, puzzle).layout == solution
    assert rules.violations(puzzle, solution) == []
    assert ask(engine, puzzle, "fewest-bulbs").value == ask(engine, puzzle, "most-bulbs").value == 12
    assert ask(engine, replace(puzzle, apart_from=solution), "farthest").value == 0


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("side", [1, 4, 7])
def test_lightup_open_square_takes_a_bulb_a_row(engine: str, side: int) -> None:
    # A row without a bulb needs one in every column, and a column one in every row.
    puzzle = LightUpPuzzle(("." * side,) * side)
    assert ask(engine, puzzle, "fewest-bulbs").value == ask(engine, puzzle, "most-bulbs").value == side


@pytest.mark.parametrize("engine", ENGINES)
def test_lightup_open_100x100_is_solved(engine: str) -> None:
    puzzle = LightUpPuzzle(("." * 100,) * 100)
    layout = ask(engine, puzzle).layout
    assert layout is not None
    assert rules.violations(puzzle, layout) == []


@pytest.mark.parametrize("engine", ENGINES)
def test_lightup_clue_above_its_floor_cells_has_no_solution_and_one_broken_rule(engine: str) -> None:
    puzzle = LightUpPuzzle(("3.", ".."))
    assert impossible_clues(puzzle) == ((0, 0),)
    assert ask(engine, puzzle).status is Status.INFEASIBLE
    assert ask(engine, puzzle, "fewest-broken").value == 1


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("rows", "dark"),
    [
        # The last cell is alone and beside a 0; the others are lit from the first one.
        (("..#", ".00", "#0."), ((2, 2),)),
        # Both cells of the row are beside a 0.
        (("..", "00"), ((0, 0), (0, 1))),
    ],
)
def test_lightup_dark_cell_has_no_solution_and_is_named(engine: str, rows: Rows, dark: tuple[Cell, ...]) -> None:
    puzzle = LightUpPuzzle(rows)
    assert dark_cells(puzzle) == dark
    assert ask(engine, puzzle).status is Status.INFEASIBLE


@relaxed
@given(puzzle=puzzles())
@example(puzzle=LightUpPuzzle((".0",)))
def test_lightup_reasons_are_exact_and_never_given_where_there_is_a_solution(puzzle: LightUpPuzzle) -> None:
    dark = []
    for cell in puzzle.floor:
        places = [cell, *seen_from(puzzle.rows, *cell)]
        zeros = [[puzzle.clues.get(other) for other in beside(place)].count(0) for place in places]
        if all(zeros):
            dark.append(cell)
    assert list(dark_cells(puzzle)) == dark
    if any(lighting.broken == 0 for lighting in lightings(puzzle.rows)):
        assert reasons(puzzle) == ()
    named = [seen.rule.cells[0] for seen in reasons(puzzle)]
    assert named == [*impossible_clues(puzzle), *dark_cells(puzzle)]


@relaxed
@given(puzzle=puzzles(max_floor=9))
@example(puzzle=LightUpPuzzle((".0",)))
def test_lightup_soft_clauses_name_a_minimal_conflict(puzzle: LightUpPuzzle) -> None:
    model, named = build_rules(puzzle)
    assert [violation.cells for violation in named] == [(wall,) for wall in puzzle.clues]
    wcnf = post(model, None).wcnf
    assert len(wcnf.soft) == len(named)
    if any(lighting.broken == 0 for lighting in lightings(puzzle.rows)):
        return
    with MUSX(wcnf, verbosity=0) as musx:
        conflict = [named[i - 1].cells[0] for i in musx.compute()]

    def has_solution(kept: list[Cell]) -> bool:
        rows = [list(row) for row in puzzle.rows]
        for r, c in puzzle.clues:
            if (r, c) not in kept:
                rows[r][c] = "#"
        return any(lighting.broken == 0 for lighting in lightings(["".join(row) for row in rows]))

    assert not has_solution(conflict)
    for wall in conflict:
        assert has_solution([other for other in conflict if other != wall])


@pytest.mark.parametrize("build", [build_cpsat, build_maxsat])
def test_lightup_builders_refuse_what_cannot_be_asked(build: Callable[..., Any]) -> None:
    with pytest.raises(InputError, match="farthest: light up has no layout to differ from"):
        build(CORNER, "farthest")
    with pytest.raises(InputError, match="objective 'most-light': unknown"):
        build(CORNER, "most-light")


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ((), "light up: no cell in it"),
        (("",), "light up: no cell in it"),
        (("..", "."), "light up: row 2 has 1 cell, row 1 has 2"),
        (("..", ".7"), "light up: row 2, column 2: clue 7: a wall has at most 4 bulbs beside it"),
        (("..", "*."), "light up: row 2, column 1: '*' is no floor"),
        (("\N{SUPERSCRIPT TWO}",), "light up: row 1, column 1: '\N{SUPERSCRIPT TWO}' is no floor"),
        (("." * 1000,) * (MAX_TILES // 1000 + 1), f"at most {MAX_TILES} are allowed"),
    ],
)
def test_lightup_malformed_grid_is_refused_with_its_place(rows: Rows, message: str) -> None:
    with pytest.raises(InputError) as caught:
        LightUpPuzzle(rows)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("layout", "message"),
    [
        (CORNER_SOLUTION[:2], "the layout has 2 rows, light up has 3"),
        (("..*", "*2#", ".*"), "row 3 of the layout has 2 cells, light up has 3 columns"),
        (("..*", "*1#", ".*1"), "row 2, column 2: the layout has '1', light up has '2'"),
        (("..o", "*2#", ".*1"), "row 1, column 3: 'o' is not in the legend"),
        (("..*", "*2*", ".*1"), "row 2, column 3: a wall never holds a bulb"),
    ],
)
def test_lightup_layout_to_differ_from_must_fit(layout: Rows, message: str) -> None:
    with pytest.raises(InputError) as caught:
        replace(CORNER, apart_from=layout)
    assert message in str(caught.value)


def test_lightup_layout_is_read_and_a_bulb_on_a_wall_is_left_to_the_rules() -> None:
    assert read_layout(CORNER, "\n..*\n*2#\n.*1\n\n", "file") == CORNER_SOLUTION
    assert read_layout(CORNER, "..*\r\n*2*\r\n.*1", "file") == ("..*", "*2*", ".*1")
    with pytest.raises(InputError, match="file: line 2: 2 characters, the first row has 3"):
        read_layout(CORNER, "..*\n*2\n.*1", "file")
    with pytest.raises(InputError, match="file: row 2, column 2"):
        read_layout(CORNER, "..*\n*.#\n.*1", "file")


# The same puzzle in every form; the game ID and the address are from the notes of other programs.
CORNER_FORMS = {
    "puzzlink": "https://puzz.link/p?akari/3/3/j2.hb",
    "tatham": "3x3:d2Bb1",
    "json": '{"grid": ["...", ".2#", "..1"]}',
    "text": "3 3\n- - -\n- 2 x\n- - 1",
    "grid": "...\n.2#\n..1",
}


@pytest.mark.parametrize(("form", "text"), CORNER_FORMS.items())
def test_lightup_forms_are_recognised_and_say_the_same(form: str, text: str) -> None:
    assert FORMATS[form].read(text, "text") == CORNER
    assert read_puzzle(FORMATS, text, "text") == CORNER
    assert read_puzzle(FORMATS, f"\n{text}\n", "text", form) == CORNER


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("2W \n 1W\n  W", ("2#.", ".1#", "..#")),
        ("3x3b20s2d0:d2Bb1", CORNER.rows),
        ("3x3r:d2Bb1", CORNER.rows),
        ("http://pzv.jp/p.html?bijutsukan/3/3/j2.hb/", CORNER.rows),
        # Floor behind the last wall may exceed the grid.
        ("https://puzz.link/p?lightup/2/1/g6", (".1",)),
        ("https://puzz.link/p?lightup/3/1/gb", (".1.",)),
        ('[[" ", "W"],["4", " "]]', (".#", "4.")),
        # Columns come first in both.
        ("https://puzz.link/p?lightup/2/1/h", ("..",)),
        ("2x1:b", ("..",)),
        ("52x1:zz", ("." * 52,)),
    ],
)
def test_lightup_forms_read_what_other_programs_write(text: str, rows: Rows) -> None:
    assert read_puzzle(FORMATS, text, "text").rows == rows


def test_lightup_json_alone_says_a_layout_to_differ_from() -> None:
    puzzle = replace(CORNER, apart_from=CORNER_SOLUTION)
    for form, how in FORMATS.items():
        if form == "json":
            assert how.read(how.write(puzzle), "again") == puzzle
        else:
            with pytest.raises(InputError, match="cannot say the layout to differ from"):
                how.write(puzzle)


def test_lightup_address_is_written_as_pzpr_writes_it() -> None:
    # pzpr's own example: it must come back letter by letter.
    text = "https://puzz.link/p?lightup/6/6/nekcakbl\n"
    assert FORMATS["puzzlink"].write(FORMATS["puzzlink"].read(text, "pzpr")) == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("https://puzz.link/p?starbattle/6/6/1/4ilbhgdnmhou", "an address of the puzzle 'starbattle'"),
        ("https://puzz.link/p?akari/3/3", "must go on with COLUMNS/ROWS/CELLS"),
        ("https://puzz.link/p?akari/3/3/j2.g", "says 7 cells, 3x3 has 9"),
        ("https://puzz.link/p?akari/3/3/j2.hbg", "says 12 cells"),
        ("https://puzz.link/p?akari/3/3/j2.k", "says 11 cells"),
        ("https://puzz.link/p?akari/3/3/j2fhb", "cells, character 3: 'f'"),
        ("https://puzz.link/p?akari/3/\u0663/j2.hb", "must be two whole numbers"),
        ("https://puzz.link/p?akari/3/0/j2.hb", "there must be a row and a column"),
        (f"https://puzz.link/p?akari/3/{'9' * 5000}/j2.hb", f"at most {MAX_TILES} cells"),
        ("3x3:d2Bb", "says 8 cells, 3x3 has 9"),
        ("3x3:d2Bb5", "cells, character 5: '5'"),
        ("3x3:d2Bb1zzzzzzz", "12 characters for 3x3 cells"),
        ("3x4294967296:d", f"at most {MAX_TILES} cells"),
        ('{"grid": ["..", "."]}', "row 2 has 1 cell"),
        ('{"grid": "..."}', "grid: must be a list of texts"),
        ('{"rows": 3}', "'rows': no such key"),
        ('{"kind": "starbattle", "grid": ["."]}', "kind: must be one of"),
        ('{"name": "a\\nb", "grid": ["."]}', "name: must be a text of one line"),
        ('{"name": "a"}', "grid: must be there"),
        ("{", "no JSON"),
        ("2 2\n- -", "1 row behind the first line, which says 2"),
        ("2 2\n- - -\n- -", "row 1 has 3 cells, the first line says 2"),
        ("2 2\n- -\n- 5", "row 2, column 2: '5': clue over 4"),
        ("2 2\n- -\n- q", "row 2, column 2: 'q' is no floor"),
        ("..\n.", "row 2 has 1 cell"),
        ("..\n.?", "row 2, column 2: '?' is no floor"),
        ("..\n.8", "row 2, column 2: clue 8"),
        ("[[' ','0'],[' ']]", "row 2: 1 cell set apart, the first row has 2"),
        ("[[' ','10']]", "row 1, column 2: '10' is not one character"),
        ("[[' ',,'0']]", "row 1, column 2: must be one character"),
        ("[[' ','0']] + 1", "and nothing else"),
        ("", "no cell in it"),
        ("..\n\n..", "line 2: 0 characters, the first row has 2"),
        # Nothing says whether the first column is floor.
        ("   \n 2W\n  1", "--format grid takes all blanks for floor, --format spaced takes none"),
        ("# #\n1 1", "--format grid takes all blanks for floor, --format spaced takes none"),
        # One mark for floor is enough.
        ("#.1\n. 2", "line 2: 2 cells set apart, the first row has 1"),
    ],
)
def test_lightup_malformed_text_is_refused_with_its_place(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read_puzzle(FORMATS, text, "text")
    assert message in str(caught.value)
    assert str(caught.value).startswith("text: ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("rows", [("." * 300,) * 300, ("#" * 316,) * 316, ("." * 99 + "4",) * 100])
def test_lightup_large_puzzle_reads_back(form: str, rows: Rows) -> None:
    puzzle = LightUpPuzzle(rows)
    if form == "puzzlink" and rows[0][0] == "#":
        assert len(FORMATS[form].write(puzzle)) > 99_000  # one character a wall, just within an address
    assert FORMATS[form].read(FORMATS[form].write(puzzle), "text") == puzzle


def test_lightup_drawing_shows_the_beams() -> None:
    assert draw(CORNER) == [". . .", ". 2 #", ". . 1"]
    assert draw(CORNER, CORNER_SOLUTION) == ["+ - *", "* 2 #", "+ * 1"]
    # A bulb without its light on the far side of a wall, and one row that stays dark.
    assert draw(LightUpPuzzle(("..#.", "...1")), (".*#.", "...1")) == ["- * # .", ". | . 1"]


def sample() -> list[Any]:
    """Every tenth public puzzle, up to 40 rows."""
    every_tenth = shared_data.load("akari/puzzles.json")[::10]
    return [known for known in every_tenth if known["rows"] <= 40]


@pytest.mark.parametrize("engine", ENGINES)
def test_lightup_public_puzzles_have_the_published_solution_and_no_other(engine: str) -> None:
    for known in sample():
        solution = tuple(known["solution"])
        puzzle = LightUpPuzzle(tuple(known["grid"]), known["id"], apart_from=solution)
        assert ask(engine, puzzle).layout == solution
        assert ask(engine, puzzle, "farthest").value == 0
        assert ask(engine, puzzle, "fewest-bulbs").value == known["bulbs"]


def test_lightup_public_native_texts_are_the_puzzles_that_they_name() -> None:
    grids = {known["id"]: tuple(known["grid"]) for known in shared_data.load("akari/puzzles.json")}
    lines = (shared_data.DATA / "akari" / "native.txt").read_text(encoding="utf-8").splitlines()
    pairs = [line.split() for line in lines if not line.startswith("#")]
    assert pairs
    for text, known in pairs:
        assert read_puzzle(FORMATS, text, "native").rows == grids[known]
