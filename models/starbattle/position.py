"""What is known of a Star Battle puzzle at some time, and how many stars fit where.

Cells are the bits of a number, row by row, with one spare bit behind every row, so that a shift never leads from
the end of one row to the beginning of the next.
"""

from dataclasses import dataclass, replace
from typing import Self

from twinproof.models.deduction.position import Board, Known, Position, Unit, bits
from twinproof.models.grid import show
from twinproof.models.starbattle.instance import StarBattlePuzzle
from twinproof.models.words import count_of


class StarBoard(Board):
    """The cells of a puzzle as bits, its units, and what has been found out about sets of cells.

    Parameters
    ----------
    instance : StarBattlePuzzle
    """

    def __init__(self, instance: StarBattlePuzzle) -> None:
        super().__init__(instance.cells, instance.width + 1)
        stars = instance.stars
        self.rows = tuple(
            Unit(f"row {r + 1}", self.mask(cell for cell in instance.cells if cell[0] == r), stars)
            for r in range(instance.height)
        )
        self.columns = tuple(
            Unit(f"column {c + 1}", self.mask(cell for cell in instance.cells if cell[1] == c), stars)
            for c in range(instance.width)
        )
        self.regions = tuple(
            Unit(f"region {label}", self.mask(cells), stars)
            for label, cells in zip(instance.region_labels, instance.region_cells, strict=True)
        )
        self.units = (*self.rows, *self.columns, *self.regions)
        # For every cell, as a mask, the cells that a star there makes unfit, its own among them.
        self.around = {1 << bit: self.near(1 << bit) for bit in bits(self.all)}
        self._units_of: dict[int, tuple[Unit, ...]] = {}
        self._most: dict[int, int] = {}
        self._crowding: dict[tuple[int, int], int] = {}
        self._needed: dict[tuple[int, int], int] = {}

    def units_of(self, cell: int) -> tuple[Unit, ...]:
        """Give the units of a cell, which is one bit: its row, its column and its region if it has one."""
        if cell not in self._units_of:
            self._units_of[cell] = tuple(unit for unit in self.units if unit.mask & cell)
        return self._units_of[cell]

    def near(self, mask: int) -> int:
        """Give the cells of a mask and all that touch one of them."""
        beside = mask | mask << 1 | mask >> 1
        return (beside | beside << self.stride | beside >> self.stride) & self.all

    def most(self, mask: int) -> int:
        """Count the stars that fit on some cells without touching."""
        known = self._most.get(mask)
        if known is None:
            columns = sum(1 for column in self.columns if column.mask & mask)
            rows = sum(1 for row in self.rows if row.mask & mask)
            known = self._most[mask] = self._count(mask, across=rows < columns)
        return known

    def _count(self, mask: int, across: bool) -> int:
        """Count them column by column, or row by row: along the longer side there is less to remember."""
        count, stride, column = 0, self.stride, 0
        while mask:
            if across:  # the uppermost cell of the leftmost column
                while not (there := mask & self.columns[column].mask):
                    column += 1
                star = there & -there
            else:
                star = mask & -mask
            # If the cells beside it all touch one another, no more than one star is there: it may be on this cell.
            one, others = (star >> (stride - 1), star << stride) if across else (star << (stride - 1), star << 1)
            if mask & one and mask & (others | star << (stride + 1)):
                known = self._most.get(mask)
                if known is None:
                    with_it = 1 + self._count(mask & ~self.around[star], across)
                    known = self._most[mask] = max(with_it, self._count(mask ^ star, across))
                return count + known
            count += 1
            mask &= ~self.around[star]
        return count

    def has_room(self, mask: int, stars: int) -> bool:
        """Whether a number of stars fits on some cells without touching.

        Parameters
        ----------
        mask : int
            The cells, as bits.
        stars : int
            How many there are to be.

        Returns
        -------
        bool
            Rows, columns and regions do not matter.
        """
        if stars <= 1:
            return stars <= 0 or mask != 0
        return mask.bit_count() >= stars and (self._at_least(mask, stars) or self.most(mask) >= stars)

    def _at_least(self, mask: int, stars: int) -> bool:
        """Whether stars fit when each is put on the first cell left; if not, they may fit all the same."""
        if stars <= 1:
            return stars <= 0 or mask != 0
        cells = mask.bit_count()
        if cells < stars:
            return False
        around = self.around
        # Of the cells left, a star on the first takes that, the one to its right and three in the next row.
        while cells <= 5 * (stars - 1):
            mask &= ~around[mask & -mask]
            stars -= 1
            cells = mask.bit_count()
            if cells < stars:
                return False
            if stars <= 1:
                return True
        return True

    def crowding(self, area: int, least: int) -> int:
        """Give the cells where a star would leave an area without room for its stars.

        Parameters
        ----------
        area : int
        least : int
            How many stars are in it at least.

        Returns
        -------
        int
            None of the cells if the stars do not fit anyway.
        """
        key = (area, least)
        found = self._crowding.get(key)
        if found is None:
            found = 0
            # The cells that touch one cell hold four stars at most.
            if least > 0 and not self._at_least(area, least + 4) and 0 <= (spare := self.most(area) - least) < 4:
                for bit in bits(self.near(area)):
                    star = 1 << bit
                    gone = area & self.around[star]
                    # So many cells must go that the spare room is used up, and one more, also that of the star.
                    if gone.bit_count() > spare and not self.has_room(area ^ gone, least - (area >> bit & 1)):
                        found |= star
            self._crowding[key] = found
        return found

    def needed(self, area: int, least: int) -> int:
        """Give the cells of an area without which it has no room for its stars; see `crowding`.

        Parameters
        ----------
        area : int
            The cells, as bits.
        least : int
            How many stars the area lacks.

        Returns
        -------
        int
            Those without which fewer stars than that fit, as bits; remembered.
        """
        key = (area, least)
        found = self._needed.get(key)
        if found is None:
            found = 0
            if least > 0 and not self._at_least(area, least + 1) and self.most(area) == least:
                for bit in bits(area):
                    if not self.has_room(area ^ 1 << bit, least):
                        found |= 1 << bit
            self._needed[key] = found
        return found


@dataclass(frozen=True)
class StarPosition(Position[StarBoard]):
    """What is known at some time; the cells that are marked hold stars."""

    @property
    def solved(self) -> bool:
        """Whether the stars are a solution."""
        return all(self.missing(unit) == 0 for unit in self.board.units) and not self.touching

    @property
    def touching(self) -> int:
        """The stars that touch another."""
        stars, stride = self.marked, self.board.stride
        found = 0
        for step in (1, stride - 1, stride, stride + 1):
            pairs = stars & stars >> step
            found |= pairs | pairs << step
        return found

    def clash(self, changed: int | None = None) -> str | None:
        """Say what can no longer be met: stars that touch, a unit with too many stars or without room."""
        board = self.board
        touching = self.touching
        if touching:
            pair = board.cells(touching & board.around[touching & -touching])
            return f"the stars in {show(pair[0])} and {show(pair[1])} touch"
        for unit in board.units:
            if changed is not None and not changed & unit.mask:
                continue
            missing = self.missing(unit)
            if missing < 0:
                return (
                    f"{unit.name} has {count_of(unit.count - missing, 'star')}, and {unit.count} is all it holds"
                )
            if missing > 0 and not board.has_room(self.open & unit.mask, missing):
                room = board.most(self.open & unit.mask)
                return f"{unit.name} lacks {count_of(missing, 'star')} and has room for {room or 'none'}"
        return None

    def at_a_glance(self, changed: int | None = None) -> Self:
        """Give the position when all rules of grade 1 have been followed; the same as one by one, but fast."""
        board, stars = self.board, self.marked
        gone = board.near(stars if changed is None else stars & changed) & self.open
        free = self.open ^ gone
        pending = gone | (board.all if changed is None else changed)
        while pending:
            now, pending = pending, 0
            for unit in board.units:
                rest = free & unit.mask
                if not rest or not now & unit.mask:
                    continue
                missing = unit.count - (stars & unit.mask).bit_count()
                if missing == 0:
                    gone = rest
                elif missing == rest.bit_count():
                    stars |= rest
                    gone = board.near(rest) & free
                else:
                    continue
                free ^= gone
                pending |= gone
        return replace(self, marked=stars, open=free)


def start(instance: StarBattlePuzzle, known: Known) -> StarPosition:
    """Give the position in which something is known; whatever is said of a hole is ignored.

    Parameters
    ----------
    instance : StarBattlePuzzle
        The instance.
    known : mapping
        Whether a cell has a star, for every cell of which that is known.

    Returns
    -------
    StarPosition
        Nothing is concluded from it yet.
    """
    board = StarBoard(instance)
    return StarPosition(board, 0, board.all).knowing(known)
