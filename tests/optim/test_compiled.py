"""Compiled code is kept where that is possible, and made once more where it is not."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

from twinproof.optim.frontier.compiled import compiled


def double(numbers):  # type: ignore[no-untyped-def]
    return 2 * numbers


def doubled(function: Any) -> bool:
    return bool((function(np.arange(3)) == [0, 2, 4]).all())


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let numba keep what it compiles in an empty folder."""
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "kept"))
    return tmp_path / "kept"


def files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_what_was_compiled_is_kept_and_read_again(folder: Path) -> None:
    first, again = compiled(double), compiled(double)
    assert doubled(first)
    assert {path.suffix for path in files(folder)} == {".nbi", ".nbc"}
    assert doubled(again)
    assert sum(again.stats.cache_hits.values()) == 1


def spoil(folder: Path, content: bytes) -> None:
    for path in files(folder):
        path.write_bytes(content)


def replace_by_a_file(folder: Path, _: bytes) -> None:
    shutil.rmtree(folder)
    folder.touch()


@pytest.mark.parametrize("content", [b"", b"\x80", b"\x80\x04N.", b"hello", b"(lp0\n" * 9])
@pytest.mark.parametrize("harm", [spoil, replace_by_a_file])
def test_a_folder_that_cannot_be_read_or_written_ends_nothing(
    folder: Path, harm: Callable[[Path, bytes], None], content: bytes
) -> None:
    assert doubled(compiled(double))
    again = compiled(double)
    harm(folder, content)
    assert doubled(again)
    assert doubled(compiled(double))


def test_a_full_disk_ends_nothing(folder: Path) -> None:
    # No file may grow: to write one fails just as on a full disk, for root too.
    resource = pytest.importorskip("resource", reason="limits of the size of files are Unix's own")
    function = compiled(double)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        assert doubled(function)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert all(path.stat().st_size == 0 for path in files(folder))
    assert doubled(compiled(double))
