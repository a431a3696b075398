"""Whole drawn decks of unlike styles, each from a number: pictures, families, small print, backs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

DENSE = 5
"""Pixels per millimetre at which faces are drawn."""
FONTS = (
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_COMPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
    cv2.FONT_HERSHEY_COMPLEX | cv2.FONT_ITALIC,
    None,
)
"""OpenCV's, and None for Pillow's own."""
SIZES = ((63.0, 88.0), (57.0, 87.0), (44.0, 67.0), (56.0, 87.0), (70.0, 100.0))
MANNERS = ("flat", "painted", "photo", "lines", "ornament", "bare")
KINDS = ("jewels", "suits", "heroes", "hues", "sea", "pips")
JEWEL_HUES = ((0, 0, 95), (108, 85, 75), (62, 80, 65), (2, 85, 85), (20, 60, 25))
"""Hue (0 to 180), saturation and brightness (0 to 100) of what cards of jewels cost."""
JEWELS = ("white", "blue", "green", "red", "black")
"""What these jewels are called."""
NOBLE_MM = (59.0, 59.0)
"""Sides of a noble's card."""
Rng = np.random.Generator


@dataclass(frozen=True)
class DrawnCard:
    """A card: its entry, the family whose picture it shows, its face (h, w, 3) BGR uint8 at DENSE."""

    entry: Mapping[str, Any]
    family: str
    face: np.ndarray


@dataclass(frozen=True)
class DrawnDeck:
    """A deck: what it is like, its cards' size, the cards, their back, cards of another deck of the same make."""

    style: str
    size_mm: tuple[float, float]
    cards: tuple[DrawnCard, ...]
    back: np.ndarray
    strangers: tuple[np.ndarray, ...]


@dataclass(frozen=True)
class Style:
    """What all cards of a deck have in common."""

    kind: str
    manner: str
    dark: bool
    one_hue: float | None
    """The hue that all pictures have; None: each has its own."""
    font: int | None
    cost_side: str
    cost_as: str
    index: str
    """Where a card's number stands."""
    boxed: bool
    rim_mm: float
    rim: tuple[int, int, int]
    print_mm: float
    """Height of the small print."""

    @classmethod
    def drawn(cls, rng: Rng, kind: str, manner: str) -> Style:
        """Some style of a kind of deck and a manner of painting."""
        dark = bool(rng.random() < 0.4)
        tone = int(rng.integers(15, 60)) if rng.random() < 0.4 else int(rng.integers(215, 250))
        return cls(
            kind, manner, dark,
            float(rng.uniform(0, 180)) if rng.random() < 0.35 else None,
            FONTS[rng.integers(len(FONTS))],
            str(rng.choice(["left", "right", "bottom", "top"])),
            str(rng.choice(["discs", "squares", "pips", "dots"])),
            str(rng.choice(["corners", "left", "right", "middle"])),
            bool(rng.random() < 0.6),
            float(rng.choice([0.0, 2.0, 3.5])),
            tuple(int(np.clip(tone + t, 0, 255)) for t in rng.integers(-12, 12, 3)),
            float(rng.uniform(3.4, 7.5)),
        )  # fmt: skip

    def told(self) -> str:
        """The style in a few words."""
        hue = "" if self.one_hue is None else ", one hue"
        return (
            f"{self.kind}, {self.manner}, {'dark' if self.dark else 'light'}{hue}, {self.cost_side}, {self.cost_as}, "
            f"number {self.index}"
        )


def drawn_deck(seed: int, kind: str | None = None, manner: str | None = None) -> DrawnDeck:
    """The deck of a number: always the same; its kind and manner are drawn where nobody says them."""
    rng = np.random.default_rng([seed, 77])
    style = Style.drawn(rng, kind or str(rng.choice(KINDS)), manner or str(rng.choice(MANNERS)))
    size = SIZES[rng.integers(len(SIZES))]
    cards = _cards(rng, style, size)
    strangers = _cards(np.random.default_rng([seed, 78]), style, size)
    picks = np.random.default_rng(seed).choice(len(strangers), min(8, len(strangers)), replace=False)
    back = _picture(np.random.default_rng([seed, 79]), "ornament", size, style.dark, style.one_hue)
    return DrawnDeck(style.told(), size, tuple(cards), back, tuple(strangers[i].face for i in picks))


def drawn_box(seed: int, manner: str, rows: Sequence[Mapping[str, Any]]) -> tuple[DrawnDeck, DrawnDeck]:
    """The cards of a game of jewels by its own list, and its nobles, in a style that a number tells.

    `rows`: a card's `level`, `bonus` (one of JEWELS) and `points`, or what a noble `needs`; entries say `id` besides.
    """
    rng = np.random.default_rng([seed, 80])
    style = Style.drawn(rng, "jewels", manner)
    pictures: dict[tuple[int, str], np.ndarray] = {}
    cards, nobles = [], []
    for i, row in enumerate(rows):
        entry = {"id": str(i), **row}
        if "needs" in row:
            price = {JEWELS.index(color): n for color, n in row["needs"].items()}
            face = _jewel(style, _picture(rng, style.manner, NOBLE_MM, style.dark, style.one_hue), None, 3, price)
            nobles.append(DrawnCard(entry, f"noble-{i}", face))
            continue
        kind = row["level"], row["bonus"]
        if kind not in pictures:
            pictures[kind] = _picture(rng, style.manner, SIZES[0], style.dark, style.one_hue)
        price = {int(c): int(rng.integers(1, 4 + kind[0])) for c in rng.choice(5, rng.integers(1, 5), False)}
        face = _jewel(style, pictures[kind], JEWELS.index(kind[1]), row["points"], price)
        cards.append(DrawnCard(entry, f"{kind[0]}-{kind[1]}", face))
    back, square = (_picture(rng, "ornament", size, style.dark, style.one_hue) for size in (SIZES[0], NOBLE_MM))
    return (
        DrawnDeck(style.told(), SIZES[0], tuple(cards), back, ()),
        DrawnDeck(style.told(), NOBLE_MM, tuple(nobles), square, ()),
    )


def _cards(rng: Rng, style: Style, size: tuple[float, float]) -> list[DrawnCard]:
    return _KINDS[style.kind](rng, style, size)


def _jewels(rng: Rng, style: Style, size: tuple[float, float]) -> list[DrawnCard]:
    """Levels and colors of one picture each; points and price tell their cards apart."""
    out = []
    for level in range(1, int(rng.integers(2, 4)) + 1):
        for color in range(len(JEWEL_HUES)):
            picture = _picture(rng, style.manner, size, style.dark, style.one_hue)
            used: set[Any] = set()
            price: dict[int, int] = {}
            points = 0
            while len(used) < 6:
                if used and rng.random() < 0.4:  # the last card's price but for one number
                    which = int(rng.choice(list(price)))
                    price = {**price, which: int(rng.integers(1, 4 + level))}
                else:
                    price = {int(c): int(rng.integers(1, 4 + level)) for c in rng.choice(5, rng.integers(1, 5), False)}
                    points = int(rng.integers(0, 2 * level))
                key = (points, *sorted(price.items()))
                if key in used:
                    continue
                used.add(key)
                name = f"{level}-{color}-{len(used)}"
                entry = {"id": name, "level": level, "bonus": color, "points": points}
                out.append(DrawnCard(entry, f"{level}-{color}", _jewel(style, picture, color, points, price)))
    return out


def _jewel(style: Style, picture: np.ndarray, color: int | None, points: int, price: Mapping[int, int]) -> np.ndarray:
    """A card of jewels: the jewel that it gives, if any, its points, what it costs."""
    face = picture.copy()
    if color is not None:
        _disc(face, (0.82, 0.1), 0.55 * style.print_mm, _bgr(JEWEL_HUES[color]), (30, 30, 30))
    if points:
        _number(face, style, points, (0.16, 0.1), 1.25 * style.print_mm)
    _price(face, style, price)
    return _framed(face, style)


def _suits(rng: Rng, style: Style, size: tuple[float, float]) -> list[DrawnCard]:
    """Some pictures, each with the numbers from 1 on."""
    out = []
    for suit in range(int(rng.integers(3, 5))):
        picture = _picture(rng, style.manner, size, style.dark, style.one_hue)
        out += _numbered(picture, style, f"s{suit}", int(rng.integers(9, 14)))
    return out


def _hues(rng: Rng, style: Style, size: tuple[float, float]) -> list[DrawnCard]:
    """One picture in several hues, each with the numbers from 1 on."""
    picture = _picture(rng, style.manner, size, style.dark, float(rng.uniform(0, 180)))
    hsv = cv2.cvtColor(picture, cv2.COLOR_BGR2HSV)
    hsv[..., 1] = np.maximum(hsv[..., 1], 90)
    out = []
    for suit in range(4):
        turned = hsv.copy()
        turned[..., 0] = (hsv[..., 0].astype(int) + 45 * suit) % 180
        out += _numbered(cv2.cvtColor(turned, cv2.COLOR_HSV2BGR), style, f"h{suit}", 8)
    return out


def _sea(rng: Rng, style: Style, size: tuple[float, float]) -> list[DrawnCard]:
    """Pictures that differ in a few small things, and a number."""
    ground = _picture(rng, style.manner, size, style.dark, style.one_hue)
    out = []
    for i in range(6):
        picture = ground.copy()
        for _ in range(4):
            _disc(picture, rng.uniform(0.15, 0.85, 2), float(rng.uniform(2.5, 5)), _some(rng, style.one_hue), None)
        out += _numbered(picture, style, f"w{i}", 6)
    return out


def _heroes(rng: Rng, style: Style, size: tuple[float, float]) -> list[DrawnCard]:
    """A picture of its own for each card, with a value and a written title."""
    out = []
    for i in range(int(rng.integers(24, 37))):
        face = _picture(rng, style.manner, size, style.dark, style.one_hue)
        h, w = face.shape[:2]
        cv2.rectangle(face, (0, round(0.86 * h)), (w, round(0.97 * h)), style.rim, -1)
        title = "".join(rng.choice(list("ABCDEFGHIKLMNORSTUVZ"), rng.integers(4, 9)))
        ink = (30, 25, 25) if sum(style.rim) > 380 else (235, 235, 235)
        _write(face, style.font, title, (0.5, 0.915), 4.0, ink, None)
        _number(face, style, int(rng.integers(1, 10)), (0.15, 0.1), style.print_mm)
        out.append(DrawnCard({"id": f"{i}-{title}"}, f"{i}", _framed(face, style)))
    return out


def _pips(rng: Rng, style: Style, size: tuple[float, float]) -> list[DrawnCard]:
    """Plain cards with as many pips as they count, in four colors."""
    h, w = (round(side * DENSE) for side in size[::-1])
    ground = (rng.integers(20, 70, 3) if style.dark else rng.integers(205, 250, 3)).tolist()
    out = []
    for suit in range(4):
        color = _some(rng, None)
        while abs(sum(color) - sum(ground)) < 240:
            color = _some(rng, None)
        for n in range(1, 11):
            face = np.full((h, w, 3), ground, np.uint8)
            for k in range(n):
                row, left = divmod(k, 2)
                at = (0.35 + 0.3 * left if n > 1 else 0.5, 0.22 + 0.14 * row)
                _pip(face, at, 3.6, color, 3 + suit)
            for at in ((0.13, 0.09), (0.87, 0.91)):
                _write(face, style.font, str(n), at, 0.9 * style.print_mm, color, None)
            out.append(DrawnCard({"id": f"p{suit}-{n}"}, f"p{suit}", _framed(face, style)))
    return out


_KINDS: dict[str, Callable[[Rng, Style, tuple[float, float]], list[DrawnCard]]] = {
    "jewels": _jewels, "suits": _suits, "heroes": _heroes, "hues": _hues, "sea": _sea, "pips": _pips,
}  # fmt: skip


def _numbered(picture: np.ndarray, style: Style, family: str, most: int) -> list[DrawnCard]:
    """Cards of one picture with the numbers from 1 on, as digits or as dots."""
    places = {
        "corners": ((0.14, 0.1), (0.86, 0.9)), "left": ((0.14, 0.1),), "right": ((0.86, 0.1),), "middle": ((0.5, 0.9),),
    }[style.index]  # fmt: skip
    out = []
    for n in range(1, most + 1):
        face = picture.copy()
        if style.cost_as == "dots" and most < 10:
            _dots(face, style, n)
        else:
            for at in places:
                _number(face, style, n, at, 1.15 * style.print_mm)
        out.append(DrawnCard({"id": f"{family}-{n}"}, family, _framed(face, style)))
    return out


def _bgr(hsv: Sequence[float]) -> tuple[int, int, int]:
    one = np.uint8([[[hsv[0], hsv[1] * 2.55, hsv[2] * 2.55]]])
    return tuple(cv2.cvtColor(one, cv2.COLOR_HSV2BGR)[0, 0].tolist())


def _some(rng: Rng, hue: float | None, dark: bool = False) -> tuple[int, int, int]:
    """Some color, near a hue if one is given."""
    at = rng.uniform(0, 180) if hue is None else (hue + rng.normal(0, 6)) % 180
    return _bgr((at, rng.uniform(20, 95), rng.uniform(12, 60) if dark else rng.uniform(35, 98)))


def _picture(rng: Rng, manner: str, size: tuple[float, float], dark: bool, hue: float | None) -> np.ndarray:
    """A picture (h, w, 3) BGR uint8 in a manner."""
    h, w = (round(side * DENSE) for side in size[::-1])

    def color() -> tuple[int, int, int]:
        return _some(rng, hue, dark)

    if manner in ("painted", "photo"):
        out = _clouds(rng, (h, w), hue, dark, 0.7 if manner == "photo" else 1.6)
    else:
        out = np.full((h, w, 3), color(), np.uint8)
    if manner == "painted":
        return _strokes(rng, out)
    if manner == "photo":
        return _things(rng, out, hue, dark)
    if manner == "lines":
        ink = _some(rng, hue, not dark)
        for _ in range(int(rng.integers(25, 50))):
            at, axes = (rng.uniform(0, 1, 2) * (w, h)).astype(int).tolist(), rng.integers(15, 160, 2).tolist()
            turn, begin = rng.uniform(0, 360, 2)
            end, thick = begin + rng.uniform(60, 220), int(rng.integers(2, 5))
            cv2.ellipse(out, at, axes, turn, begin, end, ink, thick, cv2.LINE_AA)
        return out
    if manner == "ornament":
        step, a, b = int(rng.integers(30, 60)), color(), color()
        for y in range(step // 2, h, step):
            for x in range(step // 2, w, step):
                _pip(out, (x / w, y / h), 0.42 * step / DENSE, a if (x // step + y // step) % 2 else b, 4)
        _disc(out, (0.5, 0.5), float(rng.uniform(12, 17)), color(), b)
        _pip(out, (0.5, 0.5), float(rng.uniform(6, 11)), color(), int(rng.integers(3, 8)))
        return out
    many, edge, sizes = ((14, 30), (0, 1), (2, 11)) if manner == "flat" else ((2, 5), (0.2, 0.8), (5, 13))
    for _ in range(int(rng.integers(*many))):
        _pip(out, rng.uniform(*edge, 2), float(rng.uniform(*sizes)), color(), int(rng.integers(3, 9)))
    return out


def _strokes(rng: Rng, out: np.ndarray) -> np.ndarray:
    """Brush strokes in the colors of what they cover."""
    h, w = out.shape[:2]
    for _ in range(260):
        at, axes = (rng.uniform(0, 1, 2) * (w, h)).astype(int), rng.integers([8, 3], [40, 12])
        near = out[min(at[1], h - 1), min(at[0], w - 1)].astype(int) + rng.integers(-38, 38, 3)
        color = np.clip(near, 0, 255).tolist()
        cv2.ellipse(out, at.tolist(), axes.tolist(), float(rng.uniform(0, 180)), 0, 360, color, -1, cv2.LINE_AA)
    return np.asarray(cv2.GaussianBlur(out, (0, 0), 1.5))


def _things(rng: Rng, out: np.ndarray, hue: float | None, dark: bool) -> np.ndarray:
    """Things with a surface of their own."""
    h, w = out.shape[:2]
    for _ in range(int(rng.integers(3, 7))):
        layer = _clouds(rng, (h, w), hue, dark, 0.7)
        mask = np.zeros((h, w, 1), np.uint8)
        _pip(mask, rng.uniform(0.1, 0.9, 2), float(rng.uniform(6, 18)), (255,), int(rng.integers(4, 30)))
        part = cv2.GaussianBlur(mask, (0, 0), 2.0)[..., None] / 255
        out = np.round(out * (1 - part) + layer * part).astype(np.uint8)
    return out


def _clouds(rng: Rng, shape: tuple[int, int], hue: float | None, dark: bool, steep: float) -> np.ndarray:
    """Noise of all sizes between two colors, as photographs have it."""
    h, w = shape
    total = np.zeros((h, w, 1), np.float32)
    for k, cells in enumerate((3, 6, 12, 24, 48, 96)):
        coarse = rng.normal(0, 1, (cells, max(2, round(cells * w / h)))).astype(np.float32)
        total[..., 0] += cv2.resize(coarse, (w, h), interpolation=cv2.INTER_CUBIC) / (k + 1) ** steep
    mix = np.clip(0.5 + 0.35 * total, 0, 1)
    a, b, c = (np.array(_some(rng, hue, dark), np.float32) for _ in range(3))
    return np.clip(a + (b - a) * mix + (c - a) * np.clip(np.roll(mix, h // 3, 0) - 0.5, 0, 1), 0, 255).astype(np.uint8)


def _px(face: np.ndarray, at: Sequence[float]) -> tuple[int, int]:
    return round(at[0] * face.shape[1]), round(at[1] * face.shape[0])


def _disc(
    face: np.ndarray, at: Sequence[float], radius_mm: float, color: Sequence[int], rim: Sequence[int] | None
) -> None:
    r = round(radius_mm * DENSE)
    if rim is not None:
        cv2.circle(face, _px(face, at), r + 3, tuple(rim), -1, cv2.LINE_AA)
    cv2.circle(face, _px(face, at), r, tuple(color), -1, cv2.LINE_AA)


def _pip(face: np.ndarray, at: Sequence[float], radius_mm: float, color: Sequence[int], sides: int) -> None:
    r = max(2, round(radius_mm * DENSE))
    corners = cv2.ellipse2Poly(_px(face, at), (r, r), sides * 37 % 360, 0, 360, max(1, 360 // sides))
    cv2.fillConvexPoly(face, corners, tuple(color), cv2.LINE_AA)


def _price(face: np.ndarray, style: Style, price: Mapping[int, int]) -> None:
    """What a card costs, along a side."""
    unit = style.print_mm * 1.3
    w, h = (side / DENSE for side in face.shape[1::-1])
    along = {"left": 0.14, "right": 0.86, "bottom": 0.91, "top": 0.26}[style.cost_side]
    for i, (color, n) in enumerate(sorted(price.items())):
        step = unit * (i + 0.5) + 5
        at = (along, 1 - step / h) if style.cost_side in ("left", "right") else (step / w, along)
        bgr = _bgr(JEWEL_HUES[color])
        if style.cost_as in ("discs", "squares"):
            if style.cost_as == "discs":
                _disc(face, at, unit * 0.42, bgr, (240, 240, 240))
            else:
                x, y = _px(face, at)
                r = round(unit * 0.42 * DENSE)
                cv2.rectangle(face, (x - r - 2, y - r - 2), (x + r + 2, y + r + 2), (20, 20, 20), -1)
                cv2.rectangle(face, (x - r, y - r), (x + r, y + r), bgr, -1)
            ink = (25, 25, 25) if sum(bgr) > 400 else (250, 250, 250)
            _write(face, style.font, str(n), at, 0.62 * unit, ink, None)
        else:
            for k in range(n):
                x, y = at
                d = unit * 0.36 * k
                place = (x + d / w, y) if style.cost_side == "left" else (x - d / w, y)
                place = place if style.cost_side in ("left", "right") else (x, y - d / h)
                if style.cost_as == "dots":
                    _disc(face, place, unit * 0.17, bgr, (240, 240, 240) if sum(bgr) < 400 else (20, 20, 20))
                else:
                    _pip(face, place, unit * 0.25, (235, 235, 235) if sum(bgr) < 400 else (20, 20, 20), 4)
                    _pip(face, place, unit * 0.18, bgr, 4)


def _dots(face: np.ndarray, style: Style, n: int) -> None:
    """A number as dots in a box."""
    x0, y0 = (0.06, 0.05) if style.index in ("left", "corners") else (0.6, 0.05)
    if style.boxed:
        cv2.rectangle(face, _px(face, (x0, y0)), _px(face, (x0 + 0.34, y0 + 0.26)), style.rim, -1)
    ink = (30, 25, 30) if sum(style.rim) > 380 else (240, 240, 240)
    for k in range(n):
        row, col = divmod(k, 3)
        _disc(face, (x0 + 0.06 + 0.11 * col, y0 + 0.05 + 0.08 * row), 0.24 * style.print_mm, ink, None)


def _number(face: np.ndarray, style: Style, n: int, at: Sequence[float], high_mm: float) -> None:
    ink, rim = (30, 25, 25), (245, 245, 245)
    if style.dark:
        ink, rim = rim, ink
    if style.boxed:
        x, y = _px(face, at)
        r = round(0.75 * high_mm * DENSE)
        cv2.rectangle(face, (x - r, y - r), (x + r, y + r), rim, -1)
        rim = None  # type: ignore[assignment]  # the box is its rim
    _write(face, style.font, str(n), at, high_mm, ink, rim)


def _write(
    face: np.ndarray, font: int | None, text: str, at: Sequence[float], high_mm: float, ink: Sequence[int],
    rim: Sequence[int] | None,
) -> None:  # fmt: skip
    """Write text with its middle at a place, its capitals so high."""
    x, y = _px(face, at)
    high = high_mm * DENSE
    if font is None:
        letters = ImageFont.load_default(round(1.35 * high))
        box = letters.getbbox(text)
        mask = Image.new("L", face.shape[1::-1])
        corner = (x - (box[0] + box[2]) / 2, y - (box[1] + box[3]) / 2)
        if rim is not None:
            ImageDraw.Draw(mask).text(corner, text, 255, letters, stroke_width=4)
            face[:] = _over(face, np.asarray(mask), rim)
        mask = Image.new("L", face.shape[1::-1])
        ImageDraw.Draw(mask).text(corner, text, 255, letters, stroke_width=1)
        face[:] = _over(face, np.asarray(mask), ink)
        return
    scale = high / 22
    (wide, tall), _ = cv2.getTextSize(text, font, scale, 1)
    place = (round(x - wide / 2), round(y + tall / 2))
    thick = max(2, round(high / 9))
    if rim is not None:
        cv2.putText(face, text, place, font, scale, tuple(rim), thick + 6, cv2.LINE_AA)
    cv2.putText(face, text, place, font, scale, tuple(ink), thick, cv2.LINE_AA)


def _over(face: np.ndarray, mask: np.ndarray, color: Sequence[int]) -> np.ndarray:
    part = mask[..., None].astype(np.float32) / 255
    return np.asarray(np.round(face * (1 - part) + np.array(color, np.float32) * part).astype(np.uint8))


def _framed(face: np.ndarray, style: Style) -> np.ndarray:
    r = round(style.rim_mm * DENSE)
    if r:
        face[:r], face[-r:], face[:, :r], face[:, -r:] = style.rim, style.rim, style.rim, style.rim
    return face
