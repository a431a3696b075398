"""From a file's bytes to pixels: what is no photo is refused from its header, before anything is decoded."""

from __future__ import annotations

import io
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

import cv2
import numpy as np
from PIL import ExifTags, Image, ImageOps

from vision import MAX_PIXELS
from vision.errors import PhotoError

try:
    import simplejpeg
except ImportError:  # no wheel for this system: OpenCV reads JPEG too, in more time
    simplejpeg = None

READ_SIDE = 1600
"""Pixels that a photo's longer side keeps: more tells nothing more of a pencil mark on a whole sheet."""
LARGEST_PART = (2 * READ_SIDE) ** 2
"""Pixels of a part that is decoded again, at most: as many as `open_photo` leaves a whole photo."""
LEAST_SIDE = 120
HEIF_BRANDS = (b"heic", b"heix", b"heim", b"heis", b"mif1", b"msf1", b"hevc")
_LIMIT = threading.Lock()
"""Pillow's limit is one for the whole process: only one thread at a time may set it aside."""
MAGIC: dict[str, Callable[[bytes], bool]] = {
    "JPEG": lambda head: head[:3] == b"\xff\xd8\xff",
    "PNG": lambda head: head[:8] == b"\x89PNG\r\n\x1a\n",
    "WEBP": lambda head: head[:4] == b"RIFF" and head[8:12] == b"WEBP",
    "HEIF": lambda head: head[4:8] == b"ftyp" and head[8:12] in HEIF_BRANDS,
}
MAX_SCANS = 100
"""Scans of a JPEG, at most: cameras write up to eleven, and each takes a decoder as long as a whole picture."""
START_OF_SCAN = int.from_bytes(b"\xff\xda", "little")
"""A JPEG's marker."""
REDUCED = {2: cv2.IMREAD_REDUCED_COLOR_2, 4: cv2.IMREAD_REDUCED_COLOR_4, 8: cv2.IMREAD_REDUCED_COLOR_8}


CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
"""Processors for this process."""


Part = Callable[[int, tuple[int, int, int, int]], np.ndarray]
"""Decodes a file again, so many times smaller, and gives a box of it (x, y, width, height); may raise PhotoError."""


class Photo:
    """A decoded photo: `image` (H, W, 3) BGR, as a person sees it. One of its pixels is `scale` of the file's."""

    def __init__(self, image: np.ndarray, scale: float, part: Part | None = None) -> None:
        self.image, self.scale, self._part = image, scale, part

    def full(self, points: np.ndarray) -> np.ndarray:
        """Points of `image` (OpenCV's, the first pixel's center at 0) in the file's pixels (its corner at 0)."""
        return (np.asarray(points, np.float64) + 0.5) * self.scale

    def closer(self, points: np.ndarray, times: float) -> Closer | None:
        """The part around points of `image`, (n, 2), decoded 2, 4 or 8 times as large: at least `times`, as far
        as the file and `LARGEST_PART` go.

        None where that is no larger than `image`, or the file cannot be decoded again.
        """
        low = np.floor(np.maximum(points.min(0), 0)).astype(int)
        high = np.ceil(np.minimum(points.max(0) + 1, self.image.shape[1::-1])).astype(int)
        x, y, width, height = (int(side) for side in (*low, *(high - low)))
        larger = 1
        while larger < min(times, self.scale) and 4 * larger**2 * width * height <= LARGEST_PART:
            larger *= 2
        if self._part is None or larger == 1 or min(width, height) < 1:
            return None
        box = x * larger, y * larger, width * larger, height * larger
        try:
            return Closer(self._part(round(self.scale) // larger, box), larger, box[:2])
        except PhotoError:
            return None


@dataclass(frozen=True)
class Closer:
    """A part of a photo, (H, W, 3) BGR, `larger` times as large as in it; `corner`: [x, y] of its first pixel there."""

    image: np.ndarray
    larger: int
    corner: tuple[int, int]

    def within(self, points: np.ndarray) -> np.ndarray:
        """Points of the photo, (..., 2), in this part; OpenCV's both."""
        return np.asarray((points + 0.5) * self.larger - self.corner - 0.5)


def load_photo(data: bytes) -> np.ndarray:
    """The photo's pixels, (H, W, 3) BGR, as `open_photo` decodes them. Raises PhotoError."""
    return open_photo(data).image


def open_photo(data: bytes) -> Photo:
    """Decode JPEG, PNG, WebP or HEIC, at half, a quarter or an eighth of its size where that leaves enough.

    Raises PhotoError where the bytes are no photo, too large a one, or not all of it.
    """
    kind, width, height, orientation = header(data)
    if width * height > MAX_PIXELS:
        raise PhotoError("photo.too-large", width=width, height=height, most=MAX_PIXELS // 1_000_000)
    if min(width, height) < LEAST_SIDE:
        raise PhotoError("photo.too-small", width=width, height=height)
    scale = _scale(width, height)
    return Photo(_at_scale(data, kind, width, height, orientation, scale), scale, partial(open_part, data))


def open_part(data: bytes, scale: int, box: tuple[int, int, int, int]) -> np.ndarray:
    """A box (x, y, width, height) of a photo decoded so many times smaller, (height, width, 3) BGR; what lies outside
    is cut off. Raises PhotoError."""
    x, y, width, height = box
    return _at_scale(data, *header(data), scale)[y : y + height, x : x + width]


def _at_scale(data: bytes, kind: str, width: int, height: int, orientation: int, scale: int) -> np.ndarray:
    if kind == "HEIF":
        return _heif(data, scale)
    if kind != "JPEG" or simplejpeg is None:
        return _decoded(data, scale)
    image = _jpeg(data, width, height, scale, orientation)
    return _decoded(data, scale) if image is None else image


def _scale(width: int, height: int) -> int:
    """How much smaller a photo is decoded."""
    return next((s for s in (8, 4, 2) if max(width, height) / s >= READ_SIDE), 1)


def _decoded(data: bytes, scale: int) -> np.ndarray:
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), REDUCED.get(scale, cv2.IMREAD_COLOR))
    except cv2.error:
        image = None
    if image is None:
        raise PhotoError("photo.truncated")
    return image


UPRIGHT: dict[int, Callable[[np.ndarray], np.ndarray]] = {
    2: lambda image: cv2.flip(image, 1),
    3: lambda image: cv2.rotate(image, cv2.ROTATE_180),
    4: lambda image: cv2.flip(image, 0),
    5: cv2.transpose,
    6: lambda image: cv2.rotate(image, cv2.ROTATE_90_CLOCKWISE),
    7: lambda image: cv2.flip(cv2.transpose(image), -1),
    8: lambda image: cv2.rotate(image, cv2.ROTATE_90_COUNTERCLOCKWISE),
}
"""What turns a picture upright, by EXIF orientation."""


def _jpeg(data: bytes, width: int, height: int, scale: int, orientation: int) -> np.ndarray | None:
    """The pixels that OpenCV would give, in less time; None where anything is odd, which OpenCV then judges."""
    width, height = -(-width // scale), -(-height // scale)
    try:
        image = simplejpeg.decode_jpeg(data, "BGR", min_height=height, min_width=width, min_factor=scale)
    except Exception:  # whatever a broken file makes the decoder say
        return None
    if image.shape[:2] != (height, width):
        return None
    return UPRIGHT[orientation](image) if orientation in UPRIGHT else image


def header(data: bytes) -> tuple[str, int, int, int]:
    """Kind, width, height and EXIF orientation (1: upright), of which only the first bytes are read."""
    if not data:
        raise PhotoError("photo.empty")
    kind = next((name for name, fits in MAGIC.items() if fits(data[:16])), None)
    if kind is None:
        raise PhotoError("photo.no-image", got=_guess(data))
    check_cost(data)
    if kind == "HEIF":
        _register_heif()
    try:
        with any_size(), Image.open(io.BytesIO(data), formats=[kind]) as picture:
            return kind, *picture.size, _orientation(picture) if kind == "JPEG" else 1
    except Exception as error:  # Pillow's readers raise many kinds on a broken header
        raise PhotoError("photo.truncated") from error


def check_cost(data: bytes) -> None:
    """Refuse a PNG or JPEG that would cost a decoder far more memory or time than its size tells. Raises PhotoError.

    OpenCV allocates what a PNG chunk says of its length before it reads the chunk.
    """
    if MAGIC["PNG"](data):
        at = 8
        while data[at + 4 : at + 8] != b"IEND":
            at += 12 + int.from_bytes(data[at : at + 4])
            if at + 12 > len(data):
                raise PhotoError("photo.truncated")
    elif MAGIC["JPEG"](data):
        # A count of NumPy's takes a tenth of the time of one of bytes.
        pairs = (np.frombuffer(data, "<u2", (len(data) - first) // 2, first) for first in (0, 1))
        if (scans := sum(np.count_nonzero(pair == START_OF_SCAN) for pair in pairs)) > MAX_SCANS:
            raise PhotoError("photo.scans", scans=scans, most=MAX_SCANS)


@contextmanager
def any_size() -> Iterator[None]:
    """Pillow opens headers of any size meanwhile: `MAX_PIXELS` is the limit, with our own words."""
    with _LIMIT:
        limit, Image.MAX_IMAGE_PIXELS = Image.MAX_IMAGE_PIXELS, None
        try:
            yield
        finally:
            Image.MAX_IMAGE_PIXELS = limit


def _orientation(picture: Image.Image) -> int:
    try:
        return int(picture.getexif().get(ExifTags.Base.Orientation, 1))
    except Exception:  # broken EXIF is no reason to refuse a photo
        return 1


def _guess(data: bytes) -> str:
    """What the bytes look like instead, for people."""
    for name, magic in (
        ("GIF", b"GIF8"),
        ("PDF", b"%PDF"),
        ("TIFF", b"II*\0"),
        ("TIFF", b"MM\0*"),
        ("BMP", b"BM"),
        ("ZIP", b"PK\3\4"),
    ):
        if data.startswith(magic):
            return name
    if data[4:8] == b"ftyp":
        return "AVIF" if data[8:12] == b"avif" else "video"
    try:
        data[:64].decode("utf-8")
    except UnicodeDecodeError:
        return "other data"
    return "text"


def _register_heif() -> None:
    try:
        import pillow_heif  # noqa: PLC0415 - large, and only iPhone photos need it
    except ImportError:
        raise PhotoError("photo.heic") from None
    pillow_heif.register_heif_opener()


def _heif(data: bytes, scale: int) -> np.ndarray:
    try:
        with Image.open(io.BytesIO(data), formats=["HEIF"]) as picture:
            turned = ImageOps.exif_transpose(picture).convert("RGB")
            return cv2.cvtColor(np.asarray(turned.reduce(scale) if scale > 1 else turned), cv2.COLOR_RGB2BGR)
    except Exception as error:  # whatever a broken file makes the decoder say
        raise PhotoError("photo.truncated") from error
