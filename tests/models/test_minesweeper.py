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

from tests.oracle import minesweeper as brute
from tests.support.examples import examples
from tests.support.shared_data import DATA, load
from twinproof.models.grid import neighbours8
from twinproof.models.minesweeper import rules
from twinproof.models.minesweeper.count import count
from twinproof.models.minesweeper.cpsat import build_cpsat
from twinproof.models.minesweeper.deduce import deduce, deduce_cpsat
from twinproof.models.minesweeper.drawing import draw, draw_deduction
from twinproof.models.minesweeper.explain import explain, find_mus
from twinproof.models.minesweeper.formats import FIELD_FORMATS, FORMATS, read_bytes, read_mbf, write_mbf
from twinproof.models.minesweeper.instance import OBJECTIVES, RELAXED, MineField, MinesweeperPuzzle, read_layout
from twinproof.models.minesweeper.maxsat import build_maxsat, build_rules
from twinproof.models.minesweeper.play import corner_cases, play
from twinproof.models.text.forms import read_puzzle
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


@st.composite
def puzzles(draw: st.DrawFn, max_unknown: int = 9) -> MinesweeperPuzzle:
    """A small board over true mines, whose clues, flags and total may be spoilt."""
    height, width = draw(st.integers(1, 4)), draw(st.integers(1, 5))
    cells = [(r, c) for r in range(height) for c in range(width)]
    marks = {cell: draw(st.sampled_from("......11F?#")) for cell in cells}
    mines = {cell for cell in cells if marks[cell] in ".F" and draw(st.booleans())}
    spoilt = draw(st.sampled_from([0.0, 0.0, 0.3]))
    unknown = 0
    for cell in cells:
        if marks[cell] in ".F":
            unknown += 1
            if unknown > max_unknown:
                marks[cell] = "#"
                mines.discard(cell)
    for cell in cells:
        if marks[cell] == "1":
            number = sum(other in mines for other in neighbours8(cell))
            if draw(st.floats(0, 1)) < spoilt:
                number = draw(st.integers(0, 8))
            marks[cell] = str(number)
        if marks[cell] == "F" and cell not in mines and draw(st.floats(0, 1)) >= spoilt:
            marks[cell] = "."
    if all(mark == "#" for mark in marks.values()):
        marks[0, 0] = "."
    board = tuple("".join(marks[r, c] for c in range(width)) for r in range(height))
    trust = draw(st.booleans())
    flags = sum(mark == "F" for mark in marks.values()) if trust else 0
    places = sum(mark in ".F" for mark in marks.values())
    total = draw(st.sampled_from(["none", "none", "true", "any"]))
    number = len(mines) if total == "true" and flags <= len(mines) else draw(st.integers(flags, places))
    return MinesweeperPuzzle(board, None if total == "none" else number, trust)


def fitting(puzzle: MinesweeperPuzzle) -> list[Rows]:
    return brute.layouts(puzzle.board, puzzle.mines, puzzle.trust_flags)


def differing(layout: Rows, other: Rows) -> int:
    return sum(a != b for a, b in zip("".join(layout), "".join(other), strict=True))


# The instance and the rules.


@given(puzzle=puzzles())
@relaxed
def test_rules_agree_with_brute_force_layout_by_layout(puzzle: MinesweeperPuzzle) -> None:
    for layout in brute.every_layout(puzzle.board):
        found = rules.violations(puzzle, layout)
        by_rule = {rule: [v.cells for v in found if v.rule == rule] for rule in ("clue", "flag", "total")}
        assert by_rule["clue"] == [(cell,) for cell in brute.wrong_clues(puzzle.board, layout)]
        wrong_flags = brute.wrong_flags(puzzle.board, layout) if puzzle.trust_flags else []
        assert by_rule["flag"] == [(cell,) for cell in wrong_flags]
        mines = len(brute.mines_of(layout))
        assert by_rule["total"] == ([()] if puzzle.mines not in (None, mines) else [])
        assert rules.value(puzzle, "fewest-mines", layout) == rules.value(puzzle, "most-mines", layout) == mines
        assert rules.value(puzzle, "fewest-broken", layout) == len(by_rule["clue"])
        assert rules.value(puzzle, "solution", layout) is None
        assert read_layout(puzzle, "\n".join(layout), "layout") == layout


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
        (("..", "."), {}, "row 2: 1 cells, the first row has 2"),
        ((".9",), {}, "row 1, column 2: a clue is at most 8"),
        ((".", "x"), {}, "row 2, column 1: 'x'"),
        (("²",), {}, "row 1, column 1"),
        (("##",), {}, "no cell"),
        (("1..",), {"mines": 3}, "3 mines, and only 2 cells"),
        (("1.F", "1.F"), {"mines": 1}, "1 mines, and 2 flags"),
        ((".",), {"mines": -1}, "negative"),
        (("." * 400,) * 400, {}, "at most"),
        ((".1",), {"apart_from": ("*2",)}, "row 1, column 2"),
        ((".1",), {"apart_from": ("F1",)}, "row 1, column 1"),
        ((".1",), {"apart_from": ("*1", "*1")}, "2 rows"),
        ((".1",), {"apart_from": ("*",)}, "1 columns"),
    ],
)
def test_a_malformed_puzzle_cannot_be_built(board: Rows, options: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said) as caught:
        MinesweeperPuzzle(board, **options)
    assert "\n" not in str(caught.value)


def test_flags_that_are_not_trusted_may_be_more_than_the_mines() -> None:
    assert MinesweeperPuzzle(("1FF",), 1, trust_flags=False).trusted == ()


# The objectives.


@pytest.mark.parametrize("engine", ENGINES)
@relaxed
@given(puzzle=puzzles())
def test_solution_and_mines_equal_brute_force(engine: str, puzzle: MinesweeperPuzzle) -> None:
    note(repr(puzzle))
    fits = fitting(puzzle)
    outcome = ask(engine, puzzle, "solution")
    assert outcome.status is (Status.FEASIBLE if fits else Status.INFEASIBLE)
    assert outcome.layout is None or outcome.layout in fits
    for objective, best in (("fewest-mines", min), ("most-mines", max)):
        outcome = ask(engine, puzzle, objective)
        if not fits:
            assert outcome.status is Status.INFEASIBLE
            continue
        numbers = [len(brute.mines_of(layout)) for layout in fits]
        value = best(numbers)
        assert (outcome.status, outcome.value) == (Status.OPTIMAL, value)
        assert outcome.layout in fits
        assert rules.value(puzzle, objective, outcome.layout) == value
        for bound in range(len(puzzle.unknown) + 2):
            reached = Status.FEASIBLE if max(numbers) >= bound else Status.INFEASIBLE
            assert ask(engine, puzzle, objective, at_least=bound).status is reached
            reached = Status.FEASIBLE if min(numbers) <= bound else Status.INFEASIBLE
            assert ask(engine, puzzle, objective, at_most=bound).status is reached


@pytest.mark.parametrize("engine", ENGINES)
@relaxed
@given(puzzle=puzzles(), data=st.data())
def test_farthest_equals_brute_force(engine: str, puzzle: MinesweeperPuzzle, data: st.DataObject) -> None:
    fits = fitting(puzzle)
    everything = list(brute.every_layout(puzzle.board))
    # From a layout of the puzzle, as for uniqueness, or from any drawing.
    other = data.draw(st.sampled_from(fits or everything) | st.sampled_from(everything))
    puzzle = replace(puzzle, apart_from=other)
    note(repr(puzzle))
    outcome = ask(engine, puzzle, "farthest")
    if not fits:
        assert outcome.status is Status.INFEASIBLE
        return
    distances = [differing(layout, other) for layout in fits]
    assert (outcome.status, outcome.value) == (Status.OPTIMAL, max(distances))
    assert outcome.layout in fits
    assert rules.value(puzzle, "farthest", outcome.layout) == max(distances)
    bound = data.draw(st.integers(0, len(puzzle.unknown) + 1))
    reached = Status.FEASIBLE if max(distances) >= bound else Status.INFEASIBLE
    assert ask(engine, puzzle, "farthest", at_least=bound).status is reached
    reached = Status.FEASIBLE if min(distances) <= bound else Status.INFEASIBLE
    assert ask(engine, puzzle, "farthest", at_most=bound).status is reached


@pytest.mark.parametrize("engine", ENGINES)
@relaxed
@given(puzzle=puzzles(), data=st.data())
def test_fewest_broken_equals_brute_force(engine: str, puzzle: MinesweeperPuzzle, data: st.DataObject) -> None:
    note(repr(puzzle))
    allowed = brute.layouts(puzzle.board, puzzle.mines, puzzle.trust_flags, clues_hold=False)
    numbers = [len(brute.wrong_clues(puzzle.board, layout)) for layout in allowed]
    outcome = ask(engine, puzzle, "fewest-broken")
    assert (outcome.status, outcome.value) == (Status.OPTIMAL, min(numbers))
    assert outcome.layout in allowed
    assert rules.value(puzzle, "fewest-broken", outcome.layout) == min(numbers)
    assert {v.rule for v in rules.violations(puzzle, outcome.layout)} <= RELAXED["fewest-broken"]
    bound = data.draw(st.integers(0, len(puzzle.clues) + 1))
    reached = Status.FEASIBLE if max(numbers) >= bound else Status.INFEASIBLE
    assert ask(engine, puzzle, "fewest-broken", at_least=bound).status is reached
    reached = Status.FEASIBLE if min(numbers) <= bound else Status.INFEASIBLE
    assert ask(engine, puzzle, "fewest-broken", at_most=bound).status is reached


@relaxed
@given(puzzle=puzzles(max_unknown=6))
def test_build_rules_names_the_rule_of_every_counted_literal(puzzle: MinesweeperPuzzle) -> None:
    model, names = build_rules(puzzle)
    assert len(model.counted) == len(names)
    with IncrementalFormula(model.clauses) as formula:
        assignment = formula.solve()
    assert assignment is not None
    values = [int(v in assignment) for v in range(model.top + 1)]
    broken = {names[i].cells for i, lit in enumerate(model.counted) if lit in assignment}
    assert broken == {(cell,) for cell in brute.wrong_clues(puzzle.board, model.read(values))}


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
    fits = [brute.mines_of(layout) for layout in fitting(puzzle)]
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
    fits = [brute.mines_of(layout) for layout in fitting(puzzle)]
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
        assert len(clash.rules) == brute.fewest_that_leave_none(sets, len(names))
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
        assert len(found.reasons) == brute.fewest_that_leave_none(sets, len(names))


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


@st.composite
def fields(draw: st.DrawFn) -> tuple[MineField, list[Cell]]:
    height, width = draw(st.integers(1, 3)), draw(st.integers(1, 4))
    rows = tuple(
        "".join(draw(st.sampled_from("*....#" if r else "*...")) for _ in range(width)) for r in range(height)
    )
    safe = [(r, c) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark == "."]
    if not safe:
        rows, safe = (*rows, "." * width), [(height, 0)]
    return MineField(rows), draw(st.lists(st.sampled_from(safe), min_size=1, max_size=2, unique=True))


@relaxed
@given(game=fields(), total_known=st.booleans())
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


# Forms.

GAME_ID = (
    "49x22:9,12,m5141a7b0615643db1b461184eb1f52ef59a7de6edaea3c5cec7d4f84b8e694d1f4969d86c6b84570d106192ce297d7335"
    "7451b54e18c4ab254eb79a4ba876ebdf50f4e00a91f90587b22038679ca036af88871ace4351c3e0472db9bc6421098a6343c1560e5e0"
    "e2df9a06cf070f21ee81d37791a65a89681d88a27fc97d0ef97c8dd5589b2c24"
)
"""A game reported as unsolvable, and shown by its maintainer to be solvable: medmunds/puzzles#1."""


@relaxed
@given(puzzle=puzzles())
def test_forms_give_back_what_they_can_say(puzzle: MinesweeperPuzzle) -> None:
    marks = "".join(puzzle.board)
    says = {
        "json": True,
        "text": True,
        "mine": puzzle.mines is not None and puzzle.trust_flags and not set("?#") & set(marks),
        "puzzlink": puzzle.mines is None and puzzle.trust_flags and not set("F#") & set(marks),
    }
    for form, possible in says.items():
        if not possible:
            with pytest.raises(InputError, match="cannot say"):
                FORMATS[form].write(puzzle)
            continue
        text = FORMATS[form].write(puzzle)
        assert FORMATS[form].read(text, "again") == puzzle
        assert read_puzzle(FORMATS, text, "again") == puzzle


def test_json_alone_says_a_layout_to_be_apart_from() -> None:
    puzzle = replace(BEACH, apart_from=("*.**", "1232"))
    assert FORMATS["json"].read(FORMATS["json"].write(puzzle), "again") == puzzle
    for form in ("text", "mine", "puzzlink"):
        with pytest.raises(InputError, match="cannot say"):
            FORMATS[form].write(puzzle)


@relaxed
@given(game=fields())
def test_field_forms_give_back_what_they_can_say(game: tuple[MineField, list[Cell]]) -> None:
    bare, starts = game
    for field in (bare, replace(bare, start=starts[0])):
        whole = "#" not in "".join(field.rows)
        for form, possible in (("json", True), ("tatham", whole), ("text", field.start is None)):
            if possible:
                text = FIELD_FORMATS[form].write(field)
                assert FIELD_FORMATS[form].read(text, "again") == field
                assert read_bytes(text.encode(), "again") == field
            else:
                with pytest.raises(InputError, match="cannot say"):
                    FIELD_FORMATS[form].write(field)
        if whole and field.start is None:
            data = write_mbf(field)
            assert read_mbf(data, "again") == read_bytes(data, "again") == field
        else:
            with pytest.raises(InputError, match="cannot say"):
                write_mbf(field)


def test_game_id_of_the_source_unmasked() -> None:
    field = FIELD_FORMATS["tatham"].read("4x4:0,0,u1020", "id")
    assert field == MineField(("...*", "....", "..*.", "...."), (0, 0))


def test_game_id_masked_is_solved_without_a_guess() -> None:
    # The program clears the first cell's surroundings and promises a game without guesses. Were the mask taken
    # off wrongly, half of the cells would be mines.
    field = read_bytes(GAME_ID.encode(), "id")
    assert FIELD_FORMATS["tatham"].write(field) == GAME_ID
    assert field.start == (12, 9)
    assert not field.mines.intersection(neighbours8((12, 9)))
    found = play(field, [(12, 9)], total_known=True)
    assert found.undetermined == 0
    assert found.safe_revealed == 49 * 22 - len(field.mines)


def test_puzzlink_address_has_columns_first_and_counts_gaps_from_g() -> None:
    address = "https://puzz.link/p?mines/3/2/g1.2h"
    puzzle = FORMATS["puzzlink"].read(address, "address")
    assert puzzle.board == (".1?", "2..")
    assert FORMATS["puzzlink"].write(puzzle) == address
    # The longest gap is 20 cells.
    wide = MinesweeperPuzzle(("." * 41 + "1",))
    assert FORMATS["puzzlink"].write(wide).endswith("/42/1/zzg1")


def test_public_puzzlink_address() -> None:
    (case,) = [case for case in load("minesweeper/forced_cells.json") if case["id"] == "pzpr-mines"]
    address = "https://puzz.link/p?mines/" + case["source"].split()[-1]
    assert FORMATS["puzzlink"].read(address, "address") == MinesweeperPuzzle(tuple(case["grid"]))
    assert FORMATS["puzzlink"].write(MinesweeperPuzzle(tuple(case["grid"]))) == address


def test_mine_file_is_read_as_its_program_writes_it() -> None:
    assert FORMATS["mine"].read("3x2x2\r\nHF2\r\n?H1\r\n", "file") == MinesweeperPuzzle((".F2", "..1"), 2)


def test_text_headers_are_read_and_kept() -> None:
    puzzle = FORMATS["text"].read("\nmines: 2\nflags: not trusted\n\n .F1 \n ..1\n\n", "text")
    assert puzzle == MinesweeperPuzzle((".F1", "..1"), 2, trust_flags=False)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no grid"),
        ("mines: 3", "no grid"),
        ("mines: many\n...", "line 1: mines 'many'"),
        ("mines: 99999999999\n...", "line 1"),
        ("flags: no\n...", "line 1: a header says"),
        ("mines: 1\n..\n...", "line 3: 3 characters"),
        (".*.", "'\\*' is not in the legend"),
        ("{", "no JSON"),
        ("{}", "no 'board'"),
        ('{"board": [".1", 3]}', "board: must be a list of strings"),
        ('{"board": ["."], "mines": true}', "mines: must be a whole number"),
        ('{"board": ["."], "mines": 1.5}', "mines"),
        ('{"board": ["."], "trust_flags": 1}', "trust_flags"),
        ('{"board": ["."], "mine": 1}', "'mine' is no key"),
        ("3x3x1\nHHH\nHHH", "2 rows below the first line"),
        ("3x2x1\nHHH\nHH", "row 2: 2 cells"),
        ("3x2x1\nHHH\nHH9", "row 2, column 3"),
        ("0x2x1\n", "width '0'"),
        ("99999x99999x1\nH", "at most"),
        ("https://puzz.link/p?lightup/3/3/j2.hb", "puzzle 'lightup'"),
        ("https://puzz.link/p?mines/5/5/g1m12", "11 cells, 5 rows of 5 have 25"),
        ("https://puzz.link/p?mines/5/5", "mines/COLUMNS/ROWS/CELLS"),
        ("https://puzz.link/p?mines/2/1/g9", "row 1, column 2: a clue is at most 8, this is 9"),
        ("https://puzz.link/p?mines/2/1/g-10", "this is 16"),
        ("https://puzz.link/p?mines/2/1/g!", "character 2"),
        ("https://puzz.link/p?mines/x/1/g", "width 'x'"),
    ],
)
def test_bad_boards_are_refused_in_one_line(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said) as caught:
        read_puzzle(FORMATS, text, "T")
    assert str(caught.value).startswith("T: ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "no grid"),
        (b"\xff\xfe\x80", "byte 1: neither text"),
        (b"...F", "'F' is not in the legend"),
        (b"3x3:0,0,u12", "2 hexadecimal digits; 3 rows of 3 cells need 3"),
        (b"3x3:0,0,x123", "must be X,Y,m"),
        (b"3x3:5,0,u100", "row 1, column 6: no cell"),
        (b"3x3:0,0,u800", "row 1, column 1: there is a mine"),
        (b"3x3n4:u100", "n4: the field has 1 mines"),
        (b"9x9:r10,u,0123", "first click"),
        (b"99999x99999:uff", "at most"),
        (b'{"field": ["."], "start": [2, 1]}', "row 2, column 1: no cell"),
        (b'{"field": ["."], "start": 1}', "start: must be"),
        (b"\x02\x02\x00\x01\x05\x00", "mine 1: row 1, column 6 is beyond"),
        (b"\x02\x02\x00\x02\x01\x00\x01\x00", "mine 2: row 1, column 2 is named twice"),
        (b"\x00\x02\x00\x00", "empty"),
    ],
)
def test_bad_fields_are_refused_in_one_line(data: bytes, said: str) -> None:
    with pytest.raises(InputError, match=said) as caught:
        read_bytes(data, "T")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("data", [b"", b"\x02\x02", b"\x02\x02\x00\x01", b"\x02\x02\x00\x01\x00\x00\x00"])
def test_mbf_cut_or_continued_is_refused(data: bytes) -> None:
    with pytest.raises(InputError, match="bytes"):
        read_bytes(data, "T", "mbf")


def test_unknown_forms_are_refused() -> None:
    with pytest.raises(InputError, match="form 'x'"):
        read_bytes(b"..", "T", "x")
    with pytest.raises(InputError, match="255"):
        write_mbf(MineField(("." * 256,)))


letters = st.text(st.sampled_from(' \n.0189F?#*HxXmu:,{}[]"abgz-+/²٣\x1c\ud800'), max_size=40)


@examples(100)
@given(
    text=st.text(max_size=60) | letters, prefix=st.sampled_from(["", "mines: ", "3x1x1\n", "3x1:", '{"board": ["'])
)
def test_readers_give_a_puzzle_or_the_format_error(text: str, prefix: str) -> None:
    readers: list[Callable[[], Any]] = [lambda: read_puzzle(FORMATS, prefix + text, "T")]
    readers += [partial(form.read, prefix + text, "T") for form in FORMATS.values()]
    readers += [partial(form.read, prefix + text, "T") for form in FIELD_FORMATS.values()]
    readers += [partial(FORMATS["puzzlink"].read, "https://puzz.link/p?mines/3/1/" + text, "T")]
    readers += [partial(read_layout, BEACH, prefix + text, "T")]
    for read in readers:
        try:
            assert isinstance(read(), MinesweeperPuzzle | MineField | tuple)
        except InputError as error:
            assert "\n" not in str(error)  # noqa: PT017 - a puzzle is as good


@examples(100)
@given(data=st.binary(max_size=30), header=st.sampled_from([b"", b"\x03\x03\x00\x01", b"3x3:0,0,m"]))
def test_bytes_give_a_field_or_the_format_error(data: bytes, header: bytes) -> None:
    for form in (None, "mbf"):
        try:
            assert isinstance(read_bytes(header + data, "T", form), MineField)
        except InputError as error:
            assert "\n" not in str(error)  # noqa: PT017 - a field is as good


# Drawing.


def test_draw_spaces_the_marks_and_leaves_blank_what_is_no_board() -> None:
    puzzle = MinesweeperPuzzle((".1#", "F?."), 1)
    assert draw(puzzle) == [". 1", "F ? ."]
    assert draw(puzzle, (".1#", "*?.")) == [". 1", "* ? ."]


def test_draw_deduction_marks_what_is_proved() -> None:
    puzzle = MinesweeperPuzzle(("F.2.#", "222.F"), trust_flags=False)
    deduction = deduce(puzzle)
    assert deduction is not None
    # The first two cells are the only ones beside the 2 at the left; the 2 above then needs one more.
    assert draw_deduction(puzzle, deduction) == ["* * 2 .", "2 2 2 . F"]
