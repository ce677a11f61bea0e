"""The rules by which a person reads a Minesweeper board; beyond them, the fewest clues that prove a cell."""

import time
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations

from twinproof.models.deduction.hints import Finding, HintRules, rule
from twinproof.models.deduction.position import Known
from twinproof.models.deduction.proofs import MUS_SECONDS
from twinproof.models.grid import Cell, neighbours8
from twinproof.models.minesweeper.deduce import a_layout, deduce
from twinproof.models.minesweeper.explain import Explanation, find_mus, force
from twinproof.models.minesweeper.instance import MinesweeperPuzzle
from twinproof.models.minesweeper.position import MinePosition, start
from twinproof.models.words import count_of
from twinproof.optim import InputError

TRIED = 12
"""The number of cells for which a short proof is tried."""

PROOF_SECONDS = 2.0
"""After these seconds a proof of a cell is good enough, though it may not have the fewest clues."""

ALL_PROOFS_SECONDS = 2 * PROOF_SECONDS
"""After these seconds no other cell is tried."""


@rule(
    "single clue",
    "one clue",
    1,
    "A clue with all its mines has no other round it; a clue with as many cells left as mines has mines on them.",
)
def single(position: MinePosition, first: int) -> Iterator[Finding]:
    """Read what one clue says."""
    for clue, rest, missing in position.lacking():
        if missing == 0:
            yield Finding(0, rest, rest, f"{clue.name} has all its mines")
        elif missing == rest.bit_count():
            reason = f"{clue.name} lacks {count_of(missing, 'mine')} and has only {count_of(missing, 'cell')} left"
            yield Finding(rest, 0, rest, reason)


@rule(
    "pair of clues",
    "two clues together",
    2,
    "If one clue lacks so many more mines than another that all cells of its own must hold one, they do, and the "
    "other clue has none on cells of its own.",
)
def pair(position: MinePosition, first: int) -> Iterator[Finding]:
    """Read what two clues say together that share cells."""
    for (one, cells, missing), (other, there, theirs) in permutations(position.lacking(), 2):
        mine = cells & ~there
        if cells & there and cells != there and missing - theirs == mine.bit_count():
            most = f"at most {theirs}" if theirs else "none"
            shared = f"of which by {other.name} {most} can be on the cells that both have"
            reason = f"{one.name} lacks {count_of(missing, 'mine')}, {shared}"
            yield Finding(mine, there & ~cells, cells | there, reason)


@rule(
    "total",
    "the number of mines",
    3,
    "What the number of all mines leaves over, alone or without clues that share no cell, is none, or as many as "
    "there are cells left.",
)
def total(position: MinePosition, first: int) -> Iterator[Finding]:
    """Read what the number of all mines leaves over for the cells beyond clues that share none."""
    in_all = position.board.instance.mines
    if in_all is None:
        return
    for apart in (False, True):
        marked = position.marked.bit_count()
        cells, mines, names = position.open, in_all - marked, []
        for clue, rest, missing in position.lacking() if apart else ():
            if not rest & ~cells:
                cells, mines = cells ^ rest, mines - missing
                names.append(clue.name)
        if cells and mines in (0, cells.bit_count()):
            of_clues = f" and {in_all - marked - mines} round {', '.join(names)}" if names else ""
            left = f"leaves {mines or 'none'} for the {count_of(cells.bit_count(), 'other cell')}"
            reason = f"{count_of(in_all, 'mine')} in all, less {marked} marked{of_clues}, {left}"
            yield Finding(cells if mines else 0, 0 if mines else cells, position.open, reason)


@rule("proof", "the fewest clues", None, "These rules of the board force the cell; that is proved by the engine.")
def proof(position: MinePosition, first: int) -> Iterator[Finding]:
    """Give a cell that the board proves, of a few the one with the fewest reasons."""
    instance, mask = position.board.instance, position.board.mask
    board = position.as_board()
    proved = deduce(board)
    if proved is None or not proved.safe | proved.mines:
        return
    # What is round a clue is proved by fewer clues, and a safe cell is what a player looks for.
    near = {other for clue in instance.clues for other in neighbours8(clue)}
    order = sorted(proved.safe | proved.mines, key=lambda cell: (cell not in near, cell in proved.mines, cell))
    best: Explanation | None = None
    end = time.monotonic() + ALL_PROOFS_SECONDS
    for one in order[:TRIED]:
        if best is not None and time.monotonic() > end:
            break
        fewer_than = None if best is None else len(best.reasons)
        # What only the position forces is explained by both.
        for rules in (instance, board):
            found = force(rules, one, one in proved.mines, PROOF_SECONDS, fewer_than)
            if found is not None:
                break
        assert found is not None, "the board forces it"
        best = found if best is None or len(found.reasons) < len(best.reasons) else best
    assert best is not None, "there is a proved cell"
    reason = "these force it: " + "; ".join(map(str, best.reasons))
    cell = mask([best.cell])
    seen = {cell for reason in best.reasons for cell in reason.cells}
    yield Finding(cell if best.mine else 0, 0 if best.mine else cell, mask(seen), reason)


@dataclass(frozen=True)
class BoardProver:
    """What an engine proves of a board: what is known belongs to the board, as it changes what can change places.

    Parameters
    ----------
    instance : MinesweeperPuzzle
    """

    instance: MinesweeperPuzzle

    def solution(self, known: Known) -> Collection[Cell] | None:
        """Give the cells with a mine in some layout with what is known; None if there is no layout."""
        board = self._board(known)
        return None if board is None else a_layout(board)

    def forced(self, known: Known) -> dict[Cell, bool] | None:
        """Give every cell that is the same in all layouts with what is known; None if there is no layout."""
        board = self._board(known)
        proved = None if board is None else deduce(board)
        if proved is None:
            return None
        trusted = dict.fromkeys(self.instance.trusted, True)
        return {**known, **trusted, **dict.fromkeys(proved.safe, False), **dict.fromkeys(proved.mines, True)}

    def _board(self, known: Known) -> MinesweeperPuzzle | None:
        """Give the board with what is known; None if that contradicts a trusted flag or the number of mines."""
        if any(not known.get(cell, True) for cell in self.instance.trusted):
            return None
        try:
            return start(self.instance, known).as_board()
        except InputError:  # more mines are known than there are
            return None

    def contradicting(self, known: Known) -> Sequence[Cell]:
        """Give all that is known: which of it is to blame is not looked for."""
        return sorted(known)

    def why_none(self) -> Sequence[str]:
        """Name the fewest rules that cannot hold together."""
        found = find_mus(self.instance, MUS_SECONDS)
        return ("these rules cannot hold together:", *(() if found is None else map(str, found.rules)))


HINTS = HintRules((single, pair, total, proof), start, BoardProver, taken_at_once=0)
