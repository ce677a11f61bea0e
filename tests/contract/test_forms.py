"""Text forms give an instance back or refuse it; any text is an instance, or is refused in one line."""

import json
from contextlib import suppress

import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from tests.contract.trial import Trial
from tests.contract.trials import TRIALS
from tests.support.english import disagreements
from tests.support.examples import examples
from twinproof.compare.certificates.claims import encode
from twinproof.models.text.forms import read_puzzle
from twinproof.models.text.sources import Inline
from twinproof.optim import InputError

EVERY = pytest.mark.parametrize("name", TRIALS)
WITH_FORMS = pytest.mark.parametrize("name", [name for name, trial in TRIALS.items() if trial.puzzle.formats])


@WITH_FORMS
@examples(60)
@given(data=st.data())
def test_a_form_gives_an_instance_back_or_refuses_it(name: str, data: st.DataObject) -> None:
    trial = TRIALS[name]
    instance = data.draw(trial.of_any_size)
    for title, form in trial.puzzle.formats.items():
        try:
            text = form.write(instance)
        except InputError as error:
            assert title not in trial.says_all
            assert "\n" not in str(error)  # noqa: PT017 - to give the instance back is as good
            continue
        assert form.read(text, "again") == instance
        if title in trial.told_apart:
            assert read_puzzle(trial.puzzle.formats, text, "again") == instance


@EVERY
@examples(40)
@given(data=st.data())
def test_json_gives_all_of_an_instance_back(name: str, data: st.DataObject) -> None:
    trial = TRIALS[name]
    puzzle, instance = trial.puzzle, data.draw(trial.of_any_size)
    content = json.loads(json.dumps(puzzle.to_json(instance)))
    again = puzzle.from_json(content)
    assert again == instance
    assert puzzle.to_json(again) == content
    rows = "\n".join(puzzle.rows(instance))
    form = {} if puzzle.rows_form is None else {"format": puzzle.rows_form}
    assert puzzle.rows(puzzle.read(Inline("again", rows), form)) == puzzle.rows(instance)
    if puzzle.has("clauses"):
        small = data.draw(trial.small)
        again = puzzle.from_json(puzzle.to_json(small))
        assert encode(puzzle, again).formula.digest() == encode(puzzle, small).formula.digest()


@st.composite
def texts(draw: st.DrawFn, trial: Trial) -> str:
    """Any text, or what some form says of an instance, with something put in, left out or put twice."""
    written = ["\n".join(trial.puzzle.rows(instance := draw(trial.small)))]
    for form in trial.puzzle.formats.values():
        with suppress(InputError):
            written.append(form.write(instance))
    text = draw(st.sampled_from(written))
    odd = st.text(max_size=3) | st.text(text + "0123456789²٣\x1c\f \n", max_size=6)
    for _ in range(draw(st.integers(0, 3))):
        start = draw(st.integers(0, len(text)))
        end = draw(st.integers(start, min(len(text), start + draw(st.sampled_from([0, 1, 5, 1000])))))
        text = text[:start] + draw(odd | st.just(text[start:end] * 2)) + text[end:]
    return draw(st.just(text) | st.just(text) | st.text(max_size=60))


@EVERY
@examples(300)
@given(data=st.data())
def test_any_text_is_an_instance_or_refused_in_one_line(name: str, data: st.DataObject) -> None:
    trial = TRIALS[name]
    puzzle, text = trial.puzzle, data.draw(texts(trial))
    note(text)
    for options in [{}, *({"format": form} for form in puzzle.formats)]:
        try:
            instance = puzzle.read(Inline("T", text), options)
        except InputError as error:
            assert "\n" not in str(error)  # noqa: PT017 - an instance is as good
            assert disagreements(str(error)) == []  # noqa: PT017 - so is this
            continue
        assert list(puzzle.rows(instance))
    instance = data.draw(trial.small)
    try:
        layout = puzzle.read_layout(instance, text, "T")
    except InputError as error:
        assert "\n" not in str(error)  # noqa: PT017 - a layout is as good
        assert disagreements(str(error)) == []  # noqa: PT017 - so is this
    else:
        assert isinstance(puzzle.rules.violations(instance, layout), list)
