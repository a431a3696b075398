"""Which of several faces lies at a place: only where they differ is compared, in the light of the rest of the card."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from vision.cards.compare import Bank, median, over_channels, strongest


@dataclass(frozen=True)
class IdentifySettings:
    """How faces that are much alike are told apart in detail."""

    field_mm: float = 16.0  # side of the window in which light is taken as even
    near_mm: float = 12.0  # the same where faces are told apart: each is given the light that suits it best
    plain: float = 20.0  # grey levels: what varies less says nothing about the light's strength
    blurs: tuple[float, ...] = (0.0, 0.5, 0.8, 1.2, 1.7, 2.4)
    """Blurs of the picture that are tried, in pixels of the face."""
    sharpened_around: tuple[float, ...] = (1.5, 3.0)
    """How cameras sharpen what they have blurred: by what it has more than itself blurred so, pixels of the face."""
    sharpened_much: tuple[float, ...] = (0.5, 1.0, 1.6)  # and how many times that is added
    clearly: float = 0.95  # part of what did not fit that is left where a camera is held to sharpen
    most_off: float = 12.0
    """A pixel's squared deviation counts no more than this, in variances: what covers a card says nothing of it."""
    rim_mm: float = 2.0
    """Millimetres along a card's edge where nothing is compared: the table on which it was learnt may show there."""
    slight: float = 20.0  # grey levels by which faces may differ where a pixel still tells of the light
    outlying: float = 3 * 40.0**2  # squared deviation of a pixel, all channels, above which it says nothing of the blur
    closest: int = 5
    """Faces that are each given a light of their own: those that come closest in the light of the whole card."""
    hopeless: float = 60.0
    """By how much (natural logarithm of odds) less speaks for a face in the light of the whole card where it is none of
    these."""
    a_mm2: float = 3.5
    """How much (natural logarithm of odds) a square millimetre of print in sight by which two faces differ can tell."""
    aside: float = 0.5  # pixels by which faces may be cut aside of one another
    settle_mm: float = (
        7.0  # side of the window in which a face is laid on its print once more: cards are not quite flat
    )
    most_settled: float = 1.0  # millimetres by which that moves it, at most
    stiff: float = 30.0  # squared slope of print that moves it by half of what it asks for
    together: float = 0.04
    """How many independent pixels a pixel counts for, where the face is no finer than the picture: neighbours err
    together."""
    least_print: int = 30  # pixels that must stand out for it to be told whether other print lies there
    cross: float = 15.0  # grey levels by which colors must vary on a card to tell how a camera mixes them


SETTINGS = IdentifySettings()
DIFFERENT = 25.0
"""Grey levels by which two faces are of different print, not in different light."""


@dataclass(frozen=True)
class Verdict:
    """The faces that it may be, the most likely first, the logarithms of their likelihoods, the best one's 0, and
    that of each other face that was tried, at most."""

    faces: tuple[int, ...]
    logs: np.ndarray
    others: float = -np.inf


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
    vary = cv2.dilate(cv2.GaussianBlur(strongest(apart), (0, 0), 0.7), np.ones((3, 3)))
    return within_rim(bank, vary, level)


def apart_in_print(bank: Bank, one: int, other: int, level: int) -> np.ndarray:
    """(h, w): by how many grey levels two faces differ, but for what being cut a little aside, or less sharp, makes of
    steep print."""
    steep = np.minimum(bank.slope(level, one), bank.slope(level, other))
    apart = strongest(cv2.absdiff(bank.faces(level)[one], bank.faces(level)[other]))
    return within_rim(bank, np.asarray(apart - SETTINGS.aside * steep), level)


def within_rim(bank: Bank, picture: np.ndarray, level: int) -> np.ndarray:
    """A picture (h, w) of a face, 0 along its rim: there the table may show."""
    rim = round(SETTINGS.rim_mm * bank.levels[level])
    inner = np.zeros_like(picture)
    inner[rim:-rim, rim:-rim] = picture[rim:-rim, rim:-rim]
    return inner


def identify(bank: Bank, patch: np.ndarray, faces: list[int], level: int, seen: np.ndarray, dense: float) -> Verdict:
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
    vary = variation(bank, faces, level)
    told = seen * (vary > DIFFERENT)
    if not told.any():
        return Verdict(tuple(faces), np.zeros(len(faces)))
    # All of a large family may have nothing in common.
    few = faces[: SETTINGS.closest + 1]
    taken = _how_taken(bank, patch, faces[0], vary if few == faces else variation(bank, few, level), level, seen)
    # Only around what differs: the rest of the card has told what light and noise are like.
    near = int(SETTINGS.near_mm * bank.levels[level]) | 1
    rows, cols = np.nonzero(told.any(1))[0], np.nonzero(told.any(0))[0]
    part = (slice(max(0, rows[0] - near), rows[-1] + near), slice(max(0, cols[0] - near), cols[-1] + near))
    here, told, seen = patch[part], told[part], seen[part]
    counts = 1.5 * SETTINGS.together * min(1.0, (dense / bank.levels[level]) ** 2)
    colored = [in_colors(bank.faces(level)[k][part], taken.mixed) for k in faces]
    where = taken.where[part] - np.array([part[1].start, part[0].start], np.float32)
    gain, offset, blur = taken.gain[part], taken.offset[part], SETTINGS.blurs[taken.blur]
    laid = [_taken_from(gain * _shown(face, blur, taken.sharp) + offset, where) for face in colored]
    off = _far(here, laid, taken)
    # How sharp a frame is, which all of them have, differs from photo to photo in which they were learnt.
    print_apart = np.max([apart_in_print(bank, faces[0], k, level)[part] for k in faces[1:]], axis=0)
    differ = told * cv2.dilate((print_apart > DIFFERENT).astype(np.float32), np.ones((3, 3)))
    far = np.array([float((one * differ).sum()) for one in off])
    nearest = int(far.argmin())
    # Where two faces are alike, what the one is nearer by is how they were learnt.
    apart = [differ * (strongest(cv2.absdiff(one, laid[nearest])) > DIFFERENT) for one in laid]
    behind = np.array(
        [counts * float(((one - off[nearest]) * told_apart).sum()) for one, told_apart in zip(off, apart, strict=True)]
    )
    likely = [k for k in np.argsort(far, kind="stable")[: SETTINGS.closest] if behind[k] < SETTINGS.hopeless]
    if len(likely) == 1:
        return Verdict((faces[likely[0]],), np.zeros(1), -SETTINGS.hopeless)
    sure = np.where(told > 0, seen, taken.same[part]).astype(np.float32)
    laid = [_as_blurred_as_suits(bank, here, colored[i], sure, told, level, taken) for i in likely]
    won = _two_by_two(bank, [faces[i] for i in likely], _far(here, laid, taken), seen, part, level, counts)
    winner = int((won + np.diag(np.full(len(likely), np.inf))).min(1).argmax())
    logs = -won[winner]
    order = np.argsort(-logs, kind="stable")
    logs = logs[order] - logs[order[0]]
    others = float(logs.min()) if len(likely) == SETTINGS.closest else -SETTINGS.hopeless
    return Verdict(tuple(faces[likely[i]] for i in order), logs, others)


def other_print(bank: Bank, patch: np.ndarray, face: int, level: int, seen: np.ndarray) -> float:
    """Share of what stands out on a card, here or as a face has it, in which the two are unlike, in whatever light: 1
    where other print lies here than the face's, though no face that was compared comes nearer.

    Arguments as those of `identify`, for one face.
    """
    made = _how_taken(bank, patch, face, np.zeros_like(seen), level, seen).made
    field = SETTINGS.near_mm * bank.levels[level]
    apart = np.max([strongest(cv2.absdiff(one, cv2.GaussianBlur(one, (0, 0), field))) for one in (made, patch)], axis=0)
    stands_out = (apart > DIFFERENT) & (within_rim(bank, seen, level) > 0.5)
    if stands_out.sum() < SETTINGS.least_print:
        return 0.0
    return float((cv2.blur(strongest(cv2.absdiff(made, patch)), (3, 3))[stands_out] > DIFFERENT).mean())


@dataclass(frozen=True)
class _Taken:
    """How a camera took a card, as what the likeliest faces have in common tells.

    Attributes:
        made: (h, w, 3) how the likeliest face should look here.
        mixed: (4, 3) see `mixed_colors`.
        gain, offset: (h, w, 3) each, see `light`.
        blur, sharp: which of the blurs suits best, and how the camera sharpened it: None where it did not.
        where: (h, w, 2) from which of a face's pixels each was taken.
        same: (h, w) 0 to 1, how sure a pixel shows what a face does.
        patch, weight: (h, w, 3) and (h, w), what lies there, and how much each pixel told.
    """

    made: np.ndarray
    mixed: np.ndarray
    gain: np.ndarray
    offset: np.ndarray
    blur: int
    sharp: tuple[float, float] | None
    where: np.ndarray
    same: np.ndarray
    patch: np.ndarray
    weight: np.ndarray

    @cached_property
    def noise(self) -> tuple[float, float]:
        """See `_noise`."""
        off = over_channels((self.patch - self.made) ** 2) / 3
        return _noise(off, _steep(self.made), self.weight)


def _how_taken(bank: Bank, patch: np.ndarray, face: int, vary: np.ndarray, level: int, seen: np.ndarray) -> _Taken:
    """`vary` (h, w): by how much the faces that it may be differ, see `variation`."""
    first, window = bank.faces(level)[face], int(SETTINGS.field_mm * bank.levels[level]) | 1
    agreed = np.ones_like(seen)
    common = (seen / (1 + (vary / SETTINGS.slight) ** 2)).astype(np.float32)
    for _ in range(3):
        weight = (common * agreed).astype(np.float32)
        mixed = mixed_colors(first, patch, weight)
        colored = in_colors(first, mixed)
        gain, offset = light(patch, colored, weight, window)
        off = cv2.blur(over_channels((patch - gain * colored - offset) ** 2), (5, 5))
        usual = median(off[weight > 0.3]) if (weight > 0.3).any() else 300.0
        agreed = 1 / (1 + off / (4 * usual + 1)) ** 2
    weight = (common * agreed).astype(np.float32)
    blur, sharp = _as_sharp(patch, colored, gain, offset, weight)
    made, where = _settled(bank, gain * _shown(colored, SETTINGS.blurs[blur], sharp) + offset, patch, weight, level)
    same = seen * np.where(vary > DIFFERENT, 1.0, agreed)
    return _Taken(made, mixed, gain, offset, blur, sharp, where, same, patch, weight)


def _as_sharp(
    patch: np.ndarray, colored: np.ndarray, gain: np.ndarray, offset: np.ndarray, weight: np.ndarray
) -> tuple[int, tuple[float, float] | None]:
    """Which of the blurs suits best, and how the camera sharpened what it saw, if it clearly did."""
    soft = [_soft(colored, width) for width in SETTINGS.blurs]
    off = [patch - offset - gain * one for one in soft]
    squared = [over_channels(one * one) for one in off]

    def misfit(squares: np.ndarray) -> float:
        return float((np.minimum(squares, SETTINGS.outlying) * weight).sum())

    plain = [misfit(one) for one in squared]
    blur = int(np.argmin(plain))
    sharpened = {}
    for i in range(blur, len(soft)):
        for around in SETTINGS.sharpened_around:
            # What is added `much` times changes what is off by so many times this: its square by two pictures alone.
            more = gain * (soft[i] - _soft(soft[i], around))
            both, own = over_channels(off[i] * more), over_channels(more * more)
            for much in SETTINGS.sharpened_much:
                sharpened[i, (around, much)] = misfit(squared[i] - 2 * much * both + much**2 * own)
    best = min(sharpened, key=sharpened.__getitem__)
    return best if sharpened[best] < SETTINGS.clearly * plain[blur] else (blur, None)


def _as_blurred_as_suits(
    bank: Bank, here: np.ndarray, colored: np.ndarray, sure: np.ndarray, told: np.ndarray, level: int, taken: _Taken
) -> np.ndarray:
    """A face (h, w, 3), as it should look here in a light of its own: how blurred a picture is the rest of a card
    hardly tells, so it may be as blurred as suits it, or nearly so."""
    near = int(SETTINGS.near_mm * bank.levels[level]) | 1
    laid, where = [], None
    for width in SETTINGS.blurs[max(0, taken.blur - 1) : taken.blur + 2]:
        face = _shown(colored, width, taken.sharp)
        gain, offset = light(here, face, sure, near)
        made = gain * face + offset
        if where is None:
            made, where = _settled(bank, made, here, sure, level)
        else:
            made = _taken_from(made, where)
        laid.append(made)
    return laid[int(np.argmin([(far * told).sum() for far in _far(here, laid, taken)]))]


def _far(here: np.ndarray, laid: Sequence[np.ndarray], taken: _Taken) -> list[np.ndarray]:
    """How far each pixel (h, w) of each face laid here is from what lies here: squared, in variances."""
    noise, jitter = taken.noise
    variance = noise + jitter * np.max([_steep(one) for one in laid], axis=0)
    far = (over_channels((here - one) ** 2) / 3 / variance for one in laid)
    return [np.minimum(cv2.blur(np.minimum(one, 4 * SETTINGS.most_off), (3, 3)), SETTINGS.most_off) for one in far]


def _two_by_two(
    bank: Bank,
    faces: Sequence[int],
    far: Sequence[np.ndarray],
    seen: np.ndarray,
    part: tuple[slice, slice],
    level: int,
    counts: float,
) -> np.ndarray:
    """(n, n): how much (natural logarithm of odds) speaks for each face against each other one, only where those two
    differ: elsewhere the light may suit the one better than the other."""
    a_pixel = bank.size_mm[0] * bank.size_mm[1] / np.prod(bank.shape(level))
    won = np.zeros((len(faces), len(faces)))
    for i in range(len(faces)):
        for j in range(i):
            differ = (apart_in_print(bank, faces[i], faces[j], level)[part] > DIFFERENT).astype(np.float32)
            most_told = SETTINGS.a_mm2 * a_pixel * float((seen * differ).sum())
            around = seen * cv2.dilate(differ, np.ones((5, 5)))
            won[i, j] = np.clip(counts * float(((far[j] - far[i]) * around).sum()), -most_told, most_told)
            won[j, i] = -won[i, j]
    return won


def mixed_colors(face: np.ndarray, patch: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """(4, 3) float32: how a camera mixes a face's colors, and what it adds, as far as a whole card's colors tell.

    `face`, `patch`: (h, w, 3) float32, what a card looks like here and there; `weight` (h, w): where both show it.
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
    bank: Bank, made: np.ndarray, patch: np.ndarray, weight: np.ndarray, level: int
) -> tuple[np.ndarray, np.ndarray]:
    """A face as it should look, (h, w, 3) float32, laid window by window on what lies there; and from which of its
    pixels each was taken, (h, w, 2)."""
    window, most = int(SETTINGS.settle_mm * bank.levels[level]) | 1, SETTINGS.most_settled * bank.levels[level]
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
    return np.asarray(
        cv2.remap(picture, where[..., 0], where[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    )


def _soft(picture: np.ndarray, blur: float) -> np.ndarray:
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), blur) if blur else picture)


def _more_than(soft: np.ndarray, wide: np.ndarray, much: float) -> np.ndarray:
    """A picture to which is added what it has more than a wider blurred one, so many times."""
    return np.asarray(cv2.addWeighted(soft, 1 + much, wide, -much, 0))


def _shown(picture: np.ndarray, blur: float, sharp: tuple[float, float] | None) -> np.ndarray:
    """A picture as blurred, and then as sharpened (pixels around, how much), as a camera shows it."""
    soft = _soft(picture, blur)
    if sharp is None:
        return soft
    around, much = sharp
    return _more_than(soft, _soft(soft, around), much)


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
    noise = max(median(o[s <= low]) / 0.6, 4.0)
    jitter = median(np.maximum(o[s >= high] - noise, 0) / np.maximum(s[s >= high], 1.0)) / 0.45
    return noise, float(np.clip(jitter, 0.02, 1.5))
