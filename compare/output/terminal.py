"""What a person sees: a field in colour, a line that follows the search, a summary."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from time import monotonic
from typing import Any

from rich.console import Console
from rich.live import Live
from rich.text import Text

from twinproof.compare.questions.answer import Answer
from twinproof.models import PUZZLES
from twinproof.models.drawn import draw_layout
from twinproof.models.text.drawings import CUT
from twinproof.models.violation import Violation
from twinproof.optim import OnProgress, Progress, Status
from twinproof.optim.process.interrupt import Held, Interrupts


def draw_board(puzzle: str, instance: Any, layout: Sequence[str], console: Console) -> None:
    """Print a layout of a puzzle as that puzzle is drawn, and below it what its marks mean.

    Parameters
    ----------
    puzzle : str
        The puzzle's name.
    instance : Any
        Its instance.
    layout : sequence of str
        The rows.
    console : rich.console.Console
        Where to print.
    """
    found = PUZZLES.find(puzzle)
    if found.look.lines is not None:
        draw_lines(draw_layout(found, instance, layout), console, found.look.strong, layout)
    elif console.color_system is None or console.no_color:
        draw_lines(layout, console)
    else:
        # Every mark is written into its square: the colours are lost when the drawing is copied.
        styles = {mark: f"black on {colour}" for mark, colour in found.look.colours.items()}
        apart = 1 if console.is_terminal and 2 * _widest(layout) > console.width else 2
        rows = _cut(layout, console)
        for row in rows:
            line = Text()
            for mark in row.ljust(_widest(rows)):
                line.append(mark.ljust(apart), style=styles.get(mark, ""))
            console.print(line, soft_wrap=True)
        _say_cut(layout, console)
    if below := legend(layout, puzzle):
        console.print(Text(below), soft_wrap=True)


def draw_lines(
    lines: Sequence[str], console: Console, strong: str = "", narrow: Sequence[str] | None = None
) -> bool:
    """Print a drawing, some of its marks highlighted on a terminal; as far as the terminal is wide.

    Parameters
    ----------
    lines : sequence of str
        The drawing.
    console : rich.console.Console
        Where to print.
    strong : str
        The marks that are highlighted.
    narrow : sequence of str, optional
        Printed instead on a terminal that is too narrow: a character for every cell. Without it the drawing is
        closed up, if every second character of it is blank.

    Returns
    -------
    bool
        Whether the drawing itself is printed.
    """
    fits = not console.is_terminal or _widest(lines) <= console.width
    if not fits:
        lines = (_closed_up(lines) if narrow is None else narrow) or lines
    for line in _cut(lines, console):
        text = Text(line)
        for position, mark in enumerate(line):
            if mark in strong:
                text.stylize("bold yellow", position, position + 1)
        console.print(text, soft_wrap=True)
    _say_cut(lines, console)
    return fits


def _widest(lines: Sequence[str]) -> int:
    return max(map(len, lines), default=0)


def _closed_up(lines: Sequence[str]) -> list[str] | None:
    return None if any(line[1::2].strip() for line in lines) else [line[::2] for line in lines]


def _cut(lines: Sequence[str], console: Console) -> Sequence[str]:
    """Give as much of lines as a terminal shows; a pipe and a file take all."""
    return [line[: console.width] for line in lines] if console.is_terminal else lines


def _say_cut(lines: Sequence[str], console: Console) -> None:
    if console.is_terminal and _widest(lines) > console.width:
        print_line(console, CUT.format(console.width, _widest(lines)))


def legend(layout: Sequence[str], puzzle: str) -> str:
    """Say what the marks of a layout mean, and how many of each there are.

    Parameters
    ----------
    layout : sequence of str
        Its rows.
    puzzle : str
        The puzzle's name.

    Returns
    -------
    str
        One line; empty if no mark is counted.
    """
    meanings = PUZZLES.find(puzzle).look.counted
    counts = {mark: sum(row.count(mark) for row in layout) for mark in meanings}
    return "   ".join(f"{mark} {meaning}: {counts[mark]}" for mark, meaning in meanings.items() if counts[mark])


def summary(answer: Answer) -> str:
    """Say in one line what an engine found."""
    question, outcome = answer.question, answer.outcome
    what = question.objective
    if question.at_least is not None:
        what += f", at least {question.at_least}"
    if question.at_most is not None:
        what += f", at most {question.at_most}"
    head = f"{answer.engine}: {what}: "
    if outcome.status is Status.OPTIMAL:
        found = f"{outcome.value}, proved optimal"
    elif outcome.status is Status.INFEASIBLE:
        found = "impossible, proved" if question.yes_or_no else "no layout exists, proved"
    elif outcome.settled:
        found = f"possible, {outcome.value} found" if question.yes_or_no else "found"
    else:
        found = f"not settled, {_bracket(outcome.value, outcome.bound)}"
    tail = f" ({outcome.seconds:.1f} s"
    return head + found + tail + (f", {outcome.stopped})" if outcome.stopped else ")")


def _bracket(value: int | None, bound: int | None) -> str:
    best = "nothing found" if value is None else f"{value} found"
    return best if bound is None else f"{best}, bound {bound}"


AGREEMENT = {True: "the engines agree", False: "THE ENGINES DISAGREE", None: "not both settled"}
"""The line that is printed about a comparison."""


def print_line(console: Console, line: str) -> None:
    """Print a line as it is, however long.

    Parameters
    ----------
    console : rich.console.Console
        Where to print.
    line : str
        The text, in which nothing is markup.
    """
    console.print(Text(line), soft_wrap=True)


def print_rules(console: Console, rules: Sequence[Violation]) -> None:
    """Print rules, a line each.

    Parameters
    ----------
    console : rich.console.Console
        Where to print.
    rules : sequence of Violation
        The rules.
    """
    for rule in rules:
        print_line(console, f"  {rule}")


@contextmanager
def following(console: Console) -> Iterator[Callable[[str], OnProgress]]:
    """Show a live line while engines search, on a terminal only.

    Yields
    ------
    callable
        Gives the function that takes an engine's progress.
    """
    if not console.is_terminal:
        yield lambda engine: lambda progress: None
        return
    line = _LiveLine(console)
    try:
        line.start()
        yield line.follow
    finally:
        line.stop()


class _LiveLine:
    def __init__(self, console: Console) -> None:
        self._engine = ""
        self._start = monotonic()
        self._last = Progress(0.0, None, None)
        self._note = ""
        self._live = Live(console=console, get_renderable=self.render, refresh_per_second=4, transient=True)

    def start(self) -> None:
        with Held():
            Interrupts.left.append(self.stop)
            self._live.start()

    def stop(self) -> None:
        with Held():
            self._live.stop()
            if self.stop in Interrupts.left:
                Interrupts.left.remove(self.stop)

    def follow(self, engine: str) -> OnProgress:
        self._engine, self._start, self._last = engine, monotonic(), Progress(0.0, None, None)
        self._note = ""

        def on_progress(progress: Progress) -> None:
            self._last = progress
            if progress.note is not None:
                self._note = progress.note

        return on_progress

    def render(self) -> Text:
        value, bound = self._last.value, self._last.bound
        seconds = f"{monotonic() - self._start:.0f} s"
        if value is bound is None:  # nothing yet, or what is followed has no value
            note = f"{self._note}, " if self._note else ""
            line = f"{self._engine}: {note}{seconds}  (Ctrl-C: stop here)"
            return Text(line, no_wrap=True, overflow="ellipsis")
        gap = "-" if value is None or bound is None else str(abs(bound - value))
        shown = [
            f"{name} {'-' if number is None else number}" for name, number in (("value", value), ("bound", bound))
        ]
        note = f"; {self._note}" if self._note else ""
        line = f"{self._engine}: {', '.join(shown)}, gap {gap}, {seconds}{note}  (Ctrl-C: stop here)"
        return Text(line, no_wrap=True, overflow="ellipsis")
