"""What only Minesweeper is asked: what a board proves, why a cell is as it is, and how far a game goes."""

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from twinproof.models.grid import Cell, show
from twinproof.models.minesweeper.drawing import DEDUCTION_LEGEND, draw_deduction
from twinproof.models.minesweeper.instance import MineField, MinesweeperPuzzle
from twinproof.models.questions import Said
from twinproof.models.text.json_values import digits_of_any_number, written_twice
from twinproof.models.text.sources import parse_cell
from twinproof.models.violation import Violation
from twinproof.optim import Limits, OnProgress, OptionError
from twinproof.optim.process.call import call

MUS_SECONDS = 10.0
"""The seconds for which the fewest rules are looked for, where no limit says otherwise."""

MOST = "and no fewer rules are in conflict:"
MINIMAL = "and could if any of them were left out:"


@dataclass(frozen=True)
class Deduced:
    """What both models say of a board.

    Parameters
    ----------
    deductions : mapping
        By engine; None where no layout fits the board.
    seconds : mapping
        By engine.
    count : LayoutCount or None
        Where it was asked for.
    mus : RulesMus or None
        The rules that cannot hold together, if no layout fits.
    """

    deductions: Mapping[str, Any]
    seconds: Mapping[str, float]
    count: Any
    mus: Any

    @property
    def agree(self) -> bool:
        """Whether both engines say the same."""
        return bool(self.deductions["cpsat"] == self.deductions["maxsat"])


def deduce_by_both(
    instance: MinesweeperPuzzle, counting: bool = False, time_limit: float | None = None
) -> Deduced:
    """Find what a board proves, by both models, in this process.

    Parameters
    ----------
    instance : MinesweeperPuzzle
    counting : bool
        Whether to count the layouts and give probabilities too.
    time_limit : float, optional
        Seconds after which rules in conflict that may not be the fewest are good enough.
    """
    # These load solvers.
    from twinproof.models.minesweeper.count import count  # noqa: PLC0415
    from twinproof.models.minesweeper.deduce import deduce as by_maxsat  # noqa: PLC0415
    from twinproof.models.minesweeper.deduce import deduce_cpsat as by_cpsat  # noqa: PLC0415
    from twinproof.models.minesweeper.explain import find_mus  # noqa: PLC0415

    deductions: dict[str, Any] = {}
    seconds: dict[str, float] = {}
    for engine, backbone in (("cpsat", by_cpsat), ("maxsat", by_maxsat)):
        start = time.monotonic()
        deductions[engine] = backbone(instance)
        seconds[engine] = round(time.monotonic() - start, 3)
    found = deductions["maxsat"]
    counted = count(instance) if counting and found is not None and deductions["cpsat"] == found else None
    return Deduced(deductions, seconds, counted, find_mus(instance, time_limit) if found is None else None)


def deduce(
    instance: MinesweeperPuzzle, options: Mapping[str, Any], limits: Limits, on_progress: OnProgress | None = None
) -> Said:
    """Say of every hidden cell of a board whether it is safe, a mine or undetermined, by both models.

    Parameters
    ----------
    instance : MinesweeperPuzzle
        The board in play.
    options : mapping
        `count` asks for the number of layouts, `probabilities` for that and every cell's probability of a mine.
    limits : Limits
        The limits of time and memory.
    on_progress : callable, optional
        Nothing is reported to it.

    Returns
    -------
    Said
        What is proved, or the rules of a board without a layout that contradict each other.
    """
    counting = options.get("count", False) or options.get("probabilities", False)
    called = call(deduce_by_both, instance, counting, _mus_seconds(limits), limits=limits)
    if not called.results:
        return _stopped(instance, called.stopped)
    (known,) = called.results
    with digits_of_any_number():
        return _said(instance, options, known)


def _said(instance: MinesweeperPuzzle, options: Mapping[str, Any], known: Deduced) -> Said:
    """Put what both models say into words."""
    found = known.deductions["maxsat"]
    lines = [] if found is None else _found_lines(instance, found)
    if known.mus is not None:
        is_smus = known.mus.is_smus
        lines.append(f"the board contradicts itself; these cannot hold together, {MOST if is_smus else MINIMAL}")
        lines += [f"  {rule}" for rule in known.mus.rules]
    if known.count is not None:
        lines.append(f"layouts: {known.count.layouts:,}")
    if known.count is not None and options.get("probabilities", False):
        lines += [
            f"{show(cell)}: {probability} ({float(probability):.4f})"
            for cell, probability in known.count.probability.items()
        ]
    lines.append("the engines agree" if known.agree else "THE ENGINES DISAGREE")
    drawing = () if found is None else tuple(draw_deduction(instance, found))
    return Said(_record(instance, known), tuple(lines), known.agree and found is not None, drawing, "*s")


def _found_lines(instance: MinesweeperPuzzle, found: Any) -> list[str]:
    return [
        "   ".join(f"{mark} {meaning}" for mark, meaning in DEDUCTION_LEGEND.items()),
        f"safe: {len(found.safe)}   mines: {len(found.mines)}   undetermined: {len(found.open)}",
        *(f"wrong flag: {show(cell)}" for cell in found.wrong_flags(instance)),
    ]


def _record(instance: MinesweeperPuzzle, known: Deduced) -> dict[str, Any]:
    """Put it into one JSON object; cells count from 1, numbers are exact."""
    from twinproof.models.minesweeper import PUZZLE  # noqa: PLC0415 - which names this module

    found = known.deductions["maxsat"]
    content: dict[str, Any] = {
        "puzzle": PUZZLE.name,
        "instance": instance.name,
        "options": PUZZLE.describe(instance),
        "engine": "both",
        "agree": known.agree,
        "solvable": found is not None,
    }
    if found is not None:
        content |= {
            "safe": _places(found.safe),
            "mines": _places(found.mines),
            "open": _places(found.open),
            "wrong_flags": _places(found.wrong_flags(instance)),
            "picture": draw_deduction(instance, found),
        }
    if known.mus is not None:
        content["conflict"] = [rule.to_json() for rule in known.mus.rules]
        content["smallest"] = known.mus.is_smus
    if known.count is not None:
        content["layouts"] = known.count.layouts
        content["by_mines"] = {str(mines): number for mines, number in known.count.by_mines.items()}
        content["probabilities"] = [
            {"cell": [r + 1, c + 1], "probability": probability}
            for (r, c), probability in known.count.probability.items()
        ]
    return written_twice(content | {"seconds": dict(known.seconds)})


def explain_cell(instance: MinesweeperPuzzle, cell: Cell, limits: Limits) -> Said | None:
    """Say why a cell is safe or a mine; None where the board contradicts itself, so that every cell is both.

    Parameters
    ----------
    instance : MinesweeperPuzzle
        The board in play.
    cell : Cell
        A hidden cell.
    limits : Limits
        The limits of time and memory.

    Returns
    -------
    Said or None
        The fewest rules that force the cell, or that it is open.

    Raises
    ------
    InputError
        If the cell is none that a rule could tell of.
    """
    called = call(_why, instance, cell, _mus_seconds(limits), limits=limits)
    if not called.results:
        return _stopped(instance, called.stopped)
    (answered,) = called.results
    if answered is None:
        return None
    mine, reasons, is_smus = answered
    head = {"puzzle": "minesweeper", "instance": instance.name, "cell": [cell[0] + 1, cell[1] + 1], "mine": mine}
    if mine is None:
        said = f"{show(cell)}: undetermined; some layouts have a mine there and some none"
        return Said({**head, "reasons": []}, (said,), False)
    few = "no fewer rules force it" if is_smus else "none of them can be left out"
    lines = [f"{show(cell)}: {'a mine' if mine else 'safe'}; {few}:", *(f"  {rule}" for rule in reasons)]
    return Said({**head, "reasons": [rule.to_json() for rule in reasons], "smallest": is_smus}, tuple(lines))


def _why(
    instance: MinesweeperPuzzle, cell: Cell, seconds: float
) -> tuple[bool | None, tuple[Violation, ...], bool] | None:
    """Give what a cell is, and the rules that force it; in a child process, for it loads solvers."""
    from twinproof.models.minesweeper.deduce import deduce as deduce_board  # noqa: PLC0415
    from twinproof.models.minesweeper.explain import explain  # noqa: PLC0415

    deduction = deduce_board(instance)
    if deduction is None:
        return None
    if cell in deduction.open:
        return None, (), True
    found = explain(instance, cell, seconds)
    return found.mine, found.reasons, found.is_smus


def play(
    field: MineField, options: Mapping[str, Any], limits: Limits, on_progress: OnProgress | None = None
) -> Said:
    """Reveal what can be revealed of a field of mines without a guess.

    Parameters
    ----------
    field : MineField
        The true mines.
    options : mapping
        `start` has the cells that are known to be safe, `cases` asks for the corners instead, and with
        `mines_known` the player knows the number of mines.
    limits : Limits
        The limits of time and memory, for each game.
    on_progress : callable, optional
        Nothing is reported to it.

    Returns
    -------
    Said
        How far each game goes.

    Raises
    ------
    InputError
        If no start is told, or two ways to start are.
    """
    from twinproof.models.minesweeper.play import corner_cases  # noqa: PLC0415 - these load solvers
    from twinproof.models.minesweeper.play import play as play_game  # noqa: PLC0415

    cases = options.get("cases", False)
    if cases and options.get("start"):
        raise OptionError("cases and start", ": only one of them can be asked")
    starts = [parse_cell(text, "start") for text in options.get("start", ())]
    if not starts and field.start is not None:
        starts = [field.start]
    if not starts and not cases:
        raise OptionError("start", " is missing: a cell to start from", f"{field.name}: ")
    known = options.get("mines_known", False)
    games: dict[str, dict[str, Any]] = {}
    for case, cells in (corner_cases(field) if cases else {"": tuple(starts)}).items():
        called = call(play_game, field, cells, known, limits=limits)
        if not called.results:
            return _stopped(field, called.stopped)
        games[case] = called.results[0].record()
    head = {"puzzle": "minesweeper", "instance": field.name, "mines_known": known}
    lines = [line for case, game in games.items() for line in _game_lines(case, game)]
    return Said(head | ({"cases": games} if cases else games[""]), tuple(lines))


def _game_lines(case: str, game: Mapping[str, Any]) -> list[str]:
    """Say in lines how far a game went."""
    starts = "; ".join(show((r - 1, c - 1)) for r, c in game["start"])
    return [
        (f"({case}) " if case else "") + f"from {starts}",
        *game["picture"],
        f"safe, revealed: {game['safe_revealed']}   X mines proved: {game['mines_proved']}   "
        f"? undetermined: {game['undetermined']}   rounds: {game['rounds']}",
    ]


def _stopped(instance: Any, stopped: object) -> Said:
    content = {"puzzle": "minesweeper", "instance": instance.name, "status": "unknown", "stopped": str(stopped)}
    return Said(content, (), None)


def _mus_seconds(limits: Limits) -> float:
    return MUS_SECONDS if limits.time is None else limits.time / 2


def _places(cells: Iterable[Cell]) -> list[list[int]]:
    return [[r + 1, c + 1] for r, c in sorted(cells)]
