"""What commands draw can be read back: from any terminal, with what stands above and below it."""

import json
import re
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, note
from hypothesis import strategies as st
from rich.console import Console

from tests.contract.test_pasted import said
from tests.contract.trial import Trial, with_file
from tests.contract.trials import TRIALS
from tests.support.examples import examples
from tests.support.running import Run
from twinproof.compare.output.terminal import draw_board, draw_lines
from twinproof.models.deduction.hints import Step, draw_known
from twinproof.models.drawn import blank, draw_layout, draw_position, read_known, read_layout
from twinproof.models.puzzle import Layout
from twinproof.models.text.sources import Inline, LayoutText
from twinproof.optim import InputError

EVERY = pytest.mark.parametrize("name", TRIALS)
HINTED = pytest.mark.parametrize(
    "name", [name for name, trial in TRIALS.items() if trial.puzzle.words is not None]
)

ABOVE = (
    "crowding (grade 2): region A must hold 1 more star; so row 2, column 2 is empty",
    "1. single clue (grade 1): the 1 in row 1, column 1 has all its mines",
    "there is a solution: no rule need be dropped",
    "",
)
BELOW = (
    "cpsat: solution: found (0.3 s)",
    "maxsat: most-hops: 14, proved optimal (1.6 s)",
    "the engines agree",
    "unique: no other solution, proved",
    "  clue: row 2, column 1: 1 mines round it",
    "[ ] found by this step   ( ) what it rests on   * known   x known to be empty",
    "valid",
    "",
)

Terminal = Callable[[Console], object]

ESCAPES = re.compile(r"\x1b\[[0-9;]*m")

BOXES = str.maketrans("-|+", "\u2500\u2502\u253c")


@st.composite
def printed(draw: st.DrawFn, show: Terminal) -> str:
    """What a command prints into a pipe or on a terminal, and what may become of it until it is read."""
    file = StringIO()
    kind = draw(st.sampled_from(["pipe", "terminal", "no colour", "boxes"]))
    show(
        Console(file=file, width=200, color_system="truecolor", force_terminal=True, highlight=False)
        if kind == "terminal"
        else Console(file=file, width=200, force_terminal=kind == "no colour", no_color=True, highlight=False)
    )
    text = file.getvalue()
    if kind == "boxes":
        text = text.translate(BOXES)
    above, below = (draw(st.lists(st.sampled_from(lines), max_size=2)) for lines in (ABOVE, BELOW))
    text = "".join(f"{line}\n" for line in above) + text + "".join(f"{line}\n" for line in below)
    if draw(st.booleans()):
        text = "\n".join(line.rstrip() for line in text.split("\n"))
    return text.replace("\n", draw(st.sampled_from(["\n", "\r\n"])))


def board(name: str, instance: Any, layout: Layout) -> Terminal:
    """Draw a layout as commands do."""
    return lambda console: draw_board(name, instance, layout, console)


def drawing(data: st.DataObject, trial: Trial, instance: Any) -> Layout:
    """Any layout of an instance, whether it keeps the rules or not."""
    cells = len(trial.cells(instance))
    marks = data.draw(st.lists(st.sampled_from(trial.marks), min_size=cells, max_size=cells))
    layout = trial.draw(instance, marks)
    return trial.puzzle.read_layout(instance, "\n".join(layout), "layout")


@EVERY
@examples(200)
@given(data=st.data())
def test_a_drawn_layout_is_read_back(name: str, data: st.DataObject) -> None:
    trial = TRIALS[name]
    instance = data.draw(trial.small)
    layout = drawing(data, trial, instance)
    text = data.draw(printed(board(name, instance, layout)))
    note(text)
    assert read_layout(trial.puzzle, instance, LayoutText("pasted", text)) == layout


@HINTED
@examples(200)
@given(data=st.data())
def test_a_drawn_position_is_read_back(name: str, data: st.DataObject) -> None:
    trial = TRIALS[name]
    puzzle, instance = trial.puzzle, data.draw(trial.small)
    known = {cell: data.draw(st.booleans()) for cell in trial.cells(instance) if data.draw(st.booleans())}
    some = [cell for cell in trial.cells(instance) if data.draw(st.booleans())]
    rule: Any = None
    step = Step(rule, tuple(some[:1]), tuple(some[1:2]), tuple(some[2:]), "") if data.draw(st.booleans()) else None
    lines = draw_position(puzzle, instance, known, step)
    rows = draw_known(blank(puzzle, instance), known)
    text = data.draw(printed(lambda console: draw_lines(lines, console, "*", rows)))
    note(text)
    assert read_known(puzzle, instance, LayoutText("pasted", text)) == known


STATUS = "cpsat: solution: found (0.3 s)\n[ ] found by this step   * known   x known to be empty\n"


@EVERY
@examples(200)
@given(data=st.data())
def test_a_drawing_is_the_instance_it_is_drawn_of_or_is_refused(name: str, data: st.DataObject) -> None:
    trial = TRIALS[name]
    puzzle, instance = trial.puzzle, data.draw(trial.small)
    layout = drawing(data, trial, instance)
    show = board(name, instance, layout)
    if puzzle.words is not None and data.draw(st.booleans()):
        known = {cell: data.draw(st.booleans()) for cell in trial.cells(instance) if data.draw(st.booleans())}
        lines, rows = draw_position(puzzle, instance, known), draw_known(blank(puzzle, instance), known)
        show = lambda console: draw_lines(lines, console, "*", rows)  # noqa: E731 - as short as its twin
    text = data.draw(printed(show)) + STATUS
    note(text)
    options = {
        key: value for key, value in puzzle.spelled(puzzle.describe(instance)).items() if key != "apart_from"
    }
    try:
        again = puzzle.read(Inline("pasted", text), options)
    except InputError as error:
        assert "\n" not in str(error)  # noqa: PT017 - the instance is as good
        if "drawing" in puzzle.formats and "which number is right" not in str(error):
            with pytest.raises(InputError):
                puzzle.formats["drawing"].write(instance)
        elif "map" in puzzle.to_json(instance):
            planted = any(mark in row for row in layout for mark in "SH")
            doubts = ("every second row or column", "blank lines above the drawing")
            assert not planted or any(doubt in str(error) for doubt in doubts)  # noqa: PT017
    else:
        assert said(trial, again) == said(trial, instance)


@EVERY
@examples(40)
@given(data=st.data())
def test_two_drawings_are_read_if_they_show_the_same(name: str, data: st.DataObject) -> None:
    trial = TRIALS[name]
    instance = data.draw(trial.small)
    one, other = drawing(data, trial, instance), drawing(data, trial, instance)
    texts = [data.draw(printed(board(name, instance, layout))) for layout in (one, other)]
    given_text = LayoutText("pasted", "another solution:\n".join(texts))
    if one == other:
        assert read_layout(trial.puzzle, instance, given_text) == one
    else:
        with pytest.raises(InputError, match="boards that differ"):
            read_layout(trial.puzzle, instance, given_text)


@EVERY
@examples(100)
@given(data=st.data())
def test_a_spoilt_drawing_is_refused_in_one_line_or_is_what_it_shows(name: str, data: st.DataObject) -> None:
    trial = TRIALS[name]
    instance = data.draw(trial.small)
    lines = draw_layout(trial.puzzle, instance, drawing(data, trial, instance))
    number = data.draw(st.integers(0, len(lines) - 1))
    at = data.draw(st.integers(0, len(lines[number])))
    put = data.draw(st.sampled_from(["", "*", ".", "-", " ", "x", "\n", "S", "1", "Q"]))
    lines[number] = lines[number][:at] + put + lines[number][at + data.draw(st.integers(0, 1)) :]
    text = "\n".join(["solve", *lines, "valid", ""])
    note(text)
    try:
        layout = read_layout(trial.puzzle, instance, LayoutText("pasted", text))
    except InputError as error:
        assert "\n" not in str(error)  # noqa: PT017 - to be read is as good
    else:
        read = [line.rstrip() for line in text.split("\n")[1:-2] if line.strip()]
        shown = [line.rstrip() for line in draw_layout(trial.puzzle, instance, layout) if line.strip()]
        rows = [line.rstrip() for line in layout if line.strip()]
        # A cell that is known to have nothing, and a star in brackets, are signs of hints.
        plain = [line.replace("x", " ") for line in read]
        assert read in (shown, rows) or "x" in put or [line.replace("x", ".") for line in plain] == shown


@EVERY
@examples(60)
@given(data=st.data())
def test_no_drawing_is_wider_than_the_terminal(name: str, data: st.DataObject) -> None:
    trial = TRIALS[name]
    instance, width = data.draw(trial.small), data.draw(st.integers(1, 24))
    layout, file = drawing(data, trial, instance), StringIO()
    no_color = data.draw(st.booleans())
    console = Console(file=file, width=width, color_system="truecolor", force_terminal=True, no_color=no_color)
    draw_board(name, instance, layout, console)
    pasted = LayoutText("pasted", file.getvalue())
    shown = [line for line in ESCAPES.sub("", pasted.text).split("\n") if ":" not in line]
    assert max(map(len, shown)) <= width
    if max(map(len, layout)) > width:
        with pytest.raises(InputError, match="is cut"):
            read_layout(trial.puzzle, instance, pasted)
    else:
        assert read_layout(trial.puzzle, instance, pasted) == layout


def test_a_drawing_that_is_cut_is_refused() -> None:
    puzzle = TRIALS["sprinklers"].puzzle
    field = puzzle.read("grid:3x60")
    file = StringIO()
    draw_board("sprinklers", field, ("." * 60,) * 3, Console(file=file, width=40, force_terminal=True))
    assert "cut: 40 of 60 columns" in file.getvalue()
    with pytest.raises(InputError, match="pasted: the drawing in it is cut"):
        read_layout(puzzle, field, LayoutText("pasted", file.getvalue()))


@EVERY
def test_what_commands_print_is_read_by_commands(name: str, twinproof: Run, tmp_path: Path) -> None:
    trial = TRIALS[name]
    puzzle = trial.puzzle
    _, words = with_file(trial, tmp_path)
    relative = [objective.name for objective in puzzle.objectives if objective.relative]
    for command in ("solve", *(("unique",) if relative else ())):
        status, out, _ = twinproof(command, *words)
        (tmp_path / "printed.txt").write_text(out, encoding="utf-8")
        if "drawing" in puzzle.formats:
            assert twinproof("check", puzzle.name, "printed.txt", "printed.txt")[0] == 0
        if status == 0:
            assert twinproof("check", *words, "printed.txt")[0] == 0
    for objective in relative:
        asked = [*words, "--objective", objective, "--apart-from", "printed.txt"]
        assert twinproof("solve", *asked)[0] == 0
    if puzzle.words is not None:
        for more in ([], ["--all"]):
            status, out, _ = twinproof("hint", *words, *more)
            assert status == 0
            (tmp_path / "hinted.txt").write_text(out, encoding="utf-8")
            status, out, err = twinproof("hint", *words, "--position", "hinted.txt")
            assert (status, err) == (0, "")
            assert twinproof("check", *words, "hinted.txt")[0] in (0, 1)
        assert "nothing is left to find" in out


@EVERY
def test_a_record_carries_its_options(name: str, twinproof: Run, tmp_path: Path) -> None:
    trial = TRIALS[name]
    puzzle = trial.puzzle
    _, words = with_file(trial, tmp_path)
    assert twinproof("solve", *words, "--record", "record.json")[0] == 0
    assert twinproof("check", *words, "record.json")[0] == 0
    assert twinproof("check", *words[:2], "record.json")[0] == 0
    content = json.loads((tmp_path / "record.json").read_text(encoding="utf-8"))
    other = next(one for one in TRIALS if one != name)
    (tmp_path / "other.json").write_text(json.dumps(content | {"puzzle": other}), encoding="utf-8")
    status, out, err = twinproof("check", *words[:2], "other.json")
    assert (status, out) == (2, "")
    assert f"a record of {other}, not of {name}" in err
    for option in puzzle.options:
        if option.type is int:
            said = puzzle.spelled(content["options"]).get(option.name)
            status, out, err = twinproof("check", *words[:2], "record.json", option.flag, "77")
            assert (status, out) == (2, "")
            assert f"{option.flag} 77" in err
            assert f"no {option.flag}" in err if said is None else f"{option.flag} {said}" in err
