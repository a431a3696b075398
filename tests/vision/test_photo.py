"""Bytes to pixels: what people send, and what must be refused before it is decoded."""

from __future__ import annotations

import io
import struct
import zlib
from types import SimpleNamespace

import cv2
import numpy as np
import pytest
from PIL import Image

from common.messages import InputError
from vision import foreign, photo
from vision.errors import PhotoError
from vision.photo import check_cost, load_photo, open_photo


def picture(kind: str, width: int = 400, height: int = 300, **options) -> bytes:
    """A photo with a red left half."""
    pixels = np.full((height, width, 3), 200, np.uint8)
    pixels[:, : width // 2] = (200, 30, 30)
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, kind, **options)
    return out.getvalue()


def png_header(width: int, height: int) -> bytes:
    """A PNG that promises much and holds nothing."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(b"\0" * 100)) + chunk(b"IEND", b"")


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_each_kind_of_photo_is_read(kind):
    image = load_photo(picture(kind))
    assert image.shape == (300, 400, 3)
    blue, _, red = image[150, 50]
    assert red > 150 > blue


def test_heic_is_read():
    import pillow_heif  # noqa: PLC0415

    pillow_heif.register_heif_opener()
    image = load_photo(picture("HEIF"))
    assert image.shape == (300, 400, 3)
    assert image[150, 50, 2] > 150 > image[150, 50, 0]


@pytest.mark.parametrize(("orientation", "shape", "red_at"), [
    (1, (300, 400), (150, 50)),
    (3, (300, 400), (150, 350)),
    (6, (400, 300), (50, 150)),
    (8, (400, 300), (350, 150)),
])  # fmt: skip
def test_the_phones_orientation_is_applied(orientation, shape, red_at):
    exif = Image.Exif()
    exif[0x0112] = orientation
    image = load_photo(picture("JPEG", exif=exif))
    assert image.shape[:2] == shape
    assert image[red_at][2] > 150 > image[red_at][0]


@pytest.mark.parametrize("orientation", range(10))
@pytest.mark.parametrize("kind", ["RGB", "L", "CMYK"])
@pytest.mark.parametrize("size", [(401, 300), (4001, 150)])
def test_either_decoder_gives_the_same_pixels(kind, orientation, size, monkeypatch):
    exif = Image.Exif()
    exif[0x0112] = orientation
    out = io.BytesIO()
    pixels = cv2.resize(np.random.default_rng(0).integers(0, 255, (30, 40, 3), np.uint8), size)
    Image.fromarray(pixels).convert(kind).save(out, "JPEG", exif=exif)
    image = load_photo(out.getvalue())
    monkeypatch.setattr(photo, "simplejpeg", None)
    assert np.array_equal(image, load_photo(out.getvalue()))


@pytest.mark.parametrize("without", [True, False])
def test_a_photo_that_broke_off_is_refused_by_either_decoder(without, monkeypatch):
    if without:
        monkeypatch.setattr(photo, "simplejpeg", None)
    with pytest.raises(PhotoError) as caught:
        load_photo(picture("JPEG")[:-200])
    assert caught.value.key == "photo.truncated"


@pytest.mark.parametrize(("size", "scale"), [((400, 300), 1), ((3199, 2400), 1), ((4032, 3024), 2), ((8064, 6048), 4)])
def test_large_photos_are_decoded_smaller_and_points_lead_back(size, scale):
    opened = open_photo(picture("JPEG", *size))
    assert opened.scale == scale
    assert opened.image.shape[1] == -(-size[0] // scale)
    assert np.allclose(opened.full(np.array([[-0.5, -0.5]])), 0)
    assert np.allclose(opened.full(np.array([opened.image.shape[1] - 0.5, -0.5])), [opened.image.shape[1] * scale, 0])


@pytest.mark.parametrize(("size", "times", "larger"), [
    ((4031, 3023), 1.5, 2), ((4031, 3023), 3, 2), ((8064, 6048), 1.5, 2), ((8064, 6048), 3, 4),
    ((4031, 3023), 1, None), ((1600, 1200), 2, None),
])  # fmt: skip
@pytest.mark.parametrize("orientation", [1, 6])
def test_a_part_is_decoded_larger_where_the_file_holds_more(size, times, larger, orientation):
    exif = Image.Exif()
    exif[0x0112] = orientation
    opened = open_photo(picture("JPEG", *size, exif=exif))
    height, width = opened.image.shape[:2]
    closer = opened.closer(np.array([(0.4 * width, 0.4 * height), (width + 9, 0.7 * height)]), times)
    assert (closer and closer.larger) == larger
    if closer:
        smaller = cv2.resize(closer.image, None, fx=1 / larger, fy=1 / larger, interpolation=cv2.INTER_AREA)
        x, y = np.rint(-closer.within(np.array((-0.5, -0.5))) - 0.5).astype(int) // larger
        part = opened.image[y : y + len(smaller), x : x + smaller.shape[1]]
        assert smaller.shape[0] == pytest.approx(0.3 * height, abs=3)
        assert np.abs(smaller[:-2, :-2].astype(int) - part[:-2, :-2]).mean() < 2


@pytest.mark.parametrize(("data", "key"), [
    (b"", "photo.empty"),
    (b"hello, this is no picture", "photo.no-image"),
    (b"GIF89a" + b"\0" * 40, "photo.no-image"),
    (b"%PDF-1.7 ...", "photo.no-image"),
    (b"\x00\x00\x00\x20ftypisom" + b"\0" * 40, "photo.no-image"),
    (b"\xff\xd8\xff\xe0" + b"\0" * 20, "photo.truncated"),
    (png_header(30000, 30000), "photo.too-large"),
    (png_header(400, 300), "photo.truncated"),
    (picture("JPEG", 64, 64), "photo.too-small"),
    (picture("JPEG", 1200, 900)[:3000], "photo.truncated"),
    (picture("PNG", 1200, 900)[:900], "photo.truncated"),
])  # fmt: skip
def test_what_is_no_photo_is_said_in_one_line(data, key):
    with pytest.raises(PhotoError) as caught:
        load_photo(data)
    assert caught.value.key == key
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("length", [0x10000000, 0x70000000, 0xFFFFFFFF])
def test_a_chunk_that_lies_about_its_length_is_not_believed(monkeypatch, length):
    monkeypatch.setattr(cv2, "imdecode", lambda *_: pytest.fail("decoded"))
    good = picture("PNG", 200, 200)
    at = good.index(b"IDAT")
    with pytest.raises(PhotoError) as caught:
        load_photo(good[: at - 4] + struct.pack(">I", length) + good[at : at + 12])
    assert caught.value.key == "photo.truncated"


def test_bytes_after_the_end_of_a_png_do_no_harm():
    assert load_photo(picture("PNG", 200, 200) + b"more").shape == (200, 200, 3)


@pytest.mark.parametrize("scans", [1, 11, 101])
def test_a_jpeg_of_too_many_scans_is_refused_before_it_is_decoded(scans):
    data = picture("JPEG", 400, 300, progressive=True)
    at = data.index(b"\xff\xda")
    check = lambda: check_cost(data[:at] + b"\xff\xda\0\0" * (scans - 1) + data[at:])  # noqa: E731
    if scans < 100 - data.count(b"\xff\xda"):
        check()
    else:
        with pytest.raises(PhotoError, match="scans"):
            check()


@pytest.mark.parametrize("moved", [0, 1])
@pytest.mark.parametrize("door", [load_photo, lambda data: foreign.picture(data, 10**6)], ids=["photo", "of a deck"])
def test_a_progressive_photo_that_goes_on_and_on_is_decoded_at_no_door(undecoded, door, moved):
    """Its scans are whole ones, each of them decoded at the cost of a picture, wherever in the file they begin."""
    whole = picture("JPEG", 400, 300, progressive=True)
    first, end = whole.index(b"\xff\xda"), whole.rindex(b"\xff\xda")
    comment = b"\xff\xfe" + (2 + moved).to_bytes(2) + bytes(moved)
    again = -(-photo.MAX_SCANS // (whole.count(b"\xff\xda") - 1)) - 1  # a few more than the limit, here and there
    data = whole[:2] + comment + whole[2:end] + whole[first:end] * again + whole[end:]
    assert photo.MAX_SCANS < data.count(b"\xff\xda") < photo.MAX_SCANS + 12
    with pytest.raises(InputError, match=r"photo\.scans|foreign\.no-picture"):
        door(data)
    assert undecoded == []


def test_a_picture_bomb_is_not_unpacked(undecoded):
    with pytest.raises(PhotoError):
        load_photo(png_header(40000, 40000))
    assert undecoded == []


@pytest.fixture
def undecoded(monkeypatch):
    """What a decoder was given all the same."""
    given = []
    monkeypatch.setattr(cv2, "imdecode", lambda *_: given.append("OpenCV"))
    monkeypatch.setattr(photo, "simplejpeg", SimpleNamespace(decode_jpeg=lambda *_, **__: given.append("simplejpeg")))
    return given
