"""The state of Human Angel Demon, checked, and what the rules say against a goal that was claimed."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from operator import le
from typing import Any, Final, NamedTuple

from scoring.breakdown import Note, Value
from scoring.errors import StateError
from scoring.fields import State, count, flag, items, known, number, one_of, required, same_name
from scoring.fields import players as read_players
from scoring.human_angel_demon import middle
from scoring.human_angel_demon.sets import CODES, IN_THE_BOX, Card, Form, cards_of, goal_forms, is_big_set

HAND: Final = 8
LEAST_SHOWN: Final = 7
"""A hand of fewer cards is still being laid out: it is asked for."""
PICTURES: Final = 4

STATE_KEYS: Final = middle.CARDS_GAME | frozenset(
    {
        "game", "advanced", "winner", "won_by", "discarder", "short_game", "start", "bonus", "item_win", "players",
        "house_rules",
    }
)  # fmt: skip
PLAYER_KEYS: Final = middle.CARDS_PLAYER | frozenset(
    {"name", "points", "open", "hand", "discards", "ready", "winning_card"}
)


class Player(NamedTuple):
    """A player's cards; `points` are those from before this short game, `given` the keys that were there.

    `odd` are opened groups that are no sets.
    """

    place: str
    given: State
    name: str
    points: int
    open: Sequence[tuple[Card, ...]]
    hand: Sequence[Card]
    discards: Sequence[Card]
    odd: Sequence[tuple[Card, ...]] = ()


class Table(NamedTuple):
    """`winner` and `discarder` count into `players`; `form` is the goal form of the winner's hand, None: it is none.

    `against`: what the rules say against the goal, though it was claimed.
    """

    given: State
    advanced: bool
    winner: int | None
    discarder: int | None
    short_game: int | None
    bonus: Sequence[Card]
    item_win: Sequence[int]
    players: Sequence[Player]
    form: Form | None
    against: Sequence[Note] = ()


def read(state: State) -> Table:
    """Check a state of this game. Raises StateError."""
    known(state, STATE_KEYS, "")
    rows = read_players(state, PLAYER_KEYS)
    players = [_player(row, f"/players/{i}") for i, row in enumerate(rows)]
    if not middle.CARDS_GAME.isdisjoint(state) or any("hand_size" in row for row in rows):
        middle.check(state, _card)
    bonus = _cards(items(state, "bonus", ""), "/bonus")
    _box(players, bonus)
    advanced = flag(state, "advanced", "")
    names = [player.name for player in players]
    winner = required(state, "winner", "")
    place = None if winner is None else names.index(one_of(same_name(winner, names), names, "/winner"))
    won_by, discarder = _how(state, names, place)
    form = None if place is None else _goal(players[place])
    against = [] if place is None or form is None else [*_against(players[place], won_by, advanced)]
    if "start" in state:  # who began the first short game: it counts nothing
        one_of(same_name(state["start"], names), names, "/start")
    short_game = number(state["short_game"], "/short_game", 1) if "short_game" in state else None
    return Table(state, advanced, place, discarder, short_game, bonus, _item_win(state), players, form, against)


def _player(row: State, place: str) -> Player:
    opened: list[tuple[Card, ...]] = []
    odd: list[tuple[Card, ...]] = []
    for i, three in enumerate(items(row, "open", place)):
        here = f"{place}/open/{i}"
        if type(three) is not list or len(three) != 3:
            raise StateError(here, "big-set", three, {"n": 3})
        cards = tuple(_cards(three, here))
        (opened if is_big_set([card.title for card in cards]) else odd).append(cards)
    flag(row, "ready", place)
    if "winning_card" in row:
        _card(row["winning_card"], f"{place}/winning_card")
    hand = _cards(items(row, "hand", place), f"{place}/hand")
    discards = _cards(items(row, "discards", place), f"{place}/discards")
    return Player(place, row, row["name"], count(row, "points", place), opened, hand, discards, odd)


def _card(value: object, place: str) -> None:
    """A card as the state writes it."""
    if type(value) is not str or value not in CODES:
        raise StateError(place, "had-card", value)


def _cards(codes: Sequence[Any], place: str) -> list[Card]:
    """The cards of a list that stands at a place."""
    try:
        return [_lying(code, place, i) for i, code in enumerate(codes)]
    except (KeyError, TypeError):
        for i, code in enumerate(codes):
            _card(code, f"{place}/{i}")
        raise


@lru_cache(maxsize=10_000)
def _lying(code: str, place: str, i: int) -> Card:
    """There are few cards and few places, and a card never changes."""
    return Card(f"{place}/{i}", code, *CODES[code])


def _box(players: Iterable[Player], bonus: Iterable[Card]) -> None:
    """Of each title there are three black cards and a red one."""
    lying: list[Card] = []
    for player in players:
        lying += [*cards_of(player.open), *cards_of(player.odd), *player.hand, *player.discards]
    lying += bonus
    counts = Counter([card.code for card in lying])
    if all(map(le, counts.values(), map(IN_THE_BOX.__getitem__, counts))):
        return
    left = dict(IN_THE_BOX)
    for place, code, *_ in lying:
        left[code] -= 1
        if left[code] < 0:
            alike = tuple(card.place for card in lying if card.code == code)
            raise StateError(place, "had-box", code, {"card": code, "most": IN_THE_BOX[code], "alike": alike})


def _how(state: State, names: Sequence[str], winner: int | None) -> tuple[str | None, int | None]:
    """How the winner goaled, and off whose discard. Without a winner neither is asked for."""
    won_by, discarder = state.get("won_by"), state.get("discarder")
    if won_by is not None or winner is not None:
        one_of(required(state, "won_by", ""), ("take", "discard"), "/won_by")
    if discarder is not None:
        discarder = one_of(same_name(discarder, names), names, "/discarder")
    if winner is None:
        return None, None
    if won_by == "take":
        if discarder is not None:
            raise StateError("/discarder", "no-discarder", discarder)
        return won_by, None
    if discarder is None or discarder == names[winner]:
        raise StateError("/discarder", "discarder", discarder, {"names": tuple(n for n in names if n != names[winner])})
    return won_by, names.index(discarder)


def _item_win(state: State) -> Sequence[int]:
    pictures = items(state, "item_win", "")
    for i, picture in enumerate(pictures):
        number(picture, f"/item_win/{i}", 1, PICTURES)
        if picture in pictures[:i]:
            raise StateError(f"/item_win/{i}", "not-twice", picture)
    return pictures


def _goal(winner: Player) -> Form | None:
    """The goal form of the winner's hand; None where it is no goal."""
    hand = required(winner.given, "hand", winner.place)
    if len(hand) < LEAST_SHOWN:
        raise StateError(f"{winner.place}/hand", "goal-form", hand, {"n": HAND})
    forms = goal_forms([card.title for card in winner.hand]) if len(hand) == HAND else []
    return forms[0] if forms else None


def _against(winner: Player, won_by: str | None, advanced: bool) -> Iterator[Note]:
    """Which rules forbid a goal: no opened set, not ready, an own discard that would have done as well."""
    place, name = winner.place, winner.name
    if not winner.open and "open" in winner.given:
        yield _forbidden("had.no-open", {"name": name}, (f"{place}/open",), "goal")
    if won_by != "discard":
        return
    if not flag(winner.given, "ready", place):
        where = f"{place}/ready" if "ready" in winner.given else place
        yield _forbidden("had.not-ready", {"name": name}, (where,), "goal")
    completing = required(winner.given, "winning_card", place)
    if advanced and completing in [card.code for card in winner.hand]:
        seven = [card.title for card in winner.hand]
        seven.remove(CODES[completing][0])
        cards = [card for card in winner.discards if goal_forms([*seven, card.title])]
        if cards:
            codes = tuple(card.code for card in cards)
            there = tuple(card.place for card in cards)
            yield _forbidden("had.own-discard", {"name": name, "cards": codes}, there, "advanced-2")


def _forbidden(key: str, values: dict[str, Value], because: tuple[str, ...], source: str) -> Note:
    return Note(key, {**values, "rule": "H10"}, because, f"human-angel-demon/{source}")
