"""Read one turn of Splendor off what changed before a player, with what remains to be done."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations, product
from operator import ge
from typing import Any, Final, NamedTuple

from referee.splendor.tables import (
    GOLD,
    NO_TOKENS,
    Card,
    Counts,
    Side,
    Table,
    bonuses,
    by_color,
    minus,
    more,
    one_by_one,
    plus,
    without,
    written,
)

TEN: Final = 10
KEPT: Final = 3
PAIR_NEEDS: Final = 4
"""So many of a color lie there before two of it may be taken (S4)."""
NEARLY: Final = 2
"""So many tokens more or less than the price are a mistake in paying it."""
ORDER: Final = ("S10", "S3", "S4", "S5", "S6", "S2", "S7", "S8", "S9")
"""The weightiest breach first."""


class Act(NamedTuple):
    """What a player did. `soft`: what is owed may be left out without a breach. `left`: what left the market.

    `plain`: no card that no look showed has to have come for it.
    """

    move: str
    fields: dict[str, Any]
    breaks: tuple[str, ...]
    owed: tuple[tuple[str, str], ...]
    soft: bool
    side: Side
    left: Card | None
    same: Any
    plain: bool = True


def vector(*colors: int) -> Counts:
    """One token of each of these colors."""
    return tuple([colors.count(i) for i in range(6)])


@lru_cache(maxsize=4096)
def takes(supply: Counts) -> tuple[tuple[Counts, bool], ...]:
    """The tokens that a turn may take (S4), and whether more could have been taken."""
    colors = [i for i in range(5) if supply[i]]
    most = min(len(colors), 3)
    found = [(vector(*some), False) for some in combinations(colors, 3)]
    found += [(vector(i, i), False) for i in colors if supply[i] >= PAIR_NEEDS]
    found += [(vector(*some), n < most) for n in (2, 1) for some in combinations(colors, n)]
    return tuple(found)


def due(table: Table, p: int, side: Side) -> list[Counts]:
    """The nobles whom a player's cards meet."""
    have = bonuses(side)
    return [noble for noble in table.nobles if all(map(ge, have, noble))]


def price(card: Card, side: Side) -> Counts:
    """What a card costs a player, before gold."""
    have = bonuses(side)
    return (*[max(n - have[i], 0) for i, n in enumerate(card.price or (0,) * 5)], 0)


def payments(card: Card, side: Side) -> Sequence[Counts]:
    """All lawful ways to pay, those with the least gold first; none that is known where the price is not."""
    return _payments(price(card, side), side.tokens) if card.price else ()


@lru_cache(maxsize=4096)
def _payments(need: Counts, tokens: Counts) -> Sequence[Counts]:
    whole, spare = sum(need), tokens[GOLD]
    ways = []
    for some in product(*[range(min(n, m) + 1) for n, m in zip(need[:5], tokens, strict=False)]):
        gold = whole - sum(some)
        if gold <= spare:
            ways.append((gold, (*some, gold)))
    return [way for _, way in sorted(ways)]


def act(table: Table, p: int, after: Side) -> Act | None:
    """What a player did in one turn, None where nothing."""
    before = table.sides[p]
    new = more(after.cards, before.cards)
    kept = len(after.kept) - len(before.kept)
    nobles = more(after.nobles, before.nobles)
    change = minus(after.tokens, before.tokens)
    if not new and not kept and not nobles and change == NO_TOKENS:
        return None
    if len(new) == 1 and kept <= 0:
        done = _bought(table, p, after, new[0], kept, change)
    elif not new and kept == -1:
        done = _taken_up(after, change)
    elif not new and kept == 1:
        done = _kept(table, p, after, change)
    elif not new and not kept:
        done = _took(table, p, after, change)
    else:
        done = _much(table, p, after, new, change)
    return _ennobled(table, p, done, nobles)


def _took(table: Table, p: int, after: Side, change: Counts) -> Act:
    before = table.sides[p]
    now = sum(after.tokens)
    found = lawful_take(table.supply, before.tokens, change)
    known = found is None and max(change) <= 0 and _may_pay(table, p, change)
    if known or (found is None and max(change) <= 0 and _place_open(table)):
        paid = tuple(-n for n in change)
        fields = {"card": written(Card(0)), "from": "market", "paid": by_color(paid)}
        return Act("buy", fields, (), (("a card", "S5"),), False, after, None, ("buy", Card(0), paid), known)
    if found is None:
        take = tuple(max(n, 0) for n in change)
        back = tuple(max(-n, 0) for n in change)
        if change == vector(GOLD) and len(before.kept) < KEPT:
            return _tokens(table, p, after, take, back, (), (("a card to keep", "S4"),), False)
        breaks = ("S4", "S8") if now > TEN else ("S4",)
        return _tokens(table, p, after, take, back, breaks, (), False)
    take, back, short = found
    if now > TEN:
        return _tokens(table, p, after, take, back, (), (("tokens back to ten", "S8"),), False)
    return _tokens(table, p, after, take, back, (), (("tokens", "S4"),) if short else (), short)


@lru_cache(maxsize=4096)
def lawful_take(supply: Counts, tokens: Counts, change: Counts) -> tuple[Counts, Counts, bool] | None:
    """The lawful take that changes a player's tokens so: what came, what went back, whether more could have come."""
    held = sum(tokens)
    for take, short in takes(supply):
        back = minus(take, change)
        if min(back) < 0 or not all(map(ge, plus(tokens, take), back)):
            continue
        many = sum(back)
        if many == max(held + sum(take) - TEN, 0) or (many == 0 and held + sum(change) > TEN):
            return take, back, short and not many
    return None


def _may_pay(table: Table, p: int, change: Counts) -> bool:
    """Whether tokens that went to the supply may be a part of some card's price."""
    side = table.sides[p]
    if any(not card.price for card in (*table.market, *side.kept)):
        return True
    gave = minus(NO_TOKENS, change)
    return any(all(map(ge, way, gave)) for card in (*table.market, *side.kept) for way in payments(card, side))


def _place_open(table: Table) -> bool:
    """Whether a card that no look showed may lie in the market."""
    return len({sum(card.level == level for card in table.market) for level in table.decks}) > 1


def _tokens(
    table: Table,
    p: int,
    after: Side,
    take: Counts,
    back: Counts,
    breaks: tuple[str, ...],
    owed: tuple[tuple[str, str], ...],
    soft: bool,
) -> Act:
    fields = {"what": one_by_one(take), "returned": one_by_one(back), "from": "supply"}
    return Act("tokens", fields, breaks, owed, soft, after, None, ("tokens", minus(take, back)))


def _bought(table: Table, p: int, after: Side, card: Card, kept: int, change: Counts) -> Act:
    before = table.sides[p]
    breaks: list[str] = []
    owed: tuple[tuple[str, str], ...] = ()
    source = "market"
    left: Card | None = card
    if kept < 0:
        source, left = "kept", None
        if kept < -1:
            breaks.append("S3")
    paid = tuple(max(-n, 0) for n in change)
    if max(change) > 0:
        breaks.append("S3")
    ways = payments(card, before)
    back = NO_TOKENS
    for way in ways if sum(before.tokens) > TEN and paid not in ways else ():
        more_than = minus(paid, way)
        if min(more_than) >= 0 and sum(more_than) == max(sum(before.tokens) - sum(way) - TEN, 0):
            paid, back = way, more_than  # eleven lay there from before
            break
    if card.price and paid not in ways:
        if any(all(a <= b for a, b in zip(paid, way, strict=True)) for way in ways) and not breaks:
            owed = (("the price", "S5"),)
        else:
            breaks.append("S5")
    fields = {"card": written(card), "from": source, "paid": by_color(paid)}
    if sum(back):
        fields["returned"] = one_by_one(back)
    return Act("buy", fields, tuple(breaks), owed, False, after, left, ("buy", card, paid))


def _taken_up(after: Side, change: Counts) -> Act:
    """A kept card was taken up and is not laid down as a bought one yet."""
    paid = tuple(max(-n, 0) for n in change)
    breaks = ("S3",) if max(change) > 0 else ()
    fields = {"card": written(Card(0)), "from": "kept", "paid": by_color(paid)}
    return Act("buy", fields, breaks, (("a card", "S5"),), False, after, None, ("buy", Card(0), paid))


def _kept(table: Table, p: int, after: Side, change: Counts) -> Act:
    card = after.kept[-1]
    breaks: list[str] = []
    owed: list[tuple[str, str]] = []
    gold = min(table.supply[GOLD], 1)
    if len(after.kept) > KEPT:
        breaks.append("S6")
    came = max(change[GOLD], 0)
    back = tuple(max(-n, 0) for n in change)
    held = sum(table.sides[p].tokens)
    if max(change[:5]) > 0:
        breaks.append("S3")
    if came > gold:
        breaks.append("S6")
    elif came < gold and held == TEN and not sum(back):
        back = vector(GOLD)  # the gold that came went back at once
        came = gold
    elif came < gold and not sum(back) and "S6" not in breaks:
        owed.append(("gold", "S6"))
    if sum(back) and max(held + gold - TEN, 0) not in (sum(back), sum(back) + gold - came):  # gold came and went back
        breaks.append("S8")
    if sum(after.tokens) > TEN:
        owed.append(("tokens back to ten", "S8"))
    if sum(back) and came < gold:
        back, came = plus(back, vector(*[GOLD] * (gold - came))), gold
    left = card if card.bonus >= 0 and card in table.market else None
    fields = {
        "card": written(card),
        "gold": came,
        "returned": one_by_one(back),
        "from": "market" if left is not None else "deck",
    }
    return Act("keep", fields, tuple(breaks), tuple(owed), False, after, left, ("keep", card))


def _much(table: Table, p: int, after: Side, new: list[Card], change: Counts) -> Act:
    """More than one action."""
    card = new[0] if new else after.kept[-1] if after.kept else Card(0)
    paid = tuple(max(-n, 0) for n in change)
    fields = {"card": written(card), "from": "market", "paid": by_color(paid)}
    left = card if card in table.market else None
    return Act("buy" if new else "keep", fields, ("S3",), (), False, after, left, ("buy", card, paid))


def _ennobled(table: Table, p: int, done: Act, nobles: list[Counts]) -> Act:
    """S9: the noble that came, or that is due."""
    meeting = due(table, p, done.side)
    breaks, owed, fields = list(done.breaks), list(done.owed), done.fields
    if nobles:
        fields = {**fields, "noble": by_color(nobles[0], ("white", "blue", "green", "red", "black"))}
        if len(nobles) > 1 or nobles[0] not in meeting:
            breaks.append("S9")
    elif any((p, noble) not in table.due for noble in meeting):
        owed.append(("a noble", "S9"))
    return done._replace(fields=fields, breaks=tuple(sorted(set(breaks), key=ORDER.index)), owed=tuple(owed))


def choices(table: Table, p: int) -> Iterator[Side]:
    """What may lie before a player after a legal turn: cards bought, tokens taken, a card kept."""
    side = table.sides[p]
    for card in (*table.market, *(card for card in side.kept if card.bonus >= 0)):
        for paid in payments(card, side):
            kept = side.kept if card in table.market else without(side.kept, card)
            after = Side(minus(side.tokens, paid), (*side.cards, card), kept, side.nobles)
            yield after._replace(nobles=(*side.nobles, *due(table, p, after)[:1]))
            break
    for take, short in takes(table.supply):
        if not short:
            yield side._replace(tokens=plus(side.tokens, take))
    gold = vector(*[GOLD] * min(table.supply[GOLD], 1))
    for card in table.market if len(side.kept) < KEPT else ():
        yield side._replace(tokens=plus(side.tokens, gold), kept=(*side.kept, card))


def first_halves(table: Table, p: int, after: Side) -> Iterator[Side]:
    """Where a player moved twice between two looks: what may lie before them after the first turn."""
    before = table.sides[p]
    bought: list[Card] = more(after.cards, before.cards)
    for card in dict.fromkeys(bought):
        kept = before.kept if card in table.market else taken_up(before.kept, card)
        for paid in payments(card, before):
            half = Side(minus(before.tokens, paid), (*before.cards, card), kept, before.nobles)
            came = [noble for noble in due(table, p, half) if noble in after.nobles]
            yield half._replace(nobles=tuple(sorted((*half.nobles, *came[:1]))))
        for other in more(after.cards, (*before.cards, card)):  # the second one was paid rightly, this one perhaps not
            half = Side(before.tokens, (*before.cards, card), kept, before.nobles)
            for paid in payments(other, half._replace(tokens=plus(after.tokens, price(other, half)))):
                yield half._replace(tokens=plus(after.tokens, paid))
    gold = vector(*[GOLD] * min(table.supply[GOLD], 1))
    for card in more(after.kept, before.kept)[:1] or [one for one in bought if one in table.market]:
        for tokens in _ten(plus(before.tokens, gold), after.tokens):
            yield before._replace(tokens=tokens, kept=(*before.kept, card))
    for take, short in takes(table.supply):
        for tokens in () if short else _ten(plus(before.tokens, take), after.tokens):
            yield before._replace(tokens=tokens)


def taken_up(kept: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    """The kept cards without one that was bought; where its face was not known, without a back of its level."""
    backs = [one for one in kept if one.bonus < 0 and one.level in (card.level, 0)]
    return without(kept, card if card in kept or not backs else backs[0])


def may_end(supply: Counts, half: Side, end: Side, wrong: bool) -> bool:
    """Whether a turn may lead to this, as far as tokens tell; `wrong`: a price paid nearly or in part will do."""
    change = minus(end.tokens, half.tokens)
    if len(half.cards) == len(end.cards) and half.kept == end.kept:
        return (wrong and max(change) <= 0) or lawful_take(supply, half.tokens, change) is not None
    if max(change[:GOLD]) > 0:
        return False  # who takes up a card gets no tokens
    new = more(end.cards, half.cards)
    if len(new) != 1 or not new[0].price or sum(half.tokens) > TEN:
        return True
    paid, ways = minus(NO_TOKENS, change), payments(new[0], half)
    return paid in ways or (wrong and any(_nearly(minus(way, paid)) for way in ways))


def _nearly(less: Counts) -> bool:
    return min(less) >= 0 or sum(map(abs, less)) <= NEARLY


def _ten(tokens: Counts, after: Counts) -> Iterator[Counts]:
    """Ten tokens at most: what is too many was given back, of colors of which fewer lie there in the end."""
    fewer = [i for i, n in enumerate(tokens) for _ in range(n - after[i])]
    for back in dict.fromkeys(combinations(fewer, max(sum(tokens) - TEN, 0))):
        yield minus(tokens, vector(*back))


def end_of_turn(table: Table, p: int, done: Act) -> Table:
    """The table after the turn, before the market is filled."""
    sides = tuple(done.side if i == p else side for i, side in enumerate(table.sides))
    market = without(table.market, done.left) if done.left is not None else table.market
    gone = more(done.side.nobles, table.sides[p].nobles)
    nobles = tuple(noble for noble in table.nobles if noble not in gone)
    supply = minus(table.supply, minus(done.side.tokens, table.sides[p].tokens))
    told = table.due | {(p, noble) for noble in due(table, p, done.side)}
    first = p if table.first is None else table.first
    anybody = table.last is None and any(table.turns)  # whose turn it was shows who has had one in this round
    had = {(first + i) % len(sides) for i in range((p - first) % len(sides))} if anybody else ()
    turns = tuple(n + (i == p or i in had) for i, n in enumerate(table.turns))
    return table._replace(
        supply=supply, market=market, nobles=nobles, sides=sides, due=told, turns=turns, first=first, last=p
    )
