"""What an engine may spend."""

import math
from dataclasses import dataclass

from twinproof.optim.arguments import check_types
from twinproof.optim.errors import InputError

MAX_WORKERS = 1000


@dataclass(frozen=True)
class Limits:
    """Limits of one solve.

    Parameters
    ----------
    time : float, optional
        Seconds of wall-clock time; None means no limit.
    memory : int, optional
        Megabytes (10^6 bytes) of resident memory of all the engine's processes together. Without it they are
        stopped only when the machine has almost none left.
    workers : int, optional
        How many search workers may run at once; None leaves the choice to the model.
    seed : int, optional
        Seed of the engine's random choices. Values are promised to be equal between runs, layouts are not.

    Raises
    ------
    InputError
        If a limit is not above 0 or is infinite, there are too many workers, or the seed is negative or above
        2^31 - 1.
    """

    time: float | None = None
    memory: int | None = None
    workers: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        check_types(self)
        for name, value in (("time", self.time), ("memory", self.memory), ("workers", self.workers)):
            # "not above" rather than "at most": a NaN must be refused too.
            if value is not None and not 0 < value < math.inf:
                raise InputError(f"{name} limit {value}: must be above 0, and a number")
        if self.workers is not None and self.workers > MAX_WORKERS:
            raise InputError(f"workers limit {self.workers}: must be at most {MAX_WORKERS}")
        if not 0 <= self.seed < 2**31:
            raise InputError(f"seed {self.seed}: must be from 0 to {2**31 - 1}")
