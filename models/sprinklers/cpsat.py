"""The sprinkler puzzle as a CP-SAT model: one covering clause a tile, one variable an orbit."""

from collections.abc import Sequence

from ortools.sat.python import cp_model

from twinproof.models.field.symmetries import orbits
from twinproof.models.sprinklers.instance import CROP, OBJECTIVES, SPRINKLER, SprinklerPuzzle
from twinproof.optim.cpsat import CpsatModel, CpsatSettings, add_lex_leader


def build_cpsat(puzzle: SprinklerPuzzle, objective: str = "fewest-sprinklers") -> CpsatModel[tuple[str, ...]]:
    """Build the model.

    Parameters
    ----------
    puzzle : SprinklerPuzzle
    objective : {"fewest-sprinklers"}

    Returns
    -------
    CpsatModel
        Its layouts are the rows of the field, marked S and `.`.
    """
    field = puzzle.field
    model = cp_model.CpModel()

    # Rule 2: the tiles of an orbit are alike, so they share a variable.
    # Each tile goes by the first of its orbit.
    first_alike = orbits(field.cells, puzzle.generators)
    firsts = sorted(set(first_alike.values()))
    # has_sprinkler[tile]: a sprinkler stands on the tile, and on the others of its orbit.
    has_sprinkler = {tile: model.new_bool_var(f"sprinkler {tile}") for tile in firsts}

    # Rule 1: every tile holds a sprinkler or is in the range of one. Orbits make many of these clauses equal.
    for near in {frozenset(first_alike[other] for other in (tile, *puzzle.waterers[tile])) for tile in firsts}:
        model.add_bool_or(has_sprinkler[tile] for tile in sorted(near))

    # Of the layouts that are alike up to a symmetry of the instance, one is enough. The middle comes first:
    # a symmetry moves it least, so the comparison is decided after few tiles.
    middle = ((field.height - 1) / 2, (field.width - 1) / 2)
    order = sorted(firsts, key=lambda t: ((t[0] - middle[0]) ** 2 + (t[1] - middle[1]) ** 2, t))
    for image in puzzle.symmetries:
        add_lex_leader(model, order, {tile: first_alike[image[tile]] for tile in firsts}, has_sprinkler)

    size = dict.fromkeys(firsts, 0)
    for tile in field.cells:
        size[first_alike[tile]] += 1
    sprinklers = sum(size[tile] * has_sprinkler[tile] for tile in firsts)

    def read(values: Sequence[int]) -> tuple[str, ...]:
        marks = {}
        for tile in field.cells:
            stands = values[has_sprinkler[first_alike[tile]].index]
            marks[tile] = SPRINKLER if stands else CROP
        return field.rows(marks)

    # The core-guided subsolver alone proves the bound sooner than the whole portfolio. It refutes "at most K" by
    # raising a bound, so it has an objective even for a yes/no question.
    settings = CpsatSettings(workers=2, subsolvers=("core",), guided=True)

    def write(layout: Sequence[str]) -> list[tuple[cp_model.IntVar, int]]:
        return [(variable, layout[r][c] == SPRINKLER) for (r, c), variable in has_sprinkler.items()]

    cells = {tile: has_sprinkler[first_alike[tile]] for tile in field.cells}
    alike = "images under symmetries of the field" if puzzle.symmetries else ""
    return CpsatModel(model, sprinklers, OBJECTIVES[objective], read, cells, settings, write, leaves_out=alike)
