"""Clause certificates: made, broken and refused."""

import json
import lzma
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.contract.trials import TRIALS
from tests.optim.test_lrat import mutated
from tests.support.certificates import MADE, Content, field, make, square, verdict_of, wanted_of
from tests.support.clauses import has_model
from tests.support.examples import examples
from twinproof.compare.certificates.certify import certify_clauses
from twinproof.compare.certificates.checkers import CHECKERS
from twinproof.compare.certificates.claims import Claim, encode, refuted
from twinproof.compare.certificates.verify import (
    read_certificate,
    read_instance,
    text_digest,
    verify_clauses,
)
from twinproof.models import PUZZLES
from twinproof.models.hops.instance import HopsPuzzle
from twinproof.models.lightup.instance import LightUpPuzzle
from twinproof.models.minesweeper.instance import MinesweeperPuzzle
from twinproof.models.puzzle import Objective, Rules
from twinproof.models.sprinklers import rules as sprinklers_rules
from twinproof.models.sprinklers.instance import SprinklerPuzzle
from twinproof.models.text.json_values import json_object
from twinproof.optim import InputError, Sense
from twinproof.optim.proof.files import ProofFile
from twinproof.optim.proof.lrat import ProofError

relaxed = examples(25)

# --- Certificates made ------------------------------------------------------------------------------------------


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


def test_a_board_without_a_cell_to_ask_about_is_certified(tmp_path: Path) -> None:
    for name, puzzle in (("lightup", LightUpPuzzle(("#",))), ("minesweeper", MinesweeperPuzzle(("??",)))):
        content = make(wanted_of(name, puzzle, "forced"), tmp_path)
        assert verdict_of(content, tmp_path).valid


def test_a_formula_beyond_the_limits_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = make(MADE["all layouts"][0], tmp_path)
    monkeypatch.setattr("twinproof.optim.proof.cnf.MOST_CLAUSES", 20)
    with pytest.raises(InputError, match="its formula has more than 20 clauses"):
        verdict_of(content, tmp_path)


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
