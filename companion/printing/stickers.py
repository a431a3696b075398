"""Sticker sheets: a game's markers, each with the card that it belongs on."""

from collections.abc import Sequence
from functools import partial
from typing import Final

from companion.games.entry import Card, Game
from companion.games.markers import CARD_MARKER_MM, margin
from companion.printing.paper import ADVICE, Page, Pen, Sheet
from companion.words.words import Words

STICKER: Final = CARD_MARKER_MM + 2 * margin(CARD_MARKER_MM)
"""Side of a sticker, cut along its dashed line, in mm."""
CELL: Final = (30.0, 34.5)
"""Room of a sticker with its words below, in mm."""
LINES: Final = 3


def pages(game: Game, paper: str, code: str, words: Words) -> list[Page]:
    """A game's sticker sheets; none for a game whose cards need no stickers."""
    deck = list(game.stickers.items())
    sheet = Sheet(paper, False, words.say("stickers.title", game=words.term(f"game.{game.slug}")), code)
    _, _, width, height = sheet.area
    columns, rows = int(width // CELL[0]), int((height - ADVICE) // CELL[1])
    each = columns * rows
    return [
        Page(sheet, partial(_draw, game=game, deck=deck[i : i + each], columns=columns, words=words))
        for i in range(0, len(deck), each)
    ]


def _draw(pen: Pen, sheet: Sheet, game: Game, deck: Sequence[tuple[int, Card]], columns: int, words: Words) -> None:
    left, top, width, _ = sheet.area
    pen.advice(sheet, words.say("stickers.advice"))
    start = left + (width - columns * CELL[0]) / 2
    for i, (number, entry) in enumerate(deck):
        x = start + i % columns * CELL[0] + (CELL[0] - STICKER) / 2
        y = top + ADVICE + i // columns * CELL[1] + 1
        white = margin(CARD_MARKER_MM)
        pen.box(x, y, STICKER, STICKER, gray=0.6, dash=True)
        pen.marker(x + white, y + white, CARD_MARKER_MM, number)
        middle = x + STICKER / 2
        for k, line in enumerate(pen.wrap(game.card_words(entry, words.say), 2.3, CELL[0] - 1.5)[:LINES]):
            pen.text(middle, y + STICKER + 2.7 + 2.6 * k, line, 2.3, "center")
        pen.text(x + STICKER + 0.6, y + 2, f"{number}", 1.8, gray=0.4)
