"""The engines: a model in, an `Outcome` out. Nothing here knows a puzzle."""

from optim.errors import EngineError, InputError, TwinproofError
from optim.limits import Limits
from optim.outcome import OnProgress, Outcome, Progress, Sense, Status, Stop

__all__ = [
    "EngineError",
    "InputError",
    "Limits",
    "OnProgress",
    "Outcome",
    "Progress",
    "Sense",
    "Status",
    "Stop",
    "TwinproofError",
]
