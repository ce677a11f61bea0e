"""Minesweeper: both models and all that is deduced, against brute force, proofs and published cases."""

import json
import random
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from tests.contract.trials.minesweeper import layouts, mine_fields, puzzles
from tests.oracle import minesweeper as brute
from tests.oracle.conflicts import fewest_in_conflict
from tests.support.examples import examples
from tests.support.shared_data import DATA, load
from twinproof.models.grid import neighbours8
from twinproof.models.minesweeper import rules
from twinproof.models.minesweeper.count import count
from twinproof.models.minesweeper.cpsat import build_cpsat
from twinproof.models.minesweeper.deduce import deduce, deduce_cpsat
from twinproof.models.minesweeper.explain import explain, find_mus
from twinproof.models.minesweeper.instance import OBJECTIVES, MineField, MinesweeperPuzzle
from twinproof.models.minesweeper.maxsat import build_maxsat, build_rules
from twinproof.models.minesweeper.play import corner_cases, play
from twinproof.optim import InputError, Outcome, Status
from twinproof.optim.count import count_parts
from twinproof.optim.engine import solve
from twinproof.optim.request import Threshold
from twinproof.optim.sat.backbone import IncrementalFormula

Cell = tuple[int, int]
Rows = tuple[str, ...]
relaxed = examples(40)
BUILDERS: dict[str, Callable[..., Any]] = {"cpsat": build_cpsat, "maxsat": build_maxsat}
ENGINES = list(BUILDERS)

BEACH = MinesweeperPuzzle(("....", "1232"), name="beach")
"""Its mines are at columns 2, 3 and 4: one under the 1, so the third under the first 2, so three under the 3."""


def ask(
    engine: str,
    puzzle: MinesweeperPuzzle,
    objective: str,
    at_least: int | None = None,
    at_most: int | None = None,
) -> Outcome[Rows]:
    build = partial(BUILDERS[engine], puzzle, objective)
    return solve(engine, build, threshold=Threshold.of(at_least, at_most), isolated=False)


# The instance and the rules.


@given(puzzle=puzzles())
@relaxed
def test_rules_name_the_places_that_brute_force_finds(puzzle: MinesweeperPuzzle) -> None:
    for layout in brute.every_layout(puzzle.board):
        found = rules.violations(puzzle, layout)
        by_rule = {rule: [v.cells for v in found if v.rule == rule] for rule in ("clue", "flag", "total")}
        assert by_rule["clue"] == [(cell,) for cell in brute.wrong_clues(puzzle.board, layout)]
        wrong_flags = brute.wrong_flags(puzzle.board, layout) if puzzle.trust_flags else []
        assert by_rule["flag"] == [(cell,) for cell in wrong_flags]
        assert by_rule["total"] == ([()] if puzzle.mines not in (None, len(brute.mines_of(layout))) else [])


@pytest.mark.parametrize(
    ("layout", "rule"),
    [
        (("..*", "11?"), "clue"),
        ((".*.", "11?"), "flag"),
        ((".**", "11?"), "total"),
    ],
)
def test_rules_each_is_broken_alone(layout: Rows, rule: str) -> None:
    # The first clue has the first two cells beside it, the second clue all three.
    board, mines = {
        "clue": (("..F", "11?"), 1),
        "flag": (("..F", "11?"), 1),
        "total": (("..F", "12?"), 1),
    }[rule]
    layout = (layout[0], board[1])
    assert [v.rule for v in rules.violations(MinesweeperPuzzle(board, mines), layout)] == [rule]


@pytest.mark.parametrize(
    ("board", "options", "said"),
    [
        ((), {}, "empty"),
        (("",), {}, "empty"),
        (("..", "."), {}, "row 2: 1 cell, the first row has 2"),
        ((".9",), {}, "row 1, column 2: a clue is at most 8"),
        ((".", "x"), {}, "row 2, column 1: 'x'"),
        (("²",), {}, "row 1, column 1"),
        (("##",), {}, "no cell"),
        (("1..",), {"mines": 3}, "3 mines, and only 2 cells"),
        (("1.F", "1.F"), {"mines": 1}, "1 mine, and 2 flags"),
        ((".",), {"mines": -1}, "negative"),
        (("." * 400,) * 400, {}, "at most"),
        ((".1",), {"apart_from": ("*2",)}, "row 1, column 2"),
        ((".1",), {"apart_from": ("F1",)}, "row 1, column 1"),
        ((".1",), {"apart_from": ("*1", "*1")}, "2 rows"),
        ((".1",), {"apart_from": ("*",)}, "1 column"),
    ],
)
def test_a_malformed_puzzle_cannot_be_built(board: Rows, options: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said) as caught:
        MinesweeperPuzzle(board, **options)
    assert "\n" not in str(caught.value)


def test_flags_that_are_not_trusted_may_be_more_than_the_mines() -> None:
    assert MinesweeperPuzzle(("1FF",), 1, trust_flags=False).trusted == ()


# The objectives.


@relaxed
@given(puzzle=puzzles(max_unknown=6))
def test_build_rules_names_the_rule_of_every_counted_literal(puzzle: MinesweeperPuzzle) -> None:
    model, names = build_rules(puzzle)
    assert len(model.counted) == len(names)
    with IncrementalFormula(model.clauses) as formula:
        assignment = formula.solve()
    assert assignment is not None
    values = [int(v in assignment) for v in range(model.top + 1)]
    # A variable that stands in no clause is false here, and its negation true.
    broken = {names[i] for i, lit in enumerate(model.counted) if values[abs(lit)] == (lit > 0)}
    expected = brute.broken(puzzle.board, puzzle.mines, puzzle.trust_flags, model.read(values))
    assert {rule.cells[0] if rule.cells else "total" for rule in broken} == expected


@pytest.mark.parametrize("engine", ENGINES)
def test_farthest_needs_a_layout_to_be_apart_from(engine: str) -> None:
    with pytest.raises(InputError, match="apart from"):
        ask(engine, BEACH, "farthest")


def test_objectives_begin_with_the_solution() -> None:
    assert next(iter(OBJECTIVES)) == "solution"


# What a board proves.


@relaxed
@given(puzzle=puzzles())
def test_deduction_by_both_engines_equals_brute_force(puzzle: MinesweeperPuzzle) -> None:
    note(repr(puzzle))
    found = deduce(puzzle)
    assert found == deduce_cpsat(puzzle)
    fits = [brute.mines_of(layout) for layout in layouts(puzzle)]
    if not fits:
        assert found is None
        return
    asked = set(puzzle.unknown) - set(puzzle.trusted)
    assert found is not None
    assert found.mines == {cell for cell in asked if all(cell in mines for mines in fits)}
    assert found.safe == {cell for cell in asked if not any(cell in mines for mines in fits)}
    assert found.open == asked - found.mines - found.safe
    assert found.wrong_flags(puzzle) == tuple(cell for cell in puzzle.flags if cell in found.safe)


@relaxed
@given(puzzle=puzzles())
def test_count_equals_brute_force(puzzle: MinesweeperPuzzle) -> None:
    note(repr(puzzle))
    fits = [brute.mines_of(layout) for layout in layouts(puzzle)]
    found = count(puzzle)
    assert found.layouts == len(fits)
    numbers = [len(mines) for mines in fits]
    assert found.by_mines == {n: numbers.count(n) for n in set(numbers)}
    asked = set(puzzle.unknown) - set(puzzle.trusted) if fits else set()
    expected = {cell: Fraction(sum(cell in mines for mines in fits), len(fits)) for cell in asked}
    assert found.probability == expected


@relaxed
@given(puzzle=puzzles(max_unknown=7))
def test_explanations_are_smallest_by_brute_force(puzzle: MinesweeperPuzzle) -> None:
    note(repr(puzzle))
    names: list[Any] = [*puzzle.clues, *puzzle.trusted, "total"]

    def broken(layout: Rows) -> set[int]:
        found = rules.violations(puzzle, layout)
        return {names.index(v.cells[0] if v.cells else "total") for v in found}

    def numbers_of(reasons: Any) -> set[int]:
        return {names.index(v.cells[0] if v.cells else "total") for v in reasons}

    everything = [(layout, broken(layout)) for layout in brute.every_layout(puzzle.board)]
    clash = find_mus(puzzle)
    if clash is not None:
        sets = [b for _, b in everything]
        assert all(b & numbers_of(clash.rules) for b in sets)
        assert clash.is_smus
        assert len(clash.rules) == fewest_in_conflict(sets)
        for cell in puzzle.unknown:
            with pytest.raises(InputError, match="contradicts itself"):
                explain(puzzle, cell)
        return
    deduction = deduce(puzzle)
    assert deduction is not None
    for cell in puzzle.unknown:
        if cell in deduction.open:
            with pytest.raises(InputError, match="open"):
                explain(puzzle, cell)
            continue
        found = explain(puzzle, cell)
        assert found.mine is (cell not in deduction.safe)
        # The layouts in which the cell is otherwise, each with the rules that it breaks.
        sets = [b for layout, b in everything if (layout[cell[0]][cell[1]] == "*") is not found.mine]
        assert all(b & numbers_of(found.reasons) for b in sets)
        assert found.is_smus
        assert len(found.reasons) == fewest_in_conflict(sets)


def test_explain_refuses_an_open_cell() -> None:
    with pytest.raises(InputError, match="row 2, column 1: no hidden cell"):
        explain(BEACH, (1, 0))


def test_conflict_of_flags_and_clues_names_both() -> None:
    puzzle = MinesweeperPuzzle(("FF...", "1....", "....3"))
    assert ask("cpsat", puzzle, "solution").status is Status.INFEASIBLE
    clash = find_mus(puzzle)
    assert clash is not None
    assert {(v.rule, v.cells) for v in clash.rules} == {
        ("clue", ((1, 0),)),
        ("flag", ((0, 0),)),
        ("flag", ((0, 1),)),
    }
    assert find_mus(replace(puzzle, trust_flags=False)) is None


def test_conflict_of_a_clue_with_too_few_cells_is_that_clue() -> None:
    clash = find_mus(MinesweeperPuzzle(("4..", "...", "..1")))
    assert clash is not None
    assert [v.cells for v in clash.rules] == [((0, 0),)]


def test_conflict_without_time_is_irreducible_all_the_same() -> None:
    # The clues say three mines at least, as they share no cell; the total says two. All three are needed.
    puzzle = MinesweeperPuzzle(("2....1.", "......."), 2)
    clash = find_mus(puzzle, time_limit=0)
    assert clash is not None
    assert {v.rule for v in clash.rules} == {"clue", "total"}
    assert len(clash.rules) == 3


def test_a_total_can_prove_what_no_clue_tells_of() -> None:
    # One clue, one mine: all is safe beyond it, because of the clue and the total.
    puzzle = MinesweeperPuzzle(("1...", "....", "...."), 1)
    deduction = deduce(puzzle)
    assert deduction is not None
    assert (2, 3) in deduction.safe
    assert [v.rule for v in explain(puzzle, (2, 3)).reasons] == ["clue", "total"]
    assert deduce(replace(puzzle, mines=None)) != deduction


def random_board(seed: int, height: int, width: int, mines: int, opened: int) -> MinesweeperPuzzle:
    """A board on which so many cells without a mine are open, chosen at random."""
    chooser = random.Random(seed)
    cells = [(r, c) for r in range(height) for c in range(width)]
    mined = set(chooser.sample(cells, mines))
    shown = set(chooser.sample(sorted(set(cells) - mined), opened))
    numbers = {cell: str(sum(other in mined for other in neighbours8(cell))) for cell in shown}
    rows = ("".join(numbers.get((r, c), ".") for c in range(width)) for r in range(height))
    return MinesweeperPuzzle(tuple(rows), mines)


@pytest.mark.parametrize("opened", [0, 1, 60, 150, 300])
def test_expert_boards_deduction_count_and_engines_agree(opened: int) -> None:
    puzzle = random_board(opened, 16, 30, 99, opened)
    deduction = deduce(puzzle)
    assert deduction is not None
    assert deduction == deduce_cpsat(puzzle)
    found = count(puzzle)
    assert all(0 < found.probability[cell] < 1 for cell in deduction.open)
    # Each layout has 99 mines, so the probabilities add up to 99; and counting finds both states of what is open.
    assert sum(found.probability.values()) == 99


def test_fewest_and_most_mines_are_the_ends_of_the_count() -> None:
    puzzle = replace(random_board(7, 10, 10, 25, 40), mines=None)
    numbers = count(puzzle).by_mines
    for engine in ENGINES:
        assert ask(engine, puzzle, "fewest-mines").value == min(numbers)
        assert ask(engine, puzzle, "most-mines").value == max(numbers)


# Playing.


@relaxed
@given(game=mine_fields(), total_known=st.booleans())
def test_play_equals_brute_force(game: tuple[MineField, list[Cell]], total_known: bool) -> None:
    field, starts = game
    note(repr(game))
    opened, proved = brute.play(field.rows, starts, total_known)
    found = play(field, starts, total_known)
    marks = {(r, c): mark for r, row in enumerate(found.picture) for c, mark in enumerate(row)}
    assert {cell for cell, mark in marks.items() if mark.isdigit()} == opened
    assert {cell for cell, mark in marks.items() if mark == "X"} == proved
    assert all(int(marks[cell]) == len(brute.beside(cell) & field.mines) for cell in opened)
    assert (found.safe_revealed, found.mines_proved) == (len(opened), len(proved))
    assert found.undetermined == sum(mark == "?" for mark in marks.values())
    assert json.loads(json.dumps(found.record()))["picture"] == list(found.picture)


@pytest.mark.parametrize(
    ("starts", "said"),
    [
        ([], "no cell to start"),
        ([(0, 0)], "row 1, column 1: there is a mine"),
        ([(0, 2)], "no cell"),
        ([(-1, 1)], "no"),
    ],
)
def test_play_refuses_a_start_that_cannot_be_opened(starts: list[Cell], said: str) -> None:
    with pytest.raises(InputError, match=said):
        play(MineField(("*.",)), starts)


def test_exercise_114_the_corners_that_are_settled_elsewhere() -> None:
    cases = load("taocp/ex114_part_b.json")["cases"]
    field = MineField(tuple((DATA / "taocp" / "cheshire.txt").read_text(encoding="utf-8").split()))
    assert len(field.mines) == 182
    for case, expected in cases.items():
        assert play(field, corner_cases(field)[case]).record() == expected


def test_exercise_114_more_corners_reveal_no_less() -> None:
    load("taocp/cheshire.json")
    field = MineField(tuple((DATA / "taocp" / "cheshire.txt").read_text(encoding="utf-8").split()))
    cases = corner_cases(field)
    assert cases["v"] == tuple(cases[case][0] for case in ("i", "ii", "iii", "iv"))
    seen = {case: play(field, starts).picture for case, starts in cases.items()}
    for case in ("i", "ii", "iii", "iv"):
        pairs = zip("".join(seen[case]), "".join(seen["v"]), strict=True)
        assert all(mark in ("?", more) for mark, more in pairs)


def test_play_through_public_cases() -> None:
    for case in load("minesweeper/play_through.json"):
        field = MineField(tuple(row.replace("#", ".").replace("X", "*") for row in case["board"]))
        starts = [(r, c) for r, row in enumerate(case["board"]) for c, mark in enumerate(row) if mark == "#"]
        everything = len(field.cells) - len(field.mines)
        found = play(field, starts)
        assert [row.replace("X", ".").replace("?", ".") for row in found.picture] == case[
            "final_view_without_total"
        ]
        assert (found.safe_revealed == everything) is case["solvable_here_without_total"]
        with_total = play(field, starts, total_known=True).safe_revealed
        assert (with_total == everything) is case["solvable_here_with_total"]


# Public boards.


def public(case: dict[str, Any], **options: Any) -> MinesweeperPuzzle:
    return MinesweeperPuzzle(tuple(case["grid"]), case.get("mines"), name=case["id"], **options)


@pytest.mark.parametrize("engine", ENGINES)
def test_public_puzzles_have_the_one_published_solution(engine: str) -> None:
    for case in load("minesweeper/janko_unique.json")[::9]:
        solution = tuple(case["solution"])
        assert ask(engine, public(case), "solution").layout == solution
        assert ask(engine, public(case, apart_from=solution), "farthest").value == 0


def test_public_puzzles_counts_with_and_without_the_total() -> None:
    for case in load("minesweeper/janko_unique.json")[::5]:
        assert count(public(case)).layouts == 1
        expected = case["consistent_configurations_without_total"]
        if expected is not None:
            assert count(replace(public(case), mines=None)).layouts == expected


def test_public_configurations_deductions_and_counts() -> None:
    for case in load("minesweeper/configurations_with_counts.json"):
        puzzle = public(case)
        deduction = deduce(puzzle)
        assert deduction is not None
        assert deduction == deduce_cpsat(puzzle)
        assert deduction.safe == set(map(tuple, case["safe"]))
        assert deduction.mines == set(map(tuple, case["mine"]))
        assert count(puzzle).layouts == case["solutions_counted_here"]
        assert case["published_solution_count"] in (None, case["solutions_counted_here"])


@pytest.mark.parametrize("name", ["probability_no_total", "probability_with_total"])
def test_public_probabilities(name: str) -> None:
    for case in load(f"minesweeper/{name}.json"):
        # `#` in these is a cell that is known to be safe without a number.
        puzzle = MinesweeperPuzzle(tuple(row.replace("#", "?") for row in case["grid"]), case["mines"])
        found = count(puzzle)
        assert found.layouts == case["configurations"]
        for place, fraction in case["exact_probability"].items():
            r, c = map(int, place.split(","))
            assert found.probability[r, c] == Fraction(fraction)
        if "exact_probability_unconstrained_cell" in case and puzzle.beyond:
            assert found.probability[puzzle.beyond[0]] == Fraction(case["exact_probability_unconstrained_cell"])


def test_public_forced_cells() -> None:
    for case in load("minesweeper/forced_cells.json"):
        puzzle = public(case, trust_flags=not case.get("flags_not_trusted", False))
        deduction = deduce(puzzle)
        assert deduction is not None
        assert deduction == deduce_cpsat(puzzle)
        hidden = set(puzzle.unknown) - set(puzzle.flags)
        assert deduction.safe & hidden == set(map(tuple, case["safe"]))
        assert deduction.mines & hidden == set(map(tuple, case["mine"]))
        if "configurations" in case:
            assert count(puzzle).layouts == case["configurations"]


def test_public_constraint_systems() -> None:
    for case in load("minesweeper/constraint_systems.json"):
        parts = count_parts((frozenset(cells), number) for cells, number in case["constraints"])
        solutions = 1
        for part in parts:
            solutions *= sum(part.solutions)
        assert solutions == case["solutions"]
        if solutions:
            every = {v for part in parts for v, n in part.true_in.items() if sum(n) == sum(part.solutions)}
            never = {v for part in parts for v, n in part.true_in.items() if sum(n) == 0}
            assert (every, never) == (set(case["mine"]), set(case["safe"]))
