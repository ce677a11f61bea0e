"""Light Up boards as plain text and on paper."""

from collections.abc import Sequence

from twinproof.models.generation.generated import Generated, titled
from twinproof.models.lightup.instance import BULB, FLOOR, LightUpPuzzle
from twinproof.models.lightup.rules import lit_by
from twinproof.models.sheet import Sheet


def draw(puzzle: LightUpPuzzle, layout: Sequence[str] | None = None) -> list[str]:
    """Draw the board, with the bulbs of a layout and the beams of their light.

    Parameters
    ----------
    puzzle : LightUpPuzzle
    layout : sequence of str, optional
        The rows of the grid, with `*` where a bulb stands; without it all floor is dark.

    Returns
    -------
    list of str
        One line a row, its cells apart by blanks: `-`, `|` and `+` are lit along the row, the column or both.
    """
    rows = puzzle.rows if layout is None else layout
    board = [list(row) for row in rows]
    bulbs = [cell for cell in puzzle.floor if rows[cell[0]][cell[1]] == BULB]
    for bulb in bulbs:
        for r, c in lit_by(puzzle, bulb):
            if board[r][c] != BULB:
                beam = "-" if r == bulb[0] else "|"
                board[r][c] = beam if board[r][c] in (FLOOR, beam) else "+"
    return [" ".join(row) for row in board]


def sheet(puzzle: LightUpPuzzle, layout: Sequence[str], solved: bool) -> Sheet:
    """Draw a board on paper, with the bulbs of a layout if it is `solved`.

    Parameters
    ----------
    puzzle : LightUpPuzzle
        The instance.
    layout : sequence of str
        Its rows.
    solved : bool
        Whether the bulbs are drawn.

    Returns
    -------
    Sheet
        With the numbers on their walls.
    """
    walls = sorted([*puzzle.walls, *puzzle.clues])
    numbers = {wall: str(clue) for wall, clue in puzzle.clues.items()}
    bulbs = [cell for cell in puzzle.floor if solved and layout[cell[0]][cell[1]] == BULB]
    return Sheet(puzzle.height, puzzle.width, walls=walls, texts=numbers, bold=True, discs=bulbs)


def title(generated: Generated) -> str:
    """Say what a new puzzle is."""
    return titled("Light Up", generated.instance)
