"""What a rules module says about a layout that breaks a rule."""

from dataclasses import dataclass

from twinproof.models.grid import Cell, show


@dataclass(frozen=True)
class Violation:
    """A broken rule.

    Parameters
    ----------
    rule : str
        Its short name, such as `unwatered`.
    cells : tuple of Cell
        Where it is broken.
    message : str
        The rule in words.
    """

    rule: str
    cells: tuple[Cell, ...]
    message: str

    def to_json(self) -> dict[str, object]:
        """Give it in plain values; cells count from 1."""
        return {"rule": self.rule, "cells": [[r + 1, c + 1] for r, c in self.cells], "message": self.message}

    def __str__(self) -> str:
        places = "; ".join(show(cell) for cell in self.cells)
        return f"{self.rule}: " + (f"{places}: " if places else "") + self.message


@dataclass(frozen=True)
class Unkeepable:
    """A rule that no solution can keep, as is seen without a search.

    Parameters
    ----------
    rule : Violation
    reason : str
        Why no layout can keep it, in words.
    others : tuple of Violation
        The rules that are in its way: no layout keeps it and all of them. If there are none, no layout keeps it
        even if every other rule is dropped. One without cells stands for all rules of its name.
    """

    rule: Violation
    reason: str
    others: tuple[Violation, ...] = ()

    def to_json(self) -> dict[str, object]:
        """Give it in plain values."""
        others = [other.to_json() for other in self.others]
        return {**self.rule.to_json(), "reason": self.reason, "others": others}

    def names(self, rule: Violation) -> bool:
        """Whether a rule is the one that cannot be kept, or one in its way."""
        return rule == self.rule or any(
            rule.rule == other.rule and other.cells in ((), rule.cells) for other in self.others
        )


@dataclass(frozen=True)
class RulesMus:
    """Rules that cannot hold together: a minimal unsatisfiable subset (MUS).

    Parameters
    ----------
    rules : tuple of Violation
        When any of them is left out, the others can hold.
    is_smus : bool
        Whether it is a smallest MUS: it is proved that no fewer rules would do.
    """

    rules: tuple[Violation, ...]
    is_smus: bool
