"""A deck's faces as they are kept: cut alike and in one light."""

import cv2
import numpy as np
import pytest

from calibration.decks import lit_like

GROUND, PIP = (215, 225, 230), (60, 170, 40)


def pips(many):
    out = np.full((264, 189, 3), GROUND, np.uint8)
    for k in range(many):
        cv2.circle(out, (60 + 70 * (k % 2), 40 + 45 * (k // 2)), 15, PIP, -1, cv2.LINE_AA)
    return out


def dimmed(picture):
    return (picture * np.linspace(0.6, 0.9, picture.shape[1])[None, :, None]).astype(np.uint8)


@pytest.mark.parametrize("cast", [0.0, 0.8], ids=["of one photo", "of another photo"])
@pytest.mark.parametrize(("one", "other"), [(1, 9), (2, 6), (9, 1), (3, 4)])
def test_a_face_lit_like_its_sister_keeps_the_print_that_the_sister_lacks(one, other, cast):
    off = cv2.absdiff(lit_like(pips(one), dimmed(pips(other)), 72, cast), pips(other))
    assert np.quantile(off, 0.98) < 12
