"""The Alberi article's genetic algorithm for new puzzles, in brief, on the project's solver; for the benchmark.

An individual is an unfinished puzzle. Its fitness, to be made as small as possible, is the number of cells without
a region if it has one solution, and the number of all cells if it has more. The rates are the article's. The first
individuals are what the generator begins with: groups of stars, each joined by a thin path, and one cell more.
Other than in the article, a star always stays in its group, so the wanted solution is one of every individual. As
in the article, crossing two of them may leave regions in pieces.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from twinproof.models.generation.chance import below, shuffled
from twinproof.models.starbattle.alternatives import FREE, Alternatives
from twinproof.models.starbattle.draft import Draft
from twinproof.models.starbattle.groups import group_stars
from twinproof.models.starbattle.stars import random_stars
from twinproof.optim import InputError

__all__ = ["Evolved", "evolve"]

Individual = tuple[int, ...]
"""The region of every cell, or `FREE`."""

POPULATION = 40
RETAIN = 0.2
"""The share of the fittest that is kept."""
SELECT = 0.1
"""The share of the others that is kept."""
MUTATE = 0.2
STARTS = 1000
"""How many layouts may be tried until the thin paths alone make a unique puzzle, as the article demands."""


@dataclass(frozen=True)
class Evolved:
    """What came of it.

    Parameters
    ----------
    left : int
        Cells without a region in the fittest individual; 0 is a finished puzzle.
    whole : bool
        Whether all its regions are of one piece.
    begun_with : int
        Cells without a region at the beginning.
    tested : int
        Different individuals of which the solver was asked whether they are unique.
    cycles : int
    seconds : float
        Processor seconds of the evolution.
    """

    left: int
    whole: bool
    begun_with: int
    tested: int
    cycles: int
    seconds: float


def evolve(size: int, stars: int, rng: Random, seconds: float) -> Evolved:
    """Let unfinished puzzles evolve until one is finished or the time is over.

    Parameters
    ----------
    size, stars : int
        See `models.starbattle.generate.generate`.
    rng : Random
    seconds : float
        Processor seconds.

    Raises
    ------
    InputError
        If no unique puzzle to start from is found.
    """
    for _ in range(STARTS):
        groups = group_stars(size, random_stars(size, stars, rng), stars, rng)
        if groups is None:
            continue
        draft = Draft(size, groups)
        with Alternatives(size, groups) as alternatives:
            joined = all(draft.join(region, rng) for region in range(size))
            if joined and alternatives.find(draft.owner) is None:
                return _Evolution(draft, alternatives, rng).run(seconds)
    raise InputError(f"{size}:{stars}: the genetic algorithm finds no unique puzzle to start from")


class _Evolution:
    def __init__(self, draft: Draft, alternatives: Alternatives, rng: Random) -> None:
        self.draft = draft
        self.alternatives = alternatives
        self.rng = rng
        self._fitness: dict[Individual, int] = {}

    def run(self, seconds: float) -> Evolved:
        start = time.process_time()
        first = tuple(self.draft.owner)
        population = [self.mutated(first, only_free=True) for _ in range(POPULATION)]
        fittest, best, cycles = first, first.count(FREE), 0
        while best and time.process_time() - start < seconds:
            ranked = sorted(population, key=self.fitness)
            if self.fitness(ranked[0]) < best:
                fittest, best = ranked[0], self.fitness(ranked[0])
            kept = int(len(ranked) * RETAIN)
            parents = ranked[:kept] + [other for other in ranked[kept:] if self.rng.random() < SELECT]
            parents = [self.mutated(one) if self.rng.random() < MUTATE else one for one in parents]
            half, count = len(first) // 2, len(parents)
            while len(parents) < POPULATION:
                mother, father = below(self.rng, count), below(self.rng, count)
                if mother != father:
                    parents.append(parents[mother][:half] + parents[father][half:])
            population = parents
            cycles += 1
        took = time.process_time() - start
        whole = all(self.in_one_piece(fittest, region) for region in range(self.draft.size))
        return Evolved(best, whole, first.count(FREE), len(self._fitness), cycles, took)

    def fitness(self, individual: Individual) -> int:
        if individual not in self._fitness:
            unique = self.alternatives.find(individual) is None
            self._fitness[individual] = individual.count(FREE) if unique else len(individual)
        return self._fitness[individual]

    def mutated(self, individual: Individual, only_free: bool = False) -> Individual:
        """Give a cell to a region beside it; a region that loses one must stay of one piece."""
        for cell in shuffled(self.rng, range(len(individual))):
            beside = list(dict.fromkeys(individual[other] for other in self.draft.near[cell]))
            regions = [region for region in beside if region not in (FREE, individual[cell])]
            if cell in self.draft.wanted or not regions or (only_free and individual[cell] != FREE):
                continue
            changed = list(individual)
            changed[cell] = regions[below(self.rng, len(regions))]
            if individual[cell] == FREE or self.in_one_piece(changed, individual[cell]):
                return tuple(changed)
        return individual

    def in_one_piece(self, owner: Sequence[int], region: int) -> bool:
        cells = {cell for cell, other in enumerate(owner) if other == region}
        waiting = [cells.pop()]
        while waiting:
            for other in self.draft.near[waiting.pop()]:
                if other in cells:
                    cells.remove(other)
                    waiting.append(other)
        return not cells
