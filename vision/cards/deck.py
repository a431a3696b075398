"""A deck: its cards' faces as they look flat and upright, with names; kept as JSON and a file of pictures."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from common.json_file import read_profile, write_json
from common.messages import Message, MisfitError
from common.whole_file import write_whole
from vision.cards.compare import ONE_PICTURE, Bank
from vision.cards.features import Points, points_of_faces
from vision.cards.identify import DIFFERENT, variation

JPEG_QUALITY = 95
FEW = 12
"""Pixels in which two faces must differ to be told apart."""
POINTS = ("place", "size", "turn", "look")


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
    out: list[tuple[str, str]] = []
    for mine, bank in _by_size(faces):
        like, level = bank.alike(), len(bank.levels) - 1
        for k, one in enumerate(mine):
            for j, other in enumerate(mine[:k]):
                if like[k, j] > ONE_PICTURE and (variation(bank, (j, k), level) > DIFFERENT).sum() < FEW:
                    out.append((str(faces[other].entry["id"]), str(faces[one].entry["id"])))
    return out


def _by_size(faces: Sequence[Face]) -> Iterator[tuple[tuple[int, ...], Bank]]:
    """For each size which faces have it, and these ready to compare."""
    for size in sorted({face.size_mm for face in faces}):
        mine = tuple(i for i, face in enumerate(faces) if face.size_mm == size)
        yield mine, Bank([faces[i].picture for i in mine], size)


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
            OneSize(mine, bank, points_of_faces(bank.pictures, bank.families(), bank.size_mm))
            for mine, bank in _by_size(faces)
        ]
        return cls(name, size_mm, tuple(faces), tuple(sizes))

    def save(self, path: Path) -> None:
        """Write DECK.json, and beside it DECK.npz with pictures and points. Raises OSError."""
        cards = [{**face.entry, "size_mm": list(face.size_mm)} for face in self.faces]
        beside = path.with_suffix(".npz")
        data = {"deck": self.name, "size_mm": list(self.size_mm), "cards": cards, "pictures": beside.name}
        kept: dict[str, np.ndarray] = {}
        for i, face in enumerate(self.faces):
            kept[f"face{i}"] = cv2.imencode(".jpg", face.picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1].ravel()
        for i, one in enumerate(self.sizes):
            kept[f"faces{i}"] = np.array(one.faces)
            for name in POINTS:
                kept[f"{name}{i}"] = getattr(one.points, name)
        packed = io.BytesIO()
        np.savez(packed, **kept)  # type: ignore[arg-type]  # the stubs know of no names
        write_whole(beside, packed.getvalue())
        write_json(path, data, indent=1)

    @classmethod
    def load(cls, path: Path) -> Deck:
        """Read a deck that was saved. Raises DeckError where it is none, OSError."""
        data = read_profile(path, DeckError, file=path.name)
        good = isinstance(data, dict) and isinstance(data.get("cards"), list) and isinstance(data.get("deck"), str)
        if not good or not isinstance(data.get("pictures"), str) or not isinstance(data.get("size_mm"), list):
            raise DeckError("", "deck.object", data, file=path.name)
        beside = path.parent / data["pictures"]
        try:
            with np.load(beside, allow_pickle=False) as kept:
                return cls._taken(data, kept)
        except (KeyError, ValueError, IndexError, TypeError, OverflowError, zipfile.BadZipFile, cv2.error) as error:
            raise DeckError("", "deck.pictures", Message("deck.others"), deck=path.name, file=beside.name) from error

    @classmethod
    def _taken(cls, data: Mapping[str, Any], kept: Any) -> Deck:
        faces = []
        for i, card in enumerate(data["cards"]):
            width, height = card["size_mm"]
            picture = cv2.imdecode(kept[f"face{i}"], cv2.IMREAD_COLOR)
            if picture is None:
                raise ValueError(f"card {i} has no picture")
            entry = {key: value for key, value in card.items() if key != "size_mm"}
            if card["size_mm"] != data["size_mm"]:
                entry["size_mm"] = card["size_mm"]
            faces.append(Face(entry, (float(width), float(height)), picture))
        sizes = []
        for i in range(len({face.size_mm for face in faces})):
            mine = tuple(int(k) for k in kept[f"faces{i}"])
            bank = Bank([faces[k].picture for k in mine], faces[mine[0]].size_mm)
            sizes.append(OneSize(mine, bank, Points(*(kept[f"{name}{i}"] for name in POINTS))))
        width, height = data["size_mm"]
        return cls(data["deck"], (float(width), float(height)), tuple(faces), tuple(sizes))
