"""What is known of a Light Up puzzle at some time. Cells are the bits of a number, row by row."""

from dataclasses import dataclass, replace
from typing import Self

from twinproof.models.deduction.position import Board, Known, Position, Unit, bits
from twinproof.models.grid import show
from twinproof.models.lightup.instance import LightUpPuzzle
from twinproof.models.words import count_of


class LightBoard(Board):
    """The floor as bits, the walls with numbers, and what a bulb lights.

    Parameters
    ----------
    instance : LightUpPuzzle
    """

    def __init__(self, instance: LightUpPuzzle) -> None:
        super().__init__(instance.floor, instance.width)
        # The floor beside every wall with a number.
        self.walls = tuple(
            Unit(f"the {clue} in {show(cell)}", self.mask(instance.beside[cell]), clue)
            for cell, clue in instance.clues.items()
        )
        # For every floor cell, as a mask, the cells that a bulb there lights, its own among them.
        self.light = dict.fromkeys((1 << bit for bit in bits(self.all)), 0)
        for run in (*instance.row_runs, *instance.column_runs):
            lit = self.mask(run)
            for bit in bits(lit):
                self.light[1 << bit] |= lit

        self._walls_at: dict[int, list[Unit]] = {}
        for wall in self.walls:
            for bit in bits(wall.mask):
                self._walls_at.setdefault(bit, []).append(wall)

    def walls_at(self, mask: int) -> list[Unit]:
        """Give the walls beside some cells."""
        found = {wall: None for bit in bits(mask) for wall in self._walls_at.get(bit, ())}
        return list(found)

    def lit_by(self, bulbs: int) -> int:
        """Give the cells that bulbs light, their own among them."""
        lit = 0
        for bit in bits(bulbs):
            lit |= self.light[1 << bit]
        return lit


@dataclass(frozen=True)
class LightPosition(Position[LightBoard]):
    """What is known at some time.

    Parameters
    ----------
    board : LightBoard
    marked : int
        The cells with a bulb.
    open : int
        The cells of which nothing is known, lit or not; all others have no bulb.
    lit : int
        The cells that the bulbs light.
    """

    lit: int = 0

    @property
    def dark(self) -> int:
        """The cells that no bulb lights yet."""
        return self.board.all & ~self.lit

    @property
    def solved(self) -> bool:
        """Whether the bulbs are a solution."""
        if self.dark or any(self.missing(wall) for wall in self.board.walls):
            return False
        return self.in_sight(self.marked) is None

    def in_sight(self, bulbs: int) -> tuple[int, int] | None:
        """Give one of some bulbs and another bulb that light each other, if there are any."""
        for bit in bits(bulbs):
            others = self.marked & self.board.light[1 << bit] & ~(1 << bit)
            if others:
                return bit, (others & -others).bit_length() - 1
        return None

    def learn(self, marked: int, empty: int) -> Self:
        """Give the position with more bulbs and more cells without.

        Parameters
        ----------
        marked : int
            The cells with a bulb, as bits.
        empty : int
            The cells without, as bits.

        Returns
        -------
        LightPosition
            With the cells that the new bulbs light.
        """
        lit = self.lit | self.board.lit_by(marked)
        return replace(self, marked=self.marked | marked, open=self.open & ~(marked | empty), lit=lit)

    def clash(self, changed: int | None = None) -> str | None:
        """Say what can no longer be met: bulbs in sight, a number with too many or too few, a cell left dark."""
        board = self.board
        seeing = self.in_sight(self.marked if changed is None else self.marked & changed)
        if seeing is not None:
            one, other = (show(self.cells(1 << bit)[0]) for bit in seeing)
            return f"the bulbs in {one} and {other} light each other"
        for wall in board.walls if changed is None else board.walls_at(changed):
            missing, room = self.missing(wall), (self.open & wall.mask).bit_count()
            if missing < 0:
                return f"{wall.name} has {count_of(wall.count - missing, 'bulb')} beside it"
            if missing > room:
                return f"{wall.name} lacks {count_of(missing, 'bulb')} and has room for {room or 'none'}"
        for bit in bits(self.dark & ~self.open & (board.all if changed is None else board.lit_by(changed))):
            if not self.open & board.light[1 << bit]:
                return f"no bulb can light {show(self.cells(1 << bit)[0])}"
        return None

    def at_a_glance(self, changed: int | None = None) -> Self:
        """Give the position when all rules of grade 1 have been followed; the same as one by one, but fast."""
        board, bulbs, free, lit = self.board, self.marked, self.open, self.lit
        pending = board.all if changed is None else changed
        while True:
            pending |= free & lit
            free &= ~lit
            if not pending:
                return replace(self, marked=bulbs, open=free, lit=lit)
            now, pending, new = pending, 0, 0
            whole = now == board.all
            for wall in board.walls if whole else board.walls_at(now):
                rest = free & wall.mask
                missing = wall.count - (bulbs & wall.mask).bit_count()
                if rest and missing <= 0:
                    free ^= rest
                    pending |= rest
                elif missing == rest.bit_count():
                    new |= rest
            for bit in bits((board.all if whole else board.lit_by(now)) & ~lit):
                able = free & board.light[1 << bit]
                if able & (able - 1) == 0:
                    new |= able
            new &= free
            bulbs, free, lit, pending = bulbs | new, free ^ new, lit | board.lit_by(new), pending | new


def start(instance: LightUpPuzzle, known: Known) -> LightPosition:
    """Give the position in which something is known; whatever is said of a wall is ignored.

    Parameters
    ----------
    instance : LightUpPuzzle
        The instance.
    known : mapping
        Whether a cell has a bulb, for every cell of which that is known.

    Returns
    -------
    LightPosition
        Nothing is concluded from it yet.
    """
    board = LightBoard(instance)
    return LightPosition(board, 0, board.all).knowing(known)
