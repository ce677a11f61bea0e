"""How tests run the command."""

import signal
from collections.abc import Callable

import pytest

from twinproof.compare.cli.main import main

__all__ = ["Run", "runner"]

Run = Callable[..., tuple[int, str, str]]
"""Takes the words of a command; gives exit status, standard output and standard error."""


def runner(capfd: pytest.CaptureFixture[str]) -> Run:
    """Run the command in this process; what it does to signals is undone."""

    def run(*words: str) -> tuple[int, str, str]:
        handlers = [(number, signal.getsignal(number)) for number in (signal.SIGINT, signal.SIGTERM)]
        with pytest.raises(SystemExit) as left:
            main(words)
        for number, handler in handlers:
            signal.signal(number, handler)
        captured = capfd.readouterr()
        assert isinstance(left.value.code, int)
        return left.value.code, captured.out, captured.err

    return run
