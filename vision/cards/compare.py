"""A place on the table against the faces of a deck: is a card there, exactly where, and which."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np


@dataclass(frozen=True)
class CompareSettings:
    """How a card in the picture is laid on a face's print and compared."""

    levels: tuple[float, float, float, float] = (0.75, 1.0, 1.4, 2.0)
    """Pixels per millimetre at which faces are compared."""
    sharp: float = 0.8
    """Densities are compared up to this part of that at which a deck was learnt: its pictures are sharp there."""
    cell_mm: float = 8.0  # side of the cells of a face that are judged one by one, about
    window_mm: float = 12.0  # side of the window in which light is evened out
    rounds: int = 8  # steps in which a face is laid on its print, at most
    longest_step: float = 2.5  # pixels of a step, at most
    small_step: float = 0.03  # pixels of a step that is the last one
    stiff: float = 0.02  # how much a face resists being stretched, in parts of what its print says
    same_cell: float = 0.7  # how alike cells of two faces are that show the same
    few_faces: float = 0.2  # share of the faces of other pictures that may show what is a face's own
    floor: float = 6.0  # grey levels: what varies less than this counts as plain
    bare: float = 3.5  # grey levels by which a cell of a picture varies at most, but for noise, that shows bare ground


SETTINGS = CompareSettings()
SLOPES = np.array([[0, 1], [1, 2]])
"""Which product of slopes stands where in a step's normal matrix."""
POWERS = np.array([[0, 1, 2], [1, 3, 4], [2, 4, 5]])
"""Which power of a place stands where in it."""
CHANNELS = np.ones((1, 3), np.float32)


def over_channels(picture: np.ndarray) -> np.ndarray:
    """The sum of a picture's three channels: (h, w, 3) float32 to (h, w)."""
    return np.asarray(cv2.transform(picture, CHANNELS))


def strongest(picture: np.ndarray) -> np.ndarray:
    """The largest of a picture's three channels: (h, w, 3) float32 to (h, w)."""
    blue, green, red = cv2.split(picture)
    return np.asarray(cv2.max(cv2.max(blue, green), red))


def print_slope(picture: np.ndarray) -> np.ndarray:
    """(h, w): by how many grey levels a face's print, (h, w, 3) float32, differs from what is beside it."""
    around = np.ones((3, 3), np.uint8)
    return strongest(cv2.dilate(picture, around) - cv2.erode(picture, around))


def median(values: np.ndarray) -> float:
    """The median of some values, at least one: numpy's own, which is bit by bit the same, takes nine times as long."""
    half = values.size // 2
    parted = np.partition(values, half, axis=None)
    return float(parted[half] if values.size % 2 else (parted[:half].max() + parted[half]) / 2)


def even(picture: np.ndarray, window: int) -> np.ndarray:
    """Local mean taken away, local contrast brought to 1: (h, w, 3) float32."""
    f = picture.astype(np.float32)
    k = (window, window)
    mean = cv2.blur(f, k, borderType=cv2.BORDER_REFLECT)
    f = f - mean
    var = cv2.blur(over_channels(f * f), k, borderType=cv2.BORDER_REFLECT)
    return np.asarray(f / np.sqrt(var + 3 * SETTINGS.floor**2)[..., None])


class Bank:
    """The faces of one size, as they look at several distances."""

    def __init__(
        self, pictures: Sequence[np.ndarray], size_mm: tuple[float, float], families: np.ndarray | None = None
    ) -> None:
        """`families` (2, K): for each face the first one that shows the same picture, and the first one that does in
        whatever hue; by default each its own."""
        self.pictures = list(pictures)
        self.size_mm = size_mm
        none = np.tile(np.arange(len(self.pictures)), (2, 1))
        self.families, self.kin = none if families is None else families
        self._at: dict[int, np.ndarray] = {}
        self._even: dict[tuple[int, int], np.ndarray] = {}
        self._slopes: dict[tuple[int, int], np.ndarray] = {}
        self._cells: dict[int, np.ndarray] = {}
        self._from_px: dict[int, np.ndarray] = {}
        self._ends: dict[tuple[float, float], list[np.ndarray]] = {}
        self._usual: tuple[np.ndarray, np.ndarray] | None = None
        own = min(p.shape[1] / size_mm[0] for p in self.pictures)
        self.levels = [d for d in SETTINGS.levels if d <= own * SETTINGS.sharp] or [own * SETTINGS.sharp]
        self.grid = (max(2, round(size_mm[1] / SETTINGS.cell_mm)), max(2, round(size_mm[0] / SETTINGS.cell_mm)))

    def shape(self, level: int) -> tuple[int, int]:
        """Height and width in pixels, whole multiples of the cells."""
        d = self.levels[level]
        r, c = self.grid
        return r * max(2, round(self.size_mm[1] * d / r)), c * max(2, round(self.size_mm[0] * d / c))

    def faces(self, level: int) -> np.ndarray:
        """(K, h, w, 3) float32."""
        if level not in self._at:
            h, w = self.shape(level)
            self._at[level] = np.stack(
                [cv2.resize(p, (w, h), interpolation=cv2.INTER_AREA).astype(np.float32) for p in self.pictures]
            )
        return self._at[level]

    def window(self, level: int) -> int:
        return int(SETTINGS.window_mm * self.levels[level]) | 1

    def evened(self, level: int, face: int) -> np.ndarray:
        """(h, w, 3) float32, light evened out."""
        if (level, face) not in self._even:
            self._even[level, face] = even(self.faces(level)[face], self.window(level))
        return self._even[level, face]

    def slope(self, level: int, face: int) -> np.ndarray:
        """(h, w) float32, see `print_slope`."""
        if (level, face) not in self._slopes:
            self._slopes[level, face] = print_slope(self.faces(level)[face])
        return self._slopes[level, face]

    def by_cells(self, pictures: np.ndarray) -> np.ndarray:
        """(…, h, w, 3) -> (cells, …, pixels), each cell's pixels brought to length 1."""
        *lead, h, w, n = pictures.shape
        r, c = self.grid
        x = pictures.reshape(-1, r, h // r, c, w // c, n).transpose(1, 3, 0, 2, 4, 5).reshape(r * c, *lead, -1)
        length = np.sqrt((x**2).sum(-1, keepdims=True))
        plain = 0.25 * np.sqrt(x.shape[-1] / 3.0)
        return np.asarray(x / np.maximum(length, plain))

    def cells(self, level: int) -> np.ndarray:
        """(cells, K, pixels)."""
        if level not in self._cells:
            self._cells[level] = self.by_cells(np.stack([self.evened(level, k) for k in range(len(self.pictures))]))
        return self._cells[level]

    @cached_property
    def textured(self) -> np.ndarray:
        """(cells, K) bool: where a face has something to compare."""
        x = self.cells(0)
        return np.asarray((x**2).sum(2) > 0.98)

    @cached_property
    def own(self) -> np.ndarray:
        """(cells, K) bool: what of a face only few faces of other pictures show: no frame, no box, no rim."""
        x = self.cells(0)
        other = (self.kin[:, None] != self.kin[None]).astype(np.float32)
        alike = ((x @ x.transpose(0, 2, 1) > SETTINGS.same_cell) * other).sum(2) / np.maximum(other.sum(1), 1)
        return np.asarray(self.textured & (alike < SETTINGS.few_faces))

    def upper_ends(self, dense: float, shown: float) -> list[np.ndarray]:
        """The upper end, so many millimetres, of each picture that the faces show: (h, w, 3) uint8 each."""
        if (dense, shown) not in self._ends:
            w, h = (round(side * dense) for side in self.size_mm)
            each = [self.pictures[k] for k in np.unique(self.families)]
            small = [cv2.resize(picture, (w, h), interpolation=cv2.INTER_AREA) for picture in each]
            self._ends[dense, shown] = [picture[: round(shown * dense)] for picture in small]
        return self._ends[dense, shown]

    def sisters(self, faces: Iterable[int]) -> list[int]:
        """Those faces, then the others that show their pictures, in whatever hue."""
        mine = list(faces)
        family = np.isin(self.kin, self.kin[mine])
        return mine + [k for k in np.nonzero(family)[0].tolist() if k not in mine]

    def usual(self) -> tuple[np.ndarray, np.ndarray]:
        """How alike the cells of different faces are: mean and spread (cells,)."""
        if self._usual is None:
            x = self.cells(0)
            like = x @ x.transpose(0, 2, 1)
            k = like.shape[1]
            other = self.families[:, None] != self.families[None]
            if k < 2 or not other.any():
                self._usual = np.zeros(len(x)), np.full(len(x), 0.25)
            else:
                v = like[:, other]
                self._usual = v.mean(1), np.maximum(v.std(1), 0.2)
        return self._usual

    def face_to_px(self, level: int) -> np.ndarray:
        """(3, 3): millimetres from the card's middle to pixels of the face at a level."""
        h, w = self.shape(level)
        sx, sy = w / self.size_mm[0], h / self.size_mm[1]
        return np.array([[sx, 0, w / 2 - 0.5], [0, sy, h / 2 - 0.5], [0, 0, 1]])

    def px_to_face(self, level: int) -> np.ndarray:
        """(3, 3): pixels of the face at a level to millimetres from the card's middle."""
        if level not in self._from_px:
            self._from_px[level] = np.linalg.inv(self.face_to_px(level))
        return self._from_px[level]

    @cached_property
    def middles(self) -> np.ndarray:
        """(cells, 3): the cells' middles, in millimetres from the card's middle, and a 1 after each."""
        r, c = self.grid
        w, h = self.size_mm
        x, y = (np.arange(c) + 0.5) / c * w - w / 2, (np.arange(r) + 0.5) / r * h - h / 2
        return np.array([[u, v, 1.0] for v in y for u in x])

    def corners(self, to_pixels: np.ndarray) -> np.ndarray:
        """(4, 2) in pixels: where a card's corners lie, from its own top left."""
        w, h = self.size_mm[0] / 2, self.size_mm[1] / 2
        at = np.array([[-w, -h, 1], [w, -h, 1], [w, h, 1], [-w, h, 1]]) @ to_pixels.T
        return np.asarray(at[:, :2] / at[:, 2:])

    def patch(self, image: np.ndarray, to_pixels: np.ndarray, level: int) -> tuple[np.ndarray, np.ndarray]:
        """What lies where a card may lie: (h, w, 3) float32; and which of it is in the picture, (h, w) bool.

        `to_pixels` (3, 3) takes millimetres from the card's middle to the picture's pixels.
        """
        h, w = self.shape(level)
        m = to_pixels @ self.px_to_face(level)
        out = cv2.warpPerspective(
            image, m, (w, h), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE
        )
        return out.astype(np.float32), self._inside(m, (h, w), image.shape)

    def _inside(self, to_pixels: np.ndarray, shape: tuple[int, int], picture: tuple[int, ...]) -> np.ndarray:
        """(h, w) bool: which pixels of a face lie in the picture."""
        h, w = shape
        most = np.array(picture[1::-1]) - 0.5
        corners = np.array([[0, 0, 1], [w - 1, 0, 1], [w - 1, h - 1, 1], [0, h - 1, 1]]) @ to_pixels.T
        corners = corners[:, :2] / corners[:, 2:]
        if ((corners > -0.5) & (corners < most)).all():
            return np.ones(shape, bool)
        y, x = np.mgrid[0:h, 0:w]
        q = np.stack([x, y, np.ones_like(x)], -1) @ to_pixels.T
        u = q[..., :2] / q[..., 2:]
        return np.asarray(((u > -0.5) & (u < most)).all(-1))


def affine_at_middle(to_pixels: np.ndarray) -> np.ndarray:
    """The affine map (2, 3) that a homography (3, 3) looks like at a card's middle."""
    c = to_pixels[:2, 2] / to_pixels[2, 2]
    j = (to_pixels[:2, :2] - np.outer(c, to_pixels[2, :2])) / to_pixels[2, 2]
    return np.column_stack([j, c])


def density(to_pixels: np.ndarray) -> float:
    """Pixels of the picture per millimetre at a card's middle."""
    return float(np.sqrt(abs(np.linalg.det(affine_at_middle(to_pixels)[:, :2]))))


def likeness(
    bank: Bank, image: np.ndarray, to_pixels: np.ndarray, level: int, bare: bool = False
) -> tuple[np.ndarray, np.ndarray]:
    """How alike each face is in each cell: (cells, K), and the weight of each cell: (cells,).

    `bare`: NaN where a face and the picture both show bare ground: nothing is compared there but noise.
    """
    p, inside = bank.patch(image, to_pixels, level)
    q = bank.by_cells(even(p, bank.window(level)))
    like = np.asarray((bank.cells(level) @ q[:, :, None])[:, :, 0])
    r, c = bank.grid
    if bare:
        soft = cv2.blur(p, (3, 3)).reshape(r, p.shape[0] // r, c, p.shape[1] // c, 3)
        plain = soft.std((1, 3)).max(2).ravel() < SETTINGS.bare
        like[plain[:, None] & ~bank.textured] = np.nan
    h, w = inside.shape
    seen = inside.reshape(r, h // r, c, w // c).mean((1, 3)).ravel()
    return like, seen


def align(
    bank: Bank, image: np.ndarray, to_pixels: np.ndarray, face: int, level: int, where: np.ndarray | None = None
) -> np.ndarray:
    """Move, turn and stretch a face until it lies on its print: the refined map (3, 3) from mm to pixels.

    Gauss-Newton on the evened-out pictures; pixels that do not agree (what covers the card) count little.
    `where` (rows, columns) float32: how much each cell counts.
    """
    f = bank.evened(level, face)
    h, w = f.shape[:2]
    half = 0.5 * max(h, w)
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    u, v = ((x - w / 2 + 0.5) / half).ravel(), ((y - h / 2 + 0.5) / half).ravel()
    gx = cv2.Sobel(f, cv2.CV_32F, 1, 0, scale=1 / 8)
    gy = cv2.Sobel(f, cv2.CV_32F, 0, 1, scale=1 / 8)
    # Each pixel's slopes times 1, u, v make its six columns: the normal matrix needs their products only.
    slopes = np.stack([over_channels(a * b) for a, b in ((gx, gx), (gx, gy), (gy, gy))]).reshape(3, -1)
    ones = np.ones_like(u)
    powers = np.stack([ones, u, v, u * u, u * v, v * v], 1)
    # To shift and to turn is free, to stretch is not: a strip alone does not tell the whole card's shape.
    stretch = np.array([[0, 0, 1, 0, 0, 0], [0, 0, 0, 0, 0, 1], [0, 0, 0, 1, 1, 0]], np.float64)
    to_face, from_face = bank.face_to_px(level), bank.px_to_face(level)
    to_middle = np.array([[1, 0, w / 2 - 0.5], [0, 1, h / 2 - 0.5], [0, 0, 1.0]])
    from_middle = np.linalg.inv(to_middle)
    counts = 1.0 if where is None else cv2.resize(where, (w, h), interpolation=cv2.INTER_NEAREST)
    m = to_pixels
    for _ in range(SETTINGS.rounds):
        p, inside = bank.patch(image, m, level)
        off = even(p, bank.window(level)) - f
        size = cv2.blur(over_channels(off * off), (5, 5))
        usual = max(median(size[inside]) if inside.any() else 1.0, 0.05)
        weight = np.where(inside, counts / (1 + size / usual) ** 2, 0).astype(np.float32).ravel()
        sums = ((weight * slopes) @ powers)[:, POWERS]
        a = sums[SLOPES].transpose(2, 0, 3, 1).reshape(6, 6).astype(np.float64)
        pull = weight * np.stack([over_channels(g * off).ravel() for g in (gx, gy)])
        level_of = float(np.trace(a)) + 1e-6
        a = a + level_of * (SETTINGS.stiff * stretch.T @ stretch + 1e-4 * np.eye(6))
        step = np.linalg.solve(a, (pull @ powers[:, :3]).T.ravel())
        reach = float(np.abs(step).max())
        step *= min(1.0, SETTINGS.longest_step / max(reach, 1e-9))
        moved = np.eye(3)
        moved[0] = [1 + step[2] / half, step[4] / half, step[0]]
        moved[1] = [step[3] / half, 1 + step[5] / half, step[1]]
        m = m @ from_face @ to_middle @ np.linalg.inv(moved) @ from_middle @ to_face
        m /= m[2, 2]
        if reach < SETTINGS.small_step:
            break
    return m


def mean_color(bank: Bank, picture: np.ndarray, where: np.ndarray) -> np.ndarray:
    """(3,) the mean color of a picture (h, w, 3) of a card, in some of its cells: `where` (cells,) bool."""
    rows, cols = bank.grid
    small = cv2.resize(picture, (cols, rows), interpolation=cv2.INTER_AREA).reshape(-1, 3)
    return np.asarray(small[where].mean(0) if where.any() else np.zeros(3))


def tint(seen: np.ndarray, own: np.ndarray, strength: float = 1.0) -> np.ndarray:
    """(3,) by how much the hue of a color that is seen differs from a face's own (3,), the light's included.

    Logarithms of the ratios between channels, their mean 0. Each channel counts with the mean of all added: haze and
    weak colors change a channel in which hardly anything is seen many times over. `strength`: how strong the camera
    shows colors, in parts of the face's own.
    """
    gray = seen.mean()
    pulled = np.maximum(gray + (seen - gray) / strength, 0.0)
    a, b = (color / max(float(color.mean()), 1.0) for color in (pulled, own))
    ratio = np.log((1 + a) / (1 + b))
    return np.asarray(ratio - ratio.mean())
