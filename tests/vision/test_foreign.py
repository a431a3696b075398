"""Files that people send each other are opened in one place, within limits, and what is none is said in one line."""

from __future__ import annotations

import ast
import io
import json
import struct
import subprocess
import sys
import tracemalloc
import zipfile
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from common.messages import InputError
from companion.words.words import words
from training.synth.cards import SIZE_MM, face
from vision.cards import deck
from vision.cards.deck import Deck, DeckError, Face, made_anew
from vision.decoder import Decoder
from vision.errors import PhotoError
from vision.foreign import ForeignError, Limits, arrays, members, picture

ROOT = Path(__file__).parents[2]
OPENING = {  # the benches open pictures of their own
    "cv2.imdecode": {"vision/photo.py", "vision/foreign.py", "bench/sheet.py", "bench/strangers/photos.py"},
    "simplejpeg.decode_jpeg": {"vision/photo.py"},
    "Image.open": {"vision/photo.py", "vision/pages.py"},
    "pypdfium2.PdfDocument": {"vision/pages.py"},
    # Weights of our own, and letters that the companion kept itself.
    "np.load": {"vision/sheet/print_evidence.py", "vision/table/classifier.py", "vision/sheet/packed.py"},
    "np.lib.format": {"vision/foreign.py"},
    # All but the first write.
    "zipfile.ZipFile": {
        "vision/foreign.py",
        "companion/reading/misread.py",
        "companion/web/decks.py",
        "bench/hostile.py",
    },
    "zlib.decompressobj": {"companion/cases/address.py"},  # of so many bytes at most
    "pickle.loads": {"bench/mutants.py"},  # what its own children say
    **{
        f"request.{what}": {"companion/web/request_body.py"}
        for what in ("get_data", "data", "stream", "files", "form", "json", "get_json", "values", "input_stream")
    },
}
"""What opens bytes from elsewhere, and the only files that may name it."""


def test_nothing_outside_the_one_way_in_opens_bytes_from_elsewhere() -> None:
    wrong = set()
    for room in ("common", "companion", "vision", "calibration", "referee", "scoring", "bench"):
        for path in sorted((ROOT / room).rglob("*.py")):
            named = {ast.unparse(node) for node in ast.walk(ast.parse(path.read_text("utf-8"))) if attribute(node)}
            opened = {name.replace("numpy", "np") for name in named} & OPENING.keys()
            wrong |= {(path.name, one) for one in opened if path.relative_to(ROOT).as_posix() not in OPENING[one]}
    assert not wrong


def attribute(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute)


@pytest.mark.parametrize("name", ["zipfile", "zlib", "gzip", "bz2", "lzma", "pickle", "tarfile", "marshal", "shelve"])
def test_what_unpacks_is_imported_whole_so_that_its_use_is_seen(name: str) -> None:
    for room in ("companion", "vision", "calibration", "bench"):
        for path in (ROOT / room).rglob("*.py"):
            imports = [
                node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.ImportFrom)
            ]
            assert name not in {node.module for node in imports}, path


FACES = [face(1), face(2)]
CARDS = [{"id": str(i + 1), "kind": "development", "points": i, "size_mm": list(SIZE_MM)} for i in range(2)]
GOOD: dict[str, Any] = {"deck": "two", "size_mm": list(SIZE_MM), "cards": CARDS, "pictures": "deck.npz"}


@pytest.fixture(scope="module")
def kept() -> dict[str, np.ndarray]:
    """The arrays of a good deck."""
    learnt = Deck.learnt("two", SIZE_MM, [Face(card, SIZE_MM, one) for card, one in zip(CARDS, FACES, strict=True)])
    return dict(arrays(learnt.pictures(), Limits(20)))


@pytest.fixture(scope="module")
def decoder() -> Any:
    decoder = Decoder()
    yield decoder
    decoder.close()


def npz(kept: dict[str, np.ndarray], packed: bool = False) -> bytes:
    out = io.BytesIO()
    (np.savez_compressed if packed else np.savez)(out, **kept)
    return out.getvalue()


def archive(text: bytes | dict[str, Any], pictures: bytes, method: int = zipfile.ZIP_STORED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as file:
        file.writestr("deck.json", text if isinstance(text, bytes) else json.dumps(text))
        file.writestr("deck.npz", pictures)
    return out.getvalue()


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width: int, height: int, rows: bytes | None = None) -> np.ndarray:
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    rows = zlib.compress(bytes((1 + 3 * width) * height), 9) if rows is None else rows
    data = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
    return np.frombuffer(data, np.uint8)


LIES = (
    b"\x89PNG\r\n\x1a\n"
    + chunk(b"IHDR", struct.pack(">IIBBBBB", 200, 200, 8, 2, 0, 0, 0))
    + b"\xff\xff\xff\xffIDATxxxx"
)


def with_card(**more: Any) -> dict[str, Any]:
    return {**GOOD, "cards": [{**CARDS[0], **more}, CARDS[1]]}


JSONS: dict[str, Any] = {
    "no cards": {**GOOD, "cards": []},
    "a name with half a character": {**GOOD, "deck": "\ud800"},
    "a name without a letter": {**GOOD, "deck": "  "},
    "a name without end": {**GOOD, "deck": "x" * 60_000},
    "a name that is none": {**GOOD, "deck": ["x"]},
    "size 0": {**GOOD, "size_mm": [0, 88]},
    "size NaN": {**GOOD, "size_mm": [float("nan"), 88]},
    "size infinite": {**GOOD, "size_mm": [float("inf"), 88]},
    "size 1e308": {**GOOD, "size_mm": [1e308, 88]},
    "size 1e-308": {**GOOD, "size_mm": [1e-308, 88]},
    "size true": {**GOOD, "size_mm": [True, 88]},
    "size 2^40": {**GOOD, "size_mm": [2**40, 88]},
    "size a text": {**GOOD, "size_mm": "63x88"},
    "a card's size 0": with_card(size_mm=[0, 88]),
    "a card's size three": with_card(size_mm=[63, 88, 1]),
    "kind an object": with_card(kind={"a": 1}),
    "kind a list": with_card(kind=["a"]),
    "back a number": with_card(back=1),
    "a card without an id": {**GOOD, "cards": [{"size_mm": [63, 88]}]},
    "a card that is a list": {**GOOD, "cards": [[1], [2]]},
    "points 2^40": with_card(points=2**40),
    "points NaN": with_card(points=float("nan")),
    "points deep within 2^40": with_card(cost={"white": [1, {"a": 2**40}]}),
    "a card of which too much is said": with_card(cost=[[]] * 1000),
    "a word with half a character": with_card(bonus="\udc00"),
    "more cards than pictures": {**GOOD, "cards": [*CARDS, *CARDS]},
    "a million cards": {**GOOD, "cards": [CARDS[0]] * 20_000},
    "a list": [GOOD],
    "no JSON": b"{",
    "no UTF-8": b"\xff\xfe",
    "nested without end": b"[" * 100_000,
    "a number of a million digits": b'{"deck": ' + b"9" * 1_000_000 + b"}",
    "a key twice": b'{"deck": "a", "deck": "b"}',
}


@pytest.mark.parametrize("what", JSONS)
def test_a_deck_whose_text_is_none_is_refused_in_a_line(kept: dict[str, np.ndarray], what: str) -> None:
    refused(archive(JSONS[what], npz(kept)))


def refused(data: bytes) -> None:
    """It costs little memory and is said in both languages."""
    tracemalloc.start()
    try:
        with pytest.raises(InputError) as said:
            made_anew(data)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 150 * 1024 * 1024
    for language in ("en", "ja"):
        line = words(language).told(said.value)
        assert line != said.value.key
        assert "\n" not in line
        assert len(line) < 400


SWAPS: dict[str, dict[str, Any]] = {
    "a picture's chunk that lies of its length": {"face0": np.frombuffer(LIES, np.uint8)},
    "a picture of 225 megapixels": {"face0": png(15000, 15000, b"x")},
    "a picture of 9 megapixels": {"face0": png(3000, 3000)},
    "a picture cut off": {"face0": png(63, 88)[:-40]},
    "a picture that is text": {"face0": np.frombuffer(b"hello", np.uint8)},
    "pictures of numbers with commas": {"face0": np.zeros((88, 63), np.float64)},
    "points far away": {"place0": lambda place: np.full_like(place, 1e9)},
    "points of no size": {"size0": np.zeros_like},
    "points larger than any card": {"size0": lambda size: np.full_like(size, 1e9)},
    "points of another shape": {"place0": lambda place: np.pad(place, ((0, 0), (0, 1)))},
    "looks of another kind": {"look0": lambda look: look.astype(np.float32)},
    "faces that are not there": {"faces0": np.array([0, 7])},
    "faces from behind": {"faces0": np.array([0, -1])},
    "faces twice": {"faces0": np.array([0, 0])},
}


@pytest.mark.parametrize("what", SWAPS)
def test_a_deck_whose_pictures_are_none_is_refused_in_a_line(kept: dict[str, np.ndarray], what: str) -> None:
    ((name, other),) = SWAPS[what].items()
    refused(archive(GOOD, npz({**kept, name: other(kept[name]) if callable(other) else other})))


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("name", ["place0", "size0", "turn0"])
def test_a_deck_of_numbers_that_are_none_is_refused(kept: dict[str, np.ndarray], name: str, number: float) -> None:
    odd = kept[name].astype(float)
    odd.flat[-1] = number
    with pytest.raises(DeckError) as said:
        made_anew(archive(GOOD, npz({**kept, name: odd})))
    assert f"{name}.npy" in words("en").told(said.value)


def test_a_deck_of_more_cards_than_are_kept_is_refused(
    kept: dict[str, np.ndarray], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deck, "SETTINGS", replace(deck.SETTINGS, cards=1))
    with pytest.raises(DeckError) as said:
        made_anew(archive(GOOD, npz(kept)))
    assert said.value.expected.key == "deck.most"


def test_cards_of_which_nobody_says_what_they_share_are_compared_up_to_a_limit(
    kept: dict[str, np.ndarray], monkeypatch: pytest.MonkeyPatch
) -> None:
    silent = archive(GOOD, npz({name: one for name, one in kept.items() if name != "family0"}))
    assert made_anew(silent)
    monkeypatch.setattr(deck, "SETTINGS", replace(deck.SETTINGS, sent=1))
    monkeypatch.setattr(deck, "family_of_each", lambda *_: pytest.fail("compared"))
    with pytest.raises(DeckError) as said:
        made_anew(silent)
    assert "which of its 2 cards show one picture" in words("en").told(said.value)
    assert made_anew(archive(GOOD, npz(kept)))


LIMITS: dict[str, dict[str, int]] = {
    "of one picture": {"face": FACES[0].shape[0] * FACES[0].shape[1] - 1},
    "of all pictures": {"faces": 2 * FACES[0].shape[0] * FACES[0].shape[1] - 1},
}


@pytest.mark.parametrize("what", LIMITS)
def test_a_deck_of_too_many_pixels_is_refused_before_they_are_decoded(
    kept: dict[str, np.ndarray], monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    decoded: list[int] = []
    real = cv2.imdecode
    monkeypatch.setattr(cv2, "imdecode", lambda *how: decoded.append(1) or real(*how))
    monkeypatch.setattr(deck, "SETTINGS", replace(deck.SETTINGS, **LIMITS[what]))
    with pytest.raises(DeckError) as said:
        made_anew(archive(GOOD, npz(kept)))
    assert "pixels" in words("en").told(said.value)
    assert len(decoded) == list(LIMITS).index(what)


def odd_archives(kept: dict[str, np.ndarray]) -> dict[str, bytes]:
    good = archive(GOOD, npz(kept))
    sealed = bytearray(good)
    for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        sealed[good.index(mark) + at] |= 1
    method = bytearray(good)
    for mark, at in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
        method[good.index(mark) + at] = 99
    many = io.BytesIO()
    with zipfile.ZipFile(many, "w") as file:
        for i in range(1000):
            file.writestr(f"{i}.json", b"")
    named = io.BytesIO()
    with zipfile.ZipFile(named, "w") as file:
        file.writestr("x" * 60_000, b"")
    objects = npz({**kept, "face0": np.array([{"a": 1}], object)})
    return {
        "sealed": bytes(sealed),
        "another method": bytes(method),
        "a thousand files": many.getvalue(),
        "a name of 60,000 characters": named.getvalue(),
        "cut off": good[: len(good) // 2],
        "empty": b"",
        "no archive": b"no deck",
        "60 MB of blanks": archive(b" " * 60_000_000, npz(kept), zipfile.ZIP_DEFLATED),
        "400 MB of zeros within": archive(GOOD, npz({**kept, "place0": np.zeros((25_000_000, 2))}, packed=True)),
        "pictures that are code": archive(GOOD, objects),
        "pictures that are no archive": archive(GOOD, b"x" * 100),
        "a head that is Python nested without end": archive(GOOD, with_head(b"(" * 900)),
        "a head that is longer than the file": archive(
            GOOD, with_head(b"{'descr':'<f8','fortran_order':0,'shape':(9**9,)}")
        ),
    }


def with_head(head: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        file.writestr("face0.npy", b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head)
    return out.getvalue()


def test_an_archive_that_is_none_is_refused_in_a_line(kept: dict[str, np.ndarray]) -> None:
    for what, data in odd_archives(kept).items():
        try:
            refused(data)
        except BaseException as error:
            raise AssertionError(what) from error


def large_decks(kept: dict[str, np.ndarray]) -> dict[str, bytes]:
    """Decks as large as they may be: by their pictures, by their points, by what they inflate to."""
    noise = np.random.default_rng(0).integers(0, 255, (1990, 1500, 3), np.uint8)
    pictures = {f"face{i}": cv2.imencode(".jpg", noise)[1].ravel() for i in range(10)}
    cards = [{"id": str(i), "size_mm": [100.0, 133.0]} for i in range(len(pictures))]
    whole = {**GOOD, "size_mm": [100.0, 133.0], "cards": cards}
    alone = np.tile(np.arange(len(pictures)), (2, 1))
    rest = {name: one for name, one in kept.items() if not name.startswith(("face", "family"))}
    n = 400_000
    points = {"place0": np.ones((n, 2)), "size0": np.ones(n), "look0": np.zeros((n, 128), np.uint8)}
    return {
        "pictures": archive(whole, npz({**rest, **pictures, "faces0": alone[0], "family0": alone})),
        "points": archive(GOOD, npz({**kept, **points})),
        "blanks": archive(b" " * 60_000_000, npz(kept), zipfile.ZIP_DEFLATED),
    }


@pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")
def test_the_largest_deck_costs_300_megabytes_at_most(kept: dict[str, np.ndarray]) -> None:
    for what, data in large_decks(kept).items():
        done = subprocess.run([sys.executable, "-c", MAKES_ANEW], input=data, capture_output=True, check=True)
        assert int(done.stdout) / 1024 < 300, what


MAKES_ANEW = """
import sys
from contextlib import suppress
from pathlib import Path
import vision.decoder
from common.messages import InputError
from vision.cards.deck import made_anew
with suppress(InputError):
    made_anew(sys.stdin.buffer.read())
status = Path("/proc/self/status").read_text("ascii").splitlines()
print(next(line.split()[1] for line in status if line.startswith("VmHWM")))
"""
"""As the process does that decks are opened in. It says at its end how much it held (kB)."""


def test_the_process_that_opened_a_deck_is_gone(kept: dict[str, np.ndarray]) -> None:
    decoder = Decoder()
    decoder.deck(archive(GOOD, npz(kept)))
    assert not decoder.process.is_alive()
    with pytest.raises(PhotoError):
        decoder.open(b"no photo")
    assert decoder.process.is_alive()
    decoder.close()


def test_a_good_deck_comes_out_of_the_decoders_process_as_it_was(kept: dict[str, np.ndarray], decoder: Decoder) -> None:
    text, pictures = decoder.deck(archive(GOOD, npz(kept)))
    made = Deck.opened(json.loads(text), pictures, "deck.json")
    assert (made.name, made.size_mm) == ("two", SIZE_MM)
    assert [card.entry["points"] for card in made.faces] == [0, 1]
    assert len(made.sizes[0].points) == len(kept["size0"])
    for drawn, one in zip(FACES, made.faces, strict=True):
        assert abs(drawn.astype(float) - one.picture).mean() < 4


def test_the_process_says_of_a_bad_deck_what_is_wrong_and_opens_the_next(
    kept: dict[str, np.ndarray], decoder: Decoder
) -> None:
    with pytest.raises(ForeignError) as said:
        decoder.deck(archive(with_card(points=2**40), npz(kept)))
    assert "cards[0]" in words("en").told(said.value)
    assert decoder.deck(archive(GOOD, npz(kept)))


def test_a_deck_that_takes_too_long_is_given_up(kept: dict[str, np.ndarray]) -> None:
    decoder = Decoder(seconds=0.0)
    try:
        with pytest.raises(ForeignError, match=r"foreign\.too-costly"):
            decoder.deck(archive(GOOD, npz(kept)))
    finally:
        decoder.close()


def test_the_limits_of_an_archive_are_looked_at_before_it_is_inflated() -> None:
    data = archive(b" " * 5000, b"x", zipfile.ZIP_DEFLATED)
    assert members(data, Limits(2, unpacked=5001)).keys() == {"deck.json", "deck.npz"}
    for limits in (Limits(1), Limits(2, unpacked=5000), Limits(2, packed=len(data) - 1), Limits(2, name=8)):
        with pytest.raises(ForeignError):
            members(data, limits)


def test_a_picture_is_opened_up_to_its_limit() -> None:
    data = cv2.imencode(".png", FACES[0])[1].tobytes()
    pixels = FACES[0].shape[0] * FACES[0].shape[1]
    assert np.array_equal(picture(data, pixels), FACES[0])
    with pytest.raises(ForeignError, match=r"foreign\.picture"):
        picture(data, pixels - 1)


def test_a_deck_on_disk_whose_pictures_are_another_file_is_named(tmp_path: Path, kept: dict[str, np.ndarray]) -> None:
    (tmp_path / "deck.npz").write_bytes(b"no pictures")
    (tmp_path / "deck.json").write_text(json.dumps(GOOD))
    with pytest.raises(DeckError, match=r"deck\.json"):
        Deck.load(tmp_path / "deck.json")
