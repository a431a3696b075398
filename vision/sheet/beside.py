"""Judging letters beside their print: what a picture has more than the print, and how usual that is on this photo.

`vision.sheet.printed` finds what each letter looks like where nobody traced it. Here some cues are taken from the
difference, some with the print made as blurred as the lines around the letter are (`vision.sheet.around`). Each is also
measured in spreads of those sisters that the first look holds plain, and a small judge (`vision/models/beside.npz`, its
script and figures beside it) that sees all letters of the photo decides.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import cv2
import numpy as np

from vision.network import MODELS
from vision.sheet.around import as_blurred, lines
from vision.sheet.printed import match

EDGE = 8
"""Pixels at a picture's edge that are left out."""
SUREST = 9.0
"""Log odds that count of the first look's."""
FAR = 8.0
"""Spreads beyond which a cue is no stranger."""
TELLING = 4.0
"""Squared darkness beyond which lines around a letter are no more telling."""
FLOORS = np.array(
    [
        *(0.038, 0.059, 0.085, 0.031, 0.011, 0.031, 0.027, 0.017, 0.008, 0.009, 0.008, 0.008, 0.006, 0.009, 0.007),
        *(0.106, 0.085, 0.160, 0.009, 0.004, 0.019, 0.071),
    ]
)
"""How far cues stray at least: about an eighth of their spread on drawn sheets."""


def cues(pictures: np.ndarray, known: np.ndarray, sure: np.ndarray, white: float) -> np.ndarray:
    """What tells of tracing in single letters, (n, 22): blur and darkness beyond the print, what is left, colors.

    The last seven go by the lines around the letter: their blur, their gain, how telling they are, `as_blurred`.

    Args:
        pictures: (n, SIDE, SIDE, 3) uint8, the light taken off.
        known: (n, SIDE, SIDE) uint8, the letters' print.
        sure: (n,) how sure that is; 0 where it is not known: then the cues are 0.
        white: what bare paper is in the pictures.
    """
    gray = np.stack([cv2.cvtColor(p, cv2.COLOR_BGR2GRAY) for p in pictures])
    seen, model = (np.clip(1 - g.astype(np.float32) / np.float32(white), 0, 1) for g in (gray, known))
    found = match(seen, model)
    inner = (slice(None), slice(EDGE, -EDGE), slice(EDGE, -EDGE))
    near = np.stack([cv2.GaussianBlur(m, (0, 0), 3.0) for m in model])[inner]
    dark = model[inner]
    counts = np.clip(near / np.maximum(near.max((1, 2), keepdims=True), 0.02) * 3 - 0.4, 0, 1)
    core = (dark > 0.5 * dark.max((1, 2), keepdims=True)).astype(np.float32)
    rim = np.clip(counts - core, 0, 1)
    color = 1 - pictures[inner].astype(np.float32) / np.float32(white)
    shade, hue = color.mean(3), color.max(3) - color.min(3)
    rest = found.rest[inner]
    calm = np.stack([cv2.GaussianBlur(r, (0, 0), 1.5) for r in found.rest])[inner]
    ink = (counts * dark).sum((1, 2)) + 0.3

    def mean(what: np.ndarray, where: np.ndarray) -> np.ndarray:
        return (what * where).sum((1, 2)) / (where.sum((1, 2)) + 1)

    around = lines(seen, model)
    out = np.stack(
        [
            found.blur * 0.25, np.log(found.gain),
            (counts * np.maximum(rest, 0)).sum((1, 2)) / ink, (counts * np.maximum(-rest, 0)).sum((1, 2)) / ink,
            np.sqrt(mean(rest * rest, counts)),
            mean(shade, core), mean(dark, core), mean(shade, rim), mean(dark, rim), mean(hue, core), mean(hue, rim),
            mean(np.maximum(rest, 0), rim), mean(rest, core), np.sqrt(mean(calm * calm, counts)),
            mean(np.maximum(calm, 0), rim),
            around.blur, np.log(around.gain), np.minimum(around.telling, TELLING),
            *as_blurred(seen, model, around.blur).T,
        ], 1,
    )  # fmt: skip
    out[sure <= 0] = 0
    return out


def among_sisters(single: np.ndarray, sure: np.ndarray, first: np.ndarray, passage: np.ndarray) -> np.ndarray:
    """All that the judge sees of a photo's letters, (n, 70).

    Args:
        single: (n, 22) cues.
        sure: (n,) how sure the print is.
        first: (n, 2) log odds of the first look: traced, gate.
        passage: (n,) bool, in a circle.
    """
    first = np.clip(first, -SUREST, SUREST)
    weights = (sure > 0) / (1 + np.exp(first[:, 0])) + 1e-3
    usual = _middle(single, weights)
    spread = 1.5 * _middle(np.abs(single - usual), weights)
    bounded = np.minimum((single - usual) ** 2, (3 * spread + 2 * FLOORS) ** 2)
    deviation = np.sqrt((weights[:, None] * bounded).sum(0) / weights.sum())
    strange = np.clip((single - usual) / (0.5 * spread + 0.5 * deviation + FLOORS), -FAR, FAR)
    strange[sure <= 0] = 0
    rough = np.broadcast_to(np.log((spread + deviation + FLOORS) / FLOORS), strange.shape)
    return np.concatenate([first, sure[:, None], passage[:, None], single, strange, rough], 1).astype(np.float32)


def _middle(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The weighted median of each column."""
    order = np.argsort(values, 0)
    half = (np.cumsum(weights[order], 0) >= 0.5 * weights.sum()).argmax(0)
    return np.take_along_axis(values, np.take_along_axis(order, half[None], 0), 0)[0]


def decide(features: np.ndarray) -> np.ndarray:
    """The judge's log odds, (n, 2): traced, gate; the mean of several judges that were trained alike."""
    return np.mean([_judged(weights, features) for weights in _weights()], 0)


@cache
def _weights() -> tuple[Mapping[str, np.ndarray], ...]:
    with np.load(MODELS / "beside.npz") as file:
        judges = int(file["judges"])
        return tuple({k.split("/")[1]: file[k] for k in file.files if k.startswith(f"{j}/")} for j in range(judges))


def _judged(net: Mapping[str, np.ndarray], features: np.ndarray) -> np.ndarray:
    middle, spread = net["n"]
    x = np.clip((features - middle) / spread, -5, 5)
    f = _layer(net, "a.0", x)
    f = _layer(net, "b.0", _held(net, "w1", f))
    f = _layer(net, "c.0", _held(net, "w2", f))
    out: np.ndarray = f @ net["o.weight"].T + net["o.bias"] + x[:, :2] * spread[:2] + middle[:2]
    return out


def _layer(net: Mapping[str, np.ndarray], name: str, x: np.ndarray) -> np.ndarray:
    return np.maximum(x @ net[f"{name}.weight"].T + net[f"{name}.bias"], 0)


def _held(net: Mapping[str, np.ndarray], name: str, f: np.ndarray) -> np.ndarray:
    """Each letter beside the mean of those that say of themselves that they count."""
    w = np.exp(np.clip(f @ net[f"{name}.weight"].T + net[f"{name}.bias"], -6, 6))
    usual = (w * f).sum(0) / w.sum()
    spread = (w * (f - usual) ** 2).sum(0) / w.sum()
    return np.concatenate([f, f - usual, (f - usual) / np.sqrt(spread + 0.05)], 1)
