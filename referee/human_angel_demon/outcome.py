"""What an explanation of a look of Human Angel Demon comes to: its turns as lines of the log, the table, its cost."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final, NamedTuple

from referee.human_angel_demon.cards import Card, as_same, maybe_same
from referee.human_angel_demon.game import HumanAngelDemonGame
from referee.human_angel_demon.market import Market
from referee.human_angel_demon.paths import IDLE, Event, Path
from referee.human_angel_demon.rows import Rows, ready
from referee.human_angel_demon.tables import HAND, NO_TAKE, UNSEEN, Done, Ids, Reading, Side, Table, with_side
from referee.looks import MISREAD, PARTLY, SLIP, UNKNOWN, Fix, Look, breach
from referee.turns import Explanation, Owed, Turn

BEGUN: Final = 1.2
"""One turn is over and the next one has begun."""
ANOTHER: Final = 0.7
"""A set without the card that was taken."""
DRAWN: Final = 2
"""Cards that are drawn after a set is opened."""


class Plan(NamedTuple):
    """How the look may have come about, and what that costs at least. `begun`: the next player has taken a card.

    `odd`: an event that took a card too many (1) or none (-1).
    """

    cost: float
    rows: Rows
    market: Market
    path: Path
    begun: bool = False
    odd: tuple[int, int] | None = None
    slips: int = 0


class _Hands(NamedTuple):
    """Hands as counted: their sizes, what it costs, who has too few or too many, turns whose hands came right, and who
    has taken a card out of turn.
    """

    sizes: tuple[int, ...]
    cost: float = 0.0
    wrong: frozenset[int] = frozenset()
    mended: frozenset[int] = frozenset()
    holder: int | None = None


class Outcomes:
    """One table, one look: what plans come to."""

    def __init__(self, rules: HumanAngelDemonGame, table: Table, look: Look) -> None:
        self.rules, self.table, self.look = rules, table, look
        self.read: Reading = look.read
        self.n = len(rules.names)
        self._cards: dict[Any, tuple[list[Card], tuple[Fix, ...], Ids]] = {}
        self._maybe: list[str] = []
        """What cards would be, misread, where a slip was found in what was worked out last."""

    def cards(self, plan: Plan) -> tuple[list[Card], tuple[Fix, ...], Ids]:
        """All cards with what this look shows of them, its wrong readings, the cards of the market."""
        key = (id(plan.rows), id(plan.market))
        if key not in self._cards:
            cards, fixes, market = [*plan.rows.cards], [*plan.rows.fixes], plan.market
            lies = market.lies
            codes = (self.read.market or ()) if market.taken is not None else ()
            if market.deals:
                lies = tuple(range(len(cards), len(cards) + len(codes)))
                cards += [Card()] * len(codes)
            for i, code in enumerate(codes):
                cards[lies[i]], wrong = cards[lies[i]].read(self.look, f"/market/{i}", code)
                fixes += wrong
            self._cards[key] = (cards, tuple(fixes), lies)
        cards, fixes_, lies = self._cards[key]
        return cards.copy(), fixes_, lies

    def ways(self, plan: Plan) -> Iterator[Explanation]:
        """What a plan comes to; where a ready player may have swapped cards, the same with one of them misread, too."""
        self._maybe = list[str]()
        yield self._of(plan)
        for code in self._maybe.copy():
            yield self._of(plan, code)

    def _of(self, plan: Plan, same: str | None = None) -> Explanation:
        """The turns as lines of the log. `same`: what a card taken and the one discarded for it are, both."""
        table, path = self.table, plan.path
        cards, fixes, lies = self.cards(plan)
        takes, of, held, new = self._takes(plan)
        laid = dict(table.laid)
        for i, event in enumerate(path.events):
            if i in of and event.kind == "turn":
                shown = table.sides[event.player].ready and not event.opened
                laid[of[i]] = event.discarded[:1] if shown else tuple(card for ids in event.opened for card in ids)
        pending, open_ = (*table.pending, *new), [*table.open_]
        if plan.market.taken is not None:
            old = pending[: len(plan.market.gone)] if plan.market.deals else pending
            open_ += [(old, plan.market.gone)] if old else []
            pending = ()
        open_ = _resolved(open_, takes, cards, laid)
        cost, matched = plan.rows.cost + plan.market.cost + path.cost, table.matched
        for k, ids in laid.items():
            more, wrong, match = self._linked(cards, takes[k], ids, same)
            cost += more
            matched += (k,) * match
            fixes += tuple(wrong)
        waits = {*pending, *(k for numbers, _ in open_ for k in numbers)}
        hands = self._hands(plan, held)
        whole = replace(
            table,
            cards=tuple(cards),
            takes=tuple(takes),
            pending=pending,
            open_=tuple(open_),
            laid=tuple((k, ids) for k, ids in laid.items() if k in waits),
            market=lies,
            hand=NO_TAKE,
            sizes=hands.sizes,
            mended=hands.mended,
            matched=matched,
        )
        turns, more = self._turns(plan, whole, of, lies, hands)
        cost += more + hands.cost
        now = turns[-1].table if turns else whole
        sides = tuple(side._replace(ready=ready(table, self.read, p)) for p, side in enumerate(now.sides))
        holder = hands.holder
        if now.mover is None and holder is not None:
            now, holder = replace(now, mover=holder), None  # nobody's turn was known, and it is in sight who has begun
        now = replace(now, sides=sides, hand=held, holder=holder)
        if turns:
            turns[-1] = turns[-1]._replace(table=now)
        renewal = self.rules.renewal(table, now)
        if held == NO_TAKE:
            return Explanation(cost, tuple(turns), fixes, table=None if turns else now, renewal=renewal)
        cost += (BEGUN if turns else PARTLY) if table.hand != held else 0.0
        early = 0.0 if holder is None else SLIP
        who = self.rules.turn_of(now) if holder is None else self.rules.names[holder]
        owed = Owed(who, "a set opened, a discard or a goal", "H3")
        return Explanation(cost + early, tuple(turns), fixes, (owed,), True, table=now, lent=early, renewal=renewal)

    def _takes(self, plan: Plan) -> tuple[list[int], dict[int, int], int, list[int]]:
        """The takes, which one each event has, which one's card is in a hand, those that are new."""
        takes, hand, of, new = [*self.table.takes], self.table.hand, dict[int, int](), list[int]()
        takers = [i for i, event in enumerate(plan.path.events) if event.takes]
        theirs = [i for i in takers if plan.path.events[i].player == self.table.holder] or takers
        for i in takers:
            if hand != NO_TAKE and i == theirs[0]:
                of[i] = hand
                continue
            odd = plan.odd[1] if plan.odd is not None and plan.odd[0] == i else 0
            if odd >= 0:
                of[i] = len(takes)
            new += range(len(takes), len(takes) + 1 + odd)
            takes += [UNSEEN] * (1 + odd)
        held = NO_TAKE
        if plan.begun and hand != NO_TAKE and not takers:
            held = hand
        elif plan.begun:
            held = len(takes)
            new.append(held)
            takes.append(UNSEEN)
        return takes, of, held, new

    def _linked(self, cards: list[Card], took: int, laid: Ids, forced: str | None) -> tuple[float, list[Fix], bool]:
        """What it costs that a card was taken and these were laid: a ready player's discard, or a set; and whether a
        sure reading is held to be wrong, so that both are the `forced` one.
        """
        if UNSEEN in (took, *laid) or not laid:
            return 0.0, [], False
        if len(laid) > 1:
            return ANOTHER * (cards[took].code not in {cards[one].code for one in laid}), [], False
        was = (cards[took], cards[laid[0]])
        if was[0].code == was[1].code:
            return 0.0, [], False
        same = as_same(*was)
        may_be = maybe_same(*was) if same is None else []
        if same is None and forced not in may_be:
            self._maybe += may_be
            return 0.0, [], False
        now = (
            same
            if same is not None
            else tuple(card if card.code == forced else card.be(str(forced), True) for card in was)
        )
        cards[took], cards[laid[0]] = now
        cost = sum(card.cost(card.code) - old.cost(old.code) for old, card in zip(was, now, strict=True))
        return cost, [fix for card in now for seen, fix in card.wrong() if seen is self.look], same is None

    def _turns(
        self, plan: Plan, whole: Table, of: dict[int, int], lies: Ids, hands: _Hands
    ) -> tuple[list[Turn], float]:
        """The lines, each with the table after it, and what rules they break beside those of the plan."""
        events, now, turns, cost = plan.path.events, whole, list[Turn](), 0.0
        dealt: dict[int, Ids] = {}
        if plan.market.deals:
            mine = [i for i in of if of[i] >= len(self.table.takes)]
            before, each = len(self.table.market) - len(self.table.pending), self.n + 1
            for deal in range(plan.market.deals):
                taken, last = before + each * deal, deal == plan.market.deals - 1
                if 0 <= taken < len(mine):
                    dealt[mine[taken]] = ((*lies, *[UNSEEN] * each) if last else (UNSEEN,) * each)[:each]
        for i, event in enumerate(events):
            p, lay = event.player, now.sides[event.player]
            mine = [j for j, one in enumerate(events) if one.player == p]
            says = [j for j in mine if events[j].discarded] or mine
            becomes = ready(self.table, self.read, p) and not lay.ready and says[-1] == i
            off = mine[-1] == i and p in hands.wrong
            broken = {
                "H5": becomes and event.kind != "goal" and not event.discarded,
                "H2": plan.odd is not None and plan.odd[0] == i,
                "H8": off,
            }
            number = max(now.turns + (event.kind == "turn" or event.takes), 1)
            done = Done(
                (),
                p,
                event.kind,
                of.get(i, NO_TAKE),
                event.opened,
                event.discarded,
                event.giver,
                event.gained,
                lay.ready,
                becomes,
                dealt.get(i, ()),
                self._won(p) if event.kind == "goal" else (),
                (*event.breaks, *(rule for rule, broke in broken.items() if broke)),
                number,
            )
            now = self._after(now, event, becomes, number, off)
            turn = self.rules.turn(whole, done, now)
            cost += breach(turn.breaks) - breach(event.breaks) + turn.same.apart
            turns.append(self.rules.judged(turn))
        return turns, cost

    def _after(self, now: Table, event: Event, becomes: bool, number: int, off: bool) -> Table:
        """The table after what a player did."""
        p, lay = event.player, now.sides[event.player]
        laid = event.discarded if event.discarded != (UNSEEN,) else ()
        side = Side((*lay.discards, *laid), (*lay.open, *event.opened), lay.ready or becomes)
        sides = with_side(now.sides, p, side)
        if event.giver is not None and event.gained != UNSEEN:
            gave = sides[event.giver]
            rest = tuple(card for card in gave.discards if card != event.gained)
            sides = with_side(sides, event.giver, gave._replace(discards=rest))
        turn = event.kind != "gain"
        return replace(
            now,
            sides=sides,
            turns=number if turn else now.turns,
            mover=(p + 1) % self.n if turn else now.mover,
            fresh=p if event.kind == "turn" and event.discarded else None,
            winner=p if event.kind == "goal" else now.winner,
            off=(*(pair for pair in now.off if pair[0] != p), (p, number)) if off else now.off,
        )

    def _hands(self, plan: Plan, held: int) -> _Hands:
        """H8: hands that were counted."""
        table, events = self.table, plan.path.events
        shown = [None if side is None else side.size for side in self.read.sides]
        waits = table.holder if held == table.hand else None
        if all(size is None for size in shown):
            return _Hands(table.sizes, mended=table.mended, holder=waits)
        sizes, cost, wrong, mended = list[int](), 0.0, set[int](), set(table.mended)
        due = [self._due(plan, p) for p in range(self.n)]
        mover, holder = plan.path.mover, waits
        if held != NO_TAKE and (mover is None or shown[mover] == due[mover]):
            more = [p for p, size in enumerate(shown) if size == due[p] + 1]
            two = any(event.player in more and event.breaks == IDLE for event in events)  # both taken in one turn
            holder = more[0] if len(more) == 1 and not two else None
        for p, size in enumerate(shown):
            mine = [(i, event) for i, event in enumerate(events) if event.player == p]
            in_hand = held != NO_TAKE and (
                p == (mover if holder is None else holder) or (mover is None and size == due[p] + 1)
            )
            sizes.append(due[p] if size is None else size - in_hand)
            if size is None or size == due[p] + in_hand:
                continue
            broke = any(event.breaks for _, event in mine) or any(plan.odd and plan.odd[0] == i for i, _ in mine)
            if not broke and any(event.opened for _, event in mine):
                wrong.add(p)
            elif not mine and p in dict(table.off) and size == HAND:
                mended.add(dict(table.off)[p])
            elif not broke:
                cost += MISREAD
        return _Hands(tuple(sizes), cost, frozenset(wrong), frozenset(mended), holder)

    def _due(self, plan: Plan, p: int) -> int:
        """The cards that a player's hand holds after what was done, without one that was taken since."""
        mine = [(i, event) for i, event in enumerate(plan.path.events) if event.player == p]
        change = sum(_change(event) for _, event in mine)
        change += sum(plan.odd[1] for i, _ in mine if plan.odd is not None and plan.odd[0] == i)
        return self.table.sizes[p] + change

    def _won(self, p: int) -> tuple[Any, ...]:
        shown, state = self.read.sides[p], self.read.state
        bonus = state.get("bonus", ())
        hand = shown.hand if shown is not None and shown.hand is not None else ()
        return state.get("won_by", UNKNOWN), hand, tuple(bonus) if isinstance(bonus, list) else ()


def _change(event: Event) -> int:
    """By how much what a player did changes the hand, cards drawn among it."""
    drawn = DRAWN * bool(event.opened)
    return 1 + drawn - len(event.discarded) - sum(map(len, event.opened))


def _resolved(
    open_: list[tuple[Ids, Ids]], takes: list[int], cards: list[Card], laid: dict[int, Ids]
) -> list[tuple[Ids, Ids]]:
    """Which turn took which card, as far as a set, a ready player's discard or the number of cards tells."""
    left: list[tuple[Ids, Ids]] = []
    for numbers, ids in open_:
        free, rest = [*numbers], [*ids]
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
