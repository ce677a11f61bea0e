"""On what a measured figure depends: the machine, the versions, the code of the models."""

import hashlib
import platform
import re
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

import psutil

from twinproof.models import PUZZLES

PACKAGES = ("twinproof", "ortools", "python-sat", "numba", "numpy", "hermax", "clingo")

ROOT = Path(__file__).resolve().parents[2]


@cache
def machine() -> dict[str, object]:
    """Give the facts of this machine that seconds depend on."""
    return {
        "system": platform.system(),
        "processor": platform.machine(),
        "cores": psutil.cpu_count(logical=True),
        "memory_gb": round(psutil.virtual_memory().total / 1e9),
    }


@cache
def versions() -> dict[str, str]:
    """Give the versions of Python and of the packages that solve, as far as they are installed."""
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


@cache
def code_digest(puzzle: str, engine: str) -> str:
    """Give a BLAKE2b digest of all code that can change an engine's answer about a puzzle.

    Parameters
    ----------
    puzzle : str
        Its name in the catalogue.
    engine : str
        One of the engines, or `certificate`, which has clauses and a checker of its own.

    Returns
    -------
    str
        16 hexadecimal digits; equal as long as the engines, what the models share, and the models of the puzzle
        are. A folder of another puzzle counts where the puzzle's own folder imports it.
    """
    folders = [
        ROOT / "optim",
        *(ROOT / "models" / name for name in _with_dependencies(puzzle)),
        *([ROOT / "compare" / "certificates"] if engine == "certificate" else []),
    ]
    shared = [file for file in (ROOT / "models").rglob("*.py") if not _of_a_puzzle(file)]
    files = sorted({*shared, *(file for folder in folders for file in folder.rglob("*.py"))})
    digest = hashlib.blake2b(digest_size=8)
    for base, file in [*((ROOT, file) for file in files), *_from_outside(puzzle)]:
        digest.update(f"{file.relative_to(base).as_posix()}\n".encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()


def _from_outside(puzzle: str) -> list[tuple[Path, Path]]:
    """Give the modules of a puzzle of another distribution, each behind the folder that it is seen from."""
    spec = find_spec(PUZZLES[puzzle].package)
    folders = [] if spec is None else spec.submodule_search_locations or []
    return [
        (folder.parent, file)
        for folder in (Path(place).resolve() for place in folders)
        if not folder.is_relative_to(ROOT / "models")
        for file in sorted(folder.rglob("*.py"))
    ]


def _of_a_puzzle(file: Path) -> bool:
    folder = file.relative_to(ROOT / "models").parts[0]
    return (ROOT / "models" / folder / "rules.py").exists()


def _with_dependencies(puzzle: str) -> list[str]:
    """Give a puzzle and those puzzles whose folders its own folder imports, directly or by way of others."""
    found = [puzzle]
    for name in found:
        for file in sorted((ROOT / "models" / name).rglob("*.py")):
            imported = re.findall(r"^ *from twinproof\.models\.(\w+)\.", file.read_text(encoding="utf-8"), re.M)
            found += [
                other
                for other in dict.fromkeys(imported)
                if other not in found and (ROOT / "models" / other / "rules.py").exists()
            ]
    return found
