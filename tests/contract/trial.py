"""What the contract must know of a puzzle: random instances, and what is true of each by brute force."""

import random
from collections.abc import Callable, Collection, Iterator, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from hypothesis import reject
from hypothesis import strategies as st

from twinproof.models.grid import Cell
from twinproof.models.puzzle import Layout, Objective, Puzzle
from twinproof.models.text.sources import Inline
from twinproof.optim import InputError, Sense

__all__ = ["Example", "Known", "Layouts", "Place", "Trial", "apart", "count", "differing", "first_of", "with_file"]

Known = dict[Cell, bool]
"""Of some cells, whether they hold what the puzzle is about."""

Place = tuple[Any, Known, Sequence[Set[Cell]]]
"""An instance that is partly solved: with what is known, and what is marked in every layout that has it."""

Layouts = Callable[[Any], Collection[Layout]]

EVERY = 3000
"""If there are more drawings of an instance, some are tried."""

SOME = 200


@dataclass(frozen=True)
class Example:
    """An instance for the commands.

    Parameters
    ----------
    text : str
        In the text form that `rows` give.
    options : tuple of str
        Words of the command.
    generate : tuple of str
        Words that ask for a new puzzle.
    """

    text: str
    options: tuple[str, ...] = ()
    generate: tuple[str, ...] = ()


@dataclass(frozen=True)
class Trial:
    """A puzzle on trial.

    Parameters
    ----------
    puzzle : Puzzle
    instances : callable
        From an objective to random instances, so small that all its values can be found; some without a layout.
    small : strategy
        Still smaller instances, of which all layouts can be listed.
    layouts : callable
        All layouts of an instance that keep every rule.
    cells : callable
        The cells of an instance on which there may be a mark.
    example : Example
    marks : str
        Those that may be drawn there; the last one is no mark.
    values : callable, optional
        From instance and objective to the values of all layouts that the objective allows. By default they are
        counted on `layouts`.
    breakings : callable, optional
        Where an objective counts broken rules: each way to break only such rules as it lets be broken, as a layout
        and the rules. A layout stands there more than once if it can be taken to break these or those.
    odd : tuple of instances
        Of one cell, or otherwise out of the way; with a layout to differ from, where there can be one.
    refuses : callable
        Whether an engine may refuse an instance.
    any_instances : strategy, optional
        Instances of any size, for text forms; by default the small ones.
    says_all : collection of str
        The text forms that can say everything, but for a layout to differ from.
    told_apart : collection of str
        The text forms that are recognised by their look.
    blanks_are_cells : collection of str
        The text forms that say so if they are named.
    never_changed : collection of str
        The changes of layout that make another instance.
    places : strategy, optional
        Partly solved instances, where there are hints.
    generated : strategy, optional
        Height, width and options for the generator, where it makes instances.
    """

    puzzle: Puzzle[Any]
    instances: Callable[[Objective], st.SearchStrategy[Any]]
    small: st.SearchStrategy[Any]
    layouts: Layouts
    cells: Callable[[Any], Sequence[Cell]]
    example: Example
    marks: str = "*."
    values: Callable[[Any, Objective], Collection[int]] | None = None
    breakings: Callable[[Any], Collection[tuple[Layout, Set[object]]]] | None = None
    odd: tuple[Any, ...] = ()
    refuses: Callable[[str, Any], bool] = lambda engine, instance: False
    any_instances: st.SearchStrategy[Any] | None = None
    says_all: Collection[str] = ()
    told_apart: Collection[str] = ()
    blanks_are_cells: Collection[str] = ()
    never_changed: Collection[str] = ()
    places: st.SearchStrategy[Place] | None = None
    generated: st.SearchStrategy[tuple[tuple[int, int], dict[str, Any]]] | None = None

    @property
    def of_any_size(self) -> st.SearchStrategy[Any]:
        """Instances for text forms."""
        return self.small if self.any_instances is None else self.any_instances

    def draw(self, instance: Any, marks: Sequence[str]) -> Layout:
        """Draw a mark on each of the cells, in their order."""
        drawn = zip(self.cells(instance), marks, strict=True)
        return self.puzzle.draw(instance, {cell: mark for cell, mark in drawn if mark != self.marks[-1]})

    def drawings(self, instance: Any, seed: int) -> Iterator[Layout]:
        """Yield drawings, whether they keep the rules or not: every one, or some and some that keep them."""
        cells = len(self.cells(instance))
        if len(self.marks) ** cells <= EVERY:
            yield from (self.draw(instance, marks) for marks in product(self.marks, repeat=cells))
            return
        rng = random.Random(seed)
        yield from (self.draw(instance, rng.choices(self.marks, k=cells)) for _ in range(SOME))
        fits = sorted(self.layouts(instance))
        yield from rng.sample(fits, min(SOME, len(fits)))

    def values_of(self, instance: Any, objective: Objective) -> Collection[int]:
        """Give the values of all layouts that the objective allows; 0 for each where it counts nothing."""
        puzzle = self.puzzle
        if objective.may_break:
            assert self.breakings is not None
            return {len(rules) for _, rules in self.breakings(instance)}
        if objective.after is not None and puzzle.fixed is not None and puzzle.fixed(instance) is None:
            first = puzzle.objective(objective.after)
            assert puzzle.fix is not None
            return self.values_of(
                puzzle.fix(instance, first_of(first, self.values_of(instance, first))), objective
            )
        if self.values is not None:
            return self.values(instance, objective)
        return {count(objective, instance, layout) for layout in self.layouts(instance)}


@st.composite
def apart(draw: st.DrawFn, trial: Trial, instance: Any) -> Any:
    """Give an instance a layout to differ from: one that keeps the rules, or any drawing that is allowed."""
    fits, cells = sorted(trial.layouts(instance)), len(trial.cells(instance))
    if not fits or draw(st.booleans()):
        marks = draw(st.lists(st.sampled_from(trial.marks), min_size=cells, max_size=cells))
        with suppress(InputError):
            return trial.puzzle.apart_from(instance, trial.draw(instance, marks))
    return trial.puzzle.apart_from(instance, draw(st.sampled_from(fits))) if fits else reject()


def first_of(objective: Objective, values: Collection[int]) -> int:
    """Give the best of some values."""
    return max(values) if objective.sense is Sense.MAXIMIZE else min(values)


def count(objective: Objective, instance: Any, layout: Layout) -> int:
    """Count by hand what an objective counts."""
    if objective.relative:
        return differing(layout, instance.apart_from)
    return 0 if objective.counts is None else "".join(layout).count(objective.counts)


def differing(layout: Layout, other: Layout) -> int:
    """Count the cells in which two layouts differ."""
    return sum(a != b for a, b in zip("".join(layout), "".join(other), strict=True))


def with_file(trial: Trial, folder: Path) -> tuple[Any, list[str]]:
    """Write the example into a file; give the instance, and the words that name it."""
    puzzle, example = trial.puzzle, trial.example
    (folder / "puzzle.txt").write_text(example.text, encoding="utf-8")
    flags = {option.flag: option for option in puzzle.options}
    given = dict(zip(example.options[::2], example.options[1::2], strict=True))
    options = {flags[flag].name: flags[flag].type(value) for flag, value in given.items()}
    return puzzle.read(Inline("puzzle.txt", example.text), options), [puzzle.name, "puzzle.txt", *example.options]
