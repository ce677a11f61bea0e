"""Wider hops puzzles, whose most hops bound those of a puzzle from above."""

from dataclasses import replace

from twinproof.models.field.maps import Field
from twinproof.models.grid import Cell
from twinproof.models.hops.instance import HopsPuzzle
from twinproof.models.words import count_of


def relaxed(puzzle: HopsPuzzle) -> tuple[HopsPuzzle, tuple[str, ...]]:
    """Give a puzzle in which at least as many hops are possible, and what was given up for it.

    A symmetry is dropped. Where there are entrances, the whole outside becomes walkable. Obstacles that keep the
    field from being the same after a quarter-turn become tiles: every layout of the puzzle, with sprinklers
    there, is one of the wider puzzle, with as many hops.
    """
    given_up = []
    if puzzle.symmetry is not None:
        puzzle = replace(puzzle, symmetry=None)
        given_up.append("the symmetry")
    if puzzle.entrances:
        puzzle = replace(puzzle, entrances=frozenset())
        given_up.append("the entrances")
    field = puzzle.field
    kept = _even(field)
    if kept is not None and kept != field.obstacles:
        filled = Field(field.name, field.height, field.width, field.tiles | (field.obstacles - kept), kept)
        puzzle = replace(puzzle, field=filled)
        filled_in = len(field.obstacles - kept)
        given_up.append(count_of(filled_in, "obstacle"))
    return puzzle, tuple(given_up)


def _even(field: Field) -> frozenset[Cell] | None:
    """Give the obstacles whose images under quarter-turns are obstacles too; None if the rest is not even."""
    used = field.tiles | field.obstacles
    whole = Field(field.name, field.height, field.width, frozenset(used), frozenset())
    turn = whole.square_symmetry("quarter-turn")
    if turn is None:
        return None
    return frozenset(
        cell
        for cell in field.obstacles
        if {cell, turn[cell], turn[turn[cell]], turn[turn[turn[cell]]]} <= field.obstacles
    )
