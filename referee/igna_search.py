"""How a look of Igna came about, where tokens, hands and discard places are in sight: whole turns, then a part of one.

What happened is read off what is new: treasures on the discard place in their order, sets, Igna cards; the counts of
tokens and cards in the hands say whose turns those were.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any, Final, NamedTuple, Protocol

from referee.looks import PARTLY, UNKNOWN, Fix, Look, breach
from referee.turns import Explanation, Owed, Renewal, Turn

PRICE: Final = 3
"""Tokens paid in place of a treasure laid (I3)."""
REST: Final = 1
"""Tokens for a rest (I6), and for a treasure that another player got (I4)."""
FEW: Final = 2
MANY: Final = 8
"""Hands of so many cards or fewer draw two and two, of so many or more none (I2)."""
SET: Final = 3
TAKEN_FROM_HAND: Final = 2
MOST_TURNS: Final = 3
"""Turns between two looks, or as many as there are players."""
TOO_DEAR: Final = 14.0
"""What costs more is not followed up."""
ONE_TURN: Final = 0.05
"""Of two explanations that cost the same, the one with fewer turns is told."""
MOST_STATES: Final = 150
"""Tables after so many turns that are followed up, the cheapest."""
EFFECT: Final = 0.4
"""One token or card more or less than a turn with Igna cards would leave without what they do."""
MOST_EFFECT: Final = 2
"""Tokens and cards that an Igna card may move."""
WAITING: Final = 10.5
"""A look that no turn explains is waited out."""
EDITED: Final = 13.0
"""Somebody changed the table outside any turn."""

Treasure = str
Treasures = tuple[Treasure, ...]


class Side(NamedTuple):
    """What lies before a player; `tokens`, and how many cards the `hand` holds, None where that is not known."""

    sets: tuple[Treasures, ...] = ()
    tokens: int | None = 0
    hand: int | None = None
    adventurer: str = UNKNOWN


class Table(NamedTuple):
    """A table; `laid` is the treasure offered, `mover` whose turn it is.

    `seen`: the looks that showed the treasure offered, each with what it was read as; `laid_in`: the turn's number.
    """

    sides: tuple[Side, ...]
    laid: Treasure | None = None
    treasures: Treasures = ()
    played: tuple[str, ...] = ()
    turns: int = 0
    mover: int | None = None
    seen: tuple[tuple[Look, str], ...] = ()
    laid_in: int = 0


class Rules(Protocol):
    """What the search asks the game."""

    names: Sequence[str]
    offered: list[tuple[Look, Treasure] | None]

    def valid(self, cards: Treasures) -> bool:
        """I5."""
        ...


class _State(NamedTuple):
    """A table on the way, the turns that lead to it, what they cost, and the treasures that were read wrongly."""

    table: Table
    turns: tuple[Turn, ...] = ()
    cost: float = 0.0
    others: tuple[tuple[int, Treasure, tuple[tuple[Look, str], ...]], ...] = ()


def drawn(hand: int) -> int:
    """How many cards are drawn in step 1, of each kind (I2)."""
    return 2 if hand <= FEW else 0 if hand >= MANY else 1


class Search:
    """One table, one look: the explanations. `sides`: what lies before the players, their sets as believed."""

    def __init__(self, rules: Rules, table: Table, look: Look, sides: tuple[Side, ...], wide: bool) -> None:
        self.rules, self.table, self.look, self.sides, self.wide = rules, table, look, sides, wide
        self.laid: Treasure | None = look.read.laid
        self.gone: Treasures = look.read.treasures
        self.played: tuple[str, ...] = look.read.played
        self.stands = False
        self.most = max(MOST_TURNS, len(sides))
        self.effects = MOST_EFFECT * (len(self.played) - len(table.played))

    def found(self) -> Iterator[Explanation]:
        """All explanations with the fewest turns; where no turn explains the look, it is waited out."""
        states = [_State(self.table)]
        some = over = False
        for _ in range(self.most + 1):
            for state in states:
                for one in self._shown(state):
                    some, over = True, over or not one.held
                    yield one
            if over and not self.wide:
                return
            reached: dict[Any, _State] = {}
            for state in states:
                for after in self._next(state):
                    key = after.table._replace(seen=(), laid_in=0)
                    if self._may_become(after) and (key not in reached or after.cost < reached[key].cost):
                        reached[key] = after
            states = sorted(reached.values(), key=lambda one: one.cost)[:MOST_STATES]
            if some:
                for state in states:
                    yield from self._shown(state)
                break
        if self.wide:
            yield Explanation(WAITING, (), (), (), True)
            now = self._now(self.table)._replace(mover=None)
            fields = {"what": [], "from": UNKNOWN, "to": UNKNOWN}
            turn = Turn(None, "edit", fields, (), now, ("edit",), self.table.turns, 0, UNKNOWN)
            yield Explanation(EDITED, (turn,))

    def _may_become(self, state: _State) -> bool:
        """Whether the look may show whoever moved last so: they do not move again, but for treasures that they get."""
        if state.cost > TOO_DEAR:
            return False
        n = len(self.sides)
        p = state.table.mover
        if p is None or len(state.turns) + n <= self.most:
            return True
        side, shown = state.table.sides[(p - 1) % n], self.sides[(p - 1) % n]
        got = TAKEN_FROM_HAND * (len(shown.sets) - len(side.sets))
        hand = (shown.hand or 0) - (side.hand or 0) + got
        return abs(hand) + abs((shown.tokens or 0) - (side.tokens or 0)) <= self.effects

    def _now(self, table: Table) -> Table:
        seen = ((self.look, self.laid),) if self.laid is not None else ()
        return table._replace(sides=self.sides, laid=self.laid, treasures=self.gone, played=self.played, seen=seen)

    # What the look shows

    def _shown(self, state: _State) -> Iterator[Explanation]:
        """The look shows the table of this state, or a part of the next turn too."""
        whole = self._told(state, self._fit(state.table))
        if whole is not None:
            yield whole
        put = state.table.laid is not None and self.laid is None and self._rest(state.table)[:1]
        if put:  # put away though nobody has begun a turn
            after = self._flushed(state)
            if after is not None and (one := self._told(after, self._fit(after.table))) is not None:
                yield one
        if self.stands:
            return
        movers = range(len(self.sides)) if state.table.mover is None else (state.table.mover,)
        for p in movers:
            for part in self._parts(state, p):
                one = self._told(part, self._fit(part.table), p)
                if one is not None:
                    yield one

    def _rest(self, table: Table) -> Treasures:
        """The treasures that have still to come to the discard place."""
        return self.gone[len(table.treasures) :]

    def _fit(self, table: Table) -> float | None:
        """What it costs to believe that the look shows this table, its offered treasure apart; None: it does not."""
        if len(table.treasures) != len(self.gone) or len(table.played) != len(self.played):
            return None
        if (table.laid is None) != (self.laid is None):
            return None
        off = 0
        for side, shown in zip(table.sides, self.sides, strict=True):
            if len(side.sets) != len(shown.sets):
                return None
            off += abs((side.tokens or 0) - (shown.tokens or 0)) + abs((side.hand or 0) - (shown.hand or 0))
        return EFFECT * off if off <= self.effects else None

    def _told(self, state: _State, fit: float | None, part_of: int | None = None) -> Explanation | None:
        if fit is None:
            return None
        table, cost, fixes, others = state.table, state.cost + fit, (), state.others
        if table.laid is not None and self.laid is not None and (self.look, self.laid) not in table.seen:
            before = table.laid
            if self.laid != before:
                wrong = self.look.price("/laid", self.laid, before)
                earlier = _dearer(table, self.laid) if table.seen else wrong + 1.0
                if wrong <= earlier:
                    cost, fixes = cost + wrong, (Fix("/laid", self.laid, before),)  # type: ignore[assignment]
                else:
                    cost += earlier
                    others = (*others, (table.laid_in, self.laid, table.seen))
                    before = self.laid
            table = table._replace(laid=before, seen=(*table.seen, (self.look, self.laid)))
        table = table._replace(sides=self.sides)
        renewal = _renewal(others) if others else None
        turns = state.turns
        if part_of is not None:
            owed = (Owed(self.rules.names[part_of], "step 3", "I5"),)
            if turns:  # what Igna cards did is seen
                lies, last = state.table.sides[part_of], turns[-1].table
                sides = list(self.sides)
                sides[part_of] = _less(last.sides[part_of], lies, self.sides[part_of])
                turns = (*turns[:-1], turns[-1]._replace(table=last._replace(sides=tuple(sides))))
            return Explanation(cost + PARTLY, turns, fixes, owed, True, None, None, 0.0, renewal)
        if turns:
            turns = (*turns[:-1], turns[-1]._replace(table=table))
            if renewal is not None:
                again = renewal.turn
                turns = tuple([now for turn in turns if (now := again(turn)) is not None])
            return Explanation(cost, turns, fixes, renewal=renewal)
        return Explanation(cost, (), fixes, table=table, renewal=renewal)

    # Turns

    def _flushed(self, state: _State) -> _State | None:
        """The treasure that was offered is put away; the discard place says what it was."""
        table = state.table
        if table.laid is None:
            return state
        rest = self._rest(table)
        if not rest:
            return None
        cost, others = state.cost, state.others
        if rest[0] != table.laid:
            cost += _dearer(table, rest[0])
            others = (*others, (table.laid_in, rest[0], table.seen))
        now = table._replace(laid=None, treasures=(*table.treasures, rest[0]), seen=(), laid_in=0)
        return state._replace(table=now, cost=cost, others=others)

    def _next(self, state: _State) -> Iterator[_State]:
        """The states after one more turn."""
        mover, n = state.table.mover, len(self.sides)
        for p in range(n):
            if mover in (None, p):
                yield from self._turns(state, p, ())
            elif self.wide and not any(turn.breaks for turn in state.turns):
                yield from self._turns(state, p, ("I2",))

    def _begun(
        self, state: _State, p: int, breaks: tuple[str, ...]
    ) -> Iterator[tuple[_State, Any, int, tuple[str, ...]]]:
        """Steps 1 and 2: the state, the treasure laid (None: paid, or none laid), tokens paid, what was broken."""
        cleared = self._flushed(state)
        if cleared is None:
            return
        table = cleared.table
        hand = table.sides[p].hand or 0
        odd = self.wide and not breaks and not any(turn.breaks for turn in state.turns)
        for more in (0, 1) if odd and hand > FEW else (0,):
            told = (*breaks, "I2") if more else breaks
            size = hand + 2 * (drawn(hand) + more)
            rest = self._rest(table)
            laid = list(rest[:1]) or ([self.laid] if self.laid is not None else [])
            for treasure in laid:
                yield self._changed(cleared, p, hand=size - 1), treasure, 0, told
            yield self._changed(cleared, p, hand=size - 1), UNKNOWN, 0, told  # another player gets it
            if (table.sides[p].tokens or 0) >= PRICE:
                tokens = (table.sides[p].tokens or 0) - PRICE
                yield self._changed(cleared, p, hand=size, tokens=tokens), None, PRICE, told
            if odd and not more:
                yield self._changed(cleared, p, hand=size), None, 0, (*told, "I3")

    @staticmethod
    def _changed(state: _State, p: int, **fields: Any) -> _State:
        sides = list(state.table.sides)
        sides[p] = sides[p]._replace(**fields)
        return state._replace(table=state.table._replace(sides=tuple(sides)))

    def _new_sets(self, table: Table, p: int) -> tuple[Treasures, ...]:
        return self.sides[p].sets[len(table.sides[p].sets) :]

    def _turns(self, state: _State, p: int, breaks: tuple[str, ...]) -> Iterator[_State]:
        for begun, laid, paid, told in self._begun(state, p, breaks):
            if laid == UNKNOWN:
                yield from self._got(begun, p, told)
                continue
            new, more = self._new_sets(begun.table, p), self.played[len(begun.table.played) :]
            for s, j in product(range(len(new) + 1), range(len(more) + 1)):
                side, acted = begun.table.sides[p], bool(s or j)
                tokens = (side.tokens or 0) + REST * (not acted)
                hand = (side.hand or 0) - SET * s - j
                ways = [(tokens, told)]
                if self.wide and acted and not j and not told:
                    ways.append((tokens + REST, ("I6",)))
                for have, broken in ways:
                    done = self._changed(begun, p, tokens=have, hand=hand, sets=(*side.sets, *new[:s]))
                    now = done.table._replace(played=(*done.table.played, *more[:j]))
                    yield from self._laid_down(
                        done._replace(table=now), state, p, laid, paid, new[:s], more[:j], broken
                    )

    def _laid_down(
        self,
        done: _State,
        state: _State,
        p: int,
        laid: Treasure | None,
        paid: int,
        sets: tuple[Treasures, ...],
        played: tuple[str, ...],
        breaks: tuple[str, ...],
    ) -> Iterator[_State]:
        """The turn is over: the treasure laid stays there, or is put away at once."""
        table = done.table
        number = state.table.turns + 1
        rest = self._rest(table)
        ways = [table]
        if laid is not None:
            seen = () if rest else ((self.look, laid),)
            ways = [table._replace(laid=laid, seen=seen, laid_in=number)]
            if rest:
                ways.append(table._replace(treasures=(*table.treasures, laid)))
        for way in ways:
            turn = self._turn(state.table, p, way, laid, paid, sets, played, breaks)
            yield self._after(done, state, turn, p)

    def _after(self, done: _State, state: _State, turn: Turn, p: int) -> _State:
        cost = done.cost + ONE_TURN + breach(turn.breaks)
        table = turn.table._replace(turns=state.table.turns + 1, mover=(p + 1) % len(self.sides))
        return _State(table, (*state.turns, turn._replace(table=table)), cost, done.others)

    def _turn(
        self,
        before: Table,
        p: int,
        after: Table,
        laid: Treasure | None,
        paid: int,
        sets: tuple[Treasures, ...],
        played: tuple[str, ...],
        breaks: tuple[str, ...],
    ) -> Turn:
        rested = not sets and not played
        if not all(self.rules.valid(one) for one in sets):
            breaks = (*breaks, "I5")
        n = drawn(before.sides[p].hand or 0)
        fields: dict[str, Any] = {"drew": [n, n], "laid": laid, "sets": [list(one) for one in sets]}
        fields |= {"igna": list(played), "rested": rested, "what": [laid] if laid else []}
        if paid:
            fields["paid"] = paid
        first = len(before.sides[p].sets)
        same = (p, "turn", laid, tuple(range(first, first + len(sets))), rested)
        round_ = before.turns // len(self.sides) + 1
        return Turn(self.rules.names[p], "turn", fields, breaks, after, same, before.turns + 1, round_, not breaks)

    def _got(self, begun: _State, p: int, breaks: tuple[str, ...]) -> Iterator[_State]:
        """I4: another player takes the treasure laid into a set."""
        for q in range(len(self.sides)):
            new = self._new_sets(begun.table, q)
            if q == p or not new:
                continue
            laid = self._taken(new[0])
            side = begun.table.sides[q]
            hand = (side.hand or 0) - TAKEN_FROM_HAND
            for token, told in ((REST, breaks), *([(0, (*breaks, "I4"))] if self.wide and not breaks else [])):
                robbed = self._changed(begun, p, tokens=(begun.table.sides[p].tokens or 0) + token)
                done = self._changed(robbed, q, hand=hand, sets=(*side.sets, new[0]))
                broken = told if self.rules.valid(new[0]) else (*told, "I5")
                fields = {"what": [laid], "from": self.rules.names[p], "set": list(new[0])}
                same, number = (q, "get", laid, len(side.sets)), begun.table.turns + 1
                round_ = begun.table.turns // len(self.sides) + 1
                turn = Turn(self.rules.names[q], "get", fields, broken, done.table, same, number, round_, not broken)
                yield self._after(done, begun, turn, p)

    def _taken(self, cards: Treasures) -> Treasure:
        """Which card of a set was offered, as the look before shows it."""
        offered = self.rules.offered[0]
        if offered is None or any(look is offered[0] for look, _ in self.table.seen):
            return UNKNOWN
        look, read = offered
        prices = sorted((look.price("/laid", read, card) if card != read else 0.0, card) for card in set(cards))
        return prices[0][1] if len(prices) == 1 or prices[0][0] < prices[1][0] else UNKNOWN

    def _parts(self, state: _State, p: int) -> Iterator[_State]:
        """What a player may have done of a turn: drawn, laid a treasure or paid, opened sets, played cards."""
        table = state.table
        hand = table.sides[p].hand or 0
        if drawn(hand):
            yield self._changed(state, p, hand=hand + 2 * drawn(hand))
        for begun, laid, _, told in self._begun(state, p, ()):
            if told or laid == UNKNOWN or self._rest(begun.table):
                continue
            new, more = self._new_sets(begun.table, p), self.played[len(begun.table.played) :]
            side = begun.table.sides[p]
            size = (side.hand or 0) - SET * len(new) - len(more)
            done = self._changed(begun, p, hand=size, sets=(*side.sets, *new))
            seen = ((self.look, laid),) if laid is not None else ()
            now = done.table._replace(laid=laid, seen=seen, played=(*done.table.played, *more))
            yield done._replace(table=now)


def _less(before: Side, lies: Side, shown: Side) -> Side:
    """What lay before a player whose turn has begun, with what somebody's Igna cards did to it."""
    tokens = (before.tokens or 0) + (shown.tokens or 0) - (lies.tokens or 0)
    hand = (before.hand or 0) + (shown.hand or 0) - (lies.hand or 0)
    return before._replace(tokens=tokens, hand=hand)


def _dearer(table: Table, true: Treasure) -> float:
    """What it costs further that the treasure offered was another one than it was believed to be."""
    now = sum(look.price("/laid", read, table.laid or UNKNOWN) for look, read in table.seen if read != table.laid)
    return sum(look.price("/laid", read, true) for look, read in table.seen if read != true) - now


def _renewal(others: Sequence[tuple[int, Treasure, tuple[tuple[Look, str], ...]]]) -> Renewal:
    """The turns in which these treasures were laid, with what they are."""
    true: Mapping[int, Treasure] = {number: treasure for number, treasure, _ in others}
    wrong = [
        (look, Fix("/laid", read, treasure)) for _, treasure, seen in others for look, read in seen if read != treasure
    ]

    def renewed(one: Turn) -> Turn:
        laid = true.get(one.number) if one.move == "turn" and one.fields.get("laid") else None
        if laid is None:
            return one
        same = (*one.same[:2], laid, *one.same[3:])
        return one._replace(fields={**one.fields, "laid": laid, "what": [laid]}, same=same)

    return Renewal(renewed, tuple(wrong), frozenset((look.number, "/laid") for *_, seen in others for look, _ in seen))
