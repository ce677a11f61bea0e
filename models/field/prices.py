"""Prices of targets, so that no sprinkler waters more than it costs."""

from collections.abc import Mapping
from dataclasses import dataclass

from twinproof.models.field.cover import Cover
from twinproof.models.grid import Cell
from twinproof.optim.packing import fractional_packing

UNIT = 2520
"""So many parts of a cost of 1 prices are rounded down to: most fractions of a linear program are met then."""


@dataclass(frozen=True)
class Prices:
    """What it is worth to water each target, so that no sprinkler waters more than it costs.

    Parameters
    ----------
    unit : int
        What a cost of 1 is in prices.
    of : mapping
        The price of every target, 0 or more.
    """

    unit: int
    of: Mapping[Cell, int]


def even_prices(cover: Cover) -> Prices:
    """Give every target the same price: the least cost of watering a tile in the open."""
    price = min(cover.fair_prices)
    return Prices(price.denominator, dict.fromkeys(cover.targets, price.numerator))


def highest_prices(cover: Cover) -> Prices:
    """Give targets the prices that are highest together, but for rounding, by linear programming.

    They alone bound every layout already, and bands add what whole sprinklers need more than fractions. They are
    better than even prices for squares, and for narrow bands.
    """
    targets = sorted(cover.targets)
    place = {target: number for number, target in enumerate(targets)}
    watered = [
        ([place[t] for t in cover.reach(site, kind) if t in place], cost)
        for site in sorted(cover.sites)
        for kind, cost in enumerate(cover.costs)
    ]
    found = [0.0] * len(targets)
    if _is_bounded(len(targets), watered):
        found = fractional_packing(len(targets), watered)
    prices = [int(UNIT * max(price, 0.0) + SLACK) for price in found]
    # The slack may have rounded up, or the solver erred: each row is checked in whole numbers.
    for places, cost in watered:
        for number in places:
            prices[number] -= min(prices[number], max(0, sum(prices[p] for p in places) - UNIT * cost))
    return Prices(UNIT, dict(zip(targets, prices, strict=True)))


SLACK = 1e-6


def _is_bounded(size: int, watered: list[tuple[list[int], int]]) -> bool:
    """Whether every target can be watered; the price of another would be endless."""
    return len({number for places, _ in watered for number in places}) == size
