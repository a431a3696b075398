"""People's corrections of tiles: each applies while its tile lies there, and goes with it when it is moved."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.table.reading import SAID, TableReading, Tile, tile_problems

SAME_PLACE = 0.4
"""How far, in tiles, a tile's center may wander and still be the same tile in the same place."""


@dataclass(frozen=True)
class Correction:
    """Of the tile at a place, seen as one color, a person says that it is `color` (None: that it is no tile).

    `at` is in the zone's own coordinates (0 to 1 both ways) where the zone has four corners, else in pixels;
    `reach` is how far from there the tile's center may lie.
    """

    zone: str | None
    at: tuple[float, float]
    reach: tuple[float, float]
    seen: str
    color: str | None


class Corrections:
    """What people have said of the tiles on the table."""

    def __init__(self) -> None:
        self._said: list[Correction] = []
        self._before: TableReading | None = None
        self.gone: tuple[np.ndarray, ...] = ()
        """Outlines, (n, 2) in pixels, of what a person said is no tile, in the reading that was corrected last."""

    @property
    def said(self) -> tuple[Correction, ...]:
        """All that holds."""
        return tuple(self._said)

    @said.setter
    def said(self, said: tuple[Correction, ...]) -> None:
        self._said = list(said)

    def say(self, reading: TableReading, index: int, color: str | None) -> None:
        """A person says of tile `index` of a reading as the camera gave it that it is `color`; None: no tile."""
        tile = reading.tiles[index]
        said = replace(_as_said(tile, reading), color=color)
        self._said = [one for one in self._said if not _there(one, tile, reading)] + [said]

    def apply(self, reading: TableReading) -> tuple[TableReading, frozenset[int]]:
        """The reading as people would have it, and the indices of the tiles of which they said something.

        What was said of a tile that was moved goes with it, see `_follow`; else it is forgotten with the tile.
        """
        self._follow(reading)
        kept, tiles = [], list(reading.tiles)
        said_of: set[int] = set()
        gone: set[int] = set()
        for said in self._said:
            i = next((i for i, tile in enumerate(reading.tiles) if _there(said, tile, reading)), None)
            if i is None or tiles[i].color not in (said.seen, said.color):
                continue
            kept.append(said)
            if said.color is None:
                gone.add(i)
            else:
                tiles[i] = replace(tiles[i], color=said.color, confidence=1.0, doubtful=False, doubt="")
                said_of.add(i)
        self._said = kept
        self.gone = tuple(reading.tiles[i].polygon for i in sorted(gone))
        left = [i for i in range(len(tiles)) if i not in gone]
        corrected = replace(reading, tiles=tuple(tiles[i] for i in left))
        others = (problem for problem in reading.problems if problem.key not in SAID)
        corrected = replace(corrected, problems=(*others, *tile_problems(corrected.tiles)))
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
        lost = [one for one in self._said if not any(_there(one, tile, reading) for tile in reading.tiles)]
        new = [
            tile
            for tile in reading.tiles
            if tile.doubtful and not any(_there(_as_said(tile, reading), old, before) for old in before.tiles)
        ]
        for seen in {one.seen for one in lost}:
            of_lost = [one for one in lost if one.seen == seen]
            of_new = [tile for tile in new if tile.color == seen]
            if len(of_lost) == len(of_new) and len({one.color for one in of_lost}) == 1 and of_lost[0].color:
                self._said = [one for one in self._said if one not in of_lost]
                self._said += [replace(_as_said(tile, reading), color=of_lost[0].color) for tile in of_new]

    def __len__(self) -> int:
        return len(self._said)


def place(tile: Tile, reading: TableReading) -> tuple[tuple[float, float], tuple[float, float]]:
    """Where a tile lies and how far it may wander, as Correction says."""
    center = np.asarray(tile.center, np.float64)
    width = float(np.sqrt(max(cv2.contourArea(np.asarray(tile.polygon, np.float32)), 1.0)))
    outline = reading.zones.get(tile.zone or "")
    if outline is None or len(outline) != 4:
        return (float(center[0]), float(center[1])), (SAME_PLACE * width,) * 2
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    unit = cv2.getPerspectiveTransform(np.asarray(outline, np.float32), square)
    around = center + width * np.array([[0, 0], [1, 0], [0, 1]])
    at, right, below = cv2.perspectiveTransform(around.reshape(1, -1, 2), unit)[0]
    reach = SAME_PLACE * (np.abs(right - at) + np.abs(below - at))
    return (float(at[0]), float(at[1])), (float(reach[0]), float(reach[1]))


def _as_said(tile: Tile, reading: TableReading) -> Correction:
    """A tile's place and look, as a correction that changes nothing."""
    at, reach = place(tile, reading)
    return Correction(tile.zone, at, reach, tile.color, tile.color)


def _there(said: Correction, tile: Tile, reading: TableReading) -> bool:
    if said.zone != tile.zone:
        return False
    at, _ = place(tile, reading)
    return all(abs(a - b) <= r for a, b, r in zip(said.at, at, said.reach, strict=True))
