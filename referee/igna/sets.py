"""Fuse the readings of each card in opened sets of Igna over all observations into one believed card."""

import math
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from itertools import combinations, product
from typing import Final

from referee.igna.tables import BESIDE, Reading, Side, Treasure, Treasures, is_set
from referee.looks import FAR, SLIP, Fix, Look
from referee.turns import Renewal, Turn

ALL: Final = {f"{color}{n}" for color in ("red", "yellow", "green", "blue") for n in range(1, 6)}
"""The treasures; those with a bonus are known from what was read."""

AS_WELL: Final = 1.0
"""What costs so little more may be as well."""
UNNAMED: Final = math.log(len(ALL) - 1)
"""What it costs besides that a card is a certain one of all that no look names."""
CLEAR: Final = 0.97
"""Where it is less likely than this that three cards are no set rather than read wrongly, or where each look doubts one
of them, another look is waited for; if none comes, who has opened them is not named.
"""

Seen = list[tuple[Look, str, Treasure]]
"""The looks that show a card: its pointer, and what it was read as."""


class Sets:
    """The sets of all players between given names; a card lies where it was first seen."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names
        self.cards: dict[tuple[int, int], list[Seen]] = {}
        self.believed: dict[tuple[int, int], Treasures] = {}
        self.guessed: dict[tuple[int, int], Treasures] = {}
        """Sets that are believed as they are, though others fit as well: what no look has shown of them is not told."""
        self.doubts: set[tuple[int, int]] = set()
        """Sets that are believed to break a rule, which is not CLEAR."""

    def see(self, look: Look) -> Renewal | None:
        """Read the look's sets into those that lie there; what that changes of earlier looks."""
        if "seen" in look.memo:
            renewal: Renewal | None = look.memo["seen"]
            return renewal
        before, doubts = dict(self.believed), set(self.doubts)
        read: Reading = look.read
        for p, shown in enumerate(read.sides):
            lying = shown.sets if shown is not None else ()
            if len(lying) < sum(player == p for player, _ in self.cards):
                continue  # some were put away: nobody knows which are left
            for n, cards in enumerate(lying):
                lay = self.cards.setdefault((p, n), [[] for _ in cards])
                for i, (card, treasure) in enumerate(zip(lay, cards, strict=False)):
                    card.append((look, f"{read.ats[p]}/sets/{n}/{i}", treasure))
                if cards != self.believed.get((p, n)) or (p, n) in self.doubts:
                    self.believed[p, n] = self._likeliest((p, n), lay)
        look.least = sum(seen.price(*fix) for seen, fix in self._wrong() if seen is look)
        changed = {key for key, cards in before.items() if self.believed[key] != cards}
        changed |= doubts - self.doubts
        renewal = look.memo["seen"] = None
        if changed:
            judged = frozenset((seen.number, at) for lay in self.cards.values() for card in lay for seen, at, _ in card)
            earlier = tuple(one for one in self._wrong(told=True) if one[0] is not look)
            renewal = look.memo["seen"] = Renewal(lambda turn: self._again(turn, changed), earlier, judged)
        return renewal

    def fixes(self, look: Look) -> tuple[Fix, ...]:
        """The cards that a look shows wrongly."""
        if not look.memo.get("fixes") or look.memo["fixes"][0] != self.believed:
            told = tuple(fix for seen, fix in self._wrong(told=True) if seen is look)
            look.memo["fixes"] = dict(self.believed), told
        fixes: tuple[Fix, ...] = look.memo["fixes"][1]
        return fixes

    def side(self, p: int, lay: Side, shown: Side | None) -> Side:
        """What lies before a player, the sets as they are believed to be, those too that a look does not show."""
        n = max(len(lay.sets), len(shown.sets) if shown else 0)
        return (shown or lay)._replace(sets=tuple(self.believed[p, i] for i in range(n)))

    def judged(self, turn: Turn) -> Turn:
        """The turn, not told of at once nor of anybody where it is not clear that its sets break a rule."""
        clear = not any((turn.same[0], n) in self.doubts for n in _opened(turn))
        return turn._replace(plain=clear and BESIDE.isdisjoint(turn.breaks), named=clear)

    def _wrong(self, *, told: bool = False) -> tuple[tuple[Look, Fix], ...]:
        """The cards read wrongly; `told`: without those of which nobody can know what they are."""
        return tuple(
            (seen, Fix(at, read, true))
            for key, lay in self.cards.items()
            for true, card in zip(self.believed[key], lay, strict=True)
            if not told or self.believed[key] != self.guessed.get(key) or any(true in _named(*one) for one in card)
            for seen, at, read in card
            if read != true
        )

    def _again(self, turn: Turn, changed: AbstractSet[tuple[int, int]]) -> Turn:
        """The turn with its sets as they are believed to be now."""
        if turn.move not in ("turn", "get"):
            return turn
        if not any((turn.same[0], n) in changed for n in _opened(turn)):
            return turn
        sets = [self.believed[turn.same[0], n] for n in _opened(turn)]
        said = {"sets": [list(one) for one in sets]} if turn.move == "turn" else {"set": list(sets[0])}
        breaks = tuple(rule for rule in turn.breaks if rule != "I5")
        breaks = breaks if all(map(is_set, sets)) else (*breaks, "I5")
        return self.judged(turn._replace(fields={**turn.fields, **said}, breaks=breaks, legal=not breaks))

    def _likeliest(self, key: tuple[int, int], cards: Sequence[Seen]) -> Treasures:
        """What the cards of a set are, as all looks show them together: a set, unless a slip is likelier."""
        named, mended = self._ways(cards)
        sets = {way: price for way, price in (named | mended).items() if is_set(way)}
        others = {way: price + SLIP for way, price in named.items() if not is_set(way)}
        of_sets, of_others = (sum(math.exp(-price) for price in some.values()) for some in (sets, others))
        slipped = of_others > of_sets
        ranked = sorted((others if slipped else sets).items(), key=lambda way: way[::-1])
        likeliest, least = ranked[0]
        self.guessed.pop(key, None)
        self.doubts.discard(key)
        if not slipped and sum(price < least + AS_WELL for price in (named | mended).values()) > 1:
            self.guessed[key] = likeliest
        surely = any(not any(look.flagged(at) for look, at, _ in one) for one in zip(*cards, strict=False))
        if slipped and not (surely and of_others >= CLEAR * (of_sets + of_others)):
            self.doubts.add(key)
        return likeliest

    def _ways(self, cards: Sequence[Seen]) -> tuple[dict[Treasures, float], dict[Treasures, float]]:
        """What the cards of a set may be as looks name them, and, if that is likeliest none, with one or two of them
        another card; each with what that costs.
        """

        def cost(i: int, true: Treasure) -> float:
            return sum(look.price(at, read, true) for look, at, read in cards[i] if read != true)

        ways = [dict.fromkeys(name for one in card for name in _named(*one)) for card in cards]
        named = {way: sum(cost(i, one) for i, one in enumerate(way)) for way in product(*ways)}
        best = min(named, key=lambda way: (named[way], way))
        mended: dict[Treasures, float] = {}
        if is_set(best):
            return named, mended
        known = {read for lay in self.cards.values() for card in lay for *_, read in card}
        more = [{one: cost(i, one) - cost(i, lay) + UNNAMED for one in known | ALL} for i, lay in enumerate(best)]
        for i, lay in enumerate(best):
            more[i][lay] = 0.0
        for i, j in combinations(range(len(best)), 2):
            for one, other in product(more[i], more[j]):
                way = (*best[:i], one, *best[i + 1 : j], other, *best[j + 1 :])
                price = named[best] + more[i][one] + more[j][other]
                if price < min(named.get(way, FAR), mended.get(way, FAR)):
                    mended[way] = price
        return named, mended


def _opened(turn: Turn) -> tuple[int, ...]:
    """The numbers of the sets that came in a turn."""
    return tuple(turn.same[3]) if turn.move == "turn" else (turn.same[3],)


def _named(look: Look, at: str, read: Treasure) -> tuple[Treasure, ...]:
    """What a card may be as a look shows it."""
    odds = look.odds.get(at)
    return (read, *(odds if isinstance(odds, dict) else ()))
