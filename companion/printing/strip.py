"""The color strip: a place for a tile of each color, in a zone of its own, photographed once to learn the colors."""

from collections.abc import Sequence
from functools import partial
from typing import Final

from companion.games.entry import Game
from companion.games.markers import ZONE_MARKER_MM, ZONES
from companion.printing.mats import INSET, corner_places
from companion.printing.paper import PALE, Page, Pen, Sheet
from companion.words.words import Words

PITCH: Final = 34.0
SLOT: Final = 27.0
"""From one place to the next, and each place's side, in mm: tiles up to 25 mm lie well inside."""
HEIGHT: Final = 130.0


def zone_size(paper: str) -> tuple[float, float]:
    """Width and height between the outer corners of the strip's markers, in mm."""
    _, _, width, _ = Sheet(paper, True, "", "").area
    return round(width - 2 * INSET, 1), round(HEIGHT - 2 * INSET, 1)


def pages(game: Game, paper: str, code: str, words: Words) -> list[Page]:
    """The one sheet, with a place for each color from left to right; none for a game without tiles."""
    sheet = Sheet(paper, True, words.say("strip.title"), code)
    return [Page(sheet, partial(_draw, colors=list(game.tiles), words=words))] if game.tiles else []


def _draw(pen: Pen, sheet: Sheet, colors: Sequence[str], words: Words) -> None:
    left, top, width, height = sheet.area
    up = top + (height - HEIGHT) / 2
    pen.box(left, up, width, HEIGHT)
    for number, (x, y) in zip(ZONES["strip"], corner_places(left, up, width, HEIGHT), strict=True):
        pen.marker(x, y, ZONE_MARKER_MM, number)
    start, y = left + (width - PITCH * len(colors)) / 2, up + HEIGHT / 2
    for i, color in enumerate(colors):
        middle = start + (i + 0.5) * PITCH
        _place(pen, middle, y)
        pen.text(middle, y + SLOT / 2 + 6, words.say(f"color.{color}"), 3.4, "center", 0.35)
    for i, line in enumerate(pen.wrap(words.say("strip.advice"), 3, width - 4 * ZONE_MARKER_MM)[:3]):
        pen.text(left + width / 2, up + 12 + 4.2 * i, line, 3, "center", 0.35)


def _place(pen: Pen, x: float, y: float) -> None:
    """Four pale corners: nothing is printed where the tile lies, nor all around it."""
    half, arm = SLOT / 2, 4.0
    for sx in (-1, 1):
        for sy in (-1, 1):
            cx, cy = x + sx * half, y + sy * half
            pen.line((cx - sx * arm, cy), (cx, cy), (cx, cy - sy * arm), gray=PALE - 0.2)
