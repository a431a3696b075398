"""The table of Splendor between two turns, how a look reads it, and how it is written down.

Tokens are counted by color, gold last; cards and nobles are values that compare by what is printed on them.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, permutations, product
from operator import add, sub
from typing import Any, Final, NamedTuple

from referee.looks import UNKNOWN, Fix, Look, list_at, player_rows
from scoring.errors import StateError
from scoring.splendor import COLORS, TOKENS

GOLD: Final = 5
LAID_OUT: Final = {2: 4, 3: 5, 4: 7}
"""Tokens of each color, by the number of players (S1)."""
GOLD_TOKENS: Final = 5
MOST_FLIPS: Final = 3
REPAIRS: Final = 24
"""Ways to read a look's tokens again that are kept."""

Counts = tuple[int, ...]
NO_TOKENS: Final[Counts] = (0,) * 6


class Card(NamedTuple):
    """A card's face; a card known by its back has no bonus. `level` 0: not read."""

    level: int
    price: Counts = ()
    points: int = 0
    bonus: int = -1


class Side(NamedTuple):
    """A player's things; `kept` in the order of keeping, with the faces that are known."""

    tokens: Counts
    cards: tuple[Card, ...] = ()
    kept: tuple[Card, ...] = ()
    nobles: tuple[Counts, ...] = ()


class Table(NamedTuple):
    """A table. `due` are nobles that were told to be due, `turns` those taken by each player, `first` who began.

    `last` moved last: where somebody has moved out of turn, who is next may be seen in two ways.
    """

    supply: Counts
    market: tuple[Card, ...]
    nobles: tuple[Counts, ...]
    decks: frozenset[int]
    sides: tuple[Side, ...]
    turns: tuple[int, ...]
    first: int | None = None
    due: frozenset[tuple[int, Counts]] = frozenset()
    last: int | None = None


class ReadSide(NamedTuple):
    """A player's things as read, None where they were not; `at` is the player's pointer."""

    at: str
    tokens: Counts | None
    cards: tuple[Card, ...] | None
    kept: tuple[Card, ...] | None
    nobles: tuple[Counts, ...] | None


class Reading(NamedTuple):
    """A state as read, None where something is not in it."""

    supply: Counts | None
    market: tuple[Card, ...] | None
    nobles: tuple[Counts, ...] | None
    decks: frozenset[int] | None
    sides: tuple[ReadSide | None, ...]

    @property
    def holders_seen(self) -> bool:
        """Whether the tokens of all players are in sight: what nobody has lies in the supply."""
        return all(side is not None and side.tokens is not None for side in self.sides)


class Seen(NamedTuple):
    """A look's tokens after some were read again: the cost, the readings put right, supply and players' tokens."""

    cost: float
    fixes: tuple[Fix, ...]
    supply: Counts
    tokens: tuple[Counts, ...]


def read_state(state: Mapping[str, Any], names: Sequence[str]) -> Reading:
    """Take a look's state apart. Raises StateError where it is none."""
    sides: list[ReadSide | None] = [None] * len(names)
    for p, at, row in player_rows(state, names):
        nobles = row.get("nobles")
        sides[p] = ReadSide(
            at,
            _tokens(row, "tokens", at),
            _cards(row, "cards", at),
            _cards(row, "kept", at),
            _nobles(row, "nobles", at) if isinstance(nobles, list) else None,
        )
    decks = list_at(state, "decks", "")
    return Reading(
        _tokens(state, "supply", ""),
        _cards(state, "market", ""),
        _nobles(state, "nobles_left", ""),
        None if decks is None else frozenset(level for level in decks if type(level) is int),
        tuple(sides),
    )


def _counts(value: object, at: str, words: Sequence[str]) -> Counts | None:
    if not isinstance(value, dict):
        raise StateError(at, "object", value)
    counts = [0] * len(words)
    for color, n in value.items():
        if color not in words:
            raise StateError(f"{at}/{color}", "one-of", color, {"words": tuple(words)})
        if n == UNKNOWN:
            return None
        if type(n) is not int or n < 0:
            raise StateError(f"{at}/{color}", "number", n, {"least": 0})
        counts[words.index(color)] = n
    return tuple(counts)


def _tokens(fields: Mapping[str, Any], key: str, at: str) -> Counts | None:
    value = fields.get(key, UNKNOWN)
    return None if value == UNKNOWN or value is None else _counts(value, f"{at}/{key}", TOKENS)


def _nobles(fields: Mapping[str, Any], key: str, at: str) -> tuple[Counts, ...] | None:
    value = list_at(fields, key, at)
    if value is None:
        return None
    found = [_counts(one, f"{at}/{key}/{i}", COLORS) for i, one in enumerate(value) if one != UNKNOWN]
    return tuple(sorted(one for one in found if one is not None))


def _cards(fields: Mapping[str, Any], key: str, at: str) -> tuple[Card, ...] | None:
    value = list_at(fields, key, at)
    return None if value is None else tuple([_card(one, f"{at}/{key}/{i}") for i, one in enumerate(value)])


def _card(value: object, at: str) -> Card:
    if value == UNKNOWN:
        return Card(0)
    if not isinstance(value, dict):
        raise StateError(at, "object", value)
    level, points, bonus, price = (value.get(key, UNKNOWN) for key in ("level", "points", "bonus", "price"))
    if bonus != UNKNOWN and bonus not in COLORS:
        raise StateError(f"{at}/bonus", "one-of", bonus, {"words": COLORS})
    return Card(
        level if type(level) is int else 0,
        () if price == UNKNOWN else _counts(price, f"{at}/price", COLORS) or (),
        points if type(points) is int else 0,
        -1 if bonus == UNKNOWN else COLORS.index(bonus),
    )


def written(card: Card) -> dict[str, Any]:
    """A card as the state writes it."""
    if card.bonus < 0:
        return {"level": card.level or UNKNOWN}
    face = {"price": by_color(card.price, COLORS), "points": card.points, "bonus": COLORS[card.bonus]}
    return {"level": card.level or UNKNOWN, **face}


def by_color(counts: Counts, words: Sequence[str] = TOKENS) -> dict[str, int]:
    """Counts as the state writes them."""
    return {words[i]: n for i, n in enumerate(counts) if n}


def one_by_one(counts: Counts) -> list[str]:
    """Tokens, each by its color."""
    return [TOKENS[i] for i, n in enumerate(counts) for _ in range(n)]


def plus(one: Counts, other: Counts) -> Counts:
    """The sum, color by color."""
    return tuple(map(add, one, other))


def minus(one: Counts, other: Counts) -> Counts:
    """The difference, color by color."""
    return tuple(map(sub, one, other))


def bonuses(side: Side) -> Counts:
    """The bonuses of the cards bought."""
    found = [0] * 5
    for card in side.cards:
        if card.bonus >= 0:
            found[card.bonus] += 1
    return tuple(found)


def without(cards: Sequence[Card], card: Card) -> tuple[Card, ...]:
    """The cards without one."""
    rest = list(cards)
    if card in rest:
        rest.remove(card)
    return tuple(rest)


def more(now: Sequence[Any], before: Sequence[Any]) -> list[Any]:
    """What is there now beyond what was there before."""
    if now == before:
        return []
    rest = list(before)
    found = []
    for one in now:
        if one in rest:
            rest.remove(one)
        else:
            found.append(one)
    return found


def setup(players: int) -> Counts:
    """The tokens of a game."""
    return (*[LAID_OUT.get(players, LAID_OUT[4])] * 5, GOLD_TOKENS)


def seen(look: Look, read: Reading, box: Counts, before: Table | None) -> list[Seen]:
    """Ways to read the look's tokens with no more of a color than there are; what is not shown is as before."""
    zones: list[tuple[str, Counts]] = []
    hidden: list[Counts | None] = []
    supply = read.supply
    if supply is None:
        hidden.append(before.supply if before is not None else NO_TOKENS)
    else:
        hidden.append(None)
    zones.append(("/supply", supply if supply is not None else hidden[0] or NO_TOKENS))
    for i, side in enumerate(read.sides):
        known = side is not None and side.tokens is not None
        lay = before.sides[i].tokens if before is not None else NO_TOKENS
        hidden.append(None if known else lay)
        zones.append((f"{side.at}/tokens" if side else "", side.tokens if side and side.tokens is not None else lay))
    key = tuple(one for one in hidden if one is not None)
    if key not in look.memo:
        found = sorted(_repaired(look, zones, box, [one is None for one in hidden]), key=lambda one: one.cost)
        look.memo[key] = found[:REPAIRS]
    answer: list[Seen] = look.memo[key]
    return answer


Flip = tuple[int, int, int]
"""A token in a zone that was read as one color is of another."""


def _repaired(look: Look, zones: list[tuple[str, Counts]], box: Counts, shown: list[bool]) -> Iterator[Seen]:
    counts = [zone for _, zone in zones]
    total = [sum(zone[i] for zone in counts) for i in range(6)]
    in_sight = [sum(zone[i] for zone, seen_ in zip(counts, shown, strict=True) if seen_) for i in range(6)]
    alone = shown.count(False) == 1
    covered = alone and all(n <= most for n, most in zip(in_sight, box, strict=True))
    if total == list(box) or covered or look.typed:
        yield Seen(0.0, (), counts[0], tuple(counts[1:]))
        if covered and not look.typed:  # the box shows no wrong token
            odd = [
                (z, was, is_)
                for (z, (at, zone)), was in product(enumerate(zones), range(GOLD + 1))
                if shown[z] and zone[was] and look.flagged(f"{at}/{TOKENS[was]}")
                for is_ in range(GOLD + 1)
                if is_ != was and look.named(f"{at}/{TOKENS[was]}", TOKENS[is_])
            ]
            for some in (*combinations(odd, 1), *combinations(odd, 2)):
                yield from _flipped(look, zones, list(some))
        return
    if alone:
        total = in_sight  # whatever else there is lies in the place that is covered
    for flips in _flips(zones, total, box, shown):
        yield from _flipped(look, zones, flips)
    for z, (at, zone) in enumerate(zones):  # a doubtful token may hide that another one was read wrongly
        for was in range(6):
            here = f"{at}/{TOKENS[was]}"
            if zone[was] and look.flagged(here):
                for is_ in range(6):
                    if is_ != was and look.named(here, TOKENS[is_]):
                        after = [n - (i == was) + (i == is_) for i, n in enumerate(total)]
                        for flips in _flips(zones, after, box, shown):
                            yield from _flipped(look, zones, [(z, was, is_), *flips])


def _flips(zones: list[tuple[str, Counts]], total: list[int], box: Counts, shown: list[bool]) -> Iterator[list[Flip]]:
    over = [i for i in range(6) for _ in range(max(total[i] - box[i], 0))]
    under = [i for i in range(6) for _ in range(max(box[i] - total[i], 0))]
    if len(over) > len(under) or len(over) > MOST_FLIPS:
        return
    for order in set(permutations(under, len(over))):
        choices = [[z for z, (_, counts) in enumerate(zones) if counts[was] and shown[z]] for was in over]
        for places in product(*choices):
            yield list(zip(places, over, order, strict=True))


def _flipped(look: Look, zones: list[tuple[str, Counts]], flips: list[Flip]) -> Iterator[Seen]:
    counts = [list(counts) for _, counts in zones]
    cost = 0.0
    fixes = []
    for z, was, is_ in flips:
        counts[z][was] -= 1
        counts[z][is_] += 1
        at = f"{zones[z][0]}/{TOKENS[was]}"
        cost += look.price(at, TOKENS[was], TOKENS[is_])
        fixes.append(Fix(at, TOKENS[was], TOKENS[is_]))
    if all(n >= 0 for zone in counts for n in zone):
        yield Seen(cost, tuple(fixes), tuple(counts[0]), tuple(tuple(zone) for zone in counts[1:]))


def exchanged(look: Look, read: Reading, ways: Sequence[Seen], before: Table) -> Iterator[Seen]:
    """Two tokens, each read as what the other is: the box does not show that.

    Both were doubtful; or one was, and where the other lies there is more of its color than before.
    """
    ats = ["/supply", *(f"{side.at}/tokens" if side else "" for side in read.sides)]
    shown = [read.supply, *(side.tokens if side else None for side in read.sides)]
    lay = [before.supply, *(side.tokens for side in before.sides)]
    flagged, odd = [], []
    for (z, counts), i in product(enumerate(shown), range(GOLD + 1)):
        if counts is not None and counts[i] and look.flagged(f"{ats[z]}/{TOKENS[i]}"):
            flagged.append((z, i))
        elif counts is not None and counts[i] > lay[z][i]:
            odd.append((z, i))
    for way in ways[:1]:
        for (z, was), (other, is_) in (*combinations(flagged, 2), *product(flagged, odd)):
            zones = [way.supply, *way.tokens]
            if z == other or was == is_ or not zones[z][was] or not zones[other][is_]:
                continue
            here, there = f"{ats[z]}/{TOKENS[was]}", f"{ats[other]}/{TOKENS[is_]}"
            fixes = (*way.fixes, Fix(here, TOKENS[was], TOKENS[is_]), Fix(there, TOKENS[is_], TOKENS[was]))
            cost = sum(look.price(*fix) for fix in fixes[-2:])
            zones[z], zones[other] = _exchanged(zones[z], was, is_), _exchanged(zones[other], is_, was)
            yield Seen(way.cost + cost, fixes, zones[0], tuple(zones[1:]))


def chained(look: Look, read: Reading, ways: Sequence[Seen], before: Table) -> Iterator[tuple[Seen, bool]]:
    """A token that is too many was read as a color of which, elsewhere, one was read as what is missing.

    The box shows one wrong token and not which two. Both places have more of what was read than lay there before. With
    each: whether one of them then is as it was before.
    """
    ats = ["/supply", *(f"{side.at}/tokens" if side else "" for side in read.sides)]
    lay = [before.supply, *(side.tokens for side in before.sides)]
    single = {(way.fixes[0].read, way.fixes[0].true): way for way in ways if len(way.fixes) == 1}
    for (read_as, true), way in single.items():
        was, is_ = TOKENS.index(read_as), TOKENS.index(true)
        place = ats.index(way.fixes[0].at.rsplit("/", 1)[0])
        zones = [way.supply, *way.tokens]
        zones[place] = _exchanged(zones[place], is_, was)  # as it was read
        more_of = [[z for z, zone in enumerate(zones) if ats[z] and zone[i] > lay[z][i]] for i in range(GOLD + 1)]
        for link in range(GOLD + 1):
            for y, z in product(more_of[was], more_of[link]) if link not in (was, is_) else ():
                if y == z:
                    continue
                counts = list(zones)
                counts[y], counts[z] = _exchanged(zones[y], was, link), _exchanged(zones[z], link, is_)
                pairs = ((y, was, link), (z, link, is_))
                fixes = tuple(Fix(f"{ats[at]}/{TOKENS[i]}", TOKENS[i], TOKENS[j]) for at, i, j in pairs)
                cost = sum(look.price(*fix) for fix in fixes)
                same = counts[y] == lay[y] or counts[z] == lay[z]
                yield Seen(cost, fixes, counts[0], tuple(counts[1:])), same


def _exchanged(counts: Counts, less: int, one_more: int) -> Counts:
    return tuple([n - (i == less) + (i == one_more) for i, n in enumerate(counts)])


def as_state(table: Table, names: Sequence[str], over: bool) -> dict[str, Any]:
    """The table in the form of the looks."""
    state: dict[str, Any] = {
        "game": "splendor",
        "supply": {color: table.supply[i] for i, color in enumerate(TOKENS)},
        "market": [written(card) for card in table.market],
        "nobles_left": [by_color(noble, COLORS) for noble in table.nobles],
        "decks": sorted(table.decks),
        "players": [
            {
                "name": name,
                "cards": [written(card) for card in side.cards],
                "nobles": [by_color(noble, COLORS) for noble in side.nobles],
                "tokens": by_color(side.tokens),
                "kept": [written(card) for card in side.kept],
                "reserved": len(side.kept),
            }
            for name, side in zip(names, table.sides, strict=True)
        ],
    }
    return {**state, "round_over": True} if over else state
