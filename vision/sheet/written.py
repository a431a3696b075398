"""Reading the numbers that players wrote into the sheet's printed boxes: their own sums.

A small network (`vision/weights/numbers.onnx`, its script and figures in `training/NUMBERS.md`) sees one box and says
for each of its 16 columns which digit, minus or nothing ends there; a number's probability is that of all the ways in
which the columns can spell it.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import cv2
import numpy as np

from vision.network import Network, softmax
from vision.sheet.beside_blank import added, laid_on
from vision.sheet.flatten import SheetMap
from vision.sheet.profile import Box

SIZE = (64, 32)
"""Width and height of a box's picture, in pixels."""
AROUND = 1.16
"""Times the box that is shown."""
SYMBOLS = "0123456789-"
NOTHING = len(SYMBOLS)
"""The class of a column in which no symbol ends."""


@dataclass(frozen=True)
class WrittenSettings:
    """When a box is looked at again, and when its number is believed."""

    sure: float = 0.95  # probability below which a number is doubtful
    unplaced: float = 0.5  # probability that a number has at most where nobody knows that its box was found
    aside: float = 0.06  # of a box's height: a doubtful number is looked at again so much higher and lower
    printed: float = 0.1  # darkness within a blank box from which it is looked at without its print as well
    paper: float = 170  # gray level of what the print was taken off
    longest: int = 4  # symbols of a number
    followed: int = 24  # spellings of a doubtful box that are followed from column to column
    least: float = 1e-6  # chance below which a symbol of a column is no part of them
    kept: int = 12  # of these, the likeliest numbers are kept as what else may stand there


SETTINGS = WrittenSettings()


@dataclass(frozen=True)
class WrittenNumber:
    """What stands in a box: `number` (None: nothing), and how likely that is, 0 to 1; of a doubtful one also `chances`,
    those of the likeliest numbers, this one included."""

    number: int | None
    confidence: float
    chances: Mapping[int | None, float] = field(default_factory=dict, compare=False)

    @property
    def doubtful(self) -> bool:
        """Whether a person should look."""
        return self.confidence < SETTINGS.sure

    def to_json(self) -> dict[str, Any]:
        """The public JSON object."""
        return {"number": self.number, "confidence": round(self.confidence, 4), "doubtful": self.doubtful}


def read_numbers(
    image: np.ndarray,
    gray: np.ndarray,
    sheet_map: SheetMap,
    boxes: Sequence[Box],
    told: Sequence[bool],
    blank: np.ndarray | None = None,
) -> tuple[WrittenNumber, ...]:
    """Read the number in each box.

    Args:
        image: (H, W, 3) uint8 BGR photo; `gray`: (H, W), the same.
        sheet_map: where its grid lies.
        boxes: the boxes in grid units.
        told: whether each box's place is known; where it is not, no number is sure.
        blank: the boxes on the blank page, as `box_pictures` cuts them.
    """
    if not boxes:
        return ()
    said = _said(box_pictures(gray, sheet_map, boxes))
    again = [k for k, number in enumerate(said) if number.doubtful]
    if again:
        first = [boxes[k] for k in again]
        moved = [(x, y + way * SETTINGS.aside * h, w, h) for way in (-1, 1) for x, y, w, h in first]
        aside = _said(box_pictures(gray, sheet_map, moved))
        views = [[said[k], *others] for k, *others in zip(again, aside[: len(again)], aside[len(again) :], strict=True)]
        bare = np.ones(len(again), bool) if blank is None else _bare(blank[again])
        if blank is not None and not bare.all():
            off = _said(_unprinted(box_pictures(image, sheet_map, first), blank[again]))
            for k in np.flatnonzero(~bare).tolist():
                views[k].extend(len(views[k]) * [off[k]])
        for k, view in zip(again, views, strict=True):
            said[k] = likeliest(view)
    return tuple(
        n if sure else replace(n, confidence=min(n.confidence, SETTINGS.unplaced))
        for n, sure in zip(said, told, strict=True)
    )


def _bare(blank: np.ndarray) -> np.ndarray:
    """(n,) whether nothing is printed within blank boxes, (n, 32, 64, 3) uint8."""
    inner = np.sort(blank.mean(3)[:, 6:-6, 9:-9].reshape(len(blank), -1), 1)
    darkest, paper = (inner[:, int(share * inner.shape[1])] for share in (0.03, 0.97))
    return np.asarray(1 - darkest / np.maximum(paper, 8) < SETTINGS.printed)


def _unprinted(seen: np.ndarray, blank: np.ndarray) -> np.ndarray:
    """(n, 32, 64) uint8: what was written into boxes, without their print, in the color that shows it best; both
    (n, 32, 64, 3) uint8."""
    more = added(seen, laid_on(seen, blank))
    most = np.sort(np.abs(more).reshape(*more.shape[:2], -1), 2)
    color = int(most[:, :, int(0.97 * most.shape[2])].mean(0).argmax())
    return np.clip((1 - more[:, color]) * SETTINGS.paper, 0, 255).astype(np.uint8)


def likeliest(said: Sequence[WrittenNumber]) -> WrittenNumber:
    """What several views of a box hold likely together: the number with the highest mean probability."""
    likely: dict[int | None, float] = defaultdict(float)
    chances: dict[int | None, float] = defaultdict(float)
    for one in said:
        likely[one.number] += one.confidence / len(said)
        for other, chance in one.chances.items():
            chances[other] += chance / len(said)
    number = max(likely, key=lambda key: likely[key])
    return WrittenNumber(number, likely[number], dict(chances))


def _said(pictures: np.ndarray) -> list[WrittenNumber]:
    """The likeliest number in each box, looked at once: (n, 32, 64) uint8."""
    seen = normalize(pictures)
    odds = NETWORK((seen[:, None] / np.float32(255)).astype(np.float32)).reshape(len(seen), NOTHING + 1, -1)
    return [_spelled(softmax(one.T)) for one in odds]


def box_pictures(image: np.ndarray, sheet_map: SheetMap, boxes: Sequence[Box]) -> np.ndarray:
    """(n, 32, 64) uint8 of a gray photo, (n, 32, 64, 3) of one in colors: the boxes straight from above, cut out of the
    photo itself."""
    width, height = SIZE
    out = np.empty((len(boxes), height, width, *image.shape[2:]), np.uint8)
    x, y, w, h = np.array(boxes, np.float64).T[..., None, None]
    u = x + w / 2 + w * AROUND * ((np.arange(width) + 0.5) / width - 0.5)
    v = y + h / 2 + h * AROUND * ((np.arange(height)[:, None] + 0.5) / height - 0.5)
    places = sheet_map(*np.broadcast_arrays(u, v)).astype(np.float32)
    los = np.clip(np.floor(places.min(1).min(1)) - 2, 0, np.array(image.shape[1::-1]) - 2).astype(int)
    his = np.clip(np.ceil(places.max(1).max(1)) + 3, los + 2, image.shape[1::-1]).astype(int)
    for picture, where, lo, hi in zip(out, places, los, his, strict=True):
        step = float(np.linalg.norm(where[0, -1] - where[0, 0])) / width
        part = image[lo[1] : hi[1], lo[0] : hi[0]]
        # A picture much finer than what is made of it is averaged first.
        part = cv2.GaussianBlur(part, (0, 0), 0.4 * step) if step > 1.5 else part
        where_in = (where - lo).astype(np.float32)
        picture[:] = cv2.remap(part, where_in, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)  # type: ignore[call-overload]
    return out


def normalize(pictures: np.ndarray) -> np.ndarray:
    """(n, 32, 64) uint8 gray to what the network sees: ink bright, paper 0, whatever light falls on them."""
    out = np.empty_like(pictures)
    for made, gray in zip(out, pictures, strict=True):
        paper = cv2.blur(cv2.morphologyEx(gray, cv2.MORPH_CLOSE, np.ones((11, 11), np.uint8)), (9, 9))
        dark = 1 - gray / np.maximum(paper, 4).astype(np.float32)
        inner = np.sort(dark[5:-5, 6:-6].ravel())
        # The boldest of what is written counts as black, but noise does not become ink.
        boldest = max(float(inner[int(0.97 * len(inner))]), 0.08)
        made[:] = np.clip(dark / boldest * 200, 0, 255)
    return out


NETWORK = Network("numbers")


def _spelled(columns: np.ndarray) -> WrittenNumber:
    """The likeliest number of (columns, classes) probabilities."""
    best = columns.argmax(1)
    symbols = [int(k) for k, before in zip(best, [NOTHING, *best[:-1]], strict=True) if k not in (NOTHING, before)]
    likely = float(min(1.0, spelling_chance(columns, symbols)))
    if not is_number(symbols):
        return WrittenNumber(None, 0.0, spelled_chances(columns))
    said = WrittenNumber(number_of(symbols), likely)
    return replace(said, chances=spelled_chances(columns)) if said.doubtful else said


def is_number(symbols: Sequence[int]) -> bool:
    """Whether these symbols spell a number, or nothing."""
    text = "".join(SYMBOLS[k] for k in symbols)
    return not text or (text.removeprefix("-").isdigit() and len(text) <= SETTINGS.longest)


def number_of(symbols: Sequence[int]) -> int | None:
    """The number that these symbols spell; None for nothing."""
    return int("".join(SYMBOLS[k] for k in symbols)) if symbols else None


def spelled_chances(columns: np.ndarray) -> dict[int | None, float]:
    """What (columns, classes) probabilities may spell, the likeliest first, with the chance of each: the likeliest
    beginnings are followed from column to column (Graves and Jaitly, 2014)."""
    # Of each beginning, the chance that its last column spells nothing, and that it spells its last symbol.
    begun: dict[tuple[int, ...], tuple[float, float]] = {(): (1.0, 0.0)}
    for column in columns.tolist():
        longer: dict[tuple[int, ...], list[float]] = defaultdict(lambda: [0.0, 0.0])
        told = [(k, chance) for k, chance in enumerate(column[:NOTHING]) if chance > SETTINGS.least]
        for symbols, (after_nothing, after_symbol) in begun.items():
            longer[symbols][0] += (after_nothing + after_symbol) * column[NOTHING]
            if symbols:
                longer[symbols][1] += after_symbol * column[symbols[-1]]
            for k, chance in told:
                before = after_nothing if symbols[-1:] == (k,) else after_nothing + after_symbol
                longer[(*symbols, k)][1] += before * chance
        best = sorted(longer, key=lambda one: -sum(longer[one]))[: SETTINGS.followed]
        begun = {symbols: (longer[symbols][0], longer[symbols][1]) for symbols in best}
    out: dict[int | None, float] = defaultdict(float)
    for symbols, chances in begun.items():
        if is_number(symbols):
            out[number_of(symbols)] += sum(chances)
    return dict(sorted(out.items(), key=lambda item: -item[1])[: SETTINGS.kept])


def spelling_chance(columns: np.ndarray, symbols: Sequence[int]) -> float:
    """The probability that the columns spell these symbols, over all ways to do so."""
    states = [NOTHING]
    for k in symbols:
        states += [k, NOTHING]
    skips = [i > 1 and k not in (NOTHING, states[i - 2]) for i, k in enumerate(states)]
    first, *later = columns[:, states].tolist()
    reached = [chance * (i < 2) for i, chance in enumerate(first)]
    for column in later:
        ways = zip(reached, [0.0, *reached], [0.0, 0.0, *reached], skips, column, strict=False)
        reached = [(here + one + two * skip) * chance for here, one, two, skip, chance in ways]
    return float(sum(reached[-2:]))
