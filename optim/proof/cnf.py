"""A formula whose every variable has a reading: what it says about a layout.

The variables of the layout come from outside: "this mark stands on this cell". Every other variable is defined
by its reading, a function of the variables before it. So a layout makes the whole formula true or false, without
any search; and if every clause is true of every layout that it should be true of, then a formula that has no
model proves that there is no such layout.
"""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from twinproof.optim import InputError

Cell: TypeAlias = tuple[int, int]
"""Row and column, from 0."""

Clause: TypeAlias = tuple[int, ...]
"""Literals, as in DIMACS: 3 is the third variable, -3 its negation."""

Truth: TypeAlias = list[bool]
"""The truth of variables 0, 1, 2, ...; variable 0 is unused."""

Key: TypeAlias = tuple[str, Cell, int]
"""What a variable is about: a mark, a cell, and a number where there are several of them."""

MOST_CLAUSES = 5_000_000
MOST_VARIABLES = 1_000_000
"""These limits keep every certificate below some 2 GB of memory."""


class Formula:
    """Clauses, and variables with their readings.

    Parameters
    ----------
    variables : int
        The variables of the layout, numbered from 1.
    """

    def __init__(self, variables: int) -> None:
        self.layout_variables = variables
        self.clauses: list[Clause] = []
        self._readings: list[Callable[[Truth], bool]] = []
        self._check_size()

    @property
    def variables(self) -> int:
        """How many variables there are."""
        return self.layout_variables + len(self._readings)

    def define(self, reading: Callable[[Truth], bool]) -> int:
        """Give a new variable, which says what a function of the variables before it says."""
        self._readings.append(reading)
        self._check_size()
        return self.variables

    def add(self, *literals: int) -> None:
        """Add a clause: one of the literals is true.

        Raises
        ------
        InputError
            If the formula has become too large.
        """
        if len({abs(literal) for literal in literals}) != len(literals):
            raise ValueError(f"a clause names a variable twice: {literals}")
        self.clauses.append(literals)
        self._check_size()

    def _check_size(self) -> None:
        if len(self.clauses) > MOST_CLAUSES or self.variables > MOST_VARIABLES:
            raise InputError(
                f"certificate: its formula has more than {MOST_CLAUSES:,} clauses or {MOST_VARIABLES:,} variables"
            )

    def extend(self, chosen: Iterable[int]) -> Truth:
        """Give every variable its truth, from the variables of the layout that are true."""
        truth = [False] * (self.layout_variables + 1)
        for variable in chosen:
            truth[variable] = True
        for reading in self._readings:
            truth.append(reading(truth))
        return truth

    def broken(self, truth: Truth) -> Clause | None:
        """Give a clause that is false, None if all are true."""
        for clause in self.clauses:
            if not any(holds(truth, literal) for literal in clause):
                return clause
        return None

    def digest(self) -> str:
        """Give the BLAKE2b digest, of 32 bytes, of the formula as a DIMACS file."""
        hashed = hashlib.blake2b(digest_size=32)
        for line in self.dimacs():
            hashed.update(line.encode("ascii"))
        return hashed.hexdigest()

    def dimacs(self) -> Iterable[str]:
        """Give the lines of a DIMACS file."""
        yield f"p cnf {self.variables} {len(self.clauses)}\n"
        for clause in self.clauses:
            yield " ".join(map(str, (*clause, 0))) + "\n"


def holds(truth: Truth, literal: int) -> bool:
    """Whether a literal is true.

    Parameters
    ----------
    truth : Truth
        The truth value of every variable.
    literal : int
        A variable, or its negative.

    Returns
    -------
    bool
        The value of the literal.
    """
    return truth[literal] if literal > 0 else not truth[-literal]


@dataclass(frozen=True)
class Encoding:
    """The rules of a puzzle as a formula.

    Parameters
    ----------
    formula : Formula
        It is true of exactly the layouts that keep the rules.
    marks : mapping
        By mark and cell the variable that says: this mark stands there. These are all variables of the layout.
    """

    formula: Formula
    marks: dict[tuple[str, Cell], int]

    def chosen(self, layout: Sequence[str]) -> list[int]:
        """Give the variables of the layout that are true in a drawn layout."""
        return [variable for (mark, (r, c)), variable in self.marks.items() if layout[r][c] == mark]
