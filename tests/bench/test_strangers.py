"""The generator for reporting: its truth fits what it draws, and a seed gives the same sheet again."""

from functools import cache

import cv2
import numpy as np
import pytest

from bench.strangers import random_page
from bench.strangers.hands import filled_page
from bench.strangers.photos import Scene, Shown
from vision.sheet.profile import SheetProfile

SEEDS = (7, 8)
SMALL = 1


@cache
def drawn(seed, again=False):
    rng = np.random.default_rng([seed, 0])
    page = random_page(rng)
    return page, filled_page(rng, page)


@pytest.fixture(scope="module", params=SEEDS)
def sheet(request):
    return drawn(request.param)


def changed(page, filled, box):
    """The share of a box's pixels that somebody drew on."""
    x, y, w, h = box
    (left, top), (right, bottom) = page.at(x, y).astype(int), page.at(x + w, y + h).astype(int)
    place = np.s_[top + 4 : bottom - 4, left + 4 : right - 4]
    return float((cv2.absdiff(filled.image[place], page.image[place]).max(-1) > 25).mean())


def cells(filled, kind):
    return [(r, c) for r, row in enumerate(filled.map) for c, k in enumerate(row) if k == kind]


def test_the_page_is_a_sheet_that_can_be_enrolled(sheet):
    page, _ = sheet
    profile = SheetProfile.from_json(page.profile("stranger"))
    assert len(profile.letters) == 24
    assert profile.entrance not in profile.letters.values()
    assert all(profile.tracks.values())
    high, wide = page.image.shape[:2]
    for x, y, w, h in profile.boxes:
        assert (page.at(x, y) >= 0).all()
        assert (page.at(x + w, y + h) < (wide, high)).all()


def test_passages_and_walls_are_drawn_and_blank_cells_are_not(sheet):
    page, filled = sheet
    marked = [cell for cell in cells(filled, "o") + cells(filled, "#") if cell != page.entrance]
    assert min(changed(page, filled, (c, r, 1, 1)) for r, c in marked) > 0.02
    traced = {page.letters[letter].cell for letter in filled.destinations}
    blank = [cell for cell in cells(filled, ".") if cell not in traced]
    slips = [(r, c) for r, c in blank if changed(page, filled, (c + 0.2, r + 0.2, 0.6, 0.6)) > 0.01]
    assert len(slips) <= 5


def test_ticked_boxes_are_more_drawn_on_than_those_that_are_not(sheet):
    page, filled = sheet
    for track, boxes in page.tracks.items():
        much = [changed(page, filled, box) for box in boxes]
        assert min(much[: filled.ticks[track]], default=1) > max(much[filled.ticks[track] :], default=0)


def test_a_number_is_written_where_the_truth_has_one(sheet):
    page, filled = sheet
    assert [changed(page, filled, box) > 0.01 for box in page.written] == [n is not None for n in filled.numbers]


def test_gates_and_destinations_stand_on_letters_that_no_wall_hides(sheet):
    page, filled = sheet
    at = {letter: one.cell for letter, one in page.letters.items()}
    assert set(filled.gates) <= set(at.values()) & set(cells(filled, "o"))
    assert not {at[letter] for letter in filled.destinations} & {*filled.gates, *cells(filled, "#")}


def test_a_seed_gives_the_same_sheet_again_and_another_seed_another():
    (page, filled), (again, too), (other, _) = drawn(7), drawn(7, True), drawn(8)
    assert np.array_equal(page.image, again.image)
    assert np.array_equal(filled.image, too.image)
    assert filled.map == too.map
    assert page.profile("a") != other.profile("a")


@pytest.fixture(scope="module")
def small():
    """A page and a scene with few pixels, which is quick."""
    page = random_page(np.random.default_rng([7, 0]))
    return page, Scene(np.random.default_rng(SMALL), page, easy=False)


def test_dots_on_the_crossings_are_seen_where_the_lattice_is(small):
    page, scene = small
    image = np.full_like(page.image, 255)
    v, u = np.mgrid[0:12, 0:12]
    for x, y in page.at(u, v).reshape(-1, 2).round().astype(int):
        image[y - 4 : y + 5, x - 4 : x + 5] = 0
    seen = scene.light_of(image, None).min(-1)
    for x, y in scene.lattice.reshape(-1, 2).round().astype(int):
        part = seen[y - 12 : y + 13, x - 12 : x + 13]
        dark = np.argwhere(part < (part.min() + np.median(part)) / 2).mean(0)
        assert np.abs(dark - 12).max() < 1.2


def test_a_mark_that_cannot_be_seen_is_not_legible(small):
    page, scene = small
    filled = filled_page(np.random.default_rng(1), page)
    some = [cell for cell in cells(filled, "#") if cell != page.entrance]
    shown = Shown(scene, filled)
    assert all(shown.cell(*cell) for cell in some)
    filled.image = page.image + ((filled.image.astype(float) - page.image) * 0.03).round().astype(int).astype(np.uint8)
    filled.gloss[:] = 0
    faint = Shown(scene, filled)
    assert not any(faint.cell(*cell) for cell in some)
