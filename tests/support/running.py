"""How tests run the command."""

import json
import signal
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

import pytest

from tests.support.english import disagreements
from twinproof.compare.cli.main import main
from twinproof.optim import EngineError, InputError, Limits, OutputError, Stop
from twinproof.optim.errors import FULL
from twinproof.optim.process.tasks import Report, Task, run_here

__all__ = ["Run", "loaded", "runner", "search_here"]

Run = Callable[..., tuple[int, str, str]]
"""Takes the words of a command; gives exit status, standard output and standard error."""

STARTERS = ("twinproof.optim.engine", "twinproof.optim.process.call", "twinproof.compare.questions.generate")
"""The modules that start children."""


def runner(capfd: pytest.CaptureFixture[str]) -> Run:
    """Run the command in this process; what it does to the whole process is undone."""

    def run(*words: str) -> tuple[int, str, str]:
        handlers = [(number, signal.getsignal(number)) for number in (signal.SIGINT, signal.SIGTERM)]
        digits = sys.get_int_max_str_digits()
        with pytest.raises(SystemExit) as left:
            main(words)
        for number, handler in handlers:
            signal.signal(number, handler)
        sys.set_int_max_str_digits(digits)
        captured = capfd.readouterr()
        assert disagreements(captured.out + captured.err) == []
        assert isinstance(left.value.code, int)
        return left.value.code, captured.out, captured.err

    return run


def loaded(run: Run, *words: str) -> tuple[int, dict[str, Any]]:
    """Run a command that prints a JSON object and says nothing else; give its exit status and the object."""
    status, out, err = run(*words, "--json")
    assert err == ""
    content = json.loads(out)
    assert isinstance(content, dict)
    return status, content


def search_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let engines search in this process: a child takes a second to start. No limit is kept then."""
    for module in STARTERS:
        monkeypatch.setattr(import_module(module), "run_in_children", _run_first_here)


def _run_first_here(
    tasks: Sequence[Task],
    limits: Limits,
    report: Report,
    settled: Callable[[], bool],
    on_memory: Callable[[int], None] = lambda size: None,
) -> Stop | None:
    """Run the first task, which proves; others only look for better layouts meanwhile."""
    assert limits.time is limits.memory is None, "a test of limits needs the fixture in_children"
    try:
        run_here(tasks[0], report)
    except KeyboardInterrupt:
        return Stop.INTERRUPT
    except (InputError, OutputError):
        raise
    except Exception as error:
        if isinstance(error, OSError) and error.errno in FULL:
            raise
        raise EngineError(f"{tasks[0].name}: {type(error).__name__}: {error}") from error
    return None
