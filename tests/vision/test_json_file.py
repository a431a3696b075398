"""Files that are no JSON are told apart from those that are, each with its reason."""

from __future__ import annotations

import pytest

from vision.json_file import NotJsonError, read_json

TOO_LONG = "9" * 5000
BAD = [
    (b"", "Expecting value"),
    (b"{", "line 1"),
    (b"\xff\xfe{}", "utf-8"),
    (b"[" * 100_000, "nested"),
    (TOO_LONG.encode(), "digits"),
    (f'{{"a": [-{TOO_LONG}]}}'.encode(), "digits"),
]


@pytest.mark.parametrize(("data", "why"), BAD, ids=range(len(BAD)))
def test_a_file_that_is_no_json_says_why_in_a_line(tmp_path, data, why):
    path = tmp_path / "a.json"
    path.write_bytes(data)
    with pytest.raises(NotJsonError, match=why) as caught:
        read_json(path)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 150


def test_what_the_taker_refuses_stays_its_own_error(tmp_path):
    class OwnError(ValueError):
        pass

    def take(pairs):
        raise OwnError

    path = tmp_path / "a.json"
    path.write_text("{}")
    assert read_json(path) == {}
    with pytest.raises(OwnError):
        read_json(path, take)
