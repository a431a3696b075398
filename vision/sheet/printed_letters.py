"""Reading the printed letters of a sheet: a small network names what is printed in each cell.

The network (`vision/weights/letters.onnx`, trained on drawn cells; `training/LETTERS.md`) sees
one cell at a time, upright, and answers A to Z or none: a blank cell, a symbol, hand marks.
"""

import cv2
import numpy as np

from vision.network import Network, softmax
from vision.sheet.flatten import FlatSheet, cut_part

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
NONE = 26
SIDE = 40
"""Pixels of a patch."""
SPAN = 1.1
"""Cells that a patch shows: the cell and a little of its neighbors, for a lattice may be a little off."""


def normalize(patches: np.ndarray) -> np.ndarray:
    """Ink is 1 and paper 0 whatever the light: (n, SIDE, SIDE) float32 from gray patches of any level."""
    gray = patches.astype(np.float32)
    flat = np.sort(gray.reshape(len(gray), -1), 1)
    count = flat.shape[1]
    paper = np.maximum(flat[:, int(0.9 * count), None, None], 4)
    ink = np.clip(1 - gray / paper, 0, 1)
    darkest = 1 - flat[:, int(0.02 * count), None, None] / paper
    return np.minimum(ink / np.maximum(darkest, 0.1), 1.5)


def cell_patches(flat: FlatSheet, cells: np.ndarray, span: float = SPAN) -> np.ndarray:
    """Cut cells out of a flattened sheet: (n, SIDE, SIDE) uint8 gray from (n, 2) float [row, column] of their
    upper left corners. The sheet must show `(span - 1) / 2` of a cell around each."""
    gray = flat.image if flat.image.ndim == 2 else cv2.cvtColor(flat.image, cv2.COLOR_BGR2GRAY)
    out = np.empty((len(cells), SIDE, SIDE), np.uint8)
    step = span * flat.cell / SIDE
    for k, (row, col) in enumerate(cells):
        left = flat.origin[0] + (col + (1 - span) / 2) * flat.cell
        top = flat.origin[1] + (row + (1 - span) / 2) * flat.cell
        out[k] = cut_part(gray, (left, top), (step, step), (SIDE, SIDE))
    return out


NETWORK = Network("letters")


def read_patches(patches: np.ndarray) -> np.ndarray:
    """Probabilities (n, 27) of A to Z and none, from (n, SIDE, SIDE) gray patches of upright cells."""
    if len(patches) == 0:
        return np.empty((0, 27), np.float32)
    return softmax(NETWORK(normalize(patches)[:, None]).reshape(len(patches), 27))


def read_letters(
    flat: FlatSheet, rows: int, cols: int, spans: tuple[float, ...] = (SPAN,), middle: tuple[float, float] = (0.5, 0.5)
) -> np.ndarray:
    """Probabilities (rows, cols, 27) of A to Z and none for every cell of a flattened sheet.

    Args:
        spans: cells that a patch shows; of several the answers' geometric mean: surer, slower.
        middle: where in its cell a letter stands, x and y from the cell's upper left corner.
    """
    cells = np.add(np.moveaxis(np.mgrid[0:rows, 0:cols], 0, -1).reshape(-1, 2), (middle[1] - 0.5, middle[0] - 0.5))
    logs = sum(np.log(read_patches(cell_patches(flat, cells, span)) + 1e-6) for span in spans) / len(spans)
    seen = np.exp(logs)
    return (seen / seen.sum(1, keepdims=True)).reshape(rows, cols, NONE + 1)
