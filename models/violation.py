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
