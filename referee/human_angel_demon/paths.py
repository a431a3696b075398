"""The turns, gains and goals of Human Angel Demon that may have led to what lies there, in every order.

Turns are tried forwards from whose turn it is; each rule that they break has its price.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from referee.human_angel_demon.cards import BIG_SET, Card, is_set
from referee.human_angel_demon.game import HumanAngelDemonGame
from referee.human_angel_demon.rows import Rows
from referee.human_angel_demon.tables import NO_TAKE, UNSEEN, Ids, Reading, Table, last_of
from referee.looks import MISREAD, SLIP, Look, breach

GAINED: Final = 2.0
"""A discard that no look showed was gained."""
HIDDEN: Final = 0.5
"""A turn of which nothing is in sight, since the look does not show its player; twice that, where a set was opened."""
NO_TRACE: Final = 1.5
"""A card was taken and nothing done with it, which is rarer than other slips."""
MOST_TURNS: Final = 6
"""Turns between two looks."""
MOST_SLIPS: Final = 2
"""Turns that break a rule between two looks."""
IDLE: Final = ("H3",)
"""What a turn breaks that takes a card and does nothing with it."""


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
    """Events in their order, whose turn it is then, and what is not explained yet.

    `unseen`: how many further cards they need that no look has shown.
    """

    mover: int | None
    fresh: int | None
    discards: tuple[Ids, ...]
    opens: tuple[tuple[Ids, ...], ...]
    gone: tuple[int, ...]
    events: tuple[Event, ...] = ()
    cost: float = 0.0
    slips: int = 0
    unseen: int = 0


class Paths:
    """One table, one look: what may have happened in `most` turns that take a card of the market."""

    def __init__(self, rules: HumanAngelDemonGame, table: Table, look: Look, most: int) -> None:
        self.rules, self.table, self.most = rules, table, most
        self.read: Reading = look.read
        self.n = len(rules.names)
        self.known = 0
        """Cards that there are before those that no look has shown."""

    def found(self, rows: Rows) -> Iterator[Path]:
        """The turns and gains that led to this, in every order that may be."""
        table, read = self.table, self.read
        self.known = len(rows.cards)
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
                stack += [one for one in self._further(path, rows) if sum(e.takes for e in one.events) <= self.most]

    def _further(self, path: Path, rows: Rows) -> Iterator[Path]:
        """Paths with one event more."""
        yield from self._gains(path, rows)
        yield from self._gains_unseen(path, rows)
        m, has = path.mover, [p for p in range(self.n) if path.discards[p] or path.opens[p]]
        over = not has and not any(path.gone)
        begins = m is None and not path.events  # anybody may
        for p in range(self.n) if begins else () if m is None else (m,):
            if p not in has and (not over or self._may_idle(path)):
                yield from self._without_trace(path, p, rows)
        if over:
            return
        for p in range(self.n) if begins else () if m is None else (m,):  # the mover's discard was gained at once
            for q in has:
                if q != p and path.opens[q]:
                    both = self._after(path, Event(p, discarded=(UNSEEN,)), GAINED)
                    yield self._after(both, Event(q, "gain", (), (path.opens[q][0],), p, takes=False))
        for p in [p for p in has if p == m] or has:
            late = ("H7",) if m not in (None, p) else ()
            if late and path.slips >= MOST_SLIPS:
                continue
            for event in self._turns(path, p):
                breaks = (*late, *event.breaks)
                if not event.breaks or path.slips < MOST_SLIPS:
                    yield self._after(path, event._replace(breaks=breaks), breach(breaks))

    def _without_trace(self, path: Path, p: int, rows: Rows) -> Iterator[Path]:
        """A turn of a player before whom nothing new is in sight: it is covered, or nothing was done."""
        if self._hidden(p, "discards"):
            yield self._after(path, Event(p, discarded=self._unseen(path, rows, 1)), HIDDEN)
        if self._hidden(p, "open"):
            yield self._after(path, Event(p, opened=(self._unseen(path, rows, BIG_SET),)), 2 * HIDDEN)
        once = not any(one.breaks == IDLE for one in path.events)
        if path.mover == p and path.slips < MOST_SLIPS and once and self._may_idle(path):
            yield self._after(path, Event(p, breaks=IDLE), SLIP + NO_TRACE)

    def _hidden(self, p: int, place: str) -> bool:
        """Whether the look does not show a player's discards, or sets."""
        return getattr(self.read.sides[p], place, None) is None

    def _may_idle(self, path: Path) -> bool:
        """Whether so many cards are gone that somebody may have taken one and done nothing."""
        market = self.read.market
        gone = len(self.table.market) - len(market) if market is not None else 0
        turns = sum(event.takes for event in path.events)
        again = len(self.table.market) + self.n + 1 - len(market or ()) if market is not None else 0
        if self.table.market and gone + len(self.table.market) > 0 and again > MOST_TURNS:
            again = gone
        return max(gone, again) + (self.table.hand != NO_TAKE) > turns

    def _unseen(self, path: Path, rows: Rows, n: int) -> Ids:
        """Further cards that no look has shown yet: each path counts its own."""
        first = self.known + path.unseen
        rows.cards.extend([Card()] * (first + n - len(rows.cards)))
        return tuple(range(first, first + n))

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
            last = card == last_of(self.table.sides[f].discards)
            lay = path
            if last and path.mover is None and path.fresh is None:  # nobody knows who had the last turn: it may be this
                lay = path._replace(mover=(f + 1) % self.n, fresh=f)
            for q in range(self.n):
                h5 = ("H5",) if self.table.sides[q].ready else ()
                if not path.opens[q]:
                    if self._hidden(q, "open") and q != f and lay.fresh == f and last:
                        ids = self._unseen(path, rows, BIG_SET)
                        event = Event(q, "gain", (), (ids,), f, card, takes=False, breaks=h5)
                        yield self._after(lay, event, breach(h5) + HIDDEN)
                    continue
                ids = path.opens[q][0]
                there = cards[card].code in {cards[one].code for one in ids}
                if not there and not is_set(tuple(cards[one].code for one in ids)):
                    continue
                lawful = lay.fresh == f and last and q != f
                breaks = (() if lawful else ("H6",)) + h5
                if breaks and path.slips >= MOST_SLIPS:
                    continue
                event = Event(q, "gain", (), (ids,), f, card, takes=False, breaks=breaks)
                yield self._after(lay, event, breach(breaks) + (0.0 if there else MISREAD))

    def _gains_unseen(self, path: Path, rows: Rows) -> Iterator[Path]:
        """H6: the discard laid last is in a set that was opened, and the look does not show whether it is gone."""
        f = path.fresh
        if f is None or path.events or not self._hidden(f, "discards"):
            return
        card = last_of(self.table.sides[f].discards)
        for q in range(self.n):
            codes = {rows.cards[one].code for ids in path.opens[q][:1] for one in ids}
            if q != f and rows.cards[card].code in codes:
                breaks = ("H5",) if self.table.sides[q].ready else ()
                event = Event(q, "gain", (), path.opens[q][:1], f, card, takes=False, breaks=breaks)
                yield self._after(path, event, breach(breaks) + HIDDEN)

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
            path.unseen + sum(card >= self.known for ids in (event.discarded, *event.opened) for card in ids),
        )

    def _goals(self, path: Path, w: int, rows: Rows) -> Iterator[Path]:
        """Somebody goaled, with a card of the market or with a discard."""
        state, names = self.read.state, self.rules.names
        discarder = names.index(state["discarder"]) if state.get("discarder") in names else None
        by_discard = state.get("won_by") == "discard"
        if by_discard and discarder is not None and not path.gone[discarder] and path.mover == discarder:
            path = self._after(path, Event(discarder, discarded=self._unseen(path, rows, 1)), 0.0)
        h7 = ("H7",) if not by_discard and path.mover not in (None, w) else ()
        h10 = ("H10",) if self.rules.against(self.table, w, self.read) else ()
        breaks = (*h7, *h10)
        giver = discarder if by_discard else None
        card = UNSEEN if giver is None else path.gone[giver]
        if giver is not None and not card and path.events and path.events[-1].player == giver:
            card = last_of(path.events[-1].discarded)  # laid and taken between two looks
        event = Event(w, "goal", giver=giver, gained=card, takes=not by_discard, breaks=breaks)
        yield self._after(path, event, breach(breaks))
