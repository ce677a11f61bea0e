"""Both engines and the baseline against brute force on random small maps, for every objective and option."""

from functools import partial

import pytest
from hypothesis import given, note

from tests.oracle import fields as brute
from tests.support.examples import examples
from tests.support.strategies import drawn_rows, hops_puzzles, sprinkler_puzzles
from twinproof.compare.questions.crosscheck import TWINS
from twinproof.models import PUZZLES
from twinproof.models.field.maps import parse_map
from twinproof.models.hops import rules as hops_rules
from twinproof.models.hops.instance import HopsPuzzle
from twinproof.models.sprinklers import rules as sprinklers_rules
from twinproof.models.sprinklers.instance import SprinklerPuzzle
from twinproof.optim import Outcome, Status
from twinproof.optim.engine import find, solve
from twinproof.optim.request import Threshold

Rows = tuple[str, ...]
ENGINES = (*TWINS, "linear-search")
relaxed = examples(40)


def solve_sprinklers(
    engine: str, puzzle: SprinklerPuzzle, at_least: int | None = None, at_most: int | None = None
) -> Outcome[Rows]:
    build = partial(PUZZLES.find("sprinklers").build_model, find(engine).model, puzzle, "fewest-sprinklers")
    return solve(engine, build, threshold=Threshold.of(at_least, at_most), isolated=False)


def solve_hops(
    engine: str,
    puzzle: HopsPuzzle,
    objective: str,
    at_least: int | None = None,
    at_most: int | None = None,
) -> Outcome[Rows]:
    build = partial(PUZZLES.find("hops").build_model, find(engine).model, puzzle, objective)
    return solve(engine, build, threshold=Threshold.of(at_least, at_most), isolated=False)


@pytest.mark.parametrize("engine", ENGINES)
@relaxed
@given(puzzle=sprinkler_puzzles())
def test_sprinklers_fewest_equals_brute_force(engine: str, puzzle: SprinklerPuzzle) -> None:
    rows = drawn_rows(puzzle.field)
    expected = brute.fewest_sprinklers(rows, puzzle.kind.name, puzzle.kind.nozzle, puzzle.symmetry)
    note("\n".join(rows))
    outcome = solve_sprinklers(engine, puzzle)
    assert (outcome.status, outcome.value) == (Status.OPTIMAL, expected)
    assert outcome.layout is not None
    assert sprinklers_rules.violations(puzzle, outcome.layout) == []
    assert sprinklers_rules.value(puzzle, "fewest-sprinklers", outcome.layout) == expected
    assert solve_sprinklers(engine, puzzle, at_most=expected).status is Status.FEASIBLE
    assert solve_sprinklers(engine, puzzle, at_most=expected - 1).status is Status.INFEASIBLE
    tiles = len(puzzle.field.tiles)
    assert solve_sprinklers(engine, puzzle, at_least=tiles).value is None
    assert solve_sprinklers(engine, puzzle, at_least=tiles).status is Status.FEASIBLE
    assert solve_sprinklers(engine, puzzle, at_least=tiles + 1).status is Status.INFEASIBLE


def front_of(puzzle: HopsPuzzle) -> dict[int, int]:
    return brute.hops_front(
        drawn_rows(puzzle.field),
        puzzle.kind.name,
        puzzle.kind.nozzle,
        puzzle.symmetry,
        puzzle.harvest,
        puzzle.entrances,
        puzzle.dry_paths,
    )


@pytest.mark.parametrize("engine", ENGINES)
@relaxed
@given(puzzle=hops_puzzles())
def test_hops_most_equals_brute_force(engine: str, puzzle: HopsPuzzle) -> None:
    note("\n".join(drawn_rows(puzzle.field)))
    most = max(front_of(puzzle))
    outcome = solve_hops(engine, puzzle, "most-hops")
    assert (outcome.status, outcome.value) == (Status.OPTIMAL, most)
    assert outcome.layout is not None
    assert hops_rules.violations(puzzle, outcome.layout) == []
    assert hops_rules.value(puzzle, "most-hops", outcome.layout) == most
    assert solve_hops(engine, puzzle, "most-hops", at_least=most).status is Status.FEASIBLE
    assert solve_hops(engine, puzzle, "most-hops", at_least=most + 1).status is Status.INFEASIBLE
    assert solve_hops(engine, puzzle, "most-hops", at_most=0).status is Status.FEASIBLE


@pytest.mark.parametrize("engine", ENGINES)
@relaxed
@given(puzzle=hops_puzzles(max_tiles=10))
def test_hops_fewest_sprinklers_equals_brute_force(engine: str, puzzle: HopsPuzzle) -> None:
    note("\n".join(drawn_rows(puzzle.field)))
    front = front_of(puzzle)
    for hops in range(max(front) + 2):
        fixed = puzzle.with_hops(hops)
        outcome = solve_hops(engine, fixed, "fewest-sprinklers")
        if hops not in front:
            assert outcome.status is Status.INFEASIBLE
            continue
        assert (outcome.status, outcome.value) == (Status.OPTIMAL, front[hops])
        assert outcome.layout is not None
        assert hops_rules.violations(fixed, outcome.layout) == []
        assert hops_rules.value(puzzle, "fewest-sprinklers", outcome.layout) == front[hops]


@pytest.mark.parametrize("engine", ENGINES)
def test_hops_unreached_crops_are_allowed_where_sprinklers_are_counted(engine: str) -> None:
    # One sprinkler waters the plus; the three crops that cannot all be hops need not be reached either.
    field = parse_map("XXXXX\nXX.XX\nX...X\nXX.XX\nXXXXX", "walled plus")
    outcome = solve_hops(engine, HopsPuzzle(field, hops=0), "fewest-sprinklers")
    assert (outcome.status, outcome.value) == (Status.OPTIMAL, 1)


@given(puzzle=hops_puzzles(max_tiles=8))
@relaxed
def test_hops_rules_agree_with_brute_force_layout_by_layout(puzzle: HopsPuzzle) -> None:
    # The rules are the judge of both engines, so they are compared on every layout, also on invalid ones.
    field = puzzle.field
    found: dict[int, int] = {}
    marks = ["S", "H", "."]
    for code in range(3 ** len(field.cells)):
        layout = field.rows({cell: marks[code // 3**i % 3] for i, cell in enumerate(field.cells)})
        if not hops_rules.violations(puzzle, layout):
            hops = hops_rules.value(puzzle, "most-hops", layout)
            sprinklers = hops_rules.value(puzzle, "fewest-sprinklers", layout)
            found[hops] = min(sprinklers, found.get(hops, sprinklers))
    assert found == front_of(puzzle)
