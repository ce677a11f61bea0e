"""Cells of a grid: how they are counted, named and joined."""

from collections.abc import Mapping
from typing import TypeAlias

Cell: TypeAlias = tuple[int, int]
"""Row and column, from 0 in code and from 1 wherever people read or write them."""

Permutation: TypeAlias = Mapping[Cell, Cell]

MAX_TILES = 100_000
MAX_CHARACTERS = 4_000_000


def neighbours4(cell: Cell) -> tuple[Cell, ...]:
    """Give the four cells that share an edge with a cell."""
    r, c = cell
    return (r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c)


def neighbours8(cell: Cell) -> tuple[Cell, ...]:
    """Give the eight cells that share an edge or a corner with a cell."""
    r, c = cell
    return tuple((r + dr, c + dc) for dr in (-1, 0, 1) for dc in (-1, 0, 1) if dr or dc)


def show(cell: Cell) -> str:
    """Name a cell for a person: row and column from 1."""
    return f"row {cell[0] + 1}, column {cell[1] + 1}"


def _rotate90(r: int, c: int, height: int, width: int) -> Cell:
    return c, height - 1 - r


def _rotate180(r: int, c: int, height: int, width: int) -> Cell:
    return height - 1 - r, width - 1 - c


def _rotate270(r: int, c: int, height: int, width: int) -> Cell:
    return width - 1 - c, r


def _mirror_left_right(r: int, c: int, height: int, width: int) -> Cell:
    return r, width - 1 - c


def _mirror_up_down(r: int, c: int, height: int, width: int) -> Cell:
    return height - 1 - r, c


def _transpose(r: int, c: int, height: int, width: int) -> Cell:
    return c, r


def _antitranspose(r: int, c: int, height: int, width: int) -> Cell:
    return width - 1 - c, height - 1 - r


SQUARE_SYMMETRIES = {
    "left-right": _mirror_left_right,
    "up-down": _mirror_up_down,
    "half-turn": _rotate180,
    "quarter-turn": _rotate90,
    "three-quarter-turn": _rotate270,
    "diagonal": _transpose,
    "antidiagonal": _antitranspose,
}
"""The symmetries of the square other than the identity, on rows and columns of a rectangle."""
