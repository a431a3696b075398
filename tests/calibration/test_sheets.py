"""Enrolling blank sheets of layouts and fonts that nobody trained for."""

from __future__ import annotations

from itertools import permutations

import cv2
import demo_sheets as demo
import numpy as np
import pytest
from blank_sheets import blank_sheet
from hypothesis import given
from hypothesis import strategies as st

from calibration.assignment import assign
from calibration.sheets import enroll
from vision.errors import PhotoError

CORNERS = ([0, 0, -1, -1], [0, -1, -1, 0])


@pytest.mark.parametrize("seed", range(100, 106))
def test_a_blank_sheet_becomes_its_profile(seed):
    sheet = blank_sheet(seed)
    found = enroll(sheet.photo, name="found")
    assert found.profile.letters == sheet.letters
    assert found.profile.entrance == sheet.entrance
    assert found.profile.name == "found"
    cell = np.linalg.norm(sheet.lattice[0, 1] - sheet.lattice[0, 0])
    assert np.abs(found.lattice - sheet.lattice).max() < 0.1 * cell
    for name, truth in zip(("gems", "penalties"), sheet.tracks, strict=True):
        assert np.abs(np.array(found.profile.tracks[name]) - truth).max() < truth[0, 2] / 4
    assert found.missing == found.marked == ()


@pytest.mark.parametrize("seed", range(3))
def test_small_letters_in_corners_say_which_way_is_up(seed):
    sheet = blank_sheet(seed, corner=0.2)
    found = enroll(sheet.photo)
    cell = np.linalg.norm(sheet.lattice[0, 1] - sheet.lattice[0, 0])
    assert np.abs(found.lattice - sheet.lattice).max() < 0.1 * cell
    read = found.profile.letters
    assert {k: read[k] for k in read if k not in found.doubtful}.items() <= sheet.letters.items()
    assert len(read) >= 20
    assert found.marked == ()


def test_a_smaller_grid_with_fewer_letters():
    sheet = blank_sheet(110, rows=9, cols=9, count=12)
    found = enroll(sheet.photo, 9, 9)
    assert found.profile.letters == sheet.letters
    assert found.profile.rows == found.profile.cols == 9


def test_corners_set_by_hand_are_moved_onto_the_lines():
    sheet = blank_sheet(111, turn=0)
    corners = sheet.lattice[CORNERS] + np.array([[3, -4], [-5, 2], [4, 4], [-3, -3]])
    found = enroll(sheet.photo, grid=corners)
    assert np.abs(found.lattice - sheet.lattice).max() < 0.08 * np.linalg.norm(
        sheet.lattice[0, 1] - sheet.lattice[0, 0]
    )
    assert found.profile.letters == sheet.letters


def test_marks_on_a_sheet_that_should_be_blank_are_told():
    photo, truth = demo.filled_photo()
    drawn = {(r, c) for r, row in enumerate(truth["map"]) for c, kind in enumerate(row) if kind != "."}
    marked = set(enroll(photo).marked)
    assert marked <= drawn
    assert len(marked) > 0.9 * len(drawn)


def test_letters_told_by_a_person_are_kept_and_turn_the_sheet():
    sheet = blank_sheet(112, turn=1)
    told = {k: sheet.letters[k] for k in "ABCDEFGHKR"}
    found = enroll(sheet.photo, letters=told)
    assert found.profile.letters == told
    assert np.abs(found.lattice - sheet.lattice).max() < 10


def test_what_was_found_can_be_shown():
    sheet = blank_sheet(113)
    found = enroll(sheet.photo)
    height, width = found.flat.image.shape[:2]
    for boxes in found.profile.tracks.values():
        for x, y, w, h in boxes:
            left, top = found.flat.origin[0] + x * found.flat.cell, found.flat.origin[1] + y * found.flat.cell
            assert 0 <= left <= left + w * found.flat.cell <= width
            assert 0 <= top <= top + h * found.flat.cell <= height


def test_photos_that_cannot_be_used():
    with pytest.raises(PhotoError, match=r"photo\.flat"):
        enroll(np.full((600, 800, 3), 200, np.uint8))
    sheet = blank_sheet(114)
    small = cv2.resize(sheet.photo, None, fx=0.12, fy=0.12, interpolation=cv2.INTER_AREA)
    with pytest.raises(PhotoError):
        enroll(small, grid=sheet.lattice[CORNERS] * 0.12)
    with pytest.raises(PhotoError, match=r"sheet\.no-grid"):
        enroll(sheet.photo, grid=np.array([[0, 0], [500, 500], [500, 0], [0, 500]]))


@given(st.integers(1, 4), st.integers(1, 4), st.integers(0, 2**31))
def test_no_other_pairing_gains_more(n, m, seed):
    gain = np.random.default_rng(seed).normal(0, 1, (n, m))
    padded = np.pad(np.maximum(gain, 0), ((0, 0), (0, n)))
    best = max(sum(padded[r, c] for r, c in enumerate(order)) for order in permutations(range(m + n), n))
    pairs = assign(gain)
    assert sum(gain[r, c] for r, c in pairs) == pytest.approx(best)
    assert len({r for r, _ in pairs}) == len({c for _, c in pairs}) == len(pairs)
