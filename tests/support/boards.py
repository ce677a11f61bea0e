"""Boards as files, for the commands."""

from tests.models.test_lightup import CORNER_SOLUTION, SOURCE
from tests.models.test_starbattle import ALBERI, ALBERI_SOLUTION

FILES = {
    "alberi.txt": "# stars: 2\n" + ALBERI.strip() + "\n",
    "alberi-plain.txt": ALBERI.strip() + "\n",
    "stars.txt": "".join(
        "*" if mark.isupper() else "." if mark != "\n" else "\n" for mark in ALBERI_SOLUTION.strip()
    ),
    "source.txt": SOURCE,
    # `3x3:d2Bb1` has one solution; the address has two, the only two placings of four queens.
    "corner.txt": "3x3:d2Bb1\n",
    "bulbs.txt": "\n".join(CORNER_SOLUTION) + "\n",
    "two.txt": "https://puzz.link/p?starbattle/4/4/1/770kp8\n",
    # In three rows no three stars, one a row and a column, are apart; with one pair touching there are.
    "three.txt": "stars: 1\n...\n...\n...\n",
    "dark.txt": ".0\n",
    "beach.txt": "11\n..\n",
    # The 3 has three cells round it, and two of them are beside the 1.
    "torn.txt": "1.3\n...\n",
    "flags.txt": "F1F\n...\n",
    "told.txt": "2x2x1\n1H\nHH\n",
    "mines.txt": "*..\n...\n...\n",
    "ragged.txt": "..\n.\n",
    "odd.txt": "..\n.!\n",
    "empty.txt": "\n",
    "five.txt": "5.\n..\n",
    "nine.txt": "9.\n..\n",
    "nostars.txt": "stars: 0\nAB\nAB\n",
    "crowd.txt": "stars: 2\nAABB\nAABB\nCCDD\nCCDD\n",
    "regions.txt": "AABB\nAABB\nCCCC\nCCCC\n",
    "short.txt": "https://puzz.link/p?lightup/3/3/j2\n",
    "cut.txt": "https://puzz.link/p?starbattle/4/4/1/77\n",
    "id.txt": "3x3:d2\n",
    "sudoku.txt": "https://puzz.link/p?sudoku/9/9/g\n",
    "few.txt": "2x2x1\n1F\nFH\n",
    "list.json": "[1]",
}
