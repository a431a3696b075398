"""Which of several faces lies at a place: only where they differ is compared, in the light of the rest of the card."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.cards.compare import Bank, over_channels


@dataclass(frozen=True)
class IdentifySettings:
    """How faces that are much alike are told apart in detail."""

    field_mm: float = 16.0  # side of the window in which light is taken as even
    near_mm: float = 12.0  # the same where faces are told apart: each is given the light that suits it best
    plain: float = 20.0  # grey levels: what varies less says nothing about the light's strength
    blurs: tuple[float, ...] = (0.0, 0.5, 0.8, 1.2, 1.7, 2.4)
    """Blurs of the picture that are tried, in pixels of the face."""
    most_off: float = 12.0
    """A pixel's squared deviation counts no more than this, in variances: what covers a card says nothing of it."""
    rim_mm: float = 2.0
    """Millimetres along a card's edge where nothing is compared: the table on which it was learnt may show there."""
    slight: float = 20.0  # grey levels by which faces may differ where a pixel still tells of the light
    outlying: float = 3 * 40.0**2  # squared deviation of a pixel, all channels, above which it says nothing of the blur
    closest: int = 5
    """Faces that are each given a light of their own: those that come closest in the light of the whole card."""
    a_mm2: float = 3.5
    """How much (natural logarithm of odds) a square millimetre of print in sight by which two faces differ can tell."""
    aside: float = 0.5  # pixels by which faces may be cut aside of one another
    settle_mm: float = (
        7.0  # side of the window in which a face is laid on its print once more: cards are not quite flat
    )
    most_settled: float = 1.0  # millimetres by which that moves it, at most
    stiff: float = 30.0  # squared slope of print that moves it by half of what it asks for
    together: float = 0.024
    """How many independent pixels a pixel counts for, where the face is no finer than the picture: neighbours err
    together."""
    cross: float = 15.0  # grey levels by which colors must vary on a card to tell how a camera mixes them


SETTINGS = IdentifySettings()
DIFFERENT = 25.0
"""Grey levels by which two faces are of different print, not in different light."""


@dataclass(frozen=True)
class Verdict:
    """The faces tried, the most likely first, and the logarithms of their likelihoods, the best one's 0."""

    faces: tuple[int, ...]
    logs: np.ndarray


def light(
    patch: np.ndarray,
    face: np.ndarray,
    weight: np.ndarray,
    window: int,
    plain: float = SETTINGS.plain,
    whole_color: bool = False,
) -> tuple[np.ndarray, np.ndarray]:
    """How the light makes a picture of a face: gain and offset, (h, w, 3) each, smooth.

    What varies by less than `plain` grey levels within the window takes the gain of the whole. Measured at every
    second pixel of every second row: light is smooth. `whole_color`: it has one color, that of the patch.
    """
    size = patch.shape[1::-1]
    f, p, w = (np.ascontiguousarray(x[::2, ::2]) for x in (face, patch, weight))
    k = (window // 2 | 1, window // 2 | 1)
    wf = w[..., None] * f
    total = cv2.blur(w, k, borderType=cv2.BORDER_REFLECT)[..., None] + 1e-4
    mf, mp, ff, fp = (
        cv2.blur(x, k, borderType=cv2.BORDER_REFLECT) / total for x in (wf, w[..., None] * p, wf * f, wf * p)
    )
    var, cov = np.maximum(ff - mf**2, 0), fp - mf * mp
    if whole_color:
        var, cov, mf, mp = (np.repeat(x.mean(2, keepdims=True), 3, 2) for x in (var, cov, mf, mp))
    w = w[..., None]
    whole = np.clip((w * cov).sum((0, 1)) / np.maximum((w * var).sum((0, 1)), 1e-3), 0.05, 3.0)
    gain = np.clip((cov + plain**2 * whole) / (var + plain**2), 0.3 * whole, 2.5 * whole)
    gain, offset = (cv2.resize(x, size, interpolation=cv2.INTER_LINEAR) for x in (gain, mp - gain * mf))
    return gain, offset


def variation(bank: Bank, faces: Sequence[int], level: int) -> np.ndarray:
    """(h, w): by how many grey levels the first face differs from any of the others, but for the rim."""
    shown = bank.faces(level)
    apart = np.max([cv2.absdiff(shown[k], shown[faces[0]]) for k in faces], axis=0)
    vary = np.maximum(np.maximum(apart[..., 0], apart[..., 1]), apart[..., 2])
    vary = cv2.dilate(cv2.GaussianBlur(vary, (0, 0), 0.7), np.ones((3, 3)))
    return _within(bank, vary, level)


def _within(bank: Bank, picture: np.ndarray, level: int) -> np.ndarray:
    """A picture (h, w) of a face, 0 along its rim."""
    rim = round(SETTINGS.rim_mm * bank.levels[level])
    inner = np.zeros_like(picture)
    inner[rim:-rim, rim:-rim] = picture[rim:-rim, rim:-rim]
    return inner


def identify(
    bank: Bank, patch: np.ndarray, faces: list[int], level: int, seen: np.ndarray, dense: float = np.inf
) -> Verdict:
    """Tell which face a patch shows.

    Args:
        bank: the faces.
        patch: (h, w, 3) float32, what lies there, exactly aligned.
        faces: those that it may be, the likeliest first.
        level: of the bank.
        seen: (h, w) 0 to 1, where nothing covers the card.
        dense: pixels of the picture per millimetre from which the patch was taken.
    """
    if len(faces) == 1:
        return Verdict((faces[0],), np.zeros(1))
    window, near = (int(mm * bank.levels[level]) | 1 for mm in (SETTINGS.field_mm, SETTINGS.near_mm))
    all_faces = bank.faces(level)
    told = seen * (variation(bank, faces, level) > DIFFERENT)
    # What tells of the light is what the likeliest have in common: a large family may have nothing.
    vary = variation(bank, faces[: SETTINGS.closest + 1], level)
    if not told.any():
        return Verdict(tuple(faces), np.zeros(len(faces)))
    first = all_faces[faces[0]]
    agreed = np.ones_like(seen)
    mixed = np.eye(4, 3, dtype=np.float32)
    for _ in range(3):
        common = (seen * agreed / (1 + (vary / SETTINGS.slight) ** 2)).astype(np.float32)
        mixed = mixed_colors(first, patch, common)
        colored = in_colors(first, mixed)
        gain, offset = light(patch, colored, common, window)
        off = cv2.blur(over_channels((patch - gain * colored - offset) ** 2), (5, 5))
        usual = float(np.median(off[common > 0.3])) if (common > 0.3).any() else 300.0
        agreed = 1 / (1 + off / (4 * usual + 1)) ** 2
    common = (seen * agreed / (1 + (vary / SETTINGS.slight) ** 2)).astype(np.float32)
    misfits = [_misfit(patch, gain * _soft(colored, width) + offset, common) for width in SETTINGS.blurs]
    best = int(np.argmin(misfits))
    settle, most = int(SETTINGS.settle_mm * bank.levels[level]) | 1, SETTINGS.most_settled * bank.levels[level]
    made, where = _settled(gain * _soft(colored, SETTINGS.blurs[best]) + offset, patch, common, settle, most)
    noise, jitter = _noise(over_channels((patch - made) ** 2) / 3, _steep(made), common)
    # Only around what differs: the rest of the card has told what light and noise are like.
    rows, cols = np.nonzero(told.any(1))[0], np.nonzero(told.any(0))[0]
    part = (slice(max(0, rows[0] - near), rows[-1] + near), slice(max(0, cols[0] - near), cols[-1] + near))
    sure = (seen * np.where(vary > DIFFERENT, 1.0, agreed)).astype(np.float32)[part]
    here, told = patch[part], told[part]
    counts = 1.5 * SETTINGS.together * min(1.0, (dense / bank.levels[level]) ** 2)

    def logs_of(laid: Sequence[np.ndarray]) -> np.ndarray:
        """How likely the patch shows each of the faces, each in its light."""
        variance = noise + jitter * np.max([_steep(one) for one in laid], axis=0)
        far = (np.minimum(over_channels((here - one) ** 2) / 3 / variance, 4 * SETTINGS.most_off) for one in laid)
        return np.array([-counts * (np.minimum(cv2.blur(x, (3, 3)), SETTINGS.most_off) * told).sum() for x in far])

    low = np.array([part[1].start, part[0].start], np.float32)
    shown = [_soft(in_colors(all_faces[k][part], mixed), SETTINGS.blurs[best]) for k in faces]
    laid_so = [_taken_from(gain[part] * f + offset[part], where[part] - low) for f in shown]
    likely = np.argsort(-logs_of(laid_so), kind="stable")[: SETTINGS.closest]
    # How blurred a picture is the rest of a card hardly tells: each face may be as blurred as suits it, or nearly so.
    widths = SETTINGS.blurs[max(0, best - 1) : best + 2]
    near_it = []
    for i in likely:
        laid = []
        for width in widths:
            face = _soft(in_colors(all_faces[faces[i]][part], mixed), width)
            own_gain, own_offset = light(here, face, sure, near)
            laid.append(_settled(own_gain * face + own_offset, here, sure, settle, most)[0])
        near_it.append(laid[int(logs_of(laid).argmax())])
    # Two by two, only where those two differ: elsewhere the light may suit the one better than the other.
    a_pixel = bank.size_mm[0] * bank.size_mm[1] / seen.size
    won = np.zeros((len(likely), len(likely)))
    variance = noise + jitter * np.max([_steep(one) for one in near_it], axis=0)
    far = [over_channels((here - one) ** 2) / 3 / variance for one in near_it]
    far = [np.minimum(cv2.blur(np.minimum(x, 4 * SETTINGS.most_off), (3, 3)), SETTINGS.most_off) for x in far]
    for i, one in enumerate(likely):
        for j, other in enumerate(likely[:i]):
            differ = _differ(bank, faces[one], faces[other], level)[part].astype(np.float32)
            most_told = SETTINGS.a_mm2 * a_pixel * float((seen[part] * differ).sum())
            around = seen[part] * cv2.dilate(differ, np.ones((5, 5)))
            won[i, j] = np.clip(counts * float(((far[j] - far[i]) * around).sum()), -most_told, most_told)
            won[j, i] = -won[i, j]
    winner = int((won + np.where(np.eye(len(likely)), np.inf, 0)).min(1).argmax()) if len(likely) > 1 else 0
    logs = -won[winner]
    order = np.argsort(-logs, kind="stable")
    return Verdict(tuple(faces[likely[i]] for i in order), logs[order] - logs[order[0]])


def mixed_colors(face: np.ndarray, patch: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """(4, 3) float32: how a camera mixes a face's colors, and what it adds, as far as a whole card's colors tell.

    `face`, `patch`: (h, w, 3) float32, what a card looks like here and there; `weight` (h, w): where both show the same.
    """
    f, p, w = (cv2.blur(one, (3, 3))[1::3, 1::3] for one in (face, patch, weight))
    f, p, w = f.reshape(-1, 3).astype(np.float64), p.reshape(-1, 3).astype(np.float64), w.reshape(-1, 1)
    total = max(float(w.sum()), 1e-6)
    mean_f, mean_p = (w * f).sum(0) / total, (w * p).sum(0) / total
    f, p = f - mean_f, p - mean_p
    both, own = (w * f).T @ p / total, (w * f).T @ f / total
    alone = np.diag(np.clip(np.diag(both) / np.maximum(np.diag(own), 1.0), 0.05, 3.0))
    stiff = SETTINGS.cross**2 * np.eye(3)
    mix = np.linalg.solve(own + stiff, both + stiff @ alone)
    return np.concatenate([mix, [mean_p - mean_f @ mix]]).astype(np.float32)


def in_colors(face: np.ndarray, mixed: np.ndarray) -> np.ndarray:
    """A picture (h, w, 3) float32 in colors mixed so, see `mixed_colors`."""
    return np.asarray(cv2.transform(face, np.ascontiguousarray(mixed.T)))


def _settled(
    made: np.ndarray, patch: np.ndarray, weight: np.ndarray, window: int, most: float
) -> tuple[np.ndarray, np.ndarray]:
    """A face as it should look, (h, w, 3) float32, laid window by window on what lies there: at most so many pixels
    aside; and from which of its pixels each was taken, (h, w, 2)."""
    y, x = (v.astype(np.float32) for v in np.mgrid[: made.shape[0], : made.shape[1]])
    u, v = np.zeros_like(x), np.zeros_like(x)
    out, where = made, np.stack([x, y], -1)
    for _ in range(2):
        gx, gy = (cv2.Sobel(out, cv2.CV_32F, *way, scale=1 / 8) for way in ((1, 0), (0, 1)))
        off = patch - out
        size = over_channels(off * off)
        heavy = weight / (1 + size / SETTINGS.outlying)
        xx, xy, yy, xo, yo = (
            cv2.blur(heavy * over_channels(a * b), (window, window), borderType=cv2.BORDER_REFLECT)
            for a, b in ((gx, gx), (gx, gy), (gy, gy), (gx, off), (gy, off))
        )
        xx, yy = xx + SETTINGS.stiff, yy + SETTINGS.stiff
        det = xx * yy - xy * xy
        u = np.clip(u + (yy * xo - xy * yo) / det, -most, most)
        v = np.clip(v + (xx * yo - xy * xo) / det, -most, most)
        where = np.stack([x + u, y + v], -1)
        out = _taken_from(made, where)
    return out, where


def _taken_from(picture: np.ndarray, where: np.ndarray) -> np.ndarray:
    """A picture (h, w, 3) with each pixel from another of its places, (h, w, 2)."""
    return np.asarray(cv2.remap(picture, where, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))


def _differ(bank: Bank, one: int, other: int, level: int) -> np.ndarray:
    """(h, w) bool: where two faces are of different print, and not only cut a little aside."""
    a, b = (bank.faces(level)[k] for k in (one, other))
    around = np.ones((3, 3), np.uint8)
    steep = np.min([(cv2.dilate(f, around) - cv2.erode(f, around)).max(2) for f in (a, b)], axis=0)
    return _within(bank, np.asarray(cv2.absdiff(a, b).max(2) - SETTINGS.aside * steep > DIFFERENT), level)


def _soft(picture: np.ndarray, blur: float) -> np.ndarray:
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), blur) if blur else picture)


def _misfit(patch: np.ndarray, made: np.ndarray, weight: np.ndarray) -> float:
    return float((np.minimum(over_channels((patch - made) ** 2), SETTINGS.outlying) * weight).sum())


def _steep(picture: np.ndarray) -> np.ndarray:
    gx = cv2.Sobel(picture, cv2.CV_32F, 1, 0, scale=1 / 8)
    gy = cv2.Sobel(picture, cv2.CV_32F, 0, 1, scale=1 / 8)
    return np.asarray(over_channels(gx**2 + gy**2) / 3)


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
