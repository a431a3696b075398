"""The ChArUco calibration board: a chessboard whose white squares carry markers.

Only how many squares it has matters, not how large it was printed: the camera's own lens does not care. Its markers are
of another dictionary than those of tables, so that a board lying about is never taken for cards or zones.
"""

from functools import cache
from typing import Final

import cv2

COLS: Final = 9
ROWS: Final = 6
MARKER: Final = 0.72
"""A marker's side, in squares."""
DICTIONARY: Final = "DICT_4X4_50"
CORNERS: Final = (COLS - 1) * (ROWS - 1)
"""Inner crossings, the points that are measured."""


@cache
def board() -> cv2.aruco.CharucoBoard:
    """The board for OpenCV, a square being 1 long."""
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, DICTIONARY))
    return cv2.aruco.CharucoBoard((COLS, ROWS), 1.0, MARKER, dictionary)
