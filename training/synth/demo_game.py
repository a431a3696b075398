"""The demo's game of Twelve Seekers, by the rules from the first look to the last: what lies where, who takes what.

Lengths are millimetres on the table, (0, 0) its far left corner. Rule 8: runs of 3 and more, each worth what
the sheet says; its sticker lies on the table and chooses the rule. Gold is laid aside, out of the line.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from companion.games.twelve_seekers import GAME
from training.synth.table_photo import Area, Placed, Setting

RULE = 8
ORDER = 1
"""The turn-order card that lies open: the start player begins every round."""
SIZE = (1060.0, 596.25)
AREAS = {
    "dungeon": Area(30, 40, 1000, 112),
    "A": Area(24, 330, 490, 236),
    "B": Area(546, 330, 490, 236),
}
ROW = (
    "blue", "blue", "yellow", "red", "red", "purple", "purple", "red", "blue", "blue", "green", "green", "green",
    "rainbow", "red", "red", "purple", "purple", "purple", "blue", "yellow", "yellow", "gold", "green", "gold",
    "gold", "yellow", "green", "green", "red", "red", "purple", "green", "yellow", "yellow", "purple", "blue",
    "blue", "yellow",
)  # fmt: skip
"""The dungeon from left to right: all 39 tiles of the box."""
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
    Take("B", 2, "right"), Take("A", 4, "right"), Take("B", 5, "left"), Take("A", 5, "right"), Take("B", 4, "left"),
    Take("A", 2, "left"), Take("B", 3, "right"),
)  # fmt: skip
"""Six rounds, in which the twelve seekers of the basic game are taken."""


@dataclass(frozen=True)
class Lying:
    """What lies where: gems by row, gold beside each player's line, seekers by player and in stock (markers)."""

    dungeon: tuple[str, ...]
    gone_left: int
    lines: dict[str, tuple[str, ...]]
    gold: dict[str, int]
    seekers: dict[str, tuple[int, ...]]
    stock: tuple[int, ...]

    def placed(self) -> list[Placed]:
        """Everything on the table."""
        out = [Placed(_sticker("rule", RULE), 66, 240, -3), Placed(_sticker("order", ORDER), 128, 240, 2)]
        out += [_laid(gem, *dungeon_at(i), i) for i, gem in enumerate(self.dungeon, self.gone_left)]
        for player, line in self.lines.items():
            out += [_laid(gem, *line_at(player, i), i + 3) for i, gem in enumerate(line)]
            out += [_laid("gold", *gold_at(player, i), i + 5) for i in range(self.gold[player])]
        for player, cards in self.seekers.items():
            out += [_card(card, *card_at(player, i), i) for i, card in enumerate(cards)]
        slots = stock()
        return out + [_card(card, *stock_at(slots.index(card)), slots.index(card)) for card in self.stock]


def stock() -> list[int]:
    """The markers of the seekers that the takes need, in the order in which they lie there."""
    left = dict(GAME.stickers)
    found = []
    for take in sorted(TAKES, key=lambda take: take.power):
        marker = next(m for m, card in left.items() if card.get("power") == take.power)
        del left[marker]
        found.append(marker)
    return found


def setting() -> Setting:
    """The table before the game."""
    cards = GAME.stickers
    used = {marker: cards[marker] for marker in (*stock(), _sticker("rule", RULE), _sticker("order", ORDER))}
    return Setting(AREAS, SIZE, top="wood", slant=0.18, seed=11, art=5, cards=used)


def beginning() -> Lying:
    """The table as it is laid out."""
    return Lying(ROW, 0, {"A": (), "B": ()}, {"A": 0, "B": 0}, {"A": (), "B": ()}, tuple(stock()))


def takes_seeker(lying: Lying, take: Take) -> tuple[int, Lying]:
    """The seeker's marker, and the table without it."""
    cards = GAME.stickers
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
    """The gems lie at the right end of the player's line, gold beside it."""
    who, gold = take.player, gems.count("gold")
    line = (*lying.lines[who], *(gem for gem in gems if gem != "gold"))
    return replace(lying, lines={**lying.lines, who: line}, gold={**lying.gold, who: lying.gold[who] + gold})


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
    return area.x + 42 + i * PITCH, area.y + 66


def gold_at(player: str, i: int) -> tuple[float, float]:
    """Where a player's gold lies."""
    area = AREAS[player]
    return area.x + 444, area.y + 112 + i * 26


def card_at(player: str, i: int) -> tuple[float, float]:
    """Where a player's seeker lies."""
    area = AREAS[player]
    return area.x + 66 + i * 65, area.y + 156


def stock_at(i: int) -> tuple[float, float]:
    """Where a seeker lies that nobody has taken."""
    return 196 + i * 71, 240


def _laid(gem: str, x: float, y: float, i: int) -> Placed:
    n = len(STRAY)
    return Placed(gem, x + STRAY[i % n], y + STRAY[(i * 3 + 1) % n], 3 * STRAY[(i * 7 + 2) % n])


def _card(marker: int, x: float, y: float, i: int) -> Placed:
    return Placed(marker, x + STRAY[i % len(STRAY)], y + STRAY[(i + 4) % len(STRAY)], 2 * STRAY[(i + 1) % len(STRAY)])


def _sticker(kind: str, value: int) -> int:
    return next(marker for marker, card in GAME.stickers.items() if card.get(kind) == value)
