"""Grids of characters as people paste them: cells apart, lists, rims; and what may be two things."""

import pytest

from twinproof.models import PUZZLES
from twinproof.models.field.maps import parse_layout, parse_map
from twinproof.models.field.sources import read_field
from twinproof.models.lightup.formats import FORMATS as LIGHTUP
from twinproof.models.minesweeper.formats import FORMATS as MINES
from twinproof.models.minesweeper.formats import read_bytes
from twinproof.models.minesweeper.instance import MinesweeperPuzzle
from twinproof.models.starbattle.formats import FORMATS as STARS
from twinproof.models.starbattle.instance import StarBattlePuzzle
from twinproof.models.text.forms import read_puzzle
from twinproof.models.text.grids import rectangle, words
from twinproof.models.text.sources import Inline, read_text
from twinproof.optim import InputError

GRID = ["#.1", ".2.", "..#"]

PASTED = {
    "as it is": "#.1\n.2.\n..#\n",
    "blanks": "# . 1\n. 2 .\n. . #",
    "tabs": "#\t.\t1\r\n.\t2\t.\r\n.\t.\t#\r\n",
    "tabs and a tab at the ends": "#\t.\t1\t\n.\t2\t.\t\n.\t.\t#\t\n",
    "commas": "#,.,1\n.,2,.\n.,.,#",
    "commas and blanks": "#, ., 1,\n., 2, .,\n., ., #,",
    "semicolons": "#;.;1\n.;2;.\n.;.;#",
    "a table": "| # | . | 1 |\n| . | 2 | . |\n| . | . | # |",
    "indented": "    #.1\n    .2.\n    ..#",
    "indented by a tab, apart": "\t# . 1\n\t. 2 .\n\t. . #",
    "blanks behind and round": "\n \n#.1  \n.2.\n..#   \n\n  ",
    "blanks of web pages": "#\u00a0.\u00a01\n.\u00a02\u00a0.\n.\u00a0.\u00a0#",
    "lists of lists": "[['#', '.', '1'], ['.', '2', '.'], ['.', '.', '#']]",
    "lists in JSON, named": 'board = [["#", ".", "1"],\n [".", "2", "."],\n [".", ".", "#"],\n]',
    "numpy prints": "[['#' '.' '1']\n ['.' '2' '.']\n ['.' '.' '#']]",
    "numpy says": "np.array([['#', '.', '1'],\n       ['.', '2', '.'],\n       ['.', '.', '#']], dtype='<U1')",
    "lists on lines": "['#', '.', '1']\n['.', '2', '.']\n['.', '.', '#']",
    "lists without quotes": "[[#, ., 1], [., 2, .], [., ., #]]",
    "rows in a list": '["#.1", ".2.", "..#"]',
    "rows in a tuple": "(['#.1',\n '.2.',\n '..#'])",
}


@pytest.mark.parametrize("text", PASTED.values(), ids=PASTED)
def test_a_grid_is_read_however_it_was_pasted(text: str) -> None:
    assert rectangle(text, "T") == GRID
    assert list(read_puzzle(LIGHTUP, text, "T").rows) == GRID


@pytest.mark.parametrize(
    "text", ["```\n#.1\n.2.\n..#\n```", "\ufeff```text\r\n# . 1\r\n. 2 .\r\n. . #\r\n```\r\n"]
)
def test_marks_round_a_text_are_no_part_of_it(text: str) -> None:
    assert rectangle(read_text(Inline("T", text)), "T") == GRID


REFUSED = {
    "a cell may be left out": ("# . 1\n.   .\n. . #", "2 cells set apart, the first row has 3"),
    "a cell is left out": ("#,.,1\n.,,.\n.,.,#", "row 2, column 2: nothing is written"),
    "cells in every row": ("#  1\n.  .\n.  #", "more than one blank between cells"),
    "rows begin anywhere": ("  #.\n..\n..", "not all rows begin in one column"),
    "groups": ("#. 1.\n.2 ..", "row 1, column 1: '#.' is not one character"),
    "numbers of the rows": ("0 . #\n1 . .\n2 . .\n3 . #", "'0 1 2 3' at the rim"),
    "numbers of the columns": ("1 2 3 4\n. . # .\n. . . .", "'1 2 3 4' at the rim"),
    "numbers round a corner": (". 1 2 3 4\n1 . # . .\n2 . . . .", "'. 1 2 3 4' at the rim"),
    "numbers below a corner": ("# . .\n0 . .\n1 . #\n2 . .\n3 . .", "'# 0 1 2 3' at the rim"),
    "a line of tabs above": ("\t\t\n#\t.\t1\n.\t2\t.", "nothing but tabs in a line above or below"),
    "a line of tabs below": ("#\t.\t1\n.\t2\t.\n\t\t", "nothing but tabs in a line above or below"),
    "its size": ("2 3\n. .\n. #\n. .", "'2 3' above 3 rows of 2"),
    "its size and a number": ("3 2 9\n. . #\n. . #", "'3 2 9' above 2 rows of 3"),
    "one list": ("['#', '.', '1']", "one list"),
    "one list of numbers": ("[110, 101]", "one list"),
    "lists side by side": ("[#][.]\n[.][1]", "lists of cells, one a row"),
    "lists and more": ("[['#']] * 3", "lists of cells, one a row, and nothing else"),
    "a text in a list": ("[['#', '.'], ['.', '10']]", "row 2, column 2: '10' is not one character"),
    "two commas": ("[['#',, '.']]", "row 1, column 2"),
    "nothing": (" \n\n", "no grid in it"),
    "nothing between bars": ("| |\n| |", "no grid in it"),
    "empty lists": ("[[], []]", "no grid in it"),
    "an open list": ("[['#'", "lists of cells"),
}


@pytest.mark.parametrize(("text", "said"), REFUSED.values(), ids=REFUSED)
def test_what_may_be_something_else_is_refused_in_one_line(text: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        rectangle(text, "T")
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_long_texts_of_blanks_and_brackets_are_read_in_no_time() -> None:
    for text in (
        " " * 10**6,
        "[" * 10**6,
        "[!" + ",\n" * 10**6,
        "a = " + " " * 10**6 + "[",
        "['" * 10**5,
        "[" + "a," * 10**6,
    ):
        with pytest.raises(InputError):
            rectangle(text, "T")


def test_words_may_be_of_different_lengths() -> None:
    expected = [["1", "10"], ["9", "10"]]
    for text in ("1 10\n9 10", " 1  10\n 9  10", "1,10\n9,10", "[[ 1 10]\n [ 9 10]]", "[[1, 10], [9, 10]]"):
        assert words(text, "T") == expected


# Light Up: a blank may be floor.


@pytest.mark.parametrize(
    "text", ["W W\n1 1", "W  W\n1  1", "W W 1\n  W  \n1   W", " W1\n W ", "W1 \nW  ", "W1\n  "]
)
def test_blanks_that_may_be_floor_must_be_said_to_be(text: str) -> None:
    with pytest.raises(InputError, match="--format grid takes all blanks for floor, --format spaced takes none"):
        read_puzzle(LIGHTUP, text, "T")
    rows = text.replace(" ", ".").replace("W", "#").split("\n")
    assert list(read_puzzle(LIGHTUP, text, "T", "grid").rows) == rows


def test_blanks_are_floor_where_they_cannot_be_layout() -> None:
    assert read_puzzle(LIGHTUP, "W 1\n W2\n3  ", "T").rows == ("#.1", ".#2", "3..")
    # In lists and tables of a spreadsheet they are cells.
    assert read_puzzle(LIGHTUP, "W,,1\n,W,2\n3,,", "T").rows == ("#.1", ".#2", "3..")
    assert read_puzzle(LIGHTUP, "[['W',' ','1'],[' ','W','2']]", "T").rows == ("#.1", ".#2")
    with pytest.raises(InputError, match="is there an empty column"):
        read_puzzle(LIGHTUP, "W,1,\n2,W,", "T")


def test_the_form_spaced_says_that_no_blank_is_floor() -> None:
    puzzle = read_puzzle(LIGHTUP, "W W\n1 1", "T", "spaced")
    assert puzzle.rows == ("##", "11")
    assert LIGHTUP["spaced"].write(puzzle) == "# #\n1 1\n"
    with pytest.raises(InputError, match="more than one blank"):
        read_puzzle(LIGHTUP, "W  1\n1  .", "T", "spaced")


def test_the_size_of_a_grid_above_it_is_no_row() -> None:
    with pytest.raises(InputError, match="'3x3' above 3 rows: cells, or the size of them"):
        read_puzzle(LIGHTUP, "3x3\n..1\n.2.\n...", "T")
    assert read_puzzle(LIGHTUP, "3x3\n..1\n.2.", "T").rows[0] == "3#3"


@pytest.mark.parametrize("wall", "#WXx")
def test_walls_have_one_mark(wall: str) -> None:
    assert read_puzzle(LIGHTUP, f"{wall}.\n.{wall}", "T").rows == ("#.", ".#")
    with pytest.raises(InputError, match="which one is a wall"):
        read_puzzle(LIGHTUP, f"{wall}.\n.{'#' if wall != '#' else 'X'}", "T")


# Star Battle: a blank may be a cell without a region, and the board is a square.

BOARD = ["AAB", "CAB", "CCB"]


@pytest.mark.parametrize(
    "text",
    [
        "A A B\nC A B\nC C B",
        "1 1 2\n3 1 2\n3 3 2",
        "10 10 2\n 3 10 2\n 3  3 2",
        "[[0, 0, 1], [2, 0, 1], [2, 2, 1]]",
        "A\tA\tB\nC\tA\tB\nC\tC\tB",
        "stars: 1\nA,A,B\nC,A,B\nC,C,B",
        "Stars: 1\nSize: 3x3\n  A A B\n  C A B\n  C C B",
        "AAB \nCAB \nCCB ",
    ],
)
def test_regions_are_read_however_they_were_pasted(text: str) -> None:
    assert read_puzzle(STARS, text, "T") == read_puzzle(STARS, "\n".join(BOARD), "T")


def test_blanks_are_cells_without_a_region_where_they_make_a_square() -> None:
    puzzle = read_puzzle(STARS, "A B\n.CB\nACB\n", "T")
    assert puzzle.regions[0] == (0, None, 1)
    assert puzzle.holes == {(1, 0)}
    with pytest.raises(InputError, match="--format letters skips them, --format alberi takes them for cells"):
        read_puzzle(STARS, "\n".join([". . . ."] * 4), "T")


@pytest.mark.parametrize(
    "remark", ["# 2★", "# Stars: 2", "# stars = 2", "# a board with 2 stars", "# star battle, 2 star"]
)
def test_remarks_say_the_number_of_stars(remark: str) -> None:
    board = "\n".join(["." * 8] * 8)
    assert read_puzzle(STARS, f"{remark}\n{board}", "T").stars == 2
    with pytest.raises(InputError, match="line 2: stars 1, and 2 are asked for"):
        read_puzzle(STARS, f"{remark}\n# 1 star\n{board}", "T")


def test_the_name_of_the_puzzle_says_no_number_of_stars() -> None:
    assert read_puzzle(STARS, "# Volume 3 Star Battle, Book 2\n" + "\n".join(BOARD), "T").stars == 1


# Minesweeper.

OTHERS = {
    "question marks": "? ? 1 0\n? 2 1 0\n1 1 0 0",
    "hashes and points": "##1.\n#21.\n11..",
    "hyphens": "--10\n-210\n1100",
    "underscores": "__10\n_210\n1100",
    "hashes and underscores": "##1_\n#21_\n11__",
    "crosses": "x x 1 0\nx 2 1 0\n1 1 0 0",
    "slashes": ". . 1 /\n. 2 1 /\n1 1 / /",
}


@pytest.mark.parametrize("text", OTHERS.values(), ids=OTHERS)
def test_boards_of_other_programs(text: str) -> None:
    assert read_puzzle(MINES, text, "T", "covered") == MinesweeperPuzzle(("..10", ".210", "1100"))


@pytest.mark.parametrize("covered", "?#x-_.")
def test_blanks_are_open_cells_in_boards_of_other_programs(covered: str) -> None:
    board = MinesweeperPuzzle((".101.", ".101."))
    for text in ("?1 1?\n?1 1?", "? 1   1 ?\n? 1   1 ?", "?,1,,1,?\n?,1,,1,?", "|?|1| |1|?|\n|?|1| |1|?|"):
        assert read_puzzle(MINES, text.replace("?", covered), "T", "covered") == board
    # A last column may be none.
    for text in ("?1 \n?1 ", "? 1  \n? 1  "):
        with pytest.raises(InputError, match="write 0 for the cells"):
            read_puzzle(MINES, text.replace("?", covered), "T", "covered")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1110\n1???\n1110", "'?' (open here), and there is no '.' (hidden): --format covered"),
        ("1110\n1###\n1110", "'#' (no part of the board here), and there is no '.' (hidden): --format covered"),
        (
            "..1#\n..2#\n..1#",
            "no '.' (hidden) is beside one: --format covered takes them for hidden, --format text",
        ),
        ("--1\n--1", "'-' is not in the legend"),
        ("  1??\n112??", "--format covered reads what most programs write"),
    ],
)
def test_marks_that_mean_hidden_elsewhere_are_doubted(text: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        read_puzzle(MINES, text, "T")
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_naming_the_form_leaves_no_doubt() -> None:
    text = "..1#\n..2#\n..1#"
    assert read_puzzle(MINES, text, "T", "text").board == ("..1#", "..2#", "..1#")
    assert read_puzzle(MINES, text, "T", "covered").board == ("001.", "002.", "001.")
    # A hidden cell beside a mark of ours leaves none either: next to a 0 all is open.
    assert read_puzzle(MINES, ".?1\n..1", "T").board == (".?1", "..1")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("?#1\n111", "'?' and '#': which one is hidden"),
        ("-_1\n111", "'-' and '_': which one is hidden"),
        ("#.1\n111", "'.' beside a hidden cell"),
        ("F.1\n11#", "'.' beside a hidden cell"),
        ("011\n112", "nothing is hidden"),
        ("?*1", "'*' is none of"),
        (" 1#\n 1#", "write 0 for the cells"),
    ],
)
def test_uncertain_boards_of_other_programs_are_refused(text: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        read_puzzle(MINES, text, "T", "covered")
    assert said in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "mines: 2\n..\n12",
        "Mines 2\n..\n12",
        "2 mines\n..\n12",
        "..\n12\n\nMINES: 2\n",
        "n = 2\n. .\n1 2\n",
        "..\n12\n2 Bombs",
        "mines=2\n\n[['.', '.'],\n ['1', '2']]",
    ],
)
def test_the_number_of_mines_is_said_above_or_below(text: str) -> None:
    assert read_puzzle(MINES, text, "T") == MinesweeperPuzzle(("..", "12"), 2)
    assert read_puzzle(MINES, text.replace(".", "?"), "T", "covered") == MinesweeperPuzzle(("..", "12"), 2)


def test_two_numbers_of_mines_are_refused() -> None:
    with pytest.raises(InputError, match="4 mines, and 3 are asked for"):
        PUZZLES.find("minesweeper").read(Inline("T", "4 mines\n.....\n"), {"mines": 3})
    with pytest.raises(InputError, match="line 3: 'mines: 4': the number of mines is said twice"):
        read_puzzle(MINES, "3 mines\n.....\nmines: 4", "T")


def test_fields_of_mines_are_read_however_they_were_pasted() -> None:
    for text in ("* . .\n. . *", "  *..\n  ..*  ", "*,.,.\n.,.,*", "[['*','.','.'],['.','.','*']]"):
        assert read_bytes(text.encode(), "T").rows == ("*..", "..*")


# Fields: a blank is outside.


def test_a_map_whose_cells_may_be_apart_must_be_said_to_be() -> None:
    text = "  . .\n. . X .\n  ."
    with pytest.raises(
        InputError, match="--format spaced takes them for gaps between cells, --format map for the"
    ):
        read_field(Inline("T", text))
    assert read_field(Inline("T", text), "map") == parse_map(text, "T")
    assert read_field(Inline("T", text), "spaced") == parse_map(" ..\n..X.\n .", "T")
    with pytest.raises(InputError, match="every second row or column, or more of them, are blank"):
        read_field(Inline("T", "..\n\n.X"))
    with pytest.raises(InputError, match="every second row or column, or more of them, are blank"):
        read_field(Inline("T", "  .\n    .\n."))
    assert read_field(Inline("T", "..\n\n.X"), "spaced") == parse_map("..\n.X", "T")
    with pytest.raises(InputError, match="every second row or column, or more of them, are blank"):
        read_field(Inline("T", ".  .  .\n.  X  ."))
    assert read_field(Inline("T", ".  .  .\n.  X  ."), "spaced") == parse_map("...\n.X.", "T")
    with pytest.raises(InputError, match="form 'grid': unknown; known are map, spaced"):
        read_field(Inline("T", text), "grid")
    with pytest.raises(InputError, match="the field disc:9 is a name"):
        read_field("disc:9", "map")


@pytest.mark.parametrize("text", [" ..\n..X.\n ..\n", "..X\n.\n\n  .\n", "  ..\n  ..", "."])
def test_maps_are_read_as_ever(text: str) -> None:
    assert read_field(Inline("T", text)) == parse_map(text, "T")


def test_maps_with_delimiters_are_no_doubt() -> None:
    expected = parse_map("..X\n. .", "T")
    for text in (".,.,X\n., ,.", ".\t.\tX\n.\t\t.", "[['.','.','X'],['.',' ','.']]"):
        assert read_field(Inline("T", text)) == expected


@pytest.mark.parametrize(
    "text",
    [
        " S.\n.XH\n  .",
        "  S .\n. X H\n    .",
        "     S.\n    .XH\n      .\n\n",
        ",S,.\n.,X,H\n,,.",
        "```\n S.\n.XH\n  .\n```",
    ],
)
def test_layouts_of_a_field_are_read_however_they_were_pasted(text: str) -> None:
    field = parse_map(" ..\n.X.\n  .", "T")
    legend = {"S": "sprinkler", "H": "hop", ".": "crop"}
    marks = parse_layout(read_text(Inline("L", text)), field, legend, "L")
    assert marks == {(0, 1): "S", (0, 2): ".", (1, 0): ".", (1, 2): "H", (2, 2): "."}


@pytest.mark.parametrize(("board", "hole"), [(" . \n   \n   \n", (0, 1)), ("   \n . \n   \n", (1, 1))])
def test_the_blank_of_web_pages_is_a_blank_where_blanks_are_cells(board: str, hole: tuple[int, int]) -> None:
    # As many columns as rows, so the blanks are cells: without a region, but for the one that is left empty.
    expected = StarBattlePuzzle(1, ((None,) * 3,) * 3, frozenset({hole}))
    for written in (board, board.replace(" ", "\u00a0")):
        assert read_puzzle(STARS, written, "T", "alberi") == expected
    assert read_puzzle(STARS, board.replace(" ", "\u00a0"), "T") == read_puzzle(STARS, board, "T")
