"""A zone beside its profile: as a camera sees it from aslant, markers and zone agree or they do not."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.print_scale import print_scale, sticker_scale, zone_scale
from vision.table.profile import Zone

MARKER = 28.0


def seen(width: float, height: float, view: np.ndarray) -> np.ndarray:
    """(4, 4, 2) pixels of the corner markers of a zone of this true size."""
    places = [(0, 0), (width - MARKER, 0), (width - MARKER, height - MARKER), (0, height - MARKER)]
    square = MARKER * np.array([(0, 0), (1, 0), (1, 1), (0, 1)])
    flat = np.float32([np.add(place, square) for place in places])
    return cv2.perspectiveTransform(flat.reshape(-1, 1, 2), view).reshape(4, 4, 2)


VIEW = np.array([[1.9, 0.3, 200], [-0.2, 1.7, 300], [1e-4, -3e-4, 1]])


@given(st.floats(150, 900), st.floats(100, 500), st.floats(0.8, 1.25), st.floats(0.8, 1.25))
def test_the_scale_is_what_the_profile_is_wrong_by(width: float, height: float, across: float, down: float) -> None:
    scale = print_scale(seen(width * across, height * down, VIEW), (width, height), MARKER)
    assert (scale.across, scale.down) == pytest.approx((across, down), rel=0.01)


@pytest.mark.parametrize(
    ("size", "true"), [((300, 150), True), ((303, 150), True), ((400, 150), False), ((300, 160), False)]
)
def test_a_profile_of_another_size_is_noticed(size: tuple[float, float], true: bool) -> None:
    zone = Zone((0, 1, 2, 3), size)
    scale = zone_scale(zone, dict(enumerate(seen(300, 150, VIEW))), MARKER)
    assert scale is not None
    assert scale.true is true


def test_nothing_is_said_without_size_or_markers() -> None:
    markers = dict(enumerate(seen(300, 150, VIEW)))
    assert zone_scale(Zone((0, 1, 2, 3)), markers, MARKER) is None
    assert zone_scale(Zone(None, (300, 150), ((0, 0), (1, 0), (1, 1))), markers, MARKER) is None
    del markers[2]
    assert zone_scale(Zone((0, 1, 2, 3), (300, 150)), markers, MARKER) is None


@pytest.mark.parametrize("printed", [0.97, 1.0, 1.05])
def test_stickers_printed_apart_tell_of_another_scale(printed: float) -> None:
    """On a mat of 97 %, a sticker of full size seems larger than it is."""
    places = printed * 17.5 * np.array([(0, 0), (1, 0), (1, 1), (0, 1)])
    flat = np.float32([places + np.array([60 * i + 40, 50]) for i in range(3)]).reshape(-1, 1, 2)
    stickers = list(cv2.perspectiveTransform(flat, VIEW).reshape(3, 4, 2))
    corners = np.float32([[[0, 0], [300, 0], [300, 150], [0, 150]]])
    zone = cv2.perspectiveTransform(corners, VIEW)[0]
    assert sticker_scale(stickers, zone, (300, 150), 17.5) == pytest.approx([printed] * 3, rel=1e-3)
