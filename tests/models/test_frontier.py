"""The frontier engine against brute force, published values, and its ring sweeps against its line sweeps."""

from functools import partial
from typing import Any

import pytest
from hypothesis import assume, event, given, note
from hypothesis import strategies as st
from ortools.sat.python import cp_model
from pysat.solvers import Solver

from tests.contract.trials.fields import front_of, hops_question, sprinkler_question
from tests.oracle import fields as brute
from tests.support.examples import examples
from tests.support.shared_data import load
from tests.support.strategies import drawn_rows, hops_puzzles, sprinkler_puzzles
from twinproof.models.field.maps import Field, parse_map
from twinproof.models.field.sources import read_field
from twinproof.models.field.sweeps import ROTATIONS, Sweep, line_sweeps, orbits_of, ring_sweeps
from twinproof.models.grid import neighbours4
from twinproof.models.hops import frontier as hops_frontier
from twinproof.models.hops import rules as hops_rules
from twinproof.models.hops.cpsat import build_cpsat
from twinproof.models.hops.instance import HopsPuzzle
from twinproof.models.hops.maxsat import build_maxsat
from twinproof.models.sprinklers import frontier as sprinklers_frontier
from twinproof.models.sprinklers import rules as sprinklers_rules
from twinproof.models.sprinklers.instance import SprinklerPuzzle
from twinproof.optim import InputError, Status
from twinproof.optim.engine import solve
from twinproof.optim.frontier_outcome import FrontierOutcome, frontier_outcome
from twinproof.optim.maxsat import post
from twinproof.optim.request import EngineOptions, Threshold

relaxed = examples(40)

every_label = partial(hops_frontier.choose_sweep, labels=len(hops_frontier.ALL_LABELS))
ROOMS: dict[type, Any] = {HopsPuzzle: hops_frontier, SprinklerPuzzle: sprinklers_frontier}


def run(puzzle: HopsPuzzle | SprinklerPuzzle, sweep: Sweep | None = None, **options: Any) -> FrontierOutcome[Any]:
    build = partial(ROOMS[type(puzzle)].build_frontier, puzzle, sweep=sweep, **options)
    return frontier_outcome(solve("frontier", build, options=EngineOptions(counting=True), isolated=False))


def lines(puzzle: HopsPuzzle | SprinklerPuzzle) -> list[Sweep]:
    alike = orbits_of(puzzle.field, puzzle.generators)
    return list(line_sweeps(puzzle.field, partial(ROOMS[type(puzzle)].near, puzzle), alike))


def rings(puzzle: HopsPuzzle | SprinklerPuzzle, alike_when_turned: bool = True) -> list[Sweep]:
    alike = orbits_of(puzzle.field, puzzle.generators)
    touches = partial(ROOMS[type(puzzle)].near, puzzle)
    return list(ring_sweeps(puzzle.field, touches, alike, ROTATIONS[puzzle.symmetry], alike_when_turned))


@relaxed
@given(puzzle=sprinkler_puzzles(), data=st.data())
def test_sprinklers_equal_brute_force(puzzle: SprinklerPuzzle, data: st.DataObject) -> None:
    rows = drawn_rows(puzzle.field)
    note("\n".join(rows))
    sweep = data.draw(st.sampled_from(lines(puzzle)))
    outcome = run(puzzle, sweep)
    question = sprinkler_question(puzzle)
    assert (outcome.status, outcome.value) == (Status.OPTIMAL, brute.fewest_sprinklers(*question))
    assert outcome.layouts == brute.count_fewest_sprinklers(*question)
    assert outcome.layout is not None
    assert sprinklers_rules.violations(puzzle, outcome.layout) == []


@relaxed
@given(puzzle=hops_puzzles(max_tiles=11), data=st.data())
def test_hops_equal_brute_force(puzzle: HopsPuzzle, data: st.DataObject) -> None:
    assume(puzzle.starts_are_symmetric)
    sweep = data.draw(st.sampled_from(lines(puzzle)))
    assume(not hops_frontier.lacks_room(sweep))
    rows = drawn_rows(puzzle.field)
    note("\n".join(rows))
    outcome = run(puzzle, sweep)
    most, apart, every = brute.count_most_hops(*hops_question(puzzle))
    assert (outcome.status, outcome.value, outcome.layouts) == (Status.OPTIMAL, most, apart)
    assert outcome.layout is not None
    assert hops_rules.violations(puzzle, outcome.layout) == []
    outcome = run(puzzle, sweep, every_layout=True)
    assert (outcome.status, outcome.value, outcome.layouts) == (Status.OPTIMAL, most, every)
    assert outcome.layout is not None
    assert hops_rules.violations(puzzle, outcome.layout) == []


@examples(20)
@given(puzzle=hops_puzzles(max_tiles=6))
def test_layouts_listed_by_both_models_are_as_many_as_are_counted(puzzle: HopsPuzzle) -> None:
    assume(puzzle.starts_are_symmetric)
    note("\n".join(drawn_rows(puzzle.field)))
    most, apart, every = brute.count_most_hops(*hops_question(puzzle))
    # For the most hops the models know no crop that nobody reaches; at a given number of them, they do.
    for listed, number in ((list_best(puzzle, most), apart), (list_all(puzzle.with_hops(most)), every)):
        for layouts in listed:
            assert len(layouts) == number
            assert all(hops_rules.violations(puzzle, layout) == [] for layout in layouts)


def list_best(puzzle: HopsPuzzle, most: int) -> list[set[tuple[str, ...]]]:
    """List the layouts with the most hops by CP-SAT and by MaxSAT."""
    model = build_cpsat(puzzle, "most-hops")
    model.model.add(sum(model.cells.values()) == most)
    formula = build_maxsat(puzzle, "most-hops")
    return [_by_cpsat(model), _by_sat(puzzle, formula, post(formula, Threshold(most)).wcnf.hard)]


def list_all(puzzle: HopsPuzzle) -> list[set[tuple[str, ...]]]:
    """List the layouts with a given number of hops by CP-SAT and by MaxSAT."""
    formula = build_maxsat(puzzle, "fewest-sprinklers")
    return [_by_cpsat(build_cpsat(puzzle, "fewest-sprinklers")), _by_sat(puzzle, formula, formula.clauses)]


def _by_cpsat(model: Any) -> set[tuple[str, ...]]:
    named = enumerate(model.model.proto.variables)
    marks = [model.model.get_bool_var_from_proto_index(i) for i, v in named if v.name[:2] in ("S ", "H ")]
    found, solver = set(), cp_model.CpSolver()
    solver.parameters.num_workers = 1
    model.model.clear_objective()
    while solver.solve(model.model) in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        found.add(model.read(solver.response_proto.solution))
        model.model.add_bool_or([~v if solver.boolean_value(v) else v for v in marks])
    return found


def _by_sat(puzzle: HopsPuzzle, model: Any, clauses: Any) -> set[tuple[str, ...]]:
    """List what the formula allows, and their images, of which it keeps one only."""
    found: set[tuple[str, ...]] = set()
    marks = range(1, 2 * len(puzzle.field.cells) + 1)  # first those for sprinklers, then those for hops
    with Solver("cadical153", bootstrap_with=clauses) as solver:
        while solver.solve():
            truth = solver.get_model()
            layout = model.read([0, *(int(literal > 0) for literal in truth)])
            solver.add_clause([-truth[variable - 1] for variable in marks])
            for image in ({tile: tile for tile in puzzle.field.cells}, *puzzle.symmetries):
                found.add(puzzle.field.rows({image[r, c]: layout[r][c] for r, c in puzzle.field.cells}))
    return found


@examples(15)
@given(puzzle=hops_puzzles(max_tiles=10))
def test_fronts_equal_brute_force(puzzle: HopsPuzzle) -> None:
    assume(puzzle.starts_are_symmetric)
    assume(any(not hops_frontier.lacks_room(sweep) for sweep in lines(puzzle)))
    rows = drawn_rows(puzzle.field)
    note("\n".join(rows))
    expected = front_of(puzzle)
    numbers = range(max(expected) + 1, -1, -1)
    build = partial(hops_frontier.build_frontier, puzzle, "fewest-sprinklers", front=numbers)
    outcome = frontier_outcome(solve("frontier", build, isolated=False))
    assert {side: value for side, value, _ in outcome.front} == expected
    for hops, sprinklers, layout in outcome.front:
        assert hops_rules.violations(puzzle.with_hops(hops), layout) == []
        assert hops_rules.value(puzzle, "fewest-sprinklers", layout) == sprinklers


@st.composite
def ring_fields(draw: st.DrawFn) -> tuple[Field, str | None]:
    """A field of up to 24 tiles round an obstacle, the same after a quarter-turn, a half-turn or neither."""
    side = draw(st.sampled_from([3, 4, 5]))
    fold = draw(st.sampled_from([1, 2, 4]))
    marks: dict[tuple[int, int], str] = {}
    for r in range(side):
        for c in range(side):
            if (r, c) not in marks:
                mark = draw(st.sampled_from(".....X "))
                for quarter in range(4):
                    if quarter % (4 // fold) == 0:
                        marks[r, c] = mark
                    r, c = c, side - 1 - r  # noqa: PLW2901
    middle = side // 2
    if side % 2:
        marks[middle, middle] = "X"
    rows = ["".join(marks[r, c] for c in range(side)) for r in range(side)]
    assume(any("." in row for row in rows))
    symmetry = draw(st.sampled_from([None, "half-turn", "quarter-turn"]))
    field = parse_map("\n".join(rows), "random ring")
    try:
        SprinklerPuzzle(field, symmetry=symmetry)
    except InputError:
        symmetry = None
    return field, symmetry


@examples(80)
@given(drawn=ring_fields(), data=st.data())
def test_hops_round_the_middle_equal_those_in_lines(drawn: tuple[Field, str | None], data: st.DataObject) -> None:
    # A way round the middle may claim a start that it does not have: small rings tempt it to.
    field, symmetry = drawn
    edge = sorted(field.edge_tiles)
    entrances = frozenset(data.draw(st.sets(st.sampled_from(edge), max_size=2))) if edge and not symmetry else ()
    puzzle = HopsPuzzle(
        field,
        harvest=data.draw(st.sampled_from([4, 8])),
        entrances=frozenset(entrances),
        dry_paths=data.draw(st.booleans()),
        symmetry=symmetry,
    )
    round_it = [sweep for sweep in rings(puzzle, not puzzle.entrances) if not hops_frontier.lacks_room(sweep)]
    straight = [sweep for sweep in lines(puzzle) if not hops_frontier.lacks_room(sweep)]
    assume(round_it and straight)
    note("\n".join(drawn_rows(field)))
    expected = run(puzzle, min(straight, key=hops_frontier.estimate))
    sweep = data.draw(st.sampled_from(round_it))
    event(f"turn of {sweep.periods} periods")
    outcome = run(puzzle, sweep)
    assert (outcome.status, outcome.value, outcome.layouts) == (Status.OPTIMAL, expected.value, expected.layouts)
    assert outcome.layout is not None
    assert hops_rules.violations(puzzle, outcome.layout) == []
    if len(field.tiles) <= 16:
        apart = [run(puzzle, way, every_layout=True).layouts for way in (sweep, straight[0])]
        assert apart[0] == apart[1]


@relaxed
@given(drawn=ring_fields(), data=st.data())
def test_sprinklers_round_the_middle_equal_those_in_lines(
    drawn: tuple[Field, str | None], data: st.DataObject
) -> None:
    puzzle = SprinklerPuzzle(drawn[0], symmetry=drawn[1])
    round_it = rings(puzzle)
    assume(round_it)
    note("\n".join(drawn_rows(puzzle.field)))
    expected = run(puzzle, lines(puzzle)[0])
    outcome = run(puzzle, data.draw(st.sampled_from(round_it)))
    assert (outcome.status, outcome.value, outcome.layouts) == (Status.OPTIMAL, expected.value, expected.layouts)


@pytest.mark.parametrize(
    ("name", "value"),
    # Domination numbers of grid graphs (OEIS A350823), and the two queries of the source article.
    [("grid:7x7", 12), ("grid:8x8", 16), ("grid:10x10", 24), ("grid:12x12", 35), ("scarecrow", 59)],
)
def test_sprinklers_equal_published_values(name: str, value: int) -> None:
    outcome = run(SprinklerPuzzle(read_field(name)))
    assert (outcome.status, outcome.value) == (Status.OPTIMAL, value)


def test_hops_of_a_disc_are_counted_as_published() -> None:
    # Published with the exact method: 648 layouts with 14 hops, 86 up to the eight symmetries of the square.
    # Burnside's lemma: of each conjugacy class one symmetry, and how many it has.
    field = read_field("disc:9")
    classes = {None: 1, "half-turn": 1, "quarter-turn": 2, "hsym": 2, "diagonal": 2}
    fixed = {}
    for symmetry in classes:
        outcome = run(HopsPuzzle(field, symmetry=symmetry))
        assert outcome.value is not None
        fixed[symmetry] = outcome.layouts if outcome.value == 14 else 0
    assert fixed[None] == 648
    assert sum(number * (fixed[symmetry] or 0) for symmetry, number in classes.items()) == 8 * 86


def test_ring_sweep_of_the_scarecrow_field_is_as_narrow_as_its_geometry_allows() -> None:
    # A diagonal separates the disc by its own 6 tiles alone; inside a quarter there are at most 8.
    field = read_field("scarecrow")
    touches = {tile: [n for n in neighbours4(tile) if n in field.tiles] for tile in field.cells}
    sweeps = list(ring_sweeps(field, touches.__getitem__, orbits_of(field, ()), 1, True))
    ring = min(sweeps, key=lambda sweep: sweep.cut)
    assert sorted(ring.order) == list(field.cells)
    assert (ring.cut, ring.period, ring.periods) == (6, 62, 4)
    assert max(len(layer.frontier) for layer in ring.layers) == 8


def test_ring_sweeps_of_a_map_with_a_margin_are_none_or_complete() -> None:
    for rows in (
        ["", " ...", " .X.", " ..."],
        ["...", ".X.", "...", "", "   X"],
        [" ... ", " .X. ", " ... ", "    X", ""],
    ):
        puzzle = SprinklerPuzzle(parse_map("\n".join(rows), "margin"))
        for ring in rings(puzzle):
            assert set(ring.order) == puzzle.field.tiles


@pytest.mark.parametrize(
    ("choose", "field", "said"),
    [
        # In lines a frontier has a whole line and the new tile; there is no middle to go round.
        (
            hops_frontier.choose_sweep,
            "grid:20x21",
            "the narrowest frontier has 21 tiles, and a packed state has room for 12",
        ),
        # Round the middle a tenth tile is never needed. But 8 tiles of five bits are 40, and 7 of four are 28.
        (hops_frontier.choose_sweep, "grid:14x14", "with those of the cut, 7, kept twice: 68 bits"),
        # 9 tiles in a line and the one above the new tile; with four labels, each multiplies the states by 6.9.
        (every_label, "grid:9x9", "states; at most 400,000,000 can be listed"),
        (
            sprinklers_frontier.choose_sweep,
            "grid:40x41",
            "has 41 tiles, and they take 82 bits; a packed state has 63",
        ),
        (sprinklers_frontier.choose_sweep, "grid:26x27", "states; at most 500,000,000 can be listed"),
    ],
)
def test_fields_too_wide_are_refused_with_the_reason(choose: Any, field: str, said: str) -> None:
    puzzle = (SprinklerPuzzle if choose is sprinklers_frontier.choose_sweep else HopsPuzzle)(read_field(field))
    with pytest.raises(InputError, match=f"frontier: {field} is too wide: .*{said}"):
        choose(puzzle)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "value"), [("disc:36", 54), ("scarecrow", 109)])
def test_hops_of_discs_equal_known_values(name: str, value: int) -> None:
    build = partial(hops_frontier.build_frontier, HopsPuzzle(read_field(name)))
    outcome = solve("frontier", build, isolated=False)
    assert (outcome.status, outcome.value) == (Status.OPTIMAL, value)


@pytest.mark.parametrize("every", [5, pytest.param(1, marks=pytest.mark.slow)])
def test_sprinklers_equal_all_published_grids_and_discs(every: int) -> None:
    table = load("optimisation/grid_domination.json")["table"]
    cases = [(f"grid:{m}x{n}", value) for m, values in table.items() for n, value in enumerate(values, start=1)]
    discs = load("optimisation/disc_domination.json")["table_by_k"]
    cases += [(f"disc:{k}", case["without_centre"]["domination"]) for k, case in discs.items()]
    assert len(cases) > 270
    wrong = {}
    for name, value in cases[::every]:
        build = partial(sprinklers_frontier.build_frontier, SprinklerPuzzle(read_field(name)))
        outcome = solve("frontier", build, isolated=False)
        if (outcome.status, outcome.value) != (Status.OPTIMAL, value):
            wrong[name] = (value, outcome.status, outcome.value)
    assert wrong == {}
