"""The rules of Minesweeper, checked the plainest way. Shares nothing with the models."""

from collections.abc import Sequence

from twinproof.models.minesweeper.instance import MinesweeperPuzzle
from twinproof.models.violation import Violation
from twinproof.models.words import count_of


def violations(puzzle: MinesweeperPuzzle, layout: Sequence[str]) -> list[Violation]:
    """List every broken rule: one violation a clue, one a flag, one for the number of mines.

    Parameters
    ----------
    puzzle : MinesweeperPuzzle
    layout : sequence of str
        Its rows; `*` is a mine, `.` none, and what is open stands as on the board.
    """
    found = []
    mines = {(r, c) for r, row in enumerate(layout) for c, mark in enumerate(row) if mark == "*"}
    for r, row in enumerate(puzzle.board):
        for c, mark in enumerate(row):
            if mark in "012345678":
                beside = sum((r + dr, c + dc) in mines for dr in (-1, 0, 1) for dc in (-1, 0, 1))
                if beside != int(mark):
                    message = f"there must be {count_of(int(mark), 'mine')} round it, not {beside}"
                    found.append(Violation("clue", ((r, c),), message))
            elif mark == "F" and puzzle.trust_flags and (r, c) not in mines:
                found.append(Violation("flag", ((r, c),), "a trusted flag must stand on a mine"))
    if puzzle.mines is not None and len(mines) != puzzle.mines:
        message = f"there must be {count_of(puzzle.mines, 'mine')} in all, not {len(mines)}"
        found.append(Violation("total", (), message))
    return found


def value(puzzle: MinesweeperPuzzle, objective: str, layout: Sequence[str]) -> int | None:
    """Give the value of a layout: mines, broken rules or cells unlike `apart_from`; None for `solution`.

    Parameters
    ----------
    puzzle : MinesweeperPuzzle
        The instance.
    objective : str
        One of the puzzle's objectives.
    layout : sequence of str
        Its rows.

    Returns
    -------
    int or None
        The number that the objective counts.
    """
    if objective in ("fewest-mines", "most-mines"):
        return sum(row.count("*") for row in layout)
    if objective == "fewest-broken":
        return len(violations(puzzle, layout))
    if objective == "farthest":
        assert puzzle.apart_from is not None
        pairs = zip("".join(layout), "".join(puzzle.apart_from), strict=True)
        return sum(mark != other for mark, other in pairs)
    assert objective == "solution"
    return None
