"""An installed twinproof owns one import name, and works wherever and however it is started."""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.installed.conftest import CONSTRAINTS, ROOT, Distributions, Environment, clean, run

pytestmark = pytest.mark.installed

# On the 3x3 field a sprinkler waters the four tiles beside it and itself; brute force finds 6 hops at most.
SOLVE = ("solve", "hops", "grid:3x3", "--engine", "both", "--json")
MOST_HOPS = 6


def solved(shown: str) -> bool:
    content = json.loads(shown)
    return (content["value"], content["agree"]) == (MOST_HOPS, True)


# --- What is built ----------------------------------------------------------------------------------------------


def test_the_wheel_owns_one_import_name_and_one_command(distributions: Distributions) -> None:
    with ZipFile(distributions.wheel) as wheel:
        names = wheel.namelist()
        (points,) = [name for name in names if name.endswith("entry_points.txt")]
        commands = wheel.read(points).decode().split()
    assert {re.sub("-.*[.]dist-info$", "-dist-info", name.split("/")[0]) for name in names} == {
        "twinproof",
        "twinproof-dist-info",
    }
    assert commands == ["[console_scripts]", "twinproof", "=", "twinproof.__main__:main"]


def test_the_wheel_and_the_sdist_hold_every_file_of_the_package(distributions: Distributions) -> None:
    expected = {
        str(path.relative_to(root))
        for root, folder in (
            (ROOT, "optim"),
            (ROOT, "models"),
            (ROOT, "compare"),
            (ROOT / "src/twinproof", "library"),
        )
        for path in (root / folder).rglob("*")
        if path.suffix in (".py", ".toml", ".txt") and path.is_file()
    }
    expected |= {"__init__.py", "__main__.py", "py.typed"}
    with ZipFile(distributions.wheel) as wheel:
        assert {n.removeprefix("twinproof/") for n in wheel.namelist() if n.startswith("twinproof/")} == expected
    with tarfile.open(distributions.sdist) as sdist:
        source = [file.name.partition("/src/twinproof/")[2] for file in sdist if file.isfile()]
    assert {name for name in source if name} == expected


# --- In a clean environment -------------------------------------------------------------------------------------


def test_the_command_solves(installed: Environment, tmp_path: Path) -> None:
    assert solved(run(installed.program("twinproof"), *SOLVE, cwd=tmp_path))
    assert solved(run(installed.program("python"), "-m", "twinproof", *SOLVE, cwd=tmp_path))


def test_the_command_is_copied_with_the_models_of_pysat(installed: Environment, tmp_path: Path) -> None:
    for name in ("twinproof", "models.py"):  # python-sat installs a script of that name
        shutil.copy(installed.program(name), tmp_path)
    assert solved(run(tmp_path / "twinproof", *SOLVE, cwd=tmp_path))


def test_a_test_of_a_users_folder_imports_twinproof(installed: Environment, tmp_path: Path) -> None:
    (tmp_path / "models.py").write_text("MINE = True\n")
    (tmp_path / "test_mine.py").write_text(
        "from models import MINE\n"
        "from twinproof.compare.cli.main import main\n"
        "import pytest\n"
        "def test_mine():\n"
        "    with pytest.raises(SystemExit, match='0'):\n"
        "        main(['solve', 'sprinklers', 'grid:3x3'])\n"
        "    assert MINE\n"
    )
    assert "1 passed" in run(installed.program("pytest"), cwd=tmp_path)


def test_a_notebook_solves_in_child_processes(installed: Environment, tmp_path: Path) -> None:
    cell = (
        "import twinproof\n"
        "check = twinproof.crosscheck('hops', 'grid:3x3')\n"
        "print(check.agree, check.answers['cpsat'].outcome.value)"
    )
    notebook = (
        "import nbclient, nbformat\n"
        f"cell = nbformat.v4.new_code_cell({cell!r})\n"
        "book = nbformat.v4.new_notebook(cells=[cell])\n"
        "nbclient.NotebookClient(book, timeout=300, kernel_name='python3').execute()\n"
        "print(''.join(output['text'] for output in book.cells[0].outputs))\n"
    )
    kept = clean(IPYTHONDIR=str(tmp_path), JUPYTER_PLATFORM_DIRS="1", PYDEVD_DISABLE_FILE_VALIDATION="1")
    shown = run(installed.program("python"), "-c", notebook, env=kept, cwd=tmp_path)
    assert shown.split() == ["True", str(MOST_HOPS)]


# --- A user's own folders of our names --------------------------------------------------------------------------

PROJECT = """
import compare, models, optim
from compare import here as a
from models import here as b
from optim import here as c
print(*(module.WHOSE for module in (a, b, c)))
"""


@pytest.fixture(params=["packages", "namespaces"])
def project(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A user's program, with folders `models`, `optim` and `compare`, with and without `__init__.py`."""
    for name in ("models", "optim", "compare"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "here.py").write_text("WHOSE = 'mine'\n")
        if request.param == "packages":
            (tmp_path / name / "__init__.py").touch()
    (tmp_path / "program.py").write_text(PROJECT)
    (tmp_path / "inside").mkdir()
    shutil.copy(tmp_path / "program.py", tmp_path / "inside")
    return tmp_path


@pytest.fixture(scope="session")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """An environment with nothing in it: before the installation."""
    folder = tmp_path_factory.mktemp("bare") / "venv"
    venv.create(folder, symlinks=True)
    return Environment(folder)


def test_a_users_folders_of_our_names_stay_the_users(
    project: Path, bare: Environment, installed: Environment
) -> None:
    for environment in (bare, installed):  # before and after
        python = environment.program("python")
        assert run(python, "program.py", cwd=project).split() == ["mine"] * 3
        # With this variable the folders come from a place behind the script's own.
        named = clean(PYTHONPATH=".")
        assert run(python, "inside/program.py", cwd=project, env=named).split() == ["mine"] * 3
        assert run(python, "-m", "inside.program", cwd=project, env=named).split() == ["mine"] * 3


@pytest.mark.parametrize("variables", [{}, {"PYTHONPATH": "."}], ids=["", "PYTHONPATH"])
def test_the_command_runs_among_a_users_folders(
    project: Path, installed: Environment, variables: dict[str, str]
) -> None:
    env = clean(**variables)
    assert solved(run(installed.program("twinproof"), *SOLVE, cwd=project, env=env))
    assert solved(run(installed.program("python"), "-m", "twinproof", *SOLVE, cwd=project, env=env))


# --- On a cluster -----------------------------------------------------------------------------------------------

SUITE = """
[[case]]
puzzle = "sprinklers"
values = { "grid:3x3" = 3 }
source = "OEIS A350823"
engines = ["cpsat", "maxsat"]
"""


@contextmanager
def running(*command: str | Path, cwd: Path, says: str) -> Iterator[str]:
    """Start a program and wait for the line in which it says that it is ready; give what that line says."""
    process = subprocess.Popen(command, env=clean(), cwd=cwd, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    try:
        heard = ""
        for line in process.stderr:
            heard += line
            if found := re.search(says, line):
                yield found[1]
                break
        else:
            pytest.fail(heard)
    finally:
        process.kill()
        process.communicate()


def test_the_programs_of_dask_run_a_suite(installed: Environment, tmp_path: Path) -> None:
    (tmp_path / "small.toml").write_text(SUITE)
    dask = installed.program("dask")
    local = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard")
    with (
        running(dask, "scheduler", *local, cwd=tmp_path, says=r"Scheduler at: +(\S+)") as address,
        running(dask, "worker", address, "--no-dashboard", "--nthreads", "1", cwd=tmp_path, says="(Registered)"),
    ):
        shown = run(installed.program("twinproof"), "compare", "small.toml", "--scheduler", address, cwd=tmp_path)
    assert shown.count(" agree\n") == 1


# --- For one user, from the source distribution -----------------------------------------------------------------


def test_the_sdist_is_installed_with_the_option_user(distributions: Distributions, tmp_path: Path) -> None:
    python = Path(sys.base_prefix) / "bin" / "python3"
    user = clean(
        PYTHONUSERBASE=str(tmp_path / "user"), PIP_BREAK_SYSTEM_PACKAGES="1", PIP_DISABLE_PIP_VERSION_CHECK="1"
    )
    pip = (sys.executable, "-m", "pip", "--python", python, "install", "--quiet")
    options = ("--user", "--no-compile", "--no-warn-script-location", "--constraint", CONSTRAINTS)
    run(*pip, *options, distributions.sdist, env=user, cwd=tmp_path)
    programs = tmp_path / "user" / "bin"
    assert (programs / "models.py").exists()  # of python-sat, where Python looks first
    assert solved(run(programs / "twinproof", *SOLVE, env=user, cwd=tmp_path))
    through_path = user | {"PATH": f"{programs}{os.pathsep}{user['PATH']}"}
    assert solved(run("twinproof", *SOLVE, env=through_path, cwd=tmp_path))
