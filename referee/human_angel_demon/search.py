"""Search the turns and gains of Human Angel Demon that explain what left the market.

Hands are hidden: what is taken is seen in the market, what is done with it before the player.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from math import log
from typing import Final

from referee.human_angel_demon.game import HumanAngelDemonGame
from referee.human_angel_demon.market import Market, markets
from referee.human_angel_demon.outcome import BEGUN, Outcomes, Plan
from referee.human_angel_demon.paths import MOST_TURNS, Path, Paths
from referee.human_angel_demon.rows import Laid, Rows, dealt, ready
from referee.human_angel_demon.tables import NO_TAKE, Reading, Side, Table
from referee.looks import EDITED, SLIP, UNKNOWN, WAITING, Look
from referee.turns import Explanation, Turn

FURTHER: Final = 6.0
"""An explanation that costs so much more than the best one of its table is none; of slips this much:"""
SLIPPED: Final = 4.5
WIDE: Final = 3.0
"""Where all care is taken, so much more."""
MOST_PLANS: Final = 300
"""So many ways in which it may have gone are worked out, the cheapest: where nobody's discards are in sight there are
tens of thousands."""
MOST_HELD: Final = 3
"""Discards and sets that may be out of sight in the midst of a short game."""


class Search:
    """One table, one look: the explanations."""

    def __init__(self, rules: HumanAngelDemonGame, table: Table, look: Look, wide: bool) -> None:
        self.rules, self.table, self.look, self.wide = rules, table, look, wide
        self.read: Reading = look.read

    def found(self) -> Iterator[Explanation]:
        """All explanations that are near enough to the best one."""
        table, look, read = self.table, self.look, self.read
        if read.short_game > table.short_game or self._lies_anew():
            yield self._dealt()
            return
        rows = Laid(table, look).ways()
        look.least = min(look.least or rows[0].cost, rows[0].cost)
        turns = min(sum(map(len, (*ways.discards, *ways.opens))) for ways in rows)
        shown = [*markets(table, look, len(self.rules.names), turns)]
        plans = sorted(self._plans(rows, shown), key=lambda plan: plan.cost)
        outcomes = Outcomes(self.rules, table, look)
        best = EDITED if self.wide else WAITING
        more = WIDE * self.wide
        for plan in plans[:MOST_PLANS]:
            if plan.cost < best + more + (SLIPPED if plan.slips else FURTHER):
                for way in outcomes.ways(plan):
                    best = min(best, way.cost)
                    yield way
        if self.wide or not plans:
            yield from self._unexplained(outcomes, rows[0], shown)

    def _unexplained(self, outcomes: Outcomes, rows: Rows, shown: list[Market]) -> Iterator[Explanation]:
        """Nobody's turn: the look is waited out, or the table was changed."""
        market = shown[0]
        plan = Plan(rows.cost + market.cost, rows, market, Path(None, None, (), (), ()))
        cards, fixes, lies = outcomes.cards(plan)
        yield Explanation(plan.cost + WAITING, (), fixes, (), True)
        sides = tuple(
            Side(
                (*(card for card in side.discards if card != rows.gone[p]), *rows.discards[p]),
                (*side.open, *rows.opens[p]),
                ready(self.table, self.read, p),
            )
            for p, side in enumerate(self.table.sides)
        )
        now = replace(
            self.table,
            cards=tuple(cards),
            sides=sides,
            market=lies,
            mover=None,
            hand=NO_TAKE,
            holder=None,
            pending=(),
            fresh=None,
        )
        what = [card for ids in (*rows.discards, market.gone) for card in now.codes(ids)]
        fields = {"what": what, "from": UNKNOWN, "to": UNKNOWN}
        turn = Turn(None, "edit", fields, (), now, ("edit",), self.table.turns, 0, UNKNOWN)
        cost = plan.cost + EDITED + log(len(self.rules.names))  # whose turn it is then, nobody knows
        yield Explanation(cost, (turn,), fixes, renewal=self.rules.renewal(self.table, now))

    def _lies_anew(self) -> bool:
        """Whether all cards were collected and others have been dealt, though nobody counts the short games."""
        table, read = self.table, self.read
        new = Counter(read.market or ()) - Counter(table.codes(table.market))
        lies = any(side is not None and (side.discards or side.open) for side in read.sides)
        if lies or not new or read.winner is not None:
            return False
        lay = sum(len(side.discards) + len(side.open) for side in table.sides)
        shown = all(side is not None and None not in (side.discards, side.open) for side in read.sides)
        return table.winner is not None or (shown and lay > MOST_HELD)  # H9: the deck was used up

    def _dealt(self) -> Explanation:
        """H1, H13: a new short game; the left neighbor of whoever began the last one begins."""
        rules, table = self.rules, self.table
        short = max(self.read.short_game, table.short_game + 1)  # where nobody counts them, the next one
        new, fixes = dealt(table, self.look, rules.begins(short), short)
        fields = {"what": new.codes(new.market), "from": "deck", "to": "market"}
        turn = Turn(None, "deal", fields, (), new, ("deal", short), table.turns, 0)
        return Explanation(0.0, (turn,), fixes)

    def _plans(self, ways: list[Rows], shown: list[Market]) -> Iterator[Plan]:
        """Rows, market and turns that go together, as many cards taken as turns need, or one more or less (H2)."""
        taken = [market.taken for market in shown]
        most = max((n for n in taken if n is not None), default=0) + (self.table.hand != NO_TAKE) + 1
        paths = Paths(self.rules, self.table, self.look, MOST_TURNS if None in taken else most)
        for rows in ways:
            if sum(map(len, (*rows.discards, *rows.opens))) > MOST_TURNS:
                continue
            found = [*paths.found(rows)]
            needs = {path.unseen: rows._replace(cards=rows.cards[: paths.known + path.unseen]) for path in found}
            for path in found:
                takers = [i for i, event in enumerate(path.events) if event.takes]
                for market in shown:
                    cost = rows.cost + market.cost + path.cost
                    for begun, odd in self._spare(path, market, takers):
                        more = (BEGUN if begun and takers else 0.0) + SLIP * bool(odd)
                        yield Plan(cost + more, needs[path.unseen], market, path, begun, odd, path.slips + bool(odd))

    def _spare(self, path: Path, market: Market, takers: list[int]) -> Iterator[tuple[bool, tuple[int, int] | None]]:
        """Whether the next player has begun, and which turn took a card too many or none."""
        held = self.table.hand != NO_TAKE
        ends = any(event.kind == "goal" for event in path.events)
        if market.taken is None:
            yield held and not takers, None
            if not ends and (takers or not held):
                yield True, None
            return
        spare = market.taken - len(takers)
        spare += 0 if market.back else held - len(self.table.pending)
        if spare == 0:
            yield False, None
        elif spare == 1 and not ends:
            yield True, None
        if spare in (1, 2) and not (spare > 1 and ends):
            for i in takers:
                yield spare > 1, (i, 1)
        elif spare == -1:
            for i in takers:
                if len(takers) == 1 or not (held and i == takers[0]):
                    yield False, (i, -1)
