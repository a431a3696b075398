"""The enrolled page is found by its print: any way up, tilted, filled in, in color; and only where it is."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from bench.prints import enrolled
from bench.strangers import blank_photo, filled_photo
from bench.strangers import random_page as strange_page
from tests.support import demo_sheets
from training.synth.pages import PagePhoto, filled_page, page_photo, random_page
from vision.sheet.blank import from_blank_picture
from vision.sheet.flatten import SheetMap, cell_pixels, flatten
from vision.sheet.patches import found_in, likenesses, patch_at, peaks
from vision.sheet.profile import ProfileError, SheetProfile
from vision.sheet.registration import PrintedPage, Registered, measure_page, printed_page, register

SIDE = 11


def gray(photo: np.ndarray) -> np.ndarray:
    return cv2.cvtColor(photo, cv2.COLOR_BGR2GRAY)


@pytest.fixture(scope="module")
def colored() -> tuple[PrintedPage, list[PagePhoto]]:
    """A colored page as it was enrolled, and two photos of it filled in."""
    rng = np.random.default_rng([3, 1])
    page = random_page(rng)
    blank = page_photo(rng, page, page.sheet.image, easy=True)
    filled = [filled_page(rng, page) for _ in range(2)]
    photos = [page_photo(rng, page, one.image, one.graphite) for one in filled]
    return measure_page(blank.image, blank.lattice, SheetProfile("c", SIDE, SIDE)), photos


def worst(found: np.ndarray, true: np.ndarray) -> float:
    return float(np.abs(found - true).max() / cell_pixels(true))


@pytest.mark.parametrize("turn", range(4))
def test_a_colored_page_is_found_any_way_up(colored, turn: int) -> None:
    page, photos = colored
    for photo in photos:
        seen = register(np.ascontiguousarray(np.rot90(gray(photo.image), turn)), page, SIDE, SIDE)
        assert seen is not None
        true = photo.lattice
        for k in range(turn):
            across = photo.image.shape[1 - k % 2] - 1
            true = np.stack([true[..., 1], across - true[..., 0]], -1)
        assert worst(seen.lattice, true) < 0.25


def test_a_page_is_not_found_with_a_corner_astray(tmp_path) -> None:
    """Patches agreed over most of the page, and lines with them; a corner lay 1.3 cells off, and nobody was told."""
    rng = np.random.default_rng([410, 3])
    page = strange_page(rng)
    blank = blank_photo(rng, page)
    _, (_, photo) = filled_photo(rng, page), filled_photo(rng, page)
    known = printed_page(enrolled(page, blank, "s", tmp_path))
    assert known is not None
    seen = register(gray(photo.image), known, SIDE, SIDE)
    assert seen is not None
    assert worst(seen.lattice, photo.lattice) < 0.25


def test_a_side_that_lies_one_cell_off_is_laid_anew(tmp_path) -> None:
    """Its lines look like their neighbors, and patches went with them: 16 cells were read a row or a column off, and
    nobody was told."""
    rng = np.random.default_rng([304, 7])
    page = random_page(rng)
    blank = page_photo(rng, page, page.sheet.image, easy=True)
    photos = []
    for _ in range(2):
        filled = filled_page(rng, page)
        photos.append(page_photo(rng, page, filled.image, filled.graphite))
    known = printed_page(enrolled(page, blank, "s", tmp_path))
    assert known is not None
    seen = register(gray(photos[1].image), known, SIDE, SIDE)
    assert seen is not None
    assert worst(seen.lattice, photos[1].lattice) < 0.25


@pytest.mark.parametrize(
    ("astray", "at_one"),
    [(0, True), (3, True), (4, False)],
    ids=["nowhere", "a few crossings, where a mark lies on a line", "a corner"],
)
def test_lines_say_where_a_found_page_lies_wrong(astray: int, at_one: bool) -> None:
    apart = np.full((SIDE + 1, SIDE + 1), 0.03)
    apart[:astray, :astray] = 0.8
    found = Registered(np.zeros((SIDE + 1, SIDE + 1, 2)), 0.6, True, apart)
    assert found.misfit < 0.1
    assert found.at_one is at_one


def test_patches_are_found_at_once_where_they_are_found_one_by_one() -> None:
    rng = np.random.default_rng(5)
    known = cv2.GaussianBlur(rng.integers(0, 255, (90, 120), np.uint8), (0, 0), 1.5)
    seen = cv2.warpAffine(known, np.array([[1, 0.01, 1.6], [0, 1, -2.3]]), (120, 90))
    side, far = 12, 4
    middles = np.array([(x, y) for x in range(12, 100, 9) for y in range(12, 70, 9)])
    which, off = peaks(likenesses(seen, known, middles - side // 2, side, far), 0.5)
    one_by_one = {}
    for k, (x, y) in enumerate(middles.tolist()):
        room, patch = patch_at(seen, x, y, side // 2 + far), patch_at(known, x, y, side // 2)
        assert room is not None
        assert patch is not None
        if there := found_in(room, patch, 0.5):
            one_by_one[k] = there
    assert sorted(one_by_one) == which.tolist()
    assert len(which) > 40
    assert np.abs(np.array(list(one_by_one.values())) - far - off).max() < 0.01


def test_a_page_is_not_found_on_another_sheet_nor_on_a_table(colored) -> None:
    page, _ = colored
    assert register(gray(demo_sheets.blank_photo()), page, SIDE, SIDE) is None
    noise = np.random.default_rng(0).integers(0, 255, (600, 800), np.uint8)
    assert register(cv2.GaussianBlur(noise, (0, 0), 2), page, SIDE, SIDE) is None
    assert register(np.full((600, 800), 200, np.uint8), page, SIDE, SIDE) is None


def test_a_profile_says_where_the_grid_lies_in_its_pictures(tmp_path) -> None:
    """Then none is looked for: on a picture without a single line, too."""
    flat = flatten(demo_sheets.blank_photo(), SheetMap(demo_sheets.filled_photo()[1]["lattice"]), 20, 2.0)
    (tmp_path / "page.png").write_bytes(cv2.imencode(".png", np.full_like(flat.image, 200))[1].tobytes())
    profile = SheetProfile.from_json(
        {**demo_sheets.profile(), "page": "page.png", "places": {"page": list(flat.place)}}, tmp_path
    )
    lattice = from_blank_picture(profile, profile.page, lambda _image, lattice, _profile: lattice)
    assert lattice is not None
    assert lattice[0, 0] == pytest.approx([39.5, 39.5])
    assert lattice[-1, -1] == pytest.approx([39.5 + 220, 39.5 + 220])


@pytest.mark.parametrize(
    "places",
    [[], {"photo": [0, 0, 20]}, {"page": [0, 0]}, {"page": [0, 0, 0]}, {"page": [0, 0, float("inf")]}, {"blank": "x"}],
)
def test_a_profile_whose_places_make_no_sense_is_refused(places: object) -> None:
    with pytest.raises(ProfileError):
        SheetProfile.from_json({"name": "t", "rows": 3, "cols": 3, "places": places or ["x"]})
