"""Igna between two looks: treasures laid, sets opened, tokens, rests (I1 to I10 of the referee's rules).

What a single Igna card does is not in the rulebook: cards played are named, and nothing that they may have done is a
breach.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import product
from typing import Any, Final, NamedTuple

from referee.igna_search import PRICE, REST, WAITING, Search, Side, Table, Treasure, Treasures, drawn
from referee.looks import FURTHER, PARTLY, SLIP, UNKNOWN, Fit, Fix, Look
from referee.turns import Explanation, Owed, Renewal, Start, Turn, house_of
from scoring.errors import MISSING, StateError

LAST_SET: Final = 4
KEPT: Final = ("points", "house_rules")
ALL: Final = {f"{color}{n}" for color in ("red", "yellow", "green", "blue") for n in range(1, 6)}
"""The treasures; those with a bonus are known from what was read."""
ANY_SET: Final = {
    "same": ("red1", "red1", "red1"),
    "run": ("red1", "red2", "red3"),
    "mixed": ("red1", "yellow1", "green1"),
}
"""A set of each kind (I5): what it is worth does not hang on which one it is, the bonus apart."""


class Reading(NamedTuple):
    """A state as read, None where something is not in it; `ats` are the players' pointers."""

    sides: tuple[Side | None, ...]
    ats: tuple[str, ...]
    laid: Treasure | None
    treasures: Treasures | None
    played: tuple[str, ...] | None


class Igna:
    """Igna between given players."""

    amends = False
    counted = False
    together = False

    def __init__(self, header: Mapping[str, Any], look: Look) -> None:
        self.names: Sequence[str] = header["players"]
        start = header.get("start")
        self.first = self.names.index(start) if start in self.names else None
        self.house = house_of(header, {})
        self.extra: dict[str, Any] = {}
        self.offered: list[tuple[Look, Treasure] | None] = [None, None]
        """The treasure offered in the look before, and in this one."""
        self.cards: dict[tuple[int, int], list[list[tuple[Look, str, Treasure]]]] = {}
        """What every card of each player's sets was read as, look by look."""
        self.believed: dict[tuple[int, int], Treasures] = {}

    def header(self) -> dict[str, Any]:
        """What the header line says of the game."""
        start = UNKNOWN if self.first is None else self.names[self.first]
        return {"rule": None, "start": start, "order": None, "mode": None, "house": self.house}

    def read(self, look: Look) -> Reading:
        """The look's state in the game's own form. Raises StateError where it is none."""
        state = look.state
        rows = state.get("players", [])
        if not isinstance(rows, list):
            raise StateError("/players", "list", rows)
        sides: list[Side | None] = [None] * len(self.names)
        ats = [""] * len(self.names)
        for i, row in enumerate(rows):
            at = f"/players/{i}"
            if not isinstance(row, dict):
                raise StateError(at, "object", row)
            name = row.get("name")
            if name not in self.names:
                got = MISSING if name is None else name
                raise StateError(f"{at}/name", "one-of", got, {"words": tuple(self.names)})
            sets = row.get("sets", [])
            if not isinstance(sets, list):
                raise StateError(f"{at}/sets", "list", sets)
            p = self.names.index(name)
            ats[p] = at
            hand, tokens = row.get("hand_size"), row.get("tokens")
            sides[p] = Side(
                tuple(_treasures(one, f"{at}/sets/{n}") for n, one in enumerate(sets)),
                tokens if type(tokens) is int else None,
                hand if type(hand) is int else None,
                str(row.get("adventurer", UNKNOWN)),
            )
        self.extra.update({key: state[key] for key in KEPT if key in state})
        laid = state.get("laid")
        gone, played = state.get("discard_treasure"), state.get("discard_igna")
        self.offered = [self.offered[1], None if laid in (None, UNKNOWN) else (look, _treasure(laid, "/laid"))]
        return Reading(
            tuple(sides),
            tuple(ats),
            None if laid in (None, UNKNOWN) else _treasure(laid, "/laid"),
            _treasures(gone, "/discard_treasure") if isinstance(gone, list) else None,
            tuple(map(str, played)) if isinstance(played, list) else None,
        )

    def start(self, look: Look) -> Iterator[Start]:
        """What may lie there when the first look shows this."""
        read: Reading = look.read
        sides = tuple(side or Side() for side in read.sides)
        seen = ((look, read.laid),) if read.laid is not None else ()
        if None not in read.sides:
            self._see(look)
        yield Start(0.0, Table(sides, read.laid, read.treasures or (), read.played or (), 0, self.first, seen))

    def turn_of(self, table: Table) -> str | None:
        """Whose turn it is; None where the game is over, or where it is not known."""
        return None if table.mover is None or self.over(table) else self.names[table.mover]

    def over(self, table: Table) -> bool:
        """I10: somebody has four sets."""
        return any(len(side.sets) >= LAST_SET for side in table.sides)

    def explain(self, table: Table, look: Look, wide: bool) -> Iterable[Explanation]:
        """How this table may have become what the look shows."""
        full = self._in_sight(table, look)
        return _explained(self, table, look, wide, False) if full is None else list(full(wide, False))

    def finish(self, table: Table, look: Look) -> Explanation | None:
        """The part of a turn that the last look shows, as a turn that stands."""
        full = self._in_sight(table, look)
        ways = _explained(self, table, look, False, True) if full is None else full(True, True)
        return min((one for one in ways if one.turns and one.turns[0].who), key=lambda one: one.cost, default=None)

    def valid(self, cards: Treasures) -> bool:
        """I5: whether these are a set."""
        return _valid(cards)

    def _in_sight(self, table: Table, look: Look) -> Callable[[bool, bool], Iterator[Explanation]] | None:
        """The search for what happened, where tokens, hands and discard places are in sight."""
        read: Reading = look.read
        if read.treasures is None or read.played is None or None in read.sides:
            return None
        if any(None in (side.tokens, side.hand) for side in (*table.sides, *(one for one in read.sides if one))):
            return None

        def found(wide: bool, stands: bool) -> Iterator[Explanation]:
            renewal = self._see(look)
            sides = []
            for p, (lay, shown) in enumerate(zip(table.sides, read.sides, strict=True)):
                n = max(len(lay.sets), len(shown.sets) if shown else 0)
                sets = tuple(self.believed[p, i] for i in range(n))
                sides.append((shown or lay)._replace(sets=sets))
            fixes: tuple[Fix, ...] = look.memo["fixes"]
            search = Search(self, table, look, tuple(sides), wide)
            search.stands = stands
            for one in search.found():
                both = (
                    one.renewal if renewal is None else renewal if one.renewal is None else _both(renewal, one.renewal)
                )
                yield one._replace(cost=one.cost + look.least, fixes=(*fixes, *one.fixes), renewal=both)

        return found

    def _see(self, look: Look) -> Renewal | None:
        """Read the look's sets into those that lie there; what that changes of earlier looks."""
        if "seen" not in look.memo:
            before = dict(self.believed)
            for p, shown in enumerate(look.read.sides):
                for n, cards in enumerate(shown.sets):
                    lay = self.cards.setdefault((p, n), [[] for _ in cards])
                    for i, (card, read) in enumerate(zip(lay, cards, strict=False)):
                        card.append((look, f"{look.read.ats[p]}/sets/{n}/{i}", read))
                    if cards != self.believed.get((p, n)):
                        self.believed[p, n] = self._likeliest(lay)
            wrong = tuple(
                (seen, Fix(at, read, true))
                for key, lay in self.cards.items()
                for true, card in zip(self.believed[key], lay, strict=True)
                for seen, at, read in card
                if read != true
            )
            fixes = look.memo["fixes"] = tuple(fix for seen, fix in wrong if seen is look)
            look.least = sum(look.price(*fix) for fix in fixes)
            changed = {key for key, cards in before.items() if self.believed[key] != cards}
            look.memo["seen"] = None
            if changed:
                judged = frozenset(
                    (seen.number, at) for lay in self.cards.values() for card in lay for seen, at, _ in card
                )
                earlier = tuple(one for one in wrong if one[0] is not look)
                look.memo["seen"] = Renewal(lambda turn: self._again(turn, changed), earlier, judged)
        renewal: Renewal | None = look.memo["seen"]
        return renewal

    def _again(self, turn: Turn, changed: AbstractSet[tuple[int, int]]) -> Turn:
        """The turn with its sets as they are believed to be now."""
        if turn.move not in ("turn", "get"):
            return turn
        ids = turn.same[3] if turn.move == "turn" else (turn.same[3],)
        if not any((turn.same[0], n) in changed for n in ids):
            return turn
        sets = [self.believed[turn.same[0], n] for n in ids]
        said = {"sets": [list(one) for one in sets]} if turn.move == "turn" else {"set": list(sets[0])}
        breaks = tuple(rule for rule in turn.breaks if rule != "I5")
        breaks = breaks if all(map(_valid, sets)) else (*breaks, "I5")
        return turn._replace(fields={**turn.fields, **said}, breaks=breaks, legal=not breaks)

    def _likeliest(self, cards: Sequence[Sequence[tuple[Look, str, Treasure]]]) -> Treasures:
        """What the cards of a set are, as all looks show them together: a set, unless that is dearer than a slip."""

        def cost(i: int, true: Treasure) -> float:
            return sum(look.price(at, read, true) for look, at, read in cards[i] if read != true)

        ways: list[list[Treasure]] = []
        for card in cards:
            named: dict[Treasure, None] = {}
            for look, at, read in card:
                odds = look.odds.get(at)
                named |= dict.fromkeys((read, *(odds if isinstance(odds, dict) else ())))
            ways.append(list(named))
        found = [(sum(cost(i, one) for i, one in enumerate(way)), way) for way in product(*ways)]
        least, best = min(found)
        if not _valid(best):
            known = {read for lay in self.cards.values() for card in lay for *_, read in card}
            for i in range(len(best)):
                some = [(*best[:i], one, *best[i + 1 :]) for one in sorted(known | ALL)]
                found += [(least - cost(i, best[i]) + cost(i, way[i]), way) for way in some]
        return min(found, key=lambda way: way[0] + SLIP * (not _valid(way[1])))[1]

    def key(self, table: Table) -> Any:
        """Everything that lies there."""
        return table._replace(seen=(), laid_in=0)

    def alike(self, one: Turn, other: Turn) -> Turn | None:
        """Turns that differ are told apart."""
        return None

    def between(self, before: Table, turn: Turn, look: Look) -> Fit | None:
        """What was found in a look that shows a part of this turn stays."""
        return None

    def nearest(self, before: Table, turn: Turn) -> list[dict[str, Any]]:
        """Hands are hidden: what would have been lawful is not known."""
        return []

    def legal(self, table: Table) -> Iterator[Turn]:
        """What may be begun, and what a set of each kind would give; the hand itself is hidden."""
        mover = table.mover
        if mover is None or self.over(table):
            return
        side = table.sides[mover]
        lay = {"laid": UNKNOWN, "sets": [], "igna": []}
        ways: list[tuple[str, Side, dict[str, Any]]] = []
        if table.laid is None:
            ways.append(("lay", side, lay))
            if side.tokens is not None and side.tokens >= PRICE:
                ways.append(("pay", side._replace(tokens=side.tokens - PRICE), {**lay, "laid": None, "paid": PRICE}))
        for way, cards in ANY_SET.items():
            ways.append((way, side._replace(sets=(*side.sets, cards)), {**lay, "sets": [list(cards)]}))
        for way, after, fields in ways:
            yield self._way(table, mover, way, after, fields)
        for p, other in enumerate(table.sides):
            if table.laid is not None and p != mover:
                yield self._way(table, p, "get", other, {"what": [table.laid]})

    def _way(self, table: Table, p: int, way: str, after: Side, fields: dict[str, Any]) -> Turn:
        sides = (*table.sides[:p], after, *table.sides[p + 1 :])
        kind = "get" if way == "get" else "turn"
        now = table._replace(sides=sides, turns=table.turns + 1, mover=p)
        n, round_ = table.turns + 1, table.turns // len(self.names) + 1
        return Turn(self.names[p], kind, {**fields, "way": way}, (), now, (p, way), n, round_)

    def because(self, table: Table, look: Look, fix: Fix) -> tuple[list[str], list[str]]:
        """I5: a set that was opened stays as it is."""
        return ["I5"], []

    def state(self, table: Table) -> dict[str, Any]:
        """The table in the form of the looks."""
        players = []
        for name, side in zip(self.names, table.sides, strict=True):
            player: dict[str, Any] = {"name": name, "sets": [list(one) for one in side.sets]}
            if side.tokens is not None:
                player["tokens"] = side.tokens
            if side.hand is not None:
                player["hand_size"] = side.hand
            if side.adventurer != UNKNOWN:
                player["adventurer"] = side.adventurer
            players.append(player)
        state: dict[str, Any] = {"game": "igna", **self.extra, "players": players, "laid": table.laid}
        return {**state, "discard_treasure": list(table.treasures), "discard_igna": list(table.played)}


def _both(one: Renewal, other: Renewal) -> Renewal:
    def turn(before: Turn) -> Turn | None:
        now = one.turn(before)
        return None if now is None else other.turn(now)

    return Renewal(turn, (*one.wrong, *other.wrong), {*one.judged, *other.judged})


def _treasure(value: object, at: str) -> Treasure:
    """A treasure card in its short form."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict) and "color" in value and "number" in value:
        return f"{value['color']}{value['number']}{'*' if value.get('bonus') else ''}"
    raise StateError(at, "igna-card", value)


def _treasures(value: object, at: str) -> Treasures:
    if not isinstance(value, list):
        raise StateError(at, "list", value)
    return tuple(_treasure(one, f"{at}/{i}") for i, one in enumerate(value))


def _valid(cards: Treasures) -> bool:
    """I5: one color and number; one color in a row; three colors and one number."""
    if UNKNOWN in cards:
        return True
    plain = [card.rstrip("*") for card in cards]
    colors = {card.rstrip("0123456789") for card in plain}
    digits = [card[len(card.rstrip("0123456789")) :] for card in plain]
    if len(cards) != 3 or not all(digits):
        return False
    numbers = sorted(map(int, digits))
    if len(set(numbers)) == 1:
        return len(colors) in (1, 3)
    return len(colors) == 1 and numbers == list(range(numbers[0], numbers[0] + 3))


def _explained(  # noqa: PLR0912 -- sets, then who moved
    rules: Igna, table: Table, look: Look, wide: bool, stands: bool
) -> list[Explanation]:
    read: Reading = look.read
    cost = 0.0
    fixes: list[Fix] = []
    sides = []
    for p, shown in enumerate(read.sides):
        known = table.sides[p]
        if shown is None:
            sides.append(known)
            continue
        sets = []
        for n, cards in enumerate(shown.sets):
            before = known.sets[n] if n < len(known.sets) else cards
            for i, (was, is_) in enumerate(zip(cards, before, strict=False)):
                if was != is_:
                    at = f"{read.ats[p]}/sets/{n}/{i}"
                    cost += look.price(at, was, is_)
                    fixes.append(Fix(at, was, is_))
            sets.append(before)
        sets += known.sets[len(shown.sets) :]
        sides.append(shown._replace(sets=tuple(sets)))
    now = table._replace(
        sides=tuple(sides),
        laid=read.laid,
        treasures=read.treasures if read.treasures is not None else table.treasures,
        played=read.played if read.played is not None else table.played,
    )
    if now == table:
        return [Explanation(cost, (), tuple(fixes))]
    changed = [
        p for p, side in enumerate(sides) if (side.sets, side.tokens) != (table.sides[p].sets, table.sides[p].tokens)
    ]
    mover = table.mover
    if mover is None:
        mover = changed[0] if changed else None
    if mover is None:
        return [Explanation(cost + PARTLY, (), tuple(fixes), (Owed(None, "step 3", "I5"),), True, now)]
    first, table, mover = _laid_before(rules, table, now, mover)
    changed = [p for p in changed if (sides[p].sets, sides[p].tokens) != (table.sides[p].sets, table.sides[p].tokens)]
    unseen = any(side.tokens is None for side in now.sides)
    last = (mover - 1) % len(sides)
    got = _got(rules, table, now, last if unseen and table.turns else mover)
    if got is not None:
        return [_priced(cost, [*first, got], fixes)]
    if unseen and table.turns and changed == [last] and now.laid == table.laid:
        more = _turn(rules, table._replace(mover=last), now, last)  # the set of a turn that began with the last look
        return [_priced(cost, [*first, more], fixes)]
    if unseen and len(changed) == 1 and changed != [mover]:
        mover = changed[0]  # whoever rested in between, or paid, was not seen
    turn = _turn(rules, table._replace(mover=mover), now, mover)
    acting = now.played != table.played  # what an Igna card does to others' tokens is no turn of theirs
    others = [p for p in changed if p != mover and (not acting or sides[p].sets != table.sides[p].sets)]
    begun = unseen and now.laid is not None and now.laid != table.laid
    if turn.fields["sets"] or turn.fields["igna"] or turn.fields["rested"] is True or others or stands or begun:
        turns = [turn]
        for p in others:
            following = _turn(rules, turns[-1].table._replace(sides=table.sides), now, p)
            turns.append(following)
        found = [_priced(cost, [*first, *turns], fixes)]
    else:
        owed = Owed(rules.names[mover], "step 3", "I5")
        begun_now = _priced(cost + PARTLY, first, fixes)
        found = [begun_now._replace(owed=(owed,), held=True, lying=now)]
    if wide:
        found.append(Explanation(cost + WAITING, (), tuple(fixes), (), True))
    return found


def _laid_before(rules: Igna, table: Table, now: Table, mover: int) -> tuple[list[Turn], Table, int]:
    """The turns of all treasures that were laid since, but the last one; the table after them, and who is next."""
    turns: list[Turn] = []
    new = list(now.treasures[len(table.treasures) :])
    if new and new[0] == table.laid:
        table = table._replace(treasures=(*table.treasures, new.pop(0)), laid=None)
    laid = [*new, *([now.laid] if now.laid is not None and (new or now.laid != table.laid) else [])]
    for treasure in laid[:-1]:
        sides = (*table.sides[:mover], now.sides[mover], *table.sides[mover + 1 :])
        one = table._replace(sides=sides, treasures=(*table.treasures, treasure), laid=None)
        turn = _turn(rules, table, one, mover)
        if turn.breaks and now.played != table.played:
            turn = _turn(rules, table, one._replace(played=now.played), mover)
        turns.append(turn)
        table, mover = turn.table, turn.table.mover or 0
    return turns, table, mover


def _priced(cost: float, turns: list[Turn], fixes: list[Fix]) -> Explanation:
    cost += sum(SLIP + FURTHER * (len(turn.breaks) - 1) for turn in turns if turn.breaks)
    if len(turns) > 1:  # whose tokens went where is not seen: no slip is told
        turns = [turn._replace(breaks=(), legal=UNKNOWN) if turn.breaks == ("I3",) else turn for turn in turns]
    return Explanation(cost, tuple(turns), tuple(fixes))


def _drew(hand: int | None) -> list[int] | str:
    """How many treasures and Igna cards are drawn in step 1 (I2)."""
    return UNKNOWN if hand is None else [drawn(hand)] * 2


def _turn(rules: Igna, table: Table, now: Table, p: int) -> Turn:
    """A player's turn: draw, a treasure laid or three tokens paid, then sets, Igna cards, or a rest."""
    before, after = table.sides[p], now.sides[p]
    sets = [list(one) for one in after.sets[len(before.sets) :]]
    came = list((Counter(now.treasures) - Counter(table.treasures)).elements())
    laid = now.laid if now.laid != table.laid and now.laid is not None else next(iter(came), None)
    played = list((Counter(now.played) - Counter(table.played)).elements())
    seen = before.tokens is not None and after.tokens is not None
    change = (after.tokens or 0) - (before.tokens or 0) if seen else 0
    paid = PRICE if laid is None and change in (-PRICE, REST - PRICE) else 0
    rested: bool | str = change + paid == REST and not sets and not played
    if not seen and not sets and not played:
        rested = UNKNOWN
    breaks = []
    if seen and not played and (change + paid not in (0, REST) or (laid is None and not paid)):
        breaks.append("I3")
    if not all(_valid(tuple(one)) for one in sets):
        breaks.append("I5")
    if sets and not played and change + paid == REST:
        breaks.append("I6")
    if table.mover is not None and table.mover != p:
        breaks.insert(0, "I2")
    fields: dict[str, Any] = {"drew": _drew(before.hand), "laid": laid, "sets": sets, "igna": played, "rested": rested}
    if paid:
        fields["paid"] = paid
    fields["what"] = [laid] if laid else []
    n = len(rules.names)
    after_turn = now._replace(turns=table.turns + 1, mover=(p + 1) % n)
    same = (p, "turn", laid, tuple(map(tuple, sets)), rested)
    round_ = table.turns // n + 1
    return Turn(rules.names[p], "turn", fields, tuple(breaks), after_turn, same, table.turns + 1, round_, not breaks)


def _got(rules: Igna, table: Table, now: Table, mover: int) -> Turn | None:
    """I4: another player took the treasure offered into a set, and the robbed one has a token for it."""
    came = Counter(now.treasures) - Counter(table.treasures) - Counter([table.laid] if table.laid else [])
    robbed = table.sides[mover].tokens, now.sides[mover].tokens
    paid = None not in robbed and robbed[1] == (robbed[0] or 0) + REST
    if came or len(now.sides[mover].sets) > len(table.sides[mover].sets):
        return None
    for p, (before, after) in enumerate(zip(table.sides, now.sides, strict=True)):
        new = after.sets[len(before.sets) :]
        if p != mover and len(new) == 1:
            before_this = rules.offered[0][1] if rules.offered[0] else None
            seen = [one for one in (table.laid, before_this) if one in new[0] and one != now.laid]
            if not seen and not paid:
                continue
            laid = seen[0] if seen else UNKNOWN
            breaks = () if _valid(new[0]) else ("I5",)
            if None not in robbed and not paid:
                breaks = (*breaks, "I4")
            fields = {"what": [laid], "from": rules.names[mover], "set": list(new[0])}
            n = len(rules.names)
            after_turn = now._replace(turns=table.turns + 1, mover=(mover + 1) % n)
            same = (p, "get", laid)
            round_ = table.turns // n + 1
            return Turn(rules.names[p], "get", fields, breaks, after_turn, same, table.turns + 1, round_, not breaks)
    return None
