"""Orders in which the cells of a band are swept: straight across it, and round it on and on."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from twinproof.models.field.cover import CoverPart
from twinproof.models.field.sweeps import Sweep, goes_round
from twinproof.models.grid import Cell, neighbours4


def part_sweeps(part: CoverPart) -> Iterator[Sweep]:
    """Give sweeps of a part: row by row, column by column, and round it where it goes round something.

    Parameters
    ----------
    part : CoverPart
        Connected.
    """
    cells = sorted(part.cells)
    alike = {cell: (cell,) for cell in cells}
    for lines in (cells, sorted(cells, key=lambda cell: (cell[1], cell[0]))):
        yield Sweep(tuple(lines), len(lines), 1, False, part.near.__getitem__, alike)
    for line in _lines_across(cells, part.cover.radius):
        ring = Sweep(tuple(_round_order(cells, line)), len(cells), 1, True, part.near.__getitem__, alike)
        if goes_round(ring):
            yield ring


@dataclass(frozen=True)
class _Line:
    """A line across a band, at which a sweep begins.

    Parameters
    ----------
    first : tuple of Cell
        The cells behind it, in a row or in a column.
    axis : int
        0 if the line lies before a row, 1 if it lies before a column.
    radius : int
        How far cells touch.
    """

    first: tuple[Cell, ...]
    axis: int
    radius: int

    def side(self, cell: Cell) -> int:
        """Tell on which side of the line a cell lies: -1 before it, 1 behind it, 0 if it is far from it."""
        distance = cell[self.axis] - self.first[0][self.axis]
        low, high = self.first[0][1 - self.axis], self.first[-1][1 - self.axis]
        is_beside = low - self.radius <= cell[1 - self.axis] <= high + self.radius
        if not is_beside or not -self.radius <= distance < self.radius:
            return 0
        return -1 if distance < 0 else 1


def _lines_across(cells: Sequence[Cell], radius: int) -> Iterator[_Line]:
    """Give lines across a band at the middle of its rows and of its columns."""
    for axis in (0, 1):
        numbers = sorted({cell[axis] for cell in cells})
        middle = numbers[len(numbers) // 2]
        run: list[Cell] = []
        for cell in sorted((cell for cell in cells if cell[axis] == middle), key=lambda cell: cell[1 - axis]):
            if run and cell[1 - axis] != run[-1][1 - axis] + 1:
                yield _Line(tuple(run), axis, radius)
                run = []
            run.append(cell)
        yield _Line(tuple(run), axis, radius)


def _round_order(cells: Sequence[Cell], line: _Line) -> list[Cell]:
    """Order cells round a band, from a line on, so that the frontier always lies straight across it.

    The key is the potential of a steady current that flows once round the band. Its level lines run from border to
    border by a short way, at corners and bulges too.
    """
    number = {cell: i for i, cell in enumerate(cells)}
    side = {cell: line.side(cell) for cell in cells}
    pairs = [(cell, other) for cell in cells for other in neighbours4(cell) if other in number]
    # One turn more or less on the way over the line.
    turns = [(side[other] - side[cell]) / 2 if side[cell] * side[other] < 0 else 0.0 for cell, other in pairs]
    potential = _potential(
        np.array([number[cell] for cell, _ in pairs], dtype=np.int64),
        np.array([number[other] for _, other in pairs], dtype=np.int64),
        np.array(turns),
        len(cells),
    )
    potential -= min(potential[number[cell]] for cell in line.first)
    # Rounded, so that cells of one level are ordered by where they lie.
    return sorted(cells, key=lambda cell: (round(float(potential[number[cell]]), 6), cell))


def _potential(
    here: npt.NDArray[np.int64], there: npt.NDArray[np.int64], turns: npt.NDArray[np.float64], size: int
) -> npt.NDArray[np.float64]:
    """Let every value be the mean of its neighbours' and their turns; by preconditioned conjugate gradients."""
    degree = np.maximum(np.bincount(here, minlength=size), 1).astype(float)
    values = np.zeros(size)
    residual = np.bincount(here, weights=turns, minlength=size)
    direction = residual / degree
    energy = float(residual @ direction)
    for _ in range(4 * size):
        if np.abs(residual).max(initial=0) < PRECISION:
            break
        pull = degree * direction - np.bincount(here, weights=direction[there], minlength=size)
        step = energy / float(direction @ pull)
        values += step * direction
        residual -= step * pull
        scaled = residual / degree
        before, energy = energy, float(residual @ scaled)
        direction = scaled + energy / before * direction
    return values


PRECISION = 1e-9
"""What a value may differ from the mean."""
