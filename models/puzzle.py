"""What a puzzle is to the rest of the house: one object that names its parts, and the types that it is made of.

A puzzle is a folder. Its `__init__.py` holds `PUZZLE`, an object of the type `Puzzle`; the modules beside it hold
the instance, the rules, the models and whatever else the puzzle has. See `models/README.md` for how to add one.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any, Generic, TypeAlias, TypeVar, get_type_hints

from twinproof.models.generation.generated import Generated
from twinproof.models.grid import Cell
from twinproof.models.options import TAKEN, Option, is_given
from twinproof.models.sheet import Sheet
from twinproof.models.text.forms import Format, OtherForms
from twinproof.models.text.sources import Source, read_layout_text, show_name
from twinproof.models.violation import Unkeepable, Violation
from twinproof.optim import InputError, OptionError, Sense

InstanceT = TypeVar("InstanceT")

Layout: TypeAlias = tuple[str, ...]
"""The rows of a layout, a character for every cell."""

Json: TypeAlias = dict[str, Any]


@dataclass(frozen=True)
class Objective:
    """What a puzzle may be asked for.

    Parameters
    ----------
    name : str
        Such as `most-hops`.
    sense : Sense or None
        None where nothing is optimised: any layout is an answer.
    counts : str, optional
        The mark whose number is the value. A certificate can only speak of such an objective.
    may_break : frozenset of str
        The rules that a layout may break, which are those of `build_rules`; the value is then how many it breaks.
    after : str, optional
        The objective whose optimum comes first: this one is optimised among the layouts that reach it.
    relative : bool
        Whether the value is counted from a given layout, the instance's `apart_from`.
    """

    name: str
    sense: Sense | None
    counts: str | None = None
    may_break: frozenset[str] = frozenset()
    after: str | None = None
    relative: bool = False


@dataclass(frozen=True)
class Rules(Generic[InstanceT]):
    """The rules, written apart from every model.

    Parameters
    ----------
    violations : callable
        The broken rules of a layout.
    value : callable
        The value of a layout for an objective, counted by the rules; None where nothing is counted.
    """

    violations: Callable[[InstanceT, Sequence[str]], list[Violation]]
    value: Callable[[InstanceT, str, Sequence[str]], int | None]


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
        Draws instance and layout as text. Without it the rows of the layout are its drawing, on a terminal in
        coloured squares.
    strong : str
        Marks that are highlighted in drawn text.
    written : str
        Marks that a picture writes into their squares.
    area : callable, optional
        Which area of an instance a cell belongs to; a picture has borders between areas.
    place : callable, optional
        The line and the position in it where `lines` draws a cell.
    """

    counted: Mapping[str, str]
    colours: Mapping[str, str]
    lines: Callable[[Any, Sequence[str]], Sequence[str]] | None = None
    strong: str = ""
    written: str = ""
    area: Callable[[Any, int, int], object] | None = None
    place: Callable[[Cell], tuple[int, int]] = lambda cell: (cell[0], 2 * cell[1])


@dataclass(frozen=True)
class Words:
    """How the cells of a puzzle are spoken of in hints.

    Parameters
    ----------
    marked, empty : str
        What is said of one cell: `{}` is its place.
    all_marked, all_empty : str
        The same of several cells.
    playable : str
        The marks on the board of the cells of which something can be known.
    board : callable, optional
        From an instance to its board when nothing is known, where that is not the layout without any mark.
    """

    marked: str
    empty: str
    all_marked: str
    all_empty: str
    playable: str = "."
    board: Callable[[Any], Layout] | None = None


@dataclass(frozen=True)
class Generation:
    """How new puzzles are asked for, named and printed.

    The part `generate` makes them: its functions are `generate`, which takes the arguments, `seed`, `accept` and
    `on_note` and gives a `Generated`; `canonical`, which gives of a new puzzle what it has in common with those
    that count as the same; and, where a new puzzle must be something other than unique, `prove`, which takes it
    and the arguments and says in words what it proves, or raises `EngineError`.

    Parameters
    ----------
    options : tuple of Option
        Besides the size.
    arguments : callable
        From height, width and the options that are given to the generator's arguments; refuses what is wrong.
    forms : mapping
        The text forms that can say all of a new puzzle.
    form : str
        The one in which it is written by default.
    sheet : callable
        Draws it on paper: from new puzzle, layout and whether the layout is shown to a `Sheet`.
    title : callable
        What it is called on paper.
    number : callable
        What a file's name says of it besides its size; None if nothing.
    tells_solution : bool
        Whether it tells its solution itself, so that this needs no file of its own.
    square : bool
        Whether it has as many rows as columns, so that one number says the size.
    grades : bool
        Whether it has a grade, by `grade` in the part `hints`, so that `--difficulty` can be asked for.
    """

    options: tuple[Option, ...]
    arguments: Callable[[int, int, Mapping[str, Any]], dict[str, Any]]
    forms: Mapping[str, Format[Any]]
    form: str
    sheet: Callable[[Any, Sequence[str], bool], Sheet]
    title: Callable[[Generated], str]
    number: Callable[[Any], int | None] = lambda instance: None
    tells_solution: bool = False
    square: bool = False
    grades: bool = True


@dataclass(frozen=True)
class Said:
    """The answer to a question that only one puzzle knows, ready to be shown.

    Parameters
    ----------
    record : dict
        One JSON object.
    lines : tuple of str
        For a person, below the drawing.
    verdict : bool or None
        True if the question is answered, False if the answer is a no, None if the search was stopped before.
    drawing : tuple of str
        Lines in which the marks `strong` are highlighted.
    strong : str
    """

    record: Json
    lines: tuple[str, ...]
    verdict: bool | None = True
    drawing: tuple[str, ...] = ()
    strong: str = ""


@dataclass(frozen=True)
class PuzzleQuestion:
    """A question that only this puzzle knows, such as what a board in play proves.

    The part `questions` of the puzzle has a function of this name. It takes an instance, the question's options by
    name, limits and a function for progress, and gives what is `Said`.

    Parameters
    ----------
    name : str
        The command's name.
    help : str
        What it gives, in a sentence, and below it what else is to be known.
    options : tuple of Option
        The question's own options.
    instance_options : tuple of str
        Those of the puzzle's options that go with it.
    read : callable, optional
        From a source and the options to what is asked about, where that is no instance of the puzzle.
    """

    name: str
    help: str
    options: tuple[Option, ...] = ()
    instance_options: tuple[str, ...] = ()
    read: Callable[[Source, Mapping[str, Any]], Any] | None = None


def _no_check(instance: Any, objective: Objective, bounded: bool) -> None:
    """Refuse nothing."""


def returned_type(function: Callable[..., Any]) -> type:
    """Give the class that a function says it returns; `object` where it says none."""
    found = get_type_hints(function).get("return")
    return found if isinstance(found, type) else object


@dataclass(frozen=True)
class Puzzle(Generic[InstanceT]):
    """A puzzle.

    Parameters
    ----------
    name : str
        The folder's name, and the puzzle's on the command line.
    title : str
        What is asked, in a few words.
    package : str
        The folder's import name.
    objectives : tuple of Objective
        The first is the default.
    options : tuple of Option
    build : callable
        From a source and the options that are given, by name, to the instance.
    to_json, from_json : callable
        All of an instance in plain JSON values, in one way only, and back. Certificates hold this form.
    describe : callable
        The options that an instance was built with, by name, as records show them.
    rows : callable
        An instance as lines of text that `build` understands.
    read_layout : callable
        From instance, text and the text's name to a layout.
    draw : callable
        From an instance and a mark for each of some cells to the layout with these marks.
    rules : Rules
    look : Look
    formats : mapping
        The text forms of an instance; empty where there is only one.
    other_forms : OtherForms, optional
        The forms of something else that its files may hold.
    aliases : tuple of str
        Other names.
    engines : tuple of str
        Those that have a model of their own.
    claims : tuple of str
        What certificates can say; the first is the default.
    counts_once : str, optional
        Which layouts `build_frontier` counts as one, in words, unless it is asked for `every_layout`.
    default : str, optional
        The instance that is meant when none is named.
    named : mapping
        The instances that have a name, and what each is.
    check : callable
        Refuses an objective that an instance does not go with; whether a bound on the value is asked for, too.
    fixed, fix : callable, optional
        Where an objective comes after another: the value of the other that an instance fixes, and the instance
        with that value fixed.
    wider : callable, optional
        From an instance and an objective to an instance whose optimum bounds this one's, and what was given up.
    at_sight : callable
        The rules that no solution can keep, as far as that is seen without a search.
    explains_cells : bool
        Whether the part `explain` says why a cell is as it is.
    spell : callable, optional
        Changes what `describe` says, in place, into options that `build` takes, where it says them otherwise.
    words : Words, optional
        For hints, where the puzzle is solved cell by cell.
    generation : Generation, optional
        Where there is a generator.
    questions : tuple of PuzzleQuestion
        What only this puzzle is asked.
    usual : mapping
        Of what `describe` says, the values that go without saying: the words of a claim leave them out, like what
        is false, null or empty and does not stand here.

    Raises
    ------
    InputError
        If an option has a name that commands have given to an option of their own.
    """

    name: str
    title: str
    package: str
    objectives: tuple[Objective, ...]
    options: tuple[Option, ...]
    build: Callable[[Source, Mapping[str, Any]], InstanceT]
    to_json: Callable[[InstanceT], Json]
    from_json: Callable[[Mapping[str, Any]], InstanceT]
    describe: Callable[[InstanceT], dict[str, object]]
    rows: Callable[[InstanceT], Sequence[str]]
    read_layout: Callable[[InstanceT, str, str], Layout]
    draw: Callable[[InstanceT, Mapping[Cell, str]], Layout]
    rules: Rules[InstanceT]
    look: Look
    formats: Mapping[str, Format[InstanceT]] = field(default_factory=dict)
    other_forms: OtherForms | None = None
    aliases: tuple[str, ...] = ()
    engines: tuple[str, ...] = ("cpsat", "maxsat")
    claims: tuple[str, ...] = ("unique", "infeasible", "forced", "optimum")
    counts_once: str | None = None
    default: str | None = None
    named: Mapping[str, str] = field(default_factory=dict)
    check: Callable[[InstanceT, Objective, bool], None] = _no_check
    fixed: Callable[[InstanceT], int | None] | None = None
    fix: Callable[[InstanceT, int], InstanceT] | None = None
    wider: Callable[[InstanceT, str], tuple[InstanceT, tuple[str, ...]]] | None = None
    at_sight: Callable[[InstanceT], Sequence[Unkeepable]] = lambda instance: ()
    explains_cells: bool = False
    spell: Callable[[dict[str, Any]], None] | None = None
    words: Words | None = None
    generation: Generation | None = None
    questions: tuple[PuzzleQuestion, ...] = ()
    usual: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for option in self.options:
            if option.name in TAKEN:
                raise InputError(
                    f"{self.name}: {option.flag}: the commands have an option of their own of that name"
                )

    def __reduce__(self) -> tuple[Any, ...]:
        # A child process finds the puzzle by its name; not all of it could be pickled.
        return _load, (self.package,)

    def part(self, name: str) -> ModuleType:
        """Give a module of the puzzle's folder; it is loaded only now, with the solver that it may need.

        Raises
        ------
        InputError
            If the puzzle has no such part.
        """
        if not self.has(name):
            raise InputError(f"{self.name}: has no {name}")
        return import_module(f"{self.package}.{name}")

    def has(self, name: str) -> bool:
        """Whether there is such a module in the puzzle's folder."""
        return find_spec(f"{self.package}.{name}") is not None

    @cached_property
    def _objectives(self) -> dict[str, Objective]:
        return {objective.name: objective for objective in self.objectives}

    def objective(self, name: str | None = None) -> Objective:
        """Give an objective by its name; the first without a name.

        Raises
        ------
        InputError
            If there is no such objective.
        """
        if name is None:
            return self.objectives[0]
        if name not in self._objectives:
            known = ", ".join(self._objectives)
            raise InputError(f"objective {name!r}: {self.name} has no such objective; it has {known}")
        return self._objectives[name]

    def has_objective(self, name: str) -> bool:
        """Whether there is such an objective."""
        return name in self._objectives

    def read(self, source: Source | None, options: Mapping[str, Any] | None = None) -> InstanceT:
        """Build an instance from a name, a file, or a text, and the options that are given.

        Parameters
        ----------
        source : str, Inline or None
            None means the puzzle's default instance.
        options : mapping
            By name. `apart_from` is the source of a layout.

        Raises
        ------
        InputError
            If an option is wrong or none of this puzzle's, or there is no such instance.
        """
        options = dict(options or {})
        known = {option.name: option for option in self.options}
        for name, value in options.items():
            if name not in known:
                raise OptionError(name, f": not an option of {self.name}")
            if name != "apart_from":
                known[name].check(value)
        source = self.default if source is None else source
        if source is None:
            raise InputError(f"{self.name}: INSTANCE is missing: a file, or - for standard input")
        apart_from = options.pop("apart_from", None)
        if apart_from == source == "-":
            raise OptionError("apart_from", " cannot both be standard input", "INSTANCE and ")
        instance = self.build(source, options)
        if apart_from is None:
            return instance
        layout = self.read_layout(instance, read_layout_text(apart_from), show_name(apart_from))
        return self.apart_from(instance, layout)

    @cached_property
    def instance_type(self) -> type:
        """The class of an instance, as `build` says it; `object` where it says none."""
        return returned_type(self.build)

    def check_type(self, instance: object) -> None:
        """Refuse what is no instance of this puzzle.

        Raises
        ------
        InputError
            If it is something else, such as another puzzle's instance.
        """
        if not isinstance(instance, self.instance_type):
            found, wanted = type(instance).__name__, self.instance_type.__name__
            raise InputError(f"{self.name}: the instance is a {found}, and must be a {wanted}")

    def apart_from(self, instance: InstanceT, layout: Layout) -> InstanceT:
        """Give the same instance with a layout from which distances are counted.

        Parameters
        ----------
        instance : InstanceT
            It must have a field `apart_from`.
        layout : tuple of str
            The rows of the layout.

        Returns
        -------
        InstanceT
            A copy.
        """
        changed: InstanceT = replace(instance, apart_from=layout)  # type: ignore[type-var]
        return changed

    def as_options(self, instance: InstanceT) -> dict[str, Any]:
        """Give the options that build an instance again from its rows; what is false or none is left out."""
        said = dict(self.describe(instance))
        if self.spell is not None:
            self.spell(said)
        names = {option.name for option in self.options}
        return {name: value for name, value in said.items() if name in names and is_given(value)}

    def build_model(self, engine: str, instance: InstanceT, objective: str, every_layout: bool = False) -> Any:
        """Build the model for an engine: the function `build_ENGINE` of the part `ENGINE`.

        Parameters
        ----------
        engine : str
            The name of the part.
        instance : InstanceT
            What the model is of.
        objective : str
            One of the puzzle's objectives.
        every_layout : bool
            Whether a model that counts some layouts as one must tell them apart.

        Returns
        -------
        Any
            A model of the kind that the engine solves.
        """
        build = getattr(self.part(engine), f"build_{engine}")
        return build(instance, objective, every_layout=True) if every_layout else build(instance, objective)


def _load(package: str) -> "Puzzle[Any]":
    puzzle: Puzzle[Any] = import_module(package).PUZZLE
    return puzzle
