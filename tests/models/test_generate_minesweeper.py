"""New fields of mines that open without a guess."""

import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from tests.oracle.minesweeper import beside, mines_of
from tests.oracle.minesweeper import play as brute_play
from tests.support.examples import examples
from twinproof.models.generation.generated import NotFoundError
from twinproof.models.minesweeper.deduce import deduce_cpsat
from twinproof.models.minesweeper.generate import generate as generate_field
from twinproof.models.minesweeper.instance import MinesweeperPuzzle
from twinproof.optim import InputError


@examples(30)
@given(
    size=st.sampled_from([(1, 5), (2, 4), (3, 3)]),
    mines=st.integers(0, 4),
    total_known=st.booleans(),
    data=st.data(),
)
def test_minesweeper_opens_without_a_guess_by_brute_force(
    monkeypatch: pytest.MonkeyPatch, size: tuple[int, int], mines: int, total_known: bool, data: st.DataObject
) -> None:
    monkeypatch.setattr("twinproof.models.minesweeper.generate.ATTEMPTS", 3)
    start = (data.draw(st.integers(0, size[0] - 1)), data.draw(st.integers(0, size[1] - 1)))
    try:
        made = generate_field(*size, mines, start, total_known, data.draw(st.integers(0, 100)))
    except NotFoundError:
        return  # there may be none
    note("\n".join(made.layout))
    field = mines_of(made.layout)
    assert len(field) == mines
    opened, proved = brute_play(made.layout, [start], total_known)
    assert proved == field
    assert len(opened) == size[0] * size[1] - mines


@pytest.mark.parametrize(("mines", "total_known"), [(12, True), (16, False)])
def test_minesweeper_opens_without_a_guess_by_the_other_engine(mines: int, total_known: bool) -> None:
    made = generate_field(8, 8, mines, (3, 4), total_known, seed=7)
    field = mines_of(made.layout)
    assert len(field) == mines
    assert not field & (beside((3, 4)) | {(3, 4)})
    opened = {(3, 4)}
    while True:
        board = [["."] * 8 for _ in range(8)]
        for r, c in opened:
            board[r][c] = str(len(beside((r, c)) & field))
        rows = tuple("".join(row) for row in board)
        deduction = deduce_cpsat(MinesweeperPuzzle(rows, mines if total_known else None))
        assert deduction is not None
        assert deduction.mines <= field
        assert not deduction.safe & field
        if not deduction.safe:
            break
        opened |= deduction.safe
    assert len(opened) == 64 - mines


def test_minesweeper_dense_fields_are_repaired() -> None:
    # 30 percent: hardly any random field of that kind opens by itself.
    made = generate_field(9, 9, 24, (4, 4), seed=0)
    assert len(made.instance.mines) == 24
    with pytest.raises(InputError, match="there is a mine"):
        made.instance.check_safe(min(made.instance.mines))


def test_minesweeper_fills_the_cells_round_the_start_last() -> None:
    assert generate_field(3, 3, 8, (1, 1)).layout == ("***", "*.*", "***")
    made = generate_field(4, 4, 15, (0, 0))
    assert made.layout == (".***", "****", "****", "****")
    # 7 of 16 cells are not the start or beside it.
    assert not mines_of(generate_field(4, 4, 7, (1, 1)).layout) & beside((1, 1))


def test_minesweeper_says_so_where_no_field_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    # Three hidden cells, alike to the one open: which of them the mine is on is a guess.
    monkeypatch.setattr("twinproof.models.minesweeper.generate.ATTEMPTS", 5)
    notes: list[str] = []
    with pytest.raises(NotFoundError, match=r"2x2 cells, mines 1, .* found in 5 attempts"):
        generate_field(2, 2, 1, (0, 0), on_note=notes.append)
    assert notes[0] == "attempt 1, 3 cells undetermined"
