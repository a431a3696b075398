"""Make a print job: its pages as PDF, and the matching table profile."""

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from companion.games.entry import Game
from companion.games.markers import CARD_MARKER_MM, DICTIONARY, LAYOUT
from companion.printing import board, corners, mats, stickers, strip
from companion.printing.paper import RULER_MM, Page, Pen, code, frame, use_fonts
from companion.words.words import Words, words
from vision.table.profile import TableProfile

KINDS: Final = ("stickers", "mats", "corners", "board", "strip", "all")
ACROSS: Final = {"A4": 2, "Letter": 2, "A3": 1}
"""Sheets of a mat side by side, where nothing else is asked for: room for a row of tiles, or of eight cards."""


@dataclass(frozen=True)
class Order:
    """What is to be printed."""

    kind: str  # one of KINDS
    game: Game  # whose cards, areas and colors
    paper: str = "A4"  # `A4`, `A3` or `Letter`
    zones: tuple[str, ...] = ()  # the mats, by zone; empty for the game's own
    joined: tuple[int, int] | None = None  # how many sheets make a mat, across and down; None for the paper's own
    language: str = "en"  # `en` or `ja`
    ruler: float = RULER_MM  # what a ruler laid on the printed 100 mm shows, in mm: the profile's sizes follow it

    @property
    def mats(self) -> tuple[str, ...]:
        """The areas that a mat is printed for."""
        return self.zones or self.game.seats

    @property
    def grid(self) -> tuple[int, int]:
        """How many sheets make a mat, across and down."""
        return self.joined or (ACROSS[self.paper], self.game.mat_rows)

    @property
    def what(self) -> tuple[str, ...]:
        """The game's slug and the kind; the board is the same for all games."""
        return (self.kind,) if self.kind == "board" else (self.game.slug, self.kind)

    @property
    def code(self) -> str:
        """Stands on every page: what was printed, the layout's version, and a short code of its ids and sizes."""
        sizes = mats.zone_size(self.paper, self.grid), strip.zone_size(self.paper), stickers.STICKER
        made = code(LAYOUT, self.kind, self.paper, self.mats, sizes, sorted(self.game.stickers.items()))
        return " · ".join((*self.what, self.paper, f"v{LAYOUT}", made))


def make(order: Order) -> tuple[bytes, int]:
    """The PDF and how many pages it has: 0 (and no bytes) where this game has nothing of that kind."""
    said = words(order.language)
    found = _pages(order, said)
    if not found:
        return b"", 0
    use_fonts()
    file = io.BytesIO()
    canvas = Canvas(file, invariant=1, pageCompression=1)
    canvas.setTitle(order.code)
    canvas.setViewerPreference("PrintScaling", "None")
    for number, page in enumerate(found, 1):
        size = page.sheet.size
        canvas.setPageSize((size[0] * mm, size[1] * mm))
        pen = Pen(canvas, size, order.language)
        frame(pen, page.sheet, number, len(found), said)
        page.draw(pen, page.sheet)
        canvas.showPage()
    canvas.save()
    return file.getvalue(), len(found)


def _pages(order: Order, said: Words) -> Sequence[Page]:
    made: dict[str, Callable[[], Sequence[Page]]] = {
        "stickers": lambda: stickers.pages(order.game, order.paper, order.code, said),
        "corners": lambda: corners.pages(order.game, order.mats, order.paper, order.code, said),
        "mats": lambda: mats.pages(order.game, order.mats, order.paper, order.grid, order.code, said),
        "strip": lambda: strip.pages(order.game, order.paper, order.code, said),
        "board": lambda: board.pages(order.paper, order.code, said),
    }
    if order.kind != "all":
        return made[order.kind]()
    del made["corners"]  # the mats have them
    return [page for pages in made.values() for page in pages()]


def profile(order: Order) -> TableProfile:
    """The table profile of a table laid out with this print: its zones, or the strip's, and the game's cards."""
    scale = order.ruler / RULER_MM
    if order.kind == "strip":
        sizes = {"strip": strip.zone_size(order.paper)}
    else:
        sizes = dict.fromkeys(order.mats, mats.zone_size(order.paper, order.grid))
    loose = {"marker_mm": round(CARD_MARKER_MM * scale, 2)} if order.kind == "corners" else None
    data: dict[str, Any] = {
        "name": f"{order.game.slug}-{order.paper.lower()}",
        "game": order.game.slug,
        "dictionary": DICTIONARY,
        "zones": {
            zone: {
                "markers": list(order.game.areas[zone]),
                **(loose or {"size_mm": [round(side * scale, 1) for side in size]}),
            }
            for zone, size in sizes.items()
        },
        "cards": {} if order.kind == "strip" else {str(number): card for number, card in order.game.stickers.items()},
    }
    return TableProfile.from_json(data)
