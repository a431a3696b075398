"""Noise is taken off where light is short, and nothing is touched where it is not."""

import cv2
import numpy as np
import pytest

from vision.sheet.illumination import NOISE, denoise, normalize_illumination

CELL = 40


def sheet(light: np.ndarray, noise: float, seed: int = 0) -> np.ndarray:
    """A flattened 6 × 6 sheet, lit from 0 to 1, with circles in a third of its cells; `noise` in levels."""
    rng = np.random.default_rng(seed)
    paper = np.full((6 * CELL, 6 * CELL), 1.0, np.float32)
    for row in range(6):
        for col in range(row % 3, 6, 3):
            cv2.circle(paper, (col * CELL + 20, row * CELL + 20), 13, 0.4, 2, cv2.LINE_AA)
    image = (paper * light * 220)[..., None] + rng.normal(0, noise, (*paper.shape, 3))
    return np.clip(np.round(image), 0, 255).astype(np.uint8)


@pytest.mark.parametrize("noise", [0.0, 0.7])
def test_a_well_lit_sheet_stays_as_it_is(noise: float) -> None:
    flat = sheet(np.ones((240, 240)), noise)
    assert np.array_equal(denoise(flat)[0], flat)


@pytest.mark.parametrize("shadow", [0.06, 0.1, 0.15])
def test_bare_paper_in_deep_shadow_is_even_and_its_circles_stay(shadow: float) -> None:
    light = np.ones((240, 240))
    light[:120] = shadow
    flat = sheet(light, 1.5)
    before, after = normalize_illumination(flat).mean(2), normalize_illumination(denoise(flat)[0]).mean(2)
    corner = np.s_[4:36, 84:116]
    assert after[corner].std() < max(0.5 * before[corner].std(), 2 * NOISE.most)
    ring = np.zeros((240, 240), np.uint8)
    cv2.circle(ring, (60, 60), 13, 1, 1)
    assert after[ring > 0].mean() < after[50:70, 50:70].mean() - 0.05
    assert np.array_equal(denoise(flat)[0][160:], flat[160:])
