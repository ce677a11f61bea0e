"""The hops puzzle as partial MaxSAT.

Variables S, H and R of a tile: sprinkler, hop, reached on foot. A tile with neither S nor H is a crop. Every
reached tile is a start or has an arc to a reached neighbour; the arcs have no cycle, so they lead to a start.
"""

from collections.abc import Sequence

from pysat.formula import IDPool

from twinproof.models.grid import Cell
from twinproof.models.hops.instance import HOP, OBJECTIVES, WALKABLE, HopsPuzzle
from twinproof.models.sprinklers.instance import SPRINKLER
from twinproof.optim import InputError
from twinproof.optim.maxsat import MaxsatModel, MaxsatSettings
from twinproof.optim.sat.encodings import Clause, acyclic, at_least, at_most, elimination_order, lex_leader

Literals = dict[Cell, int]


def build_maxsat(puzzle: HopsPuzzle, objective: str = "most-hops") -> MaxsatModel[tuple[str, ...]]:
    """Build the formula.

    Parameters
    ----------
    puzzle : HopsPuzzle
    objective : {"most-hops", "fewest-sprinklers"}

    Returns
    -------
    MaxsatModel
        Its layouts are the rows of the field, marked S, H and `.`.

    Raises
    ------
    InputError
        If the fewest sprinklers are asked for and the number of hops is not fixed.
    """
    if objective == "fewest-sprinklers" and puzzle.hops is None:
        raise InputError("fewest-sprinklers: the number of hops must be fixed")
    tiles = puzzle.field.cells
    pool = IDPool()
    clauses: list[Clause] = []
    S = {t: pool.id(("S", t)) for t in tiles}  # noqa: N806 - the letters of the layout
    H = {t: pool.id(("H", t)) for t in tiles}  # noqa: N806
    R = {t: pool.id(("R", t)) for t in tiles}  # noqa: N806

    for t in tiles:
        clauses.extend([[-S[t], -H[t]], [-R[t], -S[t]], [-R[t], -H[t]]])
    _append_water(clauses, puzzle, S, H)
    _append_service(clauses, puzzle, H, R)
    _append_walking(clauses, puzzle, R, pool)
    _append_symmetry(clauses, puzzle, S, H, pool)
    if puzzle.hops is not None:
        clauses.extend(at_least(H.values(), puzzle.hops, pool))
        clauses.extend(at_most(H.values(), puzzle.hops, pool))
    # Crops that nobody reaches gain no hop: as sprinklers they break no rule but the symmetry.
    without_crops = objective == "most-hops" and puzzle.starts_are_symmetric
    if without_crops:
        clauses.extend([[S[t], H[t], R[t]] for t in tiles])
    left_out = ["images under symmetries of the field"] if puzzle.symmetries else []
    left_out += ["layouts in which nobody reaches some walkable tile"] if without_crops else []

    def read(values: Sequence[int]) -> tuple[str, ...]:
        return puzzle.field.rows(
            {t: SPRINKLER if values[S[t]] else HOP if values[H[t]] else WALKABLE for t in tiles}
        )

    counted = H if objective == "most-hops" else S
    settings = MaxsatSettings(adapt=True, exhaust=True, minz=True)
    return MaxsatModel(
        clauses,
        pool.top,
        tuple(counted.values()),
        OBJECTIVES[objective],
        read,
        counted,
        settings,
        leaves_out=" and ".join(left_out),
    )


def _append_water(clauses: list[Clause], puzzle: HopsPuzzle, S: Literals, H: Literals) -> None:  # noqa: N803
    """Rule 1: every tile (with dry paths: every hop) holds a sprinkler or is in the range of one."""
    for t in puzzle.field.cells:
        wet = [S[t], *(S[u] for u in puzzle.waterers[t])]
        clauses.append([-H[t], *wet] if puzzle.dry_paths else wet)


def _append_service(clauses: list[Clause], puzzle: HopsPuzzle, H: Literals, R: Literals) -> None:  # noqa: N803
    """Rule 2: every hop that the outside does not serve has a reached tile among its harvest neighbours."""
    for t in puzzle.field.cells:
        if t not in puzzle.served_by_outside:
            clauses.append([-H[t], *(R[u] for u in puzzle.servers[t])])


def _append_walking(clauses: list[Clause], puzzle: HopsPuzzle, reached: Literals, pool: IDPool) -> None:
    """Let every reached tile that is no start have an arc to a reached neighbour, and no cycle of arcs."""
    graph = puzzle.field.graph
    inner = [t for t in puzzle.field.cells if t not in puzzle.starts]
    arcs = {(t, u): pool.id(("arc", t, u)) for t in inner for u in graph[t]}
    for t in inner:
        clauses.append([-reached[t], *(arcs[t, u] for u in graph[t])])
    for (_, u), arc in arcs.items():
        clauses.append([-arc, reached[u]])
    # Starts have no arc of their own, so no cycle passes through them.
    between = {(t, u): arc for (t, u), arc in arcs.items() if u not in puzzle.starts}
    order = elimination_order(graph.subgraph(inner))
    clauses.extend(acyclic(between, order, pool))


def _append_symmetry(clauses: list[Clause], puzzle: HopsPuzzle, S: Literals, H: Literals, pool: IDPool) -> None:  # noqa: N803
    """Rule 6: tiles of an orbit are alike. And of layouts alike up to a symmetry of the puzzle, keep the first."""
    tiles = puzzle.field.cells
    for g in puzzle.generators:
        for mark in (S, H):
            for t in tiles:
                clauses.extend([[-mark[t], mark[g[t]]], [mark[t], -mark[g[t]]]])
    keys = [(letter, t) for t in _inside_out(tiles) for letter in "SH"]
    literal = {(letter, t): (S if letter == "S" else H)[t] for letter, t in keys}
    for g in puzzle.symmetries:
        clauses.extend(lex_leader(keys, {(letter, t): (letter, g[t]) for letter, t in keys}, literal, pool))


def _inside_out(tiles: Sequence[Cell]) -> list[Cell]:
    """Order tiles by their distance from the middle of their bounding box, which every symmetry keeps."""
    r2 = min(r for r, _ in tiles) + max(r for r, _ in tiles)
    c2 = min(c for _, c in tiles) + max(c for _, c in tiles)
    return sorted(tiles, key=lambda t: ((2 * t[0] - r2) ** 2 + (2 * t[1] - c2) ** 2, t))
