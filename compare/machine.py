"""On what a measured figure depends: the machine, the versions, the code of the models."""

import hashlib
import platform
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import psutil

__all__ = ["code_digest", "machine", "versions"]

PACKAGES = ("twinproof", "ortools", "python-sat", "numba", "numpy", "hermax", "clingo")

CERTIFYING = ("clauses/*.py", "certify_clauses.py", "refute.py", "verify_clauses.py", "lrat.py", "proof_file.py")
"""What makes and checks clause certificates, in `compare/`."""

ROOT = Path(__file__).resolve().parent.parent


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
        are. Hops use the rooms of sprinklers, which count as theirs.
    """
    folders = [ROOT / "models" / puzzle, *([ROOT / "models" / "sprinklers"] if puzzle == "hops" else [])]
    files = [
        *sorted((ROOT / "optim").rglob("*.py")),
        *sorted((ROOT / "models").glob("*.py")),
        *(file for folder in folders for file in sorted(folder.rglob("*.py"))),
        *(
            file
            for name in CERTIFYING
            if engine == "certificate"
            for file in sorted((ROOT / "compare").glob(name))
        ),
    ]
    digest = hashlib.blake2b(digest_size=8)
    for file in files:
        digest.update(f"{file.relative_to(ROOT).as_posix()}\n".encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()
