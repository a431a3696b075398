"""Human Angel Demon between two looks: market, discards, opened sets, gains, goals (H1 to H14 of the referee's rules).

Hands are hidden: what is taken is seen in the market, what is done with it before the player.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, Final, NamedTuple

from referee.looks import FURTHER, MISREAD, PARTLY, SLIP, UNKNOWN, Fit, Fix, Look
from referee.turns import Explanation, Owed, Start, Turn, house_of
from scoring.errors import MISSING, StateError
from scoring.human_angel_demon.sets import BLACK, CODES, RED, is_big_set

BEGUN: Final = 1.2
"""One turn is over and the next one has begun."""
WAITING: Final = 10.5
"""A look that no turn explains is waited out."""
EDITED: Final = 13.0
"""Somebody changed the table outside any turn."""
BIG_SET: Final = 3
HAND: Final = 7
"""Cards of a set that is opened (H4)."""
LAST_ROUND: Final = {2: 6, 3: 6, 4: 8}
"""Short games of a match, by the number of players (H13)."""
GOAL: Final = {2: 24, 3: 18, 4: 12}
"""Points that end a match."""
KEPT: Final = ("advanced", "winner", "won_by", "discarder", "bonus", "item_win", "house_rules")
"""Keys of the state that no turn changes by itself."""

Cards = tuple[str, ...]


class Side(NamedTuple):
    """What lies before a player."""

    discards: Cards = ()
    open: tuple[Cards, ...] = ()
    ready: bool = False


class Table(NamedTuple):
    """A table; `mover` is whose turn it is (None: not known), `winner` who has goaled in this short game."""

    market: Cards
    sides: tuple[Side, ...]
    turns: int = 0
    mover: int | None = None
    short_game: int = 1
    winner: int | None = None


class ReadSide(NamedTuple):
    """A player's things as read, None where they were not."""

    at: str
    discards: Cards | None
    open: tuple[Cards, ...] | None
    ready: bool | None
    hand: Cards | None


class Reading(NamedTuple):
    """A state as read."""

    market: Cards | None
    sides: tuple[ReadSide | None, ...]
    short_game: int
    winner: int | None
    state: Mapping[str, Any]


class HumanAngelDemon:
    """Human Angel Demon between given players."""

    amends = False
    counted = False

    def __init__(self, header: Mapping[str, Any], look: Look) -> None:
        self.names: Sequence[str] = header["players"]
        start = header.get("start")
        self.first = self.names.index(start) if start in self.names else None
        self.house = house_of(header, {})
        self.extra: dict[str, Any] = {}
        self.players: dict[str, dict[str, Any]] = {}

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
        sides: list[ReadSide | None] = [None] * len(self.names)
        for i, row in enumerate(rows):
            at = f"/players/{i}"
            if not isinstance(row, dict):
                raise StateError(at, "object", row)
            name = row.get("name")
            if not isinstance(name, str) or name not in self.names:
                got = MISSING if name is None else name
                raise StateError(f"{at}/name", "one-of", got, {"words": tuple(self.names)})
            opened = _list(row, "open", at)
            sides[self.names.index(name)] = ReadSide(
                at,
                _cards(row, "discards", at),
                None if opened is None else tuple(_some(cards, f"{at}/open/{n}") for n, cards in enumerate(opened)),
                row.get("ready") if type(row.get("ready")) is bool else None,
                _cards(row, "hand", at),
            )
            self.players[name] = {
                key: row[key] for key in ("points", "hand", "hand_size", "winning_card") if key in row
            }
        short = state.get("short_game", 1)
        winner = state.get("winner")
        self.extra = {key: state[key] for key in KEPT if key in state}
        return Reading(
            _cards(state, "market", ""),
            tuple(sides),
            short if type(short) is int else 1,
            self.names.index(winner) if winner in self.names else None,
            state,
        )

    def start(self, look: Look) -> Iterator[Start]:
        """What may lie there when the first look shows this."""
        read: Reading = look.read
        if read.market is None:
            return
        sides = tuple(
            Side() if shown is None else Side(shown.discards or (), shown.open or (), bool(shown.ready))
            for shown in read.sides
        )
        yield Start(0.0, Table(read.market, sides, 0, self.first, read.short_game))

    def turn_of(self, table: Table) -> str | None:
        """Whose turn it is; None where nobody's, or where it is not known."""
        return None if table.mover is None or table.winner is not None else self.names[table.mover]

    def over(self, table: Table) -> bool:
        """H13: the last short game of the match is over."""
        n = len(self.names)
        points = [self.players.get(name, {}).get("points", 0) for name in self.names]
        last = table.short_game >= LAST_ROUND.get(n, LAST_ROUND[4]) and table.winner is not None
        return last or any(type(p) is int and p >= GOAL.get(n, GOAL[4]) for p in points)

    def explain(self, table: Table, look: Look, wide: bool) -> Iterable[Explanation]:
        """How this table may have become what the look shows."""
        return list(_explained(self, table, look, wide, False))

    def finish(self, table: Table, look: Look) -> Explanation | None:
        """The part of a turn that the last look shows, as a turn that stands."""
        found = (one for one in _explained(self, table, look, True, True) if one.turns)
        return min(found, key=lambda one: one.cost, default=None)

    def key(self, table: Table) -> Any:
        """Everything that lies there."""
        return table

    def between(self, before: Table, turn: Turn, look: Look) -> Fit | None:
        """What was found in a look that shows a part of this turn stays."""
        return None

    def nearest(self, before: Table, turn: Turn) -> list[dict[str, Any]]:
        """The legal move that would have changed the fewest cards: whoever is ready discards what was taken."""
        took = turn.fields.get("took")
        if "H5" not in turn.breaks or took in (None, UNKNOWN):
            return []
        return [{"who": turn.who, "move": "turn", "took": took, "discarded": took, "differs": 1}]

    def legal(self, table: Table) -> Iterator[Turn]:
        """The cards that may be taken (H2), and what may be done with each; a set only where the hand is shown."""
        p = table.mover
        if p is None or table.winner is not None:
            return
        side, hand = table.sides[p], self.players.get(self.names[p], {}).get("hand")
        for card in dict.fromkeys(card for card in table.market if card != UNKNOWN):
            discarded = card if side.ready else UNKNOWN
            laid = side._replace(discards=(*side.discards, discarded))
            yield self._way(table, p, card, laid, {"discarded": discarded})
            held = [*hand, card] if isinstance(hand, list) and UNKNOWN not in hand and not side.ready else []
            for cards in sorted(set(combinations(sorted(held), BIG_SET))):
                if _is_set(cards):
                    opened = side._replace(open=(*side.open, cards))
                    yield self._way(table, p, card, opened, {"opened": list(cards)})

    def _way(self, table: Table, p: int, card: str, after: Side, fields: dict[str, Any]) -> Turn:
        sides = (*table.sides[:p], after, *table.sides[p + 1 :])
        market = tuple((Counter(table.market) - Counter([card])).elements())
        now = table._replace(market=market, sides=sides)
        n, round_ = table.turns + 1, table.turns // len(self.names) + 1
        return Turn(self.names[p], "turn", {"took": card, **fields}, (), now, (p, card), n, round_)

    def because(self, table: Table, look: Look, fix: Fix) -> tuple[list[str], list[str]]:
        """What was laid stays as it is: H3 for discards, H2 for the market, H8 for cards that exist only so often."""
        rule = "H3" if "/discards/" in fix.at else "H2" if fix.at.startswith("/market") else "H8"
        return [rule], []

    def state(self, table: Table) -> dict[str, Any]:
        """The table in the form of the looks."""
        players = [
            {
                "name": name,
                **self.players.get(name, {}),
                "open": [list(cards) for cards in side.open],
                "discards": list(side.discards),
                "ready": side.ready,
            }
            for name, side in zip(self.names, table.sides, strict=True)
        ]
        state = {"game": "human-angel-demon", "short_game": table.short_game, "market": list(table.market)}
        extra = self.extra if table.winner is not None else {}
        return {"winner": None, **state, "players": players, **extra}


def _list(fields: Mapping[str, Any], key: str, at: str) -> list[Any] | None:
    value = fields.get(key, UNKNOWN)
    if value == UNKNOWN or value is None:
        return None
    if not isinstance(value, list):
        raise StateError(f"{at}/{key}", "list", value)
    return value


def _cards(fields: Mapping[str, Any], key: str, at: str) -> Cards | None:
    value = _list(fields, key, at)
    return None if value is None else _some(value, f"{at}/{key}")


def _some(value: object, at: str) -> Cards:
    if not isinstance(value, list):
        raise StateError(at, "list", value)
    for i, card in enumerate(value):
        if not isinstance(card, str) or (card not in CODES and card != UNKNOWN):
            raise StateError(f"{at}/{i}", "had-card", card)
    return tuple(value)


def _explained(rules: HumanAngelDemon, table: Table, look: Look, wide: bool, stands: bool) -> Iterator[Explanation]:
    read: Reading = look.read
    if read.short_game > table.short_game or (table.winner is not None and read.winner is None and not _lies(read)):
        yield _dealt(rules, table, read)
        return
    cost, fixes, sides = _as_known(table, read, look)
    changed = [p for p, side in enumerate(sides) if side != table.sides[p]]
    market = read.market if read.market is not None else table.market
    gone = list((Counter(table.market) - Counter(market)).elements())
    came = list((Counter(market) - Counter(table.market)).elements())
    if gone and came and len(gone) >= len(came) and (table.market and len(market) <= len(table.market)):
        for card in list(came):  # the market only loses cards until it is empty
            at = f"/market/{market.index(card)}"
            true = gone.pop(0)
            cost += look.price(at, card, true)
            fixes = (*fixes, Fix(at, card, true))
            came.remove(card)
        market = tuple((Counter(table.market) - Counter(gone)).elements())
    goal = read.winner is not None and table.winner is None
    if not changed and not gone and not came and not goal:
        yield Explanation(cost, (), fixes)
        return
    if not changed and not gone and not goal and not table.market and len(came) == len(rules.names) + 1:
        yield Explanation(cost, (), fixes, table=table._replace(market=market))  # H2: dealt before the next turn
        return
    if not changed and not goal and not stands:
        mover = table.mover
        owed = Owed(None if mover is None else rules.names[mover], "a set opened, a discard or a goal", "H3")
        yield Explanation(cost + PARTLY, (), fixes, (owed,), True)
        return
    yield from _moved(rules, table, read, sides, changed, market, gone.copy(), came, cost, fixes, goal)
    if len(gone) == len(changed) + 1 and not came and not goal and not stands:
        for card in dict.fromkeys(gone):  # the next player holds one
            rest = [one for i, one in enumerate(gone) if i != gone.index(card)]
            for way in _moved(rules, table, read, sides, changed, (*market, card), rest, came, cost, fixes, goal):
                who = rules.turn_of(way.turns[-1].table)
                size = rules.players.get(who or "", {}).get("hand_size", UNKNOWN)
                odd = MISREAD * (size not in (UNKNOWN, HAND + 1))
                owed = Owed(who, "a set opened, a discard or a goal", "H3")
                yield way._replace(cost=way.cost + BEGUN + odd, owed=(owed,), held=True)
    if wide:
        if not look.typed:
            yield Explanation(cost + WAITING, (), fixes, (), True)
        seen = table._replace(market=market, sides=sides)
        fields = {"what": [*gone, *came], "from": UNKNOWN, "to": UNKNOWN}
        turn = Turn(None, "edit", fields, (), seen, ("edit",), table.turns, 0, UNKNOWN)
        yield Explanation(cost + EDITED, (turn,), fixes)


def _lies(read: Reading) -> bool:
    """Whether anything of the short game that is over still lies there."""
    return any(side is not None and (side.discards or side.open) for side in read.sides)


def _dealt(rules: HumanAngelDemon, table: Table, read: Reading) -> Explanation:
    """H1, H13: a new short game; the left neighbor of whoever began the last one begins."""
    n = len(rules.names)
    first = rules.first
    begins = None if first is None else (first + read.short_game - 1) % n
    sides = tuple(
        Side() if shown is None else Side(shown.discards or (), shown.open or (), bool(shown.ready))
        for shown in read.sides
    )
    new = Table(read.market or (), sides, table.turns, begins, max(read.short_game, table.short_game))
    fields = {"what": list(read.market or ()), "from": "deck", "to": "market"}
    turn = Turn(None, "deal", fields, (), new, ("deal", new.short_game), table.turns, 0)
    return Explanation(0.0, (turn,))


def _as_known(table: Table, read: Reading, look: Look) -> tuple[float, tuple[Fix, ...], tuple[Side, ...]]:
    """What lies before the players, cards that lay there before being what they were; new doubtful ones by the box."""
    cost = 0.0
    fixes: list[Fix] = []
    sides = []
    lying = Counter(card for side in table.sides for cards in (side.discards, *side.open) for card in cards)
    for shown, side in zip(read.sides, table.sides, strict=True):
        if shown is None:
            sides.append(side)
            continue
        rows = []
        pairs = [("discards", side.discards, shown.discards)]
        if shown.open is not None:
            pairs += [
                (f"open/{i}", side.open[i] if i < len(side.open) else (), cards) for i, cards in enumerate(shown.open)
            ]
        for key, known, cards in pairs:
            row = []
            for i, card in enumerate(known if cards is None else cards):
                at = f"{shown.at}/{key}/{i}"
                true = known[i] if i < len(known) else _in_the_box(look, at, card, lying)
                if true != card:
                    cost += look.price(at, card, true)
                    fixes.append(Fix(at, card, true))
                row.append(true)
            rows.append(tuple(row))
        opened = tuple(rows[1:]) if shown.open is not None else side.open
        ready = side.ready if shown.ready is None else shown.ready
        sides.append(Side(rows[0], opened, ready))
    return cost, tuple(fixes), tuple(sides)


def _in_the_box(look: Look, at: str, card: str, lying: Counter[str]) -> str:
    """A new card as read, or as its odds say where the box holds no more of it."""
    most = RED if card.endswith("r") else BLACK
    odds = look.odds.get(at)
    if card != UNKNOWN and lying[card] >= most and isinstance(odds, dict):
        ways = [one for one in odds if one in CODES and lying[one] < (RED if one.endswith("r") else BLACK)]
        card = max(ways, key=lambda one: odds[one] if isinstance(odds[one], (int, float)) else 0.0, default=card)
    lying[card] += 1
    return card


def _moved(
    rules: HumanAngelDemon,
    table: Table,
    read: Reading,
    sides: tuple[Side, ...],
    changed: list[int],
    market: Cards,
    gone: list[str],
    came: list[str],
    cost: float,
    fixes: tuple[Fix, ...],
    goal: bool,
) -> Iterator[Explanation]:
    """The turns that lead to these cards: a gain by another player first, then the players in their order."""
    turns: list[Turn] = []
    now = table
    gained = _gain(rules, table, sides, changed)
    if gained is not None:
        turns.append(gained)
        now = gained.table
    n = len(rules.names)
    first = now.mover if now.mover is not None else (changed[0] if changed else 0)
    order = [p for i in range(n) if (p := (first + i) % n) in changed and sides[p] != now.sides[p]]
    if goal and read.winner is not None and read.winner not in order:
        order.append(read.winner)
    dealt = [*came, *[UNKNOWN] * (n + 1 - len(came))] if came and not (Counter(market) - Counter(came)) else came
    new = {p: {*sides[p].discards[len(now.sides[p].discards) :], *sum(sides[p].open, ())} for p in order}
    for i, p in enumerate(order):
        last = i == len(order) - 1
        gone.sort(key=lambda card: any(card in new[q] for q in order[i + 1 :]))  # what others laid they took
        turn = _turn(
            rules, now, p, sides[p], market, gone, dealt if last else [], read if goal and last else None, last
        )
        turns.append(turn)
        now = turn.table
        cost += SLIP + FURTHER * (len(turn.breaks) - 1) if turn.breaks else 0.0
    if now.market != market and turns:
        cost += MISREAD * (len(gone) > 0)
        turns[-1] = turns[-1]._replace(table=now._replace(market=market))
    if turns:
        yield Explanation(cost, tuple(turns), fixes)


def _gain(rules: HumanAngelDemon, table: Table, sides: tuple[Side, ...], changed: list[int]) -> Turn | None:
    """H6: the discard laid last has gone into a set that another player opened."""
    for q in changed:
        before, after = table.sides[q].discards, sides[q].discards
        if len(after) != len(before) - 1 or before[:-1] != after:
            continue
        card = before[-1]
        for p in changed:
            new = sides[p].open[len(table.sides[p].open) :]
            if p != q and len(new) == 1 and card in new[0]:
                fields = {"what": [card], "from": rules.names[q], "opened": list(new[0])}
                breaks = tuple(
                    rule for rule, broken in (("H4", not _is_set(new[0])), ("H5", table.sides[p].ready)) if broken
                )
                both = tuple(
                    side._replace(discards=after) if i == q else side._replace(open=sides[p].open) if i == p else side
                    for i, side in enumerate(table.sides)
                )
                now = table._replace(sides=both)
                same = (p, "gain", card)
                return Turn(rules.names[p], "gain", fields, breaks, now, same, max(table.turns, 1), 0, not breaks)
    return None


def _is_set(cards: Cards) -> bool:
    return UNKNOWN in cards or (len(cards) == 3 and is_big_set([CODES[card][0] for card in cards]))


def _turn(  # noqa: PLR0912 -- one rule after the other
    rules: HumanAngelDemon,
    table: Table,
    p: int,
    after: Side,
    market: Cards,
    gone: list[str],
    dealt: list[str],
    goal: Reading | None,
    last: bool,
) -> Turn:
    """One player's turn: a card from the market, then a set opened, a discard, or a goal."""
    before = table.sides[p]
    discarded = after.discards[len(before.discards) :]
    opened = after.open[len(before.open) :]
    took = UNKNOWN
    if gone:
        took = next((card for cards in opened for card in cards if card in gone), "") or (
            discarded[0] if discarded and discarded[0] in gone else gone[0]
        )
        gone.remove(took)
    breaks: list[str] = []
    if table.mover is not None and table.mover != p:
        breaks.append("H7")
    if last and gone:
        breaks.append("H2")
    fields: dict[str, Any] = {"what": [took], "took": took, "from": "market"}
    if goal is not None:
        shown = goal.sides[p]
        hand = list(shown.hand) if shown is not None and shown.hand is not None else UNKNOWN
        won_by = goal.state.get("won_by", UNKNOWN)
        fields.update(won_by=won_by, hand=hand, bonus=list(goal.state.get("bonus", ())))
        if not after.open:
            breaks.append("H10")
    elif opened:
        fields["opened"] = list(opened[0])
        if before.ready:
            breaks.append("H5")
        if len(opened) > 1 or discarded:
            breaks.append("H3")
        if not all(_is_set(cards) for cards in opened):
            breaks.append("H4")
    else:
        fields["discarded"] = discarded[0] if discarded else UNKNOWN
        if before.ready and UNKNOWN not in (took, fields["discarded"]) and took != fields["discarded"]:
            breaks.append("H5")
        if len(discarded) > 1:
            breaks.append("H3")
    if after.ready and not before.ready:
        fields["ready"] = True
        if not discarded:
            breaks.append("H5")
    if dealt:
        fields["dealt"] = dealt
    n = len(rules.names)
    sides = tuple(after if i == p else side for i, side in enumerate(table.sides))
    left = list((Counter(table.market) - Counter([took])).elements())
    now = table._replace(
        market=market if last else tuple(left),
        sides=sides,
        turns=table.turns + 1,
        mover=(p + 1) % n,
        winner=p if goal is not None else None,
    )
    round_ = table.turns // n + 1
    kind = "goal" if goal is not None else "turn"
    same = (p, kind, took, tuple(fields.get("opened", ())), fields.get("discarded"))
    told = tuple(sorted(set(breaks), key=lambda rule: int(rule[1:])))
    return Turn(rules.names[p], kind, fields, told, now, same, table.turns + 1, round_, not told)
