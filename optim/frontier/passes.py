"""Passes over the layers of a graph: best values forward and backward, and the states worth keeping.

Values are small integers. A layer's successors are an array of shape (states, labels): numbers of states in the
next layer, -1 where a label may not be placed.
"""

import numpy as np
import numpy.typing as npt
from numba import prange

from twinproof.optim.frontier.compiled import compiled, compiled_parallel

NEVER = np.int32(-(2**30))
"""The value of a state that cannot be reached; sums with it stay far below every true value."""

Values = npt.NDArray[np.int32]
Indices = npt.NDArray[np.int32]


def is_alive(values: Values) -> npt.NDArray[np.bool_]:
    """Tell which values are those of something that can be reached."""
    return values > NEVER // 2


@compiled
def forward(successors, gains, values, size):  # type: ignore[no-untyped-def]
    """Give the best values of walks to the states of the next layer.

    Parameters
    ----------
    successors : ndarray of int32, shape (states, labels)
        The place of each successor in the next layer, -1 for none.
    gains : ndarray of int32, shape (labels,)
        What a label adds to the value.
    values : ndarray of int32, shape (states,)
        The best values of walks to this layer's states, `NEVER` where no walk leads.
    size : int
        The number of states of the next layer.

    Returns
    -------
    ndarray of int32, shape (size,)
        The best values of walks to the next layer's states.
    """
    result = np.full(size, NEVER, dtype=np.int32)
    for i in range(successors.shape[0]):
        if values[i] > NEVER // 2:
            for label in range(successors.shape[1]):
                to = successors[i, label]
                if to >= 0 and values[i] + gains[label] > result[to]:
                    result[to] = values[i] + gains[label]
    return result


@compiled_parallel
def backward(successors, gains, values):  # type: ignore[no-untyped-def]
    """Give the best values of walks that start in this layer and are worth `values` from the next on.

    Parameters
    ----------
    successors : ndarray of int32, shape (states, labels)
        The place of each successor in the next layer, -1 for none.
    gains : ndarray of int32, shape (labels,)
        What a label adds to the value.
    values : ndarray of int32, shape (states of the next layer,)
        The best values of walks from the next layer's states on, `NEVER` where no walk goes on.

    Returns
    -------
    ndarray of int32, shape (states,)
        The best values of walks from this layer's states on.
    """
    result = np.full(successors.shape[0], NEVER, dtype=np.int32)
    for i in prange(successors.shape[0]):
        best = NEVER
        for label in range(successors.shape[1]):
            to = successors[i, label]
            if to >= 0 and values[to] > NEVER // 2:
                best = max(best, values[to] + gains[label])
        result[i] = best
    return result


@compiled_parallel
def keep(successors, number, rows):  # type: ignore[no-untyped-def]
    """Restrict a layer to some of its states, with the next layer's states renumbered; -1 for dropped ones.

    Parameters
    ----------
    successors : ndarray of int32, shape (states, labels)
        The place of each successor in the next layer, -1 for none.
    number : ndarray of int32, shape (states of the next layer,)
        The new place of each state of the next layer, -1 for dropped ones.
    rows : ndarray of int, shape (kept,)
        The places of the states that are kept.

    Returns
    -------
    ndarray of int32, shape (kept, labels)
        The successors of the kept states, by their new places.
    """
    result = np.full((len(rows), successors.shape[1]), -1, dtype=np.int32)
    for i in prange(len(rows)):
        for label in range(successors.shape[1]):
            to = successors[rows[i], label]
            if to >= 0:
                result[i, label] = number[to]
    return result
