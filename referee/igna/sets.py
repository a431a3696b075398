"""Fuse the readings of each card in opened sets of Igna over all observations into one believed card."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from itertools import product
from typing import Final

from referee.igna.tables import Reading, Side, Treasure, Treasures, is_set
from referee.looks import SLIP, Fix, Look
from referee.turns import Renewal, Turn

ALL: Final = {f"{color}{n}" for color in ("red", "yellow", "green", "blue") for n in range(1, 6)}
"""The treasures; those with a bonus are known from what was read."""

Seen = list[tuple[Look, str, Treasure]]
"""The looks that show a card: its pointer, and what it was read as."""


class Sets:
    """The sets of all players between given names; a card lies where it was first seen."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names
        self.cards: dict[tuple[int, int], list[Seen]] = {}
        self.believed: dict[tuple[int, int], Treasures] = {}

    def see(self, look: Look) -> Renewal | None:
        """Read the look's sets into those that lie there; what that changes of earlier looks."""
        if "seen" in look.memo:
            renewal: Renewal | None = look.memo["seen"]
            return renewal
        before = dict(self.believed)
        read: Reading = look.read
        for p, shown in enumerate(read.sides):
            for n, cards in enumerate(shown.sets if shown is not None else ()):
                lay = self.cards.setdefault((p, n), [[] for _ in cards])
                for i, (card, treasure) in enumerate(zip(lay, cards, strict=False)):
                    card.append((look, f"{read.ats[p]}/sets/{n}/{i}", treasure))
                if cards != self.believed.get((p, n)):
                    self.believed[p, n] = self._likeliest(lay)
        look.least = sum(look.price(*fix) for fix in self.fixes(look))
        changed = {key for key, cards in before.items() if self.believed[key] != cards}
        renewal = look.memo["seen"] = None
        if changed:
            judged = frozenset((seen.number, at) for lay in self.cards.values() for card in lay for seen, at, _ in card)
            earlier = tuple(one for one in self._wrong() if one[0] is not look)
            renewal = look.memo["seen"] = Renewal(lambda turn: self._again(turn, changed), earlier, judged)
        return renewal

    def fixes(self, look: Look) -> tuple[Fix, ...]:
        """The cards that a look shows wrongly."""
        if not look.memo.get("fixes") or look.memo["fixes"][0] != self.believed:
            look.memo["fixes"] = dict(self.believed), tuple(fix for seen, fix in self._wrong() if seen is look)
        fixes: tuple[Fix, ...] = look.memo["fixes"][1]
        return fixes

    def side(self, p: int, lay: Side, shown: Side | None) -> Side:
        """What lies before a player, the sets as they are believed to be, those too that a look does not show."""
        n = max(len(lay.sets), len(shown.sets) if shown else 0)
        return (shown or lay)._replace(sets=tuple(self.believed[p, i] for i in range(n)))

    def _wrong(self) -> tuple[tuple[Look, Fix], ...]:
        return tuple(
            (seen, Fix(at, read, true))
            for key, lay in self.cards.items()
            for true, card in zip(self.believed[key], lay, strict=True)
            for seen, at, read in card
            if read != true
        )

    def _again(self, turn: Turn, changed: AbstractSet[tuple[int, int]]) -> Turn:
        """The turn with its sets as they are believed to be now."""
        if turn.move not in ("turn", "get"):
            return turn
        ids = turn.same[3] if turn.move == "turn" else (turn.same[3],)
        if not any((turn.same[0], n) in changed for n in ids):
            return turn
        sets = [self.believed[turn.same[0], n] for n in ids]
        said = {"sets": [list(one) for one in sets]} if turn.move == "turn" else {"set": list(sets[0])}
        breaks = tuple(rule for rule in turn.breaks if rule != "I5")
        breaks = breaks if all(map(is_set, sets)) else (*breaks, "I5")
        return turn._replace(fields={**turn.fields, **said}, breaks=breaks, legal=not breaks)

    def _likeliest(self, cards: Sequence[Seen]) -> Treasures:
        """What the cards of a set are, as all looks show them together: a set, unless that is dearer than a slip."""

        def cost(i: int, true: Treasure) -> float:
            return sum(look.price(at, read, true) for look, at, read in cards[i] if read != true)

        ways: list[list[Treasure]] = []
        for card in cards:
            named: dict[Treasure, None] = {}
            for look, at, read in card:
                odds = look.odds.get(at)
                named |= dict.fromkeys((read, *(odds if isinstance(odds, dict) else ())))
            ways.append(list(named))
        found = [(sum(cost(i, one) for i, one in enumerate(way)), way) for way in product(*ways)]
        least, best = min(found)
        if not is_set(tuple(best)):
            known = {read for lay in self.cards.values() for card in lay for *_, read in card}
            for i in range(len(best)):
                some = [(*best[:i], one, *best[i + 1 :]) for one in sorted(known | ALL)]
                found += [(least - cost(i, best[i]) + cost(i, way[i]), way) for way in some]
        return tuple(min(found, key=lambda way: way[0] + SLIP * (not is_set(tuple(way[1]))))[1])
