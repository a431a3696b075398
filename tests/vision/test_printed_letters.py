"""Printed letters: read on sheets of unknown fonts, and which way up a sheet lies."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from blank_sheets import Page, blank_sheet

from vision.sheet.flatten import SheetMap, flatten
from vision.sheet.orientation import Evidence, first_look, upright
from vision.sheet.printed_letters import ALPHABET, NONE, SIDE, read_letters, read_patches
from vision.sheet.profile import SheetProfile


def filled(share: float):
    """Circles and hatched cells over the grid of an 11 × 11 sheet."""

    def marks(rng: np.random.Generator, page: Page, tracks: list[np.ndarray]) -> None:
        for cell in np.flatnonzero(rng.random(121) < share):
            center = np.array([cell % 11, cell // 11]) + 0.5
            if rng.random() < 0.5:
                t = np.linspace(0, 6.5, 40)
                page.line(center + np.stack([np.cos(t), np.sin(t)], 1) * rng.uniform(0.3, 0.45), 0.04, 0.6)
            else:
                for k in np.linspace(-0.4, 0.4, 6):
                    page.line(np.add(center, [[-0.4, k + 0.1], [0.4, k - 0.1]]), 0.04, 0.6)

    return marks


@pytest.mark.parametrize("seed", range(50, 58))
def test_letters_are_read(seed):
    sheet = blank_sheet(seed, turn=0)
    seen = read_letters(flatten(sheet.photo, SheetMap(sheet.lattice), 40, 0.2), 11, 11)
    named = {(r, c): ALPHABET[seen[r, c].argmax()] for r, c in sheet.letters.values() if seen[r, c].argmax() != NONE}
    right = sum(named.get(cell) == letter for letter, cell in sheet.letters.items())
    assert right >= 22
    empty = np.ones((11, 11), bool)
    empty[tuple(zip(*sheet.letters.values(), strict=True))] = empty[sheet.entrance] = False
    assert (seen.argmax(2)[empty] == NONE).all()


def test_probabilities_sum_to_one_whatever_is_shown():
    rng = np.random.default_rng(0)
    odd = [np.zeros((SIDE, SIDE)), np.full((SIDE, SIDE), 255), rng.integers(0, 255, (SIDE, SIDE))]
    seen = read_patches(np.array(odd, np.uint8))
    assert seen.shape == (3, 27)
    assert np.allclose(seen.sum(1), 1, atol=1e-4)
    assert read_patches(np.empty((0, SIDE, SIDE), np.uint8)).shape == (0, 27)


def test_light_does_not_matter():
    sheet = blank_sheet(60, turn=0)
    dim = cv2.convertScaleAbs(sheet.photo, alpha=0.5)
    bright, dark = (read_letters(flatten(p, SheetMap(sheet.lattice), 40, 0.2), 11, 11) for p in (sheet.photo, dim))
    assert (bright.argmax(2) == dark.argmax(2)).mean() > 0.97


@pytest.mark.parametrize("turn", range(4))
@pytest.mark.parametrize("share", [0, 0.6])
def test_the_letters_tell_which_way_is_up(turn, share):
    sheet = blank_sheet(61 + turn, marks=filled(share))
    turned, evidence = upright(sheet.photo, np.rot90(sheet.lattice, turn), sheet.profile())
    assert np.array_equal(turned, sheet.lattice)
    assert not evidence.other(sheet.profile())


@pytest.mark.parametrize("turn", range(4))
@pytest.mark.parametrize("seed", [6005, 6006])
def test_a_first_look_at_a_rough_lattice_tells(seed, turn):
    sheet = blank_sheet(seed, marks=filled(0.3))
    gray = cv2.cvtColor(sheet.photo, cv2.COLOR_BGR2GRAY)
    lattice = np.rot90(sheet.lattice, turn)
    rough = lattice + np.random.default_rng(turn).normal(0, 0.03 * SheetMap(lattice).cell_pixels, lattice.shape)
    quarters = first_look(gray, rough, sheet.profile())
    assert np.array_equal(np.rot90(lattice, quarters), sheet.lattice)
    for letters in ({}, {"Ω": (0, 0)}):
        assert first_look(gray, lattice, SheetProfile("bare", 11, 11, letters)) is None


def test_the_largest_sheet_is_looked_at_in_all_its_cells():
    lattice = np.stack(np.meshgrid(*[50 + 20 * np.arange(41.0)] * 2), -1)
    profile = SheetProfile("large", 40, 40, {"A": (0, 0), "B": (3, 7)})
    assert upright(np.full((900, 900), 220, np.uint8), lattice, profile)[1].read < 0.5


def test_a_first_look_says_nothing_where_letters_are_hidden_or_others():
    def solid(rng, page, tracks):
        page.box(0.02, 0.02, 10.96, 10.96, 0.02, 0.9, fill=0.8)

    hidden, another = blank_sheet(6006, marks=solid), blank_sheet(6010)
    gray = cv2.cvtColor(hidden.photo, cv2.COLOR_BGR2GRAY)
    assert first_look(gray, hidden.lattice, hidden.profile()) is None
    gray = cv2.cvtColor(another.photo, cv2.COLOR_BGR2GRAY)
    assert first_look(gray, another.lattice, hidden.profile()) is None


def test_without_letters_the_photo_tells():
    sheet = blank_sheet(65, turn=0)
    turned, _ = upright(sheet.photo, np.rot90(sheet.lattice), SheetProfile("bare", 11, 11))
    assert np.array_equal(turned, sheet.lattice)


def test_with_all_letters_hidden_the_tracks_tell():
    def solid(rng, page, tracks):
        page.box(0.02, 0.02, 10.96, 10.96, 0.02, 0.9, fill=0.8)

    sheet = blank_sheet(66, place="above", turn=2, marks=solid)
    turned, evidence = upright(sheet.photo, sheet.lattice, sheet.profile())
    assert np.array_equal(turned, sheet.lattice)
    assert not evidence.other(sheet.profile())
    assert not evidence.unseen(sheet.profile())


@pytest.mark.parametrize(("known", "read", "margin", "doubtful", "unseen"), [
    (24, 0.2, 0.5, 0.0, True),  # a floor of tiles: every cell plainly bare
    (24, 0.9, 5.0, 0.8, True),  # a newspaper: letters here and there, no cell plain
    (24, 0.0, 7.0, 0.1, False),  # every letter under a wall, but the tracks are there
    (24, 0.9, 9.0, 0.6, False),  # a blurred sheet
    (24, 1.4, 5.0, 0.3, False),
    (24, 2.5, 1.0, 0.5, False),
    (7, 0.0, 0.0, 1.0, False),  # so few letters may all be hidden
    (0, 0.0, 0.0, 1.0, False),
])  # fmt: skip
def test_no_print_at_all_is_told_from_a_sheet_that_is_hard_to_read(known, read, margin, doubtful, unseen):
    letters = {letter: (k // 11, k % 11) for k, letter in enumerate("ABCDEFGHIJKLMNOPQRSTUVWXYZ"[:known])}
    profile = SheetProfile("x", 11, 11, letters)
    assert Evidence(0, read, 0, margin).unseen(profile, doubtful) == unseen


def test_another_sheet_is_noticed():
    sheet, another = blank_sheet(67), blank_sheet(68)
    _, evidence = upright(sheet.photo, sheet.lattice, another.profile())
    assert evidence.other(another.profile())
