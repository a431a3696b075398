"""Several demo sheets in one photo: beside and above one another, smaller, turned, cut off by the photo's edge."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from training.synth.demo import filled_paper, photographed_together
from training.synth.hands import Rng

SHAPE = (1200, 1600)
"""Height and width of a photo, pixels."""
ARRANGEMENTS: dict[str, Sequence[tuple[float, float, float, int]]] = {
    "beside": ((0.26, 0.5, 0.47, 0), (0.75, 0.5, 0.47, 0)),
    "above": ((0.5, 0.26, 0.3, 0), (0.5, 0.75, 0.3, 0)),
    "three": ((0.18, 0.5, 0.31, 0), (0.5, 0.5, 0.31, 0), (0.82, 0.5, 0.31, 0)),
    "two-and-one": ((0.26, 0.27, 0.32, 0), (0.74, 0.27, 0.32, 0), (0.5, 0.76, 0.32, 0)),
    "smaller": ((0.3, 0.5, 0.55, 0), (0.8, 0.4, 0.3, 0)),
    "upside-down": ((0.26, 0.5, 0.47, 0), (0.75, 0.5, 0.47, 2)),
    "quarter": ((0.26, 0.5, 0.45, 1), (0.75, 0.5, 0.45, 3)),
    "cut-left": ((0.04, 0.5, 0.5, 0), (0.68, 0.5, 0.55, 0)),
    "cut-right": ((0.32, 0.5, 0.55, 0), (0.97, 0.5, 0.5, 0)),
    "cut-below": ((0.3, 0.45, 0.5, 0), (0.8, 0.9, 0.45, 0)),
    "one": ((0.5, 0.5, 0.6, 0),),
    "one-aside": ((0.3, 0.5, 0.5, 0),),
}
"""For each sheet: where its middle lies and how wide it is, in the photo's width and height, and its quarter turns."""


def arranged(seed: int, name: str) -> tuple[np.ndarray, list[dict[str, Any]]]:
    """A photo, (1200, 1600, 3) uint8 BGR, of one of `ARRANGEMENTS`, and each sheet's truth as `filled_photo` has it,
    with `whole`: whether its grid lies in the photo."""
    rng: Rng = np.random.default_rng([79, seed, sorted(ARRANGEMENTS).index(name)])
    papers, truths, corners = [], [], []
    for player, (x, y, wide, turns) in enumerate(ARRANGEMENTS[name]):
        paper, truth = filled_paper(rng, player)
        h, w = paper.shape[:2]
        papers.append(paper)
        truths.append(truth)
        corners.append(_corners(rng, (x * SHAPE[1], y * SHAPE[0]), wide * SHAPE[1] / w * np.array([w, h]), turns))
    photo, lattices = photographed_together(rng, papers, corners, SHAPE)
    for truth, lattice in zip(truths, lattices, strict=True):
        inside = (lattice >= 0).all() and (lattice <= (SHAPE[1] - 1, SHAPE[0] - 1)).all()
        truth |= {"lattice": lattice, "whole": bool(inside)}
    return photo, truths


def _corners(rng: Rng, middle: tuple[float, float], size: np.ndarray, turns: int) -> np.ndarray:
    """A paper's corners where it lies a little askew: (4, 2) pixels, its own top left first."""
    corners = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) * size
    turn = rng.normal(0, 0.04) + turns * np.pi / 2
    spin = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    seen: np.ndarray = corners @ spin + middle + rng.normal(0, 0.008 * size.mean(), (4, 2))
    return seen
