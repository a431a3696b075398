"""The lines around a letter tell how blurred and pale it is here; what differs from that is tracing."""

import cv2
import numpy as np
import pytest

from vision.sheet.letter_classifier import SIDE
from vision.sheet.local_blur import blurred, compare_at_blur, line_blur

BARE = np.zeros((1, SIDE, SIDE), np.float32)


def cell(blur: float = 1.0, gain: float = 1.0, thick: int = 1, core: float = 0.8, aside: int = 0) -> np.ndarray:
    """(1, SIDE, SIDE) darkness of a letter and the lines of its cell, these `aside` pixels from their place."""
    out = np.zeros((SIDE, SIDE), np.uint8)
    cv2.putText(out, "E", (22, 41), cv2.FONT_HERSHEY_SIMPLEX, 0.9, round(core * 255), 2)
    out = cv2.dilate(out, np.ones((thick, thick), np.uint8))
    for at in (4 + aside, 59 + aside):
        cv2.line(out, (0, at), (SIDE, at), 150, 2)
        cv2.line(out, (at, 0), (at, SIDE), 150, 2)
    return cv2.GaussianBlur(out.astype(np.float32) / 255, (0, 0), blur)[None] * np.float32(gain)


def shaken(picture: np.ndarray, x: float, y: float) -> np.ndarray:
    sigmas = {"sigmaX": max(x, 1e-3), "sigmaY": max(y, 1e-3)}
    return cv2.GaussianBlur(picture[0], (0, 0), **sigmas, borderType=cv2.BORDER_REPLICATE)[None]


def ringed(picture: np.ndarray, radius: int) -> np.ndarray:
    return np.stack([cv2.circle(p.copy(), (34, 30), radius, 0.9, 4) for p in picture])


@pytest.mark.parametrize("blur", [1.0, 1.6, 2.0, 2.4])
@pytest.mark.parametrize("gain", [0.5, 1.0, 1.3])
def test_lines_tell_blur_and_gain(blur: float, gain: float) -> None:
    found = line_blur(cell(blur=blur, gain=gain), cell())
    assert found.blur[0] == pytest.approx([(blur**2 - 1) ** 0.5] * 2, abs=0.45)
    assert found.gain[0] == pytest.approx(gain, rel=0.15)


@pytest.mark.parametrize(("x", "y"), [(2.0, 0), (0, 2.0), (2.4, 1.2), (1.0, 3.0)])
def test_a_shaking_hand_blurs_one_way_more_than_the_other(x: float, y: float) -> None:
    seen = shaken(cell(), x, y)
    assert line_blur(seen, cell()).blur[0] == pytest.approx((x, y), abs=0.5)
    assert np.abs(blurred(cell(), np.array([[x, y]])) - seen)[:, 8:-8, 8:-8].max() < 0.02


@pytest.mark.parametrize(("blur", "aside"), [(1.0, 2), (2.4, -2)])
def test_lines_that_lie_aside_tell_the_same(blur: float, aside: int) -> None:
    found = line_blur(cell(blur=blur, aside=aside), cell())
    assert found.blur[0] == pytest.approx([(blur**2 - 1) ** 0.5] * 2, abs=0.45)


@pytest.mark.parametrize("blur", [1.0, 2.4])
def test_a_circle_across_the_lines_changes_little(blur: float) -> None:
    found = line_blur(ringed(cell(blur=blur), 27), cell())
    assert found.blur[0] == pytest.approx([(blur**2 - 1) ** 0.5] * 2, abs=0.45)
    assert found.gain[0] == pytest.approx(1, rel=0.15)


def test_without_lines_nothing_is_told() -> None:
    assert line_blur(BARE, BARE).weight == pytest.approx(0)
    assert line_blur(cell(), cell()).weight > 1


@pytest.mark.parametrize("blur", [1.0, 1.6, 2.0])
@pytest.mark.parametrize("gain", [0.6, 1.0])
def test_wider_strokes_differ_from_blurred_ones(blur: float, gain: float) -> None:
    plain, bold, pale = (
        compare_at_blur(seen, cell(), line_blur(seen, cell()).blur)
        for seen in (
            cell(blur=blur, gain=gain),
            cell(blur=blur, gain=gain, thick=3),
            cell(blur=blur, gain=gain, thick=3, core=0.5),
        )
    )
    for traced in (bold, pale):
        assert traced.near > plain.near + 0.015
        assert np.abs(traced.residual[:, 14:-14, 14:-14]).mean() > 2 * np.abs(plain.residual[:, 14:-14, 14:-14]).mean()
    assert pale.on < plain.on - 0.005
    assert pale.gain < bold.gain


def test_blank_paper_breaks_nothing() -> None:
    found = compare_at_blur(BARE, BARE, line_blur(BARE, BARE).blur)
    assert all(np.isfinite(part).all() for part in (found.residual, found.gain, found.near, found.on))
