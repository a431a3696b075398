"""A zone beside its profile: as a camera sees it from aslant, markers and zone agree or they do not."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.print_scale import LEAST_TILES, print_scale, scale_by_tiles, zone_scale
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


def test_tiles_that_look_too_large_tell_of_a_print_too_small() -> None:
    sides = 22 / 0.97 + np.array([-0.3, -0.1, 0, 0.1, 4.0])
    assert scale_by_tiles(sides, 22) == pytest.approx(0.97, abs=0.002)
    assert scale_by_tiles(sides[: LEAST_TILES - 1], 22) is None
