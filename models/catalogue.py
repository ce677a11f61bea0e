"""The puzzles by name: those of this distribution, and those that others bring through an entry point."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any

from twinproof.optim import InputError

if TYPE_CHECKING:  # a puzzle imports this package, so this package imports no puzzle
    from importlib.metadata import EntryPoint

    from twinproof.models.puzzle import Puzzle

GROUP = "twinproof.puzzles"
"""The group of entry points; each names a puzzle's package, which holds `PUZZLE`."""


class Catalogue(Mapping[str, "Puzzle[Any]"]):
    """Puzzles by name; each is loaded when it is first asked for.

    Those of other distributions that are broken can be asked for by name, which says what is wrong with them, but
    are none of the puzzles that the catalogue lists.

    Parameters
    ----------
    built_in : mapping
        The import names of the packages of this distribution's own puzzles.
    """

    def __init__(self, built_in: Mapping[str, str]) -> None:
        self._built_in = dict(built_in)
        self.loaded: dict[str, Puzzle[Any]] = {}
        """Those that have been asked for."""

    @cached_property
    def _from_outside(self) -> "dict[str, EntryPoint]":
        from importlib.metadata import entry_points  # noqa: PLC0415 - most commands name a puzzle of our own

        # A name of our own always means our own puzzle, whatever is installed beside it.
        return {point.name: point for point in entry_points(group=GROUP) if point.name not in self._built_in}

    def __getitem__(self, name: str) -> "Puzzle[Any]":
        if name not in self.loaded:
            if name in self._built_in:
                puzzle = import_module(self._built_in[name]).PUZZLE
                if puzzle.name != name:
                    raise ValueError(f"the puzzle {puzzle.name!r} stands in models/__init__.py as {name!r}")
                self.loaded[name] = puzzle
            elif name in self._from_outside:
                self.loaded[name] = _load(self._from_outside[name])
            else:
                raise KeyError(name)
        return self.loaded[name]

    def __iter__(self) -> Iterator[str]:
        yield from self._built_in
        # One that is broken must not stand in the way of the others.
        yield from (name for name in self._from_outside if name not in self.broken)

    def __len__(self) -> int:
        return len(self._built_in) + len(self._from_outside) - len(self.broken)

    @cached_property
    def broken(self) -> dict[str, str]:
        """The puzzles of other distributions that cannot be loaded, each with the reason in one line."""
        found = {}
        for name in self._from_outside:
            try:
                self[name]
            except InputError as error:
                found[name] = str(error)
        return found

    @property
    def aliases(self) -> dict[str, str]:
        """The other names of puzzles, each with the name that it stands for; a puzzle's own name wins."""
        found: dict[str, str] = {}
        for name, puzzle in self.items():
            for alias in puzzle.aliases:
                if alias not in self:
                    found.setdefault(alias, name)
        return found

    def find(self, name: str) -> "Puzzle[Any]":
        """Give a puzzle by its name or another name for it.

        Raises
        ------
        InputError
            If there is no such puzzle, or a distribution that should bring it does not.
        """
        if name in self:
            return self[name]
        aliases = self.aliases
        if name not in aliases:
            raise InputError(f"puzzle {name!r}: unknown; known are {', '.join((*self, *aliases))}")
        return self[aliases[name]]

    def __contains__(self, name: object) -> bool:
        return name in self._built_in or name in self._from_outside


def _load(point: "EntryPoint") -> "Puzzle[Any]":
    """Load a puzzle from another distribution.

    Raises
    ------
    InputError
        If it cannot be loaded, or is none.
    """
    from twinproof.models.puzzle import Puzzle  # noqa: PLC0415 - see above

    where = f"puzzle {point.name!r} of the distribution {point.dist.name if point.dist else '?'}"
    try:
        loaded = point.load()
    except Exception as error:  # whatever somebody else's module does when it is imported
        reason = " ".join(str(error).split())  # in one line
        raise InputError(f"{where}: cannot be loaded: {type(error).__name__}: {reason}") from error
    puzzle = getattr(loaded, "PUZZLE", loaded)
    if not isinstance(puzzle, Puzzle) or puzzle.name != point.name:
        raise InputError(f"{where}: {point.value} holds no PUZZLE of that name")
    return puzzle
