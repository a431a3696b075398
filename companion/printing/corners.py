"""Corner cards: four small markers to lay at the corners of an area, however large it is."""

from collections.abc import Sequence
from functools import partial
from typing import Final

from companion.games.entry import Game
from companion.games.markers import CARD_MARKER_MM
from companion.printing.mats import area_name
from companion.printing.paper import ADVICE, Page, Pen, Sheet
from companion.printing.stickers import STICKER
from companion.words.words import Words

WORDS: Final = 8.0
"""Height of a card's words below its marker, in mm."""
CELL: Final = (46.0, 36.0)
"""Room of a card on the sheet, in mm."""
CORNERS: Final = 4


def pages(game: Game, areas: Sequence[str], paper: str, code: str, words: Words) -> list[Page]:
    """The corner cards of some areas, an area a row."""
    sheet = Sheet(paper, False, words.say("corners.title"), code)
    each = int((sheet.area[3] - ADVICE) // CELL[1])
    return [
        Page(sheet, partial(_draw, game=game, areas=areas[i : i + each], words=words))
        for i in range(0, len(areas), each)
    ]


def _draw(pen: Pen, sheet: Sheet, game: Game, areas: Sequence[str], words: Words) -> None:
    left, top, width, _ = sheet.area
    pen.advice(sheet, words.say("corners.advice"))
    start = left + (width - CORNERS * CELL[0]) / 2
    white = (STICKER - CARD_MARKER_MM) / 2
    for row, area in enumerate(areas):
        for corner, number in enumerate(game.areas[area]):
            x, y = start + corner * CELL[0] + (CELL[0] - STICKER) / 2, top + ADVICE + row * CELL[1] + 1
            pen.box(x, y, STICKER, STICKER + WORDS, gray=0.6, dash=True)
            pen.marker(x + white, y + white, CARD_MARKER_MM, number)
            for k, what in enumerate((area_name(area, words), words.say(f"corner.{corner}"))):
                size = min(2.6, 2.6 * (STICKER - 1) / pen.width(what, 2.6))
                pen.text(x + STICKER / 2, y + STICKER + 2.2 + 3.4 * k, what, size, "center")
