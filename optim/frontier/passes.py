"""Passes over a layered graph: best values forward and backward, pruning, closing. Values are small integers."""

import numpy as np
import numpy.typing as npt
from numba import njit

__all__ = ["NEVER", "backward", "best_walk", "forward", "keep"]

NEVER = np.int32(-(2**30))
"""The value of what cannot be reached; sums with it stay far below every true value."""

Values = npt.NDArray[np.int32]
Indices = npt.NDArray[np.int32]


@njit
def forward(successors, gains, values, size):  # type: ignore[no-untyped-def]
    """Give the next layer's best values."""
    result = np.full(size, NEVER, dtype=np.int32)
    for i in range(successors.shape[0]):
        if values[i] > NEVER // 2:
            for label in range(successors.shape[1]):
                to = successors[i, label]
                if to >= 0 and values[i] + gains[label] > result[to]:
                    result[to] = values[i] + gains[label]
    return result


@njit
def backward(successors, gains, values):  # type: ignore[no-untyped-def]
    """Give the best values of walks that start in this layer and are worth `values` from the next on."""
    result = np.full(successors.shape[0], NEVER, dtype=np.int32)
    for i in range(successors.shape[0]):
        for label in range(successors.shape[1]):
            to = successors[i, label]
            if to >= 0 and values[to] > NEVER // 2 and values[to] + gains[label] > result[i]:
                result[i] = values[to] + gains[label]
    return result


@njit
def keep(successors, number, rows):  # type: ignore[no-untyped-def]
    """Restrict a layer to some states, with the next layer's states renumbered (-1 for dropped ones)."""
    result = np.full((len(rows), successors.shape[1]), -1, dtype=np.int32)
    for i in range(len(rows)):
        for label in range(successors.shape[1]):
            to = successors[rows[i], label]
            if to >= 0:
                result[i, label] = number[to]
    return result


def best_walk(layers: list[Indices], gains: Values, start: int, end: int) -> tuple[int, list[int]] | None:
    """Find the best walk through layers from one state to another.

    Parameters
    ----------
    layers : list of int32 arrays
        Successors, layer by layer.
    gains : array of int
    start, end : int
        Numbers of states before the first and after the last layer.

    Returns
    -------
    tuple or None
        Its value and its labels; None if there is no walk.
    """
    sizes = [len(successors) for successors in layers]
    after = max(end + 1, int(layers[-1].max(initial=-1)) + 1)
    # Worth of a state: the best value of a walk from it to the end.
    worth = np.full(after, NEVER, dtype=np.int32)
    worth[end] = 0
    behind = [worth]
    for successors in reversed(layers):
        worth = backward(successors, gains, worth)
        behind.append(worth)
    behind.reverse()
    assert [len(values) for values in behind[:-1]] == sizes
    value = int(behind[0][start])
    if value <= NEVER // 2:
        return None
    labels = []
    state = start
    for successors, following in zip(layers, behind[1:], strict=True):
        options = [
            (int(following[to]) + int(gains[label]), label)
            for label, to in enumerate(successors[state])
            if to >= 0
        ]
        _, label = max(options)
        labels.append(label)
        state = int(successors[state, label])
    return value, labels
