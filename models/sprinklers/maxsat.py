"""The sprinkler puzzle as partial MaxSAT: hard covering clauses, a soft "no sprinkler here" for every tile."""

from collections.abc import Sequence

from pysat.formula import IDPool

from twinproof.models.sprinklers.instance import CROP, OBJECTIVES, SPRINKLER, SprinklerPuzzle
from twinproof.optim.maxsat import MaxsatModel, MaxsatSettings
from twinproof.optim.sat.encodings import Clause, lex_leader


def build_maxsat(puzzle: SprinklerPuzzle, objective: str = "fewest-sprinklers") -> MaxsatModel[tuple[str, ...]]:
    """Build the formula.

    Parameters
    ----------
    puzzle : SprinklerPuzzle
    objective : {"fewest-sprinklers"}

    Returns
    -------
    MaxsatModel
        Its layouts are the rows of the field, marked S and `.`.
    """
    tiles = puzzle.field.cells
    pool = IDPool()
    clauses: list[Clause] = []
    # S[t]: a sprinkler stands on tile t.
    S = {t: pool.id(("S", t)) for t in tiles}  # noqa: N806 - the letter of the layout

    for t in tiles:
        clauses.append([S[t], *(S[u] for u in puzzle.waterers[t])])

    for g in puzzle.generators:
        for t in tiles:
            if g[t] != t:
                clauses.append([-S[t], S[g[t]]])
                clauses.append([S[t], -S[g[t]]])

    order = _inside_out(tiles)
    for g in puzzle.symmetries:
        clauses.extend(lex_leader(order, g, S, pool))

    def read(values: Sequence[int]) -> tuple[str, ...]:
        return puzzle.field.rows({t: SPRINKLER if values[S[t]] else CROP for t in tiles})

    # Exhausting cores costs more oracle calls than it saves here; `make bench` times it.
    settings = MaxsatSettings(adapt=True, exhaust=False, minz=True)
    alike = "images under symmetries of the field" if puzzle.symmetries else ""
    counted = tuple(S.values())
    return MaxsatModel(clauses, pool.top, counted, OBJECTIVES[objective], read, S, settings, leaves_out=alike)


def _inside_out(tiles: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Order tiles by their distance from the middle of their bounding box, which every symmetry keeps."""
    r2 = min(r for r, _ in tiles) + max(r for r, _ in tiles)
    c2 = min(c for _, c in tiles) + max(c for _, c in tiles)
    return sorted(tiles, key=lambda t: ((2 * t[0] - r2) ** 2 + (2 * t[1] - c2) ** 2, t))
