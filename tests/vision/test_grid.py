"""The grid finder on drawn sheets of many layouts, and on what is no sheet."""

from __future__ import annotations

import cv2
import demo_sheets as demo
import numpy as np
import pytest
from blank_sheets import blank_sheet

from vision.errors import PhotoError
from vision.sheet.diagnose import cut_edge, explain
from vision.sheet.flatten import SheetMap, flatten
from vision.sheet.grid import find_grid, from_corners
from vision.sheet.grid_candidates import bright_line_mask, line_mask
from vision.sheet.line_refinement import follow

CORNERS = ([0, 0, -1, -1], [0, -1, -1, 0])


def off(found: np.ndarray, true: np.ndarray) -> float:
    """How far the worst corner lies from its place, in cells, whichever way up the grid was found."""
    cell = SheetMap(true).cell_pixels
    turns = [np.rot90(found, k) for k in range(4)]
    return min(np.linalg.norm(t - true, axis=2)[CORNERS].max() for t in turns if t.shape == true.shape) / cell


@pytest.mark.parametrize("seed", range(6))
def test_blank_sheets_of_any_layout(seed):
    sheet = blank_sheet(5000 + seed)
    assert off(find_grid(sheet.photo, 11, 11).lattice, sheet.lattice) < 0.1


@pytest.mark.parametrize(("rows", "cols"), [(9, 9), (8, 12), (12, 8)])
def test_rows_and_columns_come_from_the_profile(rows, cols):
    sheet = blank_sheet(77, rows, cols, count=20)
    assert off(find_grid(sheet.photo, rows, cols).lattice, sheet.lattice) < 0.1


@pytest.mark.parametrize("player", range(4))
def test_marked_sheets(player):
    photo, truth = demo.filled_photo(seed=1, player=player)
    assert off(find_grid(photo, 11, 11).lattice, np.asarray(truth["lattice"])) < 0.1


@pytest.mark.parametrize("turn", [cv2.ROTATE_90_CLOCKWISE, cv2.ROTATE_180])
def test_a_turned_photo_has_the_same_grid_turned(turn):
    photo = demo.blank_photo()
    straight = find_grid(photo, 11, 11).lattice
    turned = find_grid(cv2.rotate(photo, turn), 11, 11).lattice
    h, w = photo.shape[:2]
    if turn == cv2.ROTATE_180:
        back = np.stack([w - 1 - turned[..., 0], h - 1 - turned[..., 1]], -1)
    else:
        back = np.stack([turned[..., 1], h - 1 - turned[..., 0]], -1)
    assert off(back, straight) < 0.03


@pytest.mark.parametrize("taken", [("top",), ("top", "right"), ("left", "right", "bottom")])
def test_a_second_border_taken_for_the_grid_on_some_sides_is_left_for_the_grids_own_line(taken):
    cell, border = 40, 0.18
    lines = (np.arange(12) + 2) * cell
    picture = np.full((15 * cell, 15 * cell), 230, np.uint8)
    for at in lines:
        cv2.line(picture, (lines[0], at), (lines[-1], at), 90, 2)
        cv2.line(picture, (at, lines[0]), (at, lines[-1]), 90, 2)
    first, last = round(lines[0] - border * cell), round(lines[-1] + border * cell)
    cv2.rectangle(picture, (first, first), (last, last), 90, 2)
    true = np.stack(np.meshgrid(lines, lines), -1).astype(float)
    guess = true.copy()
    for side, line, axis, way in (("top", 0, 1, -1), ("bottom", -1, 1, 1), ("left", 0, 0, -1), ("right", -1, 0, 1)):
        if side in taken:
            edge = guess[line] if axis else guess[:, line]
            edge[:, axis] += way * border * cell
    found = follow(picture, guess, 24, 0.01, ((0.2, 0.5),), folds=True, framed=True).lattice
    assert np.abs(found - true).max() < 0.05 * cell


def test_corners_given_by_a_person_are_moved_onto_the_lines():
    sheet = blank_sheet(5001)
    corners = sheet.lattice[CORNERS]
    rough = corners + np.array([[3, -4], [-4, 2], [2, 3], [-3, -3]])
    assert off(from_corners(sheet.photo, rough, 11, 11), sheet.lattice) < 0.06


@pytest.mark.parametrize("corners", [[[0, 0]] * 4, [[0, 0], [900, 900], [900, 0], [0, 900]]])
def test_corners_that_span_nothing_are_refused(corners):
    with pytest.raises(PhotoError, match=r"sheet\.no-grid"):
        from_corners(np.full((1000, 1000), 200, np.uint8), np.array(corners), 11, 11)


def cloth(photo: np.ndarray, lattice: np.ndarray, level: int) -> np.ndarray:
    """The photo's sheet cut out and laid on coarse cloth that is `level` bright."""
    rng = np.random.default_rng(level)
    threads = cv2.resize(rng.normal(0, 0.12 * level, (photo.shape[0] // 3, photo.shape[1] // 3)), photo.shape[1::-1])
    corners = SheetMap(lattice)(np.array([-0.7, 11.7, 11.7, -0.7]), np.array([-0.7, -0.7, 11.7, 11.7]))
    sheet = cv2.fillConvexPoly(np.zeros(photo.shape[:2], np.uint8), np.round(corners).astype(np.int32), 1)[..., None]
    return np.where(sheet > 0, photo, np.clip(level + threads, 0, 255).astype(np.uint8)[..., None])


@pytest.mark.parametrize(("level", "left_out"), [(50, True), (200, False)])
def test_cloth_does_not_hide_the_grid_and_dark_cloth_is_left_out(level, left_out):
    sheet = blank_sheet(5002)
    photo = cloth(sheet.photo, sheet.lattice, level)
    assert off(find_grid(photo, 11, 11).lattice, sheet.lattice) < 0.1
    gray = cv2.cvtColor(photo, cv2.COLOR_BGR2GRAY)
    every, bright = line_mask(gray, 0.045), bright_line_mask(gray, 0.045)
    assert (bright is not None) == left_out
    if left_out:
        inner = SheetMap(sheet.lattice)(*np.meshgrid(np.arange(1, 11), np.arange(1, 11))).round().astype(int)
        at = inner[..., 1], inner[..., 0]
        assert np.array_equal(bright[at], every[at])
        assert np.count_nonzero(bright) < np.count_nonzero(every) / 2


def noise(seed: int) -> np.ndarray:
    return cv2.GaussianBlur(np.random.default_rng(seed).integers(0, 255, (600, 800, 3), np.uint8), (5, 5), 0)


def text_page() -> np.ndarray:
    page = np.full((900, 700, 3), 235, np.uint8)
    for k in range(30):
        cv2.putText(
            page, "a page of words and no grid", (60, 60 + 27 * k), cv2.FONT_HERSHEY_SIMPLEX, 0.8, (30, 30, 30), 2
        )
    return page


@pytest.mark.parametrize(("image", "key"), [
    (np.zeros((600, 800, 3), np.uint8), "photo.dark"),
    (np.full((600, 800, 3), 255, np.uint8), "photo.bright"),
    (np.full((600, 800, 3), 120, np.uint8), "photo.flat"),
    (noise(1), "sheet.no-grid"),
    (text_page(), "sheet.no-grid"),
    (cv2.GaussianBlur(demo.blank_photo(), (0, 0), 14), "sheet.blurred"),
], ids=["black", "white", "gray", "noise", "text", "blurred"])  # fmt: skip
def test_what_is_no_sheet_says_why(image, key):
    with pytest.raises(PhotoError) as caught:
        find_grid(image, 11, 11)
    assert explain(image, caught.value).key == key


@pytest.mark.parametrize(("side", "key"), [
    ("top", "sheet.cut-top"), ("bottom", "sheet.cut-bottom"), ("left", "sheet.cut-left"), ("right", "sheet.cut-right"),
])  # fmt: skip
def test_an_edge_outside_the_photo_is_named(side, key):
    photo, truth = demo.filled_photo(seed=2, player=0)
    lattice = np.asarray(truth["lattice"]).copy()
    cut = 1.2 * SheetMap(lattice).cell_pixels
    low, high = lattice.reshape(-1, 2).min(0) + cut, lattice.reshape(-1, 2).max(0) - cut
    part = {
        "top": (slice(int(low[1]), None), slice(None)), "bottom": (slice(None, int(high[1])), slice(None)),
        "left": (slice(None), slice(int(low[0]), None)), "right": (slice(None), slice(None, int(high[0]))),
    }[side]  # fmt: skip
    shift = np.array([part[1].start or 0, part[0].start or 0])
    error = cut_edge(lattice - shift, photo[part].shape)
    assert error is not None
    assert error.key == key
    assert cut_edge(lattice, photo.shape) is None


def test_flattening_puts_each_crossing_in_its_place():
    sheet = blank_sheet(5002)
    sheet_map = SheetMap(sheet.lattice)
    v, u = np.mgrid[0:12, 0:12].astype(float)
    assert np.allclose(sheet_map(u, v), sheet.lattice, atol=0.02)
    flat = flatten(sheet.photo, sheet_map, 40, 1)
    assert flat.image.shape == (520, 520, 3)
    again = find_grid(flat.image, 11, 11).lattice
    assert np.abs(again + 0.5 - (np.stack([u, v], -1) + 1) * 40).max() < 3
