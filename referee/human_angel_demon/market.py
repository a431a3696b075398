"""How the market of Human Angel Demon may have become what a look shows: it only loses cards until it is dealt anew."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from referee.human_angel_demon.tables import NO_TAKE, UNSEEN, Ids, Reading, Table
from referee.looks import MISREAD, Look

COINCIDENCE: Final = 1.0
"""A card dealt to the market is one that lay there before."""
MOST_TAKEN: Final = 7
"""Cards that are taken between two looks at most."""
MOVED: Final = 0.35
"""The cards lie in another order than before."""
NEAR: Final = 8.0
"""Ways that cost so much more than the cheapest are none."""
MOST_WAYS: Final = 6


class Market(NamedTuple):
    """One way: how many cards were taken (None: no look tells), which are gone, which lie in the look's order.

    `deals`: how often it was dealt since; then those that lie there have no numbers yet. `back`: a card taken was put
    back.
    """

    cost: float
    taken: int | None
    gone: Ids
    lies: Ids
    deals: int = 0
    back: bool = False


def markets(table: Table, look: Look, players: int, turns: int) -> Iterator[Market]:
    """The ways, the cheapest first, where so many turns at least left something behind."""
    reading: Reading = look.read
    read = reading.market
    if read is None:
        yield Market(0.0, None, (), table.market)
        return
    ways = [*_fewer(table, look, table.market, read)]
    if table.hand != NO_TAKE and not ways and len(read) == len(table.market) + 1:
        card = table.takes[table.hand]
        if card != UNSEEN:
            ways += [way._replace(back=True, taken=0) for way in _fewer(table, look, (*table.market, card), read)]
    dealt = players + 1
    if len(read) <= dealt and len(table.market) + dealt - len(read) <= MOST_TAKEN:
        codes = table.codes(table.market)
        alike = sum(code in codes for code in read)
        taken = len(table.market) + dealt - len(read)
        ways.append(Market(COINCIDENCE * alike, taken, table.market, (), deals=1))
        if taken < turns and taken + dealt <= MOST_TAKEN:
            ways.append(Market(COINCIDENCE * alike, taken + dealt, table.market, (), deals=2))
    if not ways:  # more cards than may lie there
        ways.append(Market(MISREAD, None, (), table.market))
    yield from sorted(ways, key=lambda way: way.cost)


def _fewer(table: Table, look: Look, market: Ids, read: tuple[str, ...]) -> Iterator[Market]:
    """The cards that are gone, each with the cheapest way in which the others lie there."""
    if len(read) > len(market):
        return
    cards = [table.cards[card] for card in market]
    best: dict[int, tuple[float, Ids]] = {0: (0.0, ())}
    for i, code in enumerate(read):
        costs = [card.further(look, f"/market/{i}", code) for card in cards]
        then: dict[int, tuple[float, Ids]] = {}
        for mask, (cost, ids) in best.items():
            for k, more in enumerate(costs):
                if not mask >> k & 1:
                    now = mask | 1 << k
                    price = cost + more + MOVED * (mask >> k > 0)
                    if now not in then or price < then[now][0]:
                        then[now] = (price, (*ids, market[k]))
        best = then
    least = min(cost for cost, _ in best.values())
    seen = set[tuple[tuple[str, bool], ...]]()
    for cost, lies in sorted(best.values())[: 2 * MOST_WAYS]:
        gone = tuple(card for card in market if card not in lies)
        codes = tuple(sorted((table.cards[card].code, table.cards[card].doubtful) for card in gone))
        if cost < least + NEAR and codes not in seen:
            seen.add(codes)
            yield Market(cost, len(gone), gone, lies)
