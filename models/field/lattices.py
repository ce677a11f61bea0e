"""Layouts of wide fields: a perfect pattern inside, and the best band round it that goes with the pattern."""

from collections.abc import Iterator
from dataclasses import replace

from twinproof.models.field.cover import Cover, CoverPart, bands
from twinproof.models.field.cover_system import cover_system
from twinproof.models.field.losses import narrowest
from twinproof.models.grid import Cell
from twinproof.optim.frontier.walks import TooManyStatesError, best_walk


def lattices(cover: Cover) -> Iterator[tuple[int, frozenset[Cell]]]:
    """Give patterns in which sprinklers of the kind with the least price water every tile in the open once.

    Yields
    ------
    tuple of int and frozenset of Cell
        The kind, and where its sprinklers stand among the sites.
    """
    prices = cover.fair_prices
    kind = min(range(len(prices)), key=lambda k: (prices[k], -len(cover.ranges[k])))
    size = len(cover.ranges[kind])
    if size == 5:
        for a, b in ((1, 2), (2, 1)):
            for rest in range(5):
                yield kind, frozenset((r, c) for r, c in cover.sites if (a * r + b * c) % 5 == rest)
        return
    side = max(row for row, _ in cover.ranges[kind]) * 2 + 1
    for row in range(side):
        for column in range(side):
            yield kind, frozenset((r, c) for r, c in cover.sites if r % side == row and c % side == column)


def completed(
    cover: Cover, kind: int, lattice: frozenset[Cell], width: int, most_states: int
) -> dict[Cell, int] | None:
    """Keep a pattern farther from every border than a width, and place the cheapest sprinklers round it.

    Parameters
    ----------
    cover : Cover
    kind : int
        The pattern's.
    lattice : frozenset of Cell
    width : int
    most_states : int

    Returns
    -------
    mapping or None
        The kind of every sprinkler; None if there would be too many states, or there is no such layout.
    """
    sites = cover.sites & cover.within(width)
    placed = dict.fromkeys(lattice - sites, kind)
    watered = {cell for site in placed for cell in cover.reach(site, kind)}
    rest = replace(cover, targets=cover.targets - watered, sites=sites)
    together = _cheapest(rest, rest.targets | rest.sites, most_states)
    if together is not None:
        return placed | together
    # Where bands touch and are too wide together, each waters its own. Two radii beyond the band every tile is
    # watered by the pattern.
    for part in bands(cover, width + 2 * cover.radius):
        share = _cheapest(rest, part.cells, most_states)
        if share is None:
            return None
        placed.update(share)
    return placed


def _cheapest(cover: Cover, cells: frozenset[Cell], most_states: int) -> dict[Cell, int] | None:
    """Water the targets among some cells from the sites among them, at the least cost.

    Gives None if there would be too many states, or no way.
    """
    own = replace(cover, targets=cover.targets & cells, sites=cover.sites & cells)
    placed: dict[Cell, int] = {}
    for part in CoverPart(own, own.targets | own.sites).connected():
        if not part.cells & own.targets:
            continue
        sweep = narrowest(part, most_states)
        if sweep is None:
            return None
        try:
            found = best_walk(cover_system(part, sweep), most_states)
        except TooManyStatesError:
            return None
        if found is None:
            return None
        kinds = len(cover.ranges)
        placed |= {sweep.tile_at(time): label for time, label in enumerate(found.labels) if label < kinds}
    return placed
