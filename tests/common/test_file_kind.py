"""A file that is kept says what it is: it is read back, one of an earlier day too, and another kind is named."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from calibration.camera import CameraProfile
from calibration.decks import Order
from common.file_kind import PREFIX, VERSIONS, is_marked, marked, unmarked
from common.messages import MisfitError
from companion import demo
from companion.words.words import words
from vision.cards.deck import Deck
from vision.sheet.profile import SheetProfile
from vision.table.palette import Palette
from vision.table.profile import TableProfile

READERS = {"sheet": SheetProfile, "table": TableProfile, "camera": CameraProfile, "palette": Palette}


class OddError(MisfitError):
    KEY = "misfit.table-profile"


@pytest.mark.parametrize("kind", VERSIONS)
def test_what_was_marked_is_read_back_and_what_has_no_mark_is_of_an_earlier_day(kind: str) -> None:
    data = {"name": "x"}
    assert unmarked(kind, marked(kind, data), OddError) == unmarked(kind, data, OddError) == data
    assert is_marked(kind, marked(kind, data))
    assert not is_marked(kind, data)


@pytest.mark.parametrize(
    ("said", "expected", "got"),
    [
        ({"kind": "table-companion-deck", "version": 1}, "expected a sheet profile", "got a deck"),
        ({"kind": "table-companion-x", "version": 1}, "expected a sheet profile", "got table-companion-x"),
        ({"kind": "deck", "version": 1}, "expected a sheet profile", "got deck"),
        ({"kind": ["x"], "version": 1}, "expected a sheet profile", 'got ["x"]'),
        ({"version": 1}, "expected a sheet profile", "got null"),
        ({"kind": "table-companion-sheet", "version": 2}, "version from 1 to 1", "got 2"),
        ({"kind": "table-companion-sheet", "version": True}, "version from 1 to 1", "got true"),
        ({"kind": "table-companion-sheet"}, "version from 1 to 1", "got null"),
    ],
)
def test_a_file_of_another_kind_or_of_a_later_day_is_named_as_what_it_is(
    said: dict[str, Any], expected: str, got: str
) -> None:
    with pytest.raises(MisfitError) as caught:
        SheetProfile.from_json({**said, "name": "x", "rows": 11, "cols": 11})
    line = words("en").told(caught.value)
    assert expected in line
    assert got in line


@pytest.mark.parametrize("kind", READERS)
@pytest.mark.parametrize("other", sorted(VERSIONS))
def test_each_reader_refuses_every_other_kind(tmp_path: Path, kind: str, other: str) -> None:
    path = tmp_path / "file.json"
    path.write_text(json.dumps({"kind": PREFIX + other, "version": 1, **KEPT[kind]}))
    if kind == other:
        assert READERS[kind].load(path)
    else:
        assert_named(other, lambda: READERS[kind].load(path))


def assert_named(kind: str, read: Callable[[], object]) -> None:
    """It is refused, and said what it is, in each language."""
    with pytest.raises(MisfitError) as caught:
        read()
    for language in ("en", "ja"):
        named = words(language).term(f"file-kind.{kind}")
        assert named != f"file-kind.{kind}"
        assert named in words(language).told(caught.value)


@pytest.mark.parametrize("other", sorted(VERSIONS))
@pytest.mark.parametrize(("kind", "reader"), [("deck", Deck), ("order", Order)])
def test_what_cards_are_learnt_from_refuses_every_other_kind(
    tmp_path: Path, kind: str, reader: type[Deck | Order], other: str
) -> None:
    path = tmp_path / "file.json"
    path.write_text(json.dumps({"kind": PREFIX + other, "version": 1}))
    if kind != other:
        assert_named(other, lambda: reader.load(path))


KEPT: dict[str, dict[str, Any]] = {
    "sheet": json.loads(demo.SHEET.read_text("utf-8")),
    "table": json.loads(demo.TABLE.read_text("utf-8")),
    "camera": {"size": [640, 480], "matrix": [[500, 0, 320], [0, 500, 240], [0, 0, 1]], "distortion": [0, 0, 0, 0, 0]},
    "palette": {"palette": 1, "tiles": {}},
}
"""Files as they were written before kinds were."""


@pytest.mark.parametrize("kind", READERS)
def test_a_file_from_before_kinds_were_written_is_read(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "file.json"
    path.write_text(json.dumps(KEPT[kind]))
    assert READERS[kind].load(path)
