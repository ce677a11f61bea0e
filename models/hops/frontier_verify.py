"""Check a certificate that no layout of a hops instance has more hops than a given layout.

This file stands alone: it states the rules again, has its own step from state to state and its own passes, and
imports nothing of the engine that made the certificate. It is meant to be read, from top to bottom, by a person
who does not trust that engine.

The rules
---------
Every tile holds a sprinkler S, a hop H or a walkway W.

1. Every tile is watered: it holds a sprinkler or is in the range of one. (With `dry_paths` walkways need no
   water.)
2. Every hop is served: by a reached walkway among its 4 (or 8) neighbours, or by the outside among them. Where
   there are entrances the outside is a wall and serves nobody.
3. A walkway is reached if a path of walkways, over edges, leads to it from a start. Starts are the entrances;
   or, where there are none, all tiles with an edge to the outside.

The outside is all that is neither tile nor obstacle, on the map and beyond it. The claim is that the
certificate's layout has `value` hops and that none has `target` = `value` + 1. A walkway that is not reached may
be turned into a sprinkler: that breaks no rule and keeps the number of hops. So the proof only looks at layouts
all of whose walkways are reached.

Labels are placed one tile at a time
------------------------------------
`order` names the tiles in the order in which they are placed. Two tiles *touch* if one can water, serve or be
walked to from the other. A placed tile is on the *frontier* as long as a tile that touches it is still to be
placed. The *state* is all that the future depends on: for every tile of the frontier its label; whether it is
watered and, for a hop, served by what is placed so far; and for a walkway its component: 0 if the walkways
placed so far join it to a start, otherwise a number that it shares with the walkways of the frontier that they
join it to. A tile may leave the frontier only if it has nothing left to do: it is watered, a hop is served, and
a walkway's component is 0 or still on the frontier. A state is written as one code for every tile of the
frontier, the one placed first comes first:

    0 sprinkler        1 + watered + 2 served: hop        7 + watered + 2 component: walkway

where components are numbered 1, 2, ... as they appear. A walkway that needs no water counts as watered, and a hop
that the outside serves as served.

A sweep in lines (`ring` false) starts from the empty state and places every tile once. Its best walk is the
optimum: it must be below the target. That is all there is to check.

A sweep round a ring (`ring` true) goes on for ever
---------------------------------------------------
Number the steps of an endless sweep by all integers; step t places a copy of tile t mod n. Two tiles that touch
are placed less than 3/8 of a turn apart the shorter way round, so of the copies of a tile exactly one lies near
any copy of a tile that touches it: let those two copies touch. A layout, repeated every turn, gives every copy
the same surroundings as its tile has, and a path of walkways to a start can be followed from copy to copy. So
all copies are watered, served and reached. `period` divides the turn, and step t + period sees what step t sees,
because the field is turned onto itself; so states of all cuts, the moments at the multiples of the period, may
be compared.

*Every layout is a closed walk of one turn within `states`, with a gain of one per hop.* Say that a state is at
least as good as another one with the same labels if it is watered and served wherever the other is, has
component 0 wherever the other has, and joins what the other joins. A step with a given label keeps this
relation, and whatever may leave in the worse state may leave in the better one. Now take a layout, repeated for
ever. Let A be its true state at a cut, made by its endless past; one turn of its labels leads from A to A. Let
B0 be the state with the same labels and nothing left to do: watered, served, component 0. It is at least as good
as any other. Place the layout's labels turn after turn from B0, to B1, B2 and so on. All are at least as good as
A, hence no walk of them breaks off. B0 is at least as good as B1, hence B1 as B2, and so on: they only get
worse, and there are finitely many, so some Bi equals B(i+1). That is a closed walk of one turn that gains the
layout's number of hops. `states` holds every B0 and every state to which a period leads from one of `states`; so
it holds all states at cuts of that closed walk.

*Pruning.* Let V be any number for every state alive at the cut. Walks of one turn start at a cut with V of their
first state, gain one per hop, and pay V of their last state at the end. If a closed walk gains `target` or more,
the best of the walks through any of its states is worth `target` or more, since that closed walk is one of them:
its V cancel. It can be entered at any of its cuts, so this holds for each of its states in every period of the
turn. All other states may be dropped; and again with another V on what is left. A bad V only drops less.

*Closing.* From every state that is left at the cut, the best walk of one turn back to it is found. If none gains
`target`, there is no closed walk that does, and no layout. (A closed walk need not be a layout: on the endless
sweep a walkway that circles the centre never ends. So the bound is sound, and it may fail to be sharp.)

What is checked of a ring, then: the order holds every tile once; touching tiles are near; the turn maps the
field onto itself and every step onto the one a period later; `states` is closed; every state that `kept` drops
may be dropped; and no closed walk of `target` is left.
"""

import base64
import binascii
import json
import lzma
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from math import isqrt, prod
from types import MappingProxyType
from typing import Any, TypeAlias, TypeVar, cast

import numba
import numpy as np
import numpy.typing as npt

from twinproof.optim.errors import InputError

FORM = "twinproof frontier certificate 1"

Cell: TypeAlias = tuple[int, int]
Flags: TypeAlias = npt.NDArray[np.bool_]
States: TypeAlias = npt.NDArray[np.int64]
"""States of one moment, ascending. A state is one number: its codes are the digits, base `CODES`."""

Successors: TypeAlias = npt.NDArray[np.int32]
"""For every state and label the place of the state it leads to, among those of the next moment; or `DEAD`."""

Values: TypeAlias = npt.NDArray[np.int32]
"""A number for every state of one moment."""

OnProgress: TypeAlias = Callable[[str], None]
Function = TypeVar("Function", bound=Callable[..., Any])

SPRINKLER, HOP, WALKWAY = LABELS = (0, 1, 2)
MARKS = "SH."
FIRST_WALKWAY = 7

CODES = 33
MOST_FRONTIER = 12
"""Codes are at most 7 + 1 + 2 * 12, and 12 digits base 33 fit into 63 bits."""

# Limits, so that no certificate takes more than some 4 GB, or days.
MOST_TILES = 100_000
MOST_AT_ONCE = 10_000_000
"""The number of states that one moment may have."""

MOST_STATES = 120_000_000
"""The number of states that all moments of a period may have together."""

MOST_ROUNDS = 100
MOST_CLOSING = 50_000_000_000
"""The number of states that all closing walks together may pass."""

MOST_POTENTIAL = 1_000_000
NEVER = -1_000_000_000
"""The value of what no walk reaches: below all sums of potentials and gains, and twice it fits into 32 bits."""

DEAD = -1


@dataclass(frozen=True)
class FrontierVerdict:
    """What became of a certificate.

    Parameters
    ----------
    valid : bool
        Whether the claim is proved.
    reasons : tuple of str
        Why not, each with the place; empty if it is.
    facts : mapping
        Sizes that were found on the way, such as `states`, those in all moments of a period.
    claim : str
        In words: the whole question, and what is said of it.
    named : bool
        Whether everybody knows the field by its name.
    proves : mapping
        What is said of it, in plain values.
    """

    valid: bool
    reasons: tuple[str, ...]
    facts: Mapping[str, int]
    claim: str
    named: bool
    proves: Mapping[str, Any]


class _RefusedError(Exception):
    """The claim does not follow from the certificate."""


def read_certificate(text: str, name: str) -> Mapping[str, Any]:
    """Read a certificate from the text of a file.

    Parameters
    ----------
    text : str
    name : str
        How the file is called in messages.

    Raises
    ------
    InputError
        If it is no JSON object of the right form. What is in it is looked at by `verify_frontier`.
    """
    try:
        content = json.loads(text, object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{name}: no JSON: {str(error) or 'nested too deeply'}") from None
    if not isinstance(content, dict):
        raise InputError(f"{name}: must be a JSON object")
    if content.get("form") != FORM:
        raise InputError(f"{name}: form: must be {FORM!r}")
    return content


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Refuse a key that stands twice: readers differ in which of the two they believe."""
    content = dict(pairs)
    if len(content) < len(pairs):
        raise ValueError("a key stands twice")
    return content


def verify_frontier(certificate: Mapping[str, Any], on_progress: OnProgress | None = None) -> FrontierVerdict:
    """Check a certificate against the rules.

    Parameters
    ----------
    certificate : mapping
        Its content, as `read_certificate` gives it.
    on_progress : callable, optional
        Called with a line of text every now and then.

    Raises
    ------
    InputError
        If something is missing, or is not of the kind that it must be.
    """
    claim = _read_claim(certificate)
    facts: dict[str, int] = {"target": claim.target}
    tell = on_progress or (lambda text: None)
    try:
        if claim.digest != digest(certificate):
            raise _RefusedError("digest: is not the one of the content")
        _check_instance(claim.field, claim.name)
        _check_layout(claim)
        facts["tiles"] = len(claim.field.tiles)
        facts["hops"] = claim.value
        _check_order(claim)
        if claim.ring is None:
            _check_line(claim, facts, tell)
        else:
            _check_ring(claim, claim.ring, facts, tell)
    except _RefusedError as refused:
        return _verdict(claim, facts, str(refused))
    return _verdict(claim, facts)


def _verdict(claim: "_Claim", facts: dict[str, int], *reasons: str) -> FrontierVerdict:
    proves = {"kind": "optimum", "objective": "most-hops", "value": claim.value, "layouts": [list(claim.layout)]}
    named = _known_field(claim.name) == _moved_up_left(claim.field)
    return FrontierVerdict(
        not reasons, reasons, MappingProxyType(facts), _in_words(claim, named), named, MappingProxyType(proves)
    )


def digest(certificate: Mapping[str, Any]) -> str:
    """Give the BLAKE2b digest, of 32 bytes, of all that a certificate holds but its `digest`.

    Raises
    ------
    InputError
        If the content cannot be written as JSON.
    """
    content = {key: value for key, value in certificate.items() if key != "digest"}
    try:
        text = json.dumps(content, sort_keys=True, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError(f"certificate: cannot be written as JSON: {error}") from None
    return blake2b(text.encode("ascii"), digest_size=32).hexdigest()


# --- Reading: the kinds of things, not yet what they mean ------------------------------------------------------


@dataclass(frozen=True)
class _Field:
    """The instance: a map, and which rules hold on it."""

    tiles: frozenset[Cell]
    obstacles: frozenset[Cell]
    radius: int
    harvest: int
    entrances: frozenset[Cell]
    dry_paths: bool

    def is_outside(self, cell: Cell) -> bool:
        return cell not in self.tiles and cell not in self.obstacles

    def walks(self, one: Cell, other: Cell) -> bool:
        return abs(one[0] - other[0]) + abs(one[1] - other[1]) == 1

    def serves(self, one: Cell, other: Cell) -> bool:
        return self.walks(one, other) or (self.harvest == 8 and _distance(one, other) == 1)

    def waters(self, one: Cell, other: Cell) -> bool:
        """Whether a sprinkler waters a cell: radius 0 is the four edges, radius k a square of side 2k + 1."""
        return self.walks(one, other) if self.radius == 0 else 0 < _distance(one, other) <= self.radius

    def touch(self, one: Cell, other: Cell) -> bool:
        return self.walks(one, other) or self.serves(one, other) or self.waters(one, other)

    def around(self, cell: Cell) -> list[Cell]:
        """Give all cells near enough to touch, whether they do or not."""
        reach = max(self.radius, 1)
        by = range(-reach, reach + 1)
        return [(cell[0] + dr, cell[1] + dc) for dr in by for dc in by]

    def at_outside(self, cell: Cell) -> bool:
        return any(self.is_outside(other) and self.walks(cell, other) for other in self.around(cell))

    def is_start(self, cell: Cell) -> bool:
        return cell in self.entrances if self.entrances else self.at_outside(cell)

    def is_served_by_outside(self, cell: Cell) -> bool:
        if self.entrances:
            return False
        return any(self.is_outside(other) and self.serves(cell, other) for other in self.around(cell))


def _distance(one: Cell, other: Cell) -> int:
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))


@dataclass(frozen=True)
class _Stage:
    """One round of pruning, packed."""

    potentials: str
    kept: str


@dataclass(frozen=True)
class _Ring:
    """What only a sweep round a ring has, packed."""

    count: int
    states: str
    stages: tuple[_Stage, ...]


@dataclass(frozen=True)
class _Claim:
    """A certificate, of which all things are of the right kind."""

    name: str
    rows: tuple[str, ...]
    kind: str
    nozzle: bool
    field: _Field
    value: int
    target: int
    layout: tuple[str, ...]
    order: tuple[Cell, ...]
    period: int
    ring: _Ring | None
    digest: str


RADIUS = {"basic": 0, "quality": 1, "iridium": 2}
TOP = {"form", "command", "puzzle", "instance", "value", "layout", "sweep", "target", "digest"}
TOP_OF_RING = {"states", "count", "stages"}


def _read_claim(certificate: Mapping[str, Any]) -> _Claim:
    place = "certificate"
    if not isinstance(certificate, Mapping):
        raise InputError(f"{place}: must be a JSON object")
    for key, wanted in (("form", FORM), ("puzzle", "hops")):
        if _get(certificate, key, str, place) != wanted:
            raise InputError(f"{place}: {key}: must be {wanted!r}")
    _get(certificate, "command", str, place)
    sweep = _get(certificate, "sweep", dict, place)
    is_ring = _get(sweep, "ring", bool, "sweep")
    # An unknown key could claim something that nobody checks.
    _only(certificate, TOP | TOP_OF_RING if is_ring else TOP, place)
    _only(sweep, {"order", "period", "ring"}, "sweep")
    instance = _get(certificate, "instance", dict, place)
    return _Claim(
        name=_get(instance, "name", str, "instance"),
        rows=_read_rows(instance, "map", "instance"),
        kind=_get(instance, "kind", str, "instance"),
        nozzle=_get(instance, "nozzle", bool, "instance"),
        field=_read_field(instance),
        value=_get(certificate, "value", int, place),
        target=_get(certificate, "target", int, place),
        layout=_read_rows(certificate, "layout", place),
        order=_read_cells(sweep, "order", "sweep"),
        period=_get(sweep, "period", int, "sweep"),
        ring=_read_ring(certificate) if is_ring else None,
        digest=_get(certificate, "digest", str, place),
    )


def _read_field(instance: Mapping[str, Any]) -> _Field:
    place = "instance"
    _only(instance, {"name", "map", "kind", "nozzle", "harvest", "entrances", "dry_paths"}, place)
    marks = _marks(_read_rows(instance, "map", place))
    for (r, c), mark in marks.items():
        if mark not in ".X ":
            raise InputError(f"instance: map: row {r + 1}, column {c + 1}: {mark!r} is not '.', 'X' or blank")
    tiles = frozenset(cell for cell, mark in marks.items() if mark == ".")
    if not 0 < len(tiles) <= MOST_TILES:
        raise InputError(f"instance: map: {len(tiles)} tiles; must be 1 to {MOST_TILES}")
    kind = _get(instance, "kind", str, place)
    if kind not in RADIUS:
        raise InputError(f"instance: kind: must be one of {', '.join(RADIUS)}")
    harvest = _get(instance, "harvest", int, place)
    if harvest not in (4, 8):
        raise InputError("instance: harvest: must be 4 or 8")
    return _Field(
        tiles=tiles,
        obstacles=frozenset(cell for cell, mark in marks.items() if mark == "X"),
        radius=RADIUS[kind] + _get(instance, "nozzle", bool, place),
        harvest=harvest,
        entrances=frozenset(_read_cells(instance, "entrances", place)),
        dry_paths=_get(instance, "dry_paths", bool, place),
    )


def _read_ring(certificate: Mapping[str, Any]) -> _Ring:
    stages: list[_Stage] = []
    rounds = _get(certificate, "stages", list, "certificate")
    if len(rounds) > MOST_ROUNDS:
        raise InputError(f"stages: {len(rounds)} rounds; at most {MOST_ROUNDS} are allowed")
    for i, stage in enumerate(rounds):
        place = f"stages: round {i + 1}"
        if not isinstance(stage, dict):
            raise InputError(f"{place}: must be a JSON object")
        _only(stage, {"potentials", "kept"}, place)
        stages.append(_Stage(_get(stage, "potentials", str, place), _get(stage, "kept", str, place)))
    return _Ring(
        count=_get(certificate, "count", int, "certificate"),
        states=_get(certificate, "states", str, "certificate"),
        stages=tuple(stages),
    )


def _in_words(claim: _Claim, named: bool) -> str:
    """Say in one line of plain letters what is claimed, with all rules that hold.

    A name of which everybody knows the field is called; any other stands in quotes, with a digest of the map.
    """
    field = claim.field
    entrances = [[r + 1, c + 1] for r, c in sorted(field.entrances)]
    nozzle, dry_paths = "" if claim.nozzle else "no ", "" if field.dry_paths else "no "
    rules = (
        f'kind "{claim.kind}", {nozzle}nozzle, symmetry not given, harvest {field.harvest}, '
        f"entrances {entrances or 'none'}, {dry_paths}dry paths, hops not given"
    )
    about = claim.name
    if not named:
        text = json.dumps({"map": claim.rows}, separators=(",", ":"))
        hashed = blake2b(text.encode("ascii"), digest_size=16).hexdigest()
        shown = json.dumps(claim.name[:80]) + ("..." if len(claim.name) > 80 else "")
        about, rules = shown, f"{len(claim.rows)}x{max(map(len, claim.rows))}, digest {hashed}, {rules}"
    return f"hops {about} ({rules}): most-hops: {claim.value}, and no layout is better"


def _get(source: Mapping[str, Any], key: str, kind: type[Any], place: str) -> Any:
    if key not in source:
        raise InputError(f"{place}: {key}: is missing")
    if type(source[key]) is not kind:  # not isinstance: true is no number
        names = {str: "a text", int: "a whole number", bool: "true or false", list: "a list", dict: "an object"}
        raise InputError(f"{place}: {key}: must be {names[kind]}")
    return source[key]


def _only(source: Mapping[str, Any], known: set[str], place: str) -> None:
    for key in source:
        if key not in known:
            raise InputError(f"{place}: {key!r}: unknown here")


def _read_rows(source: Mapping[str, Any], key: str, place: str) -> tuple[str, ...]:
    rows = _get(source, key, list, place)
    if not all(isinstance(row, str) for row in rows):
        raise InputError(f"{place}: {key}: must be a list of texts")
    return tuple(rows)


def _read_cells(source: Mapping[str, Any], key: str, place: str) -> tuple[Cell, ...]:
    """Read a list of [row, column], from 1 as written, from 0 as read."""
    cells: list[Cell] = []
    for cell in _get(source, key, list, place):
        if not (isinstance(cell, list) and len(cell) == 2 and all(type(number) is int for number in cell)):
            raise InputError(f"{place}: {key}: entry {len(cells) + 1}: must be [row, column]")
        cells.append((cell[0] - 1, cell[1] - 1))
    return tuple(cells)


def _unpack(text: str, kind: str, count: int, place: str) -> npt.NDArray[Any]:
    """Unpack exactly `count` numbers of a numpy kind; nothing larger is ever unpacked."""
    dtype = np.dtype(kind)
    size = count * dtype.itemsize
    try:
        packed = base64.b64decode(text, validate=True)
        reader = lzma.LZMADecompressor(memlimit=1 << 28)
        content = reader.decompress(packed, max_length=size + 1)
    except (binascii.Error, ValueError, lzma.LZMAError) as error:
        raise InputError(f"{place}: no base64 of lzma: {error}") from None
    if len(content) != size or not reader.eof or reader.unused_data:
        raise InputError(f"{place}: must unpack to exactly {count} numbers of {dtype.itemsize} bytes")
    return np.frombuffer(content, dtype)


def _marks(rows: Sequence[str]) -> dict[Cell, str]:
    return {(r, c): mark for r, row in enumerate(rows) for c, mark in enumerate(row)}


def _show(cell: Cell) -> str:
    return f"row {cell[0] + 1}, column {cell[1] + 1}"


# --- The instance and its layout, by the rules -----------------------------------------------------------------


def _check_instance(field: _Field, name: str) -> None:
    """Compare the map with the one that its name stands for, and look at the entrances."""
    known = _known_field(name)
    if known is not None and _moved_up_left(field) != known:
        raise _RefusedError(f"instance: map: is not the field that is called {name}")
    for entrance in sorted(field.entrances):
        if entrance not in field.tiles or not field.at_outside(entrance):
            raise _RefusedError(f"instance: entrances: {_show(entrance)}: is no tile at the edge of the field")


def _moved_up_left(field: _Field) -> tuple[frozenset[Cell], frozenset[Cell]]:
    """Give tiles and obstacles; the map may be drawn anywhere: what counts is how its cells lie to each other."""
    cells = field.tiles | field.obstacles
    top, left = min(r for r, _ in cells), min(c for _, c in cells)
    tiles, obstacles = (frozenset((r - top, c - left) for r, c in part) for part in (field.tiles, field.obstacles))
    return tiles, obstacles


def _known_field(name: str) -> tuple[frozenset[Cell], frozenset[Cell]] | None:
    """Give the tiles and obstacles of scarecrow, deluxe, disc:K and grid:MxN; None for any other name."""
    name = {"scarecrow": "disc:80", "deluxe": "disc:288"}.get(name, name)
    form, _, sizes = name.partition(":")
    numbers = sizes.lower().split("x") if form == "grid" else [sizes]
    if not all(number.isascii() and number.isdigit() and len(number) < 10 for number in numbers):
        return None
    if (form, len(numbers)) not in (("disc", 1), ("grid", 2)):
        return None
    if prod(map(int, numbers)) > MOST_TILES:
        return frozenset(), frozenset()  # larger than any map that may be drawn
    if form == "grid":
        height, width = map(int, numbers)
        return frozenset((r, c) for r in range(height) for c in range(width)), frozenset()
    squared = int(sizes)
    radius = isqrt(squared)
    by = range(-radius, radius + 1)
    tiles = {(radius + y, radius + x) for y in by for x in by if 0 < x * x + y * y <= squared}
    return frozenset(tiles), frozenset({(radius, radius)})


def _check_layout(claim: _Claim) -> None:
    field = claim.field
    drawn = _marks(claim.layout)
    for cell in sorted(field.tiles | field.obstacles | set(drawn)):
        allowed = MARKS if cell in field.tiles else "X" if cell in field.obstacles else " "
        if drawn.get(cell, " ") not in allowed:
            raise _RefusedError(f"layout: {_show(cell)}: must be one of {list(allowed)}")
    labels = {cell: MARKS.index(drawn[cell]) for cell in field.tiles}

    reached = _reached(field, labels)
    for cell, label in sorted(labels.items()):
        near = [other for other in field.around(cell) if other in field.tiles]
        watered = any(labels[other] == SPRINKLER and field.waters(other, cell) for other in near)
        served = any(other in reached and field.serves(other, cell) for other in near)
        if label != SPRINKLER and not watered and not (label == WALKWAY and field.dry_paths):
            raise _RefusedError(f"layout: {_show(cell)}: is not watered")
        if label == HOP and not served and not field.is_served_by_outside(cell):
            raise _RefusedError(f"layout: {_show(cell)}: the hop is not served")

    hops = sum(label == HOP for label in labels.values())
    if claim.value != hops:
        raise _RefusedError(f"value: is {claim.value}, the layout has {hops} hops")
    if claim.target != hops + 1:
        raise _RefusedError(f"target: is {claim.target}, must be the value + 1")


def _reached(field: _Field, labels: Mapping[Cell, int]) -> set[Cell]:
    """Walk from the starts, breadth first."""
    walkways = {cell for cell, label in labels.items() if label == WALKWAY}
    reached = {cell for cell in walkways if field.is_start(cell)}
    border = reached
    while border:
        beside = {other for cell in border for other in field.around(cell) if field.walks(cell, other)}
        border = (beside & walkways) - reached
        reached = reached | border
    return reached


# --- The order, and what is seen at every step -----------------------------------------------------------------


def _check_order(claim: _Claim) -> None:
    order, n = claim.order, len(claim.order)
    seen: set[Cell] = set()
    for i, cell in enumerate(order):
        if cell not in claim.field.tiles or cell in seen:
            raise _RefusedError(f"sweep: order: entry {i + 1}: {_show(cell)}: is no tile, or is there twice")
        seen.add(cell)
    if missing := claim.field.tiles - seen:
        raise _RefusedError(f"sweep: order: {_show(min(missing))}: is missing")
    if claim.ring is None and claim.period != n:
        raise _RefusedError(f"sweep: period: is {claim.period}, must be {n} in a sweep in lines")
    if claim.ring is not None:
        if claim.period not in (n, n / 2, n / 4):
            raise _RefusedError(f"sweep: period: is {claim.period}, must be all, half or a quarter of {n} tiles")
        _check_turned(claim)
        _check_near(claim)


def _check_turned(claim: _Claim) -> None:
    """Check that the order, a period later, is the order turned about the centre of the tiles."""
    n, period = len(claim.order), claim.period
    # From the centre, and times n, so that all are whole numbers.
    middle_r, middle_c = sum(r for r, _ in claim.order), sum(c for _, c in claim.order)
    offsets = [(n * r - middle_r, n * c - middle_c) for r, c in claim.order]
    turns: dict[int, list[Callable[[int, int], Cell]]] = {
        1: [lambda y, x: (y, x)],
        2: [lambda y, x: (-y, -x)],
        4: [lambda y, x: (x, -y), lambda y, x: (-x, y)],
    }
    first_wrong = -1
    for turn in turns[n // period]:
        wrong = [i for i in range(n) if offsets[(i + period) % n] != turn(*offsets[i])]
        if not wrong:
            return
        first_wrong = max(first_wrong, wrong[0])
    place = f"sweep: order: entry {first_wrong + 1}: {_show(claim.order[first_wrong])}"
    raise _RefusedError(f"{place}: the entry {period} later is not the same tile, turned")


def _check_near(claim: _Claim) -> None:
    """Check that any two tiles that touch are placed less than 3/8 of a turn apart, the shorter way round.

    Less than 1/2 is what the proof needs: then the copies that touch are told apart.
    """
    n, time = len(claim.order), {cell: t for t, cell in enumerate(claim.order)}
    for cell in claim.order:
        for other in claim.field.around(cell):
            if other in time and claim.field.touch(cell, other):
                apart = (time[cell] - time[other]) % n
                if 8 * min(apart, n - apart) >= 3 * n:
                    place = f"sweep: order: {_show(cell)} and {_show(other)}"
                    raise _RefusedError(f"{place}: touch, and lie 3/8 of a turn or more apart")


@dataclass(frozen=True)
class _Step:
    """All that matters when a tile is placed. Of the frontier the tile that was placed first comes first.

    Parameters
    ----------
    waters, serves, walks : tuple of bool
        For every tile of the frontier whether the new tile has to do with it.
    leaves : tuple of bool
        For every tile of the frontier, and the new one as the last, whether all that touch it are now placed.
    is_start, served_by_outside, dry_paths : bool
        What holds on the new tile.
    """

    waters: tuple[bool, ...]
    serves: tuple[bool, ...]
    walks: tuple[bool, ...]
    leaves: tuple[bool, ...]
    is_start: bool
    served_by_outside: bool
    dry_paths: bool


def _steps(claim: _Claim) -> list[_Step]:
    """Give the steps of one turn."""
    field, order, n = claim.field, claim.order, len(claim.order)
    last_touch = _last_touches(claim)
    # On a ring the frontier at step 0 is of the turn before, which is all there can be: see `_check_near`.
    frontier = [t for t in range(-n, 0) if last_touch[t] - n >= 0] if claim.ring is not None else []
    steps = []
    for now, cell in enumerate(order):
        before = [order[t] for t in frontier]
        frontier = [*frontier, now]
        if len(before) > MOST_FRONTIER:
            raise _RefusedError(f"sweep: {_show(cell)}: the frontier has more than {MOST_FRONTIER} tiles")
        leaves = [last_touch[t % n] + (t - t % n) <= now for t in frontier]
        steps.append(
            _Step(
                waters=tuple(field.waters(cell, other) for other in before),
                serves=tuple(field.serves(cell, other) for other in before),
                walks=tuple(field.walks(cell, other) for other in before),
                leaves=tuple(leaves),
                is_start=field.is_start(cell),
                served_by_outside=field.is_served_by_outside(cell),
                dry_paths=field.dry_paths,
            )
        )
        frontier = [t for t, leaving in zip(frontier, leaves, strict=True) if not leaving]
    return steps


def _last_touches(claim: _Claim) -> list[int]:
    """For the copy of every tile that is placed in turn 0 say when the last copy is placed that touches it."""
    n, time = len(claim.order), {cell: t for t, cell in enumerate(claim.order)}
    last = []
    for t, cell in enumerate(claim.order):
        touching = [time[o] - t for o in claim.field.around(cell) if o in time and claim.field.touch(cell, o)]
        if claim.ring is not None:  # of all copies take the near one
            touching = [by - n if 2 * by > n else by + n if 2 * by < -n else by for by in touching]
        last.append(t + max([0, *touching]))
    return last


# --- From state to state ---------------------------------------------------------------------------------------


def _compiled(function: Function) -> Function:
    return cast(Function, numba.njit(cache=True)(function))


# A state is taken apart into a table with one row for each tile of the frontier, and these columns.
LABEL, WATERED, SERVED, COMPONENT, NUMBER = range(5)
# The rows of `near`, which say what has to do with the new tile.
BY_WATER, BY_HARVEST, ON_FOOT = range(3)
# The entries of `here`, which say what holds on the new tile.
IS_START, SERVED_BY_OUTSIDE, DRY_PATHS = range(3)


@_compiled
def _take_apart(state: int, tiles: States) -> None:
    """Write a state into all rows of `tiles` but the last, which is for the new tile."""
    for i in range(len(tiles) - 2, -1, -1):
        code = state % CODES
        state //= CODES
        if code >= FIRST_WALKWAY:
            tiles[i, LABEL] = WALKWAY
            tiles[i, WATERED] = (code - FIRST_WALKWAY) % 2
            tiles[i, COMPONENT] = (code - FIRST_WALKWAY) // 2
        elif code > 0:
            tiles[i, LABEL] = HOP
            tiles[i, WATERED] = (code - 1) % 2
            tiles[i, SERVED] = (code - 1) // 2
        else:
            tiles[i, LABEL] = SPRINKLER


@_compiled
def _put_together(tiles: States, leaves: Flags) -> int:
    """Give the state of the tiles that do not leave, their components numbered as they appear."""
    state, fresh = 0, 1
    for i in range(len(tiles)):
        if leaves[i]:
            continue
        code = 0
        if tiles[i, LABEL] == HOP:
            code = 1 + tiles[i, WATERED] + 2 * tiles[i, SERVED]
        elif tiles[i, LABEL] == WALKWAY:
            number = 0
            if tiles[i, COMPONENT] != 0:
                for j in range(i):
                    if not leaves[j] and _same_component(tiles, i, j):
                        number = tiles[j, NUMBER]
                if number == 0:
                    number, fresh = fresh, fresh + 1
            tiles[i, NUMBER] = number
            code = FIRST_WALKWAY + tiles[i, WATERED] + 2 * number
        state = state * CODES + code
    return state


@_compiled
def _same_component(tiles: States, one: int, other: int) -> bool:
    both = tiles[one, LABEL] == WALKWAY and tiles[other, LABEL] == WALKWAY
    return both and bool(tiles[one, COMPONENT] == tiles[other, COMPONENT])


@_compiled
def _place(label: int, tiles: States, near: Flags, leaves: Flags, here: Flags) -> bool:
    """Place a label on the last of the tiles; False if a tile leaves that has something left to do."""
    new = len(tiles) - 1
    tiles[new, LABEL] = label
    tiles[new, WATERED] = label == WALKWAY and here[DRY_PATHS]
    tiles[new, SERVED] = here[SERVED_BY_OUTSIDE]
    tiles[new, COMPONENT] = 0 if here[IS_START] else new + 1  # a number that no other has
    for i in range(new):
        _help(i, new, tiles, near[BY_WATER, i], near[BY_HARVEST, i])
        _help(new, i, tiles, near[BY_WATER, i], near[BY_HARVEST, i])
        if near[ON_FOOT, i] and tiles[i, LABEL] == WALKWAY and label == WALKWAY:
            _join(tiles, i, new)
    allowed = True
    for i in range(new + 1):
        if leaves[i]:
            allowed = allowed and _may_leave(i, tiles, leaves)
    return allowed


@_compiled
def _help(giver: int, taker: int, tiles: States, by_water: bool, by_harvest: bool) -> None:
    if by_water and tiles[giver, LABEL] == SPRINKLER:
        tiles[taker, WATERED] = 1
    if by_harvest and tiles[giver, LABEL] == WALKWAY:
        tiles[taker, SERVED] = 1


@_compiled
def _join(tiles: States, one: int, other: int) -> None:
    """Give two components the lower of their numbers, so that what is joined to a start stays 0."""
    lower = min(tiles[one, COMPONENT], tiles[other, COMPONENT])
    higher = max(tiles[one, COMPONENT], tiles[other, COMPONENT])
    for i in range(len(tiles)):
        if tiles[i, COMPONENT] == higher:
            tiles[i, COMPONENT] = lower


@_compiled
def _may_leave(tile: int, tiles: States, leaves: Flags) -> bool:
    if tiles[tile, LABEL] == SPRINKLER:
        return True
    if not tiles[tile, WATERED]:
        return False
    if tiles[tile, LABEL] == HOP:
        return bool(tiles[tile, SERVED])
    if tiles[tile, COMPONENT] == 0:
        return True
    stays = False
    for other in range(len(tiles)):
        if not leaves[other]:
            stays = stays or _same_component(tiles, tile, other)
    return stays


@_compiled
def _place_all(states: States, near: Flags, leaves: Flags, here: Flags) -> States:
    """For every state and label give the state it leads to, or `DEAD`."""
    tiles = np.zeros((len(leaves), 5), np.int64)
    result = np.full((len(states), 3), DEAD, np.int64)
    for s in range(len(states)):
        for label in LABELS:
            _take_apart(states[s], tiles)
            if _place(label, tiles, near, leaves, here):
                result[s, label] = _put_together(tiles, leaves)
    return result


def _next_moment(states: States, step: _Step) -> tuple[States, Successors]:
    """Take a step from all states; give the states of the next moment, and which lead to which."""
    near = np.array([step.waters, step.serves, step.walks], bool)
    leaves = np.array(step.leaves, bool)
    here = np.array([step.is_start, step.served_by_outside, step.dry_paths], bool)
    reached = _place_all(states, near, leaves, here)
    alive = reached != DEAD
    following, places = np.unique(reached[alive], return_inverse=True)
    successors = np.full(reached.shape, DEAD, np.int32)
    successors[alive] = places
    return following, successors


# --- Best walks over the states of many moments ----------------------------------------------------------------


@_compiled
def _forward(values: Values, successors: Successors, size: int) -> Values:
    """From the best value of a walk to each state give that to each of the `size` states of the next moment."""
    result = np.full(size, NEVER, np.int32)
    for s in range(len(values)):
        if values[s] != NEVER:
            for label in LABELS:
                following = successors[s, label]
                if following != DEAD:
                    result[following] = max(result[following], values[s] + (label == HOP))
    return result


@_compiled
def _backward(values: Values, successors: Successors) -> Values:
    """From the best value of a walk from each state of the next moment on give that from each state on."""
    result = np.full(len(successors), NEVER, np.int32)
    for s in range(len(successors)):
        for label in LABELS:
            following = successors[s, label]
            if following != DEAD and values[following] != NEVER:
                result[s] = max(result[s], values[following] + (label == HOP))
    return result


def _check_line(claim: _Claim, facts: dict[str, int], tell: OnProgress) -> None:
    """Place all tiles once, from the empty state to the empty state, and keep the best value of every state."""
    states, best = np.zeros(1, np.int64), np.zeros(1, np.int32)
    total = 0
    for done, step in enumerate(_steps(claim)):
        states, successors = _next_moment(states, step)
        best = _forward(best, successors, len(states))
        total = _count_states(total, states, claim.order[done])
        tell(f"tile {done + 1} of {len(claim.order)}: {len(states)} states")
    facts["states"] = total
    facts["best"] = int(best.max(initial=NEVER))
    if facts["best"] != claim.value:
        raise _RefusedError(f"value: is {claim.value}, the best that the sweep finds is {facts['best']}")


def _count_states(total: int, states: States, cell: Cell) -> int:
    if len(states) > MOST_AT_ONCE or total + len(states) > MOST_STATES:
        limits = f"{MOST_AT_ONCE} states at once, or {MOST_STATES} in all"
        raise _RefusedError(f"sweep: {_show(cell)}: there are more than {limits}")
    return total + len(states)


# --- The ring --------------------------------------------------------------------------------------------------


def _check_ring(claim: _Claim, ring: _Ring, facts: dict[str, int], tell: OnProgress) -> None:
    steps = _steps(claim)
    _check_repeated(claim, steps)
    states = _read_states(ring, frontier=len(steps[0].waters))
    facts["frontier"], facts["cut_states"] = len(steps[0].waters), len(states)
    _check_starts(states, claim, len(steps[0].waters))
    moments = _build(states, claim, steps[: claim.period], tell)
    facts["states"] = sum(len(successors) for successors in moments)

    turns = len(claim.order) // claim.period
    for i, stage in enumerate(ring.stages):
        place = f"stages: round {i + 1}"
        potentials = _read_potentials(stage, len(moments[0]), place)
        kept = _read_kept(stage, len(moments[0]), place)
        keep = _needed(moments, potentials, turns, claim.target)
        if (lost := np.flatnonzero(keep[0] & ~kept)).size:
            raise _RefusedError(
                f"{place}: kept: state {lost[0] + 1} of the {len(kept)} still alive is dropped, "
                f"and a closed walk of {claim.target} may pass through it"
            )
        keep[0] = kept
        _drop(moments, keep)
        tell(f"round {i + 1} of {len(ring.stages)}: {len(moments[0])} states at the cut are left")
    facts["rounds"], facts["left"] = len(ring.stages), len(moments[0])
    _check_closing(moments, turns, claim.target, facts, tell)


def _check_repeated(claim: _Claim, steps: Sequence[_Step]) -> None:
    """Check that every step sees what the step a period before it sees, so that one period stands for all."""
    for i, step in enumerate(steps):
        if step != steps[(i + claim.period) % len(steps)]:
            place = f"sweep: order: entry {i + 1}: {_show(claim.order[i])}"
            raise _RefusedError(f"{place}: the rules do not repeat {claim.period} entries later")


def _read_states(ring: _Ring, frontier: int) -> States:
    """Read the states at the cut, in ascending order."""
    if not 0 <= ring.count <= MOST_AT_ONCE:
        raise _RefusedError(f"count: is {ring.count}, must be 0 to {MOST_AT_ONCE}")
    rows = _unpack(ring.states, "u1", ring.count * frontier, "states").reshape(ring.count, frontier)
    states = np.zeros(ring.count, np.int64)
    good, numbered = np.ones(ring.count, bool), np.zeros(ring.count, np.int64)
    for codes in rows.T:
        column = codes.astype(np.int64)
        component = np.where(column >= FIRST_WALKWAY, (column - FIRST_WALKWAY) // 2, 0)
        good &= ((column <= 4) | (column >= FIRST_WALKWAY)) & (component <= numbered + 1)
        numbered = np.maximum(numbered, component)
        states = states * CODES + column
    if not good.all():
        raise _RefusedError(f"states: state {np.argmin(good) + 1}: has a code that cannot stand there")
    if (fallen := np.flatnonzero(states[1:] <= states[:-1])).size:
        raise _RefusedError(f"states: state {fallen[0] + 2}: does not come after the one before it")
    return states


def _check_starts(states: States, claim: _Claim, frontier: int) -> None:
    """Check that every pattern of labels with nothing left to do is among the states."""
    done = np.array([0, 1 + 1 + 2, FIRST_WALKWAY + 1])
    starts = np.zeros(1, np.int64)
    for _ in range(frontier):
        starts = (starts[:, np.newaxis] * CODES + done).ravel()
    if (missing := np.setdiff1d(starts, states)).size:
        raise _RefusedError(f"states: {_codes(int(missing[0]), frontier)} is missing, where nothing is left to do")


def _codes(state: int, frontier: int) -> list[int]:
    return [state // CODES**i % CODES for i in reversed(range(frontier))]


def _build(cut: States, claim: _Claim, steps: Sequence[_Step], tell: OnProgress) -> list[Successors]:
    """Take all steps of one period from all states at the cut; that must lead to states at the cut again."""
    states, moments, total = cut, [], 0
    for i, step in enumerate(steps):
        total = _count_states(total, states, claim.order[i])
        states, successors = _next_moment(states, step)
        moments.append(successors)
        tell(f"tile {i + 1} of {len(steps)}: {len(states)} states")
    if (missing := np.setdiff1d(states, cut)).size:
        codes = _codes(int(missing[0]), len(steps[0].waters))
        raise _RefusedError(f"states: {codes} is missing, to which a period leads")
    place = np.append(np.searchsorted(cut, states), DEAD).astype(np.int32)
    moments[-1] = place[moments[-1]]  # DEAD is -1, the last of `place`
    return moments


def _read_potentials(stage: _Stage, alive: int, place: str) -> Values:
    potentials = _unpack(stage.potentials, "<i4", alive, f"{place}: potentials").astype(np.int32)
    if (large := np.flatnonzero((potentials > MOST_POTENTIAL) | (potentials < -MOST_POTENTIAL))).size:
        raise _RefusedError(f"{place}: potentials: number {large[0] + 1}: is beyond {MOST_POTENTIAL}")
    return potentials


def _read_kept(stage: _Stage, alive: int, place: str) -> Flags:
    packed = _unpack(stage.kept, "u1", (alive + 7) // 8, f"{place}: kept")
    return np.unpackbits(packed, count=alive).astype(bool)


def _needed(moments: list[Successors], potentials: Values, turns: int, target: int) -> list[Flags]:
    """For every moment of a period say which states a closed walk of `target` or more may pass through.

    In every period of the turn, the best walk to the state and the best walk on from it must together be worth it.
    """
    from_cut = [-potentials]
    for _ in range(turns):
        values = from_cut[0]
        for successors in reversed(moments):
            values = _backward(values, successors)
        from_cut.insert(0, values)

    keep = [np.ones(len(successors), bool) for successors in moments]
    to_cut = potentials
    for period in range(turns):
        to_moment = [to_cut]
        for i, successors in enumerate(moments):
            size = len(moments[(i + 1) % len(moments)])
            to_moment.append(_forward(to_moment[i], successors, size))
        to_cut = to_moment.pop()
        keep[0] &= to_cut + from_cut[period + 1] >= target
        values = from_cut[period + 1]
        for i in reversed(range(len(moments))):
            values = _backward(values, moments[i])
            keep[i] &= to_moment[i] + values >= target
    return keep


def _drop(moments: list[Successors], keep: Sequence[Flags]) -> None:
    """Drop the states that are not kept, and number the others anew."""
    for i in range(len(moments)):
        kept_next = keep[(i + 1) % len(moments)]
        number = np.where(kept_next, np.cumsum(kept_next) - 1, DEAD).astype(np.int32)
        number = np.append(number, np.int32(DEAD))
        moments[i] = number[moments[i][keep[i]]]  # DEAD is -1, the last of `number`


def _check_closing(
    moments: list[Successors], turns: int, target: int, facts: dict[str, int], tell: OnProgress
) -> None:
    """From every state at the cut, find the best walk of one turn back to it."""
    cut = len(moments[0])
    # A pass takes its time even where there are hardly any states.
    work = cut * turns * sum(1000 + len(successors) for successors in moments)
    if work > MOST_CLOSING:
        raise _RefusedError(f"stages: {cut} states at the cut are left after the last round: too many to close")
    best = NEVER
    for start in range(cut):
        values = np.full(cut, NEVER, np.int32)
        values[start] = 0
        for _ in range(turns):
            for i, successors in enumerate(moments):
                values = _forward(values, successors, len(moments[(i + 1) % len(moments)]))
        best = max(best, int(values[start]))
        if best >= target:
            raise _RefusedError(f"stages: a closed walk of value {best} is left after the last round")
        if start % 1000 == 0:
            tell(f"closing: {start} of {cut}")
    if best != NEVER:
        facts["closed"] = best
