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
from typing import Any, Generic, TypeAlias, TypeVar

from twinproof.models.drawn import read_layout
from twinproof.models.generation.generated import Generated
from twinproof.models.grid import Cell
from twinproof.models.options import TAKEN, Option, is_given, returned_type
from twinproof.models.questions import PuzzleQuestion
from twinproof.models.recorded import with_recorded
from twinproof.models.sheet import Sheet
from twinproof.models.text.forms import Format, OtherForms
from twinproof.models.text.sources import LayoutText, Source, read_layout_text, written_out
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
        Marks that a layout has in addition to its instance: highlighted in drawn text, and read off it.
    written : str
        Marks that a picture writes into their squares.
    area : callable, optional
        Which area of an instance a cell belongs to; a picture has borders between areas.
    place : callable, optional
        The line and the position in it where `lines` draws a cell, by which a drawing is read back.
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
    never : callable
        From the generator's arguments and a grade to the reason why no new puzzle has that grade; None if one may.
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
    never: Callable[[Mapping[str, Any], int], str | None] = lambda arguments, grade: None


def _no_check(instance: Any, objective: Objective, bounded: bool) -> None:
    """Refuse nothing."""


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
        An instance as lines of text that `build` understands, if their form is named where `rows_form` names one.
    read_layout : callable
        From instance, text and the text's name to a layout.
    draw : callable
        From an instance and a mark for each of some cells to the layout with these marks.
    rules : Rules
    look : Look
    formats : mapping
        The text forms of an instance; empty where there is only one that says an instance by itself.
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
    rows_form : str, optional
        The form of `rows`, an option of `build`, where it is not always recognised.
    is_named : callable
        Whether an instance is drawn, cell by cell, as everybody knows its name to be, such as the field `disc:9`;
        a claim about any other instance must tell what is drawn there.

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
    rows_form: str | None = None
    is_named: Callable[[InstanceT], bool] = lambda instance: False

    def __post_init__(self) -> None:
        for option in self.options:
            if option.name in TAKEN:
                raise InputError(
                    f"{self.name}: {option.flag}: the commands have an option of their own of that name"
                )

    def __reduce__(self) -> tuple[Any, ...]:
        # A child process finds the puzzle by its name; not all of it could be pickled.
        return _load, (self.package,)

    def part(self, name: str, *needed: str) -> ModuleType:
        """Give a module of the puzzle's folder; it is loaded only now, with the solver that it may need.

        Parameters
        ----------
        name : str
            The module's.
        *needed : str
            What must stand in it.

        Raises
        ------
        InputError
            If the puzzle has no such part, or something that is needed is not in it.
        """
        if not self.has(name):
            raise InputError(f"{self.name}: this needs the part {name}, and the puzzle has none")
        module = import_module(f"{self.package}.{name}")
        for one in needed:
            if not hasattr(module, one):
                raise InputError(f"{self.name}: this needs {one} in the part {name}, and there is none")
        return module

    def has(self, name: str) -> bool:
        """Whether there is such a module in the puzzle's folder."""
        try:
            return find_spec(f"{self.package}.{name}") is not None
        except ModuleNotFoundError:  # the puzzle is a single module, without a folder
            return False

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
        if not self.has_objective(name):
            known = ", ".join(self._objectives)
            raise InputError(f"objective {name!r}: {self.name} has no such objective; it has {known}")
        return self._objectives[name]

    def has_objective(self, name: str) -> bool:
        """Whether there is such an objective."""
        return name in self._objectives

    def read(
        self,
        source: Source | None,
        options: Mapping[str, Any] | None = None,
        beside: LayoutText | None = None,
    ) -> InstanceT:
        """Build an instance from a name, a file or a text, and options.

        Parameters
        ----------
        source : str, Inline or None
            None means the puzzle's default instance.
        options : mapping
            By name. `apart_from` is the source of a layout.
        beside : LayoutText, optional
            A layout that is given with them. If it is a record, its options are the instance's too.

        Raises
        ------
        InputError
            If an option is wrong or none of this puzzle's, a record says another, or there is no such instance.
        """
        options = dict(options or {})
        known = {option.name: option for option in self.options}
        for name in options:
            if name not in known:
                raise OptionError(name, f": not an option of {self.name}")
        source = self.default if source is None else source
        if source is None:
            raise InputError(f"{self.name}: INSTANCE is missing: a file, or - for standard input")
        apart_from = options.pop("apart_from", None)
        if apart_from == source == "-":
            raise OptionError("apart_from", " cannot both be standard input", "INSTANCE and ")
        given = None if apart_from is None else read_layout_text(apart_from)
        options = with_recorded(self, given, with_recorded(self, beside, options))
        for name, value in options.items():
            known[name].check(value)
        instance = self.build(written_out(source) if self.formats else source, options)
        return instance if given is None else self.apart_from(instance, read_layout(self, instance, given))

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
        """
        changed: InstanceT = replace(instance, apart_from=layout)  # type: ignore[type-var]
        return changed

    def as_options(self, instance: InstanceT) -> dict[str, Any]:
        """Give the options that build an instance again from its rows; what is false or none is left out."""
        form = {} if self.rows_form is None else {"format": self.rows_form}
        return self.spelled(self.describe(instance)) | form

    def spelled(self, described: Mapping[str, Any]) -> dict[str, Any]:
        """Give the options that build what `describe` says, as `as_options` does."""
        said = dict(described)
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
        name = f"build_{engine}"
        build = getattr(self.part(engine, name), name)
        return build(instance, objective, every_layout=True) if every_layout else build(instance, objective)


def _load(package: str) -> "Puzzle[Any]":
    puzzle: Puzzle[Any] = import_module(package).PUZZLE
    return puzzle
