"""Letters as a hand writes them: strokes for A to X, and the strokes of any printed glyph.

A stroke is an (N, 2) float array of points [x, y]; letters stand in the unit box, y down.
"""

import cv2
import numpy as np


def _line(*points: float) -> np.ndarray:
    return np.array(points, np.float64).reshape(-1, 2)


def _arc(cx: float, cy: float, rx: float, ry: float, start: float, end: float) -> np.ndarray:
    """Part of an ellipse, degrees clockwise from the right (y points down)."""
    t = np.radians(np.linspace(start, end, max(4, int(abs(end - start) / 15))))
    return np.stack([cx + rx * np.cos(t), cy + ry * np.sin(t)], -1)


STROKES: dict[str, tuple[np.ndarray, ...]] = {
    "A": (_line(0, 1, 0.5, 0, 1, 1), _line(0.18, 0.66, 0.82, 0.66)),
    "B": (_line(0, 0, 0, 1), np.vstack([_line(0, 0, 0.55, 0), _arc(0.55, 0.24, 0.38, 0.24, -90, 90), _line(0, 0.48)]),
          np.vstack([_line(0, 0.48, 0.55, 0.48), _arc(0.58, 0.74, 0.42, 0.26, -90, 90), _line(0, 1)])),
    "C": (_arc(0.55, 0.5, 0.55, 0.5, -40, -320),),
    "D": (_line(0, 0, 0, 1), np.vstack([_line(0, 0, 0.4, 0), _arc(0.4, 0.5, 0.6, 0.5, -90, 90), _line(0, 1)])),
    "E": (_line(1, 0, 0, 0, 0, 1, 1, 1), _line(0, 0.5, 0.8, 0.5)),
    "F": (_line(1, 0, 0, 0, 0, 1), _line(0, 0.48, 0.8, 0.48)),
    "G": (np.vstack([_arc(0.53, 0.5, 0.53, 0.5, -40, -360), _line(0.6, 0.55)]),),
    "H": (_line(0, 0, 0, 1), _line(1, 0, 1, 1), _line(0, 0.5, 1, 0.5)),
    "I": (_line(0.5, 0, 0.5, 1),),
    "J": (np.vstack([_line(0.75, 0, 0.75, 0.7), _arc(0.4, 0.7, 0.35, 0.3, 0, 180)]),),
    "K": (_line(0, 0, 0, 1), _line(0.95, 0, 0.05, 0.58), _line(0.32, 0.42, 1, 1)),
    "L": (_line(0, 0, 0, 1, 1, 1),),
    "M": (_line(0, 1, 0, 0, 0.5, 0.75, 1, 0, 1, 1),),
    "N": (_line(0, 1, 0, 0, 1, 1, 1, 0),),
    "O": (_arc(0.5, 0.5, 0.5, 0.5, -90, 270),),
    "P": (_line(0, 1, 0, 0), np.vstack([_line(0, 0, 0.6, 0), _arc(0.6, 0.27, 0.4, 0.27, -90, 90), _line(0, 0.54)])),
    "Q": (_arc(0.5, 0.48, 0.5, 0.48, -90, 270), _line(0.6, 0.7, 1, 1.05)),
    "R": (_line(0, 1, 0, 0), np.vstack([_line(0, 0, 0.6, 0), _arc(0.6, 0.26, 0.38, 0.26, -90, 90), _line(0, 0.52)]),
          _line(0.45, 0.52, 1, 1)),
    "S": (np.vstack([_arc(0.5, 0.26, 0.45, 0.26, -20, -270), _arc(0.5, 0.75, 0.47, 0.25, -90, 160)]),),
    "T": (_line(0, 0, 1, 0), _line(0.5, 0, 0.5, 1)),
    "U": (np.vstack([_line(0, 0, 0, 0.62), _arc(0.5, 0.62, 0.5, 0.38, 180, 0), _line(1, 0)]),),
    "V": (_line(0, 0, 0.5, 1, 1, 0),),
    "W": (_line(0, 0, 0.25, 1, 0.5, 0.25, 0.75, 1, 1, 0),),
    "X": (_line(0, 0, 1, 1), _line(1, 0, 0, 1)),
}  # fmt: skip

NARROW = {"I": 0.2, "J": 0.55, "L": 0.65, "M": 1.1, "W": 1.3, "E": 0.68, "F": 0.66, "S": 0.68, "P": 0.7, "B": 0.72}
"""Width of a letter by its height, where it is not 0.78."""


def glyph_strokes(letter: str, height: float) -> list[np.ndarray]:
    """The letter's strokes, `height` cells high, centered on (0, 0)."""
    width = height * NARROW.get(letter, 0.78)
    return [(s - 0.5) * (width, height) for s in STROKES[letter]]


def skeleton_strokes(glyph: np.ndarray) -> list[np.ndarray]:
    """The middle lines of a printed glyph, walked stroke by stroke.

    Args:
        glyph: (H, W) uint8, 255 where printed.

    Returns:
        Strokes in pixels of `glyph`, smoothed; a stroke of one dot is left out.
    """
    points = {(int(x), int(y)) for y, x in zip(*np.nonzero(_thin(glyph > 127)), strict=True)}
    around = [(1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1)]

    def near(p: tuple[int, int]) -> list[tuple[int, int]]:
        return [(p[0] + dx, p[1] + dy) for dx, dy in around if (p[0] + dx, p[1] + dy) in points]

    strokes = []
    while points:
        at = min(points, key=lambda p: (len(near(p)) != 1, p[1], p[0]))
        walk, heading = [at], (0.0, 0.0)
        points.discard(at)
        while ahead := near(at):
            step = max(ahead, key=lambda p: (p[0] - at[0]) * heading[0] + (p[1] - at[1]) * heading[1])
            heading = (0.7 * heading[0] + step[0] - at[0], 0.7 * heading[1] + step[1] - at[1])
            at = step
            points.discard(at)
            walk.append(at)
        if len(walk) > 3:
            line = np.array(walk, np.float32)
            smooth = cv2.blur(line, (1, 5), borderType=cv2.BORDER_REPLICATE)
            strokes.append(smooth[:: max(1, min(4, len(walk) // 6))].astype(np.float64))
    return strokes


def _thin(mask: np.ndarray) -> np.ndarray:
    """Peel a mask down to lines one pixel wide (Zhang and Suen, 1984)."""
    m = np.pad(mask.astype(np.uint8), 1)
    changed = True
    while changed:
        changed = False
        for even in (0, 1):
            n = [np.roll(m, shift, (0, 1)) for shift in
                 ((1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1))]  # fmt: skip
            count = sum(n)
            turns = sum(((n[i] == 0) & (n[(i + 1) % 8] == 1)).astype(np.uint8) for i in range(8))
            a, b = (n[0] * n[2] * n[4], n[2] * n[4] * n[6]) if even else (n[0] * n[2] * n[6], n[0] * n[4] * n[6])
            peel = (m == 1) & (count >= 2) & (count <= 6) & (turns == 1) & (a == 0) & (b == 0)
            if peel.any():
                m[peel] = 0
                changed = True
    return m[1:-1, 1:-1].astype(bool)
