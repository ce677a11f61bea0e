"""Which soft clauses of a formula cannot hold together."""

from collections.abc import Sequence
from typing import Any

from twinproof.optim.maxsat import MaxsatModel
from twinproof.optim.sat.smus import smallest_core

__all__ = ["conflicting"]


def conflicting(
    model: MaxsatModel[Any], considered: Sequence[int] | None = None, time_limit: float | None = None
) -> tuple[tuple[int, ...], bool] | None:
    """Find soft clauses that cannot hold together, though they can when any of them is left out.

    Parameters
    ----------
    model : MaxsatModel
        Its hard clauses can hold together; its soft clauses are unit clauses of different literals.
    considered : sequence of int, optional
        The places of the soft clauses that are looked at; by default all.
    time_limit : float, optional
        Seconds after which clauses that may not be the fewest are good enough.

    Returns
    -------
    places : tuple of int
        Of the clauses, in the order of the soft clauses.
    smallest : bool
        Whether it is proved that no fewer of them are in conflict.

    None if all of them can hold together.
    """
    soft = model.wcnf.soft
    place = {soft[i][0]: i for i in (range(len(soft)) if considered is None else considered)}
    core = smallest_core(model.wcnf.hard, list(place), time_limit=time_limit)
    if core is None:
        return None
    return tuple(place[literal] for literal in core.statements), core.smallest
