"""Build templates: what each letter of a sheet looks like where nobody traced it.

Whether a letter was traced shows only beside the same letter on other photos of the sheet, or on the blank sheet. Here
crops of one letter from several photos are aligned and their median is taken, untraced ones first, so that what single
players have added drops out.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.ranks import median

Template = tuple[np.ndarray, float]
"""A letter where nobody traced it, (SIDE, SIDE) uint8, aligned with a crop; and the probability that it is untraced."""

MAX_POOLED = 7
"""Crops pooled into one template, at most."""


@dataclass(frozen=True)
class LetterTemplatesSettings:
    """How crops of one letter are aligned, pooled and fitted."""

    shifts: tuple[int, int] = (4, 9)
    """Pixels by which two crops of the same letter are offset at most: as a rule, and beside a sharp fold."""
    distance_cost: float = 0.01  # correlation lost for each pixel of offset, so that a ring does not attract a letter
    blurs: tuple[float, ...] = (0.0, 0.7, 1.0, 1.4, 2.0, 2.8, 4.0)
    """Candidate blurs of a crop relative to its template: standard deviations in pixels."""
    gains: tuple[float, float] = (0.25, 3.0)  # range of a letter's darkness relative to its template's
    plain_step: float = 0.25  # probabilities of being plain that differ by less than half of that rank equal
    circled: float = 0.45
    """Factor of the probability of a circled letter being plain: circles cross letters. One is taken where all are."""


SETTINGS = LetterTemplatesSettings()
DISTANCES = {s: np.hypot(*(np.mgrid[-s : s + 1, -s : s + 1])).astype(np.float32) for s in SETTINGS.shifts}
BORDER = 10
"""Pixels at a crop's edge that are not matched: the cell's lines and the neighbors' marks are there."""


def plainness(traced: np.ndarray, circled: np.ndarray) -> np.ndarray:
    """Probabilities (n,) that letters show nothing but print, of those of being traced and of which are circled."""
    return (1 - traced) * np.where(circled, SETTINGS.circled, 1.0)


def offset(crop: np.ndarray, template: np.ndarray) -> tuple[float, float]:
    """By how many pixels, right and down, a crop's letter is offset from the template's; both (SIDE, SIDE) uint8."""
    # OpenCV matches floats in three quarters of the time.
    crop, template = crop.astype(np.float32), template.astype(np.float32)
    middle = template[BORDER : len(template) - BORDER, BORDER : len(template) - BORDER]
    for shift in SETTINGS.shifts:
        edge = BORDER - shift
        searched = crop[edge : len(crop) - edge, edge : len(crop) - edge]
        score = cv2.matchTemplate(searched, middle, cv2.TM_CCOEFF_NORMED)
        x, y = cv2.minMaxLoc(score - SETTINGS.distance_cost * DISTANCES[shift])[3]
        if 0 < x < 2 * shift and 0 < y < 2 * shift:
            break
    return x + subpixel_peak(score[y], x) - shift, y + subpixel_peak(score[:, x], y) - shift


def subpixel_peak(row: np.ndarray, at: int) -> float:
    """How far from its largest entry a row's true peak is, by the parabola through it and its neighbors."""
    if not 0 < at < len(row) - 1:
        return 0.0
    a, b, c = row[at - 1 : at + 2].tolist()
    curvature = a - 2 * b + c
    return 0.0 if curvature > -1e-6 else max(-0.5, min((a - c) / (2 * curvature), 0.5))


def shifted(crop: np.ndarray, x: float, y: float) -> np.ndarray:
    """The crop moved to the right and down by fractions of pixels."""
    if abs(x) < 0.05 and abs(y) < 0.05:
        return crop
    matrix = np.array([[1, 0, x], [0, 1, y]], np.float32)
    return cv2.warpAffine(crop, matrix, crop.shape[1::-1], flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


def moved_alike(crops: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    """Crops (m, SIDE, SIDE, 3) of cells without a letter, moved as the median of the letters was, `offsets` (n, 2):
    their lines alone do not tell how far."""
    x, y = median(offsets, 0).tolist()
    return np.stack([shifted(crop, x, y) for crop in crops]) if len(crops) else crops


def sharpness(crops: Sequence[np.ndarray]) -> float:
    """The median gradient at the edges of one photo's letters, in gray levels a pixel; (SIDE, SIDE) uint8 each."""
    gradients = []
    for crop in crops:
        soft = cv2.blur(crop[BORDER:-BORDER, BORDER:-BORDER], (3, 3)).astype(np.int16)
        gradients.append(max(np.abs(soft[2:] - soft[:-2]).max(), np.abs(soft[:, 2:] - soft[:, :-2]).max()) / 2)
    return float(np.median(gradients)) if gradients else 0.0


def ranked(plain: Sequence[float], sharp: Sequence[float]) -> list[int]:
    """Indices of a letter's crops, the best for a template first: plain ones, of these the sharper."""
    return sorted(range(len(plain)), key=lambda k: (-round(plain[k] / SETTINGS.plain_step), -sharp[k]))


def pooled_median(
    crops: Sequence[np.ndarray], plain: Sequence[float], sharp: Sequence[float]
) -> tuple[np.ndarray, float]:
    """The pixelwise median of the best aligned crops of a letter, and how likely it shows plain print.

    Args:
        crops: (SIDE, SIDE) uint8 each, at least one.
        plain: probability that each shows nothing but print; the `MAX_POOLED` best count.
        sharp: sharpness of each one's photo, which ranks crops about as plain: pale and blurred letters seem plainest.
    """
    order = ranked(plain, sharp)
    count = min(MAX_POOLED, sum(p >= 0.5 for p in plain))
    # Of an odd number one is in the middle.
    order = order[: max(1, count - (count + 1) % 2)]
    return median_image([crops[k] for k in order]), float(np.mean([plain[k] for k in order]))


def median_image(crops: Sequence[np.ndarray]) -> np.ndarray:
    """The pixelwise median of an odd number of uint8 pictures, by odd-even sorting."""
    row = list(crops)
    for k in range(len(row)):
        for i in range(k % 2, len(row) - 1, 2):
            row[i], row[i + 1] = cv2.min(row[i], row[i + 1]), cv2.max(row[i], row[i + 1])
    return row[len(row) // 2]


def align_to_plainest(crops: Sequence[np.ndarray], plain: Sequence[float]) -> tuple[list[np.ndarray], np.ndarray]:
    """Align crops of the same letter with the plainest: the shifted crops, and each one's offset [right, down]."""
    best = int(np.argmax(plain))
    offsets = np.array([(0.0, 0.0) if k == best else offset(crop, crops[best]) for k, crop in enumerate(crops)])
    return [shifted(crop, -x, -y) for crop, (x, y) in zip(crops, offsets, strict=True)], offsets


@dataclass(frozen=True)
class TemplateFit:
    """Letters fitted by their templates' blur and gain.

    Attributes:
        residual: (n, SIDE, SIDE) float32 darkness that the template does not explain, negative where it is too dark.
        blur: (n,) pixels of blur added to the template.
        gain: (n,) how many times darker than the template the letter is.
    """

    residual: np.ndarray
    blur: np.ndarray
    gain: np.ndarray


def fit_blur_and_gain(observed: np.ndarray, templates: np.ndarray) -> TemplateFit:
    """Fit each letter by its template, both (n, SIDE, SIDE) float32 darkness: the best candidate blur, and the gain."""
    n, side = len(observed), observed.shape[1]
    row, model = (np.ascontiguousarray(a.transpose(1, 0, 2)).reshape(side, n * side) for a in (observed, templates))

    def middles(strip: np.ndarray) -> np.ndarray:
        return strip.reshape(side, n, side)[BORDER - 2 : 2 - BORDER, :, BORDER - 2 : 2 - BORDER]

    # Pixels on the letter and close to it count.
    near = middles(cv2.GaussianBlur(model, (0, 0), 3.0))
    weight = np.clip(near / np.maximum(near.max((0, 2), keepdims=True), 0.02) * 3 - 0.4, 0, 1)
    weighted = weight * middles(row)
    candidates = [model, *(cv2.GaussianBlur(model, (0, 0), blur) for blur in SETTINGS.blurs[1:])]
    gains, explained = [], []
    for candidate in candidates:
        made = middles(candidate)
        dot, power = np.einsum("ynx,ynx->n", weighted, made), np.einsum("ynx,ynx,ynx->n", weight, made, made)
        gain = np.clip(dot / (power + 0.05), *SETTINGS.gains)
        gains.append(gain)
        explained.append(2 * gain * dot - gain * gain * power)
    best = np.argmax(explained, 0)
    gain = np.array(gains)[best, np.arange(n)].astype(np.float32)
    fitted = np.stack([candidates[k][:, i * side : (i + 1) * side] for i, k in enumerate(best)])
    return TemplateFit(observed - gain[:, None, None] * fitted, np.array(SETTINGS.blurs, np.float32)[best], gain)


@dataclass(frozen=True)
class LetterSample:
    """One letter on one photo: its gray crop (SIDE, SIDE) uint8, and the probability that it is plain print."""

    crop: np.ndarray
    plain: float


def templates_from_others(
    photos: Sequence[Mapping[str, LetterSample]], first: int | None = None
) -> list[dict[str, Template]]:
    """For each photo, or the first ones, its letters' templates, pooled from the other photos.

    A letter that no other photo shows is left out.
    """
    asked = range(len(photos) if first is None else first)
    sharp = [sharpness([sample.crop for sample in photo.values()]) for photo in photos]
    out: list[dict[str, Template]] = [{} for _ in asked]
    for letter in sorted(set().union(*photos)):
        having = [k for k, photo in enumerate(photos) if letter in photo]
        if len(having) < 2 or having[0] not in asked:
            continue
        plain = [photos[k][letter].plain for k in having]
        aligned, offsets = align_to_plainest([photos[k][letter].crop for k in having], plain)
        order = ranked(plain, [sharp[k] for k in having])[: MAX_POOLED + 1]
        for i, k in enumerate(having):
            if k not in asked:
                continue
            others = [j for j in order if j != i]
            template, likely_plain = pooled_median(
                [aligned[j] for j in others], [plain[j] for j in others], [sharp[having[j]] for j in others]
            )
            out[k][letter] = shifted(template, *offsets[i]), likely_plain
    return out
