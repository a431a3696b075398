"""Draw a table's reading over its picture."""

from collections.abc import Mapping

import cv2
import numpy as np

from vision.table.reading import TableReading

INK: Mapping[str, tuple[int, int, int]] = {
    "red": (40, 40, 230), "yellow": (0, 230, 255), "green": (60, 190, 40), "blue": (240, 120, 20),
    "purple": (200, 50, 150), "rainbow": (255, 255, 255), "gold": (30, 120, 170),
}  # fmt: skip
ZONE, CARD, DOUBT = (255, 200, 0), (255, 255, 0), (0, 0, 255)


def annotate_table(image: np.ndarray, reading: TableReading) -> np.ndarray:
    """A copy of the (H, W, 3) BGR picture with zones, tiles (row.column), cards, and rings around what is doubtful."""
    out = image.copy()
    wide = max(1, round(max(image.shape[:2]) / 800))

    def lines(points: np.ndarray, color: tuple[int, int, int], thick: int = wide) -> None:
        cv2.polylines(out, [np.rint(points * 16).astype(np.int32)], True, color, thick, cv2.LINE_AA, 4)

    def text(words: str, at: np.ndarray, size: float) -> None:
        for color, thick in (((0, 0, 0), 3 * wide), ((255, 255, 255), wide)):
            place = (round(float(at[0])), round(float(at[1])))
            cv2.putText(out, words, place, cv2.FONT_HERSHEY_SIMPLEX, size * wide, color, thick, cv2.LINE_AA)

    for name, outline in reading.zones.items():
        lines(outline, ZONE)
        text(name, outline.min(0), 0.5)
    for card in reading.cards:
        lines(card.polygon, CARD)
        text(card.name + "?" * card.doubtful, card.polygon.max(0), 0.35)
    for tile in reading.tiles:
        lines(tile.polygon, (0, 0, 0), wide + 2)
        lines(tile.polygon, INK[tile.color], wide)
        if tile.row is not None:
            text(f"{tile.row}.{tile.col}", tile.polygon.mean(0) - (6 * wide, -4 * wide), 0.28)
        if tile.doubtful:
            radius = round(float(np.linalg.norm(tile.polygon - tile.center, axis=1).max()) * 1.25)
            cv2.circle(
                out, (round(float(tile.center[0])), round(float(tile.center[1]))), radius, DOUBT, wide + 1, cv2.LINE_AA
            )
    return out
