"""New puzzles in files: their text forms, their names, and a folder in which nothing is ever overwritten."""

import os
from collections.abc import Mapping
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from twinproof.compare.catalogue import entry
from twinproof.compare.output.records import check_writable, write_file
from twinproof.compare.questions.generate import Made
from twinproof.models.minesweeper.formats import FIELD_FORMATS
from twinproof.models.minesweeper.instance import MineField
from twinproof.models.starbattle.instance import StarBattlePuzzle
from twinproof.models.text.forms import Format
from twinproof.optim import InputError

__all__ = ["check_folder", "choose_form", "puzzle_text", "save", "stem"]

DEFAULT_FORMS = {"starbattle": "text", "lightup": "grid", "minesweeper": "json"}


def forms_of(name: str) -> Mapping[str, Format[Any]]:
    """Give the text forms of what a generator makes: for Minesweeper a field and where to start."""
    if name != "minesweeper":
        return entry(name).formats
    return {form: how for form, how in FIELD_FORMATS.items() if form != "text"}  # which cannot say the start


def choose_form(name: str, form: str | None) -> str:
    """Give the form in which puzzles are written.

    Raises
    ------
    InputError
        If there is no such form, or it cannot say all of a puzzle.
    """
    if form is None:
        return DEFAULT_FORMS[name]
    known = forms_of(name)
    if form not in known:
        raise InputError(f"form {form!r}: not one for new puzzles of {name}; known are {', '.join(known)}")
    return form


def puzzle_text(made: Made, form: str) -> str:
    """Write a puzzle in a form."""
    text: str = forms_of(made.name)[form].write(made.generated.puzzle)
    return text if text.endswith("\n") else text + "\n"


def stem(made: Made) -> str:
    """Name a puzzle by its kind, size, stars or mines, and seed."""
    puzzle = made.generated.puzzle
    parts = [made.name, f"{puzzle.height}x{puzzle.width}"]
    if isinstance(puzzle, StarBattlePuzzle):
        parts.append(str(puzzle.stars))
    if isinstance(puzzle, MineField):
        parts.append(str(len(puzzle.mines)))
    return "-".join([*parts, f"seed{made.generated.seed}"])


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
    """Write a puzzle into a folder, and beside it its solution where the puzzle's form does not say it.

    A file that is there already stays as it is: if it says the same, it is the puzzle's file; else another name is
    taken.

    Returns
    -------
    Path
        Of the puzzle's file.
    """
    text = puzzle_text(made, form)
    solution = None if made.name == "minesweeper" else "\n".join(made.generated.layout) + "\n"
    for number in count(1):
        base = stem(made) + (f"-{number}" if number > 1 else "")
        path = folder / f"{base}.{'json' if form == 'json' else 'txt'}"
        beside = folder / f"{base}.solution.txt"
        # The solution comes first: a puzzle is never there without it.
        contents = {path: text} if solution is None else {beside: solution, path: text}
        if all(_says(file, content) is not False for file, content in contents.items()):
            for file, content in contents.items():
                if _says(file, content) is None:
                    write_file(file, partial(_write, text=content))
            return path
    raise AssertionError("there is always another number")


def _says(path: Path, text: str) -> bool | None:
    """Whether a file says this; None if there is no such file."""
    if not os.path.lexists(path):
        return None
    return path.is_file() and path.read_bytes() == text.encode()


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")
