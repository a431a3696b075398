"""Human Angel Demon between two looks: what is legal, and what a look may show."""

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Any, Final

from referee.human_angel_demon.game import HumanAngelDemonGame
from referee.human_angel_demon.search import Search
from referee.human_angel_demon.tables import BIG_SET, UNSEEN, Done, Reading, Side, Table, is_set, with_side
from referee.looks import UNKNOWN, Look
from referee.tidying import ANY
from referee.turns import Explanation, Start, Turn

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
            table = self.deal(Table((), (Side(),) * len(self.names), 0, self.first, read.short_game), look)
            yield Start(0.0, table)

    def turn_of(self, table: Table) -> str | None:
        """Whose turn it is; None where nobody's, or where it is not known."""
        return None if table.mover is None or table.winner is not None else self.names[table.mover]

    def over(self, table: Table) -> bool:
        """H13: the last short game of the match is over."""
        n = len(self.names)
        points = [self.players.get(name, {}).get("points", 0) for name in self.names]
        last = table.short_game >= LAST_ROUND.get(n, LAST_ROUND[4]) and table.winner is not None
        return last or any(type(p) is int and p >= GOAL.get(n, GOAL[4]) for p in points)

    def cleared_next(self, table: Table) -> bool:
        """After each short game all cards are collected."""
        return table.winner is not None or self.over(table)

    def explain(self, table: Table, look: Look, wide: bool) -> Iterable[Explanation]:
        """How this table may have become what the look shows."""
        return list(Search(self, table, look, wide).found())

    def finish(self, table: Table, look: Look) -> Explanation | None:
        """The part of a turn that the last look shows, as a turn that stands."""
        search = Search(self, table, look, True)
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
                if is_set(some):
                    ids = tuple(self.faces.number(("legal", one)) for one in some)
                    for i, one in zip(ids, some, strict=True):
                        self.faces.codes[i] = one
                    opened = side._replace(open=(*side.open, ids))
                    yield self.turn(table, Done(p, "turn", card, ids), self._way(table, card, opened))

    def _way(self, table: Table, card: int, after: Side) -> Table:
        p = table.mover or 0
        market = tuple(one for one in table.market if one != card)
        return table._replace(market=market, sides=with_side(table.sides, p, after))
