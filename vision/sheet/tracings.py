"""Which letters were traced, seen in what the pen covers of their print and beside it.

The letter classifier knows the print of a letter in gray and judges by bold strokes; where print and pen are unlike
what it knows, it takes one for the other. A network of its own (`vision/weights/tracings.onnx`; `training/TRACES.md`)
sees what the sheet's own pen covers (`vision.sheet.outlines`), sums that up on the print's strokes and just beside
them, and holds each letter against the sheet's others.
"""

import numpy as np

from vision.network import Network
from vision.sheet.letter_classifier import WHITE
from vision.sheet.local_blur import compare_at_blur, line_blur
from vision.sheet.outlines import PenChange
from vision.sheet.tracing_features import darkness

NETWORK = Network("tracings")
LAYERS = 6
TURNS = 4
"""The network looks at the letters from all four sides."""


def tracing_layers(change: PenChange, crops: np.ndarray, blanks: np.ndarray) -> np.ndarray:
    """What the network sees of one sheet's letters: (n, LAYERS, 64, 64) float32.

    The pen's cover, how well it is told and the print, as in `PenChange`; how much darker than the print the place is,
    how much its color differs, and what the print, blurred as the photo is, does not explain.

    Args:
        change: `outlines.pen_change` of these letters.
        crops: (n, 64, 64, 3) uint8, normalized.
        blanks: the same of the blank sheet, laid onto them.
    """
    if not len(crops):
        return np.zeros((0, LAYERS, *crops.shape[1:3]), np.float32)
    seen, known = darkness(crops, WHITE), darkness(blanks, WHITE)
    rest = compare_at_blur(seen, known, line_blur(seen, known).blur).residual
    darker = change.darker
    color = darker.max(-1) - darker.min(-1)
    more = np.clip(2 * darker.mean(-1), -1, 1.5), np.clip(2 * color, 0, 1.5), np.clip(2 * rest, -1, 1.5)
    return np.concatenate([change.cover, np.stack(more, 1)], 1).astype(np.float32)


def traced_over(layers: np.ndarray) -> np.ndarray:
    """(n,) log odds that letters were traced, of `tracing_layers`; all of one sheet."""
    if not len(layers):
        return np.zeros(0)
    said = [NETWORK(np.ascontiguousarray(np.rot90(layers, k, (2, 3))))[:, 0] for k in range(TURNS)]
    return np.asarray(np.mean(said, 0), np.float64)
