"""How a look of Human Angel Demon came about: what went from the market, and the turns and gains that led to it.

Hands are hidden: what is taken is seen in the market, what is done with it before the player. Turns are tried forwards
in their order; each rule that they break has its price.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import Any, Final, NamedTuple

from referee.human_angel_demon.cards import Card, as_same, as_set, is_set
from referee.human_angel_demon.game import HumanAngelDemonGame, last_of
from referee.human_angel_demon.market import Market, markets
from referee.human_angel_demon.tables import (
    HAND,
    NO_TAKE,
    UNSEEN,
    Done,
    Ids,
    Reading,
    ReadSide,
    Side,
    Table,
    with_side,
)
from referee.looks import EDITED, MISREAD, PARTLY, SLIP, UNKNOWN, WAITING, Fix, Look, breach
from referee.turns import Explanation, Owed, Turn

BEGUN: Final = 1.2
"""One turn is over and the next one has begun."""
GAINED: Final = 2.0
"""A discard that no look showed was gained."""
HIDDEN: Final = 0.5
"""A turn of which nothing is in sight, since the look does not show its player; what was opened more than a discard."""
ANOTHER: Final = 0.7
"""A set without the card that was taken."""
MOST_TURNS: Final = 6
"""Turns between two looks."""
MOST_SLIPS: Final = 2
"""Turns that break a rule between two looks."""
NEAR: Final = 8.0
"""Ways in which rows lie that cost so much more than the best one are none."""
MOST_WAYS: Final = 4


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


class Event(NamedTuple):
    """A turn, a gain or a goal: whose, what was laid, whose discard was taken; `takes`: a card of the market, too."""

    player: int
    kind: str = "turn"
    discarded: Ids = ()
    opened: tuple[Ids, ...] = ()
    giver: int | None = None
    gained: int = UNSEEN
    takes: bool = True
    breaks: tuple[str, ...] = ()


class Path(NamedTuple):
    """Events in their order, whose turn it is then, and what is not explained yet."""

    mover: int | None
    fresh: int | None
    discards: tuple[Ids, ...]
    opens: tuple[tuple[Ids, ...], ...]
    gone: tuple[int, ...]
    events: tuple[Event, ...] = ()
    cost: float = 0.0
    slips: int = 0


class Search:
    """One table, one look: the explanations."""

    def __init__(self, rules: HumanAngelDemonGame, table: Table, look: Look, wide: bool) -> None:
        self.rules, self.table, self.look, self.wide = rules, table, look, wide
        self.read: Reading = look.read
        self.n = len(rules.names)

    def found(self) -> Iterator[Explanation]:
        """All explanations."""
        table, look, read = self.table, self.look, self.read
        if read.short_game > table.short_game or (table.winner is not None and self._lies_anew()):
            yield self._dealt()
            return
        ways = self._rows()
        look.least = min(look.least or ways[0].cost, ways[0].cost)
        found = False
        shown = [*markets(table, look, self.n)]
        for rows in ways:
            came = sum(map(len, (*rows.discards, *rows.opens)))
            if came > MOST_TURNS:
                continue
            paths = [*self._paths(rows)]
            for market in shown:
                for path in paths:
                    for way in self._told(rows, market, path):
                        found = True
                        yield way
        if self.wide or not found:
            yield from self._unexplained(ways[0], shown)

    def _unexplained(self, rows: Rows, shown: list[Market]) -> Iterator[Explanation]:
        market = shown[0] if shown else None
        cards, fixes = self._cards(rows, market)
        cost = rows.cost + (market.cost if market else 0.0)
        if not self.look.typed:
            yield Explanation(cost + WAITING, (), fixes, (), True)
        sides = tuple(
            Side(
                (*(card for card in side.discards if card != rows.gone[p]), *rows.discards[p]),
                (*side.open, *rows.opens[p]),
                self._ready(p),
            )
            for p, side in enumerate(self.table.sides)
        )
        lies = tuple(range(len(rows.cards), len(cards))) if market and market.new else market.lies if market else None
        now = replace(
            self.table, cards=tuple(cards), sides=sides, market=self.table.market if lies is None else lies,
            mover=None, hand=NO_TAKE, pending=(), fresh=None,
        )  # fmt: skip
        what = [card for ids in (*rows.discards, market.gone if market else ()) for card in now.codes(ids)]
        fields = {"what": what, "from": UNKNOWN, "to": UNKNOWN}
        turn = Turn(None, "edit", fields, (), now, ("edit",), self.table.turns, 0, UNKNOWN)
        yield Explanation(cost + EDITED, (turn,), fixes, renewal=self.rules.renewal(self.table, now))

    def _lies_anew(self) -> bool:
        """Whether all cards were collected and others have been dealt; those that lay there are being cleared."""
        read = self.read
        new = Counter(read.market or ()) - Counter(self.table.codes(self.table.market))
        lies = any(side is not None and (side.discards or side.open) for side in read.sides)
        return read.winner is None and bool(new) and not lies

    def _dealt(self) -> Explanation:
        """H1, H13: a new short game; the left neighbor of whoever began the last one begins."""
        rules, table = self.rules, self.table
        short = max(self.read.short_game, table.short_game)
        begins = None if rules.first is None else (rules.first + short - 1) % self.n
        new, fixes = dealt(table, self.look, begins, short)
        fields = {"what": new.codes(new.market), "from": "deck", "to": "market"}
        turn = Turn(None, "deal", fields, (), new, ("deal", short), table.turns, 0)
        return Explanation(0.0, (turn,), fixes)

    # Rows before the players

    def _rows(self) -> list[Rows]:
        """How everybody's things may lie, the cheapest first."""
        each = [self._row(p) for p in range(self.n)]
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
            kept = (*lay[:i], *lay[i + 1 :])
            ways.append(Row(fit(kept), kept, lay[i]))
            if len(read) >= len(lay) and i < len(lay) - 1 and ways[-1].cost > NEAR:
                break
        best = min(way.cost for way in ways)
        unlike = {(way.gone and cards[way.gone].code): way for way in reversed(ways)}
        return sorted((way for way in unlike.values() if way.cost < best + NEAR), key=lambda way: way.cost)[:3]

    def _fewer(self, p: int, shown: ReadSide) -> bool:
        """Whether a discard is gone, or may be: it lies in another player's new set."""
        lay, read = self.table.sides[p].discards, shown.discards or ()
        if len(read) < len(lay):
            return True
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
        cards, fixes, cost = [*table.cards], [], sum(row.cost for row in rows)
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
                            fixes += [fix for seen, fix in now.wrong() if seen is look and fix not in fixes]
        return Rows(cost, cards, tuple(discards), tuple(opens), tuple(row.gone for row in rows), tuple(fixes))

    def _gone_codes(self) -> frozenset[str]:
        """Cards of the market that the look does not show."""
        lay = Counter(self.table.codes(self.table.market))
        return frozenset() if self.read.market is None else frozenset(lay - Counter(self.read.market))

    def _ready(self, p: int) -> bool:
        shown = self.read.sides[p]
        return self.table.sides[p].ready if shown is None or shown.ready is None else shown.ready

    # Turns in their order

    def _paths(self, rows: Rows) -> Iterator[Path]:
        """The turns and gains that led to this, in every order that may be."""
        table, read = self.table, self.read
        goal = read.winner if table.winner is None else None
        start = Path(table.mover, table.fresh, rows.discards, rows.opens, rows.gone)
        stack = [start]
        while stack:
            path = stack.pop()
            left = any(path.discards) or any(path.opens)
            if not left and not (any(path.gone) and goal is None):
                yield from self._goals(path, goal, rows) if goal is not None else (path,)
                if goal is not None:
                    continue
            if len(path.events) < MOST_TURNS:
                stack += self._further(path, rows)

    def _further(self, path: Path, rows: Rows) -> Iterator[Path]:
        """Paths with one event more."""
        yield from self._gains(path, rows)
        m, has = path.mover, [p for p in range(self.n) if path.discards[p] or path.opens[p]]
        over = not has and not any(path.gone)
        if m is not None and m not in has:
            if self.read.sides[m] is None and (not over or self._may_idle(path)):
                yield self._after(path, Event(m, discarded=(self._unseen(rows),)), HIDDEN)
                yield self._after(path, Event(m, opened=((UNSEEN,) * 3,)), 2 * HIDDEN)
            if path.slips < MOST_SLIPS and self._may_idle(path) and not any(one.breaks == ("H3",) for one in path.events):
                yield self._after(path, Event(m, breaks=("H3",)), SLIP)
        if over:
            return
        if m is not None:  # the mover's discard was gained at once
            for q in has:
                if q != m and path.opens[q]:
                    both = self._after(path, Event(m, discarded=(UNSEEN,)), GAINED)
                    yield self._after(both, Event(q, "gain", (), (path.opens[q][0],), m, takes=False))
        for p in [m] if m in has else has:
            if p is None:
                continue
            late = ("H7",) if m not in (None, p) else ()
            if late and path.slips >= MOST_SLIPS:
                continue
            for event in self._turns(path, p):
                breaks = (*late, *event.breaks)
                if not event.breaks or path.slips < MOST_SLIPS:
                    yield self._after(path, event._replace(breaks=breaks), breach(breaks))

    def _may_idle(self, path: Path) -> bool:
        """Whether so many cards are gone that somebody may have taken one and done nothing."""
        market = self.read.market
        gone = len(self.table.market) - len(market) if market is not None else 0
        turns = sum(event.takes for event in path.events)
        again = len(self.table.market) + self.n + 1 - len(market or ()) if market is not None else 0
        if self.table.market and gone + len(self.table.market) > 0 and again > MOST_TURNS:
            again = gone
        return max(gone, again) + (self.table.hand != NO_TAKE) > turns

    @staticmethod
    def _unseen(rows: Rows) -> int:
        """A further card that no look has shown yet."""
        rows.cards.append(Card())
        return len(rows.cards) - 1

    def _turns(self, path: Path, p: int) -> Iterator[Event]:
        """What a player's turn may have been."""
        laid, opened, ready = path.discards[p], path.opens[p], self.table.sides[p].ready
        h5 = ("H5",) if ready else ()
        if laid:
            yield Event(p, discarded=laid[:1])
            for q, card in enumerate(path.gone):
                if card != UNSEEN and q != p:
                    yield Event(p, discarded=laid[:1], giver=q, gained=card, takes=False, breaks=("H6",))
        if opened:
            yield Event(p, opened=opened[:1], breaks=h5)
        if laid and opened:
            yield Event(p, discarded=laid[:1], opened=opened[:1], breaks=("H3", *h5))
        if len(laid) > 1:
            yield Event(p, discarded=laid[:2], breaks=("H3", *h5))
        if len(opened) > 1:
            yield Event(p, opened=opened[:2], breaks=("H4", *h5))

    def _gains(self, path: Path, rows: Rows) -> Iterator[Path]:
        """H6: a discard that is gone lies in a set that was opened."""
        cards = rows.cards
        for f, card in enumerate(path.gone):
            if card == UNSEEN:
                continue
            last = card == last_of(self.table.sides[f].discards) or (path.events and card in path.events[-1].discarded)
            for q in range(self.n):
                if not path.opens[q]:
                    continue
                ids = path.opens[q][0]
                there = cards[card].code in {cards[one].code for one in ids}
                if not there and not is_set(tuple(cards[one].code for one in ids)):
                    continue
                lawful = path.fresh == f and last and q != f
                breaks = (() if lawful else ("H6",)) + (("H5",) if self.table.sides[q].ready else ())
                if breaks and path.slips >= MOST_SLIPS:
                    continue
                event = Event(q, "gain", (), (ids,), f, card, takes=False, breaks=breaks)
                yield self._after(path, event, breach(breaks) + (0.0 if there else MISREAD))

    def _after(self, path: Path, event: Event, cost: float = 0.0) -> Path:
        """The path with one event more."""
        p, gain = event.player, event.kind == "gain"
        mine = path.discards[p]
        seen = tuple(card for card in event.discarded if card in mine)
        opens = path.opens[p][len(event.opened) :] if path.opens[p] and event.opened[:1] == path.opens[p][:1] else None
        gone = path.gone
        if event.giver is not None and event.gained != UNSEEN:
            gone = (*gone[: event.giver], UNSEEN, *gone[event.giver + 1 :])
        return Path(
            path.mover if gain else (p + 1) % self.n,
            None if gain or not event.discarded else p,
            (*path.discards[:p], mine[len(seen) :], *path.discards[p + 1 :]),
            path.opens if opens is None else (*path.opens[:p], opens, *path.opens[p + 1 :]),
            gone,
            (*path.events, event),
            path.cost + cost,
            path.slips + bool(event.breaks),
        )

    def _goals(self, path: Path, w: int, rows: Rows) -> Iterator[Path]:
        """Somebody goaled, with a card of the market or with a discard."""
        state, names = self.read.state, self.rules.names
        discarder = names.index(state["discarder"]) if state.get("discarder") in names else None
        by_discard = state.get("won_by") == "discard"
        if by_discard and discarder is not None and not path.gone[discarder] and path.fresh != discarder:
            if path.mover == discarder:
                path = self._after(path, Event(discarder, discarded=(self._unseen(rows),)), 0.0)
        h7 = ("H7",) if not by_discard and path.mover not in (None, w) else ()
        h10 = ("H10",) if self.rules.against(self.table, w, self.read) else ()
        breaks = (*h7, *h10)
        event = Event(w, "goal", takes=not by_discard, giver=discarder if by_discard else None, breaks=breaks)
        yield self._after(path, event, breach(breaks))

    # Lines of the log

    def _told(self, rows: Rows, market: Market, path: Path) -> Iterator[Explanation]:
        """The turns of a path as lines of the log, with as many cards taken as the market shows."""
        table, read = self.table, self.read
        takers = [i for i, event in enumerate(path.events) if event.takes]
        held = table.hand != NO_TAKE
        if market.taken is None:
            spare = 0 if not (held and not takers) else 1
            if spare == 0 and not any(event.kind == "goal" for event in path.events):
                yield self._explained(rows, market, path, takers, True, {})
        elif market.back:
            spare = 0 if not takers else -len(takers)
        else:
            spare = market.taken - len(table.pending) + held - len(takers)
        ends = any(event.kind == "goal" for event in path.events)
        if spare == 0:
            yield self._explained(rows, market, path, takers, False, {})
        elif spare == 1:
            if not ends:
                yield self._explained(rows, market, path, takers, True, {})
            for i in takers:
                yield self._explained(rows, market, path, takers, False, {i: 1})
        elif spare == -1:
            for i in takers:
                if not (held and i == takers[0]) or len(takers) == 1:
                    yield self._explained(rows, market, path, takers, False, {i: -1})
        elif spare == 2 and not ends:
            for i in takers:
                yield self._explained(rows, market, path, takers, True, {i: 1})

    def _cards(self, rows: Rows, market: Market | None) -> tuple[list[Card], tuple[Fix, ...]]:
        """All cards with what this look shows of them."""
        cards, fixes = [*rows.cards], [*rows.fixes]
        code_of = self.read.market or ()
        if market is not None:
            for i, code in enumerate(code_of):
                if market.new:
                    cards.append(Card())
                card = len(cards) - 1 if market.new else market.lies[i]
                cards[card], wrong = cards[card].read(self.look, f"/market/{i}", code)
                fixes += wrong
        return cards, tuple(fixes)

    def _explained(
        self, rows: Rows, market: Market, path: Path, takers: list[int], begun: bool, odd: dict[int, int]
    ) -> Explanation:
        """`begun`: the next player has taken a card; `odd`: turns that took a card too many or none."""
        rules, table, n = self.rules, self.table, self.n
        cards, fixes = self._cards(rows, market)
        lies = market.lies
        if market.new:
            lies = tuple(range(len(rows.cards), len(cards)))
        takes, hand = [*table.takes], table.hand
        of: dict[int, int] = {}
        new: list[int] = []
        for i in takers:
            if hand != NO_TAKE and i == takers[0]:
                of[i] = hand
                continue
            for k in range(1 + odd.get(i, 0)):
                if k == 0:
                    of[i] = len(takes)
                new.append(len(takes))
                takes.append(UNSEEN)
        held = NO_TAKE
        if begun and not (hand != NO_TAKE and not takers):
            held = len(takes)
            new.append(held)
            takes.append(UNSEEN)
        elif begun:
            held = hand
        laid = {
            of[i]: event.discarded[:1] if table.sides[event.player].ready and not event.opened
            else tuple(card for ids in event.opened for card in ids)
            for i, event in enumerate(path.events)
            if i in of and event.kind == "turn"
        }  # fmt: skip
        laid |= dict(table.laid)
        pending = (*table.pending, *new)
        open_ = [*table.open_]
        if market.taken is not None:
            old = pending[: len(market.gone)] if market.new else pending
            open_ += [(old, market.gone)] if old else []
            pending = ()
        open_ = _resolved(open_, takes, cards, laid)
        waits = {*pending, *(k for numbers, _ in open_ for k in numbers)}
        cost = path.cost + rows.cost + market.cost
        for k, ids in laid.items():
            card = takes[k]
            if not ids or card == UNSEEN:
                continue
            if len(ids) == 1:
                same = as_same(cards[card], cards[ids[0]])
                if same is not None and cards[card].code != cards[ids[0]].code:
                    was = (cards[card], cards[ids[0]])
                    cards[card], cards[ids[0]] = same
                    cost += sum(now.cost(now.code) - old.cost(old.code) for old, now in zip(was, same, strict=True))
                    fixes += tuple(
                        fix for now in same for seen, fix in now.wrong() if seen is self.look and fix not in fixes
                    )
            else:
                cost += ANOTHER * (cards[card].code not in {cards[one].code for one in ids})
        first = None
        dealt_ids = (*lies, *[UNSEEN] * (n + 1 - len(lies))) if market.new else ()
        if market.new:
            before_deal = len(table.market) - len(table.pending)
            mine = [i for i in takers if of.get(i, 0) >= len(table.takes)]
            first = mine[before_deal] if 0 <= before_deal < len(mine) else None
        now = replace(
            table,
            cards=tuple(cards),
            takes=tuple(takes),
            pending=pending,
            open_=tuple(open_),
            market=lies,
            hand=NO_TAKE,
            laid=tuple((k, ids) for k, ids in laid.items() if k in waits),
        )
        now, sizes_cost, wrong_size = self._sizes(now, path, begun or held != NO_TAKE, odd)
        cost += sizes_cost
        turns: list[Turn] = []
        whole = now
        for i, event in enumerate(path.events):
            p = event.player
            lay = now.sides[p]
            last = i == max(j for j, one in enumerate(path.events) if one.player == p)
            laid_last = max((j for j, one in enumerate(path.events) if one.player == p and one.discarded), default=None)
            becomes = self._ready(p) and not lay.ready and (laid_last == i if laid_last is not None else last)
            breaks = event.breaks
            if becomes and not event.discarded and event.kind == "turn" and event.opened:
                breaks = (*breaks, "H5")
            if odd.get(i):
                breaks = (*breaks, "H2")
            if last and p in wrong_size:
                breaks = (*breaks, "H8")
            gain, goal = event.kind == "gain", event.kind == "goal"
            number = max(now.turns + (not gain and not (goal and not event.takes)), 1)
            done = Done(
                (), p, event.kind, of.get(i, NO_TAKE) if odd.get(i, 0) >= 0 else NO_TAKE, event.opened,
                event.discarded, event.giver, event.gained, lay.ready, becomes, dealt_ids if i == first else (),
                self._won(p) if goal else (), breaks, number,
            )  # fmt: skip
            now = self._table_after(now, event, becomes, number)
            turns.append(rules.turn(whole, done, now))
            cost += breach(turns[-1].breaks) - breach(event.breaks)
            if last and p in wrong_size:
                off = (*(pair for pair in now.off if pair[0] != p), (p, number))
                now = replace(now, off=off)
                turns[-1] = turns[-1]._replace(table=now)
        sides = tuple(side._replace(ready=self._ready(p)) for p, side in enumerate(now.sides))
        now = replace(now, sides=sides, hand=held)
        renewal = rules.renewal(table, now)
        if turns:
            turns[-1] = turns[-1]._replace(table=now)
        if held != NO_TAKE:
            cost += (BEGUN if turns else PARTLY) if hand != held else 0.0
            return Explanation(cost, tuple(turns), fixes, (self._owed(now),), True, table=now, renewal=renewal)
        return Explanation(cost, tuple(turns), fixes, table=None if turns else now, renewal=renewal)

    def _owed(self, table: Table) -> Owed:
        return Owed(self.rules.turn_of(table), "a set opened, a discard or a goal", "H3")

    def _table_after(self, now: Table, event: Event, ready: bool, number: int) -> Table:
        """The table after what a player did."""
        p, lay = event.player, now.sides[event.player]
        side = Side((*lay.discards, *(event.discarded if event.discarded != (UNSEEN,) else ())),
                    (*lay.open, *event.opened), lay.ready or ready)  # fmt: skip
        sides = with_side(now.sides, p, side)
        if event.giver is not None and event.gained != UNSEEN:
            gave = sides[event.giver]
            rest = tuple(card for card in gave.discards if card != event.gained)
            sides = with_side(sides, event.giver, gave._replace(discards=rest))
        if event.kind == "gain":
            return replace(now, sides=sides, fresh=None)
        if event.kind == "goal":
            return replace(now, sides=sides, winner=p, turns=number, mover=(p + 1) % self.n, fresh=None)
        return replace(
            now, sides=sides, turns=number, mover=(p + 1) % self.n, fresh=p if event.discarded else None
        )

    def _sizes(
        self, now: Table, path: Path, begun: bool, odd: dict[int, int]
    ) -> tuple[Table, float, set[int]]:
        """H8: hands that were counted. Whose last turn left too few or too many; those that came right again."""
        table, read = self.table, self.read
        shown = [None if side is None else side.size for side in read.sides]
        if all(size is None for size in shown):
            return now, 0.0, set()
        cost, wrong = 0.0, set[int]()
        before = table.sizes or (None,) * self.n
        change = [0] * self.n
        drew = set[int]()
        for i, event in enumerate(path.events):
            p = event.player
            change[p] -= len(event.discarded) + sum(map(len, event.opened))
            change[p] += 3 * (event.kind == "gain") - 2 * (event.kind == "gain") + 2 * (event.kind == "gain")
            change[p] += event.takes + odd.get(i, 0) + (event.gained != UNSEEN and event.kind == "turn")
            change[p] += (event.kind == "goal" and not event.takes)
            if event.kind == "turn" and event.opened:
                change[p] += 2
                drew.add(p)
            if event.kind == "gain":
                change[p] -= 0
                drew.add(p)
        held = table.hand != NO_TAKE
        sizes: list[int | None] = []
        mended = set(table.mended)
        off = dict(table.off)
        moved = {event.player for event in path.events}
        mover = path.mover if begun else None
        for p, size in enumerate(shown):
            was = before[p]
            in_hand = held and table.mover == p
            base = (was if was is not None else HAND) 
            sizes.append(size if size is None else size - (mover == p))
            if size is None:
                sizes[-1] = base + change[p] if was is not None else None
                continue
            expected = base + change[p] + (mover == p)
            del in_hand
            if size == expected:
                continue
            if p in drew:
                wrong.add(p)
            elif p in off and p not in moved and size == HAND:
                mended.add(off.pop(p))
            elif any(odd.get(i) for i, event in enumerate(path.events) if event.player == p) or any(
                event.player == p and event.breaks for event in path.events
            ):
                continue
            else:
                cost += MISREAD
        return replace(now, sizes=tuple(sizes), off=tuple(off.items()), mended=frozenset(mended)), cost, wrong

    def _won(self, p: int) -> tuple[Any, ...]:
        shown, state = self.read.sides[p], self.read.state
        bonus = state.get("bonus", ())
        hand = shown.hand if shown is not None and shown.hand is not None else ()
        return state.get("won_by", UNKNOWN), hand, tuple(bonus) if isinstance(bonus, list) else ()


def dealt(table: Table, look: Look, begins: int | None, short: int) -> tuple[Table, tuple[Fix, ...]]:
    """The table of a short game that begins with this look, or was going on in it."""
    read: Reading = look.read
    cards, fixes = [*table.cards], []

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
    sizes = tuple(None if shown is None else shown.size for shown in read.sides)
    now = Table(
        tuple(cards), market, tuple(sides), table.takes, turns=table.turns, mover=begins, short_game=short, sizes=sizes
    )
    return now, tuple(fixes)


def _resolved(
    open_: list[tuple[Ids, Ids]], takes: list[int], cards: list[Card], laid: dict[int, Ids]
) -> list[tuple[Ids, Ids]]:
    """Which turn took which card, as far as a set, a ready player's discard or the number of cards tells."""
    left: list[tuple[Ids, Ids]] = []
    for numbers, ids in open_:
        free, rest = [k for k in numbers if takes[k] == UNSEEN], [*ids]
        for k in free.copy():
            codes = {cards[card].code for card in laid.get(k, ())}
            some = [card for card in rest if cards[card].code in codes and cards[card].code != UNKNOWN]
            if len({cards[card].code for card in some}) == 1:
                takes[k] = some[0]
                free.remove(k)
                rest.remove(some[0])
        if len({cards[card].code for card in rest}) == 1 and len(rest) >= len(free):
            for k, card in zip(free, rest, strict=False):
                takes[k] = card
            free = []
        if free and rest:
            left.append((tuple(free), tuple(rest)))
    return left
