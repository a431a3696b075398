"""What two devices changed of one case is put together, down to a single card."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.cases.merge import merged

X = "x"
A, B, C = ({"name": name, "points": 0} for name in "ABC")


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
        ([X, "y"], ["a", "y", "b"], ["c", "y"], ["a", "y", "b"]),  # and I one more: it is not lost with the other
        ([X], ["a", "b"], [], ["a", "b"]),  # they took what I laid two in for
        ([X], [], [X, X], [X]),
        (["a", "b", "c"], ["c", "a", "b"], ["a", "b", "c", "d"], ["c", "d", "a", "b"]),  # the order that I made stays
        (["a", "b", "c"], ["a", "b", "c", "d"], ["c", "a", "b"], ["c", "d", "a", "b"]),  # as does theirs
        ([A, B], [{**A, "points": 2}, B], [C, A, B], [C, {**A, "points": 2}, B]),  # where they put one before it
        ([A, B], [{**A, "points": 2}, B], [{**A, "gold": 1}, B, C], [{**A, "points": 2, "gold": 1}, B, C]),
        ([A, B], [B, A], [{**A, "points": 2}, B], [B, {**A, "points": 2}]),  # sat down otherwise
        ([A, B], [{**A, "name": "D"}, B], [{**A, "points": 2}, B], [{**A, "name": "D", "points": 2}, B]),
        ([A, B], [B], [{**A, "points": 2}, B], [{**A, "points": 2}, B]),  # taken away from who still enters
        ([A], [A, B], [A, {**B, "gold": 1}], [A, {**B, "gold": 1}]),  # both let in the same player
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


@given(st.permutations("abcd"), st.lists(st.sampled_from("abcd"), unique=True), st.permutations("wxyz"), st.data())
def test_no_row_that_either_laid_is_lost_and_none_that_was_taken_away_comes_back(
    mine: list[str], theirs: list[str], new: list[str], data: st.DataObject
) -> None:
    before = [*"abcd"]
    for laid, rows in ((new[:2], mine), (new[2:], theirs)):
        for one in laid:
            rows.insert(data.draw(st.integers(0, len(rows))), one)
    out = merged(before, mine, theirs)
    assert len(set(out)) == len(out)
    assert set(out) <= {*mine, *theirs}
    assert set(out) >= {*mine} & {*theirs}
    assert set(out) >= {*new}
