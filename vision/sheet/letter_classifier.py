"""Which printed letters were traced over by hand, and which circles around them were outlined a second time.

How bold print is differs by sheet, light and camera: only a letter's sisters on the same photo tell. So a small
network (`vision/weights/letter_classifier.onnx`; `training/TRACES.md`) sees all the letters that no wall covers at
once, cut from the photo at a finer scale than the flattened sheet, and holds each against the others. Where their
print is known, a second one of the same kind (`letter_classifier_pair.onnx`) has half the say.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import cv2
import numpy as np

from vision.network import Network, chances
from vision.sheet.flatten import SheetMap, cut_cells
from vision.sheet.profile import Cell
from vision.sheet.tracing_features import CUES, among_sisters, cues, ink_beside

SIDE = 64
"""Pixels of a letter's picture."""
SPAN = 1.15
"""Cells that it shows."""
WHITE = 180
"""What bare paper becomes."""
COARSE = 4
"""Pixels in a coarse one."""
BRIDGE = 9
"""Coarse pixels over which marks are bridged to find the paper's light."""
DEEPEST = 0.4
"""How dark a shadow may be beside the paper around it before it counts as ink."""


def take_light_off(crops: np.ndarray) -> np.ndarray:
    """Divide (n, SIDE, SIDE, 3) uint8 pictures by the light on their paper: uint8 again, paper is `WHITE`."""
    n, pad = len(crops), BRIDGE // 2 + 2
    beside = np.ascontiguousarray(crops.transpose(1, 0, 2, 3)).reshape(SIDE, SIDE * n, 3)
    coarse = cv2.resize(beside, None, fx=1 / COARSE, fy=1 / COARSE, interpolation=cv2.INTER_AREA)
    small = SIDE // COARSE
    room = np.pad(coarse.reshape(small, n, small, 3), ((pad, pad), (0, 0), (pad, pad), (0, 0)), mode="edge")
    wide = small + 2 * pad
    near = cv2.morphologyEx(room.reshape(wide, wide * n, 3), cv2.MORPH_CLOSE, np.ones((BRIDGE, BRIDGE), np.uint8))
    near = near.reshape(wide, n, wide, 3).astype(np.float32)
    # Row by row first: along the middle axes at once NumPy is slow.
    paper = np.maximum(near, np.maximum(near.max(0).max(1)[:, None] * DEEPEST, 4)).reshape(wide, wide * n, 3)
    paper = cv2.blur(paper, (5, 5)).reshape(wide, n, wide, 3)[pad - 1 : 1 - pad, :, pad - 1 : 1 - pad]
    fine = cv2.resize(np.ascontiguousarray(paper).reshape(small + 2, -1, 3), None, fx=COARSE, fy=COARSE)
    fine = fine.reshape(SIDE + 2 * COARSE, n, -1, 3)[COARSE:-COARSE, :, COARSE:-COARSE].reshape(beside.shape)
    even = cv2.divide(beside, fine, scale=WHITE, dtype=cv2.CV_8U)
    return np.ascontiguousarray(even.reshape(SIDE, n, SIDE, 3).transpose(1, 0, 2, 3))


def letter_pictures(image: np.ndarray, sheet_map: SheetMap, letters: Sequence[Cell]) -> np.ndarray:
    """Cut the letters' cells out of a photo, (H, W, 3) uint8 BGR: (n, SIDE, SIDE, 3) uint8, see `cut_cells`."""
    return cut_cells(image, sheet_map, letters, SIDE, SPAN)


def strip(pictures: np.ndarray, known: np.ndarray, rest: np.ndarray) -> np.ndarray:
    """What the network sees, letters side by side: (5, SIDE, SIDE · n) float32 darkness, 0 where the paper is bare.

    Args:
        pictures: (n, SIDE, SIDE, 3) uint8, the light taken off.
        known: (n, SIDE, SIDE) uint8, their print, white where it is not known.
        rest: (n, SIDE, SIDE) darkness that the print does not explain; it counts twice.
    """
    n = len(pictures)
    color = pictures.transpose(3, 1, 0, 2).reshape(3, SIDE, SIDE * n)
    print_ = known.transpose(1, 0, 2).reshape(1, SIDE, SIDE * n)
    left = rest.transpose(1, 0, 2).reshape(1, SIDE, SIDE * n) * np.float32(2)
    dark = 1 - np.concatenate([color, print_]).astype(np.float32) * np.float32(1 / WHITE)
    return np.concatenate([dark, left])


JUDGES = tuple(Network(name) for name in ("letter_classifier", "letter_classifier_pair"))
"""They see the letters of one photo, and their print where it is known; trained alike on different sheets."""
SEATS = ThreadPoolExecutor(len(JUDGES), "judges")
"""Two judges at once take half the time of one after the other; one on two cores takes about that of one on one."""


@dataclass(frozen=True)
class Traces:
    """How likely each letter asked for was traced over, and its circle doubled: (n,) each, 0 to 1.

    `ink`: (n,) how dark what was drawn beside it is, nan where its print is not known.
    """

    traced: np.ndarray
    gate: np.ndarray
    ink: np.ndarray | None = None


def judge_letters(pictures: np.ndarray, prints: Sequence[tuple[np.ndarray, float] | None] = ()) -> Traces:
    """Judge a photo's letters, each by the others and, where it is known, by its print.

    Args:
        pictures: (n, SIDE, SIDE, 3) uint8, the light taken off.
        prints: for each letter its picture where nobody traced it, (SIDE, SIDE) uint8, lying as this one does, and
            how sure that is, 0 to 1; None where it is not known. None at all: none is known.
    """
    n = len(pictures)
    if not n:
        return Traces(np.zeros(0), np.zeros(0))
    known, rest = np.full((n, SIDE, SIDE), WHITE, np.uint8), np.zeros((n, SIDE, SIDE), np.float32)
    told, ink = np.zeros((n, CUES), np.float32), None
    if any(prints):
        known = np.stack([bare if p is None else p[0] for bare, p in zip(known, prints, strict=True)])
        sure = np.array([0.0 if p is None else p[1] for p in prints], np.float32)
        told, rest = cues(pictures, known, sure, WHITE)
        ink = np.where(sure > 0, ink_beside(rest, known, WHITE), np.nan)
    seen = strip(pictures, known, rest)[None], np.ascontiguousarray(told.T)[None, :, None]
    # One judge is quick, and two are righter: who looks a second time has the time for both.
    odds = np.mean(list(SEATS.map(lambda judge: judge(*seen), JUDGES if any(prints) else JUDGES[:1])), 0)
    traced, gate = odds.reshape(2, n).astype(np.float64)
    return Traces(chances(among_sisters(told, traced)), chances(gate), ink)
