"""A photo's file on the command line."""

from __future__ import annotations

from vision.errors import PhotoError

LARGEST = 80 * 1024 * 1024
"""Bytes of a photo's file."""


def photo_bytes(path: str) -> bytes:
    """What the file holds. Raises PhotoError where it is too large for a photo, and OSError."""
    with open(path, "rb") as file:
        data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise PhotoError("photo.too-heavy", most=LARGEST // 1024 // 1024)
    return data
