"""The next step to the solution of a puzzle, or the whole way, in words that can be followed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from importlib import import_module
from typing import Any

from twinproof.compare.catalogue import entry
from twinproof.models.deduction.hints import (
    BEYOND,
    EMPTY,
    MARKED,
    Grade,
    HumanRule,
    Step,
    draw_known,
    places,
    read_position,
)
from twinproof.models.grid import Cell, show
from twinproof.models.starbattle.instance import StarBattlePuzzle
from twinproof.optim import InputError

__all__ = [
    "Hinted",
    "State",
    "blank",
    "check_hinted",
    "conclusion",
    "find_hint",
    "read_known",
    "record_hint",
    "sentence",
]

PROOF = HumanRule(
    "proof", "proof by the engine", None, "In every solution the cell is so; that is proved by the engine."
)

CORE_SECONDS = 10.0
"""How long the fewest marks that contradict each other are looked for."""


class State(StrEnum):
    """What can be said of a position."""

    STEP = "step"
    SOLVED = "solved"
    WRONG = "wrong"
    NO_SOLUTION = "no solution"
    OPEN = "open"


@dataclass(frozen=True)
class Words:
    """How the cells of a puzzle are spoken of.

    Parameters
    ----------
    marked, empty : str
        What is said of one cell: `{}` is its place.
    all_marked, all_empty : str
        The same of several cells.
    playable : str
        The marks on the board of the cells of which something can be known.
    """

    marked: str
    empty: str
    all_marked: str
    all_empty: str
    playable: str = "."


WORDS = {
    "starbattle": Words("a star is in {}", "{} is empty", "stars are in {}", "there is no star in {}"),
    "lightup": Words("a bulb is in {}", "there is no bulb in {}", "bulbs are in {}", "there is no bulb in {}"),
    "minesweeper": Words("{} is a mine", "{} is safe", "mines are in {}", "safe are {}", ".F"),
}

_NAMES = ", ".join(WORDS)


@dataclass(frozen=True)
class Hinted:
    """What is said of a position.

    Parameters
    ----------
    name : str
        The puzzle's name in the catalogue.
    puzzle : Puzzle
    known : dict
        The position: for every cell of which something is known, whether it holds a star, bulb or mine.
    state : State
        `step` if there are steps; after the last of them the puzzle may be solved. `open` if beyond those known no
        cell is the same in all solutions.
    steps : tuple of Step
    wrong : tuple of str
        What is wrong with the position or the puzzle.
    solved : bool
        Whether the puzzle is solved after the steps.
    """

    name: str
    puzzle: Any
    known: dict[Cell, bool]
    state: State
    steps: tuple[Step, ...] = ()
    wrong: tuple[str, ...] = ()
    solved: bool = False

    @property
    def after(self) -> dict[Cell, bool]:
        """The position after the steps."""
        return {**self.known, **{cell: holds for step in self.steps for cell, holds in step.facts.items()}}

    @property
    def grade(self) -> int | None:
        """The hardest rule of the steps; None if a proof by the engine is among them, or there is no step."""
        grades = [step.rule.grade for step in self.steps]
        return max((grade for grade in grades if grade is not None), default=None) if None not in grades else None


def check_hinted(name: str) -> None:
    """Refuse a puzzle that is not solved cell by cell.

    Raises
    ------
    InputError
    """
    if name not in WORDS:
        raise InputError(f"hint: {name} is no puzzle with one solution to be found step by step, as {_NAMES} are")


def blank(name: str, puzzle: Any) -> tuple[str, ...]:
    """Give the rows of a board of which nothing is known."""
    if isinstance(puzzle, StarBattlePuzzle):
        return puzzle.rows([[False] * puzzle.width for _ in range(puzzle.height)])
    return tuple(puzzle.board if name == "minesweeper" else puzzle.rows)


def read_known(name: str, puzzle: Any, text: str, title: str) -> dict[Cell, bool]:
    """Read a position; see `models.deduction.hints.read_position`."""
    return read_position(blank(name, puzzle), WORDS[name].playable, text, title)


def find_hint(name: str, puzzle: Any, known: Mapping[Cell, bool], whole: bool = False) -> Hinted:
    """Find the next step from a position, or all steps that lead to the solution.

    Parameters
    ----------
    name : str
        The puzzle's name in the catalogue.
    puzzle : Puzzle
    known : mapping
        For every cell of which something is known, whether it holds a star, bulb or mine.
    whole : bool
        Whether all steps are wanted.

    Raises
    ------
    InputError
        If the puzzle is none that is solved cell by cell.
    """
    check_hinted(name)
    rooms = import_module(f"twinproof.models.{name}.grading")
    position = dict(known)
    # A step from a wrong position, or to no solution, would be worth nothing.
    check = _check_minesweeper(puzzle, position) if name == "minesweeper" else _check(name, puzzle, position)
    if check is not None:
        seen = rooms.clash(puzzle, position)
        said = check[1] if seen is None else (seen, *check[1])
        return Hinted(name, puzzle, position, check[0], wrong=said)
    steps: list[Step] = []
    proved: dict[Cell, bool] | None = None
    while not rooms.is_solved(puzzle, position) and (whole or not steps):
        found = _rule_steps(name, puzzle, position, whole)
        if not found and name != "minesweeper":
            if proved is None:  # what follows from it cannot add to it
                proved = _proved(name, puzzle, position)
            found = _proof(proved, position)
        if not found:
            break
        for step in found:
            steps.append(step)
            position |= step.facts
    solved = rooms.is_solved(puzzle, position)
    state = State.STEP if steps else State.SOLVED if solved else State.OPEN
    return Hinted(name, puzzle, dict(known), state, tuple(steps), solved=solved)


def _formula(name: str, puzzle: Any) -> tuple[list[list[int]], dict[Cell, int]]:
    """Give the clauses of a puzzle, and the variable of each cell."""
    model = import_module(f"twinproof.models.{name}.maxsat").build_maxsat(puzzle)
    return model.clauses, dict(model.cells)


def _literals(variables: Mapping[Cell, int], known: Mapping[Cell, bool]) -> dict[int, Cell]:
    return {
        variables[cell] if holds else -variables[cell]: cell for cell, holds in known.items() if cell in variables
    }


def _check(name: str, puzzle: Any, known: Mapping[Cell, bool]) -> tuple[State, tuple[str, ...]] | None:
    """Say which marks are wrong, by the MaxSAT model; None if some solution has them all."""
    from twinproof.optim.sat.backbone import IncrementalFormula  # noqa: PLC0415 - loads a solver
    from twinproof.optim.sat.mus import smallest_mus  # noqa: PLC0415

    clauses, variables = _formula(name, puzzle)
    marks = _literals(variables, known)
    with IncrementalFormula(clauses) as formula:
        if formula.solve() is None:
            return State.NO_SOLUTION, ()
        if formula.solve(list(marks)) is not None:
            return None
        forced = formula.forced([abs(literal) for literal in marks])
    assert forced is not None
    wrong = tuple(_wrong_mark(name, cell, known[cell]) for literal, cell in marks.items() if -literal in forced)
    if wrong:
        return State.WRONG, wrong
    core = smallest_mus(clauses, list(marks), time_limit=CORE_SECONDS)
    assert core is not None
    return State.WRONG, (_together(name, [marks[literal] for literal in core.statements], known),)


def _check_minesweeper(puzzle: Any, known: Mapping[Cell, bool]) -> tuple[State, tuple[str, ...]] | None:
    """Say the same of a board of mines; where known mines change what can be where, so does the formula."""
    from twinproof.models.minesweeper.deduce import deduce  # noqa: PLC0415 - loads a solver
    from twinproof.models.minesweeper.explain import conflict  # noqa: PLC0415
    from twinproof.models.minesweeper.hints import with_known  # noqa: PLC0415

    proved = deduce(puzzle)
    if proved is None:
        found = conflict(puzzle, CORE_SECONDS)
        rules = () if found is None else tuple(map(str, found.rules))
        return State.NO_SOLUTION, ("these rules cannot hold together:", *rules)
    mined = proved.mines.union(puzzle.trusted)
    wrong = [cell for cell, mine in sorted(known.items()) if cell in (proved.safe if mine else mined)]
    if wrong:
        return State.WRONG, tuple(_wrong_mark("minesweeper", cell, known[cell]) for cell in wrong)
    try:
        possible = deduce(with_known(puzzle, known)) is not None
    except InputError:  # more mines are marked than there are
        possible = False
    if possible:
        return None
    return State.WRONG, (_together("minesweeper", sorted(known), known),)


def _wrong_mark(name: str, cell: Cell, holds: bool) -> str:
    words = WORDS[name]
    truth = (words.empty if holds else words.marked).format(show(cell))
    return f"{show(cell)} is marked '{MARKED if holds else EMPTY}', and {truth} in every solution"


def _together(name: str, cells: Sequence[Cell], known: Mapping[Cell, bool]) -> str:
    marked = [cell for cell in cells if known[cell]]
    empty = [cell for cell in cells if not known[cell]]
    parts = [f"'{mark}' in {places(some)}" for mark, some in ((MARKED, marked), (EMPTY, empty)) if some]
    return f"no solution has all of these marks: {'; '.join(parts)}"


def _proved(name: str, puzzle: Any, known: Mapping[Cell, bool]) -> dict[Cell, bool]:
    """Give every cell that is the same in all solutions with a position, by the MaxSAT model."""
    from twinproof.optim.sat.backbone import IncrementalFormula  # noqa: PLC0415 - loads a solver

    clauses, variables = _formula(name, puzzle)
    with IncrementalFormula(clauses) as formula:
        forced = formula.forced(variables.values(), list(_literals(variables, known))) or frozenset()
    return {cell: v in forced for cell, v in variables.items() if v in forced or -v in forced}


def _rule_steps(name: str, puzzle: Any, known: Mapping[Cell, bool], whole: bool) -> tuple[Step, ...]:
    """Give the next step by a rule, or all that rules can do."""
    rooms = import_module(f"twinproof.models.{name}.grading")
    if whole and name != "minesweeper":
        found: Grade = rooms.steps(puzzle, known)
        return found.steps
    step: Step | None = rooms.next_step(puzzle, known)
    return () if step is None else (step,)


def _proof(proved: Mapping[Cell, bool], known: Mapping[Cell, bool]) -> tuple[Step, ...]:
    """Give one cell that is proved and not known, one with a star or bulb if there is any."""
    new = sorted((not holds, cell) for cell, holds in proved.items() if cell not in known)
    if not new:
        return ()
    empty, cell = new[0]
    reason = "no rule applies, but in every solution it is so, as the engine proves"
    return (Step(PROOF, () if empty else (cell,), (cell,) if empty else (), (), reason),)


def conclusion(name: str, step: Step) -> str:
    """Say what follows by a step, in words."""
    words = WORDS[name]
    said = []
    for cells, one, all_of_them in (
        (step.marked, words.marked, words.all_marked),
        (step.empty, words.empty, words.all_empty),
    ):
        if cells:
            said.append((one if len(cells) == 1 else all_of_them).format(places(cells)))
    return ", and ".join(said)


def sentence(name: str, step: Step) -> str:
    """Say a step in words, with its rule and grade."""
    grade = BEYOND if step.rule.grade is None else f"grade {step.rule.grade}"
    return f"{step.rule.name} ({grade}): {step.reason}; so {conclusion(name, step)}"


def record_hint(hinted: Hinted) -> dict[str, Any]:
    """Put it into one JSON object; cells count from 1, and `layout` is the position after the steps."""
    name, puzzle = hinted.name, hinted.puzzle
    return {
        "puzzle": name,
        "instance": puzzle.name,
        "options": entry(name).describe(puzzle),
        "state": str(hinted.state),
        "solved": hinted.solved,
        "wrong": list(hinted.wrong),
        "grade": hinted.grade,
        "steps": [
            {
                "rule": step.rule.name,
                "title": step.rule.title,
                "grade": step.rule.grade,
                "marked": _counted(step.marked),
                "empty": _counted(step.empty),
                "seen": _counted(step.seen),
                "words": sentence(name, step),
            }
            for step in hinted.steps
        ],
        "layout": list(draw_known(blank(name, puzzle), hinted.after)),
    }


def _counted(cells: Sequence[Cell]) -> list[list[int]]:
    return [[r + 1, c + 1] for r, c in cells]
