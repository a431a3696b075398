"""A whole sheet from photo to reading, on drawn sheets of known truth."""

from __future__ import annotations

import json
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import cv2
import demo_sheets as demo
import numpy as np
import pytest

from vision.annotate import annotate
from vision.errors import PhotoError
from vision.photo import open_photo
from vision.sheet.flatten import SheetMap
from vision.sheet.profile import ProfileError, SheetProfile
from vision.sheet.read import read_lattice, read_sheet
from vision.sheet.reading import SheetReading

PROFILE = SheetProfile.from_json(demo.profile())


@pytest.mark.parametrize("player", range(4))
def test_a_drawn_sheet_is_read_and_what_is_wrong_is_flagged(player):
    photo, truth = demo.filled_photo(seed=3, player=player)
    reading = read_sheet(photo, PROFILE)
    doubtful = set(reading.doubtful)
    wrong = [(r, c) for r in range(11) for c in range(11) if reading.map[r][c] != truth["map"][r][c]]
    assert not [cell for cell in wrong if cell not in doubtful]
    assert len(wrong) <= 2
    assert len(doubtful) <= 10
    assert reading.ticks == truth["ticks"]
    assert np.abs(reading.grid - np.asarray(truth["lattice"])[[0, 0, -1, -1], [0, -1, -1, 0]]).max() < 6


@pytest.mark.parametrize(
    ("boxes", "count", "doubt"),
    [
        ((1, 1, 0, 0), 2, 0),
        ((0, 0), 0, 0),
        ((0.8, 0.7, 0.1), 2, 0.4),  # by the chance that it is neither fewer nor three
        ((0.99, 0.01, 0.99), 2, 0.03),  # with a gap each box counts by itself
        ((0.97, 0.75, 0.02), 1, 0.76),  # a box that seems ticked was left out
        ((0.99, 0.01, 0.7), 1, 0.71),  # also behind a gap
    ],
)
def test_how_likely_a_count_is_wrong(boxes, count, doubt):
    seen: Any = SimpleNamespace(ticked={"gems": boxes}, ticks={"gems": count})
    assert SheetReading.tick_doubts.fget(seen) == {"gems": pytest.approx(doubt, abs=0.005)}


@pytest.mark.parametrize(("off", "given", "doubtful"), [(0, False, False), (1, False, True), (1, True, False)])
def test_a_grid_that_the_rest_of_the_page_contradicts_is_doubtful_as_a_whole(tmp_path, off, given, doubtful):
    (tmp_path / "page.png").write_bytes(cv2.imencode(".png", demo.blank_photo())[1].tobytes())
    profile = SheetProfile.from_json({**demo.profile(), "page": "page.png"}, tmp_path)
    photo, truth = demo.filled_photo(seed=3, player=0)
    columns, rows = np.meshgrid(np.arange(12.0), np.arange(12.0))
    found = SheetMap(truth["lattice"])(columns + off, rows)
    reading = read_lattice(photo, cv2.cvtColor(photo, cv2.COLOR_BGR2GRAY), found, profile, given=given)
    assert (len(reading.doubtful) == 121) == doubtful
    assert reading.misfit == pytest.approx(off, abs=0.15)
    assert reading.troubles == (("grid",) if off else ())


@pytest.mark.parametrize("player", range(3))
@pytest.mark.parametrize("turns", range(4))
def test_a_mirrored_sheet_is_named_as_such(player, turns):
    photo = np.rot90(demo.filled_photo(player=player)[0], turns)
    with pytest.raises(PhotoError) as raised:
        read_sheet(np.ascontiguousarray(photo[:, ::-1]), PROFILE)
    assert raised.value.key == "sheet.mirrored"


def test_a_mirrored_sheet_of_which_three_letters_are_left_is_named_too():
    few = replace(PROFILE, letters=dict(sorted(PROFILE.letters.items())[:3]), blank=None, page=None)
    photo = demo.filled_photo(seed=4, player=1)[0]
    assert read_sheet(photo, few).map
    with pytest.raises(PhotoError) as raised:
        read_sheet(np.ascontiguousarray(photo[:, ::-1]), few)
    assert raised.value.key == "sheet.mirrored"


def test_any_way_up_reads_the_same():
    photo, _ = demo.filled_photo(seed=4, player=1)
    upright, turned = read_sheet(photo, PROFILE), read_sheet(np.ascontiguousarray(np.rot90(photo, 2)), PROFILE)
    differ = [(r, c) for r in range(11) for c in range(11) if upright.map[r][c] != turned.map[r][c]]
    assert len(differ) <= 1
    assert upright.ticks == turned.ticks


@pytest.mark.parametrize("larger", [1, 3])
def test_a_large_file_reads_as_a_small_one(larger):
    photo, truth = demo.filled_photo(seed=4, player=1)
    photo = cv2.resize(photo, None, fx=larger, fy=larger, interpolation=cv2.INTER_CUBIC)
    opened = open_photo(cv2.imencode(".jpg", photo, [cv2.IMWRITE_JPEG_QUALITY, 95])[1].tobytes())
    reading = read_sheet(opened, PROFILE)
    assert np.abs(opened.full(reading.lattice) / larger - 0.5 - truth["lattice"]).max() < 6
    assert sum(a != b for x, y in zip(reading.map, truth["map"], strict=True) for a, b in zip(x, y, strict=True)) <= 1
    assert reading.ticks == truth["ticks"]


def test_a_sheet_that_is_small_in_a_large_photo_is_read_from_all_that_the_file_holds():
    photo, truth = demo.filled_photo(seed=3, player=0)
    table = cv2.copyMakeBorder(photo, 0, 4 * len(photo) // 3, photo.shape[1], photo.shape[1] // 3, cv2.BORDER_REPLICATE)
    seen = open_photo(cv2.imencode(".jpg", table)[1].tobytes())
    small, close = read_sheet(seen.image, PROFILE), read_sheet(seen, PROFILE)
    assert seen.scale == 2
    assert np.abs(seen.full(close.lattice) - (photo.shape[1] + 0.5, 0.5) - truth["lattice"]).max() < 6
    assert close.ticks == truth["ticks"]
    sharp = [np.mean([cv2.Laplacian(cut, cv2.CV_32F).std() for cut in one.letters.crops]) for one in (small, close)]
    assert sharp[1] > 1.2 * sharp[0]


def test_a_sheet_in_haze_is_found():
    photo, truth = demo.filled_photo(seed=3, player=0)
    hazy = read_sheet(np.rint(photo * 0.18 + 150).astype(np.uint8), PROFILE)
    assert np.abs(hazy.lattice - truth["lattice"]).max() < 6


def test_the_public_object():
    photo, _ = demo.filled_photo(seed=3, player=0)
    reading = read_sheet(photo, PROFILE)
    out = reading.to_json("a.jpg")
    kept = ["photo", "grid", "map", "destinations", "gates", "ticks", "confidence", "doubtful"]
    assert list(out) == [*kept, "letter_doubts", "tick_doubts", "rivals"]
    assert [len(row) for row in out["map"]] == [11] * 11
    assert set("".join(out["map"])) <= set(".o#")
    assert out["map"][5][5] == "o"
    assert all(0 <= p <= 1 for row in out["confidence"] for p in row)
    assert set(reading.seconds) == {
        "grid",
        "upright",
        "closer",
        "flatten",
        "cells",
        "page",
        "written",
        "letters",
        "ticks",
    }
    drawn = annotate(photo, reading, PROFILE)
    assert drawn.shape == photo.shape
    assert (drawn != photo).any()


def test_a_profile_that_knows_rows_and_columns_only_suffices():
    photo, truth = demo.filled_photo(seed=3, player=2)
    reading = read_sheet(photo, SheetProfile("bare", 11, 11))
    same = sum(a == b for x, y in zip(reading.map, truth["map"], strict=True) for a, b in zip(x, y, strict=True))
    assert same >= 118
    assert reading.ticks == {}


def test_corners_given_by_a_person_are_taken():
    photo, truth = demo.filled_photo(seed=3, player=0)
    corners = np.asarray(truth["lattice"])[[0, 0, -1, -1], [0, -1, -1, 0]]
    assert read_sheet(photo, PROFILE, grid=corners).map == read_sheet(photo, PROFILE).map


def test_a_photo_without_a_grid_is_refused():
    with pytest.raises(PhotoError) as caught:
        read_sheet(np.full((600, 800, 3), 90, np.uint8), PROFILE)
    assert caught.value.key == "photo.flat"


def tiles() -> np.ndarray:
    """A floor of 11 × 11 tiles on another floor."""
    floor = np.full((800, 1000, 3), (120, 150, 170), np.uint8)
    cv2.rectangle(floor, (150, 50), (150 + 660, 50 + 660), (215, 220, 225), -1)
    for k in range(12):
        cv2.line(floor, (150 + 60 * k, 50), (150 + 60 * k, 710), (90, 95, 100), 3)
        cv2.line(floor, (150, 50 + 60 * k), (810, 50 + 60 * k), (90, 95, 100), 3)
    return cv2.GaussianBlur(floor, (0, 0), 1)


def test_a_grid_with_nothing_of_the_sheets_print_is_refused():
    with pytest.raises(PhotoError) as caught:
        read_sheet(tiles(), PROFILE)
    assert (caught.value.key, caught.value.values) == ("sheet.unseen", {"name": PROFILE.name})


def test_a_grid_without_print_is_read_where_a_person_or_the_profile_says_so():
    corners = np.array([[150, 50], [810, 50], [810, 710], [150, 710]], float)
    few = SheetProfile("few", 11, 11, {"A": (0, 0), "B": (9, 9)})
    for reading in (read_sheet(tiles(), PROFILE, corners), read_sheet(tiles(), SheetProfile("bare", 11, 11)),
                    read_sheet(tiles(), few)):  # fmt: skip
        assert sum(row.count(".") for row in reading.map) >= 118


@pytest.mark.parametrize(("data", "place"), [
    ([], ""),
    ({"name": "x", "rows": 11}, "cols"),
    ({"name": "", "rows": 11, "cols": 11}, "name"),
    ({"name": "\ud800", "rows": 11, "cols": 11}, "name"),
    ({"name": "x", "rows": "\ud800", "cols": 11}, "rows"),
    ({"name": "x", "rows": 11, "cols": 11, "\ud800": 1}, r'"\ud800"'),
    ({"name": "x", "rows": 11, "cols": 11, "letters": {"\ud800": [0, 0]}}, r'"letters/\ud800"'),
    ({"name": "x", "rows": 11, "cols": 11, "tracks": {"\ud800": []}}, r'"tracks/\ud800"'),
    ({"name": "x", "rows": 11, "cols": 11, "blank": "\ud800"}, "blank"),
    ({"name": "x", "rows": 11, "cols": 11, "blank": "a\0"}, "blank"),
    ({"name": "x", "rows": 11, "cols": 11, "tracks": {"gems": [[float("nan"), 0, 1, 1]]}}, "tracks/gems/0"),
    ({"name": "x", "rows": 11.0, "cols": 11}, "rows"),
    ({"name": "x", "rows": True, "cols": 11}, "rows"),
    ({"name": "x", "rows": 11, "cols": 11, "colour": 1}, "colour"),
    ({"name": "x", "rows": 11, "cols": 11, "letters": {"A": [0, 11]}}, "letters/A"),
    ({"name": "x", "rows": 11, "cols": 11, "letters": {"A": [0, 1], "B": [0, 1]}}, "letters/B"),
    ({"name": "x", "rows": 11, "cols": 11, "entrance": [5]}, "entrance"),
    ({"name": "x", "rows": 11, "cols": 11, "tracks": {"gems": [[0, 0, 1, 0]]}}, "tracks/gems/0"),
    ({"name": "x", "rows": 11, "cols": 11, "tracks": {"gems": 3}}, "tracks/gems"),
])  # fmt: skip
def test_a_bad_profile_says_where(data, place):
    with pytest.raises(ProfileError) as caught:
        SheetProfile.from_json(data)
    assert caught.value.place == place
    assert str(caught.value).encode()


def test_a_profile_survives_its_file(tmp_path):
    path = tmp_path / "sheet.json"
    path.write_text(json.dumps(PROFILE.to_json()), "utf-8")
    assert SheetProfile.load(path) == PROFILE
    path.write_text("{", "utf-8")
    with pytest.raises(ProfileError):
        SheetProfile.load(path)
