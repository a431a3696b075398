"""The state of Human Angel Demon, checked; a goal that the rules forbid is refused."""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from operator import le
from typing import Any, Final, NamedTuple

from scoring import middle
from scoring.errors import MISSING, StateError
from scoring.fields import State, count, flag, items, known, number, one_of, required
from scoring.fields import players as read_players
from scoring.human_angel_demon.sets import CODES, IN_THE_BOX, Card, Form, cards_of, goal_forms, is_big_set

HAND: Final = 8
PICTURES: Final = 4

STATE_KEYS: Final = middle.CARDS_GAME | frozenset(
    {
        "game", "advanced", "winner", "won_by", "discarder", "short_game", "bonus", "item_win", "players",
        "house_rules",
    }
)  # fmt: skip
PLAYER_KEYS: Final = middle.CARDS_PLAYER | frozenset(
    {"name", "points", "open", "hand", "discards", "ready", "winning_card"}
)


class Player(NamedTuple):
    """A player's cards; `points` are those from before this short game, `given` the keys that were there."""

    place: str
    given: State
    name: str
    points: int
    open: Sequence[tuple[Card, ...]]
    hand: Sequence[Card]
    discards: Sequence[Card]


class Table(NamedTuple):
    """`winner` and `discarder` count into `players`; `form` is the goal form of the winner's hand."""

    given: State
    advanced: bool
    winner: int | None
    discarder: int | None
    short_game: int | None
    bonus: Sequence[Card]
    item_win: Sequence[int]
    players: Sequence[Player]
    form: Form | None


def read(state: State) -> Table:
    """Check a state of this game. Raises StateError."""
    known(state, STATE_KEYS, "")
    rows = read_players(state, PLAYER_KEYS)
    players = [_player(row, f"/players/{i}") for i, row in enumerate(rows)]
    if not middle.CARDS_GAME.isdisjoint(state) or any("hand_size" in row for row in rows):
        middle.human_angel_demon(state, _card)
    bonus = _cards(items(state, "bonus", ""), "/bonus")
    _box(players, bonus)
    advanced = flag(state, "advanced", "")
    names = [player.name for player in players]
    winner = required(state, "winner", "")
    place = None if winner is None else names.index(one_of(winner, names, "/winner"))
    won_by, discarder = _how(state, names, place)
    form = None if place is None else _goal(players[place], won_by, advanced)
    short_game = number(state["short_game"], "/short_game", 1) if "short_game" in state else None
    return Table(state, advanced, place, discarder, short_game, bonus, _item_win(state), players, form)


def _player(row: State, place: str) -> Player:
    opened = []
    for i, three in enumerate(items(row, "open", place)):
        here = f"{place}/open/{i}"
        if type(three) is not list or len(three) != 3:
            raise StateError(here, "big-set", three, {"n": 3})
        cards = tuple(_cards(three, here))
        if not is_big_set([card.title for card in cards]):
            raise StateError(here, "big-set", three, {"n": 3})
        opened.append(cards)
    flag(row, "ready", place)
    if "winning_card" in row:
        _card(row["winning_card"], f"{place}/winning_card")
    hand = _cards(items(row, "hand", place), f"{place}/hand")
    discards = _cards(items(row, "discards", place), f"{place}/discards")
    return Player(place, row, row["name"], count(row, "points", place), opened, hand, discards)


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
        lying += [*cards_of(player.open), *player.hand, *player.discards]
    lying += bonus
    counts = Counter([card.code for card in lying])
    if all(map(le, counts.values(), map(IN_THE_BOX.__getitem__, counts))):
        return
    left = dict(IN_THE_BOX)
    for place, code, *_ in lying:
        left[code] -= 1
        if left[code] < 0:
            raise StateError(place, "had-box", code, {"card": code, "most": IN_THE_BOX[code]})


def _how(state: State, names: Sequence[str], winner: int | None) -> tuple[str | None, int | None]:
    """How the winner goaled, and off whose discard. Without a winner neither is asked for."""
    won_by, discarder = state.get("won_by"), state.get("discarder")
    if won_by is not None or winner is not None:
        one_of(required(state, "won_by", ""), ("take", "discard"), "/won_by")
    if discarder is not None:
        one_of(discarder, names, "/discarder")
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


def _goal(winner: Player, won_by: str | None, advanced: bool) -> Form:
    """The goal form of the winner's hand, if the winner may goal at all."""
    place = winner.place
    required(winner.given, "hand", place)
    titles = [card.title for card in winner.hand]
    forms = goal_forms(titles) if len(titles) == HAND else []
    if not forms:
        raise StateError(f"{place}/hand", "goal-form", winner.given["hand"], {"n": HAND})
    if not winner.open:
        raise StateError(f"{place}/open", "opened-set", winner.given.get("open", []))
    completing = winner.given.get("winning_card")
    if completing is not None and completing not in [card.code for card in winner.hand]:
        raise StateError(f"{place}/winning_card", "winning-card", completing)
    if won_by == "discard":
        if winner.given.get("ready") is not True:
            raise StateError(f"{place}/ready", "ready", MISSING)
        _own_discards(winner, required(winner.given, "winning_card", place), titles, advanced)
    return forms[0]


def _own_discards(winner: Player, completing: str, titles: list[str], advanced: bool) -> None:
    """In the advanced game nobody may goal by discard who has discarded a card that would have done as well."""
    if not advanced:
        return
    seven = titles.copy()
    seven.remove(CODES[completing][0])
    for card in winner.discards:
        if goal_forms([*seven, card.title]):
            raise StateError(card.place, "own-discard", card.code, {"card": card.code})
