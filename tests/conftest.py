"""What all tests stand on."""

import os
import signal
from pathlib import Path

import pytest
from hypothesis import settings

from tests.support.running import Run, runner

# A shell that starts the tests in the background leaves Ctrl-C ignored, and several tests press it.
signal.signal(signal.SIGINT, signal.default_int_handler)

# The same maps in every run of the gate; elsewhere hypothesis looks for new ones.
settings.register_profile("ci", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("ci")


@pytest.fixture
def twinproof(capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run the command in an empty folder; gives exit status, standard output and standard error."""
    monkeypatch.chdir(tmp_path)
    return runner(capfd)
