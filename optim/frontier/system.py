"""What a puzzle gives to the engine: states packed into 64 bits, and a compiled step from layer to layer."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

States = npt.NDArray[np.uint64]
Gains = npt.NDArray[np.int32]
Expand = Callable[[States, int], States]
"""Takes the states before a layer, shape (n,), and the layer; gives the states after it, shape (n, labels)."""

NONE = np.uint64(2**64 - 1)
"""What a step gives where a label may not be placed."""


@dataclass(frozen=True)
class System:
    """A transition system, whose layouts are the closed walks of one turn.

    A turn is one or more periods, and a period a fixed number of layers; in each of them one label is placed. A
    sweep in lines is a turn of one period from the empty frontier back to it. A sweep round an obstacle goes on
    and on, and a layout is a walk that comes back to the state it began with.

    Parameters
    ----------
    expand : callable
        The step; gives `NONE` where a label may not be placed.
    layers : int
        In a period.
    periods : int
        In a turn.
    gains : array of int, shape (layers, labels)
        What placing a label adds to the value; larger values are better.
    starts : array of uint64
        States at the cut before the first layer. For each layout the walk of its labels from one of them, on and
        on, must come to the layout's own closed walk.
    is_ring : bool
        Whether there can be other states at the cut than the starts.
    refinement : Refinement, optional
        Tells which closed walks are layouts; without one, all are.
    """

    expand: Expand
    layers: int
    periods: int
    gains: Gains
    starts: States
    is_ring: bool
    refinement: "Refinement | None" = None

    @property
    def least_gain(self) -> int:
        """What no closed walk gains less than."""
        return int(np.minimum(self.gains.min(axis=1), 0).sum()) * self.periods


@dataclass(frozen=True)
class Refinement:
    """A finer system that walks along the closed walks of a coarser one, and knows more of each.

    Its states too pack into 64 bits. It is only followed where walks of the coarse system are left over, so it
    may have far more states than could ever be listed.

    Parameters
    ----------
    opened : callable
        From a state at the cut to the finer states that a closed walk from it may begin with.
    expand : callable
        The step of the finer system.
    coarse : sequence of int
        For each finer label the label of the coarse system.
    gains : array of int, shape (layers, finer labels)
        What is to be maximised among the coarse system's best closed walks.
    closes : callable
        From finer states after a turn and those that the turn began with, one array each, to an array that tells
        which of the walks are layouts.
    """

    opened: Callable[[int], Sequence[int]]
    expand: Expand
    coarse: Sequence[int]
    gains: Gains
    closes: Callable[[States, States], npt.NDArray[np.bool_]]


def every_state(codes: Sequence[int], slots: int, bits: int) -> States:
    """List the states of a frontier in which every slot holds one of the codes.

    Parameters
    ----------
    codes : sequence of int
        What a slot can hold.
    slots : int
        The number of tiles on the frontier.
    bits : int
        The number of bits of a slot; codes are below 2 to that power.

    Returns
    -------
    ndarray of uint64, shape (len(codes) ** slots,)
        All combinations; slot i takes the bits from i * bits on.
    """
    states = np.zeros(1, dtype=np.uint64)
    for slot in range(slots):
        placed = np.array(codes, dtype=np.uint64) << np.uint64(bits * slot)
        states = (states[:, None] | placed[None, :]).ravel()
    return states
