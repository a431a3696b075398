"""The drawn pictures: what their truth says is what they show."""

import numpy as np
import pytest

from training.synth.demo import N, blank_photo, filled_photo
from training.synth.hands import random_hand
from training.synth.letters import STROKES, glyph_strokes, skeleton_strokes
from training.synth.print import stroke_glyph
from training.synth.sheets import PASSAGE, random_filled
from training.synth.views import enrolled, photographed
from training.synth.walls import wall
from vision.sheet.flatten import SheetMap, flatten
from vision.sheet.illumination import normalize_illumination
from vision.sheet.profile import SheetProfile


def test_same_seed_same_picture() -> None:
    assert np.array_equal(blank_photo(3), blank_photo(3))
    first, again = filled_photo(1, 2), filled_photo(1, 2)
    assert np.array_equal(first[0], again[0])
    assert first[1]["map"] == again[1]["map"]
    assert not np.array_equal(first[0], filled_photo(1, 3)[0])


@pytest.mark.parametrize("player", range(4))
def test_the_demo_sheet_follows_the_game(player: int) -> None:
    photo, truth = filled_photo(0, player)
    assert photo.shape == (1200, 1600, 3)
    profile = SheetProfile.from_json(truth["profile"])
    assert (profile.rows, profile.cols, len(profile.letters)) == (N, N, 24)
    assert [len(boxes) for boxes in profile.tracks.values()] == [10, 10]
    rows = truth["map"]
    assert rows[profile.entrance[0]][profile.entrance[1]] == "o"
    assert all(rows[i][j] == "o" for i, j in truth["gates"])
    assert all(rows[i][j] == "." for i, j in truth["erased"])
    for letter in truth["destinations"]:
        i, j = profile.letters[letter]
        assert rows[i][j] != "#"
        assert (i, j) not in truth["gates"]
    assert {k: sum(v) for k, v in truth["ticked"].items()} == truth["ticks"]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("player", range(4))
def test_the_demo_map_is_one_that_the_rules_allow(seed: int, player: int) -> None:
    _, truth = filled_photo(seed, player)
    letters = truth["profile"]["letters"]
    passages = {(i, j) for i, row in enumerate(truth["map"]) for j, mark in enumerate(row) if mark == "o"}
    assert not [(i, j) for i, j in passages if {(i + 1, j), (i, j + 1), (i + 1, j + 1)} <= passages]
    joined, found = set(), [tuple(truth["profile"]["entrance"])]
    while found:
        i, j = found.pop()
        joined.add((i, j))
        found += passages.intersection({(i + 1, j), (i - 1, j), (i, j + 1), (i, j - 1)}) - joined
    assert sum(tuple(cell) in joined for cell in letters.values()) >= 2, "a goal card that is joined"
    assert [gate for gate in truth["gates"] if gate not in joined], "a gate that only a warp leads to"
    assert len(truth["gates"]) == 2
    assert len(truth["destinations"]) == 3


def test_the_lattice_lies_on_the_lines() -> None:
    photo, truth = filled_photo(0, 0)
    flat = normalize_illumination(flatten(photo, SheetMap(truth["lattice"]), 40).image).mean(2)
    for k in range(1, N + 2):
        line = flat[60:-60, 40 * k - 2 : 40 * k + 3].mean(0)
        beside = flat[60:-60, 40 * k - 10 : 40 * k - 5].mean()
        assert line.min() < beside


@pytest.mark.parametrize("kind", [".", "o", "#"])
def test_a_mark_darkens_its_cell(kind: str) -> None:
    darkness = []
    for player in range(4):
        photo, truth = filled_photo(0, player)
        flat = 1 - normalize_illumination(flatten(photo, SheetMap(truth["lattice"]), 40).image).mean(2)
        cells = flat[40:480, 40:480].reshape(11, 40, 11, 40)[:, 6:34, :, 6:34].mean((1, 3))
        darkness += [cells[i, j] for i in range(11) for j in range(11) if truth["map"][i][j] == kind]
    low, high = {".": (-0.02, 0.1), "o": (0.02, 0.35), "#": (0.15, 1)}[kind]
    assert low < np.median(darkness) < high


@pytest.mark.parametrize("seed", range(6))
def test_truth_of_any_drawn_sheet_agrees_with_itself(seed: int) -> None:
    rng = np.random.default_rng(seed)
    filled = random_filled(rng, 5, 6)
    assert filled.kinds.shape == (5, 6)
    assert not (filled.gate & (filled.kinds != PASSAGE)).any()
    assert not (filled.traced & ~filled.letter).any()
    flat, hidden, shown = photographed(rng, filled)
    assert flat.shape == (round(6.2 * 40), round(7.2 * 40), 3)
    assert flat.dtype == np.uint8
    assert 0 <= hidden.min() <= hidden.max() <= 1.001
    assert shown.shape == (5, 6)
    assert enrolled(rng, filled).shape == flat.shape


@pytest.mark.parametrize("style", ["zigzag", "lines", "cross", "knot", "spiral", "solid", "edge", "loops", "dense"])
def test_walls_fill_the_box_they_are_asked_to(style: str) -> None:
    rng = np.random.default_rng(4)
    for _ in range(5):
        points = np.vstack(wall(rng, random_hand(rng), (-0.5, -0.5, 2, 1), style))[:, :2]
        assert np.ptp(points[:, 0]) > 1.2
        assert np.ptp(points[:, 1]) > 0.55
        assert np.abs(points - (0.5, 0)).max() < 1.6


@pytest.mark.parametrize("letter", sorted(STROKES))
def test_a_printed_letter_yields_its_strokes(letter: str) -> None:
    found = np.vstack(skeleton_strokes(np.pad(stroke_glyph(9)(letter), 3)))
    meant = np.vstack(glyph_strokes(letter, 80))
    assert np.ptp(found, 0) == pytest.approx(np.ptp(meant, 0), abs=14)


LIGHTS = {
    "even": lambda x, y: 0.8 + 0 * x,
    "dim": lambda x, y: 0.12 + 0 * x,
    "from the left": lambda x, y: 1 - 0.5 * x,
    "half in the shadow": lambda x, y: np.where(x + y > 1, 0.9, 0.55),
}


@pytest.mark.parametrize("light", LIGHTS)
def test_light_is_taken_off_bare_paper(light: str) -> None:
    y, x = np.mgrid[0:520, 0:520] / 520
    lamp = np.array([120, 200, 255])
    flat = np.round(LIGHTS[light](x, y)[..., None] * lamp).astype(np.uint8)
    flat[100:110, 50:450] //= 2
    paper = normalize_illumination(flat)
    far_from_edge = np.abs(x + y - 1) > 0.05
    far_from_edge[95:115] = False
    assert np.percentile(np.abs(paper[far_from_edge] - 1), 99) < 0.1
    assert paper[105, 60:440].max() < 0.62 or light == "half in the shadow"
