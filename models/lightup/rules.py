"""The rules of Light Up, checked the plainest way. Shares nothing with the models.

Light is followed here cell by cell from every bulb, so that a wrong run in the instance is caught.
"""

from collections.abc import Sequence

from twinproof.models.grid import Cell
from twinproof.models.lightup.instance import LightUpPuzzle
from twinproof.models.violation import Violation
from twinproof.models.words import count_of

EDGES = ((-1, 0), (1, 0), (0, -1), (0, 1))


def violations(puzzle: LightUpPuzzle, layout: Sequence[str]) -> list[Violation]:
    """List every broken rule with its cells; an empty list means that the layout is valid.

    Parameters
    ----------
    puzzle : LightUpPuzzle
    layout : sequence of str
        The rows of the grid, with `*` where a bulb stands.

    Returns
    -------
    list of Violation
        At most one `bulb on wall` and one `unlit`, with all their cells; one `bulbs in sight` for every two bulbs
        that light each other; one `clue` for every number that is not met.
    """
    grid = {(r, c): mark for r, row in enumerate(puzzle.rows) for c, mark in enumerate(row)}
    bulbs = [(r, c) for r, row in enumerate(layout) for c, mark in enumerate(row) if mark == "*"]
    found = []

    on_wall = tuple(bulb for bulb in bulbs if grid[bulb] != ".")
    if on_wall:
        found.append(Violation("bulb on wall", on_wall, "a wall never holds a bulb"))

    standing = {bulb for bulb in bulbs if grid[bulb] == "."}
    lit = set(standing)
    for bulb in sorted(standing):
        light = lit_by(puzzle, bulb)
        lit |= light
        found += [
            Violation("bulbs in sight", (bulb, other), "no bulb may light another")
            for other in sorted(light & standing)
            if other > bulb
        ]
    dark = tuple(cell for cell, mark in grid.items() if mark == "." and cell not in lit)
    if dark:
        found.append(Violation("unlit", dark, "every floor cell must be lit"))

    for (r, c), mark in grid.items():
        if mark in "01234":
            count = sum((r + dr, c + dc) in standing for dr, dc in EDGES)
            if count != int(mark):
                message = f"there must be {count_of(int(mark), 'bulb')} beside the wall, not {count}"
                found.append(Violation("clue", ((r, c),), message))
    return found


def lit_by(puzzle: LightUpPuzzle, bulb: Cell) -> set[Cell]:
    """Give the other floor cells that a bulb on a floor cell lights, one step after the other.

    Parameters
    ----------
    puzzle : LightUpPuzzle
        The instance.
    bulb : Cell
        Where the bulb stands.

    Returns
    -------
    set of Cell
        Without the bulb's own cell.
    """
    lit = set()
    for dr, dc in EDGES:
        r, c = bulb[0] + dr, bulb[1] + dc
        while 0 <= r < len(puzzle.rows) and 0 <= c < len(puzzle.rows[r]) and puzzle.rows[r][c] == ".":
            lit.add((r, c))
            r, c = r + dr, c + dc
    return lit


def value(puzzle: LightUpPuzzle, objective: str, layout: Sequence[str]) -> int | None:
    """Give the value of a layout: its bulbs, its cells that differ, or its broken clues; None for `solution`.

    Parameters
    ----------
    puzzle : LightUpPuzzle
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
    if objective in ("fewest-bulbs", "most-bulbs"):
        return sum(row.count("*") for row in layout)
    if objective == "farthest":
        assert puzzle.apart_from is not None
        return sum(
            mine != theirs
            for row, other in zip(layout, puzzle.apart_from, strict=True)
            for mine, theirs in zip(row, other, strict=True)
        )
    if objective == "fewest-broken":
        return sum(broken.rule == "clue" for broken in violations(puzzle, layout))
    assert objective == "solution"
    return None
