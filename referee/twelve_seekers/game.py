"""A game of Twelve Seekers: whose turn it is, what a turn breaks, how it is written; an attempt to explain a look."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from referee.looks import FAR, SLIP, UNKNOWN, Look
from referee.turns import Explanation, Rules, Turn, first_of, house_of
from referee.twelve_seekers.plans import (
    MISREADS,
    PRUNE,
    REACHING,
    Done,
    held,
)
from referee.twelve_seekers.tables import (
    ANY_CARD,
    BOX,
    COLOR_RULE,
    EACH,
    NOT_READ,
    NUMBER,
    PLACE_RULES,
    TURNS,
    Card,
    Gems,
    Kind,
    Reading,
    Table,
    kind_of,
    named,
    power,
)
from scoring.errors import MISSING, StateError
from scoring.twelve_seekers.seekers import ADVANCED

HOUSE: Final[dict[str, Any]] = {"first-order": "either", "gold-moves": True}
MOST_STEPS: Final = 10_000
"""Steps of one search; twice as many where only what was doubtful may have been read wrongly."""
HANDS: Final = {
    "dungeon": 5, "seekers_left": 1, "line": 2, "gems": 2, "valid": 2, "invalid": 2, "gold": 1, "seekers": 0,
    "thrown": 0, "color_cards": 0,
}  # fmt: skip
"""Pieces of each place that hands hold at most in the midst of a turn."""
UNCLEAR: Final = -1
"""The power of a turn in which not one card was taken."""
ONE_MORE_TURN: Final = 2.0
"""What each turn after the first between two looks costs where no card tells how many there were."""
ADVANCED_EACH: Final = 2
"""Advanced seekers that each takes in the advanced game."""


class SeekersGame(Rules):
    """What a header and the first look say of a game of Twelve Seekers, and what follows for any table of it."""

    hands = HANDS

    def __init__(self, header: Mapping[str, Any], look: Look) -> None:
        state = look.state
        rule = state.get("rule", header.get("rule"))
        if type(rule) is not int or not 1 <= rule <= 20:
            raise StateError("/rule", "number-between", MISSING if rule is None else rule, {"least": 1, "most": 20})
        self.rule = rule
        self.kind = kind_of(rule)
        self.names: Sequence[str] = header["players"]
        if len(self.names) != 2:
            raise StateError("/players", "players", list(self.names))
        cards = state.get("order_cards")
        seen = cards[0] if isinstance(cards, list) and cards else None
        self.order = next((one for one in (header.get("order"), seen) if one in (1, 2, 3, 4)), None)
        self.first = first_of(header)
        field = state.get("seekers_left")
        cards = field if isinstance(field, list) else []
        advanced = sum(isinstance(card, str) and card in ADVANCED for card in cards)
        seen = "basic" if not advanced else "chaos" if advanced == TURNS else "advanced"
        self.mode = header.get("mode") or seen
        rows = [row for row in state.get("players", ()) if isinstance(row, dict)]
        self.cards_seen = bool(cards) or any(row.get("seekers") for row in rows)
        """Whether a seeker card has been seen; else a turn's power is the number of gems that it takes."""
        self.one_more = 0.0 if self.cards_seen else ONE_MORE_TURN
        """What each turn after the first between two looks costs."""
        self.box: Gems = BOX
        """Gems of each kind in the game; where not all are in sight, those that the first look shows."""
        self.house = house_of(header, HOUSE)
        self.extra: dict[str, Any] = {"": {"rule": rule}}

    def header(self) -> dict[str, Any]:
        """What the header line says of the game."""
        order = UNKNOWN if self.order is None else self.order
        return {**super().header(), "rule": self.rule, "order": order, "mode": self.mode}

    def expected(self, table: Table) -> int | None:
        """The player whose turn it is, None where it may be either's."""
        one, other = table.turns
        return table.starter if one == other else int(one > other)

    def over(self, table: Table) -> bool:
        """T16."""
        return sum(table.turns) >= TURNS or not (table.field if self.cards_seen else table.row)

    def field(self, table: Table) -> Sequence[Card]:
        """The cards that may be taken: any where they are out of sight."""
        return table.field if self.cards_seen else ANY_CARD

    def after(self, table: Table, p: int, cards: Sequence[Card], **lying: Any) -> Table:
        """The turn is done, and this lies there: who begins the next round (T5)."""
        turns, powers, starter, field = _turn_done(
            self.order, p, tuple(cards), table.turns, table.powers, table.starter, table.field
        )
        return table._replace(turns=turns, powers=powers, starter=starter, field=field, **lying)

    def before(self, table: Table, p: int, cards: Sequence[Card]) -> tuple[str, ...]:
        """What taking these cards breaks: T4, T5, T6; nothing where no cards are in sight."""
        if not self.cards_seen:
            return ()
        breaks = () if len(cards) == 1 else ("T4",)
        turn = self.expected(table)
        if turn is not None and turn != p:
            breaks = (*breaks, "T5")
        if self.mode == "advanced" and cards:
            stack, left = table.sides[p].stack, EACH - table.turns[p] - 1
            if not _two_advanced((*stack, *cards), left) and any(
                _two_advanced((*stack, card), left) for card in table.field
            ):
                breaks = (*breaks, "T6")
        return breaks

    def colors(self, table: Table, read: Reading, p: int) -> tuple[int | None, ...]:
        """The colors that may be valid in this turn (T10)."""
        if self.rule not in PLACE_RULES:
            return (None,)
        if self.rule == COLOR_RULE and table.turns[p] < EACH - 1:
            open_ = {color for color in (table.color, read.color) if color is not None}
            if open_:
                return tuple(sorted(open_))
        return tuple(range(5))

    def make(self, before: Table, p: int, cards: Sequence[Card], done: Done, breaks: tuple[str, ...]) -> Turn:
        """The line of the log for a turn."""
        sides = (done.mine, done.theirs) if p == 0 else (done.theirs, done.mine)
        thrown = before.thrown
        if done.thrown is not None:
            thrown = (*thrown[: done.thrown], thrown[done.thrown] + 1, *thrown[done.thrown + 1 :])
        pending = (done.pending, before.pending[1]) if p == 0 else (before.pending[0], done.pending)
        table = self.after(before, p, cards, row=done.row, sides=sides, thrown=thrown, pending=pending)
        info = done.info
        what: Gems = info["what"]
        card: Any = list(cards) if len(cards) != 1 else cards[0]
        to = info.get("to")
        fields = {"seeker": card, **info, "what": named(what), "to": self.names[p] if to is None else to}
        fields.pop("owed", None)
        breaks += self._house_breaks(before, p, info)
        same = (p, tuple(sorted(map(str, cards))), tuple(sorted(what)))
        number = sum(before.turns) + 1
        return Turn(self.names[p], "take", fields, breaks, table, same, number, before.turns[p] + 1, legal=not breaks)

    def _house_breaks(self, before: Table, p: int, info: Mapping[str, Any]) -> tuple[str, ...]:
        """What a turn breaks only where this house reads a silent place strictly."""
        breaks = []
        to = info.get("to")
        turned = isinstance(to, dict) and to.get("turned") is True
        if self.house["first-order"] == "strict" and turned and not before.sides[p].gems:
            breaks.append("T9")
        own = (*info.get("returned", ()), info.get("gave"), *info.get("swapped", ())[:1])
        if not self.house["gold-moves"] and {"gold", "rainbow"}.intersection(own):
            breaks.append("T14")
        return tuple(breaks)


@lru_cache(maxsize=1_000)
def _turn_done(
    order: int | None,
    p: int,
    cards: tuple[Card, ...],
    turns: tuple[int, int],
    powers: tuple[int, int],
    starter: int | None,
    field: tuple[Card, ...],
) -> tuple[tuple[int, int], tuple[int, int], int | None, tuple[Card, ...]]:
    """Turns, powers, who begins the round and the field after a turn with these cards (T5)."""
    began = p if starter is None and turns[0] == turns[1] else starter
    done, had = list(turns), list(powers)
    done[p] += 1
    had[p] = power(cards[0]) if len(cards) == 1 else UNCLEAR
    if done[0] == done[1] and began is not None:
        one, other = had
        if order == 2:
            began = 1 - began
        elif order in (3, 4) and UNCLEAR in had:
            began = None  # no card, or several: nobody can say which of them counts
        elif order in (3, 4):
            high = int(other > one)
            began = 1 - began if one == other else high if order == 3 else 1 - high
        elif order is None:
            began = None
    left = list(field)
    for card in cards:
        if card in left:
            left.remove(card)
    return (done[0], done[1]), (had[0], had[1]), began, tuple(left)


class Attempt:
    """To explain one look from one table: the explanations found so far."""

    def __init__(self, rules: SeekersGame, table: Table, look: Look, wide: bool, same: Any) -> None:
        self.rules, self.table, self.look, self.wide = rules, table, look, wide
        self.read: Reading = look.read
        self.same = same
        self.stands = False
        self.begun: int | None = None
        self.wrongly = 0.0
        self.reaching = any(card in REACHING for card in table.field)
        self.left = [MOST_STEPS]
        self.most, self.odd = PRUNE + look.least, MISREADS
        self.unsure = look.unsure + _unread(self.read, rules.kind)
        """Gems that may well have been read wrongly."""
        self.out: list[Explanation] = []
        self.best = FAR

    def add(self, one: Explanation) -> None:
        """One explanation more, if it is not far worse than the best one."""
        if len(one.turns) > 1 and self._passed_on(one.turns):
            one = one._replace(cost=one.cost + SLIP)
        if one.cost <= self.best + 2 * PRUNE:
            self.out.append(with_color(one, self.table, self.read))
            self.best = min(self.best, one.cost)

    def _passed_on(self, turns: Sequence[Turn]) -> bool:
        """Whether a breach moves a gem on that came to a player since the last look, where nobody saw it lie: one that
        a seeker's effect brought goes back, or the only one of its kind goes on.
        """
        names, came, brought = self.rules.names, (Counter[str](), Counter[str]()), (Counter[str](), Counter[str]())
        lay = [held(side, self.rules.kind) for side in self.table.sides]
        for turn in turns:
            if turn.who is None:
                continue
            p = names.index(turn.who)
            gave, stole = (_listed(turn.fields.get(key)) for key in ("gave", "stole"))
            away = [(gem, p) for gem in gave] + [(gem, 1 - p) for gem in stole]
            away += [(one["what"], names.index(one["from"])) for one in turn.fields.get("also", ())]
            on = (brought[q][gem] or (came[q][gem] and not lay[q][NUMBER[gem]]) for gem, q in away)
            if turn.breaks and any(on):
                return True
            came[p].update(turn.fields["what"])
            for gem, q in away:
                brought[1 - q][gem] += 1
        return False

    def colors(self, table: Table, p: int, left: int) -> tuple[int | None, ...]:
        """The colors that may be valid in a turn, with how many are left: any, where its round's card was not seen."""
        rules, read = self.rules, self.read
        if rules.rule == COLOR_RULE and table.turns[p] < EACH - 1 and read.color is not None:
            before, now = sum(self.table.turns), sum(table.turns)
            last = left == 1 and self.begun is None
            if (before - 1) // 2 < now // 2 < (now + left - (self.begun is None)) // 2:
                return tuple(range(5))
            if last and now % 2 == 0:  # the round that it begins still runs
                return (read.color,)
            if last and before == now and table.color is not None:
                return (table.color,)
        return rules.colors(table, read, p)

    def new_cards(self) -> list[list[Card]]:
        """The cards that came to each stack since."""
        new: list[list[Card]] = []
        for side, shown in zip(self.table.sides, self.read.sides, strict=True):
            cards = list(shown.stack) if shown is not None and shown.stack is not None else list(side.stack)
            if tuple(cards[: len(side.stack)]) == side.stack:
                new.append(cards[len(side.stack) :])
            elif len(cards) <= len(side.stack):
                new.append([])
            else:
                more = list((Counter(cards) - Counter(side.stack)).elements())
                new.append(more[len(side.stack) - len(cards) :])
        return new


def _listed(gems: Any) -> Sequence[str]:
    return [gems] if isinstance(gems, str) else gems or ()


def _unread(read: Reading, kind: Kind) -> int:
    """How many gems of rows were not read."""
    lines = [shown.gems for shown in read.sides if shown is not None] if kind == "line" else []
    return sum(row.count(NOT_READ) for row in (read.row, *lines) if row is not None)


def with_color(one: Explanation, table: Table, read: Reading) -> Explanation:
    """The explanation with rule 19's card as the look shows it."""
    color = read.color
    if color is None or color == (one.turns[-1].table if one.turns else one.table or table).color:
        return one
    lying = one.lying and one.lying._replace(color=color)
    if not one.turns:
        return one._replace(table=(one.table or table)._replace(color=color), lying=lying)
    last = one.turns[-1]
    return one._replace(turns=(*one.turns[:-1], last._replace(table=last.table._replace(color=color))), lying=lying)


def _two_advanced(cards: Sequence[Card], left: int) -> bool:
    """T6: whether a player may still end with just two advanced seekers."""
    advanced = sum(card in ADVANCED for card in cards)
    return advanced <= ADVANCED_EACH <= advanced + left
