"""A deck: its cards' faces as they look flat and upright, with names; kept as JSON and a file of pictures."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from common.file_kind import marked, unmarked
from common.json_file import MOST_NUMBER, bounded, json_value, read_profile, whole, write_json
from common.messages import Message, MisfitError
from common.whole_file import write_whole
from vision.cards.compare import Bank
from vision.cards.families import family_of_each
from vision.cards.features import Points, points_of_faces
from vision.cards.identify import DIFFERENT, variation
from vision.foreign import ForeignError, Limits, arrays, entry, members, npz, picture

JPEG_QUALITY = 95
FEW = 12
"""Pixels in which two faces must differ to be told apart."""
POINTS = ("place", "size", "turn", "look")


@dataclass(frozen=True)
class DeckLimits:
    """What a deck's files may hold."""

    cards: int = 600
    sides_mm: tuple[float, float] = (10.0, 400.0)  # sides of a card, from and to
    face: int = 3_000_000  # pixels of a card's picture: four to a millimetre of the largest
    faces: int = 32_000_000  # pixels of all pictures: a hundred cards of the usual size have nine million
    name: int = 200  # characters
    entry: int = 2000  # bytes of what is said of a card
    sizes: int = 40  # sizes of cards
    compared: int = 100  # cards of a size that are compared with each other, where a file does not say what they share
    sent: int = 12  # the same of a deck that was sent: cards made to be alike take 20 ms each two
    look: int = 128  # numbers by which a point's look is described


SETTINGS = DeckLimits()
PICTURES = Limits(SETTINGS.cards + 6 * SETTINGS.sizes)
"""What the file of a deck's pictures may hold: a picture a card, six arrays a size."""
IN_ARCHIVE = Limits(2)
"""What a deck that is sent may hold: its two files."""


class DeckError(MisfitError):
    """A deck that cannot be learned or read: `file` is its photo's or its own."""

    KEY = "misfit.deck"


@dataclass(frozen=True)
class Face:
    """One card: its public entry, its width and height in millimetres, its picture (h, w, 3) BGR."""

    entry: Mapping[str, Any]
    size_mm: tuple[float, float]
    picture: np.ndarray

    @property
    def back(self) -> bool:
        """Whether this is the back of the deck's cards."""
        return bool(self.entry.get("back", False))

    @property
    def counts_as(self) -> str:
        """The same for cards that only their ids tell apart: whatever they are for, one is as good as the other."""
        said = {key: value for key, value in self.entry.items() if key not in ("id", "size_mm")}
        return repr(sorted(said.items())) if said else str(self.entry.get("id"))


def look_the_same(faces: Sequence[Face]) -> list[tuple[str, str]]:
    """Ids of faces, laid on each other and lit alike, that do not differ in print."""
    return compared(faces)[0]


def compared(faces: Sequence[Face]) -> tuple[list[tuple[str, str]], list[list[int]]]:
    """See `look_the_same`; and the places of the faces that show one picture, for each picture."""
    out: list[tuple[str, str]] = []
    pictures: dict[tuple[int, int], list[int]] = {}
    for mine, bank in _by_size(faces):
        for i, first in zip(mine, bank.families.tolist(), strict=True):
            pictures.setdefault((mine[0], first), []).append(i)
        family, level = bank.families, len(bank.levels) - 1
        for k, one in enumerate(mine):
            for j, other in enumerate(mine[:k]):
                if family[k] == family[j] and (variation(bank, (j, k), level) > DIFFERENT).sum() < FEW:
                    out.append((str(faces[other].entry["id"]), str(faces[one].entry["id"])))
    return out, list(pictures.values())


def _by_size(faces: Sequence[Face]) -> Iterator[tuple[tuple[int, ...], Bank]]:
    """For each size which faces have it, and these ready to compare."""
    for size in sorted({face.size_mm for face in faces}):
        mine = tuple(i for i, face in enumerate(faces) if face.size_mm == size)
        pictures = [faces[i].picture for i in mine]
        yield mine, Bank(pictures, size, family_of_each(Bank(pictures, size)))


def _families(kept: np.ndarray, n: int) -> np.ndarray:
    """What a file says of its faces' families. Raises ValueError."""
    if kept.shape != (2, n) or kept.dtype.kind not in "iu" or (kept < 0).any() or (kept >= n).any():
        raise ValueError("no families")
    return kept


@dataclass(frozen=True)
class OneSize:
    """The faces of one size: which of the deck's they are, ready to compare, and the points by which they are found."""

    faces: tuple[int, ...]
    bank: Bank
    points: Points


@dataclass(frozen=True)
class Deck:
    """A deck's name, its cards' usual size, all its faces, and what they are found by."""

    name: str
    size_mm: tuple[float, float]
    faces: tuple[Face, ...]
    sizes: tuple[OneSize, ...]

    @classmethod
    def learnt(cls, name: str, size_mm: tuple[float, float], faces: Sequence[Face]) -> Deck:
        """A deck of these faces: the points by which they are found are looked for."""
        sizes = [
            OneSize(mine, bank, points_of_faces(bank.pictures, bank.families.tolist(), bank.size_mm))
            for mine, bank in _by_size(faces)
        ]
        return cls(name, size_mm, tuple(faces), tuple(sizes))

    def save(self, path: Path) -> None:
        """Write DECK.json, and beside it DECK.npz with pictures and points. Raises OSError."""
        beside = path.with_suffix(".npz")
        write_whole(beside, self.pictures())
        write_json(path, self.to_json(beside.name), indent=1)

    def to_json(self, pictures: str) -> dict[str, Any]:
        """The JSON object of the deck whose pictures lie in a file of this name."""
        cards = [{**face.entry, "size_mm": list(face.size_mm)} for face in self.faces]
        return marked("deck", {"deck": self.name, "size_mm": list(self.size_mm), "cards": cards, "pictures": pictures})

    def pictures(self) -> bytes:
        """The file of its pictures and points."""
        return npz(self._arrays())

    def _arrays(self) -> Iterator[tuple[str, np.ndarray]]:
        for i, face in enumerate(self.faces):
            yield f"face{i}", cv2.imencode(".jpg", face.picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1].ravel()
        for i, one in enumerate(self.sizes):
            yield f"faces{i}", np.array(one.faces)
            for name in POINTS:
                yield f"{name}{i}", getattr(one.points, name)
            yield f"family{i}", np.stack([one.bank.families, one.bank.kin])

    @classmethod
    def load(cls, path: Path) -> Deck:
        """Read a deck that was saved. Raises DeckError where it is none, OSError."""
        data = unmarked("deck", read_profile(path, DeckError, file=path.name), DeckError, file=path.name)
        if not isinstance(data, dict) or not isinstance(data.get("pictures"), str) or "\0" in data["pictures"]:
            raise DeckError("", "deck.object", data, file=path.name)
        beside = path.parent / data["pictures"]
        if beside.stat().st_size > PICTURES.packed:
            raise DeckError("", "deck.pictures", beside.stat().st_size, deck=path.name, file=beside.name)
        return cls.opened(data, beside.read_bytes(), path.name)

    @classmethod
    def opened(cls, data: Any, pictures: bytes, file: str, compared: int = SETTINGS.compared) -> Deck:
        """The deck of a JSON value and of the file of its pictures; `file` names it. Raises DeckError."""
        cards, size = _checked(data, file)
        try:
            kept = arrays(pictures, PICTURES)
            del pictures  # as large as what was in it
            return _built(data["deck"], size, cards, kept, compared)
        except (KeyError, ValueError, IndexError) as error:
            got = error if isinstance(error, ForeignError) else Message("deck.others")
            raise DeckError("", "deck.pictures", got, deck=data["deck"], file=file) from error


def _checked(data: Any, file: str) -> tuple[list[tuple[dict[str, Any], tuple[float, float]]], tuple[float, float]]:
    """Each card's entry and size, and the cards' usual size. Raises DeckError."""
    data = unmarked("deck", data, DeckError, file=file)
    good = isinstance(data, dict) and isinstance(data.get("cards"), list) and isinstance(data.get("deck"), str)
    if not good or not data["deck"].strip() or not data["cards"]:
        raise DeckError("", "deck.object", data, file=file)
    if not whole(data["deck"]) or len(data["deck"]) > SETTINGS.name:
        raise DeckError("deck", "deck.name", data["deck"], file=file, most=SETTINGS.name)
    if len(data["cards"]) > SETTINGS.cards:
        raise DeckError("cards", "deck.most", len(data["cards"]), file=file, most=SETTINGS.cards)
    usual, cards = _size(data.get("size_mm"), "size_mm", file), []
    for i, card in enumerate(data["cards"]):
        place = f"cards[{i}]"
        if not isinstance(card, dict) or not isinstance(card.get("id"), str) or not card["id"]:
            raise DeckError(place, "order.card", card, file=file)
        if not isinstance(card.get("kind", ""), str):
            raise DeckError(f"{place}.kind", "profile.word", card["kind"], file=file)
        if not isinstance(card.get("back", False), bool):
            raise DeckError(f"{place}.back", "profile.flag", card["back"], file=file)
        if not whole(card) or not bounded(card) or len(json.dumps(card)) > SETTINGS.entry:
            raise DeckError(place, "deck.entry", card, file=file, most=MOST_NUMBER, longest=SETTINGS.entry)
        size = _size(card.get("size_mm"), f"{place}.size_mm", file)
        said = {key: value for key, value in card.items() if key != "size_mm" or size != usual}
        cards.append((said, size))
    return cards, usual


def _size(value: Any, place: str, file: str) -> tuple[float, float]:
    least, most = SETTINGS.sides_mm
    sides: list[Any] = value if isinstance(value, list) and len(value) == 2 else [None]
    if not all(type(side) in (int, float) and least <= side <= most for side in sides):
        raise DeckError(place, "profile.size-mm", value, file=file, least=least, most=most)
    return float(sides[0]), float(sides[1])


def _built(
    name: str,
    usual: tuple[float, float],
    cards: Sequence[tuple[dict[str, Any], tuple[float, float]]],
    kept: Mapping[str, np.ndarray],
    compared: int,
) -> Deck:
    """Raises KeyError, ValueError, IndexError where the pictures or points are not these cards'."""
    faces, left = [], SETTINGS.faces
    for i, (said, size) in enumerate(cards):
        seen = picture(np.asarray(kept[f"face{i}"], np.uint8).tobytes(), min(left, SETTINGS.face))
        left -= seen.shape[0] * seen.shape[1]
        faces.append(Face(said, size, seen))
    sizes = []
    for i in range(len({face.size_mm for face in faces})):
        mine = tuple(int(k) for k in kept[f"faces{i}"])
        if len({faces[k].size_mm for k in mine}) != 1:
            raise ValueError("cards of several sizes")
        pictures, size = [faces[k].picture for k in mine], faces[mine[0]].size_mm
        known = kept.get(f"family{i}")
        if known is None and len(mine) > compared:  # seconds for each hundred pairs
            raise ForeignError("foreign.families", n=len(mine), most=compared)
        known = family_of_each(Bank(pictures, size)) if known is None else known
        bank = Bank(pictures, size, _families(known, len(mine)))
        sizes.append(OneSize(mine, bank, _points([kept[f"{name}{i}"] for name in POINTS])))
    if sorted(k for one in sizes for k in one.faces) != list(range(len(faces))):
        raise ValueError("cards without points")
    return Deck(name, usual, tuple(faces), tuple(sizes))


def _points(parts: Sequence[np.ndarray]) -> Points:
    """Points as they were kept. Raises ValueError where they are none."""
    points = Points(*parts)
    n = len(points.size)
    if [part.shape for part in parts] != [(n, 2), (n,), (n,), (n, SETTINGS.look)] or points.look.dtype != np.uint8:
        raise ValueError("points of another shape")
    if n and (
        np.abs(points.place).max() > SETTINGS.sides_mm[1]
        or points.size.min() <= 0
        or points.size.max() > SETTINGS.sides_mm[1]
    ):
        raise ValueError("points beyond any card")
    return points


def made_anew(archive: bytes) -> tuple[bytes, bytes]:
    """A deck that came as one file (a ZIP of its two), opened and written anew: JSON text and pictures.

    What was opened goes before the next is made of it. Raises ForeignError, DeckError, common.json_file.NotJsonError.
    """
    files = members(archive, IN_ARCHIVE)
    del archive
    deck = Deck.opened(json_value(entry(files, ".json")), entry(files, ".npz"), "deck.json", SETTINGS.sent)
    return json.dumps(deck.to_json("deck.npz"), ensure_ascii=False).encode(), deck.pictures()
