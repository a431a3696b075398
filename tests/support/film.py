"""Small drawn films: a table with tiles, and whatever tests let happen on it; a reader that knows what lies there.

A table is 320 × 240 pixels, a tile 12: what Rest sees of a real one.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import cv2
import numpy as np

from companion.live.settle_detector import Follower
from companion.sources.frame import Frame
from vision.table.reading import Card, TableReading, Tile

BGR = {
    "red": (40, 40, 200), "yellow": (40, 210, 230), "green": (60, 160, 60), "blue": (190, 90, 40),
    "purple": (150, 50, 130), "rainbow": (230, 230, 230), "gold": (30, 120, 160),
}  # fmt: skip
SIDE = 12
TABLE = (70, 110, 80)
SIZE = (240, 320)
ZONES = {
    "dungeon": np.array([[60.0, 20], [300, 20], [300, 60], [60, 60]]),
    "A": np.array([[20.0, 120], [150, 120], [150, 220], [20, 220]]),
    "B": np.array([[170.0, 120], [300, 120], [300, 220], [170, 220]]),
}
ROWS = {"dungeon": (75, 40), "A": (40, 150), "B": (190, 150)}


def place(zone, i):
    """A tile's center."""
    x, y = ROWS[zone]
    return np.array([x + 16.0 * i, y])


def reading(lying, shift=(0.0, 0.0), scale=1, cards=()):
    """What a reader sees of `lying`: colors by zone."""
    tiles = []
    square = SIDE / 2 * np.array([[-1.0, -1], [1, -1], [1, 1], [-1, 1]])
    for zone, colors in lying.items():
        for i, color in enumerate(colors):
            center = place(zone, i) + shift
            tiles.append(Tile(color, zone, 0, i, center * scale, (center + square) * scale, 0.99))
    stickers = tuple(Card(marker, None, "B", (np.array(at) + square) * scale) for marker, at in cards)
    return TableReading(tuple(tiles), stickers, {zone: (outline + shift) * scale for zone, outline in ZONES.items()})


@cache
def bare():
    """The table without a tile, a little grained."""
    return TABLE + np.random.default_rng(1).normal(0, 4, (*SIZE, 1)).astype(np.float32)


@cache
def grain():
    """More noise than a frame needs, of a deviation of 1: each frame takes it elsewhere."""
    return np.random.default_rng(7).standard_normal((SIZE[0] + 64, SIZE[1] + 64, 3), np.float32)


def picture(lying):
    """The table with its tiles, (240, 320, 3) float32."""
    image = bare().astype(np.float32)
    for zone, colors in lying.items():
        for i, color in enumerate(colors):
            x, y = place(zone, i).astype(int)
            cv2.rectangle(image, (x - 6, y - 6), (x + 5, y + 5), BGR[color], -1)
            cv2.rectangle(image, (x - 6, y - 6), (x + 5, y + 5), (225, 230, 230), 1)
    return image


def with_hand(image, x, y, color=(120, 150, 200)):
    """A hand whose finger tips are at (x, y), its arm reaching in from below."""
    out = image.copy()
    cv2.rectangle(out, (x - 14, y + 20), (x + 14, 260), color, -1)
    for k in range(4):
        cv2.rectangle(out, (x - 14 + 7 * k, y), (x - 9 + 7 * k, y + 22), color, -1)
    return out


class Film:
    """Frames one after the other, followed. `lying` is what a reader would see."""

    def __init__(self, fps=12.0, noise=1.0, change=None, scale=1):
        self.fps, self.noise, self.change, self.scale = fps, noise, change, scale
        self.lying = {"dungeon": ("red", "blue", "green"), "A": (), "B": ()}
        self.rng = np.random.default_rng(7)
        self.number = 0
        self.reads = 0
        self.fail = None
        self.seen = []
        """(time, reading, indices of tiles that people spoke of) of each settled state."""
        self.waits = []
        self.follower = Follower(self)
        self.shift = (0.0, 0.0)
        self.cards = ()
        self.located, self.problems = tuple(ZONES), ()

    @property
    def time(self):
        return self.number / self.fps

    def read(self, image):
        self.reads += 1
        if self.fail:
            raise self.fail
        seen = reading(self.lying, self.shift, self.scale, self.cards)
        return replace(seen, zones={zone: seen.zones[zone] for zone in self.located}, problems=self.problems)

    def show(self, image, seconds):
        """That picture for some seconds."""
        for _ in range(max(1, round(seconds * self.fps))):
            self.frame(image)

    def rest(self, seconds, image=None):
        """The table as it lies."""
        self.show(picture(self.lying) if image is None else image, seconds)

    def frame(self, image):
        """One frame."""
        y, x = self.rng.integers(64, size=2)
        noisy = image + np.float32(self.noise) * grain()[y : y + SIZE[0], x : x + SIZE[1]]
        if self.change:
            noisy = self.change(noisy, self.time)
        shown = np.clip(noisy, 0, 255).astype(np.uint8)
        if self.scale != 1:
            shown = cv2.resize(shown, None, fx=self.scale, fy=self.scale, interpolation=cv2.INTER_NEAREST)
        self.number += 1
        step = self.follower.take(Frame(self.number, self.time, shown))
        self.waits.append(step.waiting)
        if step.seen:
            self.seen.append((step.time, *step.seen))

    def hand(self, path, seconds, during=None, color=(120, 150, 200)):
        """A hand goes along a path; `during` is what lies there meanwhile."""
        if during is not None:
            self.lying = during
        n = max(2, round(seconds * self.fps))
        for k in range(n):
            x, y = (int(a + (b - a) * k / (n - 1)) for a, b in zip(*path, strict=True))
            self.frame(with_hand(picture(self.lying), x, y, color))

    def states(self):
        """What was answered: colors by zone."""
        return [{zone: tuple(t.color for t in r.tiles if t.zone == zone) for zone in ZONES} for _, r, _ in self.seen]
