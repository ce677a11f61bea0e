"""New puzzles in files: their text forms, their names, and a folder in which nothing is ever overwritten."""

import os
from itertools import count
from pathlib import Path
from typing import Any

from twinproof.compare.output.records import check_writable, write_files
from twinproof.compare.questions.generate import Made, generation_of
from twinproof.models.puzzle import Puzzle
from twinproof.optim import InputError


def choose_form(puzzle: Puzzle[Any], form: str | None) -> str:
    """Give the form in which puzzles are written.

    Parameters
    ----------
    puzzle : Puzzle
        One with a generator.
    form : str or None
        The form that is asked for, if any.

    Returns
    -------
    str
        A key of the generation's `forms`.

    Raises
    ------
    InputError
        If there is no such form, or it cannot say all of a puzzle.
    """
    generation = generation_of(puzzle)
    if form is not None and form not in generation.forms:
        known = ", ".join(generation.forms)
        raise InputError(f"form {form!r}: not one for new puzzles of {puzzle.name}; known are {known}")
    return generation.form if form is None else form


def puzzle_text(made: Made, form: str) -> str:
    """Write a puzzle in a form.

    Parameters
    ----------
    made : Made
        The finished puzzle.
    form : str
        A key of the generation's `forms`.

    Returns
    -------
    str
        What the puzzle's file holds.
    """
    return generation_of(made.puzzle).forms[form].write_file(made.generated.instance)


def stem(made: Made) -> str:
    """Name a puzzle by its kind, size, what else its kind puts there, such as how many stars, and seed."""
    instance = made.generated.instance
    number = generation_of(made.puzzle).number(instance)
    numbers = [] if number is None else [str(number)]
    parts = [made.puzzle.name, f"{instance.height}x{instance.width}", *numbers, f"seed{made.generated.seed}"]
    return "-".join(parts)


def check_folder(folder: Path) -> None:
    """Make a folder if it is missing, and refuse one that cannot be written into.

    Raises
    ------
    InputError
        If it is no folder, cannot be made, or cannot be written into.
    """
    try:
        folder.mkdir(exist_ok=True)
    except FileExistsError as error:
        raise InputError(f"{folder}: is there already and is no folder") from error
    except FileNotFoundError as error:
        raise InputError(f"{folder}: the folder {folder.parent} does not exist") from error
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise InputError(f"{folder}: cannot be made: {reason}") from error
    check_writable(folder / "puzzle.txt", (".txt",))


def save(made: Made, form: str, folder: Path) -> Path:
    """Write a puzzle into a folder, and beside it its solution unless the puzzle tells it itself.

    A file that is there already stays as it is: if it says the same, it is the puzzle's file; else another name is
    taken.

    Parameters
    ----------
    made : Made
        The finished puzzle.
    form : str
        A key of the generation's `forms`.
    folder : Path
        It must exist.

    Returns
    -------
    Path
        Of the puzzle's file.
    """
    text = puzzle_text(made, form)
    holds_solution = generation_of(made.puzzle).tells_solution
    solution = None if holds_solution else "\n".join(made.generated.layout) + "\n"
    for number in count(1):
        base = stem(made) + (f"-{number}" if number > 1 else "")
        path = folder / f"{base}.{'json' if form == 'json' else 'txt'}"
        beside = folder / f"{base}.solution.txt"
        # The solution comes first: a puzzle is never there without it.
        contents = {path: text} if solution is None else {beside: solution, path: text}
        if all(_says(file, content) is not False for file, content in contents.items()):
            new = [file for file, content in contents.items() if _says(file, content) is None]
            if new:
                write_files({file: contents[file] for file in new})
            return path
    raise AssertionError("there is always another number")


def _says(path: Path, text: str) -> bool | None:
    """Whether a file says this; None if there is no such file."""
    if not os.path.lexists(path):
        return None
    return path.is_file() and path.read_bytes() == text.encode()
