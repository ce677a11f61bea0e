"""Clause certificates: the verifier's clauses against brute force, and certificates made, broken and refused."""

import json
import lzma
import random
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, note
from hypothesis import strategies as st
from pysat.solvers import Solver

from tests.contract.trials import TRIALS
from tests.optim.test_lrat import mutated
from tests.support.examples import examples
from tests.support.running import Run
from twinproof.compare.certificates.certify import Wanted, certify_clauses
from twinproof.compare.certificates.checkers import CHECKERS
from twinproof.compare.certificates.claims import Claim, encode, refuted
from twinproof.compare.certificates.verify import (
    Verdict,
    in_words,
    read_certificate,
    read_instance,
    text_digest,
    verify_clauses,
)
from twinproof.models import PUZZLES
from twinproof.models.field.lex_leader import MOVES, add_lex_leaders, move
from twinproof.models.field.maps import parse_map
from twinproof.models.hops import rules as hops_rules
from twinproof.models.hops.instance import HopsPuzzle
from twinproof.models.lightup.instance import LightUpPuzzle
from twinproof.models.minesweeper.instance import MinesweeperPuzzle
from twinproof.models.puzzle import Objective, Rules
from twinproof.models.sprinklers import rules as sprinklers_rules
from twinproof.models.sprinklers.instance import SprinklerKind, SprinklerPuzzle
from twinproof.models.starbattle.formats import read_letters
from twinproof.models.starbattle.instance import StarBattlePuzzle
from twinproof.models.text.json_values import json_object
from twinproof.models.text.sources import Inline
from twinproof.optim import InputError, Sense
from twinproof.optim.proof import cardinality as counting
from twinproof.optim.proof.cnf import Encoding, Formula, Key, holds
from twinproof.optim.proof.files import ProofFile
from twinproof.optim.proof.lrat import ProofError

relaxed = examples(25)

Content = dict[str, Any]


def has_model(formula: Formula) -> bool:
    if () in formula.clauses:  # PySAT would pass it over
        return False
    with Solver(name="minisat22", bootstrap_with=[list(clause) for clause in formula.clauses]) as solver:
        return bool(solver.solve())


def keeps(board: Encoding, layout: Sequence[str]) -> bool:
    """Whether a layout, with the auxiliary variables as they are read, makes the verifier's clauses true."""
    return board.formula.broken(board.formula.extend(board.chosen(layout))) is None


# --- The clauses against brute force ----------------------------------------------------------------------------


@pytest.mark.parametrize("count", range(7))
def test_counting_is_exact_and_its_readings_make_it_true(count: int) -> None:
    for signs, number in product((1, -1), range(-1, count + 2)):
        literals = [signs * v for v in range(1, count + 1)]
        for demand in (counting.at_most, counting.at_least, counting.exactly):
            for few_sets in (0, counting.FEW_SETS):
                formula = Formula(count)
                with pytest.MonkeyPatch.context() as patch:
                    patch.setattr(counting, "FEW_SETS", few_sets)
                    demand(formula, literals, number)
                for chosen in product((False, True), repeat=count):
                    truth = formula.extend([v for v in range(1, count + 1) if chosen[v - 1]])
                    true = sum(holds(truth, literal) for literal in literals)
                    expected = {"at_most": true <= number, "at_least": true >= number, "exactly": true == number}
                    assert (formula.broken(truth) is None) == expected[demand.__name__]
                    units = [[v if chosen[v - 1] else -v] for v in range(1, count + 1)]
                    if chosen in ((True,) * count, (False,) * count) or few_sets == 0:
                        for unit in units:
                            formula.clauses.append(tuple(unit))
                        assert has_model(formula) == expected[demand.__name__]
                        del formula.clauses[len(formula.clauses) - count :]


def test_hops_a_walk_may_be_as_long_as_the_field() -> None:
    # One way, without a branch, from the entrance to the only hop: every tile of it counts.
    rows = ["......", "XXXXX.", "......", ".XXXXX", "......"]
    puzzle = HopsPuzzle(parse_map("\n".join(rows), "snake"), entrances=frozenset({(0, 0)}), dry_paths=True)
    layout = ("......", "XXXXX.", "......", ".XXXXX", "...." + "HS")
    assert hops_rules.violations(puzzle, layout) == []
    board = encode(PUZZLES["hops"], puzzle)
    assert keeps(board, layout)
    assert not keeps(board, (*layout[:2], "..S...", *layout[3:]))


# --- Symmetry ---------------------------------------------------------------------------------------------------


@st.composite
def symmetric_formulas(draw: st.DrawFn) -> tuple[Formula, dict[Key, int], list[tuple[int, int]]]:
    """Clauses over the cells of a rectangle, closed under some moves, or under none."""
    height, width = draw(st.sampled_from([(1, 4), (2, 2), (2, 3), (3, 3), (3, 4)]))
    cells = [(r, c) for r in range(height) for c in range(width)]
    at = {cell: number for number, cell in enumerate(cells, start=1)}
    formula = Formula(len(cells))
    signs = st.sampled_from([1, -1])
    clauses = {
        frozenset(
            draw(signs) * at[cell]
            for cell in draw(st.lists(st.sampled_from(cells), min_size=1, max_size=3, unique=True))
        )
        for _ in range(draw(st.integers(1, 8)))
    }
    names = [name for name in MOVES if set(move(name, cells).values()) == set(cells)]
    for name in draw(st.lists(st.sampled_from(names), max_size=3)):
        image = {at[cell]: at[target] for cell, target in move(name, cells).items()}
        for _ in range(4):
            clauses |= {frozenset(image[abs(x)] * (1 if x > 0 else -1) for x in clause) for clause in clauses}
    for clause in sorted(map(sorted, clauses)):
        formula.add(*clause)
    return formula, {("S", cell, 0): variable for cell, variable in at.items()}, cells


@examples(100)
@given(drawn=symmetric_formulas())
def test_a_formula_with_a_model_keeps_one_among_the_leaders(
    drawn: tuple[Formula, dict[Key, int], list[tuple[int, int]]],
) -> None:
    formula, variables, cells = drawn
    before = has_model(formula)
    clauses = len(formula.clauses)
    add_lex_leaders(formula, variables, cells)
    note(f"{len(formula.clauses) - clauses} clauses more")
    assert has_model(formula) == before


def test_leaders_are_fewer_and_the_moves_are_those_of_the_field() -> None:
    # On the empty 2x2 board the 16 sets of cells are 6 up to symmetry.
    formula = Formula(4)
    cells = [(0, 0), (0, 1), (1, 0), (1, 1)]
    add_lex_leaders(formula, {("S", cell, 0): number for number, cell in enumerate(cells, start=1)}, cells)
    good = [
        chosen
        for chosen in product((False, True), repeat=4)
        if formula.broken(formula.extend([v for v in range(1, 5) if chosen[v - 1]])) is None
    ]
    assert len(good) == 6
    # Of a board that no move but one maps onto itself, the others say nothing.
    formula = Formula(4)
    formula.add(1)
    add_lex_leaders(formula, {("S", cell, 0): number for number, cell in enumerate(cells, start=1)}, cells)
    assert has_model(formula)
    assert formula.variables == 4 + 1  # the diagonal, which swaps two cells


# --- Certificates made ------------------------------------------------------------------------------------------


def field(rows: str) -> Any:
    return parse_map(rows, "a map")


def square(side: int) -> Any:
    return field("\n".join(["." * side] * side))


def letters(rows: str, stars: int = 1) -> StarBattlePuzzle:
    return read_letters(rows, "letters", stars)


def wanted_of(name: str, instance: Any, claim: str, **more: Any) -> Wanted:
    return Wanted(PUZZLES[name], instance, claim, **more)


MADE: dict[str, tuple[Wanted, int | None]] = {
    # Domination of the 5x5 grid is 7, of the 4x4 grid 4, of the 6x6 grid 10 (OEIS A350823).
    "sprinklers": (wanted_of("sprinklers", SprinklerPuzzle(square(5)), "optimum"), 7),
    "all layouts": (
        wanted_of("sprinklers", SprinklerPuzzle(square(4)), "optimum", symmetry_breaking=False),
        4,
    ),
    "at most": (
        wanted_of("sprinklers", SprinklerPuzzle(square(6)), "infeasible", at_most=9),
        None,
    ),
    # Only the middle of the plus waters all of it; the four arms can be picked from outside.
    "hops": (wanted_of("hops", HopsPuzzle(field("X.X\n...\nX.X"), harvest=4), "optimum"), 4),
    "fewest sprinklers": (
        Wanted(
            PUZZLES["hops"], HopsPuzzle(field("X.X\n...\nX.X"), hops=3), "optimum", objective="fewest-sprinklers"
        ),
        1,
    ),
    # One queen in every row, column and region, no two touching; brute force below.
    "starbattle": (wanted_of("starbattle", letters("ddbbb\nddbba\ndddca\nddeca\ndeeca"), "unique"), None),
    "no stars": (wanted_of("starbattle", letters("aab\nabb\nccc"), "unique", fallback=True), None),
    "lightup": (wanted_of("lightup", LightUpPuzzle(("2.", "..")), "unique"), None),
    "dark": (wanted_of("lightup", LightUpPuzzle(("0.",)), "infeasible"), None),
    # On a row of four there is one bulb, whatever is asked.
    "bulbs": (wanted_of("lightup", LightUpPuzzle(("....",)), "optimum", objective="most-bulbs"), 1),
    "at least": (
        wanted_of("lightup", LightUpPuzzle(("....",)), "infeasible", objective="fewest-bulbs", at_least=2),
        None,
    ),
    "minesweeper": (wanted_of("minesweeper", MinesweeperPuzzle(("1..1", "1..1")), "forced"), None),
    # The clue sees three cells; the fourth is beyond it.
    "mines": (
        wanted_of("minesweeper", MinesweeperPuzzle(("2..", "...")), "optimum", objective="most-mines"),
        4,
    ),
}


def make(wanted: Wanted, folder: Path) -> Content:
    came = certify_clauses(wanted, folder / "made.json", "twinproof certify ...", isolated=False)
    assert came.written, came.message
    content = json.loads((folder / "made.json").read_text())
    assert isinstance(content, dict)
    return content


def verdict_of(content: Content, folder: Path) -> Verdict:
    return verify_clauses(read_certificate(content, folder))


def is_proved(content: Content, folder: Path) -> bool:
    try:
        return verdict_of(content, folder).valid
    except InputError:
        return False


def is_true(content: Content) -> bool:
    """Whether a claim is true, by brute force."""
    name, claim = content["puzzle"], content["claim"]
    puzzle = read_instance(PUZZLES[name], content["instance"])
    drawn = list(TRIALS[name].layouts(puzzle))
    if claim["kind"] == "unique":
        return drawn == list(map(tuple, content["layouts"]))
    if claim["kind"] == "forced":
        cells = {(r + 1, c + 1): {layout[r][c] for layout in drawn} for r, c in puzzle.unknown}
        without = sorted([r, c] for (r, c), marks in cells.items() if marks == {"."})
        with_mark = sorted([r, c] for (r, c), marks in cells.items() if marks == {"*"})
        return bool(drawn) and (sorted(claim["without"]), sorted(claim["with"])) == (without, with_mark)
    if "objective" not in claim:
        return not drawn
    mark = {"most-hops": "H", "fewest-sprinklers": "S"}.get(claim["objective"], "*")
    values = ["".join(layout).count(mark) for layout in drawn]
    if claim["kind"] == "optimum":
        best = max if claim["objective"].startswith("most") else min
        return bool(values) and best(values) == claim["value"]
    if "at_most" in claim:
        return all(value > claim["at_most"] for value in values)
    return all(value < claim["at_least"] for value in values)


def resealed(content: Content, folder: Path) -> Content:
    """A certificate with all sizes and digests made right again, as a forger would."""
    try:
        read = read_certificate(content, folder)
        formula = refuted(read.puzzle, read.instance, read.claim, read.lex_leaders)
    except InputError:
        return content
    proof = ProofFile(read.proof_path)
    try:
        steps = sum(b"d" not in line for line in proof)
    except ProofError:
        steps = 0
    return content | {
        "instance_digest": text_digest(read.puzzle.to_json(read.instance)),
        "formula": {
            "variables": formula.variables,
            "clauses": len(formula.clauses),
            "digest": formula.digest(),
        },
        "proof": content["proof"] | {"steps": steps, "digest": proof.digest},
    }


@pytest.mark.parametrize("case", MADE)
def test_a_certificate_is_made_and_verified(case: str, tmp_path: Path) -> None:
    wanted, value = MADE[case]
    content = make(wanted, tmp_path)
    verdict = verdict_of(content, tmp_path)
    assert (verdict.valid, verdict.reasons) == (True, ())
    assert content["claim"].get("value") == value
    assert set(verdict.facts) == {"variables", "clauses", "steps"}
    assert wanted.instance.name in verdict.claim
    assert resealed(content, tmp_path) == content
    if case not in ("sprinklers", "at most"):  # too many layouts for brute force; their values are published
        assert is_true(content)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["made.json", "made.lrat.xz"]


def changed_rows(rows: list[str], dice: random.Random, marks: str) -> list[str]:
    """Rows with one of their marks changed."""
    places = [(r, c) for r, row in enumerate(rows) for c in range(len(row))]
    r, c = dice.choice(places)
    return [*rows[:r], rows[r][:c] + dice.choice(marks) + rows[r][c + 1 :], *rows[r + 1 :]]


def forged(content: Content, dice: random.Random) -> Content:
    """A certificate with something changed in its instance, its claim or its layouts."""
    changed: Content = json.loads(json.dumps(content))
    act = dice.randrange(5)
    instance, claim = changed["instance"], changed["claim"]
    if act == 0:
        marks = {"map": ".X ", "board": "abcde.#0123", "grid": ".#0123"}
        key = next(key for key in marks if key in instance)
        instance[key] = changed_rows(
            instance[key], dice, {"map": ".X ", "board": "abcde.#0123", "grid": ".#0123"}[key]
        )
    elif act == 1 and changed["layouts"]:
        at = dice.randrange(len(changed["layouts"]))
        changed["layouts"][at] = changed_rows(changed["layouts"][at], dice, "SH.*")
    elif act == 2:
        for key in ("value", "at_most", "at_least"):
            if key in claim:
                claim[key] += dice.choice((-1, 1))
        if claim["kind"] == "forced":
            kind = dice.choice(("without", "with"))
            cell = [dice.randint(1, 2), dice.randint(1, 4)]
            claim[kind] = [one for one in claim[kind] if one != cell] or [cell]
    elif act == 3:
        options: dict[str, list[Any]] = {
            "kind": ["basic", "quality"],
            "nozzle": [False, True],
            "symmetry": [None, "hsym", "half-turn"],
            "harvest": [4, 8],
            "dry_paths": [False, True],
            "hops": [None, 0, 1, 2, 3, 4],
            "entrances": [[], [[1, 2]]],
            "stars": [1, 2],
            "mines": [None, 1, 2, 3],
            "trust_flags": [False, True],
        }
        key = dice.choice([key for key in instance if key in options] or ["name"])
        instance[key] = dice.choice(options.get(key, ["other"]))
    else:
        changed["claim"] = {"kind": dice.choice(["unique", "infeasible"])}
        changed["layouts"] = changed["layouts"][: changed["claim"]["kind"] == "unique"]
        changed["encoding"] = dice.choice(["plain 1", "leaders 1"])
    return changed


@pytest.mark.parametrize("case", [case for case in MADE if case not in ("sprinklers", "at most", "all layouts")])
def test_a_forged_certificate_never_proves_what_is_false(case: str, tmp_path: Path) -> None:
    wanted, _ = MADE[case]
    content = make(wanted, tmp_path)
    lines = list(ProofFile(tmp_path / "made.lrat.xz"))
    dice = random.Random(case)
    refused = 0
    for turn in range(60):
        changed = forged(content, dice)
        packed = lzma.compress(b"\n".join(mutated(lines, dice) if turn % 3 == 2 else lines), preset=0)
        (tmp_path / "made.lrat.xz").write_bytes(packed)
        changed = resealed(changed, tmp_path)
        if is_proved(changed, tmp_path):
            assert is_true(changed), json.dumps(changed)
        else:
            refused += 1
    assert refused > 15


@pytest.mark.parametrize("case", ["sprinklers", "hops", "starbattle", "minesweeper"])
def test_a_certificate_whose_parts_do_not_fit_together_is_refused(case: str, tmp_path: Path) -> None:
    content = make(MADE[case][0], tmp_path)
    for where, key in (("formula", "variables"), ("formula", "clauses"), ("proof", "steps")):
        changed = content | {where: content[where] | {key: content[where][key] + 1}}
        verdict = verdict_of(changed, tmp_path)
        assert not verdict.valid
        assert f"{where}: {key}: there are {content[where][key]}" in verdict.reasons[0]
    for where in ("formula", "proof"):
        changed = content | {where: content[where] | {"digest": "0" * 64}}
        assert verdict_of(changed, tmp_path).reasons[0].startswith(f"{where}: digest: is not the one of")
    assert "instance_digest" in verdict_of(content | {"instance_digest": "0" * 64}, tmp_path).reasons[0]
    (tmp_path / "made.lrat.xz").unlink()
    with pytest.raises(InputError, match="there is no such file"):
        verdict_of(content, tmp_path)


def test_layouts_are_checked_by_rules_and_value(tmp_path: Path) -> None:
    content = make(MADE["all layouts"][0], tmp_path)
    (layout,) = content["layouts"]
    first = next((r, row.index("S")) for r, row in enumerate(layout) if "S" in row)
    dry = [row if r != first[0] else row.replace("S", ".", 1) for r, row in enumerate(layout)]
    for layouts, value, says in (
        ([dry], 4, "claim: value: 4, the layout has 3"),
        ([dry], 3, "layouts: layout 1: unwatered"),
        ([["SSSS"] * 4], 4, "claim: value: 4, the layout has 16"),
    ):
        changed = content | {"layouts": layouts, "claim": content["claim"] | {"value": value}}
        assert says in verdict_of(resealed(changed, tmp_path), tmp_path).reasons[0]
    # The layout of 16 is valid, and 16 is not the optimum: no proof says that there are not 15.
    changed = content | {"layouts": [["SSSS"] * 4], "claim": content["claim"] | {"value": 16}}
    assert "proof: line" in verdict_of(resealed(changed, tmp_path), tmp_path).reasons[0]


def test_the_sense_of_an_optimum_is_the_objectives_and_not_its_names(tmp_path: Path) -> None:
    # Domination of the 4x4 grid is 4: 4 is the fewest sprinklers, whatever that is called, and never the most.
    make(MADE["all layouts"][0], tmp_path)
    certificate = read_certificate(json.loads((tmp_path / "made.json").read_text()), tmp_path)
    rules = Rules(sprinklers_rules.violations, lambda instance, objective, layout: "".join(layout).count("S"))
    for name in ("most-sprinklers", "fewest-sprinklers"):
        claim = replace(certificate.claim, objective=name)
        for sense, valid in ((Sense.MINIMIZE, True), (Sense.MAXIMIZE, False)):
            objectives = (Objective(name, sense, counts="S"),)
            puzzle = replace(certificate.puzzle, objectives=objectives, rules=rules)
            assert verify_clauses(replace(certificate, puzzle=puzzle, claim=claim)).valid == valid
            # Of the 16 tiles all can hold a sprinkler.
            better = has_model(refuted(puzzle, certificate.instance, replace(claim, value=16)))
            assert better == (sense is Sense.MINIMIZE)


def test_only_objectives_that_count_marks_in_valid_layouts_are_certified() -> None:
    puzzle = PUZZLES["sprinklers"]
    for objective in (
        Objective("any", Sense.MINIMIZE),
        Objective("any", None, counts="S"),
        Objective("any", Sense.MINIMIZE, counts="S", may_break=frozenset({"unwatered"})),
        Objective("any", Sense.MAXIMIZE, counts="S", relative=True),
    ):
        with pytest.raises(InputError, match="cannot be certified for sprinklers"):
            refuted(
                replace(puzzle, objectives=(objective,)), SprinklerPuzzle(square(2)), Claim("optimum", "any", 1)
            )


def test_no_cell_is_called_forced_where_it_may_have_one_of_several_marks() -> None:
    puzzle = replace(PUZZLES["hops"], claims=("forced",))
    with pytest.raises(InputError, match="several marks for a cell"):
        refuted(puzzle, HopsPuzzle(field(".")), Claim("forced", layouts=(("S",),), without=((0, 0),)))


def test_no_symmetry_is_broken_where_a_puzzle_cannot() -> None:
    with pytest.raises(InputError, match="lightup has none with lex-leader symmetry breaking"):
        refuted(PUZZLES["lightup"], LightUpPuzzle(("0.",)), Claim("infeasible"), lex_leaders=True)


def test_open_cells_must_be_shown_both_ways(tmp_path: Path) -> None:
    content = make(MADE["minesweeper"][0], tmp_path)
    assert len(content["layouts"]) > 1
    says = verdict_of(content | {"layouts": content["layouts"][:1]}, tmp_path).reasons[0]
    assert "not called forced, and alike in all layouts" in says


MALFORMED: list[tuple[Sequence[str], Any, str]] = [
    (["form"], "twinproof clause certificate 2", "form: must be"),
    (["form"], 1, "form: must be text"),
    (["command"], None, "command: must be text"),
    (["puzzle"], "chess", "puzzle: must be one of"),
    (["puzzle"], "hops", "instance: harvest: is missing"),
    (["encoding"], "best", "encoding: must be one of"),
    (["extra"], 1, "'extra': no such key"),
    (["instance"], [], "instance: must be an object"),
    (["instance", "extra"], 1, "'extra': no such key"),
    (["instance", "map"], "....", "map: must be a list"),
    (["instance", "map"], ["....", 4], "row 2: must be one line of text"),
    (["instance", "map"], ["....\n....", "....", "...."], "row 1: must be one line of text"),
    (["instance", "map"], ["....", "....", "....", ".... "], "there is a plainer way"),
    (["instance", "map"], [], "the map has no tile"),
    (["instance", "map"], ["..?."], "is not in the legend"),
    (["instance", "kind"], "golden", "unknown"),
    (["instance", "nozzle"], 1, "nozzle: must be true or false"),
    (["instance", "symmetry"], "best", "unknown"),
    (["claim"], {"kind": "best"}, "kind: must be one of"),
    (["claim"], {"kind": "unique", "value": 4}, "'value': no such key"),
    (["claim"], {"kind": "infeasible"}, "layouts: 1 of them"),
    (["claim"], {"kind": "infeasible", "objective": "fewest-sprinklers"}, "at_most: is missing"),
    (["claim", "value"], True, "value: must be a whole number"),
    (["claim", "value"], 4.0, "value: must be a whole number"),
    (["claim", "value"], -4, "value: must be from 0 to"),
    (["claim", "value"], 10**400, "value: must be from 0 to"),
    (["instance", "name"], "scarecrow", "the map is not the field scarecrow"),
    (["instance", "name"], "grid:4x5", "the map is not the field grid:4x5"),
    (["claim", "objective"], "most-hops", "cannot be certified"),
    (["claim", "at_most"], 3, "'at_most': no such key"),
    (["layouts"], [], "layouts: 0 of them"),
    (["layouts"], [["...."] * 4, ["...."] * 4], "layouts: 2 of them"),
    (["layouts"], ["...."], "layout 1: must be a list"),
    (["layouts"], [["....", "....", "....", "...Q"]], "is not in the legend"),
    (["layouts"], [["....", "....", "....", "....", ""]], "there is a plainer way"),
    (["layouts"], [["....", "....", "...."]], "the layout has 3 rows"),
    (["formula"], 5, "formula: must be an object"),
    (["formula", "variables"], "9", "variables: must be a whole number"),
    (["formula", "extra"], 1, "'extra': no such key"),
    (["proof", "file"], "../made.lrat.xz", "must be the name of a file beside"),
    (["proof", "file"], "/tmp/made.lrat.xz", "must be the name of a file beside"),
    (["proof", "file"], "sub\\made.lrat.xz", "must be the name of a file beside"),
    (["proof", "file"], "made.lrat.xz\0", "must be the name of a file beside"),
    (["proof", "file"], 300 * "m" + ".lrat.xz", "must be the name of a file beside"),
    (["proof", "file"], "made.json", "must be the name of a file beside"),
    (["proof", "file"], "..", "must be the name of a file beside"),
    (["proof", "file"], "other.lrat.xz", "there is no such file"),
    (["proof", "steps"], None, "steps: must be a whole number"),
    (["proof", "extra"], 1, "'extra': no such key"),
]


def test_a_malformed_certificate_is_refused_with_the_place(tmp_path: Path) -> None:
    content = make(MADE["all layouts"][0], tmp_path)
    for path, value, says in MALFORMED:
        changed = json.loads(json.dumps(content))
        inner = changed
        for key in path[:-1]:
            inner = inner[key]
        inner[path[-1]] = value
        with pytest.raises(InputError) as refused:
            verdict_of(changed, tmp_path)
        assert says in str(refused.value), (path, value, str(refused.value))
        assert "\n" not in str(refused.value)
    for key in content:
        with pytest.raises(InputError, match="is missing"):
            verdict_of({name: value for name, value in content.items() if name != key}, tmp_path)


@pytest.mark.parametrize(
    ("name", "puzzle", "claim"),
    [
        # A tile has two marks there, and one would stand for the other: the tile below always holds a sprinkler.
        ("hops", HopsPuzzle(field(".")), Claim("forced", layouts=(("S",),), without=((0, 0),))),
        ("sprinklers", SprinklerPuzzle(field(".")), Claim("forced", layouts=(("S",),), with_mark=((0, 0),))),
        ("sprinklers", SprinklerPuzzle(field(".")), Claim("unique", layouts=(("S",),))),
        # The words mean "at the most hops" everywhere else.
        ("hops", HopsPuzzle(field("..")), Claim("optimum", "fewest-sprinklers", 1, layouts=(("S.",),))),
        ("hops", HopsPuzzle(field("..")), Claim("infeasible", "fewest-sprinklers", at_most=0)),
    ],
)
def test_a_claim_that_would_not_mean_what_it_says_is_refused(name: str, puzzle: Any, claim: Claim) -> None:
    with pytest.raises(InputError, match=r"claim (forced|unique): not of|only of an instance that fixes"):
        refuted(PUZZLES[name], puzzle, claim)


@pytest.mark.parametrize(
    ("name", "puzzle", "said"),
    [
        ("sprinklers", SprinklerPuzzle(square(2)), "square"),
        (
            "sprinklers",
            SprinklerPuzzle(square(2), SprinklerKind("quality", True), "hsym"),
            'kind "quality", nozzle true',
        ),
        ("sprinklers", SprinklerPuzzle(square(2), symmetry="hsym"), '(symmetry "hsym")'),
        ("hops", HopsPuzzle(square(2), hops=1), "(hops 1)"),
        ("hops", HopsPuzzle(square(2), hops=0), "(hops 0)"),
        ("hops", HopsPuzzle(square(2), harvest=8, dry_paths=True), "(harvest 8, dry_paths true)"),
        ("hops", HopsPuzzle(square(2), entrances=frozenset({(0, 1)})), "(entrances [[1, 2]])"),
        ("starbattle", letters("\n".join(8 * mark for mark in "ABCDEFGH"), 2), "(stars 2)"),
        ("minesweeper", MinesweeperPuzzle(("F.",), 1, False), "(mines 1, trust_flags false)"),
    ],
)
def test_the_words_of_a_claim_say_every_option(name: str, puzzle: Any, said: str) -> None:
    words = in_words(PUZZLES[name], puzzle, Claim("infeasible"))
    assert said in words or said == "square"
    assert ("(" in words) == (said != "square")


def test_a_board_without_a_cell_to_ask_about_is_certified(tmp_path: Path) -> None:
    for name, puzzle in (("lightup", LightUpPuzzle(("#",))), ("minesweeper", MinesweeperPuzzle(("??",)))):
        content = make(wanted_of(name, puzzle, "forced"), tmp_path)
        assert verdict_of(content, tmp_path).valid


def test_a_formula_beyond_the_limits_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = make(MADE["all layouts"][0], tmp_path)
    monkeypatch.setattr("twinproof.optim.proof.cnf.MOST_CLAUSES", 20)
    with pytest.raises(InputError, match="its formula has more than 20 clauses"):
        verdict_of(content, tmp_path)


# --- The commands -----------------------------------------------------------------------------------------------


def test_the_commands_make_and_verify(twinproof: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    status, out, err = twinproof("certify", "sprinklers", "grid:4x4")
    assert (status, err) == (0, "")
    assert out == (
        "sprinklers grid:4x4: fewest-sprinklers: 4, and no layout is better: "
        "reports/certificates/sprinklers-grid-4x4.json\n"
    )
    path = tmp_path / "reports" / "certificates" / "sprinklers-grid-4x4.json"
    assert sorted(file.name for file in path.parent.iterdir()) == [path.name, "sprinklers-grid-4x4.lrat.xz"]
    assert json.loads(path.read_text())["command"] == "twinproof certify sprinklers grid:4x4"
    status, out, err = twinproof("verify", str(path))
    assert (status, err) == (0, "")
    assert out.endswith("valid\n")
    monkeypatch.setenv("PATH", "")
    monkeypatch.setitem(sys.modules, "dratify", None)
    status, out, err = twinproof("verify", str(path), "--external-checkers")
    assert status == 0
    assert out.endswith(
        "valid\ndratify: skipped: the package dratify is not installed\nacl2: skipped: there is no program acl2\n"
    )
    status, out, err = twinproof("verify", str(path), "--json", "--external-checkers")
    content = json.loads(out)
    assert (status, content["valid"]) == (0, True)
    assert set(content["external_checkers"]) == {"dratify", "acl2"}
    # Cut off, and gone.
    proof = path.with_name("sprinklers-grid-4x4.lrat.xz")
    proof.write_bytes(proof.read_bytes()[:-10])
    status, out, _ = twinproof("verify", str(path))
    assert status == 1
    assert "is cut off\nNOT VALID\n" in out
    proof.unlink()
    status, out, err = twinproof("verify", str(path))
    assert (status, out, err.count("\n")) == (2, "", 1)


def test_the_commands_say_why_there_is_no_certificate(in_children: Run, tmp_path: Path) -> None:
    (tmp_path / "two.txt").write_text("..\n..\n")  # bulbs on either diagonal
    status, out, _ = in_children("certify", "lightup", "two.txt", "--output", "a.json")
    assert (status, out.splitlines()[-1]) == (1, "not unique")
    status, out, _ = in_children(
        "certify", "sprinklers", "grid:16x16", "--time-limit", "0.3", "--output", "a.json"
    )
    assert (status, out) == (3, "not proved; time limit\n")
    assert [path.name for path in tmp_path.iterdir()] == ["two.txt"]


def test_a_claim_that_is_false_gets_no_certificate(tmp_path: Path) -> None:
    two, none = LightUpPuzzle(("..", "..")), LightUpPuzzle(("0.",))
    impossible = MinesweeperPuzzle(("3.", "0."))
    for wanted, says in (
        (wanted_of("lightup", two, "unique"), "not unique"),
        (wanted_of("lightup", two, "infeasible"), "not infeasible: there is a layout"),
        (wanted_of("lightup", two, "infeasible", objective="most-bulbs", at_least=2), "not infeasible"),
        (wanted_of("lightup", none, "unique"), "there is no layout"),
        (wanted_of("minesweeper", impossible, "forced"), "there is no layout"),
        # Here nothing but an empty clause says so.
        (wanted_of("minesweeper", MinesweeperPuzzle(("3.",)), "forced"), "there is no layout"),
    ):
        came = certify_clauses(wanted, tmp_path / "a.json", "", isolated=False)
        assert not came.written
        assert says in came.message
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "words",
    [
        ["sprinklers", "grid:4x4", "--claim", "unique"],
        ["sprinklers", "grid:4x4", "--claim", "best"],
        ["sprinklers", "grid:4x4", "--by", "frontier"],
        ["sprinklers", "grid:4x4", "--by", "magic"],
        ["sprinklers", "grid:4x4", "--objective", "most-hops"],
        ["sprinklers", "grid:4x4", "--at-most", "3", "--claim", "optimum"],
        ["sprinklers", "grid:4x4", "--at-most", "3", "--at-least", "3"],
        ["sprinklers", "grid:4x4", "--harvest", "4"],
        ["sprinklers", "grid:4x4", "--output", "no/x.json"],
        ["sprinklers", "grid:4x4", "--output", "x.txt"],
        ["hops", "disc:9", "--by", "frontier", "--symmetry", "hsym"],
        ["hops", "disc:9", "--objective", "fewest-sprinklers"],
        ["minesweeper", "nowhere.txt"],
    ],
)
def test_certify_refuses_what_it_cannot_do(twinproof: Run, tmp_path: Path, words: list[str]) -> None:
    status, out, err = twinproof("certify", *words)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{}", "form: must be"),
        ('{"form": "twinproof clause certificate 2"}', "form: must be"),
        ("[]", "must be a JSON object"),
        ("", "no JSON"),
        ("[" * 100_000, "no JSON"),
        ('{"form": 1, "form": 1}', "a key stands twice"),
        ('{"form": "twinproof clause certificate 1"}', "certificate: command: is missing"),
        ('{"form": "twinproof clause certificate 1", "command": ' + "1" * 5000 + "}", "no JSON"),
        ('{"form": "twinproof frontier certificate 1"}', "is missing"),
    ],
)
def test_verify_refuses_what_is_no_certificate(twinproof: Run, tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "a.json").write_text(text)
    status, out, err = twinproof("verify", "a.json")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert says in err


def test_a_key_that_stands_twice_is_refused_in_every_file() -> None:
    with pytest.raises(InputError, match="a key stands twice"):
        PUZZLES["lightup"].read(Inline("bulbs", '{"grid": ["."], "grid": [".."]}'))


def test_no_solver_is_loaded_by_the_verifier(tmp_path: Path) -> None:
    cases = ("sprinklers", "hops", "starbattle", "lightup", "minesweeper")
    for case in cases:
        (tmp_path / case).mkdir()
        make(MADE[case][0], tmp_path / case)
    script = """
import re, sys
from twinproof.compare.cli.main import main
solvers = re.compile(r"pysat|pysolvers|ortools|numba|twinproof\\.optim\\.(cpsat\\w*|maxsat|sat|frontier)(\\.|$)|"
    r"twinproof\\.models\\.\\w+\\.(cpsat|maxsat|linear_search|frontier)")
for path in sys.argv[1:]:
    try:
        main(["verify", path])
    except SystemExit as left:
        print("left", left.code, sorted(name for name in sys.modules if solvers.match(name)))
"""
    words = [sys.executable, "-c", script, *(str(tmp_path / case / "made.json") for case in cases)]
    ran = subprocess.run(words, capture_output=True, text=True, check=True)
    assert [line for line in ran.stdout.splitlines() if line.startswith("left")] == ["left 0 []"] * len(cases)


@pytest.mark.parametrize("checker", ["dratify", pytest.param("acl2", marks=pytest.mark.slow)])
def test_other_checkers_agree(checker: str, tmp_path: Path) -> None:
    content = make(MADE["sprinklers"][0], tmp_path)
    read = read_certificate(content, tmp_path)
    formula = refuted(read.puzzle, read.instance, read.claim, read.lex_leaders)
    (tmp_path / "formula.cnf").write_text("".join(formula.dimacs()))
    lines = list(ProofFile(read.proof_path))
    (tmp_path / "proof.lrat").write_bytes(b"\n".join(lines) + b"\n")
    check = CHECKERS[checker](tmp_path / "formula.cnf", tmp_path / "proof.lrat")
    if check.accepts is None:
        pytest.skip(check.reason)
    assert check.accepts
    # Without the bound there is a model, and nobody may be convinced.
    weaker = encode(read.puzzle, read.instance, read.lex_leaders).formula
    weaker.clauses += [(1,)] * (len(formula.clauses) - len(weaker.clauses))
    text = "".join(weaker.dimacs()).replace(f"cnf {weaker.variables}", f"cnf {formula.variables}")
    (tmp_path / "formula.cnf").write_text(text)
    assert not CHECKERS[checker](tmp_path / "formula.cnf", tmp_path / "proof.lrat").accepts


CERTIFICATES = Path(__file__).parents[2] / "reports" / "certificates"
KEPT = [
    pytest.param(
        path, id=path.name.split(".")[0], marks=[pytest.mark.slow] if path.stat().st_size > 500_000 else []
    )
    for path in sorted(CERTIFICATES.glob("*.lrat.xz"))
]


@pytest.mark.parametrize("path", KEPT)
def test_the_certificates_that_are_kept_are_valid(path: Path) -> None:
    content = json_object(path.with_name(path.name.replace(".lrat.xz", ".json")).read_text(), path.name)
    assert verdict_of(content, CERTIFICATES).valid
