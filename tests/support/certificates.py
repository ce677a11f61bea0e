"""Small certificates, made and read."""

import json
from pathlib import Path
from typing import Any

from twinproof.compare.certificates.certify import Wanted, certify_clauses
from twinproof.compare.certificates.verify import (
    Verdict,
    read_certificate,
    verify_clauses,
)
from twinproof.models import PUZZLES
from twinproof.models.field.maps import parse_map
from twinproof.models.hops.instance import HopsPuzzle
from twinproof.models.lightup.instance import LightUpPuzzle
from twinproof.models.minesweeper.instance import MinesweeperPuzzle
from twinproof.models.sprinklers.instance import SprinklerPuzzle
from twinproof.models.starbattle.formats import read_letters
from twinproof.models.starbattle.instance import StarBattlePuzzle

Content = dict[str, Any]


def field(rows: str) -> Any:
    return parse_map(rows, "a map")


def square(side: int) -> Any:
    return field("\n".join(["." * side] * side))


def letters(rows: str, stars: int = 1) -> StarBattlePuzzle:
    return read_letters(rows, "letters", stars)


def wanted_of(name: str, instance: Any, claim: str, **more: Any) -> Wanted:
    return Wanted(PUZZLES[name], instance, claim, **more)


MADE: dict[str, tuple[Wanted, int | None]] = {
    # Domination of the 5x5 grid is 7, of the 4x4 grid 4, of the 6x6 grid 10 (OEIS A350823).
    "sprinklers": (wanted_of("sprinklers", SprinklerPuzzle(square(5)), "optimum"), 7),
    "all layouts": (
        wanted_of("sprinklers", SprinklerPuzzle(square(4)), "optimum", symmetry_breaking=False),
        4,
    ),
    "at most": (
        wanted_of("sprinklers", SprinklerPuzzle(square(6)), "infeasible", at_most=9),
        None,
    ),
    # Only the middle of the plus waters all of it; the four arms can be picked from outside.
    "hops": (wanted_of("hops", HopsPuzzle(field("X.X\n...\nX.X"), harvest=4), "optimum"), 4),
    "fewest sprinklers": (
        Wanted(
            PUZZLES["hops"], HopsPuzzle(field("X.X\n...\nX.X"), hops=3), "optimum", objective="fewest-sprinklers"
        ),
        1,
    ),
    # One queen in every row, column and region, no two touching; brute force below.
    "starbattle": (wanted_of("starbattle", letters("ddbbb\nddbba\ndddca\nddeca\ndeeca"), "unique"), None),
    "no stars": (wanted_of("starbattle", letters("aab\nabb\nccc"), "unique", fallback=True), None),
    "lightup": (wanted_of("lightup", LightUpPuzzle(("2.", "..")), "unique"), None),
    "dark": (wanted_of("lightup", LightUpPuzzle(("0.",)), "infeasible"), None),
    # On a row of four there is one bulb, whatever is asked.
    "bulbs": (wanted_of("lightup", LightUpPuzzle(("....",)), "optimum", objective="most-bulbs"), 1),
    "at least": (
        wanted_of("lightup", LightUpPuzzle(("....",)), "infeasible", objective="fewest-bulbs", at_least=2),
        None,
    ),
    "minesweeper": (wanted_of("minesweeper", MinesweeperPuzzle(("1..1", "1..1")), "forced"), None),
    # The clue sees three cells; the fourth is beyond it.
    "mines": (
        wanted_of("minesweeper", MinesweeperPuzzle(("2..", "...")), "optimum", objective="most-mines"),
        4,
    ),
}


def make(wanted: Wanted, folder: Path) -> Content:
    came = certify_clauses(wanted, folder / "made.json", "twinproof certify ...", isolated=False)
    assert came.written, came.message
    content = json.loads((folder / "made.json").read_text())
    assert isinstance(content, dict)
    return content


def verdict_of(content: Content, folder: Path) -> Verdict:
    return verify_clauses(read_certificate(content, folder))
