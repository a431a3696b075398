"""Search the turns of Twelve Seekers that explain one observation, legal ones first."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, product
from typing import Any, Final

from referee.looks import FAR, FURTHER, MISREAD, PARTLY, SLIP, UNKNOWN, breach, together
from referee.turns import Explanation, Owed, Turn
from referee.twelve_seekers import breaches
from referee.twelve_seekers.game import MOST_STEPS, Attempt
from referee.twelve_seekers.plans import (
    BOTH_ENDS,
    CARD_LAST,
    COSTS,
    EXACTLY,
    MISREADS,
    NET,
    PENDING,
    PRUNE,
    REACHING,
    STEALS,
    TAKES,
    Done,
    Goal,
    has_effect,
    lay,
    more,
    settled,
    takes,
    turns,
)
from referee.twelve_seekers.spoilt import SPOILING, spoilt
from referee.twelve_seekers.tables import (
    ANY_CARD,
    DISCARD_RULES,
    GOLD,
    SWAP_RULE,
    Card,
    Gems,
    Kind,
    ReadSide,
    Side,
    Table,
    all_cards_fit,
    dungeon_fit,
    gems_fit,
    side_fit,
    total,
)

BEGUN_WRONGLY: Final = 3.0
"""Somebody has begun a turn that is the other player's; it is told when the card is taken."""
WAITING: Final = 12.0
"""A look that no turn explains is waited out."""
COVERED: Final = 9.5
"""The same where pieces are out of sight."""
EDITED: Final = 14.5
"""Somebody changed the table outside any turn."""
ONE_MORE: Final = 0.3
"""One piece more that was changed so."""
MANY: Final = 3.0
"""All further pieces."""
OUT_OF_ORDER: Final = 4.0
"""Somebody moves twice though it is the other's turn, as far as the order can be known without the cards."""
EQUAL: Final = 0.5
"""Parts of turns that explain a look so nearly as well are looked for: somebody else may have broken the rule."""
AS_GOOD: Final = 2.0
"""Effects done wrongly are not looked for where another explanation costs so much less."""
MOST_SPOILT: Final = 10_000
"""Steps in which the ways to do one seeker's effect wrongly are looked for."""
MORE_STEPS: Final = 5
"""So many times MOST_STEPS are spent where they were too few and nothing lawful was found."""
UNSEEN_TURNS: Final = 3
"""Turns between two looks, where no cards are in sight."""
MOST_TURNS: Final = 6
"""The same where cards are in sight."""
MOST_BEGUN: Final = 4
"""The same where they are not in order, or a part of another one came after them."""
MOST_OVER: Final = 2
"""Gems that a hand may hold beyond what the card allows (T7)."""


_Ordered = tuple[bool, list[tuple[int, Card]]]
"""Turns, and whether they break the order of the players."""


class Search(Attempt):
    """Everything that may explain one look from one table: legal turns, parts of turns, breaches, waiting."""

    starved = False
    """Whether there were too few steps for turns in the order of the players."""

    def found(self) -> list[Explanation]:
        """All explanations that are worth keeping."""
        least = self.look.least = breaches.least(self)
        if self.same.cost < PRUNE + least:
            lies = settled(self.table, self.look, self.read)
            self.add(Explanation(self.same.cost, (), self.same.fixes, table=None if lies is self.table else lies))
        whole, begun = self._in_order(self._sequences()), list[_Ordered]()
        for exactly in (True, False):
            self.left[0] = MOST_STEPS * (1 + exactly)
            self._whole_turns(whole, exactly, least)
            if self.best > least and not self.stands:
                if exactly:
                    self._begun_first()
                    begun = self._in_order(self._sequences(True))
                self._begun_turns(begun, exactly, least)
            if not self.wide and self.best <= EXACTLY + least:
                break
        if self.wide and self.starved and self.best > SLIP - PARTLY + least and not self.stands:
            whole, begun = ([one for one in some if not one[0]] for some in (whole, begun))
            self.left[0] = MOST_STEPS * MORE_STEPS
            self._whole_turns(whole, True, least)
            self._begun_turns(begun, True, least)
        if self.wide or self._doubtful_part():
            breaches.explain(self)
        if self.wide:
            self._wait()
        return self.out

    def _whole_turns(self, sequences: list[_Ordered], exactly: bool, least: float) -> None:
        """Whole turns are all that is new."""
        for broken, sequence in self._sharing(sequences):
            single = len(sequence) == 1
            if (exactly or not single) and (not broken or self.wide or self.best > least):
                self._set_most(exactly and not single)
                self._play(self.table, sequence, 0, 0.0, ())

    def _begun_turns(self, sequences: list[_Ordered], exactly: bool, least: float) -> None:
        """Whole turns, and a part of one after them, are all that is new."""
        self._set_most(exactly)
        for _, sequence in self._sharing(sequences) if self.best > least + PARTLY else ():
            self._play_begun(sequence)

    def _sharing(self, sequences: list[_Ordered]) -> Iterator[_Ordered]:
        """The sequences, each with its share of the steps that are left."""
        for i, one in enumerate(sequences):
            left = self.left[0]
            self.left[0] = left // (len(sequences) - i)
            rest = left - self.left[0]
            yield one
            self.starved |= self.left[0] < 0 and not one[0]
            self.left[0] = rest + max(self.left[0], 0)

    def _set_most(self, exactly: bool) -> None:
        """How much a place may cost: first only doubtful pieces count as read wrongly, then others too."""
        self.most = (EXACTLY if exactly else PRUNE) + self.look.least
        self.odd = min(MISREADS, self.unsure + int(self.most / MISREAD))

    def _in_order(self, sequences: list[list[tuple[int, Card]]]) -> list[_Ordered]:
        """Sequences of turns, and whether they break the order of the players; those that do come last."""
        found = []
        for sequence in sequences:
            table, broken = self.table, False
            for p, card in sequence:
                broken = broken or self.rules.expected(table) not in (p, None)
                table = self.rules.after(table, p, (card,))
            if len(sequence) <= MOST_BEGUN or not broken:
                found.append((broken, sequence))
        return sorted(found, key=lambda one: one[0])

    def _begun_first(self) -> None:
        """A part of a turn is all that is new."""
        self._set_most(False)
        for p in self._movers(self.table):
            self._partly(self.table, p, None, 0.0, ())
            self._cardless(self.table, p, 0.0, ())
        if self.wide:
            for p in {0, 1} - {*self._movers(self.table)}:
                self._partly(self.table, p, None, BEGUN_WRONGLY, (), BEGUN_WRONGLY)
            new = self.new_cards() if self.rules.cards_seen else []
            for p, cards in enumerate(new):
                if len(cards) == 1 and not new[1 - p] and not self.rules.before(self.table, p, (*cards,)):
                    self._partly(self.table, p, cards[0], SLIP, (), SLIP, over=True)

    def _play_begun(self, sequence: list[tuple[int, Card]]) -> None:
        """Whole turns, then a part of one."""
        if not self._more_begun(sequence):
            return
        after = self.table
        for p, card in sequence:
            after = self.rules.after(after, p, (card,))
        movers = self._movers(after)
        wrongly = {1 - sequence[-1][0]}.difference(movers) if self.wide and movers else ()
        for q in (*movers, *wrongly):  # steps are few: who is to move comes first
            self.begun = q
            self.wrongly = BEGUN_WRONGLY if q not in movers else 0.0
            self._play(self.table, sequence, 0, self.wrongly, ())
        self.begun = None

    def _more_begun(self, sequence: list[tuple[int, Card]]) -> bool:
        """Whether anything may be a part of one more turn: a piece in a hand, a row shorter than these leave it."""
        read, table = self.read, self.table
        sides = [shown for shown in read.sides if shown is not None and shown.gems is not None]
        if read.row is None or read.field is None or len(sides) < len(read.sides):
            return True
        lying, kind = 0, self.rules.kind
        cards = len(read.field)
        for shown in sides:
            if shown.gold is None or shown.stack is None or (kind == "valid" and shown.invalid is None):
                return True
            lying += (len if kind == "line" else sum)(shown.gems or ()) + sum(shown.invalid or ()) + shown.gold
            cards += len(shown.stack)
        lying += len(read.row) + sum(read.thrown or ())
        lost = sum(NET.get(card, 0) for _, card in sequence)
        if lying < sum(total(table, kind)) or cards < len(table.field) + sum(len(side.stack) for side in table.sides):
            return True
        return len(table.row) - len(read.row) > lost

    def _doubtful_part(self) -> bool:
        """Whether a part of a turn explains the look best, and may be a whole one that breaks a rule (T4, T12)."""
        best = min(self.out, key=lambda one: one.cost, default=None)
        new = self.new_cards()
        whole = max(map(len, new)) > 1 or (any(new) and self.rules.rule in DISCARD_RULES)
        return best is not None and best.held and whole

    def _movers(self, table: Table) -> tuple[int, ...]:
        turn = self.rules.expected(table)
        if self.rules.over(table):
            return ()
        return (0, 1) if turn is None or not self.rules.cards_seen else (turn,)

    def _sequences(self, begun: bool = False) -> list[list[tuple[int, Card]]]:
        """Who may have taken which card, in which order. `begun`: a part of another turn comes after them."""
        if not self.rules.cards_seen:
            return list(self._takes_unseen(begun))
        new = self.new_cards()
        gone: list[Card] = []
        if self.read.field is not None:
            gone = list((Counter(self.table.field) - Counter(self.read.field)).elements())
        blind = [i for i, shown in enumerate(self.read.sides) if shown is None or shown.stack is None]
        if blind and len(gone) > len(new[0]) + len(new[1]):
            rest = list((Counter(gone) - Counter(new[0]) - Counter(new[1])).elements())
            for i in blind:
                new[i] = [*new[i], *rest[: 1 if len(blind) > 1 else len(rest)]]
        found = []
        options = [[self._cards(card, gone) for card in cards] for cards in new]
        for one in product(*options[0]):
            for other in product(*options[1]):
                n = len(one) + len(other)
                if not n or n > (MOST_BEGUN if begun else MOST_TURNS):
                    continue
                for places in combinations(range(n), len(one)):
                    mine, theirs = iter(one), iter(other)
                    found.append([(0, next(mine)) if i in places else (1, next(theirs)) for i in range(n)])
        return found

    def _takes_unseen(self, begun: bool) -> Iterator[list[tuple[int, Card]]]:
        """The same where no cards are in sight: as many gems as left the row, each player's as many as came to them."""
        if self.read.row is None:
            return
        lost = len(self.table.row) - len(self.read.row)
        came = [
            None if shown is None else _came(shown, side, self.rules.kind)
            for shown, side in zip(self.read.sides, self.table.sides, strict=True)
        ]
        for n in range(1, 2 if begun else UNSEEN_TURNS + 1):
            for sizes in product(ANY_CARD, repeat=n):
                if sum(sizes) != lost and not (begun and sum(sizes) < lost):
                    continue
                for movers in product((0, 1), repeat=n):
                    thrown = self.rules.rule in DISCARD_RULES
                    got = [sum(k for k, mover in zip(sizes, movers, strict=True) if mover == p) for p in (0, 1)]
                    least = [n - movers.count(p) * thrown for p, n in enumerate(got)]
                    if begun or all(
                        c is None or low <= c <= high for c, low, high in zip(came, least, got, strict=True)
                    ):
                        yield list(zip(movers, sizes, strict=True))

    def _cards(self, card: Card, gone: list[Card]) -> list[Card]:
        """What a card may be that came to a stack: as read, or one that left the field."""
        field = self.table.field
        if card in gone or (not gone and card in field):
            return [card]
        return [one for one in dict.fromkeys([card, *gone]) if one in field] or list(dict.fromkeys(field))

    def _play(  # noqa: PLR0912 -- one way to go on after the other
        self, table: Table, sequence: list[tuple[int, Card]], i: int, cost: float, so_far: tuple[Turn, ...]
    ) -> None:
        """The turns of a sequence from the i-th on, each in every way that the look does not refute."""
        over = PRUNE if self.begun is None else EQUAL - PARTLY if self.wide else -PARTLY
        if cost > self.best + over or self.left[0] < 0 or not self._long_enough(table, sequence[i:]):
            return
        rules = self.rules
        if i == len(sequence):
            if self.begun is not None:
                if not (so_far[-1].breaks and so_far[-1].who == rules.names[self.begun]):  # that is still the same turn
                    self._partly(table, self.begun, None, cost, so_far, self.wrongly)
                    self._cardless(table, self.begun, cost, so_far)
            else:
                self._leaf(table, cost, so_far)
            return
        p, card = sequence[i]
        last = i + 1 == len(sequence) and self.begun is None
        if card not in rules.field(table) or card not in TAKES:
            return
        if not rules.cards_seen and p not in (rules.expected(table), None):
            cost += OUT_OF_ORDER * (rules.expected(table) is not None)
        cost += rules.one_more * bool(i)
        breaks = rules.before(table, p, (card,))
        if breaks and not self.wide and cost:
            return
        here = cost + SLIP * bool(breaks) + FURTHER * max(len(breaks) - 1, 0)
        goal = self._goal(table, p, sequence, i)
        if goal.theirs:
            table, so_far = self._settled(table, so_far, (1 - p,))
        seen = set()
        colors = self.colors(table, p, len(sequence) - i)
        for done in turns(goal, table.row, table.sides[p], table.sides[1 - p], card, colors):
            if self.left[0] < 0:
                return
            stands = done.owed is not None and (not last or self.stands)
            if done.owed is not None and not stands:
                self._held(table, p, card, done, here, so_far, here - cost)
                continue
            if stands and not self.wide:
                continue
            key = (done.row, done.mine, done.theirs, done.thrown, stands, tuple(sorted(done.info["what"])))
            if key in seen and not any(len(one.turns) > len(so_far) for one in self.out):
                continue
            turn = rules.make(table, p, (card,), done, (*breaks, done.owed[1]) if stands and done.owed else breaks)
            if key in seen:
                self._merge(turn, so_far)
                continue
            seen.add(key)
            more = SLIP if stands and not breaks else FURTHER if stands else 0.0
            self._play(turn.table, sequence, i + 1, here + more, (*so_far, turn))
        if self.wide and self.begun is None and card in SPOILING and not any(turn.breaks for turn in so_far):
            self._spoilt(table, sequence, i, here + (FURTHER if breaks else SLIP), so_far, breaks)
        if last and not self.stands:
            if self.best > cost:
                self._partly(table, p, card, here, so_far, here - cost)
        elif self.wide and not any(turn.breaks for turn in so_far):
            rest = [NET[one] for _, one in sequence[i + 1 :] if one in NET]
            for turn, more in self._short(table, p, card, breaks, sum(rest)):
                self._play(turn.table, sequence, i + 1, cost + more, (*so_far, turn))

    def _spoilt(
        self,
        table: Table,
        sequence: list[tuple[int, Card]],
        i: int,
        cost: float,
        so_far: tuple[Turn, ...],
        breaks: tuple[str, ...],
    ) -> None:
        """The turn breaks T14: the seeker's effect was done wrongly."""
        if cost > self.best + AS_GOOD:
            return
        (p, card), rules, found = sequence[i], self.rules, set()
        goal = self._goal(table, p, sequence, i)._replace(left=[MOST_SPOILT])
        colors = self.colors(table, p, len(sequence) - i)
        for done, rule in spoilt(goal, table.row, table.sides[p], table.sides[1 - p], card, colors):
            key = (done.row, done.mine, done.theirs, done.thrown)
            if key not in found:
                found.add(key)
                turn = rules.make(table, p, (card,), done, (*breaks, rule))
                self._play(turn.table, sequence, i + 1, cost, (*so_far, turn))

    def _long_enough(self, table: Table, sequence: list[tuple[int, Card]]) -> bool:
        """Whether the row that is seen may be left after these takes."""
        if self.read.row is None:
            return True
        gone = len(table.row) - len(self.read.row)
        return gone >= 0 and (self.begun is not None or gone <= sum(TAKES.get(card, 5) for _, card in sequence))

    def _goal(self, table: Table, p: int, sequence: list[tuple[int, Card]], i: int) -> Goal:
        rest = sequence[i + 1 :]
        rules = self.rules
        thrown = rules.rule in DISCARD_RULES
        begun = self.begun is not None
        reached = {self.begun, 1 - self.begun if self.reaching else self.begun} if self.begun is not None else set()
        reached |= {1 - player for player, card in rest if card in REACHING} | {player for player, _ in rest}
        return Goal(
            self.look,
            self.read,
            rules.kind,
            rules.rule,
            p,
            row=not rest and not begun,
            mine=p not in reached,
            theirs=1 - p not in reached,
            later=tuple(card for _, card in rest),
            lost=begun * (1 + (self.begun == p))
            + sum((COSTS.get(card, 0) + thrown) if player == p else card in STEALS for player, card in rest),
            left=self.left,
            begun=begun,
            most=self.most,
            odd=self.odd,
            replaced=sum(player == p and card == "swap-one" for player, card in rest),
            pending=table.pending[p],
            stands=self.wide and bool(rest),
        )

    def _merge(self, turn: Turn, so_far: tuple[Turn, ...]) -> None:
        """Two ways to the same table: what they differ in does not matter any more."""
        for i, one in enumerate(self.out):
            if len(one.turns) > len(so_far):
                other = one.turns[len(so_far)]
                if other.table == turn.table and other.same == turn.same and one.turns[: len(so_far)] == so_far:
                    fields = dict(other.fields)
                    for key in ("from", "to"):
                        if fields[key] != turn.fields[key]:
                            fields[key] = _either(fields[key], turn.fields[key])
                    turns_ = (*one.turns[: len(so_far)], other._replace(fields=fields), *one.turns[len(so_far) + 1 :])
                    self.out[i] = one._replace(turns=turns_)
                    return

    def _settled(
        self, table: Table, so_far: tuple[Turn, ...], players: Sequence[int] = (0, 1)
    ) -> tuple[Table, tuple[Turn, ...]]:
        """The table, and the turns that led to it, with swaps that the look shows for the first time."""
        now = settled(table, self.look, self.read, players)
        if now is table or not so_far:
            return now, so_far
        return now, (*so_far[:-1], so_far[-1]._replace(table=now))

    def _leaf(self, table: Table, cost: float, so_far: tuple[Turn, ...]) -> None:
        table, so_far = self._settled(table, so_far)
        fit = together(
            gems_fit(self.look, self.read, table, self.rules.kind), all_cards_fit(self.look, self.read, table)
        )
        if fit.cost < 2 * PRUNE + self.look.least:
            self.add(Explanation(cost + fit.cost, so_far, fit.fixes))

    def _held(
        self, table: Table, p: int, card: Card, done: Done, cost: float, so_far: tuple[Turn, ...], lent: float
    ) -> None:
        """The turn lacks something that may still come."""
        assert done.owed is not None
        lying = settled(self.rules.make(table, p, (card,), done, ()).table, self.look, self.read)
        fit = together(
            gems_fit(self.look, self.read, lying, self.rules.kind), all_cards_fit(self.look, self.read, lying)
        )
        if fit.cost < 2 * PRUNE + self.look.least:
            owed = Owed(self.rules.names[p], *done.owed)
            self.add(Explanation(cost + fit.cost + PARTLY, so_far, fit.fixes, (owed,), True, lying, None, lent))

    def _partly(
        self,
        table: Table,
        p: int,
        card: Card | None,
        cost: float,
        so_far: tuple[Turn, ...],
        lent: float = 0.0,
        over: bool = False,
    ) -> None:
        """A card, some gems of a take, some in a hand: no breach yet; `over`: more than the card allows (T7)."""
        if self.stands:
            return
        read, rules = self.read, self.rules
        table, so_far = self._settled(table, so_far)
        reach = max((TAKES.get(one, 0) for one in ((card,) if card is not None else rules.field(table))), default=0)
        n = 0 if read.row is None else len(table.row) - len(read.row)  # of a covered row nothing need be gone
        if not 0 <= n <= reach and not (over and reach < n <= reach + MOST_OVER):
            return
        cost += breaches.begun_again(so_far, rules.names[p], card, n, not lent)
        gems_only = card is not None or not rules.cards_seen
        owed = Owed(rules.names[p], "gems" if gems_only else "a seeker", "T7" if gems_only else "T4")
        shown = read.sides[p]
        most = 2 * PRUNE + self.look.least
        if side_fit(self.look, read.sides[1 - p], table.sides[1 - p], rules.kind).cost >= most:
            return
        for lost, row in self._cut(table, card, n):
            if dungeon_fit(self.look, read, row).cost >= most:
                continue
            mine, lying = self._part_laid(table.sides[p], shown, lost)
            if mine is None or (lying and not rules.cards_seen):
                continue
            if lying and card is not None and card not in PENDING and n >= min(TAKES.get(card, 0), len(table.row)):
                continue  # no part: all of the turn lies there
            stack = (*table.sides[p].stack, card) if card is not None else table.sides[p].stack
            mine = mine._replace(stack=stack)
            theirs = table.sides[1 - p]
            part = table._replace(row=row, sides=(mine, theirs) if p == 0 else (theirs, mine))
            if card is not None:
                part = rules.after(part, p, (card,))
            elif read.field is not None and len(read.field) == len(part.field) - 1:
                gone = [*(Counter(part.field) - Counter(read.field)).elements()]
                if len(gone) == 1:  # the card is in the hand
                    field = list(part.field)
                    field.remove(gone[0])
                    part = part._replace(field=tuple(field))
            if not n and part.field == table.field and card is None:
                continue
            fit = together(gems_fit(self.look, read, part, rules.kind), all_cards_fit(self.look, read, part))
            if fit.cost < most:
                lies = part if lying and card is not None else None
                self.add(Explanation(cost + fit.cost + PARTLY, so_far, fit.fixes, (owed,), True, lies, None, lent))

    def _cut(self, table: Table, card: Card | None, n: int) -> Iterator[tuple[Gems, Gems]]:
        """What a card, or any, may have taken off the row when so many gems are gone, and the row then."""
        row = table.row
        cards = (card,) if card is not None else self.rules.field(table)
        for left in range(n + 1):
            if any(max(left, n - left) <= BOTH_ENDS[one] if one in BOTH_ENDS else left in (0, n) for one in cards):
                yield (*row[:left], *row[len(row) - (n - left) :]) if n else (), row[left : len(row) - (n - left)]
        for i in range(1, len(row) - n) if n and card == "anywhere" else ():
            yield row[i : i + n], (*row[:i], *row[i + n :])

    def _cardless(self, table: Table, p: int, cost: float, so_far: tuple[Turn, ...]) -> None:
        """All of a turn and what follows lies there but the card; or an advanced seeker's gems are in a hand."""
        rules, read = self.rules, self.read
        follows = rules.rule in DISCARD_RULES or rules.rule == SWAP_RULE
        if read.row is None:
            return
        cost += breaches.begun_again(so_far, rules.names[p], None, len(table.row) - len(read.row))
        if cost + PARTLY >= self.best + (EQUAL if self.wide else 0.0):
            return
        owed = (Owed(rules.names[p], "a seeker", "T4"),)
        goal = self._goal(table, p, [], 0)._replace(row=True, mine=True, theirs=True, later=())
        side, colors = table.sides[p], rules.colors(table, read, p)
        for card in dict.fromkeys(table.field):
            if (card not in CARD_LAST and not follows) or len(table.row) - len(read.row) not in (
                NET[card],
                TAKES[card],
            ):
                continue
            if card == "anywhere":
                parts = [table._replace(row=take.rest) for take in takes(table.row, card) if goal.shows_row(take.rest)]
            else:
                parts = []
            for done in turns(goal, table.row, side, table.sides[1 - p], card, colors):
                mine = done.mine._replace(stack=side.stack, bonuses=side.bonuses)
                sides = (mine, done.theirs) if p == 0 else (done.theirs, mine)
                thrown = table.thrown
                if done.thrown is not None:
                    thrown = more(thrown, done.thrown)
                parts.append(table._replace(row=done.row, sides=sides, thrown=thrown))
            for part in dict.fromkeys(parts):
                fit = together(gems_fit(self.look, read, part, rules.kind), all_cards_fit(self.look, read, part))
                if fit.cost < 2 * PRUNE + self.look.least:
                    self.add(Explanation(cost + fit.cost + PARTLY, so_far, fit.fixes, owed, True))

    def _part_laid(self, side: Side, shown: ReadSide | None, lost: Gems) -> tuple[Side | None, bool]:
        """The mover's things when some of the lost gems lie there already, and whether all of them do."""
        if shown is None or shown.gems is None:
            return side, False
        came_gold = max((shown.gold or 0) - side.gold, 0)
        gold = side.gold + min(came_gold, lost.count(GOLD))
        rest = [gem for gem in lost if gem != GOLD]
        if self.rules.kind == "line":
            more = len(shown.gems) - len(side.gems) + came_gold - (gold - side.gold)  # one may have been read as gold
            if not 0 <= more <= len(rest):
                return None, False
            best, least = None, FAR
            for left in (True, False):
                came = shown.gems[:more] if left else shown.gems[len(shown.gems) - more :]
                left_over, line = rest.copy(), []
                for gem in came:  # a gem that was not lost is one of the lost ones, read wrongly
                    line.append(gem if gem in left_over else -1)
                    if gem in left_over:
                        left_over.remove(gem)
                laid = tuple(left_over.pop() if gem < 0 else gem for gem in line)
                one = side._replace(gems=(*laid, *side.gems) if left else (*side.gems, *laid), gold=gold)
                wrong = side_fit(self.look, shown, one, "line").cost
                if wrong < least:
                    best, least = one, wrong
            return best, more == len(rest) and gold - side.gold == lost.count(GOLD)
        ways = [self._in_places(side, shown, rest, gold, first) for first in ((0, 1) if side.invalid else (0,))]
        ways.append((side._replace(gold=gold), rest))  # none of them does
        best, over = min(ways, key=lambda way: side_fit(self.look, shown, way[0], self.rules.kind).cost)
        return best, not over and gold - side.gold == lost.count(GOLD)

    def _in_places(self, side: Side, shown: ReadSide, rest: list[int], gold: int, first: int) -> tuple[Side, list[int]]:
        """Lost gems on the counts where they are seen, one place looked at before the other; those that are not."""
        assert shown.gems is not None
        zones = [(list(side.gems), shown.gems), (list(side.invalid), shown.invalid or side.invalid)]
        left_over = []
        for gem in rest:
            for counts, seen in (zones[first], zones[1 - first]):
                if counts and counts[gem] < seen[gem]:
                    counts[gem] += 1
                    break
            else:
                left_over.append(gem)
        if left_over and (shown.gold or 0) > gold:  # one of them was read as gold
            zones[-1 if zones[-1][0] else 0][0][left_over.pop()] += 1
        for counts, seen in zones:  # a gem that was not lost is one of the lost ones, read wrongly
            while left_over and sum(counts) < sum(seen):
                counts[left_over.pop()] += 1
        return side._replace(gems=tuple(zones[0][0]), invalid=tuple(zones[1][0]), gold=gold), left_over

    def _short(
        self, table: Table, p: int, card: Card, breaks: tuple[str, ...], later: int
    ) -> Iterator[tuple[Turn, float]]:
        """The turn stood though it took fewer gems than its card says (T7), without its effect (T14)."""
        rules, theirs = self.rules, table.sides[1 - p]
        for n in range(TAKES[card] - 1, 0, -1):
            if self.read.row is not None and self.begun is None:
                lost = len(table.row) - len(self.read.row)
                if not n <= lost <= n + later:
                    continue
            for left in (True, False):
                what = table.row[:n] if left else table.row[len(table.row) - n :]
                rest = table.row[n:] if left else table.row[: len(table.row) - n]
                undone = has_effect(card, what, rest, theirs, rules.kind)
                told = (*breaks, "T7", "T14") if undone else (*breaks, "T7")
                for color in rules.colors(table, self.read, p):
                    mine = table.sides[p]._replace(stack=(*table.sides[p].stack, card))
                    for side, to in lay(mine, what, rules.kind, color):
                        info = {"what": what, "from": "dungeon.left" if left else "dungeon.right", "to": to}
                        done = Done(rest, side, theirs, None, info)
                        yield rules.make(table, p, (card,), done, told), breach(told)

    def _wait(self) -> None:
        """The look is waited out, or taken as it is."""
        read, table = self.read, self.table
        if read.row is None or any(shown is None or shown.gems is None for shown in read.sides):
            self.add(Explanation(self.look.least + COVERED, (), (), (), True))
            return
        repaired = breaches.repairs(self)
        flips = repaired[0][1] if repaired else ()
        seen = breaches.adopted(self, flips)
        done = (len(seen.sides[0].stack), len(seen.sides[1].stack))
        seen = seen._replace(turns=done, starter=table.starter if done == table.turns else None)
        here, before = sum(total(seen, self.rules.kind)), sum(total(table, self.rules.kind))
        here += sum(map(len, self.new_cards())) * (self.rules.rule in DISCARD_RULES)  # a gem each went out of the game
        self.add(Explanation(self.look.least + (COVERED if here < before else WAITING), (), (), (), True))
        moved = breaches.distance(table, seen, self.rules.kind)
        turn = Turn(
            None,
            "edit",
            {"what": breaches.changed(table, seen, self.rules.kind), "from": UNKNOWN, "to": UNKNOWN},
            (),
            seen,
            ("edit", moved),
            sum(table.turns),
            max(table.turns),
            UNKNOWN,
        )
        fixes = tuple(fix for fix, _ in flips)
        self.add(Explanation(self.look.least + EDITED + min(ONE_MORE * moved, MANY), (turn,), fixes))


def _came(shown: ReadSide, side: Side, kind: Kind) -> int | None:
    """How many gems came to a player; None where not all of them are in sight."""
    if shown.gems is None or shown.gold is None or shown.invalid is None:
        return None
    count = len if kind == "line" else sum
    return count(shown.gems) - count(side.gems) + sum(shown.invalid) - sum(side.invalid) + shown.gold - side.gold


def _either(one: Any, other: Any) -> Any:
    """What two ways of doing the same agree in."""
    if isinstance(one, dict) and isinstance(other, dict):
        return {key: one[key] if one[key] == other.get(key) else UNKNOWN for key in one}
    return one if one == other else UNKNOWN
