"""Files that are no JSON are told apart from those that are, each with its reason."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.json_file import LARGEST_FILE, NotJsonError, read_json, whole
from common.messages import LONGEST, shown

TOO_LONG = "9" * 5000
BAD = [
    (b"", "line 1, column 1"),
    (b"{", "line 1, column 2"),
    (b"\xff\xfe{}", "byte 0"),
    (b"\xef\xbb\xbf{}", "json.mark"),
    (b'{"a": {"b": 1, "c": 2, "b": 1}}', "profile.twice .what b."),
    (b"[" * 100_000, "json.deep"),
    (TOO_LONG.encode(), "json.digits"),
    (f'{{"a": [-{TOO_LONG}]}}'.encode(), "json.digits"),
    (b'{"0": 1, ' + b", ".join(b'"%d": 1' % n for n in range(1, 150_000)) + b', "149999": 1}', "what 149999."),
    (b"[" + b"1," * LARGEST_FILE + b"1]", "json.large .most 2."),
]


@pytest.mark.parametrize(("data", "why"), BAD, ids=range(len(BAD)))
def test_a_file_that_is_no_json_says_why_in_a_line(tmp_path, data, why):
    path = tmp_path / "a.json"
    path.write_bytes(data)
    with pytest.raises(NotJsonError, match=why) as caught:
        read_json(path)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 150


SHOWN = [
    ("森のなか", "森のなか"),
    ("", '""'),
    (3, "3"),
    (["森", None], '["森", null]'),
    ("a\nb", r'"a\nb"'),
    ("\ud800", r'"\ud800"'),
    ({"\ud800": "\udfff"}, r'{"\ud800": "\udfff"}'),
    ("x" * 61, "x" * 57 + "…"),
    (int("9" * 4000) ** 2, "int"),
]


@pytest.mark.parametrize(("value", "text"), SHOWN, ids=range(len(SHOWN)))
def test_a_value_is_shown_in_a_line_that_any_file_can_hold(value, text):
    assert shown(value) == text


anything = st.recursive(
    st.none() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters()), inner),
)


@given(anything)
def test_whatever_is_shown_is_one_short_line(value):
    text = shown(value)
    assert 0 < len(text) <= LONGEST
    assert "\n" not in text
    text.encode()


@pytest.mark.parametrize(("value", "good"), [
    ("\U0001f0a1", True), ({"森": [1, None]}, True), ("\ud83c", False), ({"\udca1": 1}, False), ([["\ud800"]], False),
])  # fmt: skip
def test_halves_of_characters_are_told_from_whole_ones(value, good):
    assert whole(value) == good
