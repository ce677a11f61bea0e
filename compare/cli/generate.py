"""The command generate: new puzzles with one solution."""

import json
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from twinproof.compare.catalogue import ALIASES, entry
from twinproof.compare.cli.command import SOLVED, UNFINISHED, AsJson, finish_undisturbed, print_result
from twinproof.compare.instances import given, parse_cell
from twinproof.compare.output.generated_files import check_folder, choose_form, puzzle_text, save, stem
from twinproof.compare.output.records import check_writable
from twinproof.compare.output.terminal import following
from twinproof.compare.questions.generate import MAX_SEED, MOST, Made, Unmade, Wish, make, record_made
from twinproof.models.lightup.instance import NO_SYMMETRY, WALL_SYMMETRIES
from twinproof.optim import InputError, Limits, Progress, Stop

__all__ = ["commands"]

commands = typer.Typer()

GENERATED = {
    "starbattle": ("--stars", "--variety", "--difficulty"),
    "lightup": ("--walls", "--symmetry", "--minimal", "--difficulty"),
    "minesweeper": ("--mines", "--start", "--no-total"),
}
"""The puzzles that can be made, and the options that not all of them have."""

PER_PAGE = (1, 2, 4, 6)
HARDEST = 5


@commands.command()
def generate(
    puzzle: Annotated[
        str, typer.Argument(metavar="PUZZLE", help=f"{', '.join(GENERATED)}; or {', '.join(ALIASES)}.")
    ],
    size: Annotated[
        str | None, typer.Option(metavar="ROWSxCOLUMNS", help="How large; Star Battle: one number will do.")
    ] = None,
    stars: Annotated[int | None, typer.Option(help="Star Battle: in every row; 1 by default.")] = None,
    variety: Annotated[
        float | None, typer.Option(help="Star Battle: how much the regions' sizes differ, 0 to 1.")
    ] = None,
    walls: Annotated[
        int | None, typer.Option(metavar="PERCENT", help="Light Up: of the cells; 22 by default.")
    ] = None,
    symmetry: Annotated[
        str | None,
        typer.Option(help=f"Light Up: of the walls: {', '.join(WALL_SYMMETRIES)}; by default {NO_SYMMETRY}."),
    ] = None,
    minimal: Annotated[bool, typer.Option("--minimal", help="Light Up: no number that could be dropped.")] = False,
    mines: Annotated[int | None, typer.Option(help="Minesweeper: how many.")] = None,
    start: Annotated[
        str | None, typer.Option(metavar="ROW,COLUMN", help="Minesweeper: where play starts, from 1.")
    ] = None,
    no_total: Annotated[
        bool, typer.Option("--no-total", help="Minesweeper: no guess though the player does not know how many.")
    ] = False,
    difficulty: Annotated[
        str | None, typer.Option(metavar="GRADE", help="Star Battle, Light Up: 1 to 5, or a range such as 2-3.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Of the first puzzle; the same seed gives the same puzzle.")] = 0,
    count: Annotated[int, typer.Option(help="How many puzzles, no two alike.")] = 1,
    out: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Write each finished puzzle there at once.")
    ] = None,
    form: Annotated[
        str | None,
        typer.Option("--format", metavar="FORM", help="See `twinproof list`; Minesweeper: json, tatham."),
    ] = None,
    pdf: Annotated[
        Path | None, typer.Option(help="Draw the puzzles into FILE.pdf, the solutions at its end.")
    ] = None,
    per_page: Annotated[int | None, typer.Option(help="Puzzles a page: 1 (default), 2, 4 or 6.")] = None,
    time_limit: Annotated[float | None, typer.Option(help="Seconds for all puzzles together.")] = None,
    as_json: AsJson = False,
) -> None:
    """Make new puzzles with exactly one solution, proved by both engines; fields of mines that need no guess.

    Without --out they are printed. Exit status 3: fewer were made, as a limit, Ctrl-C or too many failed attempts
    came before.
    """
    name = entry(puzzle).name
    options = given(
        stars=stars,
        variety=variety,
        walls=walls,
        symmetry=symmetry,
        minimal=minimal,
        mines=mines,
        start=start,
        no_total=no_total,
        difficulty=difficulty,
    )
    wish = _wish(name, size, options)
    chosen = choose_form(name, form)
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
            tell = follow("generate")
            ended = make(wish, seed, count, keep, lambda note: tell(Progress(0.0, len(made), count, note)), limits)
    except BaseException:
        if made:
            _deliver(made, files, chosen, as_json=False)
        raise
    finally:
        if new_folder and not made and out is not None:
            with suppress(OSError):
                out.rmdir()
    finish_undisturbed()
    pages = None if pdf is None or not made else _write_pdf(pdf, made, per_page or 1)
    content = {
        "puzzle": name,
        "options": {"--size": size, **options},
        "complete": ended is None,
        "stopped": _why(ended),
        "pdf": None if pages is None else str(pdf),
        "pages": pages,
    }
    _deliver(made, files, chosen, as_json, content)
    if ended is not None:
        _tell(f"{_why(ended)}; finished: {len(made)} of {count}")
    raise typer.Exit(SOLVED if ended is None else UNFINISHED)


def _wish(name: str, size: str | None, options: Mapping[str, Any]) -> Wish:
    """Put options into what is asked of the generator.

    Raises
    ------
    InputError
        If one is missing, wrong or none of this puzzle's.
    """
    if name not in GENERATED:
        raise InputError(f"generate: makes {', '.join(GENERATED)}, not {name}")
    for option in options:
        if option not in GENERATED[name]:
            raise InputError(f"{option}: not an option of generate {name}")
    if size is None:
        raise InputError(f"--size is missing, such as --size {'10' if name == 'starbattle' else '10x10'}")
    height, width = _size(size, square=name == "starbattle")
    arguments: dict[str, Any] = {"height": height, "width": width}
    if name == "starbattle":
        arguments = {"size": height, "stars": options.get("--stars", 1)}
        if "--variety" in options:
            arguments["variety"] = options["--variety"]
            if not 0 <= arguments["variety"] <= 1:
                raise InputError(f"--variety {arguments['variety']}: must be from 0 to 1")
    elif name == "lightup":
        words = {option.removeprefix("--"): value for option, value in options.items()}
        arguments |= {word: words[word] for word in ("walls", "symmetry", "minimal") if word in words}
    else:
        for option in ("--mines", "--start"):
            if option not in options:
                raise InputError(f"{option} is missing")
        arguments |= {
            "mines": options["--mines"],
            "start": parse_cell(options["--start"], "start"),
            "total_known": "--no-total" not in options,
        }
    return Wish(name, arguments, _grades(options["--difficulty"]) if "--difficulty" in options else None)


def _size(text: str, square: bool) -> tuple[int, int]:
    rows, by, columns = text.lower().partition("x")
    numbers = (rows, columns) if by else (rows, rows)
    if not (by or square) or not all(n.isascii() and n.isdigit() and len(n) < 7 for n in numbers):
        raise InputError(
            f"--size {text!r}: must be {'a whole number' if square else 'ROWSxCOLUMNS, such as 10x10'}"
        )
    height, width = int(numbers[0]), int(numbers[1])
    if square and height != width:
        raise InputError(f"--size {text}: a board has as many rows as columns")
    return height, width


def _grades(text: str) -> tuple[int, int]:
    lowest, dash, highest = text.partition("-")
    words = (lowest, highest if dash else lowest)
    known = [str(grade) for grade in range(1, HARDEST + 1)]
    if not all(word in known for word in words) or words[0] > words[1]:
        raise InputError(f"--difficulty {text!r}: must be a grade from 1 to {HARDEST}, or a range such as 2-3")
    return int(words[0]), int(words[1])


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
        _tell("; ".join(filter(None, (f"{stem(one)}: {one.proof}", one.grade, path and f"in {path}"))))
    if as_json:
        puzzles = [
            {"name": stem(one), **record_made(one), "format": form, "text": text, "file": path}
            for one, text, path in zip(made, texts, paths, strict=True)
        ]
        print_result(json.dumps({**(content or {}), "puzzles": puzzles}))
    elif not files and texts:
        print_result("\n".join(texts))


def _why(ended: Stop | Unmade | None) -> str | None:
    return None if ended is None else ended.message if isinstance(ended, Unmade) else f"stopped: {ended}"


def _tell(text: str) -> None:
    print(f"twinproof: {text}", file=sys.stderr)
