"""Light Up boards as plain text and on paper."""

import re
from collections.abc import Sequence

from twinproof.models.generation.generated import Generated, titled
from twinproof.models.lightup.instance import BULB, FLOOR, WALL, LightUpPuzzle
from twinproof.models.lightup.rules import lit_by
from twinproof.models.sheet import Sheet
from twinproof.models.text.drawings import has_sentence, read_drawn, spread_cells
from twinproof.models.text.grids import looks_like_lists
from twinproof.optim import InputError

MARKS = "*-|+.#01234xXW []()"
"""What lines of a board may have, drawn here or written elsewhere."""

_TO_FLOOR = str.maketrans(dict.fromkeys(BULB + "-|+x", FLOOR))
_WITHOUT_BEAMS = str.maketrans(dict.fromkeys("-|+x", FLOOR))
_X_EXPLAINED = re.compile("   x [a-z]{2}")


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


def looks_drawn(text: str) -> bool:
    """Whether a text has a bulb or a sentence, as no other text of a puzzle has."""
    return not looks_like_lists(text) and (BULB in text or has_sentence(text, MARKS))


def read_drawing(text: str, name: str) -> LightUpPuzzle:
    """Read the board of a drawing, whatever bulbs it has.

    Parameters
    ----------
    text : str
        What a command prints: a layout or what a hint knows.
    name : str
        What to call the text in messages.

    Raises
    ------
    InputError
        If there is no drawing in it, or there are several boards, or `x` may be a wall.
    """

    def board(lines: list[str], where: str) -> LightUpPuzzle:
        rows = spread_cells(lines, where)
        if (
            any("x" in row for row in rows)
            and not any(WALL in row for row in rows)
            and not _X_EXPLAINED.search(text)
        ):
            raise InputError(
                f"{where}: 'x': floor that is known to be without a bulb, or a wall? Write '{FLOOR}' or '{WALL}'"
            )
        found = LightUpPuzzle(tuple(row.translate(_TO_FLOOR) for row in rows), name)
        layout = [row.translate(_WITHOUT_BEAMS) for row in rows]
        bare = [row.replace("x", FLOOR) for row in rows]
        beams = [row.replace(" ", "") for row in draw(found, layout)]
        # A beam may not be there at all, on a narrow terminal; but where it is, its bulb is there too.
        if bare != layout and any(
            mark not in (drawn, "x")
            for row, full in zip(rows, beams, strict=True)
            for mark, drawn in zip(row, full, strict=True)
        ):
            raise InputError(f"{where}: its beams ('-', '|', '+') are not those of its bulbs")
        return found

    return read_drawn(text, name, MARKS, board)


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
