"""Human Angel Demon between two looks: market, discards, opened sets, gains, goals (H1 to H14 of the referee's rules).

Hands are hidden: what is taken is seen in the market, what is done with it before the player. A card keeps its number
from when it is first seen; what it is, all looks that show it say together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import combinations, permutations
from typing import Any, Final, NamedTuple

from referee.looks import MISREAD, PARTLY, UNKNOWN, Fit, Fix, Look, breach, player_rows
from referee.turns import Explanation, Owed, Renewal, Start, Turn, house_of
from scoring.errors import StateError
from scoring.human_angel_demon.sets import BLACK, CODES, RED, is_big_set

BEGUN: Final = 1.2
"""One turn is over and the next one has begun."""
GAINED: Final = 2.0
"""A discard that no look showed was gained."""
COINCIDENCE: Final = 1.0
"""A card dealt to the market is one that lay there before."""
ANOTHER: Final = 0.7
"""A set without the card that was taken, where that is not known."""
LIKELIER: Final = 4.0
"""A misread card that costs less than that is believed before a slip."""
AS_LIKELY: Final = 0.3
"""Two ways nearer than that are as likely as each other."""
SURE: Final = 2.0
"""Of two ways in which the market may lie, the one that costs so much less is believed."""
WAITING: Final = 10.5
"""A look that no turn explains is waited out."""
EDITED: Final = 13.0
"""Somebody changed the table outside any turn."""
MOST_TURNS: Final = 6
"""Turns between two looks."""
BIG_SET: Final = 3
"""Cards of a set that is opened (H4)."""
HAND: Final = 7
"""Cards of a hand between two turns (H8)."""
LAST_ROUND: Final = {2: 6, 3: 6, 4: 8}
"""Short games of a match, by the number of players (H13)."""
GOAL: Final = {2: 24, 3: 18, 4: 12}
"""Points that end a match."""
KEPT: Final = ("advanced", "winner", "won_by", "discarder", "bonus", "item_win", "house_rules")
"""Keys of the state that no turn changes by itself."""
FACED: Final = frozenset(("H4", "H5"))
"""Breaches that what a card was read as makes."""

Cards = tuple[str, ...]
Ids = tuple[int, ...]
"""Cards by their numbers."""
UNSEEN: Final = 0
"""The number of a card that nobody saw."""


class Side(NamedTuple):
    """What lies before a player; `gained`: how many of the discards others have gained."""

    discards: Ids = ()
    open: tuple[Ids, ...] = ()
    ready: bool = False
    gained: int = 0


class Table(NamedTuple):
    """A table; `mover` is whose turn it is (None: not known), `winner` who has goaled in this short game.

    `same` are the cards that ready players took and those that they then discarded, `hand` those of which the mover
    holds one, `sizes` the cards of each hand where they were counted.
    """

    market: Ids
    sides: tuple[Side, ...]
    turns: int = 0
    mover: int | None = None
    short_game: int = 1
    winner: int | None = None
    same: tuple[tuple[int, int], ...] = ()
    hand: Ids = ()
    sizes: tuple[int | None, ...] = ()


class Done(NamedTuple):
    """What a player did, by the cards' numbers. `breaks` are rules that no card's face has a part in."""

    player: int
    kind: str
    took: int = UNSEEN
    opened: Ids = ()
    discarded: int | None = None
    giver: int | None = None
    was_ready: bool = False
    ready: bool = False
    dealt: Ids = ()
    won: tuple[Any, ...] = ()
    breaks: tuple[str, ...] = ()


class Event(NamedTuple):
    """A turn or a gain in the order of a look: whose, the discard, the set opened, whose discard was gained."""

    player: int
    discarded: int | None = None
    opened: Ids = ()
    giver: int | None = None
    goal: bool = False


class ReadSide(NamedTuple):
    """A player's things as read, None where they were not."""

    at: str
    discards: Cards | None
    open: tuple[Cards, ...] | None
    ready: bool | None
    hand: Cards | None
    size: int | None


class Reading(NamedTuple):
    """A state as read."""

    market: Cards | None
    sides: tuple[ReadSide | None, ...]
    short_game: int
    winner: int | None
    state: Mapping[str, Any]


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
        """The readings that were wrong, of one look or of all."""
        return tuple(
            (look, Fix(at, read, code))
            for card, (code, readings) in enumerate(zip(self.codes, self._readings, strict=True))
            for look, at, read in (readings[-1:] if only else readings)
            if read not in (UNKNOWN, code) and look is (only or look) and (card, look.number) not in self._elsewhere
        )


def _names(look: Look, at: str, read: str) -> Iterator[str]:
    """What a reading says that a card may be."""
    yield read
    odds = look.odds.get(at)
    yield from odds if isinstance(odds, dict) else ()


def _copies(code: str) -> int:
    """How many cards of a code there are."""
    return RED if code.endswith("r") else BLACK


class HumanAngelDemon:
    """Human Angel Demon between given players."""

    amends = False
    counted = False
    together = False

    def __init__(self, header: Mapping[str, Any], look: Look) -> None:
        self.names: Sequence[str] = header["players"]
        start = header.get("start")
        self.first = self.names.index(start) if start in self.names else None
        self.house = house_of(header, {})
        self.extra: dict[str, Any] = {}
        self.players: dict[str, dict[str, Any]] = {}
        self.faces = Faces()
        self.shown: tuple[Look, Cards] | None = None
        """The last look's market, not yet read into the cards that lie there."""

    def header(self) -> dict[str, Any]:
        """What the header line says of the game."""
        start = UNKNOWN if self.first is None else self.names[self.first]
        return {"rule": None, "start": start, "order": None, "mode": None, "house": self.house}

    def read(self, look: Look) -> Reading:
        """The look's state in the game's own form. Raises StateError where it is none."""
        state = look.state
        sides: list[ReadSide | None] = [None] * len(self.names)
        for p, at, row in player_rows(state, self.names):
            opened = _list(row, "open", at)
            sides[p] = ReadSide(
                at,
                _cards(row, "discards", at),
                None if opened is None else tuple(_some(cards, f"{at}/open/{n}") for n, cards in enumerate(opened)),
                row.get("ready") if type(row.get("ready")) is bool else None,
                _cards(row, "hand", at),
                row["hand_size"] if type(row.get("hand_size")) is int else None,
            )
            self.players[self.names[p]] = {
                key: row[key] for key in ("points", "hand", "hand_size", "winning_card") if key in row
            }
        short = state.get("short_game", 1)
        winner = state.get("winner")
        self.extra = {key: state[key] for key in KEPT if key in state}
        return Reading(
            _cards(state, "market", ""),
            tuple(sides),
            short if type(short) is int else 1,
            self.names.index(winner) if winner in self.names else None,
            state,
        )

    def start(self, look: Look) -> Iterator[Start]:
        """What may lie there when the first look shows this."""
        read: Reading = look.read
        if read.market is not None:
            table = self.deal(Table((), (Side(),) * len(self.names), 0, self.first, read.short_game), look)
            yield Start(0.0, table)

    def deal(self, table: Table, look: Look) -> Table:
        """The table of a short game that begins with this look."""
        read: Reading = look.read
        market = tuple(self.faces.number((look.number, i)) for i in range(len(read.market or ())))
        new = Table(market, (Side(),) * len(self.names), table.turns, table.mover, table.short_game, sizes=_sizes(read))
        self.see(new, look, market)
        return new._replace(sides=tuple(self.side(new, p, read) for p in range(len(self.names))))

    def turn_of(self, table: Table) -> str | None:
        """Whose turn it is; None where nobody's, or where it is not known."""
        return None if table.mover is None or table.winner is not None else self.names[table.mover]

    def over(self, table: Table) -> bool:
        """H13: the last short game of the match is over."""
        n = len(self.names)
        points = [self.players.get(name, {}).get("points", 0) for name in self.names]
        last = table.short_game >= LAST_ROUND.get(n, LAST_ROUND[4]) and table.winner is not None
        return last or any(type(p) is int and p >= GOAL.get(n, GOAL[4]) for p in points)

    def explain(self, table: Table, look: Look, wide: bool) -> Iterable[Explanation]:
        """How this table may have become what the look shows."""
        return list(_Search(self, table, look, wide).found())

    def finish(self, table: Table, look: Look) -> Explanation | None:
        """The part of a turn that the last look shows, as a turn that stands."""
        search = _Search(self, table, look, True)
        search.stands = True
        found = (one for one in search.found() if one.turns and one.turns[0].who is not None)
        return min(found, key=lambda one: one.cost, default=None)

    def key(self, table: Table) -> Any:
        """Everything that lies there."""
        return table._replace(same=(), sizes=())

    def alike(self, one: Turn, other: Turn) -> Turn | None:
        """Turns that differ in the card that was taken only, which went to a hand."""
        done, another, codes = one.same, other.same, self.faces.codes
        if not isinstance(done, Done) or not isinstance(another, Done) or done._replace(took=another.took) != another:
            return None
        if codes[done.took] == UNKNOWN:
            return other
        if codes[another.took] in (UNKNOWN, codes[done.took]):
            return one
        laid = {codes[card] for card in (*done.opened, (done.was_ready and done.discarded) or UNSEEN)}
        likelier = [turn for turn in (one, other) if codes[turn.same.took] in laid]
        return likelier[0] if likelier else self.turn(None, done._replace(took=UNSEEN), one.table, one)

    def between(self, before: Table, turn: Turn, look: Look) -> Fit | None:
        """What was found in a look that shows a part of this turn stays."""
        return None

    def nearest(self, before: Table, turn: Turn) -> list[dict[str, Any]]:
        """The legal move that would have changed the fewest cards: whoever is ready discards what was taken."""
        took = turn.fields.get("took")
        if "H5" not in turn.breaks or took in (None, UNKNOWN):
            return []
        return [{"who": turn.who, "move": "turn", "took": took, "discarded": took, "differs": 1}]

    def legal(self, table: Table) -> Iterator[Turn]:
        """The cards that may be taken (H2), and what may be done with each; a set only where the hand is shown."""
        p = table.mover
        if p is None or table.winner is not None:
            return
        side, hand = table.sides[p], self.players.get(self.names[p], {}).get("hand")
        cards: dict[str, int] = {}
        for card in table.market:
            cards.setdefault(self.faces.codes[card], card)
        for code, card in cards.items():
            if code == UNKNOWN:
                continue
            laid = card if side.ready else UNSEEN
            after = self._way(table, card, side._replace(discards=(*side.discards, laid)))
            yield self.turn(table, Done(p, "turn", card, discarded=laid), after)
            held = [*hand, code] if isinstance(hand, list) and UNKNOWN not in hand and not side.ready else []
            for some in sorted(set(combinations(sorted(held), BIG_SET))):
                if _is_set(some):
                    ids = tuple(self.faces.number(("legal", one)) for one in some)
                    for i, one in zip(ids, some, strict=True):
                        self.faces.codes[i] = one
                    opened = side._replace(open=(*side.open, ids))
                    yield self.turn(table, Done(p, "turn", card, ids), self._way(table, card, opened))

    def _way(self, table: Table, card: int, after: Side) -> Table:
        p = table.mover or 0
        market = tuple(one for one in table.market if one != card)
        return table._replace(market=market, sides=_with(table.sides, p, after))

    # What the cards are

    def see(self, table: Table, look: Look, dealt: Ids) -> Renewal | None:
        """Read the look's cards into those that lie there, and into those dealt. What that changes of earlier looks."""
        if "seen" not in look.memo:
            before = look.memo.get("before", self.faces.codes.copy())
            self._see(table, look, dealt)
            self.shown = None if look.read.market is None else (look, look.read.market)
            fixes = look.memo["fixes"] = tuple(fix for _, fix in self.faces.wrong(look))
            look.least = sum(look.price(fix.at, fix.read, fix.true) for fix in fixes)
            changed = {card for card, code in enumerate(before) if code != self.faces.codes[card]}
            look.memo["seen"] = None
            if changed:
                wrong, judged = self.faces.wrong(), self.faces.judged
                look.memo["seen"] = Renewal(lambda turn: self.again(turn, changed), wrong, judged)
        renewal: Renewal | None = look.memo["seen"]
        return renewal

    def see_last(self, table: Table, look: Look) -> None:
        """Read the last look's market into the cards that lay there, now that it is clearer which these are."""
        look.memo.setdefault("before", self.faces.codes.copy())
        shown = look.memo.setdefault("last", self.shown)
        if shown is None or ("last", table.market) in look.memo:
            return
        look.memo["last", table.market] = True
        now, (look, read) = look, shown
        pairs, left, places = self.paired(table, read)
        if len(left) == len(places):
            ways = ([*zip(some, places, strict=True)] for some in permutations(left))
            pairs += min(ways, key=lambda way: sum(self.further(look, read, *pair) for pair in way))
        cost = sum(self.further(look, read, *pair) for pair in pairs)
        first = "paired" not in now.memo
        if cost > now.memo.setdefault("paired", cost) + AS_LIKELY:
            return  # nobody believes in this table
        for card, i in pairs:
            at = f"/market/{i}"
            if not self.faces.seen(card, look) and (not first or (look.number, at) not in self.faces.judged):
                self.faces.see(card, look, at, read[i], believed=first)

    def paired(self, table: Table, read: Cards) -> tuple[list[tuple[int, int]], list[int], list[int]]:
        """The market's cards with the places where a look shows them; the cards and the places left over."""
        left, places, pairs = list(table.market), [], []
        for i, code in enumerate(read):
            same = (one for one in left if self.faces.codes[one] == code)
            card = min(same, key=self.faces.doubtful, default=None)  # a doubtful one may be another card
            if card is None:
                places.append(i)
            else:
                left.remove(card)
                pairs.append((card, i))
        return pairs, left, places

    def further(self, look: Look, read: Cards, card: int, i: int) -> float:
        """What it costs that a card of the market lies in a place of a look."""
        return self.faces.further(card, look, f"/market/{i}", read[i])

    def _see(self, table: Table, look: Look, dealt: Ids) -> None:
        read: Reading = look.read
        faces, seen = self.faces, []
        for i, card in enumerate(dealt):
            seen.append((card, f"/market/{i}", (read.market or ())[i]))
        for p, shown in enumerate(read.sides):
            if shown is not None:
                side = self.side(table, p, read)
                rows = [("discards", side.discards, shown.discards or ())]
                rows += [
                    (f"open/{n}", row, cards)
                    for n, (row, cards) in enumerate(zip(side.open, shown.open or (), strict=False))
                ]
                for key, row, cards in rows:
                    seen += [
                        (card, f"{shown.at}/{key}/{i}", code)
                        for i, (card, code) in enumerate(zip(row, cards, strict=False))
                    ]
        for card, at, code in seen:
            faces.see(card, look, at, code, [one for one, _, _ in seen] if code != faces.codes[card] else ())
        gone = {faces.codes[card] for card in table.market} - {*(read.market or CODES)}
        for p, lay in enumerate(table.sides):
            for n, row in enumerate(self.side(table, p, read).open):
                codes = tuple(faces.codes[card] for card in row)
                if not _is_set(codes):
                    ways = [(*codes[:i], way, *codes[i + 1 :]) for i in range(len(row)) for way in CODES]
                    new = gone - {*codes} if n >= len(lay.open) else frozenset[str]()
                    faces.match(row, [way for way in ways if _is_set(way)], new)
        for pair in table.same:
            if faces.codes[pair[0]] != faces.codes[pair[1]]:
                faces.match(pair, [(faces.codes[card],) * 2 for card in pair])

    def side(self, table: Table, p: int, read: Reading) -> Side:
        """What lies before a player, as a look shows it; what it does not show of what lay there still does."""
        lay, shown = table.sides[p], read.sides[p]
        if shown is None:
            return lay
        discards = list(lay.discards)
        giver = self.giver(table, p, read)
        if giver:
            discards.pop()
        key = (table.short_game, p, lay.gained + giver)
        for i in range(len(discards), len(shown.discards or ())):
            discards.append(self.faces.number((*key, "discards", i)))
        opened = list(lay.open)
        for n in range(len(opened), len(shown.open or ())):
            cards = (shown.open or ())[n]
            opened.append(tuple(self.faces.number((*key[:2], "open", n, i)) for i in range(len(cards))))
        ready = lay.ready if shown.ready is None else shown.ready
        return Side(tuple(discards), tuple(opened), ready, lay.gained + giver)

    def giver(self, table: Table, p: int, read: Reading) -> bool:
        """H6: whether the discard that a player laid last is gone, into a set that another player opened."""
        shown, lay = read.sides[p], table.sides[p].discards
        if shown is None or shown.discards is None or not lay:
            return False
        stays = len(shown.discards) >= len(lay) and shown.discards[len(lay) - 1] == self.faces.codes[lay[-1]]
        return not stays and self.taker(table, p, read)[0] >= 0

    def taker(self, table: Table, p: int, read: Reading) -> tuple[int, int]:
        """Who opened a set with the discard that a player laid last, and which of the new sets that is; -1: nobody."""
        code, mine = self.faces.codes[table.sides[p].discards[-1]], read.sides[p]
        new = [
            (q, n, cards)
            for q, shown in enumerate(read.sides)
            for n, cards in enumerate((shown.open or ())[len(table.sides[q].open) :] if shown and q != p else ())
        ]
        found = [(q, n) for q, n, cards in new if code in cards]
        if not found and mine is not None and len(mine.discards or ()) < len(table.sides[p].discards):
            ways = ((q, n, (*cards[:i], code, *cards[i + 1 :])) for q, n, cards in new for i in range(len(cards)))
            found = [(q, n) for q, n, cards in ways if _is_set(cards)]  # one of its cards was read wrongly
        return found[0] if found else (-1, 0)

    # Turns

    def again(self, turn: Turn, changed: set[int]) -> Turn:
        """The turn with the cards as they are believed to be now; some of them have changed."""
        done = turn.same
        if not isinstance(done, Done) or changed.isdisjoint((done.took, *done.opened, done.discarded, *done.dealt)):
            return turn
        return self.turn(None, done, turn.table, turn)

    def turn(self, before: Table | None, done: Done, after: Table, like: Turn | None = None) -> Turn:
        """The line of the log for what a player did."""
        name, codes = self.names[done.player], self.faces.codes
        opened = [codes[card] for card in done.opened]
        breaks = [*done.breaks]
        if opened and not _is_set(tuple(opened)):
            breaks.append("H4")
        fields: dict[str, Any]
        if done.kind == "gain":
            what = UNKNOWN if done.discarded is None else codes[done.discarded]
            fields = {"what": [what], "from": self.names[done.giver or 0], "opened": opened}
        else:
            laid = {*opened, codes[(done.was_ready and done.discarded) or UNSEEN]}
            took = codes[done.took] if codes[done.took] in laid else self.faces.told(done.took)
            fields = {"what": [took], "took": took, "from": "market"}
        if done.kind == "goal":
            fields.update(won_by=done.won[0], hand=list(done.won[1]) or UNKNOWN, bonus=list(done.won[2]))
        elif opened:
            fields["opened"] = opened
        if done.kind == "turn" and done.discarded is not None:
            fields["discarded"] = codes[done.discarded]
            if (
                not opened
                and done.was_ready
                and UNKNOWN not in (took, codes[done.discarded])
                and took != codes[done.discarded]
            ):
                breaks.append("H5")
        if done.ready:
            fields["ready"] = True
        if done.dealt:
            fields["dealt"] = [codes[card] for card in done.dealt]
        told = tuple(sorted(set(breaks), key=lambda rule: int(rule[1:])))
        if like is not None:
            return like._replace(fields=fields, breaks=told, legal=not told)
        table = before or after
        gain = done.kind == "gain"
        number, round_ = max(table.turns + (not gain), 1), 0 if gain else table.turns // len(self.names) + 1
        cards = (done.took, *done.opened, done.discarded or UNSEEN) if FACED & {*told} else ()
        plain = "H4" not in told and not any(self.faces.doubtful(card) for card in cards)
        return Turn(name, done.kind, fields, told, after, done, number, round_, not told, plain)

    def because(self, table: Table, look: Look, fix: Fix) -> tuple[list[str], list[str]]:
        """What was laid stays as it is: H3 for discards, H2 for the market, H8 for cards that exist only so often."""
        rule = "H3" if "/discards/" in fix.at else "H2" if fix.at.startswith("/market") else "H8"
        return [rule], []

    def state(self, table: Table) -> dict[str, Any]:
        """The table in the form of the looks."""
        players = [
            {
                "name": name,
                **self.players.get(name, {}),
                "open": [self._codes(cards) for cards in side.open],
                "discards": self._codes(side.discards),
                "ready": side.ready,
            }
            for name, side in zip(self.names, table.sides, strict=True)
        ]
        state = {"game": "human-angel-demon", "short_game": table.short_game, "market": self._codes(table.market)}
        extra = self.extra if table.winner is not None else {}
        return {"winner": None, **state, "players": players, **extra}

    def _codes(self, cards: Ids) -> list[str]:
        return [self.faces.codes[card] for card in cards]


def _list(fields: Mapping[str, Any], key: str, at: str) -> list[Any] | None:
    value = fields.get(key, UNKNOWN)
    if value == UNKNOWN or value is None:
        return None
    if not isinstance(value, list):
        raise StateError(f"{at}/{key}", "list", value)
    return value


def _cards(fields: Mapping[str, Any], key: str, at: str) -> Cards | None:
    value = _list(fields, key, at)
    return None if value is None else _some(value, f"{at}/{key}")


def _some(value: object, at: str) -> Cards:
    if not isinstance(value, list):
        raise StateError(at, "list", value)
    for i, card in enumerate(value):
        if not isinstance(card, str) or (card not in CODES and card != UNKNOWN):
            raise StateError(f"{at}/{i}", "had-card", card)
    return tuple(value)


def _is_set(cards: Cards) -> bool:
    return UNKNOWN in cards or (len(cards) == BIG_SET and is_big_set([CODES[card][0] for card in cards]))


def _with(sides: tuple[Side, ...], p: int, side: Side) -> tuple[Side, ...]:
    return (*sides[:p], side, *sides[p + 1 :])


def _sizes(read: Reading) -> tuple[int | None, ...]:
    return tuple(None if shown is None else shown.size for shown in read.sides)


def _lies(read: Reading) -> bool:
    """Whether anything of the short game that is over still lies there."""
    return any(side is not None and (side.discards or side.open) for side in read.sides)


class _Market(NamedTuple):
    """How the market may have become what a look shows: the cards gone, what lies there, what was dealt."""

    cost: float
    gone: Ids
    lies: Ids
    came: Ids = ()


class _Search:
    """One table, one look: the explanations."""

    def __init__(self, rules: HumanAngelDemon, table: Table, look: Look, wide: bool) -> None:
        self.rules, self.table, self.look, self.wide = rules, table, look, wide
        self.read: Reading = look.read
        self.stands = False

    def found(self) -> Iterator[Explanation]:
        """All explanations."""
        rules, table, look, read = self.rules, self.table, self.look, self.read
        if read.short_game > table.short_game or (table.winner is not None and read.winner is None and not _lies(read)):
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
                        (p + 1) % n, [*_with(tuple(left), p, rest)], [*events, Event(p, side.discards[0])], cost
                    )
                if side.open:
                    rest = side._replace(open=side.open[1:])
                    after = [*_with(tuple(left), p, rest)]
                    yield from go((p + 1) % n, after, [*events, Event(p, None, side.open[0])], cost)
                    if mover is not None and mover != p:  # the mover's discard was gained at once
                        both = [Event(mover, UNSEEN), Event(p, UNSEEN, side.open[0], mover)]
                        yield from go((mover + 1) % n, after, [*events, *both], cost + GAINED)
                if side.open and side.discards:
                    rest = side._replace(open=side.open[1:], discards=side.discards[1:])
                    one = Event(p, side.discards[0], side.open[0])
                    yield from go((p + 1) % n, [*_with(tuple(left), p, rest)], [*events, one], cost)

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
                    market=market.lies, winner=p if event.goal else now.winner, sizes=_sizes(self.read)
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
            after = now._replace(sides=_with(now.sides, p, lay._replace(open=opened, ready=ready)))
            gave = after.sides[done.giver]
            gave = gave._replace(discards=gave.discards[:-1], gained=gave.gained + 1)
            return after._replace(sides=_with(after.sides, done.giver, gave)) if done.discarded else after
        discards = (*lay.discards, done.discarded) if done.discarded else lay.discards
        after = now._replace(
            market=tuple(card for card in now.market if card != done.took),
            sides=_with(now.sides, p, lay._replace(discards=discards, open=opened, ready=ready)),
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
