"""The edge of the program: command line, web, sessions, storage, devices; it knows every other room."""

import vision  # noqa: F401 - sets what NumPy and OpenCV read when they are loaded, before anything here loads them
