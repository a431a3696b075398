"""What a card of Human Angel Demon was read as, look by look, and what it is believed to be."""

from functools import lru_cache
from typing import Final, NamedTuple

from referee.looks import UNKNOWN, Fix, Look
from scoring.human_angel_demon.sets import CODES, is_big_set

LIKELIER: Final = 4.0
"""A misread card that costs less than that is believed before a slip."""
AS_LIKELY: Final = 0.3
"""Two ways nearer than that are as likely as each other."""
SETTLED: Final = 14.0
"""A card that is so much likelier than all others stays what it is."""
UNLIKE: Final = 0.35
"""A card is read as one that differs in more than the attribute, the number or the title's color."""
BIG_SET: Final = 3
"""Cards of a set that is opened (H4)."""
Codes = tuple[str, ...]


class Seen(NamedTuple):
    """One reading of a card."""

    look: Look
    at: str
    read: str


class Card(NamedTuple):
    """A card: what it is believed to be, what it costs to believe in each code that was named, and in any `other` one.

    `matched`: a set or a ready player's discard tells what it is. `settled`: nothing changes it any more. `seen`: the
    readings, while they can.
    """

    code: str = UNKNOWN
    ways: tuple[tuple[str, float], ...] = ()
    other: float = 0.0
    seen: tuple[Seen, ...] = ()
    matched: bool = False
    settled: bool = False

    def cost(self, code: str) -> float:
        """What it costs to believe that the card is this one."""
        if code == UNKNOWN:
            return 0.0
        for way, cost in self.ways:
            if way == code:
                return cost
        return self.other

    def told(self) -> str:
        """What the card is; unknown where its looks show two cards, and the one is as likely as the other."""
        if self.matched or len(self.ways) < 2:
            return self.code
        mine = self.cost(self.code)
        open_ = any(way != self.code and cost - mine < AS_LIKELY for way, cost in self.ways)
        return UNKNOWN if open_ else self.code

    def read(self, look: Look, at: str, read: str) -> tuple["Card", tuple[Fix, ...]]:
        """The card with one reading more, and that reading where it is wrong."""
        if read == UNKNOWN:
            return self, ()
        if self.settled:
            return self, () if read == self.code else (Fix(at, read, self.code),)
        odds = look.odds.get(at)
        named = [read, *(one for one in odds if one in CODES)] if isinstance(odds, dict) else [read]
        ways = dict(self.ways)
        for one in named:
            ways.setdefault(one, self.other)
        for way in ways:
            if way != read:
                ways[way] += look.price(at, read, way) + UNLIKE * (len(named) == 1 and _unlike(read, way))
        other = self.other + look.price(at, read, "") + UNLIKE * (len(named) == 1)
        now = Card(self.code, tuple(ways.items()), other, (*self.seen, Seen(look, at, read)), self.matched)
        best = min(ways.values())
        mine = now.cost(self.code) if self.code != UNKNOWN else best + SETTLED
        if mine > best + (LIKELIER if self.matched else 0.0):
            code = next(way for way, cost in ways.items() if cost == best)
            now = now._replace(code=code, matched=False)
        mine = now.cost(now.code)
        if all(cost - mine > SETTLED for way, cost in (*now.ways, ("", other)) if way != now.code):
            now = now._replace(settled=True)
        wrong = read != now.code and now.told() != UNKNOWN
        return now, (Fix(at, read, now.code),) if wrong else ()

    def further(self, look: Look, at: str, read: str) -> float:
        """What it costs that one more look shows this card as it does."""
        now, fixes = self.read(look, at, read)
        if now is self:
            return look.price(at, fixes[0].read, fixes[0].true) if fixes else 0.0
        return now.cost(now.code) - self.cost(self.code)

    def be(self, code: str) -> "Card":
        """The card, which is this one, as others beside it tell."""
        return self._replace(code=code, matched=True, settled=False)

    def wrong(self) -> list[tuple[Look, Fix]]:
        """The readings that were wrong; not those that may as well be the right ones."""
        if self.told() == UNKNOWN:
            return []
        return [(look, Fix(at, read, self.code)) for look, at, read in self.seen if read != self.code]

    @property
    def doubtful(self) -> bool:
        """Whether a reading of the card was doubtful."""
        return any(look.flagged(at) for look, at, _ in self.seen)


@lru_cache(maxsize=10_000)
def _unlike(one: str, other: str) -> bool:
    """Whether two cards differ in two things or more."""
    return (one[0] != other[0]) + (one[1] != other[1]) + (one[2:] != other[2:]) > 1


@lru_cache(maxsize=10_000)
def is_set(codes: Codes) -> bool:
    """Whether three cards are a set; as far as it is known what they are."""
    return UNKNOWN in codes or (len(codes) == BIG_SET and is_big_set([CODES[code][0] for code in codes]))


def as_set(cards: tuple[Card, ...], gone: frozenset[str]) -> tuple[Card, ...] | None:
    """The cards as the set that they most likely are, one of them misread; None where that is less likely than a slip.

    A card that is `gone` from the market is likelier to be in it.
    """
    if len(cards) != BIG_SET:
        return None
    codes = tuple(card.code for card in cards)
    best: tuple[float, int, str] | None = None
    for i, card in enumerate(cards):
        for code in CODES:
            if code != card.code and is_set((*codes[:i], code, *codes[i + 1 :])):
                same_color = code.endswith("r") == card.code.endswith("r")
                cost = card.cost(code) - card.cost(card.code) - 2.0 * (code in gone) + 0.01 * (not same_color)
                if best is None or cost < best[0]:
                    best = (cost, i, code)
    if best is None or best[0] >= LIKELIER:
        return None
    _, i, code = best
    return (*cards[:i], cards[i].be(code), *cards[i + 1 :])


def as_same(one: Card, other: Card) -> tuple[Card, Card] | None:
    """Two cards as the same one; None where that is less likely than a slip."""

    def cost(code: str) -> float:
        return one.cost(code) - one.cost(one.code) + other.cost(code) - other.cost(other.code)

    ways = {one.code, other.code} - {UNKNOWN}
    best = min(ways, key=lambda code: (cost(code), code), default=None)
    if best is None or cost(best) >= LIKELIER:
        return None
    return one.be(best), other.be(best)
