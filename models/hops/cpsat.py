"""The hops puzzle as a CP-SAT model.

Each tile has one label: S sprinkler, H hop, W walkway (a crop that somebody walks on) or C crop (any other).
Walkways hang on trees: each has a start under it or one parent arc, and distances grow along the arcs.

Side counting gives the linear relaxation its strength. For every pair of neighbouring tiles, Booleans say which
two labels meet there; their sums over one label are the label of the other tile. A tile's water, service and
parent are then counted on its own sides: a walkway spends one side on water and one on its parent, and what is
left bounds the hops that it can serve. Without these rows no bound below the number of tiles is proved.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import groupby, product

import networkx as nx
from ortools.sat.python import cp_model

from twinproof.models.field.symmetries import orbits
from twinproof.models.grid import Cell
from twinproof.models.hops.instance import HOP, OBJECTIVES, WALKABLE, HopsPuzzle
from twinproof.models.sprinklers.instance import SPRINKLER
from twinproof.optim import InputError
from twinproof.optim.cpsat import CpsatModel, CpsatSettings

Labels = dict[str, dict[Cell, cp_model.IntVar]]
Pairs = dict[tuple[Cell, Cell], dict[str, cp_model.IntVar]]
Walking = tuple[dict[Cell, cp_model.IntVar], dict[tuple[Cell, Cell], cp_model.IntVar]]
"""The distance of every tile from a start, and for two neighbours whether the second is the first's parent."""


def build_cpsat(puzzle: HopsPuzzle, objective: str = "most-hops") -> CpsatModel[tuple[str, ...]]:
    """Build the model.

    Parameters
    ----------
    puzzle : HopsPuzzle
    objective : {"most-hops", "fewest-sprinklers"}

    Returns
    -------
    CpsatModel
        Its layouts are the rows of the field, marked S, H and `.`.

    Raises
    ------
    InputError
        If the fewest sprinklers are asked for and the number of hops is not fixed.
    """
    if objective == "fewest-sprinklers" and puzzle.hops is None:
        raise InputError("fewest-sprinklers: the number of hops must be fixed")
    model = cp_model.CpModel()
    # For the most hops a crop that nobody walks on may as well be a sprinkler, unless that would have to
    # happen on a whole orbit of which another tile is walked on.
    with_crops = objective != "most-hops" or not puzzle.starts_are_symmetric
    labels = _add_labels(model, puzzle, "SHWC" if with_crops else "SHW")
    pairs = _add_pairs(model, puzzle, labels)
    _add_water(model, puzzle, labels, pairs)
    _add_service(model, puzzle, labels, pairs)
    walking = _add_walking(model, puzzle, labels, pairs)

    if puzzle.hops is not None:
        # CP-SAT's numbers end at 2^63: beyond the number of tiles they all mean the same.
        model.add(sum(labels["H"].values()) == min(puzzle.hops, len(puzzle.field.cells) + 1))
    counted = labels["H" if objective == "most-hops" else "S"]

    def read(values: Sequence[int]) -> tuple[str, ...]:
        marks = {}
        for tile in puzzle.field.cells:
            is_sprinkler, is_hop = values[labels["S"][tile].index], values[labels["H"][tile].index]
            marks[tile] = SPRINKLER if is_sprinkler else HOP if is_hop else WALKABLE
        return puzzle.field.rows(marks)

    # `max_lp` proves nearly all of the bound; the second worker looks for layouts. The linear relaxation refutes
    # "at least K" by a bound, so there is an objective even for a yes/no question.
    settings = CpsatSettings(workers=2, subsolvers=("max_lp",), linearization=2, guided=True)
    return CpsatModel(
        model,
        sum(counted.values()),
        OBJECTIVES[objective],
        read,
        counted,
        settings,
        partial(_write, puzzle, labels, pairs, walking),
        leaves_out="" if with_crops else "layouts in which nobody reaches some walkable tile",
    )


def _add_labels(model: cp_model.CpModel, puzzle: HopsPuzzle, names: str) -> Labels:
    """Give every tile exactly one label; under a symmetry, one variable says S (or H) for a whole orbit."""
    cells = puzzle.field.cells
    leader = orbits(cells, puzzle.generators)
    labels: Labels = {name: {} for name in names}
    for name in names:
        for tile in cells:
            shared = name in "SH" and leader[tile] != tile
            labels[name][tile] = labels[name][leader[tile]] if shared else model.new_bool_var(f"{name} {tile}")
    for tile in cells:
        model.add_exactly_one(labels[name][tile] for name in names)
    return labels


def _add_pairs(model: cp_model.CpModel, puzzle: HopsPuzzle, labels: Labels) -> Pairs:
    """Add, for every two neighbouring tiles p and q, a Boolean for each two labels that may meet there.

    The result knows both directions: `pairs[p, q]["WS"]` and `pairs[q, p]["SW"]` are the same variable.
    """
    pairs: Pairs = {}
    neighbours = {p: {*puzzle.field.graph[p], *puzzle.servers[p]} for p in puzzle.field.cells}
    for p in puzzle.field.cells:
        for q in sorted(neighbours[p]):
            if q < p:
                continue
            meet = {a + b: model.new_bool_var(f"{a}{b} {p} {q}") for a, b in product(labels, labels)}
            pairs[p, q] = meet
            pairs[q, p] = {b + a: meet[a + b] for a, b in product(labels, labels)}
            for a in labels:
                # Exactly one of: p has another label than a; or p has a and q has one of the labels.
                others_p = [labels[other][p] for other in labels if other != a]
                others_q = [labels[other][q] for other in labels if other != a]
                model.add_exactly_one([*others_p, *(meet[a + b] for b in labels)])
                model.add_exactly_one([*others_q, *(meet[b + a] for b in labels)])
    return pairs


def _add_water(model: cp_model.CpModel, puzzle: HopsPuzzle, labels: Labels, pairs: Pairs) -> None:
    """Rule 1: every tile (with dry paths: every hop) holds a sprinkler or is in the range of one."""
    thirsty = [name for name in labels if name == "H" or (name != "S" and not puzzle.dry_paths)]
    for p in puzzle.field.cells:
        waterers = puzzle.waterers[p]
        sprinklers = [labels["S"][q] for q in waterers]
        if puzzle.dry_paths:
            model.add_bool_or([~labels["H"][p], *sprinklers])
        else:
            model.add_bool_or([labels["S"][p], *sprinklers])
        if all((p, q) in pairs for q in waterers):
            for name in thirsty:
                model.add_bool_or([~labels[name][p], *(pairs[p, q][name + "S"] for q in waterers)])


def _add_service(model: cp_model.CpModel, puzzle: HopsPuzzle, labels: Labels, pairs: Pairs) -> None:
    """Rule 2: every hop has a walkway, or the outside, among its harvest neighbours."""
    for p in puzzle.field.cells:
        if p not in puzzle.served_by_outside:
            model.add_bool_or([~labels["H"][p], *(pairs[p, q]["HW"] for q in puzzle.servers[p])])


def _add_walking(model: cp_model.CpModel, puzzle: HopsPuzzle, labels: Labels, pairs: Pairs) -> Walking:
    """Rule 3: a walkway that is no start has a parent, a walkway next to it and nearer to a start."""
    graph = puzzle.field.graph
    nearest = puzzle.field.walking_distances(puzzle.starts)
    farthest = len(puzzle.field.cells)
    distance = {p: model.new_int_var(near, farthest, f"distance {p}") for p, near in nearest.items() if near > 0}
    parent = {}
    for p in puzzle.field.cells:
        if p not in nearest:  # a part of the field to which no way leads
            model.add(labels["W"][p] == 0)
            continue
        if p in puzzle.starts:
            continue
        for q in graph[p]:
            parent[p, q] = model.new_bool_var(f"parent of {p} is {q}")
            if q in distance:
                model.add(distance[p] >= distance[q] + 1).only_enforce_if(parent[p, q])
        model.add_exactly_one([~labels["W"][p], *(parent[p, q] for q in graph[p])])
    # Of two neighbouring walkways at most one is the other's parent.
    for p, q in graph.edges:
        arcs = [parent[arc] for arc in ((p, q), (q, p)) if arc in parent]
        if arcs:
            model.add_at_most_one([*arcs, ~pairs[p, q]["WW"]])
    return distance, parent


def _write(
    puzzle: HopsPuzzle, labels: Labels, pairs: Pairs, walking: Walking, layout: Sequence[str]
) -> Iterator[tuple[cp_model.IntVar, int]]:
    """Give the variables' values in a layout; a crop that nobody reaches is a sprinkler where crops are none."""
    marks = {(r, c): layout[r][c] for r, c in puzzle.field.cells}
    paths = puzzle.field.graph.subgraph(tile for tile, mark in marks.items() if mark == WALKABLE)
    starts = {tile for tile in puzzle.starts if tile in paths}
    lengths = nx.multi_source_dijkstra_path_length(paths, starts) if starts else {}
    steps = {tile: int(length) for tile, length in lengths.items()}
    other = "C" if "C" in labels else "S"
    label = {t: mark if mark in (SPRINKLER, HOP) else "W" if t in steps else other for t, mark in marks.items()}
    for name, tiles in labels.items():
        yield from ((variable, label[tile] == name) for tile, variable in tiles.items())
    for (p, q), meet in pairs.items():
        if p < q:
            yield from ((variable, label[p] + label[q] == two) for two, variable in meet.items())
    distance, parent = walking
    for tile, variable in distance.items():
        yield variable, steps.get(tile, len(puzzle.field.cells))
    chosen = {p: min(steps[q] for q in paths[p] if q in steps) for p in steps if p not in starts}
    for p, arcs in groupby(sorted(parent), key=lambda arc: arc[0]):
        nearest = [q for _, q in arcs if p in chosen and steps.get(q) == chosen[p]]
        yield from ((parent[p, q], q in nearest[:1]) for q in puzzle.field.graph[p])
