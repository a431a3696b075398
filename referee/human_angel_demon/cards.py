"""What a card of Human Angel Demon was read as, look by look, and what it is believed to be."""

from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple

from referee.looks import UNKNOWN, Fix, Look
from scoring.human_angel_demon.sets import CODES, is_big_set

LIKELIER: Final = 4.0
"""A misread card that costs less than that is believed before a slip."""
AS_SLIP: Final = 6.0
"""A misread card that costs less than that may be one as well as a slip."""
AS_LIKELY: Final = 0.3
"""Two ways nearer than that are as likely as each other."""
UNSURE: Final = 1.0
"""While two ways are nearer than that no reading is said to be wrong."""
NEAR: Final = 2.5
"""A card that makes a set stays untold while another one that does is nearer than that."""
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

    `matched`: a set or a ready player's discard tells what it is; `guessed`: it may as well be another one for it.
    `settled`: nothing changes it any more. `seen`: the readings, while they can.
    """

    code: str = UNKNOWN
    ways: tuple[tuple[str, float], ...] = ()
    other: float = 0.0
    seen: tuple[Seen, ...] = ()
    matched: bool = False
    settled: bool = False
    guessed: bool = False

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
        return UNKNOWN if self.unsure(AS_LIKELY) else self.code

    def unsure(self, near: float = UNSURE) -> bool:
        """Whether the card may as well be another one: one that is nearer than that."""
        if self.guessed:
            return True
        if self.matched or len(self.ways) < 2:
            return False
        mine = self.cost(self.code)
        return any(way != self.code and cost - mine < near for way, cost in self.ways)

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
            if one not in ways:
                ways[one] = sum(_price(*seen, one) for seen in self.seen)
        for way in ways:
            if way != read:
                ways[way] += _price(look, at, read, way)
        other = self.other + look.price(at, read, "") + UNLIKE * (len(named) == 1)
        now = self._replace(ways=tuple(ways.items()), other=other, seen=(*self.seen, Seen(look, at, read)))
        best = min(ways.values())
        mine = now.cost(self.code) if self.code != UNKNOWN else best + SETTLED
        if mine > best + (LIKELIER if self.matched else 0.0):
            code = next(way for way, cost in ways.items() if cost == best)
            now = now._replace(code=code, matched=False, guessed=False)
        mine = now.cost(now.code)
        if all(cost - mine > SETTLED for way, cost in (*now.ways, ("", other)) if way != now.code):
            now = now._replace(settled=True, guessed=False)
        wrong = read != now.code and not now.unsure()
        return now, (Fix(at, read, now.code),) if wrong else ()

    def further(self, look: Look, at: str, read: str) -> float:
        """What it costs that one more look shows this card as it does."""
        now, fixes = self.read(look, at, read)
        if now is self:
            return look.price(at, fixes[0].read, fixes[0].true) if fixes else 0.0
        return now.cost(now.code) - self.cost(self.code)

    def be(self, code: str, guessed: bool = False) -> "Card":
        """The card, which is this one, as others beside it tell."""
        return self._replace(code=code, matched=True, settled=False, guessed=guessed)

    def wrong(self) -> list[tuple[Look, Fix]]:
        """The readings that were wrong; not those that may as well be the right ones."""
        if self.unsure():
            return []
        return [(look, Fix(at, read, self.code)) for look, at, read in self.seen if read != self.code]

    @property
    def doubtful(self) -> bool:
        """Whether a reading of the card was doubtful."""
        return any(look.flagged(at) for look, at, _ in self.seen)


def _price(look: Look, at: str, read: str, true: str) -> float:
    """What it costs that a card which was read so is another one."""
    named = isinstance(look.odds.get(at), dict)
    return look.price(at, read, true) + UNLIKE * (not named and _unlike(read, true))


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
    ways: list[tuple[float, int, str]] = []
    for i, card in enumerate(cards):
        for code in CODES:
            if code in codes and (code == card.code or code.endswith("r")):
                continue  # there is one red card of each title
            if is_set((*codes[:i], code, *codes[i + 1 :])):
                same_color = code.endswith("r") == card.code.endswith("r")
                cost = card.cost(code) - card.cost(card.code) - 2.0 * (code in gone) + 0.01 * (not same_color)
                ways.append((cost, i, code))
    ways.sort(key=lambda way: way[0])
    if not ways or ways[0][0] >= LIKELIER:
        return None
    least, i, code = ways[0]
    guessed = any(cost < least + NEAR for cost, *_ in ways[1:])
    return (*cards[:i], cards[i].be(code, guessed), *cards[i + 1 :])


def as_same(one: Card, other: Card) -> tuple[Card, Card] | None:
    """Two cards as the same one; None where that is less likely than a slip."""
    cost, code = _alike(one, other)[0]
    return (one.be(code), other.be(code)) if cost < LIKELIER else None


def maybe_same(one: Card, other: Card) -> list[str]:
    """What two cards may be, were they the same one, that is as likely as a slip."""
    if _unlike(one.code, other.code):
        return []
    return [code for cost, code in _alike(one, other) if LIKELIER <= cost < AS_SLIP]


def may_be_same(one: Card, other: Card) -> float | None:
    """What it costs that two cards are the same one, misread; None where that is less likely than a slip."""
    named = {one.code, *(way for way, _ in one.ways)}, {other.code, *(way for way, _ in other.ways)}
    if all(_unlike(way, another) for way, another in product(*named)):
        return None
    before = one.cost(one.code) + other.cost(other.code)
    least = min(one.cost(code) + other.cost(code) - before for code in set().union(*named))
    return least if least < AS_SLIP else None


def _alike(one: Card, other: Card) -> list[tuple[float, str]]:
    """What it costs that two cards are the same, by what that is; the likeliest first."""
    ways = {one.code, other.code} - {UNKNOWN}
    before = one.cost(one.code) + other.cost(other.code)
    return sorted((one.cost(code) + other.cost(code) - before, code) for code in ways)
