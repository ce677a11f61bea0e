"""New Star Battle puzzles with one solution.

1. Stars: a random layout for a board without regions (`stars`).
2. Groups of k stars that lie together (`groups`), each joined by a thin path of cells.
3. The paths are moved until no other solution is left; then the regions grow, cell by cell, and a cell with which
   another solution comes up is refused. Where cells are left that no region can have, borders are moved until
   every cell has a region (`repair`).

So an unfinished puzzle is unique all the time; what is worked off are the cells without a region. That the
finished one is unique is the solver's answer to the last question, and `compare.questions.unique` asks both
engines anew.

References
----------
That a puzzle with few cells in regions is easily unique, and that the cells without a region are what to work off,
is from the Alberi article's genetic algorithm.
"""

from collections.abc import Callable
from itertools import count
from math import prod
from random import Random

from twinproof.models.generation.chance import below
from twinproof.models.generation.generated import Generated, NotFoundError, noting
from twinproof.models.generation.images import images
from twinproof.models.starbattle.alternatives import Alternatives
from twinproof.models.starbattle.draft import Draft
from twinproof.models.starbattle.groups import group_stars
from twinproof.models.starbattle.instance import StarBattlePuzzle
from twinproof.models.starbattle.repair import Repair
from twinproof.models.starbattle.rules import violations
from twinproof.models.starbattle.shapes import measures
from twinproof.models.starbattle.stars import check_size, random_stars
from twinproof.models.words import count_of
from twinproof.optim import EngineError, InputError

ATTEMPTS = 200
"""The number of layouts of stars in a row that are begun in vain before the generator gives up."""

MOST_MODEST = 0.1
"""The size that the smallest region aims at under full variety, compared to the largest."""

STEEPEST = 8
"""The power to which the differences between regions may grow with the attempts; see `random_appetites`."""

NO_REGION, FORCED_EMPTY = -1, -2
"""The numbers that stand for cells without a region, and for holes, in canonical forms."""


def generate(
    size: int,
    stars: int,
    seed: int = 0,
    variety: float = 0.5,
    accept: Callable[[StarBattlePuzzle], bool] | None = None,
    on_note: Callable[[str], None] | None = None,
) -> Generated:
    """Make a puzzle with exactly one solution, whose regions are connected and cover the board.

    No region of it is forced by itself: by its own rule alone its stars could stand in several ways.

    Parameters
    ----------
    size : int
        Rows of the board, and columns: at most `puzzle.MAX_SIDE`. Boards that are far larger than their stars
        need (four times as many rows) take far longer.
    stars : int
        How many in every row, column and region.
    seed : int
        The same seed, size, stars and variety give the same puzzle, if `accept` gives the same answers.
    variety : float
        From 0, regions as equal in size as can be had, to 1, small ones beside large ones. More variety is
        found sooner.
    accept : callable, optional
        Says of a finished puzzle whether it will do; if not, another is made, without end.
    on_note : callable, optional
        Is told in a line what is being done.

    Returns
    -------
    Generated
        `facts` holds `variety`, the measures of `shapes.measures`, and how much work all attempts took: `moves`
        (repairs), `shakes` (whole regions begun anew), `questions` to the solver about other solutions, and
        `alternatives` (those it found).

    Raises
    ------
    InputError
        If a number is out of its range, or no layout of so many stars exists on a board of that size.
    NotFoundError
        If `ATTEMPTS` attempts in a row give no puzzle.
    """
    check_size(size, stars)
    if not 0 <= variety <= 1:
        raise InputError(f"variety {variety}: must be from 0 to 1")
    note = noting(on_note, "")
    rng = Random(seed)
    work = dict.fromkeys(("moves", "shakes", "questions", "alternatives"), 0)
    failed = 0
    for attempt in count(1):
        if failed == ATTEMPTS:
            break
        failed += 1
        note(f"attempt {attempt}: stars")
        layout = random_stars(size, stars, rng)
        groups = group_stars(size, layout, stars, rng)
        if groups is None:
            continue
        draft = Draft(size, groups)
        with Alternatives(size, groups) as alternatives:
            appetites = random_appetites(size, variety, attempt, rng)
            repair = Repair(draft, alternatives, appetites, rng, _telling(note, attempt))
            # A new draft is often better than more work on an old one, but hard sizes need that too.
            done = repair.run(shakes=attempt)
        work["moves"] += repair.moves
        work["shakes"] += repair.shakes
        work["questions"] += alternatives.questions
        work["alternatives"] += len(alternatives.found)
        if not done:
            continue
        puzzle = draft.puzzle()
        if broken := violations(puzzle, draft.layout()):
            raise EngineError(f"generated puzzle: its solution breaks a rule: {broken[0].message}")
        failed = 0
        if accept is None or accept(puzzle):
            facts = {"variety": variety, **measures(puzzle), **work}
            return Generated(puzzle, draft.layout(), seed, attempt, facts)
    raise NotFoundError(
        f"starbattle: {size}x{size} cells with {count_of(stars, 'star')}, variety {variety}: no puzzle found in "
        f"{ATTEMPTS} attempts"
    )


def canonical(puzzle: StarBattlePuzzle) -> tuple[int, tuple[tuple[int, ...], ...]]:
    """Give what a puzzle has in common with its mirror images, its turned ones and those with other labels.

    Two puzzles have the same canonical form exactly if one of the eight symmetries of the square maps the regions,
    the holes and the cells without a region of one onto those of the other, and they have equally many stars.

    Returns
    -------
    stars : int
    rows : tuple of tuple of int
        The least of the eight images, row by row; regions are numbered from 0 in the order in which they are first
        met, a cell without a region is -1, a hole -2.
    """
    marks = [
        [
            FORCED_EMPTY if (r, c) in puzzle.holes else NO_REGION if region is None else region
            for c, region in enumerate(row)
        ]
        for r, row in enumerate(puzzle.regions)
    ]
    return puzzle.stars, min(map(_numbered, images(marks)))


def _numbered(rows: tuple[tuple[int, ...], ...]) -> tuple[tuple[int, ...], ...]:
    """Give the regions new numbers, in the order in which they are met."""
    numbers: dict[int, int] = {}
    return tuple(
        tuple(mark if mark < 0 else numbers.setdefault(mark, len(numbers)) for mark in row) for row in rows
    )


def random_appetites(count: int, variety: float, attempt: int, rng: Random) -> list[float]:
    """Say how large each region wants to be, compared to the others: above 0, at most 1.

    A few large regions beside many small ones leave fewer other solutions than regions of one size. So where
    puzzles are hard to make, more regions are modest from attempt to attempt.

    Parameters
    ----------
    count : int
        The number of regions.
    variety : float
        0: all are 1. 1: at the first attempt they are spread evenly from `MOST_MODEST` to 1.
    attempt : int
        From 1: a number drawn for the first attempt is raised to this power, up to `STEEPEST`.
    rng : Random
    """
    least = 1 - (1 - MOST_MODEST) * variety
    drawn = [1 - (1 - least) * below(rng, 1000) / 1000 for _ in range(count)]
    # Products are rounded the same way on every machine, powers are not.
    return [prod([number] * min(attempt, STEEPEST)) for number in drawn]


def _telling(note: Callable[[str], None], attempt: int) -> Callable[[int], None]:
    """Give a function that tells how many cells are left."""
    return lambda free: note(f"attempt {attempt}: {count_of(free, 'cell')} without a region")
