"""OpenCV's log: silent where nobody asked for it, however early OpenCV was loaded."""

import cv2
import pytest

from companion.sources.opencv_log import quiet

LOG = cv2.utils.logging


@pytest.mark.parametrize(
    ("asked", "level"), [("FATAL", LOG.LOG_LEVEL_FATAL), ("INFO", LOG.LOG_LEVEL_WARNING)], ids=["nobody", "somebody"]
)
def test_warnings_are_heard_only_by_who_asked_for_them(monkeypatch, asked, level):
    before = LOG.getLogLevel()
    monkeypatch.setenv("OPENCV_LOG_LEVEL", asked)
    try:
        LOG.setLogLevel(LOG.LOG_LEVEL_WARNING)
        quiet()
        assert LOG.getLogLevel() == level
    finally:
        LOG.setLogLevel(before)
