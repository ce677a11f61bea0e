"""Sprinklers and hops."""

from collections.abc import Collection
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
from hypothesis import strategies as st

from tests.contract.trial import Example, Trial
from tests.oracle import fields as brute
from tests.support.strategies import drawn_rows, hops_puzzles, sprinkler_puzzles
from twinproof.models import PUZZLES
from twinproof.models.field.maps import parse_map
from twinproof.models.hops.instance import HopsPuzzle
from twinproof.models.puzzle import Layout, Objective
from twinproof.models.sprinklers.instance import SprinklerPuzzle

__all__ = ["HOPS", "SPRINKLERS", "front_of", "hops_question", "sprinkler_question"]


INDENTED = ("all lines but the first indented",)
"""Where rows of a map begin says where tiles are."""


def sprinkler_question(puzzle: SprinklerPuzzle) -> tuple[Any, ...]:
    """Put an instance into plain values, as brute force takes it."""
    return drawn_rows(puzzle.field), puzzle.kind.name, puzzle.kind.nozzle, puzzle.symmetry


def hops_question(puzzle: HopsPuzzle) -> tuple[Any, ...]:
    """Put an instance, but for a fixed number of hops, into plain values, as brute force takes it."""
    common = drawn_rows(puzzle.field), puzzle.kind.name, puzzle.kind.nozzle, puzzle.symmetry
    return *common, puzzle.harvest, puzzle.entrances, puzzle.dry_paths


def front_of(puzzle: HopsPuzzle) -> dict[int, int]:
    """For every possible number of hops the fewest sprinklers."""
    return brute.hops_front(*hops_question(puzzle))


def drawn(rows: tuple[str, ...], **sets: int) -> Layout:
    """Draw sets of tiles, each with its mark."""
    field = brute.SmallField(rows)
    marks = dict.fromkeys(field.tiles, ".")
    for mark, chosen in sets.items():
        marks |= dict.fromkeys(field.members(chosen), mark)
    return tuple(
        "".join(marks.get((r, c), drawn_mark) for c, drawn_mark in enumerate(row)) for r, row in enumerate(rows)
    )


def sprinkler_layouts(puzzle: SprinklerPuzzle) -> list[Layout]:
    """All layouts, by brute force."""
    question = sprinkler_question(puzzle)
    return [drawn(question[0], S=chosen) for chosen in brute.sprinkler_layouts(*question).tolist()]


def sprinkler_numbers(puzzle: SprinklerPuzzle, objective: Objective) -> Collection[int]:
    """All numbers of sprinklers."""
    return set(np.bitwise_count(brute.sprinkler_layouts(*sprinkler_question(puzzle))).tolist())


def hops_layouts(puzzle: HopsPuzzle) -> list[Layout]:
    """All layouts, by brute force."""
    question = hops_question(puzzle)
    return [
        drawn(question[0], H=hops, S=sprinklers)
        for many_hops, many_sprinklers, _ in brute.hops_layouts(*question)
        for hops, sprinklers in zip(many_hops.tolist(), many_sprinklers.tolist(), strict=True)
        if puzzle.hops in (None, hops.bit_count())
    ]


@lru_cache(maxsize=4)
def numbers_of(*question: Any) -> set[tuple[int, int]]:
    """The numbers of hops and sprinklers of all layouts."""
    return set(brute.hops_numbers(*question))


def hops_numbers(puzzle: HopsPuzzle, objective: Objective) -> Collection[int]:
    """All numbers of hops, or of sprinklers with the number of hops that is fixed."""
    numbers = numbers_of(*hops_question(puzzle))
    if objective.name == "most-hops":
        return {hops for hops, _ in numbers}
    return {sprinklers for hops, sprinklers in numbers if hops == puzzle.hops}


@st.composite
def with_some_hops(draw: st.DrawFn, max_tiles: int) -> HopsPuzzle:
    """An instance with a fixed number of hops, perhaps one too many, or with none."""
    puzzle = draw(hops_puzzles(max_tiles))
    hops = draw(st.none() | st.integers(0, max(front_of(puzzle)) + 1))
    return puzzle if hops is None else puzzle.with_hops(hops)


ODD = (".", "..", ".X.", ". .", "X.X\n...\nX.X", "XXXXX\nXX.XX\nX...X\nXX.XX\nXXXXX")

SPRINKLERS = Trial(
    puzzle=PUZZLES["sprinklers"],
    instances=lambda objective: sprinkler_puzzles(14),
    small=sprinkler_puzzles(9),
    layouts=sprinkler_layouts,
    cells=lambda puzzle: puzzle.field.cells,
    marks="S.",
    values=sprinkler_numbers,
    odd=tuple(SprinklerPuzzle(parse_map(rows, "odd")) for rows in ODD),
    blanks_are_cells=("map",),
    never_changed=INDENTED,
    example=Example("X..\n...\n..X\n", ("--kind", "basic")),
)

HOPS = replace(
    SPRINKLERS,
    puzzle=PUZZLES["hops"],
    instances=lambda objective: hops_puzzles(11) if objective.name == "most-hops" else with_some_hops(10),
    small=with_some_hops(7),
    layouts=hops_layouts,
    marks="SH.",
    values=hops_numbers,
    # The sweep must look the same from every start.
    refuses=lambda engine, puzzle: engine == "frontier" and not puzzle.starts_are_symmetric,
    odd=tuple(HopsPuzzle(parse_map(rows, "odd"), hops=hops) for rows in ODD for hops in (None, 0)),
    blanks_are_cells=("map",),
    never_changed=INDENTED,
    example=Example("X..\n...\n..X\n", ("--harvest", "8")),
)
