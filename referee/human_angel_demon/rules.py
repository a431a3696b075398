"""Legal turns of Human Angel Demon, and what may be seen after them."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import combinations
from typing import Any, Final

from referee.human_angel_demon.cards import BIG_SET, Card, is_set
from referee.human_angel_demon.game import HumanAngelDemonGame
from referee.human_angel_demon.rows import dealt
from referee.human_angel_demon.search import Search
from referee.human_angel_demon.tables import NO_TAKE, Done, Reading, Table, with_side
from referee.looks import UNKNOWN, Look
from referee.tidying import ANY
from referee.turns import Explanation, Renewal, Start, Turn

LAST_ROUND: Final = {2: 6, 3: 6, 4: 8}
"""Short games of a match, by the number of players (H13)."""
HANDS: Final = {"market": ANY, "discards": 1, "open": 1, "hand": 0}
"""Pieces of each place that hands hold at most; an empty market is filled again."""
GOAL: Final = {2: 24, 3: 18, 4: 12}
"""Points that end a match."""


class HumanAngelDemon(HumanAngelDemonGame):
    """Human Angel Demon between given players."""

    hands = HANDS

    def start(self, look: Look) -> Iterator[Start]:
        """What may lie there when the first look shows this."""
        read: Reading = look.read
        if read.market is not None:
            played = any(side is not None and (side.open or side.discards) for side in read.sides)
            begins = None if played else self.begins(read.short_game)
            table, fixes = dealt(Table((Card(),), (), ()), look, begins, read.short_game)
            yield Start(0.0, table, fixes)

    def turn_of(self, table: Table) -> str | None:
        """Whose turn it is; None where nobody's, or where it is not known."""
        return None if table.mover is None or table.winner is not None else self.names[table.mover]

    def over(self, table: Table) -> bool:
        """H13: the last short game of the match is over."""
        n = len(self.names)
        points = [self.players.get(name, {}).get("points", 0) for name in self.names]
        last = table.short_game >= LAST_ROUND.get(n, LAST_ROUND[4]) and table.winner is not None
        return last or any(type(p) is int and p >= GOAL.get(n, GOAL[4]) for p in points)

    def seen_again(self, table: Table, look: Look) -> tuple[Table, Renewal | None]:
        """The opened sets of which none was put away, seen once more."""
        read: Reading = look.read
        cards = list(table.cards)
        for side, shown in zip(table.sides, read.sides, strict=True):
            if shown is None or shown.open is None or len(shown.open) != len(side.open):
                continue
            for n, (ids, codes) in enumerate(zip(side.open, shown.open, strict=True)):
                for i, (card, code) in enumerate(zip(ids, codes, strict=False)):
                    cards[card], _ = cards[card].read(look, f"{shown.at}/open/{n}/{i}", code)
        now = replace(table, cards=tuple(cards))
        return now, self.renewal(table, now)

    def cleared_next(self, table: Table) -> bool:
        """After each short game all cards are collected."""
        return table.winner is not None or self.over(table)

    def explain(self, table: Table, look: Look, wide: bool) -> Iterable[Explanation]:
        """How this table may have become what the look shows."""
        return list(Search(self, table, look, wide).found())

    def finish(self, table: Table, look: Look) -> Explanation | None:
        """A card in a hand is no slip: the deck may have ended the short game (H9)."""
        return None

    def key(self, table: Table) -> Any:
        """Everything that lies there."""
        sides = [(table.codes(side.discards), *map(table.codes, side.open), side.ready) for side in table.sides]
        market = sorted(table.codes(table.market))
        now = (table.mover, table.winner, table.short_game, table.hand, table.holder)
        return repr((sides, market, now, table.turns, table.fresh, table.matched))

    def alike(self, one: Turn, other: Turn) -> Turn | None:
        """Turns that differ in the card that was taken only, which went to a hand."""
        done, another = one.same, other.same
        if not isinstance(done, Done) or not isinstance(another, Done) or done.kind != "turn":
            return None
        took, same = one.fields.get("took"), other.fields.get("took")
        if (done.sign[:2], done.sign[3:]) != (another.sign[:2], another.sign[3:]) or one.breaks != other.breaks:
            return None
        if UNKNOWN in (took, same):
            return one if took == UNKNOWN else other
        sign = (*done.sign[:2], UNKNOWN, *done.sign[3:])
        fields = {**one.fields, "took": UNKNOWN, "what": [UNKNOWN]}
        return one._replace(fields=fields, same=replace(done, sign=sign, take=NO_TAKE))

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
        for code in dict.fromkeys(table.codes(table.market)):
            if code == UNKNOWN:
                continue
            yield self._way(table, code, None)
            held = [*hand, code] if isinstance(hand, list) and UNKNOWN not in hand and not side.ready else []
            for some in sorted(set(combinations(sorted(held), BIG_SET))):
                if is_set(some):
                    yield self._way(table, code, some)

    def _way(self, table: Table, code: str, opened: tuple[str, ...] | None) -> Turn:
        """A card of the market is taken, then a set opened or a card discarded: by who is ready the same one."""
        p = table.mover or 0
        side, n = table.sides[p], len(table.cards)
        card = next(one for one in table.market if table.cards[one].code == code)
        laid = opened or ((code,) if side.ready else (UNKNOWN,))
        ids = tuple(range(n, n + len(laid)))
        side = side._replace(open=(*side.open, ids)) if opened else side._replace(discards=(*side.discards, *ids))
        after = replace(
            table,
            cards=(*table.cards, *map(Card, laid)),
            takes=(*table.takes, card),
            market=tuple(one for one in table.market if one != card),
            sides=with_side(table.sides, p, side),
        )
        way = (ids,) if opened else ()
        done = Done((), p, "turn", len(table.takes), way, () if opened else ids, number=table.turns + 1)
        return self.turn(after, done, after)
