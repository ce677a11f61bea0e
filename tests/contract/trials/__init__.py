"""The puzzles on trial, by name."""

from tests.contract.trial import Trial
from tests.contract.trials.fields import HOPS, SPRINKLERS
from tests.contract.trials.lightup import LIGHTUP
from tests.contract.trials.minesweeper import MINESWEEPER
from tests.contract.trials.starbattle import STARBATTLE
from tests.contract.trials.tents import TENTS

__all__ = ["TRIALS"]

TRIALS: dict[str, Trial] = {
    trial.puzzle.name: trial for trial in (SPRINKLERS, HOPS, STARBATTLE, LIGHTUP, MINESWEEPER, TENTS)
}
