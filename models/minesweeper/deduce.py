"""What a board proves: cells that are safe in every layout, cells that hold a mine in every layout."""

from dataclasses import dataclass

from twinproof.models.grid import Cell
from twinproof.models.minesweeper.instance import MinesweeperPuzzle
from twinproof.models.minesweeper.maxsat import build_maxsat
from twinproof.optim.sat.backbone import IncrementalFormula


@dataclass(frozen=True)
class Deduction:
    """The state of every hidden cell, and of every flagged cell whose flag is not trusted.

    Parameters
    ----------
    safe : frozenset of Cell
        No layout has a mine there.
    mines : frozenset of Cell
        Every layout has a mine there.
    open : frozenset of Cell
        Some layouts have a mine there, some none.
    """

    safe: frozenset[Cell]
    mines: frozenset[Cell]
    open: frozenset[Cell]

    def wrong_flags(self, puzzle: MinesweeperPuzzle) -> tuple[Cell, ...]:
        """List the flags that stand where no mine can be."""
        return tuple(cell for cell in puzzle.flags if cell in self.safe)


def a_layout(puzzle: MinesweeperPuzzle) -> frozenset[Cell] | None:
    """Give the mines of some layout that fits the board; None if there is none."""
    model = build_maxsat(puzzle)
    with IncrementalFormula(model.clauses) as formula:
        found = formula.solve()
    return None if found is None else frozenset(cell for cell, lit in model.cells.items() if lit in found)


def deduce(puzzle: MinesweeperPuzzle) -> Deduction | None:
    """Say of every hidden cell what the board proves, by assumptions on one SAT solver.

    Parameters
    ----------
    puzzle : MinesweeperPuzzle

    Returns
    -------
    Deduction or None
        None if no layout fits the board; see `models.minesweeper.explain.find_mus`.
    """
    model = build_maxsat(puzzle)
    literals, beyond = model.cells, puzzle.beyond
    with IncrementalFormula(model.clauses) as formula:
        forced = formula.forced(literals.values())
    if forced is None:
        return None
    state = {cell: _state(forced, lit, lit) for cell, lit in literals.items()}
    if beyond:
        # These can change places, and in the formula they are sorted: if the first holds no mine, none does; if
        # the last holds one, all do.
        state |= dict.fromkeys(beyond, _state(forced, literals[beyond[-1]], literals[beyond[0]]))
    return _deduction(puzzle, state)


def deduce_cpsat(puzzle: MinesweeperPuzzle) -> Deduction | None:
    """Say the same by the CP-SAT model, without a word from the SAT solver."""
    # OR-Tools takes longer to load than `deduce` takes to answer.
    from twinproof.models.minesweeper.cpsat import build_cpsat  # noqa: PLC0415
    from twinproof.optim.cpsat_backbone import cpsat_backbone  # noqa: PLC0415

    model = build_cpsat(puzzle)
    # Cells that no clue tells of can change places, so the first of them speaks for all.
    others = set(puzzle.beyond[1:])
    asked = [cell for cell in puzzle.unknown if cell not in others]
    values = cpsat_backbone(model.model, [model.cells[cell] for cell in asked])
    if values is None:
        return None
    state = {cell: bool(values[at]) if at in values else None for at, cell in enumerate(asked)}
    if others:
        state |= dict.fromkeys(others, state[puzzle.beyond[0]])
    return _deduction(puzzle, state)


def _deduction(puzzle: MinesweeperPuzzle, is_mine: dict[Cell, bool | None]) -> Deduction:
    trusted = set(puzzle.trusted)
    asked = [cell for cell in puzzle.unknown if cell not in trusted]
    return Deduction(
        safe=frozenset(cell for cell in asked if is_mine[cell] is False),
        mines=frozenset(cell for cell in asked if is_mine[cell] is True),
        open=frozenset(cell for cell in asked if is_mine[cell] is None),
    )


def _state(forced: frozenset[int], mine: int, no_mine: int) -> bool | None:
    return True if mine in forced else False if -no_mine in forced else None
