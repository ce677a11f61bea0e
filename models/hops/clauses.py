"""The hops puzzle in clauses, for the verifier of certificates.

A walkway is reached if it is within so many steps of a start. A walk that cannot be shortened never comes back
to a tile, and never to a second start: then the part behind that start is shorter. So it has at most as many
steps as there are tiles that are no start.
"""

from collections.abc import Container, Mapping, Sequence, Set

from twinproof.models.field.clauses import AROUND, EDGES, drawn_cells, keep_symmetry, near, watered_from
from twinproof.models.field.lex_leader import add_lex_leaders
from twinproof.models.grid import Cell
from twinproof.models.hops.instance import HOP, HopsPuzzle
from twinproof.models.sprinklers.instance import SPRINKLER
from twinproof.optim.proof.cardinality import exactly
from twinproof.optim.proof.cnf import Encoding, Formula, Key, Truth


def encode(instance: HopsPuzzle) -> Encoding:
    """Write the rules of an instance."""
    return _encode(instance, lex_leaders=False)


def encode_lex_leaders(instance: HopsPuzzle) -> Encoding:
    """Write the rules of an instance, with lex-leader symmetry breaking."""
    return _encode(instance, lex_leaders=True)


def _encode(instance: HopsPuzzle, lex_leaders: bool) -> Encoding:
    tiles = sorted(instance.field.tiles)
    formula = Formula(2 * len(tiles))
    # A sprinkler stands on the tile; a hop does. Where neither stands the tile is a walkway.
    sprinkler = {tile: number for number, tile in enumerate(tiles, start=1)}
    hop = {tile: number for number, tile in enumerate(tiles, start=len(tiles) + 1)}
    for tile in tiles:
        formula.add(-sprinkler[tile], -hop[tile])

    # 1. Every tile, with dry paths every hop, holds a sprinkler or is in the range of one.
    for tile in tiles:
        wet = [sprinkler[tile], *(sprinkler[other] for other in watered_from(instance, tile))]
        if not instance.dry_paths:
            formula.add(*wet)
        else:
            formula.add(-hop[tile], *wet[1:])  # no sprinkler stands where a hop stands

    # 3. Reached walkways.
    starts = instance.entrances or _beside_outside(instance, EDGES)
    within = _within(formula, starts, sprinkler, hop)
    reached = {tile: levels[max(levels)] for tile, levels in within.items()}

    # 2. and 4. Every hop has a reached walkway, or the outside unless that is a wall, among its harvest
    # neighbours.
    sides = EDGES if instance.harvest == 4 else AROUND
    served = set() if instance.entrances else _beside_outside(instance, sides)
    for tile in tiles:
        if tile not in served:
            formula.add(-hop[tile], *(reached[other] for other in near(tile, sides) if other in reached))

    # 6. The layout has the symmetry asked for.
    keep_symmetry(formula, instance, sprinkler, hop)

    if lex_leaders:
        add_lex_leaders(formula, _by_meaning(sprinkler, hop, within), drawn_cells(instance))

    # 5. The number of hops is the one asked for.
    if instance.hops is not None:
        exactly(formula, list(hop.values()), instance.hops)
    marks = {(SPRINKLER, tile): variable for tile, variable in sprinkler.items()}
    return Encoding(formula, marks | {(HOP, tile): variable for tile, variable in hop.items()})


def _by_meaning(
    sprinkler: Mapping[Cell, int], hop: Mapping[Cell, int], within: Mapping[Cell, Mapping[int, int]]
) -> dict[Key, int]:
    """Give all variables by what they are about."""
    variables: dict[Key, int] = {}
    for tile in sprinkler:
        variables |= {(SPRINKLER, tile, 0): sprinkler[tile], (HOP, tile, 0): hop[tile]}
    for tile, levels in within.items():
        variables |= {("reached", tile, steps): variable for steps, variable in levels.items()}
    return variables


def _beside_outside(instance: HopsPuzzle, sides: tuple[Cell, ...]) -> set[Cell]:
    """Give the tiles with a neighbour that is neither tile nor obstacle."""
    drawn = drawn_cells(instance)
    return {tile for tile in instance.field.tiles if any(other not in drawn for other in near(tile, sides))}


def _within(
    formula: Formula,
    starts: Set[Cell],
    sprinkler: Mapping[Cell, int],
    hop: Mapping[Cell, int],
) -> dict[Cell, dict[int, int]]:
    """Give the variables that say: a walkway that is within so many steps of a start, by tile and steps.

    A start is within 0 steps or not at all. A tile has variables from the steps that it takes where nothing is
    in the way, up to the most steps that a walk can have; none if there is no way to it at all.
    """
    fewest = _fewest_steps(starts, sprinkler)
    most = len(sprinkler) - len(starts)
    within: dict[Cell, dict[int, int]] = {tile: {} for tile in sorted(fewest)}
    for tile in sorted(starts):
        within[tile][0] = _define_within(formula, (sprinkler[tile], hop[tile]), None)
    for steps in range(1, most + 1):
        for tile in sorted(set(fewest) - starts):
            if steps < fewest[tile]:
                continue
            # One step before, it was there already or is at a neighbour.
            around = [within[other] for other in (tile, *near(tile, EDGES)) if other in fewest]
            before = [levels.get(steps - 1, levels.get(0)) for levels in around]
            within[tile][steps] = _define_within(
                formula, (sprinkler[tile], hop[tile]), [variable for variable in before if variable is not None]
            )
    return within


def _fewest_steps(starts: Set[Cell], tiles: Container[Cell]) -> dict[Cell, int]:
    """Count the steps from the nearest start to each tile that can be reached on an empty field."""
    fewest = dict.fromkeys(sorted(starts), 0)
    front = list(fewest)
    for tile in front:
        for other in near(tile, EDGES):
            if other in tiles and other not in fewest:
                fewest[other] = fewest[tile] + 1
                front.append(other)
    return fewest


def _define_within(formula: Formula, blocking: Sequence[int], before: Sequence[int] | None) -> int:
    """Give the variable of a tile that is not blocked and, unless it is a start, has one of those before."""

    def reading(truth: Truth) -> bool:
        free = not any(truth[variable] for variable in blocking)
        return free and (before is None or any(truth[variable] for variable in before))

    variable = formula.define(reading)
    for mark in blocking:
        formula.add(-variable, -mark)
    if before is not None:
        formula.add(-variable, *before)
    return variable
