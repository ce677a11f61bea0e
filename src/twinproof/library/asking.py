"""Questions that every puzzle may be asked, each a function of the library."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from twinproof.compare.questions.answer import Answer, Question
from twinproof.compare.questions.answer import answer as ask_engine
from twinproof.compare.questions.count import Count, count_layouts
from twinproof.compare.questions.crosscheck import TWINS, Crosscheck
from twinproof.compare.questions.crosscheck import crosscheck as ask_engines
from twinproof.compare.questions.explain import Explained, explained
from twinproof.compare.questions.generate import MAX_SEED, MOST, Made, make, wish_for
from twinproof.compare.questions.hint import Hinted, State, ask_hint, words_of
from twinproof.compare.questions.unique import Uniqueness, uniqueness
from twinproof.library.reading import (
    find_puzzle,
    puzzle_and_instance,
    source_of,
    whole,
    whole_pair,
)
from twinproof.models.drawn import read_known, read_layout
from twinproof.models.grid import MAX_TILES
from twinproof.models.text.sources import read_layout_text
from twinproof.models.violation import Violation
from twinproof.optim import InputError, Limits, Stop

HARDEST = 5
"""The highest grade of a puzzle."""


def solve(
    puzzle: str,
    instance: object = None,
    *,
    objective: str | None = None,
    engine: str = "cpsat",
    at_least: int | None = None,
    at_most: int | None = None,
    time_limit: float | None = None,
    memory_limit: int | None = None,
    workers: int | None = None,
    seed: int = 0,
    **options: Any,
) -> Answer:
    """Find the best layout with one engine, which proves that no other is better.

    Parameters
    ----------
    puzzle : str
        The name of a puzzle, such as `sprinklers`: a key of `twinproof.PUZZLES`, or an alias of one.
    instance : str, Path or object, optional
        The name of an instance, such as `disc:9`; the path of a file; the text of one, which must have a line end
        in it; or an instance from `read` or `generate`. By default the puzzle's own default, if it has one.
    objective : str, optional
        What to optimise, one of `twinproof.PUZZLES[puzzle].objectives`; by default the first.
    engine : str
        `cpsat`, `maxsat`, `frontier`, `linear-search`, or an external solver that is installed. To compare
        several, see `twinproof.crosscheck`.
    at_least, at_most : int, optional
        With one of them the question is only whether a layout has such a value.
    time_limit : float, optional
        Seconds. What was found and proved until then is the answer.
    memory_limit : int, optional
        Megabytes.
    workers : int, optional
        How many search workers may run at once; by default the model's own choice.
    seed : int
        Of the engine's random choices.
    **options
        The puzzle's options, such as `harvest=8`: those of the command line with `_` for `-`.
        `twinproof.PUZZLES[puzzle].options` lists them.

    Returns
    -------
    Answer
        Its `outcome` has `status`, `value`, `bound` and `layout`, which the puzzle's rules have checked. It is
        always one engine's answer, whose bound that engine has proved; `crosscheck` gives several of them and
        whether they agree.

    Raises
    ------
    InputError
        If an argument is wrong, or the puzzle has no model for the engine.
    EngineError
        If the engine fails, or its layout breaks a rule.

    Examples
    --------
    >>> import twinproof
    >>> outcome = twinproof.solve("sprinklers", "grid:4x4").outcome
    >>> outcome.status, outcome.value
    (<Status.OPTIMAL: 'optimal'>, 4)
    >>> twinproof.solve("sprinklers", "grid:4x4", engine="maxsat", at_most=3).outcome.status
    <Status.INFEASIBLE: 'infeasible'>
    """
    if not isinstance(engine, str) or engine in ("both", "all"):
        raise InputError(f"engine {engine!r}: solve asks one engine; crosscheck asks several")
    question = _question(puzzle, instance, objective, at_least, at_most, options)
    return ask_engine(question, engine, Limits(time_limit, memory_limit, workers, seed))


def crosscheck(
    puzzle: str,
    instance: object = None,
    *,
    objective: str | None = None,
    engines: Sequence[str] = TWINS,
    at_least: int | None = None,
    at_most: int | None = None,
    time_limit: float | None = None,
    memory_limit: int | None = None,
    workers: int | None = None,
    seed: int = 0,
    **options: Any,
) -> Crosscheck:
    """Put the same question to several engines, one after the other, and compare their answers.

    Parameters
    ----------
    puzzle, instance, objective, at_least, at_most, **options
        See `twinproof.solve`.
    engines : sequence of str
        Their names; by default the two of which every puzzle has a model.
    time_limit, memory_limit, workers, seed
        Of each engine; see `twinproof.solve`.

    Returns
    -------
    Crosscheck
        `agree` is true if all engines settled the question alike, false if two of them cannot both be right, and
        None if one is not finished. `answers` has each engine's own.

    Raises
    ------
    InputError
        If an argument is wrong, or the puzzle has no model for an engine.
    EngineError
        If an engine fails, or its layout breaks a rule.

    Examples
    --------
    >>> import twinproof
    >>> found = twinproof.crosscheck("hops", "disc:9")
    >>> found.agree, [answer.outcome.value for answer in found.answers.values()]
    (True, [14, 14])
    """
    question = _question(puzzle, instance, objective, at_least, at_most, options)
    return ask_engines(question, _several(engines), Limits(time_limit, memory_limit, workers, seed))


@dataclass(frozen=True)
class Checked:
    """What the rules say of a layout.

    Parameters
    ----------
    layout : tuple of str
        Its rows.
    violations : tuple of Violation
        The broken rules, each with its cells.
    values : mapping
        The layout's value for every objective that has one.
    """

    layout: tuple[str, ...]
    violations: tuple[Violation, ...]
    values: Mapping[str, int | None]

    @property
    def valid(self) -> bool:
        """Whether no rule is broken."""
        return not self.violations


def check(puzzle: str, instance: object, layout: object, **options: Any) -> Checked:
    """Check a layout by the rules alone; no engine takes part.

    Parameters
    ----------
    puzzle, instance, **options
        See `twinproof.solve`.
    layout : sequence of str, str or Path
        The rows of a layout, as answers have them; a text with line ends, such as a record or what a command
        printed; or the path of a file. A record's options are the instance's too.

    Raises
    ------
    InputError
        If an argument is wrong, or the layout does not fit the instance.

    Examples
    --------
    >>> import twinproof
    >>> checked = twinproof.check("sprinklers", "grid:1x4", ["S..S"])
    >>> checked.valid, checked.values
    (True, {'fewest-sprinklers': 2})
    """
    given = read_layout_text(source_of(layout, "layout", rows=True))
    found, built = puzzle_and_instance(puzzle, instance, options, given)
    rows = read_layout(found, built, given)
    valued = [one.name for one in found.objectives if one.sense is not None and not one.relative]
    values = {name: found.rules.value(built, name, rows) for name in valued}
    return Checked(rows, tuple(found.rules.violations(built, rows)), values)


def unique(
    puzzle: str,
    instance: object = None,
    *,
    engines: Sequence[str] = TWINS,
    time_limit: float | None = None,
    memory_limit: int | None = None,
    **options: Any,
) -> Uniqueness:
    r"""Say whether a puzzle's solution is the only one, by looking for the solution farthest from it.

    Parameters
    ----------
    puzzle, instance, **options
        See `twinproof.solve`.
    engines, time_limit, memory_limit
        See `twinproof.crosscheck`; the limits are those of each of its two questions.

    Returns
    -------
    Uniqueness
        `unique` is true, false, or None if it is not settled; `first` and `other` are the two solutions.

    Raises
    ------
    InputError
        If an argument is wrong, or the puzzle's layouts are better or worse instead of right or wrong.
    EngineError
        If an engine fails, or its layout breaks a rule.

    Examples
    --------
    >>> import twinproof
    >>> twinproof.unique("lightup", "...\n.#.\n...\n").unique
    False
    """
    found, built = puzzle_and_instance(puzzle, instance, options)
    return uniqueness(found.name, built, _several(engines), Limits(time_limit, memory_limit))


def explain(
    puzzle: str,
    instance: object = None,
    *,
    engines: Sequence[str] = TWINS,
    time_limit: float | None = None,
    memory_limit: int | None = None,
    **options: Any,
) -> Explained:
    r"""Say why a puzzle has no solution: the fewest rules to drop, and rules that cannot hold together.

    Parameters
    ----------
    puzzle, instance, **options
        See `twinproof.solve`.
    engines, time_limit, memory_limit
        See `twinproof.crosscheck`.

    Returns
    -------
    Explained
        `solvable`; `best`, the layout that breaks the fewest rules; and `conflict`.

    Raises
    ------
    InputError
        If an argument is wrong, or the puzzle has no rules that could be dropped.
    EngineError
        If an engine fails, or its layout breaks a rule it must keep.

    Examples
    --------
    The regions A and B are one cell each, both in row 1:

    >>> import twinproof
    >>> twinproof.explain("starbattle", "ABDD\nCCDD\nDDDD\nDDDD\n").solvable
    False
    """
    found, built = puzzle_and_instance(puzzle, instance, options)
    return explained(found.name, built, _several(engines), Limits(time_limit, memory_limit))


def hint(
    puzzle: str,
    instance: object,
    position: object = None,
    *,
    whole: bool = False,
    time_limit: float | None = None,
    **options: Any,
) -> Hinted | None:
    r"""Give the next step to the solution, by the easiest rule that applies.

    Parameters
    ----------
    puzzle, instance, **options
        See `twinproof.solve`.
    position : sequence of str, str or Path, optional
        What is known: the board with `*` for a star, bulb or mine, `x` for a cell known to have none and `.` for
        an unknown one, as rows, a text with line ends, or a file. It may also be what a command printed, or a
        record. By default nothing is known.
    whole : bool
        Whether to give all steps up to the solution.
    time_limit : float, optional
        Seconds.

    Returns
    -------
    Hinted or None
        `state` says whether there is a step or what is wrong with the position, `steps` has the steps, and
        `sentences` says them in words. If the time was up before all were found, `stopped` says so and `steps` has
        those found; None if there is none.

    Raises
    ------
    InputError
        If an argument is wrong, or the puzzle is none that is solved cell by cell.

    Examples
    --------
    >>> import twinproof
    >>> twinproof.hint("lightup", "..\n.4\n").state
    <State.NO_SOLUTION: 'no solution'>
    """
    given = None if position is None else read_layout_text(source_of(position, "position", rows=True))
    found, built = puzzle_and_instance(puzzle, instance, options, given)
    words_of(found)
    known = {} if given is None else read_known(found, built, given)
    hinted = ask_hint(found, built, known, whole, Limits(time_limit))
    if hinted.stopped is Stop.INTERRUPT:
        raise KeyboardInterrupt
    return None if hinted.state is State.UNKNOWN else hinted


def count(
    puzzle: str,
    instance: object = None,
    *,
    every_layout: bool = False,
    time_limit: float | None = None,
    memory_limit: int | None = None,
    **options: Any,
) -> Count:
    """Count the optimal layouts exactly, in all and up to the instance's symmetries, by the frontier engine.

    Parameters
    ----------
    puzzle, instance, **options
        See `twinproof.solve`.
    every_layout : bool
        Count every layout that `check` accepts. Without it, hops with the same hops and the same tiles reached on
        foot count as one; `counts_once` of the result says so.
    time_limit, memory_limit
        Of all runs together; see `twinproof.solve`.

    Returns
    -------
    Count
        `layouts` and `up_to_symmetry` are None where the time was up before; `complete` says so.

    Raises
    ------
    InputError
        If an argument is wrong, the puzzle has no model for the frontier engine, or the field is too wide for it.
    EngineError
        If the engine fails.

    Examples
    --------
    The dominating sets of four tiles of the 4x4 grid are two, mirror images of each other:

    >>> import twinproof
    >>> counted = twinproof.count("sprinklers", "grid:4x4")
    >>> counted.layouts, counted.up_to_symmetry
    (2, 1)
    """
    found, built = puzzle_and_instance(puzzle, instance, options)
    if "frontier" not in found.engines:
        raise InputError(f"count: {found.name} has no model for the frontier engine, which counts")
    question = Question(found.name, built, found.objective().name)
    return count_layouts(question, Limits(time_limit, memory_limit), every_layout=every_layout)


def generate(
    puzzle: str,
    size: int | tuple[int, int],
    *,
    count: int = 1,
    seed: int = 0,
    difficulty: int | tuple[int, int] | None = None,
    attempts: int | None = None,
    time_limit: float | None = None,
    **options: Any,
) -> tuple[Made, ...]:
    """Make new puzzles, each proved anew to have exactly one solution, or to need no guess.

    Parameters
    ----------
    puzzle : str
    size : int or (int, int)
        Rows and columns.
    count : int
        How many puzzles, no two alike.
    seed : int
        Of the first puzzle; the same seed gives the same puzzle.
    difficulty : int or (int, int), optional
        A grade from 1 to 5, or the lowest and the highest, where puzzles have grades.
    attempts : int, optional
        With a difficulty: after this number of boards with other grades no more are tried; 1000 by default.
    time_limit : float, optional
        Seconds for all puzzles together.
    **options
        Those of the generator, such as `stars=2`; `twinproof.PUZZLES[puzzle].generation.options` lists them.

    Returns
    -------
    tuple of Made
        Each has `generated` with `instance`, `layout` and `seed`, and `proof` in words. They are fewer than asked
        for if the time was up, or too many attempts failed, before.

    Raises
    ------
    InputError
        If an argument is wrong, or no puzzle can be as wished.
    EngineError
        If a puzzle turns out to have another solution, or an engine fails.

    Examples
    --------
    >>> import twinproof
    >>> (made,) = twinproof.generate("lightup", (5, 5), seed=3)
    >>> twinproof.unique("lightup", made.generated.instance).unique
    True
    """
    height, width = whole_pair(size, "size", 1, MAX_TILES)
    grades = None if difficulty is None else whole_pair(difficulty, "difficulty", 1, HARDEST)
    whole(seed, "seed", 0, MAX_SEED)
    whole(count, "count", 1, MOST)
    wish = wish_for(find_puzzle(puzzle), height, width, options, grades, attempts)
    made: list[Made] = []
    make(wish, seed, count, made.append, lambda note: None, Limits(time_limit))
    return tuple(made)


def _question(
    name: str,
    instance: object,
    objective: str | None,
    at_least: int | None,
    at_most: int | None,
    options: Mapping[str, Any],
) -> Question:
    puzzle, built = puzzle_and_instance(name, instance, options)
    return Question(puzzle.name, built, puzzle.objective(objective).name, at_least, at_most)


def _several(engines: object) -> tuple[str, ...]:
    """Take the names of engines; a single name, which is a sequence of letters, is a mistake."""
    if isinstance(engines, str) or not isinstance(engines, Sequence) or not engines:
        raise InputError(f"engines {engines!r}: must be a sequence of names, such as {TWINS}")
    return tuple(engines)
