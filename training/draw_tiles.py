"""Draw tables for training the tile finder and the judge of tiles.

    python -m training.draw_tiles OUT.npz --count 400 --seed 1

Each table is written as the finder sees it (FINE pixels a tile, its tiles' centers) and as the judge sees it
(crops of tiles and of what is none, by table, so that tiles may be compared with their sisters). Boards of other games
are printed with the pictures of `--art`, a folder of PNG with alpha (such as img/google/64 of npm's
emoji-datasource-google), or with drawn ones alone.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from training.synth.boards import board_top, load_art
from training.synth.camera import glare, smooth_field
from training.synth.hands import Rng
from training.synth.tables import (
    Board,
    Gloss,
    card_picture,
    lay_clutter,
    lay_hand,
    lay_out,
    marker_picture,
    table_top,
    tile_pictures,
)
from training.synth.tiles import HUES, OTHER, Style, outline
from vision.table.reading import COLORS

DRAWN, FINE, ROWS, COLS = 28, 12, 18, 24
"""Pixels of a tile as drawn and as the finder sees it; the picture's height and width in tiles."""
CROP, CROP_TILES = 48, 1.95
"""Side of a kept crop, in pixels and tiles; training cuts the judge's smaller window out of it."""
NONE, ODD = len(COLORS), len(COLORS) + 1
"""Labels of a crop that shows no tile, and a tile of none of the colors."""
BAGS = 84
ON_BOARD, BARE, UNBALANCED = 0.4, 0.3, 0.2
"""Shares of the tables on a printed board, of those without any tile, and of the pictures without white paper."""


@dataclass(frozen=True)
class Camera:
    """One light and one camera: from a scene's colors to a file's pixels, and how white paper comes out."""

    field: np.ndarray
    veil: np.ndarray
    cast: np.ndarray
    curve: float
    saturation: float

    @classmethod
    def drawn(cls, rng: Rng, shape: tuple[int, int]) -> Camera:
        y, x = np.mgrid[: shape[0], : shape[1]].astype(np.float32) / max(shape)
        a = rng.uniform(0, 6.28)
        field = 1 + rng.uniform(0, 0.8) * ((x - 0.5) * np.cos(a) + (y - 0.4) * np.sin(a))
        if rng.random() < 0.5:
            p, r = rng.uniform(-0.2, 1.2, 2), rng.uniform(0.25, 1.2)
            field *= 0.35 + 0.65 / (1 + ((x - p[0]) ** 2 + (y - p[1]) ** 2) / r**2)
        for _ in range(int(rng.choice([0, 1, 2], p=[0.5, 0.35, 0.15]))):
            n = int(rng.integers(4, 9))
            t = np.sort(rng.uniform(0, 6.28, n))
            c = rng.random(2) * shape[::-1]
            ring = c + rng.uniform(0.1, 0.6, (n, 1)) * max(shape) * np.stack([np.cos(t), np.sin(t)], 1)
            mask = np.zeros(shape, np.float32)
            cv2.fillPoly(mask, [np.int32(ring)], 1.0)
            soft = cv2.resize(mask, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
            mask = cv2.resize(cv2.GaussianBlur(soft, (0, 0), rng.uniform(0.5, 12)), shape[::-1])
            field *= 1 - rng.uniform(0.2, 0.7) * mask
        warm = rng.normal(0, 0.35)
        cast = np.exp(np.array([-warm, rng.normal(0, 0.06), warm * rng.uniform(0.5, 0.9)])).astype(np.float32)
        veil = np.zeros(shape, np.float32)
        if rng.random() < 0.35:
            veil += glare(rng, shape) * rng.uniform(0.2, 1.0)
        if rng.random() < 0.25:
            veil += rng.uniform(0, 0.25) * np.clip(1 + smooth_field(rng, shape, 3), 0, 2)
        exposure = np.exp(rng.normal(-0.15, 0.45)) / max(np.percentile(field, 80), 0.1) / cast.mean()
        return cls(field * exposure, veil * exposure, cast, rng.uniform(0.75, 1.3), rng.uniform(0.75, 1.3))

    def see(self, scene: np.ndarray, at: tuple | slice = slice(None)) -> np.ndarray:
        """Scene colors, 0 to 1, to the file's, 0 to 255 before rounding."""
        light = np.clip(scene, 0, 1) ** 2.2 * self.field[at][..., None] * self.cast + self.veil[at][..., None]
        out = np.clip(light, 0, 1) ** (self.curve / 2.2)
        gray = out.mean(-1, keepdims=True)
        return np.clip(gray + (out - gray) * self.saturation, 0, 1) * 255


def draw_table(
    rng: Rng, printed: Sequence[np.ndarray] = ()
) -> tuple[np.ndarray, list[tuple[np.ndarray, int]], np.ndarray, Style]:
    """A table as a balanced picture (H, W, 3) uint8, its tiles (center, color), and places (n, 2) of what is none."""
    shape = (ROWS * DRAWN, COLS * DRAWN)
    slant = rng.uniform(0, 0.9)
    towards = rng.normal(-np.pi / 2, 0.3) if rng.random() < 0.8 else rng.uniform(0, 6.28)
    lean = slant * np.array([np.cos(towards), np.sin(towards)])
    a = rng.uniform(0, 6.28)
    shade = (*(rng.uniform(0, 0.9) * np.array([np.cos(a), np.sin(a)])).tolist(), rng.uniform(0.2, 0.75))
    on_board = rng.random() < ON_BOARD
    top = board_top(rng, shape, DRAWN, printed) if on_board else table_top(rng, shape, DRAWN)
    board = Board(top, DRAWN, lean, shade)
    others = list(rng.uniform(0, 1, (10 if on_board else 0, 2)) * shape[::-1])
    bits = cv2.aruco.getPredefinedDictionary(
        int(rng.choice([cv2.aruco.DICT_5X5_250, cv2.aruco.DICT_4X4_250, cv2.aruco.DICT_6X6_250]))
    )
    for _ in range(int(rng.integers(0, 5))):
        at = rng.uniform(0, 1, 2) * shape[::-1]
        others.append(at)
        w = rng.uniform(2.2, 4.5) * DRAWN
        sticker = marker_picture(bits, int(rng.integers(250)), int(w * rng.uniform(0.18, 0.3)), 3)
        board.lay_picture(
            card_picture(rng, (int(w * rng.uniform(1.3, 1.6)), int(w)), sticker if rng.random() < 0.7 else None),
            at,
            rng.uniform(0, 360),
        )
        others += [at + rng.normal(0, 0.8, 2) * DRAWN for _ in range(3)]
    for _ in range(int(rng.integers(0, 7))):
        at = rng.uniform(0, 1, 2) * shape[::-1]
        others.append(at)
        board.lay_picture(
            marker_picture(bits, int(rng.integers(250)), int(rng.uniform(1, 2.6) * DRAWN), int(rng.uniform(4, 14))),
            at,
            rng.normal(0, 10),
        )
        others.append(at + rng.normal(0, 0.5, 2) * DRAWN)
    for _ in range(int(rng.choice([0, 1, 2, 4, 9]))):
        at = rng.uniform(0, 1, 2) * shape[::-1]
        others += [at, at + lean * 0.4 * DRAWN]
        lay_clutter(rng, board, at)
    if rng.random() < 0.4:
        b = rng.uniform(0, 6.28)
        board.gloss = Gloss(np.array([np.cos(b), np.sin(b)]), rng.uniform(0, 0.8), rng.uniform(0.1, 0.5),
                            rng.uniform(0, 0.4), rng.uniform(0, 0.6))  # fmt: skip
    style = Style.varied(rng)
    art = tile_pictures(style, DRAWN)
    edge = outline(style.shape, style.corner)
    thick, size = rng.uniform(0.03, 0.22 if rng.random() < 0.7 else 0.5), np.clip(rng.normal(1, 0.05), 0.85, 1.15)
    bag = rng.permutation(
        [*HUES] * 7 + ["rainbow"] * 2 + ["gold"] * 6 + [OTHER] * int(rng.choice([0, 2, 8], p=[0.65, 0.2, 0.15]))
    )[: 0 if rng.random() < BARE * on_board else int(rng.choice([0, 5, 20, 40, 51], p=[0.06, 0.14, 0.2, 0.3, 0.3]))]
    tiles = []
    # Places are a tile apart: of larger tiles they lie further apart.
    spread = DRAWN * max(1.0, size)
    for laid in sorted(lay_out(rng, bag.tolist(), shape, spread, style), key=lambda t: np.dot(t.at, -lean)):
        top = board.lay_tile(art[laid.color], edge, np.array(laid.at), laid.turn, thick, size)
        tiles.append((top, ODD if laid.color == OTHER else COLORS.index(laid.color)))
    if rng.random() < 0.12:
        at = rng.uniform(0.2, 0.8, 2) * shape[::-1]
        to = rng.uniform(0, 6.28)
        palm = np.float32(lay_hand(rng, board, at, to))
        others += [at, at + DRAWN * 2 * np.array([np.cos(to), np.sin(to)]), at + rng.normal(0, 1, 2) * DRAWN]
        tiles = [t for t in tiles if cv2.pointPolygonTest(palm, tuple(map(float, t[0])), True) < -1.6 * DRAWN]
    picture = _photo(rng, board.picture)
    return picture, tiles, np.array(others or [(0.0, 0.0)]), style


def _photo(rng: Rng, scene: np.ndarray) -> np.ndarray:
    """What a camera makes of a scene, after white balance by what white paper looks like here and there."""
    h, w = scene.shape[:2]
    camera = Camera.drawn(rng, (h, w))
    picture = camera.see(scene)
    scales = 36 / DRAWN * np.exp(rng.uniform(np.log(0.4), np.log(1.3), 1)) * np.array([1, rng.uniform(0.55, 1)])
    small = cv2.resize(
        picture.astype(np.float32), (int(w * scales[0]), int(h * scales[1])), interpolation=cv2.INTER_AREA
    )
    small = cv2.GaussianBlur(small, (0, 0), rng.uniform(0.3, 1.1))
    if rng.random() < 0.15:
        n = int(rng.integers(2, 8))
        line = np.zeros((n, n), np.float32)
        line[n // 2] = 1 / n
        turn = cv2.getRotationMatrix2D(((n - 1) / 2, (n - 1) / 2), rng.uniform(0, 180), 1)
        kernel = cv2.warpAffine(line, turn, (n, n))
        small = cv2.filter2D(small, -1, kernel / max(kernel.sum(), 0.3))
    if rng.random() < 0.5:
        small += rng.uniform(0.2, 1.2) * (small - cv2.GaussianBlur(small, (0, 0), 1.2))
    grain = rng.choice([1.0, 2.5, 7.0], p=[0.4, 0.45, 0.15])
    small += rng.normal(0, grain, small.shape)
    coded = cv2.imencode(
        ".jpg",
        np.clip(small, 0, 255).astype(np.uint8),
        [cv2.IMWRITE_JPEG_QUALITY, int(rng.choice([rng.integers(20, 45), rng.integers(45, 97)], p=[0.2, 0.8]))],
    )[1]
    picture = cv2.resize(cv2.imdecode(coded, cv2.IMREAD_COLOR), (w, h), interpolation=cv2.INTER_LINEAR)
    y, x = rng.integers(0, h, 8), rng.integers(0, w, 8)
    white = np.median(camera.see(np.full((8, 3), 0.92), (y, x)), axis=0) * np.exp(rng.normal(0, 0.02, 3))
    if rng.random() < UNBALANCED:  # as a camera by itself guesses it, and as bright as it likes
        white = (white / white.mean()) ** rng.uniform(0.6, 1) * max(white.mean(), 90) * np.exp(rng.normal(0.1, 0.2))
    return balance(picture, white)


def balance(picture: np.ndarray, white: np.ndarray) -> np.ndarray:
    """The picture with its white paper at 225 in every channel; not more than fourfold."""
    gain = np.clip(225 / np.maximum(white, 1), 0.5, 4)
    return np.clip(picture * gain, 0, 255).astype(np.uint8)


def crop(picture: np.ndarray, at: np.ndarray) -> np.ndarray:
    """(CROP, CROP, 3) about a place."""
    s = CROP / (CROP_TILES * DRAWN)
    m = np.array([[s, 0, CROP / 2 - 0.5 - at[0] * s], [0, s, CROP / 2 - 0.5 - at[1] * s]])
    return cv2.warpAffine(picture, m, (CROP, CROP), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


def main() -> None:
    """Draw and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--art", type=Path, help="folder of pictures that boards are printed with")
    parser.add_argument("--mine", action="store_true", help="also keep what the finder wrongly takes for tiles")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    printed = load_art(args.art) if args.art else []
    pictures = np.zeros((args.count, ROWS * FINE, COLS * FINE, 3), np.uint8)
    centers = np.full((args.count, BAGS, 2), -99, np.float32)
    crops = np.zeros((args.count, BAGS, CROP, CROP, 3), np.uint8)
    labels = np.full((args.count, BAGS), -1, np.int8)
    for i in range(args.count):
        rng = np.random.default_rng([args.seed, i])
        picture, tiles, others, _ = draw_table(rng, printed)
        pictures[i] = cv2.resize(picture, (COLS * FINE, ROWS * FINE), interpolation=cv2.INTER_AREA)
        tiles = tiles[: BAGS - 20]
        at = np.array([t[0] for t in tiles]).reshape(-1, 2)
        centers[i, : len(at)] = (at + 0.5) * FINE / DRAWN - 0.5
        if args.mine:
            false = find_false(pictures[i], centers[i])
            places_false = (false + 0.5) * DRAWN / FINE - 0.5
        else:
            places_false = np.zeros((0, 2))
        places = [*places_false, *others, *(rng.uniform(0, 1, (12, 2)) * (COLS * DRAWN, ROWS * DRAWN))]
        places += [at[k] + rng.uniform(0.45, 0.8) * DRAWN * _direction(rng) for k in rng.permutation(len(at))[:6]]
        far = [p for p in places if not len(at) or np.linalg.norm(at - p, axis=1).min() > 0.4 * DRAWN]
        items = [(p, c) for p, c in tiles] + [(p, NONE) for p in far]
        for k, (p, c) in enumerate(items[:BAGS]):
            crops[i, k], labels[i, k] = crop(picture, p), c
    np.savez(args.out, pictures=pictures, centers=centers, crops=crops, labels=labels)


def find_false(picture: np.ndarray, centers: np.ndarray) -> np.ndarray:
    """(n, 2): where today's finder sees tiles that are none, in its pixels, the likeliest first."""
    from vision.table.detector import _answer, _peaks  # noqa: PLC0415 - there may be no weights yet

    found = _peaks(_answer(np.ascontiguousarray(picture.transpose(2, 0, 1))))
    found = found[np.argsort(-found[:, 2]), :2]
    if not len(found):
        return found
    return found[np.linalg.norm(found[:, None] - centers[None], axis=2).min(1) > 0.6 * FINE][:25]


def _direction(rng: Rng) -> np.ndarray:
    a = rng.uniform(0, 6.28)
    return np.array([np.cos(a), np.sin(a)])


if __name__ == "__main__":
    main()
