"""Files of several pages, as scanners' apps make them: each page as the bytes of a picture.

What is neither a PDF nor a TIFF is one page, and stays as it is.
"""

from __future__ import annotations

import io
import threading
import warnings
from collections.abc import Callable
from pathlib import PurePath
from typing import TypeVar

import cv2
import numpy as np
from PIL import Image, ImageOps

from vision import MAX_PIXELS
from vision.errors import PhotoError
from vision.photo import READ_SIDE, any_size

Made = TypeVar("Made")
PAGED = (".pdf", ".tif", ".tiff")
"""How files of several pages are called."""
SIDE = 2 * READ_SIDE
"""Pixels of the longer side of a page of a PDF."""
MOST_PAGES = 24
QUALITY = 95
_PDFIUM = threading.Lock()
"""PDFium works for one thread at a time."""


def is_paged(data: bytes) -> bool:
    """Whether a file may have several pages."""
    return _kind(data) is not None


def page_count(data: bytes) -> int:
    """How many pages a file has. Raises PhotoError, also where there are too many."""
    kind = _kind(data)
    count = 1 if kind is None else _safely(lambda: KINDS[kind][0](data))
    if count > MOST_PAGES:
        raise PhotoError("photo.pages", pages=count, most=MOST_PAGES)
    return count


def page_of(data: bytes, number: int) -> bytes:
    """A page, from 1, as a picture's bytes. Raises PhotoError."""
    if not 1 <= number <= page_count(data):
        raise PhotoError("photo.no-page", number=number, pages=page_count(data))
    kind = _kind(data)
    if kind is None:
        return data
    image = _safely(lambda: KINDS[kind][1](data, number - 1))
    done, made = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    if not done:
        raise PhotoError("photo.truncated")
    return made.tobytes()


def pages(data: bytes) -> list[bytes]:
    """Every page as a picture's bytes. Raises PhotoError."""
    return [page_of(data, n + 1) for n in range(page_count(data))]


def page_path(path: str) -> tuple[str, int]:
    """A file's path and its page: `scan.pdf#2` is the second one of `scan.pdf`, any other path the first of its own."""
    name, _, number = path.rpartition("#")
    paged = PurePath(name).suffix.lower() in PAGED and number.isascii() and number.isdecimal()
    return (name, int(number)) if paged else (path, 1)


def _kind(data: bytes) -> str | None:
    if data.startswith(b"%PDF"):
        return "PDF"
    return "TIFF" if data.startswith((b"II*\0", b"MM\0*")) else None


def _safely(work: Callable[[], Made]) -> Made:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what Pillow says of an odd head is for nobody's terminal
            return work()
    except PhotoError:
        raise
    except Exception as error:  # whatever a broken file makes the decoders say
        raise PhotoError("photo.truncated") from error


def _pdf_count(data: bytes) -> int:
    import pypdfium2  # noqa: PLC0415 - large, and only PDFs need it

    with _PDFIUM, pypdfium2.PdfDocument(data) as document:
        return len(document)


def _pdf_page(data: bytes, number: int) -> np.ndarray:
    import pypdfium2  # noqa: PLC0415

    with _PDFIUM, pypdfium2.PdfDocument(data) as document:
        page = document[number]
        return page.render(scale=SIDE / max(page.get_size())).to_numpy()[..., :3].copy()


def _tiff_count(data: bytes) -> int:
    with any_size(), Image.open(io.BytesIO(data), formats=["TIFF"]) as file:
        return int(getattr(file, "n_frames", 1))


def _tiff_page(data: bytes, number: int) -> np.ndarray:
    with any_size(), Image.open(io.BytesIO(data), formats=["TIFF"]) as file:
        file.seek(number)
        width, height = file.size
        if width * height > MAX_PIXELS:
            raise PhotoError("photo.too-large", width=width, height=height, most=MAX_PIXELS // 1_000_000)
        return cv2.cvtColor(np.asarray(ImageOps.exif_transpose(file).convert("RGB")), cv2.COLOR_RGB2BGR)


KINDS: dict[str, tuple[Callable[[bytes], int], Callable[[bytes, int], np.ndarray]]] = {
    "PDF": (_pdf_count, _pdf_page),
    "TIFF": (_tiff_count, _tiff_page),
}
"""What counts pages, and what makes one a picture, (H, W, 3) BGR."""
