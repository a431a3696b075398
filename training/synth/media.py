"""Pens and pencils: how strokes become ink on a sheet.

A `Layer` gathers the strokes of one pen over the whole sheet; `ink` turns what was
gathered into opacity. Images are float32; colors are BGR, 0 to 1.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np

from training.synth.hands import Rng, Stroke

HARD = 0.32
"""A pencil's stroke that hides less of the paper is a hard one's."""


@dataclass(frozen=True)
class Medium:
    """A pen.

    Attributes:
        kind: pencil, ball, felt, crayon, marker, colored (pencil) or highlighter.
        width: of a stroke at pressure 1, in cells.
        color: BGR, 0 to 1.
        opacity: of one stroke, 0 to 1.
        grain: how much the paper's tooth breaks the line, 0 to 1.
        builds: strokes over strokes grow darker.
        skips: share of the line where the ball does not roll.
        bleed: softness of the edge, in cells.
        multiplies: lets the print shine through instead of covering it.
        uneven: how much one stroke's force differs from the next's, as the deviation of its logarithm.
    """

    kind: str
    width: float
    color: tuple[float, float, float]
    opacity: float
    grain: float
    builds: bool
    skips: float
    bleed: float
    multiplies: bool
    uneven: float = 0.0


def random_medium(rng: Rng, kind: str | None = None) -> Medium:
    """A pen of the given or of any kind."""
    kind = kind or str(rng.choice(["pencil", "mechanical", "ball", "felt", "crayon", "marker"],
                                  p=[0.36, 0.15, 0.24, 0.19, 0.03, 0.03]))  # fmt: skip
    u = rng.uniform
    if kind in ("pencil", "mechanical"):
        soft = u()
        gray = float(np.clip(rng.normal(0.3, 0.07) - 0.12 * soft, 0.08, 0.45))
        color = tuple((gray + rng.normal(0, 0.012, 3)).tolist())
        width = u(0.02, 0.085) if kind == "pencil" else u(0.012, 0.04)
        opacity = float(np.clip(0.32 + 0.55 * soft + rng.normal(0, 0.08), 0.22, 0.95))
        return Medium("pencil", width, color, opacity, u(0.15, 0.95), True, 0.0, u(0.002, 0.01), u() < 0.5)
    if kind == "ball":
        skips = (0.0, 0.04, 0.15)[rng.integers(3)]
        return Medium("ball", u(0.012, 0.045), ink_color(rng, 0.5), u(0.6, 1), u(0, 0.3), u() < 0.5, skips, 0.003, True)
    if kind == "felt":
        width, skips = u(0.025, 0.07) if u() < 0.7 else u(0.06, 0.18), (0.0, 0.0, 0.04)[rng.integers(3)]
        bleed = u(0.003, 0.014)
        return Medium("felt", width, ink_color(rng, 0.4), u(0.65, 1), u(0, 0.12), u() < 0.6, skips, bleed, True)
    if kind == "crayon":
        return Medium("crayon", u(0.05, 0.13), ink_color(rng, 0.1), u(0.5, 0.9), u(0.5, 1), True, 0.0, 0.008, False)
    if kind in ("colored", "highlighter"):
        return _colored(rng, kind)
    return Medium("marker", u(0.09, 0.18), ink_color(rng, 0.05, 0.9), u(0.45, 0.75), 0.05, True, 0.0, 0.01, True)


def ink_color(rng: Rng, black: float, light: float = 0.6) -> tuple[float, float, float]:
    """Black with the given chance, else blue, red, green or any hue, as BGR."""
    if rng.random() < black:
        return tuple(rng.uniform(0.03, 0.2) + rng.normal(0, 0.015, 3))
    hue = rng.choice(
        [rng.normal(115, 7), rng.normal(0, 6) % 180, rng.normal(65, 10), rng.uniform(0, 180)], p=[0.5, 0.25, 0.1, 0.15]
    )
    saturation, value = rng.uniform(0.55, 1), min(1.0, rng.uniform(0.3, light + 0.15))
    hsv = np.uint8([[[hue % 180, 255 * saturation, 255 * value]]])
    b, g, r = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0] / 255
    return float(b), float(g), float(r)


def _colored(rng: Rng, kind: str) -> Medium:
    """A colored pencil or a highlighter."""
    u = rng.uniform
    if kind == "highlighter":
        return Medium(kind, u(0.12, 0.3), bright_color(rng), u(0.5, 0.9), 0.03, u() < 0.5, 0.0, 0.01, True)
    return Medium(kind, u(0.03, 0.09), ink_color(rng, 0.0, 0.8), u(0.3, 0.8), u(0.4, 1), True, 0.0, 0.006, False)


def bright_color(rng: Rng) -> tuple[float, float, float]:
    """A highlighter's yellow, green, pink, orange or blue, as BGR."""
    hue = rng.choice([rng.normal(28, 3), rng.normal(50, 6), rng.normal(165, 6), rng.normal(14, 3), rng.normal(98, 6)])
    hsv = np.uint8([[[hue % 180, rng.uniform(130, 240), rng.uniform(230, 255)]]])
    b, g, r = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0] / 255
    return float(b), float(g), float(r)


def unlike_medium(rng: Rng) -> Medium:
    """A pen that few take to this game: colored pencil, crayon, highlighter, thick felt, hard pencil."""
    kind = str(
        rng.choice(["colored", "crayon", "highlighter", "marker", "felt", "hard"], p=[0.3, 0.2, 0.15, 0.1, 0.1, 0.15])
    )
    return hard_pencil(rng, random_medium(rng, "pencil")) if kind == "hard" else random_medium(rng, kind)


def hard_pencil(rng: Rng, pencil: Medium) -> Medium:
    """A pencil so hard that it hardly leaves a trace, and not an even one."""
    return replace(pencil, opacity=rng.uniform(0.1, HARD), grain=rng.uniform(0.4, 1), uneven=rng.uniform(0, 0.7))


def called(medium: Medium) -> str:
    """What people call it."""
    return "hard pencil" if medium.kind == "pencil" and medium.opacity < HARD else medium.kind


def pressed_harder(medium: Medium, width: float = 1.0, opacity: float = 1.0) -> Medium:
    """The same pen used with another force."""
    return replace(medium, width=medium.width * width, opacity=min(1.0, medium.opacity * opacity))


class Layer:
    """The strokes of one pen, gathered over a sheet of `shape` pixels, `scale` pixels a cell."""

    def __init__(self, medium: Medium, shape: tuple[int, int], scale: float) -> None:
        self.medium, self.scale = medium, scale
        self.ink = np.zeros(shape, np.float32)
        self.pool = np.zeros(shape, np.uint8)

    def draw(self, rng: Rng, strokes: list[Stroke], at: tuple[float, float], force: float = 1.0) -> None:
        """Lay strokes down around `at`, pixels [x, y]; `force` scales their darkness."""
        for stroke in strokes:
            self._lay(rng, stroke, at, force)

    def _lay(self, rng: Rng, stroke: Stroke, at: tuple[float, float], force: float) -> None:
        m = self.medium
        points = stroke[:, :2] * self.scale + at
        pressure = stroke[:, 2] * force
        if m.uneven:
            pressure = pressure * min(2.0, float(np.exp(rng.normal(0, m.uneven))))
        if m.skips:
            rolls = rng.random(len(pressure)) > m.skips
            pressure = pressure * np.where(rolls, 1, rng.uniform(0, 0.5))
        wide = (
            m.width * self.scale * (0.7 + 0.3 * stroke[:, 2])
            if m.kind != "ball"
            else np.full(len(points), m.width * self.scale)
        )
        thick = np.maximum(1, np.round(wide)).astype(int)
        thin = np.minimum(1, wide / thick)
        value = np.clip(pressure * thin * 160, 4, 255)
        pad = int(thick.max()) + 3
        x0, y0 = np.maximum(np.floor(points.min(0)).astype(int) - pad, 0)
        x1, y1 = np.minimum(np.ceil(points.max(0)).astype(int) + pad, self.ink.shape[1::-1])
        if x1 <= x0 + 1 or y1 <= y0 + 1:
            return
        part = self.pool[: y1 - y0, : x1 - x0]
        part[:] = 0
        fixed = np.round((points - (x0, y0)) * 16).astype(int)
        ends = [(int(a), int(b)) for a, b in fixed]
        for a, b, t, v in zip(ends, ends[1:], thick.tolist(), value.tolist(), strict=False):
            cv2.line(part, a, b, v, t, cv2.LINE_AA, 4)
        if m.kind == "ball" and rng.random() < 0.15:
            cv2.circle(part, ends[-1], int(8 * thick[0] * rng.uniform(1, 2)), 200, -1, cv2.LINE_AA, 4)
        there = self.ink[y0:y1, x0:x1]
        fresh = part.astype(np.float32) * (1 / 160)
        if m.builds:
            there += fresh
        else:
            np.maximum(there, fresh, out=there)

    def opacity(self, rng: Rng, tooth: np.ndarray) -> np.ndarray:
        """(H, W) 0 to 1: how much of the paper the ink hides. `tooth` is the paper's roughness, 0 to 1."""
        m = self.medium
        ink = self.ink
        if m.bleed * self.scale > 0.3:
            ink = cv2.GaussianBlur(ink, (0, 0), m.bleed * self.scale)
        if m.grain:
            ink = np.clip(ink * (1 + 0.6 * m.grain) - tooth * m.grain * 1.1, 0, None)
        if m.builds:
            return 1 - np.power(1 - min(m.opacity, 0.985), ink * (1.0 if m.kind == "pencil" else 0.9))
        return np.clip(ink, 0, 1) * m.opacity


def paper_tooth(rng: Rng, shape: tuple[int, int], scale: float) -> np.ndarray:
    """(H, W) float32, 0 to 1: the paper's roughness, finer or coarser."""
    size = max(0.6, rng.uniform(0.008, 0.028) * scale)
    noise = rng.random(shape, dtype=np.float32)
    fine = cv2.GaussianBlur(noise, (0, 0), size)
    fine = (fine - 0.5) * (0.32 / max(float(fine.std()), 1e-6)) + 0.5
    return np.clip(fine, 0, 1)


def lay(sheet: np.ndarray, opacity: np.ndarray, medium: Medium) -> np.ndarray:
    """Put ink onto a sheet (H, W, 3) float32."""
    out = np.empty_like(sheet)
    for k, color in enumerate(np.clip(medium.color, 0, 1).tolist()):
        paper = sheet[..., k]
        if medium.multiplies:
            out[..., k] = paper * (1 - opacity * (1 - color))
        else:
            over = 0.6 * np.minimum(paper, color) + 0.4 * color * np.minimum(1, paper * 3)
            out[..., k] = paper + opacity * (over - paper)
    return out
