"""Which photos are black and white, without shades between."""

import cv2
import demo_sheets as demo
import numpy as np
import pytest

from companion.reading.pictures import kept_reading
from vision.sheet.decisions import UNSURE
from vision.sheet.profile import SheetProfile
from vision.sheet.read import read_sheet
from vision.sheet.two_tones import two_toned


def thresholded(photo: np.ndarray, dark: int, bright: int) -> np.ndarray:
    """The photo as a scanner in black and white makes it."""
    gray = cv2.cvtColor(photo, cv2.COLOR_BGR2GRAY)
    black = cv2.adaptiveThreshold(gray, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, 51, 12) > 0
    return cv2.cvtColor(np.where(black, dark, bright).astype(np.uint8), cv2.COLOR_GRAY2BGR)


def even(photo: np.ndarray) -> np.ndarray:
    """The photo as a scanner in color makes it: white paper, and shades."""
    light = cv2.GaussianBlur(cv2.dilate(photo, np.ones((41, 41))), (0, 0), 30)
    return cv2.divide(photo, light, scale=250)


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (lambda photo: photo, False),
        (even, False),
        (lambda photo: cv2.convertScaleAbs(photo, alpha=0.3, beta=150), False),
        (lambda photo: thresholded(photo, 0, 255), True),
        (lambda photo: thresholded(photo, 12, 245), True),
        (lambda photo: thresholded(photo, 50, 225), True),
    ],
    ids=["a photo", "a scan", "haze", "black and white", "nearly", "ink on gray paper"],
)
@pytest.mark.parametrize("quality", [60, 95])
def test_two_tones_are_told_from_shades(made, expected, quality):
    photo, truth = demo.filled_photo(seed=3, player=0)
    file = cv2.imencode(".jpg", made(photo), [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    gray = cv2.imdecode(file, cv2.IMREAD_GRAYSCALE)
    assert two_toned(gray, np.asarray(truth["lattice"])) == expected


@pytest.mark.parametrize("where", [0, 10_000], ids=["one tone", "a grid outside the picture"])
def test_where_nothing_is_seen_there_are_no_two_tones(where):
    lattice = np.stack(np.meshgrid(np.arange(12.0), np.arange(12.0)), -1) * 30 + where
    assert not two_toned(np.full((400, 400), 200, np.uint8), lattice)


def test_in_two_tones_every_letter_is_asked_about():
    profile = SheetProfile.from_json(demo.profile())
    photo, _ = demo.filled_photo(seed=3, player=0)
    reading = read_sheet(thresholded(photo, 12, 245), profile)
    assert reading.letter_doubts
    assert min(reading.letter_doubts.values()) > UNSURE
    assert kept_reading(reading, 1, profile, "{view}")["two_toned"]
