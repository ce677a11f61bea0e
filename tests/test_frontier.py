"""The frontier engine against brute force, against published values, and its ring sweep against its line sweep."""

from functools import partial
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, note, settings
from hypothesis import strategies as st

from compare.instances import read_field
from models.grid import Field, neighbours4, parse_map
from models.hops import frontier as hops_frontier
from models.hops import rules as hops_rules
from models.hops.puzzle import HopsPuzzle
from models.sprinklers import frontier as sprinklers_frontier
from models.sprinklers import rules as sprinklers_rules
from models.sprinklers.puzzle import SprinklerPuzzle
from models.sweeps import Sweep, linear_sweep, ring_sweep
from optim import InputError, Outcome, Status
from optim.solve import solve
from tests import brute
from tests.shared_data import load
from tests.strategies import drawn_rows, hops_puzzles, sprinkler_puzzles
from tests.test_brute_force import front_of

relaxed = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))


def run(build: Any, puzzle: Any, sweep: Sweep | None = None) -> Outcome[Any]:
    return solve("frontier", partial(build, puzzle, sweep=sweep), isolated=False)


@relaxed
@given(puzzle=sprinkler_puzzles())
def test_sprinklers_equal_brute_force(puzzle: SprinklerPuzzle) -> None:
    assume(puzzle.symmetry is None)
    rows = drawn_rows(puzzle.field)
    note("\n".join(rows))
    outcome = run(sprinklers_frontier.build_frontier, puzzle)
    expected = brute.fewest_sprinklers(rows, puzzle.kind.name, puzzle.kind.nozzle, None)
    assert (outcome.status, outcome.value) == (Status.OPTIMAL, expected)
    assert outcome.layout is not None
    assert sprinklers_rules.violations(puzzle, outcome.layout) == []


@relaxed
@given(puzzle=hops_puzzles())
def test_hops_equal_brute_force(puzzle: HopsPuzzle) -> None:
    assume(puzzle.symmetry is None)
    line = linear_sweep(puzzle.field, partial(hops_frontier.near, puzzle))
    assume(line.width <= hops_frontier.MAX_WIDTH)
    note("\n".join(drawn_rows(puzzle.field)))
    outcome = run(hops_frontier.build_frontier, puzzle, line)
    assert (outcome.status, outcome.value) == (Status.OPTIMAL, max(front_of(puzzle)))
    assert outcome.layout is not None
    assert hops_rules.violations(puzzle, outcome.layout) == []


@st.composite
def rings(draw: st.DrawFn) -> Field:
    """A field of up to 24 tiles round an obstacle that is the same after a quarter turn."""
    side = draw(st.sampled_from([3, 5]))
    middle = side // 2
    marks = {}
    for r in range(side):
        for c in range(side):
            if (r, c) not in marks:
                mark = draw(st.sampled_from("....X "))
                for _ in range(4):
                    marks[r, c] = mark
                    r, c = c, side - 1 - r  # noqa: PLW2901
    marks[middle, middle] = "X"
    rows = ["".join(marks[r, c] for c in range(side)) for r in range(side)]
    assume(any("." in row for row in rows))
    return parse_map("\n".join(rows), "random ring")


@relaxed
@given(field=rings(), harvest=st.sampled_from([4, 8]))
def test_hops_round_the_middle_equal_those_in_lines(field: Field, harvest: int) -> None:
    # A way round the middle may claim a start that it does not have. So a ring sweep may fall short of a proof;
    # what it claims to be proved must be true.
    puzzle = HopsPuzzle(field, harvest=harvest)
    touches = partial(hops_frontier.near, puzzle)
    ring, line = ring_sweep(field, touches), linear_sweep(field, touches)
    assume(ring is not None and line.width <= hops_frontier.MAX_WIDTH and ring.width <= hops_frontier.MAX_WIDTH)
    note("\n".join(drawn_rows(field)))
    expected = run(hops_frontier.build_frontier, puzzle, line).value
    outcome = run(hops_frontier.build_frontier, puzzle, ring)
    assert outcome.bound is not None
    assert expected is not None
    assert outcome.bound >= expected
    if outcome.status is Status.OPTIMAL:
        assert outcome.value == expected
    if outcome.layout is not None:
        assert hops_rules.violations(puzzle, outcome.layout) == []


@relaxed
@given(field=rings())
def test_sprinklers_round_the_middle_equal_those_in_lines(field: Field) -> None:
    puzzle = SprinklerPuzzle(field)
    touches = partial(sprinklers_frontier.near, puzzle)
    ring, line = ring_sweep(field, touches), linear_sweep(field, touches)
    assume(ring is not None)
    note("\n".join(drawn_rows(field)))
    expected = run(sprinklers_frontier.build_frontier, puzzle, line)
    outcome = run(sprinklers_frontier.build_frontier, puzzle, ring)
    assert (outcome.status, outcome.value) == (Status.OPTIMAL, expected.value)


@pytest.mark.parametrize(
    ("name", "value"),
    # Domination numbers of grid graphs (OEIS A350823), and the two queries of the source article.
    [("grid:7x7", 12), ("grid:8x8", 16), ("grid:10x10", 24), ("grid:12x12", 35), ("scarecrow", 59)],
)
def test_sprinklers_equal_published_values(name: str, value: int) -> None:
    outcome = run(sprinklers_frontier.build_frontier, SprinklerPuzzle(read_field(name)))
    assert (outcome.status, outcome.value) == (Status.OPTIMAL, value)


def test_ring_sweep_of_the_scarecrow_field_is_as_narrow_as_its_geometry_allows() -> None:
    # A diagonal separates the disc by its own 6 tiles alone; inside a quarter there are at most 8.
    field = read_field("scarecrow")
    ring = ring_sweep(field, lambda tile: [n for n in neighbours4(tile) if n in field.tiles])
    assert ring is not None
    assert sorted(ring.order) == list(field.cells)
    assert len(ring.layers[0].frontier) == 6
    assert (max(len(layer.frontier) for layer in ring.layers), ring.period) == (8, 62)


def test_ring_sweep_of_a_map_with_a_margin_is_none_or_complete() -> None:
    for rows in (
        ["", " ...", " .X.", " ..."],
        ["...", ".X.", "...", "", "   X"],
        [" ... ", " .X. ", " ... ", "    X", ""],
    ):
        field = parse_map("\n".join(rows), "margin")
        ring = ring_sweep(field, partial(sprinklers_frontier.near, SprinklerPuzzle(field)))
        assert ring is None or set(ring.order) == field.tiles


@pytest.mark.parametrize(
    "puzzle",
    [HopsPuzzle(read_field("grid:20x20")), HopsPuzzle(read_field("deluxe"))],
    ids=["grid", "deluxe"],
)
def test_hops_too_wide_are_refused_with_the_width(puzzle: HopsPuzzle) -> None:
    with pytest.raises(InputError, match="too wide"):
        hops_frontier.choose_sweep(puzzle)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "value"), [("disc:9", 14), ("disc:36", 54), ("scarecrow", 109)])
def test_hops_of_discs_equal_known_values(name: str, value: int) -> None:
    outcome = run(hops_frontier.build_frontier, HopsPuzzle(read_field(name)))
    assert (outcome.status, outcome.value) == (Status.OPTIMAL, value)


def test_sprinklers_equal_all_published_grids_and_discs() -> None:
    table = load("optimisation/grid_domination.json")["table"]
    cases = [(f"grid:{m}x{n}", value) for m, values in table.items() for n, value in enumerate(values, start=1)]
    discs = load("optimisation/disc_domination.json")["table_by_k"]
    cases += [(f"disc:{k}", case["without_centre"]["domination"]) for k, case in discs.items()]
    assert len(cases) > 270
    wrong = {}
    for name, value in cases:
        outcome = run(sprinklers_frontier.build_frontier, SprinklerPuzzle(read_field(name)))
        if (outcome.status, outcome.value) != (Status.OPTIMAL, value):
            wrong[name] = (value, outcome.status, outcome.value)
    assert wrong == {}
