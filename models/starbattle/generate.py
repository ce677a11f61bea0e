"""New Star Battle puzzles with one solution.

1. Stars: a random layout without regions (`stars`).
2. Groups of k stars that lie together (`groups`), each joined by a thin path of cells.
3. The paths are moved until no other solution is left, then the regions grow cell by cell; a cell with which another
   solution comes up is refused. Cells that no region can have are put into one by force, and cells that the other
   solutions need are taken out elsewhere, until every cell has a region (`repair`).

The puzzle is unique at the end because the last question to the solver was answered no; `compare.unique` asks both
engines anew.
"""

from collections.abc import Callable
from itertools import count
from random import Random

from models.generated import Generated
from models.starbattle.alternatives import Alternatives
from models.starbattle.draft import Draft, random_appetites
from models.starbattle.groups import group_stars
from models.starbattle.puzzle import StarBattlePuzzle
from models.starbattle.repair import Repair
from models.starbattle.shapes import measures
from models.starbattle.stars import check_size, random_stars
from optim import InputError

__all__ = ["generate"]


def generate(
    size: int,
    stars: int,
    seed: int = 0,
    variety: float = 0.5,
    accept: Callable[[StarBattlePuzzle], bool] | None = None,
    on_note: Callable[[str], None] | None = None,
) -> Generated:
    check_size(size, stars)
    if not 0 <= variety <= 1:
        raise InputError(f"variety {variety}: must be from 0 to 1")
    rng = Random(seed)
    note = on_note or (lambda text: None)
    for attempt in count(1):
        layout = random_stars(size, stars, rng)
        groups = group_stars(size, layout, stars, rng)
        if groups is None:
            note(f"attempt {attempt}: no groups")
            continue
        with Alternatives(size, groups) as alternatives:
            draft = Draft(size, groups)
            repair = Repair(draft, alternatives, random_appetites(size, 0.9 * variety, rng), rng)
            done = repair.run()
            note(f"attempt {attempt}: {done} free {len(draft.free)} moves {repair.moves} shakes {repair.shakes} q {alternatives.questions} alts {len(alternatives.found)}")
            if done:
                puzzle = draft.puzzle()
                if accept is None or accept(puzzle):
                    facts = {**measures(puzzle), "moves": repair.moves, "shakes": repair.shakes, "questions": alternatives.questions, "alternatives": len(alternatives.found)}
                    return Generated(puzzle, draft.layout(), seed, attempt, facts)
    raise AssertionError
