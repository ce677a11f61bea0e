"""The next step on a Minesweeper board: by a rule of a person, or else by the fewest clues that prove a cell."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from twinproof.models.deduction.hints import HumanRule, Step
from twinproof.models.grid import Cell, neighbours8
from twinproof.models.minesweeper.deduce import deduce
from twinproof.models.minesweeper.explain import Explanation, explain
from twinproof.models.minesweeper.hint_rules import Read, counts, pair, single, total
from twinproof.models.minesweeper.instance import FLAG, HIDDEN, OPEN, MinesweeperPuzzle
from twinproof.optim import InputError

__all__ = ["RULES", "clash", "is_solved", "next_step", "with_known"]

SINGLE = HumanRule(
    "single clue",
    "one clue",
    1,
    "A clue with all its mines has no other round it; a clue with as many cells left as mines has mines on them.",
)
PAIR = HumanRule(
    "pair of clues",
    "two clues together",
    2,
    "If one clue lacks so many more mines than another that all cells of its own must hold one, they do, and the "
    "other clue has none on cells of its own.",
)
TOTAL = HumanRule(
    "total",
    "the number of mines",
    3,
    "What the number of all mines leaves over, alone or without clues that share no cell, is none, or as many as "
    "there are cells left.",
)
PROOF = HumanRule(
    "proof", "the fewest clues", None, "These rules of the board force the cell; that is proved by the engine."
)

RULES: tuple[HumanRule, ...] = (SINGLE, PAIR, TOTAL, PROOF)
"""The rules, in the order in which they are tried; the last is the engine's."""

TRIED = 12
"""How many cells are tried for a short proof."""


def next_step(puzzle: MinesweeperPuzzle, known: Mapping[Cell, bool], seconds: float | None = 2.0) -> Step | None:
    """Give the step that is easiest from a position.

    Parameters
    ----------
    puzzle : MinesweeperPuzzle
    known : mapping
        For every cell of which something is known, whether it holds a mine. What follows is as true as this.
    seconds : float, optional
        After which a proof that may not have the fewest clues is good enough, for each cell tried.

    Returns
    -------
    Step or None
        None if nothing more can be proved, or the position cannot be right.
    """
    known = _with_trusted(puzzle, known)
    if clash(puzzle, known) is not None:
        return None
    found = counts(puzzle, known)
    readings: tuple[tuple[HumanRule, Callable[[], Iterator[Read]]], ...] = (
        (SINGLE, lambda: single(found)),
        (PAIR, lambda: pair(found)),
        (TOTAL, lambda: total(puzzle, known, found)),
    )
    for rule, read in readings:
        for reading in read():
            mines, safe, seen = (tuple(sorted(cells)) for cells in (reading.mines, reading.safe, reading.seen))
            return Step(rule, mines, safe, seen, reading.reason)
    return _proof(puzzle, known, seconds)


def _proof(puzzle: MinesweeperPuzzle, known: Mapping[Cell, bool], seconds: float | None) -> Step | None:
    """Give a cell that the board proves, of a few the one with the fewest reasons."""
    board = with_known(puzzle, known)
    proved = deduce(board)
    if proved is None or not proved.safe | proved.mines:
        return None
    # What is round a clue is proved by fewer clues, and a safe cell is what a player looks for.
    near = {other for clue in puzzle.clues for other in neighbours8(clue)}
    order = sorted(proved.safe | proved.mines, key=lambda cell: (cell not in near, cell in proved.mines, cell))
    proofs = [_explained(puzzle, board, cell, seconds) for cell in order[:TRIED]]
    best = min(proofs, key=lambda proof: len(proof.reasons))
    seen = tuple(sorted({cell for reason in best.reasons for cell in reason.cells}))
    reason = "these force it: " + "; ".join(map(str, best.reasons))
    cells = (best.cell,)
    return Step(PROOF, cells if best.mine else (), () if best.mine else cells, seen, reason)


def _explained(
    puzzle: MinesweeperPuzzle, board: MinesweeperPuzzle, cell: Cell, seconds: float | None
) -> Explanation:
    """Explain a cell by the puzzle alone; if only the position forces it, by both."""
    try:
        return explain(puzzle, cell, seconds)
    except InputError:
        return explain(board, cell, seconds)


def with_known(puzzle: MinesweeperPuzzle, known: Mapping[Cell, bool]) -> MinesweeperPuzzle:
    """Give the board on which known mines are trusted flags, known safe cells open, and no other flag is.

    Raises
    ------
    InputError
        If these mines are too many.
    """
    marks = {True: FLAG, False: OPEN, None: HIDDEN}
    known = _with_trusted(puzzle, known)
    rows = [list(row) for row in puzzle.board]
    for cell in puzzle.unknown:
        rows[cell[0]][cell[1]] = marks[known.get(cell)]
    return replace(puzzle, board=tuple(map("".join, rows)), trust_flags=True, apart_from=None)


def _with_trusted(puzzle: MinesweeperPuzzle, known: Mapping[Cell, bool]) -> dict[Cell, bool]:
    return {**dict.fromkeys(puzzle.trusted, True), **known}


def is_solved(puzzle: MinesweeperPuzzle, known: Mapping[Cell, bool]) -> bool:
    """Whether every hidden cell is known, and the rules hold."""
    known = _with_trusted(puzzle, known)
    return all(cell in known for cell in puzzle.unknown) and clash(puzzle, known) is None


def clash(puzzle: MinesweeperPuzzle, known: Mapping[Cell, bool]) -> str | None:
    """Say what a position cannot meet, as far as it is seen at a glance; None if there is nothing."""
    known = _with_trusted(puzzle, known)
    for count in counts(puzzle, known):
        if count.missing < 0:
            return f"{count.name} has {-count.missing} mines too many round it"
        if count.missing > len(count.cells):
            return (
                f"{count.name} lacks {count.missing} mines and has {len(count.cells) or 'no'} cells left for them"
            )
    if puzzle.mines is not None:
        missing = puzzle.mines - sum(known.values())
        room = sum(cell not in known for cell in puzzle.unknown)
        if not 0 <= missing <= room:
            return f"there are {puzzle.mines} mines in all, {puzzle.mines - missing} marked and room for {room}"
    return None
