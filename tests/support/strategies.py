"""Random small instances for hypothesis."""

from hypothesis import strategies as st

from twinproof.models.field.maps import Field, parse_map
from twinproof.models.field.symmetries import SYMMETRIES
from twinproof.models.hops.instance import HopsPuzzle
from twinproof.models.sprinklers.instance import KINDS, SprinklerKind, SprinklerPuzzle
from twinproof.optim import InputError


@st.composite
def fields(draw: st.DrawFn, max_tiles: int) -> tuple[Field, str | None]:
    """A map with obstacles and gaps, and a symmetry that it has, or None."""
    height, width = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    rows = [[draw(st.sampled_from("....X ")) for _ in range(width)] for _ in range(height)]
    symmetry = draw(st.sampled_from([None, None, *SYMMETRIES]))
    if symmetry in ("hsym", "both"):
        rows = [row[: (width + 1) // 2] + row[: width // 2][::-1] for row in rows]
    if symmetry in ("vsym", "both"):
        rows = rows[: (height + 1) // 2] + rows[: height // 2][::-1]
    if symmetry == "half-turn":
        cells = [mark for row in rows for mark in row]
        half = len(cells) // 2
        cells = cells[: len(cells) - half] + cells[:half][::-1]
        rows = [cells[r * width : (r + 1) * width] for r in range(height)]
    if symmetry in ("quarter-turn", "diagonal", "antidiagonal"):
        side = max(height, width)
        square = [[draw(st.sampled_from("....X ")) for _ in range(side)] for _ in range(side)]
        for r in range(side):
            for c in range(side):
                if symmetry == "diagonal":
                    square[c][r] = square[r][c]
                elif symmetry == "antidiagonal":
                    square[side - 1 - c][side - 1 - r] = square[r][c]
                else:
                    square[c][side - 1 - r] = square[r][c]
                    square[side - 1 - r][side - 1 - c] = square[r][c]
                    square[side - 1 - c][r] = square[r][c]
        rows = square
    drawn = list(rows)
    left = max_tiles
    for r, row in enumerate(drawn):
        for c, mark in enumerate(row):
            if mark == ".":
                left -= 1
                if left < 0:
                    drawn[r] = [*drawn[r][:c], "X", *drawn[r][c + 1 :]]
    if all(mark != "." for row in drawn for mark in row):
        drawn[0] = [".", *drawn[0][1:]]
    field = parse_map("\n".join("".join(row) for row in drawn), "random map")
    try:
        SprinklerPuzzle(field, symmetry=symmetry)
    except InputError:  # the cut to max_tiles broke the symmetry
        symmetry = None
    return field, symmetry


kinds = st.builds(SprinklerKind, st.sampled_from(["basic", "basic", *KINDS]), st.booleans())


@st.composite
def sprinkler_puzzles(draw: st.DrawFn, max_tiles: int = 14) -> SprinklerPuzzle:
    field, symmetry = draw(fields(max_tiles))
    return SprinklerPuzzle(field, draw(kinds), symmetry)


@st.composite
def hops_puzzles(draw: st.DrawFn, max_tiles: int = 12) -> HopsPuzzle:
    field, symmetry = draw(fields(max_tiles))
    edge = sorted(field.edge_tiles)
    entrances = frozenset(draw(st.lists(st.sampled_from(edge), max_size=2))) if edge else frozenset()
    return HopsPuzzle(
        field,
        draw(kinds),
        harvest=draw(st.sampled_from([4, 8])),
        entrances=entrances,
        dry_paths=draw(st.booleans()),
        symmetry=symmetry,
    )


def drawn_rows(field: Field) -> tuple[str, ...]:
    """The field as its text map."""
    return field.rows(dict.fromkeys(field.tiles, "."))
