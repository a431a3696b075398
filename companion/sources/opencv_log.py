"""OpenCV's own warnings: what is wrong with a source is said in words, once, and not at each try."""

from __future__ import annotations

import os

import cv2

import companion.live

_levels = cv2.utils.logging


def quiet() -> None:
    """Let OpenCV be silent, unless a person asked for its log.

    OpenCV reads `OPENCV_LOG_LEVEL` when it is loaded, which may be before companion.live has set it.
    """
    if os.environ.get(companion.live.LOG_LEVEL) == companion.live.SILENT:
        _levels.setLogLevel(_levels.LOG_LEVEL_FATAL)
