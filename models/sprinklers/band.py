"""Wide fields: a bound from the losses in bands along the borders, and layouts with a perfect pattern inside."""

from collections.abc import Iterator
from functools import partial

from twinproof.models.field.lattices import completed, lattices
from twinproof.models.field.losses import bounds
from twinproof.models.field.prices import even_prices, highest_prices
from twinproof.models.grid import Cell
from twinproof.models.sprinklers.instance import CROP, OBJECTIVES, SPRINKLER, SprinklerPuzzle
from twinproof.optim.process.tasks import Bounded, Found, Noted
from twinproof.optim.staged import StagedModel

MOST_STATES = 30_000_000
"""A band with more states is too wide: they would take 2 GB and a minute."""

FIRST_WIDTH = 3
"""The width at which patterns are tried first: narrower bands leave them no room to adapt."""

KEPT = 2
"""The number of patterns that are tried again with wider bands: the best of the first trial."""


def build_band(puzzle: SprinklerPuzzle, objective: str = "fewest-sprinklers") -> StagedModel[tuple[str, ...]]:
    """Build the stages: a bound and layouts for one width after the other.

    Where a symmetry is asked for, the bound holds all the same; layouts are then not looked for.

    Parameters
    ----------
    puzzle : SprinklerPuzzle
    objective : {"fewest-sprinklers"}

    Returns
    -------
    StagedModel
        Its layouts are the rows of the field, marked S and `.`.
    """
    return StagedModel(OBJECTIVES[objective], partial(_stages, puzzle))


def _stages(puzzle: SprinklerPuzzle) -> Iterator[Bounded | Found | Noted]:
    cover = puzzle.cover
    patterns = list(lattices(cover)) if puzzle.symmetry is None else []
    best: dict[Cell, int] | None = None
    for width, bound in bounds(cover, (even_prices(cover), highest_prices(cover)), MOST_STATES):
        if isinstance(bound, str):
            yield Noted(bound)
            continue
        yield Bounded(bound)
        is_whole = cover.within(width) == cover.targets | cover.sites
        if not width or (width < FIRST_WIDTH and not is_whole):
            continue
        tried = []
        for number, pattern in enumerate(patterns[:1] if is_whole else patterns, start=1):
            yield Noted(f"pattern {number} of {len(patterns)}, its band of width {width}")
            placed = completed(cover, *pattern, width, MOST_STATES)
            if placed is None:
                continue
            tried.append((len(placed), number))
            if best is None or len(placed) < len(best):
                best = placed
                marks = {tile: SPRINKLER if tile in placed else CROP for tile in puzzle.field.cells}
                yield Found(len(placed), puzzle.field.rows(marks))
        # A pattern that no band completes may be completed by a wider one.
        patterns = [patterns[number - 1] for _, number in sorted(tried)[:KEPT]] or patterns
