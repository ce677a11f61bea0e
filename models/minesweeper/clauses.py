"""Minesweeper in clauses, for the verifier of certificates."""

from twinproof.models.minesweeper.instance import MinesweeperPuzzle
from twinproof.optim.proof.cardinality import exactly
from twinproof.optim.proof.cnf import Encoding, Formula


def encode(instance: MinesweeperPuzzle) -> Encoding:
    """Write the rules of a board."""
    marks = {(r, c): mark for r, row in enumerate(instance.board) for c, mark in enumerate(row)}
    # A mine lies on a hidden cell or under a flag, and nowhere else.
    places = [cell for cell, mark in marks.items() if mark in (".", "F")]
    formula = Formula(len(places))
    mine = {cell: number for number, cell in enumerate(places, start=1)}

    for (r, c), mark in marks.items():
        # 1. A number counts the mines round it.
        if mark in "012345678":
            around = [(r + dr, c + dc) for dr in (-1, 0, 1) for dc in (-1, 0, 1)]
            exactly(formula, [mine[cell] for cell in around if cell in mine], int(mark))
        # 2. A flag that is trusted stands on a mine.
        if mark == "F" and instance.trust_flags:
            formula.add(mine[r, c])

    # 3. The number of mines is the one that is known.
    if instance.mines is not None:
        exactly(formula, list(mine.values()), instance.mines)
    return Encoding(formula, {("*", cell): variable for cell, variable in mine.items()})
