"""Measures: each script runs by itself and prints what it found."""

import vision  # noqa: F401 - sets what NumPy and OpenCV read when they are loaded, before a script loads them
