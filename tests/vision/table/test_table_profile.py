"""Table profiles: what they hold, and what is said of one that cannot be used."""

from __future__ import annotations

import json

import numpy as np
import pytest

from vision.table.plane import locate
from vision.table.profile import TableProfile, TableProfileError

FULL = {
    "name": "evening",
    "game": "twelve-seekers",
    "rule": 8,
    "dictionary": "DICT_5X5_250",
    "zones": {
        "A": {"markers": [0, 1, 2, 3], "size_mm": [400, 250]},
        "B": {"polygon": [[100, 80], [300, 80], [300, 200.5]]},
    },
    "tile_mm": 22,
    "cards": {"17": {"kind": "seeker", "power": 3}},
    "palette": "palette.json",
    "picture": 1280,
    "shape": 0.75,
}


def test_a_profile_comes_back_as_it_went_in():
    assert TableProfile.from_json(FULL).to_json() == FULL


def test_a_name_suffices():
    assert TableProfile.from_json({"name": "x"}).zones == {}


BAD = (
    ({"nmae": "x"}, "nmae"),
    ({"name": ""}, "name"),
    ({"name": "\ud800"}, "name"),
    ({"name": "x", "\ud800": 1}, r'"\ud800"'),
    ({"name": "x", "game": "\ud800"}, "game"),
    ({"name": "x", "tile_mm": "\ud800"}, "tile_mm"),
    ({"name": "x", "zones": {"\ud800": {"markers": [0, 1, 2, 3]}}}, "zones"),
    ({"name": "x", "cards": {"17": {"kind": "\ud800"}}}, "cards"),
    ({"name": "x", "palette": "\ud800"}, "palette"),
    ({"name": "x", "palette": "a\0"}, "palette"),
    ({"name": "x", "rule": 21}, "rule"),
    ({"name": "x", "rule": True}, "rule"),
    ({"name": "x", "shape": 0}, "shape"),
    ({"name": "x", "dictionary": "DICT_9X9"}, "dictionary"),
    ({"name": "x", "tile_mm": 0}, "tile_mm"),
    ({"name": "x", "zones": []}, "zones"),
    ({"name": "x", "zones": {"A": {}}}, "zones/A"),
    ({"name": "x", "zones": {"A": {"markers": [0, 1, 2]}}}, "zones/A/markers"),
    ({"name": "x", "zones": {"A": {"markers": [0, 1, 2, -3]}}}, "zones/A/markers/3"),
    ({"name": "x", "zones": {"A": {"markers": [0, 1, 2, 2]}}}, "zones/A/markers"),
    ({"name": "x", "zones": {"A": {"markers": [0, 1, 2, 3]}, "B": {"markers": [4, 5, 6, 0]}}}, "zones/B/markers"),
    ({"name": "x", "zones": {"A": {"markers": [0, 1, 2, 3], "size": [1, 2]}}}, "zones/A/size"),
    ({"name": "x", "zones": {"A": {"markers": [0, 1, 2, 3], "size_mm": [0, 200]}}}, "zones/A/size_mm"),
    ({"name": "x", "zones": {"A": {"polygon": [[0, 0], [1, 1]]}}}, "zones/A/polygon"),
    ({"name": "x", "zones": {"A": {"markers": [0, 1, 2, 3], "polygon": [[0, 0], [1, 1], [1, 2]]}}}, "zones/A"),
    ({"name": "x", "cards": {"seventeen": {}}}, "cards/seventeen"),
    ({"name": "x", "cards": {"17": 3}}, "cards/17"),
    ({"name": "x", "zones": {"A": {"markers": [0, 1, 2, 3]}}, "cards": {"3": {}}}, "cards/3"),
    ([], ""),
    (None, ""),
)


@pytest.mark.parametrize(("data", "place"), BAD, ids=[f"{place} {i}" for i, (_, place) in enumerate(BAD)])
def test_a_bad_profile_is_refused_where_it_is_bad(data, place):
    with pytest.raises(TableProfileError) as caught:
        TableProfile.from_json(data)
    assert caught.value.place == place
    assert "expected" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert str(caught.value).encode()


@pytest.mark.parametrize("text", ["", "{", '{"name": "x", "name": "y"}', "[" * 100_000, "9" * 5000])
def test_a_file_that_is_no_profile_is_refused(tmp_path, text):
    path = tmp_path / "p.json"
    path.write_text(text)
    with pytest.raises(TableProfileError):
        TableProfile.load(path)


def test_a_palette_lies_beside_its_profile(tmp_path):
    path = tmp_path / "p.json"
    path.write_text(json.dumps(FULL))
    assert TableProfile.load(path).palette == str(tmp_path / "palette.json")


def test_polygons_follow_a_smaller_photo():
    assert TableProfile.from_json(FULL).shrunk(2).zones["B"].polygon == ((50, 40), (150, 40), (150, 100.25))


@pytest.mark.parametrize("wide", [640, 1280, 1920])
def test_an_area_lies_where_it_was_drawn_however_large_the_picture_is(wide):
    larger = wide / 1280
    found = locate(TableProfile.from_json(FULL), {}, {}, (wide // 2, wide, 3))["B"].outline
    assert (found + 0.5 == np.array(FULL["zones"]["B"]["polygon"]) * larger).all()
