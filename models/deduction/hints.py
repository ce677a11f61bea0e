"""What a person can conclude, step by step: rules with grades, steps, and the way to a solution.

A grade says how hard a rule is to see: 1 at a glance, 2 in one line or one clue, 3 in several of them together,
4 by supposing one cell and following what is seen at a glance, 5 by supposing one and following more than that.
The grade of a puzzle is that of the hardest rule that is needed when the easiest that applies is always taken.
Whatever a rule can conclude it can still conclude, unless it is known by then, when more is known; so the grade
does not depend on the order of the steps.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Generic, NamedTuple, Protocol, TypeVar

from twinproof.models.grid import MAX_CHARACTERS, Cell, show
from twinproof.models.text.forms import LINE_END
from twinproof.optim import InputError

__all__ = [
    "BEYOND",
    "EMPTY",
    "MARKED",
    "UNKNOWN",
    "Finding",
    "Grade",
    "HumanRule",
    "Position",
    "Rule",
    "Step",
    "bits",
    "draw_known",
    "places",
    "read_position",
    "step_from",
    "step_of",
    "steps_from",
    "walk",
]

MARKED, EMPTY, UNKNOWN = "*", "x", "."
"""The marks of a position: a star, bulb or mine; a cell known to have none; a cell of which nothing is known."""

BEYOND = "beyond the rules"

TAKEN_AT_ONCE = 3
"""Up to this grade all that a rule finds in a position is taken; rules above suppose something, and take long."""


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


class Position(Protocol):
    """What is known of a puzzle at some time; cells are the bits of a number."""

    @property
    def open(self) -> int:
        """The cells of which nothing is known."""

    @property
    def solved(self) -> bool:
        """Whether the cells that are marked are a solution."""

    def learn(self: "PositionT", marked: int, empty: int) -> "PositionT":
        """Give the position in which more is known."""

    def clash(self, changed: int | None = None) -> str | None:
        """Say what can no longer be met, as far as it is seen at a glance, by what has changed."""

    def cells(self, mask: int) -> tuple[Cell, ...]:
        """Give the cells of a number's bits, row by row."""


PositionT = TypeVar("PositionT", bound=Position)


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
    find: Callable[[PositionT, int], Iterator[Finding]]


def walk(
    rules: Sequence[Rule[PositionT]], position: PositionT, first: int = 0
) -> tuple[Rule[PositionT], Finding] | None:
    """Find the next step from a position: that of the easiest rule that applies.

    Parameters
    ----------
    rules : sequence of Rule
        The easiest first.
    position : Position
    first : int
        The cell where rules that suppose something begin.
    """
    for rule in rules:
        for finding in rule.find(position, first):
            return rule, finding
    return None


def step_from(rules: Sequence[Rule[PositionT]], position: PositionT) -> Step | None:
    """Give the step that is easiest from a position; none if it is solved, cannot be right, or no rule applies."""
    if position.solved or position.clash() is not None:
        return None
    found = walk(rules, position)
    return None if found is None else step_of(*found, position)


def steps_from(rules: Sequence[Rule[PositionT]], position: PositionT) -> Grade:
    """Follow the rules from a position as far as they lead.

    What the easiest rule that applies finds is taken all at once; of suppositions only the first.

    Parameters
    ----------
    rules : sequence of Rule
        The easiest first.
    position : Position
    """
    steps: list[Step] = []
    first = 0
    changed: int | None = None
    while not position.solved:
        contradiction = position.clash(changed)
        if contradiction is not None:
            return Grade(None, tuple(steps), contradiction)
        before = position.open
        for rule in rules:
            for finding in rule.find(position, first):
                # One finding may tell what another has told.
                new = Finding(
                    finding.marked & position.open, finding.empty & position.open, finding.seen, finding.reason
                )
                if new.marked | new.empty:
                    steps.append(step_of(rule, new, position))
                    position = position.learn(new.marked, new.empty)
                if (rule.human.grade or 0) > TAKEN_AT_ONCE:
                    # The next cell to suppose is the one after it, or all before were tried again and again.
                    first = (new.marked | new.empty).bit_length()
                    break
            if position.open != before:
                break
        else:
            return Grade(None, tuple(steps))
        changed = before & ~position.open
    return Grade(max((step.rule.grade or 0 for step in steps), default=1), tuple(steps))


def step_of(rule: Rule[PositionT], finding: Finding, position: PositionT) -> Step:
    """Put a finding into a step."""
    marked, empty, seen = (position.cells(mask) for mask in finding[:3])
    return Step(rule.human, marked, empty, seen, finding.reason)


def bits(mask: int) -> Iterator[int]:
    """Yield the numbers of a mask's bits, the lowest first."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def places(cells: Iterable[Cell]) -> str:
    """Name cells for a person, row by row: `row 2, columns 3 and 4; row 5, column 1`."""
    rows = groupby(sorted(cells), key=lambda cell: cell[0])
    return "; ".join(_in_row(row, [c + 1 for _, c in cells_there]) for row, cells_there in rows)


def _in_row(row: int, columns: Sequence[int]) -> str:
    if len(columns) == 1:
        return show((row, columns[0] - 1))
    return f"row {row + 1}, columns {', '.join(map(str, columns[:-1]))} and {columns[-1]}"


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
        The drawing; blanks at the end of a row and blank rows at the end are ignored.
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
    if len(text) > MAX_CHARACTERS:
        raise InputError(f"{name}: more than {MAX_CHARACTERS} characters")
    drawn = [row.rstrip() for row in LINE_END.split(text)]
    while drawn and not drawn[-1]:
        drawn.pop()
    if len(drawn) != len(blank):
        raise InputError(f"{name}: {len(drawn)} rows; the puzzle has {len(blank)}")
    known: dict[Cell, bool] = {}
    for r, (row, expected) in enumerate(zip(drawn, blank, strict=True)):
        if len(row) != len(expected):
            raise InputError(f"{name}: row {r + 1}: {len(row)} cells; the puzzle has {len(expected)} columns")
        for c, (mark, there) in enumerate(zip(row, expected, strict=True)):
            if there in playable and mark in (MARKED, EMPTY):
                known[r, c] = mark == MARKED
            elif mark != there and not (there in playable and mark == UNKNOWN):
                allowed = f"'{MARKED}', '{EMPTY}' or '{UNKNOWN}'" if there in playable else repr(there)
                raise InputError(f"{name}: {show((r, c))}: {mark!r}; it must be {allowed} there")
    return known


def draw_known(blank: Sequence[str], known: Mapping[Cell, bool]) -> tuple[str, ...]:
    """Draw what is known into the board, as `read_position` reads it."""
    marks = {True: MARKED, False: EMPTY}
    return tuple(
        "".join(marks[known[r, c]] if (r, c) in known else mark for c, mark in enumerate(row))
        for r, row in enumerate(blank)
    )
