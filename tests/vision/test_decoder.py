"""Photos are opened in another process as they are here; one that costs too much ends that process and no other."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator

import cv2
import numpy as np
import pytest

from vision.decoder import Decoder
from vision.errors import PhotoError
from vision.photo import open_photo

WIDE = cv2.GaussianBlur(np.random.default_rng(3).integers(0, 256, (1700, 3300, 3), np.uint8), (0, 0), 3)
SMALL = np.ascontiguousarray(WIDE[:200, :300])


def encoded(kind: str, image: np.ndarray) -> bytes:
    return cv2.imencode(kind, image)[1].tobytes()


@pytest.fixture(scope="module")
def decoder() -> Iterator[Decoder]:
    decoder = Decoder()
    yield decoder
    decoder.close()


@pytest.mark.parametrize(("kind", "image"), [(".jpg", WIDE), (".jpg", SMALL), (".png", SMALL), (".webp", SMALL)])
def test_the_pixels_are_the_same(decoder: Decoder, kind: str, image: np.ndarray) -> None:
    data = encoded(kind, image)
    here, there = open_photo(data), decoder.open(data)
    assert there.scale == here.scale
    assert np.array_equal(there.image, here.image)
    parts = [one.closer(np.array([(90.0, 70.0), (400.0, 300.0)]), 2) for one in (here, there)]
    assert (parts[0] is None) == (parts[1] is None) == (here.scale == 1)
    if parts[0] and parts[1]:
        assert np.array_equal(parts[0].image, parts[1].image)


def test_what_a_photo_held_stays_when_the_next_one_comes(decoder: Decoder) -> None:
    first = decoder.open(encoded(".png", SMALL)).image
    decoder.open(encoded(".png", 255 - SMALL))
    assert np.array_equal(first, SMALL)


@pytest.mark.parametrize("data", [b"", b"GIF89a", encoded(".jpg", WIDE)[:9000], encoded(".png", SMALL)[:300]])
def test_what_is_no_photo_is_refused_in_the_same_words(decoder: Decoder, data: bytes) -> None:
    with pytest.raises(PhotoError) as here:
        open_photo(data)
    with pytest.raises(PhotoError) as there:
        decoder.open(data)
    assert there.value.to_json() == here.value.to_json()


def huge_png() -> bytes:
    """36 megapixels of nothing: 108 MB decoded, a few kilobytes as a file."""
    side = 6000

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    rows = zlib.compress(bytes((1 + 3 * side) * side), 1)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def test_a_photo_that_takes_too_much_memory_is_refused_and_the_next_one_opened() -> None:
    decoder = Decoder(memory=60)
    try:
        with pytest.raises(PhotoError, match=r"photo\.(too-costly|truncated)"):
            decoder.open(huge_png())
        assert np.array_equal(decoder.open(encoded(".png", SMALL)).image, SMALL)
    finally:
        decoder.close()


def test_a_photo_that_takes_too_long_is_refused_and_the_next_one_opened() -> None:
    decoder = Decoder(seconds=0.0)
    data = encoded(".jpg", WIDE)
    try:
        with pytest.raises(PhotoError, match=r"photo\.too-costly"):
            decoder.open(data)
        decoder._seconds = 60.0
        assert decoder.open(data).image.shape == (850, 1650, 3)
    finally:
        decoder.close()
