"""The verifier of frontier certificates: orders of cells, rings, and random fields by brute force."""

from collections.abc import Sequence
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.oracle.frontier import Cell, Sweep, by_angle, by_rows, certify, pack, sealed, stage
from tests.support.examples import examples
from tests.support.frontier import (
    DISC_9,
    FAST,
    RING_12,
    RINGS,
    ROUNDS,
    Certificate,
    disc_9,
    field_rows,
    line,
    most_hops,
    outcome,
    ring,
)
from twinproof.models.hops.frontier_verify import verify_frontier


class TestOrders:
    @staticmethod
    def with_order(order: Sequence[Sequence[int]], **more: Any) -> str:
        certificate = disc_9()
        certificate["sweep"] = {**certificate["sweep"], "order": list(order), **more}
        return outcome(sealed(certificate))

    @property
    def order(self) -> list[list[int]]:
        return list(disc_9()["sweep"]["order"])

    def test_every_tile_once(self) -> None:
        order = self.order
        assert "is missing" in self.with_order(order[:-1])
        assert "is there twice" in self.with_order([*order[:-1], order[0]])
        assert "is no tile" in self.with_order([*order[:-1], [1, 1]])
        assert "is missing" in self.with_order([])

    def test_all_quarters_alike(self) -> None:
        for i in range(28):
            order = self.order
            order[i], order[(i + 1) % 28] = order[(i + 1) % 28], order[i]
            assert "is not the same tile, turned" in self.with_order(order)

    def test_a_quarter_is_a_quarter(self) -> None:
        for period in (-7, 0, 1, 2, 4, 8, 56):
            assert "sweep: period" in self.with_order(self.order, period=period)
        for period in (14, 28):  # these two are true as well
            assert self.with_order(self.order, period=period) == ""

    def test_what_touches_is_near(self) -> None:
        order = self.order
        found = self.with_order([*order[::2], *order[1::2]], period=28)
        assert "touch, and lie 3/8 of a turn or more apart" in found
        turned_back = [order[7 * k + i] for k in range(4) for i in reversed(range(7))]
        assert "touch, and lie 3/8 of a turn or more apart" in self.with_order(turned_back)

    def test_a_ring_may_be_cut_where_nothing_touches(self) -> None:
        rows = field_rows("disc:9")
        sweep = Sweep("disc:9", rows, tuple(by_rows(rows)), 28)
        verdict = verify_frontier(certify(sweep, DISC_9, ()))
        assert verdict.valid
        assert verdict.facts["frontier"] == 0
        assert verdict.facts["closed"] == 14

    def test_the_rules_turn_with_the_tiles(self) -> None:
        name = "4x4, an entrance"
        rows, _, rules = RINGS[name]
        layout = line(name, rows, **rules).best_layout()
        for period in (3, 6):
            certificate = certify(ring(name, rows, period, **rules), layout)
            assert f"the rules do not repeat {period} entries later" in outcome(certificate)

    def test_a_line_is_no_ring(self) -> None:
        certificate = disc_9()
        certificate["sweep"]["ring"] = False
        assert "unknown here" in outcome(sealed(certificate))
        for key in ("states", "count", "stages"):
            del certificate[key]
        assert "sweep: period: is 7, must be 28" in outcome(sealed(certificate))
        certificate["sweep"]["period"] = 28
        assert outcome(sealed(certificate)) == ""  # a sweep in lines may take the tiles as it likes

    def test_wide_frontiers_are_refused(self) -> None:
        rows = ("." * 13,) * 13
        layout = ("S" * 13,) * 13
        assert "the frontier has more than 12 tiles" in outcome(certify(line("wide", rows), layout))

    @FAST
    @given(st.permutations(range(12)), st.sampled_from([3, 6, 12]))
    def test_no_order_makes_a_false_claim_true(self, order: list[int], period: int) -> None:
        rows = RING_12
        layout = ("SHHS", "SXXH", "HXXH", "SHHS")
        sweep = Sweep("4x4", rows, tuple(by_angle(rows)[i] for i in order), period)
        found = outcome(_hollow(sweep, layout))
        assert "sweep" in found or "states" in found or "dropped" in found


def _hollow(sweep: Sweep, layout: Sequence[str]) -> Certificate:
    """Make a certificate that drops everything at once."""
    certificate = certify(Sweep(sweep.name, sweep.rows, sweep.order, None), layout)
    states = b"".join(bytes([code]) for code in (0, 2, 4, 8, 10))
    certificate["sweep"] = {**certificate["sweep"], "ring": True, "period": sweep.period}
    certificate.update(states=pack(states), count=5, stages=[stage([0] * 5, [False] * 5)])
    return sealed(certificate)


def _ring_maps() -> st.SearchStrategy[tuple[str, ...]]:
    def draw(marks: list[str]) -> tuple[str, ...]:
        a, b, c, d, e, f, g, h, i, j = marks
        return f".{a}{b}.", f"{c}{e}X{d}", f"{h}{i}{j}{g}" if f == "X" else f"{h}.{j}."

    return st.lists(st.sampled_from("......X "), min_size=10, max_size=10).map(draw)


class TestAgainstBruteForce:
    @settings(examples(30), derandomize=True)
    @given(
        _ring_maps(),
        st.sampled_from([4, 8]),
        st.booleans(),
        st.booleans(),
        st.sampled_from(["basic", "basic", "quality"]),
        st.sampled_from(ROUNDS),
    )
    def test_lopsided_rings(
        self, rows: tuple[str, ...], harvest: int, dry: bool, entrance: bool, kind: str, rounds: tuple[int, ...]
    ) -> None:
        entrances: tuple[Cell, ...] = ((0, 0),) if entrance else ()
        rules: dict[str, Any] = {"harvest": harvest, "dry_paths": dry, "entrances": entrances, "kind": kind}
        straight = line("a map", rows, **rules)
        best = straight.best_layout()
        hops = sum(row.count("H") for row in best)
        assert hops == most_hops(straight)
        assert outcome(certify(straight, best)) == ""
        worse = straight.draw(dict.fromkeys(straight.order, "S"))
        round_it = ring("a map", rows, straight.n, **rules)
        found = outcome(certify(round_it, best, rounds))
        # A walkway that runs round the middle may be a closed walk and no layout.
        assert found == "" or "3/8 of a turn" in found or "a closed walk of value" in found
        if hops:
            assert outcome(certify(straight, worse)) != ""
            assert outcome(certify(round_it, worse, rounds)) != ""
