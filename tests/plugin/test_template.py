"""The plug-in is the template of a new puzzle: what `models/README.md` says of it is true."""

import ast
import inspect
import re
import sys
from dataclasses import fields
from pathlib import Path

import pytest
import tents

from twinproof.compare.cli.main import COMMANDS
from twinproof.models import PUZZLES
from twinproof.models.options import TAKEN
from twinproof.models.puzzle import Puzzle

FOLDER = Path(tents.__file__).parent
FILES = {file.name: file.read_text(encoding="utf-8") for file in FOLDER.glob("*.py")}
PYPROJECT = (FOLDER.parents[1] / "pyproject.toml").read_text(encoding="utf-8")
README = (Path(__file__).parents[2] / "models" / "README.md").read_text(encoding="utf-8")

TABLE = re.findall(r"^\| `(\w+\.py)` \|.*\| (.*) \|$", README, re.MULTILINE)
SOLVERS = {"cpsat.py": {"ortools"}, "maxsat.py": {"pysat"}}


def test_readme_names_every_file_of_the_template() -> None:
    assert sorted(file for file, _ in TABLE) == sorted(FILES)


@pytest.mark.parametrize(("file", "allowed"), TABLE, ids=[file for file, _ in TABLE])
def test_template_imports_only_what_the_readme_allows(file: str, allowed: str) -> None:
    words = re.findall(r"`([\w.]+)`", allowed)
    known = [f"twinproof.{word}" if word.startswith(("models", "optim")) else f"tents.{word}" for word in words]
    for node in ast.walk(ast.parse(FILES[file])):
        assert not isinstance(node, ast.Import), f"{file}: all imports are `from ... import ...`"
        if isinstance(node, ast.ImportFrom):
            assert node.module is not None
            # What `optim` itself gives is meant, and no solver below it.
            below = any(node.module.startswith(f"{name}.") for name in known if name != "twinproof.optim")
            top = node.module.split(".")[0]
            free = top in sys.stdlib_module_names or top in SOLVERS.get(file, ())
            assert free or below or node.module in known, f"{file} imports {node.module}"


def test_readme_shows_what_the_template_says() -> None:
    blocks = re.findall(r"^```(?:python|toml)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    assert len(blocks) >= 4
    for block in blocks:
        text = PYPROJECT
        for line in block.splitlines():
            named = line.removeprefix("# ")
            if named in FILES:
                text = FILES[named]
            else:
                assert line in text.splitlines()


def test_readme_speaks_of_every_field_that_the_template_gives() -> None:
    given = [field.name for field in fields(Puzzle) if f"    {field.name}=" in FILES["__init__.py"]]
    assert len(given) > 10
    assert [name for name in given if f"`{name}`" not in README and f"`{name}=" not in README] == []


@pytest.mark.parametrize(
    "command", ["solve", "check", "unique", "explain", "hint", "convert", "count", "certify", "export"]
)
def test_names_of_a_commands_own_options_are_kept_from_puzzles(command: str) -> None:
    brought = {option.name for puzzle in PUZZLES.values() for option in puzzle.options}
    own = set(inspect.signature(COMMANDS[command].load()).parameters) - brought
    assert own <= TAKEN
