"""Tiles that the networks do not know: those edge to edge with known ones and with rims like theirs."""

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np


@dataclass(frozen=True)
class EdgeToEdgeSettings:
    """When tiles that lie edge to edge are counted as a row of single ones."""

    pitch: tuple[float, float] = (0.8, 1.25)  # how far apart, in tiles, two are that lie edge to edge
    taken: float = 0.5  # pitches within which two places are one
    sides: int = 12  # points along each side of a rim
    rim: float = 0.43  # where the rim is, in pitches from the middle
    inside: float = 0.3  # how far what it surrounds reaches, in pitches from the middle
    levels: float = 8.0  # levels by which an even rim strays at least
    spreads: float = 4.0  # deviations within which two rims look alike
    maybe: float = 0.5  # share of a rim that must look like its neighbor's before its place is sought exactly
    like: float = 0.85  # the same once it is
    telling: float = 2.0  # how many times farther than that from the rim a picture's colors are
    told: float = 0.12  # the share of the inside that must show one
    table: float = 0.5  # share of the places beside tiles that may look like rims: else the table itself looks so
    rounds: int = 8  # tiles in a row that may be found one beside the other


SETTINGS = EdgeToEdgeSettings()
_ALONG = SETTINGS.rim * ((np.arange(SETTINGS.sides) + 0.5) / SETTINGS.sides * 2 - 1)
_RIM = np.concatenate([np.stack([_ALONG, np.full(SETTINGS.sides, side)], 1) for side in (SETTINGS.rim, -SETTINGS.rim)])
_RIM = np.concatenate([_RIM, _RIM[:, ::-1]])
_INSIDE = SETTINGS.inside / 3 * np.mgrid[-3:4, -3:4].reshape(2, -1).T
_SHIFTS = 0.06 * np.mgrid[-2:3, -2:3].reshape(2, -1).T
_QUARTERS = np.arange(4) * np.pi / 2


def edge_to_edge(picture: np.ndarray, to_pixels: Callable[[np.ndarray], np.ndarray], tiles: np.ndarray) -> np.ndarray:
    """(m, 2) places, in tiles, that are tiles too, of whatever color.

    Args:
        picture: (H, W, 3) uint8.
        to_pixels: from tiles, (k, 2), to its pixels.
        tiles: (n, 2) the tiles that are surely known.
    """
    tiles = np.asarray(tiles, np.float64).reshape(-1, 2)
    ways = tiles[None] - tiles[:, None]
    far = np.hypot(ways[..., 0], ways[..., 1])
    beside = (far > SETTINGS.pitch[0]) & (far < SETTINGS.pitch[1])
    if not beside.any():
        return tiles[:0]
    pitch = float(np.median(far[beside]))
    turned = np.where(beside, (ways[..., 0] + 1j * ways[..., 1]) ** 4, 0).sum(1)
    row = beside.any(1)
    places, turns = tiles[row], np.angle(turned[row]) / 4
    look = _Look(picture, to_pixels, pitch)
    rims, strays, _, _ = look(places, turns)
    least = max(SETTINGS.levels, float(np.median(strays))) * SETTINGS.spreads
    every = tiles
    for turn in range(SETTINGS.rounds):
        angles = turns[:, None] + _QUARTERS
        steps = pitch * np.stack([np.cos(angles), np.sin(angles)], -1)
        near, source = (places[:, None] + steps).reshape(-1, 2), np.repeat(np.arange(len(places)), 4)
        free = np.hypot(*(every - near[:, None]).transpose(2, 0, 1)).min(1) > SETTINGS.taken * pitch
        near, source = near[free], source[free]
        if not len(near):
            break
        alike = _alike(look(near, turns[source])[2], rims[source], least)
        if turn == 0 and (alike > SETTINGS.like).mean() > SETTINGS.table:
            return tiles[:0]
        near, source = near[alike > SETTINGS.maybe], source[alike > SETTINGS.maybe]
        if not len(near):
            break
        # Nobody lays tiles down so exactly that the rim of one tells where the next one's is.
        shifted = near + pitch * _SHIFTS[:, None]
        own, _, edge, inside = look(shifted.reshape(-1, 2), np.tile(turns[source], len(_SHIFTS)))
        alike = _alike(edge, np.tile(rims[source], (len(_SHIFTS), 1)), least).reshape(len(_SHIFTS), -1)
        told = (np.abs(inside - own[:, None]).max(2) > SETTINGS.telling * least).mean(1).reshape(alike.shape)
        best, each = alike.argmax(0), np.arange(len(near))
        near = shifted[best, each]
        found: list[int] = []
        for k in np.nonzero((alike[best, each] > SETTINGS.like) & (told[best, each] > SETTINGS.told))[0]:
            if all(np.hypot(*(near[k] - near[j])) > SETTINGS.taken * pitch for j in found):
                found.append(int(k))
        if not found:
            break
        places, turns, rims = near[found], turns[source[found]], rims[source[found]]
        every = np.concatenate([every, places])
    return every[len(tiles) :]


def _alike(edge: np.ndarray, rims: np.ndarray, least: float) -> np.ndarray:
    """(n,) the shares of the colors along rims, (n, k, 3), that are those of `rims`, (n, 3)."""
    return np.asarray((np.abs(edge - rims[:, None]).max(2) < least).mean(1))


@dataclass(frozen=True)
class _Look:
    """Looks at places, (n, 2) in tiles, turned by (n,) radians: the color of each one's rim, how far that strays, and
    the colors along it and inside."""

    picture: np.ndarray
    to_pixels: Callable[[np.ndarray], np.ndarray]
    pitch: float

    def __call__(self, places: np.ndarray, turns: np.ndarray) -> tuple[np.ndarray, ...]:
        c, s = np.cos(turns), np.sin(turns)
        points = np.concatenate([_RIM, _INSIDE]) @ (self.pitch * np.stack([c, s, -s, c], 1).reshape(-1, 2, 2))
        at = self.to_pixels((places[:, None] + points).reshape(-1, 2)).astype(np.float32).reshape(len(places), -1, 2)
        seen = cv2.remap(self.picture, at, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).astype(np.float32)  # type: ignore[call-overload]
        edge, inside = seen[:, : len(_RIM)], seen[:, len(_RIM) :]
        rim = np.median(edge, 1)
        return rim, np.median(np.abs(edge - rim[:, None]).max(2), 1), edge, inside
