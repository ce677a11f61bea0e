"""A question for every objective of every puzzle, small enough to be answered by trying everything."""

from dataclasses import replace

from tests.oracle import fields as brute
from tests.oracle import lightup as brute_lightup
from tests.oracle import minesweeper as brute_minesweeper
from tests.oracle import starbattle as brute_starbattle
from tests.support.strategies import drawn_rows
from twinproof.compare.questions.answer import Question
from twinproof.models import PUZZLES
from twinproof.models.field.sources import read_field
from twinproof.models.hops.instance import HopsPuzzle
from twinproof.models.lightup.instance import LightUpPuzzle
from twinproof.models.minesweeper.instance import MinesweeperPuzzle
from twinproof.models.sprinklers.instance import SprinklerKind, SprinklerPuzzle
from twinproof.models.starbattle.formats import read_letters
from twinproof.optim import Sense

__all__ = ["IMPOSSIBLE", "OPTIMA", "POSSIBLE", "QUESTIONS", "Answer"]

POSSIBLE, IMPOSSIBLE = "possible", "impossible"

Answer = int | str
"""The best value; or whether there is a layout."""


def _sprinklers() -> dict[str, tuple[Question, Answer]]:
    found: dict[str, tuple[Question, Answer]] = {}
    grid = read_field("grid:4x4")
    for name, puzzle in (
        ("basic", SprinklerPuzzle(read_field("grid:3x5"))),
        ("nozzle, half turn", SprinklerPuzzle(grid, SprinklerKind("basic", nozzle=True), "half-turn")),
    ):
        kind = puzzle.kind
        best = brute.fewest_sprinklers(drawn_rows(puzzle.field), kind.name, kind.nozzle, puzzle.symmetry)
        assert best is not None
        found[f"sprinklers {name}"] = Question("sprinklers", puzzle, "fewest-sprinklers"), best
    # The domination number of the 4x4 grid is 4 (OEIS A350823).
    found["sprinklers grid:4x4"] = Question("sprinklers", SprinklerPuzzle(grid), "fewest-sprinklers"), 4
    return found


def _hops() -> dict[str, tuple[Question, Answer]]:
    grid = HopsPuzzle(read_field("grid:3x4"))
    walled = replace(grid, entrances=frozenset({(2, 1)}), dry_paths=True, harvest=8)
    fronts = [
        brute.hops_front(drawn_rows(p.field), "basic", False, None, p.harvest, p.entrances, p.dry_paths)
        for p in (grid, walled)
    ]
    most = max(fronts[0])
    return {
        "hops": (Question("hops", grid, "most-hops"), most),
        "hops behind a wall": (Question("hops", walled, "most-hops"), max(fronts[1])),
        # 14 hops on the disc of radius 3: the exact frontier method, of which no engine here is a part.
        "hops disc:9": (Question("hops", HopsPuzzle(read_field("disc:9")), "most-hops"), 14),
        "hops fixed": (Question("hops", grid.with_hops(5), "fewest-sprinklers"), fronts[0][5]),
        "hops too many": (Question("hops", grid.with_hops(most + 1), "fewest-sprinklers"), IMPOSSIBLE),
    }


def _starbattle() -> dict[str, tuple[Question, Answer]]:
    board = ["aabbb", "aabbc", "dabcc", "ddecc", "deeee"]
    tight_board = ["abcc", "cccc", "cddd", "dddd"]  # regions a and b are one cell each, and these touch
    puzzle = read_letters("\n".join(board), "board", 1)
    tight = read_letters("\n".join(tight_board), "tight board", 1)
    known = brute_starbattle.solutions(board, 1)
    apart = puzzle.rows([[(r, c) in known[0] for c in range(5)] for r in range(5)])
    farthest = max(len(known[0] ^ other) for other in known)
    return {
        "stars": (Question("starbattle", puzzle, "solution"), POSSIBLE),
        "stars impossible": (Question("starbattle", tight, "solution"), IMPOSSIBLE),
        "stars apart": (Question("starbattle", replace(puzzle, apart_from=apart), "farthest"), farthest),
        "stars broken": (
            Question("starbattle", tight, "fewest-broken"),
            brute_starbattle.fewest_broken(tight_board, 1),
        ),
    }


def _lightup() -> dict[str, tuple[Question, Answer]]:
    puzzle, broken = LightUpPuzzle(("...", "...", "#..")), LightUpPuzzle(("..2.", "1..#", ".3.."))
    known = [lighting.bulbs for lighting in brute_lightup.lightings(puzzle.rows)]
    fewest_broken = min(lighting.broken for lighting in brute_lightup.lightings(broken.rows))
    assert fewest_broken > 0
    apart = replace(puzzle, apart_from=puzzle.layout(set(known[0])))
    return {
        "lights": (Question("lightup", puzzle, "solution"), POSSIBLE),
        "lights impossible": (Question("lightup", broken, "solution"), IMPOSSIBLE),
        "lights fewest": (Question("lightup", puzzle, "fewest-bulbs"), min(map(len, known))),
        "lights most": (Question("lightup", puzzle, "most-bulbs"), max(map(len, known))),
        "lights apart": (Question("lightup", apart, "farthest"), max(len(known[0] ^ k) for k in known)),
        "lights broken": (Question("lightup", broken, "fewest-broken"), fewest_broken),
    }


def _minesweeper() -> dict[str, tuple[Question, Answer]]:
    puzzle, wrong = MinesweeperPuzzle(("...1", ".2.1", "...1", "1..0")), MinesweeperPuzzle(("..3", "1..", "..0"))
    fits = brute_minesweeper.layouts(puzzle.board, None, True)
    mines = [brute_minesweeper.mines_of(layout) for layout in fits]
    every = brute_minesweeper.every_layout(wrong.board)
    broken = min(len(brute_minesweeper.broken(wrong.board, None, True, layout)) for layout in every)
    assert broken > 0
    apart = replace(puzzle, apart_from=fits[0])
    return {
        "mines": (Question("minesweeper", puzzle, "solution"), POSSIBLE),
        "mines impossible": (Question("minesweeper", wrong, "solution"), IMPOSSIBLE),
        "mines fewest": (Question("minesweeper", puzzle, "fewest-mines"), min(map(len, mines))),
        "mines most": (Question("minesweeper", puzzle, "most-mines"), max(map(len, mines))),
        "mines apart": (Question("minesweeper", apart, "farthest"), max(len(mines[0] ^ m) for m in mines)),
        "mines broken": (Question("minesweeper", wrong, "fewest-broken"), broken),
    }


def _yes_or_no(questions: dict[str, tuple[Question, Answer]]) -> dict[str, tuple[Question, Answer]]:
    """Ask whether the best value is possible, and one that is better by one."""
    found: dict[str, tuple[Question, Answer]] = {}
    for name, (question, value) in questions.items():
        if not isinstance(value, int):
            continue
        if PUZZLES.find(question.puzzle).objective(question.objective).sense is Sense.MAXIMIZE:
            found[f"{name} at least {value}"] = replace(question, at_least=value), POSSIBLE
            found[f"{name} at least {value + 1}"] = replace(question, at_least=value + 1), IMPOSSIBLE
        else:
            found[f"{name} at most {value}"] = replace(question, at_most=value), POSSIBLE
            found[f"{name} at most {value - 1}"] = replace(question, at_most=value - 1), IMPOSSIBLE
    return found


OPTIMA = _sprinklers() | _hops() | _starbattle() | _lightup() | _minesweeper()
"""By name, each with its answer."""

QUESTIONS = OPTIMA | _yes_or_no(OPTIMA)
"""The same, and whether each best value, and a better one, is possible."""
