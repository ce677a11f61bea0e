"""Public Star Battle, Light Up and Minesweeper puzzles, with what their sources say of them."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from twinproof.models.lightup.instance import LightUpPuzzle
from twinproof.models.minesweeper.instance import MinesweeperPuzzle
from twinproof.models.starbattle.instance import StarBattlePuzzle, number_regions
from twinproof.optim import InputError

Entry = Mapping[str, Any]
"""A puzzle as its file holds it."""

Data = Annotated[Path, typer.Option(envvar="TWINPROOF_DATA", help="The folder of public puzzles.")]
Each = Annotated[int | None, typer.Option(min=1, help="How many of each kind, evenly spread; by default all.")]


@dataclass(frozen=True)
class PublicPuzzle:
    """A puzzle that somebody has published.

    Parameters
    ----------
    kind : str
        One of `PUBLIC`.
    instance : StarBattlePuzzle, LightUpPuzzle or MinesweeperPuzzle
    entry : mapping
        The puzzle as its file holds it.
    unique : bool or None
        Whether it has one solution; None if that is not stated.
    """

    kind: str
    instance: Any
    entry: Entry
    unique: bool | None

    @property
    def name(self) -> str:
        """What its source calls it."""
        return str(self.entry["id"])

    @property
    def cells(self) -> int:
        """How many cells its board has."""
        return int(self.instance.height * self.instance.width)

    @property
    def solution(self) -> tuple[str, ...] | None:
        """The published solution, if it is the only one: rows, with `*` for a star, a bulb or a mine."""
        return tuple(self.entry["solution"]) if self.unique and "solution" in self.entry else None


def _starbattle(entry: Entry) -> PublicPuzzle:
    rows = [[None if mark in "#." else mark for mark in row] for row in entry["regions"]]
    holes = {(r, c) for r, row in enumerate(entry["regions"]) for c, mark in enumerate(row) if mark == "#"}
    regions, labels = number_regions(rows)
    puzzle = StarBattlePuzzle(entry["stars"], regions, frozenset(holes), labels=labels, name=entry["id"])
    return PublicPuzzle("starbattle", puzzle, entry, entry["unique"])


def _lightup(entry: Entry) -> PublicPuzzle:
    return PublicPuzzle("lightup", LightUpPuzzle(tuple(entry["grid"]), name=entry["id"]), entry, entry["unique"])


def _minesweeper(entry: Entry) -> PublicPuzzle:
    puzzle = MinesweeperPuzzle(tuple(entry["grid"]), entry["mines"], name=entry["id"])
    layouts = entry["consistent_configurations_with_mine_total"]
    return PublicPuzzle("minesweeper", puzzle, entry, None if layouts is None else layouts == 1)


PUBLIC: dict[str, tuple[str, Callable[[Entry], PublicPuzzle]]] = {
    "starbattle": ("starbattle/puzzles.json", _starbattle),
    "lightup": ("akari/puzzles.json", _lightup),
    "minesweeper": ("minesweeper/janko_unique.json", _minesweeper),
}
"""Each kind has a file in the folder of public puzzles, and a function that reads an entry of it."""


def check_data(data: Path, kinds: Iterable[str]) -> None:
    """Refuse kinds of puzzle that are unknown or missing, before any is read.

    Parameters
    ----------
    data : Path
        The folder of public puzzles.
    kinds : iterable of str

    Raises
    ------
    InputError
        If a kind is unknown or its file is not there.
    """
    for kind in kinds:
        if kind not in PUBLIC:
            raise InputError(f"puzzle {kind!r}: must be one of {', '.join(PUBLIC)}")
        if not (data / PUBLIC[kind][0]).is_file():
            raise InputError(f"{data / PUBLIC[kind][0]} is not there: set --data to the folder of public puzzles")


def load_public(data: Path, kind: str, each: int | None = None) -> list[PublicPuzzle]:
    """Read the public puzzles of one kind, or a number of them, evenly spread.

    Parameters
    ----------
    data : Path
        The folder of public puzzles.
    kind : str
        One of `PUBLIC`.
    each : int, optional
        How many; by default all.
    """
    file, read = PUBLIC[kind]
    entries = json.loads((data / file).read_text(encoding="utf-8"))
    step = 1 if each is None else max(1, len(entries) // each)
    return [read(entry) for entry in entries[::step][:each]]
