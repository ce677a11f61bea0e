"""What all tests stand on."""

import signal
from pathlib import Path

import pytest

from tests.support.examples import register_profiles
from tests.support.running import Run, runner, search_here

# A shell that starts the tests in the background leaves Ctrl-C ignored, and several tests press it.
signal.signal(signal.SIGINT, signal.default_int_handler)

register_profiles()


@pytest.fixture
def in_children(capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run the command in an empty folder, its engines in processes of their own, as users do.

    Gives exit status, standard output and standard error.
    """
    monkeypatch.chdir(tmp_path)
    return runner(capfd)


@pytest.fixture
def twinproof(in_children: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run the command in an empty folder, its engines in this process, which is faster and keeps no limit."""
    search_here(monkeypatch)
    return in_children
