"""Find and name the cards of enrolled decks in a picture of a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from vision.cards.compare import Bank, align, density, likeness
from vision.cards.deck import Deck, OneSize
from vision.cards.features import points_of
from vision.cards.identify import identify
from vision.cards.poses import fit_table, local_frames, table_poses, votes

MOST_POINTS = 6000
"""Points of a picture that are looked at, the strongest."""
HIDDEN = 0.5
"""How likely a cell of a card is covered."""
LIKE, SPREAD = 0.92, 0.12
"""How alike a cell of the right face is, and how far below that it may come out."""
WORTH_A_LOOK, EVIDENCE = 4.0, 12.0
"""How much (natural logarithm of odds) must speak for a face at a rough place, and once it is laid on its print."""
NEARLY, MOST_TRIED = 0.5, 16
"""Faces that are told apart in detail: those with this part of the best one's evidence, at most so many."""
LEAST_OPEN = 20.0
"""Pixels of a face that must be in sight."""
SURE = 0.95
"""Confidence below which a name is doubtful."""
SIGN, CLEAR = 0.55, 0.25
"""A cell at least so much like the face is in sight; by so much more or less it is certain."""
AROUND = np.array([[0.3, 0.5, 0.3], [0.5, 1.0, 0.5], [0.3, 0.5, 0.3]], np.float32)
"""How much a cell's neighbours say of whether it is covered."""


@dataclass(frozen=True)
class FoundCard:
    """A card of a deck that lies in a picture.

    Attributes:
        deck: the deck's name.
        entry: its entry; None for a back.
        corners: (4, 2) in pixels, from the card's own top left.
        confidence: 0 to 1, how likely the name is right.
        doubtful: whether a person should look at it.
        nearest: where it is doubtful, the entries of the two likeliest cards.
    """

    deck: str
    entry: Mapping[str, Any] | None
    corners: np.ndarray
    confidence: float
    doubtful: bool
    nearest: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True)
class Laid:
    """A face laid on the picture: the deck's size group, millimetres to pixels (3, 3), the cells in sight (cells,)."""

    of: OneSize
    to_pixels: np.ndarray
    open: np.ndarray


@dataclass(frozen=True)
class Place:
    """Where a card may lie: how many points say so, which deck and size group, millimetres to pixels (3, 3)."""

    points: int
    deck: Deck
    of: OneSize
    to_pixels: np.ndarray


class CardFinder:
    """Finds the cards of some decks in pictures."""

    def __init__(self, decks: Sequence[Deck]) -> None:
        self.decks = list(decks)

    def find(self, image: np.ndarray) -> tuple[FoundCard, ...]:
        """The cards in a picture, (H, W, 3) BGR; those that most points speak for first."""
        return self.judge(image, self.places(image))

    def places(self, image: np.ndarray) -> list[Place]:
        """Where cards may lie, by the points that stand out; those that most points speak for first."""
        seen = points_of(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), MOST_POINTS)
        cast = [(deck, one, votes(seen, one.points)) for deck in self.decks for one in deck.sizes]
        frames = [frame for _, one, v in cast for frame in local_frames(v, min(one.bank.size_mm))]
        to_mm = fit_table(frames, image.shape)
        if to_mm is None:
            return []
        from_mm = np.linalg.inv(to_mm)
        found = [Place(p.points, deck, one, from_mm @ p.matrix) for deck, one, v in cast for p in table_poses(v, to_mm)]
        return sorted(found, key=lambda place: -place.points)

    def judge(self, image: np.ndarray, places: Sequence[Place]) -> tuple[FoundCard, ...]:
        """Which of the places hold cards, and which cards."""
        out: list[FoundCard] = []
        taken: list[Laid] = []
        for place in places:
            found = _look(image, place, taken)
            if found is not None:
                out.append(found[0])
                taken.append(found[1])
        return tuple(out)


def _look(image: np.ndarray, place: Place, taken: Sequence[Laid]) -> tuple[FoundCard, Laid] | None:
    bank, to_pixels = place.of.bank, place.to_pixels
    level = max((i for i, dense in enumerate(bank.levels) if dense <= 1.2 * density(to_pixels)), default=0)
    like, logs, hidden = _judged(image, bank, to_pixels, taken)
    for at, least in ((min(level, 1), WORTH_A_LOOK), (level, EVIDENCE)):
        score = logs.sum(0)
        face = int(score.argmax())
        if score[face] < least:
            return None
        to_pixels = align(bank, image, to_pixels, face, at)
        like, logs, hidden = _judged(image, bank, to_pixels, taken)
    score = logs.sum(0)
    order = np.argsort(-score, kind="stable")
    if score[order[0]] < EVIDENCE:
        return None
    tried = [int(i) for i in order[:MOST_TRIED] if score[i] > NEARLY * score[order[0]]]
    open_ = open_cells(like[:, tried].max(1), bank.textured()[:, tried].all(1), hidden, bank.grid)
    patch, inside = bank.patch(image, to_pixels, level)
    in_sight = cv2.resize(open_.astype(np.float32), inside.shape[::-1], interpolation=cv2.INTER_LINEAR) * inside
    if in_sight.sum() < LEAST_OPEN:
        return None
    verdict = identify(bank, patch, tried, level, np.asarray(in_sight, np.float32))
    odds = np.exp(verdict.logs)
    sure = float(odds[0] / odds.sum())
    faces = [place.deck.faces[place.of.faces[k]] for k in verdict.faces]
    doubtful = sure < SURE and not faces[0].back
    nearest = tuple(face.entry for face in faces[:2] if not face.back) if doubtful else ()
    entry = None if faces[0].back else faces[0].entry
    card = FoundCard(place.deck.name, entry, bank.corners(to_pixels), sure, doubtful, nearest)
    return card, Laid(place.of, to_pixels, open_.ravel())


def _judged(
    image: np.ndarray, bank: Bank, to_pixels: np.ndarray, taken: Sequence[Laid]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """How alike each cell is to each face, what that says for each face (cells, K), and which cells others cover."""
    like, seen = likeness(bank, image, to_pixels, 0)
    hidden: np.ndarray = covered(bank, to_pixels, taken)
    return like, cell_logs(bank, like, seen * ~hidden), np.asarray(hidden | (seen < 0.5))


def cell_logs(bank: Bank, like: np.ndarray, seen: np.ndarray) -> np.ndarray:
    """(cells, K): how much each cell speaks for each face, against any other card's face."""
    mean, spread = bank.usual()
    right = np.exp(-0.5 * (np.minimum(like - LIKE, 0) / SPREAD) ** 2) / SPREAD
    other = np.exp(-0.5 * ((like - mean[:, None]) / spread[:, None]) ** 2) / spread[:, None]
    ratio = right / np.maximum(other, 1e-6)
    return np.asarray(seen[:, None] * np.log((1 - HIDDEN) * np.minimum(ratio, 1e4) + HIDDEN))


def open_cells(like: np.ndarray, textured: np.ndarray, hidden: np.ndarray, grid: tuple[int, int]) -> np.ndarray:
    """(rows, columns) bool: where nothing covers a card, by how alike its cells are and their neighbours'."""
    speaks = (textured & ~hidden).reshape(grid).astype(np.float32)
    for_it = np.clip((like.reshape(grid) - SIGN) / CLEAR, -1, 1).astype(np.float32) * speaks
    around = cv2.filter2D(for_it, -1, AROUND, borderType=cv2.BORDER_CONSTANT)
    return np.asarray((around > 0) & ~hidden.reshape(grid))


def covered(bank: Bank, to_pixels: np.ndarray, taken: Sequence[Laid]) -> np.ndarray:
    """(cells,) bool: which cells of a card lie where other cards are in sight."""
    middles = bank.middles()
    at = np.concatenate([middles, np.ones((len(middles), 1))], 1) @ to_pixels.T
    out = np.zeros(len(middles), bool)
    for laid in taken:
        other = laid.of.bank
        rows, cols = other.grid
        u = at @ np.linalg.inv(laid.to_pixels).T
        cell = np.floor((u[:, :2] / u[:, 2:] / np.array(other.size_mm) + 0.5) * np.array([cols, rows])).astype(int)
        on = (cell >= 0).all(1) & (cell < np.array([cols, rows])).all(1)
        out[on] |= laid.open[cell[on, 1] * cols + cell[on, 0]]
    return out
