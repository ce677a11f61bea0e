"""Counts optimal layouts, in all and up to the symmetries of the instance."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from twinproof.compare.questions.answer import Answer, Question, answer
from twinproof.models import PUZZLES
from twinproof.models.grid import SQUARE_SYMMETRIES
from twinproof.optim import Limits, OnProgress, Outcome, Status
from twinproof.optim.frontier_outcome import FrontierOutcome
from twinproof.optim.request import EngineOptions

ASKED = {"left-right": "hsym", "up-down": "vsym", "three-quarter-turn": "quarter-turn"}
"""The name under which layouts are asked for, where it differs from that of the symmetry of the square."""


@dataclass(frozen=True)
class Count:
    """The number of optimal layouts.

    Parameters
    ----------
    question : Question
    outcome : Outcome
        The outcome of the question itself.
    fixed : mapping
        For each symmetry of the instance, by its name in `models.grid.SQUARE_SYMMETRIES`, the number of optimal
        layouts that it does not change.
    complete : bool
        Whether everything was counted.
    seconds : float
        The seconds of all runs together.
    counts_once : str or None
        Which layouts are counted as one, in words; None if every one that keeps the rules is counted.
    """

    question: Question
    outcome: Outcome[tuple[str, ...]]
    fixed: Mapping[str, int]
    complete: bool
    seconds: float
    counts_once: str | None = None

    @property
    def layouts(self) -> int | None:
        """The number of optimal layouts."""
        return 0 if self.outcome.status is Status.INFEASIBLE else _counted(self.outcome)

    @property
    def up_to_symmetry(self) -> int | None:
        """The number of optimal layouts of which none is another's image: the mean of those that are fixed.

        References
        ----------
        The lemma that is not Burnside's: Cauchy 1845, Frobenius 1887.
        """
        if not self.complete or self.layouts is None:
            return None
        return (self.layouts + sum(self.fixed.values())) // (1 + len(self.fixed))

    def lines(self) -> list[str]:
        """Say it in words."""
        if self.layouts is None:
            return ["not counted to the end"]
        lines = [f"{self.question.objective}: {self.outcome.value}, proved optimal", f"layouts: {self.layouts:,}"]
        if self.counts_once is not None:
            lines[-1] += f" ({self.counts_once} count as one)"
        lines += [f"  not changed by {name}: {number:,}" for name, number in self.fixed.items()]
        if self.up_to_symmetry is not None:
            lines.append(f"up to the {1 + len(self.fixed)} symmetries of the instance: {self.up_to_symmetry:,}")
        return lines


def count_layouts(
    question: Question,
    limits: Limits | None = None,
    on_progress: OnProgress | None = None,
    isolated: bool = True,
    every_layout: bool = False,
) -> Count:
    """Count the optimal layouts by the frontier engine.

    Parameters
    ----------
    question : Question
        Where a symmetry is asked for, only layouts that have it are counted, and the instance's own symmetries
        are left alone.
    limits : Limits, optional
        What all runs together may spend.
    on_progress, isolated
        See `optim.engine.solve`.
    every_layout : bool
        Whether to count every layout that keeps the rules, also where the puzzle says that some count as one.

    Raises
    ------
    InputError
        If the field is too wide for the engine.
    """
    limits = limits or Limits()
    once = None if every_layout else PUZZLES.find(question.puzzle).counts_once
    apart = every_layout and PUZZLES.find(question.puzzle).counts_once is not None

    def ask(asked: Question, allowed: Limits) -> Answer:
        return answer(asked, "frontier", allowed, on_progress, EngineOptions(counting=True), isolated, apart)

    first = ask(question, limits)
    seconds = first.outcome.seconds
    fixed: dict[str, int] = {}
    names = _symmetries(question) if _counted(first.outcome) is not None else []
    for name in names:
        asked = _with_symmetry(question, ASKED.get(name, name))
        same = _same(name, names)
        if same is not None:
            fixed[name] = fixed[same]
            continue
        left = limits if limits.time is None else replace(limits, time=max(limits.time - seconds, 0.001))
        symmetric = ask(asked, left)
        seconds += symmetric.outcome.seconds
        if not symmetric.outcome.settled:
            return Count(question, first.outcome, fixed, False, seconds, once)
        best = symmetric.outcome.value == first.outcome.value
        fixed[name] = _counted(symmetric.outcome) or 0 if best else 0
    return Count(question, first.outcome, fixed, first.outcome.settled, seconds, once)


def _counted(outcome: Outcome[Any]) -> int | None:
    return outcome.layouts if isinstance(outcome, FrontierOutcome) else None


def _symmetries(question: Question) -> list[str]:
    """Name the symmetries of the instance; none where the layouts are asked to have one."""
    instance = question.instance
    if instance.symmetry is not None:
        return []
    images = [dict(image) for image in instance.symmetries]
    return [
        name
        for name in SQUARE_SYMMETRIES
        if (image := instance.field.square_symmetry(name)) and dict(image) in images
    ]


def _with_symmetry(question: Question, name: str) -> Question:
    """Ask for layouts with a symmetry."""
    return replace(question, instance=replace(question.instance, symmetry=name))


MIRRORS = {"up-down": "left-right", "antidiagonal": "diagonal"}


def _same(name: str, names: Sequence[str]) -> str | None:
    """Name a symmetry that fixes as many layouts: its inverse, or one that a quarter-turn makes of it."""
    if name == "three-quarter-turn":
        return "quarter-turn"
    return MIRRORS[name] if name in MIRRORS and "quarter-turn" in names else None


def record_count(count: Count) -> dict[str, Any]:
    """Put a count into one JSON object."""
    outcome = count.outcome
    return {
        "puzzle": count.question.puzzle,
        "instance": count.question.instance.name,
        "options": PUZZLES.find(count.question.puzzle).describe(count.question.instance),
        "objective": count.question.objective,
        "engine": "frontier",
        "status": outcome.status.value,
        "value": outcome.value,
        "counts_once": count.counts_once,
        "layouts": count.layouts,
        "fixed": dict(count.fixed),
        "up_to_symmetry": count.up_to_symmetry,
        "seconds": round(count.seconds, 3),
    }
