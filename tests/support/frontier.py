"""Certificates of small fields and rings, for the frontier verifier."""

import base64
import copy
import json
import lzma
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from hypothesis import settings

from tests.oracle import fields as brute
from tests.oracle.frontier import Sweep, by_angle, by_rows, certify
from tests.support.examples import examples
from twinproof.models.field.maps import named_field
from twinproof.models.hops.frontier_verify import verify_frontier
from twinproof.optim import InputError

DISC_9 = ("   H", " HSS.H", " HSH.S", "HSHXHSH", " S.HSH", " H.SSH", "   H")


DISC_36 = (
    *("      H", "   HHHSHHH", "  HSSH.HSSH", " HSHHS.SHHSH", " HS.......SH", " HH.SHSHS...", "HSH.SHXSSHHSH"),
    *(" HS...HH.HSH", " HSH.SSS.HSH", " HSH.....HSH", "  HSSHHHSSH", "   HHHSHHH", "      H"),
)
"""Both found by another engine."""


RECORDS = Path(__file__).parents[2] / "reports" / "records"


FAST = settings(examples(60), derandomize=True)


RING_12 = ("....", ".XX.", ".XX.", "....")


RING_24 = (".....", ".....", "..X..", ".....", ".....")


Certificate = dict[str, Any]


RINGS: dict[str, tuple[tuple[str, ...], int, dict[str, Any]]] = {
    "3x3": (("...", ".X.", "..."), 2, {}),
    "3x3, corners": (("...", ".X.", "..."), 2, {"harvest": 8}),
    "4x4 by quarters": (RING_12, 3, {}),
    "4x4 by halves, dry": (RING_12, 6, {"harvest": 8, "dry_paths": True}),
    "4x4, two entrances": (RING_12, 6, {"entrances": ((0, 1), (3, 2)), "dry_paths": True}),
    "4x4, an entrance": (RING_12, 12, {"entrances": ((0, 1),), "dry_paths": True}),
    "4x4, a gap inside": (("....", ".X .", ".XX.", "...."), 12, {}),
    "5x5, quality": ((".....", ".XXX.", ".XXX.", ".XXX.", "....."), 4, {"kind": "quality"}),
    "5x5, nozzle": ((".....", ".XXX.", ".XXX.", ".XXX.", "....."), 16, {"nozzle": True, "harvest": 8}),
    "5x5, wide": (RING_24, 6, {}),
    "5x5, wide, dry": (RING_24, 6, {"dry_paths": True}),
    "5x5, lopsided": ((".....", ".....", "..X..", "....X", "....."), 23, {"entrances": ((0, 1),)}),
}


ROUNDS = [(), (0,), (2, 2, 2), (16, 16)]
"""Weak potentials leave much to later rounds, or to closing."""


def ring(name: str, rows: Sequence[str], period: int, **rules: Any) -> Sweep:
    return Sweep(name, tuple(rows), tuple(by_angle(rows)), period, **rules)


def line(name: str, rows: Sequence[str], **rules: Any) -> Sweep:
    return Sweep(name, tuple(rows), tuple(by_rows(rows)), None, **rules)


def field_rows(name: str) -> tuple[str, ...]:
    field = named_field(name)
    return field.rows(dict.fromkeys(field.cells, "."))


@cache
def _disc_9(rounds: tuple[int, ...] = (2, 16)) -> Certificate:
    return certify(ring("disc:9", field_rows("disc:9"), 7), DISC_9, rounds)


def disc_9(rounds: tuple[int, ...] = (2, 16)) -> Certificate:
    return copy.deepcopy(_disc_9(rounds))


def outcome(certificate: Mapping[str, Any]) -> str:
    """Give all that is wrong; empty if the certificate is valid."""
    try:
        verdict = verify_frontier(certificate)
    except InputError as error:
        return str(error)
    assert verdict.valid == (not verdict.reasons)
    return "; ".join(verdict.reasons)


def unpack(text: str, kind: str = "u1") -> npt.NDArray[Any]:
    return np.frombuffer(lzma.decompress(base64.b64decode(text)), kind).copy()


def most_hops(sweep: Sweep) -> int:
    return max(
        brute.hops_front(
            sweep.rows, sweep.kind, sweep.nozzle, None, sweep.harvest, sweep.entrances, sweep.dry_paths
        )
    )


@cache
def ring_text(name: str) -> str:
    rows, period, rules = RINGS[name]
    layout = line(name, rows, **rules).best_layout()
    return json.dumps(certify(ring(name, rows, period, **rules), layout))


def ring_certificate(name: str) -> Certificate:
    return dict(json.loads(ring_text(name)))
