"""The verifier of frontier certificates: good ones pass, and nothing passes of which the claim does not follow."""

import ast
import base64
import copy
import json
import lzma
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import twinproof.models.hops.frontier_verify as verifier
from tests.oracle.frontier import Sweep, by_angle, certify, pack, sealed, stage
from tests.support.examples import examples
from tests.support.frontier import (
    DISC_9,
    DISC_36,
    FAST,
    RECORDS,
    RINGS,
    ROUNDS,
    Certificate,
    disc_9,
    field_rows,
    line,
    most_hops,
    outcome,
    ring,
    ring_certificate,
    unpack,
)
from twinproof.models.field.maps import named_field
from twinproof.models.hops.frontier_verify import FrontierVerdict, digest, read_certificate, verify_frontier
from twinproof.models.hops.instance import HopsPuzzle
from twinproof.models.hops.rules import violations
from twinproof.optim import InputError


class TestGoodOnes:
    @pytest.mark.parametrize("rounds", ROUNDS)
    def test_disc_9_has_14_hops(self, rounds: tuple[int, ...]) -> None:
        told: list[str] = []
        verdict = verify_frontier(disc_9(rounds), told.append)
        assert verdict.valid
        assert verdict.facts["hops"] == 14
        assert verdict.facts["cut_states"] == 37
        assert verdict.facts.get("closed", 0) <= 14
        assert told

    def test_weak_rounds_leave_closed_walks_of_the_value(self) -> None:
        assert verify_frontier(disc_9(())).facts["closed"] == 14

    @pytest.mark.parametrize("name", RINGS)
    def test_rings_of_every_kind(self, name: str) -> None:
        rows, period, rules = RINGS[name]
        layout = line(name, rows, **rules).best_layout()
        for rounds in ROUNDS:
            assert outcome(certify(ring(name, rows, period, **rules), layout, rounds)) == ""
        if sum(row.count(".") for row in rows) <= 12:
            assert most_hops(line(name, rows, **rules)) == sum(row.count("H") for row in layout)

    @pytest.mark.parametrize(
        ("rows", "rules"),
        [
            (("...", "...", "..."), {}),
            (("....", "....", "..."), {"harvest": 8, "dry_paths": True}),
            (("....", ".X..", "... "), {"entrances": ((0, 1),), "dry_paths": True}),
            (("....", "....", "."), {"kind": "iridium", "entrances": ((0, 0),)}),
            ((".",), {"dry_paths": True}),
        ],
    )
    def test_lines(self, rows: tuple[str, ...], rules: dict[str, Any]) -> None:
        sweep = line("a grid", rows, **rules)
        layout = sweep.best_layout()
        verdict = verify_frontier(certify(sweep, layout))
        assert verdict.valid
        assert verdict.facts["best"] == verdict.facts["hops"] == most_hops(sweep)

    def test_a_ring_may_be_swept_in_lines(self) -> None:
        assert outcome(certify(line("disc:9", field_rows("disc:9")), DISC_9)) == ""

    def test_a_certificate_survives_its_file(self) -> None:
        assert outcome(read_certificate(json.dumps(disc_9(), indent=1), "a.json")) == ""

    def test_disc_36_has_54_hops(self) -> None:
        assert outcome(certify_large("disc:36", DISC_36, rounds=1)) == ""

    @pytest.mark.slow
    def test_the_scarecrow_has_109_hops(self) -> None:
        record = json.loads((RECORDS / "hops-scarecrow-frontier.json").read_text(encoding="utf-8"))
        verdict = verify_frontier(certify_large("scarecrow", record["layout"], rounds=3))
        assert verdict.valid
        assert verdict.facts["hops"] == 109
        assert verdict.facts["cut_states"] == 154_115
        assert verdict.facts["states"] == 59_848_331


class TestFalseClaims:
    """Claims of one hop too few, however they are argued."""

    @staticmethod
    def one_too_few(rounds: tuple[int, ...] = ()) -> Certificate:
        layout = list(DISC_9)
        layout[0] = "   S"
        return certify(ring("disc:9", field_rows("disc:9"), 7), layout, rounds)

    def test_the_closing_finds_the_better_layout(self) -> None:
        for rounds in ROUNDS:
            certificate = self.one_too_few(rounds)
            assert certificate["target"] == 14
            assert "a closed walk of value 14 is left" in outcome(certificate)

    def test_a_line_finds_the_better_layout(self) -> None:
        layout = ["   S", *DISC_9[1:]]
        found = outcome(certify(line("disc:9", field_rows("disc:9")), layout))
        assert found == "value: is 13, the best that the sweep finds is 14"

    @FAST
    @given(st.data())
    def test_no_potentials_and_no_kept_bits_make_it_true(self, data: st.DataObject) -> None:
        certificate = copy.deepcopy(self.base)
        alive = certificate["count"]
        certificate["stages"] = []
        for _ in range(data.draw(st.integers(1, 3))):
            potentials = data.draw(st.lists(st.integers(-20, 20), min_size=alive, max_size=alive))
            kept = data.draw(st.lists(st.booleans(), min_size=alive, max_size=alive))
            certificate["stages"].append(stage(potentials, kept))
            alive = sum(kept)
        assert outcome(sealed(certificate)) != ""

    base = one_too_few()

    @FAST
    @given(st.data())
    def test_no_states_make_it_true(self, data: st.DataObject) -> None:
        certificate = copy.deepcopy(self.base)
        rows = {bytes(row) for row in unpack(certificate["states"]).reshape(-1, 2)}
        codes = st.sampled_from([0, *range(1, 5), *range(7, 12)])
        rows |= data.draw(st.sets(st.tuples(codes, codes).map(bytes), max_size=20))
        rows -= data.draw(st.sets(st.sampled_from(sorted(rows)), max_size=3))
        certificate["states"], certificate["count"] = pack(b"".join(sorted(rows))), len(rows)
        none = [False] * len(rows)
        certificate["stages"] = [stage([0] * len(rows), none)] if data.draw(st.booleans()) else []
        assert outcome(sealed(certificate)) != ""


class TestPruning:
    def test_every_kept_bit_is_needed(self) -> None:
        certificate = disc_9((0, 0))
        kept = np.unpackbits(unpack(certificate["stages"][0]["kept"]), count=37)
        potentials = unpack(certificate["stages"][0]["potentials"], "<i4")
        assert kept.any()
        for i in np.flatnonzero(kept):
            fewer = kept.copy()
            fewer[i] = 0
            changed = {**certificate, "stages": [stage(potentials.tolist(), fewer.astype(bool).tolist())]}
            assert f"round 1: kept: state {i + 1} of the 37 still alive is dropped" in outcome(sealed(changed))

    def test_more_may_be_kept(self) -> None:
        certificate = disc_9((16,))
        potentials = unpack(certificate["stages"][0]["potentials"], "<i4")
        certificate["stages"] = [stage(potentials.tolist(), [True] * 37)]
        assert outcome(sealed(certificate)) == ""

    def test_bad_potentials_do_not_drop_what_good_ones_drop(self) -> None:
        certificate = disc_9((16,))
        assert not unpack(certificate["stages"][0]["kept"]).any()
        for potentials in ([0] * 37, list(range(37))):
            certificate["stages"][0] = stage(potentials, [False] * 37)
            assert "is dropped" in outcome(sealed(certificate))

    def test_potentials_have_bounds(self) -> None:
        certificate = disc_9((16,))
        certificate["stages"][0] = stage([2**31 - 1] * 37, [False] * 37)
        assert "potentials: number 1: is beyond" in outcome(sealed(certificate))

    @FAST
    @given(st.data())
    def test_a_changed_potential_never_breaks_anything(self, data: st.DataObject) -> None:
        certificate = disc_9((16,))
        potentials = unpack(certificate["stages"][0]["potentials"], "<i4")
        potentials[data.draw(st.integers(0, 36))] += data.draw(st.integers(-3, 3))
        certificate["stages"][0] = stage(potentials.tolist(), [False] * 37)
        # The claim is true: either it still follows, or the verifier says what is dropped wrongly.
        assert outcome(sealed(certificate)) == "" or "is dropped" in outcome(sealed(certificate))


class TestStates:
    def test_every_state_is_needed(self) -> None:
        certificate = disc_9(())
        rows = unpack(certificate["states"]).reshape(-1, 2)
        for i in range(len(rows)):
            fewer = np.delete(rows, i, axis=0)
            changed = {**certificate, "states": pack(fewer.tobytes()), "count": len(fewer)}
            assert "is missing" in outcome(sealed(changed))

    @pytest.mark.parametrize(
        ("change", "reason"),
        [
            (lambda rows: rows[[1, 0, *range(2, 37)]], "does not come after"),
            (lambda rows: rows[[0, 0, *range(1, 37)]], "does not come after"),
            (lambda rows: np.vstack([rows, [[200, 0]]]), "code that cannot stand there"),
            (lambda rows: np.vstack([rows, [[0, 5]]]), "code that cannot stand there"),
            (lambda rows: np.vstack([rows, [[12, 0]]]), "code that cannot stand there"),
        ],
    )
    def test_states_are_in_order_and_well_formed(self, change: Callable[[Any], Any], reason: str) -> None:
        certificate = disc_9(())
        rows = change(unpack(certificate["states"]).reshape(-1, 2)).astype(np.uint8)
        certificate["states"], certificate["count"] = pack(rows.tobytes()), len(rows)
        assert reason in outcome(sealed(certificate))

    def test_walks_must_start_somewhere(self) -> None:
        nothing = {**disc_9(()), "states": pack(b""), "count": 0}
        assert outcome(sealed(nothing)) == "states: [0, 0] is missing, where nothing is left to do"

    def test_the_count_is_the_one_of_the_states(self) -> None:
        for count in (36, 38, -1, 10**12):
            assert outcome(sealed({**disc_9(), "count": count})) != ""


class TestInstance:
    @pytest.mark.parametrize(
        ("key", "value"),
        [
            ("kind", "quality"),
            ("nozzle", True),
            ("harvest", 8),
            ("entrances", [[1, 4]]),
            ("dry_paths", True),
            ("name", "disc:8"),
            ("name", "grid:7x7"),
            ("map", ["   .", *field_rows("disc:9")[1:-1]]),
        ],
    )
    def test_other_facts_need_another_certificate(self, key: str, value: Any) -> None:
        certificate = disc_9()
        certificate["instance"][key] = value
        assert outcome(sealed(certificate)) != ""

    def test_another_number(self) -> None:
        for change in ({"value": 13}, {"value": 15}, {"target": 14}, {"target": 16}, {"value": 13, "target": 14}):
            assert outcome(sealed({**disc_9(), **change})) != ""

    def test_the_layout_is_judged_as_by_the_rules(self) -> None:
        certificate = disc_9()
        field = named_field("disc:9")
        puzzle = HopsPuzzle(field, hops=14)
        for r, row in enumerate(DISC_9):
            for c, mark in enumerate(row):
                for other in set("SH.X ") - {mark}:
                    layout = list(DISC_9)
                    layout[r] = row[:c] + other + row[c + 1 :]
                    found = outcome(sealed({**certificate, "layout": layout}))
                    # A walkway or sprinkler may be changed into the other where the rules still hold.
                    fits = other in "SH." and mark in "SH."
                    assert (found == "") == (fits and not violations(puzzle, layout)), found

    def test_an_entrance_is_at_the_edge(self) -> None:
        certificate = disc_9()
        certificate["instance"]["entrances"] = [[4, 3]]
        assert "row 4, column 3: is no tile at the edge" in outcome(sealed(certificate))

    facts: Sequence[tuple[str, Sequence[Any]]] = (
        ("harvest", (4, 8)),
        ("dry_paths", (False, True)),
        ("kind", ("basic", "quality")),
        ("nozzle", (False, True)),
        ("entrances", ([], [[1, 1]], [[1, 2], [3, 2]])),
    )

    @settings(examples(30), derandomize=True)
    @given(st.sampled_from([*RINGS][:7]), st.data())
    def test_what_passes_is_true(self, name: str, data: st.DataObject) -> None:
        """Change facts of the instance, and the numbers; whatever still passes must be so by brute force."""
        rows = RINGS[name][0]
        certificate = ring_certificate(name)
        instance = certificate["instance"]
        for _ in range(data.draw(st.integers(1, 2))):
            key, values = data.draw(st.sampled_from(self.facts))
            instance[key] = data.draw(st.sampled_from(values))
        if outcome(sealed(certificate)) == "":
            changed = {key: instance[key] for key in ("harvest", "dry_paths", "kind", "nozzle")}
            entrances = tuple((r - 1, c - 1) for r, c in instance["entrances"])
            assert most_hops(line(name, rows, **changed, entrances=entrances)) == certificate["value"]


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-2, 40)
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from([".", "S", "H", "X", " ", "scarecrow", "disc:9", "basic", pack(b""), pack(b"\0" * 37)]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=8,
)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from places(inner, (*path, key))


class TestMalformed:
    @FAST
    @given(JSON)
    def test_any_json_gives_a_verdict_or_one_line(self, content: Any) -> None:
        with pytest.raises(InputError):
            read_certificate(json.dumps(content), "a.json")
        outcome(content)

    @settings(examples(200), derandomize=True)
    @given(st.data())
    def test_any_part_may_be_anything(self, data: st.DataObject) -> None:
        certificate = disc_9()
        *path, last = data.draw(st.sampled_from([place for place in places(certificate) if place]))
        holder: Any = certificate
        for key in path:
            holder = holder[key]
        if data.draw(st.booleans()):
            del holder[last]
        else:
            holder[last] = data.draw(JSON)
        try:
            certificate = {**certificate, "digest": digest(certificate)}
        except InputError:
            return
        if outcome(certificate) == "":
            assert (certificate["value"], certificate["target"]) == (14, 15)
            assert {**certificate["instance"], "name": "", "map": []} == {
                **disc_9()["instance"],
                "name": "",
                "map": [],
            }

    @pytest.mark.parametrize("text", ["", "{", "[]", "1", "NaN", "{}", "[" * 100_000, '{"form": 1}', "9" * 5000])
    def test_texts_that_are_no_certificate(self, text: str) -> None:
        with pytest.raises(InputError, match=r"^a\.json: "):
            read_certificate(text, "a.json")

    def test_a_wrong_digest(self) -> None:
        certificate = disc_9()
        flipped = "1" if certificate["digest"][0] == "0" else "0"
        assert outcome({**certificate, "digest": flipped + certificate["digest"][1:]}).startswith("digest")
        assert outcome({**certificate, "command": "another"}).startswith("digest")

    @pytest.mark.parametrize(
        "packed",
        [
            "!",
            "é",
            "AAAA",
            pack(b"\0" * 10**8),
            pack(b"")[:-4],
            base64.b64encode(lzma.compress(b"\0") * 2).decode(),
        ],
    )
    def test_packed_content_that_does_not_unpack(self, packed: str) -> None:
        certificate = disc_9((16,))
        assert outcome(sealed({**certificate, "states": packed})).startswith("states: ")
        for key in ("potentials", "kept"):
            changed = {**certificate, "stages": [{**certificate["stages"][0], key: packed}]}
            assert outcome(sealed(changed)).startswith(f"stages: round 1: {key}: ")

    def test_unknown_keys(self) -> None:
        assert outcome(sealed({**disc_9(), "optimal": True})) == "certificate: 'optimal': unknown here"

    def test_a_verdict_tells_its_place(self) -> None:
        certificate = disc_9()
        certificate["layout"][3] = "HSSXHSH"
        verdict = verify_frontier(sealed(certificate))
        assert isinstance(verdict, FrontierVerdict)
        assert verdict.reasons == ("value: is 14, the layout has 13 hops",)


def test_the_verifier_stands_alone() -> None:
    tree = ast.parse(Path(verifier.__file__).read_text(encoding="utf-8"))
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    imported |= {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
    assert {name for name in imported if name and name.split(".")[0] == "twinproof"} == {"twinproof.optim.errors"}


def certify_large(name: str, layout: Sequence[str], rounds: int) -> Certificate:
    """Make a certificate of a disc by the verifier's own passes: plain Python would take too long.

    That is no circle: the closure and the potentials may come from anywhere, and are checked.
    """
    rows = field_rows(name)
    sweep = Sweep(name, rows, tuple(by_angle(rows)), None)
    certificate = certify(sweep, layout)
    certificate["sweep"] = {**certificate["sweep"], "ring": True, "period": sweep.n // 4}
    certificate.update(states="", count=0, stages=[])
    claim = verifier._read_claim(certificate)
    steps = verifier._steps(claim)[: claim.period]
    frontier = len(steps[0].waters)

    cut = np.array([0])
    for _ in range(frontier):
        cut = (cut[:, np.newaxis] * verifier.CODES + np.array([0, 4, 8])).ravel()
    fresh = cut
    while len(fresh):
        for step in steps:
            fresh, _ = verifier._next_moment(fresh, step)
        fresh = np.setdiff1d(fresh, cut)
        cut = np.union1d(cut, fresh)
    columns = [cut // verifier.CODES**i % verifier.CODES for i in reversed(range(frontier))]
    certificate.update(states=pack(np.stack(columns, axis=1).astype(np.uint8).tobytes()), count=len(cut))

    moments = verifier._build(cut, claim, steps, lambda text: None)
    potentials = np.zeros(len(cut), np.int32)
    for _ in range(rounds):
        for _ in range(16):
            for i, successors in enumerate(moments):
                size = len(moments[(i + 1) % len(moments)])
                potentials = verifier._forward(potentials, successors, size)
            potentials = np.maximum(potentials, -1000)
        keep = verifier._needed(moments, potentials, 4, certificate["target"])
        certificate["stages"].append(stage(potentials.tolist(), keep[0].tolist()))
        verifier._drop(moments, keep)
        potentials = potentials[keep[0]]
    return sealed(certificate)
