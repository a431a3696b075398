"""Find the turns of Twelve Seekers that break a rule, from what lies there: they cannot be listed."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, permutations, product
from typing import Any, Final

from referee.looks import FURTHER, NEVER, PARTLY, SLIP, Fix, Look
from referee.turns import Explanation, Owed, Turn
from referee.twelve_seekers.game import Attempt, SeekersGame
from referee.twelve_seekers.plans import (
    BOTH_ENDS,
    GIVES,
    PENDING,
    STEALS,
    SWAPS,
    TAKES,
    Done,
    Goal,
    fewest,
    held,
    lay,
    more,
    paid,
    settled,
    swapped_lines,
    turns,
    without,
)
from referee.twelve_seekers.tables import (
    ANY_CARD,
    BOX,
    DISCARD_RULES,
    GOLD,
    NAMES,
    NO_GEMS,
    SWAP_RULE,
    Card,
    Gems,
    Kind,
    Reading,
    Side,
    Table,
    all_cards_fit,
    power,
    sort_key,
)

MOST_FLIPS: Final = 2
"""So many wrong readings are looked for beside a breach."""
MOST_REPAIRS: Final = 24
"""Ways to read a look again that are kept."""
NEAREST: Final = 3
MOST_NEAREST: Final = 4000
"""Steps in which the nearest legal moves are looked for."""
MOST_BEFORE: Final = 2
"""So many lawful turns may come before a breach in one look."""
STEPS_BEFORE: Final = 10_000
"""Steps of the search for the lawful turns before a breach."""
ODD: Final = 0.3
"""One piece that did not move as the turn moves it."""
MUCH: Final = 2.0
"""A second and each further one; one that went the way that no seeker of this kind sends it is a slip of its own."""
BY_EFFECT: Final = 0.6
"""What the seeker's effect may have become is known better from the effect itself."""
BEGUN_AGAIN: Final = 6.0
"""The same player has begun the next turn, and that may as well be a part of the last one."""
MOST_ALSO: Final = 5
"""More gems that change their owner beside a take are no breach: the table was changed."""
UNLIKELY: Final = 3.0
"""A change that no card goes with."""


def adopted(search: Attempt, flips: Sequence[tuple[Fix, Any]] = (), aside: bool = False) -> Table:
    """The table as the look shows it, after some pieces were read again. `aside`: what was read as gold and is none
    lies in the invalid place.
    """
    read, table = search.read, search.table
    row = list(read.row or ())
    sides = []
    new = search.new_cards()
    by_place = {fix.at: gem for fix, gem in flips}
    for at, gem in by_place.items():
        if at.startswith("/dungeon/"):
            row[int(at.rsplit("/", 1)[1])] = gem
    for i, side in enumerate(table.sides):
        shown = read.sides[i]
        gems, invalid, gold = side.gems, side.invalid, side.gold
        if shown is not None:
            gems = shown.gems if shown.gems is not None else gems
            invalid = shown.invalid if shown.invalid is not None else invalid
            gold = shown.gold if shown.gold is not None else gold
            for at, gem in by_place.items():
                if at.startswith(shown.at + "/"):
                    gems, invalid, gold = _flipped(gems, invalid, gold, at, gem, search.rules.kind, aside)
        sides.append(Side(gems, invalid, gold, (*side.stack, *new[i]), side.bonuses))
    field = table.field if read.field is None else tuple(sorted(read.field, key=sort_key))
    return table._replace(row=tuple(row), sides=(sides[0], sides[1]), field=field, thrown=read.thrown or table.thrown)


def _flipped(
    gems: Gems, invalid: Gems, gold: int, at: str, gem: int, kind: Kind, aside: bool
) -> tuple[Gems, Gems, int]:
    parts = at.split("/")
    if parts[3] == "gold" and aside:
        return gems, more(invalid, gem), gold - 1
    if kind == "line" and parts[3] == "line":
        i = int(parts[4])
        if gem == GOLD:
            return (*gems[:i], *gems[i + 1 :]), invalid, gold + 1
        return (*gems[:i], gem, *gems[i + 1 :]), invalid, gold
    counts = list(invalid if parts[3] == "invalid" else gems)
    if parts[3] == "gold":
        gold -= 1
    else:
        counts[NAMES.index(parts[4])] -= 1
    if gem == GOLD:
        gold += 1
    elif kind != "line":
        counts[gem] += 1
    return (tuple(counts), invalid, gold) if parts[3] != "invalid" else (gems, tuple(counts), gold)


def explain(search: Attempt) -> None:
    """Add the breaches that the look may show, each with the readings that have to be corrected for it."""
    read = search.read
    if read.row is not None and not any(shown is None or shown.gems is None for shown in read.sides):
        _last(search, search.table, search.new_cards(), (), [STEPS_BEFORE])


def _last(search: Attempt, table: Table, new: list[list[Card]], so_far: tuple[Turn, ...], left: list[int]) -> None:
    """The last turn breaks a rule, those before it, `so_far` and perhaps one more, are lawful.

    `new`: the cards that came to each stack since. That of the last turn may not be taken yet. `left`: how many steps
    may still be looked at for the lawful turns.
    """
    rules, read = search.rules, search.read
    if not all(new):
        due = rules.expected(table)
        movers = [p for p in (0, 1) if new[p]] or ([0, 1] if due is None else [due])
        for p in movers:
            for price, flips in repairs(search):
                fixes, cost = tuple(fix for fix, _ in flips), price + rules.one_more * len(so_far)
                no_gold = rules.kind == "valid" and any(fix.at.endswith("/gold") for fix in fixes)
                for aside in (False, True) if no_gold else (False,):
                    _judge(search, table, p, new[p], adopted(search, flips, aside), cost, fixes, so_far)
    for p, card, rest in _taken_before(search, table, new) if len(so_far) < MOST_BEFORE else ():
        goal = Goal(search.look, read, rules.kind, rules.rule, p, False, False, False, (), 1, left, begun=True)
        last = not rest[p] and (any(rest) or rules.expected(rules.after(table, p, (card,))) == 1 - p)
        after = set[Any]()
        for done in turns(goal, table.row, table.sides[p], table.sides[1 - p], card, rules.colors(table, read, p)):
            key = (done.row, done.mine, done.theirs, done.thrown)
            if done.owed is not None or key in after:
                continue
            after.add(key)
            turn = rules.make(table, p, (card,), done, ())
            if last:
                turn = turn._replace(table=settled(turn.table, search.look, read, (p,)))
                if not _nearly(search, p, turn.table.sides[p]):
                    continue
            _last(search, turn.table, rest, (*so_far, turn), left)


def _taken_before(search: Attempt, table: Table, new: list[list[Card]]) -> Iterator[tuple[int, Card, list[list[Card]]]]:
    """Who may lawfully have taken which card first, and the cards that come after: any, where none are in sight."""
    rules, row = search.rules, search.read.row
    due = rules.expected(table)
    for p in (0, 1):
        if rules.cards_seen:
            if new[p] and not rules.before(table, p, new[p][:1]) and new[p][0] in table.field:
                yield p, new[p][0], [cards[i == p :] for i, cards in enumerate(new)]
        elif due in (p, None) and row is not None and search.best > SLIP + rules.one_more:
            yield from ((p, n, new) for n in ANY_CARD if n < len(table.row) - len(row))


def _nearly(search: Attempt, p: int, side: Side) -> bool:
    """Whether the look shows these things of a player but for one gem that the other one took or gave."""
    line = search.rules.kind == "line"
    key = ("lying", p)
    memo = search.look.memo
    if key not in memo:
        sides = [adopted(search, flips).sides[p] for _, flips in repairs(search)]
        lying = {one.gems if line else (*one.gems, *one.invalid) for one in sides}
        memo[key] = lying, {less for gems in lying for less in _one_less(gems)} if line else ()
    shown: set[Gems] = memo[key][0]
    if line:
        return side.gems in shown or side.gems in memo[key][1] or any(less in shown for less in _one_less(side.gems))
    here = (*side.gems, *side.invalid)
    return any(sum(abs(n - m) for n, m in zip(here, one, strict=True)) <= 1 for one in shown)


def _one_less(gems: Gems) -> Iterator[Gems]:
    for i in range(len(gems)):
        yield (*gems[:i], *gems[i + 1 :])


Flips = tuple[tuple[Fix, int], ...]


def repairs(search: Attempt, most: int = MOST_REPAIRS) -> list[tuple[float, Flips]]:
    """So many ways to read pieces again so that the look holds no more of a color than the box, the likeliest first."""
    thrown = search.read.thrown
    return _read_again(search, search.table.thrown if thrown is None else thrown)[:most]


def least(search: Attempt) -> float:
    """What the look costs at least, whatever happened: it holds more of a color than the box."""
    found = repairs(search) if search.read.thrown is not None else _read_again(search, NO_GEMS)
    return found[0][0] if found else 0.0


def _read_again(search: Attempt, thrown: Gems) -> list[tuple[float, Flips]]:
    key = ("repairs", thrown)
    memo = search.look.memo
    if key not in memo:
        ways = (way for way in _repaired(search, thrown) if way[0] < NEVER)
        memo[key] = sorted(ways, key=lambda one: one[0])
    found: list[tuple[float, Flips]] = memo[key]
    return found


def exchanged(search: Attempt) -> Iterator[tuple[float, Flips]]:
    """Ways to read two doubtful gems of the row again, each as what the other one was read as."""
    look, row = search.look, search.read.row or ()
    doubtful = [i for i, gem in enumerate(row) if gem < len(BOX) and look.flagged(f"/dungeon/{i}")]
    for pair in combinations(doubtful, 2):
        gems = [row[i] for i in reversed(pair)]
        fixes = [Fix(f"/dungeon/{i}", NAMES[row[i]], NAMES[is_]) for i, is_ in zip(pair, gems, strict=True)]
        if gems[0] != gems[1] and all(look.named(fix.at, fix.true) for fix in fixes):
            yield sum(look.price(*fix) for fix in fixes), tuple(zip(fixes, gems, strict=True))


def _repaired(search: Attempt, thrown: Gems) -> Iterator[tuple[float, Flips]]:
    look, pieces = search.look, list(_pieces(search.read, search.rules.kind))
    counts = [0] * 8
    for _, gem in pieces:
        counts[gem] += 1
    for gem, n in enumerate(thrown):
        counts[gem] += n
    found = list(_flips(search, pieces, counts))
    yield from found
    hidden = search.rules.rule in DISCARD_RULES and read_none(search)  # what went out of the game may be any color
    if not hidden and not any(flips for _, flips in found):
        return
    for at, was in dict.fromkeys(pieces):  # a doubtful piece may hide that another one was read wrongly
        for is_ in range(len(BOX)) if look.flagged(at) else ():
            if is_ != was and look.named(at, NAMES[is_]):
                after = counts.copy()
                after[was] -= 1
                after[is_] += 1
                price, flip = look.price(at, NAMES[was], NAMES[is_]), (Fix(at, NAMES[was], NAMES[is_]), is_)
                for cost, flips in _flips(search, pieces, after):
                    if (flips or hidden) and all(fix.at != at for fix, _ in flips):
                        yield cost + price, (*flips, flip)


def _flips(search: Attempt, pieces: list[tuple[str, int]], counts: list[int]) -> Iterator[tuple[float, Flips]]:
    look, box = search.look, (*search.rules.box, 0)
    over = [gem for gem in range(8) for _ in range(max(counts[gem] - box[gem], 0))]
    under = [gem for gem in range(7) for _ in range(max(box[gem] - counts[gem], 0))]
    if len(over) > MOST_FLIPS or len(over) > len(under):
        return
    if not over:
        yield 0.0, ()
        return
    for order in set(permutations(under, len(over))):
        choices = []
        for was, is_ in zip(over, order, strict=True):
            places = sorted({at for at, gem in pieces if gem == was})
            choices.append(
                [(look.price(at, NAMES[was], NAMES[is_]), Fix(at, NAMES[was], NAMES[is_]), is_) for at in places]
            )
        for ways in product(*choices):
            if len({fix.at for _, fix, _ in ways}) == len(ways):
                yield sum(cost for cost, _, _ in ways), tuple((fix, gem) for _, fix, gem in ways)


def _pieces(read: Reading, kind: Kind) -> Iterator[tuple[str, int]]:
    """Every gem in sight, with its pointer."""
    for i, gem in enumerate(read.row or ()):
        yield f"/dungeon/{i}", gem
    for shown in read.sides:
        if shown is None:
            continue
        if kind == "line":
            for i, gem in enumerate(shown.gems or ()):
                yield f"{shown.at}/line/{i}", gem
        else:
            for key, counts in ((kind, shown.gems), ("invalid", shown.invalid)):
                for gem, n in enumerate(counts or ()):
                    for _ in range(n):
                        yield f"{shown.at}/{key}/{NAMES[gem]}", gem
        for _ in range(shown.gold or 0):
            yield f"{shown.at}/gold", GOLD


def lost(row: Gems, rest: Gems) -> tuple[Gems, str] | None:
    """The gems that left a row, and from where; None where the rest is no part of the row in its order."""
    n = len(row) - len(rest)
    if n < 0:
        return None
    for left in range(n + 1):
        if row[left : len(row) - (n - left)] == rest:
            place = "left" if left == n else "right" if not left else "both"
            return (*row[:left], *row[len(row) - (n - left) :]), f"dungeon.{place}"
    for i in range(len(rest) + 1):  # some that lay together
        if row[:i] == rest[:i] and row[i + n :] == rest[i:]:
            return row[i : i + n], f"dungeon.{i}"
    gone, at = [], 0
    for i, gem in enumerate(row):
        if at < len(rest) and rest[at] == gem and len(row) - i >= len(rest) - at:
            at += 1
        else:
            gone.append((i, gem))
    if at < len(rest):
        return None
    return tuple(gem for _, gem in gone), f"dungeon.{gone[0][0]}" if gone else "dungeon.left"


def _judge(  # noqa: PLR0912, PLR0915 -- one rule after the other
    search: Attempt,
    table: Table,
    p: int,
    cards: Sequence[Card],
    seen: Table,
    cost: float,
    fixes: tuple[Fix, ...],
    so_far: tuple[Turn, ...],
) -> None:
    """What a turn that leads to this table breaks."""
    rules, kind = search.rules, search.rules.kind
    away = lost(table.row, seen.row)
    mine, theirs = table.sides[p], settled(table, search.look, search.read, (1 - p,)).sides[1 - p]
    mine2, theirs2 = seen.sides[p], seen.sides[1 - p]
    if away is None and not (cards and cards[0] in PENDING):
        return  # the row keeps its order
    if away is None:
        away = tuple(_spread(_more(table.row, seen.row))), "dungeon.?"
    what, place = away
    if not cards and (not what or rules.over(table)):
        return
    if not rules.cards_seen:
        cards = (min(len(what), max(ANY_CARD)),) if what else ()
    breaks = list(rules.before(table, p, cards)) if cards else []
    card = cards[0] if cards else None
    if not _taken_rightly(what, place, cards, table):
        breaks.append("T7")
    came = [b - a for a, b in zip(held(mine, kind), held(mine2, kind), strict=True)]
    went = [b - a for a, b in zip(held(theirs, kind), held(theirs2, kind), strict=True)]
    short = [_count(what, gem) - came[gem] - went[gem] for gem in range(7)]
    thrown: int | None = None
    if rules.rule in DISCARD_RULES and sum(n for n in short if n > 0) == 1 and min(short) == 0:
        thrown = short.index(1)
        if thrown >= len(NO_GEMS) - 1:
            return  # the rainbow and gold never go
        out = search.read.thrown
        if out is not None and out != (*table.thrown[:thrown], table.thrown[thrown] + 1, *table.thrown[thrown + 1 :]):
            return  # it does not lie there
    if (any(short) and thrown is None) or sum(map(abs, went)) > MOST_ALSO:
        return  # something is out of sight or came from nowhere, or the table was changed
    effect = card in PENDING
    also: list[dict[str, str]] = []
    if any(went) or not _same_zone(theirs, theirs2):
        breaks.append("T14" if effect else "T11")
        for gem in range(7):
            for _ in range(-went[gem]):
                also.append({"what": NAMES[gem], "from": rules.names[1 - p], "to": rules.names[p]})
            for _ in range(went[gem]):
                also.append({"what": NAMES[gem], "from": rules.names[p], "to": rules.names[1 - p]})
    before_throw = mine2
    if thrown is not None:
        gems = mine2.gems
        before_throw = mine2._replace(gems=(*gems[:thrown], gems[thrown] + 1, *gems[thrown + 1 :]))
        if thrown not in fewest(before_throw.gems):
            breaks.append("T12")
    stolen, given = _spread({gem: -n for gem, n in enumerate(went)}), _spread(dict(enumerate(went)))
    placed = any(
        _same_zone(one, other)
        for color in search.colors(table, p, 1)
        for side, _ in lay(mine, what, kind, color)
        for one in _less(side, given, kind)
        for other in _less(before_throw, stolen, kind)
    )
    if effect and not any(went) and "T14" not in breaks and ("T7" not in breaks or card in GIVES):
        breaks.append("T14")
    elif kind == "line" and not placed:
        kept = tuple(_spread(dict(enumerate(came)))) if any(went) else what
        breaks += _line_breaks(search, table, p, card, kept, mine2)
    elif kind == "valid" and not placed:
        breaks.append("T11" if _older_moved(mine, mine2) else "T10")
    breaks = sorted(set(breaks), key=_weight)
    owed: tuple[Owed, ...] = ()
    if not cards:
        owed = (Owed(rules.names[p], "a seeker", "T4"),)
    elif rules.rule in DISCARD_RULES and thrown is None and fewest(mine2.gems):
        owed = (Owed(rules.names[p], "a gem out of the game", "T12"),)
    elif len(what) < TAKES.get(cards[0], 0) and len(breaks) > 1 and "T7" in breaks:
        owed = (Owed(rules.names[p], "gems", "T7"),)
    partly = len(breaks) - (owed[0].rule == "T7") if owed and not search.stands else 0
    if owed and owed[0].rule == "T12" and "T12" not in breaks:
        breaks = sorted([*breaks, "T12"], key=_weight)
    if not breaks:
        return
    told = breaks if cards or not rules.cards_seen else sorted({*breaks, "T4"}, key=_weight)
    reach = max((TAKES.get(one, 0) for one in rules.field(table)), default=0)
    odd_take = breaks != ["T7"] or reach >= len(what) if not cards else not what and bool(table.row)
    unlikely = UNLIKELY if odd_take else 0.0
    stack = (*mine.stack, *cards)
    info: dict[str, Any] = {"what": what, "from": place, "to": _where(kind, mine, mine2, what)}
    if thrown is not None:
        info["thrown"] = [NAMES[thrown]]
    if also:
        info["also"] = also
    after = mine2._replace(stack=stack, bonuses=mine.bonuses)
    done = Done(seen.row, after, theirs2._replace(stack=theirs.stack, bonuses=theirs.bonuses), thrown, info)
    if len(cards) == 1:
        done = paid(done, what, cards[0], held(mine, kind))
    turn = rules.make(table, p, cards, done, tuple(told))
    cards_fit = all_cards_fit(search.look, search.read, turn.table)
    fixes = (*fixes, *cards_fit.fixes)
    gave = sum(one["from"] == rules.names[p] for one in also)
    against = 0 if card in GIVES else gave
    over = len(what) - TAKES.get(cards[0], 0) if len(cards) == 1 else 0
    if effect and card not in STEALS:
        against += len(also) - gave
    odd = (
        cost
        + cards_fit.cost
        + (BY_EFFECT if effect else 0.0)
        + ODD * len(also)
        + MUCH * max(len(also) - 1, 0)
        + SLIP * against
        + ODD * (max(abs(over) - 1, 0) if "T7" in breaks else 0)
        + UNLIKELY * (bool(so_far) and 0 < over == len(so_far[-1].fields.get("returned", ())))  # none was
    )
    price = SLIP + FURTHER * (len(told) - 1)
    bare = UNLIKELY * (told is not breaks)  # a gem without a card is sooner a part of a turn
    search.add(Explanation(odd + unlikely + bare + price, (*so_far, turn), fixes))
    begun = odd_take and breaks == ["T7"] and place in ("dungeon.left", "dungeon.right")  # a lawful part of a turn
    if partly and (cards or not begun):
        odd += begun_again(so_far, rules.names[p], card, len(what), "T5" not in breaks)
        price = SLIP + FURTHER * (partly - 1)
        search.add(Explanation(odd + price + PARTLY, so_far, fixes, owed, True, None, None, price))


def begun_again(so_far: tuple[Turn, ...], who: str, card: Card | None, n: int, in_turn: bool = True) -> float:
    """What it costs that a player who has had a turn since the last look has taken a card, or so many gems, of the next
    one: sooner that one took two cards, or a gem too many, or what went back to the row never did.
    """
    had = next((turn for turn in reversed(so_far) if turn.who == who), None)
    if had is None:
        return 0.0
    again = (n == 1 and card is None) or (n == 0 and not in_turn)
    return BEGUN_AGAIN * (again or 0 < n == len(had.fields.get("returned", ())))


def _less(side: Side, gems: Sequence[int], kind: Kind) -> list[Side]:
    """The player's things without these gems, wherever each of them lay."""
    sides = [side]
    for gem in gems:
        sides = list(dict.fromkeys(less for one in sides for less in without(one, kind, gem)))
    return sides


def read_none(search: Attempt) -> bool:
    """Whether the gems out of the game are out of sight."""
    return search.read.thrown is None


def _weight(rule: str) -> int:
    return int(rule[1:])


def _taken_rightly(what: Gems, place: str, cards: Sequence[Card], table: Table) -> bool:
    """Whether the row lost what one of the cards takes (T7)."""
    for card in cards:
        n = min(TAKES.get(card, 0), len(table.row))
        if card in BOTH_ENDS:
            if place == "dungeon.both" and len(what) == n:
                return True
        elif len(what) == n and (place in ("dungeon.left", "dungeon.right") or card == "anywhere"):
            return True
    total_ = sum(TAKES.get(card, 0) for card in cards)
    return len(cards) > 1 and len(what) == total_ and place in ("dungeon.left", "dungeon.right")


def _line_breaks(search: Attempt, table: Table, p: int, card: Card | None, what: Gems, mine2: Side) -> list[str]:
    """T9, T11, T13: the line is not the old one with the new gems at one end."""
    mine = table.sides[p]
    if any(_same_zone(side, mine2) for side, _ in lay(mine, what, "line", None)):
        return []
    if search.rules.rule == SWAP_RULE and card is not None:
        goal = Goal(search.look, search.read, "line", SWAP_RULE, p, True, True, True, (), 0, search.left)
        for side, _ in lay(mine, what, "line", None):
            for line, n in swapped_lines(side.gems, table.pending[p] + 3, goal):
                if line == mine2.gems:
                    return ["T13"] if n > table.pending[p] + SWAPS.get(power(card), 0) else []
    at = 0
    for gem in mine2.gems:
        if at < len(mine.gems) and mine.gems[at] == gem:
            at += 1
    return ["T9"] if at == len(mine.gems) else ["T11"]


def _older_moved(mine: Side, after: Side) -> bool:
    """Whether a gem that lay before the mover left its place."""
    before, now = (*mine.gems, *mine.invalid), (*after.gems, *after.invalid)
    return any(a < b for a, b in zip(now, before, strict=True))


def _same_zone(one: Side, other: Side) -> bool:
    return one.gems == other.gems and one.invalid == other.invalid and one.gold == other.gold


def _where(kind: Kind, mine: Side, after: Side, what: Gems) -> Any:
    """Where the gems came to lie."""
    if kind == "line":
        n, line = len(mine.gems), after.gems
        gems = tuple(gem for gem in what if gem != GOLD)
        for end, old, came in (("right", line[:n], line[n:]), ("left", line[len(line) - n :], line[: len(line) - n])):
            if old == mine.gems:
                return {"end": end, "turned": came != gems if came in (gems, gems[::-1]) else "?"}
        return {"end": "?", "turned": "?"}
    if kind == "valid":
        return {
            key: [NAMES[gem] for gem in range(6) for _ in range(max(b[gem] - a[gem], 0))]
            for key, a, b in (("valid", mine.gems, after.gems), ("invalid", mine.invalid, after.invalid))
        }
    return None


def _count(gems: Gems, gem: int) -> int:
    return gems.count(gem)


def _more(one: Gems, other: Gems) -> dict[int, int]:
    """How many more of each gem there are in one than in the other."""
    return {gem: max(one.count(gem) - other.count(gem), 0) for gem in range(len(NAMES))}


def _spread(counts: dict[int, int]) -> list[int]:
    return [gem for gem, n in counts.items() for _ in range(max(n, 0))]


def distance(one: Table, other: Table, kind: Kind) -> int:
    """How many pieces lie otherwise."""
    n = _row_distance(one.row, other.row)
    for a, b in zip(one.sides, other.sides, strict=True):
        n += _row_distance(a.gems, b.gems) if kind == "line" else _bag_distance(a.gems, b.gems)
        n += _bag_distance(a.invalid, b.invalid) + abs(a.gold - b.gold)
        n += len(set(a.stack) ^ set(b.stack)) if len(a.stack) == len(b.stack) else abs(len(a.stack) - len(b.stack))
    return max((n + 1) // 2, 1)


def _row_distance(one: Gems, other: Gems) -> int:
    """Pieces that are only in one of two rows, apart from what both begin and end with."""
    least = min(len(one), len(other))
    head = 0
    while head < least and one[head] == other[head]:
        head += 1
    tail = 0
    while tail < least - head and one[-1 - tail] == other[-1 - tail]:
        tail += 1
    return len(one) + len(other) - 2 * (head + tail)


def _bag_distance(one: Gems, other: Gems) -> int:
    return sum(abs(a - b) for a, b in zip(one, other, strict=True))


def changed(one: Table, other: Table, kind: Kind) -> list[str]:
    """The gems that came from one place to another between two tables, each once, by name."""
    gone, came = Counter[int](), Counter[int]()
    for was, now in zip(_places(one, kind), _places(other, kind), strict=True):
        gone += was - now
        came += now - was
    return [NAMES[gem] for gem in sorted((gone | came).elements())]


def _places(table: Table, kind: Kind) -> Iterator[Counter[int]]:
    """What lies in the row, and before each player."""
    yield Counter(table.row)
    for side in table.sides:
        gems = Counter(side.gems) if kind == "line" else Counter(dict(enumerate(side.gems)))
        yield gems + Counter({GOLD: side.gold})


def lawful(rules: SeekersGame, before: Table, p: int, cards: Sequence[Card]) -> Iterator[Turn]:
    """The legal turns of a player with these cards, without rule 18's swaps."""
    for card in dict.fromkeys(cards):
        if rules.before(before, p, (card,)):
            continue
        rule = 0 if rules.rule == SWAP_RULE else rules.rule
        goal = Goal(_NO_LOOK, _NOTHING, rules.kind, rule, p, False, False, False, (), 0, [MOST_NEAREST], begun=True)
        for done in turns(
            goal, before.row, before.sides[p], before.sides[1 - p], card, rules.colors(before, _NOTHING, p)
        ):
            if done.owed is None:
                yield rules.make(before, p, (card,), done, ())


def swapped(turn: Turn, p: int, card: Card) -> Iterator[Turn]:
    """The turn with each of rule 18's swaps after it (T13), each line once."""
    table, start = turn.table, turn.table.sides[p].gems
    reached, rim = {start}, [start]
    for n in range(1, SWAPS.get(power(card), 0) + 1):
        rim = list(dict.fromkeys(new for line in rim for new in _neighbors_swapped(line) if new not in reached))
        reached.update(rim)
        for line in rim:
            sides = tuple(side._replace(gems=line) if i == p else side for i, side in enumerate(table.sides))
            yield turn._replace(fields={**turn.fields, "swaps": n}, table=table._replace(sides=sides))


def _neighbors_swapped(line: Gems) -> Iterator[Gems]:
    for i in range(len(line) - 1):
        yield (*line[:i], line[i + 1], line[i], *line[i + 2 :])


def nearest(rules: SeekersGame, before: Table, turn: Turn) -> list[dict[str, Any]]:
    """The legal moves that would have changed the fewest pieces."""
    p = rules.names.index(turn.who) if turn.who in rules.names else 0
    due = rules.expected(before)
    p = p if due is None else due
    cards = [card for card in rules.field(before) if not isinstance(card, str)]
    found = [
        (distance(legal.table, turn.table, rules.kind), i, legal)
        for i, legal in enumerate(lawful(rules, before, p, cards))
    ]
    found.sort(key=lambda one: one[:2])
    lines: list[dict[str, Any]] = []
    for differs, _, legal in found[: 4 * NEAREST]:
        line = {"who": legal.who, "move": legal.move, **legal.fields, "differs": differs}
        if line not in lines and len(lines) < NEAREST:
            lines.append(line)
    return lines


_NO_LOOK: Final = Look(-1, {"state": {}})
_NOTHING: Final = Reading(None, None, (None, None), None, None, {})
