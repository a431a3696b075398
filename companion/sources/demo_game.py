"""The demo's game of Twelve Seekers: what lies where, whose hand takes what, and how it gets there.

Lengths are millimetres on the table, (0, 0) its far left corner. Rule 8: runs of 3 and more, each worth what
the sheet says; its sticker lies on the table and chooses the rule.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from companion.printing.cards import stickers
from training.synth.table_photo import Area, Placed, Setting

GAME = "twelve-seekers"
RULE = 8
SIZE = (760.0, 570.0)
AREAS = {
    "dungeon": Area(60, 58, 640, 112),
    "A": Area(34, 314, 340, 228),
    "B": Area(386, 314, 340, 228),
}
ROW = (
    "yellow", "purple", "red", "red", "blue", "gold", "green", "green", "yellow", "yellow", "rainbow", "blue", "blue",
    "purple", "purple", "green", "red", "gold", "blue", "yellow", "green", "red",
)  # fmt: skip
"""The dungeon from left to right."""
PITCH = 24.5
STRAY = (0.6, -0.9, 0.3, 1.1, -0.4, -1.2, 0.8, 0.0, -0.7, 0.5)
"""How far things lie from where they should: people are no machines. Millimetres, and degrees."""


@dataclass(frozen=True)
class Take:
    """A turn: who takes a seeker of which power, and as many gems from which end of the dungeon."""

    player: str
    power: int
    end: str


TAKES = (
    Take("A", 2, "left"), Take("B", 3, "right"), Take("A", 3, "left"), Take("B", 1, "right"), Take("A", 1, "left"),
    Take("B", 2, "right"), Take("A", 4, "right"), Take("B", 5, "left"),
)  # fmt: skip


@dataclass(frozen=True)
class Lying:
    """What lies where: gems by row, seekers by player and in stock (markers)."""

    dungeon: tuple[str, ...]
    gone_left: int
    lines: dict[str, tuple[str, ...]]
    seekers: dict[str, tuple[int, ...]]
    stock: tuple[int, ...]

    def placed(self) -> list[Placed]:
        """Everything on the table."""
        out = [Placed(_rule_sticker(), 66, 240, -3)]
        out += [_laid(gem, *dungeon_at(i), i) for i, gem in enumerate(self.dungeon, self.gone_left)]
        for player, line in self.lines.items():
            out += [_laid(gem, *line_at(player, i), i + 3) for i, gem in enumerate(line)]
        for player, cards in self.seekers.items():
            out += [_card(card, *card_at(player, i), i) for i, card in enumerate(cards)]
        slots = stock()
        return out + [_card(card, *stock_at(slots.index(card)), slots.index(card)) for card in self.stock]


def stock() -> list[int]:
    """The markers of the seekers that the takes need, in the order in which they lie there."""
    left = dict(stickers(GAME))
    found = []
    for take in sorted(TAKES, key=lambda take: take.power):
        marker = next(m for m, card in left.items() if card.get("power") == take.power)
        del left[marker]
        found.append(marker)
    return found


def setting() -> Setting:
    """The table before the game."""
    cards = stickers(GAME)
    used = {marker: cards[marker] for marker in (*stock(), _rule_sticker())}
    return Setting(AREAS, SIZE, top="wood", slant=0.18, seed=11, art=5, cards=used)


def beginning() -> Lying:
    """The table as it is laid out."""
    return Lying(ROW, 0, {"A": (), "B": ()}, {"A": (), "B": ()}, tuple(stock()))


def takes_seeker(lying: Lying, take: Take) -> tuple[int, Lying]:
    """The seeker's marker, and the table without it."""
    cards = stickers(GAME)
    marker = next(m for m in lying.stock if cards[m].get("power") == take.power)
    return marker, replace(lying, stock=tuple(m for m in lying.stock if m != marker))


def lays_seeker(lying: Lying, take: Take, marker: int) -> Lying:
    """The seeker lies before its player."""
    return replace(lying, seekers={**lying.seekers, take.player: (*lying.seekers[take.player], marker)})


def takes_gems(lying: Lying, take: Take) -> tuple[tuple[str, ...], Lying]:
    """The gems taken, and the table without them."""
    n = take.power
    if take.end == "left":
        return lying.dungeon[:n], replace(lying, dungeon=lying.dungeon[n:], gone_left=lying.gone_left + n)
    return lying.dungeon[-n:], replace(lying, dungeon=lying.dungeon[:-n])


def lays_gems(lying: Lying, take: Take, gems: tuple[str, ...]) -> Lying:
    """The gems lie at the right end of the player's line."""
    return replace(lying, lines={**lying.lines, take.player: (*lying.lines[take.player], *gems)})


def states() -> Iterator[Lying]:
    """The table after each take, the beginning first."""
    lying = beginning()
    yield lying
    for take in TAKES:
        marker, lying = takes_seeker(lying, take)
        gems, lying = takes_gems(lays_seeker(lying, take, marker), take)
        lying = lays_gems(lying, take, gems)
        yield lying


def dungeon_at(i: int) -> tuple[float, float]:
    """Where the dungeon's gem lies."""
    area = AREAS["dungeon"]
    return area.x + area.width / 2 + (i - (len(ROW) - 1) / 2) * PITCH, area.y + area.height / 2


def line_at(player: str, i: int) -> tuple[float, float]:
    """Where a player's gem lies."""
    area = AREAS[player]
    return area.x + 62 + i * PITCH, area.y + 66


def card_at(player: str, i: int) -> tuple[float, float]:
    """Where a player's seeker lies."""
    area = AREAS[player]
    return area.x + 68 + i * 65, area.y + 158


def stock_at(i: int) -> tuple[float, float]:
    """Where a seeker lies that nobody has taken."""
    return 152 + i * 73, 240


def _laid(gem: str, x: float, y: float, i: int) -> Placed:
    n = len(STRAY)
    return Placed(gem, x + STRAY[i % n], y + STRAY[(i * 3 + 1) % n], 3 * STRAY[(i * 7 + 2) % n])


def _card(marker: int, x: float, y: float, i: int) -> Placed:
    return Placed(marker, x + STRAY[i % len(STRAY)], y + STRAY[(i + 4) % len(STRAY)], 2 * STRAY[(i + 1) % len(STRAY)])


def _rule_sticker() -> int:
    return next(marker for marker, card in stickers(GAME).items() if card.get("rule") == RULE)
