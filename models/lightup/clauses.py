"""Light Up in clauses, for the verifier of certificates."""

from twinproof.models.grid import Cell
from twinproof.models.lightup.instance import LightUpPuzzle
from twinproof.optim.proof.cardinality import exactly
from twinproof.optim.proof.cnf import Encoding, Formula

EDGES = ((-1, 0), (0, -1), (0, 1), (1, 0))


def encode(instance: LightUpPuzzle) -> Encoding:
    """Write the rules of an instance."""
    marks = {(r, c): mark for r, row in enumerate(instance.rows) for c, mark in enumerate(row)}
    # 1. Bulbs stand on floor cells.
    floor = [cell for cell, mark in marks.items() if mark == "."]
    formula = Formula(len(floor))
    bulb = {cell: number for number, cell in enumerate(floor, start=1)}

    for cell in floor:
        seen = _seen_from(marks, cell)
        # 2. Every floor cell holds a bulb or sees one.
        formula.add(bulb[cell], *(bulb[other] for other in seen))
        # 3. No bulb sees another.
        for other in seen:
            if cell < other:
                formula.add(-bulb[cell], -bulb[other])

    # 4. A wall with a number has exactly that many bulbs beside it.
    for (r, c), mark in marks.items():
        if mark in "01234":
            beside = [bulb[r + dr, c + dc] for dr, dc in EDGES if (r + dr, c + dc) in bulb]
            exactly(formula, beside, int(mark))
    return Encoding(formula, {("*", cell): variable for cell, variable in bulb.items()})


def _seen_from(marks: dict[Cell, str], cell: Cell) -> list[Cell]:
    """Give the other floor cells up to the next wall or the edge, in all four directions."""
    seen = []
    for dr, dc in EDGES:
        r, c = cell[0] + dr, cell[1] + dc
        while marks.get((r, c)) == ".":
            seen.append((r, c))
            r, c = r + dr, c + dc
    return seen
