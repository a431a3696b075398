"""A film that Chromium takes for a camera: raw frames (Y4M), shown in turn, over and over."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np
from playwright.sync_api import Browser, Playwright

RATE = 5
"""Frames a second."""


def film(path: Path, frames: Sequence[np.ndarray], seconds: float) -> Path:
    """Write a film of these pictures, (H, W) gray or (H, W, 3) BGR, each shown so many seconds."""
    height, width = frames[0].shape[:2]
    with path.open("wb") as file:
        # Chromium knows the plain name of the color format only, and no film slower than a frame a second.
        file.write(f"YUV4MPEG2 W{width} H{height} F{RATE}:1 Ip A1:1 C420\n".encode())
        for frame in frames:
            color = cv2.cvtColor(frame, cv2.COLOR_GRAY2BGR) if frame.ndim == 2 else frame
            file.write((b"FRAME\n" + cv2.cvtColor(color, cv2.COLOR_BGR2YUV_I420).tobytes()) * round(RATE * seconds))
    return path


@contextmanager
def browser_that_sees(playwright: Playwright, path: Path) -> Iterator[Browser]:
    """A browser whose camera shows this film."""
    arguments = [
        "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
        "--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream",
        f"--use-file-for-fake-video-capture={path}",
    ]  # fmt: skip
    chromium = os.environ.get("COMPANION_CHROMIUM") or None
    browser = playwright.chromium.launch(executable_path=chromium, args=arguments)
    yield browser
    browser.close()
