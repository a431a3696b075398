"""Which of several faces lies at a place: only where they differ is compared, in the light of the rest of the card."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.cards.compare import Bank

FIELD_MM = 16.0
"""Side of the window in which light is taken as even."""
NEAR_MM = 12.0
"""The same where faces are told apart: each is given the light that suits it best."""
PLAIN = 20.0
"""Grey levels: what varies less says nothing about the light's strength."""
BLURS = (0.0, 0.5, 0.8, 1.2, 1.7, 2.4)
"""Blurs of the picture that are tried, in pixels of the face."""
MOST_OFF = 12.0
"""A pixel's squared deviation counts no more than this, in variances: what covers a card says nothing of it."""
DIFFERENT = 25.0
"""Grey levels by which two faces are of different print, not in different light."""
RIM_MM = 2.0
"""Millimetres along a card's edge where nothing is compared: the table on which it was learnt may show there."""
TOGETHER = 0.024
"""How many independent pixels a pixel counts for: neighbours err together."""


@dataclass(frozen=True)
class Verdict:
    """The faces tried, the most likely first, and the logarithms of their likelihoods, the best one's 0."""

    faces: tuple[int, ...]
    logs: np.ndarray


def _mean(x: np.ndarray, weight: np.ndarray, k: int, total: np.ndarray) -> np.ndarray:
    y = x * (weight[..., None] if x.ndim == 3 else weight)
    out = cv2.blur(y, (k, k), borderType=cv2.BORDER_REFLECT)
    return np.asarray(out / (total[..., None] if x.ndim == 3 else total))


def light(
    patch: np.ndarray, face: np.ndarray, weight: np.ndarray, window: int, plain: float = PLAIN
) -> tuple[np.ndarray, np.ndarray]:
    """How the light makes a picture of a face: gain and offset, (h, w, 3) each, smooth.

    What varies by less than `plain` grey levels within the window takes the gain of the whole.
    """
    total = cv2.blur(weight, (window, window), borderType=cv2.BORDER_REFLECT) + 1e-4
    mf, mp = _mean(face, weight, window, total), _mean(patch, weight, window, total)
    var = np.maximum(_mean(face * face, weight, window, total) - mf**2, 0)
    cov = _mean(face * patch, weight, window, total) - mf * mp
    w = weight[..., None]
    whole = np.clip((w * cov).sum((0, 1)) / np.maximum((w * var).sum((0, 1)), 1e-3), 0.05, 3.0)
    gain = np.clip((cov + plain**2 * whole) / (var + plain**2), 0.3 * whole, 2.5 * whole)
    return gain, mp - gain * mf


def variation(bank: Bank, faces: Sequence[int], level: int) -> np.ndarray:
    """(h, w): by how many grey levels the first face differs from any of the others, but for the rim."""
    shown = bank.faces(level)
    vary = np.stack([np.abs(shown[k] - shown[faces[0]]).max(2) for k in faces]).max(0)
    vary = cv2.dilate(cv2.GaussianBlur(vary, (0, 0), 0.7), np.ones((3, 3)))
    rim = round(RIM_MM * bank.levels[level])
    inner = np.zeros_like(vary)
    inner[rim:-rim, rim:-rim] = vary[rim:-rim, rim:-rim]
    return inner


def identify(bank: Bank, patch: np.ndarray, faces: list[int], level: int, seen: np.ndarray) -> Verdict:
    """Tell which face a patch shows.

    Args:
        bank: the faces.
        patch: (h, w, 3) float32, what lies there, exactly aligned.
        faces: those that it may be, the likeliest first.
        level: of the bank.
        seen: (h, w) 0 to 1, where nothing covers the card.
    """
    window = int(FIELD_MM * bank.levels[level]) | 1
    all_faces = bank.faces(level)
    first = all_faces[faces[0]]
    vary = variation(bank, faces, level)
    differs = vary > DIFFERENT
    common = (seen / (1 + (vary / 20) ** 2)).astype(np.float32)
    near = int(NEAR_MM * bank.levels[level]) | 1
    sure = seen
    for _ in range(2):
        gain, offset = light(patch, first, common, window)
        off = cv2.blur(((patch - gain * first - offset) ** 2).sum(2), (5, 5))
        usual = float(np.median(off[common > 0.3])) if (common > 0.3).any() else 300.0
        sure = (seen * np.where(differs, 1.0, 1 / (1 + off / (4 * usual + 1)) ** 2)).astype(np.float32)
        common = (seen / (1 + (vary / 20) ** 2) / (1 + off / (4 * usual + 1)) ** 2).astype(np.float32)
    best: tuple[float, float] | None = None
    for blur in BLURS:
        f = cv2.GaussianBlur(first, (0, 0), blur) if blur else first
        gain, offset = light(patch, f, common, window)
        off = np.minimum(((patch - gain * f - offset) ** 2).sum(2), 3 * 40.0**2)
        score = float((off * common).sum())
        if best is None or score < best[0]:
            best = score, blur
    assert best is not None
    blur = best[1]
    shown = [cv2.GaussianBlur(all_faces[k], (0, 0), blur) if blur else all_faces[k] for k in faces]
    made = []
    for f in shown:
        gain, offset = light(patch, f, sure, near)
        made.append(gain * f + offset)
    steep = np.max([_steep(m) for m in made], axis=0)
    off = [((patch - m) ** 2).sum(2) / 3 for m in made]
    noise, jitter = _noise(off[0], _steep(made[0]), common)
    variance = noise + jitter * steep
    far = np.stack([cv2.blur(np.minimum(o / variance, 4 * MOST_OFF), (3, 3)) for o in off])
    logs = -0.5 * TOGETHER * 3 * (np.minimum(far, MOST_OFF) * (seen * differs)).sum((1, 2))
    order = np.argsort(-logs, kind="stable")
    return Verdict(tuple(faces[i] for i in order), logs[order] - logs[order[0]])


def _steep(picture: np.ndarray) -> np.ndarray:
    gx = cv2.Sobel(picture, cv2.CV_32F, 1, 0, scale=1 / 8)
    gy = cv2.Sobel(picture, cv2.CV_32F, 0, 1, scale=1 / 8)
    return np.asarray((gx**2 + gy**2).sum(2) / 3)


def _noise(off: np.ndarray, steep: np.ndarray, weight: np.ndarray) -> tuple[float, float]:
    """Variance of plain places, and what each unit of squared slope adds to it (print that lies a little askew)."""
    sure = weight > 0.5
    if sure.sum() < 30:
        return 100.0, 0.3
    s, o = steep[sure], off[sure]
    low, high = np.quantile(s, [0.4, 0.8])
    noise = max(float(np.median(o[s <= low])) / 0.6, 4.0)
    jitter = float(np.median(np.maximum(o[s >= high] - noise, 0) / np.maximum(s[s >= high], 1.0))) / 0.45
    return noise, float(np.clip(jitter, 0.02, 1.5))
