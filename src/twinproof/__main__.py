"""`twinproof` and `python -m twinproof`: takes Ctrl-C, then loads the command and runs it.

Until the command runs there is nothing to keep, and Ctrl-C ends the process at once. What cannot be caught is a
press before the first line of `main`, while Python itself starts: for some 15 ms the process then dies of the
signal, or says KeyboardInterrupt.
"""

import os

__all__ = ["main"]

INTERRUPTED = 3


def main() -> None:
    """Run the command and leave with its exit status."""
    try:
        import signal  # noqa: PLC0415 - takes some ms itself

        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, _leave)
    except KeyboardInterrupt:
        _leave()
    from twinproof.compare.cli.main import main as command  # noqa: PLC0415 - only now is Ctrl-C taken care of

    try:
        command()
    finally:
        # All is said; while Python tidies up, there is nothing to interrupt.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        # A press that came while a text was executed, as dataclasses do when they are imported, is remembered by
        # Python though it was caught, and `python -m` would die of it at the end; the next text makes it forget.
        exec("")


def _leave(*_: object) -> None:
    try:
        os.write(2, b"twinproof: interrupted\n")
    finally:  # standard error may be closed
        os._exit(INTERRUPTED)


if __name__ == "__main__":
    main()
