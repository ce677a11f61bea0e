"""Exact counts of the solutions of "exactly k of these are true" systems, by number of true variables.

Variables that stand in the same constraints are alike and are taken together. What is not connected is counted
apart. A connected part is swept group by group: the state is what every constraint that is open still needs, and
states are merged, so the work grows with the width of the order and not with the number of solutions.

Numbers of solutions by number of true variables are polynomials, and a polynomial is kept as one integer: its
value at a power of two that is beyond every coefficient (Kronecker substitution). Python's integers then do all
the arithmetic.

References
----------
D. Harvey, "Faster polynomial multiplication via multiple Kronecker substitution", Journal of Symbolic
Computation 44, 2009.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import comb, log
from typing import Generic, TypeVar

from twinproof.optim.errors import EngineError

VariableT = TypeVar("VariableT", bound=Hashable)

Constraint = tuple[frozenset[VariableT], int]
"""Some variables, and how many of them must be true."""

MAX_STATES = 2_000_000
"""The number of states that are kept in all; a system that needs more is too wide to be counted."""

_STARTS = 24


@dataclass(frozen=True)
class Part(Generic[VariableT]):
    """The solutions of one connected part of a system.

    Parameters
    ----------
    variables : tuple
    solutions : tuple of int
        Entry m: the number of solutions with m true variables.
    true_in : mapping
        For each variable, entry m: how many of those solutions have it true.
    """

    variables: tuple[VariableT, ...]
    solutions: tuple[int, ...]
    true_in: Mapping[VariableT, tuple[int, ...]]


@dataclass(frozen=True)
class _Group(Generic[VariableT]):
    """Variables that stand in the same constraints, given by number."""

    variables: tuple[VariableT, ...]
    constraints: frozenset[int]


def count_parts(constraints: Iterable[Constraint[VariableT]]) -> list[Part[VariableT]]:
    """Count the solutions of each connected part of a system.

    Parameters
    ----------
    constraints : iterable of (frozenset, int)
        A variable that is in none of them is no part of the answer.

    Returns
    -------
    list of Part
        The solutions of the system are the products of theirs. A system with a constraint that cannot hold has
        a part without solutions.

    Raises
    ------
    EngineError
        If a part needs more than `MAX_STATES` states.
    """
    system = list(constraints)
    member: dict[VariableT, list[int]] = {}
    for i, (variables, _) in enumerate(system):
        for variable in variables:
            member.setdefault(variable, []).append(i)
    alike: dict[frozenset[int], list[VariableT]] = {}
    for variable, numbers in member.items():
        alike.setdefault(frozenset(numbers), []).append(variable)
    groups = [_Group(tuple(variables), numbers) for numbers, variables in alike.items()]
    parts = [_count(part, [k for _, k in system]) for part in _connected(groups)]
    if any(k != 0 for variables, k in system if not variables):
        parts.append(Part((), (0,), {}))
    return parts


def _connected(groups: Sequence[_Group[VariableT]]) -> list[list[_Group[VariableT]]]:
    """Split groups into those that are linked by constraints."""
    of: dict[int, list[_Group[VariableT]]] = {}
    for group in groups:
        for i in group.constraints:
            of.setdefault(i, []).append(group)
    parts = []
    seen: set[frozenset[int]] = set()
    for first in groups:
        if first.constraints in seen:
            continue
        seen.add(first.constraints)
        part, todo = [], [first]
        while todo:
            group = todo.pop()
            part.append(group)
            for i in group.constraints:
                for other in of[i]:
                    if other.constraints not in seen:
                        seen.add(other.constraints)
                        todo.append(other)
        parts.append(part)
    return parts


def _count(part: Sequence[_Group[VariableT]], needs: Sequence[int]) -> Part[VariableT]:
    """Sweep a connected part forwards, then weigh every choice by the ways to go on, backwards."""
    order = _order(part, needs)
    size = sum(len(group.variables) for group in order)
    shift = size + 1  # no coefficient reaches 2 ** shift
    plan = _Plan(order, needs)
    # layers[i]: for every state before group i, the ways to get there.
    layers: list[dict[tuple[int, ...], int]] = [{(): 1}]
    states = 0
    for i in range(len(order)):
        following: dict[tuple[int, ...], int] = {}
        for state, ways in layers[i].items():
            for true, after in plan.steps(i, state):
                add = (ways * comb(len(order[i].variables), true)) << (true * shift)
                following[after] = following.get(after, 0) + add
        layers.append(following)
        states += len(following)
        if states > MAX_STATES:
            raise EngineError(f"more than {MAX_STATES:,} states among {size:,} variables: too wide to count")
    # from_here: for every state, the ways to get from it to the end.
    from_here: dict[tuple[int, ...], int] = {(): 1}
    true_in: dict[VariableT, tuple[int, ...]] = {}
    for i in reversed(range(len(order))):
        members = order[i].variables
        before: dict[tuple[int, ...], int] = {}
        with_true = [0] * (len(members) + 1)
        for state, ways in layers[i].items():
            total = 0
            for true, after in plan.steps(i, state):
                onwards = from_here.get(after, 0)
                if onwards:
                    total += (onwards * comb(len(members), true)) << (true * shift)
                    if true:
                        with_true[true] += ways * onwards
            if total:
                before[state] = total
        from_here = before
        # Of `true` true members among n alike, one certain member is true in comb(n - 1, true - 1) choices.
        weighed = sum(
            (ways * comb(len(members) - 1, true - 1)) << (true * shift)
            for true, ways in enumerate(with_true)
            if true
        )
        true_in.update(dict.fromkeys(members, _coefficients(weighed, shift, size)))
    solutions = _coefficients(from_here.get((), 0), shift, size)
    return Part(tuple(v for group in order for v in group.variables), solutions, true_in)


def _coefficients(packed: int, shift: int, degree: int) -> tuple[int, ...]:
    mask = (1 << shift) - 1
    return tuple((packed >> (m * shift)) & mask for m in range(degree + 1))


class _Plan(Generic[VariableT]):
    """How states follow each other along an order: which constraints are open, and who can still serve them."""

    def __init__(self, order: Sequence[_Group[VariableT]], needs: Sequence[int]) -> None:
        left: dict[int, int] = {}
        for group in order:
            for i in group.constraints:
                left[i] = left.get(i, 0) + len(group.variables)
        self._sizes = [len(group.variables) for group in order]
        # Per group: the constraints open after it, and for each where its need comes from: its place in the state
        # before, or the need itself if it opens here; whether the group serves it; the members that are left.
        self._rules: list[tuple[list[tuple[int, int, bool, int]], list[tuple[int, int]]]] = []
        open_before: list[int] = []
        for group in order:
            place = {i: p for p, i in enumerate(open_before)}
            for i in group.constraints:
                left[i] -= len(group.variables)
            open_after = [i for i in open_before if left[i]]
            open_after += sorted(i for i in group.constraints if i not in place and left[i])
            stay = [(place.get(i, -1), needs[i], i in group.constraints, left[i]) for i in open_after]
            close = [(place.get(i, -1), needs[i]) for i in sorted(group.constraints) if not left[i]]
            self._rules.append((stay, close))
            open_before = open_after

    def steps(self, i: int, state: tuple[int, ...]) -> list[tuple[int, tuple[int, ...]]]:
        """List how many members of group i can be true in a state, each with the state after it."""
        stay, close = self._rules[i]
        low, high = 0, self._sizes[i]
        for place, need, served, left in stay:
            if served:
                now = state[place] if place >= 0 else need
                low, high = max(low, now - left), min(high, now)
        for place, need in close:
            now = state[place] if place >= 0 else need
            low, high = max(low, now), min(high, now)
        return [
            (
                true,
                tuple(
                    (state[place] if place >= 0 else need) - (true if served else 0)
                    for place, need, served, _ in stay
                ),
            )
            for true in range(low, high + 1)
        ]


def _order(part: Sequence[_Group[VariableT]], needs: Sequence[int]) -> list[_Group[VariableT]]:
    """Order groups so that few constraints are open at a time: the best of greedy orders from several starts."""
    total: dict[int, int] = {}
    for group in part:
        for i in group.constraints:
            total[i] = total.get(i, 0) + len(group.variables)
    # How many values the need of an open constraint can have, on a logarithmic scale.
    weight = {i: log(1 + max(1, min(needs[i], n - needs[i]))) for i, n in total.items()}
    stride = max(1, len(part) // _STARTS)
    orders = [_greedy(part, start, total, weight) for start in range(0, len(part), stride)]
    return min(orders, key=lambda found: found[0])[1]


def _greedy(
    part: Sequence[_Group[VariableT]], start: int, total: Mapping[int, int], weight: Mapping[int, float]
) -> tuple[float, list[_Group[VariableT]]]:
    """Order groups, always taking the one that leaves the least open; give the widest point and the order."""
    near: dict[int, list[int]] = {}
    for g, group in enumerate(part):
        for i in group.constraints:
            near.setdefault(i, []).append(g)
    left = dict(total)
    is_open: dict[int, None] = {}
    done = [False] * len(part)
    order: list[_Group[VariableT]] = []
    width = widest = 0.0

    def growth(g: int) -> float:
        members = len(part[g].variables)
        opens = sum(weight[i] for i in part[g].constraints if i not in is_open and left[i] > members)
        return opens - sum(weight[i] for i in part[g].constraints if i in is_open and left[i] == members)

    best = start
    while True:
        width += growth(best)
        widest = max(widest, width)
        done[best] = True
        order.append(part[best])
        for i in part[best].constraints:
            left[i] -= len(part[best].variables)
            if left[i]:
                is_open[i] = None
            else:
                is_open.pop(i, None)
        # Of the groups that cost the same, one of the constraint that has been open longest.
        candidates = dict.fromkeys(g for i in is_open for g in near[i] if not done[g])
        if not candidates:
            return widest, order
        best = min(candidates, key=growth)
