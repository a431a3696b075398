"""The state of Twelve Seekers, checked."""

from collections.abc import Sequence
from typing import Final, NamedTuple, NoReturn

from scoring.breakdown import Value
from scoring.errors import StateError
from scoring.fields import (
    BOUND,
    NO_LIMIT,
    UNKNOWN,
    State,
    an_object,
    count,
    flag,
    items,
    known,
    number,
    one_of,
    players,
    pointer,
    required,
    words_of,
)
from scoring.twelve_seekers import bonuses, middle
from scoring.twelve_seekers.bonuses import Bonus
from scoring.twelve_seekers.kinds import COLORS, TwoPlus
from scoring.twelve_seekers.seekers import ADVANCED, POWER
from scoring.twelve_seekers.sheets import SHEETS, AnyKind

GEMS: Final = (*COLORS, "rainbow")
RAINBOW: Final = 5
OF_A_COLOR: Final = 7
GOLD: Final = 3
IN_THE_BOX: Final = (*[OF_A_COLOR] * 5, 1)
CARDS: Final = (*COLORS, UNKNOWN)
"""What a color card may be; it may lie face down."""
NUMBER: Final = {gem: i for i, gem in enumerate(GEMS)}
NO_GEMS: Final = (0,) * 6
WHOLE_OR_TEXT: Final = frozenset((int, str))
"""The types of seeker cards (`True` is of neither)."""

STATE_KEYS: Final = middle.SEEKERS_GAME | {"game", "rule", "players", "goes_on", "house_rules"}
PLAYER_KEYS: Final = frozenset({"name", "gold", "seekers", "bonuses", "chips", "color_cards", "choices"})
COLLECTED: Final = {"gems": ("gems",), "line": ("line",), "valid": ("valid", "invalid", "gems")}


class Player(NamedTuple):
    """A player's things. Gems are numbers: 0 to 4 the colors, 5 the rainbow.

    `counts` has six numbers (of the valid place under rules 19 and 20), `line` is empty but under line rules.
    `cards` are the colors of the color cards, `made` the choices that the state makes. `neither` are gems in neither
    place under rules 19 and 20; `unknown`: so many color cards of those that the rule deals are not known; `shown`: how
    many the state names, face down ones included; `looked`: whether the state says anything of seekers.
    """

    place: str
    name: str
    counts: list[int]
    line: Sequence[int]
    invalid: Sequence[int]
    gold: int
    seekers: Sequence[int | str]
    bonuses: Sequence[Bonus]
    chips: int
    cards: tuple[int, ...]
    made: State
    neither: Sequence[int] = NO_GEMS
    unknown: int = 0
    shown: int = 0
    looked: bool = False


class Table(NamedTuple):
    """`goes_on`: what the state says of it, None: nothing; `left` are the seekers that still lie in the field, where it
    says that."""

    rule: int
    players: Sequence[Player]
    goes_on: bool | None = None
    left: Sequence[int | str] = ()


def read(state: State) -> Table:
    """Check a state of this game. Raises StateError."""
    known(state, STATE_KEYS, "")
    rule = number(required(state, "rule", ""), "/rule", 1, len(SHEETS))
    kind = SHEETS[rule].kind
    rows = players(state, _keys[kind.collects])
    goes_on = flag(state, "goes_on", "") if "goes_on" in state else None
    table = Table(rule, [_player(row, f"/players/{i}", rule, kind) for i, row in enumerate(rows)], goes_on)
    if len(rows) > 1 or kind.collects == "valid":
        _box(table.players, kind.collects)
    if not middle.SEEKERS_GAME.isdisjoint(state):
        _middle(state, table.players)
        return table._replace(left=state.get("seekers_left", ()))
    return table


_keys: Final = {collects: PLAYER_KEYS.union(fields) for collects, fields in COLLECTED.items()}


def _middle(state: State, players: Sequence[Player]) -> None:
    box = {**dict(zip(GEMS, IN_THE_BOX, strict=True)), "gold": GOLD}
    lying = {gem: sum(p.counts[i] + p.invalid[i] + p.neither[i] for p in players) for gem, i in NUMBER.items()}
    lying["gold"] = sum(player.gold for player in players)
    middle.check(state, box, POWER, lying)


def _player(row: State, place: str, rule: int, kind: AnyKind) -> Player:
    line: Sequence[int] = ()
    invalid: Sequence[int] = NO_GEMS
    neither: Sequence[int] = NO_GEMS
    if kind.collects == "line":
        line = _line(required(row, "line", place), place)
        counts = [line.count(gem) for gem in range(6)]
        for gem, most in enumerate(IN_THE_BOX):
            if counts[gem] > most:
                _too_many(f"{place}/line", GEMS[gem], counts[gem], most)
    else:
        counts = _counts(required(row, kind.collects, place), f"{place}/{kind.collects}")
        if "invalid" in row:
            invalid = _counts(row["invalid"], f"{place}/invalid")
        if kind.collects == "valid" and "gems" in row:
            neither = _counts(row["gems"], f"{place}/gems")
    shown = words_of(row, "color_cards", CARDS, place) if "color_cards" in row else ()
    cards = _cards(shown, place, rule, kind) if shown else ()
    return Player(
        place,
        row["name"],
        counts,
        line,
        invalid,
        count(row, "gold", place, GOLD) if "gold" in row else 0,
        _seekers(row, place) if "seekers" in row else (),
        [bonuses.read(one, f"{place}/bonuses/{i}") for i, one in enumerate(items(row, "bonuses", place))]
        if "bonuses" in row
        else (),
        _chips(row, place) if "chips" in row else 0,
        cards,
        _choices(row, place, rule, kind) if "choices" in row else {},
        neither,
        max(0, kind.cards - len(cards)),
        len(shown),
        "seekers" in row,
    )


def _counts(value: object, place: str) -> list[int]:
    fields = an_object(value, place)
    counts = [0] * 6
    for gem, n in fields.items():
        i = NUMBER.get(gem)
        if i is None:
            raise StateError(pointer(place, gem), "one-of", gem, {"words": GEMS})
        if type(n) is not int or not 0 <= n <= IN_THE_BOX[i]:
            number(n, f"{place}/{gem}", 0, IN_THE_BOX[i])
        counts[i] = n
    return counts


def _line(value: object, place: str) -> Sequence[int]:
    if type(value) is not list:
        raise StateError(f"{place}/line", "list", value)
    for i, gem in enumerate(value):
        if type(gem) is not str or gem not in NUMBER:
            raise StateError(f"{place}/line/{i}", "one-of", gem, {"words": GEMS})
    return [NUMBER[gem] for gem in value]


def _seekers(row: State, place: str) -> Sequence[int | str]:
    cards = items(row, "seekers", place)
    if not (WHOLE_OR_TEXT.issuperset(map(type, cards)) and POWER.keys() >= set(cards)):
        for i, card in enumerate(cards):
            if type(card) not in WHOLE_OR_TEXT or card not in POWER:
                raise StateError(f"{place}/seekers/{i}", "seeker", card, {"names": tuple(ADVANCED)})
    return cards


def _chips(row: State, place: str) -> int:
    chips = row["chips"]
    if type(chips) is not int:
        raise StateError(f"{place}/chips", "whole", chips)
    if abs(chips) > NO_LIMIT:
        raise StateError(f"{place}/chips", "number-between", chips, {"least": f"-{BOUND}", "most": BOUND})
    return chips


def _cards(shown: Sequence[str], place: str, rule: int, kind: AnyKind) -> tuple[int, ...]:
    """The colors of the cards that count, as far as they are known: none where there are more than the rule deals.

    There is one card of each color.
    """
    cards = tuple([NUMBER[card] for card in shown if card != UNKNOWN])
    if kind.cards and len(set(cards)) < len(cards):
        raise StateError(f"{place}/color_cards", "color-cards", list(shown), {"rule": rule, "n": kind.cards})
    return () if 0 < kind.cards < len(shown) else cards


def _choices(row: State, place: str, rule: int, kind: AnyKind) -> State:
    """The choices made, each legal in itself; whether they are together is seen when they are scored."""
    here = f"{place}/choices"
    choices = an_object(row["choices"], here)
    for name, value in choices.items():
        if name not in kind.chosen:
            raise StateError(pointer(here, name), "choice", name, {"rule": rule, "names": kind.chosen})
        if name == "number":
            number(value, f"{here}/number", 1, 8)
        elif name == "plus" and isinstance(kind, TwoPlus):
            _two_colors(value, f"{here}/plus")
        else:
            one_of(value, COLORS, f"{here}/{name}")
    return choices


def _two_colors(value: object, place: str) -> None:
    if type(value) is not list or len(value) != 2:
        raise StateError(place, "two-colors", value, {"n": 2})
    for i, color in enumerate(value):
        one_of(color, COLORS, f"{place}/{i}")
    if value[0] == value[1]:
        raise StateError(place, "two-colors", value, {"n": 2})


def _box(players: Sequence[Player], collects: str) -> None:
    """No more of a gem in front of all players than lie in the box."""
    lying = [gems for player in players for gems in (player.counts, player.invalid, player.neither)]
    held = zip(*lying, strict=True)
    many = [gem for gem, counts in enumerate(held) if sum(counts) > IN_THE_BOX[gem]]
    for gem in many:
        field = collects if collects == "line" else f"{collects}/{GEMS[gem]}"
        each = [p.counts[gem] + p.invalid[gem] + p.neither[gem] for p in players]
        _share(players, field, GEMS[gem], each, IN_THE_BOX[gem])
    if sum([player.gold for player in players]) > GOLD:
        _share(players, "gold", "gold", [player.gold for player in players], GOLD)


def _share(players: Sequence[Player], field: str, kind: str, held: Sequence[int], most: int) -> NoReturn:
    """The players `held` too many: nobody knows who of them."""
    by = {f"{player.place}/{field}": f"{player.name} {n}" for player, n in zip(players, held, strict=True) if n}
    if len(by) == 1:
        _too_many(next(iter(by)), kind, sum(held), most)
    values: dict[str, Value] = {"kind": kind, "most": most, "by": tuple(by.values()), "places": tuple(by)}
    raise StateError("/players", "in-the-box-together", sum(held), values)


def _too_many(place: str, kind: str, n: int, most: int) -> NoReturn:
    raise StateError(place, "in-the-box", n, {"kind": kind, "most": most})
