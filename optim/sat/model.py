"""The clauses of a puzzle and the literals that its objective counts, without a question."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from twinproof.optim.outcome import Sense
from twinproof.optim.sat.encodings import Clause

LayoutT = TypeVar("LayoutT")


@dataclass(frozen=True)
class ClauseModel(Generic[LayoutT]):
    """Clauses, and the literals that are counted; the engine adds what is asked.

    Parameters
    ----------
    clauses : list of list of int
    top : int
        The highest variable.
    counted : tuple of int
        The value of a layout is how many of these literals are true. A literal may stand here more than once.
    sense : Sense or None
        Which way the value is better; None where nothing is counted and any layout is an answer.
    read : callable
        Turns the truth values (0 or 1) of variables 0 to `top` into a layout; variable 0 is unused.
    cells : mapping
        For each cell the variable that is true exactly if the cell holds what the puzzle places.
    leaves_out : str
        Which layouts the model may leave out where another is as good, in words; empty if it leaves out none.
    """

    clauses: list[Clause]
    top: int
    counted: tuple[int, ...]
    sense: Sense | None
    read: Callable[[Sequence[int]], LayoutT]
    cells: Mapping[Any, int] = field(default_factory=dict)
    leaves_out: str = field(default="", kw_only=True)
