"""Batches of new puzzles: each made from a seed of its own, proved, graded, and unlike all before it.

Everything happens in one child process, which hands over each puzzle as soon as it is proved.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from twinproof.compare.questions.crosscheck import TWINS
from twinproof.compare.questions.unique import uniqueness
from twinproof.models import PUZZLES
from twinproof.models.deduction.hints import BEYOND, Grade
from twinproof.models.generation.generated import Generated, NotFoundError, noting
from twinproof.models.puzzle import Generation, Puzzle
from twinproof.models.words import count_of
from twinproof.optim import EngineError, InputError, Limits, OptionError
from twinproof.optim.process.children import run_in_children
from twinproof.optim.process.tasks import Event, Finished, Found, HandedOver, Noted, Report, Task, run_here

MAX_SEED = 2**31 - 1

MOST = 10_000
"""At most this number of puzzles can be asked for at once."""

ATTEMPTS = 1000
"""After this number of boards in a row with other grades a wish is given up, if no other number is asked for."""

ALIKE = 1000
"""After this number of puzzles in a row that are like one before, there are hardly any others."""


@dataclass(frozen=True)
class Wish:
    """What is asked of every puzzle of a batch.

    Parameters
    ----------
    puzzle : Puzzle
    arguments : mapping
        The arguments of its generator, without the seed.
    difficulty : tuple of int, optional
        The lowest and the highest grade.
    attempts : int
        After this number of boards in a row with other grades the wish is given up.
    """

    puzzle: Puzzle[Any]
    arguments: Mapping[str, Any]
    difficulty: tuple[int, int] | None = None
    attempts: int = ATTEMPTS


@dataclass(frozen=True)
class Made:
    """A finished puzzle.

    Parameters
    ----------
    puzzle : Puzzle
        What kind it is of.
    generated : Generated
    proof : str
        Why it has one solution, in words.
    grade : str or None
        How hard it is, in words; None where puzzles of this kind have no grade.
    """

    puzzle: Puzzle[Any]
    generated: Generated
    proof: str
    grade: str | None


@dataclass(frozen=True)
class Unmade:
    """Why no more puzzles come: too many attempts have failed, or a limit or Ctrl-C came before.

    Parameters
    ----------
    message : str
    others : mapping
        How many boards of each other grade were made since the last puzzle; empty where no grade was asked for.
    """

    message: str
    others: Mapping[str, int] = field(default_factory=dict)

    def __str__(self) -> str:
        if not self.others:
            return self.message
        boards = sum(self.others.values())
        kinds = sorted(self.others.items(), key=lambda kind: (kind[0] == BEYOND, kind))
        seen = ", ".join(f"{number} {word if word == BEYOND else f'of {word}'}" for word, number in kinds)
        return f"{self.message}; {count_of(boards, 'board')} made instead: {seen}"


def generation_of(puzzle: Puzzle[Any]) -> Generation:
    """Give what is known of a puzzle's generator.

    Raises
    ------
    InputError
        If it has none.
    """
    if puzzle.generation is None:
        makes = ", ".join(name for name, known in PUZZLES.items() if known.generation is not None)
        raise InputError(f"generate: makes {makes}, not {puzzle.name}")
    return puzzle.generation


def wish_for(
    puzzle: Puzzle[Any],
    height: int,
    width: int,
    options: Mapping[str, Any] | None = None,
    difficulty: tuple[int, int] | None = None,
    attempts: int | None = None,
) -> Wish:
    """Put options into what is asked of the generator.

    Parameters
    ----------
    puzzle : Puzzle
    height, width : int
    options : mapping, optional
        Those that are given, by name.
    difficulty : tuple of int, optional
        The lowest and the highest grade.
    attempts : int, optional
        See `Wish`.

    Raises
    ------
    InputError
        If the puzzle has no generator or no grades, an option is missing, wrong or none of this puzzle's, or no
        new puzzle has such a grade.
    """
    generation = generation_of(puzzle)
    known = {option.name: option for option in generation.options}
    for name, value in (options or {}).items():
        if name not in known:
            raise OptionError(name, f": not an option of generate {puzzle.name}")
        known[name].check(value)
    if generation.square and height != width:
        raise OptionError("size", f" {height}x{width}: a board has as many rows as columns")
    if difficulty is not None and not generation.grades:
        raise OptionError("difficulty", f": not an option of generate {puzzle.name}")
    if attempts is not None and difficulty is None:
        raise OptionError("attempts", ": only with a difficulty")
    if attempts is not None and attempts < 1:
        raise OptionError("attempts", f" {attempts}: must be at least 1")
    arguments = generation.arguments(height, width, options or {})
    if difficulty is not None:
        lowest, highest = difficulty
        never = [generation.never(arguments, grade) for grade in range(lowest, highest + 1)]
        if None not in never:
            grades = lowest if lowest == highest else f"{lowest}-{highest}"
            raise OptionError("difficulty", f" {grades}: {never[0]}")
    return Wish(puzzle, arguments, difficulty, ATTEMPTS if attempts is None else attempts)


def make(
    wish: Wish,
    seed: int,
    count: int,
    on_made: Callable[[Made], None],
    on_note: Callable[[str], None],
    limits: Limits | None = None,
    isolated: bool = True,
) -> Unmade | None:
    """Make puzzles from a seed, the next one, and so on.

    Parameters
    ----------
    wish : Wish
    seed : int
        The seed of the first puzzle. A seed whose puzzle is like one before, up to turns, mirror images and the
        names of regions, is passed over.
    count : int
    on_made : callable
        Takes each puzzle as soon as it is finished.
    on_note : callable
        Takes a line on what is going on, now and then.
    limits : Limits, optional
        What the whole batch may take.
    isolated : bool
        If false, everything happens in this process, and no limit is watched.

    Returns
    -------
    Unmade or None
        What ended it before all were made.

    Raises
    ------
    InputError
        If no puzzle can be as wished.
    EngineError
        If a puzzle turns out to have more than one solution, or an engine failed.
    """
    ends: list[Unmade] = []
    others: Counter[str] = Counter()
    left = count

    def report(event: Event) -> None:
        nonlocal left
        if isinstance(event, Noted):
            on_note(event.text)
        elif isinstance(event, HandedOver):
            others[event.value] += 1
        elif isinstance(event, Found) and isinstance(event.layout, Made):
            others.clear()
            on_made(event.layout)
            left -= 1
        elif isinstance(event, Found):
            ends.append(replace(event.layout, others=dict(others)))

    task = Task("generate", _run, (wish, seed, count))
    if not isolated:
        run_here(task, report)
        return ends[0] if ends else None
    stopped = run_in_children([task], limits or Limits(), report, lambda: not left)
    if ends:
        return ends[0]
    return None if stopped is None or not left else Unmade(f"stopped: {stopped}", dict(others))


def _run(report: Report, wish: Wish, seed: int, count: int) -> None:
    """Make a batch; the body of the child process."""
    puzzle, generator = wish.puzzle, wish.puzzle.part("generate", "generate", "canonical")
    grade = puzzle.part("hints", "grade").grade if generation_of(puzzle).grades else None
    prove = getattr(generator, "prove", partial(_prove_unique, puzzle))
    seen: set[object] = set()
    alike = 0
    while len(seen) < count:
        if alike > ALIKE or seed > MAX_SEED:
            there = count_of(len(seen), "puzzle")
            report(Found(None, Unmade(f"{puzzle.name}: {there} found, and then only others like them")))
            return
        note = noting(lambda text: report(Noted(text)), f"seed {seed}")
        note("")
        accept = None if grade is None or wish.difficulty is None else _Wanted(grade, wish, report)
        try:
            generated = generator.generate(**wish.arguments, seed=seed, accept=accept, on_note=noting(note, ", "))
        except NotFoundError as error:
            report(Found(None, Unmade(str(error))))
            return
        seed += 1
        key = generator.canonical(generated.instance)
        if key in seen:
            alike += 1
            continue
        alike = 0
        seen.add(key)
        note(", proving")
        proof = prove(generated, wish.arguments)
        word = None if grade is None else str(grade(generated.instance).word)
        report(Found(None, Made(puzzle, generated, proof, word)))
    report(Finished(None))


def _prove_unique(puzzle: Puzzle[Any], generated: Generated, arguments: Mapping[str, Any]) -> str:
    """Prove anew, apart from the generator, that a puzzle has the one solution that it should have.

    Raises
    ------
    EngineError
        If it has another.
    """
    known = uniqueness(puzzle.name, generated.instance, TWINS, isolated=False)
    if not known.unique or known.first.outcome.layout != generated.layout:
        raise EngineError(f"generate: seed {generated.seed}: the puzzle has another solution")
    return "one solution, proved by both engines"


class _Wanted:
    """Says whether a finished board has the grade that is wished; gives up after too many that have not."""

    def __init__(self, grade: Callable[[Any], Grade], wish: Wish, report: Report) -> None:
        self._grade, self._wish, self._report = grade, wish, report
        self._others = 0

    def __call__(self, instance: Any) -> bool:
        assert self._wish.difficulty is not None
        lowest, highest = self._wish.difficulty
        found = self._grade(instance)
        if found.grade is not None and lowest <= found.grade <= highest:
            return True
        self._report(HandedOver(found.word))
        self._others += 1
        if self._others == self._wish.attempts:
            wanted = f"grade {lowest}" if lowest == highest else f"a grade from {lowest} to {highest}"
            raise NotFoundError(
                f"{self._wish.puzzle.name}: no board of {wanted} found in {self._wish.attempts} attempts"
            )
        return False


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
