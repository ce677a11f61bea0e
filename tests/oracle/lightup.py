"""Light Up on small grids by trying every set of bulbs. Knows the rules from the source document only."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

Cell = tuple[int, int]

DIRECTIONS = [(-1, 0), (1, 0), (0, -1), (0, 1)]


@dataclass(frozen=True)
class Lighting:
    """Bulbs that light every floor cell and not one another, and the numbers, by their walls, that they miss."""

    bulbs: frozenset[Cell]
    missed: frozenset[Cell]

    @property
    def broken(self) -> int:
        return len(self.missed)


def seen_from(rows: Sequence[str], r: int, c: int) -> Iterator[Cell]:
    """The other floor cells in sight of one."""
    for dr, dc in DIRECTIONS:
        y, x = r + dr, c + dc
        while 0 <= y < len(rows) and 0 <= x < len(rows[0]) and rows[y][x] == ".":
            yield y, x
            y, x = y + dr, x + dc


def lightings(rows: Sequence[str]) -> list[Lighting]:
    """All sets of bulbs that keep every rule, except perhaps that of the numbers."""
    cells = [(r, c) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark == "."]
    bit = {cell: 1 << i for i, cell in enumerate(cells)}
    sight = [sum(bit[other] for other in seen_from(rows, *cell)) for cell in cells]
    numbers = [
        ((r, c), int(mark), sum(bit.get((r + dr, c + dc), 0) for dr, dc in DIRECTIONS))
        for r, row in enumerate(rows)
        for c, mark in enumerate(row)
        if mark.isdigit()
    ]
    found = []
    for bulbs in range(1 << len(cells)):
        chosen = [i for i in range(len(cells)) if bulbs >> i & 1]
        if any(sight[i] & bulbs for i in chosen):
            continue
        lit = bulbs
        for i in chosen:
            lit |= sight[i]
        if lit == (1 << len(cells)) - 1:
            missed = (wall for wall, number, beside in numbers if (beside & bulbs).bit_count() != number)
            found.append(Lighting(frozenset(cells[i] for i in chosen), frozenset(missed)))
    return found
