"""The table of Twelve Seekers between two turns, how a look reads it, and how it is written down.

Gems are numbers: 0 to 4 the colors, 5 the rainbow, 6 gold, 7 not read.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple

from referee.looks import (
    EXACT,
    FAR,
    MISREAD,
    NO_FIT,
    UNKNOWN,
    UNREAD,
    Fit,
    Fix,
    Look,
    bag_fit,
    list_at,
    player_rows,
    row_fit,
    together,
)
from scoring.errors import StateError
from scoring.twelve_seekers.kinds import COLORS
from scoring.twelve_seekers.seekers import POWER

NAMES: Final = (*COLORS, "rainbow", "gold", UNKNOWN)
NUMBER: Final = {name: i for i, name in enumerate(NAMES)}
RAINBOW: Final = 5
GOLD: Final = 6
NOT_READ: Final = 7
BOX: Final = (7, 7, 7, 7, 7, 1, 3)
"""Gems in the box."""
NO_GEMS: Final = (0,) * 6
ANY_CARD: Final = (1, 2, 3, 4, 5)
"""The powers of the basic seekers."""
LINE_RULES: Final = frozenset((7, 8, 9, 10, 16, 17, 18))
PLACE_RULES: Final = frozenset((19, 20))
DISCARD_RULES: Final = frozenset((11, 12, 13))
SWAP_RULE: Final = 18
COLOR_RULE: Final = 19
TURNS: Final = 12
EACH: Final = 6
"""Turns of each player."""
HIDDEN_CARD: Final = 3.0
"""A card that lay there is not seen."""

Card = int | str
Gems = tuple[int, ...]
Kind = Literal["gems", "line", "valid"]


class Side(NamedTuple):
    """What lies before a player. `gems` is the line, or six counts (of the valid place); `invalid` has six counts."""

    gems: Gems
    invalid: Gems
    gold: int
    stack: tuple[Card, ...]
    bonuses: tuple[tuple[Card, Gems, Gems], ...] = ()


class Table(NamedTuple):
    """A table. `thrown` are the gems out of the game, `turns` those taken by each player, `powers` their last cards'.

    `starter` begins the round that runs (None: whoever moves), `color` is rule 19's card. `pending`: swaps of rule 18
    that each player may have made while no look showed the line.
    """

    row: Gems
    field: tuple[Card, ...]
    sides: tuple[Side, Side]
    thrown: Gems = NO_GEMS
    turns: tuple[int, int] = (0, 0)
    powers: tuple[int, int] = (0, 0)
    starter: int | None = None
    color: int | None = None
    pending: tuple[int, int] = (0, 0)


class ReadSide(NamedTuple):
    """A player's things as read, None where they were not; `at` is the player's pointer."""

    at: str
    gems: Gems | None
    invalid: Gems | None
    gold: int | None
    stack: tuple[Card, ...] | None


class Reading(NamedTuple):
    """A state as read, None where something is not in it."""

    row: Gems | None
    field: tuple[Card, ...] | None
    sides: tuple[ReadSide | None, ...]
    thrown: Gems | None
    color: int | None
    extra: Mapping[str, Any]


def kind_of(rule: int) -> Kind:
    """What the sheet collects."""
    return "line" if rule in LINE_RULES else "valid" if rule in PLACE_RULES else "gems"


def power(card: Card) -> int:
    """A seeker's power, 0 where the card was not read."""
    return POWER.get(card, 0)


def sort_key(card: Card) -> tuple[int, str]:
    """Cards in the order of their power."""
    return power(card), str(card)


def read_state(state: Mapping[str, Any], names: Sequence[str], kind: Kind) -> Reading:
    """Take a look's state apart. Raises StateError where it is none."""
    sides: list[ReadSide | None] = [None] * len(names)
    for p, at, row in player_rows(state, names):
        sides[p] = _side(row, at, kind)
    color = state.get("color_card")
    return Reading(
        _row(state, "dungeon", ""),
        _cards(state, "seekers_left", ""),
        tuple(sides),
        _bag(state, "thrown", ""),
        NUMBER.get(color) if isinstance(color, str) and color in COLORS else None,
        {key: state[key] for key in ("rule", "order_cards", "color_card", "house_rules") if key in state},
    )


def _side(row: Mapping[str, Any], at: str, kind: Kind) -> ReadSide:
    gold = row.get("gold")
    if gold is not None and type(gold) is not int:
        if gold != UNKNOWN:
            raise StateError(f"{at}/gold", "number", gold, {"least": 0})
        gold = None
    return ReadSide(
        at,
        _row(row, "line", at) if kind == "line" else _bag(row, kind, at),
        _bag(row, "invalid", at) if kind == "valid" else (),
        gold,
        _cards(row, "seekers", at),
    )


def _row(fields: Mapping[str, Any], key: str, at: str) -> Gems | None:
    value = list_at(fields, key, at)
    if value is None:
        return None
    try:
        return tuple([NUMBER[gem] for gem in value])
    except (KeyError, TypeError):
        wrong = next(i for i, gem in enumerate(value) if not isinstance(gem, str) or gem not in NUMBER)
        raise StateError(f"{at}/{key}/{wrong}", "one-of", value[wrong], {"words": NAMES}) from None


def _bag(fields: Mapping[str, Any], key: str, at: str) -> Gems | None:
    value = fields.get(key, UNKNOWN)
    if value == UNKNOWN or value is None:
        return None
    if not isinstance(value, dict):
        raise StateError(f"{at}/{key}", "object", value)
    counts = [0] * 6
    for name, n in value.items():
        if NUMBER.get(name, 7) >= len(counts):
            raise StateError(f"{at}/{key}/{name}", "one-of", name, {"words": NAMES[:6]})
        if n == UNKNOWN:
            return None
        if type(n) is not int or n < 0:
            raise StateError(f"{at}/{key}/{name}", "number", n, {"least": 0})
        counts[NUMBER[name]] = n
    return tuple(counts)


def _cards(fields: Mapping[str, Any], key: str, at: str) -> tuple[Card, ...] | None:
    value = list_at(fields, key, at)
    if value is None:
        return None
    for i, card in enumerate(value):
        if type(card) not in (int, str) or (card not in POWER and card != UNKNOWN):
            raise StateError(
                f"{at}/{key}/{i}", "seeker", card, {"names": tuple(c for c in POWER if isinstance(c, str))}
            )
    return tuple(value)


def side_fit(look: Look, read: ReadSide | None, side: Side, kind: Kind) -> Fit:
    """How well a reading shows a player's gems."""
    if read is None:
        return EXACT
    if read.gems == side.gems and read.gold == side.gold and read.invalid == side.invalid:
        return EXACT
    memo = (read.at, side.gems, side.invalid, side.gold)
    if memo not in look.memo:
        look.memo[memo] = _side_fit(look, read, side, kind)
    found: Fit = look.memo[memo]
    return found


def _side_fit(  # noqa: PLR0911 -- a return for each kind of place
    look: Look, read: ReadSide, side: Side, kind: Kind
) -> Fit:
    at, gold = read.at, f"{read.at}/gold"
    if kind == "line":
        if read.gold is None or read.gold == side.gold or read.gems is None:
            return row_fit(look, f"{at}/line", read.gems, side.gems, NAMES) if read.gems is not None else EXACT
        return _gold_in_line(look, read, side)
    if read.gems is None or (kind == "valid" and read.invalid is None):
        return EXACT
    names = ("valid", "invalid") if kind == "valid" else ("gems",)
    for key, was, is_ in zip(names, (read.gems, read.invalid), (side.gems, side.invalid), strict=False):
        ats = [f"{at}/{key}/{name}" for name in NAMES[:6]]
        if read.gold is not None and read.gold != side.gold and sum(was or ()) != sum(is_):
            whole = bag_fit(look, [*ats, gold], (*(was or ()), read.gold), (*is_, side.gold), NAMES)
            if kind == "gems":
                return whole
            other = 1 - names.index(key)
            rest = bag_fit(
                look,
                [f"{at}/{names[other]}/{name}" for name in NAMES[:6]],
                (read.gems, read.invalid or ())[other],
                (side.gems, side.invalid)[other],
                NAMES,
            )
            return together(whole, rest)
    if read.gold is not None and read.gold != side.gold:
        return NO_FIT
    fits = [
        bag_fit(look, [f"{at}/{key}/{name}" for name in NAMES[:6]], was or (), is_, NAMES)
        for key, was, is_ in zip(names, (read.gems, read.invalid), (side.gems, side.invalid), strict=False)
    ]
    return together(*fits)


def _gold_in_line(look: Look, read: ReadSide, side: Side) -> Fit:
    """One gem of the line was read as gold beside it, or one piece of gold as a gem of the line."""
    assert read.gems is not None
    assert read.gold is not None
    line, at = read.gems, f"{read.at}/line"
    best = NO_FIT
    if len(line) + 1 == len(side.gems) and read.gold == side.gold + 1:
        for i, gem in enumerate(side.gems):
            cost = look.price(f"{read.at}/gold", NAMES[GOLD], NAMES[gem])
            rest = row_fit(look, at, line, (*side.gems[:i], *side.gems[i + 1 :]), NAMES)
            if cost + rest.cost < best.cost:
                best = Fit(cost + rest.cost, (Fix(f"{read.at}/gold", NAMES[GOLD], NAMES[gem]), *rest.fixes))
    if len(line) == len(side.gems) + 1 and read.gold + 1 == side.gold:
        for i, gem in enumerate(line):
            cost = look.price(f"{at}/{i}", NAMES[gem], NAMES[GOLD])
            rest = row_fit(look, at, line, (*side.gems[:i], gem, *side.gems[i:]), NAMES)
            if cost + rest.cost < best.cost:
                best = Fit(cost + rest.cost, (Fix(f"{at}/{i}", NAMES[gem], NAMES[GOLD]), *rest.fixes))
    return best


def dungeon_fit(look: Look, read: Reading, row: Gems) -> Fit:
    """How well a reading shows the dungeon's row."""
    if read.row is None or read.row == row:
        return EXACT
    memo = ("/dungeon", read.row, row)
    if memo not in look.memo:
        look.memo[memo] = row_fit(look, "/dungeon", read.row, row, NAMES)
    found: Fit = look.memo[memo]
    return found


def gems_fit(look: Look, read: Reading, table: Table, kind: Kind) -> Fit:
    """How well a reading shows all gems."""
    fits = [dungeon_fit(look, read, table.row)]
    for i, side in enumerate(table.sides):
        if fits[-1].cost >= FAR:
            return NO_FIT
        fits.append(side_fit(look, read.sides[i], side, kind))
    if read.thrown is not None and read.thrown != table.thrown:
        fits.append(bag_fit(look, [f"/thrown/{name}" for name in NAMES[:6]], read.thrown, table.thrown, NAMES))
    return together(*fits)


def cards_fit(look: Look, at: str, read: tuple[Card, ...] | None, true: tuple[Card, ...]) -> Fit:
    """How well a reading shows cards that lie in no order; one that is hidden costs a little."""
    if read is None or read == true:
        return EXACT
    missing, more = list(true), []
    for i, card in enumerate(read):
        if card in missing:
            missing.remove(card)
        else:
            more.append((i, card))
    cost = HIDDEN_CARD * max(len(missing) - len(more), 0)
    fixes: list[Fix] = []
    for i, card in more:
        if not missing:
            return Fit(cost + 2 * MISREAD, tuple(fixes))
        here = f"{at}/{i}"
        costs = [look.price(here, str(card), str(one)) for one in missing]
        best = costs.index(min(costs))
        cost += costs[best] if card != UNKNOWN else UNREAD
        fixes.append(Fix(here, card, missing.pop(best)))
    return Fit(cost, tuple(fixes))


def all_cards_fit(look: Look, read: Reading, table: Table) -> Fit:
    """How well a reading shows the field and both stacks."""
    fits = [cards_fit(look, "/seekers_left", read.field, table.field)]
    for side, shown in zip(table.sides, read.sides, strict=True):
        if shown is not None:
            fits.append(cards_fit(look, f"{shown.at}/seekers", shown.stack, side.stack))
    return together(*fits)


def total(table: Table, kind: Kind) -> list[int]:
    """All gems of a table by color, then gold, then those that were not read."""
    counts = [0] * 8
    for gem in table.row:
        counts[gem] += 1
    for gem, n in enumerate(table.thrown):
        counts[gem] += n
    for side in table.sides:
        counts[GOLD] += side.gold
        for zone in (side.gems, side.invalid):
            if kind == "line":
                for gem in zone:
                    counts[gem] += 1
            else:
                for gem, n in enumerate(zone):
                    counts[gem] += n
    return counts


def counted(gems: Sequence[int]) -> dict[str, int]:
    """Counts as the state writes them."""
    return {NAMES[gem]: n for gem, n in enumerate(gems) if n}


def named(gems: Sequence[int]) -> list[str]:
    """Gems as the state writes them."""
    return [NAMES[gem] for gem in gems]


def as_state(table: Table, names: Sequence[str], kind: Kind, extra: Mapping[str, Any]) -> dict[str, Any]:
    """The table in the form of the looks. `extra`: what nobody's turn changes, by the field's name."""
    players = []
    for i, side in enumerate(table.sides):
        player: dict[str, Any] = {"name": names[i]}
        if kind == "line":
            player["line"] = named(side.gems)
        else:
            player[kind] = counted(side.gems)
            if kind == "valid":
                player["invalid"] = counted(side.invalid)
        player["gold"] = side.gold
        player["seekers"] = list(side.stack)
        if side.bonuses:
            player["bonuses"] = [
                {"seeker": card, "gems": named(gems), **({"held": named(held)} if card == "first-of-kind" else {})}
                for card, gems, held in side.bonuses
            ]
        players.append({**player, **extra.get(names[i], {})})
    state: dict[str, Any] = {"game": "twelve-seekers", **extra[""], "dungeon": named(table.row)}
    state["seekers_left"] = list(table.field)
    thrown = [
        max(n - max(lie - most, 0), 0) for n, lie, most in zip(table.thrown, total(table, kind), BOX, strict=False)
    ]
    if any(thrown):  # which colors went out may only be guessed; not those of which all lie in sight
        state["thrown"] = counted(thrown)
    state["players"] = players
    return state
