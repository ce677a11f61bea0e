"""Star Battle as partial MaxSAT: clauses between touching cells, counters over blocks of touching cells.

Of the cells of a 2x2 block one at most has a star. So the stars of a line or a region are counted by the blocks
that cover it, which are about half (a quarter) as many. And two neighbouring rows, cut into blocks, have 2k
stars: all but a few of those blocks hold one, which is a counter over few blanks and propagates early.
"""

from collections.abc import Iterable, Iterator, Sequence

from twinproof.models.grid import Cell
from twinproof.models.starbattle.instance import (
    OBJECTIVES,
    STAR,
    StarBattlePuzzle,
    column_rule,
    region_rule,
    row_rule,
    touching_rule,
)
from twinproof.models.violation import Violation
from twinproof.optim import InputError
from twinproof.optim.maxsat import MaxsatModel, MaxsatSettings


def build_maxsat(puzzle: StarBattlePuzzle, objective: str = "solution") -> MaxsatModel[tuple[str, ...]]:
    """Build the formula.

    Parameters
    ----------
    puzzle : StarBattlePuzzle
    objective : {"solution", "farthest", "fewest-broken"}

    Returns
    -------
    MaxsatModel
        Its layouts are the rows of the board.

    Raises
    ------
    InputError
        If the objective needs a layout to be apart from and the puzzle has none.
    """
    if objective == "fewest-broken":
        return build_rules(puzzle)[0]
    formula = _Formula(puzzle)
    formula.add_rules()
    gone: list[int] = []
    if objective == "farthest":
        gone = [-formula.star[cell] for cell in _given_stars(puzzle)]
    # All solutions have the same number of stars: for every star that goes another comes.
    return formula.model(objective, [literal for literal in gone for _ in range(2)])


def build_rules(puzzle: StarBattlePuzzle) -> tuple[MaxsatModel[tuple[str, ...]], tuple[Violation, ...]]:
    """Build the formula of `fewest-broken`, and tell which rule its counted literals stand for.

    Returns
    -------
    model : MaxsatModel
        The same as that of `build_maxsat`.
    rules : tuple of Violation
        The i-th is the rule that is broken if the i-th counted literal is true.
    """
    formula = _Formula(puzzle)
    kept = formula.add_kept()
    return formula.model("fewest-broken", [-literal for literal, _ in kept]), tuple(rule for _, rule in kept)


def _given_stars(puzzle: StarBattlePuzzle) -> list[Cell]:
    if puzzle.apart_from is None:
        raise InputError(f"{puzzle.name}: farthest: needs a solution from which to measure")
    return [(r, c) for r, c in puzzle.cells if puzzle.apart_from[r][c] == STAR]


class _Formula:
    """Clauses about the stars of a puzzle.

    Variable star[cell] says that the cell has a star; a hole (rule 5) has none.
    """

    def __init__(self, puzzle: StarBattlePuzzle) -> None:
        self.puzzle = puzzle
        self.clauses: list[list[int]] = []
        self.star = {cell: i for i, cell in enumerate(puzzle.cells, start=1)}
        self._top = len(self.star)
        self.true = self._new()
        self._add([self.true])
        self._block_literals: dict[tuple[Cell, ...], int] = {}

    def model(self, objective: str, counted: Iterable[int]) -> MaxsatModel[tuple[str, ...]]:
        """Give the finished model."""
        puzzle, star = self.puzzle, self.star

        def read(values: Sequence[int]) -> tuple[str, ...]:
            columns, rows = range(puzzle.width), range(puzzle.height)
            return puzzle.rows([[(r, c) in star and values[star[r, c]] == 1 for c in columns] for r in rows])

        settings = MaxsatSettings(adapt=False, exhaust=False, minz=True)
        return MaxsatModel(self.clauses, self._top, tuple(counted), OBJECTIVES[objective], read, star, settings)

    def add_rules(self) -> None:
        """Demand the rules 1 to 4."""
        k, n = self.puzzle.stars, self.puzzle.height
        for first, second in self._touching():
            self._add([-self.star[first], -self.star[second]])
        for _, cells in self._lines():
            self._add_exactly(self._blocks(cells), k)
        for i in range(n - 1):
            two_rows = [cell for cell in self.star if cell[0] in (i, i + 1)]
            two_columns = [cell for cell in self.star if cell[1] in (i, i + 1)]
            self._add_exactly(self._blocks(two_rows), 2 * k)
            self._add_exactly(self._blocks(two_columns), 2 * k)

    def add_kept(self) -> list[tuple[int, Violation]]:
        """Give, for each of the rules 1 to 4, a variable that is true exactly if it is kept."""
        k = self.puzzle.stars
        kept: list[tuple[int, Violation]] = []
        for rule, cells in self._lines():
            enough, too_many = self._reached([self.star[cell] for cell in cells], k, k + 1)
            right = self._new()
            self._add([-right, enough], [-right, -too_many], [right, -enough, too_many])
            kept.append((right, rule))
        for first, second in self._touching():
            x, y, apart = self.star[first], self.star[second], self._new()
            self._add([-apart, -x, -y], [apart, x], [apart, y])
            kept.append((apart, touching_rule(first, second)))
        return kept

    def _add(self, *clauses: list[int]) -> None:
        self.clauses.extend(clauses)

    def _new(self) -> int:
        self._top += 1
        return self._top

    def _touching(self) -> Iterator[tuple[Cell, Cell]]:
        for r, c in self.star:
            for other in ((r, c + 1), (r + 1, c - 1), (r + 1, c), (r + 1, c + 1)):
                if other in self.star:
                    yield (r, c), other

    def _lines(self) -> Iterator[tuple[Violation, list[Cell]]]:
        """Give the cells of every row, column and region, each with its rule."""
        puzzle = self.puzzle
        for r in range(puzzle.height):
            yield row_rule(puzzle, r), [cell for cell in self.star if cell[0] == r]
        for c in range(puzzle.width):
            yield column_rule(puzzle, c), [cell for cell in self.star if cell[1] == c]
        for region, cells in enumerate(puzzle.region_cells):
            yield region_rule(puzzle, region), list(cells)

    def _blocks(self, cells: Sequence[Cell]) -> list[int]:
        """Cut cells into as few blocks of touching cells as a 2x2 grid can; for each, whether it has a star."""
        cuts: list[dict[Cell, list[Cell]]] = []
        for down, right in ((0, 0), (0, 1), (1, 0), (1, 1)):
            cut: dict[Cell, list[Cell]] = {}
            for r, c in cells:
                cut.setdefault(((r + down) // 2, (c + right) // 2), []).append((r, c))
            cuts.append(cut)
        return [self._block(tuple(block)) for block in min(cuts, key=len).values()]

    def _block(self, cells: tuple[Cell, ...]) -> int:
        """Give a literal that is true exactly if a star is on one of the cells."""
        if len(cells) == 1:
            return self.star[cells[0]]
        if cells not in self._block_literals:
            literal = self._block_literals[cells] = self._new()
            self._add([-literal, *(self.star[cell] for cell in cells)])
            self._add(*([literal, -self.star[cell]] for cell in cells))
        return self._block_literals[cells]

    def _add_exactly(self, literals: Sequence[int], count: int) -> None:
        """Demand that exactly a number of the literals are true."""
        enough, too_many = self._reached(literals, count, count + 1)
        self._add([enough], [-too_many])

    def _reached(self, literals: Sequence[int], low: int, high: int) -> list[int]:
        """Count literals one after the other; for low, ..., high, give one that says: at least so many are true.

        References
        ----------
        C. Sinz, "Towards an optimal CNF encoding of Boolean cardinality constraints", CP 2005; here in both
        directions, and without the counts from which `low` cannot be reached any more.
        """
        so_far: dict[int, int] = {}  # so_far[j]: at least j of the literals up to here
        for i, literal in enumerate(literals, start=1):
            before, so_far = so_far, {}
            for j in range(max(1, low - (len(literals) - i)), min(i, high) + 1):
                reached = so_far[j] = self._new()
                already = before.get(j, -self.true)
                almost = before[j - 1] if j > 1 else self.true
                self._add([-already, reached], [-almost, -literal, reached])
                self._add([-reached, already, literal], [-reached, almost])
        return [so_far.get(j, -self.true) for j in range(low, high + 1)]
