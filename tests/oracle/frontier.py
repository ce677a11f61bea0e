"""Certificates of the frontier's form for small fields, in plain Python; knows the rules from the source document.

Shares nothing with the engine, nor with the verifier: states are tuples, moments are dictionaries.
"""

import base64
import json
import lzma
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from typing import Any

import numpy as np

Cell = tuple[int, int]
Tile = tuple[str, bool, bool, int]
"""Label, watered, served, and component: 0 joined to a start, -1 none."""

State = tuple[Tile, ...]
Moment = dict[State, dict[str, State]]

FORM = "twinproof frontier certificate 1"
LOW = -1000


def by_angle(rows: Sequence[str]) -> list[Cell]:
    """Order the tiles round the middle of the map, from just after 45 degrees on, outer tiles first."""
    drawn = [(r, c) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark != " "]
    middle_r = (min(r for r, _ in drawn) + max(r for r, _ in drawn)) / 2
    middle_c = (min(c for _, c in drawn) + max(c for _, c in drawn)) / 2

    def place(cell: Cell) -> tuple[float, float]:
        y, x = middle_r - cell[0], cell[1] - middle_c
        return round((math.degrees(math.atan2(y, x)) - 45.0001) % 360, 6), -math.hypot(y, x)

    return sorted(((r, c) for r, c in drawn if rows[r][c] == "."), key=place)


def by_rows(rows: Sequence[str]) -> list[Cell]:
    return [(r, c) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark == "."]


@dataclass(frozen=True)
class Sweep:
    """A hops instance and the order in which its tiles are placed; `period` None is a sweep in lines."""

    name: str
    rows: tuple[str, ...]
    order: tuple[Cell, ...]
    period: int | None
    kind: str = "basic"
    nozzle: bool = False
    harvest: int = 4
    entrances: tuple[Cell, ...] = ()
    dry_paths: bool = False
    cache: dict[int, Any] = field(default_factory=dict, compare=False)

    @property
    def n(self) -> int:
        return len(self.order)

    def drawn(self, cell: Cell) -> str:
        r, c = cell
        return self.rows[r][c] if 0 <= r < len(self.rows) and 0 <= c < len(self.rows[r]) else " "

    def near(self, relation: str, one: Cell, other: Cell) -> bool:
        dr, dc = abs(one[0] - other[0]), abs(one[1] - other[1])
        edge, corner = dr + dc == 1, dr == 1 and dc == 1
        if relation == "walk":
            return edge
        if relation == "serve":
            return edge or (corner and self.harvest == 8)
        radius = ["basic", "quality", "iridium"].index(self.kind) + self.nozzle
        return edge if radius == 0 else 0 < max(dr, dc) <= radius

    def touching(self, relation: str, now: int) -> list[int]:
        """Give the times of the copies that the copy placed `now` has to do with."""
        cell, times = self.order[now % self.n], []
        for then, other in enumerate(self.order):
            if self.near(relation, cell, other):
                apart = then - now % self.n
                if self.period is not None:
                    apart = (apart + self.n // 2) % self.n - self.n // 2
                times.append(now + apart)
        return times

    def last(self, now: int) -> int:
        return max([now, *(t for relation in ("walk", "serve", "water") for t in self.touching(relation, now))])

    @cached_property
    def lasts(self) -> list[int]:
        return [self.last(t) for t in range(self.n)]

    def frontier(self, now: int) -> list[int]:
        """Give the times of the placed tiles that touch what is still to be placed at `now`."""
        times = range(now - self.n, now) if self.period is not None else range(now)
        return [t for t in times if self.lasts[t % self.n] + t - t % self.n >= now]

    def outside_by(self, relation: str, cell: Cell) -> bool:
        around = [(cell[0] + a, cell[1] + b) for a in (-1, 0, 1) for b in (-1, 0, 1)]
        return any(self.drawn(other) == " " and self.near(relation, cell, other) for other in around)

    def place(self, state: State, now: int, label: str) -> State | None:
        """Give the state after a label, or None if what leaves has something left to do."""
        if now not in self.cache:
            relations = {r: set(self.touching(r, now)) for r in ("walk", "serve", "water")}
            cell = self.order[now % self.n]
            start = cell in self.entrances if self.entrances else self.outside_by("walk", cell)
            outside = not self.entrances and self.outside_by("serve", cell)
            self.cache[now] = self.frontier(now), self.frontier(now + 1), relations, start, outside
        before, after, near, start, outside = self.cache[now]
        tiles = dict(zip(before, state, strict=True))
        watered = label == "S" or (label == "." and self.dry_paths)
        watered |= any(tiles[t][0] == "S" for t in near["water"] & set(before))
        served = label == "H" and (outside or any(tiles[t][0] == "." for t in near["serve"] & set(before)))
        joined = {tiles[t][3] for t in near["walk"] & set(before) if tiles[t][0] == "."}
        component = -1 if label != "." else 0 if start or 0 in joined else 100
        for t, (mark, wet, done, part) in tiles.items():
            now_wet = wet or (label == "S" and t in near["water"])
            now_done = done or (label == "." and mark == "H" and t in near["serve"])
            now_part = component if label == "." and mark == "." and part in joined else part
            tiles[t] = mark, now_wet, now_done, now_part
        tiles[now] = label, watered, served, component
        staying = {tiles[t][3] for t in after}
        for t in set(tiles) - set(after):
            mark, wet, done, part = tiles[t]
            if not wet or (mark == "H" and not done) or (mark == "." and part != 0 and part not in staying):
                return None
        numbers = {-1: -1, 0: 0}
        for t in after:
            numbers.setdefault(tiles[t][3], len(numbers) - 1)
        return tuple((*tiles[t][:3], numbers[tiles[t][3]]) for t in after)

    def moment(self, states: Iterable[State], now: int) -> Moment:
        return {
            state: {label: after for label in "SH." if (after := self.place(state, now, label)) is not None}
            for state in states
        }

    def period_from(self, states: Iterable[State]) -> list[Moment]:
        assert self.period is not None
        moments: list[Moment] = []
        current = set(states)
        for now in range(self.period):
            moments.append(self.moment(current, now))
            current = {after for following in moments[-1].values() for after in following.values()}
        return [*moments, {state: {} for state in current}]

    def closure(self) -> list[State]:
        """Give all states at the cut, in the order of their codes."""
        found: set[State] = {()}
        for _ in self.frontier(0):
            done = (("S", True, False, -1), ("H", True, True, -1), (".", True, False, 0))
            found = {(*state, tile) for state in found for tile in done}
        fresh = set(found)
        while fresh:
            fresh = set(self.period_from(fresh)[-1]) - found
            found |= fresh
        return sorted(found, key=codes)

    def best_layout(self) -> tuple[str, ...]:
        """Give a layout of the most hops; the order must be one in lines."""
        best: dict[State, tuple[int, str]] = {(): (0, "")}
        for now in range(self.n):
            following: dict[State, tuple[int, str]] = {}
            for state, after in self.moment(best, now).items():
                for label, other in after.items():
                    value = best[state][0] + (label == "H"), best[state][1] + label
                    following[other] = max(value, following.get(other, value))
            best = following
        marks = dict(zip(self.order, best[()][1], strict=True))
        return self.draw(marks)

    def draw(self, marks: Mapping[Cell, str]) -> tuple[str, ...]:
        return tuple("".join(marks.get((r, c), m) for c, m in enumerate(row)) for r, row in enumerate(self.rows))


def codes(state: State) -> bytes:
    """Write a state as the form of certificates says."""
    return bytes(
        0 if mark == "S" else 1 + wet + 2 * done if mark == "H" else 7 + wet + 2 * part
        for mark, wet, done, part in state
    )


def forward(values: Mapping[State, int], moments: Sequence[Moment]) -> list[dict[State, int]]:
    """Give the best values of walks to all states of the moments, by moment."""
    found = [dict(values)]
    for moment in moments[:-1]:
        found.append({})
        for state, after in moment.items():
            for label, other in after.items():
                if state in found[-2]:
                    value = found[-2][state] + (label == "H")
                    found[-1][other] = max(value, found[-1].get(other, value))
    return found


def backward(values: Mapping[State, int], moments: Sequence[Moment]) -> list[dict[State, int]]:
    """Give the best values of walks on from all states of the moments, by moment."""
    found = [dict(values)]
    for moment in reversed(moments[:-1]):
        found.insert(0, {})
        for state, after in moment.items():
            worth = [found[1][other] + (label == "H") for label, other in after.items() if other in found[1]]
            if worth:
                found[0][state] = max(worth)
    return found


def survivors(
    moments: Sequence[Moment], potentials: Mapping[State, int], turns: int, target: int
) -> list[set[State]]:
    """Give, by moment, the states through which a closed walk of the target may pass in all periods."""
    forwards: list[list[dict[State, int]]] = []
    backwards: list[list[dict[State, int]]] = []
    values, ends = dict(potentials), {state: -value for state, value in potentials.items()}
    for _ in range(turns):
        forwards.append(forward(values, moments))
        values = forwards[-1][-1]
        backwards.insert(0, backward(ends, moments))
        ends = backwards[0][0]
    keep = [set(moment) for moment in moments]
    for to, on in zip(forwards, backwards, strict=True):
        for i, alive in enumerate(keep):
            alive &= {s for s in alive if s in to[i] and s in on[i] and to[i][s] + on[i][s] >= target}
    keep[0] &= keep[-1]
    keep[-1] = keep[0]
    return keep


def restrict(moments: Sequence[Moment], keep: Sequence[set[State]]) -> list[Moment]:
    return [
        {s: {label: o for label, o in moment[s].items() if i + 1 < len(keep) and o in keep[i + 1]} for s in alive}
        for i, (moment, alive) in enumerate(zip(moments, keep, strict=True))
        if i + 1 < len(keep)
    ] + [{state: {} for state in keep[-1]}]


def pack(content: bytes) -> str:
    return base64.b64encode(lzma.compress(content)).decode("ascii")


def stage(potentials: Sequence[int], kept: Sequence[bool]) -> dict[str, str]:
    bits = np.packbits(np.array(kept, bool)).tobytes()
    return {"potentials": pack(np.array(potentials, "<i4").tobytes()), "kept": pack(bits)}


def sealed(content: Mapping[str, Any]) -> dict[str, Any]:
    """Give the content with the right digest."""
    rest = {key: value for key, value in content.items() if key != "digest"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"))
    return {**rest, "digest": blake2b(text.encode(), digest_size=32).hexdigest()}


def certify(sweep: Sweep, layout: Sequence[str], iterations: Sequence[int] = (16, 16)) -> dict[str, Any]:
    """Make a certificate that nothing is better than a layout, with a round for each entry of `iterations`.

    Parameters
    ----------
    iterations : sequence of int
        For how many periods the potentials of the round are improved; few make them weak.
    """
    value = sum(row.count("H") for row in layout)
    period = sweep.n if sweep.period is None else sweep.period
    content: dict[str, Any] = {
        "form": FORM,
        "command": "by hand",
        "puzzle": "hops",
        "instance": {
            "name": sweep.name,
            "map": list(sweep.rows),
            "kind": sweep.kind,
            "nozzle": sweep.nozzle,
            "harvest": sweep.harvest,
            "entrances": [[r + 1, c + 1] for r, c in sweep.entrances],
            "dry_paths": sweep.dry_paths,
        },
        "value": value,
        "layout": list(layout),
        "sweep": {
            "order": [[r + 1, c + 1] for r, c in sweep.order],
            "period": period,
            "ring": sweep.period is not None,
        },
        "target": value + 1,
    }
    if sweep.period is None:
        return sealed(content)
    alive = sweep.closure()
    content["count"] = len(alive)
    content["states"] = pack(b"".join(codes(state) for state in alive))
    content["stages"] = []
    moments = sweep.period_from(alive)
    for repeats in iterations:
        potentials = dict.fromkeys(alive, 0)
        for _ in range(repeats):
            reached = forward(potentials, moments)[-1]
            potentials = {state: reached.get(state, LOW) for state in alive}
        keep = survivors(moments, potentials, sweep.n // period, value + 1)
        kept = [state in keep[0] for state in alive]
        content["stages"].append(stage([potentials[state] for state in alive], kept))
        alive = [state for state in alive if state in keep[0]]
        moments = restrict(moments, keep)
    return sealed(content)
