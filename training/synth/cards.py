"""Small drawn decks: pictures of shapes in colors, cards of one picture that differ in a digit."""

from collections.abc import Sequence

import cv2
import numpy as np

SIZE_MM = (50.0, 75.0)
DENSE = 6
"""Pixels per millimetre at which faces are drawn."""


Size = tuple[float, float]
Color = tuple[int, int, int]
"""Blue, green, red, 0 to 255."""


def face(picture: int, digit: int | None = None, size_mm: Size = SIZE_MM) -> np.ndarray:
    """A card's face, (h, w, 3) BGR: shapes that only the picture's number tells, and a digit in two corners."""
    rng = np.random.default_rng(picture)
    w, h = (round(side * DENSE) for side in size_mm)
    out = np.full((h, w, 3), 245, np.uint8)
    rim = 3 * DENSE
    field = rng.integers(60, 220, 3).tolist()
    cv2.rectangle(out, (rim, rim), (w - rim, h - rim), field, -1)
    for _ in range(26):
        color = rng.integers(0, 256, 3).tolist()
        x, y = rng.integers(rim, [w - rim, h - rim]).tolist()
        turn, size = float(rng.uniform(0, 360)), int(rng.integers(12, 45))
        sides = int(rng.integers(3, 7))
        corners = cv2.ellipse2Poly((x, y), (size, size), int(turn), 0, 360, 360 // sides)
        cv2.fillConvexPoly(out, corners, color, cv2.LINE_AA)
    out[:rim], out[-rim:], out[:, :rim], out[:, -rim:] = 245, 245, 245, 245
    if digit is not None:
        box = out[rim + 6 : rim + 78, rim + 6 : rim + 66]
        box[:] = 240
        cv2.putText(box, str(digit), (8, 62), cv2.FONT_HERSHEY_SIMPLEX, 2.2, (40, 30, 30), 7, cv2.LINE_AA)
        out[h - rim - 78 : h - rim - 6, w - rim - 66 : w - rim - 6] = box[::-1, ::-1]
    return out


def jewel_card(
    picture: int, points: int, bonus: Color, price: Sequence[tuple[Color, int]], size_mm: Size
) -> np.ndarray:
    """A card of a game of jewels, (h, w, 3) BGR: a pale head with points and the jewel that it gives, a price below."""
    out = face(picture, size_mm=size_mm)
    h, w = out.shape[:2]
    head, rim, unit = round(0.24 * h), 3 * DENSE, DENSE
    top = out[rim:head, rim:-rim]
    top[:] = cv2.addWeighted(top, 0.35, np.full_like(top, 255), 0.65, 0)
    if points:
        _write(out, str(points), (4.5 * unit, 17 * unit), 2.4, (250, 250, 250), 11)
        _write(out, str(points), (4.5 * unit, 17 * unit), 2.4, (30, 25, 25), 5)
    at = (w - round(12 * unit), round(12 * unit))
    cv2.circle(out, at, round(6.5 * unit), (30, 30, 30), -1, cv2.LINE_AA)
    cv2.fillConvexPoly(out, cv2.ellipse2Poly(at, (33, 33), 0, 0, 360, 60), bonus, cv2.LINE_AA)
    for i, (color, n) in enumerate(price):
        at = (round(9.5 * unit), h - round((9.5 + 12.5 * i) * unit))
        cv2.circle(out, at, round(5.6 * unit), (245, 245, 245), -1, cv2.LINE_AA)
        cv2.circle(out, at, round(5.0 * unit), color, -1, cv2.LINE_AA)
        _write(out, str(n), (at[0] - 2.6 * unit, at[1] + 2.9 * unit), 1.35, (0, 0, 0), 9)
        _write(out, str(n), (at[0] - 2.6 * unit, at[1] + 2.9 * unit), 1.35, (255, 255, 255), 4)
    return out


def _write(out: np.ndarray, text: str, at: tuple[float, float], size: float, color: Color, thick: int) -> None:
    cv2.putText(out, text, (round(at[0]), round(at[1])), cv2.FONT_HERSHEY_SIMPLEX, size, color, thick, cv2.LINE_AA)


def table(shape: tuple[int, int] = (900, 1200), seed: int = 0) -> np.ndarray:
    """A bare table, (H, W, 3) BGR."""
    rng = np.random.default_rng(seed)
    grain = cv2.GaussianBlur(rng.normal(0, 14, shape).astype(np.float32), (0, 0), 3)
    light = np.linspace(0.85, 1.1, shape[1])[None, :, None]
    return np.clip((np.array([70, 85, 60.0]) + grain[..., None]) * light, 0, 255).astype(np.uint8)


def lay(photo: np.ndarray, card: np.ndarray, middle: Sequence[float], dense: float, turn: float = 0.0) -> np.ndarray:
    """Lay a face on a photo, in place; its corners (4, 2) in pixels from its own top left."""
    h, w = (side / DENSE * dense / 2 for side in card.shape[:2])
    c, s = np.cos(turn), np.sin(turn)
    corners = np.array([[-w, -h], [w, -h], [w, h], [-w, h]]) @ np.array([[c, s], [-s, c]]) + np.array(middle)
    soft = cv2.GaussianBlur(card, (0, 0), max(0.3, 0.4 * DENSE / dense))
    own = np.array([[0, 0], [card.shape[1], 0], card.shape[1::-1], [0, card.shape[0]]], np.float32) - 0.5
    to = cv2.getPerspectiveTransform(own, corners.astype(np.float32))
    size = photo.shape[1::-1]
    laid = cv2.warpPerspective(soft, to, size, flags=cv2.INTER_AREA)
    mask = cv2.warpPerspective(np.full(card.shape[:2], 255, np.uint8), to, size)[..., None] / 255.0
    photo[:] = np.round(photo * (1 - mask) + laid * mask).astype(np.uint8)
    return corners


def grid(faces: Sequence[np.ndarray], cols: int, dense: float = 3.4) -> np.ndarray:
    """A photo of faces laid out row by row."""
    rows = -(-len(faces) // cols)
    step = (np.array(faces[0].shape[1::-1]) / DENSE + [14, 12]) * dense
    photo = table((round(step[1] * rows + 80), round(step[0] * cols + 80)), 1)
    for i, card in enumerate(faces):
        at = step * (np.array([i % cols, i // cols]) + 0.5) + 40
        lay(photo, card, at, dense, 0.03 * (-1) ** i)
    return photo
