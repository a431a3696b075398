"""Which faces of a deck show one picture and differ in some print only: the deck itself tells."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.cards.compare import Bank, align, likeness, mean_color, strongest, tint
from vision.cards.identify import DIFFERENT, in_colors, mixed_colors, within_rim


@dataclass(frozen=True)
class FamiliesSettings:
    """When two faces, however they were cut out, are compared, and show one picture."""

    shift_mm: float = 9.0  # how far two faces of one picture may be shifted, by how they were cut
    worth_a_look: float = 0.25  # how alike, -1 to 1, faces must be as a whole, where they fit best
    most_looks: int = 3  # pairs of faces of two groups that are looked at
    same_cell: float = 0.7  # how alike, 0 to 1, cells of two faces are that show the same
    one_picture: tuple[float, float] = (0.25, 0.7)
    """Share of the cells with print in which faces of one picture agree: somewhere between, as the deck tells."""
    same_hue: float = 0.05
    """The logarithm of a ratio between channels by which faces of one picture may differ: else their hue tells them."""
    near_light: float = 0.15  # the same where two photos were taken in light that is not much unlike
    other_light: float = 0.4  # the same where two photos were taken in unlike light, or by unlike cameras
    as_in_one_photo: float = 0.9
    """Share of their print in which faces of a hue agree from photo to photo, in parts of what they do at least within
    one: thin lines in another hue hardly change a card's color, and agree less."""
    same_shift: float = 0.1  # by how much two hues may be shifted otherwise from photo to photo: saturation differs too
    same_print: float = 0.4
    """How unlike two cards of the same print are, at most, in parts of how unlike the one is to its nearest sister."""
    least_print_mm2: float = 0.5  # square millimetres by which sisters differ, at least, that tell by their print
    most_compared: int = 3  # cards of a hue whose print is looked for among those of another
    most_faces: float = 0.45  # share of the deck that shows what is common to its pictures, and tells none of them
    own_picture: float = 0.25  # share of a face's print, in the deck's median, beside what most faces show, at least
    least_same: int = 8  # cells in which they do, at least


SETTINGS = FamiliesSettings()


@dataclass(frozen=True)
class Family:
    """Faces that show one picture, the first of them the one from which all others were reached.

    `to_card`: for each, (3, 3) from millimetres of the first face to its own.
    """

    faces: tuple[int, ...]
    to_card: tuple[np.ndarray, ...]


@dataclass(frozen=True)
class _Link:
    """Two faces, the share of their print in which they agree, millimetres of the one to the other's (3, 3), and by how
    much the second one's hue differs, see `tint`."""

    a: int
    b: int
    share: float
    to_b: np.ndarray
    tint: np.ndarray

    @property
    def other_hue(self) -> bool:
        """Whether the two, in one light, are of unlike hue."""
        return bool(np.abs(self.tint).max() > SETTINGS.same_hue)


def families(bank: Bank, photos: Sequence[int] | None = None) -> list[Family]:
    """All families of the faces of a size; a face that has no sister is a family of its own.

    `photos`: of each face which photo it was cut from; None: all are lit alike.

    Faces are linked from the likeliest pair on. How much linked faces share when they show one picture, and how much
    when they do not, differs from deck to deck: the widest gap tells them apart.
    """
    photos = [0] * len(bank.pictures) if photos is None else photos
    like, shift = _as_a_whole(bank)
    links = _good(bank, like, shift, photos)
    good = [link for link in links if photos[link.a] == photos[link.b] and not link.other_hue]
    good += _of_one_hue(bank, links, good, photos, shift)
    out, left = [], set(range(len(bank.pictures)))
    while left:
        start = max(sorted(left), key=lambda k: sum(link.share for link in good if k in (link.a, link.b)))
        to_card = {start: np.eye(3)}
        while True:
            more = {
                there: m @ to_card[here]
                for link in good
                for here, there, m in ((link.a, link.b, link.to_b), (link.b, link.a, np.linalg.inv(link.to_b)))
                if here in to_card and there not in to_card
            }
            if not more:
                break
            to_card |= more
        out.append(Family(tuple(to_card), tuple(to_card.values())))
        left -= set(to_card)
    return out


def family_of_each(bank: Bank) -> np.ndarray:
    """(2, K): for each face the lowest number of a face of its family, and the same for those of one picture in
    whatever hue."""
    links = _good(bank, *_as_a_whole(bank), [0] * len(bank.pictures))
    return np.stack([_hanging_together(len(bank.pictures), [link for link in links if hues or not link.other_hue])
                     for hues in (False, True)])  # fmt: skip


def _hanging_together(n: int, links: Sequence[_Link]) -> np.ndarray:
    out = np.arange(n)
    for link in links:
        both = out[link.a], out[link.b]
        out[np.isin(out, both)] = min(both)
    return out


def _of_one_hue(
    bank: Bank, links: Sequence[_Link], near: Sequence[_Link], photos: Sequence[int], shift: np.ndarray
) -> list[_Link]:
    """Those of the links from photo to photo whose faces are of one hue, which each photo shows in a light of its own.

    `near`: the links within photos whose faces are of one hue. What is of several hues in one photo is so in all; two
    hues come from photo to photo by the same difference; they agree about as well as within one; and no two cards are
    of one hue and one print, which is asked where the light of two photos differs much, or the picture comes in several
    hues: small digits are easily taken for one another.
    """
    group = _hanging_together(len(photos), near)
    shown = {int(first): {photos[first]} for first in set(group.tolist())}
    kin = _hanging_together(len(photos), links)
    hues = {(int(kin[k]), photos[k], int(group[k])) for k in range(len(photos))}
    in_hues = {picture for (picture, _), n in Counter((picture, photo) for picture, photo, _ in hues).items() if n > 1}
    ways = [link for link in links if photos[link.a] != photos[link.b]]
    ways = [link for link in ways if np.abs(link.tint).max() < SETTINGS.other_light]
    least = min((link.share for link in near), default=0.0)
    ways = [link for link in ways if link.share > SETTINGS.as_in_one_photo * least]

    def agree(link: _Link) -> int:
        """How many hues come from the one photo to the other as this one does."""
        between = photos[link.a], photos[link.b]
        alike = {
            (group[one.a], group[one.b])
            for one in ways
            for sign in (1, -1)
            if (photos[one.a], photos[one.b])[::sign] == between
            and np.abs(sign * one.tint - link.tint).max() < SETTINGS.same_shift
        }
        return min(len({a for a, _ in alike}), len({b for _, b in alike}))

    out: list[_Link] = []
    for link in sorted(ways, key=lambda link: (-agree(link), float(np.abs(link.tint).max()))):
        one, other = int(group[link.a]), int(group[link.b])
        if one == other or shown[one] & shown[other]:
            continue
        far = np.abs(link.tint).max() > SETTINGS.near_light or kin[link.a] in in_hues
        mine, others = (np.nonzero(group == first)[0].tolist() for first in (one, other))
        if far and _printed_alike(bank, mine, others, shift):
            continue
        shown[one] |= shown.pop(other)
        group[group == other] = one
        out.append(link)
    return out


def _printed_alike(bank: Bank, mine: Sequence[int], others: Sequence[int], shift: np.ndarray) -> bool:
    """Whether cards of one picture in two hues have the same print: the numbers 1 to 8 in red, and in blue."""

    def unlike(a: int, b: int) -> float:
        a, b = min(a, b), max(a, b)
        return _unlike_mm2(bank, a, b, shift[a, b])

    few, many = sorted((mine, others), key=len)
    alike = list[bool]()
    for one in few[: SETTINGS.most_compared]:
        off, nearest = min((unlike(one, other), other) for other in many)
        sisters = [unlike(nearest, sister) for sister in many if sister != nearest]
        usual = min(sisters) if sisters else SETTINGS.least_print_mm2 / SETTINGS.same_print
        alike.append(usual > SETTINGS.least_print_mm2 and off < SETTINGS.same_print * usual)
    return bool(np.mean(alike) > 0.5)


def _good(bank: Bank, like: np.ndarray, shift: np.ndarray, photos: Sequence[int]) -> list[_Link]:
    """The links of faces that show one picture."""
    links = list(_links(bank, like, shift, photos))
    low, high = SETTINGS.one_picture
    shares = np.sort([low, high, *(link.share for link in links if low < link.share < high)])
    widest = int(np.diff(shares).argmax())
    return [link for link in links if link.share > (shares[widest] + shares[widest + 1]) / 2]


def _links(bank: Bank, like: np.ndarray, shift: np.ndarray, photos: Sequence[int]) -> Iterator[_Link]:
    """The pairs by which faces hang together, the likeliest first: no two ways lead from one to another of a hue."""
    common = _common(bank)
    group, looks = list(range(len(like))), dict[tuple[int, int], int]()
    pairs = [(int(a), int(b)) for a, b in zip(*np.triu_indices(len(like), 1), strict=True)]
    pairs = [pair for pair in pairs if like[pair] > SETTINGS.worth_a_look]
    for a, b in sorted(pairs, key=lambda pair: -like[pair]):
        both = min(group[a], group[b]), max(group[a], group[b])
        if both[0] == both[1] or looks.get(both, 0) >= SETTINGS.most_looks:
            continue
        looks[both] = looks.get(both, 0) + 1
        link = _looked_at(bank, a, b, shift[a, b], common)
        if link.share > SETTINGS.one_picture[0]:
            if photos[a] == photos[b] and not link.other_hue:
                group = [both[0] if one == both[1] else one for one in group]
            yield link


def _as_a_whole(bank: Bank) -> tuple[np.ndarray, np.ndarray]:
    """How alike faces are where they fit best, (K, K), and by how many millimetres the second is shifted then."""
    reach = round(SETTINGS.shift_mm * bank.levels[0])
    soft = np.stack([cv2.GaussianBlur(bank.evened(0, k), (0, 0), 1.0) for k in range(len(bank.pictures))])
    soft = soft / (np.sqrt((soft**2).sum((1, 2, 3), keepdims=True)) + 1e-6)
    k, h, w, _ = soft.shape
    high, wide = (cv2.getOptimalDFTSize(side + reach) for side in (h, w))
    waves = np.fft.rfft2(soft.transpose(0, 3, 1, 2), (high, wide)).astype(np.complex64)
    steps = np.arange(-reach, reach + 1)
    # Back from waves to these few steps alone: by whole pictures it takes four times as long.
    down = np.exp(2j * np.pi * np.outer(steps, np.fft.fftfreq(high))).astype(np.complex64)
    across = np.exp(2j * np.pi * np.outer(np.fft.rfftfreq(wide), steps)).astype(np.complex64)
    across[1 : (wide + 1) // 2] *= 2  # the waves that are left out, for they mirror these
    like, shift = np.zeros((k, k)), np.zeros((k, k, 2))
    for i in range(k):
        both = (waves[i:] * waves[i].conj()).sum(1)
        fit = np.tensordot(np.tensordot(both, down, (1, 1)), across, (1, 0)).real / (high * wide)
        best = fit.reshape(k - i, -1).argmax(1)
        y, x = np.unravel_index(best, fit.shape[1:])
        like[i, i:] = fit.reshape(k - i, -1).max(1)
        shift[i, i:] = np.stack([steps[x], steps[y]], 1) / bank.levels[0]
    return like, shift


def _common(bank: Bank) -> np.ndarray:
    """(cells, K) bool: what of a face most faces show: frames, boxes, a rim; nothing where that leaves no picture, for
    then what they share is the picture."""
    cells = bank.cells(0)
    common = (cells @ cells.transpose(0, 2, 1) > SETTINGS.same_cell).mean(2) > SETTINGS.most_faces
    own = (bank.textured & ~common).sum(0) / np.maximum(bank.textured.sum(0), 1)
    return common & (np.median(own) > SETTINGS.own_picture)


def _looked_at(bank: Bank, a: int, b: int, shift_mm: np.ndarray, common: np.ndarray) -> _Link:
    """Lay one face on another."""
    m = _laid_on(bank, a, b, shift_mm)
    like, seen = likeness(bank, bank.pictures[b], m, 0)
    same = (like[:, a] > SETTINGS.same_cell) & (seen > 0.5)
    has = bank.textured[:, a] & (seen > 0.5)
    own = has & ~common[:, a]
    has = own if own.sum() >= SETTINGS.least_same else has
    n = int((same & has).sum())
    share = n / max(int(has.sum()), 1) if n >= SETTINGS.least_same else 0.0
    seen, own = (mean_color(bank, shown, same) for shown in (bank.patch(bank.pictures[b], m, 0)[0], bank.faces(0)[a]))
    return _Link(a, b, share, np.linalg.inv(_to_picture(bank, b)) @ m, tint(seen, own))


def _to_picture(bank: Bank, face: int) -> np.ndarray:
    """(3, 3) from a face's millimetres to the pixels of its picture."""
    h, w = bank.pictures[face].shape[:2]
    return np.array([[w / bank.size_mm[0], 0, w / 2 - 0.5], [0, h / bank.size_mm[1], h / 2 - 0.5], [0, 0, 1]])


def _laid_on(bank: Bank, a: int, b: int, shift_mm: np.ndarray) -> np.ndarray:
    """(3, 3) from the millimetres of one face to the pixels of another's picture, which shows the same."""
    m = _to_picture(bank, b) @ np.array([[1, 0, shift_mm[0]], [0, 1, shift_mm[1]], [0, 0, 1]])
    for level in (0, min(1, len(bank.levels) - 1), len(bank.levels) - 1):
        m = align(bank, bank.pictures[b], m, a, level)
    return m


def _unlike_mm2(bank: Bank, a: int, b: int, shift_mm: np.ndarray) -> float:
    """Square millimetres in which two faces of one picture differ, the colors of the one as the other's photo has
    them."""
    level = len(bank.levels) - 1
    patch, inside = bank.patch(bank.pictures[b], _laid_on(bank, a, b, shift_mm), level)
    face, weight = bank.faces(level)[a], inside.astype(np.float32)
    for _ in range(3):
        made = in_colors(face, mixed_colors(face, patch, weight))
        off = strongest(cv2.GaussianBlur(cv2.absdiff(patch, made), (0, 0), 1.0))
        weight = (inside / (1 + (off / DIFFERENT) ** 2) ** 2).astype(np.float32)
    around = np.ones((5, 5), np.uint8)
    steep = strongest(cv2.dilate(made, around) - cv2.erode(made, around))
    unlike = within_rim(bank, (off - 0.5 * steep > DIFFERENT) & inside, level)
    return float(unlike.sum()) / bank.levels[level] ** 2
