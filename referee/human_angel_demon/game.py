"""A game of Human Angel Demon: the cards that lie there, the lines of its log.

A card keeps its number from when it is first seen; what it is, all looks that show it say together.
"""

from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import Any, Final

from referee.human_angel_demon.faces import AS_LIKELY, Faces
from referee.human_angel_demon.tables import (
    KEPT,
    UNSEEN,
    Cards,
    Done,
    Ids,
    Reading,
    ReadSide,
    Side,
    Table,
    card_codes,
    cards_at,
    hand_sizes,
    is_set,
)
from referee.looks import UNKNOWN, Fix, Look, list_at, player_rows
from referee.turns import Renewal, Rules, Turn, first_of, house_of
from scoring.human_angel_demon.sets import CODES

FACED: Final = frozenset(("H4", "H5"))
"""Breaches that what a card was read as makes."""


class HumanAngelDemonGame(Rules):
    """The cards of a game between given players, and the lines of its log."""

    def __init__(self, header: Mapping[str, Any], look: Look) -> None:
        self.names: Sequence[str] = header["players"]
        self.first = first_of(header)
        self.house = house_of(header, {})
        self.extra: dict[str, Any] = {}
        self.players: dict[str, dict[str, Any]] = {}
        self.faces = Faces()
        self.short: object = 1
        self.shown: tuple[Look, Cards] | None = None
        """The last look's market, not yet read into the cards that lie there."""

    def read(self, look: Look) -> Reading:
        """The look's state in the game's own form. Raises StateError where it is none."""
        state = look.state
        winner = state.get("winner")
        sides: list[ReadSide | None] = [None] * len(self.names)
        for p, at, row in player_rows(state, self.names):
            opened = list_at(row, "open", at)
            sides[p] = ReadSide(
                at,
                cards_at(row, "discards", at),
                None
                if opened is None
                else tuple(card_codes(cards, f"{at}/open/{n}") for n, cards in enumerate(opened)),
                row.get("ready") if type(row.get("ready")) is bool else None,
                cards_at(row, "hand", at),
                row["hand_size"] if type(row.get("hand_size")) is int else None,
            )
            new = state.get("short_game", self.short) != self.short
            before = {} if new else self.players.get(self.names[p], {})
            more = {key: row[key] for key in ("points", "hand", "hand_size", "winning_card") if row.get(key)}
            self.players[self.names[p]] = {**before, **more}
        self.short = short = state.get("short_game", 1)
        extra = {key: state[key] for key in KEPT if key in state}
        same = winner in (None, self.extra.get("winner"))  # who has won is said once
        self.extra = {**self.extra, **extra} if same else extra
        return Reading(
            cards_at(state, "market", ""),
            tuple(sides),
            short if type(short) is int else 1,
            self.names.index(winner) if winner in self.names else None,
            state,
        )

    def deal(self, table: Table, look: Look) -> Table:
        """The table of a short game that begins with this look."""
        read: Reading = look.read
        market = tuple(self.faces.number((look.number, i)) for i in range(len(read.market or ())))
        new = Table(
            market, (Side(),) * len(self.names), table.turns, table.mover, table.short_game, sizes=hand_sizes(read)
        )
        self.see(new, look, market)
        return new._replace(sides=tuple(self.side(new, p, read) for p in range(len(self.names))))

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
                if not is_set(codes):
                    ways = [(*codes[:i], way, *codes[i + 1 :]) for i in range(len(row)) for way in CODES]
                    new = gone - {*codes} if n >= len(lay.open) else frozenset[str]()
                    faces.match(row, [way for way in ways if is_set(way)], new)
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
            found = [(q, n) for q, n, cards in ways if is_set(cards)]  # one of its cards was read wrongly
            found = found or [(q, n) for q, n, cards in new if is_set(cards)]  # or the discard was, while it lay
        return found[0] if found else (-1, 0)

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
        if opened and not is_set(tuple(opened)):
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
