"""Silence OpenCV's own warnings: problems of a source are reported once, in words."""

import os

from vision import OPENCV_SILENT

# Read by OpenCV when a camera or stream is opened; a person's own settings win.
os.environ.setdefault("OPENCV_VIDEOIO_MSMF_ENABLE_HW_TRANSFORMS", "0")  # Windows: cameras open in 1 s, not 20
os.environ.setdefault("OPENCV_AVFOUNDATION_SKIP_AUTH", "1")  # macOS: permission cannot be asked for in a thread
os.environ.setdefault("OPENCV_FFMPEG_CAPTURE_OPTIONS", "rtsp_transport;tcp")
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")


def quiet() -> None:
    """Let OpenCV be silent, unless a person asked for its log.

    OpenCV reads `OPENCV_LOG_LEVEL` when it is loaded, which may have been before `vision` set it.
    """
    import cv2  # noqa: PLC0415 - only now: it reads the settings above

    if os.environ.get("OPENCV_LOG_LEVEL") == OPENCV_SILENT:
        levels = cv2.utils.logging
        levels.setLogLevel(levels.LOG_LEVEL_FATAL)
