"""What is known of a Minesweeper board at some time. Cells are the bits of a number, row by row."""

from dataclasses import dataclass, replace

from twinproof.models.deduction.position import Board, Known, Position, Unit
from twinproof.models.grid import show
from twinproof.models.minesweeper.instance import FLAG, HIDDEN, OPEN, MinesweeperPuzzle
from twinproof.models.words import count_of


class MineBoard(Board):
    """The cells that can hold a mine as bits, and those round every clue.

    Parameters
    ----------
    instance : MinesweeperPuzzle
    """

    def __init__(self, instance: MinesweeperPuzzle) -> None:
        super().__init__(instance.unknown, instance.width)
        self.instance = instance
        self.clues = tuple(
            Unit(f"the {clue} in {show(cell)}", self.mask(instance.around[cell]), clue)
            for cell, clue in instance.clues.items()
        )


@dataclass(frozen=True)
class MinePosition(Position[MineBoard]):
    """What is known at some time; the cells that are marked hold mines."""

    @property
    def solved(self) -> bool:
        """Whether every hidden cell is known, and the rules hold."""
        return not self.open and self.clash() is None

    def clash(self, changed: int | None = None) -> str | None:
        """Say what can no longer be met: a clue with too many mines or too few, the number of all mines."""
        for clue in self.board.clues:
            missing, room = self.missing(clue), (self.open & clue.mask).bit_count()
            if missing < 0:
                return f"{clue.name} has {count_of(-missing, 'mine')} too many round it"
            if missing > room:
                return f"{clue.name} lacks {count_of(missing, 'mine')} and has {count_of(room, 'cell', 'no')} left"
        mines, marked, room = self.board.instance.mines, self.marked.bit_count(), self.open.bit_count()
        if mines is not None and not 0 <= mines - marked <= room:
            return (
                f"there must be {count_of(mines, 'mine')} in all; marked so far: {marked}, and cells left: {room}"
            )
        return None

    def lacking(self) -> list[tuple[Unit, int, int]]:
        """Give the clues round which something is open: with those cells, and how many mines are on them."""
        return [(clue, rest, self.missing(clue)) for clue in self.board.clues if (rest := self.open & clue.mask)]

    def as_board(self) -> MinesweeperPuzzle:
        """Give the board on which known mines are trusted flags, known safe cells open, and no other flag is.

        Raises
        ------
        InputError
            If these mines are too many.
        """
        instance = self.board.instance
        rows = [list(row) for row in instance.board]
        safe = self.board.all & ~(self.open | self.marked)
        for mark, mask in ((HIDDEN, self.open), (FLAG, self.marked), (OPEN, safe)):
            for r, c in self.cells(mask):
                rows[r][c] = mark
        return replace(instance, board=tuple(map("".join, rows)), trust_flags=True, apart_from=None)


def start(instance: MinesweeperPuzzle, known: Known) -> MinePosition:
    """Give the position in which something is known, and the trusted flags are.

    Parameters
    ----------
    instance : MinesweeperPuzzle
        The board in play.
    known : mapping
        Whether a cell has a mine, for every cell of which that is known.

    Returns
    -------
    MinePosition
        Nothing is concluded from it yet.
    """
    board = MineBoard(instance)
    return MinePosition(board, 0, board.all).knowing({**dict.fromkeys(instance.trusted, True), **known})
