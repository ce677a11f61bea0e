"""How the functions of the library read what they are given."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from twinproof.models import PUZZLES
from twinproof.models.options import APART_FROM
from twinproof.models.puzzle import Puzzle
from twinproof.models.recorded import with_recorded
from twinproof.models.text.addresses import title
from twinproof.models.text.forms import LINE_END
from twinproof.models.text.sources import Inline, LayoutText, Source
from twinproof.optim import InputError


def read(puzzle: str, instance: object = None, **options: Any) -> Any:
    r"""Read an instance, to look at it or to ask several questions about it.

    Parameters
    ----------
    puzzle : str
        The name of a puzzle, such as `sprinklers`: a key of `twinproof.PUZZLES`, or an alias of one.
    instance : str or Path, optional
        The name of an instance, such as `disc:9`; the path of a file; an address such as
        `https://puzz.link/p?akari/6/6/nekcakbl`, or a game ID; or the text of a file, which must have a line end
        in it. A file that exists goes before an address or a game ID of the same spelling. Without it, the
        puzzle's default instance, if there is one.
    **options
        The puzzle's options, such as `harvest=8`: those of the command line with `_` for `-`.
        `twinproof.PUZZLES[puzzle].options` lists them.

    Returns
    -------
    object
        An instance of the puzzle. Every function here takes it instead of a name or text.

    Raises
    ------
    InputError
        If there is no such puzzle, option or instance, or one of them is of a wrong type.

    Examples
    --------
    >>> import twinproof
    >>> twinproof.read("starbattle", "AAB\nCAB\nCCB\n", stars=1).height
    3
    >>> twinproof.read("lightup", "https://puzz.link/p?akari/6/6/nekcakbl").rows[1]
    '..4...'
    """
    return puzzle_and_instance(puzzle, instance, options)[1]


def find_puzzle(name: object) -> Puzzle[Any]:
    """Give a puzzle by its name.

    Raises
    ------
    InputError
        If there is no such puzzle, or the name is no text.
    """
    if not isinstance(name, str):
        raise InputError(f"puzzle {name!r}: must be a name, such as {next(iter(PUZZLES))!r}")
    return PUZZLES.find(name)


def puzzle_and_instance(
    name: object, instance: object, options: Mapping[str, Any], beside: LayoutText | None = None
) -> tuple[Puzzle[Any], Any]:
    """Give a puzzle by its name, and an instance of it.

    Parameters
    ----------
    name, instance, options
        As the caller of `read` gives them.
    beside : LayoutText, optional
        A layout that is given with them.

    Raises
    ------
    InputError
        If one of them is wrong.
    """
    puzzle = find_puzzle(name)
    return puzzle, build(puzzle, instance, options, beside)


def build(
    puzzle: Puzzle[Any], instance: object, options: Mapping[str, Any], beside: LayoutText | None = None
) -> Any:
    """Build an instance, or take one that is built.

    Parameters
    ----------
    puzzle : Puzzle
    instance, options
        As the caller of `read` gives them.
    beside : LayoutText, optional
        A layout that is given with them: if it is a record, its options are the instance's.

    Raises
    ------
    InputError
        If there is no such instance, it is another puzzle's, an option is wrong, or a record says another.
    """
    if instance is None or isinstance(instance, str | Path):
        options = dict(options)
        if APART_FROM.name in options:
            options[APART_FROM.name] = source_of(options[APART_FROM.name], APART_FROM.name, rows=True)
        return puzzle.read(None if instance is None else source_of(instance, "the text"), options, beside)
    puzzle.check_type(instance)
    if options:
        raise InputError(f"{', '.join(options)}: options go with a name, a file or a text; the instance is built")
    if beside is not None:
        with_recorded(puzzle, beside, puzzle.as_options(instance))
    return instance


def source_of(given: object, what: str, rows: bool = False) -> Source:
    """Take a text with line ends for itself, unless it is an address, and any other text for a name or a path.

    Parameters
    ----------
    given : object
        A text, a path, or a sequence of rows.
    what : str
        What the text is called in messages.
    rows : bool
        Whether rows are allowed too.

    Raises
    ------
    InputError
        If it is something else.
    """
    if isinstance(given, Path):
        return str(given)
    if isinstance(given, str):
        return Inline(what, given) if LINE_END.search(given) and title(given) is None else given
    if rows and isinstance(given, list | tuple) and all(isinstance(row, str) for row in given):
        return Inline(what, "\n".join(given) + "\n")
    raise InputError(f"{what}: must be a text{', rows' if rows else ''} or a path, not {type(given).__name__}")


def path_of(given: object, what: str) -> Path:
    """Give the path that is meant.

    Parameters
    ----------
    given : object
        A text or a path.
    what : str
        What it is called in messages.

    Raises
    ------
    InputError
        If it is something else.
    """
    if not isinstance(given, str | Path):
        raise InputError(f"{what}: must be the path of a file, not {type(given).__name__}")
    return Path(given)


def whole(given: object, what: str, lowest: int, highest: int) -> int:
    """Take a whole number.

    Parameters
    ----------
    given : object
    what : str
        What it is called in messages.
    lowest, highest : int

    Raises
    ------
    InputError
        If it is none, or out of range.
    """
    if not isinstance(given, int) or isinstance(given, bool) or not lowest <= given <= highest:
        raise InputError(f"{what} {given!r}: must be a whole number from {lowest} to {highest}")
    return given


def whole_pair(given: object, what: str, lowest: int, highest: int) -> tuple[int, int]:
    """Take a pair of whole numbers; one number stands for two that are equal.

    Parameters
    ----------
    given : object
    what, lowest, highest
        See `whole`.

    Raises
    ------
    InputError
        If it is neither a number nor a pair, or a number is out of range.
    """
    pair = given if isinstance(given, list | tuple) else (given, given)
    if len(pair) != 2:
        raise InputError(f"{what} {given!r}: must be a whole number, or two of them")
    first, second = (whole(one, what, lowest, highest) for one in pair)
    return first, second
