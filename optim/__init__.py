"""The engines: a model in, an `Outcome` out. Nothing here knows a puzzle."""

from twinproof.optim.errors import EngineError, InputError, OptionError, OutputError, TwinproofError
from twinproof.optim.limits import Limits
from twinproof.optim.outcome import OnProgress, Outcome, Progress, Sense, Status, Stop

__all__ = [
    "EngineError",
    "InputError",
    "Limits",
    "OnProgress",
    "OptionError",
    "Outcome",
    "OutputError",
    "Progress",
    "Sense",
    "Status",
    "Stop",
    "TwinproofError",
]
