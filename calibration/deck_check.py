"""Whether an enrolled deck tells its own cards apart: its faces, photographed anew in drawn light, must come back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np

from calibration.card_edges import card_corners
from vision.cards.deck import Deck
from vision.cards.find import CardFinder
from vision.cards.still import FoundCard


@dataclass(frozen=True)
class CheckSettings:
    """How the photos are drawn in which a deck must know its own cards."""

    pixels: tuple[int, int] = (1920, 1080)  # of a photo, across and down
    dense: float = 1.8
    """Pixels a millimetre on the table: a table of a metre in such a photo, as people have it."""
    gap_mm: float = 12.0  # between cards
    turn: float = 4.0  # degrees by which a card lies askew, at most
    tilt: float = 0.12  # by how much the far side of the table is shorter, at most, in parts of it
    light: tuple[float, float] = (0.6, 1.1)  # how bright the photo is, from one end to another
    cast: float = 0.06  # how much the light's color differs: the logarithm of a channel's gain
    blur: tuple[float, float] = (0.5, 1.0)  # of the photo, in pixels
    noise: float = 4.0  # grey levels
    near: float = 0.3  # how far from its place a card is looked for, in parts of its shorter side
    tries: int = 2  # photos in which a card must fail to be complained of


SETTINGS = CheckSettings()


class Unsure(NamedTuple):
    """A card that a deck does not know for certain: places in `Deck.faces`."""

    card: int
    other: int | None  # what it may be taken for, if anything


def not_told_apart(deck: Deck, only: Sequence[int] | None = None, seed: int = 0) -> list[Unsure]:
    """The cards of a deck that are not named rightly and surely in photos drawn from its own faces.

    Args:
        deck: as it was learnt.
        only: places of the faces that are tried; None: all.
        seed: of the drawn photos; the same gives the same answer.

    A pair stands there once. Which of several cards that count the same it is is no question.
    """
    finder = CardFinder([deck])
    left = list(range(len(deck.faces))) if only is None else list(only)
    taken_for: dict[int, int | None] = {}
    for number in range(SETTINGS.tries):
        failed = []
        for photo, laid in _photos(deck, left, np.random.default_rng([seed, number])):
            finder.forget()
            cards = finder.find(photo)
            for face, corners in laid:
                seen = _at(cards, corners)
                if not _right(deck, face, seen):
                    failed.append(face)
                    taken_for[face] = _other(deck, face, seen)
        left = failed
        if not left:
            break
    pairs = {frozenset((face, taken_for[face])): Unsure(face, taken_for[face]) for face in reversed(left)}
    return sorted(pairs.values(), key=lambda one: one.card)


def _photos(
    deck: Deck, faces: Sequence[int], rng: np.random.Generator
) -> Iterator[tuple[np.ndarray, list[tuple[int, np.ndarray]]]]:
    """Photos (H, W, 3) BGR of cards in rows, and in each which face lies at which corners (4, 2)."""
    width, height = SETTINGS.pixels
    wide, high = (side / SETTINGS.dense for side in (width, height))
    left, gap = list(faces), SETTINGS.gap_mm
    while left:
        places: list[tuple[int, float, float]] = []
        y = gap
        while left and y + deck.faces[left[0]].size_mm[1] + gap <= high:
            x, row = gap, 0.0
            while left and x + deck.faces[left[0]].size_mm[0] + gap <= wide:
                w, h = deck.faces[left[0]].size_mm
                places.append((left.pop(0), x + w / 2, y + h / 2))
                x, row = x + w + gap, max(row, h)
            y += row + gap
        if not places:  # larger than the photo: it fills it
            w, h = deck.faces[left[0]].size_mm
            places.append((left.pop(0), wide / 2, high / 2))
        yield _taken(deck, places, rng)


def _taken(
    deck: Deck, places: Sequence[tuple[int, float, float]], rng: np.random.Generator
) -> tuple[np.ndarray, list[tuple[int, np.ndarray]]]:
    width, height = SETTINGS.pixels
    largest = max(max(deck.faces[face].size_mm) for face, *_ in places)
    dense = min(SETTINGS.dense, 0.85 * height / largest)
    far, lean = rng.uniform(0.3, 1, 2) * SETTINGS.tilt
    table = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    seen = np.array([[far * width / 2, far * height / 2], [width * (1 - far / 2), lean * height / 2],
                     [width, height], [0, height]], np.float32)  # fmt: skip
    to_photo = cv2.getPerspectiveTransform(table, seen) @ np.diag([dense, dense, 1.0])
    grain = cv2.GaussianBlur(rng.normal(0, 10, (height, width)).astype(np.float32), (0, 0), 2)
    photo: np.ndarray = np.array([92.0, 104.0, 118.0], np.float32) + grain[..., None]
    laid = []
    for face, x, y in places:
        one = deck.faces[face]
        angle = np.deg2rad(rng.uniform(-SETTINGS.turn, SETTINGS.turn))
        c, s = np.cos(angle), np.sin(angle)
        around = (card_corners(one.size_mm) - np.array(one.size_mm) / 2) @ np.array([[c, s], [-s, c]]) + [x, y]
        corners: np.ndarray = cv2.perspectiveTransform(around[None].astype(np.float64), to_photo)[0]
        _lay(photo, one.picture, corners)
        laid.append((face, corners))
    ends = rng.uniform(*SETTINGS.light, (2, 2)).astype(np.float32)
    photo *= cv2.resize(ends, (width, height), interpolation=cv2.INTER_LINEAR)[..., None]
    photo *= np.exp(rng.uniform(-SETTINGS.cast, SETTINGS.cast, 3)).astype(np.float32)
    photo = np.asarray(cv2.GaussianBlur(photo, (0, 0), float(rng.uniform(*SETTINGS.blur))))
    photo += rng.normal(0, SETTINGS.noise, photo.shape).astype(np.float32)
    return np.clip(photo, 0, 255).astype(np.uint8), laid


def _lay(photo: np.ndarray, picture: np.ndarray, corners: np.ndarray) -> None:
    """Lay a face on a photo (H, W, 3) float32, in place."""
    h, w = picture.shape[:2]
    own = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32) - 0.5
    shrunk = max(1.0, h / float(np.linalg.norm(corners[3] - corners[0])))
    soft = cv2.GaussianBlur(picture, (0, 0), 0.4 * shrunk).astype(np.float32)
    low = np.maximum(np.floor(corners.min(0)).astype(int) - 2, 0)
    high = np.minimum(np.ceil(corners.max(0)).astype(int) + 3, photo.shape[1::-1])
    to = cv2.getPerspectiveTransform(own, (corners - low).astype(np.float32))
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    laid = cv2.warpPerspective(soft, to, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    mask = cv2.warpPerspective(np.ones((h, w), np.float32), to, size, flags=cv2.INTER_LINEAR)[..., None]
    part = photo[low[1] : high[1], low[0] : high[0]]
    part += mask * (laid - part)


def _at(cards: Sequence[FoundCard], corners: np.ndarray) -> FoundCard | None:
    """The card that was found at a place."""
    side = min(float(np.linalg.norm(corners[1] - corners[0])), float(np.linalg.norm(corners[2] - corners[1])))
    far = [float(np.linalg.norm(card.corners.mean(0) - corners.mean(0))) for card in cards]
    return cards[int(np.argmin(far))] if far and min(far) < SETTINGS.near * side else None


def _right(deck: Deck, face: int, seen: FoundCard | None) -> bool:
    if seen is None or seen.entry is None:
        return seen is not None and deck.faces[face].back
    return not seen.doubtful and deck.faces[face].counts_as in _counted(deck, seen.entry["id"])


def _counted(deck: Deck, card: str) -> set[str]:
    """What the faces of an id count as."""
    return {one.counts_as for one in deck.faces if one.entry["id"] == card}


def _other(deck: Deck, face: int, seen: FoundCard | None) -> int | None:
    """The likeliest face that counts otherwise, of those for which a card was taken."""
    if seen is None:
        return None
    mine = deck.faces[face].counts_as
    other = {one.entry["id"]: i for i, one in enumerate(deck.faces) if one.counts_as != mine}
    likely = [entry["id"] for entry in (seen.entry, *seen.nearest) if entry is not None]
    return next((other[card] for card in likely if card in other), None)
