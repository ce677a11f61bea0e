"""New puzzles of Light Up: walls, clues, symmetry."""

import re
from functools import partial

import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from tests.oracle.lightup import lightings
from tests.support.examples import examples
from twinproof.models.generation.generated import NotFoundError
from twinproof.models.generation.images import images
from twinproof.models.lightup.generate import canonical, generate
from twinproof.models.lightup.instance import WALL_SYMMETRIES, LightUpPuzzle
from twinproof.models.lightup.maxsat import build_maxsat
from twinproof.models.lightup.rules import violations
from twinproof.models.minesweeper.generate import canonical as canonical_field
from twinproof.models.minesweeper.instance import MineField
from twinproof.optim import InputError, Status
from twinproof.optim.engine import solve
from twinproof.optim.request import Threshold

relaxed = examples(30)


def solutions_of(rows: tuple[str, ...]) -> list[frozenset[tuple[int, int]]]:
    return [lighting.bulbs for lighting in lightings(rows) if not lighting.broken]


def without_clue(rows: tuple[str, ...], wall: tuple[int, int]) -> tuple[str, ...]:
    r, c = wall
    return (*rows[:r], rows[r][:c] + "#" + rows[r][c + 1 :], *rows[r + 1 :])


@relaxed
@given(
    size=st.sampled_from([(2, 2), (1, 6), (3, 4), (4, 4)]), walls=st.integers(20, 60), seed=st.integers(0, 1000)
)
def test_lightup_minimal_has_no_clue_to_drop(size: tuple[int, int], walls: int, seed: int) -> None:
    made = generate(*size, walls, minimal=True, seed=seed)
    note("\n".join(made.instance.rows))
    for wall in made.instance.clues:
        assert len(solutions_of(without_clue(made.instance.rows, wall))) > 1


def has_another(puzzle: LightUpPuzzle, layout: tuple[str, ...]) -> bool:
    apart = LightUpPuzzle(puzzle.rows, apart_from=layout)
    build = partial(build_maxsat, apart, "farthest")
    outcome = solve("maxsat", build, threshold=Threshold(at_least=1), isolated=False)
    assert outcome.settled
    return outcome.status is Status.FEASIBLE


def test_lightup_minimal_drops_no_clue_on_a_large_board() -> None:
    made = generate(14, 14, minimal=True, seed=5)
    assert not has_another(made.instance, made.layout)
    for wall in made.instance.clues:
        rows = without_clue(made.instance.rows, wall)
        r, c = wall
        layout = without_clue(made.layout, (r, c))
        assert has_another(LightUpPuzzle(rows), layout), wall


@pytest.mark.parametrize("symmetry", WALL_SYMMETRIES)
@pytest.mark.parametrize("size", [(8, 8), (7, 7), (6, 9)])
def test_lightup_walls_are_symmetric(symmetry: str, size: tuple[int, int]) -> None:
    if symmetry == "quarter-turn" and size[0] != size[1]:
        with pytest.raises(InputError, match="no square"):
            generate(*size, symmetry=symmetry)
        return
    rows = generate(*size, 25, symmetry, seed=2).instance.rows
    walls = [["." if mark == "." else "#" for mark in row] for row in rows]
    mirrored, flipped = [row[::-1] for row in walls], walls[::-1]
    expected = {
        "none": [],
        "hsym": [mirrored],
        "vsym": [flipped],
        "both": [mirrored, flipped],
        "half-turn": [[row[::-1] for row in flipped]],
        "quarter-turn": [[list(column) for column in zip(*flipped, strict=True)]],
    }
    assert all(image == walls for image in expected[symmetry])
    count = sum(row.count("#") for row in walls)
    wanted = round(size[0] * size[1] * 0.25)
    assert wanted - 4 < count <= wanted
    assert count == wanted or symmetry != "none"


def test_lightup_shows_more_clues_unless_minimal() -> None:
    few = generate(20, 20, minimal=True, seed=1)
    many = generate(20, 20, seed=1)
    assert len(few.instance.clues) < len(many.instance.clues)
    # Same walls, same bulbs: only the numbers differ.
    assert [re.sub("[0-4]", "#", row) for row in few.layout] == [re.sub("[0-4]", "#", row) for row in many.layout]
    assert violations(many.instance, many.layout) == violations(few.instance, few.layout) == []


def test_lightup_few_walls_are_moved_until_there_is_one_solution() -> None:
    # Hardly any random choice of 10 walls in 100 cells has numbers that leave one solution.
    made = generate(10, 10, 10, seed=3)
    assert made.facts["walls"] == 10
    assert not has_another(made.instance, made.layout)


def test_lightup_accept_chooses_and_gives_up_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    made = generate(4, 4, 40, seed=1, accept=lambda puzzle: len(puzzle.clues) >= 5)
    assert len(made.instance.clues) >= 5
    assert made.attempts > 1
    monkeypatch.setattr("twinproof.models.lightup.generate.ATTEMPTS", 7)
    with pytest.raises(NotFoundError, match="no such puzzle found in 7 attempts"):
        generate(2, 3, 30, accept=lambda puzzle: False)
    # With both symmetries the four cells are all walls or none, and on open floor two bulbs have two places.
    notes: list[str] = []
    with pytest.raises(NotFoundError, match="2x2 cells with 25 percent walls: no such puzzle found in 7 attempts"):
        generate(2, 2, 25, "both", on_note=notes.append)
    assert notes[0] == "attempt 1, 4 cells differ in another solution"


def test_canonical_forms_are_those_of_all_images_and_of_no_other() -> None:
    made = generate(4, 5, 30, seed=1)
    turned = [tuple("".join(row) for row in image) for image in images(made.instance.rows)]
    forms = {canonical(LightUpPuzzle(rows)) for rows in turned}
    assert forms == {canonical(made.instance)}
    assert canonical(generate(4, 5, 30, seed=2).instance) not in forms
    field = MineField(("*..", "..*"), (0, 2))
    assert canonical_field(field) == canonical_field(MineField(("..*", "*.."), (0, 0)))
    assert canonical_field(field) == canonical_field(MineField((".*", "..", "*."), (0, 0)))
    assert canonical_field(field) != canonical_field(MineField(("*..", "..*"), (0, 1)))
    assert len(set(images(("ab", "cd")))) == 8
