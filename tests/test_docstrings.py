"""The examples in docstrings, in the README and in docs/ give what they say.

In a page, a block `console` holds commands behind a `$`, each with what it prints on standard output: seconds may
differ, and a line `...` stands for any lines. A command of which nothing printed is shown is run all the same.
"""

import doctest
import io
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
import typer

import twinproof
from tests.support.running import Run, search_here
from twinproof.compare.cli import main as cli
from twinproof.models import PUZZLES

PROJECT = Path(__file__).parents[1]
PACKAGE = Path(twinproof.__file__).parent
PAGES = [PROJECT / "README.md", *sorted((PROJECT / "docs").glob("*.md")), *sorted(PACKAGE.glob("*/README.md"))]


def modules_with_examples() -> list[str]:
    """Name them as they are imported: the folders of the package are links, whose targets have other names."""
    found = []
    for folder in (PACKAGE, *(path for path in PACKAGE.iterdir() if path.is_dir())):
        for path in sorted(folder.glob("*.py") if folder == PACKAGE else folder.rglob("*.py")):
            if ">>> " in path.read_text(encoding="utf-8"):
                parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
                found.append(".".join(parts).removesuffix(".__init__"))
    return found


@pytest.mark.parametrize("name", modules_with_examples())
def test_examples_in_docstrings(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    search_here(monkeypatch)
    result = doctest.testmod(import_module(name))
    assert result.attempted > 0
    assert result.failed == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(PROJECT)) if page else "")
def test_examples_in_pages(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    search_here(monkeypatch)
    # A fence would be taken for what the line above it prints.
    text = re.sub("^```.*$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    examples = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    assert doctest.DocTestRunner().run(examples).failed == 0


Example = tuple[str, list[str]]
"""A command, and the lines that stand below it."""

REST = "..."


def commands(page: Path) -> list[Example]:
    found: list[Example] = []
    for block in re.findall(
        r"^```console\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    ):
        for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, *shown = example.splitlines()
            found.append((command, shown))
    return found


def run_line(line: str, command: Run, monkeypatch: pytest.MonkeyPatch) -> str:
    """Run a line of a shell, of which `twinproof` is run in this process; gives what it prints."""
    before, _, words = line.rpartition("| ") if "| twinproof" in line else ("", "", line)
    words, _, target = words.partition(" > ")
    if not words.startswith("twinproof "):
        ran = subprocess.run(["bash", "-c", line], stdout=subprocess.PIPE, text=True, check=True)
        return ran.stdout
    if before:
        given = run_line(before.strip(), command, monkeypatch).encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
    status, out, err = command(*shlex.split(words)[1:])
    assert status in (0, 1), err
    if target:
        Path(target).write_text(out, encoding="utf-8")
        return ""
    return out


def plain(lines: list[str]) -> Iterator[str]:
    """Give lines without seconds and without blanks at their ends."""
    for line in lines:
        yield re.sub(r"\d+\.\d+ s\b", "SECONDS", line).rstrip()


def fits(shown: list[str], printed: list[str]) -> bool:
    """Whether lines are the ones that are shown, of which `...` stands for any."""
    pattern = "".join("(?:.*\n)*?" if line == REST else re.escape(line) + "\n" for line in shown)
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in printed)) is not None


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(PROJECT)) if page else "")
def test_commands_in_pages(page: Path, twinproof: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    other = []
    for line, shown in commands(page):
        printed = list(plain(run_line(line, twinproof, monkeypatch).splitlines()))
        if shown and not fits(list(plain(shown)), printed):
            other.append("\n".join([f"$ {line}", *printed]))
    assert "\n\n".join(other) == ""


def test_the_pages_show_commands() -> None:
    assert sum(len(commands(page)) for page in PAGES) > 30


def known_flags() -> set[str]:
    """Collect the options of all commands."""
    found = {"--version", "--help"}
    for listed in cli.commands().values():
        app = typer.Typer()
        app.command()(listed.load())
        found |= {flag for parameter in typer.main.get_command(app).params for flag in parameter.opts}
    return found


@pytest.mark.parametrize("page", PAGES[:2], ids=lambda page: page.name)
def test_every_option_in_a_page_is_one(page: Path) -> None:
    text = re.sub(r"pip install.*", "", page.read_text(encoding="utf-8"))
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", text))
    assert named - known_flags() == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(PROJECT)) if page else "")
def test_every_link_to_a_file_leads_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8"))
    assert [
        target for target in targets if "://" not in target and not (page.resolve().parent / target).exists()
    ] == []


README = PAGES[0].read_text(encoding="utf-8")


def test_the_readme_can_be_read_at_a_sitting() -> None:
    assert len(README.splitlines()) <= 150


def test_the_readme_lists_every_puzzle_with_all_that_it_has() -> None:
    def said(has: bool) -> str:
        return "yes" if has else ""

    rows = [
        (
            name,
            ", ".join(puzzle.engines),
            ", ".join(objective.name for objective in puzzle.objectives),
            said(puzzle.words is not None),
            said(puzzle.generation is not None),
            ", ".join(puzzle.claims),
            said("frontier" in puzzle.engines),
        )
        for name, puzzle in PUZZLES.items()
        if puzzle.package.startswith("twinproof.")
    ]
    table = [line.strip("|").split("|") for line in README.splitlines() if line.startswith("|")]
    written = [tuple(cell.strip() for cell in cells) for cells in table if len(cells) == len(rows[0])]
    assert written[2:] == rows
