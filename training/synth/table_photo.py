"""A whole table as a photo: zones with printed markers, tiles and cards laid in millimetres, a slanted camera.

The table's frame: millimetres, (0, 0) its far left corner as the camera sees it, x to the right, y towards the camera.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np

from training.synth.boards import board_top
from training.synth.tables import Board, card_picture, marker_picture, table_top, tile_pictures
from training.synth.tiles import Style, outline
from vision.table.profile import DICTIONARIES, TableProfile, Zone

DRAWN = 1.9
"""Pixels of a millimetre in the flat picture."""
AROUND = 170.0
"""Millimetres of bare table that are drawn around it, for what a slanted camera sees beyond its edges."""


@dataclass(frozen=True)
class Area:
    """A zone on the table: its top left corner, width and height in millimetres."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Placed:
    """A tile (`what` is its color), a card (`what` is its marker's id), or a picture: a flat one (h, w, 3) at DRAWN, a
    thick one (h, w, 4) twice as wide as the piece. Center in millimetres, turn in degrees."""

    what: str | int | np.ndarray
    x: float
    y: float
    turn: float = 0.0


@dataclass(frozen=True)
class Setting:
    """A table before anything is laid on it.

    Attributes:
        areas: the zones by name; the first has the markers 0 to 3 at its corners, the second 4 to 7, …
        size: the table's width and depth in millimetres.
        art: another number, other pictures on the cards.
        tile: a tile's width in millimetres. `slant`: 0 (from straight above) to about 0.5.
    """

    areas: Mapping[str, Area]
    size: tuple[float, float] = (760.0, 500.0)
    tile: float = 22.0
    marker: float = 34.0
    dictionary: str = "DICT_5X5_250"
    top: str | None = None
    slant: float = 0.25
    warmth: float = 0.0
    seed: int = 1
    art: int = 0
    cards: Mapping[int, Mapping[str, object]] = field(default_factory=dict)

    def profile(self, name: str, rule: int | None = None, game: str = "twelve-seekers") -> TableProfile:
        """What a person would tell the companion of this table."""
        zones = {
            zone: Zone((4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3), (area.width, area.height))
            for i, (zone, area) in enumerate(self.areas.items())
        }
        return TableProfile(name, game, rule, self.dictionary, zones, self.tile, dict(self.cards))


class DrawnTable:
    """A table of that setting; `photo` shows it with whatever lies on it. The same seed gives the same table."""

    def __init__(
        self,
        setting: Setting,
        style: Style | None = None,
        pixels: tuple[int, int] = (1280, 960),
        art: Sequence[np.ndarray] = (),
    ) -> None:
        """`pixels`: width and height of its photos; `art`: what is printed on a board, where the top is one."""
        self.setting, self.pixels = setting, pixels
        rng = np.random.default_rng(setting.seed)
        self.style = style or Style.drawn(rng)
        w, h = (round((s + 2 * AROUND) * DRAWN) for s in setting.size)
        if setting.top == "board":
            self._empty = board_top(rng, (h, w), setting.tile * DRAWN, art)
        else:
            self._empty = table_top(rng, (h, w), setting.tile * DRAWN, setting.top)
        self._tiles = tile_pictures(self.style, setting.tile * DRAWN)
        self._edge = outline(self.style.shape, self.style.corner)
        board = self._board(self._empty)
        bits = cv2.aruco.getPredefinedDictionary(DICTIONARIES[setting.dictionary])
        m = setting.marker
        for i, area in enumerate(setting.areas.values() if m else ()):
            x0, y0, x1, y1 = area.x + m / 2, area.y + m / 2, area.x + area.width - m / 2, area.y + area.height - m / 2
            for k, (x, y) in enumerate(((x0, y0), (x1, y0), (x1, y1), (x0, y1))):
                side = round(m * DRAWN)
                board.lay_picture(marker_picture(bits, 4 * i + k, side, side // 6), self._at(x, y), 0.0)
        self._bits = bits
        y, x = np.mgrid[:h, :w].astype(np.float32)
        lamp = rng.uniform(0.2, 0.8, 2) * (w, h)
        light = 1.15 - 0.45 * (((x - lamp[0]) ** 2 + (y - lamp[1]) ** 2) / (w * w))
        cast = np.array([1 - 0.35 * setting.warmth, 1 - 0.08 * setting.warmth, 1.0], np.float32)
        self._shine = ((np.maximum(light, 0.1)[..., None] * cast) ** (1 / 2.2)).astype(np.float32)

    def _board(self, picture: np.ndarray) -> Board:
        lean = np.array([0.0, -1.2 * self.setting.slant])
        return Board(picture, self.setting.tile * DRAWN, lean, (0.35, 0.25, 0.45))

    @staticmethod
    def in_order(placed: Sequence[Placed]) -> Sequence[Placed]:
        """What lies on top of others comes last: what is nearer."""
        return sorted(placed, key=lambda p: p.y)

    @staticmethod
    def _at(x: float, y: float) -> np.ndarray:
        return (np.array([x, y]) + AROUND) * DRAWN

    @property
    def to_photo(self) -> np.ndarray:
        """(3, 3) from the table's millimetres to the photo's pixels."""
        (w, h), (width, height) = self.setting.size, self.pixels
        far = 0.5 * self.setting.slant
        ends = np.float32(
            [
                [width * far * 0.5, height * far * 0.6],
                [width * (1 - far * 0.5), height * far * 0.6],
                [width, height],
                [0, height],
            ]
        )
        return cv2.getPerspectiveTransform(np.float32([[0, 0], [w, 0], [w, h], [0, h]]), ends)

    def photo(
        self, placed: Sequence[Placed] = (), over: Sequence[np.ndarray] = (), noise: float = 2.0, seed: int = 0
    ) -> np.ndarray:
        """(H, W, 3) BGR uint8: the table with what lies on it; `over`: pictures (H, W, 4) laid over the photo."""
        rng = np.random.default_rng([self.setting.seed, seed])
        board = self._board(self._empty.copy())
        for one in self.in_order(placed):
            at = self._at(one.x, one.y)
            if isinstance(one.what, np.ndarray):
                wide = one.what.shape[0] / (2 * self.setting.tile * DRAWN)
                if one.what.shape[2] == 3:
                    board.lay_picture(one.what, at, one.turn)
                else:
                    board.lay_tile(one.what, outline("round", 0.0), at, one.turn, 0.12, wide)
            elif isinstance(one.what, int):
                sticker = marker_picture(self._bits, one.what, round(17.5 * DRAWN), round(3 * DRAWN))
                art = card_picture(
                    np.random.default_rng(one.what + 1000 * self.setting.art),
                    (round(88 * DRAWN), round(63 * DRAWN)),
                    sticker,
                )
                board.lay_picture(art, at, one.turn)
            else:
                board.lay_tile(self._tiles[one.what], self._edge, at, one.turn, 0.12)
        flat = cv2.convertScaleAbs(cv2.multiply(board.picture, self._shine, dtype=cv2.CV_32F), alpha=255)
        to = self.to_photo @ np.array([[1 / DRAWN, 0, -AROUND], [0, 1 / DRAWN, -AROUND], [0, 0, 1]])
        image = cv2.warpPerspective(flat, to, self.pixels, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101)
        for layer in over:
            alpha = layer[..., 3:].astype(np.float32) / 255
            image = (image + (layer[..., :3].astype(np.float32) - image) * alpha).astype(np.uint8)
        grain = rng.normal(0, noise, (image.shape[0] // 2, image.shape[1] // 2, 3)).astype(np.float32)
        grain = cv2.resize(grain, self.pixels, interpolation=cv2.INTER_NEAREST)
        return np.clip(image + grain, 0, 255).astype(np.uint8)
