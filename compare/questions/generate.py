"""Batches of new puzzles: each made from a seed of its own, proved, graded, and unlike all before it.

Everything happens in one child process, which hands over each puzzle as soon as it is proved.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from twinproof.compare.questions.crosscheck import TWINS
from twinproof.compare.questions.unique import uniqueness
from twinproof.models.generation.generated import Generated, NotFoundError
from twinproof.optim import EngineError, InputError, Limits, Stop
from twinproof.optim.process.children import run_in_children
from twinproof.optim.process.tasks import Event, Finished, Found, Noted, Report, Task, run_here

__all__ = ["MAX_SEED", "MOST", "Made", "Unmade", "Wish", "make", "record_made"]

MAX_SEED = 2**31 - 1

MOST = 10_000
"""So many puzzles may be asked for at once."""

ALIKE = 1000
"""After so many puzzles in a row that are like one before, there are hardly any others."""


@dataclass(frozen=True)
class Wish:
    """What is asked of every puzzle of a batch.

    Parameters
    ----------
    name : str
        The puzzle's name in the catalogue.
    arguments : mapping
        Of its generator, without the seed.
    difficulty : tuple of int, optional
        The lowest and the highest grade.
    """

    name: str
    arguments: Mapping[str, Any]
    difficulty: tuple[int, int] | None = None


@dataclass(frozen=True)
class Made:
    """A finished puzzle.

    Parameters
    ----------
    name : str
        The puzzle's name in the catalogue.
    generated : Generated
    proof : str
        Why it has one solution, in words.
    grade : str or None
        How hard it is, in words; None where puzzles of this kind have no grade.
    """

    name: str
    generated: Generated
    proof: str
    grade: str | None


@dataclass(frozen=True)
class Unmade:
    """Why no more puzzles come: too many attempts have failed."""

    message: str


def make(
    wish: Wish,
    seed: int,
    count: int,
    on_made: Callable[[Made], None],
    on_note: Callable[[str], None],
    limits: Limits | None = None,
    isolated: bool = True,
) -> Stop | Unmade | None:
    """Make puzzles from a seed, the next one, and so on.

    Parameters
    ----------
    wish : Wish
    seed : int
        Of the first puzzle. A seed whose puzzle is like one before, up to turns, mirror images and the names of
        regions, is passed over.
    count : int
    on_made : callable
        Takes each puzzle as soon as it is finished.
    on_note : callable
        Takes a line on what is going on, now and then.
    limits : Limits, optional
        Of the whole batch.
    isolated : bool
        If false, everything happens in this process, and no limit is watched.

    Returns
    -------
    Stop or Unmade or None
        What ended it before all were made.

    Raises
    ------
    InputError
        If no puzzle can be as wished.
    EngineError
        If a puzzle turns out to have more than one solution, or an engine failed.
    """
    ends: list[Unmade] = []

    def report(event: Event) -> None:
        if isinstance(event, Noted):
            on_note(event.text)
        elif isinstance(event, Found) and isinstance(event.layout, Made):
            on_made(event.layout)
        elif isinstance(event, Found):
            ends.append(event.layout)

    task = Task("generate", _run, (wish, seed, count))
    if not isolated:
        run_here(task, report)
        return ends[0] if ends else None
    stopped = run_in_children([task], limits or Limits(), report, lambda: False)
    return ends[0] if ends else stopped


def _run(report: Report, wish: Wish, seed: int, count: int) -> None:
    """Make a batch; the body of the child process."""
    generate = import_module(f"twinproof.models.{wish.name}.generate").generate
    canonical = import_module(f"twinproof.models.{wish.name}.symmetry").canonical
    accept = None if wish.difficulty is None else _accepting(wish.name, *wish.difficulty)
    seen: set[object] = set()
    alike = 0
    while len(seen) < count:
        if alike > ALIKE or seed > MAX_SEED:
            there = "1 puzzle" if len(seen) == 1 else f"{len(seen)} puzzles"
            report(Found(None, Unmade(f"{wish.name}: {there} found, and then only others like them")))
            return
        heading = f"seed {seed}"
        report(Noted(heading))
        try:
            generated = generate(
                **wish.arguments, seed=seed, accept=accept, on_note=_noting(report, f"{heading}, ")
            )
        except NotFoundError as error:
            report(Found(None, Unmade(str(error))))
            return
        seed += 1
        key = canonical(generated.puzzle)
        if key in seen:
            alike += 1
            continue
        alike = 0
        seen.add(key)
        report(Noted(f"{heading}, proving"))
        report(Found(None, Made(wish.name, generated, _prove(wish, generated), _grade_word(wish.name, generated))))
    report(Finished(None))


def _noting(report: Report, heading: str) -> Callable[[str], None]:
    return lambda text: report(Noted(heading + text))


def _prove(wish: Wish, generated: Generated) -> str:
    """Prove anew, apart from the generator, that a puzzle is what it should be.

    Raises
    ------
    EngineError
        If it is not.
    """
    if wish.name == "minesweeper":
        from twinproof.models.minesweeper.play import play  # noqa: PLC0415 - loads a solver

        field = generated.puzzle
        if play(field, [field.start], wish.arguments["total_known"]).undetermined:
            raise EngineError(f"generate: seed {generated.seed}: the field cannot be opened without a guess")
        return "opened from the start without a guess"
    known = uniqueness(wish.name, generated.puzzle, TWINS, isolated=False)
    if not known.unique or known.first.outcome.layout != generated.layout:
        raise EngineError(f"generate: seed {generated.seed}: the puzzle has another solution")
    return "one solution, proved by both engines"


def _accepting(name: str, lowest: int, highest: int) -> Callable[[Any], bool]:
    """Give the test whether a puzzle's grade is in a range."""
    grade = _grading(name)
    if grade is None:
        raise InputError(f"--difficulty: not an option of {name}")

    def accept(puzzle: Any) -> bool:
        found = grade(puzzle).grade
        return found is not None and lowest <= found <= highest

    return accept


def _grade_word(name: str, generated: Generated) -> str | None:
    grade = _grading(name)
    return None if grade is None else str(grade(generated.puzzle).word)


def _grading(name: str) -> Callable[[Any], Any] | None:
    """Give the function that grades puzzles of a kind, if there is one."""
    found: Callable[[Any], Any] | None = getattr(import_module(f"twinproof.models.{name}.grading"), "grade", None)
    return found


def record_made(made: Made) -> dict[str, Any]:
    """Put a puzzle into plain values, without its text."""
    generated = made.generated
    return {
        "seed": generated.seed,
        "attempts": generated.attempts,
        "grade": made.grade,
        "proof": made.proof,
        "facts": dict(generated.facts),
        "layout": list(generated.layout),
    }
