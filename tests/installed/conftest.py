"""Builds the distributions and the clean environments, once for all tests of this folder."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CONSTRAINTS = Path(__file__).with_name("constraints.txt")
BUILT_FROM = ("pyproject.toml", "MANIFEST.in", "README.md", "LICENSE", "src", "optim", "models", "compare")
VERSIONS = ("3.11", "3.13")
OF_OURS = re.compile("PYTHON|VIRTUAL_ENV|MPLBACKEND")

BUILD = """
from setuptools import build_meta
build_meta.build_sdist({0!r})
build_meta.build_wheel({0!r})
"""


def clean(**more: str) -> dict[str, str]:
    """Give the environment variables without those that tell Python what to do and where to look."""
    return {name: value for name, value in os.environ.items() if not OF_OURS.match(name)} | more


def run(
    *command: str | Path, status: int = 0, env: Mapping[str, str] | None = None, cwd: Path | None = None
) -> str:
    """Run a command to its end and give its standard output; another exit status is a failure that shows all."""
    ended = subprocess.run(command, env=env or clean(), cwd=cwd, capture_output=True, text=True, check=False)
    assert ended.returncode == status, f"{command}: {ended.returncode}\n{ended.stdout}\n{ended.stderr}"
    return ended.stdout


@dataclass(frozen=True)
class Distributions:
    """What is built of the tree."""

    wheel: Path
    sdist: Path


@dataclass(frozen=True)
class Environment:
    """A virtual environment."""

    folder: Path

    def program(self, name: str) -> Path:
        """Give the path of a program that is installed there."""
        return self.folder / "bin" / name


@pytest.fixture(scope="session")
def distributions(tmp_path_factory: pytest.TempPathFactory) -> Distributions:
    """Build the wheel and the sdist from a copy of the tree, so that nothing that lies about can help."""
    tree, built = tmp_path_factory.mktemp("tree"), tmp_path_factory.mktemp("built")
    for name in BUILT_FROM:
        if (ROOT / name).is_dir():
            ignored = shutil.ignore_patterns("*.egg-info", "__pycache__")
            shutil.copytree(ROOT / name, tree / name, symlinks=True, ignore=ignored)
        else:
            shutil.copy(ROOT / name, tree)
    run(sys.executable, "-c", BUILD.format(str(built)), cwd=tree)
    (wheel,), (sdist,) = built.glob("*.whl"), built.glob("*.tar.gz")
    return Distributions(wheel, sdist)


def find_python(version: str) -> Path | None:
    """Give an interpreter of a version that is on this machine: our own, on the path, or one of pyenv's."""
    if version == sysconfig.get_python_version():
        return Path(sys.executable)
    found = shutil.which(f"python{version}")
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    for path in [*([Path(found)] if found else []), *pyenv.glob(f"versions/{version}.*/bin/python{version}")]:
        asked = subprocess.run([path, "-c", "pass"], env=clean(), capture_output=True, check=False)
        if asked.returncode == 0:  # a shim of pyenv is on the path although its version is not chosen
            return path
    return None


@pytest.fixture(scope="session", params=VERSIONS)
def installed(
    request: pytest.FixtureRequest, distributions: Distributions, tmp_path_factory: pytest.TempPathFactory
) -> Environment:
    """Install the wheel, with the cluster, pytest and a notebook kernel, into a clean environment."""
    python = find_python(request.param)
    if python is None:
        pytest.skip(f"there is no Python {request.param} on this machine")
    environment = Environment(tmp_path_factory.mktemp("installed") / request.param)
    uv = Path(sysconfig.get_path("scripts")) / "uv"
    run(uv, "venv", "--no-python-downloads", "--python", python, environment.folder)
    what = (f"twinproof[cluster] @ {distributions.wheel.as_uri()}", "pytest", "ipykernel", "nbclient")
    options = ("--python", environment.folder, "--constraint", CONSTRAINTS)
    run(uv, "pip", "install", *options, *what)
    return environment
