"""Lower bounds on what it costs to water a wide field, from what must be lost in a band along its border.

Give every tile to be watered, every *target*, a price such that no sprinkler waters more than it costs. Choose
some sites, the *band's*, and call the others the *inside*. The inside's sprinklers cost at least the prices of
the targets that they water. So a layout costs at least

    the cost of the band's sprinklers + the prices of the targets that these leave dry,

and a target that no site of the inside waters cannot be left dry. The least of this over all ways to place
sprinklers in the band alone bounds every layout. Bands that have no site in common add up: with

    loss(band) = cost of its sprinklers - prices of the targets that they water

every layout costs at least all prices and the least losses of all bands together. The frontier of a band is as
narrow as the band, so its least loss is found on fields of any size.

References
----------
D. Goncalves, A. Pinlou, M. Rao and S. Thomasse, "The domination number of grids", SIAM Journal on Discrete
Mathematics 25 (2011) 1443, arXiv 1102.5206, count losses in this way on rectangles of basic sprinklers.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from twinproof.models.field.cover import Cover, CoverPart, bands
from twinproof.models.field.cover_system import cover_system, lacks_room
from twinproof.models.field.prices import Prices
from twinproof.models.field.rounds import part_sweeps
from twinproof.models.field.sweeps import Sweep
from twinproof.models.grid import Cell
from twinproof.optim.frontier.walks import TooManyStatesError, bound_walks, graph_within

STEPS = 60
"""A bound may be weaker by this part of a cost of 1 than what is known, where prices have smaller units."""

MOST_DOUBT = 10
"""A sweep is not tried if the estimate of its states is above the limit by more than this factor."""

STATES_A_CELL = 2.3
"""By this measured factor one more cell on the frontier multiplies the states."""


def bounds(cover: Cover, prices: Sequence[Prices], most_states: int) -> Iterator[tuple[int, int | str]]:
    """Bound the least cost by wider and wider bands, as long as their states are few enough.

    Parameters
    ----------
    cover : Cover
    prices : sequence of Prices
        Of the bounds by all of these the highest counts.
    most_states : int
        A band with more is given up; where its parts were bounded before, narrower, these still count.

    Yields
    ------
    tuple
        The width, and the bound, which need not be better than the one before, or words on what is being done. The
        first, of width 0, is that of the prices alone.
    """
    width = 0
    losses: list[_PartLoss] = []
    yield width, max(-(-sum(one.of.values()) // one.unit) for one in prices)
    while True:
        width += 1
        wider: list[_PartLoss] = []
        for part in bands(cover, width):
            inner = [loss for loss in losses if loss.cells <= part.cells]
            if [loss.cells for loss in inner] == [part.cells]:
                wider += inner
                continue
            yield width, f"band of width {width}, {len(part.cells)} cells"
            least = least_losses(part, prices, most_states)
            # Where the part is too wide, what is inside of it still counts.
            wider += inner if least is None else [_PartLoss(part.cells, least)]
        if wider == losses:
            return
        losses = wider
        totals = [
            -(-(sum(one.of.values()) + sum(loss.least[number] for loss in losses)) // one.unit)
            for number, one in enumerate(prices)
        ]
        yield width, max(totals)


@dataclass(frozen=True)
class _PartLoss:
    cells: frozenset[Cell]
    least: tuple[int, ...]


def least_losses(part: CoverPart, prices: Sequence[Prices], most_states: int) -> tuple[int, ...] | None:
    """Bound from below what a part loses, by each of some prices.

    Parameters
    ----------
    part : CoverPart
    prices : sequence of Prices
        Those of the part's cover; at least one.
    most_states : int

    Returns
    -------
    tuple of int or None
        In the units of the prices; None if there would be too many states, or its targets cannot be watered.
    """
    sweep = narrowest(part, most_states)
    if sweep is None:
        return None
    systems = [cover_system(part, sweep, one) for one in prices]
    try:
        # The states do not depend on the prices.
        graph = graph_within(systems[0], most_states)
    except TooManyStatesError:
        return None
    losses = []
    for one, system in zip(prices, systems, strict=True):
        gained = bound_walks(graph, system, max(1, one.unit // STEPS))
        if gained is None:
            return None
        losses.append(-gained - sum(one.of[t] for t in part.cover.targets & part.cells))
    return tuple(losses)


def narrowest(part: CoverPart, most_states: int) -> Sweep | None:
    """Give the sweep of a part with the fewest states.

    Parameters
    ----------
    part : CoverPart
        Connected.
    most_states : int

    Returns
    -------
    Sweep or None
        None if even its states do not fit, or would surely be too many.
    """
    able = [sweep for sweep in part_sweeps(part) if not lacks_room(sweep, len(part.cover.ranges))]
    best = min(able, key=_estimate, default=None)
    return None if best is None or _estimate(best) > MOST_DOUBT * most_states else best


def _estimate(sweep: Sweep) -> float:
    return sweep.states(STATES_A_CELL)
