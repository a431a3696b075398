"""What the letters of a sheet look like where nobody traced them.

A letter alone does not tell whether a hand has gone over it: the same letter on other photos of the same sheet does,
or on the blank sheet's. Here pictures of one letter (`letter_classifier` cuts them) are laid over each other and
pooled, the surest first, so that what single hands have added falls out.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

MOST = 7
"""Pictures pooled for one letter."""


@dataclass(frozen=True)
class LetterTemplatesSettings:
    """How a letter is laid on its print."""

    shifts: tuple[int, int] = (4, 9)
    """Pixels by which two pictures of the same letter mostly lie apart at most, and beside a sharp fold."""
    far: float = 0.01  # what a pixel apart costs in likeness, so that a ring does not draw a letter away
    blurs: tuple[float, ...] = (0.0, 0.7, 1.0, 1.4, 2.0, 2.8, 4.0)
    """Pixels of blur that a picture may have more than its print."""
    gains: tuple[float, float] = (0.25, 3.0)  # how many times darker than its print a letter may be
    likely: float = 0.25  # chances to be plain that lie nearer together count as equal
    under_a_circle: float = 0.45
    """How much less a letter in a circle counts as plain. One is taken where all have one: circles cross letters."""


SETTINGS = LetterTemplatesSettings()
AWAY = {s: np.hypot(*(np.mgrid[-s : s + 1, -s : s + 1])).astype(np.float32) for s in SETTINGS.shifts}
RIM = 10
"""Pixels at a picture's edge that do not say where the letter lies: the cell's lines are there, and the neighbors'."""


def plainness(traced: np.ndarray, passage: np.ndarray) -> np.ndarray:
    """How likely letters show nothing but print, (n,): by how likely they are traced, and which lie in a circle."""
    return (1 - traced) * np.where(passage, SETTINGS.under_a_circle, 1.0)


def apart(picture: np.ndarray, model: np.ndarray) -> tuple[float, float]:
    """How far right and down of the model's letter the picture's lies, in parts of pixels; both (SIDE, SIDE) uint8."""
    # OpenCV matches floats in three quarters of the time.
    picture, model = picture.astype(np.float32), model.astype(np.float32)
    middle = model[RIM : len(model) - RIM, RIM : len(model) - RIM]
    for shift in SETTINGS.shifts:
        near = RIM - shift
        part = picture[near : len(picture) - near, near : len(picture) - near]
        score = cv2.matchTemplate(part, middle, cv2.TM_CCOEFF_NORMED)
        x, y = cv2.minMaxLoc(score - SETTINGS.far * AWAY[shift])[3]
        if 0 < x < 2 * shift and 0 < y < 2 * shift:
            break
    return x + peak(score[y], x) - shift, y + peak(score[:, x], y) - shift


def peak(row: np.ndarray, at: int) -> float:
    """How far from its largest entry a row's true peak lies, by the parabola through it and its neighbors."""
    if not 0 < at < len(row) - 1:
        return 0.0
    a, b, c = row[at - 1 : at + 2].tolist()
    bend = a - 2 * b + c
    return 0.0 if bend > -1e-6 else max(-0.5, min((a - c) / (2 * bend), 0.5))


def moved(picture: np.ndarray, x: float, y: float) -> np.ndarray:
    """The picture moved to the right and down by parts of pixels."""
    if abs(x) < 0.05 and abs(y) < 0.05:
        return picture
    way = np.array([[1, 0, x], [0, 1, y]], np.float32)
    return cv2.warpAffine(picture, way, picture.shape[1::-1], flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


def sharpness(pictures: Sequence[np.ndarray]) -> float:
    """How steep the edges of a photo's letters are, in shades a pixel; (SIDE, SIDE) uint8 each."""
    steep = []
    for picture in pictures:
        soft = cv2.blur(picture[RIM:-RIM, RIM:-RIM], (3, 3)).astype(np.int16)
        steep.append(max(np.abs(soft[2:] - soft[:-2]).max(), np.abs(soft[:, 2:] - soft[:, :-2]).max()) / 2)
    return float(np.median(steep)) if steep else 0.0


def ranked(plain: Sequence[float], sharp: Sequence[float]) -> list[int]:
    """Pictures of a letter, the most telling first: plain ones, of these the sharper."""
    return sorted(range(len(plain)), key=lambda k: (-round(plain[k] / SETTINGS.likely), -sharp[k]))


def pooled(pictures: Sequence[np.ndarray], plain: Sequence[float], sharp: Sequence[float]) -> tuple[np.ndarray, float]:
    """The median, pixel by pixel, of pictures that lie over each other, and how surely it shows plain print.

    Args:
        pictures: (SIDE, SIDE) uint8 each, at least one.
        plain: how likely each shows nothing but print, 0 to 1; the `MOST` likeliest count.
        sharp: of each one's photo; of pictures about as likely the sharper count. The surest letters of all are
            pale and blurred ones.
    """
    order = ranked(plain, sharp)
    sure = sum(p >= 0.5 for p in plain)
    # Of an odd number one is in the middle.
    order = order[: max(1, min(MOST, sure) - (min(MOST, sure) + 1) % 2)]
    return middle([pictures[k] for k in order]), float(np.mean([plain[k] for k in order]))


def middle(pictures: Sequence[np.ndarray]) -> np.ndarray:
    """The median, pixel by pixel, of an odd number of uint8 pictures: some passes of sorting neighbors."""
    row = list(pictures)
    for k in range(len(row)):
        for i in range(k % 2, len(row) - 1, 2):
            row[i], row[i + 1] = cv2.min(row[i], row[i + 1]), cv2.max(row[i], row[i + 1])
    return row[len(row) // 2]


def together(pictures: Sequence[np.ndarray], plain: Sequence[float]) -> tuple[list[np.ndarray], np.ndarray]:
    """Lay pictures of the same letter over the plainest: the moved pictures, and how far each was [right, down]."""
    best = int(np.argmax(plain))
    ways = np.array([(0.0, 0.0) if k == best else apart(p, pictures[best]) for k, p in enumerate(pictures)])
    return [moved(p, -x, -y) for p, (x, y) in zip(pictures, ways, strict=True)], ways


@dataclass(frozen=True)
class Match:
    """Pictures explained by their print, made as blurred and as dark as they are.

    Attributes:
        rest: (n, SIDE, SIDE) float32 darkness that the print does not explain, below 0 where it promises too much.
        blur: (n,) pixels of blur that the print lacked.
        gain: (n,) how many times darker than the print the letter is.
    """

    rest: np.ndarray
    blur: np.ndarray
    gain: np.ndarray


def match(pictures: np.ndarray, known: np.ndarray) -> Match:
    """Explain letters by their print, both (n, SIDE, SIDE) float32 darkness; each letter by itself."""
    n, side = len(pictures), pictures.shape[1]
    seen, model = (np.ascontiguousarray(a.transpose(1, 0, 2)).reshape(side, n * side) for a in (pictures, known))

    def middles(strip: np.ndarray) -> np.ndarray:
        return strip.reshape(side, n, side)[RIM - 2 : 2 - RIM, :, RIM - 2 : 2 - RIM]

    # What counts is the letter and what lies close to it.
    near = middles(cv2.GaussianBlur(model, (0, 0), 3.0))
    counts = np.clip(near / np.maximum(near.max((0, 2), keepdims=True), 0.02) * 3 - 0.4, 0, 1)
    want = counts * middles(seen)
    ways = [model, *(cv2.GaussianBlur(model, (0, 0), blur) for blur in SETTINGS.blurs[1:])]
    gains, gained = [], []
    for way in ways:
        made = middles(way)
        fits, power = np.einsum("ynx,ynx->n", want, made), np.einsum("ynx,ynx,ynx->n", counts, made, made)
        gain = np.clip(fits / (power + 0.05), *SETTINGS.gains)
        gains.append(gain)
        gained.append(2 * gain * fits - gain * gain * power)
    best = np.argmax(gained, 0)
    gain = np.array(gains)[best, np.arange(n)].astype(np.float32)
    made = np.stack([ways[k][:, i * side : (i + 1) * side] for i, k in enumerate(best)])
    return Match(pictures - gain[:, None, None] * made, np.array(SETTINGS.blurs, np.float32)[best], gain)


@dataclass(frozen=True)
class Look:
    """How one letter looks on one photo: its gray picture (SIDE, SIDE) uint8, and how likely that is plain print."""

    picture: np.ndarray
    plain: float


def laid(letter: np.ndarray, look: Look) -> tuple[np.ndarray, float]:
    """A letter's print as another photo shows it, lying as `letter` does, (SIDE, SIDE) uint8; and how sure that is."""
    return moved(look.picture, *apart(letter, look.picture)), look.plain


def prints(photos: Sequence[Mapping[str, Look]], first: int | None = None) -> list[dict[str, tuple[np.ndarray, float]]]:
    """For each photo, or the first ones, what its letters look like on the others, lying as on this one, and how surely
    that is plain.

    A letter that no other photo shows is left out.
    """
    asked = range(len(photos) if first is None else first)
    sharp = [sharpness([look.picture for look in photo.values()]) for photo in photos]
    out: list[dict[str, tuple[np.ndarray, float]]] = [{} for _ in asked]
    for letter in sorted(set().union(*photos)):
        having = [k for k, photo in enumerate(photos) if letter in photo]
        if len(having) < 2 or having[0] not in asked:
            continue
        plain = [photos[k][letter].plain for k in having]
        lie, ways = together([photos[k][letter].picture for k in having], plain)
        order = ranked(plain, [sharp[k] for k in having])[: MOST + 1]
        for i, k in enumerate(having):
            if k not in asked:
                continue
            others = [j for j in order if j != i]
            picture, sure = pooled(
                [lie[j] for j in others], [plain[j] for j in others], [sharp[having[j]] for j in others]
            )
            out[k][letter] = moved(picture, *ways[i]), sure
    return out
