"""Learn a deck from photos of its cards: find the cards that lie in a grid, cut them out, keep them by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np

from calibration.card_edges import as_cameras_see, card_corners, on_one_table
from common.file_kind import unmarked
from common.json_file import MOST_NUMBER, bounded, read_profile
from common.messages import Message, MisfitError, shown
from vision.cards.compare import Bank, align
from vision.cards.deck import Deck, DeckError, Face
from vision.cards.families import families
from vision.cards.identify import in_colors, light, mixed_colors


@dataclass(frozen=True)
class DecksSettings:
    """How cards are cut out of photos of a deck, and when two are the same."""

    search_side: int = 1000  # pixels of the longer side of the copy in which the cards are searched
    blurs: tuple[float, float, float] = (1.0, 2.0, 4.0)
    """Ways in which outlines are searched, until they make the cards that were announced: blur in pixels."""
    gaps: tuple[int, int, int] = (5, 3, 1)  # pixels over which an outline is closed
    edges: tuple[int, ...] = (90, 60, 40, 25, 15)  # the least edge, in grey levels a pixel
    rim: float = 0.03  # of a photo, in parts of its longer side: there lies the table
    of_table: int = 600  # places of it that say which colors the table has
    brightness: tuple[float, ...] = (1.0, 2.5)
    """How much it counts beside hue and saturation: more where all is dark, less where light differs much."""
    other_light: float = 8.0  # by how much, in CIELAB, a table's colors may differ across a photo
    unlike: tuple[float, ...] = (3.0, 4.5, 6.0, 8.0, 11.0, 15.0)  # by how much a card's colors may differ from those
    table_blur: float = 1.5  # pixels
    least_area: float = 0.03  # a card's area, at least, in parts of what the grid would give it if it filled the photo
    full: float = 0.85  # share of its quadrilateral that a card's shape fills, at least
    alike_sizes: float = 2.2
    """The largest card's area in a photo, at most, in those of the smallest of its size (perspective)."""
    cut_way: tuple[float, int, int] = (2.0, 5, 25)
    """Blur, gap and edge by which shapes at the photo's rim are looked for."""
    beside: float = 0.56  # from a card's middle to the table beside it, in parts of its width or height
    least_cut: float = 0.12  # share of a card that is seen of one that is cut off, at least
    cut_side: float = 0.1  # by how much its side differs from a card's, at most: a logarithm
    side_points: int = 96  # points on a side at which its edge is measured
    side_part: float = 0.8  # the share of the side that is straight
    reach: float = 0.035  # how far from the outline the edge is looked for, in parts of the card's shorter side
    proportion: float = 0.2
    """By how much a shape's proportions may differ from a card's, as a logarithm: photos are taken aslant."""
    least_card: float = 0.01  # share of the photo that a card fills, at least, where nobody says how many lie there
    longer: float = 1.2  # how many times as long, in all, outlines must be to show that those seen before are print
    same_place: float = 0.15  # how far apart two ways may show one card: in its shorter sides
    same_area: float = 0.1  # by how much they may differ in its size, a logarithm
    other_place: float = 0.6  # how far apart cards' middles lie at least, in their shorter sides
    most_first: int = 40  # shapes that are tried for how large the cards are
    no_print: float = 0.45  # share of the place in which they lie that shapes fill which surely are whole cards
    aslant: float = 15.0  # degrees by which rows may slope against the sides of their cards
    straight_rows: float = 0.5  # how far apart rows lie, at least, in parts of what a row's cards lie out of line
    skew: int = 40  # degrees by which the grid's rows may slope in the photo
    light_mm: float = 24.0  # side of the window in which the light on a card is taken as even, in millimetres
    even_gain: float = 80.0
    """Grey levels up to which its gain is the whole card's, so that print is not taken for light."""
    light_scales: tuple[float, ...] = (120.0, 80.0, 50.0, 30.0, 20.0, 14.0, 14.0)
    """Grey levels by which print stands out of what light does to a face, step by step."""
    stiff_light: float = 0.005  # how much light resists to bend, and to add grey to what it falls on
    most_cast: float = 0.8  # how much the light's color may differ between photos: the logarithm of a channel's ratio
    most_tone: float = 30.0  # by how much a photo may bend brightness otherwise than another, see `_bent`
    most_strength: float = 1.6  # how many times as strong colors may be in one photo as in another
    held_back: float = 0.85  # how much of that is believed, as a power: a card of few colors tells little of it
    most_dense: float = 4.0  # pixels per millimetre that are kept of a card, at most


SETTINGS = DecksSettings()
Size = tuple[float, float]
"""A card's width and height in millimetres."""


class OrderError(MisfitError):
    """An order of cards that does not fit."""

    KEY = "misfit.order"


@dataclass(frozen=True)
class Laid:
    """One photo of the order: its name, the grid, and the entries of the cards, row by row."""

    photo: str
    rows: int
    cols: int
    cards: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True)
class Order:
    """Which cards lie where: the deck's name, its cards' size in millimetres, the photos in order."""

    deck: str
    size_mm: tuple[float, float]
    photos: tuple[Laid, ...]

    @classmethod
    def load(cls, path: Path) -> Order:
        """Read ORDER.json. Raises OrderError where it makes no sense, OSError."""
        return cls.from_json(read_profile(path, OrderError))

    @classmethod
    def from_json(cls, data: object) -> Order:
        """Raises OrderError, which says what was expected and what came."""
        data = unmarked("order", data, OrderError)
        if not isinstance(data, dict):
            raise OrderError("", "order.object", data)
        name = data.get("deck")
        if not isinstance(name, str) or not name.strip():
            raise OrderError("deck", "profile.text", name)
        size = size_of(data.get("size_mm"), "size_mm")
        photos = data.get("photos")
        if not isinstance(photos, list) or not photos:
            raise OrderError("photos", "order.photos", photos)
        laid = tuple(_laid(photo, f"photos[{i}]") for i, photo in enumerate(photos))
        seen: set[str] = set()
        for photo in laid:
            for card in photo.cards:
                if card["id"] in seen:
                    raise OrderError("photos", "order.own-id", Message("profile.twice", {"what": shown(card["id"])}))
                seen.add(card["id"])
        return cls(name.strip(), size, laid)


def size_of(value: object, where: str) -> tuple[float, float]:
    """A card's width and height in millimetres. Raises OrderError."""
    sides: list[Any] = value if isinstance(value, list) and len(value) == 2 else [None]
    if all(isinstance(v, int | float) and not isinstance(v, bool) and 10 <= v <= 400 for v in sides):
        return float(sides[0]), float(sides[1])
    raise OrderError(where, "profile.size-mm", value, least=10, most=400)


def _laid(data: object, where: str) -> Laid:
    if not isinstance(data, dict):
        raise OrderError(where, "order.photo", data)
    grid = []
    for key in ("rows", "cols"):
        value = data.get(key)
        if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= 30:
            raise OrderError(f"{where}.{key}", "profile.count", value, least=1, most=30)
        grid.append(value)
    rows, cols = grid
    cards = data.get("cards")
    if not isinstance(cards, list) or not cards or len(cards) > rows * cols or len(cards) <= (rows - 1) * cols:
        got = Message("order.count", {"n": len(cards)}) if isinstance(cards, list) else shown(cards)
        raise OrderError(f"{where}.cards", "order.rows", got, rows=rows, cols=cols)
    for i, card in enumerate(cards):
        at = f"{where}.cards[{i}]"
        if not isinstance(card, dict) or not isinstance(card.get("id"), str) or not card["id"].strip():
            raise OrderError(at, "order.card", card)
        if "size_mm" in card:
            size_of(card["size_mm"], f"{at}.size_mm")
        if not bounded(card):
            raise OrderError(at, "profile.bounded", card, most=MOST_NUMBER)
        if not isinstance(card.get("back", False), bool):
            raise OrderError(f"{at}.back", "profile.flag", card["back"])
    return Laid(str(data.get("photo", where)), rows, cols, tuple(cards))


def enroll_deck(photos: Sequence[np.ndarray], order: Order) -> Deck:
    """Learn a deck.

    Args:
        photos: (H, W, 3) BGR, as many as the order names, in its order.
        order: which cards lie where.

    Raises OrderError where the photos are not as many as the order's, DeckError where the cards in one are not its.
    """
    if len(photos) != len(order.photos):
        raise OrderError("photos", "order.number", len(photos), n=len(order.photos))
    found = [
        find_laid_cards(photo, laid, _card_sizes(order, laid)) for photo, laid in zip(photos, order.photos, strict=True)
    ]
    return learn_at(photos, order, found)


def learn_at(photos: Sequence[np.ndarray], order: Order, corners: Sequence[Sequence[np.ndarray]]) -> Deck:
    """Learn a deck whose cards lie at known corners, (4, 2) each, in the photos of an order."""
    faces: list[Face] = []
    places: list[tuple[np.ndarray, np.ndarray]] = []
    for photo, laid, quads in zip(photos, order.photos, corners, strict=True):
        for card, size, quad in zip(laid.cards, _card_sizes(order, laid), quads, strict=True):
            faces.append(Face(dict(card), (float(size[0]), float(size[1])), cut_out(photo, quad, size)))
            places.append((photo, quad))
    return Deck.learnt(order.deck, order.size_mm, made_alike(faces, places))


def _card_sizes(order: Order, laid: Laid) -> list[tuple[float, float]]:
    """The width and height in millimetres of each card of a photo."""
    return [tuple(card["size_mm"]) if "size_mm" in card else order.size_mm for card in laid.cards]


def made_alike(faces: Sequence[Face], places: Sequence[tuple[np.ndarray, np.ndarray]]) -> list[Face]:
    """Faces that show one picture, cut and lit alike: what is left between them is print.

    Where a card ends its whole family says: a side that was taken for another's edge is outvoted.
    """
    out = list(faces)
    for size in sorted({face.size_mm for face in faces}):
        mine = [i for i, face in enumerate(faces) if face.size_mm == size]
        bank = Bank([faces[i].picture for i in mine], size)
        kinds = [next(k for k, (photo, _) in enumerate(places) if photo is places[i][0]) for i in mine]
        for family in families(bank, kinds):
            photos, quads = zip(*(places[mine[k]] for k in family.faces), strict=True)
            own = [
                cv2.getPerspectiveTransform(card_corners(size).astype(np.float32), quad.astype(np.float32)) @ to_card
                for quad, to_card in zip(quads, family.to_card, strict=True)
            ]
            ends = [
                cv2.perspectiveTransform(quad[None].astype(np.float64), np.linalg.inv(m))[0]
                for quad, m in zip(quads, own, strict=True)
            ]
            agreed = np.median(ends, axis=0)
            to_agreed = cv2.getPerspectiveTransform(card_corners(size).astype(np.float32), agreed.astype(np.float32))
            own = [m @ to_agreed for m in own]
            first = _cut(photos[0], own[0], size)
            alone = Bank([first], size)
            for k, photo, to_pixels in zip(family.faces, photos, own, strict=True):
                face = first
                if k != family.faces[0]:
                    exact = align(alone, photo, to_pixels, 0, len(alone.levels) - 1)
                    again = _cut(photo, exact, size, first.shape[1::-1])
                    window = round(SETTINGS.light_mm * first.shape[1] / size[0])
                    face = lit_like(first, again, window, 0.0 if photo is photos[0] else SETTINGS.most_cast)
                out[mine[k]] = Face(faces[mine[k]].entry, size, face)
    return out


def _cut(
    photo: np.ndarray, to_pixels: np.ndarray, size: Sequence[float], shape: Sequence[int] | None = None
) -> np.ndarray:
    quad = cv2.perspectiveTransform(card_corners(size)[None], to_pixels)[0]
    return cut_out(photo, quad, size, shape)


def lit_like(reference: np.ndarray, face: np.ndarray, window: int, most_cast: float) -> np.ndarray:
    """A face in the light of another that shows the same picture but for some print; (h, w, 3) uint8 both.

    Light is brighter here and there, but of one color on the whole card, which may differ by `most_cast`, the logarithm
    of a channel's ratio: a hue of its own the face keeps. Where it may, the two are of unlike photos, and how strong
    colors are and how brightness is bent may differ too. First what most of the card says counts alone, so that print
    does not bend it; then each window's own light.
    """
    a, b = reference.astype(np.float32), face.astype(np.float32)
    made, weight = _lit_as_a_whole(a, b, most_cast)
    for _ in range(2):
        made = in_colors(made, mixed_colors(made, a, weight))
        gain, offset = light(a, made, weight, window | 1, SETTINGS.even_gain, whole_color=True)
        again = gain * made + offset
        off = cv2.blur(((again - a) ** 2).sum(2), (5, 5))
        weight = (1 / (1 + off / (4 * float(np.median(off)) + 1)) ** 2).astype(np.float32)
    return np.asarray(np.clip(np.round(again), 0, 255).astype(np.uint8))


def _lit_as_a_whole(a: np.ndarray, b: np.ndarray, most_cast: float) -> tuple[np.ndarray, np.ndarray]:
    """A face `b` in the light of `a`, (h, w, 3) float32 both, as far as that bends evenly over the card: the face,
    and how much each pixel (h, w) is of the same print."""
    soft_a, soft_b = (cv2.GaussianBlur(one, (0, 0), 1.0)[::2, ::2] for one in (a, b))
    h, w = soft_a.shape[:2]
    y, x = np.mgrid[-1 : 1 : 1j * h, -1 : 1 : 1j * w].astype(np.float32)
    bends = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], -1).reshape(-1, 1, 6)
    stiff = SETTINGS.stiff_light * h * w * 3 * np.diag([0.0] + [1.0] * 11)
    cast, strength, tone, coef = np.zeros(3), 1.0, 0.0, np.zeros(12)
    coef[0] = 100 * np.median(soft_a) / max(float(np.median(soft_b)), 1.0)
    goal = soft_a.reshape(-1, 3)
    for print_stands_out in SETTINGS.light_scales:
        colored = _in_color(soft_b.reshape(-1, 3), cast, strength)
        bent = _bent(colored)
        unknown = np.concatenate([bends * (colored[..., None] / 100), np.broadcast_to(bends, (h * w, 3, 6))], 2)
        off = goal - unknown @ coef - tone * bent
        weight = 1 / (1 + (off**2).sum(1, keepdims=True) / print_stands_out**2) ** 2
        flat = unknown.reshape(-1, 12)
        heavy = flat * np.repeat(weight, 3, 0)
        own = heavy.T @ flat + stiff
        coef, by_tone = np.linalg.solve(own, heavy.T @ np.stack([goal.ravel(), bent.ravel()], 1)).T
        if most_cast:
            left_goal, left = goal - unknown @ coef, bent - unknown @ by_tone
            most = SETTINGS.most_tone
            tone = float(
                np.clip((weight * left * left_goal).sum() / (weight * left * left).sum().clip(1e-6), -most, most)
            )
            coef = coef - tone * by_tone
            made = unknown @ coef + tone * bent
            apart = (weight * np.log((goal + 6) / (np.clip(made, 0, 255) + 6))).sum(0) / weight.sum()
            cast = np.clip(cast + apart - apart.mean(), -most_cast, most_cast)
            pure, wanted = (one - one.mean(1, keepdims=True) for one in (made, goal))
            more = float((weight * pure * wanted).sum() / max(float((weight * pure * pure).sum()), 1.0))
            strength = float(
                np.clip(
                    max(strength * more, 0.0) ** SETTINGS.held_back, 1 / SETTINGS.most_strength, SETTINGS.most_strength
                )
            )
    whole = cv2.resize((bends @ coef.reshape(2, 6).T).reshape(h, w, 2), b.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    colored = _in_color(b, cast, strength)
    lit = colored * whole[..., :1] / 100 + whole[..., 1:] + tone * _bent(colored)
    same = cv2.resize(weight.reshape(h, w).astype(np.float32), b.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    return np.asarray(lit, np.float32), same


def _bent(colored: np.ndarray) -> np.ndarray:
    """What one of tone adds to colors (…, 3), 0 to 255: -0.64 grey levels to middle gray, none to black or white."""
    return np.asarray(colored * (colored / 255 - 1) / 100, np.float32)


def _in_color(picture: np.ndarray, cast: np.ndarray, strength: float) -> np.ndarray:
    """(…, 3) in light of another color, colors so many times as strong."""
    colored = picture * np.exp(cast)
    gray = colored.mean(-1, keepdims=True)
    return np.asarray(gray + strength * (colored - gray), np.float32)


def cut_out(
    photo: np.ndarray, quad: np.ndarray, size_mm: Sequence[float], shape: Sequence[int] | None = None
) -> np.ndarray:
    """The card flat and upright, (h, w, 3) BGR, `shape` wide and high or as the photo has it, at most MOST_DENSE."""
    w, h = _sides(quad)
    dense = min(SETTINGS.most_dense, max(w / size_mm[0], h / size_mm[1]))
    width, height = shape or (round(size_mm[0] * dense), round(size_mm[1] * dense))
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    h_ = cv2.getPerspectiveTransform(quad.astype(np.float32), corners)
    return cv2.warpPerspective(photo, h_, (width, height), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)


def find_laid_cards(photo: np.ndarray, laid: Laid, sizes: Sequence[Sequence[float]]) -> list[np.ndarray]:
    """The corners (4, 2) of each card of a grid, from its top left, in the photo's pixels, row by row.

    Raises DeckError where as many cards as announced cannot be made out.
    """
    scale = min(1.0, SETTINGS.search_side / max(photo.shape[:2]))
    small = cv2.resize(photo, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    most, best, whole, straight = 0, list[np.ndarray](), False, False
    seen: list[np.ndarray] = []
    kinds = _kinds(sizes)
    for quads in _outlines(small, SETTINGS.least_area / len(laid.cards)):
        n = sum(_size_of(quad, kinds) is not None for quad in quads)
        most = min(most, n, key=lambda shown: abs(shown - len(laid.cards)))
        seen += quads
        rows = _in_rows(quads, laid) if len(quads) == len(laid.cards) else None
        if rows is None or not _fit(rows, sizes):
            continue
        # Boxes printed on cards lie in rows too: they are smaller, and mostly of other proportions.
        cards = all(_size_of(quad, [(size[0], size[1])]) for quad, size in zip(rows, sizes, strict=True))
        flat = cards and _flat(small, rows, sizes)
        better = (cards, flat) > (whole, straight)
        if better or ((cards, flat) == (whole, straight) and _length(rows) > SETTINGS.longer * _length(best)):
            best, whole, straight = rows, cards, flat
        if straight and len(best) > 1 and _share_of_their_place(best) > SETTINGS.no_print:
            break
    if not whole:
        together = _seen_together(seen, laid, sizes)
        best, whole = (together, True) if together else (best, whole)
    if not best or not (whole or _share_of_their_place(best) > SETTINGS.no_print):
        best = _unlike_the_table(small, laid, sizes)
    if not best:
        values = {"n": len(laid.cards), "rows": laid.rows, "cols": laid.cols}
        got = Message("deck.otherwise" if most == len(laid.cards) else "order.count", {"n": most})
        raise DeckError("cards", "deck.cards", got, file=laid.photo, **values)
    return _cut_exactly(photo, [(quad + 0.5) / scale - 0.5 for quad in best], sizes)


def _unlike_the_table(small: np.ndarray, laid: Laid, sizes: Sequence[Sequence[float]]) -> list[np.ndarray]:
    """The grid's cards, row by row, by the colors in which they differ from the table, where edges do not show them
    all; none where these make no such rows of cards on one table."""
    kinds = _kinds(sizes)
    ways = list(_other_colors(small, SETTINGS.least_area / len(laid.cards)))
    seen = [quad for quads in ways for quad in quads]
    best: list[np.ndarray] = []
    for one in (*ways, _seen_together(seen, laid, sizes)):
        quads = [quad for quad in one if _size_of(quad, kinds)]
        rows = _in_rows(quads, laid) if len(quads) == len(laid.cards) else None
        if rows and _fit(rows, sizes) and _flat(small, rows, sizes) and _length(rows) > _length(best):
            best = rows
    return best


def _kinds(sizes: Sequence[Sequence[float]]) -> list[Size]:
    """The sizes of cards, each once."""
    return sorted({(float(w), float(h)) for w, h in sizes})


def _flat(small: np.ndarray, quads: Sequence[np.ndarray], sizes: Sequence[Sequence[float]]) -> bool:
    """Whether outlines are those of cards on one table: what a bright band across each card leaves of it, where the
    table is as bright, looks as if it were seen aslant, and is not."""
    laid = [_upright(_clockwise(quad), size) for quad, size in zip(quads, sizes, strict=True)]
    return as_cameras_see(small.shape, laid, sizes)


def _cut_exactly(
    photo: np.ndarray, outlines: Sequence[np.ndarray], sizes: Sequence[Sequence[float]]
) -> list[np.ndarray]:
    """The corners of cards of known sizes from their outlines as they were seen, (4, 2) each."""
    by_outlines = [_upright(_clockwise(quad), size) for quad, size in zip(outlines, sizes, strict=True)]
    by_edges = [_upright(_quad(photo, quad), size) for quad, size in zip(outlines, sizes, strict=True)]
    return on_one_table(photo, (by_edges, by_outlines), sizes)


def _seen_together(seen: Sequence[np.ndarray], laid: Laid, sizes: Sequence[Sequence[float]]) -> list[np.ndarray]:
    """The grid's cards, row by row, of what any way to see outlines has shown, none of which has shown all of them;
    none where they make no such rows.

    `seen`: quadrilaterals (4, 2); those that many ways show count before others.
    """
    kinds = _kinds(sizes)
    seen = [_clockwise(quad) for quad in seen if _size_of(quad, kinds)]
    if len(seen) < len(laid.cards):
        return []
    at = np.array([quad.mean(0) for quad in seen])
    area = np.array([cv2.contourArea(quad.astype(np.float32)) for quad in seen])
    side = np.array([min(_sides(quad)) for quad in seen])
    near = np.linalg.norm(at[:, None] - at[None], axis=2) / side[:, None]
    alike = (near < SETTINGS.same_place) & (np.abs(np.log(area[:, None] / area[None])) < SETTINGS.same_area)
    most_shown = np.argsort(-alike.sum(1), kind="stable")
    best: list[np.ndarray] = []
    for first in most_shown[:: max(1, len(seen) // SETTINGS.most_first)]:
        taken: list[int] = []
        for k in most_shown:
            fits = abs(np.log(area[k] / area[first])) < np.log(SETTINGS.alike_sizes) / 2
            if fits and all(near[k, one] > SETTINGS.other_place for one in taken):
                taken.append(int(k))
        rows = _in_rows([seen[k] for k in taken], laid) if len(taken) == len(laid.cards) else None
        if rows and _fit(rows, sizes) and _length(rows) > SETTINGS.longer * _length(best):
            best = rows
    return best


def _share_of_their_place(quads: Sequence[np.ndarray]) -> float:
    """How much of the place in which they lie shapes fill: little where they are boxes printed on cards."""
    around = cv2.convexHull(np.concatenate(quads).astype(np.float32))
    return sum(cv2.contourArea(quad.astype(np.float32)) for quad in quads) / max(cv2.contourArea(around), 1.0)


class FoundCard(NamedTuple):
    """A card that lies in a photo: its corners (4, 2) from its own top left, its size in millimetres, which row of
    cards it lies in, from the top."""

    corners: np.ndarray
    size_mm: Size
    row: int


def find_cards(photo: np.ndarray, sizes: Sequence[Size]) -> tuple[list[FoundCard], int]:
    """The cards of a few sizes that lie apart in a photo, however many: row by row, from their tops.

    And how many outlines, in the median of the ways to see them, were seen beside them that may be cards of other
    proportions. Of those ways the sharpest counts that shows most shapes of cards' proportions, print aside.
    """
    scale = min(1.0, SETTINGS.search_side / max(photo.shape[:2]))
    small = cv2.resize(photo, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    best, straight = list[np.ndarray](), False
    others: list[int] = []
    for shapes in _outlines(small, SETTINGS.least_card):
        quads = [(quad, cv2.contourArea(quad.astype(np.float32))) for quad in shapes]
        fit = [(quad, area) for quad, area in quads if _size_of(quad, sizes) is not None]
        largest = max((area for _, area in fit), default=0.0)
        cards = [quad for quad, area in fit if area * SETTINGS.alike_sizes >= largest]
        longer = _length(cards) / max(_length(best), 1.0)
        if longer > SETTINGS.longer or (longer > 1 / SETTINGS.longer and len(cards) >= len(best)):
            flat = _flat(small, cards, [_size_of(quad, sizes) or sizes[0] for quad in cards])
            if longer > SETTINGS.longer or (len(cards), flat) > (len(best), straight):
                best, straight, others = cards, flat, []
        if len(cards) == len(best):
            others.append(sum(area * SETTINGS.alike_sizes**2 >= largest for _, area in quads) - len(cards))
    rows = _read_by_rows(best)
    order = [best[i] for row in rows for i in row]
    fitting = [_size_of(quad, sizes) or sizes[0] for quad in order]
    laid = _cut_exactly(photo, [(quad + 0.5) / scale - 0.5 for quad in order], fitting)
    at = [k for k, row in enumerate(rows) for _ in row]
    found = [FoundCard(quad, size, row) for quad, size, row in zip(laid, fitting, at, strict=True)]
    return found, int(np.median(others or [0]))


def cut_off(photo: np.ndarray, cards: Sequence[FoundCard]) -> int:
    """How many cards lie partly outside a photo beside those whole in it: shapes at its rim with a card's side."""
    scale = min(1.0, SETTINGS.search_side / max(photo.shape[:2]))
    small = cv2.resize(photo, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    height, width = small.shape[:2]
    quads = [(card.corners + 0.5) * scale - 0.5 for card in cards]
    blur, gap, edge = SETTINGS.cut_way
    lines = _lines(_steep(small, blur), gap, edge)
    for quad in quads:  # the table is what lies beside cards
        middle = quad.mean(0)
        for i in range(4):
            x, y = np.round(middle + (quad[i] + quad[i - 1] - 2 * middle) * SETTINGS.beside).astype(int).tolist()
            if 0 <= x < width and 0 <= y < height and lines[y, x] == 0:
                cv2.floodFill(lines, None, (x, y), 2)
    inside = cv2.morphologyEx((lines != 2).astype(np.uint8), cv2.MORPH_OPEN, np.ones((9, 9), np.uint8))
    sides = np.array([_sides(quad) for quad in quads]).reshape(-1, 2)
    out = 0
    for shape in cv2.findContours(inside, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]:
        x, y, w, h = cv2.boundingRect(shape)
        at_rim = x <= 2 or y <= 2 or x + w >= width - 2 or y + h >= height - 2
        (_, (a, b), _), area = cv2.minAreaRect(shape), cv2.contourArea(shape)
        whole = float(np.median(sides.prod(1))) if len(sides) else 0.0
        if at_rim and SETTINGS.least_cut * whole < area < whole and area > SETTINGS.full * a * b:
            out += bool((np.abs(np.log(np.array([[a], [b]]) / np.median(sides, 0))) < SETTINGS.cut_side).any())
    return out


def _length(quads: Sequence[np.ndarray]) -> float:
    """Half of what their outlines are long in all."""
    return sum(sum(_sides(quad)) for quad in quads)


def _size_of(quad: np.ndarray, sizes: Sequence[Size]) -> Size | None:
    """The size that a shape's proportions fit best, upright or on its side; None where they fit none."""
    w, h = _sides(quad)
    off = [abs(abs(np.log(w / h)) - abs(np.log(size[0] / size[1]))) for size in sizes]
    return sizes[int(np.argmin(off))] if min(off) < SETTINGS.proportion else None


def _read_by_rows(quads: Sequence[np.ndarray]) -> list[list[int]]:
    """Which quadrilaterals lie in each row, from the top row to the bottom, each row from left to right."""
    rows: list[list[int]] = []
    for i in sorted(range(len(quads)), key=lambda i: float(quads[i][:, 1].mean())):
        if not rows or quads[i][:, 1].mean() > quads[rows[-1][0]][:, 1].mean() + np.ptp(quads[i][:, 1]) / 2:
            rows.append([])
        rows[-1].append(i)
    return [sorted(row, key=lambda i: float(quads[i][:, 0].mean())) for row in rows]


def _outlines(small: np.ndarray, share: float) -> Iterator[list[np.ndarray]]:
    """Ways to see cards in the picture: for each the quadrilaterals (4, 2) around what an outline closes off from the
    picture's rim, if it fills them and is at least this share of the picture."""
    height, width = small.shape[:2]
    least = share * height * width
    for blur in SETTINGS.blurs:
        steep = _steep(small, blur)
        for gap, edge in product(SETTINGS.gaps, SETTINGS.edges):
            lines = _lines(steep, gap, edge)
            framed = cv2.copyMakeBorder(lines, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0)
            cv2.floodFill(framed, None, (0, 0), 2)
            yield _filled((framed[1:-1, 1:-1] != 2).astype(np.uint8), least)


def _other_colors(small: np.ndarray, share: float) -> Iterator[list[np.ndarray]]:
    """As `_outlines`, around what is of other colors than the table has along the picture's rim, or near there: cards
    whose edges are no steeper than a table's grain or pattern."""
    height, width = small.shape[:2]
    soft = cv2.resize(cv2.GaussianBlur(small, (0, 0), SETTINGS.table_blur), None, fx=0.5, fy=0.5,
                      interpolation=cv2.INTER_AREA)  # fmt: skip
    colors = cv2.cvtColor(soft.astype(np.float32) / 255, cv2.COLOR_BGR2LAB)
    h, w = colors.shape[:2]
    y, x = np.mgrid[:h, :w] * (SETTINGS.other_light / max(h, w))
    wide = max(4, round(SETTINGS.rim * max(h, w)))
    at_rim = np.ones((h, w), bool)
    at_rim[wide:-wide, wide:-wide] = False
    for brightness in SETTINGS.brightness:
        looks = np.dstack([colors * (brightness, 1, 1), x, y]).astype(np.float32)
        table = looks[at_rim]
        table = table[np.linspace(0, len(table) - 1, SETTINGS.of_table).astype(int)]
        far = np.array([_fourth_nearest(row, table) for row in looks])
        apart = cv2.resize(np.sqrt(np.maximum(far, 0)), (width, height), interpolation=cv2.INTER_LINEAR)
        for least in SETTINGS.unlike:
            yield _filled((apart > least).astype(np.uint8), share * height * width)


def _fourth_nearest(looks: np.ndarray, table: np.ndarray) -> np.ndarray:
    """(n,) how far, squared, looks (n, d) are from the fourth nearest of a table's (m, d): one may be a speck."""
    far = (looks**2).sum(1)[:, None] + (table**2).sum(1) - 2 * looks @ table.T
    return np.asarray(np.partition(far, 3, axis=1)[:, 3])


def _filled(inside: np.ndarray, least: float) -> list[np.ndarray]:
    """The quadrilaterals (4, 2) around the shapes of a mask (h, w) uint8 that fill them and are at least so large."""
    reach = max(3, round(0.012 * max(inside.shape)) | 1)
    inside = cv2.morphologyEx(inside, cv2.MORPH_OPEN, np.ones((reach, reach), np.uint8))
    found, _ = cv2.findContours(inside, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    hulls = [cv2.convexHull(f)[:, 0].astype(np.float64) for f in found if cv2.contourArea(f) > least]
    quads = [_four(hull) for hull in hulls]
    return [q for q, hull in zip(quads, hulls, strict=True) if _fullness(hull, q) > SETTINGS.full]


def _steep(picture: np.ndarray, blur: float) -> np.ndarray:
    """(h, w): how steep the colors of a blurred picture are."""
    soft = cv2.GaussianBlur(picture, (0, 0), blur)
    gx = np.abs(cv2.Sobel(soft, cv2.CV_32F, 1, 0)).max(2), np.abs(cv2.Sobel(soft, cv2.CV_32F, 0, 1)).max(2)
    return np.asarray(np.hypot(*gx) * blur)


def _lines(steep: np.ndarray, gap: int, edge: int) -> np.ndarray:
    """(h, w) uint8: 1 on the lines that are steeper than an edge, closed over a gap."""
    return np.asarray(
        cv2.morphologyEx((steep > 4 * edge).astype(np.uint8), cv2.MORPH_CLOSE, np.ones((gap, gap), np.uint8))
    )


def _fullness(hull: np.ndarray, quad: np.ndarray) -> float:
    area = cv2.contourArea(quad.astype(np.float32))
    return min(cv2.contourArea(hull.astype(np.float32)) / max(area, 1.0), 1.0) if area > 0 else 0.0


def _four(hull: np.ndarray) -> np.ndarray:
    """The quadrilateral (4, 2) around a rounded one: its four longest straight sides, as lines, meet in it."""
    box = cv2.boxPoints(cv2.minAreaRect(hull.astype(np.float32))).astype(np.float64)
    closed = np.concatenate([hull, hull[:1]])
    along = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(closed, axis=0), axis=1))])
    at = np.linspace(0, along[-1], 400, endpoint=False)
    points = np.stack([np.interp(at, along, closed[:, k]) for k in (0, 1)], 1)
    for _ in range(3):
        lines = []
        for i in range(4):
            a, b = box[i], box[(i + 1) % 4]
            d = (b - a) / max(float(np.linalg.norm(b - a)), 1e-9)
            t = (points - a) @ d / max(float(np.linalg.norm(b - a)), 1e-9)
            off = np.abs((points - a) @ np.array([-d[1], d[0]]))
            near = (t > 0.15) & (t < 0.85) & (off < 0.15 * np.linalg.norm(b - a) + 3)
            if near.sum() < 8:
                return box
            vx, vy, x, y = cv2.fitLine(points[near].astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
            lines.append((np.array([x, y], np.float64), np.array([vx, vy], np.float64)))
        met = [_meet(lines[i - 1], lines[i]) for i in range(4)]
        if any(m is None for m in met):
            return box
        box = np.array(met)
    return box


def _meet(a: tuple[np.ndarray, np.ndarray], b: tuple[np.ndarray, np.ndarray]) -> np.ndarray | None:
    (ax, ay), (bx, by), (x, y) = a[1], b[1], b[0] - a[0]
    turned = ax * by - ay * bx
    return None if abs(turned) < 0.1 else np.asarray(a[0] + (x * by - y * bx) / turned * a[1])


def _quad(photo: np.ndarray, hull: np.ndarray) -> np.ndarray:
    """The card's sharp corners (4, 2), clockwise: its sides fitted to the outermost edge near its outline."""
    quad = _clockwise(_four(hull))
    for reach in (SETTINGS.reach, SETTINGS.reach / 2):
        quad = _on_edges(photo, quad, reach * min(_sides(quad)))
    return quad


def _on_edges(photo: np.ndarray, quad: np.ndarray, reach: float) -> np.ndarray:
    steps = np.arange(-reach, reach + 1e-6, 0.5)
    lines = []
    for i in range(4):
        a, b = quad[i], quad[(i + 1) % 4]
        d = (b - a) / np.linalg.norm(b - a)
        inward = np.array([-d[1], d[0]])
        t = np.linspace((1 - SETTINGS.side_part) / 2, (1 + SETTINGS.side_part) / 2, SETTINGS.side_points)[:, None]
        at = (a + t * (b - a))[:, None] + steps[None, :, None] * inward
        across = cv2.remap(
            photo, at[..., 0].astype(np.float32), at[..., 1].astype(np.float32), cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        ).astype(np.float32)  # fmt: skip
        profile = cv2.GaussianBlur(across, (5, 3), 0)
        steep = np.linalg.norm(profile[:, 2:] - profile[:, :-2], axis=2)
        strongest = steep.max(1)
        # The rim is printed in one color: the outermost steep place is the card's end, not the picture's.
        high = steep >= 0.6 * strongest[:, None]
        first = high.argmax(1)
        while True:
            ahead = np.minimum(first + 1, steep.shape[1] - 1)
            higher = steep[np.arange(len(steep)), ahead] > steep[np.arange(len(steep)), first]
            if not higher.any():
                break
            first = np.where(higher, ahead, first)
        rows = np.arange(len(steep))
        before, after = np.maximum(first - 1, 0), np.minimum(first + 1, steep.shape[1] - 1)
        lo, mid, hi = steep[rows, before], steep[rows, first], steep[rows, after]
        bend = np.minimum(lo - 2 * mid + hi, -1e-6)
        offset = steps[1 + first] + 0.5 * np.clip((lo - hi) / (2 * bend), -0.5, 0.5)
        x = t[:, 0] - 0.5
        line = _robust_line(x, offset, strongest)
        ends = np.array([-0.5, 0.5]) * line[1] + line[0]
        lines.append((a + ends[0] * inward, (b + ends[1] * inward) - (a + ends[0] * inward)))
    met = [_meet((p, d / np.linalg.norm(d)), (q, e / np.linalg.norm(e))) for (p, d), (q, e) in zip(
        [lines[-1], *lines[:-1]], lines, strict=True)]  # fmt: skip
    return quad if any(m is None for m in met) else np.array(met)


def _robust_line(x: np.ndarray, y: np.ndarray, weight: np.ndarray) -> tuple[float, float]:
    """Offset and slope of the line that most of the points lie on."""
    sure = weight > 0.3 * np.median(weight)
    x, y = x[sure], y[sure]
    if len(x) < 4:  # hardly an edge there
        return float(np.median(y)) if len(y) else 0.0, 0.0
    i, j = np.triu_indices(len(x), len(x) // 4)
    step = max(1, len(i) // 600)
    i, j = i[::step], j[::step]
    slope = (y[j] - y[i]) / (x[j] - x[i])
    start = y[i] - slope * x[i]
    off = np.abs(y[None] - slope[:, None] * x[None] - start[:, None])
    best = int(np.minimum(off, 1.0).sum(1).argmin())
    near = off[best] < 1.0
    if near.sum() < 3:
        return float(np.median(y)), 0.0
    k, d = np.polyfit(x[near], y[near], 1)
    return float(d), float(k)


def _clockwise(quad: np.ndarray) -> np.ndarray:
    """Clockwise as seen in the picture, from the corner nearest to its top left."""
    area = 0.5 * np.sum(quad[:, 0] * np.roll(quad[:, 1], -1) - np.roll(quad[:, 0], -1) * quad[:, 1])
    if area < 0:
        quad = quad[::-1]
    return np.roll(quad, -int((quad - quad.min(0)).sum(1).argmin()), 0)


def _sides(quad: np.ndarray) -> tuple[float, float]:
    """Mean width and height."""
    s = np.linalg.norm(quad - np.roll(quad, -1, 0), axis=1)
    return float(s[0] + s[2]) / 2, float(s[1] + s[3]) / 2


def _in_rows(quads: Sequence[np.ndarray], laid: Laid) -> list[np.ndarray] | None:
    """The quadrilaterals row by row, each row from left to right; None where they make no such rows."""
    centers = np.array([q.mean(0) for q in quads])
    starts = range(0, len(quads), laid.cols)
    best: tuple[float, list[np.ndarray]] | None = None
    slopes = np.arange(-SETTINGS.skew, SETTINGS.skew + 1)
    for angle in np.deg2rad(slopes[np.abs((slopes - _slope(quads) + 45) % 90 - 45) <= SETTINGS.aslant]):
        across, down = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
        depth = centers @ down
        order = np.argsort(depth)
        rows = [order[start : start + laid.cols] for start in starts]
        gaps = [depth[b].min() - depth[a].max() for a, b in pairwise(rows)]
        aside = max(float(np.ptp(depth[row])) for row in rows)
        clear = min(gaps) - SETTINGS.straight_rows * aside if gaps else -aside
        if best is None or clear > best[0]:
            best = clear, [quads[i] for row in rows for i in row[np.argsort(centers[row] @ across)]]
    if best is None or (len(starts) > 1 and best[0] <= 0):
        return None
    return best[1]


def _slope(quads: Sequence[np.ndarray]) -> float:
    """By how many degrees the sides of most quadrilaterals slope, -45 to 45."""
    sides = np.concatenate([np.roll(quad, -1, 0) - quad for quad in quads])
    # Turned four times as far all four sides of a card point one way.
    turned = ((sides[:, 0] + 1j * sides[:, 1]) / np.maximum(np.linalg.norm(sides, axis=1), 1e-9)) ** 4
    return float(np.rad2deg(np.angle(turned.sum())) / 4)


def _fit(quads: Sequence[np.ndarray], sizes: Sequence[Sequence[float]]) -> bool:
    """Whether all are about as large as their cards' sizes ask for."""
    dense = np.array([cv2.contourArea(q.astype(np.float32)) / (s[0] * s[1]) for q, s in zip(quads, sizes, strict=True)])
    return bool(dense.max() <= SETTINGS.alike_sizes * dense.min())


def _upright(quad: np.ndarray, size: Sequence[float]) -> np.ndarray:
    """The corners from the card's own top left: turned by a quarter where it can only lie on its side."""
    w, h = _sides(quad)
    lies = abs(np.log(w / h * size[1] / size[0])) > abs(np.log(h / w * size[1] / size[0]))
    return np.roll(quad, 1, 0) if lies and max(size) > 1.1 * min(size) else quad
