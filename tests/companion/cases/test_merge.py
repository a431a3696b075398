"""What two devices changed of one case is put together, down to a single card."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.cases.merge import merged

X = "x"


@pytest.mark.parametrize(
    ("before", "mine", "theirs", "wanted"),
    [
        ({"a": 1}, {"a": 1}, {"a": 1}, {"a": 1}),  # nothing changed
        ({"a": 1}, {"a": 1}, {"a": 2}, {"a": 2}),  # they alone
        ({"a": 1}, {"a": 2}, {"a": 1}, {"a": 2}),  # I alone
        ({"a": 1, "b": 1}, {"a": 2, "b": 1}, {"a": 1, "b": 2}, {"a": 2, "b": 2}),
        ({"a": 1}, {"a": 2}, {"a": 3}, {"a": 2}),  # the same field: who merges
        ({"a": {"b": 1, "c": 1}}, {"a": {"b": 2, "c": 1}}, {"a": {"b": 1, "c": 2}}, {"a": {"b": 2, "c": 2}}),
        ([1, 2, 3], [9, 2, 3], [1, 2, 8], [9, 2, 8]),  # a row of one length, place by place
        ([X], [X, "a"], [X, "b"], [X, "a", "b"]),  # both laid a card
        ([X, "y"], ["y"], [X, "y", "z"], ["y", "z"]),  # I took one, they laid one
        ([X, "y"], ["y"], ["y"], ["y"]),  # they took what I took
        ([X], ["a"], ["b"], ["a"]),  # both laid another in for it
        ({}, {"a": [X]}, {}, {"a": [X]}),
        ({}, {"a": []}, {"b": 1}, {"a": [], "b": 1}),  # that there is none of them is said too
        ({"a": [X]}, {}, {"a": [X]}, {}),
        ({"a": [X]}, {}, {"a": [X, "y"]}, {"a": ["y"]}),  # a field that went here and grew there
        ({"a": 1}, {"a": [1]}, {"a": 2}, {"a": [1]}),  # another kind of value
        ({"a": None}, {"a": "A"}, {"a": None, "b": 1}, {"a": "A", "b": 1}),
        ({"a": 1}, {}, {"a": 2}, {}),
    ],
)
def test_merged(before: Any, mine: Any, theirs: Any, wanted: Any) -> None:
    given = before, mine, theirs
    kept = deepcopy(given)
    assert merged(*given) == wanted
    assert given == kept


ROWS = st.lists(st.sampled_from("rgb"), max_size=6)
STATES = st.fixed_dictionaries(
    {}, optional={"row": ROWS, "n": st.integers(0, 2), "of": st.fixed_dictionaries({"row": ROWS})}
)


@given(before=STATES, after=STATES)
def test_where_nobody_else_changed_anything_what_is_said_is_so(before: Any, after: Any) -> None:
    assert merged(before, after, before) == after
    assert merged(before, before, after) == after
