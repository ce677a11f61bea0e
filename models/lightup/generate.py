"""Light Up puzzles with one solution.

Walls are placed at random, then bulbs: one on a cell that nothing lights yet, until there is no such cell. All
walls get the number of bulbs beside them. While another solution meets all these numbers too, walls are moved to
where the two differ. In the end numbers are dropped, but never one without which there would be a second solution.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from random import Random

from twinproof.models.field.symmetries import SYMMETRIES
from twinproof.models.generation.chance import below, shuffled
from twinproof.models.generation.generated import Generated, NotFoundError, check_size, noting
from twinproof.models.generation.images import images
from twinproof.models.grid import SQUARE_SYMMETRIES, Cell, neighbours4
from twinproof.models.lightup.instance import FLOOR, NO_SYMMETRY, WALL, WALL_SYMMETRIES, LightUpPuzzle
from twinproof.models.lightup.solutions import Solutions, numbers
from twinproof.models.words import count_of
from twinproof.optim import InputError

ATTEMPTS = 500
"""The number of puzzles that are begun before the generator gives up."""

PATIENCE = 200
"""A puzzle is given up after this number of moves of walls that brought no new minimum of cells that differ."""

SLACK = 3
"""A move may add this number of cells that differ, times the most walls that a symmetry moves together."""

SHOWN = 60
"""A puzzle shows this percentage of its numbers even if fewer would do, unless the fewest are asked for."""

NEAR = 3
"""Cells that are at most this number of steps apart count as one place, and get one new wall."""

Orbit = tuple[Cell, ...]


def generate(
    height: int,
    width: int,
    walls: int = 22,
    symmetry: str | None = None,
    minimal: bool = False,
    seed: int = 0,
    accept: Callable[[LightUpPuzzle], bool] | None = None,
    on_note: Callable[[str], None] | None = None,
) -> Generated:
    """Make a puzzle with exactly one solution.

    Parameters
    ----------
    height, width : int
    walls : int
        Percent of the cells that are walls; a few fewer where a symmetry asks for it.
    symmetry : str, optional
        The symmetry of the walls, not of their numbers: one of `WALL_SYMMETRIES`.
    minimal : bool
        Whether no number may be left that could be dropped; else about `SHOWN` percent of them are left.
    seed : int
        The same seed gives the same puzzle.
    accept : callable, optional
        Whether a puzzle will do; others are passed over.
    on_note : callable, optional
        Takes a line on what is going on, now and then.

    Returns
    -------
    Generated

    Raises
    ------
    InputError
        If no puzzle can be like that: no cell, too many, no wall or no floor, a symmetry that walls cannot have.
    NotFoundError
        If none was found in `ATTEMPTS` attempts.
    """
    wanted = _check(height, width, walls, symmetry)
    rng = Random(seed)
    orbits = _orbits(height, width, symmetry)
    for attempt in range(1, ATTEMPTS + 1):
        found = _unambiguous(height, width, orbits, wanted, rng, noting(on_note, f"attempt {attempt}, "))
        if found is None:
            continue
        board, bulbs = found
        puzzle = _with_numbers(board, bulbs, minimal, rng)
        if accept is None or accept(puzzle):
            facts = {"walls": len(board.walls), "clues": len(puzzle.clues), "bulbs": len(bulbs)}
            return Generated(puzzle, puzzle.layout(set(bulbs)), seed, attempt, facts)
    raise NotFoundError(
        f"lightup: {height}x{width} cells with {walls} percent walls: "
        f"no such puzzle found in {count_of(ATTEMPTS, 'attempt')}"
    )


def canonical(puzzle: LightUpPuzzle) -> tuple[tuple[str, ...], ...]:
    """Give what a puzzle and its turned and mirrored images have in common with no other: the least of them."""
    return min(images(puzzle.rows))


def _check(height: int, width: int, walls: int, symmetry: str | None) -> int:
    """Give the number of walls.

    Raises
    ------
    InputError
        If no puzzle can be like that.
    """
    check_size("lightup", height, width)
    size = f"{height}x{width}"
    if symmetry is not None and symmetry not in WALL_SYMMETRIES:
        raise InputError(f"symmetry {symmetry!r}: walls can have {', '.join(WALL_SYMMETRIES)}")
    if symmetry == "quarter-turn" and height != width:
        raise InputError(f"symmetry quarter-turn: {size} cells are no square")
    if not 0 <= walls <= 100:
        raise InputError(f"lightup: {walls} percent walls: must be from 0 to 100")
    wanted = round(height * width * walls / 100)
    if wanted == height * width:
        raise InputError(f"lightup: {walls} percent walls: no floor is left on {size} cells")
    if wanted == 0 and height * width > 1:
        raise InputError(
            f"lightup: {walls} percent walls: none on {size} cells, and open floor has more than one solution"
        )
    return wanted


def _orbits(height: int, width: int, symmetry: str | None) -> dict[Cell, Orbit]:
    """Give for every cell those that are walls whenever it is one, itself included."""
    names = () if symmetry in (None, NO_SYMMETRY) else SYMMETRIES[symmetry]
    orbits: dict[Cell, Orbit] = {}
    for cell in ((r, c) for r in range(height) for c in range(width)):
        if cell in orbits:
            continue
        orbit = [cell]
        for known in orbit:  # grows meanwhile
            moved = (SQUARE_SYMMETRIES[name](*known, height, width) for name in names)
            orbit += dict.fromkeys(image for image in moved if image not in orbit)
        orbits.update(dict.fromkeys(orbit, tuple(orbit)))
    return orbits


def _unambiguous(
    height: int,
    width: int,
    orbits: Mapping[Cell, Orbit],
    wanted: int,
    rng: Random,
    note: Callable[[str], None],
) -> tuple[LightUpPuzzle, frozenset[Cell]] | None:
    """Give walls and bulbs such that no other bulbs have the same numbers; None if moving walls leads nowhere."""
    board = _board(height, width, _place(orbits, wanted, rng))
    bulbs = _lit(board, (), rng)
    other = _other(board, bulbs)
    fewest = differ = _differ(bulbs, other)
    slack = SLACK * max(len(orbit) for orbit in orbits.values())
    since = 0
    while other is not None and since < PATIENCE:
        note(f"{count_of(differ, 'cell')} {'differs' if differ == 1 else 'differ'} in another solution")
        again = _board(height, width, _moved(board.walls, bulbs, other, orbits, wanted, rng))
        again_bulbs = _lit(again, bulbs, rng)
        again_other = _other(again, again_bulbs)
        again_differ = _differ(again_bulbs, again_other)
        if again_differ <= differ + slack:
            board, bulbs, other, differ = again, again_bulbs, again_other, again_differ
        since = 0 if differ < fewest else since + 1
        fewest = min(fewest, differ)
    return (board, bulbs) if other is None else None


def _differ(bulbs: frozenset[Cell], other: frozenset[Cell] | None) -> int:
    return 0 if other is None else len(bulbs ^ other)


def _place(orbits: Mapping[Cell, Orbit], wanted: int, rng: Random) -> frozenset[Cell]:
    placed: set[Cell] = set()
    for orbit in shuffled(rng, dict.fromkeys(orbits.values())):
        if len(placed) + len(orbit) <= wanted:
            placed.update(orbit)
    return frozenset(placed)


def _board(height: int, width: int, walls: Collection[Cell]) -> LightUpPuzzle:
    """Draw walls without a number."""
    rows = ("".join(WALL if (r, c) in walls else FLOOR for c in range(width)) for r in range(height))
    return LightUpPuzzle(tuple(rows))


def _lit(board: LightUpPuzzle, before: Collection[Cell], rng: Random) -> frozenset[Cell]:
    """Put bulbs on cells that nothing lights yet, in a random order, those that had one before first."""
    runs: dict[Cell, list[Cell]] = {cell: [] for cell in board.floor}
    for run in (*board.row_runs, *board.column_runs):
        for cell in run:
            runs[cell] += run
    order = shuffled(rng, board.floor)
    bulbs, lit = [], set[Cell]()
    for cell in sorted(order, key=lambda cell: cell not in before):
        if cell not in lit:
            bulbs.append(cell)
            lit.update(runs[cell])
    return frozenset(bulbs)


def _other(board: LightUpPuzzle, bulbs: Collection[Cell]) -> frozenset[Cell] | None:
    """Give other bulbs with the same number beside every wall; None if there are none."""
    with Solutions(board, bulbs) as solutions:
        return solutions.other()


def _moved(
    walls: Collection[Cell],
    bulbs: Collection[Cell],
    other: Collection[Cell],
    orbits: Mapping[Cell, Orbit],
    wanted: int,
    rng: Random,
) -> frozenset[Cell]:
    """Build a wall at every place where two solutions differ, and tear down others, far from there if possible."""
    differ = [cell for cell in orbits if (cell in bulbs) != (cell in other)]
    new: set[Cell] = set()
    for place in shuffled(rng, _places(differ)):
        # On the other solution's bulb, which ends it; or beside a bulb of either, where the number may tell.
        cells = [cell for cell in place if cell in other]
        if not cells or below(rng, 2):
            beside = (near for cell in place for near in neighbours4(cell) if near in orbits)
            cells = [cell for cell in beside if cell not in walls and cell not in bulbs] or cells or place
        orbit = orbits[cells[below(rng, len(cells))]]
        if len(new.union(orbit)) <= wanted:
            new.update(orbit)
    kept = new.union(walls)
    close = {near for cell in differ for near in (cell, *neighbours4(cell))}
    for cell in sorted(shuffled(rng, orbits), key=lambda cell: not close.isdisjoint(orbits[cell])):
        if len(kept) <= wanted:
            break
        if cell in kept and new.isdisjoint(orbits[cell]):
            kept.difference_update(orbits[cell])
    return frozenset(kept)


def _places(cells: Sequence[Cell]) -> list[list[Cell]]:
    """Part cells into groups: two of them a few steps apart are in one."""
    left = dict.fromkeys(cells)
    places = []
    while left:
        place = [next(iter(left))]
        del left[place[0]]
        for r, c in place:  # grows meanwhile
            near = [other for other in left if abs(other[0] - r) + abs(other[1] - c) <= NEAR]
            for other in near:
                del left[other]
            place += near
        places.append(place)
    return places


def _with_numbers(board: LightUpPuzzle, bulbs: Collection[Cell], minimal: bool, rng: Random) -> LightUpPuzzle:
    """Write numbers on walls: enough for one solution, and no more if they shall be few."""
    every = numbers(board, bulbs)
    with Solutions(board, bulbs) as solutions:
        shown = dict.fromkeys(solutions.needed(rng, minimal))
    if not minimal:
        enough = round(len(every) * SHOWN / 100)
        for wall in shuffled(rng, every):
            if len(shown) >= enough:
                break
            shown[wall] = None
    rows = [list(row) for row in board.rows]
    for r, c in shown:
        rows[r][c] = str(every[r, c])
    return LightUpPuzzle(tuple("".join(row) for row in rows))
