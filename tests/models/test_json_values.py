"""Numbers of JSON objects: what some readers cannot hold is there in a form that they can."""

import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.examples import examples
from twinproof.models.text.json_values import written_twice

BIG = 2**53 + 1
"""The first whole number that a float cannot hold."""


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ({"layouts": 2**53}, {"layouts": 2**53}),
        ({"layouts": BIG}, {"layouts": BIG, "layouts_text": "9007199254740993"}),
        ({"value": -BIG}, {"value": -BIG, "value_text": "-9007199254740993"}),
        (
            {"by_mines": {"3": 1, "4": BIG}},
            {"by_mines": {"3": 1, "4": BIG}, "by_mines_text": {"3": "1", "4": "9007199254740993"}},
        ),
        ({"row": [BIG, 0]}, {"row": [BIG, 0], "row_text": ["9007199254740993", "0"]}),
        (
            {"cells": [{"cell": [1, 2], "probability": Fraction(1, 4)}]},
            {"cells": [{"cell": [1, 2], "probability": "1/4", "probability_float": 0.25}]},
        ),
        (
            {"inner": {"name": "x", "layouts": BIG}},
            {"inner": {"name": "x", "layouts": BIG, "layouts_text": str(BIG)}},
        ),
        (
            {"a": True, "b": None, "c": [True], "d": [], "e": {}},
            {"a": True, "b": None, "c": [True], "d": [], "e": {}},
        ),
    ],
)
def test_numbers_that_a_float_cannot_hold_are_texts_too(content: dict[str, object], expected: object) -> None:
    assert written_twice(content) == expected


numbers = st.integers() | st.integers(2**53 - 1, 2**80) | st.fractions(0, 1)
values = st.recursive(
    numbers | st.text(max_size=3) | st.none() | st.booleans() | st.floats(allow_nan=False),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("abcd"), inner, max_size=4),
    max_leaves=12,
)


@examples(200)
@given(st.dictionaries(st.sampled_from("abcd"), values, max_size=4))
def test_a_second_writing_adds_nothing_and_loses_nothing(content: dict[str, object]) -> None:
    once = written_twice(content)
    assert written_twice(once) == once
    assert json.loads(json.dumps(once)) == once
    assert list(content) == [key for key in once if key in content]
    for key, value in content.items():
        if type(value) is int:
            assert once[key] == value
            assert int(once.get(f"{key}_text", value)) == value
        if isinstance(value, Fraction):
            assert (Fraction(once[key]), once[f"{key}_float"]) == (value, float(value))
