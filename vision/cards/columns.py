"""Cards in line with known ones or beside them, by their upper end: in a column that is what is in sight of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.cards.compare import Bank, affine_at_middle


@dataclass(frozen=True)
class ColumnsSettings:
    """Where cards in line with a known one are looked for, and when a place looks like one."""

    dense: float = 0.5  # pixels per millimetre at which pictures are compared
    shown: float = 24.0  # millimetres of a card's upper end that are compared
    along: float = 62.0  # how far beyond the known card's ends, millimetres
    aside: float = 7.0  # how far to its side
    alike: float = 0.6  # correlation from which a card may lie there
    free: float = 0.6  # share of the strip on which no known card is in sight
    apart: int = 3  # pixels between two places
    at_once: int = 500_000  # numbers of a picture's places that are compared at once
    most: int = 6  # places that are tried in line with one card, at most
    beside_dense: float = 0.25  # pixels per millimetre at which pictures are compared beside cards
    reach: float = 110.0  # how far beside the known cards that lie alike, millimetres
    one_turn: float = 5.0  # degrees by which cards that lie alike are turned against each other
    turns: int = 4  # ways in which cards lie, at most
    alike_beside: float = 0.5  # correlation from which a card may lie there
    nearer: float = 6.0  # millimetres by which a place beside cards is looked for more closely
    most_beside: int = 24  # places that are tried beside cards that lie alike, at most
    least_step: float = 10.0  # millimetres by which a card of a column lies below another, at least
    off_step: float = 0.3  # steps by which cards of a column lie off the usual one
    widest_step: float = 0.6  # a column's step in parts of a card's height, at most
    most_steps: int = 3  # steps between two cards of a column among which others may be missing


SETTINGS = ColumnsSettings()


def in_line(bank: Bank, image: np.ndarray, to_pixels: np.ndarray, free: np.ndarray) -> Iterator[np.ndarray]:
    """Where cards of the same size may lie, the likeliest first: (3, 3) each, millimetres from their middle to pixels.

    Args:
        bank: the faces of that size.
        image: (H, W, 3) BGR.
        to_pixels: (3, 3) from the middle of the card that is known.
        free: (H, W) uint8, 0 where known cards are in sight.
    """
    dense, (w, h) = SETTINGS.dense, bank.size_mm
    wide, high = w + 2 * SETTINGS.aside, h + 2 * SETTINGS.along
    size = (round(wide * dense), round(high * dense))
    to_own = np.array([[1 / dense, 0, 0.5 / dense - wide / 2], [0, 1 / dense, 0.5 / dense - high / 2], [0, 0, 1]])
    strips = bank.upper_ends(dense, SETTINGS.shown)
    spare = _spare(free, to_pixels @ to_own, size, strips[0].shape)
    if not spare.any():
        return
    # As a camera that is nearer sees it: pixels of the picture are averaged.
    near = _seen(image, to_pixels @ to_own @ np.diag([0.5, 0.5, 1.0]), (2 * size[0], 2 * size[1]), cv2.BORDER_REPLICATE)
    here = cv2.resize(near, size, interpolation=cv2.INTER_AREA)
    like = _alike(here, strips, spare).max(0)
    for _ in range(SETTINGS.most):
        y, x = np.unravel_index(int(like.argmax()), like.shape)
        if like[y, x] < SETTINGS.alike:
            return
        like[max(0, y - SETTINGS.apart) : y + SETTINGS.apart + 1] = -1.0
        moved = np.eye(3)
        moved[:2, 2] = x / dense - SETTINGS.aside, y / dense - SETTINGS.along
        yield to_pixels @ moved


def beside(
    bank: Bank, image: np.ndarray, to_mm: np.ndarray, lying: Sequence[np.ndarray], free: np.ndarray
) -> Iterator[np.ndarray]:
    """Where cards may lie around known ones and turned as these are, the likeliest first; as `in_line` gives them.

    Points tell no card of weak print or in the shade: its whole upper end does.

    Args:
        bank: the faces of one size.
        image: (H, W, 3) BGR.
        to_mm: (3, 3) pixels to millimetres of the table.
        lying: (3, 3) each: from the middle of a card that is known, of whatever size, to pixels.
        free: (H, W) uint8, 0 where known cards are in sight.
    """
    dense, (w, h) = SETTINGS.beside_dense, bank.size_mm
    strips = bank.upper_ends(dense, SETTINGS.shown)
    rows, cols = strips[0].shape[:2]
    for turned, middles in _ways(to_mm, lying):
        low = middles.min(0) - SETTINGS.reach - (w / 2, h / 2)
        wide, high = middles.max(0) + SETTINGS.reach + (w / 2, h / 2) - low
        size = (round(wide * dense), round(high * dense))
        to_pixels = np.linalg.inv(to_mm) @ turned
        to_own = np.array([[1 / dense, 0, 0.5 / dense + low[0]], [0, 1 / dense, 0.5 / dense + low[1]], [0, 0, 1]])
        fine = np.diag([0.25, 0.25, 1.0])
        fine[:2, 2] = -0.375
        four = (4 * size[0], 4 * size[1])
        spare = _spare(free, to_pixels @ to_own, size, strips[0].shape)
        near = _seen(image, to_pixels @ to_own @ fine, four, cv2.BORDER_REPLICATE)
        here = cv2.resize(near, size, interpolation=cv2.INTER_AREA)
        each = _alike(here, strips, spare)
        like = each.max(0)
        for _ in range(SETTINGS.most_beside):
            y, x = map(int, np.unravel_index(int(like.argmax()), like.shape))
            if like[y, x] < SETTINGS.alike_beside:
                break
            like[max(0, y - rows // 2) : y + rows // 2 + 1, max(0, x - cols // 2) : x + cols // 2 + 1] = -1.0
            picture = bank.upper_ends(4 * dense, SETTINGS.shown)[int(each[:, y, x].argmax())]
            off = round(SETTINGS.nearer * 4 * dense)
            top, left = max(0, 4 * y - off), max(0, 4 * x - off)
            part = near[top : 4 * y + len(picture) + off, left : 4 * x + picture.shape[1] + off]
            closer = cv2.matchTemplate(part, picture, cv2.TM_CCOEFF_NORMED)
            v, u = map(int, np.unravel_index(int(closer.argmax()), closer.shape))
            moved = np.eye(3)
            moved[:2, 2] = low + (np.array([left + u, top + v]) / (4 * dense)) + (w / 2, h / 2)
            yield to_pixels @ moved


def gaps(lying: Sequence[np.ndarray], size_mm: tuple[float, float], free: np.ndarray) -> Iterator[np.ndarray]:
    """Where a column of known cards goes on two or three of its steps further, and something no known card explains is
    in sight between: outlines (4, 2) in pixels of what would show there of a card.

    Args:
        lying: (3, 3) each: from the middle of a known card of one size to pixels.
        size_mm: their width and height.
        free: (H, W) uint8, 0 where known cards are in sight.
    """
    w, h = size_mm
    nearest = [below for one in lying if (below := _below(one, lying, h)) is not None]
    if len(nearest) < 2:
        return
    step = float(np.median([move[1] for _, move in nearest]))
    if step > SETTINGS.widest_step * h:
        return
    for one, move in nearest:
        n = round(float(move[1]) / step)
        if not 2 <= n <= SETTINGS.most_steps or abs(move[1] / step - n) > SETTINGS.off_step:
            continue
        for k in range(1, n):
            strips = []
            for top in (-h / 2, h / 2 - step):  # which of a column's cards lies on top nobody knows
                corners = np.array([[-w / 2, top], [w / 2, top], [w / 2, top + step], [-w / 2, top + step]])
                at = np.column_stack([corners + move * k / n, np.ones(4)]) @ one.T
                outline = at[:, :2] / at[:, 2:]
                strips.append((free_share(free, outline), outline))
            share, outline = max(strips, key=lambda strip: strip[0])
            if share >= SETTINGS.free:
                yield outline


def free_share(free: np.ndarray, outline: np.ndarray) -> float:
    """Which part of an outline, (4, 2) in pixels, is free: `free` (H, W) uint8 is 255 there."""
    mask = np.zeros_like(free)
    cv2.fillConvexPoly(mask, np.round(outline).astype(np.int32), 255)
    return cv2.mean(free, mask)[0] / 255


def _below(one: np.ndarray, lying: Sequence[np.ndarray], h: float) -> tuple[np.ndarray, np.ndarray] | None:
    """A card's place, and how far (2,) in its millimetres the next card of its column lies below; None where none
    does."""
    found = []
    for other in lying:
        to_one = affine_at_middle(np.linalg.inv(one) @ other)
        x, y = to_one[:, 2]
        turn = np.degrees(np.arctan2(to_one[1, 0], to_one[0, 0]))
        if SETTINGS.least_step < y < h and abs(x) < SETTINGS.aside and abs(turn) < SETTINGS.one_turn:
            found.append((float(y), to_one[:, 2]))
    return (one, min(found, key=lambda each: each[0])[1]) if found else None


def _ways(to_mm: np.ndarray, lying: Sequence[np.ndarray]) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """How known cards are turned: (3, 3) from a frame in which they lie upright to the table's millimetres, and the
    middles there, (n, 2), of those that lie so."""
    left = [affine_at_middle(to_mm @ one) for one in lying]
    for _ in range(SETTINGS.turns):
        if not left:
            return
        turns = np.array([np.arctan2(one[1, 0], one[0, 0]) for one in left])
        apart = np.abs((turns[:, None] - turns[None] + np.pi) % (2 * np.pi) - np.pi) < np.deg2rad(SETTINGS.one_turn)
        mine = apart[int(apart.sum(1).argmax())]
        turn = float(np.angle(np.exp(1j * turns[mine]).mean()))
        c, s = np.cos(turn), np.sin(turn)
        turned = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
        yield turned, np.array([one[:, 2] for one, is_mine in zip(left, mine, strict=True) if is_mine]) @ turned[:2, :2]
        left = [one for one, is_mine in zip(left, mine, strict=True) if not is_mine]


def _spare(free: np.ndarray, to_picture: np.ndarray, size: tuple[int, int], end: tuple[int, ...]) -> np.ndarray:
    """Bool: where enough of an upper end (h, w, …) whose top left lies there is on free ground."""
    rows, cols = end[:2]
    open_ = _seen(free, to_picture, size, cv2.BORDER_CONSTANT).astype(np.float32) / 255
    share = cv2.blur(open_, (cols, rows), anchor=(0, 0), borderType=cv2.BORDER_CONSTANT)
    return np.asarray(share[: size[1] - rows + 1, : size[0] - cols + 1] >= SETTINGS.free)


def _alike(picture: np.ndarray, strips: Sequence[np.ndarray], where: np.ndarray) -> np.ndarray:
    """(K, h, w) float32: the correlation, -1 to 1, of what lies at a picture's places with each of some strips of one
    size, as OpenCV's TM_CCOEFF_NORMED has it, by one product of matrices for all of them; -1 where a mask (h, w) is
    False."""
    rows, cols = strips[0].shape[:2]
    own = np.array(strips, np.float32).transpose(0, 3, 1, 2).reshape(len(strips), 3, -1)
    own = (own - own.mean(2, keepdims=True)).reshape(len(strips), -1)
    own /= np.maximum(np.linalg.norm(own, axis=1, keepdims=True), 1.0)
    # Small numbers, whose squares float32 holds exactly.
    planes = np.ascontiguousarray(picture.transpose(2, 0, 1), np.float32) - 128
    windows = np.lib.stride_tricks.sliding_window_view(planes, (rows, cols), (1, 2)).transpose(1, 2, 0, 3, 4)
    out = np.full((len(strips), *where.shape), -1.0, np.float32)
    y, x = np.nonzero(where)
    at_once = max(1, SETTINGS.at_once // own.shape[1])
    for first in range(0, len(y), at_once):
        v, u = y[first : first + at_once], x[first : first + at_once]
        here = windows[v, u].reshape(len(v), 3, -1)
        total = here.sum(2)
        vary = np.einsum("ijk,ijk->i", here, here) - (total**2).sum(1) / (rows * cols)
        out[:, v, u] = own @ here.reshape(len(v), -1).T / np.sqrt(np.maximum(vary, 1.0))
    return out


def _seen(picture: np.ndarray, to_picture: np.ndarray, size: tuple[int, int], beyond: int) -> np.ndarray:
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpPerspective(picture, to_picture, size, flags=how, borderMode=beyond))
