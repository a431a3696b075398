"""Files of photos: how they are called, and their bytes, page by page."""

from pathlib import Path

from vision.errors import PhotoError
from vision.pages import page_of, page_path

PHOTOS = (".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif")
LARGEST = 80 * 1024 * 1024
"""Bytes of a photo's file."""


def photo_bytes(path: str | Path) -> bytes:
    """What the file holds; of one of several pages the first, or the one that `#2`, … behind its path names.

    Raises PhotoError where it is too large for a photo, and OSError.
    """
    file, page = page_path(str(path))
    return page_of(file_bytes(file), page)


def file_bytes(path: str) -> bytes:
    """All that a file holds. Raises as `photo_bytes`."""
    with open(path, "rb") as file:
        data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise PhotoError("photo.too-heavy", most=LARGEST // 1024 // 1024)
    return data
