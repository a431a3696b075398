"""Classify what is drawn in each cell of a rectified sheet, and flag uncertain cells.

A small network (`vision/weights/cells.onnx`; `training/CELLS.md`) takes the whole sheet at once, after `darkness` has
normalized its illumination; where it is not sure of a cell, a second one has an equal say. Where the blank sheet is
known, `print_evidence` corrects the first one's logits, and a network that sees both (`training/PAGES.md`) judges every
cell beside it.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import NamedTuple

import cv2
import numpy as np

from vision.network import Network, sigmoid, softmax
from vision.ranks import quantile
from vision.sheet.decisions import SURE
from vision.sheet.flatten import cut_part
from vision.sheet.illumination import darkness, denoise, unprinted
from vision.sheet.print_evidence import cell_statistics, correct_logits, print_bounds
from vision.sheet.profile import SheetProfile

CELL = 40
"""Pixels a cell that the network takes; a sheet rectified so needs no resampling."""
MARGIN = 0.6
"""Cells around the grid that it takes."""
LINES = 6
"""Pixels at a cell's sides in which its printed lines are."""
KINDS = ".o#"
LEAST = 1e-4
"""Added to probabilities before the mean of their logarithms is taken."""


@dataclass(frozen=True)
class CellSettings:
    """Thresholds below or above which a cell is doubtful. Probabilities unless said."""

    temperature: float = 1.0  # of the softmax
    sure: float = 0.92  # a less likely kind is doubtful
    sure_with_blank: float = SURE  # the same where the blank sheet is known
    sure_in_two_tones: float = 0.99
    """The same in black and white pictures, in which pencil and print look alike (`vision.sheet.two_tones`)."""
    sure_twice: float = 0.95  # the same of a cell that was judged a second time
    shared: float = 0.15
    """Share of a sheet's marks of one kind that are doubtful, from which the others of that kind must be surer: one
    hand draws one kind alike, so where it is misread it is misread again and again."""
    shared_by: int = 2  # so many doubtful ones at least
    sure_where_shared: float = 0.98  # a less likely kind is doubtful there
    unlike: tuple[float, float] = (0.02, 0.06)
    """Shares of the cells that the network doubts on photos of a print and hand that it knows, and does not."""
    say_beside: tuple[float, float] = (0.5, 1.0)
    """Weight of the network that sees the blank sheet, too, beside the one that does not, on such photos."""
    say_second: float = 0.33  # weight of the second network on doubtful cells of a photo of the first kind
    say_second_wall: float = 0.5
    """The same where it sees a wall: the one that sees the blank sheet takes graphite that mirrors the lamp for
    paper."""
    sure_in_glare: float = 0.99  # a less likely blank cell is doubtful where the paper is overexposed
    hidden: float = 0.5  # something lies on the cell
    hidden_nearby: float = 0.25  # the same beside a cell on which something lies: it may reach over
    odd: float = 0.4  # a mark that is none of a map
    noisy: float = 0.06  # noise, as a share of the light on the paper, from which it may look like a wall
    very_noisy: float = 0.15  # the same from which it may hide what is drawn
    sure_in_noise: float = 0.975  # a less likely wall, or blank cell, is doubtful where it is that noisy
    coarse: int = 5  # pixels averaged into one before illumination is estimated
    dark_window: int = 3  # cells: in deep shadow, where cameras leave blots, the light is that of a square of so many
    dark: int = 56  # gray level of paper in deep shadow
    dark_contrast: float = 0.75  # a wall there with a median of at least so many times the paper's level is doubtful
    overexposed: float = 0.9  # share of overexposed pixels inside its lines from which a blank cell is doubtful
    overexposed_level: int = 250  # gray level, in two of the colors, of such pixels: warm light burns blue away last


SETTINGS = CellSettings()


@dataclass(frozen=True)
class CellReadings:
    """What was read from the cells of one sheet; arrays are (rows, cols).

    Attributes:
        probabilities: (rows, cols, 3) of blank, passage, wall; they sum to 1.
        map: rows of `.` blank, `o` passage, `#` wall.
        rivals: likewise, the second likeliest of each.
        confidence: probability that each cell of `map` is right.
        doubtful: bool, a person should look.
        traced: probability that the cell's letter is traced over by hand.
        gate: probability that the cell's circle is doubled.
        hidden: probability that something lies on the cell.
        letter: probability that a letter is printed in the cell.
        unlike: 0 to 1, how unlike print and hand are to what the first network knows.
    """

    probabilities: np.ndarray
    map: tuple[str, ...]
    rivals: tuple[str, ...]
    confidence: np.ndarray
    doubtful: np.ndarray
    traced: np.ndarray
    gate: np.ndarray
    hidden: np.ndarray
    letter: np.ndarray
    unlike: float = 0.0


TRACED, HIDDEN, ODD = 3, 5, 6
"""Indices of the logits of a letter traced over, of something lying on a cell, and of a mark that is none of a map."""
NETWORK = Network("cells")
SECOND = Network("cells_pair")
"""Of the same architecture, trained on more hands; worse alone, better together."""
BESIDE = Network("cells_blank")
"""Sees the blank sheet, too, and what the photo shows beyond it."""
BOUNDS, COLORS = slice(3), slice(3, 6)
"""Of the blank sheet's layers, those that are its bounds (`print_bounds`), and its darkness in three colors."""
THREADS = ThreadPoolExecutor(2, "cell statistics")
"""Measure cells against the blank sheet while the network runs."""


def classify_cells(
    flat: np.ndarray,
    cell: int,
    origin: tuple[float, float],
    profile: SheetProfile,
    blank: np.ndarray | None = None,
    two_toned: bool = False,
) -> CellReadings:
    """Classify every cell of a rectified sheet.

    Args:
        flat: (H, W, 3) uint8 BGR, the rectified sheet.
        cell: pixels a cell; 40 is best, anything else is resampled to that.
        origin: [x, y] of the grid's top left corner, from the corner of the first pixel;
            at least 0.6 cells must lie around the grid.
        profile: rows, columns and entrance of the sheet.
        blank: the blank sheet as `blank_input` makes it, where it is known.
        two_toned: the photo is black and white, without shades between.
    """
    framed = _framed(flat, cell, origin, profile.rows, profile.cols)
    smooth, noise = denoise(framed)
    dark, defects = darkness(smooth), _image_defects(framed, noise, profile.rows, profile.cols)
    sure = SETTINGS.sure_in_two_tones if two_toned else SETTINGS.sure if blank is None else SETTINGS.sure_with_blank
    if blank is not None:
        defects = defects._replace(burnt_out=SETTINGS.sure_in_glare)
        kinds, logits, unlike = _beside_blank(smooth, dark, noise, blank, profile)
        return replace(_readings(kinds, logits, sure, profile, defects), unlike=unlike)
    logits = _inferred(NETWORK, dark)
    unsure = _unsure(logits, sure, profile)
    kinds = logits[..., : len(KINDS)]
    if unsure.any():
        kinds = np.where(unsure[..., None], _mean(logits, _inferred(SECOND, dark)), kinds)
    return _readings(kinds, logits, _least(unsure, sure), profile, defects)


def _beside_blank(
    smooth: np.ndarray, dark: np.ndarray, noise: np.ndarray, blank: np.ndarray, profile: SheetProfile
) -> tuple[np.ndarray, np.ndarray, float]:
    """Logits where the blank sheet is known: those of the kinds, (rows, cols, 3), and all of them, (rows, cols, 8); and
    how unlike what the first network knows print and hand are, 0 to 1.

    Two judges: the network that sees the photo alone, corrected by comparing cells with the blank sheet, and the one
    that sees both. The more cells the first one doubts, the more unlike what it knows are print and hand, and the less
    it has to say; where it knows them, cells that stay doubtful are seen from all sides, and the second network that
    sees the photo alone is heard on them.
    """
    gray, margin, bounds, printed = dark.mean(0), round(MARGIN * CELL), blank[BOUNDS], blank[COLORS]
    measured = THREADS.submit(cell_statistics, gray, noise, bounds, margin, CELL)
    inferred = THREADS.submit(_inferred, NETWORK, dark)
    added = unprinted(smooth, printed)
    sheet = np.concatenate([dark, printed, added])
    beside = _inferred(BESIDE, sheet)
    statistics = measured.result()
    corrected, unlike = _alone(inferred.result(), statistics, gray, bounds, profile)
    if unlike > 0:
        beside = _seen_from_all_sides(beside, sheet)
    # Letters and gates are weighed by what was fitted to the first network (`letter_fusion`).
    logits = (1 - unlike) * corrected + unlike * beside
    logits[..., ODD] = beside[..., ODD]  # a cross among crosses is a wall
    logits[..., HIDDEN] = np.maximum(corrected[..., HIDDEN], beside[..., HIDDEN])
    say = float(np.interp(unlike, (0, 1), SETTINGS.say_beside))
    kinds = _mean(corrected, beside, say)
    doubtful = softmax(kinds).max(-1) < SETTINGS.sure_with_blank
    if unlike < 1 and doubtful.any():
        if unlike == 0:
            around = _mean(corrected, _seen_from_all_sides(beside, sheet), say)
            kinds = np.where(doubtful[..., None], around, kinds)
        second = correct_logits(_inferred(SECOND, dark), statistics, gray, bounds, margin, CELL)
        walls = second[..., : len(KINDS)].argmax(-1) == KINDS.index("#")
        heard = np.where(walls, SETTINGS.say_second_wall, SETTINGS.say_second) * (1 - unlike)
        kinds = np.where(doubtful[..., None], _mean(kinds, second, heard[..., None]), kinds)
    return kinds, logits, unlike


def _alone(
    logits: np.ndarray, statistics: np.ndarray, gray: np.ndarray, bounds: np.ndarray, profile: SheetProfile
) -> tuple[np.ndarray, float]:
    """Logits of the network that sees the photo alone, (rows, cols, 8), corrected, and how unlike what it knows print
    and hand are, 0 to 1; `statistics` as `cell_statistics` has them, `gray` and `bounds` as it takes them."""
    corrected = correct_logits(logits, statistics, gray, bounds, round(MARGIN * CELL), CELL)
    unsure = _unsure(corrected, SETTINGS.sure, profile).mean()
    return corrected, float(np.interp(unsure, SETTINGS.unlike, (0, 1)))


def seem_traced(flat: np.ndarray, cell: int, origin: tuple[float, float], profile: SheetProfile) -> np.ndarray:
    """The probability with which `classify_cells` takes each cell's letter for traced on the blank sheet itself, (rows,
    cols); arguments as it takes them. Where its first network knows the print, nothing else need be asked."""
    smooth, noise = denoise(_framed(flat, cell, origin, profile.rows, profile.cols))
    dark = darkness(smooth)
    gray, bounds = dark.mean(0), print_bounds(dark.mean(0))
    statistics = cell_statistics(gray, noise, bounds, round(MARGIN * CELL), CELL)
    logits, unlike = _alone(_inferred(NETWORK, dark), statistics, gray, bounds, profile)
    if unlike:
        return classify_cells(flat, cell, origin, profile, np.concatenate([bounds, dark])).traced
    return sigmoid(logits[..., TRACED])


def _least(twice: np.ndarray, sure: float) -> np.ndarray:
    """The probability below which each kind is doubtful, (rows, cols); `twice`: where it was judged a second time."""
    return np.where(twice, max(sure, SETTINGS.sure_twice), sure)


def _inferred(network: Network, dark: np.ndarray) -> np.ndarray:
    """A network's logits: (rows, cols, 8)."""
    return network(dark[None])[0].transpose(1, 2, 0)


def _seen_from_all_sides(beside: np.ndarray, sheet: np.ndarray) -> np.ndarray:
    """The mean of what the network says of a sheet and of the same turned by one, two and three quarters; `beside`:
    what it said of the first. On prints and hands that it does not know it errs differently each time."""
    each = [beside] + [np.rot90(_inferred(BESIDE, np.rot90(sheet, k, (1, 2))), -k, (0, 1)) for k in (1, 2, 3)]
    kinds = np.mean([np.log(softmax(one[..., : len(KINDS)]) + LEAST) for one in each], 0)
    return np.concatenate([kinds, np.mean([one[..., len(KINDS) :] for one in each], 0)], -1)


def _unsure(logits: np.ndarray, least: float, profile: SheetProfile) -> np.ndarray:
    """Cells whose kind is to be judged a second time, (rows, cols) bool: less likely than `least`."""
    unsure: np.ndarray = softmax(logits[..., : len(KINDS)]).max(-1) < least
    if profile.entrance is not None:
        unsure[profile.entrance] = False
    return unsure


def _mean(logits: np.ndarray, second: np.ndarray, say: float | np.ndarray = 0.5) -> np.ndarray:
    """The mean of two judgments' log probabilities of the kinds, (rows, cols, 3); `say`: the second one's weight."""
    first, other = (np.log(softmax(one[..., : len(KINDS)]) + LEAST) for one in (logits, second))
    return np.asarray((1 - say) * first + say * other)


def blank_input(flat: np.ndarray, cell: int, origin: tuple[float, float], rows: int, cols: int) -> np.ndarray:
    """What `classify_cells` takes of a blank sheet, rectified as `flat` there: (6, H, W), see `BOUNDS`."""
    dark = sheet_darkness(flat, cell, origin, rows, cols)
    return np.concatenate([print_bounds(dark.mean(0)), dark])


def sheet_darkness(flat: np.ndarray, cell: int, origin: tuple[float, float], rows: int, cols: int) -> np.ndarray:
    """The darkness of a sheet and `MARGIN` around it in three colors, `CELL` pixels a cell: (3, H, W); arguments as
    `classify_cells` takes them."""
    return darkness(denoise(_framed(flat, cell, origin, rows, cols))[0])


def _framed(flat: np.ndarray, cell: int, origin: tuple[float, float], rows: int, cols: int) -> np.ndarray:
    """Crop the grid with its margin, `CELL` pixels a cell."""
    x, y = origin[0] - MARGIN * cell, origin[1] - MARGIN * cell
    w, h = round((cols + 2 * MARGIN) * CELL), round((rows + 2 * MARGIN) * CELL)
    if cell == CELL and x >= 0 and y >= 0 and abs(x - round(x)) < 1e-3 and abs(y - round(y)) < 1e-3:
        part = flat[round(y) : round(y) + h, round(x) : round(x) + w]
        if part.shape[:2] == (h, w):
            return part
    f = cell / CELL
    if f > 1.6:
        flat = cv2.resize(flat, None, fx=1 / f, fy=1 / f, interpolation=cv2.INTER_AREA)
        x, y, f = x / f, y / f, 1.0
    return cut_part(flat, (x, y), (f, f), (w, h))


class ImageDefects(NamedTuple):
    """Where exposure or noise may hide marks or look like them, (rows, cols).

    Attributes:
        overexposed: bool, white inside the printed lines.
        noise: as a share of the light on the paper.
        dark: bool, in deep shadow, and nothing in the cell is much darker than the paper.
        burnt_out: probability below which a blank cell is doubtful where it is overexposed.
    """

    overexposed: np.ndarray
    noise: np.ndarray
    dark: np.ndarray
    burnt_out: float = np.inf


def _image_defects(framed: np.ndarray, noise: np.ndarray, rows: int, cols: int) -> ImageDefects:
    margin, fine = round(MARGIN * CELL), CELL // SETTINGS.coarse
    grid, grain = (part[margin : margin + rows * CELL, margin : margin + cols * CELL] for part in (framed, noise))
    blue, green, red = cv2.split(grid)
    second_brightest = cv2.max(cv2.min(blue, green), cv2.min(cv2.max(blue, green), red))
    white = (second_brightest >= SETTINGS.overexposed_level).reshape(rows, CELL, cols, CELL)
    whiteness = white[:, LINES:-LINES, :, LINES:-LINES].mean((1, 3))
    noise = cv2.resize(grain, (cols, rows), interpolation=cv2.INTER_AREA)
    coarse = cv2.resize(grid, (cols * fine, rows * fine), interpolation=cv2.INTER_AREA).max(2)
    window = np.ones((SETTINGS.dark_window * fine + 1,) * 2, np.uint8)
    light = cv2.resize(cv2.morphologyEx(coarse, cv2.MORPH_CLOSE, window), (cols, rows), interpolation=cv2.INTER_AREA)
    median = quantile(coarse.reshape(rows, fine, cols, fine).swapaxes(1, 2).reshape(rows, cols, -1), 0.5)
    dark = (light <= SETTINGS.dark) & (median >= SETTINGS.dark_contrast * light)
    return ImageDefects(whiteness >= SETTINGS.overexposed, noise, dark)


def shared_doubts(kinds: np.ndarray, confidence: np.ndarray, unsure: np.ndarray) -> np.ndarray:
    """Marks that are doubtful since many of their kind on this sheet are: bool, all (rows, cols)."""
    out = np.zeros(kinds.shape, bool)
    for kind in map(KINDS.index, "o#"):
        alike = kinds == kind
        doubts = int((alike & unsure).sum())
        if doubts >= max(SETTINGS.shared_by, SETTINGS.shared * alike.sum()):
            out |= alike & (confidence < SETTINGS.sure_where_shared)
    return out


def passages_under_pieces(probabilities: np.ndarray, doubtful: np.ndarray) -> np.ndarray:
    """The kinds' probabilities, (rows, cols, 3), with passages instead of walls where something lies on a cell whose
    kind is `doubtful`: pawns stand in passages, and a dark piece looks like a filling."""
    passage, wall = map(KINDS.index, "o#")
    there = doubtful & (probabilities.argmax(-1) == wall)
    exchanged = probabilities.copy()
    exchanged[..., [passage, wall]] = probabilities[..., [wall, passage]]
    return np.where(there[..., None], exchanged, probabilities)


def _readings(
    kinds: np.ndarray, logits: np.ndarray, least: np.ndarray | float, profile: SheetProfile, defects: ImageDefects
) -> CellReadings:
    """Threshold logits, of the kinds (rows, cols, 3) and of the rest (rows, cols, 8); `least`: the probability below
    which a kind is doubtful, one or (rows, cols)."""
    probabilities = softmax(kinds / SETTINGS.temperature)
    traced, gate, hidden, odd, letter = np.moveaxis(sigmoid(logits[..., 3:]), -1, 0)
    probabilities = passages_under_pieces(probabilities, (probabilities.max(-1) < least) & (hidden > SETTINGS.hidden))
    confidence = probabilities.max(-1)
    kinds = probabilities.argmax(-1)
    blank, wall = (kinds == KINDS.index(kind) for kind in ".#")
    doubtful = (confidence < least) | (hidden > SETTINGS.hidden) | (odd > SETTINGS.odd)
    doubtful |= shared_doubts(kinds, confidence, confidence < least)
    doubtful |= (hidden > SETTINGS.hidden_nearby) & (cv2.dilate(hidden, np.ones((3, 3))) > SETTINGS.hidden)
    noisy = wall & (defects.noise >= SETTINGS.noisy) | blank & (defects.noise >= SETTINGS.very_noisy)
    doubtful |= noisy & (confidence < SETTINGS.sure_in_noise)
    doubtful |= blank & defects.overexposed & (confidence < defects.burnt_out) | wall & defects.dark
    if profile.entrance is not None:
        probabilities[profile.entrance] = 0, 1, 0
        confidence[profile.entrance], doubtful[profile.entrance] = 1, False
    _, second, kinds = np.moveaxis(probabilities.argsort(-1), -1, 0)
    rows, rivals = (tuple("".join(KINDS[k] for k in row) for row in which) for which in (kinds, second))
    gate = gate * (kinds == KINDS.index("o"))
    return CellReadings(probabilities, rows, rivals, confidence, doubtful, traced, gate, hidden, letter)
