"""Covers, bands and their losses against brute force, a theorem, and published values."""

import json
from dataclasses import replace
from functools import partial

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.oracle import covers as brute
from tests.support.examples import examples
from tests.support.running import Run
from tests.support.shared_data import load
from twinproof.models.field.cover import Cover, CoverPart, bands
from twinproof.models.field.cover_system import cover_system, lacks_room
from twinproof.models.field.lattices import completed, lattices
from twinproof.models.field.losses import bounds, least_losses
from twinproof.models.field.maps import Field, named_field
from twinproof.models.field.prices import Prices, even_prices, highest_prices
from twinproof.models.field.rounds import part_sweeps
from twinproof.models.grid import Cell
from twinproof.models.sprinklers import rules
from twinproof.models.sprinklers.band import build_band
from twinproof.models.sprinklers.cpsat import build_cpsat
from twinproof.models.sprinklers.instance import SprinklerKind, SprinklerPuzzle
from twinproof.models.sprinklers.maxsat import build_maxsat
from twinproof.optim import Status
from twinproof.optim.engine import solve
from twinproof.optim.frontier.walks import best_walk, bound_walks, graph_within
from twinproof.optim.request import EngineOptions

MANY = 10**6
PLUS = ((0, 0), (-1, 0), (0, -1), (0, 1), (1, 0))
SQUARE = tuple((r, c) for r in (-1, 0, 1) for c in (-1, 0, 1))
WIDE = tuple((r, c) for r in range(-2, 3) for c in range(-2, 3))


@st.composite
def covers(draw: st.DrawFn, max_sites: int = 8) -> Cover:
    """Draw targets and sites on a small grid, some cells being both, and one kind of sprinkler or two."""
    height, width = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    cells = [(r, c) for r in range(height) for c in range(width)]
    targets = draw(st.sets(st.sampled_from(cells), min_size=1))
    sites = draw(st.sets(st.sampled_from(cells), min_size=1, max_size=max_sites))
    kinds = draw(st.lists(st.sampled_from((PLUS, SQUARE, WIDE)), min_size=1, max_size=2, unique=True))
    if len(kinds) == 2:
        assume(len(sites) <= 6)
    costs = tuple(draw(st.integers(1, 4)) for _ in kinds)
    return Cover(frozenset(targets), frozenset(sites), tuple(kinds), costs)


def least_cost(cover: Cover) -> int | None:
    return brute.least_cost(cover.targets, cover.sites, cover.ranges, cover.costs)


@examples(60)
@given(cover=covers(), data=st.data())
def test_the_system_of_a_cover_equals_brute_force_in_every_sweep(cover: Cover, data: st.DataObject) -> None:
    expected, total = least_cost(cover), 0
    for part in CoverPart(cover, cover.targets | cover.sites).connected():
        sweep = data.draw(st.sampled_from([s for s in part_sweeps(part) if not lacks_room(s, len(cover.ranges))]))
        best = best_walk(cover_system(part, sweep), MANY)
        if best is None:
            assert expected is None
            return
        placed = {sweep.tile_at(t): kind for t, kind in enumerate(best.labels) if kind < len(cover.ranges)}
        assert part.cells & cover.targets <= brute.watered(placed, cover.ranges)
        total += sum(cover.costs[kind] for kind in placed.values())
    assert total == expected


@st.composite
def priced_parts(draw: st.DrawFn) -> tuple[CoverPart, Prices]:
    """Draw a part of a cover and prices, which the losses need not know to be fair."""
    cover = draw(covers(max_sites=7))
    cells = draw(st.sets(st.sampled_from(sorted(cover.targets | cover.sites)), min_size=1))
    prices = Prices(draw(st.integers(1, 6)), {t: draw(st.integers(0, 4)) for t in sorted(cover.targets)})
    return CoverPart(cover, frozenset(cells)), prices


@examples(60)
@given(drawn=priced_parts())
def test_the_least_loss_of_a_part_bounds_all_placements(drawn: tuple[CoverPart, Prices]) -> None:
    whole, prices = drawn
    cover = whole.cover
    for part in whole.connected():
        found = least_losses(part, [prices], MANY)
        loss = None if found is None else found[0]
        beyond = cover.sites - part.cells
        forced = {t for t in part.cells & cover.targets if not any(s in beyond for s in cover.reach(t))}
        losses = []
        for placed in brute.placements(part.cells & cover.sites, len(cover.costs)):
            wet = brute.watered(placed, cover.ranges)
            if forced <= wet:
                cost = sum(cover.costs[kind] for kind in placed.values())
                losses.append(prices.unit * cost - sum(price for t, price in prices.of.items() if t in wet))
        if not losses:
            assert loss is None
        else:
            # Targets beyond the part that are watered twice make the loss smaller than it is, never larger.
            assert loss is not None
            assert loss <= min(losses)
            if cover.targets <= part.cells:
                assert loss == min(losses)


@examples(60)
@given(cover=covers())
def test_bounds_never_pass_the_least_cost(cover: Cover) -> None:
    expected = least_cost(cover)
    found = [
        bound
        for _, bound in bounds(cover, (even_prices(cover), highest_prices(cover)), MANY)
        if not isinstance(bound, str)
    ]
    assert found
    if expected is not None:
        assert max(found) <= expected


@examples(60)
@given(cover=covers())
def test_no_sprinkler_waters_more_than_it_costs(cover: Cover) -> None:
    for prices in (even_prices(cover), highest_prices(cover)):
        assert set(prices.of) == cover.targets
        assert min(prices.of.values()) >= 0
        for site in cover.sites:
            for kind, cost in enumerate(cover.costs):
                worth = sum(prices.of.get(cell, 0) for cell in brute.watered({site: kind}, cover.ranges))
                assert worth <= prices.unit * cost


def test_squares_have_prices_of_whole_sprinklers() -> None:
    # On 9 x 12 tiles no square of nine waters two of the twelve tiles three apart.
    tiles = rectangle(9, 12).tiles
    prices = highest_prices(Cover(tiles, tiles, (SQUARE,), (1,)))
    assert sum(prices.of.values()) == 12 * prices.unit


@examples(40)
@given(cover=covers(), width=st.integers(1, 3), data=st.data())
def test_completed_patterns_water_everything_at_no_less_than_the_least_cost(
    cover: Cover, width: int, data: st.DataObject
) -> None:
    kind, lattice = data.draw(st.sampled_from(list(lattices(cover))))
    placed = completed(cover, kind, lattice, width, MANY)
    if placed is None:
        return
    assert set(placed) <= cover.sites
    assert cover.targets <= brute.watered(placed, cover.ranges)
    expected = least_cost(cover)
    assert expected is not None
    assert sum(cover.costs[kind] for kind in placed.values()) >= expected


def rectangle(height: int, width: int, hole: frozenset[Cell] = frozenset()) -> Field:
    tiles = frozenset((r, c) for r in range(height) for c in range(width)) - hole
    return Field("a rectangle", height, width, tiles, hole)


@pytest.mark.parametrize("width", [3, 5, 8])
def test_the_frontier_of_a_band_is_one_cell_wider_than_the_band(width: int) -> None:
    tiles = rectangle(30, 40).tiles
    (band,) = bands(Cover(tiles, tiles, (PLUS,), (1,)), width)
    # The cell that is placed is counted too.
    assert min(sweep.width for sweep in part_sweeps(band) if sweep.is_ring) <= width + 2


def test_bands_of_two_borders_share_no_cell_and_lie_along_their_own() -> None:
    hole = frozenset({(10, 10)})
    tiles = rectangle(21, 21, hole).tiles
    outer, inner = sorted(bands(Cover(tiles, tiles, (PLUS,), (1,)), 20), key=lambda part: min(part.cells))
    assert not outer.cells & inner.cells
    assert outer.cells | inner.cells == tiles
    # Nearer to the pond than to the fence, in steps.
    assert all(abs(r - 10) + abs(c - 10) <= min(r, c, 20 - r, 20 - c) + 1 for r, c in inner.cells)


@pytest.mark.parametrize(("height", "width"), [(16, 16), (17, 19)])
def test_rectangles_reach_the_theorem_on_domination(height: int, width: int) -> None:
    # Goncalves, Pinlou, Rao and Thomasse 2011, for 16 <= height <= width.
    puzzle = SprinklerPuzzle(rectangle(height, width))
    outcome = solve("band", partial(build_band, puzzle), isolated=False)
    assert (outcome.status, outcome.value) == (Status.OPTIMAL, (height + 2) * (width + 2) // 5 - 4)
    assert outcome.layout is not None
    assert rules.violations(puzzle, outcome.layout) == []


def test_discs_are_bounded_by_at_most_their_published_values() -> None:
    discs = load("optimisation/disc_domination.json")["table_by_k"]
    for squared_radius in ("4", "9", "16", "25", "45"):
        puzzle = SprinklerPuzzle(named_field(f"disc:{squared_radius}"))
        fewest = discs[squared_radius]["without_centre"]["domination"]
        outcome = solve("band", partial(build_band, puzzle), isolated=False)
        assert outcome.bound is not None
        assert outcome.value is not None
        assert outcome.bound <= fewest <= outcome.value


@pytest.mark.parametrize("kind", [SprinklerKind("quality"), SprinklerKind("basic", nozzle=True)])
def test_squares_on_a_rectangle(kind: SprinklerKind) -> None:
    # Tiles three apart are watered by different sprinklers: as many as the thirds of both sides, rounded up.
    puzzle = SprinklerPuzzle(rectangle(9, 12), kind)
    outcome = solve("band", partial(build_band, puzzle), isolated=False)
    assert (outcome.status, outcome.value) == (Status.OPTIMAL, 12)


def test_a_symmetry_leaves_the_bound_and_no_layout() -> None:
    puzzle = SprinklerPuzzle(rectangle(5, 5), symmetry="quarter-turn")
    outcome = solve("band", partial(build_band, puzzle), isolated=False)
    free = solve("band", partial(build_band, replace(puzzle, symmetry=None)), isolated=False)
    assert outcome.layout is None
    # 5 x 5: seven (OEIS A104519).
    assert (outcome.bound, free.bound, free.value) == (7, 7, 7)


def test_too_many_states_are_no_bound() -> None:
    tiles = rectangle(12, 12).tiles
    cover = Cover(tiles, tiles, (PLUS,), (1,))
    wide, narrow = (
        [bound for _, bound in bounds(cover, [even_prices(cover)], most) if not isinstance(bound, str)]
        for most in (MANY, 3000)
    )
    assert narrow == wide[: len(narrow)]
    assert len(narrow) < len(wide)
    tiles = rectangle(9, 9).tiles
    (whole,) = CoverPart(Cover(tiles, tiles, (PLUS,), (1,)), tiles).connected()
    assert least_losses(whole, [even_prices(whole.cover)], 10) is None
    sweep = min(part_sweeps(whole), key=lambda sweep: sweep.width)
    # 9 x 9: 20 (OEIS A104519).
    system = cover_system(whole, sweep)
    assert bound_walks(graph_within(system, MANY), system) == -20


@pytest.mark.parametrize("engine", ["cpsat", "maxsat"])
def test_an_engine_is_told_the_bound_of_bands(engine: str, twinproof: Run) -> None:
    # 9 x 9: 20 (OEIS A104519).
    words = ("sprinklers", "grid:9x9", "--engine", engine, "--cut", "band", "--json")
    status, out, err = twinproof("solve", *words)
    assert err == "twinproof: bands along the borders give the bound 20\n"
    content = json.loads(out)
    assert (status, content["status"], content["value"]) == (0, "optimal", 20)
    assert content["trace"][0][2] == 20


def test_a_bound_that_is_too_high_is_found_out() -> None:
    # Taken on trust, a bound beyond the optimum leaves nothing; no engine may call that an optimum.
    puzzle = SprinklerPuzzle(rectangle(4, 4))
    for engine, build in (("cpsat", build_cpsat), ("maxsat", build_maxsat)):
        outcome = solve(engine, partial(build, puzzle), options=EngineOptions(bound=17), isolated=False)
        assert outcome.status is Status.INFEASIBLE
