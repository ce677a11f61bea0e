"""Suites: what is read, what is refused, and a disagreement as a suite of its own."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.examples import examples
from tests.support.suites import SMALL, suite_of
from twinproof.compare.campaign.case import Known, run_case
from twinproof.compare.campaign.judge import QuestionVerdict
from twinproof.compare.campaign.reproduce import reproduction, save_disagreement
from twinproof.compare.campaign.suite import BUILT_IN, read_suite
from twinproof.models import PUZZLES
from twinproof.optim import InputError, Limits


@pytest.mark.parametrize("name", BUILT_IN)
def test_built_in_suites_can_be_read_and_know_every_puzzle(name: str) -> None:
    suite = read_suite(name)
    assert {asked.question.puzzle for asked in suite.asked} == set(PUZZLES)
    assert all({"cpsat", "maxsat"} <= set(asked.engines) for asked in suite.asked if name == "smoke")
    assert len({asked.key for asked in suite.asked}) == len(suite.asked)


def test_a_suite_gives_every_instance_with_every_objective(tmp_path: Path) -> None:
    suite = suite_of(SMALL, tmp_path)
    assert [asked.title for asked in suite.asked] == [
        "sprinklers grid:3x3 fewest-sprinklers",
        "sprinklers grid:4x4 fewest-sprinklers",
        "lightup ring fewest-bulbs",
        "lightup ring solution",
        "hops grid:2x3 most-hops at least 7",
    ]
    assert [asked.engines for asked in suite.asked[1:3]] == [("cpsat", "maxsat")] * 2
    assert suite.asked[1].known == Known(4, True, "OEIS A350823")
    assert suite.asked[0].limits == Limits(time=60)


def test_a_file_beside_a_suite_is_called_as_it_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "lamps.txt").write_text("...\n.#.\n...\n", encoding="utf-8")
    (tmp_path / "field.txt").write_text("..\n..\n", encoding="utf-8")
    case = "[[case]]\npuzzle = '{}'\ninstance = '{}'\n"
    text = case.format("lightup", "lamps.txt") + case.format("hops", "field.txt")
    asked = suite_of(text, tmp_path).asked
    assert [one.question.instance.name for one in asked] == ["lamps.txt", "field.txt"]
    monkeypatch.chdir(tmp_path)
    # The same question from wherever it is asked: results must not depend on the folder.
    assert [one.key for one in read_suite("small.toml").asked] == [one.key for one in asked]


CASE = "[[case]]\npuzzle = 'sprinklers'\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[case]", "no TOML"),
        ("title = 'x'", "has no [[case]]"),
        ("titel = 'x'\n" + CASE, "'titel': unknown"),
        ("case = [3]", "case 1: must be a table"),
        ("[[case]]\ninstance = 'scarecrow'", "case 1: puzzle: is missing"),
        ("[[case]]\npuzzle = 'chess'", "case 1: puzzle 'chess': unknown"),
        (CASE + "instance = 3", "case 1: instance: 3 is not a text"),
        (CASE + "time = true", "case 1: time: True is not a whole number or a number"),
        (CASE + "time = -1", "case 1: time limit -1: must be above 0"),
        (CASE + "instance = 'grid:0x4'", "case 1: "),
        (CASE + "instance = 'no-such-file'", "case 1: field 'no-such-file'"),
        (CASE + "text = '..'\nvalues = { 'disc:4' = 4 }", "case 1: values and text: only one of them"),
        (CASE + "objectives = ['most-hops']", "case 1: objective 'most-hops'"),
        (CASE + "engines = ['gurobi']", "case 1: engine 'gurobi'"),
        (CASE + "expected = 'yes'", "case 1: expected 'yes'"),
        (CASE + "at_most = 3\nexpected = 3", "case 1: expected 3: nothing is optimised"),
        (CASE + "options = { kind = 'gold' }", "case 1: sprinkler kind 'gold'"),
        (CASE + "options = { stars = 2 }", "case 1: options: stars: not an option"),
        (CASE + "options = { colour = 'red' }", "case 1: options: 'colour': unknown"),
        (CASE + "engines = []", "case 1: engines: must be a list of texts, and not empty"),
        (CASE + "objectives = []", "case 1: objectives: must be a list of texts, and not empty"),
        (CASE + "values = {}", "case 1: values: must not be empty"),
        (CASE + "time = inf", "case 1: time limit inf: must be above 0, and a number"),
        (CASE + f"values = {{ 'disc:4' = {'9' * 5000} }}", "no TOML"),
        ("engines = ['cpsat', 'gurobi']\n" + CASE, "engine 'gurobi': unknown"),
        ("engines = []\n" + CASE, "engines: must be a list of texts, and not empty"),
        (CASE + CASE, "case 2: sprinklers scarecrow fewest-sprinklers: is asked already"),
        ("[limits]\ntime = 'long'\n" + CASE, "limits: time: 'long'"),
        ("[[case]]\npuzzle = 'lightup'\ntext = '.5'", "case 1: text: "),
    ],
)
def test_a_wrong_suite_is_refused_with_its_place(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"small\.toml") as refused:
        suite_of(text, tmp_path)
    assert message in str(refused.value)


@examples(200)
@given(text=st.text(max_size=80) | st.text("[]case='\"\n =puzle123{}.", max_size=60))
def test_any_text_is_a_suite_or_refused(text: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("suite")
    (folder / "s.toml").write_text(text, encoding="utf-8", newline="")
    with pytest.raises(InputError):
        read_suite(str(folder / "s.toml"))


def test_a_disagreement_is_saved_as_a_suite_that_asks_the_same(tmp_path: Path) -> None:
    text = """
        [[case]]
        puzzle = "hops"
        name = "a field"
        text = " ..\\n....\\n.X..\\n"
        options = { entrance = ["1,2", "2,4"], dry_paths = true, harvest = 8, kind = "quality", nozzle = true }
        expected = 1
        seed = 7
        [[case]]
        puzzle = "starbattle"
        name = 'x "quoted"'
        text = "AAB#\\nABBB\\nCCDD\\nCCDD\\n"
        objectives = ["fewest-broken"]
        [[case]]
        puzzle = "minesweeper"
        text = "F.1\\n...\\n"
        options = { mines = 2, no_trust_flags = true, apart_from = "**1\\n...\\n" }
        objectives = ["farthest"]
        [[case]]
        puzzle = "sprinklers"
        instance = "disc:9"
        options = { symmetry = "hsym" }
        at_most = 8
        expected = "solvable"
        time = 3.5
    """
    for asked in suite_of(text, tmp_path).asked:
        wrong = QuestionVerdict(asked, {}, False, ("they say\nthis",))
        again = read_suite(str(save_disagreement(wrong, tmp_path))).asked[0]
        assert again.question == replace(asked.question, instance=again.question.instance)
        shown = PUZZLES[asked.question.puzzle]
        assert shown.rows(again.question.instance) == shown.rows(asked.question.instance)
        assert shown.describe(again.question.instance) == shown.describe(asked.question.instance)
        assert (again.engines, again.limits, again.known) == (asked.engines, asked.limits, asked.known)


def test_a_disagreement_says_what_the_engines_said(tmp_path: Path) -> None:
    asked = suite_of(SMALL, tmp_path).asked[2]
    results = {case.engine: run_case(case, isolated=False) for case in asked.cases()}
    text = reproduction(QuestionVerdict(asked, results, False, ("cpsat says this",)), "d.toml")
    assert "# cpsat says this" in text
    assert "# Once more: twinproof compare d.toml" in text
    assert text.count("#   ") == 6
