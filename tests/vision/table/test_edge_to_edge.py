"""A tile that nobody knows is found beside known ones with rims like its own, and nothing else is."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.table.edge_to_edge import edge_to_edge

PIXELS = 30
BLACK, WOOD, WHITE, GREEN = (30, 30, 34), (120, 160, 190), (240, 240, 240), (60, 150, 60)
CASES = {
    "white beside black ones": ("KKKW", WOOD, "W"),
    "a row of them, one beside the other": ("KKWWW", WOOD, "WWW"),
    "around a corner": ("KK/.W/.W", WOOD, "WW"),
    "nothing lies there": ("KKK..", WOOD, ""),
    "a black piece without a picture": ("KKb..", WOOD, ""),
    "a rim of another color": ("KKg..", WOOD, ""),
    "not edge to edge": ("KK..W", WOOD, ""),
    "no two known ones lie together": ("K.KW.", WOOD, ""),
    "a table as black as the rims": ("KK.W.", BLACK, ""),
}


def table(rows: str, color: tuple[int, ...], turn: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A picture, and where the known and the unknown tiles lie in it, in tiles, all turned about the middle."""
    image = np.full((360, 360, 3), color, np.uint8)
    way = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    known, unknown = [], []
    for r, row in enumerate(rows.split("/")):
        for c, kind in enumerate(row):
            at = way @ (c - 2, r - 1) * 1.02 + 6
            if kind == ".":
                continue
            box = cv2.boxPoints(((at * PIXELS).tolist(), (PIXELS, PIXELS), np.degrees(turn)))
            cv2.fillConvexPoly(image, np.int32(np.round(box)), GREEN if kind == "g" else BLACK, cv2.LINE_AA)
            if kind != "b":
                inside = WHITE if kind in "Wg" else (40, 60, 220)
                cv2.circle(image, np.int32(at * PIXELS).tolist(), PIXELS // 4, inside, -1, cv2.LINE_AA)
            (known if kind == "K" else unknown).append(at)
    noise = np.random.default_rng(1).normal(0, 3, image.shape)
    return np.clip(image + noise, 0, 255).astype(np.uint8), np.array(known), np.array(unknown).reshape(-1, 2)


@pytest.mark.parametrize("turn", [0.0, 0.5])
@pytest.mark.parametrize("name", CASES)
def test_tiles_are_found_by_how_they_lie(name, turn):
    rows, color, expected = CASES[name]
    image, known, unknown = table(rows, color, turn)
    found = edge_to_edge(image, lambda at: at * PIXELS - 0.5, known)
    assert len(found) == len(expected)
    for place in unknown if expected else ():
        assert np.hypot(*(found - place).T).min() < 0.2


def test_no_tiles_no_neighbors():
    assert edge_to_edge(np.zeros((50, 50, 3), np.uint8), lambda at: at, np.zeros((0, 2))).shape == (0, 2)
