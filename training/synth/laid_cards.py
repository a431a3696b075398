"""Tables on which drawn cards lie as people lay them, photographed, with the truth of each card.

Lengths are millimetres on the table; corners are pixels, from a card's own top left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np

from training.synth.decks import DENSE, DrawnCard, DrawnDeck
from training.synth.tables import table_top

Rng = np.random.Generator
TOPS = ("wood", "felt", "cloth", "mat")
TELLING_MM2 = 4.0
"""Square millimetres in sight by which two faces differ, for one to be told from the other."""
TELLING = 60
"""Grey levels by which a place differs then."""


@dataclass
class Lying:
    """A card on a table, later ones on top: its face or back, where, turned by degrees; strangers have no `card`."""

    face: np.ndarray
    at: tuple[float, float]
    turn: float
    card: DrawnCard | None = None
    sleeve: bool = False
    corners: np.ndarray = field(default_factory=lambda: np.zeros((4, 2)))
    visible: float = 0.0
    alike: frozenset[str] = frozenset()
    """Ids of cards of its deck that look the same as far as it is in sight."""


@dataclass(frozen=True)
class Camera:
    """From the table's millimetres to a picture of so many pixels across and down."""

    to_pixels: np.ndarray
    pixels: tuple[int, int]

    @classmethod
    def drawn(cls, rng: Rng, size: tuple[float, float], pixels: tuple[int, int], tilt: float) -> Camera:
        """A camera that sees a table of a size, slanted by up to `tilt` (0 to 0.5)."""
        (w, h), (width, height) = size, pixels
        far, lean = tilt * rng.uniform(0.3, 1), tilt * rng.uniform(-0.15, 0.15)
        ends = [[far * 0.25 * width, far * 0.3 * height], [width * (1 - far * 0.25), (far * 0.3 + lean) * height],
                [width, height], [0, height * (1 - abs(lean))]]  # fmt: skip
        flat = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
        return cls(cv2.getPerspectiveTransform(flat, np.array(ends, np.float32)), pixels)


def laid_out(rng: Rng, deck: DrawnDeck, way: str) -> tuple[list[Lying], tuple[float, float]]:
    """Cards laid in a way, and the table's width and depth."""
    return _WAYS[way](rng, deck)


def _picked(rng: Rng, deck: DrawnDeck, n: int) -> Iterator[Lying]:
    """Some cards of a deck, without end; one in nine is a stranger, one in fourteen lies face down."""
    order = list(rng.permutation(len(deck.cards)))
    while True:
        order = order or list(rng.permutation(len(deck.cards)))
        other = rng.random()
        if other < 1 / 9:
            yield Lying(deck.strangers[rng.integers(len(deck.strangers))], (0, 0), 0.0)
        elif other < 1 / 9 + 1 / 14:
            yield Lying(deck.back, (0, 0), 0.0)
        else:
            card = deck.cards[order.pop()]
            yield Lying(card.face, (0, 0), 0.0, card)


def _apart(rng: Rng, deck: DrawnDeck) -> tuple[list[Lying], tuple[float, float]]:
    w, h = deck.size_mm
    out, picks = [], _picked(rng, deck, 18)
    step = 1.3 * float(np.hypot(w, h)) * 0.9
    for row in range(3):
        for col in range(6):
            one = next(picks)
            one.at = ((col + 0.6) * step + rng.uniform(-9, 9), (row + 0.6) * step + rng.uniform(-9, 9))
            one.turn = float(rng.choice([0, 90, 180, 270]) + rng.normal(0, 8))
            out.append(one)
    return out, (6.2 * step, 3.4 * step)


def _columns(rng: Rng, deck: DrawnDeck) -> tuple[list[Lying], tuple[float, float]]:
    """Columns in which each card shows its top third (29 of 88 mm) below the next one."""
    w, h = deck.size_mm
    out, picks = [], _picked(rng, deck, 20)
    for col in range(5):
        for k in range(4):
            one = next(picks)
            one.at = ((col + 2.4) * (w + 12) + rng.normal(0, 1.2), h * 1.4 + 0.33 * h * k + rng.normal(0, 1.2))
            one.turn = float(rng.normal(0, 1.5))
            out.append(one)
    return out, (9 * (w + 12), 4.2 * h)


def _fan(rng: Rng, deck: DrawnDeck, at: tuple[float, float], n: int, turn: float) -> list[Lying]:
    w = deck.size_mm[0]
    out, picks = [], _picked(rng, deck, n)
    show, spread = rng.uniform(0.32, 0.5) * w, rng.uniform(2, 9)
    c, s = np.cos(np.deg2rad(turn)), np.sin(np.deg2rad(turn))
    for k in range(n):
        one = next(picks)
        x, y = (k - (n - 1) / 2) * show, 0.004 * ((k - (n - 1) / 2) * show) ** 2
        one.at = (at[0] + c * x - s * y, at[1] + s * x + c * y)
        one.turn = turn + (k - (n - 1) / 2) * spread
        out.append(one)
    return out


def _fans(rng: Rng, deck: DrawnDeck) -> tuple[list[Lying], tuple[float, float]]:
    w, h = deck.size_mm
    out = []
    for i in range(4):
        at = ((0.27 + 0.5 * (i % 2)) * 11 * w, (0.28 + 0.5 * (i // 2)) * 3.6 * h)
        out += _fan(rng, deck, at, int(rng.integers(4, 7)), float(rng.uniform(-25, 25)))
    return out, (11 * w, 3.7 * h)


def _four_hands(rng: Rng, deck: DrawnDeck) -> tuple[list[Lying], tuple[float, float]]:
    """Four players at a table, eight cards in front of each, in two rows that half cover one another."""
    w, h = deck.size_mm
    size = (15 * w, 15 * w * 9 / 16)
    out = []
    for seat in range(4):
        far = seat < 2
        middle = size[0] * (0.26 + 0.48 * (seat % 2)), size[1] * (0.2 if far else 0.8)
        picks = _picked(rng, deck, 8)
        for k in range(8):
            one = next(picks)
            x, y = (k % 4 - 1.5) * (w + 6), (k // 4) * 0.45 * h - 0.2 * h
            one.at = (
                middle[0] + (-x if far else x) + rng.normal(0, 1.5),
                middle[1] + (-y if far else y) + rng.normal(0, 1.5),
            )
            one.turn = (180.0 if far else 0.0) + float(rng.normal(0, 2))
            out.append(one)
    return out, size


def _two_seats(rng: Rng, deck: DrawnDeck) -> tuple[list[Lying], tuple[float, float]]:
    """Two players side by side in sleeved cards, a row between them."""
    w, h = deck.size_mm
    out = []
    for seat in range(2):
        out += _fan(rng, deck, ((2.7 + 5.2 * seat) * w, 3.3 * h), 6, float(rng.normal(0, 6)))
    picks = _picked(rng, deck, 6)
    for col in range(6):
        one = next(picks)
        one.at, one.turn = ((1.4 + 1.35 * col) * w, 1.2 * h), float(rng.choice([0, 180]) + rng.normal(0, 4))
        out.append(one)
    for one in out:
        one.sleeve = True
    return out, (10.4 * w, 4.2 * h)


_WAYS: dict[str, Callable[[Rng, DrawnDeck], tuple[list[Lying], tuple[float, float]]]] = {
    "apart": _apart, "columns": _columns, "fans": _fans, "four hands": _four_hands, "two seats": _two_seats,
}  # fmt: skip
WAYS = tuple(_WAYS)


def photographed(
    rng: Rng, deck: DrawnDeck, lying: Sequence[Lying], size: tuple[float, float], camera: Camera
) -> np.ndarray:
    """A picture (H, W, 3) BGR uint8 of what lies there; corners, visible and alike of each card are set."""
    width, height = camera.pixels
    flat = table_top(rng, (round(size[1] * 1.5), round(size[0] * 1.5)), 33.0, str(rng.choice(TOPS)))
    flat = (flat * 255).clip(0, 255).astype(np.uint8) if flat.dtype != np.uint8 else flat
    to = camera.to_pixels @ np.diag([size[0] / flat.shape[1], size[1] / flat.shape[0], 1])
    image = cv2.warpPerspective(flat, to, camera.pixels, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REFLECT)
    image = image[..., :3].astype(np.float32)
    label = np.zeros((height, width), np.int32)
    for i, one in enumerate(lying, 1):
        _lay(rng, image, label, one, i, camera)
    for _ in range(int(rng.integers(0, 3))):
        _thing(rng, image, label, lying)
    for i, one in enumerate(lying, 1):
        _truth(one, label == i, deck)
    return _taken(rng, image)


def _lay(rng: Rng, image: np.ndarray, label: np.ndarray, one: Lying, number: int, camera: Camera) -> None:
    h, w = (side / DENSE for side in one.face.shape[:2])
    c, s = np.cos(np.deg2rad(one.turn)), np.sin(np.deg2rad(one.turn))
    place = np.array([[c, -s, one.at[0]], [s, c, one.at[1]], [0, 0, 1]])
    if one.sleeve:
        around = _project(camera.to_pixels @ place, w + 3, h + 3)
        mask = np.zeros(image.shape[:2], np.uint8)
        cv2.fillConvexPoly(mask, np.round(around * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
        image += (0.25 * (mask / 255.0))[..., None] * (np.float32(215) - image)
        label[mask > 127] = number
    one.corners = _project(camera.to_pixels @ place, w, h)
    side = max(float(np.linalg.norm(one.corners[k] - one.corners[k - 1])) for k in range(4))
    shrink = min(1.0, 1.15 * side / max(one.face.shape[:2]))
    face = cv2.resize(one.face, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    x0, y0 = np.floor(one.corners.min(0)).astype(int) - 6
    x1, y1 = np.ceil(one.corners.max(0)).astype(int) + 7
    x0, y0, x1, y1 = max(x0, 0), max(y0, 0), min(x1, image.shape[1]), min(y1, image.shape[0])
    if x1 - x0 < 2 or y1 - y0 < 2:
        return
    own = np.array([[0, 0], [face.shape[1], 0], face.shape[1::-1], [0, face.shape[0]]], np.float32) - 0.5
    to = cv2.getPerspectiveTransform(own, (one.corners - (x0, y0)).astype(np.float32))
    size = (int(x1 - x0), int(y1 - y0))
    warped = cv2.warpPerspective(face, to, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    mask = np.zeros(size[::-1], np.uint8)
    cv2.fillConvexPoly(mask, np.round((one.corners - (x0, y0)) * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    part = image[y0:y1, x0:x1]
    shadow = cv2.GaussianBlur(np.roll(mask, (2, 2), (0, 1)), (0, 0), 2.0)[..., None] / 255
    part *= 1 - 0.3 * shadow
    alpha = mask[..., None].astype(np.float32) / 255
    shown = warped.astype(np.float32)
    if one.sleeve and rng.random() < 0.5:
        shown = _glare(rng, shown)
    part += alpha * (shown - part)
    label[y0:y1, x0:x1][mask > 127] = number


def _project(to: np.ndarray, w: float, h: float) -> np.ndarray:
    at = np.array([[-w, -h, 2], [w, -h, 2], [w, h, 2], [-w, h, 2]]) / 2 @ to.T
    return np.asarray(at[:, :2] / at[:, 2:])


def _glare(rng: Rng, shown: np.ndarray) -> np.ndarray:
    h, w = shown.shape[:2]
    spot = np.zeros((h, w), np.float32)
    middle = (rng.uniform(0.2, 0.8, 2) * (w, h)).astype(int).tolist()
    axes = (rng.uniform(0.12, 0.35, 2) * (w, h)).astype(int).tolist()
    cv2.ellipse(spot, middle, axes, float(rng.uniform(0, 180)), 0, 360, 1.0, -1)
    spot = cv2.GaussianBlur(spot, (0, 0), 0.12 * w) * rng.uniform(0.3, 0.8)
    return np.asarray(shown + spot[..., None] * (250 - shown))


def _thing(rng: Rng, image: np.ndarray, label: np.ndarray, lying: Sequence[Lying]) -> None:
    """A thumb or a token on a card."""
    on = lying[rng.integers(len(lying))].corners
    scale = float(np.linalg.norm(on[1] - on[0])) / 60
    middle = (on.mean(0) + rng.uniform(-0.5, 0.5, 2) * (on[2] - on[0])).round().astype(int).tolist()
    thumb = rng.random() < 0.5
    axes = [round(a * scale) for a in ((9, 30) if thumb else (10, 10))]
    color = (120, 150, 205) if thumb else tuple(int(v) for v in rng.integers(30, 230, 3))
    mask = np.zeros(label.shape, np.uint8)
    cv2.ellipse(mask, middle, axes, float(rng.uniform(0, 180)), 0, 360, 255, -1, cv2.LINE_AA)
    image += (mask / np.float32(255))[..., None] * (np.array(color, np.float32) - image)
    label[mask > 127] = -1


def _truth(one: Lying, mine: np.ndarray, deck: DrawnDeck) -> None:
    """How much of a card is in sight, and what it may be mistaken for."""
    one.visible = float(mine.sum()) / max(cv2.contourArea(one.corners.astype(np.float32)), 1.0)
    if one.card is None:
        return
    half = [cv2.resize(card.face, None, fx=0.4, fy=0.4, interpolation=cv2.INTER_AREA) for card in deck.cards]
    h, w = half[0].shape[:2]
    own = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32) - 0.5
    to = cv2.getPerspectiveTransform(own, one.corners.astype(np.float32))
    shown = cv2.warpPerspective(mine.astype(np.uint8), to, (w, h), flags=cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP) > 0
    me = cv2.resize(one.face, (w, h), interpolation=cv2.INTER_AREA)
    least = TELLING_MM2 * (0.4 * DENSE) ** 2
    one.alike = frozenset(
        str(card.entry["id"])
        for card, other in zip(deck.cards, half, strict=True)
        if card is not one.card and ((cv2.absdiff(me, other).max(2) > TELLING) & shown).sum() < least
    )


def _taken(rng: Rng, image: np.ndarray) -> np.ndarray:
    """The light, and what a camera makes of it."""
    h, w = image.shape[:2]
    y, x = np.mgrid[:h, :w].astype(np.float32) / max(h, w)
    lamp = rng.uniform([0, 0], [1, h / w])
    fall = np.float32(rng.uniform(0.2, 0.8))
    light = 1.1 - fall * ((x - lamp[0]) ** 2 + (y - lamp[1]) ** 2)
    if rng.random() < 0.4:
        shade = np.zeros((h, w), np.float32)
        at = (rng.uniform(0.1, 0.9, 2) * (w, h)).astype(int).tolist()
        cv2.ellipse(shade, at, (w // 12, h // 2), float(rng.uniform(0, 180)), 0, 360, 1.0, -1)
        light *= 1 - rng.uniform(0.2, 0.5) * cv2.GaussianBlur(shade, (0, 0), 14)
    cast = np.array([rng.uniform(0.65, 1.1), 1.0, rng.uniform(0.85, 1.15)], np.float32)
    out = image * (light * rng.uniform(0.65, 1.1))[..., None] * cast
    out = cv2.GaussianBlur(out, (0, 0), float(rng.uniform(0.35, 1.2)))
    if rng.random() < 0.25:
        out = _moved(rng, out)
    grain = cv2.GaussianBlur(rng.normal(0, 1, image.shape).astype(np.float32), (0, 0), 0.6)
    out = _developed(rng, out + grain * rng.uniform(2, 9))
    image8 = np.clip(out, 0, 255).astype(np.uint8)
    _, packed = cv2.imencode(".jpg", image8, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(78, 95))])
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR))


def _moved(rng: Rng, image: np.ndarray) -> np.ndarray:
    """Blurred along a line, as by a hand that shakes."""
    reach = 0.5 * rng.uniform(2, 6) * np.array([np.cos(turn := rng.uniform(0, np.pi)), np.sin(turn)])
    kernel = np.zeros((9, 9), np.uint8)
    ends = [np.round(16 * (4 + side * reach)).astype(int).tolist() for side in (-1, 1)]
    cv2.line(kernel, ends[0], ends[1], 255, 1, cv2.LINE_AA, 4)
    return np.asarray(cv2.filter2D(image, -1, kernel / np.float32(kernel.sum())))


def _developed(rng: Rng, image: np.ndarray) -> np.ndarray:
    """What a camera makes of what it saw, 0 to 255: brightness bent, haze, stronger or weaker color, sharpening."""
    part = np.clip(image / 255, 0, 1) ** float(np.exp(rng.uniform(-0.3, 0.3)))
    part += rng.uniform(-0.1, 0.5) * (part * part * (3 - 2 * part) - part)
    gray = part.mean(2, keepdims=True)
    part = gray + (part - gray) * rng.uniform(0.75, 1.3)
    haze = rng.uniform(0, 0.1) * (rng.random() < 0.5)
    part = haze + (1 - haze) * part
    part += rng.uniform(0, 1.2) * (rng.random() < 0.5) * (part - cv2.GaussianBlur(part, (0, 0), 1.2))
    return np.asarray(255 * part)


def laid_for_learning(
    rng: Rng, deck: DrawnDeck, cols: int = 6, rows: int = 3
) -> Iterator[tuple[np.ndarray, list[str], list[np.ndarray]]]:
    """Photos of all cards laid out in rows, the back last; ids (`back` for the back) and corners of each's cards.

    Each is drawn when it is asked for.
    """
    faces = [(str(card.entry["id"]), card.face) for card in deck.cards] + [("back", deck.back)]
    w, h = deck.size_mm
    for start in range(0, len(faces), cols * rows):
        mine = faces[start : start + cols * rows]
        deep = -(-len(mine) // cols)
        lying = []
        for i, (_, face) in enumerate(mine):
            x, y = (i % cols + 0.62) * 1.18 * w, (i // cols + 0.62) * 1.14 * h
            dx, dy, turn = rng.normal(0, 1, 3)
            lying.append(Lying(face, (x + dx, y + dy), float(1.5 * turn)))
        size = ((cols + 0.25) * 1.18 * w, (deep + 0.25) * 1.14 * h)
        wide = 2000
        camera = Camera.drawn(rng, size, (wide, round(wide * size[1] / size[0])), 0.15)
        bare = DrawnDeck(deck.style, deck.size_mm, (), deck.back, ())
        state = np.random.default_rng(int(rng.integers(1 << 30)))
        photo = _photo_for_learning(state, bare, lying, size, camera)
        yield photo, [name for name, _ in mine], [one.corners for one in lying]


def _photo_for_learning(
    rng: Rng, deck: DrawnDeck, lying: Sequence[Lying], size: tuple[float, float], camera: Camera
) -> np.ndarray:
    """A careful photo: even light, sharp, nothing on the cards."""
    width, height = camera.pixels
    flat = table_top(rng, (round(size[1] * 1.5), round(size[0] * 1.5)), 33.0, str(rng.choice(TOPS)))
    flat = (flat * 255).clip(0, 255).astype(np.uint8) if flat.dtype != np.uint8 else flat
    to = camera.to_pixels @ np.diag([size[0] / flat.shape[1], size[1] / flat.shape[0], 1])
    image = cv2.warpPerspective(flat, to, camera.pixels, borderMode=cv2.BORDER_REFLECT)[..., :3].astype(np.float32)
    label = np.zeros((height, width), np.int32)
    for i, one in enumerate(lying, 1):
        _lay(rng, image, label, one, i, camera)
    y, x = np.mgrid[:height, :width].astype(np.float32) / max(height, width)
    light = 1.0 - rng.uniform(0.05, 0.3) * ((x - rng.uniform(0, 1)) ** 2 + (y - rng.uniform(0, 0.7)) ** 2)
    out = image * (light * rng.uniform(0.8, 1.0))[..., None] * np.array([rng.uniform(0.85, 1.05), 1, 1], np.float32)
    out = cv2.GaussianBlur(out, (0, 0), 0.6)
    out += cv2.GaussianBlur(rng.normal(0, 1, image.shape).astype(np.float32), (0, 0), 0.6) * rng.uniform(1, 4)
    out = _developed(rng, out)
    _, packed = cv2.imencode(".jpg", np.clip(out, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, 92])
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR))
