"""What is drawn in each cell of a flattened sheet, and how sure that is.

A small network (`vision/weights/cells.onnx`; `training/CELLS.md`) looks at the whole sheet at once, after `darkness`
has taken the light off. Where the blank sheet is known, `print_evidence` has a say.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np

from vision.network import Network, sigmoid, softmax
from vision.sheet import faint_strokes
from vision.sheet.flatten import cut_part
from vision.sheet.illumination import darkness, quantile, without_noise, without_noise_and_noise
from vision.sheet.print_evidence import beside_print, cell_sums, print_bounds
from vision.sheet.profile import SheetProfile

CELL = 40
"""Pixels a cell that the network takes; a sheet flattened so needs no resampling."""
MARGIN = 0.6
"""Cells around the grid that it sees."""
LINES = 6
"""Pixels at a cell's sides in which its printed lines lie."""
KINDS = ".o#"
LEAST = 1e-4
"""No kind is less likely than that to who looks twice."""


@dataclass(frozen=True)
class Doubt:
    """When a person should look. Probabilities, 0 to 1; `beside`: surer than that where the blank sheet is known;
    `reaching`: of being hidden, beside a cell that is: what lies on one may reach to the next.

    Pale marks vanish where the photo is overexposed: a blank cell with a share of `burnt` pixels of at least `white`
    (0 to 255, in every color) inside its printed lines, which stay, is doubtful. And the camera's noise may look like a
    wall: where it is at least `noisy`, in parts of the light on the paper, a wall less likely than `noisy_wall` is
    doubtful. So is one in deep shadow, where cameras leave blots: a square of `around` cells that holds it has no paper
    brighter than `dim` (0 to 255), and half of the wall is at least `pale` times as bright as that.

    A picture in black and white has lost what tells pencil from print (`vision.sheet.two_tones`): there a cell must be
    `sure_in_two` likely.
    """

    temperature: float = 1.0
    sure: float = 0.92
    beside: float = 0.91
    hidden: float = 0.5
    reaching: float = 0.25
    odd: float = 0.4
    noisy: float = 0.06
    noisy_wall: float = 0.975
    coarse: int = 5  # pixels in one of those that tell the light
    around: int = 3
    dim: int = 56
    pale: float = 0.75
    burnt: float = 0.9
    white: int = 250
    sure_in_two: float = 0.99


DOUBT = Doubt()


@dataclass(frozen=True)
class CellReadings:
    """What was read from the cells of one sheet; arrays are (rows, cols).

    Attributes:
        probabilities: (rows, cols, 3) of blank, passage, wall; they sum to 1.
        map: rows of `.` blank, `o` passage, `#` wall.
        confidence: 0 to 1, how likely each cell of `map` is right.
        doubtful: bool, a person should look.
        traced: 0 to 1, the cell's letter is written over by hand.
        gate: 0 to 1, the cell's circle is outlined a second time.
        hidden: 0 to 1, something lies on the cell.
        letter: 0 to 1, a letter is printed in the cell.
    """

    probabilities: np.ndarray
    map: tuple[str, ...]
    confidence: np.ndarray
    doubtful: np.ndarray
    traced: np.ndarray
    gate: np.ndarray
    hidden: np.ndarray
    letter: np.ndarray


NETWORK = Network("cells")
SUMS = ThreadPoolExecutor(2, "sums")
"""Sums up what cells show beyond their print while the network looks at them."""


def judge_cells(
    flat: np.ndarray,
    cell: int,
    origin: tuple[float, float],
    profile: SheetProfile,
    blank: np.ndarray | None = None,
    two_toned: bool = False,
) -> CellReadings:
    """Judge every cell of a flattened sheet.

    Args:
        flat: (H, W, 3) uint8 BGR, the sheet straight from above.
        cell: pixels a cell; 40 is best, anything else is resampled to that.
        origin: [x, y] of the grid's top left corner, from the corner of the first pixel;
            at least 0.6 cells must lie around the grid.
        profile: rows, columns and entrance of the sheet.
        blank: the blank sheet as `blank_input` makes it, where it is known.
        two_toned: the photo is black and white, without shades between.
    """
    framed = _framed(flat, cell, origin, profile.rows, profile.cols)
    smooth, noise = without_noise_and_noise(framed)
    dark, spoilt = darkness(smooth), _spoilt(framed, noise, profile.rows, profile.cols)
    if blank is None:
        sure = DOUBT.sure_in_two if two_toned else DOUBT.sure
        return _readings(NETWORK(dark[None])[0].transpose(1, 2, 0), profile, sure, spoilt)
    gray, margin = dark.mean(0), round(MARGIN * CELL)
    sums = SUMS.submit(cell_sums, gray, noise, blank, margin, CELL)
    out = NETWORK(dark[None])[0].transpose(1, 2, 0)
    beside = beside_print(out, sums.result(), gray, blank, margin, CELL)
    kinds = _looked_again(beside, dark, sums.result(), blank, profile)
    sure = DOUBT.sure_in_two if two_toned else DOUBT.beside
    return _readings(np.concatenate([kinds, beside[..., len(KINDS) :]], -1), profile, sure, spoilt)


def _looked_again(
    out: np.ndarray, dark: np.ndarray, sums: np.ndarray, blank: np.ndarray, profile: SheetProfile
) -> np.ndarray:
    """The logits of the kinds, (rows, cols, 3), after a second look where strokes are faint and a cell is doubtful.

    Who looks again also tells whether marks are lost elsewhere: a cell surely bare is so only if it stays so.
    """
    kinds, times, say = out[..., : len(KINDS)], faint_strokes.boldening(sums), faint_strokes.SETTINGS.say
    faint, unsure = times >= faint_strokes.SETTINGS.faint, softmax(kinds).max(-1) < DOUBT.beside
    if profile.entrance is not None:
        faint[profile.entrance] = False
    if not (faint & unsure).any():
        return kinds
    bolder = faint_strokes.bolder(dark, times, blank, round(MARGIN * CELL), CELL)
    again = NETWORK(bolder[None])[0].transpose(1, 2, 0)[..., : len(KINDS)]
    bare = KINDS.index(".")
    marked = (kinds.argmax(-1) == bare) & (again.argmax(-1) != bare)
    likely = [np.log(softmax(one) + LEAST) for one in (kinds, again)]
    return np.where((faint & (unsure | marked))[..., None], (1 - say) * likely[0] + say * likely[1], kinds)


def blank_input(flat: np.ndarray, cell: int, origin: tuple[float, float], rows: int, cols: int) -> np.ndarray:
    """What `judge_cells` takes of a blank sheet, flattened as `flat` there: see `print_bounds`."""
    return print_bounds(darkness(without_noise(_framed(flat, cell, origin, rows, cols))).mean(0))


def _framed(flat: np.ndarray, cell: int, origin: tuple[float, float], rows: int, cols: int) -> np.ndarray:
    """The grid with its margin, `CELL` pixels a cell."""
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


class Spoilt(NamedTuple):
    """Where light and camera may hide what is drawn.

    Attributes:
        white: (rows, cols) bool, cells that are white inside their printed lines.
        noisy: (rows, cols) bool, where noise may look like a mark.
        dim: (rows, cols) bool, where it is dark and nothing is much darker than the paper.
    """

    white: np.ndarray
    noisy: np.ndarray
    dim: np.ndarray


def _spoilt(framed: np.ndarray, noise: np.ndarray, rows: int, cols: int) -> Spoilt:
    margin, fine = round(MARGIN * CELL), CELL // DOUBT.coarse
    grid, grain = (part[margin : margin + rows * CELL, margin : margin + cols * CELL] for part in (framed, noise))
    white = cv2.inRange(grid, (DOUBT.white,) * 3, (255,) * 3).reshape(rows, CELL, cols, CELL)
    whiteness = white[:, LINES:-LINES, :, LINES:-LINES].mean((1, 3))
    noisy = cv2.resize(grain, (cols, rows), interpolation=cv2.INTER_AREA)
    coarse = cv2.resize(grid, (cols * fine, rows * fine), interpolation=cv2.INTER_AREA).max(2)
    near = cv2.morphologyEx(coarse, cv2.MORPH_CLOSE, np.ones((DOUBT.around * fine + 1,) * 2, np.uint8))
    light = cv2.resize(near, (cols, rows), interpolation=cv2.INTER_AREA)
    middle = quantile(coarse.reshape(rows, fine, cols, fine).swapaxes(1, 2).reshape(rows, cols, -1), 0.5)
    dim = (light <= DOUBT.dim) & (middle >= DOUBT.pale * light)
    return Spoilt(whiteness >= DOUBT.burnt * 255, noisy >= DOUBT.noisy, dim)


def _readings(out: np.ndarray, profile: SheetProfile, sure: float, spoilt: Spoilt) -> CellReadings:
    """Turn the network's logits (rows, cols, 8) into readings; `sure`: what is less likely right is doubtful."""
    probabilities = softmax(out[..., :3] / DOUBT.temperature)
    traced, gate, hidden, odd, letter = np.moveaxis(sigmoid(out[..., 3:]), -1, 0)
    confidence = probabilities.max(-1)
    kinds = probabilities.argmax(-1)
    bare, wall = (kinds == KINDS.index(kind) for kind in ".#")
    doubtful = (confidence < sure) | (hidden > DOUBT.hidden) | (odd > DOUBT.odd)
    doubtful |= (hidden > DOUBT.reaching) & (cv2.dilate(hidden, np.ones((3, 3))) > DOUBT.hidden)
    doubtful |= bare & spoilt.white | wall & (spoilt.noisy & (confidence < DOUBT.noisy_wall) | spoilt.dim)
    if profile.entrance is not None:
        probabilities[profile.entrance] = 0, 1, 0
        confidence[profile.entrance], doubtful[profile.entrance] = 1, False
    kinds = probabilities.argmax(-1)
    rows = tuple("".join(KINDS[k] for k in row) for row in kinds)
    gate = gate * (kinds == KINDS.index("o"))
    return CellReadings(probabilities, rows, confidence, doubtful, traced, gate, hidden, letter)
