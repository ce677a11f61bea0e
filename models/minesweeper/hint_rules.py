"""The rules by which a person reads a Minesweeper board; each says what it concludes in a position."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

from twinproof.models.grid import Cell, show
from twinproof.models.minesweeper.instance import MinesweeperPuzzle

__all__ = ["Count", "Read", "counts", "pair", "single", "total"]


@dataclass(frozen=True)
class Count:
    """Hidden cells that hold a number of mines.

    Parameters
    ----------
    name : str
        The clue that says so.
    cells : frozenset of Cell
        Those of which nothing is known yet.
    missing : int
        How many mines are on them.
    """

    name: str
    cells: frozenset[Cell]
    missing: int


@dataclass(frozen=True)
class Read:
    """What a rule reads from a board.

    Parameters
    ----------
    mines, safe, seen : frozenset of Cell
    reason : str
        Why, in words.
    """

    mines: frozenset[Cell]
    safe: frozenset[Cell]
    seen: frozenset[Cell]
    reason: str


def counts(puzzle: MinesweeperPuzzle, known: Mapping[Cell, bool]) -> list[Count]:
    """Say for every clue what it still lacks."""
    return [
        Count(
            f"the {clue} in {show(cell)}",
            frozenset(around) - set(known),
            clue - sum(known.get(other, False) for other in around),
        )
        for cell, clue in puzzle.clues.items()
        for around in [puzzle.around[cell]]
    ]


def single(found: Sequence[Count]) -> Iterator[Read]:
    """Read what one clue says: it has all its mines, or only as many cells left as it lacks."""
    none: frozenset[Cell] = frozenset()
    for count in found:
        if count.cells and count.missing == 0:
            yield Read(none, count.cells, count.cells, f"{count.name} has all its mines")
        elif count.cells and count.missing == len(count.cells):
            reason = f"{count.name} lacks {_mines(count.missing)} and has only so many cells left"
            yield Read(count.cells, none, count.cells, reason)


def pair(found: Sequence[Count]) -> Iterator[Read]:
    """Read what two clues say together, of which one lacks many more mines than the other.

    If it lacks as many more as it has cells of its own, which the other has not, these all hold mines; and then
    the other has none on cells of its own.
    """
    open_counts = [count for count in found if count.cells]
    for one, other in permutations(open_counts, 2):
        mine, theirs = one.cells - other.cells, other.cells - one.cells
        if one.cells & other.cells and (mine or theirs) and one.missing - other.missing == len(mine):
            most = f"{other.missing or 'none'} can be on the cells that both have"
            reason = f"{one.name} lacks {_mines(one.missing)}, and by {other.name} {most} at most"
            yield Read(mine, theirs, one.cells | other.cells, reason)


def total(puzzle: MinesweeperPuzzle, known: Mapping[Cell, bool], found: Sequence[Count]) -> Iterator[Read]:
    """Read what the number of all mines leaves over for the cells beyond clues that share none."""
    if puzzle.mines is None:
        return
    left = frozenset(puzzle.unknown) - set(known)
    missing = puzzle.mines - sum(known.values())
    for apart in (False, True):
        cells, mines, names = left, missing, []
        for count in found if apart else ():
            if count.cells and count.cells <= cells:
                cells, mines = cells - count.cells, mines - count.missing
                names.append(count.name)
        if cells and mines in (0, len(cells)):
            beyond = f", without those of {', '.join(names)}" if names else ""
            reason = f"of the {_mines(puzzle.mines)} in all {mines or 'none'} can be on the cells left{beyond}"
            none: frozenset[Cell] = frozenset()
            yield Read(cells if mines else none, none if mines else cells, left, reason)


def _mines(count: int) -> str:
    return "1 mine" if count == 1 else f"{count} mines"
