"""What a person can conclude, step by step: rules with grades, steps, and the way to a solution.

A grade says how hard a rule is to see: 1 at a glance, 2 in one line or one clue, 3 in several of them together,
4 by supposing one cell and following what is seen at a glance, 5 by supposing one and following more than that.
The grade of a puzzle is that of the hardest rule that is needed when the easiest that applies is always taken.
Whatever a rule can conclude it can still conclude, unless it is known by then, when more is known; so the grade
does not depend on the order of the steps.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

from twinproof.models.deduction.position import Known, Position
from twinproof.models.grid import Cell, show
from twinproof.models.text.grids import rectangle
from twinproof.models.words import count_of
from twinproof.optim import InputError

MARKED, EMPTY, UNKNOWN = "*", "x", "."
"""The marks of a position: a star, bulb or mine; a cell known to have none; a cell of which nothing is known."""

BEYOND = "beyond the rules"

SUPPOSING = 4
"""Rules of this grade or a higher one probe cells (what-if), which takes long."""


@dataclass(frozen=True)
class HumanRule:
    """A rule by which a person concludes something.

    Parameters
    ----------
    name : str
        Short, such as `pointing`.
    title : str
        In a few words.
    grade : int or None
        From 1, easy, to 5; None for a proof by the engine, which is no rule of a person.
    sentence : str
        What the rule says.
    """

    name: str
    title: str
    grade: int | None
    sentence: str


@dataclass(frozen=True)
class Step:
    """One conclusion.

    Parameters
    ----------
    rule : HumanRule
    marked : tuple of Cell
        The cells that must hold a star, a bulb or a mine, row by row.
    empty : tuple of Cell
        The cells that cannot hold one, row by row.
    seen : tuple of Cell
        The cells on which the conclusion rests, row by row.
    reason : str
        Why, in words; the conclusion is not in it.
    """

    rule: HumanRule
    marked: tuple[Cell, ...]
    empty: tuple[Cell, ...]
    seen: tuple[Cell, ...]
    reason: str

    @property
    def facts(self) -> dict[Cell, bool]:
        """What is known after the step and was not before: whether a cell holds one."""
        return {**dict.fromkeys(self.marked, True), **dict.fromkeys(self.empty, False)}


@dataclass(frozen=True)
class Grade:
    """How hard a puzzle is for a person.

    Parameters
    ----------
    grade : int or None
        That of the hardest rule needed, 1 to 5 (1 if none is); None if the rules do not finish.
    steps : tuple of Step
        The way, as far as it leads.
    contradiction : str or None
        What cannot be met, if the way ends in a contradiction: the puzzle has no solution.
    """

    grade: int | None
    steps: tuple[Step, ...]
    contradiction: str | None = None

    @property
    def word(self) -> str:
        """The grade in words."""
        return BEYOND if self.grade is None else f"grade {self.grade}"

    @property
    def uses(self) -> dict[str, int]:
        """How many steps each rule took, the first used first."""
        used: dict[str, int] = {}
        for step in self.steps:
            used[step.rule.name] = used.get(step.rule.name, 0) + 1
        return used


class Finding(NamedTuple):
    """What a rule finds in a position; cells are the bits of a number.

    Parameters
    ----------
    marked, empty, seen : int
    reason : str
        As in `Step`.
    """

    marked: int
    empty: int
    seen: int
    reason: str


PositionT = TypeVar("PositionT", bound=Position[Any])
InstanceT = TypeVar("InstanceT")

Find: TypeAlias = Callable[[PositionT, int], Iterator[Finding]]


@dataclass(frozen=True)
class Rule(Generic[PositionT]):
    """A rule, and the function that applies it.

    Parameters
    ----------
    human : HumanRule
    find : callable
        Yields what the rule concludes in a position, and nothing that is known. It may be given a number of a
        cell to begin with, which changes the order of what it yields and nothing else.
    """

    human: HumanRule
    find: Find[PositionT]


def rule(name: str, title: str, grade: int | None, sentence: str) -> Callable[[Find[PositionT]], Rule[PositionT]]:
    """Make a function that applies a rule into that rule.

    Parameters
    ----------
    name, title, grade, sentence
        The rule as a person knows it; see `HumanRule`.

    Returns
    -------
    callable
        A decorator for a function that applies the rule, as `Rule` has it in `find`.
    """
    return lambda find: Rule(HumanRule(name, title, grade, sentence), find)


class Prover(Protocol):
    """What the engine proves of an instance."""

    def solution(self, known: Known) -> Collection[Cell] | None:
        """Give the cells that hold one in some solution with all that is known; None if there is no solution."""

    def forced(self, known: Known) -> dict[Cell, bool] | None:
        """Give every cell that is the same in all solutions with what is known; None if there is no solution."""

    def contradicting(self, known: Known) -> Sequence[Cell]:
        """Choose cells that no solution has as they are known; there are solutions, but none with all of them."""

    def why_none(self) -> Sequence[str]:
        """Say in some lines why the instance has no solution; in none if all that is known is the proof."""


@dataclass(frozen=True)
class HintRules(Generic[InstanceT, PositionT]):
    """How a person solves a puzzle: the part `hints` of the puzzle holds it as `HINTS`.

    Parameters
    ----------
    rules : tuple of Rule
        The easiest first.
    start : callable
        From an instance and what is known of it to a position. What follows is as true as what is known.
    prover : callable, optional
        From an instance to what an engine proves of it; by default the clauses of the MaxSAT model prove it,
        which must leave every solution.
    taken_at_once : int
        Up to this grade all that a rule finds in a position is taken; of harder rules one finding only.
    """

    rules: tuple[Rule[PositionT], ...]
    start: Callable[[InstanceT, Known], PositionT]
    prover: Callable[[InstanceT], Prover] | None = None
    taken_at_once: int = SUPPOSING - 1

    def grade(self, instance: InstanceT) -> Grade:
        """Solve a puzzle as a person would, always by the easiest rule that applies.

        Returns
        -------
        Grade
            If it has a grade, the puzzle has one solution: every step holds in all solutions.
        """
        return self.steps(self.start(instance, {}))

    def next_step(self, position: PositionT) -> Step | None:
        """Give the easiest step from a position; None if it is solved, it cannot be right, or no rule applies."""
        if position.solved or position.clash() is not None:
            return None
        found = (_step(each, finding, position) for each in self.rules for finding in each.find(position, 0))
        return next(found, None)

    def steps(self, position: PositionT, on_step: Callable[[Step], None] | None = None) -> Grade:
        """Follow the rules from a position as far as they lead.

        Parameters
        ----------
        position : Position
        on_step : callable, optional
            Takes each step as soon as it is found.
        """
        steps: list[Step] = []
        first = 0
        changed: int | None = None
        while not position.solved:
            contradiction = position.clash(changed)
            if contradiction is not None:
                return Grade(None, tuple(steps), contradiction)
            before = position.open
            for each in self.rules:
                for finding in each.find(position, first):
                    # One finding may tell what another has told.
                    marked, empty = finding.marked & position.open, finding.empty & position.open
                    if marked | empty:
                        steps.append(_step(each, finding._replace(marked=marked, empty=empty), position))
                        if on_step is not None:
                            on_step(steps[-1])
                        position = position.learn(marked, empty)
                    if (each.human.grade or SUPPOSING) > self.taken_at_once:
                        # The next cell to suppose is the one after it, or all before were tried again and again.
                        first = (marked | empty).bit_length()
                        break
                if position.open != before:
                    break
            else:
                return Grade(None, tuple(steps))
            changed = before & ~position.open
        return Grade(hardest(steps) if steps else 1, tuple(steps))


def hardest(steps: Sequence[Step]) -> int | None:
    """Give the grade of the hardest rule of some steps; None without steps, or with a proof by the engine."""
    grades = [step.rule.grade for step in steps]
    return None if None in grades else max((grade for grade in grades if grade is not None), default=None)


def _step(applied: Rule[PositionT], finding: Finding, position: PositionT) -> Step:
    marked, empty, seen = (position.cells(mask) for mask in finding[:3])
    return Step(applied.human, marked, empty, seen, finding.reason)


def read_position(blank: Sequence[str], playable: str, text: str, name: str) -> dict[Cell, bool]:
    """Read what is known of a puzzle from a drawing of its board.

    Parameters
    ----------
    blank : sequence of str
        The board when nothing is known.
    playable : str
        The marks on it of the cells of which something can be known. In the drawing they are `*` for a star, bulb
        or mine, `x` for a cell known to have none, and `.`, or the mark itself, where nothing is known; all other
        cells are drawn as on the board.
    text : str
        The drawing.
    name : str
        How it is called in messages.

    Returns
    -------
    dict
        For every cell of which something is known, whether it holds one.

    Raises
    ------
    InputError
        If the drawing does not fit the board.
    """
    drawn = rectangle(text, name)
    if len(drawn) != len(blank):
        raise InputError(f"{name}: {count_of(len(drawn), 'row')}; the puzzle has {len(blank)}")
    known: dict[Cell, bool] = {}
    for r, (row, expected) in enumerate(zip(drawn, blank, strict=True)):
        if len(row) != len(expected):
            raise InputError(
                f"{name}: row {r + 1}: {count_of(len(row), 'cell')}; "
                f"the puzzle has {count_of(len(expected), 'column')}"
            )
        for c, (mark, there) in enumerate(zip(row, expected, strict=True)):
            if there in playable and mark in (MARKED, EMPTY):
                known[r, c] = mark == MARKED
            elif mark != there and not (there in playable and mark == UNKNOWN):
                allowed = f"'{MARKED}', '{EMPTY}' or '{UNKNOWN}'" if there in playable else repr(there)
                raise InputError(f"{name}: {show((r, c))}: {mark!r}; it must be {allowed} there")
    return known


def draw_known(blank: Sequence[str], known: Known) -> tuple[str, ...]:
    """Draw what is known into the board, as `read_position` reads it.

    Parameters
    ----------
    blank : sequence of str
        The rows of the board of which nothing is known.
    known : mapping
        Whether a cell holds one, for every cell of which that is known.

    Returns
    -------
    tuple of str
        The rows of the position.
    """
    marks = {True: MARKED, False: EMPTY}
    return tuple(
        "".join(marks[known[r, c]] if (r, c) in known else mark for c, mark in enumerate(row))
        for r, row in enumerate(blank)
    )
