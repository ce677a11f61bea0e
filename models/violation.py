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
