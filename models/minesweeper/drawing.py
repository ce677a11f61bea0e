"""Boards for the eye: one mark a cell, with a space between."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from twinproof.models.minesweeper.instance import FLAG, MINE, OUTSIDE, MinesweeperPuzzle

if TYPE_CHECKING:  # drawing loads no solver
    from twinproof.models.minesweeper.deduce import Deduction

__all__ = ["DEDUCTION_LEGEND", "draw", "draw_deduction"]

PROVED_SAFE = "s"
DEDUCTION_LEGEND = {MINE: "mine", PROVED_SAFE: "safe", ".": "open", FLAG: "flag, open or trusted"}


def draw(puzzle: MinesweeperPuzzle, layout: Sequence[str] | None = None) -> list[str]:
    """Draw a layout over a board, or the board alone.

    Parameters
    ----------
    puzzle : MinesweeperPuzzle
    layout : sequence of str, optional
        Its rows.

    Returns
    -------
    list of str
        Numbers, `*` a mine, `.` none (hidden, if there is no layout), `?` open without a number; cells that are
        no part of the board are blank.
    """
    return [_spaced(row) for row in (puzzle.board if layout is None else layout)]


def draw_deduction(puzzle: MinesweeperPuzzle, deduction: "Deduction") -> list[str]:
    """Draw what a board proves: `*` a mine, `s` safe; what is open stays as it is, `.` or `F`."""
    drawn = [list(row) for row in puzzle.board]
    for r, c in deduction.mines:
        drawn[r][c] = MINE
    for r, c in deduction.safe:
        drawn[r][c] = PROVED_SAFE
    return [_spaced("".join(row)) for row in drawn]


def _spaced(row: str) -> str:
    return " ".join(row.replace(OUTSIDE, " ")).rstrip()
