"""Minesweeper: text forms of boards and of fields, and their drawings."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.contract.trials.minesweeper import mine_fields, puzzles
from tests.support.examples import examples
from tests.support.shared_data import load
from twinproof.models.grid import neighbours8
from twinproof.models.minesweeper.deduce import deduce
from twinproof.models.minesweeper.drawing import draw, draw_deduction
from twinproof.models.minesweeper.formats import FIELD_FORMATS, FORMATS, read_bytes, read_mbf, write_mbf
from twinproof.models.minesweeper.instance import MineField, MinesweeperPuzzle
from twinproof.models.minesweeper.play import play
from twinproof.models.text.forms import read_puzzle
from twinproof.optim import InputError

Cell = tuple[int, int]
relaxed = examples(40)

BEACH = MinesweeperPuzzle(("....", "1232"), name="beach")

GAME_ID = (
    "49x22:9,12,m5141a7b0615643db1b461184eb1f52ef59a7de6edaea3c5cec7d4f84b8e694d1f4969d86c6b84570d106192ce297d7335"
    "7451b54e18c4ab254eb79a4ba876ebdf50f4e00a91f90587b22038679ca036af88871ace4351c3e0472db9bc6421098a6343c1560e5e0"
    "e2df9a06cf070f21ee81d37791a65a89681d88a27fc97d0ef97c8dd5589b2c24"
)
"""A game reported as unsolvable, and shown by its maintainer to be solvable: medmunds/puzzles#1."""


@relaxed
@given(puzzle=puzzles())
def test_forms_give_back_what_they_can_say(puzzle: MinesweeperPuzzle) -> None:
    marks = "".join(puzzle.board)
    says = {
        "json": True,
        "text": True,
        "covered": "." in marks and not set("?#") & set(marks),
        "mine": puzzle.mines is not None and puzzle.trust_flags and not set("?#") & set(marks),
        "puzzlink": puzzle.mines is None and puzzle.trust_flags and not set("F#") & set(marks),
    }
    for form, possible in says.items():
        if not possible:
            with pytest.raises(InputError, match="cannot say"):
                FORMATS[form].write(puzzle)
            continue
        text = FORMATS[form].write(puzzle)
        assert FORMATS[form].read(text, "again") == puzzle
        if form not in ("text", "covered"):  # which are told apart by their names
            assert read_puzzle(FORMATS, text, "again") == puzzle


def test_json_alone_says_a_layout_to_be_apart_from() -> None:
    puzzle = replace(BEACH, apart_from=("*.**", "1232"))
    assert FORMATS["json"].read(FORMATS["json"].write(puzzle), "again") == puzzle
    for form in ("text", "mine", "puzzlink"):
        with pytest.raises(InputError, match="cannot say"):
            FORMATS[form].write(puzzle)


@relaxed
@given(game=mine_fields())
def test_field_forms_give_back_what_they_can_say(game: tuple[MineField, list[Cell]]) -> None:
    bare, starts = game
    for field in (bare, replace(bare, start=starts[0])):
        whole = "#" not in "".join(field.rows)
        for form, possible in (("json", True), ("tatham", whole), ("text", field.start is None)):
            if possible:
                text = FIELD_FORMATS[form].write(field)
                assert FIELD_FORMATS[form].read(text, "again") == field
                assert read_bytes(text.encode(), "again") == field
            else:
                with pytest.raises(InputError, match="cannot say"):
                    FIELD_FORMATS[form].write(field)
        if whole and field.start is None:
            data = write_mbf(field)
            assert read_mbf(data, "again") == read_bytes(data, "again") == field
        else:
            with pytest.raises(InputError, match="cannot say"):
                write_mbf(field)


def test_game_id_of_the_source_unmasked() -> None:
    field = FIELD_FORMATS["tatham"].read("4x4:0,0,u1020", "id")
    assert field == MineField(("...*", "....", "..*.", "...."), (0, 0))


def test_game_id_masked_is_solved_without_a_guess() -> None:
    # The program clears the first cell's surroundings and promises a game without guesses. Were the mask taken
    # off wrongly, half of the cells would be mines.
    field = read_bytes(GAME_ID.encode(), "id")
    assert FIELD_FORMATS["tatham"].write(field) == GAME_ID
    assert field.start == (12, 9)
    assert not field.mines.intersection(neighbours8((12, 9)))
    found = play(field, [(12, 9)], total_known=True)
    assert found.undetermined == 0
    assert found.safe_revealed == 49 * 22 - len(field.mines)


def test_puzzlink_address_has_columns_first_and_counts_gaps_from_g() -> None:
    address = "https://puzz.link/p?mines/3/2/g1.2h"
    puzzle = FORMATS["puzzlink"].read(address, "address")
    assert puzzle.board == (".1?", "2..")
    assert FORMATS["puzzlink"].write(puzzle) == address
    # The longest gap is 20 cells.
    wide = MinesweeperPuzzle(("." * 41 + "1",))
    assert FORMATS["puzzlink"].write(wide).endswith("/42/1/zzg1")


def test_public_puzzlink_address() -> None:
    (case,) = [case for case in load("minesweeper/forced_cells.json") if case["id"] == "pzpr-mines"]
    address = "https://puzz.link/p?mines/" + case["source"].split()[-1]
    assert FORMATS["puzzlink"].read(address, "address") == MinesweeperPuzzle(tuple(case["grid"]))
    assert FORMATS["puzzlink"].write(MinesweeperPuzzle(tuple(case["grid"]))) == address


def test_mine_file_is_read_as_its_program_writes_it() -> None:
    assert FORMATS["mine"].read("3x2x2\r\nHF2\r\n?H1\r\n", "file") == MinesweeperPuzzle((".F2", "..1"), 2)


def test_text_headers_are_read_and_kept() -> None:
    puzzle = FORMATS["text"].read("\nmines: 2\nflags: not trusted\n\n .F1 \n ..1\n\n", "text")
    assert puzzle == MinesweeperPuzzle((".F1", "..1"), 2, trust_flags=False)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no grid"),
        ("mines: 3", "no grid"),
        ("mines: many\n...", "line 1: mines 'many'"),
        ("mines: 99999999999\n...", "line 1"),
        ("flags: no\n...", "line 1: 'flags: no': beside the rows"),
        ("mines: 3\n...\n4 mines", "line 3: '4 mines': the number of mines is said twice"),
        ("3 mines left\n....", "line 1: '3 mines left': beside the rows"),
        ("mines: 1\n..\n...", "line 3: 3 characters"),
        (".*.", "'\\*' is a mine, as solved boards and hints have it"),
        ("{", "no JSON"),
        ("{}", "no 'board'"),
        ('{"board": [".1", 3]}', "board: must be a list of strings"),
        ('{"board": ["."], "mines": true}', "mines: must be a whole number"),
        ('{"board": ["."], "mines": 1.5}', "mines"),
        ('{"board": ["."], "trust_flags": 1}', "trust_flags"),
        ('{"board": ["."], "mine": 1}', "'mine' is no key"),
        ("3x3x1\nHHH\nHHH", "2 rows below the first line"),
        ("3x2x1\nHHH\nHH", "row 2: 2 cells"),
        ("3x2x1\nHHH\nHH9", "row 2, column 3"),
        ("0x2x1\n", "width '0'"),
        ("99999x99999x1\nH", "at most"),
        ("https://puzz.link/p?lightup/3/3/j2.hb", "puzzle 'lightup'"),
        ("https://puzz.link/p?mines/5/5/g1m12", "11 cells, 5x5 has 25"),
        ("https://puzz.link/p?mines/5/5", "mines/COLUMNS/ROWS/CELLS"),
        ("https://puzz.link/p?mines/2/1/g9", "row 1, column 2: a clue is at most 8, this is 9"),
        ("https://puzz.link/p?mines/2/1/g-10", "this is 16"),
        ("https://puzz.link/p?mines/2/1/g!", "character 2"),
        ("https://puzz.link/p?mines/x/1/g", "width 'x'"),
    ],
)
def test_bad_boards_are_refused_in_one_line(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said) as caught:
        read_puzzle(FORMATS, text, "T")
    assert str(caught.value).startswith("T: ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "no grid"),
        (b"\xff\xfe\x80", "byte 1: neither text"),
        (b"...F", "'F' is not in the legend"),
        (b"3x3:0,0,u12", "2 hexadecimal digits; 3x3 cells need 3"),
        (b"3x3:0,0,x123", "must be X,Y,m"),
        (b"3x3:5,0,u100", "row 1, column 6: no cell"),
        (b"3x3:0,0,u800", "row 1, column 1: there is a mine"),
        (b"3x3n4:u100", "n4: the field has 1 mine"),
        (b"9x9:r10,u,0123", "first click"),
        (b"99999x99999:uff", "at most"),
        (b'{"field": ["."], "start": [2, 1]}', "row 2, column 1: no cell"),
        (b'{"field": ["."], "start": 1}', "start: must be"),
        (b"\x02\x02\x00\x01\x05\x00", "mine 1: row 1, column 6 is beyond"),
        (b"\x02\x02\x00\x02\x01\x00\x01\x00", "mine 2: row 1, column 2 is named twice"),
        (b"\x00\x02\x00\x00", "empty"),
    ],
)
def test_bad_fields_are_refused_in_one_line(data: bytes, said: str) -> None:
    with pytest.raises(InputError, match=said) as caught:
        read_bytes(data, "T")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("data", [b"", b"\x02\x02", b"\x02\x02\x00\x01", b"\x02\x02\x00\x01\x00\x00\x00"])
def test_mbf_cut_or_continued_is_refused(data: bytes) -> None:
    with pytest.raises(InputError, match="bytes"):
        read_bytes(data, "T", "mbf")


def test_unknown_forms_are_refused() -> None:
    with pytest.raises(InputError, match="form 'x'"):
        read_bytes(b"..", "T", "x")
    with pytest.raises(InputError, match="255"):
        write_mbf(MineField(("." * 256,)))


letters = st.text(st.sampled_from(' \n.0189F?#*HxXmu:,{}[]"abgz-+/²٣\x1c\ud800'), max_size=40)


@examples(100)
@given(
    text=st.text(max_size=60) | letters, prefix=st.sampled_from(["", "mines: ", "3x1x1\n", "3x1:", '{"board": ["'])
)
def test_any_text_is_a_field_or_the_format_error(text: str, prefix: str) -> None:
    for form in FIELD_FORMATS.values():
        try:
            assert isinstance(form.read(prefix + text, "T"), MineField)
        except InputError as error:
            assert "\n" not in str(error)  # noqa: PT017 - a field is as good


@examples(100)
@given(data=st.binary(max_size=30), header=st.sampled_from([b"", b"\x03\x03\x00\x01", b"3x3:0,0,m"]))
def test_bytes_give_a_field_or_the_format_error(data: bytes, header: bytes) -> None:
    for form in (None, "mbf"):
        try:
            assert isinstance(read_bytes(header + data, "T", form), MineField)
        except InputError as error:
            assert "\n" not in str(error)  # noqa: PT017 - a field is as good


# Drawing.


def test_draw_spaces_the_marks_and_leaves_blank_what_is_no_board() -> None:
    puzzle = MinesweeperPuzzle((".1#", "F?."), 1)
    assert draw(puzzle) == [". 1", "F ? ."]
    assert draw(puzzle, (".1#", "*?.")) == [". 1", "* ? ."]


def test_draw_deduction_marks_what_is_proved() -> None:
    puzzle = MinesweeperPuzzle(("F.2.#", "222.F"), trust_flags=False)
    deduction = deduce(puzzle)
    assert deduction is not None
    # The first two cells are the only ones beside the 2 at the left; the 2 above then needs one more.
    assert draw_deduction(puzzle, deduction) == ["* * 2 .", "2 2 2 . F"]


def test_what_solve_and_hint_print_is_a_board_where_that_is_said() -> None:
    board = MinesweeperPuzzle(("0.2..", ".1..2"), name="printed")
    printed = "0 . 2 * *\n. 1 * . 2\n* mine: 3\ncpsat: solution: found (0.1 s)\n"
    position = " 0  x  2 [*][*]\n .  1 (.) .  2\n* a mine in the cell   x no mine in the cell\n"
    for text in (printed, position, "0 . 2 . .\n. 1 . . 2\n"):
        assert read_puzzle(FORMATS, text, "printed", "solved") == board
    with pytest.raises(InputError, match="--format solved, which takes '\\*' for hidden"):
        read_puzzle(FORMATS, printed, "printed")
    with pytest.raises(InputError, match="boards that differ"):
        read_puzzle(FORMATS, printed + "\n1 . 2 * *\n. 1 * . 2\n", "printed", "solved")
