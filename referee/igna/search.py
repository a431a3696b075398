"""Search the turns of Igna that explain an observation: whole turns, a part of one, or opened sets alone.

What happened is read off what is new: treasures on the discard place in their order, sets, Igna cards; the counts of
tokens and cards in the hands say whose turns those were.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from referee.igna.tables import (
    EXCHANGED,
    FEW,
    PRICE,
    REST,
    SET,
    TAKEN_FROM_HAND,
    Reading,
    Side,
    Table,
    Treasure,
    Treasures,
    drawn,
    is_set,
)
from referee.looks import EDITED, FAR, PARTLY, SLIP, UNKNOWN, WAITING, Fix, Look, breach
from referee.turns import Explanation, Owed, Renewal, Turn

MOST_TURNS: Final = 3
"""Turns between two looks, or as many as there are players."""
ONE_TURN: Final = 0.05
UNSEEN_TURN: Final = 1.0
"""What a turn costs that leads to the look, and one before it, which no look shows."""
PAID: Final = 1.0
"""Three tokens were paid, which players do less than to lay a treasure."""
EFFECT: Final = 0.9
"""One token or card more or less than a turn with Igna cards would leave without what they do."""
GIFT: Final = 1.0
"""What it costs besides for each that a card gave somebody else, or took from who played it."""
MOST_EFFECT: Final = 2
"""Tokens and cards that an Igna card may move."""
TOO_DEAR: Final = 3.0
"""What costs so much more than something else is not followed up."""
MARGIN: Final = 7.0
"""What costs so much more is not, though a rule is broken."""
MOST_STEPS: Final = 5_000
"""Turns that are looked at, of so many between two looks; lawful ones come first."""

Counts = tuple[int | None, ...]
Seen = tuple[tuple[Look, Treasure], ...]


class _State(NamedTuple):
    """A table on the way: how many of the new treasures, Igna cards and sets have come, tokens and hands.

    `ends` are the turns that lead to it, each with the state after it; `others` treasures that were read wrongly: the
    turn's number, what it is, the looks that showed it. `exchanged`: Igna cards that were put away for treasures.
    """

    mover: int | None
    laid: Treasure | None
    seen: Seen
    laid_in: int
    gone: int
    played: int
    sets: tuple[int, ...]
    tokens: Counts
    hands: Counts
    cost: float = 0.0
    broken: bool = False
    others: tuple[tuple[int, Treasure, Seen], ...] = ()
    ends: tuple[tuple[_Act, _State], ...] = ()
    exchanged: int = 0


class _Way(NamedTuple):
    """A way to see the look: what it costs, the state, whose turn is begun in it, and the treasure that is offered;
    `slip`: what of the cost is a rule that the turn begun breaks.
    """

    cost: float
    state: _State
    part_of: int | None
    laid: Treasure | None
    slip: float


class _Act(NamedTuple):
    """What a player did in a turn: the treasure laid, tokens paid, how many sets and Igna cards; `robbed`: whose
    treasure it got.
    """

    player: int
    laid: Treasure | None = None
    paid: int = 0
    sets: int = 0
    played: int = 0
    breaks: tuple[str, ...] = ()
    robbed: int | None = None


def sets_alone(names: Sequence[str], table: Table, look: Look, sides: tuple[Side, ...]) -> Iterator[Explanation]:
    """The sets that have come, a line each: without tokens and hands no look tells more.

    Whose turn it was is not known, nor whether a set was opened or a treasure got, unless one of its treasures was the
    one offered and is gone.
    """
    read: Reading = look.read
    laid, turns = read.laid, []
    now = table._replace(
        laid=laid,
        mover=table.mover if laid == table.laid else None,
        treasures=table.treasures if read.treasures is None else read.treasures,
        played=table.played if read.played is None else read.played,
    )
    for p, side in enumerate(sides):
        for n in range(len(table.sides[p].sets), len(side.sets)):
            cards = side.sets[n]
            mine = now.sides[p]._replace(sets=side.sets[: n + 1])
            before = now
            now = now._replace(sides=(*now.sides[:p], mine, *now.sides[p + 1 :]), turns=now.turns + 1, mover=None)
            breaks = () if is_set(cards) else ("I5",)
            got = table.laid if table.laid in cards and laid != table.laid else None
            if got is None:
                fields = {"drew": UNKNOWN, "laid": UNKNOWN, "sets": [list(cards)], "igna": [], "rested": False}
                fields["what"] = []
                same: Any = (p, "turn", UNKNOWN, (n,), False)
            else:
                fields = {"what": [got], "from": UNKNOWN, "set": list(cards)}
                same = (p, "get", got, n)
            turns.append(_line(names, p, same[1], fields, breaks, before, now, same))
    now = now._replace(sides=sides)
    yield Explanation(sum(breach(turn.breaks) for turn in turns), (*turns,), table=None if turns else now)


class Search:
    """One table, one look: the explanations. `sides`: what lies before the players, their sets as believed; `stands`:
    a part of a turn counts as all of it.
    """

    def __init__(
        self, names: Sequence[str], table: Table, look: Look, sides: tuple[Side, ...], wide: bool, stands: bool
    ) -> None:
        self.names, self.table, self.look, self.sides, self.wide, self.stands = names, table, look, sides, wide, stands
        read: Reading = look.read
        self.laid = read.laid
        self.gone: Treasures = (read.treasures or ())[len(table.treasures) :]
        self.played: tuple[str, ...] = (read.played or ())[len(table.played) :]
        self.sets = [side.sets[len(lay.sets) :] for lay, side in zip(table.sides, sides, strict=True)]
        self.new = [len(sets) for sets in self.sets]
        self.shown = [(side.tokens or 0, side.hand) for side in sides]
        self.effects = MOST_EFFECT * len(self.played)
        self.least: dict[Any, float] = {}
        self.left = 0
        self.near = False
        """Whether only what explains the look nearly as well as something else is looked for."""
        self.most = FAR
        """What costs more is not followed up: something else explains the look far better."""

    def found(self) -> Iterator[Explanation]:
        """All explanations with the fewest turns, or one more, and near ones with two; where no turn explains the look,
        it is waited out.
        """
        table = self.table
        tokens, hands = tuple(side.tokens for side in table.sides), tuple(side.hand for side in table.sides)
        none = (0,) * len(self.sides)
        first = _State(table.mover, table.laid, table.seen, table.laid_in, 0, 0, none, tokens, hands)
        lost = len(table.treasures) + len(self.gone) > len(self.look.read.treasures)
        some = 0
        for turns in range(max(MOST_TURNS, len(self.sides)) + 1) if not lost else ():
            ways: dict[Any, _Way] = {}
            self.left, self.near = MOST_STEPS, 0 < some < turns
            for way in self._after(first, turns) if self._may_become(first, turns) else ():
                key = way.part_of, *((act.player, act.laid, act.sets, act.robbed) for act, _ in way.state.ends)
                if key not in ways or way.cost < ways[key].cost:
                    ways[key] = way
                self.most = min(self.most, way.cost + TOO_DEAR)
            yield from map(self._told, ways.values())
            some = some or (turns + 1 if ways else 0)
            whole = any(way.part_of is None for way in ways.values())
            if (whole and not self.wide) or self.near:
                break
        if self.wide:
            yield Explanation(WAITING, (), (), (), True)
            now = self._lies(table)._replace(mover=None)
            fields = {"what": [], "from": UNKNOWN, "to": UNKNOWN}
            turn = Turn(None, "edit", fields, (), now, ("edit",), table.turns, 0, UNKNOWN)
            yield Explanation(EDITED, (turn,))

    def _lies(self, table: Table) -> Table:
        """The table as the look shows it."""
        read, seen = self.look.read, ((self.look, self.laid),) if self.laid is not None else ()
        return table._replace(sides=self.sides, laid=self.laid, treasures=read.treasures, played=read.played, seen=seen)

    def _after(self, state: _State, turns: int) -> Iterator[_Way]:
        """What the look may show after so many turns more."""
        if not turns:
            yield from self._shown(state)
            return
        n = len(self.sides)
        for p in ((i + (state.mover or 0)) % n for i in range(n)):
            if state.mover in (None, p):
                breaks: tuple[str, ...] = ()
            elif self.wide and not state.broken:
                breaks = ("I2",)
            else:
                continue
            last = turns - 1 + (not self.stands) < n
            for after in self._turns(state, p, breaks, last and not (self.wide and not state.broken)):
                self.left -= 1
                if self.left < 0:
                    return
                if self._may_become(after, turns - 1) and self._cheapest(after, turns - 1):
                    yield from self._after(after, turns - 1)

    def _cheapest(self, state: _State, turns: int) -> bool:
        """Whether no cheaper way was gone to this state by the same lines of the log."""
        lines = [(act.player, act.laid, act.sets, act.robbed) for act, _ in state.ends]
        lies = state.laid, *state[4:9], state.broken, state.exchanged
        key = turns, state.mover, *lies, *lines
        if state.cost >= self.least.get(key, FAR):
            return False
        self.least[key] = state.cost
        return True

    def _may_become(self, state: _State, turns: int) -> bool:
        """Whether so many turns, and a part of one, may still lead to what the look shows."""
        n = len(self.sides)
        far = self.wide and not self.near
        most = min(self.most + MARGIN - TOO_DEAR, max(self.most, WAITING)) if far else self.most
        if state.cost > most:
            return False
        still = turns + (not self.stands)
        if still >= n or state.mover is None:
            return True
        if self.wide and not state.broken:
            each = 1 + any(state.sets[p] < self.new[p] for p in range(n))  # a set may be got: two change then
            offs = sorted(self._off(state, p) for p in range(n))
            off = sum(offs[: max(n - each * still, 0)])
            return off <= self.effects and state.cost + EFFECT * off < most
        off = sum(self._off(state, (state.mover + i) % n) for i in range(still, n))
        return off <= self.effects and state.cost + EFFECT * off < (most if state.broken else self.most)

    def _off(self, state: _State, p: int) -> int:
        """By how much a player's counts differ from what the look shows, if there is no turn of theirs any more."""
        return self._differ(p, state.tokens[p] or 0, state.hands[p], self.new[p] - state.sets[p])

    def _differ(self, p: int, tokens: int, hand: int | None, got: int) -> int:
        """By how much these counts differ from what the look shows, if a player gets so many more sets."""
        shown, cards = self.shown[p]
        off = abs(tokens - shown)
        return off if hand is None or cards is None else off + abs(hand - cards - TAKEN_FROM_HAND * got)

    def _effects(self, state: _State, part_of: int | None) -> float:
        """What it costs that Igna cards made the counts of this state those that the look shows: the more of a kind,
        the more each. `part_of`: who has begun a turn.
        """
        cost, played = 0.0, {act.player for act, _ in state.ends if act.played}
        if part_of is not None and sum(act.played for act, _ in state.ends) < len(self.played):
            played.add(part_of)
        for p, (tokens, hand) in enumerate(zip(state.tokens, state.hands, strict=True)):
            shown, cards = self.shown[p]
            for more in (shown - (tokens or 0), 0 if hand is None or cards is None else cards - hand):
                likely = more > 0 if p in played else more < 0
                cost += (EFFECT + GIFT * (not likely)) * abs(more) * (abs(more) + 1) / 2
        return cost

    # What the look shows

    def _shown(self, state: _State) -> Iterator[_Way]:
        """The look shows the table of this state, or a part of the next turn too."""
        rest = len(self.gone) - state.gone
        if rest == 0:
            yield from self._fit(state)
        elif rest == 1 and state.laid is not None and self.laid is None:
            yield from self._fit(self._put_away(state))  # though nobody has begun a turn
        if not self.stands and rest <= 1:
            for p in self._may_be_parts(state):
                if state.mover in (None, p):
                    for part in self._parts(state, p):
                        yield from self._fit(part, p)
                elif self.wide and not state.broken:
                    for part in self._parts(state, p):
                        yield from self._fit(part, p, SLIP)

    def _may_be_parts(self, state: _State) -> list[int]:
        """The players of whose turn the look may show a part: it changes nothing of the others'."""
        players = range(len(self.sides))
        due = [p for p in players if state.sets[p] < self.new[p]]
        offs = [self._off(state, p) for p in players]
        most = sum(offs) - self.effects
        return [p for p in players if offs[p] >= most and not any(q != p for q in due)]

    def _fit(self, state: _State, part_of: int | None = None, slip: float = 0.0) -> Iterator[_Way]:
        """What it costs to believe that the look shows this state, if it may."""
        if state.played < len(self.played) or (state.laid is None) != (self.laid is None):
            return
        players = range(len(self.sides))
        off = sum(self._off(state, p) for p in players)
        if off > self.effects - MOST_EFFECT * state.exchanged or any(state.sets[p] < self.new[p] for p in players):
            return
        cost, true, laid, seen = state.cost + self._effects(state, part_of), state.laid, state.laid, state.seen
        if laid is not None and self.laid not in (None, laid):
            wrong = self.look.price("/laid", self.laid, laid)
            earlier = _dearer(seen, laid, self.laid) if seen else wrong + 1.0
            true = laid if wrong <= earlier else self.laid
            cost += min(wrong, earlier)
        slip += SLIP * (part_of is not None and state.broken and not any(act.breaks for act, _ in state.ends))
        yield _Way(cost + slip + PARTLY * (part_of is not None), state, part_of, true, slip)

    def _told(self, way: _Way) -> Explanation:
        """A way to see the look, as lines of the log."""
        state, part_of, laid, others, seen = way.state, way.part_of, way.laid, way.state.others, way.state.seen
        fixes: tuple[Fix, ...] = ()
        if self.laid is not None and (self.look, self.laid) not in seen:
            if laid != state.laid:
                others = (*others, (state.laid_in, self.laid, seen))
            elif self.laid != laid:
                fixes = (Fix("/laid", self.laid, laid),)
            seen = (*seen, (self.look, self.laid))
        renewal = _renewal(others) if others else None
        turns = self._lines(state)
        if part_of is not None:
            owed = (Owed(self.names[part_of], "step 3", "I5"),)
            return Explanation(way.cost, turns, fixes, owed, True, lent=way.slip, renewal=renewal)
        lies = self._lies(self.table)._replace(laid=laid, seen=seen, laid_in=state.laid_in)
        lies = lies._replace(turns=self.table.turns + len(turns), mover=state.mover)
        if not turns:
            return Explanation(way.cost, (), fixes, table=lies, renewal=renewal)
        turns = (*turns[:-1], turns[-1]._replace(table=lies))
        if renewal is not None:
            turns = tuple([renewal.turn(turn) or turn for turn in turns])
        return Explanation(way.cost, turns, fixes, renewal=renewal)

    def _lines(self, state: _State) -> tuple[Turn, ...]:
        """The lines of the log for the turns that led to a state."""
        turns, before = [], self.table
        last = next((n for n, (act, _) in reversed([*enumerate(state.ends)]) if act.played), len(state.ends) - 1)
        for n, (act, after) in enumerate(state.ends):
            now = self._table(after, before.turns + 1, state if n >= last else after)
            turns.append(self._turn(before, act, now))
            before = now
        return tuple(turns)

    def _table(self, after: _State, turns: int, state: _State) -> Table:
        """The table after a turn; `state` came of it, and what the look shows beyond that Igna cards had done."""
        sides = tuple(
            Side((*lay.sets, *new[:n]), tokens, hand, lay.adventurer)
            for lay, new, n, tokens, hand in zip(
                self.table.sides, self.sets, after.sets, after.tokens, after.hands, strict=True
            )
        )
        if state is not after:
            shown = zip(sides, self.sides, state.tokens, state.hands, strict=True)
            sides = tuple(_with(lay, look, tokens, hand) for lay, look, tokens, hand in shown)
        treasures = (*self.table.treasures, *self.gone[: after.gone])
        played = (*self.table.played, *self.played[: after.played])
        return Table(
            sides, after.laid, treasures, played, turns, after.mover, after.seen, after.laid_in, self.table.mixed
        )

    def _turn(self, before: Table, act: _Act, now: Table) -> Turn:
        p = act.player
        first = len(before.sides[p].sets)
        sets = now.sides[p].sets[first:]
        breaks = act.breaks if all(map(is_set, sets)) else (*act.breaks, "I5")
        if act.robbed is not None:
            fields: dict[str, Any] = {"what": [act.laid], "from": self.names[act.robbed], "set": list(sets[0])}
            got = _line(self.names, p, "get", fields, breaks, before, now, (p, "get", act.laid, first))
            return got._replace(broke=self.names[act.robbed] if "I2" in breaks else None)  # who offered out of order
        rested = not act.sets and not act.played
        hand = before.sides[p].hand
        drew = UNKNOWN if hand is None else [drawn(hand)] * 2
        fields = {"drew": drew, "laid": act.laid, "sets": [list(one) for one in sets]}
        fields |= {"igna": list(now.played[len(before.played) :]), "rested": rested}
        fields["what"] = [act.laid] if act.laid else []
        if act.paid:
            fields["paid"] = act.paid
        same = (p, "turn", act.laid, tuple(range(first, first + len(sets))), rested)
        return _line(self.names, p, "turn", fields, breaks, before, now, same)

    # Turns

    def _put_away(self, state: _State) -> _State:
        """The treasure that was offered is put away; the discard place says what it was."""
        true, cost, others = self.gone[state.gone], state.cost, state.others
        if true != state.laid:
            cost += _dearer(state.seen, state.laid, true)
            others = (*others, (state.laid_in, true, state.seen))
        return state._replace(laid=None, seen=(), laid_in=0, gone=state.gone + 1, cost=cost, others=others)

    def _offers(self, state: _State) -> Treasures:
        """What the treasure that the look shows may be: as it was read or, in doubt, as the look before shows it."""
        if self.laid is None:
            return ()
        before = self._look_before(state) if self.look.flagged("/laid") else None
        return (self.laid,) if before is None or before[1] == self.laid else (self.laid, before[1])

    def _look_before(self, state: _State) -> tuple[Look, Treasure] | None:
        """The look before and what treasure it shows, where that may be of the first turn since the table."""
        offered: tuple[Look, Treasure] | None = self.look.memo.get("offered")
        if offered is None or state.ends or any(look is offered[0] for look, _ in self.table.seen):
            return None
        return offered

    def _shown_as(self, laid: Treasure | None) -> Seen:
        """This look, where it shows the treasure laid as what it is."""
        return ((self.look, laid),) if laid is not None and laid == self.laid else ()

    def _begun(self, state: _State, p: int, breaks: tuple[str, ...]) -> Iterator[tuple[_State, _Act]]:
        """Steps 1 and 2, with what was done so far; UNKNOWN: the treasure that another player gets."""
        if state.laid is not None and not self.table.turns and not state.ends:
            yield state._replace(laid=None), _Act(p, state.laid, breaks=breaks)  # the first look shows it offered
        if state.laid is not None:
            if state.gone == len(self.gone):
                return
            state = self._put_away(state)
        odd = self.wide and not breaks and not state.broken
        before, have = state.hands[p], state.tokens[p] or 0
        treasures = (self.gone[state.gone],) if state.gone < len(self.gone) else self._offers(state)
        for more in (0, 1) if odd and before is not None and before > FEW else (0,):
            told = (*breaks, "I2") if more else breaks
            hand = None if before is None else before + 2 * (drawn(before) + more)
            after = _counts(state, p, _plus(hand, -1), have)
            for treasure in treasures:
                yield after, _Act(p, treasure, breaks=told)
            if any(self.sets[:p]) or any(self.sets[p + 1 :]):
                yield after, _Act(p, UNKNOWN, breaks=told)
            if have >= PRICE:
                yield _counts(state, p, hand, have - PRICE), _Act(p, None, PRICE, breaks=told)
            if odd and not more:
                yield _counts(state, p, hand, have), _Act(p, None, breaks=(*told, "I3"))

    def _turns(self, state: _State, p: int, breaks: tuple[str, ...], last: bool) -> Iterator[_State]:
        """The states after a turn of a player; `last`: there is none of theirs after it."""
        for begun, act in self._begun(state, p, breaks):
            new, more = self.new[p] - begun.sets[p], len(self.played) - begun.played
            if act.laid is not None and any(self.sets):
                yield from self._got(state, begun, act)
            if act.laid == UNKNOWN:
                continue
            have, held = begun.tokens[p] or 0, begun.hands[p]
            for s in range(new + 1):
                for j in range(more + 1):
                    ways = [(0 if s or j else REST, drew, act.breaks) for drew in range(j // EXCHANGED + 1)]
                    if self.wide and s and not j and not act.breaks and not state.broken:
                        ways.append((REST, 0, ("I6",)))
                    for tokens, drew, told in ways:
                        hand = _plus(held, drew - SET * s - j)
                        if last and self._differ(p, have + tokens, hand, new - s) > self.effects:
                            continue
                        after = _counts(begun, p, hand, have + tokens, s, EXCHANGED * drew)
                        did = _Act(p, act.laid, act.paid, s, j, told)
                        yield from self._laid_down(after, begun.played + j, did)

    def _laid_down(self, after: _State, played: int, act: _Act) -> Iterator[_State]:
        """The turn is over: the treasure laid stays there, or is put away at once; so many Igna cards were played."""
        laid, seen, laid_in, gone, _ = after[1:6]
        rest = gone < len(self.gone)
        if act.laid is None:
            yield self._over(after, act, act.player, (laid, seen, laid_in, gone, played))
        else:
            shown = () if rest else self._shown_as(act.laid)
            number = self.table.turns + len(after.ends) + 1
            yield self._over(after, act, act.player, (act.laid, shown, number, gone, played))
            if rest:
                yield self._over(after, act, act.player, (laid, seen, laid_in, gone + 1, played))

    def _over(self, after: _State, act: _Act, p: int, lies: tuple[Treasure | None, Seen, int, int, int]) -> _State:
        """The state after a turn of a player; what lies in the middle then, as in a state."""
        cost = after.cost + (UNSEEN_TURN if after.ends else ONE_TURN) + PAID * bool(act.paid) + breach(act.breaks)
        mover, broken = (p + 1) % len(self.sides), after.broken or bool(act.breaks)
        sets, tokens, hands = after[6:9]
        done = _State(mover, *lies, sets, tokens, hands, cost, broken, after.others, after.ends, after.exchanged)
        ends = (*after.ends, (act, done))
        return _State(mover, *lies, sets, tokens, hands, cost, broken, after.others, ends, after.exchanged)

    def _got(self, state: _State, begun: _State, act: _Act) -> Iterator[_State]:
        """I4: another player takes the treasure laid into a set."""
        p = act.player
        for q, new in enumerate(self.sets):
            if q == p or begun.sets[q] == len(new):
                continue
            cards = new[begun.sets[q]]
            if act.laid == UNKNOWN:
                laid = self._offered(state, p, cards)
            elif state.laid is not None and begun.gone == state.gone:  # the first look shows it
                laid = act.laid or UNKNOWN
            else:
                continue
            odd = self.wide and not act.breaks and not state.broken
            for tokens, told in ((REST, act.breaks), *([(0, ("I4",))] if odd else [])):
                after = _counts(begun, p, begun.hands[p], (begun.tokens[p] or 0) + tokens)
                after = _counts(after, q, _plus(after.hands[q], -TAKEN_FROM_HAND), after.tokens[q] or 0, 1)
                yield self._over(after, _Act(q, laid, 0, 1, 0, told, p), p, after[1:6])

    def _offered(self, state: _State, p: int, cards: Treasures) -> Treasure:
        """Which card of a set was offered, as the look before shows it."""
        offered = self._look_before(state)
        if offered is None:
            return UNKNOWN
        look, read = offered
        before, shown = state.hands[p], look.read.sides[p]
        if before is not None and drawn(before) and shown is not None and shown.hand == before + 2 * drawn(before):
            return UNKNOWN  # nothing had been laid yet

        def price(true: Treasure) -> float:
            return look.price("/laid", read, true) if true != read else 0.0

        lay = self.table.laid
        prices = sorted([(price(card), card) for card in set(cards)] + ([(price(lay), UNKNOWN)] if lay else []))
        return prices[0][1] if len(prices) == 1 or prices[0][0] < prices[1][0] else UNKNOWN

    def _parts(self, state: _State, p: int) -> Iterator[_State]:
        """What a player may have done of a turn: drawn, laid a treasure or paid, opened sets, played cards."""
        hand = state.hands[p]
        odd = self.wide and not state.broken and state.mover in (None, p)
        for more in (0, 1) if odd else (0,):
            if hand is not None and drawn(hand) + more:
                after = _counts(state, p, hand + 2 * (drawn(hand) + more), state.tokens[p] or 0)
                yield after._replace(broken=after.broken or bool(more))
        for begun, act in self._begun(state, p, ()):
            if act.laid == UNKNOWN or begun.gone < len(self.gone) or (act.breaks and not odd):
                continue
            new, more = self.new[p] - begun.sets[p], len(self.played) - begun.played
            for drew in range(more // EXCHANGED + 1):
                hand = _plus(begun.hands[p], drew - SET * new - more)
                after = _counts(begun, p, hand, begun.tokens[p] or 0, new, EXCHANGED * drew)
                broken = state.broken or bool(act.breaks)
                yield after._replace(
                    laid=act.laid, seen=self._shown_as(act.laid), played=len(self.played), broken=broken
                )


def _plus(n: int | None, more: int) -> int | None:
    return None if n is None else n + more


def _counts(state: _State, p: int, hand: int | None, tokens: int, sets: int = 0, exchanged: int = 0) -> _State:
    """The state with other counts of a player, so many sets more and Igna cards more that were exchanged."""
    some, other = state.hands, state.tokens
    hands, have = (*some[:p], hand, *some[p + 1 :]), (*other[:p], tokens, *other[p + 1 :])
    opened = (*state.sets[:p], state.sets[p] + sets, *state.sets[p + 1 :]) if sets else state.sets
    return _State(*state[:6], opened, have, hands, *state[9:13], state.exchanged + exchanged)


def _line(
    names: Sequence[str],
    p: int,
    move: str,
    fields: dict[str, Any],
    breaks: tuple[str, ...],
    before: Table,
    now: Table,
    same: Any,
) -> Turn:
    round_ = before.turns // len(names) + 1
    return Turn(names[p], move, fields, breaks, now, same, before.turns + 1, round_, not breaks)


def _with(lay: Side, shown: Side, tokens: int | None, hand: int | None) -> Side:
    """What lay before a player, with what a look shows beyond these tokens and cards of the hand."""
    more = (shown.tokens or 0) - (tokens or 0)
    now = lay.hand
    if now is not None and shown.hand is not None and hand is not None:
        now += shown.hand - hand
    return lay._replace(tokens=(lay.tokens or 0) + more, hand=now)


def _dearer(seen: Seen, laid: Treasure | None, true: Treasure) -> float:
    """What it costs further that the treasure offered was another one than it was believed to be."""
    now = sum(look.price("/laid", read, laid or UNKNOWN) for look, read in seen if read != laid)
    return sum(look.price("/laid", read, true) for look, read in seen if read != true) - now


def _renewal(others: Sequence[tuple[int, Treasure, Seen]]) -> Renewal:
    """The turns in which these treasures were laid, with what they are."""
    true = {number: treasure for number, treasure, _ in others}
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
