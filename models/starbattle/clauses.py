"""Star Battle in clauses, for the verifier of certificates."""

from twinproof.models.starbattle.instance import StarBattlePuzzle
from twinproof.optim.proof.cardinality import exactly
from twinproof.optim.proof.cnf import Encoding, Formula


def encode(instance: StarBattlePuzzle) -> Encoding:
    """Write the rules of an instance."""
    cells = [(r, c) for r in range(len(instance.regions)) for c in range(len(instance.regions[r]))]
    formula = Formula(len(cells))
    star = {cell: number for number, cell in enumerate(cells, start=1)}

    # 5. A hole holds no star.
    for hole in sorted(instance.holes):
        formula.add(-star[hole])

    # 4. No two stars touch: each cell is compared with the one to its right and the three below.
    for r, c in cells:
        for other in ((r, c + 1), (r + 1, c - 1), (r + 1, c), (r + 1, c + 1)):
            if other in star:
                formula.add(-star[r, c], -star[other])

    # 1. to 3. Every row, column and region holds exactly so many stars.
    groups: dict[tuple[str, int], list[int]] = {}
    for r, c in cells:
        groups.setdefault(("row", r), []).append(star[r, c])
        groups.setdefault(("column", c), []).append(star[r, c])
        region = instance.regions[r][c]
        if region is not None:
            groups.setdefault(("region", region), []).append(star[r, c])
    for group in groups.values():
        exactly(formula, group, instance.stars)
    return Encoding(formula, {("*", cell): variable for cell, variable in star.items()})
