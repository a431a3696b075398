"""Numbers as hands write them: strokes of our own digits, of handwriting fonts and of real digits' middle lines.

A stroke is an (N, 3) array of x, y and pressure, as in `training.synth.hands`; a number is `height` cells high around
(0, 0), y down.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from training.synth.hands import Rng, Stroke, pressed, resample, shake
from training.synth.letters import skeleton_strokes
from training.synth.print import file_glyph


def _curve(*points: float) -> np.ndarray:
    """A smooth line through points [x, y] of the unit box; a point given twice is a corner."""
    p = np.array(points, float).reshape(-1, 2)
    out = []
    padded = np.concatenate([p[:1], p, p[-1:]])
    for a, b, c, d in zip(padded, padded[1:], padded[2:], padded[3:], strict=False):
        t = np.linspace(0, 1, 8, endpoint=False)[:, None]
        out.append(0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3))
    return np.concatenate([*out, p[-1:]])


RING = (0.55, 0.0, 0.15, 0.15, 0.02, 0.55, 0.2, 0.92, 0.5, 1.0, 0.85, 0.85, 0.98, 0.5, 0.85, 0.12, 0.5, 0.0)
DIGITS: dict[str, tuple[tuple[np.ndarray, ...], ...]] = {
    "0": ((_curve(*RING),), (_curve(*RING, 0.35, 0.05),), (_curve(*RING[:-2], 0.62, 0.06),)),
    "1": ((_curve(0.5, 0, 0.5, 1),), (_curve(0.15, 0.3, 0.6, 0, 0.6, 0, 0.6, 1),), (_curve(0.65, 0, 0.35, 1),),
          (_curve(0.2, 0.25, 0.55, 0, 0.55, 0, 0.55, 1), _curve(0.2, 1, 0.9, 1)),
          (_curve(0.1, 0.5, 0.7, 0, 0.7, 0, 0.65, 1),), (_curve(0, 0.2, 0.45, 0, 0.45, 0, 0.4, 1, 0.4, 1, 1, 0.97),),
          (_curve(0.1, 0.35, 0.5, 0, 0.5, 0, 0.45, 1), _curve(0, 1, 1, 0.97)),
          (_curve(0, 0, 0.05, 1, 0.05, 1, 1, 0.95),)),
    "2": ((_curve(0.05, 0.25, 0.4, 0, 0.85, 0.15, 0.75, 0.5, 0.05, 1, 0.05, 1, 0.95, 1),),
          (_curve(0.1, 0.2, 0.5, 0, 0.85, 0.25, 0.45, 0.7, 0.12, 0.95, 0.2, 0.82, 0.55, 0.95, 0.98, 0.9),),
          (_curve(0.05, 0.05, 0.8, 0.05, 0.85, 0.3, 0.05, 1, 0.05, 1, 0.9, 0.97),)),
    "3": ((_curve(0.1, 0.1, 0.55, 0, 0.85, 0.22, 0.35, 0.48, 0.35, 0.48, 0.9, 0.7, 0.6, 0.98, 0.05, 0.9),),
          (_curve(0.1, 0, 0.9, 0, 0.9, 0, 0.4, 0.4, 0.4, 0.4, 0.95, 0.65, 0.6, 1, 0.05, 0.88),),
          (_curve(0.1, 0.15, 0.6, 0, 0.8, 0.25, 0.4, 0.45, 0.6, 0.5, 0.9, 0.75, 0.5, 1, 0.05, 0.85),)),
    "4": ((_curve(0.6, 0, 0.05, 0.65, 0.05, 0.65, 0.98, 0.65), _curve(0.65, 0.35, 0.62, 1)),
          (_curve(0.15, 0, 0.1, 0.5, 0.1, 0.5, 0.95, 0.5), _curve(0.75, 0, 0.7, 1)),
          (_curve(0.7, 1, 0.7, 0, 0.7, 0, 0.02, 0.68, 0.02, 0.68, 1, 0.68),),
          (_curve(0.2, 0.05, 0.15, 0.45, 0.5, 0.55, 0.85, 0.45), _curve(0.85, 0.02, 0.72, 1))),
    "5": ((_curve(0.15, 0.02, 0.12, 0.45, 0.12, 0.45, 0.6, 0.38, 0.9, 0.68, 0.55, 1, 0.05, 0.9),
           _curve(0.15, 0.02, 0.9, 0.0)),
          (_curve(0.9, 0, 0.2, 0, 0.2, 0, 0.12, 0.45, 0.12, 0.45, 0.6, 0.4, 0.88, 0.7, 0.5, 1, 0.02, 0.9),),
          (_curve(0.85, 0.05, 0.3, 0.05, 0.25, 0.42, 0.7, 0.5, 0.75, 0.85, 0.3, 1, 0.05, 0.92),)),
    "6": ((_curve(0.75, 0, 0.25, 0.35, 0.08, 0.75, 0.4, 1, 0.85, 0.8, 0.7, 0.52, 0.3, 0.58, 0.1, 0.8),),
          (_curve(0.45, 0, 0.12, 0.45, 0.15, 0.9, 0.6, 0.98, 0.88, 0.7, 0.5, 0.5, 0.12, 0.75),),
          (_curve(0.85, 0.1, 0.5, 0, 0.1, 0.4, 0.1, 0.85, 0.5, 1, 0.9, 0.75, 0.6, 0.5, 0.15, 0.65),)),
    "7": ((_curve(0.05, 0.02, 0.92, 0.02, 0.92, 0.02, 0.35, 1),),
          (_curve(0.05, 0.02, 0.92, 0.02, 0.92, 0.02, 0.4, 1), _curve(0.3, 0.5, 0.85, 0.48)),
          (_curve(0.08, 0.2, 0.1, 0.02, 0.1, 0.02, 0.9, 0.05, 0.9, 0.05, 0.45, 1),),
          (_curve(0.05, 0.05, 0.85, 0.02, 0.7, 0.4, 0.45, 1),)),
    "8": ((_curve(0.8, 0.12, 0.4, 0, 0.15, 0.22, 0.5, 0.45, 0.88, 0.75, 0.5, 1, 0.1, 0.78, 0.5, 0.45, 0.85, 0.15),),
          (_curve(0.5, 0.45, 0.2, 0.25, 0.5, 0, 0.8, 0.22, 0.5, 0.46, 0.08, 0.75, 0.5, 1, 0.9, 0.72, 0.5, 0.46),),
          (_curve(*(np.array(RING).reshape(-1, 2) * (0.7, 0.45) + (0.15, 0)).ravel()),
           _curve(*(np.array(RING).reshape(-1, 2) * (0.9, 0.53) + (0.05, 0.46)).ravel()))),
    "9": ((_curve(0.85, 0.25, 0.5, 0, 0.1, 0.25, 0.4, 0.52, 0.85, 0.25, 0.85, 0.25, 0.8, 1),),
          (_curve(0.88, 0.15, 0.45, 0, 0.08, 0.3, 0.45, 0.5, 0.85, 0.2, 0.85, 0.65, 0.55, 0.98, 0.15, 0.9),),
          (_curve(0.8, 0.1, 0.4, 0.02, 0.12, 0.3, 0.5, 0.5, 0.82, 0.15, 0.75, 0.55, 0.5, 1),),
          (_curve(0.75, 0.3, 0.45, 0.3, 0.4, 0.1, 0.8, 0.02, 0.85, 0.1, 0.8, 0.65, 0.5, 0.95, 0.0, 0.95),),
          (_curve(0.3, 0.1, 0.25, 0.35, 0.8, 0.4, 0.95, 0.05, 0.9, 0.7, 0.6, 1.0, 0.05, 0.92),)),
    "-": ((_curve(0.05, 0.55, 0.95, 0.5),), (_curve(0.1, 0.5, 0.9, 0.52),)),
}  # fmt: skip
USUAL, MINUS = 0.58, 0.42
"""Width of a digit by its height, of a minus by that of digits."""
ONE = (0.12, 0.22, 0.55)
"""Width of a one by its height: at least where it was written so, as a bare stroke, and with a long flag or foot."""
SCAN = 112
"""Pixels of a scanned digit's side when its middle lines are walked."""


@dataclass
class Writer:
    """Who writes numbers.

    Attributes:
        scans: (n, 28, 28) uint8 scanned digits, ink bright, and `labels` (n,) what they are; or none.
        fonts: files of handwriting fonts.
    """

    scans: np.ndarray | None = None
    labels: np.ndarray | None = None
    fonts: list[str] = field(default_factory=list)

    @classmethod
    def load(cls, scans: str | None, fonts: str | None) -> Writer:
        """From an .npz of `images` and `labels`, and a text file with a font file a line."""
        data = np.load(scans) if scans else {}
        names = [line for line in Path(fonts).read_text().split("\n") if line] if fonts else []
        return cls(data.get("images"), data.get("labels"), names)

    def number(self, rng: Rng, text: str, height: float) -> list[Stroke]:
        """The strokes of a whole number, digits and minus, by one hand."""
        shares = np.array([0.4, 0.42 * (self.scans is not None), 0.18 * bool(self.fonts)])
        source = rng.choice(["own", "scans", "fonts"], p=shares / shares.sum())
        styles = {c: int(rng.integers(len(DIGITS[c]))) for c in DIGITS}
        slant, wide = rng.normal(0.08, 0.13), float(np.exp(rng.normal(0, 0.16)))
        gap, uneven = rng.uniform(0.04, 0.3) * height, rng.uniform(0, 0.1)
        rough = rng.choice([0.01, 0.03, 0.06])
        font = self.fonts[rng.integers(len(self.fonts))] if self.fonts else None
        out, x = [], 0.0
        for c in text:
            strokes, aspect = self._digit(rng, c, str(source), styles[c], font)
            w = height * aspect * wide * float(np.exp(rng.normal(0, uneven)))
            h = height * float(np.exp(rng.normal(0, uneven)))
            off = rng.normal(0, 0.04, 2) * height
            for s in strokes:
                p = (s + rng.normal(0, rough / 4, s.shape).cumsum(0) * 0.3 - 0.5) * (w, h)
                p = np.stack([p[:, 0] - slant * p[:, 1], p[:, 1]], 1) + off + (x + w / 2, 0)
                p = shake(rng, resample(p, 0.03), rough * height * 0.4)
                out.append(pressed(rng, p))
            x += w + gap
        turn = rng.normal(0, 0.05)
        spin = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        for s in out:
            s[:, :2] = (s[:, :2] - ((x - gap) / 2, 0)) @ spin
        return out

    def _digit(self, rng: Rng, c: str, source: str, style: int, font: str | None) -> tuple[list[np.ndarray], float]:
        """One digit's strokes in the unit box, and its width by its height."""
        usual = {"1": rng.uniform(*ONE[1:]), "-": MINUS}.get(c, USUAL)
        mask = None
        if source == "scans" and self.scans is not None and c != "-":
            mask = self.scans[rng.choice(np.flatnonzero(self.labels == int(c)))]
            mask = cv2.resize(mask, (SCAN, SCAN), interpolation=cv2.INTER_CUBIC)
            mask = np.where(mask > 110, 255, 0).astype(np.uint8)
        elif source == "fonts" and font and c != "-":
            glyph = file_glyph(font, 400)(c)
            mask = cv2.copyMakeBorder(glyph, 4, 4, 4, 4, cv2.BORDER_CONSTANT)
        strokes = [np.asarray(s, float) for s in skeleton_strokes(mask)] if mask is not None else []
        if not strokes:
            bare = c == "1" and len(DIGITS[c][style]) == 1 and len(DIGITS[c][style][0]) < 10
            return [s + rng.normal(0, 0.03, 2) for s in DIGITS[c][style]], ONE[1] if bare else usual
        every = np.concatenate(strokes)
        lo, size = every.min(0), np.maximum(np.ptp(every, 0), 1)
        if c == "1":  # as narrow as it was written
            usual = float(np.clip(size[0] / size[1], ONE[0], ONE[2]))
            size[0] = max(size[0], ONE[0] * size[1])
        return [(s - lo) / size for s in strokes], usual
