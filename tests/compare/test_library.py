"""`import twinproof`: light, complete, and clear about what the caller did wrong."""

import inspect
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import twinproof
from tests.support.running import search_here
from twinproof import library
from twinproof.models import PUZZLES
from twinproof.models.field.maps import named_field
from twinproof.models.hops.instance import HopsPuzzle
from twinproof.models.lightup.instance import LightUpPuzzle
from twinproof.models.minesweeper.instance import MinesweeperPuzzle
from twinproof.models.sprinklers.instance import SprinklerKind, SprinklerPuzzle
from twinproof.optim import Limits

BEACH = "....\n1232\n"
"""The 3 has three hidden cells and so three mines; then the 1 has its one, and the first cell is safe."""

SIX = "AAABBB\nABBBCC\nADDEEC\nFFDDEC\nFEEEEC\nFCCCCC\n"
RING = "...\n.#.\n...\n"
TWO_IN_A_ROW = "ABDD\nCCDD\nDDDD\nDDDD\n"

HEAVY = ("ortools", "pysat", "numpy", "numba", "networkx", "matplotlib", "rich", "typing", "twinproof.optim")
"""What an import of twinproof must not load."""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Search in this process, in an empty folder."""
    search_here(monkeypatch)
    monkeypatch.chdir(tmp_path)
    return tmp_path


class TestTheFace:
    def test_importing_it_loads_nothing(self) -> None:
        code = (
            "import sys; before = set(sys.modules); import twinproof; new = set(sys.modules) - before\n"
            f"print([name for name in {HEAVY} if name in new])"
        )
        ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert ran.stdout.strip() == "[]"

    def test_using_it_loads_no_solver_until_it_searches(self) -> None:
        code = (
            "import sys, twinproof; twinproof.check('sprinklers', 'grid:1x4', ['S..S'])\n"
            "print([name for name in ('ortools', 'pysat', 'numba', 'matplotlib', 'rich') if name in sys.modules])"
        )
        ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert ran.stdout.strip() == "[]"

    def test_every_name_is_there_and_no_other(self) -> None:
        assert set(twinproof.__all__) == set(library.__all__)
        assert all(getattr(twinproof, name) is getattr(library, name) for name in twinproof.__all__)
        assert set(twinproof.__all__) <= set(dir(twinproof))
        assert twinproof.__version__
        with pytest.raises(AttributeError, match="module 'twinproof' has no attribute 'nonsense'"):
            getattr(twinproof, "nonsense")  # noqa: B009 - a type checker knows that it is not there

    @pytest.mark.parametrize("name", [name for name in library.__all__ if name.islower()])
    def test_every_function_says_what_it_takes_gives_and_refuses(self, name: str) -> None:
        function = getattr(twinproof, name)
        said = inspect.getdoc(function) or ""
        assert "Parameters\n---" in said
        assert "Raises\n---" in said
        assert all(parameter in said for parameter in inspect.signature(function).parameters)


class TestAnswers:
    # OEIS A350823: the domination number of the 4x4 grid is 4.
    @pytest.mark.parametrize("engine", ["cpsat", "maxsat", "frontier", "linear-search"])
    def test_solve(self, engine: str, here: Path) -> None:
        given = twinproof.solve("sprinklers", "grid:4x4", engine=engine)
        assert (given.outcome.status, given.outcome.value) == (twinproof.Status.OPTIMAL, 4)
        assert twinproof.check("sprinklers", "grid:4x4", given.outcome.layout).valid

    def test_an_instance_is_a_name_a_path_a_text_or_an_instance(self, here: Path) -> None:
        (here / "field.txt").write_text("....\n" * 4)
        built = twinproof.read("sprinklers", "grid:4x4")
        for instance in ("grid:4x4", "field.txt", Path("field.txt"), "....\n" * 4, built):
            assert twinproof.solve("sprinklers", instance).outcome.value == 4

    def test_options_are_those_of_the_command_line(self, here: Path) -> None:
        # With a nozzle the sprinkler waters the 3x3 square round it.
        assert twinproof.solve("sprinklers", "grid:3x3", nozzle=True).outcome.value == 1
        # The four middles light the ring too, and share no cell with two of its corners.
        given = twinproof.solve("lightup", RING, objective="farthest", apart_from=["*..", ".#.", "..*"])
        assert given.outcome.value == 6

    def test_crosscheck(self, here: Path) -> None:
        found = twinproof.crosscheck("hops", "disc:9")
        assert found.agree
        assert {engine: given.outcome.value for engine, given in found.answers.items()} == {
            "cpsat": 14,
            "maxsat": 14,
        }

    def test_check_says_what_is_broken(self) -> None:
        for layout in ("S...\n", ["S..."], ("S...",)):
            checked = twinproof.check("sprinklers", "grid:1x4", layout)
            assert not checked.valid
            assert checked.violations[0].cells == ((0, 2), (0, 3))
            assert checked.values == {"fewest-sprinklers": 1}

    def test_unique_and_explain(self, here: Path) -> None:
        assert twinproof.unique("starbattle", SIX).unique
        assert twinproof.unique("lightup", RING).unique is False
        found = twinproof.explain("starbattle", TWO_IN_A_ROW)
        assert found.solvable is False
        assert found.mus is not None

    def test_hint(self, here: Path) -> None:
        found = twinproof.hint("lightup", ".1\n##\n")
        assert found is not None
        assert found.steps[0].marked == ((0, 0),)
        assert len(found.sentences) == 1
        done = twinproof.hint("lightup", ".1\n##\n", ["*1", "##"])
        assert done is not None
        assert done.solved

    def test_count(self, here: Path) -> None:
        counted = twinproof.count("sprinklers", "grid:2x2")
        # Any two of four tiles water all.
        assert (counted.layouts, counted.up_to_symmetry) == (6, 2)

    def test_generate(self, here: Path) -> None:
        made = twinproof.generate("lightup", (4, 5), count=2, seed=7)
        assert len(made) == 2
        for one in made:
            assert twinproof.check("lightup", one.generated.instance, one.generated.layout).valid
            assert twinproof.unique("lightup", one.generated.instance).unique
        (field,) = twinproof.generate("minesweeper", 6, mines=5, start="1,1")
        assert twinproof.play(field.generated.instance).record["undetermined"] == 0

    @pytest.mark.parametrize(("puzzle", "instance"), [("sprinklers", "grid:4x4"), ("lightup", ".1\n##\n")])
    def test_a_certificate_is_verified(self, puzzle: str, instance: str, here: Path) -> None:
        assert twinproof.certify(puzzle, instance, "c.json").written
        verdict = twinproof.verify("c.json")
        assert verdict.valid, verdict.reasons
        assert verdict.claim.startswith(puzzle)
        content = json.loads(Path("c.json").read_text())
        content["formula"]["clauses"] += 1
        Path("c.json").write_text(json.dumps(content))
        assert not twinproof.verify(Path("c.json")).valid

    def test_a_frontier_certificate_is_verified(self, here: Path) -> None:
        assert twinproof.certify("hops", "disc:9", here / "c.json").written
        verdict = twinproof.verify(here / "c.json")
        assert verdict.valid
        assert verdict.claim.startswith("hops disc:9 (kind")
        assert verdict.claim.endswith("): most-hops: 14, and no layout is better")

    def test_a_false_claim_leaves_no_certificate(self, here: Path) -> None:
        assert not twinproof.certify("lightup", RING, "c.json", claim="unique").written
        assert not list(here.iterdir())

    def test_questions_of_one_puzzle(self, here: Path) -> None:
        assert twinproof.deduce(BEACH).record["safe"] == [[1, 1]]
        assert twinproof.ask("deduce", BEACH, count=True).record["layouts"] == 1
        assert twinproof.play("*..\n...\n...\n", start=["3,3"]).record["safe_revealed"] == 8
        # One tile for the sprinkler, one for the hop.
        assert [(p["hops"], p["sprinklers"]) for p in twinproof.front("grid:1x2").record["front"]] == [(1, 1)]

    def test_every_question_of_a_puzzle_has_a_function(self) -> None:
        built_in = [puzzle for puzzle in PUZZLES.values() if puzzle.package.startswith("twinproof.")]
        own = {question.name for puzzle in built_in for question in puzzle.questions}
        assert own <= set(twinproof.__all__)

    def test_nothing_is_printed(self, here: Path, capfd: pytest.CaptureFixture[str]) -> None:
        twinproof.solve("sprinklers", "grid:3x3")
        twinproof.unique("lightup", RING)
        assert capfd.readouterr() == ("", "")

    def test_a_limit_holds(self) -> None:
        given = twinproof.solve("sprinklers", "deluxe", time_limit=0.001)
        assert given.outcome.stopped is twinproof.Stop.TIME


FIELD: Any = "disc:9"

WRONG: list[tuple[Callable[[], object], str]] = [
    (lambda: twinproof.solve("chess"), "puzzle 'chess': unknown"),
    (lambda: twinproof.solve(3), "puzzle 3: must be a name"),  # type: ignore[arg-type]
    (lambda: twinproof.solve("hops", "meadow"), "field 'meadow': no field has this name"),
    (lambda: twinproof.solve("lightup", "no.txt"), "no.txt: cannot be read: No such file"),
    (lambda: twinproof.solve("lightup"), "lightup: INSTANCE is missing"),
    (lambda: twinproof.solve("lightup", 7), "lightup: the instance is a int, and must be a LightUpPuzzle"),
    (
        lambda: twinproof.solve("sprinklers", twinproof.read("hops", "disc:9")),
        "sprinklers: the instance is a HopsPuzzle, and must be a SprinklerPuzzle",
    ),
    (lambda: twinproof.solve("hops", twinproof.read("hops", "disc:9"), harvest=8), "harvest: options go with"),
    (lambda: twinproof.solve("hops", "disc:9", objective="most-fun"), "objective 'most-fun': hops has no such"),
    (lambda: twinproof.solve("hops", "disc:9", stars=2), "stars: not an option of hops"),
    (lambda: twinproof.solve("hops", "disc:9", harvest="8"), "harvest: '8' is not a whole number"),
    (lambda: twinproof.solve("hops", "disc:9", entrance="1,1"), "entrance: '1,1' is not a list of values"),
    (lambda: twinproof.solve("hops", "disc:9", engine="both"), "engine 'both': solve asks one engine"),
    (lambda: twinproof.solve("hops", "disc:9", engine="guess"), "engine 'guess': unknown"),
    (lambda: twinproof.solve("lightup", RING, engine="frontier"), "lightup has no model for it"),
    (lambda: twinproof.solve("hops", "disc:9", at_least="9"), "at_least: must be int or None, not '9'"),  # type: ignore[arg-type]
    (lambda: twinproof.solve("hops", "disc:9", at_least=1, at_most=1), "only one of them"),
    (lambda: twinproof.solve("hops", "disc:9", time_limit="1"), "Limits: time: must be float or None"),  # type: ignore[arg-type]
    (lambda: twinproof.solve("hops", "disc:9", time_limit=-1), "time limit -1: must be above 0"),
    (lambda: twinproof.crosscheck("hops", "disc:9", engines="cpsat"), "engines 'cpsat': must be a sequence"),
    (lambda: twinproof.check("sprinklers", "grid:1x2", 5), "layout: must be a text, rows or a path, not int"),
    (lambda: twinproof.check("sprinklers", "grid:1x2", [5]), "layout: must be a text, rows or a path, not list"),
    (lambda: twinproof.check("sprinklers", "grid:1x2", ["S"]), "layout: the layout has 1 row and 1 column"),
    (lambda: twinproof.unique("hops", "disc:9"), "unique: hops has no objective farthest"),
    (lambda: twinproof.explain("hops", "disc:9"), "explain: hops has no rules that could be dropped"),
    (lambda: twinproof.hint("hops", "disc:9"), "hint: there are no hints for hops"),
    (lambda: twinproof.hint("lightup", RING, ["?"]), "position"),
    (lambda: twinproof.count("lightup", RING), "count: lightup has no model for the frontier engine"),
    (lambda: twinproof.generate("hops", 5), "generate: makes starbattle, lightup, minesweeper"),
    (lambda: twinproof.generate("lightup", "5"), "size '5': must be a whole number"),  # type: ignore[arg-type]
    (lambda: twinproof.generate("lightup", (5, 5, 5)), "size (5, 5, 5): must be a whole number, or two"),  # type: ignore[arg-type]
    (lambda: twinproof.generate("lightup", 5, count=0), "count 0: must be a whole number from 1"),
    (lambda: twinproof.generate("lightup", 5, seed=-1), "seed -1: must be a whole number from 0"),
    (lambda: twinproof.generate("lightup", 5, difficulty=6), "difficulty 6: must be a whole number from 1 to 5"),
    (lambda: twinproof.certify("lightup", RING, "c.txt"), "c.txt: the name must end in .json"),
    (lambda: twinproof.certify("lightup", RING, 5), "output: must be the path of a file, not int"),  # type: ignore[arg-type]
    (lambda: twinproof.certify("lightup", RING, "c.json", claim="true"), "claim 'true': unknown"),
    (lambda: twinproof.verify("no.json"), "no.json: cannot be read"),
    (lambda: twinproof.ask("riddle"), "question 'riddle': unknown; known are"),
    (lambda: twinproof.deduce(BEACH, stars=1), "stars: not an option of deduce"),
    (lambda: twinproof.deduce(BEACH, mines="3"), "mines: '3' is not a whole number"),
    (lambda: twinproof.play(5), "play: must be a text, a path or a MineField, not int"),
    (lambda: twinproof.Question("hops", FIELD, "most-hops"), "hops: the instance is a str"),
    (lambda: HopsPuzzle(FIELD), "HopsPuzzle: field: must be Field, not 'disc:9'"),
    (lambda: HopsPuzzle(named_field("disc:9"), harvest=True), "HopsPuzzle: harvest: must be int, not True"),
    (lambda: SprinklerPuzzle(named_field("disc:9"), FIELD), "SprinklerPuzzle: kind: must be SprinklerKind"),
    (lambda: SprinklerKind("basic", "no"), "SprinklerKind: nozzle: must be bool, not 'no'"),  # type: ignore[arg-type]
    (lambda: LightUpPuzzle([".."]), "LightUpPuzzle: rows: must be tuple[str, ...], not ['..']"),  # type: ignore[arg-type]
    (lambda: LightUpPuzzle((3,)), "LightUpPuzzle: rows: must be tuple[str, ...], not (3,)"),  # type: ignore[arg-type]
    (lambda: MinesweeperPuzzle(("..",), "1"), "MinesweeperPuzzle: mines: must be int or None"),  # type: ignore[arg-type]
    (lambda: Limits(workers=1.5), "Limits: workers: must be int or None, not 1.5"),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("ask", "message"), WRONG, ids=[message for _, message in WRONG])
def test_what_the_caller_did_wrong_is_an_input_error(ask: Callable[[], object], message: str, here: Path) -> None:
    with pytest.raises(twinproof.InputError) as refused:
        ask()
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)
