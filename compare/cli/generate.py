"""The command generate: new puzzles with one solution."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from twinproof.compare.cli.command import SOLVED, UNFINISHED, finish_undisturbed, print_result, tell
from twinproof.compare.cli.options import INSTANCE, OUTPUT, AsJson, add_options
from twinproof.compare.output.generated_files import check_folder, choose_form, puzzle_text, save, stem
from twinproof.compare.output.records import check_writable, json_line
from twinproof.compare.output.terminal import following
from twinproof.compare.questions.generate import (
    ATTEMPTS,
    MAX_SEED,
    MOST,
    Made,
    generation_of,
    make,
    record_made,
    wish_for,
)
from twinproof.models import PUZZLES
from twinproof.models.text.numbers import is_whole
from twinproof.optim import InputError, Limits, OutputError, Progress

GENERATED = {puzzle.name: puzzle.generation for puzzle in PUZZLES.values() if puzzle.generation is not None}

PER_PAGE = (1, 2, 4, 6)
HARDEST = 5


@add_options(option for generation in GENERATED.values() for option in generation.options)
def generate(
    puzzle: Annotated[str, typer.Argument(metavar="PUZZLE", help=f"{', '.join(GENERATED)}, or another name.")],
    size: Annotated[
        str | None,
        typer.Option(
            metavar="ROWSxCOLUMNS",
            help="The size of a board; one number will do where boards are squares.",
            rich_help_panel=INSTANCE,
        ),
    ] = None,
    difficulty: Annotated[
        str | None,
        typer.Option(
            metavar="GRADE",
            help="The grade, 1 to 5, or a range such as 2-3, where puzzles have grades.",
            rich_help_panel=INSTANCE,
        ),
    ] = None,
    attempts: Annotated[
        int | None,
        typer.Option(
            metavar="NUMBER",
            help=f"With --difficulty: give up after this number of boards of other grades; by default {ATTEMPTS}.",
            rich_help_panel=INSTANCE,
        ),
    ] = None,
    seed: Annotated[
        int, typer.Option(help="The seed of the first puzzle; the same seed gives the same puzzle.")
    ] = 0,
    count: Annotated[int, typer.Option(help="How many puzzles, no two alike.")] = 1,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Write each finished puzzle there at once.", rich_help_panel=OUTPUT),
    ] = None,
    form: Annotated[
        str | None,
        typer.Option(
            "--format", metavar="FORM", help="The text form to write the puzzles in.", rich_help_panel=OUTPUT
        ),
    ] = None,
    pdf: Annotated[
        Path | None,
        typer.Option(help="Draw the puzzles into FILE.pdf, the solutions at its end.", rich_help_panel=OUTPUT),
    ] = None,
    per_page: Annotated[
        int | None, typer.Option(help="Puzzles a page: 1 (default), 2, 4 or 6.", rich_help_panel=OUTPUT)
    ] = None,
    time_limit: Annotated[float | None, typer.Option(help="Seconds for all puzzles together.")] = None,
    as_json: AsJson = False,
    *,
    options: Mapping[str, Any],
) -> None:
    """Make new puzzles, each proved anew to have exactly one solution, or to need no guess.

    Without --out they are printed. Exit status 3: fewer were made, as a limit, Ctrl-C or too many failed attempts
    came before; where a grade was asked for, it is said which grades came instead.
    """
    asked = PUZZLES.find(puzzle)
    generation = generation_of(asked)
    if size is None:
        raise InputError(f"--size is missing, such as --size {'10' if generation.square else '10x10'}")
    height, width = _size(size, generation.square)
    wish = wish_for(asked, height, width, options, None if difficulty is None else _grades(difficulty), attempts)
    chosen = choose_form(asked, form)
    _check_batch(seed, count, pdf, per_page)
    limits = Limits(time_limit)
    new_folder = out is not None and not out.exists()
    made: list[Made] = []
    files: list[Path] = []

    def keep(one: Made) -> None:
        if out is not None:
            files.append(save(one, chosen, out))
        made.append(one)

    try:
        if out is not None:
            check_folder(out)
        if pdf is not None:
            check_writable(pdf, (".pdf",))
        with following(Console(stderr=True)) as follow:
            show = follow("generate")
            ended = make(wish, seed, count, keep, lambda note: show(Progress(0.0, len(made), count, note)), limits)
    except BaseException:
        if made:
            _deliver(made, files, chosen, as_json=False)
        raise
    finally:
        if new_folder and not made and out is not None:
            with suppress(OSError):
                out.rmdir()
    finish_undisturbed()
    try:
        pages = None if pdf is None or not made else _write_pdf(pdf, made, per_page or 1)
    except OutputError:
        _deliver(made, files, chosen, as_json=False)
        raise
    content = {
        "puzzle": asked.name,
        "options": {"--size": size, **_spelled({**options, "difficulty": difficulty, "attempts": attempts})},
        "complete": ended is None,
        "stopped": None if ended is None else ended.message,
        **({} if ended is None or not ended.others else {"others": dict(ended.others)}),
        "pdf": None if pages is None else str(pdf),
        "pages": pages,
    }
    _deliver(made, files, chosen, as_json, content)
    if ended is not None:
        tell(f"{ended}; finished: {len(made)} of {count}")
    raise typer.Exit(SOLVED if ended is None else UNFINISHED)


def _size(text: str, square: bool) -> tuple[int, int]:
    rows, by, columns = text.lower().partition("x")
    numbers = (rows, columns) if by else (rows, rows)
    if not (by or square) or not all(is_whole(number, 6) for number in numbers):
        raise InputError(
            f"--size {text!r}: must be {'a whole number' if square else 'ROWSxCOLUMNS, such as 10x10'}"
        )
    return int(numbers[0]), int(numbers[1])


def _grades(text: str) -> tuple[int, int]:
    lowest, dash, highest = text.partition("-")
    words = (lowest, highest if dash else lowest)
    known = [str(grade) for grade in range(1, HARDEST + 1)]
    if not all(word in known for word in words) or words[0] > words[1]:
        raise InputError(f"--difficulty {text!r}: must be a grade from 1 to {HARDEST}, or a range such as 2-3")
    return int(words[0]), int(words[1])


def _spelled(options: Mapping[str, Any]) -> dict[str, Any]:
    """Name the options that are given as the command line does."""
    return {"--" + name.replace("_", "-"): value for name, value in options.items() if value is not None}


def _check_batch(seed: int, count: int, pdf: Path | None, per_page: int | None) -> None:
    if not 0 <= seed <= MAX_SEED:
        raise InputError(f"--seed {seed}: must be from 0 to {MAX_SEED}")
    if not 1 <= count <= MOST:
        raise InputError(f"--count {count}: must be from 1 to {MOST}")
    if per_page is not None and pdf is None:
        raise InputError("--per-page: only with --pdf")
    if per_page not in (None, *PER_PAGE):
        raise InputError(f"--per-page {per_page}: must be one of {', '.join(map(str, PER_PAGE))}")


def _write_pdf(pdf: Path, made: Sequence[Made], per_page: int) -> int:
    # Imported here because matplotlib takes longer to load than a puzzle to make.
    from twinproof.compare.output.pages import write_pages  # noqa: PLC0415

    return write_pages(pdf, made, per_page)


def _deliver(
    made: Sequence[Made],
    files: Sequence[Path],
    form: str,
    as_json: bool,
    content: Mapping[str, Any] | None = None,
) -> None:
    """Print what was made, or where it is; what is known of each goes to standard error."""
    texts = [puzzle_text(one, form) for one in made]
    paths = [str(path) for path in files] if files else [None] * len(made)
    for one, path in zip(made, paths, strict=False):
        tell("; ".join(filter(None, (f"{stem(one)}: {one.proof}", one.grade, path and f"in {path}"))))
    if as_json:
        puzzles = [
            {"name": stem(one), **record_made(one), "format": form, "text": text, "file": path}
            for one, text, path in zip(made, texts, paths, strict=True)
        ]
        print_result(json_line({**(content or {}), "puzzles": puzzles}))
    elif not files and texts:
        print_result("\n".join(texts))
