"""A table that the test plays itself: scenes are laid, hands come and go, the camera is lost. No network reads it.

A scene's number stands in the picture, as large black and white blocks; the reader knows each scene by heart.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace

import cv2
import numpy as np

from calibration.colors import ColorsError
from common.messages import Message
from companion.live.settle_detector import Follower, Pace
from companion.sources import ENDED, LOST, RUNNING, Frame, Source, SourceError, SourceState
from companion.web.running.table_eyes import PHOTOS, TableEyes
from vision.table.palette import Palette
from vision.table.profile import TableProfile, Zone
from vision.table.reading import Card, TableReading, Tile, tile_problems

WIDE, HIGH = 640, 360
RATE = 60.0
PACE = Pace(look=0.03, rest=0.06, fewer=0.06, inner=0.12, outer=0.2)
BITS = 8
BLOCK = 16
TILE = 26
BGR = {
    "red": (40, 40, 210), "yellow": (30, 210, 240), "green": (80, 150, 40), "blue": (200, 90, 30),
    "purple": (170, 60, 130), "rainbow": (200, 200, 200), "gold": (40, 150, 200),
}  # fmt: skip
ZONES = {"A": (30, 60, 290, 150), "B": (340, 60, 600, 150), "C": (30, 190, 290, 280), "D": (340, 190, 600, 280)}
ZONES["dungeon"] = (20, 2, 620, 58)
PROFILE = TableProfile(
    "demo",
    rule=8,
    zones={name: Zone((4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3), (300, 150)) for i, name in enumerate("AB")},
)
ROW = (
    "yellow", "purple", "red", "rainbow", "blue", "red", "green", "green", "yellow", "blue", "gold", "purple", "red",
    "green", "blue",
)  # fmt: skip
"""A dungeon, from left to right."""
TAKEN = [(0, 15, 0, 0), (2, 15, 2, 0), (2, 12, 2, 3), (5, 12, 5, 3)]
"""States of its game: the dungeon from and to, so many gems taken by A from the left, by B from the right."""
GAME = TableProfile(
    "game",
    rule=8,
    zones={
        name: Zone((4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3), (300, 150)) for i, name in enumerate(("A", "B", "dungeon"))
    },
)
Scene = Mapping[str, Sequence[str]]
"""Colors from left to right, by zone; a color with `?` is doubtful, one with `|` lies on its zone's border."""


def game_scenes() -> list[Scene]:
    """A game of Twelve Seekers, state after state."""
    return [
        {"A": ROW[:mine], "B": ROW[len(ROW) - theirs :], "dungeon": ROW[first:end]}
        for first, end, mine, theirs in TAKEN
    ]


def reading_of(scene: Scene) -> TableReading:
    """What is seen of a scene."""
    tiles = []
    for zone, colors in scene.items():
        left, top, *_ = ZONES[zone]
        for col, color in enumerate(colors):
            center = np.array([left + 22 + col * 34, top + 40], float)
            polygon = center + TILE / 2 * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
            doubt = {"?": "tile.unsure", "|": "tile.border"}.get(color[-1], "")
            sure = 0.55 if doubt == "tile.unsure" else 0.99
            borders = (zone,) if doubt == "tile.border" else ()
            tiles.append(Tile(color.rstrip("?|"), zone, 0, col, center, polygon, sure, bool(doubt), doubt, borders))
    zones = {
        name: np.array([[a, b], [c, b], [c, d], [a, d]], float) for name, (a, b, c, d) in ZONES.items() if name in scene
    }
    return TableReading(tuple(tiles), (), zones, tile_problems(tiles))


class FakeTable(TableEyes):
    """Source, reader and what a test does to them."""

    def __init__(self, profile: TableProfile = PROFILE) -> None:
        self._profile = profile
        self._scenes: list[TableReading] = []
        self._picture = np.full((HIGH, WIDE, 3), 90, np.uint8)
        self._state = SourceState(RUNNING)
        self._refused: SourceError | None = None
        self.opened: list[tuple[str, bool]] = []
        self.closed = 0
        self.game = 0
        self.lay({"A": [], "B": []})

    # What a test does

    def lay(self, scene: Scene, cards: Sequence[Card] = (), problems: Sequence[Message] = ()) -> None:
        """Something else lies on the table."""
        reading = reading_of(scene)
        reading = replace(reading, cards=tuple(cards), problems=(*reading.problems, *problems))
        self._scenes.append(reading)
        picture = np.full((HIGH, WIDE, 3), 90, np.uint8)
        for tile in reading.tiles:
            cv2.fillPoly(picture, [np.round(tile.polygon).astype(np.int32)], BGR[tile.color])
        number = len(self._scenes) - 1
        for bit in range(BITS):
            on = 255 if number >> bit & 1 else 0
            picture[HIGH - BLOCK :, bit * BLOCK : (bit + 1) * BLOCK] = on
        self._picture = picture

    def hand(self) -> None:
        """A hand reaches in from below, and moves."""
        still = self._picture.copy()

        def wave(step: int) -> np.ndarray:
            picture = still.copy()
            cv2.ellipse(picture, (200 + step * 9 % 240, 300), (60, 130), 15, 0, 360, (110, 140, 190), -1)
            return picture

        self._picture = wave  # type: ignore[assignment]

    def lose(self, key: str = "source.broken") -> None:
        """The camera is lost."""
        self._state = SourceState(LOST, key, {"got": "camera 0", "seconds": 2})

    def find(self) -> None:
        """The camera is there again."""
        self._state = SourceState(RUNNING)

    def begin_anew(self) -> None:
        """Another game begins, with the tiles that lie there."""
        self.game += 1

    def end(self) -> None:
        """The film is over."""
        self._state = SourceState(ENDED)

    def refuse(self, error: SourceError) -> None:
        """Sources cannot be opened from now on."""
        self._refused = error

    # What the companion asks of it

    def source(self, spec: str, files: bool) -> Source:
        self.opened.append((spec, files))
        if self._refused:
            raise self._refused
        self._state = SourceState(RUNNING)
        return super().source(spec, files) if spec == PHOTOS else FakeSource(self)

    def photo_follower(self, profile: TableProfile) -> Follower:
        return self.follower(profile)

    def follower(self, profile: TableProfile) -> Follower:
        return Follower(self, PACE)

    def shows(self, profile: TableProfile, image: np.ndarray) -> bool:
        return True

    def demo_profile(self) -> TableProfile:
        return self._profile

    def row(self, image: np.ndarray, profile: TableProfile, count: int) -> tuple[np.ndarray, np.ndarray]:
        tiles = self.read(image).tiles
        if len(tiles) != count:
            raise ColorsError("colors.no-row", count=count, found=len(tiles))
        centers = np.array([tile.center for tile in tiles])
        return np.stack([image[int(y) - 16 : int(y) + 16, int(x) - 16 : int(x) + 16] for x, y in centers]), centers

    def palette(self, images: Sequence[np.ndarray], profile: TableProfile, order: Sequence[str]) -> Palette:
        pictures, _ = self.row(images[0], profile, len(order))
        return Palette({color: [picture] for color, picture in zip(order, pictures, strict=True)})

    def photo(self) -> bytes:
        """The table as it lies, as JPEG."""
        return cv2.imencode(".jpg", self.picture(0))[1].tobytes()

    def picture(self, step: int) -> np.ndarray:
        picture = self._picture
        return picture(step) if callable(picture) else picture

    def read(self, image: np.ndarray) -> TableReading:
        """The reader: see vision.table.read."""
        blocks = image[HIGH - BLOCK // 2, BLOCK // 2 : BITS * BLOCK : BLOCK, 0] > 128
        return self._scenes[int((blocks << np.arange(BITS)).sum())]

    @property
    def state(self) -> SourceState:
        return self._state


class FakeSource:
    """See Source: frames at a steady rate while the camera is there."""

    scale = 1.0
    name = "camera 0"

    def __init__(self, table: FakeTable) -> None:
        self._table = table
        self._closed = threading.Event()
        self._began = 0.0

    def start(self) -> None:
        self._began = time.monotonic()

    def next(self, after: int = 0, timeout: float = 1.0) -> Frame | None:
        end = time.monotonic() + timeout
        while not self._closed.is_set() and time.monotonic() < end:
            seconds = time.monotonic() - self._began
            number = 1 + int(seconds * RATE)
            if number > after and self._table.state.kind == RUNNING:
                return Frame(number, seconds, self._table.picture(number), game=self._table.game)
            self._closed.wait(0.004)
        return None

    @property
    def state(self) -> SourceState:
        return SourceState(ENDED) if self._closed.is_set() else self._table.state

    def close(self) -> None:
        if not self._closed.is_set():
            self._table.closed += 1
        self._closed.set()
