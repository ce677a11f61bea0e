"""The plug-in, installed into an environment of its own beside twinproof: every command works on its puzzle.

The contract puts the commands to it too, in one process; so some of them are slow tests here.
"""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import twinproof

Run = Callable[..., "subprocess.CompletedProcess[str]"]

# Solved by hand in test_tents.py.
CAMP = "....  1\nT.T.  0\n...T  1\n....  1\n\n1 0 1 1\n"
CAMP_IN_FORM = ".... 1\nT.T. 0\n...T 1\n.... 1\n1 0 1 1\n"
CAMP_SOLVED = ["..*.", "T.T.", "*..T", "...*"]
# A tree with a tent above it or below it.
OPEN_CAMP = ". -\nT -\n. -\n-\n"
# Row 1 wants a tent, and the only tree is too far away from it.
NO_CAMP = ".. 1\n.. 0\nT. 0\n.. -\n- -\n"

SUITE = '''
title = "tents"
engines = ["cpsat", "maxsat"]

[[case]]
puzzle = "tents"
name = "camp"
text = """
.... 1
T.T. 0
...T 1
.... 1
1 0 1 1
"""
expected = "solvable"
source = "by hand"

[[case]]
puzzle = "tents-and-trees"
name = "no camp"
text = """
.. 1
.. 0
T. 0
.. -
- -
"""
objectives = ["fewest-broken"]
expected = 1
source = "by hand"
'''


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A virtual environment with the plug-in installed; it borrows twinproof and its needs from this one."""
    folder = tmp_path_factory.mktemp("environment")
    source = shutil.copytree(
        Path(__file__).parent, folder / "source", ignore=shutil.ignore_patterns("__pycache__")
    )
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder / "venv")], check=True)
    python = folder / "venv" / "bin" / "python"
    (own,) = (folder / "venv").glob("lib/python*/site-packages")
    borrowed = [str(Path(twinproof.__file__).parents[1]), sysconfig.get_path("purelib")]
    (own / "borrowed.pth").write_text("\n".join(borrowed) + "\n")
    install = [
        "install",
        "--quiet",
        "--no-deps",
        "--no-index",
        "--no-build-isolation",
        "--disable-pip-version-check",
    ]
    # The builder's tools are borrowed too, so nothing is fetched.
    subprocess.run(
        [sys.executable, "-m", "pip", "--python", str(python), *install, str(source)], check=True, env=clean()
    )
    return python


def clean(**more: str) -> dict[str, str]:
    """The variables of this process, without what would let a child import the plug-in from the repository."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | more


@pytest.fixture
def run(environment: Path, tmp_path: Path) -> Run:
    """Run the command of that environment in an empty folder."""

    def command(*words: str, **more: str) -> "subprocess.CompletedProcess[str]":
        for name, text in (("camp.txt", CAMP), ("open.txt", OPEN_CAMP), ("none.txt", NO_CAMP)):
            (tmp_path / name).write_text(text)
        arguments = [str(environment), "-m", "twinproof", *words]
        return subprocess.run(
            arguments, capture_output=True, text=True, cwd=tmp_path, env=clean(**more), check=False
        )

    return command


def content_of(ran: "subprocess.CompletedProcess[str]", status: int = 0) -> Any:
    assert ran.returncode == status, ran.stderr
    return json.loads(ran.stdout)


def assert_refused(ran: "subprocess.CompletedProcess[str]", *said: str) -> None:
    """One line on standard error, exit status 2."""
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.count("\n") == 1
    for words in said:
        assert words in ran.stderr


def test_plugin_is_listed_and_named_in_help(run: Run) -> None:
    listed = run("list").stdout
    for words in ("tents", "a tent beside every tree", "tents-and-trees", "fewest-broken", "text"):
        assert words in listed
    assert "tents" in run("solve", "--help").stdout


def test_plugin_is_solved_by_both_engines(run: Run, tmp_path: Path) -> None:
    ran = run(
        "solve", "tents", "camp.txt", "--engine", "both", "--json", "--record", "r.json", "--picture", "p.svg"
    )
    content = content_of(ran)
    assert content["layout"] == CAMP_SOLVED
    assert content["agree"] is True
    assert json.loads((tmp_path / "r.json").read_text())["puzzle"] == "tents"
    assert (tmp_path / "p.svg").read_text().startswith("<?xml")


@pytest.mark.slow
def test_plugin_is_optimised_bounded_and_measured_from_a_layout(run: Run, tmp_path: Path) -> None:
    best = run("solve", "tents", "none.txt", "--objective", "fewest-broken", "--engine", "both", "--json")
    assert content_of(best)["value"] == 1
    asked = ("solve", "tents", "none.txt", "--objective", "fewest-broken")
    assert run(*asked, "--engine", "maxsat", "--at-most", "0").returncode == 1
    assert run(*asked, "--engine", "cpsat", "--at-most", "1").returncode == 0
    (tmp_path / "layout.txt").write_text("*\nT\n.\n")
    far = run("solve", "tents", "open.txt", "--objective", "farthest", "--apart-from", "layout.txt", "--json")
    assert content_of(far)["value"] == 2


def test_plugin_layouts_are_checked_by_its_rules(run: Run, tmp_path: Path) -> None:
    (tmp_path / "right.txt").write_text("\n".join(CAMP_SOLVED) + "\n")
    (tmp_path / "wrong.txt").write_text("....\nT.T.\n*..T\n...*\n")
    right = run("check", "tents-and-trees", "camp.txt", "right.txt")
    assert right.returncode == 0
    assert right.stdout == ". . * . 1\nT . T . 0\n* . . T 1\n. . . * 1\n1 0 1 1\n* tent: 3\nvalid\n"
    wrong = content_of(run("check", "tents", "camp.txt", "wrong.txt", "--json"), status=1)
    assert {broken["rule"] for broken in wrong["violations"]} == {"tree", "row", "column"}
    assert wrong["values"]["fewest-broken"] == 3


@pytest.mark.slow
def test_plugin_uniqueness_is_settled(run: Run) -> None:
    assert content_of(run("unique", "tents", "camp.txt", "--engine", "both", "--json"))["unique"] is True
    assert (
        content_of(run("unique", "tents", "open.txt", "--engine", "maxsat", "--json"), status=1)["unique"] is False
    )


@pytest.mark.slow
def test_plugin_without_a_solution_is_explained(run: Run) -> None:
    content = content_of(run("explain", "tents", "none.txt", "--json"), status=1)
    assert (content["solvable"], content["fewest_broken"], content["smallest"]) == (False, 1, True)
    # No tree is beside row 1, so its number alone cannot be met.
    assert [rule["message"] for rule in content["conflict"]] == ["row 1 must have 1 tent"]


@pytest.mark.slow
def test_plugin_is_explained_where_even_dropping_every_number_does_not_help(run: Run, tmp_path: Path) -> None:
    # The tree in row 2, column 1 has no open cell beside it.
    (tmp_path / "lone.txt").write_text("T. 0\nTT -\n- -\n")
    content = content_of(run("explain", "tents", "lone.txt", "--json"), status=1)
    assert (content["solvable"], content["fewest_broken"]) == (False, None)
    assert [(rule["rule"], rule["cells"]) for rule in content["conflict"]] == [("pairs", [[2, 1]])]


def test_plugin_is_converted_to_its_form(run: Run) -> None:
    converted = run("convert", "tents", "camp.txt", "--to", "text")
    assert (converted.returncode, converted.stdout) == (0, CAMP_IN_FORM)
    assert_refused(run("convert", "tents", "camp.txt", "--to", "puzzlink"), "form 'puzzlink': unknown")


@pytest.mark.parametrize(
    ("form", "objective", "begins"),
    [
        ("wcnf", "fewest-broken", "c "),
        pytest.param("opb", "fewest-broken", "* ", marks=pytest.mark.slow),
        pytest.param("cnf", "solution", "c ", marks=pytest.mark.slow),
        ("cpsat", "solution", "#"),
    ],
)
def test_plugin_models_are_exported(run: Run, form: str, objective: str, begins: str) -> None:
    exported = run("export", "tents", "camp.txt", "--to", form, "--objective", objective)
    assert exported.returncode == 0
    assert exported.stdout.startswith(begins)
    assert "* at row 1 column 3" in exported.stdout


@pytest.mark.parametrize(
    ("words", "claim"),
    [
        (("camp.txt",), "unique"),
        pytest.param(("none.txt", "--claim", "infeasible"), "infeasible", marks=pytest.mark.slow),
        pytest.param(("open.txt", "--claim", "forced"), "forced", marks=pytest.mark.slow),
    ],
)
def test_plugin_certificates_are_verified(run: Run, tmp_path: Path, words: tuple[str, ...], claim: str) -> None:
    certified = run("certify", "tents", *words, "--output", "proof.json")
    assert certified.returncode == 0, certified.stderr
    assert run("verify", "proof.json").returncode == 0
    content = json.loads((tmp_path / "proof.json").read_text())
    assert (content["puzzle"], content["claim"]["kind"]) == ("tents", claim)


@pytest.mark.slow
def test_plugin_certificate_of_another_instance_is_refused(run: Run, tmp_path: Path) -> None:
    run("certify", "tents", "camp.txt", "--output", "proof.json")
    content = json.loads((tmp_path / "proof.json").read_text())
    content["instance"]["row_numbers"][-1] = None
    (tmp_path / "proof.json").write_text(json.dumps(content))
    assert run("verify", "proof.json").returncode == 1


def test_plugin_is_compared_in_a_suite(run: Run, tmp_path: Path) -> None:
    (tmp_path / "suite.toml").write_text(SUITE)
    verdicts = content_of(run("compare", "suite.toml", "--json"))
    found = [(question["question"], question["verdict"], question["value"]) for question in verdicts["questions"]]
    assert found == [("tents camp solution", "agree", None), ("tents no camp fewest-broken", "agree", 1)]
    assert verdicts["complete"] is True


def test_plugin_code_is_part_of_what_a_result_depends_on(environment: Path) -> None:
    (rules,) = environment.parents[1].glob("lib/python*/site-packages/tents/rules.py")

    def digest() -> str:
        text = "from twinproof.compare.campaign.machine import code_digest; print(code_digest('tents', 'cpsat'))"
        ran = subprocess.run([environment, "-c", text], capture_output=True, text=True, check=True, env=clean())
        return ran.stdout

    before, kept = digest(), rules.read_text()
    rules.write_text(kept + "# changed\n")
    assert digest() != before
    rules.write_text(kept)
    assert digest() == before


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("generate", "tents", "--size", "6"), "tents"),
        (("hint", "tents", "camp.txt"), "tents"),
        (("solve", "tents", "camp.txt", "--engine", "frontier"), "tents has no model for it"),
        pytest.param(
            ("solve", "tents", "camp.txt", "--stars", "2"),
            "--stars: not an option of tents",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            ("solve", "tents", "camp.txt", "--objective", "most-tents"),
            "tents has no such objective",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            ("solve", "tents", "camp.txt", "--objective", "farthest"),
            "farthest: needs --apart-from",
            marks=pytest.mark.slow,
        ),
        pytest.param(("solve", "tents"), "INSTANCE is missing", marks=pytest.mark.slow),
        pytest.param(("certify", "tents", "camp.txt", "--claim", "optimum"), "tents", marks=pytest.mark.slow),
    ],
    ids=lambda words: " ".join(words[:1]) if isinstance(words, tuple) else None,
)
def test_plugin_is_refused_what_it_has_not_in_one_line(run: Run, words: tuple[str, ...], said: str) -> None:
    assert_refused(run(*words), said)


# --- Plug-ins that are broken, or that claim what is not theirs --------------------------------------------------


def add_distribution(folder: Path, name: str, puzzle: str, module: str, text: str) -> None:
    """Write a distribution as an installer would leave it: a module, and its entry point."""
    folder.mkdir(exist_ok=True)
    (folder / f"{module}.py").write_text(text)
    info = folder / f"{name.replace('-', '_')}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[twinproof.puzzles]\n{puzzle} = {module}\n")


TAKES = """
from dataclasses import replace
from tents import PUZZLE as tents
from twinproof.models.options import Option
PUZZLE = replace(tents, options=(Option("engine", str, "Of the car."),))
"""

BROKEN = {
    "raises": ("raise RuntimeError('no\\nluck')", "cannot be loaded: RuntimeError: no luck"),
    "needs": ("import a_package_that_is_not_there", "cannot be loaded: ModuleNotFoundError"),
    "empty": ("", "holds no PUZZLE of that name"),
    "takes": (TAKES, "cannot be loaded: InputError: tents: --engine: the commands have an option of their own"),
    "other": ("from tents import PUZZLE", "holds no PUZZLE of that name"),
}

PRETENDER = """
from dataclasses import replace
from tents import PUZZLE as tents
PUZZLE = replace(tents, name="NAME", aliases=("akari",))
"""


@pytest.fixture
def beside(tmp_path: Path) -> str:
    """A folder of broken distributions, and one that claims the name and another name of Light Up."""
    folder = tmp_path / "beside"
    for name, (text, _) in BROKEN.items():
        add_distribution(folder, f"twinproof-{name}", name, f"broken_{name}", text)
    for name in ("lightup", "aka"):
        text = PRETENDER.replace("NAME", name)
        add_distribution(folder, f"twinproof-{name}", name, f"pretender_{name}", text)
    return str(folder)


def test_broken_plugins_give_one_clear_line(run: Run, beside: str) -> None:
    for name, (_, said) in BROKEN.items():
        ran = run("solve", name, "camp.txt", PYTHONPATH=beside)
        assert_refused(ran, f"puzzle '{name}' of the distribution twinproof-{name}: ", said)


def test_broken_plugins_stand_in_nobodys_way(run: Run, beside: str) -> None:
    listed = run("list", PYTHONPATH=beside)
    assert listed.returncode == 0
    assert "a tent beside every tree" in listed.stdout
    assert "cannot be loaded: ModuleNotFoundError" in listed.stdout + listed.stderr
    assert run("solve", "tents-and-trees", "camp.txt", PYTHONPATH=beside).returncode == 0
    assert_refused(run("solve", "tent", "camp.txt", PYTHONPATH=beside), "puzzle 'tent': unknown; known are ")


def test_plugin_never_takes_the_name_of_a_built_in_puzzle(run: Run, beside: str, tmp_path: Path) -> None:
    (tmp_path / "lamp.txt").write_text(".\n")
    for name in ("lightup", "akari"):
        ran = run("solve", name, "lamp.txt", "--json", PYTHONPATH=beside)
        assert content_of(ran)["layout"] == ["*"]
