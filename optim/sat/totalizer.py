"""A unary counter in clauses, true in both directions: its outputs can be assumed and can be read."""

from collections.abc import Sequence

from pysat.formula import IDPool

from twinproof.optim.sat.encodings import Clause


def totalizer(literals: Sequence[int], top: int, pool: IDPool) -> tuple[list[Clause], list[int]]:
    """Count true literals in unary, up to `top`.

    Parameters
    ----------
    literals : sequence of int
    top : int
        How far to count; at least 1.
    pool : IDPool
        Source of new variables.

    Returns
    -------
    clauses : list of list of int
        At most about n * top * log(n) of them; satisfiable for every assignment of the literals.
    outputs : list of int
        min(n, top) of them; output j, from 0, is true exactly if more than j of the literals are.

    References
    ----------
    O. Bailleux and Y. Boufkhad, "Efficient CNF encoding of Boolean cardinality constraints", CP 2003.
    """
    clauses: list[Clause] = []
    layer = [[literal] for literal in literals]
    while len(layer) > 1:
        merged = [
            _merge(left, right, top, pool, clauses) for left, right in zip(layer[::2], layer[1::2], strict=False)
        ]
        layer = merged + layer[2 * len(merged) :]
    return clauses, layer[0] if layer else []


def _merge(left: list[int], right: list[int], top: int, pool: IDPool, clauses: list[Clause]) -> list[int]:
    size = min(len(left) + len(right), top)
    outputs = [pool.id() for _ in range(size)]
    for i in range(len(left) + 1):
        for j in range(len(right) + 1):
            # At least i on the left and j on the right: at least i + j.
            if i + j > 0:
                below = ([-left[i - 1]] if i else []) + ([-right[j - 1]] if j else [])
                clauses.append([*below, outputs[min(i + j, size) - 1]])
            # No more than i and j: no more than i + j. A side that stopped counting at `top` never gets here.
            if i + j < size:
                above = ([left[i]] if i < len(left) else []) + ([right[j]] if j < len(right) else [])
                clauses.append([*above, -outputs[i + j]])
    return outputs
