"""What the benchmarks share: how one starts, and what its figures depend on."""

import shlex
import sys
from collections.abc import Callable
from typing import Any

import typer

from twinproof.compare.campaign.machine import machine, versions
from twinproof.compare.cli.command import BAD_INPUT
from twinproof.optim import InputError


def run_benchmark(benchmark: Callable[..., None]) -> None:
    """Run a function as a command and leave; bad input is one line and exit status 2.

    Parameters
    ----------
    benchmark : callable
        Its arguments become options, in typer's way.
    """
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    app.command()(benchmark)
    try:
        sys.exit(app(standalone_mode=False))
    except InputError as error:
        message = str(error)
    except typer.TyperException as error:
        message = str(getattr(error, "format_message", error.__str__)())
    print(f"benchmark: {message}", file=sys.stderr)
    sys.exit(BAD_INPUT)


def circumstances(module: str) -> dict[str, Any]:
    """Give the command of this process, the machine and the versions, for a record.

    Parameters
    ----------
    module : str
        The benchmark's name in this package.
    """
    words = ["python", "-m", f"{__package__}.{module}", *sys.argv[1:]]
    return {"command": shlex.join(words), "machine": machine(), "versions": versions()}
