"""The sprinkler puzzle as a transition system over the frontier of a sweep: that of a cover."""

from collections.abc import Sequence
from functools import partial

from twinproof.models.field.cover import CoverPart
from twinproof.models.field.cover_system import cover_system, lacks_room
from twinproof.models.field.sweeps import Sweep, choose
from twinproof.models.grid import Cell
from twinproof.models.sprinklers.instance import CROP, OBJECTIVES, SPRINKLER, SprinklerPuzzle
from twinproof.optim.frontier.search import FrontierModel

MAX_STATES = 5e8
STATES_A_TILE = 2.5
"""By this measured factor one more tile on the frontier multiplies the states."""


def build_frontier(
    puzzle: SprinklerPuzzle,
    objective: str = "fewest-sprinklers",
    sweep: Sweep | None = None,
) -> FrontierModel[tuple[str, ...]]:
    """Build the transition system.

    Parameters
    ----------
    puzzle : SprinklerPuzzle
    objective : {"fewest-sprinklers"}
    sweep : Sweep, optional
        The order of the tiles; by default that of `choose_sweep`.

    Raises
    ------
    InputError
        If the frontier would be too wide.
    """
    sweep = sweep or choose_sweep(puzzle)
    system = cover_system(CoverPart(puzzle.cover, puzzle.field.tiles), sweep)

    def read(labels: Sequence[int]) -> tuple[str, ...]:
        return puzzle.field.rows(sweep.marks(labels, (SPRINKLER, CROP)))

    return FrontierModel(system, OBJECTIVES[objective], read)


def near(puzzle: SprinklerPuzzle, tile: Cell) -> tuple[Cell, ...]:
    """Give the tiles that a tile touches: by water.

    Parameters
    ----------
    puzzle : SprinklerPuzzle
        The instance.
    tile : Cell
        A tile of its field.

    Returns
    -------
    tuple of Cell
        Without the tile itself.
    """
    return puzzle.waterers[tile]


def estimate(sweep: Sweep) -> float:
    """Estimate the number of states of a sweep."""
    return sweep.states(STATES_A_TILE)


def choose_sweep(puzzle: SprinklerPuzzle) -> Sweep:
    """Choose the sweep with the fewest states.

    Raises
    ------
    InputError
        If every sweep is too wide.
    """
    return choose(
        puzzle.field,
        partial(near, puzzle),
        puzzle.generators,
        puzzle.symmetry,
        partial(lacks_room, kinds=len(puzzle.cover.ranges)),
        estimate,
        MAX_STATES,
    )
