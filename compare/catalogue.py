"""What there is: every puzzle with its objectives, its rules and its reader, and where its models are."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from importlib import import_module
from typing import Any

from twinproof.compare.instances import (
    FieldPuzzle,
    Options,
    Puzzle,
    Source,
    describe_board,
    describe_field,
    read_drawn,
    read_field_puzzle,
    read_lightup,
    read_minesweeper,
    read_starbattle,
    show_name,
)
from twinproof.models.hops import instance as hops
from twinproof.models.hops import rules as hops_rules
from twinproof.models.lightup import drawing as lightup_drawing
from twinproof.models.lightup import formats as lightup_formats
from twinproof.models.lightup import instance as lightup
from twinproof.models.lightup import rules as lightup_rules
from twinproof.models.minesweeper import drawing as minesweeper_drawing
from twinproof.models.minesweeper import formats as minesweeper_formats
from twinproof.models.minesweeper import instance as minesweeper
from twinproof.models.minesweeper import rules as minesweeper_rules
from twinproof.models.sprinklers import instance as sprinklers
from twinproof.models.sprinklers import rules as sprinklers_rules
from twinproof.models.starbattle import drawing as starbattle_drawing
from twinproof.models.starbattle import formats as starbattle_formats
from twinproof.models.starbattle import instance as starbattle
from twinproof.models.starbattle import rules as starbattle_rules
from twinproof.models.text.forms import Format
from twinproof.models.violation import Violation
from twinproof.optim import InputError, Sense

__all__ = [
    "ALIASES",
    "FIELD_LOOK",
    "PUZZLES",
    "Entry",
    "Layout",
    "Look",
    "Puzzle",
    "build_model",
    "entry",
    "read_instance",
]

Layout = tuple[str, ...]


@dataclass(frozen=True)
class Look:
    """How a layout is shown.

    Parameters
    ----------
    counted : mapping
        The marks that are counted below a layout, with their meanings.
    colours : mapping
        The colour of the square of each mark.
    lines : callable, optional
        Draws puzzle and layout as text. Without it the rows of the layout are its drawing, on a terminal in
        coloured squares.
    strong : str
        Marks that are highlighted in drawn text.
    written : str
        Marks that a picture writes into their squares.
    area : callable, optional
        Which area of a puzzle a cell belongs to; a picture has borders between areas.
    """

    counted: Mapping[str, str]
    colours: Mapping[str, str]
    lines: Callable[[Any, Sequence[str]], Sequence[str]] | None = None
    strong: str = ""
    written: str = ""
    area: Callable[[Any, int, int], object] | None = None


@dataclass(frozen=True)
class Entry:
    """The rooms of one puzzle.

    Parameters
    ----------
    name : str
        The folder in `models`, and the puzzle's name on the command line.
    title : str
        What is asked, in a few words.
    objectives : mapping
        Their senses by name; None where there is nothing to optimise. The first is the default.
    look : Look
    violations : callable
        The broken rules of a layout.
    value : callable
        The value of a layout, counted by the rules.
    read_layout : callable
        From puzzle, text and the text's name to a layout.
    read : callable
        From the word for an instance on the command line, and options, to the instance.
    rows : callable
        Gives an instance as lines of text that `read` understands.
    describe : callable
        Lists an instance's options by name.
    options : collection of str
        The options of the command line that an instance may have.
    engines : tuple of str
        Those that have a model of their own; third opinions solve the one of maxsat.
    relaxed : mapping
        For an objective, the rules that a layout may break; the value is how many it breaks.
    formats : mapping
        The text forms of an instance; empty where there is only the text map of a field.
    instance : str, optional
        The instance that is meant when none is named.
    """

    name: str
    title: str
    objectives: Mapping[str, Sense | None]
    look: Look
    violations: Callable[[Any, Sequence[str]], list[Violation]]
    value: Callable[[Any, str, Sequence[str]], int | None]
    read_layout: Callable[[Any, str, str], Layout]
    read: Callable[[Source, Options], Any]
    rows: Callable[[Any], Sequence[str]]
    describe: Callable[[Any], dict[str, object]]
    options: Collection[str]
    engines: tuple[str, ...] = ("cpsat", "maxsat")
    relaxed: Mapping[str, frozenset[str]] = field(default_factory=dict)
    formats: Mapping[str, Format[Any]] = field(default_factory=dict)
    instance: str | None = None


FIELD_LOOK = Look(
    {"S": "sprinkler", "H": "hop", ".": "crop", "X": "obstacle"},
    # The article's light blue, green and pink, and gold for hops.
    {"S": "#7fd3f7", "H": "#c9a227", ".": "#6fbf5f", "X": "#f4a3c4"},
)
STARBATTLE_LOOK = Look(
    {"*": "star", "#": "forced empty"},
    {"*": "#f6c945", ".": "#f4f1e6", "#": "#b0aca0"},
    starbattle_drawing.draw,
    strong="*",
    written="*",
    area=lambda puzzle, r, c: "hole" if (r, c) in puzzle.holes else puzzle.regions[r][c],
)
LIGHTUP_LOOK = Look(
    {"*": "bulb"},
    {"*": "#f6c945", ".": "#fdf3c8", **dict.fromkeys("#01234", "#8d8d8d")},
    lightup_drawing.draw,
    strong="*",
    written="*01234",
)
MINESWEEPER_LOOK = Look(
    {"*": "mine", "?": "open, without a number"},
    {"*": "#e07a6a", ".": "#c9d6e2", **dict.fromkeys("?012345678", "#f3f3f3")},
    minesweeper_drawing.draw,
    strong="*",
    written="*?12345678",
)


def _field_rows(puzzle: FieldPuzzle) -> Layout:
    return puzzle.field.rows(dict.fromkeys(puzzle.field.tiles, "."))


def _json_rows(formats: Mapping[str, Format[Any]], puzzle: Puzzle) -> Sequence[str]:
    return formats["json"].write(puzzle).splitlines()


SPRINKLER_OPTIONS = ("--kind", "--nozzle", "--symmetry")
BOARD_OPTIONS = ("--format", "--apart-from")

PUZZLES: dict[str, Entry] = {
    "sprinklers": Entry(
        "sprinklers",
        "water every tile with the fewest sprinklers",
        sprinklers.OBJECTIVES,
        FIELD_LOOK,
        sprinklers_rules.violations,
        sprinklers_rules.value,
        sprinklers.read_layout,
        partial(read_field_puzzle, "sprinklers"),
        _field_rows,
        describe_field,
        SPRINKLER_OPTIONS,
        engines=("cpsat", "maxsat", "frontier", "ksweep"),
        instance="scarecrow",
    ),
    "hops": Entry(
        "hops",
        "grow the most hops that can still be picked on foot",
        hops.OBJECTIVES,
        replace(FIELD_LOOK, counted={**FIELD_LOOK.counted, ".": "walkable crop"}),
        hops_rules.violations,
        hops_rules.value,
        hops.read_layout,
        partial(read_field_puzzle, "hops"),
        _field_rows,
        describe_field,
        (*SPRINKLER_OPTIONS, "--harvest", "--entrance", "--dry-paths", "--hops"),
        engines=("cpsat", "maxsat", "frontier", "ksweep"),
        instance="scarecrow",
    ),
    "starbattle": Entry(
        "starbattle",
        "k stars in every row, column and region, no two touching",
        starbattle.OBJECTIVES,
        STARBATTLE_LOOK,
        starbattle_rules.violations,
        starbattle_rules.value,
        starbattle.read_layout,
        read_starbattle,
        partial(_json_rows, starbattle_formats.FORMATS),
        partial(describe_board, ("stars",)),
        (*BOARD_OPTIONS, "--stars"),
        relaxed=starbattle.RELAXED,
        formats=starbattle_formats.FORMATS,
    ),
    "lightup": Entry(
        "lightup",
        "bulbs that light every floor cell and never each other",
        lightup.OBJECTIVES,
        LIGHTUP_LOOK,
        lightup_rules.violations,
        lightup_rules.value,
        lightup.read_layout,
        read_lightup,
        partial(_json_rows, lightup_formats.FORMATS),
        partial(describe_board, ()),
        BOARD_OPTIONS,
        relaxed=lightup.RELAXED,
        formats=lightup_formats.FORMATS,
    ),
    "minesweeper": Entry(
        "minesweeper",
        "mines that fit the numbers of a board in play",
        minesweeper.OBJECTIVES,
        MINESWEEPER_LOOK,
        minesweeper_rules.violations,
        minesweeper_rules.value,
        minesweeper.read_layout,
        read_minesweeper,
        partial(_json_rows, minesweeper_formats.FORMATS),
        partial(describe_board, ("mines", "trust_flags")),
        (*BOARD_OPTIONS, "--mines", "--no-trust-flags"),
        relaxed=minesweeper.RELAXED,
        formats=minesweeper_formats.FORMATS,
    ),
}

ALIASES = {"alberi": "starbattle", "queens": "starbattle", "akari": "lightup"}


def entry(name: str) -> Entry:
    """Give a puzzle's entry, by its name or another name for it.

    Raises
    ------
    InputError
        If there is no such puzzle.
    """
    known = ALIASES.get(name, name)
    if known not in PUZZLES:
        raise InputError(f"puzzle {name!r}: unknown; known are {', '.join((*PUZZLES, *ALIASES))}")
    return PUZZLES[known]


def read_instance(rooms: Entry, instance: Source | None, options: Options) -> Any:
    """Build an instance from the word for it on the command line, or its text, and the options that are given.

    Raises
    ------
    InputError
        If an option is wrong or none of this puzzle's, or there is no such instance.
    """
    for option in options:
        if option not in rooms.options:
            raise InputError(f"{option}: not an option of {rooms.name}")
    instance = rooms.instance if instance is None else instance
    if instance is None:
        raise InputError(f"{rooms.name}: INSTANCE is missing: a file, or - for standard input")
    apart_from = options.get("--apart-from")
    if apart_from == instance == "-":
        raise InputError("INSTANCE and --apart-from cannot both be standard input")
    puzzle = rooms.read(instance, options)
    if apart_from is None:
        return puzzle
    return replace(puzzle, apart_from=rooms.read_layout(puzzle, read_drawn(apart_from), show_name(apart_from)))


def build_model(
    name: str, engine: str, puzzle: Puzzle, objective: str, at_least: int | None, at_most: int | None
) -> Any:
    """Build a puzzle's model for an engine, by the function `build_ENGINE` in `models/PUZZLE/ENGINE.py`.

    The module is imported here, so that only the process that builds a model loads its solver.
    """
    module = import_module(f"twinproof.models.{name}.{engine}")
    return getattr(module, f"build_{engine}")(puzzle, objective, at_least, at_most)
