"""A misread photo becomes a file with one tap, and tests and benches read such files by folder."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from acting import Page
from fake_table import FakeTable
from test_tables import lay, show, start, until

from bench.misread import differences, misreads, read_again
from companion.reading.misread import SHEET, TABLE
from companion.web.services import services_of

REPORTED = Path(__file__).parents[2] / "misread"
"""Zips that the page made of photos that were misread: each is to be read rightly."""


def test_a_sheet_that_was_corrected_is_a_case(page: Page, photos: list[bytes], tmp_path: Path) -> None:
    play = page.start()
    player = page.photograph(play, photos[0]).json["player"]
    row = page.view(play)["players"][0]["sheets"]["end"]["map"][4]
    said = page.tell(play, kind="cell", player=player, stage="end", row=4, col=7, value="#" if row[7] != "#" else ".")
    assert said.status_code == 200, said.json
    answer = page.get(f"/in-the-ruin/plays/{play}/{player}/end.zip")
    assert answer.mimetype == "application/zip"
    (tmp_path / "a.zip").write_bytes(answer.data)
    [(path, case)] = misreads(tmp_path)
    assert (path.name, case.kind) == ("a.zip", SHEET)
    assert differences(case.truth, case.reading) == ["/map/4/7"]
    again = read_again(case)  # by the real reader, off the kept photo
    assert "/map/4/7" in differences(case.truth, again)
    assert len(differences(case.reading, again)) <= 3
    assert page.get(f"/in-the-ruin/plays/{play}/{player}/first.zip").status_code == 404


def kept(page: Page, at: str) -> int:
    """Wait until the table at rest is written down; its number."""
    return until(lambda: [n for n in [show(page, at)["table"]["settled"]["number"]] if n is not None])[0]


def test_a_table_that_was_corrected_is_a_case(page: Page, table: FakeTable, tmp_path: Path) -> None:
    at = start(page)
    settled = lay(page, at, table, {"A": ["red", "red"], "B": []})
    page.post(f"/api/live/{at}/entries", {"players": {"A": {"name": "Aki"}}})
    point = np.mean(settled["case"]["evidence"][0]["pieces"][1]["polygon"], axis=0).tolist()
    page.post(f"/api/live/{at}/pieces", {"pieces": [{"at": point, "color": "blue"}]})
    number = kept(page, at)
    (tmp_path / "b.zip").write_bytes(page.get(f"/live/{at}/misread.zip").data)
    [(_, case)] = misreads(tmp_path)
    assert case.kind == TABLE
    assert differences(case.truth, case.reading) == ["/players/0/line/1"]
    assert case.truth["players"][0]["line"] == show(page, at)["table"]["settled"]["case"]["state"]["players"][0]["line"]
    assert {"A", "B"} <= case.profile["zones"].keys()
    lay(page, at, table, {"A": ["red"], "B": []})
    kept(page, at)
    services_of(page.client.application).tables.stop()
    (tmp_path / "b.zip").write_bytes(page.get(f"/live/{at}/misread.zip?row={number}").data)
    assert list(misreads(tmp_path)) == [(tmp_path / "b.zip", case)]  # the same once the table is past
    (tmp_path / "b.zip").write_bytes(page.get(f"/live/{at}/misread.zip").data)
    [(_, last)] = misreads(tmp_path)
    assert last.truth == last.reading != case.truth
    assert page.get(f"/live/{at}/misread.zip?row=9").status_code == 404
    assert page.get(f"/live/{'0' * 16}/misread.zip").status_code == 404


@pytest.mark.parametrize("said", ["blue", None])
def test_an_earlier_state_that_was_put_right_is_a_case(
    page: Page, table: FakeTable, tmp_path: Path, said: str | None
) -> None:
    at = start(page)
    settled = lay(page, at, table, {"A": ["red", "red"], "B": []})
    number = kept(page, at)
    lay(page, at, table, {"A": ["red"], "B": []})
    point = np.mean(settled["case"]["evidence"][0]["pieces"][1]["polygon"], axis=0).tolist()
    assert (
        page.post(f"/api/live/{at}/pieces", {"pieces": [{"at": point, "color": said}], "row": number}).status_code
        == 200
    )
    (tmp_path / "c.zip").write_bytes(page.get(f"/live/{at}/misread.zip?row={number}").data)
    [(_, case)] = misreads(tmp_path)
    assert case.reading["players"][0]["line"] == ["red", "red"]
    assert case.truth["players"][0]["line"] == ["red", *([said] if said else [])]


@pytest.mark.parametrize("path", sorted(REPORTED.glob("*.zip")), ids=lambda path: path.stem)
def test_reported_photos_are_read_as_people_said(path: Path) -> None:
    case = dict(misreads(REPORTED))[path]
    assert differences(case.truth, read_again(case)) == []


@pytest.mark.parametrize(
    ("one", "other", "places"),
    [
        ({"map": ["..", "#."]}, {"map": ["..", "##"]}, ["/map/1/1"]),
        ({"a": [1, 2]}, {"a": [1, 2, 3]}, ["/a"]),
        ({"a": 1}, {"a": 1, "b": None}, []),
        ({"a": 1}, {"b": 1}, ["/a", "/b"]),
        ("x", "y", [""]),
        ("abc", "abc", []),
        (None, 0, [""]),
    ],
)
def test_differences_are_told_by_place(one: object, other: object, places: list[str]) -> None:
    assert differences(one, other) == places
    assert differences(other, one) == places
