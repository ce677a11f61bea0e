"""The next step to the solution of a puzzle, or the whole way, in words that can be followed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from twinproof.models import PUZZLES
from twinproof.models.deduction.hints import (
    BEYOND,
    EMPTY,
    MARKED,
    HintRules,
    HumanRule,
    Prover,
    Step,
    draw_known,
    hardest,
)
from twinproof.models.deduction.position import Known, Position
from twinproof.models.drawn import blank
from twinproof.models.grid import Cell, show
from twinproof.models.puzzle import Puzzle, Words
from twinproof.models.words import count_of, places
from twinproof.optim import InputError, Limits, Stop
from twinproof.optim.process.call import call

PROOF = HumanRule(
    "proof", "proof by the engine", None, "In every solution the cell is so; that is proved by the engine."
)


class State(StrEnum):
    """What can be said of a position."""

    STEP = "step"
    SOLVED = "solved"
    WRONG = "wrong"
    NO_SOLUTION = "no solution"
    OPEN = "open"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Hinted:
    """What is said of a position.

    Parameters
    ----------
    puzzle : Puzzle
    instance : object
        An instance of that puzzle.
    known : mapping
        The position: for every cell of which something is known, whether it holds a star, bulb or mine.
    state : State
        `step` if there are steps; after the last of them the puzzle may be solved. `open` if beyond those known no
        cell is the same in all solutions; `unknown` if the search was stopped before there was a step.
    steps : tuple of Step
    wrong : tuple of str
        What is wrong with the position or the puzzle.
    solved : bool
        Whether the puzzle is solved after the steps.
    stopped : Stop or None
        What ended the search before all steps that were asked for were found.
    """

    puzzle: Puzzle[Any]
    instance: Any
    known: Known
    state: State
    steps: tuple[Step, ...] = ()
    wrong: tuple[str, ...] = ()
    solved: bool = False
    stopped: Stop | None = None

    @property
    def after(self) -> dict[Cell, bool]:
        """The position after the steps."""
        return {**self.known, **{cell: holds for step in self.steps for cell, holds in step.facts.items()}}

    @property
    def sentences(self) -> tuple[str, ...]:
        """The steps in words."""
        return tuple(sentence(self.puzzle, step) for step in self.steps)

    @property
    def grade(self) -> int | None:
        """The grade of the hardest rule of the steps; None without steps, or with a proof by the engine."""
        return hardest(self.steps)


def words_of(puzzle: Puzzle[Any]) -> Words:
    """Give the words for the cells of a puzzle that is solved cell by cell.

    Raises
    ------
    InputError
        If the puzzle is none.
    """
    if puzzle.words is None:
        names = ", ".join(name for name, other in PUZZLES.items() if other.words is not None)
        raise InputError(f"hint: there are no hints for {puzzle.name}; there are for {names}")
    return puzzle.words


def ask_hint(
    puzzle: Puzzle[Any],
    instance: Any,
    known: Known,
    whole: bool = False,
    limits: Limits | None = None,
    on_note: Callable[[str], None] | None = None,
) -> Hinted:
    """Find the next step, or all, in a child process; if that is stopped, give the steps found by then.

    Parameters
    ----------
    puzzle, instance, known, whole
        See `find_hint`.
    limits : Limits, optional
    on_note : callable, optional
        Takes a line on how far the steps have come, whenever there is another.

    Raises
    ------
    InputError
        If the puzzle is none that is solved cell by cell.
    EngineError
        If the search fails.
    """
    steps: list[Step] = []
    left = sum(row.count(mark) for row in blank(puzzle, instance) for mark in words_of(puzzle).playable) - len(
        known
    )

    def take(step: Step) -> None:
        nonlocal left
        steps.append(step)
        left -= len(step.facts)
        if on_note is not None:
            on_note(f"{count_of(len(steps), 'step')}, {count_of(left, 'cell')} left")

    called = call(find_hint, puzzle, instance, known, whole, limits=limits, on_part=take)
    if called.results:
        return called.results[0]
    state = State.STEP if steps else State.UNKNOWN
    return Hinted(puzzle, instance, dict(known), state, tuple(steps), stopped=called.stopped)


def find_hint(
    puzzle: Puzzle[Any],
    instance: Any,
    known: Known,
    whole: bool = False,
    on_step: Callable[[Step], None] | None = None,
) -> Hinted:
    """Find the next step from a position, or all steps that lead to the solution.

    Parameters
    ----------
    puzzle : Puzzle
    instance : object
        An instance of that puzzle.
    known : mapping
        For every cell of which something is known, whether it holds a star, bulb or mine.
    whole : bool
        Whether all steps are wanted.
    on_step : callable, optional
        Takes each step as soon as it is found.

    Raises
    ------
    InputError
        If the puzzle is none that is solved cell by cell.
    """
    words = words_of(puzzle)
    hints: HintRules[Any, Position[Any]] = puzzle.part("hints", "HINTS").HINTS
    prover = _prover(puzzle, instance) if hints.prover is None else hints.prover(instance)
    position = hints.start(instance, known)
    # A step from a wrong position, or to no solution, would be worth nothing.
    solution = prover.solution(known)
    if solution is None:
        state, wrong = _refute(prover, words, known)
        clash = position.clash()
        return Hinted(puzzle, instance, dict(known), state, wrong=wrong if clash is None else (clash, *wrong))
    position = replace(position, solution=position.board.mask(solution))
    steps: list[Step] = []
    reached = dict(known)
    proved: Known | None = None
    while not position.solved and (whole or not steps):
        found = hints.steps(position, on_step).steps if whole else _one(hints.next_step(position))
        if not found:
            if proved is None:  # what follows from it cannot add to it
                proved = prover.forced(reached) or {}
            found = _one(_proof(proved, position))
            if on_step is not None:
                for step in found:
                    on_step(step)
        if not found:
            break
        for step in found:
            steps.append(step)
            reached |= step.facts
            position = position.knowing(step.facts)
    state = State.STEP if steps else State.SOLVED if position.solved else State.OPEN
    return Hinted(puzzle, instance, dict(known), state, tuple(steps), solved=position.solved)


def _prover(puzzle: Puzzle[Any], instance: Any) -> Prover:
    from twinproof.models.deduction.proofs import ClauseProver  # noqa: PLC0415 - loads a solver

    model = puzzle.build_model("maxsat", instance, puzzle.objective().name)
    return ClauseProver(model.clauses, model.cells)


def _refute(prover: Prover, words: Words, known: Known) -> tuple[State, tuple[str, ...]]:
    """Say what is wrong with a position that no solution has."""
    forced = prover.forced({})
    if forced is None:
        return State.NO_SOLUTION, tuple(prover.why_none())
    wrong = [cell for cell in sorted(known) if forced.get(cell, known[cell]) is not known[cell]]
    if wrong:
        return State.WRONG, tuple(_wrong_mark(words, cell, known[cell]) for cell in wrong)
    return State.WRONG, (_together(prover.contradicting(known), known),)


def _wrong_mark(words: Words, cell: Cell, holds: bool) -> str:
    truth = (words.empty if holds else words.marked).format(show(cell))
    return f"{show(cell)} is marked '{MARKED if holds else EMPTY}', but in every solution {truth}"


def _together(cells: Sequence[Cell], known: Known) -> str:
    marked = [cell for cell in cells if known[cell]]
    empty = [cell for cell in cells if not known[cell]]
    parts = [f"'{mark}' in {places(some)}" for mark, some in ((MARKED, marked), (EMPTY, empty)) if some]
    return f"no solution has all of these marks: {'; '.join(parts)}"


def _one(step: Step | None) -> tuple[Step, ...]:
    return () if step is None else (step,)


def _proof(proved: Known, position: Position[Any]) -> Step | None:
    """Give the proved cell with which most is seen at a glance, one with a star, bulb or mine if there is any."""
    new = [cell for cell in position.cells(position.open) if cell in proved]
    if not new:
        return None
    wanted = [cell for cell in new if proved[cell]] or new
    cell = min(wanted, key=lambda cell: position.knowing({cell: proved[cell]}).at_a_glance().open.bit_count())
    reason = "no rule applies, but in every solution it is so, as the engine proves"
    return Step(PROOF, (cell,) if proved[cell] else (), () if proved[cell] else (cell,), (), reason)


def conclusion(words: Words, step: Step) -> str:
    """Say what follows by a step.

    Parameters
    ----------
    words : Words
        The puzzle's.
    step : Step
        The step.

    Returns
    -------
    str
        Part of a sentence.
    """
    said = []
    for cells, one, all_of_them in (
        (step.marked, words.marked, words.all_marked),
        (step.empty, words.empty, words.all_empty),
    ):
        if cells:
            said.append((one if len(cells) == 1 else all_of_them).format(places(cells)))
    return ", and ".join(said)


def sentence(puzzle: Puzzle[Any], step: Step) -> str:
    """Say a step in words, with its rule and grade.

    Parameters
    ----------
    puzzle : Puzzle
        One that is solved cell by cell.
    step : Step
        The step.

    Returns
    -------
    str
        One line.
    """
    grade = BEYOND if step.rule.grade is None else f"grade {step.rule.grade}"
    return f"{step.rule.name} ({grade}): {step.reason}; so {conclusion(words_of(puzzle), step)}"


def record_hint(hinted: Hinted) -> dict[str, Any]:
    """Put it into one JSON object; cells count from 1, and `layout` is the position after the steps."""
    puzzle, instance = hinted.puzzle, hinted.instance
    return {
        "puzzle": puzzle.name,
        "instance": instance.name,
        "options": puzzle.describe(instance),
        "state": str(hinted.state),
        "solved": hinted.solved,
        **({} if hinted.stopped is None else {"stopped": str(hinted.stopped)}),
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
                "words": sentence(puzzle, step),
            }
            for step in hinted.steps
        ],
        "layout": list(draw_known(blank(puzzle, instance), hinted.after)),
    }


def _counted(cells: Sequence[Cell]) -> list[list[int]]:
    return [[r + 1, c + 1] for r, c in cells]
