"""The house keeps its own rules: which words stand where, how long a file is, what a docstring must have."""

import ast
import builtins
import importlib
import importlib.util
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from twinproof.models import PUZZLES

PROJECT = Path(__file__).parents[1]
FLOORS = ("optim", "models", "compare")
SOURCES = sorted(path for floor in (*FLOORS, "src/twinproof/library") for path in (PROJECT / floor).rglob("*.py"))

MAX_LINES = 500
LONG_FILES = {"models/hops/frontier_verify.py"}
"""It stands alone, so that one can read it without anything else."""

NAMES_PUZZLES = ("compare/report/", "compare/benchmark/")
"""The reports tell of certain puzzles, and the benchmarks measure on them."""

EXAMPLE = re.compile(r"^ *>>> (?:.|\n)*?(?=\n *\n|\"\"\")|^ *Examples?: twinproof .*$", re.MULTILINE)
"""An example in a docstring asks about some puzzle, so that it can be run as it stands."""

EXEMPT_DECORATORS = ("rule", "instance_options", "add_options")
"""`rule` makes a function into a `Rule`, which says what its arguments are; those of a command are options."""

COMMANDS = {"compare/cli/compare.py", "compare/cli/verify.py"}
"""Their functions are commands without a decorator."""


def relative(path: Path) -> str:
    return path.relative_to(PROJECT).as_posix()


def sources(*floors: str) -> list[Path]:
    return [path for path in SOURCES if relative(path).split("/")[0] in floors]


def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def test_compare_and_optim_name_no_puzzle() -> None:
    words = {word for puzzle in PUZZLES.values() for word in (puzzle.name, *puzzle.aliases)}
    named = re.compile(rf"(?<![A-Za-z])({'|'.join(map(re.escape, sorted(words)))})(?![A-Za-z])", re.IGNORECASE)
    found = [
        f"{relative(path)}: {line.strip()}"
        for path in sources("compare", "optim")
        if not relative(path).startswith(NAMES_PUZZLES)
        for line in EXAMPLE.sub("", path.read_text(encoding="utf-8")).splitlines()
        if named.search(line)
    ]
    assert found == []


def test_no_file_is_too_long() -> None:
    files = (*SOURCES, *(PROJECT / "src").rglob("*.py"), *(PROJECT / "tests").rglob("*.py"))
    long = {relative(path) for path in files if len(path.read_text(encoding="utf-8").splitlines()) > MAX_LINES}
    assert long <= LONG_FILES


def test_imports_begin_with_twinproof() -> None:
    bare = re.compile(rf"^\s*(from|import) ({'|'.join(FLOORS)})\b", re.MULTILINE)
    assert [relative(path) for path in SOURCES if bare.search(path.read_text(encoding="utf-8"))] == []


def test_only_package_faces_say_what_is_public() -> None:
    listing = re.compile(r"^__all__", re.MULTILINE)
    found = [path for path in SOURCES if listing.search(path.read_text(encoding="utf-8"))]
    assert [relative(path) for path in found if path.name != "__init__.py"] == []


def test_every_class_has_a_name_of_its_own() -> None:
    seen: dict[str, str] = {}
    twice = []
    for path in SOURCES:
        for node in parsed(path).body:
            if isinstance(node, ast.ClassDef):
                if node.name in seen and not node.name.startswith("_"):
                    twice.append(f"{node.name}: {seen[node.name]} and {relative(path)}")
                seen[node.name] = relative(path)
    assert twice == []


def public_functions(body: list[ast.stmt], prefix: str = "") -> Iterator[tuple[str, ast.FunctionDef]]:
    """List functions and methods that anyone may call; those inside others are not among them."""
    for node in body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            yield prefix + node.name, node
        elif isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield from public_functions(node.body, f"{prefix}{node.name}.")


def arguments(function: ast.FunctionDef) -> list[str]:
    spec = function.args
    named = [*spec.posonlyargs, *spec.args, *spec.kwonlyargs, *filter(None, (spec.vararg, spec.kwarg))]
    return [one.arg for one in named if one.arg not in ("self", "cls")]


def is_exempt(path: Path, function: ast.FunctionDef) -> bool:
    names = {re.split(r"[(.]", ast.unparse(decorator))[0] for decorator in function.decorator_list}
    is_command = relative(path) in COMMANDS and function.name == path.stem
    is_benchmark = relative(path).startswith("compare/benchmark/") and function.name == "run"
    return bool(names & set(EXEMPT_DECORATORS)) or is_command or is_benchmark


def test_docstrings_say_what_each_argument_is() -> None:
    missing = []
    for path in SOURCES:
        for name, function in public_functions(parsed(path).body):
            if len(arguments(function)) < 2 or is_exempt(path, function):
                continue
            written = ast.get_docstring(function) or ""
            section = re.search(r"^Parameters\n-+\n(.*?)(?=^\w+\n-+$|\Z)", written, re.MULTILINE | re.DOTALL)
            said = set() if section is None else set(re.findall(r"\*{0,2}(\w+)", entries(section[1])))
            if lacking := [one for one in arguments(function) if one not in said]:
                missing.append(f"{relative(path)}: {name}: {', '.join(lacking)}")
    assert missing == []


def entries(section: str) -> str:
    """Give the names of a section `Parameters`: what stands before the colon in lines that are not indented."""
    return "\n".join(line.partition(" : ")[0] for line in section.splitlines() if line and line[0] != " ")


REFERENCE = re.compile(r"`((?:twinproof\.)?(?:optim|models|compare)\.[\w.]+)`")


def exists(name: str) -> bool:
    """Whether a dotted name is a module, or something in one."""
    parts = name.removeprefix("twinproof.").split(".")
    for length in range(len(parts), 0, -1):
        module = ".".join(("twinproof", *parts[:length]))
        try:
            spec = importlib.util.find_spec(module)
        except ModuleNotFoundError:
            continue
        if spec is not None:
            found: object = importlib.import_module(module)
            for attribute in parts[length:]:
                found = getattr(found, attribute, None)
            return found is not None
    return False


def references() -> list[str]:
    return sorted({name for path in SOURCES for name in REFERENCE.findall(path.read_text(encoding="utf-8"))})


@pytest.mark.parametrize("name", references())
def test_names_in_docstrings_exist(name: str) -> None:
    assert exists(name)


def test_files_in_docstrings_exist() -> None:
    named = re.compile(r"`((?:optim|models|compare|tests|reports|docs)/[\w./-]+)`")
    texts = {path: path.read_text(encoding="utf-8") for path in SOURCES}
    found = {(path, name) for path, text in texts.items() for name in named.findall(text)}
    assert [f"{relative(path)}: {name}" for path, name in sorted(found) if not (PROJECT / name).exists()] == []


FOREIGN = {"CpModelProto", "Encode", "js", "PUZZLE_DEFINITIONS", "operations_research", "pzl"}
"""Names of other projects."""
PLACEHOLDER = re.compile(r"[A-Z]+_first|build_[A-Z]+|WxHxM")


def test_other_names_in_docstrings_exist() -> None:
    """Every word of a dotted name in backticks stands somewhere in the code, or is a file's name."""
    code = set(dir(builtins)) | {path.stem for floor in FLOORS for path in (PROJECT / floor).rglob("*")}
    quoted: set[tuple[str, str]] = set()
    for path in (*SOURCES, *(PROJECT / "src").rglob("*.py"), *(PROJECT / "tests").rglob("*.py")):
        with path.open("rb") as file:
            for token in tokenize.tokenize(file.readline):
                is_prose = token.type == tokenize.COMMENT or token.string.startswith(('"""', 'r"""'))
                if not is_prose:
                    code |= set(re.findall(r"\w+", token.string))
                elif path in SOURCES:
                    quoted |= {(relative(path), name) for name in re.findall(r"`([A-Za-z_][\w.]*)`", token.string)}
    missing = [
        f"{file}: {name}"
        for file, name in sorted(quoted)
        if not PLACEHOLDER.fullmatch(name) and not set(name.split(".")) <= code | FOREIGN
    ]
    assert missing == []
