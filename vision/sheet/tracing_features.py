"""Letters beside their print: what a picture has more than the print.

`letter_templates` finds what each letter looks like where nobody traced it. Here some cues are taken from the
difference, some with the print made as blurred as the lines around the letter are (`local_blur`). The network
that judges letters (`letter_classifier`) is told them, and sees what the print leaves over beside the pictures.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.sheet.letter_templates import match
from vision.sheet.local_blur import beside_print, lines, weighted_median


@dataclass(frozen=True)
class TracingFeaturesSettings:
    """What is measured of a letter beside its print."""

    edge: int = 8  # pixels at a picture's edge that are left out
    telling: float = 4.0  # squared darkness beyond which lines around a letter are no more telling
    faint: float = 0.005  # darkness left over that is nothing
    floor: float = 0.012  # darkness by which that cue strays at least among plain letters
    most: float = 5.0  # spreads that count, at most
    hand: float = 0.6  # log odds for each spread beyond the plain sisters
    wary: float = 1.3  # log odds for being plain
    few: float = 2.0  # of so many plain sisters the spread is half believed
    rim: int = 10  # pixels at a picture's edge where neighbors' marks reach in
    printed: float = 0.25  # parts of the letter's darkest from which its print is not taken for the pen's ink
    close: int = 3  # pixels around print that are left out with it
    boldest: float = 0.97  # which quantile of what is left over is the pen's stroke


SETTINGS = TracingFeaturesSettings()
CUES = 28
"""How many cues there are."""
MORE = 20
"""Which cue tells how much darker a letter is just beside its print's strokes."""


def cues(pictures: np.ndarray, known: np.ndarray, sure: np.ndarray, white: float) -> tuple[np.ndarray, np.ndarray]:
    """What tells of tracing in single letters, (n, CUES), and what the print leaves over, (n, SIDE, SIDE) darkness.

    The cues are how sure the print is; blur and darkness beyond it, what is left, colors, each letter's blur
    being its own; the same with the blur of the lines around it, and what these lines say.

    Args:
        pictures: (n, SIDE, SIDE, 3) uint8, the light taken off.
        known: (n, SIDE, SIDE) uint8, the letters' print.
        sure: (n,) how sure that is; 0 where it is not known: then everything is 0.
        white: what bare paper is in the pictures.
    """
    gray = np.stack([cv2.cvtColor(p, cv2.COLOR_BGR2GRAY) for p in pictures])
    seen, model = (np.clip(1 - g.astype(np.float32) / np.float32(white), 0, 1) for g in (gray, known))
    found = match(seen, model)
    inner = (slice(None), slice(SETTINGS.edge, -SETTINGS.edge), slice(SETTINGS.edge, -SETTINGS.edge))
    near = np.stack([cv2.GaussianBlur(m, (0, 0), 3.0) for m in model])[inner]
    dark = model[inner]
    counts = np.clip(near / np.maximum(near.max((1, 2), keepdims=True), 0.02) * 3 - 0.4, 0, 1)
    core = (dark > 0.5 * dark.max((1, 2), keepdims=True)).astype(np.float32)
    rim = np.clip(counts - core, 0, 1)
    # Color by color: sums along a last axis of three are slow.
    color = 1 - np.ascontiguousarray(np.moveaxis(pictures[inner], 3, 0)).astype(np.float32) / np.float32(white)
    shade, hue = color.mean(0), color.max(0) - color.min(0)
    rest = found.rest[inner]
    calm = np.stack([cv2.GaussianBlur(r, (0, 0), 1.5) for r in found.rest])[inner]
    ink = (counts * dark).sum((1, 2)) + 0.3

    def mean(what: np.ndarray, where: np.ndarray) -> np.ndarray:
        return (what * where).sum((1, 2)) / (where.sum((1, 2)) + 1)

    around = lines(seen, model)
    made = beside_print(seen, model, around.blur)
    left = made.rest[inner]
    paler = np.log(made.gain / around.gain)
    out = np.stack(
        [
            sure, found.blur * 0.25, np.log(found.gain),
            (counts * np.maximum(rest, 0)).sum((1, 2)) / ink, (counts * np.maximum(-rest, 0)).sum((1, 2)) / ink,
            np.sqrt(mean(rest * rest, counts)),
            mean(shade, core), mean(dark, core), mean(shade, rim), mean(dark, rim), mean(hue, core), mean(hue, rim),
            mean(np.maximum(rest, 0), rim), mean(rest, core), np.sqrt(mean(calm * calm, counts)),
            mean(np.maximum(calm, 0), rim),
            *around.blur.T, np.log(around.gain), np.minimum(around.telling, SETTINGS.telling),
            made.more, made.on, (made.more - made.on) / (made.gain * made.ink), np.log(made.gain),
            np.log(np.sqrt(mean(left * left, counts)) + SETTINGS.faint), mean(np.maximum(left, 0), counts),
            paler, paler * np.minimum(around.telling, SETTINGS.telling),
        ], 1,
    )  # fmt: skip
    out[sure <= 0] = 0
    return out.astype(np.float32), np.where(sure[:, None, None] > 0, made.rest, 0)


def ink_beside(rest: np.ndarray, known: np.ndarray, white: float) -> np.ndarray:
    """How dark the boldest is that was drawn beside each letter, (n,), as a circle around it: the pen's darkness.

    Args:
        rest: (n, SIDE, SIDE) darkness that the print leaves over, `known`: (n, SIDE, SIDE) uint8, the print.
        white: what bare paper is in it.
    """
    inner, close = slice(SETTINGS.rim, -SETTINGS.rim), np.ones((2 * SETTINGS.close + 1,) * 2, np.uint8)
    out = np.zeros(len(rest))
    for k, (left, print_) in enumerate(zip(rest, known, strict=True)):
        dark = 1 - print_[inner, inner].astype(np.float32) / white
        printed = cv2.dilate((dark > SETTINGS.printed * max(dark.max(), 0.05)).astype(np.uint8), close)
        beside = cv2.GaussianBlur(left[inner, inner], (0, 0), 0.8)[printed == 0]
        if len(beside):
            at = int(SETTINGS.boldest * (len(beside) - 1))
            out[k] = np.partition(beside, at)[at]
    return out


def among_sisters(told: np.ndarray, odds: np.ndarray) -> np.ndarray:
    """The log odds of tracing, (n,), once each letter is held against its plain sisters by the surest cue alone.

    The network has only seen drawn sheets and is too ready to hold real letters traced: how far a letter stands out
    from those that it holds plain is the same on any photo.

    Args:
        told: (n, CUES), see `cues`.
        odds: (n,) the network's log odds of tracing.
    """
    known = told[:, 0] > 0
    plain = known / (1 + np.exp(np.clip(odds, -6, 6))) + 1e-6
    more = told[:, MORE]
    usual = weighted_median(more[None], plain[None])
    spread = 1.5 * weighted_median(np.abs(more - usual)[None], plain[None]) + SETTINGS.floor
    strange = np.clip((more - usual) / spread, -SETTINGS.most, SETTINGS.most)
    out: np.ndarray = odds + known * (SETTINGS.hand * strange - SETTINGS.wary) * plain.sum() / (
        plain.sum() + SETTINGS.few
    )
    return out
