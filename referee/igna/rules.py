"""Legal turns of Igna (treasures offered, sets opened, tokens, rests), and what may be seen after them.

What a single Igna card does is not in the rulebook: cards played are named, and nothing that they may have done is a
breach. Where only the sets and the treasure offered are in sight, a line is told for each set and for nothing else.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from referee.igna.search import MOST_EFFECT, Search, sets_alone
from referee.igna.sets import Sets
from referee.igna.tables import PRICE, SET, Reading, Side, Table, drawn, read_state, sorted_out
from referee.looks import PARTLY, SLIP, UNKNOWN, Fit, Fix, Look, breach
from referee.tidying import ANY
from referee.turns import Explanation, Renewal, Rules, Start, Turn, first_of, house_of

LAST_SET: Final = 4
HANDS: Final = {"sets": 1, "discard_treasure": ANY, "discard_igna": ANY, "laid": ANY, "tokens": ANY}
"""Pieces of each place that hands hold at most, or that cards may move."""
KEPT: Final = ("points", "house_rules")
ANY_SET: Final = {
    "same": ("red1", "red1", "red1"),
    "run": ("red1", "red2", "red3"),
    "mixed": ("red1", "yellow1", "green1"),
}
"""A set of each kind (I5): what it is worth does not hang on which one it is, the bonus apart."""


class Igna(Rules):
    """Igna between given players."""

    hands = HANDS
    hides = True

    def __init__(self, header: Mapping[str, Any], look: Look) -> None:
        self.names: Sequence[str] = header["players"]
        self.first = first_of(header)
        self.house = house_of(header, {})
        self.extra: dict[str, Any] = {}
        self.sets = Sets(self.names)
        self.offered: tuple[Look, str] | None = None
        """The treasure offered in the look before."""
        self.mixed: list[int] = []
        """Treasures put to the Igna cards: how many others had been put away before each."""

    def read(self, look: Look) -> Reading:
        """The look's state in the game's own form. Raises StateError where it is none."""
        read = sorted_out(read_state(look.state, self.names), self.mixed)
        self.extra.update({key: look.state[key] for key in KEPT if key in look.state})
        look.memo["offered"] = self.offered
        if read.place_seen:
            self.offered = None if read.laid is None else (look, read.laid)
        return read

    def as_read(self, look: Look) -> Mapping[str, Any]:
        """The look's state, with treasures that lie among the Igna cards where they belong."""
        read: Reading = look.read
        if not read.mixed:
            return look.state
        return {**look.state, "discard_treasure": list(read.treasures or ()), "discard_igna": list(read.played or ())}

    def start(self, look: Look) -> Iterator[Start]:
        """What may lie there when the first look shows this."""
        read: Reading = look.read
        self.sets.see(look)
        sides = tuple(self.sets.side(p, Side(), shown) for p, shown in enumerate(read.sides))
        seen = ((look, read.laid),) if read.laid is not None else ()
        played = read.treasures or read.played or any(side.sets for side in sides)
        begins = None if played else self.first
        table = Table(sides, read.laid, read.treasures or (), read.played or (), 0, begins, seen, mixed=read.mixed)
        yield Start(look.least, table, self.sets.fixes(look))

    def expected(self, table: Table) -> int | None:
        """The player whose turn it is; None where it is not known."""
        return table.mover

    def over(self, table: Table) -> bool:
        """I10: somebody has four sets."""
        return any(len(side.sets) >= LAST_SET for side in table.sides)

    def seen_again(self, table: Table, look: Look) -> tuple[Table, Renewal | None]:
        """The sets that still lie there, seen once more."""
        renewal = self.sets.see(look)
        if renewal is None:
            return table, None
        return table._replace(sides=tuple(self.sets.side(p, lay, None) for p, lay in enumerate(table.sides))), renewal

    def explain(self, table: Table, look: Look, wide: bool) -> Iterable[Explanation]:
        """How this table may have become what the look shows."""
        return list(self._found(table, look, wide, False))

    def finish(self, table: Table, look: Look) -> Explanation | None:
        """The part of a turn that the last look shows, as a turn that stands."""
        ways = (one for one in self._found(table, look, True, True) if one.turns and one.turns[0].who)
        return min(ways, key=lambda one: one.cost, default=None)

    def _found(self, table: Table, look: Look, wide: bool, stands: bool) -> Iterator[Explanation]:
        """The explanations, with what the look shows of the sets that lay there before."""
        renewal = self.sets.see(look)
        read: Reading = look.read
        sides = tuple(
            self.sets.side(p, lay, shown) for p, (lay, shown) in enumerate(zip(table.sides, read.sides, strict=True))
        )
        counted = all(side.tokens is not None for side in table.sides)
        if counted and read.counted:
            found: Iterable[Explanation] = Search(self.names, table, look, sides, wide, stands).found()
        elif counted:
            found = [Explanation(0.0, (), table=table)]  # something is covered: a later look tells whose turns it were
        else:
            found = sets_alone(self.names, table, look, sides)
        fixes = self.sets.fixes(look)
        for one in found:
            both = renewal if one.renewal is None else one.renewal.after(renewal)
            way = self._judged(table, read, one)
            yield way._replace(cost=way.cost + look.least, fixes=(*fixes, *way.fixes), renewal=both)

    def _judged(self, table: Table, read: Reading, way: Explanation) -> Explanation:
        """I7, I9, I10: what a look shows besides the turns that it tells of; said of who had a turn."""
        cost, turns, over = 0.0, list[Turn](), self.over(table)
        for i, turn in enumerate(way.turns):
            if turn.who is None:
                turns.append(turn)
                continue
            p = self.names.index(turn.who)
            shown, last = read.sides[p], not any(one.who == turn.who for one in way.turns[i + 1 :])
            again = shown is not None and (table.sides[p].adventurer, shown.adventurer) == ("open", "down")
            broken = {"I7": read.mixed > table.mixed and i == len(way.turns) - 1, "I9": last and again, "I10": over}
            more = tuple(rule for rule, broke in broken.items() if broke)
            breaks = (*turn.breaks, *more)
            cost += breach(breaks) - breach(turn.breaks)
            now = turn.table._replace(mixed=max(read.mixed, table.mixed))
            turns.append(self.sets.judged(turn._replace(table=now, breaks=breaks, legal=not breaks)))
            over = over or self.over(turn.table)
        return way._replace(cost=way.cost + cost, turns=tuple(turns))

    def key(self, table: Table) -> Any:
        """Everything that lies there."""
        return table._replace(seen=(), laid_in=0)

    def between(self, before: Table, turn: Turn, look: Look) -> Fit | None:
        """Whether the treasure that a look shows in the midst of a turn is of this turn, or lay there before."""
        read: Reading = look.read
        moved = turn.fields["from"] if turn.move == "get" else turn.who
        if not read.counted or moved not in self.names:
            return None
        mover = self.names.index(moved)
        if not all(self._may_lie(p, shown, mover, before, turn, read) for p, shown in enumerate(read.sides)):
            return Fit(2 * SLIP)
        ways = [before.laid, *([turn.fields["laid"]] if turn.move == "turn" else turn.fields["what"])]
        if ways[1] == UNKNOWN:
            ways[1:] = turn.fields.get("set", [])
        if not self._may_have_laid(mover, before, turn, read) and before.laid is not None:
            del ways[1:]
        prices = [(look.price("/laid", read.laid, one), one) for one in ways if one is not None and read.laid]
        cost, true = min(prices) if prices and read.laid not in ways else (0.0, read.laid)
        fixes = (*self.sets.fixes(look), *([Fix("/laid", read.laid, true)] if true != read.laid else []))
        return Fit(cost + look.least + PARTLY, fixes)

    def _may_lie(self, p: int, shown: Side | None, mover: int, before: Table, turn: Turn, read: Reading) -> bool:
        """Whether what a player has in the midst of a turn fits what they had before it and have after it.

        Igna cards change something only when they are played; nobody draws more than step 1 gives.
        """
        lay, after, played = before.sides[p], turn.table.sides[p], len(read.played or ())
        if shown is None:
            return True
        if p == mover:
            if lay.hand is None or shown.hand is None:
                return True
            more, cards = _cards_drawn(lay.hand, turn), played - len(before.played)
            most = lay.hand + more + MOST_EFFECT * cards
            spent = SET * (len(shown.sets) - len(lay.sets)) + (1 + MOST_EFFECT) * cards
            return lay.hand + min(2 * drawn(lay.hand) - 1, 0) - spent <= shown.hand <= most
        has = shown.tokens, shown.hand
        if played == len(before.played):
            return has == (lay.tokens, lay.hand)
        if turn.move == "get" and p == self.names.index(turn.who):
            return True
        return played < len(turn.table.played) or has == (after.tokens, after.hand)

    def _may_have_laid(self, mover: int, before: Table, turn: Turn, read: Reading) -> bool:
        """Whether a treasure of the turn may be laid by now: not while the hand holds all that was drawn."""
        lay, shown = before.sides[mover], read.sides[mover]
        if shown is None or lay.hand is None or shown.hand is None or len(read.played or ()) > len(before.played):
            return True
        return shown.hand not in (lay.hand, lay.hand + _cards_drawn(lay.hand, turn))

    def still_lies(self, slip: Turn, turns: Sequence[Turn], look: Look) -> bool:
        """The treasure that it offered is one that another player offered, or its Igna cards have not gone."""
        what, lay = slip.fields.get("what"), slip.table.played
        if what and any(slip.who != turn.who and what == turn.fields.get("what") for turn in turns):
            return True
        return bool(turns and slip.fields.get("igna")) and (look.read.played or ())[: len(lay)] == lay

    def legal(self, table: Table) -> Iterator[Turn]:
        """What may be begun, and what a set of each kind would give; the hand itself is hidden."""
        mover = table.mover
        if mover is None or self.over(table):
            return
        side = table.sides[mover]
        lay = {"laid": UNKNOWN, "sets": [], "igna": []}
        ways: list[tuple[str, Side, dict[str, Any]]] = []
        if table.laid is None:
            ways.append(("lay", side, lay))
            if side.tokens is not None and side.tokens >= PRICE:
                ways.append(("pay", side._replace(tokens=side.tokens - PRICE), {**lay, "laid": None, "paid": PRICE}))
        for way, cards in ANY_SET.items():
            ways.append((way, side._replace(sets=(*side.sets, cards)), {**lay, "sets": [list(cards)]}))
        for way, after, fields in ways:
            yield self._way(table, mover, way, after, fields)
        for p, other in enumerate(table.sides):
            if table.laid is not None and p != mover:
                yield self._way(table, p, "get", other, {"what": [table.laid]})

    def _way(self, table: Table, p: int, way: str, after: Side, fields: dict[str, Any]) -> Turn:
        sides = (*table.sides[:p], after, *table.sides[p + 1 :])
        kind = "get" if way == "get" else "turn"
        now = table._replace(sides=sides, turns=table.turns + 1, mover=p)
        n, round_ = table.turns + 1, table.turns // len(self.names) + 1
        return Turn(self.names[p], kind, {**fields, "way": way}, (), now, (p, way), n, round_)

    def because(self, table: Table, look: Look, fix: Fix) -> tuple[list[str], list[str]]:
        """I5: a set that was opened stays as it is."""
        return ["I5"], []

    def state(self, table: Table) -> dict[str, Any]:
        """The table in the form of the looks."""
        players = []
        for name, side in zip(self.names, table.sides, strict=True):
            player: dict[str, Any] = {"name": name, "sets": [list(one) for one in side.sets]}
            if side.tokens is not None:
                player["tokens"] = side.tokens
            if side.hand is not None:
                player["hand_size"] = side.hand
            if side.adventurer != UNKNOWN:
                player["adventurer"] = side.adventurer
            players.append(player)
        state: dict[str, Any] = {"game": "igna", **self.extra, "players": players, "laid": table.laid}
        return {**state, "discard_treasure": list(table.treasures), "discard_igna": list(table.played)}


def _cards_drawn(hand: int, turn: Turn) -> int:
    """So many cards were drawn in step 1 of a turn, one pair too many where that is its slip."""
    return 2 * (drawn(hand) + ("I2" in turn.breaks))
