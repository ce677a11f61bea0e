"""The hops puzzle as a transition system over the frontier of a sweep.

A frontier tile is, in five bits,

    0            S, a sprinkler
    1 + w + 2 s  H, a hop; w: watered yet, s: served yet
    5 + w        C, a crop on which nobody walks
    7 + w + 2 c  W, a walkway in component c

Component 0 has a start; the others are numbered by first appearance, two walkways having the same number if a way
over placed tiles joins them. A tile may leave the frontier only if it is watered and, as a hop, served, and, as
a walkway, in component 0 or in one that still has a tile on the frontier.

Which layouts count as one: without the label C every walkable tile is reached. A sprinkler would do as well as a
crop on which nobody walks, so there is one such layout for each choice of hops and of reached tiles. To tell every
layout from every other, C must say that nobody *can* walk there: it is never beside a walkway, and no start.
"""

from collections.abc import Sequence
from functools import partial

import numpy as np
import numpy.typing as npt
from numba import prange

from twinproof.models.field.sweeps import Sweep, choose
from twinproof.models.grid import Cell
from twinproof.models.hops.instance import HOP, OBJECTIVES, WALKABLE, HopsPuzzle
from twinproof.models.sprinklers.instance import SPRINKLER
from twinproof.models.words import count_of
from twinproof.optim import InputError
from twinproof.optim.frontier.compiled import compiled, compiled_parallel
from twinproof.optim.frontier.search import FrontierModel
from twinproof.optim.frontier.sided import Side
from twinproof.optim.frontier.system import NONE, Refinement, States, System, every_state

BITS = 5
TOKEN_BITS = 4
MAX_WIDTH = 12
"""A state has twelve slots of five bits. One is for the new tile, so there are at most eleven components."""

MAX_STATES = 4e8
STATES_A_TILE = {3: 5.6, 4: 6.9}
"""For each number of labels, by what one more tile on the frontier multiplies the states, as measured."""

S, DRY_H, DRY_C, DRY_W = 0, 1, 5, 7
FRESH = 15
"""The number of a new component until it is renumbered; it is above all others."""

S_LABEL, H_LABEL, W_LABEL, C_LABEL = 0, 1, 2, 3
LABELS = (S_LABEL, H_LABEL, W_LABEL)
"""For the most hops a crop on which nobody walks may as well be a sprinkler, so it has no label."""

ALL_LABELS = (*LABELS, C_LABEL)
WEIGHTS = (1, 2, 4)
"""The numbers of sprinklers that a hop may be worth where both are weighed against each other."""

MARKS = (SPRINKLER, HOP, WALKABLE, WALKABLE)
CODES = (S, DRY_H, DRY_W, DRY_C)


def build_frontier(
    puzzle: HopsPuzzle,
    objective: str = "most-hops",
    sweep: Sweep | None = None,
    front: Sequence[int] = (),
    fewest: int | None = None,
    every_layout: bool = False,
) -> FrontierModel[tuple[str, ...]]:
    """Build the transition system.

    Parameters
    ----------
    puzzle : HopsPuzzle
    objective : {"most-hops", "fewest-sprinklers"}
        The latter at a given number of hops.
    sweep : Sweep, optional
        The order of the tiles; by default that of `choose_sweep`.
    front : sequence of int
        Numbers of hops, each of which the fewest sprinklers are wanted for, instead of the puzzle's own number.
    fewest : int, optional
        The number of sprinklers at which the Pareto front ends, because there are never fewer.
    every_layout : bool
        Whether, for the most hops, a layout in which nobody reaches some walkable tile is a walk of its own.

    Raises
    ------
    InputError
        If the question is none that this engine answers, or the frontier would be too wide.
    """
    if not puzzle.starts_are_symmetric:
        raise InputError(f"frontier: the entrances must be symmetric under {puzzle.symmetry} too")
    hops = tuple(front) if puzzle.hops is None else (puzzle.hops,)
    if objective == "most-hops":
        hops = ()
    elif not hops:
        raise InputError("fewest-sprinklers: the number of hops must be fixed")
    labels = ALL_LABELS if hops or every_layout else LABELS
    sweep = sweep or choose_sweep(puzzle, len(labels))
    tables = _tables(puzzle, sweep, every_layout)
    gains = {label: np.zeros((sweep.period, len(labels)), dtype=np.int32) for label in (S_LABEL, H_LABEL)}
    for label, table in gains.items():
        table[:, label] = [sweep.multiplicity(time) for time in range(sweep.period)]

    def expand(states: States, layer: int) -> States:
        result: States = _expand(states, len(labels), 0, *(table[layer] for table in tables))
        return result

    done = (S, DRY_H + 3, DRY_W + 1, DRY_C + 1)
    system = System(
        expand=expand,
        layers=sweep.period,
        periods=sweep.periods,
        gains=-gains[S_LABEL] if hops else gains[H_LABEL],
        # A layout's own state at the cut has the same labels as one of these, in which nothing is left to be
        # done: S; H watered and served; W watered, in component 0; C watered. What more it says than is true is
        # forgotten with the tiles that leave, except of a walkway that runs round for ever, and that has a start.
        starts=every_state(done[: len(labels)], sweep.cut, BITS),
        is_ring=sweep.is_ring,
        refinement=_tokens(sweep, tables, len(labels)) if sweep.is_ring or hops else None,
    )

    def read(labels: Sequence[int]) -> tuple[str, ...]:
        return puzzle.field.rows(sweep.marks(labels, MARKS))

    side = None
    if hops:
        side = Side(gains[H_LABEL], hops, WEIGHTS, None if fewest is None else -fewest, is_front=bool(front))
    return FrontierModel(system, OBJECTIVES[objective], read, side)


def unpacked(states: States, slots: int) -> npt.NDArray[np.uint8]:
    """Give the codes of the frontier tiles of states without tokens, one row a state, the oldest tile first.

    Parameters
    ----------
    states : ndarray of uint64, shape (n,)
        Packed states.
    slots : int
        The number of tiles on the frontier.

    Returns
    -------
    ndarray of uint8, shape (n, slots)
        The code of each tile.
    """
    shifts = np.arange(slots, dtype=np.uint64) * np.uint64(BITS)
    return ((states[:, None] >> shifts) & np.uint64(31)).astype(np.uint8)


def near(puzzle: HopsPuzzle, tile: Cell) -> list[Cell]:
    """Give the tiles that a tile touches: on foot, by harvest, by water.

    Parameters
    ----------
    puzzle : HopsPuzzle
        The instance.
    tile : Cell
        A tile of its field.

    Returns
    -------
    list of Cell
        In ascending order.
    """
    return sorted({*puzzle.field.graph[tile], *puzzle.servers[tile], *puzzle.waterers[tile]})


def estimate(sweep: Sweep, labels: int = len(LABELS)) -> float:
    """Estimate the number of states of a sweep, for a number of labels.

    Parameters
    ----------
    sweep : Sweep
        The order of the tiles.
    labels : int
        How many marks a tile can have; a key of `STATES_A_TILE`.

    Returns
    -------
    float
        The number of states, all layers together.
    """
    return sweep.states(STATES_A_TILE[labels])


def choose_sweep(puzzle: HopsPuzzle, labels: int = len(LABELS)) -> Sweep:
    """Choose the sweep with the fewest states, for a number of labels.

    Parameters
    ----------
    puzzle : HopsPuzzle
        The instance.
    labels : int
        How many marks a tile can have; a key of `STATES_A_TILE`.

    Returns
    -------
    Sweep
        One that fits into 64 bits a state.

    Raises
    ------
    InputError
        If every sweep is too wide.
    """
    return choose(
        puzzle.field,
        partial(near, puzzle),
        puzzle.generators,
        puzzle.symmetry,
        lacks_room,
        partial(estimate, labels=labels),
        MAX_STATES,
        alike_when_turned=not puzzle.entrances,
    )


def lacks_room(sweep: Sweep) -> str:
    """Say why a packed state has no room for the frontier and, in a ring, for the tokens; empty if it has."""
    widest = f"the narrowest frontier has {count_of(sweep.width, 'tile')}"
    if sweep.width > MAX_WIDTH:
        return f"{widest}, and a packed state has room for {MAX_WIDTH}"
    tokens = sweep.cut if sweep.is_ring else 0
    bits = BITS * (sweep.width - 1) + TOKEN_BITS * tokens
    if bits > 64:
        return f"{widest}, with those of the cut, {tokens}, kept twice: {bits} bits, and a packed state has 64"
    return ""


def _tokens(sweep: Sweep, tables: tuple[npt.NDArray[np.int64], ...], labels: int) -> Refinement:
    """Build the system that tells walkways with a start from those that only claim to have one."""
    cut = sweep.cut

    def opened(state: int) -> list[int]:
        tokens = 0
        for slot in range(cut):
            code = (state >> (BITS * slot)) & 31
            if code >= DRY_W:
                component = slot + 1
                state += (DRY_W + 2 * component + (code - DRY_W) % 2 - code) << (BITS * slot)
                tokens |= component << (64 - TOKEN_BITS * (slot + 1))
        return [int(_renumbered(np.uint64(state | tokens), cut, cut))]

    def expand(states: States, layer: int) -> States:
        result: States = _expand(states, labels, cut, *(table[layer] for table in tables))
        return result

    def closes(ended: States, begun: States) -> npt.NDArray[np.bool_]:
        result: npt.NDArray[np.bool_] = _all_have_starts(ended, cut)
        return result

    gains = np.zeros((sweep.period, labels), dtype=np.int32)
    return Refinement(opened, expand, range(labels), gains, closes)


def _tables(puzzle: HopsPuzzle, sweep: Sweep, every_layout: bool) -> tuple[npt.NDArray[np.int64], ...]:
    """Tell the step of every layer: numbers, and the slots of the tile's edge, harvest and water neighbours."""
    count = len(sweep.layers)
    facts = np.zeros((count, 6), dtype=np.int64)
    edge = np.full((count, 5), -1, dtype=np.int64)
    serve = np.full((count, 9), -1, dtype=np.int64)
    water = np.full((count, 49), -1, dtype=np.int64)
    for time, layer in enumerate(sweep.layers):
        tile = layer.tile
        leaving = sum(1 << slot for slot in layer.leaving)
        starts, served = tile in puzzle.starts, tile in puzzle.served_by_outside
        facts[time] = (len(layer.frontier), leaving, starts, served, puzzle.dry_paths, every_layout)
        for table, others in (
            (edge, tuple(puzzle.field.graph[tile])),
            (serve, puzzle.servers[tile]),
            (water, puzzle.waterers[tile]),
        ):
            slots = sweep.slots(time, others)
            table[time, : len(slots)] = slots
    return facts, edge, serve, water


@compiled_parallel
def _expand(states, labels, tokens, facts, edge, serve, water):  # type: ignore[no-untyped-def]
    result = np.empty((len(states), labels), dtype=np.uint64)
    for i in prange(len(states)):
        for label in range(labels):
            result[i, label] = step(states[i], label, tokens, facts, edge, serve, water)
    return result


@compiled
def _code(state, slot):  # type: ignore[no-untyped-def]
    """Give the code of a frontier tile."""
    return np.int64((state >> np.uint64(BITS * slot)) & np.uint64(31))


@compiled
def _put(state, slot, code):  # type: ignore[no-untyped-def]
    """Give the state with another code for a frontier tile."""
    shift = np.uint64(BITS * slot)
    return (state & ~(np.uint64(31) << shift)) | (np.uint64(code) << shift)


@compiled
def _token(state, token):  # type: ignore[no-untyped-def]
    """Give the component of a token; 0 also for the slot of no walkway."""
    return np.int64((state >> np.uint64(64 - TOKEN_BITS * (token + 1))) & np.uint64(15))


@compiled
def _put_token(state, token, component):  # type: ignore[no-untyped-def]
    """Give the state with another component for a token."""
    shift = np.uint64(64 - TOKEN_BITS * (token + 1))
    return (state & ~(np.uint64(15) << shift)) | (np.uint64(component) << shift)


@compiled
def _watered(code):  # type: ignore[no-untyped-def]
    """Give a code with the tile watered."""
    if code in (DRY_H, DRY_H + 2, DRY_C) or (code >= DRY_W and (code - DRY_W) % 2 == 0):
        return code + 1
    return code


@compiled
def _join(state, size, tokens, beside, is_start):  # type: ignore[no-untyped-def]
    """Join the walkways beside a new one; gives the state and the new tile's component.

    The component of the lowest number takes in all others; a start is in component 0.
    """
    joined = 0
    lowest = 0 if is_start else FRESH
    for slot in beside:
        if slot < 0:
            break
        code = _code(state, slot)
        if code >= DRY_W:
            component = (code - DRY_W) // 2
            joined |= 1 << component
            lowest = min(lowest, component)
    if joined & (joined - 1) or (joined and is_start):  # otherwise all that is joined has one number already
        for slot in range(size):
            code = _code(state, slot)
            if code >= DRY_W and (joined >> ((code - DRY_W) // 2)) & 1:
                state = _put(state, slot, DRY_W + 2 * lowest + (code - DRY_W) % 2)
        for token in range(tokens):
            if (joined >> _token(state, token)) & 1:
                state = _put_token(state, token, lowest)
    return state, lowest


@compiled
def _place(state, label, tokens, facts, edge, serve, water):  # type: ignore[no-untyped-def]
    """Add the layer's tile behind the frontier's last slot, and tell its neighbours."""
    size, is_start, by_outside, dry_paths = facts[0], facts[2], facts[3], facts[4]
    code = CODES[label]
    if dry_paths and label >= W_LABEL:
        code = _watered(code)
    for slot in water:
        if slot < 0:
            break
        if label == S_LABEL:
            state = _put(state, slot, _watered(_code(state, slot)))
        elif _code(state, slot) == S:
            code = _watered(code)
    if label in (H_LABEL, W_LABEL):
        served = by_outside != 0
        for slot in serve:
            if slot < 0:
                break
            other = _code(state, slot)
            if label == W_LABEL and (other == DRY_H or other == DRY_H + 1):
                state = _put(state, slot, other + 2)
            served |= other >= DRY_W
        if label == H_LABEL and served:
            code += 2
    if label == W_LABEL:
        state, component = _join(state, size, tokens, edge, is_start != 0)
        code += 2 * component
    # A fresh component does not fit into five bits until it has its final number.
    return state, code


@compiled
def _could_be_reached(state, label, is_start, beside):  # type: ignore[no-untyped-def]
    """Whether somebody can walk on a C: on the new tile, or on one beside a new walkway."""
    reached = label == C_LABEL and is_start
    for slot in beside:
        if slot < 0:
            break
        code = _code(state, slot)
        reached |= (label == C_LABEL and code >= DRY_W) or (label == W_LABEL and DRY_C <= code < DRY_W)
    return reached


@compiled
def step(state, label, tokens, facts, edge, serve, water):  # type: ignore[no-untyped-def]
    """Place a label on the layer's tile.

    Parameters
    ----------
    state : uint64
        The codes of the frontier, and the tokens.
    label : int
        Its place in `LABELS`.
    tokens : int
        The number of tokens that the state holds.
    facts : ndarray of int
        The number of tiles on the frontier, the bits of those that leave it, and whether the tile is a start, is
        served by the outside, walkways may stay dry, and C says that nobody can walk there.
    edge, serve, water : ndarray of int
        The slots of the tiles that the tile touches on foot, by harvest and by water; -1 ends a list.

    Returns
    -------
    uint64
        The next state, or `NONE` where a rule would be broken for good.
    """
    size, leaving = facts[0], facts[1]
    if facts[5] and _could_be_reached(state, label, facts[2] != 0, edge):
        return NONE
    state, mine = _place(state, label, tokens, facts, edge, serve, water)
    alive = 1  # the components that may go on: with a start, a tile on the frontier or a token
    for slot in range(size + 1):
        code = mine if slot == size else _code(state, slot)
        if (leaving >> slot) & 1 == 0 and code >= DRY_W:
            alive |= 1 << ((code - DRY_W) // 2)
    for token in range(tokens):
        alive |= 1 << _token(state, token)
    names = np.uint64(0)  # four bits for the new number of every component
    count = 0
    packed = np.uint64(0)
    place = 0
    for slot in range(size + 1):
        code = mine if slot == size else _code(state, slot)
        component = (code - DRY_W) // 2 if code >= DRY_W else 0
        if (leaving >> slot) & 1:
            # Who leaves must have all that it needs.
            if _watered(code) != code or code == DRY_H + 1 or (alive >> component) & 1 == 0:
                return NONE
            continue
        if component != 0:
            name, count, names = _name(component, count, names)
            code = DRY_W + 2 * name + (code - DRY_W) % 2
        packed |= np.uint64(code) << np.uint64(BITS * place)
        place += 1
    for token in range(tokens):
        component = _token(state, token)
        if component != 0:
            component, count, names = _name(component, count, names)
            packed = _put_token(packed, token, component)
    return packed


@compiled
def _name(component, count, names):  # type: ignore[no-untyped-def]
    """Give a component its new number: the one that it has, or the next."""
    shift = np.uint64(4 * component)
    name = np.int64((names >> shift) & np.uint64(15))
    if name == 0:
        count += 1
        name = count
        names |= np.uint64(name) << shift
    return name, count, names


@compiled
def _renumbered(state, size, tokens):  # type: ignore[no-untyped-def]
    """Give a state with its components numbered by first appearance, on the frontier and then among the tokens."""
    names = np.uint64(0)
    count = 0
    for slot in range(size):
        code = _code(state, slot)
        if code >= DRY_W + 2:
            name, count, names = _name((code - DRY_W) // 2, count, names)
            state = _put(state, slot, DRY_W + 2 * name + (code - DRY_W) % 2)
    for token in range(tokens):
        if _token(state, token) != 0:
            name, count, names = _name(_token(state, token), count, names)
            state = _put_token(state, token, name)
    return state


@compiled
def _all_have_starts(ended, cut):  # type: ignore[no-untyped-def]
    """Tell for states at the end of a turn whether every walkway has a start, the cut's tiles being the tokens."""
    result = np.empty(len(ended), dtype=np.bool_)
    root = np.empty(16, dtype=np.int64)
    for i in range(len(ended)):
        root[:] = np.arange(16)
        for slot in range(cut):
            code = _code(ended[i], slot)
            if code >= DRY_W:
                first, second = root[(code - DRY_W) // 2], root[_token(ended[i], slot)]
                for number in range(16):
                    if root[number] == max(first, second):
                        root[number] = min(first, second)
        result[i] = True
        for slot in range(cut):
            code = _code(ended[i], slot)
            if code >= DRY_W and (root[(code - DRY_W) // 2] != 0 or root[_token(ended[i], slot)] != 0):
                result[i] = False
    return result
