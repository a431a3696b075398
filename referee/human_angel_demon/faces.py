"""What each card of Human Angel Demon was read as, look by look, and what it is believed to be."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Final

from referee.human_angel_demon.tables import Cards
from referee.looks import MISREAD, UNKNOWN, Fix, Look
from scoring.human_angel_demon.sets import BLACK, CODES, RED

LIKELIER: Final = 4.0
"""A misread card that costs less than that is believed before a slip."""
AS_LIKELY: Final = 0.3
"""Two ways nearer than that are as likely as each other."""
SURE: Final = 2.0
"""Of two ways in which the market may lie, the one that costs so much less is believed."""


class Faces:
    """What each card was read as, look by look, and what it is believed to be: its number gives the code."""

    def __init__(self) -> None:
        self.codes = [UNKNOWN]
        self._readings: list[list[tuple[Look, str, str]]] = [[]]
        self._numbers: dict[Any, int] = {}
        self.judged: set[tuple[int, str]] = set()
        """All readings there were: look and pointer."""
        self._elsewhere: set[tuple[int, int]] = set()
        """Cards, and looks that show them only if something else is so than what is believed."""
        self._matched: set[int] = set()
        """Cards of which a set or a ready player's discard tells what they are."""

    def number(self, key: Any) -> int:
        """The number of the card that lies in a place, a new one where none lay there before."""
        if key not in self._numbers:
            self._numbers[key] = len(self.codes)
            self.codes.append(UNKNOWN)
            self._readings.append([])
        return self._numbers[key]

    def seen(self, card: int, look: Look) -> bool:
        """Whether a look shows the card."""
        return any(one is look for one, *_ in self._readings[card])

    def see(self, card: int, look: Look, at: str, read: str, lie: Iterable[int] = (), believed: bool = True) -> None:
        """One more look shows the card; `lie`: the cards that lie there; `believed`: not only if something else is."""
        self._readings[card].append((look, at, read))
        self.judged.add((look.number, at))
        if not believed:
            self._elsewhere.add((card, look.number))
        if read not in (UNKNOWN, self.codes[card]):
            lying = Counter(self.codes[one] for one in lie if one != card)
            ways = dict.fromkeys(
                (self.codes[card], *(way for reading in self._readings[card] for way in _names(*reading)))
            )
            costs = {
                code: self.cost(card, code) + MISREAD * (lying[code] >= _copies(code)) for code in ways if code in CODES
            }
            self.codes[card] = min(costs, key=lambda code: costs[code])

    def cost(self, card: int, code: str) -> float:
        """What it costs to believe that the card is this one."""
        return sum(look.price(at, read, code) for look, at, read in self._readings[card] if read != code)

    def further(self, card: int, look: Look, at: str, read: str) -> float:
        """What it costs that one more look shows this card as it does; one of its earlier readings may be wrong."""
        now = self.codes[card]
        if UNKNOWN in (read, now):
            return 0.0
        return min(look.price(at, read, now), self.cost(card, read) - self.cost(card, now))

    def match(self, cards: Sequence[int], ways: Iterable[Cards], gone: AbstractSet[str] = frozenset()) -> None:
        """Believe that some cards are of the cheapest of these ways, where that is likelier than a slip; all the more
        with a card that is `gone` from the market.
        """
        costs = {way: self._dearer(cards, way) - SURE * (not gone.isdisjoint(way)) for way in ways}
        best = min(costs, key=lambda way: costs[way], default=None)
        if best is not None and costs[best] < LIKELIER:
            for card, code in zip(cards, best, strict=True):
                self.codes[card] = code
                self._matched.add(card)

    def told(self, card: int) -> str:
        """What a card is; unknown where its looks show two cards, and the one is as likely as the other."""
        ways = {read for *_, read in self._readings[card]} - {UNKNOWN}
        costs = sorted(self.cost(card, code) for code in ways)
        open_ = len(costs) > 1 and costs[1] - costs[0] < AS_LIKELY and card not in self._matched
        return UNKNOWN if open_ else self.codes[card]

    def doubtful(self, card: int) -> bool:
        """Whether a reading of the card was doubtful."""
        return any(look.flagged(at) for look, at, _ in self._readings[card])

    def link(self, cards: Sequence[int]) -> float:
        """What it costs that they are all the same card."""
        return min(self._dearer(cards, (self.codes[card],) * len(cards)) for card in cards)

    def _dearer(self, cards: Sequence[int], codes: Cards) -> float:
        return sum(
            self.cost(card, code) - self.cost(card, self.codes[card]) for card, code in zip(cards, codes, strict=True)
        )

    def wrong(self, only: Look | None = None) -> tuple[tuple[Look, Fix], ...]:
        """The readings that were wrong, of one look or of all; not those that may as well be the right ones."""
        return tuple(
            (look, Fix(at, read, code))
            for card, (code, readings) in enumerate(zip(self.codes, self._readings, strict=True))
            for look, at, read in (readings[-1:] if only else readings)
            if read not in (UNKNOWN, code) and look is (only or look) and (card, look.number) not in self._elsewhere
            if not self._as_likely(card, read)
        )

    def _as_likely(self, card: int, read: str) -> bool:
        """Whether a card may as well be what this reading says."""
        return card not in self._matched and self.cost(card, read) - self.cost(card, self.codes[card]) < AS_LIKELY


def _names(look: Look, at: str, read: str) -> Iterator[str]:
    """What a reading says that a card may be."""
    yield read
    odds = look.odds.get(at)
    yield from odds if isinstance(odds, dict) else ()


def _copies(code: str) -> int:
    """How many cards of a code there are."""
    return RED if code.endswith("r") else BLACK
