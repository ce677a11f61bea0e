"""A text that was pasted is the same instance or is refused, whatever became of its blanks and line ends."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from tests.contract.trial import Trial
from tests.contract.trials import TRIALS
from tests.support.examples import examples
from twinproof.models.text.sources import Inline
from twinproof.optim import InputError

EVERY = pytest.mark.parametrize("name", TRIALS)

Change = Callable[[str], str]


def each_line(change: Change) -> Change:
    return lambda text: "\n".join(change(line) for line in text.split("\n"))


def each_row(change: Change) -> Change:
    """Leave lines above the grid as they are."""
    return each_line(lambda line: line if ":" in line else change(line))


def quoted(text: str) -> str:
    lines = text.strip("\n").split("\n")
    above = [line for line in lines if ":" in line]
    rows = ",\n ".join(f"[{', '.join(map(repr, line))}]" for line in lines[len(above) :])
    return "\n".join([*above, f"[{rows}]\n"])


BETWEEN_CELLS: dict[str, Change] = {
    "blanks between cells": each_row(" ".join),
    "tabs between cells": each_row("\t".join),
    "commas between cells": each_row(",".join),
    "commas and blanks": each_row(", ".join),
    "bars round cells": each_row(lambda line: f"|{'|'.join(line)}|" if line else ""),
    "lists": quoted,
    "lists as numpy prints them": lambda text: quoted(text).replace(",", ""),
}

ELSEWHERE: dict[str, Change] = {
    "indented": each_line(lambda line: f"    {line}"),
    "indented by a tab": each_line(lambda line: f"\t{line}"),
    "all lines but the first indented": lambda text: text.replace("\n", "\n  "),
    "blanks at the ends": each_line(lambda line: f"{line}  "),
    "a tab at the ends": each_line(lambda line: f"{line}\t"),
    "no blanks at the ends": each_line(str.rstrip),
    "other line ends": lambda text: text.replace("\n", "\r\n"),
    "blank lines round it": lambda text: f"\n  \n{text}\n \n\n",
    "a byte order mark": lambda text: f"\ufeff{text}",
    "fenced": lambda text: f"```text\n{text}\n```\n",
    "a blank for each tab": lambda text: text.replace("\t", " "),
    "blanks of web pages": lambda text: text.replace(" ", "\u00a0"),
    "double spaced": lambda text: text.replace("\n", "\n\n"),
}

CHANGES = BETWEEN_CELLS | ELSEWHERE


def written(trial: Trial, instance: Any) -> list[tuple[str | None, str]]:
    """What every form says of an instance."""
    texts = [(trial.puzzle.rows_form, "\n".join(trial.puzzle.rows(instance)) + "\n")]
    for title, form in trial.puzzle.formats.items():
        with suppress(InputError):
            texts.append((title, form.write(instance)))
    return texts


def read_or_refused(trial: Trial, text: str, form: str | None) -> Any:
    options = {} if form is None else {"format": form}
    try:
        instance = trial.puzzle.read(Inline("T", text), options)
    except InputError as error:
        assert "\n" not in str(error)  # noqa: PT017 - an instance is as good
        return None
    return instance


def moved(rows: tuple[str, ...]) -> tuple[str, ...]:
    """A drawing without the blanks round it: a field is the same wherever it lies."""
    filled = [*rows]
    while filled and not filled[0].strip():
        filled = filled[1:]
    while filled and not filled[-1].strip():
        filled = filled[:-1]
    indent = min((len(row) - len(row.lstrip(" ")) for row in filled if row.strip()), default=0)
    return tuple(row[indent:].rstrip(" ") for row in filled)


def said(trial: Trial, instance: Any) -> Any:
    """What is to be the same: all but the name, and where a field lies."""
    content = {**trial.puzzle.to_json(instance)}
    content.pop("name")
    if "map" in content:
        content["map"] = moved(tuple(content["map"]))
    return content


@EVERY
@examples(100)
@given(data=st.data())
def test_a_change_of_layout_is_no_change_of_meaning(name: str, data: st.DataObject) -> None:
    trial = TRIALS[name]
    instance = data.draw(trial.of_any_size)
    form, text = data.draw(st.sampled_from(written(trial, instance)))
    changed = text
    possible = [change for change in ELSEWHERE if change not in trial.never_changed]
    between = data.draw(st.sampled_from([[], *([change] for change in BETWEEN_CELLS)]))
    for change in between + data.draw(st.lists(st.sampled_from(possible), max_size=2, unique=True)):
        note(change)
        changed = CHANGES[change](changed)
    note(changed)
    # Whether the form is named or not, and is the right one or not; but not if it says that blanks are cells.
    for asked in {None, form, *trial.puzzle.formats} - {*trial.blanks_are_cells}:
        before, after = read_or_refused(trial, text, asked), read_or_refused(trial, changed, asked)
        if before is not None and after is not None:
            assert said(trial, after) == said(trial, before), asked


@EVERY
@examples(40)
@given(data=st.data())
def test_a_layout_that_was_pasted_is_the_same_or_refused(name: str, data: st.DataObject) -> None:
    trial = TRIALS[name]
    instance = data.draw(trial.small)
    cells = trial.cells(instance)
    marks = data.draw(st.lists(st.sampled_from(trial.marks), min_size=len(cells), max_size=len(cells)))
    layout = trial.draw(instance, marks)
    change = data.draw(st.sampled_from([*CHANGES]))
    try:
        again = trial.puzzle.read_layout(instance, CHANGES[change]("\n".join(layout) + "\n"), "T")
    except InputError as error:
        assert "\n" not in str(error)  # noqa: PT017 - the layout is as good
    else:
        assert again == layout


@EVERY
@examples(100)
@given(data=st.data())
def test_whatever_is_pasted_nothing_but_the_input_is_blamed(name: str, data: st.DataObject) -> None:
    trial = TRIALS[name]
    instance = data.draw(trial.of_any_size)
    form, text = data.draw(st.sampled_from(written(trial, instance)))
    for change in data.draw(st.lists(st.sampled_from([*CHANGES]), max_size=2)):
        text = CHANGES[change](text)
    odd = st.text(" \t,;|[]()'\"`\n\r=.#?-_/FW01289:xmines", max_size=4)
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text)))
        text = text[:at] + data.draw(odd) + text[at + data.draw(st.integers(0, 3)) :]
    note(text)
    for asked in (None, form):
        read_or_refused(trial, text, asked)
