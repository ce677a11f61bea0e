"""Tents and Trees: both engines, the rules and the clauses against brute force, and the text form."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from tents import PUZZLE
from tents.cpsat import build_cpsat
from tents.formats import FORMATS
from tents.instance import TentsPuzzle, read_layout
from tents.maxsat import build_maxsat, build_rules

from tests.contract.trials.tents import known, puzzles
from tests.oracle.tents import Cell, camps
from tests.support.examples import examples
from twinproof.optim import InputError, Outcome
from twinproof.optim.engine import solve
from twinproof.optim.request import Threshold
from twinproof.optim.sat.mus import mus_of_rules

Rows = tuple[str, ...]
BUILDERS: dict[str, Callable[..., Any]] = {"cpsat": build_cpsat, "maxsat": build_maxsat}
relaxed = examples(40)

# Solved by hand: below the middle tree, its tent would touch that of the right one. So it is above, and row 1 is
# full: the left tree has its tent below it, and the right one, as row 2 has none, below it too.
CAMP = TentsPuzzle(("....", "T.T.", "...T", "...."), (1, 0, 1, 1), (1, 0, 1, 1), "camp")


def ask(engine: str, puzzle: TentsPuzzle, objective: str, threshold: Threshold | None = None) -> Outcome[Rows]:
    return solve(engine, partial(BUILDERS[engine], puzzle, objective), threshold=threshold, isolated=False)


@relaxed
@given(puzzle=puzzles())
def test_tents_rules_conflict_exactly_if_there_is_no_solution(puzzle: TentsPuzzle) -> None:
    model, rules = build_rules(puzzle)
    found = mus_of_rules(model)
    assert (found is None) == any(camp.broken == 0 for camp in known(puzzle))
    if found is None:
        return
    numbers = {rules[place] for place in found[0]}
    # The conflict remains when all other numbers are dropped.
    rows = [number if line_rule("row", i, numbers) else None for i, number in enumerate(puzzle.row_numbers)]
    columns = [
        number if line_rule("column", i, numbers) else None for i, number in enumerate(puzzle.column_numbers)
    ]
    assert not any(camp.broken == 0 for camp in camps(puzzle.grid, rows, columns))


def line_rule(line: str, place: int, rules: Any) -> bool:
    return any(rule.rule == line and rule.message.startswith(f"{line} {place + 1} must") for rule in rules)


@pytest.mark.parametrize(
    ("layout", "rule", "cells"),
    [
        (("....", "*.T*", "*..T", "..*."), "tent on tree", ((1, 0),)),
        (("..*.", "T.T*", "*..T", "...."), "touching", ((0, 2), (1, 3))),
        (("....", "T.T.", "*..T", "...*"), "tree", ((1, 2),)),
        (("*.*.", "T.T.", "*..T", "...*"), "tent", ((0, 0), (1, 0), (2, 0))),
        (("*.*.", "T.T.", "...T", "...*"), "row", ()),
        (("..*.", "T*T.", "...T", "...*"), "column", ()),
    ],
)
def test_tents_rules_name_the_broken_rule_and_its_cells(layout: Rows, rule: str, cells: tuple[Cell, ...]) -> None:
    found = PUZZLE.rules.violations(CAMP, layout)
    assert cells in [broken.cells for broken in found if broken.rule == rule]


def test_tents_between_two_trees_belongs_to_one_of_them() -> None:
    # A chain of three trees with tents between them lacks one tent, wherever the pairs begin.
    chain = TentsPuzzle(("T.T.T.",), (None,), (None,) * 6)
    assert [broken.rule for broken in PUZZLE.rules.violations(chain, ("T*T*T.",))] == ["tree"]
    assert PUZZLE.rules.violations(chain, ("T*T*T*",)) == []


@pytest.mark.parametrize("engine", BUILDERS)
def test_tents_camp_has_the_one_solution_known_by_hand(engine: str) -> None:
    solution = ("..*.", "T.T.", "*..T", "...*")
    assert ask(engine, CAMP, "solution").layout == solution
    assert ask(engine, replace(CAMP, apart_from=solution), "farthest").value == 0


def test_tents_text_cannot_say_a_layout_to_differ_from() -> None:
    with pytest.raises(InputError, match="cannot say the layout to differ from"):
        FORMATS["text"].write(replace(CAMP, apart_from=CAMP.grid))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "must be rows with their numbers, and below them"),
        ("T. 1", "must be rows with their numbers, and below them"),
        ("T.\n1 0", "line 1: must be a row, a blank and the row's number or '-'"),
        ("T. 1\n1", "1 number of columns, the grid has 2 columns"),
        ("T. x\n1 0", "line 1: 'x': must be a number of tents, or '-'"),
        ("T. 1\n1 \u0661", "line 2: '\u0661': must be a number of tents, or '-'"),
        ("T. 1\n1 99999999999999999999", "line 2: '99999999999999999999': must be a number"),
        ("T. 3\n1 0", "row 1: 3 tents in 2 cells"),
        ("T. 1\n0 2", "column 2: 2 tents in 1 cell"),
        ("Tx 1\n0 0", "row 1, column 2: 'x' is no tree ('T') or open cell ('.')"),
        ("T. 1\nT 0\n1 0", "row 2 has 1 cell, row 1 has 2"),
    ],
)
def test_tents_text_that_is_no_puzzle_is_refused_in_one_line(text: str, said: str) -> None:
    with pytest.raises(InputError) as refused:
        FORMATS["text"].read(text, "board")
    assert str(refused.value).startswith(f"board: {said}")
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ({}, "grid: is missing"),
        ({"grid": ["T."], "row_numbers": 1, "column_numbers": [], "name": "x"}, "row_numbers: must be a list"),
        ({"grid": ["T."], "row_numbers": [True], "column_numbers": [], "name": "x"}, "row_numbers: must be whole"),
        ({"grid": ["T."], "row_numbers": [1], "column_numbers": [1], "name": "x"}, "1 number of columns"),
    ],
)
def test_tents_json_that_is_no_puzzle_is_refused(content: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        PUZZLE.from_json(content)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("....\nT.T.\n....\n", "the layout must have 4 rows of 4 cells"),
        ("....\nT.T.\n....\n....\n", "row 3, column 4: '.' is no tent ('*') and not 'T'"),
        ("\n", "no grid in it"),
    ],
)
def test_tents_layout_that_does_not_fit_is_refused(text: str, said: str) -> None:
    with pytest.raises(InputError) as refused:
        read_layout(CAMP, text, "layout")
    assert str(refused.value) == f"layout: {said}"


def test_tents_drawing_shows_the_numbers_of_rows_and_columns() -> None:
    long = TentsPuzzle(("T.",) * 20, (1, None) * 10, (None, 10), "long")
    drawn = PUZZLE.look.lines
    assert drawn is not None
    assert drawn(CAMP, ("..*.", "T.T.", "*..T", "...*"))[:2] == [". . * . 1", "T . T . 0"]
    assert list(drawn(CAMP, CAMP.grid))[-1] == "1 0 1 1"
    assert list(drawn(long, long.grid))[-3:] == ["T .", "  1", "  0"]
