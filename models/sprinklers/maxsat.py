"""The sprinkler puzzle as partial MaxSAT: hard covering clauses, a soft "no sprinkler here" for every tile."""

from collections.abc import Sequence

from pysat.formula import WCNF, IDPool

from twinproof.models.sprinklers.instance import CROP, OBJECTIVES, SPRINKLER, SprinklerPuzzle
from twinproof.optim.maxsat import MaxsatModel, MaxsatSettings
from twinproof.optim.sat.encodings import at_least as at_least_clauses
from twinproof.optim.sat.encodings import at_most as at_most_clauses
from twinproof.optim.sat.encodings import lex_leader

__all__ = ["build_maxsat"]


def build_maxsat(
    puzzle: SprinklerPuzzle,
    objective: str = "fewest-sprinklers",
    at_least: int | None = None,
    at_most: int | None = None,
) -> MaxsatModel[tuple[str, ...]]:
    """Build the formula.

    Parameters
    ----------
    puzzle : SprinklerPuzzle
    objective : {"fewest-sprinklers"}
    at_least, at_most : int, optional
        If one is given, the formula asks whether a layout has such a value, and has no soft clauses.

    Returns
    -------
    MaxsatModel
        Its layouts are the rows of the field, marked S and `.`.
    """
    tiles = puzzle.field.cells
    pool = IDPool()
    wcnf = WCNF()
    # S[t]: a sprinkler stands on tile t.
    S = {t: pool.id(("S", t)) for t in tiles}  # noqa: N806 - the letter of the layout

    for t in tiles:
        wcnf.append([S[t], *(S[u] for u in puzzle.waterers[t])])

    for g in puzzle.generators:
        for t in tiles:
            if g[t] != t:
                wcnf.append([-S[t], S[g[t]]])
                wcnf.append([S[t], -S[g[t]]])

    order = _inside_out(tiles)
    for g in puzzle.symmetries:
        wcnf.extend(lex_leader(order, g, S, pool))

    asked = at_least is not None or at_most is not None
    if at_least is not None:
        wcnf.extend(at_least_clauses(S.values(), at_least, pool))
    if at_most is not None:
        wcnf.extend(at_most_clauses(S.values(), at_most, pool))
    if not asked:
        for t in tiles:
            wcnf.append([-S[t]], weight=1)

    def read(values: Sequence[int]) -> tuple[str, ...]:
        return puzzle.field.rows({t: SPRINKLER if values[S[t]] else CROP for t in tiles})

    # Exhausting cores costs more oracle calls than it saves here; `make bench` times it.
    settings = MaxsatSettings(adapt=True, exhaust=False, minz=True)
    return MaxsatModel(wcnf, None if asked else OBJECTIVES[objective], read, settings)


def _inside_out(tiles: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Order tiles by their distance from the middle of their bounding box, which every symmetry keeps."""
    r2 = min(r for r, _ in tiles) + max(r for r, _ in tiles)
    c2 = min(c for _, c in tiles) + max(c for _, c in tiles)
    return sorted(tiles, key=lambda t: ((2 * t[0] - r2) ** 2 + (2 * t[1] - c2) ** 2, t))
