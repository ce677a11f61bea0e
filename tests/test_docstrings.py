"""The examples in docstrings, in the README and in docs/ give what they say."""

import doctest
import re
from importlib import import_module
from pathlib import Path

import pytest

import twinproof
from tests.support.running import search_here

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
    # A fence would be taken for what the line above it prints.
    text = re.sub("^```.*$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    examples = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    assert doctest.DocTestRunner().run(examples).failed == 0
