"""What is known of a puzzle at some time; cells are the bits of a number, row by row."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Generic, Self, TypeAlias, TypeVar

from twinproof.models.grid import Cell

Known: TypeAlias = Mapping[Cell, bool]
"""For every cell of which something is known, whether it holds a star, bulb or mine."""


@dataclass(frozen=True)
class Unit:
    """Cells that hold a number of stars, bulbs or mines.

    Parameters
    ----------
    name : str
        What says so, such as a row or a clue.
    mask : int
        The cells.
    count : int
        How many of them hold one.
    """

    name: str
    mask: int
    count: int


class Board:
    """The cells of a puzzle as bits.

    Parameters
    ----------
    cells : iterable of Cell
        Those of which something can be known.
    stride : int
        How many bits a row takes: the number of columns at least.
    """

    def __init__(self, cells: Iterable[Cell], stride: int) -> None:
        self.stride = stride
        self.playable = frozenset(cells)
        self.all = self.mask(self.playable)

    def mask(self, cells: Iterable[Cell]) -> int:
        """Give the bits of cells."""
        return sum(1 << (r * self.stride + c) for r, c in cells)

    def cells(self, mask: int) -> tuple[Cell, ...]:
        """Give the cells of bits, row by row."""
        return tuple(divmod(bit, self.stride) for bit in bits(mask))


BoardT = TypeVar("BoardT", bound=Board)


@dataclass(frozen=True)
class Position(ABC, Generic[BoardT]):
    """What is known at some time.

    Parameters
    ----------
    board : Board
    marked : int
        The cells that hold a star, bulb or mine.
    open : int
        The cells of which nothing is known; all others hold none.
    solution : int, optional
        The cells that hold one in some solution with all that is known. No conclusion is drawn from it: it tells
        which suppositions cannot be refuted, so that they need not be followed.
    """

    board: BoardT
    marked: int
    open: int
    solution: int | None = field(default=None, compare=False)

    @property
    @abstractmethod
    def solved(self) -> bool:
        """Whether nothing is left to find."""

    @abstractmethod
    def clash(self, changed: int | None = None) -> str | None:
        """Say what can no longer be met, as far as it is seen at a glance; None if there is nothing.

        Parameters
        ----------
        changed : int, optional
            The cells that are known since there was no clash; by default everything is looked at.
        """

    def at_a_glance(self, changed: int | None = None) -> Self:
        """Give the position when all rules of grade 1 have been followed; the same as one by one, but fast.

        A puzzle that leaves this out follows none; its what-ifs then name these rules among those to follow.

        Parameters
        ----------
        changed : int, optional
            The cells that are known since these rules were followed; by default everything is looked at.
        """
        return self

    def learn(self, marked: int, empty: int) -> Self:
        """Give the position in which more cells hold one, and more hold none.

        Parameters
        ----------
        marked : int
            The cells that hold one, as bits.
        empty : int
            The cells that hold none, as bits.

        Returns
        -------
        Position
            The same puzzle, with more known.
        """
        return replace(self, marked=self.marked | marked, open=self.open & ~(marked | empty))

    def knowing(self, known: Known) -> Self:
        """Give the position in which more is known; what is said of no cell of the board is ignored."""
        playable = [cell for cell in known if cell in self.board.playable]
        marked = self.board.mask(cell for cell in playable if known[cell])
        return self.learn(marked, self.board.mask(playable) ^ marked)

    def missing(self, unit: Unit) -> int:
        """Count what a unit still lacks."""
        return unit.count - (self.marked & unit.mask).bit_count()

    def cells(self, mask: int) -> tuple[Cell, ...]:
        """Give the cells of bits, row by row."""
        return self.board.cells(mask)


def bits(mask: int) -> Iterator[int]:
    """Yield the numbers of a mask's bits, the lowest first."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest
