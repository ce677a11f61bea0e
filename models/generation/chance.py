"""Random choices that are the same for a seed on every machine and in every version of Python.

Of `random.Random` only `random()` and `getrandbits()` promise that; what the others draw has changed before.
"""

from collections.abc import Iterable
from random import Random
from typing import TypeVar

ItemT = TypeVar("ItemT")


def below(rng: Random, n: int) -> int:
    """Draw a whole number from 0 to n - 1, each as likely as any other.

    Parameters
    ----------
    rng : Random
    n : int
        At least 1.
    """
    bits = n.bit_length()
    while (drawn := rng.getrandbits(bits)) >= n:
        pass
    return drawn


def shuffled(rng: Random, items: Iterable[ItemT]) -> list[ItemT]:
    """Give the items in a random order.

    Parameters
    ----------
    rng : Random
    items : iterable
        Its order counts, so it must be the same in every run: no set.

    References
    ----------
    R. Durstenfeld, "Algorithm 235: random permutation", Communications of the ACM 7, 1964.
    """
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        other = below(rng, last + 1)
        order[last], order[other] = order[other], order[last]
    return order
