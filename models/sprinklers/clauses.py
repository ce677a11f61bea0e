"""The sprinkler puzzle in clauses, for the verifier of certificates."""

from twinproof.models.field.clauses import drawn_cells, keep_symmetry, watered_from
from twinproof.models.field.lex_leader import add_lex_leaders
from twinproof.models.sprinklers.instance import SPRINKLER, SprinklerPuzzle
from twinproof.optim.proof.cnf import Encoding, Formula, Key


def encode(instance: SprinklerPuzzle) -> Encoding:
    """Write the rules of an instance."""
    return _encode(instance, lex_leaders=False)


def encode_lex_leaders(instance: SprinklerPuzzle) -> Encoding:
    """Write the rules of an instance, with lex-leader symmetry breaking."""
    return _encode(instance, lex_leaders=True)


def _encode(instance: SprinklerPuzzle, lex_leaders: bool) -> Encoding:
    tiles = sorted(instance.field.tiles)
    formula = Formula(len(tiles))
    # A sprinkler stands on the tile.
    sprinkler = {tile: number for number, tile in enumerate(tiles, start=1)}

    # 1. Every tile holds a sprinkler or is in the range of one.
    for tile in tiles:
        formula.add(sprinkler[tile], *(sprinkler[other] for other in watered_from(instance, tile)))

    # 2. The layout has the symmetry asked for.
    keep_symmetry(formula, instance, sprinkler)

    if lex_leaders:
        variables: dict[Key, int] = {(SPRINKLER, tile, 0): variable for tile, variable in sprinkler.items()}
        add_lex_leaders(formula, variables, drawn_cells(instance))
    return Encoding(formula, {(SPRINKLER, tile): variable for tile, variable in sprinkler.items()})
