"""How what lies before the players of Human Angel Demon came to be: what a look adds to it, and what is gone."""

from collections import Counter
from collections.abc import Sequence
from itertools import product
from typing import Final, NamedTuple

from referee.human_angel_demon.cards import Card, as_set, is_set
from referee.human_angel_demon.tables import HAND, UNSEEN, Ids, Reading, ReadSide, Side, Table, last_of
from referee.looks import MISREAD, UNKNOWN, Fix, Look

NEAR: Final = 8.0
"""Ways in which rows lie that cost so much more than the best one are none."""
MOST_WAYS: Final = 4
MOST_ROWS: Final = 3
"""Ways in which one player's row lies."""


class Row(NamedTuple):
    """How the things before one player may lie: the discards still there, one that is gone."""

    cost: float
    kept: Ids
    gone: int = UNSEEN


class Rows(NamedTuple):
    """How everybody's things lie: the cards after this look, what came, what is gone, wrong readings."""

    cost: float
    cards: list[Card]
    discards: tuple[Ids, ...]
    opens: tuple[tuple[Ids, ...], ...]
    gone: tuple[int, ...]
    fixes: tuple[Fix, ...]


def ready(table: Table, read: Reading, p: int) -> bool:
    """Whether a player is ready after a look."""
    shown = read.sides[p]
    return table.sides[p].ready if shown is None or shown.ready is None else shown.ready


class Laid:
    """One table, one look: the ways in which everybody's things may lie."""

    def __init__(self, table: Table, look: Look) -> None:
        self.table, self.look = table, look
        self.read: Reading = look.read

    def ways(self) -> list[Rows]:
        """The ways, the cheapest first."""
        each = [self._row(p) for p in range(len(self.table.sides))]
        combined = sorted(product(*each), key=lambda rows: sum(row.cost for row in rows))[:MOST_WAYS]
        return [self._laid(rows) for rows in combined]

    def _row(self, p: int) -> list[Row]:
        shown, lay = self.read.sides[p], self.table.sides[p].discards
        if shown is None or shown.discards is None:
            return [Row(0.0, lay)]
        cards, read = self.table.cards, shown.discards
        costs: dict[tuple[int, int], float] = {}

        def fit(ids: Ids) -> float:
            cost = MISREAD * max(len(ids) - len(read), 0)
            for i, (card, code) in enumerate(zip(ids, read, strict=False)):
                if code not in (cards[card].code, UNKNOWN):
                    if (card, i) not in costs:
                        costs[card, i] = cards[card].further(self.look, f"{shown.at}/discards/{i}", code)
                    cost += costs[card, i]
            return cost

        whole = Row(fit(lay), lay)
        if whole.cost < MISREAD and not self._fewer(p, shown):
            return [whole]
        ways = [whole]
        for i in reversed(range(len(lay))):
            if i < len(read) and read[i] == cards[lay[i]].code and len(read) >= len(lay):
                continue
            kept = (*lay[:i], *lay[i + 1 :])
            ways.append(Row(fit(kept), kept, lay[i]))
            if len(read) >= len(lay) and i < len(lay) - 1 and ways[-1].cost > NEAR:
                break
        best = min(way.cost for way in ways)
        unlike: dict[object, Row] = {}
        for way in ways:
            code = way.gone and cards[way.gone].code
            if code not in unlike or way.cost < unlike[code].cost:
                unlike[code] = way
        return sorted((way for way in unlike.values() if way.cost < best + NEAR), key=lambda way: (way.cost, way.gone))[
            :MOST_ROWS
        ]

    def _fewer(self, p: int, shown: ReadSide) -> bool:
        """Whether a discard is gone, or may be: it lies in another player's new set."""
        lay, read = self.table.sides[p].discards, shown.discards or ()
        last = self.table.cards[last_of(lay)].code
        new = [
            cards
            for q, other in enumerate(self.read.sides)
            if other is not None and q != p
            for cards in (other.open or ())[len(self.table.sides[q].open) :]
        ]
        return bool(lay) and read[len(lay) - 1] != last and any(last in cards for cards in new)

    def _laid(self, rows: Sequence[Row]) -> Rows:
        """The cards read once more, those that came among them."""
        table, look = self.table, self.look
        cards, fixes, cost = [*table.cards], list[Fix](), sum(row.cost for row in rows)
        discards: list[Ids] = []
        opens: list[tuple[Ids, ...]] = []

        def see(ids: Ids, read: Sequence[str], at: str) -> Ids:
            new = tuple(range(len(cards), len(cards) + len(read) - len(ids)))
            cards.extend(Card() for _ in new)
            for i, (card, code) in enumerate(zip((*ids, *new), read, strict=False)):
                cards[card], wrong = cards[card].read(look, f"{at}/{i}", code)
                fixes.extend(wrong)
            return new

        sets: list[tuple[Ids, bool]] = []
        for p, row in enumerate(rows):
            shown, lay = self.read.sides[p], table.sides[p]
            came: list[Ids] = []
            discards.append(see(row.kept, shown.discards or (), f"{shown.at}/discards") if shown else ())
            if shown is not None and shown.open is not None:
                cost += MISREAD * max(len(lay.open) - len(shown.open), 0)
                for i, read in enumerate(shown.open):
                    ids = lay.open[i] if i < len(lay.open) else ()
                    before = sum(cards[card].cost(cards[card].code) for card in ids)
                    new = see(ids, read, f"{shown.at}/open/{i}")
                    cost += sum(cards[card].cost(cards[card].code) for card in ids) - before
                    came += [new] if not ids else []
                    sets.append((ids or new, not ids))
            opens.append(tuple(came))
        gone = self._gone_codes()
        for ids, new_set in sets:
            some = tuple(cards[card] for card in ids)
            if not is_set(tuple(card.code for card in some)):
                better = as_set(some, gone if new_set else frozenset())
                if better is not None:
                    for card, was, now in zip(ids, some, better, strict=True):
                        if was is not now:
                            cards[card] = now
                            cost += now.cost(now.code) - was.cost(was.code)
                            fixes += [fix for seen, fix in now.wrong() if seen is look]
        return Rows(cost, cards, tuple(discards), tuple(opens), tuple(row.gone for row in rows), tuple(fixes))

    def _gone_codes(self) -> frozenset[str]:
        """Cards of the market that the look does not show."""
        lay = Counter(self.table.codes(self.table.market))
        return frozenset() if self.read.market is None else frozenset(lay - Counter(self.read.market))


def dealt(table: Table, look: Look, begins: int | None, short: int) -> tuple[Table, tuple[Fix, ...]]:
    """The table of a short game that begins with this look, or was going on in it."""
    read: Reading = look.read
    cards, fixes = [*table.cards], list[Fix]()

    def see(codes: Sequence[str], at: str) -> Ids:
        ids = tuple(range(len(cards), len(cards) + len(codes)))
        for i, code in enumerate(codes):
            card, wrong = Card().read(look, f"{at}/{i}", code)
            cards.append(card)
            fixes.extend(wrong)
        return ids

    market = see(read.market or (), "/market")
    sides = []
    for shown in read.sides:
        if shown is None:
            sides.append(Side())
            continue
        opened = [see(codes, f"{shown.at}/open/{i}") for i, codes in enumerate(shown.open or ())]
        laid = see(shown.discards or (), f"{shown.at}/discards")
        sides.append(Side(laid, tuple(opened), bool(shown.ready)))
    sizes = tuple(HAND if shown is None or shown.size is None else shown.size for shown in read.sides)
    now = Table(
        tuple(cards), market, tuple(sides), table.takes, turns=table.turns, mover=begins, short_game=short, sizes=sizes
    )
    return now, tuple(fixes)
