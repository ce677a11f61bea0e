"""Random stars for a board without regions: k in every row and column, no two touching.

Which boards have any
---------------------
With n > 1 rows, two neighbouring rows hold 2k stars. Cut into 2x2 blocks, which hold one star at most, they have
n / 2 blocks if n is even, so n >= 4k. If n is odd, they have (n + 1) / 2, the first of which is only one column
wide. If 2k = (n + 1) / 2, all blocks are full, for every pair of neighbouring rows: the first column has a star in
each of (n - 1) / 2 = 2k - 1 disjoint pairs, so k >= 2k - 1, and k = 1, n = 3. Both pairs of rows then put the only
star of the first column into the row that they share, and that of the last column too: two in a row. So n >= 4k.
"""

from random import Random

from twinproof.models.generation.chance import shuffled
from twinproof.models.starbattle.instance import MAX_SIDE, StarBattlePuzzle
from twinproof.models.starbattle.maxsat import build_maxsat
from twinproof.models.words import count_of
from twinproof.optim import InputError
from twinproof.optim.sat.backbone import IncrementalFormula


def check_size(size: int, stars: int) -> None:
    """Refuse a board that is too large or too small for its stars.

    Parameters
    ----------
    size : int
        The number of rows, and of columns.
    stars : int
        The number of stars in every row, column and region.

    Raises
    ------
    InputError
        Also if no layout of stars exists, by the bound above.
    """
    if size < 1 or stars < 1:
        raise InputError(f"size {size}, stars {stars}: both must be at least 1")
    if size > MAX_SIDE:
        raise InputError(f"size {size}: at most {MAX_SIDE} rows are allowed")
    if size < 4 * stars and (size, stars) != (1, 1):
        raise _no_layout(size, stars)


def _no_layout(size: int, stars: int) -> InputError:
    return InputError(
        f"no layout of {count_of(stars, 'star')} in every row and column of {size}x{size} cells exists"
    )


def empty_board(size: int, stars: int) -> StarBattlePuzzle:
    """Give the board on which no cell has a region.

    Parameters
    ----------
    size : int
        The number of rows, and of columns.
    stars : int
        The number of stars in every row, column and region.

    Returns
    -------
    StarBattlePuzzle
        To be filled by a generator.
    """
    return StarBattlePuzzle(stars, ((None,) * size,) * size)


def random_stars(size: int, stars: int, rng: Random) -> tuple[int, ...]:
    """Put stars on a board, one after the other in random order, none of them so that the others have no place.

    A solver with random phases tells whether the others have; its answers, not its layouts, decide.

    Parameters
    ----------
    size : int
        Rows of the board, and columns.
    stars : int
        How many in every row and column.
    rng : Random

    Returns
    -------
    tuple of int
        The cells of the stars, ascending; cells are numbered from 0, row by row.

    Raises
    ------
    InputError
        If there is no layout.
    """
    check_size(size, stars)
    rules = build_maxsat(empty_board(size, stars))
    cell_of = {star: r * size + c for (r, c), star in rules.cells.items()}
    wanted = list(cell_of)
    with IncrementalFormula(rules.clauses) as formula:
        formula.prefer([star if rng.random() < 0.5 else -star for star in wanted])
        model = formula.solve()
        if model is None:
            raise _no_layout(size, stars)
        fixed: list[int] = []
        for star in shuffled(rng, wanted):
            if star not in model:
                formula.prefer([other if rng.random() < 0.5 else -other for other in wanted])
                other_model = formula.solve([*fixed, star])
                if other_model is None:
                    continue
                model = other_model
            fixed.append(star)
            if len(fixed) == size * stars:
                break
    return tuple(sorted(cell_of[star] for star in fixed))
