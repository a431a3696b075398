"""Classify letters as traced over by hand or not, and the circles around them as doubled or single.

How bold print looks differs by sheet, light and camera, so a letter is compared with the others on the same photo. A
small network (`vision/weights/letter_classifier.onnx`; `training/TRACES.md`) sees crops of all letters that no wall
covers at once, finer than the flattened sheet. Where templates of the letters are available, the mean with a second
network of the same architecture (`letter_classifier_pair.onnx`) is taken; where print and hand are unlike what both
know, a third one's word (`letter_classifier_unlike.onnx`).
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import cv2
import numpy as np

from vision.network import Network, sigmoid
from vision.sheet.flatten import SheetMap, cut_cells
from vision.sheet.letter_templates import Template
from vision.sheet.profile import Cell
from vision.sheet.tracing_features import FEATURES, pen_darkness, relative_to_peers, tracing_features

SIDE = 64
"""Pixels of a letter crop."""
SPAN = 1.15
"""Cells that a crop shows."""
WHITE = 180
"""Gray level of blank paper in a normalized crop."""
COARSE = 4
"""Pixels averaged into one before illumination is estimated."""
CLOSING = 9
"""Coarse pixels of the closing that removes marks before illumination is estimated."""
DARKEST_SHADOW = 0.4
"""How dark a shadow may be row the paper around it before it counts as pen."""


def normalize_crops(crops: np.ndarray) -> np.ndarray:
    """Normalize the illumination of letter crops, (n, SIDE, SIDE, 3) uint8, so that blank paper is `WHITE`."""
    n, pad = len(crops), CLOSING // 2 + 2
    row = np.ascontiguousarray(crops.transpose(1, 0, 2, 3)).reshape(SIDE, SIDE * n, 3)
    coarse = cv2.resize(row, None, fx=1 / COARSE, fy=1 / COARSE, interpolation=cv2.INTER_AREA)
    small = SIDE // COARSE
    padded = np.pad(coarse.reshape(small, n, small, 3), ((pad, pad), (0, 0), (pad, pad), (0, 0)), mode="edge")
    wide = small + 2 * pad
    near = cv2.morphologyEx(padded.reshape(wide, wide * n, 3), cv2.MORPH_CLOSE, np.ones((CLOSING, CLOSING), np.uint8))
    near = near.reshape(wide, n, wide, 3).astype(np.float32)
    # Row by row first: along the middle axes at once NumPy is slow.
    paper = np.maximum(near, np.maximum(near.max(0).max(1)[:, None] * DARKEST_SHADOW, 4)).reshape(wide, wide * n, 3)
    paper = cv2.blur(paper, (5, 5)).reshape(wide, n, wide, 3)[pad - 1 : 1 - pad, :, pad - 1 : 1 - pad]
    fine = cv2.resize(np.ascontiguousarray(paper).reshape(small + 2, -1, 3), None, fx=COARSE, fy=COARSE)
    fine = fine.reshape(SIDE + 2 * COARSE, n, -1, 3)[COARSE:-COARSE, :, COARSE:-COARSE].reshape(row.shape)
    even = cv2.divide(row, fine, scale=WHITE, dtype=cv2.CV_8U)
    return np.ascontiguousarray(even.reshape(SIDE, n, SIDE, 3).transpose(1, 0, 2, 3))


def crop_letters(image: np.ndarray, sheet_map: SheetMap, letters: Sequence[Cell]) -> np.ndarray:
    """Crop letters' cells from a photo, (H, W, 3) uint8 BGR, rectified: (n, SIDE, SIDE, 3) uint8."""
    return cut_cells(image, sheet_map, letters, SIDE, SPAN)


def network_input(crops: np.ndarray, templates: np.ndarray, residuals: np.ndarray) -> np.ndarray:
    """Lay letters side by side for the network: (5, SIDE, SIDE · n) float32 darkness, 0 where the paper is blank.

    Args:
        crops: (n, SIDE, SIDE, 3) uint8, normalized.
        templates: (n, SIDE, SIDE) uint8, white where there is none.
        residuals: (n, SIDE, SIDE) darkness that the template does not explain; doubled in the input.
    """
    n = len(crops)
    color = crops.transpose(3, 1, 0, 2).reshape(3, SIDE, SIDE * n)
    template = templates.transpose(1, 0, 2).reshape(1, SIDE, SIDE * n)
    residual = residuals.transpose(1, 0, 2).reshape(1, SIDE, SIDE * n) * np.float32(2)
    dark = 1 - np.concatenate([color, template]).astype(np.float32) * np.float32(1 / WHITE)
    return np.concatenate([dark, residual])


ENSEMBLE = tuple(Network(name) for name in ("letter_classifier", "letter_classifier_pair"))
"""Two networks of the same architecture, trained on different sheets."""
UNLIKE = Network("letter_classifier_unlike")
"""Trained on from the first one with broad pens and gates like targets: better on what that does not know, worse on
what it knows."""
ENSEMBLE_THREADS = ThreadPoolExecutor(len(ENSEMBLE), "ensemble")
"""One thread a network: running them in parallel halves the time; a second thread for one network gains little."""


@dataclass(frozen=True)
class LetterProbabilities:
    """Probabilities that each letter is traced and that its circle is doubled: (n,) each.

    `pen`: (n,) darkness of the pen strokes around each letter, nan where it has no template.
    """

    traced: np.ndarray
    gate: np.ndarray
    pen: np.ndarray | None = None


def classify_letters(
    crops: np.ndarray, templates: Sequence[Template | None] = (), unlike: float = 0.0
) -> LetterProbabilities:
    """Classify one photo's letters, each relative to the others and to its template where there is one.

    Args:
        crops: (n, SIDE, SIDE, 3) uint8, normalized.
        templates: one for each letter or none at all.
        unlike: 0 to 1, how unlike print and hand are to what the ensemble knows; tells nothing without templates.
    """
    n = len(crops)
    if not n:
        return LetterProbabilities(np.zeros(0), np.zeros(0))
    aligned, residuals = np.full((n, SIDE, SIDE), WHITE, np.uint8), np.zeros((n, SIDE, SIDE), np.float32)
    features, pen = np.zeros((n, FEATURES), np.float32), None
    if any(templates):
        aligned = np.stack([white if t is None else t[0] for white, t in zip(aligned, templates, strict=True)])
        confidence = np.array([0.0 if t is None else t[1] for t in templates], np.float32)
        features, residuals = tracing_features(crops, aligned, confidence, WHITE)
        pen = np.where(confidence > 0, pen_darkness(residuals, aligned, WHITE), np.nan)
    inputs = network_input(crops, aligned, residuals)[None], np.ascontiguousarray(features.T)[None, :, None]
    # The first reading of a photo has no templates and must be quick; the second one affords both networks.
    says = (
        dict.fromkeys(ENSEMBLE, (1 - unlike) / len(ENSEMBLE)) | {UNLIKE: unlike}
        if any(templates)
        else {ENSEMBLE[0]: 1.0}
    )
    heard = {network: say for network, say in says.items() if say > 0}
    answers = ENSEMBLE_THREADS.map(lambda network: network(*inputs), heard)
    logits = sum(say * answer for say, answer in zip(heard.values(), answers, strict=True))
    traced, gate = logits.reshape(2, n).astype(np.float64)
    return LetterProbabilities(sigmoid(relative_to_peers(features, traced)), sigmoid(gate), pen)
