"""Igna between two looks: treasures laid, sets opened, tokens, rests (I1 to I10 of the referee's rules).

What a single Igna card does is not in the rulebook: cards played are named, and nothing that they may have done is a
breach.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from referee.looks import FURTHER, PARTLY, SLIP, UNKNOWN, Fit, Fix, Look
from referee.turns import Explanation, Owed, Start, Turn, house_of
from scoring.errors import MISSING, StateError

WAITING: Final = 10.5
"""A look that no turn explains is waited out."""
PRICE: Final = 3
"""Tokens paid in place of a treasure laid (I3)."""
REST: Final = 1
"""Tokens for a rest (I6), and for a treasure that another player got (I4)."""
FEW: Final = 2
MANY: Final = 8
"""Hands of so many cards or fewer draw two and two, of so many or more none (I2)."""
LAST_SET: Final = 4
KEPT: Final = ("points", "house_rules")
ANY_SET: Final = {
    "same": ("red1", "red1", "red1"),
    "run": ("red1", "red2", "red3"),
    "mixed": ("red1", "yellow1", "green1"),
}
"""A set of each kind (I5): what it is worth does not hang on which one it is, the bonus apart."""

Treasure = str
Treasures = tuple[Treasure, ...]


class Side(NamedTuple):
    """What lies before a player; `tokens`, and how many cards the `hand` holds, None where that is not known."""

    sets: tuple[Treasures, ...] = ()
    tokens: int | None = 0
    hand: int | None = None
    adventurer: str = UNKNOWN


class Table(NamedTuple):
    """A table; `laid` is the treasure offered, `mover` whose turn it is."""

    sides: tuple[Side, ...]
    laid: Treasure | None = None
    treasures: Treasures = ()
    played: tuple[str, ...] = ()
    turns: int = 0
    mover: int | None = None


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
        self.offered: list[Treasure | None] = [None, None]
        """The treasure offered in the look before, and in this one."""

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
        self.offered = [self.offered[1], None if laid in (None, UNKNOWN) else _treasure(laid, "/laid")]
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
        yield Start(0.0, Table(sides, read.laid, read.treasures or (), read.played or (), 0, self.first))

    def turn_of(self, table: Table) -> str | None:
        """Whose turn it is; None where the game is over, or where it is not known."""
        return None if table.mover is None or self.over(table) else self.names[table.mover]

    def over(self, table: Table) -> bool:
        """I10: somebody has four sets."""
        return any(len(side.sets) >= LAST_SET for side in table.sides)

    def explain(self, table: Table, look: Look, wide: bool) -> Iterable[Explanation]:
        """How this table may have become what the look shows."""
        return _explained(self, table, look, wide, False)

    def finish(self, table: Table, look: Look) -> Explanation | None:
        """The part of a turn that the last look shows, as a turn that stands."""
        return next((one for one in _explained(self, table, look, False, True) if one.turns), None)

    def key(self, table: Table) -> Any:
        """Everything that lies there."""
        return table

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
    if hand is None:
        return UNKNOWN
    return [2, 2] if hand <= FEW else [0, 0] if hand >= MANY else [1, 1]


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
            seen = [one for one in (table.laid, rules.offered[0]) if one in new[0] and one != now.laid]
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
