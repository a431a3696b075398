"""What is printed around the grid tells how the page bends there: boxes are found though the paper curls."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.sheet.flatten import SheetMap
from vision.sheet.page import find_landmarks, known_page, load_page, offsets, seen_landmarks, settled
from vision.sheet.profile import SheetProfile
from vision.sheet.reading import MISFIT
from vision.sheet.tracks import find_written

CELL, SIDE = 40, 8
WRITTEN = tuple((SIDE + 1.5 + 1.5 * k, 1.0, 1.2, 0.9) for k in range(4))
PROFILE = SheetProfile("t", SIDE, SIDE, written=WRITTEN)


def drawn_page() -> np.ndarray:
    """A page of 18 × 10 cells: the grid at (1, 1), four boxes with words above and under them beside it."""
    page = np.full((10 * CELL, 18 * CELL), 235, np.uint8)
    for k in range(SIDE + 1):
        at = (1 + k) * CELL
        cv2.line(page, (at, CELL), (at, (1 + SIDE) * CELL), 40, 2)
        cv2.line(page, (CELL, at), ((1 + SIDE) * CELL, at), 40, 2)
    for k, (x, y, w, h) in enumerate(WRITTEN):
        left, top = round((x + 1) * CELL), round((y + 1) * CELL)
        cv2.rectangle(page, (left, top), (round((x + w + 1) * CELL), round((y + h + 1) * CELL)), 60, 2)
        cv2.putText(page, "ABCD"[k] * 2 + "xy", (left, top - 8), cv2.FONT_HERSHEY_SIMPLEX, 0.5, 60, 1, cv2.LINE_AA)
        cv2.putText(
            page, "sum of " + "JKLM"[k], (left - 6, top + 70), cv2.FONT_HERSHEY_SIMPLEX, 0.4, 60, 1, cv2.LINE_AA
        )
    return page


def lattice() -> np.ndarray:
    v, u = np.mgrid[0 : SIDE + 1, 0 : SIDE + 1]
    return (np.stack([u, v], -1) + 1) * CELL - 0.5


def curled(page: np.ndarray, most: float) -> np.ndarray:
    """Beyond the grid's right edge the paper moves away, by `most` cells down at its own right edge."""
    y, x = np.mgrid[0 : page.shape[0], 0 : page.shape[1]].astype(np.float32)
    far = np.clip((x - (1 + SIDE) * CELL) / (page.shape[1] - (1 + SIDE) * CELL), 0, 1)
    return cv2.remap(page, x, y - most * CELL * far**1.5, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


@pytest.mark.parametrize("most", [0.0, 0.8, -0.8, 1.4])
@pytest.mark.parametrize("dark", [1.0, 0.4])
def test_boxes_are_found_on_curled_paper(most: float, dark: float) -> None:
    page = drawn_page()
    photo = (curled(page, most) * dark).astype(np.uint8)
    there = SheetMap(lattice())
    landmarks = find_landmarks(page, there, WRITTEN)
    off, told, misfit = offsets(seen_landmarks(photo, there, landmarks), there, landmarks, WRITTEN)
    assert misfit is not None
    assert misfit < 0.35 + 0.3 * abs(most)
    middle = np.array([x + w / 2 + 1 for x, _, w, _ in WRITTEN])
    far = np.clip((middle - (1 + SIDE)) / (18 - (1 + SIDE)), 0, 1)
    assert told.all()
    assert off[:, 1] == pytest.approx(most * far**1.5, abs=0.25)
    assert off[:, 0] == pytest.approx(0, abs=0.25)


@pytest.mark.parametrize(
    ("sinks", "off"),
    [
        *(pytest.param(sinks, (0, 0)) for sinks in (0.0, 0.35, -0.35)),
        *(pytest.param(sinks, (right, 0)) for right in (1, -1) for sinks in (0.0, 0.2, -0.2)),
        *(pytest.param(0.0, (0, down)) for down in (1, -1)),
        pytest.param(0.2, (0, 1)),
        pytest.param(-0.2, (0, -1)),
    ],
)
def test_paper_that_a_fold_takes_away_beyond_the_grid_is_no_grid_that_is_off(
    sinks: float, off: tuple[int, int]
) -> None:
    page = drawn_page()
    y, x = np.mgrid[0 : page.shape[0], 0 : page.shape[1]].astype(np.float32)
    folded = cv2.remap(page, x, y - sinks * np.maximum(x - (1 + SIDE) * CELL, 0), cv2.INTER_LINEAR, borderValue=235)
    landmarks = find_landmarks(page, SheetMap(lattice()), WRITTEN)
    there = SheetMap(lattice() + CELL * np.array(off))
    _, _, misfit = offsets(seen_landmarks(folded, there, landmarks), there, landmarks, WRITTEN)
    assert misfit is not None
    assert misfit == pytest.approx(np.abs(off).max(), abs=0.2)
    assert (misfit > MISFIT) == any(off)


def test_a_page_that_shows_nothing_there_moves_nothing_and_says_so() -> None:
    blank = np.full_like(drawn_page(), 235)
    there = SheetMap(lattice())
    profile, told, misfit = settled(blank, there, find_landmarks(drawn_page(), there, WRITTEN), PROFILE)
    assert not any(told)
    assert misfit is None
    assert np.array(profile.written) == pytest.approx(np.array(WRITTEN))


def test_places_of_a_bent_sheet_lead_to_pixels_and_back() -> None:
    bent = lattice()
    bent[..., 1] += 6 * np.sin(bent[..., 0] / 60)
    there, places = SheetMap(bent), np.array([(0.4, 7.7), (3.0, 3.0), (8.0, 0.0), (-2.5, 4.1), (11.0, 9.3)])
    assert there.units(there(*places.T)) == pytest.approx(places, abs=0.01)


def test_landmarks_are_found_alike_by_a_grid_that_is_a_little_off() -> None:
    page = drawn_page()
    there = SheetMap(lattice())
    landmarks = find_landmarks(page, there, WRITTEN)
    photo = curled(page, 0.8)
    rough = SheetMap(lattice() * 1.01 + (3, -4))
    exact = offsets(seen_landmarks(photo, there, landmarks), there, landmarks, WRITTEN)[0]
    assert offsets(seen_landmarks(photo, rough, landmarks), there, landmarks, WRITTEN)[0] == pytest.approx(
        exact, abs=0.06
    )


@pytest.mark.parametrize(("right", "down"), [(1, 0), (-1, 0), (0, 1), (0, -1)])
def test_the_page_contradicts_a_grid_that_is_a_row_or_a_column_off(right: int, down: int) -> None:
    page = drawn_page()
    landmarks = find_landmarks(page, SheetMap(lattice()), WRITTEN)
    found = SheetMap(lattice() + CELL * np.array([right, down]))
    assert (offsets(seen_landmarks(page, found, landmarks), found, landmarks, WRITTEN)[2] or 0) > MISFIT


def test_the_boxes_for_numbers_are_found_on_the_blank_page() -> None:
    photo = cv2.cvtColor(drawn_page(), cv2.COLOR_GRAY2BGR)
    assert np.array(find_written(photo, SheetMap(lattice()), [])) == pytest.approx(np.array(WRITTEN), abs=0.06)


def test_a_profile_without_a_page_or_with_a_lost_one_reads_without_it(tmp_path) -> None:
    assert load_page(PROFILE) is None
    lost = SheetProfile.from_json(PROFILE.to_json() | {"page": "gone.png"}, tmp_path)
    assert known_page(lost) is None


@pytest.mark.parametrize("sinks", [0.0, 0.4, -0.4])
@pytest.mark.parametrize("off", [0, 1])
def test_landmarks_seen_on_one_side_alone_that_curls_away_do_not_make_a_grid_that_is_off(
    sinks: float, off: int
) -> None:
    landmarks, there = find_landmarks(drawn_page(), SheetMap(lattice()), WRITTEN), SheetMap(lattice())
    beyond = landmarks.places[:, 0] - there.cols
    shown = landmarks.places + np.stack([np.full_like(beyond, off), sinks * np.maximum(beyond, 0)], 1)
    seen = np.where(beyond[:, None] > 0.3, there(*shown.T), np.nan)
    _, _, misfit = offsets(seen, there, landmarks, WRITTEN)
    assert misfit == pytest.approx(off, abs=0.05)
