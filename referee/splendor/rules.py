"""Search the turns of Splendor that explain an observation (S1 to S10 of the referee's rules)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, permutations
from operator import gt, lt
from typing import Any, Final

from referee.looks import FAR, MISREAD, NEVER, PARTLY, SLIP, UNKNOWN, Fit, Fix, Look, breach
from referee.splendor.acts import (
    ORDER,
    PAIR_NEEDS,
    TEN,
    Act,
    act,
    choices,
    end_of_turn,
    first_halves,
    may_end,
    payments,
    taken_up,
    takes,
    vector,
)
from referee.splendor.kept import by_backs, same_back
from referee.splendor.tables import (
    GOLD,
    NO_TOKENS,
    Card,
    Counts,
    Reading,
    Seen,
    Side,
    Table,
    as_state,
    chained,
    exchanged,
    minus,
    more,
    plus,
    read_state,
    seen,
    setup,
    written,
)
from referee.turns import Explanation, Owed, Rules, Start, Turn, first_of, house_of
from scoring.splendor import GOAL, TOKENS

HOUSE: Final[dict[str, Any]] = {"row": 4, "keep-deck": True, "fewer-tokens": True, "gold-choice": True}
HANDS: Final = {
    "supply": 3, "market": 1, "nobles_left": 1, "tokens": 10, "kept": 1, "reserved": 1, "cards": 0, "nobles": 0,
}  # fmt: skip
"""Pieces of each place that hands hold at most in the midst of a turn."""
SHORT: Final = 2.5
"""Fewer tokens were taken than could be."""
ONE_TURN: Final = 0.05
"""Of two explanations that cost the same, the one with fewer turns is told."""
LEFT_EMPTY: Final = 1.0
"""A place of the market stays empty while the next player moves."""
TWICE: Final = 3.0
"""A player moved twice between two looks."""
TWICE_WORTH: Final = 3.2
"""Where that costs so much more than another explanation, it is looked for only with more care."""
MINGLED: Final = 3.0
"""Where turns of several players lie together in a look, and it costs so much more than the rules that they break,
nobody knows whose slip it was: their tokens are added up."""
UNSEEN_CARD: Final = 1.0
"""A card that no look showed came to the market and is being paid for."""
NOBLE_ALONE: Final = 4.0
"""A noble came, and nothing else: it is sooner the last turn's."""
STUCK: Final = 0.8
"""A player passed where nothing could be done."""
SAME_BACK: Final = (1.5, 3.0, 4.5)
"""One, two, three tokens were taken and the same given back."""
STILL: Final = 0.5
"""A look that shows nothing new is where such a turn lies, rather than a look that shows other turns."""
WORTH_IT: Final = 3.5
"""A reading of the tokens that costs so much more than a whole explanation is not followed up."""
FURTHER_WORTH: Final = 1.0
"""The same for readings of tokens that the box does not ask for."""
GIVEN_AWAY: Final = 2.0
"""A player's turn was to lose tokens and nothing else; somebody else took them sooner."""
UNASKED: Final = 1.0
"""Tokens were given back though there were not too many."""
NOT_BOUGHT: Final = 2.0
"""Tokens were paid, and no card came."""
ROBBED: Final = 0.3
"""A token came from another player."""
PASSED: Final = 8.0
"""A player passed though something could have been done; a turn out of order is likelier."""
ODD_MARKET: Final = 3.0
"""A card of the market is not where it should be."""
WAITING: Final = 10.5
"""A look that no turn explains is waited out."""
COVERED: Final = 8.5
"""The same where pieces are out of sight."""
EDITED: Final = 14.0
"""Somebody changed the table outside any turn."""
MOST_TURNS: Final = 5
"""Turns between two looks."""
MOST_FACES: Final = 8
"""So many ways are tried to say which cards were kept."""
MOST_MOVES: Final = 60
"""So many turns are tried for one reading of a look before players are taken to have moved only once."""
MOST_WAYS: Final = 100
"""So many explanations are kept; where tokens of several turns lie together there are thousands."""
WORSE: Final = 7.0
"""An explanation that costs so much more than another one is not followed up."""
LATELY: Final = 3
"""For so many looks a card that came to the market in the midst of a turn is known."""
NEAREST: Final = 3
OF_TOKENS: Final = ("S4", "S5", "S6", "S8")
"""What nobody is told to have broken whose tokens no look has shown."""


class Splendor(Rules):
    """Splendor between given players."""

    hands = HANDS
    hides = True
    amends = True
    in_parts = 2.0
    counted = True

    def __init__(self, header: Mapping[str, Any], look: Look) -> None:
        self.names: Sequence[str] = header["players"]
        self.box = setup(len(self.names))
        self.first = first_of(header)
        self.house = house_of(header, HOUSE)
        self.row = max(self.house["row"], 1)
        self.shown: dict[Card, int] = {}
        self.tokens_of = set[int]()
        """Of whom some look has shown the tokens."""

    def read(self, look: Look) -> Reading:
        """The look's state in the game's own form. Raises StateError where it is none."""
        read = read_state(look.state, self.names)
        for card in read.market or ():
            self.shown[card] = look.number
        self.tokens_of |= {p for p, side in enumerate(read.sides) if side is not None and side.tokens is not None}
        return read

    def held_by_nobody(self, tokens: Iterable[Counts]) -> Counts:
        """The tokens of the game but for those of the players."""
        return tuple(max(n, 0) for n in minus(self.box, _sum(tokens)))

    def start(self, look: Look) -> Iterator[Start]:
        """What may lie there when the first look shows this: with the game's number of tokens of each color."""
        read: Reading = look.read
        tokens = tuple(side.tokens or NO_TOKENS if side else NO_TOKENS for side in read.sides)
        supply = read.supply
        if supply is None and read.holders_seen:
            supply = self.held_by_nobody(tokens)
        if supply is None or read.market is None:
            return
        ways = seen(look, read, self.box, None) if read.supply is not None else []
        if not ways:
            ways = [Seen(0.0, (), supply, tokens)]
        for way in ways:
            sides = tuple(
                Side(
                    tokens,
                    (side.cards if side else None) or (),
                    (side.kept if side else None) or (),
                    (side.nobles if side else None) or (),
                )
                for tokens, side in zip(way.tokens, read.sides, strict=True)
            )
            table = Table(
                way.supply,
                tuple(sorted(read.market)),
                read.nobles or (),
                read.decks if read.decks is not None else frozenset((1, 2, 3)),
                sides,
                (0,) * len(sides),
                self.first,
                last=None if self.first is None else (self.first - 1) % len(sides),
            )
            yield Start(way.cost, table, way.fixes)

    # Whose turn it is

    def expected(self, table: Table) -> int | None:
        """The player whose turn it is, None where it may be anybody's: at first, and after an edit."""
        if table.first is None or (table.last is None and any(table.turns)):
            return None
        least = min(table.turns)
        n = len(table.turns)
        return next(p for i in range(n) if table.turns[p := (table.first + i) % n] == least)

    def over(self, table: Table) -> bool:
        """S10: somebody has 15, and all have had the same number of turns."""
        points = [sum(card.points for card in side.cards) + 3 * len(side.nobles) for side in table.sides]
        return max(points) >= GOAL and len(set(table.turns)) == 1

    # Explanations

    def explain(self, table: Table, look: Look, wide: bool) -> Iterable[Explanation]:
        """How this table may have become what the look shows."""
        return _Search(self, table, look, wide).found()

    def finish(self, table: Table, look: Look) -> Explanation | None:
        """The part of a turn that the last look shows, as a turn that stands."""
        part, whole = _Search(self, table, look, True), _Search(self, table, look, True)
        whole.stands = True
        read = min((one for one in part.found() if not one.turns), key=lambda one: one.cost, default=None)
        ways = [one for one in whole.found() if one.turns and read is not None and one.fixes == read.fixes]
        return min(ways, key=lambda one: one.cost, default=None)

    def key(self, table: Table) -> Any:
        """Everything that lies there, and whose turn it is."""
        return table

    def _house_breaks(self, before: Table, p: int, done: Act) -> tuple[str, ...]:
        """What a turn breaks only where this house reads a silent place strictly."""
        fields = done.fields
        if done.move == "keep" and fields.get("from") == "deck" and not self.house["keep-deck"]:
            return ("S6",)
        if done.move == "tokens" and done.soft and not self.house["fewer-tokens"]:
            return ("S4",)
        if done.move == "buy" and not self.house["gold-choice"] and done.same[1].price:
            least = next((way[GOLD] for way in payments(done.same[1], before.sides[p])), 0)
            return ("S5",) if done.same[2][GOLD] > least else ()
        return ()

    def make(self, before: Table, p: int, done: Act, table: Table, breaks: tuple[str, ...], refill: list[Card]) -> Turn:
        """The line of the log for a turn."""
        name = self.names[p]
        fields = dict(done.fields)
        if done.move == "tokens":
            fields["to"] = name
        elif done.move == "keep":
            fields["to"] = f"{name}.kept"
        elif fields.get("from") == "kept":
            fields["from"] = f"{name}.kept"
        if done.left is not None:
            fields["refill"] = [written(card) for card in refill]
        breaks += self._house_breaks(before, p, done)
        if p not in self.tokens_of:
            breaks = tuple(rule for rule in breaks if rule not in OF_TOKENS)
        legal = not breaks
        same = (p, *done.same)
        return Turn(name, done.move, fields, breaks, table, same, sum(before.turns) + 1, before.turns[p] + 1, legal)

    def left_open(self, turns: list[Turn], others: list[list[Turn]]) -> list[Turn]:
        """Kept cards by their backs while nobody knows who holds which."""
        return by_backs(turns, others)

    def agree(self, told: Turn, turn: Turn) -> bool:
        """The same move, or one that kept a card with that back."""
        return super().agree(told, turn) or same_back(told, turn)

    def still_lies(self, slip: Turn, turns: Sequence[Turn], look: Look) -> bool:
        """Its player goes on at once, and has the tokens that were left then."""
        moved = any(slip.fields.get(key) for key in ("what", "returned", "paid"))
        if not moved or not turns or turns[0].who != slip.who:
            return False
        p = self.names.index(slip.who or "")
        return bool(slip.table.sides[p].tokens == turns[0].table.sides[p].tokens)

    def between(self, before: Table, turn: Turn, look: Look) -> Fit | None:
        """How well a look shows a part of this turn: every count lies between before and after, and so do the cards."""
        after: Table = turn.table
        came = vector(
            *[TOKENS.index(color) for color in turn.fields.get("what", ())], *[GOLD] * turn.fields.get("gold", 0)
        )
        if turn.move == "tokens" and (turn.fields["returned"] or not turn.fields["what"]):
            # what came before may have been more of other colors
            came = tuple([2 if n >= PAIR_NEEDS else 1 if n else 0 for n in before.supply])
        spans = [_span(before.supply, minus(before.supply, came), after.supply)]
        for name, lay, lies in zip(self.names, before.sides, after.sides, strict=True):
            spans.append(_span(lay.tokens, plus(lay.tokens, came) if name == turn.who else lay.tokens, lies.tokens))
        if turn.who is None:
            return None
        ats = ["/supply", *(f"{side.at}/tokens" if side else "" for side in look.read.sides)]
        odd = MISREAD * self._other_cards(before, turn, look.read)
        best: Fit | None = None
        for way in seen(look, look.read, self.box, before):
            cost, fixes = way.cost + odd, list(way.fixes)
            if best is not None and cost >= best.cost:
                break  # they stand in the order of their costs
            for at, shown, (least, most) in zip(ats, (way.supply, *way.tokens), spans, strict=True):
                if not (any(map(gt, shown, most)) or any(map(lt, shown, least))):
                    continue
                over = [i for i, n in enumerate(shown) for _ in range(n - most[i])]
                under = [i for i, n in enumerate(shown) for _ in range(least[i] - n)]
                for was, is_ in zip(over, under, strict=False):
                    fixes.append(Fix(f"{at}/{TOKENS[was]}", TOKENS[was], TOKENS[is_]))
                    cost += look.price(*fixes[-1])
                cost += MISREAD * abs(len(over) - len(under))
            if best is None or cost < best.cost:
                best = Fit(cost, tuple(fixes))
        return best

    def _other_cards(self, before: Table, turn: Turn, read: Reading) -> int:
        """How many cards lie where they lay neither before nor after the turn."""
        after: Table = turn.table
        odd = 0
        for shown, lay, lies in zip(read.sides, before.sides, after.sides, strict=True):
            if shown is not None and shown.cards is not None:
                odd += len(more(shown.cards, lies.cards)) + len(more(lay.cards, shown.cards))
            if shown is not None and shown.kept is not None:
                least, most = sorted((len(lay.kept), len(lies.kept)))
                odd += max(least - len(shown.kept), len(shown.kept) - most, 0)
        if read.market is not None:
            went = [card for card in more(before.market, read.market) if card not in turn.same]
            odd += len(went) + len(more(read.market, (*before.market, *after.market)))
        return odd

    def nearest(self, before: Table, turn: Turn) -> list[dict[str, Any]]:
        """The legal moves that would have changed the fewest tokens."""
        due = self.expected(before)
        if due is None or turn.who is None:
            return []
        side = before.sides[due]
        got = minus(turn.table.sides[due].tokens, side.tokens)
        ranked = sorted(
            (sum(abs(a - b) for a, b in zip(take, got, strict=True)), i, take)
            for i, (take, short) in enumerate(takes(before.supply))
            if not short and sum(side.tokens) + sum(take) <= 10
        )
        return [
            {
                "who": self.names[due],
                "move": "tokens",
                "what": [TOKENS[i] for i, n in enumerate(take) for _ in range(n)],
                "returned": [],
                "differs": max(differs, 1),
            }
            for differs, _, take in ranked[:NEAREST]
        ]

    def legal(self, table: Table) -> Iterator[Turn]:
        """The turns that the player whose turn it is may take, each paid with as little gold as possible."""
        p = None if self.over(table) else self.expected(table)
        if p is None:
            return
        for after in choices(table, p):
            done = act(table, p, after)
            if done is not None and not done.breaks:
                yield self.make(table, p, done._replace(left=None), end_of_turn(table, p, done), (), [])

    def because(self, table: Table, look: Look, fix: Fix) -> tuple[list[str], list[str]]:
        """S2, and the counts of the color that was read: all that there are lie elsewhere."""
        read: Reading = look.read
        color = TOKENS.index(fix.read) if fix.read in TOKENS else -1
        others = [f"/supply/{fix.read}"] if read.supply and color >= 0 and read.supply[color] else []
        for side in read.sides:
            if side is not None and side.tokens is not None and color >= 0 and side.tokens[color]:
                others.append(f"{side.at}/tokens/{fix.read}")
        return ["S2"], [at for at in others if at != fix.at]

    def state(self, table: Table) -> dict[str, Any]:
        """The table in the form of the looks."""
        return as_state(table, self.names, self.over(table))


def _span(*counts: Counts) -> tuple[Counts, Counts]:
    """The least and the most pieces of each color."""
    return tuple(map(min, *counts)), tuple(map(max, *counts))


class _Search:
    """One table, one look: the explanations found so far."""

    def __init__(self, rules: Splendor, table: Table, look: Look, wide: bool) -> None:
        self.rules, self.table, self.look, self.wide = rules, table, look, wide
        self.read: Reading = look.read
        self.stands, self.moves = False, 0
        self.covered: int | None = None
        """Of whom it is only guessed what they did."""
        self.out: list[Explanation] = []
        self.least = FAR

    def found(self) -> list[Explanation]:
        """All explanations that are worth keeping."""
        ways = seen(self.look, self.read, self.rules.box, self.table)
        further: list[Seen] = []
        if self.wide:
            chains = list(chained(self.look, self.read, ways, self.table))
            further = [*self._as_before(ways), *exchanged(self.look, self.read, ways, self.table)]
            further += [way for way, same in chains if not same]
            ways = [*ways, *(way for way, same in chains if same)]
        if ways:
            cheapest = self.look.least = ways[0].cost
            for i, way in enumerate((*ways, *further)):
                best = min(self.least, NEVER)
                worth = NEVER if self.wide and i < len(ways) else FURTHER_WORTH if self.wide else WORTH_IT
                if way.cost < min(cheapest + SLIP + 1, best + worth):
                    self._way(way)
        if self.wide:
            self._wait(ways)
        if len(self.out) > MOST_WAYS:
            return sorted(self.out, key=lambda one: one.cost)[:MOST_WAYS]
        return self.out

    def _as_before(self, ways: list[Seen]) -> Iterator[Seen]:
        """A token was read wrongly though the box does not show it.

        Somebody whose turn it is not has one of another color; or tokens are in a hand, and this may be one of theirs;
        or what came or went may be one that lies in a supply out of sight.
        """
        turn = self.rules.expected(self.table)
        for way in self._likeliest(ways):
            hidden = minus(self.rules.box, plus(way.supply, _sum(way.tokens)))
            out_of_sight = plus(hidden, way.supply) if self.read.supply is None else NO_TOKENS
            change = minus(way.supply, self.table.supply)
            for i, j in permutations(range(GOLD + 1), 2) if self.read.supply is not None else ():
                if way.supply[i] and hidden[j] > 0 and (change[i] > 0 or change[j] < 0):
                    fix = Fix(f"/supply/{TOKENS[i]}", TOKENS[i], TOKENS[j])
                    supply = minus(plus(way.supply, vector(j)), vector(i))
                    yield Seen(way.cost + self.look.price(*fix), (*way.fixes, fix), supply, way.tokens)
            for p, tokens in enumerate(way.tokens):
                change = minus(tokens, self.table.sides[p].tokens)
                shown = self.read.sides[p]
                if shown is None or not any(change):
                    continue
                for i, j in permutations(range(GOLD + 1), 2):
                    if tokens[i] and (hidden[j] > 0 or (out_of_sight[j] > 0 and (change[i] > 0 or change[j] < 0))):
                        yield self._other_color(way, p, i, j)
                if p != turn and sorted(change) == [-1, 0, 0, 0, 0, 1]:
                    i, j = change.index(1), change.index(-1)
                    yield (one := self._other_color(way, p, i, j))
                    supply = plus(way.supply, change)  # the supply may have been read wrongly the other way round
                    if min(supply) >= 0 and self.read.supply is not None:
                        fix = Fix(f"/supply/{TOKENS[j]}", TOKENS[j], TOKENS[i])
                        cost = one.cost + self.look.price(*fix)
                        yield one._replace(cost=cost, fixes=(*one.fixes, fix), supply=supply)

    def _likeliest(self, ways: list[Seen]) -> Iterator[Seen]:
        """The cheapest reading; without the supply in sight also those of a doubtful token nearer to what lay there."""
        yield from ways[:1]
        if ways and self.read.supply is None:
            least = self._moved(ways[0])
            yield from (way for way in ways[1:] if len(way.fixes) == 1 and self._moved(way) < least)

    def _moved(self, way: Seen) -> int:
        """How many tokens came to players or went since before."""
        sides = zip(way.tokens, self.table.sides, strict=True)
        return sum(sum(map(abs, minus(tokens, side.tokens))) for tokens, side in sides)

    def _other_color(self, way: Seen, p: int, was: int, is_: int) -> Seen:
        """The same, with one token of a player read again."""
        shown = self.read.sides[p]
        fix = Fix(f"{shown.at if shown else ''}/tokens/{TOKENS[was]}", TOKENS[was], TOKENS[is_])
        tokens = tuple(n - (i == was) + (i == is_) for i, n in enumerate(way.tokens[p]))
        all_tokens = (*way.tokens[:p], tokens, *way.tokens[p + 1 :])
        return Seen(way.cost + self.look.price(*fix), (*way.fixes, fix), way.supply, all_tokens)

    def _way(self, way: Seen) -> None:
        """The turns that one reading of the tokens shows."""
        self.way = way
        cards_cost, sides, card_fixes = self._sides(way)
        self.cost = way.cost + cards_cost
        self.fixes = (*way.fixes, *card_fixes)
        ways = (*self._gold_alone(sides), *self._bought_at_once(sides), sides)
        lying = [after for one in ways for after in self._faced(one)]
        for after in (*lying, *self._without_gold(sides)):
            self._dealt(way, after)
            for p, other in self._out_of_sight(way, after):
                self.covered = p
                self._dealt(way, other)
            self.covered = None

    def _gold_alone(self, sides: tuple[Side, ...]) -> Iterator[tuple[Side, ...]]:
        """Where no kept card is in sight, gold that is not one for each: taken without a card, in a turn of its own, or
        more of it for one card."""
        for p, (lay, side, shown) in enumerate(zip(self.table.sides, sides, self.read.sides, strict=True)):
            in_hand = shown is not None and shown.kept is None and len(side.kept) > len(lay.kept)
            came = minus(side.tokens, lay.tokens)
            if in_hand and max(came[:GOLD]) > 0:
                yield (*sides[:p], side._replace(kept=lay.kept), *sides[p + 1 :])
            if in_hand and came[GOLD] > 1:  # two for one card, sooner than two cards in a turn
                yield (*sides[:p], side._replace(kept=side.kept[: 1 - came[GOLD]]), *sides[p + 1 :])

    def _bought_at_once(self, sides: tuple[Side, ...]) -> Iterator[tuple[Side, ...]]:
        """Where no kept card is in sight and the market has an empty place, a card that came from nowhere: none that
        had been kept, but one that came to the market since and was bought at once.
        """
        market = self.read.market
        if market is None:
            return
        for p, (lay, side, shown) in enumerate(zip(self.table.sides, sides, self.read.sides, strict=True)):
            in_hand = shown is not None and shown.kept is None
            new = more(side.cards, lay.cards) if in_hand and len(side.kept) < len(lay.kept) else []
            levels = [card.level for card in new if card not in self.table.market]
            if any(sum(card.level == level for card in market) < self.rules.row for level in levels):
                yield (*sides[:p], side._replace(kept=lay.kept), *sides[p + 1 :])

    def _without_gold(self, sides: tuple[Side, ...]) -> Iterator[tuple[Side, ...]]:
        """A card left the market for the hand of the player in turn, without gold: none lay there, or ten are held."""
        p = self.rules.expected(self.table)
        if p is None or sides[p] != self.table.sides[p]:
            return
        side, shown = sides[p], self.read.sides[p]
        if shown is None or shown.kept is not None or shown.tokens is None:
            return
        if not self.table.supply[GOLD] or sum(side.tokens) == TEN:
            for card in self.table.market:
                if self._left_market(card):
                    yield (*sides[:p], side._replace(kept=(*side.kept, card)), *sides[p + 1 :])

    def _out_of_sight(self, way: Seen, after: tuple[Side, ...]) -> Iterator[tuple[int, tuple[Side, ...]]]:
        """Whose things are covered, and what may lie there: the tokens, perhaps the card, that the others lack; or a
        card of the market for which nothing had to be paid.
        """
        covered = [p for p, shown in enumerate(self.read.sides) if shown is None or shown.tokens is None]
        missing = minus(self.rules.box, plus(way.supply, _sum(side.tokens for side in after)))
        if len(covered) != 1 or self.read.supply is None or self._incomplete():
            return
        p = covered[0]
        side = after[p]
        tokens = plus(side.tokens, missing)
        if min(tokens) < 0 or sum(tokens) > TEN:
            return
        gone = [] if self.read.market is None else more(self.table.market, self.read.market)
        gone = [card for card in gone if not any(card in (*one.cards, *one.kept) for one in after)]
        ways = [side._replace(tokens=tokens)] if any(missing) and not gone else []
        ways += [side._replace(tokens=tokens, cards=(*side.cards, card)) for card in gone]
        ways += [side._replace(tokens=tokens, kept=(*side.kept, card)) for card in gone if any(missing)]
        for one in ways:
            yield p, (*after[:p], one, *after[p + 1 :])

    def _incomplete(self) -> bool:
        """Whether there are fewer tokens on the table than the game has."""
        return sum(self.table.supply) + sum(sum(side.tokens) for side in self.table.sides) < sum(self.rules.box)

    def _dealt(self, way: Seen, after: tuple[Side, ...]) -> None:
        """The turns that lead to this; the faces of kept cards are known or guessed."""
        self.after = after
        self.missing = minus(self.rules.box, plus(way.supply, _sum(side.tokens for side in after)))
        if self._incomplete():
            lay = plus(self.table.supply, _sum(side.tokens for side in self.table.sides))
            self.missing = minus(lay, plus(way.supply, _sum(side.tokens for side in after)))
        if self.read.supply is None and self.read.holders_seen:
            self.missing = NO_TOKENS
        self.arrivals = self._arrivals(after)
        self.moves = 0
        changed = tuple(p for p, side in enumerate(after) if side != self.table.sides[p])
        self._walk(self.table, changed, (), 0.0)
        turn = self.rules.expected(self.table)
        if not changed and not any(self.missing) and turn is not None:
            self._unseen(self.table, turn, changed, (), -STILL)

    def _sides(self, way: Seen) -> tuple[float, tuple[Side, ...], tuple[Fix, ...]]:
        """What lies before each player, with the faces that are known of kept cards."""
        cost = 0.0
        fixes: list[Fix] = []
        found = []
        for p, shown in enumerate(self.read.sides):
            side = self.table.sides[p]
            cards, kept, nobles = side.cards, side.kept, side.nobles
            if shown is not None:
                if shown.cards is not None and shown.cards != cards:
                    more_cost, cards = self._same_cards(shown.cards, cards, f"{shown.at}/cards", fixes)
                    cost += more_cost
                if shown.kept is not None:
                    kept = self._kept(side.kept, shown.kept, more(cards, side.cards))
                elif shown.tokens is not None:
                    kept = self._kept_in_hand(side, way.tokens[p], more(cards, side.cards))
                if shown.nobles is not None:
                    nobles = shown.nobles
            found.append(Side(way.tokens[p], cards, kept, nobles))
        return cost, tuple(found), tuple(fixes)

    def _same_cards(
        self, read: tuple[Card, ...], known: tuple[Card, ...], at: str, fixes: list[Fix]
    ) -> tuple[float, tuple[Card, ...]]:
        """The player's cards in the order of buying; one that lay there before is what it was."""
        lost, new = more(known, read), more(read, known)
        cost = 0.0
        for card in lost:
            i = known.index(card)
            if len(new) > len(read) - len(known) and i < len(read) and read[i] in new:
                here = f"{at}/{i}"
                cost += min(self.look.price(here, str(read[i]), str(card)), NEVER)
                fixes.append(Fix(here, written(read[i]), written(card)))
                new.remove(read[i])
            else:
                cost += MISREAD
        return cost, (*known, *new)

    def _faced(self, sides: tuple[Side, ...]) -> Iterator[tuple[Side, ...]]:
        """Cards newly kept by their backs, each with the face of one that left the market, in every way."""
        lay = self.table.sides
        backs = [
            (p, i)
            for p, side in enumerate(sides)
            for i in range(len(side.kept) - len(more(side.kept, lay[p].kept)), len(side.kept))
            if side.kept[i].bonus < 0
        ]
        gone = [card for card in self.table.market if self._left_market(card)]
        if backs:
            gone += self._came_and_went({card.level for card in gone})
        ways: dict[tuple[tuple[Side, ...], int], None] = {}
        for faces in permutations([*gone, *[None] * len(backs)], len(backs)) if backs else ():
            found, known = list(sides), 0
            for (p, i), face in zip(backs, faces, strict=True):
                kept = found[p].kept
                if face is not None and kept[i].level in (face.level, 0):
                    found[p] = found[p]._replace(kept=(*kept[:i], face, *kept[i + 1 :]))
                    known += 1
            ways[tuple(found), known] = None
        most = max((known for _, known in ways), default=0)
        yield from islice((way for way, known in ways if known == most), MOST_FACES) if most else (sides,)

    def _kept(self, before: tuple[Card, ...], shown: tuple[Card, ...], bought: list[Card]) -> tuple[Card, ...]:
        """The kept cards with their faces: those that were kept in sight stay known."""
        if len(shown) == len(before) == len(bought) == 1 and shown[0].level not in (before[0].level, 0):
            return shown  # the one that was kept is bought, another one is kept
        if len(shown) >= len(before):
            return (*before, *shown[len(before) :])
        kept = before
        for card in bought:
            if len(kept) > len(shown) and card not in self.table.market:
                kept = taken_up(kept, card)
        while len(kept) > len(shown):
            kept = kept[:-1]
        return kept

    def _kept_in_hand(self, side: Side, tokens: Counts, bought: list[Card]) -> tuple[Card, ...]:
        """The kept cards where none is in sight: gold came with one, and what was bought from nowhere was one."""
        kept = side.kept
        for card in bought:
            if card not in self.table.market:
                kept = taken_up(kept, card)
        return (*kept, *[Card(0)] * (tokens[GOLD] - side.tokens[GOLD]))

    def _came_and_went(self, known: set[int]) -> list[Card]:
        """Cards that a look in the midst of the turn showed in the market and that lie nowhere now; of other levels."""
        lying = {*self.table.market, *(self.read.market or ())}
        for side, shown in zip(self.table.sides, self.read.sides, strict=True):
            lying |= {*side.cards, *side.kept, *((shown and shown.cards) or ())}
        least = self.look.number - LATELY
        return [
            card
            for card, number in self.rules.shown.items()
            if least <= number < self.look.number and card not in lying and card.bonus >= 0 and card.level not in known
        ]

    def _left_market(self, card: Card) -> bool:
        market = self.read.market
        if market is None:
            return False
        return card not in market and not any(card in more(s.cards or (), t.cards) for s, t in self._shown())

    def _shown(self) -> Iterator[tuple[Any, Side]]:
        for shown, side in zip(self.read.sides, self.table.sides, strict=True):
            if shown is not None:
                yield shown, side

    def _arrivals(self, after: tuple[Side, ...]) -> list[Card]:
        """Cards that came off a deck since: they lie in the market or were bought or kept at once."""
        known = [*self.table.market, *(card for side in self.table.sides for card in (*side.cards, *side.kept))]
        faces = [card for side in after for card in (*side.cards, *side.kept) if card.bonus >= 0]
        hidden = [card.level for side in self.table.sides for card in side.kept if card.bonus < 0]
        came = more([*(self.read.market or ()), *faces], known)
        for level in hidden:  # a card kept by its back shows its face when it is bought
            same = next((card for card in came if card.level == level and card not in (self.read.market or ())), None)
            if same is not None:
                came.remove(same)
        return came

    def _walk(self, table: Table, changed: tuple[int, ...], turns: tuple[Turn, ...], cost: float) -> None:
        """The turns one after the other, each by a player before whom something changed."""
        if cost > SLIP * 2 + 2 or cost + self.cost > self.least + WORSE or len(turns) > MOST_TURNS:
            return
        if not changed:
            self._leaf(table, turns, cost)
            return
        turn = self.rules.expected(table)
        movers = changed if turn is None else (turn,) if turn in changed else ()
        for p in movers:
            self._move(table, p, changed, turns, cost, ())
        for p in movers if len(changed) > 1 else ():
            self._from_another(table, p, changed, turns, cost)
        if turn is None and self.wide:  # who begins nobody knows: perhaps somebody who did what leaves no trace
            for p in range(len(table.sides)):
                if p not in changed:
                    self._unseen(table, p, changed, turns, cost)
        if turn is not None and not movers:
            others = changed if table.last is None else {(table.last + 1) % len(table.sides)} & {*changed}
            for p in others:
                self._move(table, p, changed, turns, cost + 0.5, ())
            unseen = self._unseen(table, turn, changed, turns, cost)
            if self.wide or unseen:
                for p in changed:
                    if p not in others:
                        self._move(table, p, changed, turns, cost, ("S3",))

    def _from_another(
        self, table: Table, p: int, changed: tuple[int, ...], turns: tuple[Turn, ...], cost: float
    ) -> None:
        """S3, S2: a player took a token from another one, beside what else the turn did."""
        mine = self.after[p]
        for q in changed:
            theirs, lay = self.after[q], table.sides[q]
            lost = minus(lay.tokens, theirs.tokens)
            if q == p or sorted(lost) != [0] * GOLD + [1] or theirs._replace(tokens=lay.tokens) != lay:
                continue
            color = lost.index(1)
            if mine.tokens[color] <= table.sides[p].tokens[color]:
                continue
            before = mine._replace(tokens=minus(mine.tokens, vector(color)))
            done = act(table, p, before) or _SAME_BACK._replace(side=before)
            if done.breaks or (done.owed and not done.soft):
                continue
            also = [{"what": TOKENS[color], "from": self.rules.names[q], "to": self.rules.names[p]}]
            done = done._replace(fields={**done.fields, "also": also})
            turn = self._turned(table, p, done, ("S3", "S2"))
            sides = tuple(mine if i == p else theirs if i == q else side for i, side in enumerate(turn.table.sides))
            turn = turn._replace(table=turn.table._replace(sides=sides))
            rest = tuple(one for one in changed if one not in (p, q))
            self._walk(turn.table, rest, (*turns, turn), cost + ONE_TURN + SLIP + ROBBED)

    def _unseen(self, table: Table, p: int, changed: tuple[int, ...], turns: tuple[Turn, ...], cost: float) -> bool:
        """A turn that changed nothing: ten tokens, some taken and the same given back; or the player passed.

        Returns whether that may be; a turn out of order is then not much less likely.
        """
        stuck = self._stuck(table, p)
        full = sum(table.sides[p].tokens) == TEN and any(table.supply[:5])
        if not (self.wide or stuck or full):
            return False
        done = _SAME_BACK if full else _PASS
        turn = self.rules.make(table, p, done, self._passed(table, p), (), [])
        if not full and not stuck:
            turn = turn._replace(legal=UNKNOWN)
        more_cost = _same_back(table) if full else STUCK if stuck else PASSED
        self._walk(turn.table, changed, (*turns, turn), cost + more_cost)
        return True

    def _passed(self, table: Table, p: int) -> Table:
        turns = tuple(n + (i == p) for i, n in enumerate(table.turns))
        return table._replace(turns=turns, last=p)

    def _stuck(self, table: Table, p: int) -> bool:
        """Nothing can be done: no tokens are left, three cards are kept, and nothing can be paid."""
        side = table.sides[p]
        return (
            not any(table.supply[:5])
            and len(side.kept) >= 3
            and not any(payments(card, side) for card in (*table.market, *side.kept))
        )

    def _move(
        self,
        table: Table,
        p: int,
        changed: tuple[int, ...],
        turns: tuple[Turn, ...],
        cost: float,
        breaks: tuple[str, ...],
    ) -> None:
        """One turn of a player, then the rest."""
        rest = tuple(other for other in changed if other != p)
        done = act(table, p, self.after[p])
        if done is None:
            return
        if self.after[p] == table.sides[p]._replace(nobles=self.after[p].nobles):
            cost += NOBLE_ALONE
        last = not rest
        late = ("S10",) if self._late(table) else ()
        told = tuple(sorted({*breaks, *done.breaks, *late}, key=ORDER.index))
        if not told or self.wide or breaks:
            self._stand(table, p, done, rest, turns, cost, told, last)
        twice = told or any(rule == "S5" for _, rule in done.owed)
        self.moves += 1
        if self.moves >= MOST_MOVES or breaks or any(turn.who == self.rules.names[p] for turn in turns):
            return
        if self.wide and sum(table.sides[p].tokens) == TEN and (rest or twice):
            unseen = self.rules.make(table, p, _SAME_BACK, self._passed(table, p), (), [])
            self._walk(unseen.table, changed, (*turns, unseen), cost + _same_back(table))
        if twice and (rest or self.wide or self.rules.expected(self._passed(table, p)) == p):
            self._twice(table, p, changed, rest, turns, cost)

    def _late(self, table: Table) -> bool:
        """S10: whether the game is over, as far as it is known who began."""
        known = self.rules.first is not None and table.last is not None and any(table.turns)
        return known and self.rules.over(table)

    def _twice(
        self,
        table: Table,
        p: int,
        changed: tuple[int, ...],
        rest: tuple[int, ...],
        turns: tuple[Turn, ...],
        cost: float,
    ) -> None:
        """Two turns of a player, then the rest."""
        if cost + TWICE + self.cost > self.least + (WORSE if self.wide else TWICE_WORTH):
            return
        before, end = table.sides[p], self.after[p]
        bought = any(len(self.after[q].cards) > len(table.sides[q].cards) for q in rest)  # tokens came meanwhile
        ordered = bool(rest) or self.rules.expected(self._passed(table, p)) == p
        for half in first_halves(table, p, end):
            change = minus(end.tokens, half.tokens)
            tokens_only = len(half.cards) == len(end.cards) and half.kept == end.kept
            paying = tokens_only and ordered and self.wide and (max(change) <= 0 or (bought and min(change) >= 0))
            supply = minus(table.supply, minus(half.tokens, before.tokens))
            if not paying and not may_end(supply, half, end, ordered):
                continue
            begun = act(table, p, half)
            if begun is None:
                continue
            told = tuple(sorted({*begun.breaks, *(rule for _, rule in begun.owed)}, key=ORDER.index))
            odd = self.wide and told == ("S5",)
            if told and not (odd and ordered):
                continue
            first = self._turned(table, p, begun, told)
            second = act(first.table, p, end)
            wrong = self.wide and ordered
            if second is not None and (paying or not second.breaks or (wrong and second.breaks == ("S5",))):
                self._walk(first.table, changed, (*turns, first), cost + TWICE + SLIP * odd)

    def _stand(
        self,
        table: Table,
        p: int,
        done: Act,
        rest: tuple[int, ...],
        turns: tuple[Turn, ...],
        cost: float,
        told: tuple[str, ...],
        last: bool,
    ) -> None:
        """The turn as it lies: it stands, or something of it may still come."""
        if last and not self.stands and self._partly(table, p, done, turns, cost, told):
            return
        owed = [rule for _, rule in done.owed]
        if done.soft:
            owed.remove("S4")
        stands = tuple(sorted({*told, *owed}, key=ORDER.index))
        if stands and (p == self.covered or (not self.wide and stands != ("S3",))):
            return
        price = cost + ONE_TURN + self._breach(table, p, stands) + SHORT * done.soft
        if done.left is not None and done.left not in (*table.market, *self.arrivals):
            price += ODD_MARKET  # it lay elsewhere
        price += self._anothers(table, p, done)
        if done.move == "buy" and done.same[1] == Card(0):
            price += NOT_BOUGHT
        if done.move == "tokens" and told and not done.fields["what"] and done.fields["returned"]:
            price += GIVEN_AWAY
        elif told and done.fields.get("returned") and (done.move == "tokens" or "S8" in told):
            price += UNASKED
        turn = self._turned(table, p, done, stands)
        if rest and self._empty(turn, turn.table):
            price += LEFT_EMPTY
        self._walk(turn.table, rest, (*turns, turn), price)

    def _anothers(self, table: Table, p: int, done: Act) -> float:
        """What it costs that a card was bought which somebody else is thought to have kept."""
        others = (side.kept for q, side in enumerate(table.sides) if q != p)
        return ODD_MARKET if done.move == "buy" and any(done.same[1] in kept for kept in others) else 0.0

    def _partly(
        self, table: Table, p: int, done: Act, turns: tuple[Turn, ...], cost: float, told: tuple[str, ...]
    ) -> bool:
        """Whether the last turn is not over: tokens in a hand, something owed."""
        name = self.rules.names[p]
        if "S3" in told and turns and turns[-1].who == name:
            return False  # a second turn out of order is believed when it is whole
        cost += self._anothers(table, p, done) + (0.0 if done.plain else UNSEEN_CARD)
        slip = self._breach(table, p, told)
        if any(self.missing):
            came = self.after[p]._replace(tokens=plus(self.after[p].tokens, self.missing))
            whole = act(table, p, came) if min(self.missing) >= 0 else None
            gave = minus(table.sides[p].tokens, self.after[p].tokens)
            theirs = min(self.missing) >= 0 and all(n <= max(m, 0) for n, m in zip(self.missing, gave, strict=True))
            lawful = (whole is not None and not whole.breaks) or (theirs and not done.breaks)
            if lawful:
                tokens = Owed(name, "tokens", "S5" if done.move == "buy" else "S4")
                self._add(cost + PARTLY + slip, turns, (tokens,), None, lent=slip)
            return lawful
        if done.owed:
            lying = self._turned(table, p, done, told).table
            owed = tuple(Owed(name, what, rule) for what, rule in done.owed)
            self._add(cost + PARTLY + slip, turns, owed, lying, lent=slip)
            return not self.wide
        return False

    def _breach(self, table: Table, p: int, breaks: tuple[str, ...]) -> float:
        """What it costs that a turn breaks these rules; who also moves out of order has made two mistakes."""
        if "S3" in breaks and self.rules.expected(table) not in (None, p):
            return SLIP + breach(breaks[1:])
        return breach(breaks)

    def _turned(self, table: Table, p: int, done: Act, breaks: tuple[str, ...]) -> Turn:
        """The turn with the card that came to the market in its place."""
        after = end_of_turn(table, p, done)
        refill: list[Card] = []
        open_ = list(self.arrivals)
        for card in after.market:
            if card in open_ and card not in self.table.market:
                open_.remove(card)
        for side, before in zip(after.sides, self.table.sides, strict=True):
            for card in more((*side.cards, *side.kept), (*before.cards, *before.kept)):
                if card in open_:
                    open_.remove(card)
        if done.left is not None and done.left.level in after.decks:
            came = [card for card in open_ if card.level == done.left.level]
            bought = [card for card in came if card not in (self.read.market or ())]
            if came:
                refill = [(bought or came)[0]]
                after = after._replace(market=tuple(sorted((*after.market, refill[0]))))
        if self.read.decks is not None:
            after = after._replace(decks=self.read.decks)
        return self.rules.make(table, p, done, after, breaks, refill)

    def _leaf(  # noqa: PLR0912 -- one way for the market to lie there after the other
        self, table: Table, turns: tuple[Turn, ...], cost: float
    ) -> None:
        """All players' things are explained: what of the market, the nobles, the supply?"""
        if any(self.missing):
            self._in_hand(table, turns, cost)
            return
        market = self.read.market
        if self.read.nobles is not None and sorted(self.read.nobles) != sorted(table.nobles):
            cost += ODD_MARKET
        if market is not None:
            lost, came = more(table.market, market), more(market, table.market)
            if lost or came:
                if len(lost) == len(came) and any(self.look.flagged(at) for at in self._market_at(came)):
                    cost += len(lost)
                elif turns and not lost and self._of_another_level(turns[-1], table, came):
                    if self.wide:
                        now = table._replace(market=tuple(sorted((*table.market, *came))))
                        fields = {**turns[-1].fields, "refill": [written(card) for card in came]}
                        told = turns[-1].breaks
                        breaks = tuple(sorted((*told, "S7"), key=ORDER.index))
                        wrong = turns[-1]._replace(fields=fields, breaks=breaks, legal=False, table=now)
                        self._add(cost + breach(breaks) - breach(told), (*turns[:-1], wrong), (), None)
                    return
                elif not lost and came and len(market) <= self.rules.row * 3:
                    # a place that was empty has been filled: nature's part of an earlier turn
                    new = table._replace(market=tuple(sorted((*table.market, *came))))
                    if turns:
                        turns = (*turns[:-1], turns[-1]._replace(table=new))
                    else:
                        self._add(cost, (), (), None, new)
                        return
                elif len(lost) == 1 and not came:
                    turn = self.rules.turn_of(table)
                    self._add(cost + PARTLY, turns, (Owed(turn, "a card", "S3", guessed=True),), None)
                    return
                else:
                    cost += ODD_MARKET * max(len(lost), len(came))
        last = turns[-1] if turns else None
        if last is not None and not self.stands and self._empty(last, table):
            owed = Owed(last.who, "a card for the empty place", "S7")
            self._add(cost + PARTLY, turns[:-1], (owed,), last.table)
            return
        self._add(cost, turns, (), None)

    def _empty(self, last: Turn, table: Table) -> bool:
        """Whether the last turn's place in the market is still empty though the deck lies there."""
        if self.read.market is None or "refill" not in last.fields or last.fields["refill"] or last.breaks:
            return False
        level = last.fields["card"]["level"]
        return level in table.decks and sum(card.level == level for card in table.market) < self.rules.row

    def _of_another_level(self, last: Turn, table: Table, came: list[Card]) -> bool:
        """S7: whether the last turn's place was filled with a card of a level of which no place was empty."""
        if "refill" not in last.fields or last.fields["refill"] or len(came) != 1 or not came[0].level:
            return False
        level, left = came[0].level, last.fields["card"]["level"]
        full = sum(card.level == level for card in table.market) >= self.rules.row
        return full and left in table.decks and level != left

    def _market_at(self, cards: list[Card]) -> Iterator[str]:
        for i, card in enumerate(self.read.market or ()):
            if card in cards:
                yield f"/market/{i}"

    def _in_hand(self, table: Table, turns: tuple[Turn, ...], cost: float) -> None:
        """Tokens are out of sight: the next player is about to take them, or to pay."""
        p = self.rules.expected(table)
        if min(self.missing) < 0:
            return
        movers = range(len(table.sides)) if p is None else (p,)
        for mover in movers:
            side = table.sides[mover]
            whole = act(table, mover, side._replace(tokens=plus(side.tokens, self.missing)))
            lawful = whole is not None and "S4" not in whole.breaks
            gold = self.missing[GOLD] == 1 and sum(self.missing) == 1
            if lawful or gold:
                self._add(cost + PARTLY, turns, (Owed(self.rules.names[mover], "tokens", "S4", guessed=True),), None)
                return
        if self.wide:
            owed = Owed(self.rules.turn_of(table), "tokens", "S4", guessed=True)
            self._add(cost + ODD_MARKET + PARTLY, turns, (owed,), None)

    def _add(
        self,
        cost: float,
        turns: tuple[Turn, ...],
        owed: tuple[Owed, ...],
        lying: Table | None,
        table: Table | None = None,
        lent: float = 0.0,
    ) -> None:
        total = cost + self.cost
        self.least = min(self.least, total)
        several = len({turn.who for turn in turns}) > 1
        if several and total - self.look.least - sum(breach(turn.breaks) for turn in turns) > MINGLED:
            turns = tuple([turn._replace(named=turn.named and not turn.breaks) for turn in turns])
        self.out.append(Explanation(total, turns, self.fixes, owed, bool(owed), lying, table, lent))

    def _wait(self, ways: list[Seen]) -> None:
        """The look is waited out, or taken as it is."""
        read = self.read
        if not ways or read.market is None:
            self.out.append(Explanation(self.look.least + COVERED, (), (), (), True))
            return
        self.way = ways[0]
        cost, sides, fixes = self._sides(ways[0])
        after = next(self._faced(sides))
        market = tuple(sorted(read.market))
        supply = ways[0].supply
        if read.supply is None and read.holders_seen:  # whatever happened, what nobody has lies there
            supply = self.rules.held_by_nobody(ways[0].tokens)
        table = self.table._replace(
            supply=supply,
            sides=after,
            market=market,
            nobles=read.nobles if read.nobles is not None else self.table.nobles,
            turns=(max(self.table.turns),) * len(after),
            last=None,
        )
        hidden = any(minus(self.rules.box, plus(table.supply, _sum(side.tokens for side in after))))
        self.out.append(Explanation(self.look.least + (COVERED if hidden else WAITING), (), (), (), True))
        what = [TOKENS[i] for i, n in enumerate(minus(table.supply, self.table.supply)) for _ in range(abs(n))]
        fields = {"what": what, "from": UNKNOWN, "to": UNKNOWN}
        number, round_ = sum(self.table.turns), max(table.turns)
        turn = Turn(None, "edit", fields, (), table, ("edit", len(what)), number, round_, UNKNOWN)
        self.out.append(Explanation(EDITED + ways[0].cost + cost, (turn,), (*ways[0].fixes, *fixes)))


_SAME_BACK: Final = Act(
    "tokens",
    {"what": [], "returned": [], "from": "supply"},
    (),
    (),
    False,
    Side(NO_TOKENS),
    None,
    ("tokens", NO_TOKENS),
)
_PASS: Final = Act("pass", {}, (), (), False, Side(NO_TOKENS), None, ("pass",))


def _same_back(table: Table) -> float:
    """What it costs that tokens were taken and the same given back: the fewer there are, the likelier."""
    return SAME_BACK[min(max(sum(n > 0 for n in table.supply[:GOLD]), 1), 3) - 1]


def _sum(counts: Iterable[Counts]) -> Counts:
    total = NO_TOKENS
    for one in counts:
        total = plus(total, one)
    return total
