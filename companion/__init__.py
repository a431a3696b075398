"""The application around scoring and vision: command line, web pages, sessions, storage, devices."""

import sys
from pathlib import Path

ROOMS = Path(__file__).with_name("rooms")
"""Installed, the other rooms lie in here: names as plain as `vision` are not strewn over everybody's packages."""
if ROOMS.is_dir():
    sys.path.insert(0, str(ROOMS))

import vision  # noqa: E402, F401 - sets what NumPy and OpenCV read when loaded, before anything here loads them

__version__ = "0.2.0"
