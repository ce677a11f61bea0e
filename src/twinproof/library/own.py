"""Questions that only one puzzle is asked: any by its name, and the built-in puzzles' own."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from twinproof.library.reading import build, source_of
from twinproof.models import PUZZLES
from twinproof.models.options import returned_type
from twinproof.models.puzzle import Puzzle
from twinproof.models.questions import PuzzleQuestion, Said
from twinproof.models.text.sources import Source
from twinproof.optim import InputError, Limits


def ask(
    question: str,
    instance: object = None,
    *,
    time_limit: float | None = None,
    memory_limit: int | None = None,
    **options: Any,
) -> Said:
    """Ask what only one puzzle is asked, such as `deduce`, `front`, `play`, or what another distribution brings.

    Parameters
    ----------
    question : str
        Its name; `questions` of each of `twinproof.PUZZLES` lists them.
    instance : object
        See `twinproof.solve`.
    time_limit, memory_limit
        See `twinproof.solve`.
    **options
        The question's own, and those of the puzzle's that go with it.

    Returns
    -------
    Said
        `record` has everything in plain values, `lines` says it in words, and `verdict` is true, false for a no,
        or None if a limit came before.

    Raises
    ------
    InputError
        If there is no such question, or an argument is wrong.
    EngineError
        If an engine fails.
    """
    puzzle, asked = _find_question(question)
    own = {option.name: option for option in asked.options}
    of_instance = {name: value for name, value in options.items() if name not in own}
    for name, value in options.items():
        if name in own:
            own[name].check(value)
        elif name not in asked.instance_options:
            raise InputError(f"{name}: not an option of {asked.name}")
    if asked.read is None:
        built = build(puzzle, instance, of_instance)
    else:
        built = _read_other(asked, asked.read, instance, of_instance)
    of_question = {name: value for name, value in options.items() if name in own}
    said: Said = getattr(puzzle.part("questions", asked.name), asked.name)(
        built, of_question, Limits(time_limit, memory_limit), None
    )
    return said


def deduce(
    instance: object,
    *,
    count: bool = False,
    probabilities: bool = False,
    time_limit: float | None = None,
    memory_limit: int | None = None,
    **options: Any,
) -> Said:
    r"""Say of every hidden cell of a Minesweeper board whether it is safe, a mine or undetermined, by both models.

    Parameters
    ----------
    instance : object
        See `twinproof.solve`.
    count : bool
        Whether to count the layouts, exactly.
    probabilities : bool
        Whether to give the probability of a mine on each cell, exactly; this counts too.
    time_limit, memory_limit
        See `twinproof.solve`.
    **options
        `mines=10` says how many mines there are, `no_trust_flags=True` that a flag may be wrong, `format` the text
        form.

    Returns
    -------
    Said
        Its `record` has the lists `safe`, `mines` and `open` of cells, counted from 1; or `conflict`, if the board
        contradicts itself.

    Raises
    ------
    InputError
        If an argument is wrong.
    EngineError
        If an engine fails.

    Examples
    --------
    >>> import twinproof
    >>> said = twinproof.deduce("....\n1232\n")
    >>> said.record["safe"], said.record["mines"]
    ([[1, 1]], [[1, 2], [1, 3], [1, 4]])
    """
    given = {"count": count, "probabilities": probabilities, **options}
    return ask("deduce", instance, time_limit=time_limit, memory_limit=memory_limit, **given)


def front(
    instance: object = None, *, time_limit: float | None = None, memory_limit: int | None = None, **options: Any
) -> Said:
    """Give for every number of hops the fewest sprinklers with which it is possible, by the frontier engine.

    Parameters
    ----------
    instance : object, optional
        See `twinproof.solve`.
    time_limit, memory_limit
        Of each of three runs; see `twinproof.solve`.
    **options
        Those of hops but `hops` itself.

    Returns
    -------
    Said
        Its `record` has the list `front`, each entry with `hops`, `sprinklers` and a `layout`.

    Raises
    ------
    InputError
        If an argument is wrong, or the field is too wide for the engine.
    EngineError
        If the engine fails.
    """
    return ask("front", instance, time_limit=time_limit, memory_limit=memory_limit, **options)


def play(
    mines: object,
    *,
    start: list[str] | tuple[str, ...] = (),
    time_limit: float | None = None,
    memory_limit: int | None = None,
    **options: Any,
) -> Said:
    r"""Reveal what can be revealed of a field of mines without a guess.

    Parameters
    ----------
    mines : str, Path or MineField
        The true mines: a path, a text with line ends, rows of `*` and `.`; or what `generate` made.
    start : list of str
        Cells told to be safe, each as `"ROW,COLUMN"` counted from 1.
    time_limit, memory_limit
        See `twinproof.solve`.
    **options
        `cases=True` plays from each corner and from all four, `mines_known=True` tells the number of mines,
        `format` is the text form.

    Returns
    -------
    Said
        Its `record` has the `picture` at the end, and `safe_revealed`, `mines_proved` and `undetermined`.

    Raises
    ------
    InputError
        If an argument is wrong, or no start is told.
    EngineError
        If an engine fails.

    Examples
    --------
    >>> import twinproof
    >>> twinproof.play("*..\n...\n...\n", start=["3,3"]).record["safe_revealed"]
    8
    """
    return ask("play", mines, time_limit=time_limit, memory_limit=memory_limit, start=start, **options)


def _find_question(name: object) -> tuple[Puzzle[Any], PuzzleQuestion]:
    asked = {question.name: (puzzle, question) for puzzle in PUZZLES.values() for question in puzzle.questions}
    if not isinstance(name, str) or name not in asked:
        raise InputError(f"question {name!r}: unknown; known are {', '.join(asked)}")
    return asked[name]


def _read_other(
    asked: PuzzleQuestion,
    reader: Callable[[Source, Mapping[str, Any]], Any],
    given: object,
    options: Mapping[str, Any],
) -> Any:
    """Read, or take, what a question is about where that is no instance of its puzzle."""
    if isinstance(given, str | Path | list | tuple):
        return reader(source_of(given, "the text", rows=True), options)
    wanted = returned_type(reader)
    if options or not isinstance(given, wanted):
        raise InputError(
            f"{asked.name}: must be a text, a path or a {wanted.__name__}, not {type(given).__name__}"
        )
    return given
