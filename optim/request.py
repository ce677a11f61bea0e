"""What an engine is asked: a way to build a model, perhaps a threshold, limits, and options."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field, fields, replace
from typing import Any, Generic, TypeVar

from twinproof.optim.errors import InputError
from twinproof.optim.limits import Limits
from twinproof.optim.outcome import Sense
from twinproof.optim.process.checkpoint import Checkpoint

ModelT = TypeVar("ModelT")


@dataclass(frozen=True)
class Threshold:
    """Makes a yes/no question of an objective: whether a layout has a value of at least, or at most, a number.

    Parameters
    ----------
    at_least, at_most : int, optional
        One of them, or both.

    Raises
    ------
    InputError
        If neither is given.
    """

    at_least: int | None = None
    at_most: int | None = None

    def __post_init__(self) -> None:
        if self.at_least is None and self.at_most is None:
            raise InputError("threshold: at least or at most must be given")

    @classmethod
    def of(cls, at_least: int | None, at_most: int | None) -> "Threshold | None":
        """Give the threshold of two numbers; None if neither is given.

        Parameters
        ----------
        at_least : int or None
            The least value that is good enough.
        at_most : int or None
            The greatest value that is good enough.

        Returns
        -------
        Threshold or None
            None if neither is given: then an optimum is asked for.
        """
        return None if at_least is None and at_most is None else cls(at_least, at_most)

    def asks_for_worse(self, sense: Sense) -> bool:
        """Whether layouts better than the threshold do not answer the question."""
        return (self.at_most if sense is Sense.MAXIMIZE else self.at_least) is not None


@dataclass(frozen=True)
class EngineOptions:
    """What only some engines can do; each row of `optim.engine.TABLE` says which of these it supports.

    Parameters
    ----------
    subsolvers : tuple of str, optional
        CP-SAT's subsolvers instead of the model's own choice; `("default",)` means CP-SAT's portfolio.
    warm_start : layout, optional
        Where to start the search.
    bound : int, optional
        A bound on the objective that is known from elsewhere, taken on trust and first in the trace.
    counting : bool
        Whether to count the optimal layouts too.
    checkpoint : Checkpoint, optional
        Where an unfinished search is kept, and whether to go on from there.
    evidence : bool
        Whether to give what a verifier needs to repeat the proof.
    """

    subsolvers: tuple[str, ...] | None = None
    warm_start: Any = None
    bound: int | None = None
    counting: bool = False
    checkpoint: Checkpoint | None = None
    evidence: bool = False

    def given(self) -> tuple[str, ...]:
        """Name the options that are not as they are by default."""
        return tuple(option.name for option in fields(self) if getattr(self, option.name) != option.default)

    def only(self, names: Collection[str]) -> "EngineOptions":
        """Keep the options of these names, and leave the others as they are by default."""
        others: dict[str, Any] = {
            option.name: option.default for option in fields(self) if option.name not in names
        }
        return replace(self, **others)


@dataclass(frozen=True)
class Request(Generic[ModelT]):
    """What the search of an engine is given, in its own process.

    Parameters
    ----------
    build : callable
        Gives the model.
    threshold : Threshold, optional
        Without one, the model's objective is optimised, if it has any.
    limits : Limits
        Workers and seed are the search's own affair; time and memory are watched from outside.
    options : EngineOptions
        Those that the engine supports.
    """

    build: Callable[[], ModelT]
    threshold: Threshold | None = None
    limits: Limits = field(default_factory=Limits)
    options: EngineOptions = field(default_factory=EngineOptions)
