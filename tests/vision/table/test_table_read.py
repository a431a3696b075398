"""Photos of drawn tables of known truth: what lies where, and what is said of what cannot be seen."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from calibration.colors import ColorsError, learn_palette
from training.synth.table_photo import Area, DrawnTable, Placed, Setting
from vision.errors import PhotoError
from vision.table import palette
from vision.table.palette import Palette, PaletteError
from vision.table.plane import project
from vision.table.profile import TableProfile, TableProfileError, Zone
from vision.table.read import TableReader
from vision.table.reading import COLORS
from vision.table.white_balance import evened, white_at

AREAS = {"dungeon": Area(140, 20, 480, 120), "A": Area(30, 160, 330, 250), "B": Area(400, 160, 330, 250)}
ROWS = {
    ("dungeon", 0): [*COLORS, *COLORS[:5]],
    ("A", 0): ["purple", "purple", "green"],
    ("A", 1): ["blue", "red", "yellow", "gold", "green"],
    ("B", 0): ["yellow", "yellow", "blue"],
}
STARTS = {"dungeon": (210, 80), "A": (90, 240), "B": (470, 250)}
CARD = Placed(60, 290, 330, 4)


def placed(pitch=25.0, turn=2.0):
    out = [CARD]
    for (zone, row), colors in ROWS.items():
        x, y = STARTS[zone]
        out += [Placed(c, x + pitch * i, y + 31 * row + 0.4 * i, turn) for i, c in enumerate(colors)]
    return out


@cache
def table(seed, top="felt", slant=0.25, warmth=0.0):
    cards = {60: {"kind": "seeker", "power": 3}}
    setting = Setting(AREAS, top=top, slant=slant, warmth=warmth, seed=seed, cards=cards)
    return DrawnTable(setting), setting.profile("drawn", rule=1)


def rows_of(reading):
    out = {}
    for tile in sorted((t for t in reading.tiles if t.zone), key=lambda t: (t.row, t.col)):
        out.setdefault((tile.zone, tile.row), []).append(tile.color)
    return out


def on_cards(drawn, tile):
    """Whether it lies on the card, whose picture may be mistaken for a tile, never surely."""
    x, y = project(np.linalg.inv(drawn.to_photo), [tile.center])[0]
    return abs(x - CARD.x) < 36 and abs(y - CARD.y) < 50


CASES = {
    "felt": (2, {}),
    "wood, warm lamp": (3, {"top": "wood", "warmth": 1.0}),
    "plain, from above": (11, {"top": "plain", "slant": 0.0}),
    "cloth, slanted": (5, {"top": "cloth", "slant": 0.45}),
}


def test_in_a_game_of_cards_alone_nothing_is_a_tile():
    drawn, profile = table(1)
    assert TableReader(profile, inventory={}).read(drawn.photo(placed())).tiles == ()


def test_an_area_that_the_camera_sees_too_small_is_said():
    drawn, profile = table(1)
    said = [
        [p.values["what"]["key"] for p in TableReader(replace(profile, tile_mm=mm)).read(drawn.photo()).problems]
        for mm in (22.0, 5.0)
    ]
    assert said == [[], ["piece.tile"] * len(profile.zones)]


WARM, COOL = (0.45, 0.85, 1.25), (1.45, 1.0, 0.6)
"""Blue, green and red of lamps at the table's left and right."""


def under_two_lamps(photo):
    way = np.linspace(0, 1, photo.shape[1])[:, None]
    light = 1.5 * ((1 - way) * np.log(WARM) + way * np.log(COOL))
    return np.clip(0.72 * photo * np.exp(light / 2.2), 0, 255).astype(np.uint8)


@pytest.mark.parametrize(("seed", "top"), [(1, "felt"), (1, "wood"), (3, "felt"), (3, "wood")])
def test_two_lamps_of_opposite_color_are_no_reason_to_ask(seed, top):
    drawn, profile = table(seed, top)
    reading = TableReader(profile).read(under_two_lamps(drawn.photo(placed())))
    assert rows_of(reading) == ROWS
    assert [t for t in reading.tiles if t.doubtful and not on_cards(drawn, t)] == []


def test_paper_tells_whether_two_lamps_shine():
    drawn, _ = table(3)
    photo = drawn.photo(placed())
    corners = np.array([(0, 0), (34, 0), (34, 34), (0, 34)], np.float64)
    at = [(a.x + x, a.y + y) for a in AREAS.values() for x in (0, a.width - 34) for y in (0, a.height - 34)]
    markers = [project(drawn.to_photo, corners + one) for one in at]
    lit = under_two_lamps(photo)
    assert evened(photo, markers) is photo
    assert evened(lit, markers) is not lit
    assert evened(lit, markers[:3]) is lit


@pytest.mark.parametrize("name", CASES)
def test_a_drawn_table_is_read_and_what_is_wrong_is_flagged(name):
    seed, how = CASES[name]
    drawn, profile = table(seed, **how)
    image = drawn.photo(placed())
    reading = TableReader(profile).read(image)
    truth = {tuple(project(drawn.to_photo, [[p.x, p.y]])[0]): p.what for p in placed() if p.what != 60}
    silent = []
    for tile in reading.tiles:
        near = min(truth, key=lambda at: np.hypot(at[0] - tile.center[0], at[1] - tile.center[1]))
        off = np.hypot(near[0] - tile.center[0], near[1] - tile.center[1])
        if (off > 14 or truth[near] != tile.color) and not tile.doubtful:
            silent.append((tile.color, tile.center, truth[near]))
    assert not silent
    read = rows_of(replace(reading, tiles=[t for t in reading.tiles if not on_cards(drawn, t)]))
    assert {k: len(v) for k, v in read.items()} == {k: len(v) for k, v in ROWS.items()}
    assert sum(a != b for k in ROWS for a, b in zip(read[k], ROWS[k], strict=True)) <= 2
    assert [(c.marker, c.zone, c.card) for c in reading.cards] == [(60, "A", {"kind": "seeker", "power": 3})]
    assert not [p for p in reading.problems if p.key.startswith(("zone", "marker"))]


def test_edge_to_edge_and_turned_tiles_are_counted_one_by_one():
    drawn, profile = table(2)
    tight = [Placed(c, 100 + 22.0 * i, 240 + 22.0 * j, 0) for j in range(3) for i, c in enumerate(COLORS[:5])]
    turned = [Placed("red" if i % 2 else "blue", 480 + 40 * i, 260, 20 * i) for i in range(5)]
    reading = TableReader(profile).read(drawn.photo(tight + turned))
    assert {z: sum(t.zone == z for t in reading.tiles) for z in ("A", "B", "dungeon")} == {
        "A": 15,
        "B": 5,
        "dungeon": 0,
    }


@pytest.mark.parametrize("flip", [0, 1])
def test_a_mirrored_table_is_named_as_such(flip):
    drawn, profile = table(3)
    photo = np.ascontiguousarray(np.flip(drawn.photo(placed()), flip))
    with pytest.raises(PhotoError) as raised:
        TableReader(profile).read(photo)
    assert raised.value.key == "table.mirrored"


def test_where_the_profile_knows_no_marker_nothing_is_mirrored():
    drawn, profile = table(3)
    photo = drawn.photo(placed())[:, ::-1].copy()
    assert TableReader(TableProfile(profile.name, profile.game)).read(photo, thorough=True).tiles


def test_a_bare_table_has_no_tiles():
    for seed, how in CASES.values():
        drawn, profile = table(seed, **how)
        tiles = TableReader(profile).read(drawn.photo([CARD])).tiles
        assert not [t for t in tiles if not (t.doubtful and on_cards(drawn, t))]


def test_a_hidden_marker_is_said_and_the_zone_stays_where_it_was():
    drawn, profile = table(2)
    image = drawn.photo(placed())
    reader = TableReader(profile)
    before = reader.read(image)
    covered = image.copy()
    x, y = project(drawn.to_photo, [[47, 393]])[0].astype(int)
    covered[y - 40 : y + 40, max(x - 40, 0) : x + 40] = (90, 120, 180)
    after = reader.read(covered)
    assert [(p.key, p.values["zone"]) for p in after.problems] == [("zone.hidden", "A")]
    assert np.abs(after.zones["A"] - before.zones["A"]).max() < 3
    assert rows_of(after) == rows_of(before)


def test_small_stickers_stay_seen_however_often_a_picture_is_read():
    cards = {60 + i: {"kind": "seeker", "power": 1 + i % 5} for i in range(16)}
    setting = Setting({"A": Area(40, 40, 1150, 700)}, size=(1250, 800), marker=60, top="felt", seed=6, cards=cards)
    laid = [Placed(60 + i, 190 + 240 * (i % 4), 150 + 150 * (i // 4), 3.0 * i) for i in range(16)]
    reader = TableReader(setting.profile("large", rule=1))
    image = DrawnTable(setting, pixels=(1920, 1240)).photo(laid)
    first = [card.marker for card in reader.read(image).cards]
    assert len(first) >= 14
    for _ in range(4):
        assert [card.marker for card in reader.read(image).cards] == first


def test_a_sticker_laid_down_later_is_seen_at_once_where_stickers_are_small():
    cards = {60 + i: {"kind": "seeker", "power": 1 + i % 5} for i in range(3)}
    setting = Setting({"A": Area(40, 40, 1150, 700)}, size=(1250, 800), marker=60, top="felt", seed=6, cards=cards)
    drawn, reader = DrawnTable(setting, pixels=(1920, 1240)), TableReader(setting.profile("large", rule=1))
    laid = [Placed(60 + i, 300 + 200 * i, 300) for i in range(3)]
    assert [card.marker for card in reader.read(drawn.photo(laid[:2])).cards] == [60, 61]
    assert [card.marker for card in reader.read(drawn.photo(laid)).cards] == [60, 61, 62]


def test_a_zone_with_three_of_its_markers_is_found_in_a_single_photo():
    drawn, profile = table(2)
    image = drawn.photo(placed())
    whole = TableReader(profile).read(image).zones["A"]
    x, y = project(drawn.to_photo, [[47, 393]])[0].astype(int)
    image[y - 40 : y + 40, max(x - 40, 0) : x + 40] = (90, 120, 180)
    assert np.abs(TableReader(profile).read(image).zones["A"] - whole).max() < 12


def corners_of(drawn, area):
    right, bottom = area.x + area.width, area.y + area.height
    return project(drawn.to_photo, [(area.x, area.y), (right, area.y), (right, bottom), (area.x, bottom)])


LOOSE = {name: Zone((4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3), marker_mm=17.5) for i, name in enumerate(AREAS)}


@pytest.mark.parametrize("hidden", [(), (1,), (4, 10)])
def test_four_corner_cards_make_an_area_and_three_do(hidden):
    drawn = DrawnTable(Setting(AREAS, top="felt", slant=0.2, seed=4, marker=17.5))
    image = drawn.photo(placed())
    profile = TableProfile("corners", "twelve-seekers", 1, zones=LOOSE)
    whole = TableReader(profile).read(image, thorough=True)
    for marker in hidden:
        x, y = corners_of(drawn, [*AREAS.values()][marker // 4])[marker % 4].astype(int)
        image[max(y - 40, 0) : y + 40, max(x - 40, 0) : x + 40] = 90
    reading = TableReader(profile).read(image, thorough=True)
    assert rows_of(reading) == rows_of(whole) == ROWS
    for name, area in AREAS.items():
        assert np.abs(reading.zones[name] - corners_of(drawn, area)).max() < (15 if hidden else 3)


def test_a_zone_without_markers_is_said():
    drawn, profile = table(2)
    more = TableProfile(profile.name, zones={**profile.zones, "C": Zone((40, 41, 42, 43), (200, 200))})
    problems = TableReader(more).read(drawn.photo(placed())).problems
    assert [(p.key, p.values["zone"]) for p in problems] == [("zone.missing", "C")]


def test_a_moved_camera_is_followed():
    drawn, profile = table(2)
    image = drawn.photo(placed())
    reader = TableReader(profile)
    first = rows_of(reader.read(image))
    assert rows_of(reader.read(np.roll(image, (18, -25), (0, 1)))) == first


def test_polygons_do_where_nothing_was_printed():
    drawn, profile = table(2)
    image = drawn.photo(placed())
    box = np.array([[0, 0], [1, 0], [1, 1], [0, 1]])
    corners = {n: project(drawn.to_photo, box * (a.width, a.height) + (a.x, a.y)) for n, a in AREAS.items()}
    polygons = {n: Zone(polygon=tuple(map(tuple, c + 0.5))) for n, c in corners.items()}
    reading = TableReader(TableProfile("by hand", zones=polygons, cards=profile.cards)).read(image)
    assert {k: len(v) for k, v in rows_of(reading).items()} == {k: len(v) for k, v in ROWS.items()}


@pytest.mark.parametrize("cast", [(1.0, 1.0, 1.0), (0.45, 0.8, 1.0), (1.0, 0.9, 0.7)])
def test_a_point_on_white_paper_tells_what_is_white(cast):
    paper = np.full((200, 300, 3), 210.0) * cast + np.random.default_rng(1).normal(0, 4, (200, 300, 3))
    paper[:, 150:] = 30
    image = np.clip(paper, 0, 255).astype(np.uint8)
    assert white_at(image, (70, 90)) == pytest.approx([210 * c for c in cast[::-1]], abs=3)
    for not_paper in ((150, 90), (250, 90), (900, 90)):
        assert white_at(image, not_paper) is None
    assert white_at(np.full_like(image, 255), (70, 90)) is None
    assert white_at(np.full_like(image, (20, 60, 200)), (70, 90)) is None


def test_white_that_was_pointed_at_serves_where_no_marker_is_seen():
    drawn, profile = table(3, top="wood", warmth=1.0)
    image = drawn.photo(placed())
    with_markers = TableReader(profile)
    with_markers.read(image)
    b, g, r = with_markers._view.white
    hidden = replace(profile, dictionary="DICT_4X4_50", white=(float(r), float(g), float(b)))
    reader = TableReader(hidden)
    reader.read(image)
    assert reader._view.white == pytest.approx([b, g, r])
    assert TableProfile.from_json(hidden.to_json()) == hidden


@pytest.mark.parametrize("white", [[255, 255], [0, 9, 9], ["x", 1, 2], 200, [300, 9, 9]])
def test_a_white_that_is_no_color_is_refused(white):
    with pytest.raises(TableProfileError, match="white"):
        TableProfile.from_json({"name": "x", "white": white})


def test_a_moved_camera_is_said_where_zones_were_drawn_by_hand():
    drawn, _ = table(2)
    image = drawn.photo(placed())
    reader = TableReader(
        TableProfile("by hand", zones={"A": Zone(polygon=((60, 380), (560, 380), (560, 800), (40, 800)))})
    )
    keys = [
        [p.key for p in reader.read(np.roll(image, shift, (0, 1))).problems] for shift in ((0, 0), (1, 0), (20, -30))
    ]
    assert keys == [[], [], ["camera.moved"]]


def test_zones_that_overlap_are_said():
    drawn, profile = table(2)
    over = Zone(polygon=((100, 400), (600, 400), (600, 800), (100, 800)))
    problems = TableReader(TableProfile("x", zones={**profile.zones, "B.valid": over})).read(drawn.photo()).problems
    assert ("zone.overlap", "A", "B.valid") in [(p.key, p.values["zone"], p.values.get("other")) for p in problems]


def test_tiles_on_a_border_are_said_once_with_the_zones_and_colors():
    drawn, profile = table(2)
    right = AREAS["A"].x + AREAS["A"].width
    image = drawn.photo([Placed("red", right - 2, 250), Placed("green", right + 3, 320), Placed("blue", 200, 300)])
    reading = TableReader(profile).read(image)
    at = [i for i, t in enumerate(reading.tiles) if t.color in ("red", "green")]
    assert [(t.color, t.doubt, t.borders) for t in (reading.tiles[i] for i in at)] == [
        ("red", "tile.border", ("A",)), ("green", "tile.border", ("A",)),
    ]  # fmt: skip
    (said,) = reading.problems
    assert said.values == {"zones": ["A"], "n": 2, "colors": ["red", "green"], "tiles": at}


def test_a_tile_between_two_zones_is_on_the_border_of_both():
    drawn, _ = table(2)
    box = np.array([[0, 0], [180, 0], [180, 250], [0, 250]])
    halves = {n: project(drawn.to_photo, box + np.array([x, 160])) + 0.5 for n, x in (("A", 20), ("B", 200))}
    zones = {n: Zone(polygon=tuple(map(tuple, corners))) for n, corners in halves.items()}
    row = [Placed(c, 60 + 25 * i, 240) for i, c in enumerate(COLORS[:4])]  # without markers, tiles tell the scale
    image = drawn.photo([*row, Placed("red", 200, 300)])
    reading = TableReader(TableProfile("halves", zones=zones)).read(image)
    assert [p.values["zones"] for p in reading.problems if p.key == "tile.border"] == [["A", "B"]]


@pytest.mark.parametrize("shade", [0, 255])
def test_a_black_or_white_picture_has_nothing_on_it(shade):
    reading = TableReader(table(2)[1]).read(np.full((480, 640, 3), shade, np.uint8))
    assert (reading.tiles, reading.cards) == ((), ())
    assert {p.key for p in reading.problems} == {"zone.missing"}


def test_a_palette_is_learned_kept_and_used(tmp_path):
    drawn, profile = table(2)
    row = [Placed(c, 210 + 30 * i, 80) for i, c in enumerate(COLORS)]
    learnt = learn_palette([drawn.photo(row, seed=s) for s in (1, 2)], profile)
    assert {c: len(tiles) for c, tiles in learnt.tiles.items()} == dict.fromkeys(COLORS, 2)
    path = tmp_path / "palette.json"
    path.write_text(json.dumps(learnt.to_json()))
    again = Palette.load(path)
    assert all(np.array_equal(a, b) for c in COLORS for a, b in zip(again.tiles[c], learnt.tiles[c], strict=True))
    assert rows_of(TableReader(profile, again).read(drawn.photo(placed()))) == ROWS


def test_a_photo_without_the_row_teaches_nothing():
    drawn, profile = table(2)
    with pytest.raises(ColorsError, match=r"colors\.no-row .count 7"):
        learn_palette([drawn.photo([Placed("red", 250, 80)])], profile)
    with pytest.raises(ColorsError, match=r"colors\.no-markers"):
        learn_palette([np.zeros((480, 640, 3), np.uint8)], profile)


@pytest.mark.parametrize(
    "text", ["", "9" * 5000, "[]", '{"tiles": {"pink": []}}', '{"tiles": {"red": ["?"]}}', '{"tiles": {"red": 3}}']
)
def test_a_file_that_is_no_palette_is_refused(tmp_path, text):
    path = tmp_path / "palette.json"
    path.write_text(text)
    with pytest.raises(PaletteError, match="expected"):
        Palette.load(path)


def test_no_more_of_a_palette_is_decoded_than_is_used(tmp_path, monkeypatch):
    """Eight pictures of a color, none of more characters than the largest that is written."""
    opened = []
    monkeypatch.setattr(
        palette, "picture", lambda data, most: opened.append(len(data)) or np.zeros((32, 32, 3), np.uint8)
    )
    path = tmp_path / "palette.json"
    path.write_text(json.dumps({"tiles": {"red": ["AAAA"] * 1000, "blue": ["AAAA"]}}))
    assert {color: len(tiles) for color, tiles in Palette.load(path).tiles.items()} == {"red": 8, "blue": 1}
    assert opened == [3] * 9
    path.write_text(json.dumps({"tiles": {"red": ["A" * 40_000]}}))
    Palette.load(path)
    assert opened[9:] == [0]
