"""What commands draw, read as an instance: known boards, and what a drawing does not say."""

import pytest

from twinproof.models import PUZZLES
from twinproof.models.text.sources import Inline
from twinproof.optim import InputError

AREAS = """\
+---+---+---+---+
|       | *     |
+   +   +---+   +
| *     |   |   |
+---+---+   +---+
|       |     * |
+   +   +   +   +
|     * |       |
+---+---+---+---+
* star: 4
"""
UNMARKED = AREAS.replace("*", " ")


def rows(puzzle: str, text: str, **options: object) -> object:
    """Read a text as an instance; give the rows of its board."""
    found = PUZZLES.find(puzzle)
    content = found.to_json(found.read(Inline("T", text), options))
    return {key: value for key, value in content.items() if key != "name"}


def test_light_up() -> None:
    solved = "+ - *\n* 2 #\n+ * 1\n* bulb: 3\ncpsat: solution: found (6.3 s)\n"
    assert rows("lightup", solved) == {"grid": ["...", ".2#", "..1"]}
    assert rows("lightup", "solve:\n..*\n*2#\n.*1\n") == {"grid": ["...", ".2#", "..1"]}
    hint = "forced (grade 1): a bulb\n .  .  x\n .  2  #\n - [*] 1\n"
    assert rows("lightup", hint) == {"grid": ["...", ".2#", "..1"]}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x*\n1.\n", "'x': floor that is known to be without a bulb, or a wall"),
        ("|.|*|\n|1|.|\n", "its beams .* are not those of its bulbs"),
        ("* - .\n1 .\n", "not equally long"),
        ("WW\n.*\n", "'W' is no floor"),
        ("* -\nanother solution:\n- - *\n", "lines 1 to 1|line 1 and line 3 can be read as boards that differ"),
        ("abc\n*-\n", "line 1: 'abc' is neither a row of a board nor a sentence"),
    ],
)
def test_light_up_in_doubt(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        rows("lightup", text)


def test_star_battle() -> None:
    board = {"stars": 1, "board": ["AABB", "AACB", "DDCC", "DDCC"]}
    assert rows("starbattle", AREAS) == board
    assert rows("starbattle", UNMARKED, stars=1) == board
    assert rows("starbattle", f"stars: 1\n{UNMARKED}") == board
    assert rows("starbattle", AREAS.replace("| *     |   |", "|[*]    |(x)|"), stars=1) == board


@pytest.mark.parametrize(
    ("text", "stars", "said"),
    [
        (UNMARKED, None, "does not say the number of stars"),
        (AREAS, 2, "stars 1 and 2: which number is right"),
        (f"stars: 2\n{UNMARKED}", 1, "stars 1 and 2: which number is right"),
        # With its border open, two of the four areas are one.
        (AREAS.replace("|       | *     |", "|         *     |"), 1, "no board with|areas and|boards that differ"),
        ("+---+\n| * |\n+---+\n", None, "1 area and 1 row: the drawing does not say which are regions"),
        (
            AREAS + "another solution:\n" + UNMARKED.replace("---+   +", "---+---+"),
            1,
            "no board with|areas and|boards that differ",
        ),
    ],
)
def test_star_battle_in_doubt(text: str, stars: int | None, said: str) -> None:
    with pytest.raises(InputError, match=said):
        rows("starbattle", text, **({} if stars is None else {"stars": stars}))


def test_minesweeper_says_what_to_give() -> None:
    with pytest.raises(InputError, match=r"do not say where a flag was.* give the board itself"):
        rows("minesweeper", ". * * * .\n1 2 3 2 1\n* mine: 3\ncpsat: solution: found (6.5 s)\n")


@pytest.mark.parametrize("puzzle", ["sprinklers", "hops"])
def test_fields(puzzle: str) -> None:
    below = "S sprinkler: 2   H hop: 1\ncpsat: fewest-sprinklers: 4, proved optimal (0.7 s)\n"
    content = rows(puzzle, f" .S.\nS.X.H\n..S..\n{below}")
    assert isinstance(content, dict)
    assert content["map"] == [" ...", "..X..", "....."]
    with pytest.raises(InputError, match=r"can be read as boards that differ"):
        rows(puzzle, f" .S.\nanother one:\nSS.\n{below}")
