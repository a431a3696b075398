"""The application around scoring and vision: command line, web pages, sessions, storage, devices."""

import vision  # noqa: F401 - sets what NumPy and OpenCV read when they are loaded, before anything here loads them

__version__ = "0.2.0.dev0"
