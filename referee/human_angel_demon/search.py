"""How a look of Human Angel Demon came about: what went from the market, and the turns and gains that led to it.

Hands are hidden: what is taken is seen in the market, what is done with it before the player.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from typing import Any, Final, NamedTuple

from referee.human_angel_demon.faces import LIKELIER, SURE
from referee.human_angel_demon.game import HumanAngelDemonGame
from referee.human_angel_demon.tables import UNSEEN, Done, Event, Ids, Reading, Side, Table, hand_sizes, with_side
from referee.looks import EDITED, MISREAD, PARTLY, UNKNOWN, WAITING, Look, breach
from referee.turns import Explanation, Owed, Turn

BEGUN: Final = 1.2
"""One turn is over and the next one has begun."""
GAINED: Final = 2.0
"""A discard that no look showed was gained."""
COINCIDENCE: Final = 1.0
"""A card dealt to the market is one that lay there before."""
ANOTHER: Final = 0.7
"""A set without the card that was taken, where that is not known."""
MOST_TURNS: Final = 6
"""Turns between two looks."""


def _lies(read: Reading) -> bool:
    """Whether anything of the short game that is over still lies there."""
    return any(side is not None and (side.discards or side.open) for side in read.sides)


class _Market(NamedTuple):
    """How the market may have become what a look shows: the cards gone, what lies there, what was dealt."""

    cost: float
    gone: Ids
    lies: Ids
    came: Ids = ()


class Search:
    """One table, one look: the explanations."""

    def __init__(self, rules: HumanAngelDemonGame, table: Table, look: Look, wide: bool) -> None:
        self.rules, self.table, self.look, self.wide = rules, table, look, wide
        self.read: Reading = look.read
        self.stands = False

    def _lies_anew(self) -> bool:
        """Whether all cards were collected and others have been dealt; those that lay there are being cleared."""
        read, codes = self.read, self.rules.faces.codes
        new = Counter(read.market or ()) - Counter(codes[card] for card in self.table.market)
        return read.winner is None and bool(new) and not _lies(read)

    def found(self) -> Iterator[Explanation]:
        """All explanations."""
        rules, table, look, read = self.rules, self.table, self.look, self.read
        if read.short_game > table.short_game or (table.winner is not None and self._lies_anew()):
            yield self._dealt()
            return
        sides = tuple(rules.side(table, p, read) for p in range(len(rules.names)))
        turns = sum(len(new.discards) + len(new.open) for new in self._new(sides))
        rules.see_last(table, look)
        markets = sorted(self._markets(turns), key=lambda way: way.cost)
        renewal = rules.see(table, look, markets[0].came if markets else ())
        fixes = look.memo["fixes"]
        cost = look.least + MISREAD * self._lost()
        for market in markets if turns <= MOST_TURNS else ():
            for way in self._ways(sides, market):
                yield way._replace(cost=cost + way.cost + market.cost, fixes=fixes, renewal=renewal)
        if self.wide and not self.stands:
            if not look.typed:
                yield Explanation(cost + WAITING, (), fixes, (), True, renewal=renewal)
            best = markets[0] if markets else _Market(0.0, (), table.market)
            what = [rules.faces.codes[card] for card in (*best.gone, *best.came)]
            fields = {"what": what, "from": UNKNOWN, "to": UNKNOWN}
            now = table._replace(market=best.lies, sides=sides)
            turn = Turn(None, "edit", fields, (), now, ("edit",), table.turns, 0, UNKNOWN)
            yield Explanation(cost + EDITED, (turn,), fixes, renewal=renewal)

    def _dealt(self) -> Explanation:
        """H1, H13: a new short game; the left neighbor of whoever began the last one begins."""
        rules, table = self.rules, self.table
        short = max(self.read.short_game, table.short_game)
        begins = None if rules.first is None else (rules.first + short - 1) % len(rules.names)
        new = rules.deal(table._replace(mover=begins, short_game=short), self.look)
        fixes = self.look.memo["fixes"]
        fields = {"what": [rules.faces.codes[card] for card in new.market], "from": "deck", "to": "market"}
        turn = Turn(None, "deal", fields, (), new, ("deal", short), table.turns, 0)
        return Explanation(self.look.least, (turn,), fixes)

    def _new(self, sides: tuple[Side, ...]) -> list[Side]:
        """What has come before each player."""
        return [
            Side(side.discards[len(lay.discards) - (side.gained - lay.gained) :], side.open[len(lay.open) :])
            for lay, side in zip(self.table.sides, sides, strict=True)
        ]

    def _lost(self) -> int:
        """How many cards that lay there the look does not show."""
        lost = 0
        for lay, shown in zip(self.table.sides, self.read.sides, strict=True):
            if shown is not None and shown.discards is not None:
                lost += max(len(lay.discards) - len(shown.discards), 0)
            if shown is not None and shown.open is not None:
                lost += max(len(lay.open) - len(shown.open), 0)
        return lost

    # The market

    def _markets(self, turns: int) -> Iterator[_Market]:
        """How the market may have become what the look shows after so many turns."""
        table, read = self.table, self.read.market
        if read is None:
            yield _Market(0.0, (), table.market)
            return
        pairs, left, places = self.rules.paired(table, read)
        ways: dict[Ids, float] = {}
        for some in permutations(left, len(places)) if len(places) <= len(left) else ():
            cost = sum(self.rules.further(self.look, read, *pair) for pair in zip(some, places, strict=True))
            gone = tuple(card for card in left if card not in some)
            ways[gone] = min(cost, ways.get(gone, cost))
        for gone, cost in list(ways.items()):
            for one in gone:  # it may lie there and be read as another one that is gone
                for card, i in pairs:
                    if self.rules.faces.codes[card] != self.rules.faces.codes[one]:
                        other = tuple(sorted((*(rest for rest in gone if rest != one), card)))
                        more = cost + self.rules.further(self.look, read, one, i)
                        ways[other] = min(more, ways.get(other, more))
        for gone, cost in ways.items():
            yield _Market(cost, gone, tuple(card for card in table.market if card not in gone))
        dealt = len(self.rules.names) + 1
        if len(table.market) <= turns and read and turns - len(table.market) - 1 <= dealt - len(read):
            came = tuple(self.rules.faces.number((self.look.number, i)) for i in range(len(read)))
            yield _Market(COINCIDENCE * len(pairs), table.market, came, came)

    # Turns

    def _ways(self, sides: tuple[Side, ...], market: _Market) -> Iterator[Explanation]:
        rules, table, read = self.rules, self.table, self.read
        goal = read.winner is not None and table.winner is None
        changed = sides != table.sides
        if not changed and not goal:
            if not market.gone and not market.came and not table.hand:
                yield Explanation(0.0, ())
            elif market.came and not market.gone and len(market.came) == len(rules.names) + 1:
                yield Explanation(0.0, (), table=table._replace(market=market.lies))  # H2: dealt before the next turn
            elif not self.stands:
                card = (UNSEEN,) * (len(market.came) == len(rules.names)) if market.came else market.gone
                one = len(card) == 1 and not table.hand and not (market.came and market.gone)
                took = table._replace(market=market.lies, hand=card) if one else None
                yield Explanation(PARTLY, (), (), (self._owed(table),), True, table=took)
            return
        for cost, events in self._order(sides):
            for way in self._told(sides, market, events):
                yield way._replace(cost=way.cost + cost)

    def _owed(self, table: Table) -> Owed:
        return Owed(self.rules.turn_of(table), "a set opened, a discard or a goal", "H3")

    def _order(self, sides: tuple[Side, ...]) -> Iterator[tuple[float, list[Event]]]:
        """The turns and gains that led to this, in every order that may be."""
        table, n = self.table, len(self.rules.names)
        new = self._new(sides)
        first: list[Event] = []
        for p, side in enumerate(sides):
            if side.gained > table.sides[p].gained:
                q, row = self.rules.taker(table, p, self.read)
                ids = sides[q].open[len(table.sides[q].open) + row]
                if ids in new[q].open:  # two discards like it may be gone: one set takes one of them
                    new[q] = new[q]._replace(open=tuple(one for one in new[q].open if one != ids))
                    first.append(Event(q, table.sides[p].discards[-1], ids, p))
        goal = self.read.winner if table.winner is None else None

        def go(
            mover: int | None, left: list[Side], events: list[Event], cost: float
        ) -> Iterator[tuple[float, list[Event]]]:
            movers = [p for p in range(n) if left[p].discards or left[p].open]
            if not movers:
                yield cost, events if goal is None else [*events, Event(goal, goal=True)]
                return
            order = movers if mover is None else sorted(movers, key=lambda p: (p - mover) % n)
            for p in order if mover is None else order[:1]:
                side = left[p]
                if side.discards:
                    rest = side._replace(discards=side.discards[1:])
                    yield from go(
                        (p + 1) % n, [*with_side(tuple(left), p, rest)], [*events, Event(p, side.discards[0])], cost
                    )
                if side.open:
                    rest = side._replace(open=side.open[1:])
                    after = [*with_side(tuple(left), p, rest)]
                    yield from go((p + 1) % n, after, [*events, Event(p, None, side.open[0])], cost)
                    if mover is not None and mover != p:  # the mover's discard was gained at once
                        both = [Event(mover, UNSEEN), Event(p, UNSEEN, side.open[0], mover)]
                        yield from go((mover + 1) % n, after, [*events, *both], cost + GAINED)
                if side.open and side.discards:
                    rest = side._replace(open=side.open[1:], discards=side.discards[1:])
                    one = Event(p, side.discards[0], side.open[0])
                    yield from go((p + 1) % n, [*with_side(tuple(left), p, rest)], [*events, one], cost)

        yield from go(table.mover, new, first, 0.0)

    def _told(self, sides: tuple[Side, ...], market: _Market, events: list[Event]) -> Iterator[Explanation]:
        """The turns as lines of the log; with a card too many that was taken, the next one has begun too."""
        rules, table, n = self.rules, self.table, len(self.rules.names)
        takers = [i for i, one in enumerate(events) if one.giver is None and not (one.goal and self._by_discard())]
        late = max(len(takers) - bool(table.hand) - len(table.market), 0) if market.came else 0
        early = takers[: len(takers) - late]
        took, rest, cost = self._took(market.gone, events, early)
        spare = len(market.gone) + bool(table.hand) - len(early)
        if spare < 0 and self.read.market is not None:
            cost -= MISREAD * spare
        first = takers[len(early)] if late else len(events) - 1
        dealt = (*market.came, *[UNSEEN] * (n + 1 - len(market.came))) if market.came else ()
        turns: list[Turn] = []
        now = table
        for i, event in enumerate(events):
            p = event.player
            more = any(one.player == p for one in events[i + 1 :])
            ready = now.sides[p].ready if more or event.goal else sides[p].ready
            done = self._done(now, event, took.get(i, UNSEEN), ready)
            done = done._replace(dealt=dealt if i == first else ())
            after = self._after(now, done, ready)
            if i == len(events) - 1:
                after = after._replace(
                    market=market.lies, winner=p if event.goal else now.winner, sizes=hand_sizes(self.read)
                )
            turns.append(rules.turn(now, done, after))
            cost += breach(turns[-1].breaks)
            before, now = now, after
        if not turns:
            return
        goal = any(one.goal for one in events)
        pairs = zip(self.read.sides, table.sizes, strict=False)
        grew = {p for p, (shown, size) in enumerate(pairs) if shown and size and shown.size and shown.size > size}
        if market.came:
            spare = n + 1 - late - len(market.came)
        begun = not goal and not self.stands and spare == 1
        if spare > 0:
            two = turns[-1].same._replace(breaks=(*turns[-1].same.breaks, "H2"))
            broken = rules.turn(before, two, now)
            odd = MISREAD * (bool(grew) and events[-1].player not in grew)
            yield Explanation(cost + odd + breach(broken.breaks) - breach(turns[-1].breaks), (*turns[:-1], broken))
        if begun:
            counted = all(shown is not None and shown.size is not None for shown in self.read.sides)
            cost += BEGUN + MISREAD * (counted and not grew - {events[-1].player})
            turns[-1] = turns[-1]._replace(table=now._replace(hand=rest or (UNSEEN,)))
            yield Explanation(cost, tuple(turns), (), (self._owed(now),), True)
        elif spare <= 0:
            yield Explanation(cost, tuple(turns))

    def _done(self, now: Table, event: Event, took: int, ready: bool) -> Done:
        """What a player did, with the rules broken that no card's face has a part in."""
        p, gain, lay = event.player, event.giver is not None, now.sides[event.player]
        goal = event.goal and (not lay.open or (self._by_discard() and not lay.ready))
        broken = {
            "H7": not gain and not (event.goal and self._by_discard()) and now.mover not in (None, p),
            "H5": (event.opened and lay.ready) or (ready and not lay.ready and event.discarded is None),
            "H3": event.opened and event.discarded is not None and not gain,
            "H10": goal,
        }
        breaks = tuple(rule for rule, broke in broken.items() if broke)
        kind = "gain" if gain else "goal" if event.goal else "turn"
        won = self._won(p) if event.goal else ()
        new = ready and not lay.ready
        return Done(p, kind, took, event.opened, event.discarded, event.giver, lay.ready, new, (), won, breaks)

    def _after(self, now: Table, done: Done, ready: bool) -> Table:
        """The table after what a player did."""
        p, lay = done.player, now.sides[done.player]
        opened = (*lay.open, done.opened) if done.opened else lay.open
        if done.giver is not None:
            after = now._replace(sides=with_side(now.sides, p, lay._replace(open=opened, ready=ready)))
            gave = after.sides[done.giver]
            gave = gave._replace(discards=gave.discards[:-1], gained=gave.gained + 1)
            return after._replace(sides=with_side(after.sides, done.giver, gave)) if done.discarded else after
        discards = (*lay.discards, done.discarded) if done.discarded else lay.discards
        after = now._replace(
            market=tuple(card for card in now.market if card != done.took),
            sides=with_side(now.sides, p, lay._replace(discards=discards, open=opened, ready=ready)),
            turns=now.turns + 1,
            mover=(p + 1) % len(self.rules.names),
            hand=(),
        )
        known = lay.ready and done.discarded and done.took
        return after._replace(same=(*now.same, (done.took, done.discarded or UNSEEN))) if known else after

    def _by_discard(self) -> bool:
        return bool(self.read.state.get("won_by") == "discard")

    def _won(self, p: int) -> tuple[Any, ...]:
        shown, state = self.read.sides[p], self.read.state
        bonus = state.get("bonus", ())
        hand = shown.hand if shown is not None and shown.hand is not None else ()
        return state.get("won_by", UNKNOWN), hand, tuple(bonus) if isinstance(bonus, list) else ()

    def _took(self, gone: Ids, events: list[Event], takers: list[int]) -> tuple[dict[int, int], Ids, float]:
        """Which card each turn took, where a set, a ready player's discard or the number of cards tells; the rest."""
        codes, rest, took = self.rules.faces.codes, list(gone), dict[int, int]()
        open_ = []
        for i in takers:
            event, ways = events[i], rest
            if i == takers[0] and self.table.hand:
                ways = list(self.table.hand)
            ready = self.table.sides[event.player].ready
            cards = event.opened or ((event.discarded,) if ready and event.discarded else ())
            shown = {codes[card] for card in cards}
            some = [one for one in ways if codes[one] in shown]
            card = some[0] if len({codes[one] for one in some}) == 1 else None
            if card is None and ready and cards:
                links = sorted((self.rules.faces.link((one, *cards)), one) for one in ways if one)
                near = len(links) > 1 and links[1][0] < links[0][0] + SURE
                card = links[0][1] if links and links[0][0] < LIKELIER and not near else None
            if card is None and ways is not rest and len({codes[one] for one in ways}) == 1:
                card = ways[0]
            if card is not None:
                took[i] = card
            if card in rest:
                rest.remove(card)
            elif card is None and ways is rest:
                open_.append(i)
        if len({codes[card] for card in rest}) == 1 and len(open_) in (1, len(rest)):
            for i in open_:
                took[i] = rest.pop()
        others = [
            i
            for i in takers
            if events[i].opened and codes[took.get(i, UNSEEN)] not in {codes[c] for c in events[i].opened}
        ]
        return took, tuple(rest), ANOTHER * len(others)
