"""Star Battle by trying everything. Knows the rules from the source document, and no module of the project.

A board is drawn in rows: a character for every region, `.` for a cell without a region, `#` for one forced empty.
A layout is the set of its stars.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise

import numpy as np

Cell = tuple[int, int]


def free_cells(board: Sequence[str]) -> list[Cell]:
    return [(r, c) for r, row in enumerate(board) for c, mark in enumerate(row) if mark != "#"]


def solutions(board: Sequence[str], stars: int) -> list[frozenset[Cell]]:
    """All solutions, by choosing the stars of one row after the other."""
    regions = sorted({mark for row in board for mark in row} - {"#", "."})

    def extend(chosen: list[tuple[int, ...]]) -> Iterator[frozenset[Cell]]:
        cells = [(r, c) for r, columns in enumerate(chosen) for c in columns]
        if len(chosen) == len(board):
            in_columns = [sum(c == column for _, c in cells) for column in range(len(board[0]))]
            in_regions = [sum(board[r][c] == region for r, c in cells) for region in regions]
            if {*in_columns, *in_regions} <= {stars}:
                yield frozenset(cells)
            return
        for column in range(len(board[0])):
            above = sum(c == column for _, c in cells)
            below = sum(row[column] != "#" for row in board[len(chosen) :])
            if not above <= stars <= above + below:
                return
        row = board[len(chosen)]
        for columns in combinations([c for c, mark in enumerate(row) if mark != "#"], stars):
            last = chosen[-1] if chosen else ()
            if all(b - a > 1 for a, b in pairwise(columns)) and all(abs(a - b) > 1 for a in last for b in columns):
                yield from extend([*chosen, columns])

    return list(extend([]))


def fewest_broken(board: Sequence[str], stars: int) -> int:
    """The fewest rules that a layout breaks, over all sets of free cells."""
    return int(broken_by_set(board, stars).sum(axis=0).min())


def broken_by_set(board: Sequence[str], stars: int) -> "np.ndarray[tuple[int, int], np.dtype[np.bool_]]":
    """For every rule, and every set of free cells as a bit mask over their list, whether the set breaks it."""
    cells = free_cells(board)
    sets = np.arange(1 << len(cells), dtype=np.int64)
    groups = [[i for i, (r, _) in enumerate(cells) if r == row] for row in range(len(board))]
    groups += [[i for i, (_, c) in enumerate(cells) if c == column] for column in range(len(board[0]))]
    for region in {mark for row in board for mark in row} - {"#", "."}:
        groups.append([i for i, (r, c) in enumerate(cells) if board[r][c] == region])
    broken = [np.bitwise_count(sets & sum(1 << i for i in group)) != stars for group in groups]
    for i, j in combinations(range(len(cells)), 2):
        if max(abs(cells[i][0] - cells[j][0]), abs(cells[i][1] - cells[j][1])) == 1:
            broken.append((sets >> i & sets >> j & 1) == 1)
    return np.array(broken)


def cyclic_solution(size: int, stars: int) -> list[Cell]:
    """Stars in every row and column that do not touch: columns o + s r mod size, for offsets o and a step s."""
    for step in range(2, size - 1):
        if np.gcd(step, size) != 1:
            continue
        for offsets in combinations(range(size), stars):
            beside = {(a - b) % size for a in offsets for b in offsets if a != b}
            below = {(step + a - b) % size for a in offsets for b in offsets}
            if not (beside | below) & {1, size - 1} and 0 not in below:
                return [(r, (step * r + o) % size) for r in range(size) for o in offsets]
    raise ValueError(f"no such pattern of {stars} stars a row on {size} rows")
