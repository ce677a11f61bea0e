"""How many layouts a board has, and how probable a mine is on each cell if all layouts are equally probable."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from twinproof.models.grid import Cell
from twinproof.models.minesweeper.deduce import deduce
from twinproof.models.minesweeper.instance import MinesweeperPuzzle
from twinproof.optim.count import Part, count_parts


@dataclass(frozen=True)
class LayoutCount:
    """The layouts of a board.

    Parameters
    ----------
    layouts : int
        How many there are.
    by_mines : dict of int to int
        How many there are with each number of mines that is possible.
    probability : dict of Cell to Fraction
        The part of them that has a mine on a cell, for every hidden cell and every flag that is not trusted.
        Empty if there is no layout.
    """

    layouts: int
    by_mines: dict[int, int]
    probability: dict[Cell, Fraction]


def count(puzzle: MinesweeperPuzzle) -> LayoutCount:
    """Count the layouts: the cells that clues tell of part by part, the cells beyond by binomials.

    Parameters
    ----------
    puzzle : MinesweeperPuzzle

    Raises
    ------
    EngineError
        If clues are intertwined so widely that the count would need too much memory.
    """
    deduction = deduce(puzzle)
    if deduction is None:
        return LayoutCount(0, {}, {})
    # What is proved needs no counting; without it, many boards fall into small parts.
    mines = deduction.mines.union(puzzle.trusted)
    parts = count_parts(
        (deduction.open.intersection(cells), puzzle.clues[clue] - len(mines.intersection(cells)))
        for clue, cells in puzzle.around.items()
    )
    beyond = [cell for cell in puzzle.beyond if cell in deduction.open]
    free = _binomials(len(beyond))
    everything = _product([*(part.solutions for part in parts), free])
    # With the total known, only layouts with that many mines count.
    wanted = None if puzzle.mines is None else puzzle.mines - len(mines)
    layouts = _select(everything, wanted)
    by_mines = {m + len(mines): n for m, n in enumerate(everything) if n and wanted in (None, m)}

    probability = dict.fromkeys(deduction.safe, Fraction(0)) | dict.fromkeys(deduction.mines, Fraction(1))
    rests = _products_without([*(part.solutions for part in parts), free])
    for part, rest in zip(parts, rests, strict=False):
        probability |= _weigh(part, rest, wanted, layouts)
    if beyond:
        one_mined = [0, *_binomials(len(beyond) - 1)]
        share = Fraction(_select(_product([one_mined, rests[-1]]), wanted), layouts)
        probability |= dict.fromkeys(beyond, share)
    return LayoutCount(layouts, by_mines, dict(sorted(probability.items())))


def _binomials(n: int) -> list[int]:
    """Give the numbers of ways to choose 0, 1, ..., n of n cells, each from the one before it."""
    row = [1]
    for k in range(n):
        row.append(row[-1] * (n - k) // (k + 1))
    return row


def _weigh(part: Part[Cell], rest: Sequence[int], wanted: int | None, layouts: int) -> dict[Cell, Fraction]:
    # Cells that are alike share one tuple of counts, so each is multiplied out once.
    shares: dict[tuple[int, ...], Fraction] = {}
    for counts in part.true_in.values():
        if counts not in shares:
            shares[counts] = Fraction(_select_product(counts, rest, wanted), layouts)
    return {cell: shares[counts] for cell, counts in part.true_in.items()}


def _select(polynomial: Sequence[int], wanted: int | None) -> int:
    """Take one coefficient, or all of them together."""
    if wanted is None:
        return sum(polynomial)
    return polynomial[wanted] if wanted < len(polynomial) else 0


def _select_product(left: Sequence[int], right: Sequence[int], wanted: int | None) -> int:
    """Take one coefficient of a product, or all of them together, without multiplying it out."""
    if wanted is None:
        return sum(left) * sum(right)
    return sum(n * right[wanted - m] for m, n in enumerate(left) if n and 0 <= wanted - m < len(right))


def _product(polynomials: Sequence[Sequence[int]]) -> list[int]:
    """Multiply polynomials with coefficients that are not negative."""
    result = [1]
    for polynomial in polynomials:
        following = [0] * (len(result) + len(polynomial) - 1)
        for i, a in enumerate(polynomial):
            if a:
                for j, b in enumerate(result):
                    following[i + j] += a * b
        result = following
    return result


def _products_without(polynomials: Sequence[Sequence[int]]) -> list[list[int]]:
    """For each polynomial give the product of all the others."""
    before = [[1]]
    for polynomial in polynomials[:-1]:
        before.append(_product([before[-1], polynomial]))
    after: list[int] = [1]
    result = []
    for polynomial, product in zip(reversed(polynomials), reversed(before), strict=True):
        result.append(_product([product, after]))
        after = _product([after, polynomial])
    return result[::-1]
