"""Clauses for what CNF has no words for: acyclic graphs, lexicographic order, counts.

Every function takes the variables it may use from an `IDPool` and gives back clauses; none of them solves.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING, TypeVar

from pysat.card import CardEnc, EncType
from pysat.formula import IDPool

if TYPE_CHECKING:
    import networkx as nx

Clause = list[int]
NodeT = TypeVar("NodeT", bound=Hashable)


def elimination_order(graph: "nx.Graph[NodeT]") -> list[NodeT]:
    """Order the vertices so that eliminating them one by one adds few edges: always the one of least degree.

    Parameters
    ----------
    graph : networkx.Graph
        Left as it is.

    Returns
    -------
    list
        All vertices. Ties are broken by the order of the vertices in `graph`, so that equal graphs give equal
        orders.

    References
    ----------
    H. M. Markowitz, "The elimination form of the inverse and its application to linear programming",
    Management Science 3, 1957.
    """
    rank = {node: i for i, node in enumerate(graph)}
    rest = {node: set(graph[node]) for node in graph}
    # A heap with a stale entry for every degree that a vertex once had; those are passed over.
    heap = [(len(neighbours), rank[node], node) for node, neighbours in rest.items()]
    heapify(heap)
    order: list[NodeT] = []
    while heap:
        degree, _, node = heappop(heap)
        if node not in rest or degree != len(rest[node]):
            continue
        neighbours = rest.pop(node)
        order.append(node)
        for other in neighbours:
            rest[other] |= neighbours
            rest[other] -= {other, node}
            heappush(heap, (len(rest[other]), rank[other], other))
    return order


def acyclic(arcs: Mapping[tuple[NodeT, NodeT], int], order: Sequence[NodeT], pool: IDPool) -> list[Clause]:
    """Forbid directed cycles among the arcs whose literals are true, by vertex elimination.

    Vertices are eliminated in the given order. When v goes, every path u -> v -> w of two arcs is replaced by an
    arc u -> w among the vertices that remain, and u -> v -> u is forbidden. The number of clauses is at most
    n d^2, with d the most neighbours that a vertex has when it is eliminated: for a grid of width d, in
    a good order, this is far below the n^2 layers of a step-by-step reachability encoding.

    Parameters
    ----------
    arcs : mapping
        The literal that says whether the arc (u, v) is present.
    order : sequence
        All vertices.
    pool : IDPool
        Source of new variables.

    Returns
    -------
    list of list of int
        Satisfiable together with a choice of arcs exactly if that choice has no directed cycle.

    References
    ----------
    M. F. Rankooh and J. Rintanen, "Propositional encodings of acyclicity and reachability by using vertex
    elimination", AAAI 2022. arXiv:2105.12908.
    """
    clauses: list[Clause] = []
    present = dict(arcs)
    into: dict[NodeT, dict[NodeT, None]] = {node: {} for node in order}
    out_of: dict[NodeT, dict[NodeT, None]] = {node: {} for node in order}
    for tail, head in present:
        out_of[tail][head] = None
        into[head][tail] = None
    for node in order:
        tails, heads = list(into.pop(node)), list(out_of.pop(node))
        for tail in tails:
            del out_of[tail][node]
        for head in heads:
            del into[head][node]
        for tail in tails:
            for head in heads:
                path = [-present[tail, node], -present[node, head]]
                if tail == head:
                    clauses.append(path)
                    continue
                if present.get((tail, head)) == arcs.get((tail, head)):
                    # A path must not force the arc beside it, so "arc or path" gets a variable of its own.
                    arc_or_path = pool.id(("path", tail, head))
                    if (tail, head) in arcs:
                        clauses.append([-arcs[tail, head], arc_or_path])
                    present[tail, head] = arc_or_path
                    out_of[tail][head] = None
                    into[head][tail] = None
                clauses.append([*path, present[tail, head]])
    return clauses


def lex_leader(
    order: Sequence[NodeT], image: Mapping[NodeT, NodeT], literal: Mapping[NodeT, int], pool: IDPool
) -> list[Clause]:
    """Demand that an assignment is lexicographically not above its image under a symmetry.

    With false before true and the keys in the given order: (x_1, x_2, ...) <= (g(x_1), g(x_2), ...). If this is
    demanded for all elements of a group with one order, at least one assignment of each orbit remains.

    Parameters
    ----------
    order : sequence
        The keys compared, most significant first.
    image : mapping
        The symmetry g, a permutation of the keys.
    literal : mapping
        The literal of each key.
    pool : IDPool
        Source of new variables.

    References
    ----------
    J. Crawford, M. Ginsberg, E. Luks and A. Roy, "Symmetry-breaking predicates for search problems", KR 1996.
    """
    # The pairs that can decide: a fixed key never does, nor does a pair met before in the other direction.
    pairs: dict[tuple[NodeT, NodeT], None] = {}
    for key in order:
        if image[key] != key and (image[key], key) not in pairs:
            pairs[key, image[key]] = None
    clauses: list[Clause] = []
    prefix: Clause = []  # the negated claim that all pairs so far were equal; empty before the first pair
    for left, right in pairs:
        x, y = literal[left], literal[right]
        clauses.append([*prefix, -x, y])
        equal = pool.id(("equal", len(clauses), x, y, pool.top))
        clauses += [[*prefix, -x, equal], [*prefix, y, equal]]
        prefix = [-equal]
    return clauses


def at_most(literals: Iterable[int], bound: int, pool: IDPool) -> list[Clause]:
    """Allow at most `bound` of the literals to be true, by a totalizer.

    Parameters
    ----------
    literals : iterable of int
        Those that are counted.
    bound : int
        If it is negative, no assignment is allowed.
    pool : IDPool
        Gives the totalizer's variables.

    Returns
    -------
    list of list of int
        Clauses; none if there are no more than `bound` literals.

    References
    ----------
    O. Bailleux and Y. Boufkhad, "Efficient CNF encoding of Boolean cardinality constraints", CP 2003.
    """
    chosen = list(literals)
    if bound < 0:
        return [[]]
    if bound >= len(chosen):
        return []
    return [list(c) for c in CardEnc.atmost(chosen, bound, vpool=pool, encoding=EncType.totalizer)]


def at_least(literals: Iterable[int], bound: int, pool: IDPool) -> list[Clause]:
    """Demand that at least `bound` of the literals are true: at most the others are false.

    Parameters
    ----------
    literals : iterable of int
        Those that are counted.
    bound : int
        If there are fewer literals, no assignment is allowed.
    pool : IDPool
        Gives the totalizer's variables.

    Returns
    -------
    list of list of int
        Clauses.
    """
    chosen = list(literals)
    return at_most([-lit for lit in chosen], len(chosen) - bound, pool)
