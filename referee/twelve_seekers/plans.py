"""The legal turns of Twelve Seekers: everything that a card lets its taker do (T7 to T14 of the referee's rules).

A card may allow some thousand turns. They are made step by step, and a step that the look to be explained refutes
is not followed up: `Goal` says what has to be seen in the end.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, combinations, permutations
from operator import add, ne
from typing import Any, Final, NamedTuple

from referee.looks import EXACT, Look
from referee.twelve_seekers.tables import (
    DISCARD_RULES,
    GOLD,
    NAMES,
    RAINBOW,
    SWAP_RULE,
    Card,
    Gems,
    Kind,
    Reading,
    ReadSide,
    Side,
    Table,
    dungeon_fit,
    named,
    power,
    side_fit,
)
from scoring.twelve_seekers.bonuses import KINDS_PAID, PAYING

TAKES: Final[dict[Card, int]] = {
    **{n: n for n in range(1, 6)},
    "steal-one": 1, "first-of-kind": 1, "three-return-two": 3, "pair": 2, "steal-same": 2, "anywhere": 2,
    "both-ends-one": 2, "five-return-two": 5, "all-different": 3, "swap-one": 3, "give-one": 3, "two-kinds": 4,
    "five-return-one": 5, "both-ends-two": 4, "five-give-one": 5, "five-give-most": 5, "four-kinds": 5,
}  # fmt: skip
"""How many gems each card takes off the row, before anything goes back."""
BOTH_ENDS: Final[dict[Card, int]] = {"both-ends-one": 1, "both-ends-two": 2}
RETURNS: Final[dict[Card, int]] = {"five-return-two": 2, "five-return-one": 1}
NET: Final = {card: n - {"three-return-two": 2, **RETURNS}.get(card, 0) for card, n in TAKES.items()}
"""How many gems the row loses by each card in the end."""
STEALS: Final = ("steal-one", "steal-same")
GIVES: Final = ("give-one", "five-give-one", "five-give-most")
PENDING: Final = frozenset((*STEALS, *GIVES, *RETURNS, "three-return-two", "swap-one"))
"""Cards with something to do after the take."""
REACHING: Final = frozenset((*STEALS, *GIVES))
"""Cards that change what lies before the opponent."""
CARD_LAST: Final = PENDING | {"anywhere"}
"""Cards whose gems may lie there in another way than off an end of the row, before the card is taken."""
COSTS: Final[dict[Card, int]] = {"three-return-two": 2, "swap-one": 1, "give-one": 1, "five-give-most": 1}
"""How many of the gems that lay before the mover a card may move elsewhere."""
BACK: Final = 2
"""Gems that one card sends back to the row at most."""
SWAPS: Final = {1: 2, 2: 1, 3: 1}
"""Swaps of rule 18, by the card's power."""
OWED: Final = "owed"
MISREADS: Final = 2
"""Gems of one place that may have been read wrongly while it is not yet seen in the end."""
PRUNE: Final = 7.5
"""A step that costs more is not followed up."""
EXACTLY: Final = 4.0
"""The same where only doubtful pieces may have been read wrongly."""
ANY_GEM: Final = -1
"""A gem that came back to the row."""


class Goal(NamedTuple):
    """What the look shows in the end. `row`, `mine`, `theirs`: no later turn of the look changes this.

    `later`: the cards that the look's later turns take; `begun`: it shows a part of another turn after them, too.
    `lost`: how many gems they may take from the mover. `left`: how many steps may still be looked at. `most` is what
    a place may cost in the end, `odd` how many of its gems may have been read wrongly before, `pending` how many swaps
    (T13) of the mover's no look has shown, `replaced` for how many of the mover's gems another one comes into their
    place. `stands`: what the turn owes may have been left out though others follow.
    """

    look: Look
    read: Reading
    kind: Kind
    rule: int
    mover: int
    row: bool
    mine: bool
    theirs: bool
    later: tuple[Card, ...]
    lost: int
    left: list[int]
    begun: bool = False
    most: float = PRUNE
    odd: int = MISREADS
    pending: int = 0
    replaced: int = 0
    stands: bool = False

    def shows_row(self, row: Gems) -> bool:
        """Whether the look may show this row."""
        self.left[0] -= 1
        if self.read.row is None or self.left[0] < 0:
            return self.left[0] >= 0
        if not self.row:
            key = ("leads", row, self.later, self.begun, self.odd)
            if key not in self.look.memo:
                self.look.memo[key] = leads_to(row, self.read.row, self.later, self.begun, self.odd)
            return bool(self.look.memo[key])
        return dungeon_fit(self.look, self.read, row).cost <= self.most

    def shows_mine(self, side: Side) -> bool:
        """Whether the look may show this before the mover when the turn has ended."""
        self.left[0] -= 1
        if self.left[0] < 0:
            return False
        shown = self.read.sides[self.mover]
        if not self.mine:
            return self._may_become(side, shown, self.lost)
        return side_fit(self.look, shown, side, self.kind).cost <= self.most

    def leads_to_mine(self, side: Side) -> bool:
        """Whether the look may show this before the mover once the turn has ended (T12, T13)."""
        if self.rule != SWAP_RULE and self.rule not in DISCARD_RULES:
            return self.shows_mine(side)
        self.left[0] -= 1
        lost = self.rule in DISCARD_RULES if self.mine else self.lost
        return self.left[0] >= 0 and self._may_become(side, self.read.sides[self.mover], lost)

    def _may_become(self, side: Side, shown: ReadSide | None, lost: int) -> bool:
        """Whether what is seen before the mover holds these gems, but for as many as may go and some wrong readings."""
        if shown is None or shown.gems is None:
            return True
        gems, seen, over = side.gems, shown.gems, lost + self.odd
        if self.kind != "line":
            more = sum([n - m for n, m in zip(gems, seen, strict=True) if n > m])
            if more > over or shown.invalid is None:
                return more <= over
            return more + sum([n - m for n, m in zip(side.invalid, shown.invalid, strict=True) if n > m]) <= over
        if self.rule != SWAP_RULE and lost - self.replaced < 2:
            return _lies_in(seen, gems, self.odd + self.replaced, lost > self.replaced or self.odd > 0)
        return _surplus(gems, seen) <= over

    def shows_theirs(self, side: Side) -> bool:
        """Whether the look may show this before the opponent."""
        self.left[0] -= 1
        if self.left[0] < 0:
            return False
        fit = side_fit(self.look, self.read.sides[1 - self.mover], side, self.kind) if self.theirs else EXACT
        return fit.cost <= self.most


class Done(NamedTuple):
    """A turn as far as it came. `owed` is what is still to come, and its rule; `pending` as in a table."""

    row: Gems
    mine: Side
    theirs: Side
    thrown: int | None
    info: dict[str, Any]
    owed: tuple[str, str] | None = None
    pending: int = 0


class Take(NamedTuple):
    """Gems off the row: all of them from left to right, the orders in which they may be laid, the rest."""

    what: Gems
    place: str
    rest: Gems
    orders: tuple[Gems, ...]


def takes(row: Gems, card: Card) -> Iterator[Take]:
    """The gems that a card may take."""
    n = min(TAKES[card], len(row))
    if card in BOTH_ENDS:
        k = min(BOTH_ENDS[card], len(row) // 2)
        left, right = row[:k], row[len(row) - k :]
        yield Take((*left, *right), "dungeon.both", row[k : len(row) - k], ((*left, *right), (*right, *left)))
    elif card == "anywhere":
        for i in range(max(len(row) - 1, 1)):
            place = "left" if i == 0 else "right" if i + 2 >= len(row) else str(i)
            yield Take(row[i : i + 2], f"dungeon.{place}", (*row[:i], *row[i + 2 :]), (row[i : i + 2],))
    elif n:
        cut = len(row) - n
        yield Take(row[:n], "dungeon.left", row[n:], (row[:n],))
        yield Take(row[cut:], "dungeon.right", row[:cut], (row[cut:],))


def leads_to(row: Gems, seen: Gems, cards: Sequence[Card], begun: bool, odd: int) -> bool:
    """Whether a row may become the one that is seen when these cards are taken, and then a part of any turn (`begun`).

    `odd`: gems that may have been read wrongly. A turn that took too few gems leaves the seen row in it, too, as the
    last one may that has not taken all.
    """
    if len(row) + BACK * begun < len(seen):
        return False
    if (
        not TAKES.keys() >= set(cards)
        or _holds(row, seen, odd)
        or ("anywhere" in cards and _cut(row, seen, cards, odd))
        or (not begun and _but_the_last(row, seen, cards, odd))
    ):
        return True
    ends = [card for card in cards if card != "anywhere"]
    odd += "swap-one" in ends
    for left in _shortened(row, ends):
        more = odd + left.count(ANY_GEM)
        if len(ends) < len(cards):
            if begun or _gapped(left, seen, 2, more):
                return True
        elif begun:
            if _like(left, seen, more):
                return True
        elif len(left) == len(seen) and sum(map(ne, left, seen)) <= more:
            return True
    return False


def _but_the_last(row: Gems, seen: Gems, cards: Sequence[Card], odd: int) -> bool:
    """Whether the row that is seen lies in what all cards but the last one left, where gems came back to it."""
    before = cards[:-1]
    if all(NET[card] == TAKES[card] for card in before):
        return False
    rows = _shortened(row, [card for card in before if card != "anywhere"])
    return any(_holds(left, seen, odd + left.count(ANY_GEM)) for left in rows)


def _shortened(row: Gems, cards: Sequence[Card]) -> Iterator[Gems]:
    """The row once these cards took off its ends, whichever they chose; the gems that came back may be any."""
    if not cards:
        yield row
        return
    back = (ANY_GEM,) * (TAKES[cards[0]] - NET[cards[0]])
    for take in takes(row, cards[0]):
        yield from _shortened(
            (*back, *take.rest) if take.place == "dungeon.left" else (*take.rest, *back),
            cards[1:],
        )


def _cut(row: Gems, seen: Gems, cards: Sequence[Card], odd: int) -> bool:
    """Whether fewer gems left the row than these cards take, some of them neighbors, and the others its ends."""
    n, gap = len(seen), len(row) - len(seen)
    if gap >= sum(NET[card] for card in cards):
        return False
    gap = min(gap, TAKES["anywhere"])
    return any(_gapped(row[i : i + n + gap], seen, gap, odd) for i in range(len(row) - n - gap + 1))


def _gapped(row: Gems, seen: Gems, gap: int, odd: int) -> bool:
    """Whether the row that is seen is this one but for some neighbors, and some wrong readings."""
    n = len(seen)
    if len(row) != n + gap:
        return False
    head = [0, *accumulate(map(ne, row, seen))]
    tail = [0, *accumulate(map(ne, reversed(row), reversed(seen)))]
    return bool(min(map(add, head, reversed(tail))) <= odd)


@lru_cache(maxsize=20_000)
def _surplus(gems: Gems, seen: Gems) -> int:
    """How many gems there are more than are seen, of each color; many turns lead to the same line."""
    return sum([n - m for gem in set(gems) if (n := gems.count(gem)) > (m := seen.count(gem))])


@lru_cache(maxsize=20_000)
def _lies_in(seen: Gems, line: Gems, odd: int, but_one: bool) -> bool:
    """Whether this line, or all but one gem of it, lies somewhere in the one that is seen; many turns lead to it."""
    return _holds(seen, line, odd) or (but_one and _holds_rest(seen, line, odd))


def _holds_rest(seen: Gems, line: Gems, odd: int) -> bool:
    """Whether this line but for one gem lies somewhere in the one that is seen, but for some wrong readings."""
    n = len(line) - 1
    return any(_gapped(line, seen[i : i + n], 1, odd) for i in range(len(seen) - n + 1))


def _holds(row: Gems, seen: Gems, odd: int) -> bool:
    """Whether the row that is seen lies somewhere in this one, but for some wrong readings."""
    n = len(seen)
    return any(sum(map(ne, row[i : i + n], seen)) <= odd for i in range(len(row) - n + 1))


def _like(row: Gems, seen: Gems, odd: int) -> bool:
    """Whether the row that is seen is this one but for a part of one turn, and some wrong readings."""
    if len(row) + BACK < len(seen):
        return False
    if _holds(row, seen, odd):
        return True
    n = len(seen)
    for gone in range(len(row) - n + BACK + 1):  # off the left end, with two that came back there or to the right
        kept = row[gone : gone + n]
        head = sum(map(ne, kept[BACK:], seen[BACK:]))
        tail = sum(map(ne, kept[: n - BACK], seen[: n - BACK]))
        if len(kept) >= n - BACK and min(head, tail) <= odd + 1:
            return True
    same = 0
    while same < n and row[same] == seen[same]:
        same += 1
    return bool(sum(map(ne, row[len(row) - n + same :], seen[same:])) <= odd)


def turned(gems: Gems) -> Gems:
    """The same gems from the other side."""
    return gems[::-1]


def lay(side: Side, gems: Gems, kind: Kind, color: int | None) -> Iterator[tuple[Side, Any]]:
    """The ways to lay gems before a player, and the words for it (None under count sheets: the player's name)."""
    gold = gems.count(GOLD)
    if gold:
        gems = tuple([gem for gem in gems if gem != GOLD])
    if kind == "line":
        line = side.gems
        if not gems:
            yield side._replace(gold=side.gold + gold), {"end": "?", "turned": "?"}
            return
        if not line:
            for order in dict.fromkeys((gems, turned(gems))):
                mine = Side(order, (), side.gold + gold, side.stack, side.bonuses)
                yield mine, {"end": "right", "turned": order != gems}
            return
        for flip, order in enumerate((gems, turned(gems)) if gems != turned(gems) else (gems,)):
            way = bool(flip)
            yield (
                Side((*order, *line), (), side.gold + gold, side.stack, side.bonuses),
                {"end": "left", "turned": way},
            )
            yield (
                Side((*line, *order), (), side.gold + gold, side.stack, side.bonuses),
                {"end": "right", "turned": way},
            )
        return
    counts, invalid = list(side.gems), list(side.invalid)
    to: Any = None
    if kind == "gems":
        for gem in gems:
            counts[gem] += 1
    else:
        to = {"valid": [], "invalid": []}
        for gem in gems:
            if gem in (RAINBOW, color):
                counts[gem] += 1
                to["valid"].append(NAMES[gem])
            else:
                invalid[gem] += 1
                to["invalid"].append(NAMES[gem])
    yield Side(tuple(counts), tuple(invalid), side.gold + gold, side.stack, side.bonuses), to


def without(side: Side, kind: Kind, gem: int) -> Iterator[Side]:
    """The player's things after one gem of a kind went from anywhere among them."""
    if gem == GOLD:
        if side.gold:
            yield side._replace(gold=side.gold - 1)
    elif kind == "line":
        before = None
        for i, one in enumerate(side.gems):
            if one == gem and before != gem:
                yield Side((*side.gems[:i], *side.gems[i + 1 :]), side.invalid, side.gold, side.stack, side.bonuses)
            before = one
    else:
        if side.gems[gem]:
            yield side._replace(gems=less(side.gems, gem))
        if kind == "valid" and side.invalid[gem]:
            yield side._replace(invalid=less(side.invalid, gem))


def given(side: Side, kind: Kind, gem: int) -> Iterator[Side]:
    """The opponent's things after a gem was given to them."""
    if gem == GOLD:
        yield side._replace(gold=side.gold + 1)
    elif kind == "line":
        yield side._replace(gems=(gem, *side.gems))
        if side.gems and set(side.gems) != {gem}:
            yield side._replace(gems=(*side.gems, gem))
    elif kind == "valid":
        yield side._replace(invalid=more(side.invalid, gem))
    else:
        yield side._replace(gems=more(side.gems, gem))


def less(counts: Gems, gem: int) -> Gems:
    """One gem fewer."""
    return (*counts[:gem], counts[gem] - 1, *counts[gem + 1 :])


def more(counts: Gems, gem: int) -> Gems:
    """One gem more."""
    return (*counts[:gem], counts[gem] + 1, *counts[gem + 1 :])


def held(side: Side, kind: Kind) -> Gems:
    """How many of each kind lie before a player, gold last."""
    if kind == "line":
        return (*[side.gems.count(gem) for gem in range(6)], side.gold)
    invalid = side.invalid or (0,) * 6
    return (*[a + b for a, b in zip(side.gems, invalid, strict=True)], side.gold)


def stealable(card: Card, what: Gems, lying: Gems) -> list[int]:
    """The colors that a stealing card may take of what lies before the opponent, having taken these gems."""
    return [gem for gem in range(5) if lying[gem] and (card == "steal-one" or gem in what)]


def has_effect(card: Card, what: Gems, row: Gems, theirs: Side, kind: Kind) -> bool:
    """Whether a card that took these gems and left this row has something to do with what lies there."""
    if card in STEALS:
        return bool(stealable(card, what, held(theirs, kind)))
    return card in PENDING and (card != "swap-one" or not {RAINBOW, GOLD}.issuperset(row))


def pays(card: Card, what: Gems, before: Gems) -> bool:
    """Whether a paying seeker's +2 is due."""
    if card == "first-of-kind":
        return bool(what) and (what[0] == RAINBOW or not before[what[0]])
    kinds = len(set(what))
    return kinds >= 4 if card == "four-kinds" else kinds == KINDS_PAID[card]


def turns(goal: Goal, row: Gems, mine: Side, theirs: Side, card: Card, colors: Iterable[int | None]) -> Iterator[Done]:
    """All legal turns with a card that the goal does not refute, and the parts of turns in which something is owed."""
    before = held(mine, goal.kind)
    mine = mine._replace(stack=(*mine.stack, card))
    for take in takes(row, card):
        returns = RETURNS.get(card, 0)
        if returns and len(take.what) > returns:
            ways: Iterable[Way] = _returned(take, returns, goal)
        elif goal.shows_row(take.rest) or card in ("three-return-two", "swap-one"):
            ways = ((take.rest, take.orders, {}),)
        else:
            continue
        for rest, orders, more_info in ways:
            for color in colors:
                for done in laid(goal, take, rest, orders, mine, theirs, card, color):
                    yield from ended(goal, _with(done, more_info, take, card, before), card)


def _with(done: Done, info: dict[str, Any], take: Take, card: Card, before: Gems) -> Done:
    """What else is to be said of the turn: gems that went back, the seeker's +2."""
    info = {**done.info, **info}
    owed = ("gems back to the row", "T14") if info.pop(OWED, None) else done.owed
    return paid(Done(done.row, done.mine, done.theirs, done.thrown, info, owed), take.what, card, before)


def paid(done: Done, what: Gems, card: Card, before: Gems) -> Done:
    """The turn with what a paying seeker is paid for; `before`: the kinds that lay before the mover."""
    if card not in PAYING or len(what) != TAKES[card]:
        return done  # of another number of gems nothing is known
    entry = (card, what, tuple(gem for gem, n in enumerate(before) if n))
    mine = done.mine._replace(bonuses=(*done.mine.bonuses, entry))
    return done._replace(mine=mine, info={**done.info, "bonus": 2 if pays(card, what, before) else 0})


def ended(goal: Goal, done: Done, card: Card) -> Iterator[Done]:
    """The end of the turn: T12, T13."""
    if done.owed is None and goal.rule in DISCARD_RULES:
        yield from _thrown(done, goal)
    elif done.owed is None and goal.rule == SWAP_RULE:
        yield from _swapped(done, goal, card)
    elif goal.shows_mine(done.mine) and goal.shows_row(done.row):
        yield done


Way = tuple[Gems, tuple[Gems, ...], dict[str, Any]]


def _returned(take: Take, n: int, goal: Goal) -> Iterator[Way]:
    """Some of the gems just taken go back to the end from which they came."""
    if (goal.row or goal.stands) and goal.shows_row(take.rest):
        yield take.rest, take.orders, {OWED: True}
    seen = set()
    for back in combinations(range(len(take.what)), n):
        kept = tuple(gem for i, gem in enumerate(take.what) if i not in back)
        for order in set(permutations([take.what[i] for i in back])):
            rest = (*order, *take.rest) if take.place == "dungeon.left" else (*take.rest, *order)
            if (rest, kept) not in seen and goal.shows_row(rest):
                seen.add((rest, kept))
                yield rest, (kept,), {"returned": named(order)}


def laid(
    goal: Goal,
    take: Take,
    rest: Gems,
    orders: tuple[Gems, ...],
    mine: Side,
    theirs: Side,
    card: Card,
    color: int | None,
) -> Iterator[Done]:
    """The gems come to the mover, then the card's own effect."""
    kind = goal.kind
    info: dict[str, Any] = {"what": take.what, "from": take.place}
    if kind == "valid":
        came = color is not None and color in take.what
        info["color"] = NAMES[color] if came and color is not None else "?"
    if card == "five-give-one":
        yield from _give_new(goal, take, mine, theirs, color, info)
        return
    for gems in orders:
        for side, to in lay(mine, gems, kind, color):
            here = {**info, "to": to}
            if card in STEALS:
                yield from _steal(goal, Done(rest, side, theirs, None, here), card, take.what, color)
            elif card in ("give-one", "five-give-most"):
                yield from _give(goal, Done(rest, side, theirs, None, here), card)
            elif card == "three-return-two":
                yield from _return_any(goal, Done(rest, side, theirs, None, here), take.place)
            elif card == "swap-one":
                yield from _swap_one(goal, Done(rest, side, theirs, None, here))
            elif goal.shows_theirs(theirs) and goal.leads_to_mine(side):
                yield Done(rest, side, theirs, None, here)


def _steal(goal: Goal, done: Done, card: Card, what: Gems, color: int | None) -> Iterator[Done]:
    """A colored gem of the opponent's comes to the mover."""
    of = stealable(card, what, held(done.theirs, goal.kind))
    if not of:
        if goal.shows_theirs(done.theirs):
            yield done
        return
    if goal.shows_theirs(done.theirs):
        yield done._replace(owed=("a gem of the opponent's", "T14"))
    for gem in of:
        for theirs in without(done.theirs, goal.kind, gem):
            if goal.shows_theirs(theirs):
                for mine, _ in lay(done.mine, (gem,), goal.kind, color):
                    yield done._replace(mine=mine, theirs=theirs, info={**done.info, "stole": NAMES[gem]})


def _give(goal: Goal, done: Done, card: Card) -> Iterator[Done]:
    """One of the mover's gems goes to the opponent."""
    lying = held(done.mine, goal.kind)
    if card == "five-give-most":
        most = max(lying[:5])
        of = [gem for gem in range(5) if most and lying[gem] == most]
    else:
        of = [gem for gem in range(7) if lying[gem]]
    if goal.shows_theirs(done.theirs):
        yield done._replace(owed=("a gem for the opponent", "T14")) if of else done
    for gem in of:
        receivers = [theirs for theirs in given(done.theirs, goal.kind, gem) if goal.shows_theirs(theirs)]
        for mine in without(done.mine, goal.kind, gem) if receivers else ():
            if goal.leads_to_mine(mine):
                for theirs in receivers:
                    yield Done(done.row, mine, theirs, done.thrown, {**done.info, "gave": NAMES[gem]})


def _give_new(
    goal: Goal, take: Take, mine: Side, theirs: Side, color: int | None, info: dict[str, Any]
) -> Iterator[Done]:
    """One of the gems just taken goes to the opponent, the others to the mover in their order."""
    if goal.shows_theirs(theirs):
        for side, to in lay(mine, take.what, goal.kind, color):
            yield Done(take.rest, side, theirs, None, {**info, "to": to}, ("a gem for the opponent", "T14"))
    seen = set()
    for i, gem in enumerate(take.what):
        kept = (*take.what[:i], *take.what[i + 1 :])
        if kept in seen:
            continue
        seen.add(kept)
        for receiver in given(theirs, goal.kind, gem):
            if goal.shows_theirs(receiver):
                for side, to in lay(mine, kept, goal.kind, color):
                    yield Done(take.rest, side, receiver, None, {**info, "to": to, "gave": NAMES[gem]})


def _return_any(goal: Goal, done: Done, place: str) -> Iterator[Done]:
    """Two of the mover's gems go back to the end of the row from which three came."""
    if not goal.shows_theirs(done.theirs):
        return
    if (goal.row or goal.stands) and goal.shows_row(done.row):
        yield done._replace(owed=("two gems back to the row", "T14"))
    lying = held(done.mine, goal.kind)
    kinds = [gem for gem in range(7) for _ in range(min(lying[gem], 2))]
    for back in set(permutations(kinds, 2)):
        one, other = back
        row = (*back, *done.row) if place == "dungeon.left" else (*done.row, *back)
        if goal.shows_row(row):
            for side in without(done.mine, goal.kind, one):
                for mine in without(side, goal.kind, other):
                    if goal.leads_to_mine(mine):
                        yield done._replace(row=row, mine=mine, info={**done.info, "returned": named(back)})


def _swap_one(goal: Goal, done: Done) -> Iterator[Done]:
    """One of the mover's gems goes into the row, and one from there into its place."""
    if not goal.shows_theirs(done.theirs):
        return
    row = done.row
    places = [i for i, gem in enumerate(row) if gem not in (RAINBOW, GOLD)]
    if not places:
        yield done
        return
    if (goal.row or goal.stands) and goal.shows_row(row):
        yield done._replace(owed=("a gem swapped", "T14"))
    lying = held(done.mine, goal.kind)
    seen = set()
    for i in places:
        for gem in range(7):
            new = (*row[:i], gem, *row[i + 1 :])
            if not lying[gem] or (new, row[i]) in seen or not goal.shows_row(new):
                continue
            seen.add((new, row[i]))
            for mine in replaced(done.mine, goal.kind, gem, row[i]):
                if goal.leads_to_mine(mine):
                    yield done._replace(row=new, mine=mine, info={**done.info, "swapped": [NAMES[gem], NAMES[row[i]]]})


def replaced(side: Side, kind: Kind, gem: int, by: int) -> Iterator[Side]:
    """The player's things with another gem in the place of one."""
    if gem == GOLD:
        for fewer in without(side, kind, gem):
            for mine, _ in lay(fewer, (by,), kind, None):
                yield mine
    elif kind == "line":
        for i, one in enumerate(side.gems):
            if one == gem:
                yield side._replace(gems=(*side.gems[:i], by, *side.gems[i + 1 :]))
    else:
        if side.gems[gem]:
            yield side._replace(gems=more(less(side.gems, gem), by))
        if kind == "valid" and side.invalid[gem]:
            yield side._replace(invalid=more(less(side.invalid, gem), by))


def fewest(counts: Gems) -> list[int]:
    """The colors of which there are the fewest gems, at least one (T12)."""
    least = min((n for n in counts[:5] if n), default=0)
    return [gem for gem in range(5) if least and counts[gem] == least]


def _thrown(done: Done, goal: Goal) -> Iterator[Done]:
    """A gem of a color with the fewest goes out of the game."""
    colors = fewest(done.mine.gems)
    if not colors:
        if goal.shows_mine(done.mine):
            yield done._replace(info={**done.info, "thrown": []})
        return
    if goal.shows_mine(done.mine):
        yield done._replace(owed=("a gem out of the game", "T12"))
    for gem in colors:
        mine = done.mine._replace(gems=less(done.mine.gems, gem))
        if goal.shows_mine(mine):
            yield done._replace(mine=mine, thrown=gem, info={**done.info, "thrown": [NAMES[gem]]})


def _swapped(done: Done, goal: Goal, card: Card) -> Iterator[Done]:
    """Up to two swaps of neighbors in the mover's line (T13), those that the look shows; or it shows them later."""
    own = SWAPS.get(power(card), 0)
    shown = goal.read.sides[goal.mover]
    if not goal.mine or shown is None or shown.gems is None:
        if goal.shows_mine(done.mine):
            info, pending = {**done.info, "swaps": 0}, goal.pending + own
            yield Done(done.row, done.mine, done.theirs, done.thrown, info, done.owed, pending)
        return
    lay = done.mine
    for line, n in swapped_lines(lay.gems, goal.pending + own, goal):
        mine = Side(line, lay.invalid, lay.gold, lay.stack, lay.bonuses)
        if goal.shows_mine(mine):
            yield done._replace(mine=mine, info={**done.info, "swaps": min(n, own)})


def swapped_lines(line: Gems, most: int, goal: Goal) -> Iterator[tuple[Gems, int]]:
    """The line, and the lines after some swaps of neighbors which bring it nearer to what the look shows."""
    yield line, 0
    shown = goal.read.sides[goal.mover]
    if shown is not None and shown.gems is not None and len(line) - 1 <= len(shown.gems) <= len(line):
        yield from _swaps(line, shown.gems, most, goal.odd, goal.lost)


def settled(table: Table, look: Look, read: Reading, players: Sequence[int] = (0, 1)) -> Table:
    """The table with swaps (T13) made while no look showed the line, where this one does: those that it shows."""
    if not any(table.pending):
        return table
    sides, pending = list(table.sides), list(table.pending)
    for p in players:
        shown = read.sides[p]
        if not pending[p] or shown is None or shown.gems is None:
            continue
        line, most = sides[p].gems, pending[p]
        wanted = _wanted(line, shown.gems, 0)
        ways = [(line, 0), *_swaps(line, shown.gems, most, MISREADS + look.unsure, 0)] if wanted else [(line, 0)]
        best = min(ways, key=lambda way: (min((sum(map(ne, way[0], want)) for want in wanted), default=0), way[1]))
        sides[p], pending[p] = sides[p]._replace(gems=best[0]), 0
    return table._replace(sides=(sides[0], sides[1]), pending=(pending[0], pending[1]))


def _wanted(line: Gems, seen: Gems, lost: int) -> list[Gems]:
    """What the line may have become: a part of what is `seen`, at whose ends later turns laid more."""
    n = len(line)
    wanted = [seen[i : i + n] for i in range(len(seen) - n + 1)]
    if lost or len(seen) < n:  # one was taken by a later turn, or read as gold
        rests = [seen[i : i + n - 1] for i in range(len(seen) - n + 2)]
        wanted += [(*rest[:i], ANY_GEM, *rest[i:]) for rest in rests for i in range(n)]
    return wanted


@lru_cache(maxsize=10_000)
def _swaps(line: Gems, seen: Gems, most: int, misread: int, lost: int) -> tuple[tuple[Gems, int], ...]:
    """The lines after some swaps which are nearer to what is `seen`; many turns lead to the same line."""
    reached = {line}
    return tuple(
        one
        for want in _wanted(line, seen, lost)
        for one in _swapped_to(line, want, most, misread + want.count(ANY_GEM), reached)
    )


def _swapped_to(line: Gems, want: Gems, most: int, misread: int, reached: set[Gems]) -> Iterator[tuple[Gems, int]]:
    """The lines after some swaps of neighbors that were not reached before, on the way to one that is seen."""
    rim = [line]
    for n in range(most + 1):
        odd = 2 * (most - n) + misread
        rim = [one for one in rim if sum(map(ne, one, want)) <= odd]  # a swap puts two gems right at most
        if n == most:
            return
        following = []
        for one in rim:
            for i in range(len(one) - 1):
                if one[i] != one[i + 1] and (one[i] != want[i] or one[i + 1] != want[i + 1]):
                    other = (*one[:i], one[i + 1], one[i], *one[i + 2 :])
                    if other not in reached:
                        reached.add(other)
                        following.append(other)
                        yield other, n + 1
        rim = following
