"""People's corrections of tiles and cards: each applies while its piece lies there, goes with a moved tile."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from secrets import token_hex
from typing import Any, NamedTuple, Self

import cv2
import numpy as np

from companion.record import What
from vision.table.reading import SAID, Card, TableReading, Tile, tile_problems

Piece = Tile | Card
SAME_PLACE = 0.4
"""How far, in tiles, a tile's center may wander and still be the same tile in the same place."""
SAME_CARD = 0.15
"""The same for a card, in the side of a square of its size: another may lie a strip beside it."""
IN_PIXELS = 10.0
"""Widths of a picture, or of an area, that nothing lies away from its corner."""


@dataclass(frozen=True)
class Correction:
    """Of the piece at a place, seen as one thing, a person says what it `is`; `card`: whether it is a card.

    `at` is in the zone's own coordinates (0 to 1 both ways) where the zone has four corners, else in widths of the
    picture; `reach` is how far from there the tile's center may lie.
    """

    zone: str | None
    at: tuple[float, float]
    reach: tuple[float, float]
    seen: str
    is_: What
    card: bool = False
    id: str = ""  # told from others by it, wherever the piece is moved

    def to_json(self) -> dict[str, Any]:
        """All of it, as JSON."""
        return asdict(self)

    @classmethod
    def from_json(cls, said: Mapping[str, Any]) -> Self:
        """The correction that was kept."""
        return cls(**{**said, "at": tuple(said["at"]), "reach": tuple(said["reach"])})

    def in_widths(self, width: float) -> Self:
        """What an older version kept in pixels of a picture of that width; any other as it is."""
        if width <= IN_PIXELS or max(self.at) <= IN_PIXELS:
            return self
        (x, y), (across, down) = self.at, self.reach
        return replace(self, at=(x / width, y / width), reach=(across / width, down / width))


class Unplaced(NamedTuple):
    """A correction of the piece at a point of the picture, in its widths, while other areas are not yet found."""

    at: tuple[float, float]
    said: Correction


class Corrections:
    """What people have said of the tiles on the table, whatever size its pictures have."""

    def __init__(
        self, said: tuple[Correction, ...] = (), unplaced: tuple[Unplaced, ...] = (), width: float = 1.0
    ) -> None:
        self.said = said
        """All that holds."""
        self.width = width
        """Pixels of the width of the pictures that are read."""
        self._unplaced = unplaced
        self._before: TableReading | None = None
        self.gone: tuple[np.ndarray, ...] = ()
        """Outlines, (n, 2) in pixels, of what a person said is no tile, in the reading that was corrected last."""

    def say(self, reading: TableReading, index: int, is_: What, id_: str = "") -> None:
        """A person says what piece `index` (of the tiles, then the cards) of a reading as the camera gave it is."""
        piece = _pieces(reading)[index]
        said = replace(self._as_said(piece, reading), is_=is_, id=id_ or token_hex(8))
        self.said = (*(one for one in self.said if not self._there(one, piece, reading)), said)

    def moved_out(self, reading: TableReading) -> "Corrections":
        """The same corrections for a table with other areas; `reading` is the last one, as the camera saw it."""
        found = [(one, next((p for p in _pieces(reading) if self._there(one, p, reading)), None)) for one in self.said]
        kept = (Unplaced(self._middle(piece), one) for one, piece in found if piece is not None)
        return Corrections(unplaced=(*self._unplaced, *kept), width=self.width)

    def _place(self, reading: TableReading) -> None:
        """Find the pieces that were corrected in areas that are no more."""
        pieces = _pieces(reading)
        for at, said in self._unplaced:
            for i, piece in enumerate(pieces):
                far = float(np.hypot(*np.subtract(self._middle(piece), at)))
                near = far < SAME_PLACE * side(piece.polygon) / self.width
                if near and isinstance(piece, Card) == said.card and _look(piece) == said.seen:
                    self.say(reading, i, said.is_, said.id)
        self._unplaced = ()

    def apply(self, reading: TableReading) -> tuple[TableReading, frozenset[int]]:
        """The reading as people would have it, and the indices of the tiles, then cards, of which they said something.

        What was said of a tile that was moved goes with it, see `_follow`; else it is forgotten with the tile.
        """
        self.said = tuple(one.in_widths(self.width) for one in self.said)
        self._place(reading)
        self._follow(reading)
        seen = _pieces(reading)
        kept, pieces = [], list(seen)
        said_of: set[int] = set()
        gone: set[int] = set()
        for said in self.said:
            i = next((i for i, piece in enumerate(seen) if self._there(said, piece, reading)), None)
            if i is None or _look(pieces[i]) not in (said.seen, said.is_):
                continue
            kept.append(said)
            if said.is_ is None:
                gone.add(i)
            else:
                pieces[i] = _corrected(pieces[i], said.is_)
                said_of.add(i)
        self.said = tuple(kept)
        self.gone = tuple(seen[i].polygon for i in sorted(gone))
        left = [i for i in range(len(pieces)) if i not in gone]
        tiles = tuple(piece for i in left if isinstance(piece := pieces[i], Tile))
        cards = tuple(piece for i in left if isinstance(piece := pieces[i], Card))
        others = (problem for problem in reading.problems if problem.key not in SAID)
        corrected = replace(reading, tiles=tiles, cards=cards, problems=(*others, *tile_problems(tiles)))
        return corrected, frozenset(k for k, i in enumerate(left) if i in said_of)

    def _follow(self, reading: TableReading) -> None:
        """Take what was said along with tiles that were moved.

        A tile that is gone and one that is new are the same where both look the same and are as hard to read, and where
        there are as many of the one as of the other, of all of which the same was said. A tile that is read surely is
        never taken for another.
        """
        before, self._before = self._before, reading
        if before is None:
            return
        tiles = [one for one in self.said if not one.card]
        lost = [one for one in tiles if not any(self._there(one, tile, reading) for tile in reading.tiles)]
        new = [
            tile
            for tile in reading.tiles
            if tile.doubtful and not any(self._there(self._as_said(tile, reading), old, before) for old in before.tiles)
        ]
        for seen in {one.seen for one in lost}:
            of_lost = [one for one in lost if one.seen == seen]
            of_new = [tile for tile in new if tile.color == seen]
            if len(of_lost) == len(of_new) and len({one.is_ for one in of_lost}) == 1 and of_lost[0].is_:
                pairs = zip(of_lost, of_new, strict=True)
                moved = [replace(self._as_said(tile, reading), is_=one.is_, id=one.id) for one, tile in pairs]
                self.said = (*(one for one in self.said if one not in of_lost), *moved)

    def _as_said(self, piece: Piece, reading: TableReading) -> Correction:
        """A piece's place and look, as a correction that changes nothing."""
        at, reach = place(piece, reading, self.width)
        return Correction(piece.zone, at, reach, _look(piece), _look(piece), isinstance(piece, Card))

    def _there(self, said: Correction, tile: Piece, reading: TableReading) -> bool:
        if said.zone != tile.zone or said.card != isinstance(tile, Card):
            return False
        at, _ = place(tile, reading, self.width)
        return all(abs(a - b) <= r for a, b, r in zip(said.at, at, said.reach, strict=True))

    def _middle(self, piece: Piece) -> tuple[float, float]:
        x, y = _middle(piece)
        return x / self.width, y / self.width


def place(tile: Piece, reading: TableReading, picture: float) -> tuple[tuple[float, float], tuple[float, float]]:
    """Where a piece lies and how far it may wander, as Correction says, in a picture of that width in pixels."""
    center = np.asarray(_middle(tile), np.float64)
    wander = SAME_PLACE if isinstance(tile, Tile) else SAME_CARD
    width = side(tile.polygon)
    outline = reading.zones.get(tile.zone or "")
    if outline is None or len(outline) != 4:
        return (float(center[0]) / picture, float(center[1]) / picture), (wander * width / picture,) * 2
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    unit = cv2.getPerspectiveTransform(np.asarray(outline, np.float32), square)
    around = center + width * np.array([[0, 0], [1, 0], [0, 1]])
    at, right, below = cv2.perspectiveTransform(around.reshape(1, -1, 2), unit)[0]
    reach = wander * (np.abs(right - at) + np.abs(below - at))
    return (float(at[0]), float(at[1])), (float(reach[0]), float(reach[1]))


def side(polygon: np.ndarray) -> float:
    """The side of a square as large as an outline, (n, 2), in its pixels; 1 at least."""
    return float(np.sqrt(max(cv2.contourArea(np.asarray(polygon, np.float32)), 1.0)))


def _pieces(reading: TableReading) -> tuple[Piece, ...]:
    return *reading.tiles, *reading.cards


def _middle(piece: Piece) -> tuple[float, float]:
    x, y = piece.center if isinstance(piece, Tile) else np.mean(piece.polygon, 0)
    return float(x), float(y)


def _look(piece: Piece) -> str:
    return piece.color if isinstance(piece, Tile) else piece.name


def _corrected(piece: Piece, is_: str | Mapping[str, Any]) -> Piece:
    if isinstance(piece, Card):
        assert not isinstance(is_, str)
        return replace(piece, card=is_, confidence=1.0, doubtful=False, nearest=())
    return replace(piece, color=str(is_), confidence=1.0, doubtful=False, doubt="")
