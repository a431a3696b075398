"""Tables seen from straight above: a top, tiles, cards, markers, clutter, hands, and the light on them.

Lengths are in pixels of the picture, in which a tile is `tile` wide. Pictures are (H, W, 3) float32 BGR, 0 to 1.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from training.synth.camera import smooth_field
from training.synth.hands import Rng
from training.synth.tiles import Style, bgr, outline, tile_picture

TOPS = ("wood", "felt", "cloth", "mat", "plain", "checks", "print")


@dataclass(frozen=True)
class Laid:
    """A tile on the table: its color, center (x, y), turn in degrees."""

    color: str
    at: tuple[float, float]
    turn: float = 0.0


def table_top(rng: Rng, shape: tuple[int, int], tile: float, kind: str | None = None) -> np.ndarray:
    """(H, W, 3): a bare table top."""
    kind = kind or str(rng.choice(TOPS, p=[0.28, 0.2, 0.12, 0.14, 0.12, 0.06, 0.08]))
    h, w = shape
    if kind == "wood":
        return _wood(rng, shape, tile)
    tone = bgr(rng.uniform(0, 360), rng.choice([rng.uniform(0, 0.15), rng.uniform(0.15, 0.9)]), rng.uniform(0.06, 0.95))
    out = np.broadcast_to(tone, (h, w, 3)).copy()
    if kind in ("felt", "cloth"):
        size = rng.uniform(0.02, 0.12) * tile
        grain = rng.normal(0, 1, (int(h / size) + 1, int(w / size) + 1)).astype(np.float32)
        out *= 1 + rng.uniform(0.02, 0.16) * cv2.resize(grain, (w, h))[..., None]
        if kind == "cloth":
            y, x = np.mgrid[:h, :w].astype(np.float32)
            p = rng.uniform(0.05, 0.3) * tile
            out *= 1 + rng.uniform(0.02, 0.1) * (np.sin(x * 6.28 / p) * np.sin(y * 6.28 / p))[..., None]
            out *= 1 + rng.uniform(0, 0.25) * smooth_field(rng, (h, w), int(rng.integers(4, 10)))[..., None]
    elif kind == "mat":
        other = np.clip(tone * rng.uniform(0.7, 1.4) + rng.normal(0, 0.04, 3), 0, 1)
        _pattern(rng, out, tile, other)
        out *= 1 + rng.uniform(0, 0.3) * smooth_field(rng, (h, w), int(rng.integers(3, 9)))[..., None]
    elif kind == "checks":
        p = rng.uniform(0.4, 3) * tile
        a = rng.uniform(0, np.pi)
        y, x = np.mgrid[:h, :w].astype(np.float32)
        u, v = (x * np.cos(a) + y * np.sin(a)) / p, (y * np.cos(a) - x * np.sin(a)) / p
        other = bgr(rng.uniform(0, 360), rng.uniform(0, 0.7), rng.uniform(0.1, 1))
        on = ((np.floor(u) + np.floor(v)) % 2) if rng.random() < 0.5 else (u % 1 < 0.5) * 0.5 + (v % 1 < 0.5) * 0.5
        out += (other - tone) * on[..., None].astype(np.float32) * rng.uniform(0.2, 1)
    elif kind == "print":
        for _ in range(int(rng.integers(10, 60))):
            other = np.clip(tone + rng.normal(0, 0.15, 3), 0, 1)
            _blob(rng, out, rng.uniform(0, 1, 2) * (w, h), rng.uniform(0.3, 6) * tile, other)
    return np.clip(out, 0, 1)


def _wood(rng: Rng, shape: tuple[int, int], tile: float) -> np.ndarray:
    h, w = shape
    tone = bgr(rng.uniform(12, 40), rng.uniform(0.2, 0.75), rng.uniform(0.15, 0.9))
    side = int(1.5 * max(h, w))
    out = np.broadcast_to(tone, (side, side, 3)).copy()
    grain = rng.normal(0, 1, (max(2, int(side / (tile * rng.uniform(0.03, 0.12)))), int(rng.integers(3, 14))))
    out *= 1 + rng.uniform(0.03, 0.16) * cv2.resize(grain.astype(np.float32), (side, side))[..., None]
    plank = rng.uniform(2, 12) * tile
    y = rng.uniform(0, plank)
    while y < side and rng.random() < 0.97:
        out[int(y) : int(y + plank)] *= np.clip(1 + rng.normal(0, 0.1), 0.6, 1.4) * (1 + rng.normal(0, 0.02, 3))
        cv2.line(out, (0, int(y)), (side, int(y)), (tone * rng.uniform(0.3, 0.9)).tolist(), max(1, int(tile * 0.04)))
        for _ in range(int(rng.integers(0, 4))):
            x = int(rng.uniform(0, side))
            cv2.line(out, (x, int(y)), (x, int(y + plank)), (tone * 0.5).tolist(), max(1, int(tile * 0.03)))
        y += plank
    turn = cv2.getRotationMatrix2D((side / 2, side / 2), rng.choice([0, 90]) + rng.normal(0, 15), 1)
    turn[:, 2] += [(w - side) / 2, (h - side) / 2]
    return np.clip(cv2.warpAffine(out, turn, (w, h), borderMode=cv2.BORDER_REFLECT), 0, 1).astype(np.float32)


def _pattern(rng: Rng, out: np.ndarray, tile: float, other: np.ndarray) -> None:
    h, w = out.shape[:2]
    step, wide = rng.uniform(1, 6) * tile, max(1, int(rng.uniform(0.02, 0.15) * tile))
    a = rng.uniform(0, np.pi)
    for turn in (a, a + rng.uniform(0.7, 2.2)):
        d, e = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
        for k in range(-30, 31):
            p = np.array([w / 2, h / 2]) + e * k * step
            ends = np.int32(np.round(np.array([p - d * 3000, p + d * 3000])))
            cv2.line(out, ends[0].tolist(), ends[1].tolist(), other.tolist(), wide, cv2.LINE_AA)


def _blob(rng: Rng, out: np.ndarray, at: np.ndarray, size: float, tone: np.ndarray) -> None:
    n = int(rng.integers(3, 30))
    a = np.sort(rng.uniform(0, 6.28, n)) if n < 9 else np.arange(n) * 6.28 / n
    p = at + size / 2 * np.stack([np.cos(a), np.sin(a)], 1)
    cv2.fillPoly(out, [np.round(p * 16).astype(np.int32)], tone.tolist(), cv2.LINE_AA, 4)


@dataclass(frozen=True)
class Gloss:
    """How a lamp mirrors in glossy faces: `towards` it (2,), `strength` 0 to 1, `wide` the streak in tiles; each face
    lies a little otherwise, by `uneven` tiles. `bevel` 0 to 1: how bright and dark its edges towards and off it are."""

    towards: np.ndarray
    strength: float
    wide: float
    uneven: float
    bevel: float


class Board:
    """A picture that things are laid on."""

    def __init__(self, picture: np.ndarray, tile: float, lean: np.ndarray, shade: tuple[float, float, float]) -> None:
        """`lean`: (2,) how far, in tiles, the top of a thing one tile high is shifted by the camera's slant;
        `shade`: a shadow's shift in tiles (x, y) per height and its darkness 0 to 1."""
        self.picture, self.tile, self.lean, self.shade = picture, tile, lean, shade
        self.gloss: Gloss | None = None

    def _paint(self, points: np.ndarray, tone: np.ndarray) -> None:
        cv2.fillPoly(self.picture, [np.round(points * 16).astype(np.int32)], np.asarray(tone).tolist(), cv2.LINE_AA, 4)

    def shadow(self, points: np.ndarray, height: float) -> None:
        """Darken what lies beside a thing of that height (tiles)."""
        shift = np.array(self.shade[:2]) * height * self.tile
        p = points + shift
        lo = np.floor(p.min(0) - self.tile * 0.3).astype(int).clip(0)
        hi = np.ceil(p.max(0) + self.tile * 0.3).astype(int)
        window = self.picture[lo[1] : hi[1], lo[0] : hi[0]]
        if not window.size:
            return
        mask = np.zeros(window.shape[:2], np.float32)
        cv2.fillPoly(mask, [np.round((p - lo) * 16).astype(np.int32)], 1.0, cv2.LINE_AA, 4)
        mask = cv2.GaussianBlur(mask, (0, 0), max(0.4, 0.06 * self.tile))
        window *= 1 - self.shade[2] * mask[..., None]

    def lay_tile(
        self, picture: np.ndarray, edge: np.ndarray, at: np.ndarray, turn: float, thick: float, size: float = 1.0
    ) -> np.ndarray:
        """Lay a tile with its base at `at`; returns the center of its top face (which leans)."""
        t = np.deg2rad(turn)
        r = np.array([[np.cos(t), np.sin(t)], [-np.sin(t), np.cos(t)]]) * size
        base = edge @ r * self.tile + at
        self.shadow(base, thick)
        top = at + self.lean * thick * self.tile
        side = picture[picture.shape[0] // 2, picture.shape[1] // 4 + 2, :3] * 0.55
        hull = cv2.convexHull(np.float32(np.vstack([base, edge @ r * self.tile + top])))[:, 0]
        self._paint(hull, side)
        n = picture.shape[0]
        s = 2 * self.tile * size / n
        m = np.array([[np.cos(t) * s, -np.sin(t) * s], [np.sin(t) * s, np.cos(t) * s]])
        lo = np.floor(top - self.tile * size).astype(int)
        wide = int(2 * self.tile * size) + 3
        x0, y0 = max(lo[0], 0), max(lo[1], 0)
        x1, y1 = min(lo[0] + wide, self.picture.shape[1]), min(lo[1] + wide, self.picture.shape[0])
        if x1 <= x0 or y1 <= y0:
            return top
        shift = top - [x0, y0] - m @ [(n - 1) / 2, (n - 1) / 2]
        patch = cv2.warpAffine(picture, np.hstack([m, shift[:, None]]), (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR)
        if self.gloss is not None:
            _shine(patch, self.gloss, (top - [x0, y0]) / self.tile, self.tile)
        window, alpha = self.picture[y0:y1, x0:x1], patch[..., 3:]
        window += (patch[..., :3] - window) * alpha
        return top

    def lay_picture(self, art: np.ndarray, at: np.ndarray, turn: float, height: float = 0.02) -> np.ndarray:
        """Lay a flat rectangular picture about `at`; returns its corners."""
        h, w = art.shape[:2]
        t = np.deg2rad(turn)
        m = np.array([[np.cos(t), -np.sin(t)], [np.sin(t), np.cos(t)]])
        corners = (np.array([[0, 0], [w, 0], [w, h], [0, h]]) - [w / 2, h / 2]) @ m.T + at
        self.shadow(corners, height)
        shift = at - m @ [(w - 1) / 2, (h - 1) / 2]
        to = np.hstack([m, shift[:, None]])
        lo = np.floor(corners.min(0)).astype(int).clip(0)
        hi = np.minimum(np.ceil(corners.max(0)).astype(int) + 1, self.picture.shape[1::-1])
        if (hi <= lo).any():
            return corners
        to[:, 2] -= lo
        size = (int(hi[0] - lo[0]), int(hi[1] - lo[1]))
        flat = cv2.warpAffine(art, to, size, flags=cv2.INTER_AREA)
        mask = cv2.warpAffine(np.ones((h, w), np.float32), to, size)[..., None]
        window = self.picture[lo[1] : hi[1], lo[0] : hi[0]]
        window += (flat - window) * mask
        return corners


def _shine(patch: np.ndarray, gloss: Gloss, middle: np.ndarray, tile: float) -> None:
    """Let a tile's face (h, w, 4) mirror the lamp; its `middle` (2,) in tiles. Each face is uneven in its own way."""
    own = np.sin(middle * 97 + patch[..., :3].mean() * 991)
    y, x = np.mgrid[: patch.shape[0], : patch.shape[1]].astype(np.float32) / tile
    along = (x - middle[0]) * gloss.towards[0] + (y - middle[1]) * gloss.towards[1]
    streak = (
        gloss.strength * np.exp(-(((along - 0.2 - gloss.uneven * own[0]) / gloss.wide) ** 2)) * (0.6 + 0.4 * own[1])
    )
    inside = cv2.GaussianBlur(patch[..., 3], (0, 0), max(0.5, 0.06 * tile))
    slope = np.stack([cv2.Sobel(inside, -1, 1, 0), cv2.Sobel(inside, -1, 0, 1)], 2) @ gloss.towards.astype(np.float32)
    light = streak[..., None] - gloss.bevel * slope[..., None]
    patch[..., :3] = np.clip(patch[..., :3] * (1 + np.minimum(light, 0)) + np.maximum(light, 0) * 0.8, 0, 1)


def marker_picture(dictionary: cv2.aruco.Dictionary, marker: int, side: int, margin: int) -> np.ndarray:
    """(n, n, 3): a printed marker, `side` pixels wide, on white paper."""
    code = cv2.aruco.generateImageMarker(dictionary, marker, side)
    code = cv2.copyMakeBorder(code, margin, margin, margin, margin, cv2.BORDER_CONSTANT, value=255)
    return cv2.merge([code] * 3).astype(np.float32) / 255 * 0.9 + 0.04


def card_picture(rng: Rng, size: tuple[int, int], sticker: np.ndarray | None = None) -> np.ndarray:
    """(h, w, 3): a card's front, full of colors; `sticker` is laid in a corner."""
    h, w = size
    art = np.broadcast_to(bgr(rng.uniform(0, 360), rng.uniform(0.1, 0.9), rng.uniform(0.2, 0.95)), (h, w, 3)).copy()
    for _ in range(int(rng.integers(3, 12))):
        tone = bgr(rng.uniform(0, 360), rng.uniform(0.2, 1), rng.uniform(0.2, 1))
        _blob(rng, art, rng.uniform(0.1, 0.9, 2) * (w, h), rng.uniform(0.2, 0.6) * w, tone)
    if rng.random() < 0.7:
        y = int(h * rng.uniform(0.55, 0.75))
        art[y : y + int(h * rng.uniform(0.1, 0.25)), int(w * 0.1) : int(w * 0.9)] = rng.uniform(0.75, 1)
    rim = int(w * rng.uniform(0.02, 0.08))
    tone = bgr(rng.uniform(0, 360), rng.choice([0.05, 0.7]), rng.uniform(0.2, 1)).tolist()
    cv2.rectangle(art, (0, 0), (w - 1, h - 1), tone, max(1, 2 * rim))
    if sticker is not None:
        s = sticker.shape[0]
        x = int(rng.integers(0, max(1, w - s)))
        art[rim : rim + s, x : x + s] = sticker[: h - rim, : w - x]
    return art


def lay_clutter(rng: Rng, board: Board, at: np.ndarray) -> None:  # noqa: PLR0915 - a list of things
    """Something that is no tile: a die, a cube, a pawn, a chip, a pencil, a box's corner, a sheet of paper."""
    t = board.tile
    kind = rng.choice([*["die"] * 4, *["pawn", "cube"] * 2, "chip", "stick", "paper", "cup", "bead"])
    tone = bgr(rng.uniform(0, 360), rng.choice([0.1, rng.uniform(0.4, 1)]), rng.uniform(0.1, 1))
    if kind == "cube":
        size, edge = rng.uniform(0.3, 0.65), outline("square", rng.uniform(0, 0.08))
        art = np.full((16, 16, 4), (*tone.tolist(), 1.0), np.float32)
        art[:4], art[12:], art[:, :4], art[:, 12:] = 0, 0, 0, 0
        board.lay_tile(art, edge, at, rng.uniform(0, 90), size * rng.uniform(0.4, 1), size)
    elif kind == "die":
        size, turn = rng.uniform(0.45, 0.8), rng.uniform(0, 90)
        edge = outline("square", 0.15)
        art = np.zeros((64, 64, 4), np.float32)
        cv2.fillPoly(art, [np.round((edge * 32 + 32) * 16).astype(np.int32)], (*tone.tolist(), 1.0), cv2.LINE_AA, 4)
        pip = (0.05,) * 3 if tone.mean() > 0.4 else (0.95,) * 3
        places = {1: [0], 2: [-1, 1], 3: [-1, 0, 1], 4: [-2, -1, 1, 2], 5: [-2, -1, 0, 1, 2], 6: [-3, -2, -1, 1, 2, 3]}
        spots = {0: (0, 0), -1: (-1, -1), 1: (1, 1), -2: (1, -1), 2: (-1, 1), -3: (-1, 0), 3: (1, 0)}
        for p in places[int(rng.integers(1, 7))]:
            x, y = spots[p]
            cv2.circle(art, (32 + 9 * x, 32 + 9 * y), 3, (*pip, 1.0), -1, cv2.LINE_AA)
        board.lay_tile(art, edge, at, turn, size * rng.uniform(0.5, 1), size)
    elif kind in ("pawn", "bead", "cup"):
        r = {"pawn": rng.uniform(0.2, 0.4), "bead": rng.uniform(0.12, 0.3), "cup": rng.uniform(1.5, 3)}[kind] * t
        ring = np.stack([np.cos(np.arange(24) * 0.2618), np.sin(np.arange(24) * 0.2618)], 1)
        board.shadow(ring * r + at, 0.8)
        for i in range(6):
            board._paint(
                ring * r * (1 - 0.1 * i) + at + board.lean * t * 0.25 * i, np.clip(tone * (0.6 + 0.12 * i), 0, 1)
            )
        if kind == "cup":
            board._paint(ring * r * 0.4 + at + board.lean * t * 1.25, tone * rng.uniform(0.1, 0.7))
    elif kind == "chip":
        r = rng.uniform(0.35, 0.75) * t
        ring = np.stack([np.cos(np.arange(30) * 0.2094), np.sin(np.arange(30) * 0.2094)], 1)
        pale = bgr(rng.uniform(0, 360), rng.uniform(0, 0.12), rng.uniform(0.1, 1))
        board.shadow(ring * r + at, 0.1)
        board._paint(ring * r + at, pale)
        board._paint(ring * r * 0.8 + at, np.clip(pale * rng.uniform(0.7, 1.2), 0, 1))
        ink = 0.05 if pale.mean() > 0.45 else 0.95
        side = max(4, int(1.4 * r))
        mask = np.zeros((side, side), np.uint8)
        text = str(rng.choice(["-2", "+2", "1", "5", "10"]))
        cv2.putText(
            mask, text, (1, int(side * 0.8)), cv2.FONT_HERSHEY_DUPLEX, r / 26, 255, max(1, int(r / 10)), cv2.LINE_AA
        )
        x, y = (at - side / 2).astype(int).clip(0)
        window = board.picture[y : y + side, x : x + side]
        window += (ink - window) * (mask[: window.shape[0], : window.shape[1], None] / np.float32(255))
    elif kind == "stick":
        a = rng.uniform(0, np.pi)
        d, e = np.array([np.cos(a), np.sin(a)]), np.array([-np.sin(a), np.cos(a)])
        n, wide = rng.uniform(3, 9) * t, rng.uniform(0.12, 0.22) * t
        quad = np.array(
            [at - d * n / 2 - e * wide, at + d * n / 2 - e * wide, at + d * n / 2 + e * wide, at - d * n / 2 + e * wide]
        )
        board.shadow(quad, 0.3)
        board._paint(quad, tone)
        board._paint(
            np.array([quad[0], (quad[0] + quad[1]) / 2, (quad[3] + quad[2]) / 2, quad[3]]) * 1.0,
            np.clip(tone * 0.8, 0, 1),
        )
        board._paint(np.array([quad[0], quad[3], at - d * n * 0.6]), bgr(30, 0.4, 0.8))
    else:
        size = rng.uniform(1.5, 8, 2) * t
        art = np.full((int(size[1]), int(size[0]), 3), rng.uniform(0.6, 1), np.float32)
        for k in range(int(rng.integers(0, 8))):
            y = int((0.15 + 0.1 * k) * art.shape[0])
            cv2.line(
                art,
                (int(art.shape[1] * 0.1), y),
                (int(art.shape[1] * rng.uniform(0.4, 0.9)), y),
                (0.2,) * 3,
                max(1, int(t * 0.05)),
            )
        board.lay_picture(art, at, rng.uniform(0, 360))


def lay_hand(rng: Rng, board: Board, at: np.ndarray, to: float, skin: np.ndarray | None = None) -> np.ndarray:
    """A hand at `at` with its arm reaching off in the direction `to` (radians); returns the outline of both."""
    t = board.tile
    if skin is None:
        skin = bgr(rng.uniform(8, 28), rng.uniform(0.25, 0.65), rng.uniform(0.3, 0.98))
    d, e = np.array([np.cos(to), np.sin(to)]), np.array([-np.sin(to), np.cos(to)])
    wide, arm = rng.uniform(1.6, 2.1) * t, rng.uniform(1.1, 1.5) * t
    knuckle, wrist, away = at - d * t * 1.1, at + d * 3 * t, at + d * 60 * t
    palm = np.array([at - e * wide, knuckle - e * wide * 0.8, at - d * t * 1.4, knuckle + e * wide * 0.8, at + e * wide,
                     wrist + e * arm, away + e * arm * 1.3, away - e * arm * 1.3, wrist - e * arm])  # fmt: skip
    board.shadow(palm, rng.uniform(0.5, 1.5))
    layers = [(palm, skin)]
    for k in range(4):
        root = at - d * t * 0.9 + e * wide * (-0.65 + 0.43 * k)
        tip = root - d * t * rng.uniform(0.6, 1.5) + e * rng.normal(0, 0.15) * t
        half = e * t * 0.33
        layers.append((np.array([root - half, tip - half * 0.8, tip - d * t * 0.2, tip + half * 0.8, root + half]),
                       np.clip(skin * rng.uniform(0.9, 1.08), 0, 1)))  # fmt: skip
    if rng.random() < 0.6:
        cuff, tone = (
            at + d * rng.uniform(3, 8) * t,
            bgr(rng.uniform(0, 360), rng.uniform(0, 0.9), rng.uniform(0.1, 0.9)),
        )
        layers.append(
            (
                np.array(
                    [
                        cuff - e * arm * 1.5,
                        cuff + d * 60 * t - e * arm * 2,
                        cuff + d * 60 * t + e * arm * 2,
                        cuff + e * arm * 1.5,
                    ]
                ),
                tone,
            )
        )
    for points, tone in layers:
        board._paint(points, tone)
    return palm


def lay_out(rng: Rng, colors: Sequence[str], shape: tuple[int, int], tile: float, style: Style) -> list[Laid]:
    """Places for tiles: rows with or without gaps, blocks, lattices grown edge to edge, or spread out."""
    h, w = shape
    laid: list[Laid] = []
    taken: list[tuple[float, float]] = []
    rest = list(colors)
    tries = 0

    def free(x: float, y: float, least: float = 0.97) -> bool:
        return 0.3 * tile < x < w - 0.3 * tile and 0.3 * tile < y < h - 0.3 * tile and all(
            (x - a) ** 2 + (y - b) ** 2 > (least * tile) ** 2 for a, b in taken
        )  # fmt: skip

    while rest and tries < 200:
        tries += 1
        kind = rng.choice(["row", "row", "row", "block", "spread", "lattice", "lattice"])
        x, y = rng.uniform(0, w), rng.uniform(0, h)
        if kind == "spread":
            for _ in range(min(len(rest), int(rng.integers(1, 10)))):
                x, y = rng.uniform(0, w), rng.uniform(0, h)
                if free(x, y, 1.42):
                    laid.append(Laid(rest.pop(), (x, y), rng.uniform(0, 360)))
                    taken.append((x, y))
            continue
        a = rng.choice([0, 0, np.pi / 2, rng.uniform(0, 6.28)]) + rng.normal(0, 0.04)
        d, e = np.array([np.cos(a), np.sin(a)]), np.array([-np.sin(a), np.cos(a)])
        if kind == "lattice":
            six = style.shape == "hexagon" and rng.random() < 0.7
            axes = np.stack([d, d * 0.5 + e * 0.866 if six else e]) * tile * (1 + abs(rng.normal(0, 0.03)))
            steps = [(1, 0), (-1, 0), (0, 1), (0, -1), *([(1, -1), (-1, 1)] if six else [])]
            grown = [(0, 0)]
            for _ in range(int(rng.integers(2, 30))):
                near, step = grown[rng.integers(len(grown))], steps[rng.integers(len(steps))]
                grown.append((near[0] + step[0], near[1] + step[1]))
            for cell in dict.fromkeys(grown):
                p = np.array([x, y]) + np.array(cell) @ axes + rng.normal(0, 0.01, 2) * tile
                if rest and free(*p):
                    laid.append(Laid(rest.pop(), (float(p[0]), float(p[1])), np.rad2deg(a) + rng.normal(0, 0.7)))
                    taken.append((float(p[0]), float(p[1])))
            continue
        pitch = 1.0 if rng.random() < 0.4 else rng.uniform(1.0, 1.6)
        loose = 0.0 if rng.random() < 0.3 else rng.uniform(0, 0.06)
        rows = 1 if kind == "row" else int(rng.integers(2, 5))
        gap = 1.0 if rng.random() < 0.4 else rng.uniform(1.0, 1.8)
        for r in range(rows):
            along = rng.uniform(0, 0.6) if style.shape != "hexagon" else 0.5 * (r % 2)
            for _ in range(int(rng.integers(1, 12))):
                if not rest:
                    break
                p = np.array([x, y]) + d * tile * along + e * tile * r * gap + rng.normal(0, loose, 2) * tile
                if free(*p):
                    laid.append(Laid(rest.pop(), (float(p[0]), float(p[1])), np.rad2deg(a) + rng.normal(0, 60 * loose)))
                    taken.append((float(p[0]), float(p[1])))
                along += pitch * (1.0 if rng.random() < 0.9 else rng.uniform(1, 3)) + abs(rng.normal(0, loose))
    return laid


def tile_pictures(style: Style, tile: float) -> dict[str, np.ndarray]:
    """Each color's tile, ready to be laid."""
    return {color: tile_picture(style, color, int(np.ceil(tile))) for color in (*style.colors, "rainbow")}
