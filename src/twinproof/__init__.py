"""Proven optima of grid puzzles, each puzzle modelled twice: OR-Tools CP-SAT and PySAT RC2 MaxSAT.

>>> import twinproof
>>> twinproof.solve("hops", "disc:9").outcome.value
14

Every name below is loaded when it is first used: `import twinproof` itself loads no solver, and nothing else.
"""

TYPE_CHECKING = False  # as type checkers know it; `typing` would be the largest part of this import
if TYPE_CHECKING:
    from twinproof.library import (
        PUZZLES,
        Answer,
        Certified,
        Checked,
        Count,
        Crosscheck,
        EngineError,
        Explained,
        Hinted,
        InputError,
        Made,
        Outcome,
        OutputError,
        Puzzle,
        Question,
        Said,
        Status,
        Stop,
        TwinproofError,
        Uniqueness,
        Verdict,
        Violation,
        ask,
        certify,
        check,
        count,
        crosscheck,
        deduce,
        explain,
        front,
        generate,
        hint,
        play,
        read,
        solve,
        unique,
        verify,
    )

    __version__: str

__all__ = [
    "PUZZLES",
    "Answer",
    "Certified",
    "Checked",
    "Count",
    "Crosscheck",
    "EngineError",
    "Explained",
    "Hinted",
    "InputError",
    "Made",
    "Outcome",
    "OutputError",
    "Puzzle",
    "Question",
    "Said",
    "Status",
    "Stop",
    "TwinproofError",
    "Uniqueness",
    "Verdict",
    "Violation",
    "ask",
    "certify",
    "check",
    "count",
    "crosscheck",
    "deduce",
    "explain",
    "front",
    "generate",
    "hint",
    "play",
    "read",
    "solve",
    "unique",
    "verify",
]

if not TYPE_CHECKING:  # a type checker would take every name for one that there is

    def __getattr__(name: str) -> object:
        if name == "__version__":
            from importlib.metadata import version  # noqa: PLC0415 - see above

            return version("twinproof")
        if name not in __all__:
            raise AttributeError(f"module 'twinproof' has no attribute {name!r}")
        from twinproof import library  # noqa: PLC0415 - see above

        value = globals()[name] = getattr(library, name)
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, "__version__"})
