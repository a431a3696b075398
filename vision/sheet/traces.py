"""Which printed letters were traced over by hand, and which circles around them were outlined a second time.

How bold print is differs by sheet, light and camera: only a letter's sisters on the same photo tell. So a small
network (`vision/models/traces.onnx`, its script and figures beside it) sees all the letters that no wall covers at
once, cut from the photo at a finer scale than the flattened sheet, and holds each against the others. It has only seen
pictures that `vision/models/draw_traces.py` drew.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.network import Network
from vision.sheet.beside import among_sisters, cues, decide
from vision.sheet.flatten import SheetMap
from vision.sheet.profile import Cell

SIDE = 64
"""Pixels of a letter's picture."""
SPAN = 1.15
"""Cells that it shows."""
WHITE = 180
"""What bare paper becomes."""
COARSE, BRIDGE = 4, 9
"""Pixels in a coarse one; coarse pixels over which marks are bridged to find the paper's light."""
DEEPEST = 0.4
"""How dark a shadow may be beside the paper around it before it counts as ink."""
KNOTS = (np.arange(SIDE // 8 + 2) * 8 - 3.5) / SIDE * SPAN + (0.5 - SPAN / 2)
"""Cells from a cell's upper left corner: every eighth pixel of its picture is mapped exactly, the rest between them."""
BETWEEN = np.maximum(0, 1 - np.abs((np.arange(SIDE)[:, None] + 4) / 8 - np.arange(SIDE // 8 + 2))).astype(np.float32)
"""(SIDE, knots): each pixel's shares of the knots."""


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
    paper = np.maximum(near, np.maximum(near.max((0, 2), keepdims=True) * DEEPEST, 4)).reshape(wide, wide * n, 3)
    paper = cv2.blur(paper, (5, 5)).reshape(wide, n, wide, 3)[pad - 1 : 1 - pad, :, pad - 1 : 1 - pad]
    fine = cv2.resize(np.ascontiguousarray(paper).reshape(small + 2, -1, 3), None, fx=COARSE, fy=COARSE)
    fine = fine.reshape(SIDE + 2 * COARSE, n, -1, 3)[COARSE:-COARSE, :, COARSE:-COARSE].reshape(beside.shape)
    even = cv2.divide(beside, fine, scale=WHITE, dtype=cv2.CV_8U)
    return np.ascontiguousarray(even.reshape(SIDE, n, SIDE, 3).transpose(1, 0, 2, 3))


def letter_pictures(image: np.ndarray, sheet_map: SheetMap, letters: Sequence[Cell]) -> np.ndarray:
    """Cut cells out of the photo, straight from above: (n, SIDE, SIDE, 3) uint8.

    Args:
        image: (H, W, 3) uint8 BGR photo.
        sheet_map: where the grid lies in it.
        letters: rows and columns of the cells.
    """
    rows, cols = np.array(letters, np.float64).reshape(-1, 2).T
    u = np.broadcast_to((cols[:, None] + KNOTS)[:, None, :], (len(cols), len(KNOTS), len(KNOTS)))
    v = (rows[:, None] + KNOTS)[:, :, None]
    coarse = sheet_map(u, np.broadcast_to(v, u.shape)).astype(np.float32)
    full = np.einsum("yi,nijk,xj->nyxk", BETWEEN, coarse, BETWEEN, optimize=True).reshape(-1, SIDE, 2)
    shrink = max(1, round(sheet_map.cell_pixels * SPAN / SIDE))
    if shrink > 1:
        lo = np.clip(np.floor(coarse.min((0, 1, 2))).astype(int) - shrink, 0, image.shape[1::-1])
        hi = np.clip(np.ceil(coarse.max((0, 1, 2))).astype(int) + 2 * shrink, 0, image.shape[1::-1])
        hi -= (hi - lo) % shrink
        if np.all(hi - lo >= shrink):
            part = image[lo[1] : hi[1], lo[0] : hi[0]]
            image = cv2.resize(part, None, fx=1 / shrink, fy=1 / shrink, interpolation=cv2.INTER_AREA)
            full = (full - (lo - 0.5).astype(np.float32)) / shrink - 0.5
    out = cv2.remap(image, full, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return out.reshape(-1, SIDE, SIDE, 3)


def strip(crops: np.ndarray) -> np.ndarray:
    """Pictures with the light off side by side: (1, 3, SIDE, SIDE · n) float32 darkness, 0 where the paper is bare."""
    n = len(crops)
    beside = crops.transpose(3, 1, 0, 2).reshape(1, 3, SIDE, SIDE * n)
    return 1 - beside.astype(np.float32) * (1 / WHITE)


ALONE = Network("traces")
"""Sees the letters of one photo."""


@dataclass(frozen=True)
class Traces:
    """How likely each letter asked for was traced over, and its circle doubled: (n,) each, 0 to 1."""

    traced: np.ndarray
    gate: np.ndarray


def judge_letters(pictures: np.ndarray) -> Traces:
    """Judge a photo's letters, each by the others: (n, SIDE, SIDE, 3) uint8 pictures with the light off."""
    if not len(pictures):
        return Traces(np.zeros(0), np.zeros(0))
    return _chances(ALONE(strip(pictures)).reshape(2, -1).astype(np.float64))


def judge_beside(
    pictures: np.ndarray, prints: Sequence[tuple[np.ndarray, float] | None], passage: np.ndarray, first: Traces
) -> Traces:
    """Judge a photo's letters, each by the others and by its print.

    Args:
        pictures: (n, SIDE, SIDE, 3) uint8, the light taken off.
        prints: for each letter its picture where nobody traced it, (SIDE, SIDE) uint8, lying as this one does, and
            how sure that is, 0 to 1; None where it is not known.
        passage: (n,) bool, in a circle.
        first: what `judge_letters` said.
    """
    if not len(pictures):
        return first
    known = np.stack([np.full((SIDE, SIDE), WHITE, np.uint8) if p is None else p[0] for p in prints])
    sure = np.array([0.0 if p is None else p[1] for p in prints], np.float32)
    said = np.stack([_odds(first.traced), _odds(first.gate)], 1)
    beside = _chances(decide(among_sisters(cues(pictures, known, sure, WHITE), sure, said, passage)).T)
    # The print knows nothing of circles.
    return Traces(beside.traced, first.gate)


def _odds(chance: np.ndarray) -> np.ndarray:
    """Log odds of probabilities."""
    inner = np.clip(chance, 1e-6, 1 - 1e-6)
    return np.log(inner / (1 - inner))


def _chances(odds: np.ndarray) -> Traces:
    """Probabilities of (2, n) log odds."""
    traced, gate = 1 / (1 + np.exp(-odds))
    return Traces(traced, gate)
