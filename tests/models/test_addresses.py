"""Addresses and game IDs: in every form and dress the same puzzle, and refused as what they are."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.contract.trials import TRIALS
from tests.oracle import addresses as oracle
from tests.support.examples import examples
from tests.support.running import Run, loaded
from tests.support.shared_data import DATA
from twinproof import read
from twinproof.compare.questions.answer import Question, identity
from twinproof.models import PUZZLES
from twinproof.models.lightup.instance import LightUpPuzzle
from twinproof.models.minesweeper import read_mines
from twinproof.models.minesweeper.instance import MineField, MinesweeperPuzzle
from twinproof.models.starbattle.instance import StarBattlePuzzle, number_regions
from twinproof.models.text.addresses import MAX_ADDRESS
from twinproof.models.text.penpa import MAX_PLAIN
from twinproof.optim import InputError

AKARI = "https://puzz.link/p?akari/6/6/nekcakbl"
AKARI_ROWS = ("......", "..4...", "....2.", ".0....", "...1..", "......")
"""The example in pzprjs, `test/script/lightup.js`, and its board there."""

GAME_ID = "3x2:aB1b0"
GAME_ROWS = (".#1", "..0")

TATHAM = "https://www.chiark.greenend.org.uk/~sgtatham/puzzles"
PENPA = "https://swaroopg92.github.io/penpa-edit/"


def grids(marks: str) -> st.SearchStrategy[tuple[str, ...]]:
    """Rows of marks, some of which end an address in a sign that is no letter."""
    return st.integers(1, 5).flatmap(
        lambda width: st.lists(st.text(marks, min_size=width, max_size=width), min_size=1, max_size=4).map(tuple)
    )


@st.composite
def areas(draw: st.DrawFn) -> StarBattlePuzzle:
    """Star Battles of 4 to 7 rows whose regions are strips of a path through the board."""
    size = draw(st.integers(4, 7))
    cuts = sorted(draw(st.sets(st.integers(1, size * size - 1), min_size=size - 1, max_size=size - 1)))
    region = [str(sum(cut <= place for cut in cuts)) for place in range(size * size)]
    rows = [region[r * size : (r + 1) * size][:: -1 if r % 2 else 1] for r in range(size)]
    numbered, _ = number_regions(rows)
    return StarBattlePuzzle(1, numbered)


SAME: dict[str, st.SearchStrategy[Any]] = {
    "lightup": grids("...#01234").map(LightUpPuzzle),
    "minesweeper": grids("...?012345678").map(MinesweeperPuzzle),
    "starbattle": areas(),
}
EVERY = pytest.mark.parametrize("puzzle", SAME)


def addresses_of(puzzle: str, instance: Any) -> list[str]:
    """The address that is written, and those that other programs would write."""
    written = [PUZZLES[puzzle].formats["puzzlink"].write(instance)]
    if puzzle == "lightup":
        drawing = oracle.drawn_lightup(instance.rows)
        page = f"{TATHAM}/js/lightup.html#{PUZZLES[puzzle].formats['tatham'].write(instance)}"
        written += [oracle.kanpen(instance.rows), page, page.replace("js", "java").replace("#", "?")]
    elif puzzle == "minesweeper":
        drawing = oracle.drawn_mines(instance.board)
    else:
        drawing = oracle.drawn_starbattle(instance.regions, instance.stars)
    return [*written, drawing.address(), drawing.address("solve").replace("#", "?")]


@EVERY
@examples(25)
@given(data=st.data())
def test_an_address_is_the_same_puzzle_in_every_form_and_dress(puzzle: str, data: st.DataObject) -> None:
    instance = data.draw(SAME[puzzle])
    for address in addresses_of(puzzle, instance):
        for dress, text in oracle.dressed(address).items():
            again = read(puzzle, text)
            assert (again, again.name) == (instance, "address"), dress


@EVERY
@examples(60)
@given(data=st.data())
def test_a_written_address_is_read_by_an_independent_decoder(puzzle: str, data: st.DataObject) -> None:
    instance = data.draw(SAME[puzzle])
    address = PUZZLES[puzzle].formats["puzzlink"].write(instance)
    if puzzle == "lightup":
        assert tuple(oracle.lightup(address)) == instance.rows
    elif puzzle == "minesweeper":
        assert tuple(oracle.mines(address)) == instance.board
    else:
        stars, joined = oracle.starbattle(address)
        regions = {(r, c): region for r, row in enumerate(instance.regions) for c, region in enumerate(row)}
        neighbours = {
            frozenset({(r, c), to}) for r, c in regions for to in ((r, c + 1), (r + 1, c)) if to in regions
        }
        same = {pair for pair in neighbours if len({regions[cell] for cell in pair}) == 1}
        assert (stars, joined) == (instance.stars, same)


def test_addresses_end_in_a_sign_that_chat_programs_leave() -> None:
    lightup, mines = PUZZLES["lightup"].formats["puzzlink"], PUZZLES["minesweeper"].formats["puzzlink"]
    assert lightup.write(LightUpPuzzle(("1.#",))) == "https://puzz.link/p?lightup/3/1/6./\n"
    assert lightup.write(LightUpPuzzle(("#1",))) == "https://puzz.link/p?lightup/2/1/.b\n"
    assert mines.write(MinesweeperPuzzle((".?",))) == "https://puzz.link/p?mines/2/1/g./"
    one = StarBattlePuzzle(1, ((0,),))
    assert read("starbattle", PUZZLES["starbattle"].formats["puzzlink"].write(one)) == one


@pytest.mark.parametrize(
    "text",
    [
        GAME_ID,
        f"'{GAME_ID}'",
        f" <{GAME_ID}>\n",
        f"{TATHAM}/js/lightup.html#{GAME_ID}",
        f"{TATHAM}/java/lightup.html#{GAME_ID}/",
        f"www.chiark.greenend.org.uk/~sgtatham/puzzles/js/lightup.html?{GAME_ID}",
        f"{TATHAM}/js/lightup.html#3x2%3AaB1b0",
        "http://indi.s58.xrea.com/lightup/sa/m.html?c/3/2/g.ba",
        "http://www.kanpen.net/bijutsukan.html?pzpr=/3/2/g.ba",
        "http://www.geocities.jp/pencil_applet/bijutsukan.html?problem=2/3/._5_1_/._._0_/",
        "http://www.kanpen.net/bijutsukan.html?problem=2/3/.%205%201%20/.%20.%200%20/",
    ],
)
def test_game_ids_and_old_addresses(text: str) -> None:
    assert read("lightup", text).rows == GAME_ROWS


def test_a_game_of_mines_is_a_field_and_no_board(twinproof: Run) -> None:
    field = MineField(("..*", "...", "*.."), (1, 1))
    game = PUZZLES["minesweeper"].other_forms
    assert game is not None
    text = game.write(field, "tatham").decode().strip()
    for given_as in (text, f"{TATHAM}/js/mines.html#{text}", f'"{TATHAM}/js/mines.html?{text}"', "3x3n2:1,1,u220"):
        assert read_mines(given_as, {}) == field
        with pytest.raises(InputError, match="a field with all its mines, and no board in play; `play` reads it"):
            read("minesweeper", given_as)
    status, out, _ = twinproof("convert", "minesweeper", f"{TATHAM}/js/mines.html#{text}", "--to", "json")
    assert (status, json.loads(out)["field"]) == (0, list(field.rows))
    assert twinproof("play", text)[0] == 0


BOMB = oracle.deflated("square,3,3," + "0" * (MAX_PLAIN + 1))

REFUSED = [
    ("lightup", "7x7b20s4d2#123456", "game ID: a random seed, '7x7b20s4d2#123456': it names a puzzle only inside"),
    ("lightup", f"{TATHAM}/js/lightup.html#7x7b20s4d2%2395173", "address: a random seed"),
    ("minesweeper", "9x9n10#5", "a random seed"),
    ("lightup", f"{TATHAM}/js/lightup.html#7x7b20s4d2", "'7x7b20s4d2' says only how large"),
    ("lightup", f"{TATHAM}/js/unruly.html#8x8:a", "the puzzle 'unruly', not lightup"),
    ("starbattle", GAME_ID, "game ID: a game ID cannot say this puzzle; its forms are puzzlink"),
    (
        "starbattle",
        f"{TATHAM}/js/lightup.html#{GAME_ID}",
        "of the puzzle 'lightup' from Simon Tatham's collection",
    ),
    ("tents", AKARI, "address: an address cannot say this puzzle; its forms are text"),
    ("lightup", "https://puzz.link/p?slither_edit/3/3/abc", "the puzzle 'slither', not akari"),
    ("minesweeper", AKARI, "the puzzle 'akari', not mines"),
    ("starbattle", oracle.kanpen(GAME_ROWS), "the puzzle 'bijutsukan' from kanpen.net, which does not have"),
    ("lightup", "http://www.kanpen.net/hitori.html?problem=2/2/1_1_/1_1_/", "the puzzle 'hitori'"),
    ("lightup", "http://www.kanpen.net/bijutsukan.html?problem=2/2/1_7_/1_1_/", "row 1, column 2: '7'"),
    ("lightup", "http://www.kanpen.net/bijutsukan.html?problem=2/2/1_1_/1_/", "says 3 cells, 2x2 has 4"),
    ("lightup", "https://puzz.link/p?pzprv3/lightup/1/1/.%20/", "a whole file of pzpr in an address"),
    ("lightup", "https://puzz.link/p?akari/v:1/6/6/nekcakbl", "'v:1' in the address: a puzzle with other rules"),
    ("lightup", "https://puzz.link/p?akari", "must go on with COLUMNS/ROWS/CELLS"),
    ("lightup", "https://puzz.link/", "an address without a puzzle that is known"),
    ("lightup", f"{AKARI} {AKARI}", "blanks or line ends in an address"),
    ("lightup", f"https://puzz.link/p?akari/6/6/{'a' * MAX_ADDRESS}", f"more than {MAX_ADDRESS} characters"),
    ("lightup", f"{'https://a.bc/?u=' * 5}{AKARI}", "addresses in addresses, more than 3 deep"),
    ("lightup", "https%2525253A%2F%2Fpuzz.link", "addresses in addresses, more than 3 deep"),
    ("lightup", f"{PENPA}#m=edit&p={BOMB}", f"of more than {MAX_PLAIN} characters"),
    ("lightup", f"{PENPA}#m=edit&p=@@@@", "a damaged board of penpa-edit"),
    ("lightup", f"{PENPA}#m=edit&p={oracle.deflated('abc')[:-4]}", "penpa-edit"),
    ("lightup", f"{PENPA}#m=edit&p={oracle.deflated('10,10,0')}", "whose cells are no squares, but '10'"),
    ("lightup", f"{PENPA}#m=edit&p={oracle.deflated('square,3')}", "no board of penpa-edit"),
    ("lightup", f"{PENPA}#m=edit&p={oracle.deflated('hex,3,3,0')}", "whose cells are no squares, but 'hex'"),
    (
        "lightup",
        "none.txt",
        "none.txt: cannot be read: No such file or directory, and no address or game ID either",
    ),
    ("lightup", "x" * 5000, "cannot be read: No such file"),
    ("lightup", "https://puzz.link/p?akari/6/6/\udcff", "byte|'.udcff'|cells"),
]


@pytest.mark.parametrize(("puzzle", "text", "message"), REFUSED, ids=range(len(REFUSED)))
def test_what_cannot_be_read_is_refused_as_what_it_is(puzzle: str, text: str, message: str) -> None:
    wanted = TRIALS[puzzle].puzzle
    with pytest.raises(InputError, match=message) as refused:
        wanted.read(text, {})
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 700


def test_boards_of_penpa_edit_hold_nothing_that_means_nothing() -> None:
    rows = ("..1", "#..")
    board = oracle.drawn_lightup(rows)
    assert read("lightup", board.address(tags=["akari", "variant"])).rows == rows
    with pytest.raises(InputError, match="of the puzzle 'heyawake', not akari or lightup"):
        read("lightup", board.address(tags=["heyawake"]))
    with pytest.raises(InputError, match="row 1, column 3: 'surface' of penpa-edit"):
        read("minesweeper", board.address())
    cell = str(board.place(0, 0))
    for layer, value, message in [
        ("symbol", [1, "circle_L", 1], "row 1, column 1: 'symbol' of penpa-edit, which means nothing here"),
        ("number", ["2", 1, "1"], "row 1, column 1: '2': a clue is a number, 0 to 4, on a black cell"),
        ("number", ["12", 1, "2"], "row 1, column 1: a note of penpa-edit that is no plain number"),
        ("surface", 2, "several colours"),
        ("surface", [1, 2], "several colours"),
        ("lineE", 2, "lines on the edges"),
    ]:
        board = oracle.drawn_lightup(rows)
        board.layers[layer][cell] = value
        with pytest.raises(InputError, match=message):
            read("lightup", board.address())
    board = oracle.drawn_lightup(rows)
    board.layers["thermo"] = [[1, 2]]
    with pytest.raises(InputError, match="'thermo', which means nothing here"):
        read("lightup", board.address())
    board = oracle.drawn_lightup(rows)
    board.cells.pop()
    with pytest.raises(InputError, match="no full rectangle"):
        read("lightup", board.address())


def test_the_stars_of_a_drawn_star_battle_are_told_or_asked_for() -> None:
    regions = ("AABB", "AABB", "CCDD", "CCDD")
    board = oracle.drawn_starbattle(regions, 1)
    assert read("starbattle", board.address()).stars == 1
    board.layers["number"].clear()
    with pytest.raises(InputError, match="does not say how many stars; --stars can say it"):
        read("starbattle", board.address())
    assert read("starbattle", board.address(), stars=1).stars == 1
    board.border((0, 0), (0, 1), style=3)
    with pytest.raises(InputError, match="a line of penpa-edit of the style 3"):
        read("starbattle", board.address(), stars=1)


def test_what_is_kept_of_a_puzzle_does_not_depend_on_the_spelling_of_its_address() -> None:
    asked = {
        identity(Question("lightup", read("lightup", text), "solution"), counting=False)
        for text in oracle.dressed(AKARI).values()
    }
    other = identity(
        Question("lightup", read("lightup", "https://puzz.link/p?akari/1/1/g"), "solution"), counting=False
    )
    assert len(asked) == 1
    assert other not in asked


def test_a_file_goes_before_an_address_or_a_game_id(twinproof: Run, tmp_path: Path) -> None:
    assert read("lightup", GAME_ID).rows == GAME_ROWS
    (tmp_path / GAME_ID).write_text("...\n", encoding="utf-8")
    assert read("lightup", GAME_ID).rows == ("...",)
    assert twinproof("convert", "akari", GAME_ID, "--to", "grid")[1] == "...\n"


def test_commands_take_an_address_for_an_instance(twinproof: Run, tmp_path: Path) -> None:
    status, content = loaded(twinproof, "solve", "lightup", f"<{AKARI}>")
    assert (status, content["instance"]) == (0, "address")
    (tmp_path / "bulbs.txt").write_text("\n".join(content["layout"]) + "\n", encoding="utf-8")
    assert twinproof("check", "akari", AKARI, "bulbs.txt")[0] == 0
    far = twinproof("solve", "akari", AKARI, "--objective", "farthest", "--apart-from", "bulbs.txt")
    assert far[0] == 0
    assert twinproof("hint", "akari", AKARI)[0] == 0
    assert twinproof("certify", "lightup", "https://puzz.link/p?akari/2/1/.g", "--claim", "forced")[0] in (0, 1)
    for words in (["check", "akari", AKARI, AKARI], ["solve", "akari", AKARI, "--apart-from", AKARI]):
        status, _, err = twinproof(*words)
        assert (status, err) == (
            2,
            f"twinproof: {AKARI}: an address says a puzzle, and no layout; a file is needed, or -\n",
        )


def test_certificates_of_two_addresses_are_two_files(twinproof: Run, tmp_path: Path) -> None:
    for text in (
        "https://puzz.link/p?akari/1/1/g",
        "puzz.link/p?lightup/1/1/g/",
        "https://puzz.link/p?akari/2/1/.g",
    ):
        assert twinproof("certify", "akari", text, "--claim", "unique")[0] == 0
    assert len(list((tmp_path / "reports" / "certificates").glob("lightup-address-*.json"))) == 2


@pytest.mark.parametrize("line", range(6))
def test_public_addresses_as_people_paste_them(twinproof: Run, line: int) -> None:
    file = DATA.parent / "cases" / "addresses.txt"
    if not file.exists():
        pytest.skip("addresses.txt is not there: set TWINPROOF_DATA to the folder beside that of the cases")
    text = file.read_text(encoding="utf-8").splitlines()[line]
    if "mines" in text:
        plain = f"https://puzz.link/p?mines/{text.partition('/5/')[2].join(['5/', ''])}"
        words = ("convert", "minesweeper")
    else:
        plain = text.partition("#")[2] or AKARI
        words = ("convert", "akari")
    said = twinproof(*words, text, "--to", "json")
    assert said[0] == 0
    Path("plain.txt").write_text(plain, encoding="utf-8")
    expected = json.loads(twinproof(*words, "plain.txt", "--to", "json")[1])
    assert json.loads(said[1]) | {"name": ""} == expected | {"name": ""}
