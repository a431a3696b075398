"""Files of several pages: each page is a photo, and what is none is said in one line."""

import io

import cv2
import numpy as np
import pytest
from PIL import Image

from vision.decoder import Decoder
from vision.errors import PhotoError
from vision.pages import page_count, page_of, page_path, pages
from vision.photo import load_photo
from vision.sheet.diagnose import is_bare

SHADES = (40, 120, 200)


def paged(kind: str, shades: tuple[int, ...] = SHADES) -> bytes:
    """A file with a page of each shade, 300 by 400 pixels, a white square in its top left."""
    made = []
    for shade in shades:
        page = np.full((400, 300, 3), shade, np.uint8)
        page[:100, :100] = 255
        made.append(Image.fromarray(page))
    out = io.BytesIO()
    made[0].save(out, kind, save_all=True, append_images=made[1:])
    return out.getvalue()


def bare(width: int, height: int) -> bytes:
    """A page on which nothing stands, of few bytes however large it is."""
    out = io.BytesIO()
    Image.new("1", (width, height)).save(out, "TIFF", compression="group4")
    return out.getvalue()


@pytest.mark.parametrize("kind", ["PDF", "TIFF"])
def test_each_page_is_a_photo(kind: str) -> None:
    found = [load_photo(page) for page in pages(paged(kind))]
    assert [image.shape[1] * 4 == image.shape[0] * 3 for image in found] == [True] * 3
    assert [round(float(np.median(image)) / 4) for image in found] == [shade // 4 for shade in SHADES]
    assert all(image[: len(image) // 5, : image.shape[1] // 4].min() > 240 for image in found)


@pytest.mark.parametrize("kind", ["PDF", "TIFF"])
def test_the_process_for_files_from_outside_gives_the_same(kind: str) -> None:
    decoder = Decoder()
    try:
        assert decoder.pages(paged(kind)) == pages(paged(kind))
        with pytest.raises(PhotoError) as raised:
            decoder.pages(paged(kind)[:120])
        assert raised.value.key == "photo.truncated"
    finally:
        decoder.close()


def test_a_picture_is_one_page_and_stays_as_it_is() -> None:
    data = cv2.imencode(".png", np.zeros((200, 200, 3), np.uint8))[1].tobytes()
    assert pages(data) == [data]


@pytest.mark.parametrize(
    ("data", "number", "key"),
    [
        (paged("TIFF"), 4, "photo.no-page"),
        (paged("PDF"), 0, "photo.no-page"),
        (b"%PDF-1.7 nothing", 1, "photo.truncated"),
        (b"II*\0nothing", 1, "photo.truncated"),
        (paged("TIFF", (9,) * 25), 1, "photo.pages"),
        (bare(12_000, 6000), 1, "photo.too-large"),
        (paged("TIFF")[:-20_000], 3, "photo.truncated"),
    ],
)
def test_a_page_that_is_not_there_is_said(data: bytes, number: int, key: str) -> None:
    with pytest.raises(PhotoError) as raised:
        page_of(data, number)
    assert raised.value.key == key


@pytest.mark.parametrize(
    ("path", "file", "number"),
    [
        ("a.pdf#2", "a.pdf", 2),
        ("b/a.TIF#12", "b/a.TIF", 12),
        ("a.pdf", "a.pdf", 1),
        ("a#2.jpg", "a#2.jpg", 1),
        ("a.jpg#2", "a.jpg#2", 1),
        ("a.pdf#x", "a.pdf#x", 1),
    ],
)
def test_a_path_may_name_a_page(path: str, file: str, number: int) -> None:
    assert page_path(path) == (file, number)


def test_pages_are_counted() -> None:
    assert [page_count(paged(kind)) for kind in ("PDF", "TIFF")] == [3, 3]


def bare_page(noise: float, slope: float) -> np.ndarray:
    """A page as a phone's scanner takes it: grain, and light that falls off, gray levels."""
    rng = np.random.default_rng(0)
    page = 235 + rng.normal(0, noise, (1400, 1000, 3)) - np.linspace(0, slope, 1000)[:, None]
    return np.clip(page, 0, 255).astype(np.uint8)


@pytest.mark.parametrize(("noise", "slope"), [(0, 0), (3, 0), (2, 60), (6, 30)])
def test_a_page_on_which_nothing_stands_is_bare(noise: float, slope: float) -> None:
    page = bare_page(noise, slope)
    assert is_bare(page)
    cv2.rectangle(page, (200, 300), (800, 900), (90, 90, 90), 4)  # a sheet's frame is the least there may be
    assert not is_bare(page)
